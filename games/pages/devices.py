"""The page on which players switch notifications on and off, device by device."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from games.models import PushSubscription


class DeviceRow(NamedTuple):
    """A browser with notifications; *here* marks the one that shows the page."""

    pk: int
    browser: str
    device: str
    since: datetime
    last_success: datetime | None
    here: bool


def build_device_rows(subscriptions: Iterable[PushSubscription], session_key: str | None) -> list[DeviceRow]:
    """Build the rows of *subscriptions*, the browser with this session first."""
    rows = [
        DeviceRow(
            one.pk, one.browser, one.device, one.since, one.last_success, one.session_key == session_key
        )
        for one in subscriptions
    ]
    return sorted(rows, key=lambda row: not row.here)
