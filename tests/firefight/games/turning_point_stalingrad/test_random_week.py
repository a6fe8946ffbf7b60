"""Random weeks through the pages' own forms, with second books that decide (random_week.py)."""

import json
import random

import pytest

from firefight.table.rolling import replay
from tests import soak
from tests.firefight.players import text_of

from .random_week import Week

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

FRIDAY = 5  # days after 13 September, a Sunday


@pytest.mark.parametrize("part", soak.seeds(1, 100))
def test_a_random_week_on_the_pages_agrees_with_the_books_kept_by_hand(part):
    rng = random.Random(f"random week {part}")
    number = int(part.rpartition("-")[2])
    # Every ninth begins on 13 September, the others at any Dawn; every third sits at one device. A slice begins on a
    # Friday, so that the week is over soon.
    start = 0 if number % 9 == 1 else rng.randint(1, 62)
    if not soak.IS_WHOLE:
        start = FRIDAY + 7 * rng.randint(0, 7)
    week = Week(rng, has_one_device=number % 3 == 2, start=start)
    week.play()
    exported = json.loads(text_of(week.player.get("log.json")))
    assert replay.examine_log(exported)["problems"] == []
    print(f"\n{part}: {dict(week.counts)}")
