"""Stored choices that a release has lost, such as the set of a game: what can go on without them does, and
other pages say so instead of failing (``tests/core/test_lost_choices.py``)."""


class LostChoice(Exception):
    """Error for a page or a notice that rests on a stored choice which this release doesn't know."""
