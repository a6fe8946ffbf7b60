"""Who has won where two goals meet, and which cards may be played together: cases that a second reader asked about."""

import pytest

from firefight.games.inferno_on_the_volga.rules.ending import Standings
from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo import attacking


@pytest.mark.parametrize(
    ("now", "won"),
    [
        ({"okh": True, "hexes_1_19_german": 19, "extra_used": 2, "r_removed": 2}, (True, False)),
        ({"okh": True, "hexes_1_19_german": 18, "extra_used": 2, "r_removed": 2}, (False, True)),
        ({"okh": True, "hexes_1_19_german": 18, "extra_used": 1, "r_removed": 2}, (False, False)),
        ({"okh": True, "hexes_1_19_german": 19, "extra_used": 2, "r_removed": 2, "destroyed": 10}, (True, True)),
        ({"soviet_spawn_german": 5}, (False, True)),
    ],
)
def test_the_last_extra_turn_is_judged_by_the_german_goal_first(now, won):
    standings = Standings(deck_empty=True, **now)
    assert (standings.is_german_won, standings.is_soviet_won) == won


class Hand:
    """A hand of cards, and Linden in play."""

    hand = ["pioneer", "672nd_pioneer", "pioneer", "stuka"]

    def has_leader(self, side, name):
        return (side, name) == (Side.GERMAN, "linden")


def test_with_linden_any_pioneers_are_played_together_and_the_672nd_may_be_kept():
    choices = {tuple(sorted(cards)) for cards in attacking.list_card_choices(Hand())}
    assert choices == {
        *(("pioneer",), ("672nd_pioneer",), ("stuka",)),
        *(("pioneer", "pioneer"), ("672nd_pioneer", "pioneer"), ("672nd_pioneer", "pioneer", "pioneer")),
    }
