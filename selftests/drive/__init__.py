"""Tests of what drivers drive with: profiles, strategies, generated cases."""
