"""No trust: whatever a server sends, it does not harm, hang or fool the run."""
