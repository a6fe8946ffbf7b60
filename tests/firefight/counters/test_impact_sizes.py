"""What an impact on many counters costs a phone: each answer to its last check, as it is sent."""

import gzip
import json

import pytest

from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, sit, text_of

pytestmark = pytest.mark.django_db

ANSWER = 10_000  # bytes, as they are sent
PLAIN = 21_000  # before they are packed
ZONE = ("K7", "K6", "K8", "J6", "J7", "L6", "L7")


@pytest.fixture
def crowd():
    """28 Russian counters in the zone of a German 122 mm CFF that may become an FFE."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    russian.do("counters/add/", list="Russian: 20 Rifle squads, 4 Commissars, 4 Maxim M1910")
    for number, place in enumerate(ZONE):
        russian.do("counters/", id=list(german.match.state.counters)[number::7], place=place)
    german.do("record/", field="turn", value="2")
    german.do("record/", field="phase", value="fire_and_movement")
    german.do("rows/", field="missions", **{"part-caliber": "122"})
    called = {"marker": "cff", "hex": "K7", "placed": 1, "called": 1}
    german.do("rows/", change=json.dumps({"missions": {"change": {"german-1": called}}}))
    return german, russian


def sizes(response):
    return len(gzip.compress(response.content, 6)), len(response.content)


def test_each_answer_of_an_impact_on_28_counters_keeps_to_the_budget(crowd):
    german, russian = crowd
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#missions-german-1 form", number=1).press("Convert in K7")
    sizes_by_result = {}
    for face in ("30", *["3"] * len(ZONE)):
        reader.form("#desk-form").fill(die=face).press("Resolve")
        sent, plain = sizes(reader.response)
        sizes_by_result[reader.words("#result")] = sent, plain
        assert (sent <= ANSWER, plain <= PLAIN) == (True, True), sizes_by_result
        (heading,) = [step for step in german.match.state.queue if step.helper == "fire"][:1] or (None,)
        if heading is None:
            break
        reader.open(f"/match/{german.match_id}/roll/fire/?step={heading.id}")
    assert any(result.startswith("2E") or "2E" in result for result in sizes_by_result), sizes_by_result
    news = russian.get("live/", htmx=True, version="1", after=german.last.number - 3)
    assert sizes(news)[0] <= ANSWER


def test_alike_pictures_beside_a_result_are_one_with_their_number(crowd):
    german, _ = crowd
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#missions-german-1 form", number=1).press("Convert in K7")
    reader.form("#desk-form").fill(die=30).press("Resolve")
    about_counters = pages.find(text_of(reader.response), "#desk .about-counters")[-1]
    assert len(about_counters.css("img")) < 4 and "×" in pages.words(about_counters)
