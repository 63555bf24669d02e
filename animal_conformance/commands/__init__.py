"""What the commands read, call and print: arguments in, exit code out.

There is a module for each command, except that `run` is declared in cli, with the group of commands, and `serve` in
reference. The other modules have what several commands share, or parts of one command (checklist, plan and progress of
run; soaking of soak). What plain pytest needs as well is in session or report.
"""
