"""Tests of what the package reads its contract with."""
