"""What a page complains of: on the browser's console, and by errors of its scripts."""

from playwright.sync_api import ConsoleMessage, Page

# htmx complains of a request that hx-sync gave up for a later one, which is what was asked of it. A request
# that does fail has a line of its own beside the second of these.
ABANDONED = ("htmx:sendAbort", "htmx:afterRequest")
BLOCKED = "Service Worker"  # by most tests, on purpose


def note_faults(page: Page, faults: list[str], kinds: tuple[str, ...] = ("error",)) -> None:
    """From now on add complaints of these *kinds* to *faults*, each after the address of its page."""

    def note(message: ConsoleMessage) -> None:
        text = message.text
        if message.type in kinds and not text.startswith(ABANDONED) and BLOCKED not in text:
            faults.append(f"{page.url}: {text}")

    page.on("console", note)
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
