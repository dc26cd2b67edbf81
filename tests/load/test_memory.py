"""Tests of growth and slope of a web worker's memory, computed from samples."""

import os

import pytest

from benchmarks.load.memory import Sample, growth, resident, slope

MB = 2**20


def samples(*megabytes: float) -> list[Sample]:
    return [Sample(1000 * number, round(size * MB)) for number, size in enumerate(megabytes, start=1)]


def test_what_is_taken_while_memories_fill_is_no_growth() -> None:
    filling = samples(100, 180, *[200] * 48)
    assert growth(samples(*[150] * 4, *[200] * 46)) == 1
    assert slope(filling) == pytest.approx(0)


def test_growth_is_from_a_tenth_to_the_end() -> None:
    assert growth(samples(*[200] * 25, *[220] * 25)) == pytest.approx(1.1)


def test_a_leak_has_a_slope() -> None:
    leaking = samples(*(200 + number / 10 for number in range(50)))  # 0.1 MB for each 1,000 requests
    assert slope(leaking) == pytest.approx(0.1 * MB / 1000, rel=1e-3)
    assert slope(samples(*[200] * 20, *[210] * 30)) == pytest.approx(0), "only the second half counts"


def test_this_process_has_memory() -> None:
    assert resident(os.getpid()) > 10 * MB
