"""The commands, one module for each: arguments in, exit code out.

Here lives what a command reads, calls and prints. What several commands need, or plain pytest needs too,
stands in session or report. The group that finds them, and its guard, is cli.
"""
