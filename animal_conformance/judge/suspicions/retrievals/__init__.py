"""Animals that getPet does not find, or should not: lawfully withdrawn or unlisted ones, told apart from faults."""
