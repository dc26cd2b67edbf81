"""Payloads of webhooks in the form of each service.

Names of players and games are untrusted text: it must be shown as it is, without formatting, links or
mentions (``@everyone``, ``<!channel>``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from games.models import WebhookShape
from games.notices.summaries import NoticeSummary

LONGEST_TITLE, LONGEST_TEXT = 200, 1500
"""Maximum numbers of letters that all services accept even with each escaped: Discord takes 256 and 4096."""

COLOUR = 0x2E6B34  # colour of the bar beside a message on Discord
BREAK = "\u200b"  # a space of no width

MARKDOWN = re.compile(r"([\\`*_{}\[\]()~|<>@]|(?<=:)//|^[#+=.-]|(?<=^\d)[.)])", re.MULTILINE)
"""Characters that format, link or mention on Discord and Mattermost, some only at the beginning of a line."""


def build_payload(shape: WebhookShape, summary: NoticeSummary) -> dict[str, Any]:
    """Return the JSON that says *summary* in the form of *shape*."""
    cut = NoticeSummary(_cut(summary.title, LONGEST_TITLE), _cut(summary.text, LONGEST_TEXT), summary.url)
    return _PAYLOADS[shape](cut)


def _build_discord_payload(summary: NoticeSummary) -> dict[str, Any]:
    # https://discord.com/developers/docs/resources/webhook#execute-webhook
    embed = {
        "title": escape_markdown(summary.title)[:256],
        "url": summary.url,
        "description": escape_markdown(summary.text)[:4096],
        "color": COLOUR,
    }
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def _build_slack_payload(summary: NoticeSummary) -> dict[str, Any]:
    # https://docs.slack.dev/messaging/formatting-message-text; without mrkdwn only <…> means anything.
    lines = (escape_slack(summary.title), escape_slack(summary.text), f"<{summary.url}>")
    return {
        "text": "\n".join(line for line in lines if line),
        "mrkdwn": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _build_mattermost_payload(summary: NoticeSummary) -> dict[str, Any]:
    # https://developers.mattermost.com/integrate/webhooks/incoming/
    title = f"**[{escape_mattermost(summary.title)}]({summary.url})**"
    return {"text": f"{title}\n{escape_mattermost(summary.text)}".strip()}


_PAYLOADS: Mapping[WebhookShape, Callable[[NoticeSummary], dict[str, Any]]] = {
    WebhookShape.DISCORD: _build_discord_payload,
    WebhookShape.SLACK: _build_slack_payload,
    WebhookShape.MATTERMOST: _build_mattermost_payload,
}


def escape_markdown(text: str) -> str:
    r"""Escape *text* for Markdown, so that it is shown as it is.

    >>> escape_markdown("[Albi](https://x.example) @everyone"), escape_markdown("# Foix")
    ('\\[Albi\\]\\(https:\\//x.example\\) \\@everyone', '\\# Foix')
    """
    return MARKDOWN.sub(r"\\\1", text)


def escape_mattermost(text: str) -> str:
    """Escape *text* for Mattermost, which looks for names after ``@`` anywhere, and takes Slack's
    ``<!channel>`` and ``<address|name>``, both before it reads Markdown.

    >>> escape_mattermost("<!all> @all").replace(BREAK, "·")
    '‹!all› \\\\@·all'
    """
    bare = text.replace("<", "‹").replace(">", "›")
    return escape_markdown(bare).replace("@", f"@{BREAK}")


def escape_slack(text: str) -> str:
    """
    >>> escape_slack("<!channel> & <https://x.example|Albi>")
    '&lt;!channel&gt; &amp; &lt;https://x.example|Albi&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
