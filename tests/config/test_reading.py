"""The tests' own tool that reads the tables again only where they may have changed."""

from threading import Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils.timezone import now

from firefight.models import Making
from tests.reading import read_if_changed, trial


def make(number):
    Making.objects.create(pk=number, visitor="x", at=now(), size=1)


@pytest.fixture
def read():
    """The keys of a small table, and how often they have been read."""

    def keys():
        answer.times += 1
        return sorted(Making.objects.values_list("pk", flat=True))

    answer = read_if_changed(keys)
    answer.times = 0
    return answer


@pytest.mark.django_db
def test_what_is_written_changed_removed_or_rolled_back_is_seen(read):
    assert read() == []
    make(1)
    assert read() == [1]
    Making.objects.update(id=2)
    assert read() == [2]
    with trial():
        make(3)
        assert len(read()) == 2
    assert read() == [2]
    with trial():
        Making.objects.all().delete()
        assert read() == []
    assert read() == [2]
    with pytest.raises(IntegrityError), transaction.atomic():
        make(4)
        make(2)
    assert read() == [2]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="no other database tells")
def test_what_nothing_has_written_to_is_read_once(read):
    make(1)
    assert read() == read() == [1]
    assert read.times == 1


@pytest.mark.django_db(transaction=True)
def test_what_another_connection_writes_is_seen(read):
    assert read() == []
    other = Thread(target=lambda: (make(1), connection.close()))
    other.start()
    other.join()
    assert read() == [1]
