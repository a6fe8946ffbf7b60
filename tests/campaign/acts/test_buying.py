"""Reinforcement rolls, purchases and refunds: the rows that they leave, and what they refuse to touch."""

from collections import Counter as Tally
from itertools import product

import pytest

from campaign.acts import buying, orders, seals, setting_up
from campaign.ledger.act import Unfit
from campaign.models import Group, Unit
from firefight.columns import Rolled
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import rolled_face
from firefight.table.act.refusals import BadField, Incomplete
from firefight.table.consent import matters
from tests.campaign.plain import plain, tags

from .game import APP, ATTACK, GERMAN, HOLD, RUSSIAN, Game, other, shipped_copy, typed

pytestmark = pytest.mark.django_db

PURCHASES = [
    pytest.param(side, entry, id=f"{side}-{entry['id']}")
    for side in (GERMAN, RUSSIAN)
    for entry in plain(f"roster_{side}")["groups"]
    if entry["type"] != "attack"
]
# 20.9.1: one d10, and the second one of a Russian 6.
LEADERS = {face: ["nco"] if face < 6 else ["nco", "officer"] if face == 6 else ["officer"] for face in range(1, 9)}
LEADERS |= {9: [], 10: []}


def faces_for(entry, face=1):
    """Dice for whatever a group may ask for; its leader roll brings nobody."""
    return {"die": 10} | {f"mix_{place}": face for place in range(1, entry.get("mix", {}).get("number", 0) + 1)}


def brought(game, side, rg):
    """What the newest group of an ID consists of."""
    return Tally(unit.counter for unit in game.units(side, rg))


def plain_rows(ledger, kind, side):
    return [row.plain() for row in getattr(ledger, kind)[side].values()]


# One purchase


@pytest.mark.parametrize(("side", "entry"), PURCHASES)
def test_a_group_comes_with_its_counters_for_its_price_and_ticks_its_first_box(cg2, side, entry):
    before = cg2.ledger
    done = cg2.buy(side, entry["id"], **faces_for(entry))
    after, group = cg2.ledger, cg2.group(side, entry["id"])
    assert (group.bought_for, group.box, group.standing, group.app_dice) == (1, 1, Group.Standing.IN_PLAY, False)
    mixed = {"pz_iv_f1": 3} if "mix" in entry else {}
    # The at-start OB of this card leaves two of the five T-70.
    contents = {"t_70": 2} if (side, entry["id"]) == (RUSSIAN, "V4") else entry.get("contents", {})
    assert brought(cg2, side, entry["id"]) == contents | mixed
    assert {unit.sector for unit in after.units_of(group)} <= {None}
    (line,) = (line for line in after.lines[side].values() if line.number not in before.lines[side])
    assert (line.amount, line.reason, line.group.pk) == (-entry["cp"], f"{entry['id']} {entry['unit']}", group.pk)
    assert (line.sealed, line.seal, line.firefight) == (False, None, 1)
    assert after.balance(side) == before.balance(side) - entry["cp"]
    assert after.bought(side) == {entry["id"]: 1}
    (logged,) = done.entries
    name = side.capitalize()
    assert logged.sentence.startswith(f"{name} buys {entry['id']} {entry['unit']} for {entry['cp']} CP")
    assert (logged.kind, logged.side, logged.secret) == ("ledger", side, "")
    for kind in ("groups", "units", "lines", "seals"):
        assert plain_rows(after, kind, other(side)) == plain_rows(before, kind, other(side))


def test_the_log_tells_what_was_bought_and_what_it_brings(cg2):
    sentences = [
        cg2.buy(GERMAN, "I1", die=6).entries[0].sentence,
        cg2.buy(GERMAN, "A1").entries[0].sentence,
        cg2.buy(GERMAN, "I4").entries[0].sentence,
        cg2.buy(RUSSIAN, "I2").entries[0].sentence,
    ]
    *squads, nco, officer = cg2.units(GERMAN, "I1")
    guns, rifles = tags(*cg2.units(GERMAN, "I4")), tags(*cg2.units(RUSSIAN, "I2"))
    assert sentences == [
        f"German buys I1 Grenadier platoon for 4 CP: 3 × Grenadier squad{tags(*squads)}; an NCO and an Officer"
        f"{tags(nco, officer)}.",
        "German buys A1 81 mm battery for 3 CP.",
        f"German buys I4 HMG section for 3 CP: 2 × Heavy MG 34{guns}.",
        f"Russian buys I2 Rifle platoon for 3 CP: 3 × Rifle squad{rifles}; no leader.",
    ]
    (entry,) = cg2.buy(GERMAN, "I3", die=7).entries
    start, _, brings = entry.sentence.partition(": ")
    counters, _, leader = brings.partition("; ")
    # PostgreSQL keeps no order in a JSON object.
    kinds = {"3 × Pioneer squad": "pioneer_squad", "1 × Flamethrower": "flamethrower", "2 × Demo charge": "demo_charge"}
    assert set(counters.split(", ")) == {
        f"{words}{tags(*cg2.units(GERMAN, 'I3', kind))}" for words, kind in kinds.items()
    }
    (officer,) = cg2.units(GERMAN, "I3", "officer")
    assert (start, leader) == ("German buys I3 Pioneer platoon for 7 CP", f"an Officer{tags(officer)}.")


def test_boxes_are_ticked_one_by_one_until_none_is_left(cg2):
    for box in (1, 2, 3):
        cg2.buy(GERMAN, "I5")
        assert (cg2.group(GERMAN, "I5").box, cg2.ledger.bought(GERMAN)) == (box, {"I5": box})
    cg2.write(cg2.units(GERMAN, "I5")[0], fate=Unit.Fate.ELIMINATED)  # the counter is free, the box is not
    refused = cg2.refuse(buying.buy, GERMAN, "I5", typed(), error=Unfit)
    assert refused.reasons == ["I5 has 3 boxes in this campaign, and this would be number 4 (20.3.2)."]


def test_groups_of_the_ob_leave_all_boxes_free(cg1):
    assert len([group for group in cg1.ledger.groups[GERMAN].values() if group.rg == "V1"]) == 1
    cg1.buy(GERMAN, "V1")  # its one box in this campaign
    assert cg1.group(GERMAN, "V1").box == 1
    cg1.refuse(buying.buy, GERMAN, "V1", typed(), error=Unfit, match="1 box in this campaign")


def test_a_group_may_have_boxes_in_one_campaign_and_none_in_the_other(cg1, cg2):
    cg2.buy(GERMAN, "B1")
    refused = cg1.refuse(buying.buy, GERMAN, "B1", typed(), error=Unfit)
    assert refused.reasons == ["B1 is not in this campaign (20.3.2)."]


def test_both_sides_buy_at_the_same_time(cg2):
    for side, rg in ((RUSSIAN, "I1"), (GERMAN, "I4"), (RUSSIAN, "I6"), (GERMAN, "G1")):
        cg2.buy(side, rg)
    assert (cg2.balance(GERMAN), cg2.balance(RUSSIAN)) == (24 - 3 - 4, 20 - 2 - 2)


# The box of counters (20.8.1)


def test_counters_that_the_box_lacks_are_missing_and_the_group_costs_everything():
    game = short_of(GERMAN, pz_iii_j=2)
    sentence = game.buy(GERMAN, "V4").entries[0].sentence
    came = f"2 × Pz III J{tags(*game.units(GERMAN, 'V4'))}"
    assert sentence == f"German buys V4 Panzer platoon for 8 CP: {came}. Not in the box any more: 1 × Pz III J."
    assert brought(game, GERMAN, "V4") == {"pz_iii_j": 2}
    assert game.balance(GERMAN) == 24 - 8


def test_no_group_is_bought_once_its_counters_are_used_up():
    game = short_of(GERMAN, pz_iii_j=3)
    game.buy(GERMAN, "V4")
    refused = game.refuse(buying.buy, GERMAN, "V4", typed(), error=Unfit)
    assert refused.reasons == ["No counter is left: Pz III J (20.8.1)."]


def short_of(side, **counts):
    """A campaign whose box holds so few counters."""
    data = shipped_copy()
    for key, count in counts.items():
        data["counters"][side][key]["count"] = count
    return Game.begin("cg2", data=data)


# Leaders (20.9.1)


@pytest.mark.parametrize("rg", ["I1", "I2", "I3"])
def test_every_face_of_a_german_leader_roll(cg2, rg):
    for face, leaders in LEADERS.items():
        with cg2.trial():
            (entry,) = cg2.buy(GERMAN, rg, typed(die=face)).entries
            counters = brought(cg2, GERMAN, rg)
            assert {key: counters[key] for key in ("nco", "officer") if counters[key]} == dict.fromkeys(leaders, 1)
            assert entry.rolls == (Rolled("die", "d10", 10, face, "table"),)


@pytest.mark.parametrize("rg", ["I2", "I3", "I4", "I5"])
def test_every_face_of_a_russian_leader_roll_but_the_6(cg2, rg):
    for face, leaders in LEADERS.items():
        if face == 6:
            continue
        with cg2.trial():
            cg2.buy(RUSSIAN, rg, typed(die=face))
            counters = brought(cg2, RUSSIAN, rg)
            keys = ("nco", "officer", "commissar")
            assert {key: counters[key] for key in keys if counters[key]} == dict.fromkeys(leaders, 1)


def test_every_second_face_of_a_russian_6(cg2):
    for face in range(1, 11):
        with cg2.trial():
            (entry,) = cg2.buy(RUSSIAN, "I2", typed(die=6, second_die=face)).entries
            second = "officer" if face <= 6 else "commissar"
            assert brought(cg2, RUSSIAN, "I2") == {"rifle_squad": 3, "nco": 1, second: 1}
            assert [(die.die, die.face) for die in entry.rolls] == [("die", 6), ("second_die", face)]


def test_a_group_without_the_note_rolls_for_no_leader(cg2):
    (entry,) = cg2.buy(RUSSIAN, "I1", typed(die=1)).entries
    assert brought(cg2, RUSSIAN, "I1") == {"militia_squad": 3}
    assert entry.rolls == ()


@pytest.mark.parametrize(
    ("counts", "face", "leaders", "ending"),
    [
        ({"nco": 0}, 3, {}, "an NCO{}. Not in the box any more: 1 × NCO."),
        ({"nco": 0}, 6, {"officer": 1}, "an NCO and an Officer{}. Not in the box any more: 1 × NCO."),
        ({"nco": 0, "officer": 0}, 6, {}, "an NCO and an Officer{}. Not in the box any more: 1 × NCO, 1 × Officer."),
        ({"officer": 0}, 6, {"nco": 1}, "an NCO and an Officer{}. Not in the box any more: 1 × Officer."),
        ({"nco": 1, "officer": 1}, 6, {"nco": 1, "officer": 1}, "an NCO and an Officer{}."),
    ],
)
def test_leaders_that_the_box_lacks_do_not_come(counts, face, leaders, ending):
    game = short_of(GERMAN, **counts)
    (entry,) = game.buy(GERMAN, "I1", die=face).entries
    assert brought(game, GERMAN, "I1") == {"grenadier_squad": 3} | leaders
    squads, came = game.units(GERMAN, "I1", "grenadier_squad"), game.units(GERMAN, "I1")[3:]
    ending = ending.format(tags(*came) if len(came) == 1 else "")
    assert entry.sentence == f"German buys I1 Grenadier platoon for 4 CP: 3 × Grenadier squad{tags(*squads)}; {ending}"


def test_what_the_box_lacks_of_squads_and_leaders_is_said_together():
    # The at-start OB of this card takes nine grenadier squads.
    game = short_of(GERMAN, grenadier_squad=11, nco=0)
    (entry,) = game.buy(GERMAN, "I1", die=1).entries
    came = f"2 × Grenadier squad{tags(*game.units(GERMAN, 'I1'))}; an NCO"
    assert entry.sentence.endswith(f": {came}. Not in the box any more: 1 × Grenadier squad, 1 × NCO.")


# V3 (20.3.3)


def test_every_face_of_the_medium_panzer_platoon(cg2):
    for faces in [(face, 1, 10) for face in range(1, 11)] + [(7, 8, 9), (6, 6, 6), (10, 10, 1)]:
        with cg2.trial():
            (entry,) = cg2.buy(GERMAN, "V3", typed(**{f"mix_{n}": face for n, face in enumerate(faces, 1)})).entries
            expected = Tally("pz_iv_f1" if face <= 6 else "pz_iv_f2" for face in faces)
            assert brought(cg2, GERMAN, "V3") == expected
            assert [die.face for die in entry.rolls] == list(faces)


def test_the_tanks_of_v3_are_told(cg2):
    (entry,) = cg2.buy(GERMAN, "V3", typed(mix_1=1, mix_2=7, mix_3=2)).entries
    f1, f2 = (tags(*cg2.units(GERMAN, "V3", kind)) for kind in ("pz_iv_f1", "pz_iv_f2"))
    assert entry.sentence == f"German buys V3 Medium Panzer platoon for 10 CP: 2 × Pz IV F1{f1}, 1 × Pz IV F2{f2}."


@pytest.mark.parametrize("face", [0, 11])
def test_a_bad_die_of_v3_is_refused(cg2, face):
    refused = cg2.refuse(buying.buy, GERMAN, "V3", typed(mix_1=1, mix_2=face, mix_3=2), error=BadDie)
    assert refused.die == "mix_2"


# Dice


@pytest.mark.parametrize(
    ("side", "rg", "faces", "needs"),
    [
        (GERMAN, "I1", {}, ("die",)),
        (RUSSIAN, "I2", {}, ("die",)),
        (RUSSIAN, "I2", {"die": 6}, ("second_die",)),
        (GERMAN, "V3", {}, ("mix_1", "mix_2", "mix_3")),
        (GERMAN, "V3", {"mix_1": 1, "mix_3": 4}, ("mix_2",)),
    ],
)
def test_while_a_die_is_missing_nothing_is_bought(cg2, side, rg, faces, needs):
    incomplete = cg2.refuse(buying.buy, side, rg, typed(**faces), error=Incomplete)
    assert incomplete.result.needs == needs


@pytest.mark.parametrize("face", [11, -1, 0, 99])
def test_a_leader_die_shows_1_to_10(cg2, face):
    refused = cg2.refuse(buying.buy, GERMAN, "I1", typed(die=face), error=BadDie)
    assert refused.die == "die"


@pytest.mark.parametrize(("side", "rg", "number"), [(GERMAN, "V3", 3), (GERMAN, "I1", 1)])
def test_dice_of_the_app_come_from_the_matchs_seed_one_after_the_other(cg2, side, rg, number):
    match = cg2.match
    (entry,) = cg2.buy(side, rg, APP).entries
    seed = bytes.fromhex(match.seed)
    assert [(die.source, die.number, die.face) for die in entry.rolls] == [
        ("app", place, rolled_face(seed, place, 10)) for place in range(1, number + 1)
    ]
    assert cg2.match.next_roll == number + 1
    assert cg2.group(side, rg).app_dice
    assert not entry.act.free_to_take_back


def test_a_purchase_without_dice_is_no_roll_of_the_app(cg2):
    (entry,) = cg2.buy(GERMAN, "I4", APP).entries
    assert (entry.rolls, cg2.match.next_roll, cg2.group(GERMAN, "I4").app_dice) == ((), 1, False)
    assert entry.act.free_to_take_back


def test_a_refused_purchase_uses_no_number_of_the_app(cg2):
    cg2.write(cg2.ledger.lines[GERMAN][1], amount=3)
    cg2.refuse(buying.buy, GERMAN, "I1", APP, error=Unfit)
    assert cg2.match.next_roll == 1


# What is refused


def test_everything_that_is_wrong_is_said_at_once():
    data = shipped_copy()
    data["counters"]["russian"]["nest"]["count"] = 0
    data["cards"]["cg1"]["russian"]["at_start"].pop()  # the Commissar
    data["cards"]["cg1"]["russian"]["cp"] = 1
    next(g for g in data["rosters"]["russian"]["groups"] if g["id"] == "N1")["boxes"]["cg1"] = 0
    refused = Game.begin("cg1", data=data).refuse(buying.buy, RUSSIAN, "N1", typed(), error=Unfit)
    assert refused.reasons == [
        "N1 is not in this campaign (20.3.2).",
        "This costs 2 CP, and your side has 1 (20.8.1).",
        "No counter is left: Nest marker (20.8.1).",
        "A Fanatic Resistance Nest needs a Commissar in play (20.9.2).",
    ]
    assert str(refused) == " ".join(refused.reasons)


def test_po_2_are_not_bought_for_daylight(cg2_at):
    cg2 = cg2_at("reinforcements").through_to("purchases")
    assert cg2.ledger.time == "AM"
    refused = cg2.refuse(buying.buy, RUSSIAN, "S1", typed(), error=Unfit)
    assert refused.reasons == ["S1 can be bought for Night or Dawn only, not for AM (20.3.3)."]


def test_more_cp_than_there_are_cannot_be_spent(cg2):
    cg2.buy(GERMAN, "B1")
    cg2.buy(GERMAN, "V2")
    refused = cg2.refuse(buying.buy, GERMAN, "V3", typed(mix_1=1, mix_2=1, mix_3=1), error=Unfit)
    assert refused.reasons == ["This costs 10 CP, and your side has 8 (20.8.1)."]
    cg2.buy(GERMAN, "V4")
    assert cg2.balance(GERMAN) == 0


@pytest.mark.parametrize("rg", ["", "I99", "i1", "Z1", "V7"])
def test_a_group_that_is_not_on_the_roster_is_refused(cg2, rg):
    cg2.refuse(buying.buy, GERMAN, rg, typed(), error=BadField, match="no group .* on your roster")


def test_an_attack_goes_with_the_orders(cg2):
    cg2.refuse(buying.buy, GERMAN, "X1", typed(), error=BadField, match=r"under seal \(20.5.3\)")


def test_a_nest_needs_a_commissar_in_play(cg2):
    (commissar,) = cg2.units(RUSSIAN, counter="commissar")
    cg2.write(commissar, fate=Unit.Fate.ELIMINATED)
    cg2.refuse(buying.buy, RUSSIAN, "N1", typed(), error=Unfit, match="needs a Commissar in play")
    cg2.buy(RUSSIAN, "I2", die=6, second_die=7)
    cg2.buy(RUSSIAN, "N1")
    assert brought(cg2, RUSSIAN, "N1") == {"nest": 1}


def test_sealed_orders_end_the_purchases_until_they_are_taken_back(cg2):
    cg2.seal(GERMAN, HOLD)
    cg2.refuse(buying.buy, GERMAN, "I4", typed(), match="which ends your purchases")
    cg2.buy(RUSSIAN, "I1")
    cg2.do(orders.withdraw_orders, GERMAN)
    cg2.buy(GERMAN, "I4")


@pytest.mark.parametrize("stage", ["priority", "setup", "firefight", "reorganization", "reinforcements"])
def test_nothing_is_bought_in_any_other_step(cg2_at, stage):
    cg2 = cg2_at(stage)
    for side in (GERMAN, RUSSIAN):
        refused = cg2.refuse(buying.buy, side, "I4", typed(), match="another step: purchases and sealed orders")
        assert "Nothing was changed" in str(refused)


# Refunds


@pytest.mark.parametrize(("side", "entry"), PURCHASES)
def test_a_group_is_given_back_for_all_that_it_cost_unless_dice_were_rolled_for_it(cg2, side, entry):
    before = cg2.ledger
    done = cg2.buy(side, entry["id"], **faces_for(entry, 8))
    group = cg2.group(side, entry["id"])
    assert done.act.free_to_take_back != bool(done.entries[0].rolls)
    if done.entries[0].rolls:
        cg2.refuse(buying.refund, side, group.number, error=Unfit, match="Dice were rolled for this group")
        return
    (logged,) = cg2.do(buying.refund, side, group.number).entries
    after = cg2.ledger
    assert logged.sentence == f"{side.capitalize()} gives {entry['id']} {entry['unit']} back for {entry['cp']} CP."
    assert after.balance(side) == before.balance(side)
    assert after.left_in_box(side) == before.left_in_box(side)
    assert after.bought(side) == {}
    assert [unit.plain() for unit in after.in_play(side)] == [unit.plain() for unit in before.in_play(side)]
    returned = [unit for unit in after.units[side].values() if unit.group is after.groups[side][group.number]]
    assert {(unit.fate, unit.sector) for unit in returned} <= {(Unit.Fate.RETURNED, None)}
    assert after.groups[side][group.number].standing == Group.Standing.REFUNDED
    *_, line = after.lines[side].values()
    assert (line.amount, line.reason) == (entry["cp"], f"{entry['id']} {entry['unit']} given back")
    assert line.group is after.groups[side][group.number]


def test_typed_dice_are_rolled_once_unless_the_other_side_agrees(cg2):
    """Buy, look, give back, buy again: neither by giving back nor by taking back alone (20.5.8)."""
    cg2.buy(RUSSIAN, "I2", die=6, second_die=9)
    assert cg2.ledger.commissars(RUSSIAN) == 2
    number = cg2.group(RUSSIAN, "I2").number
    cg2.refuse(buying.refund, RUSSIAN, number, error=Unfit, match="taken back only if the other side agrees")
    cg2.do(matters.propose_take_back, RUSSIAN)
    assert cg2.match.proposal.by == RUSSIAN and cg2.ledger.commissars(RUSSIAN) == 2
    cg2.do(matters.answer, GERMAN, True)
    assert cg2.ledger.commissars(RUSSIAN) == 1 and cg2.ledger.bought(RUSSIAN) == {}
    assert not cg2.units(RUSSIAN, counter="nco")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_box_that_was_given_back_is_ticked_again(cg2, first):
    for _ in range(3):
        cg2.buy(RUSSIAN, "I1")
    bought = [group for group in cg2.ledger.groups[RUSSIAN].values() if group.rg == "I1" and group.bought_for]
    cg2.do(buying.refund, RUSSIAN, bought[first].number)
    cg2.buy(RUSSIAN, "I1")
    assert cg2.group(RUSSIAN, "I1").box == first + 1
    cg2.buy(RUSSIAN, "I1")
    assert cg2.group(RUSSIAN, "I1").box == 4
    assert cg2.ledger.bought(RUSSIAN) == {"I1": 4}


def test_a_group_is_given_back_once(cg2):
    cg2.buy(GERMAN, "I4")
    number = cg2.group(GERMAN, "I4").number
    cg2.do(buying.refund, GERMAN, number)
    cg2.refuse(buying.refund, GERMAN, number, error=Unfit, match="Only what was bought in this")
    assert cg2.balance(GERMAN) == 24


def test_a_group_of_the_ob_is_not_given_back(cg2):
    for number in cg2.ledger.groups[GERMAN]:
        cg2.refuse(buying.refund, GERMAN, number, error=Unfit, match="Only what was bought in this")


def test_a_group_of_an_earlier_phase_is_not_given_back(cg2):
    cg2.buy(GERMAN, "I4")
    number = cg2.group(GERMAN, "I4").number
    cg2.through_to("reinforcements").through_to("purchases")
    cg2.refuse(buying.refund, GERMAN, number, error=Unfit, match="Only what was bought in this")


@pytest.mark.parametrize("rg", ["I1", "V3"])
def test_a_group_that_the_app_rolled_for_stays(cg2, rg):
    cg2.buy(GERMAN, rg, APP)
    number = cg2.group(GERMAN, rg).number
    cg2.refuse(buying.refund, GERMAN, number, error=Unfit, match="Dice were rolled for this group")


def test_a_number_means_a_group_of_the_own_side_only(cg2):
    cg2.buy(GERMAN, "I4")
    number = cg2.group(GERMAN, "I4").number
    assert number not in cg2.ledger.groups[RUSSIAN] or cg2.ledger.groups[RUSSIAN][number].bought_for == 0
    for wrong in (number, 0, -1, 999):
        cg2.refuse(buying.refund, RUSSIAN, wrong, error=Unfit)
    assert cg2.group(GERMAN, "I4").standing == Group.Standing.IN_PLAY


def test_sealed_orders_end_the_refunds_and_the_reveal_ends_them_for_good(cg2):
    """20.5.8 steps 2 and 3: nobody gives back what turns out not to be needed once the other side's order is known."""
    cg2.buy(GERMAN, "I4")
    number = cg2.group(GERMAN, "I4").number
    cg2.seal(GERMAN, HOLD)
    cg2.refuse(buying.refund, GERMAN, number, match="Your orders are sealed, which ends your purchases")
    with cg2.trial():
        cg2.do(orders.withdraw_orders, GERMAN)
        cg2.do(buying.refund, GERMAN, number)
        assert cg2.balance(GERMAN) == 24
    cg2.seal(RUSSIAN, ATTACK)
    cg2.do(orders.reveal_orders, GERMAN)
    for side in (GERMAN, RUSSIAN):
        cg2.refuse(buying.refund, GERMAN, number, match="another step: purchases")
        cg2.do(setting_up.confirm, side)
    cg2.refuse(buying.refund, GERMAN, number, match="another step: purchases")


def test_the_plot_of_a_battery_that_is_given_back_is_struck_out(cg2):
    cg2.buy(RUSSIAN, "A2")
    battery, remaining = cg2.group(RUSSIAN, "A2").number, cg2.group(RUSSIAN, "A1").number
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 3)
    cg2.do(seals.write_plot, RUSSIAN, remaining, "M7", "M9", 3)
    cg2.do(buying.refund, RUSSIAN, battery)
    assert [(s.group.number, s.standing) for s in cg2.ledger.seals[RUSSIAN].values()] == [
        (battery, "withdrawn"),
        (remaining, "sealed"),
    ]


# Reinforcements (20.2.2)


@pytest.fixture
def later(cg2_at):
    """Before the second firefight: both sides still have to roll."""
    return cg2_at("reinforcements")


def test_every_face_of_the_reinforcement_rolls(later):
    cp = {GERMAN: 24, RUSSIAN: 20}
    added = {side: plain("to_the_volga")[side]["reinforcement"]["add"] for side in cp}
    assert added == {GERMAN: 8, RUSSIAN: 6}
    for side, face in product(cp, range(1, 11)):
        with later.trial():
            (entry,) = later.do(buying.reinforce, side, typed(die=face)).entries
            total = face + added[side]
            assert later.balance(side) == cp[side] + total  # what was not spent stays
            *_, line = later.ledger.lines[side].values()
            assert (line.amount, line.firefight, line.group, line.sealed) == (total, 2, None, False)
            assert line.reason == f"Reinforcements for AM: d10 + {added[side]}"
            assert entry.sentence == f"{side.capitalize()} receives {total} CP: {face} on d10 + {added[side]}."
            assert entry.rolls[0].to_json() | {"label": ""} == {
                "die": "die", "label": "", "sides": 10, "face": face, "source": "table",
            }  # fmt: skip


@pytest.mark.parametrize("sides", [(GERMAN, RUSSIAN), (RUSSIAN, GERMAN)])
def test_when_both_have_rolled_the_purchases_begin(later, sides):
    first, second = sides
    later.do(buying.reinforce, first, typed(die=4))
    assert (later.stage, later.ledger.campaign.ready) == ("reinforcements", [first])
    later.refuse(buying.reinforce, first, typed(die=10), match="has rolled for its reinforcements already")
    later.do(buying.reinforce, second, typed(die=4))
    campaign = later.ledger.campaign
    assert (campaign.stage, campaign.ready, campaign.stage_since) == ("purchases", [], later.match.version)
    assert campaign.firefight == 2


def test_the_app_rolls_for_reinforcements(later):
    match = later.match
    (entry,) = later.do(buying.reinforce, RUSSIAN, APP).entries
    face = rolled_face(bytes.fromhex(match.seed), match.next_roll, 10)
    assert (entry.rolls[0].face, entry.rolls[0].number) == (face, match.next_roll)
    assert later.balance(RUSSIAN) == 20 + face + 6
    assert not entry.act.free_to_take_back


@pytest.mark.parametrize("faces", [{}, {"second_die": 4}])
def test_without_a_die_there_are_no_reinforcements(later, faces):
    incomplete = later.refuse(buying.reinforce, GERMAN, typed(**faces), error=Incomplete)
    assert incomplete.result.needs == ("die",)


@pytest.mark.parametrize("face", [11, 0, 99, -4])
def test_a_reinforcement_die_shows_what_it_has(later, face):
    assert later.refuse(buying.reinforce, GERMAN, typed(die=face), error=BadDie).die == "die"


@pytest.mark.parametrize("stage", ["purchases", "priority", "setup", "firefight", "reorganization"])
def test_there_are_no_reinforcements_in_any_other_step(cg2_at, stage):
    cg2 = cg2_at(stage)
    cg2.refuse(buying.reinforce, GERMAN, typed(die=4), match="another step: reinforcement rolls")


def test_the_first_firefight_has_no_reinforcement_roll(cg1):
    cg1.refuse(buying.reinforce, GERMAN, typed(die=4), match="another step")


def test_a_group_bought_later_is_bought_for_that_firefight_and_counts_its_boxes_on(later):
    later.through_to("purchases")
    later.buy(GERMAN, "V6")
    assert (later.group(GERMAN, "V6").bought_for, later.group(GERMAN, "V6").box) == (2, 1)


def test_boxes_are_ticked_for_the_whole_campaign(cg2):
    cg2.buy(GERMAN, "V2")
    cg2.through_to("reinforcements").through_to("purchases")
    cg2.buy(GERMAN, "V2")
    assert [g.box for g in cg2.ledger.groups[GERMAN].values() if g.rg == "V2"] == [1, 2]
    cg2.grant(GERMAN, 20)
    cg2.refuse(buying.buy, GERMAN, "V2", typed(), error=Unfit, match="2 boxes in this campaign")
