import pytest

from campaign.rules.plots import against_observer, against_opening, against_plot, against_plotting, find_hexrow
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN
from tests.campaign.plain import GERMAN, RUSSIAN


@pytest.mark.parametrize(("is_plotted", "is_in_play"), [(False, True), (True, False), (False, False)])
def test_only_a_plotted_battery_in_play_has_a_plot(is_plotted, is_in_play):
    assert str(against_plotting("A1", is_plotted, is_in_play)) == "A1 is not a plotted battery in play (17.4.8)."
    assert against_plotting("A1", True, True) is None


@pytest.mark.parametrize(
    ("hexes", "turn", "is_refused"),
    [(("K7", "L8"), 1, False), (("K7", "L8"), LAST_TURN, False), (("K7", "L8"), 0, True), (("K7", "K7"), 1, True),
     (("K7", "L8"), LAST_TURN + 1, True)],
)  # fmt: skip
def test_17_4_8_a_plot_has_two_different_hexes_and_a_turn(hexes, turn, is_refused):
    assert bool(against_plot(hexes, turn)) is is_refused


@pytest.mark.parametrize(("plotted_for", "is_refused"), [(3, False), (2, True), (4, True)])
def test_17_4_8_a_plot_is_shown_in_its_turn(plotted_for, is_refused):
    assert bool(against_opening(plotted_for, 3)) is is_refused


def test_17_2_6_an_off_map_observer_is_on_his_own_edge():
    assert [find_hexrow(side, "A", "T") for side in (GERMAN, RUSSIAN)] == ["A", "T"]
    assert against_observer("T12", "T") is None
    assert "a hex of hexrow A" in str(against_observer("T12", "A"))
