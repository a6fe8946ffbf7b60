"""A form of the ledger that is sent again gets the first answer, wherever the campaign stands, and changes nothing.

An act id is looked up before anything is judged. So whatever a form asks for under an id that was used, at whatever
stage, the answer is the same: no form may be judged by the campaign's present state while it is read.
"""

import uuid

import pytest

from campaign.acts.forms import FORMS
from campaign.rules.stages import Stage
from tests.frozen import every_row

pytestmark = pytest.mark.django_db

DICE = {"dice": "table", "die": "3"}
# A form that can be read, for each thing that a form can ask for.
ASKED = {
    "reinforce": DICE,
    "buy": {"group": "I1", **DICE},
    "refund": {"number": "1"},
    "put-right-cp": {"amount": "7", "reason": "told wrongly"},
    "seal": {"order": "attack"},
    "withdraw-orders": {},
    "reveal": {},
    "settle": {"dice": "table", "german_die": "3", "russian_die": "4"},
    "place": {"unit": ["1", "2"], "sector": "5"},
    "building": {"building": "K7", "hexes": "2", "number": "1"},
    "take-off": {"unit": ["1"]},
    "confirm": {},
    "plot": {"first": "K7", "second": "", "number": "1", "turn": "2"},
    "observer": {"hex": "K7"},
    "withdraw": {"number": "1"},
    "open": {"number": "1"},
    "end-turn": DICE,
    "report": {"news": "eliminated", "unit": ["1"], "sector": ""},
    "random-marker": {"hex": "K7"},
    "end-nest": {"number": "1"},
    "battery": {"number": "1", "news": "ffe"},
    "aircraft": {"number": "1", **DICE},
    "air-attack": {"number": "1", "weapon": "he"},
    "down": {"number": "1"},
    "confirm-report": {},
    "mines": {"unit": ["1"], "factors": "6", "drm": "0", "dice": "table", "mine": "50"},
    "redeploy": {"to_1": "7", "hex_1": "K7", "die_1": "3", "dice": "table"},
    "fight": {"attacker": ["german-1"], "defender": ["russian-1"], "attack": "5", "attack_hit_1": "3", "dice": "table"},
    "fight-round": {},
    "hurry": {"how_far": "round"},
    "recover": {"die_1": "3", "mend_1": "4", "dice": "table"},
    "concede": {"sure": "on"},
    "take-back": {},
    "answer": {"agrees": "yes"},
}


def test_there_is_a_form_for_everything():
    assert set(ASKED) == set(FORMS)


@pytest.mark.parametrize("stage", Stage)
def test_an_id_that_was_used_gets_its_first_answer_at_every_stage(volga_at, stage):
    german = volga_at(Stage.PURCHASES if stage is Stage.OVER else stage).german
    act = str(uuid.uuid4())
    german.note("Into the cellar!", act=act)
    first = german.address(f"?done={german.last.number}")
    if stage is Stage.OVER:
        german.press("concede", sure="on")
    assert german.stage is stage
    before = every_row()
    versions = ("1", str(german.match.version))
    for number, (does, fields) in enumerate(ASKED.items(), [*Stage].index(stage)):  # from stage to stage the other one
        again = german.ask(does, act=act, version=versions[number % 2], **fields)
        assert (again.status_code, again.headers.get("Location")) == (302, first), does
    assert every_row() == before
