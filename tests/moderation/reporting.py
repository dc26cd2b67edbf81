"""People who report each other, and the moderator who decides."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib.auth.models import Group

from accounts.models import Player
from games.models import Game, Message
from moderation.acts import reports
from moderation.acts.reports import Subject
from moderation.models import Category, Incident, Report, Verdict
from tests.games.factories import NOW, make_player


def named(name: str) -> Player:
    """Get or create the player of this name."""
    return Player.objects.filter(username=name).first() or make_player(name)


def moderator(name: str = "Helen") -> Player:
    """Get or create a member of the group of moderators."""
    player = Player.objects.filter(username=name).first()
    if player is None:
        player = make_player(name, is_staff=True)
        player.groups.add(Group.objects.get(name="moderator"))
    return player


def report(
    by: str = "Bruno",
    about: str = "Anna",
    game: Game | None = None,
    *,
    category: str = "insults",
    words: str = "Rude.",
    now: datetime = NOW,
    **more: Any,
) -> Report:
    subject = Subject(named(about), game, **more)
    return reports.report(
        reporter=named(by), subject=subject, category=Category(category), words=words, now=now
    )


def say(game: Game, name: str, text: str, now: datetime = NOW) -> Message:
    """Create a message at the table, regardless of limits."""
    return Message.objects.create(game=game, author=named(name), text=text, at=now)


def decide(
    incident: Incident,
    verdict: str = "upheld",
    now: datetime = NOW,
    who: str = "Helen",
    *,
    upheld: Collection[int] = (),
    all_upheld: bool = False,
) -> Incident:
    return reports.close(
        incident_id=incident.pk,
        who=moderator(who),
        verdict=Verdict(verdict),
        remark="Seen.",
        now=now,
        upheld=[report.pk for report in incident.reports.all()] if all_upheld else upheld,
    )
