"""Preview of the next steps of a season with their dates, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.words import times
from games.words.times import format_when
from leagues.models import Division, Entry, Phase, Season
from leagues.seasons.protests import find_division_protest_end, find_season_protest_end
from leagues.selectors.preview import MovesPreview, count_undecided, load_team_divisions, preview_moves
from leagues.words import settings_text

DIVISIONS = 3
"""Number of divisions shown one by one, besides that of the visitor."""


@dataclass(frozen=True, slots=True)
class PreviewStep:
    """A step that comes at a known time, or when something else has happened."""

    text: str
    at: datetime | None = None
    waits: tuple[str, ...] = ()  # conditions it waits for
    moves: Sequence[MovesPreview] = ()


def build_steps(season: Season, own: Entry | None) -> list[PreviewStep]:
    """Return the next steps of *season*; *own* is the visitor's entry, if any."""
    if season.phase == Phase.REGISTRATION:
        return [_draw(season, own), _end(season), *_following(season)]
    if season.phase == Phase.RUNNING:
        return [*season.format.list_coming_steps(season, own), *_following(season)]
    return []


def _draw(season: Season, own: Entry | None) -> PreviewStep:
    begun = _("Registration ends, and the season begins.")
    return PreviewStep(" ".join([begun, *season.contenders.list_draw_sentences(season, own)]), season.begins)


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


def list_steps_of_players(season: Season, own: Entry | None) -> Iterator[PreviewStep]:
    """Yield the next steps of *season*, which runs, of single players."""
    divisions = list(season.divisions.order_by("level"))
    left = count_undecided(season)
    yield from _rounds(divisions, left, own)
    if season.format.waits_for_finals(season, divisions):
        yield PreviewStep(_("The knock-out begins as soon as all matches of the groups are decided."))
    yield from _list_remaining_steps(season, sum(left.values()))
    yield PreviewStep(_("Latest end of the season."), season.ends)
    moves = _list_moves(season, _list_shown_divisions(divisions, own), divisions)
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
    if n:
        return
    ends = find_season_protest_end(season, season.ends)
    if ends is not None:
        yield PreviewStep(_("The season closes, unless a result is corrected before."), ends)


def list_steps_of_teams(season: Season) -> Iterator[PreviewStep]:
    """Yield the dates of the next rounds of teams, and what a knock-out waits for."""
    rules = season.settings.team_rules
    divisions = load_team_divisions(season)
    dated: dict[datetime, list[str]] = {}
    undrawn = []
    for division in divisions:
        begins: datetime | None = division.begins  # type: ignore[attr-defined]
        if begins is not None:
            named = _("{division}: {round}").format(
                division=division.name, round=division.name_round(division.drawn + 1)
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
    if season.format.waits_for_finals(season, divisions):
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
        "division": division.name,
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


def _list_moves(
    season: Season, shown: Sequence[Division], divisions: Sequence[Division]
) -> list[MovesPreview]:
    rules = season.settings.standings
    if len(divisions) < 2 or not (rules.up or rules.down):
        return []
    return [moves for moves in preview_moves(divisions, shown) if moves.up or moves.down]
