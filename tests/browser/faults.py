"""Complaints of a page: errors on the browser's console and exceptions of its scripts."""

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

# htmx complains of a request that hx-sync gave up for a later one, which is what was asked of it. A request
# that does fail has a line of its own beside the second of these.
ABANDONED = ("htmx:sendAbort", "htmx:afterRequest")
BLOCKED = "Service Worker"  # by most tests, on purpose


def note_faults(context: BrowserContext, faults: list[str], kinds: tuple[str, ...] = ("error",)) -> None:
    """Add complaints of these *kinds*, of any page of *context*, to *faults*, each after its page's URL."""

    def note_message(message: ConsoleMessage) -> None:
        text = message.text
        if message.type in kinds and not text.startswith(ABANDONED) and BLOCKED not in text:
            faults.append(f"{message.page.url if message.page else ''}: {text}")

    def note_exception(raised: WebError) -> None:
        faults.append(f"{raised.page.url if raised.page else ''}: {raised.error}")

    context.on("console", note_message)
    context.on("weberror", note_exception)
