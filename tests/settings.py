"""Settings of the tests: the site's, made quick and isolated from other test runs and running sites."""

import atexit
import os
import shutil
import tempfile

_here = tempfile.mkdtemp(prefix="carcassonne-tests-")
atexit.register(shutil.rmtree, _here, ignore_errors=True)
os.environ["DATA_DIR"] = _here
os.environ["DEBUG"] = "0"
os.environ.setdefault("SECRET_KEY", "a key for tests: long enough, and worth nothing to anyone 0123456789")
os.environ["VAPID_PRIVATE_KEY"] = "a-key-for-tests-which-no-push-service-knows"
os.environ["ALLOWED_HOSTS"] = "testserver,localhost,127.0.0.1"
os.environ["SITE_URL"] = "https://carcassonne.example"
os.environ["EMAIL_URL"] = "smtp+tls://mail.carcassonne.example:587"  # which no test reaches, see below
os.environ["SECURE_SSL_REDIRECT"] = "0"
os.environ["METRICS_TOKEN"] = "a token of the tests"

from carcassonne.settings import *  # noqa: E402, F403
from carcassonne.settings import (  # noqa: E402
    CACHES,
    CELERY_BROKER_TRANSPORT_OPTIONS,
    DATA_DIR,
    DATABASES,
    REDIS_URL,
    STORAGES,
)

_run = f"test-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}-{os.getpid()}"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
SESSION_COOKIE_SECURE = False  # the live server of browser tests speaks plain HTTP
CSRF_COOKIE_SECURE = False
LANGUAGE_COOKIE_SECURE = False
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "sessionid", "csrftoken"  # __Host- needs HTTPS
LANGUAGE_COOKIE_NAME, THEME_COOKIE_NAME, KNOWN_COOKIE_NAME = "django_language", "theme", "known"
DEVICE_COOKIE_NAME = "device"
LOBBY_SECONDS = 0  # tests look at once
STAFF_SECOND_FACTOR = False  # tests of the admin need none; tests/accounts/test_second_factor.py sets one up
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
EMAIL_USE_TLS = False  # the tests' own mail server has none

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # In a file, because threads and other processes must see the same rows.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
CACHES["default"]["KEY_PREFIX"] = _run
CACHES["miniatures"]["KEY_PREFIX"] = f"{_run}:miniatures"
if REDIS_URL:
    # A busy machine may let a test wait; the limits that it counts must not begin anew for that.
    CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 20, "socket_timeout": 20}
    CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = f"{_run}-"
