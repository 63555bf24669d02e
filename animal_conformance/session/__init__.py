"""One run from its options to its exit code: settings and flags, the run, the gates, and the pytest hooks.

This package combines sending, driving, judging and reporting, in the same way for the command and for plain
pytest. It contains no rules, formats or requests. What affects the exit code besides the verdict (a baseline,
expected failures) is in gates.
"""
