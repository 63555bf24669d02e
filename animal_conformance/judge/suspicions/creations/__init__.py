"""Creations that are rejected, or not answered: for a lawful reason, such as a quota, or for what they are."""
