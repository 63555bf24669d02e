"""The drivers: they produce the exchanges that the rules judge, and never judge themselves."""
