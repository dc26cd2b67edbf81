"""The board's frame and boxes on the page, measured in the browser."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.rest import wait_for_rest

READ_VIEW = """() => {
  const frame = document.getElementById("frame").getBoundingClientRect();
  const matrix = document.querySelector(".map .board").getScreenCTM();
  const middle = new DOMPoint(frame.x + frame.width / 2, frame.y + frame.height / 2);
  const { x, y } = middle.matrixTransform(matrix.inverse());
  return { x, y, scale: Number(matrix.a.toFixed(2)) };
}"""
"""Script that returns the board's point in the middle of the frame, 100 to a tile, and pixels per unit."""


def read_view(page: Page) -> Any:
    expect(page.locator(".zoom:not([hidden])")).to_have_count(1)  # the script has come
    wait_for_rest(page)
    return page.evaluate(READ_VIEW)


def measure_box(page: Page, selector: str) -> Any:
    return page.locator(selector).first.evaluate("one => one.getBoundingClientRect().toJSON()")
