"""Tests of every hostile text in every field and every output: refused with a reason, or shown inertly."""

from __future__ import annotations

import csv
import io
import json
import logging
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from email import message_from_bytes, policy
from functools import partial
from typing import Any
from unicodedata import normalize
from xml.etree import ElementTree

import pytest
from confusable_homoglyphs.confusables import confusables_data
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from accounts import names, texts
from accounts.forms import SignupForm
from accounts.models import Player
from accounts.texts import KINDS, TextField
from carcassonne.logs import JsonLines, PlainLines
from core.outputs import clean_for_calendar, clean_for_cell, clean_for_log, clean_for_subject, clean_for_xml
from games import tables
from games.exceptions import Refused
from games.models import Game, Kind, Message, Note, Notice, Room
from games.notices.email import compose
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Announcement, League, LogEntry, Team
from leagues.setting_fields import list_settings
from leagues.settings import LeagueSettings
from tests.form_helpers import list_project_forms
from tests.games.factories import NOW, make_game, make_player, make_table
from tests.games.visitors import signed_in
from tests.hostile_texts import HOSTILE, MARK, is_inert
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import BEGINS
from tests.leagues.team_season_helpers import begin_team_season, make_team_season, make_team_settings

ATOM = "{http://www.w3.org/2005/Atom}"
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def test_there_are_enough() -> None:
    assert len(HOSTILE) == len(set(HOSTILE)) >= 30


# --- what goes in


def test_no_sign_that_passes_for_a_dot_makes_a_link() -> None:
    """Browsers read some as the dot of an address; the others are Unicode's own lookalikes of it."""
    as_browsers = {chr(code) for code in range(sys.maxunicode + 1) if normalize("NFKC", chr(code)) == "."}
    looks = {pair["c"].strip("\u200e") for pair in confusables_data["."]}
    signs = as_browsers | {"\u3002", "\uff61"} | {look for look in looks if not look.isdecimal()}
    assert len(signs) > 8 and {"\u2024", "\ufe52"} < signs
    strict = [kind for kind, of in KINDS.items() if of.name or not of.links]
    for sign in signs:
        for kind in strict:
            with pytest.raises(ValidationError):
                texts.clean(kind, f"lorem{sign}example")
                pytest.fail(f"{sign!a} in {kind}")


@pytest.mark.django_db
def test_every_field_of_every_form_refuses_it_or_writes_it_in_one_form() -> None:
    fields = {
        (form.__name__, name): field
        for form in [*list_project_forms(), SignupForm]
        for name, field in {**form.base_fields, **(SignupForm().fields if form is SignupForm else {})}.items()  # type: ignore[attr-defined]
        if isinstance(field, TextField)
    } | {
        (LeagueSettings.__name__, setting.name): setting.field
        for setting in list_settings(LeagueSettings)
        if isinstance(setting.field, TextField)
    }
    assert len(fields) > 30 and {field.kind for field in fields.values()} >= set(KINDS) - {"code"}
    for (form, name), field in fields.items():
        for typed in HOSTILE:
            try:
                taken = deepcopy(field).clean(typed) or ""  # nobody, where the name of a player is empty
            except ValidationError as refused:
                assert all(refused.messages), (form, name, typed)
                continue
            assert is_inert(taken), (form, name, typed)
            assert texts.normalize_text(field.kind, taken) == taken
            if KINDS[field.kind].name and taken:
                assert "\n" not in taken and not texts.holds_link(taken), (form, name, typed)
                assert not taken.startswith(FORMULAS), (form, name, typed)


@pytest.mark.django_db
def test_no_name_of_any_kind_passes_for_another_or_for_the_staff(client: Client) -> None:
    season = make_team_season()
    table = make_table(now=NOW)
    rename = partial(tables.rename, game_id=table.pk, player=table.host, now=NOW)
    create = partial(seasons.found_league, founder=get_organiser(), settings=make_team_settings(), now=NOW)
    kept: dict[str, set[str]] = {"team": set(), "league": set(), "table": set()}
    for number, typed in enumerate(HOSTILE):
        captains = [make_player(f"Captain {number} {letter}") for letter in "xyz"]
        alike = (typed, typed.upper().replace(" ", "_"), typed.replace("o", "\u043e"))
        for captain, name in zip(captains, alike, strict=True):
            found_team = partial(seasons.found_team, season_id=season.pk, captain=captain, now=NOW)
            for kind, make in (("team", found_team), ("league", create), ("table", rename)):
                keep_name(kept[kind], make, name)
    for kind, stored in kept.items():
        assert stored and all(map(is_inert, stored)), kind
        assert not any(map(names.claims_authority, stored)), kind
    for kind in ("team", "league"):
        looks = [names.build_lookalike_key(name) for name in kept[kind]]
        assert len(looks) == len(set(looks)), kind


def keep_name(kept: set[str], make: Callable[..., Any], name: str) -> None:
    """Keep the name of what *make* makes, unless it refuses with a reason."""
    try:
        kept.add(make(name=name).name)
    except (LeagueRefused, Refused) as refused:
        assert refused.message


@pytest.mark.django_db
def test_talk_and_notes_are_kept_as_they_are_seen() -> None:
    game = make_game(now=NOW)
    for typed in HOSTILE:
        try:
            said = tables.say(game_id=game.pk, player=game.host, text=typed, now=NOW)
        except Refused as refused:
            assert refused.message
            Message.objects.all().delete()
        else:
            assert is_inert(said.text) and said.text
            Message.objects.all().delete()  # so much at once is more than anybody may say


# --- what comes out, even of rows of before


@pytest.fixture
def much_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the limit on reading without signing in."""
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", None)


@pytest.fixture
def old_league() -> League:
    """A league with names and texts from before they were validated."""
    season = begin_team_season("ABC")
    league = season.league
    who = get_organiser()
    Announcement.objects.bulk_create(
        Announcement(league=league, who=who, at=BEGINS, text=typed) for typed in without_nul()
    )
    LogEntry.objects.bulk_create(
        LogEntry(league=league, season=season, who=who, at=BEGINS, act="close", reason=typed[:500])
        for typed in without_nul()
    )
    return league


def without_nul() -> list[str]:
    """The texts without NUL, which PostgreSQL can't store."""
    return [typed.replace("\0", "") for typed in HOSTILE]


def name_all(league: League, typed: str) -> None:
    """Rename the league, its teams and its players."""
    League.objects.filter(pk=league.pk).update(name=typed[:60], text=typed[:4000])
    Team.objects.update(name=typed[:40])
    for player in Player.objects.filter(username__startswith="A"):
        Player.objects.filter(pk=player.pk).update(username=f"{typed[:20].replace('/', '')}{player.pk}")


@pytest.mark.django_db
@pytest.mark.usefixtures("much_to_read")
def test_outputs_of_leagues_are_well_formed_and_inert(client: Client, old_league: League) -> None:
    number = old_league.seasons.get().number
    files = {name: reverse(f"league:{name}", args=[old_league.slug]) for name in ("feed", "calendar")}
    of_season = {
        name: reverse(f"league:{name}", args=[old_league.slug, number])
        for name in ("tables_csv", "teams_csv", "games_csv", "season_json")
    }
    pages = [reverse("league:league", args=[old_league.slug]), reverse("league:log", args=[old_league.slug])]
    pages.append(reverse("league:teams", args=[old_league.slug, number]))
    for typed in without_nul():
        name_all(old_league, typed)
        feed = ElementTree.fromstring(client.get(files["feed"]).content)
        assert feed.findtext(f"{ATOM}title", "").split() == clean_for_xml(typed[:60]).split()
        events = Calendar.from_ical(client.get(files["calendar"]).content).walk("VEVENT")
        assert len(events) == 8 and len({event["uid"] for event in events}) == 8, typed
        assert all(clean_for_calendar(typed[:60]) in str(event["summary"]) for event in events)
        for name in ("tables_csv", "teams_csv", "games_csv"):
            rows = list(csv.reader(io.StringIO(read(client.get(of_season[name])), newline="")))
            assert len({len(row) for row in rows}) == 1, (name, typed)
            assert not [cell for row in rows for cell in row if cell.startswith(FORMULAS)], (name, typed)
        told = json.loads(read(client.get(of_season["season_json"])))
        assert {team["team"] for team in told["teams"]} == {typed[:40]}
        for address in pages:
            must_be_inert(Page(client.get(address)), typed)


@pytest.mark.django_db
def test_pages_of_talk_and_notes_are_inert_and_isolated() -> None:
    game = make_game(now=NOW)
    client = signed_in(game.host.username)
    Note.objects.create(game=game, player=game.host, ply=None, text="\n".join(without_nul())[:4000], at=NOW)
    for at in range(0, len(HOSTILE), 20):
        some = without_nul()[at : at + 20]
        Message.objects.all().delete()
        Message.objects.bulk_create(
            Message(game=game, author=game.host, room=Room.TABLE, text=typed[:1000] or "x", at=NOW)
            for typed in some
        )
        Game.objects.filter(pk=game.pk).update(name=some[0][:60])
        for name in ("talk", "notes", "table", "text"):
            page = Page(client.get(reverse(f"games:{name}", args=[game.code])))
            must_be_inert(page, f"{name} {at}")
        said = Page(client.get(reverse("games:talk", args=[game.code]))).all(".said")
        assert len(said) == len(some) and {one.get("dir") for one in said} == {"auto"}


@pytest.mark.django_db
def test_subjects_read_literally_and_have_one_line() -> None:
    table = make_table(now=NOW)
    bruno = make_player("Bruno")
    asked = tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=NOW)
    tables.decline(token=asked.token, player=bruno, now=NOW)
    notice = Notice.objects.get(kind=Kind.DECLINED)
    for typed in without_nul():
        Game.objects.filter(pk=table.pk).update(name=typed[:60])
        composed = compose(Notice.objects.get(pk=notice.pk))
        plain = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", " ", typed[:60]).split())
        parsed = message_from_bytes(composed.message().as_bytes(), policy=policy.default)
        assert plain in " ".join(str(parsed["Subject"]).split()), typed
        assert parsed["Bcc"] is None and str(parsed["To"]) == table.host.email
        must_be_inert(Page(str(composed.alternatives[0][0])), typed)


def test_no_subject_is_made_past_the_gate() -> None:
    """Of a mail of Django's own, too, which is how those about accounts are sent."""
    for typed in HOSTILE:
        mail = EmailMessage(clean_for_subject(f"About {typed[:60]}"), "x", to=["a@example.org"])
        told = str(message_from_bytes(mail.message().as_bytes(), policy=policy.default)["Subject"])
        assert "https://lorem.example" not in told or "https://lorem.example" in typed


def test_cells_are_no_formulas_and_numbers_stay() -> None:
    for typed in HOSTILE:
        assert not str(clean_for_cell(typed)).startswith(FORMULAS)
    assert [clean_for_cell(one) for one in ("-1", "3/2", 7, None, "Anna")] == ["-1", "3/2", 7, None, "Anna"]


@pytest.mark.parametrize("typed", HOSTILE)
def test_a_line_of_the_log_stays_one_line(typed: str) -> None:
    record = logging.LogRecord("test", logging.INFO, "x.py", 1, "said %s", (typed,), None)
    line = PlainLines("{levelname} {message}", style="{").format(record)
    assert line == f"INFO said {clean_for_log(typed)}" and len(line.splitlines()) == 1 and "\x1b" not in line
    kept = json.loads(JsonLines(["message"]).format(record))
    assert kept["message"] == f"said {typed}"


def test_a_trace_is_indented_so_that_nothing_in_it_passes_for_a_line() -> None:
    try:
        raise ValueError("lorem\n2026-01-01 00:00:00,000 INFO    security: forged \x1b[31m")
    except ValueError:
        record = logging.LogRecord("test", logging.ERROR, "x.py", 1, "broken", (), sys.exc_info())
    first, *others = PlainLines("{message}", style="{").format(record).splitlines()
    assert first == "broken" and others
    assert all(line.startswith("  ") for line in others) and not any("\x1b" in line for line in others)


def must_be_inert(page: Page, typed: str) -> None:
    """Check that the text has become no element, no attribute that runs, and no URL but a link."""
    for element in page.all("*"):
        runs = [name for name, value in element.attrs.items() if name.startswith("on") and MARK in str(value)]
        assert runs == [], typed
        target = str(element.get("href") or element.get("src") or element.get("action") or "")
        assert not target.lower().startswith(("javascript:", "data:text")), typed
    for script in page.all("script"):
        assert MARK not in script.text, typed
    assert not page.has("img[src=x]") and not page.has("svg[onload]"), typed


def read(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode("utf-8-sig")
