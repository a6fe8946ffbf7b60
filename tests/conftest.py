import gc
import hashlib
import itertools
import os

import hypothesis
import pytest
import segno
from django.conf import settings
from django.contrib.staticfiles import handlers
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase
from jinja2 import StrictUndefined
from whitenoise.base import WhiteNoise

# A slow machine is not a defect, and a run that fails must fail again. VOLGA_HYPOTHESIS=search looks for new examples.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("VOLGA_HYPOTHESIS", "steady"))

gc.set_threshold(20_000, 20, 20)  # as the app has it: few of the objects made here refer to each other in circles


STAGES = ("quick", "database", "soak", "browsers")


def pytest_addoption(parser):
    parser.addoption(
        "--stage",
        choices=STAGES,
        help="quick: what needs no database, and one walk in the browser; database: whatever uses one; soak: what has "
        "a length (tests/soak.py), and what hypothesis tries; browsers: jobs in each engine",
    )


ENVIRONMENT = dict(os.environ)


def pytest_collection_finish(session):
    """Refuse changes of the environment by merely reading a module: every later server of a test would get them."""
    changed = {name for name, value in (ENVIRONMENT.items() ^ os.environ.items()) if not name.startswith("PYTEST_")}
    if changed:
        raise pytest.UsageError(f"Reading the tests has changed the environment: {', '.join(sorted(changed))}")
    # Ten thousand tests stay until the end: the garbage collector need not walk through them again and again.
    gc.collect()
    gc.freeze()


def pytest_sessionstart(session):
    from config.sqlite import base
    from firefight.table.seats.cover_pins import PinHasher

    settings.TEMPLATES[0]["OPTIONS"]["undefined"] = StrictUndefined  # a name that has no value is a mistake
    PinHasher.iterations = 1  # hashing is slow on purpose
    base.PATIENCE = 120.0  # a slow machine is not a defect


def pytest_collection_modifyitems(config, items):
    for item in items:
        if uses_browser(item):
            item.add_marker("browser")
    # Long tests begin first, so that no worker is left alone with one at the end.
    items.sort(key=lambda item: (uses_browser(item), not item.get_closest_marker("long")))
    stage = config.getoption("--stage")
    if stage != "browsers":
        items[:] = [item for item in items if not item.get_closest_marker("engines")]
    if stage:
        left_out = [item for item in items if not belongs_to(stage, item)]
        items[:] = [item for item in items if belongs_to(stage, item)]
        config.hook.pytest_deselected(items=left_out)


def belongs_to(stage, item):
    """Whether a test is one of a stage."""
    has = item.get_closest_marker
    if stage == "browsers":
        return bool(has("engines"))
    if stage == "soak":
        return bool(has("soak")) or hypothesis.is_hypothesis_test(getattr(item, "obj", None))
    if stage == "quick":
        return bool(has("quick")) or not (has("slow") or uses_database(item) or uses_browser(item))
    # The browser sees the same pages whichever database is behind them; once is enough.
    return uses_database(item) and not uses_browser(item)


def uses_browser(item):
    return "chromium" in getattr(item, "fixturenames", ())


def uses_database(item):
    """pytest-django blocks the database for every test but these.

    Its other fixtures, `client` among them, either request one of the three named here or open nothing.
    """
    return bool(
        item.get_closest_marker("django_db")
        or {"db", "transactional_db", "live_server"}.intersection(getattr(item, "fixturenames", ()))
        or issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    )


class ServedByTheApp(handlers.StaticFilesHandler):
    """Has the live server leave static files to the app, as in real use."""

    def _should_handle(self, path):
        return False


handlers.StaticFilesHandler = ServedByTheApp


@pytest.fixture(autouse=True)
def dice_that_fall_alike(request, monkeypatch):
    """The app's dice are the same in every run of a test, so that a failing one fails again."""
    seed_by(request.node.nodeid, monkeypatch)


def seed_by(name, monkeypatch):
    """Give matches the seeds that belong to a name, in their order: also those that a page only makes to check it."""
    from firefight.models import Match

    seeds = (hashlib.sha256(f"{name} {n}".encode()).hexdigest() for n in itertools.count())
    monkeypatch.setattr(Match._meta.get_field("seed"), "_get_default", lambda: next(seeds))


TRUE_CODE, CODE = segno.make, segno.make("http://testserver/")
segno.make = lambda *_, **__: (
    CODE
)  # the same for every link: a true one takes longer than everything else in a new match


@pytest.fixture
def true_codes(monkeypatch):
    """Each link has its own QR code."""
    monkeypatch.setattr(segno, "make", TRUE_CODE)


@pytest.fixture(scope="session")
def frozen_tables(tmp_path_factory):
    """Where the processes of this run keep tables for each other."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "frozen"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def frozen(db, frozen_tables):
    """frozen(name, build) restores a table of players that was built before, or builds it, with dice of its name."""
    from tests.frozen import frozen

    def put_back(name, build):
        with pytest.MonkeyPatch.context() as building:
            seed_by(name, building)
            return frozen(frozen_tables, name, build)

    return put_back


# Where a device of the browser tests waits: at the app, since Chromium changes its process on the way from and to a
# blank page, and on a page that asks for nothing, not even an icon: between two tests no request may use the database.
WAITING = "waiting.html"
NOTHING = '<!doctype html><title>Waiting</title><link rel="icon" href="data:,">'


@pytest.fixture(scope="session", autouse=True)
def static_files(tmp_path_factory):
    """Lay the static files out as `play` does, once for all tests."""
    settings.STATIC_ROOT = tmp_path_factory.mktemp("static")
    call_command("collectstatic", interactive=False, verbosity=0)
    (settings.STATIC_ROOT / WAITING).write_text(NOTHING)  # before any app looks for static files
    read_static_files_once()


def read_static_files_once():
    """Every browser of a test has an app of its own, which would look at all these files again."""
    read, files_by_folder = WhiteNoise.update_files_dictionary, {}

    def look_up(app, root, prefix):
        key = (root, prefix, app.max_age)
        if key not in files_by_folder:
            read(app, root, prefix)
            files_by_folder[key] = {**app.files}
        app.files.update(files_by_folder[key])

    WhiteNoise.update_files_dictionary = look_up


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Put the SQLite test database in a file.

    Django's in-memory one is a single connection that the live server's threads share, and two threads
    cannot both begin an immediate transaction on it. In a file each thread has its own connection, in WAL
    mode, as in real use.
    """
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(scope="session")
def script():
    """The check of scripts/check_dice.py, loaded without running a process for each log."""
    path = settings.BASE_DIR / "scripts" / "check_dice.py"
    names = {"__name__": "check_dice"}
    exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), names)
    return names["check"]
