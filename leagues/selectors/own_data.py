"""Data of leagues about a player, for the export of their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from accounts.export import list_rows
from accounts.models import Player
from accounts.references import show_values
from leagues.models import Entry, OrganiserRequest, TeamMember


def build_files(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield the archive's file of leagues: entries, teams and requests of *player*."""
    entries = Entry.objects.filter(player=player).order_by("pk")
    teams = TeamMember.objects.filter(player=player).order_by("pk")
    requests = OrganiserRequest.objects.filter(player=player).order_by("pk")
    yield (
        "leagues.json",
        {
            "entries": list_rows(
                entries, "season__league__name", "season__number", "division__level", "state", "registered",
                "withdrew", "rank", "points", "penalty",
            ),
            "questions": show_values(
                list_rows(requests, "league__name", "kind", "text", "asked", "answer", "answered"),
                "text", "answer",
            ),
            "teams": list_rows(teams, "team__name", "season__number", "invited", "joined"),
        },
    )  # fmt: skip
