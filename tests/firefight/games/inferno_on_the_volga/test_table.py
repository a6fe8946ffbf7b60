"""Inferno on the Volga at the table: whose turn it is, and what a match keeps of it."""

import pytest

from firefight.engine.course.keeping import TableState
from firefight.engine.rolls.odds import sweep
from firefight.games import chartbooks, registry
from firefight.games.inferno_on_the_volga.rules.course import COURSE, MODES
from firefight.games.inferno_on_the_volga.rules.keeping import Keeping
from firefight.games.inferno_on_the_volga.rules.record import RECORD

pytestmark = pytest.mark.django_db
GAME = "inferno-on-the-volga"
SEATS = {
    "solo": ("german",),
    "co_op": ("yellow", "blue"),
    "one_v_one": ("german", "soviet"),
    "two_v_one": ("yellow", "blue", "soviet"),
}


def walk(course, steps):
    """The turns and sides of that many presses of the button."""
    position, turns = course.begin(), []
    for _ in range(steps):
        turns.append((position.turn, position.side))
        position = course.press(position, "turn").position
    return turns


def test_turns_alternate():
    assert walk(COURSE, 4) == [(1, "german"), (1, "soviet"), (2, "german"), (2, "soviet")]


def test_yellow_and_blue_take_turns_with_the_soviets_between():
    for mode in ("co_op", "two_v_one"):
        course = next(game_mode.course for game_mode in MODES if game_mode.slug == mode)
        sides = [side for _, side in walk(course, 6)]
        assert sides == ["yellow", "soviet", "blue", "soviet", "yellow", "soviet"]
        assert [turn for turn, _ in walk(course, 5)] == [1, 1, 2, 2, 3]


def test_the_modes_have_their_seats():
    assert {mode.slug: mode.seats for mode in MODES} == SEATS
    assert {mode.slug for mode in MODES if mode.app_sides == ("soviet",)} == {"solo", "co_op"}


# What rolls write down


class Table:
    """A record that rolls write into, as a match does it."""

    def __init__(self, **record):
        self.record = {**RECORD.defaults, **record}
        self.book = chartbooks.shipped(GAME)

    @property
    def state(self):
        return TableState(COURSE.begin(), self.record, self.book)

    def roll(self, slug, dice=None, **fields):
        """A roll with all that the record fills in; its result."""
        helper = registry.helpers(GAME)[slug]
        filled = {name: value for name, value in Keeping().fill(slug, fields, self.state).items()}
        form = helper.form.from_plain({**filled, **fields}, book=self.book)
        assert form.is_valid(), form.errors
        result = helper.resolve(self.book, form.inputs(), dice or {})
        for change in Keeping().note(slug, form.plain_inputs(), result, self.state):
            self.record = RECORD.apply(self.record, change.values)
        return result


def test_a_call_takes_units_off_the_track():
    table = Table()
    assert table.record["rows"] == [5] * 6
    table.roll("call", {"faces": (2, 3, 4, 5, 5, 5)}, rows="5,5,5,5,5,5")
    assert table.record["rows"] == [5, 4, 4, 4, 2, 5] and table.record["removed"] == []
    table.roll("call", {"faces": (5, 5, 5, 1, 1, 1)}, rows=table.record["rows"], removed=table.record["removed"])
    assert table.record["rows"] == [2, 4, 4, 4, 0, 5] and table.record["removed"] == [5]
    table.roll("return-units", rows=table.record["rows"], number=2)
    assert table.record["rows"] == [2, 4, 4, 4, 2, 5]


def test_captures_change_control_and_draw():
    table = Table()
    table.roll("capture", side="german", hex="9")
    assert "9" not in table.record["controlled"] and table.record["soviet_hand"] == 0
    table.roll("capture", side="soviet", hex="9")
    assert "9" in table.record["controlled"] and table.record["soviet_hand"] == 0
    table.roll("capture", side="soviet", hex="X")
    assert (table.record["soviet_hand"], table.record["decks"]["soviet"]) == (1, 27)


def test_soviet_cards_go_from_the_deck_into_the_hand():
    table = Table()
    table.roll("spawn", controlled="3,19", tanks=0)
    assert (table.record["soviet_hand"], table.record["decks"]["soviet"]) == (2, 26)
    assert table.record["pools"] == {"infantry": 20, "tanks": 0, "marines": 2}
    table.roll("soviet-card", card="chuikov")
    assert table.record["leaders"]["soviet"] == ["chuikov"] and table.record["soviet_hand"] == 1
    table.roll("soviet-card", card="volga_river_flotilla", soviet_hex="30", dice={"faces": (1, 2, 3)})
    assert table.record["pools"]["marines"] == 1 and table.record["discards"] == ["volga_river_flotilla"]
    table.roll("soviet-card", card="infiltration", stack=4)
    assert (table.record["soviet_hand"], table.record["decks"]["soviet"]) == (0, 25)


def test_an_empty_deck_gives_no_card():
    table = Table(decks={"german": 20, "soviet": 1})
    table.roll("spawn", controlled="3,19", tanks=0)
    assert (table.record["soviet_hand"], table.record["decks"]["soviet"]) == (1, 0)
    assert table.roll("victory").outcome == "soviet"


def test_leaders_in_play_fill_the_forms():
    leaders = {"german": ["paulus", "hoth", "von_richthofen", "linden", "okh"], "soviet": ["chuikov", "zaytsev"]}
    table = Table(leaders=leaders)
    assert table.roll("call", {"faces": (1, 2, 3, 4, 5, 6)}).details["cards"] == 2
    assert table.roll("german-card", cards="stuka").details["dice"] == 10
    assert table.roll("german-card", cards="pioneer,pioneer").details["allowed"]
    assert 8 in table.roll("combat").details["steps"]
    assert table.roll("soviet-card", card="sniper").details["strikes"] == 2
    assert Table().roll("soviet-card", card="sniper").details["strikes"] == 1


def test_rubble_is_laid_once_and_fifteen_times_at_most():
    table = Table()
    table.roll("rubble", {"total": 18}, hexes=4, hex="9")
    table.roll("soviet-card", card="aa", aa_hex="7")
    table.roll("soviet-card", card="aa", aa_hex="7")
    assert table.record["rubble"] == ["9", "7"]
    full = Table(rubble=[str(number) for number in range(20, 35)])
    assert full.roll("rubble", hexes=4, hex="9").outcome == "none"
    full.roll("soviet-card", card="aa", aa_hex="7")
    assert len(full.record["rubble"]) == 15 and "7" not in full.record["rubble"]


def test_the_672nd_pioneer_is_asked_once_and_kept():
    table = Table(leaders={"german": ["linden"], "soviet": []})
    table.roll("german-card", cards="672nd_pioneer", own_dice=6, own_rubble=2)
    assert table.record["own_card"] == {"dice": 6, "rubble": 2}


def test_the_record_begins_as_the_text_says():
    assert RECORD.defaults["pools"] == {"infantry": 22, "tanks": 6, "marines": 2}
    assert RECORD.defaults["controlled"] == ["3", "7", "9", "13", "15", "19"]
    assert RECORD.defaults["decks"] == {"german": 26, "soviet": 28}


@pytest.mark.parametrize(
    ("slug", "fields"),
    [
        ("soviet-dice", {"hexes": "3,7,9,13"}),
        ("soviet-dice", {"hexes": "3"}),
        ("call", {"rows": "0,1,2,3,4,5", "removed": "1"}),
        ("call", {}),
    ],
)
def test_odds_that_are_counted_are_those_of_the_rule_itself(slug, fields):
    helper, book = registry.helpers(GAME)[slug], chartbooks.shipped(GAME)
    form = helper.form.from_plain(fields, book=book)
    assert form.is_valid()
    inputs = form.inputs()
    (counted,) = helper.odds(book, inputs)
    swept = sweep(lambda dice: helper.resolve(book, inputs, dice), helper.specs(inputs))
    assert {(row.label, row.weight * swept.total) for row in counted.rows} == {
        (row.label, row.weight * counted.total) for row in swept.rows
    }
