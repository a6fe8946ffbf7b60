"""Whole games on the players' own table, by its page alone: the app asks, and a board that the test keeps answers."""

import re

import pytest

from firefight.games.inferno_on_the_volga.rules.ending import POINTS
from firefight.games.inferno_on_the_volga.rules.tables import GERMAN_SPAWN, MOST_UNITS, SOVIET_SPAWN
from firefight.games.inferno_on_the_volga.solo.own_table import ORDINALS
from firefight.models import Match
from tests.conftest import seed_by
from tests.filling import Reader
from tests.pages import words

from .solo_games import HOUSE

pytestmark = pytest.mark.django_db
STEP, DESK = "form#step-form", "#desk"
MOST_TURNS, MOST_QUESTIONS = 60, 40
FEW = 9  # Germans on the map, so that they are called


class OwnBoard:
    """Blocks as players have them on their own map: how many of a side stand in a hex."""

    def __init__(self, soviets, germans):
        self.soviets, self.germans, self.printed = {**soviets}, {**germans}, HOUSE.board

    def list_top(self):
        """The tallest Soviet Stacks in rolling order."""
        most = max(self.soviets.values(), default=0)
        return self.printed.in_rolling_order([hex for hex, units in self.soviets.items() if units == most])

    def tell_fullness(self, hex):
        """The button that says how full a Spawn Hex is."""
        units = self.soviets.get(hex, 0)
        return "Four" if units == MOST_UNITS else "Three" if units == MOST_UNITS - 1 else "None to two"

    def tell_ahead(self, start, ahead):
        """The button that says what lies before a Stack."""
        if start not in self.soviets:
            return "Nobody is left here"
        if not ahead:
            return "No playable hex"
        if ahead in self.germans:
            return "Germans"
        if self.soviets.get(ahead, 0) == MOST_UNITS:
            return "Four Soviets"
        return "X, Y or Z, empty" if ahead in GERMAN_SPAWN else "A hex with room"

    def find_way(self, start, goals):
        """The hexes of a shortest way to one of the goals."""
        before, edge = {start: ""}, [start]
        for hex in edge:
            if hex in goals:
                way = [hex]
                while before[way[-1]]:
                    way.append(before[way[-1]])
                return way[-2::-1] or way
            for name in self.printed.next_to[hex]:
                if name not in before:
                    before[name] = hex
                    edge.append(name)
        raise AssertionError("Every hex can be reached.")


def add(side, hex, units):
    """Blocks come to a hex, or leave it."""
    side[hex] = side.get(hex, 0) + units
    if not side[hex]:
        del side[hex]


class AtOwnTable:
    """A player with a page, and with a map beside it."""

    def __init__(self, client, board):
        self.board, self.rolled, self.destroyed = board, [], 0
        self.reader = Reader(client).open("/").press("Inferno on the Volga").press("Begin a game")
        self.reader.form("form.card:not(.lessons)").fill({"option-board": "table"}).press("Begin")
        self.reader.press("To the match")
        self.match = Match.objects.get()

    @property
    def record(self):
        """What the match keeps."""
        self.match.refresh_from_db()
        return self.match.state.record

    def play(self, act):
        """Turn after turn until the page says who has won: in which turn, and the page's words."""
        for turn in range(1, MOST_TURNS):
            for take_turn in (act, AtOwnTable.lead_soviets):
                take_turn(self)
                if "goes on" not in (words := self.ask_for_victory()):
                    return turn, words
        raise AssertionError("The game does not end.")

    def ask_for_victory(self):
        """What "Victory" says, where it can say anything: it knows the deck and the Spawn Hexes."""
        record = self.record
        if record["decks"]["soviet"] and record["controlled"] and self.destroyed < POINTS:
            return "goes on"
        self.reader.press("Use: Points", "#board-strip")
        return self.fill(destroyed=self.destroyed)

    def fill(self, **fields):
        """A roll's form: filled in, and resolved by the app's dice; what it says."""
        form = self.reader.form("#desk-form").fill(fields)
        form.press("dice=app" if ("dice", "app") in form.buttons() else "dice=table")
        return self.reader.words("#result")

    # The Soviet turn, which the app leads

    def lead_soviets(self):
        """End one's own turn, then answer until it is one's turn again."""
        self.reader.press("Turn done", DESK)
        for _ in range(MOST_QUESTIONS):
            if not self.reader.has(STEP):
                return
            self.answer(self.reader.words(f"{STEP} .question"))
        raise AssertionError("The Soviet turn does not end.")

    def answer(self, question):
        """Press what the board says."""
        board = self.board
        if "tallest" in question:
            number = len(board.list_top())
            self.reader.press(str(number) if number < 7 else "Seven or more", STEP)
        elif stack := re.search(r"stand in (\w+)\?", question):
            self.reader.press(board.tell_fullness(stack[1]), STEP)
            self.take_in_spawns()
        elif roll := re.match(r"(\d) on the (\w+) stack", question):
            start = self.rolled[ORDINALS.index(roll[2])]
            ahead = board.printed.look(start, int(roll[1]))
            self.reader.press(board.tell_ahead(start, ahead), STEP)
            self.obey(roll[0], start, ahead)
        else:
            self.rolled = board.list_top()
            self.reader.press("dice=app", STEP)

    def read_told(self):
        """What the app has told last."""
        return [words(line) for line in self.reader.find(f"{DESK} .told li")]

    def take_in_spawns(self):
        """Blocks come where the app says so."""
        for line in self.read_told():
            if arrival := re.match(r"(\w+): (.+), blind", line):
                add(self.board.soviets, arrival[1], arrival[2].count("Infantry") + arrival[2].count("Tank"))

    def obey(self, die, start, ahead):
        """What the app says of a die is done on the map; an attack is fought out with the rolls of the page."""
        (sentence,) = [line for line in self.read_told() if line.startswith(die) and "?" not in line]
        if "moves there" in sentence:
            add(self.board.soviets, start, -1)
            self.enter("soviet", ahead, 1)
        elif "Attack" in sentence:
            self.fight("soviet", start, ahead)

    # What players do on their map

    def fight(self, attacker, start, target):
        """Both throw four dice, the defender first, a hit a block; an attacker who is left enters an emptied hex."""
        sides = {"german": self.board.germans, "soviet": self.board.soviets}
        own = sides.pop(attacker)
        ((_, enemy),) = sides.items()
        for side, hex in ((own, start), (enemy, target)):
            hits = min(self.throw("TF" if side is self.board.soviets else "SF"), side[hex]) if own.get(start) else 0
            self.destroyed += hits * (side is self.board.germans)
            add(side, hex, -hits)
        if start in own and target not in enemy:
            self.enter(attacker, target, own.pop(start))

    def call(self):
        """Six dice pick Units up, and those who find room stand in X."""
        waiting = sum(self.record["rows"])
        self.reader.press("Use: Reinforcement Track", "#board-strip")
        self.fill()
        self.fill(colour="white")  # where they arrive is due
        add(
            self.board.germans,
            "X",
            min(waiting - sum(self.record["rows"]), MOST_UNITS - self.board.germans.get("X", 0)),
        )

    def throw(self, fire):
        """Hits of four dice."""
        self.reader.press("Dice of a Unit or card", "#rolls")
        hits = re.search(r"(\d+) hits?\.|no hit", self.fill(fire=fire, number=4))
        return int(hits[1] or 0)

    def enter(self, side, hex, units):
        """Blocks enter a hex; what changes hands by it is written down on the page."""
        add(self.board.germans if side == "german" else self.board.soviets, hex, units)
        is_lost = (hex in self.record["controlled"]) == (side == "german")
        if hex in SOVIET_SPAWN and is_lost:
            self.reader.press("Use: Spawn Hexes in Soviet hands", "#board-strip")
            self.fill(side=side, hex=hex)


def pass_on(table):
    """Nobody moves."""


def go_for_spawn_hexes(table):
    """Call where few are left; else a Stack goes for the nearest Soviet Spawn Hex, and one block stays in each."""
    board, goals = table.board, table.record["controlled"]
    spawns_held = [hex for hex in SOVIET_SPAWN if hex not in goals]
    movers = [hex for hex, units in board.germans.items() if hex not in spawns_held or units > 1]
    if sum(board.germans.values()) < FEW or not movers:
        table.call()
    elif goals:
        start = min(movers, key=lambda hex: len(board.find_way(hex, goals)))
        ahead = board.find_way(start, goals)[0]
        if ahead in board.soviets:
            table.fight("german", start, ahead)
        else:
            units = board.germans[start] - (start in spawns_held)
            add(board.germans, start, -units)
            table.enter("german", ahead, units)


# The beginning, about; and a late position, in which four Germans stand behind each of four Spawn Hexes.
AT_THE_START = (dict.fromkeys(HOUSE.board.set_up, 1), {"X": 4, "Y": 4})
AT_THE_RIVER = (dict.fromkeys(HOUSE.board.set_up[:6], 1), {"22": 4, "26": 4, "29": 4, "33": 4})


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "act", "turn", "winner"),
    [(AT_THE_START, pass_on, 21, "Soviet"), (AT_THE_RIVER, go_for_spawn_hexes, 12, "German")],
)
def test_a_game_on_the_own_table_is_played_to_its_end_through_its_page(client, monkeypatch, board, act, turn, winner):
    seed_by("own table 1", monkeypatch)
    table = AtOwnTable(client, OwnBoard(*board))
    assert table.play(act) == (turn, f"{winner} victory.")
    table.reader.form('form[action$="/end/"]').fill(sure=True).press("Propose the end")
    assert "The match has ended" in table.reader.words("#now")
