"""What comes next in a league: steps with their dates, in the order in which they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import times
from leagues.models import Division, Entry, Kind, Phase, Season
from leagues.pages.names import division_name, round_name
from leagues.pages.who import Who, who
from leagues.schedules.groups import groups_of_at_most
from leagues.seasons.drawing import FEWEST
from leagues.seasons.finals import waits_for_finals
from leagues.selectors import preview as found
from leagues.settings import Schedule
from leagues.words import agreed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DIVISIONS = 3
"""So many are told of one by one, and besides the one of whoever looks."""

ALONE: Mapping[Schedule, StrOrPromise] = {
    Schedule.KNOCK_OUT: gettext_lazy("As it stands now, {n} players play in the knock-out."),
    Schedule.LADDER: gettext_lazy("As it stands now, {n} players are on the ladder."),
}
"""Where all players are in one division, what is said of them."""


class MovesLine(NamedTuple):
    """Who would move from a division as its table stands."""

    division: str
    url: str
    up: list[Who]
    down: list[Who]


@dataclass(frozen=True, slots=True)
class Step:
    """Something that comes, at a known time or when something else has happened."""

    text: str
    at: datetime | None = None
    waits: tuple[str, ...] = ()  # what it waits for
    moves: tuple[MovesLine, ...] = ()


def steps_of(season: Season, own: Entry | None) -> list[Step]:
    """What comes next in *season*, in which *own* is the entry of whoever looks, if any."""
    if season.phase == Phase.REGISTRATION:
        return [_draw(season, own), _end(season), *_following(season)]
    if season.phase == Phase.RUNNING:
        return [*_running(season, own), *_following(season)]
    return []


def _draw(season: Season, own: Entry | None) -> Step:
    if season.settings.teams is not None:
        told = [_("Registration ends, and the season begins."), _teams_drawn(season)]
        return Step(" ".join(told), season.begins)
    draw = found.draw_of(season, own)
    told = [_("Registration ends, and the season begins."), _drawn(draw, season.settings.schedule)]
    if draw.own is not None and len(draw.sizes) > 1:
        told.append(_("You would play in division {n}.").format(n=draw.own))
    return Step(" ".join(told), season.begins)


def _drawn(draw: found.Draw, schedule: Schedule) -> str:
    """Into what divisions players would be drawn as it stands now."""
    players, divisions = draw.players, len(draw.sizes)
    if players < FEWEST:
        return _("With fewer than two players, the start is postponed.")
    if schedule in ALONE:
        return str(ALONE[schedule]).format(n=players)
    if schedule == Schedule.GROUPS:
        return _("As it stands now, {n} players are drawn into {groups} groups.").format(
            n=players, groups=divisions
        )
    if divisions == 1:
        return _("As things are now, all {n} players play in one division.").format(n=players)
    least, most = min(draw.sizes), max(draw.sizes)
    if least == most:
        told = _("As it stands now, {n} players are drawn into {divisions} divisions of {most}.")
    else:
        told = _("As it stands now, {n} players are drawn into {divisions} divisions of {least} to {most}.")
    return told.format(n=players, divisions=divisions, least=least, most=most)


def _teams_drawn(season: Season) -> str:
    """The same of teams, of which those with enough players take part."""
    n, settings = found.teams_of(season), season.settings
    if n < FEWEST:
        return _("With fewer than two full teams, the start is postponed.")
    if settings.schedule == Schedule.KNOCK_OUT:
        return _("As it stands now, {n} teams play in the knock-out.").format(n=n)
    if settings.schedule == Schedule.GROUPS:
        groups = groups_of_at_most(settings.division_size, n)
        return _("As it stands now, {n} teams are drawn into {groups} groups.").format(n=n, groups=groups)
    return _("As it stands now, {n} teams have enough players.").format(n=n)


def _end(season: Season) -> Step:
    return Step(" ".join([_("Latest end of the season."), *agreed.moving(season.settings)]), season.ends)


def _following(season: Season) -> Iterator[Step]:
    if season.settings.again and season.league.closed is None:
        told = _("Registration for season {n} then opens for {time}.")
        length = times.span_in_words(season.league.settings.registration)
        yield Step(told.format(n=season.number + 1, time=length))


def _running(season: Season, own: Entry | None) -> Iterator[Step]:
    if season.settings.schedule == Schedule.LADDER:
        yield Step(_("The season ends, and the ladder is final."), season.ends)
        return
    if season.settings.teams is not None:
        yield from _running_teams(season)
        return
    divisions = list(season.divisions.order_by("level"))
    left = found.undecided(season)
    yield from _rounds(divisions, left, own)
    if waits_for_finals(season):
        yield Step(_("The knock-out begins as soon as all matches of the groups are decided."))
    yield _left(sum(left.values()))
    yield Step(_("Latest end of the season."), season.ends)
    moves = tuple(_moves(season, _shown(divisions, own), divisions))
    if moves:
        yield Step(_("If it ended with the tables as they are now:"), moves=moves)


def _left(n: int) -> Step:
    """So many matches that are drawn are not decided."""
    told = ngettext(
        "{n} match is not decided yet. The season ends as soon as nothing is left to play.",
        "{n} matches are not decided yet. The season ends as soon as nothing is left to play.",
        n,
    ).format(n=n)
    return Step(told if n else _("Everything drawn so far is decided."))


def _running_teams(season: Season) -> Iterator[Step]:
    """Of teams, whose rounds have their dates: the next of these, and what a knock-out waits for."""
    rules = season.settings.teams
    assert rules is not None
    divisions = found.team_divisions(season)
    dated: dict[datetime, list[str]] = {}
    undrawn = []
    for division in divisions:
        begins: datetime | None = division.begins  # type: ignore[attr-defined]
        if begins is not None:
            named = _("{division}: {round}").format(
                division=division_name(division), round=round_name(division, division.drawn + 1)
            )
            dated.setdefault(begins, []).append(named)
        elif division.drawn < division.rounds:
            undrawn.append(_round(division, division.left))  # type: ignore[attr-defined]
    for begins in sorted(dated):
        yield Step(_("The line-ups of the next rounds close."), begins - rules.closes)
        yield Step(_("These rounds begin, and their line-ups are shown:"), begins, waits=tuple(dated[begins]))
    if undrawn:
        yield Step(_("The next rounds are drawn:"), waits=tuple(undrawn))
    if season.settings.schedule == Schedule.GROUPS and all(one.kind == Kind.TABLE for one in divisions):
        yield Step(_("The knock-out begins as soon as all matches of the groups are decided."))
    yield _left(sum(division.left for division in divisions))  # type: ignore[attr-defined]
    yield _end(season)


def _shown(divisions: Sequence[Division], own: Entry | None) -> list[Division]:
    """The first divisions, and that of whoever looks."""
    mine = own.division_id if own is not None else None
    return [one for at, one in enumerate(divisions) if at < DIVISIONS or one.pk == mine]


def _rounds(divisions: Sequence[Division], left: dict[int, int], own: Entry | None) -> Iterator[Step]:
    """Of divisions in which rounds are drawn one after the other: what the next one waits for."""
    waiting = [division for division in divisions if division.drawn < division.rounds]
    if not waiting:
        return
    shown = _shown(waiting, own)
    lines = [_round(division, left.get(division.pk, 0)) for division in shown]
    if more := len(waiting) - len(shown):
        told = ngettext(
            "{n} more division waits for its next round.",
            "{n} more divisions wait for their next rounds.",
            more,
        )
        lines.append(told.format(n=more))
    yield Step(_("The next rounds are drawn:"), waits=tuple(lines))


def _round(division: Division, left: int) -> str:
    named = {
        "division": division_name(division),
        "round": division.drawn + 1,
        "rounds": division.rounds,
        "n": left,
    }
    if not left:
        return _("{division}: round {round} of {rounds}, within minutes.").format(**named)
    told = ngettext(
        "{division}: round {round} of {rounds}, as soon as {n} more match is decided.",
        "{division}: round {round} of {rounds}, as soon as {n} more matches are decided.",
        left,
    )
    return told.format(**named)


def _moves(season: Season, shown: Sequence[Division], divisions: Sequence[Division]) -> Iterator[MovesLine]:
    rules = season.settings.standings
    if len(divisions) < 2 or not (rules.up or rules.down):
        return
    for moves in found.moves_as_it_stands(shown, lowest=divisions[-1].level):
        if moves.up or moves.down:
            yield MovesLine(
                division_name(moves.division),
                reverse("league:division", args=[season.league.slug, season.number, moves.division.level]),
                [who(entry.player) for entry in moves.up],
                [who(entry.player) for entry in moves.down],
            )
