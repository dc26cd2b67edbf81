"""Legal turns, as listed by the engine and as found by brute force."""

from . import floodfill


def collect_tiles_and_meeples(state):
    """Return the tiles and meeples of *state* in the form that flood fill needs."""
    tiles = {(laid.x, laid.y): (laid.tile, laid.rotation) for laid in state.placed}
    meeples = {
        floodfill.node_at(tiles, meeple.x, meeple.y, meeple.on, meeple.side) for meeple in state.meeples()
    }
    return tiles, meeples


def find_turns_by_trying(game):
    """Find the legal turns by brute force."""
    state = game.state
    tiles, meeples = collect_tiles_and_meeples(state)
    return floodfill.turns(
        tiles,
        meeples,
        state.drawn,
        followers=state.supply[state.turn_seat]["follower"],
        farmers=state.rules.options["fields"] != "none",
    )


def list_turns(game):
    """List the engine's legal turns in the same form."""
    return [
        (action.x, action.y, action.rotation, action.figure and (action.figure.on, action.figure.side))
        for action in game.legal_actions()
    ]
