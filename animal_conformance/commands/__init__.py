"""The commands, one module for each: arguments in, exit code out.

This package contains what a command reads, calls and prints. What several commands or plain pytest need
is in session or report. The group of commands is in cli.
"""
