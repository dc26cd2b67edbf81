"""Tests over all acts of the desk: what a preview doesn't refuse is accepted when it is confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Player
from games import play
from games.clocks import DAY, HOUR
from games.conduct.limits import find_limits_of_act
from games.exceptions import Refused
from games.models import Contact, Game, Status
from leagues import limits, seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.desk import ACTS, OrganiserActForm
from leagues.models import Fixture, League, Phase, Season
from leagues.selectors.desk import find_current_season, list_decisions, list_undecided_games
from leagues.settings import Admission, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import (
    BEGINS,
    begin_season,
    choose_later_name,
    get_numbered_player,
    make_league,
    register_players,
    resign_all_games,
)
from tests.leagues.views.founding_helpers import build_league_form_data
from tests.moderation.sanctioning import suspend

pytestmark = pytest.mark.django_db

LATER = BEGINS + DAY
Data = Mapping[str, Any]


class Prepared(NamedTuple):
    """What the form of an act gets: the query of its address, and the data sent."""

    about: dict[str, str]
    data: dict[str, Any]


def run_league() -> None:
    begin_season(4, division_size=6)
    make_player("Zoe")


def open_league(**settings: object) -> None:
    register_players(make_league(**settings).seasons.get(), 4)  # type: ignore[arg-type]
    make_player("Zoe")


def run_late() -> None:
    season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
    resign_all_games(season.divisions.get().matches.all()[0].ends - HOUR, choose_later_name)
    Season.objects.update(ends=LATER + HOUR)


def settle() -> Prepared:
    fixture = Fixture.objects.order_by("pk")[0]
    players = [seat.player for seat in fixture.match.seats.all()]
    ranks = {f"rank_{player.pk}": place for place, player in enumerate(players, start=1)}
    return Prepared({"game": str(fixture.pk)}, {"how": "ranked", **ranks})


def settle_as_played() -> Prepared:
    return Prepared(settle().about, {"how": "played"})


def break_a_game_off() -> None:
    run_league()
    play.abort(game_id=Fixture.objects.order_by("pk")[0].game_id, seat=0, now=BEGINS + HOUR)


def settle_several() -> Prepared:
    (fixture,) = list_undecided_games(Season.objects.get())
    _said, ranks = list_decisions(fixture)[0]
    choice = ",".join(f"{player}-{rank}" for player, rank in ranks.items())
    return Prepared({}, {f"game_{fixture.pk}": choice})


def name(player: str) -> Callable[[], Prepared]:
    return lambda: Prepared({}, {"name": player})


def replace_player() -> Prepared:
    return Prepared({}, {"leaving": get_numbered_player(1).pk, "substitute": "Zoe"})


def choose(player: str) -> Callable[[], Prepared]:
    return lambda: Prepared({}, {"player": Player.objects.get(username=player).pk})


def set_penalty() -> Prepared:
    entry = Season.objects.get().entries.get(player=get_numbered_player(1))
    return Prepared({}, {"contender": entry.pk, "points": "2"})


def edit(**fields: object) -> Callable[[], Prepared]:
    return lambda: Prepared({}, build_league_form_data(name="Cup of Foix", **fields))


def extend() -> Prepared:
    return Prepared({}, {"part": "season-0", "days": "3"})


def seed() -> Prepared:
    entry = Season.objects.get().entries.get(player=get_numbered_player(1))
    return Prepared({}, {f"seed_{entry.pk}": "1"})


def plain() -> Prepared:
    return Prepared({}, {})


def wait_for_place() -> None:
    make_league(admission=Admission.APPROVAL)
    season = Season.objects.get()
    seasons.wait(season_id=season.pk, player=make_player("Zoe"), now=BEGINS - DAY)


PREPARED: dict[str, tuple[Callable[[], object], Callable[[], Prepared]]] = {
    "settle": (run_league, settle),
    "settle-several": (break_a_game_off, settle_several),
    "replace": (run_league, replace_player),
    "take-out": (run_league, choose("Player01")),
    "penalty": (run_league, set_penalty),
    "admit": (run_league, name("Zoe")),
    "accept": (wait_for_place, name("Zoe")),
    "extend": (run_league, extend),
    "end-early": (run_late, plain),
    "announce": (run_league, lambda: Prepared({}, {"text": "Hello"})),
    "name-organiser": (run_league, name("Zoe")),
    "remove-organiser": (lambda: (run_league(), add_organisers(1)), choose("Player01")),
    "cancel": (open_league, plain),
    "open": (lambda: (run_league(), close_season()), plain),
    "close": (run_league, plain),
    "edit": (run_league, edit(text="Other words", rounds="2")),
    "seeds": (lambda: open_league(schedule=Schedule.KNOCK_OUT, rules=Rules.usual(2)), seed),
}
"""Acts that are accepted: the league, and what is sent."""


def add_organisers(*numbers: int) -> None:
    League.objects.get().organisers.add(*map(get_numbered_player, numbers))


def close_season() -> None:
    Season.objects.update(phase=Phase.CLOSED, closed=BEGINS)


def close_league() -> None:
    League.objects.update(closed=BEGINS)


def suspend_zoe() -> None:
    suspend(Player.objects.get(username="Zoe"), now=timezone.now())


def close_account(player: str) -> Callable[[], None]:
    return lambda: Player.objects.filter(username=player).update(is_active=False) and None


def bring_in_zoe() -> None:
    zoe = Player.objects.get(username="Zoe")
    seasons.admit(
        season_id=Season.objects.get().pk, player=zoe, who=get_organiser(), reason="Room", now=BEGINS
    )


def own_matter() -> None:
    """Let the organiser play in the division, beside an organiser who doesn't."""
    season = Season.objects.get()
    season.entries.filter(player=get_numbered_player(0)).update(player=get_organiser())
    season.league.organisers.add(make_player("Other"))


def exhaust(act: str) -> Callable[[], None]:
    """Use up the limit of *act* in the league, and of its organiser."""

    def fill() -> None:
        group = limits.format_league_group(League.objects.get().pk)
        for limit in find_limits_of_act(act):
            Contact.objects.bulk_create(
                Contact(act=act, sender=get_organiser(), recipient=None, group=group, at=LATER - HOUR / 2)
                for _ in range(limit.most + 1)
            )

    return fill


def is_scored() -> None:
    Game.objects.filter(status=Status.PLAYING).update(
        status=Status.SCORING, awaited=None, deadline=None, turn_began=None
    )


def is_unconfirmed() -> None:
    Player.objects.get(username="Zoe").emailaddress_set.all().delete()


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("settle", own_matter),
    ("settle", is_scored),
    ("settle", exhaust(limits.SETTLE)),
    ("replace", own_matter),
    ("replace", bring_in_zoe),
    ("replace", is_unconfirmed),
    ("replace", suspend_zoe),
    ("replace", exhaust(limits.ADMIT)),
    ("take-out", own_matter),
    ("take-out", exhaust(limits.SETTLE)),
    ("penalty", own_matter),
    ("penalty", exhaust(limits.SETTLE)),
    ("admit", own_matter),
    ("admit", bring_in_zoe),
    ("admit", is_unconfirmed),
    ("admit", suspend_zoe),
    ("admit", exhaust(limits.ADMIT)),
    ("admit", lambda: Season.objects.update(ends=LATER + HOUR)),
    ("accept", suspend_zoe),
    ("accept", lambda: Season.objects.get().waiting.all().delete()),
    ("accept", lambda: Season.objects.update(phase=Phase.RUNNING)),
    ("extend", own_matter),
    ("extend", exhaust(limits.CHANGE_SEASON)),
    ("end-early", lambda: Season.objects.update(ends=LATER + 300 * DAY)),
    ("end-early", own_matter),
    ("end-early", exhaust(limits.CHANGE_SEASON)),
    ("announce", exhaust(limits.ANNOUNCE)),
    ("name-organiser", lambda: League.objects.get().organisers.add(Player.objects.get(username="Zoe"))),
    ("name-organiser", exhaust(limits.APPOINT)),
    ("remove-organiser", close_account("Founder")),
    ("cancel", lambda: Season.objects.update(phase=Phase.RUNNING)),
    ("cancel", exhaust(limits.CHANGE_SEASON)),
    ("open", lambda: Season.objects.update(phase=Phase.RUNNING, closed=None)),
    ("open", exhaust(limits.CHANGE_SEASON)),
    ("close", close_league),
    ("edit", exhaust(limits.CHANGE_RULES)),
    ("seeds", own_matter),
]
"""Acts with what makes the service refuse them."""


def build_form(act: str, prepared: Prepared) -> OrganiserActForm:
    league = League.objects.get()
    data = {key: str(value) for key, value in {"reason": "They asked", **prepared.data}.items()}
    return ACTS[act](league, find_current_season(league), get_organiser(), prepared.about, data)


def preview(act: str, prepared: Prepared) -> tuple[str, str]:
    """Return the version of the preview, and its refusal."""
    form = build_form(act, prepared)
    if not form.is_valid():
        return "", str(form.errors)
    try:
        form.effects()
        return form.preview(), ""
    except (LeagueRefused, Refused) as refused:
        return "", str(refused.message)


def test_every_act_of_the_desk_is_here() -> None:
    assert PREPARED.keys() == ACTS.keys()


@pytest.mark.parametrize("act", PREPARED)
def test_what_a_preview_shows_is_accepted(act: str) -> None:
    begin, send = PREPARED[act]
    begin()
    with time_machine.travel(_time_of(act), tick=False):
        prepared = send()
        version, refusal = preview(act, prepared)
        assert not refusal
        before = League.objects.get().log.count()
        form = build_form(act, prepared)
        assert form.is_valid()
        form.perform(version, timezone.now())
        assert League.objects.get().log.count() > before


@pytest.mark.parametrize(("act", "change"), REFUSED)
def test_what_an_act_refuses_its_preview_refuses_too(act: str, change: Callable[[], object]) -> None:
    begin, send = PREPARED[act]
    begin()
    with time_machine.travel(_time_of(act), tick=False):
        prepared = send()
        change()
        try:
            version, refusal = preview(act, prepared)
        except LeagueRefused as refused:  # the form isn't even offered
            version, refusal = "", str(refused)
        assert refusal and not version
        assert refuses(act, prepared)


def refuses(act: str, prepared: Prepared) -> bool:
    """Return whether the service itself refuses, without any preview."""
    try:
        form = build_form(act, prepared)
        if not form.is_valid():
            return True
        reason = {"reason": "They asked"} if form.needs_reason else {}
        type(form).service(**form.build_arguments(), **reason, who=get_organiser(), now=timezone.now())
    except (LeagueRefused, Refused):
        return True
    return False


def _time_of(act: str) -> datetime:
    return LATER - timedelta(days=2) if act in ("cancel", "accept", "seeds") else LATER
