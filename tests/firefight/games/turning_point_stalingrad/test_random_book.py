"""Random weeks against a second book-keeper, who reads the log line by line (tests/oracles/turning_week.py)."""

import random

import pytest

from tests import soak

from .random_book import BookedWeek

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


@pytest.mark.parametrize("part", soak.seeds(1, 300))
def test_a_second_book_keeper_agrees_on_a_random_week(part):
    rng = random.Random(f"booked week {part}")
    number = int(part.rpartition("-")[2])
    # Every ninth begins on 13 September; a slice begins on the last day of a week.
    day = 0 if number % 9 == 2 else 7 * rng.randint(0, 8) + (rng.randint(0, 6) if soak.IS_WHOLE else 6)
    counts = BookedWeek(rng, day=day).play()
    assert counts["compared"] > 20
    print(f"\n{part}: {dict(counts)}")
