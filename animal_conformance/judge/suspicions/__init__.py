"""What looks wrong for a reason that may be lawful: suspicions, and the findings where the trace excludes each explanation.

The folders are named after what is suspected: ``lists``, ``creations``, ``retrievals``, and the ``values`` that are
told of an animal. Each module is one kind of suspicion, with the experiments that it asks for; the rules of the
chapters call these modules, never the other way round.
"""
