"""Both sides of a campaign at the very same moment, on real connections: the books are right whoever was quicker.

Jobs run in threads of their own, all let go together. Each reads the match as a browser's request would.
"""

import uuid
from functools import partial

import pytest

from campaign.acts import buying, orders, setting_up, turns
from campaign.acts.beginning import begin
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import load
from campaign.models import Group, Seal
from campaign.rules.orders import Order
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.refusals import Refused, Stale
from firefight.table.act.table import Table
from firefight.table.consent import matters
from tests.oracles.audit import audit
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN
A_SIDE = 25
MOST_TRIES = 60
DICE = Dice("table", {"die": 6, "second_die": 8, "mix_1": 1, "mix_2": 7, "mix_3": 9})
# What 25 buyers ask for when they do not all want the same.
WANTED = {
    GERMAN: ("I1", "I2", "I4", "I5", "I5", "G2", "V3", "V6", "A1", "F1"),
    RUSSIAN: ("I1", "I2", "I6", "I7", "I8", "I9", "V6", "V7", "F1", "N1"),
}


def outcomes(*jobs):
    """Run every job at once; returns what they returned, or how they were refused, in order."""

    def outcome(job):
        try:
            return job()
        except Refused as refusal:
            return refusal

    return at_once(*(partial(outcome, job) for job in jobs))


class Seat:
    """A side of a campaign. Each of its forms is drawn from the version that it gives, the present one by default."""

    def __init__(self, match_id, side):
        self.match_id, self.side = match_id, side

    def version(self):
        return Match.objects.get(pk=self.match_id).version

    def act(self, function, *arguments, version=None, act_id=None):
        """Do one act."""
        match = Match.objects.get(pk=self.match_id)
        table = Table(match, self.side, (self.side,), tuple(match.seats.all()))
        return function(table, act_id or str(uuid.uuid4()), version or match.version, *arguments)

    def insist(self, function, *arguments):
        """Do one act, with a fresh form as often as the campaign has moved on; but not for ever."""
        for _ in range(MOST_TRIES):
            try:
                return self.act(function, *arguments)
            except Stale:
                continue
        raise AssertionError("The campaign never stood still for long enough.")


@pytest.fixture
def match_id():
    match, _ = begin("cg1", "Both at once", hot_seat=False)
    return match.pk


@pytest.fixture
def german(match_id):
    return Seat(match_id, GERMAN)


@pytest.fixture
def russian(match_id):
    return Seat(match_id, RUSSIAN)


def kinds(answers):
    """How many answers were of each kind, by the names of their types."""
    names = [type(answer).__name__ for answer in answers]
    return {name: names.count(name) for name in set(names)}


def bought(ledger, side):
    """The groups that a side has bought and kept."""
    groups = ledger.groups[side].values()
    return [group.rg for group in groups if group.bought_for and group.standing == Group.Standing.IN_PLAY]


# Fifty buyers


@pytest.mark.parametrize("purchases", [{GERMAN: ("I5",), RUSSIAN: ("I1",)}, WANTED], ids=["same", "different"])
def test_of_fifty_purchases_drawn_from_one_version_each_side_makes_one(german, russian, purchases):
    version = german.version()
    seats = (german, russian)
    answers = outcomes(
        *(
            partial(
                seat.act, buying.buy, purchases[seat.side][place % len(purchases[seat.side])], DICE, version=version
            )
            for place in range(A_SIDE)
            for seat in seats
        )
    )
    for seat, own_answers in zip(seats, (answers[::2], answers[1::2]), strict=True):
        assert kinds(own_answers) == {"Done": 1, "Stale": A_SIDE - 1}
        assert len(bought(audit(seat.match_id), seat.side)) == 1


@pytest.mark.parametrize("purchases", [{GERMAN: ("I5",), RUSSIAN: ("I1",)}, WANTED], ids=["same", "different"])
def test_fifty_purchases_that_insist_never_overspend_nor_take_a_box_twice(german, russian, purchases):
    before = audit(german.match_id)
    seats = (german, russian)
    answers = outcomes(
        *(
            partial(seat.insist, buying.buy, purchases[seat.side][place % len(purchases[seat.side])], DICE)
            for place in range(A_SIDE)
            for seat in seats
        )
    )
    after = audit(german.match_id)
    assert set(kinds(answers)) == {"Done", "Unfit"}
    for side, own_answers in ((GERMAN, answers[::2]), (RUSSIAN, answers[1::2])):
        mine = bought(after, side)
        assert kinds(own_answers)["Done"] == len(mine)
        spent = sum(after.roster(side).groups[rg].cp for rg in mine)
        assert after.balance(side) == before.balance(side) - spent
    assert after.match.version == before.match.version + kinds(answers)["Done"]


@pytest.mark.parametrize("last", ["I5", "G2"], ids=["last CP", "last box"])
def test_the_last_of_it_goes_to_exactly_one(german, last):
    if last == "I5":  # 20 CP less 10 and 8: one more for 2 CP, and two boxes
        german.act(buying.buy, "V3", DICE)
        german.act(buying.buy, "V2", DICE)
    answers = outcomes(*[partial(german.insist, buying.buy, last, DICE)] * 10)
    assert kinds(answers) == {"Done": 1, "Unfit": 9}
    ledger = audit(german.match_id)
    assert bought(ledger, GERMAN).count(last) == 1
    assert ledger.balance(GERMAN) == (0 if last == "I5" else 17)


def test_leaders_that_the_box_no_longer_holds_come_to_nobody(russian):
    """Four rolls bring four Commissars, one is there at the start, and the box has four."""
    buyers = [partial(russian.insist, buying.buy, "I2", DICE)] * 4
    assert kinds(outcomes(*buyers)) == {"Done": 4}
    ledger = audit(russian.match_id)
    assert (ledger.commissars(RUSSIAN), ledger.left_in_box(RUSSIAN)["commissar"]) == (4, 0)


# Giving back, taking back


def test_a_group_given_back_many_times_at_once_is_paid_back_once(german):
    german.act(buying.buy, "I5", DICE)
    [number] = [n for n, group in load_groups(german).items() if group.rg == "I5" and group.bought_for]
    version = german.version()
    answers = outcomes(*[partial(german.act, buying.refund, number, version=version)] * 4)
    assert kinds(answers) == {"Done": 1, "Stale": 3}
    ledger = audit(german.match_id)
    assert (ledger.balance(GERMAN), bought(ledger, GERMAN)) == (20, [])
    german.act(buying.buy, "I5", DICE)
    answers = outcomes(*[partial(german.insist, buying.refund, number + 1)] * 4)
    assert kinds(answers) == {"Done": 1, "Unfit": 3}
    assert audit(german.match_id).balance(GERMAN) == 20


def load_groups(seat):
    return load(Match.objects.get(pk=seat.match_id)).groups[seat.side]


def test_a_group_given_back_while_another_is_bought(german):
    german.act(buying.buy, "I5", DICE)
    german.act(buying.buy, "I5", DICE)
    first = next(n for n, group in load_groups(german).items() if group.rg == "I5")
    outcomes(
        partial(german.insist, buying.refund, first),
        *[partial(german.insist, buying.buy, "I5", DICE)] * 3,
    )
    ledger = audit(german.match_id)
    assert bought(ledger, GERMAN) in (["I5"], ["I5", "I5"])
    assert ledger.balance(GERMAN) == 20 - 2 * len(bought(ledger, GERMAN))


@pytest.mark.parametrize("buyer", [GERMAN, RUSSIAN])
@pytest.mark.parametrize("attempt", range(3))
def test_a_take_back_and_a_purchase_at_once_end_in_one_of_the_two_orders(german, russian, buyer, attempt):
    german.act(buying.buy, "I5", DICE)
    seat = german if buyer == GERMAN else russian
    version = german.version()
    take_back, purchase = outcomes(
        partial(german.act, matters.propose_take_back, version=version),
        partial(seat.act, buying.buy, "I1", DICE, version=version),
    )
    ledger = audit(german.match_id)
    done = [not isinstance(answer, Refused) for answer in (take_back, purchase)]
    assert any(done)
    if buyer == GERMAN:
        assert done != [True, True]  # both forms were drawn before the other's act
    assert bought(ledger, GERMAN) == ([] if done[0] else ["I5"]) + (["I1"] if done[1] and buyer == GERMAN else [])
    assert bought(ledger, RUSSIAN) == (["I1"] if done[1] and buyer == RUSSIAN else [])
    if done == [True, True]:  # the take-back was first: what it took back was the purchase it was drawn from
        assert take_back.act.number < purchase.act.number


def test_one_act_is_taken_back_once(german):
    german.act(buying.buy, "I5", DICE)
    german.act(buying.buy, "I5", DICE)
    version = german.version()
    answers = outcomes(*[partial(german.act, matters.propose_take_back, version=version)] * 8)
    assert kinds(answers) == {"Done": 1, "Stale": 7}
    assert bought(audit(german.match_id), GERMAN) == ["I5"]


# Orders


def test_both_seal_while_one_reveals(german, russian):
    version = german.version()
    reveal = partial(german.insist, orders.reveal_orders)
    answers = outcomes(
        partial(german.act, orders.seal_orders, None, version=version),
        partial(russian.act, orders.seal_orders, None, version=version),
        *[reveal] * 4,
        *[partial(russian.insist, orders.reveal_orders)] * 4,
    )
    assert kinds(answers[:2]) == {"Done": 2}
    ledger = audit(german.match_id)
    revealed = kinds(answers[2:]).get("Done", 0)
    assert revealed <= 1
    assert ledger.stage is (Stage.SETUP if revealed else Stage.PURCHASES)
    for side in Side:
        [seal] = ledger.seals[side].values()
        assert seal.standing == (Seal.Standing.OPEN if revealed else Seal.Standing.SEALED)


def test_orders_are_revealed_or_withdrawn_never_both(german, russian):
    for seat in (german, russian):
        seat.act(orders.seal_orders, None)
    version = german.version()
    revealed, withdrawn = outcomes(
        partial(german.act, orders.reveal_orders, version=version),
        partial(russian.act, orders.withdraw_orders, version=version),
    )
    ledger = audit(german.match_id)
    assert kinds((revealed, withdrawn))["Done"] == 1
    standing = Seal.Standing.OPEN if isinstance(withdrawn, Refused) else Seal.Standing.WITHDRAWN
    assert ledger.seals[RUSSIAN][1].standing == standing


def test_an_attack_and_a_purchase_do_not_spend_the_same_points():
    match, _ = begin("cg2", "Both at once", hot_seat=False)
    seat = Seat(match.pk, RUSSIAN)
    for rg in ("V1", "I6", "I6"):  # 20 CP less 10, 2 and 2: enough for an Attack with its bonus, or for I5
        seat.act(buying.buy, rg, DICE)
    answers = outcomes(
        partial(seat.insist, orders.seal_orders, Order.ATTACK, True),
        *[partial(seat.insist, buying.buy, "I5", DICE)] * 4,
    )
    ledger = audit(match.pk)
    assert kinds(answers)["Done"] == 1
    assert ledger.balance(RUSSIAN) == 0


# Set-up and play


@pytest.fixture
def in_setup(german, russian):
    """CG I once the orders are open: the Russian sets up first."""
    for seat in (german, russian):
        seat.act(orders.seal_orders, None)
    german.act(orders.reveal_orders)


@pytest.mark.usefixtures("in_setup")
def test_set_up_confirmed_twenty_times_with_one_form_is_confirmed_once(russian):
    version, act_id = russian.version(), str(uuid.uuid4())
    answers = outcomes(*[partial(russian.act, setting_up.confirm, version=version, act_id=act_id)] * 20)
    assert kinds(answers) == {"Done": 20}
    assert {answer.act.pk for answer in answers} == {uuid.UUID(act_id)}
    ledger = audit(russian.match_id)
    assert (ledger.match.version, ledger.campaign.ready) == (version + 1, [RUSSIAN])


@pytest.mark.usefixtures("in_setup")
def test_set_up_confirmed_with_twenty_forms_is_confirmed_and_paid_once(russian, german):
    version = russian.version()
    answers = outcomes(*[partial(russian.act, setting_up.confirm, version=version)] * 20)
    assert kinds(answers) == {"Done": 1, "Stale": 19}
    answers = outcomes(*[partial(russian.insist, setting_up.confirm)] * 10)
    assert kinds(answers) == {"Refused": 10}
    answers = outcomes(*[partial(german.insist, setting_up.confirm)] * 20)
    assert kinds(answers) == {"Done": 1, "Refused": 19}
    assert audit(russian.match_id).stage is Stage.FIREFIGHT


def test_a_surcharge_is_paid_once(german, russian):
    """Twenty forms confirm a set-up that costs CP: one line says so."""
    russian.act(buying.buy, "I1", DICE)
    for seat in (german, russian):
        seat.act(orders.seal_orders, None)
    german.act(orders.reveal_orders)
    ledger = audit(russian.match_id)
    squads = [unit.number for unit in ledger.in_play(RUSSIAN) if unit.group and unit.group.bought_for]
    russian.act(setting_up.place, squads, 16)
    answers = outcomes(*[partial(russian.insist, setting_up.confirm)] * 20)
    assert kinds(answers) == {"Done": 1, "Refused": 19}
    after = audit(russian.match_id)
    assert after.balance(RUSSIAN) == ledger.balance(RUSSIAN) - 1
    assert sum(line.reason.startswith("Set-up") for line in after.lines[RUSSIAN].values()) == 1


@pytest.mark.usefixtures("in_setup")
def test_a_turn_that_both_end_at_once_ends_once(german, russian):
    russian.act(setting_up.confirm)
    german.act(setting_up.confirm)
    for turn in (1, 2, 3, 4):
        version = german.version()
        answers = outcomes(
            *(partial(seat.act, turns.end_turn, Dice(), version=version) for seat in (german, russian) for _ in "123")
        )
        assert kinds(answers) == {"Done": 1, "Stale": 5}
        assert audit(german.match_id).match.state.turn == turn + 1
