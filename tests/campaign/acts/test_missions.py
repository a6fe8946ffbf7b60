"""A campaign's batteries and aircraft are one book with the record of its match."""

import pytest

from campaign.acts import batteries, flying, reorganizing, seals
from campaign.models import Group, Seal, Unit
from firefight.engine.errors import BadInput
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.record import RECORD
from firefight.table.board import record as table_record
from firefight.table.board import record_rules
from firefight.table.presenters import table_of
from firefight.table.rolling import advancing, rolls
from firefight.table.rolling.orders import RollOrder
from firefight.table.rolling.roll_counters import Participants, check_participants

from .game import GERMAN, RUSSIAN, Game

pytestmark = pytest.mark.django_db


@pytest.fixture
def fight(frozen):
    """In a firefight, with Stukas, and a plot of the Russian battery for turn 1."""
    return frozen("game with missions", play_to_missions)


def play_to_missions():
    game = Game.begin("cg2")
    game.buy(GERMAN, "S1")
    game.do(seals.write_plot, RUSSIAN, game.group(RUSSIAN, "A1").number, "K7", "K9", 1)
    return game.through_to("firefight")


def rows(game, name, *sees):
    records = table_record.known_record(game.table(sees[0]))[name] if sees else game.match.state.record[name]
    return {id: RECORD.find(name).complete(row) for id, row in records.items()}


def id_of(game, side, rg, name="missions"):
    number = game.group(side, rg).number
    return next(id for id, row in rows(game, name).items() if row.get("group") == number and row["side"] == side)


def roll(game, side, slug, about, **faces):
    """A roll at the table that is about a row, filled as its card fills it."""
    table = game.table(side)
    helper, book = registry.helpers(table.match.game)[slug], of_match(table.match)
    values = {**record_rules.fill_about(table, slug, about), **about}
    form = helper.form.from_plain(values, book=book)
    assert form.is_valid(), form.errors
    return game.do(rolls.roll, side, RollOrder(helper, form, "table", faces))


def test_a_firefight_begins_with_a_row_for_each_battery_and_group_of_aircraft(fight):
    names = {row["name"] for row in rows(fight, "missions").values()}
    assert names == {"A1 81 mm battery", "A2 105 mm battery", "A1 76 mm battery"}
    battery = rows(fight, "missions")[id_of(fight, GERMAN, "A1")]
    assert battery["caliber"] == 81 and not battery["plotted"]
    (stukas,) = rows(fight, "aircraft").values()
    assert (stukas["planes"], stukas["side"], stukas["here"]) == (2, "german", False)
    random_hexes = [row["hex"] for row in rows(fight, "ground").values() if row.get("random")]
    assert random_hexes == ([fight.ledger.random_hex] if fight.ledger.random_hex else [])


def test_a_plot_stands_in_the_row_of_its_side_alone(fight):
    id = id_of(fight, RUSSIAN, "A1")
    assert rows(fight, "missions", RUSSIAN)[id]["plot"] == ["K7", "K9"]
    assert id not in rows(fight, "missions", GERMAN)


def test_contact_00_loses_the_battery_in_the_ledger_and_taking_back_restores_it(fight):
    before, id = fight.standing(), id_of(fight, GERMAN, "A1")
    roll(fight, GERMAN, "contact", {"mission": id, "aim": "K7"}, die=100)
    assert fight.group(GERMAN, "A1").standing == Group.Standing.LOST
    assert rows(fight, "missions")[id]["lost"]
    fight.take_back(GERMAN)
    after = fight.standing()
    assert (after["rows"], after["state"]) == (before["rows"], before["state"])


def test_an_ffe_uses_the_battery_up_and_its_plot_is_opened(fight):
    id = id_of(fight, RUSSIAN, "A1")
    roll(fight, RUSSIAN, "contact", {"mission": id}, die=20)
    (step,) = [step for step in fight.match.state.queue if step.helper == "accuracy"]
    roll(fight, RUSSIAN, "accuracy", {**step.inputs, "aim": "K9"}, die=1)
    assert fight.group(RUSSIAN, "A1").mark == Group.Sign.FFE
    (plot,) = [seal for seal in fight.ledger.seals[RUSSIAN].values() if seal.kind == Seal.Kind.PLOT]
    assert plot.standing == Seal.Standing.OPEN
    assert rows(fight, "missions", GERMAN)[id]["hex"] == "K9"


def test_what_the_campaign_s_own_acts_do_stands_in_the_rows(fight):
    number, id = fight.group(GERMAN, "A1").number, id_of(fight, GERMAN, "A1")
    fight.do(batteries.note_battery, GERMAN, number, batteries.BatteryNews.FFE)
    assert rows(fight, "missions")[id]["used"]
    fight.do(batteries.note_battery, GERMAN, number, batteries.BatteryNews.LOST)
    assert rows(fight, "missions")[id]["lost"]
    with pytest.raises(BadInput, match="is lost"):
        roll(fight, GERMAN, "contact", {"mission": id, "aim": "K7"}, die=20)


def test_aircraft_are_one_book(fight):
    id, number = id_of(fight, GERMAN, "S1", "aircraft"), fight.group(GERMAN, "S1").number
    roll(fight, GERMAN, "air-arrival", {"flight": id}, die=1)
    group = fight.group(GERMAN, "S1")
    assert (group.mark, group.since) == (Group.Sign.HERE, 1)
    roll(fight, GERMAN, "air-attack", {"flight": id, "hex": "K7", "weapon": "he"}, die=1)
    assert [unit.marks for unit in fight.units(GERMAN, "S1")] == [[Mark.HE_USED], []]
    fight.do(flying.air_attack, GERMAN, number, AirWeapon.MG)
    assert (rows(fight, "aircraft")[id]["he"], rows(fight, "aircraft")[id]["mg"]) == (1, 1)
    roll(fight, RUSSIAN, "anti-aircraft", {"flight": id, "ff": 20}, die=1, check_die=1)
    assert rows(fight, "aircraft")[id]["planes"] == 1
    stukas = [unit for unit in fight.ledger.units[GERMAN].values() if unit.counter.startswith("ju")]
    assert sorted(unit.fate for unit in stukas) == [Unit.Fate.NONE, Unit.Fate.ELIMINATED]
    fight.end_turn()
    assert rows(fight, "aircraft")[id]["mg"] == 0
    roll(fight, GERMAN, "air-arrival", {"flight": id}, die=10)
    assert fight.group(GERMAN, "S1").standing == Group.Standing.LOST
    assert rows(fight, "aircraft")[id]["left"]


def test_the_end_of_a_turn_keeps_house_and_of_the_firefight_clears_the_rows(fight):
    id = id_of(fight, RUSSIAN, "A1")
    roll(fight, RUSSIAN, "contact", {"mission": id}, die=20)
    (step,) = [step for step in fight.match.state.queue if step.helper == "accuracy"]
    roll(fight, RUSSIAN, "accuracy", {**step.inputs, "aim": "K9"}, die=1)
    done = fight.end_turn()
    assert "A1 76 mm battery: its FFE comes off K9 (17.4.8.1)." in [entry.sentence for entry in done.entries]
    assert rows(fight, "missions")[id]["marker"] == ""


def test_upkeep_changes_the_ground_that_is_known(fight):
    burning = {"add": {"K7": {"hex": "K7", "wreck": "burning"}, "L8": {"hex": "L8", "fire": True, "building": True}}}
    fight.do(advancing.set_value, GERMAN, "ground", burning)
    fight.through_to("reorganization")
    for side in (GERMAN, RUSSIAN):
        fight.do(reorganizing.confirm_report, side)
    assert rows(fight, "missions") == {} and rows(fight, "aircraft") == {}
    ground = rows(fight, "ground")
    assert ground["K7"]["wreck"] == "wreck"
    assert (ground["L8"]["rubble"], ground["L8"]["fire"]) == (True, False)
    assert any("the burning wreck becomes a plain one" in entry.sentence for entry in fight.entries)


def test_aircraft_are_on_their_card_and_not_among_the_counters(fight):
    table = fight.table(GERMAN)
    counters = [
        counter for side in table_of(table) for place in (*side.places, *side.aside) for counter in place.counters
    ]
    assert counters and not any(counter.name.startswith(("Ju 87", "Po-2")) for counter in counters)
    stuka = next(unit for unit in fight.ledger.units[GERMAN].values() if unit.counter == "ju_87")
    with pytest.raises(BadInput, match="has a card of its own"):
        check_participants(
            table, registry.helpers(table.match.game)["air-attack"], Participants(firers=(f"german-{stuka.number}",))
        )
