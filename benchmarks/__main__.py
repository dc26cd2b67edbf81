"""``make bench``: run every benchmark; exit 1 where one misses its bound."""

from __future__ import annotations

import sys

from benchmarks import site  # noqa: F401  # first: it chooses the settings, of no database but its own

# isort: split
from benchmarks import league_pages, lists, mails, pages, pairing, turns
from benchmarks.reference import reference


def main() -> int:
    print(f"reference {reference() * 1000:7.1f} ms for the loop of benchmarks/reference.py")
    results = [pages.main(), turns.main(), lists.main(), league_pages.main(), mails.main(), pairing.main()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
