"""A campaign's rows as they stand, and as each side, and an observer, may know them."""

from collections import Counter as Tally
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.acts import orders, seals
from campaign.ledger.ledger import load
from campaign.models import Campaign, Group, Seal, Unit
from campaign.rules.orders import Order
from campaign.rules.reports import News
from campaign.rules.setup import Arrival, SetupUnit
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from tests.campaign.acts.game import ATTACK, GERMAN, HOLD, RUSSIAN, Game, other

pytestmark = pytest.mark.django_db

KINDS = ("groups", "units", "seals", "lines")
OUTSIDERS = pytest.mark.parametrize("sees", [("german",), ()], ids=["german", "observer"])


@pytest.fixture
def game(db):
    return Game.begin("cg2")


@pytest.fixture
def secretive(game):
    """The Russian keeps all that he can keep: a plot, an observer, a hidden platoon and what its place cost."""
    game.buy(RUSSIAN, "I1")
    game.do(seals.write_plot, RUSSIAN, game.group(RUSSIAN, "A1").number, "K7", "K9", 2)
    game.do(seals.write_observer, RUSSIAN, "Y20")
    game.through_to("setup")
    game.place(RUSSIAN, game.units(RUSSIAN, "I1"), 11, hidden=True)
    game.place(RUSSIAN, game.units(RUSSIAN, counter="officer"), 18)
    return game.through_to("firefight")


def plain_rows(ledger, kind, side):
    return {number: row.plain() for number, row in getattr(ledger, kind)[side].items()}


# Loading


def test_a_ledger_is_loaded_in_five_queries_however_much_there_is(game):
    load(game.match)  # the content is read once in a process
    counts = []
    for rg in ("I1", "I6", "I1", "F1"):
        match = game.match
        with CaptureQueriesContext(connection) as queries:
            load(match)
        counts.append(len(queries))
        game.buy(RUSSIAN, rg)
    assert counts == [5] * 4


def test_rows_that_point_to_the_same_row_share_it(game):
    game.buy(RUSSIAN, "I2", die=1)
    game.seal(GERMAN, ATTACK)
    ledger = game.ledger
    for side in Side:
        for kind in KINDS:
            for number, row in getattr(ledger, kind)[side].items():
                assert (row.side, row.number) == (side, number)
                assert row.campaign is ledger.campaign
        for row in (*ledger.units[side].values(), *ledger.lines[side].values(), *ledger.seals[side].values()):
            assert (row.group is None) == (row.group_id is None)
            assert row.group is None or row.group is ledger.groups[side][row.group.number]
    *_, line = ledger.lines[GERMAN].values()
    assert line.seal is ledger.orders_of(GERMAN)


def test_all_rows_come_in_the_order_in_which_they_point_to_each_other(secretive):
    ledger = secretive.ledger
    rows = list(ledger.rows())
    kinds = list(dict.fromkeys(type(row).__name__ for row in rows))
    assert kinds == ["Campaign", "Group", "Unit", "Seal", "CpLine"]
    assert len(rows) == 1 + sum(len(getattr(ledger, kind)[side]) for kind in KINDS for side in Side)


def test_a_match_without_a_campaign_has_no_ledger(game):
    Campaign.objects.all().delete()
    with pytest.raises(Campaign.DoesNotExist):
        load(Match.objects.get(pk=game.match_id))


# What follows from the rows


def test_the_balance_is_the_sum_of_the_lines(game):
    for _ in range(3):
        game.buy(GERMAN, "I4")
    game.seal(GERMAN, ATTACK, bonus=True)
    ledger = game.ledger
    assert [line.amount for line in ledger.lines[GERMAN].values()] == [24, -3, -3, -3, -6]
    assert (ledger.balance(GERMAN), ledger.balance(RUSSIAN)) == (9, 20)


def test_boxes_count_purchases_and_the_attacks_that_stand(game):
    game.buy(GERMAN, "I4")
    game.buy(GERMAN, "I4")
    game.write(game.group(GERMAN, "I4"), standing=Group.Standing.LOST)
    game.seal(GERMAN, ATTACK)
    assert game.ledger.bought(GERMAN) == {"I4": 2, "X1": 1}
    game.do(orders.withdraw_orders, GERMAN)
    assert game.ledger.bought(GERMAN) == {"I4": 2}
    game.write(game.group(GERMAN, "I4"), standing=Group.Standing.REFUNDED)
    assert game.ledger.bought(GERMAN) == {"I4": 1}


def test_the_first_free_box_fills_a_gap(game):
    assert game.ledger.free_box(GERMAN, "I4") == 1
    for _ in range(3):
        game.buy(GERMAN, "I4")
    assert game.ledger.free_box(GERMAN, "I4") == 4
    for standing, free in ((Group.Standing.USED_UP, 4), (Group.Standing.REFUNDED, 2)):
        game.write(game.group(GERMAN, "I4", -2), standing=standing)
        assert game.ledger.free_box(GERMAN, "I4") == free
    assert game.ledger.free_box(RUSSIAN, "I4") == 1


def test_the_box_holds_what_is_not_in_use(game):
    counters = game.ledger.content.counters[RUSSIAN]
    used = Tally(unit.counter for unit in game.units(RUSSIAN))
    assert game.ledger.left_in_box(RUSSIAN) == {key: counter.count - used[key] for key, counter in counters.items()}
    lost = game.units(RUSSIAN, counter="t_70")[:2]
    game.write(lost[0], fate=Unit.Fate.ELIMINATED)
    game.write(lost[1], fate=Unit.Fate.LEFT)
    assert game.ledger.left_in_box(RUSSIAN)["t_70"] == counters["t_70"].count - 1


def test_units_in_play_are_those_that_are_not_gone(game):
    lost, *rest = game.ledger.in_play(RUSSIAN)
    group = lost.group
    members = len(game.ledger.units_of(group))
    game.write(lost, fate=Unit.Fate.ELIMINATED)
    assert [unit.number for unit in game.ledger.in_play(RUSSIAN)] == [unit.number for unit in rest]
    assert len(game.ledger.units_of(game.ledger.groups[RUSSIAN][group.number])) == members - 1
    assert game.ledger.commissars(RUSSIAN) == 1
    game.write(game.units(RUSSIAN, counter="commissar")[0], fate=Unit.Fate.ELIMINATED)
    assert game.ledger.commissars(RUSSIAN) == 0


def sectors_in(ledger):
    """The sectors in which each side has counters."""
    return {side: {unit.sector for unit in ledger.in_play(side)} - {None} for side in (GERMAN, RUSSIAN)}


def test_in_play_are_hidden_units_too_for_those_who_know_of_them(secretive):
    assert sectors_in(secretive.ledger) == {GERMAN: set(), RUSSIAN: {11, 18}}
    assert sectors_in(secretive.known("german")) == {GERMAN: set(), RUSSIAN: {18}}


@pytest.mark.parametrize(
    ("card", "firefight", "fixed"),
    [
        ("cg1", 1, {GERMAN: Order.ATTACK, RUSSIAN: Order.HOLD}),
        ("cg1", 2, {GERMAN: None, RUSSIAN: None}),
        ("cg2", 1, {GERMAN: None, RUSSIAN: None}),
    ],
)
def test_the_card_fixes_the_orders_of_the_first_firefight_only(card, firefight, fixed):
    game = Game.begin(card)
    game.write(game.ledger.campaign, firefight=firefight)
    assert {side: game.ledger.fixed_order(side) for side in Side} == fixed
    assert game.ledger.situation(GERMAN).stance_fixed == (fixed[GERMAN] is not None)


def test_orders_are_those_for_the_firefight_ahead_that_were_not_withdrawn(game):
    assert game.ledger.orders_of(GERMAN) is None
    game.seal(GERMAN, ATTACK)
    game.do(orders.withdraw_orders, GERMAN)
    assert game.ledger.orders_of(GERMAN) is None
    game.seal(GERMAN, HOLD)
    assert game.ledger.orders_of(GERMAN).orders.order == "hold"
    assert game.ledger.orders_of(RUSSIAN) is None
    game.write(game.ledger.campaign, firefight=2)
    assert game.ledger.orders_of(GERMAN) is None


def test_a_firefight_that_was_skipped_was_not_fought(game):
    assert not game.ledger.has_been_fought
    game.through_to("reinforcements").through_to("setup")
    assert not game.ledger.has_been_fought
    game.write(game.ledger.campaign, firefight=3)
    assert game.ledger.has_been_fought


@pytest.mark.parametrize(
    ("stage", "attacker", "ready", "setting_up"),
    [
        ("setup", "german", [], RUSSIAN),
        ("setup", "german", ["russian"], GERMAN),
        ("setup", "russian", [], GERMAN),
        ("setup", "russian", ["german"], RUSSIAN),
        ("firefight", "german", [], None),
        ("purchases", "", [], None),
    ],
)
def test_whose_set_up_it_is(game, stage, attacker, ready, setting_up):
    game.write(game.ledger.campaign, stage=stage, attacker=attacker, ready=ready)
    assert game.ledger.setting_up is setting_up


def test_how_each_unit_comes_to_the_set_up(game):
    game.buy(RUSSIAN, "V6")
    game.buy(RUSSIAN, "F1")
    squad, tank = (game.units(RUSSIAN, counter=key)[0] for key in ("guards_squad", "t_70"))
    commissar, truck, mines = (game.units(RUSSIAN, counter=key)[0] for key in ("commissar", "gaz_aa", "mine_factor"))

    def mover(unit):
        setup = game.ledger.mover(game.unit(RUSSIAN, unit.number))
        return setup if setup.is_vehicle else replace(setup, is_mobile=True)  # which matters for vehicles alone

    assert mover(squad) == SetupUnit(Arrival.AT_START, True)
    assert mover(commissar) == SetupUnit(Arrival.AT_START, False)
    assert mover(tank) == SetupUnit(Arrival.AT_START, True, None, True, True)
    assert mover(truck) == SetupUnit(Arrival.NEW, True, None, True, True)
    assert mover(mines) == SetupUnit(Arrival.NEW, False)
    game.write(squad, marks=["held"])
    game.write(commissar, marks=["held"])
    game.write(tank, home=11, marks=["m_killed"])
    game.write(game.ledger.campaign, firefight=2)
    assert mover(squad) == SetupUnit(Arrival.HELD, True)
    assert mover(commissar) == SetupUnit(Arrival.HELD, True)  # a single counter pays for itself
    assert mover(tank) == SetupUnit(Arrival.SURVIVOR, True, 11, True, False)
    assert mover(truck) == SetupUnit(Arrival.HELD, True, None, True, True)


def test_the_bill_leaves_aircraft_and_the_gone_out(game):
    game.buy(RUSSIAN, "S1")
    game.buy(RUSSIAN, "I1")
    first, *_ = game.units(RUSSIAN, "I1")
    game.write(first, fate=Unit.Fate.ELIMINATED)
    for unit in game.units(RUSSIAN, "I1"):
        game.write(unit, sector=11)
    bill = game.ledger.bill(RUSSIAN)
    assert (bill.total, bill.objections) == (2, ())
    planes = game.units(RUSSIAN, "S1")
    assert not any(game.ledger.sets_up(unit) for unit in planes)


# What others may know


@OUTSIDERS
def test_what_the_russian_keeps_is_not_in_what_others_know(secretive, sees):
    known, ledger = secretive.known(*sees), secretive.ledger
    squads = [unit.number for unit in secretive.units(RUSSIAN, "I1")]
    for number, unit in ledger.units[RUSSIAN].items():
        visible = known.units[RUSSIAN][number]
        if number in squads:
            assert (unit.sector, unit.hidden) == (11, True)
            assert (visible.sector, visible.hex, visible.home, visible.hidden) == (None, "", None, False)
        else:
            assert visible is unit
    assert [seal.kind for seal in known.seals[RUSSIAN].values()] == [Seal.Kind.ORDERS]  # which were revealed
    assert [line.amount for line in ledger.lines[RUSSIAN].values()] == [20, -2, -2]
    assert [line.amount for line in known.lines[RUSSIAN].values()] == [20, -2]
    assert (ledger.balance(RUSSIAN), known.balance(RUSSIAN)) == (16, 18)


def test_every_side_knows_all_of_its_own(secretive):
    ledger = secretive.ledger
    known = secretive.known("russian")
    for side in Side:
        for kind in KINDS:
            assert plain_rows(known, kind, side) == plain_rows(ledger, kind, side)
    both = ledger.known(("german", "russian"))
    assert all(plain_rows(both, k, s) == plain_rows(ledger, k, s) for k in KINDS for s in Side)


@OUTSIDERS
def test_the_ledger_itself_is_not_changed_by_being_known(secretive, sees):
    ledger = secretive.ledger
    before = {(kind, side): plain_rows(ledger, kind, side) for kind in KINDS for side in Side}
    known = ledger.known(sees)
    assert known.campaign is ledger.campaign
    assert {(kind, side): plain_rows(ledger, kind, side) for kind in KINDS for side in Side} == before
    assert all(not row.changed() for row in ledger.rows())


@OUTSIDERS
def test_a_hidden_unit_keeps_only_the_marks_that_last(secretive, sees):
    first, *_ = secretive.units(RUSSIAN, "I1")
    secretive.write(first, marks=["reduced", "pinned", "disrupted"])
    assert secretive.known(*sees).units[RUSSIAN][first.number].marks == ["reduced"]
    assert secretive.known("russian").units[RUSSIAN][first.number].marks == ["reduced", "pinned", "disrupted"]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("standing", Seal.Standing)
def test_only_open_records_are_known_to_others(game, side, standing):
    game.seal(side, HOLD)
    game.write(game.ledger.seals[side][1], standing=standing)
    for sees in ((other(side).value,), ()):
        assert bool(game.known(*sees).seals[side]) == (standing == Seal.Standing.OPEN)
    assert game.known(side.value).seals[side]


@OUTSIDERS
def test_what_others_know_grows_with_what_is_shown(secretive, sees):
    squads = secretive.units(RUSSIAN, "I1")
    secretive.do(seals.open_seal, RUSSIAN, 2)  # the observer
    secretive.report(RUSSIAN, squads[:1], News.SHOW)
    known = secretive.known(*sees)
    assert [known.units[RUSSIAN][unit.number].sector for unit in squads] == [11, None, None]
    assert [seal.kind for seal in known.seals[RUSSIAN].values()] == [Seal.Kind.OBSERVER, Seal.Kind.ORDERS]


def test_a_ledger_says_where_the_campaign_stands(game):
    assert (game.ledger.stage, game.ledger.time, game.ledger.card.id) == ("purchases", "Dawn", "cg2")
    assert game.ledger.attack_group(GERMAN).id == "X1"
