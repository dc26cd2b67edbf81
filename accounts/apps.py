from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Players")

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed

        from accounts.receivers import address_confirmed

        email_confirmed.connect(address_confirmed, dispatch_uid="accounts")
