"""Tests of a person at the desk: notes, search, sanctions in force, names, texts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import acts
from accounts.models import AccountActKind, Player
from games.models import Game, Sanction, SanctionKind
from games.play import moderation
from moderation.acts import moderator_notes, named_things, sanctions
from moderation.acts.named_things import RenameRequest
from moderation.models import Incident, ModeratorNote, NameChange, ReportedName, SignalKind, WarningTemplate
from moderation.selectors import desk_search
from tests.games.factories import copy_game, make_game, make_player, make_table, play_turns
from tests.games.play.moderating import asked
from tests.html import Page
from tests.moderation.fair_play.making import make_signal
from tests.moderation.reporting import decide, report, say
from tests.moderation.sanctioning import moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def mira(client: Client) -> Player:
    player = moderator()
    client.force_login(player)
    return player


@pytest.fixture
def game(now: datetime) -> Game:
    """A game of Anna, Bruno and Clara."""
    return play_turns(make_game(seats=3, now=now), 6, now=now)


def person(name: str) -> str:
    return reverse("moderation:desk_person", args=[name])


def renamed(player: Player, name: str, now: datetime) -> Player:
    """Rename *player* to *name*, as an administrator does."""
    root = Player.objects.filter(username="Greta").first() or make_player(
        "Greta", is_staff=True, is_superuser=True
    )
    acts.record(
        AccountActKind.CHANGE,
        actor=root,
        player=player,
        why="Asked for it.",
        now=now,
        before={"username": player.username},
        after={"username": name},
    )
    player.username = name
    player.save()
    return player


class TestPerson:
    def test_shows_cases_signals_age_notes_sanctions_and_appeals(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        anna = game.host
        Player.objects.filter(pk=anna.pk).update(date_joined=now - 40 * DAY)
        report(by="Bruno", about="Anna", game=game)
        report(by="Anna", about="Clara", game=game)
        make_signal(game, SignalKind.DEVICE)
        past = mute(anna, now - 20 * DAY)
        sanctions.appeal(sanction_id=past.pk, player=anna, words="It was my cat.", now=now - 19 * DAY)
        current = suspend(anna, now)
        moderator_notes.write(player=anna, author=moderator("Mona"), text="Is sorry.", now=now)
        page = Page(client.get(person("Anna")))
        assert page.facts(".desk-facts")["Age of the account"].startswith("1 month, 1 week, since ")
        about, by = (page.links(f"section[aria-labelledby={part}] a[href]") for part in ("about", "reported"))
        first, second = Incident.objects.order_by("pk")
        assert about == [reverse("moderation:desk_incident", args=[first.pk])]
        assert by == [reverse("moderation:desk_incident", args=[second.pk])]
        assert len(page.links("section[aria-labelledby=signals] a[href]")) == 1
        for part, sanction in (("in-force", current), ("past", past), ("appeals", past)):
            shown = page.links(f"section[aria-labelledby={part}] a[href]")
            assert shown == [reverse("moderation:desk_sanction", args=[sanction.pk])], part
        notes = page.text("section[aria-labelledby=notes] .desk-log")
        assert "Is sorry." in notes and "Mona" in notes

    def test_what_concerns_the_moderator_is_not_there(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        report(by="Mira", about="Anna")
        report(by="Anna", about="Mira")
        seat = game.seats.get(index=1)
        seat.player = mira
        seat.save(update_fields=["player"])
        make_signal(game, SignalKind.DEVICE)
        page = Page(client.get(person("Anna")))
        for part in ("about", "reported", "signals"):
            assert page.links(f"section[aria-labelledby={part}] a[href]") == []
        assert client.get(person("Mira")).status_code == 403

    def test_former_names_and_changed_names(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        renamed(game.host, "Agatha", now)
        thing = named_things.find("table", game.code)
        assert thing is not None
        named_things.rename(RenameRequest(thing, mira, "Albi", "It offends.", thing.name, now))
        page = Page(client.get(person("Agatha")))
        assert page.facts(".desk-facts")["Former names"] == "Anna"
        assert thing.name in page.text("section[aria-labelledby=names]")

    def test_costs_the_same_however_much_there_is(
        self,
        client: Client,
        mira: Player,
        game: Game,
        now: datetime,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        anna = game.host
        for n in range(25):
            moderator_notes.write(player=anna, author=mira, text=f"Note {n}.", now=now)
        for more in range(5):
            mute(anna, now, days=7 + more, again=True)
        for other in copy_game(game, 5):
            report(by="Bruno", about="Anna", game=other)
            report(by="Anna", about="Bruno", game=other)
        for kind in (SignalKind.DEVICE, SignalKind.NETWORK, SignalKind.STALLING):
            make_signal(game, kind)
        with django_assert_max_num_queries(20):
            page = Page(client.get(person("Anna")))
        assert len(page.all("section[aria-labelledby=notes] .desk-log > li")) == 20
        assert "There are older ones." in page.text("section[aria-labelledby=notes]")

    def test_a_report_has_its_own_verdict(self, client: Client, mira: Player, game: Game) -> None:
        upheld = report("Bruno", "Anna", game)
        report("Clara", "Anna", game)
        decide(upheld.incident, upheld=[upheld.pk])
        for name, verdict in (("Bruno", "upheld"), ("Clara", "not upheld")):
            lines = Page(client.get(person(name))).texts("section[aria-labelledby=reported] li")
            assert [line.startswith(f"Anna: insults {verdict} ") for line in lines] == [True], lines

    @pytest.mark.parametrize("shown", ["1:22:3", "1:" + ":".join(["1234"] * 400)])
    def test_games_that_no_preview_has_shown_are_refused_at_once(
        self, client: Client, mira: Player, game: Game, shown: str
    ) -> None:
        sent = {"what": "pause", "reason": "Why.", "shown": shown, "confirmed": "yes"}
        page = Page(client.post(person("Anna"), sent))
        assert "Look at the games first." in page.text(".errorlist")


class TestNotes:
    def test_a_note_is_added_and_players_never_read_it(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        address = reverse("moderation:desk_note", args=["Anna"])
        client.post(address, {"text": "Shouts at beginners."})
        client.post(address, {"text": "Shouts at beginners."})
        assert ModeratorNote.objects.get().author == mira
        assert "Shouts" in Page(client.get(person("Anna"))).text("#notes ~ ol")
        client.force_login(game.host)
        assert client.get(person("Anna")).status_code == 403
        assert client.post(address, {"text": "I am nice."}).status_code == 403
        for shown in (reverse("games:player", args=["Anna"]), reverse("moderation:conduct")):
            assert "Shouts" not in Page(client.get(shown)).text("body")

    def test_none_about_oneself_and_none_that_is_empty(
        self, client: Client, mira: Player, game: Game
    ) -> None:
        client.post(reverse("moderation:desk_note", args=["Anna"]), {"text": " "})
        assert (
            client.post(reverse("moderation:desk_note", args=["Mira"]), {"text": "Nice."}).status_code == 403
        )
        assert not ModeratorNote.objects.exists()


def search(client: Client, text: str, **more: Any) -> dict[str, list[str]]:
    """The URLs that are found, by kind."""
    page = Page(client.get(reverse("moderation:desk_search"), {"q": text, **more}))
    sections = page.all("main section[aria-labelledby]")
    return {str(section["aria-labelledby"]): Page(str(section)).links("li a[href]") for section in sections}


class TestSearch:
    def test_people_by_their_names_now_and_before(self, client: Client, mira: Player, now: datetime) -> None:
        renamed(make_player("Zorro"), "Ludwig", now)
        make_player("Lukas")
        assert search(client, "lu")["people"] == [person("Ludwig"), person("Lukas")]
        assert search(client, "ZORR")["people"] == [person("Ludwig")]

    def test_games_by_code_and_by_a_part_of_the_name(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        game = play_turns(make_game(seats=2, now=now, name="Foix by the river"), 1, now=now)
        url = reverse("moderation:desk_game", args=[game.code])
        for text in (game.code, game.code.upper(), "BY THE"):
            assert search(client, text)["games"] == [url], text

    def test_words_in_reports_reported_messages_reasons_appeals_and_notes(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        private = play_turns(make_game(seats=3, visibility="private", now=now), 1, now=now)
        say(private, "Anna", "An aardvark nobody has reported", now)
        message = say(private, "Anna", "You are a wombat", now)
        report(by="Bruno", about="Anna", game=private, message=message, words="He said a platypus")
        decide(Incident.objects.get(), now=now)
        sanction = mute(game.host, now, reason="Said numbat twice.")
        sanctions.appeal(sanction_id=sanction.pk, player=game.host, words="It was a quokka.", now=now)
        moderation.pause(asked(game, mira, now, reason="A bandicoot."))
        moderator_notes.write(player=game.host, author=mira, text="Likes an echidna.", now=now)
        case = [reverse("moderation:desk_incident", args=[Incident.objects.get().pk])]
        for text, kind, found in (
            ("wombat", "reports", case),
            ("PLATYPUS", "reports", case),
            ("numbat", "sanctions", [reverse("moderation:desk_sanction", args=[sanction.pk])]),
            ("quokka", "sanctions", [reverse("moderation:desk_sanction", args=[sanction.pk])]),
            ("bandicoot", "acts", [reverse("moderation:desk_game", args=[game.code])]),
            ("echidna", "notes", [person("Anna") + "#notes"]),
        ):
            assert search(client, text)[kind] == found, text
        assert not any(search(client, "aardvark").values())

    def test_nothing_that_concerns_the_moderator(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        report(by="Bruno", about="Mira", words="A wombat.")
        report(by="Mira", about="Anna", words="A wombat, too.")
        root = make_player("Greta", is_staff=True, is_superuser=True)
        sanctions.impose(
            SanctionKind.WARNING, sanctions.SanctionRequest(mira, root, "A wombat.", now, template="insults")
        )
        ModeratorNote.objects.create(player=mira, author=root, at=now, text="A wombat.")
        seat = game.seats.get(index=1)
        seat.player = mira
        seat.save(update_fields=["player"])
        moderation.pause(asked(game, root, now, reason="A wombat."))
        assert not any(search(client, "wombat").values())
        assert not any(search(client, game.code).values())

    def test_page_by_page_in_few_queries(
        self,
        client: Client,
        mira: Player,
        game: Game,
        now: datetime,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for number in range(desk_search.A_PAGE + 5):
            make_player(f"Lu{number:03}")
        with django_assert_max_num_queries(14):
            page = Page(client.get(reverse("moderation:desk_search"), {"q": "lu"}))
        further = page.links("nav[aria-label=Players] a[rel=next]")
        assert parse_qs(urlsplit(further[0]).query) == {"q": ["lu"], "in": ["people"], "page": ["2"]}
        assert search(client, "lu", **{"in": "people", "page": 2})["people"] == [
            person(f"Lu{number:03}") for number in range(desk_search.A_PAGE, desk_search.A_PAGE + 5)
        ]

    @pytest.mark.parametrize("asked_for", ["", "0", "-3", "x", "٣", "9" * 30])
    def test_a_page_that_makes_no_sense_is_the_first(
        self, client: Client, mira: Player, asked_for: str
    ) -> None:
        make_player("Lukas")
        assert search(client, "lu", **{"in": "people", "page": asked_for})["people"] == [person("Lukas")]

    @pytest.mark.parametrize("text", ["", " ", "%", "\0", "x" * 300, "'; --", "\u202e"])
    def test_hostile_texts_find_nothing(self, client: Client, mira: Player, text: str) -> None:
        make_player("Lukas")
        assert not any(search(client, text).values())


class TestInForce:
    def test_what_ends_first_comes_first_and_what_is_over_does_not_come(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        anna, bruno, clara, dora = (make_player(name) for name in ("Anna", "Bruno", "Clara", "Dora"))
        late, soon = suspend(anna, now, days=9), mute(bruno, now, days=2)
        unread = warned(clara, now)
        mute(dora, now - 9 * DAY, days=2)
        sanctions.lift(sanction_id=mute(dora, now).pk, who=mira, why="A mistake.", now=now)
        page = Page(client.get(reverse("moderation:desk_in_force")))
        links = page.links("section[aria-labelledby=sanctions] li a[href*=sanctions]")
        assert links == [reverse("moderation:desk_sanction", args=[one.pk]) for one in (soon, late, unread)]

    def test_games_that_are_stopped(self, client: Client, mira: Player, now: datetime) -> None:
        forever, until, over, going, resumed = (make_game(seats=3, now=now - DAY) for _ in range(5))
        moderation.pause(asked(forever, mira, now))
        moderation.pause(asked(until, mira, now), now + DAY)
        moderation.pause(asked(over, mira, now - 5 * timedelta(hours=1)), now - timedelta(hours=1))
        moderation.pause(asked(resumed, mira, now))
        moderation.resume(asked(resumed, mira, now))
        page = Page(client.get(reverse("moderation:desk_in_force")))
        shown = page.links("section[aria-labelledby=stopped] li a[href]")
        assert shown == [reverse("moderation:desk_game", args=[one.code]) for one in (until, forever)]
        assert going.code not in str(shown)

    def test_a_stopped_game_in_which_the_moderator_was_replaced_is_left_to_others(
        self, client: Client, mira: Player, game: Game, now: datetime
    ) -> None:
        for sitting in (mira, make_player("Emma")):
            moderation.replace(asked(game, moderator("Mona"), now), 0, sitting)
        moderation.pause(asked(game, moderator("Mona"), now))
        page = Page(client.get(reverse("moderation:desk_in_force")))
        assert not page.has("section[aria-labelledby=stopped] li a")

    def test_page_by_page_in_few_queries(
        self,
        client: Client,
        mira: Player,
        now: datetime,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        anna = make_player("Anna")
        made = [mute(anna, now, days=2 + n, again=True) for n in range(55)]
        with django_assert_max_num_queries(10):
            page = Page(client.get(reverse("moderation:desk_in_force")))
        assert len(page.all("section[aria-labelledby=sanctions] li")) == 50
        second = Page(client.get(reverse("moderation:desk_in_force") + page.links("a[rel=next]")[0]))
        assert len(second.all("section[aria-labelledby=sanctions] li")) == len(made) - 50


class TestNames:
    def test_a_rename_is_shown_before_and_done_when_confirmed(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        table = make_table(name="Rude name", now=now)
        address = reverse("moderation:desk_rename", args=["table", table.code])
        sent = {"name": "Albi", "reason": "It offends.", "before": "Rude name"}
        shown = Page(client.post(address, sent))
        assert "“Rude name” becomes “Albi”." in shown.text("form.act")
        assert "Anna" in shown.text("form.act") and not NameChange.objects.exists()
        client.post(address, sent | {"confirmed": "yes"})
        table.refresh_from_db()
        assert table.name == "Albi"

    def test_a_page_that_was_overtaken_is_shown_anew(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        table = make_table(name="Foix", now=now)
        address = reverse("moderation:desk_rename", args=["table", table.code])
        page = Page(
            client.post(
                address, {"name": "Albi", "reason": "Why.", "before": "Rude name", "confirmed": "yes"}
            )
        )
        assert "Someone has changed this name" in page.text(".errorlist")
        assert page.values("input[name=before]") == ["Foix"]

    def test_is_not_for_players_nor_for_whom_it_concerns(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        own = make_table(host=mira, now=now)
        table = make_table(now=now)
        assert client.get(reverse("moderation:desk_rename", args=["table", own.code])).status_code == 403
        assert client.get(reverse("moderation:desk_rename", args=["table", "nonsense"])).status_code == 404
        assert client.get(reverse("moderation:desk_rename", args=["ship", "1"])).status_code == 404
        client.force_login(table.host)
        assert client.get(reverse("moderation:desk_rename", args=["table", table.code])).status_code == 403

    def test_players_report_a_name_and_the_case_leads_to_another_one(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        table = make_table(name="Rude name", now=now)
        address = reverse("moderation:report_name", args=["table", table.code])
        client.force_login(make_player("Felix"))
        assert (
            Page(client.get(reverse("moderation:report_game", args=[table.code]))).link(
                "Report the name of the table"
            )
            == address
        )
        assert client.post(address, {"words": "It offends."}).status_code == 302
        assert ReportedName.objects.get().name == "Rude name"
        client.force_login(mira)
        page = Page(client.get(reverse("moderation:desk_incident", args=[Incident.objects.get().pk])))
        assert page.link("Rename") == reverse("moderation:desk_rename", args=["table", table.code])

    def test_a_private_table_can_be_reported_by_nobody_who_does_not_see_it(
        self, client: Client, now: datetime
    ) -> None:
        table = make_table(visibility="private", now=now)
        client.force_login(make_player("Felix"))
        assert client.get(reverse("moderation:report_name", args=["table", table.code])).status_code == 404


class TestTexts:
    def test_a_text_is_changed_and_what_was_sent_stays(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        sent = warned(make_player("Anna"), now)
        address = reverse("moderation:desk_template", args=["insults"])
        page = Page(client.get(address))
        fields = {
            str(element["name"]): element.get("value") or element.text
            for element in page.all("form.act [name]")
        }
        fields = {name: str(value).strip() for name, value in fields.items()}
        client.post(address, fields | {"text_en": "Stop it."})
        row = WarningTemplate.objects.get()
        assert (row.name, row.language, row.text, row.who) == ("insults", "en", "Stop it.", mira)
        shown = Page(client.get(reverse("moderation:desk_sanction", args=[sent.pk])))
        assert "real table" in shown.text(".note")
        make_player("Bruno")
        data = {"reason": "Again.", "template": "insults", "version": "0"}
        form = Page(client.post(reverse("moderation:sanction", args=["Bruno", "warn"]), data))
        assert form.texts(".note")[0] == "Stop it."

    def test_a_new_text_is_offered_to_all_moderators(
        self, client: Client, mira: Player, now: datetime
    ) -> None:
        address = reverse("moderation:desk_new_template")
        sent = {"name": "late-resign", "seen": "0", "title_en": "Late", "text_en": "Resign earlier."}
        assert client.post(address, sent).status_code == 302
        assert "Someone has changed" in Page(client.post(address, sent)).text(".errorlist")
        make_player("Anna")
        page = Page(client.get(reverse("moderation:sanction", args=["Anna", "warn"])))
        assert "late-resign" in page.values("select[name=template] option")
        made = client.post(
            reverse("moderation:sanction", args=["Anna", "warn"]),
            {"reason": "Twice.", "template": "late-resign", "confirmed": "yes", "version": "0"},
        )
        assert made.status_code == 302
        assert Sanction.objects.get().texts == {"en": "Resign earlier."}

    def test_is_for_moderators(self, client: Client) -> None:
        client.force_login(make_player("Anna"))
        for name, args in (
            ("desk_templates", []),
            ("desk_new_template", []),
            ("desk_template", ["insults"]),
            ("desk_search", []),
            ("desk_in_force", []),
        ):
            assert client.get(reverse(f"moderation:{name}", args=args)).status_code == 403, name
        client.force_login(moderator())
        assert client.get(reverse("moderation:desk_template", args=["nonsense"])).status_code == 404
