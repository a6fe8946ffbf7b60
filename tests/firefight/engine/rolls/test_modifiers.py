from hypothesis import given
from hypothesis import strategies as st

from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes

modifiers = st.builds(Modifier, st.text(max_size=5), st.integers(-100, 100))


@given(st.lists(modifiers, max_size=6))
def test_the_total_is_the_plain_sum(given_ones):
    expected = 0
    for modifier in given_ones:
        expected += modifier.value
    assert total(given_ones) == expected


def test_what_does_not_count_and_what_is_zero_is_not_listed():
    running, rooftop = Modifier("Running", -20), Modifier("Rooftop", 0)
    assert without_zeroes(False, running, None, rooftop) == (running,)


@given(st.lists(st.one_of(st.none(), st.just(False), modifiers), max_size=8))
def test_listing_keeps_the_order_and_the_sum(given_ones):
    listed = without_zeroes(*given_ones)
    real = [modifier for modifier in given_ones if modifier]
    assert total(listed) == total(real)
    assert list(listed) == [modifier for modifier in real if modifier.value != 0]


def test_the_players_own_drm_is_named_as_theirs():
    assert other(-15) == Modifier("Other DRM", -15, "as the players say")
    assert without_zeroes(other(0)) == ()
