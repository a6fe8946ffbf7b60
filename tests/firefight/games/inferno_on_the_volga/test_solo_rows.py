"""Rows of the rules map that a page reminds players of, and that the app itself keeps in a game that it leads."""

from collections import Counter
from random import Random

import pytest

from firefight.engine.course.conducting import Ask
from firefight.games.inferno_on_the_volga.rules.levels import Level
from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.play import Play, to_do
from firefight.games.inferno_on_the_volga.solo.seen import view_for_seat
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.turn import explain_choice, find_next_want, take_step

from .solo_games import HOUSE, carry_on, random_faces, set_position

AXE = {"g11", "g4", "g114"}
DECKS = {side: {"left": [], "top": ["sniper"] * 9, "bottom": []} for side in ("german", "soviet")}


def set_up(seed, level="standard", advantages=()):
    """A game at its first question. ``advantages``: of the Soviets, beside those of its level."""
    state = build_state(HOUSE, "solo", level)
    state["advantages"]["soviet"] += advantages
    play, throw = Play(state, HOUSE), random_faces(Random(seed))
    while not isinstance(want := find_next_want(play), Ask):
        take_step(play, throw(want.spec) if want else None)
    return play


def fight(german, soviet):
    """A combat in 21, where both fire at once, up to Close Combat."""
    play = set_position({"20": german}, {"21": soviet}, decks=DECKS)
    open_combat(play, Side.GERMAN, "21", ["20"], deliberate=False)
    play.todo[:] = [to_do("close")]
    take_step(play, None)
    return play


@pytest.mark.parametrize("dots", [1, 2, 3, 4])
def test_in_008_a_unit_throws_as_many_dice_as_it_has_dots(dots):
    play = fight({"g191": dots, "g36": 1}, {"i45": dots})
    assert find_next_want(play).spec.number == dots + 1
    take_step(play, (1,) * (dots + 1))
    assert find_next_want(play).spec.number == dots


def test_in_008_each_die_is_read_as_fire_of_the_unit_that_threw_it():
    """The Division's dots are black, the Marine's white: 4 dice on 6, then 2 on 5."""
    play = fight({"g191": 4}, {"i45": 4, "m1": 2})
    take_step(play, (1, 1, 1, 1))
    assert find_next_want(play).spec.label == "Soviet fire: 2 DF, 4 SF"
    take_step(play, (5, 5, 5, 5, 5, 5))
    assert play.told[-1].sentence == "Soviet fire 5 5 5 5 5 5: 2 hits."


def test_in_013_blocks_and_the_card_are_closed_until_showdown_and_closed_again_after_it():
    hands = {"german": [], "soviet": ["anti_tank"]}
    play = set_position({"24": {"g191": 4}}, {"25": {"i45": 3}, "9": {"i62": 2}}, hands=hands, decks=DECKS)
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=False)
    looks = {}
    while play.todo:
        task, view = play.todo[-1]["do"], view_for_seat(play.state, HOUSE)
        looks[task] = view["revealed"]["soviet"], (view["combat"] or {}).get("soviet_card", "")
        assert view["named"]["soviet"] == {} and view["stacks"]["soviet"]["9"] == 1
        want = find_next_want(play)
        take_step(play, (1,) * want.spec.number if want else None)
    assert looks["lay_card"] == looks["showdown"] == ({}, "")
    revealed, card = looks["soviet_card"]
    assert {hex: [(block["block"], block["dots"]) for block in blocks] for hex, blocks in revealed.items()} == {
        "25": [("i45", 3)]
    }
    assert card == "anti_tank"
    after = view_for_seat(play.state, HOUSE)
    assert after["revealed"] == {"german": {}, "soviet": {}} and after["combat"] is None
    assert "i45" not in str(after) and "45th" not in str(after), "He lives, and is concealed."


@pytest.mark.parametrize("level", [level for level in Level if level is not Level.NORMAL])
@pytest.mark.parametrize("seed", range(3))
def test_in_014_axe_units_and_leader_blocks_stay_out(seed, level):
    play = set_up(seed, level.value)
    assert {key for key in play.blocks if play.at(key) == "out"} == AXE
    assert not AXE & {key for row in play.state["rows"] for key in row}
    assert (play.state["raus"], play.state["hq"]) == (False, "")


def at_the_front():
    """A German turn in which every action can be made: 24 is next to Soviets, 56 a hex away from them, 60 far."""
    germans = {"24": {"g191": 4}, "56": {"g21": 4}, "60": {"g36": 4}}
    play = set_position(germans, {"25": {"i45": 1}, "3": {"i62": 1}}, decks=DECKS)
    play.do(to_do("german_turn"))
    return play


def test_in_022_a_turn_is_one_of_five_actions_and_then_the_soviet_turn():
    play = at_the_front()
    take_step(play, None)
    assert [task["do"] for task in play.todo] == ["soviet_turn", "judge", "action"]
    question = find_next_want(play)
    assert sorted(choice.slug for choice in question.choices) == ["call", "deliberate", "hasty", "long", "short"]


@pytest.mark.parametrize(
    ("kind", "choices"),
    [
        ("long", ["hex-60", "hex-59"]),
        ("short", ["hex-60", "hex-59", "hex-56", "hex-55"]),
        ("short", ["done"]),
        ("hasty", ["hex-56", "hex-41"]),
        ("deliberate", ["hex-25", "attack"]),
        ("call", []),
    ],
)
def test_in_022_no_second_action_follows_the_first(kind, choices):
    play = at_the_front()
    throw, answers, tasks = random_faces(Random(1)), [kind, *choices], []
    while play.todo[-1]["do"] != "soviet_turn":
        want = find_next_want(play)
        if isinstance(want, Ask):
            tasks.append(play.todo[-1]["do"])
            answers = answers or ["go"]
            take_step(play, answers.pop(0))
        else:
            take_step(play, throw(want.spec) if want else None)
    assert tasks.count("action") == 1 and answers == []


def test_in_022_an_action_without_a_legal_choice_is_not_offered_and_the_page_says_why():
    play = set_position({}, {"25": {"i45": 1}}, decks=DECKS)
    _, question = carry_on(play, to_do("action"))
    assert [choice.slug for choice in question.choices] == ["call", "short"]
    reasons = {kind: explain_choice(play, kind) for kind in ("long", "hasty", "deliberate")}
    assert [reason[-12:] for reason in reasons.values()] == ["(Actions 2).", "(Actions 4).", "(Actions 5)."]


@pytest.mark.parametrize(("advantages", "dots"), [(["immortal_guard"], 4), ([], 2)])
def test_in_113_an_immortal_guard_stands_at_full_strength_after_showdown(advantages, dots):
    both = {"german": [], "soviet": advantages}
    play = set_position({"20": {"g191": 4}}, {"21": {"u1": 2, "i45": 2}}, advantages=both, decks=DECKS)
    open_combat(play, Side.GERMAN, "21", ["20"], deliberate=False)
    play.todo[:] = [to_do("showdown")]
    take_step(play, None)
    assert (play.dots("u1"), play.dots("i45")) == (dots, 2)


@pytest.mark.parametrize(("advantages", "dots"), [(["marines_empowered"], 2), ([], 1)])
def test_in_114_empowered_marines_land_at_full_strength_without_a_spin(advantages, dots):
    both = {"german": [], "soviet": advantages}
    play = set_position({}, {"40": {"i45": 4}}, advantages=both)
    carry_on(play, to_do("bring", pool="marine", hex="9"), faces=[1] if advantages else [1, 4])
    (key,) = play.soviets["9"]
    assert play.block(key).pool == "marine" and (play.dots(key), play.block(key).top) == (dots, 2)


def test_in_114_nobody_else_is_empowered():
    both = {"german": [], "soviet": ["marines_empowered"]}
    play = set_position({}, {"40": {"i45": 4}}, advantages=both)
    carry_on(play, to_do("bring", pool="infantry", hex="9"), faces=[1, 4])
    assert play.dots(play.soviets["9"][0]) == 1


@pytest.mark.parametrize("seed", range(3))
def test_in_115_with_late_deployment_18_infantry_of_four_dots_wait_with_the_guards(seed):
    play = set_up(seed, advantages=["late_deployment"])
    waiting = play.of_pool("infantry")
    guards = [key for key in waiting if "guards" in play.block(key).marks]
    assert (len(waiting), len(guards)) == (22, 4)
    assert {play.block(key).top for key in waiting} == {4}
    standing = [key for keys in play.soviets.values() for key in keys if play.block(key).pool == "infantry"]
    assert len(standing) == 16 and any(play.dots(key) < play.block(key).top for key in standing + waiting)


def test_in_115_without_it_they_are_random():
    tops = [Counter(seeded.block(key).top for key in seeded.of_pool("infantry")) for seeded in map(set_up, range(3))]
    assert all(top[2] for top in tops)


@pytest.mark.parametrize(("rolled", "left"), [(17, 3), (16, 2)])
def test_in_054_rubble_of_this_attack_halves_its_own_hits(rolled, left):
    """A Panzer from one hex adds 2, so 17 makes Rubble; then two hits come to one (B49)."""
    play = set_position({"24": {"g36": 2}}, {"25": {"i45": 4}}, decks=DECKS)
    open_combat(play, Side.GERMAN, "25", ["24"], deliberate=True)
    play.todo[:] = [task for task in play.todo if task["do"] in ("rubble", "close")]
    carry_on(play, faces=[rolled, (1, 1, 1, 1), (6, 6)])
    assert play.dots("i45") == left


def test_in_097_a_removed_unit_is_not_destroyed():
    play = set_position({"60": {"g64": 4}, "24": {"g2": 4}}, {"3": {"i45": 4}})
    play.put_block("g64", "removed")
    assert play.find_standings().score == 0
    play.put_block("g2", "dead")
    assert play.find_standings().score == 2
