"""What engineers build, and units that come for others."""

from itertools import product

import pytest

from firefight.engine.errors import BadInput

from . import ask

PHASES = {"german": (3, 7, 11), "soviet": (4, 10, 14)}
TURNS = {
    "bridge": {"german": (1, 1), "soviet": (2, 1)},
    "minefield": {"german": (1, 1), "soviet": (1, 1)},
    "fortification": {"german": (2, 1), "soviet": (2, 1)},
}


def ticks(*names):
    return dict.fromkeys(names, "on")


# Engineering


@pytest.mark.parametrize(("work", "side", "engineers"), list(product(TURNS, PHASES, (1, 2, 4))))
def test_17_16_to_17_36_how_long_a_work_takes(work, side, engineers):
    """Against walking the movement phases one by one."""
    for start, turn, hindered in product(range(3), (1, 30), (0, 1, 2, 3, 30)):
        fields = {"work": work, "side": side, "engineers": engineers, "turn": turn, "phase": PHASES[side][start]}
        details = ask("engineering", **fields, hindered=hindered).details
        turns = TURNS[work][side][engineers > 1]
        walk = [(day, phase) for day in range(turn, turn + 16) for phase in PHASES[side]][start:]
        placed, after = walk[3 * turns + hindered], walk[3 * turns + hindered + 1]
        assert details["turns"] == turns
        assert details["placed"] == {"turn": placed[0], "phase": placed[1]}
        assert details["may_move"] == {"turn": after[0], "phase": after[1]}


def test_17_16_to_17_18_the_example():
    fields = {"turn": 1, "phase": 11}
    on_time, late = ask("engineering", **fields).details, ask("engineering", **fields, hindered=1).details
    assert on_time["placed"] == {"turn": 2, "phase": 11} and on_time["may_move"] == {"turn": 3, "phase": 3}
    assert late["placed"] == {"turn": 3, "phase": 3} and late["may_move"] == {"turn": 3, "phase": 7}


@pytest.mark.parametrize(("side", "phase"), list(product(PHASES, range(1, 16))))
def test_a_work_begins_in_a_movement_phase_of_its_side(side, phase):
    if phase in PHASES[side]:
        assert ask("engineering", side=side, phase=phase).outcome == "shown"
    else:
        with pytest.raises(BadInput) as caught:
            ask("engineering", side=side, phase=phase)
        assert set(caught.value.problems) == {"phase"}


def test_a_work_may_end_after_the_game():
    assert "after the last turn" in ask("engineering", turn=67).headline


# Sites

BARS = ("enemy_zoc", "in_range_and_los", "fighting", "moved")


@pytest.mark.parametrize(("work", "bar"), list(product(TURNS, BARS)))
def test_17_15_17_24_17_34_what_keeps_a_work_from_its_site(work, bar):
    result = ask("site", work=work, **ticks(bar))
    assert (result.outcome.value, result.details["may_start"], len(result.effects)) == ("refused", False, 1)
    assert result.details["stopped"] is (bar == "enemy_zoc") and result.follow_ups == ()


@pytest.mark.parametrize("work", TURNS)
def test_a_free_site_hands_on_its_work(work):
    result = ask("site", work=work, side="soviet")
    assert (result.outcome.value, result.details["may_start"]) == ("allowed", True)
    (follow,) = result.follow_ups
    assert (follow.helper, follow.inputs) == ("engineering", {"work": work, "side": "soviet"})
    for marker in ("pinned", "spent"):
        assert ask("site", work=work, marker=marker).outcome == "refused"
    assert ask("site", work=work, **ticks("no_vehicle_access")).details["may_start"] is (work != "bridge")


@pytest.mark.parametrize("work", TURNS)
def test_17_19_17_28_17_38_what_stands_there_as_a_scenario_begins(work):
    assert ask("site", work=work, **ticks("at_start", "fighting", "moved", "no_vehicle_access")).outcome == "allowed"
    assert ask("site", work=work, **ticks("at_start", "enemy_zoc")).outcome == "refused"
    sees = ask("site", work=work, **ticks("at_start", "in_range_and_los"))
    assert sees.outcome == ("allowed" if work == "minefield" else "refused")
    assert sees.follow_ups == ()


# Exchanges


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        (ticks("same_type", "same_points"), True),
        (ticks("same_type"), False),
        (ticks("same_points"), False),
        (ticks("same_points", "guards"), False),
        (ticks("same_type", "same_points", "guards"), True),
        (ticks("same_type", "same_points", "isolated"), False),
        (ticks("same_type", "same_points", "nkvd_in"), False),
        (ticks("same_type", "same_points", "nkvd_out"), False),
        (ticks("same_type", "same_points", "nkvd_in", "nkvd_out"), True),
        ({"kind": "leader"}, True),
        ({"kind": "leader", "isolated": "on"}, False),
        ({"kind": "special", **ticks("same_type", "same_points")}, False),
    ],
)
def test_20_3_to_20_6_who_is_exchanged_for_whom(fields, allowed):
    result = ask("exchange", side="soviet", points=7, **fields)
    assert result.details == {"allowed": allowed, "cost": {"af": 0, "pz": 0}}
    assert bool(result.effects) is not allowed


@pytest.mark.parametrize(
    ("fields", "cost"),
    [
        ({"kind": "infantry"}, (6, 0)),
        ({"kind": "artillery"}, (6, 0)),
        ({"kind": "armored", "pz": "on"}, (0, 6)),
        ({"kind": "armored"}, None),
        ({"kind": "infantry", "pz": "on"}, None),
        ({"kind": "leader"}, None),
        ({"kind": "special"}, None),
        ({"side": "soviet", "kind": "infantry", "guards": "on"}, None),
        ({"side": "soviet", "kind": "infantry", "marine": "on"}, (6, 0)),
        ({"side": "soviet", "kind": "armored", "pz": "on"}, None),
    ],
)
def test_21_41_to_21_44_what_replacement_points_buy(fields, cost):
    result = ask("exchange", what="replacement", points=6, **fields)
    assert result.details["allowed"] is (cost is not None)
    assert result.details["cost"] == dict(zip(("af", "pz"), cost or (0, 0), strict=True))


@pytest.mark.parametrize(
    ("fields", "allowed", "cost"),
    [
        (ticks("same_type", "same_points"), True, (0, 0)),
        ({"points": 6, "pz": "on"}, True, (0, 6)),  # the example
        ({"points": 4}, True, (4, 0)),
        ({"same_type": "on"}, False, (0, 0)),
        ({"side": "soviet", "points": 4}, False, (0, 0)),
    ],
)
def test_21_53_what_goes_instead_of_a_unit_that_is_lost(fields, allowed, cost):
    details = ask("exchange", what="withdrawal", kind="artillery", **fields).details
    assert details == {"allowed": allowed, "cost": dict(zip(("af", "pz"), cost, strict=True))}
