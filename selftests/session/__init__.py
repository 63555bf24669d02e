"""Tests of the options of a run."""
