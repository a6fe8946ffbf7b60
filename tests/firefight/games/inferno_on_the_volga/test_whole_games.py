"""Whole games through the page, by somebody who looks a turn ahead: one is won, one is lost, both within the taps.

A slice plays the one that is won; a player who passes shows in a fifth of the time that a game can be lost.
"""

import gzip
import re
from statistics import median

import pytest

from firefight.games.inferno_on_the_volga.solo.policies import POLICIES
from firefight.models import LogEntry, Match
from tests.conftest import seed_by
from tests.firefight.table.test_fairness import run_script
from tests.soak import length

from . import by_page

pytestmark = pytest.mark.django_db
AHEAD, PASS = POLICIES["look-ahead"], POLICIES["pass"]
MOST_TAPS = 130
MOST_BYTES = 9_500  # of an answer, before compression
MOST_SENT = 2_550  # of an answer, as it is sent
GERMAN, SOVIET = "German Decisive Victory", "Soviet Decisive Victory"


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "level", "winner", "words"),
    [("bank 94", "standard", "german", GERMAN), ("bank 12", "standard", "soviet", SOVIET)][: length(1, 2)],
)
def test_a_game_is_played_to_its_end_through_its_page(client, monkeypatch, tmp_path, name, level, winner, words):
    seed_by(name, monkeypatch)
    sizes = []

    def weigh(reader):
        if reader.response.request["PATH_INFO"].endswith("/step/"):
            answer = reader.response.content
            sizes.append((len(answer), len(gzip.compress(answer, 6))))

    reader = by_page.begin(client, at_once=True, level=level)
    match = Match.objects.get()
    presses = by_page.play_on(reader, match, AHEAD, look=weigh)

    state = match.state.record["solo"]
    assert state["over"] == winner
    taps = {side: [number for (_, of), number in presses.items() if of == side] for side in ("german", "soviet")}
    assert median(taps["german"]) <= 6 and median(taps["soviet"]) <= 2
    assert sum(presses.values()) <= MOST_TAPS
    assert len(sizes) > 50
    assert max(size for size, _ in sizes) <= MOST_BYTES and max(sent for _, sent in sizes) <= MOST_SENT

    numbers = [die.number for line in LogEntry.objects.order_by("number") for die in line.rolls if die.source == "app"]
    match.refresh_from_db()
    assert numbers == list(range(1, match.next_roll)), "Every number is thrown once."

    verdict = f"The game is over: {words}."
    assert verdict in reader.words(by_page.STEP)
    reader.press("End the match")
    assert "The match has ended" in reader.words("#now") and not reader.has(by_page.STEP)
    assert verdict in reader.words("#now") and "Choose a roll" not in reader.words()
    check_report(by_page.Reader(client).open(f"{reader.address}report/"), verdict)
    assert "rolls of the app checked: all of them fit the seed" in reader.press("Check the dice").words("main")
    log = tmp_path / "inferno.json"
    log.write_bytes(client.get(f"/match/{match.pk}/log.json").content)
    checked = run_script(log)
    assert checked.returncode == 0, checked.stdout
    output = " ".join(checked.stdout.split())
    assert f"Rolls 1 to {len(numbers)} of the app fit the seed" in output
    # Faces under seal are no more in the file than their words.
    fitting, withheld = (int(re.search(rf"{words} (\d+) rolls", output)[1]) for words in ("Checked", "What came of"))
    assert withheld > 0 and fitting + withheld == len(numbers)


def check_report(reader, verdict):
    """It says first how the game ended; of dice it counts what players throw, not what is drawn blindly or turned."""
    assert verdict in reader.words(".in-short")
    series = [node.text().split(",")[1].strip() for node in reader.find("[aria-labelledby=dice-head] tbody th")]
    assert series and {*series} == {"d6"}
    reader.press("Markdown")
    assert verdict in reader.words()


def test_who_passes_loses_by_the_deck_without_a_script(client, monkeypatch):
    seed_by("bank 5", monkeypatch)
    reader = by_page.begin(client, script=False)
    match = Match.objects.get()
    by_page.play_on(reader, match, PASS)
    assert match.state.record["solo"]["over"] == "soviet"
    assert "the last Soviet card is drawn" in reader.words(by_page.STEP)
