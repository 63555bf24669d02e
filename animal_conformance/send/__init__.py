"""One request at a time: the client with its limits, its patience and the keys that it sends.

Here lives everything between a driver's call and the socket: transport, budget, waiting for a deployment that
asks for it, the preflight. Nothing here knows what a right answer is, what a clause is, or which driver
sends. Whatever is sent is recorded, every attempt of it.
"""
