"""No single change of a campaign's log passes; what the check cannot work out again it counts."""

import json
from random import Random

import pytest

from campaign.acts import buying, reorganizing
from campaign.ledger.dice import Dice
from campaign.rules.orders import Order
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.files import archive, making, saving
from firefight.table.log import fairness, reading
from firefight.table.rolling import replay
from tests.campaign.acts.field import Field
from tests.campaign.acts.game import APP, GERMAN, RUSSIAN
from tests.firefight.forgeries import forged
from tests.soak import SEED, length

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought():
    """A campaign after a phase of battles, with purchases, and with orders that one side has sealed."""
    field = Field()
    for sector in (5, 9, 14):
        for side in Side:
            field.put(side, "", sector)
    field.put(GERMAN, "stug_iii_c", 6, marks=["m_killed", "f_killed"])
    field.told()
    for side in Side:
        field.do(reorganizing.resolve_rest, side, "phase")
    assert field.game.stage is Stage.REINFORCEMENTS
    field.do(buying.reinforce, GERMAN, APP)
    field.do(buying.reinforce, RUSSIAN, Dice("table", {"die": 3}))
    field.game.buy(GERMAN, "I4", APP)
    field.game.seal(RUSSIAN, Order.HOLD)
    return field.game.match


def exported(match, sees):
    """A log as a file has it."""
    return json.loads(json.dumps(reading.export_log(match, sees)))


@pytest.mark.soak
def test_no_single_change_of_a_campaign_passes(fought, script):
    plain = exported(fought, ("german",))
    assert fairness.check_log(plain).problems == ()
    random = Random(SEED)
    for _ in range(length(50, 2500)):
        changed, forgery = forged(random, plain)
        result = fairness.check_log(changed)
        assert result.problems, forgery
        assert script(changed)["problems"] == list(result.problems), forgery


def test_rolls_of_the_ledger_are_counted_as_not_worked_out_again(fought):
    again = replay.work_out_results(exported(fought, ()))
    assert again.problems == ()
    assert any("of the campaign's ledger, whose rows are not in a log" in note for note in again.notes)


def test_a_file_of_one_side_goes_on_with_the_same_digests(fought):
    """What the other side sealed is not in it, and yet the chain fits, in the file and in the match made of it."""
    saved = json.loads(json.dumps(saving.dump_match(fought, ("german",))))
    withheld = [line for line in saved["log"] if "secret_digest" in line and "salt" not in line]
    assert withheld and saved["match"]["digest"] == fought.digest
    opened = making.make_match(archive.read_archive(json.dumps(saved).encode()), hot_seat=False).match
    plain = exported(Match.objects.get(pk=opened.pk), tuple(Side))
    assert fairness.check_log(plain).problems == ()
    assert [line["digest"] for line in plain["entries"]][:-1] == [line["digest"] for line in saved["log"]]
