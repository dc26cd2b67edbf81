"""Draws that several games share: one seed, to which all of them are committed before the first turn.

The hash of the seed is shown from the beginning. The seed would tell those who still play which tiles come,
so it is shown only when the deal is closed and all its games are over. A deal is locked after games.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games.models import ENDED, Deal, DealSecret, Game, Move
from games.play import bag
from games.rules import RuleSet


@sensitive_variables("seed")
@transaction.atomic
def create_deal(*, rules: RuleSet, now: datetime) -> Deal:
    """Create a draw for games of this rule set and number of seats."""
    seed = bag.generate_seed()
    deal = Deal.objects.create(
        rule_set=rules.to_json(), places=rules.seats, seed_hash=bag.compute_commitment(seed), created=now
    )
    DealSecret.objects.create(deal=deal, seed=seed)
    return deal


def join(game: Game) -> None:
    """Lock the deal of *game*, which is about to begin, so that it isn't closed before the game is written.

    :raises ValueError: the deal is closed, the game has other rules, or one of its players knows the tiles
    """
    assert game.deal_id is not None
    deal = _lock_deal(game.deal_id)
    if deal.closed is not None:
        raise ValueError("no game joins this deal any more")
    if _kind(deal) != _kind(game):
        raise ValueError("games that share a draw have the same rules and seats")
    players = game.seats.filter(player__isnull=False).values_list("player", flat=True)
    if knows_tiles(deal, list(players), but=game):
        raise ValueError("a player would know what comes next")


def knows_tiles(deal: Deal, players: Collection[int], *, but: Game | None = None) -> bool:
    """Return whether one of *players*, by primary key, sits at a game of *deal*, or sat there until they were
    replaced; *but* is the game that doesn't count. Two queries at most."""
    games = deal.games.exclude(pk=but.pk) if but else deal.games.all()
    if games.filter(seats__player__in=players).exists():
        return True
    return Move.objects.filter(game__in=games, action__gone__in=players).exists()


@transaction.atomic
def close_deal(*, deal_id: int, now: datetime) -> None:
    """Let no more games join the deal, and show its seed if all its games are over. Idempotent."""
    deal = _lock_deal(deal_id)
    if deal.closed is None:
        deal.closed = now
        deal.save(update_fields=["closed"])
    show_if_over(deal_id)


@sensitive_variables("seed")
def show_if_over(deal_id: int) -> None:
    """Show the seed of a closed deal if its last game is over. The caller is in a transaction."""
    deal = _lock_deal(deal_id)
    if deal.closed is None or not deal.sealed or deal.games.exclude(status__in=ENDED).exists():
        return
    deal.seed = load_seed(deal).hex()
    deal.save(update_fields=["seed"])


def load_seed(deal: Deal) -> bytes:
    """Return the seed of *deal*, which is secret."""
    return bytes(DealSecret.objects.values_list("seed", flat=True).get(deal=deal))


def _kind(deal: Deal | Game) -> tuple[object, ...]:
    """The settings that games with a shared draw have in common: all except who begins."""
    options = {name: value for name, value in deal.rule_set["options"].items() if name != "first_player"}
    return deal.places, {**deal.rule_set, "options": options}


def _lock_deal(deal_id: int) -> Deal:
    # No key lock: rows of games that refer to it may be written meanwhile.
    return Deal.objects.select_for_update(no_key=True).get(pk=deal_id)
