"""An attack in a match: what the chart lacks is asked once, what follows is due, what was agreed counts."""

import pytest

from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of

from . import SLUG

pytestmark = pytest.mark.django_db
CELL = "cell:terrain:city"
HIT = {"terrain": "city", "points": 20, "die": "3", "dice": "table"}


def begin(**agreed):
    options = {f"option-{name}": choice for name, choice in agreed.items()}
    player = players.begin("german", hot_seat=True, game=SLUG, **options)[0]
    player.do("record/", field="phase", value="5")
    return player


def due(player):
    return [step.helper for step in player.match.state.queue]


def last(player, helper):
    """The last result of a helper."""
    return next(line.result for line in reversed(player.log) if line.helper == helper)


def test_a_terrain_is_asked_once_and_kept_for_the_match():
    german = begin()
    page = german.roll("attack", **HIT)
    assert page.status_code == 422
    assert pages.values_of_each(text_of(page), "input[name^='cell:']", "name") == [CELL]
    assert german.roll("attack", **HIT, **{CELL: "2"}).status_code == 302
    assert last(german, "attack").modified == 5
    assert german.roll("attack", **{**HIT, "die": "4"}).status_code == 302
    assert last(german, "attack").modified == 6


def test_what_needs_no_die_settles_itself_and_the_leader_is_due():
    german = begin()
    fields = {**HIT, "terrain_drm": 0, "leader_in_target": "on", "die": "1", "combat_units": 3}
    assert german.roll("attack", **fields).status_code == 302
    rolls = [line.helper for line in german.log if line.helper]
    assert rolls == ["attack", "losses"]
    assert due(german) == ["leader-survival"]
    step = german.match.state.queue[0]
    assert (step.inputs["side"], step.inputs["units_eliminated"]) == ("soviet", 1)
    answer = german.roll(step.helper, step=step.id, **step.inputs, die="5", turns_die="3", dice="table")
    assert answer.status_code == 302
    survival = last(german, "leader-survival").details
    assert (survival["mdr"], survival["away"], survival["back_on_turn"]) == (4, 3, 5)
    assert due(german) == []


def test_what_was_agreed_as_the_match_began_counts():
    fire = {"kind": "defensive", "firer": "german", "points": 20, "die": "3", "dice": "table", "tanks_alone": "on"}
    for note, eliminated in (("deleted", 1), ("kept", 0)):
        german = begin(**{"tank-note": note})
        page = german.get("roll/defensive-fire/")
        (chosen,) = pages.values_of_each(text_of(page), "select[name=tank_note] option[selected]", "value")
        assert chosen == note
        assert german.roll("defensive-fire", **fire, tank_note=chosen).status_code == 302
        assert last(german, "defensive-fire").details["eliminated"] == eliminated
