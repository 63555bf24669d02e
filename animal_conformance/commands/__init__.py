"""What the commands read, call and print: arguments in, exit code out.

A module for each command, but that `run` is declared in cli, with the group of commands, and `serve` in reference; the
other modules are what several commands share, or parts of one (checklist, plan and progress of run; soaking of soak). What
plain pytest needs as well is in session or report.
"""
