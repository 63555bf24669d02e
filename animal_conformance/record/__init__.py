"""What was sent and answered: exchanges, the trace and HAR files that hold them, and taking secrets out of them.

Here live immutable values and their file formats, which every other part shares. Nothing here sends,
judges or knows which answer would be right. A key never gets further than this: what is recorded says which
kind of credential was sent.
"""
