"""The first attack of everybody: counters that stand in no hex yet, at the page that asks for the range."""

from copy import deepcopy

import pytest

from firefight.games import gallery
from firefight.games.combat_stalingrad.counters import CombatCounters
from firefight.games.combat_stalingrad.rules.counters import read_counters
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
LISTS = {"german": "2 Grenadier squads, 2 Panzergrenadier squads, NCO", "russian": "2 Rifle squads, NCO"}


@pytest.fixture(params=[True, False], ids=["htmx", "no script"])
def reader(request, frozen):
    """The German in front of a table on which all counters are off the map."""

    def build():
        table = players.seated()
        for side, listed in LISTS.items():
            assert getattr(table, side).do("counters/add/", side=side, list=listed).status_code == 302
        return table

    table = frozen("first attack", build)
    reader = Reader(table.german.client, script=request.param).open(f"/match/{table.german.match_id}/")
    reader.player, reader.other = table.german, table.russian
    return reader


def select(reader, roll, *chosen):
    """Tap counters, and the roll on the bar."""
    reader.form("#table").fill(chosen=list(chosen))
    reader.press(roll)
    return reader.form("#desk-form")


def queue(reader):
    return [(step.helper, step.inputs.get("id")) for step in reader.player.match.state.queue]


def test_the_first_attack_hits_its_target(reader):
    select(reader, "Fire", "german-1", "russian-1").fill(range=3, die=25).press("Resolve")
    roll = reader.player.last
    assert roll.inputs["ff"] == 7
    assert [row["id"] for row in roll.inputs["units"]] == ["russian-1"]
    assert queue(reader) == [("morale", "russian-1")]


def test_odds_and_values_appear_with_the_range(reader):
    form = select(reader, "Fire", "german-1", "russian-1")
    assert not reader.has("#odds table") and not reader.has("#desk-form > .inputs:not(.asked) > .field")
    form.fill(range=3)
    if reader.script:
        assert "Rifle squad #1" in reader.words("#odds")
        assert (form.value("ff"), "russian-1" in form.value("units")) == ("7", True)
        assert "7 FF" in reader.words("#account")
    form.press("Resolve")  # without a die
    form = reader.form("#desk-form")
    assert "Rifle squad #1" in reader.words("#odds")
    assert (form.value("range"), form.value("ff")) == ("3", "7")
    form.fill(die=25).press("Resolve")
    assert queue(reader) == [("morale", "russian-1")]


def test_the_values_follow_the_range(reader):
    select(reader, "Fire", "german-1", "russian-1").fill(range=3).press("Resolve")
    form = reader.form("#desk-form").fill(range=1)
    if reader.script:
        assert form.value("ff") == "8"
    form.fill(die=99).press("Resolve")
    assert reader.player.last.inputs["ff"] == 8


def test_a_hand_in_the_values_wins(reader):
    select(reader, "Fire", "german-1", "russian-1").fill(range=3).press("Resolve")
    reader.form("#desk-form").fill(ff=5).fill(range=1, die=99).press("Resolve")
    assert reader.player.last.inputs["ff"] == 5
    assert "account" not in reader.player.last.inputs


def test_the_ways_come_with_the_range(reader):
    form = select(reader, "Fire", "german-3", "russian-1").fill(range=3)
    if not reader.script:
        form.press("Resolve")
    assert "firepower and machine-guns, 8 FF" in reader.words("#desk-form .ways")
    reader.press("firepower and machine-guns, 8 FF")
    reader.form("#desk-form").fill(die=99).press("Resolve")
    assert reader.player.last.inputs["ff"] == 8


def test_an_attack_is_made_again_with_the_same_range(reader):
    select(reader, "Fire", "german-1", "russian-1").fill(range=3, die=99).press("Resolve")
    while reader.player.match.state.queue:
        reader.player.do("drop/", step="all")
    reader.open(f"/match/{reader.player.match_id}/")
    reader.press("Fire (FFT) again, with the same inputs")
    form = reader.form("#desk-form")
    assert (form.value("range"), form.value("ff")) == ("3", "7")
    assert "Rifle squad #1" in reader.words("#odds")
    form.fill(range=1, die=25).press("Resolve")
    assert reader.player.last.inputs["ff"] == 8
    assert queue(reader) == [("morale", "russian-1")]


def test_a_range_out_of_reach_is_said(reader):
    form = select(reader, "Fire", "german-1", "russian-1").fill(range=30)
    if not reader.script:
        form.fill(die=3).press("Resolve")
    assert "does not reach 30 hexes" in reader.words("#desk-form")
    reader.form("#desk-form").fill(range=3, die=25).press("Resolve")
    assert queue(reader) == [("morale", "russian-1")]


# Its relatives: other rolls that ask something of counters first


@pytest.fixture
def nobody_knows(monkeypatch):
    """A gallery of which nobody knows TQ and CCV."""
    data = deepcopy(gallery.shipped_data(players.GAME))
    for kind in (*data["german"].values(), *data["russian"].values()):
        kind.pop("tq", None)
        kind.pop("ccv", None)
        kind["text"] = [name for name in kind.get("text", []) if name in kind]
    kinds, problems = read_counters(data)
    assert not problems
    monkeypatch.setattr(CombatCounters, "kinds", kinds)


def test_a_target_whose_tq_is_told_is_hit(reader, nobody_knows):
    form = select(reader, "Fire", "german-1", "russian-1")
    form.fill({"range": 3, "value:russian:rifle_squad:tq": 6, "die": 25}).press("Resolve")
    assert reader.player.log[-1].kind == "roll" or queue(reader)
    assert queue(reader) == [("morale", "russian-1")]


def test_a_leader_whose_tq_is_told_is_checked_as_a_leader(reader, nobody_knows):
    form = select(reader, "Morale Check", "german-5")
    form.fill({"value:german:nco:tq": 8, "die": 9}).press("Resolve")
    roll = [line for line in reader.player.log if line.helper == "morale"][-1]
    assert (roll.inputs["unit"], roll.inputs["name"], roll.inputs["id"]) == ("leader", "NCO #5", "german-5")


def test_close_combat_whose_ccv_are_told_has_its_fighters_and_ticks(reader, nobody_knows):
    form = select(reader, "Melee", "german-1", "german-5", "russian-1")
    values = {"value:german:grenadier_squad:ccv": 8, "value:german:nco:ccv": 1, "value:russian:rifle_squad:ccv": 5}
    form.fill(values).fill(die=50).press("Resolve")
    roll = [line for line in reader.player.log if line.helper == "close-combat"][-1]
    assert [row["ccv"] for row in roll.inputs["attack"]] == [8, 1]
    assert [row["id"] for row in roll.inputs["defense"]] == ["russian-1"]
    assert roll.inputs["leader"] is True


def test_a_tick_that_counters_set_can_be_taken_off(reader):
    form = select(reader, "Melee", "german-1", "german-5", "russian-1")
    assert form.value("leader")
    form.fill(leader=False, die=50).press("Resolve")
    roll = [line for line in reader.player.log if line.helper == "close-combat"][-1]
    assert roll.inputs["leader"] is False


def test_anti_aircraft_fire_has_the_factors_of_its_range(reader):
    reader.player.do("counters/add/", side="german", list="Heavy MG 34")
    reader.open(reader.address)
    form = select(reader, "Anti-aircraft fire", "german-6")
    assert form.value("ff") == "8"
    form.fill(range=10)
    if reader.script:
        assert form.value("ff") == "5"
    form.fill(die=50).press("Resolve")
    assert [line for line in reader.player.log if line.helper == "anti-aircraft"][-1].inputs["ff"] == 5


def test_firers_alone_are_asked_for_their_place_by_nobody(reader):
    """Units that a hand has typed, and no counter of the other side."""
    form = select(reader, "Fire", "german-1").fill(range=3)
    form.fill({"units-new-kind": "squad", "units-new-tq": 6, "die": 25}).press("Resolve")
    assert [row["kind"] for row in reader.player.last.inputs["units"]] == ["squad"]
    assert [step.helper for step in reader.player.match.state.queue] == ["morale"]
    reader.player.do("drop/", step="all")
    form = select(reader.open(f"/match/{reader.player.match_id}/"), "Fire", "german-1")
    form.fill({"range": 3, "units-new-kind": "squad", "units-new-tq": 6}).press("more=units-add")
    reader.form("#desk-form").fill(die=25).press("Resolve")
    assert [step.helper for step in reader.player.match.state.queue] == ["morale"]


@pytest.mark.parametrize("tapped", [(), ("russian-3",), ("russian-1",)], ids=["nobody", "elsewhere", "one there"])
def test_bombs_hit_all_who_stand_in_the_hex(reader, tapped):
    """17.6.5: of either side, whoever was tapped; a hand may still leave somebody out (17.6.4)."""
    player = reader.player
    other = players.Player(player.match_id)
    player.do("counters/", id=["german-1"], place="K7")
    player.do("rows/", field="aircraft", **{"part-aircraft": "ju87", "part-planes": "2"})
    for counter, place in {"russian-1": "K7", "russian-2": "K7", "russian-3": "M9"}.items():
        player.do("counters/", id=counter, place=place)
        if player.match.proposal:
            other.client = reader.other.client
            other.do("answer/", agrees="yes")
    player.do("rows/", change='{"aircraft": {"change": {"german-flight1": {"here": true, "since": 1}}}}')
    player.do("record/", field="phase", value="fire_and_movement")
    reader.open(f"/match/{player.match_id}/")
    if tapped:
        reader.form("#table").fill(chosen=list(tapped))
    card = reader.form("#aircraft-german-flight1 form", number=1)
    card.press("Attack")
    form = reader.form("#desk-form").fill(hex="K7", die=30)
    form.press("Resolve")
    if "Look again" in reader.words("#desk-form"):
        assert "Rifle squad #2" in reader.words("#desk-form")
        reader.form("#desk-form").fill(die=30).press("Resolve")
    (step,) = player.match.state.queue
    assert {row["id"] for row in step.inputs["units"]} == {"german-1", "russian-1", "russian-2"}


def test_an_attack_on_two_levels_of_a_building_reads_the_die_with_the_terrain_of_each(reader):
    """R-158: it had no terrain at all, since its targets stood in two places."""
    reader.player.do("rows/", field="ground", **{"part-hex": "K7", "part-building": "yes"})
    reader.other.do("counters/", id="russian-1", place="K7")
    reader.other.do("counters/", id=["russian-2", "russian-3"], place="K7", level="1")
    reader.look()
    form = select(reader, "Fire", "german-1", "russian-1", "russian-2", "russian-3").fill(range=3, die=5)
    form.press("Resolve")
    roll = reader.player.last
    own = {row["id"]: row.get("modifiers") for row in roll.inputs["units"]}
    assert own == {"russian-1": ["building_ground"], "russian-2": ["upper_level"], "russian-3": ["upper_level"]}
    assert [reading["modified"] for reading in roll.result.details["readings"]] == [25, 30]
    assert not roll.inputs["modifiers"]
