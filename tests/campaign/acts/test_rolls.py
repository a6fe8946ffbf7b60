"""Rolls of a campaign's firefight name its units, and what they come to is in the ledger in the same act."""

import pytest

from firefight.engine.errors import BadInput
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.models import LogEntry
from firefight.table.act.refusals import Hides
from firefight.table.rolling import filling, roll_counters, rolls
from firefight.table.rolling.orders import RollOrder

from .game import GERMAN, RUSSIAN
from .test_counters import fight, id_of, squads

__all__ = ["fight"]  # the fixture

pytestmark = pytest.mark.django_db


def order(game, side, firers, targets, die, shows=False):
    """A fire of these units at those, with a form that is filled from them."""
    table, helper = game.table(side), registry.helpers(game.match.game)["fire"]
    units = roll_counters.gather_participants(map(id_of, firers), map(id_of, targets))
    filled = filling.fill(table, helper, units, {"range": "2", "ff": "36"})
    if filled.error:
        raise filled.error
    form = helper.form.from_plain({**filled.values, "ff": 36}, book=of_match(table.match))
    assert form.is_valid(), form.errors
    return RollOrder(helper, form, "table", {"die": die}, participants=units, shows=shows)


def test_a_unit_that_falls_has_fallen_in_the_ledger_and_is_back_when_that_is_taken_back(fight):
    firers, [target, _] = squads(fight, GERMAN)[:2], squads(fight, RUSSIAN)[:2]
    fight.write(target, hex="K9")
    before = fight.standing()
    done = fight.do(rolls.roll, GERMAN, order(fight, GERMAN, firers, [target], 1))
    fell = fight.unit(RUSSIAN, target.number)
    assert fell.fate == "eliminated"
    assert [entry.kind for entry in done.entries] == [LogEntry.Kind.ROLL, LogEntry.Kind.COUNTER]
    assert done.entries[0].touches.split() == [*map(id_of, firers), id_of(target)]
    fight.take_back(GERMAN)
    assert fight.standing() == before


def test_a_hidden_unit_is_named_by_its_own_side_alone_and_shown_as_it_fires(fight):
    hidden, target = squads(fight, GERMAN)[2], squads(fight, RUSSIAN)[0]
    with pytest.raises(BadInput, match="There is no such counter in play"):
        order(fight, RUSSIAN, [target], [hidden], 50)
    fight.refuse(rolls.roll, GERMAN, order(fight, GERMAN, [hidden], [target], 90), error=Hides, match="is hidden")
    done = fight.do(rolls.roll, GERMAN, order(fight, GERMAN, [hidden], [target], 90, shows=True))
    assert not fight.unit(GERMAN, hidden.number).hidden
    assert not done.act.free_to_take_back
