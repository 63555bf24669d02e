"""What a trace has taught: a fold over its exchanges, and the questions that are asked of it.

``ledger`` is the fold; the other modules answer one kind of question each: which names were sent, which animals were
there when, where lists end, what was told of a field. Rules and suspicions, not these modules, say what is right.
"""
