"""Settings, all from the environment. ``docs/settings.md`` has the table.

The defaults are those of one machine at home: SQLite, a broker in files, mails kept in a folder. With
``DEBUG`` off, ``refuse_unsafe_defaults`` stops a site that would go public with them.
"""

import re
from base64 import urlsafe_b64decode
from datetime import timedelta
from email.utils import formataddr
from pathlib import Path
from urllib.parse import unquote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from carcassonne.local_only import is_on_this_machine, keep_private, parse_networks

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# ---------------------------------------------------------------------------------------------- the site

DEBUG = env.bool("DEBUG", default=True)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
keep_private(DATA_DIR)

UNSAFE_KEY = "for one machine at home only: anyone can read this key in the source"
KEY_OF_OLD_CHECKS = "only for checks; fifty characters and more, never used by any site 7f3a9c"
# Made by deploy/containers/single in the volume of its container.
SECRET_KEY_FILE = DATA_DIR / "secret.key"
SECRET_KEY = env.str(
    "SECRET_KEY", default=SECRET_KEY_FILE.read_text().strip() if SECRET_KEY_FILE.exists() else UNSAFE_KEY
)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
PORT = env.int("PORT", default=8000)
SITE_URL = env.str("SITE_URL", default=f"http://localhost:{PORT}").rstrip("/")
SITE_HOST = (urlsplit(SITE_URL).hostname or "localhost").encode("idna").decode()  # as mails write it
SITE_NAME = env.str("SITE_NAME", default="Carcassonne by correspondence")
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=LOCAL_HOSTS)
# A host may come with no port, as most proxies send it, or with this one.
ALLOWED_PORTS = {urlsplit(SITE_URL).port or (443 if SITE_URL.startswith("https:") else 80)}
if DEBUG:
    ALLOWED_PORTS.add(PORT)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
# Whom somebody who has found a hole writes to (/.well-known/security.txt): an address, or a page.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default=f"mailto:security@{SITE_HOST}")

ROOT_URLCONF = "carcassonne.urls"
WSGI_APPLICATION = "carcassonne.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "core",
    "accounts",
    "ratings",
    "games",
    "moderation",
    "leagues",
    "carcassonne.apps.CarcassonneConfig",
    "carcassonne.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "template_partials",
    "csp",
]

# Who may read /-/metrics/: whoever knows the token, and these networks. Nobody: then nothing is measured.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
try:
    METRICS_NETWORKS = parse_networks(env.list("METRICS_NETWORKS", default=[]))
except ValueError as error:
    raise ImproperlyConfigured(f"METRICS_NETWORKS: {error}. See docs/settings.md.") from error
METRICS = bool(METRICS_TOKEN or METRICS_NETWORKS)
METRICS_DIR = Path(env.str("METRICS_DIR", default=str(DATA_DIR / "metrics"))).resolve()

MIDDLEWARE = [
    "carcassonne.health.probes",
    "carcassonne.logs.in_context",
    *(["carcassonne.metrics.count_requests"] if METRICS else []),
    "carcassonne.request_checks.require_own_port",
    "carcassonne.request_checks.limit_body",
    "carcassonne.headers.permissions",
    "django.middleware.security.SecurityMiddleware",
    "carcassonne.local.static_files.StaticFilesMiddleware"
    if DEBUG
    else "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "carcassonne.isolated_names.isolate_names",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "carcassonne.request_checks.reject_nul",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "carcassonne.headers.private_pages",
    "accounts.middleware.personal",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.hashing_bound",
    "accounts.middleware.guests_bound",
    "allauth.account.middleware.AccountMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,  # template_partials wraps the loaders by itself
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.themes.context",
                "games.context_processors.site",
                "moderation.context_processors.notices_of_moderators",
            ],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # forms look as templates/django/forms says

# ---------------------------------------------------------------------------------------------- rows

WEB_PORTS = [int(port) for port in env.str("WEB_PORTS", default=str(PORT)).split()]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'carcassonne.sqlite3'}")}
_database = DATABASES["default"]
DATABASE_SECONDS = 3
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets readers go on while one writes; IMMEDIATE takes the write lock at the start of a transaction,
    # so that no read has to turn into a write and find the database locked.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;"
            " PRAGMA cache_size=-20000; PRAGMA temp_store=MEMORY;"
        ),
    }
else:
    # The pool keeps the connections, so Django must not (CONN_MAX_AGE 0).
    _database["CONN_MAX_AGE"] = 0
    _database["CONN_HEALTH_CHECKS"] = True
    _database["OPTIONS"] = {
        **_database.get("OPTIONS", {}),
        "prepare_threshold": None,
        # So many seconds a request waits for a connection, before visitors are told that it is away. And so
        # many it is looked for with growing pauses, then anew: else a long outage ends minutes late for us.
        "pool": {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL", default=8),
            "timeout": DATABASE_SECONDS,
            "reconnect_timeout": DATABASE_SECONDS,
        },
    }
    # A machine that has vanished answers nothing, and says nothing of that either.
    _database["OPTIONS"].setdefault("connect_timeout", DATABASE_SECONDS)
    _database["OPTIONS"].setdefault("tcp_user_timeout", 1000 * DATABASE_SECONDS)

# Machines of ours that are reached by a network that nobody else can read, such as that of containers.
UNENCRYPTED_HOSTS = env.list("UNENCRYPTED_HOSTS", default=[])

# Shared by all processes, because rate limits count in it.
REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    CACHES = {"default": {"BACKEND": "carcassonne.cache.ForgivingRedisCache", "LOCATION": REDIS_URL}}
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
            "OPTIONS": {"MAX_ENTRIES": 10_000},  # a third is thrown away when there are more
        }
    }

# Parts of pages that are the same for all visitors, under keys with everything that they depend on.
CACHES["process"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "process",
    "OPTIONS": {"MAX_ENTRIES": 1000},
}

LOBBY_SECONDS = 5
"""Seconds for which the first page of the lobby is cached for visitors who are not signed in."""

# Boards as PNG, some 100 KB each, under such a key too: never where rate limits would have to make room.
CACHES["pictures"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "pictures",
    "TIMEOUT": None,
    "OPTIONS": {"MAX_ENTRIES": 100},
}

# Boards as small pictures in lists, some 4 KB each, under such a key too, and shared by all processes where
# there is Redis. Each process remembers those it showed last anyway: a table would cost more than it saves.
if REDIS_URL:
    CACHES["miniatures"] = {
        **CACHES["default"],
        "KEY_PREFIX": "miniatures",
        "TIMEOUT": 60 * 60 * 24,  # no longer: rate limits need the room
    }
else:
    CACHES["miniatures"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}

# Flags of queued tasks (``core.task_queue.QueuedOnce``): seen by all processes, without a query.
CACHES["flags"] = (
    CACHES["default"]
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "flags",
    }
)

# Counts of searches, which must cost no query where the cache is a table.
CACHES["searches"] = CACHES["default"] if REDIS_URL else {**CACHES["process"], "LOCATION": "searches"}

# ---------------------------------------------------------------------------------------------- people

AUTH_USER_MODEL = "accounts.Player"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["accounts.hashing.BoundedPasswordHasher"]
# How many passwords a process hashes at once; that must be fewer than its threads, so that some are left for
# pages. So many more wait for it from known browsers, and as many from others, in threads of their own.
PASSWORD_HASHES_AT_ONCE = env.int("PASSWORD_HASHES_AT_ONCE", default=1)
PASSWORD_HASHES_WAITING = env.int("PASSWORD_HASHES_WAITING", default=8)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "accounts.passwords.GuessValidator"},
]

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:mine"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1"]
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_email": "accounts.forms.ChangeEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "confirm_login_code": "accounts.forms.ConfirmLoginCodeForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmAddressForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmResetForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300  # seconds after signing in, in which nobody is asked again

# What may be tried how often: docs/limits.md has the table. Per "ip" is per network, and four times as much
# for the wider network around it (``accounts.limits``); a "key" is said there.
ACCOUNT_RATE_LIMITS = {
    "photo": "20/d/key",
    "login": None,  # passwords are counted below, in unknown browsers right and wrong ones by network
    "sign_in": "120/m/ip",
    "hash_refused": "120/m/ip",  # sign-ins refused as too many waited
    "right_password": "10/300s/key,60/h/key",
    "login_failed": "5/300s/key",
    "guess_address": "60/m/ip,50/h/key",
    "guess_code": "5/900s/key",
    "guess_token": "20/m/ip",
    "mail": "100/h/ip,6/h/key",
    "mail_known": "6/h/key",
    "manage_email": "10/h/user",
    "request_login_code": None,  # mails are
    "reset_password": None,
    "signup": "60/m/ip",  # a class signs up at once
    "guest": "60/h/ip",  # seats taken without an account; a class sits down at once
    "confirm_email": "1/10s/key",
    "read": "240/m/ip",  # pages that cost much, of visitors who are not signed in
    "draw": "600/m/ip",  # small pictures that no process keeps, likewise; a page shows some twenty
    "strength": "60/m/ip",  # passwords whose strength is shown while they are typed
    "read_signed_in": "600/m/user",  # the same of somebody who is, wherever they come from
    "draw_signed_in": "1200/m/user",
    "push": "30/h/user",  # devices switched on
    "search_people": "60/m/user,240/m/ip",  # games count it; whatever has rows is counted in rows
}

MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
MFA_TOTP_TOLERANCE = 1  # half a minute that a clock may be wrong
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
MFA_FORMS = {
    "authenticate": "accounts.second_factor.AuthenticateForm",
    "reauthenticate": "accounts.second_factor.ReauthenticateByFactorForm",
    "activate_totp": "accounts.second_factor.ActivateForm",
    "add_webauthn": "accounts.second_factor.AddKeyForm",
    "edit_webauthn": "accounts.second_factor.EditKeyForm",
}
# Who may enter the admin needs a second factor for it, and to have signed in within so many seconds.
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=not DEBUG)
STAFF_SIGNED_IN_SECONDS = 30 * 60

# Browsers take a cookie of this name only from this very host, by HTTPS, for all of it.
HOST_ONLY = "" if DEBUG else "__Host-"
SESSION_COOKIE_NAME = f"{HOST_ONLY}session"
CSRF_COOKIE_NAME = f"{HOST_ONLY}csrf"
LANGUAGE_COOKIE_NAME = f"{HOST_ONLY}language"
THEME_COOKIE_NAME = f"{HOST_ONLY}theme"
KNOWN_COOKIE_NAME = f"{HOST_ONLY}known"
DEVICE_COOKIE_NAME = f"{HOST_ONLY}device"

SESSION_COOKIE_AGE = 60 * 60 * 24 * 90

# ---------------------------------------------------------------------------------------------- languages

LANGUAGE_CODE = "en"
LANGUAGES = [  # each as its speakers call it, wherever it stands
    ("en", "English"),
    ("pl", "Polski"),
    ("sk", "Slovenčina"),
    ("is", "Íslenska"),
    ("ru", "Русский"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["carcassonne.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# ---------------------------------------------------------------------------------------------- files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static"))).resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": DATA_DIR / "files"},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "carcassonne.static_files.FilesAsSent",
    },
}

# ---------------------------------------------------------------------------------------------- mail

OUTBOX_DIR = DATA_DIR / "outbox"
KEEP_MAILS = "outbox:"
EMAIL_HOST, EMAIL_USE_TLS, EMAIL_USE_SSL = "localhost", False, False
EMAIL_URL = env.str("EMAIL_URL", default=KEEP_MAILS)
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=20)
# anymail:postmark sends by the interface of a mail provider. Its keys, and the secret of its webhooks, are in
# ANYMAIL: POSTMARK_SERVER_TOKEN=…,WEBHOOK_SECRET=user:password
EMAIL_PROVIDER = EMAIL_URL.removeprefix("anymail:") if EMAIL_URL.startswith("anymail:") else ""
ANYMAIL = env.dict("ANYMAIL", default={})
MAIL_WEBHOOKS = bool(ANYMAIL.get("WEBHOOK_SECRET"))
if EMAIL_PROVIDER or MAIL_WEBHOOKS:
    INSTALLED_APPS.append("anymail")
KEEPING = "carcassonne.local.mailbox.EmailBackend"
if EMAIL_URL == KEEP_MAILS:
    EMAIL_BACKEND = KEEPING
elif EMAIL_PROVIDER:
    EMAIL_BACKEND = f"anymail.backends.{EMAIL_PROVIDER}.EmailBackend"
    ANYMAIL.setdefault("REQUESTS_TIMEOUT", EMAIL_TIMEOUT)
else:
    vars().update(environ.Env.email_url_config(EMAIL_URL))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=formataddr((SITE_NAME, f"games@{SITE_HOST}")))
PROVIDERS = (  # brevo, postal and scaleway take no pictures within a mail
    *("amazon_ses", "mailersend", "mailgun", "mailjet", "mailtrap", "mandrill"),
    *("postmark", "resend", "sparkpost", "unisender_go"),
)
SENDS_NOTHING = {
    KEEPING,
    "django.core.mail.backends.console.EmailBackend",
    "django.core.mail.backends.dummy.EmailBackend",
    "django.core.mail.backends.filebased.EmailBackend",
    "django.core.mail.backends.locmem.EmailBackend",
}
SERVER_EMAIL = env.str("SERVER_EMAIL", default=DEFAULT_FROM_EMAIL)
# Players reply to play+<token>@REPLY_DOMAIN, and ``manage.py receive_mail`` takes it. Empty: mails name no
# such address. RECEIVE_MAIL_PORT is where the receiver listens, and what ``/outbox/`` sends replies to.
REPLY_DOMAIN = env.str("REPLY_DOMAIN", default=f"reply.{SITE_HOST}" if DEBUG else "").encode("idna").decode()
RECEIVE_MAIL_PORT = env.int("RECEIVE_MAIL_PORT", default=8025)
RECEIVE_MAIL_HOST = env.str("RECEIVE_MAIL_HOST", default="127.0.0.1")
# The name under which the mail server before the receiver writes what it finds out about a sender (RFC 8601).
MAIL_AUTHSERV_ID = env.str("MAIL_AUTHSERV_ID", default="")

# ---------------------------------------------------------------------------------------------- notifications

# The key by which push services know us; `make run` makes one and keeps it here. None: no notifications.
PUSH_KEY_FILE = DATA_DIR / "push.key"
VAPID_PRIVATE_KEY = env.str(
    "VAPID_PRIVATE_KEY", default=PUSH_KEY_FILE.read_text().strip() if DEBUG and PUSH_KEY_FILE.exists() else ""
)
# Whom a push service writes to that has trouble with us.
VAPID_CONTACT = env.str(
    "VAPID_CONTACT", default=SECURITY_CONTACT if SECURITY_CONTACT.startswith("mailto:") else SITE_URL
)
# Hosts of push services besides those of the known browsers.
PUSH_HOSTS = env.list("PUSH_HOSTS", default=[])


def is_private_key(text: str) -> bool:
    """Return whether *text* is, in base64url, a number that can be a private key of the curve P-256."""
    if not re.fullmatch(r"[\w-]{43}", text, re.ASCII):
        return False
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    return 0 < int.from_bytes(urlsafe_b64decode(f"{text}="), "big") < order


if VAPID_PRIVATE_KEY and not is_private_key(VAPID_PRIVATE_KEY):
    raise ImproperlyConfigured(
        "VAPID_PRIVATE_KEY must be a key as `manage.py make_push_key` makes it. See docs/push.md."
    )
if VAPID_PRIVATE_KEY and not re.match(r"mailto:[^@\s]+@[\w.-]+\Z|https?://[^/\s]+\Z", VAPID_CONTACT):
    raise ImproperlyConfigured(
        "VAPID_CONTACT must be mailto: and an address, or https:// and a host. See docs/push.md."
    )

# ---------------------------------------------------------------------------------------------- tasks

SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=30)
TASK_SECONDS = env.int("TASK_SECONDS", default=120)  # no task takes longer; those that would are stopped
# Whoever has just played is still at the board: the mail about their next turn waits that long for them.
NOTICE_PAUSE_SECONDS = env.int("NOTICE_PAUSE_SECONDS", default=120)
# Whether players may have notices posted to addresses that they name, at chat services.
WEBHOOKS = env.bool("WEBHOOKS", default=True)

LONGEST_COUNTDOWN = 120  # seconds that a task may be queued ahead of its time

CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost"
if REDIS_URL:
    # A message that a worker has taken is given to another after that long, however well the worker is. So it
    # is longer than any may take: to wait for its time, then for a task before it to end, then to be done.
    # The default throttle looks for such messages only about every 100 s.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": LONGEST_COUNTDOWN + 2 * TASK_SECONDS,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 3,
        "socket_timeout": 10,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(DATA_DIR / "broker"), "polling_interval": 0.05}
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # needs a broadcast, which files don't offer
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# After so many tasks a child of a worker makes its pool of connections anew. Celery would do so for each one,
# and two connections cost PostgreSQL more than most tasks; ``carcassonne/celery.py`` gives them back.
CELERY_DB_REUSE_MAX = 1000
# By urgency, each with a worker of its own, so that nothing stands behind what is less urgent or slower: a
# mail server may take seconds a mail, an export a minute. A worker that is told no queue takes from all.
QUEUES = {
    "beat": ["games.tasks.sweep"],
    # Somebody waits for it at a table. Each task is short; what has more to do queues itself again.
    "games": [
        "games.tasks.play_bot",
        "games.tasks.settle",
        "games.tasks.score",
        "games.tasks.expire",
        "games.tasks.close_tables",
        "games.tasks.move_deadlines",
    ],
    # Mails of players, of which one person can send many: no bot and no scoring stands behind them.
    "inbox": ["games.mail_tasks.answer_mail"],
    "notices": ["games.tasks.deliver_notices", "accounts.tasks.deliver_letters"],
    "outgoing": ["games.tasks.deliver_outgoing"],  # to servers that players choose, however slow
    "bulk": [
        "accounts.tasks.forget_sessions",
        "accounts.tasks.make_export",
        "accounts.tasks.note_traces",
        "accounts.tasks.remove_unconfirmed",
        "accounts.tasks.sweep",
        "carcassonne.tasks.answer",
        "games.upkeep_tasks.forget_addresses",
        "moderation.tasks.forget_evidence",
        "moderation.tasks.look_for_signals",
        "games.upkeep_tasks.prune_notices",
        "games.mail_tasks.prune_inbox",
        "moderation.tasks.search_games",
        "games.tasks.count_turns",
        "games.tasks.follow_holidays",
        "games.tasks.follow_suspensions",
        "leagues.tasks.advance",
        "leagues.tasks.forget_requests",
        "games.upkeep_tasks.rate_games",
        "leagues.tasks.tell_organisers",
    ],
}
CELERY_TASK_QUEUES = {name: {"routing_key": name} for name in QUEUES}
CELERY_TASK_ROUTES = {task: {"queue": name} for name, tasks in QUEUES.items() for task in tasks}
CELERY_TASK_DEFAULT_QUEUE = "bulk"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_EXPIRES = None  # there are none, so the beat need not queue a task of Celery's that clears them
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_SOFT_TIME_LIMIT = 0.8 * TASK_SECONDS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULER = "carcassonne.beat:OncePerPeriod"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat" / "schedule")
CELERY_BEAT_SCHEDULE = {
    # Finds whatever a lost message forgot. It expires, so that sweeps don't pile up while no worker runs.
    "sweep": {
        "task": "games.tasks.sweep",
        "schedule": timedelta(seconds=SWEEP_SECONDS),
        "options": {"expires": SWEEP_SECONDS},
    },
    "turns in time": {
        "task": "games.tasks.count_turns",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    # The sweep queues it after an outage; this one retries games that failed.
    "outages": {
        "task": "games.tasks.move_deadlines",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    # Withdraws tables of who is suspended, should the message have been lost.
    "suspensions": {
        "task": "games.tasks.follow_suspensions",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    "old evidence": {
        "task": "moderation.tasks.forget_evidence",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "guests' addresses": {
        "task": "games.upkeep_tasks.forget_addresses",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "old notices": {
        "task": "games.upkeep_tasks.prune_notices",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "old inbound mails": {
        "task": "games.mail_tasks.prune_inbox",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "signals of fair play": {
        "task": "moderation.tasks.look_for_signals",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    # Rates games whose message was lost, and goes on with what took longer than one task.
    "ratings": {
        "task": "games.upkeep_tasks.rate_games",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    # Leagues run themselves: registration, draws, games, results, the next season.
    "leagues": {
        "task": "leagues.tasks.advance",
        "schedule": timedelta(minutes=2),
        "options": {"expires": 120},
    },
    # At most one mail a day to the organisers of a league.
    "organisers' desks": {
        "task": "leagues.tasks.tell_organisers",
        "schedule": timedelta(hours=1),
        "options": {"expires": 3600},
    },
    "old questions to organisers": {
        "task": "leagues.tasks.forget_requests",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "accounts": {
        "task": "accounts.tasks.sweep",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    "ended sessions": {
        "task": "accounts.tasks.forget_sessions",
        "schedule": timedelta(days=1),
        "options": {"expires": 3600},
    },
    "unconfirmed accounts": {
        "task": "accounts.tasks.remove_unconfirmed",
        "schedule": timedelta(hours=1),
        "options": {"expires": 3600},
    },
}

# ---------------------------------------------------------------------------------------------- ratings

# How much chance there is in a game (RATE-1). A change has everything rated anew;
# `manage.py recompute_ratings --fit` says which value tells the results of this site best.
RATING_BETA = env.float("RATING_BETA", default=6.25)

# ---------------------------------------------------------------------------------------------- safety

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
# How many requests a web process works on at once, and how many seconds a body may take to come
# (``carcassonne/asgi.py``).
WEB_THREADS = env.int("WEB_THREADS", default=4)
BODY_SECONDS = env.int("BODY_SECONDS", default=20)
LONGEST_FORM = 128 * 1024  # the longest note has 4000 letters, of up to twelve bytes in a form
# A mail of 1 MiB that a provider hands over, in its own words and once more in parts.
LONGEST_WEBHOOK = 3 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = LONGEST_WEBHOOK if MAIL_WEBHOOKS else LONGEST_FORM
SECURE_REFERRER_POLICY = "same-origin"

# Keys of age or gpg: backups are encrypted for them, and for nobody else.
BACKUP_RECIPIENTS = env.list("BACKUP_RECIPIENTS", default=[])

# Pages of whoever runs the site: on privacy, in place of the site's own, and on who they are.
PRIVACY_URL = env.str("PRIVACY_URL", default="")
IMPRINT_URL = env.str("IMPRINT_URL", default="")

# How many reverse proxies of ours stand in front: from them we believe the visitor's address (for rate
# limits) and that the visitor came by HTTPS.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0 if DEBUG else 1)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

if not DEBUG:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=True)
    SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=True)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"


def connections_in_clear() -> list[str]:
    """Return faults of connections to other machines: without encryption, or Redis without a password."""
    faults = []
    database = unquote(str(_database.get("HOST", "")))
    if not (
        _database["ENGINE"].endswith("sqlite3") or is_on_this_machine(database) or database.startswith("/")
    ):
        encrypts = _database["OPTIONS"].get("sslmode") in ("require", "verify-ca", "verify-full")
        if database and database not in UNENCRYPTED_HOSTS and not encrypts:
            faults.append("DATABASE_URL must end in ?sslmode=verify-full (or require) for another machine")
    redis = urlsplit(REDIS_URL)
    if redis.scheme in ("redis", "rediss") and not is_on_this_machine(redis.hostname or "localhost"):
        if redis.scheme == "redis" and redis.hostname not in UNENCRYPTED_HOSTS:
            faults.append("REDIS_URL must be rediss:// for another machine")
        if not redis.password:
            faults.append(
                "REDIS_URL must name a password for another machine: rediss://:password@host:6379/0"
            )
    return faults


def refuse_unsafe_defaults() -> None:
    """Stop a public site that still has the defaults of a machine at home.

    :raises ImproperlyConfigured: naming every setting to change
    """
    faults = []
    if UNSAFE_KEY in SECRET_KEY_FALLBACKS:
        faults.append("SECRET_KEY_FALLBACKS must not name the key of a machine at home")
    if SECRET_KEY in (UNSAFE_KEY, KEY_OF_OLD_CHECKS) or len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 10:
        faults.append("SECRET_KEY must be a secret of at least 50 characters, ten of them different")
    if ALLOWED_HOSTS == LOCAL_HOSTS or not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        faults.append("ALLOWED_HOSTS must name the hosts of this site")
    if not SITE_URL.startswith("https://"):
        faults.append("SITE_URL must be the site's https:// address: emails link to it")
    if EMAIL_BACKEND in SENDS_NOTHING:
        faults.append("EMAIL_URL must name a mail server, for example smtp+tls://user:password@host:587")
    elif EMAIL_PROVIDER not in ("", *PROVIDERS):
        faults.append(f"EMAIL_URL must name one of these after anymail: {', '.join(PROVIDERS)}")
    elif not EMAIL_PROVIDER and not (
        EMAIL_USE_TLS or EMAIL_USE_SSL or is_on_this_machine(EMAIL_HOST or "localhost")
    ):
        faults.append("EMAIL_URL must be smtp+tls:// or smtp+ssl:// for a server on another machine")
    if MAIL_WEBHOOKS and not re.fullmatch(r"[^:]+:.{20,}", str(ANYMAIL["WEBHOOK_SECRET"])):
        faults.append(
            "WEBHOOK_SECRET in ANYMAIL must be user:password, with a password of 20 letters or more"
        )
    faults += connections_in_clear()
    if faults:
        raise ImproperlyConfigured("DEBUG is off, so: " + "; ".join(faults) + ". See docs/settings.md.")


def refuse_public_debugging() -> None:
    """Stop a site in debug mode that others can reach: they could read errors and the codes in kept mails.

    :raises ImproperlyConfigured: naming the hosts
    """
    others = [host for host in ALLOWED_HOSTS if not is_on_this_machine(host)]
    if others:
        raise ImproperlyConfigured(
            f"DEBUG is on, so ALLOWED_HOSTS can't name {', '.join(others)}: others could read all errors and "
            "emails there. Set DEBUG=0 on a site for others. See docs/settings.md."
        )


if DEBUG:
    refuse_public_debugging()
else:
    refuse_unsafe_defaults()

# ---------------------------------------------------------------------------------------------- log

LOG_FORMAT = env.str("LOG_FORMAT", default="lines")
if LOG_FORMAT not in ("lines", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is lines or json, not {LOG_FORMAT}. See docs/settings.md.")
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=LOG_FORMAT == "json")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "in context": {"()": "carcassonne.logs.InContext"},
        "in one line": {"()": "core.connection_errors.InOneLine"},
    },
    "formatters": {
        "lines": {
            "()": "carcassonne.logs.PlainLines",
            "format": "{asctime} {levelname:<7} {name}: {message}",
            "style": "{",
        },
        "json": {
            "()": "carcassonne.logs.JsonLines",
            "format": ["levelname", "name", "message"],
            "timestamp": True,
            "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "traceback"},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["in context", "in one line"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # How each request was answered.
        "carcassonne.requests": {"level": "INFO" if LOG_REQUESTS else "WARNING"},
        # Sign-ins, failures, second factors, addresses, acts of the staff: docs/accounts.md.
        "security": {"level": "INFO"},
        # Its details name the addresses of webhooks, which are secrets.
        "urllib3": {"level": "INFO"},
        # Every 404 and every stranger's wrong host name is not a warning to us.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # aiosmtpd names every sender, address and connection.
        "mail": {"level": "ERROR"},
    },
}

# ---------------------------------------------------------------------------------------------- errors

SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    from carcassonne.errors import report_to

    report_to(SENTRY_DSN, environment=SITE_HOST)
