"""The organisers' desk: what needs an organiser, what can be done about it, and what can be done at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from leagues.models import Fixture, League, Match, Phase, Season
from leagues.pages.league import dormant, season_name, state_of
from leagues.pages.names import division_name
from leagues.pages.who import Who, who
from leagues.seasons.drawing import FEWEST
from leagues.seasons.postponing import MOST_POSTPONED
from leagues.seasons.results import PATIENCE
from leagues.selectors import desk as found
from leagues.selectors import leagues as seasons_found
from leagues.words.log import ranking

SHOWN = 50
"""So many entries of a kind are listed; the others come up when these are done."""


class Way(NamedTuple):
    """Where an act is done."""

    name: str
    url: str


class Need(NamedTuple):
    """Something that needs an organiser, and what solves it."""

    what: str
    said: str
    people: list[Who]
    ways: list[Way]


class Section(NamedTuple):
    """Needs of a kind."""

    id: str
    heading: str
    about: str
    needs: list[Need]


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of a league."""

    league: League
    league_url: str
    season: str
    state: str
    sections: list[Section]
    acts: list[Way]
    organisers: list[Who]


def page_of(league: League, now: datetime) -> DeskPage:
    """The desk of *league* as its organisers see it."""
    season = current(league)
    sections = list(_sections(league, season, now)) if season is not None else []
    return DeskPage(
        league=league,
        league_url=reverse("league:league", args=[league.slug]),
        season=season_name(season) if season is not None else "",
        state=state_of(season, now) if season is not None else dormant(league),
        sections=[section for section in sections if section.needs],
        acts=list(acts(league, season)),
        organisers=[who(player) for player in league.organisers.order_by("username")],
    )


def current(league: League) -> Season | None:
    """The season of *league* that is open for registration or runs."""
    alive = league.seasons.filter(phase__in=[Phase.REGISTRATION, Phase.RUNNING])
    return alive.select_related("league").first()


def url_of(league: League) -> str:
    return reverse("league:desk", args=[league.slug])


def way(league: League, act: str, name: str, /, **about: object) -> Way:
    """A link to an *act* of the desk of *league*."""
    url = reverse("league:act", args=[league.slug, act])
    return Way(name, f"{url}?{urlencode(about)}" if about else url)


def acts(league: League, season: Season | None) -> Iterator[Way]:
    """What can be done at any time."""
    yield way(league, "announce", _("Announce something"))
    if season is not None and season.running:
        yield way(league, "admit", _("Let somebody join"))
        yield way(league, "replace", _("Let a substitute play on"))
    if season is not None:
        yield way(league, "extend", _("Extend the season"))
    if season is not None and season.phase == Phase.REGISTRATION:
        yield way(league, "cancel", _("Cancel the season"))
    if season is None:
        yield way(league, "open", _("Open the next season"))
    yield way(league, "edit", _("Change text and settings"))
    yield way(league, "name-organiser", _("Name an organiser"))
    yield way(league, "remove-organiser", _("Remove an organiser"))
    if league.closed is None:
        yield way(league, "close", _("Close the league"))


def match_name(match: Match) -> str:
    """Where a match stands: its division and round."""
    return _("{division}, round {n}").format(division=division_name(match.division), n=match.round)


def about_fixture(fixture: Fixture, players: Sequence[Player]) -> list[str]:
    """Which game *fixture* is, and how it counts now."""
    names = {player.pk: str(player) for player in players}
    told = [match_name(fixture.match), " – ".join(names.values())]
    if fixture.seats is not None:
        ranks = sorted((seat["rank"], seat["player"]) for seat in fixture.seats)
        now = ranking(((player, rank) for rank, player in ranks), names)
        told.append(_("It currently counts as: {result}.").format(result=now))
    elif fixture.game is not None and not fixture.game.ended:
        told.append(_("It's still being played."))
    else:
        told.append(_("It has no result."))
    return told


def day(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATE_FORMAT")


def _sections(league: League, season: Season, now: datetime) -> Iterator[Section]:
    if season.phase == Phase.REGISTRATION:
        yield _too_few(league, season)
    else:
        yield _broken_off(league, season, now)
        yield _too_slow(league, season, now)
        yield _gone(league, season)
        yield _out_of_time(league, season)
        yield _cut_short(league, season)
    yield _waiting(league, season)


def _too_few(league: League, season: Season) -> Section:
    players = seasons_found.registered(season).count()
    needs = []
    if players < FEWEST:
        left = MOST_POSTPONED - season.postponed
        said = ngettext(
            "It starts on {day} if at least two play. Otherwise it's postponed, at most {n} more time.",
            "It starts on {day} if at least two play. Otherwise it's postponed, at most {n} more times.",
            left,
        ).format(day=day(season.begins), n=left)
        if not left:
            said = _("It starts on {day} if at least two play. Otherwise it's cancelled.").format(
                day=day(season.begins)
            )
        ways = [
            way(league, "announce", _("Announce something")),
            way(league, "cancel", _("Cancel the season")),
        ]
        needs = [Need(_("Too few have registered"), said, [], ways)]
    return Section("few", _("Registration"), "", needs)


def _broken_off(league: League, season: Season, now: datetime) -> Section:
    about = _("We don't know who won. Two days after the season, on {day}, they're counted without a winner.")
    needs = [
        _about_game(league, fixture, _("It ended early."))
        for fixture in found.broken_off(season, now)[:SHOWN]
    ]
    return Section(
        "broken", _("Games without a result"), about.format(day=day(season.ends + PATIENCE)), needs
    )


def _too_slow(league: League, season: Season, now: datetime) -> Section:
    about = _("At the end of the season, on {day}, the player whose turn it is loses on time.").format(
        day=day(season.ends)
    )
    needs = []
    for fixture, at in found.too_slow(season, now)[:SHOWN]:
        said = _("At this pace it would end on {day}.").format(day=day(at))
        extend = way(league, "extend", _("Extend the season"))
        need = _about_game(league, fixture, said)
        needs.append(need._replace(ways=[extend, *need.ways]))
    return Section("slow", _("Games unlikely to end in time"), about, needs)


def _gone(league: League, season: Season) -> Section:
    needs = []
    for entry, matches in found.gone(season)[:SHOWN]:
        said = ngettext(
            "A substitute could play {n} match.", "A substitute could play {n} matches.", matches
        ).format(n=matches)
        ways = [way(league, "replace", _("Let a substitute play on"), player=entry.player_id)]
        needs.append(Need(_("Withdrawn"), said, [who(entry.player)], ways))
    for entry in found.closed_accounts(season)[:SHOWN]:
        ways = [way(league, "replace", _("Let a substitute play on"), player=entry.player_id)]
        needs.append(Need(_("Account closed"), "", [who(entry.player)], ways))
    return Section("gone", _("Players who have left"), "", needs)


def _out_of_time(league: League, season: Season) -> Section:
    needs = []
    for entry, times in found.out_of_time(season)[:SHOWN]:
        said = ngettext("Ran out of time {n} time.", "Ran out of time {n} times.", times).format(n=times)
        ways = [way(league, "replace", _("Let a substitute play on"), player=entry.player_id)]
        needs.append(Need(_("Out of time"), said, [who(entry.player)], ways))
    return Section("time", _("Players who keep running out of time"), "", needs)


def _cut_short(league: League, season: Season) -> Section:
    needs = [
        Need(
            division_name(division),
            _("Rounds have been drawn up to number {n}, and there are no pairings left.").format(
                n=division.drawn
            ),
            [],
            [way(league, "admit", _("Let somebody join"))],
        )
        for division in found.cut_short(season)
    ]
    return Section("swiss", _("Divisions that can't be drawn"), "", needs)


def _waiting(league: League, season: Season) -> Section:
    needs = []
    for place, one in enumerate(found.waiting(season)[:SHOWN], start=1):
        said = _("For a place in the next season.") if one.following else ""
        if one.substitute:
            said = " ".join(filter(None, (said, _("Ready to substitute."))))
        ways = [way(league, "admit", _("Let them join"), name=one.player)] if season.running else []
        needs.append(Need(_("Number {n}").format(n=place), said, [who(one.player)], ways))
    return Section("waiting", _("Waiting for a place"), "", needs)


def _about_game(league: League, fixture: Fixture, said: str) -> Need:
    players = [who(seat.player) for seat in fixture.match.seats.all()]
    ways = [way(league, "settle", _("Settle it"), game=fixture.pk)]
    if fixture.game is not None:
        ways.append(Way(_("Look at the game"), reverse("games:table", args=[fixture.game.code])))
    return Need(match_name(fixture.match), said, players, ways)
