"""Reports by players, and decisions of moderators on them.

Reports of the same person in the same game are one incident as long as it is open.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Max, Sum
from django.db.models.functions import Length

from accounts import references
from accounts.models import Player
from core.task_queue import queue_on_commit
from games import access
from games.conduct import limits
from games.conduct.interests import must_be_impartial
from games.exceptions import Refused
from games.models import Game, Message
from moderation import outbox
from moderation.access import may_decide
from moderation.acts import evidence, named_things
from moderation.acts.named_things import NamedThing
from moderation.interests import find_recusal_from_incident
from moderation.models import (
    Category,
    Evidence,
    Incident,
    IncidentAct,
    NameChange,
    Report,
    ReportedName,
    Verdict,
)

LONGEST_WORDS = 1000
"""Maximum length of the text of a report, or on closing an incident, in characters."""


class Subject(NamedTuple):
    """Subject of a report: the person *about* whom it is, the game if any, and in it a message or the turn
    *ply*; or a thing that they have *named*."""

    about: Player
    game: Game | None = None
    message: Message | None = None
    ply: int | None = None
    named: NamedThing | None = None

    @classmethod
    def of_name(cls, thing: NamedThing) -> Subject:
        """Return the name of *thing* as a subject, with its owner as the person."""
        return cls(thing.owner, thing.game, named=thing)


@transaction.atomic
def report(*, reporter: Player, subject: Subject, category: Category, words: str, now: datetime) -> Report:
    """Report *subject*, and store the evidence as it is now. A second report by the same player only adds
    *words*.

    :raises Refused: *reporter* can't report it, the text is missing or too long, or too many reports were
        made today
    """
    about, words = _lock_players(reporter, subject.about), words.strip()
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
            _keep_name(known, subject.named)
            return _add(known, words)
    limits.check_reports(reporter, now)
    if incident is None:
        incident = Incident.objects.create(about=about, game=subject.game, opened=now)
    evidence.gather(
        incident=incident,
        message=subject.message,
        ply=subject.ply,
        name=category == Category.NAME and subject.named is None,
        now=now,
    )
    made = Report.objects.create(
        incident=incident,
        reporter=reporter,
        category=category,
        words=words,
        message=subject.message,
        ply=subject.ply,
        at=now,
    )
    _keep_name(made, subject.named)
    return made


def _keep_name(report: Report, named: NamedThing | None) -> None:
    """Store the present name of a reported thing."""
    if named is not None:
        ReportedName.objects.get_or_create(
            report=report, kind=named.kind, key=named.key, defaults={"name": named.name}
        )


def _lock_players(reporter: Player, about: Player) -> Player:
    """*about* as in the database. Both are locked in the order of keys, so that double clicks and reports by
    others are serialised."""
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
    """Refuse subjects that the reporter can't see, or in which the person has no part."""
    game, message = subject.game, subject.message
    if subject.named is not None:
        if not named_things.may_see(reporter, subject.named):
            raise Refused("may_not_report")
        return
    if game is None:
        return
    if not access.may_see(reporter, game):
        raise Refused("may_not_report")
    if message is None:
        there = game.seats.filter(player=subject.about).exists()
    else:
        heard = access.list_visible_rooms(game, seated=access.find_seat(reporter, game) is not None)
        there = message.game_id == game.pk and message.author == subject.about and message.room in heard
    if not there:
        raise Refused("may_not_report")
    if subject.ply is not None and not 1 <= subject.ply <= game.ply:
        raise Refused("no_such_ply")


def _add(known: Report, words: str) -> Report:
    """Add *words* to a report, unless it contains them."""
    words = references.store(words, known.people_named())
    if words and words not in known.words:
        together = f"{known.words}\n\n{words}".strip()
        if len(together) > LONGEST_WORDS:
            raise Refused("reported_already")
        known.words = together
        known.save(update_fields=["words"])
    return known


def load_version(incident: Incident) -> str:
    """Return a version of *incident* that changes with every act and report; two queries."""
    acts = incident.acts.order_by().aggregate(last=Max("pk"))["last"] or 0
    version = incident.reports.order_by().aggregate(last=Max("pk"), letters=Sum(Length("words")))
    return f"{acts}.{version['last'] or 0}.{version['letters'] or 0}"


@transaction.atomic
def take(*, incident_id: int, who: Player, now: datetime, expected_version: str | None = None) -> Incident:
    """Mark *who* as the moderator looking at an incident, perhaps instead of somebody else. Idempotent."""
    incident, own_matter = lock_incident(who, incident_id)
    if incident.closed is None and incident.looked_at_by_id == who.pk:
        return incident
    must_be_as_shown(incident, expected_version, closed=False)
    incident.looked_at_by = who
    incident.save(update_fields=["looked_at_by"])
    IncidentAct.objects.create(
        incident=incident, kind=IncidentAct.Kind.TAKE, who=who, at=now, own_matter=own_matter or None
    )
    return incident


@transaction.atomic
def close(
    *,
    incident_id: int,
    who: Player,
    verdict: Verdict,
    remark: str,
    now: datetime,
    upheld: Collection[int] = (),
    expected_version: str | None = None,
) -> Incident:
    """Decide an incident, and notify its reporters. Idempotent.

    Of several reports only those *upheld*, by primary key, are.

    :raises Refused: *who* may not, it was decided or changed since they looked, or it is to be upheld without
        saying which reports
    """
    incident, own_matter = lock_incident(who, incident_id)
    remark = _remark(remark)
    again = (incident.closed_by_id, incident.verdict) == (who.pk, verdict)
    if again and references.says(incident, remark=remark):
        return incident
    must_be_as_shown(incident, expected_version, closed=False)
    _decide_each(incident, verdict, upheld)
    incident.closed, incident.closed_by, incident.verdict, incident.remark = now, who, verdict, remark
    incident.save(update_fields=["closed", "closed_by", "verdict", "remark"])
    act = IncidentAct.objects.create(
        incident=incident,
        kind=IncidentAct.Kind.CLOSE,
        who=who,
        at=now,
        verdict=verdict,
        remark=remark,
        own_matter=own_matter or None,
    )
    evidence.forget_words(incident.reports.filter(reporter__closed__isnull=False))
    reporters = Player.objects.filter(reports__incident=incident).distinct()
    outbox.notify_incident_decided(incident.pk, act.pk, reporters, now=now)
    queue_on_commit("games.tasks.deliver_notices")
    return incident


def _decide_each(incident: Incident, verdict: Verdict, upheld: Collection[int]) -> None:
    """Store a verdict for each report."""
    reports = set(incident.reports.values_list("pk", flat=True))
    if verdict != Verdict.UPHELD:
        incident.reports.update(verdict=verdict)
        return
    chosen = reports if len(reports) == 1 else reports & set(upheld)
    if not chosen:
        raise Refused("which_reports")
    incident.reports.update(verdict=Verdict.NOT_UPHELD)
    incident.reports.filter(pk__in=chosen).update(verdict=Verdict.UPHELD)


@transaction.atomic
def reopen(
    *, incident_id: int, who: Player, remark: str, now: datetime, expected_version: str | None = None
) -> Incident:
    """Reopen a decided incident. Idempotent."""
    incident, own_matter = lock_incident(who, incident_id)
    remark = _remark(remark)
    last = incident.acts.first()
    again = (
        last is not None
        and (last.kind, last.who_id) == ("reopen", who.pk)
        and references.says(last, remark=remark)
    )
    if incident.closed is None and again:
        return incident
    must_be_as_shown(incident, expected_version, closed=True)
    incident.closed, incident.closed_by, incident.verdict, incident.remark = None, None, "", ""
    try:
        with transaction.atomic():
            incident.save(update_fields=["closed", "closed_by", "verdict", "remark"])
    except IntegrityError as error:
        raise Refused("incident_open_anew") from error
    incident.reports.update(verdict="")
    IncidentAct.objects.create(
        incident=incident,
        kind=IncidentAct.Kind.REOPEN,
        who=who,
        at=now,
        remark=remark,
        own_matter=own_matter or None,
    )
    return incident


def lock_incident(who: Player, incident_id: int) -> tuple[Incident, bool]:
    """Lock an incident, and return it with whether *who* decides in own matters.

    :raises Refused: they may not see it, or it is for somebody else
    """
    rows = Incident.objects.select_for_update(of=("self",)).select_related("game", "about", "looked_at_by")
    incident = rows.get(pk=incident_id)
    if not may_decide(who, incident):
        raise Refused("may_not_decide")
    return incident, must_be_impartial(find_recusal_from_incident(who, incident))


def must_be_as_shown(incident: Incident, expected_version: str | None, *, closed: bool) -> None:
    """Refuse an act on an incident that has changed since the page was shown, or is not in the state
    *closed*.

    :raises Refused: it has changed
    """
    if (incident.closed is not None) != closed or expected_version not in (None, load_version(incident)):
        raise Refused("incident_moved_on")


def _remark(remark: str) -> str:
    remark = remark.strip()
    if not remark:
        raise Refused("remark_missing")
    if len(remark) > LONGEST_WORDS:
        raise Refused("report_too_long", n=LONGEST_WORDS)
    return remark


def forget(player: Player) -> None:
    """Delete the texts of *player*, whose account is being closed, in decided reports; in open ones they are
    deleted after the decision. Evidence of their own name is deleted as well."""
    evidence.forget_words(player.reports.filter(incident__closed__isnull=False))
    named = Evidence.objects.filter(incident__about=player, found__has_key="name")
    named.forget()
    ReportedName.objects.filter(report__incident__about=player).update(name="")
    NameChange.objects.filter(owner=player).forget()
