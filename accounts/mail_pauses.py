"""Pauses of mails to addresses that bounce, or whose owners report mails as spam.

While ``Player.mail_paused`` is set the outbox sends nothing to the player; codes and letters about the
account still go. A player lifts the pause by asking for mails again, or by confirming an address.
"""

from datetime import datetime

from django.db.models import Value
from django.db.models.functions import Coalesce

from accounts.models import PauseCause, Player


def pause(player: Player, cause: PauseCause, *, address: str, now: datetime) -> None:
    """Pause mails to *player*, unless *address*, which this is about, is no longer theirs.

    A pause that lasts keeps its beginning, and a report of spam stays its cause.
    """
    theirs = Player.objects.filter(pk=player.pk, email__iexact=address).exclude(email="")
    lighter = theirs.exclude(mail_pause_cause=PauseCause.COMPLAINED)
    lighter.update(mail_paused=Coalesce("mail_paused", Value(now)), mail_pause_cause=cause)


def note_first_refusal(player: Player, *, address: str, now: datetime) -> None:
    """Note that a mail to *player* was refused at *address*: the next one pauses mails."""
    Player.objects.filter(pk=player.pk, email__iexact=address).update(address_refused=now)


def lift(player: Player) -> None:
    """Send mails to *player* again."""
    Player.objects.filter(pk=player.pk).update(mail_paused=None, mail_pause_cause="", address_refused=None)
