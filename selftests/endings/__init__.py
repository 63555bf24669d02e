"""Nothing lost: however a run ends, what was judged counts."""
