"""What rolls make of missions, sets and aircraft, and what their forms are filled with (17.2 to 17.6)."""

import pytest

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.board.hexes import HexMap
from firefight.engine.rolls.result import Result
from firefight.games.combat_stalingrad.rules import artillery, conversion, flights, missions, sets
from firefight.games.combat_stalingrad.rules.accuracy import AccuracyOutcome, BracketOutcome, bracket
from firefight.games.combat_stalingrad.rules.air import AirWeapon, AntiAircraftOutcome, ArrivalOutcome
from firefight.games.combat_stalingrad.rules.contact import CallOffOutcome, ContactOutcome
from firefight.games.combat_stalingrad.rules.missions import Mission
from firefight.games.combat_stalingrad.rules.observers import LossOutcome
from tests.books import HOUSE

HEXES = HexMap()
BOOK = HOUSE


def battery(**parts):
    return Mission.read("german-1", {"side": "german", "caliber": 105, **parts})


def plot(**parts):
    return Mission.read(
        "russian-1", {"side": "russian", "plotted": True, "plot": ["K7", "L8"], "plot_turn": 2, **parts}
    )


def after(mission, note):
    """The mission once a note is written down."""
    rows = missions.MISSION_ROWS.change({mission.id: as_row(mission)}, {"change": {mission.id: dict(note.parts)}})
    return Mission.read(mission.id, rows[mission.id])


def as_row(mission):
    fields = {part.name: getattr(mission, part.name) for part in missions.MISSION_ROWS.parts}
    return {name: list(value) if isinstance(value, tuple) else value or None for name, value in fields.items() if value}


# What speaks against a Contact roll


@pytest.mark.parametrize(
    ("mission", "turn", "reason"),
    [
        (battery(lost=True), 1, "is lost"),
        (battery(lifted=3), 3, "was lifted in this phase"),
        (battery(lifted=3), 4, ""),
        (battery(used=True), 1, ""),
        (plot(), 2, ""),
        (plot(), 1, "is for turn 2, and it is turn 1"),
        (plot(used=True), 2, "is used up"),
        (plot(plot_turn=0), 5, ""),
        (battery(kind="bombardment", marker="ffe"), 1, "never corrected"),
    ],
)
def test_what_speaks_against_contact(mission, turn, reason):
    objections = missions.against_contact(mission, turn)
    assert bool(objections) == bool(reason) and reason in " ".join(objections)


def test_17_4_8_a_plot_falls_on_one_of_its_two_hexes():
    assert missions.against_aim(plot(), "K8") == ["K8 is not one of the two hexes of this plot (17.4.8)."]
    assert missions.against_aim(plot(), "") == ["Choose on which of its two hexes the Plot goes (17.4.8)."]
    for mission, aim in ((plot(), "L8"), (plot(plot=[]), ""), (plot(plot=[]), "K8"), (battery(plot=["K7"]), "K8")):
        assert missions.against_aim(mission, aim) == []


@pytest.mark.parametrize("used, user, reason", [(2, "other", "one unit a phase"), (2, "FO", ""), (1, "other", "")])
def test_eq_02_a_set_is_one_units_in_a_phase(used, user, reason):
    radio = sets.Set.read("german-set1", {"used": used, "user": user})
    assert reason in " ".join(sets.against_use(radio, "FO", 2)) and bool(reason) == bool(
        sets.against_use(radio, "FO", 2)
    )
    assert sets.against_use(sets.Set.read("x", {"lost": True}), "FO", 2)


@pytest.mark.parametrize(
    ("place", "is_far"), [("K7", False), ("K10", False), ("K11", True), ("H7", False), ("G7", True)]
)
def test_eq_10_a_phone_stays_within_three_hexes_of_its_first_contact(place, is_far):
    phone = sets.Set.read("p", {"device": "phone", "hex": place, "first": "K7"})
    assert bool(sets.warn_of_phone(phone, HEXES)) == is_far
    assert not sets.warn_of_phone(sets.Set.read("r", {"device": "radio", "hex": place, "first": "K7"}), HEXES)


def test_eq_10_only_the_first_successful_contact_binds_a_phone():
    phone = sets.Set.read("p", {"device": "phone", "hex": "K7"})
    assert "first" not in sets.parts_of_use(phone, "FO", 1, is_contact=False)
    assert sets.parts_of_use(phone, "FO", 1, is_contact=True)["first"] == "K7"
    carried = sets.parts_of_use(phone, "FO", 1, is_contact=True, at="K9")  # the set is where its carrier is (17.2.2)
    assert (carried["first"], carried["hex"]) == ("K9", "K9")
    bound = sets.Set.read("p", {"device": "phone", "hex": "K8", "first": "K7"})
    assert "first" not in sets.parts_of_use(bound, "FO", 2, is_contact=True)


# What a form is filled with


def filled(mission, aim="", turn=2, counters=()):
    return missions.fill_contact(mission, aim, turn, counters, HEXES)


def test_a_new_mission_is_filled_with_what_the_battery_is():
    inputs = filled(battery(supply="low", device="phone", aerial=False), "K7")
    assert (inputs["marker"], inputs["device"], inputs["supply"], inputs["caliber"]) == ("new_cff", "phone", "low", 105)
    assert (inputs["correction"], inputs["bracketed"], inputs["aim"]) == (0, False, "K7")
    assert filled(battery(kind="bombardment"), "K7")["marker"] == "bombardment"


def test_a_correction_is_as_long_as_the_way_to_the_announced_hex():
    assert filled(battery(marker="cff", hex="K7"), "K11")["correction"] == 4
    in_place = filled(battery(marker="ffe", hex="K7"))
    assert (in_place["aim"], in_place["correction"], in_place["marker"]) == ("K7", 0, "ffe")


@pytest.mark.parametrize("parts", [{"marker": "cff"}, {"hex": "K9"}])
def test_where_no_marker_is_known_to_lie_nothing_is_a_correction(parts):
    assert filled(battery(**parts), "K7")["correction"] == 0


@pytest.mark.parametrize(("placed", "is_new"), [(2, True), (1, False)])
def test_cv_01_a_cff_of_this_phase_is_known(placed, is_new):
    assert filled(battery(marker="cff", hex="K7", placed=placed))["new_this_phase"] is is_new


@pytest.mark.parametrize(
    ("brackets", "aim", "is_between"),
    [(["K7", "K9"], "K8", True), (["K7", "K9"], "K9", True), (["K7", "K9"], "K10", False), (["K7"], "K7", False)],
)
def test_ap_08_brackets_tick_themselves(brackets, aim, is_between):
    inputs = filled(battery(marker="cff", hex="K7", brackets=brackets), aim)
    assert inputs["bracketed"] is is_between
    if len(brackets) == 2:
        word = bracket(charts=BOOK, aim=aim, first=brackets[0], second=brackets[1]).outcome
        assert is_between == (word is BracketOutcome.BETWEEN)


def test_ap_06_a_registered_hex_ticks_itself():
    assert filled(battery(registered=["K7"]), "K7")["registered"]
    assert not filled(battery(registered=["K7"]), "K8")["registered"]


@pytest.mark.parametrize(
    ("counter", "is_close"),
    [
        ({"place": "K13"}, True),
        ({"place": "K14"}, False),
        ({"place": "K13", "side": "russian"}, False),
        ({"place": "K13", "fate": "eliminated"}, False),
        ({"place": ""}, False),
        ({"place": "K8", "hidden": True}, True),
    ],
)
def test_dc_01_danger_close_is_six_hexes_from_the_nearest_own_counter(counter, is_close):
    counter_in_play = CounterInPlay(**{"id": "german-1", "side": "german", "counter": "x", "name": "Rifle", **counter})
    assert filled(battery(), "K7", counters=[counter_in_play])["danger_close"] is is_close


def test_the_nearest_of_several_is_found_with_its_name():
    stack = [
        CounterInPlay(id=f"german-{n}", side="german", counter="x", name=f"Rifle #{n}", place=place)
        for n, place in enumerate(("K12", "K9", "K20", "cellar"), 1)
    ]
    assert missions.measure_nearest(battery(), HEXES.parse("K7"), stack, HEXES) == 2
    assert missions.measure_nearest(battery(), HEXES.parse("K7"), [], HEXES) is None


def test_rolls_after_the_first_are_filled_with_what_lies_there():
    cff = battery(marker="cff", hex="K7", placed=2, danger_close=True, called=1)
    converts = {"marker": "cff", "new_this_phase": True, "danger_close": True, "impact": "K7"}
    assert missions.fill_conversion(cff, 2) == converts
    assert missions.fill_conversion(battery(), 2) == {**converts, "new_this_phase": False, "danger_close": False} | {
        "impact": ""
    }
    falls = {"caliber": 105, "marker": "cff", "kind": "battery", "smoke": False, "danger_close": True, "fire_2": False}
    assert missions.fill_firepower(cff, 2) == {**falls, "impact": "K7"}


def test_nothing_that_a_plot_hides_is_in_what_its_contact_is_filled_with():
    inputs = filled(plot(known_to="russian"), "K7")
    assert (inputs["device"], inputs["kind"], inputs["marker"]) == ("plotted", "plotted", "plot")
    assert not {"aim", "K7", "L8", 2} & {*inputs, *(value for value in inputs.values() if not isinstance(value, bool))}


# What a roll makes of it


def contact(outcome):
    return Result("", outcome)


def note_contact(mission, result, turn):
    return missions.note_contact(mission, {}, result, turn)


def test_no_contact_takes_marker_and_brackets_off_and_leaves_a_plot_to_try_again():
    mission = after(battery(marker="cff", hex="K7", brackets=["K7"], placed=1), note_contact(
        battery(marker="cff", hex="K7"), contact(ContactOutcome.NO_CONTACT), 2))  # fmt: skip
    assert (mission.marker, mission.hex, mission.brackets, mission.placed) == ("", "", (), 0)
    assert note_contact(plot(), contact(ContactOutcome.NO_CONTACT), 2) is None
    assert note_contact(battery(), contact(ContactOutcome.CONTACT), 2) is None


def test_98_lifts_for_the_phase_and_00_loses_for_good():
    lifted = after(battery(marker="ffe", hex="K7"), note_contact(battery(), contact(ContactOutcome.LIFTED), 2))
    assert (lifted.lifted, lifted.marker) == (2, "")
    ffe = battery(marker="ffe", hex="K7")
    for outcome, note in (
        (ContactOutcome.BATTERY_LOST, note_contact),
        (CallOffOutcome.BATTERY_LOST, missions.note_call_off),
    ):
        mission = after(ffe, note(ffe, contact(outcome), 2))
        assert (mission.lost, mission.marker, mission.hex) == (True, "", "")
    off = after(ffe, missions.note_call_off(ffe, contact(CallOffOutcome.LIFTED), 2))
    assert (off.lifted, off.marker, off.lost) == (2, "", False)


def accuracy(marker, distance=0, lies="K7", **inputs):
    outcome = AccuracyOutcome.STRAYS if distance else AccuracyOutcome.ON_TARGET
    place = {"hex": lies, **({"on_map": True} if distance else {})} if lies else {"on_map": False}
    return {"marker": marker, "aim": "K9", **inputs}, Result("", outcome, details={"distance": distance, **place})


@pytest.mark.parametrize(
    ("mission", "roll", "brackets"),
    [
        (battery(), accuracy("new_cff", lies="K9"), ()),
        (battery(), accuracy("new_cff", 2, "K7"), ("K7",)),
        (battery(marker="cff", hex="K5"), accuracy("cff", lies="K9"), ("K5",)),
        (battery(marker="cff", hex="K5"), accuracy("cff", 1, "K8"), ("K5", "K8")),
        (battery(marker="cff", hex="K9", brackets=["A5"]), accuracy("cff", lies="K9"), ("A5",)),
        (battery(marker="cff", hex="K5", brackets=["A5", "B5"]), accuracy("cff", lies="K9"), ("B5", "K5")),
        # R-87: of two that are out the farther from the marker is taken up, and the other stays.
        (battery(marker="ffe", hex="K5", brackets=["A5", "B5"]), accuracy("ffe", 1, "K8"), ("B5", "K8")),
        (battery(marker="cff", hex="K5", brackets=["K7", "A5"]), accuracy("cff", 1, "K8"), ("K7", "K8")),
        (battery(marker="cff", hex="K5", brackets=["A5"]), accuracy("cff", 1, "K8"), ("K5", "K8")),
        (battery(marker="cff", hex="K5", brackets=["K7", "K8"]), accuracy("cff", 1, "K8"), ("K7", "K8")),
        (battery(marker="cff", hex="K5", brackets=["K4", "K6"]), accuracy("cff", 2, ""), ("K6", "K5")),
        (battery(marker="cff", hex="K5"), accuracy("cff", 2, ""), ("K5",)),
        (plot(), accuracy("plot", 2, "K7"), ()),
    ],
)
def test_ap_01_ap_03_and_ap_10_brackets(mission, roll, brackets):
    inputs, result = roll
    assert after(mission, missions.note_accuracy(mission, inputs, result, 2, HEXES)).brackets == brackets


def test_a_new_cff_knows_its_turn_and_a_plot_is_an_ffe_that_all_see():
    cff = after(
        battery(), missions.note_accuracy(battery(), *accuracy("new_cff", lies="K9", danger_close=True), 2, HEXES)
    )
    assert (cff.marker, cff.hex, cff.placed, cff.danger_close, cff.used) == ("cff", "K9", 2, True, False)
    sealed = plot(known_to="russian")
    ffe = after(sealed, missions.note_accuracy(sealed, *accuracy("plot", lies="L8"), 2, HEXES))
    assert (ffe.marker, ffe.hex, ffe.used, ffe.known_to) == ("ffe", "L8", True, "")


@pytest.mark.parametrize(
    ("mission", "roll", "words"),
    [
        (battery(), accuracy("new_cff", lies="K9"), "CFF in K9"),
        (battery(), accuracy("new_cff", 2, "K7"), "CFF in K7, bracket in K7"),
        (battery(marker="ffe", hex="K5"), accuracy("ffe", 1, "K8"), "FFE in K8, brackets in K5 and K8"),
        (battery(marker="cff", hex="K5"), accuracy("cff", 2, ""), "CFF off the map, bracket in K5"),
        (
            battery(marker="cff", hex="K5", brackets=["A5", "B5"]),
            accuracy("cff", 1, "K8"),
            "CFF in K8, brackets in B5 and K8 (A5 is taken up)",
        ),
        (battery(marker="cff", hex="K9", brackets=["A5"]), accuracy("cff", lies="K9"), "CFF in K9"),
        (plot(), accuracy("plot", lies="L8"), "FFE in L8"),
        (
            plot(),
            ({"marker": "plot"}, Result("", AccuracyOutcome.ON_TARGET, details={"distance": 0})),
            "FFE on the map",
        ),
    ],
)
def test_a_note_says_where_the_marker_lies(mission, roll, words):
    assert missions.note_accuracy(mission, *roll, 2, HEXES).words == words


def test_what_was_noted_of_an_earlier_marker_is_not_true_of_a_fresh_one():
    old = battery(smoke=True, fire_2=True, brackets=["A5"])
    fresh = after(old, missions.note_accuracy(old, *accuracy("new_cff", lies="K9"), 2, HEXES))
    assert (fresh.smoke, fresh.fire_2, fresh.brackets) == (False, False, ())
    smoke = after(old, missions.note_accuracy(old, *accuracy("new_cff", lies="K9", smoke=True), 2, HEXES))
    bombs = battery(kind="bombardment", brackets=["A5"])
    assert (
        smoke.smoke and after(bombs, missions.note_accuracy(bombs, *accuracy("bombardment"), 2, HEXES)).brackets == ()
    )


def test_a_counter_has_its_caliber_and_on_the_map_its_marker():
    assert missions.sign_of(battery(marker="cff")) == ("105", "CFF")
    assert missions.sign_of(battery()) == ("", "105")
    assert missions.sign_of(battery(caliber=None, marker="ffe")) == ("", "FFE")
    assert missions.sign_of(battery(caliber=None)) == ("", "?")


def test_batteries_of_one_caliber_are_told_apart():
    rows = {"german-1": 105, "german-2": 81, "german-3": 105, "russian-1": 105}
    batteries = [Mission.read(id, {"side": id.partition("-")[0], "caliber": caliber}) for id, caliber in rows.items()]
    assert list(missions.call_apart(batteries).values()) == ["105 mm #1", "81 mm", "105 mm #3", "105 mm"]
    assert missions.call_apart(batteries[:1]) == {"german-1": "105 mm"}


def test_a_card_says_what_is_known_of_its_mission():
    cff = battery(marker="cff", hex="K7", placed=2, smoke=True, danger_close=True, brackets=["K5"], supply="low")
    assert missions.call_mission(cff) == "105 mm"
    assert missions.call_mission(battery(name="A2 105 mm battery")) == "A2 105 mm"
    assert missions.describe_mission(cff) == ("CFF K7", "smoke", "brackets K5", "ammunition supply low")
    assert missions.describe_mission(battery(marker="ffe", fire_2=True, used=True)) == ("FFE", "Fire 2")
    # It calls again in this firefight, and is used up in a later one of a campaign (20.8.2).
    assert missions.describe_mission(battery(used=True)) == ("has placed an FFE",)
    assert missions.describe_mission(battery(plotted=True, used=True)) == ("plotted", "used up")
    assert missions.describe_mission(battery(device="phone")) == ("by phone",)
    assert missions.describe_mission(battery(lost=True, registered=["K7"])) == ("registered K7", "lost")
    assert missions.describe_mission(plot(known_to="russian")) == ("plot K7 or L8, turn 2",)
    assert missions.describe_mission(plot()) == ()  # what has fallen needs no other hex
    assert missions.describe_mission(battery(plotted=True)) == ("plotted",)
    assert [missions.correction_words(battery(marker=marker)) for marker in ("ffe", "cff")] == [
        "at most 4 hexes",
        "any distance",
    ]


@pytest.mark.parametrize(
    ("marker", "correction", "stray", "becomes", "is_fire_2"),
    [("cff", 2, 1, "ffe", False), ("cff", 3, 2, "cff", False), ("ffe", 3, 2, "ffe", True), ("ffe", 0, 0, "ffe", False)],
)
def test_a_conversion_places_the_ffe_and_uses_the_battery_up(marker, correction, stray, becomes, is_fire_2):
    mission = battery(marker=marker, hex="K7", placed=1, fire_2=marker == "ffe")
    inputs = {"marker": artillery.Marker(marker), "correction": correction, "stray": stray}
    note = missions.note_conversion(mission, inputs, conversion.conversion(charts=BOOK, **inputs), 2)
    converted = after(mission, note) if note else mission
    assert (converted.marker, converted.fire_2) == (becomes, is_fire_2)
    assert converted.used == (becomes == "ffe") and converted.called == (2 if becomes == "ffe" else 0)
    own = ", in its own hex only" if is_fire_2 else ""
    assert not note or note.words == f"FFE in K7{own}"


def test_a_11_a_plot_that_was_called_off_is_used():
    off = after(plot(marker="ffe", hex="K7"), missions.note_call_off(plot(), contact(CallOffOutcome.CALLED_OFF), 2))
    assert off.used and not off.marker
    assert missions.note_call_off(plot(), contact(CallOffOutcome.CONTINUES), 2) is None


# Phases


@pytest.mark.parametrize(
    ("parts", "gets"),
    [
        ({"marker": "ffe", "called": 2}, True),
        ({"marker": "ffe", "called": 1}, False),
        ({"marker": "ffe", "called": 2, "fire_2": True}, False),
        ({"marker": "cff", "called": 2}, False),
        ({"marker": "ffe", "called": 2, "kind": "bombardment"}, False),
    ],
)
def test_17_3_6_an_ffe_that_was_used_gets_fire_2(parts, gets):
    assert bool(missions.mark_fire_2(battery(**parts), 2)) is gets


def test_plotted_fire_and_bombardments_go_when_the_turn_ends_and_nothing_else():
    assert missions.conclude_turn(plot(marker="ffe", hex="K7")).words == "its FFE comes off K7"
    assert missions.conclude_turn(battery(kind="bombardment", marker="ffe"))
    assert missions.conclude_turn(battery(marker="ffe")) is None and missions.conclude_turn(plot()) is None


def test_17_3_6_fire_2_acts_in_its_own_hex_until_it_is_called_again():
    assert missions.fill_firepower(battery(marker="ffe", hex="K7", called=1), 2)["fire_2"]
    assert not missions.fill_firepower(battery(marker="ffe", hex="K7", called=2), 2)["fire_2"]
    assert not missions.fill_firepower(plot(marker="ffe", hex="K7"), 2)["fire_2"]


# Aircraft


def flight(id="german-flight1", **parts):
    return flights.Flight.read(id, {"side": "german", "planes": 2, **parts})


@pytest.mark.parametrize(
    ("parts", "other", "reason"),
    [
        ({}, {}, ""),
        ({"since": 2}, {}, "has rolled in turn 2 already"),
        ({"left": True}, {}, "has left for good"),
        ({}, {"here": True}, "One group of aircraft a turn"),
        ({}, {"left": True, "since": 2}, "One group of aircraft a turn"),
        ({}, {"left": True, "since": 1}, ""),
        ({}, {"here": True, "side": "russian"}, ""),
    ],
)
def test_as_02_and_as_03_when_a_group_rolls(parts, other, reason):
    objections = flights.list_roll_objections(flight(**parts), [flight(**parts), flight("german-flight2", **other)], 2)
    assert reason in " ".join(objections) and bool(objections) == bool(reason)


@pytest.mark.parametrize(
    ("parts", "weapon", "reasons"),
    [
        ({"here": True, "since": 2}, "both", 0),
        ({}, "he", 1),
        ({"here": True, "since": 1}, "he", 1),
        ({"here": True, "since": 2, "he": 2}, "he", 1),
        ({"here": True, "since": 2, "he": 2}, "mg", 0),
        ({"here": True, "since": 2, "he": 2, "mg": 2}, "both", 2),
    ],
)
def test_as_05_what_a_group_may_attack_with(parts, weapon, reasons):
    assert len(flights.list_attack_objections(flight(**parts), AirWeapon(weapon), 2)) == reasons


def test_17_6_3_one_aircraft_attacks_with_what_it_has_itself():
    both = flight(here=True, since=2, he=1, mg=1)  # of two planes one has dropped its HE, the other has fired its MG
    assert flights.list_attack_objections(both, AirWeapon.BOTH, 2) == []
    (reason,) = flights.list_attack_objections(both, AirWeapon.BOTH, 2, is_one_ready=False)
    assert "attack with one weapon" in reason


def test_a_group_that_is_shot_down_by_a_c_attacks_first():
    hit = flights.note_fire_at(flight(here=True), Result("", AntiAircraftOutcome.DESTROYED_AFTER), 2)[0]
    assert hit == {"doomed": 1}
    parts, words = flights.note_air_attack(flight(here=True, doomed=1), AirWeapon.HE, 2)
    assert (parts["planes"], parts["doomed"], parts["he"]) == (1, 0, 0)
    assert "shot down after its attack, 1 left" in words
    flight_parts, _ = flights.drop_doomed(flight(planes=1, here=True, doomed=1), 2)
    assert (flight_parts["planes"], flight_parts["here"], flight_parts["left"]) == (0, False, True)


@pytest.mark.parametrize(
    ("outcome", "arrived", "left"),
    [("ARRIVES", True, None), ("STAYS", None, None), ("LEAVES", False, True), ("NOT_YET", None, None)],
)
def test_a_roll_to_arrive_or_stay_is_noted_with_its_turn(outcome, arrived, left):
    parts, _ = flights.note_arrival(Result("", ArrivalOutcome[outcome]), 3)
    assert (parts["since"], parts.get("here"), parts.get("left")) == (3, arrived, left)


@pytest.mark.parametrize(
    ("parts", "number", "expected"),
    [
        ({"planes": 3, "he": 2, "mg": 3}, 1, {"planes": 2, "doomed": 0, "he": 2, "mg": 2}),
        ({"planes": 3, "he": 3}, 2, {"planes": 1, "doomed": 0, "he": 1, "mg": 0}),
        (
            {"planes": 1, "he": 1, "here": True},
            1,
            {"planes": 0, "doomed": 0, "he": 0, "mg": 0, "here": False, "left": True, "since": 4},
        ),
    ],
)
def test_fewer_aircraft_have_used_no_more_weapons_than_there_are(parts, number, expected):
    assert flights.lose_planes(flights.Flight.read("german-flight1", parts), number, 4) == expected


# A mission as players speak of it, and what a hand may set


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"side": "german", "caliber": 105}, "105 mm battery, German"),
        ({"side": "russian", "kind": "bombardment"}, "bombardment, Russian"),
        ({"name": "Anton", "side": "german"}, "Anton, German"),
        ({"side": "german", "plotted": True}, "battery, German, plotted"),
        ({"side": "german", "plot": ["K7", "L8"], "plot_turn": 2}, "battery, German, plotted on K7 and L8 for turn 2"),
        ({"side": "german", "plot": ["K7"], "plot_turn": 0}, "battery, German, plotted on K7"),
    ],
)
def test_a_new_mission_is_told_as_players_speak_of_it(parts, words):
    assert missions.tell_mission(missions.MISSION_ROWS.complete(parts)) == words


@pytest.mark.parametrize(
    ("hexes", "turn", "reasons"),
    [
        (["K7", "L8"], 2, []),
        (["K7", "K7"], 2, ["A plot has two different hexes (17.4.8)."]),
        (["K7"], 2, ["A plot has two different hexes (17.4.8)."]),
        (["K7", "L8"], 0, ["A plot is for one turn: say which (17.4.8)."]),
    ],
)
def test_17_4_8_a_plot_has_two_hexes_and_one_turn(hexes, turn, reasons):
    assert missions.against_writing(hexes, turn) == reasons


@pytest.mark.parametrize(
    ("row", "is_refused"),
    [
        ({"marker": "ffe", "known_to": "german"}, True),
        ({"marker": "ffe", "known_to": ""}, False),
        ({"marker": "", "known_to": "german"}, False),
    ],
)
def test_a_marker_on_the_board_is_no_secret(row, is_refused):
    assert bool(missions.against_sealing(row)) is is_refused


@pytest.mark.parametrize(
    ("parts", "turn", "acts"),
    [
        ({"marker": "cff", "hex": "K7", "called": 3}, 3, True),
        ({"marker": "cff", "hex": "K7", "called": 2}, 3, False),  # 17.3.6: in the phase in which it was called
        ({"marker": "ffe", "hex": "K7", "called": 2}, 3, True),
        ({"marker": "ffe"}, 3, False),
        ({"hex": "K7"}, 3, False),
    ],
)
def test_17_3_6_who_comes_into_a_marker_is_attacked_while_it_acts(parts, turn, acts):
    assert missions.acts_now(battery(**parts), turn) is acts


# Sets


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"device": "radio", "side": "german", "hex": "K7"}, "radio, German, in K7"),
        ({"device": "phone", "side": "russian"}, "phone, Russian"),
        ({"device": "phone", "name": "Dora", "side": "german"}, "Dora, German"),
    ],
)
def test_a_new_set_is_told_as_players_speak_of_it(parts, words):
    assert sets.tell_set(sets.SET_ROWS.complete(parts)) == words


def test_a_set_is_found_by_its_id_or_by_what_its_own_side_calls_it():
    rows = {
        "german-1": {"side": "german", "device": "phone", "name": "Dora"},
        "russian-1": {"side": "russian", "device": "phone", "name": "Dora"},
    }
    named_sets = [sets.find_named_set(rows, called, "russian") for called in ("german-1", " dora ", "Emil")]
    assert [radio_set and radio_set.id for radio_set in named_sets] == ["german-1", "russian-1", None]


@pytest.mark.parametrize(
    ("outcome", "place", "note"),
    [
        (LossOutcome.DESTROYED, "K7", ({"lost": True}, "lost with its observer")),
        (LossOutcome.LEFT, "K7", ({"hex": "K7"}, "left in K7")),
        (LossOutcome.LEFT, "", ({}, "left in the hex")),
    ],
)
def test_17_2_4_a_set_is_lost_with_its_observer_or_lies_where_they_fell(outcome, place, note):
    phone = sets.Set.read("german-1", {"side": "german", "device": "phone", "name": "Dora"})
    assert sets.note_loss(Result("", outcome), place) == note
    assert sets.against_loss(phone) == []
    lost = sets.Set.read("german-1", {"side": "german", "device": "phone", "name": "Dora", "lost": True})
    assert sets.against_loss(lost) == ["Dora is lost already (17.2.4)."]
