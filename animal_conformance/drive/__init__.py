"""What drivers drive with: the store, strategies, the cases that Schemathesis derives, and how much a profile sends.

Here lives what the files of tests/ call to produce exchanges. Nothing here judges: no assertion about an
answer, no clause. What a driver may know of earlier answers it asks the ledger.
"""
