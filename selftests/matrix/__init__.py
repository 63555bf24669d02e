"""The kill matrix: what the suite makes of every fault, every lawful variant and every null server."""
