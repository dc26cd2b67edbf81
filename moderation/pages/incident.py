"""The page of an incident at the desk: reports, evidence, and records of the people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import Player
from accounts.references import show_rows
from games.models import Game, SeatState, Status, Visibility
from games.pages.parts.story import StoryEntry, build_story_entries
from games.pages.scene import Scene
from games.pages.scene.picture import draw_svg
from games.words.grammar import format_ordinal
from games.words.scores import format_points
from games.words.times import format_compact
from moderation.acts.evidence import list_players
from moderation.models import Category, Evidence, Incident, NamedKind, Report, Verdict
from moderation.selectors import incidents as known

REPORTS = 20
"""Maximum number of reports, and of acts, on the page, the latest ones."""

PACKS = 3
"""Maximum number of reports whose evidence is on the page, the latest ones."""


class ReportedNameLine(NamedTuple):
    """A reported name as it was then, with a link to change it."""

    kind: str
    name: str  # empty once it is deleted
    url: str


class ReportLine(NamedTuple):
    """Report of somebody."""

    name: str
    url: str  # of the reporter's page; empty for closed accounts
    record: str  # verdicts on the reporter's earlier reports
    category: str
    what: str  # the reported turn, if any
    message: str  # current text of the reported message, if any
    delete: int | None  # its key, if it can be deleted
    words: str
    at: datetime
    verdict: str  # own verdict; empty while it is open
    names: tuple[ReportedNameLine, ...]  # reported names of tables, teams and leagues


class TurnLine(NamedTuple):
    """A turn, or an act of the table."""

    at: datetime | None
    told: StoryEntry
    used: str
    brought: str
    reported: bool


class TalkLine(NamedTuple):
    """A message in evidence."""

    author: str
    at: datetime | None
    text: str
    reported: bool
    deleted: bool


class IncidentSeatLine(NamedTuple):
    """A seat in evidence."""

    name: str
    facts: tuple[str, ...]


class IncidentGameLine(NamedTuple):
    """One of a player's last games, in evidence."""

    name: str
    url: str
    facts: tuple[str, ...]


class Pack(NamedTuple):
    """The evidence of one report."""

    at: datetime
    name: str
    deadline: datetime | None
    seats: tuple[IncidentSeatLine, ...]
    turns: tuple[TurnLine, ...]
    talk: tuple[TalkLine, ...]
    games: tuple[IncidentGameLine, ...]


class Earlier(NamedTuple):
    """Another incident about the same person."""

    url: str
    opened: datetime
    said: str


class IncidentLogLine(NamedTuple):
    """Act of a moderator on the incident."""

    at: datetime
    said: str
    remark: str
    own_matter: bool


@dataclass(frozen=True, slots=True)
class IncidentPage:
    """The page of an incident."""

    incident: Incident
    heading: str
    verdict: str  # empty while it is open
    mine: bool  # whether the viewer has taken it
    number: str  # of reports
    sanction_query: str  # query for the pages of sanctions; empty for staff
    reports: tuple[ReportLine, ...]
    board: SafeString
    board_url: str  # of the turn, if the game is public
    packs: tuple[Pack, ...]
    earlier: tuple[Earlier, ...]
    log: tuple[IncidentLogLine, ...]


def build_page(incident: Incident, viewer: Player) -> IncidentPage:
    """Build the page of *incident* for *viewer*, who may decide it; it was loaded with its people, its game,
    and the number of its reports (``selectors.incidents.annotate_reports``)."""
    found = incident.reports.select_related("reporter", "message").prefetch_related("reported_names")
    reports = show_rows(found.order_by("-pk")[:REPORTS])
    evidence = list(incident.evidence.order_by("-pk")[:PACKS])
    scene = _scene(incident.game, viewer, evidence)
    names = _names(evidence)
    return IncidentPage(
        incident=incident,
        heading=_heading(incident),
        verdict=str(Verdict(incident.verdict).label) if incident.closed else "",
        mine=incident.looked_at_by_id == viewer.pk,
        number=_number(incident),
        sanction_query="" if incident.about.is_staff else urlencode({"incident": incident.pk}),
        reports=tuple(_reports(reports)),
        board=draw_svg(scene.picture) if scene is not None else SafeString(),
        board_url=_board_url(scene),
        packs=tuple(_pack(one, scene, names) for one in evidence),
        earlier=tuple(_earlier(other) for other in known.find_previous(incident, viewer)),
        log=tuple(_log(incident)),
    )


def list_reports(incident: Incident) -> list[tuple[int, str]]:
    """Return the reports of *incident* as choices, by their key."""
    rows = incident.reports.select_related("reporter").order_by("pk")
    lines = []
    for report in rows:
        facts = {"name": report.reporter.username, "category": Category(report.category).label}
        line = _("{name}: {category}").format(**facts)
        if report.ply is not None:
            line = _("{line}, turn {n}").format(line=line, n=report.ply)
        elif report.message_id is not None:
            line = _("{line}, a message").format(line=line)
        lines.append((report.pk, line))
    return lines


def _heading(incident: Incident) -> str:
    name = incident.about.username
    if incident.game is None:
        return _("Reports about {name}").format(name=name)
    return _("Reports about {name} in {game}").format(name=name, game=incident.game.name)


def _number(incident: Incident) -> str:
    number: int = incident.reported  # type: ignore[attr-defined]
    return ngettext("{n} report", "{n} reports", number).format(n=number)


def _scene(game: Game | None, viewer: Player, evidence: Sequence[Evidence]) -> Scene | None:
    """The board after the last reported turn, or at the time of the report."""
    if game is None or game.started is None or not evidence:
        return None
    found, ply = evidence[0].found, evidence[0].ply
    version, at = found["game"]["version"], found["game"]["ply"]
    for turn in found["turns"]:
        if ply is not None and turn["ply"] == ply:
            version, at = turn["version"], ply
    return Scene.of(game, viewer, version=version, ply=at)


def _board_url(scene: Scene | None) -> str:
    if scene is None or scene.game.visibility == Visibility.PRIVATE:
        return ""
    return scene.urls.ply(scene.ply) if scene.ply else scene.urls.table


def _names(evidence: Sequence[Evidence]) -> Mapping[int, str]:
    """The present names of everybody in *evidence*, by key; one query."""
    keys = list_players(one.found for one in evidence)
    return dict(Player.objects.filter(pk__in=keys).values_list("pk", "username"))


def _reports(reports: Sequence[Report]) -> Iterator[ReportLine]:
    records = known.load_records({report.reporter_id for report in reports})
    for report in reports:
        reporter, message = report.reporter, report.message
        record = records.get(reporter.pk, known.ReporterRecord(0, 0))
        yield ReportLine(
            name=reporter.username,
            url="" if reporter.closed else reverse("games:player", args=[reporter.username]),
            record=_("Decided: {decided}, upheld: {upheld}").format(**record._asdict()),
            category=str(Category(report.category).label),
            what="" if report.ply is None else _("Turn {n}").format(n=report.ply),
            message="" if message is None else message.text or _("This message was deleted."),
            delete=message.pk if message is not None and message.deleted is None else None,
            words=report.words,
            at=report.at,
            verdict=str(Verdict(report.verdict).label) if report.verdict else "",
            names=tuple(
                ReportedNameLine(
                    str(NamedKind(one.kind).label),
                    one.name,
                    reverse("moderation:desk_rename", args=[one.kind, one.key]),
                )
                for one in report.reported_names.all()
            ),
        )


def _pack(evidence: Evidence, scene: Scene | None, names: Mapping[int, str]) -> Pack:
    found = evidence.found
    turns = found.get("turns", ()) if scene is not None else ()
    return Pack(
        at=evidence.at,
        name=found.get("name", ""),
        deadline=_instant(found.get("game", {}).get("deadline")),
        seats=tuple(_seat(seat, names) for seat in found.get("seats", ())),
        turns=tuple(line for turn in turns for line in _turn(turn, scene, evidence.ply)),
        talk=tuple(_build_talk_line(line, names, evidence.message_id) for line in found.get("talk", ())),
        games=tuple(_game(game) for game in found.get("games", ())),
    )


def _seat(seat: Mapping[str, Any], names: Mapping[int, str]) -> IncidentSeatLine:
    facts = [format_points(seat["score"])]
    if seat["state"] != SeatState.PLAYING:
        facts.append(str(SeatState(seat["state"]).label))
    if seat["player"] is not None:
        bank, spent = (format_compact(timedelta(seconds=seat[name])) for name in ("bank", "spent"))
        facts.append(_("time bank {bank}, spent {spent}").format(bank=bank, spent=spent))
        facts.append(_("time-outs excused: {n}").format(n=seat["excuses"]))
    name = _("House bot") if seat["bot"] else names.get(seat["player"], _("free seat"))
    return IncidentSeatLine(name, tuple(facts))


def _turn(turn: Mapping[str, Any], scene: Scene | None, reported: int | None) -> Iterator[TurnLine]:
    assert scene is not None
    used = "" if turn["used"] is None else format_compact(timedelta(seconds=turn["used"]))
    brought = [
        _("{name}: +{n}").format(name=scene.names[int(seat)], n=number)
        for seat, number in turn["points"].items()
    ]
    for one in build_story_entries(scene, [turn]):
        marked = reported is not None and turn["ply"] == reported
        yield TurnLine(_instant(turn["at"]), one, used, ", ".join(brought), marked)


def _build_talk_line(line: Mapping[str, Any], names: Mapping[int, str], reported: int | None) -> TalkLine:
    return TalkLine(
        author=names.get(line["author"], ""),
        at=_instant(line["at"]),
        text=line["text"],
        reported=line["message"] == reported,
        deleted=line["deleted"],
    )


def _game(game: Mapping[str, Any]) -> IncidentGameLine:
    facts = [str(Status(game["status"]).label)]
    if game["state"] != SeatState.PLAYING:
        facts.append(str(SeatState(game["state"]).label))
    if game["rank"]:
        facts.append(format_ordinal(game["rank"]))
    facts.append(format_points(game["score"]))
    return IncidentGameLine(game["name"], reverse("moderation:desk_game", args=[game["code"]]), tuple(facts))


def _earlier(incident: Incident) -> Earlier:
    """The line of another incident, from ``find_previous``."""
    category: str = incident.category  # type: ignore[attr-defined]
    facts = [
        str(Category(category).label),
        _number(incident),
        str(Verdict(incident.verdict).label) if incident.closed else pgettext("incident", "open"),
    ]
    if incident.game is not None:
        facts.insert(0, incident.game.name)
    return Earlier(
        reverse("moderation:desk_incident", args=[incident.pk]), incident.opened, " · ".join(facts)
    )


def _log(incident: Incident) -> Iterator[IncidentLogLine]:
    for act in show_rows(incident.acts.select_related("who").order_by("-pk")[:REPORTS]):
        said = f"{act.who.username}: {act.get_kind_display()}"
        if act.verdict:
            said += f" ({act.get_verdict_display()})"
        yield IncidentLogLine(act.at, said, act.remark, bool(act.own_matter))


def _instant(at: str | None) -> datetime | None:
    return None if at is None else parse_datetime(at)
