"""What rolls make of counters in play: each outcome with the change that it must bring, and none without an id."""

from dataclasses import replace
from itertools import product

import pytest

from firefight.columns import LoggedResult
from firefight.engine.errors import BadInput
from firefight.engine.rolls.changes import merge_changes
from firefight.games.combat_stalingrad.rules import close_combat, fire, morale
from firefight.games.combat_stalingrad.rules.fire import FireOutcome
from firefight.games.combat_stalingrad.rules.morale import CasualtiesOutcome, Cause, MoraleOutcome
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE

FOOT = [kind for kind in Kind if kind is not Kind.VEHICLE]


def changed(result):
    return merge_changes(result.changes).get("counters", {})


@pytest.mark.parametrize(("kind", "state"), list(product(FOOT, State)))
def test_a_morale_check_changes_the_counter_as_its_outcome_says(kind, state):
    for die in range(1, 11):
        result = morale.morale(charts=HOUSE, tq=5, unit=kind, state=state, die=die, name="Orlov", id="russian-3")
        match result.outcome:
            case MoraleOutcome.NO_EFFECT:
                assert changed(result) == {}
            case MoraleOutcome.CASUALTIES if kind is Kind.SQUAD:
                assert changed(result) == {"russian-3": "reduced_wia" if state is State.WIA else "reduced"}
            case MoraleOutcome.CASUALTIES if kind is Kind.LEADER and state is not State.WIA:
                assert changed(result) == {"russian-3": "wounded"}
            case MoraleOutcome.CASUALTIES | MoraleOutcome.ELIMINATED:
                assert changed(result) == {"russian-3": "eliminated"}
            case MoraleOutcome.WIA if kind is Kind.WOUNDED_LEADER:
                assert changed(result) == {"russian-3": "eliminated"}
            case outcome:
                assert changed(result) == {"russian-3": outcome.value}


def test_a_vehicle_that_fails_its_check_is_suppressed():
    result = morale.morale(charts=HOUSE, tq=5, unit=Kind.VEHICLE, die=9, id="german-1")
    assert changed(result) == {"german-1": "suppressed"}


@pytest.mark.parametrize(
    ("kind", "source", "state", "word"),
    [
        (Kind.SQUAD, Cause.FFT, State.PINNED, "reduced"),
        (Kind.SQUAD, Cause.FFT, State.WIA, "reduced"),
        (Kind.SQUAD, Cause.MORALE, State.WIA, "reduced_wia"),
        (Kind.HALF_SQUAD, Cause.FFT, State.GOOD_ORDER, "eliminated"),
        (Kind.LEADER, Cause.FFT, State.DISRUPTED, "wounded"),
        (Kind.LEADER, Cause.MORALE, State.WIA, "eliminated"),
        (Kind.WOUNDED_LEADER, Cause.FFT, State.GOOD_ORDER, "eliminated"),
        (Kind.SW_TEAM, Cause.FFT, State.GOOD_ORDER, "eliminated"),
        (Kind.CREW, Cause.CLOSE_COMBAT, State.GOOD_ORDER, "eliminated"),
        (Kind.VEHICLE, Cause.CLOSE_COMBAT, State.GOOD_ORDER, "m_killed"),
        (Kind.VEHICLE, Cause.FFT, State.GOOD_ORDER, None),
    ],
)
def test_casualties_change_the_counter(kind, source, state, word):
    result = morale.casualties(charts=HOUSE, unit=kind, source=source, state=state, id="german-7")
    assert changed(result) == ({} if word is None else {"german-7": word})
    assert (result.outcome is CasualtiesOutcome.M_KILLED) == (word == "m_killed")


def test_casualties_hand_the_counter_on_to_the_check_that_follows():
    result = morale.casualties(charts=HOUSE, unit=Kind.SQUAD, id="german-7", name="1st", tq=6, then_check=0)
    assert result.follow_ups[0].inputs["id"] == "german-7"


STACK = (Unit(Kind.SQUAD, "1st", 6, id="german-1"), Unit(Kind.LEADER, "Vogt", 7, id="german-2"), Unit(Kind.SQUAD, tq=6))


def test_who_is_hit_by_an_e_is_eliminated_and_who_has_no_id_is_only_told():
    dice = {"die_1": 9, "die_2": 3, "die_3": 9}
    result = fire.who_is_hit(charts=HOUSE, result=FireOutcome.E, units=STACK, check=2, **dice)
    assert changed(result) == {"german-1": "eliminated"}
    assert result.effects == ("1st is eliminated.", "squad 3 is eliminated.")
    assert [step.inputs["id"] for step in result.follow_ups] == ["german-2"]


def test_who_is_hit_by_a_c_changes_with_the_casualties_that_follow():
    dice = {"die_1": 9, "die_2": 3, "die_3": 1}
    result = fire.who_is_hit(charts=HOUSE, result=FireOutcome.C_M, units=STACK, check=0, **dice)
    assert changed(result) == {}
    assert [(step.helper, step.inputs.get("id")) for step in result.follow_ups] == [
        ("casualties", "german-1"), ("morale", "german-2"), ("morale", None),
    ]  # fmt: skip


def test_every_roll_on_the_table_names_each_counter_once_at_most():
    """A lone unit is hit without dice; a stack is named in what follows. Nobody changes twice in one roll."""
    for die, units in product(range(1, 101), (STACK[:1], STACK[:2], STACK)):
        result = fire.fire(charts=HOUSE, ff=24, units=units, die=die)
        later = [step.inputs.get("id") for step in result.follow_ups if "id" in step.inputs]
        assert len(later) == len(set(later))
        assert not set(later) & set(changed(result))
        is_all = result.outcome in (FireOutcome.E, FireOutcome.E_2) and not fire.needs_hit_dice(
            result.outcome, len(units)
        )
        assert changed(result) == ({unit.id: "eliminated" for unit in units if unit.id} if is_all else {})


def test_units_that_go_to_the_hit_dice_keep_their_ids():
    struck = (fire.fire(charts=HOUSE, ff=24, units=STACK, die=die) for die in range(1, 101))
    steps = [step for result in struck for step in result.follow_ups if step.helper == "who-is-hit"]
    assert steps
    assert all([row.get("id") for row in step.inputs["units"]] == ["german-1", "german-2", None] for step in steps)


DEFENDERS = (Unit(Kind.SQUAD, "1st", ccv=6, id="german-1"), Unit(Kind.SQUAD, "2nd", ccv=5, id="german-2"))
ATTACKERS = (Unit(Kind.SQUAD, "Rifle", ccv=5, id="russian-1"),)


def test_close_combat_lost_without_a_roll_takes_all_attackers():
    result = close_combat.close_combat(charts=HOUSE, attack=ATTACKERS[:1], defense=[replace(DEFENDERS[0], ccv=30)])
    assert changed(result) == {"russian-1": "eliminated"}
    spared = close_combat.close_combat(
        charts=HOUSE, attack=ATTACKERS[:1], defense=[replace(DEFENDERS[0], ccv=30)], better_odds=True
    )
    assert changed(spared) == {}


def test_close_combat_won_without_a_roll_takes_all_defenders():
    result = close_combat.close_combat(charts=HOUSE, attack=[replace(ATTACKERS[0], ccv=60)], defense=DEFENDERS)
    assert changed(result) == {"german-1": "eliminated", "german-2": "eliminated"}


@pytest.mark.parametrize(("kind", "word"), [(Kind.SQUAD, None), (Kind.VEHICLE, "m_killed")])
def test_a_lone_defender_changes_as_the_table_says(kind, word):
    target = close_combat.Target.AFV if kind is Kind.VEHICLE else close_combat.Target.INFANTRY
    defender = Unit(kind, ccv=5, id="german-9")
    outcomes = set()
    for die in range(1, 101):
        result = close_combat.close_combat(charts=HOUSE, attack=ATTACKERS, defense=[defender], target=target, die=die)
        outcomes.add(result.outcome.value)
        changes = {"e": {"german-9": "eliminated"}, "c": {"german-9": word} if word else {}}
        assert changed(result) == changes.get(result.outcome.value, {})
        if result.outcome.value == "c" and word is None:
            assert result.follow_ups[0].inputs["id"] == "german-9"
    assert {"c", "e"} <= outcomes


def test_without_ids_nothing_is_said_of_counters():
    units = [replace(unit, id="") for unit in STACK]
    for die in range(1, 101):
        result = LoggedResult.of("fire", fire.fire(charts=HOUSE, ff=24, units=units, die=die), {}).to_json()
        assert "changes" not in result["details"]
        assert '"id"' not in str(result).replace("'", '"')


def test_a_vehicle_in_a_state_of_infantry_is_refused_with_an_id_too():
    with pytest.raises(BadInput):
        morale.morale(charts=HOUSE, tq=5, unit=Kind.VEHICLE, state=State.PINNED, id="german-1")
