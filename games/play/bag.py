"""The verifiable draw: an order of tiles that nobody can choose, and that everybody can check afterwards.

The seed is 32 random bytes. Its SHA-256 is shown from the first turn, the seed itself when the game has
ended. Every copy of a tile has a name, ``<code of the game>/<tile id>#<n>`` with n from 1. The copies are
drawn in the order of HMAC-SHA256(seed, name), separately for each group that the rules draw apart. Other
random choices use HMAC-SHA256(seed, ``<code>/<purpose>/<n>``). Where players draw for who begins, each round
uses a whole copy of the bag, ordered by other names, ``<code>/start/<round>/<tile id>#<n>``, which reveal
nothing about the bag's own order.

Pure functions; the rows are written by ``bag_storage`` and ``turns.py``.
"""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games import rules

FIRST_SEAT = "first-seat"
START = "start"
RETURN = "return"


class Copy(NamedTuple):
    """One copy of a tile, and the digest by which it is sorted."""

    tile: str
    name: str
    digest: bytes


def generate_seed() -> bytes:
    return secrets.token_bytes(32)


def compute_commitment(seed: bytes) -> str:
    """Return the hash of *seed* that is shown while the game is played."""
    return hashlib.sha256(seed).hexdigest()


def chance(seed: bytes, name: str) -> bytes:
    """Return the HMAC of *name* under *seed*."""
    return hmac.new(seed, name.encode(), hashlib.sha256).digest()


class StartDraw(NamedTuple):
    """A tile that was drawn from a copy of the bag for who begins (HR-1)."""

    round: int  # from 1; places that tie draw again
    place: int  # at the open table
    copy: Copy
    roads: int  # sides with a road


def compute_draw_order(seed: bytes, code: str, groups: Iterable[Mapping[str, int]]) -> list[Copy]:
    """Return every copy in *groups* in the order in which the game called *code* draws them."""
    order: list[Copy] = []
    named: Counter[str] = Counter()
    for group in groups:
        order += _sort_copies(seed, code, group, named)
    return order


def _sort_copies(seed: bytes, path: str, group: Mapping[str, int], named: Counter[str]) -> list[Copy]:
    """The copies in *group*, sorted by digest; *named* counts the names already used for each tile."""
    copies = []
    for id, count in sorted(group.items()):
        for _ in range(count):
            named[id] += 1
            name = f"{path}/{id}#{named[id]}"
            copies.append(Copy(id, name, chance(seed, name)))
    return sorted(copies, key=lambda copy: (copy.digest, copy.name))


def compute_start_draws(
    seed: bytes, code: str, groups: Iterable[Mapping[str, int]], places: int
) -> tuple[StartDraw, ...]:
    """Return the tiles that each place draws to decide who begins: the most roads win, ties draw again, and
    every round uses a whole copy of the bag (HR-1). The last round has one winner."""
    bag: Counter[str] = Counter()
    for group in groups:
        bag.update(group)
    drawn: list[StartDraw] = []
    drawing, round = list(range(places)), 0
    while len(drawing) > 1:
        round += 1
        order = _sort_copies(seed, f"{code}/{START}/{round}", bag, Counter())
        now = [
            StartDraw(round, place, copy, rules.get_tile(copy.tile).sides.count("r"))
            for place, copy in zip(drawing, order, strict=False)
        ]
        drawn += now
        most = max(state_draw.roads for state_draw in now)
        drawing = [state_draw.place for state_draw in now if state_draw.roads == most]
    return tuple(drawn)


def choose_first_place(
    seed: bytes, code: str, how: str, *, groups: Iterable[Mapping[str, int]], places: int
) -> int:
    """Return the place at the open table that begins, chosen by *how*, the value of the option
    ``first_player``: by the most roads, otherwise by lot (HR-1)."""
    if how == "most_roads":
        drawn = compute_start_draws(seed, code, groups, places)
        return max(drawn, key=lambda tile_draw: (tile_draw.round, tile_draw.roads)).place if drawn else 0
    return lot(seed, code, FIRST_SEAT, 1, places)


def lot(seed: bytes, code: str, purpose: str, n: int, among: int) -> int:
    """Return a number from 0 up to, but not including, *among*: the *n*-th random number for *purpose*, from
    1."""
    return int.from_bytes(chance(seed, f"{code}/{purpose}/{n}")) % among


def find_return_place(
    order: Sequence[str], tile: str, *, seed: bytes, code: str, n: int, groups: Sequence[Mapping[str, int]]
) -> int:
    """Return the index in *order*, the tiles to draw, at which *tile* returns, as the *n*-th to do so (HR-6).

    It stays within the rest of its group; once its group is used up it may go anywhere.
    """
    among = len(order)
    for group in groups[:-1]:
        if tile in group:
            among = max((at for at, other in enumerate(order, 1) if other in group), default=among)
    return lot(seed, code, RETURN, n, among + 1)


def compute_order_with_returns(
    seed: bytes, code: str, groups: Sequence[Mapping[str, int]], returned: Iterable[tuple[int, str]] = ()
) -> list[Copy]:
    """Return the copies in the order in which they are drawn; one that went back into the bag occurs again.
    *returned* are the tiles that went back, each with the number of draws before it."""
    order = compute_draw_order(seed, code, groups)
    came: list[Copy] = []
    for n, (draws, tile) in enumerate(returned, start=1):
        while len(came) < draws and order:
            came.append(order.pop(0))
        inside = {copy.name for copy in order}
        back = next(
            (copy for copy in reversed(came) if copy.tile == tile and copy.name not in inside),
            Copy(tile, "", b""),
        )
        ids = [copy.tile for copy in order]
        order.insert(find_return_place(ids, tile, seed=seed, code=code, n=n, groups=groups), back)
    return came + order


class Fault(NamedTuple):
    """Difference of a finished game from what its seed says. *code*: ``seed``, ``first_seat`` or ``tile``."""

    code: str
    draw: int
    stored: str
    expected: str


def find_faults(
    *,
    seed: bytes,
    seed_hash: str,
    code: str,
    groups: Sequence[Mapping[str, int]],
    drawn: Sequence[str],
    seats: int,
    first_seat: int | None,
    how: str = "random",
    returned: Iterable[tuple[int, str]] = (),
) -> list[Fault]:
    """Return the faults in the draw of a finished game; empty if it is correct.

    *drawn* are the tiles in the order in which they were drawn, perhaps not all; *first_seat* is the place at
    the open table that began the game, or ``None`` if it was not drawn, and *how* the value of the option
    ``first_player``; *returned* are the tiles that went back into the bag, each with the number of draws
    before it.
    """
    faults = []
    if compute_commitment(seed) != seed_hash:
        faults.append(Fault("seed", 0, seed_hash, compute_commitment(seed)))
    if first_seat is not None:
        expected = choose_first_place(seed, code, how, groups=groups, places=seats)
        if expected != first_seat:
            faults.append(Fault("first_seat", 0, str(first_seat), str(expected)))
    order = [copy.tile for copy in compute_order_with_returns(seed, code, groups, returned)]
    for number, tile in enumerate(drawn, start=1):
        due = order[number - 1] if number <= len(order) else ""
        if tile != due:
            faults.append(Fault("tile", number, tile, due))
    return faults
