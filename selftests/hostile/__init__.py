"""No trust: whatever a server sends, the run is not harmed, hung or fooled."""
