"""Limits that are lower than on the site, so that tests reach them soon."""

from dataclasses import replace

import pytest

from games.conduct import limits


def set_limit(monkeypatch: pytest.MonkeyPatch, key: str, most: int) -> None:
    """Lower the limit with this *key* until the test ends."""
    monkeypatch.setitem(limits.LIMITS, key, replace(limits.LIMITS[key], most=most))
