"""``manage.py demo``: accounts and a game to try the site with."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import Player
from games import tables
from games.models import Seat

PASSWORD = "carcassonne"
PEOPLE = (("anna", "anna@example.org"), ("bruno", "bruno@example.org"))


class Command(BaseCommand):
    help = "Makes the demo accounts and a game against the house bot, once, for a site in debug mode."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("Everybody knows the password of the demo accounts: only in debug mode.")
        for name, address in PEOPLE:
            if not Player.objects.filter(username=name).exists():
                player = Player.objects.create_user(name, address, PASSWORD)
                EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
        host = Player.objects.get(username=PEOPLE[0][0])
        if not Seat.objects.filter(player=host).exists():
            tables.play_the_bot(host=host, now=timezone.now())
        if options["verbosity"]:
            for _, address in PEOPLE:
                self.stdout.write(f"{address}   password: {PASSWORD}")
