from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        from accounts import hooks

        hooks.OWN_DATA.register("ratings", _own_data)


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from ratings import own_data

    return own_data.build_files(player)
