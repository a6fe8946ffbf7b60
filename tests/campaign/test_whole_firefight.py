"""A whole firefight of Into the Inferno by two browsers, fumbles included: the log's second book agrees at its end."""

from types import MethodType

import pytest

from campaign.rules.stages import Stage
from tests.campaign import players
from tests.firefight.table.random_table import SIDES, RandomTable, known
from tests.firefight.table.test_random_table import told, union_of_logs
from tests.oracles.historian import check_story
from tests.oracles.tablekeeper import TableKeeper

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

TURNS, ROLLS = 7, 60
AREAS = {"K7": "11", "K8": "11", "L7": "12", "L8": "12"}
LASTING = {"reduced", "wounded", "m_killed", "f_killed"}


class Firefight(RandomTable):
    """What players do in one: mostly rolls, and every fumble."""

    WEIGHTS = {
        **dict.fromkeys(RandomTable.WEIGHTS, 0),
        "fire": 10,
        "resolve": 20,
        "close_combat": 2,
        "move": 2,
        "set_by_hand": 1,
        "rally": 2,
        "undo": 1,
        "correct": 3,
        "settle": 3,
        "take_back": 1.5,
        "answer": 10,
    }

    def move(self, side, player):
        ids, place = self.some(side), self.rng.choice(list(AREAS))
        return player.do("counters/", id=ids, place=place, area=AREAS[place]) if ids else None

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
        return sum(each.kind == "roll" for each in self.players["german"].log)


def deploy(table):
    """All units of both sides on the map, by hand."""
    for side in SIDES:
        player = table[side]
        ids = [each["id"] for each in player.get("counters.json").json() if each["side"] == side]
        for place, area in list(AREAS.items())[2 * SIDES.index(side) :][:2]:
            half, ids = ids[: len(ids) // 2 + 1], ids[len(ids) // 2 + 1 :]
            assert player.do("counters/", id=half, place=place, area=area).status_code == 302


def test_the_books_agree_at_the_end_of_a_whole_firefight(inferno):
    players.play_to(inferno, Stage.FIREFIGHT)
    table = {side: getattr(inferno, side) for side in SIDES}
    play = Firefight("inferno", table)
    deploy(table)
    start = [each for side in SIDES for each in known(table[side], side)]
    after = play.match.last_number
    play.lose_answers()
    for turn in range(1, TURNS + 1):
        while play.rolls < turn * ROLLS / TURNS:
            play.act()
            table["russian"].get()  # reloaded
        if play.match.proposal:
            for player in table.values():
                player.do("answer/", agrees="no")
        if play.match.state.proposed:
            table["german"].do("proposed/", apply="all")
        if play.match.state.queue:
            table["german"].do("drop/", step="all")
        assert play.match.state.turn == turn
        assert TableKeeper(start).keep(union_of_logs(play), after).plain() == told(play)
        is_rolled = inferno.german.form("end-turn", "firefight/").offers("die")
        inferno.german.end_turn(**({"die": 10 if turn == TURNS else 1} if is_rolled else {}))
    books = TableKeeper(start).keep(union_of_logs(play), after)
    assert play.lost and play.rolls >= ROLLS
    assert inferno.german.stage is Stage.REORGANIZATION
    lasting = {each: (piece["fate"], LASTING & set(piece["state"])) for each, piece in books.plain().items()}
    assert {each: (now["fate"], LASTING & set(now["state"])) for each, now in told(play).items()} == lasting
    assert any(fate for fate, _ in lasting.values()) and any(states for _, states in lasting.values())
    check_story(inferno.german.match)
    # What the phase begins with was told by nobody: rolls have written it.
    assert not [line for line in inferno.german.log if "report" in line.sentence.lower()]
