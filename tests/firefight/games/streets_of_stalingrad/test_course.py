"""The calendar of 67 days and 15 phases: where it begins, what it takes off, asks for and brings back."""

from collections import Counter

import pytest

from firefight.engine.course.course import BadMove, Position
from firefight.engine.course.keeping import TableState
from firefight.games.streets_of_stalingrad.game import GAME
from firefight.games.streets_of_stalingrad.rules import course, housekeeping
from firefight.games.streets_of_stalingrad.rules.course import COURSE, choose_course
from firefight.games.streets_of_stalingrad.rules.record import RECORD


def state(turn, phase, pressed="", scenario="3", **record):
    values = RECORD.complete(record)
    return TableState(
        Position(turn=turn, phase=str(phase)), values, None, pressed=pressed, options={"scenario": scenario}
    )


def keep(before, now, pressed="phase", scenario="3", **record):
    """The housework of going from one (turn, phase) to another, and the record after it."""
    table = state(*now, pressed=pressed, scenario=scenario, **record)
    house = housekeeping.do_housework(Position(turn=before[0], phase=str(before[1])), table)
    after = table.record
    for change in house.changes:
        after = RECORD.apply(after, change.values)
    return house, after


def due(house):
    return [step.roll.helper for step in house.due]


def mark(place, marker, under_attack=False):
    return {"hex": place, "marker": marker, "under_attack": under_attack}


ALL_MARKERS = [mark("0509", word) for word in ("pinned", "spent", "attack", "breakthru", "interdicted")]


def words(after):
    return [row["marker"] for row in after["markers"]]


# The calendar


def test_the_campaign_is_walked_from_its_first_phase_to_its_last():
    position, positions = COURSE.begin(), [COURSE.begin()]
    while not COURSE.is_last(position):
        position = COURSE.press(position, "phase").position
        positions.append(position)
    assert len(positions) == len(set(positions)) == 67 * 15
    facts = [COURSE.facts(position) for position in positions]
    assert facts[0] == {"turn": 1, "date": "1942-09-13", "phase": 1}
    assert facts[-1] == {"turn": 67, "date": "1942-11-18", "phase": 15}
    assert [row["phase"] for row in facts] == list(range(1, 16)) * 67
    assert len({row["date"] for row in facts}) == 67
    assert all(COURSE.change(COURSE.begin(), row) == position for row, position in zip(facts, positions, strict=True))


def test_each_phase_is_whose_it_is_and_says_who_places_first():
    actors = "".join({"german": "G", "soviet": "S", "": "-"}[phase.side] for phase in course.PHASES)
    assert actors == "--GSG-GG-SGS-SS"
    assert {phase.slug: phase.first for phase in course.PHASES if phase.first} == {
        "2": "german", "6": "german", "9": "soviet", "13": "soviet",
    }  # fmt: skip
    assert COURSE.headings(Position(turn=2, phase="9")) == ("14 Sep", "Simultaneous Bombardment", "Soviet first")


@pytest.mark.parametrize(
    ("options", "first", "last"),
    [
        ({}, "1942-09-13", 67),
        ({"scenario": "1"}, "1942-09-13", 13),
        ({"scenario": "2"}, "1942-09-13", 13),
        ({"scenario": "6", "first-day": "1942-10-14", "length": "10"}, "1942-10-14", 41),
        ({"scenario": "4", "first-day": "1942-11-10", "length": "60"}, "1942-11-10", 67),
        ({"scenario": "1", "first-day": "1942-11-10", "length": "60"}, "1942-09-13", 13),
    ],
)
def test_a_scenario_begins_and_ends_on_its_days(options, first, last):
    days = choose_course(options)
    assert days.facts(days.begin())["date"] == first and len(days.turns) == last
    end = days.change(days.begin(), {"turn": last, "phase": 15})
    assert days.is_last(end)
    with pytest.raises(BadMove):
        days.change(days.begin(), {"turn": last + 1})


def test_the_german_may_end_the_game_in_the_first_phase_alone():
    begin = COURSE.begin()
    assert [(button.slug, button.side) for button in COURSE.buttons(begin)] == [("end", "german"), ("phase", "")]
    move = COURSE.press(begin, "end")
    assert move.position == begin and "victory points" in move.sentence
    later = COURSE.press(begin, "phase").position
    assert [button.slug for button in COURSE.buttons(later)] == ["phase"]
    with pytest.raises(BadMove):
        COURSE.press(later, "end")
    assert due(keep((1, 1), (1, 1), pressed="end")[0]) == ["victory"]
    last = Position(turn=67, phase="15")
    assert [button.title for button in COURSE.buttons(last)] == ["End the game"]
    assert COURSE.press(last, "phase").position == last
    assert due(keep((67, 15), (67, 15))[0]) == ["victory"]
    assert due(keep((13, 15), (13, 15), scenario="1")[0]) == ["victory"]
    assert due(keep((13, 14), (13, 15), scenario="1")[0]) == []


# What comes off


def test_what_comes_off_as_each_phase_ends_and_begins():
    left = {
        phase: words(keep((3, phase), (3, phase + 1) if phase < 15 else (4, 1), markers=ALL_MARKERS)[1])
        for phase in range(1, 16)
    }
    everything = words({"markers": ALL_MARKERS})
    assert left[1] == left[2] == left[4] == left[6] == left[9] == left[11] == left[13] == everything
    assert left[3] == left[7] == left[10] == left[14] == ["pinned", "spent", "attack", "spent", "interdicted"]
    assert left[5] == ["spent", "attack", "breakthru"]  # interdiction goes, and pinned as phase 6 begins
    assert left[8] == left[15] == ["breakthru"]
    assert left[12] == ["spent", "attack", "breakthru"]


def test_a_pinned_marker_under_an_attack_marker_stays_to_the_exploit_attack():
    under = [mark("0509", "pinned", True), mark("0611", "pinned")]
    for phase in (5, 12):
        house, after = keep((3, phase), (3, phase + 1), markers=under)
        assert after["markers"] == [under[0]]
        assert house.changes[0].sentences == ("Off: pinned in 0611 (9.114).",)
    assert keep((3, 8), (3, 9), markers=under)[1]["markers"] == []


def test_a_hex_may_be_attacked_again_in_another_phase():
    for phase in (5, 8, 12, 15):
        then = (3, phase + 1) if phase < 15 else (4, 1)
        assert keep((3, phase), then, attacked=["0509"])[1]["attacked"] == []
    assert keep((3, 3), (3, 4), breakthroughs=["0611"])[1]["breakthroughs"] == []


def test_a_day_begins_afresh():
    record = {
        "fired": [{"unit": "276 IR", "phase": 5}], "stukas": 15, "stukas_used": 3, "weather": "bad",
        "barred": {"german": 50, "soviet": 40}, "saved": {"german": 27, "soviet": 0},
        "crossed": {"8": {"phase": 2, "turn": 5}},
    }  # fmt: skip
    after = keep((40, 15), (41, 1), **record)[1]
    assert (after["fired"], after["stukas"], after["stukas_used"], after["weather"]) == ([], None, 0, "none")
    assert after["barred"] == {"german": 0, "soviet": 0} and after["saved"]["german"] == 27 and after["crossed"] == {}
    assert keep((2, 15), (3, 1), scenario="1", **record)[1]["stukas"] == 15  # its card says how many
    assert keep((40, 13), (40, 14), **record)[1]["crossed"] == {"8": {"turn": 5}}


def test_a_hand_that_leads_far_ahead_takes_off_all_on_the_way():
    after = keep((3, 6), (14, 9), "", markers=ALL_MARKERS, attacked=["0509"])[1]
    assert words(after) == [] and after["attacked"] == []
    assert keep((14, 9), (3, 6), "", markers=ALL_MARKERS)[0].changes == ()


def test_snipers_come_on_five_days_and_are_nine_at_most():
    for turn, more in ((13, 0), (14, 1), (18, 1), (19, 0)):
        assert keep((turn, 9), (turn, 10), snipers=3)[1]["snipers"] == 3 + more
    for number in (8, 9):  # and Zaitsev is the ninth; what a hand has set stays
        assert keep((14, 9), (14, 10), snipers=number)[1]["snipers"] == number
    assert keep((13, 15), (19, 1), "", snipers=3)[1]["snipers"] == 8


# What is due


def test_the_first_phase_asks_for_what_its_day_asks_for():
    by_turn = {turn: Counter(due(keep((turn - 1, 15), (turn, 1))[0])) for turn in range(2, 68)}
    for turn, helpers in by_turn.items():
        expected = {"ammunition": (turn >= 8) + (turn >= 19), "weather": int(turn >= 39), "stukas": 1}
        expected["division"] = {7: 2, 17: 1, 23: 1, 28: 2}.get(turn, 0)  # 19 and 29 September, 5 and 10 October
        assert helpers == Counter(expected), turn
    assert due(keep((7, 15), (8, 1), scenario="1")[0]) == ["ammunition"]
    assert all(not due(keep((20, phase - 1), (20, phase))[0]) for phase in range(2, 16))


def test_isolation_comes_before_all_else_and_is_compulsory():
    rows = [{"name": "64 Guards", "side": "soviet", "marker": 2, "elite_or_led": True, "nkvd": False}]
    house, _ = keep((40, 15), (41, 1), isolated=rows)
    assert due(house) == ["isolation", "ammunition", "ammunition", "weather", "stukas"]
    assert [step.compulsory for step in house.due] == ["19.4", "14.71", "14.71", "15.53", "15.52"]
    assert house.due[0].roll.inputs == {
        "unit": "64 Guards", "side": "soviet", "marker": 2, "elite_or_led": True, "date": "1942-10-23",
    }  # fmt: skip


def test_tanks_are_rolled_for_one_by_one_from_11_october():
    assert due(keep((28, 9), (28, 10), tanks=3)[0]) == []
    assert due(keep((29, 9), (29, 10), tanks=3)[0]) == ["tank"] * 3
    assert "Roll for each Soviet tank" in keep((29, 9), (29, 10))[0].notes[0]


def test_a_tank_comes_back_on_even_turns_from_the_fourth():
    days = [turn for turn in range(1, 12) if any("16.72" in note for note in keep((turn, 9), (turn, 10))[0].notes)]
    assert days == [4, 6, 8, 10]
    assert keep((4, 9), (4, 10), repair_unit="gone")[0].notes == ()


def test_who_comes_and_goes_is_told_on_its_day():
    notes_by_phase = {(turn, phase): keep((turn, phase - 1) if phase > 1 else (turn - 1, 15), (turn, phase))[0].notes
            for turn in range(2, 68) for phase in (1, 3)}  # fmt: skip
    days = {at: notes for at, notes in notes_by_phase.items() if notes}
    assert set(days) == {
        (7, 1),
        (13, 3),
        (15, 1),
        (17, 1),
        (18, 3),
        (22, 3),
        (23, 1),
        (28, 1),
        (29, 3),
        (38, 3),
        (46, 3),
    }
    assert days[28, 1] == ("Today leaves: 29th Motorized, whatever is left of it (21.54).",)
    assert len(days[29, 3]) == 2


def test_the_record_has_the_names_of_the_contract():
    assert {
        "stukas", "weather", "barred", "saved", "replacements", "due", "works", "isolated", "nkvd_tested",
        "points_hexes", "fired",
    } <= set(GAME.record.defaults)  # fmt: skip
    row = {"what": "Zaitsev", "side": "soviet", "turn": 4, "phase": 10}
    assert RECORD.apply({}, {"due": [row]})["due"] == [{**row, "about": ""}]
    assert RECORD.flaws(RECORD.defaults) == ()
