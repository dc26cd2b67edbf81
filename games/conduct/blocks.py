"""Blocks between players who want nothing to do with each other.

A block keeps two people apart, whichever of them has blocked the other: neither can invite the other, nor sit
down where the other sits. Nobody learns who wanted it. Games that have begun go on.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.access import Visitor
from games.conduct import limits
from games.exceptions import Refused
from games.models import Answer, Block, FollowedPlayer, Game, Invitation, Seat


def block(*, blocked: Player, player: Player, now: datetime) -> None:
    """Keep *blocked* away from *player*. Idempotent.

    Pending invitations between the two are withdrawn, and *player* stops following *blocked*.

    :raises Refused: this account can't be blocked, or there are too many
    """
    if blocked == player or blocked.closed or blocked.is_bot:
        raise Refused("may_not_block")
    mine = Block.objects.filter(player=player)
    if mine.filter(blocked=blocked).exists():
        return
    if mine.count() >= limits.get_maximum("players_blocked"):
        raise Refused("too_many_blocked")
    Block.objects.get_or_create(blocked=blocked, player=player, defaults={"since": now})
    FollowedPlayer.objects.filter(player=player, followed=blocked).delete()
    between = Q(inviter=player, player=blocked) | Q(inviter=blocked, player=player)
    Invitation.objects.filter(between, answer=Answer.PENDING).update(answer=Answer.WITHDRAWN, answered=now)


def unblock(*, blocked: Player, player: Player) -> None:
    Block.objects.filter(blocked=blocked, player=player).delete()


def forget(player: Player) -> None:
    """Delete the blocks of *player*, and those of *player* by others."""
    Block.objects.filter(Q(player=player) | Q(blocked=player)).delete()


def list_blocked_players(player: Player) -> QuerySet[Player]:
    """Return the players whom *player* has blocked, in order of their names."""
    return Player.objects.filter(blocked_by__player=player).order_by("name_key")


def are_kept_apart(one: int, others: Collection[int]) -> bool:
    """Return whether *one* has blocked any of *others*, or any of them *one*; all are primary keys. One
    query."""
    either = Q(player=one, blocked__in=others) | Q(player__in=others, blocked=one)
    return Block.objects.filter(either).exists()


def find_blocked_pairs(people: Collection[int]) -> frozenset[frozenset[int]]:
    """Return every two of *people*, by primary key, of whom one has blocked the other. One query."""
    blocked = Block.objects.filter(player__in=people, blocked__in=people)
    return frozenset(map(frozenset, blocked.values_list("player", "blocked")))


def must_not_be_kept_apart(player: Player, game: Game) -> None:
    """Refuse *player* a seat at a table where somebody sits from whom they are kept apart.

    :raises Refused: without saying from whom, or who wanted it
    """
    people = game.seats.filter(player__isnull=False).exclude(player=player)
    if are_kept_apart(player.pk, list(people.values_list("player", flat=True))):
        raise Refused("may_not_sit_here")


def build_unblocked_filter(visitor: Visitor, game: str = "pk") -> Q:
    """Build a filter of games, or of rows whose *game* this is, without players from whom *visitor* is kept
    apart.

    It adds conditions to the caller's query and makes none itself; empty for anonymous visitors.
    """
    if not visitor.is_authenticated:
        return Q()
    # Start from the few blocks rather than from every seat: each half can use an index.
    mine = Block.objects.filter(player=visitor).values("blocked")
    theirs = Block.objects.filter(blocked=visitor).values("player")
    there, who = f"{game}__in", Seat.objects.filter(ended=None)
    return ~Q((there, who.filter(player__in=mine).values("game"))) & ~Q(
        (there, who.filter(player__in=theirs).values("game"))
    )
