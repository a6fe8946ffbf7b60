"""Values of counters that nobody knew: asked once by the roll, kept for the match, and shown as an owner's."""

from copy import deepcopy

import pytest

from firefight.columns import MatchState
from firefight.games import gallery
from firefight.games.combat_stalingrad.counters import CombatCounters
from firefight.games.combat_stalingrad.rules.counters import read_counters
from firefight.games.registry import games
from firefight.models import Match
from firefight.table.act import bounds
from firefight.table.board import values
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, end, rows, sit, text_of, words_of

pytestmark = pytest.mark.django_db

FIELD = "value:russian:maxim_m1910:fire@2"
KINDS = games()["combat-stalingrad"].counters.kinds


@pytest.fixture
def old_gallery(monkeypatch):
    """A gallery as version 0.1.0 knew it: nothing but FF, CCV and TQ."""
    data = deepcopy(gallery.shipped_data("combat-stalingrad"))
    for side in ("german", "russian"):
        for kind in data[side].values():
            for name in ("fire", "half_fire", "caliber", "mgs", "weapon"):
                kind.pop(name, None)
            kind["text"] = [name for name in kind.get("text", []) if name in kind]
    kinds, problems = read_counters(data)
    assert problems == []
    monkeypatch.setattr(CombatCounters, "kinds", kinds)


def set_mg_against_squad():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list="Russian: 2 Maxim M1910, Rifle squad\nGerman: Grenadier squad, NCO")
    russian.do("counters/", id=["russian-1", "russian-2", "russian-3"], place="K7")
    german.do("counters/", id=["german-1", "german-2"], place="K9")
    return german, russian


@pytest.fixture
def both(frozen):
    """Two browsers, with counters of both sides: a Russian MG in K7, a German squad in K9."""
    return frozen("an MG and a squad", set_mg_against_squad)


def fire(player, *firers, **more):
    return player.roll("fire", firers=list(firers), targets=["german-1"], dice="table", **{"die": "60", **more})


def state_of(player):
    return Match.objects.get(pk=player.match_id).state


def last_fire(player):
    return [line for line in player.log if line.helper == "fire" and line.voided_by is None][-1]


def test_the_result_names_whose_values_of_counters_decided(both):
    _, russian = both
    fire(russian, "russian-1", "russian-3")
    entry = last_fire(russian)
    assert entry.inputs["ff"] == 6 + 5
    sources = [(source.chart, source.title, source.provenance) for source in entry.result.provenance]
    assert ("counters", "Counters", "house") in sources
    assert "Maxim M1910 #1: 6 FF; Rifle squad #3: 5 FF, at 2 hexes." in entry.result.effects
    page = words_of(russian.get())
    assert "Maxim M1910 #1: 6 FF; Rifle squad #3: 5 FF, at 2 hexes." in page


def test_firepower_that_a_hand_has_put_there_is_not_the_counters(both):
    _, russian = both
    fire(russian, "russian-1", ff="20")
    entry = last_fire(russian)
    assert entry.inputs["ff"] == 20
    assert "counters" not in [source.chart for source in entry.result.provenance]


def test_a_value_that_is_missing_is_asked_once_and_then_kept(both, old_gallery):
    german, russian = both
    before = rows()
    response = russian.roll("fire", htmx=True, firers=["russian-1"], targets=["german-1"], die="60", dice="table")
    assert response.status_code == 422
    fields = pages.values_of_each(text_of(response), "#desk-form input[name^='value:']", "name")
    assert fields == ["value:russian:maxim_m1910:caliber", FIELD]
    assert "Maxim M1910: FF at 2 hexes" in words_of(response)
    assert rows() == before
    values_told = {"value:russian:maxim_m1910:caliber": "0", FIELD: "6"}
    assert fire(russian, "russian-1", **values_told).status_code == 302
    entry = last_fire(russian)
    assert entry.inputs["ff"] == 6
    assert ("counters", "owner") in [(source.chart, source.provenance) for source in entry.result.provenance]
    assert state_of(russian).values == {"value:russian:maxim_m1910:caliber": 0, FIELD: 6}
    assert "Russian Maxim M1910: FF at 2 hexes is 6 from now on." in [line.sentence for line in german.log]
    assert fire(russian, "russian-1", "russian-2").status_code == 302
    assert last_fire(russian).inputs["ff"] == 12


@pytest.mark.parametrize("typed", ["many", "-3", "1.5", "999", "9999"])
def test_what_cannot_be_a_value_is_refused_and_nothing_changes(both, old_gallery, typed):
    _, russian = both
    before = rows()
    fields = {"value:russian:maxim_m1910:caliber": "0", FIELD: typed}
    assert fire(russian, "russian-1", htmx=True, **fields).status_code == 422
    assert rows() == before


def test_a_value_goes_with_the_roll_that_is_taken_back(both, old_gallery):
    _, russian = both
    fire(russian, "russian-1", **{"value:russian:maxim_m1910:caliber": "0", FIELD: "6"})
    russian.do("take-back/")
    assert state_of(russian).values == {}


def test_an_owner_may_say_a_value_without_being_asked(both, old_gallery):
    german, russian = both
    russian.do("counters/value/", field=FIELD, number="5")
    assert state_of(german).values == {FIELD: 5}
    fire(russian, "russian-1", "russian-2", **{"value:russian:maxim_m1910:caliber": "0"})
    assert last_fire(russian).inputs["ff"] == 10


@pytest.mark.parametrize(
    ("field", "number", "words"),
    [
        ("value:german:panzergrenadier_squad:fire@2", 99, "FF at 2 hexes to 99, now 8"),
        ("value:russian:rifle_squad:tq", 1, "TQ to 1, now 6"),
        ("value:russian:rifle_squad:caliber", 420, "caliber in mm, 0 for no gun to 420, now 0"),
    ],
)
def test_another_value_than_is_known_is_agreed_on_first(both, field, number, words):
    german, russian = both
    before = state_of(german).values
    german.do("counters/value/", field=field, number=number)
    assert state_of(german).values == before
    [question] = pages.words_of_each(text_of(russian.get()), "[role=alert]")
    assert question.startswith("German asks to set ") and question.endswith(f"{words}.")
    assert "cannot agree to your own" in words_of(german.do("answer/", agrees="yes"))
    russian.do("answer/", agrees="no")
    assert german.last.sentence == "Russian leaves the values of counters as they are."
    german.do("counters/value/", field=field, number=number)
    russian.do("answer/", agrees="yes")
    assert state_of(german).values == before | {field: number}
    assert russian.last.sentence.endswith(f"is {number} from now on.")
    # Whoever agreed does not take it back alone, and nobody asks again for what is so already.
    russian.do("take-back/")
    assert state_of(german).values == before | {field: number}


def test_a_value_that_is_known_does_not_change_with_a_roll(both):
    german, russian = both
    before = rows()
    answer = fire(russian, "russian-1", htmx=True, **{FIELD: "99"})
    assert answer.status_code == 422 and "FF at 2 hexes is 6. Another value is agreed on first" in words_of(answer)
    assert rows() == before
    assert fire(russian, "russian-1", **{FIELD: "6"}).status_code == 302


def test_one_device_for_both_sides_changes_values_without_a_question():
    both = begin(hot_seat=True)[0]
    both.do("counters/value/", field=FIELD, number="9")
    assert state_of(both).values == {FIELD: 9} and both.match.proposal is None
    alone = begin()[0]  # nobody has taken the other seat yet
    alone.do("counters/value/", field=FIELD, number="9")
    assert state_of(alone).values == {FIELD: 9} and alone.match.proposal is None


def test_the_same_number_again_is_told_once(both, old_gallery):
    german, russian = both
    for number in ("5", "5"):
        russian.do("counters/value/", field=FIELD, number=number)
    russian.do("counters/value/", field=FIELD, number="6")
    german.do("answer/", agrees="yes")
    sentences = [line.sentence for line in german.log if "from now on" in line.sentence]
    assert sentences == [f"Russian Maxim M1910: FF at 2 hexes is {number} from now on." for number in (5, 6)]


def test_a_match_keeps_so_many_values_and_no_more(both, monkeypatch, old_gallery):
    german, russian = both
    monkeypatch.setattr(bounds, "MOST_VALUES", 2)
    for distance, number in ((2, 5), (3, 4), (3, 3)):
        russian.do("counters/value/", field=f"value:russian:maxim_m1910:fire@{distance}", number=number)
    german.do("answer/", agrees="yes")
    response = russian.do("counters/value/", field="value:russian:maxim_m1910:fire@4", number="1")
    assert "A match keeps at most 2 values of counters." in words_of(response)
    assert list(state_of(russian).values.values()) == [5, 3]


def test_a_value_is_of_one_sides_kind_alone():
    match = Match(game="combat-stalingrad", state=MatchState(values={"value:german:nco:tq": 3}))
    tq_by_side = {side: values.tell_kinds(match, side, kinds)["nco"].tq for side, kinds in KINDS.items()}
    assert tq_by_side == {"german": 3, "russian": KINDS["russian"]["nco"].tq} and tq_by_side["russian"] != 3


@pytest.mark.parametrize(
    ("field", "flaw"),
    [
        (FIELD, ""),
        ("value:german:a_kind_of_their_own:tq", ""),  # a campaign's content
        ("value:russian::tq", "there is no such value"),
        ("value:martian:nco:tq", "there is no such value"),
        ("value:russian:nco", "there is no such value"),
        ("price:russian:nco:tq", "there is no such value"),
        ("value:russian:nco:tq:more", "there is no such value"),
        ("value:russian:nco:beauty", "has no value beauty"),
    ],
)
def test_a_files_value_that_nobody_can_have_told_is_found(field, flaw):
    problems = list(values.find_odd_values(games()["combat-stalingrad"], MatchState(values={field: 6})))
    assert len(problems) == bool(flaw)
    assert all(problem.startswith(field) and flaw in problem for problem in problems)


@pytest.mark.parametrize(
    ("field", "number", "message"),
    [
        ("value:russian:dragon:fire@2", "5", "There is no such counter."),
        ("value:martian:nco:fire@2", "5", "There is no such counter."),
        ("value:russian:nco:beauty", "5", "has no value beauty"),
        ("value:russian:nco:tq", "11", "TQ lies between 0 and 10"),
        ("nonsense", "5", "There is no such counter."),
    ],
)
def test_a_value_of_nothing_is_refused(both, field, number, message):
    _, russian = both
    before = rows()
    response = russian.do("counters/value/", field=field, number=number)
    assert message in words_of(response)
    assert rows() == before


def test_values_are_in_the_file_of_a_match_and_come_back(both, old_gallery):
    german, russian = both
    russian.do("counters/value/", field=FIELD, number="5")
    end(german, russian)
    data = german.get("archive.json").json()
    assert data["match"]["state"]["values"] == {FIELD: 5}


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no script"])
def test_a_page_that_asked_is_filled_with_the_answers(both, old_gallery, script):
    _, russian = both
    page = Reader(russian.client, script).open(
        f"/match/{russian.match_id}/roll/fire/?firers=russian-1&targets=german-1"
    )
    page.form("#desk-form").fill({"value:russian:maxim_m1910:caliber": 0}).press("Resolve")
    assert "Maxim M1910: FF at 2 hexes" in page.words("#desk-form .asked")
    page.form("#desk-form").fill({FIELD: 6, "die": 60}).press("Resolve")
    entry = last_fire(russian)
    assert (entry.inputs["ff"], [row["id"] for row in entry.inputs["units"]]) == (6, ["german-1"])


def test_the_ways_to_fire_are_offered_and_the_chosen_one_is_sent_along():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list="German: Pz IV F1, Grenadier squad\nRussian: Rifle squad")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id=["russian-1"], place="K9")
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/fire/?firers=german-1&targets=russian-1")
    assert page.words(".ways b") == "gun, by caliber"
    assert page.form("#desk-form").value("caliber") == "75"
    page.press("firepower, 8 FF")
    form = page.form("#desk-form")
    assert page.words(".ways b") == "firepower, 8 FF"
    assert (form.value("weapon"), form.value("ff"), form.value("caliber")) == ("firepower", "8", "")
    sent = {"firers": ["german-2"], "targets": ["russian-1"], "dice": "table", "die": "60", "carry": "{}"}
    for way, ff in (("ff", 7), ("all", 11), ("mgs", 4)):
        assert german.roll("fire", **sent, way=way, weapon="firepower", ff=str(ff)).status_code == 302
        entry = last_fire(german)
        assert entry.inputs["ff"] == ff
        assert entry.inputs["account"]["words"].startswith(f"Grenadier squad #2: {ff} FF")


def test_a_wrong_die_does_not_lose_the_way_to_fire(both):
    german, _ = both
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/fire/?firers=german-1&targets=russian-3")
    page.press("firepower and machine-guns, 11 FF")
    page.form("#desk-form").fill(die=777).press("Resolve")
    assert page.status == 422
    assert page.words(".ways b") == "firepower and machine-guns, 11 FF"
    page.form("#desk-form").fill(die=60).press("Resolve")
    assert last_fire(german).inputs["ff"] == 11


def test_the_page_of_a_result_says_that_house_values_of_counters_decided(both):
    _, russian = both
    (why,) = pages.values_of_each(text_of(fire(russian, "russian-3", htmx=True)), ".result .why[hx-get]", "hx-get")
    assert "Counters: house" in words_of(russian.client.get(why))
