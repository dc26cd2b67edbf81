"""Refusals of the rules, as codes and parameters; ``games/words`` turns them into sentences."""

from __future__ import annotations

from typing import Any


class IllegalAction(Exception):
    """Refusal of an action by the rules.

    *code* names the reason, *rule* its number in the rules specification, *params* what a sentence about it
    needs.
    """

    def __init__(self, code: str, rule: str, **params: Any) -> None:
        super().__init__(f"{code} ({rule})" + (f" {params}" if params else ""))
        self.code = code
        self.rule = rule
        self.params = params


class InvalidRuleSet(Exception):
    """Sets, edition, options or seats that don't exist or don't go together."""

    def __init__(self, code: str, rule: str = "", **params: Any) -> None:
        super().__init__(f"{code}" + (f" ({rule})" if rule else "") + (f" {params}" if params else ""))
        self.code = code
        self.rule = rule
        self.params = params


class InvalidRecord(Exception):
    """A record that is malformed, or that breaks the rules.

    *entry* counts from 1 over the record's ``turns``; 0 stands for what comes before them.
    """

    def __init__(self, reason: str, *, entry: int = 0, rule: str = "") -> None:
        where = f"entry {entry}: " if entry else ""
        super().__init__(f"{where}{reason}" + (f" ({rule})" if rule else ""))
        self.reason = reason
        self.entry = entry
        self.rule = rule
