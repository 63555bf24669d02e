"""Tests of what drivers use: profiles, strategies, generated cases."""
