"""What a trace has taught, over hand-made exchanges."""
