"""Sign-up by the code that is mailed."""

import re

from django.core import mail
from django.test import Client
from django.urls import reverse

SIGN_UP = {
    "email": "anna@example.org",
    "username": "Anna",
    "language": "pl",
    "time_zone": "Europe/Warsaw",
}


def read_mailed_code(address: str) -> str:
    """Return the code in the last mail, which must have gone to *address*."""
    assert mail.outbox[-1].to == [address]
    match = re.search(r"^    (\S+)$", mail.outbox[-1].body, re.MULTILINE)
    assert match, mail.outbox[-1].body
    assert match[1] in mail.outbox[-1].subject
    return match[1]


def sign_up(visitor: Client, **fields: str) -> str:
    """Sign up, and return the address of the page that asks for the code."""
    response = visitor.post(reverse("account_signup"), {**SIGN_UP, **fields})
    assert response.status_code == 302, response.context["form"].errors
    return str(response.url)
