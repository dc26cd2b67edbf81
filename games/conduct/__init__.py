"""Conduct of players towards each other: sanctions in force, blocks, shared interests, contact limits.

Below ``play`` and ``tables``, which ask here whether somebody may play, talk or sit down with somebody.
"""
