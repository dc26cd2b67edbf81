"""Tests that the types of actions and events include expansions without naming them in the core."""

from __future__ import annotations

import typing

import games.rules.modules  # so that all have registered themselves  # noqa: F401
from games.rules import action_from_json, action_to_json
from games.rules.actions import FORMS, Action
from games.rules.events import EVENTS, Event, event_from_json, event_to_json
from games.rules.modules.winter import Walk
from games.rules.state import _CHANGES


def test_actions_and_events_are_protocols() -> None:
    for kind in (Action, Event):
        assert isinstance(kind, type) and typing.get_origin(kind) is None
        assert getattr(kind, "_is_protocol", False)


def test_every_event_of_the_core_applies_and_comes_back_from_json() -> None:
    core = {kind for kind in EVENTS.values() if kind.__module__ == "games.rules.events"}
    assert core == set(_CHANGES)
    for name, kind in EVENTS.items():
        fields = dict.fromkeys(kind.__annotations__) | ({"terms": ()} if name == "scored" else {})
        event = kind(**fields)
        assert event_to_json(event)["type"] == name
        assert event_from_json(event_to_json(event)) == event


def test_every_action_of_an_expansion_comes_back_from_json() -> None:
    assert FORMS["gingerbread"].kind is Walk
    for name, form in FORMS.items():
        action = form.kind(**dict.fromkeys(form.kind.__annotations__))
        assert action_to_json(action) == {"type": name}
        assert type(action_from_json({"type": name})) is form.kind
