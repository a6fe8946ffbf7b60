"""The set-up row by row, and the text's worked examples, in the game against the app (solo/)."""

from collections import Counter
from random import Random

import pytest

from firefight.engine.course.conducting import Ask
from firefight.games.inferno_on_the_volga.rules.tables import GERMAN_LEADERS, Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.play import Play, to_do
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step

from .solo_games import HOUSE, carry_on, random_faces, set_position


def set_up(seed, level="standard"):
    """A game at its first question."""
    play, throw = Play(build_state(HOUSE, "solo", level), HOUSE), random_faces(Random(seed))
    while not isinstance(want := find_next_want(play), Ask):
        take_step(play, throw(want.spec) if want else None)
    return play


@pytest.fixture(params=range(5))
def play(request):
    return set_up(request.param)


def test_in_015_to_017_the_pools(play):
    """Two Marines; six Tanks; four Guards and 18 others of the Infantry."""
    assert [len(play.of_pool(pool)) for pool in ("marine", "tank", "infantry")] == [2, 6, 22]
    assert sum("guards" in play.block(key).marks for key in play.of_pool("infantry")) == 4


def test_in_018_what_is_left_stands_in_23_hexes_one_in_each(play):
    assert len(play.soviets) == 23 and {*play.soviets} == {*play.board.set_up}
    kinds = Counter(play.block(key).pool for keys in play.soviets.values() for key in keys)
    assert kinds == {"tank": 7, "infantry": 16} and all(len(keys) == 1 for keys in play.soviets.values())
    assert all(1 <= play.dots(key) <= play.block(key).top for keys in play.soviets.values() for key in keys)


def test_in_019_seven_germans_stand_at_full_strength(play):
    assert {hex: len(keys) for hex, keys in play.germans.items()} == {"W": 3, "X": 2, "Y": 2}
    assert all(play.dots(key) == play.block(key).top for keys in play.germans.values() for key in keys)
    assert {play.block(key).colour for key in play.germans["Y"]} == {"yellow"}


def test_in_020_six_rows_of_five_with_white_ones_last(play):
    rows = play.state["rows"]
    assert [len(row) for row in rows] == [5] * 6 and len({key for row in rows for key in row}) == 30
    assert [play.block(row[-1]).colour for row in rows] == ["white"] * 6


def test_in_021_three_german_cards_and_no_soviet_hand(play):
    drawn = [*play.state["hands"]["german"], *play.state["leaders"]["german"]]
    assert len(drawn) == 3 and {*play.state["leaders"]["german"]} <= {str(leader) for leader in GERMAN_LEADERS}
    assert play.state["hands"]["soviet"] == [] and play.count_deck(Side.SOVIET) == 28


def test_a_call_of_2_3_4_and_three_fives_takes_the_leftmost_of_each_row(play):
    rows = [[*row] for row in play.state["rows"]]
    carry_on(play, to_do("call"), faces=[(2, 3, 4, 5, 5, 5)])
    assert [len(row) for row in play.state["rows"]] == [5, 4, 4, 4, 2, 5]
    arriving = {*play.todo[-1]["blocks"]}
    assert arriving == {rows[1][0], rows[2][0], rows[3][0], *rows[4][:3]}


def test_rubble_from_four_stacks_with_four_armoured_units_and_the_heinkel_needs_8():
    """Four Stacks, two Panzers, two Panzer Grenadiers, and 3 of the card: +11 (Rubble)."""
    armour = [key for key, block in HOUSE.blocks.items() if block.side == "german" and block.type == "panzer"][:2]
    mixed = [key for key, block in HOUSE.blocks.items() if block.side == "german" and block.type == "panzergrenadier"][
        :2
    ]
    hexes = ("40", "23", "7", "41")
    germans = {hex: {key: 4} for hex, key in zip(hexes, (*armour, *mixed), strict=True)}
    play = set_position(germans, {"24": {"i45": 4}})
    play.state["hands"]["german"].append("heinkel_111")
    open_combat(play, Side.GERMAN, "24", [*hexes], deliberate=True, cards=["heinkel_111"])
    play.todo[:] = [to_do("rubble")]
    assert find_next_want(play).spec.label == "Rubble Roll, 8 or more"


def test_two_tanks_that_cannot_come_are_two_cards():
    """3 and 19 need Tanks, the pool is empty (Soviet Spawn Action)."""
    play = set_position({}, {"28": {"i45": 4}}, german_held=["7", "9", "13", "15"])
    for key in play.of_pool("tank"):
        play.blocks[key] = ["out", 0]
    play.todo[:] = [to_do("spawn")]
    take_step(play, None)
    (sentence,) = [line.sentence for line in play.told]
    assert "3: Infantry and 1 card" in sentence and "19: Infantry and 1 card" in sentence
    waiting = [(task["side"], task["number"]) for task in play.todo if task["do"] == "draw"]
    assert waiting == [("soviet", 1)] * 2


def test_a_third_marine_is_a_card():
    """Both are on the board: whoever would land is a card (Soviet Support Cards)."""
    marines = [key for key, block in HOUSE.blocks.items() if block.pool == "marine"]
    play = set_position({"24": {"g191": 4}}, {"25": {"i45": 4}, "8": dict.fromkeys(marines, 3)})
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=False)
    play.state["combat"]["soviet_card"] = "volga_river_flotilla"
    play.todo[:] = [to_do("soviet_card")]
    want = find_next_want(play)
    take_step(play, tuple([1] * (want.spec.number - 1) + [4]))
    assert [(task["do"], task.get("number")) for task in play.todo] == [("draw", 1)]
    assert "nobody lands" in play.todo[-1]["cause"]


def test_an_advantage_is_called_as_its_card_is():
    german = ["paulus", "hoth", "linden"]
    play = Play(build_state(HOUSE, "solo", "normal") | {"advantages": {"german": german, "soviet": []}}, HOUSE)
    play.todo.clear()
    sentences, _ = carry_on(play, *[to_do("advantage", side="german")] * 3, faces=[3, 1])
    assert sentences == [
        "German Advantage: 6th Panzer (Normal Level).",
        "German Advantage: Von Richthofen (Normal Level).",
        "German Advantage: OKH (Normal Level).",
    ]


def test_advantages_of_a_2_and_a_4():
    play = Play(build_state(HOUSE, "solo", "normal"), HOUSE)
    throw = random_faces(Random(3))
    take_step(play, (2, 4))
    while play.todo[-1]["do"] == "advantage":
        want = find_next_want(play)
        take_step(play, throw(want.spec) if want else None)
    advantages = play.state["advantages"]
    assert (len(advantages["german"]), len(advantages["soviet"])) == (2, 4)
    assert len({*advantages["soviet"]}) == 4
