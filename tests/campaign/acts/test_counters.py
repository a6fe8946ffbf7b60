"""The counters of a campaign's firefight are its units: one row, whoever changes it."""

import uuid
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.acts import buying, reporting
from campaign.acts import counters as store
from campaign.ledger.ledger import load
from campaign.models import Group, Unit
from campaign.phase import battles
from campaign.presenters.firefight import present_firefight
from campaign.presenters.reorganization import list_doubts
from campaign.rules.combat.pairing import propose_bouts
from campaign.rules.reports import News
from campaign.rules.stages import Stage
from firefight.columns import ProposedChange
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.errors import BadInput
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.melee.bouts import escorts_of
from firefight.games.registry import helpers
from firefight.models import LogEntry
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import changing, stores
from firefight.table.consent import adding, counter_acts, matters
from firefight.table.consent.hand_set import HandSet
from firefight.table.files import saving
from firefight.table.rolling import advancing, joint, rolls
from firefight.table.rolling.orders import RollOrder
from tests.filling import Reader
from tests.firefight.players import text_of, words_of

from .field import Field
from .game import GERMAN, RUSSIAN

pytestmark = pytest.mark.django_db


@match_act()
def befall(act, changes):
    """A roll that does this to counters."""
    entry = act.tell(LogEntry.Kind.NOTE, "A roll.")
    changing.apply_changes(act, entry, changes, "")


@match_act()
def befall_together(act, change):
    """Changes that waited for other rolls are made."""
    entry = act.tell(LogEntry.Kind.NOTE, "A roll.")
    act.match.state = replace(act.match.state, proposed=(replace(change, number=entry.number),))
    changing.apply_proposed(act, [entry])


@pytest.fixture
def fight(cg2):
    """The first firefight: two squads of each side are in sector 11, a German one hidden in sector 12."""
    cg2.write(cg2.ledger.campaign, stage="firefight", attacker="german")
    for side, counter in ((GERMAN, "grenadier_squad"), (RUSSIAN, "rifle_squad")):
        for unit in cg2.units(side, counter=counter)[:2]:
            cg2.write(unit, sector=11, hex="K7/1")
    cg2.write(cg2.units(GERMAN, counter="grenadier_squad")[2], sector=12, hex="L9", hidden=True, note="ambush")
    return cg2


def squads(game, side):
    return game.units(side, counter="grenadier_squad" if side is GERMAN else "rifle_squad")


def id_of(unit):
    return f"{unit.side}-{unit.number}"


def known(game, *sides):
    return {counter.id: counter for counter in store.LedgerStore(game.match).known(sides)}


def sentences(done):
    return [entry.sentence for entry in done.entries]


def put_right(game, side, units, **values):
    return game.do(counter_acts.set_counters, side, [id_of(unit) for unit in units], HandSet(**values))


def test_units_are_counters_with_their_place_level_and_state(fight):
    unit = squads(fight, GERMAN)[0]
    fight.write(unit, marks=["pinned"], beside=squads(fight, GERMAN)[1].number)
    counter = known(fight, "german")[id_of(unit)]
    assert counter == CounterInPlay(
        id=id_of(unit),
        side="german",
        counter="grenadier_squad",
        name=f"Grenadier squad #{unit.number}",
        place="K7",
        level="1",
        area="11",
        state=("pinned",),
        beside=id_of(squads(fight, GERMAN)[1]),
    )


@pytest.mark.parametrize("place", [{"place": "K8", "area": "11"}, {"area": "11"}])
def test_a_unit_that_is_put_on_the_map_by_hand_is_off_it_no_more(fight, place):
    one, two = squads(fight, GERMAN)[:2]
    fight.write(one, sector=None, hex="", marks=["reduced", "exited"])
    fight.write(two, sector=None, hex="", marks=["held"])
    done = put_right(fight, GERMAN, [one, two], **place)
    assert [fight.unit(GERMAN, unit.number).marks for unit in (one, two)] == [["reduced"], []]
    fight.do(counter_acts.undo_change, GERMAN, done.entries[0].number)
    assert fight.unit(GERMAN, one.number).marks == ["reduced", "exited"]


def test_two_queries_read_them_all(fight):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        store.LedgerStore(fight.match).known(("german",))
    assert len(queries) == 3  # one of them is the match's own


def test_what_owners_say_of_a_counter_counts_in_the_campaign_and_its_picture_is_of_the_shipped_gallery(fight):
    unit = squads(fight, RUSSIAN)[0]
    fight.do(counter_acts.keep_value, RUSSIAN, "value:russian:rifle_squad:fire@2", 4)
    ledger = store.LedgerStore(fight.match)
    piece = stores.piece_of(ledger, ledger.find(id_of(unit)))
    assert piece.kind.find_ff(False, 2) == 4
    assert (piece.kind.find_origin("fire@2"), piece.kind.find_origin("fire@3")) == ("owner", "house")
    assert piece.book == ""
    again = store.LedgerStore(fight.match).kinds("german")
    assert again["grenadier_squad"].owner_values == ()


def test_hidden_units_could_as_well_be_off_the_map(fight):
    hidden = squads(fight, GERMAN)[2]
    fight.write(squads(fight, GERMAN)[0], beside=hidden.number)
    theirs, own = known(fight, "russian"), known(fight, "german")
    assert own[id_of(hidden)].place == "L9" and own[id_of(hidden)].note == "ambush"
    assert theirs[id_of(hidden)].place == theirs[id_of(hidden)].area == theirs[id_of(hidden)].note == ""
    assert not theirs[id_of(hidden)].hidden and theirs[id_of(squads(fight, GERMAN)[0])].beside == ""


def test_a_roll_writes_into_the_ledger_and_taking_back_restores_it(fight):
    one, two = squads(fight, RUSSIAN)[:2]
    before = fight.standing()
    done = fight.do(befall, GERMAN, {id_of(one): "disrupted", id_of(two): "eliminated"})
    assert fight.unit(RUSSIAN, one.number).marks == ["disrupted"]
    lost = fight.unit(RUSSIAN, two.number)
    assert (lost.fate, lost.sector, lost.hex) == (Unit.Fate.ELIMINATED, None, "")
    assert sentences(done)[1:] == [
        f"Rifle squad #{one.number}: Disrupted; was Good Order.",
        f"Rifle squad #{two.number}: eliminated; was Good Order, in K7, level 1, sector 11.",
    ]
    fight.take_back(GERMAN)
    assert fight.standing()["rows"] == before["rows"]


def test_what_a_roll_did_is_what_a_report_would_have_done(fight):
    one = squads(fight, RUSSIAN)[0]
    with fight.trial():
        fight.do(reporting.report, RUSSIAN, [one.number], News.ELIMINATED)
        reported = fight.unit(RUSSIAN, one.number).plain()
    fight.do(befall, GERMAN, {id_of(one): "eliminated"})
    assert fight.unit(RUSSIAN, one.number).plain() == reported


def test_a_line_of_a_roll_is_undone_in_the_ledger(fight):
    one, two = squads(fight, RUSSIAN)[:2]
    before = [fight.unit(RUSSIAN, unit.number).plain() for unit in (one, two)]
    done = fight.do(befall, GERMAN, {id_of(one): "eliminated", id_of(two): "pinned"})
    fight.do(counter_acts.undo_change, GERMAN, done.entries[1].number)
    assert fight.unit(RUSSIAN, one.number).plain() == before[0]
    assert fight.unit(RUSSIAN, two.number).marks == ["pinned"]


def test_what_befalls_a_hidden_unit_shows_it_and_opens_what_it_cost(fight):
    hidden = squads(fight, GERMAN)[2]
    fight.do(befall, GERMAN, {id_of(hidden): "pinned"})
    unit = fight.unit(GERMAN, hidden.number)
    assert not unit.hidden and unit.marks == ["pinned"]
    assert known(fight, "russian")[id_of(hidden)].place == "L9"
    assert not LogEntry.objects.filter(match=fight.match_id).latest("number").act.free_to_take_back


def test_another_sides_hidden_unit_is_not_found(fight):
    hidden = squads(fight, GERMAN)[2]
    fight.do(befall, RUSSIAN, {id_of(hidden): "eliminated"})
    assert fight.unit(GERMAN, hidden.number).hidden
    off_map = next(unit for unit in squads(fight, GERMAN) if unit.sector is None)
    refusals = []
    for unit in (hidden, off_map):
        with pytest.raises(BadField, match="There is no such") as caught:
            put_right(fight, RUSSIAN, [unit], note="x", area="3")
        refusals.append(str(caught.value).replace(id_of(unit), "it"))
    assert refusals[0] == refusals[1]  # nobody finds the hidden ones by trying
    lines = [len(fight.do(befall, RUSSIAN, {id_of(unit): "pinned"}).entries) for unit in (hidden, off_map)]
    assert lines == [1, 1]


def test_nobody_finds_hidden_units_by_asking_that_others_ride_on_them(fight):
    fight.match.seats.update(claimed=timezone.now())
    rider, mate, hidden = squads(fight, GERMAN)[:3]
    off_map = next(unit for unit in squads(fight, GERMAN) if unit.sector is None)
    refusals = []
    for unit in (hidden, off_map):
        with pytest.raises(BadField) as caught:
            put_right(fight, RUSSIAN, [rider], beside=id_of(unit))
        refusals.append(caught.value.reasons)
    assert refusals[0] == refusals[1] and "rides on a counter of its own side" in refusals[0][0]
    fight.write(fight.unit(GERMAN, rider.number), beside=hidden.number)
    put_right(fight, RUSSIAN, [rider], beside=id_of(mate))
    assert fight.last.sentence.endswith(f": with Grenadier squad #{mate.number}; was by itself.")


def test_a_nest_ends_with_the_last_commissar(fight):
    commissars = fight.units(RUSSIAN, counter="commissar")
    for unit in commissars:
        fight.write(unit, sector=11)
    rg = next(rg for rg, line in fight.ledger.roster(RUSSIAN).groups.items() if line.type.value == "nest")
    Group.objects.create(campaign_id=fight.match_id, side="russian", number=90, rg=rg)
    done = fight.do(befall, GERMAN, {id_of(unit): "eliminated" for unit in commissars})
    assert fight.group(RUSSIAN, rg).standing == Group.Standing.USED_UP
    assert any("Fanatic Resistance Nest ends" in sentence for sentence in sentences(done))
    fight.take_back(GERMAN)
    assert fight.group(RUSSIAN, rg).standing == Group.Standing.IN_PLAY


# By hand


def test_the_eliminated_are_put_right(fight):
    one = squads(fight, RUSSIAN)[0]
    fight.do(reporting.report, RUSSIAN, [one.number], News.ELIMINATED)
    put_right(fight, RUSSIAN, [one], fate="", area="11", place="K7/1")
    unit = fight.unit(RUSSIAN, one.number)
    assert (unit.fate, unit.sector, unit.hex) == ("", 11, "K7/1")
    assert fight.last.sentence == (
        f"By hand, Rifle squad #{one.number}: Good Order, in K7, level 1, sector 11; was eliminated."
    )


def test_another_sides_units_are_put_right_once_it_agrees(fight):
    one = squads(fight, RUSSIAN)[0]
    fight.match.seats.update(claimed=timezone.now())
    put_right(fight, GERMAN, [one], state=("pinned",))
    assert fight.unit(RUSSIAN, one.number).marks == []
    fight.do(matters.answer, RUSSIAN, agrees=True)
    assert fight.unit(RUSSIAN, one.number).marks == ["pinned"]


def test_at_one_device_it_is_done_at_once_and_said(fight):
    one = squads(fight, RUSSIAN)[0]
    type(fight.match).objects.filter(pk=fight.match_id).update(hot_seat=True)
    both_sides = ("german", "russian")
    fight.do(counter_acts.set_counters, GERMAN, [id_of(one)], HandSet(state=("pinned",)), sides=both_sides)
    assert fight.unit(RUSSIAN, one.number).marks == ["pinned"]
    assert fight.last.sentence.startswith("By hand, by the German, Rifle squad")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"area": "99"}, "there is no sector 99"),
        ({"area": ""}, "is off the map: give its sector, too"),
        ({"state": ("suppressed",)}, "cannot be Suppressed"),
        ({"place": "banana"}, "banana"),
        ({"level": "attic"}, "a level is 1 to 9, cellar or roof"),
        ({"beside": "russian-1"}, "of its own side"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(fight, values, reason):
    unit = squads(fight, GERMAN)[0]
    error = fight.refuse(counter_acts.set_counters, GERMAN, [id_of(unit)], HandSet(**values), error=BadField)
    assert reason in str(error)


def test_a_counter_that_is_used_again_does_not_come_back(fight):
    commissar = fight.units(RUSSIAN, counter="commissar")[0]
    fight.write(commissar, fate="eliminated", sector=None)
    for number in range(fight.ledger.left_in_box(RUSSIAN)["commissar"]):
        Unit.objects.create(campaign_id=fight.match_id, side="russian", number=900 + number, counter="commissar")
    with pytest.raises(BadField, match="used again by now"):
        put_right(fight, RUSSIAN, [commissar], fate="")


def test_what_became_of_units_is_settled_once_it_is_told(fight):
    fight.write(fight.ledger.campaign, stage="over")
    with pytest.raises(BadInput, match="The campaign is over"):
        fight.do(befall, GERMAN, {id_of(squads(fight, GERMAN)[0]): "pinned"})


def test_counters_are_not_added_to_a_campaign(fight):
    with pytest.raises(Refused, match="The campaign says"):
        counters = adding.read_pasted(fight.table(GERMAN).match, "NCO", "german")
        fight.do(adding.add_counters, GERMAN, counters)


def test_between_firefights_a_unit_is_put_right_where_it_survived(cg2):
    unit = squads(cg2, GERMAN)[0]
    cg2.write(unit, fate="eliminated")
    put_right(cg2, GERMAN, [unit], fate="", area="11")
    after = cg2.unit(GERMAN, unit.number)
    assert (after.fate, after.sector, after.home) == ("", 11, 11)


# Cards


def test_a_cards_counters_at_start_are_those_of_the_campaign(cg1):
    counts = store.at_start("cg1")
    for side in (GERMAN, RUSSIAN):
        units = cg1.units(side)
        assert sum(counts[side.value].values()) == len(units)
        assert all(counts[side.value][unit.counter] for unit in units)
    assert list(store.list_cards("combat-stalingrad")) == ["cg1", "cg2"] and store.list_cards("three-banners") == {}


def test_a_report_is_found_by_its_units(fight):
    one = squads(fight, RUSSIAN)[0]
    fight.do(reporting.report, RUSSIAN, [one.number], News.PINNED)
    assert fight.last.touches == f" russian-{one.number} "


# Campaign Points


def test_campaign_points_are_put_right_and_the_other_side_hears_the_difference_alone(fight):
    before = fight.balance(GERMAN)
    fight.do(buying.put_right_cp, GERMAN, before + 3, "a refund was forgotten")
    assert fight.balance(GERMAN) == before + 3
    assert fight.last.sentence == "German: by hand, +3 CP, to put right: a refund was forgotten."
    assert fight.last.secret == f"{before + 3} CP; was {before} CP."
    fight.take_back(GERMAN)
    assert fight.balance(GERMAN) == before


def test_more_campaign_points_are_put_right_once_the_other_side_agrees(volga):
    german, russian = volga.german, volga.russian
    before = load(german.match).balance(GERMAN)
    german.press("put-right-cp", amount=before + 40, reason="found in the box")
    assert load(german.match).balance(GERMAN) == before
    assert "German asks for +40 CP by hand, to put right: found in the box." in words_of(russian.open(""))
    russian.press("answer", agrees="no")
    assert load(german.match).balance(GERMAN) == before
    german.press("put-right-cp", amount=before + 3, reason="a refund was forgotten")
    russian.press("answer", agrees="yes")
    assert load(german.match).balance(GERMAN) == before + 3
    [line] = [line for line in german.log if "to put right: a refund" in line.sentence and line.secret]
    assert (line.side, line.secret) == ("german", f"{before + 3} CP; was {before} CP.")
    assert f"was {before} CP" not in text_of(russian.open(""))


def test_campaign_points_are_put_right_on_the_overview(volga):
    player = volga.german
    before = load(player.match).balance(GERMAN)
    player.press("put-right-cp", amount=before - 2, reason="paid twice")
    assert load(player.match).balance(GERMAN) == before - 2
    assert "Put right by hand: paid twice" in words_of(player.open(""))


# Files


def test_a_file_for_the_other_side_shows_nobody_beside_a_hidden_unit(fight):
    one, _, hidden = squads(fight, GERMAN)[:3]
    fight.write(one, beside=hidden.number)
    rows = {
        side: saving.dump_match(fight.match, (side,))["ledger"]["rows"]["german"]["units"]
        for side in ("german", "russian")
    }
    assert rows["german"][one.number - 1]["beside"] == hidden.number
    assert "beside" not in rows["russian"][one.number - 1]
    assert {"note", "hex", "hidden"}.isdisjoint(rows["russian"][hidden.number - 1])


# Close Combat after the firefight


def test_step_one_knows_who_rides_and_who_is_led(db):
    field = Field()
    truck = field.put(GERMAN, "sdkfz_251_1_c", 11, "K7", ["close_combat"])
    rider, squad = (field.put(GERMAN, "", 11, "K7", ["close_combat"]) for _ in range(2))
    leader = len(field.game.ledger.units[GERMAN]) + 1
    place = {"sector": 11, "hex": "K7", "marks": ["close_combat"]}
    Unit.objects.create(campaign_id=field.game.match_id, side="german", number=leader, counter="nco", **place)
    field.put(RUSSIAN, "", 11, "K7", ["close_combat"])
    game = field.game
    game.do(counter_acts.set_counters, GERMAN, [f"german-{rider}"], HandSet(beside=f"german-{truck}"))
    game.do(counter_acts.set_counters, GERMAN, [f"german-{leader}"], HandSet(beside=f"german-{squad}"))
    field.told()
    battle = battles.battle_of(game.ledger)
    (bout,) = propose_bouts(battle)
    assert bout.riders == {(GERMAN, rider)}
    assert escorts_of(bout, battle)[GERMAN, leader] == (GERMAN, squad)


def test_levels_tell_close_combats_apart_the_cellar_among_them(db):
    field = Field()
    for level in ("1", "cellar", "roof"):
        field.put(GERMAN, "", 11, f"K7/{level}", ["close_combat"])
        field.put(RUSSIAN, "", 11, f"K7/{level}", ["close_combat"])
    field.told()
    assert len(propose_bouts(battles.battle_of(field.game.ledger))) == 3


def test_a_unit_may_stand_on_a_roof_where_aa_fires_at_aircraft(fight):
    """17.6.7: rooftops are fine; nobody could say that AA is on one."""
    one, two = squads(fight, RUSSIAN)[:2]
    put_right(fight, RUSSIAN, [one], place="L9", level="roof", area="11")
    fight.do(reporting.report, RUSSIAN, [two.number], News.STANDS, None, "l9/roof")
    assert [fight.unit(RUSSIAN, unit.number).hex for unit in (one, two)] == ["L9/roof", "L9/roof"]
    assert known(fight, "russian")[id_of(one)].level == "roof"


def test_a_close_combat_of_the_last_firefight_is_not_taken_for_one_of_this_turn(fight):
    """Turns begin with 1 again: in the same hex both sides may declare anew (19.1.6)."""
    fight.do(joint.declare, GERMAN, "K7/1", {})
    assert fight.match.state.record["melees"]
    while fight.stage == Stage.FIREFIGHT:
        fight.end_turn(die=10)
    assert not fight.match.state.record["melees"]


def test_what_a_roll_eliminated_needs_no_telling_afterwards(fight):
    one = squads(fight, RUSSIAN)[0]
    fight.do(befall, GERMAN, {id_of(one): "eliminated"})
    parties = present_firefight(fight.table(RUSSIAN), fight.known("russian"))["units"]
    listed = {unit.number for party in parties for unit in party.units}
    assert one.number not in listed and squads(fight, RUSSIAN)[0].number in listed


def test_close_combat_at_the_table_is_written_into_the_rows_and_taken_back(fight):
    before = [(unit.marks, unit.fate) for unit in squads(fight, GERMAN) + squads(fight, RUSSIAN)]
    fight.do(joint.declare, GERMAN, "K7/1", {})  # for the other side, too, since nobody sits there
    queue = fight.match.state.queue
    assert {step.helper for step in queue} == {"close-combat"} and len(queue) > 1
    assert all("close_combat" in unit.marks for unit in [*squads(fight, GERMAN)[:2], *squads(fight, RUSSIAN)[:2]])
    assert "close_combat" not in squads(fight, GERMAN)[2].marks  # elsewhere
    helper = helpers(fight.match.game)["close-combat"]
    for step in queue:
        form = helper.form.from_plain(step.inputs, book=of_match(fight.match), chained=True)
        assert form.is_valid()
        fight.do(rolls.roll, GERMAN, RollOrder(helper, form, "table", {"die": 1}, step.id))
    fallen = [counter.id for counter in known(fight, "german", "russian").values() if counter.fate == "eliminated"]
    assert fallen and len(squads(fight, GERMAN) + squads(fight, RUSSIAN)) == len(before) - len(fallen)
    for side in [GERMAN] * (len(queue) + 1):
        fight.take_back(side)
    assert [(unit.marks, unit.fate) for unit in squads(fight, GERMAN) + squads(fight, RUSSIAN)] == before


def test_who_has_won_a_close_combat_is_out_of_it_in_the_next_turn_and_fires_again(fight):
    """A turn that ends in the Melee Phase passes the Conclusion by, in which the markers come off (19.1.7)."""
    winner, losers = squads(fight, GERMAN)[0], squads(fight, RUSSIAN)[:2]
    unplaced = fight.units(GERMAN, counter="pioneer_squad")[0]
    fight.write(unplaced, sector=11, marks=["close_combat"])
    for unit in (*squads(fight, GERMAN)[:2], *losers):
        fight.write(unit, marks=["close_combat", "pinned"])
    for unit in losers:
        fight.write(unit, fate="eliminated", sector=None, hex="")
    for _ in range(2):
        fight.do(advancing.advance, GERMAN)
    before = fight.standing()
    done = fight.end_turn()
    assert fight.match.state.phase == "command" and fight.unit(GERMAN, winner.number).marks == ["pinned"]
    assert fight.unit(GERMAN, unplaced.number).marks == ["close_combat"]  # nobody has noted where it stands
    assert any("Close Combat is over" in sentence for sentence in sentences(done))
    fight.take_back(GERMAN)
    assert fight.standing()["rows"] == before["rows"]


@pytest.mark.parametrize("side", [GERMAN, RUSSIAN])
def test_what_waited_of_a_roll_under_seal_leaves_its_counter_hidden_whoever_makes_the_last_roll(fight, side):
    hidden = squads(fight, GERMAN)[2]
    fight.do(befall_together, side, ProposedChange(0, id_of(hidden), "disrupted", "german"))
    after = fight.units(GERMAN, counter="grenadier_squad")[2]
    assert after.hidden and "disrupted" in after.marks and not fight.match.state.proposed


def test_what_is_told_of_a_hidden_unit_that_goes_says_nothing_of_where_it_was(fight):
    """Its history and its book have it all the same."""
    hidden = squads(fight, GERMAN)[2]
    fight.do(reporting.report, GERMAN, [hidden.number], News.ELIMINATED)
    sealed, openly = LogEntry.objects.filter(match=fight.match, touches__contains=f" {id_of(hidden)} ").order_by(
        "number"
    )
    assert sealed.secret and sealed.inputs["counters"][id_of(hidden)]["place"] == ["L9", ""]
    assert openly.inputs["counters"][id_of(hidden)] == {"fate": ["", "eliminated"], "hidden": [True, False]}
    assert "L9" not in openly.sentence


# The sector of a hex


def where(game, unit):
    placed = game.ledger.units[unit.side][unit.number]
    return placed.sector, placed.hex


def test_a_unit_that_is_moved_comes_into_the_sector_of_those_who_stand_there(fight):
    """Else both sides would end a firefight in one hex, and no sector would be threatened (20.6.4)."""
    mover, enemy = squads(fight, GERMAN)[0], squads(fight, RUSSIAN)[0]
    fight.write(mover, sector=6, hex="G8")
    done = put_right(fight, GERMAN, [mover], place="K7")
    assert where(fight, mover) == (enemy.sector, "K7") == (11, "K7")
    assert sentences(done) == [f"By hand, Grenadier squad #{mover.number}: in K7, sector 11; was in G8, sector 6."]
    put_right(fight, GERMAN, [mover], place="K8")
    assert where(fight, mover) == (11, "K8"), "nobody stands there, and nobody knows"
    put_right(fight, GERMAN, [mover], place="K7", area="14")
    assert where(fight, mover) == (14, "K7"), "what is named counts"


def test_an_enemy_whom_nobody_sees_does_not_say_in_which_sector_a_hex_lies(fight):
    mover, ambush = squads(fight, RUSSIAN)[0], squads(fight, GERMAN)[2]
    put_right(fight, RUSSIAN, [mover], place=ambush.hex)
    assert where(fight, mover) == (11, "L9")
    put_right(fight, GERMAN, [squads(fight, GERMAN)[0]], place="M9", area="12")
    put_right(fight, RUSSIAN, [mover], place="M9")
    assert where(fight, mover) == (12, "M9")


def test_what_stands_in_one_hex_but_in_two_sectors_is_to_be_looked_at_again(fight):
    own, enemy = squads(fight, GERMAN)[0], squads(fight, RUSSIAN)[0]
    for unit, sector in ((own, 6), (enemy, 11)):
        fight.write(unit, sector=sector, hex="G8", marks=["close_combat"])
    fight.write(squads(fight, GERMAN)[2], sector=12, hex="G8", hidden=True)
    assert list_doubts(fight.ledger) == [
        "Hex G8 lies in one sector, but units there are noted in several: "
        f"German Grenadier squad #{own.number} in sector 6; Russian Rifle squad #{enemy.number} in sector 11."
    ]


@pytest.fixture
def entering(volga_at):
    """The German's page of the first firefight, with a squad that is still off the map."""
    player = volga_at(Stage.FIREFIGHT).german
    squad = Unit.objects.filter(campaign=player.match_id, side=GERMAN, counter="grenadier_squad").first()
    Unit.objects.filter(pk=squad.pk).update(sector=None, hex="")
    return SimpleNamespace(
        squad=squad, reader=Reader(player.client), address=f"/match/{player.match_id}/hand/?chosen={id_of(squad)}"
    )


@pytest.mark.parametrize("sheet", ["", "&move=1"])
def test_a_unit_enters_at_the_table_by_the_sector_that_its_player_names(entering, sheet):
    reader = entering.reader.open(entering.address + sheet)
    reader.form(".by-hand form:has(#hand-place)").fill(place="a10").press("Move there")
    assert "is off the map: give its sector, too." in reader.words()
    form = reader.form(".by-hand form:has(#hand-place)")
    assert form.sent()["place"] == ["a10"], "the sheet stays, with what was typed"
    form.fill(area="2").press("Move there")
    entering.squad.refresh_from_db()
    assert (entering.squad.sector, entering.squad.hex) == (2, "A10")


# For other programs


def test_a_campaigns_pages_answer_programs_in_json(volga):
    player, json = volga.german, {"Accept": "application/json"}
    before = load(player.match).balance(GERMAN)

    def put_right(**fields):
        stamp = {"do": "put-right-cp", "act": str(uuid.uuid4()), "version": str(player.match.version)}
        return player.client.post(player.address(""), {**stamp, **fields}, headers=json)

    done = put_right(amount=before - 1, reason="paid twice")
    answer = done.json()
    assert done.status_code == 200 and answer["version"] == player.match.version == answer["act"]
    assert answer["lines"][0]["sentence"].endswith("-1 CP, to put right: paid twice.")
    refused = put_right(amount=before - 1, reason="paid twice")
    assert refused.status_code == 403 and refused.json()["error"].startswith(f"Your side has {before - 1} CP already.")
    assert put_right(amount="many", reason="").json()["error"] and put_right(do="nothing").status_code == 422
