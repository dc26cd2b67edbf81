"""Brackets, read from their page."""

from tests.html import Page


def read_ties(page: Page, round_number: int) -> list[list[str]]:
    """Return the texts of the places in each match of a round."""
    boxes = page.all(f".round:nth-child({round_number}) .tie")
    return [[" ".join(slot.get_text(" ").split()) for slot in box.select(".slot")] for box in boxes]
