"""A conformance suite for the animal store interface."""

__version__ = "0.1.0"
