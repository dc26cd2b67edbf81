from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    name = "moderation"
    verbose_name = _("Moderation")

    def ready(self) -> None:
        from accounts.hooks import INTERESTS, OWN_DATA
        from accounts.signals import account_closed
        from games.hooks import LETTERS, LetterSource
        from games.models import Kind
        from moderation.acts import table_names
        from moderation.hooks import NAMED_THINGS
        from moderation.interests import find_open_reports
        from moderation.models import NamedKind
        from moderation.notices import letters

        account_closed.connect(_say_goodbye, dispatch_uid="moderation")
        OWN_DATA.register("moderation", _own_data)
        INTERESTS.register("reports", find_open_reports)
        NAMED_THINGS.register(NamedKind.TABLE, table_names.TABLE)
        LETTERS.register(Kind.CONDUCT, LetterSource(letters.compose_sanction_letter, _link_mails))
        LETTERS.register(Kind.MODERATION, LetterSource(letters.compose_act_letter))
        LETTERS.register(Kind.REPORT, LetterSource(letters.compose_decision_letter))


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from moderation.selectors import own_data

    return own_data.build_files(player)


def _link_mails(notices: Iterable[Any]) -> Any:
    from games.hooks import PageLink

    page = PageLink(gettext("Messages from moderators"), reverse("moderation:conduct"))
    return {notice.pk: page for notice in notices}


def _say_goodbye(*, player: Any, now: datetime, **kwargs: Any) -> None:
    """Delete the player's own data; moderators' decisions stay (docs/sanctions.md)."""
    from moderation.acts import moderator_notes, reports, sanctions
    from moderation.fair_play import signals

    sanctions.keep_suspension(player, now)
    reports.forget(player)
    moderator_notes.forget(player)
    signals.forget(player)
