"""Verdicts on games of leagues: what each counts, since when, and by whose decision (STAND-21). One answer
for all pages and mails, those of games too (``games.selectors.contests``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import Q

from accounts.models import Player
from accounts.references import show_text
from games.models import Status
from games.selectors.contests import ContestVerdict
from leagues.models import Fixture
from leagues.seasons.results import (
    Result,
    awaits_organiser,
    find_decision_end,
    find_result,
    left_to_organisers,
)
from leagues.words import verdicts as words


def build_verdict(fixture: Fixture, names: Mapping[int, str], now: datetime) -> ContestVerdict | None:
    """Return the verdict on the game of *fixture*; ``None`` before its end, and as long as a finished game,
    whose own result counts, isn't recorded. *names* are those of its players, by primary key."""
    game = fixture.game
    if game is None or not game.ended:
        return None
    result = find_result(fixture, now)
    if result is not None:
        return _build_decided(fixture, result, names)
    if game.status == Status.FINISHED and not awaits_organiser(game, now):
        return None
    until = find_decision_end(fixture)
    said = words.describe_decision_end(until)
    return ContestVerdict({}, said, said, words.name_undecided(until))


def _build_decided(fixture: Fixture, result: Result, names: Mapping[int, str]) -> ContestVerdict:
    ranks = {seat["player"]: seat["rank"] for seat in result}
    winners = [names.get(player, "?") for player, rank in ranks.items() if rank == 1]
    forfeit = any(seat["forfeit"] for seat in result)
    settled = fixture.settled_by is not None
    said = [_explain(fixture, result, ranks, names)]
    if fixture.struck:
        said.append(words.describe_striking())
    return ContestVerdict(
        ranks,
        words.format_headline(winners, settled=settled, forfeit=forfeit),
        " ".join(filter(None, said)),
        words.name_decision(settled=settled, forfeit=forfeit, struck=fixture.struck),
    )


def _explain(fixture: Fixture, result: Result, ranks: Mapping[int, int], names: Mapping[int, str]) -> str:
    """Say who decided, when and why; nothing if the game itself did."""
    if fixture.settled_by is not None and fixture.settled is not None:
        reason = fixture.ruling.reason if fixture.ruling is not None else ""
        return words.describe_settlement(
            str(fixture.settled_by), fixture.settled, ranks, names, show_text(reason)
        )
    if any(seat["forfeit"] for seat in result):
        absent = [names.get(seat["player"], "?") for seat in result if seat["forfeit"] and seat["rank"] > 1]
        return words.describe_forfeits(absent, nobody=all(rank > 1 for rank in ranks.values()))
    if fixture.game is not None and left_to_organisers(fixture.game):
        return words.describe_lapse(find_decision_end(fixture))
    return ""


def find_ruled_games(player: Player) -> Collection[int]:
    """Return the finished games of *player*, by primary key, whose result in the league may not be their own:
    settled, undecided, or changed by moderators. One query."""
    seated = Q(game__seats__player=player, game__status=Status.FINISHED)
    ruled = Q(settled_by__isnull=False) | Q(settled=None) | Q(game__moderated=True)
    return list(Fixture.objects.filter(seated, ruled).values_list("game", flat=True))
