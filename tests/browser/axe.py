"""The rules of accessibility that axe-core asks a page for."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page


def run(page: Page, **options: Any) -> AxeResults:
    """What axe finds wrong with *page* as it is now; *options* are those of its ``run``. Only what is wrong
    is told in full, which takes half the time."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return AxeResults(
        page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})
    )
