"""The organisers' desk: matters that need attention with possible actions, and actions available at any
time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.models import Seat
from games.play import hard_ends
from games.play.positions import load_position
from games.words.times import format_day
from leagues.models import Entry, Fixture, League, Phase, Season
from leagues.pages.league import describe_state, explain_no_season, format_season_name
from leagues.pages.names import NameLink, format_division_name, format_match_name, link_player
from leagues.pages.requests import list_open_requests
from leagues.seasons.drawing import FEWEST
from leagues.seasons.postponing import MOST_POSTPONED
from leagues.seasons.results import PATIENCE, TIME_TO_DECIDE, awaits_organiser
from leagues.selectors import desk as found
from leagues.settings import Admission
from leagues.words.log import format_ranking

SHOWN = 50
"""Maximum number of entries listed of each kind; the others follow when these are done."""


class OrganiserAction(NamedTuple):
    """Link to the form of an act."""

    name: str
    url: str


class Need(NamedTuple):
    """A matter that needs an organiser, with the actions that solve it."""

    what: str
    said: str
    people: list[NameLink]
    ways: list[OrganiserAction]


class NeedSection(NamedTuple):
    """Matters of one kind. No mail is sent of those that need no organiser (``is_news`` is false)."""

    id: str
    heading: str
    about: str
    needs: list[Need]
    is_news: bool = True


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of a league."""

    league: League
    league_url: str
    season: str
    state: str
    sections: list[NeedSection]
    acts: list[OrganiserAction]
    organisers: list[NameLink]


def build_page(league: League, now: datetime) -> DeskPage:
    """The desk of *league* as its organisers see it."""
    season = find_current_season(league)
    sections = list(_sections(league, season, now)) if season is not None else []
    sections.insert(0, _build_open_requests(league))
    return DeskPage(
        league=league,
        league_url=reverse("league:league", args=[league.slug]),
        season=format_season_name(season) if season is not None else "",
        state=describe_state(season, now) if season is not None else explain_no_season(league),
        sections=[section for section in sections if section.needs],
        acts=list(acts(league, season)),
        organisers=[link_player(player) for player in league.organisers.order_by("username")],
    )


def find_current_season(league: League) -> Season | None:
    """The season of *league* that is open for registration or runs."""
    alive = league.seasons.filter(phase__in=[Phase.REGISTRATION, Phase.RUNNING])
    return alive.select_related("league").first()


def build_url(league: League) -> str:
    return reverse("league:desk", args=[league.slug])


def way(league: League, act: str, name: str, /, **about: object) -> OrganiserAction:
    """A link to an *act* of the desk of *league*."""
    url = reverse("league:act", args=[league.slug, act])
    return OrganiserAction(name, f"{url}?{urlencode(about)}" if about else url)


def acts(league: League, season: Season | None) -> Iterator[OrganiserAction]:
    """Yield the actions available at any time."""
    yield way(league, "announce", _("Announce something"))
    if season is not None and season.running and season.settings.latecomers:
        yield way(league, "admit", _("Let somebody join"))
    if season is not None and season.running and season.settings.substitutes:
        yield way(league, "replace", _("Let a substitute play on"))
    if season is not None:
        yield way(league, "extend", _("Give more time"))
        yield way(league, "take-out", _("Take a player out"))
    if season is not None and season.running and season.settings.counts_points:
        yield way(league, "penalty", _("Set penalty points"))
    if season is not None and season.phase == Phase.REGISTRATION:
        yield way(league, "cancel", _("Cancel the season"))
        if season.settings.knock_out:
            yield way(league, "seeds", _("Put the seeds in order"))
    if season is None:
        yield way(league, "open", _("Open the next season"))
    yield way(league, "edit", _("Change text and settings"))
    yield way(league, "name-organiser", _("Name an organiser"))
    yield way(league, "remove-organiser", _("Remove an organiser"))
    if league.closed is None:
        yield way(league, "close", _("Close the league"))


def describe_fixture(fixture: Fixture, players: Sequence[Player]) -> list[str]:
    """Describe a game of *fixture* and how it counts now."""
    names = {player.pk: str(player) for player in players}
    told = [format_match_name(fixture.match), " – ".join(names.values())]
    if fixture.seats is not None:
        ranks = sorted((seat["rank"], seat["player"]) for seat in fixture.seats)
        now = format_ranking(((player, rank) for rank, player in ranks), names)
        told.append(_("It currently counts as: {result}.").format(result=now))
    elif fixture.game is not None and not fixture.game.ended:
        told.append(_("It's still being played."))
    elif fixture.game is not None and awaits_organiser(fixture.game, timezone.now()):
        told.append(describe_proposals(fixture))
    else:
        told.append(_("It has no result."))
    return told


def _sections(league: League, season: Season, now: datetime) -> Iterator[NeedSection]:
    if season.phase == Phase.REGISTRATION:
        yield _too_few(league, season)
    else:
        yield _broken_off(league, season, now)
        yield _build_unfinished_games(league, season, now)
        yield _too_slow(league, season, now)
        yield _build_leavers(league, season)
        yield _out_of_time(league, season)
        yield _cut_short(league, season)
    yield _waiting(league, season)


def _build_open_requests(league: League) -> NeedSection:
    needs = [
        Need(
            line.kind,
            line.text,
            [line.who],
            [OrganiserAction(_("Answer"), reverse("league:answer", args=[league.slug, line.key]))],
        )
        for line in list_open_requests(league)
    ]
    return NeedSection("asked", _("Questions from players"), "", needs)


def _too_few(league: League, season: Season) -> NeedSection:
    needs = []
    if found.count_ready(season) < FEWEST:
        left = MOST_POSTPONED - season.postponed
        said = ngettext(
            "It starts on {day} if at least two play. Otherwise it's postponed, at most {n} more time.",
            "It starts on {day} if at least two play. Otherwise it's postponed, at most {n} more times.",
            left,
        ).format(day=format_day(season.begins), n=left)
        if not left:
            said = _("It starts on {day} if at least two play. Otherwise it's cancelled.").format(
                day=format_day(season.begins)
            )
        ways = [
            way(league, "announce", _("Announce something")),
            way(league, "cancel", _("Cancel the season")),
        ]
        needs = [Need(_("Too few have registered"), said, [], ways)]
    return NeedSection("few", _("Registration"), "", needs)


def _broken_off(league: League, season: Season, now: datetime) -> NeedSection:
    about = _("We don't know who won. Two days after their end, they're counted without a winner.")
    needs = []
    for fixture in found.list_broken_off_games(season, now)[:SHOWN]:
        said = _("It ended early. Without a decision, nobody wins it on {day}.").format(
            day=format_day(fixture.match.latest_end + PATIENCE)
        )
        needs.append(_about_game(league, fixture, said))
    return NeedSection("broken", _("Games without a result"), about, needs)


def _build_unfinished_games(league: League, season: Season, now: datetime) -> NeedSection:
    needs = [
        _about_game(league, fixture, describe_proposals(fixture))
        for fixture in found.list_unfinished_games(season, now)[:SHOWN]
    ]
    return NeedSection("unfinished", _("Games that weren't finished in time"), "", needs)


def describe_proposals(fixture: Fixture) -> str:
    """Describe how an unfinished game would count by the time used, and by its board (CLOCK-24). One query
    where its position isn't cached."""
    game = fixture.game
    assert game is not None and game.finished is not None
    seats = sorted(game.seats.all(), key=lambda seat: seat.index)
    scores = hard_ends.score_as_it_stands(load_position(game))
    by_time = _list_places(seats, [seat.rank or 0 for seat in seats])
    by_board = _list_places(seats, hard_ends.rank_scores(seats, scores), scores)
    said = _(
        "By time used: {time}. By the board: {board}. Without a decision, the time used counts on {day}."
    )
    day = format_day(game.finished + TIME_TO_DECIDE)
    return said.format(time=by_time, board=by_board, day=day)


def _list_places(seats: Sequence[Seat], ranks: Sequence[int], scores: Sequence[int] = ()) -> str:
    names = [f"{seat.player} ({scores[seat.index]})" if scores else str(seat.player) for seat in seats]
    return ", ".join(f"{rank}. {name}" for rank, name in sorted(zip(ranks, names, strict=True)))


def _too_slow(league: League, season: Season, now: datetime) -> NeedSection:
    needs = []
    for fixture, at in found.list_slow_games(season, now)[:SHOWN]:
        said = _("At this pace it would end on {day}, but it has to end by {end}.").format(
            day=format_day(at), end=format_day(fixture.match.latest_end)
        )
        extend = way(league, "extend", _("Give more time"), match=fixture.match_id)
        need = _about_game(league, fixture, said)
        needs.append(need._replace(ways=[extend, *need.ways]))
    return NeedSection("slow", _("Games unlikely to end in time"), "", needs)


def _build_leavers(league: League, season: Season) -> NeedSection:
    needs = []
    for entry, matches in found.list_leavers(season)[:SHOWN]:
        said = ngettext(
            "A substitute could play {n} match.", "A substitute could play {n} matches.", matches
        ).format(n=matches)
        ways = [way(league, "replace", _("Let a substitute play on"), player=entry.player_id)]
        needs.append(Need(_("Withdrawn"), said, [link_player(entry.player)], ways))
    for entry in found.list_closed_accounts(season)[:SHOWN]:
        needs.append(
            Need(_("Account closed"), "", [link_player(entry.player)], _ways_on(league, season, entry))
        )
    return NeedSection("gone", _("Players who have left"), "", needs)


def _out_of_time(league: League, season: Season) -> NeedSection:
    needs = []
    for entry, times in found.list_timed_out_players(season)[:SHOWN]:
        said = ngettext("Ran out of time {n} time.", "Ran out of time {n} times.", times).format(n=times)
        needs.append(
            Need(_("Out of time"), said, [link_player(entry.player)], _ways_on(league, season, entry))
        )
    return NeedSection("time", _("Players who keep running out of time"), "", needs)


def _ways_on(league: League, season: Season, entry: Entry) -> list[OrganiserAction]:
    """The actions for a player who doesn't play any more."""
    ways = [way(league, "take-out", _("Take them out"), player=entry.player_id)]
    if season.settings.substitutes:
        ways.insert(0, way(league, "replace", _("Let a substitute play on"), player=entry.player_id))
    return ways


def _cut_short(league: League, season: Season) -> NeedSection:
    needs = [
        Need(
            format_division_name(division),
            _("Rounds have been drawn up to number {n}, and there are no pairings left.").format(
                n=division.drawn
            ),
            [],
            [way(league, "admit", _("Let somebody join"))],
        )
        for division in found.list_shortened_divisions(season)
    ]
    return NeedSection("swiss", _("Divisions that can't be drawn"), "", needs)


def _waiting(league: League, season: Season) -> NeedSection:
    needs = []
    asks = not season.running and season.settings.admission == Admission.APPROVAL
    for place, one in enumerate(found.load_waiting(season)[:SHOWN], start=1):
        said = _("For a place in the next season.") if one.following else ""
        if one.substitute:
            said = " ".join(filter(None, (said, _("Ready to substitute."))))
        act = "admit" if season.running else "accept"
        may_join = season.settings.latecomers if season.running else asks
        ways = [way(league, act, _("Let them join"), name=one.player)] if may_join else []
        needs.append(Need(_("Number {n}").format(n=place), said, [link_player(one.player)], ways))
    return NeedSection("waiting", _("Waiting for a place"), "", needs, is_news=asks)


def _about_game(league: League, fixture: Fixture, said: str) -> Need:
    players = [link_player(seat.player) for seat in fixture.match.seats.all()]
    ways = [way(league, "settle", _("Settle it"), game=fixture.pk)]
    if fixture.game is not None:
        ways.append(OrganiserAction(_("Look at the game"), reverse("games:table", args=[fixture.game.code])))
    return Need(format_match_name(fixture.match), said, players, ways)
