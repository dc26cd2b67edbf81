"""The cards of the king and the robber baron."""


def read_cards(game):
    """Return the holder and the record of each card: ``{"king": "B 3"}``."""
    return {
        name: f"{'-' if card.holder is None else 'ABCDEF'[card.holder]} {card.tiles}"
        for name, card in game.state.slices["king-and-robber"].items()
    }
