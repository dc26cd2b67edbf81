"""Tuning of how often a process that serves for days looks for garbage.

Python looks through young objects after every 700 new ones, and through all of them whenever a quarter more
have stayed. Here most of what is made stays on purpose, as positions and parts of pages are remembered, and
looking through it took a fifth of a turn's time and a seventh of a mail's.
"""

import gc

YOUNG = 20_000  # new objects after which the young ones are looked through: a few turns


def tune_collector() -> None:
    """Leave what is loaded out for ever, and look through the young objects only every so often. To be called
    when all is loaded; children that are forked after it do so, too."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
