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

PREPARE = """(percent) => {
  document.querySelectorAll("details").forEach((one) => (one.open = true));
  document.documentElement.style.fontSize = `${percent}%`;
  document.querySelector(".turn")?.scrollTo(0, 9999);
}"""
MEASURE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const figures = [...document.querySelectorAll(".meeple")].map((one) => one.clientWidth);
  return [scrollWidth - clientWidth, Math.max(0, ...figures)];
}"""


def find_violations(
    page: Page, title: str, rules: Sequence[str] = ALL_RULES, *, large_text: bool = False
) -> Iterator[str]:
    """Yield violations of the open page, with all details open, and on a phone with the turn's panel
    scrolled to its end, where nothing lies below its Send button; with *large_text* also at twice the size
    of text, on a phone."""
    views = [("light", WIDE, 100, rules), ("dark", PHONE, 100, VISUAL_RULES)]
    if large_text:
        views += [(scheme, PHONE, 200, VISUAL_RULES) for scheme in ("dark", "light")]
    for scheme, size, percent, only in views:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate(PREPARE, percent)
        results = axe.run(page, runOnly=only)
        where = f"{title} ({page.url}), {scheme}, {size['width']} px, text {percent} %"
        if results.violations_count:
            yield f"{where}\n{results.generate_report()}"
        beyond, figure = page.evaluate(MEASURE)
        if beyond > 0:
            yield f"{where}: {beyond} px wider than the screen"
        if figure > FIGURE_PIXELS * percent / 100:
            yield f"{where}: a meeple is {figure} px wide"
