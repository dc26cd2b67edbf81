"""Warnings, mutes and suspensions: what moderators do about people, and what follows from it.

A sanction is a row. Whoever lets somebody act asks here, under their own lock, and refuses with words; who
was never sanctioned costs no query (``Player.sanctioned``). Nothing runs to end a sanction: its end is
compared with the time. What follows a suspension elsewhere (tables withdrawn, holidays to come taken back)
is done by ``games.tasks.follow_suspensions``, which the beat calls, too, should the message be lost.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts.models import BarredAddress, Player
from accounts.ranks import may_change
from accounts.references import show_text
from carcassonne.celery import on_commit
from games import access, outbox
from games.exceptions import Refused
from games.models import Appeal, AppealOutcome, ConductAct, ConductActKind, Sanction, SanctionKind
from games.words import sanctions as words_of

APPEAL_WITHIN = timedelta(days=30)
ANSWER_WITHIN = timedelta(days=7)
SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=366)
LONGEST_REASON, LONGEST_WORDS, LONGEST_APPEAL = 500, 1000, 2000


class Asked(NamedTuple):
    """What a moderator (*who*) wants done about *player*.

    The player reads the text called *template* and *words*; *reason* is for the log, *about* says what it
    came from.
    """

    player: Player
    who: Player
    reason: str
    now: datetime
    template: str = ""
    words: str = ""
    about: str = ""


# Asking what somebody may do


def in_force(player: Player, now: datetime) -> list[Sanction]:
    """What counts for *player* now; one query, none for who was never sanctioned."""
    return list(Sanction.objects.filter(player=player).in_force(now)) if player.sanctioned else []


def must_acknowledge(player: Player) -> Sanction | None:
    """The oldest warning that *player* has not read yet; one query at most."""
    if not player.sanctioned:
        return None
    unread = Sanction.objects.filter(player=player, kind=SanctionKind.WARNING, acknowledged=None, lifted=None)
    return unread.order_by("pk").first()


def muted(player: Player, now: datetime) -> datetime | None:
    """Until when *player* may write nothing; ``None`` if they may; one query at most."""
    return _until(in_force(player, now), SanctionKind.MUTE)


def suspended(player: Player, now: datetime) -> datetime | None:
    """Until when *player* is suspended; ``None`` if they are not; one query at most."""
    return _until(in_force(player, now), SanctionKind.SUSPENSION)


def must_not_be_suspended(player: Player, now: datetime) -> None:
    """:raises Refused: *player* is suspended"""
    _refuse_suspended(in_force(player, now))


def must_be_free_to_act(player: Player, now: datetime) -> None:
    """:raises Refused: *player* is suspended, or has a warning to read first"""
    _refuse_acts(in_force(player, now))


def must_be_free_to_speak(player: Player, now: datetime) -> None:
    """:raises Refused: the same, or *player* is muted"""
    found = in_force(player, now)
    _refuse_acts(found)
    until = _until(found, SanctionKind.MUTE)
    if until is not None:
        raise Refused("muted", until=until, address=page_of_own())


def page_of_own() -> str:
    """Where everybody reads what moderators have told them, and appeals."""
    return settings.SITE_URL + reverse("games:conduct")


def _until(found: list[Sanction], kind: SanctionKind) -> datetime | None:
    return max((one.ends for one in found if one.kind == kind and one.ends is not None), default=None)


def _refuse_suspended(found: list[Sanction]) -> None:
    until = _until(found, SanctionKind.SUSPENSION)
    if until is not None:
        raise Refused("suspended", until=until, address=page_of_own())


def _refuse_acts(found: list[Sanction]) -> None:
    _refuse_suspended(found)
    for one in found:
        if one.kind == SanctionKind.WARNING:
            said = " ".join(words_of.told(one.template, show_text(one.words)))
            raise Refused("unread_warning", warning=said, address=page_of_own())


# What moderators do


@transaction.atomic
def warn(asked: Asked) -> Sanction:
    """Warn somebody, who has to say that they have read it before they go on.

    :raises Refused: *who* may not, or something is missing
    """
    return _impose(asked, SanctionKind.WARNING, None)


@transaction.atomic
def mute(asked: Asked, ends: datetime) -> Sanction:
    """Let somebody write nothing until *ends*. :raises Refused: as ``warn``, or for such an end"""
    return _impose(asked, SanctionKind.MUTE, ends)


@transaction.atomic
def suspend(asked: Asked, ends: datetime) -> Sanction:
    """Let somebody do nothing but read until *ends*. :raises Refused: as ``mute``"""
    made = _impose(asked, SanctionKind.SUSPENSION, ends)
    on_commit("games.tasks.follow_suspensions")
    return made


@transaction.atomic
def lift(*, sanction_id: int, who: Player, why: str, now: datetime) -> Sanction:
    """Take a sanction back, and with it what is still asked about it. Again is harmless.

    :raises Refused: *who* may not, or it is over
    """
    sanction = _locked(sanction_id, who)
    why = _checked_reason(why)
    if sanction.lifted is not None:
        return sanction
    if not sanction.in_force(now):
        raise Refused("sanction_over")
    before = snapshot(sanction)
    _lift(sanction, who, why, now)
    open_appeal = Appeal.objects.filter(sanction=sanction, answered=None)
    open_appeal.update(answered=now, answered_by=who, outcome=AppealOutcome.LIFTED)
    _log(ConductActKind.LIFT, sanction, who, why, now, before)
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
) -> Appeal:
    """Answer an appeal: let the sanction stand, end it at *ends*, or lift it; *words* are for the player.

    :raises Refused: *who* imposed it or may not, it is answered, or there can't be such an answer
    """
    sanction_id = Appeal.objects.values_list("sanction", flat=True).get(pk=appeal_id)
    sanction = _locked(sanction_id, who)
    appeal = Appeal.objects.select_for_update().get(pk=appeal_id)
    if sanction.who_id == who.pk:
        raise Refused("appeal_own")
    if appeal.answered is not None:
        raise Refused("appeal_answered")
    words = words.strip()
    if not 0 < len(words) <= LONGEST_WORDS:
        raise Refused("appeal_words")
    before = snapshot(sanction)
    if outcome == AppealOutcome.LIFTED and sanction.lifted is None:
        _lift(sanction, who, words[:LONGEST_REASON], now)
    elif outcome == AppealOutcome.SHORTENED:
        _shorten(sanction, ends, now)
    appeal.answer, appeal.answered, appeal.answered_by, appeal.outcome = words, now, who, outcome
    appeal.save(update_fields=["answer", "answered", "answered_by", "outcome"])
    _log(ConductActKind.ANSWER, sanction, who, words, now, before, outcome=outcome)
    _tell(sanction, "answered", now)
    return appeal


# What players do


@transaction.atomic
def acknowledge(*, sanction_id: int, player: Player, now: datetime) -> None:
    """Note that *player* has read what a moderator has told them. Again is harmless."""
    unread = Sanction.objects.filter(pk=sanction_id, player=player, acknowledged=None)
    if unread.exists():
        unread.update(acknowledged=now)


@transaction.atomic
def appeal(*, sanction_id: int, player: Player, words: str, now: datetime) -> Appeal:
    """Let *player* say what speaks against a sanction, once.

    :raises Refused: they have, it is lifted or too old, or nothing is said
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
    """Whether it is early enough for an appeal against *sanction*; whether there was one is not asked."""
    return sanction.lifted is None and now < sanction.begun + APPEAL_WITHIN


# Rows


def may_sanction(who: Player, player: Player) -> bool:
    """Whether *who* may do something about *player*: a moderator, about somebody of lower rank."""
    if player.is_bot or player.pk == who.pk or not access.moderates(who):
        return False
    return may_change(who, player)


def snapshot(sanction: Sanction) -> dict[str, Any]:
    """What a log compares of *sanction*: begun, ends and lifted, as ISO dates or ``None``."""
    moments = {"begun": sanction.begun, "ends": sanction.ends, "lifted": sanction.lifted}
    return {name: at.isoformat() if at else None for name, at in moments.items()}


def keep_suspension(player: Player, now: datetime) -> None:
    """The account of *player* is being closed: nobody signs up with its addresses before a suspension ends,
    and what was written between player and moderators goes."""
    until = suspended(player, now)
    if until is not None:
        earlier = player.address_changes.values_list("old", flat=True)
        for address in {player.email, *earlier} - {""}:
            BarredAddress.objects.keep(address, player, until)
    Appeal.objects.filter(sanction__player=player).update(words="", answer="")
    Sanction.objects.filter(player=player).update(words="")


def _impose(asked: Asked, kind: SanctionKind, ends: datetime | None) -> Sanction:
    player, who, reason, now, template, words, about = asked
    # Whoever sits down meanwhile, or closes the account, waits for this.
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.closed is not None or not may_sanction(who, player):
        raise Refused("may_not_sanction")
    reason, words = _checked_reason(reason), words.strip()
    if not words_of.told(template, words) or (template and template not in words_of.TEMPLATES):
        raise Refused("sanction_words")
    if len(words) > LONGEST_WORDS:
        raise Refused("sanction_words_too_long")
    if kind != SanctionKind.WARNING and (ends is None or not SHORTEST <= ends - now <= LONGEST):
        raise Refused("sanction_ends")
    made = Sanction.objects.create(
        player=player,
        kind=kind,
        template=template,
        words=words,
        reason=reason,
        about=about.strip()[:100],
        who=who,
        begun=now,
        ends=ends,
    )
    Player.objects.filter(pk=player.pk).update(sanctioned=True)
    player.sanctioned = True
    acts = {
        SanctionKind.WARNING: ConductActKind.WARN,
        SanctionKind.MUTE: ConductActKind.MUTE,
        SanctionKind.SUSPENSION: ConductActKind.SUSPEND,
    }
    _log(acts[kind], made, who, reason, now, {})
    _tell(made, "imposed", now)
    return made


def _locked(sanction_id: int, who: Player) -> Sanction:
    """:raises Refused: *who* may do nothing about it"""
    sanction = Sanction.objects.select_for_update(of=("self",)).select_related("player").get(pk=sanction_id)
    if not may_sanction(who, sanction.player):
        raise Refused("may_not_sanction")
    return sanction


def _lift(sanction: Sanction, who: Player, why: str, now: datetime) -> None:
    sanction.lifted, sanction.lifted_by, sanction.lifted_why = now, who, why
    sanction.save(update_fields=["lifted", "lifted_by", "lifted_why"])
    _follow_barred(sanction.player, now)


def _shorten(sanction: Sanction, ends: datetime | None, now: datetime) -> None:
    if sanction.ends is None or ends is None or not now <= ends < sanction.ends:
        raise Refused("not_shorter")
    sanction.ends = ends
    sanction.save(update_fields=["ends"])
    _follow_barred(sanction.player, now)


def _follow_barred(player: Player, now: datetime) -> None:
    """Bar the addresses of a closed account no longer than it is suspended."""
    BarredAddress.objects.filter(player=player).update(until=suspended(player, now) or now)


def _tell(sanction: Sanction, what: str, now: datetime) -> None:
    outbox.sanctioned(sanction, what, now=now)
    on_commit("games.tasks.deliver_notices")


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
    **more: str,
) -> None:
    after = snapshot(sanction) | more
    ConductAct.objects.create(
        player=sanction.player,
        kind=kind,
        sanction=sanction,
        who=who,
        at=now,
        why=why,
        before=before,
        after=after,
    )
