"""The judge: from a trace to verdicts, beside the rules; no server, no client, no clock."""
