"""Random days against a second book-keeper, who reads the log line by line (tests/oracles/streets_book.py)."""

import random

import pytest

from tests import soak

from .random_book import BookedDay

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

# On which something begins, comes or goes: 13, 19, 20, 25, 26, 29 September, 1, 5, 10, 11, 20, 21 October, the last.
MARKED_DAYS = (1, 7, 8, 13, 14, 14, 17, 18, 19, 23, 28, 29, 38, 39, 46, 67)


@pytest.mark.parametrize("part", soak.seeds(2, 300))
def test_a_second_book_keeper_agrees_on_a_random_day(part):
    rng = random.Random(f"booked day {part}")
    turn = rng.choice(MARKED_DAYS) if rng.random() < 0.4 else rng.randint(1, 67)
    counts = BookedDay(rng, turn).play()
    assert counts["compared"] > 20
    print(f"\n{part}, turn {turn}: {dict(counts)}")
