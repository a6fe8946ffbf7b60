"""Whole acts of the solo game on fixed positions, with dice in a row: the text's examples, and the hard cases."""

import pytest

from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.moving import find_long_ways
from firefight.games.inferno_on_the_volga.solo.play import to_do
from firefight.games.inferno_on_the_volga.solo.turn import explain_choice, find_next_want

from .solo_games import HOUSE, carry_on, set_position

STACKS = {
    "7": {"i45": 4, "i62": 4, "i87": 4},
    "9": {"i95": 1, "i98": 1, "i112": 1},
    "25": {"t6": 2, "t26": 1, "t27": 1},
}


def soviet_turn(play, **answers):
    return carry_on(play, to_do("soviet_turn"), **answers)


def only_deck(*cards):
    decks = {"soviet": {"left": [], "top": [*cards], "bottom": []}, "german": {"left": [], "top": [], "bottom": []}}
    return {"decks": decks}


def deck_of(side, *cards):
    return {"decks": {**only_deck()["decks"], side: {"left": [], "top": [*cards], "bottom": []}}}


FULL = only_deck(*["anti_tank"] * 9)


def test_dice_6_1_5_on_7_9_and_25_are_resolved_9_then_25_then_7():
    """The example of the Soviet Movement Action: a card, an attack on 24, a move to 6."""
    play = set_position({"24": {"g191": 1}}, STACKS, **FULL)
    play.state["hands"]["german"] = []
    sentences, _ = soviet_turn(play, faces=[(6, 1, 5), (1,), (6, 6, 1, 1), 2])
    assert sentences[0] == "3 top stacks (7, 9, 25), 6 Spawn Hexes held: moves (Soviet Actions 4B)."
    assert sentences[1] == "Dice: 6 on 7, 1 on 9, 5 on 25 (Soviet Movement Action)."
    dice = [line.split(":")[0] for line in sentences if line.startswith("Die ")]
    assert dice == ["Die 1 on 9", "Die 5 on 25", "Die 6 on 7"]
    assert "Die 5 on 25: Germans in 24, Hasty Attack (Soviet Hasty Attack) from 25." in sentences
    assert [play.at(key) for key in ("g191", "t6")] == ["dead", "24"], "The strongest advances."
    assert len(play.soviets["6"]) == 1 and len(play.soviets["7"]) == 2 and not play.holds(Side.GERMAN, "24")


def test_with_chuikov_the_stacks_in_7_and_8_join_the_attack_on_24():
    soviets = {"25": {"t6": 2}, "7": {"i45": 4}, "8": {"i62": 3}}
    play = set_position({"24": {"g191": 4}}, soviets, leaders={"german": [], "soviet": ["chuikov"]}, **FULL)
    sentences, _ = carry_on(play, to_do("die", hex="25", face=5, same=1), faces=[(1,) * 4, (1,) * 9])
    assert sentences[0] == "Die 5 on 25: Germans in 24, Deliberate Attack (Chuikov) from 25, 8, 7."
    assert "Showdown at 24: 191st Infantry (4) against" in sentences[1]
    assert all(name in sentences[1] for name in ("6th Tank", "45th Division", "62nd Division"))


def test_equal_dice_draw_a_card_each_and_nobody_moves_or_attacks():
    soviets = {
        hex: {key: 1}
        for hex, key in zip(
            ("7", "9", "25", "30", "40", "50"), ("i45", "i62", "i87", "i95", "i98", "i112"), strict=True
        )
    }
    play = set_position({"24": {"g191": 1}}, soviets, **FULL)
    hexes = play.board.in_rolling_order([*soviets])
    faces = dict(zip(hexes, (1, 1, 6, 6, 3, 1), strict=True))
    carry_on(play, to_do("dice", hexes=hexes), faces=[tuple(faces.values())])
    assert len(play.state["hands"]["soviet"]) == 5, "three for the ones, two for the sixes"
    moved = [hex for hex in hexes if hex not in play.soviets]
    assert moved == [hexes[4]] and play.germans == {"24": ["g191"]}


@pytest.mark.parametrize(
    ("stack", "infantry", "cards", "units"),
    [(0, True, 0, 2), (3, True, 0, 1), (4, True, 1, 0), (3, False, 1, 0), (0, False, 1, 1)],
    ids=["empty", "three", "full", "three, no Infantry", "no Infantry"],
)
def test_spawning_in_3_by_stack_and_pool(stack, infantry, cards, units):
    blocks = dict.fromkeys(["m1", "m2", "t6", "t26"][:stack], 1)
    soviets = {"3": blocks} if blocks else {}
    if not infantry:
        keys = [key for key, block in HOUSE.blocks.items() if (block.side, block.pool) == ("soviet", "infantry")]
        soviets |= {str(30 + place): dict.fromkeys(keys[place * 4 : place * 4 + 4], 1) for place in range(10)}
    german_hexes = [hex for hex in ("7", "9", "13", "15", "19")]
    play = set_position({}, soviets, **FULL)
    play.state["german_held"] += german_hexes
    count = len(play.of_pool("infantry")), len(play.of_pool("tank"))
    faces = [*([1, 4] if infantry and stack < 4 else []), *([1, 4] if stack < 3 else [])]
    carry_on(play, to_do("spawn"), faces=faces)
    assert len(play.soviets.get("3", ())) == stack + units and len(play.state["hands"]["soviet"]) == cards
    assert sum(count) - len(play.of_pool("infantry")) - len(play.of_pool("tank")) == units


def test_the_last_soviet_card_ends_the_game_at_once_in_mid_combat():
    play = set_position({"24": {"g191": 4}}, {"7": {"i45": 4}}, **only_deck("sniper"))
    sentences, _ = carry_on(play, to_do("draw", side="soviet", number=2, cause="a test"), to_do("judge"))
    assert play.state["over"] == "soviet" and sentences[-1].startswith("Soviet Decisive Victory") and not play.todo


def test_okh_gives_a_turn_for_each_r_unit_removed():
    leaders = {"german": ["okh"], "soviet": []}
    play = set_position({"24": {"g191": 4}}, {"7": {"i45": 4}}, leaders=leaders, **only_deck("sniper"))
    play.put_block("g64", "removed")
    carry_on(play, to_do("draw", side="soviet", number=1, cause="a test"))
    assert play.state["over"] == "" and play.find_standings().extra_turns == 1
    carry_on(play, to_do("german_turn"))
    assert play.find_standings().extra_turns == 0


def test_rubble_halves_the_attackers_hits_and_not_the_defenders():
    """9 is Urban: the defender rolls first, three hits of the attacker come to one."""
    play = set_position({"24": {"g36": 4, "g21": 4}}, {"25": {"i45": 2, "i62": 2}}, rubble=["25"], **only_deck())
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=True)
    sentences, _ = carry_on(play, faces=[(6, 6, 1, 1), (5, 5, 6, 1, 1, 1)], choices=["auto"])
    assert (
        "Soviet fire 6 6 1 1: 2 hits." in sentences
        and "German fire 5 5 6 1 1 1: 3 hits, 1 through Rubble." in sentences
    )
    assert sorted(play.dots(key) for key in ("g36", "g21")) == [3, 3]
    assert sorted(play.dots(key) for key in ("i45", "i62")) == [1, 2]


def test_khrushchevs_ones_in_opportunity_fire_may_leave_nobody_to_fight():
    leaders = {"german": [], "soviet": ["chuikov", "khrushchev"]}
    play = set_position({"24": {"g36": 4}}, {"25": {"i45": 1}}, leaders=leaders, **only_deck())
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=False)
    sentences, _ = carry_on(play, faces=[(1,)])
    assert (
        "Khrushchev: 1 hit the Soviets themselves." in sentences and play.at("g36") == "25" and play.at("i45") == "pool"
    )


def test_both_wiped_out_and_nobody_advances():
    play = set_position({"20": {"g191": 1}}, {"21": {"i45": 1}}, **only_deck())
    open_combat(play, Side.GERMAN, "21", ["20"], deliberate=True)
    sentences, _ = carry_on(play, faces=[(6,), (6,)])
    assert sentences[-1] == "Nobody is left to enter 21." and play.holds(Side.SOVIET, "21")
    assert (play.at("g191"), play.at("i45")) == ("dead", "pool")


def test_zaytsev_strikes_twice_and_nobody_is_no_effect():
    leaders = {"german": [], "soviet": ["zaytsev"]}
    hands = {"german": [], "soviet": ["sniper"]}
    play = set_position({"24": {"g191": 1}}, {"25": {"i45": 4}}, leaders=leaders, hands=hands, **only_deck())
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=False)
    sentences, _ = carry_on(play)
    assert [line for line in sentences if line.startswith("Soviet Sniper")] == [
        "Soviet Sniper: one step.",
        "Soviet Sniper: nobody to hit.",
    ]


def test_aa_cancels_an_airstrike_and_lays_rubble_before_the_german_card():
    hands = {"german": ["stuka"], "soviet": ["aa:15"]}
    play = set_position({"24": {"g36": 1}}, {"25": {"i45": 4}}, hands=hands, **only_deck())
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=True, cards=["stuka"])
    sentences, _ = carry_on(play, faces=[3, (1, 1, 1, 1), (1,)])
    assert "AA: the airstrike is cancelled." in sentences and play.state["rubble"] == ["15"]
    assert play.state["discards"] == {"german": ["stuka"], "soviet": ["aa:15"]}, "No dice were thrown for it."


def test_paulus_as_the_card_of_a_call_doubles_from_the_next_draw():
    play = set_position({"24": {"g191": 1}}, {"40": {"i45": 4}}, **deck_of("german", "paulus", "pak", "stuka"))
    carry_on(play, to_do("action"), choices=["call"], faces=[(1, 2, 3, 4, 5, 6)])
    assert play.state["hands"]["german"] == []
    carry_on(play, to_do("action"), choices=["call"], faces=[(1, 2, 3, 4, 5, 6)])
    assert play.state["hands"]["german"] == ["pak", "stuka"]


def test_a_removal_happens_once_in_a_row():
    play = set_position({"60": {"g64": 4}}, {"3": {"i45": 4}}, **deck_of("german", "pak"))
    carry_on(play, to_do("call"), faces=[(1, 1, 2, 2, 2, 2)])
    assert play.at("g64") == "removed" and play.state["removed"] == [1], "Nobody of row 2 is on the map."


def test_who_cannot_arrive_goes_back_in_front_of_those_of_the_emptiest_row():
    """Empty boxes lie left of all that remain, and dice take the leftmost (B20, B61)."""
    rows = [["g191"], ["g194", "g211", "g178"], ["g203", "g230", "g516"], ["g517", "g518", "g544"], ["g545", "g546"]]
    rows.append(["g208", "g212"])
    play = set_position({"24": {"g36": 4}}, {"40": {"i45": 4}}, rows=rows, german_held=[])
    carry_on(play, to_do("call"), faces=[(2, 2, 3, 3, 4, 4)])
    assert play.state["rows"][:2] == [["g517", "g194", "g191"], ["g518", "g211", "g178"]]
    assert play.state["rows"][2:4] == [["g203", "g516"], ["g230", "g544"]]


def test_linden_offers_pioneers_together_and_nothing_else_with_them():
    hands = {"german": ["pioneer", "pioneer", "672nd_pioneer", "stuka"], "soviet": []}
    leaders = {"german": ["linden"], "soviet": []}
    play = set_position({"24": {"g36": 4}}, {"25": {"i45": 4}}, hands=hands, leaders=leaders, **only_deck())
    _, question = carry_on(play, to_do("target"), choices=["hex-25"])
    cards = [choice.slug for choice in question.choices if choice.slug.startswith("with-")]
    assert "with-stuka" in cards and not any("stuka-and" in slug for slug in cards)
    assert "with-672nd_pioneer-and-pioneer-and-pioneer" in cards


def test_a_long_move_is_a_stack_and_the_hex_where_it_ends_and_says_why_another_is_none():
    play = set_position({"60": {"g36": 4, "g21": 4}}, {"3": {"i45": 4}})
    _, question = carry_on(play, to_do("long"), choices=["hex-60"])
    ends = {choice.place for choice in question.choices if choice.slug != "back"}
    beside = {*play.board.next_to["60"]}
    beyond = {hex for name in beside for hex in play.board.next_to[name]} - beside - {"60"}
    assert ends & beside and ends & beyond and not ends - beside - beyond
    assert explain_choice(play, "hex-3") == "One Long Move: two hexes at most."
    end = min(ends & beyond)
    sentences, _ = carry_on(play, choices=[f"hex-{end}"])
    assert "Long Move" in sentences[-1] and play.at("g36") == play.at("g21") == end


def test_a_long_move_goes_by_the_spawn_hex_that_it_can_take():
    play = set_position({"103": {"g36": 4}}, german_held=["X", "Y", "103"])
    assert find_long_ways(play, "103")["105"] == [["Z", "105"]]
    carry_on(play, to_do("long"), choices=["hex-103", "hex-105"])
    assert play.at("g36") == "105" and "Z" in play.state["german_held"]
    assert find_long_ways(play, "105")["104"] == [["104"]]


def test_of_two_ways_of_a_long_move_that_gain_different_hexes_the_player_takes_one():
    """By Z, which is captured, or by 104, where Chuikov's HQ is (B60)."""
    leaders = {"german": [], "soviet": ["chuikov"]}
    play = set_position({"103": {"g36": 4}}, german_held=["X", "Y", "103"], hq="104", leaders=leaders)
    _, question = carry_on(play, to_do("long"), choices=["hex-103", "hex-105"])
    assert [(choice.slug, choice.words) for choice in question.choices[:-1]] == [
        ("hex-104", "Gains 104."),
        ("hex-Z", "Gains Z."),
    ]
    sentences, _ = carry_on(play, choices=["hex-104"])
    assert "103 to 104 and 105 (Long Move)" in sentences[0] and play.at("g36") == "105"
    assert (play.state["hq"], play.state["leaders"]["soviet"]) == ("", []) and "Z" not in play.state["german_held"]


def test_a_way_that_gains_a_fortification_is_gone_without_a_question():
    play = set_position({"103": {"g36": 4}}, german_held=["X", "Y", "Z", "103"], fortified=["104"])
    assert find_long_ways(play, "103")["105"] == [["104", "105"]]


def test_a_goal_of_each_side_at_the_end_of_one_turn_shows_both():
    play = set_position({}, {})
    for key in [key for key, block in HOUSE.blocks.items() if block.side == "german"][:10]:
        play.put_block(key, "dead")
    sentences, _ = carry_on(play, to_do("judge"))
    assert play.state["over"] == "both"
    assert "no Soviets are on the map and " in sentences[-1] and "points of destroyed Germans" in sentences[-1]


@pytest.mark.parametrize(("left", "firing"), [({"g191": 4}, 2), ({"g191": 4, "g36": 4}, 3), ({}, 0)])
def test_soviets_fire_at_opportunity_for_stacks_of_which_somebody_is_left(left, firing):
    """i45 is attacked in 9 from 8 and 25; i62 stands beside 8 alone, i87 beside 25 alone (B59)."""
    places = {"g36": "8", "g191": "25"}
    germans = {}
    for key in left:
        germans.setdefault(places[key], {})[key] = left[key]
    play = set_position(germans, {"9": {"i45": 3}, "7": {"i62": 3}, "26": {"i87": 3}})
    play.state["leaders"]["soviet"].append("chuikov")
    open_combat(play, Side.GERMAN, "9", [hex for hex in ("8", "25") if hex in play.germans], deliberate=True)
    play.state["combat"]["hexes"] = ["8", "25"]  # as it was declared
    play.todo[:] = [to_do("opportunity")]
    want = find_next_want(play)
    assert (want.spec.number if want else 0) == firing


BLUE, ROWS = ["g267", "g274", "g36"], [["g191"], ["g194", "g211"], *[["g203"] * 5] * 4]
Z_WITH_ONE_PLACE = {"Z": dict.fromkeys(["g24", "g21", "g26"], 4)}
Z_FULL = {"Z": dict.fromkeys(["g24", "g21", "g26", "g15"], 4)}
Y_AND_X_FULL = {
    "X": dict.fromkeys(["g64", "g79", "g2", "g120"], 4),
    "Y": dict.fromkeys(["g178", "g230", "g516", "g517"], 4),
}


def place(blocks, germans, **more):
    """A Call that has picked these up; the question, and what may be chosen."""
    play = set_position(germans, {"40": {"i45": 4}}, rows=[[*row] for row in ROWS], **more)
    for key in (*blocks, *(key for row in ROWS for key in row)):
        play.put_block(key, "track", 4)
    sentences, question = carry_on(play, to_do("place", blocks=[*blocks]))
    return play, sentences, question


def slugs_of(question):
    return [choice.slug for choice in question.choices]


def test_of_units_that_outnumber_the_room_the_player_says_who_comes():
    """One place in Z for three Blue Units; the others go back as they were picked (B67)."""
    play, _, question = place(BLUE, Z_WITH_ONE_PLACE)
    assert slugs_of(question) == ["all", "hex-Z", "block-g274", "block-g36"]
    assert question.question == "Room is short: where does 267th Infantry arrive, or who before it?"
    assert question.choices[0].title == "Place as many as there is room for, fullest hexes first"
    sentences, question = carry_on(play, choices=["block-g36"])
    assert (sentences, slugs_of(question)) == ([], ["all", "hex-Z", "block-g267", "block-g274"])
    sentences, question = carry_on(play, choices=["hex-Z"])
    assert sentences[0] == "36th Panzer arrives in Z." and question is None
    assert play.state["rows"][:2] == [["g274", "g267", "g191"], ["g194", "g211"]] and play.at("g36") == "Z"


def test_of_those_who_are_left_the_one_taken_first_goes_back_first():
    play, _, _ = place(BLUE, Z_WITH_ONE_PLACE)
    sentences, _ = carry_on(play, choices=["block-g274", "block-g36", "hex-Z"])
    assert [line.split(" have")[0] for line in sentences[1:]] == ["274th Infantry, 267th Infantry"]
    assert play.state["rows"][0] == ["g267", "g274", "g191"]


def test_all_at_once_takes_them_in_the_order_that_the_player_has_given():
    play, _, _ = place(BLUE, Z_WITH_ONE_PLACE)
    carry_on(play, choices=["block-g274", "all"])
    assert [play.at(key) for key in BLUE] == ["track", "Z", "track"]


def test_nobody_goes_back_who_has_room():
    """Three places for three Units: there is only one hex, and no order."""
    play, _, question = place(BLUE, {"Z": {"g24": 4}})
    assert slugs_of(question) == ["all", "hex-Z"] and question.choices[0].title == "Place all 3, fullest hexes first"
    carry_on(play, choices=["hex-Z", "hex-Z", "hex-Z"])
    assert {play.at(key) for key in BLUE} == {"Z"}


def test_units_of_another_colour_are_no_rivals_and_white_ones_of_each():
    """Z has one place for a Blue and a White Unit; the Yellow one comes to X or Y in any case."""
    _, _, question = place(["g267", "g191", "g208"], Z_WITH_ONE_PLACE)
    assert slugs_of(question) == ["all", "hex-Z", "block-g208"]
    _, _, question = place(["g208", "g191", "g267"], Z_WITH_ONE_PLACE)
    assert slugs_of(question) == ["all", "hex-Z", "hex-X", "hex-Y"], "The White Unit finds room in X and Y, too."
    assert question.choices[0].title == "Place as many as there is room for, fullest hexes first"
    _, _, question = place(["g208", "g191", "g267"], Z_WITH_ONE_PLACE | Y_AND_X_FULL)
    assert slugs_of(question) == ["all", "hex-Z", "block-g267"], "No Yellow one can come."


@pytest.mark.parametrize("hexes_held", [["X", "Y"], ["X", "Y", "Z"]], ids=["taken by the Soviets", "full"])
def test_where_nobody_can_come_nothing_is_asked(hexes_held):
    play, sentences, question = place(BLUE, Z_FULL if "Z" in hexes_held else {}, german_held=hexes_held)
    assert question is None and play.state["rows"][:2] == [["g274", "g267", "g191"], ["g36", "g194", "g211"]]
    assert sentences[0].startswith("267th Infantry, 274th Infantry, 36th Panzer have no room, and go back to the track")


def test_each_of_two_german_players_chooses_among_his_own():
    """Blue has called; of the White one he says, of the Yellow one his partner (Co-Op 9)."""
    blocks = ["g267", "g208", "g191"]
    play, _, question = place(blocks, Z_WITH_ONE_PLACE | Y_AND_X_FULL, mode="co_op", turn=2)
    assert (question.side, slugs_of(question)) == ("blue", ["all", "hex-Z", "block-g208"])
    sentences, _ = carry_on(play, choices=["block-g208", "hex-Z"])
    assert sentences[1:] == ["267th Infantry, 191st Infantry have no room, and go back to the track (Actions 1)."]


def test_the_partners_units_are_no_rivals():
    """One place is left, in X: the White Unit is Blue's to place, the Yellow one comes after it (Co-Op 9)."""
    germans = Z_FULL | {"X": dict.fromkeys(["g64", "g79", "g2"], 4), "Y": Y_AND_X_FULL["Y"]}
    _, _, question = place(["g208", "g191"], germans, mode="co_op", turn=2)
    assert (question.side, slugs_of(question), question.question) == (
        "blue",
        ["hex-X"],
        "Where does 208th Infantry arrive?",
    )


def test_a_soviet_player_does_not_read_who_comes_first():
    play, sentences, question = place(BLUE, Z_WITH_ONE_PLACE, mode="one_v_one")
    assert question.is_secret and sentences == []
    sentences, _ = carry_on(play, choices=["block-g36", "hex-Z"])
    assert not any(play.block(key).name in " ".join(sentences) for key in BLUE)


@pytest.mark.parametrize(
    ("recounts", "back"),
    [
        (True, [["g669", "g274", "g267"], ["g670", "g276"], [], []]),
        (False, [["g670", "g267"], ["g274"], ["g276"], ["g669"]]),
    ],
    ids=["again after each", "once"],
)
def test_rows_are_compared_again_or_once_as_was_agreed(recounts, back):
    """Five Blue Units without room, and a Yellow one that is asked for after the first of them; rows of one to five."""
    germans = [block.key for block in HOUSE.of_side("german") if block.colour != "blue"]
    lengths = (1, 2, 3, 4, 5, 5)
    rows = [[germans.pop() for _ in range(length)] for length in lengths]
    play = set_position(Z_FULL, {"40": {"i45": 4}}, rows=rows)
    play.recounts = recounts
    carry_on(play, to_do("place", blocks=["g267", "g191", "g274", "g276", "g669", "g670"]))
    carry_on(play, choices=["hex-X"])
    assert [row[: len(row) - length] for row, length in zip(play.state["rows"], lengths, strict=True)] == [
        *back,
        [],
        [],
    ]
