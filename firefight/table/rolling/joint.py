"""What all sides declare before they roll together, as in Close Combat: where, by whom, and what is then due.

What is declared is the game's business (firefight/kit/joint.py, JointRules). It is about the counters that everybody
knows of.
"""

import json
from collections.abc import Mapping, Sequence

from firefight.engine.board.counters import write_mentions
from firefight.engine.course.joint import Declared, JointPlace, JointSheet
from firefight.engine.values import Json
from firefight.kit.joint import JointRules
from firefight.models import LogEntry
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import changing, counters, due, record, record_rules
from firefight.table.log.asked import ASKS, write_asks


def _rules_of(table: Table) -> JointRules:
    if table.game.joint is None:
        raise Refused("Nothing is declared together in this game.")
    return table.game.joint


def list_places(table: Table) -> Sequence[JointPlace]:
    """The places where something is to be declared now."""
    rules = table.game.joint
    return find_places(table) if rules and rules.is_time(table.match.state.position) else ()


def find_places(table: Table) -> Sequence[JointPlace]:
    """The places where something could be declared, whether or not it is the time for that."""
    rules = table.game.joint
    if rules is None or table.match.ended:
        return ()
    situation = record_rules.situation_of(table.match, (), with_counters=False)
    return rules.find(situation, counters.list_in_sight(table.match))


def places_of_counters(table: Table) -> dict[str, str]:
    """The id of such a place for each counter that is there."""
    return {counter: place.id for place in find_places(table) for counter in place.about}


def find_sides(table: Table) -> list[str]:
    """The sides for which a browser declares, its own first: also those whose seat is empty."""
    sides = [side for side in table.game.sides if table.may_decide(side)]
    return sorted(sides, key=lambda side: side != table.side) if table.plays else []


def lay_out_sheet(table: Table, place: str, sent: Mapping[str, str]) -> JointSheet:
    """The sheet of a place. Raises Refused, or the RuleError of the rules."""
    situation = record_rules.situation_of(table.match, (), with_counters=False)
    return _rules_of(table).lay_out(situation, counters.list_in_sight(table.match), place, find_sides(table), sent)


@match_act()
def declare(act: MatchAct, place: str, sent: Mapping[str, str]) -> None:
    """A side declares at a place; once all have, the rolls are due. Raises Refused, RuleError, Stale."""
    situation = record_rules.situation_of(act.match, (), with_counters=False)
    sides = find_sides(act.table)
    _write_declared(act, _rules_of(act.table).declare(situation, counters.list_in_sight(act.match), place, sides, sent))


@match_act()
def wait(act: MatchAct, place: str) -> None:
    """A side lets the other one declare first. Raises Refused, RuleError, Stale."""
    situation = record_rules.situation_of(act.match, (), with_counters=False)
    _write_declared(act, _rules_of(act.table).wait(situation, counters.list_in_sight(act.match), place, act.side))


def _write_declared(act: MatchAct, declared: Declared) -> None:
    """Log what was declared, mark its counters, and put the rolls on the list."""
    record.change(act.match, declared.change.values)
    inputs: Json = {CHANGES: declared.change.values}
    asks = write_asks(declared.due)
    inputs |= {ASKS: asks} if asks and len(json.dumps(asks)) <= bounds.LARGEST_STEP else {}
    entry = act.tell(
        LogEntry.Kind.RECORD, " ".join(declared.change.sentences), inputs=inputs, touches=write_mentions(declared.about)
    )
    changing.apply_changes(act, entry, {change.id: change.becomes for change in declared.changes}, "")
    due.enqueue(act.match, entry.number, declared.due)
