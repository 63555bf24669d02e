"""Reports: one module per format, each a function of a report."""
