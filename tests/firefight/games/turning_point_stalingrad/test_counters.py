"""Counters of Turning Point: Stalingrad: what is printed, what happens to them, how owners' sheets become units."""

import pytest

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.errors import BadInput
from firefight.games.turning_point_stalingrad.counters import COUNTERS
from firefight.games.turning_point_stalingrad.rules import becoming
from firefight.games.turning_point_stalingrad.rules.kinds import CounterClass, Transport
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay, page

from .units_in_play import HEAD, ROWS, SHEET, add, begin, put_out, set_out, shown

READ = COUNTERS.sheet.read


def one_of_box(side, key, *state):
    kind = COUNTERS.kinds[side][key]
    return CounterInPlay(f"{side}-1", side, key, kind.name, state=state), kind


@pytest.mark.parametrize(
    "side, key, factors",
    [
        ("german", "pioneer_425", (4, 2, 5)),
        ("german", "pioneer_525", (5, 2, 5)),
        ("german", "armour_666", (6, 6, 6)),
        ("german", "armour_668", (6, 6, 8)),
        ("russian", "infantry_124", (1, 2, 4)),
        ("russian", "armour_226", (2, 2, 6)),
        ("russian", "aa_6", (0, 6, None)),
        ("german", "artillery", (None, 0, None)),
        ("german", "aircraft", (0, 0, 0)),
    ],
)
def test_the_text_gives_these_factors_and_no_more(side, key, factors):
    kind = COUNTERS.kinds[side][key]
    assert tuple(kind.find(name) for name in ("af", "df", "mf")) == factors
    assert kind.origin == "text" and kind.back is None


def test_dots_take_the_place_of_dots_and_leave_the_isolation_marker():
    unit, kind = one_of_box("russian", "infantry_124")
    assert becoming.describe_face(unit) == "Fresh"
    for word, words in (("d4", "D4"), ("isolated_1", "D4, isolated -1"), ("d2", "D2, isolated -1")):
        unit = becoming.become(unit, kind, word)
        assert becoming.describe_face(unit) == words
    assert (becoming.count_dots(unit), becoming.find_marker(unit)) == (2, 1)
    assert becoming.describe_face(becoming.become(unit, kind, "isolated_2")) == "D2, isolated -2"
    assert becoming.become(unit, kind, "fresh").state == ("isolated_1",)
    assert becoming.become(unit, kind, "supplied").state == ("d2",)
    assert becoming.describe_face(becoming.become(unit, kind, "eliminated")) == "eliminated"
    assert becoming.describe_face(becoming.become(unit, kind, "withdrawn")) == "withdrawn"


def test_artillery_is_never_lost_or_isolated_and_aircraft_have_no_dots():
    guns, kind = one_of_box("german", "artillery")
    assert becoming.become(guns, kind, "d4").state == ("d4",)
    for word in ("eliminated", "isolated_1"):
        with pytest.raises(BadInput):
            becoming.become(guns, kind, word)
    stukas, kind = one_of_box("german", "aircraft")
    with pytest.raises(BadInput, match="cannot be D1"):
        becoming.become(stukas, kind, "d1")


def test_a_row_says_what_is_printed():
    read = READ(SHEET)
    assert read.problems == ()
    pioneer, tank, flak = (read.kinds["german"][key] for key in ("own_pi_295", "own_a_24", "own_flak_5"))
    assert (pioneer.sort, pioneer.parent, pioneer.af, pioneer.df, pioneer.back) == (
        CounterClass.ENGINEER,
        "295",
        5,
        2,
        1,
    )
    assert (tank.transport, flak.transport, flak.parent) == (Transport.MECHANIZED, Transport.MOTORIZED, "Ind")
    assert (flak.af, flak.find("af"), flak.values) == (None, 0, {"df", "back", "mf"})
    assert read.kinds["russian"]["own_1_10_nkvd"].count == 3


@pytest.mark.parametrize(
    "row, reason",
    [
        ("Pi 295\tGerman\tEngineer\t295\t99", "Row 1, af: should be a whole number from 0 to 20."),
        ("Pi 295\tGerman\tCavalry", "Row 1, class: should be one of"),
        ("Pi 295\tGerman", "Row 1, class: has to be there."),
        ("Gun\tRussian\tArtillery", "Row 1, class: the record keeps Russian artillery"),
        ("Stuka\tGerman\tAircraft", "Row 1, class: the text has all aircraft."),
        ("Flak 5\tGerman\tAA\tInd\t3", "Row 1, af: AA has no Attack Factor."),
        ("Pi 295\tGerman\tEngineer\t295\t5\t2\t5\t1\tfoot\t\t27 Sep", "Row 1, leaves: should be as annotated"),
    ],
)
def test_what_cannot_be_is_said_by_row_and_column(row, reason):
    assert any(reason in problem for problem in READ(f"{HEAD}\n{row}").problems), READ(f"{HEAD}\n{row}").problems


# At the table


@pytest.mark.django_db
def test_owners_units_come_into_play_stand_in_areas_and_carry_dots():
    german = begin()
    assert lay(german, SHEET, "295").status == 200
    assert page(german, "295").find("#sheet-text")[0].text() == READ(SHEET).text
    assert len(ROWS) == 8
    pioneer, scout = add(german, "German: Pi 295", "Russian: 1/10 NKVD")
    put_out(german, pioneer, "25", "d2")
    put_out(german, scout, "d")
    assert shown(german) == {pioneer: ("25", ["d2"]), scout: ("D", [])}
    assert german.do("counters/", id=pioneer, place="75").status_code == 422
    assert "Pi 295" in (page_words := Reader(german.client).open(f"/match/{german.match_id}/").words()), page_words
    assert "D2" in page_words


@pytest.mark.django_db
def test_nothing_is_hidden_and_nobody_has_two_sorts_of_dots():
    german = begin()
    (pioneer,) = set_out(german, german_25="Pi 295").values()
    for sent, why in (({"hidden": "on"}, "nothing is hidden"), ({"state": ["d1", "d2"]}, "one of D1, D2")):
        answer = german.do("counters/", id=pioneer, **sent)
        assert answer.status_code == 422 and why in players.words_of(answer)
    assert german.do("counters/add/", list="German: A/24", hidden="on").status_code in (403, 422)
    assert shown(german) == {pioneer: ("25", [])}
    gallery = Reader(german.client).open(f"/match/{german.match_id}/counters/")
    assert "only your side knows" not in gallery.words()


@pytest.mark.django_db
def test_the_opening_bombardment_names_areas_whoever_is_chosen():
    german = begin()
    (pioneer,) = set_out(german, german_25="Pi 295").values()
    answer = german.roll("opening-bombardment", targets="24,25,24", chosen=pioneer)
    assert answer.status_code == 302, players.words_of(answer)
    assert german.last.inputs["targets"] == ["24", "25", "24"] and german.last.result.outcome == "refused"
