"""What drivers use: the store and its lanes, strategies, the cases derived by Schemathesis, and the profiles.

This package is what the files of tests/ call to produce exchanges. Nothing here judges: no assertions about
responses, no clauses. What drivers need to know about earlier responses, they read from the ledger.
"""
