"""Files of records, and what differs between two of them."""

from __future__ import annotations

import difflib
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.golden.asking import Record

PLACES = 3
"""Most places of a difference that are named."""


def write_records(path: Path, records: Iterable[Record]) -> None:
    with gzip.open(path, "wt", compresslevel=5) as file:
        for record in records:
            file.write(json.dumps(record) + "\n")


def read_records(path: Path) -> list[Record]:
    with gzip.open(path, "rt") as file:
        return [Record(*json.loads(line)) for line in file]


def print_comparison(before: Sequence[Record], after: Sequence[Record]) -> int:
    """Print what differs; return 0 if nothing does and no address makes more queries, otherwise 1."""
    old = {record.key: record for record in before}
    new = {record.key: record for record in after}
    gone, come = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    for title, keys in (("gone", gone), ("new", come)):
        print(f"{len(keys)} {title}", *keys[:PLACES], sep="\n  ") if keys else None
    places: dict[str, list[str]] = defaultdict(list)
    for key in old.keys() & new.keys():
        if old[key].lines != new[key].lines:
            places[_compare(old[key].lines, new[key].lines)].append(key)
    for difference, keys in sorted(places.items(), key=lambda item: -len(item[1])):
        print(f"\n== {len(keys)} times, as in", *sorted(keys)[:PLACES], sep="\n  ")
        print(difference)
    both = old.keys() & new.keys()
    more = [(key, old[key].queries, new[key].queries) for key in both if new[key].queries > old[key].queries]
    for key, was, is_now in sorted(more, key=lambda one: one[1] - one[2])[:20]:
        print(f"more queries, {was} -> {is_now}: {key}")
    fewer = sum(new[key].queries < old[key].queries for key in both)
    print(
        f"{len(both)} compared: {sum(map(len, places.values()))} differ in {len(places)} ways; "
        f"{len(gone)} gone, {len(come)} new; {len(more)} make more queries, {fewer} fewer"
    )
    return int(bool(gone or come or places or more))


def _compare(old: Sequence[str], new: Sequence[str]) -> str:
    lines = difflib.unified_diff(
        [line.strip() for line in old], [line.strip() for line in new], n=0, lineterm=""
    )
    return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))
