"""An attack in a match: what is due after it waits for its players, what it writes down, and what comes back."""

import json

import pytest

from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of

pytestmark = pytest.mark.django_db

UNITS = [{"af": "4", "parent": "71"}, {"af": "3", "parent": "71"}]
GROUP = [{"df": 3}, {"df": 2}]


@pytest.fixture
def player(frozen):
    def begin():
        return players.begin("german", game="turning-point-stalingrad", hot_seat=True)[0]

    return frozen("turning point on one device", begin)


@pytest.fixture
def both():
    german, links = players.begin("german", game="turning-point-stalingrad")
    return {"german": german, "russian": players.sit(links["russian"], german.match_id)}


def attack(player, **fields):
    rows = {"attackers": json.dumps(UNITS), "defenders": json.dumps(GROUP), "tem": "2", "dice": "table"}
    dice = {"attack_dr": "9", "defence_dr": "8"}
    answer = player.roll("attack", **{**rows, **dice, **fields})
    assert answer.status_code == 302, answer.content[:2000]
    return player.log


def due(player):
    return [step.helper for step in player.match.state.queue]


def step_of(player, helper):
    return next(step.id for step in player.match.state.queue if step.helper == helper)


def test_a_payment_waits_is_paid_in_one_press_and_its_retreat_waits_too(player):
    attack(player, area="30")
    assert due(player)[0] == "payment"
    page = text_of(player.get())
    offers = pages.values_of_each(page, "#desk-form [name=offer]", "value")
    assert [json.loads(offer)["actions"] for offer in offers] == [
        "flip,flip",
        "flip_retreat,none",
    ]
    assert player.roll("payment", step=step_of(player, "payment"), chained="1", offer=offers[1]).status_code == 302
    paid = next(line for line in reversed(player.log) if line.helper == "payment")
    assert paid.result.details["legal"] and paid.result.details["paid"] == 2
    retreat = next(step for step in player.match.state.queue if step.helper == "retreat")
    assert retreat.inputs["start"] == "30"
    assert "area" in text_of(player.get(f"roll/retreat/?step={retreat.id}"))


def test_whoever_pays_decides_how_unless_nobody_sits_there(both):
    german, russian = both["german"], both["russian"]
    attack(german, area="30")
    offer = json.dumps({"actions": "flip,flip"})
    page = german.get()
    assert "The Russian decides." in text_of(page) and "Flip and retreat" not in text_of(page)
    assert "flips and retreats" in text_of(page) and not pages.find(text_of(page), "#desk-form button")
    before = german.match.version
    refused = german.roll("payment", step=step_of(german, "payment"), chained="1", offer=offer)
    assert refused.status_code == 403 and "The Russian pays 2: the Russian decides that." in text_of(refused)
    assert german.match.version == before and due(german)[0] == "payment"
    for player, waits in ((german, ""), (russian, "me")):
        assert pages.values_of_each(text_of(player.get()), "#live", "data-waits") == [waits]
    assert russian.roll("payment", step=step_of(german, "payment"), chained="1", offer=offer).status_code == 302
    assert "payment" not in due(german)


def test_one_of_several_that_are_due_is_dropped_from_the_desk(player):
    for field, value in (("date", "1942-09-14"), ("time", "night"), ("box", "12"), ("track", "flips")):
        player.do("record/", field=field, value=value)
    player.do("advance/", button="turn")
    assert due(player) == ["withdrawal", "dawn", "armour-replacement", "entry"]
    (button,) = pages.find(text_of(player.get()), "#desk-form .form-head button")
    form = pages.forms(text_of(player.get()), "#desk-form")[0].fields
    fields = {name: values[-1] for name, values in form.items()}
    player.send("drop/", {**fields, "step": button.attributes["value"]})
    assert due(player) == ["dawn", "armour-replacement", "entry"]
    assert player.last.sentence == "Not rolled: Withdrawals."


def test_what_a_mistaken_attack_costs_beyond_the_group_is_forfeit_and_no_overrun(player):
    stuka = {"kind": "air", "attackers": "", "ov": "8", "dv": "7", "germans_present": "on"}
    attack(player, **stuka, attack_dr="12", defence_dr="12")
    (step,) = [step for step in player.match.state.queue if step.title == "The German pays for the Mistaken Attack"]
    known = {**{name: str(value) for name, value in step.inputs.items()}, "forfeit": "on", "factors": "3"}
    player.roll("payment", step=step.id, chained="1", **known, actions="eliminate")
    paid = next(line for line in reversed(player.log) if line.helper == "payment")
    assert paid.sentence.endswith("3 is eliminated: 3 of 3 paid.") and paid.result.details["legal"]
    assert "3 more are forfeit (8.36, 17.3)." in paid.result.effects
    player.roll("payment", **{**known, "forfeit": "", "required": "4"}, actions="eliminate")
    assert player.last.result.outcome == "overrun"


def test_a_side_that_nobody_has_taken_pays_from_the_other_seat():
    german, _ = players.begin("german", game="turning-point-stalingrad")
    attack(german)
    offer = json.dumps({"actions": "flip,flip"})
    assert german.roll("payment", step=step_of(german, "payment"), chained="1", offer=offer).status_code == 302


def test_an_illegal_payment_says_why_and_stays_due(player):
    attack(player)
    player.roll("payment", step=step_of(player, "payment"), chained="1", actions="none,eliminate")
    paid = next(line for line in reversed(player.log) if line.helper == "payment")
    assert "The highest Defense Factor pays first: unit 1." in paid.sentence
    for fields in ({}, {"offer": '{"actions":"flip,flip"}'}):
        step = next(step for step in player.match.state.queue if step.helper == "payment")
        assert step.inputs["factors"] == [3, 2] and step.inputs["required"] == 2
        player.roll("payment", step=step.id, chained="1", **fields)
    assert "payment" not in due(player)


def test_what_an_attack_writes_down_is_taken_back_with_it(player):
    before = player.match.state
    attack(player, kind="air", area="40", tem="3", attackers="", attack_dr="7", defence_dr="7", germans_present="on")
    assert player.match.state.record["luftwaffe_used"] is True
    assert pages.values_of_each(text_of(player.get("roll/attack/", area="40")), "#f-tem", "value") == ["3"]
    assert due(player).count("payment") == 2
    player.do("take-back/")
    assert player.match.state == before


def test_units_that_attacked_are_offered_to_whatever_lists_attackers(player):
    attack(player)
    player.do("drop/", step="all")
    for helper in ("attack", "offensive-value"):
        buttons = pages.find(text_of(player.get(f"roll/{helper}/")), "#desk-form .recalls button")
        assert [pages.words(button) for button in buttons][0] == "4, 71 · 3, 71"
    (recall,) = pages.find(text_of(player.get("roll/defensive-value/")), "#desk-form .recalls button")
    assert pages.words(recall) == "3 · 2"


@pytest.mark.parametrize(("die", "states"), [("1", [{"area": "67", "state": "silenced"}]), ("6", [])])
def test_guns_that_counter_battery_silences_in_their_attack_are_written_down(player, die, states):
    attack(player, attacker="russian", guns="67", artillery="1", area="66", counter_units="3", counter_die=die)
    changed = [gun for gun in player.match.state.record["russian_artillery"] if gun["state"] != "ready"]
    assert changed == states


def test_guns_say_themselves_whether_they_may_fire(player):
    def filled(area):
        page = text_of(player.get("roll/artillery-range/", area=area))
        side = pages.values_of_each(page, "#f-side option[selected]", "value")
        return side, bool(pages.find(page, "#f-spent[checked]"))

    assert filled("67") == (["russian"], False)
    player.roll("counter-battery", area="67", artillery_within_two="3", die="1", dice="table")
    assert filled("67") == (["russian"], True)
    assert filled("56") == (["german"], False)


def test_what_the_german_controls_is_said_once(player):
    areas = json.dumps([{"area": "24", "friendly": True}])
    player.roll("retreat", areas=areas, german_areas="6,C", dice="table")
    assert player.match.state.record["german_areas"] == ["6", "C"]
    page = text_of(player.get("roll/retreat/"))
    assert pages.values_of_each(page, "#f-german_areas", "value") == ["6, C"]


def test_a_value_leads_to_an_attack_whose_other_list_is_still_asked(player):
    player.roll("offensive-value", attackers=json.dumps(UNITS), dice="table")
    assert due(player) == [], "who looks a value up owes no attack"
    page = text_of(player.get())
    assert "4, 71" in page and pages.find(page, "#f-defenders-short")
    fields = {name: values[-1] for name, values in pages.forms(page, "#desk-form")[0].fields.items()}
    answer = player.roll("attack", **{**fields, "dice": "app", "defenders-short": "32"})
    assert answer.status_code == 302
    assert next(line for line in player.log if line.helper == "attack").inputs["ov"] == 6
