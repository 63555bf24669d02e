"""Misbehaving servers on the loopback interface, and the real command run against them."""
