"""Counters of the text in play: what happens to them, what phases take off, who knows of them."""

import json

import pytest

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.counters import COUNTERS
from firefight.games.streets_of_stalingrad.rules import becoming
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay

from .test_sheets import HEAD
from .test_table import begin, put, record_of

SHEET = "\n".join((HEAD, "A/129\tGerman\t\t\t129\tTank\t9\t7\t2\t21\tyes", "6 Tank\tSoviet\t\t6\t\tTank\t6\t5\t1\t21"))


def counter(key, side="soviet", **more):
    kind = COUNTERS.kinds[side][key]
    return CounterInPlay(f"{side}-1", side, key, kind.name, **more), kind


@pytest.mark.parametrize(
    "side, key, expected",
    [
        ("soviet", "sniper", (8, 1, 0)),
        ("soviet", "zaitsev", (8, 1, 0)),
        ("soviet", "immobilized", (0, 1, 0)),
        ("soviet", "transport", (24, None, 0)),
        ("soviet", "train", (None, 1, None)),
        ("german", "flak_88", (None, 4, None)),
    ],
)
def test_the_text_gives_these_values_and_no_more(side, key, expected):
    kind = COUNTERS.kinds[side][key]
    assert (kind.mp, kind.range, kind.find("af")) == expected
    assert kind.origin == "text"


def test_how_many_the_text_counts():
    german, soviet = COUNTERS.kinds["german"], COUNTERS.kinds["soviet"]
    assert german["stuka"].count == 21
    assert german["flak_88"].indirect_range == 16
    assert [soviet[key].count for key in ("sniper", "zaitsev", "mine_dog", "train")] == [8, 1, 2, 2]
    assert [soviet[key].worth for key in ("sniper", "zaitsev")] == [1, 2]


def test_leaders_are_never_pinned_or_spent_and_come_back_from_wounds():
    leader, kind = counter("commissar")
    for word in ("pinned", "spent"):
        assert becoming.become(leader, kind, word) == leader
    wounded = becoming.become(leader, kind, "wounded")
    assert (wounded.fate, becoming.describe_marked(wounded)) == ("left", "wounded")
    sniper, kind = counter("sniper")
    with pytest.raises(BadInput, match="cannot be Wounded"):
        becoming.become(sniper, kind, "wounded")


def test_markers_stand_in_one_order_and_go_alone():
    sniper, kind = counter("sniper", state=("spent",))
    both = becoming.become(sniper, kind, "pinned")
    assert both.state == ("pinned", "spent")
    assert becoming.become(both, kind, "no_pinned").state == ("spent",)
    assert becoming.become(both, kind, "good_order").state == ()
    mine, kind = counter("minefield")
    assert becoming.become(mine, kind, "pinned") == mine
    with pytest.raises(BadInput):
        becoming.become(mine, kind, "breakthru")


def test_an_immobilized_tank_is_lost_under_any_p():
    tank, kind = counter("immobilized")
    assert becoming.become(tank, kind, "pinned").fate == "eliminated"


# At the table


@pytest.fixture
def german(frozen):
    return frozen(
        "streets on one device", lambda: players.begin("german", hot_seat=True, game="streets-of-stalingrad")[0]
    )


def add(player, side, key, *places, **state):
    """One counter a place, as the page of counters adds and sets it."""
    ids = []
    for place in places:
        before = {row["id"] for row in player.get("counters.json").json()}
        reader = Reader(player.client).open(f"/match/{player.match_id}/counters/?side={side}")
        reader.press(f"counter={key}")
        assert reader.status == 200
        (fresh,) = {row["id"] for row in player.get("counters.json").json()} - before
        answer = player.do("counters/", id=fresh, place=place, **state)
        assert answer.status_code in (200, 302), players.words_of(answer)
        ids.append(fresh)
    return ids


def states(player):
    return {row["id"]: row["state"] for row in player.get("counters.json").json()}


def pin(player, ids, *words):
    for unit in ids:
        for word in words:
            answer = player.do("counters/", id=unit, becomes=word)
            assert answer.status_code in (200, 302), players.words_of(answer)


def test_a_place_is_a_hex_of_the_map(german):
    (sniper,) = add(german, "soviet", "sniper", "1842")
    assert {row["id"]: row["place"] for row in german.get("counters.json").json()} == {sniper: "1842"}
    assert german.do("counters/", id=sniper, place="4199").status_code == 422


def test_a_pin_goes_in_phase_6_but_under_an_attack_marker(german):
    free, attacked = add(german, "soviet", "sniper", "1842", "1843")
    put(german, "phase", "5")
    pin(german, (free, attacked), "pinned")
    row = {"hex": "1843", "marker": "attack", "under_attack": False}
    put(german, "markers", [row])
    put(german, "phase", "6")
    assert states(german) == {free: [], attacked: ["pinned"]}
    sentences = [line.sentence for line in german.log if free in line.touches.split()]
    assert "Pinned" in sentences[-1]
    german.do("take-back/")
    assert states(german) == {free: ["pinned"], attacked: ["pinned"]}


def test_all_goes_after_phase_8_and_spent_stays_until_then(german):
    (sniper,) = add(german, "soviet", "sniper", "1842")
    put(german, "phase", "5")
    pin(german, (sniper,), "spent", "pinned")
    put(german, "phase", "7")
    assert states(german) == {sniper: ["spent"]}
    put(german, "phase", "9")
    assert states(german) == {sniper: []}


def test_a_breakthru_marker_is_its_hexs_and_no_counter_carries_it(german):
    (sniper,) = add(german, "soviet", "sniper", "1842")
    with pytest.raises(AssertionError, match="Nothing is called “breakthru” here"):
        pin(german, (sniper,), "breakthru")
    assert states(german) == {sniper: []}


@pytest.mark.parametrize(
    "before, after, left",
    [
        ("2", "3", ["pinned", "spent"]),
        ("5", "6", ["spent"]),
        ("7", "8", ["pinned", "spent"]),
        ("8", "9", []),
        ("8", "10", []),
        ("9", "10", ["pinned", "spent"]),
        ("12", "13", ["spent"]),
        ("13", "14", ["pinned", "spent"]),
        ("14", "15", ["pinned", "spent"]),
    ],
)
def test_what_comes_off_at_each_step_comes_off_counters_of_both_sides_and_an_immobilized_tank_stays_one(
    german, before, after, left
):
    assert lay(german, SHEET, "All").status == 200
    german.do("counters/add/", list="German: A/129\nSoviet: 6 Tank")
    put(german, "phase", before)
    pin(german, ("german-1",), "pinned", "spent")
    german.do("counters/", id="soviet-1", becomes="spent")
    german.do("counters/", id="soviet-1", becomes="immobilized")
    put(german, "phase", after)
    assert states(german)["german-1"] == left
    assert states(german)["soviet-1"] == [*(["spent"] if "spent" in left else []), "immobilized"]


def test_the_last_phase_of_a_day_takes_all_off(german):
    (sniper,) = add(german, "soviet", "sniper", "1842")
    put(german, "phase", "15")
    pin(german, (sniper,), "pinned", "spent")
    german.do("advance/")
    assert german.match.state.position.turn == 2
    assert states(german) == {sniper: []}


def test_a_day_that_is_passed_over_takes_all_off(german):
    (sniper,) = add(german, "soviet", "sniper", "1842")
    put(german, "phase", "5")
    pin(german, (sniper,), "pinned", "spent")
    put(german, "turn", "2")  # phase 5 again, a day later
    assert states(german) == {sniper: []}


def test_a_hidden_counter_is_its_sides_alone(db):
    german, soviet = begin()
    page = Reader(soviet.client).open(f"/match/{soviet.match_id}/counters/?side=soviet")
    page.form("#gallery-add")
    answer = soviet.do("counters/add/", side="soviet", counter="sniper", hidden="on")
    assert answer.status_code in (200, 302)
    assert [row["counter"] for row in soviet.get("counters.json").json()] == ["sniper"]
    assert german.get("counters.json").json() == []
    assert "Sniper" not in json.dumps([line.sentence for line in german.log])
    assert record_of(german)["markers"] == []


def test_who_comes_into_a_pinned_hex_is_pinned_but_leaders_and_who_is_set_otherwise(german):
    pinned, comes, leads, set_by_hand = (
        *add(german, "soviet", "sniper", "1842", "1843"),
        *add(german, "soviet", "leader", "1843"),
        *add(german, "soviet", "zaitsev", "1843"),
    )
    pin(german, (pinned,), "pinned")
    for mover in (comes, leads):
        german.do("counters/", id=mover, place="1842")
    german.do("counters/", id=set_by_hand, place="1842", state="")
    assert states(german) == {pinned: ["pinned"], comes: ["pinned"], leads: [], set_by_hand: []}
    german.do("counters/", id=leads, place="1843", state="", drawn="")
    german.do("counters/", id=comes, becomes="good_order")
    german.do("counters/", id=comes, place="1843")
    assert states(german)[comes] == []


def test_a_pinned_marker_of_a_hex_pins_who_comes_and_an_enemys_does_not(german):
    (comes,) = add(german, "soviet", "sniper", "1843")
    (gun,) = add(german, "german", "flak_88", "1842")
    pin(german, (gun,), "pinned")
    german.do("counters/", id=comes, place="1842")
    assert states(german)[comes] == []
    put(german, "markers", [{"hex": "1844", "marker": "pinned", "under_attack": False}])
    german.do("counters/", id=comes, place="1844")
    assert states(german)[comes] == ["pinned"]
