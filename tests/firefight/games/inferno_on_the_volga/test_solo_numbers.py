"""Exact numbers of the dice, counted over every face by what the app does with it in a game."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.play import Play, to_do
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step

from .solo_games import HOUSE, set_position

FACES = range(1, 7)
INLAND = ("41", "58", "60", "63", "53", "65")  # with a hex in every direction, none next to another
BLOCKS = ("i45", "i62", "i87", "i95", "i98", "i112")
WAYS = Counter(sum(faces) for faces in product(FACES, repeat=3))


def lay_dice(number):
    """Top stacks that could move in every direction but 1, where Germans stand; their dice are to be thrown."""
    hexes = INLAND[:number]
    germans = {HOUSE.board.look(hex, 1): {key: 4} for hex, key in zip(hexes, HOUSE.blocks, strict=False)}
    play = set_position(germans, {hex: {key: 1} for hex, key in zip(hexes, BLOCKS, strict=False)})
    play.todo[:] = [to_do("dice", hexes=[*hexes])]
    return play


def count_cards(number, faces):
    """How many cards all dice of a turn draw, each resolved before the next."""
    play, cards = lay_dice(number), 0
    take_step(play, faces)
    waiting = play.todo[:]
    while waiting:
        play.todo[:] = [waiting.pop()]
        take_step(play, 1 if find_next_want(play) else None)
        cards += [task["do"] for task in play.todo] == ["draw"]
    return cards


@pytest.mark.parametrize(
    ("number", "mean", "all_different"),
    [
        (1, 0, Fraction(1)),
        (2, 0.333, Fraction(5, 6)),
        (3, 0.917, Fraction(5, 9)),
        (4, 1.685, Fraction(5, 18)),
        (5, 2.589, Fraction(5, 54)),
        (6, 3.589, Fraction(5, 324)),
    ],
)
def test_the_cards_that_equal_dice_draw(number, mean, all_different):
    """Every throw; those of the same faces are resolved once, as each die is in a hex like the others."""
    throws = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=number))
    drawn = {faces: count_cards(number, faces) for faces in throws}
    assert round(sum(throws[faces] * cards for faces, cards in drawn.items()) / 6**number, 3) == mean
    assert Fraction(sum(throws[faces] for faces, cards in drawn.items() if not cards), 6**number) == all_different


@pytest.mark.parametrize(("top", "dots"), [(4, [4, 3, 2, 1]), (3, [3, 2, 1, 1]), (2, [2, 1, 1, 1]), (1, [1, 1, 1, 1])])
def test_a_spun_block_comes_to_each_strength_in_so_many_of_four_ways(top, dots):
    """Of three dots: 3 and 2 in one way each, 1 in two."""
    content = replace(HOUSE, blocks=HOUSE.blocks | {"i45": replace(HOUSE.blocks["i45"], top=top)})
    strengths = []
    for edge in range(1, 5):
        play = Play(set_position({}, {"40": {"i62": 4}}).state, content)
        play.todo[:] = [to_do("spin", block="i45", hex="9")]
        assert find_next_want(play).spec.sides == 4
        take_step(play, edge)
        strengths.append(play.dots("i45"))
    assert strengths == dots


RUBBLE = {1: 1, 2: 4, 3: 10, 4: 20, 5: 35, 6: 56, 7: 81, 8: 108, 9: 135, 10: 160, 11: 181, 12: 196, 13: 206, 14: 212}


@pytest.mark.parametrize(("modifier", "ways"), [*RUBBLE.items(), (15, 215), (16, 216), (17, 216)])
def test_rubble_lies_after_so_many_of_216_throws(modifier, ways):
    """Of six hexes at most, and of armour for the rest."""
    hexes = ("8", "25", "41", "40", "23", "7")[: min(6, modifier)]
    laid = 0
    for rolled, number in WAYS.items():
        play = set_position({hex: {key: 4} for hex, key in zip(hexes, HOUSE.blocks, strict=False)}, {"24": {"i45": 4}})
        open_combat(play, Side.GERMAN, "24", [*hexes], deliberate=True)
        play.state["combat"]["panzers"] = modifier - len(hexes)
        play.todo[:] = [to_do("rubble")]
        take_step(play, rolled if find_next_want(play) else None)
        laid += number * (play.state["rubble"] == ["24"])
    assert laid == ways


def test_nothing_is_thrown_for_rubble_that_no_throw_can_make():
    """An attack from one hex has 1 at least, so that 18 is the most that is ever needed."""
    play = set_position({"8": {"g191": 4}}, {"24": {"i45": 4}})
    open_combat(play, Side.GERMAN, "24", ["8"], deliberate=True)
    play.todo[:] = [to_do("rubble")]
    assert find_next_want(play).spec.label == "Rubble Roll, 18 or more"


def test_five_single_and_three_double_dice_hit_eleven_sixths_of_a_time():
    """Four Soviets with eight dots (Close Combat): every die by every face, while the others miss."""
    soviets = {"i45": 4, "i62": 1, "m1": 2, "m2": 1}
    hits = 0
    for die, face in product(range(8), FACES):
        play = set_position({"24": dict.fromkeys(["g36", "g21", "g191", "g15"], 4)}, {"25": soviets})
        open_combat(play, Side.GERMAN, "25", ["24"], deliberate=True)
        play.todo[:] = [to_do("fire", side="soviet")]
        assert find_next_want(play).spec.number == 8
        take_step(play, tuple(face if place == die else 2 for place in range(8)))
        hits += sum(task["hits"] for task in play.todo if task["do"] == "hit")
    assert Fraction(hits, 6) == Fraction(11, 6) and round(hits / 6, 3) == 1.833
