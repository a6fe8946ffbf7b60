"""Days at random through the pages' own forms: taken back exactly, told whole, no secret sent, nothing that breaks."""

import pytest

from tests.firefight.table.random_hands import SHOWN, act_and_check, check_all_secrets, check_results
from tests.soak import length, seeds

from .random_days import RandomDays

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ACTS = length(30, 60)
TO_PAGES = 6  # acts until what pages say is compared with what they said before an act; otherwise the rows are


@pytest.mark.parametrize("seed", seeds(1, 100))
def test_whatever_two_players_do_on_random_days(seed):
    play = RandomDays(seed)
    for number in range(ACTS):
        act_and_check(play, () if number % TO_PAGES else SHOWN)
    check_results(play)
    check_all_secrets(play)
