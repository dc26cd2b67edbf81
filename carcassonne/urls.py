"""URLs of the site."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from accounts.views import confirm_address, set_language, set_password, sign_up
from carcassonne.health import live, metrics, ready
from carcassonne.privacy import privacy
from carcassonne.well_known import change_password, security_txt

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "carcassonne.error_responses.respond_to_error"

urlpatterns = [
    path("", include("moderation.urls")),
    path("", include("ratings.urls")),
    path("", include("games.urls")),
    path("", include("leagues.urls")),
    path("leagues/", include("leagues.league_urls")),
    path("account/", include("accounts.urls")),
    path("account/signup/", sign_up, name="account_signup"),
    path("account/confirm-email/", confirm_address, name="account_email_verification_sent"),
    path("account/password/set/", set_password, name="account_set_password"),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("account/", include("allauth.account.urls")),
    path("language/", set_language, name="set_language"),
    path("privacy/", privacy, name="privacy"),
    path("", include("carcassonne.pwa")),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path(".well-known/change-password", change_password, name="well_known_change_password"),
    path("-/live/", live, name="live"),
    path("-/ready/", ready, name="ready"),
    path("-/metrics/", metrics, name="metrics"),
    *([path("webhooks/", include("games.mail_in.webhook_urls"))] if settings.MAIL_WEBHOOKS else []),
    path("outbox/", include("carcassonne.local.mailbox")),
    path("admin/", admin.site.urls),
]
