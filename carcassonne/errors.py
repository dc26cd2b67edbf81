"""Errors told to Sentry, or to anything that speaks its protocol, where ``SENTRY_DSN`` names one.

Told is where and how it broke, in which release, and the numbers of player and game; never who that is, what
they sent, their address or their cookies. The settings need this module, so it needs nothing of Django.
"""

from __future__ import annotations

from typing import Any

import sentry_sdk
from sentry_sdk.integrations.logging import LoggingIntegration


def report_to(dsn: str, *, environment: str, **options: Any) -> None:
    """Tell *dsn* from now on, in this process and those that it forks.

    :raises sentry_sdk.utils.BadDsn: it is no such address
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
    """*event* without what says who somebody is; with what a line of the log says besides."""
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
    """A crumb without its data; SQL is told with placeholders, requests to others by their method."""
    crumb.pop("data", None)
    return crumb if crumb.get("category") == "query" else {**crumb, "message": ""}
