"""What the interface promises: the contract, the clauses, and how the contract reads a request.

Here live the readers of spec/. They decide nothing about a deployment and know neither drivers nor
rules. They never send anything, and they read no file but those of spec/ and the one they are handed.
"""
