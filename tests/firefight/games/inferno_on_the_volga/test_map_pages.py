"""The map of a solo game from its page: set up, played, and silent about what the app holds."""

import html
import random
import re

import pytest

from firefight.games.inferno_on_the_volga.game import HOUSE
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
LIT, STEP = "#board-over .lit", "form#step-form"
SOVIET_NAMES = sorted({block.name for block in HOUSE.of_side("soviet")} - {"", "-"})
SOVIET_KEYS = sorted({block.key for block in HOUSE.of_side("soviet")} - {"aa"})  # a German card is called so, too
MOST = 40
CLASS = re.compile(r'class="[^"]*"')  # a place's number looks like the key of a block


@pytest.fixture
def german(frozen):
    return frozen("inferno set up by the app", set_up)


def set_up():
    german = players.begin("german", game="inferno-on-the-volga")[0]
    german.do("step/", dice="app", way="all")
    return german


def press_any(german, reader, chance):
    """One press of something that the page offers."""
    buttons = reader.find(f"{LIT} button") + reader.find(f"{STEP} > .choices button")
    if buttons:
        reader.press_node(chance.choice(buttons))
    else:
        german.do("step/", dice="app", way="all")
        reader.open(reader.address)


def test_a_solo_game_is_set_up_and_played_on_its_map(german):
    reader, chance = Reader(german.client).open(f"/match/{german.match_id}/"), random.Random(7)
    assert "rubble 0 of 15" in reader.words("#board-status")
    for _ in range(MOST):
        press_any(german, reader, chance)
        assert reader.status == 200
    assert german.match.state.turn > 1


def test_no_answer_names_a_block_of_the_app_that_is_closed(german):
    reader, chance = Reader(german.client).open(f"/match/{german.match_id}/"), random.Random(8)
    for _ in range(MOST):
        press_any(german, reader, chance)
        combat = german.match.state.record["solo"]["combat"]
        if combat and combat["revealed"]:
            continue
        answers = [german.get(address).content.decode() for address in ("board/", "step.json", "record.json")]
        answers.append(reader.find("#board-over")[0].html)
        for text in (html.unescape(CLASS.sub("", answer)) for answer in answers):
            assert not {*SOVIET_KEYS} & {*re.findall(r"\w+", text)}
            assert not [name for name in SOVIET_NAMES if len(name) > 5 and name in text]


def test_the_map_is_drawn_within_its_budget(german):
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    assert len(page.find("#board-over")[0].html) <= 6_000
    assert len(page.response.content) <= 60_000
    drawing = german.client.get(page.find(".board-sheet img")[0].attributes["src"])
    assert drawing.status_code == 200 and len(drawing.content) <= 40_000


@pytest.mark.parametrize("script", [True, False])
def test_what_is_lit_belongs_to_the_question_whatever_else_lies_on_the_desk(german, script):
    """A place is pressed through the form of the question, which stands there below the form of a roll, too."""
    reader = Reader(german.client, script).open(f"/match/{german.match_id}/")
    reader.press("choice=short", STEP)
    reader.open(f"/match/{german.match_id}/roll/hits/")
    assert reader.has("#desk-form")
    lit = reader.find(f"{LIT} button")[0]
    reader.press_node(lit)
    assert reader.status == 200 and german.match.state.record["solo"]["todo"][-1]["start"] in lit.attributes["value"]
