"""The odds of holding a sector: exact for few, seeded games for many, the same on every machine, never waited for."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import count, product
from random import Random
from unittest import mock

import pytest

from campaign.acts import reorganizing
from campaign.phase import outlooks
from campaign.rules.combat import forecast
from campaign.rules.combat.battle import is_over
from campaign.rules.combat.forecast import Forecast, list_hits, seed_of
from campaign.rules.combat.pairing import propose_bouts
from firefight.engine.board.hexes import HexMap
from firefight.games import chartbooks
from firefight.games.combat_stalingrad.rules.melee.bouts import end_round, fight_bout
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter, Role
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.stacking import Stacking
from firefight.games.combat_stalingrad.rules.units import Kind
from tests.books import HOUSE, altered, grid
from tests.campaign.memory import Memory
from tests.campaign.rules.battle_reference import column_of

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
CCT = grid("cct")
BOOK = chartbooks.shipped("combat-stalingrad")


@pytest.fixture
def scene():
    with Memory.begin().open() as memory, fresh_store():
        yield memory


def fresh_store():
    """Nothing worked out so far."""
    return mock.patch.multiple(outlooks, _kept=type(outlooks._kept)(), _under_way=type(outlooks._under_way)())


def meet(memory, *units):
    """Units of (side, counter, marks …) in sector 14, which the phase has come to."""
    added = [memory.add(side, counter, 14, marks=marks) for side, counter, *marks in units]
    for side in Side:
        memory.do(reorganizing.confirm_report, side)
    return added


def outlook(ledger):
    """The odds, however often one must ask."""
    while (progress := outlooks.work_out(ledger)) and progress.outlook is None:
        pass
    return progress and progress.outlook


def begin(battle, charts=BOOK):
    return Forecast(battle, charts, Random(seed_of(battle)).random)


def work_out(battle, charts=BOOK):
    work = begin(battle, charts)
    while work.outlook is None:
        work.work_on()
    return work.outlook


def squads(german, russian, ccv=(8, 6), **more):
    """This many squads against that many, all in one place; the German is the Attacker."""
    fighters = [
        Fighter((side, n), f"{side} {n}", Kind.SQUAD, value, half_ccv=4)
        for side, number, value in ((GERMAN, german, ccv[0]), (RUSSIAN, russian, ccv[1]))
        for n in range(1, number + 1)
    ]
    return Battle(more.pop("attacker", GERMAN), tuple(fighters), HexMap(), Stacking(3, 1, "house"), **more)


# What to expect: one against one, worked out by hand


@cache
def strikes(value, resistance, drm=0):
    """The chances that an attack eliminates its one enemy, and that it does him a C."""
    column = column_of(value, resistance, False)
    if column in ("won", "lost"):
        return (1, 0) if column == "won" else (0, 0)
    faces = [min(max(face + drm, 1), 100) for face in range(1, 101)]
    dead = sum(face <= CCT[column]["E"] for face in faces) / 100
    return dead, sum(face <= CCT[column]["C"] for face in faces) / 100 - dead


def chain(german, russian, rounds=400):
    """{(how the German is, how the Russian is): share} in the end: 0 is dead, 1 on the last side, 2 unhurt.

    ``german`` and ``russian``: {state: value in close combat}, and a DRM for its enemy in the same state.
    """
    shares = {(max(german), max(russian)): 1.0}
    for _ in range(rounds):
        fresh = {}
        for (one, two), share in shares.items():
            if not one or not two:
                fresh[one, two] = fresh.get((one, two), 0) + share
                continue
            for (left_two, p), (left_one, q) in product(
                after(two, german[one], russian[two]), after(one, russian[two], german[one])
            ):
                fresh[left_one, left_two] = fresh.get((left_one, left_two), 0) + share * p * q
        shares = fresh
    return shares


@cache
def after(state, attack, defense):
    """What is left of a unit after an attack on it, with the chances; an attack of 1-4 or less is its own end."""
    (value, _), (resistance, drm) = attack, defense
    own_end = column_of(resistance, value, False) == "lost"
    if own_end:
        return [(0, 1)]
    dead, hurt = strikes(value, resistance, drm)
    return [(0, dead), (state - 1, hurt), (state, 1 - dead - hurt)]


ONE_AGAINST_ONE = {
    "squads": (("grenadier_squad",), {2: (8, 0), 1: (4, 0)}, ("rifle_squad",), {2: (6, 0), 1: (4, 0)}),
    "half-squads": (("grenadier_squad", "reduced"), {1: (4, 0)}, ("rifle_squad", "reduced"), {1: (4, 0)}),
    "a team and a crew": (("heavy_mg_34",), {1: (2, 0)}, ("ptp_42",), {1: (2, 0)}),
    "leaders": (("officer",), {2: (1, 0), 1: (1, 0)}, ("commissar",), {2: (1, 0), 1: (1, 0)}),
    "a team and a leader": (("heavy_mg_34",), {1: (2, 0)}, ("officer",), {2: (1, 0), 1: (1, 0)}),
    "too weak": (("officer",), {2: (1, 0), 1: (1, 0)}, ("rifle_squad",), {2: (6, 0), 1: (4, 0)}),
}


@pytest.mark.parametrize("name", ONE_AGAINST_ONE)
def test_one_against_one_is_exact(scene, name):
    german, german_values, russian, russian_values = ONE_AGAINST_ONE[name]
    one, two = meet(scene, (GERMAN, *german), (RUSSIAN, *russian))
    chances = chain(german_values, russian_values)
    odds = outlook(scene.ledger)
    assert (odds.games, odds.margin) == (0, 0)
    for side, unit, place in ((GERMAN, one, 0), (RUSSIAN, two, 1)):
        share = sum(share for state, share in chances.items() if state[place])
        assert odds.survives[side, unit.number] == pytest.approx(share, abs=1e-9)
        assert odds.holds[side] == pytest.approx(share, abs=1e-9)


def test_a_disrupted_squad_fights_with_half_until_a_flip_rids_it_of_that(scene):
    """18.1.4: the half-squad of a Disrupted squad is not Disrupted."""
    meet(scene, (GERMAN, "grenadier_squad", "disrupted"), (RUSSIAN, "rifle_squad", "reduced"))
    chances = chain({2: (4, 0), 1: (4, 0)}, {1: (4, 0)})
    share = sum(share for state, share in chances.items() if state[0])
    assert outlook(scene.ledger).holds[GERMAN] == pytest.approx(share, abs=1e-9)


def test_two_vehicles_fight_on_after_an_m_kill(scene):
    """An M-KILL is not the end, and makes the next attack easier; the chances add up to one."""
    meet(scene, (GERMAN, "pz_iii_h"), (RUSSIAN, "t_34_76_b"))
    odds = outlook(scene.ledger)
    assert odds.games == 0
    assert odds.holds[GERMAN] == pytest.approx(odds.holds[RUSSIAN])
    assert 0.3 < odds.holds[GERMAN] < 0.5  # both may go in one round


def test_it_is_fought_from_where_the_sector_stands_between_two_rounds(scene):
    """What this round has done so far, and the markers of step 1, do not count."""
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    first = outlook(scene.ledger)
    scene.ledger.phase = scene.ledger.phase.with_fought([(GERMAN, 1), (RUSSIAN, 1)], [])
    assert outlook(scene.ledger) == first


# … exact while there are few


def play_slowly(battle, rng):
    """One battle fought with the app's proposals, die by die; who is left in the end."""
    for _ in range(400):
        if is_over(battle):
            break
        effects, fought = [], set()
        for bout in propose_bouts(battle):
            faces = {}
            while (result := fight_bout(bout, battle, HOUSE, faces)).needs:
                faces |= {spec.name: rng.randint(1, spec.sides) for spec in result.needs}
            effects += result.effects
            fought |= set(bout.keys)
        battle = end_round(replace(battle, fought=frozenset(fought)), effects)
    return battle.fighters


LED = Fighter((RUSSIAN, 9), "NCO", Kind.LEADER, 1, role=Role.NCO)
SMALL = {
    "two on two": squads(2, 2),
    "two on three": squads(2, 3, attacker=RUSSIAN),
    "one who waited": squads(1, 2, waited=frozenset({(RUSSIAN, 1)})),
    "a leader whom the dice may hit": replace(squads(2, 1), fighters=(*squads(2, 1).fighters, LED)),
    "close combat under way first": replace(
        squads(2, 2, existing=True),
        fighters=tuple(replace(unit, in_cc=unit.key[1] == 1) for unit in squads(2, 2).fighters),
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_exact_odds_agree_with_battles_fought_die_by_die(name):
    battle = SMALL[name]
    exact = work_out(battle)
    assert exact.games == 0
    rng, games, holds, alive = Random(name), 300, Counter(), Counter()
    for _ in range(games):
        survivors = play_slowly(battle, rng)
        if battle.existing:
            survivors = play_slowly(replace(battle, fighters=survivors, existing=False), rng)
        sides = {unit.side for unit in survivors}
        holds.update(sides if len(sides) == 1 else ())
        alive.update(unit.key for unit in survivors)
    for side in Side:
        assert holds[side] / games == pytest.approx(exact.holds[side], abs=0.11)
    for key, share in exact.survives.items():
        assert alive[key] / games == pytest.approx(share, abs=0.11)


def test_six_squads_are_worked_out_exactly_and_seven_are_played():
    assert begin(squads(3, 3)).games == 0
    assert begin(squads(3, 4)).games == 1000
    assert begin(squads(9, 9)).games == 300
    assert begin(squads(15, 15)).games == 100


def test_games_agree_with_the_exact_answer():
    battle = squads(2, 3)
    exact = work_out(battle)
    with mock.patch.object(forecast, "MOST_POSITIONS", 1):
        played = work_out(battle)
    assert (exact.games, played.games) == (0, 1000)
    assert played.margin == pytest.approx(0.031, abs=0.001)
    for side in Side:
        assert abs(played.holds[side] - exact.holds[side]) <= 2 * played.margin


@pytest.mark.parametrize("struck", [1, 2, 3])
def test_who_of_several_is_hit_is_as_likely_as_the_dice_say(struck):
    units = [unit for unit in squads(3, 0).fighters][:struck]
    counted = Counter()
    for faces in product(range(1, 11), repeat=struck):
        counted[tuple(unit for unit, face in zip(units, faces, strict=True) if face == max(faces))] += 1
    for share, chosen in list_hits(units):
        assert share == pytest.approx(counted[chosen] / 10**struck)
    assert sum(share for share, _ in list_hits(units)) == pytest.approx(1)


# … the same whenever and wherever they are worked out


THREE_ON_SIX = {GERMAN: 0.73, RUSSIAN: 0.01}  # of 12,000 games


@pytest.mark.parametrize("attacker", Side)
def test_three_grenadier_squads_against_six_rifle_squads(attacker):
    """Whoever gathers has the better of it (A-45): the share that the Germans hold, by the Attacker."""
    odds = work_out(squads(3, 6, attacker=attacker))
    assert odds.holds[GERMAN] == pytest.approx(THREE_ON_SIX[attacker], abs=odds.margin)


def test_a_seed_of_the_position_gives_the_same_odds_every_time():
    assert work_out(squads(3, 5)) == work_out(squads(3, 5))
    with mock.patch.object(forecast, "_GAMES", ((12, 40),)):
        odds = work_out(squads(3, 5))
        with mock.patch.object(forecast, "_MOST_KNOWN", 10):
            assert work_out(squads(3, 5)) == odds, "what is remembered changes nothing"


def test_how_long_a_request_may_take_changes_nothing(scene):
    meet(scene, *[(GERMAN, "grenadier_squad")] * 3, *[(RUSSIAN, "rifle_squad")] * 4)
    while (progress := outlooks.work_out(scene.ledger, seconds=0.01)).outlook is None:
        assert progress.games == 1000
    slowly = progress.outlook
    with fresh_store():
        assert outlooks.work_out(scene.ledger, seconds=60).outlook == slowly


def test_no_request_works_longer_than_a_moment(scene):
    crowd = [(GERMAN, "grenadier_squad"), (GERMAN, "pz_iii_h"), (RUSSIAN, "rifle_squad"), (RUSSIAN, "maxim_m1910")]
    meet(scene, *(unit for unit in crowd for _ in range(10)))
    clock = (tick * outlooks.LONGEST_WORK / 2.5 for tick in count())  # read before the work, and before each battle
    with mock.patch.object(outlooks, "monotonic", lambda: next(clock)):
        for request in range(1, 4):
            with mock.patch.object(Forecast, "_fight", autospec=True, side_effect=Forecast._fight) as fight:
                progress = outlooks.work_out(scene.ledger)
            assert fight.call_count == 2, "as many as fit"
            assert progress.outlook is None and progress.percent == 2 * request


def test_what_was_worked_out_is_kept_for_that_position(scene):
    units = meet(scene, *[(GERMAN, "grenadier_squad")] * 2, (RUSSIAN, "rifle_squad"))
    odds = outlook(scene.ledger)
    with mock.patch.object(outlooks, "Forecast", side_effect=AssertionError("worked out again")):
        assert outlook(scene.ledger) == odds == outlooks.find_outlook(scene.ledger)
    units[0].marks = ["reduced"]
    assert outlooks.find_outlook(scene.ledger) is None
    assert outlook(scene.ledger).holds[GERMAN] < odds.holds[GERMAN]


def test_the_store_is_bounded(scene):
    units = meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    with mock.patch.object(outlooks, "MOST_KEPT", 2):
        for place in ("K7", "K8", "K9"):
            units[0].hex = place
            outlook(scene.ledger)
    assert len(outlooks._kept) == 2


def test_nobody_waits_while_another_request_works(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    with outlooks._at_work:
        assert outlooks.work_out(scene.ledger).outlook is None
    assert outlook(scene.ledger)


def test_a_second_device_sees_how_far_the_work_of_the_first_is(scene):
    meet(scene, *[(GERMAN, "grenadier_squad")] * 10, *[(RUSSIAN, "rifle_squad")] * 10)
    fight, looks = Forecast._fight, []

    def fight_and_look(forecast):
        looks.append(outlooks.work_out(scene.ledger))  # asked by another device, while this one is at work
        return fight(forecast)

    clock = (tick * outlooks.LONGEST_WORK / 2.5 for tick in count())
    with (
        mock.patch.object(outlooks, "monotonic", lambda: next(clock)),
        mock.patch.object(Forecast, "_fight", fight_and_look),
    ):
        for _ in range(3):
            outlooks.work_out(scene.ledger)
    assert {progress.games for progress in looks} == {300}
    assert [progress.percent for progress in looks] == [0, 0, 1, 1, 1, 2]


def test_what_is_worked_out_is_no_longer_under_way(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    assert outlook(scene.ledger) and not outlooks._under_way


def test_nothing_is_expected_of_a_sector_that_is_settled(scene):
    meet(scene, (GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad"))
    scene.ledger.units[RUSSIAN][1].sector = 20
    assert outlook(scene.ledger) is None


def test_the_stronger_side_is_likelier_to_hold(scene):
    meet(scene, *[(GERMAN, "pioneer_squad")] * 4, (RUSSIAN, "militia_squad"))
    odds = outlook(scene.ledger)
    assert odds.holds[GERMAN] > 0.9 > 0.1 > odds.holds[RUSSIAN]


BLANK = altered("cct", grid="odds 1-3 1-2 1-1 2-1 3-1\nE 0 0 0 0 0\nC 0 0 0 0 0")


@pytest.mark.parametrize("positions", [1, 729])
def test_a_table_that_never_decides_ends_in_no_chance_for_either_and_not_in_a_loop(positions):
    """CQ-08: nobody knows whether the owner's values ever do anything."""
    with (
        mock.patch.multiple(forecast, MOST_POSITIONS=positions, MOST_ROUNDS=20, _FEWEST_GAMES=2, _GAMES=()),
    ):
        odds = work_out(squads(2, 1), BLANK)
    assert set(odds.holds.values()) == {0}
