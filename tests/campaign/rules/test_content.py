"""All content together, and garbage of every kind: problems, never a crash."""

import copy
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.content import Used, find_losses, read_content
from tests.campaign.plain import CARD_FILES, CONTENT, GERMAN, PROBLEMS, RUSSIAN, plain, told

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["cg1", "german", "I1", "p01", "1", "house", "²"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | st.just("1"), inner, max_size=3),
    max_leaves=8,
)


def whole():
    """All files as one tree, in the order that read_content takes them."""
    return [
        plain("counters"),
        {side: plain(f"roster_{side}") for side in (GERMAN, RUSSIAN)},
        plain("map"),
        {identity: plain(name) for identity, name in CARD_FILES.items()},
    ]


TREE = whole()


def test_the_shipped_content_has_no_problem():
    assert PROBLEMS == []
    assert set(CONTENT.rosters) == {GERMAN, RUSSIAN}
    assert set(CONTENT.cards) == {"cg1", "cg2"}


def test_problems_of_several_files_come_together():
    counters, rosters, sector_map, cards = whole()
    counters["german"]["nco"]["tq"] = 12
    rosters[RUSSIAN]["groups"][0]["cp"] = -1
    sector_map["edges"]["russian"]["sectors"].append(17)
    content, problems = read_content(counters, rosters, sector_map, cards)
    assert content is None
    assert {problem.chart for problem in problems} == {"counters", "roster_russian", "map"}


def test_rosters_and_cards_must_be_those_that_they_are_taken_for():
    counters, rosters, sector_map, cards = whole()
    cards["cg1"], cards["cg2"] = cards["cg2"], cards["cg1"]
    assert told(read_content(counters, rosters, sector_map, cards)[1]) == [
        "card_cg1 [id]: should be cg1",
        "card_cg2 [id]: should be cg2",
    ]
    rosters[GERMAN], rosters[RUSSIAN] = rosters[RUSSIAN], rosters[GERMAN]
    assert told(read_content(counters, rosters, sector_map, cards)[1]) == [
        "roster_german [side]: should be german",
        "roster_russian [side]: should be russian",
    ]


@given(JUNK, JUNK, JUNK, JUNK)
def test_junk_gives_problems_and_no_crash(counters, roster, sector_map, card):
    content, problems = read_content(counters, {GERMAN: roster, RUSSIAN: roster}, sector_map, {"cg1": card})
    assert content is None
    assert problems


@settings(max_examples=60)
@given(st.data(), JUNK)
def test_junk_in_any_one_place_gives_a_problem_or_content_and_no_crash(data, junk):
    tree = copy.deepcopy(TREE)
    node = tree[data.draw(st.integers(0, 3))]
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.integers(0, 4)) == 0:
            break
        node = node[key]
    node[key] = junk
    content, problems = read_content(*tree)
    assert (content is None) == bool(problems)


# Going on with other content


NOTHING_USED = Used(frozenset(), {})


def test_a_campaign_goes_on_with_content_that_has_all_that_it_has_used():
    used = Used(
        frozenset({(RUSSIAN, "militia_squad")}), {(RUSSIAN, "I1"): CONTENT.rosters[RUSSIAN].groups["I1"].boxes["cg1"]}
    )
    assert find_losses(CONTENT, CONTENT, "cg1", used) == []


def test_a_card_is_missed_and_so_are_its_firefights():
    without = replace(CONTENT, cards={})
    assert find_losses(CONTENT, without, "cg1", NOTHING_USED) == [f"It has no card {CONTENT.cards['cg1'].label}."]
    shorter = replace(CONTENT.cards["cg1"], times=CONTENT.cards["cg1"].times[:-1])
    (loss,) = find_losses(CONTENT, replace(CONTENT, cards={"cg1": shorter}), "cg1", NOTHING_USED)
    assert loss.endswith("has fewer firefights.")


def test_a_map_with_other_sectors_is_another_map():
    neighbours = {number: bordering for number, bordering in CONTENT.sector_map.neighbours.items() if number != 1}
    smaller = replace(CONTENT, sector_map=replace(CONTENT.sector_map, neighbours=neighbours))
    assert find_losses(CONTENT, smaller, "cg1", NOTHING_USED) == ["Its map has other sectors."]


def test_what_was_in_play_or_bought_is_missed():
    counters = {RUSSIAN: {}, GERMAN: CONTENT.counters[GERMAN]}
    used = Used(frozenset({(RUSSIAN, "militia_squad")}), {})
    (loss,) = find_losses(CONTENT, replace(CONTENT, counters=counters), "cg1", used)
    assert loss.startswith("Russian Militia") and loss.endswith("has no such counter (militia_squad).")
    boxes = CONTENT.rosters[RUSSIAN].groups["I1"].boxes["cg1"]
    used = Used(frozenset(), {(RUSSIAN, "I1"): boxes + 1, (RUSSIAN, "X9"): 1})
    assert find_losses(CONTENT, CONTENT, "cg1", used) == [
        f"Russian I1 has been bought {boxes + 1} times, and its roster has {boxes} boxes.",
        "Russian X9 has been bought, and its roster has no such group.",
    ]
