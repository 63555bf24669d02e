"""Suspicions over hand-made exchanges: what explains them, what excludes an explanation, and what is a finding."""
