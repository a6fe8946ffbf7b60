"""Settings. Safe as they stand; docs/running.md lists the environment variables that change them."""

import logging
import os
import re
import sys
import tempfile
import tomllib
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from jinja2 import ChainableUndefined, StrictUndefined


def is_on(name: str) -> bool:
    return os.environ.get(name) == "1"


def split_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def whole_number(name: str, default: int) -> int:
    text = os.environ.get(name, "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ImproperlyConfigured(
            f"{name}={text} is not a whole number. Give one such as {name}=20, or 0 for no limit."
        )
    return int(text or default)


def hours(name: str, default: str) -> timedelta:
    text = os.environ.get(name) or default
    if not re.fullmatch("[0-9]{1,4}", text):
        raise ImproperlyConfigured(f"{name}={text} is not a number of hours. Give a whole number, such as {default}.")
    return timedelta(hours=int(text))


def secret_key(path: Path) -> str:
    """The key kept in this file, made on first use.

    Workers that start at the same moment must end up with the same key: each writes a draft of its own,
    only the first can link it to the name, and all read the file of that name.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)  # mkstemp gives mode 600
        with os.fdopen(handle, "w") as file:
            file.write(get_random_secret_key())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a disk without hard links, such as a USB stick
            Path(draft).replace(path)
        Path(draft).unlink(missing_ok=True)
    try:
        key = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        key = ""
    if len(key.strip("\0 \n")) < 20:
        sys.exit(
            f"{path} is damaged. It signs the cookies by which browsers hold their seats: put your copy of it back. "
            "If there is none, delete it and start again; then every browser needs a new seat link."
        )
    return key


def keep_private(database: str | Path) -> None:
    """Let only this user read the database and what SQLite keeps beside it, whatever its folder allows."""
    if str(database).startswith((":memory:", "file:")):
        return
    with suppress(FileExistsError):
        os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # SQLite begins with an empty file
    for ending in ("", "-wal", "-shm", "-journal"):  # new ones inherit the mode of the database
        with suppress(FileNotFoundError, PermissionError):
            file = Path(f"{database}{ending}")
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def hide_tokens(record: logging.LogRecord) -> bool:
    """Hide tokens: seat links carry a secret in their path, and Django logs the path of a refused request."""
    record.msg, record.args = re.sub(r"[\w-]{32,}", "[hidden]", record.getMessage()), ()
    return True


def tell_in_one_line(record: logging.LogRecord) -> bool:
    """Log what strangers send wrong, such as another host's name, in one line without a traceback."""
    if record.name.startswith("django.security."):
        record.msg, record.args, record.exc_info = record.getMessage()[:300], (), None
    return True


BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("VOLGA_DATA") or BASE_DIR / "var").resolve()
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

DEBUG = is_on("DEBUG")
try:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    SECRET_KEY = os.environ.get("SECRET_KEY") or secret_key(DATA_DIR / "secret_key")
except OSError as error:
    sys.exit(
        f"{error.filename}: {error.strerror}. The app keeps its data in {DATA_DIR}, which this user must be able "
        "to read and write. Set VOLGA_DATA to keep it elsewhere."
    )
ALLOWED_HOSTS = split_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = split_list("CSRF_TRUSTED_ORIGINS")
# What seat links begin with when the host's own browser says localhost, which no other device could open.
PUBLIC_ADDRESS = os.environ.get("PUBLIC_ADDRESS", "").rstrip("/")
# How long a side whose seat is reported lost can object before the other side may free it.
SEAT_WAIT = hours("SEAT_HOURS", "24")

# Chats that may be told whose turn it is, by the names of their servers; none unless the host says so.
WEBHOOKS = split_list("WEBHOOKS")
# Whether such a name may lead to this machine or to a private network.
WEBHOOKS_PRIVATE = is_on("WEBHOOKS_PRIVATE")
# Mails to players, if there is a mail server.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = whole_number("EMAIL_PORT", 465 if is_on("EMAIL_USE_SSL") else 587 if is_on("EMAIL_USE_TLS") else 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = is_on("EMAIL_USE_TLS")
EMAIL_USE_SSL = is_on("EMAIL_USE_SSL")
EMAIL_TIMEOUT = 10
# How many mailboxes may be asked per day whether they want mails.
LETTERS_PER_DAY = whole_number("LETTERS_PER_DAY", 100)
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "Volga Ledger <volga@localhost>")
# A word that anybody who begins something new here must know; without it everybody may.
BEGIN_WORD = os.environ.get("BEGIN_WORD", "").strip()
# Whom to tell about a vulnerability, for security.txt: mailto:… or https:…; without it there is no such file.
SECURITY_CONTACT = os.environ.get("SECURITY_CONTACT", "").strip()
# Figures for Prometheus at /metrics/, for requests with this token; without it nothing is counted.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
# Files of matches that the app writes by itself at each stage: how many of each match, and where.
KEEP_FILES = whole_number("KEEP_FILES", 0)
FILES_DIR = Path(os.environ.get("FILES_DIR") or DATA_DIR / "files").resolve()

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "firefight",
    "campaign",
]

# How the assistant learns of games and their rolls without importing upwards: it loads what is listed here.
# A game is a package with its GAME in game.py and its HELPERS; further packages may contribute helpers to it.
ASSIST_GAMES = [
    "firefight.games.combat_stalingrad",
    "firefight.games.battle_for_stalingrad",
    "firefight.games.turning_point_stalingrad",
    "firefight.games.streets_of_stalingrad",
    "firefight.games.inferno_on_the_volga",
]
ASSIST_HELPERS = ["campaign.helpers.HELPERS"]
# Rehearsals outside their game's package, by game.
ASSIST_REHEARSALS = {"combat-stalingrad": "campaign.rehearsal"}
# Commands that fill a new database before it is served; each is safe to repeat.
LOADING_COMMANDS = ["load_shipped", "load_shipped_content"]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.HeadMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pads its answers, so that their length betrays no token (BREACH)
    "config.middleware.PolicyMiddleware",
    "config.middleware.PermissionsMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.EncodingMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.middleware.ProgramMiddleware",
    "config.middleware.PostsAloneMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.DatabaseTroubleMiddleware",
]
if METRICS_TOKEN:
    MIDDLEWARE = [
        "django_prometheus.middleware.PrometheusBeforeMiddleware",
        *MIDDLEWARE,
        "django_prometheus.middleware.PrometheusAfterMiddleware",
    ]
    (DATA_DIR / "metrics").mkdir(exist_ok=True)
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(DATA_DIR / "metrics"))  # read when its library is imported
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "environment": "config.templates.environment",
            # A missing value is an error while templates are written, and a blank for players.
            "undefined": StrictUndefined if DEBUG else ChainableUndefined,
            "context_processors": ["config.templates.once_a_request"],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.Jinja2"

# Database

if os.environ.get("DATABASE_URL"):
    try:
        database = dj_database_url.config()
    except ValueError as error:
        example = "postgresql://user:password@host/name"
        raise ImproperlyConfigured(f"DATABASE_URL is not the address of a database, such as {example}.") from error
else:
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "volga.sqlite3")}
if database["ENGINE"] == "django.db.backends.sqlite3":
    database["ENGINE"] = "config.sqlite"
    with suppress(OSError):  # `play` says what is wrong with it
        keep_private(database["NAME"])
    database.setdefault("OPTIONS", {}).update(
        # Take the write lock when a transaction opens: taking it halfway fails instead of waiting.
        transaction_mode="IMMEDIATE",
        timeout=5,
        init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    )
DATABASES = {"default": database | {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Sessions live in the cookie, signed: no query per request. A browser remembers its seats for a year.

SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

# What a browser may load, send and frame

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_100  # the cells of the largest sheet, and some more
FILE_UPLOAD_HANDLERS = [
    "firefight.web.uploads.Bounded",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

if is_on("HTTPS"):
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = ["^health/$"]  # asked on this very machine, where nothing is encrypted
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Browsers accept such a name only from this very host, not from a neighbour under the same domain.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    MIDDLEWARE.insert(0, "config.middleware.OldCookieMiddleware")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # Browsers' own lists are hard to leave again, and hold for every name below the domain: only on request.
    SECURE_HSTS_PRELOAD = is_on("HSTS_PRELOAD")
    SILENCED_SYSTEM_CHECKS = ["security.W021"]  # it would have everybody request it
BEHIND_PROXY = is_on("BEHIND_PROXY")
if BEHIND_PROXY:  # only then: anybody else could send this header
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# What one visitor may store in an hour; 0 is no limit. Friends at a table need none, the open internet does.

NEW_PER_HOUR = whole_number("NEW_PER_HOUR", 20 if is_on("HTTPS") else 0)
NEW_MEGABYTES_PER_HOUR = whole_number("NEW_MEGABYTES_PER_HOUR", 25)

# Static files: `play` collects them under names that hold a hash of their content, compressed, to be kept for ever.
# With DEBUG they come straight from the source.

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "hide_tokens": {"()": "django.utils.log.CallbackFilter", "callback": hide_tokens},
        "one_line": {"()": "django.utils.log.CallbackFilter", "callback": tell_in_one_line},
    },
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["hide_tokens", "one_line"]}
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django": {"handlers": [], "level": "WARNING"}},
}
