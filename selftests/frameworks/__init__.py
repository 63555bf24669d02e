"""The interface as people implement it with a framework, each once with its defaults and once repaired.

Nothing here knows of the suite: each module is a program that listens on the port in PORT, on
127.0.0.1, and lets the key in API_KEY in.
"""
