"""Waiting until a page has no pending requests or animations."""

from playwright.sync_api import Page, expect

ASKING = ".htmx-request, .htmx-swapping, .htmx-settling"
STILL = """() => new Promise((rest, fail) => {
  const started = performance.now();
  let before = "";
  let still = 0; // frames in a row
  const look = () => {
    const { scrollLeft, scrollTop } = document.getElementById("frame") || document.scrollingElement;
    const now = `${scrollLeft} ${scrollTop}`;
    const glides = now !== before || document.getAnimations().some((one) => one.playState === "running");
    still = glides ? 0 : still + 1;
    before = now;
    if (still > 3) {
      rest();
    } else if (performance.now() - started > 5000) {
      fail(new Error("The page does not come to rest"));
    } else {
      requestAnimationFrame(look);
    }
  };
  look();
})"""


def wait_for_rest(page: Page) -> None:
    """Wait until the page is still. Stillness counts in frames: a busy machine draws few a second."""
    expect(page.locator(ASKING)).to_have_count(0)
    page.evaluate(STILL)
