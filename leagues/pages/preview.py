"""Preview of the next steps of a season with their dates, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words import times
from games.words.times import format_when
from leagues.models import Division, Entry, Kind, Phase, Season
from leagues.pages.names import NameLink, format_division_name, format_round_name, link_player
from leagues.schedules.groups import count_groups
from leagues.seasons.drawing import FEWEST
from leagues.seasons.finals import waits_for_finals
from leagues.seasons.protests import find_division_protest_end, find_season_protest_end
from leagues.selectors import preview as found
from leagues.settings import Schedule
from leagues.words import settings_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DIVISIONS = 3
"""Number of divisions shown one by one, besides that of the visitor."""

ALONE: Mapping[Schedule, StrOrPromise] = {
    Schedule.KNOCK_OUT: gettext_lazy("As it stands now, {n} players play in the knock-out."),
    Schedule.LADDER: gettext_lazy("As it stands now, {n} players are on the ladder."),
}
"""Texts for schedules in which all players are in one division."""


class MovesLine(NamedTuple):
    """Players who would move from a division as its table stands."""

    division: str
    url: str
    up: list[NameLink]
    down: list[NameLink]


@dataclass(frozen=True, slots=True)
class PreviewStep:
    """A step that comes at a known time, or when something else has happened."""

    text: str
    at: datetime | None = None
    waits: tuple[str, ...] = ()  # conditions it waits for
    moves: tuple[MovesLine, ...] = ()


def build_steps(season: Season, own: Entry | None) -> list[PreviewStep]:
    """Return the next steps of *season*; *own* is the visitor's entry, if any."""
    if season.phase == Phase.REGISTRATION:
        return [_draw(season, own), _end(season), *_following(season)]
    if season.phase == Phase.RUNNING:
        return [*_running(season, own), *_following(season)]
    return []


def _draw(season: Season, own: Entry | None) -> PreviewStep:
    if season.settings.teams is not None:
        told = [_("Registration ends, and the season begins."), _teams_drawn(season)]
        return PreviewStep(" ".join(told), season.begins)
    draw = found.preview_draw(season, own)
    told = [_("Registration ends, and the season begins."), _describe_draw(draw, season.settings.schedule)]
    if draw.own is not None and len(draw.sizes) > 1:
        told.append(_("You would play in division {n}.").format(n=draw.own))
    return PreviewStep(" ".join(told), season.begins)


def _describe_draw(draw: found.DrawPreview, schedule: Schedule) -> str:
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
    """Describe the draw of teams; only those with enough players take part."""
    n, settings = found.count_teams(season), season.settings
    if n < FEWEST:
        return _("With fewer than two full teams, the start is postponed.")
    if settings.schedule == Schedule.KNOCK_OUT:
        return _("As it stands now, {n} teams play in the knock-out.").format(n=n)
    if settings.schedule == Schedule.GROUPS:
        groups = count_groups(settings.division_size, n)
        return _("As it stands now, {n} teams are drawn into {groups} groups.").format(n=n, groups=groups)
    return _("As it stands now, {n} teams have enough players.").format(n=n)


def _end(season: Season) -> PreviewStep:
    return PreviewStep(
        " ".join([_("Latest end of the season."), *settings_text.describe_movement(season.settings)]),
        season.ends,
    )


def _following(season: Season) -> Iterator[PreviewStep]:
    if season.settings.again and season.league.closed is None:
        told = _("Registration for season {n} then opens for {time}.")
        length = times.format_span(season.league.settings.registration)
        yield PreviewStep(told.format(n=season.number + 1, time=length))


def _running(season: Season, own: Entry | None) -> Iterator[PreviewStep]:
    if season.settings.schedule == Schedule.LADDER:
        yield PreviewStep(_("The season ends, and the ladder is final."), season.ends)
        return
    if season.settings.teams is not None:
        yield from _running_teams(season)
        return
    divisions = list(season.divisions.order_by("level"))
    left = found.count_undecided(season)
    yield from _rounds(divisions, left, own)
    if waits_for_finals(season):
        yield PreviewStep(_("The knock-out begins as soon as all matches of the groups are decided."))
    yield from _list_remaining_steps(season, sum(left.values()))
    yield PreviewStep(_("Latest end of the season."), season.ends)
    moves = tuple(_moves(season, _list_shown_divisions(divisions, own), divisions))
    if moves:
        yield PreviewStep(_("If it ended with the tables as they are now:"), moves=moves)


def _list_remaining_steps(season: Season, n: int) -> Iterator[PreviewStep]:
    """The matches still undecided, else the end of the protest time (STAND-17)."""
    told = ngettext(
        "{n} match is not decided yet. The season ends as soon as nothing is left to play.",
        "{n} matches are not decided yet. The season ends as soon as nothing is left to play.",
        n,
    ).format(n=n)
    yield PreviewStep(told if n else _("Everything drawn so far is decided."))
    if n or waits_for_finals(season):
        return
    ends = find_season_protest_end(season, season.ends)
    if ends is not None:
        yield PreviewStep(_("The season closes, unless a result is corrected before."), ends)


def _running_teams(season: Season) -> Iterator[PreviewStep]:
    """The dates of the next rounds of teams, and what a knock-out waits for."""
    rules = season.settings.teams
    assert rules is not None
    divisions = found.load_team_divisions(season)
    dated: dict[datetime, list[str]] = {}
    undrawn = []
    for division in divisions:
        begins: datetime | None = division.begins  # type: ignore[attr-defined]
        if begins is not None:
            named = _("{division}: {round}").format(
                division=format_division_name(division), round=format_round_name(division, division.drawn + 1)
            )
            dated.setdefault(begins, []).append(named)
        elif division.drawn < division.rounds:
            undrawn.append(_round(division, division.left))  # type: ignore[attr-defined]
    for begins in sorted(dated):
        yield PreviewStep(_("The line-ups of the next rounds close."), begins - rules.closes)
        yield PreviewStep(
            _("These rounds begin, and their line-ups are shown:"), begins, waits=tuple(dated[begins])
        )
    if undrawn:
        yield PreviewStep(_("The next rounds are drawn:"), waits=tuple(undrawn))
    if season.settings.schedule == Schedule.GROUPS and all(one.kind == Kind.TABLE for one in divisions):
        yield PreviewStep(_("The knock-out begins as soon as all matches of the groups are decided."))
    yield from _list_remaining_steps(season, sum(division.left for division in divisions))  # type: ignore[attr-defined]
    yield _end(season)


def _list_shown_divisions(divisions: Sequence[Division], own: Entry | None) -> list[Division]:
    """The first divisions, and that of the visitor."""
    mine = own.division_id if own is not None else None
    return [one for at, one in enumerate(divisions) if at < DIVISIONS or one.pk == mine]


def _rounds(divisions: Sequence[Division], left: dict[int, int], own: Entry | None) -> Iterator[PreviewStep]:
    """The next rounds of divisions that are drawn round by round."""
    waiting = [division for division in divisions if division.drawn < division.rounds]
    if not waiting:
        return
    shown = _list_shown_divisions(waiting, own)
    lines = [_round(division, left.get(division.pk, 0)) for division in shown]
    if more := len(waiting) - len(shown):
        told = ngettext(
            "{n} more division waits for its next round.",
            "{n} more divisions wait for their next rounds.",
            more,
        )
        lines.append(told.format(n=more))
    yield PreviewStep(_("The next rounds are drawn:"), waits=tuple(lines))


def _round(division: Division, left: int) -> str:
    named = {
        "division": format_division_name(division),
        "round": division.drawn + 1,
        "rounds": division.rounds,
        "n": left,
    }
    ends = find_division_protest_end(division) if not left else None
    if ends is not None:
        told = _("{division}: round {round} of {rounds}, on {when}, unless a result is corrected before.")
        return told.format(when=format_when(ends), **named)
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
    for moves in found.preview_moves(divisions, shown):
        if moves.up or moves.down:
            yield MovesLine(
                format_division_name(moves.division),
                reverse("league:division", args=[season.league.slug, season.number, moves.division.level]),
                [link_player(entry.player) for entry in moves.up],
                [link_player(entry.player) for entry in moves.down],
            )
