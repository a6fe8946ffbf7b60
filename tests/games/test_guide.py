"""A guide through a turn, by the example of Masked March: asked for, left, and never in the way."""

import pytest

from firefight.models import LogEntry
from tests.filling import Reader
from tests.firefight import players
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too

pytestmark = pytest.mark.django_db

ASKS, LEAVES = "Lead me through this turn", "Stop leading me"


def seat_sides():
    north, links = players.begin("north", game="masked-march")
    south, observer = (players.sit(links[seat], north.match_id) for seat in ("south", "observer"))
    north.do("counters/add/", list="North: 1 guard, 1 levy")
    south.do("counters/add/", list="South: 2 levies", closed="on")
    north.do("counters/", id="north-1", place="ford")
    north.do("counters/", id="north-2", place="mill")
    south.do("counters/", id=own(south), place="ford")
    return north, south, observer


@pytest.fixture
def sides(frozen):
    """North with a guard in the ford and a levy in the mill, South with two closed blocks in the ford, an observer."""
    return frozen("guide", seat_sides)


def own(south):
    """South's blocks by their true ids."""
    return [counter["id"] for counter in south.get("counters.json").json() if counter["side"] == "south"]


def page_of(player, script=True):
    return Reader(player.client, script).open(f"/match/{player.match_id}/")


@pytest.mark.parametrize("script", [True, False])
def test_a_side_is_led_when_it_asks_from_step_to_step(sides, script):
    north, *_ = sides
    page = page_of(north, script)
    assert not page.has("#guide .question")
    page.press(ASKS)
    assert "Choose the place whose blocks act. 4.1 A Turn" in page.words("#guide")
    page.press("Ford")
    assert "Fire with blocks of the Ford" in page.words("#guide") and "Levy #2" not in page.words("#guide")
    page.press("Guard #1", within="#guide")
    form = page.form("#desk-form")
    form.fill(die="1").press("Resolve")
    assert "Fire with 4: 2 hit." in page.words("#desk")
    assert "Fire with blocks of the Ford" in page.words("#guide"), "it is still there"
    page.press("Turn done", within="#due")
    assert north.match.state.position.side == "south"
    assert not page_of(north).has("#guide"), "the turn is another side's"


def test_what_was_chosen_is_chosen_anew_and_the_guide_is_left(sides):
    north, *_ = sides
    page = page_of(north).press(ASKS).press("Mill")
    assert "of the Mill" in page.words("#guide") and "at 2" not in page.words("#guide"), "nobody is there to fire at"
    page.press("Another place").press("Ford")
    assert "at 2" in page.words("#guide")
    page.press(LEAVES)
    assert page.words("#guide") == ASKS
    page.press(ASKS)
    assert "Choose the place" in page.words("#guide"), "nothing of before"


def test_nothing_of_it_is_in_the_match(sides):
    north, south, observer = sides
    before = north.match
    page_of(north).press(ASKS).press("Ford")
    after = north.match
    assert (after.version, after.state, after.last_number) == (before.version, before.state, before.last_number)
    assert not LogEntry.objects.filter(match=north.match_id, number__gt=before.last_number).exists()
    for player in (south, observer):
        assert not page_of(player).has("#guide")
        answer = player.send("lead/", {"choice": "ford"})
        assert answer.status_code == 403 and "Nobody can be led here now" in players.words_of(answer)


def test_an_observer_is_not_led_though_nobody_has_taken_the_seat():
    north, links = players.begin("north", game="masked-march")
    observer = players.sit(links["observer"], north.match_id)
    north.do("advance/", button="turn")
    assert page_of(north).words("#guide") == ASKS, "from the other seat"
    assert not page_of(observer).has("#guide")


def test_what_other_devices_and_hands_do_is_seen(sides):
    north, south, _ = sides
    page = page_of(north).press(ASKS).press("Ford")
    south.do("counters/", id=own(south)[0], place="mill")
    page.look()
    assert "at 1" in page.words("#guide")
    north.do("counters/", id="north-1", becomes="eliminated")
    page.look()
    assert "Choose the place" in page.words("#guide"), "nobody is left in the ford"


def test_the_next_turn_is_led_when_it_is_asked_for_again(sides):
    north, south, _ = sides
    page_of(north).press(ASKS).press("Ford")
    north.do("advance/", button="turn")
    south.do("advance/", button="turn")
    assert page_of(north).words("#guide") == ASKS


def test_closed_blocks_are_aimed_at_by_what_others_call_them(sides):
    north, *_ = sides
    page = page_of(north).press(ASKS).press("Ford")
    page.press("Guard #1", within="#guide")
    form = page.form("#desk-form").sent()
    assert len(form["targets"]) == 2 and not set(form["targets"]) & set(own(sides[1]))
