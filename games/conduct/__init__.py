"""Conduct of players towards each other: sanctions in force, blocks, shared interests, contact limits.

``play`` and ``tables`` call these checks before somebody plays, chats or sits down.
"""
