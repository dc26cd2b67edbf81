"""Adding a webhook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from accounts.texts import TextField
from core.outgoing_urls import LONGEST_URL, UnusableUrl, UrlFault, parse_target
from games.models import WebhookShape
from games.notices.own_webhooks import guess_shape

FAULTS: Mapping[UrlFault, Any] = {
    UrlFault.NOT_HTTPS: gettext_lazy("The address has to begin with https://."),
    UrlFault.CREDENTIALS: gettext_lazy("The address can't contain a user name or a password."),
    UrlFault.PORT: gettext_lazy("The address can't name a port other than 443."),
    UrlFault.MALFORMED: gettext_lazy(
        "This doesn't look like the address of a webhook. Copy it from the service again."
    ),
    UrlFault.OWN_SITE: gettext_lazy("This is an address of this site. You need one from your chat service."),
}


class WebhookForm(forms.Form):
    """The address of a webhook, and the service it belongs to if the address doesn't say so."""

    url = TextField(
        "webhook",
        label=gettext_lazy("Address of the webhook"),
        max_length=LONGEST_URL,
        widget=forms.URLInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}
        ),
        help_text=gettext_lazy("Keep it to yourself: anyone who knows it can post there."),
    )
    shape = forms.ChoiceField(
        label=gettext_lazy("Service"),
        choices=[("", gettext_lazy("Decide by the address")), *WebhookShape.choices],
        required=False,
        help_text=gettext_lazy("For services that work like Mattermost or Slack, choose Mattermost."),
    )

    def clean(self) -> dict[str, Any]:
        """The address can be used, and fits the service."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "url" not in data or "shape" not in data:
            return data
        try:
            guessed = guess_shape(parse_target(data["url"]))
        except UnusableUrl as unusable:
            raise ValidationError({"url": FAULTS[unusable.fault]}) from unusable
        chosen = WebhookShape(data["shape"]) if data["shape"] else guessed
        if chosen != guessed and (guessed != WebhookShape.MATTERMOST or chosen == WebhookShape.DISCORD):
            raise ValidationError({"shape": gettext_lazy("The address doesn't match the service.")})
        data["shape"] = chosen
        return data
