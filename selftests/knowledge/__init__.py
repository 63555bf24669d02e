"""Tests of what a trace has taught, over hand-made exchanges."""
