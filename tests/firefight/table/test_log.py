"""The log: who sees which line, what a page is sent of it, and the exported file."""

import json
import re

import pytest

from firefight.columns import LoggedResult, Rolled
from firefight.engine import chain
from firefight.models import LogEntry
from firefight.table.log import reading
from firefight.table.log.reading import PAGE
from tests.firefight.players import GAME, rows, text_of, words_of

pytestmark = pytest.mark.django_db

SECRET = "A gun waits in K7"


def by_number(lines):
    return {line.number: line for line in lines}


def test_a_line_is_shown_with_its_number_side_dice_and_rules(table):
    table.german.roll("morale", tq="6", modifier="1", die="8", dice="table")
    line = words_of(table.russian.get()).partition("Log")[2]
    assert re.search(r"German \d+ \w+, \d\d:\d\d UTC № 4", line)
    assert "Morale Check" in line
    assert "d10: 8 (on the table)" in line


def test_an_app_roll_is_shown_with_its_number(table):
    table.german.roll("fo-loss", dice="app")
    assert "(rolled here, no. 1)" in table.russian.see()
    assert "rolled here as no. 1" in table.german.see()


def test_the_newest_line_stands_first(table):
    table.german.note("first words")
    table.german.note("second words")
    page = table.german.see()
    assert page.index("second words") < page.index("first words")


def test_only_the_owner_is_sent_a_sealed_notes_text(table):
    table.german.note(SECRET, sealed="on")
    assert f"Sealed: {SECRET}" in table.german.see()
    for other in (table.russian, table.observer):
        assert "German seals a note." in other.see()
        assert SECRET not in text_of(other.get())


def test_a_revealed_note_is_sent_to_all(table):
    table.german.note(SECRET, sealed="on")
    table.german.do("reveal/", number=table.german.last.number)
    for player in (table.german, table.russian, table.observer):
        assert SECRET in player.see()
        assert "Sealed:" not in player.see()


def test_a_note_may_point_at_an_entry(table):
    table.german.note("as agreed", about="1")
    assert "on № 1" in table.russian.see()


def test_a_correction_shows_both_lines_and_strikes_the_old_one(table):
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="8", dice="table", corrects="4")
    page = table.russian.get()
    assert "All 2 lines, dice, corrected" in words_of(page)
    assert 'id="entry-4" class="line chain roll side-1"' in text_of(page)
    opened = table.russian.get("log/all/4/", htmx=True)
    assert "corrects № 4" in words_of(opened)
    assert "Void: see № 5." in words_of(opened)
    assert 'class="line roll side-1 void"' in text_of(opened)


@pytest.mark.parametrize(("player", "offered"), [("german", True), ("russian", False), ("observer", False)])
def test_a_correction_is_offered_to_the_roller_only(table, player, offered):
    table.german.roll("fo-loss", die="4", dice="table")
    assert ("?corrects=4" in text_of(getattr(table, player).get())) is offered


def test_older_entries_are_a_page_of_their_own_and_a_fragment(table):
    for number in range(PAGE + 3):
        table.german.note(f"note {number:03}.")
    first = table.german.get()
    assert "note 000." not in words_of(first)
    lowest = table.german.last.number - PAGE + 1
    assert f"log/?before={lowest}" in text_of(first)
    whole, fragment = table.german.get("log/", before=lowest), table.german.get("log/", htmx=True, before=lowest)
    assert "<html" in text_of(whole) and "<html" not in text_of(fragment)
    for response in (whole, fragment):
        assert "note 000." in words_of(response)
        assert f"note {PAGE + 2:03}." not in words_of(response)
        assert "Older entries" not in words_of(response)


@pytest.mark.parametrize("before", ["0", "1", "x", "-1", "²", "999999999", "9" * 40, "\0"])
def test_any_place_to_begin_the_older_entries_at_is_answered(table, before):
    assert table.german.get("log/", before=before).status_code == 200


# What has changed since


def test_a_new_entry_and_the_one_it_voids_are_both_news(table):
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="8", dice="table", corrects="4")
    lines = by_number(reading.read_since(table.german.match, ("german",), 4))
    assert set(lines) == {4, 5}
    assert lines[4].voided_by == 5


def test_a_reveal_is_news_of_both_entries(table):
    table.german.note(SECRET, sealed="on")
    table.german.do("reveal/", number=4)
    lines = by_number(reading.read_since(table.german.match, ("russian",), 4))
    assert lines[4].secret == SECRET
    assert lines[5].kind == LogEntry.Kind.REVEAL


def test_a_taken_back_correction_is_news_of_the_entry_that_stands_again(table):
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="8", dice="table", corrects="4")
    table.german.do("take-back/")
    lines = by_number(reading.read_since(table.german.match, ("russian",), 5))
    assert set(lines) == {4, 5, 6}
    assert (lines[4].voided_by, lines[5].voided_by) == (None, 6)


def test_a_taken_back_reveal_is_news_of_the_note_that_is_sealed_again(table):
    table.german.note(SECRET, sealed="on")
    table.german.do("reveal/", number=4)
    table.german.do("take-back/")
    table.russian.do("answer/", agrees="yes")
    lines = by_number(reading.read_since(table.german.match, ("russian",), 6))
    assert lines[4].secret == ""
    assert lines[4].sealed


def test_what_an_act_wrote_is_all_the_news_unless_it_changes_how_older_lines_stand(table):
    acts = [
        lambda: table.german.roll("fo-loss", die="4", dice="table"),
        lambda: table.german.roll("fo-loss", die="8", dice="table", corrects="4"),
        lambda: table.german.do("take-back/"),
        lambda: table.german.note("open"),
        lambda: table.german.note(SECRET, sealed="on"),
        lambda: table.german.do("reveal/", number=8),
        lambda: table.german.do("take-back/"),
        lambda: table.russian.do("answer/", agrees="yes"),
        lambda: table.german.do("advance/"),
        lambda: table.german.do("counters/add/", side="german", list="Grenadier squad"),
    ]
    kinds = set()
    for act in acts:
        number = table.german.match.last_number
        act()
        match = table.german.match
        fresh = list(match.log.filter(number__gt=number).order_by("number"))
        kinds |= {entry.kind for entry in fresh}
        for sees in (("german",), ("russian",), ()):
            assert reading.read_since(match, sees, number, fresh) == reading.read_since(match, sees, number)
    assert kinds >= {"roll", "take_back", "note", "sealed", "reveal", "turn", "counter"}


def test_news_are_one_query(table, django_assert_num_queries):
    match = table.german.match
    with django_assert_num_queries(1):
        reading.read_since(match, ("german",), 1)


# The export


def exported(player):
    return player.get("log.json").json()


def test_the_export_holds_the_whole_log_in_order(table):
    table.german.roll("morale", tq="6", die="8", dice="table")
    table.russian.roll("fo-loss", dice="app")
    response = table.german.get("log.json")
    assert response["Content-Disposition"] == f'attachment; filename="volga-{table.german.match_id}.json"'
    plain = response.json()
    match = table.german.match
    assert plain["format"] == "volga-ledger log"
    assert plain["schema"] == 2
    assert (plain["match"], plain["game"], plain["name"]) == (match.pk, GAME, match.name)
    assert plain["chart_book"] == match.book.digest
    assert plain["commitment"] == match.commitment
    assert plain["rolls_made"] == 1
    assert [entry["number"] for entry in plain["entries"]] == list(range(1, match.last_number + 1))
    roll = plain["entries"][3]
    assert roll["result"]["headline"] in roll["sentence"]
    assert roll["rolls"] == [{"die": "die", "label": "d10", "sides": 10, "face": 8, "source": "table"}]


def test_the_result_in_the_log_is_the_one_that_the_json_address_gives(table, client):
    values = {"device": "phone", "danger_close": "on", "die": "34"}
    table.german.roll("contact", dice="table", **values)
    result = client.get(f"/assist/{GAME}/contact.json", values).json()
    assert exported(table.russian)["entries"][-1]["result"] == result


def test_an_exported_log_has_a_line_for_each_entry(table):
    table.german.note("One line\nand another: “ж”")
    text = text_of(table.german.get("log.json"))
    exported = json.loads(text)
    lines = text.splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == exported["entries"]
    assert len(lines) == len(exported["entries"]) + 2


def test_each_side_exports_its_own_secrets_only(table):
    table.german.note(SECRET, sealed="on")
    table.russian.note("A mine in L8", sealed="on")
    assert exported(table.german)["entries"][3]["secret"] == SECRET
    assert "secret" not in exported(table.german)["entries"][4]
    assert "secret" not in exported(table.russian)["entries"][3]
    for entry in exported(table.observer)["entries"]:
        assert "secret" not in entry


def test_the_seed_is_in_the_export_only_after_the_end(table):
    match = table.german.match
    assert exported(table.german)["seed"] is None
    assert match.seed not in text_of(table.german.get("log.json"))
    table.german.do("end/", sure="on")
    table.russian.do("answer/", agrees="yes")
    assert exported(table.observer)["seed"] == match.seed


def test_reading_the_log_changes_nothing(table):
    before = rows()
    for place in ("", "log/", "log.json", "dice/", "live/"):
        table.german.get(place)
    assert rows() == before
    assert json.loads(text_of(table.german.get("log.json")))


# One line as somebody sees it


def seen_by(side, **values):
    entry = LogEntry(number=4, side="german", salt="salt", **values)
    return reading.visible([entry], (side,))[0]


def test_what_belongs_to_a_sealed_roll_is_withheld_with_its_words():
    die = Rolled("die", "d10", 10, 8, "table")
    values = {"kind": LogEntry.Kind.ROLL, "secret": "Hit.", "result": LoggedResult("morale", "Hit."), "rolls": (die,)}
    own, other = (seen_by(side, **values, inputs={"tq": 6}) for side in ("german", "russian"))
    assert (own.secret, own.result, own.rolls, own.inputs) == ("Hit.", values["result"], (die,), {"tq": 6})
    assert (other.secret, other.result, other.inputs, other.salt) == ("", None, {}, "")
    assert [die.face for die in other.rolls] == [chain.HIDDEN_FACE]


def test_unseen_dice_of_a_sealed_line_that_is_no_roll_belong_to_its_words():
    die = Rolled("block", "Block", 24, 8, "app", 1, is_unseen=True)
    values = {"kind": LogEntry.Kind.RECORD, "sentence": "Under seal.", "rolls": (die,)}
    own, other = (seen_by(side, **values, secret="A tank.") for side in ("german", "russian"))
    assert own.rolls == (die,) and own.dice == "Block: 8 (rolled here, no. 1)"
    assert [die.face for die in other.rolls] == [chain.HIDDEN_FACE]
    assert other.dice == "Block: under seal (rolled here, no. 1)"


@pytest.mark.parametrize(
    ("side", "values", "is_offered"),
    [
        ("german", {}, True),
        ("russian", {}, False),
        ("german", {"voided_by": 9}, False),
        ("german", {"revealed_by": 9}, False),
        ("german", {"kind": LogEntry.Kind.NOTE}, False),
    ],
)
def test_only_its_own_side_may_open_a_sealed_line_that_counts(side, values, is_offered):
    line = seen_by(side, **{"kind": LogEntry.Kind.SEALED, "secret": SECRET, **values})
    assert line.can_be_revealed is is_offered
