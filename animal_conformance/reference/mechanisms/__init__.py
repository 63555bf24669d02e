"""The mechanisms that faults and variants are made with, one module for each part of the service.

A mechanism makes Steps of what a row gives it. What a mechanism remembers, it keeps for each deployment by
itself: within a wrap or an install, never beside it.
"""
