"""Animals that getPet does not find, or should not: withdrawn and unlisted ones, which are lawful, apart from faults."""
