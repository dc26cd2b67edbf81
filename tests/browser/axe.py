"""Runner of axe-core, which checks a page for accessibility."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page


def run(page: Page, **options: Any) -> AxeResults:
    """Return axe's violations of *page* as it is now; *options* are those of its ``run``. Other results
    are not reported in full, which halves the time. Style sheets are not read anew, as no rule of ours asks
    for them and the policy of our pages forbids what axe makes of ``@import``."""
    asked = {"resultTypes": ["violations"], "preload": False, **options}
    script = "options => 'axe' in window ? axe.run(options) : null"
    found = page.evaluate(script, asked)
    if found is None:
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(script, asked)
    return AxeResults(found)
