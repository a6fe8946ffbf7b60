"""The turns of a firefight and their end (20.2.4)."""

from dataclasses import replace

from campaign.ledger.act import CampaignAct, Unfit
from campaign.ledger.dice import Dice
from campaign.ledger.missions import list_flights, mirror, write_back
from campaign.ledger.performing import campaign_act
from campaign.ledger.pieces import list_pieces
from campaign.models import Group
from campaign.phase import conductor, lookups
from campaign.rules.stages import Stage
from campaign.rules.units import marks_after_close_combat, marks_after_firefight
from campaign.rules.upkeep import EndOutcome
from firefight.engine.board.counters import id_of
from firefight.engine.course.course import Position
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.values import Values
from firefight.games.combat_stalingrad.rules.flights import owes_roll
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.melee.sheet import clear_marks
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN, TurnPhase
from firefight.models import LogEntry
from firefight.table.board import record_rules
from firefight.table.rolling.advancing import leave_open

D10 = DieSpec("die", 10, "d10")


@campaign_act(Stage.FIREFIGHT)
def end_turn(act: CampaignAct, dice: Dice, leaves: bool = False) -> None:
    """End the turn; after turns 5 and 6 the End of Firefight roll decides, after 7 the firefight is over (20.2.4).

    ``leaves``: even if a Close Combat is still open. Raises LeavesOpen before a die is rolled.
    """
    turn, before = act.match.state.turn, act.match.state.position
    _check_stay_rolls(act, turn)
    left_open = leave_open(act.match, before, None, leaves)
    number = act.ledger.card.end_numbers.get(turn)
    inputs = {"turn": turn} if number is None else {"turn": turn, "number": number}
    result, rolled = act.play("end-of-firefight", inputs, dice)
    noted = {"firefight": act.campaign.firefight, "turn": turn}
    entry = act.tell(f"End of turn {turn}. {result.headline} {left_open}".strip(), rolled=rolled, inputs=noted)
    _end_close_combats(act)
    if result.outcome is EndOutcome.ENDS:
        _end_firefight(act)
    else:
        first_phase = TurnPhase.COMMAND.value
        act.match.state = replace(act.match.state, turn=min(turn + 1, LAST_TURN), phase=first_phase)
        _keep_house(act, before, entry.number)
        # If both players press the button for the same turn, one ends it and the other is told so.
        act.campaign.stage_since = act.match.version + 1


def _end_close_combats(act: CampaignAct) -> None:
    """The markers of Close Combats that one side has won come off, where the Conclusion was passed by (19.1.7)."""
    pieces = [piece for side in Side for piece in list_pieces(act.ledger, side)]
    over_ids = {change.id for change in clear_marks(pieces)}
    units = [unit for side in Side for unit in act.ledger.in_play(side) if id_of(unit.side, unit.number) in over_ids]
    conductor.change_marks(act, units, marks_after_close_combat, "Close Combat is over: {} (19.1.7).")


def _check_stay_rolls(act: CampaignAct, turn: int) -> None:
    """Aircraft over the map roll to stay before the turn ends."""
    waiting = [f"{Side(f.side).word} {f.name}" for f in list_flights(act.ledger) if owes_roll(f, turn)]
    if waiting:
        names = " and ".join(waiting)
        raise Unfit(f"Still to roll in turn {turn}, to stay over the map: {names} (17.6.2).")


def _keep_house(act: CampaignAct, before: Position, number: int) -> None:
    """Take off what the rules say when a turn ends, note what is due in the next; aircraft MGs may fire again."""
    mirror(act.ledger)

    def tell(sentence: str, inputs: Values) -> LogEntry:
        return act.tell(sentence, kind=LogEntry.Kind.RECORD, inputs=inputs)

    record_rules.keep_house(act.match, before, number, tell)
    write_back(act.ledger)


def _end_firefight(act: CampaignAct) -> None:
    """Artillery that placed an FFE is used up (20.8.2); units that left by the edge wait for another firefight."""
    act.match.state = replace(act.match.state, phase=TurnPhase.CONCLUSION.value)
    exited = []
    for side in Side:
        in_play = [group for group in act.ledger.list_groups(side) if group.standing == Group.Standing.IN_PLAY]
        spent = [group for group in in_play if group.mark == Group.Sign.FFE]
        for group in spent:
            group.standing = Group.Standing.USED_UP
        for unit in act.ledger.in_play(side):
            if Mark.EXITED in unit.marks:
                exited.append(lookups.unit_key(unit))
            unit.marks = marks_after_firefight(unit.marks)
        if spent:
            names = ", ".join(f"{group.rg} {act.ledger.roster_line(group).unit}" for group in spent)
            act.tell(f"{side.word}: used up by an FFE: {names}.", side=side)
    conductor.begin_reorganization(act, exited)
