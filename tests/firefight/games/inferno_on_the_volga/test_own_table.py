"""The Soviet turn on the players' own table: the app asks what lies on the map, and does the rest by the rules."""

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.engine.course.keeping import TableState
from firefight.games.inferno_on_the_volga.game import CONDUCTOR, GAME
from firefight.games.inferno_on_the_volga.rules.course import COURSE
from firefight.games.inferno_on_the_volga.solo.own_table import MARK, find_table_flaw
from tests.filling import Reader
from tests.firefight import players

SLUG = "inferno-on-the-volga"
FORM = "form#step-form"


class AtTable:
    """A Soviet turn with a record that the steps write into."""

    def __init__(self, mode="solo", **record):
        self.record = {**GAME.record.defaults, **record}
        self.position = COURSE.press(COURSE.begin(), "turn").position
        self.options = {"mode": mode, "board": "table"}
        self.told = []
        self.standing = CONDUCTOR.begin(self.here)

    @property
    def here(self):
        return TableState(self.position, self.record, None, options=self.options)

    @property
    def wanted(self):
        return CONDUCTOR.find_wanted(self.standing, self.here)

    def go(self, *answers):
        """Answers in their order: slugs of what is offered, faces of a throw."""
        for answer in answers:
            if isinstance(self.wanted, Ask):
                assert self.wanted.find(answer), (answer, self.wanted)
            else:
                assert isinstance(self.wanted, Throw) and self.wanted.spec.number == len(answer)
            assert find_table_flaw(self.standing) == ""
            move = CONDUCTOR.go_on(self.standing, self.here, answer)
            self.standing = move.standing
            for line in move.told:
                self.told.append(line.sentence)
                for change in line.changes:
                    self.moved = {name: change.values[name] for name in ("turn", "side") if name in change.values}
                    rest = {name: value for name, value in change.values.items() if name not in self.moved}
                    self.record = GAME.record.apply(self.record, rest)
        return self


def test_three_dice_of_the_example_are_asked_from_low_to_high():
    """Dice 6, 1, 5 on 7, 9 and 25: a card, an attack, a move; the players say what lies ahead."""
    table = AtTable().go("top-3", (6, 1, 5))
    assert table.wanted.question == "1 on the second stack: what lies in direction 1?"
    table.go("open")
    assert table.record["soviet_hand"] == 1 and "1 on the second stack: a card" in table.told[-1]
    assert table.wanted.question == "5 on the third stack: what lies in direction 5?"
    table.go("german")
    assert "Hasty Attack; fight it out" in table.told[-1]
    table.go("open")
    assert "6 on the first stack: one random block moves there" in table.told[-2]
    assert table.standing is None and table.moved == {"turn": 2, "side": "german"}


@pytest.mark.parametrize(
    ("answer", "cards"), [("full", 1), ("none", 1), ("gone", 1), ("capture", 1), ("open", 0), ("german", 0)]
)
def test_every_answer_of_a_die(answer, cards):
    assert AtTable().go("top-1", (4,), answer).record["soviet_hand"] == cards


def test_equal_dice_are_cards_and_ask_nothing():
    table = AtTable().go("top-4", (1, 1, 6, 6))
    assert table.standing is None and (table.record["soviet_hand"], table.record["decks"]["soviet"]) == (4, 24)


def test_chuikov_makes_the_attack_deliberate():
    table = AtTable(leaders={"german": [], "soviet": ["chuikov"]}).go("top-1", (3,), "german")
    assert "Deliberate Attack (Chuikov)" in table.told[-2]


def test_seven_top_stacks_spawn_and_fill_what_has_room():
    table = AtTable(controlled=["3", "9", "13"]).go("top-7")
    assert [table.wanted.question] == ["How many Soviets stand in 3?"]
    table.go("room", "full", "three")
    assert table.record["pools"] == {"infantry": 20, "tanks": 5, "marines": 2}
    assert table.record["soviet_hand"] == 1
    assert table.told[1:4] == [
        "3: Infantry and a Tank, blind (Soviet Spawn Action).",
        "9: 1 card, blind (Soviet Spawn Action).",
        "13: Infantry, blind (Soviet Spawn Action).",
    ]


def test_without_a_spawn_hex_a_card_is_drawn_and_the_last_one_is_told():
    table = AtTable(controlled=[], decks={"german": 20, "soviet": 1}).go("top-2")
    assert table.record["decks"]["soviet"] == 0 and "The last Soviet card is drawn" in table.told[1]


def test_the_last_card_is_told_in_the_middle_of_a_turn_too():
    table = AtTable(decks={**GAME.record.defaults["decks"], "soviet": 1}).go("top-3", (6, 1, 5), "none")
    assert table.record["decks"]["soviet"] == 0 and "The last Soviet card is drawn" in table.told[-1]
    table.go("open", "open")
    assert sum("The last Soviet card" in sentence for sentence in table.told) == 1


def test_in_co_op_the_other_german_follows():
    assert AtTable("co_op").go("top-1", (4,), "open").moved == {"turn": 2, "side": "blue"}


def test_nothing_is_led_where_a_player_has_the_soviets_or_germans_act():
    assert CONDUCTOR.begin(AtTable("one_v_one").here) is None
    table = AtTable()
    table.position = COURSE.begin()
    assert CONDUCTOR.begin(table.here) is None


def test_a_turn_that_went_on_without_the_app_ends():
    table = AtTable()
    table.position = COURSE.begin()
    assert table.wanted is None
    assert CONDUCTOR.go_on(table.standing, table.here, None).standing is None


@pytest.mark.parametrize(
    "change",
    [
        {"at": "x"},
        {"at": "die"},
        {"at": "dice"},
        {"mode": "one_v_one"},
        {"dice": [[9, 1]]},
        {"fullness": {"4": "room"}},
        {"left": 9},
        {"turn": "1"},
        {"more": 1},
    ],
)
def test_a_forged_turn_is_refused(change):
    standing = AtTable().standing
    assert find_table_flaw(standing) == "" != find_table_flaw({MARK: standing[MARK] | change})


@pytest.mark.django_db
def test_a_soviet_turn_is_answered_by_buttons_from_the_page():
    german, _ = players.begin("german", game=SLUG, **{"option-mode": "solo", "option-board": "table"})
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    assert not reader.find(FORM), "The German turn is the players'."
    assert "Play the German turn on your map" in reader.words("#desk")
    reader.press("Turn done", "#desk")
    assert "How many hexes have the tallest Soviet Stack?" in reader.words(FORM)
    assert not reader.has("#go-turn")
    reader.form(FORM).press("1")
    reader.press("dice=app", FORM)
    assert "what lies in direction" in reader.words(FORM)
    assert german.get("board/").status_code in (200, 404)
    reader.form(FORM).press("Four Soviets")
    assert (german.match.state.turn, german.match.state.impulse) == (2, "german")
    record = german.get("record.json").json()["record"]
    assert record["soviet_hand"] == 1 and record["decks"]["soviet"] == 27
    assert not reader.find(FORM)
    assert "on the first stack: a card" in reader.words("#desk .told"), "What the last die did is still read."
    assert reader.words("#rolls > details:first-of-type summary") == "German", (
        "The rolls of this turn come first again."
    )
    assert "27 cards, 1 in the hand" in reader.words("#board-strip")
    assert "Turn done" in reader.words("#desk")
    assert german.do("step/", choice="top-1").status_code in (403, 409)


@pytest.mark.django_db
def test_the_question_stays_below_a_form_that_is_merely_offered():
    """An attack is fought out with the page's rolls, and whatever those offer next, the app still waits."""
    german, _ = players.begin("german", game=SLUG, **{"option-mode": "solo", "option-board": "table"})
    reader = Reader(german.client).open(f"/match/{german.match_id}/").press("Turn done", "#desk")
    reader.form(FORM).press("1")
    reader.press("dice=app", FORM)

    reader.press("Combat sequence", "#rolls")
    reader.form("#desk-form").press("dice=table")
    for page in (reader, Reader(german.client).open(f"/match/{german.match_id}/")):
        assert "Close Combat" in page.words("#desk-form"), "It is offered."
        assert "what lies in direction" in page.words(FORM)


@pytest.mark.django_db
def test_who_waits_on_the_own_table_is_told_for_whom():
    options = {"option-mode": "co_op", "option-board": "table"}
    yellow, links = players.begin("yellow", game=SLUG, **options)
    blue = players.sit(links["blue"], yellow.match_id)
    page = Reader(blue.client).open(f"/match/{yellow.match_id}/")
    assert "Waiting for Yellow" in page.words("#desk") and "Turn done" not in page.words("#desk")


@pytest.mark.django_db
def test_nothing_is_said_where_a_player_has_the_soviets():
    german, links = players.begin("german", game=SLUG, **{"option-mode": "one_v_one", "option-board": "table"})
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "Play the German turn" not in page.words("#desk") and page.has("#board-strip")
