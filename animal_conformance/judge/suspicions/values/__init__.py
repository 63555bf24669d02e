"""What is told of an animal in more than one way: edits and moves, which are lawful, apart from faults."""
