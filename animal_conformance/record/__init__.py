"""Requests and responses: exchanges, the trace and HAR files that contain them, and the redaction of secrets.

This package contains immutable values and their file formats, shared by all other parts. Nothing here sends,
judges or knows which response would be correct. The key is never recorded: a record says only which
kind of credential was sent.
"""
