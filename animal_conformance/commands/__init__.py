"""The commands beside `run`: one module each."""
