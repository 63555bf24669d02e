"""A report to each format: terminal, HTML, JUnit, CTRF, Markdown, badge, annotations, certificate.

Here live functions of a report, a plain JSON value that build_report makes of the verdicts. Nothing here
decides an outcome or an exit code, and nothing here sends. Whatever a deployment said is untrusted text, and is
made harmless before it is shown.
"""
