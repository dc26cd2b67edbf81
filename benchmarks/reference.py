"""Loop of plain Python, timed in the same run as the benchmarks: machines differ, ratios less."""

from __future__ import annotations

import time


def reference() -> float:
    """Time a million updates of a small dictionary, in seconds."""
    counts: dict[int, int] = {}
    start = time.perf_counter()
    for number in range(1_000_000):
        counts[number & 1023] = counts.get(number * 7 & 1023, 0) + 1
    return time.perf_counter() - start
