"""Tests of payloads for chat services: their format, and escaping of names."""

import pytest

from games.models import WebhookShape
from games.notices.summaries import NoticeSummary
from games.notices.webhook_payloads import BREAK, build_payload
from tests.hostile_texts import HOSTILE

URL = "https://carcassonne.example/g/abc/"
SUMMARY = NoticeSummary(
    "Your turn in Albi – 3 days to move", "You drew this tile.\nPlease play by 1 March.", URL
)


def test_discord_gets_an_embed_that_calls_nobody() -> None:
    payload = build_payload(WebhookShape.DISCORD, SUMMARY)
    (embed,) = payload["embeds"]
    assert (embed["title"], embed["url"]) == (SUMMARY.title, URL)
    assert embed["description"] == SUMMARY.text
    assert payload["allowed_mentions"] == {"parse": []}
    assert set(payload) == {"embeds", "allowed_mentions"}


def test_slack_gets_a_text_without_markdown() -> None:
    payload = build_payload(WebhookShape.SLACK, SUMMARY)
    assert payload["text"] == f"{SUMMARY.title}\n{SUMMARY.text}\n<{URL}>"
    assert (payload["mrkdwn"], payload["unfurl_links"], payload["unfurl_media"]) == (False, False, False)


def test_mattermost_gets_a_text_with_a_link() -> None:
    payload = build_payload(WebhookShape.MATTERMOST, SUMMARY)
    assert payload == {"text": f"**[{SUMMARY.title}]({URL})**\n{SUMMARY.text}"}


CALLS = [
    "@everyone",
    "@here @all @channel",
    "<!channel>",
    "<!subteam^S1>",
    "<@123> <@U123> <#C1> <@&5>",
    "<https://evil.example|Albi>",
    "[Albi](https://evil.example)",
    "](https://evil.example)[",
    "**Albi** __Foix__ ~~x~~ `y` ||z||",
    "```code",
    "![x](https://evil.example/x.png)",
]


@pytest.mark.parametrize("text", CALLS)
class TestNamesCallNobodyAndLeadNowhere:
    def build(self, shape: WebhookShape, text: str) -> str:
        payload = build_payload(shape, NoticeSummary(text, text, URL))
        if shape == WebhookShape.DISCORD:
            return "\n".join((payload["embeds"][0]["title"], payload["embeds"][0]["description"]))
        said = str(payload["text"])
        return said.replace(f"]({URL})**", "").replace("**[", "").replace(f"<{URL}>", "")

    def test_on_slack(self, text: str) -> None:
        said = self.build(WebhookShape.SLACK, text)
        assert "<" not in said and ">" not in said

    @pytest.mark.parametrize("shape", [WebhookShape.DISCORD, WebhookShape.MATTERMOST])
    def test_in_markdown(self, shape: WebhookShape, text: str) -> None:
        said = self.build(shape, text)
        bare = said.replace("\\\\", "")
        for sign in "*_`~|[]()<>@":
            assert bare.count(sign) == bare.count(f"\\{sign}"), sign
        assert "://" not in said

    def test_on_mattermost_behind_an_at(self, text: str) -> None:
        said = self.build(WebhookShape.MATTERMOST, text)
        assert said.count("@") == said.count(f"@{BREAK}")
        assert "<" not in said and ">" not in said


@pytest.mark.parametrize("line", ["# Albi", "> Albi", "- Albi", "1. Albi", "=== x"])
def test_a_line_begins_nothing(line: str) -> None:
    description = build_payload(WebhookShape.DISCORD, NoticeSummary("x", f"a\n{line}", URL))["embeds"][0][
        "description"
    ]
    assert "\\" in description.splitlines()[1][:3]


def test_what_is_long_is_cut() -> None:
    (embed,) = build_payload(WebhookShape.DISCORD, NoticeSummary("*" * 900, "*" * 9000, URL))["embeds"]
    assert len(embed["title"]) <= 256 and len(embed["description"]) <= 4096
    slack = build_payload(WebhookShape.SLACK, NoticeSummary("&" * 900, "&" * 9000, URL))
    assert len(slack["text"]) < 40_000


@pytest.mark.parametrize("shape", WebhookShape)
def test_hostile_texts_are_no_fault(shape: WebhookShape) -> None:
    for text in HOSTILE:
        build_payload(shape, NoticeSummary(str(text), str(text), URL))
