"""Exchanges to verdicts: rules, observers, the ledger that they ask, and the outcome of a run.

Here live pure functions: the same exchanges give the same verdicts, whoever sent them and whenever. Nothing
here sends, waits, reads a clock, draws a random number, or knows pytest, Hypothesis or the reference deployment.
Every clause has its rule in rules/, in the file of its chapter; what the document leaves open is in observers.
"""
