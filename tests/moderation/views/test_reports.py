"""Tests of reporting on pages: forms, texts, and the moderators' desk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.conduct import limits
from games.models import Game, Message
from moderation.acts import reports
from moderation.acts.messages import OWN_FOR
from moderation.models import Evidence, Incident, IncidentAct, Report
from tests.games.factories import make_game, make_player, make_table, play_turns
from tests.games.play.deal_helpers import begin_game_of_deal, make_deal
from tests.html import Page
from tests.moderation.reporting import decide, moderator, named, report, say

pytestmark = pytest.mark.django_db
INSULT = {"category": "insults", "words": "Rude."}


@pytest.fixture
def game() -> Game:
    return play_turns(make_game(seats=3, now=timezone.now()), 6, now=timezone.now())


def of_game(game: Game, query: str = "") -> str:
    return reverse("moderation:report_game", args=[game.code]) + query


def of_message(message: Message) -> str:
    return reverse("moderation:report_message", args=[message.game.code, message.pk])


def of_person(name: str) -> str:
    return reverse("moderation:report_player", args=[name])


def at_desk(incident: Incident, act: str = "") -> str:
    if act:
        return reverse("moderation:incident_act", args=[incident.pk, act])
    return reverse("moderation:desk_incident", args=[incident.pk])


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(moderator(name) if name in ("Helen", "Nora") else named(name))
    return client


def errors(answer: Any) -> list[str]:
    return Page(answer).texts(".errorlist li")


class TestForms:
    def test_each_category_is_explained(self, game: Game) -> None:
        page = Page(signed_in("Bruno").get(of_person("Anna")))
        labels = page.texts("[name=category]") and page.texts(".field.choices label")
        assert labels[0] == "Stalling Uses up all their time on purpose, for example when losing."
        assert len(labels) == 8 and not page.has("[name=about], [name=ply]")

    def test_a_game_asks_about_whom_and_which_turn(self, game: Game) -> None:
        make_player("Robot", is_bot=True)
        page = Page(signed_in("Bruno").get(of_game(game, "?ply=3")))
        anna, clara = named("Anna"), named("Clara")
        assert page.values("[name=about]") == [str(anna.pk), str(clara.pk)]
        assert page.values("[name=ply]") == ["3"]

    def test_what_is_sent_is_reported_and_thanks_say_what_comes_next(self, game: Game) -> None:
        client = signed_in("Bruno")
        answer = client.post(of_game(game), {**INSULT, "about": named("Anna").pk, "ply": 4})
        assert answer.url == reverse("games:table", args=[game.code])
        assert "We'll email you" in Page(client.get(answer.url)).text("#messages .message")
        known = Report.objects.get()
        assert (known.reporter, known.incident.about, known.incident.game, known.ply) == (
            named("Bruno"),
            named("Anna"),
            game,
            4,
        )

    @pytest.mark.parametrize(
        "sent",
        [
            {},
            {"category": "nonsense"},
            {"category": "other"},
            {**INSULT, "words": "x" * 1001},
            {**INSULT, "ply": 7},
            {**INSULT, "about": "0"},
            {**INSULT, "about": "nonsense"},
        ],
    )
    def test_what_is_wrong_is_said_in_words(self, game: Game, sent: dict[str, Any]) -> None:
        answer = signed_in("Bruno").post(of_game(game), {"about": named("Anna").pk, **sent})
        assert answer.status_code == 200 and errors(answer)
        assert not Report.objects.exists()

    def test_the_eleventh_of_a_day_is_too_many(self) -> None:
        for number in range(limits.get_maximum("reports")):
            report(about=f"Player{number}", now=timezone.now())
        named("Anna")
        answer = signed_in("Bruno").post(of_person("Anna"), INSULT)
        assert answer.status_code == 429
        assert errors(answer) == ["That's a lot of reports for one day. Please wait until tomorrow."]

    def test_nobody_is_to_be_reported_where_only_programs_sit(self) -> None:
        game = make_game(seats=2, bots=1, now=timezone.now())
        page = Page(signed_in("Anna").get(of_game(game)))
        assert not page.has("form.report") and "nobody here" in page.text(".narrow")

    def test_one_can_t_report_oneself_and_strangers_sign_in(self, game: Game) -> None:
        assert errors(signed_in("Anna").post(of_person("Anna"), INSULT)) == ["You can't report yourself."]
        for address in (of_person("Anna"), of_game(game)):
            assert Client().get(address).status_code == 302
        private = make_game(seats=2, visibility="private", now=timezone.now())
        assert signed_in("Felix").get(of_game(private)).status_code == 404
        assert signed_in("Felix").get(of_message(say(private, "Anna", "Hm"))).status_code == 404

    def test_a_deleted_message_is_not_quoted(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!", timezone.now())
        signed_in("Anna").post(reverse("moderation:delete_message", args=[game.code, said.pk]))
        page = Page(signed_in("Bruno").get(of_message(said)))
        assert not page.has("blockquote") and not page.mentions("Fool!") and page.has("form.report")

    def test_a_message_is_quoted(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!")
        client = signed_in("Bruno")
        assert Page(client.get(of_message(said))).text("blockquote p") == "Fool!"
        assert client.post(of_message(said), INSULT).url.endswith("#talk")
        assert Report.objects.get().message == said


class TestTalk:
    def links(self, game: Game, name: str) -> list[str]:
        page = Page(signed_in(name).get(reverse("games:table", args=[game.code])))
        return page.links("#talk .aside")

    def test_each_message_of_others_has_a_link_and_one_s_own_for_a_while(self, game: Game) -> None:
        now = timezone.now()
        old = say(game, "Anna", "Hello", now - OWN_FOR - timedelta(minutes=1))
        new = say(game, "Anna", "Fool!", now)
        delete = reverse("moderation:delete_message", args=[game.code, new.pk])
        assert self.links(game, "Bruno") == [of_message(old), of_message(new)]
        assert self.links(game, "Anna") == [delete]
        assert not Page(Client().get(reverse("games:table", args=[game.code]))).has("#talk .aside")

    def test_a_message_is_deleted_once_one_has_said_so(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!", timezone.now())
        delete = reverse("moderation:delete_message", args=[game.code, said.pk])
        client = signed_in("Anna")
        assert Page(client.get(delete)).text("blockquote p") == "Fool!"
        assert client.post(delete).status_code == 302
        board = Page(client.get(reverse("games:table", args=[game.code])))
        assert "This message was deleted." in board.text("#talk ol li") and not board.mentions("Fool!")
        assert signed_in("Bruno").get(delete).status_code == 404

    def test_it_is_too_late_after_a_quarter_of_an_hour(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!", timezone.now() - OWN_FOR - timedelta(minutes=1))
        client = signed_in("Anna")
        client.post(reverse("moderation:delete_message", args=[game.code, said.pk]))
        board = Page(client.get(reverse("games:table", args=[game.code])))
        assert board.texts("#messages .message") == ["It's too late to delete this message."]
        assert Message.objects.get().text == "Fool!"


class TestLinks:
    def test_players_and_games_lead_there(self, game: Game) -> None:
        client = signed_in("Bruno")
        assert Page(client.get(reverse("games:player", args=["Anna"]))).link("Report") == of_person("Anna")
        board = Page(client.get(reverse("games:table", args=[game.code])))
        assert board.link("Report someone") == of_game(game)
        table = make_table(seats=3, now=timezone.now())
        waiting = Page(client.get(reverse("games:table", args=[table.code])))
        assert waiting.link("Report someone") == of_game(table)
        own = Page(client.get(reverse("games:player", args=["Bruno"])))
        assert "Report" not in own.texts("#content a")


def seen(incident: Incident, **more: Any) -> dict[str, Any]:
    """The data that a form of *incident* sends, with its version."""
    return {"version": reports.load_version(incident), **more}


class TestQueue:
    def waiting(self, name: str) -> Sequence[str]:
        page = Page(signed_in(name).get(reverse("moderation:desk")))
        return page.texts("section[aria-labelledby=reports] .desk-lines a")

    def test_the_oldest_comes_first_with_the_number_of_reports(self, game: Game) -> None:
        now = timezone.now()
        report("Bruno", "Anna", game, now=now - timedelta(hours=1))
        report("Clara", "Anna", game, category="thrown", now=now)
        report("Anna", "Felix", category="name", now=now - timedelta(hours=2))
        decide(report("Anna", "Emma").incident)
        assert self.waiting("Helen") == ["Felix: name (1 report)", "Anna: insults (2 reports)"]

    def test_it_does_not_show_moderators_what_concerns_them(self, game: Game) -> None:
        helen = moderator()
        playing = make_table(seats=2, host=helen, now=timezone.now())
        report("Anna", "Helen")
        report("Helen", "Anna")
        report("Anna", "Helen", playing)
        assert self.waiting("Helen") == []
        assert len(self.waiting("Nora")) == 3

    def test_it_says_who_looks_at_it(self) -> None:
        incident = report().incident
        signed_in("Helen").post(at_desk(incident, "take"), seen(incident))
        assert self.waiting("Nora") == ["Anna: insults (1 report), Helen is looking at it"]


class TestIncident:
    def test_it_shows_what_was_reported_and_the_evidence(self, game: Game) -> None:
        said = say(game, "Anna", "Fool!")
        report("Clara", "Anna", game, ply=5, words="Look at turn five.")
        incident = report("Bruno", "Anna", game, message=said).incident
        page = Page(signed_in("Helen").get(at_desk(incident)))
        assert page.text("h1") == f"Reports about Anna in {game.name}"
        assert page.texts("section[aria-labelledby=reports] blockquote") == ["Fool!"]
        packs = page.all("details.evidence")
        assert len(packs) == 2 and page.has(".evidence li.reported") and page.has("svg.board")
        assert reverse("games:ply", args=[game.code, 6]) in page.links()
        assert reverse("moderation:desk_game", args=[game.code]) in page.links()
        assert reverse("moderation:desk_person", args=["Anna"]) in page.links()
        assert "Turn 5" in page.texts("section[aria-labelledby=reports] span")

    def test_the_record_of_reporters_and_of_the_reported(self, game: Game) -> None:
        decide(report("Bruno", "Anna").incident)
        decide(report("Bruno", "Clara").incident, "not_upheld")
        page = Page(signed_in("Helen").get(at_desk(report("Bruno", "Anna", game).incident)))
        assert page.texts("section[aria-labelledby=reports] .muted") == ["Decided: 2, upheld: 1"]
        assert page.texts("section[aria-labelledby=earlier] a") == ["insults · 1 report · upheld"]

    def test_other_incidents_are_those_that_do_not_concern_the_moderator(self, game: Game) -> None:
        def seen_by(name: str) -> Sequence[str]:
            page = Page(signed_in(moderator(name).username).get(at_desk(incident)))
            return page.texts("section[aria-labelledby=earlier] a")

        incident, deal = report("Bruno", "Anna", game).incident, make_deal()
        hidden = begin_game_of_deal(deal, "Anna", "Bruno")
        begin_game_of_deal(deal, "Clara", moderator().username)  # who must not know of the other one
        report("Bruno", "Anna", hidden)
        assert seen_by("Nora") == [f"{hidden.name} · insults · 1 report · open"]
        assert seen_by("Helen") == []

    def test_it_leads_to_warning_somebody_for_it(self, game: Game) -> None:
        made = report(game=game).incident
        helen = signed_in("Helen")
        warn = next(link for link in Page(helen.get(at_desk(made))).links("a.button") if "/warn/" in link)
        assert warn.startswith(reverse("moderation:sanction", args=[made.about.username, "warn"]))
        assert Page(helen.get(warn)).one("[name=about]")["value"] == f"incident {made.pk}"

    def test_it_is_closed_and_opened_again(self, game: Game) -> None:
        incident, client = report(game=game).incident, signed_in("Helen")
        assert errors(client.post(at_desk(incident, "close"), seen(incident, verdict="upheld")))
        assert (
            client.post(at_desk(incident, "close"), {"verdict": "upheld", "remark": "!"}).status_code == 200
        )
        sent = seen(incident, verdict="upheld", remark="Seen.")
        assert client.post(at_desk(incident, "close"), sent).status_code == 302
        page = Page(client.get(at_desk(incident)))
        assert page.text(".ways-out strong") == "upheld" and not page.has("[name=verdict]")
        client.post(at_desk(incident, "close"), sent)
        assert IncidentAct.objects.count() == 1
        client.post(at_desk(incident, "close"), {**sent, "remark": "Once more."})
        assert Page(client.get(at_desk(incident))).has("#messages .error")
        client.post(at_desk(incident, "reopen"), seen(incident, remark="New facts."))
        assert Page(client.get(at_desk(incident))).has("[name=verdict]")
        assert client.post(at_desk(incident, "nonsense")).status_code == 404

    def test_a_reported_message_is_deleted_from_it_and_stays_in_the_evidence(self, game: Game) -> None:
        said, beside = say(game, "Anna", "Fool!"), say(game, "Anna", "Hello")
        incident, client = report(game=game, message=said).incident, signed_in("Helen")
        for nothing in (beside.pk, "nonsense", 10**30, ""):
            assert (
                client.post(at_desk(incident, "delete"), seen(incident, message=nothing)).status_code == 404
            )
        client.post(at_desk(incident, "delete"), seen(incident, message=said.pk))
        page = Page(client.get(at_desk(incident)))
        assert page.text("section[aria-labelledby=reports] blockquote") == "This message was deleted."
        assert page.text(".evidence li.reported p:nth-of-type(2)") == "Fool!"
        assert not page.has("[name=message]")

    @pytest.mark.parametrize("name", ["Anna", "Felix", "Nora"])
    def test_it_is_for_moderators_whom_it_does_not_concern(self, game: Game, name: str) -> None:
        moderator("Nora")
        incident = report("Nora" if name == "Nora" else "Bruno", "Anna", game).incident
        client = signed_in(name)
        assert client.get(at_desk(incident)).status_code == 403
        assert client.post(at_desk(incident, "take"), seen(incident)).status_code == 403
        assert signed_in("Helen").get(at_desk(incident)).status_code == 200
        assert signed_in("Helen").get(reverse("moderation:desk_incident", args=[10**30])).status_code == 404

    def test_what_was_forgotten_is_said(self, game: Game) -> None:
        incident = decide(report(game=game).incident)
        Evidence.objects.all().forget()
        page = Page(signed_in("Helen").get(at_desk(incident)))
        assert "We deleted it" in page.text("section[aria-labelledby=evidence] > p:last-child")

    def test_private_games_and_those_that_never_began_show_what_there_is(self) -> None:
        now = timezone.now()
        private = play_turns(make_game(seats=2, visibility="private", now=now), 3, now=now)
        page = Page(signed_in("Helen").get(at_desk(report(game=private).incident)))
        assert page.has("svg.board") and reverse("games:ply", args=[private.code, 3]) not in page.links()
        table = make_table(seats=2, now=now)
        page = Page(signed_in("Helen").get(at_desk(report(game=table).incident)))
        assert page.has(".evidence") and not page.has("svg.board")

    def test_hands_that_are_hidden_stay_hidden(self) -> None:
        now = timezone.now()
        hidden = {"first_player": "creator", "hand": "three_hidden"}
        game = play_turns(make_game(seats=2, options=hidden, now=now), 5, now=now)
        page = Page(signed_in("Helen").get(at_desk(report(game=game).incident)))
        drawn = [event for move in game.moves.filter(action__type="draw") for event in move.events]
        held = {event["tile"] for event in drawn if "tile" in event} - {
            event["tile"] for move in game.moves.all() for event in move.events if event["type"] == "placed"
        }
        assert held and not any(page.mentions(tile) for tile in held)


class TestPrivateTalk:
    @pytest.fixture
    def private(self) -> Game:
        now = timezone.now()
        return play_turns(make_game(seats=2, visibility="private", now=now), 3, now=now)

    def test_at_the_desk_moderators_read_what_was_reported_of_it(self, private: Game, game: Game) -> None:
        for one in (private, game):
            report(game=one, message=say(one, "Anna", "Fool!"))
            say(one, "Bruno", "Secrets")

        def read(game: Game) -> list[str]:
            page = Page(signed_in("Helen").get(reverse("moderation:desk_game", args=[game.code])))
            return page.texts("section[aria-labelledby=talk] li p:nth-of-type(2)")

        assert read(private) == ["Fool!"]
        assert read(game) == ["Secrets", "Fool!"]

    def test_the_admin_shows_the_same(self, private: Game) -> None:
        said = say(private, "Anna", "Fool!")
        say(private, "Bruno", "Secrets")
        report(game=private, message=said)
        client = signed_in("Helen")
        page = Page(client.get(reverse("admin:games_message_changelist")))
        assert page.texts(".field-text") == ["Fool!"]


class TestCosts:
    @pytest.mark.parametrize("more", [0, 30])
    def test_the_desk_and_an_incident_cost_the_same_however_much_there_is(
        self, game: Game, more: int, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        now = timezone.now()
        said = [say(game, "Anna", f"Line {number}") for number in range(3)]
        report("Clara", "Anna", game, message=said[0], now=now)
        incident = report("Bruno", "Anna", game, message=said[1], now=now).incident
        for number in range(more):
            report(f"Player{number}", "Anna", game, message=said[2], now=now)
            decide(report(f"Player{number}", "Anna", now=now).incident, now=now)
            report("Bruno" if number < 5 else f"Player{number}", f"Player{number + 1}", now=now)
        client = signed_in("Helen")
        client.get(reverse("moderation:desk"))
        with django_assert_max_num_queries(24):
            assert client.get(reverse("moderation:desk")).status_code == 200
        with django_assert_max_num_queries(24):
            page = Page(client.get(at_desk(incident)))
        assert len(page.all("section[aria-labelledby=reports] li")) == min(20, 2 + more)
