"""Search at the moderators' desk, by a name, a game, or words. Results never concern the viewer.

Each kind is one query that reads a page of rows and one more. Full-text search covers the tables of
moderation and reported messages: never unreported ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import names
from accounts.models import AccountAct, Player
from accounts.references import find_in, find_references, show_rows
from games import access
from games.models import Game, ModerationAct, Move, Sanction, Seat
from moderation.access import find_incidents_of_others
from moderation.models import ModeratorNote, Report

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

A_PAGE = 20
MOST_PAGES = 50
"""Maximum page number of the results."""

SHORTEST = 2
"""Minimum length of words searched in texts, in characters; shorter ones are in every text."""

LEFT = 160
"""Maximum length of the excerpt of a text, in characters."""


class Hit(NamedTuple):
    """A result."""

    what: str
    url: str
    at: datetime | None
    text: str = ""


class Hits(NamedTuple):
    """A page of results of one kind."""

    slug: str
    title: str
    lines: tuple[Hit, ...]
    page: int
    more: bool  # whether there are more than on this page


class SearchTerms(NamedTuple):
    """Terms of a search: *text*, and its *stored* forms where people are written as references."""

    text: str
    stored: tuple[str, ...]


class SearchKind(NamedTuple):
    """A kind of results: *find* returns the rows for a text, *tell* a line for each."""

    title: StrOrPromise
    least: int  # letters
    find: Callable[[SearchTerms, Player], QuerySet]
    tell: Callable[[Sequence, str], Sequence[Hit]]


def search(text: str, viewer: Player, *, kind: str = "", page: int = 1) -> tuple[Hits, ...]:
    """Return the results for *text* that *viewer*, a moderator, may see: the first page of each kind, or this
    page of one *kind*. One query for each, and one for former names."""
    text = text.strip()
    kinds = {kind: KINDS[kind]} if kind in KINDS else KINDS
    number = min(max(page, 1), MOST_PAGES) if kind in KINDS else 1
    hits, wanted = [], SearchTerms(text, (text, *find_references(text)))
    for slug, section in kinds.items():
        if len(text) < section.least:
            continue
        begin = (number - 1) * A_PAGE
        rows = list(section.find(wanted, viewer)[begin : begin + A_PAGE + 1])
        more = len(rows) > A_PAGE and number < MOST_PAGES
        hits.append(Hits(slug, str(section.title), tuple(section.tell(rows[:A_PAGE], text)), number, more))
    return tuple(hits)


def load_former_names(players: Sequence[Player]) -> Mapping[int, list[str]]:
    """Return the former names of each of *players*, by key, the latest name first; one query."""
    acts = AccountAct.objects.filter(player__in=players, before__has_key="username").order_by("-pk")
    names: dict[int, list[str]] = {}
    for player, before in acts.values_list("player", "before"):
        names.setdefault(player, []).append(before["username"])
    return names


# People


def _people(wanted: SearchTerms, viewer: Player) -> QuerySet[Player]:
    formerly = AccountAct.objects.filter(before__username__istartswith=wanted.text)
    called = Q(name_key__startswith=names.build_key(wanted.text)) | Q(pk__in=formerly.values("player"))
    return Player.objects.filter(called, closed=None).exclude(pk=viewer.pk).order_by("name_key")


def _tell_people(rows: Sequence[Player], text: str) -> Sequence[Hit]:
    formerly = load_former_names(rows) if rows else {}
    return [
        Hit(
            what=player.username,
            url=player.get_desk_url(),
            at=None,
            text=_("formerly {names}").format(names=", ".join(formerly[player.pk]))
            if player.pk in formerly
            else "",
        )
        for player in rows
    ]


# Games


def _of_others(viewer: Player, game: str = "pk") -> Q:
    """Filter games, or rows by their *game*, to those that *viewer* may moderate."""
    seats = Seat.objects.filter(game=OuterRef(game), player=viewer)
    gone = Move.objects.filter(game=OuterRef(game), action__gone=viewer.pk)
    return ~Exists(seats) & ~Exists(gone)


def _games(wanted: SearchTerms, viewer: Player) -> QuerySet[Game]:
    called = Q(code=wanted.text.lower()) | Q(name__icontains=wanted.text)
    return Game.objects.filter(called, access.build_unsealed_filter(viewer), _of_others(viewer)).order_by(
        "-pk"
    )


def _tell_games(rows: Sequence[Game], text: str) -> Sequence[Hit]:
    return [
        Hit(
            game.name,
            game.get_desk_url(),
            game.created,
            game.get_status_display(),
        )
        for game in rows
    ]


# Words


def _reports(wanted: SearchTerms, viewer: Player) -> QuerySet[Report]:
    """Reports with the text in them, in their message, or in remarks of moderators."""
    written = find_in(wanted.stored, "words", "incident__remark", "incident__acts__remark")
    kept = Q(message__text__icontains=wanted.text) | Q(reported_names__name__icontains=wanted.text)
    matching = Report.objects.filter(written | kept).order_by()
    rows = Report.objects.filter(pk__in=matching.values("pk"), incident__in=find_incidents_of_others(viewer))
    return rows.select_related("incident__about", "message").order_by("-pk")


def _tell_reports(rows: Sequence[Report], text: str) -> Sequence[Hit]:
    lines = []
    show_rows([*rows, *(report.incident for report in rows)])
    for report in rows:
        said = report.message.text if report.message is not None else ""
        excerpt = next(
            (
                candidate
                for candidate in (report.words, said, report.incident.remark)
                if _holds(candidate, text)
            ),
            said,
        )
        what = _("{name}: {category}").format(
            name=report.incident.about.username, category=report.get_category_display()
        )
        lines.append(Hit(what, report.get_absolute_url(), report.at, _around(excerpt, text)))
    return lines


def _sanctions(wanted: SearchTerms, viewer: Player) -> QuerySet[Sanction]:
    written = find_in(
        wanted.stored, "reason", "words", "lifted_why", "about", "appeal__words", "appeal__answer"
    )
    rows = Sanction.objects.filter(written).exclude(player=viewer)
    return rows.select_related("player").order_by("-pk")


def _tell_sanctions(rows: Sequence[Sanction], text: str) -> Sequence[Hit]:
    return [
        Hit(
            what=_("{name}: {kind}").format(name=sanction.player.username, kind=sanction.get_kind_display()),
            url=sanction.get_absolute_url(),
            at=sanction.begun,
            text=_around(sanction.reason, text),
        )
        for sanction in show_rows(rows)
    ]


def _acts(wanted: SearchTerms, viewer: Player) -> QuerySet[ModerationAct]:
    rows = ModerationAct.objects.filter(
        access.build_unsealed_filter(viewer, "game"),
        _of_others(viewer, "game"),
        find_in(wanted.stored, "reason"),
    )
    return rows.select_related("game").order_by("-pk")


def _tell_acts(rows: Sequence[ModerationAct], text: str) -> Sequence[Hit]:
    return [
        Hit(
            what=_("{name}: {kind}").format(name=act.game.name, kind=act.get_kind_display()),
            url=act.get_absolute_url(),
            at=act.at,
            text=_around(act.reason, text),
        )
        for act in show_rows(rows)
    ]


def _notes(wanted: SearchTerms, viewer: Player) -> QuerySet[ModeratorNote]:
    rows = ModeratorNote.objects.filter(find_in(wanted.stored, "text")).exclude(player=viewer)
    return rows.select_related("player").order_by("-pk")


def _tell_notes(rows: Sequence[ModeratorNote], text: str) -> Sequence[Hit]:
    return [
        Hit(
            what=note.player.username,
            url=note.get_absolute_url(),
            at=note.at,
            text=_around(note.text, text),
        )
        for note in show_rows(rows)
    ]


def _holds(passage: str, text: str) -> bool:
    return text.casefold() in passage.casefold()


def _around(passage: str, text: str) -> str:
    """The part of *passage* around *text* that the page shows."""
    at = max(passage.casefold().find(text.casefold()), 0)
    begin = max(0, at - LEFT // 3)
    cut = passage[begin : begin + LEFT]
    return ("…" if begin else "") + cut + ("…" if begin + LEFT < len(passage) else "")


KINDS: Mapping[str, SearchKind] = {
    "people": SearchKind(gettext_lazy("Players"), 1, _people, _tell_people),
    "games": SearchKind(gettext_lazy("Games"), 1, _games, _tell_games),
    "reports": SearchKind(gettext_lazy("Reports and reported messages"), SHORTEST, _reports, _tell_reports),
    "sanctions": SearchKind(
        gettext_lazy("Warnings, mutes, suspensions, appeals"), SHORTEST, _sanctions, _tell_sanctions
    ),
    "acts": SearchKind(gettext_lazy("Moderator actions in games"), SHORTEST, _acts, _tell_acts),
    "notes": SearchKind(gettext_lazy("Notes"), SHORTEST, _notes, _tell_notes),
}
"""Kinds by their name in the URL, in the order of the page."""
