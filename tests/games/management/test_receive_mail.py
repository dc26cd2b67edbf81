"""Tests of ``manage.py receive_mail``, which runs until it gets a signal."""

import os
import signal
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

HERE = Path(__file__).resolve().parents[3]


def test_it_listens_and_stops_when_it_is_told_to() -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "REPLY_DOMAIN": "reply.x.example",
    }
    command = [sys.executable, "manage.py", "receive_mail", "--port", "0"]
    with subprocess.Popen(command, cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout is not None
        said = receiver.stdout.readline()
        assert said.startswith("Taking SMTP on 127.0.0.1:")
        with smtplib.SMTP("127.0.0.1", int(said.rpartition(":")[2]), timeout=10) as client:
            client.helo()
            assert client.mail("anna@example.org")[0] == 250
            assert client.rcpt("anna@reply.x.example")[0] == 550
        receiver.send_signal(signal.SIGTERM)
        assert receiver.wait(10) == 0


def test_without_a_domain_it_says_what_is_missing(settings: Settings) -> None:
    settings.REPLY_DOMAIN = ""
    with pytest.raises(CommandError, match="REPLY_DOMAIN is empty"):
        call_command("receive_mail")
