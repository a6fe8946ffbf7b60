import pytest

from campaign.rules.plots import against_plotting


@pytest.mark.parametrize(("is_plotted", "is_in_play"), [(False, True), (True, False), (False, False)])
def test_only_a_plotted_battery_in_play_has_a_plot(is_plotted, is_in_play):
    assert str(against_plotting("A1", is_plotted, is_in_play)) == "A1 is no plotted battery in play (17.4.8)."
    assert against_plotting("A1", True, True) is None
