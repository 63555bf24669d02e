"""What the suite costs and finds, measured beside a bare requests loop and beside Schemathesis."""
