"""Throws: several dice read as one number, pools read die by die, cards drawn from what is left of a deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.errors import BadDie
from firefight.engine.rolls.cards import card_throw, take_card
from firefight.engine.rolls.dice import DieSpec, ReadAs, check_sum, read_throw
from firefight.engine.rolls.odds import sweep, weigh
from firefight.engine.rolls.result import Outcome, Result, waiting
from tests.oracles.odds import brute, same_odds
from tests.throws import throw_text

CRT = DieSpec("dr", 6, "2d6", number=2)
RUBBLE = DieSpec("total", 6, "3d6", number=3)
DECK = card_throw("Card", ("sniper", "chuikov", "sniper", "t_34_dug_in"))


def pool(number, sides=6, **more):
    return DieSpec("faces", sides, "Dice", number=number, read=ReadAs.EACH, **more)


class Score(Outcome):
    NONE = "none"
    SOME = "some"
    MANY = "many"


# Reading


@pytest.mark.parametrize(
    ("text", "spec", "face"),
    [
        ("9", CRT, 9),
        (" 12 ", CRT, 12),
        ("3", RUBBLE, 3),
        ("7", DieSpec("die", 8, "d8"), 7),
        ("6 5 1 4", pool(4), (6, 5, 1, 4)),
        ("6,5,1,4", pool(4), (6, 5, 1, 4)),
        (" 6; 5 ; 1, 4 ", pool(4), (6, 5, 1, 4)),
        ("6514", pool(4), (6, 5, 1, 4)),
        ("6", pool(1), (6,)),
        ("0 10 3", pool(3, sides=10), (10, 10, 3)),
        ("", pool(0), ()),
        ("651", pool(0, most=16), (6, 5, 1)),
        ("Chuikov", DECK, 2),
        ("T-34 dug in", DECK, 4),
        ("SNIPER", DECK, 1),
        ("3", DECK, 3),
    ],
)
def test_a_throw_is_read_as_players_type_it(text, spec, face):
    assert read_throw(text, spec) == face


@pytest.mark.parametrize(
    ("text", "spec", "words"),
    [
        ("1", CRT, "2d6 add up to 2 to 12, not 1."),
        ("13", CRT, "2d6 add up to 2 to 12, not 13."),
        ("4 5", CRT, "Type what the 2d6 come to together, in digits."),
        ("²", CRT, "Type what the 2d6 come to together"),
        ("6 5 1", pool(4), "Type what each d6 shows: 4 dice, not 3."),
        ("65145", pool(4), "4 dice, not 5."),
        ("6 7 1 4", pool(4), "A d6 shows 1 to 6; 7 is not on it."),
        ("6 x 1 4", pool(4), "Type what the d6 shows, in digits."),
        ("6 5", pool(1), "Type what each d6 shows: 1 die, not 2."),
        ("1111", pool(1, most=3, least=1), "1 to 3 dice, not 4."),
        ("paulus", DECK, "That is not one of the cards that are left: sniper, chuikov and t_34_dug_in."),
        ("5", DECK, "not one of the cards that are left"),
        ("", DECK, "not one of the cards that are left"),
    ],
)
def test_what_the_dice_cannot_show_is_refused_with_what_would_be_right(text, spec, words):
    with pytest.raises(BadDie) as caught:
        read_throw(text, spec)
    assert words in str(caught.value)
    assert caught.value.die == spec.name


@given(st.integers(1, 16), st.sampled_from([4, 6, 8, 10, 12, 100]), st.data())
def test_a_pool_reads_back_as_it_is_written(number, sides, data):
    faces = tuple(data.draw(st.lists(st.integers(1, sides), min_size=number, max_size=number)))
    spec = pool(number, sides)
    assert read_throw(throw_text(faces, spec), spec) == faces


@given(st.text(max_size=12), st.sampled_from([CRT, RUBBLE, pool(3), pool(2, 10), pool(0, most=5), DECK]))
def test_what_is_read_is_on_the_dice_or_refused(text, spec):
    try:
        face = read_throw(text, spec)
    except BadDie:
        return
    if spec.is_pool:
        assert spec.fewest <= len(face) <= spec.highest and all(1 <= single_face <= spec.sides for single_face in face)
    else:
        assert spec.number <= face <= spec.number * spec.sides


@pytest.mark.parametrize("total", [True, 7.0, "7", 1, 13])
def test_only_a_sum_that_the_dice_can_come_to_is_let_through(total):
    with pytest.raises(BadDie):
        check_sum(total, 2, 6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: DieSpec("dr", 6, "", number=0),
        lambda: DieSpec("dr", 0, ""),
        lambda: DieSpec("dr", 6, "", number=101),
        lambda: pool(-1),
        lambda: pool(2, alike=((1, 2), (3, 4, 5))),
        lambda: pool(2, alike=((1, 2), (2, 3, 4, 5, 6))),
        lambda: DieSpec("card", 3, "", names=("a", "b")),
        lambda: DieSpec("card", 2, "", number=2, names=("a", "b")),
        lambda: card_throw("", ()),
    ],
)
def test_there_is_no_throw_that_makes_no_sense(make):
    with pytest.raises(ValueError):
        make()


def test_a_drawn_card_is_gone_and_the_last_one_can_be_drawn():
    cards_left, drawn = DECK.names, []
    while cards_left:
        spec = card_throw("Card", cards_left)
        card, cards_left = take_card(cards_left, spec.sides)
        drawn.append(card)
    assert drawn == [*reversed(DECK.names)]
    with pytest.raises(BadDie):
        take_card(("a",), 2)


# Odds


def hits(need):
    def rule(dice):
        if "faces" not in dice:
            return waiting("", "faces")
        scored = sum(face >= need for face in dice["faces"])
        outcome = Score.MANY if scored > 2 else Score.SOME if scored else Score.NONE
        return Result("", outcome, label=f"{scored} hits")

    return rule


def difference(dice):
    """2d6 against 2d6, as in Turning Point: Stalingrad."""
    for name in ("attack_dr", "defence_dr"):
        if name not in dice:
            return waiting("", name)
    margin = dice["attack_dr"] - dice["defence_dr"]
    return Result("", Score.MANY if margin > 0 else Score.SOME if margin == 0 else Score.NONE, label=f"by {margin}")


def dr(name, sides=6, number=2):
    return DieSpec(name, sides, "", number=number)


@pytest.mark.parametrize(
    ("number", "sides", "need"), [(0, 6, 5), (1, 6, 5), (3, 6, 5), (4, 4, 2), (5, 3, 3), (2, 10, 7)]
)
@pytest.mark.parametrize("is_grouped", [False, True])
def test_a_pool_is_counted_as_a_loop_over_all_its_faces_counts(number, sides, need, is_grouped):
    alike = (tuple(range(1, need)), tuple(range(need, sides + 1))) if is_grouped else ()
    spec = pool(number, sides, alike=alike)
    assert same_odds(sweep(hits(need), [spec]), *brute(hits(need), [spec]))


@pytest.mark.parametrize(("first", "second"), [((6, 2), (6, 2)), ((4, 3), (10, 1)), ((3, 4), (2, 2))])
def test_sums_are_weighted_as_a_loop_over_all_faces_weighs_them(first, second):
    specs = [dr("attack_dr", *first), dr("defence_dr", *second)]
    assert same_odds(sweep(difference, specs), *brute(difference, specs))


@given(st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_the_weights_of_a_throw_come_to_all_its_faces(number, sides, is_pool):
    spec = pool(number, sides) if is_pool else dr("dr", sides, number)
    weighed = dict(weigh(spec))
    assert sum(weighed.values()) == sides**number
    assert len(weighed) == len(weigh(spec))


def test_a_card_is_as_likely_as_it_has_copies_left():
    def rule(dice):
        return Result("", Score.SOME, label=DECK.names[dice["card"] - 1]) if dice else waiting("", "card")

    odds = sweep(rule, [DECK])
    assert {row.label: row.weight for row in odds.rows} == {"sniper": 2, "chuikov": 1, "t_34_dug_in": 1}
    assert odds.total == 4


def test_what_stands_apart_is_weighted_just_as_well():
    def rule(dice):
        if "faces" in dice and "total" not in dice:
            return waiting("", "total")
        if "faces" not in dice:
            return waiting("", "faces")
        return Result("", Score.SOME if dice["total"] > 10 else Score.NONE)

    apart = DieSpec("total", 6, "", number=3, apart=True)
    assert same_odds(sweep(rule, [pool(2), apart]), *brute(rule, [pool(2), apart]))


def counting(rule):
    """The rule, and a list that grows with each time it is asked."""
    calls = []

    def counted(dice):
        calls.append(dice)
        return rule(dice)

    return counted, calls


def test_2d6_against_2d6_asks_the_rule_once_for_each_pair_of_sums_and_not_for_1296_faces():
    rule, calls = counting(difference)
    odds = sweep(rule, [dr("attack_dr"), dr("defence_dr")])
    assert odds.total == 1296
    assert len(calls) == 1 + 11 + 11 * 11


def test_sixteen_dice_counted_by_hits_ask_the_rule_seventeen_times():
    rule, calls = counting(hits(5))
    odds = sweep(rule, [pool(16, alike=((1, 2, 3, 4), (5, 6)))])
    assert len(calls) == 1 + 17
    assert sum(row.weight for row in odds.rows) == odds.total == 6**16


# What a description says


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        (DieSpec("die", 10, "d10"), {"name": "die", "sides": 10, "label": "d10"}),
        (CRT, {"name": "dr", "sides": 6, "label": "2d6", "number": 2, "read": "sum"}),
        (pool(4), {"name": "faces", "sides": 6, "label": "Dice", "number": 4, "read": "each"}),
        (
            pool(0, most=16, is_optional=True),
            {"name": "faces", "sides": 6, "label": "Dice", "number": 0, "read": "each", "least": 0, "most": 16}
            | {"optional": True},
        ),
        (card_throw("Card", "ab"), {"name": "card", "sides": 2, "label": "Card", "names": ["a", "b"]}),
    ],
)
def test_a_throw_is_described_as_it_is(spec, plain):
    assert spec.as_json() == plain
