"""What happens to a counter, word by word, for every counter and in every state."""

from itertools import combinations

import pytest

from firefight.engine.course.course import Position
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.counters import COUNTERS as RULES
from firefight.games.combat_stalingrad.game import GAME
from firefight.games.combat_stalingrad.rules.becoming import WORDS, become, describe_state, tidy_counters
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.units import Becomes
from firefight.games.gallery import find_picture
from tests.books import HOUSE

from .gallery import COUNTERS
from .pieces import piece

EVERY = [(side, key) for side in COUNTERS for key in COUNTERS[side]]
ORDERLY = ("pinned", "disrupted", "wia")


def after(word, side, key, *state):
    """The counter after it, as its state and its fate."""
    unit = piece(side, key, *state)
    changed = become(unit.counter, unit.kind, word)
    return changed.state, changed.fate


@pytest.mark.parametrize(
    ("state", "word", "state_and_fate"),
    [
        ((), "pinned", (("pinned",), "")),
        (("pinned",), "disrupted", (("disrupted",), "")),
        (("disrupted", "in_sewer"), "wia", (("wia", "in_sewer"), "")),
        (("wia",), "disrupted", (("disrupted",), "")),
        (("wia",), "good_order", ((), "")),
        (("pinned",), "reduced", (("reduced",), "")),
        (("wia",), "reduced_wia", (("reduced", "wia"), "")),
        (("pinned",), "casualty", (("reduced",), "")),
        (("reduced",), "casualty", (("reduced",), "eliminated")),
        (("reduced", "pinned"), "eliminated", (("reduced", "pinned"), "eliminated")),
        ((), "returned", ((), "returned")),
        (("enfiladed",), "no_enfiladed", ((), "")),
        (("enfiladed",), "pinned", (("pinned", "enfiladed"), "")),
        ((), "close_combat", (("close_combat",), "")),
    ],
)
def test_what_befalls_a_squad(state, word, state_and_fate):
    assert after(word, "russian", "rifle_squad", *state) == state_and_fate


@pytest.mark.parametrize(
    ("key", "state", "word", "state_and_fate"),
    [
        ("nco", ("wia",), "wounded", (("wounded",), "")),
        ("nco", ("wounded",), "casualty", (("wounded",), "eliminated")),
        ("maxim_m1910", ("pinned",), "casualty", (("pinned",), "eliminated")),
        ("maxim_m1910", (), "move_side", (("move_side",), "")),
        ("t_70", (), "suppressed", (("suppressed",), "")),
        ("t_70", ("suppressed",), "m_killed", (("m_killed", "suppressed"), "")),
        ("t_70", ("m_killed", "suppressed"), "good_order", (("m_killed",), "")),
        ("po_2", (), "he_used", (("he_used",), "")),
    ],
)
def test_what_befalls_others(key, state, word, state_and_fate):
    assert after(word, "russian", key, *state) == state_and_fate


@pytest.mark.parametrize(
    ("key", "state", "word", "message"),
    [
        ("rifle_squad", ("reduced",), "reduced", "Rifle squad #1 is reduced already."),
        ("rifle_squad", (), "m_killed", "Rifle squad #1 cannot be M-KILLED."),
        ("t_70", (), "pinned", "T-70 #1 cannot be Pinned Down."),
        ("nco", (), "reduced", "NCO #1 cannot be reduced."),
        ("nest", (), "wia", "Nest marker #1 cannot be WIA."),
        ("nco", (), "promoted", "Nothing called promoted happens to a counter."),
        (
            "t_70",
            (),
            "casualty",
            "T-70 #1 cannot suffer Casualties: the text gives them no effect on a vehicle (A-38).",
        ),
        ("mine_factor", (), "casualty", "Mine factor #1 cannot suffer Casualties: it is not a unit."),
        ("po_2", (), "casualty", "Po-2 #1 cannot suffer Casualties: it is not a unit."),
        ("nco", ("wounded",), "wia", "NCO #1 is wounded: WIA eliminates a wounded leader (18.2.2)."),
    ],
)
def test_what_cannot_befall_a_counter_is_refused(key, state, word, message):
    with pytest.raises(BadInput) as refused:
        after(word, "russian", key, *state)
    assert str(refused.value) == message


@pytest.mark.parametrize(("side", "key"), EVERY)
def test_whatever_befalls_any_counter_leaves_a_state_that_it_may_carry(side, key):
    carried = sorted(may_carry(COUNTERS[side][key].kind))
    for state in [(), *combinations(carried, 1), *combinations(carried, 2)]:
        for word in WORDS:
            try:
                marks, fate = after(word, side, key, *state)
            except BadInput:
                continue
            assert set(marks) <= set(carried)
            assert fate or len([mark for mark in marks if mark in ORDERLY]) <= max(1, len(set(state) & set(ORDERLY)))


def test_every_word_of_a_roll_is_known_and_every_state_has_its_label():
    assert {word.value for word in Becomes} <= set(RULES.words)
    assert set(RULES.states) == set(Mark)
    assert len(set(RULES.words.values())) == len(RULES.words)


def test_hiding_and_showing_change_nothing_else():
    nco = piece("russian", "nco", "pinned", place="K7")
    hidden = become(nco.counter, nco.kind, "hidden")
    assert hidden.hidden and not nco.counter.hidden
    assert become(hidden, nco.kind, "shown") == nco.counter


def test_a_counter_says_how_it_is():
    def state_words(*state, **more):
        return describe_state(piece("russian", "rifle_squad", *state, **more).counter)

    assert state_words() == "Good Order"
    assert state_words("pinned", "reduced") == "reduced, Pinned Down"
    assert state_words(fate="eliminated") == "eliminated"
    assert state_words(fate="left") == "left the map for good"


def test_the_mg_of_aircraft_is_fresh_with_a_new_turn():
    pieces = [piece("german", "ju_87", "mg_used", "he_used"), piece("german", "nco", "pinned", number=2)]
    [change] = tidy_counters(Position(1, "conclusion"), Position(2, "command"), pieces)
    assert (change.id, change.becomes) == ("german-1", "no_mg_used")
    assert tidy_counters(Position(2, "fire_and_movement"), Position(2, "melee"), pieces) == ()


@pytest.mark.parametrize(
    ("before", "after", "comes_off"),
    [
        (Position(1, "melee"), Position(1, "conclusion"), True),
        (Position(1, "melee"), Position(2, "command"), True),  # the Conclusion is passed by
        (Position(1, "conclusion"), Position(2, "command"), False),  # it was tidied as that began
        (Position(1, "fire_and_movement"), Position(1, "melee"), False),
    ],
)
def test_marks_of_a_close_combat_that_is_over_come_off_with_the_turn(before, after, comes_off):
    pieces = [piece("german", "nco", "close_combat", place="K7")]
    assert bool(tidy_counters(before, after, pieces)) is comes_off


def test_a_place_is_read_with_its_level():
    assert RULES.read_place(HOUSE, "k7/1") == ("K7", "1")
    assert RULES.read_place(HOUSE, " K7 / cellar ") == ("K7", "cellar")
    assert RULES.read_place(HOUSE, "") == ("", "")
    for wrong in ("ZZ9", "K7/the uppermost floor"):
        with pytest.raises(BadInput):
            RULES.read_place(HOUSE, wrong)


def test_a_picture_shows_the_state_that_such_a_counter_may_have():
    kind = COUNTERS["german"]["nco"]
    assert "marks=pinned" in find_picture(GAME, "german", kind, ["pinned", "m_killed"])
    assert "book=abc" in find_picture(GAME, "german", kind, [], book="abc")
