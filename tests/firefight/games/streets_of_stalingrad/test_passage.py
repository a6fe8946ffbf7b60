"""Fire at whoever moves, hex by hex, from the page: the mover says where, the other side fires as long as it likes."""

import pytest

from firefight.engine.errors import BadInput
from tests.filling import NotOffered

from . import ask
from .test_battle import Side, due, result_of, rolls_of
from .test_table import begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def sides(frozen):
    """A match in the Germans' movement phase, with a browser for each side."""
    german, soviet = map(Side, frozen("streets on two devices", begin))
    german.player.do("record/", field="phase", value="3")
    return german, soviet


def move(mover, **fields):
    """Say where one moves."""
    mover.open("passage").reader.form("#desk-form").fill(**{"hex": "1542", **fields}).press("Declare")
    return mover.reader.words("#desk")


def test_who_moves_is_fired_at_from_each_hex_for_itself(sides):
    german, soviet = sides
    move(german, leader_in_target="on", combat_units=3)
    assert due(german) == [("decide", "Opportunity fire")] and "Soviet decides" in german.desk
    with pytest.raises(NotOffered):
        german.press("Yes")
    soviet.press("Yes")
    assert due(german) == [("defensive-fire", "Soviet opportunity fire")]
    soviet.throw(3, points=20)
    fire = result_of(german, "defensive-fire")
    assert fire.details["result"] == "D1P"  # one more for the leader, as the mover has said
    assert [slug for slug, _ in rolls_of(german)][-2:] == ["defensive-fire", "losses"]
    assert due(german) == [("leader-survival", "German leader in the hex")]
    german.throw(9)
    assert due(german) == [("decide", "Opportunity fire")]
    soviet.press("Another hex fires")
    soviet.throw(10, points=4)
    soviet.press("No more fire")
    assert due(german) == []
    lies = german.player.match.state.record["markers"]
    assert [(row["hex"], row["marker"]) for row in lies] == [("1542", "pinned")]  # a pinned mover pins the hex (11.11)


def test_who_is_gone_is_fired_at_no_more(sides):
    german, soviet = sides
    move(german)
    soviet.press("Yes")
    soviet.throw(1, points=90, other_drm=-5)
    assert result_of(german, "defensive-fire").details["eliminated"] == "all" and due(german) == []


def test_who_has_said_yes_and_reaches_nobody_goes_on_without_fire(sides):
    german, soviet = sides
    move(german)
    soviet.press("Yes")
    soviet.open().reader.form("#desk-form").fill(after_all="nobody").press("Resolve")
    assert due(german) == [] and "nobody fires" in rolls_of(german)[-1][1].headline


def test_nobody_has_to_fire(sides):
    german, soviet = sides
    move(german)
    soviet.press("No")
    assert due(german) == [] and [slug for slug, _ in rolls_of(german)] == ["passage", "decide"]


def test_soviets_on_the_volga_go_back_to_their_box(sides):
    german, soviet = sides
    german.player.do("record/", field="phase", value="10")
    move(soviet, terrain="volga", soviet_target_on_volga="on")
    german.press("Yes")
    german.throw(6, points=20)
    assert result_of(german, "defensive-fire").details["marker"] == "pinned"
    german.press("No more fire")
    assert german.player.match.state.record["markers"] == []


def test_only_who_moves_now_is_fired_at_and_only_in_the_open(sides):
    german, soviet = sides
    assert "The Soviet side does not move in phase 3" in move(soviet, side="soviet")
    assert "No opportunity fire at City" in move(german, terrain="city")
    german.player.do("record/", field="phase", value="5")
    assert "The German side does not move in phase 5" in move(german)
    assert [line for line in german.player.log if line.helper] == []


def test_11_6_a_balka_is_open_for_vehicles_alone():
    assert ask("passage", terrain="balka", is_vehicle="on").outcome == "declared"
    for terrain in ("balka", "forest", "suburb"):
        with pytest.raises(BadInput, match="clear hexes and the Volga alone"):
            ask("passage", terrain=terrain)


def test_the_chain_is_taken_back_step_by_step(sides):
    german, soviet = sides
    move(german)
    soviet.press("Yes")
    soviet.throw(10, points=4)
    steps = []
    for side in (soviet, soviet, german):
        side.player.do("take-back/")
        if side.player.match.proposal:
            (german if side is soviet else soviet).player.do("answer/", agrees="yes")
        steps.append([slug for slug, _ in due(german)])
    assert steps == [["defensive-fire"], ["decide"], []]
