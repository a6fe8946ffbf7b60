"""The shipped book: every constraint of the text on every value, and what the reader catches in other books."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules import leaders, orders, redeployment, upkeep
from firefight.columns import LoggedResult
from firefight.engine.charts.book import read_book
from firefight.engine.charts.kinds import Grid
from firefight.engine.errors import RuleError
from firefight.games.combat_stalingrad.rules import (
    accuracy,
    air,
    artillery,
    barrage,
    close_combat,
    contact,
    fire,
    morale,
    observers,
)
from firefight.games.combat_stalingrad.rules.charts import FFT_RESULTS, SPECS
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE, altered_data, banded, grid, house_data, problems_of

CHARTS = house_data()["charts"]


def values(chart):
    return CHARTS[chart]["values"]


def choices():
    return {item["key"]: item for item in CHARTS["fft_modifiers"]["items"]}


def test_the_house_book_has_no_problem_and_every_chart_of_the_game():
    assert problems_of(house_data()) == []
    assert set(HOUSE.charts) == {spec.name for spec in SPECS} == set(CHARTS)


def test_every_chart_has_a_title_and_names_the_rule_that_it_serves():
    for name, chart in CHARTS.items():
        assert len(chart["title"]) > 3, name
        assert chart["rule"][0].isdigit() or chart["rule"].startswith("errata"), name
        assert len(chart["title"]) <= 80, name
        assert len(chart["rule"]) <= 80, name


# What the text gives, typed here once more from the text.

TEXT_VALUES = {
    "contact": {"radio": 65, "phone": 75, "plotted": 75},  # 17.3.1
    "artillery_drm": {
        "aerial_observer": -5,  # 17.2.7
        "danger_close": 10,  # 17.3.8
        "range_step": 5,  # 17.3.4.1
        "bracketed": -20,  # 17.3.4.2
        "registered": -20,  # 17.3.4.1
    },
    "ffe_shares": {"45": 50, "65": 75, "85": 100},  # 17.4.3
    "fft_weapons": {"flamethrower": 100, "demo_charge": 100, "mines": "", "molotov": ""},  # errata 1
    "cct_drm": {  # 19.3.3, 19.3.5
        "leader": -5,
        "demo_charge": -10,
        "flamethrower": -10,
        "m_killed": -10,
        "from_cover": -10,
    },
    "redeployment_drm": {  # 20.12.1; the sign of the last by ruling A-31
        "impaired": 1,
        "threatened": 2,
        "in_sewer": 2,
        "friendly": -1,
        "neutral": 0,
    },
    "attack_bonus": {"bonus": 2},  # 20.5.4
}

TEXT_BANDS = {
    "call_off": 3 * ["called_off"] + 7 * ["continues"],  # 17.4.8.1.1
    "fo_loss": 6 * ["left"] + 4 * ["destroyed"],  # 17.2.4
    "dshk": list("8777777766554433"),  # errata 2
    "mg34": list("44444444"),  # 23.2
    "redeployment_infantry": 7 * ["redeploys"]  # 20.12.1
    + ["redeploys_casualties", "remains_casualties", "eliminated"],
    "redeployment_vehicle": 7 * ["redeploys"] + ["remains", "wreck", "wreck"],  # 20.12.1
    "recovery_m_killed": 3 * ["repaired"] + 2 * ["wrecked"] + 5 * ["unchanged"],  # 20.7.1 step 4
    "recovery_f_killed": 3 * ["repaired"] + 7 * ["unchanged"],  # 20.7.1 step 5
    "recovery_wounded_leader": 3 * ["eliminated"] + 2 * ["healed"] + 5 * ["unchanged"],  # 20.7.1 step 7
    "leaders": 5 * ["nco"] + ["nco_officer"] + 2 * ["officer"] + 2 * ["none"],  # 20.9.1
    "leaders_russian_six": 6 * ["nco_officer"] + 4 * ["nco_commissar"],  # 20.9.1
}

TEXT_FFT_MODIFIERS = {
    "building_ground": 25,  # 17.4.5, example
    "rooftop": 0,  # 17.4.5, example
    "running": -20,  # 17.4.5, example
    "smoke": 10,  # 17.4.7
    "airburst": -10,  # 17.4.4
    "burning_wreck": 10,  # errata 10
    "flamethrower": -10,  # errata 1
}

HOUSE_CHARTS = {
    "map",
    "ammunition_supply",
    "accuracy",
    "direction",
    "artillery_ff",
    "fft",
    "fft_modifiers",
    "cct",
    "cct_afv_in_open",
    "air_support",
    "aircraft",
    "gaz_aa",
}


def test_a_chart_is_marked_text_exactly_where_the_text_gives_its_values():
    marked = {name for name, chart in CHARTS.items() if chart["provenance"] == "text"}
    assert marked == {*TEXT_VALUES, *TEXT_BANDS, "morale"}
    assert {name for name, chart in CHARTS.items() if chart["provenance"] == "house"} == HOUSE_CHARTS


@pytest.mark.parametrize("chart", TEXT_VALUES)
def test_values_marked_text_are_those_of_the_text(chart):
    assert values(chart) == TEXT_VALUES[chart]


@pytest.mark.parametrize("chart", TEXT_BANDS)
def test_bands_marked_text_are_those_of_the_text_on_every_face(chart):
    assert banded(chart) == dict(enumerate(TEXT_BANDS[chart], start=1))
    assert CHARTS[chart]["sides"] == len(TEXT_BANDS[chart])


def older_data():
    """The book as it was before mines and Molotovs had cells."""
    values = {"flamethrower": 100, "demo_charge": 100}
    data = altered_data("fft_weapons", values=values, title="FFT columns of flamethrowers and demo charges")
    del data["charts"]["fft_weapons"]["house"]
    return data


def test_a_book_from_before_mines_and_molotovs_is_still_whole_and_lacks_but_their_cells():
    book, problems = read_book(older_data(), SPECS)
    assert problems == []
    chart = book["fft_weapons"]
    assert chart.values == {"flamethrower": 100, "demo_charge": 100, "mines": None, "molotov": None}
    assert chart.origins == {"flamethrower": "text", "demo_charge": "text", "mines": "house", "molotov": "house"}
    assert chart.provenance == HOUSE["fft_weapons"].provenance == "text"  # a blank cell is nobody's value


def test_no_column_of_mines_and_molotovs_is_claimed_for_the_text():
    assert HOUSE["fft_weapons"].origins["mines"] == HOUSE["fft_weapons"].origins["molotov"] == "house"
    assert HOUSE["fft_weapons"].values["mines"] is HOUSE["fft_weapons"].values["molotov"] is None


def test_the_morale_matrix_is_that_of_the_text():
    assert CHARTS["morale"]["grid"].split() == [
        *("over", "good_order", "pinned", "disrupted", "wia"),
        *("1-2", "pinned", "disrupted", "wia", "casualties"),
        *("3+", "disrupted", "wia", "casualties", "eliminated"),
    ]


def test_fft_modifiers_are_marked_text_exactly_where_the_text_gives_them():
    assert {key: item["value"] for key, item in choices().items() if item.get("provenance") == "text"} == (
        TEXT_FFT_MODIFIERS
    )
    modifiers = HOUSE["fft_modifiers"].items
    assert {key for key, choice in modifiers.items() if choice.provenance == "house"} == set(choices()) - set(
        TEXT_FFT_MODIFIERS
    )


def test_every_text_modifier_cites_the_rule_that_gives_it():
    for key in TEXT_FFT_MODIFIERS:
        assert choices()[key]["rule"].split()[0] in {"17.4.4", "17.4.5", "17.4.7", "errata"}


# Constraints on what the text lacks.


def test_50_mm_is_column_10_and_80_mm_gives_15_ff_next_door():
    guns = values("artillery_ff")
    assert guns["50"] == 10
    assert guns["80"] in (19, 20)
    assert -(-guns["80"] * 3 // 4) == 15


def test_the_artillery_table_has_the_rows_that_the_text_names():
    assert {"70", "80"} <= set(values("artillery_ff"))
    assert "75" not in values("artillery_ff")


def test_a_bigger_caliber_never_has_less_firepower():
    rows = sorted((int(row), ff) for row, ff in values("artillery_ff").items())
    assert all(less <= more for (_, less), (_, more) in pairwise(rows))


def test_the_fft_has_columns_10_and_100_and_rises_to_the_right():
    columns = [int(column) for column in grid("fft")]
    assert {10, 100} <= set(columns)
    assert columns == sorted(set(columns))
    assert columns[0] == 1


def test_15_ff_is_usable_on_the_fft():
    assert fire.fire(charts=HOUSE, ff=15).details["column"] == 15


def test_fft_rows_are_known_results_from_the_most_severe_down():
    rows = list(grid("fft")["10"])
    assert rows == [row for row in FFT_RESULTS if row in rows]
    assert {"M", "E", "2E", "C", "C/M"} <= set(rows)


def test_fft_cells_never_fall_down_a_column_or_along_a_row():
    table = grid("fft")
    for cells in table.values():
        assert list(cells.values()) == sorted(cells.values())
    for left, right in pairwise(table.values()):
        assert all(left[row] <= right[row] for row in left)
    assert all(0 <= cell <= 100 for cells in table.values() for cell in cells.values())


def test_every_fft_column_has_a_highest_check_for_the_units_left_after_e():
    for column in grid("fft"):
        assert fire.check_called(HOUSE["fft"], column, fire.FireOutcome.E) is not None


def test_the_cct_has_the_columns_that_are_ever_rolled_and_only_e_and_c():
    assert list(grid("cct")) == ["1-3", "1-2", "1-1", "2-1", "3-1"]
    assert all(list(cells) == ["E", "C"] for cells in grid("cct").values())


def test_better_odds_never_have_a_lower_cell_on_the_cct():
    for left, right in pairwise(grid("cct").values()):
        assert left["E"] <= right["E"]
        assert left["C"] <= right["C"]
    assert all(0 < cells["E"] < cells["C"] < 100 for cells in grid("cct").values())


def test_a_lower_accuracy_roll_never_strays_further():
    strays = [int(stray) for _, stray in sorted(banded("accuracy").items())]
    assert len(strays) == 100
    assert strays == sorted(strays)
    assert strays[0] == 0


def test_strays_larger_than_a_usual_correction_occur_or_the_cap_would_be_pointless():
    assert max(int(stray) for stray in banded("accuracy").values()) > 4


def test_each_of_the_six_directions_is_equally_likely():
    faces = list(banded("direction").values())
    assert {faces.count(str(direction)) for direction in range(1, 7)} == {1}
    assert faces.count("again") == 4


def test_a_high_ammunition_supply_rate_helps_and_a_low_one_hurts():
    rates = values("ammunition_supply")
    assert rates["high"] < rates["normal"] == 0 < rates["low"]


def test_air_results_get_worse_with_the_roll_and_hold_a_defender_choice_with_a_range():
    order = ["on_target", "scatter", "defender_choice"]
    results = [text.split() for _, text in sorted(banded("air_support").items())]
    ranks = [(order.index(word), int(hexes[0]) if hexes else 0) for word, *hexes in results]
    assert ranks == sorted(ranks)
    assert ("defender_choice" in {word for word, *_ in results}) and ranks[0] == (0, 0)


def test_both_aircraft_have_bombs_an_mg_and_a_tq():
    planes = values("aircraft")
    assert {key for key, value in planes.items() if value > 0} == {
        f"{plane}_{part}" for plane in ("ju87", "po2") for part in ("he", "mg", "tq")
    }
    assert all(1 <= planes[f"{plane}_tq"] <= 10 for plane in ("ju87", "po2"))


def test_anti_aircraft_firepower_never_rises_with_the_range():
    for weapon in ("dshk", "mg34", "gaz_aa"):
        by_range = [int(ff) for _, ff in sorted(banded(weapon).items())]
        assert by_range == sorted(by_range, reverse=True)


def test_the_map_has_columns_a_to_y_and_numbers_from_4():
    board = CHARTS["map"]
    assert (board["first_column"], board["last_column"], board["first_number"]) == ("A", "Y", 4)
    assert board["last_number"] >= 22


def test_cover_protects_and_open_movement_does_not():
    drm = {key: item["value"] for key, item in choices().items()}
    cover = {"upper_level", "cellar", "woods", "debris", "rubble", "gully", "trench", "dug_in", "hexside"}
    assert all(drm[key] > 0 for key in cover | {"building_ground", "smoke", "burning_wreck", "crawling"})
    assert all(drm[key] < 0 for key in ("running", "airburst", "flamethrower"))


# What the reader catches in somebody else's book.


def morale_grid(
    head="good_order pinned disrupted wia",
    first="pinned disrupted wia casualties",
    second="disrupted wia casualties eliminated",
):
    """A morale matrix with one of its lines changed, or without the last."""
    lines = [f"over {head}", f"1-2 {first}"] + ([f"3+ {second}"] if second else [])
    return {"grid": "\n".join(lines)}


def test_the_plain_morale_matrix_has_no_problem():
    assert problems_of(altered_data("morale", **morale_grid())) == []


@pytest.mark.parametrize(
    ("chart", "changes", "expected"),
    [
        (
            "artillery_ff",
            {"values": {"50": 9, "70": 17, "80": 20}},
            "artillery_ff [50]: the rulebook's text asks for 10",
        ),
        ("artillery_ff", {"values": {"50": 10, "70": 17, "80": 18}}, "[80]: the rulebook's text asks for 19 or 20"),
        ("artillery_ff", {"values": {"50": 10, "70": 9, "80": 20}}, "[70]: has less firepower than 50 mm"),
        ("artillery_ff", {"values": {"50": 10, "70": 17}}, "artillery_ff [80]: is missing"),
        ("artillery_ff", {"values": {"50": 10, "80": 20}}, "artillery_ff [70]: is missing"),
        ("artillery_ff", {"values": {"70": 10, "80": 20}}, "artillery_ff [50]: is missing"),
        ("contact", {"values": {"radio": 65, "phone": 75}}, "contact [plotted]: is missing"),
        ("fft", {"grid": "FF 1 100\nE 1 2"}, "fft [10]: the rulebook's text names this column"),
        ("fft", {"grid": "FF 10 50\nE 1 2"}, "fft [100]: the rulebook's text names this column"),
        ("fft", {"grid": "FF 100 10\nE 1 2"}, "fft [10]: columns should rise from left to right"),
        ("fft", {"grid": "FF 10 100 FT\nE 1 2 2"}, "fft [FT]: columns should be firepower factors in whole numbers"),
        ("fft", {"grid": "FF ² 10 100\nE 1 1 1"}, "fft [²]: columns should be firepower factors in whole numbers"),
        ("fft", {"grid": "FF 10 100\nM 1 2\nE 2 2"}, "fft [E]: rows should stand in this order: 2E, E, C/M, C, M+6"),
        ("fft", {"grid": "FF 10 100\nE 2 2\nBANG 3 3"}, "fft [BANG]: is not a result of this chart"),
        ("fft", {"grid": "FF 10 100\nE 2 2\nE2 3 3"}, "fft [E2]: is not a result of this chart"),
        ("cct", {"grid": "odds 1-2 1-1 2-1\nE 1 2 3\nC 4 5 6"}, "cct: columns should be 1-3, 1-2, 1-1, 2-1, 3-1"),
        ("cct", {"grid": "odds 1-3 1-2 1-1 2-1 3-1\nC 1 2 3 4 5\nE 6 7 8 9 10"}, "cct: rows should be E, then C"),
        (
            "cct",
            {"grid": "odds 1-3 1-2 1-1 2-1 3-1\nE 1 2 3 2 5\nC 6 7 8 9 10"},
            "cct [E, 2-1]: is milder than column 1-1",
        ),
        ("accuracy", {"bands": [["1-50", "2"], ["51-100", "1"]]}, "accuracy [51-100]: strays less than a lower roll"),
        ("accuracy", {"bands": [["1-50", "near"], ["51-100", "1"]]}, "[1-50]: should be a number of hexes, 0 to 20"),
        ("accuracy", {"bands": [["1-50", "0"], ["51-100", "21"]]}, "[51-100]: should be a number of hexes, 0 to 20"),
        ("accuracy", {"bands": [["1-100", "²"]]}, "accuracy [1-100]: should be a number of hexes, 0 to 20"),
        (
            "direction",
            {"bands": [["1-9", "again"], ["10", "7"]]},
            "direction [10]: should be a direction 1 to 6, or again",
        ),
        ("direction", {"bands": [["1-10", "again"]]}, "direction: no face gives a direction"),
        ("air_support", {"bands": [["1-100", "scatter"]]}, "air_support [1-100]: should be on_target, scatter N"),
        ("air_support", {"bands": [["1-100", "scatter ²"]]}, "air_support [1-100]: should be on_target, scatter N"),
        ("air_support", {"bands": [["1-100", "on_target 2"]]}, "air_support [1-100]: should be on_target, scatter N"),
        ("air_support", {"bands": [["1-100", "on_target now"]]}, "air_support [1-100]: should be on_target, scatter N"),
        ("air_support", {"bands": [["1-100", "crash 2"]]}, "air_support [1-100]: should be on_target, scatter N"),
        ("dshk", {"bands": [["1-16", "lots"]]}, "dshk [1-16]: should be firepower factors in a whole number"),
        ("mg34", {"bands": [["1-8", "-4"]]}, "mg34 [1-8]: should be firepower factors in a whole number"),
        ("gaz_aa", {"bands": [["1-16", "²"]]}, "gaz_aa [1-16]: should be firepower factors in a whole number"),
        ("fo_loss", {"sides": 6, "bands": [["1-3", "left"], ["4-6", "destroyed"]]}, "fo_loss [sides]: should be 10"),
        ("accuracy", {"sides": 10, "bands": [["1-10", "0"]]}, "accuracy [sides]: should be 100"),
        ("leaders", {"bands": [["1-10", "sergeant"]]}, "leaders [1-10]: “sergeant” is not a result of this chart"),
        ("fft_modifiers", {"items": [{"key": "smoke", "value": 10}]}, "fft_modifiers [airburst]: is missing"),
        ("morale", morale_grid(head="fine pinned disrupted wia"), "morale: columns should be good_order"),
        ("morale", morale_grid(second=None), "morale: rows should be 1-2, then 3+"),
        (
            "morale",
            morale_grid(first="calm disrupted wia casualties"),
            "morale [1-2, good_order]: “calm” is not a result",
        ),
        ("morale", morale_grid(first="pinned pinned wia casualties"), "morale [1-2, pinned]: is no worse than pinned"),
        ("morale", morale_grid(first="wia disrupted wia casualties"), "morale [3+, good_order]: is milder than 1-2"),
    ],
)
def test_a_book_that_breaks_the_text_or_the_games_sense_is_told_where(chart, changes, expected):
    problems = problems_of(altered_data(chart, **changes))
    assert any(expected in problem for problem in problems), problems
    assert all(problem.startswith(chart) for problem in problems)


@pytest.mark.parametrize("caliber", ["50", "70", "80"])
def test_a_blank_caliber_is_no_problem_until_it_is_needed(caliber):
    assert problems_of(altered_data("artillery_ff", values={**values("artillery_ff"), caliber: ""})) == []


def test_a_stray_may_be_20_hexes_and_two_bands_alike():
    assert problems_of(altered_data("accuracy", bands=[["1-50", "20"], ["51-100", "20"]])) == []


def test_a_badly_failed_check_may_be_no_worse_than_a_failed_one():
    lines = morale_grid(second="pinned disrupted wia casualties")
    assert problems_of(altered_data("morale", **lines)) == []


def test_two_calibers_may_have_the_same_firepower():
    assert problems_of(altered_data("artillery_ff", values={"50": 10, "70": 19, "80": 19})) == []


def test_another_book_may_well_differ_where_the_text_is_silent():
    changed = altered_data("accuracy", provenance="owner", bands=[["1-20", "0"], ["21-100", "3"]])
    changed["charts"]["fft"] |= {"grid": "FF 1 10 100\nE 1 2 3\nM 5 50 99", "provenance": "owner"}
    changed["charts"]["dshk"] |= {"sides": 2, "bands": [["1", "8"], ["2", "0"]]}
    assert problems_of(changed) == []


SQUADS = (Unit(Kind.SQUAD, "A", 7), Unit(Kind.LEADER, "B", 8, State.WIA), Unit(Kind.SQUAD, "C", 6, State.PINNED))


def every_roll(book):
    """The results of every rule with each face of its first die, and further dice as they are asked for."""
    calls = [
        (contact.contact, {"device": artillery.Device.RADIO, "supply": "high"}, 100),
        (accuracy.accuracy, {"marker": artillery.Marker.CFF, "correction": 5, "aim": "K7"}, 100),
        (contact.call_off, {}, 100),
        (fire.fire, {"ff": 12, "modifiers": ["woods"], "artillery": True, "units": SQUADS}, 100),
        (fire.fire, {"weapon": fire.Weapon.FLAMETHROWER}, 100),
        (fire.fire, {"weapon": fire.Weapon.CALIBER, "caliber": 75}, 100),
        (air.air_attack, {"hex": "K7", "weapon": air.AirWeapon.BOTH, "units": SQUADS}, 100),
        (air.anti_aircraft, {"weapon": air.AntiAircraftWeapon.DSHK, "range": 4}, 100),
        (air.anti_aircraft, {"weapon": air.AntiAircraftWeapon.GAZ_AA, "range": 1}, 100),
        (close_combat.close_combat, {"attack": [Unit(ccv=9)], "defense": [Unit(ccv=5)], "leader": True}, 100),
        (observers.fo_loss, {}, 10),
        (leaders.leader, {"side": Side.RUSSIAN}, 10),
        *((upkeep.recovery, {"what": damage}, 10) for damage in upkeep.Damage),
        *((redeployment.redeployment, {"unit": unit}, 10) for unit in redeployment.MoverColumn),
        *(
            (morale.morale, {"tq": 4, "state": state, "unit": kind}, 10)
            for state in State
            for kind in Kind
            if kind is not Kind.VEHICLE or state is State.GOOD_ORDER
        ),
    ]
    for rule, inputs, sides in calls:
        for face in range(1, sides + 1):
            dice = {"die": face}
            for further in (1, 6, 10):
                result = rule(charts=book, **inputs, **dice)
                yield result
                if not result.needs:
                    break
                dice[result.needs[0]] = further
    for marker in artillery.Marker:
        yield barrage.firepower(charts=book, caliber=82, marker=marker, distance=1, impact="K7", units=SQUADS)
    both = {"german": orders.Order.ATTACK, "russian": orders.Order.ATTACK, "german_bonus": True}
    yield orders.attack_or_hold(charts=book, **both, german_die=3, russian_die=3)


def test_every_result_of_the_house_book_is_plain_json_and_cites_its_rules():
    for result in every_roll(HOUSE):
        logged = json.loads(json.dumps(LoggedResult.of("", result, {}).to_json()))
        assert logged["headline"].endswith(".")
        assert all(modifier["name"] and modifier["rule"] for modifier in logged["modifiers"])
        if result.outcome is not None and not result.needs:
            assert logged["outcome"] == result.outcome.value
            assert logged["rules"]
            assert all(source["provenance"] in ("text", "house") for source in logged["provenance"])


words = st.sampled_from(["", "?", "0", "3", "-7", "²", "101", "on_target x", "pinned", "E", "1-3", "again", "lots"])


@settings(max_examples=80)
@given(st.data())
def test_a_book_that_reads_without_problems_never_breaks_a_roll_but_may_lack_a_cell(data):
    plain = house_data()
    name = data.draw(st.sampled_from(sorted(plain["charts"])))
    chart = plain["charts"][name]
    match chart["kind"]:
        case "numbers":
            chart["values"][data.draw(st.sampled_from([*chart["values"], "²", "20"]))] = data.draw(words)
        case "bands":
            place = data.draw(st.integers(0, len(chart["bands"]) - 1))
            chart["bands"][place][1] = data.draw(words)
        case "grid" | "matrix":
            rows = [line.split() for line in chart["grid"].strip().splitlines()]
            row = data.draw(st.sampled_from(rows))
            row[data.draw(st.integers(0, len(row) - 1))] = data.draw(words) or "?"
            chart["grid"] = "\n".join(" ".join(line) for line in rows)
        case "choices":
            data.draw(st.sampled_from(chart["items"]))["value"] = data.draw(words)
        case "map":
            chart[data.draw(st.sampled_from(["first_column", "last_number", "low_columns"]))] = data.draw(words)
    book, problems = read_book(plain, SPECS)
    if not problems:
        try:
            for result in every_roll(book):
                assert result.headline
        except RuleError as flaw:
            assert str(flaw)


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet="²0123456789- .?\nEMC", max_size=10) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


@given(st.sampled_from(SPECS), st.data())
def test_the_reader_never_raises_whatever_stands_in_a_chart(spec, data):
    key = data.draw(st.sampled_from(["values", "bands", "sides", "grid", "items", "first_number", "low_columns"]))
    book, problems = read_book(altered_data(spec.name, **{key: data.draw(plain_values)}), SPECS)
    assert spec.name in book.charts or problems


def test_no_grid_of_the_book_is_read_with_another_die():
    assert {chart.sides for chart in HOUSE.charts.values() if isinstance(chart, Grid)} == {100}
