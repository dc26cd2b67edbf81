"""Texts about protests and corrections (STAND-17)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Following(Enum):
    """Events that wait for the end of the protest time."""

    ROUND = "round"
    KNOCK_OUT = "knock-out"
    END = "end"


PROTEST_TIMES: Mapping[Following, StrOrPromise] = {
    Following.ROUND: gettext_lazy(
        "{over}. If a result is wrong, tell the organisers by {when}: then the next round is drawn."
    ),
    Following.KNOCK_OUT: gettext_lazy(
        "{over}. If a result is wrong, tell the organisers by {when}: the knock-out isn't drawn before."
    ),
    Following.END: gettext_lazy(
        "{over}. If a result is wrong, tell the organisers by {when}: the season doesn't close before."
    ),
}


def describe_protest_time(following: Following, over: str, when: str) -> str:
    """Describe the protest time until *when*: what is *over*, and what follows it."""
    return str(PROTEST_TIMES[following]).format(over=over, when=when)
