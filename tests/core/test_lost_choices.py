"""Test that a stored choice which a release has lost breaks no page and no notice."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games.models import Channel, Game, Notice
from games.notices.email import compose
from games.notices.letters import NothingToTell
from leagues.models import League, Season
from tests.games.factories import make_game, make_table, new_process, play_turns
from tests.games.visitors import signed_in
from tests.html import Page
from tests.leagues.season_helpers import begin_season

OURS = ("core", "accounts", "ratings", "games", "moderation", "leagues")
LOST = "lost"


class Choice(NamedTuple):
    """A stored choice: its column, and a value that this release doesn't know."""

    model: type[models.Model]
    column: str
    value: Any


def list_columns() -> Iterator[Choice]:
    """Yield every column with choices."""
    for model in apps.get_models():
        if model._meta.app_label in OURS:
            for field in model._meta.fields:
                if field.choices:
                    yield Choice(model, field.name, LOST)
    yield Choice(Player, "time_zone", "US/Pacific-New")
    yield Choice(Player, "time_zone", "localtime")


def list_settings(game: Game, season: Season) -> Iterator[Choice]:
    """Yield the choices within settings stored as JSON."""
    rules, clock, agreed = game.rule_set, game.clock_settings, season.agreed
    cells = {"email": {"turn": LOST, LOST: "at-once"}, LOST: {"turn": "never"}}
    yield Choice(Player, "notice_timings", cells)
    yield Choice(Player, "reminder_hours", [LOST])
    yield Choice(Player, "weekend_days", [LOST])
    yield Choice(Game, "calendar", {**(game.calendar or {}), "zone": LOST})
    for change in ({"sets": ["base", LOST]}, {"edition": LOST}):
        yield Choice(Game, "rule_set", {**rules, **change})
    for change in ({LOST: 1}, {"fields": LOST}, {"figures": {LOST: 1}}):
        yield Choice(Game, "rule_set", {**rules, "options": {**rules["options"], **change}})
    for name in ("weekends", "holidays", "at_end"):
        yield Choice(Game, "clock_settings", {**clock, name: LOST})
    yield Choice(Game, "ladder_steps", [["excuse", 1], [LOST]])
    for model in (League, Season):
        yield Choice(model, "agreed", {**agreed, "schedule": LOST})
    yield Choice(Season, "agreed", {**agreed, "rules": {**agreed["rules"], "sets": ["base", LOST]}})


@pytest.mark.django_db
def test_no_lost_choice_breaks_a_page_or_a_notice() -> None:
    season = begin_season(2)
    game = play_turns(make_game(now=timezone.now()), 3, now=timezone.now())
    table = make_table(host=game.host, now=timezone.now())
    pages = [reverse(f"games:{name}") for name in ("mine", "lobby", "time")]
    pages += [reverse("accounts:settings"), reverse("games:player", args=["Anna"])]
    pages += [reverse("games:table", args=[one.code]) for one in (game, table)]
    pages += [reverse("league:list"), reverse("league:season", args=[season.league.slug, season.number])]
    anna = signed_in("Anna")
    anna.raise_request_exception = False
    walked = 0
    for choice in (*list_columns(), *list_settings(game, season)):
        try:
            with transaction.atomic():
                # A manager may refuse updates, of rows that are only added.
                changed = models.QuerySet(choice.model).update(**{choice.column: choice.value})
                if changed:
                    check_pages_and_notices(anna, pages, choice)
                    walked += 1
                transaction.set_rollback(True)
        except IntegrityError:
            continue  # the database knows the values: a release that takes one away must change its rows
    assert walked > 20


def check_pages_and_notices(visitor: Client, pages: list[str], choice: Choice) -> None:
    new_process()  # as after a release: nothing is cached
    statuses = set()
    for page in pages:
        answer = visitor.get(page)
        statuses.add(answer.status_code)
        rests_on_it = choice.column in ("rule_set", "agreed") and answer.status_code == HTTPStatus.GONE
        assert answer.status_code == HTTPStatus.OK or rests_on_it, (page, choice)
        if choice.column == "time_zone":
            assert "Choose your time zone" in Page(answer).text("#messages"), page
    assert (HTTPStatus.GONE in statuses) or choice.column != "rule_set", choice
    mails = Notice.objects.filter(channel=Channel.EMAIL, recipient__isnull=False)
    for notice in {notice.kind: notice for notice in mails}.values():
        try:
            mail = compose(notice)
        except NothingToTell:
            assert choice.column in ("rule_set", "agreed"), choice
            continue
        assert ("know your time zone" in mail.body) == (choice.column == "time_zone"), choice
