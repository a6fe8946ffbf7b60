"""The attack of a mine hex: the table's results, who is hit, who checks (20.6.4 step 2, 18.1, 18.2)."""

import pytest

from campaign.ledger import content
from campaign.rules.mines import MineTarget, attack_by_mines, known_factors, marks_after_blast, target_of
from firefight.engine.errors import BadDie, BadInput
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit
from tests.books import HOUSE

SQUAD, LEADER, TEAM, TANK = (Unit(kind, kind.word, 7) for kind in (Kind.SQUAD, Kind.LEADER, Kind.SW_TEAM, Kind.VEHICLE))


def attack(*units, factors=20, drm=0, **faces):
    targets = [MineTarget(number, unit) for number, unit in enumerate(units, 1)]
    return attack_by_mines(charts=HOUSE, factors=factors, drm=drm, targets=targets, faces=faces)


# A face of the d100 on column 20, and what becomes of a single unit of each kind that passes its checks.
RESULTS = [
    (6, None, None, None, None),  # 2E
    (24, None, None, None, None),  # E
    (34, Kind.HALF_SQUAD, Kind.WOUNDED_LEADER, None, "m_killed"),  # C/M
    (41, Kind.HALF_SQUAD, Kind.WOUNDED_LEADER, None, "m_killed"),  # C
    (47, Kind.SQUAD, Kind.LEADER, Kind.SW_TEAM, Kind.VEHICLE),  # M+3
    (75, Kind.SQUAD, Kind.LEADER, Kind.SW_TEAM, Kind.VEHICLE),  # M
    (76, Kind.SQUAD, Kind.LEADER, Kind.SW_TEAM, Kind.VEHICLE),  # no effect
]


@pytest.mark.parametrize(("face", "squad", "leader", "team", "tank"), RESULTS)
def test_every_result_of_the_table(face, squad, leader, team, tank):
    for unit, expected in ((SQUAD, squad), (LEADER, leader), (TEAM, team), (TANK, tank)):
        blast = attack(unit, mine=face, check_1=1)
        assert blast.needs == ()
        assert blast.immobilized == ({1} if expected == "m_killed" else set())
        after = blast.ends[1]
        assert (after and after.kind) == (Kind.VEHICLE if expected == "m_killed" else expected)


def test_dice_are_asked_for_one_after_the_other():
    assert [spec.name for spec in attack(SQUAD, LEADER).needs] == ["mine"]
    assert [spec.name for spec in attack(SQUAD, LEADER, mine=34).needs] == ["hit_1", "hit_2"]
    hits = {"mine": 34, "hit_1": 9, "hit_2": 2}  # C/M: first C, then everybody left checks
    assert [spec.name for spec in attack(SQUAD, LEADER, **hits).needs] == ["check_1", "check_2"]
    blast = attack(SQUAD, LEADER, **hits, check_1=7, check_2=8)
    assert [(end.kind, end.state) for end in blast.ends.values()] == [
        (Kind.HALF_SQUAD, State.GOOD_ORDER),
        (Kind.LEADER, State.PINNED),
    ]


def test_no_die_for_who_is_hit_where_all_are():
    assert attack(SQUAD, SQUAD, mine=6).ends == {1: None, 2: None}
    assert [spec.name for spec in attack(SQUAD, SQUAD, mine=24).needs] == ["hit_1", "hit_2"]


def test_ties_are_all_hit_and_the_rest_takes_the_highest_check_of_the_column():
    blast = attack(SQUAD, SQUAD, SQUAD, mine=24, hit_1=5, hit_2=5, hit_3=1, check_3=5)  # 5 + 3 against TQ 7
    assert [end and end.state for end in blast.ends.values()] == [None, None, State.PINNED]


def test_vehicles_take_no_morale_check_and_units_without_a_known_tq_are_told():
    assert attack(TANK, mine=47).ends == {1: TANK}
    blast = attack(Unit(Kind.SQUAD, "Squad"), mine=47)
    assert (blast.needs, blast.unchecked) == ((), {1})


def test_a_unit_without_a_known_tq_is_flipped_before_it_checks_on_the_board():
    """C/M: first the C, which does not depend on its TQ; it had been forgotten."""
    squad = Unit(Kind.SQUAD, "Squad", state=State.PINNED)
    marks, words = marks_after_blast(["pinned"], squad, 1, attack(squad, mine=34))
    assert (marks, words) == (["reduced"], "reduced; checks morale on the board, since its TQ is not known here")
    unhurt = marks_after_blast(["pinned"], squad, 1, attack(squad, mine=47))
    assert unhurt == (["pinned"], "checks morale on the board, since its TQ is not known here")


def test_the_drm_of_the_place_counts():
    assert attack(SQUAD, mine=30, drm=25, check_1=1).result.modified == 55
    assert attack(SQUAD, mine=1, drm=100).ends == {1: SQUAD}


@pytest.mark.parametrize(("factors", "drm"), [(0, 0), (-1, 0), (101, 0), (20, 101), (20, -101)])
def test_factors_and_drm_have_bounds(factors, drm):
    with pytest.raises(BadInput):
        attack(SQUAD, factors=factors, drm=drm, mine=5)


@pytest.mark.parametrize("faces", [{"mine": 0}, {"mine": 101}, {"mine": 47, "check_1": 11}])
def test_a_die_has_its_faces_only(faces):
    with pytest.raises(BadDie):
        attack(SQUAD, **faces)


def test_a_book_without_a_column_for_mines_leaves_it_to_the_players():
    values = HOUSE["fft_weapons"].values
    assert known_factors(HOUSE) == (values.get("mine") or values.get("mines"))


def test_a_worse_state_takes_the_place_of_the_ones_before():
    """18.2.3, 18.2.4, 18.2.5: a WIA squad that suffers Casualties is WIA on its smaller side, and no more Pinned."""
    counter = content.shipped().counters[Side.RUSSIAN]["rifle_squad"]
    marks = ["pinned", "wia"]
    squad = target_of("Rifle squad", counter, marks)
    blast = attack(squad, mine=75, check_1=counter.tq + 1)
    assert marks_after_blast(marks, squad, 1, blast)[0] == ["reduced", "wia"]
    passed = attack(squad, mine=75, check_1=1)
    assert marks_after_blast(marks, squad, 1, passed)[0] == marks
