"""The rules of Inferno on the Volga as plain functions: every face, every boundary, counted by brute force."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest

from firefight.games.inferno_on_the_volga.rules import (
    cards,
    combat,
    ending,
    fire,
    levels,
    moves,
    reinforcements,
    rubble,
    setting_up,
    soviet_side,
    tables,
)
from firefight.games.inferno_on_the_volga.rules.tables import Colour, Fire, GermanCard, Kind, Side, SovietCard, Terrain

FACES = range(1, 7)


# Tables


def test_decks_and_blocks_add_up_as_the_text_says():
    assert sum(tables.SOVIET_DECK.values()) == 28
    assert sum(tables.GERMAN_DECK.values()) == 26
    assert set(tables.SOVIET_DECK) == set(SovietCard)
    assert set(tables.GERMAN_DECK) == set(GermanCard) - {GermanCard.PIONEER_672}
    assert tables.MARINES + tables.TANKS + tables.GUARDS + tables.OTHER_INFANTRY == tables.SOVIETS == 53
    assert len(tables.HEX_NAMES) == len(set(tables.HEX_NAMES)) == 109
    assert len(tables.COAST) == 17 and set(tables.SOVIET_SPAWN) <= tables.COAST
    assert sorted(map(int, tables.SPAWN_ORDER)) == [3, 7, 9, 13, 15, 19]
    german = sum(map(len, tables.GERMAN_START.values()))
    assert german + tables.ROWS * tables.BOXES + tables.AXE_UNITS == tables.GERMANS


def test_a_spawn_action_brings_six_infantry_and_three_tanks_at_most():
    plan = soviet_side.plan_spawn(tables.SOVIET_SPAWN, {}, 22, 6)
    come = Counter(kind for step in plan.steps for kind in step.deploy)
    assert come == {Kind.INFANTRY: 6, Kind.TANK: 3}
    assert [step.hex for step in plan.steps] == ["3", "19", "9", "15", "13", "7"]
    assert (plan.infantry, plan.tanks, plan.cards) == (16, 3, 0)


# Fire


@pytest.mark.parametrize(
    ("colour", "khrushchev", "fortified", "hitting"),
    [
        ("SF", False, False, {6}),
        ("DF", False, False, {5, 6}),
        ("TF", False, False, {4, 5, 6}),
        ("SF", True, False, {5, 6}),
        ("SF", False, True, {5, 6}),
        ("DF", True, False, {4, 5, 6}),
        ("TF", True, False, {3, 4, 5, 6}),
        ("SF", True, True, {4, 5, 6}),
        ("TF", True, True, {2, 3, 4, 5, 6}),
    ],
)
def test_every_face_of_every_fire(colour, khrushchev, fortified, hitting):
    need = fire.find_need(Fire(colour), khrushchev, fortified)
    assert {face for face in FACES if fire.count_hits((face,), need)} == hitting


def test_opportunity_fire_is_single_fire_whoever_fires():
    assert {fire.find_need(kind, opportunity=True) for kind in Fire} == {6}
    assert fire.find_need(Fire.TRIPLE, khrushchev=True, opportunity=True) == 5


def test_ones_hit_the_soviets_with_khrushchev_alone():
    assert fire.count_self_hits((1, 1, 5), khrushchev=True) == 2
    assert fire.count_self_hits((1, 1, 5), khrushchev=False) == 0


def test_five_single_and_three_double_dice_come_to_eleven_sixths_on_average():
    mean = sum(Fraction(1, 6) for _ in range(5)) + sum(Fraction(2, 6) for _ in range(3))
    dice = [fire.find_need(Fire.SINGLE)] * 5 + [fire.find_need(Fire.DOUBLE)] * 3
    counted = sum(Fraction(sum(fire.count_hits((face,), need) for face in FACES), 6) for need in dice)
    assert counted == mean and round(float(counted), 3) == 1.833


def hit_by_hand(strengths, hits):
    """The strongest loses one dot, again and again; as players push blocks, without places."""
    left = sorted(strengths)
    while hits and left and left[-1] > 0:
        left = sorted([*left[:-1], left[-1] - 1])
        hits -= 1
    return left, hits


def test_hits_fall_on_whoever_is_strongest_by_then():
    for strengths in product(range(5), repeat=3):
        for hits in range(14):
            losses = fire.apply_hits(strengths, hits)
            left, unused = hit_by_hand(strengths, hits)
            assert (sorted(losses.strengths_left), losses.unused) == (left, unused), (strengths, hits)
            assert losses.destroyed == sum(
                before > 0 == after for before, after in zip(strengths, losses.strengths_left, strict=True)
            )


def test_of_equal_units_the_german_player_chooses():
    assert fire.apply_hits((3, 3, 1), 1).strengths_left == (2, 3, 1)
    assert fire.apply_hits((3, 3), 1).ties == 1 and fire.apply_hits((3, 2), 1).ties == 0
    assert fire.find_strongest((3, 1, 3)) == (0, 2) and fire.find_strongest((0, 0)) == ()


@pytest.mark.parametrize(("hits", "counted"), [(0, 0), (1, 0), (2, 1), (3, 1), (7, 3), (8, 4)])
def test_rubble_halves_what_the_attacker_inflicts_and_nothing_else(hits, counted):
    assert fire.count_effective(hits, rubble=True) == counted
    assert fire.count_effective(hits, rubble=True, attacker_suffers=True) == hits
    assert fire.count_effective(hits, rubble=True, ignores_rubble=True) == hits
    assert fire.count_effective(hits) == hits


def test_who_rolls_first():
    order = {(terrain.value, bonus): fire.find_order(terrain, bonus).value for terrain in Terrain for bonus in (0, 1)}
    assert order == {
        ("clear", 0): "simultaneous",
        ("clear", 1): "german_first",
        ("rough", 0): "simultaneous",
        ("rough", 1): "simultaneous",
        ("urban", 0): "defender_first",
        ("urban", 1): "defender_first",
    }


GERMAN_SETS = [set(some) for n in range(5) for some in combinations(tables.GERMAN_KINDS, n)]
SOVIET_SETS = [set(some) for n in range(4) for some in combinations((*tables.SOVIET_INFANTRY, Kind.TANK), n)]


def test_the_combined_force_bonus_for_every_mix_of_units():
    for germans, soviets, terrain, hoth in product(GERMAN_SETS, SOVIET_SETS, Terrain, (False, True)):
        on_foot = germans & {Kind.INFANTRY, Kind.MOTORIZED}
        combined = Kind.PANZERGRENADIER in germans or (on_foot and Kind.PANZER in germans)
        theirs = Kind.TANK in soviets and len(soviets) > 1  # Motorized Soviets are Infantry
        expected = bool(hoth and terrain is Terrain.CLEAR and combined and not theirs)
        assert fire.has_combined_force(hoth, terrain, tuple(germans), tuple(soviets)) == expected, (germans, soviets)


def test_who_has_fallen_before_his_turn_does_not_roll():
    urban = fire.find_order(Terrain.URBAN)
    fight = fire.fight_closely(Side.GERMAN, urban, False, (1,), (1,), 4, 1)
    assert (fight.german.strengths_left, fight.soviet.strengths_left, fight.rolls) == ((0,), (1,), (Side.SOVIET,))
    both = fire.fight_closely(Side.GERMAN, fire.find_order(Terrain.ROUGH), False, (1,), (1,), 4, 1)
    assert (both.german.strengths_left, both.soviet.strengths_left, len(both.rolls)) == ((0,), (0,), 2)
    bonus = fire.find_order(Terrain.CLEAR, bonus=True)
    defended = fire.fight_closely(Side.SOVIET, bonus, False, (2,), (2,), 2, 4)
    assert (defended.german.strengths_left, defended.soviet.strengths_left) == ((2,), (0,))


def test_rubble_protects_only_who_is_attacked():
    urban = fire.find_order(Terrain.URBAN)
    german = fire.fight_closely(Side.GERMAN, urban, True, (4, 4), (4, 4), 5, 3)
    assert (german.german.strengths_left, german.soviet.strengths_left) == ((2, 3), (3, 3))
    soviet = fire.fight_closely(Side.SOVIET, urban, True, (4, 4), (4, 4), 5, 3)
    assert (soviet.german.strengths_left, soviet.soviet.strengths_left) == ((3, 4), (1, 2))


# Combat


def test_the_steps_of_each_kind_of_attack():
    everything = {"soviet_card": True, "german_card": True, "chuikov": True, "hoth": True, "attacker_wins": True}
    deliberate = combat.Fight(Side.GERMAN, True, Terrain.URBAN, **everything)
    assert combat.list_steps(deliberate) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13)
    hasty = combat.Fight(Side.GERMAN, False, Terrain.URBAN, **everything)
    assert combat.list_steps(hasty) == (1, 3, 4, 5, 7, 8, 10, 11, 13)
    soviet = combat.Fight(Side.SOVIET, True, Terrain.CLEAR, **everything)
    assert combat.list_steps(soviet) == (1, 3, 4, 5, 7, 10, 11, 13)
    assert combat.list_steps(combat.Fight()) == (3, 4, 7, 10, 13)


def test_blitz_and_rubble_go_by_the_hex():
    def steps(terrain):
        fight = combat.Fight(Side.GERMAN, True, terrain, hoth=True, attacker_wins=True)
        return {9, 12}.intersection(combat.list_steps(fight))

    assert (steps(Terrain.CLEAR), steps(Terrain.ROUGH), steps(Terrain.URBAN)) == ({12}, set(), {9})


def test_where_their_own_ones_have_killed_all_soviets_close_combat_alone_is_skipped():
    fight = combat.Fight(Side.GERMAN, True, Terrain.URBAN, soviets_gone=True)
    assert combat.list_steps(fight) == (3, 4, 7, 9, 11, 13)


# Rubble


def test_the_chance_of_rubble_for_every_modifier():
    table = {
        **{0: 0, 1: 1, 2: 4, 3: 10, 4: 20, 5: 35, 6: 56, 7: 81, 8: 108, 9: 135, 10: 160, 11: 181, 12: 196, 13: 206},
        **{14: 212, 15: 215, 16: 216, 17: 216, 60: 216},
    }
    for modifier, ways in table.items():
        assert rubble.count_ways(rubble.find_sum(modifier)) == ways, modifier
        thrown = sum(rubble.makes_rubble(sum(faces), modifier) for faces in product(FACES, repeat=3))
        assert thrown == ways, modifier


def test_the_example_of_four_hexes_four_armoured_units_and_a_heinkel():
    additions = rubble.list_additions((GermanCard.HEINKEL_111,), 4, 4)
    assert sum(addition.value for addition in additions) == 11
    assert rubble.find_sum(11) == 8


def test_airstrikes_count_double_with_von_richthofen_and_nothing_when_cancelled():
    for card, plain, doubled in ((GermanCard.HEINKEL_111, 3, 6), (GermanCard.STUKA, 2, 4), (GermanCard.HOWITZER, 2, 2)):
        assert rubble.list_additions((card,), 1, 0)[0].value == plain
        assert rubble.list_additions((card,), 1, 0, richthofen=True)[0].value == doubled
    cancelled = rubble.list_additions((GermanCard.STUKA,), 2, 1, airstrike_cancelled=True)
    assert sum(addition.value for addition in cancelled) == 3
    howitzer = rubble.list_additions((GermanCard.HOWITZER,), 2, 1, airstrike_cancelled=True)
    assert sum(addition.value for addition in howitzer) == 5


def test_rubble_is_not_rolled_for_everywhere():
    assert rubble.list_obstacles(True, True, False, 14) == ()
    assert len(rubble.list_obstacles(True, True, False, 15)) == 1
    assert len(rubble.list_obstacles(False, False, True, 15)) == 4


# Cards


@pytest.mark.parametrize(
    ("played", "deliberate", "linden", "allowed"),
    [
        ((), True, False, True),
        (("stuka",), True, False, True),
        (("stuka",), False, False, False),
        (("stuka", "howitzer"), True, False, False),
        (("stuka", "howitzer"), True, True, False),
        (("pioneer", "pioneer"), True, False, False),
        (("pioneer", "pioneer", "pioneer", "672nd_pioneer"), True, True, True),
        (("672nd_pioneer",), True, False, False),
        (("672nd_pioneer",), True, True, True),
        (("pioneer", "sniper"), True, True, False),
        (("paulus",), False, False, True),
    ],
)
def test_which_german_cards_may_be_played(played, deliberate, linden, allowed):
    objections = cards.list_card_objections(tuple(map(GermanCard, played)), deliberate, linden)
    assert (not objections) == allowed, objections


def test_the_dice_of_german_cards():
    worth = {card.value: cards.find_value(card) for card in GermanCard}
    assert [worth[name].dice for name in ("heinkel_111", "stuka", "howitzer", "pioneer")] == [6, 5, 6, 5]
    assert [worth[name].rubble for name in ("heinkel_111", "stuka", "howitzer", "pioneer")] == [3, 2, 2, 1]
    assert worth["sniper"] == worth["pak"] == worth["paulus"] == cards.NOTHING
    assert cards.find_value(GermanCard.HEINKEL_111, richthofen=True) == tables.CardValue(12, 6)
    assert cards.find_value(GermanCard.STUKA, richthofen=True) == tables.CardValue(10, 4)
    assert cards.find_value(GermanCard.PIONEER, richthofen=True) == tables.CardValue(5, 1)
    three = cards.sum_up_cards(
        (GermanCard.PIONEER,) * 3 + (GermanCard.PIONEER_672,), own={"672nd_pioneer": worth["stuka"]}
    )
    assert three == tables.CardValue(20, 5)


def test_aa_cancels_airstrikes_alone():
    assert cards.is_cancelled((GermanCard.STUKA,), SovietCard.AA)
    assert cards.is_cancelled((GermanCard.HEINKEL_111,), None, aa_regiment=True)
    assert not cards.is_cancelled((GermanCard.STUKA,), SovietCard.SNIPER)
    assert not cards.is_cancelled((GermanCard.HOWITZER,), SovietCard.AA, aa_regiment=True)


def test_a_marine_lands_where_there_is_room_and_no_german():
    effects = {
        (germans, soviets, marines): cards.land_marine(germans, soviets, marines).value
        for germans, soviets, marines in product((False, True), range(5), range(3))
    }
    for (germans, soviets, marines), effect in effects.items():
        expected = "no_effect" if germans else "card" if soviets == 4 or not marines else "marine"
        assert effect == expected, (germans, soviets, marines)


def test_the_coast_is_hexes_3_to_19():
    assert [hex for hex in tables.HEX_NAMES if cards.is_coastal(hex)] == [str(n) for n in range(3, 20)]


def test_units_come_by_card_while_there_is_room_and_a_pool():
    assert cards.bring_unit(3, 1).value == "deploy"
    assert cards.bring_unit(4, 1).value == cards.bring_unit(0, 0).value == "card"


def test_zaytsev_doubles_snipers_alone():
    assert [cards.count_strikes(card, zaytsev=True) for card in (SovietCard.SNIPER, SovietCard.ANTI_TANK)] == [2, 1]
    assert [cards.count_strikes(card, zaytsev=False) for card in (SovietCard.SNIPER, SovietCard.AA)] == [1, 0]


def test_whom_marksmen_hit():
    squad = [cards.Victim(kind, strength) for kind, strength in zip(Kind, (2, 3, 4, 3, 4), strict=True)]
    targets = {by.value: cards.find_targets(by, squad) for by in cards.Marksman}
    assert targets == {
        "soviet_sniper": (1, 3),  # Motorized and Panzer Grenadier, both at 3
        "anti_tank": (2,),
        "20th_destroyer_brigade": (2,),
        "german_sniper": (1,),
        "pak": (4,),
    }
    assert cards.find_targets(cards.Marksman.PAK, squad[:4]) == ()


# The Soviet side


def test_the_soviet_action_for_every_count():
    for top, spawns in product(range(12), range(7)):
        expected = "draw" if not spawns else "spawn" if top > spawns else "move"
        assert [action.value for action in soviet_side.list_actions(top, spawns)] == [expected]
        played = [action.value for action in soviet_side.list_actions(top, spawns, is_played=True)]
        assert played == (["move", "draw"] if expected == "move" else [expected])


def test_top_stacks_are_all_that_are_highest():
    top = soviet_side.find_top_stacks({"7": 3, "9": 3, "30": 2, "25": 3})
    assert (top.hexes, top.size) == (("7", "9", "25"), 3)
    assert soviet_side.find_top_stacks({}).hexes == ()
    assert soviet_side.count_spawns(("3", "7", "X", "Y", "24")) == 2


def test_each_spawn_hex_at_each_height():
    for hex, units in product(tables.SPAWN_ORDER, range(5)):
        (step,) = soviet_side.plan_spawn((hex,), {hex: units}, 22, 6).steps
        if units == 4:
            expected = ([], 1)
        elif hex in ("3", "13", "19") and units < 3:
            expected = (["infantry", "tank"], 0)
        else:
            expected = (["infantry"], 0)
        assert ([kind.value for kind in step.deploy], step.cards) == expected, (hex, units)


def test_empty_pools_draw_a_card_for_each_unit():
    plan = soviet_side.plan_spawn(("3", "19"), {}, 22, 0)  # the text's example
    assert plan.cards == 2 and all(step.deploy == (Kind.INFANTRY,) for step in plan.steps)
    assert soviet_side.plan_spawn(("3",), {"3": 3}, 0, 6).cards == 1  # B25
    assert soviet_side.plan_spawn(("3",), {}, 0, 0).cards == 2
    assert soviet_side.plan_spawn(("3", "19", "9"), {}, 1, 0).cards == 4


def test_dice_are_thrown_from_north_to_south_and_from_the_river():
    hexes = [soviet_side.Placed("25", 4, 2), soviet_side.Placed("9", 4, 1), soviet_side.Placed("7", 3, 1)]
    for shuffled in permutations(hexes):
        assert soviet_side.order_hexes(shuffled) == ("7", "9", "25")


def test_dice_are_resolved_from_low_to_high():
    plan = soviet_side.plan_dice(("7", "9", "25"), (6, 1, 5))
    assert [(die.hex, die.do.value) for die in plan] == [
        ("9", "attack_or_card"),
        ("25", "move_or_attack"),
        ("7", "move_or_attack"),
    ]
    plan = soviet_side.plan_dice(tuple("abcdef"), (1, 1, 6, 6, 3, 1))
    assert [die.do.value for die in plan] == ["card"] * 3 + ["move_or_attack"] + ["card"] * 2


@pytest.mark.parametrize(
    ("dice", "cards_mean", "all_different"),
    [(1, 0, 1), (2, 0.333, 5 / 6), (3, 0.917, 5 / 9), (4, 1.685, 5 / 18), (5, 2.589, 5 / 54), (6, 3.589, 5 / 324)],
)
def test_how_many_cards_equal_dice_draw(dice, cards_mean, all_different):
    hexes, total, single, count = tuple(map(str, range(dice))), 0, 0, 6**dice
    for faces in product(FACES, repeat=dice):
        drawn = sum(die.do.value == "card" for die in soviet_side.plan_dice(hexes, faces))
        total, single = total + drawn, single + (not drawn)
    assert round(total / count, 3) == cards_mean
    assert single / count == pytest.approx(all_different)


def test_every_die_in_every_situation():
    """By the table of the Soviet die, read from above."""
    for face, same, left, ahead, soviets in product(FACES, (1, 2), (0, 2), soviet_side.Ahead, range(5)):
        effect = soviet_side.read_die(face, same, left, ahead, soviets).value
        if same > 1 or not left or ahead == "none":
            expected = "card"
        elif ahead == "german":
            expected = "hasty_attack"
        else:
            expected = "card" if face == 1 or soviets == 4 else "move"
        assert effect == expected, (face, same, left, ahead, soviets)


def test_with_chuikov_all_next_to_the_target_attack():
    attack, move = soviet_side.DieEffect.HASTY_ATTACK, soviet_side.DieEffect.MOVE
    assert soviet_side.joins_attack(attack, True, True)
    assert not any(soviet_side.joins_attack(*arguments) for arguments in ((attack, False, True), (attack, True, False)))
    assert not soviet_side.joins_attack(move, True, True)


# Reinforcements


def test_the_examples_of_a_call():
    call = reinforcements.pick_up((5,) * 6, (2, 3, 4, 5, 5, 5))
    assert (call.picked, call.rows_left, call.remove) == ((0, 1, 1, 1, 3, 0), (5, 4, 4, 4, 2, 5), ())
    call = reinforcements.pick_up((0, 5, 5, 5, 5, 5), (1, 1, 2, 3, 4, 5))
    assert call.remove == (1,)
    assert reinforcements.pick_up((0, 5, 5, 5, 5, 5), (1, 1, 2, 3, 4, 5), removed=(1,)).remove == ()


def test_a_row_strikes_as_soon_as_it_has_fewer_units_than_dice():
    for units, dice in product(range(6), range(7)):
        others = [2] * (6 - dice)
        call = reinforcements.pick_up((units, 5, 5, 5, 5, 5), (1,) * dice + tuple(others))
        assert call.picked[0] == min(units, dice)
        assert (1 in call.remove) == (dice > units)


def test_raus_comes_with_a_six_on_an_empty_last_row():
    rows, faces = (5, 5, 5, 5, 5, 0), (6, 1, 2, 3, 4, 5)
    assert reinforcements.pick_up(rows, faces, raus_waits=True).raus
    assert not reinforcements.pick_up(rows, faces).raus
    assert not reinforcements.pick_up((5,) * 6, faces, raus_waits=True).raus


def test_units_go_back_to_the_emptiest_row():
    assert reinforcements.put_back((3, 1, 1, 5, 5, 5), 3) == (3, 3, 2, 5, 5, 5)
    assert reinforcements.put_back((3, 1, 1, 5, 5, 5), 3, recount=False) == (4, 2, 2, 5, 5, 5)
    assert reinforcements.put_back((5,) * 6, 0) == (5,) * 6
    for recount in (True, False):
        assert reinforcements.put_back((0, 4, 5, 5, 5, 5), 6, recount) == (5,) * 6


def test_no_row_takes_more_than_five_however_units_go_back():
    for rows in product((0, 3, 5), repeat=6):
        free = reinforcements.count_free_boxes(rows)
        for recount in (True, False):
            left = reinforcements.put_back(rows, min(free, 12), recount)
            assert max(left) <= 5 and sum(left) == sum(rows) + min(free, 12)


def test_where_germans_arrive():
    assert reinforcements.list_deploy_hexes(Colour.YELLOW) == ("X", "Y")
    assert reinforcements.list_deploy_hexes(Colour.BLUE) == ("Z",)
    assert reinforcements.list_deploy_hexes(Colour.WHITE) == ("X", "Y", "Z")
    white = {
        (caller.value, full): reinforcements.list_deploy_hexes(Colour.WHITE, caller, full)
        for caller in (Colour.YELLOW, Colour.BLUE)
        for full in (False, True)
    }
    assert white == {
        ("yellow", False): ("X", "Y"),
        ("yellow", True): ("Z",),
        ("blue", False): ("Z",),
        ("blue", True): ("X", "Y"),
    }


@pytest.mark.parametrize(
    ("maximum", "ways"), [(4, {4: 1, 3: 1, 2: 1, 1: 1}), (3, {3: 1, 2: 1, 1: 2}), (2, {2: 1, 1: 3}), (1, {1: 4})]
)
def test_a_spun_block(maximum, ways):
    assert reinforcements.count_spins(maximum) == ways


# Moves


def test_every_objection_to_a_long_move():
    clear = moves.PathHex(Terrain.CLEAR)
    assert moves.list_long_move_objections(Terrain.CLEAR, False, False, (clear,)) == ()
    assert moves.list_long_move_objections(Terrain.CLEAR, False, False, (clear, clear)) == ()
    over = moves.PathHex(Terrain.CLEAR, germans=4)
    assert moves.list_long_move_objections(Terrain.CLEAR, False, False, (over, clear)) == ()
    flawed = [
        (Terrain.ROUGH, False, False, (clear,)),
        (Terrain.URBAN, False, False, (clear,)),
        (Terrain.CLEAR, True, False, (clear,)),
        (Terrain.CLEAR, False, True, (clear,)),
        (Terrain.CLEAR, False, False, ()),
        (Terrain.CLEAR, False, False, (clear, clear, clear)),
        (Terrain.CLEAR, False, False, (moves.PathHex(Terrain.ROUGH), clear)),
        (Terrain.CLEAR, False, False, (moves.PathHex(Terrain.CLEAR, next_to_soviet=True), clear)),
        (Terrain.CLEAR, False, False, (clear, over)),
    ]
    assert [len(moves.list_long_move_objections(*arguments)) for arguments in flawed] == [1] * len(flawed)


def test_every_objection_to_short_moves():
    good = moves.ShortMove(4)
    assert moves.list_short_move_objections(()) == ()
    assert moves.list_short_move_objections((good, good)) == ()
    flawed = [(good,) * 3, (moves.ShortMove(5),), (moves.ShortMove(1, True),), (moves.ShortMove(1, soviets=1),)]
    assert [len(moves.list_short_move_objections(arguments)) for arguments in flawed] == [1] * 4


def test_every_objection_to_an_attack():
    good = moves.PlannedAttack()
    assert moves.list_hasty_objections(good) == moves.list_deliberate_objections(good) == ()
    hasty = [
        *({"next_to_soviet_at_start": True}, {"not_next_to_target": True}, {"stack_after": 5}, {"stack_after": 0}),
        *({"attacking_stacks": 2}, {"attacking_stacks": 0}, {"units_held_back": True}),
        *({"targets_chosen": 2}, {"targets_chosen": 0}),
    ]
    assert [len(moves.list_hasty_objections(replace(good, **flaws))) for flaws in hasty] == [1] * len(hasty)
    deliberate = [
        *({"not_next_to_target": True}, {"attacking_stacks": 0}, {"units_held_back": True}),
        *({"targets_chosen": 2}, {"targets_chosen": 0}),
    ]
    flawed = [replace(good, **flaws) for flaws in deliberate]
    assert [len(moves.list_deliberate_objections(attack)) for attack in flawed] == [1] * len(flawed)
    assert moves.list_deliberate_objections(replace(good, attacking_stacks=6)) == ()


def test_who_advances():
    german = moves.find_advance(Side.GERMAN, (4, 1, 2, 2, 3))
    assert (german.least, german.most, german.candidates) == (1, 4, (0, 1, 2, 3, 4))
    soviet = moves.find_advance(Side.SOVIET, (2, 3, 3))
    assert (soviet.least, soviet.most, soviet.candidates) == (1, 1, (1, 2))
    assert moves.find_advance(Side.GERMAN, ()).most == 0


def test_who_may_blitz():
    for unit, into, target, soviets, hoth in product(Kind, Terrain, Terrain, (False, True), (False, True)):
        is_fast = unit in ("panzer", "panzergrenadier", "motorized")
        expected = hoth and is_fast and into == target == Terrain.CLEAR and not soviets
        assert moves.may_blitz(hoth, unit, into, target, soviets) == expected


# The end


def test_cards_for_spawn_hexes():
    german = {hex: ending.count_captured_cards(Side.GERMAN, hex) for hex in tables.HEX_NAMES}
    assert {hex for hex, drawn in german.items() if drawn} == {"3", "7", "9", "13", "15", "19"}
    soviet = {hex: ending.count_captured_cards(Side.SOVIET, hex, paulus=True) for hex in tables.HEX_NAMES}
    assert {hex for hex, drawn in soviet.items() if drawn} == {"X", "Y", "Z"} and max(soviet.values()) == 1
    assert ending.count_captured_cards(Side.GERMAN, "9", paulus=True) == 2
    assert (ending.count_call_cards(False), ending.count_call_cards(True)) == (1, 2)


def test_german_victory_with_and_without_okh():
    assert ending.Standings(soviet_spawn_german=6).is_german_won
    assert not ending.Standings(soviet_spawn_german=5).is_german_won
    assert ending.Standings(soviet_units=0).is_german_won and ending.Standings(soviet_units=0, okh=True).is_german_won
    assert not ending.Standings(soviet_spawn_german=6, okh=True, hexes_1_19_german=18).is_german_won
    assert ending.Standings(okh=True, hexes_1_19_german=19).is_german_won


def test_soviet_victory_by_units_and_by_the_deck():
    assert [ending.Standings(destroyed=n).is_soviet_won for n in (9, 10, 11)] == [False, True, True]
    assert [ending.Standings(destroyed=n, destroyed_r=4).is_soviet_won for n in (5, 6)] == [False, True]
    assert ending.Standings(deck_empty=True).is_deck_lost
    for removed, used in product(range(7), range(6)):
        standings = ending.Standings(deck_empty=True, okh=True, r_removed=removed, extra_used=used)
        assert standings.extra_turns == max(0, min(5, removed) - used)
        assert standings.is_soviet_won == (standings.extra_turns == 0)
    assert ending.Standings(okh=True, r_removed=5).extra_turns == 0


def test_which_german_player_wins():
    assert ending.find_co_op_winner(3, 1) is Colour.YELLOW
    assert ending.find_co_op_winner(1, 3) is Colour.BLUE
    assert ending.find_co_op_winner(2, 2) is None


# Set-up and The Designer's Way


def test_the_counts_of_the_set_up():
    assert setting_up.COUNTS == {
        "soviet_total": 53,
        "marines": 2,
        "tank_pool": 6,
        "infantry_pool": 22,
        "map_tanks": 7,
        "map_infantry": 16,
        "map": 23,
        "german_start": 7,
        "track": 30,
    }


def test_colours_of_stacks():
    for n in range(4):
        for some in combinations(Colour, n):
            both = {Colour.YELLOW, Colour.BLUE} <= set(some)
            own = next((colour for colour in (Colour.YELLOW, Colour.BLUE) if colour in some), Colour.WHITE)
            assert setting_up.find_stack_colour(some) == (None if both else own)


def test_what_levels_make_of_the_decks():
    easy = levels.find_deck_order(levels.Level.EASY_GERMAN, Side.GERMAN)
    assert (easy.top, easy.bottom, easy.in_play) == (("linden",), ("okh",), ("paulus", "hoth", "von_richthofen"))
    for level in (levels.Level.EASY_SOVIET, levels.Level.IMPOSSIBLE_GERMAN):
        order = levels.find_deck_order(level, Side.SOVIET)
        assert set(order.top) == {"chuikov", "zaytsev", "khrushchev"} and not order.in_play
        assert levels.find_deck_order(level, Side.GERMAN) == levels.AS_SHUFFLED
    assert [levels.has_fortifications(level) for level in levels.Level] == [False] * 4 + [True]


def test_advantages_that_are_leaders():
    everything = {side: levels.list_leader_advantages(side, levels.ADVANTAGES[side]) for side in Side}
    assert everything[Side.GERMAN] == ("paulus", "hoth", "von_richthofen", "linden", "okh")
    assert everything[Side.SOVIET] == ("chuikov", "khrushchev", "zaytsev")


def test_fortifications_help_defenders_until_germans_come():
    assert {hex for hex in tables.HEX_NAMES if levels.count_fortification(hex)} == {"4", "21", "28", "26", "32"}
    assert not levels.count_fortification("4", soviets_attack=True)
    assert not levels.count_fortification("4", entered=True)
    assert not levels.count_fortification("4", in_use=False)


def test_chuikovs_headquarters():
    assert levels.find_headquarters(11, soviet_controlled=True) == "11"
    assert levels.find_headquarters(11, soviet_controlled=False) == ""
