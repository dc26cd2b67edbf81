"""One test for many small cases: a loop instead of as many tests, each of which costs more than its case."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from cProfile import Profile
from functools import wraps
from typing import Any


def for_each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Call a test once for each of *cases*, as ``pytest.mark.parametrize`` would, but as one test.

    A failure names its case; those after it are not tried. Fixtures are made once for all cases, so this is
    for tests that change none.
    """
    arguments = tuple(names.replace(",", " ").split()) if isinstance(names, str) else tuple(names)
    listed = tuple(cases)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def try_each(*args: Any, **fixtures: Any) -> None:
            for case in listed:
                values = case if len(arguments) > 1 else (case,)
                try:
                    test(*args, **fixtures, **dict(zip(arguments, values, strict=True)))
                except BaseException as error:
                    error.add_note(f"in the case {', '.join(map(repr, values))}")
                    raise

        signature = inspect.signature(test)
        kept = [one for name, one in signature.parameters.items() if name not in arguments]
        assert len(kept) + len(arguments) == len(signature.parameters), f"{arguments} of {test.__name__}"
        try_each.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return try_each

    return decorate


def count_calls(function: Callable[[], object]) -> int:
    """Count the calls of Python functions, and of those written in C, that *function* makes.

    A machine that is busy or slow makes as many as any other, so that a test can hold what must stay quick.
    """
    with Profile() as profile:
        function()
    return sum(entry.callcount for entry in profile.getstats())  # type: ignore[attr-defined]
