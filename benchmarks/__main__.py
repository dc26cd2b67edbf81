"""``make bench``: run every benchmark; exit 1 where one misses its bound."""

from __future__ import annotations

import sys

from benchmarks import site  # noqa: F401  # first: it chooses the settings, of no database but its own

# isort: split
from benchmarks import (
    bot_duels,
    club_lists,
    combinations,
    desk,
    engine,
    league_pages,
    lists,
    mails,
    memory,
    outages,
    pages,
    ratings,
    strangers,
    sweep,
    turns,
)
from benchmarks.reference import reference


def main() -> int:
    print(f"reference {reference() * 1000:7.1f} ms for the loop of benchmarks/reference.py")
    results = [
        engine.playout(),
        engine.replay(),
        combinations.main(),
        bot_duels.main(),
        pages.main(),
        turns.main(),
        lists.main(),
        strangers.main(),
        league_pages.main(),
        mails.main(),
        outages.main(outages.NUMBERS),
        sweep.main(sweep.NUMBERS),
        desk.main(desk.NUMBERS),
        club_lists.main(club_lists.NUMBERS),
        ratings.main(ratings.NUMBERS),
        memory.main(),
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
