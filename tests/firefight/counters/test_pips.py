"""Fire markers on counters: rolls put them there, the turn and hands take them off, and both sides see them."""

import pytest

from firefight.table.rolling import replay
from tests import pages
from tests.firefight.players import seated, text_of
from tests.firefight.table.test_missions import battery, phase

pytestmark = pytest.mark.django_db

LISTED = "German: 2 Grenadier squads, 1 Officer\nRussian: 1 Rifle squad"


@pytest.fixture
def sides(frozen):
    return frozen("squads with an officer", set_out)


def set_out():
    """Two squads and an officer in K7, a Rifle squad in L7, in the Fire and Movement Phase of turn 2."""
    table = seated()
    table.german.do("counters/add/", list=LISTED)
    table.german.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    table.russian.do("counters/", id="russian-1", place="L7")
    phase(table.german, "fire_and_movement", turn=2)
    return table


def shoot(player, *firers, die="99", **fields):
    sent = {"firers": firers, "targets": "russian-1", "die": die, "dice": "table", **fields}
    answer = player.roll("fire", **sent)
    assert answer.status_code in (200, 302), text_of(answer)[:500]
    return answer


def marked(player):
    """What a page shows on counters, by id."""
    counters = pages.find(text_of(player.get()), "#table .counter[data-pips]")
    return {counter.attributes["id"].removeprefix("c-"): pages.words(counter.css_first(".pip")) for counter in counters}


def pips_of(player):
    return {counter["id"]: counter["pips"] for counter in player.get("counters.json").json() if "pips" in counter}


def test_who_fires_is_marked_once_and_then_with_fire_2_for_both_sides(sides):
    answer = shoot(sides.german, "german-1", "german-2", htmx=True, after=sides.german.last.number)
    # Those counters alone come anew, and no card of the record.
    fresh = pages.find(text_of(answer), ".counter[hx-swap-oob]")
    assert [counter.attributes["id"] for counter in fresh] == ["c-german-1", "c-german-2"]
    assert "Fire 1" in fresh[0].css_first("img").attributes["alt"]
    assert not pages.find(text_of(answer), "#kept-cards, #table-news")
    for player in (sides.german, sides.russian, sides.observer):
        assert marked(player) == {"german-1": "F1", "german-2": "F1"}
    shoot(sides.german, "german-1")
    shoot(sides.german, "german-1")
    assert marked(sides.russian) == {"german-1": "F2", "german-2": "F1"}
    assert pips_of(sides.russian) == {"german-1": 2, "german-2": 1}
    assert "fired" not in sides.german.see("record/").lower()


def test_an_observer_who_places_a_new_cff_is_marked_a_leader_with_fire_2(sides):
    battery(sides.german, observer="Officer #3")
    sides.german.roll("contact", mission="german-1", aim="L7", die="99", dice="table")
    assert marked(sides.german) == {}
    sides.german.do("advance/", button="phase")
    phase(sides.german, "fire_and_movement", turn=3)
    sides.german.roll("contact", mission="german-1", aim="L7", die="10", dice="table")
    assert marked(sides.russian) == {"german-3": "F2"}
    assert "Fire 2: Officer #3 (17.2.3)." in sides.german.see()
    battery(sides.german, observer="german-1")
    sides.german.roll("contact", mission="german-2", aim="L7", die="10", dice="table")
    assert marked(sides.russian) == {"german-3": "F2", "german-1": "F1"}


def test_an_observer_may_be_called_without_the_number_where_no_other_is_called_so(sides):
    battery(sides.german, observer="officer")
    sides.german.do("counters/add/", list="German: Officer")
    other_officer = sides.german.match.last_number
    sides.german.roll("contact", mission="german-1", aim="L7", die="10", dice="table")
    assert marked(sides.german) == {}
    sides.german.do("counters/undo/", number=other_officer)
    battery(sides.german, observer="officer")
    sides.german.roll("contact", mission="german-2", aim="L7", die="10", dice="table")
    assert marked(sides.german) == {"german-3": "F2"}


def test_the_conclusion_of_turn_takes_them_off(sides):
    shoot(sides.german, "german-1")
    sides.german.do("advance/", button="phase")
    assert marked(sides.german) == {"german-1": "F1"}
    news = sides.german.do("advance/", button="phase", htmx=True, after=sides.german.last.number)
    assert pages.find(text_of(news), "#table-news[hx-get]") and marked(sides.german) == {}
    assert "Fire markers come off 1 counter." in sides.german.see()
    sides.german.do("take-back/")
    assert marked(sides.german) == {"german-1": "F1"}


def test_a_correction_and_taking_back_leave_what_later_rolls_have_marked(sides):
    shoot(sides.german, "german-1", "german-2")
    first = sides.german.last.number
    shoot(sides.german, "german-1")
    again = {"die": "98", "dice": "table", "targets": "russian-1", "range": "1"}
    corrected = sides.german.roll("fire", firers=["german-2"], corrects=first, **again)
    assert corrected.status_code == 302, text_of(corrected)[:600]
    assert marked(sides.german) == {"german-1": "F1", "german-2": "F1"}
    sides.german.do("take-back/")
    assert marked(sides.german) == {"german-1": "F2", "german-2": "F1"}
    sides.german.do("take-back/")
    assert marked(sides.german) == {"german-1": "F1", "german-2": "F1"}


def test_a_hand_takes_them_off_and_puts_them_on_for_its_own_side(sides):
    shoot(sides.german, "german-1", "german-2")
    assert sides.russian.do("counters/pips/", id="german-1", number="0").status_code == 403
    sides.german.do("counters/pips/", id=["german-1", "german-3"], number="0")
    assert marked(sides.russian) == {"german-2": "F1"}
    assert sides.german.last.sentence == "No Fire marker: Grenadier squad #1."
    assert sides.german.do("counters/pips/", id="german-1", number="0").status_code == 403
    sides.german.do("counters/pips/", id=["german-1", "german-2"], number="2")
    assert marked(sides.russian) == {"german-1": "F2", "german-2": "F2"}
    assert sides.german.do("counters/pips/", id="german-1", number="3").status_code == 422
    sheet = text_of(sides.german.get("hand/", chosen="german-1"))
    assert 'name="number" value="2">Fire 2' in sheet.replace("\n", "").replace("  ", "")
    assert "Fire 2</button>" not in text_of(sides.german.get("hand/", chosen="russian-1"))


def test_what_a_hidden_counter_has_done_is_set_nowhere_that_others_see(sides):
    (hidden,) = sides.russian.bring_hidden("1 Rifle squad")
    before = sides.german.get("record.json").content
    assert sides.russian.do("counters/pips/", id=hidden, number="1").status_code == 403
    assert "Fire 1</button>" not in text_of(sides.russian.get("hand/", chosen=hidden))
    told_other = sides.german.do("counters/pips/", id=hidden, number="1")
    assert told_other.status_code == 422 and "There is no such counter" in text_of(told_other)
    assert sides.german.get("record.json").content == before


def test_the_check_of_a_log_works_out_what_rolls_have_marked(sides):
    battery(sides.german, observer="Officer #3")
    sides.german.roll("contact", mission="german-1", aim="L7", die="10", dice="table")
    shoot(sides.german, "german-1", "german-2")
    shoot(sides.german, "german-1")
    exported = sides.german.get("log.json").json()
    again = replay.work_out_results(exported)
    assert again.problems == () and again.noted == 3
    line = next(entry for entry in exported["entries"] if entry.get("helper") == "contact")
    line["result"]["details"]["changes"]["fired"] = {"add": ["german-1"]}
    assert "Fire 2: Officer #3" in " ".join(replay.work_out_results(exported).problems)
