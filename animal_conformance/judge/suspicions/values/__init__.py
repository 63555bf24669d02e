"""Fields of animals that are told in more than one way: edits and moves, which are lawful, told apart from faults."""
