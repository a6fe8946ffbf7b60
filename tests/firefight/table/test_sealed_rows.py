"""A row that its side alone knows of, set by hand on its own page: the other side learns nothing of it unasked."""

import json
import re

import pytest

from firefight.models import Match
from firefight.table.rolling import replay
from tests.filling import Reader
from tests.firefight.players import begin, sit, text_of, words_of

pytestmark = pytest.mark.django_db

WORD = "Katyusha"
PAGES = ("", "log/", "log.json", "report/", "report.md", "record/", "record.json", "missions.json", "ground.json")
PAGES += ("table/", "counters/", "now.json", "archive.json", "pack/")


@pytest.fixture
def both(frozen):
    return frozen("a Russian and a German", sit_down)


def sit_down():
    """A Russian whose row it is, and a German, each with a browser."""
    russian, links = begin("russian")
    return russian, sit(links["german"], russian.match_id)


def open_page(player, at=""):
    return Reader(player.client).open(f"/match/{player.match_id}/{at}")


def add(player, field, **parts):
    """Add a row by the form of its page; returns its id."""
    reader = open_page(player, f"rows/{field}/")
    form = reader.form("form", number=len(reader.find("form")) - 1)
    form.fill({f"part-{name}": value for name, value in parts.items()}).press("Add")
    return next(iter(player.get(f"{field}.json").json()), {"id": ""})["id"], reader


def write_plot(player):
    return add(player, "missions", name=WORD, caliber="122", plotted="yes", plot="K7, L8", plot_turn="2")[0]


def note_mines(player):
    return add(player, "ground", hex="C5", mines="3", known_to="russian", note=WORD)[0]


def set_part(player, field, row, part, value):
    """Set a part by hand on the row's own page; returns the reader with what came back."""
    reader = open_page(player, f"rows/{field}/{row}/")
    for number in range(len(reader.find("dl.record form.inline"))):
        form = reader.form("dl.record form.inline", number=number)
        if form.value("field") == f"{field}.{row}.{part}":
            form.fill(value=value).press("Set")
            return reader
    raise AssertionError(f"{part} is not to be set here.")


def parts_of(player, field, row):
    return next(row_known for row_known in player.get(f"{field}.json").json() if row_known["id"] == row)


def go_through_a_turn(player):
    """Press the button that leads on, from phase to phase, until the next turn has begun."""
    turn = player.match.state.turn
    while player.match.state.turn == turn:
        reader = open_page(player)
        reader.press_node(reader.find("#status button[formaction$='/advance/']")[-1])


def set_phase(player, phase):
    reader = open_page(player, "record/")
    for number in range(len(reader.find("dl.record form.inline"))):
        form = reader.form("dl.record form.inline", number=number)
        if form.value("field") == "phase":
            form.fill(value=phase).press("Set")
            return
    raise AssertionError("The phase is not to be set here.")


def check_unseen(player, *words):
    for place in PAGES:
        text = text_of(player.get(place))
        assert not [word for word in words if re.search(rf"\b{word}\b", text)], place


def put_in(player, field, row, **parts):
    """Let a stored match hold what no hand may set, as matches do that were played before."""
    match = player.match
    plain = match.state.to_json()
    plain["record"][field][row] |= parts
    Match.objects.filter(pk=match.pk).update(state=type(match.state).from_json(plain))


def test_a_sealed_plot_gets_no_marker_by_hand(both):
    russian, german = both
    row = write_plot(russian)
    for marker in ("ffe", "cff"):
        reader = set_part(russian, "missions", row, "marker", marker)
        assert reader.status == 422 and "“known to”" in reader.words() and "all" in reader.words()
    assert parts_of(russian, "missions", row)["marker"] == ""
    go_through_a_turn(german)
    check_unseen(german, WORD, row)


@pytest.mark.parametrize("parts", [{"marker": "ffe"}, {"marker": "ffe", "hex": "K7", "called": 1}])
def test_what_phases_do_says_nothing_of_a_sealed_plot(both, parts):
    russian, german = both
    row = write_plot(russian)
    put_in(russian, "missions", row, **parts)
    go_through_a_turn(german)
    check_unseen(german, WORD, row)


def test_a_plot_is_opened_by_hand_and_the_line_says_so(both):
    russian, german = both
    row = write_plot(russian)
    check_unseen(german, WORD, row)
    set_part(russian, "missions", row, "known_to", "")
    assert (
        russian.log[-1].sentence == f"By hand, {WORD}: known to set to all; it was Russian."
        and not russian.log[-1].secret
    )
    assert parts_of(german, "missions", row)["plot"] == ["K7", "L8"]
    assert set_part(russian, "missions", row, "marker", "ffe").status == 200
    assert f"By hand, {WORD}: marker set to FFE." in text_of(german.get("log.json"))
    reader = set_part(russian, "missions", row, "known_to", "russian")
    assert reader.status == 422 and "FFE" in reader.words()
    for player in both:
        assert replay.examine_log(player.get("log.json").json())["problems"] == []


def test_a_program_opens_a_plot_and_lays_its_marker_at_once(both):
    russian, german = both
    row = write_plot(russian)
    russian.do("rows/", change=json.dumps({"missions": {"change": {row: {"known_to": "", "marker": "ffe"}}}}))
    assert (
        russian.log[-1].sentence == f"By hand. {WORD}: known to set to all; it was Russian. {WORD}: marker set to FFE."
    )
    assert parts_of(german, "missions", row)["marker"] == "ffe"


def test_nobody_opens_or_marks_what_the_other_side_hides(both):
    russian, german = both
    row = write_plot(russian)
    for parts in ({"known_to": ""}, {"marker": "ffe", "known_to": ""}, {"known_to": "german"}):
        answer = german.do("rows/", change=json.dumps({"missions": {"change": {row: parts}}}))
        assert "no such value in your record" in words_of(answer)
    assert parts_of(russian, "missions", row)["known_to"] == "russian"


def test_a_row_that_is_struck_stays_a_secret(both):
    russian, german = both
    row = write_plot(russian)
    open_page(russian, f"rows/missions/{row}/").press("Strike it off the record")
    assert russian.log[-1].sentence == "Russian sets something in its hidden record by hand."
    check_unseen(german, WORD, row)


def test_an_accuracy_roll_opens_a_battery_that_was_kept_secret(both):
    russian, german = both
    row = add(russian, "missions", name=WORD, caliber="122", plotted="no", known_to="russian")[0]
    set_phase(russian, "fire_and_movement")
    reader = open_page(russian)
    reader.form(f"#missions-{row} form").fill(aim="K7").press("Contact")
    reader.form("#desk-form").fill(die=20).press("Resolve")
    check_unseen(german, WORD)
    reader.form("#desk-form").fill(die=1, direction_die=1).press("Resolve")
    assert (parts_of(german, "missions", row)["marker"], parts_of(german, "missions", row)["known_to"]) == ("cff", "")


@pytest.mark.parametrize(("part", "value"), [("smoke", "1"), ("fire", "yes"), ("wreck", "burning"), ("random", "yes")])
def test_what_lies_on_the_board_is_noted_for_all(both, part, value):
    russian, german = both
    row = note_mines(russian)
    reader = set_part(russian, "ground", row, part, value)
    assert reader.status == 422 and "on the board" in reader.words()
    go_through_a_turn(german)
    check_unseen(german, WORD, row, "C5")


def test_what_phases_do_says_nothing_of_ground_known_to_one_side(both):
    russian, german = both
    row = note_mines(russian)
    put_in(russian, "ground", row, smoke=1)
    go_through_a_turn(german)
    check_unseen(german, WORD, row, "C5")


def test_a_form_for_a_hex_says_what_cannot_be_kept_secret(both):
    russian, _ = both
    _, reader = add(russian, "ground", hex="C5", mines="3", fire="yes", known_to="russian")
    assert reader.status == 422 and "on the board" in reader.words()
    assert russian.get("ground.json").json() == []
