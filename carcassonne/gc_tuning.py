"""Tuning of the garbage collector for processes that run for days.

Python scans young objects after every 700 new ones, and all of them whenever a quarter more have survived.
Here most objects stay on purpose, in caches of positions and parts of pages, and scanning them took a fifth
of a turn's time and a seventh of a mail's.
"""

import gc

YOUNG = 20_000  # new objects after which the young ones are looked through: a few turns


def tune_collector() -> None:
    """Exclude all present objects from collection, and scan young ones less often. Call it when everything is
    loaded; forked children inherit it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
