"""Tests of reports: permissions, grouping into incidents, and decisions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError

from accounts.services import close_account
from games import tables
from games.conduct import limits
from games.exceptions import Refused
from games.models import Game, Message, Notice, Room
from games.notices import delivery
from moderation.acts import messages, reports
from moderation.acts.reports import LONGEST_WORDS
from moderation.models import Evidence, Incident, IncidentAct, Report, Verdict
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns
from tests.moderation.reporting import decide, moderator, named, report, say

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def game() -> Game:
    return play_turns(make_game(seats=3), 4)


def refused(**sent: Any) -> str:
    with pytest.raises(Refused) as caught:
        report(**sent)
    return caught.value.code


class TestReporting:
    def test_what_several_report_of_one_person_in_one_game_is_one_incident(self, game: Game) -> None:
        first, second = report("Bruno", "Anna", game), report("Clara", "Anna", game, category="stalling")
        alone = report("Bruno", "Anna")
        assert first.incident == second.incident != alone.incident
        assert (first.incident.game, alone.incident.game) == (game, None)
        assert Incident.objects.count() == 2

    def test_the_second_click_is_the_first_one_again(self, game: Game) -> None:
        report(game=game)
        report(game=game)
        assert (Report.objects.count(), Evidence.objects.count()) == (1, 1)
        assert Report.objects.get().words == "Rude."

    def test_who_reports_it_again_adds_words_at_most(self, game: Game) -> None:
        report(game=game)
        report(game=game, words="And again.", category="thrown", now=NOW + DAY)
        known = Report.objects.get()
        assert (known.words, known.category, known.at) == ("Rude.\n\nAnd again.", "insults", NOW)
        assert refused(game=game, words="x" * LONGEST_WORDS) == "reported_already"

    def test_two_messages_are_two_reports_of_one_incident(self, game: Game) -> None:
        one, two = say(game, "Anna", "Fool!"), say(game, "Anna", "Fool again!")
        assert report(game=game, message=one).incident == report(game=game, message=two).incident
        report(game=game, message=two)
        assert Report.objects.count() == 2

    def test_what_was_decided_is_another_incident_when_it_happens_again(self, game: Game) -> None:
        before = report(game=game).incident
        decide(before)
        assert report(game=game).incident != before

    @pytest.mark.parametrize(
        ("sent", "code"),
        [
            ({"about": "Bruno"}, "report_self"),
            ({"category": "other", "words": " "}, "report_says_nothing"),
            ({"words": "x" * (LONGEST_WORDS + 1)}, "report_too_long"),
            ({"ply": 5}, "no_such_ply"),
            ({"ply": 0}, "no_such_ply"),
            ({"about": "Felix"}, "may_not_report"),
        ],
    )
    def test_what_is_refused(self, game: Game, sent: dict[str, Any], code: str) -> None:
        assert refused(game=game, **sent) == code
        assert not Incident.objects.exists()

    def test_programs_and_closed_accounts_are_not_reported(self) -> None:
        make_player("Robot", is_bot=True)
        close_account(player=make_player("Gustav"), now=NOW)
        assert refused(about="Robot") == "report_bot"
        gone = Incident.objects.model._meta.get_field("about").related_model.objects.get(closed=NOW)
        assert refused(about=gone.username) == "report_closed"

    def test_a_game_that_one_can_t_see_one_can_t_report(self) -> None:
        private = make_game(seats=2, visibility="private")
        assert refused(by="Emma", game=private) == "may_not_report"
        assert report("Bruno", "Anna", private).pk

    def test_what_spectators_say_a_player_can_t_report_before_the_end(self, game: Game) -> None:
        said = tables.say(game_id=game.pk, player=named("Emma"), text="Ha", now=NOW, room=Room.GALLERY)
        assert refused(about="Emma", game=game, message=said) == "may_not_report"
        assert report("Felix", "Emma", game, message=said).message == said

    def test_a_message_of_somebody_else_or_of_another_game_is_refused(self, game: Game) -> None:
        elsewhere = say(make_game(seats=3), "Anna", "Hm")
        assert refused(game=game, message=elsewhere) == "may_not_report"
        assert refused(about="Clara", game=game, message=say(game, "Anna", "Hm")) == "may_not_report"

    def test_finished_games_and_open_tables_can_be_reported(self, game: Game) -> None:
        table = make_table(seats=3)
        tables.cancel(game_id=table.pk, player=table.host, now=NOW)
        assert report(game=table).incident.game == table

    def test_ten_reports_a_day(self) -> None:
        for number in range(limits.get_maximum("reports")):
            report(about=f"Player{number}")
        assert refused(about="Anna", now=NOW + DAY / 2) == "too_many_reports"
        report(about="Player0", words="More words.", now=NOW + DAY / 2)
        assert report(about="Anna", now=NOW + DAY + timedelta(seconds=1)).pk
        assert report("Clara", "Anna").pk


class TestDeciding:
    def test_who_has_reported_is_told_and_nobody_else(self, game: Game) -> None:
        report("Bruno", "Anna", game)
        incident = report("Clara", "Anna", game, category="stalling").incident
        decide(incident, all_upheld=True)
        owed = Notice.objects.filter(kind="report")
        assert sorted(notice.recipient.username for notice in owed if notice.recipient) == ["Bruno", "Clara"]
        delivery.deliver_due(seconds=5)
        told = [sent for sent in mail.outbox if sent.subject == "Your report has been decided"]
        assert [sent.to for sent in told] == [["bruno@example.org"], ["clara@example.org"]]
        assert "Moderators agree" in told[0].body and "Seen." not in told[0].body

    def test_what_is_open_again_is_not_told(self, game: Game) -> None:
        incident = decide(report(game=game).incident)
        reports.reopen(incident_id=incident.pk, who=moderator(), remark="New facts.", now=NOW)
        delivery.deliver_due(seconds=5)
        assert Notice.objects.get(kind="report").why_dropped == "stale"

    def test_everything_is_in_its_log(self, game: Game) -> None:
        incident = report(game=game).incident
        reports.take(incident_id=incident.pk, who=moderator(), now=NOW)
        reports.take(incident_id=incident.pk, who=moderator(), now=NOW)
        decide(incident, "not_upheld")
        reports.reopen(incident_id=incident.pk, who=moderator("Nora"), remark="New facts.", now=NOW)
        decide(incident, "nothing", who="Nora")
        log = IncidentAct.objects.order_by("pk").values_list("kind", "who__username", "verdict", "remark")
        assert list(log) == [
            ("take", "Helen", "", ""),
            ("close", "Helen", "not_upheld", "Seen."),
            ("reopen", "Nora", "", "New facts."),
            ("close", "Nora", "nothing", "Seen."),
        ]

    def test_nobody_decides_what_concerns_them(self, game: Game) -> None:
        def tried(by: str, about: str, of: Game | None) -> str:
            with pytest.raises(Refused) as caught:
                decide(report(by, about, of).incident)
            return caught.value.code

        helen = moderator()
        playing = make_table(seats=2, now=NOW, host=helen)
        tables.sit(game_id=playing.pk, player=named("Bruno"), now=NOW)
        assert tried("Anna", "Helen", None) == "may_not_decide"
        assert tried("Helen", "Anna", None) == "recused"
        assert tried("Clara", "Bruno", playing) == "recused"
        for name in ("Emma", "Anna"):
            incident = report("Clara", "Bruno", game).incident
            with pytest.raises(Refused):
                reports.close(
                    incident_id=incident.pk, who=named(name), verdict=Verdict.UPHELD, remark="!", now=NOW
                )

    def test_what_was_closed_meanwhile_is_not_closed_again(self, game: Game) -> None:
        incident = decide(report(game=game).incident)
        with pytest.raises(Refused, match="since you opened"):
            decide(incident, "nothing", who="Nora")
        assert Incident.objects.get().verdict == "upheld"

    def test_two_incidents_of_the_same_are_never_open(self, game: Game) -> None:
        incident = decide(report(game=game).incident)
        report(game=game)
        with pytest.raises(Refused, match="again"):
            reports.reopen(incident_id=incident.pk, who=moderator(), remark="New facts.", now=NOW)
        assert not IncidentAct.objects.filter(kind="reopen").exists()

    def test_the_database_holds_it_too(self, game: Game) -> None:
        incident = report(game=game).incident
        with pytest.raises(IntegrityError), transaction.atomic():
            Incident.objects.create(about=incident.about, game=game, opened=NOW)
        with pytest.raises(IntegrityError), transaction.atomic():
            Incident.objects.filter(pk=incident.pk).update(
                closed=NOW, closed_by=incident.about, verdict="upheld"
            )
        with pytest.raises(IntegrityError), transaction.atomic():
            Report.objects.create(incident=incident, reporter=named("Bruno"), category="name", at=NOW)

    def test_its_log_stands(self, game: Game) -> None:
        decide(report(game=game).incident)
        act = IncidentAct.objects.get()
        with pytest.raises(TypeError):
            act.save()
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE moderation_incidentact SET remark = ''")


class TestMessages:
    def test_its_author_deletes_a_message_for_a_quarter_of_an_hour(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!")
        with pytest.raises(Refused, match="didn't write"):
            messages.delete_own(message_id=said.pk, player=named("Bruno"), now=NOW)
        with pytest.raises(Refused, match="too late"):
            messages.delete_own(message_id=said.pk, player=named("Anna"), now=NOW + timedelta(minutes=16))
        for minutes in (14, 30):  # the second click is the first one again
            messages.delete_own(
                message_id=said.pk, player=named("Anna"), now=NOW + timedelta(minutes=minutes)
            )
        said.refresh_from_db()
        assert (said.text, said.deleted_by) == ("", named("Anna"))
        assert Evidence.objects.get().found == {"copy": "Fool!"}

    def test_what_was_deleted_can_still_be_reported_as_it_was(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!")
        messages.delete_own(message_id=said.pk, player=named("Anna"), now=NOW)
        incident = report(game=game, message=Message.objects.get(pk=said.pk)).incident
        (line,) = incident.evidence.get().found["talk"]
        assert (line["text"], line["deleted"]) == ("Fool!", True)

    def test_a_moderator_deletes_what_was_reported_and_nothing_else(self, game: Game) -> None:
        said, beside = say(game, "Anna", "Fool!"), say(game, "Anna", "Hello")
        incident = report(game=game, message=said).incident

        def tried(message: Message, who: str) -> None:
            messages.delete_reported(
                message_id=message.pk, incident_id=incident.pk, who=moderator(who), now=NOW
            )

        with pytest.raises(Refused):
            tried(beside, "Helen")
        with pytest.raises(Refused):
            messages.delete_reported(message_id=said.pk, incident_id=incident.pk, who=named("Bruno"), now=NOW)
        tried(said, "Helen")
        tried(said, "Nora")
        said.refresh_from_db()
        assert (said.text, said.deleted_by) == ("", named("Helen"))
        assert IncidentAct.objects.get().message == said
        assert [line["text"] for line in incident.evidence.get().found["talk"]] == ["Fool!", "Hello"]


class TestClosedAccounts:
    def test_what_they_wrote_goes_when_it_is_decided(self, game: Game) -> None:
        decided, open = report("Bruno", "Anna", game), report("Bruno", "Clara", game)
        decide(decided.incident)
        close_account(player=named("Bruno"), now=NOW)
        decided.refresh_from_db()
        open.refresh_from_db()
        assert (decided.words, open.words) == ("", "Rude.")
        decide(open.incident)
        open.refresh_from_db()
        assert (open.words, open.category) == ("", "insults")

    def test_evidence_names_them_no_more(self) -> None:
        report(about="Gustav", category="name")
        assert Evidence.objects.get().found["name"] == "Gustav"
        close_account(player=named("Gustav"), now=NOW)
        assert not Evidence.objects.exists()
