"""The real command, in a process of its own, against real servers."""
