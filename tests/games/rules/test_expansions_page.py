"""The example in ``docs/expansions.md`` runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games.rules import Pass, action_from_json, action_to_json, actions
from games.rules.notation import read_any, write

from .boards import followers, played, scored

PAGE = Path(__file__).parents[3] / "docs" / "expansions.md"


IMPORTS = """
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from games.rules import Feature, Pass, RuleSet
from games.rules.actions import Form, register_action
from games.rules.module import Module
from games.rules.events import Event, Returned, Term, register_event
from games.rules.state import State, with_slice
from games.rules.turn import Slot, Step


def toll_roads(state):
    features = [state.board.features[code] for code in state.completed]
    return [feature for feature in features if feature.kind == "road"]
"""


@pytest.fixture
def toll(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page's code defines; every completed road has a toll house here."""
    for name, form in dict(actions.FORMS).items():
        monkeypatch.setitem(actions.FORMS, name, form)
    monkeypatch.setitem(actions.FORMS, "leave", None)  # so that it is gone afterwards
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {"__name__": "toll"}
    exec(IMPORTS, names)
    for block in blocks:
        exec(block, names)
    names["Toll"].name = "toll"  # its class stands there twice, answer by answer
    return names


def test_whoever_pays_takes_the_followers_back(toll: dict[str, Any]) -> None:
    chosen = {"sets": ["base", "toll"], "known": {"toll": toll["Toll"]()}}
    game = played("A base.W@1,0 frrr road W; B base.W@-1,0 frrr", **chosen)
    assert game.decision == ("toll", 0)
    assert list(game.legal_actions()) == [Pass(), toll["Leave"]()]
    assert game.legal_actions().silence() == Pass()
    stayed = game.play(Pass())
    assert scored(stayed) == [("A", "road", 3)]
    left = game.play(toll["Leave"]())
    assert scored(left) == []
    assert followers(left) == (7, 7)
    assert left.state.slices["toll"] == 1


def test_its_action_survives_mail_and_storage(toll: dict[str, Any]) -> None:
    leave = toll["Leave"]()
    assert write(leave) == "leave"
    assert isinstance(action_from_json(action_to_json(leave)), toll["Leave"])
    assert read_any("pass") == Pass()
