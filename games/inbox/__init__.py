"""Mail that comes in, as a plain Python library: what a reply to a turn mail says (``docs/mail.md``).

The numbers REPLY-1 to REPLY-18 are those of ``tests/conformance-replies/README.md``. Nothing here knows a
game, a token or a database, and no message, whatever its bytes are, makes it fail or takes it long.
"""
