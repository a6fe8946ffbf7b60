"""Counters that a form declares: the frame fills them in, refuses those that cannot be named so, and hands them on."""

import json

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import words_of
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too

pytestmark = pytest.mark.django_db


def seat_sides():
    north, links = players.begin("north", game="two-bridges")
    south = players.sit(links["south"], north.match_id)
    north.do("counters/add/", list="North: 2 companies\nSouth: 2 companies")
    return north, south


@pytest.fixture
def sides(frozen):
    """A match with a browser for each side: two companies of North, two of South."""
    return frozen("two bridges", seat_sides)


def known(player):
    return {counter["id"]: counter for counter in player.get("counters.json").json()}


def fire(player, by="north-1,north-2", at="south-1", die="1"):
    """Fire as somebody does who chooses counters: the page fills in who they are."""
    chosen = [*(f"firers={id}" for id in by.split(",")), *(f"targets={id}" for id in at.split(","))]
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/fire/?{'&'.join(chosen)}")
    reader.form("#desk-form").fill(die=die).press("Resolve")
    return reader


def rows(*ids, state=()):
    return json.dumps([{"kind": "company", "name": "Company", "state": list(state), "id": id} for id in ids])


def test_a_page_shows_the_chosen_counters_and_the_rule_gets_them(sides):
    north, _ = sides
    reader = fire(north, at="south-1,south-2")
    assert "Fire: 2 hit." in reader.words("#desk")
    roll = next(entry for entry in north.log if entry.helper == "fire")
    assert [row["id"] for row in roll.inputs["by"]] == ["north-1", "north-2"]
    assert roll.inputs["at"][0] == {"kind": "company", "name": "Company #1", "state": [], "id": "south-1"}
    assert "Entered otherwise" not in roll.sentence
    assert [known(north)[id]["state"] for id in ("south-1", "south-2")] == [["shaken"], ["shaken"]]


def test_what_is_due_has_its_counters_as_they_are_by_then(sides):
    north, south = sides
    fire(north)
    [step] = south.match.state.queue
    assert (step.helper, step.read_by, step.inputs["who"][0]["state"]) == ("rally", "south", [])
    reader = Reader(south.client).open(f"/match/{south.match_id}/roll/rally/?step={step.id}")
    assert "Company #1, shaken" in reader.words("#desk")
    reader.form("#desk-form").fill(die="6").press("Resolve")
    roll = next(entry for entry in south.log if entry.helper == "rally")
    assert roll.inputs["who"][0]["state"] == ["shaken"]
    assert "Entered otherwise" not in roll.sentence
    assert known(south)["south-1"]["state"] == []


def test_a_second_hit_takes_a_counter_out_of_play_and_what_is_due_of_it_off_the_list(sides):
    north, south = sides
    fire(north)
    fire(north)
    assert known(south)["south-1"]["fate"] == "eliminated"
    assert south.match.state.queue == ()


@pytest.mark.parametrize(
    ("by", "at", "reason"),
    [
        (("south-1",), ("south-2",), "Company #1 is South: choose your own counters to attack."),
        (("north-1",), ("north-2",), "Company #2 is your own: choose counters of the other side as targets."),
        (("north-1",), ("south-9",), "There is no such counter in play: south-9."),
    ],
)
def test_counters_that_cannot_be_named_so_are_refused_wherever_they_stand(sides, by, at, reason):
    north, _ = sides
    before = players.rows()
    answer = north.roll("fire", by=rows(*by), at=rows(*at), die="1", dice="table")
    assert answer.status_code == 422 and reason in words_of(answer)
    answer = north.roll("fire", firers=by, targets=at, die="1", dice="table")
    assert answer.status_code == 422 and reason in words_of(answer)
    assert players.rows() == before


def test_a_counter_that_is_gone_is_refused(sides):
    north, _ = sides
    fire(north)
    fire(north)
    answer = north.roll("fire", by=rows("north-1"), at=rows("south-1"), die="1", dice="table")
    assert answer.status_code == 422 and "Company #1 is out of play: eliminated." in words_of(answer)


def test_a_hidden_counter_is_unknown_to_the_other_side_and_shown_only_after_asking(sides):
    north, south = sides
    [captain] = south.bring_hidden("South: 1 captain")
    answer = north.roll("fire", by=rows("north-1"), at=rows(captain), die="1", dice="table")
    assert answer.status_code == 422 and f"There is no such counter in play: {captain}." in words_of(answer)
    refused = south.roll("fire", by=rows(captain), at=rows("north-1"), die="1", dice="table")
    assert refused.status_code == 422 and "hidden: this roll shows it" in words_of(refused)
    assert captain not in known(north)
    south.roll("fire", by=rows(captain), at=rows("north-1"), die="1", dice="table", shows="on")
    assert known(north)[captain]["hidden"] is False


def test_what_a_hand_types_otherwise_than_the_counters_say_is_said(sides):
    north, _ = sides
    fire(north)
    north.roll("fire", by=rows("north-1"), at=rows("south-1"), die="6", dice="table")
    assert north.last.sentence == (
        "Fire: 0 hit. Entered otherwise than the counters say: Company #1: State blank, not Shaken."
    )


def test_a_helper_without_a_match_takes_counters_that_are_typed():
    reader = Reader(players.Player().client).open(players.page_of("fire").replace("combat-stalingrad", "two-bridges"))
    for name in ("by", "at"):
        form = reader.form("#desk-form")
        if not form.controls(f"{name}-new-kind"):
            form.press(f"more={name}-open")
        reader.form("#desk-form").fill({f"{name}-new-kind": "company"}).press(f"more={name}-add")
    reader.form("#desk-form").fill(die="1").press("Resolve")
    assert "Fire: 1 hit." in reader.words("#desk")
