"""Two German players and a Soviet player in the game that the app leads: who decides, and what each may know."""

from types import SimpleNamespace

import pytest

from firefight.games.inferno_on_the_volga.game import CONDUCTOR
from firefight.games.inferno_on_the_volga.solo.calling import list_arrival_hexes
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.legal import judge_deliberate, judge_hasty, judge_short, list_starts
from firefight.games.inferno_on_the_volga.solo.play import Side, to_do
from firefight.games.inferno_on_the_volga.solo.seen import view_for_seat
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step

from .solo_games import HOUSE, carry_on, set_position

SITUATION = SimpleNamespace(options={}, content=None)
YELLOW, OTHER_YELLOW, BLUE, OTHER_BLUE, WHITE = "g191", "g194", "g267", "g274", "g208"
FAR = {"105": {"i98": 1}}  # so that somebody is left


def hands(**cards):
    return {"hands": {"yellow": [], "blue": [], "soviet": []} | cards}


def slugs(question):
    return [choice.slug for choice in question.choices]


# Co-op


def test_a_stack_of_the_partner_or_of_white_units_obeys_nobody_else():
    germans = {"36": {YELLOW: 4}, "52": {BLUE: 4}, "53": {WHITE: 4}, "21": {OTHER_YELLOW: 4, "g212": 4}}
    play = set_position(germans, FAR, "co_op")
    assert set(list_starts(play, "short")) == {"36", "21"} >= set(list_starts(play, "long"))
    play.state["turn"] = 2
    assert list_starts(play, "short") == ["52"]
    assert (play.find_owner("53"), play.find_owner("21")) == ("", "yellow")


def test_nobody_moves_to_the_partners_stack_but_to_white_units():
    germans = {"36": {YELLOW: 4, "g212": 4}, "37": {BLUE: 4}, "21": {WHITE: 4}}
    play = set_position(germans, FAR, "co_op")
    for keys in ([YELLOW], ["g212"]):
        assert "Nobody joins" in judge_short(play, "36", "37", keys)[0]
        assert "Nobody joins" in judge_hasty(play, "36", "37", keys)[0]
        assert judge_short(play, "36", "21", keys) == ()


def test_white_units_fill_the_callers_hexes_first():
    full = {hex: dict.fromkeys(keys, 4) for hex, keys in (("X", ["g178", "g203", "g230", "g516"]),)}
    play = set_position(full, FAR, "co_op")
    assert list_arrival_hexes(play, WHITE) == ["Y"]
    for key in ("g517", "g518", "g544", "g545"):
        play.put_block(key, "Y", 4)
    assert list_arrival_hexes(play, WHITE) == ["Z"]
    play.state["turn"] = 2
    assert list_arrival_hexes(play, WHITE) == ["Z"] and list_arrival_hexes(play, YELLOW) == []


def test_no_unit_arrives_among_those_of_the_other_colour():
    play = set_position({"Z": {YELLOW: 4}}, FAR, "co_op")
    assert list_arrival_hexes(play, BLUE) == []
    assert list_arrival_hexes(play, OTHER_YELLOW) == ["X", "Y"]


def test_each_places_his_own_units_of_a_call():
    play = set_position({}, FAR, "co_op", turn=2)
    _, question = carry_on(play, to_do("place", blocks=[BLUE, YELLOW, OTHER_YELLOW]))
    assert (question.side, slugs(question)) == ("blue", ["hex-Z"])
    _, question = carry_on(play, choices=["hex-Z"])
    assert (question.side, slugs(question)[0]) == ("yellow", "all")
    carry_on(play, choices=["all"])
    assert play.at(BLUE) == "Z" and {play.at(YELLOW), play.at(OTHER_YELLOW)} == {"X"}


def test_units_that_arrive_together_are_told_together_and_counted_to_a_soviet_player():
    waiting = [YELLOW, OTHER_YELLOW, BLUE]
    full = {"Z": dict.fromkeys(("g274", "g276", "g669", "g208"), 4)}
    for mode, words in (
        ("co_op", f"{HOUSE.blocks[YELLOW].name}, {HOUSE.blocks[OTHER_YELLOW].name} arrive in X."),
        ("two_v_one", "2 German blocks arrive in X."),
    ):
        play = set_position(full, FAR, mode)
        for key in waiting:
            play.put_block(key, "track", 4)
        sentences, _ = carry_on(play, to_do("place", blocks=waiting), choices=["all"])
        assert sentences[0] == words and sentences[1].endswith("has no room, and goes back to the track (Actions 1).")


JOINT = {"25": {YELLOW: 4}, "8": {BLUE: 4}, "23": {WHITE: 4}}


def test_a_partner_joins_an_attack_or_stays_out():
    play = set_position(JOINT, {"24": {"i45": 1}} | FAR, "co_op")
    carry_on(play, to_do("target"), choices=["hex-24"])
    question = find_next_want(play)
    assert question.question.startswith("24 from 25, 23") and question.side == "yellow"
    stacks = [choice.words.partition(":")[0] for choice in question.choices if choice.place]
    assert sorted(stacks) == ["Blue", "White", "Yellow"]
    sentences, question = carry_on(play, choices=["hex-8", "attack"])
    assert (question.side, slugs(question), sentences) == ("blue", ["yes", "no"], [])
    sentences, question = carry_on(play, choices=["no"])
    assert question.side == "yellow" and "hex-8" not in slugs(question) and "attack" in slugs(question)
    assert sentences == ["8 stays out of it (The Co-Op Mode 10)."]


def test_a_partner_who_joins_fights_and_one_colour_alone_advances():
    play = set_position(JOINT, {"24": {"i45": 1}} | FAR, "co_op")
    carry_on(play, to_do("target"), choices=["hex-24", "hex-8", "attack"])
    _, question = carry_on(play, choices=["yes"], faces=[3, (1,), (6,) * 12])
    assert question.side == "yellow"
    picked = play.todo[-1]["picked"]
    assert {play.block(key).colour for key in picked} == {"yellow", "white"}
    assert f"block-{BLUE}" not in slugs(question)


def test_nobody_attacks_with_white_units_or_the_partners_alone():
    play = set_position({"8": {BLUE: 4}, "23": {WHITE: 4}}, {"24": {"i45": 1}}, "co_op")
    assert judge_deliberate(play, "24") == ("One Deliberate Attack: one Stack at least is yours (The Co-Op Mode 10).",)
    assert list_starts(play, "deliberate") == []
    play.put_block(YELLOW, "25", 4)
    carry_on(play, to_do("target"), choices=["hex-24", "hex-25"])
    assert "attack" not in slugs(find_next_want(play))


def test_yellow_decides_for_white_units_that_are_attacked():
    for stack, side in (({WHITE: 2, "g212": 2}, "yellow"), ({BLUE: 2, OTHER_BLUE: 2}, "blue")):
        play = set_position({"24": stack}, {"25": {"i45": 4}} | FAR, "co_op")
        open_combat(play, Side.SOVIET, "24", ["25"], deliberate=False)
        question = carry_to_tie(play)
        assert question.side == side


def carry_to_tie(play):
    """A combat up to the question of who takes the first of three hits; German dice miss."""
    want = None
    for _ in range(20):
        want = find_next_want(play)
        if hasattr(want, "choices"):
            break
        if want is None:
            take_step(play, None)
        else:
            by_soviets = want.spec.label.startswith("Soviet")
            take_step(play, ((6,) + (1,) * (want.spec.number - 1)) if by_soviets else (1,) * want.spec.number)
            assert by_soviets or want.side == play.state["combat"]["defender"]
    return want


def test_each_german_leaves_ties_to_the_app_for_himself():
    play = set_position({"24": {WHITE: 2, "g212": 2}}, {"25": {"i45": 4}} | FAR, "co_op")
    open_combat(play, Side.SOVIET, "24", ["25"], deliberate=False)
    carry_to_tie(play)
    take_step(play, "auto")
    assert play.state["ties"] == "yellow"


def test_a_hand_is_its_players_alone():
    play = set_position({"25": {YELLOW: 4}}, {"24": {"i45": 4}}, "co_op", **hands(yellow=["stuka"], blue=["pak"]))
    assert (view_for_seat(play.state, HOUSE, "yellow")["hand"], view_for_seat(play.state, HOUSE, "blue")["hand"]) == (
        ["stuka"],
        ["pak"],
    )
    carry_on(play, to_do("target"), choices=["hex-24"])
    assert [slug for slug in slugs(find_next_want(play)) if slug.startswith("with-")] == ["with-stuka"]
    play.todo.clear()
    play.state["decks"]["german"] = {"left": [], "top": ["howitzer"], "bottom": []}
    play.do(to_do("draw", side="german", number=1, cause="a Call"))
    take_step(play, None)
    (line,) = play.told
    assert (line.known_to, line.sentence) == ("yellow", "You draw Howitzer: a Call.")
    assert line.openly == "Yellow (6th Army) draws a card: a Call. 0 left."


def test_the_end_says_who_of_the_two_is_ahead():
    play = set_position({"25": {YELLOW: 4}, "23": {BLUE: 4}}, FAR, "co_op")
    play.enter([YELLOW], "9")
    play.enter([BLUE], "7")
    play.enter([BLUE], "3")
    play.end("soviet", "test")
    assert play.told[-1].sentence == (
        "Soviet Decisive Victory: test. "
        "Soviet Spawn Hexes: Yellow 1, Blue 2: Blue (4th Panzer) is ahead (The Co-Op Mode 11)."
    )
    assert "Blue 2: Blue (4th Panzer) is ahead" in CONDUCTOR.find_wanted(play.state, SITUATION).question
    play.enter(["i98"], "3")
    assert play.state["holders"] == {"9": "yellow", "7": "blue"}


# 1 vs 1


def test_a_soviet_player_moves_or_draws():
    play = set_position({"X": {YELLOW: 4}}, {"24": {"i45": 1}}, "one_v_one")
    sentences, question = carry_on(play, to_do("soviet_turn"))
    assert sentences == ["1 top stack (24), 6 Spawn Hexes held: moves or draws a card (The 1 vs 1 Mode)."]
    assert (question.side, slugs(question)) == ("soviet", ["move", "draw"])
    take_step(play, "draw")
    assert play.todo[-1] == to_do("draw", side="soviet", number=1, cause="the Draw Action")


def test_a_soviet_player_must_spawn_and_without_spawn_hexes_draws():
    infantry = [block.key for block in HOUSE.of_side("soviet") if block.type == "infantry"]
    many = {str(number): {key: 1} for number, key in zip(range(40, 47), infantry, strict=False)}
    play = set_position({}, many, "one_v_one")
    play.do(to_do("soviet_turn"))
    take_step(play, None)
    assert [task["do"] for task in play.todo[-1:]] == ["spawn"]
    play = set_position({}, FAR, "one_v_one")
    play.state["german_held"] += ["3", "7", "9", "13", "15", "19"]
    play.do(to_do("soviet_turn"))
    take_step(play, None)
    assert play.todo[-1]["do"] == "draw"


def test_a_soviet_player_moves_one_of_each_top_stack_in_any_order():
    soviets = {"24": {"i45": 1, "i62": 2}, "41": {"i87": 3, "i95": 4}}
    play = set_position({"42": {YELLOW: 4}}, soviets, "one_v_one")
    sentences, question = carry_on(play, to_do("march", hexes=["24", "41"]), choices=["hex-41"])
    assert {"attack-42", "hex-40", "back"} <= set(slugs(question))
    sentences, question = carry_on(play, choices=["hex-40"])
    assert question.is_secret and slugs(question) == ["block-i87", "block-i95", "back"]
    sentences, question = carry_on(play, choices=["block-i95"])
    assert sentences == ["A block moves from 41 to 40 (The 1 vs 1 Mode, Movement)."] and play.at("i95") == "40"
    assert slugs(question) == ["hex-24"]
    sentences, _ = carry_on(play, choices=["hex-24", "hex-8", "block-i45"])
    assert play.at("i45") == "8" and not play.todo


def test_a_top_stack_that_cannot_act_is_told_and_nothing_else():
    play = set_position({}, {"105": {"i98": 1}}, "one_v_one")
    sentences, question = carry_on(play, to_do("march", hexes=["24"]))
    assert question is None and sentences == ["24: nobody is left, or nowhere is room (The 1 vs 1 Mode; B51)."]


def test_a_soviet_player_attacks_with_the_whole_stack_and_with_chuikov_its_neighbours():
    soviets = {"25": {"i45": 1, "i62": 2}, "7": {"i87": 1, "i95": 1}}
    for leaders, hexes in (([], ["25"]), (["chuikov"], ["25", "7"])):
        play = set_position({"24": {YELLOW: 4}}, soviets, "one_v_one", leaders={"german": [], "soviet": leaders})
        carry_on(play, to_do("march", hexes=["25"]), choices=["hex-25"])
        take_step(play, "attack-24")
        assert play.state["combat"]["hexes"] == hexes


def test_a_soviet_player_lays_a_card_or_none_before_the_german():
    more = {"hands": {"german": ["stuka"], "soviet": ["aa:26", "sniper"]}}
    play = set_position({"25": {YELLOW: 4}}, {"24": {"i45": 4}} | FAR, "one_v_one", **more)
    carry_on(play, to_do("target"), choices=["hex-24"])
    assert "with-stuka" not in slugs(find_next_want(play))
    sentences, question = carry_on(play, choices=["attack"])
    assert (question.side, question.is_secret, slugs(question)) == (
        "soviet",
        True,
        ["none", "card-aa-26", "card-sniper"],
    )
    sentences, question = carry_on(play, choices=["none"])
    assert (question.side, question.is_secret, slugs(question), sentences) == (
        "german",
        True,
        ["none", "with-stuka"],
        [],
    )
    take_step(play, "with-stuka")
    take_step(play, None)
    assert "cards: Stuka" in play.told[0].sentence and play.state["hands"]["soviet"] == ["aa:26", "sniper"]


@pytest.mark.parametrize(
    ("side", "german", "soviet"), [("german", True, False), ("soviet", False, True), ("", False, False)]
)
def test_blocks_are_named_to_their_own_side_alone(side, german, soviet):
    play = set_position({"25": {YELLOW: 4}}, {"24": {"i45": 4}}, "one_v_one")
    known = view_for_seat(play.state, HOUSE, side)
    assert (bool(known["named"]["german"]), bool(known["named"]["soviet"])) == (german, soviet)
    assert known["stacks"] == {"german": {"25": 1}, "soviet": {"24": 1}}
