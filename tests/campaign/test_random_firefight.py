"""Whatever two players do in a firefight of a campaign: table and ledger are taken back exactly, and nobody is told."""

import pytest

from tests.campaign import players
from tests.campaign.random_firefight import RandomFirefight, in_firefight
from tests.firefight.table.test_random_table import play_on
from tests.soak import length, seeds

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ACTS = length(12, 40)


@pytest.fixture
def firefight(frozen):
    return frozen("inferno in a firefight", lambda: in_firefight(players.seated("cg1")))


@pytest.mark.parametrize("seed", seeds(1, 150))
def test_whatever_two_players_do_in_a_firefight(seed, firefight):
    play_on(RandomFirefight(seed, firefight), ACTS)
