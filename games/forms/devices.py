"""Forms for a browser's push subscription, and for one of the player's devices."""

from __future__ import annotations

from django import forms

from games.notices.push_subscriptions import BrowserKeys


class BrowserKeysForm(forms.Form):
    """An address at a push service and the keys of the browser, in plain ASCII (``static/js/push.js``)."""

    endpoint = forms.RegexField(r"\Ahttps://[!-~]+\Z", widget=forms.HiddenInput)
    p256dh = forms.RegexField(r"\A[\w-]{20,100}=*\Z", widget=forms.HiddenInput)
    auth = forms.RegexField(r"\A[\w-]{20,30}=*\Z", widget=forms.HiddenInput)

    def build_keys(self) -> BrowserKeys:
        """Return the submitted keys, without the padding that some browsers add."""
        data = self.cleaned_data
        return BrowserKeys(data["endpoint"], data["p256dh"].rstrip("="), data["auth"].rstrip("="))


class DeviceForm(forms.Form):
    """One of the player's devices, by primary key."""

    device = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
