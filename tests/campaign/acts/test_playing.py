"""The record of a firefight: turns and their end, units that come, go and fall, batteries and aircraft."""

from dataclasses import replace
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.acts import batteries, flying, reporting, turns
from campaign.ledger.act import Unfit
from campaign.models import Group, Unit
from campaign.rules.reports import News
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import rolled_face
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.registry import helpers
from firefight.models import Match
from firefight.table.act.refusals import BadField, Incomplete, Refused, Stale
from firefight.table.consent import counter_acts, matters
from firefight.table.consent.hand_set import HandSet
from firefight.table.log import reading
from firefight.table.rolling import advancing, rolls
from firefight.table.rolling.orders import RollOrder
from tests.campaign.plain import plain, tags

from .game import APP, GERMAN, RUSSIAN, Game, numbers, typed

pytestmark = pytest.mark.django_db

FFE, LOST = batteries.BatteryNews.FFE, batteries.BatteryNews.LOST
END_NUMBERS = {5: 8, 6: 6}


@pytest.fixture
def fight(cg2):
    """The first firefight, its first turn; nobody is on the map."""
    cg2.write(cg2.ledger.campaign, stage="firefight", attacker="german")
    return cg2


def put(game, sector, *units, **values):
    """Put units on the map without an act; returns them as they stand."""
    for unit in units:
        game.write(unit, sector=sector, **values)
    return [game.unit(unit.side, unit.number) for unit in units]


def of_kind(game, side, counter, number=1):
    return game.units(side, counter=counter)[:number]


def at_turn(game, turn):
    """Let it be this turn."""
    state = replace(game.match.state, turn=turn, phase="melee", impulse="russian")
    Match.objects.filter(pk=game.match_id).update(state=state)


def sentences_of(done):
    return [entry.sentence for entry in done.entries]


def refuse_report(game, side, units, news, sector=None, **options):
    return game.refuse(reporting.report, side, numbers(units), News(news), sector, **options)


# Turns (20.2.4, A-24)


@pytest.mark.parametrize("side", Side)
def test_the_first_four_turns_end_without_a_roll(fight, side):
    for turn in range(1, 5):
        done = fight.end_turn(side)
        assert sentences_of(done) == [f"End of turn {turn}. No roll before turn 5: play goes on."]
        assert done.entries[0].rolls == ()
        assert (fight.match.state.turn, fight.match.state.phase, fight.stage) == (
            turn + 1,
            "command",
            "firefight",
        )


@pytest.mark.parametrize("card", ["cg1", "cg2"])
def test_the_numbers_of_the_card_decide_after_turns_5_and_6(card):
    file = {"cg1": "into_the_inferno", "cg2": "to_the_volga"}[card]
    assert {int(turn): number for turn, number in plain(file)["end_numbers"].items() if turn != "7"} == END_NUMBERS
    game = Game.begin(card).through_to("firefight")
    for turn, number in END_NUMBERS.items():
        at_turn(game, turn)
        for face in range(1, 11):
            with game.trial():
                (entry, *_) = game.end_turn(die=face).entries
                goes_on = face <= number
                assert game.stage == ("firefight" if goes_on else "reorganization")
                state = game.match.state
                assert (state.turn, state.phase) == ((turn + 1, "command") if goes_on else (turn, "conclusion"))
                ending = f"turn {turn + 1} is played" if goes_on else "the firefight ends now"
                assert entry.sentence == f"End of turn {turn}. {face} against {number}: {ending}."
                assert [die.face for die in entry.rolls] == [face]


def test_turn_7_is_always_the_last_and_rolls_no_die(fight):
    at_turn(fight, 7)
    done = fight.end_turn()
    assert sentences_of(done)[0] == "End of turn 7. Turn 7 is the last: the firefight ends."
    assert done.entries[0].rolls == ()
    assert fight.stage == "reorganization"


@pytest.mark.parametrize("turn", [5, 6])
def test_a_turn_does_not_end_while_its_die_is_missing(fight, turn):
    at_turn(fight, turn)
    incomplete = fight.refuse(turns.end_turn, GERMAN, typed(), error=Incomplete)
    assert incomplete.result.needs == ("die",)
    assert fight.refuse(turns.end_turn, GERMAN, typed(die=11), error=BadDie).die == "die"


def test_the_app_may_roll_for_the_end(fight):
    at_turn(fight, 6)
    face = rolled_face(bytes.fromhex(fight.match.seed), 1, 10)
    done = fight.do(turns.end_turn, GERMAN, APP)
    assert done.entries[0].rolls[0].face == face
    assert (fight.stage == "firefight") == (face <= 6)
    assert not done.act.free_to_take_back


def test_of_two_who_end_the_same_turn_the_second_hears_so(fight):
    drawn = fight.match.version
    fight.end_turn(GERMAN)
    fight.refuse(turns.end_turn, RUSSIAN, typed(), version=drawn, error=Stale)
    assert fight.match.state.turn == 2


def test_the_turn_of_a_campaign_ends_on_its_own_page_only(fight):
    for _ in range(3):
        fight.do(advancing.advance, GERMAN)
    assert fight.match.state.phase == "conclusion"
    fight.refuse(advancing.advance, GERMAN, error=Refused, match="The campaign keeps the turns")
    fight.end_turn()
    assert (fight.match.state.turn, fight.match.state.phase) == (2, "command")


@pytest.mark.parametrize("stage", ["purchases", "setup", "reorganization"])
def test_the_record_belongs_to_the_firefight(cg2_at, stage):
    cg2 = cg2_at(stage)
    group = cg2.group(GERMAN, "A1").number
    for act, more in (
        (turns.end_turn, (typed(),)),
        (batteries.note_battery, (group, FFE)),
        (flying.roll_arrival, (group, typed(die=1))),
        (flying.down_aircraft, (group,)),
        (flying.air_attack, (group, AirWeapon.HE)),
        *(
            ()
            if stage == "reorganization"
            else ((reporting.end_nest, (group,)), (reporting.move_random_marker, ("K7",)))
        ),
    ):
        cg2.refuse(act, GERMAN, *more, match="another step: firefight")
    if stage != "reorganization":
        refuse_report(cg2, GERMAN, cg2.units(GERMAN)[:1], "enter", 1, match="another step: firefight")


# Units that come and go (20.5.8 step 3, 20.11.1)


@pytest.mark.parametrize(("side", "edge"), [(GERMAN, {1, 2, 3, 6}), (RUSSIAN, {10, 18, 19, 20, 21, 22})])
def test_units_enter_by_the_own_edge_in_any_turn(fight, side, edge):
    assert set(plain("map")["edges"][side]["sectors"]) == edge
    unit, *_ = fight.units(side)
    name = fight.ledger.kind_of(unit).name
    for turn, sector in enumerate(range(1, 23)):
        at_turn(fight, turn % 7 + 1)
        with fight.trial():
            if sector in edge:
                done = fight.report(side, [unit], "enter", sector)
                assert sentences_of(done) == [
                    f"{side.capitalize()}: 1 × {name}{tags(unit)}: on the map by sector {sector}."
                ]
                assert fight.unit(side, unit.number).sector == sector
            else:
                refuse_report(fight, side, [unit], "enter", sector, error=Unfit, match="does not touch the")


def test_new_units_that_were_not_set_up_enter_by_the_edge_one_by_one(cg2):
    cg2.buy(RUSSIAN, "I1")
    cg2.through_to("firefight")
    before = cg2.balance(RUSSIAN)
    squads = cg2.units(RUSSIAN, "I1")
    cg2.report(RUSSIAN, squads[:1], "enter", 18)
    cg2.end_turn()
    cg2.report(RUSSIAN, squads[1:], "enter", 22)
    assert [unit.sector for unit in cg2.units(RUSSIAN, "I1")] == [18, 22, 22]
    assert cg2.balance(RUSSIAN) == before


def test_a_unit_enters_once(fight):
    units = put(fight, 18, *of_kind(fight, RUSSIAN, "rifle_squad"))
    refused = refuse_report(fight, RUSSIAN, units, "enter", 18, error=Unfit)
    assert refused.reasons == ["Rifle squad is on the map already."]


def test_units_move_to_any_sector_and_nobody_else_does(fight):
    squads = put(fight, 18, *of_kind(fight, RUSSIAN, "rifle_squad", 3))
    before = [unit.plain() for side in Side for unit in fight.units(side)]
    done = fight.report(RUSSIAN, [*squads[:2], squads[0]], "move", 6)
    assert sentences_of(done) == [f"Russian: 2 × Rifle squad{tags(*squads[:2])}: now in sector 6."]
    after = [unit.plain() for side in Side for unit in fight.units(side)]
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [new for _, new in changed] == [old | {"sector": 6} for old, _ in changed]
    assert [new["number"] for _, new in changed] == numbers(squads[:2])


def test_units_that_leave_by_the_own_edge_do_not_come_back_in_this_firefight(fight):
    squad, leader = put(fight, 18, *of_kind(fight, RUSSIAN, "rifle_squad"), *of_kind(fight, RUSSIAN, "commissar"))
    fight.write(squad, marks=["reduced"], home=18, hex="Y9")
    for sector in (6, 11, 3):
        refuse_report(fight, RUSSIAN, [squad], "exit", sector, error=Unfit, match="does not touch the east edge")
    done = fight.report(RUSSIAN, [squad, leader], "exit")
    listed = f"1 × Rifle squad{tags(squad)}, 1 × Commissar{tags(leader)}"
    assert sentences_of(done) == [f"Russian: {listed}: off the map by sector 18."]
    unit = fight.unit(RUSSIAN, squad.number)
    assert (unit.sector, unit.hex, unit.home, unit.marks, unit.fate) == (None, "", None, ["reduced", "exited"], "")
    fight.end_turn()
    refused = refuse_report(fight, RUSSIAN, [squad], "enter", 18, error=Unfit)
    assert refused.reasons == ["Rifle squad left in this firefight and cannot come back (20.11.1)."]
    at_turn(fight, 7)
    fight.end_turn()
    assert fight.unit(RUSSIAN, squad.number).marks == ["reduced", "held"]
    assert fight.unit(RUSSIAN, leader.number).marks == ["held"]
    refuse_report(fight, RUSSIAN, [squad], "enter", 18, match="After the firefight nobody enters")


def test_mx_01_a_unit_leaves_the_map_from_an_edge_sector_in_which_it_stands(fight):
    inside, outside = put(fight, 11, *of_kind(fight, RUSSIAN, "rifle_squad", 2))
    put(fight, 22, outside)
    reasons = {
        11: "Rifle squad is in sector 11, which does not touch the east edge; 10 and 18 to 22 do: it moves there first "
        "(20.11.1).",
        22: "Rifle squad is in sector 22, not in 18: it leaves from where it stands (20.11.1).",
    }
    for sector in (None, 18):
        assert refuse_report(fight, RUSSIAN, [inside], "exit", sector, error=Unfit).reasons == [reasons[11]]
    assert refuse_report(fight, RUSSIAN, [outside], "exit", 18, error=Unfit).reasons == [reasons[22]]
    fight.report(RUSSIAN, [inside], "move", 10)
    done = fight.report(RUSSIAN, [inside, outside], "exit")
    assert sentences_of(done) == [
        f"Russian: 1 × Rifle squad{tags(inside)}: off the map by sector 10; "
        f"1 × Rifle squad{tags(outside)}: off the map by sector 22."
    ]


@pytest.mark.parametrize("news", ["move", "exit"])
def test_an_m_killed_vehicle_stays_in_its_hex(fight, news):
    (tank,) = put(fight, 18, *of_kind(fight, RUSSIAN, "t_70"), marks=["m_killed"], hex="S9")
    refused = refuse_report(fight, RUSSIAN, [tank], news, 18, error=Unfit)
    assert refused.reasons == ["T-70 is M-KILLED: it stays in its hex."]
    fight.do(reporting.report, RUSSIAN, [tank.number], News.STANDS, None, "S10")  # what was noted wrong
    assert fight.unit(RUSSIAN, tank.number).hex == "S10"


def test_mines_and_nest_markers_are_taken_off_and_not_eliminated(nest):
    (marker,) = nest.units(RUSSIAN, "N1")
    for news in ("eliminated", "good_order", "move", "exit"):
        refuse_report(nest, RUSSIAN, [marker], news, 18, error=Unfit, match="Nest marker stays where it is")
    commissar = nest.units(RUSSIAN, counter="commissar")[:1]
    refuse_report(nest, RUSSIAN, commissar, "removed", error=Unfit, match="is a unit")
    done = nest.report(RUSSIAN, [marker], "removed")
    assert sentences_of(done) == [
        f"Russian: 1 × Nest marker{tags(marker)}: taken off the map.",
        "Russian: the Fanatic Resistance Nest ends for good, its marker is taken off (20.9.3).",
    ]
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    assert nest.unit(RUSSIAN, marker.number).sector is None


def test_units_held_from_an_earlier_firefight_may_enter_again(fight):
    (squad,) = of_kind(fight, RUSSIAN, "rifle_squad")
    fight.write(squad, marks=["reduced", "held"])
    fight.report(RUSSIAN, [squad], "enter", 22)
    after = fight.unit(RUSSIAN, squad.number)
    assert (after.sector, after.marks) == (22, ["reduced"])


@pytest.mark.parametrize(
    ("news", "sector"),
    [
        *((news, sector) for news in ("enter", "move") for sector in (None, 0, 23, -5)),
        *((news, sector) for news in ("exit", "stands") for sector in (0, 23, -5)),
    ],
)
def test_coming_and_going_needs_a_sector_of_the_map(fight, news, sector):
    units = of_kind(fight, RUSSIAN, "rifle_squad")
    refuse_report(fight, RUSSIAN, units, news, sector, error=BadField, match="Give the sector, 1 to 22")


@pytest.mark.parametrize("news", [news for news in News if news is not News.ENTER])
def test_of_a_unit_off_the_map_only_its_entry_is_told(fight, news):
    refused = refuse_report(fight, RUSSIAN, of_kind(fight, RUSSIAN, "t_70"), news, 18, error=Unfit)
    assert refused.reasons == ["T-70 is not on the map."]


# What happens to them


@pytest.mark.parametrize(
    ("counter", "news"),
    [
        ("rifle_squad", "reduced"),
        ("commissar", "wounded"),
        ("t_70", "m_killed"),
        ("t_70", "f_killed"),
    ],
)
def test_a_mark_stays_with_its_unit_and_is_given_once(fight, counter, news):
    one, *rest = fight.units(RUSSIAN, counter=counter)
    put(fight, 11, one, *rest, marks=[], hex="K7")
    word = News(news).word.split(" (")[0]
    done = fight.report(RUSSIAN, [one], news)
    name = fight.ledger.kind_of(one).name
    assert sentences_of(done)[0].startswith(f"Russian: 1 × {name}{tags(one)}: {word}")
    after = fight.unit(RUSSIAN, one.number)
    assert (after.marks, after.sector, after.hex, after.fate) == ([news], 11, "K7", "")
    assert all(fight.unit(RUSSIAN, unit.number).marks == [] for unit in rest)
    if news != "wounded":
        refuse_report(fight, RUSSIAN, [one], news, error=Unfit, match=" already")


def test_a_leader_wounded_twice_is_eliminated(fight):
    put(fight, 11, *of_kind(fight, RUSSIAN, "officer"))
    (leader,) = of_kind(fight, RUSSIAN, "officer")
    fight.report(RUSSIAN, [leader], "wounded")
    assert fight.unit(RUSSIAN, leader.number).marks == ["wounded"]
    done = fight.report(RUSSIAN, [leader], "wounded")
    assert sentences_of(done) == [f"Russian: 1 × Officer{tags(leader)}: wounded again, eliminated."]
    after = fight.unit(RUSSIAN, leader.number)
    assert (after.fate, after.sector) == (Unit.Fate.ELIMINATED, None)


def test_a_wounded_leader_dies_of_wia(fight):
    """18.2.2: a flipped leader who suffers another C or WIA is eliminated."""
    (leader,) = put(fight, 11, *of_kind(fight, RUSSIAN, "officer"))
    fight.report(RUSSIAN, [leader], "wounded")
    done = fight.report(RUSSIAN, [leader], "wia")
    assert sentences_of(done) == [f"Russian: 1 × Officer{tags(leader)}: wounded, and WIA: eliminated."]
    assert fight.unit(RUSSIAN, leader.number).fate == Unit.Fate.ELIMINATED


def test_what_is_reported_of_a_unit_leaves_it_in_one_state_as_on_the_table(fight):
    """18.1.4, 18.2: who is flipped sheds the markers, and each worse state takes the place of the one before."""
    (leader,) = put(fight, 11, *of_kind(fight, RUSSIAN, "officer"))
    for news, marks in (
        ("pinned", ["pinned"]),
        ("enfiladed", ["pinned", "enfiladed"]),
        ("disrupted", ["enfiladed", "disrupted"]),
        ("wia", ["enfiladed", "wia"]),
        ("wounded", ["enfiladed", "wounded"]),
    ):
        fight.report(RUSSIAN, [leader], news)
        assert fight.unit(RUSSIAN, leader.number).marks == marks


def test_each_unit_is_told_what_befell_it(fight):
    officer, commissar = put(fight, 11, *of_kind(fight, RUSSIAN, "officer"), *of_kind(fight, RUSSIAN, "commissar"))
    fight.report(RUSSIAN, [officer], "wounded")
    done = fight.report(RUSSIAN, [officer, commissar], "wounded")
    ends, lives = f"1 × Officer{tags(officer)}: wounded again, eliminated", f"1 × Commissar{tags(commissar)}: wounded"
    assert sentences_of(done)[0] == f"Russian: {ends}; {lives}."


@pytest.mark.parametrize(
    ("counter", "barred"),
    [
        ("rifle_squad", {"wounded", "m_killed", "f_killed"}),
        ("commissar", {"reduced", "m_killed", "f_killed"}),
        ("maxim_m1910", {"reduced", "wounded", "m_killed", "f_killed"}),
        ("ptp_42", {"reduced", "wounded", "m_killed", "f_killed"}),
        ("t_70", {"reduced", "wounded"}),
        ("mine_factor", {"reduced", "wounded", "m_killed", "f_killed"}),
    ],
)
def test_no_unit_gets_a_mark_that_its_counter_cannot_have(cg2, counter, barred):
    if counter == "mine_factor":
        cg2.buy(RUSSIAN, "F1")
    cg2.through_to("firefight")
    (unit,) = put(cg2, 18, *of_kind(cg2, RUSSIAN, counter))
    for news in ("reduced", "wounded", "m_killed", "f_killed"):
        with cg2.trial():
            if news in barred:
                refuse_report(cg2, RUSSIAN, [unit], news, error=Unfit, match="cannot be")
            else:
                cg2.report(RUSSIAN, [unit], news)


def test_the_eliminated_are_gone_for_good_and_free_their_counters(fight):
    squads = put(fight, 11, *of_kind(fight, RUSSIAN, "rifle_squad", 2), hex="K7")
    before = fight.ledger.left_in_box(RUSSIAN)
    done = fight.report(RUSSIAN, squads, "eliminated")
    assert sentences_of(done) == [f"Russian: 2 × Rifle squad{tags(*squads)}: eliminated."]
    assert {(u.fate, u.sector, u.hex) for u in (fight.unit(RUSSIAN, n) for n in numbers(squads))} == {
        (Unit.Fate.ELIMINATED, None, "")
    }
    assert fight.ledger.left_in_box(RUSSIAN) == before | {"rifle_squad": before["rifle_squad"] + 2}
    for news in ("enter", "move", "eliminated", "reduced", "show"):
        refused = refuse_report(fight, RUSSIAN, squads[:1], news, 18, error=Unfit)
        assert refused.reasons == ["Rifle squad: not a unit on the map."]


def test_a_report_is_for_all_or_for_none(fight):
    squads = of_kind(fight, RUSSIAN, "rifle_squad", 2)
    put(fight, 11, squads[0])
    refused = refuse_report(fight, RUSSIAN, squads, "reduced", error=Unfit)
    assert refused.reasons == ["Rifle squad is not on the map."]


def test_a_report_names_units_of_the_own_side(fight):
    theirs = max(fight.ledger.units[RUSSIAN]) + 1
    fight.refuse(reporting.report, RUSSIAN, [theirs], News.ENTER, 18, error=Unfit, match="no such unit")
    fight.refuse(reporting.report, RUSSIAN, [], News.ENTER, 18, error=BadField, match="Choose the units")


def test_aircraft_are_no_units_on_the_map(cg2):
    cg2.buy(RUSSIAN, "S1")
    cg2.through_to("firefight")
    refuse_report(cg2, RUSSIAN, cg2.units(RUSSIAN, "S1"), "enter", 18, error=Unfit, match="not a unit on the map")


# Hidden units


@pytest.fixture
def hidden(fight):
    """Two hidden rifle squads in sector 11, and an open one."""
    one, two, three = of_kind(fight, RUSSIAN, "rifle_squad", 3)
    put(fight, 11, one, two, hidden=True)
    put(fight, 11, three)
    return fight, (one, two), three


def test_hidden_units_move_without_a_word_to_the_other_side(hidden):
    game, units, _ = hidden
    before = game.known("german")
    (entry,) = game.report(RUSSIAN, units, "move", 12).entries
    assert {game.unit(RUSSIAN, unit.number).sector for unit in units} == {12}
    assert {game.unit(RUSSIAN, unit.number).hidden for unit in units} == {True}
    assert (entry.sentence, entry.secret) == (
        "Russian writes something down under seal.",
        f"2 × Rifle squad{tags(*units)}: now in sector 12.",
    )
    for sees in ((), ("german",)):
        known = game.known(*sees)
        assert [unit.plain() for unit in known.units[RUSSIAN].values()] == [
            unit.plain() for unit in before.units[RUSSIAN].values()
        ]
        assert reading.newest_lines(game.match, sees)[0].secret == ""


def test_of_hidden_and_open_units_that_move_together_only_the_open_ones_are_told(hidden):
    game, units, open_unit = hidden
    openly, sealed = game.report(RUSSIAN, [*units, open_unit], "move", 12).entries
    assert (openly.sentence, openly.secret) == (f"Russian: 1 × Rifle squad{tags(open_unit)}: now in sector 12.", "")
    assert sealed.sentence == "Russian writes something down under seal."
    assert sealed.secret == f"2 × Rifle squad{tags(*units)}: now in sector 12."
    known = game.known("german").units[RUSSIAN]
    assert [known[unit.number].sector for unit in (*units, open_unit)] == [None, None, 12]


def test_units_shown_stay_shown(hidden):
    game, (one, two), _ = hidden
    done = game.report(RUSSIAN, [one], "show")
    assert sentences_of(done) == [f"Russian: 1 × Rifle squad{tags(one)}: shown in sector 11."]
    assert not done.act.free_to_take_back
    known = game.known("german").units[RUSSIAN]
    assert (known[one.number].sector, known[two.number].sector) == (11, None)
    refused = refuse_report(game, RUSSIAN, [one], "show", error=Unfit)
    assert refused.reasons == ["Rifle squad is not hidden."]


@pytest.mark.parametrize(
    ("news", "sector", "words"),
    [
        ("eliminated", None, "eliminated"),
        ("reduced", None, "reduced (Casualties)"),
        ("exit", 18, "off the map by sector 18"),
    ],
)
def test_what_befalls_hidden_units_shows_them(hidden, news, sector, words):
    game, (one, two), _ = hidden
    if news == "exit":
        game.write(one, sector=18)
    done = game.report(RUSSIAN, [one], news, sector)
    # Where a unit that is gone stood nobody sees.
    left = (f"Rifle squad #{one.number}: hidden no more where it stood.", "Russian writes something down under seal.")
    openly = ("", f"Russian: 1 × Rifle squad{tags(one)}: {words}.")
    lines = [openly] if news == "reduced" else [left, openly]
    assert [(entry.secret, entry.sentence) for entry in done.entries] == lines
    assert not done.act.free_to_take_back
    assert game.unit(RUSSIAN, one.number).hidden is False
    assert game.unit(RUSSIAN, two.number).hidden is True


def test_units_shown_in_two_sectors_are_told_in_both(hidden):
    game, (one, two), _ = hidden
    put(game, 12, two)
    done = game.report(RUSSIAN, [one, two], "show")
    places = [f"1 × Rifle squad{tags(unit)}: shown in sector {sector}" for unit, sector in ((one, 11), (two, 12))]
    assert sentences_of(done) == [f"Russian: {'; '.join(places)}."]


def test_what_a_hidden_groups_place_cost_is_open_once_nobody_in_it_is_hidden(cg2):
    cg2.buy(RUSSIAN, "I1")
    cg2.through_to("setup")
    squads = cg2.units(RUSSIAN, "I1")
    cg2.place(RUSSIAN, squads, 11, hidden=True)
    cg2.through_to("firefight")
    assert (cg2.balance(RUSSIAN), cg2.known("german").balance(RUSSIAN)) == (16, 18)
    cg2.report(RUSSIAN, squads[:2], "show")
    assert cg2.known("german").balance(RUSSIAN) == 18
    cg2.report(RUSSIAN, squads[2:], "eliminated")
    assert cg2.known("german").balance(RUSSIAN) == cg2.balance(RUSSIAN) == 16


# Nests (20.9.3)


@pytest.fixture
def nest(frozen):
    """A nest in sector 11 with its Commissar, and another Commissar off the map."""
    return frozen("game with a nest", play_to_nest)


def play_to_nest():
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "N1")
    game.buy(RUSSIAN, "I2", die=6, second_die=8)
    game.through_to("firefight")
    put(game, 11, *game.units(RUSSIAN, "N1"), *game.units(RUSSIAN, counter="commissar"))
    return game


def test_a_nest_ends_with_the_last_commissar(nest):
    one, two = nest.units(RUSSIAN, counter="commissar")
    done = nest.report(RUSSIAN, [one], "eliminated")
    assert sentences_of(done) == [f"Russian: 1 × Commissar{tags(one)}: eliminated."]
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY
    nest.report(RUSSIAN, [two], "wounded")
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY
    done = nest.report(RUSSIAN, [two], "wounded")
    assert sentences_of(done) == [
        f"Russian: 1 × Commissar{tags(two)}: wounded again, eliminated.",
        "Russian: the Fanatic Resistance Nest ends for good, no Commissar is left (20.9.3).",
    ]
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    assert nest.units(RUSSIAN, "N1") == []
    assert nest.ledger.bought(RUSSIAN)["N1"] == 1  # its box stays ticked


def check_morale(game, unit, die, corrects=None, state="wia"):
    """A Commissar's Morale Check at the table, or its correction."""
    helper = helpers(game.match.game)["morale"]
    values = {"unit": "leader", "state": state, "tq": 5, "name": "Commissar", "id": f"russian-{unit.number}"}
    form = helper.form.from_plain(values, book=of_match(game.match))
    assert form.is_valid()
    game.do(rolls.roll, RUSSIAN, RollOrder(helper, form, "table", {"die": die}, corrects=corrects))
    return [entry.number for entry in game.entries if entry.helper == "morale"][-1]


def test_a_nest_comes_back_with_the_commissar_whom_a_correction_brings_back(nest):
    one, two = nest.units(RUSSIAN, counter="commissar")
    (marker,) = nest.units(RUSSIAN, "N1")
    nest.report(RUSSIAN, [two], "eliminated")
    before = nest.standing()["rows"]
    fatal = check_morale(nest, one, 10)
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    still_fatal = check_morale(nest, one, 9, corrects=fatal)
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    check_morale(nest, one, 1, corrects=still_fatal)
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY
    assert nest.standing()["rows"] == before and nest.unit(RUSSIAN, marker.number).sector == 11
    assert nest.last.sentence == "Russian: the Fanatic Resistance Nest stands again, with its Commissar (20.9.3)."


def test_a_nest_that_its_side_has_ended_does_not_come_back_with_a_commissar(nest):
    one, two = nest.units(RUSSIAN, counter="commissar")
    nest.do(reporting.end_nest, RUSSIAN, nest.group(RUSSIAN, "N1").number)
    check_morale(nest, two, 1, corrects=check_morale(nest, two, 10))
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP


@pytest.mark.parametrize("news", ["disrupted", "wia"])
def test_a_nest_ends_when_no_commissar_is_left_who_is_not_disrupted(nest, news):
    one, two = nest.units(RUSSIAN, counter="commissar")
    nest.report(RUSSIAN, [one], "disrupted")
    nest.report(RUSSIAN, [two], "pinned")
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY
    done = nest.report(RUSSIAN, [two], news)
    assert sentences_of(done)[-1] == (
        "Russian: the Fanatic Resistance Nest ends for good, every Commissar is Disrupted or WIA (20.9.3)."
    )
    nest.report(RUSSIAN, [one], "good_order")
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP


def test_a_nest_that_is_not_on_the_map_waits_for_its_commissars(nest):
    (marker,) = nest.units(RUSSIAN, "N1")
    nest.write(marker, sector=None, hex="")
    nest.report(RUSSIAN, nest.units(RUSSIAN, counter="commissar"), "disrupted")
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY


def test_a_correction_brings_a_nest_back_and_a_commissar_who_rallies_does_not(nest):
    one, two = nest.units(RUSSIAN, counter="commissar")
    nest.report(RUSSIAN, [two], "eliminated")
    failed = check_morale(nest, one, 10, state="good_order")
    assert nest.unit(RUSSIAN, one.number).marks == ["disrupted"]
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    number = nest.last.number
    nest.do(counter_acts.set_counters, RUSSIAN, [f"russian-{one.number}"], HandSet(state=()))
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    nest.do(counter_acts.undo_change, RUSSIAN, nest.last.number)
    check_morale(nest, one, 1, corrects=failed, state="good_order")
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.IN_PLAY
    assert nest.last.sentence.endswith("stands again, with its Commissar (20.9.3).") and nest.last.number > number


def test_one_query_asks_whether_what_befell_any_commissar_of_a_nest_was_struck(nest):
    commissars = nest.units(RUSSIAN, counter="commissar")
    nest.report(RUSSIAN, commissars, "disrupted")
    with CaptureQueriesContext(connection) as captured:
        nest.report(RUSSIAN, commissars[:1], "good_order")
    assert len([query for query in captured if '"voided_by" >' in query["sql"]]) == 1


def test_a_nest_may_end_while_there_are_commissars_elsewhere(nest):
    group = nest.group(RUSSIAN, "N1").number
    (entry,) = nest.do(reporting.end_nest, RUSSIAN, group).entries
    assert entry.sentence == "Russian: the Fanatic Resistance Nest ends for good, no Commissar holds it (20.9.3)."
    assert nest.group(RUSSIAN, "N1").standing == Group.Standing.USED_UP
    assert nest.units(RUSSIAN, "N1") == []
    nest.refuse(reporting.end_nest, RUSSIAN, group, error=Unfit, match="Only a Fanatic Resistance Nest in play")


def test_nothing_else_ends_as_a_nest_does(nest):
    for number in (nest.group(RUSSIAN, "I2").number, 999):
        nest.refuse(reporting.end_nest, RUSSIAN, number, error=Unfit)


# Batteries (20.8.2, 17.3.1)


def test_artillery_that_placed_an_ffe_is_used_up_after_the_firefight_and_the_rest_stays(cg2):
    cg2.buy(GERMAN, "A2")
    cg2.through_to("firefight")
    used, unused = cg2.group(GERMAN, "A2").number, cg2.group(GERMAN, "A1").number
    (entry,) = cg2.do(batteries.note_battery, GERMAN, used, FFE).entries
    assert entry.sentence == "German: A2 105 mm battery has placed an FFE, and is used up after this firefight."
    assert cg2.ledger.groups[GERMAN][used].standing == Group.Standing.IN_PLAY
    cg2.refuse(batteries.note_battery, GERMAN, used, FFE, error=Unfit, match="A2 has placed an FFE already")
    at_turn(cg2, 7)
    done = cg2.end_turn()
    assert "German: used up by an FFE: A2 105 mm battery." in sentences_of(done)
    groups = cg2.ledger.groups[GERMAN]
    assert (groups[used].standing, groups[unused].standing) == (Group.Standing.USED_UP, Group.Standing.IN_PLAY)
    assert cg2.ledger.bought(GERMAN) == {"A2": 1, "X1": 1}


def test_both_sides_lose_the_artillery_that_they_used(cg2_at):
    cg2 = cg2_at("firefight")
    for side in Side:
        cg2.do(batteries.note_battery, side, cg2.group(side, "A1").number, FFE)
    at_turn(cg2, 7)
    sentences = sentences_of(cg2.end_turn(RUSSIAN))
    assert "German: used up by an FFE: A1 81 mm battery." in sentences
    assert "Russian: used up by an FFE: A1 76 mm battery." in sentences
    assert {cg2.group(side, "A1").standing for side in Side} == {Group.Standing.USED_UP}


def test_a_battery_that_is_out_is_out_of_the_campaign(fight):
    number = fight.group(GERMAN, "A1").number
    (entry,) = fight.do(batteries.note_battery, GERMAN, number, LOST).entries
    assert entry.sentence == "German: A1 81 mm battery is out of the campaign (17.3.1)."
    assert fight.ledger.groups[GERMAN][number].standing == Group.Standing.LOST
    for news in (FFE, LOST):
        fight.refuse(batteries.note_battery, GERMAN, number, news, error=Unfit, match="A1 is not a battery in play")
    at_turn(fight, 7)
    fight.end_turn()
    assert fight.ledger.groups[GERMAN][number].standing == Group.Standing.LOST


def test_a_battery_that_was_lost_after_its_ffe_stays_lost(fight):
    number = fight.group(GERMAN, "A1").number
    fight.do(batteries.note_battery, GERMAN, number, FFE)
    fight.do(batteries.note_battery, GERMAN, number, LOST)
    at_turn(fight, 7)
    fight.end_turn()
    assert fight.ledger.groups[GERMAN][number].standing == Group.Standing.LOST


def test_only_batteries_place_an_ffe(cg2):
    cg2.buy(GERMAN, "B1")
    cg2.through_to("firefight")
    for rg in ("I1", "V1"):
        cg2.refuse(
            batteries.note_battery,
            GERMAN,
            cg2.group(GERMAN, rg).number,
            FFE,
            error=Unfit,
            match="not a battery in play",
        )
    cg2.refuse(batteries.note_battery, GERMAN, 999, FFE, error=Unfit, match="no such battery")
    cg2.do(batteries.note_battery, GERMAN, cg2.group(GERMAN, "B1").number, FFE)


# Aircraft (17.6.2)


@pytest.fixture
def flights(frozen):
    """Two groups of Ju 87, arriving on a 5 or less, and one of Po-2, on a 6 or less."""
    return frozen("game with flights", play_to_flights)


def play_to_flights():
    game = Game.begin("cg2")
    game.buy(GERMAN, "S1")
    game.buy(GERMAN, "S1")
    game.buy(RUSSIAN, "S1")
    game.through_to("firefight")
    first, second = (group.number for group in game.ledger.groups[GERMAN].values() if group.rg == "S1")
    return game, first, second


def fly(game, number, die, side=GERMAN):
    return game.do(flying.roll_arrival, side, number, typed(die=die))


def test_what_was_told_in_a_turn_is_not_taken_back_alone_once_the_other_side_has_ended_the_turn(flights):
    game, number, _ = flights
    fly(game, number, 10)
    game.end_turn(RUSSIAN)
    turn = game.match.state.turn
    sentence = game.do(matters.propose_take_back, GERMAN).entries[0].sentence
    assert sentence.startswith("German asks to take back")
    assert (game.match.state.turn, game.group(GERMAN, "S1", 0).since) == (turn, turn - 1)


@pytest.mark.parametrize(("side", "arrival", "name"), [(GERMAN, 5, "Ju 87 flight"), (RUSSIAN, 6, "Po-2 flight")])
def test_a_group_arrives_and_stays_on_its_number_or_less(flights, side, arrival, name):
    game, number = flights[0], flights[0].group(side, "S1", 0).number
    for face in range(1, 11):
        with game.trial():
            (entry,) = fly(game, number, face, side).entries
            group = game.ledger.groups[side][number]
            assert (group.mark == Group.Sign.HERE) == (face <= arrival)
            assert (group.since, group.standing) == (1, Group.Standing.IN_PLAY)
            assert entry.sentence.startswith(f"{side.capitalize()}, S1 {name}. ")
            assert entry.sentence.endswith(f": {face} against {arrival}.")
            assert [die.face for die in entry.rolls] == [face]
    fly(game, number, 1, side)
    game.end_turn()
    for face in range(1, 11):
        with game.trial():
            fly(game, number, face, side)
            group = game.ledger.groups[side][number]
            stays = face <= arrival
            assert (group.mark == Group.Sign.HERE) == stays
            assert group.standing == (Group.Standing.IN_PLAY if stays else Group.Standing.LOST)
            planes = [unit for unit in game.ledger.units[side].values() if unit.group and unit.group.number == number]
            assert {unit.fate for unit in planes} == ({Unit.Fate.NONE} if stays else {Unit.Fate.LEFT})
            assert len(planes) == 2


def test_a_group_rolls_once_a_turn(flights):
    game, number, _ = flights
    fly(game, number, 10)
    refused = game.refuse(flying.roll_arrival, GERMAN, number, typed(die=1), error=Unfit)
    assert refused.reasons == ["S1 Ju 87 flight has rolled in turn 1 already (17.6.2)."]
    game.end_turn()
    fly(game, number, 1)
    game.refuse(flying.roll_arrival, GERMAN, number, typed(die=1), error=Unfit, match="in turn 2 already")


def test_one_group_at_a_time_and_the_next_from_the_turn_after_the_first_left(flights):
    game, first, second = flights
    fly(game, first, 1)
    for face in (1, 9):  # stays in turn 2, leaves in turn 3
        game.refuse(
            flying.roll_arrival, GERMAN, second, typed(die=1), error=Unfit, match="One group of aircraft a turn"
        )
        game.end_turn()
        fly(game, first, face)
    game.refuse(flying.roll_arrival, GERMAN, second, typed(die=1), error=Unfit, match="One group of aircraft a turn")
    game.refuse(
        flying.roll_arrival, GERMAN, first, typed(die=1), error=Unfit, match="not a group of aircraft that can come"
    )
    game.end_turn()
    fly(game, second, 1)
    assert game.ledger.groups[GERMAN][second].mark == Group.Sign.HERE


def test_each_side_has_its_own_aircraft_over_the_map(flights):
    game, first, _ = flights
    fly(game, first, 1)
    number = game.group(RUSSIAN, "S1").number
    fly(game, number, 1, RUSSIAN)
    assert {game.group(GERMAN, "S1", 0).mark, game.group(RUSSIAN, "S1").mark} == {Group.Sign.HERE}


def test_aircraft_that_left_are_out_of_the_campaign(flights):
    game, first, _ = flights
    fly(game, first, 1)
    game.end_turn()
    fly(game, first, 10)
    game.write(game.ledger.campaign, firefight=2, stage="purchases")
    game.through_to("firefight")
    game.refuse(
        flying.roll_arrival, GERMAN, first, typed(die=1), error=Unfit, match="not a group of aircraft that can come"
    )


def test_aircraft_come_again_in_another_firefight(flights):
    game, first, _ = flights
    fly(game, first, 1)
    game.write(game.ledger.campaign, firefight=2, stage="purchases")
    game.through_to("firefight")
    assert (game.ledger.groups[GERMAN][first].mark, game.ledger.groups[GERMAN][first].since) == ("", 0)
    fly(game, first, 5)
    assert game.ledger.groups[GERMAN][first].mark == Group.Sign.HERE


def test_po_2_fly_by_night_and_at_dawn(flights):
    game, *_ = flights
    number = game.group(RUSSIAN, "S1").number
    for firefight, time in ((2, "AM"), (3, "PM"), (4, "Night")):
        game.write(game.ledger.campaign, firefight=firefight)
        assert game.ledger.time == time
        if time == "Night":
            fly(game, number, 1, RUSSIAN)
        else:
            refused = game.refuse(flying.roll_arrival, RUSSIAN, number, typed(die=1), error=Unfit)
            assert refused.reasons == ["S1 flies at Night and Dawn only (20.3.3)."]


def test_only_aircraft_fly(flights):
    game, *_ = flights
    for number in (game.group(GERMAN, "A1").number, 999):
        game.refuse(flying.roll_arrival, GERMAN, number, typed(die=1), error=Unfit)
    game.refuse(flying.roll_arrival, GERMAN, flights[1], typed(), error=Incomplete)
    game.refuse(flying.roll_arrival, GERMAN, flights[1], typed(die=11), error=BadDie)


def aa(game, counter, **values):
    """A Russian unit of the OB in sector 15 as another counter; returns its number and its name."""
    unit = next(unit for unit in game.units(RUSSIAN) if unit.sector is None)
    game.write(unit, **{"counter": counter, "sector": 15, **values})
    return unit.number, game.ledger.name_unit(game.unit(RUSSIAN, unit.number))


def test_aa_that_may_fire_is_named_before_the_attack_and_nothing_else_brings_aircraft_down(flights):
    game, first, _ = flights
    fly(game, first, 1)
    gun, name = aa(game, "dshk_38", hex="K7")
    others = [
        aa(game, "dshk_38", marks=["disrupted"])[0],
        aa(game, "dshk_38", hidden=True)[0],
        aa(game, "rifle_squad")[0],
        aa(game, "dshk_38", sector=None)[0],
    ]
    (entry,) = game.do(flying.air_attack, GERMAN, first, AirWeapon.MG).entries
    assert entry.sentence.endswith(f"Before it {name} may fire.")
    for number in (*others, 999):
        by = f"russian-{number}"
        game.refuse(flying.down_aircraft, GERMAN, first, by, error=Unfit, match="Only AA that may fire")
    (entry,) = game.do(flying.down_aircraft, GERMAN, first, f"russian-{gun}").entries
    assert entry.sentence == f"German, S1: Ju 87 #27 is lost to {name}, 1 left."


@pytest.mark.parametrize("level, fires", [("", False), ("1", False), ("roof", True)])
def test_aa_inside_a_building_fires_at_no_aircraft(flights, level, fires):
    game, first, _ = flights
    fly(game, first, 1)
    _, name = aa(game, "dshk_38", hex=f"K7/{level}" if level else "K7")
    record = {"ground": {"K7": {"hex": "K7", "building": True}}}
    Match.objects.filter(pk=game.match_id).update(state=replace(game.match.state, record=record))
    entry = game.do(flying.air_attack, GERMAN, first, AirWeapon.MG).entries[0]
    assert (name in entry.sentence) is fires


def test_aircraft_are_shot_down_one_by_one_and_the_group_is_lost_with_the_last(flights):
    game, first, second = flights
    game.refuse(flying.down_aircraft, GERMAN, first, error=Unfit, match="No aircraft of S1 is over the map")
    fly(game, first, 1)
    (entry,) = game.do(flying.down_aircraft, GERMAN, first).entries
    assert entry.sentence == "German, S1: Ju 87 #27 is lost, 1 left."
    group = game.ledger.groups[GERMAN][first]
    assert (group.standing, group.mark, len(game.ledger.units_of(group))) == ("in_play", "here", 1)
    (entry,) = game.do(flying.down_aircraft, GERMAN, first).entries
    assert entry.sentence == "German, S1: Ju 87 #28 is lost, 0 left."
    group = game.ledger.groups[GERMAN][first]
    assert (group.standing, group.mark, group.since, game.ledger.units_of(group)) == ("lost", "", 1, [])
    game.refuse(flying.down_aircraft, GERMAN, first, error=Unfit, match="No aircraft")
    game.refuse(flying.roll_arrival, GERMAN, second, typed(die=1), error=Unfit, match="One group of aircraft a turn")
    game.end_turn()
    fly(game, second, 1)


def test_as_02_aircraft_roll_to_stay_in_every_later_turn(flights):
    """17.6.2: without that roll the turn does not end, whoever ends it."""
    game, first, _ = flights
    fly(game, first, 1)
    game.end_turn()
    for side in Side:
        refused = game.refuse(turns.end_turn, side, typed(), error=Unfit)
        assert refused.reasons == ["Still to roll in turn 2, to stay over the map: German S1 Ju 87 flight (17.6.2)."]
    fly(game, first, 5)
    game.end_turn(RUSSIAN)
    fly(game, first, 10)  # gone, so that nothing is due any more
    for _ in range(2):
        game.end_turn()
    assert game.match.state.turn == 5


def strike(game, number, weapon, side=GERMAN):
    return game.do(flying.air_attack, side, number, AirWeapon(weapon))


def test_as_05_each_aircraft_has_its_he_once_a_firefight_and_its_mg_once_a_turn(flights):
    game, first, second = flights
    refuse = partial(game.refuse, flying.air_attack, GERMAN, first, error=Unfit)
    refuse(AirWeapon.HE, match="No aircraft of S1 is over the map")
    fly(game, first, 1)
    one, two = game.ledger.units_of(game.ledger.groups[GERMAN][first])
    names = [f"Ju 87 #{unit.number}" for unit in (one, two)]
    assert sentences_of(strike(game, first, "he")) == [f"German, S1: {names[0]} attacks. HE used."]
    assert sentences_of(strike(game, first, "mg")) == [f"German, S1: {names[0]} attacks. MG used this turn."]
    assert sentences_of(strike(game, first, "both")) == [f"German, S1: {names[1]} attacks. HE used, MG used this turn."]
    no_he = "S1 Ju 87 flight has no HE left: each aircraft drops it once a firefight (17.6.3)."
    no_mg = "The MGs of S1 Ju 87 flight have fired: each aircraft once a turn (17.6.3)."
    for weapon, reasons in ((AirWeapon.HE, [no_he]), (AirWeapon.MG, [no_mg]), (AirWeapon.BOTH, [no_he, no_mg])):
        assert refuse(weapon).reasons == reasons
    game.end_turn()
    refuse(AirWeapon.MG, match="S1 Ju 87 flight rolls first whether it stays in this turn")
    fly(game, first, 1)
    refuse(AirWeapon.HE, match="has no HE left")
    assert game.unit(GERMAN, one.number).marks == ["he_used"]
    strike(game, first, "mg")
    game.refuse(flying.air_attack, RUSSIAN, game.group(RUSSIAN, "S1").number, AirWeapon.HE, error=Unfit)


# When it is over


def test_the_end_leaves_the_other_rows_alone(fight):
    put(fight, 11, *of_kind(fight, RUSSIAN, "rifle_squad"), marks=["pinned", "reduced"], hidden=True)
    at_turn(fight, 7)
    before = fight.ledger
    fight.end_turn()
    after = fight.ledger
    for side in Side:
        for kind in ("groups", "units", "seals", "lines"):
            assert [row.plain() for row in getattr(after, kind)[side].values()] == [
                row.plain() for row in getattr(before, kind)[side].values()
            ]
    assert (after.campaign.held, after.campaign.firefight) == (before.campaign.held, 1)
    assert after.stage == "reorganization"
    assert after.campaign.stage_since == fight.match.version
