"""One request at a time: the client with its limits, its retries and the credentials it sends.

This package is everything between a driver's call and the socket: transport, budget, waiting for a deployment
that asks for it, the preflight. Nothing here knows what a correct response is, what a clause is, or which driver
sends. Every attempt to send a request is recorded.
"""
