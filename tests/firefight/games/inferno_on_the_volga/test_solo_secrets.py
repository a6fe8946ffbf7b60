"""What the player may not know is in no answer: games played at random, each answer searched, the hidden changed.

A name may be read where an open line of the log has told it, as a Showdown does; and every answer reads the same
whatever lies under the closed blocks, in the Soviet hand and in the Soviet deck.
"""

import html
import json
import random
import re

import pytest

from firefight.games.inferno_on_the_volga.game import HOUSE
from firefight.models import LogEntry, Match
from tests.soak import length, seeds

from . import by_page
from .solo_games import hide_otherwise

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
NAMES = sorted({block.name for block in HOUSE.of_side("soviet")})
MOST_PRESSES = length(25, 1_500)  # of a game, in a soak of all of it
EVERY = 12  # presses between two changes of what is hidden
LOOKED_AT = (
    *(
        "",
        "board/",
        "board/?at=9",
        "step.json",
        "record.json",
        "record/",
        "log.json",
        "log/",
        "now.json",
        "dice/",
        "file/",
    ),
    *("report/", "report.md", "table/", "charts/"),
    *(f"roll/{helper}/" for helper in ("combat", "soviet-turn", "soviet-card", "spawn", "soviet-dice", "victory")),
)
SENT = ("hex-9", "hex-1", "hasty", "block-i45", "with-sniper", "nonsense")
# What is new in every answer: ids of acts, tokens of forms, the time.
OF_ONE_ANSWER = re.compile(r'name="(act|csrfmiddlewaretoken)" value="[^"]+"|"(token|written)": "[^"]+"')


def words_of(answer):
    return html.unescape(answer.content.decode())


def names_in(text):
    return {name for name in NAMES if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}


def told_openly(match):
    lines = LogEntry.objects.filter(match=match, secret="").values_list("sentence", flat=True)
    return " ".join(lines)


def press_any(reader, chance):
    """One press of anything that is offered."""
    buttons = reader.find(f"{by_page.LIT} button, {by_page.STEP} > .choices button")
    node = chance.choice(buttons) if buttons else reader.find(f"{by_page.STEP} .actions button")[0]
    reader.press_node(node)
    assert reader.status == 200


def swap_hidden(match, chance):
    """Other blocks under the closed ones, other cards in the hand; what was there."""
    before = match.state.record["solo"]
    match.state.record["solo"] = hide_otherwise(before, chance)
    match.save()
    return before


def look_around(client, match):
    """Every page and every JSON, and what is said to choices that do not exist."""
    at = f"/match/{match.pk}/"
    answers = [client.get(f"{at}{address}") for address in LOOKED_AT]
    assert {answer.status_code for answer in answers} == {200}
    plain = json.loads(client.get(f"{at}archive.json").content)
    plain.pop("unplayed")
    return [OF_ONE_ANSWER.sub("", words_of(answer)) for answer in answers] + [OF_ONE_ANSWER.sub("", json.dumps(plain))]


def list_refusals(reader):
    """What is said to choices that are not offered."""
    offered = {node.attributes["value"] for node in reader.find("[name=choice]")}
    fields = {name: values[0] for name, values in reader.form(by_page.STEP).sent().items()}
    sent = [{**fields, "choice": choice} for choice in SENT if choice not in offered]
    answers = [reader.client.post(f"{reader.address}step/", fields) for fields in sent]
    assert {answer.status_code for answer in answers} <= {422}
    return [OF_ONE_ANSWER.sub("", words_of(answer)) for answer in answers]


@pytest.mark.parametrize("seed", seeds(1, 50))
def test_no_answer_tells_what_the_app_holds(client, seed):
    chance = random.Random(f"secrets {seed}")
    reader = by_page.begin(client)
    match = Match.objects.get()
    for press in range(MOST_PRESSES):
        if reader.has("form[action$='/end/'] button:not(.second)"):
            break
        press_any(reader, chance)
        match = Match.objects.get(pk=match.pk)
        known = told_openly(match)
        assert names_in(words_of(reader.response)) <= names_in(known), press
        if press % EVERY or match.state.record["solo"]["combat"]:
            continue
        asks = reader.has(f"{by_page.STEP} .question") and not reader.has(f"{by_page.STEP} [name=dice]")
        answers = look_around(client, match) + (list_refusals(reader) if asks else [])
        assert names_in(" ".join(answers)) <= names_in(known)
        before = swap_hidden(match, chance)
        assert look_around(client, match) + (list_refusals(reader) if asks else []) == answers, press
        match.state.record["solo"] = before
        match.save()
