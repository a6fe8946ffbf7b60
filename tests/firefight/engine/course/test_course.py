"""How turns run: phases, impulses on a track, sides in turn, a bare number, nothing."""

from dataclasses import replace

import pytest

from firefight.engine.course.alternating import Alternating, NoCourse, Turns
from firefight.engine.course.beginning import Option
from firefight.engine.course.course import BadMove, Position, Turn
from firefight.engine.course.impulses import Impulses
from firefight.engine.course.phases import Phase, Phases

TWO = {"german": "German", "russian": "Russian"}
THREE = {"red": "Red", "blue": "Blue", "grey": "Grey"}
PHASES = (Phase("command", "Command Phase"), Phase("move", "Movement Phase", has_impulses=True))
FIREFIGHT = Phases(sides=TWO, phases=PHASES, last_turn=2)
DAYS = tuple(
    Turn(f"{day} September, {time}", {"date": f"1942-09-{day}", "time": time}, step=time, end=end)
    for day in (13, 14)
    for time, end in (("day", "Sunset"), ("night", "Dawn"))
)
TRACK = Impulses(
    sides=TWO, turns=DAYS, numbers_turns=False, boxes=12, track_side="german", first_boxes=(1, 3, 1, 3),
    opening_side="russian",
)  # fmt: skip
COURSES = {
    "phases": FIREFIGHT,
    "phases of sides": Phases(sides=TWO, phases=(Phase("a", "Attack", "german"), Phase("b", "Other", "russian"))),
    "three sides": Phases(sides=THREE, phases=PHASES),
    "track": TRACK,
    "impulses": Impulses(sides=THREE, passes=3),
    "alternating": Alternating(sides=TWO, last_turn=18),
    "turns": Turns(last_turn=5),
    "none": NoCourse(),
}


def walk(course, presses, start=None):
    """Press buttons by their slugs; returns the last position and the sentences."""
    position, sentences = start or course.begin(), []
    for slug in presses:
        move = course.press(position, slug)
        position = move.position
        sentences.append(move.sentence)
    return position, sentences


def buttons(course, position):
    return [(button.slug, button.title) for button in course.buttons(position)]


# Phases


def test_phases_follow_each_other_and_turns_too():
    position, sentences = walk(FIREFIGHT, ["phase", "phase", "phase"])
    assert sentences == ["Turn 1, Movement Phase.", "Turn 2, Command Phase.", "Turn 2, Movement Phase."]
    assert FIREFIGHT.headings(position) == ("Turn 2", "Movement Phase", "impulse: German")


def test_the_last_phase_of_the_last_turn_leads_nowhere():
    with pytest.raises(BadMove, match="Turn 2 is the last: end the match when you are done"):
        walk(FIREFIGHT, ["phase"] * 4)
    endless = replace(FIREFIGHT, last_turn=0)
    assert walk(endless, ["phase"] * 40)[0].turn == 21


def test_the_impulse_passes_only_in_a_phase_that_has_impulses():
    assert buttons(FIREFIGHT, FIREFIGHT.begin()) == [("phase", "Next phase")]
    with pytest.raises(BadMove, match="Impulses belong to the Movement Phase"):
        walk(FIREFIGHT, ["impulse"])
    position, sentences = walk(FIREFIGHT, ["phase", "impulse", "impulse"])
    assert sentences[1:] == ["Impulse: Russian.", "Impulse: German."]
    assert buttons(FIREFIGHT, position) == [("impulse", "Pass impulse"), ("phase", "Next phase")]


def test_three_sides_have_the_impulse_in_their_order():
    _, sentences = walk(COURSES["three sides"], ["phase", "impulse", "impulse", "impulse"])
    assert sentences[1:] == ["Impulse: Blue.", "Impulse: Grey.", "Impulse: Red."]


def test_who_acts_is_who_has_the_impulse_or_the_phase():
    assert FIREFIGHT.actor(FIREFIGHT.begin()) == ""
    assert FIREFIGHT.actor(walk(FIREFIGHT, ["phase", "impulse"])[0]) == "russian"
    of_sides = COURSES["phases of sides"]
    assert [of_sides.actor(walk(of_sides, ["phase"] * n)[0]) for n in range(3)] == ["german", "russian", "german"]


def test_a_game_without_impulses_says_so():
    with pytest.raises(BadMove, match="This game has no impulses"):
        walk(COURSES["phases of sides"], ["impulse"])


# A track


def test_the_marker_moves_after_each_impulse_of_its_side():
    position, sentences = walk(TRACK, ["impulse", "impulse", "impulse"])
    assert sentences == ["Russian: impulse 2.", "German: impulse 3.", "Russian: impulse 4."]
    assert TRACK.headings(position) == ("13 September, day", "box 3", "impulse 4: Russian")


def test_two_passes_in_a_row_end_the_turn_and_one_does_not():
    position, sentences = walk(TRACK, ["pass", "impulse", "pass"])
    assert (position.turn, position.passes) == (1, 1)
    assert sentences[0] == "German passes; impulse 2: Russian."
    position, sentences = walk(TRACK, ["pass"], position)
    assert sentences == ["Russian passes, which ends the turn. 13 September, night, impulse 1: Russian."]
    assert TRACK.facts(position) == {
        "date": "1942-09-13", "time": "night", "box": 3, "side": "russian", "impulse": 1, "passes": 0,
    }  # fmt: skip


def test_the_button_that_ends_a_turn_has_the_words_of_the_turn():
    position = TRACK.begin()
    assert ("turn", "Sunset") in buttons(TRACK, position)
    position = TRACK.press(position, "turn").position
    assert ("turn", "Dawn") in buttons(TRACK, position)
    assert [TRACK.step(walk(TRACK, ["turn"] * n)[0]) for n in range(4)] == ["day", "night", "day", "night"]


def test_the_last_box_holds_the_marker_and_the_last_turn_ends_nothing():
    assert walk(TRACK, ["impulse"] * 40)[0].box == 12
    with pytest.raises(BadMove, match="14 September, night is the last"):
        walk(TRACK, ["turn"] * 4)


def test_a_date_finds_its_turn():
    position = TRACK.change(TRACK.begin(), {"date": "1942-09-14"})
    assert TRACK.facts(position)["date"] == "1942-09-14"
    assert TRACK.facts(TRACK.change(position, {"time": "night", "box": 7}))["box"] == 7
    with pytest.raises(BadMove, match="date: should be one of: 1942-09-13, 1942-09-14"):
        TRACK.change(position, {"date": "1941-09-14"})


# Others


def test_the_number_rises_when_each_side_had_its_turn():
    course = COURSES["alternating"]
    assert walk(course, ["turn", "turn", "turn"])[1] == ["Turn 1, Russian.", "Turn 2, German.", "Turn 2, Russian."]
    assert walk(course, ["turn"] * 35)[0] == Position(turn=18, side="russian")
    with pytest.raises(BadMove, match="Turn 18 is the last"):
        walk(course, ["turn"] * 36)


def test_a_turn_number_is_all_or_nothing_is():
    assert walk(COURSES["turns"], ["turn"])[1] == ["Turn 2."]
    assert COURSES["turns"].facts(Position(turn=3)) == {"turn": 3}
    nothing = COURSES["none"]
    assert nothing.buttons(nothing.begin()) == nothing.headings(nothing.begin()) == ()
    assert nothing.facts(nothing.begin()) == {}
    with pytest.raises(BadMove, match="This game has no course"):
        nothing.press(nothing.begin(), "turn")


# Every course


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_every_position_that_a_course_leads_to_is_sound_and_comes_back_from_its_facts(course):
    position = course.begin()
    for number in range(60):
        assert course.flaws(position) == []
        assert course.change(position, course.facts(position)) == position
        assert course.step(position) in course.steps or not course.steps
        assert course.actor(position) in {"", *course.sides}
        ways = course.buttons(position)
        if not ways:
            return
        try:
            position = course.press(position, ways[number * 7 % len(ways)].slug).position
        except BadMove:
            return


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_no_course_goes_on_by_a_button_that_does_not_stand(course):
    with pytest.raises(BadMove):
        course.press(course.begin(), "backwards")


@pytest.mark.parametrize(
    ("course", "position", "flaw"),
    [
        ("phases", Position(phase="retreat", side="german"), "phase: should be one of: command, move."),
        ("phases", Position(phase="move", side="grey"), "impulse: should be one of: german, russian."),
        ("phases", Position(turn=3, phase="move", side="german"), "turn: should be a whole number from 1 to 2."),
        ("phases", Position(phase="move", side="german", box=2), "box: this course has no such value."),
        ("track", Position(turn=9), "turn: should be a whole number from 1 to 4."),
        ("track", Position(side="german", impulse=1), "box: should be a whole number from 1 to 12."),
        ("turns", Position(phase="move"), "phase: this course has no such value."),
        ("none", Position(turn=2), "turn: this course has no such value."),
    ],
)
def test_a_position_from_outside_is_told_what_is_wrong_with_it(course, position, flaw):
    assert COURSES[course].flaws(position) == [flaw]


def test_all_that_is_wrong_with_a_change_is_said_at_once():
    with pytest.raises(BadMove) as error:
        FIREFIGHT.change(FIREFIGHT.begin(), {"turn": 9, "phase": "melee", "weather": "snow"})
    assert str(error.value) == (
        "turn: should be a whole number from 1 to 2. phase: should be one of: command, move. "
        "weather: this course has no such value."
    )


def test_an_option_fills_the_fields_of_its_name():
    reading = Option("supply-reading", "Supply", {"strict": "Strict", "lenient": "Lenient"}, "reading", ("supply",))
    assert reading.usual == "strict"
    assert reading.fills("supply", "reading")
    assert not reading.fills("supply", "supply-reading")
    assert not reading.fills("attack", "reading")
    assert Option("weather", "Weather", {"dry": "Dry"}).fills("attack", "weather")
