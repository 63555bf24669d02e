"""Tests of what is recorded: exchanges, JSON text, traces, HAR files."""
