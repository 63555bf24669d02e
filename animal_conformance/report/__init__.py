"""A report in each format: terminal, HTML, JUnit, CTRF, Markdown, badge, annotations, certificate.

This package contains functions of a report, a plain JSON value that build_report makes from the verdicts. Nothing
here decides an outcome or an exit code, or sends. Everything from a deployment is untrusted text, and is
escaped before it is shown.
"""
