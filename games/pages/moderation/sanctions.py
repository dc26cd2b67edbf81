"""What moderators see of sanctions: what was done about somebody, and what something new would do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.references import show_rows
from games.access import Visitor
from games.conduct import sanctions
from games.models import Appeal, ConductAct, Game, Holiday, Sanction, SanctionKind, Seat, Status
from games.words.sanctions import RULES, TEMPLATES, told, verdict, when

NAMED = 12
"""Games that a preview names; more are counted."""


class Past(NamedTuple):
    """A sanction in the history of somebody."""

    said: str
    url: str
    who: str
    reason: str
    appealed: str  # nothing where nobody has


class Done(NamedTuple):
    """An entry of the log."""

    at: datetime
    who: str
    said: str
    why: str


class Case(NamedTuple):
    """A sanction with all that is needed to lift it, or to answer the appeal."""

    sanction: Sanction
    appeal: Appeal | None
    title: str
    paragraphs: tuple[str, ...]
    template: str  # what the text is called
    log: tuple[Done, ...]
    may_lift: bool
    may_answer: bool
    overdue: bool
    verdict: str  # of an appeal that is answered


class Foreseen(NamedTuple):
    """What a sanction would do, and what its player would read."""

    paragraphs: tuple[str, ...]
    effects: tuple[str, ...]


def history(player: Player, now: datetime) -> tuple[Past, ...]:
    """What was ever done about *player*, the newest first; one query."""
    found = Sanction.objects.filter(player=player).select_related("who", "appeal")
    return tuple(_past(one, now) for one in show_rows(found))


def case(pk: int, viewer: Visitor, now: datetime) -> Case | None:
    """The sanction with this number for *viewer*, a moderator; two queries besides those of ranks."""
    found = Sanction.objects.select_related("player", "who", "lifted_by", "appeal__answered_by")
    sanction = found.filter(pk=pk).first()
    if sanction is None:
        return None
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    acts = show_rows(ConductAct.objects.filter(sanction=sanction).select_related("who"))
    show_rows([sanction] if appeal is None else [sanction, appeal])
    may = isinstance(viewer, Player) and sanctions.may_sanction(viewer, sanction.player)
    open_ = appeal is not None and appeal.answered is None
    text = TEMPLATES.get(sanction.template)
    return Case(
        sanction=sanction,
        appeal=appeal,
        title=_said(sanction, now),
        paragraphs=told(sanction.template, sanction.words),
        template=str(text.title) if text else "",
        log=tuple(Done(act.at, act.who.username, act.get_kind_display(), act.why) for act in acts),
        may_lift=may and sanction.in_force(now),
        may_answer=may and open_ and sanction.who_id != viewer.pk,
        overdue=appeal is not None and open_ and appeal.due < now,
        verdict=verdict(appeal.outcome) if appeal is not None and appeal.outcome else "",
    )


def foreseen(
    player: Player, kind: SanctionKind, template: str, words: str, ends: datetime | None, now: datetime
) -> Foreseen:
    """What a sanction of *player* would do; five queries at most."""
    paragraphs = [*told(template, words)]
    if ends is not None:
        paragraphs.append(_("Until: {until}").format(until=when(ends)))
    paragraphs.append(str(RULES[kind]))
    return Foreseen(tuple(paragraphs), tuple(_effects(player, kind, now)))


def _effects(player: Player, kind: SanctionKind, now: datetime) -> Iterator[str]:
    if kind == SanctionKind.MUTE:
        yield _("Their games go on.")
        return
    waiting = _waiting_for(player)
    names = list(waiting.order_by("deadline").values_list("name", flat=True)[:NAMED])
    count = waiting.count() if len(names) == NAMED else len(names)
    if names:
        yield ngettext(
            "{n} game waits for them, whose clock runs: {names}",
            "{n} games wait for them, whose clocks run: {names}",
            count,
        ).format(n=count, names=", ".join(names))
    else:
        yield _("No game waits for them now.")
    if kind == SanctionKind.SUSPENSION:
        yield from _effects_of_suspension(player, now)


def _effects_of_suspension(player: Player, now: datetime) -> Iterator[str]:
    hosted = Game.objects.filter(host=player, status=Status.OPEN).count()
    yield ngettext(
        "{n} open table of theirs is withdrawn.", "{n} open tables of theirs are withdrawn.", hosted
    ).format(n=hosted)
    seats = Seat.objects.filter(player=player, game__status=Status.OPEN).exclude(game__host=player).count()
    yield ngettext(
        "{n} seat at an open table of others is freed.",
        "{n} seats at open tables of others are freed.",
        seats,
    ).format(n=seats)
    to_come = Holiday.objects.filter(player=player, begin__gt=now).count()
    if to_come:
        yield ngettext(
            "{n} holiday to come is taken back.", "{n} holidays to come are taken back.", to_come
        ).format(n=to_come)


def _waiting_for(player: Player) -> QuerySet[Game]:
    return Game.objects.filter(
        status=Status.PLAYING, seats__player=player, seats__index=F("awaited"), seats__state="playing"
    )


def _past(sanction: Sanction, now: datetime) -> Past:
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    appealed = ""
    if appeal is not None:
        appealed = verdict(appeal.outcome) if appeal.outcome else _("Appeal, not answered yet.")
    url = reverse("games:desk_sanction", args=[sanction.pk])
    return Past(_said(sanction, now), url, sanction.who.username, sanction.reason, appealed)


def _said(sanction: Sanction, now: datetime) -> str:
    """What it is, and how it stands."""
    kind, begun = sanction.get_kind_display(), when(sanction.begun)
    if sanction.lifted is not None:
        return _("{kind}, {begun}: lifted").format(kind=kind, begun=begun)
    if sanction.ends is None and sanction.acknowledged is None:
        return _("{kind}, {begun}: not read yet").format(kind=kind, begun=begun)
    if sanction.ends is None:
        return _("{kind}, {begun}: read").format(kind=kind, begun=begun)
    if sanction.in_force(now):
        return _("{kind}, {begun}: until {ends}").format(kind=kind, begun=begun, ends=when(sanction.ends))
    return _("{kind}, {begun}: ended {ends}").format(kind=kind, begun=begun, ends=when(sanction.ends))
