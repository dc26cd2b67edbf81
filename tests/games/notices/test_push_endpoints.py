"""Tests of push endpoints, which players send: only those of known push services are accepted."""

from __future__ import annotations

from typing import Any

import pytest

from games.exceptions import Refused
from games.notices import push_endpoints, push_keys
from games.notices.push_endpoints import is_at_push_service
from tests.cases import for_each

POINT = push_keys.get_public_key  # any point on the curve


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:APA91b-_",
        "https://FCM.googleapis.com:443/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://wns2-par02p.notify.windows.com/w/?token=BQY%3d",
        "https://web.push.apple.com/QGuQyavXutnMH",
    ],
)
def test_addresses_of_browsers_are_taken(endpoint: str) -> None:
    assert is_at_push_service(endpoint)


@for_each(
    "endpoint",
    [
        "",
        "fcm.googleapis.com/fcm/send/abc",
        "http://fcm.googleapis.com/fcm/send/abc",
        "ftp://fcm.googleapis.com/fcm/send/abc",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://[::ffff:169.254.169.254]/latest/meta-data/",
        "https://169.254.169.254/latest/meta-data/",
        "https://10.0.0.1:6379/",
        "https://example.org/fcm.googleapis.com",
        "https://fcm.googleapis.com.example.org/",
        "https://fcm.googleapis.com@127.0.0.1/",
        "https://fcm.googleapis.com:pass@127.0.0.1/",
        "https://127.0.0.1\\@fcm.googleapis.com/",
        "https://127.0.0.1#@fcm.googleapis.com/",
        "https://127.0.0.1 .notify.windows.com/",
        "https://fcm.googleapis.com:8443/",
        "https://fcm.googleapis.com:0/",
        "https://fcm.googleapis.com:x/",
        "https://fcm.googleapis.com:99999/",
        "https://fcm.googleapis.com./",
        "https://evilfcm.googleapis.com/",
        "https://other.googleapis.com/",
        "https://push.services.mozilla.com/",
        "https://evilpush.services.mozilla.com/",
        "https://.push.services.mozilla.com/",
        "https://notify.windows.com/",
        "https://evilnotify.windows.com/",
        "https://push.apple.com/",
        "https://web.push.apple.com/#fragment",
        "https://web.push.apple.com/\n",
        "https://web.push.apple.com/\r\nHost: evil",
        "https://wéb.push.apple.com/",
        "https://[fcm.googleapis.com/",
        f"https://web.push.apple.com/{'x' * 1000}",
    ],
)
def test_others_are_not(endpoint: str) -> None:
    assert not is_at_push_service(endpoint)
    with pytest.raises(Refused) as refused:
        push_endpoints.check_endpoint(endpoint)
    assert refused.value.code == "push_service_unknown"


def test_an_operator_may_name_other_services(settings: Any) -> None:
    settings.PUSH_HOSTS = ["push.example.org", "*.unified.example.net", "127.0.0.1:8443"]
    assert is_at_push_service("https://push.example.org/abc")
    assert is_at_push_service("https://a.b.unified.example.net/abc")
    assert is_at_push_service("https://127.0.0.1:8443/abc")
    assert not is_at_push_service("https://127.0.0.1/abc")
    assert not is_at_push_service("https://push.example.org:8443/abc")
    assert not is_at_push_service("https://127.0.0.1:8443.unified.example.net/abc")


def test_keys_that_can_be_encrypted_for_are_taken() -> None:
    push_endpoints.check_keys(POINT(), push_keys.encode(b"x" * 16))


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", "x" * 22),
        ("not base64!", "x" * 22),
        (push_keys.encode(b"\x04" + b"\x01" * 64), push_keys.encode(b"x" * 16)),  # not on the curve
        (push_keys.encode(b"\x00"), push_keys.encode(b"x" * 16)),  # the point at infinity
        (POINT()[:-4], push_keys.encode(b"x" * 16)),
        (POINT(), push_keys.encode(b"x" * 15)),
        (POINT(), push_keys.encode(b"x" * 17)),
        (POINT(), ""),
        (POINT(), "ż" * 16),
    ],
)
def test_others_are_no_keys(p256dh: str, auth: str) -> None:
    with pytest.raises(Refused) as refused:
        push_endpoints.check_keys(p256dh, auth)
    assert refused.value.code == "push_keys"


def test_a_key_is_made_as_the_setting_has_it(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = push_keys.make_private_key()
    assert len(settings.VAPID_PRIVATE_KEY) == 43
    assert len(push_keys.decode(push_keys.get_public_key())) == 65
    assert push_keys.load_signer().public_key.public_numbers().x > 0
