"""Offices that a player holds, which somebody else can take over before the account closes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django import forms

from accounts.hooks import OFFICES
from accounts.models import Player

if TYPE_CHECKING:
    from datetime import datetime


class HandOverRefused(Exception):
    """The office can't be handed over like this; the message says why."""


@dataclass(frozen=True)
class Office:
    """An office with the form *field* that asks who takes over.

    ``hand_over`` gets the player whom the field names, if it names one, and the time.
    """

    key: str
    field: forms.Field
    hand_over: Callable[[Player, datetime], None]


def list_offices(player: Player) -> list[Office]:
    """Return the offices that *player* alone holds."""
    return [office for find in OFFICES for office in find(player)]
