"""Suspicions over hand-made exchanges: what explains them, what excludes that, and what is a finding."""
