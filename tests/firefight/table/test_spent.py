"""Nobody foresees a number of the app: a roll that could end without a result is refused before it is drawn.

And whatever was drawn is logged and used up, before anything can refuse.
"""

import uuid
from dataclasses import replace

import pytest

from firefight.engine.errors import BlankCells, MissingChart
from firefight.engine.rolls.dice import DieSpec, rolled_face
from firefight.games import chartbooks, registry
from firefight.kit import playing
from firefight.kit.game import USUAL
from firefight.models import Draft, LogEntry, Match
from firefight.table.act import performing
from firefight.table.act.own_dice import dice_of_match
from firefight.table.act.refusals import Refused, Spent
from firefight.table.act.table import Table
from firefight.table.consent import matters
from firefight.table.log import fairness
from firefight.table.rolling import one_roll, replay
from tests.books import altered, altered_data
from tests.firefight.players import GAME, SAMPLES, end, headline_of, rows, words_of

PAIRS = [[f"{low}-{low + 1}", ""] for low in range(1, 100, 2)]


def pinned(player, data):
    """Let the match of a player go by other charts."""
    row = chartbooks.store(GAME, data)
    Match.objects.filter(pk=player.match_id).update(book=row)


def half_blank():
    """Accuracy bands that are blank for every second pair of faces, so that a refusal would tell a number."""
    bands = [[f"{low}-{low + 1}", "" if low % 4 == 1 else "0"] for low in range(1, 100, 2)]
    return altered_data("accuracy", bands=bands)


def test_a_roll_that_can_reach_a_blank_cell_is_refused_before_a_number_is_drawn(table):
    pinned(table.german, half_blank())
    for _ in range(6):
        before = rows()
        response = table.german.roll("accuracy", marker="new_cff", aim="K7", dice="app")
        assert response.status_code == 422
        words = words_of(response)
        assert "So the app does not roll: fill the chart in, or roll real dice and type them." in words
        assert rows() == before
    # The cell that is named is always the same, and so tells nothing of the number.
    assert table.german.match.next_roll == 1
    assert table.german.roll("fo-loss", item="phone", dice="app").status_code == 302
    assert table.german.roll("accuracy", marker="new_cff", aim="K7", dice="table", die="3").status_code == 302


def test_a_later_die_that_can_reach_a_blank_cell_is_refused_before_the_first_is_drawn(table):
    pinned(table.german, altered_data("direction", bands=[["1-5", "1"], ["6", ""], ["7-10", "2"]]))
    before = rows()
    response = table.german.roll("accuracy", marker="new_cff", aim="K7", dice="app")
    assert response.status_code == 422 and "cell 6 of the chart" in words_of(response)
    assert rows() == before


@pytest.mark.parametrize("slug", SAMPLES)
def test_every_helper_rolls_with_the_house_values(table, slug):
    fields = {name: value for name, value in SAMPLES[slug].items() if "die" not in name}
    assert table.german.roll(slug, dice="app", **fields).status_code == 302


def test_who_is_hit_reads_its_dice_off_no_chart():
    """Twelve d10 cannot be swept: the rule is run without charts instead."""
    helper = registry.helpers(GAME)["who-is-hit"]
    form = helper.form.from_plain({"result": "2e", "units": "squad,squad,leader"}, book=chartbooks.shipped(GAME))
    assert form.is_valid() and not helper.is_read
    inputs = form.inputs()
    for faces in ((1, 1, 1), (10, 3, 10), (2, 9, 4)):
        dice = {f"die_{place}": face for place, face in enumerate(faces, 1)}
        assert helper.resolve(None, inputs, dice).outcome


@pytest.mark.parametrize("chart", ["contact", "fft", "morale", "accuracy", "direction"])
def test_what_the_app_may_roll_never_ends_without_a_result(chart):
    """By the slow way: if the check lets a roll through, every face of every die has a result."""
    blanks = {
        "contact": {"values": {"radio": "", "phone": 75, "plotted": 75}},
        "fft": {},
        "morale": {},
        "accuracy": {"bands": half_blank()["charts"]["accuracy"]["bands"]},
        "direction": {"bands": [["1-9", "1"], ["10", ""]]},
    }[chart]
    book = altered(chart, **blanks)
    for slug in ("contact", "accuracy", "morale", "fire", "air-attack"):
        helper = registry.helpers(GAME)[slug]
        form = helper.form.from_plain({k: v for k, v in SAMPLES[slug].items() if "die" not in k}, book=book)
        assert form.is_valid(), form.errors
        specs = helper.specs(form.inputs())
        ends = set()
        for face in range(1, specs[0].sides + 1):
            for other in range(1, 11):
                dice = {specs[0].name: face, **{spec.name: other for spec in specs[1:]}}
                try:
                    helper.resolve(book, form.inputs(), dice)
                except MissingChart:
                    ends.add("blank")
        try:
            playing.check_reach(helper, book, form.inputs())
        except (BlankCells, MissingChart):
            assert ends
        else:
            assert not ends


# The second defence


def act_of(player, do):
    """An act of a player that does so, with dice of the app."""
    match = player.match
    table = Table(match, "german", ("german",), tuple(match.seats.all()))
    return performing.perform(table, str(uuid.uuid4()), match.version, do)


def draw(match, act):
    """Draw two dice and refuse."""
    throw = dice_of_match(match)
    throw(DieSpec("die", 100, "d100"))
    throw(DieSpec("hidden_unit", 10, "d10 of the hidden gun"))
    match.state = replace(match.state, turn=5)
    LogEntry.objects.filter(match=match, number=1).update(sentence="changed")
    raise Refused("Cell 77-78 is blank.")


def test_what_was_drawn_is_logged_and_used_up_when_the_act_is_refused(table):
    german = table.german
    seed, first = bytes.fromhex(german.match.seed), german.log[0].sentence
    with pytest.raises(Spent, match="Cell 77-78 is blank. Nothing came of what the app rolled.") as refusal:
        act_of(german, draw)
    assert refusal.value.status == 422
    entry = german.last
    assert (entry.kind, entry.sentence) == ("spent", "Nothing came of what the app rolled. Its numbers are used up.")
    assert [(roll.number, roll.sides, roll.face) for roll in entry.rolls] == [
        (1, 100, rolled_face(seed, 1, 100)),
        (2, 10, rolled_face(seed, 2, 10)),
    ]
    assert "gun" not in str(entry.rolls)
    match = german.match
    assert (match.next_roll, match.state.turn, german.log[0].sentence) == (3, 1, first)
    end(german, table.russian)
    exported = german.get("log.json").json()
    assert fairness.check_log(exported).is_complete and replay.work_out_results(exported) == replay.WorkedOut(0, (), ())


def test_an_id_that_was_used_before_draws_nothing_to_tell_of(table):
    """Else the refusal would tell what the next roll is."""
    german, used = table.german, str(uuid.uuid4())
    german.note("hello", act=used)
    before = rows()
    match = german.match
    at = Table(match, "german", ("german",), tuple(match.seats.all()))
    assert [entry.sentence for entry in performing.perform(at, used, match.version, draw).entries] == ["hello"]
    assert rows() == before


def test_numbers_that_somebody_else_used_up_meanwhile_are_not_used_up_twice(table):
    german, stale = table.german, table.german.match
    german.roll("contact", device="radio", dice="app")
    at = Table(stale, "german", ("german",), tuple(stale.seats.all()))
    with pytest.raises(Spent):
        performing.perform(at, str(uuid.uuid4()), stale.version, draw)
    assert [roll.number for entry in german.log for roll in entry.rolls] == [1, 2]
    assert german.match.next_roll == 3


def test_what_was_drawn_is_used_up_when_the_log_has_no_room_for_what_came_of_it(table):
    """Else whoever fills the log tries each roll, and is let through where the dice bring few words."""
    german = table.german
    Match.objects.update(weight=USUAL.weight - 1)
    response = german.roll("contact", device="radio", dice="app")
    assert "This log is full" in words_of(response) and "Its numbers are used up." in words_of(response)
    assert (german.last.kind, german.match.next_roll) == ("spent", 2)


def test_a_full_log_grows_by_no_roll_that_comes_to_nothing(table):
    german = table.german
    Match.objects.update(weight=USUAL.weight - 1)
    for _ in range(2):
        german.roll("contact", device="radio", dice="app")
    before = rows()
    assert "This log is full" in words_of(german.roll("contact", device="radio", dice="app"))
    with pytest.raises(Refused):
        act_of(german, draw)
    assert rows() == before and german.match.next_roll == 2


def test_what_was_drawn_is_used_up_when_the_rule_itself_fails(table):
    def fail(match, act):
        dice_of_match(match)(DieSpec("die", 100, "d100"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        act_of(table.german, fail)
    assert table.german.match.next_roll == 2 and table.german.last.kind == "spent"


def test_the_page_says_what_became_of_the_dice_and_the_next_form_is_good(table, monkeypatch):
    """The same if the check before the draw had been wrong."""
    monkeypatch.setattr(one_roll, "check_reach", lambda *_: None)
    pinned(table.german, altered_data("accuracy", bands=PAIRS))
    response = table.german.roll("accuracy", marker="new_cff", aim="K7", dice="app")
    assert response.status_code == 422 and "Its numbers are used up." in words_of(response)
    assert table.german.last.kind == "spent" and table.german.match.next_roll == 2
    assert headline_of(response) is None
    assert "rolled here, no. 1" in table.russian.see()
    # It is no act that could be taken back, and the form that was used is used.
    response = table.german.do("take-back/")
    assert "There is nothing to take back" in words_of(response)
    act = str(table.german.last.act_id)
    before = rows()
    response = table.german.roll("fo-loss", item="phone", dice="app", act=act)
    assert response.status_code == 422 and rows() == before


# A book that takes the shipped one's name


@pytest.mark.parametrize("name", ["House values", "HOUSE  VALUES", "Ｈouse values", "House values (shipped)"])
def test_a_book_with_the_shipped_ones_name_is_told_apart_wherever_a_match_names_it(table, name):
    german = table.german
    assert "Charts: House values." in german.see()
    row = chartbooks.store(GAME, {**half_blank(), "name": " ".join(name.split())})
    Match.objects.filter(pk=german.match_id).update(book=row)
    label = f"{' '.join(name.split())} · {row.digest[:8]}"
    assert f"Charts: {label}." in german.see()
    assert label in german.see("charts/") and label in german.see("roll/contact/")
    other = chartbooks.store(GAME, altered_data("contact", values={"radio": 66, "phone": 75, "plotted": 75}))
    seated = Table(german.match, "german", ("german",), tuple(german.match.seats.all()))
    matters.propose_book(seated, str(uuid.uuid4()), german.match.version, other, "“Mine”")
    table.russian.do("answer/", agrees="yes")
    assert f"until now “{label}”" in german.last.sentence


def test_a_book_on_the_shelf_with_the_shipped_ones_name_is_told_apart(client, db):
    client.post(f"/charts/{GAME}/", {"do": "copy"})
    draft = Draft.objects.get()
    address = f"/charts/{draft.pk}/"
    client.post(address, {"do": "rename", "name": "house Values", "revision": draft.revision})
    for page in (address, "/charts/"):
        assert "house Values (not the shipped ones)" in words_of(client.get(page))
