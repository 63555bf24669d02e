"""The mechanisms of which faults and variants are made, one module for each part of the service.

A mechanism makes Steps from the arguments in a row, anew for each deployment: whatever it remembers is in its
local variables, never in its module. If an argument itself has to remember something, the row passes a function
that makes it.
"""
