"""Second factors and passkeys of allauth, with this site's labels and encryption."""

import io
import struct
from typing import Any

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms as base_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as key_forms
from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse
from qrcode.image.svg import SvgPathFillImage

from accounts.forms import Plain
from accounts.models import Player
from accounts.texts import TextField
from core import encryption

PURPOSE = "accounts.second_factor"
STRONG = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""Types that count as a second factor; recovery codes only come with one."""


def has_one(player: Player) -> bool:
    """Return whether *player* has a second factor."""
    return Authenticator.objects.filter(user=player, type__in=STRONG).exists()


class Adapter(DefaultMFAAdapter):
    """Adapter of allauth's MFA that names keys and encrypts secrets in the database."""

    def get_totp_label(self, user: Player) -> str:
        return user.username

    def _get_user_identifier(self, user: Player) -> str:
        return user.username

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Bind keys to ``SITE_HOST``, whichever host the request uses."""
        return {"id": settings.SITE_HOST, "name": settings.SITE_NAME}

    def generate_authenticator_name(self, user: Player, type: str) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Key %(number)d") % {"number": number}

    def build_totp_svg(self, url: str) -> str:
        """Draw the QR code on white, which readers need in the dark scheme, too."""
        picture = io.BytesIO()
        qrcode.make(url, image_factory=SvgPathFillImage).save(picture)
        return picture.getvalue().decode()

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text, purpose=PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.decrypt(encrypted_text, purpose=PURPOSE)


class AuthenticateForm(Plain, base_forms.AuthenticateForm):
    """A code of the app, or a recovery code."""


class ReauthenticateByFactorForm(Plain, base_forms.ReauthenticateForm):
    """Code of the app, or a recovery code, for reauthentication."""


class ActivateForm(Plain, totp_forms.ActivateTOTPForm):
    """The first code of an app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code that the app shows")
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


class Credential(forms.JSONField):
    """A browser's response for a new or known key, validated: allauth would fail on malformed ones.

    JSON can hold lone surrogates, which UTF-8 can't; they are shown as question marks.
    """

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        said = super().to_python(value)
        if said is not None and not any(
            _reads(said, kind) for kind in (RegistrationResponse, AuthenticationResponse)
        ):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return said

    def prepare_value(self, value: Any) -> Any:
        shown = super().prepare_value(value)
        return shown.encode(errors="replace").decode() if isinstance(shown, str) else shown


def _reads(said: Any, kind: type[RegistrationResponse | AuthenticationResponse]) -> bool:
    try:
        kind.from_dict(said)
    except (AttributeError, LookupError, TypeError, ValueError, struct.error):
        return False
    return True


# Not every page that asks for a key can be given a form of ours.
key_forms.AuthenticateWebAuthnForm.base_fields["credential"] = Credential()


class _Named(Plain):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key, for yourself")


class AddKeyForm(_Named, key_forms.AddWebAuthnForm):
    """A key or passkey that the browser has just made."""

    name = TextField("key", required=False)
    credential = Credential()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Sign in with it alone (a passkey)")
        passwordless.help_text = _("The device then asks for your finger, your face or its PIN.")
        passwordless.initial = True


class EditKeyForm(_Named, key_forms.EditWebAuthnForm):
    """New name for a key."""

    name = TextField("key")
