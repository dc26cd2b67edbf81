"""Players whom a form names."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.texts import TextField


def get_player_by_name(name: str) -> Player:
    """Return the player of this *name*, in any case.

    :raises ValidationError: there is no such player, or they can't play
    """
    player = Player.objects.called(name).filter(is_active=True, is_bot=False, provisional=False).first()
    if player is None:
        raise forms.ValidationError(_("There is no player of this name."))
    return player


class PlayerNameField(TextField):
    """The name of a player; its value is the player, or None where it's empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__("search", max_length=60, **options)

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        return get_player_by_name(name) if name else None
