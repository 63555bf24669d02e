"""One run from its options to its exit code: settings and flags, the run, the gates, and pytest's hooks.

Here lives what puts sending, driving, judging and reporting together, the same for the command and for plain
pytest. No rule, no format and no request is made here. What decides an exit code beyond the verdict (a baseline,
expected failures) is in gates.
"""
