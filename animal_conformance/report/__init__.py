"""A report in each format: terminal, HTML, JUnit, CTRF, Markdown, badge, annotations, certificate.

The functions in this package take a report, a plain JSON value that build_report makes from the verdicts. Nothing
here decides an outcome or an exit code, or sends a request. Everything from a deployment is untrusted text, and is
escaped before it is shown.
"""
