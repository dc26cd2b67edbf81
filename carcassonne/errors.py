"""Error reports to Sentry, or a compatible service, if ``SENTRY_DSN`` is set.

Reports hold the traceback, the release, and the numbers of player and game; never names, submitted data,
addresses or cookies. The settings import this module, so it imports nothing of Django.
"""

from __future__ import annotations

from typing import Any

import sentry_sdk
from sentry_sdk.integrations.logging import LoggingIntegration


def report_to(dsn: str, *, environment: str, **options: Any) -> None:
    """Send errors of this process, and of those that it forks, to *dsn*.

    :raises sentry_sdk.utils.BadDsn: *dsn* is malformed
    """
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        include_local_variables=False,  # they hold bags, mails and forms
        max_request_body_size="never",
        max_breadcrumbs=20,
        server_name="",
        before_send=scrub_event,
        before_breadcrumb=without_values,
        integrations=[LoggingIntegration(event_level=None)],  # logged errors are in the logs
        **options,
    )


def scrub_event(event: Any, hint: Any = None) -> Any:
    """Remove personal data from *event*, and add the log's context."""
    from carcassonne.logs import build_context  # needs settings, which need us

    event.pop("request", None)  # its URL may give access; ``transaction`` has the route
    about = dict(build_context())
    player = about.pop("player", None)
    event["user"] = {} if player is None else {"id": player}
    event.setdefault("tags", {}).update(about)
    event.pop("extra", None)  # the arguments of tasks
    event.get("contexts", {}).pop("celery-job", None)
    for thread in event.get("threads", {}).get("values", []):
        thread.pop("stacktrace", None)
    return event


def without_values(crumb: Any, hint: Any = None) -> Any:
    """Remove the data of *crumb*; SQL keeps its placeholders, other requests their method."""
    crumb.pop("data", None)
    return crumb if crumb.get("category") == "query" else {**crumb, "message": ""}
