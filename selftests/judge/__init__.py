"""The judge except its rules: from a trace to verdicts; no server, no client, no clock."""
