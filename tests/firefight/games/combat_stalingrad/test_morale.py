from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.errors import BadDie, BadInput, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import sweep
from firefight.games.combat_stalingrad.rules.morale import (
    Cause,
    MoraleOutcome,
    after_casualties,
    after_check,
    casualties,
    check_ends,
    end_label,
    morale,
)
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit, name_units, unit_inputs
from tests.books import HOUSE, altered
from tests.oracles.odds import brute, same_odds

# 18.2, typed from the text: old state, margin 1-2, margin 3+.
MATRIX = {
    State.GOOD_ORDER: ("pinned", "disrupted"),
    State.PINNED: ("disrupted", "wia"),
    State.DISRUPTED: ("wia", "casualties"),
    State.WIA: ("casualties", "eliminated"),
}
D10 = DieSpec("die", 10, "d10")
CHECKED = [kind for kind in Kind if kind is not Kind.VEHICLE]  # those whom the matrix is for


def expected_outcome(state, margin):
    return "no_effect" if margin <= 0 else MATRIX[state][margin >= 3]


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("kind", CHECKED)
@pytest.mark.parametrize("modifier", [0, 1, 6])
def test_every_face_against_every_tq_reads_the_matrix_of_the_text(state, kind, modifier):
    for tq in range(1, 11):
        for die in range(1, 11):
            result = morale(charts=HOUSE, tq=tq, state=state, unit=kind, modifier=modifier, die=die)
            margin = die + modifier - tq
            assert result.outcome == expected_outcome(state, margin)
            assert result.modified == die + modifier
            assert result.details["margin"] == max(0, margin)
            assert [(m.name, m.value) for m in result.modifiers] == ([(f"M+{modifier}", modifier)] if modifier else [])


@pytest.mark.parametrize(
    ("over", "outcome"),
    [(-3, "no_effect"), (0, "no_effect"), (1, "pinned"), (2, "pinned"), (3, "disrupted"), (9, "disrupted")],
)
def test_the_edges_between_the_rows_are_at_1_and_3_over(over, outcome):
    assert morale(charts=HOUSE, tq=5, modifier=0, other_drm=over, die=5).outcome == outcome


# What becomes of each kind of counter: 18.1.2, 18.1.4, 18.2.2, 18.2.5 with.
HALF, WOUNDED = Kind.HALF_SQUAD, Kind.WOUNDED_LEADER
NOTHING_SMALLER = (Kind.HALF_SQUAD, Kind.WOUNDED_LEADER, Kind.SW_TEAM, Kind.CREW)
AFTER_CASUALTIES = {
    **{(Kind.SQUAD, state, Cause.FFT): (HALF, State.GOOD_ORDER) for state in State},
    **{(Kind.SQUAD, state, Cause.MORALE): (HALF, State.GOOD_ORDER) for state in State},
    (Kind.SQUAD, State.WIA, Cause.MORALE): (HALF, State.WIA),
    **{(Kind.LEADER, state, Cause.FFT): (WOUNDED, State.GOOD_ORDER) for state in State},
    **{(Kind.LEADER, state, Cause.MORALE): (WOUNDED, State.GOOD_ORDER) for state in State},
    (Kind.LEADER, State.WIA, Cause.MORALE): None,
    **{(kind, state, cause): None for kind in NOTHING_SMALLER for state in State for cause in Cause},
    **{(Kind.VEHICLE, state, cause): (Kind.VEHICLE, state) for state in State for cause in Cause},
}


def short(unit):
    return None if unit is None else (unit.kind, unit.state)


@pytest.mark.parametrize(("case", "expected"), AFTER_CASUALTIES.items(), ids=str)
def test_casualties_flip_wound_or_eliminate_each_kind_of_counter(case, expected):
    kind, state, cause = case
    assert short(after_casualties(Unit(kind, "A", 7, state), cause)) == expected


@pytest.mark.parametrize("kind", CHECKED)
@pytest.mark.parametrize("state", State)
def test_a_morale_check_leaves_each_counter_as_its_result_says(kind, state):
    for margin in range(-4, 10):
        result = morale(charts=HOUSE, tq=5, state=state, unit=kind, other_drm=margin, die=5)
        expected = (kind, state)
        match expected_outcome(state, margin):
            case "no_effect":
                pass
            case "eliminated":
                expected = None
            case "casualties":
                expected = AFTER_CASUALTIES[kind, state, Cause.MORALE]
            case "wia" if kind is Kind.WOUNDED_LEADER:
                expected = None
            case word:
                expected = (kind, State(word))
        unit_and_state = result.details["unit"] and (Kind(result.details["unit"]), State(result.details["state"]))
        assert unit_and_state == expected


def test_a_wia_squad_with_casualties_is_a_half_squad_and_still_wia():
    result = morale(charts=HOUSE, tq=5, state=State.WIA, name="1st", die=6)
    assert (result.outcome, result.details) == (
        "casualties",
        {"margin": 1, "unit": "half_squad", "state": "wia"},
    )
    assert result.effects == ("Flip it to its half-squad side. It keeps its WIA marker.",)


def test_a_disrupted_squad_that_flips_sheds_its_marker():
    result = morale(charts=HOUSE, tq=5, state=State.DISRUPTED, die=8)
    assert result.details == {"margin": 3, "unit": "half_squad", "state": "good_order"}
    assert result.effects == ("Flip it to its half-squad side. Take its markers off.",)


@pytest.mark.parametrize("state", [State.PINNED, State.DISRUPTED])
def test_a_flipped_leader_dies_of_wia(state):
    die = 8 if state is State.PINNED else 6
    result = morale(charts=HOUSE, tq=5, state=state, unit=Kind.WOUNDED_LEADER, name="Rauss", die=die)
    assert (result.outcome, result.details["unit"]) == ("wia", None)
    assert result.effects == ("Remove the counter.",)
    assert result.headline == f"Rauss: Eliminated, {die} against TQ 5."


def test_an_unflipped_leader_takes_a_wia_marker():
    result = morale(charts=HOUSE, tq=5, state=State.PINNED, unit=Kind.LEADER, die=8)
    assert result.details == {"margin": 3, "unit": "leader", "state": "wia"}
    assert result.effects[0].startswith("Mark it WIA.")


@pytest.mark.parametrize(
    ("die", "words"),
    [
        (6, "Mark it Pinned Down. It does not move and fires at half its FF, fractions down."),
        (8, "Mark it Disrupted. It neither moves nor fires; its CCV is halved, fractions down."),
    ],
)
def test_a_marked_unit_is_told_its_limits(die, words):
    assert morale(charts=HOUSE, tq=5, die=die).effects == (words,)


def test_a_passed_check_changes_nothing_and_says_so():
    result = morale(charts=HOUSE, tq=7, state=State.PINNED, name="8-2 squad", die=7)
    assert result.headline == "8-2 squad: passed, 7 against TQ 7."
    assert (result.word, result.effects) == ("Passed", ())
    assert result.details == {"margin": 0, "unit": "squad", "state": "pinned"}


@pytest.mark.parametrize(
    ("kind", "name", "begins"),
    [
        (Kind.SW_TEAM, "", "SW team: "),
        (Kind.SQUAD, "", "Squad: "),
        (Kind.HALF_SQUAD, "", "Half-squad: "),
        (Kind.SQUAD, "2nd Pioneer", "2nd Pioneer: "),
        (Kind.LEADER, "Lt. Rauss", "Lt. Rauss: "),
        (Kind.LEADER, "de Wit", "De Wit: "),
    ],
)
def test_headlines_keep_a_units_name_as_it_is_written(kind, name, begins):
    assert morale(charts=HOUSE, tq=5, unit=kind, name=name, die=1).headline.startswith(begins)
    assert casualties(charts=HOUSE, unit=kind, name=name).headline.startswith(begins)


def test_a_morale_check_without_a_die_says_what_it_needs():
    result = morale(charts=HOUSE, tq=6, modifier=2)
    assert (result.outcome, result.needs) == (None, ("die",))
    assert "TQ 6" in result.headline
    assert [m.value for m in result.modifiers] == [2]


@pytest.mark.parametrize("face", [0, 11])
def test_a_morale_die_off_the_d10_is_refused(face):
    with pytest.raises(BadDie):
        morale(charts=HOUSE, tq=6, die=face)


def test_the_morale_matrix_is_named_as_the_source():
    [source] = morale(charts=HOUSE, tq=6, die=1).provenance
    assert (source.chart, source.provenance) == ("morale", "text")


def test_a_blank_cell_of_the_matrix_is_asked_for_only_when_the_check_fails():
    lines = [
        "over good_order pinned disrupted wia",
        "1-2 ? disrupted wia casualties",
        "3+ disrupted wia casualties eliminated",
    ]
    book = altered("morale", grid="\n".join(lines))
    assert morale(charts=book, tq=6, die=6).outcome == "no_effect"
    with pytest.raises(MissingChart) as caught:
        morale(charts=book, tq=6, die=7)
    assert caught.value.cell == "1-2, good_order"


def test_an_odd_matrix_of_somebodys_own_never_breaks_a_roll():
    words = ("pinned", "disrupted", "wia", "casualties", "eliminated")
    for word in words:
        row = " ".join([word] * 4)
        book = altered("morale", grid=f"over good_order pinned disrupted wia\n1-2 {row}\n3+ {row}")
        for state in State:
            for kind in CHECKED:
                assert morale(charts=book, tq=1, state=state, unit=kind, die=10).outcome == word


@given(
    st.integers(1, 10),
    st.sampled_from(State),
    st.integers(1, 10),
    st.integers(-5, 6),
    st.integers(0, 6),
)
def test_a_higher_drm_never_makes_a_check_milder(tq, state, die, lower, more):
    order = list(MoraleOutcome)
    with_lower = morale(charts=HOUSE, tq=tq, state=state, other_drm=lower, die=die)
    with_higher = morale(charts=HOUSE, tq=tq, state=state, other_drm=lower + more, die=die)
    assert order.index(with_lower.outcome) <= order.index(with_higher.outcome)


@pytest.mark.parametrize(("kind", "state"), [*product(CHECKED, State), (Kind.VEHICLE, State.GOOD_ORDER)])
@pytest.mark.parametrize("modifier", [0, 2])
def test_morale_odds_are_a_plain_count_of_all_faces(state, kind, modifier):
    def rule(dice):
        return morale(charts=HOUSE, tq=6, state=state, unit=kind, modifier=modifier, **dice)

    assert same_odds(sweep(rule, [D10]), *brute(rule, [D10]))


# Vehicles


@pytest.mark.parametrize("modifier", [0, 1, 6])
def test_a_vehicle_that_fails_is_suppressed_by_a_house_ruling_however_badly_it_fails(modifier):
    for tq in range(1, 11):
        for die in range(1, 11):
            result = morale(charts=HOUSE, tq=tq, unit=Kind.VEHICLE, modifier=modifier, name="Tank", die=die)
            failed = die + modifier > tq
            assert (result.outcome, result.word) == (
                ("suppressed", "Suppressed") if failed else ("no_effect", "Passed")
            )
            assert result.details["unit"] == "vehicle"
            assert result.details["state"] == ("suppressed" if failed else "good_order")
            assert [(source.title, source.provenance) for source in result.provenance] == [
                ("Ruling A-49: Morale Checks of vehicles", "house")
            ]


def test_a_suppressed_vehicle_is_told_what_to_mark():
    result = morale(charts=HOUSE, tq=7, unit=Kind.VEHICLE, name="Tank", die=9)
    assert result.headline == "Tank: Suppressed, 9 against TQ 7."
    assert "Mark it Suppressed" in result.effects[0]
    assert "house ruling" in result.effects[0]


@pytest.mark.parametrize("state", [State.PINNED, State.DISRUPTED, State.WIA])
def test_a_vehicle_has_none_of_the_states_of_infantry(state):
    with pytest.raises(BadInput) as caught:
        morale(charts=HOUSE, tq=7, unit=Kind.VEHICLE, state=state, die=5)
    assert list(caught.value.problems) == ["state"]
    assert unit_inputs("Tank", Unit(Kind.VEHICLE, "Tank", 7, state))["state"] == "good_order"


def test_a_c_of_the_close_combat_table_is_an_m_kill_on_a_vehicle():
    result = casualties(charts=HOUSE, unit=Kind.VEHICLE, source=Cause.CLOSE_COMBAT, name="Tank")
    assert (result.outcome, result.headline) == ("m_killed", "Tank: M-KILLED.")
    assert result.effects == ("Mark it M-KILLED.",)
    assert any(rule.startswith("19.3.3") for rule in result.rules)


# Casualties


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("source", Cause)
@pytest.mark.parametrize("state", [State.DISRUPTED, State.WIA])
def test_what_the_text_does_not_say_of_casualties_is_shown_as_a_house_ruling(kind, source, state):
    by_text = kind not in (Kind.SW_TEAM, Kind.CREW) or (source is Cause.MORALE and state is State.WIA)
    provenance = casualties(charts=HOUSE, unit=kind, state=state, source=source).provenance
    assert [(source.title, source.provenance) for source in provenance] == (
        [] if by_text else [("Ruling A-38: Casualties without a smaller side", "house")]
    )


@pytest.mark.parametrize(("state", "die", "ruled"), [(State.DISRUPTED, 8, True), (State.WIA, 6, False)])
def test_casualties_out_of_a_check_show_the_ruling_too(state, die, ruled):
    result = morale(charts=HOUSE, tq=5, unit=Kind.CREW, state=state, die=die)
    assert (result.outcome, result.details["unit"]) == ("casualties", None)
    assert [source.provenance for source in result.provenance] == ["text", *(["house"] if ruled else [])]


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("kind", Kind)
def test_casualties_from_the_fft_say_what_the_counter_becomes(kind, state):
    result = casualties(charts=HOUSE, unit=kind, state=state, name="A")
    expected = AFTER_CASUALTIES[kind, state, Cause.FFT]
    if kind is Kind.VEHICLE:
        assert result.outcome == "not_covered"
    else:
        assert result.outcome == ("eliminated" if expected is None else expected[0].value)
    unit_and_state = result.details["unit"] and (Kind(result.details["unit"]), State(result.details["state"]))
    assert unit_and_state == expected


def test_a_c_sheds_every_marker_even_wia():
    result = casualties(charts=HOUSE, unit=Kind.SQUAD, state=State.WIA, name="A")
    assert result.details == {"unit": "half_squad", "state": "good_order"}
    assert result.effects == ("Flip it to its half-squad side. Take its markers off.",)
    assert casualties(charts=HOUSE, unit=Kind.SQUAD).effects == ("Flip it to its half-squad side.",)


def test_a_leader_with_a_wia_marker_flips_from_a_c_but_dies_from_a_check():
    flipped = casualties(charts=HOUSE, unit=Kind.LEADER, state=State.WIA)
    dead = casualties(charts=HOUSE, unit=Kind.LEADER, state=State.WIA, source=Cause.MORALE)
    assert (flipped.outcome, dead.outcome) == ("wounded_leader", "eliminated")


@pytest.mark.parametrize("kind", NOTHING_SMALLER)
def test_a_counter_without_a_smaller_side_is_removed(kind):
    result = casualties(charts=HOUSE, unit=kind)
    assert result.effects == ("Remove the counter; it had no smaller side to flip to.",)
    assert result.details == {"unit": None, "state": None}


def test_casualties_of_a_vehicle_are_not_covered_by_the_text_and_change_nothing():
    result = casualties(charts=HOUSE, unit=Kind.VEHICLE, state=State.PINNED)
    assert result.outcome == "not_covered"
    assert result.details == {"unit": "vehicle", "state": "pinned"}
    assert "nothing is changed here" in result.effects[0]
    assert result.headline == "Vehicle: the text gives Casualties no effect on a vehicle."


@pytest.mark.parametrize(
    ("kind", "headline"),
    [
        (Kind.SQUAD, "A: now a half-squad, Good Order."),
        (Kind.LEADER, "A: now a wounded leader, Good Order."),
        (Kind.CREW, "A: eliminated."),
    ],
)
def test_the_headline_tells_what_is_left_after_casualties(kind, headline):
    assert casualties(charts=HOUSE, unit=kind, name="A").headline == headline


@pytest.mark.parametrize("state", [State.GOOD_ORDER, State.PINNED])
def test_a_check_cannot_cause_casualties_in_a_unit_that_was_not_disrupted(state):
    with pytest.raises(BadInput) as caught:
        casualties(charts=HOUSE, unit=Kind.SQUAD, state=state, source=Cause.MORALE)
    assert list(caught.value.problems) == ["state"]


@pytest.mark.parametrize("check", [0, 3])
def test_after_c_m_what_is_left_of_the_unit_checks_in_its_new_state(check):
    result = casualties(charts=HOUSE, unit=Kind.SQUAD, state=State.DISRUPTED, name="A", tq=7, then_check=check)
    [step] = result.follow_ups
    assert (step.helper, step.title) == ("morale", "Morale Check: A (half)")
    assert step.inputs == {
        "unit": "half_squad",
        "state": "good_order",
        "name": "A (half)",
        "tq": 7,
        "modifier": check,
    }


def test_no_check_follows_a_plain_c_nor_a_unit_that_is_gone():
    assert casualties(charts=HOUSE, unit=Kind.SQUAD).follow_ups == ()
    assert casualties(charts=HOUSE, unit=Kind.CREW, then_check=0).follow_ups == ()


# Ends of a check, as the chain of odds names them


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("kind", CHECKED)
@pytest.mark.parametrize("check", [None, 0, 1, 6])
def test_the_ends_of_a_check_are_the_ends_of_its_ten_faces(kind, state, check):
    unit = Unit(kind, "A", 6, state)
    if check is None:
        expected = Counter({(kind, state): 10})
    else:
        expected = Counter()
        for die in range(1, 11):
            details = morale(charts=HOUSE, tq=6, state=state, unit=kind, modifier=check, die=die).details
            expected[details["unit"] and (Kind(details["unit"]), State(details["state"]))] += 1
    ends = Counter()
    for end, tenths in check_ends(HOUSE, unit, check).items():
        ends[short(end)] += tenths
    assert ends == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (Unit(), None, ("eliminated", "Eliminated")),
        (Unit(), Unit(), ("untouched", "Untouched")),
        (Unit(state=State.WIA), Unit(state=State.WIA), ("untouched", "Untouched")),
        (Unit(), Unit(state=State.PINNED), ("pinned", "Pinned Down")),
        (Unit(), Unit(state=State.WIA), ("wia", "WIA")),
        (Unit(), Unit(Kind.HALF_SQUAD), ("reduced", "Half-squad, Good Order")),
        (Unit(Kind.LEADER), Unit(Kind.WOUNDED_LEADER, state=State.WIA), ("reduced", "Wounded leader, WIA")),
    ],
)
def test_an_end_is_named_by_what_became_of_the_unit(before, after, expected):
    assert end_label(before, after) == expected


@pytest.mark.parametrize("outcome", MoraleOutcome)
def test_every_result_of_the_matrix_has_an_end_for_every_kind_of_counter(outcome):
    for kind in Kind:
        after = after_check(Unit(kind, "A", 6, State.DISRUPTED), outcome)
        assert after is None or isinstance(after, Unit)


# Units


units = st.builds(
    Unit,
    kind=st.sampled_from(Kind),
    name=st.sampled_from(["", "A", "B", "A (1)", "A (2)", "squad 1"]),
    tq=st.none() | st.integers(1, 10),
    state=st.sampled_from(State),
    hex=st.sampled_from(["", "K7"]),
    where=st.sampled_from(["", "cellar"]),
    modifiers=st.sampled_from([(), ("woods", "smoke")]),
    ccv=st.integers(0, 9),
    rider=st.booleans(),
)


@given(units)
def test_a_unit_survives_the_way_to_plain_values_and_back(unit):
    assert Unit.read(unit.plain()) == unit


def test_plain_values_hold_only_what_differs_from_a_fresh_squad():
    assert Unit().plain() == {"kind": "squad"}
    assert Unit(Kind.CREW, "A", 7, State.WIA, modifiers=("woods",)).plain() == {
        "kind": "crew",
        "name": "A",
        "tq": 7,
        "state": "wia",
        "modifiers": ["woods"],
    }


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        (Unit(), "squad"),
        (Unit(Kind.SW_TEAM, "MG"), "MG: SW team"),
        (Unit(Kind.SQUAD, "1st", 7, State.PINNED), "1st: squad, TQ 7, Pinned Down"),
        (Unit(Kind.CREW, ccv=2, state=State.WIA, rider=True), "crew, CCV 2, WIA, rider"),
        (Unit(hex="K7", where="cellar", modifiers=("dug_in", "smoke")), "squad, K7 cellar, dug in, smoke"),
        (Unit(where="rooftop"), "squad, rooftop"),
    ],
)
def test_a_unit_as_text_tells_all_that_is_known_of_it(unit, text):
    assert str(unit) == text


def test_values_that_a_unit_does_not_have_are_passed_over():
    assert Unit.read({"kind": "crew", "color": "red"}) == Unit(Kind.CREW)


@given(st.lists(units, max_size=6))
def test_every_unit_of_a_stack_has_a_name_of_its_own_in_the_order_of_the_stack(stack):
    pairs = name_units(stack)
    assert [unit for _, unit in pairs] == stack
    names = [name for name, _ in pairs]
    assert all(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("stack", "names"),
    [
        ([Unit()], ["squad"]),
        ([Unit(), Unit(Kind.SW_TEAM)], ["squad 1", "SW team 2"]),
        ([Unit(name="A"), Unit(name="A"), Unit(name="B")], ["A (1)", "A (2)", "B"]),
    ],
)
def test_unnamed_units_go_by_kind_and_place_and_namesakes_by_place(stack, names):
    assert [name for name, _ in name_units(stack)] == names


def test_a_unit_without_a_tq_leaves_it_to_be_asked_for():
    assert unit_inputs("A", Unit(Kind.CREW)) == {"unit": "crew", "state": "good_order", "name": "A"}
    assert unit_inputs("A", Unit(tq=7))["tq"] == 7


@pytest.mark.parametrize(
    ("state", "disrupted"),
    [(State.GOOD_ORDER, False), (State.PINNED, False), (State.DISRUPTED, True), (State.WIA, True)],
)
def test_wia_counts_as_disrupted(state, disrupted):
    assert state.disrupted is disrupted


@pytest.mark.parametrize(
    ("tq", "modifier", "needed"),
    [
        (7, 0, "Needs 7 or less on the die, TQ 7."),
        (7, 2, "Needs 5 or less on the die, TQ 7."),
        (3, 3, "No die is low enough against TQ 3: roll how far it fails."),
        (10, 0, "Every die passes against TQ 10."),
    ],
)
def test_what_the_die_has_to_show_is_said_with_the_modifier_taken_off(tq, modifier, needed):
    assert morale(charts=HOUSE, tq=tq, modifier=modifier).headline == needed
