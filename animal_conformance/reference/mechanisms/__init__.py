"""The mechanisms that faults and variants are made with, one module for each part of the service.

A mechanism makes Steps of what a row gives it, anew for each deployment: what it remembers, it keeps in its
own variables, never beside it. A row that brings what remembers brings what makes it, as a function.
"""
