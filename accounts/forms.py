"""Forms of allauth with this site's fields, and forms of a player's settings."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.core import context as request_context
from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from accounts import closing, codes, countries, limits, names, proofs, texts
from accounts.models import BarredAddress, Player, PlayerPhoto
from accounts.offices import HandOverRefused, list_offices
from accounts.pictures import EncodedPhoto, Picture, encode_photo
from accounts.signal_handlers import SIGNED_UP
from accounts.texts import TextField
from accounts.zones import TimeZoneField, TimeZoneSelect, show_stored_zone

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def build_name_field(**more: Any) -> TextField:
    """A field for the name that a player chooses."""
    return TextField("player", min_length=settings.ACCOUNT_USERNAME_MIN_LENGTH, **more)


class Plain:
    """Mixin that labels addresses "Email address" everywhere, and removes placeholders."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.EmailField):
                field.label = _("Email address")


class NewPasswordInput(forms.PasswordInput):
    """Input of a new password, with a strength meter that the server fills while one types."""

    template_name = "account/_new_password.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        meter = {
            "hx-post": reverse("accounts:strength"),
            "hx-trigger": "input changed delay:400ms",
            "hx-target": "next .strength",
            "hx-params": f"{name},username,email",
            "hx-sync": "this:replace",
        }
        return super().get_context(name, value, {**meter, **(attrs or {})})


class ChoosesPassword:
    """Mixin that adds the strength meter to ``password1``."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["password1"]
        attrs = field.widget.attrs
        field.widget = NewPasswordInput(attrs)


class LoginForm(Plain, allauth_forms.LoginForm):
    """Sign-in by address and password."""


class RequestLoginCodeForm(Plain, allauth_forms.RequestLoginCodeForm):
    """Request of a mailed code to sign in with."""


class ResetPasswordForm(Plain, allauth_forms.ResetPasswordForm):
    """Request of a mailed code that allows a new password."""


class AddEmailForm(Plain, allauth_forms.AddEmailForm):
    """New address."""

    def save(self, request: HttpRequest) -> EmailAddress:
        """Mail a code that confirms the address; if it is barred, mail a guest, who could sign up with it,
        why not, and if it belongs to somebody, the way to take the guest's seats along. The page doesn't
        reveal that, and no code is right."""
        address = self.cleaned_data["email"]
        barred = BarredAddress.objects.until(address, timezone.now()) is not None
        taken = Player.objects.filter(email=address.lower()).exclude(pk=self.user.pk).exists()
        if not self.user.provisional or not (barred or taken):
            return super().save(request)
        _mail_why_not(request, self.user, address)
        return EmailAddress(user=self.user, email=address)


class ChangeEmailForm(Plain, allauth_forms.ChangeEmailForm):
    """Another address while signing up, before the first one is confirmed."""

    def clean_email(self) -> str:
        """Treat a barred address as one that has an account: the mail says why not."""
        address: str = super().clean_email()
        self.account_already_exists |= BarredAddress.objects.until(address, timezone.now()) is not None
        return address


class ChangePasswordForm(ChoosesPassword, Plain, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""


class SetPasswordForm(ChoosesPassword, Plain, allauth_forms.SetPasswordForm):
    """A first password."""


class ResetPasswordKeyForm(ChoosesPassword, Plain, allauth_forms.ResetPasswordKeyForm):
    """A new password in place of a forgotten one."""


class CountsGuesses:
    """Mixin that counts guesses at the code in the cache: the session's own count misses simultaneous ones.

    The session holds only the hash of the code, so hashes are compared.
    """

    cleaned_data: dict[str, Any]
    expected_code: str | None

    def clean_code(self) -> str:
        if not limits.allow_guess(request_context.request, self.expected_code):
            raise get_adapter().validation_error("too_many_login_attempts")
        self.cleaned_data["code"] = codes.hash_code(self.cleaned_data["code"])
        code: str = super().clean_code()  # type: ignore[misc]
        return code


class ConfirmLoginCodeForm(CountsGuesses, Plain, allauth_forms.ConfirmLoginCodeForm):
    """Code to sign in with."""


class ConfirmAddressForm(CountsGuesses, Plain, allauth_forms.ConfirmEmailVerificationCodeForm):
    """Code that confirms an address."""


class ConfirmResetForm(CountsGuesses, Plain, allauth_forms.ConfirmPasswordResetCodeForm):
    """Code that allows a new password."""


class ReauthenticationCodeForm(CountsGuesses, Plain, allauth_forms.ConfirmLoginCodeForm):
    """Code for reauthentication."""


class ReauthenticateForm(Plain, allauth_forms.ReauthenticateForm):
    """Password for reauthentication."""


class SignupForm(ChoosesPassword, Plain, allauth_forms.SignupForm):
    """Sign-up with address, name, optional password, language and time zone."""

    field_order = ["email", "username", "password1", "language", "time_zone"]

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = TimeZoneField(
        initial=settings.TIME_ZONE,
        widget=TimeZoneSelect(attrs={"data-guess-time-zone": settings.TIME_ZONE}),
        help_text=_("We show deadlines in it. You can change it later."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_allauth = self.fields["username"]
        self.fields["username"] = build_name_field(widget=of_allauth.widget)
        for name, label, help_text in (
            ("email", _("Email address"), _("Only for emails about your games. No one else sees it.")),
            (
                "username",
                _("Name"),
                _("Other players see it. Letters, digits, and spaces or . _ - ' in between."),
            ),
            ("password1", _("Password (optional)"), _("Without one, we email you a code when you sign in.")),
        ):
            field = self.fields[name]
            field.label, field.help_text = label, help_text
        self.fields["language"].initial = translation.get_language()

    def try_save(self, request: HttpRequest) -> tuple[Player, None]:
        """Create an account, and send a mail about it.

        Page, time and name don't reveal whether the address already has an account, or belongs to a closed
        one that was suspended: an account is created in any case. But then it has no address, the mail says
        why, no code is right, and it is deleted after a week.

        :raises IntegrityError: the name or the address was taken after the form was validated
        :raises ImmediateHttpResponse: too many mails were sent; no account is created
        """
        address = self.cleaned_data["email"]
        limits.expect_mail(request, address)
        barred = BarredAddress.objects.until(address, timezone.now())
        if not self.account_already_exists and barred is None:
            return self.save(request), None
        player = self._new_account(request, "")
        _mail_why_not(request, player, address)
        return player, None

    def save(self, request: HttpRequest) -> Player:
        """Create an account and its address in one transaction. The address counts as confirmed if the
        visitor came by a mailed link (``accounts.proofs``)."""
        return self._new_account(request, self.cleaned_data["email"])

    def _new_account(self, request: HttpRequest, address: str) -> Player:
        adapter = get_adapter()
        # The password is hashed before the transaction: others must not wait for that.
        player: Player = adapter.save_user(request, adapter.new_user(request), self, commit=False)
        player.email = address
        player.language = self.cleaned_data["language"]
        player.time_zone = self.cleaned_data["time_zone"]
        proofs.settle_proof(request, address)
        with transaction.atomic():
            player.save()
            setup_user_email(request, player, [EmailAddress(email=address)] if address else [])
        request.session[SIGNED_UP] = player.pk
        return player


def _mail_why_not(request: HttpRequest, player: Player, address: str) -> None:
    """Mail why *player* can't have the *address*, and ask for a code as if they could; none is right."""
    state = EmailVerificationProcess.initial_state(player, address) | {"account_already_exists": True}
    process = EmailVerificationProcess(request, state, player)
    process.generate_code()
    process.send()
    process.persist()


class GuestForm(forms.Form):
    """Name and time zone of a guest."""

    username = build_name_field(
        label=_("Your name"), widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )
    # What the browser says: nobody is asked, and the settings change it.
    time_zone = TimeZoneField(
        initial=settings.TIME_ZONE,
        widget=TimeZoneSelect(attrs={"data-guess-time-zone": settings.TIME_ZONE, "hidden": True}),
    )

    def clean_username(self) -> str:
        """Apply the checks of account names."""
        return str(get_adapter().clean_username(self.cleaned_data["username"]))


class CreateAccountForm(ChoosesPassword, forms.Form):
    """Name and optional password of a guest who creates an account."""

    username = build_name_field(label=_("Name"))
    password1 = allauth_forms.PasswordField(
        label=_("Password (optional)"),
        required=False,
        help_text=_("Without one, we email you a code when you sign in."),
    )

    def __init__(self, *args: Any, guest: Player, **kwargs: Any) -> None:
        super().__init__(*args, initial={"username": guest.username}, **kwargs)
        self.guest = guest
        self.fields["password1"].widget.attrs.pop("placeholder", None)

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if names.build_key(username) == self.guest.name_key:
            return username
        # A name that looks like the guest's own one can't be anybody else's.
        own = names.build_lookalike_key(username) == self.guest.name_looks
        return str(get_adapter().clean_username(username, shallow=own))

    def clean_password1(self) -> str:
        password: str = self.cleaned_data["password1"]
        return str(get_adapter().clean_password(password, user=self.guest)) if password else ""


class SettingsForm(forms.ModelForm):
    """A player's language, time zone, colours, shortcuts and privacy."""

    time_zone = TimeZoneField()

    class Meta:
        model = Player
        fields = ["language", "time_zone", "theme", "shows_looks", "undo_seconds", "shortcuts", "sound"]

    legends: ClassVar[dict[str, StrOrPromise]] = {
        "shows_looks": _("Your visits"),
        "undo_seconds": _("Second thoughts"),
        "shortcuts": _("Keyboard"),
        "sound": _("Sound"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["undo_seconds"].required = False
        show_stored_zone(self)

    def list_fields(self) -> list[tuple[forms.BoundField, StrOrPromise]]:
        """Return the fields in their order, with their legends; empty for most."""
        return [(field, self.legends.get(field.name, "")) for field in self]

    def clean_undo_seconds(self) -> int:
        """Keep the value if the page, opened before the field existed, doesn't send it."""
        seconds: int | None = self.cleaned_data["undo_seconds"]
        return self.initial["undo_seconds"] if seconds is None else seconds

    def save(self, commit: bool = True) -> Player:
        """Write these columns alone: the account may have been changed, or closed, since it was read."""
        player: Player = super().save(commit=False)
        if commit:
            player.save(update_fields=list(self.fields))
        return player


class ProfileForm(forms.ModelForm):
    """A player's picture, or a photo instead of it, the line about themselves, and their country."""

    picture = forms.ChoiceField(label=_("Picture"), choices=Picture, widget=forms.RadioSelect, required=False)
    photo_file = forms.FileField(
        label=_("A photo of your own"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/*", "data-shrink": "512"}),
    )
    about = TextField(
        "about",
        label=_("About you"),
        required=False,
        help_text=_("A line that everybody can read on your profile. You can leave it empty."),
    )
    country = forms.ChoiceField(
        label=_("Country"),
        choices=countries.list_choices,
        required=False,
        help_text=_("Others see it beside your name."),
    )

    class Meta:
        model = Player
        fields = ["picture", "about", "country"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["picture"] = "" if self.instance.photo else self.instance.shown_picture
        self.encoded: EncodedPhoto | None = None

    def clean_photo_file(self) -> UploadedFile | None:
        """Encode the photo.

        :raises ValidationError: it can't be read
        """
        file: UploadedFile | None = self.cleaned_data["photo_file"]
        if file:
            self.encoded = encode_photo(file)
        return file

    @transaction.atomic
    def save(self, commit: bool = True) -> Player:
        """Store a new photo; else a picture that was chosen ends the photo. A form without one keeps both."""
        player: Player = self.instance
        if self.encoded:
            PlayerPhoto.objects.update_or_create(player=player, defaults={"jpeg": self.encoded.jpeg})
            player.photo = self.encoded.digest
        elif self.cleaned_data["picture"]:
            PlayerPhoto.objects.filter(player=player).delete()
            player.photo = ""
        player.save(update_fields=["picture", "photo", "about", "country"])
        return player


class CloseAccountForm(forms.Form):
    """Confirmation of closing by typing one's name, after the question who takes over one's offices."""

    username = TextField(
        "search", label=_("Type your name to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        self.offices = {f"office-{office.key}": office for office in list_offices(player)}
        self.fields = {name: office.field for name, office in self.offices.items()} | self.fields

    @transaction.atomic
    def save(self, now: datetime) -> bool:
        """Hand the offices over, and ask for the account to be closed. Return whether both were possible; if
        not, nothing was done, and the form says why."""
        for name, office in self.offices.items():
            successor = self.cleaned_data[name]
            if not successor:
                continue
            try:
                office.hand_over(successor, now)
            except HandOverRefused as refused:
                self.add_error(name, str(refused))
        if self.errors:
            transaction.set_rollback(True)
            return False
        closing.ask(player=self.player, now=now)
        return True

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if names.build_key(texts.normalize_text("player", username)) != self.player.name_key:
            raise forms.ValidationError(_("That isn't your name here."), code="other_name")
        return username
