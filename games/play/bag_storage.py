"""Storage of a game's bag: filling it, returning tiles to it, and showing its seed at the end."""

from collections import Counter
from collections.abc import Sequence

from django.views.decorators.debug import sensitive_variables

from games.exceptions import RulesLost
from games.models import Bag, Game
from games.play import bag, deals


@sensitive_variables("seed", "order")
def fill(game: Game) -> int:
    """Fill the bag of *game*, which is about to begin, from a seed of its own or from that of its deal,
    unless a bag was given. Set the game's seed hash, and return the place at the open table that begins."""
    if game.has_lost_rules:
        raise RulesLost
    if Bag.objects.filter(game=game).exists():
        return 0
    if game.deal is not None:
        deals.join(game)
    seed = bag.generate_seed() if game.deal is None else deals.load_seed(game.deal)
    groups = game.rules.bag
    order = [copy.tile for copy in bag.compute_draw_order(seed, game.draw_code, groups)]
    Bag.objects.create(game=game, seed=seed, order=order)
    game.seed_hash = bag.compute_commitment(seed)
    if not draws_first_seat(game):
        return 0
    how = game.rules.options["first_player"]
    return bag.choose_first_place(seed, game.code, how, groups=groups, places=game.places)


@sensitive_variables("order", "rest")
def give_bag(game: Game, order: Sequence[str]) -> None:
    """Make *game*, which is still open, draw its tiles in this *order* instead of by a seed.

    For tests; games that share a verifiable draw have a ``Deal``.

    :raises ValueError: these are not the tiles of the game's rule set
    """
    rest = list(order)
    for group in game.rules.bag:
        size = sum(group.values())
        if Counter(rest[:size]) != Counter(group):
            raise ValueError("these are not the tiles of the rule set, in its order of groups")
        rest = rest[size:]
    if rest:
        raise ValueError("the bag holds more tiles than the rule set")
    Bag.objects.create(game=game, seed=None, order=list(order))


def draws_first_seat(game: Game) -> bool:
    """Return whether the seed decides who begins, by the most roads or by lot (HR-1). Not if the creator
    begins, nor in a rematch, where the seats are rotated."""
    return game.rule_set["options"]["first_player"] != "creator" and game.rematch_of_id is None


@sensitive_variables("seed")
def load_start_draws(game: Game) -> tuple[bag.StartDraw, ...]:
    """Return the tiles drawn to decide who begins *game*, from copies of its bag (HR-1). They are public, as
    they reveal nothing about the bag's own order. Empty if the first seat was chosen in another way."""
    if game.rules.options["first_player"] != "most_roads" or not draws_first_seat(game):
        return ()
    seed = Bag.objects.values_list("seed", flat=True).get(game=game)
    return bag.compute_start_draws(bytes(seed), game.code, game.rules.bag, game.places) if seed else ()


@sensitive_variables("hidden", "seed")
def put_back(hidden: Bag, game: Game, tiles: Sequence[str], *, draws: int) -> None:
    """Put *tiles* back into the bag after so many *draws*, each at the place that the seed says (HR-6)."""
    groups = game.rules.bag
    drawn_ever = sum(count for group in groups for count in group.values())
    seed = bytes(hidden.seed) if hidden.seed else bag.generate_seed()  # a given bag has none
    for tile in tiles:
        n = draws + len(hidden.order) - drawn_ever + 1
        at = bag.find_return_place(hidden.order, tile, seed=seed, code=game.draw_code, n=n, groups=groups)
        hidden.order.insert(at, tile)


@sensitive_variables("seed")
def load_seed_to_show(game: Game) -> str:
    """Return the seed of *game*, which is ending, in hex; empty if it is shared, or the bag was given."""
    seed = Bag.objects.values_list("seed", flat=True).get(game=game)
    return bytes(seed).hex() if seed and game.deal_id is None else ""


def show_shared_seed(game: Game) -> None:
    """Show the seed that *game*, which has been written, shares with others, if they are all over."""
    if game.deal_id is not None:
        deals.show_if_over(game.deal_id)
