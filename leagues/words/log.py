"""Texts of the log of a league, with values before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.lost_choices import LostChoice
from games.words.times import format_when, format_when_and_zone
from leagues.setting_fields import list_settings
from leagues.settings import LeagueSettings
from leagues.words.criteria import format_number

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Details = Mapping[str, Any]
Names = Mapping[int, str]

ACTS: Mapping[str, StrOrPromise] = {
    "found": gettext_lazy("founded the league"),
    "open": gettext_lazy("opened registration"),
    "begin": gettext_lazy("began the season"),
    "cancel": gettext_lazy("cancelled the season: too few came"),
    "finals": gettext_lazy("began the knock-out"),
    "challenge": gettext_lazy("challenged somebody above"),
    "postpone": gettext_lazy("postponed the beginning: too few came"),
    "cut_short": gettext_lazy("ended the rounds of a division early: no one was left to play"),
    "close": gettext_lazy("closed the season"),
    "withdraw": gettext_lazy("withdrew from the season"),
    "register": gettext_lazy("registered"),
    "accept": gettext_lazy("let someone register"),
    "join": gettext_lazy("let someone join the current season"),
    "ask_substitute": gettext_lazy("asked for a substitute"),
    "replace": gettext_lazy("let a substitute play on"),
    "team_found": gettext_lazy("founded the team {team}"),
    "team_join": gettext_lazy("joined the team {team}"),
    "team_remove": gettext_lazy("removed a player from the team {team}"),
    "team_withdraw": gettext_lazy("withdrew the team {team} from the season"),
    "team_short": gettext_lazy("left out the team {team}: too few players"),
    "captain": gettext_lazy("handed the team {team} over to another captain"),
    "succeed": gettext_lazy("named the next captain of the team {team}"),
    "vice_captain": gettext_lazy("named a vice-captain of the team {team}"),
    "no_vice_captain": gettext_lazy("dismissed the vice-captain of the team {team}"),
    "line_up": gettext_lazy("set the line-up of {team}"),
    "substitute": gettext_lazy("sent a substitute for {team}"),
    "settle": gettext_lazy("settled a game"),
    "take_out": gettext_lazy("took a player out of the season"),
    "penalty": gettext_lazy("set penalty points"),
    "seeds": gettext_lazy("put the seeds in order by hand"),
    "extend": gettext_lazy("gave more time"),
    "end_early": gettext_lazy("ended the season early: no further round is drawn"),
    "move_end": gettext_lazy("moved the end of the season: results came late"),
    "announce": gettext_lazy("made an announcement"),
    "name_organiser": gettext_lazy("named an organiser"),
    "remove_organiser": gettext_lazy("removed an organiser"),
    "inherit": gettext_lazy("noted that no organiser is left: this site's team looks after the league"),
    "lacks_organiser": gettext_lazy(
        "did not open the next season: something is at stake, and there is only one organiser"
    ),
    "close_league": gettext_lazy("closed the league: no more seasons open"),
    "call_off_season": gettext_lazy("cancelled the season"),
    "open_next": gettext_lazy("opened the next season by hand"),
    "rename_team": gettext_lazy("a moderator of the site renamed a team: it is called {team} now"),
    "rename_league": gettext_lazy("a moderator of the site renamed the league"),
    "edit": gettext_lazy("changed the rules"),
}
"""Texts by ``LogEntry.act``."""

NAMES: Mapping[str, StrOrPromise] = {
    "name": gettext_lazy("Name"),
    "begins": gettext_lazy("Start of the season"),
    "seats": gettext_lazy("Players at a table"),
    **{there.name: there.metadata["log"] for there in fields(LeagueSettings)},
}
"""Names of what an act can change, by key of the settings as they are stored."""

SHOWN = {"name", "seats", *(there.name for there in fields(LeagueSettings) if type(there.default) is int)}
"""Keys with values to show."""


def describe_act(name: str, details: Mapping[str, object] | None = None) -> str:
    """Describe an act; an unknown name is shown itself."""
    return str(ACTS.get(name, name)).format_map({"team": "", **(details or {})})


def list_people(details: Details) -> Iterator[int]:
    """Yield the players named in *details*, by primary key, so that their names can be loaded at once."""
    if "player" in details:
        yield details["player"]
    yield from details.get("opponents", ())
    for key in ("before", "after"):
        told = details.get(key)
        if isinstance(told, int):
            yield told
        elif isinstance(told, list):
            yield from (player for player, _rank in told)


def describe_change(name: str, details: Details, names: Names) -> str:
    """Describe the values before and after an act; empty if there are none."""
    teller = _TELLERS.get(name)
    told = teller(details, names) if teller is not None else ""
    return f"{told} {describe_own_matter()}".strip() if details.get("own_matter") else told


def describe_own_matter() -> str:
    """Say that an organiser decided in own matters (STAND-18)."""
    return _("A decision in the organiser's own matters: no other organiser is less involved.")


def format_ranking(ranks: Iterable[Iterable[int]], names: Names) -> str:
    """Format a result by *ranks* of players.

    >>> format_ranking([[7, 1], [8, 2]], {7: "Ann", 8: "Ben"})
    '1. Ann, 2. Ben'
    """
    listed = [(rank, names.get(player, "?")) for player, rank in ranks]
    if listed and all(rank > 1 for rank, _name in listed):
        return _("nobody has won")
    return ", ".join(f"{rank}. {name}" for rank, name in listed)


def day(stored: str) -> str:
    """Format an instant stored in the log for the reader."""
    return format_when(datetime.fromisoformat(stored))


def _describe_settlement(details: Details, names: Names) -> str:
    where = _("Division {division}, round {round}.").format(
        division=details["division"], round=details["round"]
    )
    before = format_ranking(details["before"], names) or _("no result")
    changed = _("Before: {before}. After: {after}.").format(
        before=before, after=format_ranking(details["after"], names)
    )
    late = describe_what_stands() if details.get("late") else ""
    return f"{where} {changed} {late}".rstrip()


def describe_what_stands() -> str:
    """Describe what a late correction doesn't change (STAND-17)."""
    return _("Matches and seasons that have already started because of the old result stay as they are.")


def _describe_penalty(details: Details, names: Names) -> str:
    name = details.get("team") or names.get(details.get("player", 0), "?")
    where = _("Division {division}.").format(division=details["division"])
    changed = _("Before: {before}. After: {after}.").format(
        before=format_number(details["before"]), after=format_number(details["after"])
    )
    late = describe_what_stands_after_penalty() if details["late"] else ""
    return f"{name}. {where} {changed} {late}".rstrip()


def describe_what_stands_after_penalty() -> str:
    """Describe what late penalty points don't change (STAND-17)."""
    return _("Matches and seasons that have already started because of the old table stay as they are.")


def _describe_date_change(details: Details, names: Names) -> str:
    return _("Before: {before}. After: {after}.").format(
        before=day(details["before"]), after=day(details["after"])
    )


def _describe_extension(details: Details, names: Names) -> str:
    moved = _describe_date_change(details, names)
    if "division" not in details:
        return f"{_('The season.')} {moved}"
    where = _("Division {division}, round {round}.") if details["round"] else _("Division {division}.")
    where = where.format(**details)
    players = " – ".join(names.get(player, "?") for player in details.get("opponents", ()))
    return " ".join(filter(None, (players and f"{players}.", where, moved)))


def _describe_moved_end(details: Details, names: Names) -> str:
    where = _("Division {division}, round {round}.").format(**details)
    return f"{where} {_describe_date_change(details, names)}"


def _describe_early_end(details: Details, names: Names) -> str:
    told = _("Division {division} ends after round {round}.")
    return " ".join(told.format(division=level, round=drawn) for level, drawn in details["rounds"])


def _describe_substitution(details: Details, names: Names) -> str:
    n = details["matches"]
    text = ngettext(
        "{after} substitutes for {before} in {n} match.",
        "{after} substitutes for {before} in {n} matches.",
        n,
    )
    return text.format(before=names.get(details["before"], "?"), after=names.get(details["after"], "?"), n=n)


def _describe_join(details: Details, names: Names) -> str:
    return _("{player} plays in division {division}.").format(
        player=names.get(details["player"], "?"), division=details["division"]
    )


def _format_player(details: Details, names: Names) -> str:
    return names.get(details["player"], "?")


def _cut_short(details: Details, names: Names) -> str:
    return _("Division {division}. Rounds before: {rounds}. After: {drawn}.").format(**details)


def _format_count(details: Details, names: Names) -> str:
    if "teams" in details:
        return ngettext("{n} team", "{n} teams", details["teams"]).format(n=details["teams"])
    n = details["players"]
    return ngettext("{n} player", "{n} players", n).format(n=n)


def _describe_edit(details: Details, names: Names) -> str:
    """Changed settings with their values before and after."""
    changed = {key: values for key, values in details["changed"].items() if key in NAMES}
    settings = list(_list_changed_settings(*details["settings"])) if details.get("settings") else []
    said = []
    for key, (before, after) in changed.items():
        if key == "begins":
            before, after = (format_when_and_zone(datetime.fromisoformat(at)) for at in (before, after))
        elif settings and key != "name":
            continue
        elif key not in SHOWN:  # of older releases, which didn't store all settings
            said.append(str(NAMES[key]))
            continue
        said.append(_format_values(NAMES[key], before, after))
    return "; ".join([*said, *settings])


def _list_changed_settings(before: Details, after: Details) -> Iterator[str]:
    """Yield the settings that differ, with their values *before* and *after*."""
    try:
        was, now = LeagueSettings.from_json(before), LeagueSettings.from_json(after)
    except LostChoice:  # of a later release
        return
    told = set()
    for each in list_settings(LeagueSettings):
        values = each.show(was), each.show(now)
        if values[0] != values[1] and values not in told:  # some settings share a sentence
            told.add(values)
            yield _format_values(each.log_name, *values)


def _format_values(what: StrOrPromise, before: object, after: object) -> str:
    return _("{what}: {before}, now {after}").format(what=what, before=before or "–", after=after or "–")


_TELLERS: Mapping[str, Callable[[Details, Names], str]] = {
    "settle": _describe_settlement,
    "extend": _describe_extension,
    "postpone": _describe_date_change,
    "move_end": _describe_moved_end,
    "end_early": _describe_early_end,
    "replace": _describe_substitution,
    "join": _describe_join,
    "take_out": _format_player,
    "penalty": _describe_penalty,
    "name_organiser": _format_player,
    "succeed": _format_player,
    "ask_substitute": _format_player,
    "remove_organiser": _format_player,
    "accept": _format_player,
    "cut_short": _cut_short,
    "begin": _format_count,
    "finals": _format_count,
    "cancel": _format_count,
    "call_off_season": _format_count,
    "edit": _describe_edit,
}
