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
        from accounts.signals import account_closed
        from core import hooks
        from games.models import Kind
        from moderation.acts import table_names
        from moderation.interests import find_open_reports
        from moderation.models import NamedKind

        account_closed.connect(_say_goodbye, dispatch_uid="moderation")
        hooks.OWN_DATA.register("moderation", _own_data)
        hooks.INTERESTS.register("reports", find_open_reports)
        hooks.NAMED_THINGS.register(NamedKind.TABLE, table_names.TABLE)
        for kind in (Kind.CONDUCT, Kind.MODERATION, Kind.REPORT):
            hooks.MAIL_WRITERS.register(kind, _write_mail)
        hooks.MAIL_LINKS.register(Kind.CONDUCT, _link_mails)


def _own_data(player: Any) -> Iterable[tuple[str, Any]]:
    from moderation.pages import own_data

    return own_data.build_files(player)


def _write_mail(notice: Any, now: datetime) -> Any:
    from games.models import Kind
    from moderation.notices import letters

    if notice.kind == Kind.REPORT:
        return letters.compose_decision_letter(notice)
    if notice.kind == Kind.CONDUCT:
        return letters.compose_sanction_letter(notice)
    return letters.compose_act_letter(notice)


def _link_mails(notices: Iterable[Any]) -> Any:
    from core.hooks import PageLink

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
