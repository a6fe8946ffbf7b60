"""/health/: whether this copy can serve, for programs."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection

from firefight.hosting import health

pytestmark = pytest.mark.django_db


def test_a_copy_that_can_serve_says_so_with_its_version(client, settings):
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"app": "volga-ledger", "version": settings.VERSION, "database": "ok", "disk": "ok"}
    assert "no-store" in answer["Cache-Control"]


def test_a_database_that_does_not_answer_is_a_503(client, monkeypatch):
    def refuse(*arguments):
        raise OperationalError("connection refused: postgresql://user:password@host/name")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/health/")
    assert answer.status_code == 503
    assert answer.json()["database"] == "does not answer"
    assert "password" not in answer.text


def test_a_database_that_opens_and_answers_nothing_is_a_503(client, monkeypatch):
    def refuse(*arguments):
        raise OperationalError("disk I/O error")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", refuse)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["database"]) == (503, "does not answer")


def test_a_disk_that_cannot_be_read_is_a_503_that_names_no_path(client, monkeypatch, settings):
    def refuse(folder):
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(health.shutil, "disk_usage", refuse)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["disk"]) == (503, "cannot be read")
    assert str(settings.DATA_DIR) not in answer.text


@pytest.mark.parametrize(("free", "status"), [(health.LEAST_ROOM, 200), (health.LEAST_ROOM - 1, 503)])
def test_a_disk_that_is_nearly_full_is_a_503(client, monkeypatch, free, status):
    monkeypatch.setattr(health.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    answer = client.get("/health/")
    assert answer.status_code == status
    assert ("49 MB are left" in answer.json()["disk"]) == (status == 503)


def test_a_monitor_without_encryption_is_answered_over_https_too(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = ["^health/$"]
    assert client.get("/health/").status_code == 200
    assert client.get("/assist/").status_code == 301
