"""Tests of moderators' renaming of tables, before and after the start, and of reports about names."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Player
from accounts.services import close_account
from games import tables
from games.exceptions import Refused
from games.models import ActKind, Game, Kind, ModerationAct, Notice
from games.notices.email import compose
from games.play.audit import find_differences
from moderation.acts import evidence, named_things, reports
from moderation.acts.named_things import RenameRequest
from moderation.acts.reports import Subject
from moderation.models import Category, Incident, NameChange, Report
from moderation.notices import letters
from moderation.selectors.incidents import annotate_reports
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns
from tests.moderation.reporting import decide, moderator, named

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=5)


def wish(game: Game, name: str = "Albi", who: Player | None = None, **given: Any) -> RenameRequest:
    thing = named_things.find("table", game.code)
    assert thing is not None
    more = {"reason": "It offends.", "before": thing.name, "now": LATER, **given}
    return RenameRequest(thing, who or moderator(), name, **more)


@pytest.fixture
def game() -> Game:
    return play_turns(make_game(seats=3, name="Rude name"), 6)


@pytest.fixture
def table() -> Game:
    return make_table(name="Rude name")


class TestRenaming:
    def test_a_table_that_has_not_begun_and_its_host_is_told(self, table: Game) -> None:
        named_things.rename(wish(table))
        table.refresh_from_db()
        assert table.name == "Albi"
        change = NameChange.objects.get()
        assert (change.before, change.after, change.reason) == ("Rude name", "Albi", "It offends.")
        assert (change.owner, change.who, change.at) == (table.host, moderator(), LATER)
        notice = Notice.objects.get(kind=Kind.MODERATION)
        assert notice.recipient == table.host
        letter = letters.compose_act_letter(notice)
        assert "Albi" in letter.context["said"] and "It offends." in letter.context["said"]
        assert "Rude" not in letter.subject + letter.context["said"]

    def test_a_game_that_runs_by_an_act_in_its_record_without_the_old_name(self, game: Game) -> None:
        named_things.rename(wish(game))
        game.refresh_from_db()
        act = ModerationAct.objects.get()
        assert (game.name, act.kind, act.version) == ("Albi", ActKind.RENAME, game.version)
        move = game.moves.get(version=game.version)
        assert move.action["act"] == "rename" and "Rude" not in str(move.action) + str(act.before)
        assert find_differences(game) == []
        told = Notice.objects.filter(kind=Kind.MODERATION)
        assert {notice.recipient for notice in told} >= {seat.player for seat in game.seats.all()} - {None}

    def test_the_mail_to_players_is_written(self, game: Game) -> None:
        named_things.rename(wish(game))
        table = make_table(name="Another", host=make_player("Zita"))
        named_things.rename(wish(table, "Foix"))
        for notice in Notice.objects.filter(kind=Kind.MODERATION):
            mail = compose(notice)
            assert ("Foix" if notice.game == table else "another name") in mail.body

    @pytest.mark.parametrize("name", ["", "  ", "x" * 61, "evil.example", "Rude name"])
    def test_goes_through_the_gate_of_tables(self, table: Game, name: str) -> None:
        with pytest.raises(Refused):
            named_things.rename(wish(table, name))
        assert not NameChange.objects.exists()

    def test_is_refused_in_own_games_and_to_players(self, game: Game) -> None:
        mira = moderator("Mira")
        seat = game.seats.get(index=1)
        seat.player = mira
        seat.save(update_fields=["player"])
        for who in (mira, game.host, make_player("Felix")):
            with pytest.raises(Refused):
                named_things.rename(wish(game, who=who))
        assert not NameChange.objects.exists()

    def test_a_second_click_is_the_first_one_and_another_moderator_is_told(self, table: Game) -> None:
        first = wish(table)
        named_things.rename(first)
        named_things.rename(first)
        assert NameChange.objects.count() == 1
        with pytest.raises(Refused, match="Someone has changed"):
            named_things.rename(first._replace(who=moderator("Mona"), name="Foix"))

    def test_a_look_before_changes_nothing(self, game: Game) -> None:
        named_things.check_rename(wish(game))
        assert Game.objects.get(pk=game.pk).name == "Rude name"
        assert not NameChange.objects.exists() and not ModerationAct.objects.exists()

    def test_says_why(self, table: Game) -> None:
        with pytest.raises(Refused):
            named_things.rename(wish(table, reason=" "))

    def test_old_names_are_forgotten_after_a_year_and_with_the_account(self, table: Game) -> None:
        named_things.rename(wish(table))
        evidence.forget_old(now=LATER + timedelta(days=364))
        assert NameChange.objects.get().before == "Rude name"
        evidence.forget_old(now=LATER + timedelta(days=366))
        assert NameChange.objects.get().before == ""
        named_things.rename(wish(table, "Foix"))
        tables.cancel(game_id=table.pk, player=table.host, now=LATER)
        close_account(player=table.host, now=LATER)
        assert set(NameChange.objects.values_list("before", flat=True)) == {""}


class TestReporting:
    def report(self, game: Game, by: str = "Felix", words: str = "") -> Report:
        thing = named_things.find("table", game.code)
        assert thing is not None
        return reports.report(
            reporter=named(by), subject=Subject.of_name(thing), category=Category.NAME, words=words, now=NOW
        )

    def test_is_about_the_host_and_keeps_the_name_as_it_was(self, table: Game) -> None:
        report = self.report(table)
        assert (report.incident.about, report.incident.game) == (table.host, table)
        named_things.rename(wish(table))
        kept = report.reported_names.get()
        assert (kept.kind, kept.key, kept.name) == ("table", table.code, "Rude name")

    def test_several_who_report_it_are_one_incident_and_once_is_enough(self, table: Game) -> None:
        for by in ("Felix", "Felix", "Gina"):
            self.report(table, by)
        incident = annotate_reports(Incident.objects.all()).get()
        assert incident.reported == 2  # type: ignore[attr-defined]

    def test_not_of_a_private_table_that_one_does_not_see(self) -> None:
        with pytest.raises(Refused):
            self.report(make_table(name="Rude name", visibility="private"))

    def test_nobody_reports_their_own_table(self, table: Game) -> None:
        with pytest.raises(Refused):
            self.report(table, "Anna")

    def test_the_name_goes_with_the_evidence(self, table: Game) -> None:
        kept = self.report(table).reported_names.get()
        decide(Incident.objects.get(), now=NOW)
        evidence.forget_old(now=NOW + evidence.KEPT + timedelta(days=1))
        kept.refresh_from_db()
        assert kept.name == ""
