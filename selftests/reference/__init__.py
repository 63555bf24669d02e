"""Tests of the reference deployment, its faults and its lawful variants."""
