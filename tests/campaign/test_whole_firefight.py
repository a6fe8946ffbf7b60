"""A whole firefight of Into the Inferno by two browsers, fumbles included: the log's second book agrees at its end, and
the Reorganization Phase is played from what it has left, as the reference of chapter 20 plays it."""

from types import MethodType

import pytest

from campaign.ledger.ledger import load
from campaign.rules.stages import Stage
from firefight.drawing.paper import Format
from firefight.models import LogEntry
from firefight.table.story import report
from firefight.table.story.report_paper import draw_report
from tests.campaign.memory import Memory
from tests.campaign.random_firefight import RandomFirefight, in_firefight
from tests.campaign.random_phase import Run
from tests.filling import Reader
from tests.firefight.table.test_random_table import told, union_of_logs
from tests.oracles.historian import check_story
from tests.oracles.tablekeeper import TableKeeper
from tests.reading import trial
from tests.soak import length

pytestmark = pytest.mark.django_db

TURNS, ROLLS = 7, length(10, 60)
LONG = 1_393  # lines of a whole campaign
PHASES = length(1, 50)
LASTING = {"reduced", "wounded", "m_killed", "f_killed"}


class Firefight(RandomFirefight):
    """What players do in one: mostly rolls, and every fumble."""

    WEIGHTS = {
        **dict.fromkeys(RandomFirefight.WEIGHTS, 0),
        "fire": 10,
        "resolve": 20,
        "close_combat": 2,
        "declare": 2,
        "move": 2,
        "set_by_hand": 1,
        "rally": 2,
        "undo": 1,
        "correct": 3,
        "settle": 3,
        "take_back": 1.5,
        "answer": 10,
    }

    def lose_answers(self):
        """Now and then the network loses an answer: the form is sent again, and nothing is done twice."""
        for player in self.players.values():
            plainly, self.lost = player.send, 0

            def send(player, place, fields, htmx=False, plainly=plainly):
                answer = plainly(place, fields, htmx)
                if self.rng.random() < 0.2:
                    version, self.lost = player.match.version, self.lost + 1
                    plainly(place, fields, htmx)
                    assert player.match.version == version, place
                return answer

            player.send = MethodType(send, player)

    @property
    def rolls(self):
        """How many rolls the log has."""
        return sum(entry.kind == "roll" for entry in self.players["german"].log)


def end_turn(play, german, turn):
    """Settle what waits, compare the books, and end the turn on the campaign's page."""
    if play.match.proposal:
        for player in play.players.values():
            player.do("answer/", agrees="no")
    if play.match.state.proposed:
        play.players["german"].do("proposed/", apply="all")
    if play.match.state.queue:
        play.players["german"].do("drop/", step="all")
    assert TableKeeper(play.start).keep(union_of_logs(play), play.after).plain() == told(play)
    is_rolled = german.form("end-turn", "firefight/").offers("die")
    reader = Reader(german.client).open(german.address("firefight/"))
    reader.form("form", does="end-turn").fill({"die": 10 if turn == TURNS else 1} if is_rolled else {})
    reader.press("End the turn")
    if reader.status == 422:
        assert "Still open: Close Combat in" in reader.words(".trouble")
        reader.press("End the turn all the same")
    assert reader.status == 200


@pytest.mark.soak
def test_the_books_agree_at_the_end_of_a_whole_firefight(inferno):
    play = Firefight("inferno", in_firefight(inferno))
    play.lose_answers()
    while inferno.german.stage is Stage.FIREFIGHT:  # a turn's end may be taken back, too
        while play.rolls < play.match.state.turn * ROLLS / TURNS:
            play.act()
            inferno.russian.get()  # reloaded
        end_turn(play, inferno.german, play.match.state.turn)
    books = TableKeeper(play.start).keep(union_of_logs(play), play.after)
    assert play.lost and play.rolls >= ROLLS
    assert inferno.german.stage is Stage.REORGANIZATION
    lasting = {counter: (piece["fate"], LASTING & set(piece["state"])) for counter, piece in books.plain().items()}
    assert {counter: (piece["fate"], LASTING & set(piece["state"])) for counter, piece in told(play).items()} == lasting
    assert any(fate for fate, _ in lasting.values()) and any(states for _, states in lasting.values())
    check_story(inferno.german.match)
    check_paper(inferno.german.match)
    # What the phase begins with was told by nobody: rolls have written it.
    assert not [line for line in inferno.german.log if "report" in line.sentence.lower()]
    play_phases(inferno.german)


@trial()
def check_paper(match):
    """A log as long as a whole campaign's is printed in a small file."""
    begin, end = 20, match.last_number
    for shift in range(end - begin + 1, LONG, end - begin + 1):
        entries = match.log.filter(number__range=(begin, end)).order_by("number")
        LogEntry.objects.bulk_create(repeat(entry, begin, shift) for entry in entries)
    match.last_number = match.log.latest("number").number
    narrative = report.read_story(match, ("german", "russian"))
    paper = draw_report(narrative, "x", Format.A4, match.created)
    assert (
        sum(len(chapter.lines) for chapter in narrative.chapters) > 0.8 * LONG < match.last_number
        and narrative.draw_strip()[0]
    )
    assert len(paper.bytes()) <= 66_000, len(paper.bytes())


def repeat(entry, begin, shift):
    """The same line so many lines later, with the lines that it answers."""
    entry.pk, entry._state.adding, entry.number = None, True, entry.number + shift
    for name in ("about", "voided_by"):
        if (getattr(entry, name) or 0) >= begin:
            setattr(entry, name, getattr(entry, name) + shift)
    above, _, step = entry.due.partition("-")
    if above.isdigit() and int(above) >= begin:
        entry.due = f"{int(above) + shift}-{step}"
    return entry


def play_phases(player):
    """Play the phase from what the firefight has left, in several ways; each act is compared with the reference."""
    before = player.get("counters.json").json()
    for part in range(PHASES):
        run = Run(f"inferno {part}", lambda _: Memory(load(player.match))).play()
        assert run.ledger.stage is not Stage.REORGANIZATION
    assert player.get("counters.json").json() == before  # all of it in memory
