"""The reference deployment of the animal store interface.

Written from the interface document alone: nothing here is shared with the code that judges
deployments, so that a misreading on one side cannot hide behind the same misreading on the other.
"""
