"""Forms in which a player tells us about themselves."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.core import context as request_context
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from accounts import codes, limits, names, proofs, texts, zones
from accounts.models import BarredAddress, Player, validate_time_zone
from accounts.signal_handlers import SIGNED_UP
from accounts.texts import TextField


def build_time_zone_field(**more: Any) -> forms.ChoiceField:
    """A select box of zones."""
    return forms.ChoiceField(label=_("Time zone"), choices=zones.list_choices, **more)


def build_name_field(**more: Any) -> TextField:
    """A field for the name that a player chooses."""
    return TextField("player", min_length=settings.ACCOUNT_USERNAME_MIN_LENGTH, **more)


class Plain:
    """Says "E-mail address" everywhere, and repeats no label inside its field."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.EmailField):
                field.label = _("E-mail address")


class NewPasswordInput(forms.PasswordInput):
    """A password that is being chosen, with a meter that the server fills while it is typed."""

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
    """Shows how good the new password is."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["password1"]
        attrs = field.widget.attrs
        field.widget = NewPasswordInput(attrs)


class LoginForm(Plain, allauth_forms.LoginForm):
    """By address and password."""


class RequestLoginCodeForm(Plain, allauth_forms.RequestLoginCodeForm):
    """By address and a mailed code."""


class ResetPasswordForm(Plain, allauth_forms.ResetPasswordForm):
    """For a mailed code that lets one choose a new password."""


class AddEmailForm(Plain, allauth_forms.AddEmailForm):
    """For another address."""


class ChangePasswordForm(ChoosesPassword, Plain, allauth_forms.ChangePasswordForm):
    """The old password and a new one."""


class SetPasswordForm(ChoosesPassword, Plain, allauth_forms.SetPasswordForm):
    """A first password."""


class ResetPasswordKeyForm(ChoosesPassword, Plain, allauth_forms.ResetPasswordKeyForm):
    """A new password in place of a forgotten one."""


class CountsGuesses:
    """Counts the guesses at its code: a session's own count does not hold for guesses at once.

    The session has only the hash of the code, so it is hashes that are compared.
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
    """The code that signs in."""


class ConfirmAddressForm(CountsGuesses, Plain, allauth_forms.ConfirmEmailVerificationCodeForm):
    """The code that shows that an address is one's own."""


class ConfirmResetForm(CountsGuesses, Plain, allauth_forms.ConfirmPasswordResetCodeForm):
    """The code that lets one choose a new password."""


class ReauthenticationCodeForm(CountsGuesses, Plain, allauth_forms.ConfirmLoginCodeForm):
    """The code that shows that it is still the same person."""


class ReauthenticateForm(Plain, allauth_forms.ReauthenticateForm):
    """The password, for the same."""


class SignupForm(ChoosesPassword, Plain, allauth_forms.SignupForm):
    """Address, name, perhaps a password, language and time zone."""

    field_order = ["email", "username", "password1", "language", "time_zone"]

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = build_time_zone_field(
        initial=settings.TIME_ZONE,
        widget=forms.Select(attrs={"data-guess-time-zone": settings.TIME_ZONE}),
        help_text=_("We show deadlines in it. You can change it later."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_allauth = self.fields["username"]
        self.fields["username"] = build_name_field(widget=of_allauth.widget)
        for name, label, help_text in (
            ("email", _("E-mail address"), _("Only for mails about your games. Nobody sees it.")),
            (
                "username",
                _("Name"),
                _("Other players see it. Letters, digits, and spaces or . _ - ' in between."),
            ),
            ("password1", _("Password (optional)"), _("Without one, we mail you a code when you sign in.")),
        ):
            field = self.fields[name]
            field.label, field.help_text = label, help_text
        self.fields["language"].initial = translation.get_language()

    def try_save(self, request: HttpRequest) -> tuple[Player, None]:
        """A new account, and a mail about it.

        Neither page nor time nor name tells whether the address has an account already, or is that of one
        that was closed while it was suspended, for there is a new one in any case. But then it has no
        address, the mail says why, no code is right, and after a week it is gone.

        :raises IntegrityError: somebody else has taken the name or the address since the form was found good
        :raises ImmediateHttpResponse: there were too many mails; no account is made that nobody would hear of
        """
        address = self.cleaned_data["email"]
        limits.expect_mail(request, address)
        barred = BarredAddress.objects.until(address, timezone.now())
        if not self.account_already_exists and barred is None:
            return self.save(request), None
        player = self._new_account(request, "")
        state = EmailVerificationProcess.initial_state(player, address) | {"account_already_exists": True}
        process = EmailVerificationProcess(request, state, player)
        process.generate_code()
        process.send()
        process.persist()
        return player, None

    def save(self, request: HttpRequest) -> Player:
        """A new account with its address, or nothing at all. The address counts as confirmed where a mail has
        led the visitor here (``accounts.proofs``)."""
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


class GuestForm(forms.Form):
    """The name and the zone of somebody who sits down without an account."""

    username = build_name_field(
        label=_("Your name"), widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )
    # What the browser says: nobody is asked, and the settings change it.
    time_zone = build_time_zone_field(
        initial=settings.TIME_ZONE,
        widget=forms.Select(attrs={"data-guess-time-zone": settings.TIME_ZONE, "hidden": True}),
    )

    def clean_username(self) -> str:
        """The name, which has passed the same gate as those of accounts."""
        return str(get_adapter().clean_username(self.cleaned_data["username"]))


class CreateAccountForm(ChoosesPassword, forms.Form):
    """The name, and perhaps a password, of a guest who makes an account."""

    username = build_name_field(label=_("Name"))
    password1 = allauth_forms.PasswordField(
        label=_("Password (optional)"),
        required=False,
        help_text=_("Without one, we mail you a code when you sign in."),
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
    """A player's language, zone, colours, keys, and what others may know."""

    time_zone = build_time_zone_field(validators=[validate_time_zone])

    class Meta:
        model = Player
        fields = ["language", "time_zone", "theme", "undo_seconds", "shortcuts", "shows_looks"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["undo_seconds"].required = False
        chosen = self.instance.time_zone
        listed = {name for _, group in zones.list_choices()[1:] for name, _ in group} | {"UTC"}  # type: ignore[attr-defined]
        if chosen not in listed:  # set by a program: keep it as a choice
            self.fields["time_zone"].choices = [(chosen, chosen), *zones.list_choices()]  # type: ignore[attr-defined]

    def clean_undo_seconds(self) -> int:
        """As it was, where a page that was open for long does not ask."""
        seconds: int | None = self.cleaned_data["undo_seconds"]
        return self.initial["undo_seconds"] if seconds is None else seconds

    def save(self, commit: bool = True) -> Player:
        """Write these columns alone: the account may have been changed, or closed, since it was read."""
        player: Player = super().save(commit=False)
        if commit:
            player.save(update_fields=list(self.fields))
        return player


class CloseAccountForm(forms.Form):
    """Asks for the name once more, because nothing brings the account back."""

    username = TextField(
        "search", label=_("Type your name to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if names.build_key(texts.normalize_text("player", username)) != self.player.name_key:
            raise forms.ValidationError(_("That isn't your name here."), code="other_name")
        return username
