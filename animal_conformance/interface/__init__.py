"""The interface: the contract, the clauses, and how the contract reads a request.

This package contains the readers of spec/. They decide nothing about a deployment and know neither drivers nor
rules. They send nothing, and read no files except those of spec/ and the ones they are given.
"""
