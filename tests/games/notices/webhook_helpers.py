"""Webhooks of players, and stand-ins for chat services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import Player
from accounts.notice_preferences import Channel, switch_on_channel
from core.outgoing_urls import HostFailed, HostFault, HttpsTarget
from games.models import Kind, Notice, Webhook, WebhookShape
from tests.games.factories import NOW, make_game

DISCORD = "https://discord.com/api/webhooks/123/discord-secret"
SLACK = "https://hooks.slack.com/services/T0/B0/slack-secret"
MATTERMOST = "https://chat.example.com/hooks/mattermost-secret"

URLS = {WebhookShape.DISCORD: DISCORD, WebhookShape.SLACK: SLACK, WebhookShape.MATTERMOST: MATTERMOST}

Answer = int | HostFault


class Posted(NamedTuple):
    """Posted message."""

    host: str
    path: str
    payload: Mapping[str, Any]


class Services:
    """Stand-in for all services: it records posts to each host, and gives the set responses."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.answers: dict[str, Answer] = {}
        self.before_answering: Callable[[], None] = lambda: None

    def post(self, target: HttpsTarget, payload: Mapping[str, Any], *, seconds: float) -> int:
        """Replace ``core.outgoing_http.post_json``."""
        assert seconds > 0
        self.posted.append(Posted(target.host, target.path, payload))
        self.before_answering()
        answer = self.answers.get(target.host, 204)
        if isinstance(answer, HostFault):
            raise HostFailed(answer)
        return answer

    @property
    def hosts(self) -> list[str]:
        """The hosts of all posts, in order."""
        return [request.host for request in self.posted]


def make_webhook(player: Player, shape: WebhookShape = WebhookShape.DISCORD, **fields: Any) -> Webhook:
    """Make a working webhook of *player*."""
    webhook = Webhook(player=player, shape=shape, **{"since": NOW, **fields})
    webhook.hide(URLS[shape])
    webhook.save()
    return webhook


def owe_to_webhooks(player: Player, now: datetime = NOW) -> Notice:
    """Owe *player* a notice of their turn by webhook."""
    switch_on_channel(player, Channel.WEBHOOK)
    game = make_game(name="Albi", now=now)
    return game.notices.get(kind=Kind.YOUR_TURN, recipient=player, channel=Channel.WEBHOOK)
