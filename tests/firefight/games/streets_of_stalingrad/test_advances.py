"""Advance after combat with counters: who goes in is asked, checked and moved (9.85, 9.86)."""

import pytest

from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.rolls.result import FollowUp, Result
from firefight.games.streets_of_stalingrad.rules.advances import advance_into, list_groups
from firefight.games.streets_of_stalingrad.rules.battle import Battle
from firefight.games.streets_of_stalingrad.rules.decisions import Question, ask_side
from firefight.games.streets_of_stalingrad.rules.sequence import AFTER
from firefight.games.streets_of_stalingrad.rules.terms import Side
from tests.firefight.players import words_of

from .test_table import put
from .two_devices import HERE, NEXT, Table, lay_out

BESIDE = "0508"  # next to HERE, on its other side
FREE = dict.fromkeys(("did_not_attack", "not_adjacent", "hex_held", "may_not_enter", "over_stacking"), False)


class Row:
    """A counter as a roll names it."""

    def __init__(self, name, sort="infantry", state=(), kind="own"):
        self.id, self.name, self.sort, self.state, self.kind = f"german-{name}", name, sort, state, kind


def ways(side, *rows):
    return [words for _, words in list_groups(side=side, by=rows)]


def test_the_most_who_fit_are_offered_first():
    four = [Row(name) for name in "ABCD"]
    assert ways(Side.GERMAN, *four)[:2] == ["A, B and C", "A, B and D"]
    assert ways(Side.GERMAN, *four[:3], Row("T", "tank"))[0] == "A, B, C and T"
    assert ways(Side.SOVIET, *four[:3], Row("T", "tank"))[0] == "A, B and C"


def test_a_leader_goes_with_units_and_never_alone_and_who_is_immobilized_stays():
    assert ways(Side.GERMAN, Row("A"), Row("Mues", "leader")) == ["A and Mues", "A"]
    assert ways(Side.SOVIET, Row("A"), Row("T", "tank", state=("immobilized",))) == ["A"]
    assert ways(Side.GERMAN, Row("Mues", "leader")) == []


def test_who_goes_is_an_open_question_and_then_moved():
    by = [Row("A"), Row("B")]
    with pytest.raises(OpenQuestion):
        advance_into(charts={}, hex=HERE, by=by, **FREE)
    with pytest.raises(BadInput):
        advance_into(charts={}, hex=HERE, by=by, goes=(3,), **FREE)
    advance = advance_into(charts={}, hex=HERE, by=by, goes=(2,), **FREE)
    assert [(change.id, change.to) for change in advance.changes] == [("german-B", HERE)]
    refused = advance_into(charts={}, hex=HERE, by=by, goes=(2,), **{**FREE, "may_not_enter": True})
    assert refused.outcome == "refused" and not refused.changes


@pytest.fixture
def table(frozen):
    """A German attack from 0510 has taken all of 0509: does anybody advance?"""

    def build():
        laid = lay_out(Table())
        laid.put("german", "phase", 5)
        reader = laid.open("german")
        reader.form("#table").fill(chosen=["german-1", "german-2", "soviet-1"])
        reader.press_node(reader.find("#rolls [data-roll=battle]")[0])
        reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, other_drm=-20).press("Declare")
        laid.resolve("soviet", "All stay, no fire")
        laid.resolve("german", die=1)
        return laid

    return frozen("streets advance", build)


def places(table):
    rows = table.players["german"].get("counters.json").json()
    return {row["id"]: row["place"] for row in rows if row["id"].startswith("german-")}


@pytest.mark.django_db
def test_those_who_advance_are_moved_by_one_press_and_taken_back_with_it(table):
    assert table.due == [("decide", "german")]
    table.resolve("german", "Advance")
    assert table.due == [("advance", "german")] and table.waits("soviet")
    reader = table.open("german")
    offered = [button.text() for button in reader.find("#desk-form [name=offer]")]
    assert offered == ["1/I/274 #1 and 1/I/274 #2", "1/I/274 #1", "1/I/274 #2"]
    table.resolve("german", "1/I/274 #2")
    assert (places(table)["german-1"], places(table)["german-2"]) == (NEXT, HERE)
    assert table.due == [("decide", "soviet")]  # an instant counter-attack?
    table.players["german"].do("take-back/")
    if table.match.proposal:
        table.players["soviet"].do("answer/", agrees="yes")
    assert places(table)["german-2"] == NEXT


@pytest.mark.django_db
def test_nobody_is_asked_who_goes_in_where_nobody_advances(table):
    table.resolve("german", "Nobody advances")
    assert table.due == [] and places(table)["german-1"] == NEXT


@pytest.mark.django_db
def test_the_sheet_knows_who_is_tapped_and_that_the_hex_is_held(table):
    german = table.players["german"]
    page = german.get("roll/advance/", firers=["german-1"], targets=["soviet-3"])
    assert page.status_code == 200, words_of(page)
    table.players["soviet"].do("counters/", id="soviet-3", becomes="shown")
    table.players["soviet"].do("counters/add/", list="Soviet: Sniper")
    table.players["soviet"].do("counters/", id="soviet-4", place="0512")
    reader = table.open("german", "roll/advance/?firers=german-1&targets=soviet-4")
    form = reader.form("#desk-form")
    assert (form.value("hex"), form.value("hex_held"), form.value("not_adjacent")) == ("0512", "on", "on")


# Counter-attacks


@pytest.fixture
def facing(frozen):
    """Two Soviet units beside two German ones, in the German attack phase."""

    def build():
        laid = lay_out(Table())
        laid.put("german", "phase", 5)
        return laid

    return frozen("streets counter-attack", build)


def strike_back(table, die):
    """The Soviets counter-attack by taps."""
    reader = table.open(
        "soviet", "roll/counter-attack/?firers=soviet-1&firers=soviet-2&targets=german-1&targets=german-2"
    )
    form = reader.form("#desk-form")
    assert (form.value("af"), form.value("df"), form.value("defenders")) == ("6", "10", "2")
    form.fill(die=die).press("Resolve")


def states(table):
    rows = table.players["german"].get("counters.json").json()
    return {row["id"]: row["fate"] or " ".join(row["state"]) for row in rows if row["id"][-1] in "12"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("die", "loser", "lost"), [(6, "soviet", "1/39 #2"), (7, "german", "1/I/274 #2"), (10, "german", "1/I/274 #2")]
)
def test_who_counter_attacks_is_spent_and_the_loser_says_who_is_lost(facing, die, loser, lost):
    strike_back(facing, die)
    assert [step.helper for step in facing.match.state.queue] == ["losses"]
    assert facing.waits("german" if loser == "soviet" else "soviet")
    facing.resolve(loser, f"Lost: {lost}")
    after = states(facing)
    assert (after["soviet-1"], after["german-1"]) == ("spent", "")
    assert after[f"{loser}-2"] == "eliminated"
    facing.players[loser].do("take-back/")
    assert states(facing)[f"{loser}-2"] != "eliminated" or facing.match.proposal


@pytest.mark.django_db
def test_a_leader_beside_whom_a_counter_attack_costs_a_unit_rolls_for_survival(facing):
    facing.players["german"].do("counters/add/", list="German: Leader")
    facing.players["german"].do("counters/", id="german-4", place=NEXT)
    at = "&targets=german-1&targets=german-4"
    facing.open("soviet", f"roll/counter-attack/?firers=soviet-1{at}").form("#desk-form").fill(die=10).press("Resolve")
    facing.resolve("german", "Lost: 1/I/274 #2")
    assert facing.due == [("leader-survival", "german")]
    assert facing.open("german").form("#desk-form").value("units_eliminated") == "1"


@pytest.fixture
def retaken(table):
    """The Germans have gone in with one unit, which the Soviets of the next hex strike at."""
    soviet = table.players["soviet"]
    table.resolve("german", "Advance")
    table.resolve("german", "1/I/274 #2")
    table.resolve("soviet", "Yes")
    soviet.do("counters/add/", list="Soviet: 1/39")
    striker = "soviet-4"
    soviet.do("counters/", id=striker, place=BESIDE)
    reader = table.open("soviet", f"roll/counter-attack/?firers={striker}&targets=german-2")
    reader.form("#desk-form").fill(df=0, die=10).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    return table, striker


@pytest.mark.django_db
def test_who_takes_a_hex_back_goes_in_by_one_press(retaken):
    table, striker = retaken
    assert states(table)["german-2"] == "eliminated"  # the only one: nobody is asked
    assert table.due == [("decide", "soviet")] and "go into the hex" in table.open("soviet").words("#desk")
    table.resolve("soviet", "Advance")
    assert table.due == [("advance", "soviet")]
    (offered,) = table.open("soviet").find("#desk-form [name=offer]")
    table.resolve("soviet", offered.text())
    assert table.match.state.counters[striker]["place"] == HERE and table.due == []


@pytest.mark.django_db
def test_who_takes_a_hex_back_may_stay_out(retaken):
    table, striker = retaken
    table.resolve("soviet", "Nobody advances")
    assert table.match.state.counters[striker]["place"] == BESIDE and table.due == []


@pytest.mark.django_db
def test_a_counter_attack_is_against_all_who_hold_the_hex_whoever_of_them_is_tapped(table):
    table.resolve("german", "Advance")
    table.resolve("german", "1/I/274 #1 and 1/I/274 #2")
    table.resolve("soviet", "Yes")
    reader = table.open("soviet")
    reader.form("#desk-form").fill(die=5).press("Resolve")
    assert "at least 1 (12.5)" in reader.words("#desk")  # nobody has said who strikes back
    reader.form("#desk-form").fill(after_all="nobody").press("Resolve")
    assert table.due == [] and "nobody counter-attacks" in reader.words("#desk")
    table.players["soviet"].do("take-back/")
    table.players["soviet"].do("counters/add/", list="Soviet: 1/39")
    table.players["soviet"].do("counters/", id="soviet-4", place=BESIDE)
    for at in ("", "&targets=german-2"):
        form = table.open("soviet", f"roll/counter-attack/?firers=soviet-4{at}").form("#desk-form")
        assert [form.value(name) for name in ("af", "df", "defenders")] == ["3", "10", "2"]


@pytest.mark.parametrize("is_immobilized", [True, False])
def test_nobody_follows_into_a_hex_that_an_immobilized_tank_holds(is_immobilized):
    follow = ask_side(Question.FOLLOW, Side.GERMAN), FollowUp("advance", "Who goes in?", {"hex": HERE})
    battle = Battle(Side.SOVIET, HERE, {}, (4,), later_steps=(*follow, ask_side(Question.CHASE, Side.GERMAN)))
    result = Result("A tank.", "immobilized", details={"immobilized": is_immobilized})
    left = AFTER["tank"](battle, {}, result).later_steps
    assert left == (battle.later_steps[2:] if is_immobilized else battle.later_steps)


# Terrain, where a Soviet tank is lost


@pytest.mark.django_db
@pytest.mark.parametrize(("recorded", "terrain"), [("city", "city"), ("", "clear")])
def test_losses_know_the_terrain_of_who_is_lost(facing, recorded, terrain):
    if recorded:
        put(facing.players["german"], "hex_values", {"add": {NEXT: {"terrain": recorded}}})
    strike_back(facing, 7)
    assert facing.open("german").form("#desk-form").value("terrain") == terrain
