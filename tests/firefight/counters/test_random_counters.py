"""Random play with counters: taking back restores exactly, the log says everything, secrets stay with their side."""

import random

import pytest

from firefight.models import LogEntry
from firefight.table.board import stores
from firefight.table.board.stores import StateStore
from tests.firefight import players
from tests.firefight.counters.test_counters import BANNERS, known
from tests.firefight.players import text_of
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too
from tests.soak import seeds

pytestmark = pytest.mark.django_db

ACTS = 30
SIDES = ("red", "blue", "green")
PLACES = ("mill", "ford", "chapel", "")
SECRET = "ambush of the seventh"


def begin():
    """A match of three sides with a few counters each."""
    red, links = players.begin("red", game=BANNERS)
    seated = {"red": red, **{s: players.sit(link, red.match_id) for s, link in links.items() if s != "red"}}
    for side in SIDES:
        seated[side].do("counters/add/", side=side, list="3 companies, captain")
    return seated


def own(player, side):
    return [id for id in known(player) if id.startswith(side)]


def do_something(seated, rng):
    """One act that a player could do; some are refused."""
    side = rng.choice(SIDES)
    player, mine = seated[side], own(seated[side], side)
    some = rng.sample(mine, rng.randint(1, 2))
    anybody = rng.sample([id for id in known(player) if id[-2:] < "-9"], 2)
    match rng.randrange(10):
        case 0:
            return player.do("counters/", id=some, place=rng.choice(PLACES), state=rng.choice(["", "shaken", "spent"]))
        case 1:
            return player.do("counters/", id=some, becomes=rng.choice(["hit", "shaken", "good_order", "eliminated"]))
        case 2:
            return player.do("counters/", id=some, hidden=rng.choice(["on", "off"]), place="chapel", note=SECRET)
        case 3:
            return player.do("counters/", id=some, fate="in_play", beside=rng.choice([*mine, ""]))
        case 4:
            return player.do("counters/add/", side=side, counter="captain", hidden=rng.choice(["on", None]))
        case 5:
            lines = [line.number for line in player.log if line.kind == "counter"]
            return player.do("counters/undo/", number=rng.choice(lines))
        case 6:
            rolls = [line.number for line in player.log if line.helper == "clash" and line.side == side]
            again = {"corrects": rng.choice(rolls)} if rolls else {}
            return player.roll("clash", against=anybody[0], die=str(rng.randint(1, 6)), **again)
        case 7:
            due = player.match.state.queue_for((side,))
            return (
                player.roll("rally", die=str(rng.randint(1, 6)), id=due[0].inputs["id"], step=due[0].id)
                if due
                else None
            )
        case _:
            return player.roll("clash", against=",".join(anybody), die=str(rng.randint(1, 6)))


def replay(match_id):
    """The counters as a second book-keeper has them, who reads nothing but the lines that stand."""
    book = {}
    for line in LogEntry.objects.filter(match=match_id, kind="counter", voided_by=None).order_by("number"):
        for counter, fields in line.inputs["counters"].items():
            book.setdefault(counter, {"id": counter, "side": counter.partition("-")[0]})
            book[counter] |= {name: now for name, (_, now) in fields.items()}
    return book


def standing(match):
    return {counter.id: {"id": counter.id, **stores.write_counter(counter)} for counter in StateStore(match).all()}


def without_blanks(book):
    return {id: {name: value for name, value in fields.items() if value} for id, fields in book.items()}


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(1, 500))
def test_random_play_is_told_by_its_log_and_taken_back_exactly(seed):
    rng = random.Random(seed)
    seated = begin()
    match_id = seated["red"].match_id
    for _ in range(ACTS):
        before = seated["red"].match
        response = do_something(seated, rng)
        match = seated["red"].match
        assert not response or response.status_code < 500
        assert without_blanks(replay(match_id)) == without_blanks(standing(match))
        last = match.acts.order_by("-number").first()
        may_go = match.version != before.version and last.free_to_take_back and not last.taken_back
        if may_go and rng.random() < 0.4:
            seated[last.side].do("take-back/")
            assert seated["red"].match.state.to_json() == before.state.to_json()
            assert without_blanks(replay(match_id)) == without_blanks(standing(seated["red"].match))
        for side in SIDES:
            check_secrets(seated, side)


def check_secrets(seated, side):
    """Of another side's hidden counters nothing is told."""
    state = seated["red"].match.state.counters
    hidden = {id for id, counter in state.items() if counter.get("hidden") and counter["side"] != side}
    known_counters = known(seated[side])
    assert not hidden & known_counters.keys()
    assert all(counter.get("beside") not in hidden for counter in known_counters.values())
    exported = text_of(seated[side].get("log.json"))
    others = [counter for counter in state.values() if counter["side"] != side and counter.get("note")]
    if others and all(counter.get("hidden") for counter in others):
        own_notes = any(counter["side"] == side and counter.get("note") for counter in state.values())
        assert own_notes or SECRET not in exported or shown_before(seated, side)


def shown_before(seated, side):
    """Whether a line that this side may read has told of the note: the counter was in sight then."""
    lines = LogEntry.objects.filter(match=seated["red"].match_id, kind="counter")
    return any(SECRET in line.sentence or (line.side == side and SECRET in line.secret) for line in lines)
