"""Tests of sending: credentials, patience, budgets."""
