"""The rules on hand-made exchanges: one file for each of their modules."""
