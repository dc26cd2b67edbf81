"""Well-known URLs for programs and security researchers."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

GOOD_FOR = timedelta(days=180)


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the contact for security reports (RFC 9116), with an expiry date that moves on."""
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": (timezone.now() + GOOD_FOR).strftime("%Y-%m-%dT00:00:00Z"),
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": settings.SITE_URL + reverse("security_txt"),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


change_password = RedirectView.as_view(pattern_name="account_change_password")
"""Redirect for password managers to the page that changes a password."""
