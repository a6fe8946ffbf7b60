"""Control, isolation and the way in from the edge; the examples of the text are typed here once more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.sectors import (
    Holding,
    control_after,
    control_at_first,
    find_isolated,
    find_lines,
    initial_control,
    read_control,
    write_control,
)
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN

MAP = CONTENT.sector_map
SECTORS = sorted(MAP.neighbours)
CONTROLS = st.fixed_dictionaries({sector: st.sampled_from(Holding) for sector in SECTORS})


def held(german=(), nobody=(), threatened=()):
    """A control map that is Russian except where it says otherwise."""
    control = {sector: Holding.RUSSIAN for sector in SECTORS}
    control |= dict.fromkeys(german, Holding.GERMAN)
    return control | dict.fromkeys(nobody, Holding.NOBODY) | dict.fromkeys(threatened, Holding.THREATENED)


def only_russian(*sectors):
    return {sector: Holding.RUSSIAN if sector in sectors else Holding.GERMAN for sector in SECTORS}


# 20.8.3: the Russians hold all but 1, 2, 6 and 7.

EXAMPLE = held(german=(1, 2, 6, 7))


@pytest.mark.parametrize(("sector", "steps"), [(11, 2), (3, 4), *((edge, 0) for edge in (10, 18, 19, 20, 21, 22))])
def test_the_examples_of_the_text_lie_so_far_in_from_the_east(sector, steps):
    assert find_lines(MAP, EXAMPLE, RUSSIAN)[sector].steps_in == steps


def test_the_start_of_the_second_campaign_is_that_example():
    forces = CONTENT.cards["cg2"].forces
    assert initial_control(SECTORS, {side: forces[side].deployment for side in Side}) == EXAMPLE


# 20.6.4 step 6: sector 11 with the sectors around it.


def test_sector_11_inside_the_german_ring_is_isolated():
    line = find_lines(MAP, held(german=(5, 6, 7, 14, 12, 13)), RUSSIAN)[11]
    assert line.is_isolated
    assert line.reason == "No line to the east edge: shut in by German 5, 6, 7, 12, 13 and 14."
    with pytest.raises(ValueError, match="No line"):
        _ = line.steps_in


def test_sector_11_with_12_and_5_is_not_isolated():
    assert not find_lines(MAP, held(german=(6, 7, 13, 14)), RUSSIAN)[11].is_isolated


def test_sector_11_with_the_long_second_line_is_not_isolated():
    assert find_lines(MAP, only_russian(11, 13, 15, 21, 17, 9, 4), RUSSIAN)[11].chain == (11, 13, 15, 21)


def test_12_and_5_alone_would_reach_nothing():
    line = find_lines(MAP, only_russian(11, 12, 5), RUSSIAN)[11]
    assert line.reason == "No line to the east edge: shut in with 5 and 12 by German 4, 6, 7, 9, 13 and 14."


def test_sectors_of_nobody_and_threatened_ones_cut_a_line_too():
    control = held(german=(5, 6, 7, 12), nobody=(13,), threatened=(14,))
    reason = "No line to the east edge: shut in by German 5, 6, 7 and 12; nobody's 13; threatened 14."
    assert find_isolated(MAP, control)[11].reason == reason


def test_both_sides_can_be_isolated_at_once_and_are_told_in_number_order():
    control = held(german=(5, 6, 7, 12, 13, 14, 19), nobody=(1, 2, 3))
    isolated = find_isolated(MAP, control)
    assert [(line.sector, line.side) for line in isolated.values()] == [(11, RUSSIAN)]
    control |= {6: Holding.NOBODY}
    assert list(find_isolated(MAP, control)) == [5, 7, 11, 12, 13, 14, 19]


def test_the_german_line_leads_to_the_west():
    assert find_lines(MAP, EXAMPLE, GERMAN)[7].chain == (7, 6)
    assert {sector: line.steps_in for sector, line in find_lines(MAP, EXAMPLE, GERMAN).items()} == {
        1: 0,
        2: 0,
        6: 0,
        7: 1,
    }


@given(CONTROLS, st.sampled_from(Side))
def test_lines_agree_with_walking_every_path(control, side):
    own = {sector for sector, holding in control.items() if holding == side.value}
    lines = find_lines(MAP, control, side)
    assert set(lines) == own
    for sector, line in lines.items():
        shortest = shortest_by_trying(sector, own, side)
        assert line.is_isolated == (shortest is None) == bool(line.reason)
        if shortest is not None:
            assert line.steps_in == shortest
            assert line.chain[0] == sector
            assert line.chain[-1] in MAP.edges[side]
            assert set(line.chain) <= own
            assert all(b in MAP.neighbours[a] for a, b in zip(line.chain, line.chain[1:], strict=False))
    assert set(find_isolated(MAP, control)) == {
        line.sector for holder in Side for line in find_lines(MAP, control, holder).values() if not line.chain
    }


def shortest_by_trying(sector, own, side):
    """The least number of steps to the edge, by repeating "one more than my nearest neighbour" until it settles."""
    far = len(SECTORS) + 1
    steps = {number: 0 if number in MAP.edges[side] else far for number in own}
    for _ in SECTORS:
        for number in own:
            steps[number] = min(
                [steps[number], *(steps[other] + 1 for other in MAP.neighbours[number] if other in own)]
            )
    return steps[sector] if steps[sector] < far else None


@given(CONTROLS, st.sampled_from(Side), st.sampled_from(SECTORS))
def test_one_more_own_sector_never_isolates_and_never_costs_more(control, side, gained):
    before, after = (find_lines(MAP, state, side) for state in (control, {**control, gained: Holding(side.value)}))
    for sector, line in before.items():
        if not line.is_isolated:
            assert after[sector].steps_in <= line.steps_in


# Control (20.5.6, 20.6.2 to 20.6.4).


def test_a_set_up_area_belongs_to_its_side_and_a_shared_one_to_nobody():
    assert initial_control(range(1, 5), {GERMAN: [1, 2], RUSSIAN: [2, 3]}) == {
        1: Holding.GERMAN,
        2: Holding.NOBODY,
        3: Holding.RUSSIAN,
        4: Holding.NOBODY,
    }


@pytest.mark.parametrize("before", Holding)
@pytest.mark.parametrize(
    ("german", "russian", "after"),
    [(True, False, Holding.GERMAN), (False, True, Holding.RUSSIAN), (True, True, Holding.THREATENED)],
)
def test_units_at_the_end_of_a_firefight_decide_over_their_sector(before, german, russian, after):
    present = {GERMAN: {7} if german else set(), RUSSIAN: {7} if russian else set()}
    assert control_after({7: before}, present) == {7: after}


@pytest.mark.parametrize("before", Holding)
def test_an_empty_sector_stays_with_its_last_owner(before):
    after = Holding.NOBODY if before is Holding.THREATENED else before
    assert control_after({7: before}, {GERMAN: (), RUSSIAN: ()}) == {7: after}


def test_holdings_have_words_labels_and_sides():
    assert [holding.word for holding in Holding] == ["German", "Russian", "nobody's", "threatened"]
    assert [holding.choice for holding in Holding] == ["German", "Russian", "Nobody", "Both"]
    assert [holding.side for holding in Holding] == [GERMAN, RUSSIAN, None, None]


@pytest.mark.parametrize(
    ("sectors", "words"),
    [
        ([4], "4"),
        ([4, 5], "4 and 5"),
        ([6, 5, 4], "4, 5 and 6"),
        (range(1, 23), "1 to 22"),
        ([1, 3, 4, 5, 6], "1 and 3 to 6"),
    ],
)
def test_sectors_are_listed_as_in_a_sentence(sectors, words):
    assert join_numbers(sectors) == words


@pytest.mark.parametrize(
    ("before", "german", "russian", "after"),
    [
        (Holding.NOBODY, True, False, Holding.GERMAN),
        (Holding.NOBODY, False, True, Holding.RUSSIAN),
        (Holding.NOBODY, True, True, Holding.NOBODY),  # not threatened: no firefight has been fought yet
        (Holding.NOBODY, False, False, Holding.NOBODY),
        (Holding.GERMAN, False, True, Holding.GERMAN),
        (Holding.RUSSIAN, True, True, Holding.RUSSIAN),
    ],
)
def test_20_6_3_as_the_first_firefight_begins_only_a_sector_of_nobody_finds_its_side(before, german, russian, after):
    present = {GERMAN: [7] if german else [], RUSSIAN: [7] if russian else []}
    assert control_at_first({7: before, 8: Holding.GERMAN}, present) == {7: after, 8: Holding.GERMAN}


def test_control_is_kept_as_a_letter_a_sector_and_read_for_its_own_map_alone():
    letters = write_control(EXAMPLE)
    assert read_control(letters, MAP) == EXAMPLE
    assert read_control(letters[:-1], MAP) is None
    assert read_control(letters[:-1] + "?", MAP) is None
