"""What a match keeps: every kind of field within its bounds, every change, and what stays hidden."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firefight.engine import record
from firefight.engine.board.places import Boxes
from firefight.engine.record import (
    BadValue,
    KeptChoice,
    KeptDay,
    KeptDeck,
    KeptFlag,
    KeptHand,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
    KeptText,
    Record,
)
from firefight.engine.rolls.result import Result

BOXES = Boxes(("depot", "line"))
CARD = KeptChoice(choices={"sniper": "Sniper", "t_34": "T-34"})
PLAN = KeptNumber(name="blue", title="Blue", high=9, known_to="blue")
RECORD = Record(
    fields=(
        KeptNumber(name="points", title="Points", high=10, start=3),
        KeptNumber(name="box", title="Box", low=1, high=6, optional=True),
        KeptChoice(name="weather", title="Weather", choices={"clear": "Clear", "mud": "Mud"}),
        KeptFlag(name="depot_lost", title="Depot lost"),
        KeptText(name="notes", title="Notes", longest=20),
        KeptDay(name="day", title="Day", first="1942-09-13", last="1942-11-14"),
        KeptPlace(name="where", title="Where", places=BOXES, start="depot"),
        KeptParts(
            name="advantage",
            title="Advantage",
            fields=(
                KeptChoice(name="holder", title="holder", choices={"red": "Red", "blue": "Blue"}),
                KeptFlag(name="used_today", title="used today"),
            ),
        ),
        KeptList(
            name="due",
            title="Due",
            most=2,
            item=KeptParts(
                fields=(KeptText(name="what", title="what"), KeptNumber(name="turn", title="turn", low=1, high=20))
            ),
        ),
        KeptList(name="held", title="Held", is_set=True, item=KeptPlace(places=BOXES)),
        KeptDeck(name="deck", title="Deck", cards={"sniper": 2, "t_34": 1}, words={"t_34": "T-34"}),
        KeptList(name="hand", title="Red hand", known_to="red", item=CARD),
        KeptParts(name="plans", title="Plans", fields=(PLAN,)),
        KeptRows(
            name="posts",
            title="Posts",
            owner="known_to",
            label="name",
            most=3,
            parts=(
                KeptChoice(name="known_to", title="known to", choices={"": "all", "red": "Red", "blue": "Blue"}),
                KeptText(name="name", title="name"),
                KeptPlace(name="box", title="box", places=BOXES, optional=True),
                KeptNumber(name="men", title="men", high=9, start=2),
                KeptList(name="seen", title="seen", most=2, item=KeptText()),
            ),
        ),
    )
)
START = RECORD.defaults


def changed(**change):
    return RECORD.apply(START, change)


def test_a_match_begins_with_the_defaults_which_are_sound_themselves():
    assert START == {
        "points": 3,
        "box": None,
        "weather": "clear",
        "depot_lost": False,
        "notes": "",
        "day": "1942-09-13",
        "where": "depot",
        "advantage": {"holder": "red", "used_today": False},
        "due": [],
        "held": [],
        "deck": {"left": ["sniper", "sniper", "t_34"], "discard": []},
        "hand": [],
        "plans": {"blue": 0},
        "posts": {},
    }
    assert RECORD.flaws(START) == ()
    assert not Record()


@pytest.mark.parametrize(
    ("path", "typed", "value", "words"),
    [
        ("points", " 7", 7, "7"),
        ("points", 0, 0, "0"),
        ("box", "", None, "nothing"),
        ("box", "6", 6, "6"),
        ("weather", "mud", "mud", "Mud"),
        ("depot_lost", "on", True, "yes"),
        ("depot_lost", "", False, "no"),
        ("notes", " two  words ", "two words", "two words"),
        ("day", "1942-09-27", "1942-09-27", "27 September 1942"),
        ("where", "line", "line", "line"),
        ("advantage.holder", "blue", "blue", "Blue"),
        ("due", [{"what": "leader", "turn": "4"}], [{"what": "leader", "turn": 4}], "what leader, turn 4"),
        ("held", "line, depot", ["line", "depot"], "line, depot"),
        ("deck", "t_34,sniper", {"left": ["sniper", "t_34"], "discard": []}, "1 × sniper, 1 × T-34 left"),
        ("hand", "t_34", ["t_34"], "T-34"),
    ],
)
def test_a_value_is_read_as_players_type_it(path, typed, value, words):
    values = RECORD.apply(START, RECORD.setting(path, typed))
    assert RECORD.value(values, path) == value
    assert RECORD.find(path).describe_or_blank(value) == words
    assert RECORD.flaws(values) == ()


@pytest.mark.parametrize(
    ("path", "typed", "message"),
    [
        ("points", 11, "Points: 11 is out of its bounds, 0 to 10."),
        ("points", "²", "Points: give a whole number from 0 to 10."),
        ("points", True, "Points: give a whole number from 0 to 10."),
        ("points", {"subtract": 1}, "Points: give a whole number from 0 to 10."),
        ("box", 0, "Box: 0 is out of its bounds, 1 to 6."),
        ("weather", "hail", "Weather: choose one of: clear, mud."),
        ("depot_lost", "perhaps", "Depot lost: say yes or no."),
        ("notes", "x" * 21, "Notes: at most 20 characters."),
        ("notes", "a\x00b", "Notes: give words in one line."),
        ("day", "1942-02-30", "Day: give a date such as 1942-09-13."),
        ("day", "1943-01-01", "Day: 1943-01-01 is not a day from 1942-09-13 to 1942-11-14."),
        ("where", "moon", "Where: There is no box “moon” here. There are: depot, line."),
        ("advantage.holder", "green", "Advantage, holder: choose one of: red, blue."),
        ("advantage", {"keeper": "red"}, "Advantage: there is no “keeper” in it."),
        ("advantage", "red", "Advantage: give a value for each of its parts by name."),
        ("due", [{}] * 3, "Due: turn"),
        ("due", [{"turn": 1}] * 3, "Due: 3 do not fit: at most 2."),
        ("held", "line,line", "Held: line stands in it already."),
        ("held", "moon", "Held: There is no box “moon” here. There are: depot, line."),
        ("deck", "sniper,sniper,sniper", "Deck: there are 2 of sniper, not 3."),
        ("deck", {"left": ["joker"]}, "Deck: there is no card “joker”; there are: sniper, t_34."),
        ("deck", {"left": 3}, "Deck: give the cards as lists of their names."),
        ("hand", 3, "Red hand: give a list."),
        ("hand", {"add": 3}, "Red hand: give a list."),
        ("hand", {"take": ["t_34"]}, "Red hand: things are struck and added."),
        ("deck", {"take": 3}, "Deck: give a list."),
        ("deck", {"take": [3]}, "Deck: 3 is not left in it."),
        ("deck", {"discard_of": [3]}, "Deck: give the cards as lists of their names."),
    ],
)
def test_a_value_out_of_bounds_is_refused_in_words(path, typed, message):
    if message == "Due: turn":  # a row takes the defaults of what it leaves out
        assert RECORD.apply(START, RECORD.setting(path, typed[:2]))["due"] == [{"what": "", "turn": 1}] * 2
        return
    with pytest.raises(BadValue) as refused:
        RECORD.apply(START, RECORD.setting(path, typed))
    assert refused.value.flaws == (message,)


def test_a_change_says_itself_in_sentences():
    change = RECORD.change(
        {
            "points": record.add(-2),
            "weather": "mud",
            "advantage": {"holder": "blue"},
            "due": record.put_in({"what": "leader", "turn": 4}),
            "deck": record.draw_cards("t_34"),
        }
    )
    assert change.sentences == (
        "Points: 2 fewer.",
        "Weather: Mud.",
        "Advantage, holder: Blue.",
        "Due: what leader, turn 4 added.",
        "Deck: T-34 is drawn.",
    )
    assert change.known_to == ""


def test_numbers_are_added_to_and_clamped():
    assert changed(points=record.add(7))["points"] == 10
    assert changed(points=record.clamp(70))["points"] == 10
    assert changed(points=record.clamp(-70))["points"] == 0
    for more, words in ((9, "9 more, at most 10"), (1, "1 more, at most 10"), (-1, "1 fewer, at least 0")):
        assert RECORD.change({"points": record.clamp(more)}).sentences == (f"Points: {words} in all.",)
    with pytest.raises(BadValue, match="11 is out of its bounds"):
        changed(points=record.add(8))


def test_a_deck_that_is_put_right_is_told_as_it_is():
    change = RECORD.change({"deck": {"left": ["sniper"], "discard": ["t_34"]}})
    assert change.sentences == ("Deck: 1 × sniper left; discarded T-34.",)


def test_lists_are_added_to_and_struck_from():
    values = changed(held=["line"])
    assert RECORD.apply(values, {"held": {"strike": ["line"], "add": ["depot"]}})["held"] == ["depot"]
    with pytest.raises(BadValue, match="Held: depot is not in it."):
        RECORD.apply(values, {"held": record.strike("depot")})


def test_a_card_is_drawn_discarded_and_put_back():
    drawn = changed(deck=record.draw_cards("sniper"))
    assert drawn["deck"] == {"left": ["sniper", "t_34"], "discard": []}
    discarded = RECORD.apply(drawn, {"deck": record.discard_cards("sniper")})
    assert discarded["deck"] == {"left": ["sniper", "t_34"], "discard": ["sniper"]}
    assert RECORD.apply(discarded, {"deck": record.shuffle_in("sniper")})["deck"] == START["deck"]
    with pytest.raises(BadValue, match="Deck: T-34 is not left in it."):
        RECORD.apply(changed(deck=record.draw_cards("t_34")), {"deck": record.draw_cards("t_34")})
    with pytest.raises(BadValue, match="there are 2 of sniper, not 3"):
        changed(deck=record.discard_cards("sniper"))


def test_nothing_is_half_changed_and_every_flaw_is_told():
    before = RECORD.complete(START)
    with pytest.raises(BadValue) as refused:
        changed(points=99, weather="hail", box=3)
    assert refused.value.flaws == (
        "Points: 99 is out of its bounds, 0 to 10.",
        "Weather: choose one of: clear, mud.",
    )
    assert before == START


def test_what_a_side_hides_is_a_number_or_nothing_for_the_other():
    values = changed(hand=["t_34"], plans={"blue": 4})
    assert RECORD.hide(values, ("red",))["hand"] == ["t_34"]
    assert RECORD.hide(values, ("red",))["plans"] == {"blue": None}
    assert RECORD.hide(values, ("blue",))["hand"] == 1
    assert RECORD.hide(values, ())["plans"] == {"blue": None}
    assert RECORD.strip(values, ("blue",)) == {**values, "hand": []}


def test_a_change_of_something_hidden_is_a_secret_unless_it_is_done_openly():
    assert RECORD.change({"hand": record.put_in("t_34"), "deck": record.draw_cards("t_34")}).known_to == "red"
    assert RECORD.change({"hand": record.strike("t_34")}, openly=True).known_to == ""
    assert RECORD.change({"plans": {"blue": 1}}).known_to == "blue"
    with pytest.raises(ValueError, match="two sides hide"):
        RECORD.change({"plans": {"blue": 1}, "hand": ["t_34"]})
    with pytest.raises(ValueError, match="no moon"):
        RECORD.change({"moon": 1})


def test_a_result_tells_its_changes_in_words_and_as_plain_values():
    result = Result("Hit.", details={"column": "3"}, effects=("Mark it.",), changes=(RECORD.change({"points": 4}),))
    assert result.all_details == {"column": "3", "changes": {"points": 4}}
    assert result.all_effects == ("Mark it.", "Points: 4.")
    assert result.known_to == ""
    parts = (RECORD.change({"advantage": {"holder": "red"}}), RECORD.change({"advantage": {"used_today": True}}))
    assert Result("", changes=parts).all_details["changes"] == {"advantage": {"holder": "red", "used_today": True}}
    with pytest.raises(ValueError, match="Two changes"):
        dict(Result("", changes=(RECORD.change({"points": 4}), RECORD.change({"points": 5}))).all_details)


@given(st.dictionaries(st.sampled_from(sorted(START)), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["add", "change", "take", "left", "strike", "what", "holder", "x", "name"]), inner, max_size=3
    ),
    max_leaves=6,
)))  # fmt: skip
def test_odd_values_from_outside_are_refused_or_come_out_sound(values):
    try:
        after = RECORD.apply(START, values)
    except BadValue as error:
        assert error.flaws
    else:
        assert RECORD.flaws(after) == ()


# Rows


def posts(*changes):
    values = START
    for change in changes:
        values = RECORD.apply(values, {"posts": change})
    return values["posts"]


SEALED = record.enter_row("red-1", known_to="red", name="Hill", men=5)


def test_rows_are_added_changed_and_struck_and_hold_what_differs_from_the_defaults():
    mill = record.enter_row("a-1", name="Mill", men=2)
    assert posts(mill) == {"a-1": {"name": "Mill"}}
    assert posts(mill, record.change_row("a-1", men=record.add(3), box="depot")) == {
        "a-1": {"name": "Mill", "men": 5, "box": "depot"}
    }
    assert posts(mill, record.change_row("a-1", men=7), record.change_row("a-1", men=2, name="")) == {"a-1": {}}
    assert posts(mill, SEALED, record.strike_rows("a-1")) == {"red-1": {"known_to": "red", "name": "Hill", "men": 5}}


@pytest.mark.parametrize(
    ("changes", "flaw"),
    [
        ([record.change_row("a-1", men=1)], "Posts: there is no “a-1”."),
        ([record.strike_rows("a-1")], "Posts: there is no “a-1”."),
        ([record.enter_row("a-1"), record.enter_row("a-1")], "Posts: there is a “a-1” already."),
        ([record.enter_row("a b")], "Posts: “a b” cannot be the id of a row."),
        ([record.enter_row("a", men=10)], "Posts a: men: 10 is out of its bounds, 0 to 9."),
        ([record.enter_row("a", moon=1)], "Posts a: there is no “moon” in it."),
        ([{"add": {f"p{n}": {} for n in range(4)}}], "Posts: 4 do not fit: at most 3."),
        ([{"moon": 1}], "Posts: rows are added, changed and struck."),
        ([record.enter_row("a-1", known_to="red")], "has an id that begins so, not “a-1”."),
    ],
)
def test_a_row_that_cannot_be_is_refused_in_words(changes, flaw):
    with pytest.raises(BadValue) as refused:
        posts(*changes)
    assert flaw in str(refused.value)


def test_a_change_of_rows_says_itself():
    change = RECORD.change({"posts": {**record.enter_row("a-1", name="Mill", men=3), **record.strike_rows("b-2")}})
    assert change.sentences == ("Posts: Mill: men 3.", "Posts: b-2 taken off.")
    assert RECORD.change({"posts": record.change_row("a-1", men=record.add(-1), known_to="")}).sentences == (
        "Posts a-1, men: 1 fewer.",
    )


def test_a_row_of_one_side_is_not_there_for_the_other():
    values = RECORD.apply(START, {"posts": record.enter_row("a-1", name="Mill")})
    values = RECORD.apply(values, {"posts": SEALED})
    assert list(RECORD.hide(values, ("red",))["posts"]) == ["a-1", "red-1"]
    for sees in ((), ("blue",)):
        assert list(RECORD.hide(values, sees)["posts"]) == ["a-1"]
        assert list(RECORD.strip(values, sees)["posts"]) == ["a-1"]
    assert RECORD.flaws(RECORD.strip(values, ("blue",))) == ()
    assert RECORD.owner("posts.red-1.men", values) == "red" and RECORD.owner("posts.a-1.men", values) == ""


def test_a_change_of_a_sealed_row_is_its_sides_secret():
    assert RECORD.change({"posts": SEALED}).known_to == "red"
    assert RECORD.change({"posts": record.change_row("red-1", men=1)}, known_to="red").known_to == "red"
    assert RECORD.change({"posts": record.change_row("red-1", men=1)}, openly=True).known_to == ""
    rows = RECORD.find("posts")
    values = RECORD.apply(START, {"posts": SEALED})
    assert rows.find_owners(values["posts"], record.strike_rows("red-1")) == {"red"}
    assert rows.find_owners({}, record.change_row("red-1", known_to="blue")) == {"blue"}
    assert rows.find_writers({**record.enter_row("red-9"), **record.strike_rows("blue:K7", "red")}) == {"red", "blue"}


def test_a_part_of_a_row_is_found_set_and_read_by_its_path():
    values = RECORD.apply(START, {"posts": record.enter_row("a-1", name="Mill")})
    change = RECORD.setting("posts.a-1.men", 4)
    assert change == {"posts": {"change": {"a-1": {"men": 4}}}}
    assert RECORD.value(RECORD.apply(values, change), "posts.a-1.men") == 4
    assert RECORD.value(values, "posts.a-1.men") == 2
    assert RECORD.find("posts.a-1.men").title == "men"


def test_what_is_pushed_to_a_full_list_drives_the_first_out():
    pushes = [record.change_row("a", seen=record.push(sighting)) for sighting in ("x", "y", "x", "z")]
    assert posts(record.enter_row("a"), *pushes[:3])["a"]["seen"] == ["y", "x"]
    assert posts(record.enter_row("a"), *pushes)["a"]["seen"] == ["x", "z"]


def test_two_changes_of_one_roll_may_be_about_two_rows():
    both = (RECORD.change({"posts": record.enter_row("a")}), RECORD.change({"posts": record.enter_row("b", men=1)}))
    assert Result("", changes=both).all_details["changes"] == {"posts": {"add": {"a": {}, "b": {"men": 1}}}}
    with pytest.raises(ValueError, match="Two changes"):
        dict(Result("", changes=(both[1], RECORD.change({"posts": record.enter_row("b", men=2)}))).all_details)


ORDERED = KeptDeck(name="ordered", title="Orders", cards={"go": 2, "stay": 1, "flee": 1}, top=("go",), bottom=("flee",))
DRAWN = (
    KeptHand(name="own", title="Own hand", deck=ORDERED, known_to="red"),
    KeptHand(name="other", title="Other hand", deck=ORDERED, known_to="blue"),
)
CARDS = Record(fields=(ORDERED, *DRAWN))
PILES = {"left": ["go", "stay"], "discard": [], "top": ["go"], "bottom": ["flee"]}


def test_cards_on_top_come_first_and_those_at_the_bottom_last():
    assert CARDS.defaults == {"ordered": PILES, "own": [], "other": []}
    assert ORDERED.describe(PILES) == "1 × go, 1 × stay left; on top go; at the bottom flee"
    values = CARDS.defaults
    for card in ("go", "stay", "go", "flee"):
        values = CARDS.apply(values, CARDS.change(DRAWN[0].draw(card)).values)
    assert values["own"] == ["go", "stay", "go", "flee"]
    assert ORDERED.count(values["ordered"]) == 0


@pytest.mark.parametrize("card", ["stay", "flee"])
def test_a_card_that_is_not_the_next_is_not_drawn(card):
    with pytest.raises(BadValue, match=f"Orders: {card} is not the next card of it."):
        CARDS.apply(CARDS.defaults, DRAWN[0].draw(card))


def test_cards_come_to_lie_on_top_and_at_the_bottom():
    values = CARDS.apply(CARDS.defaults, {"ordered": record.lay_on_top("stay")})
    assert values["ordered"]["top"] == ["stay", "go"]
    values = CARDS.apply(values, {"ordered": record.lay_at_bottom("go")})
    assert values["ordered"] == {"left": [], "discard": [], "top": ["stay", "go"], "bottom": ["flee", "go"]}
    plain = KeptDeck(name="plain", title="Plain", cards={"go": 1})
    with pytest.raises(BadValue, match="Plain: give the cards"):
        plain.change(plain.default, record.lay_on_top("go"))


def test_a_hand_and_its_deck_change_together_or_not_at_all():
    drawn = CARDS.apply(CARDS.defaults, DRAWN[0].draw("go"))
    assert (drawn["own"], drawn["ordered"]["top"]) == (["go"], [])
    played = CARDS.apply(drawn, DRAWN[0].play("go"))
    assert (played["own"], played["ordered"]["discard"]) == ([], [])
    discarded = CARDS.apply(drawn, DRAWN[0].discard("go"))
    assert (discarded["own"], discarded["ordered"]["discard"]) == ([], ["go"])
    with pytest.raises(BadValue, match="Other hand: go is not in it."):
        CARDS.apply(drawn, DRAWN[1].discard("go"))


def test_no_card_is_in_two_places():
    for path, value in (("own", ["flee"]), ("other", ["go", "go", "go"])):
        with pytest.raises(BadValue, match="Orders: there are"):
            CARDS.apply(CARDS.defaults, {path: value})
    assert CARDS.flaws({**CARDS.defaults, "own": ["flee"]}) == ("Orders: there are 1 of flee, not 2.",)


def test_how_many_cards_a_hand_has_all_know_and_which_its_side_alone():
    drawn = CARDS.apply(CARDS.defaults, DRAWN[0].draw("go"))
    assert CARDS.hide(drawn, ["blue"]) == {"ordered": drawn["ordered"], "own": 1, "other": []}
    assert CARDS.hide(drawn, ["red"])["own"] == ["go"]
    assert CARDS.change(DRAWN[0].draw("go")).known_to == "red"


def test_several_decks_are_shuffled_anew_in_one_change_that_all_know_of():
    secret = KeptDeck(name="secret", title="Secret", cards={"go": 1}, known_to="red")
    both = Record(fields=(secret, replace(ORDERED, known_to="blue")))
    values = {"secret": {"left": [], "discard": ["go"]}, "ordered": {**PILES, "left": ["go"], "discard": ["stay"]}}
    change = both.change({"secret": record.reshuffle(), "ordered": record.reshuffle()})
    assert change.known_to == ""
    assert change.sentences[0] == "Secret: the discard is shuffled back into it."
    after = both.apply(values, change.values)
    assert after == {"secret": {"left": ["go"], "discard": []}, "ordered": PILES}
