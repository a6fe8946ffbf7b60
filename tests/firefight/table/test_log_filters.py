"""The filters of the log, which find nothing that is withheld, and why a logged roll came out as it did."""

import pytest

from firefight.models import LogEntry
from firefight.table.log import filtering, reading
from firefight.table.log.filtering import Sought
from firefight.table.log.reading import PAGE
from tests import pages
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db

LIST = "German: 2 Panzergrenadier squads\nRussian: 2 Rifle squads"


def search(player, htmx=False, **query):
    """What the log answers to a filter."""
    headers = {"HX-Request": "true"} if htmx else {}
    return player.client.get(f"/match/{player.match_id}/log/", query, headers=headers)


def lines_found(player, htmx=False, **query):
    """The sentences that a filter finds, newest first."""
    return pages.words_of_each(text_of(search(player, htmx, **query)), ".lines > .line")


def hits(player, words, **query):
    """How many of the lines that a filter finds hold these words."""
    return sum(words in line for line in lines_found(player, **query))


@pytest.fixture
def stacked(table):
    """Two squads of each side; the first German one in K7, then in L8; a roll about it in each place."""
    table.german.do("counters/add/", list=LIST)
    for place in ("K7", "L8"):
        table.german.do("counters/", id="german-1", place=place)
        table.german.roll("morale", id="german-1", tq="6", die="3", targets="german-1", dice="table")
    return table


def test_every_kind_of_line_is_found_under_one_name():
    kinds = [kind for _, some in filtering.KINDS.values() for kind in some]
    assert sorted(kinds) == sorted(LogEntry.Kind)


def test_a_side_and_a_kind_are_found_alone_and_together(table):
    table.german.note("well met")
    table.russian.note("likewise")
    table.german.roll("morale", tq="6", die="3", dice="table")
    assert hits(table.observer, "well met", side="german") == 1
    assert hits(table.observer, "likewise", side="german") == 0
    assert all("Morale" in line for line in lines_found(table.observer, kind="roll"))
    (line,) = lines_found(table.observer, side="german", kind="note")
    assert "well met" in line
    assert words_of(search(table.observer, side="russian", kind="roll")).count("No such lines.") == 1


def test_a_place_is_found_in_notes_inputs_and_where_counters_stood(stacked):
    stacked.german.note("MG 34 in K7, K77 is free")
    stacked.russian.note("K77 only")
    stacked.german.roll("bracket", aim="K7", first="K5", second="K9", dice="table")
    lines = lines_found(stacked.russian, place="k7")
    assert len([line for line in lines if "Morale" in line]) == 1
    assert any("MG 34" in line for line in lines) and not any("K77 only" in line for line in lines)
    numbers = {entry.number for entry in stacked.german.log if entry.helper == "morale"}
    assert len(numbers) == 2
    assert hits(stacked.russian, f"№ {min(numbers)} ", place="K7") == 1
    assert hits(stacked.russian, f"№ {max(numbers)} ", place="L8") == 1


def test_the_history_of_counters_is_that_of_each_of_them_and_of_no_other(table):
    table.german.do("counters/add/", list="German: 12 Panzergrenadier squads")
    for id, place in (("german-1", "K7"), ("german-2", "L8"), ("german-12", "M9")):
        table.german.do("counters/", id=id, place=place)
    for about, places in ((["german-1"], {"K7"}), (["german-1", "german-2"], {"K7", "L8"})):
        lines = lines_found(table.german, about=about, kind="counter")
        assert {place for place in ("K7", "L8", "M9") if any(f"to {place}" in line for line in lines)} == places


def test_a_stay_ends_where_the_line_that_began_it_is_struck(stacked):
    german = stacked.german
    german.roll("morale", id="german-2", tq="6", die="3", targets="german-2", dice="table")
    before = german.last.number
    german.do("counters/", id="german-2", place="K7")
    moved = [line for line in german.log if line.kind == "counter"][-1]
    german.roll("morale", id="german-2", tq="6", die="3", targets="german-2", dice="table")
    inside = german.last.number
    # As a correction strikes it: what was rolled later is about a counter that is not in K7 any more.
    LogEntry.objects.filter(match=german.match_id, number=moved.number).update(voided_by=inside)
    german.roll("morale", id="german-2", tq="6", die="3", dice="table")
    found_there = {number: hits(stacked.russian, f"№ {number} ", place="K7") for number in (before, inside, inside + 1)}
    assert found_there == {before: 0, inside: 1, inside + 1: 0}


def test_a_counter_that_is_put_back_did_not_stay(stacked):
    stacked.german.do("take-back/")
    stacked.german.roll("morale", tq="6", die="3", targets="german-1", dice="table")
    assert hits(stacked.russian, f"№ {stacked.german.last.number} ", place="L8") == 1
    assert hits(stacked.russian, f"№ {stacked.german.last.number} ", place="K7") == 0


def test_filters_combine_with_a_counters_history_and_with_paging(stacked):
    for _ in range(PAGE + 2):
        stacked.german.note("K7 again")
    stacked.german.note("elsewhere")
    assert hits(stacked.german, "Morale", about="german-1", place="K7", kind="roll") == 1
    first = search(stacked.german, place="K7", kind="note")
    assert words_of(first).count("K7 again") == PAGE
    (more,) = pages.values_of_each(text_of(first), 'a[href*="before="]', "href")
    assert "place=K7" in more and "kind=note" in more
    assert words_of(stacked.german.client.get(more)).count("K7 again") == 2


@pytest.mark.parametrize(
    "query", [{"side": "german"}, {"kind": "note"}, {"kind": "roll"}, {"kind": "turn"}, {"place": "K7"}]
)
def test_no_filter_finds_what_is_withheld(table, query):
    table.german.note("A gun waits in K7", sealed="on")
    number = table.german.last.number
    plotted = {"plotted": "yes", "known_to": "german", "plot": "K7, L8", "plot_turn": "1", "name": "Plot"}
    table.german.do("rows/", field="missions", **{f"part-{name}": value for name, value in plotted.items()})
    withheld = {entry.number for entry in table.german.log if entry.secret}
    assert len(withheld) > 1
    for other in (table.russian, table.observer):
        for line in lines_found(other, **query):
            assert not any(f"№ {number} " in line for number in withheld), line
    assert hits(table.german, "A gun waits in K7", side="german", kind="note", place="K7") == 1
    table.german.do("reveal/", number=number)
    assert hits(table.russian, "A gun waits in K7", side="german", kind="note", place="K7") == 1


def test_a_hidden_counter_is_found_by_its_own_side_alone(table):
    [nco] = table.german.bring_hidden("German: NCO")
    table.german.do("counters/", id=nco, place="K7")
    assert hits(table.german, "K7", place="K7") == 1
    for other in (table.russian, table.observer):
        assert lines_found(other, place="K7") == lines_found(other, kind="counter") == []


@pytest.mark.parametrize("odd", ["", "\0", "K7)", "(a+)+$", "x" * 400, '"', "K7|L8", "german-1"])
def test_what_no_filter_is_called_is_not_asked_for(table, odd):
    table.german.note("well met")
    for name in ("side", "place", "kind"):
        assert hits(table.russian, "well met", **{name: odd}) == 1, name


def test_a_filter_by_place_is_two_queries_however_long_the_log(stacked, django_assert_num_queries):
    match = stacked.german.match
    for _ in range(2):
        with django_assert_num_queries(2):
            among = filtering.find_entries(match, ("german",), Sought(["german-1"], "german", "K7"))
            assert reading.newest_lines(match, ("german",), among=among)
        for place in ("K7", "L8") * 3:
            stacked.german.do("counters/", id="german-1", place=place)


def test_the_matchs_page_has_the_filters_folded_and_lines_that_stand_twice_have_no_id(table):
    table.german.note("well met")
    assert pages.find(text_of(table.german.get()), "section.log details.filter:not([open]) form[action][hx-get]")
    fragment = text_of(search(table.german, htmx=True, side="german", kind="", place=""))
    assert "well met" in fragment and "<html" not in fragment
    assert 'id="entry-' not in fragment
    assert pages.find(
        text_of(search(table.german, side="german")), 'details.filter[open] option[selected][value="german"]'
    )


# Why


def test_a_logged_roll_says_why_as_a_page_and_as_a_small_fragment(table):
    table.german.roll("fire", ff="8", modifiers=["woods"], die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    entry = next(entry for entry in table.german.log if entry.helper == "fire")
    (address,) = pages.values_of_each(text_of(table.russian.get()), f"#entry-{entry.number} .how a[hx-get]", "href")
    page, fragment = table.russian.client.get(address), table.russian.get(f"log/{entry.number}/", htmx=True)
    for answer in (page, fragment):
        assert entry.result.modifiers[0].name in words_of(answer)
        assert all(rule in words_of(answer) for rule in entry.result.rules)
    assert entry.sentence in words_of(page)
    assert "<html" not in text_of(fragment) and len(fragment.content) < 10_000


def test_only_a_roll_that_one_may_read_says_why(table):
    table.german.note("no roll")
    assert table.german.get(f"log/{table.german.last.number}/").status_code == 404
    table.german.roll("morale", tq="6", die="3", dice="table")
    rolled = LogEntry.objects.filter(pk=table.german.last.pk)
    rolled.update(kind="roll", secret="A hidden roll")
    number = table.german.last.number
    assert table.german.get(f"log/{number}/").status_code == 200
    for other in (table.russian, table.observer):
        assert other.get(f"log/{number}/").status_code == 404
        assert f"log/{number}/" not in text_of(other.get())
    rolled.update(revealed_by=number)
    assert table.russian.get(f"log/{number}/").status_code == 200
