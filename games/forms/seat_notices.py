"""The form of what a player wants to be told of one game."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.notice_preferences import Timing
from games.forms.board import TransfersForm
from games.pages.text.page import TextPage
from games.pages.turn.panel import TurnPanel


def list_choices() -> list[tuple[str, object]]:
    """As in the settings, or a timing of its own."""
    return [("", _("as in your settings")), *((timing.value, timing.label) for timing in Timing)]


class SeatNoticesForm(forms.Form):
    """When to be told of what happens in a game."""

    notice_timing = forms.ChoiceField(
        label=_("Tell me about this game"), choices=list_choices, required=False
    )

    @classmethod
    def showing(cls, timing: str | None) -> SeatNoticesForm | None:
        """The form with *timing* chosen; none where there is nothing to choose."""
        return None if timing is None else cls(initial={"notice_timing": timing})


def build_seat_forms(shown: TurnPanel | TextPage) -> dict[str, Any]:
    """Return the forms of what a seat has chosen for its game, as the pages of the board show them."""
    return {
        "transfers": TransfersForm.showing(shown.standing_answer),
        "seat_notices": SeatNoticesForm.showing(shown.notice_timing),
    }
