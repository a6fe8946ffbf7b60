"""What a host is told of the database."""

import pytest
from django.utils import timezone

from firefight.hosting.figures import measure_database
from firefight.models import Making

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_database_that_grows_is_told_to_be_larger():
    before = measure_database()
    Making.objects.bulk_create(Making(visitor="x" * 60, at=timezone.now(), size=1) for _ in range(2000))
    assert 0 < before < measure_database()
