"""Creations that are rejected, or not answered: for what is lawful, such as a quota, or for what they are."""
