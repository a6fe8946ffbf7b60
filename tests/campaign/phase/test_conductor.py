"""The conductor of the Reorganization Phase, step by step (20.5.8.1, 20.6.4, 20.7.1), without a database."""

from itertools import product

import pytest

from campaign.acts import reorganizing, reporting
from campaign.ledger.act import Unfit
from campaign.ledger.dice import Dice
from campaign.models import Group, Unit
from campaign.phase import conductor, lookups
from campaign.rules.phase import read_phase
from campaign.rules.reports import News
from campaign.rules.sectors import Holding
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import Incomplete, Refused
from tests.campaign.memory import Memory, MemoryAct
from tests.oracles.bookkeeper import EDGES, NEIGHBOURS

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
# On To the Volga! the German begins with 1, 2, 6 and 7, the Russian with the rest.
OWN = {GERMAN: (1, 2, 6, 7), RUSSIAN: tuple(n for n in NEIGHBOURS if n not in (1, 2, 6, 7))}
DEAD, HURT, BLANK = 1, 42, 100  # on the columns 1-1 and 2-1 of the house table, the others on any


@pytest.fixture
def scene():
    """A firefight that the German attacked has ended; nobody is on the map yet."""
    with Memory.begin().open() as memory:
        yield memory


def opened(**values):
    """Another such scene, to be used with ``with``."""
    return Memory.begin(**values).open()


def squad(memory, side, sector, place="", marks=(), **more):
    return memory.add(side, "grenadier_squad" if side == GERMAN else "rifle_squad", sector, place, marks, **more)


def squads(memory, *sectors):
    """A squad of each side in each sector: German, Russian, German …"""
    return [squad(memory, side, sector) for sector in sectors for side in Side]


def tank(memory, side, sector, place="", marks=(), **more):
    return memory.add(side, "pz_iii_h" if side == GERMAN else "t_34_76_b", sector, place, marks, **more)


def confirm(memory):
    """Both sides have reported."""
    return [line for side in Side for line in memory.do(reorganizing.confirm_report, side)]


def leave(memory, *goings, side=None):
    """Some units try to leave: (unit, sector, die) or (unit, sector, die, hex); the others of their side stay."""
    side = side or goings[0][0].side
    dice = Dice("table", {f"die_{unit.number}": die for unit, _, die, *_ in goings})
    hexes = {unit.number: place for unit, _, _, *places in goings for place in places}
    return memory.do(reorganizing.redeploy, side, {unit.number: goal for unit, goal, *_ in goings}, dice, hexes)


def stay(memory, *sides):
    """These sides let everybody stay."""
    return [line for side in sides for line in leave(memory, side=side)]


def keys(units):
    return tuple((Side(unit.side), unit.number) for unit in units)


def fight(memory, ours, theirs, side=GERMAN, **faces):
    """Both sides sit at one device, and each attacks all of the other as one."""
    bout = Bout(keys(ours), keys(theirs))
    return memory.do(reorganizing.fight, side, bout, Dice("table", faces), plays_all=True)


def sentences_of(lines):
    return [line.sentence for line in lines]


def step(memory):
    return lookups.step(memory.ledger)


def at(memory):
    """The step and its sector."""
    return step(memory), memory.phase["sector"]


def deciders(memory):
    return conductor.find_deciders(memory.ledger)


def holding_of(memory, sector):
    return memory.ledger.control[sector]


def refuse(memory, act, side, *args, error=Refused, **options):
    before = memory.plain()
    with pytest.raises(error) as caught:
        memory.do(act, side, *args, **options)
    assert memory.plain() == before
    return caught.value


def refuse_leaving(memory, unit, goal, error=Unfit):
    return refuse(memory, reorganizing.redeploy, unit.side, {unit.number: goal}, Dice("app"), error=error)


def to_step(memory, stop):
    """Everybody stays, and the app fights, until the phase stands at a step."""
    while step(memory) is not stop:
        (side, *_) = deciders(memory)
        if step(memory) is Step.AFTER_ACTION:
            confirm(memory)
        elif step(memory) in (Step.EXISTING, Step.BATTLE):
            memory.do(reorganizing.fight_round, side, plays_all=True)
        else:
            stay(memory, side)


# Who controls what when a firefight ends (20.6.3)


def test_se_02_units_of_one_side_alone_take_their_sector(scene):
    """SE-02; an empty one stays with its owner (A-27)."""
    squad(scene, GERMAN, 11)
    squad(scene, RUSSIAN, 6)
    before = dict(scene.ledger.control)
    confirm(scene)
    assert {n: holding for n, holding in scene.ledger.control.items() if holding is not before[n]} == {
        11: Holding.GERMAN,
        6: Holding.RUSSIAN,
    }


def test_se_02_an_m_killed_vehicle_holds_a_sector_and_a_mine_does_not(scene):
    tank(scene, GERMAN, 11, marks=["m_killed"])
    scene.add(GERMAN, "mine_factor", 12)
    confirm(scene)
    assert (holding_of(scene, 11), holding_of(scene, 12)) == (Holding.GERMAN, Holding.RUSSIAN)


def test_se_03_hidden_units_of_an_unthreatened_sector_stay_hidden_and_hold_it(scene):
    squad(scene, GERMAN, 11, hidden=True)
    scene.add(GERMAN, "mine_factor", 11, hidden=True)
    stay_hidden = list(scene.ledger.units[GERMAN].values())
    to_step(scene, Step.AFTER_ACTION)
    confirm(scene)
    assert holding_of(scene, 11) is Holding.GERMAN
    assert all(unit.hidden for unit in stay_hidden)


@pytest.mark.parametrize("hidden", [(), (GERMAN,), (RUSSIAN,), (GERMAN, RUSSIAN)])
def test_se_04_units_of_both_sides_threaten_their_sector_hidden_ones_too(scene, hidden):
    for side in Side:
        squad(scene, side, 14, hidden=side in hidden)
    lines = confirm(scene)
    assert holding_of(scene, 14) is Holding.THREATENED
    assert "Threatened sectors: 14." in sentences_of(lines)
    assert at(scene) == (Step.ATTACKER_LEAVES, 14)


def test_ts_04_hidden_units_and_mines_in_a_threatened_sector_are_placed_when_it_is_fought_out(scene):
    first, later = (squad(scene, GERMAN, sector, hidden=True) for sector in (5, 9))
    mines = [scene.add(side, "mine_factor", 5, hidden=True) for side in Side]
    for sector in (5, 9):
        squad(scene, RUSSIAN, sector)
    lines = sentences_of(confirm(scene))
    assert [unit.hidden for unit in (first, later, *mines)] == [False, True, False, False]
    assert lines[-4:] == [
        f"German: Grenadier squad #{first.number} was hidden in sector 5, and is placed.",
        f"German: Mine factor #{mines[0].number} was hidden in sector 5, and is placed.",
        f"Russian: Mine factor #{mines[1].number} was hidden in sector 5, and is placed.",
        "Now sector 5 is fought over.",
    ]
    assert not scene.act.free_to_take_back
    stay(scene, GERMAN, RUSSIAN)
    while later.hidden:
        scene.do(reorganizing.fight_round, GERMAN)
    assert scene.phase["sector"] == 9


def test_ts_04_what_a_hidden_groups_place_cost_is_open_once_it_is_placed(scene):
    group = scene.add_group(RUSSIAN, "I1")
    line = scene.add_line(RUSSIAN, -2, group=group, sealed=True)
    squad(scene, RUSSIAN, 14, hidden=True, group=group)
    squad(scene, GERMAN, 14)
    confirm(scene)
    assert not line.sealed


def test_nothing_threatened_leads_straight_to_the_changes(scene):
    """No sector is threatened, so that nobody survived one: nobody may re-deploy in the end either."""
    tank(scene, GERMAN, 6, marks=["m_killed"])
    squad(scene, RUSSIAN, 14)
    assert "No sector is threatened." in sentences_of(confirm(scene))
    assert (step(scene), deciders(scene)) == (Step.UPKEEP, [GERMAN])


# The order of sectors and steps (20.6.4)


def test_ts_01_sectors_are_fought_out_in_number_order(scene):
    squads(scene, 22, 3, 14, 7, 12)
    confirm(scene)
    order = [scene.phase["sector"]]
    while scene.phase["sector"]:
        scene.do(reorganizing.resolve_rest, RUSSIAN, "sector", plays_all=True)
        if scene.phase["sector"]:
            order.append(scene.phase["sector"])
    assert order == scene.phase["fought_over"] == [3, 7, 12, 14, 22]


def test_ts_01_units_stay_in_their_hexes_meanwhile(scene):
    columns = ((3, GERMAN, "D"), (3, RUSSIAN, "E"), (14, GERMAN, "O"), (14, RUSSIAN, "P"))
    units = [squad(scene, side, sector, f"{column}7") for sector, side, column in columns]
    before = [(unit.sector, unit.hex) for unit in units]
    to_step(scene, Step.BATTLE)
    fight(scene, units[:1], units[1:2], attack=DEAD, defense=BLANK)
    assert at(scene) == (Step.ATTACKER_LEAVES, 14)
    assert [(unit.sector, unit.hex) for unit in units] == [before[0], (None, ""), *before[2:]]


@pytest.mark.parametrize("attacker", Side)
def test_ts_03_the_attacker_declares_and_rolls_before_the_defender_declares(attacker):
    with opened(attacker=attacker) as scene:
        first, second = sorted(squads(scene, 14), key=lambda unit: unit.side != attacker)
        defender = Side(second.side)
        confirm(scene)
        assert (at(scene), deciders(scene)) == ((Step.ATTACKER_LEAVES, 14), [attacker])
        refuse(scene, reorganizing.redeploy, defender, {}, Dice())
        leave(scene, (first, {GERMAN: 7, RUSSIAN: 13}[attacker], 10))  # a 9 on own ground: it stays
        assert (at(scene), deciders(scene)) == ((Step.DEFENDER_LEAVES, 14), [defender])
        refuse(scene, reorganizing.redeploy, attacker, {}, Dice())
        stay(scene, defender)
        assert (at(scene), deciders(scene)) == ((Step.BATTLE, 14), [attacker])


def test_ts_03_a_sector_that_all_attackers_left_is_the_defenders_who_need_not_declare(scene):
    german, russian = squads(scene, 14)
    confirm(scene)
    leave(scene, (german, 7, 1))
    assert german.sector == 7
    assert holding_of(scene, 14) is Holding.RUSSIAN
    assert (step(scene), deciders(scene)) == (Step.FINAL_DEFENDER, [RUSSIAN])


def test_ts_03_who_cannot_leave_is_not_asked(scene):
    """M-KILLED vehicles, and units that the enemy shuts in."""
    tank(scene, GERMAN, 14, marks=["m_killed"])
    squad(scene, RUSSIAN, 14)
    squads(scene, 18)
    scene.hold(dict.fromkeys(NEIGHBOURS[18], GERMAN))
    confirm(scene)
    assert (at(scene), deciders(scene)) == ((Step.DEFENDER_LEAVES, 14), [RUSSIAN])
    to_step(scene, Step.BATTLE)
    while scene.phase["sector"] != 18:
        scene.do(reorganizing.fight_round, deciders(scene)[0])
    assert deciders(scene) == [GERMAN]
    stay(scene, GERMAN)
    assert step(scene) is Step.BATTLE


# Close combat that is under way (step 1)


def test_ts_02_marked_units_fight_first_and_the_markers_come_off(scene):
    """Only those with a marker, hex by hex; whoever survives stays in the hex."""
    fighter, enemy = squad(scene, GERMAN, 14, "O7", ["close_combat"]), squad(scene, RUSSIAN, 14, "O7", ["close_combat"])
    beside = squad(scene, RUSSIAN, 14, "O8")
    alone = squad(scene, GERMAN, 14, "O9", ["close_combat"])
    confirm(scene)
    assert (at(scene), deciders(scene)) == ((Step.EXISTING, 14), [GERMAN, RUSSIAN])  # the Initiative says who is first
    refuse(scene, reorganizing.fight, GERMAN, Bout(keys([fighter]), keys([beside])), Dice("app"), error=Unfit)
    fight(scene, [fighter], [enemy], attack=BLANK, defense=BLANK)
    assert (at(scene), scene.phase["round"]) == ((Step.EXISTING, 14), 2)
    fight(scene, [fighter], [enemy], attack=DEAD, defense=BLANK)
    assert enemy.fate == Unit.Fate.ELIMINATED
    assert at(scene) == (Step.ATTACKER_LEAVES, 14)
    assert [(unit.hex, unit.marks) for unit in (fighter, beside, alone)] == [("O7", []), ("O8", []), ("O9", [])]


def test_ts_02_a_46_all_units_of_the_place_take_part_marked_or_not(scene):
    """By hex and level; whoever stands elsewhere, or nobody knows where, does not."""
    marked, enemy = squad(scene, GERMAN, 14, "O7", ["close_combat"]), squad(scene, RUSSIAN, 14, "O7")
    late, above = squad(scene, GERMAN, 14, "O7", ["pinned"]), squad(scene, GERMAN, 14, "O7/1")
    lost, beside = squad(scene, RUSSIAN, 14), squad(scene, RUSSIAN, 14, "O8")
    lines = confirm(scene)
    assert [unit.marks for unit in (marked, enemy, late, above, lost, beside)] == [
        ["close_combat"],
        ["close_combat"],
        ["pinned", "close_combat"],
        [],
        [],
        [],
    ]
    assert sentences_of(lines)[-1].startswith(
        "In the same place as Close Combat under way, and part of it: German Gren"
    )
    refuse(scene, reorganizing.fight, GERMAN, Bout(keys([marked]), keys([enemy])), Dice("app"), error=Unfit)
    fight(scene, [marked, late], [enemy], attack=DEAD, defense=BLANK)
    assert (enemy.fate, late.marks) == ("eliminated", ["pinned"])


def test_ts_02_infantry_that_ends_the_firefight_in_one_place_is_in_close_combat_unmarked_as_it_may_be(scene):
    """19.1.1, 19.1.6; not with a tank alone, not on another level, not with whoever is hidden there."""
    meeting = [squad(scene, side, 14, "O7") for side in Side]
    aboard = tank(scene, GERMAN, 14, "O7")
    apart = [squad(scene, GERMAN, 14, "O7/1"), tank(scene, GERMAN, 14, "Q7"), squad(scene, RUSSIAN, 14, "Q7")]
    unseen = [squad(scene, GERMAN, 14, "S7"), squad(scene, RUSSIAN, 14, "S7", hidden=True)]
    lines = confirm(scene)
    assert at(scene) == (Step.EXISTING, 14)
    assert [unit.marks for unit in (*meeting, aboard)] == [["close_combat"]] * 3
    assert [unit.marks for unit in (*apart, *unseen)] == [[]] * 5
    announcement = "In one place with the enemy, so Close Combat is under way: German Grenadier squad"
    assert any(sentence.startswith(announcement) for sentence in sentences_of(lines))


def test_ts_02_every_hex_has_its_own_close_combat(scene):
    pairs = [[squad(scene, side, 14, place, ["close_combat"]) for side in Side] for place in ("O7", "O9")]
    confirm(scene)
    (one, two), (three, four) = pairs
    refuse(scene, reorganizing.fight, GERMAN, Bout(keys([one]), keys([four])), Dice("app"), error=Unfit)
    fight(scene, [one], [two], attack=DEAD, defense=BLANK)
    assert (two.fate, step(scene)) == ("", Step.EXISTING)  # all fight before anything happens
    fight(scene, [three], [four], attack=BLANK, defense=DEAD)
    assert (two.fate, three.fate) == ("eliminated", "eliminated")
    assert step(scene) is Step.ATTACKER_LEAVES


def test_ts_02_markers_with_no_enemy_in_the_hex_come_off_without_a_fight(scene):
    one, two = squad(scene, GERMAN, 14, "O7", ["close_combat"]), squad(scene, RUSSIAN, 14, "O8", ["close_combat"])
    confirm(scene)
    assert at(scene) == (Step.ATTACKER_LEAVES, 14)
    assert one.marks == two.marks == []


# Leaving (step 2, 20.12.1)


def test_rd_01_the_goal_is_connected_and_not_the_enemys(scene):
    """RD-01, RD-05: not the enemy's, not far away, not where one is, not off the map."""
    german, russian = squads(scene, 11)
    scene.hold({5: "nobody", 12: "nobody"})
    squads(scene, 13)
    confirm(scene)
    assert [unit for unit, _ in lookups.list_candidates(scene.ledger, GERMAN)] == [german]
    for sector in range(24):
        if sector in (5, 6, 7, 12, 13):
            continue
        refused = refuse_leaving(scene, german, sector)
        (reason,) = refused.reasons
        assert reason.startswith(f"Grenadier squad #{german.number} cannot re-deploy to sector {sector}; ")
        assert reason.endswith("it can reach 5, 6, 7, 12, 13 (20.12.1).")
    stay(scene, GERMAN)
    assert [(unit, set(goals)) for unit, goals in lookups.list_candidates(scene.ledger, RUSSIAN)] == [
        (russian, {5, 12, 13, 14})
    ]


def test_rd_01_everything_that_is_wrong_is_said_before_a_die_is_rolled(scene):
    german, _ = squads(scene, 11)
    elsewhere, wreck = squad(scene, GERMAN, 7), tank(scene, GERMAN, 11, marks=["m_killed"])
    mine = scene.add(GERMAN, "mine_factor", 11)
    confirm(scene)
    goals = {unit.number: 6 for unit in (elsewhere, wreck, mine)} | {german.number: 12}
    refused = refuse(scene, reorganizing.redeploy, GERMAN, goals, Dice("app"), error=Unfit)
    assert refused.reasons == [
        f"Grenadier squad #{german.number} cannot re-deploy to sector 12; it can reach 6, 7 (20.12.1).",
        f"Grenadier squad #{elsewhere.number} cannot leave in this step (20.12.1).",
        f"Pz III H #{wreck.number} cannot leave in this step (20.12.1).",
        f"Mine factor #{mine.number} cannot leave in this step (20.12.1).",
    ]
    assert scene.match.next_roll == 1
    refuse(scene, reorganizing.redeploy, GERMAN, {99: 6}, Dice("app"), error=Unfit)


def leavers_of(memory):
    """One unit of each sort in sector 11, with what Casualties make of it; and a Russian who watches."""
    squad(memory, RUSSIAN, 11)
    sorts = [
        ("grenadier_squad", (), "reduced"),
        ("grenadier_squad", ("reduced",), None),
        ("officer", (), "wounded"),
        ("officer", ("wounded",), None),
        ("heavy_mg_34", (), None),
        ("pak_38", (), None),
    ]
    return [(memory.add(GERMAN, counter, 11, marks=marks), hurt) for counter, marks, hurt in sorts]


@pytest.mark.parametrize("face", range(1, 11))
def test_rd_02_infantry_on_every_face_towards_nobodys_ground(scene, face):
    """RD-02, TS-06, without any DRM: 1-7 goes, 8 goes hurt, 9 stays hurt, 10 dies; at once."""
    scene.hold({12: "nobody"})
    units = leavers_of(scene)
    confirm(scene)
    leave(scene, *((unit, 12, face) for unit, _ in units))
    for unit, hurt in units:
        dies = face == 10 or (face in (8, 9) and hurt is None)
        assert (unit.fate == Unit.Fate.ELIMINATED) == dies
        if not dies:
            assert unit.sector == (12 if face <= 8 else 11)
            assert (hurt in unit.marks) == (face in (8, 9)) if hurt else True


@pytest.mark.parametrize("face", range(1, 11))
def test_rd_03_vehicles_on_every_face(scene, face):
    """RD-03: 1-7 goes, 8 stays, 9 and 10 a wreck. An F-KILLED one moves like others."""
    scene.hold({12: "nobody"})
    squad(scene, RUSSIAN, 11)
    vehicles = [tank(scene, GERMAN, 11), tank(scene, GERMAN, 11, marks=["f_killed"])]
    confirm(scene)
    leave(scene, *((unit, 12, face) for unit in vehicles))
    assert [unit.sector for unit in vehicles] == [12 if face <= 7 else 11 if face == 8 else None] * 2
    assert [bool(unit.fate) for unit in vehicles] == [face >= 9] * 2


@pytest.mark.parametrize(
    ("marks", "drm"),
    [
        ((), 0),
        *(((mark,), 1) for mark in ("disrupted", "wia", "enfiladed")),
        (("disrupted", "wia", "enfiladed"), 1),
        (("in_sewer",), 2),
        (("in_sewer", "wia"), 3),
        (("pinned", "reduced"), 0),
    ],
)
@pytest.mark.parametrize(("goal", "ground_drm"), [(12, 0), (6, -1), (13, 2)])
def test_rd_04_states_sewers_and_goals_add_up(scene, marks, drm, goal, ground_drm):
    """RD-04, A-31, A-32: nobody's 0, own -1, threatened +2; several of the +1 states count once."""
    scene.hold({12: "nobody"})
    unit, _ = squad(scene, GERMAN, 11, marks=marks), squad(scene, RUSSIAN, 11)
    squads(scene, 13)
    confirm(scene)
    (line, *_) = leave(scene, (unit, goal, 4))
    total = max(1, min(10, 4 + drm + ground_drm))
    assert f" {4 + drm + ground_drm} on the Re-Deployment Table." in line.sentence
    assert (unit.sector == goal) == (total <= 8)


def test_rd_04_a_suppressed_vehicle_rolls_with_plus_1(scene):
    unit, _ = tank(scene, GERMAN, 11, marks=["suppressed"]), squad(scene, RUSSIAN, 11)
    confirm(scene)
    (line, *_) = leave(scene, (unit, 6, 8))
    assert line.sentence == "German, Pz III H #1 to sector 6: Remains: 8 on the Re-Deployment Table."
    assert unit.sector == 11


def test_a_unit_that_casualties_flip_sheds_what_marked_it(scene):
    """18.1.4: a C leaves neither Pinned Down nor Disrupted nor WIA; other marks stay."""
    scene.hold({12: "nobody"})
    marks = ["pinned", "disrupted", "wia", "enfiladed"]
    unit, officer = squad(scene, GERMAN, 11, marks=marks), scene.add(GERMAN, "officer", 11, marks=marks)
    squad(scene, RUSSIAN, 11)
    confirm(scene)
    leave(scene, (unit, 12, 8), (officer, 12, 7))
    assert (unit.sector, unit.marks) == (11, ["enfiladed", "reduced"])
    assert (officer.sector, officer.marks) == (12, ["enfiladed", "wounded"])


def test_ts_06_who_fails_to_leave_must_stay_and_fight(scene):
    german, russian = squads(scene, 14)
    confirm(scene)
    leave(scene, (german, 7, 10))
    assert (german.sector, "reduced" in german.marks) == (14, True)  # a 9 on own ground
    refuse_leaving(scene, german, 7, error=Refused)
    stay(scene, RUSSIAN)
    assert deciders(scene) == [GERMAN]
    fight(scene, [german], [russian], attack=BLANK, defense=BLANK)
    refuse_leaving(scene, german, 7, error=Refused)


def test_a_roll_without_its_die_is_none(scene):
    german, _ = squads(scene, 14)
    confirm(scene)
    refused = refuse(scene, reorganizing.redeploy, GERMAN, {german.number: 7}, Dice(), error=Incomplete)
    assert refused.result.needs == (f"die_{german.number}",)


# Arrivals (TS-07, A-29)


def test_ts_07_who_arrives_where_the_enemy_stands_is_in_close_combat(scene):
    german, _ = squads(scene, 11)
    enemy, other_enemy = squad(scene, RUSSIAN, 14, "O7"), squad(scene, RUSSIAN, 14, "O9")
    friend = squad(scene, GERMAN, 14, "O7")
    confirm(scene)
    leave(scene, (german, 14, 1, "o7"))
    assert (german.sector, german.hex, german.marks) == (14, "O7", ["close_combat"])
    # Sector 11 is the Russian's, who need not decide; in 14 all of the hex take part.
    assert at(scene) == (Step.EXISTING, 14)
    assert (enemy.marks, other_enemy.marks, friend.marks) == (["close_combat"], [], ["close_combat"])
    fight(scene, [german, friend], [enemy], attack=DEAD, defense=BLANK)
    assert (enemy.fate, step(scene)) == ("eliminated", Step.ATTACKER_LEAVES)


def test_ts_07_without_a_hex_or_in_one_of_its_own_nobody_is_marked(scene):
    units = [squad(scene, GERMAN, 11) for _ in range(2)]
    squad(scene, RUSSIAN, 11)
    enemy, _ = squad(scene, RUSSIAN, 14, "O7"), squad(scene, GERMAN, 14)
    confirm(scene)
    leave(scene, (units[0], 14, 1), (units[1], 14, 1, "O8"))
    assert [(unit.sector, unit.hex, unit.marks) for unit in units] == [(14, "", []), (14, "O8", [])]
    assert enemy.marks == []


def test_ts_07_a_hidden_enemy_in_that_hex_is_shown_and_no_other(scene):
    """The rest is placed when that sector's turn comes (TS-04)."""
    (german, _), _ = [squad(scene, GERMAN, 11) for _ in range(2)], squad(scene, RUSSIAN, 11)
    squad(scene, GERMAN, 14)
    in_hex, elsewhere = (squad(scene, RUSSIAN, 14, place, hidden=True) for place in ("O7", "O8"))
    confirm(scene)
    lines = leave(scene, (german, 14, 1, "O7"))
    assert "Russian: Rifle squad #2 was hidden in sector 14, and is placed." in sentences_of(lines)
    assert [(unit.hidden, unit.marks) for unit in (in_hex, elsewhere)] == [(False, ["close_combat"]), (True, [])]
    assert not scene.act.free_to_take_back


def test_ts_07_arrivals_leave_sewer_and_old_close_combat_behind(scene):
    german, _ = squad(scene, GERMAN, 11, marks=["in_sewer", "pinned"]), squad(scene, RUSSIAN, 11)
    confirm(scene)
    leave(scene, (german, 7, 1))
    assert (german.sector, german.marks) == (7, ["pinned"])


def test_ts_07_arrivals_fight_for_the_sector_that_they_came_to(scene):
    german, _ = squads(scene, 11)
    enemy, friend = squad(scene, RUSSIAN, 14), squad(scene, GERMAN, 14)
    confirm(scene)
    leave(scene, (german, 14, 1))
    to_step(scene, Step.BATTLE)
    fight(scene, [german, friend], [enemy], attack=DEAD, defense=BLANK)
    assert (holding_of(scene, 11), holding_of(scene, 14)) == (Holding.RUSSIAN, Holding.GERMAN)


def test_a_29_a_sector_already_fought_out_belongs_to_its_winner(scene):
    """The winner's units may come to it, the loser's may not."""
    one, two = squads(scene, 5)
    german, russian = squads(scene, 11)
    confirm(scene)
    stay(scene, GERMAN, RUSSIAN)
    fight(scene, [one], [two], attack=DEAD, defense=BLANK)
    assert (holding_of(scene, 5), at(scene)) == (Holding.GERMAN, (Step.ATTACKER_LEAVES, 11))
    stay(scene, GERMAN)
    assert refuse_leaving(scene, russian, 5).reasons[0].endswith("it can reach 12, 13, 14 (20.12.1).")
    to_step(scene, Step.FINAL_ATTACKER)


def test_a_29_a_sector_of_nobody_that_both_come_to_is_threatened_and_comes_last(scene):
    scene.hold({5: "nobody"})
    germans = [squad(scene, GERMAN, 11) for _ in range(2)]
    russians = [squad(scene, RUSSIAN, 11) for _ in range(2)]
    squads(scene, 12, 20)
    confirm(scene)
    leave(scene, (germans[0], 5, 1))
    assert holding_of(scene, 5) is Holding.NOBODY
    lines = leave(scene, (russians[0], 5, 1))
    assert holding_of(scene, 5) is Holding.THREATENED
    assert "Threatened now as well: 5." in sentences_of(lines)
    order = []
    while scene.phase["sector"]:
        order.append(scene.phase["sector"])
        scene.do(reorganizing.resolve_rest, GERMAN, "sector", plays_all=True)
    assert order == [11, 12, 20, 5]
    assert scene.phase["fought_over"] == [5, 11, 12, 20]


def test_a_29_who_enters_it_once_both_are_there_enters_a_threatened_sector(scene):
    """RD-04: +2 from then on, and not before."""
    scene.hold({5: "nobody"})
    (german, _), (russian, _) = ([squad(scene, side, 4) for _ in range(2)] for side in Side)
    late, _ = squads(scene, 11)
    confirm(scene)
    for unit in (german, russian):
        (line, *_) = leave(scene, (unit, 5, 6))
        assert line.sentence.endswith("Re-deploys: 6 on the Re-Deployment Table.")
    while scene.phase["sector"] == 4:
        scene.do(reorganizing.fight_round, GERMAN)
    (line, *_) = leave(scene, (late, 5, 6))
    assert line.sentence.endswith("Re-deploys with Casualties: 8 on the Re-Deployment Table.")


def test_a_29_of_a_party_each_rolls_with_the_same_odds(scene):
    """The sector becomes threatened once all of them have rolled."""
    scene.hold({5: "nobody"})
    (first, _), (one, two, _) = (
        [squad(scene, GERMAN, 11) for _ in range(2)],
        [squad(scene, RUSSIAN, 11) for _ in range(3)],
    )
    confirm(scene)
    leave(scene, (first, 5, 1))
    lines = leave(scene, (one, 5, 7), (two, 5, 7))
    assert [line.sentence.endswith("Re-deploys: 7 on the Re-Deployment Table.") for line in lines[:2]] == [True, True]
    assert holding_of(scene, 5) is Holding.THREATENED


def test_a_29_a_sector_that_emptied_and_that_both_come_to_again_comes_last_too(scene):
    one, two = squads(scene, 5)
    (german, _), (russian, _) = ([squad(scene, side, 11) for _ in range(2)] for side in Side)
    squads(scene, 12)
    confirm(scene)
    stay(scene, GERMAN, RUSSIAN)
    fight(scene, [one], [two], attack=DEAD, defense=DEAD)
    assert (holding_of(scene, 5), at(scene)) == (Holding.NOBODY, (Step.ATTACKER_LEAVES, 11))
    leave(scene, (german, 5, 1))
    leave(scene, (russian, 5, 1))
    order = []
    while scene.phase["sector"]:
        order.append(scene.phase["sector"])
        scene.do(reorganizing.resolve_rest, GERMAN, "sector", plays_all=True)
    assert order == [11, 12, 5]


# Mines (TS-05), told while the sector is fought out


def report(memory, unit, news, **more):
    return memory.do(reporting.report, unit.side, [unit.number], News(news), **more)


@pytest.mark.parametrize("first", Side)
def test_ts_05_what_mines_do_can_be_told_while_units_leave(scene, first):
    """By both sides, of units of this sector alone; what it does is what an attack on the FFT can do."""
    scene.hold({12: "nobody"})
    mined = [squad(scene, first, 11) for _ in range(4)] + [scene.add(first, "officer", 11)]
    vehicle = tank(scene, first, 11)
    (enemy,) = (squad(scene, side, 11) for side in Side if side != first)
    elsewhere = squad(scene, first, 7 if first == GERMAN else 12)
    confirm(scene)
    for unit, news in zip(mined, ("eliminated", "reduced", "disrupted", "wia", "wounded"), strict=True):
        report(scene, unit, news)
    report(scene, vehicle, "m_killed")
    for news in ("move", "enter", "exit", "show", "f_killed", "enfiladed", "in_sewer", "close_combat", "good_order"):
        refuse(scene, reporting.report, first, [mined[1].number], News(news), 7)
    refused = refuse(scene, reporting.report, first, [elsewhere.number], News.REDUCED, error=Unfit)
    assert refused.reasons[0].endswith("is not in sector 11, which is fought out now.")
    to_step(scene, Step.BATTLE)
    refuse(scene, reporting.report, enemy.side, [enemy.number], News.ELIMINATED)


def test_ts_05_if_mines_leave_one_side_alone_the_phase_goes_on(scene):
    _, russian = squads(scene, 11)
    squads(scene, 12)
    confirm(scene)
    report(scene, russian, "eliminated")
    assert holding_of(scene, 11) is Holding.GERMAN
    assert (at(scene), deciders(scene)) == ((Step.ATTACKER_LEAVES, 12), [GERMAN])


def test_ts_05_if_mines_stop_the_last_vehicle_that_could_leave_the_phase_goes_on(scene):
    vehicle, _ = tank(scene, GERMAN, 11), squad(scene, RUSSIAN, 11)
    confirm(scene)
    assert deciders(scene) == [GERMAN]
    report(scene, vehicle, "m_killed")
    assert (at(scene), deciders(scene)) == ((Step.DEFENDER_LEAVES, 11), [RUSSIAN])


def mine(memory, sector, place="", side=RUSSIAN, **more):
    return memory.add(side, "mine_factor", sector, place, **more)


def blow_up(memory, units, factors=20, drm=0, **faces):
    """The mine attack on some units of a side."""
    dice, numbers = Dice("table", faces), [unit.number for unit in units]
    return memory.do(reorganizing.suffer_mines, Side(units[0].side), numbers, factors, drm, dice)


def refuse_blowing_up(memory, units, factors=20, drm=0, error=Unfit):
    numbers = [unit.number for unit in units]
    return refuse(
        memory, reorganizing.suffer_mines, Side(units[0].side), numbers, factors, drm, Dice("app"), error=error
    )


@pytest.mark.parametrize("owner", Side)
def test_ts_05_units_in_a_mine_hex_are_attacked_before_anybody_stays_or_leaves(scene, owner):
    """Whoever owns the mines, whether the units leave or stay, and once; others in the sector are not."""
    mined, other = squad(scene, GERMAN, 14, "O7"), squad(scene, GERMAN, 14, "O8")
    enemy = squad(scene, RUSSIAN, 14, "O9")
    mine(scene, 14, "O7", owner, hidden=True)
    confirm(scene)
    assert lookups.list_mined(scene.ledger, GERMAN) == [(mined, True)]
    for goals in ({}, {other.number: 7}):
        refused = refuse(scene, reorganizing.redeploy, GERMAN, goals, Dice("app"), error=Unfit)
        assert refused.reasons == [
            "First the mine attack, whether they stay or leave: Grenadier squad #1 in O7 (20.6.4 step 2)."
        ]
    refuse_blowing_up(scene, [other])
    refuse_blowing_up(scene, [enemy], error=Refused)
    (line,) = blow_up(scene, [mined], mine=100)
    assert line.sentence == (
        "German, mines in O7, sector 14: No effect: 100 on column 20. Grenadier squad #1 unchanged."
    )
    assert [(die.die, die.sides, die.face) for die in line.rolls] == [("mine", 100, 100)]
    assert scene.phase["mined"] == [["german", mined.number]]
    refuse_blowing_up(scene, [mined])
    assert (step(scene), deciders(scene)) == (Step.ATTACKER_LEAVES, [GERMAN])
    leave(scene, (mined, 7, 1))
    assert step(scene) is Step.DEFENDER_LEAVES


def test_ts_05_who_may_stand_in_a_mine_hex_is_asked(scene):
    """Where a hex is not noted the app cannot know: its side says so, or goes on."""
    one, two = squad(scene, GERMAN, 14), squad(scene, GERMAN, 14, "O8")
    squad(scene, RUSSIAN, 14, "O9")
    mine(scene, 14, "O9")
    confirm(scene)
    assert lookups.list_mined(scene.ledger, GERMAN) == [(one, False)]
    refuse_blowing_up(scene, [one, two])
    blow_up(scene, [one], mine=1, check_1=1)
    assert one.fate
    stay(scene, GERMAN)
    assert (step(scene), deciders(scene)) == (Step.DEFENDER_LEAVES, [RUSSIAN])


def test_ts_05_a_side_that_cannot_leave_is_asked_for_its_mines_too(scene):
    """M-KILLED vehicles, too, suffer them; then nothing is left to decide."""
    immobile, vehicle = tank(scene, GERMAN, 14, "O7", ["m_killed"]), tank(scene, GERMAN, 14, "O8")
    squad(scene, RUSSIAN, 14, "O9")
    for place in ("O7", "O8"):
        mine(scene, 14, place)
    scene.hold({7: RUSSIAN, 16: RUSSIAN})
    confirm(scene)
    assert (at(scene), deciders(scene)) == ((Step.ATTACKER_LEAVES, 14), [GERMAN])
    lines = sentences_of(blow_up(scene, [vehicle], mine=38))
    assert lines == ["German, mines in O8, sector 14: C: 38 on column 20. Pz III H #2 M-KILLED (our ruling, R-73)."]
    blow_up(scene, [immobile], mine=38)
    assert (immobile.marks, vehicle.marks, step(scene)) == (["m_killed"], ["m_killed"], Step.DEFENDER_LEAVES)


def test_ts_05_what_the_dice_of_a_mine_hex_do(scene):
    """2E of three: the highest two by their dice go, the rest checks with the highest check of the column."""
    units = [squad(scene, GERMAN, 14, "O7", marks) for marks in ((), ["pinned"], ["disrupted"])]
    squad(scene, RUSSIAN, 14, "O9")
    mine(scene, 14, "O7")
    confirm(scene)
    missing = refuse_dice(scene, units, mine=1)
    assert missing == ("hit_1", "hit_2", "hit_3")
    missing = refuse_dice(scene, units, mine=1, hit_1=3, hit_2=9, hit_3=9)
    assert missing == ("check_1",)
    blow_up(scene, units, mine=1, hit_1=3, hit_2=9, hit_3=9, check_1=8)  # 8 + 3 against TQ 7: missed by 4
    assert [(bool(unit.fate), unit.marks) for unit in units][0] == (False, ["disrupted"])
    assert [bool(unit.fate) for unit in units] == [False, True, True]


def refuse_dice(memory, units, **faces):
    """Which dice a mine attack still asks for."""
    before = memory.plain()
    with pytest.raises(Incomplete) as caught:
        blow_up(memory, units, **faces)
    assert memory.plain() == before
    return caught.value.result.needs


def test_ts_05_casualties_and_checks_by_mines(scene):
    """C flips a squad, wounds a leader, which sheds its markers; C/M makes everybody left check then."""
    one, leader = squad(scene, GERMAN, 14, "O7", ["pinned"]), scene.add(GERMAN, "officer", 14, "O7", ["disrupted"])
    squad(scene, RUSSIAN, 14, "O9")
    mine(scene, 14, "O7")
    confirm(scene)
    blow_up(scene, [one, leader], mine=41, hit_1=5, hit_2=5)  # C on column 20: 35 to 41
    assert (one.marks, leader.marks) == (["reduced"], ["wounded"])


def test_ts_05_mines_of_one_hex_at_a_time_with_factors_within_bounds(scene):
    one, two = squad(scene, GERMAN, 14, "O7"), squad(scene, GERMAN, 14, "O8")
    squad(scene, RUSSIAN, 14, "O9")
    for place in ("O7", "O8"):
        mine(scene, 14, place)
    confirm(scene)
    assert (
        "One hex at a time: these units stand in several (20.6.4 step 2)."
        in refuse_blowing_up(scene, [one, two]).reasons
    )
    for factors, drm in ((0, 0), (101, 0), (20, 101), (20, -101)):
        refuse_blowing_up(scene, [one], factors, drm)
    lines = sentences_of(blow_up(scene, [one], drm=25, mine=70))
    assert lines[0].startswith("German, mines in O7, sector 14: No effect: 95 on column 20.")


def test_ts_05_who_comes_from_another_sector_into_a_mine_hex_is_attacked_there(scene):
    goer, _ = squad(scene, GERMAN, 11, "K7"), squad(scene, RUSSIAN, 11, "K8")
    squads(scene, 14)
    mine(scene, 11, "K7")
    mine(scene, 14, "O7")
    confirm(scene)
    blow_up(scene, [goer], mine=100)
    leave(scene, (goer, 14, 1, "O7"))
    assert at(scene) == (Step.ATTACKER_LEAVES, 14)
    assert (goer, True) in lookups.list_mined(scene.ledger, GERMAN)


def test_a_hurry_stops_before_mines_whose_factors_nobody_knows(scene):
    mined, _ = squad(scene, GERMAN, 14, "O7"), squad(scene, RUSSIAN, 14, "O9")
    mine(scene, 14, "O7")
    confirm(scene)
    lines = sentences_of(scene.do(reorganizing.resolve_rest, RUSSIAN, "phase", plays_all=True))
    assert lines[-1] == "Mines attack first: roll for the units in their hexes, then ask again (20.6.4 step 2)."
    assert step(scene) is Step.ATTACKER_LEAVES
    blow_up(scene, [mined], mine=100)
    scene.do(reorganizing.resolve_rest, RUSSIAN, "phase", plays_all=True)
    assert scene.ledger.stage is Stage.REINFORCEMENTS


# Close combat for the sector (step 3)


def test_ts_08_the_nearest_fight_first_and_the_attacker_picks(scene):
    """TS-08, TS-12; every rule that forbids a pairing is named."""
    ours = squad(scene, GERMAN, 14, "O7"), squad(scene, GERMAN, 14, "O12")
    theirs = squad(scene, RUSSIAN, 14, "O8"), squad(scene, RUSSIAN, 14, "O13")
    to_step(scene, Step.BATTLE)
    bout = Bout(keys(ours[:1]), keys(theirs[1:]))
    refused = refuse(scene, reorganizing.fight, GERMAN, bout, Dice("app"), error=Unfit)
    assert refused.reasons == [
        "Grenadier squad #1 first fights Rifle squad #1 (20.6.4 step 3).",
        "Rifle squad #2 first fights Grenadier squad #2 (20.6.4 step 3).",
    ]
    refuse(scene, reorganizing.fight, RUSSIAN, Bout(keys(theirs[:1]), keys(ours[:1])), Dice("app"))
    fight(scene, ours[:1], theirs[:1], attack=BLANK, defense=BLANK)


def test_ts_09_more_than_one_hex_holds_may_not_gather(scene):
    ours = [squad(scene, GERMAN, 14, "O7") for _ in range(4)]
    enemy = squad(scene, RUSSIAN, 14, "O8")
    to_step(scene, Step.BATTLE)
    refused = refuse(scene, reorganizing.fight, GERMAN, Bout(keys(ours), keys([enemy])), Dice("app"), error=Unfit)
    message = "German: 4 squads or equivalents are too many: one hex holds 3 (house value) (20.6.4 step 3)."
    assert refused.reasons[0].startswith(message)


def test_ts_10_an_m_killed_vehicle_only_fights_back_and_stays_where_it_is(scene):
    wreck, friend = tank(scene, RUSSIAN, 14, "O7", ["m_killed"]), squad(scene, RUSSIAN, 14, "O12")
    near, far = squad(scene, GERMAN, 14, "O9"), squad(scene, GERMAN, 14, "O11")
    scene.ledger.campaign.attacker = RUSSIAN.value
    to_step(scene, Step.BATTLE)
    assert scene.phase["met"] == []
    refuse(scene, reorganizing.fight, RUSSIAN, Bout(keys([wreck]), keys([far])), Dice("app"), error=Unfit)
    fight(scene, [friend], [far], RUSSIAN, attack=BLANK, defense=BLANK)
    assert deciders(scene) == [GERMAN]  # all that the Attacker has left may only fight back
    fight(scene, [near], [wreck], attack=BLANK, defense=BLANK)
    assert (wreck.sector, wreck.hex, scene.phase["round"]) == (14, "O7", 2)


def test_ts_10_it_attacks_if_an_enemy_ended_the_firefight_in_its_hex():
    with opened(attacker=RUSSIAN) as scene:
        wreck, enemy = tank(scene, RUSSIAN, 14, "O7", ["m_killed"]), squad(scene, GERMAN, 14, "O7")
        to_step(scene, Step.BATTLE)
        assert scene.phase["met"] == [["russian", wreck.number]]
        fight(scene, [wreck], [enemy], RUSSIAN, attack=BLANK, defense=BLANK)


def test_ts_10_the_enemy_in_its_hex_is_judged_when_the_firefight_ends(scene):
    """Not when its sector comes up: meanwhile the enemy may have gone, or another may have come."""
    left_alone, _ = tank(scene, RUSSIAN, 14, "O7", ["m_killed"]), squad(scene, RUSSIAN, 14, "O12")
    visited = tank(scene, RUSSIAN, 14, "O9", ["m_killed"])
    leaver, stayer = squad(scene, GERMAN, 14, "O7"), squad(scene, GERMAN, 14, "O12")
    comer, _ = squad(scene, GERMAN, 11, "K7"), squad(scene, RUSSIAN, 11, "K9")
    confirm(scene)
    assert scene.phase["ended_in_hex"] == [["russian", left_alone.number]]
    leave(scene, (comer, 14, 1, "O9"))
    assert at(scene) == (Step.EXISTING, 14)
    assert scene.phase["met"] == [["russian", left_alone.number]]
    assert [unit.hex for unit in (leaver, stayer, visited)] == ["O7", "O12", "O9"]


def test_ts_10_who_left_the_hex_and_sector_ended_the_firefight_there_all_the_same(scene):
    scene.hold({5: "nobody"})
    vehicle, mate = tank(scene, RUSSIAN, 14, "O7", ["m_killed"]), squad(scene, RUSSIAN, 14, "O12")
    company, other = squad(scene, GERMAN, 14, "O7"), squad(scene, GERMAN, 14, "O12")
    confirm(scene)
    company.sector, company.hex = 7, ""  # as if by an earlier sector
    scene.ledger.phase = read_phase({**scene.phase, "waiting": [14]})
    conductor._next_sector(act_of(scene))
    assert scene.phase["met"] == [["russian", vehicle.number]]
    assert {mate.sector, other.sector} == {14}


def test_ts_11_nothing_counts_for_an_afv_in_the_open(scene):
    ours, theirs = squad(scene, GERMAN, 14), tank(scene, RUSSIAN, 14)
    to_step(scene, Step.BATTLE)
    bout = Bout(keys([ours]), keys([theirs]), in_open=frozenset([RUSSIAN]))
    refused = refuse(scene, reorganizing.fight, GERMAN, bout, Dice("app"), error=Unfit)
    assert refused.reasons == ["Sector combat uses no DRM for AFV in the open (20.6.4 step 3)."]
    fight(scene, [ours], [theirs], attack=BLANK, defense=BLANK)


def test_ts_13_all_fight_one_round_before_anybody_fights_a_second_and_nothing_happens_before(scene):
    ours = [squad(scene, GERMAN, 14) for _ in range(2)]
    theirs = [squad(scene, RUSSIAN, 14) for _ in range(2)]
    to_step(scene, Step.BATTLE)
    (line,) = fight(scene, ours[:1], theirs[:1], attack=DEAD, defense=DEAD)
    assert [unit.fate for unit in (*ours, *theirs)] == ["", "", "", ""]
    assert line.sentence.endswith("After the round: Rifle squad #1 eliminated, Grenadier squad #1 eliminated.")
    for pairing in ((ours[:1], theirs[1:]), (ours[1:], theirs[:1])):
        refused = refuse(scene, reorganizing.fight, GERMAN, Bout(*map(keys, pairing)), Dice("app"), error=Unfit)
        assert any("has fought in this round" in reason for reason in refused.reasons)
    _, ended = fight(scene, ours[1:], theirs[1:], attack=BLANK, defense=BLANK)
    assert ended.sentence == "Round 1 is over: German Grenadier squad #1 eliminated, Russian Rifle squad #1 eliminated."
    assert [unit.fate for unit in (*ours, *theirs)] == ["eliminated", "", "eliminated", ""]
    assert (step(scene), scene.phase["round"]) == (Step.BATTLE, 2)
    fight(scene, ours[1:], theirs[1:], attack=BLANK, defense=BLANK)
    assert scene.phase["round"] == 3


SQUAD, TEAM = "grenadier_squad", "heavy_mg_34"


@pytest.mark.parametrize(
    ("counter", "by", "marks", "after_c"),
    [
        ("rifle_squad", SQUAD, [], ["reduced"]),
        ("rifle_squad", SQUAD, ["disrupted", "enfiladed"], ["enfiladed", "reduced"]),
        ("rifle_squad", SQUAD, ["pinned"], ["reduced"]),
        ("rifle_squad", SQUAD, ["wia"], ["reduced"]),
        ("rifle_squad", SQUAD, ["reduced"], None),
        ("officer", TEAM, [], ["wounded"]),
        ("officer", TEAM, ["wounded"], None),
        ("maxim_m1910", TEAM, [], None),
        ("ptp_42", TEAM, [], None),
        ("t_34_76_b", SQUAD, [], ["m_killed"]),
        ("t_34_76_b", SQUAD, ["f_killed", "suppressed"], ["f_killed", "suppressed", "m_killed"]),
    ],
)
def test_what_each_result_of_close_combat_makes_of_a_unit(counter, by, marks, after_c):
    """E is the end; a C flips a squad, wounds a leader, M-KILLs a vehicle, and is the end of the rest."""
    for face, after in ((DEAD, None), (HURT, after_c), (BLANK, marks)):
        with opened() as scene:
            one, two = scene.add(GERMAN, by, 14), scene.add(RUSSIAN, counter, 14, marks=marks)
            to_step(scene, Step.BATTLE)
            fight(scene, [one], [two], attack=face, defense=BLANK)
            assert bool(two.fate) is (after is None)
            assert two.fate or two.marks == after


def test_ts_13_a_leader_lends_5_and_the_dice_say_who_of_several_is_hit(scene):
    officer, own = scene.add(GERMAN, "officer", 14), squad(scene, GERMAN, 14)
    enemies = [squad(scene, RUSSIAN, 14), scene.add(RUSSIAN, "commissar", 14)]
    to_step(scene, Step.BATTLE)
    bout = Bout(keys([own, officer]), keys(enemies))
    dice = Dice("table", {"attack": HURT, "defense": BLANK})
    refused = refuse(scene, reorganizing.fight, GERMAN, bout, dice, error=Incomplete, plays_all=True)
    assert refused.result.needs == ("attack_hit_1", "attack_hit_2")
    (line, _) = fight(scene, [own, officer], enemies, attack=HURT, defense=BLANK, attack_hit_1=3, attack_hit_2=8)
    assert [(roll.die, roll.face) for roll in line.rolls] == [
        ("attack", HURT),
        ("defense", BLANK),
        ("attack_hit_1", 3),
        ("attack_hit_2", 8),
    ]
    assert [unit.marks for unit in enemies] == [[], ["wounded"]]


def gathering(scene):
    """Two German squads and an NCO have met two Russian squads, on two devices."""
    ours = [squad(scene, GERMAN, 14) for _ in range(2)] + [scene.add(GERMAN, "nco", 14)]
    theirs = [squad(scene, RUSSIAN, 14) for _ in range(2)]
    to_step(scene, Step.BATTLE)
    return ours, theirs


def attack(by, on):
    return Attack(keys(by), keys(on))


def test_ts_12_a_44_the_attacker_gathers_and_each_side_divides_its_own_attacks(scene):
    """The bout waits for the other side, which answers with its own attacks; then the dice are rolled."""
    ours, theirs = gathering(scene)
    first = Bout(keys(ours), keys(theirs), (attack(ours[:1], theirs[:1]), attack(ours[1:], theirs[1:])))
    lines = scene.do(reorganizing.fight, GERMAN, first, Dice("app"))
    assert sentences_of(lines) == [
        "Sector 14, round 1, declared: Grenadier squad #1, Grenadier squad #2, NCO #3 against Rifle squad #1, "
        "Rifle squad #2. German attacks: Grenadier squad #1 on Rifle squad #1; Grenadier squad #2, NCO #3 on Rifle "
        "squad #2. Russian says whom it attacks, and both roll."
    ]
    assert (lines[0].rolls, deciders(scene), scene.phase["fought"]) == ((), [RUSSIAN], [])
    refuse(scene, reorganizing.fight, GERMAN, first, Dice("app"))
    answer = Bout(keys(ours), keys(theirs), (attack(theirs, ours[1:2]),))
    dice = Dice("table", {"attack": BLANK, "attack_2": DEAD, "defense": DEAD, "defense_hit_1": 9, "defense_hit_2": 2})
    lines = scene.do(reorganizing.fight, RUSSIAN, answer, dice)
    assert [unit.fate for unit in (*ours, *theirs)] == ["", "eliminated", "", "", "eliminated"]
    assert [(roll.die, roll.face) for roll in lines[0].rolls][:3] == [
        ("attack", BLANK),
        ("attack_2", DEAD),
        ("defense", DEAD),
    ]


def test_the_answer_changes_only_its_own_sides_attacks(scene):
    ours, theirs = gathering(scene)
    first = Bout(keys(ours), keys(theirs), (attack(ours, theirs[:1]),))
    scene.do(reorganizing.fight, GERMAN, first, Dice())
    attacks = (attack(ours[:1], theirs[1:]), attack(theirs, ours[:1]))
    twisted = Bout(keys(ours[:1]), keys(theirs), attacks, by_value=frozenset(keys(ours[2:])))
    scene.do(reorganizing.fight, RUSSIAN, twisted, Dice("app"))
    (fought,) = scene.bouts
    assert fought.attackers == keys(ours)
    assert fought.attacks_of(GERMAN) == (attack(ours, theirs[:1]),)
    assert fought.attacks_of(RUSSIAN) == (attack(theirs, ours[:1]),)
    assert fought.by_value == frozenset()


def test_an_answer_that_breaks_a_rule_is_refused_and_the_bout_waits_on(scene):
    ours, theirs = gathering(scene)
    scene.do(reorganizing.fight, GERMAN, Bout(keys(ours), keys(theirs)), Dice())
    wrong = Bout(keys(ours), keys(theirs), (attack(theirs, ours[:1]), attack(theirs, ours[1:2])))
    refused = refuse(scene, reorganizing.fight, RUSSIAN, wrong, Dice("app"), error=Unfit)
    assert refused.reasons == [
        "Rifle squad #1 attacks more than once (19.2.1).",
        "Rifle squad #2 attacks more than once (19.2.1).",
    ]
    assert deciders(scene) == [RUSSIAN]


def test_a_side_without_a_choice_need_not_answer(scene):
    """With one enemy there all attack it (19.2.1)."""
    ours, theirs = gathering(scene)
    fighting = Bout(keys(ours[:1]), keys(theirs))
    scene.do(reorganizing.fight, GERMAN, fighting, Dice("app"))
    (fought,) = scene.bouts
    assert fought.attacks_of(RUSSIAN) == (attack(theirs, ours[:1]),)


def test_a_whole_round_needs_both_where_it_divides_for_both(scene):
    gathering(scene)
    lines = scene.do(reorganizing.fight_round, GERMAN)
    assert sentences_of(lines) == ["German asks to resolve the rest of the round with the app's dice."]
    scene.do(reorganizing.resolve_rest, RUSSIAN, "round")
    assert scene.bouts
    assert scene.phase.get("hurry") is None


def test_a_45_who_waited_is_matched_first_in_the_next_round(scene):
    ours, theirs = [squad(scene, GERMAN, 14)], [squad(scene, RUSSIAN, 14) for _ in range(2)]
    to_step(scene, Step.BATTLE)
    fight(scene, ours, theirs[:1], attack=BLANK, defense=BLANK)
    assert scene.phase["waited"] == [["russian", 2]]
    again = Bout(keys(ours), keys(theirs[:1]))
    refused = refuse(scene, reorganizing.fight, GERMAN, again, Dice("app"), error=Unfit)
    assert refused.reasons == [
        "Some had no enemy in the last round and go first: match Rifle squad #2 (20.6.4 step 3)."
    ]
    fight(scene, ours, theirs[1:], attack=BLANK, defense=BLANK)
    assert scene.phase["waited"] == [["russian", 1]]


def test_odds_of_4_to_1_need_no_die(scene):
    own, enemy = squad(scene, GERMAN, 14), scene.add(RUSSIAN, "commissar", 14)
    to_step(scene, Step.BATTLE)
    (line, *_) = fight(scene, [own], [enemy])
    assert line.rolls == ()
    assert enemy.fate == Unit.Fate.ELIMINATED
    assert holding_of(scene, 14) is Holding.GERMAN


def test_cq_08_rounds_go_on_without_limit_while_the_dice_say_nothing(scene):
    own, enemy = squads(scene, 14)
    to_step(scene, Step.BATTLE)
    for number in range(1, 41):
        assert (at(scene), scene.phase["round"]) == ((Step.BATTLE, 14), number)
        fight(scene, [own], [enemy], attack=BLANK, defense=BLANK)
    fight(scene, [own], [enemy], attack=DEAD, defense=BLANK)
    assert scene.phase["sector"] is None


@pytest.mark.parametrize(
    ("attack", "defense", "owner"),
    [(DEAD, BLANK, "german"), (BLANK, DEAD, "russian"), (DEAD, DEAD, "nobody")],
)
def test_ts_14_a_sector_belongs_to_who_is_left_in_it(scene, attack, defense, owner):
    """SE-05, TS-14; to nobody if nobody is left (R-18)."""
    own, enemy = squads(scene, 14)
    to_step(scene, Step.BATTLE)
    lines = fight(scene, [own], [enemy], attack=attack, defense=defense)
    assert holding_of(scene, 14) == owner
    assert f"Sector 14 is {Holding(owner).word} now." in sentences_of(lines)


def test_se_05_after_the_fights_no_sector_holds_both_sides(scene):
    squads(scene, *range(1, 23))
    to_step(scene, Step.FINAL_ATTACKER)
    assert scene.phase["fought_over"] == list(range(1, 23))
    assert not any(lookups.is_contested(scene.ledger, sector) for sector in NEIGHBOURS)
    assert set(scene.ledger.control.values()) <= {Holding.GERMAN, Holding.RUSSIAN, Holding.NOBODY}


def test_rp_03_markers_stay_until_every_sector_is_fought_out(scene):
    one, _ = squad(scene, GERMAN, 5, marks=["pinned", "enfiladed"]), squad(scene, RUSSIAN, 5)
    far = squad(scene, RUSSIAN, 18, marks=["disrupted"])
    squads(scene, 14)
    to_step(scene, Step.BATTLE)
    fight(scene, [one], [scene.ledger.units[RUSSIAN][1]], attack=DEAD, defense=BLANK)
    assert (at(scene), one.marks, far.marks) == ((Step.ATTACKER_LEAVES, 14), ["pinned", "enfiladed"], ["disrupted"])
    scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert one.marks == far.marks == []


# Final re-deployment (step 5)


def test_ts_15_survivors_may_go_on_to_own_sectors_beside_theirs(scene):
    """Only those of sectors that were fought over, and not M-KILLED ones; -1 for own ground."""
    scene.hold({15: "nobody"})
    enemy, own = squads(scene, 21)
    wreck, stranger = tank(scene, RUSSIAN, 21, marks=["m_killed"]), squad(scene, RUSSIAN, 20)
    to_step(scene, Step.BATTLE)
    fight(scene, [enemy], [own, wreck], attack=BLANK, defense=DEAD)
    assert (step(scene), deciders(scene)) == (Step.FINAL_DEFENDER, [RUSSIAN])
    assert [(unit, set(goals)) for unit, goals in lookups.list_candidates(scene.ledger, RUSSIAN)] == [
        (own, {17, 20, 22})
    ]
    for unit, goal in ((own, 15), (own, 21), (own, 14), (own, 0), (wreck, 20), (stranger, 21)):
        refuse_leaving(scene, unit, goal)
    (line, *_) = leave(scene, (own, 20, 8))
    assert line.sentence == "Russian, Rifle squad #1 to sector 20: Re-deploys: 7 on the Re-Deployment Table."
    assert (own.sector, own.home) == (20, 20)
    assert holding_of(scene, 21) is Holding.RUSSIAN  # the wreck is in it


def won(memory, side, sector, counter=""):
    """A side's squad, or another unit, that beats the only enemy, a leader, in a sector; it still has to fight."""
    enemy = GERMAN if side == RUSSIAN else RUSSIAN
    memory.add(enemy, "officer", sector)
    return memory.add(side, counter, sector) if counter else squad(memory, side, sector)


@pytest.mark.parametrize("attacker", Side)
def test_ts_15_survivors_go_sector_by_sector(attacker):
    """A-52: 7, then 21, whoever is the Attacker; in each there is one side alone."""
    with opened(attacker=attacker) as scene:
        units = {GERMAN: won(scene, GERMAN, 7), RUSSIAN: won(scene, RUSSIAN, 21)}
        to_step(scene, Step.FINAL_ATTACKER if attacker == GERMAN else Step.FINAL_DEFENDER)
        assert (scene.phase["survivors_of"], deciders(scene)) == (7, [GERMAN])
        refuse_leaving(scene, units[RUSSIAN], 22, error=Refused)
        leave(scene, (units[GERMAN], 6, 8))
        assert (scene.phase["survivors_of"], deciders(scene)) == (21, [RUSSIAN])
        refuse_leaving(scene, units[GERMAN], 7, error=Refused)
        leave(scene, (units[RUSSIAN], 22, 1))
        assert [unit.sector for unit in units.values()] == [6, 22]
        assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_ts_15_who_has_gone_into_another_sector_of_survivors_does_not_go_on(scene):
    """A-52, A-47: 6 and 7 were both fought over and are German now."""
    first, second = won(scene, GERMAN, 6), won(scene, GERMAN, 7)
    to_step(scene, Step.FINAL_ATTACKER)
    leave(scene, (first, 7, 1))
    assert (scene.phase["survivors_of"], deciders(scene)) == (7, [GERMAN])
    assert [unit for unit, _ in lookups.list_candidates(scene.ledger, GERMAN)] == [second]
    refuse_leaving(scene, first, 6)
    leave(scene, (second, 6, 1))
    assert (first.sector, second.sector) == (7, 6)


def test_a_final_re_deployment_begun_by_version_0_1_0_goes_on_as_it_began(scene):
    """All survivors of the side at once, as its phase knows no order of sectors."""
    units = won(scene, GERMAN, 6), won(scene, GERMAN, 7)
    to_step(scene, Step.FINAL_ATTACKER)
    old = {name: value for name, value in scene.phase.items() if name not in ("survivors_of", "tried", "ended_in_hex")}
    scene.ledger.phase = read_phase({**old, "waiting": []})
    assert [unit for unit, _ in lookups.list_candidates(scene.ledger, GERMAN)] == list(units)
    leave(scene, (units[0], 7, 1), (units[1], 6, 1))
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_a_47_a_unit_that_has_re_deployed_stays_where_it_came_to(scene):
    """It fights for that sector, and may go on only when its survivors do (20.6.4 step 5)."""
    scene.hold({5: "nobody"})
    goer, _ = squads(scene, 11)
    mate, _ = squads(scene, 12)
    confirm(scene)
    leave(scene, (goer, 12, 1))
    assert at(scene) == (Step.ATTACKER_LEAVES, 12)
    assert (goer.sector, [unit for unit, _ in lookups.list_candidates(scene.ledger, GERMAN)]) == (12, [mate])
    refused = refuse_leaving(scene, goer, 5)
    assert refused.reasons == ["Grenadier squad #1 cannot leave in this step (20.12.1)."]


@pytest.mark.parametrize("face", range(1, 11))
def test_ts_15_every_face_of_the_final_re_deployment(scene, face):
    """1-8 goes, 9 goes hurt, 10 stays hurt, for infantry; 1-8 goes, 9 stays, 10 a wreck, for a vehicle."""
    own, vehicle = won(scene, GERMAN, 7), tank(scene, GERMAN, 7)
    to_step(scene, Step.FINAL_ATTACKER)
    leave(scene, (own, 6, face), (vehicle, 6, face))
    assert (own.sector, own.marks) == (6 if face < 10 else 7, ["reduced"] if face >= 9 else [])
    assert vehicle.sector == (6 if face < 9 else 7 if face == 9 else None)


def test_ts_15_only_own_sectors_are_goals_even_if_nobody_would_stop_them(scene):
    """No sector is threatened any more; a sector of nobody was good enough in step 2 only."""
    scene.hold({6: "nobody", 14: "nobody", 16: "nobody", 11: "nobody"})
    own = won(scene, GERMAN, 7)
    to_step(scene, Step.BATTLE)
    scene.do(reorganizing.fight_round, GERMAN)
    assert own.home == 7  # nobody was asked
    assert scene.ledger.stage is Stage.REINFORCEMENTS


# The main line of resistance (step 6), and changes without dice (20.7.1)


def ended(memory):
    """Nothing is threatened: both report, and the phase goes on to the changes; returns what the log says."""
    return sentences_of(confirm(memory))


def test_ts_16_markers_come_off_and_what_lasts_stays(scene):
    marks = ["reduced", "pinned", "disrupted", "wia", "enfiladed", "in_sewer", "close_combat"]
    one, gun = squad(scene, GERMAN, 7, marks=marks), scene.add(RUSSIAN, "ptp_42", 14, marks=["pinned"])
    officer = scene.add(GERMAN, "officer", 7, marks=["wounded", "wia"])
    vehicle = tank(scene, RUSSIAN, 14, marks=["m_killed", "f_killed", "suppressed", "enfiladed"])
    held_off = squad(scene, GERMAN, None, marks=["held"])
    lines = ended(scene)
    assert [unit.marks for unit in (one, gun, officer, vehicle, held_off)] == [
        ["reduced"],
        [],
        ["wounded"],
        ["m_killed", "f_killed"],
        ["held"],
    ]
    assert any(
        line.startswith("Markers come off; survivors set up where they are now. Fortifications") for line in lines
    )
    assert "a Dug-In in a building hex stays if a unit sets up under it" in " ".join(lines)


def test_ts_17_each_survivor_notes_its_sector_and_only_an_m_killed_vehicle_its_hex(scene):
    one, two = squad(scene, GERMAN, 7, "H7"), tank(scene, GERMAN, 6, "G7")
    wreck, absent = tank(scene, RUSSIAN, 14, "O7", ["m_killed"]), squad(scene, RUSSIAN, None)
    hidden = squad(scene, RUSSIAN, 18, "S9", hidden=True)
    ended(scene)
    assert [(unit.home, unit.hex) for unit in (one, two, wreck, absent, hidden)] == [
        (7, ""),
        (6, ""),
        (14, "O7"),
        (None, ""),
        (18, ""),
    ]
    assert hidden.hidden


def test_ts_18_sectors_without_a_line_to_their_edge_are_isolated(scene):
    """IS-03: sector 11 inside the German ring."""
    scene.hold(dict.fromkeys((5, 6, 7, 12, 13, 14), GERMAN))
    assert "Isolated: 11." in " ".join(ended(scene))
    with opened() as linked:
        linked.hold(dict.fromkeys((6, 7, 13, 14), GERMAN))
        assert "Isolated" not in " ".join(ended(linked))


def test_uc_01_and_uc_02_wrecks_and_fires_are_the_players_to_change(scene):
    assert (
        "On the board: burning wrecks are plain wrecks now, Fire in buildings becomes Rubble, other Fire and Courage "
        "markers go (20.7.1)."
    ) in ended(scene)


def test_uc_03_hidden_mines_are_placed_where_the_enemy_has_taken_over(scene):
    """Others stay as they are; where nobody controls the ground nothing is shown either."""
    scene.hold({5: "nobody"})
    captured, safe, between = (scene.add(RUSSIAN, "mine_factor", sector, hidden=True) for sector in (14, 13, 5))
    own = scene.add(GERMAN, "mine_factor", 14, hidden=True)
    squad(scene, GERMAN, 14)
    lines = ended(scene)
    assert [unit.hidden for unit in (captured, safe, between, own)] == [False, True, True, True]
    assert [unit.sector for unit in (captured, safe, between, own)] == [14, 13, 5, 14]
    assert "Russian: Mine factor #1 was hidden in sector 14, and is placed." in lines


def test_uc_06_a_nest_stays_in_its_sectors_hands_with_a_commissar_in_play(scene):
    group = scene.add_nest(14)
    scene.add(RUSSIAN, "commissar", 18)
    ended(scene)
    assert group.standing == Group.Standing.IN_PLAY
    assert scene.ledger.units_of(group)[0].sector == 14


def test_uc_06_its_owner_says_whether_a_nest_stays(scene):
    """20.7.1 step 6: nobody but its owner knows who is left in the building; the other side is not asked."""
    group, _ = scene.add_nest(14), scene.add(RUSSIAN, "commissar", 18)
    group.building = "Bread factory (3 hexes)"
    ended(scene)
    assert (step(scene), deciders(scene)) == (Step.UPKEEP, [RUSSIAN])
    refuse(scene, reporting.end_nest, GERMAN, group.number, error=Unfit)
    ends = sentences_of(scene.do(reporting.end_nest, RUSSIAN, group.number))
    assert ends[0] == "Russian: the Fanatic Resistance Nest ends for good, no Commissar holds it (20.9.3)."
    assert group.standing == Group.Standing.USED_UP
    assert scene.ledger.stage is Stage.REINFORCEMENTS  # nothing else was to be decided


def test_uc_06_a_nest_that_stays_keeps_its_hex(scene):
    group, _ = scene.add_nest(14), scene.add(RUSSIAN, "commissar", 18)
    (marker,) = scene.ledger.units_of(group)
    marker.hex = "O7"
    ended(scene)
    assert sentences_of(recover(scene, RUSSIAN))[0] == "Russian: the Fanatic Resistance Nest stays (20.7.1 step 6)."
    assert (group.standing, marker.sector, marker.home, marker.hex) == (Group.Standing.IN_PLAY, 14, 14, "O7")
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_uc_06_nobody_is_asked_about_a_nest_that_is_not_on_the_map_yet(scene):
    group, _ = scene.add_nest(None), scene.add(RUSSIAN, "commissar", 18)
    ended(scene)
    assert scene.ledger.stage is Stage.REINFORCEMENTS and group.standing == Group.Standing.IN_PLAY


def test_uc_06_nobody_is_asked_about_nests_where_no_firefight_was_fought(scene):
    """20.7.1 step 6 comes after a firefight; where both held there was none. Whoever rolls for units is still asked."""
    with opened(attacker=GERMAN) as scene:
        scene.ledger.campaign.attacker = ""
        scene.add_nest(14), scene.add(RUSSIAN, "commissar", 18)
        ended(scene)
        assert scene.ledger.stage is Stage.REINFORCEMENTS
    with opened(attacker=GERMAN) as scene:
        scene.ledger.campaign.attacker = ""
        scene.add_nest(14), scene.add(RUSSIAN, "commissar", 18)
        wounded = scene.add(RUSSIAN, "commissar", 18, marks=["wounded"])
        ended(scene)
        assert deciders(scene) == [RUSSIAN]
        assert not any("Nest" in line for line in sentences_of(recover(scene, RUSSIAN, **{f"die_{wounded.number}": 8})))


def test_ts_16_mines_keep_their_hex(scene):
    open_mine, hidden = mine(scene, 14, "O7"), mine(scene, 14, "O9", hidden=True)
    ended(scene)
    assert [(unit.sector, unit.home, unit.hex) for unit in (open_mine, hidden)] == [(14, 14, "O7"), (14, 14, "O9")]


def test_ne_03_a_nest_ends_with_its_sector(scene):
    group, _ = scene.add_nest(14), scene.add(RUSSIAN, "commissar", 18)
    squad(scene, GERMAN, 14)
    lines = ended(scene)
    assert "Russian: the Fanatic Resistance Nest ends for good, it is lost (20.9.3)." in lines
    assert group.standing == Group.Standing.USED_UP
    (marker,) = (unit for unit in scene.ledger.units[RUSSIAN].values() if unit.counter == "nest")
    assert (marker.fate, marker.sector, marker.home) == ("eliminated", None, None)


def test_ne_03_a_nest_ends_with_the_last_commissar_who_fell_in_between(scene):
    group, commissar = scene.add_nest(18), scene.add(RUSSIAN, "commissar", 14)
    own = squad(scene, GERMAN, 14)
    to_step(scene, Step.BATTLE)
    fight(scene, [own], [commissar])
    scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert group.standing == Group.Standing.USED_UP


# Changes with dice (20.7.1 steps 4, 5 and 7)


def recover(memory, side, **faces):
    return memory.do(reorganizing.recover, side, Dice("table", faces))


@pytest.mark.parametrize("face", range(1, 11))
def test_uc_04_uc_05_uc_07_every_face(scene, face):
    """UC-04: 1-3 repaired, 4-5 a wreck. UC-05: 1-3 repaired. UC-07: 1-3 dead, 4-5 healed. The rest stays as it is."""
    immobile, silent = tank(scene, GERMAN, 7, "H7", ["m_killed"]), tank(scene, GERMAN, 7, marks=["f_killed"])
    officer = scene.add(GERMAN, "officer", 7, marks=["wounded"])
    ended(scene)
    assert (step(scene), deciders(scene)) == (Step.UPKEEP, [GERMAN])
    lines = recover(scene, GERMAN, die_1=face, mend_2=face, die_3=face)
    assert [die.face for line in lines for die in line.rolls] == [face] * 3
    assert (immobile.marks, bool(immobile.fate)) == ([] if face <= 3 else ["m_killed"], face in (4, 5))
    assert (silent.marks, silent.fate) == ([] if face <= 3 else ["f_killed"], "")
    assert (officer.marks, bool(officer.fate)) == ([] if face in (4, 5) else ["wounded"], face <= 3)
    assert immobile.hex == ("" if face in (4, 5) else "H7")
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_20_7_1_is_rolled_in_its_order_and_a_wreck_needs_no_second_die(scene):
    """M-KILLs, F-KILLs, leaders; of a vehicle with both kills the second is rolled if the first left it alive."""
    officer = scene.add(GERMAN, "officer", 7, marks=["wounded"])
    both = [tank(scene, GERMAN, 7, marks=["f_killed", "m_killed"]) for _ in range(2)]
    ended(scene)
    missing = refuse(scene, reorganizing.recover, GERMAN, Dice("table", {"die_2": 4, "die_3": 6}), error=Incomplete)
    assert missing.result.needs == ("mend_3",)
    lines = recover(scene, GERMAN, die_2=4, die_3=6, mend_2=1, mend_3=3, die_1=4)
    assert [die.die for line in lines for die in line.rolls] == ["die_2", "die_3", "mend_3", "die_1"]
    assert (both[0].fate, both[1].marks, officer.marks) == ("eliminated", ["m_killed"], [])


def test_dice_of_the_app_that_are_rolled_are_all_in_the_log(scene):
    for _ in range(40):
        tank(scene, GERMAN, 7, marks=["f_killed", "m_killed"])
    ended(scene)
    lines = scene.do(reorganizing.recover, GERMAN, Dice("app"))
    numbers = [die.number for line in lines for die in line.rolls]
    assert len(numbers) < 80  # there were wrecks among them
    assert numbers == list(range(1, scene.match.next_roll))


def test_both_sides_roll_for_their_own_in_any_order(scene):
    tank(scene, GERMAN, 7, marks=["m_killed"])
    tank(scene, RUSSIAN, 18, marks=["m_killed"])
    ended(scene)
    assert deciders(scene) == [GERMAN, RUSSIAN]
    recover(scene, RUSSIAN, die_1=6)
    assert deciders(scene) == [GERMAN]
    refuse(scene, reorganizing.recover, RUSSIAN, Dice("app"))
    recover(scene, GERMAN, die_1=6)
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_a_nest_ends_with_a_commissar_who_dies_of_his_wound(scene):
    group, _ = scene.add_nest(18), scene.add(RUSSIAN, "commissar", 18, marks=["wounded"])
    ended(scene)
    assert group.standing == Group.Standing.IN_PLAY
    lines = sentences_of(recover(scene, RUSSIAN, die_2=1))
    assert "Russian: the Fanatic Resistance Nest ends for good, it is lost (20.9.3)." in lines
    assert group.standing == Group.Standing.USED_UP


# On to the next firefight, or the end (20.5.5, 20.5.8.1)


def test_ts_19_the_phase_goes_on_with_the_reinforcement_rolls_of_the_next_firefight(scene):
    squads(scene, 14)
    to_step(scene, Step.BATTLE)
    lines = sentences_of(scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True))
    campaign = scene.ledger.campaign
    assert (campaign.stage, campaign.firefight, campaign.attacker, campaign.phase) == ("reinforcements", 2, "", None)
    assert campaign.ready == []
    assert lines[-1] == "The campaign goes on to AM."


def sectors_of(side, *sectors):
    """Control with these sectors a side's, and all others the other side's."""
    (other,) = {*Side} - {side}
    return {sector: side if sector in sectors else other for sector in NEIGHBOURS}


@pytest.mark.parametrize(
    ("card", "germans", "outcome"),
    [
        (
            "cg1",
            (1, 2, 3, 4, 5, 6, 7, 8, 9, 11),
            "German victory: the German controls 11 and controls at least 10 sectors.",
        ),
        ("cg1", (1, 2, 3, 4, 5, 6, 7, 8, 9, 12), "Draw."),
        ("cg1", (1, 2, 3, 4, 5, 6, 11), "Draw."),
        ("cg1", (1, 2, 3, 4, 6, 11), "Russian victory: the German controls fewer than 7 sectors."),
        ("cg2", (6, 7, 16, 10), "German victory: the German has a line of sectors from the west to the east edge."),
        ("cg2", (6, 16, 10, 15), "Draw: the German controls one of 15 and 17."),
        ("cg2", (6, 7, 16), "Russian victory."),
    ],
)
def test_cg_13_the_last_firefight_ends_with_the_verdict_of_the_card(card, germans, outcome):
    with opened(card=card, firefight={"cg1": 3, "cg2": 4}[card]) as scene:
        scene.hold(sectors_of(GERMAN, *germans))
        tank(scene, GERMAN, germans[0], marks=["m_killed"])  # for which nobody rolls any more
        lines = ended(scene)
        assert (scene.ledger.stage, scene.ledger.campaign.outcome) == (Stage.OVER, outcome)
        assert lines[-1] == f"The last firefight is over. {outcome}"
        assert scene.phase == {}
        refuse(scene, reorganizing.recover, GERMAN, Dice("app"))


@pytest.mark.parametrize("firefight", [1, 2, 3])
def test_cg_13_orders_that_are_fulfilled_may_end_the_campaign_at_once(firefight):
    with opened(card="cg2", firefight=firefight) as scene:
        scene.hold(sectors_of(GERMAN, 6, 7, 16))
        squad(scene, GERMAN, 10)  # which makes it a line
        assert ended(scene)[-1] == (
            "Campaign orders are fulfilled. German victory: the German has a line of sectors from the west to the "
            "east edge."
        )


def test_cg_13_other_orders_wait_for_the_last_firefight():
    with opened(card="cg1", firefight=2) as scene:
        scene.hold(sectors_of(RUSSIAN, *EDGES[RUSSIAN]))
        ended(scene)
        assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_final_control_counts_what_final_re_deployment_left_behind(scene):
    """The verdict is read after step 5; an own sector that is empty now is still its last owner's."""
    scene.ledger.campaign.firefight = 4
    scene.hold(sectors_of(GERMAN, 6, 7, 16))
    own = won(scene, GERMAN, 10)
    to_step(scene, Step.FINAL_ATTACKER)
    leave(scene, (own, 16, 1))
    assert holding_of(scene, 10) is Holding.GERMAN
    assert scene.ledger.campaign.outcome.startswith("German victory")


def act_of(memory, side=GERMAN):
    return MemoryAct(memory.match, type("Act", (), {"free_to_take_back": True})(), side, memory.ledger)


def test_rp_05_without_a_firefight_only_the_damage_is_seen_to(scene):
    """Nothing is reported or fought out; markers were taken off when the last firefight ended."""
    tank(scene, GERMAN, 7, "H7", ["m_killed"])
    squads(scene, 14)
    control = dict(scene.ledger.control)
    conductor.begin_without_firefight(act_of(scene))
    assert (step(scene), deciders(scene), scene.ledger.control) == (Step.UPKEEP, [GERMAN], control)
    recover(scene, GERMAN, die_1=6)
    assert (scene.ledger.stage, scene.ledger.campaign.firefight) == (Stage.REINFORCEMENTS, 2)


def test_rp_05_without_damage_it_is_over_before_it_begins(scene):
    conductor.begin_without_firefight(act_of(scene))
    assert (scene.ledger.stage, scene.ledger.campaign.firefight) == (Stage.REINFORCEMENTS, 2)


def test_rp_05_without_the_last_firefight_the_campaign_ends():
    with opened(firefight=4) as scene:
        tank(scene, RUSSIAN, 18, marks=["m_killed"])
        conductor.begin_without_firefight(act_of(scene))
        lines = sentences_of(recover(scene, RUSSIAN, die_1=5))
        assert lines[-1] == "No firefight is left. Russian victory."
        assert scene.ledger.stage is Stage.OVER


# In a hurry


def test_a_hurry_needs_both_sides_and_the_same_wish(scene):
    squads(scene, 5, 14)
    confirm(scene)
    (line,) = scene.do(reorganizing.resolve_rest, RUSSIAN, "sector")
    assert line.sentence == "Russian asks to resolve the rest of the sector with the app's dice."
    refuse(scene, reorganizing.resolve_rest, RUSSIAN, "sector")  # to ask twice is not to agree
    scene.do(reorganizing.resolve_rest, GERMAN, "phase")  # nor is it to ask for something else
    assert (at(scene), scene.match.next_roll) == ((Step.ATTACKER_LEAVES, 5), 1)
    lines = scene.do(reorganizing.resolve_rest, RUSSIAN, "phase")
    assert lines[0].sentence.startswith("The rest of the phase is resolved with the app's dice, as ")
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_what_was_asked_for_one_sector_is_not_said_of_the_next(scene):
    german, _ = squads(scene, 5)
    squads(scene, 14)
    confirm(scene)
    scene.do(reorganizing.resolve_rest, GERMAN, "sector")
    leave(scene, (german, 6, 1))
    assert scene.phase["sector"] == 14
    scene.do(reorganizing.resolve_rest, RUSSIAN, "sector")
    assert (at(scene), scene.match.next_roll) == ((Step.ATTACKER_LEAVES, 14), 1)


def test_a_hurried_sector_leaves_the_next_to_the_players(scene):
    squads(scene, 5, 14)
    confirm(scene)
    lines = sentences_of(scene.do(reorganizing.resolve_rest, RUSSIAN, "sector", plays_all=True))
    assert lines[1:3] == ["German: all stay.", "Russian: all stay."]
    assert (at(scene), deciders(scene)) == ((Step.ATTACKER_LEAVES, 14), [GERMAN])
    assert not scene.act.free_to_take_back


def test_a_hurried_phase_leaves_what_was_declared_and_ends(scene):
    german, _ = squads(scene, 5)
    left = squad(scene, GERMAN, 5)
    tank(scene, RUSSIAN, 18, marks=["m_killed", "f_killed"])
    confirm(scene)
    leave(scene, (german, 6, 1))
    lines = scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert sentences_of(lines)[1] == "Russian: all stay."
    assert scene.ledger.stage is Stage.REINFORCEMENTS
    assert german.home == 6
    assert left.home in (5, None)


def test_a_hurry_is_refused_before_the_reports_and_a_sector_when_none_is_fought_out(scene):
    for how_far in ("sector", "phase"):
        refuse(scene, reorganizing.resolve_rest, GERMAN, how_far, plays_all=True)
    won(scene, GERMAN, 7)
    to_step(scene, Step.FINAL_ATTACKER)
    refuse(scene, reorganizing.resolve_rest, GERMAN, "sector", plays_all=True)
    scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert scene.ledger.stage is Stage.REINFORCEMENTS


def test_a_hurry_gives_up_where_the_dice_never_decide(scene):
    """CQ-08: it stops after many rounds, lists all of them, and may be asked for again."""
    squads(scene, 14)
    confirm(scene)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reorganizing, "MOST_STEPS", 5)
        patch.setattr("firefight.table.act.own_dice.rolled_face", lambda *_: 100)
        lines = scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert (step(scene), scene.phase["round"]) == (Step.BATTLE, 4)
    assert sum(": nobody is hit." in line for line in sentences_of(lines)) == 3
    scene.do(reorganizing.resolve_rest, GERMAN, "phase", plays_all=True)
    assert scene.ledger.stage is Stage.REINFORCEMENTS


# Who has to decide


def test_nobody_decides_who_has_nothing_to_decide(scene):
    """In every step an act of the idle side is refused, and so is every act of another step."""
    won(scene, GERMAN, 7)
    won(scene, RUSSIAN, 21)
    tank(scene, GERMAN, 7, marks=["m_killed"])
    [scene.add(side, "officer", 14, "O7", ["close_combat"]) for side in Side]
    fitting = {
        Step.AFTER_ACTION: "confirm_report",
        Step.EXISTING: "fight_round",
        Step.BATTLE: "fight_round",
        Step.UPKEEP: "recover",
    }
    acts = {
        "confirm_report": (),
        "fight_round": (),
        "redeploy": ({}, Dice()),
        "recover": (Dice("app"),),
    }
    steps = []
    while scene.ledger.stage is Stage.REORGANIZATION:
        current, sides = step(scene), deciders(scene)
        steps.append(current)
        for kind, side in product(acts, Side):
            if kind != fitting.get(current, "redeploy") or side not in sides:
                refuse(scene, getattr(reorganizing, kind), side, *acts[kind])
        kind = fitting.get(current, "redeploy")
        scene.do(getattr(reorganizing, kind), sides[0], *acts[kind])
    assert set(steps) == set(Step)
    assert Mark.CLOSE_COMBAT not in {
        mark for side in Side for unit in scene.ledger.in_play(side) for mark in unit.marks
    }
