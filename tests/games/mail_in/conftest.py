import pytest
from pytest_django.fixtures import Settings

from tests.games.mail_in.writing import DOMAIN


@pytest.fixture(autouse=True)
def replies(settings: Settings) -> None:
    settings.REPLY_DOMAIN = DOMAIN
