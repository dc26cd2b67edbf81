"""Data of moderation about a player, for the export of their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from accounts.export import list_rows
from accounts.models import Player
from accounts.references import show_values
from games.models import Sanction
from moderation.models import Appeal, Report, Signal


def build_files(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield the files of the archive: the reports and sanctions of *player*."""
    reported = Report.objects.filter(reporter=player).order_by("pk")
    about = ("incident__about__username", "incident__game__code", "ply", "incident__closed")
    yield "reports.json", show_values(list_rows(reported, *about, "category", "words", "at"), "words")
    yield (
        "conduct.json",
        {
            "sanctions": show_values(list_rows(
                Sanction.objects.filter(player=player).order_by("pk"),
                "kind", "template", "texts", "words", "begun", "ends", "acknowledged", "lifted",
            ), "words"),
            "appeals": show_values(list_rows(
                Appeal.objects.filter(sanction__player=player).order_by("pk"),
                "sanction__kind", "words", "at", "due", "answer", "answered", "outcome",
            ), "words", "answer"),
        },
    )  # fmt: skip
    signals = Signal.objects.filter(Q(subject=player) | Q(other=player)).order_by("pk")
    yield "fair_play.json", list_rows(signals, "kind", "found", "refreshed", "settled", "verdict")
