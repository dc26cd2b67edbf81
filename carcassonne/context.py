"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, and whether mails are kept to be read here."""
    return {"site_name": settings.SITE_NAME, "mails_are_kept": settings.EMAIL_URL == settings.KEEP_MAILS}
