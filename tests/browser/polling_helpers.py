"""Polling of a script's result in a page.

Playwright's ``wait_for_function`` evaluates its text anew in the page itself, where the site's
Content-Security-Policy refuses it: it works only if the first result is the expected one.
"""

from typing import Any

import pytest
from playwright.sync_api import Page


def becomes_true(page: Page, script: str, arg: Any = None, seconds: float = 5) -> bool:
    """Evaluate a *script*, or its promise, until it is true; ``False`` if it isn't within these *seconds*."""
    for _ in range(int(seconds * 20)):
        if page.evaluate(script, arg):
            return True
        page.wait_for_timeout(50)
    return False


def wait_until(page: Page, script: str) -> None:
    if not becomes_true(page, script):
        pytest.fail(f"never: {script}")
