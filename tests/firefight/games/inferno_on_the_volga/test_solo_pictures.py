"""The text's worked examples that depend on pictures, on positions that satisfy all that their words say (B68).

Their Stacks stand where the house's map allows it: which hexes the pictures show, and who stands in them, is lost.
"""

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.legal import list_starts
from firefight.games.inferno_on_the_volga.solo.play import Play, to_do
from firefight.games.inferno_on_the_volga.solo.turn import explain_choice, find_next_want, take_step

from .solo_games import HOUSE, carry_on, set_position

WEST, NORTHWEST = 4, 5  # directions of the Compass, whose 1 leads east, back to the river
FAR = {"13": {"i315": 4}}  # Soviets who touch nothing


def hexes_of(question):
    """The hexes among what may be chosen."""
    return {choice.place for choice in question.choices if choice.place}


def slugs_of(question):
    return [choice.slug for choice in question.choices]


def go_to(play, name, *choices):
    """Up to a task of the pile, with choices and with dice that show ones."""
    answers = [*choices]
    while play.todo[-1]["do"] != name:
        want = find_next_want(play)
        ones = (1,) * want.spec.number if isinstance(want, Throw) else None
        take_step(play, answers.pop(0) if isinstance(want, Ask) else ones)
    assert not answers
    return play


def list_moves(play):
    """Every Short Move that any Stack can make whole: from where to where."""
    moves = set()
    for start in list_starts(play, "short"):
        _, question = carry_on(
            Play(play.state, HOUSE), to_do("move", kind="short", moved=[], left=2), choices=[f"hex-{start}"]
        )
        play.todo.clear()
        moves |= {(start, hex) for hex in hexes_of(question)}
    return moves


# One Long Move


def test_a_stack_moves_from_a_clear_hex_by_a_second_to_a_third():
    """Whole, and neither into Rough or Urban hexes, nor to Germans, nor next to Soviets, on its way either."""
    soviets = {"41": {"i45": 1}} | FAR
    play = set_position({"54": {"g191": 4, "g194": 3}, "55": {"g211": 4}, "68": {"g178": 4}}, soviets)
    terrain = play.board.terrain
    assert [terrain[hex] for hex in ("54", "55", "71", "70")] == ["clear", "clear", "clear", "rough"]
    _, question = carry_on(play, to_do("long"), choices=["hex-54"])
    assert not any(slug.startswith("block-") for slug in slugs_of(question)), "Nobody stays behind."
    assert "71" in hexes_of(question) and not hexes_of(question) & {"55", "56", "68", "70"}
    assert explain_choice(play, "hex-70").startswith("One Long Move:")
    assert "next to" in explain_choice(play, "hex-56"), "41 touches 56."
    sentences, _ = carry_on(play, choices=["hex-71"])
    assert "54 to 55 and 71 (Long Move)" in sentences[0]
    assert play.germans == {"55": ["g211"], "68": ["g178"], "71": ["g191", "g194"]}


def test_over_germans_a_long_move_goes_on_and_with_them_it_does_not_end():
    """A Soviet in 57 closes the way by 56; in 55 stand four, whom two pass."""
    germans = {"40": {"g191": 4, "g194": 4}, "55": dict.fromkeys(["g211", "g178", "g203", "g230"], 4)}
    play = set_position(germans, {"57": {"i45": 1}} | FAR)
    _, question = carry_on(play, to_do("long"), choices=["hex-40"])
    assert "55" not in hexes_of(question) and "71" in hexes_of(question)
    carry_on(play, choices=["hex-71"])
    assert [len(play.germans[hex]) for hex in ("55", "71")] == [4, 2]


# Up to two Short Moves


PINNED = {"40": {"g191": 4}, "55": {"g194": 4}, "23": {"g211": 4}, "39": {"g178": 4}}
AROUND = {"7": {"i45": 1}, "56": {"i62": 1}, "54": {"i87": 1}}


def test_of_four_stacks_two_are_pinned_and_the_others_have_one_hex():
    """Stacks 1 and 2 stand in 40 and 55, 3 and 4 in 23 and 39; the hex of the arrows is 38."""
    play = set_position(PINNED, AROUND)
    assert all(play.is_next_to(Side.SOVIET, hex) for hex in ("40", "55"))
    assert list_moves(play) == {("23", "38"), ("39", "38")}
    carry_on(play, to_do("move", kind="short", moved=[], left=2), choices=["hex-23", "hex-38", "hex-39", "hex-38"])
    assert sorted(play.germans["38"]) == ["g178", "g211"], "Both, in one action."


LEFT, RIGHT = "23", "40"
TWO_STACKS = {
    LEFT: {"g191": 4, "g194": 4},
    RIGHT: dict.fromkeys(["g211", "g178", "g203", "g230"], 4),
    "39": {"g516": 4},
}
TWO_SOVIETS = {"7": {"i45": 1}, "56": {"i62": 1}}


@pytest.fixture
def short():
    """The left Stack of two and the right one of four; a block stands west of the left one, northwest of the right."""
    play = set_position(TWO_STACKS, TWO_SOVIETS)
    assert play.board.look(LEFT, WEST) == play.board.look(RIGHT, NORTHWEST) == "39"
    assert play.board.look(LEFT, NORTHWEST) == "38"
    play.do(to_do("move", kind="short", moved=[], left=2))
    return play


def test_the_left_stack_goes_northwest_or_west_and_the_right_one_northwest_alone(short):
    _, question = carry_on(short, choices=[f"hex-{LEFT}"])
    assert hexes_of(question) == {"38", "39"}
    _, question = carry_on(short, choices=["back", f"hex-{RIGHT}"])
    assert hexes_of(question) == set(), "All four do not fit beside the block in 39."
    _, question = carry_on(short, choices=["block-g230"])
    assert hexes_of(question) == {"39"}


def test_the_left_stack_may_be_broken_down_to_both_hexes(short):
    carry_on(short, choices=[f"hex-{LEFT}", "block-g194", "hex-38", f"hex-{LEFT}", "hex-39"])
    assert short.germans["38"] == ["g191"] and sorted(short.germans["39"]) == ["g194", "g516"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_of_the_right_stack_one_to_three_units_move(short, number):
    staying = ["g211", "g178", "g203", "g230"][number:]
    _, question = carry_on(short, choices=[f"hex-{RIGHT}", *(f"block-{key}" for key in staying), "hex-39"])
    assert len(short.germans["39"]) == number + 1 and question is not None


def test_of_both_stacks_together_no_more_than_three_units_come_to_the_hex(short):
    """Both of the left one are there, so one of the right one finds room, and no second."""
    carry_on(short, choices=[f"hex-{LEFT}", "hex-39"])
    _, question = carry_on(short, choices=[f"hex-{RIGHT}", "block-g178", "block-g203"])
    assert hexes_of(question) == set()
    sentences, question = carry_on(short, choices=["block-g230", "hex-39"])
    assert len(short.germans["39"]) == 4 and question is None, "Two Short Moves are made."


# One Hasty Attack


HASTY = {"24": {"g191": 4, "g194": 4}, "26": {"g211": 4}, "23": {"g178": 4, "g203": 4}}  # A, B, C
TARGETS = {"25": {"i45": 1}, "37": {"i62": 1}} | FAR


def test_c_alone_attacks_hastily_with_a_or_the_other_way():
    play = set_position(HASTY, TARGETS)
    assert [play.is_next_to(Side.SOVIET, hex) for hex in ("24", "26", "23")] == [True, True, False]
    assert list_starts(play, "hasty") == ["23"]
    _, question = carry_on(play, to_do("move", kind="hasty", moved=[], left=1), choices=["hex-23"])
    assert hexes_of(question) == {"24", "38"}


def test_c_joins_a_and_all_of_both_attack():
    play = set_position(HASTY, TARGETS)
    play.do(to_do("move", kind="hasty", moved=[], left=1))
    go_to(play, "close", "hex-23", "block-g203", "hex-24")
    combat = play.state["combat"]
    assert (combat["target"], combat["hexes"], combat["deliberate"]) == ("25", ["24"], False)
    assert sorted(combat["german"]) == ["g178", "g191", "g194"], "Whoever C left behind does not attack."


def test_c_moves_the_other_way_and_attacks_alone():
    play = set_position(HASTY, TARGETS)
    sentences, _ = carry_on(
        play, to_do("move", kind="hasty", moved=[], left=1), choices=["hex-23", "hex-38"], faces=[(1,) * 8, (1,)]
    )
    assert "Hasty Attack on 37 from 38 (Actions 4)." in sentences and "Rubble" not in " ".join(sentences)


# One Deliberate Attack


def test_two_stacks_attack_one_soviet_stack_or_the_other_and_neither_hastily():
    """Both Germans, in 23 and 39, touch both Soviets, in 40 and 38."""
    play = set_position({"23": {"g191": 4}, "39": {"g194": 4, "g211": 1}}, {"40": {"i45": 1}, "38": {"i62": 1}} | FAR)
    play.do(to_do("german_turn"))
    take_step(play, None)
    assert {"deliberate", "hasty"} & {*slugs_of(find_next_want(play))} == {"deliberate"}
    _, question = carry_on(play, choices=["deliberate"])
    assert hexes_of(question) == {"38", "40"}
    for target in ("38", "40"):
        _, question = carry_on(play, choices=[f"hex-{target}"])
        assert {slug for slug in slugs_of(question) if slug.startswith("hex-")} == {"hex-23", "hex-39"}
        assert not any(slug.startswith("block-") for slug in slugs_of(question)), "Stacks attack whole."
        carry_on(play, choices=["back"])
    go_to(play, "soviet_turn", "hex-40", "hex-23", "attack")
    assert len(play.germans) == 2 and play.at("i62") == "38", "The other one was not attacked."


def test_four_stacks_around_the_dock_attack_it_with_every_unit():
    around = HOUSE.board.next_to["9"]
    assert sorted(around, key=int) == ["8", "10", "25", "26"]
    armour = ["g36", "g24", "g21", "g26"]  # two Panzers, two Panzer Grenadiers
    others = ["g191", "g194", "g211", "g178"]
    germans = {hex: {a: 4, b: 4} for hex, a, b in zip(around, armour, others, strict=True)}
    play = set_position(germans, {"9": {"i45": 4}} | FAR)
    play.state["hands"]["german"] = ["heinkel_111"]
    _, question = carry_on(play, to_do("target"), choices=["hex-9"])
    heinkel = question.find("with-heinkel_111")
    assert heinkel.words == "6 dice TF, Rubble 84%", "181 of 216"
    go_to(play, "rubble", "with-heinkel_111")
    assert sorted(play.state["combat"]["german"]) == sorted(armour + others)
    assert find_next_want(play).spec.label == "Rubble Roll, 8 or more"


# Close Combat


def test_four_soviets_with_eight_dots_in_rubble_fire_first_at_sixteen_germans_with_32():
    """Five dice of Single Fire and three of Double Fire; the Germans left need two hits for one."""
    keys = [block.key for block in HOUSE.of_side("german") if "axe" not in block.marks][:16]
    germans = {
        hex: dict.fromkeys(keys[place * 4 : place * 4 + 4], 2) for place, hex in enumerate(("8", "24", "41", "9"))
    }
    play = set_position(germans, {"25": {"m1": 2, "m2": 1, "i45": 3, "i62": 2}}, rubble=["25"], ties="auto")
    assert play.board.terrain["25"] == "urban" and sum(map(play.dots, keys)) == 32
    open_combat(play, Side.GERMAN, "25", [*germans], deliberate=True)
    play.todo[:] = [to_do("close")]
    take_step(play, None)
    first = find_next_want(play).spec
    assert (first.label, first.number) == ("Soviet fire: 2 DF, 1 DF, 3 SF, 2 SF", 8)
    go_on = [play.todo.pop() for _ in range(2)]
    play.do(go_on[0])
    sentences, _ = carry_on(play, faces=[(6, 5, 6, 5, 6, 5, 6, 5)])
    assert sentences[0] == "Soviet fire 6 5 6 5 6 5 6 5: 5 hits." and sum(map(play.dots, keys)) == 27
    play.do(go_on[1])
    assert find_next_want(play).spec.number == 27, "The Germans fire with what is left."
    sentences, _ = carry_on(play, faces=[(4,) * 5 + (1,) * 22])
    assert sentences[0].endswith(": 5 hits, 2 through Rubble.")
    assert {key: play.dots(key) for key in ("i45", "i62", "m1", "m2")} == {"i45": 2, "i62": 2, "m1": 1, "m2": 1}
