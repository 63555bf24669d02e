"""From exchanges to verdicts: rules, suspicions, what a trace has taught, and the outcome of a run.

This package consists of pure functions: the same exchanges always give the same verdicts. Nothing
here sends, waits, reads a clock, draws random numbers, or depends on pytest, Hypothesis or the reference deployment.
Every clause has its rule in rules/, in the file of its chapter; suspicions/ weighs what may be lawful, by what
knowledge/ says of the trace; observers/ answers open questions.
"""
