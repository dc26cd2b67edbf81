"""Accessibility checks with axe, in both schemes, on a wide screen and on a phone."""

from collections.abc import Iterator, Sequence

from playwright.sync_api import Page

from tests.browser import axe

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ALL_RULES = [*WCAG, "best-practice"]
VISUAL_RULES = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""Rules about appearance; the others find the same in every scheme and at every width."""
FIGURE_PIXELS = 48
"""Maximum width of a figure beside a name, in pixels: without its style sheet it fills the page."""


def find_violations(page: Page, title: str, rules: Sequence[str] = ALL_RULES) -> Iterator[str]:
    """Yield violations of the open page, with all details open, and on a phone with the turn's panel
    scrolled to its end, where nothing lies below its Send button."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    for scheme, size, only in (("light", WIDE, rules), ("dark", PHONE, VISUAL_RULES)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate("document.querySelector('.turn')?.scrollTo(0, 9999)")
        results = axe.run(page, runOnly=only)
        if results.violations_count:
            yield f"{title} ({page.url}), {scheme}, {size['width']} px\n{results.generate_report()}"
        width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if width > 0:
            yield f"{title} ({page.url}) is {width} px wider than a screen of {size['width']} px"
        figure = page.evaluate(
            "Math.max(0, ...Array.from(document.querySelectorAll('.meeple'), ({clientWidth}) => clientWidth))"
        )
        if figure > FIGURE_PIXELS:
            yield f"{title} ({page.url}) shows a meeple {figure:.0f} px wide"
