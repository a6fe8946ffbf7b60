"""Attack or Hold: what is sealed, what anybody learns of it, and what follows from the comparison."""

import pytest

from campaign.acts import orders, setting_up
from campaign.ledger.act import Unfit
from campaign.models import Campaign, Seal
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import rolled_face
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import BadField, Incomplete
from firefight.table.log import reading
from tests.campaign.plain import group_of

from .game import APP, ATTACK, GERMAN, HOLD, RUSSIAN, Game, other, shipped_copy, typed

pytestmark = pytest.mark.django_db

SIDES = pytest.mark.parametrize("side", Side)
CHOICES = [(HOLD, False), (ATTACK, False), (ATTACK, True)]
START = {GERMAN: 24, RUSSIAN: 20}


def priced(order, bonus=False):
    """4 CP for an Attack, 2 for its bonus: the shipped rosters."""
    return 0 if order is HOLD else 6 if bonus else 4


def standing_seals(game, side):
    return [seal for seal in game.ledger.seals[side].values() if seal.standing != Seal.Standing.WITHDRAWN]


# Sealing


@SIDES
@pytest.mark.parametrize(("order", "bonus"), CHOICES)
def test_orders_are_paid_for_and_ticked_under_seal(cg2, side, order, bonus):
    (entry,) = cg2.seal(side, order, bonus).entries
    ledger, price = cg2.ledger, priced(order, bonus)
    (seal,) = ledger.seals[side].values()
    assert (seal.kind, seal.firefight, seal.standing, seal.entry) == ("orders", 1, "sealed", entry.number)
    assert seal.data.to_json() == {"order": order, "bonus": bonus, "fixed": False, "price": price} | (
        {"group": "X1", "box": 1} if price else {}
    )
    assert ledger.orders_of(side) is seal
    assert ledger.balance(side) == START[side] - price
    assert ledger.bought(side) == ({"X1": 1} if price else {})
    bought = [line for line in ledger.lines[side].values() if line.number > 1]
    assert [(line.amount, line.sealed, line.seal is seal, line.group) for line in bought] == (
        [(-price, True, True, None)] if price else []
    )
    assert ledger.campaign.ready == [side]
    assert ledger.stage == "purchases"
    assert (ledger.orders_of(other(side)), ledger.balance(other(side))) == (None, START[other(side)])


@SIDES
def test_the_log_says_the_same_whatever_is_sealed(cg2, side):
    logs = []
    for order, bonus in CHOICES:
        with cg2.trial():
            (entry,) = cg2.seal(side, order, bonus).entries
            for sees in ((), (other(side).value,)):
                logs.append([vars_of(line) for line in reading.newest_lines(cg2.match, sees)])
            assert entry.sentence == f"{side.capitalize()} seals its orders."
    assert all(lines == logs[0] for lines in logs)


def vars_of(line):
    """All that a line shows but its time, whose it is, and what is random: its act, and digests with their salt."""
    aside = ("at", "mine", "act", "secret_digest", "digest")
    return [getattr(line, name) for name in line.__slots__ if name not in aside]


@SIDES
@pytest.mark.parametrize(
    ("order", "bonus", "words"),
    [(HOLD, False, "Hold."), (ATTACK, False, "Attack (4 CP)."), (ATTACK, True, "Attack, with the CP Bonus (6 CP).")],
)
def test_the_own_side_reads_what_it_sealed(cg2, side, order, bonus, words):
    cg2.seal(side, order, bonus)
    assert reading.newest_lines(cg2.match, (side.value,))[0].secret == words
    assert reading.newest_lines(cg2.match, (other(side).value,))[0].secret == ""


@SIDES
def test_the_other_side_cannot_tell_an_attack_from_a_hold(cg2, side):
    views = []
    for order, bonus in CHOICES:
        with cg2.trial():
            before = cg2.known(other(side))
            cg2.seal(side, order, bonus)
            for sees in ((other(side).value,), ()):
                known = cg2.known(*sees)
                assert known.seals[side] == {}
                assert known.balance(side) == before.balance(side) == START[side]
                assert known.bought(side) == {}
                views.append({kind: set(getattr(known, kind)[side]) for kind in ("groups", "units", "seals", "lines")})
    assert all(rows == views[0] for rows in views)


@pytest.mark.parametrize(("side", "order"), [(GERMAN, "attack"), (RUSSIAN, "hold")])
@pytest.mark.parametrize("choice", [None, ATTACK, HOLD])
def test_the_card_gives_the_first_orders_of_cg_i_and_they_cost_nothing(cg1, side, order, choice):
    (entry,) = cg1.seal(side, choice).entries
    (seal,) = cg1.ledger.seals[side].values()
    assert seal.data.to_json() == {"order": order, "bonus": False, "fixed": True, "price": 0}
    assert entry.secret == f"{order.capitalize()}, as the card says."
    assert cg1.balance(side) == {GERMAN: 20, RUSSIAN: 14}[side]
    assert cg1.ledger.bought(side) == {}
    assert len(cg1.ledger.lines[side]) == 1


@SIDES
def test_orders_of_the_card_have_no_bonus(cg1, side):
    cg1.refuse(orders.seal_orders, side, ATTACK, True, error=BadField, match="with an Attack that is paid for")


@SIDES
def test_a_hold_has_no_bonus(cg2, side):
    cg2.refuse(orders.seal_orders, side, HOLD, True, error=BadField, match="with an Attack that is paid for")


def test_somebody_has_to_choose(cg2):
    cg2.refuse(orders.seal_orders, GERMAN, None, error=BadField, match="Choose Attack or Hold")


@pytest.mark.parametrize(
    ("cp", "bonus", "allowed"), [(3, False, False), (4, False, True), (5, True, False), (6, True, True)]
)
def test_an_attack_takes_the_cp_that_are_left(cg2, cp, bonus, allowed):
    cg2.write(cg2.ledger.lines[GERMAN][1], amount=cp)
    if allowed:
        cg2.seal(GERMAN, ATTACK, bonus)
        assert cg2.balance(GERMAN) == 0
    else:
        refused = cg2.refuse(orders.seal_orders, GERMAN, ATTACK, bonus, error=Unfit)
        assert refused.reasons == [f"This costs {priced(ATTACK, bonus)} CP, and your side has {cp} (20.8.1)."]
        cg2.seal(GERMAN, HOLD)


def test_attacks_tick_their_boxes_for_the_whole_campaign():
    data = shipped_copy()
    group_of(data["rosters"]["german"], "X1")["boxes"]["cg2"] = 1
    game = Game.begin("cg2", data=data)
    game.through_to("setup", attacker=GERMAN)
    campaign = game.ledger.campaign
    game.write(campaign, firefight=2, stage="purchases", ready=[])
    refused = game.refuse(orders.seal_orders, GERMAN, ATTACK, error=Unfit)
    assert refused.reasons == ["X1 has 1 box in this campaign, and this would be number 2 (20.3.2)."]
    game.seal(GERMAN, HOLD)


def test_a_roster_without_an_attack_can_only_hold():
    data = shipped_copy()
    roster = data["rosters"]["russian"]
    roster["groups"] = [group for group in roster["groups"] if group["id"] != "X1"]
    game = Game.begin("cg2", data=data)
    game.refuse(orders.seal_orders, RUSSIAN, ATTACK, error=BadField, match="no Attack to buy")
    game.seal(RUSSIAN, HOLD)


@SIDES
def test_orders_are_sealed_once(cg2, side):
    cg2.seal(side, HOLD)
    cg2.refuse(orders.seal_orders, side, ATTACK, match="sealed already")


@pytest.mark.parametrize("stage", ["reinforcements", "priority", "setup", "firefight", "reorganization"])
def test_orders_belong_to_the_purchases(cg2_at, stage):
    cg2 = cg2_at(stage)
    for act, more in ((orders.seal_orders, (HOLD,)), (orders.withdraw_orders, ()), (orders.reveal_orders, ())):
        cg2.refuse(act, GERMAN, *more, match="another step: purchases and sealed orders")


# Taking them back


@SIDES
@pytest.mark.parametrize(("order", "bonus"), CHOICES)
def test_orders_that_are_taken_back_return_their_cp_and_their_box(cg2, side, order, bonus):
    cg2.seal(side, order, bonus)
    (entry,) = cg2.do(orders.withdraw_orders, side).entries
    ledger = cg2.ledger
    assert (ledger.orders_of(side), ledger.balance(side), ledger.bought(side)) == (None, START[side], {})
    assert ledger.campaign.ready == []
    assert standing_seals(cg2, side) == []
    assert (entry.sentence, entry.secret) == (f"{side.capitalize()} takes its sealed orders back.", "")
    cg2.seal(side, ATTACK)
    assert cg2.ledger.orders_of(side).orders.box == 1


@SIDES
def test_nobody_learns_what_was_taken_back(cg2, side):
    views = []
    for order, bonus in CHOICES:
        with cg2.trial():
            cg2.seal(side, order, bonus)
            cg2.do(orders.withdraw_orders, side)
            cg2.seal(side, HOLD)
            cg2.seal(other(side), HOLD)
            cg2.do(orders.reveal_orders, side)
            known = cg2.known(other(side))
            assert {line.amount for line in known.lines[side].values()} == {START[side]}
            assert known.balance(side) == cg2.balance(side)
            views.append([seal.data for seal in known.seals[side].values()])
            views.append([line.secret for line in reading.newest_lines(cg2.match, (other(side).value,))])
    assert views[0::2] == views[:1] * 3
    assert views[1::2] == views[1:2] * 3


def test_one_side_leaves_the_other_sides_orders_alone(cg2):
    cg2.seal(GERMAN, ATTACK)
    cg2.refuse(orders.withdraw_orders, RUSSIAN, match="has sealed no orders yet")
    cg2.seal(RUSSIAN, ATTACK)
    cg2.do(orders.withdraw_orders, RUSSIAN)
    assert cg2.ledger.orders_of(GERMAN).orders.order == "attack"
    assert cg2.ledger.campaign.ready == [GERMAN]


def test_orders_that_were_never_sealed_cannot_be_taken_back(cg2):
    cg2.refuse(orders.withdraw_orders, GERMAN, match="has sealed no orders yet")
    cg2.seal(GERMAN, HOLD)
    cg2.do(orders.withdraw_orders, GERMAN)
    cg2.refuse(orders.withdraw_orders, GERMAN, match="has sealed no orders yet")


# The reveal


@pytest.mark.parametrize(
    ("sealed", "missing"),
    [([], "German and Russian"), ([GERMAN], "Russian"), ([RUSSIAN], "German")],
)
def test_the_reveal_waits_for_both(cg2, sealed, missing):
    for side in sealed:
        cg2.seal(side, ATTACK)
    for side in Side:
        refused = cg2.refuse(orders.reveal_orders, side)
        assert str(refused) == f"Both sides reveal together; still without sealed orders: {missing}."


@SIDES
def test_one_act_opens_both(cg2, side):
    cg2.seal(GERMAN, ATTACK, bonus=True)
    cg2.seal(RUSSIAN, HOLD)
    done = cg2.do(orders.reveal_orders, side)
    german, russian, summary = done.entries
    assert [(entry.kind, entry.side, entry.sentence) for entry in (german, russian)] == [
        ("reveal", GERMAN, "German orders: Attack, with the CP Bonus (6 CP)."),
        ("reveal", RUSSIAN, "Russian orders: Hold."),
    ]
    sealed = {entry.number: entry for entry in cg2.entries if entry.secret}
    assert [(entry.about, sealed[entry.about].revealed_by) for entry in (german, russian)] == [
        (3, german.number),
        (4, russian.number),
    ]
    assert summary.sentence == "The German is the Attacker: one side attacks. The Russian sets up first."
    assert not done.act.free_to_take_back
    for sees in ((), ("german",), ("russian",)):
        known = cg2.known(*sees)
        assert [seal.standing for s in Side for seal in known.seals[s].values()] == ["open", "open"]
        assert known.balance(GERMAN) == cg2.balance(GERMAN) == 18
        assert known.bought(GERMAN) == {"X1": 1}
        assert reading.newest_lines(cg2.match, sees)[-3].secret == "Attack, with the CP Bonus (6 CP)."


@pytest.mark.parametrize(
    ("german", "russian", "attacker", "stage", "sentence"),
    [
        (ATTACK, HOLD, "german", "setup", "The German is the Attacker: one side attacks. The Russian sets up first."),
        (HOLD, ATTACK, "russian", "setup", "The Russian is the Attacker: one side attacks. The German sets up first."),
        (ATTACK, ATTACK, "", "priority", "Both attack: a d10 each decides who is the Attacker."),
        (HOLD, HOLD, "", "reinforcements", "Both hold: no firefight at Dawn"),
    ],
)
def test_what_the_orders_lead_to(cg2, german, russian, attacker, stage, sentence):
    done = cg2.orders(german, russian)
    campaign = cg2.ledger.campaign
    assert (campaign.attacker, campaign.stage) == (attacker, stage)
    assert (campaign.ready, campaign.stage_since) == ([], cg2.match.version)
    assert done.entries[2].sentence.startswith(sentence)
    if attacker:
        assert cg2.ledger.setting_up == other(attacker)
        cg2.refuse(setting_up.confirm, Side(attacker), match="sets up first")


def test_the_card_of_cg_i_makes_the_german_attack_and_the_russian_set_up_first(cg1):
    done = cg1.orders()
    assert [entry.sentence for entry in done.entries] == [
        "German orders: Attack, as the card says.",
        "Russian orders: Hold, as the card says.",
        "The German is the Attacker: one side attacks. The Russian sets up first.",
    ]
    assert (cg1.ledger.campaign.attacker, cg1.ledger.setting_up) == ("german", RUSSIAN)
    assert (cg1.balance(GERMAN), cg1.balance(RUSSIAN)) == (20, 14)


# Both attack


@pytest.mark.parametrize("german_bonus", [False, True])
@pytest.mark.parametrize("russian_bonus", [False, True])
def test_every_lead_when_both_attack(cg2, german_bonus, russian_bonus):
    # Every pair of dice goes through the rule alone (tests/campaign/rules/test_orders.py).
    cg2.orders(ATTACK, ATTACK, german_bonus, russian_bonus)
    for german, russian in [(1, face) for face in range(1, 11)] + [(face, 1) for face in range(2, 11)]:
        with cg2.trial():
            (entry,) = cg2.do(orders.roll_for_attacker, RUSSIAN, typed(german_die=german, russian_die=russian)).entries
            lead = german - russian + 2 * (german_bonus - russian_bonus)
            attacker, defender = (RUSSIAN, GERMAN) if lead < 0 else (GERMAN, RUSSIAN)
            assert Campaign.objects.values_list("attacker", "stage").get() == (attacker, "setup")
            assert f"The {attacker.capitalize()} is the Attacker" in entry.sentence
            assert entry.sentence.endswith(f"The {defender.capitalize()} sets up first.")
            assert ("a tie" in entry.sentence) == (lead == 0)
            assert [(die.die, die.side, die.face) for die in entry.rolls] == [
                ("german_die", GERMAN, german),
                ("russian_die", RUSSIAN, russian),
            ]


def test_dice_of_the_app_decide_who_attacks(cg2):
    cg2.orders(ATTACK, ATTACK)
    seed = bytes.fromhex(cg2.match.seed)
    german, russian = (rolled_face(seed, number, 10) for number in (1, 2))
    done = cg2.do(orders.roll_for_attacker, GERMAN, APP)
    assert cg2.ledger.campaign.attacker == ("russian" if russian > german else "german")
    assert cg2.match.next_roll == 3
    assert not done.act.free_to_take_back


@pytest.mark.parametrize(
    ("faces", "needs"),
    [({}, ("german_die", "russian_die")), ({"german_die": 4}, ("russian_die",)), ({"russian_die": 4}, ("german_die",))],
)
def test_both_dice_are_needed(cg2_at, faces, needs):
    cg2 = cg2_at("priority")
    incomplete = cg2.refuse(orders.roll_for_attacker, GERMAN, typed(**faces), error=Incomplete)
    assert set(needs) <= set(incomplete.result.needs)


def test_a_die_of_the_tie_is_a_d10(cg2_at):
    cg2 = cg2_at("priority")
    refused = cg2.refuse(orders.roll_for_attacker, GERMAN, typed(german_die=4, russian_die=11), error=BadDie)
    assert refused.die == "russian_die"


@pytest.mark.parametrize("stage", ["purchases", "setup", "firefight"])
def test_nobody_rolls_for_the_attack_in_another_step(cg2_at, stage):
    cg2 = cg2_at(stage)
    cg2.refuse(orders.roll_for_attacker, GERMAN, typed(german_die=4, russian_die=4), match="another step: who attacks")


# Both hold


def test_a_firefight_that_nobody_wants_is_skipped_and_everything_bought_stays(cg2):
    cg2.buy(GERMAN, "A2")
    cg2.buy(RUSSIAN, "I1")
    before = cg2.ledger
    cg2.orders(HOLD, HOLD)
    after = cg2.ledger
    assert (after.campaign.firefight, after.time, after.stage) == (2, "AM", "reinforcements")
    assert after.campaign.held == before.campaign.held
    for side in Side:
        assert after.balance(side) == before.balance(side)
        assert [unit.plain() for unit in after.in_play(side)] == [unit.plain() for unit in before.in_play(side)]
        assert after.orders_of(side) is None  # those were for the firefight that was skipped
    cg2.through_to("purchases")
    assert {side: cg2.balance(side) for side in Side} == {GERMAN: 24 - 5 + 9, RUSSIAN: 20 - 2 + 7}
    cg2.seal(GERMAN, ATTACK)


def test_when_both_hold_at_the_last_time_the_campaign_is_over(cg2):
    times = []
    for _ in range(3):
        cg2.through_to("reinforcements")
        times.append(cg2.ledger.time)
        cg2.through_to("purchases")
    assert times == ["AM", "PM", "Night"]
    done = cg2.orders(HOLD, HOLD)
    assert done.entries[2].sentence.startswith("Both hold: no firefight at Night")
    assert (cg2.stage, cg2.ledger.campaign.firefight, cg2.ledger.time) == ("over", 4, "Night")
    cg2.refuse(orders.seal_orders, GERMAN, HOLD, match="another step")


def test_only_the_first_orders_of_cg_i_are_fixed(cg1):
    cg1.write(cg1.ledger.campaign, firefight=2)
    cg1.refuse(orders.seal_orders, GERMAN, None, error=BadField, match="Choose Attack or Hold")
    cg1.seal(GERMAN, ATTACK)
    cg1.seal(RUSSIAN, ATTACK, bonus=True)
    assert (cg1.balance(GERMAN), cg1.balance(RUSSIAN)) == (20 - 4, 14 - 6)
