"""The site's addresses, with those of mail providers' webhooks as on a site with ``WEBHOOK_SECRET``."""

from django.test import override_settings
from django.urls import include, path

from carcassonne.urls import urlpatterns as site
from games.mail_in.webhook_urls import list_patterns

with override_settings(ANYMAIL={"MAILGUN_WEBHOOK_SIGNING_KEY": "-", "POSTMARK_SERVER_TOKEN": "-"}):
    urlpatterns = [*site, path("webhooks/", include(list(list_patterns())))]
