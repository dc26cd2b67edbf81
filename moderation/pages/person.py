"""The page of a player at the desk: cases, sanctions and notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.models import Sanction
from games.words.times import format_day
from moderation.models import (
    Category,
    Incident,
    NameChange,
    NamedKind,
    Report,
    Signal,
    SignalKind,
    SignalVerdict,
    Verdict,
)
from moderation.pages.sanctions import MayDo, Past, build_past, find_permissions
from moderation.selectors import person_at_desk as known
from moderation.selectors.desk_search import load_former_names


class CaseLine(NamedTuple):
    """A line that links to a case."""

    said: str
    url: str
    at: datetime
    state: str


class NoteLine(NamedTuple):
    """A note of a moderator."""

    author: str
    at: datetime
    text: str


class ChangedNameLine(NamedTuple):
    """A name that a moderator changed."""

    said: str
    at: datetime
    who: str
    reason: str


class PersonSection(NamedTuple):
    """A part of the page; *more* says that there are older lines than it shows."""

    slug: str
    title: str
    number: str  # of lines
    lines: tuple[Any, ...]
    more: bool
    open: bool  # whether it is shown unfolded


@dataclass(frozen=True, slots=True)
class DeskPerson:
    """The page of a player at the desk."""

    player: Player
    formerly: str
    age: str  # of the account
    state: str  # of the account, if notable
    may: MayDo
    in_force: tuple[Past, ...]
    past: tuple[Past, ...]
    appeals: tuple[Past, ...]  # sanctions with an appeal
    older: bool  # whether there are older sanctions
    about: PersonSection  # cases about them
    reported: PersonSection  # cases they reported
    signals: PersonSection
    names: PersonSection
    notes: PersonSection


def build_person_page(player: Player, viewer: Player, now: datetime) -> DeskPerson:
    """The page of *player* for *viewer*, a moderator; eight queries and those of ranks."""
    formerly = load_former_names([player]).get(player.pk, [])
    found = known.find_sanctions(player)
    told = [(one, build_past(one, now)) for one in found.rows]
    return DeskPerson(
        player=player,
        formerly=", ".join(formerly),
        age=_("{age}, since {day}").format(
            age=timesince(player.date_joined, now), day=format_day(player.date_joined)
        ),
        state=_state(player),
        may=find_permissions(viewer, player),
        in_force=tuple(line for one, line in told if one.in_force(now)),
        past=tuple(line for one, line in told if not one.in_force(now)),
        appeals=tuple(line for one, line in told if _has_appeal(one)),
        older=found.more,
        about=_part(
            "about", _("Cases about this person"), known.find_incidents_about(player, viewer), _incident
        ),
        reported=_part(
            "reported", _("Reports by this person"), known.find_reports_by(player, viewer), _report
        ),
        signals=_part("signals", _("Signals of fair play"), known.find_signals(player, viewer), _signal),
        names=_part("names", _("Names that were changed"), known.find_name_changes(player), _name),
        notes=_part("notes", _("Notes of moderators"), known.find_notes_about(player), _note, shown=True),
    )


def _part(slug: str, title: str, found: known.NewestRows, line: Any, *, shown: bool = False) -> PersonSection:
    lines = tuple(map(line, found.rows))
    number = f"{len(lines)}+" if found.more else str(len(lines))
    waits = any(isinstance(one, CaseLine) and not one.state for one in lines)
    return PersonSection(slug, title, number, lines, found.more, waits or (shown and bool(lines)))


def _state(player: Player) -> str:
    if player.closed is not None:
        return _("This account is closed.")
    if player.closes is not None:
        return _("The account is to be closed on {day}.").format(day=format_day(player.closes))
    if not player.is_active:
        return _("This account can't sign in.")
    return _("A guest, without an account") if player.provisional else ""


def _has_appeal(sanction: Sanction) -> bool:
    return getattr(sanction, "appeal", None) is not None


def _incident(incident: Incident) -> CaseLine:
    number: int = incident.reported  # type: ignore[attr-defined]
    category = str(Category(incident.category).label)  # type: ignore[attr-defined]
    reports = ngettext("{n} report", "{n} reports", number).format(n=number)
    said = _("{what} ({reports})").format(what=category, reports=reports)
    if incident.game is not None:
        said = _("{what} in {game} ({reports})").format(
            what=category, game=incident.game.name, reports=reports
        )
    return CaseLine(said, _incident_url(incident), incident.opened, _verdict(incident))


def _report(report: Report) -> CaseLine:
    about = report.incident.about.username
    said = _("{name}: {category}").format(name=about, category=Category(report.category).label)
    verdict: str = report.verdict_of_it  # type: ignore[attr-defined]
    state = str(Verdict(verdict).label) if verdict else ""
    return CaseLine(said, _incident_url(report.incident), report.at, state)


def _incident_url(incident: Incident) -> str:
    return reverse("moderation:desk_incident", args=[incident.pk])


def _verdict(incident: Incident) -> str:
    return str(Verdict(incident.verdict).label) if incident.closed else ""


def _signal(signal: Signal) -> CaseLine:
    people = [one.username for one in (signal.subject, signal.other) if one is not None]
    said = _("{name}: {kind}").format(name=", ".join(people), kind=SignalKind(signal.kind).label)
    state = str(SignalVerdict(signal.verdict).label) if signal.verdict else ""
    return CaseLine(said, reverse("moderation:signal", args=[signal.pk]), signal.found, state)


def _name(change: NameChange) -> ChangedNameLine:
    before = change.before or "…"
    said = _("{kind}: “{before}” became “{after}”").format(
        kind=NamedKind(change.kind).label, before=before, after=change.after
    )
    return ChangedNameLine(said, change.at, change.who.username, change.reason)


def _note(note: Any) -> NoteLine:
    return NoteLine(note.author.username, note.at, note.text)
