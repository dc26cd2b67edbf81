"""Brackets, read from their page."""

from tests.html import Page


def read_ties(page: Page, round_number: int, bracket: str = "Bracket") -> list[list[str]]:
    """Return the texts of the places in each match of a round of the *bracket* with this name."""
    boxes = page.all(f'.bracket-box[aria-label="{bracket}"] .round:nth-child({round_number}) .tie')
    return [[" ".join(slot.get_text(" ").split()) for slot in box.select(".slot")] for box in boxes]
