"""The kill matrix: what the suite makes of every fault, every permitted variant and every null server."""
