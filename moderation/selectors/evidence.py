"""Evidence of an incident, with the board and the turns that its page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Player
from games.pages.parts.story import StoryEntry, build_story_entries
from games.pages.scene import Scene
from moderation.acts.evidence import list_players
from moderation.models import Evidence, Incident

SHOWN = 3
"""Maximum number of reports whose evidence is on the page, the latest ones."""

TurnInEvidence = tuple[dict[str, Any], StoryEntry, str]
"""A turn as it is stored, in words, and the points that it brought to each player."""


def load_evidence(incident: Incident) -> list[Evidence]:
    """The evidence of the latest reports of *incident*; one query."""
    return list(incident.evidence.order_by("-pk")[:SHOWN])


def load_names(evidence: Sequence[Evidence]) -> Mapping[int, str]:
    """The present names of everybody in *evidence*, by key; one query."""
    keys = list_players(item.found for item in evidence)
    return dict(Player.objects.filter(pk__in=keys).values_list("pk", "username"))


def load_reported_scene(incident: Incident, viewer: Player, evidence: Sequence[Evidence]) -> Scene | None:
    """The board after the last reported turn, or at the time of the report."""
    game = incident.game
    if game is None or game.started is None or not evidence:
        return None
    facts, ply = evidence[0].found, evidence[0].ply
    version, at = facts["game"]["version"], facts["game"]["ply"]
    for turn in facts["turns"]:
        if ply is not None and turn["ply"] == ply:
            version, at = turn["version"], ply
    return Scene.of(game, viewer, version=version, ply=at)


def tell_turns(evidence: Evidence, scene: Scene) -> Iterator[TurnInEvidence]:
    """Tell the turns in *evidence*."""
    for turn in evidence.found.get("turns", ()):
        brought = ", ".join(
            _("{name}: +{n}").format(name=scene.names[int(seat)], n=number)
            for seat, number in turn["points"].items()
        )
        for entry in build_story_entries(scene, [turn]):
            yield turn, entry, brought
