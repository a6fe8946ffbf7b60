"""Whom an attack reaches by where they stand (19.1.4, A-59)."""

import pytest

from firefight.games.combat_stalingrad.rules.filling import explain_roll
from firefight.games.combat_stalingrad.rules.reach import ATTACKS, list_struck
from tests.books import HOUSE

from .pieces import piece

FIRER = piece("german", "grenadier_squad", number=9, place="K9")
GERMAN = piece("german", "nco", "close_combat", number=1, place="K7")
RUSSIAN = piece("russian", "rifle_squad", "close_combat", number=1, place="K7")
SECOND = piece("russian", "nco", number=2, place="K7")
ASIDE = [
    piece("russian", "rifle_squad", number=3, place="K7", level="1"),
    piece("russian", "rifle_squad", number=4, place="K8"),
    piece("russian", "rifle_squad", number=5, place="K7", hidden=True),
    piece("russian", "rifle_squad", number=6, place="K7", fate="eliminated"),
    piece("russian", "mine_factor", number=7, place="K7"),
]
ALL = [FIRER, GERMAN, RUSSIAN, SECOND, *ASIDE]


@pytest.mark.parametrize("slug", sorted(ATTACKS))
@pytest.mark.parametrize("chosen", [[RUSSIAN], [GERMAN], [RUSSIAN, GERMAN], [SECOND]])
def test_an_attack_into_a_close_combat_is_made_on_all_in_the_same_place_and_nobody_else(slug, chosen):
    assert list_struck(slug, [FIRER], chosen, ALL) == ["german-1", "russian-1", "russian-2"]


def test_nobody_is_added_where_there_is_no_close_combat_nor_to_a_roll_that_is_no_attack():
    plain = piece("russian", "rifle_squad", number=1, place="K7")
    nowhere = piece("russian", "rifle_squad", "close_combat", number=1)
    assert list_struck("fire", [FIRER], [plain], [FIRER, plain, SECOND, *ASIDE]) == []
    assert list_struck("fire", [FIRER], [RUSSIAN], [FIRER, RUSSIAN, SECOND, *ASIDE]) == []  # the enemy is gone
    assert list_struck("fire", [FIRER], [nowhere], [nowhere, *ALL]) == []
    assert list_struck("fire", [FIRER], [], ALL) == []
    for slug in ("morale", "contact", "who-is-hit"):
        assert list_struck(slug, [FIRER], [RUSSIAN], ALL) == []


def test_those_who_fight_there_attack_whom_they_choose():
    assert list_struck("close-combat", [GERMAN], [RUSSIAN], ALL) == []


def test_a_fire_says_that_it_is_made_on_both():
    _, account = explain_roll(HOUSE, "fire", [FIRER], [RUSSIAN, GERMAN], {})
    assert account.words.endswith("Close Combat in K7: friend and enemy are attacked (19.1.4)")
    _, account = explain_roll(HOUSE, "fire", [FIRER], [RUSSIAN], {})
    assert "Close Combat" not in account.words


def test_who_comes_into_a_close_combat_from_outside_overruns_it():
    """19.1.3, 19.1.4: both sides defend."""
    tank = piece("german", "pz_iv_f1", number=3, place="K8")
    inputs, account = explain_roll(HOUSE, "close-combat", [tank], [RUSSIAN, GERMAN], {})
    assert [row["id"] for row in inputs["defense"]] == ["russian-1", "german-1"]
    assert "friend and enemy" in account.words
