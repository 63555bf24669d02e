"""Tests of how the package reads its contract."""
