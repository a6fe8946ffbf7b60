"""The impulse track: its roll, passes, the Advantage, and the course of a match, against a track kept by hand."""

import random
from dataclasses import replace

import pytest

from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.rolls.changes import merge_changes
from firefight.games import chartbooks, registry
from firefight.games.turning_point_stalingrad.rules import advantage, calendar, dates, track
from firefight.games.turning_point_stalingrad.rules.course import COURSE
from firefight.games.turning_point_stalingrad.rules.keeping import Keeping
from firefight.games.turning_point_stalingrad.rules.record import RECORD
from firefight.games.turning_point_stalingrad.rules.sides import Side, Time
from tests import soak
from tests.oracles import turning_point

SLUG = "turning-point-stalingrad"
BOOK = chartbooks.shipped(SLUG)


def roll(date="1942-09-14", time=Time.DAY, box=5, **more):
    return track.impulse(charts=BOOK, date=date, time=time, box=box, **more)


def facts(result):
    """Outcome, and where the marker is."""
    return (result.outcome.value, *(result.details[name] for name in ("date", "time", "box", "week_end")))


# The impulse roll


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({"box": 5, "dr": 6}, ("goes_on", "1942-09-14", "day", 6, False)),
        ({"box": 5, "dr": 5}, ("sunset", "1942-09-14", "night", 3, False)),
        ({"box": 1, "dr": 2}, ("goes_on", "1942-09-14", "day", 2, False)),
        ({"box": 12, "dr": 12}, ("sunset", "1942-09-14", "night", 3, False)),
        ({"time": Time.NIGHT, "box": 3, "dr": 4}, ("goes_on", "1942-09-14", "night", 4, False)),
        ({"time": Time.NIGHT, "box": 3, "dr": 3}, ("dawn", "1942-09-15", "day", 1, False)),
        ({"time": Time.NIGHT, "date": "1942-09-13", "box": 3, "dr": 2}, ("dawn", "1942-09-14", "day", 1, False)),
        ({"time": Time.NIGHT, "date": "1942-09-19", "box": 3, "dr": 2}, ("dawn", "1942-09-20", "day", 1, True)),
        ({"time": Time.NIGHT, "date": "1942-10-07", "box": 7, "dr": 2}, ("dawn", "1942-10-08", "day", 2, False)),
        ({"date": "1942-10-08", "box": 7, "dr": 2}, ("sunset", "1942-10-08", "night", 2, False)),
        ({"time": Time.NIGHT, "date": "1942-11-01", "box": 7, "dr": 2}, ("dawn", "1942-11-02", "day", 3, False)),
        ({"date": "1942-11-02", "box": 7, "dr": 2}, ("sunset", "1942-11-02", "night", 1, False)),
        ({"time": Time.NIGHT, "date": "1942-11-14", "box": 7, "dr": 2}, ("end_of_game", None, None, None, True)),
        ({"date": "1942-11-14", "box": 7, "dr": 2}, ("sunset", "1942-11-14", "night", 1, False)),
        ({"box": 7, "dr": 7, "advantage": True}, ("prolonged", "1942-09-14", "day", 1, False)),
        ({"box": 7, "dr": 8, "advantage": True}, ("goes_on", "1942-09-14", "day", 8, False)),
        ({"time": Time.NIGHT, "box": 7, "dr": 7, "advantage": True}, ("prolonged", "1942-09-14", "night", 3, False)),
        ({"box": 7, "rolled": 7}, ("sunset", "1942-09-14", "night", 3, False)),
        ({"box": 7, "rolled": 8, "dr": 2}, ("goes_on", "1942-09-14", "day", 8, False)),
        ({"date": "1942-09-13", "box": 11}, ("goes_on", "1942-09-13", "day", 12, False)),
        ({"date": "1942-09-13", "box": 12}, ("sunset", "1942-09-13", "night", 3, False)),
        ({"date": "1942-09-13", "box": 4, "dr": 2}, ("goes_on", "1942-09-13", "day", 5, False)),
    ],
)
def test_the_impulse_roll_moves_the_marker(inputs, expected):
    assert facts(roll(**inputs)) == expected


@pytest.mark.parametrize(
    ("date", "time", "box"),
    [
        *(("1942-10-07", Time.DAY, 1), ("1942-10-08", Time.DAY, 2), ("1942-11-01", Time.DAY, 2)),
        *(("1942-11-02", Time.DAY, 3), ("1942-10-07", Time.NIGHT, 3), ("1942-11-02", Time.NIGHT, 1)),
    ],
)
def test_the_other_reading_resets_where_days_and_nights_begin(date, time, box):
    marker = track.ResetReading.MARKER
    assert roll(date, time, box=12, dr=9, advantage=True, reading=marker).details["box"] == box


def test_the_advantage_does_not_prolong_13_september():
    with pytest.raises(BadInput, match="20.3"):
        roll("1942-09-13", advantage=True)


def test_a_flip_is_as_likely_as_two_dice_come_to_at_most_the_box():
    assert [dates.flip_ways(box) for box in range(1, 13)] == [0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]


def test_dawn_lists_what_is_due_in_the_order_of_the_rules():
    result = roll("1942-09-19", Time.NIGHT, box=7, dr=7)
    slugs = [step.helper for step in result.follow_ups]
    assert slugs == ["victory", "withdrawal", "dawn", "armour-replacement", "entry"]
    assert result.follow_ups[0].inputs == {"date": "1942-09-19"}
    assert [step.helper for step in roll("1942-09-18", Time.NIGHT, box=7, dr=7).follow_ups][0] == "withdrawal"
    assert [step.helper for step in roll("1942-11-14", Time.NIGHT, box=7, dr=7).follow_ups] == ["victory"]
    assert roll(box=7, dr=7).follow_ups == ()
    assert any("Exchange Russian artillery" in line for line in roll("1942-09-26", Time.NIGHT, box=7, dr=7).effects)
    assert roll("1942-09-19", Time.NIGHT, box=7, dr=7, track="open").follow_ups == ()


def test_a_use_of_the_advantage_tells_whose_it_is_then_and_a_refusal_tells_why_not():
    known = {"holder": Side.GERMAN, "holder_at_dawn": Side.GERMAN, "date": "1942-09-15", "time": Time.DAY}
    known |= {"charts": BOOK, "user": Side.GERMAN, "purpose": advantage.Purpose.PROLONG}
    used, refused = (advantage.advantage(**known, used_today=is_used) for is_used in (False, True))
    assert used.effects[0] == "It goes to the Russian, who may use it from the next date on."
    assert used.effects[1].startswith("The marker goes to box 1 instead of flipping.")
    assert refused.effects == ("9.5: the Advantage has been used on this date.",)


@pytest.mark.parametrize(
    ("date", "time", "expected"),
    [
        ("1942-09-13", Time.DAY, ("undetermined", None, None, None, False)),
        ("1942-09-13", Time.NIGHT, ("dawn", "1942-09-14", "day", 1, False)),
        ("1942-09-14", Time.DAY, ("sunset", "1942-09-14", "night", 3, False)),
        ("1942-09-26", Time.NIGHT, ("dawn", "1942-09-27", "day", 1, True)),
        ("1942-11-14", Time.NIGHT, ("end_of_game", None, None, None, True)),
    ],
)
def test_two_passes_flip_the_marker(date, time, expected):
    assert facts(track.both_pass(charts=BOOK, date=date, time=time)) == expected


# The Advantage


def ask(user="german", holder="german", at_dawn="german", used=False, purpose="prolong", date="1942-09-14", time="day"):
    result = advantage.advantage(
        charts=BOOK,
        user=Side(user),
        holder=Side(holder),
        holder_at_dawn=Side(at_dawn),
        used_today=used,
        purpose=advantage.Purpose(purpose),
        date=date,
        time=Time(time),
    )
    return result.details["allowed"], result.details["holder"], result.details["reset_box"]


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, (True, "russian", 1)),
        ({"time": "night"}, (True, "russian", 3)),
        ({"purpose": "reroll"}, (True, "russian", None)),
        ({"user": "russian"}, (False, "german", None)),
        ({"used": True}, (False, "german", None)),
        ({"user": "russian", "holder": "russian"}, (False, "russian", None)),
        ({"user": "russian", "holder": "russian", "at_dawn": "russian"}, (True, "german", 1)),
        ({"date": "1942-09-13"}, (False, "german", None)),
        ({"date": "1942-09-13", "time": "night"}, (True, "russian", 3)),
        ({"date": "1942-09-13", "purpose": "reroll"}, (True, "russian", None)),
    ],
)
def test_who_may_use_the_advantage(inputs, expected):
    assert ask(**inputs) == expected


# The calendar


@pytest.mark.parametrize(
    ("date", "week", "spread", "boxes", "aircraft", "guns"),
    [
        ("1942-09-13", 1, (5, 7), (1, 3), 8, 1),
        ("1942-09-19", 1, (5, 7), (1, 3), 8, 1),
        ("1942-09-20", 2, (8, 12), (1, 3), 8, 1),
        ("1942-09-26", 2, (8, 12), (1, 3), 8, 1),
        ("1942-09-27", 3, (11, 17), (1, 3), 5, 2),
        ("1942-10-04", 4, (14, 20), (1, 3), 5, 2),
        ("1942-10-08", 4, (14, 20), (2, 2), 5, 2),
        ("1942-10-13", 5, (18, 22), (2, 2), 5, 2),
        ("1942-10-14", 5, (18, 22), (2, 2), 9, 2),
        ("1942-10-18", 6, (20, 24), (2, 2), 9, 2),
        ("1942-10-31", 7, (22, 26), (2, 2), 9, 2),
        ("1942-11-01", 8, (25, 27), (2, 2), 9, 3),
        ("1942-11-02", 8, (25, 27), (3, 1), 9, 3),
        ("1942-11-14", 9, (28, 28), (3, 1), 9, 3),
    ],
)
def test_what_changes_by_date(date, week, spread, boxes, aircraft, guns):
    details = calendar.calendar(charts=BOOK, date=date, box=None, duration=4).details
    assert details["week"] == week and (details["low"], details["high"]) == spread
    assert (details["day_box"], details["night_box"]) == boxes
    assert (details["luftwaffe"], details["russian_artillery"]) == (aircraft, guns)
    assert details["last_day"] is (date in ("1942-09-19", "1942-09-26", "1942-10-31", "1942-11-14"))
    assert dates.dated("dv_bonus", date, BOOK) == (0 if date < "1942-09-27" else 1 if date < "1942-11-01" else 2)


def test_every_first_box_of_the_course_is_that_of_the_chart():
    for number, turn in enumerate(COURSE.turns, 1):
        time = Time(turn.facts["time"])
        assert COURSE.open_turn(number).box == dates.first_box(turn.facts["date"], time, BOOK)


def test_dots_are_gone_after_as_many_dawns():
    inputs = {"charts": BOOK, "date": "1942-09-29", "box": None}
    fresh_on = [calendar.calendar(**inputs, duration=dots).details["fresh_on"] for dots in range(5)]
    assert fresh_on == [None, "1942-09-30", "1942-10-01", "1942-10-02", "1942-10-03"]


# The course


class Match:
    """A match without a table: its position and its record, and what is due."""

    def __init__(self):
        self.position, self.record, self.due, self.rules = COURSE.begin(), RECORD.defaults, [], Keeping()

    @property
    def situation(self):
        return TableState(self.position, self.record, BOOK)

    @property
    def buttons(self):
        return [button.slug for button in COURSE.buttons(self.position, self.record)]

    def change(self, changes):
        values = merge_changes(changes)
        place = {name: value for name, value in values.items() if name in COURSE.allowed()}
        rest = {name: value for name, value in values.items() if name not in place}
        self.position = COURSE.change(self.position, place)
        self.record = RECORD.apply(self.record, rest)

    def press(self, slug):
        before = self.position
        self.position = COURSE.press(before, slug, self.record).position
        house = self.rules.keep_house(before, replace(self.situation, pressed=slug))
        self.change(house.changes)
        self.due += [step.roll for step in house.due]

    def play(self, slug, inputs, **dice):
        """Roll a helper as a match does: filled from place and record."""
        helper = registry.helpers(SLUG)[slug]
        known = {**COURSE.facts(self.position), "track": self.record["track"]}
        if slug == "advantage":
            known |= {**self.record["advantage"], "user": self.record["advantage"]["holder"]}
        form = helper.form.from_plain({**known, **inputs}, book=BOOK)
        assert form.is_valid(), form.errors
        result = helper.resolve(BOOK, form.inputs(), dice)
        assert not result.needs
        self.change((*result.changes, *self.rules.note(slug, form.plain_inputs(), result, self.situation)))
        return result

    def answer(self, dr):
        """The impulse roll that is due."""
        step = next(step for step in self.due if step.helper == "impulse")
        self.due.remove(step)
        return self.play("impulse", step.inputs, dr=dr)


def check(match, keeper):
    """The match stands where the track kept by hand does."""
    assert COURSE.facts(match.position) == keeper.place
    advantage_row = match.record["advantage"]
    assert (advantage_row["holder"], advantage_row["holder_at_dawn"], advantage_row["used_today"]) == (
        *(keeper.owner, keeper.owner_at_dawn, keeper.used),
    )


def play_impulse(match, keeper, rng):
    """One impulse, in any way in which players may play it; False where the game is over."""
    if match.position.side == "russian":
        passes = rng.random() < 0.15
        return press_out(match, lambda: keeper.russian(passes), "pass" if passes else "impulse")
    if keeper.is_fixed:
        slug = match.buttons[-1] if rng.random() < 0.9 else match.buttons[0]
        match.press(slug)
        keeper.german(passes=slug == "pass")
        return True
    passes, dr = rng.random() < 0.15, rng.randint(1, 6) + rng.randint(1, 6)
    if passes and match.position.passes:
        return press_out(match, lambda: keeper.german(passes=True), "pass")
    if not passes and rng.random() < 0.5:
        match.play("impulse", {"rolled": dr})
        match.play("impulse", {"rolled": rng.randint(2, 12)})  # of a second attack, which does not count
        if match.record["track"] == "goes_on":
            return press_out(match, lambda: keeper.german(dr=dr), "impulse")
    else:
        match.press("pass" if passes else "impulse")
        if rng.random() < 0.1:
            match.press("impulse")  # who has dropped the roll asks for it again
        match.answer(dr)
        match.due = [step for step in match.due if step.helper != "impulse"]
        if dr > keeper.box:
            keeper.german(dr, passes)
            return True
    assert ("prolong" in match.buttons) is keeper.may_prolong()
    if keeper.may_prolong() and rng.random() < 0.4:
        match.press("prolong")
        match.play("advantage", match.due.pop().inputs)
        keeper.german(dr, passes, prolong=True)
        return True
    return press_out(match, lambda: keeper.german(dr=dr, passes=passes), "turn")


def press_out(match, impulse, slug):
    """Press the button that ends an impulse; False where the last night ends with it, and the points are counted."""
    try:
        impulse()
    except turning_point.GameOver:
        before, match.due = match.position, []
        match.press(slug)
        assert match.position == before
        assert [(step.helper, step.inputs["date"]) for step in match.due] == [("victory", "1942-11-14")]
        return False
    match.press(slug)
    return True


@pytest.mark.soak
@pytest.mark.parametrize("part", soak.seeds(4, 40))
def test_weeks_of_random_impulses_agree_with_a_track_kept_by_hand(part):
    """Ten weeks a part: the first from 13 September, the others from any date on; no dead end, and points each week."""
    rng = random.Random(f"turning point {part}")
    for week in range(5):
        match, keeper = Match(), turning_point.Keeper()
        if week:
            start = rng.randint(1, 62)
            match.position = replace(COURSE.open_turn(2 * start + 1), side="russian")
            keeper.date += turning_point.datetime.timedelta(days=start)
            keeper.box = match.position.box
            keeper.side = "russian"
        weeks, end = [], keeper.date + turning_point.datetime.timedelta(days=7)
        while keeper.date < end:
            check(match, keeper)
            assert match.buttons, "a dead end"
            if not play_impulse(match, keeper, rng):
                assert keeper.date == turning_point.LAST
                break
            weeks += [step.inputs["date"] for step in match.due if step.helper == "victory"]
            match.due = [step for step in match.due if step.helper in ("impulse", "advantage")]
        assert weeks == keeper.weeks_counted


def test_13_september_has_twelve_german_and_eleven_russian_impulses_by_day():
    match, sides = Match(), []
    while match.position.turn == 1:
        sides.append(match.position.side)
        match.press(match.buttons[-1])
    assert (sides.count("german"), sides.count("russian")) == (12, 11)
    assert COURSE.facts(match.position) == {
        "date": "1942-09-13", "time": "night", "box": 3, "side": "russian", "impulse": 1, "passes": 0,
    }  # fmt: skip


def test_dawn_renews_what_a_date_uses_up():
    match = Match()
    match.position = COURSE.change(match.position, {"date": "1942-09-26", "time": "night", "side": "german", "box": 12})
    match.record = RECORD.apply(
        match.record,
        {
            "advantage": {"holder": "russian", "used_today": True},
            "luftwaffe_used": True,
            "track": "flips",
        },
    )
    guns = [{"area": "32", "state": "silenced"}, {"area": "65", "state": "refit"}, {"area": "67", "state": "ready"}]
    match.record = {**match.record, "russian_artillery": guns}
    match.press("turn")
    assert match.record["advantage"] == {"holder": "russian", "holder_at_dawn": "russian", "used_today": False}
    assert match.record["luftwaffe_used"] is False and match.record["track"] == "open"
    assert {gun["state"] for gun in match.record["russian_artillery"]} == {"ready"}, "27 September brings new ones"
    assert match.due[0].helper == "victory"


def test_silenced_artillery_turns_to_refit_at_dawn_and_is_made_ready():
    match = Match()
    match.position = COURSE.change(match.position, {"date": "1942-09-14", "time": "night", "side": "german", "box": 12})
    match.record = {**match.record, "track": "flips", "russian_artillery": [{"area": "67", "state": "silenced"}]}
    match.press("turn")
    assert match.record["russian_artillery"] == [{"area": "67", "state": "refit"}]
    match.play("refit", {"area": "67"}, die=3)
    assert match.record["russian_artillery"] == [{"area": "67", "state": "refit"}]
    assert (match.position.side, match.position.impulse) == ("german", 2), "that was the impulse (15.34)"
    match.press("pass")
    match.play("impulse", {"date": "1942-09-15", "time": "day", "box": 1}, dr=12)
    match.play("refit", {"area": "67"}, die=2)
    assert match.record["russian_artillery"] == [{"area": "67", "state": "ready"}]
