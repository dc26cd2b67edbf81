"""Texts about a player in every place where staff, organisers and players can write."""

from __future__ import annotations

from datetime import timedelta

from accounts import acts
from accounts.models import Player
from games import tables
from games.models import Game
from games.play import moderation
from leagues import seasons
from moderation.acts import moderator_notes, named_things, reports, sanctions
from moderation.acts.named_things import RenameRequest
from moderation.fair_play import signals
from moderation.models import AppealOutcome, NamedKind, SignalVerdict, Verdict
from tests.games.factories import NOW, make_player, make_table
from tests.games.play.moderating import asked
from tests.leagues.season_helpers import make_league
from tests.moderation.fair_play.making import make_signal
from tests.moderation.reporting import decide, moderator, named, report
from tests.moderation.sanctioning import mute, warned

NAME = "Kimberly"
ADDRESS = "kimberly@example.org"
WORDS = f"{NAME} wrote from {ADDRESS}; @{NAME} says so."
"""Text that names somebody in every possible way."""


def write_everywhere() -> tuple[Player, Game]:
    """Write :data:`WORDS` in every field that stores people as references; return the player whom they
    are about, and a game."""
    kim, other = make_player(NAME), moderator("Second")
    boss = make_player("Boss", is_staff=True, is_superuser=True)
    game, waiting = make_table(seats=2, host=kim, rated=True), make_table(seats=3, host=kim)
    game = tables.sit(game_id=game.pk, player=named("Bruno"), now=NOW)
    acts.sign_out(actor=boss, player=kim, why=WORDS, now=NOW)
    moderation.unrate(asked(game, boss, reason=WORDS))
    _report(kim, game)
    warning = warned(kim, words=WORDS, reason=WORDS, about=f"{NAME}, twice")
    appeal = sanctions.appeal(sanction_id=warning.pk, player=kim, words=WORDS, now=NOW)
    upheld = {"outcome": AppealOutcome.UPHELD, "words": WORDS}
    sanctions.answer(appeal_id=appeal.pk, who=other, now=NOW, **upheld)  # type: ignore[arg-type]
    sanctions.lift(sanction_id=mute(kim, reason=WORDS).pk, who=other, why=WORDS, now=NOW)
    signal = make_signal(game)
    signals.settle(signal=signal.pk, who=other, verdict=SignalVerdict.NOTHING, why=WORDS, now=NOW)
    moderator_notes.write(player=kim, author=other, text=WORDS, now=NOW)
    _rename(waiting, other)
    _organise(kim)
    return kim, game


def _report(kim: Player, game: Game) -> None:
    """Make three reports: one reopened and decided, one decided, one open."""
    helen, settled = moderator(), report(by="Bruno", about=NAME, game=game, words=WORDS).incident
    decide(settled)
    reports.reopen(incident_id=settled.pk, who=helen, remark=WORDS, now=NOW)
    reports.close(incident_id=settled.pk, who=helen, verdict=Verdict.UPHELD, remark=WORDS, now=NOW)
    report(by="Bruno", about=NAME, words=WORDS, now=NOW + timedelta(days=1))


def _rename(table: Game, moderator: Player) -> None:
    known = named_things.find(NamedKind.TABLE, table.code)
    assert known is not None
    named_things.rename(RenameRequest(known, moderator, "Foix", WORDS, known.name, NOW))


def _organise(kim: Player) -> None:
    cup = make_league()
    season = cup.seasons.get()
    seasons.register(season_id=season.pk, player=kim, now=NOW)
    seasons.announce(league=cup, text=WORDS, who=cup.founder, now=NOW)
    seasons.cancel_season(season_id=season.pk, who=cup.founder, reason=WORDS, now=NOW)
