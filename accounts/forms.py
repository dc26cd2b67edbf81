"""What a player tells us about themselves."""

from django import forms
from django.http import HttpRequest

from accounts.models import Player


class SignupForm(forms.Form):
    """What sign-up asks beside address, name and password."""

    def signup(self, request: HttpRequest, player: Player) -> None:
        """Called by allauth with the new *player*."""
