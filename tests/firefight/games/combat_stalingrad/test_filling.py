"""What forms are filled with from counters, and what then comes of the roll."""

from dataclasses import replace

import pytest

from firefight.engine.board.counters import LackingValues
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules.counters import tell_value
from firefight.games.combat_stalingrad.rules.filling import explain_roll, fill_roll
from firefight.games.combat_stalingrad.rules.fired import note_firers
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.registry import helpers
from tests.books import HOUSE

from .gallery import COUNTERS
from .pieces import piece
from .test_firing import old_kind

ALL = [piece(side, key) for side in COUNTERS for key in COUNTERS[side]]


def filled(slug, firers=(), targets=(), **values):
    """The form of a roll, filled and sound."""
    helper = helpers(GAME)[slug]
    inputs = fill_roll(HOUSE, slug, firers, targets, values)
    form = helper.form.from_plain(inputs, book=HOUSE, chained=True)
    assert form.is_valid(), form.errors
    return form.inputs()


def refusal(slug, firers=(), targets=(), **values):
    """Why these counters do not fill a roll."""
    with pytest.raises(BadInput) as refused:
        fill_roll(HOUSE, slug, firers, targets, values)
    return str(refused.value)


def test_fire_knows_its_firepower_its_range_and_its_targets():
    firers = [
        piece("russian", "rifle_squad", "pinned", place="K7"),
        piece("russian", "maxim_m1910", place="K7", number=2),
    ]
    targets = [
        piece("german", "grenadier_squad", "reduced", place="K9", level="1"),
        piece("german", "nco", "wounded", "pinned", place="K9", number=2),
        piece("german", "heavy_mg_34", "disrupted", place="K9", number=3),
    ]
    inputs = filled("fire", firers, targets)
    assert (inputs["ff"], inputs["weapon"], inputs["state"]) == (2 + 6, "firepower", "good_order")
    defenders = [(unit.kind, unit.name, unit.tq, unit.state, unit.id) for unit in inputs["units"]]
    assert defenders == [
        ("half_squad", "Grenadier squad #1", 7, "good_order", "german-1"),
        ("wounded_leader", "NCO #2", 8, "pinned", "german-2"),
        ("sw_team", "Heavy MG 34 #3", 7, "disrupted", "german-3"),
    ]
    result = helpers(GAME)["fire"].resolve(HOUSE, inputs, {"die": 1})
    assert result.details["ff"] == 8


@pytest.mark.parametrize("slug", ["fire", "who-is-hit"])
def test_an_attack_on_two_hexes_is_not_made_as_one(slug):
    targets = [piece("german", "nco", place="K8"), piece("german", "grenadier_squad", place="L8", number=2)]
    firers = [piece("russian", "rifle_squad", place="K7")]
    assert refusal(slug, firers, targets) == (
        "NCO #1 is in K8, Grenadier squad #2 in L8: an attack is on one hex (18.1.3). "
        "Attack one hex after the other, or put right where they are."
    )
    with pytest.raises(BadInput):
        fill_roll(HOUSE, slug, [], targets, {})
    upstairs = [targets[0], piece("german", "grenadier_squad", place="K8", level="1", number=2)]
    assert len(filled(slug, firers, upstairs)["units"]) == 2


def test_firers_of_several_hexes_each_fire_at_their_own_range_which_the_form_says():
    firers = [piece("russian", "dshk_38", place="K7"), piece("russian", "dshk_38", place="K9", number=2)]
    target = piece("german", "nco", place="K10")
    inputs, account = explain_roll(HOUSE, "fire", firers, [target], {})
    assert (inputs["ff"], account.words) == (7 + 8, "DShK 38 #1: 7 FF at 3 hexes; DShK 38 #2: 8 FF at 1 hex")
    inputs, account = explain_roll(HOUSE, "fire", firers, [target], {"range": "2"})  # as players say
    assert (inputs["ff"], account.words) == (14, "DShK 38 #1: 7 FF; DShK 38 #2: 7 FF, at 2 hexes")
    unknown = explain_roll(HOUSE, "fire", [firers[0], piece("russian", "dshk_38", number=2)], [target], {})[1]
    assert [question.field for question in unknown.asked] == ["range"]


@pytest.mark.parametrize(
    ("start", "goal", "hexes"), [("K7", "K8", 1), ("K7", "K7", 1), ("K7", "L9", 2), ("A4", "A12", 8)]
)
def test_the_range_is_counted_from_hex_to_hex_and_a_hex_itself_is_point_blank(start, goal, hexes):
    firer, target = piece("russian", "dshk_38", place=start), piece("german", "nco", place=goal)
    expected = {1: 8, 2: 7, 8: 7}[hexes]
    assert filled("fire", [firer], [target])["ff"] == expected


def test_mines_in_the_hex_attack_with_their_own_column():
    mines = [piece("russian", "mine_factor", place="K7", number=number) for number in (1, 2)]
    target = piece("german", "grenadier_squad", place="K7")
    inputs, account = explain_roll(HOUSE, "fire", mines, [target], {})
    assert (inputs["weapon"], inputs["state"]) == ("mines", "good_order")
    assert account.words == "Mine factor #1: mines; Mine factor #2: mines" and account.asked == ()
    with_squad = refusal("fire", [*mines, piece("russian", "rifle_squad", place="K6", number=3)], [target])
    assert with_squad == "Rifle squad #3 does not fire with mines: they attack whoever is in their hex (18.1)."
    firing = {"weapon": inputs["weapon"], "firers": ["russian-1"]}
    assert not note_firers("fire", firing, []) and note_firers("fire", {**firing, "weapon": "firepower"}, [])
    elsewhere = refusal("fire", mines, [piece("german", "nco", place="K8")])
    assert elsewhere == "Mine factor #1 is in K7: mines attack whoever is in their hex (18.1)."


def test_a_range_that_is_told_counts_before_the_hexes():
    firer, target = piece("russian", "dshk_38", place="K7"), piece("german", "nco", place="K8")
    assert filled("fire", [firer], [target], range="15")["ff"] == 3
    assert refusal("fire", [firer], [target], range="far") == "Give the range in whole hexes."


def test_a_gun_below_the_smallest_caliber_of_the_chart_says_so():
    assert refusal("fire", [piece("german", "psw_222")], [], weapon="caliber") == (
        "Psw 222 #1: 20 mm is below the smallest caliber that has a column (40 mm)."
    )
    assert filled("fire", [piece("german", "psw_222")], [], weapon="firepower", range="3")["ff"] == 4


def test_targets_alone_fill_the_units_of_an_attack():
    assert fill_roll(HOUSE, "fire", [], [], {}) == {}
    inputs = fill_roll(HOUSE, "fire", [], [piece("german", "pz_iv_f1", "suppressed")], {})
    assert inputs == {
        "units": [{"kind": "vehicle", "name": "Pz IV F1 #1", "tq": 8, "state": "good_order", "id": "german-1"}]
    }


@pytest.mark.parametrize("slug", ["casualties", "morale"])
def test_a_roll_about_one_unit_takes_one(slug):
    inputs = filled(slug, [], [piece("russian", "rifle_squad", "wia")])
    assert (inputs["unit"], inputs["state"], inputs["tq"], inputs["id"]) == ("squad", "wia", 6, "russian-1")
    two = [piece("russian", "rifle_squad", number=n) for n in (1, 2)]
    assert refusal(slug, [], two) == "This roll is about one unit: choose it alone."
    assert refusal(slug, [], [piece("russian", "nest")]) == "Nest marker #1 is not a unit."


def test_a_missing_tq_is_asked_for():
    nco = replace(COUNTERS["russian"]["nco"], tq=None)
    with pytest.raises(LackingValues) as lacking:
        fill_roll(HOUSE, "morale", [], [piece("russian", "nco", kind=nco)], {})
    assert [value.field for value in lacking.value.asked] == ["value:russian:nco:tq"]


def test_close_combat_has_rows_with_ccv_and_the_ticks_that_counters_say():
    attackers = [
        piece("german", "pioneer_squad", "reduced"),
        piece("german", "flamethrower", number=2),
        piece("german", "nco", number=3),
        piece("german", "grenadier_squad", "disrupted", number=4, beside="german-9"),
    ]
    inputs = filled("close-combat", attackers, [piece("russian", "rifle_squad")])
    assert [(unit.ccv, unit.kind, unit.state, unit.rider) for unit in inputs["attack"]] == [
        (4, "half_squad", "good_order", False),
        (2, "sw_team", "good_order", False),
        (1, "leader", "good_order", False),
        (8, "squad", "disrupted", True),
    ]
    assert [unit.ccv for unit in inputs["defense"]] == [6]
    ticks = ("leader", "flamethrower", "demo_charge", "m_killed")
    assert [inputs[name] for name in ticks] == [True, True, False, False]
    assert inputs["target"] == "infantry"


@pytest.mark.parametrize(("second", "counts"), [(["m_killed"], True), ([], False)])
def test_of_several_afv_m_killed_counts_if_all_of_them_are(second, counts):
    """R-33: doubt favors the defender, here as in a declared Close Combat."""
    afv = [piece("russian", "t_70", "m_killed"), piece("russian", "t_70", *second, number=2)]
    leader = piece("russian", "nco", number=3)
    assert filled("close-combat", [piece("german", "grenadier_squad")], [*afv, leader])["m_killed"] is counts


def test_the_value_of_a_half_squad_is_asked_for_where_nobody_knows_it():
    """It had defended with nothing, and was eliminated without a roll."""
    kind = replace(COUNTERS["russian"]["rifle_squad"], half_ff=None)
    half = piece("russian", "rifle_squad", "reduced", kind=kind)
    with pytest.raises(LackingValues) as lacking:
        fill_roll(HOUSE, "close-combat", [piece("german", "grenadier_squad")], [half], {})
    [question] = lacking.value.asked
    assert (question.value, question.label) == ("half_ff", "Rifle squad: FF of the half-squad")
    answered = piece("russian", "rifle_squad", "reduced", kind=tell_value(kind, "half_ff", 2))
    [row] = filled("close-combat", [piece("german", "grenadier_squad")], [answered])["defense"]
    assert row.ccv == 3
    whole = piece("russian", "rifle_squad", kind=kind)
    assert filled("close-combat", [piece("german", "grenadier_squad")], [whole])["defense"][0].ccv == 6


def test_a_demo_charge_counts_1_against_an_m_killed_afv():
    attackers = [piece("german", "pioneer_squad"), piece("german", "demo_charge", number=2)]
    inputs = filled("close-combat", attackers, [piece("russian", "t_34_76_b", "m_killed")])
    assert [unit.ccv for unit in inputs["attack"]] == [9, 1]
    assert (inputs["target"], inputs["demo_charge"], inputs["m_killed"]) == ("afv", True, True)


@pytest.mark.parametrize("state", ["disrupted", "wia"])
def test_a_leader_who_cannot_gives_no_minus_5(state):
    def led(*leaders):
        return fill_roll(HOUSE, "close-combat", [piece("russian", "rifle_squad"), *leaders], [], {})["leader"]

    assert led(piece("russian", "officer", number=2))
    assert not led(piece("russian", "officer", state, number=2))
    assert not led(piece("russian", "commissar", number=2))
    assert not fill_roll(HOUSE, "close-combat", [piece("russian", "nco")], [], {})["leader"]


def test_an_air_attack_uses_what_the_aircraft_has_left():
    target = [piece("russian", "rifle_squad", place="K7")]
    inputs = filled("air-attack", [piece("german", "ju_87")], target)
    assert (inputs["aircraft"], inputs["weapon"], inputs["hex"]) == ("ju87", "he", "K7")
    assert filled("air-attack", [piece("german", "ju_87", "he_used")], target)["weapon"] == "mg"
    assert "has used its bombs" in refusal("air-attack", [piece("german", "ju_87", "he_used", "mg_used")], target)
    assert "One aircraft" in refusal("air-attack", [piece("german", "nco")], target)


def test_17_6_7_anti_aircraft_fire_is_one_units():
    guns, plane = [piece("russian", "dshk_38"), piece("russian", "dshk_38")], [piece("german", "ju_87", place="K7")]
    assert filled("anti-aircraft", [], plane)["aircraft"] == "ju87"
    assert "choose it alone" in refusal("anti-aircraft", guns, plane)


@pytest.mark.parametrize(
    ("firer", "expected"),
    [
        (piece("russian", "dshk_38", "pinned"), {"weapon": "dshk", "state": "pinned", "range": 3}),
        (piece("russian", "gaz_aa"), {"weapon": "gaz_aa", "state": "good_order", "range": 3}),
        (piece("german", "heavy_mg_34", "pinned"), {"weapon": "firepower", "ff": 3, "state": "good_order"}),
    ],
)
def test_anti_aircraft_fire_is_by_its_chart_or_by_factors(firer, expected):
    inputs = filled("anti-aircraft", [firer], [piece("russian", "po_2")], range="3")
    assert {name: inputs[name] for name in expected} == expected
    assert inputs["aircraft"] == "po2"


def test_a_57_firepower_takes_from_its_counters_only_those_whose_hex_nobody_knows():
    placed, unplaced = piece("german", "nco", place="K7", level="roof"), piece("german", "nco")
    assert fill_roll(HOUSE, "firepower", [], [placed], {}) == {}
    inputs = fill_roll(HOUSE, "firepower", [], [placed, unplaced], {})
    assert inputs == {"units": [{"kind": "leader", "name": "NCO #1", "tq": 8, "state": "good_order", "id": "german-1"}]}


@pytest.mark.parametrize("slug", ["contact", "accuracy", "conversion"])
def test_a_57_whoever_is_named_before_an_impact_chooses_its_hex_alone(slug):
    aim = {} if slug == "conversion" else {"aim": "K7"}
    placed, unplaced = piece("german", "nco", place="K7"), piece("german", "officer", number=2)
    assert fill_roll(HOUSE, slug, [], [placed], {}) == aim
    # Where nobody has noted a hex, whoever names a counter says where it is.
    inputs = fill_roll(HOUSE, slug, [], [placed, unplaced], {})
    assert {name: value for name, value in inputs.items() if name != "units"} == aim
    assert [row["id"] for row in inputs["units"]] == ["german-2"]


def test_rolls_about_no_counters_get_nothing():
    for slug in helpers(GAME):
        assert fill_roll(HOUSE, slug, [], [], {}) == {} or slug == "fire"
    assert fill_roll(HOUSE, "bracket", ALL, ALL, {}) == {}


def test_every_counter_fills_every_roll_or_is_told_why_not():
    for slug in helpers(GAME):
        for unit in ALL:
            for firers, targets in (([unit], []), ([], [unit]), ([unit], [unit])):
                try:
                    inputs = fill_roll(HOUSE, slug, firers, targets, {"range": "2"})
                except BadInput as refused:
                    assert str(refused).endswith((".", "?"))
                    continue
                form = helpers(GAME)[slug].form.from_plain(inputs, book=HOUSE, chained=True)
                form.is_valid()
                assert set(form.errors) & set(inputs) == set(), (slug, unit.counter.counter, form.errors)


def test_the_account_names_whose_values_decide():
    target = [piece("german", "nco", place="K8")]
    rifles = explain_roll(HOUSE, "fire", [piece("russian", "rifle_squad", place="K7")], target, {})[1]
    assert rifles.words == "Rifle squad #1: 6 FF at 1 hex"
    assert [(source.chart, source.title, source.provenance) for source in rifles.sources] == [
        ("counters", "Counters", "house")
    ]
    dshk = explain_roll(HOUSE, "fire", [piece("russian", "dshk_38", place="K7")], target, {})[1]
    assert [source.provenance for source in dshk.sources] == ["text"]
    owned = tell_value(old_kind("russian", "rifle_squad"), "fire@1", 7)
    mine = explain_roll(HOUSE, "fire", [piece("russian", "rifle_squad", place="K7", kind=owned)], target, {})[1]
    assert [source.provenance for source in mine.sources] == ["owner"]
    assert explain_roll(HOUSE, "morale", [], target, {})[1].sources[0].provenance == "house"
    assert explain_roll(HOUSE, "bracket", [], [], {})[1].sources == ()


TANK = piece("german", "pz_iv_f1", place="K8")


@pytest.mark.parametrize("key", ["rifle_squad", "maxim_m1910", "ptrs", "commissar"])
def test_small_arms_cannot_name_a_vehicle_alone_and_leave_it_out_of_a_stack(key):
    """18.1.1, A-56."""
    firers = [piece("russian", key, place="K7")]
    assert "Pz IV F1 #1: small arms attack infantry only (18.1.1)." in refusal("fire", firers, [TANK])
    inputs = filled("fire", firers, [TANK, piece("german", "nco", number=2, place="K8")])
    result = helpers(GAME)["fire"].resolve(HOUSE, {**inputs, "ff": 40}, {"die": 1})
    assert result.details["left_out"] == ["Pz IV F1 #1"]


def test_a_tank_fires_at_a_tank_with_its_gun_and_never_with_its_machine_guns():
    firers = [piece("russian", "ot_34", place="K7")]
    values = {"weapon": "firepower"}
    assert filled("fire", firers, [TANK])["weapon"] == "caliber"
    _, account = explain_roll(HOUSE, "fire", firers, [TANK], {})
    assert [way.value for way in account.ways] == ["gun", "flamethrower"]
    assert "do not fire that way" in refusal("fire", firers, [TANK], **values)
    assert "small arms attack infantry only" in refusal("fire", [piece("russian", "ba_20", place="K7")], [TANK])
