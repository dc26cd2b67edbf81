"""Warnings, mutes and suspensions: what moderators do about people, and what follows from it.

A sanction is a row. Whoever lets somebody act asks here, under their own lock, and refuses with words; who
was never sanctioned costs no query (``Player.sanctioned``). Nothing runs to end a sanction: its end is
compared with the time. What follows a suspension elsewhere (tables withdrawn, holidays to come taken back)
is done by ``games.tasks.follow_suspensions``, which the beat calls, too, should the message be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts.interests import Recusal
from accounts.models import BarredAddress, Player
from accounts.ranks import may_change
from accounts.references import says, show_text
from carcassonne.celery import on_commit
from games import access, outbox
from games.conduct import warning_templates
from games.conduct.interests import (
    must_be_impartial,
    recusal_from,
    recusal_from_appeal,
    recusal_from_incident,
)
from games.exceptions import Refused
from games.models import Appeal, AppealOutcome, ConductAct, ConductActKind, Incident, Sanction, SanctionKind
from games.words import sanctions as words_of

APPEAL_WITHIN = timedelta(days=30)
ANSWER_WITHIN = timedelta(days=7)
SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=366)
LONGEST_REASON, LONGEST_WORDS, LONGEST_APPEAL = 500, 1000, 2000

LONGEST_IN_OWN_MATTER = timedelta(hours=24)
"""For so long a moderator may mute or suspend somebody with whom they share an interest, ..."""

OWN_MATTER_AGAIN = timedelta(days=7)
"""... and not once more in so many days: days that follow each other are no short stop."""

CASE_FOR = timedelta(days=30)
"""How long after its decision something may still come from an incident."""

IMPOSING = (ConductActKind.WARN, ConductActKind.MUTE, ConductActKind.SUSPEND)


class Asked(NamedTuple):
    """What a moderator (*who*) wants done about *player*.

    The player reads the text called *template* and *words*; *reason* is for the log, *about* says what it
    came from, *incident* is the number of the incident, if it was one. The moderator has looked at the person
    at *expected_version* (``version_of``); ``None`` takes the person as they are. *again* says that they mean
    it although the same is in force: they lengthen it, or warn once more.
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
            said = " ".join(words_of.told(one.template, show_text(one.words), one.texts))
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
def lift(
    *, sanction_id: int, who: Player, why: str, now: datetime, expected_version: int | None = None
) -> Sanction:
    """Take a sanction back, and with it what is still asked about it. Again is harmless.

    :raises Refused: *who* may not, it is over, somebody else was quicker, or something was done about the
        person since they looked
    """
    sanction = _locked(sanction_id, who)
    why = _checked_reason(why)
    if sanction.lifted is not None:
        if (sanction.lifted_by_id, sanction.lifted_why) == (who.pk, why):
            return sanction
        assert sanction.lifted_by is not None
        raise Refused("lifted_already", who=sanction.lifted_by.username)
    _must_be_as_shown(sanction.player, expected_version)
    own_matter = must_be_impartial(recusal_from(who, sanction.player, opened=opened_of(sanction)))
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
    """Answer an appeal: let the sanction stand, end it at *ends*, or lift it; *words* are for the player.
    Again is harmless.

    :raises Refused: *who* imposed it or may not, somebody else has answered it, something was done about the
        person since they looked, or there can't be such an answer
    """
    sanction_id = Appeal.objects.values_list("sanction", flat=True).get(pk=appeal_id)
    sanction = _locked(sanction_id, who)
    appeal = Appeal.objects.select_for_update().get(pk=appeal_id)
    appeal.sanction = sanction
    if sanction.who_id == who.pk:
        raise Refused("appeal_own")
    words = words.strip()
    if appeal.answered is not None:
        if (appeal.answered_by_id, appeal.outcome, appeal.answer) == (who.pk, outcome, words):
            return appeal
        raise Refused("appeal_answered")
    _must_be_as_shown(sanction.player, expected_version)
    own_matter = must_be_impartial(recusal_from_appeal(who, appeal))
    if not 0 < len(words) <= LONGEST_WORDS:
        raise Refused("appeal_words")
    before = snapshot(sanction)
    if outcome == AppealOutcome.LIFTED and sanction.lifted is None:
        _lift(sanction, who, words[:LONGEST_REASON], now)
    elif outcome == AppealOutcome.SHORTENED:
        _shorten(sanction, ends, now)
    appeal.answer, appeal.answered, appeal.answered_by, appeal.outcome = words, now, who, outcome
    appeal.save(update_fields=["answer", "answered", "answered_by", "outcome"])
    _log(ConductActKind.ANSWER, sanction, who, words, now, before, own_matter=own_matter, outcome=outcome)
    _tell(sanction, "answered", now)
    return appeal


def preview(act: Callable[[], Sanction]) -> None:
    """Do *act*, and take all of it back. :raises Refused: it can't be done"""
    with transaction.atomic():
        act()
        transaction.set_rollback(True)


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


def may_reach(who: Player, player: Player) -> bool:
    """Whether *who* is a moderator, and *player* somebody of lower rank."""
    if player.is_bot or player.pk == who.pk or not access.moderates(who):
        return False
    return may_change(who, player)


def may_sanction(who: Player, player: Player, *, opened: datetime | None = None) -> bool:
    """Whether *who* may do anything about *player*, in a case *opened* then, or now: they outrank them, and
    it is not their own matter. What is short they may do all the same (``LONGEST_IN_OWN_MATTER``)."""
    if not may_reach(who, player):
        return False
    recused = recusal_from(who, player, opened=opened)
    return recused is None or recused.may_act


def opened_of(sanction: Sanction) -> datetime:
    """When the case was opened from which *sanction* comes; one query at most."""
    return sanction.begun if sanction.incident is None else sanction.incident.opened


def incident_of(player: Player, number: int | None, now: datetime) -> Incident | None:
    """The incident with this *number*, as the case from which something about *player* comes.

    :raises Refused: it is about somebody else, or was decided long ago
    """
    if number is None:
        return None
    found = Incident.objects.select_related("about", "game").filter(pk=number, about=player).first()
    if found is None or (found.closed is not None and found.closed < now - CASE_FOR):
        raise Refused("no_such_case")
    return found


def recusal_in(who: Player, player: Player, incident: Incident | None) -> Recusal | None:
    """Why *who* leaves what comes of *incident*, or of nothing that was reported, to others."""
    if incident is None:
        return recusal_from(who, player)
    return recusal_from_incident(who, incident)


def version_of(player: Player) -> int:
    """A number that grows with everything that is done about *player*; one query."""
    return ConductAct.objects.filter(player=player).values_list("pk", flat=True).first() or 0


def standing(player: Player, kind: SanctionKind, now: datetime) -> Sanction | None:
    """What of this *kind* is in force, with who did it: the one that ends last; one query."""
    found = Sanction.objects.filter(player=player, kind=kind).in_force(now).select_related("who")
    return max(found, key=lambda one: one.ends or one.begun, default=None)


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
    player, who, now, template = asked.player, asked.who, asked.now, asked.template
    # Whoever sits down meanwhile, or closes the account, waits for this.
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.closed is not None or not may_reach(who, player):
        raise Refused("may_not_sanction")
    reason, words = _checked_reason(asked.reason), asked.words.strip()
    texts = warning_templates.texts_to_send(template) if template else None
    if not (texts or words) or (template and not texts):
        raise Refused("sanction_words")
    if len(words) > LONGEST_WORDS:
        raise Refused("sanction_words_too_long")
    if kind != SanctionKind.WARNING and (ends is None or not SHORTEST <= ends - now <= LONGEST):
        raise Refused("sanction_ends")
    done = _done(asked, kind, reason, words)
    if done is not None:
        return done
    incident = incident_of(player, asked.incident, now)
    own_matter = _in_own_matter(asked, kind, ends, incident)
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
        incident=incident,
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
    _log(acts[kind], made, who, reason, now, {}, own_matter=own_matter)
    _tell(made, "imposed", now)
    return made


def _done(asked: Asked, kind: SanctionKind, reason: str, words: str) -> Sanction | None:
    """What came of the very same wish, as by a double click."""
    if asked.expected_version is None:
        return None
    since = ConductAct.objects.filter(player=asked.player, pk__gt=asked.expected_version).order_by("pk")
    first = since.select_related("sanction").first()
    if first is None or first.who_id != asked.who.pk:
        return None
    made = first.sanction
    same = (made.kind, made.template) == (kind, asked.template) and says(made, words=words, reason=reason)
    return made if same and first.kind in IMPOSING else None


def _in_own_matter(
    asked: Asked, kind: SanctionKind, ends: datetime | None, incident: Incident | None
) -> bool:
    """Whether it is done in own matters: for a day at most, or by an administrator, as nobody else can.

    :raises Refused: it is for somebody else
    """
    recused = recusal_in(asked.who, asked.player, incident)
    if recused is None or recused.may_act or not _is_short(asked, kind, ends):
        return must_be_impartial(recused)
    return True


def _is_short(asked: Asked, kind: SanctionKind, ends: datetime | None) -> bool:
    """Whether everybody may do it in own matters: it stops somebody for a day, and not for the second time in
    a week."""
    if kind == SanctionKind.WARNING or ends is None or ends - asked.now > LONGEST_IN_OWN_MATTER:
        return False
    lately = ConductAct.objects.filter(
        player=asked.player, who=asked.who, own_matter=True, at__gt=asked.now - OWN_MATTER_AGAIN
    )
    return not lately.filter(kind__in=IMPOSING, sanction__kind=kind).exists()


def _must_not_stand(asked: Asked, kind: SanctionKind, ends: datetime | None) -> None:
    """:raises Refused: the same is in force, and *asked* does not say that it shall be lengthened"""
    known = standing(asked.player, kind, asked.now)
    if known is None:
        return
    if not asked.again:
        raise refusal_as(known)
    if known.ends is not None and ends is not None and ends <= known.ends:
        raise Refused("not_longer", until=known.ends)


def refusal_as(known: Sanction) -> Refused:
    """The refusal to do what *known*, which is in force, does already."""
    return Refused(f"{known.kind}_in_force", who=known.who.username, until=known.ends)


def _must_be_as_shown(player: Player, expected_version: int | None) -> None:
    """:raises Refused: something was done about *player* since that version"""
    if expected_version not in (None, version_of(player)):
        raise Refused("person_moved_on")


def _locked(sanction_id: int, who: Player) -> Sanction:
    """The sanction, locked after its player, as everything that is done about somebody.

    :raises Refused: *who* may do nothing about it
    """
    player = Sanction.objects.values_list("player", flat=True).get(pk=sanction_id)
    Player.objects.select_for_update(no_key=True).get(pk=player)
    rows = Sanction.objects.select_for_update(of=("self",))
    sanction = rows.select_related("player", "lifted_by", "incident").get(pk=sanction_id)
    if not may_reach(who, sanction.player):
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
    *,
    own_matter: bool,
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
        own_matter=own_matter or None,
    )
