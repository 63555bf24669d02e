"""The kill matrix: how the suite judges every fault, every permitted variant and every null server."""
