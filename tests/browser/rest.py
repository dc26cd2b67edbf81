"""Waiting until a page has no pending requests or animations."""

from playwright.sync_api import Page, expect

ASKING = ".htmx-request, .htmx-swapping, .htmx-settling"
# Answers false once no frame came for five seconds: Chromium sometimes forgets a page that nobody looks at.
STILL = """() => new Promise((resolve, fail) => {
  const started = performance.now();
  let before = "";
  let still = 0; // frames in a row
  let stalled = setTimeout(resolve, 5000, false);
  const look = () => {
    clearTimeout(stalled);
    const { scrollLeft, scrollTop } = document.getElementById("frame") || document.scrollingElement;
    const now = `${scrollLeft} ${scrollTop}`;
    const glides = now !== before || document.getAnimations().some((one) => one.playState === "running");
    still = glides ? 0 : still + 1;
    before = now;
    if (still > 3) {
      resolve(true);
    } else if (performance.now() - started > 5000) {
      fail(new Error("The page does not come to rest"));
    } else {
      stalled = setTimeout(resolve, 5000, false);
      requestAnimationFrame(look);
    }
  };
  look();
})"""


def wait_for_rest(page: Page) -> None:
    """Wait until the page is still. Stillness counts in frames: a busy machine draws few a second.

    A page that gets no frames is brought to the front, once.
    """
    expect(page.locator(ASKING)).to_have_count(0)
    if not page.evaluate(STILL):
        page.bring_to_front()
        assert page.evaluate(STILL), "The browser draws no frames of this page"
