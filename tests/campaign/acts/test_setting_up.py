"""Set-up: who may place what where and when, what it costs, what the other side learns, and how play begins."""

from collections import Counter as Tally
from dataclasses import replace

import pytest

from campaign.acts import buying, orders, reporting, setting_up
from campaign.ledger.act import Unfit
from campaign.models import Group, Unit
from campaign.rules.sectors import Holding
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import BadField, Refused
from firefight.table.log import reading
from tests.campaign.plain import plain, tags

from .game import GERMAN, RUSSIAN, Game, numbers, other, shipped_copy, typed

pytestmark = pytest.mark.django_db

MAP = plain("map")
NEIGHBOURS = {int(sector): near for sector, near in MAP["adjacency"]["neighbours"].items()}
EDGE = {side: MAP["edges"][side]["sectors"] for side in Side}
AREA = {side: plain("to_the_volga")[side]["deployment"] for side in Side}  # the Russian holds all but 1, 2, 6 and 7
SECTORS = range(1, 23)


def steps_in(side, own):
    """How many own sectors in from the edge each own sector lies, counted step by step."""
    steps, step = {}, 0
    front = {sector for sector in EDGE[side] if sector in own}
    while front:
        steps |= dict.fromkeys(front, step)
        front = {near for sector in front for near in NEIGHBOURS[sector] if near in own} - set(steps)
        step += 1
    return steps


def stock(game, *rgs):
    """The Russian buys groups and sets up first, since the German attacks."""
    game.grant(RUSSIAN, 40)
    for rg in rgs:
        game.buy(RUSSIAN, rg, die=3)
    return game.through_to("setup")


@pytest.fixture
def stocked(frozen):
    """The same, from the beginning of To the Volga!."""
    return lambda *rgs: frozen(f"stock of {' '.join(rgs)}", lambda: stock(Game.begin("cg2"), *rgs))


@pytest.fixture
def setup(stocked):
    """A platoon without a leader is new, and one with an NCO."""
    return stocked("I1", "I2")


@pytest.fixture
def nest(stocked):
    """A Fanatic Resistance Nest is new, and mines."""
    return stocked("N1", "F1")


@pytest.fixture
def german_setup(setup):
    """The Russian has set nothing up and is done."""
    setup.do(setting_up.confirm, RUSSIAN)
    return setup


def refuse(game, side, units, sector, hidden=False, **options):
    options.setdefault("error", Unfit)
    return game.refuse(setting_up.place, side, numbers(units), sector, hidden, **options)


def put(game, side, sector, *units):
    """Put units into a sector without an act."""
    for unit in units:
        game.write(unit, sector=sector)


# The order


@pytest.mark.parametrize("attacker", Side)
def test_the_defender_sets_up_first_and_then_the_attacker(cg2, attacker):
    cg2.through_to("setup", attacker)
    defender = other(attacker)
    first, second = cg2.units(defender)[:1], cg2.units(attacker)[:1]
    refused = refuse(cg2, attacker, second, AREA[attacker][0], error=Refused)
    assert str(refused) == f"The {defender.capitalize()} sets up first. Nothing was changed (20.5.4)."
    cg2.refuse(setting_up.confirm, attacker, match="sets up first")
    cg2.place(defender, first, AREA[defender][0])
    cg2.do(setting_up.confirm, defender)
    assert (cg2.ledger.setting_up, cg2.ledger.campaign.ready, cg2.stage) == (attacker, [defender], "setup")
    refused = refuse(cg2, defender, first, None, error=Refused)
    assert str(refused) == "Your side has set up. Nothing was changed (20.5.4)."
    cg2.refuse(setting_up.confirm, defender, match="Your side has set up")
    cg2.place(attacker, second, AREA[attacker][0])
    cg2.do(setting_up.confirm, attacker)
    assert (cg2.ledger.setting_up, cg2.stage) == (None, "firefight")


@pytest.mark.parametrize("stage", ["purchases", "priority", "firefight", "reinforcements"])
def test_set_up_is_a_step_of_its_own(cg2_at, stage):
    cg2 = cg2_at(stage)
    unit = cg2.units(RUSSIAN)[:1]
    refuse(cg2, RUSSIAN, unit, 11, error=Refused, match="another step: set-up")
    for act, more in ((setting_up.confirm, ()), (setting_up.name_building, (1, "Bread factory", 2))):
        cg2.refuse(act, RUSSIAN, *more, match="another step: set-up")


# Where


def test_units_of_the_ob_set_up_anywhere_in_the_deployment_area_for_nothing(setup):
    for side in (RUSSIAN, GERMAN):
        unit = next(unit for unit in setup.units(side) if unit.group and unit.group.rg == "I3")
        for sector in SECTORS:
            with setup.trial():
                if sector in AREA[side]:
                    setup.place(side, [unit], sector)
                    assert setup.unit(side, unit.number).sector == sector
                    assert setup.ledger.bill(side).total == 0
                else:
                    refused = refuse(setup, side, [unit], sector)
                    name = side.capitalize()
                    assert refused.reasons == [f"Sector {sector} is not under {name} control (20.6.3)."]
        setup.do(setting_up.confirm, side)


def test_units_of_one_ob_group_may_part(setup):
    one, two, *_ = (unit for unit in setup.units(RUSSIAN) if unit.group and unit.group.rg == "I3")
    assert one.group.pk == two.group.pk
    setup.place(RUSSIAN, [one], 3)
    setup.place(RUSSIAN, [two], 22)
    assert [setup.unit(RUSSIAN, unit.number).sector for unit in (one, two)] == [3, 22]


@pytest.mark.parametrize("rg", ["I2", "G2", "V6"])
def test_a_new_i_g_or_v_group_pays_for_each_own_sector_in(cg2, rg):
    setup = stock(cg2, rg)
    costs = steps_in(RUSSIAN, AREA[RUSSIAN])
    assert {costs[sector] for sector in EDGE[RUSSIAN]} == {0}
    assert (costs[11], costs[3]) == (2, 4)
    for sector, cost in costs.items():
        with setup.trial():
            setup.place(RUSSIAN, setup.units(RUSSIAN, rg)[:1], sector)
            assert setup.ledger.bill(RUSSIAN).total == cost


@pytest.mark.parametrize("rg", ["F1", "N1"])
def test_a_new_group_of_another_kind_pays_nothing(nest, rg):
    for sector in (3, 11, 18):
        with nest.trial():
            nest.place(RUSSIAN, nest.units(RUSSIAN, rg), sector, building="Bread factory", hexes=2)
            assert nest.ledger.bill(RUSSIAN).total == 0
    refuse(nest, RUSSIAN, nest.units(RUSSIAN, rg), 6, match="not under Russian control")


@pytest.mark.parametrize(("sector", "all_in_all"), [(11, 4), (3, 6), *((edge, 2) for edge in (10, 18, 19, 20, 21, 22))])
def test_the_militia_platoon_of_the_text_costs_what_the_text_says(cg2, sector, all_in_all):
    cg2.buy(RUSSIAN, "I1")
    cg2.through_to("setup")
    cg2.place(RUSSIAN, cg2.units(RUSSIAN, "I1"), sector)
    assert cg2.balance(RUSSIAN) == 20 - 2  # the surcharge is due when the set-up is confirmed
    cg2.do(setting_up.confirm, RUSSIAN)
    assert cg2.balance(RUSSIAN) == 20 - all_in_all


def test_new_units_need_an_own_sector_with_a_line_to_the_edge(setup):
    setup.give(GERMAN, 5, 12, 13, 14)
    refused = refuse(setup, RUSSIAN, setup.units(RUSSIAN, "I1"), 11)
    assert refused.reasons == [
        "Sector 11 is isolated: units from off map need a line of friendly sectors to the east edge (20.8.3)."
    ]
    refuse(setup, RUSSIAN, setup.units(RUSSIAN, "I1"), 5, match="not under Russian control")
    setup.place(RUSSIAN, setup.units(RUSSIAN, "I1"), 18)


def test_a_new_group_goes_whole_and_its_leader_with_it(setup):
    units = setup.units(RUSSIAN, "I2")
    assert [unit.counter for unit in units] == ["rifle_squad"] * 3 + ["nco"]
    done = setup.place(RUSSIAN, units[-1:], 20)
    assert {unit.sector for unit in setup.units(RUSSIAN, "I2")} == {20}
    whole = f"3 × Rifle squad{tags(*units[:3])}, 1 × NCO{tags(units[-1])}"
    assert done.entries[0].sentence == f"Russian: {whole} set up in sector 20."
    setup.place(RUSSIAN, units[:1], 19)
    assert {unit.sector for unit in setup.units(RUSSIAN, "I2")} == {19}
    done = setup.place(RUSSIAN, units[1:2], None)
    assert {unit.sector for unit in setup.units(RUSSIAN, "I2")} == {None}
    assert done.entries[0].sentence == f"Russian: {whole} kept off the map."


def test_several_groups_may_be_placed_at_once_and_nobody_else_moves(cg2):
    setup = stock(cg2, "I1", "I2", "G2")
    before = {unit.number: unit.sector for unit in setup.units(RUSSIAN)}
    chosen = [setup.units(RUSSIAN, rg)[0] for rg in ("I1", "G2")]
    done = setup.place(RUSSIAN, [*chosen, chosen[0]], 19)
    squads, gun = (tags(*setup.units(RUSSIAN, rg)) for rg in ("I1", "G2"))
    sentence = f"Russian: 3 × Militia squad{squads}, 1 × 76.2 mm PTP 39{gun} set up in sector 19."
    assert done.entries[0].sentence == sentence
    moved = {unit.number for unit in setup.units(RUSSIAN) if unit.sector != before[unit.number]}
    assert moved == set(numbers([*setup.units(RUSSIAN, "I1"), *setup.units(RUSSIAN, "G2")]))
    assert {unit.sector for unit in setup.units(GERMAN)} == {None}


def test_a_group_that_is_moved_pays_for_its_last_place_only(setup):
    for sector in (3, 11, 15):
        setup.place(RUSSIAN, setup.units(RUSSIAN, "I1"), sector)
    before = setup.balance(RUSSIAN)
    setup.do(setting_up.confirm, RUSSIAN)
    assert setup.balance(RUSSIAN) == before - 1


def test_a_set_up_that_cannot_be_paid_is_refused(cg2):
    cg2.buy(RUSSIAN, "I1")
    cg2.buy(RUSSIAN, "I6")
    cg2.write(cg2.ledger.lines[RUSSIAN][1], amount=4 + 3)
    cg2.through_to("setup")
    cg2.place(RUSSIAN, cg2.units(RUSSIAN, "I1"), 11)
    refused = refuse(cg2, RUSSIAN, cg2.units(RUSSIAN, "I6"), 11)
    assert refused.reasons == ["This set-up costs 4 CP, and there are 3 (20.8.3)."]
    cg2.place(RUSSIAN, cg2.units(RUSSIAN, "I6"), 15)
    cg2.do(setting_up.confirm, RUSSIAN)
    assert cg2.balance(RUSSIAN) == 0


def test_all_that_is_wrong_with_a_place_is_said_at_once(setup):
    setup.give(GERMAN, 5, 12, 13, 14)
    at_start = next(unit for unit in setup.units(RUSSIAN) if unit.group and unit.group.bought_for == 0)
    setup.write(at_start, home=18, sector=18)
    refused = refuse(setup, RUSSIAN, [at_start, setup.units(RUSSIAN, "I1")[0]], 11)
    assert refused.reasons == [
        "A unit that survived in sector 18 sets up there again, not in sector 11 (20.6.4).",
        "Sector 11 is isolated: units from off map need a line of friendly sectors to the east edge (20.8.3).",
    ]


@pytest.mark.parametrize("sector", [0, 23, -1, 999])
def test_a_sector_is_one_of_the_map(setup, sector):
    refuse(setup, RUSSIAN, setup.units(RUSSIAN, "I1"), sector, error=BadField, match="the map has 1 to 22")


def test_somebody_has_to_be_set_up(setup):
    refuse(setup, RUSSIAN, [], 11, error=BadField, match="Choose the units")


def test_aircraft_and_units_that_are_gone_are_not_set_up(cg2):
    setup = stock(cg2, "S1")
    refuse(setup, RUSSIAN, setup.units(RUSSIAN, "S1"), 19, match=r"2 × Po-2 \(#30 #31\): not set up on the map")
    lost = setup.units(RUSSIAN)[0]
    setup.write(lost, fate=Unit.Fate.ELIMINATED)
    refuse(setup, RUSSIAN, [lost], 19, match="not set up on the map")


def test_a_number_means_a_unit_of_the_own_side_only(setup):
    theirs = max(setup.ledger.units[RUSSIAN]) + 1
    before = [unit.plain() for unit in setup.units(GERMAN)]
    setup.refuse(setting_up.place, RUSSIAN, [theirs], 19, error=Unfit, match="no such unit")
    setup.place(RUSSIAN, [setup.unit(RUSSIAN, 1)], 19)
    assert [unit.plain() for unit in setup.units(GERMAN)] == before


# Units that are not new


def test_units_that_left_or_never_entered_come_back_by_the_edge_for_nothing_and_pay_to_go_deeper(cg2):
    cg2.buy(RUSSIAN, "I1")
    cg2.buy(RUSSIAN, "F1")
    cg2.through_to("reinforcements").through_to("setup")  # Dawn was skipped, this is AM
    platoon = cg2.units(RUSSIAN, "I1")
    cg2.place(RUSSIAN, platoon, 18)
    assert cg2.ledger.bill(RUSSIAN).total == 0
    cg2.place(RUSSIAN, platoon[:1], 11)  # it is not new any more: it may part
    assert [unit.sector for unit in cg2.units(RUSSIAN, "I1")] == [11, 18, 18]
    assert cg2.ledger.bill(RUSSIAN).total == 2
    cg2.place(RUSSIAN, platoon[1:2], 3)
    assert cg2.ledger.bill(RUSSIAN).total == 4  # once, for its deepest sector
    cg2.place(RUSSIAN, cg2.units(RUSSIAN, "F1"), 3)
    assert cg2.ledger.bill(RUSSIAN).total == 4


def test_a_unit_of_the_ob_that_left_by_the_edge_is_held_like_a_purchase(setup):
    squad = next(unit for unit in setup.units(RUSSIAN) if unit.counter == "guards_squad")
    officer = next(unit for unit in setup.units(RUSSIAN) if unit.counter == "officer" and unit.group is None)
    for unit in (squad, officer):
        setup.write(unit, marks=["held"])
    setup.give(GERMAN, 5, 12, 13, 14)
    refuse(setup, RUSSIAN, [squad], 11, match="Sector 11 is isolated")
    setup.place(RUSSIAN, [squad], 15)
    assert setup.ledger.bill(RUSSIAN).total == 1
    setup.place(RUSSIAN, [officer], 20)
    assert setup.ledger.bill(RUSSIAN).total == 1


def test_a_54_a_single_counter_that_left_by_the_edge_pays_to_go_deeper(setup):
    """It has no group, so it pays for itself. What a hidden one paid stays sealed until it is shown."""
    officer = next(unit for unit in setup.units(RUSSIAN, counter="officer") if unit.group is None)
    (commissar,) = setup.units(RUSSIAN, counter="commissar")
    for unit in (officer, commissar):
        setup.write(unit, marks=["held"])
    setup.place(RUSSIAN, [officer], 15)
    setup.place(RUSSIAN, [commissar], 13, hidden=True)
    bill = setup.ledger.bill(RUSSIAN)
    assert [(charge.unit, charge.sector, charge.cost) for charge in bill.charges] == [
        (commissar.number, 13, 2),
        (officer.number, 15, 1),
    ]
    done = setup.do(setting_up.confirm, RUSSIAN)
    paid = f"1 CP for Officer #{officer.number}, which goes in by 20 – 15."
    assert done.entries[-1].sentence == f"Russian has set up. {paid}"
    lines = [line for line in setup.ledger.lines[RUSSIAN].values() if line.unit]
    assert [(line.unit.number, line.amount, line.sealed) for line in lines] == [
        (commissar.number, -2, True),
        (officer.number, -1, False),
    ]
    assert [line.amount for line in setup.known().lines[RUSSIAN].values() if line.unit] == [-1]
    setup.do(setting_up.confirm, GERMAN)
    setup.report(RUSSIAN, [commissar], "show")
    assert not any(line.sealed for line in setup.ledger.lines[RUSSIAN].values())


def test_infantry_that_survived_sets_up_in_its_sector_again(setup):
    squad = next(unit for unit in setup.units(RUSSIAN) if unit.counter == "guards_squad")
    setup.write(squad, home=11, sector=11)
    for sector in SECTORS:
        if sector != 11:
            refuse(setup, RUSSIAN, [squad], sector, match="survived in sector 11 sets up there again")
    refuse(setup, RUSSIAN, [squad], None, match="cannot stay off the map")
    setup.place(RUSSIAN, [squad], 11)
    assert setup.ledger.bill(RUSSIAN).total == 0


def test_a_survivor_that_was_given_no_sector_holds_up_the_set_up(setup):
    squad = next(unit for unit in setup.units(RUSSIAN) if unit.counter == "guards_squad")
    setup.write(squad, home=11)
    setup.refuse(setting_up.confirm, RUSSIAN, error=Unfit, match="survived in sector 11 cannot stay off the map")
    setup.place(RUSSIAN, [squad], 11, hidden=True)
    setup.do(setting_up.confirm, RUSSIAN)


def test_a_mobile_vehicle_that_survived_may_go_to_an_own_sector_beside_it(setup):
    tank = setup.units(RUSSIAN, counter="t_70")[0]
    setup.write(tank, home=11, sector=11)
    for sector in SECTORS:
        with setup.trial():
            if sector == 11 or (sector in NEIGHBOURS[11] and sector in AREA[RUSSIAN]):
                setup.place(RUSSIAN, [tank], sector)
                assert setup.ledger.bill(RUSSIAN).total == 0
            else:
                refuse(setup, RUSSIAN, [tank], sector)


def test_an_m_killed_vehicle_stays(setup):
    tank = setup.units(RUSSIAN, counter="t_70")[0]
    setup.write(tank, home=11, sector=11, marks=["m_killed"])
    refuse(setup, RUSSIAN, [tank], 12, match="M-KILLED in sector 11 stays there")
    setup.write(tank, marks=["f_killed"])
    setup.place(RUSSIAN, [tank], 12)


def test_survivors_of_an_isolated_sector_stay_in_it(setup):
    tank, squad = setup.units(RUSSIAN, counter="t_70")[0], setup.units(RUSSIAN, counter="guards_squad")[0]
    setup.give(GERMAN, 5, 13, 14)
    setup.give(GERMAN, 4, 9)  # 11 and 12 are shut in together
    for unit in (tank, squad):
        setup.write(unit, home=11, sector=11)
    for unit in (tank, squad):
        refused = refuse(setup, RUSSIAN, [unit], 12)
        assert refused.reasons == [
            "Sector 11 is isolated: a unit that survived there cannot set up in sector 12 (20.10.1)."
        ]
        setup.place(RUSSIAN, [unit], 11)


# Hidden


def test_hidden_units_are_nowhere_for_the_other_side(setup):
    before = setup.ledger
    (entry,) = setup.place(RUSSIAN, setup.units(RUSSIAN, "I1"), 11, hidden=True).entries
    after = setup.ledger
    assert {(unit.sector, unit.hidden) for unit in setup.units(RUSSIAN, "I1")} == {(11, True)}
    for sees in ((), ("german",)):
        known, knew = after.known(sees), before.known(sees)
        for side in Side:
            for kind in ("groups", "units", "seals", "lines"):
                rows = [row.plain() for row in getattr(known, kind)[side].values()]
                assert rows == [row.plain() for row in getattr(knew, kind)[side].values()]
        assert known.bill(RUSSIAN) == knew.bill(RUSSIAN)
        assert reading.newest_lines(setup.match, sees)[0].secret == ""
    assert entry.sentence == "Russian writes something down under seal."
    squads = tags(*setup.units(RUSSIAN, "I1"))
    assert entry.secret == f"3 × Militia squad{squads} set up in sector 11, hidden."
    assert reading.newest_lines(setup.match, ("russian",))[0].secret == entry.secret


def test_whatever_is_hidden_wherever_the_log_says_the_same(cg2):
    setup = stock(cg2, "I1", "I2", "F1")
    sentences = set()
    for rg, sector in (("I1", 11), ("I2", 18), ("F1", 3)):
        with setup.trial():
            for units in (setup.units(RUSSIAN, rg), setup.units(RUSSIAN, rg)):
                (entry,) = setup.place(RUSSIAN, units, sector, hidden=True).entries
                sentences.add(entry.sentence)
            (entry,) = setup.place(RUSSIAN, units, None).entries
            sentences.add(entry.sentence)
    assert sentences == {"Russian writes something down under seal."}


def test_units_may_be_hidden_and_shown_again_while_they_are_set_up(setup):
    units = setup.units(RUSSIAN, "I1")
    setup.place(RUSSIAN, units, 11)
    setup.place(RUSSIAN, units, 11, hidden=True)
    assert {unit.sector for unit in setup.known("german").units[RUSSIAN].values()} == {None}
    (entry,) = setup.place(RUSSIAN, units, 11).entries
    assert (entry.sentence, entry.secret) == (f"Russian: 3 × Militia squad{tags(*units)} set up in sector 11.", "")
    assert {unit.hidden for unit in setup.units(RUSSIAN, "I1")} == {False}


def test_units_are_set_up_in_a_hex_and_begin_the_firefight_there(setup):
    units = setup.units(RUSSIAN, "I1")
    (entry,) = setup.do(setting_up.place, RUSSIAN, numbers(units), 11, hex_name="k7 /1").entries
    assert entry.sentence == f"Russian: 3 × Militia squad{tags(*units)} set up in sector 11, K7/1."
    setup.do(setting_up.confirm, RUSSIAN)
    setup.do(setting_up.confirm, GERMAN)
    assert {unit.hex for unit in setup.units(RUSSIAN, "I1")} == {"K7/1"}


def test_the_hex_of_hidden_units_is_written_down_under_seal(setup):
    units = setup.units(RUSSIAN, "I1")
    (entry,) = setup.do(setting_up.place, RUSSIAN, numbers(units), 11, hidden=True, hex_name="K7").entries
    assert entry.sentence == "Russian writes something down under seal."
    assert entry.secret == f"3 × Militia squad{tags(*units)} set up in sector 11, K7, hidden."
    assert {unit.hex for unit in setup.known("german").units[RUSSIAN].values()} == {""}
    assert {unit.hex for unit in setup.known("russian").units[RUSSIAN].values()} == {"", "K7"}


def test_a_hex_is_one_of_the_map_and_off_the_map_there_is_none(setup):
    chosen = numbers(setup.units(RUSSIAN, "I1"))
    setup.refuse(setting_up.place, RUSSIAN, chosen, 11, hex_name="77", error=BadField)
    setup.refuse(setting_up.place, RUSSIAN, chosen, 11, hex_name="K7/attic", error=BadField, match="Write a level")
    setup.do(setting_up.place, RUSSIAN, chosen, None, hex_name="K7")
    assert {unit.hex for unit in setup.units(RUSSIAN, "I1")} == {""}


def test_hexes_of_the_last_firefight_are_forgotten_as_the_next_set_up_begins(cg2):
    squad, mine = cg2.units(RUSSIAN, counter="guards_squad")[:2]
    cg2.write(squad, home=14, sector=14, hex="O7")
    cg2.write(mine, counter="mine_factor", home=14, sector=14, hex="O8")
    cg2.through_to("setup")
    assert [cg2.unit(RUSSIAN, unit.number).hex for unit in (squad, mine)] == ["", "O8"]


def test_what_is_off_the_map_is_not_hidden(setup):
    refuse(
        setup, RUSSIAN, setup.units(RUSSIAN, "I1"), None, hidden=True, error=BadField, match="Only units in a sector"
    )


# The nest


def test_a_nest_has_a_building_of_at_most_four_hexes(nest):
    number = nest.group(RUSSIAN, "N1").number
    for hexes in (0, 5, -1):
        nest.refuse(
            setting_up.name_building, RUSSIAN, number, "Bread factory", hexes, error=Unfit, match="1 to 4 hexes"
        )
    for hexes, size in ((1, "1 hex"), (4, "4 hexes")):
        (entry,) = nest.do(setting_up.name_building, RUSSIAN, number, "Bread factory", hexes).entries
        assert nest.group(RUSSIAN, "N1").building == f"Bread factory ({size})"
        assert entry.sentence == f"Russian: the Fanatic Resistance Nest is Bread factory ({size})."


def test_only_a_nest_in_play_has_a_building(nest):
    for number in (nest.group(RUSSIAN, "F1").number, 999):
        nest.refuse(setting_up.name_building, RUSSIAN, number, "Bread factory", 2, error=Unfit)
    group = nest.group(RUSSIAN, "N1")
    nest.write(group, standing="used_up")
    nest.refuse(setting_up.name_building, RUSSIAN, group.number, "Bread factory", 2, error=Unfit)


def test_a_nest_is_asked_for_its_building_as_it_is_placed(nest):
    with nest.trial():
        nest.place(RUSSIAN, nest.units(RUSSIAN, "N1"), None)
        nest.do(setting_up.confirm, RUSSIAN)  # it is off the map
    refuse(nest, RUSSIAN, nest.units(RUSSIAN, "N1"), 11, match="Name the building")
    refuse(nest, RUSSIAN, nest.units(RUSSIAN, "N1"), 11, building="Hall", hexes=5, match="1 to 4 hexes")
    refuse(nest, RUSSIAN, nest.units(RUSSIAN, "N1"), 11, building="Hall", error=BadField, match="how many hexes")
    (entry,) = nest.place(RUSSIAN, nest.units(RUSSIAN, "N1"), 11, building="Hall", hexes=2).entries
    assert entry.sentence.endswith("set up in sector 11. The nest is Hall (2 hexes).")
    nest.place(RUSSIAN, nest.units(RUSSIAN, "N1"), 14)  # it keeps its building
    nest.do(setting_up.name_building, RUSSIAN, nest.group(RUSSIAN, "N1").number, "Bread factory", 3)
    nest.do(setting_up.confirm, RUSSIAN)


def test_a_nest_of_before_that_has_no_building_holds_the_set_up(nest):
    nest.place(RUSSIAN, nest.units(RUSSIAN, "N1"), 11, building="Hall", hexes=2)
    nest.write(nest.group(RUSSIAN, "N1"), building="")
    nest.refuse(setting_up.confirm, RUSSIAN, error=Unfit, match="Name the building")


def test_a_nest_is_marked_on_the_map(nest):
    refuse(nest, RUSSIAN, nest.units(RUSSIAN, "N1"), 11, hidden=True, match="cannot be hidden")


# Confirming


def test_each_group_pays_one_line(cg2):
    setup = stock(cg2, "I1", "I2", "G2", "F1")
    before = setup.ledger
    setup.place(RUSSIAN, setup.units(RUSSIAN, "I1"), 11)
    setup.place(RUSSIAN, setup.units(RUSSIAN, "I2"), 20)
    setup.place(RUSSIAN, setup.units(RUSSIAN, "G2"), 3)
    setup.place(RUSSIAN, setup.units(RUSSIAN, "F1"), 3)
    (entry,) = setup.do(setting_up.confirm, RUSSIAN).entries
    after = setup.ledger
    paid = [line for number, line in after.lines[RUSSIAN].items() if number not in before.lines[RUSSIAN]]
    assert [(line.amount, line.reason, line.group.rg, line.sealed) for line in paid] == [
        (-2, "Set-up of I1 in sector 11", "I1", False),
        (-4, "Set-up of G2 in sector 3", "G2", False),
    ]
    assert after.balance(RUSSIAN) == before.balance(RUSSIAN) - 6
    assert after.balance(GERMAN) == before.balance(GERMAN)
    assert entry.sentence == (
        "Russian has set up. 2 CP for I1, which goes in by 19 – 14 – 11. "
        "4 CP for G2, which goes in by 21 – 17 – 9 – 4 – 3."
    )
    assert entry.secret == ""


def test_a_set_up_that_costs_nothing_says_no_more(setup):
    (entry,) = setup.do(setting_up.confirm, RUSSIAN).entries
    assert (entry.sentence, entry.secret) == ("Russian has set up.", "")


def test_the_surcharge_of_a_hidden_group_is_paid_under_seal(cg2):
    setup = stock(cg2, "I1", "G2")
    setup.place(RUSSIAN, setup.units(RUSSIAN, "I1"), 11, hidden=True)
    setup.place(RUSSIAN, setup.units(RUSSIAN, "G2"), 15)
    before = setup.balance(RUSSIAN)
    (entry,) = setup.do(setting_up.confirm, RUSSIAN).entries
    assert entry.sentence == "Russian has set up. 1 CP for G2, which goes in by 20 – 15."
    assert entry.secret == "2 CP for I1, which goes in by 19 – 14 – 11."
    assert setup.balance(RUSSIAN) == before - 3
    for sees in ((), ("german",)):
        known = setup.known(*sees)
        assert known.balance(RUSSIAN) == before - 1
        assert [line.reason for line in known.lines[RUSSIAN].values()][-1] == "Set-up of G2 in sector 15"
        assert reading.newest_lines(setup.match, sees)[0].secret == ""


# Play begins (20.5.8 step 4)


def test_after_both_set_ups_turn_one_begins_with_the_random_marker(german_setup):
    game = german_setup
    for side, rg in ((RUSSIAN, "A1"), (GERMAN, "A2")):
        game.write(game.group(side, rg), mark=Group.Sign.HERE, since=3)
    state = replace(game.match.state, turn=4, phase="melee")
    type(game.match).objects.filter(pk=game.match_id).update(state=state)
    done = game.do(setting_up.confirm, GERMAN)
    assert [entry.sentence for entry in done.entries] == [
        "German has set up.",
        "The firefight at Dawn begins with turn 1. Random marker in hex L16.",
    ]
    record = game.match.state.record
    assert game.match.state == replace(state, turn=1, phase="command", record=record)
    # The marker lies on the ground, and every battery has its mission.
    assert record["ground"] == {"L16": {"hex": "L16", "random": True}}
    assert {row["group"] for row in record["missions"].values()} == {
        number for side in Side for number, group in game.ledger.groups[side].items() if group.rg in ("A1", "A2")
    }
    assert not any(record[rows] for rows in ("sets", "aircraft", "melees"))
    campaign = game.ledger.campaign
    assert (campaign.stage, campaign.ready, campaign.stage_since) == ("firefight", [], game.match.version)
    assert {(group.mark, group.since) for side in Side for group in game.ledger.groups[side].values()} == {("", 0)}


def test_the_random_marker_is_set_when_the_first_firefight_was_skipped(cg2_at):
    cg2 = cg2_at("reinforcements").through_to("setup")
    cg2.do(setting_up.confirm, RUSSIAN)
    done = cg2.do(setting_up.confirm, GERMAN)
    assert done.entries[-1].sentence == "The firefight at AM begins with turn 1. Random marker in hex L16."


def test_later_the_random_marker_is_where_it_ended(cg2_at):
    """20.5.8.1 step 6: noted during the firefight or after it, and told when the next one begins."""
    cg2 = cg2_at("firefight")
    assert cg2.ledger.campaign.random_hex == cg2.ledger.card.random_hex
    cg2.refuse(reporting.move_random_marker, GERMAN, "Ö4", error=BadField)
    (entry,) = cg2.do(reporting.move_random_marker, GERMAN, "k9").entries
    assert entry.sentence == "German: the Random marker is in hex K9."
    cg2.write(cg2.ledger.campaign, firefight=2, stage="purchases")
    cg2.refuse(reporting.move_random_marker, GERMAN, "K7", match="another step")
    cg2.through_to("firefight")
    assert cg2.last.sentence == (
        "The firefight at AM begins with turn 1. Random marker in hex K9, where it ended the last firefight."
    )


def test_a_campaign_of_version_0_1_0_does_not_know_where_its_random_marker_is(cg2_at):
    cg2 = cg2_at("firefight")
    cg2.write(cg2.ledger.campaign, firefight=2, stage="purchases", random_hex="")
    cg2.through_to("firefight")
    assert cg2.last.sentence.endswith(" Random marker in the hex where it ended the last firefight; note it.")


# What stays where it is (20.7.1 steps 3, 4 and 6, 20.6.4 step 6)


@pytest.fixture
def later(setup):
    """An M-KILLED tank and mines of an earlier firefight in sector 14, one of them hidden."""
    tank, one, two, squad = setup.units(RUSSIAN, counter="t_70")[:1] + setup.units(RUSSIAN, counter="guards_squad")[:3]
    setup.write(tank, home=14, sector=14, hex="O7", marks=["m_killed"])
    setup.write(one, counter="mine_factor", home=14, sector=14, hex="O8")
    setup.write(two, counter="mine_factor", home=14, sector=14, hex="O9", hidden=True)
    setup.write(squad, home=14, sector=14, hex="O9")
    setup.kept = {"tank": tank, "mine": one, "hidden mine": two, "squad": squad}
    return setup


@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ("tank", "T-70 is M-KILLED: it begins in its hex, where all see it (20.7.1 step 4)."),
        ("mine", "Mine factor lies on the map already and cannot be hidden again (20.7.1 step 3)."),
    ],
)
def test_what_stands_in_sight_on_the_map_cannot_become_hidden(later, who, reason):
    unit = later.kept[who]
    refused = refuse(later, RUSSIAN, [unit], 14, hidden=True)
    assert refused.reasons == [reason]
    before = later.unit(RUSSIAN, unit.number).hex
    later.place(RUSSIAN, [unit], 14)
    assert later.unit(RUSSIAN, unit.number).hex == before


def test_hidden_mines_stay_hidden_in_their_hex_and_a_squad_has_none(later):
    for name, place in (("hidden mine", "O9"), ("squad", "")):
        later.place(RUSSIAN, [later.kept[name]], 14, hidden=True)
        unit = later.unit(RUSSIAN, later.kept[name].number)
        assert (unit.hidden, unit.hex) == (True, place)
    later.place(RUSSIAN, [later.kept["squad"]], 14)
    later.do(setting_up.confirm, RUSSIAN)
    later.do(setting_up.confirm, GERMAN)
    assert [later.unit(RUSSIAN, unit.number).hex for unit in later.kept.values()] == ["O7", "O8", "O9", ""]


def test_what_lies_on_the_map_begins_in_its_hex(later):
    tank = later.kept["tank"]
    later.refuse(setting_up.place, RUSSIAN, [tank.number], 14, hex_name="K7", error=Unfit, match="begins in O7")
    later.do(setting_up.place, RUSSIAN, [tank.number], 14, hex_name="O7")
    assert later.unit(RUSSIAN, tank.number).hex == "O7"
    squad = later.kept["squad"]
    for place in ("O7", "O8"):  # what does not lie there is set up wherever its side says, and once more
        later.do(setting_up.place, RUSSIAN, [squad.number], 14, hex_name=place)
        assert later.unit(RUSSIAN, squad.number).hex == place


def test_ts_16_mines_may_be_taken_off_in_own_sectors(later):
    one, hidden = later.kept["mine"].number, later.kept["hidden mine"].number
    for units, error in (([], BadField), ([999], Unfit), ([later.kept["squad"].number], Unfit)):
        later.refuse(setting_up.take_off, RUSSIAN, units, error=error)
    later.refuse(setting_up.take_off, GERMAN, [one], match="The Russian sets up first")
    with later.trial():
        later.give(GERMAN, 14)
        later.refuse(setting_up.take_off, RUSSIAN, [one], error=Unfit, match="which your side does not control")
    done = later.do(setting_up.take_off, RUSSIAN, [one, hidden])
    assert [(entry.sentence, entry.secret) for entry in done.entries] == [
        (f"Russian: 1 × Mine factor{tags(one)}: taken off the map.", ""),
        ("Russian writes something down under seal.", f"1 × Mine factor{tags(hidden)}: taken off the map."),
    ]
    for number in (one, hidden):
        unit = later.unit(RUSSIAN, number)
        assert (unit.fate, unit.sector, unit.home, unit.hex, unit.hidden) == ("eliminated", None, None, "", False)


# At-start units later on


def test_a_55_at_start_units_do_not_set_up_in_a_besieged_sector_later(setup):
    squad = setup.units(RUSSIAN, counter="guards_squad")[0]
    setup.give(GERMAN, 5, 12, 13, 14)
    setup.place(RUSSIAN, [squad], 11)  # before the first firefight the card has the word
    setup.place(RUSSIAN, [squad], None)
    setup.write(setup.ledger.campaign, firefight=2)
    assert setup.ledger.has_been_fought
    refuse(
        setup, RUSSIAN, [squad], 11, match="Sector 11 is isolated: units from off map need a line of friendly sectors"
    )
    setup.place(RUSSIAN, [squad], 15)
    assert setup.ledger.bill(RUSSIAN).total == 0


@pytest.mark.parametrize("counter", ["mine_factor", "guards_squad"])
def test_mines_do_not_count_as_units_where_areas_overlap(counter):
    """20.6.2: a sector in both areas with nothing but mines in it stays nobody's."""
    data = shipped_copy()
    data["cards"]["cg2"]["german"]["deployment"] = [1, 2, 6, 7, 11]
    game = Game.begin("cg2", data=data)
    game.through_to("setup")
    unit = game.units(RUSSIAN, counter="guards_squad")[0]
    game.write(unit, counter=counter, sector=11)
    game.through_to("firefight")
    assert game.ledger.control[11] is (Holding.NOBODY if counter == "mine_factor" else Holding.RUSSIAN)


def test_a_sector_in_both_deployment_areas_goes_to_the_only_side_in_it():
    data = shipped_copy()
    data["cards"]["cg2"]["german"]["deployment"] = [1, 2, 6, 7, 3, 4, 11]
    game = Game.begin("cg2", data=data)
    shared = [sector for sector, holding in game.ledger.control.items() if holding is Holding.NOBODY]
    assert shared == [3, 4, 11]
    game.through_to("setup")
    mine = [unit for unit in game.units(RUSSIAN) if unit.group and unit.group.rg == "I2"]
    game.place(RUSSIAN, mine[:1], 11)
    game.place(RUSSIAN, mine[1:2], 3, hidden=True)
    game.do(setting_up.confirm, RUSSIAN)
    game.place(GERMAN, [unit for unit in game.units(GERMAN) if unit.counter == "pioneer_squad"][:1], 11)
    assert [game.ledger.control[sector] for sector in shared] == [Holding.NOBODY] * 3
    game.do(setting_up.confirm, GERMAN)
    assert [game.ledger.control[sector] for sector in shared] == [Holding.RUSSIAN, Holding.NOBODY, Holding.NOBODY]
    assert game.ledger.control[7] is Holding.GERMAN


def test_units_set_up_on_the_map_are_held_off_it_no_more(setup):
    one, two, three = units = [unit for unit in setup.units(RUSSIAN) if unit.counter == "guards_squad"]
    for unit in units:
        setup.write(unit, marks=["reduced", "held"])
    setup.place(RUSSIAN, [one], 18)
    setup.place(RUSSIAN, [three], 18, hidden=True)
    assert setup.unit(RUSSIAN, one.number).marks == ["reduced", "held"]  # it may still go back
    setup.through_to("firefight")
    assert setup.unit(RUSSIAN, one.number).marks == ["reduced"]
    assert setup.unit(RUSSIAN, two.number).marks == ["reduced", "held"]
    # Where the hidden one is would show if the other side saw its mark go.
    assert setup.known("german").units[RUSSIAN][three.number].marks == ["reduced", "held"]
    setup.report(RUSSIAN, [three], "show")
    assert setup.known("german").units[RUSSIAN][three.number].marks == ["reduced"]


# Isolation (20.10.1)


@pytest.fixture
def pocket(stocked):
    """11 is Russian and shut in; a squad, a leader, a gun, mines and a tank begin there."""
    setup = stocked("F1")
    setup.give(GERMAN, 5, 12, 13, 14)
    units = {key: setup.units(RUSSIAN, counter=key)[0] for key in ("guards_squad", "commissar", "ptp_42", "t_70")}
    units["mine_factor"] = setup.units(RUSSIAN, "F1")[0]
    put(setup, RUSSIAN, 11, *units.values())
    setup.write(units["mine_factor"], home=11)
    return setup, units


def begin_play(game):
    """Both set-ups are confirmed, whatever stands on the map; the lines of the log about it."""
    known = len(game.entries)
    with_rows = game.ledger.units[RUSSIAN].values()
    for unit in with_rows:
        if unit.sector == 11:
            game.write(unit, home=11)
    for rest in game.units(RUSSIAN, "F1")[1:]:
        game.write(rest, home=11, sector=11)
    game.through_to("firefight")
    return game.entries[known:]


def test_units_in_an_isolated_sector_begin_pinned_down_or_suppressed(pocket):
    game, units = pocket
    *_, begins, isolated = begin_play(game)
    marks = {key: game.unit(RUSSIAN, unit.number).marks for key, unit in units.items()}
    assert marks == {
        "guards_squad": ["pinned"],
        "commissar": ["pinned"],
        "ptp_42": ["pinned"],
        "t_70": ["suppressed"],
        "mine_factor": [],
    }
    assert begins.sentence.startswith("The firefight at Dawn begins")
    assert isolated.side == RUSSIAN
    squad, gun, tank, leader = (tags(units[key]) for key in ("guards_squad", "ptp_42", "t_70", "commissar"))
    assert isolated.sentence == (
        "Russian: sector 11 is isolated, so they begin Pinned Down or Suppressed: "
        f"1 × Guards squad{squad}, 1 × 45 mm PTP 42{gun}, 1 × T-70{tank}, 1 × Commissar{leader}."
    )
    elsewhere = [unit for side in Side for unit in game.units(side) if unit.sector != 11]
    assert {tuple(unit.marks) for unit in elsewhere} == {()}


def test_a_unit_that_is_pinned_already_is_pinned_once(pocket):
    game, units = pocket
    game.write(units["guards_squad"], marks=["reduced", "pinned"])
    begin_play(game)
    assert sorted(game.unit(RUSSIAN, units["guards_squad"].number).marks) == ["pinned", "reduced"]


def test_hidden_units_are_marked_without_a_word(pocket):
    game, units = pocket
    game.write(units["guards_squad"], hidden=True)
    game.write(units["t_70"], hidden=True)
    *_, isolated = begin_play(game)
    assert game.unit(RUSSIAN, units["guards_squad"].number).marks == ["pinned"]
    assert game.unit(RUSSIAN, units["t_70"].number).marks == ["suppressed"]
    gun, leader = tags(units["ptp_42"]), tags(units["commissar"])
    assert isolated.sentence.endswith(f": 1 × 45 mm PTP 42{gun}, 1 × Commissar{leader}.")
    for sees in ((), ("german",)):
        known = game.known(*sees).units[RUSSIAN]
        assert [known[units[key].number].marks for key in ("guards_squad", "t_70")] == [[], []]


def test_an_isolated_sector_with_hidden_units_alone_has_no_line(pocket):
    game, units = pocket
    for unit in game.ledger.units[RUSSIAN].values():
        if unit.sector == 11:
            game.write(unit, hidden=True)
    *_, last = begin_play(game)
    assert last.sentence.startswith("The firefight at Dawn begins")
    assert game.unit(RUSSIAN, units["commissar"].number).marks == ["pinned"]


def test_nobody_is_pinned_where_there_is_a_line(setup):
    setup.place(RUSSIAN, setup.units(RUSSIAN, counter="guards_squad")[:1], 11)
    setup.through_to("firefight")
    assert {tuple(unit.marks) for side in Side for unit in setup.units(side)} == {()}
    assert setup.last.sentence.startswith("The firefight at Dawn begins")


def test_units_not_set_up_wait_off_the_map(setup):
    setup.through_to("firefight")
    assert {unit.sector for side in Side for unit in setup.units(side)} == {None}
    assert Tally(unit.counter for unit in setup.units(RUSSIAN, "I1")) == {"militia_squad": 3}


# The whole way (20.5.8)


def test_the_steps_of_the_first_reorganization_phase_come_in_their_order(cg1):
    stages, ledger = [cg1.stage], cg1.ledger
    assert ledger.in_play(GERMAN)  # step 1: the at-start OB
    cg1.buy(GERMAN, "I4")  # step 2
    cg1.refuse(setting_up.confirm, GERMAN, match="another step")
    cg1.refuse(orders.reveal_orders, GERMAN, match="still without sealed orders")
    cg1.orders()
    stages.append(cg1.stage)  # step 3: revealed, now set up
    cg1.refuse(buying.buy, GERMAN, "I4", typed(), match="another step")
    cg1.do(setting_up.confirm, RUSSIAN)
    cg1.place(GERMAN, cg1.units(GERMAN, "I4"), 6)
    cg1.do(setting_up.confirm, GERMAN)
    stages.append(cg1.stage)  # step 4
    assert stages == ["purchases", "setup", "firefight"]
    assert cg1.match.state.turn == 1
    assert cg1.last.sentence == "The firefight at Dawn begins with turn 1. Random marker in hex M14."
