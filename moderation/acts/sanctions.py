"""Warnings, mutes and suspensions: imposing, lifting and appeals.

A sanction is a row; ``games.conduct.active_sanctions`` applies it to acts of players. Nothing runs to end a
sanction: its end is compared with the time. The consequences of a suspension (tables withdrawn, future
holidays cancelled) are applied by ``games.tasks.follow_suspensions``, which Celery beat runs, too, in case
the message is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction

from accounts.interests import Recusal
from accounts.models import BarredAddress, Player
from accounts.ranks import may_change
from accounts.references import says
from core.task_queue import queue_on_commit
from games import access
from games.conduct import own_stops
from games.conduct.active_sanctions import find_suspension_end
from games.conduct.interests import find_recusal_from, must_be_impartial
from games.exceptions import Refused
from games.models import Sanction, SanctionKind
from games.play import moderation
from moderation import outbox
from moderation.acts import warning_templates
from moderation.interests import find_recusal_from_appeal, find_recusal_from_incident
from moderation.models import IMPOSING, Appeal, AppealOutcome, ConductAct, ConductActKind, Incident

APPEAL_WITHIN = timedelta(days=30)
ANSWER_WITHIN = timedelta(days=7)
SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=366)
LONGEST_REASON, LONGEST_WORDS, LONGEST_APPEAL = 500, 1000, 2000

CASE_FOR = timedelta(days=30)
"""Time after its decision during which a sanction may refer to an incident."""


class SanctionRequest(NamedTuple):
    """Request of a moderator (*who*) for a sanction of *player*.

    The player reads the text called *template* and *words*; *reason* is for the log, *about* names the
    source, *incident* is the number of the incident, if it was one. *expected_version* (``load_version``) is
    the version that the moderator has seen; ``None`` skips the check. *again* confirms that a sanction in
    force is to be lengthened, or a warning repeated.
    """

    player: Player
    who: Player
    reason: str
    now: datetime
    template: str = ""
    words: str = ""
    about: str = ""
    incident: int | None = None
    expected_version: int | None = None
    again: bool = False


# What moderators do


@transaction.atomic
def impose(kind: SanctionKind, asked: SanctionRequest, ends: datetime | None = None) -> Sanction:
    """Impose a sanction on a player: a warning, which they have to acknowledge before they go on, or another
    until *ends*.

    :raises Refused: *who* may not, or something is missing, or *ends* is invalid
    """
    made = _impose(asked, kind, ends)
    if kind == SanctionKind.SUSPENSION:
        queue_on_commit("games.tasks.follow_suspensions")
    return made


@transaction.atomic
def lift(
    *, sanction_id: int, who: Player, why: str, now: datetime, expected_version: int | None = None
) -> Sanction:
    """Lift a sanction, and close its open appeal. Idempotent.

    :raises Refused: *who* may not, it is over, somebody else was quicker, or something was done about the
        person since they looked
    """
    sanction = _lock_sanction(sanction_id, who)
    why = _checked_reason(why)
    if sanction.lifted is not None:
        if sanction.lifted_by_id == who.pk and says(sanction, lifted_why=why):
            return sanction
        assert sanction.lifted_by is not None
        raise Refused("lifted_already", who=sanction.lifted_by.username)
    _must_be_as_shown(sanction.player, expected_version)
    own_matter = must_be_impartial(
        find_recusal_from(who, sanction.player, opened=find_case_opening(sanction))
    )
    if not sanction.in_force(now):
        raise Refused("sanction_over")
    before = snapshot(sanction)
    _lift(sanction, who, why, now)
    open_appeal = Appeal.objects.filter(sanction=sanction, answered=None)
    open_appeal.update(answered=now, answered_by=who, outcome=AppealOutcome.LIFTED)
    _log(ConductActKind.LIFT, sanction, who, why, now, before, own_matter=own_matter)
    _tell(sanction, "lifted", now)
    return sanction


@transaction.atomic
def answer(
    *,
    appeal_id: int,
    who: Player,
    outcome: AppealOutcome,
    words: str,
    now: datetime,
    ends: datetime | None = None,
    expected_version: int | None = None,
) -> Appeal:
    """Answer an appeal: uphold the sanction, end it at *ends*, or lift it; *words* are for the player.
    Idempotent.

    :raises Refused: *who* imposed it or may not, somebody else has answered it, something was done about the
        person since they looked, or the answer is invalid
    """
    sanction_id = Appeal.objects.values_list("sanction", flat=True).get(pk=appeal_id)
    sanction = _lock_sanction(sanction_id, who)
    appeal = Appeal.objects.select_for_update().get(pk=appeal_id)
    appeal.sanction = sanction
    if sanction.who_id == who.pk:
        raise Refused("appeal_own")
    words = words.strip()
    if appeal.answered is not None:
        same = (appeal.answered_by_id, appeal.outcome) == (who.pk, outcome)
        if same and says(appeal, answer=words):
            return appeal
        raise Refused("appeal_answered")
    _must_be_as_shown(sanction.player, expected_version)
    own_matter = must_be_impartial(find_recusal_from_appeal(who, appeal))
    if not 0 < len(words) <= LONGEST_WORDS:
        raise Refused("appeal_words")
    before = snapshot(sanction)
    if outcome == AppealOutcome.LIFTED and sanction.lifted is None:
        _lift(sanction, who, words[:LONGEST_REASON], now)
    elif outcome == AppealOutcome.SHORTENED:
        _shorten(sanction, who, ends, now)
    appeal.answer, appeal.answered, appeal.answered_by, appeal.outcome = words, now, who, outcome
    appeal.save(update_fields=["answer", "answered", "answered_by", "outcome"])
    _log(ConductActKind.ANSWER, sanction, who, words, now, before, own_matter=own_matter, outcome=outcome)
    _tell(sanction, "answered", now)
    return appeal


def preview(act: Callable[[], Sanction]) -> None:
    """Perform *act* and roll it back.

    :raises Refused: *act* is refused
    """
    with transaction.atomic():
        act()
        transaction.set_rollback(True)


# What players do


@transaction.atomic
def acknowledge(*, sanction_id: int, player: Player, now: datetime) -> None:
    """Note that *player* has read a sanction. Idempotent."""
    unread = Sanction.objects.filter(pk=sanction_id, player=player, acknowledged=None)
    if unread.exists():
        unread.update(acknowledged=now)


@transaction.atomic
def appeal(*, sanction_id: int, player: Player, words: str, now: datetime) -> Appeal:
    """Appeal against a sanction, once.

    :raises Refused: they have, it is lifted or too old, or the text is empty or too long
    """
    mine = Sanction.objects.select_for_update().filter(pk=sanction_id, player=player).first()
    words = words.strip()
    if mine is None:
        raise Refused("no_sanction")
    if not may_appeal(mine, now) or Appeal.objects.filter(sanction=mine).exists():
        raise Refused("appeal_too_late")
    if not 0 < len(words) <= LONGEST_APPEAL:
        raise Refused("appeal_words")
    return Appeal.objects.create(sanction=mine, words=words, at=now, due=now + ANSWER_WITHIN)


def may_appeal(sanction: Sanction, now: datetime) -> bool:
    """Return whether *sanction* isn't lifted and the time for an appeal isn't over; earlier appeals are not
    checked."""
    return sanction.lifted is None and now < sanction.begun + APPEAL_WITHIN


# Rows


def may_reach(who: Player, player: Player) -> bool:
    """Return whether *who* is a moderator, and *player* has a lower rank."""
    if player.is_bot or player.pk == who.pk or not access.is_moderator(who):
        return False
    return may_change(who, player)


def find_case_opening(sanction: Sanction) -> datetime:
    """Return when the case that led to *sanction* was opened; one query."""
    incident = incident_behind(sanction)
    return sanction.begun if incident is None else incident.opened


def incident_behind(sanction: Sanction) -> Incident | None:
    """Return the incident that led to *sanction*, if there was one; one query."""
    imposed = ConductAct.objects.filter(sanction=sanction, kind__in=IMPOSING.values()).exclude(incident=None)
    act = imposed.select_related("incident").first()
    return None if act is None else act.incident


def find_incident(player: Player, number: int | None, now: datetime) -> Incident | None:
    """Return the incident with this *number*, as the source of a sanction of *player*.

    :raises Refused: it is about somebody else, or was decided long ago
    """
    if number is None:
        return None
    incident = Incident.objects.select_related("about", "game").filter(pk=number, about=player).first()
    if incident is None or (incident.closed is not None and incident.closed < now - CASE_FOR):
        raise Refused("no_such_case")
    return incident


def find_recusal(who: Player, player: Player, incident: Incident | None) -> Recusal | None:
    """Return the reason why *who* leaves sanctions from *incident*, or without a report, to others."""
    if incident is None:
        return find_recusal_from(who, player)
    return find_recusal_from_incident(who, incident)


def load_version(player: Player) -> int:
    """Return a number that grows with every sanction act about *player*; one query."""
    return ConductAct.objects.filter(player=player).values_list("pk", flat=True).first() or 0


def find_standing(player: Player, kind: SanctionKind, now: datetime) -> Sanction | None:
    """Return the sanction of this *kind* in force that ends last, with its moderator; one query."""
    sanctions = Sanction.objects.filter(player=player, kind=kind).in_force(now).select_related("who")
    return max(sanctions, key=lambda sanction: sanction.ends or sanction.begun, default=None)


def snapshot(sanction: Sanction) -> dict[str, Any]:
    """Return the logged state of *sanction*: begun, ends and lifted, as ISO dates or ``None``."""
    moments = {"begun": sanction.begun, "ends": sanction.ends, "lifted": sanction.lifted}
    return {name: at.isoformat() if at else None for name, at in moments.items()}


def keep_suspension(player: Player, now: datetime) -> None:
    """Bar the addresses of *player*, whose account is being closed, until a suspension ends, and delete the
    texts between player and moderators."""
    until = find_suspension_end(player, now)
    if until is not None:
        earlier = player.address_changes.values_list("old", flat=True)
        for address in {player.email, *earlier} - {""}:
            BarredAddress.objects.keep(address, player, until)
    Appeal.objects.filter(sanction__player=player).update(words="", answer="")
    Sanction.objects.filter(player=player).update(words="")


def _impose(asked: SanctionRequest, kind: SanctionKind, ends: datetime | None) -> Sanction:
    player, who, now, template = asked.player, asked.who, asked.now, asked.template
    # Joining a table and closing the account wait for this lock.
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.closed is not None or not may_reach(who, player):
        raise Refused("may_not_sanction")
    reason, words = _checked_reason(asked.reason), asked.words.strip()
    texts = warning_templates.load_texts(template) if template else None
    if not (texts or words) or (template and not texts):
        raise Refused("sanction_words")
    if len(words) > LONGEST_WORDS:
        raise Refused("sanction_words_too_long")
    if kind != SanctionKind.WARNING and (ends is None or not SHORTEST <= ends - now <= LONGEST):
        raise Refused("sanction_ends")
    done = _find_repeated_sanction(asked, kind, reason, words)
    if done is not None:
        return done
    incident = find_incident(player, asked.incident, now)
    recused = find_recusal(who, player, incident)
    stopped = _find_stop_in_own_matter(recused, now, ends)
    if stopped is not None:
        own_stops.check(who, [player], stopped, now)
    else:
        must_be_impartial(recused)
    _must_not_stand(asked, kind, ends)
    _must_be_as_shown(player, asked.expected_version)
    made = Sanction.objects.create(
        player=player,
        kind=kind,
        template=template,
        texts=texts,
        words=words,
        reason=reason,
        about=asked.about.strip()[:100],
        who=who,
        begun=now,
        ends=ends,
    )
    Player.objects.filter(pk=player.pk).update(sanctioned=True)
    player.sanctioned = True
    _log(IMPOSING[kind], made, who, reason, now, {}, own_matter=recused is not None, incident=incident)
    if stopped is not None:
        own_stops.record(who, [player], stopped, now, sanction=made)
    if recused is not None and kind == SanctionKind.SUSPENSION:
        moderation.stop_shared_games(made)
    _tell(made, "imposed", now)
    return made


def _find_repeated_sanction(
    asked: SanctionRequest, kind: SanctionKind, reason: str, words: str
) -> Sanction | None:
    """The sanction from the same request, as by a double click."""
    if asked.expected_version is None:
        return None
    since = ConductAct.objects.filter(player=asked.player, pk__gt=asked.expected_version).order_by("pk")
    first = since.select_related("sanction").first()
    if first is None or first.who_id != asked.who.pk:
        return None
    made = first.sanction
    same = (made.kind, made.template) == (kind, asked.template) and says(made, words=words, reason=reason)
    return made if same and first.kind in IMPOSING.values() else None


def _find_stop_in_own_matter(recused: Recusal | None, now: datetime, ends: datetime | None) -> Recusal | None:
    """*recused* if it is about a mute or suspension that is short enough to be imposed nevertheless."""
    if recused is None or recused.may_act or ends is None or ends - now > own_stops.LONGEST:
        return None
    return recused


def _must_not_stand(asked: SanctionRequest, kind: SanctionKind, ends: datetime | None) -> None:
    """Refuse a sanction that is already in force, unless *asked* is to lengthen it.

    :raises Refused: it is in force
    """
    known = find_standing(asked.player, kind, asked.now)
    if known is None:
        return
    if not asked.again:
        raise build_refusal(known)
    if known.ends is not None and ends is not None and ends <= known.ends:
        raise Refused("not_longer", until=known.ends)


def build_refusal(known: Sanction) -> Refused:
    """Return the refusal to repeat *known*, which is in force."""
    return Refused(f"{known.kind}_in_force", who=known.who.username, until=known.ends)


def _must_be_as_shown(player: Player, expected_version: int | None) -> None:
    """Refuse an act if another was done about *player* since that version.

    :raises Refused: there was another
    """
    if expected_version not in (None, load_version(player)):
        raise Refused("person_moved_on")


def _lock_sanction(sanction_id: int, who: Player) -> Sanction:
    """The sanction, locked after its player, as in all acts about somebody.

    :raises Refused: *who* may do nothing about it
    """
    player = Sanction.objects.values_list("player", flat=True).get(pk=sanction_id)
    Player.objects.select_for_update(no_key=True).get(pk=player)
    rows = Sanction.objects.select_for_update(of=("self",))
    sanction = rows.select_related("player", "lifted_by").get(pk=sanction_id)
    if not may_reach(who, sanction.player):
        raise Refused("may_not_sanction")
    return sanction


def _lift(sanction: Sanction, who: Player, why: str, now: datetime) -> None:
    sanction.lifted, sanction.lifted_by, sanction.lifted_why = now, who, why
    sanction.save(update_fields=["lifted", "lifted_by", "lifted_why"])
    _follow_end(sanction, who, now)


def _shorten(sanction: Sanction, who: Player, ends: datetime | None, now: datetime) -> None:
    if sanction.ends is None or ends is None or not now <= ends < sanction.ends:
        raise Refused("not_shorter")
    sanction.ends = ends
    sanction.save(update_fields=["ends"])
    _follow_end(sanction, who, now)


def _follow_end(sanction: Sanction, who: Player, now: datetime) -> None:
    """End what rests on *sanction*, which *who* has lifted or shortened: stops of games, and the bar on
    addresses of a closed account."""
    player = sanction.player
    BarredAddress.objects.filter(player=player).update(until=find_suspension_end(player, now) or now)
    if sanction.kind == SanctionKind.SUSPENSION:
        moderation.follow_suspension(sanction, who, now)


def _tell(sanction: Sanction, what: str, now: datetime) -> None:
    outbox.notify_sanctioned(sanction, what, now=now)
    queue_on_commit("games.tasks.deliver_notices")


def _checked_reason(reason: str) -> str:
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused("sanction_reason")
    return reason


def _log(
    kind: ConductActKind,
    sanction: Sanction,
    who: Player,
    why: str,
    now: datetime,
    before: dict[str, Any],
    *,
    own_matter: bool,
    incident: Incident | None = None,
    **more: str,
) -> None:
    after = snapshot(sanction) | more
    ConductAct.objects.create(
        player=sanction.player,
        kind=kind,
        sanction=sanction,
        incident=incident,
        who=who,
        at=now,
        why=why,
        before=before,
        after=after,
        own_matter=own_matter or None,
    )
