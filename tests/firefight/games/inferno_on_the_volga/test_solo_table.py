"""The solo game in a match, from its page: set up, an action, the Soviet turn; and nothing hidden is sent."""

import json

import pytest

from firefight.games.inferno_on_the_volga.game import HOUSE
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
STEP = "form#step-form"


@pytest.fixture
def solo():
    """A match against the app."""
    return players.begin("german", game="inferno-on-the-volga", mode="solo", **{"option-board": "app"})[0]


def step_of(player):
    return player.get("step.json").json()["step"]


def go_on(player, **fields):
    answer = player.do("step/", **fields)
    assert answer.status_code in (200, 302), players.words_of(answer)
    return step_of(player)


def record_of(player):
    return player.match.state.record


def test_a_turn_from_the_set_up_to_the_next_question(solo):
    reader = Reader(solo.client).open(f"/match/{solo.match_id}/")
    reader.form(STEP).press("Begin")
    step = step_of(solo)
    assert step["side"] == "german" and step["question"] == "Turn 1: which action?"
    assert {"call", "short"} <= {option["choice"] for option in step["options"]}
    state = record_of(solo)["solo"]
    assert len(state["hands"]["german"]) + len(state["leaders"]["german"]) == 3
    assert record_of(solo)["decks"]["soviet"] == 28 and len(record_of(solo)["stacks"]) == 23
    go_on(solo, choice="short")
    go_on(solo, choice="done")
    for _ in range(9):
        if step_of(solo)["question"].startswith("Turn 2"):
            break
        go_on(solo, dice="app")
    assert (solo.match.state.turn, solo.match.state.impulse) == (2, "german")
    assert record_of(solo)["solo"]["turn"] == 2


def test_what_the_soviets_hide_is_nowhere_in_what_the_player_gets(solo):
    go_on(solo)
    go_on(solo, choice="call")
    state = record_of(solo)["solo"]
    hidden = {HOUSE.blocks[key].name for key, (at, _) in state["blocks"].items() if HOUSE.blocks[key].side == "soviet"}
    for page in ("", "record.json", "step.json", "log.json", "archive.json"):
        text = solo.client.get(f"/match/{solo.match_id}/{page}").content.decode()
        assert not [name for name in hidden if name in text], page
        assert "german_held" not in text, page


def test_an_illegal_choice_is_refused_with_its_reason(solo):
    go_on(solo)
    before = json.dumps(record_of(solo)["solo"])
    answer = solo.do("step/", choice="hasty")
    reason = "No Stack away from Soviets has a hex next to Soviets beside it (Actions 4)."
    assert answer.status_code == 422 and reason in players.words_of(answer)
    assert json.dumps(record_of(solo)["solo"]) == before
