"""What all acts of a campaign share: act ids and versions, who may act, and that taking back restores every row."""

import inspect
import uuid

import pytest

from campaign.acts import batteries, beginning, buying, flying, orders, reporting, seals, setting_up, turns
from campaign.ledger.act import CampaignAct, Unfit
from campaign.models import CpLine, Group, Seal, Unit
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, LogEntry
from firefight.table.act.refusals import Refused, Stale
from firefight.table.consent import matters
from firefight.table.log import notes
from firefight.table.rolling import advancing
from firefight.table.seats.seating import OBSERVER
from tests.frozen import every_row

from .game import APP, ATTACK, GERMAN, HOLD, RUSSIAN, Game, numbers, typed

pytestmark = pytest.mark.django_db

MODULES = (batteries, beginning, buying, flying, orders, reporting, seals, setting_up, turns)
FFE, LOST = batteries.BatteryNews.FFE, batteries.BatteryNews.LOST
ENTER, EXIT, MOVE, SHOW = (News(word) for word in ("enter", "exit", "move", "show"))


def acts_of(module):
    """The functions of a module that are acts of a side."""
    acts = {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and hasattr(function, "__wrapped__")
    }
    return {f"{module.__name__.rpartition('.')[2]}.{name}": function for name, function in acts.items()}


ALL_ACTS = {name: act for module in MODULES for name, act in acts_of(module).items()}


# Versions


def test_a_form_is_stale_once_its_own_side_has_acted(cg2):
    drawn = cg2.match.version
    cg2.buy(GERMAN, "I4")
    for version in (drawn, 0, None):
        with pytest.raises(Stale, match="has moved on since this form was drawn"):
            buying.buy(cg2.table(GERMAN), str(uuid.uuid4()), version, "I4", typed())
    assert len(cg2.ledger.groups[GERMAN]) == len(Game.begin("cg2").ledger.groups[GERMAN]) + 1


def test_what_the_other_side_does_meanwhile_spoils_no_form(cg2):
    drawn = cg2.match.version
    for rg in ("I1", "I6", "I1"):
        cg2.buy(RUSSIAN, rg)
    cg2.seal(RUSSIAN, HOLD)
    cg2.do(buying.buy, GERMAN, "I4", typed(), version=drawn)
    assert cg2.balance(GERMAN) == 24 - 3


def test_two_pages_read_at_the_same_moment_both_count(cg2):
    tables = [cg2.table(side) for side in Side]
    version = cg2.match.version
    for table in tables:
        buying.buy(table, str(uuid.uuid4()), version, "I5", typed(die=10))
        with pytest.raises(Stale):
            buying.buy(table, str(uuid.uuid4()), version, "I4", typed())
    assert [entry.number for entry in cg2.entries] == [1, 2, 3, 4]
    assert [cg2.ledger.bought(side)["I5"] for side in Side] == [1, 1]


def test_a_form_older_than_the_step_is_stale_for_both_sides(cg2):
    cg2.seal(GERMAN, ATTACK)
    cg2.seal(RUSSIAN, HOLD)
    drawn = cg2.match.version
    cg2.do(orders.reveal_orders, GERMAN)
    unit = cg2.units(RUSSIAN)[:1]
    for version in (drawn, drawn - 1):
        cg2.refuse(setting_up.place, RUSSIAN, numbers(unit), 11, version=version, error=Stale)
    cg2.place(RUSSIAN, unit, 11)


def test_a_form_of_the_version_that_began_the_step_is_fresh(cg2_at):
    cg2 = cg2_at("setup")
    assert cg2.ledger.campaign.stage_since == cg2.match.version
    cg2.do(setting_up.confirm, RUSSIAN, version=cg2.match.version)


@pytest.mark.parametrize("ahead", [1, 2, 10**9])
def test_a_version_that_never_was_is_stale(cg2, ahead):
    cg2.refuse(buying.buy, GERMAN, "I4", typed(), version=cg2.match.version + ahead, error=Stale)
    cg2.refuse(buying.buy, GERMAN, "I4", typed(), version=-ahead, error=Stale)


def test_taking_back_makes_older_forms_stale_too(cg2):
    drawn = cg2.match.version
    cg2.buy(GERMAN, "I4")
    cg2.take_back(GERMAN)
    cg2.refuse(buying.buy, GERMAN, "I4", typed(), version=drawn, error=Stale)
    cg2.buy(GERMAN, "I4")


# Act ids


def test_a_repeated_act_id_answers_once(cg2):
    act_id = str(uuid.uuid4())
    first = cg2.do(buying.buy, GERMAN, "I1", APP, act_id=act_id)
    before = every_row()
    again = cg2.do(buying.buy, GERMAN, "I1", APP, act_id=act_id, version=1)
    assert every_row() == before
    assert [entry.pk for entry in again.entries] == [entry.pk for entry in first.entries]


def test_a_repeated_act_id_answers_whatever_else_it_asks_and_however_late(cg2):
    act_id = str(uuid.uuid4())
    first = cg2.do(orders.seal_orders, GERMAN, HOLD, act_id=act_id)
    cg2.seal(RUSSIAN, HOLD)
    cg2.do(orders.reveal_orders, RUSSIAN)
    before = every_row()
    for act, more in ((orders.seal_orders, (ATTACK, True)), (buying.buy, ("I4", typed())), (orders.reveal_orders, ())):
        assert cg2.do(act, GERMAN, *more, act_id=act_id, version=0).entries == first.entries
    assert every_row() == before


def test_an_act_id_belongs_to_its_side_and_its_match(cg2, cg1):
    act_id = str(uuid.uuid4())
    cg2.do(buying.buy, GERMAN, "I4", typed(), act_id=act_id)
    cg2.refuse(buying.buy, RUSSIAN, "I1", typed(), act_id=act_id, match="another match or another side")
    cg1.refuse(buying.buy, GERMAN, "I4", typed(), act_id=act_id, match="another match or another side")


@pytest.mark.parametrize("act_id", ["1", "nonsense", "\0", "x" * 500])
def test_a_form_without_an_act_id_is_refused(cg2, act_id):
    cg2.refuse(buying.buy, GERMAN, "I4", typed(), act_id=act_id, match="lost its act id")


def test_refused_acts_leave_no_trace_and_no_gap(cg2):
    act_id = str(uuid.uuid4())
    cg2.refuse(buying.buy, GERMAN, "V7", typed(), act_id=act_id)
    cg2.refuse(orders.reveal_orders, GERMAN, act_id=act_id)
    cg2.do(buying.buy, GERMAN, "I4", typed(), act_id=act_id)  # the id is still good
    assert [entry.number for entry in cg2.entries] == [1, 2, 3]
    assert [act.number for act in Act.objects.filter(match=cg2.match_id)] == [2]


# Who may act


MORE = {
    "buying.buy": ("I4", typed()),
    "buying.put_right_cp": (3, "told wrongly"),
    "buying.refund": (1,),
    "buying.reinforce": (typed(die=1),),
    "orders.reveal_orders": (),
    "orders.seal_orders": (HOLD,),
    "orders.roll_for_attacker": (typed(german_die=1, russian_die=2),),
    "orders.withdraw_orders": (),
    "flying.air_attack": (1, AirWeapon.HE),
    "flying.roll_arrival": (1, typed(die=1)),
    "batteries.note_battery": (1, FFE),
    "flying.down_aircraft": (1,),
    "reporting.end_nest": (1,),
    "turns.end_turn": (typed(),),
    "reporting.move_random_marker": ("K7",),
    "reporting.report": ([1], MOVE, 1),
    "seals.write_observer": ("A9",),
    "seals.open_seal": (1,),
    "seals.write_plot": (1, "K7", "K9", 1),
    "seals.withdraw": (1,),
    "setting_up.confirm": (),
    "setting_up.name_building": (1, "Bread factory", 2),
    "setting_up.place": ([1], 1),
    "setting_up.take_off": ([1],),
}


def test_observers_do_nothing_in_any_step(cg2):
    assert MORE.keys() == ALL_ACTS.keys()
    for stage in ("purchases", "setup", "firefight"):
        cg2.through_to(stage)
        before = every_row()
        for name, act in ALL_ACTS.items():
            with pytest.raises(Refused, match="Observers watch"):
                cg2.do(act, OBSERVER, *MORE[name])
        assert every_row() == before


def test_an_ended_match_takes_no_more_acts(cg2):
    cg2.do(matters.propose_end, GERMAN)
    for name in ("buying.buy", "orders.seal_orders", "seals.write_observer"):
        cg2.refuse(ALL_ACTS[name], GERMAN, *MORE[name], match="has ended")


def test_a_match_without_a_campaign_has_no_ledger(cg2):
    cg2.ledger.campaign.delete()
    with pytest.raises(type(cg2.ledger.campaign).DoesNotExist):
        cg2.do(buying.buy, GERMAN, "I4", typed())


# Money, names, rows


def unkept_act(game, side=GERMAN):
    """An act that is never kept."""
    return CampaignAct(game.match, Act(match=game.match), side, game.ledger)


def test_no_side_spends_what_it_does_not_have(cg2):
    one = unkept_act(cg2)
    assert one.pay(0, "nothing") is None
    line = one.pay(-24, "all of it")
    assert (line.side, line.amount, line.firefight, line.sealed, one.ledger.balance(GERMAN)) == (
        GERMAN,
        -24,
        1,
        False,
        0,
    )
    with pytest.raises(Unfit) as refused:
        one.pay(-1, "more")
    assert refused.value.reasons == ["That would leave -1 CP (20.8.1)."]
    one.pay(5, "back", side=RUSSIAN)
    assert one.ledger.balance(RUSSIAN) == 25


def test_rows_are_numbered_within_their_side(cg2):
    one = unkept_act(cg2)
    assert one.add_group("I1").number == len(cg2.ledger.groups[GERMAN])
    assert one.add_group("I1", side=RUSSIAN).number == len(cg2.ledger.groups[RUSSIAN])


def test_a_side_has_a_name():
    assert [side.word for side in Side] == ["German", "Russian"]


def test_every_refusal_of_rules_names_its_reasons_and_their_rules(cg2):
    cg2.write(cg2.ledger.lines[GERMAN][1], amount=1)
    refused = cg2.refuse(buying.buy, GERMAN, "V1", typed(), error=Unfit)
    assert refused.status == 422
    assert all(reason.endswith(").") for reason in refused.reasons)
    assert isinstance(refused, Refused)


# Taking back


def campaign_of_all_acts(game):
    """Acts of every kind, one after the other, in a campaign of the second card: who does what with what."""

    def number(side, rg, place=-1):
        return game.group(side, rg, place).number

    def of(side, rg="", counter=""):
        return numbers(game.units(side, rg, counter))

    def new(side, kind):
        return max(n for n, seal in game.ledger.seals[side].items() if seal.kind == kind)

    yield buying.buy, GERMAN, ("I1", typed(die=6))
    yield buying.buy, RUSSIAN, ("I2", typed(die=6, second_die=9))
    yield buying.buy, GERMAN, ("I4", APP)
    yield buying.refund, GERMAN, (number(GERMAN, "I4"),)
    yield buying.put_right_cp, GERMAN, (game.balance(GERMAN) + 1, "told wrongly")
    yield orders.seal_orders, RUSSIAN, (HOLD,)
    yield orders.withdraw_orders, RUSSIAN, ()
    yield orders.seal_orders, RUSSIAN, (HOLD,)
    yield orders.seal_orders, GERMAN, (ATTACK, True)
    yield orders.withdraw_orders, GERMAN, ()
    yield orders.seal_orders, GERMAN, (HOLD,)
    yield orders.reveal_orders, RUSSIAN, ()
    # Dawn is skipped.
    yield buying.reinforce, RUSSIAN, (APP,)
    yield buying.reinforce, GERMAN, (typed(die=10),)
    yield buying.buy, GERMAN, ("V3", typed(mix_1=1, mix_2=8, mix_3=3))
    yield buying.buy, GERMAN, ("S1", typed())
    yield buying.buy, RUSSIAN, ("N1", typed())
    yield buying.buy, RUSSIAN, ("I1", typed())
    yield seals.write_plot, RUSSIAN, (number(RUSSIAN, "A1"), "K7", "K9", 1)
    yield seals.write_plot, RUSSIAN, (number(RUSSIAN, "A1"), "L7", "L9", 1)
    yield seals.write_observer, GERMAN, ("A12",)
    yield seals.withdraw, GERMAN, (new(GERMAN, Seal.Kind.OBSERVER),)
    yield orders.seal_orders, GERMAN, (ATTACK, True)
    yield orders.seal_orders, RUSSIAN, (ATTACK,)
    yield orders.reveal_orders, GERMAN, ()
    yield orders.roll_for_attacker, GERMAN, (typed(german_die=4, russian_die=4),)
    yield setting_up.place, RUSSIAN, (of(RUSSIAN, "I1"), 11, True)
    yield setting_up.place, RUSSIAN, (of(RUSSIAN, "I2"), 18)
    yield setting_up.place, RUSSIAN, (of(RUSSIAN, "I2"), None)
    yield setting_up.place, RUSSIAN, (of(RUSSIAN, "N1"), 14, False, "", "Bakery", 2)
    yield setting_up.place, RUSSIAN, (of(RUSSIAN, counter="commissar"), 20)
    yield setting_up.name_building, RUSSIAN, (number(RUSSIAN, "N1"), "Bread factory", 3)
    yield setting_up.take_off, RUSSIAN, (of(RUSSIAN, counter="mine_factor"),)
    yield setting_up.confirm, RUSSIAN, ()
    yield setting_up.place, GERMAN, (of(GERMAN, "V3"), 1)
    yield setting_up.place, GERMAN, (of(GERMAN, "I3"), 7)
    yield setting_up.confirm, GERMAN, ()
    yield reporting.report, GERMAN, (of(GERMAN, "I1"), ENTER, 2)
    yield reporting.report, RUSSIAN, (of(RUSSIAN, "I1"), MOVE, 13)
    yield reporting.report, RUSSIAN, (of(RUSSIAN, "I1")[:1], SHOW)
    yield reporting.report, RUSSIAN, (of(RUSSIAN, "I1")[1:2], News.ELIMINATED)
    yield reporting.report, GERMAN, (of(GERMAN, "V3")[:1], News.M_KILLED)
    yield reporting.report, GERMAN, (of(GERMAN, "I3", "pioneer_squad")[:2], News.REDUCED)
    yield seals.open_seal, RUSSIAN, (new(RUSSIAN, Seal.Kind.PLOT),)
    yield batteries.note_battery, RUSSIAN, (number(RUSSIAN, "A1"), FFE)
    yield batteries.note_battery, GERMAN, (number(GERMAN, "A1"), LOST)
    yield flying.roll_arrival, GERMAN, (number(GERMAN, "S1"), typed(die=1))
    yield flying.down_aircraft, GERMAN, (number(GERMAN, "S1"),)
    yield flying.air_attack, GERMAN, (number(GERMAN, "S1"), AirWeapon.BOTH)
    yield reporting.move_random_marker, RUSSIAN, ("K7",)
    yield turns.end_turn, RUSSIAN, (typed(),)
    yield flying.roll_arrival, GERMAN, (number(GERMAN, "S1"), typed(die=9))
    yield reporting.report, RUSSIAN, (of(RUSSIAN, counter="commissar")[:1], News.WOUNDED)
    yield reporting.end_nest, RUSSIAN, (number(RUSSIAN, "N1"),)
    yield reporting.report, RUSSIAN, (of(RUSSIAN, counter="commissar"), EXIT, 20)
    for _ in range(3):
        yield turns.end_turn, GERMAN, (typed(),)
    yield turns.end_turn, GERMAN, (APP,)


@pytest.fixture
def played(cg2):
    """The campaign of all acts, with how everything stood before each of them, and the side that did it."""
    stood, done = [], set()
    cg2.grant(RUSSIAN, 20)
    cg2.give(RUSSIAN, 6)  # so that 7 is isolated
    cg2.write(cg2.units(RUSSIAN, "G1")[0], counter="mine_factor", sector=15, home=15)  # of an earlier firefight
    for act, side, more in campaign_of_all_acts(cg2):
        stood.append((side, cg2.standing()))
        cg2.do(act, side, *more)
        done.add(f"{act.__module__.rpartition('.')[2]}.{act.__name__}")
    assert done == ALL_ACTS.keys()
    return cg2, stood


def test_acts_of_every_kind_are_taken_back_one_by_one_to_the_very_beginning(played):
    game, stood = played
    for place, (side, before) in reversed(list(enumerate(stood))):
        assert game.standing() != before
        game.take_back(side)
        after = game.standing()
        for part, expected in before.items():
            assert after[part] == expected, (place, part)
    game.refuse(matters.propose_take_back, GERMAN, match="nothing to take back")


def test_what_was_taken_back_can_be_done_again_to_the_same_end(cg2):
    ends = []
    for _ in range(2):
        for act, side, more in (
            (buying.buy, RUSSIAN, ("I2", typed(die=6, second_die=9))),
            (orders.seal_orders, RUSSIAN, (ATTACK, True)),
        ):
            cg2.do(act, side, *more)
        rows = [
            [{k: v for k, v in row.plain().items() if not k.endswith("_id") and k != "entry"} for row in kind]
            for kind in (model.objects.order_by("side", "number") for model in (Group, Unit, Seal, CpLine))
        ]
        ends.append(rows)
        for _ in range(2):
            cg2.take_back(RUSSIAN)
    assert ends[0] == ends[1]


def test_a_purchase_with_dice_of_the_app_is_taken_back_with_the_other_sides_word_only(cg2):
    before = cg2.standing()
    cg2.buy(GERMAN, "I1", APP)
    after = cg2.standing()
    cg2.do(matters.propose_take_back, GERMAN)
    assert cg2.standing() == after
    cg2.do(matters.answer, RUSSIAN, agrees=False)
    assert cg2.standing() == after
    cg2.do(matters.propose_take_back, GERMAN)
    cg2.do(matters.answer, RUSSIAN, agrees=True)
    assert cg2.standing() == before
    assert cg2.match.next_roll == 2  # the die is spent all the same


def test_the_own_last_purchase_is_taken_back_although_the_other_side_has_bought_since(cg2):
    before = cg2.standing()
    cg2.buy(GERMAN, "I4")
    cg2.buy(RUSSIAN, "I4")
    sentence = cg2.do(matters.propose_take_back, GERMAN).entries[0].sentence
    assert sentence == "Taken back: № 3."
    assert cg2.match.proposal is None
    assert (cg2.ledger.bought(GERMAN).get("I4", 0), cg2.ledger.bought(RUSSIAN)["I4"]) == (0, 1)
    cg2.take_back(RUSSIAN)
    assert cg2.standing() == before


def test_a_sealed_order_of_the_other_side_goes_with_its_word_only(cg2):
    """What a side has sealed since was built on the stage, so the question names it."""
    cg2.seal(GERMAN, ATTACK)
    cg2.seal(RUSSIAN, HOLD)
    after = cg2.standing()
    sentence = cg2.do(matters.propose_take_back, GERMAN).entries[0].sentence
    assert sentence == "German asks to take back № 3 to 4."
    lines = matters.describe_pending(cg2.table(RUSSIAN)).lines
    assert [line.split(":")[0] for line in lines] == ["№ 3, German", "№ 4, Russian"]
    assert cg2.standing() == after


def test_what_the_next_stage_was_begun_with_does_not_go_alone(cg2_at):
    cg2 = cg2_at("setup")
    assert cg2.do(matters.propose_take_back, RUSSIAN).entries[0].sentence.startswith("Russian asks to take back")


def test_a_reveal_is_taken_back_with_the_other_sides_word_only_and_is_sealed_again(cg2):
    cg2.seal(GERMAN, ATTACK)
    cg2.seal(RUSSIAN, HOLD)
    before = cg2.standing()
    cg2.do(orders.reveal_orders, GERMAN)
    cg2.do(matters.propose_take_back, GERMAN)
    assert cg2.stage == "setup"
    cg2.do(matters.answer, RUSSIAN, agrees=True)
    assert cg2.standing() == before
    assert cg2.known("russian").seals[GERMAN] == {}
    assert cg2.known("russian").balance(GERMAN) == 24


def test_both_at_one_table_agree_by_a_click(db):
    game = Game.begin("cg2", hot_seat=True)
    before = game.standing()
    game.do(buying.buy, GERMAN, "V3", APP, sides=("german", "russian"))
    both = ("german", "russian")
    game.do(matters.propose_take_back, RUSSIAN, sides=both)
    game.do(matters.answer, RUSSIAN, agrees=True, sides=both)
    assert game.standing() == before


def test_the_other_sides_act_is_not_taken_back_freely(cg2):
    cg2.buy(GERMAN, "I4")
    after = cg2.standing()
    cg2.do(matters.propose_take_back, RUSSIAN)
    assert cg2.standing() == after
    assert cg2.match.proposal.by == "russian"


def test_a_purchase_taken_back_frees_its_box_and_its_numbers(cg2):
    cg2.buy(GERMAN, "V6")
    number = cg2.group(GERMAN, "V6").number
    cg2.take_back(GERMAN)
    cg2.buy(GERMAN, "V6")
    assert (cg2.group(GERMAN, "V6").number, cg2.group(GERMAN, "V6").box) == (number, 1)


def test_notes_and_rolls_between_leave_the_ledger_alone(cg2):
    cg2.buy(GERMAN, "I4")
    rows = cg2.standing()["rows"]
    cg2.do(lambda table, act, version: notes.note(table, act, None, "hello"), GERMAN)
    assert cg2.standing()["rows"] == rows
    cg2.take_back(GERMAN)
    assert cg2.standing()["rows"] == rows
    assert LogEntry.objects.filter(match=cg2.match_id, kind="note").get().voided_by


def test_a_whole_turn_is_taken_back(cg2_at):
    cg2 = cg2_at("firefight")
    for _ in range(3):
        cg2.do(advancing.advance, GERMAN)
    before = cg2.standing()
    cg2.end_turn()
    cg2.take_back(GERMAN)
    assert cg2.standing() == before
    assert cg2.match.state.phase == "conclusion"
