"""What no request passes, whatever it asks for."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/", "/account/login/", "/nothing/here/"])
@pytest.mark.parametrize("port", [":8000", ":80", ":" + "9" * 5000])
def test_a_host_with_another_port_is_refused(client: Client, path: str, port: str) -> None:
    assert client.get(path, headers={"host": f"testserver{port}"}).status_code == 400


@pytest.mark.parametrize("host", ["testserver", "testserver:443", "localhost", "127.0.0.1:443"])
def test_the_site_answers_on_the_port_of_its_address(client: Client, host: str) -> None:
    assert client.get("/account/login/", headers={"host": host}).status_code == 200


def test_the_ports_are_those_of_the_settings(client: Client, settings: Settings) -> None:
    settings.ALLOWED_PORTS = {8123}
    assert client.get("/", headers={"host": "testserver:8123"}).status_code == 200
    assert client.get("/", headers={"host": "testserver:443"}).status_code == 400
