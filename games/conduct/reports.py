"""Reports: somebody says that somebody else does not behave; moderators look at it and decide.

What people report of the same person in the same game is one incident as long as it is open.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction

from accounts import references
from accounts.models import Player
from carcassonne.celery import on_commit
from games import access, outbox
from games.conduct import evidence, limits
from games.exceptions import Refused
from games.models import Category, Evidence, Game, Incident, IncidentAct, Message, Report, Verdict

LONGEST_WORDS = 1000
"""Letters of what is said in a report, or when an incident is closed."""


class Subject(NamedTuple):
    """What is reported: *about* whom, in which game if in any, and of it a message or the turn *ply*."""

    about: Player
    game: Game | None = None
    message: Message | None = None
    ply: int | None = None


@transaction.atomic
def report(*, reporter: Player, subject: Subject, category: Category, words: str, now: datetime) -> Report:
    """Let *reporter* report *subject*, and keep the evidence as it stands.

    Who has reported it already adds *words* at most.

    :raises Refused: they can't, or not so, or not today
    """
    about, words = _locked(reporter, subject.about), words.strip()
    _must_be_reportable(reporter, about)
    _must_be_seen(reporter, subject)
    if len(words) > LONGEST_WORDS:
        raise Refused("report_too_long", n=LONGEST_WORDS)
    if category == Category.OTHER and not words:
        raise Refused("report_says_nothing")
    open_now = Incident.objects.select_for_update(of=("self",)).filter(closed=None)
    incident = open_now.filter(about=about, game=subject.game).first()
    if incident is not None:
        known = incident.reports.filter(reporter=reporter, message=subject.message).first()
        if known is not None:
            return _add(known, words)
    limits.reports(reporter, now)
    if incident is None:
        incident = Incident.objects.create(about=about, game=subject.game, opened=now)
    evidence.gather(
        incident=incident,
        message=subject.message,
        ply=subject.ply,
        name=category == Category.NAME,
        now=now,
    )
    return Report.objects.create(
        incident=incident,
        reporter=reporter,
        category=category,
        words=words,
        message=subject.message,
        ply=subject.ply,
        at=now,
    )


def _locked(reporter: Player, about: Player) -> Player:
    """*about* as in the database, locked with *reporter* in the order of keys: two clicks, or two reporters,
    come one after the other."""
    rows = Player.objects.select_for_update(no_key=True, of=("self",))
    return rows.filter(pk__in={reporter.pk, about.pk}).order_by("pk").in_bulk()[about.pk]


def _must_be_reportable(reporter: Player, about: Player) -> None:
    if about == reporter:
        raise Refused("report_self")
    if about.is_bot:
        raise Refused("report_bot")
    if about.closed is not None:
        raise Refused("report_closed")


def _must_be_seen(reporter: Player, subject: Subject) -> None:
    """What somebody reports they must see, and whom they report must be part of it."""
    game, message = subject.game, subject.message
    if game is None:
        return
    if not access.may_see(reporter, game):
        raise Refused("may_not_report")
    if message is None:
        there = game.seats.filter(player=subject.about).exists()
    else:
        heard = access.hears(game, seated=access.seat_of(reporter, game) is not None)
        there = message.game_id == game.pk and message.author == subject.about and message.room in heard
    if not there:
        raise Refused("may_not_report")
    if subject.ply is not None and not 1 <= subject.ply <= game.ply:
        raise Refused("no_such_ply")


def _add(known: Report, words: str) -> Report:
    """Add *words* to a report, unless they stand there."""
    words = references.store(words, known.people_named())
    if words and words not in known.words:
        together = f"{known.words}\n\n{words}".strip()
        if len(together) > LONGEST_WORDS:
            raise Refused("reported_already")
        known.words = together
        known.save(update_fields=["words"])
    return known


@transaction.atomic
def take(*, incident_id: int, who: Player, now: datetime) -> Incident:
    """Let others see that *who* looks at an incident, perhaps instead of somebody else."""
    incident = _decided_by(who, incident_id, closed=False)
    if incident.looked_at_by_id != who.pk:
        incident.looked_at_by = who
        incident.save(update_fields=["looked_at_by"])
        IncidentAct.objects.create(incident=incident, kind=IncidentAct.Kind.TAKE, who=who, at=now)
    return incident


@transaction.atomic
def close(*, incident_id: int, who: Player, verdict: Verdict, remark: str, now: datetime) -> Incident:
    """Decide an incident, and tell those who have reported that it is decided."""
    incident = _decided_by(who, incident_id, closed=False)
    remark = _remark(remark)
    incident.closed, incident.closed_by, incident.verdict, incident.remark = now, who, verdict, remark
    incident.save(update_fields=["closed", "closed_by", "verdict", "remark"])
    act = IncidentAct.objects.create(
        incident=incident, kind=IncidentAct.Kind.CLOSE, who=who, at=now, verdict=verdict, remark=remark
    )
    evidence.forget_words(incident.reports.filter(reporter__closed__isnull=False))
    reporters = Player.objects.filter(reports__incident=incident).distinct()
    outbox.incident_decided(incident.pk, act.pk, reporters, now=now)
    on_commit("games.tasks.deliver_notices")
    return incident


@transaction.atomic
def reopen(*, incident_id: int, who: Player, remark: str, now: datetime) -> Incident:
    """Look at an incident again that was decided."""
    incident = _decided_by(who, incident_id, closed=True)
    remark = _remark(remark)
    incident.closed, incident.closed_by, incident.verdict, incident.remark = None, None, "", ""
    try:
        with transaction.atomic():
            incident.save(update_fields=["closed", "closed_by", "verdict", "remark"])
    except IntegrityError as error:
        raise Refused("incident_open_anew") from error
    IncidentAct.objects.create(
        incident=incident, kind=IncidentAct.Kind.REOPEN, who=who, at=now, remark=remark
    )
    return incident


def _decided_by(who: Player, incident_id: int, *, closed: bool) -> Incident:
    """The incident, locked, which *who* may decide, and which is *closed* or not."""
    incident = Incident.objects.select_for_update(of=("self",)).select_related("game").get(pk=incident_id)
    if not access.may_decide(who, incident):
        raise Refused("may_not_decide")
    if (incident.closed is not None) != closed:
        raise Refused("incident_moved_on")
    return incident


def _remark(remark: str) -> str:
    remark = remark.strip()
    if not remark:
        raise Refused("remark_missing")
    if len(remark) > LONGEST_WORDS:
        raise Refused("report_too_long", n=LONGEST_WORDS)
    return remark


def forget(player: Player) -> None:
    """Take out what *player*, whose account is being closed, has written in reports that are decided; in
    others it goes when they are. Evidence that shows their own name goes as well."""
    evidence.forget_words(player.reports.filter(incident__closed__isnull=False))
    named = Evidence.objects.filter(incident__about=player, found__has_key="name")
    named.forget()
