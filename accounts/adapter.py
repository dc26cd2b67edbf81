"""Where allauth asks this project."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up and sign-in as this site wants them."""
