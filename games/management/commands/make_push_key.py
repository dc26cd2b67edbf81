"""``manage.py make_push_key``: creates a key for push notifications (``docs/push.md``)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.notices.push_keys import make_private_key


class Command(BaseCommand):
    help = "Prints a new VAPID_PRIVATE_KEY, by which push services know this site. Keep it for good."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(make_private_key())
