"""Incoming mail as a plain Python library: reading the reply to a turn mail (``docs/mail.md``).

The numbers REPLY-1 to REPLY-18 are those of ``tests/conformance-replies/README.md``. It knows no games,
tokens or database, and no message, whatever its bytes, makes it fail or run for long.
"""
