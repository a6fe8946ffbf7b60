import pytest

from campaign.rules.nests import against_building, against_unnamed_building, is_held
from firefight.games.combat_stalingrad.rules.marks import Mark


def test_20_9_3_nests_hold_out_while_one_commissar_is_not_disrupted():
    whole, disrupted, wounded = (), (Mark.DISRUPTED,), (Mark.WIA,)
    assert not is_held([])
    assert is_held([whole]) and is_held([disrupted, whole]) and is_held([wounded, whole])
    assert not is_held([disrupted, wounded]) and not is_held([disrupted, disrupted])


@pytest.mark.parametrize(
    ("building", "sectors", "is_refused"),
    [("", [14], True), ("", [None, 14], True), ("", [None], False), ("", [], False), ("K7 (2 hexes)", [14], False)],
)
def test_a_nest_on_the_map_needs_a_building_with_a_name(building, sectors, is_refused):
    assert bool(against_unnamed_building(building, sectors)) is is_refused


@pytest.mark.parametrize(("hexes", "is_refused"), [(0, True), (1, False), (4, False), (5, True)])
def test_20_9_2_a_nest_is_one_building_of_1_to_4_hexes(hexes, is_refused):
    assert bool(against_building(hexes)) is is_refused
