"""The whole catalogue of faults, variants and null servers against all rules, in one process and without a socket."""
