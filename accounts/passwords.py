"""Validation of passwords without asking any service: by a list of breached ones, and by zxcvbn."""

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext as _

from accounts.breaches import is_breached
from accounts.models import Player

LEAST = 3  # of zxcvbn's scores from 0 to 4: more than 10^8 guesses
MOST = 128  # characters; limits the work of hashing
READ = 72  # characters that are rated; longer passwords are strong enough, and slow to rate


def score(password: str, user: Player | None = None) -> int:
    """Return zxcvbn's score of *password*, 0 to 4, which tries its owner's name and address first."""
    from zxcvbn import zxcvbn  # slow to import, and most processes never need it

    known = [settings.SITE_NAME, "carcassonne", "meeple"]
    if user is not None:
        known += [user.username, user.email, *user.email.split("@")]
    strength: int = zxcvbn(password[:READ], user_inputs=[word for word in known if word])["score"]
    return strength


def assess(password: str, user: Player) -> tuple[int, str]:
    """Return the value of a meter from 0 to 4 for *password*, and the reason to refuse it, if any."""
    points = score(password, user)
    try:
        validate_password(password, user)
    except ValidationError as refused:
        return min(points, 1), refused.messages[0]
    return points, ""


class GuessValidator:
    """Validator that refuses passwords that a program finds in few guesses."""

    def validate(self, password: str, user: Player | None = None) -> None:
        """:raises ValidationError: *password* is breached, too easy, or longer than :data:`MOST`"""
        MaxLengthValidator(MOST)(password)
        if is_breached(password):
            raise ValidationError(
                _("This password is on a list of stolen ones, which programs try first. Choose another."),
                code="password_breached",
            )
        if score(password, user) < LEAST:
            raise ValidationError(
                _("A program would soon guess this password. Three or four unrelated words make a good one."),
                code="password_guessable",
            )  # fmt: skip

    def get_help_text(self) -> str:
        return _("Three or four unrelated words make a good one.")
