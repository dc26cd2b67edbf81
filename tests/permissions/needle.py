"""Secrets of running games, as they might appear in responses."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any

from games.models import Bag, Game

IN_A_ROW = 4
"""Number of undrawn tiles in their order that can't be there by accident."""


class Needle:
    """Secrets of *games*, in all their spellings."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._words: list[str] = []
        orders = []
        for game in games:
            bag = Bag.objects.get(game=game)
            seed = bytes(bag.seed)
            coded = base64.b64encode(seed).decode().rstrip("=")
            self._words += [
                seed.hex(),
                coded,
                base64.urlsafe_b64encode(seed).decode().rstrip("="),
                str(list(seed)),
            ]
            orders.append(r"\W{1,12}".join(map(re.escape, bag.order[:IN_A_ROW])))
        self._order = re.compile("|".join(orders))

    def found_in(self, text: str) -> bool:
        return any(word.lower() in text.lower() for word in self._words) or bool(self._order.search(text))


def text_of(response: Any) -> str:
    """The whole response, headers and body."""
    body = b"".join(response) if response.streaming else response.content
    return f"{dict(response.headers)} {body.decode('utf-8', 'replace')}"
