"""Settings from the environment: safe or refused."""

import os
import re
import subprocess
import sys
from email.header import decode_header, make_header
from email.utils import parseaddr
from pathlib import Path

import pytest
from django.core.mail import EmailMessage

from carcassonne.management.commands.serve import keep_push_key

HERE = Path(__file__).resolve().parents[2]
PUBLIC = {
    "DEBUG": "0",
    "SECRET_KEY": "only for tests; fifty characters and more, never used by any site 51c0",
    "ALLOWED_HOSTS": "carcassonne.example",
    "SITE_URL": "https://carcassonne.example",
    "EMAIL_URL": "smtp+tls://user:password@mail.example:587",
}


def manage(tmp_path: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    ours = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **environment}
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=HERE, env=ours, capture_output=True, text=True
    )


def read(tmp_path: Path, what: str = "DATA_DIR", **environment: str) -> subprocess.CompletedProcess[str]:
    """Start a process that reads the settings and prints *what*."""
    ours = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **environment}
    code = f"from django.conf import settings; print(settings.{what})"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=HERE,
        env={**ours, "DJANGO_SETTINGS_MODULE": "carcassonne.settings"},
        capture_output=True,
        text=True,
    )


def ask(tmp_path: Path, what: str, **environment: str) -> str:
    return read(tmp_path, what, **environment).stdout.strip()


@pytest.mark.parametrize(
    "settings",
    [
        {"DATABASE_URL": "postgres://user:password@127.0.0.1:5432/carcassonne"},
        {"DATABASE_URL": "postgres://user:password@localhost:5432/carcassonne"},
        {"DATABASE_URL": "postgres://user:password@%2Fvar%2Frun%2Fpostgresql/carcassonne"},
        {"DATABASE_URL": "postgres:///carcassonne"},
        {"DATABASE_URL": "postgres://user:password@db.example:5432/carcassonne?sslmode=require"},
        {"DATABASE_URL": "postgres://user:password@db.example:5432/carcassonne?sslmode=verify-full"},
        {"DATABASE_URL": "postgres://user:password@db:5432/carcassonne", "UNENCRYPTED_HOSTS": "db,redis"},
        {"REDIS_URL": "redis://127.0.0.1:6379/0"},
        {"REDIS_URL": "redis://[::1]:6379/0"},
        {"REDIS_URL": "unix:///run/redis.sock"},
        {"REDIS_URL": "rediss://:password@redis.example:6379/0"},
        {"REDIS_URL": "redis://:password@redis:6379/0", "UNENCRYPTED_HOSTS": "db,redis"},
    ],
    ids=lambda settings: " ".join(settings.values()),
)
def test_database_and_redis_here_or_encrypted_or_in_a_network_of_ours_will_do(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    done = read(tmp_path, **PUBLIC, **settings)
    assert done.returncode == 0, done.stderr


def test_a_network_of_ours_is_no_reason_for_redis_without_a_password(tmp_path: Path) -> None:
    done = read(tmp_path, **PUBLIC, REDIS_URL="redis://redis:6379/0", UNENCRYPTED_HOSTS="redis")
    assert done.returncode != 0 and "REDIS_URL must name a password" in done.stderr


def test_the_secret_of_the_single_container_counts_where_none_is_given(tmp_path: Path) -> None:
    """Each command in the container finds it, as only the first one makes it."""
    kept = PUBLIC["SECRET_KEY"][::-1]
    (tmp_path / "secret.key").write_text(f"{kept}\n")
    given = PUBLIC.copy()
    assert ask(tmp_path, "SECRET_KEY", **given) == given.pop("SECRET_KEY")
    assert ask(tmp_path, "SECRET_KEY", **given) == kept
    assert "SECRET_KEY must be" in read(tmp_path, **given, SECRET_KEY="").stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", None),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "only for checks; fifty characters and more, never used by any site 7f3a9c"),
        ("SECRET_KEY", "abcdefghi" * 9),
        ("SECRET_KEY_FALLBACKS", "for one machine at home only: anyone can read this key in the source"),
        ("ALLOWED_HOSTS", None),
        ("ALLOWED_HOSTS", "*"),
        ("SITE_URL", None),
        ("SITE_URL", "http://carcassonne.example"),
        ("EMAIL_URL", None),
        ("EMAIL_URL", "consolemail://"),
        ("EMAIL_URL", "filemail:///tmp/mails"),
        ("EMAIL_URL", "memorymail://"),
        ("EMAIL_URL", "dummymail://"),
        ("EMAIL_URL", "smtp://mail.example:25"),
        ("EMAIL_URL", "smtp://user:password@10.0.0.7:587"),
        ("EMAIL_URL", "smtp://localhost.example:25"),
        ("EMAIL_URL", "anymail:nobody"),
        ("ANYMAIL", "WEBHOOK_SECRET=user:short"),
        ("ANYMAIL", "WEBHOOK_SECRET=only-a-password-of-many-letters"),
        ("DATABASE_URL", "postgres://user:password@10.0.0.7:5432/carcassonne"),
        ("DATABASE_URL", "postgres://user:password@db.example:5432/carcassonne?sslmode=prefer"),
        ("REDIS_URL", "redis://:password@10.0.0.7:6379/0"),
        ("REDIS_URL", "rediss://10.0.0.7:6379/0"),
    ],
)
def test_a_public_site_refuses_an_unsafe_default(tmp_path: Path, name: str, value: str | None) -> None:
    environment = {key: text for key, text in PUBLIC.items() if key != name}
    if value is not None:
        environment[name] = value
    done = read(tmp_path, **environment)
    assert done.returncode != 0
    fault = done.stderr.strip().splitlines()[-1]
    assert "DEBUG is off, so:" in fault
    assert name in fault
    assert [other for other in PUBLIC if other != name and f"{other} must" in fault] == []


@pytest.mark.parametrize(
    "url",
    [
        "smtp://localhost:25",
        "smtp://127.0.0.1",
        "smtp://[::1]:25",
        "smtp+ssl://user:password@mail.example:465",
        "smtps://mail.example:587",
    ],
)
def test_a_mail_server_on_the_machine_or_with_encryption_will_do(tmp_path: Path, url: str) -> None:
    assert read(tmp_path, **{**PUBLIC, "EMAIL_URL": url}).returncode == 0


def test_a_mail_provider_is_one_setting_and_its_webhooks_are_another(tmp_path: Path) -> None:
    public = {**PUBLIC, "EMAIL_URL": "anymail:postmark", "ANYMAIL": "POSTMARK_SERVER_TOKEN=t"}
    assert ask(tmp_path, "EMAIL_BACKEND", **public) == "anymail.backends.postmark.EmailBackend"
    assert ask(tmp_path, "MAIL_WEBHOOKS", **public) == "False"
    public["ANYMAIL"] += ",WEBHOOK_SECRET=postmark:a-password-of-twenty-letters"
    assert ask(tmp_path, "MAIL_WEBHOOKS", **public) == "True"
    assert "'anymail'" in ask(tmp_path, "INSTALLED_APPS", **public)
    assert "'anymail'" not in ask(tmp_path, "INSTALLED_APPS", **PUBLIC)


@pytest.mark.parametrize("hosts", ["carcassonne.example", "localhost,192.168.1.7", "*", ".example"])
def test_debug_mode_is_refused_where_others_can_reach_it(tmp_path: Path, hosts: str) -> None:
    done = read(tmp_path, DEBUG="1", ALLOWED_HOSTS=hosts)
    assert done.returncode != 0
    fault = done.stderr.strip().splitlines()[-1]
    assert "DEBUG is on" in fault and "ALLOWED_HOSTS" in fault


@pytest.mark.parametrize("hosts", ["localhost", "127.0.0.1,[::1]", "carcassonne.localhost", "127.0.1.1"])
def test_debug_mode_is_for_names_of_this_machine(tmp_path: Path, hosts: str) -> None:
    assert read(tmp_path, DEBUG="1", ALLOWED_HOSTS=hosts).returncode == 0


def test_debug_mode_does_not_listen_to_the_network(tmp_path: Path) -> None:
    """A Host header is quickly forged, so ALLOWED_HOSTS does not keep anybody out."""
    done = manage(tmp_path, "serve", "--host", "0.0.0.0", "--port", "8399", DEBUG="1")
    assert done.returncode != 0
    assert "DEBUG" in done.stderr


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def test_the_data_are_for_their_owner_only(tmp_path: Path) -> None:
    new, old = tmp_path / "deep" / "new", tmp_path / "old"
    (old / "outbox").mkdir(parents=True)
    (old / "carcassonne.sqlite3").touch()
    for path, before in ((old, 0o755), (old / "outbox", 0o755), (old / "carcassonne.sqlite3", 0o644)):
        path.chmod(before)
    for folder in (new, old):
        assert read(tmp_path, DATA_DIR=str(folder)).returncode == 0
    assert (mode(new), mode(old), mode(old / "outbox")) == ("0o700", "0o700", "0o700")
    assert mode(old / "carcassonne.sqlite3") == "0o600"


def test_every_cookie_of_a_public_site_needs_https(tmp_path: Path) -> None:
    names = [f"settings.{name}_COOKIE_SECURE" for name in ("SESSION", "CSRF", "LANGUAGE")]
    asked = f"SITE_URL, {', '.join(names)}, settings.LANGUAGE_COOKIE_HTTPONLY"
    assert ask(tmp_path, asked, **PUBLIC).endswith("True True True True")
    assert ask(tmp_path, asked).endswith("False False False True")


def test_a_public_site_passes_the_deployment_checks(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert done.returncode == 0, done.stderr


def test_the_defaults_are_those_of_one_machine(tmp_path: Path) -> None:
    assert manage(tmp_path, "check").returncode == 0
    assert ask(tmp_path, "DATABASES['default']['ENGINE']").endswith("sqlite3")
    assert ask(tmp_path, "CELERY_BROKER_URL") == "filesystem://localhost"
    assert ask(tmp_path, "SITE_URL", PORT="8123") == "http://localhost:8123"


def test_a_site_of_any_name_sends_mails(tmp_path: Path) -> None:
    sender = ask(tmp_path, "DEFAULT_FROM_EMAIL", SITE_NAME="Kraków, by mail", SITE_URL="http://łódź.example")
    mail = EmailMessage("Subject", "Text", sender, ["anna@example.org"]).message()
    name, address = parseaddr(mail["From"])
    assert str(make_header(decode_header(name))) == "Kraków, by mail"
    assert address == "games@xn--d-uga0v4h.example"


def test_redis_is_cache_and_broker_where_it_is_named(tmp_path: Path) -> None:
    url = "redis://cache.example:6379/1"
    assert ask(tmp_path, "CELERY_BROKER_URL", REDIS_URL=url) == url
    assert ask(tmp_path, "CACHES['default']['LOCATION']", REDIS_URL=url) == url
    assert ask(tmp_path, "CACHES['miniatures']['LOCATION']", REDIS_URL=url) == url


def test_postgresql_gets_a_pool(tmp_path: Path) -> None:
    url = "postgres://user:password@db.example:5432/carcassonne"
    assert ask(tmp_path, "DATABASES['default']['CONN_MAX_AGE']", DATABASE_URL=url) == "0"
    assert "max_size" in ask(tmp_path, "DATABASES['default']['OPTIONS']", DATABASE_URL=url)


def test_the_pool_looks_for_the_database_as_often_after_a_long_outage_as_after_a_short_one(
    tmp_path: Path,
) -> None:
    """Its pauses double until it gives up and begins anew: that must not be longer than a request waits."""
    url = "postgres://user:password@db.example:5432/carcassonne"
    pool = "DATABASES['default']['OPTIONS']['pool']"
    waits, looks = (
        ask(tmp_path, f"{pool}['{name}']", DATABASE_URL=url) for name in ("timeout", "reconnect_timeout")
    )
    assert int(looks) <= int(waits)


def test_every_setting_from_the_environment_is_documented() -> None:
    source = (HERE / "carcassonne/settings.py").read_text() + (
        HERE / "carcassonne/management/commands/serve.py"
    ).read_text()
    read = set(re.findall(r'env\.\w+\(\s*"(\w+)"', source)) | set(
        re.findall(r'environ\.get\("(\w+)"', source)
    )
    read |= set(re.findall(r"s/\^(\w+)=//p", (HERE / "deploy/release").read_text()))
    documented = set(re.findall(r"^\| `(\w+)` \|", (HERE / "docs/settings.md").read_text(), re.MULTILINE))
    assert read == documented


class TestNotifications:
    KEY = "a-key-for-tests-which-no-push-service-knows"

    def test_are_off_without_a_key(self, tmp_path: Path) -> None:
        assert ask(tmp_path, "VAPID_PRIVATE_KEY", **PUBLIC) == ""

    def test_name_a_contact_by_themselves(self, tmp_path: Path) -> None:
        on = {**PUBLIC, "VAPID_PRIVATE_KEY": self.KEY}
        assert ask(tmp_path, "VAPID_CONTACT", **on) == "mailto:security@carcassonne.example"
        page = {"SECURITY_CONTACT": "https://carcassonne.example/security/contact"}
        assert ask(tmp_path, "VAPID_CONTACT", **on, **page) == "https://carcassonne.example"

    @pytest.mark.parametrize("key", ["short", "x" * 44, "_" * 43, "A" * 43, f"{'x' * 42}+", f"{'x' * 42}ż"])
    def test_need_a_key_that_can_be_one(self, tmp_path: Path, key: str) -> None:
        done = read(tmp_path, **PUBLIC, VAPID_PRIVATE_KEY=key)
        assert done.returncode != 0 and "make_push_key" in done.stderr

    @pytest.mark.parametrize("contact", ["me", "mailto:me", "https://example.org/page", "mailto:a@b c"])
    def test_need_a_contact_that_push_services_take(self, tmp_path: Path, contact: str) -> None:
        done = read(tmp_path, **PUBLIC, VAPID_PRIVATE_KEY=self.KEY, VAPID_CONTACT=contact)
        assert done.returncode != 0 and "VAPID_CONTACT must be" in done.stderr

    def test_a_key_is_made_by_a_command(self, tmp_path: Path) -> None:
        key = manage(tmp_path, "make_push_key").stdout.strip()
        assert ask(tmp_path, "VAPID_PRIVATE_KEY", **PUBLIC, VAPID_PRIVATE_KEY=key) == key
        assert manage(tmp_path, "make_push_key").stdout.strip() != key

    def test_of_a_machine_at_home_have_a_key_of_their_own(self, tmp_path: Path) -> None:
        assert ask(tmp_path, "VAPID_PRIVATE_KEY") == ""
        file = tmp_path / "push.key"
        keep_push_key(file)
        made = file.read_text().strip()
        keep_push_key(file)
        assert file.read_text().strip() == made == ask(tmp_path, "VAPID_PRIVATE_KEY")
        assert file.stat().st_mode & 0o777 == 0o600
        assert ask(tmp_path, "VAPID_PRIVATE_KEY", **PUBLIC) == ""
