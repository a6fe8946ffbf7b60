import json
import logging
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from config.settings import hide_tokens, keep_private, secret_key
from tests.server import environment_with

PRODUCTION = {"SECRET_KEY": "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ALLOWED_HOSTS": "a.io"}


def python(*arguments, **environment):
    """Run a fresh Python in the project with these variables set and the rest of ours unset."""
    command, environment = [sys.executable, *arguments], environment_with(**environment)
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False)


def values_of(*names, **environment):
    code = "import json; from config.settings import {0}; print(json.dumps([{0}]))".format(", ".join(names))
    done = python("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_secret_key_is_made_once_and_kept(tmp_path):
    path = tmp_path / "new" / "secret_key"
    key = secret_key(path)
    assert len(key) >= 50
    assert path.read_text() == key
    assert secret_key(path) == key
    assert os.listdir(path.parent) == ["secret_key"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_secret_key_is_for_its_owner_alone(tmp_path):
    secret_key(tmp_path / "secret_key")
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_workers_that_start_together_agree_on_the_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(secret_key, [tmp_path / "secret_key"] * 32))
    assert len(keys) == 1


def test_data_directory_is_not_tracked():
    assert "/var/" in (settings.BASE_DIR / ".gitignore").read_text().splitlines()
    if (settings.BASE_DIR / ".git").exists():
        command = ["git", "ls-files", "var"]
        assert not subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, check=True).stdout


def test_debug_only_when_asked_for(tmp_path):
    assert values_of("DEBUG", VOLGA_DATA=str(tmp_path)) == [False]
    assert values_of("DEBUG", VOLGA_DATA=str(tmp_path), DEBUG="true") == [False]
    assert values_of("DEBUG", VOLGA_DATA=str(tmp_path), DEBUG="1") == [True]


def test_hosts_are_this_machine_unless_named(tmp_path):
    data = str(tmp_path)
    assert values_of("ALLOWED_HOSTS", VOLGA_DATA=data) == [["localhost", "127.0.0.1", "[::1]"]]
    assert values_of("ALLOWED_HOSTS", VOLGA_DATA=data, ALLOWED_HOSTS="a.example, b.example") == [
        ["a.example", "b.example"]
    ]


POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
}


def test_every_answer_carries_the_policy(client):
    headers = client.get("/no-such-page/").headers
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"


def deployment_check(data, **environment):
    environment |= PRODUCTION | {"VOLGA_DATA": str(data)}
    return python("manage.py", "check", "--deploy", "--fail-level=INFO", **environment)


def test_production_passes_the_deployment_check(tmp_path):
    done = deployment_check(tmp_path, HTTPS="1")
    assert done.returncode == 0, done.stderr


def test_nobody_is_put_on_the_lists_of_browsers_without_asking(tmp_path):
    data = str(tmp_path)
    assert values_of("SECURE_HSTS_PRELOAD", VOLGA_DATA=data, HTTPS="1") == [False]
    assert values_of("SECURE_HSTS_PRELOAD", VOLGA_DATA=data, HTTPS="1", HSTS_PRELOAD="1") == [True]


def test_deployment_check_notices_missing_https(tmp_path):
    done = deployment_check(tmp_path)
    assert done.returncode == 1
    assert "security.W008" in done.stderr


def test_forwarded_protocol_is_believed_only_behind_a_proxy(tmp_path):
    name, data = "SECURE_PROXY_SSL_HEADER", str(tmp_path)
    assert python("-c", f"from config.settings import {name}", VOLGA_DATA=data).returncode == 1
    assert values_of(name, VOLGA_DATA=data, BEHIND_PROXY="1") == [["HTTP_X_FORWARDED_PROTO", "https"]]


def test_log_hides_tokens(caplog):
    token = "qL3v-8Z_" * 5
    logging.getLogger("django.request").warning("%s: %s", "Not Found", f"/seat/{token}/")
    [record] = caplog.records
    assert hide_tokens(record)
    assert record.getMessage() == "Not Found: /seat/[hidden]/"


def test_sqlite_is_the_default_and_keeps_its_promises(tmp_path):
    code = """
import django
from django.db import connection, transaction
django.setup()
cursor = connection.cursor()
for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout"):
    print(name, cursor.execute(f"PRAGMA {name}").fetchone()[0])
connection.queries_log.clear()
connection.force_debug_cursor = True
with transaction.atomic():
    print(connection.queries[0]["sql"])
"""
    done = python("-c", code, VOLGA_DATA=str(tmp_path), DJANGO_SETTINGS_MODULE="config.settings")
    assert done.stdout.splitlines() == [
        "journal_mode wal",
        "foreign_keys 1",
        "synchronous 1",
        "busy_timeout 5000",
        "BEGIN IMMEDIATE",
    ], done.stderr
    assert (tmp_path / "volga.sqlite3").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o640, 0o660, 0o604, 0o644])
def test_no_group_and_nobody_else_can_read_a_database(tmp_path, mode):
    """Neither a new one, nor one that was open to others, nor what SQLite keeps beside it."""
    before = os.umask(0)
    try:
        keep_private(tmp_path / "new.sqlite3")
        names = [f"old.sqlite3{ending}" for ending in ("", "-wal", "-shm", "-journal")]
        for name in names:
            (tmp_path / name).touch()
            (tmp_path / name).chmod(mode)
        keep_private(tmp_path / "old.sqlite3")
    finally:
        os.umask(before)
    for name in ("new.sqlite3", *names):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600, name
