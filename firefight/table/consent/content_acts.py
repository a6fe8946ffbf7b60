"""The content of a match is chosen: an owner's sheets, or the house's."""

from collections.abc import Mapping

from firefight.columns import Matter, Proposal
from firefight.engine.errors import BadInput
from firefight.table.act.act import MatchAct
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import Refused
from firefight.table.board import content

from . import matters
from .counter_acts import UnfitCounters


@match_act()
def lay_content(act: MatchAct, texts: Mapping[str, str]) -> None:
    """Let a match be played on an owner's sheets by slug, on the house's where all are blank. Raises Refused, BadField.

    It counts for all sides, so that every other one agrees; and nothing may have been done yet.
    """
    game, match = act.table.game, act.match
    if content.find_rules(game, match.state) is None:
        raise Refused(content.NO_CONTENT)
    if content.is_under_way(match):
        raise Refused(content.BEGUN)
    try:
        kept = content.check_content(game, texts).texts if any(text.strip() for text in texts.values()) else {}
    except BadInput as error:
        raise UnfitCounters(error.problems.values()) from None
    if kept == match.state.content:
        raise Refused("The match is played on these sheets already. Nothing was changed.")
    if matters.sides_to_ask(act.table, act.table.sides):
        matters.propose(act, Proposal(Matter.SHEET, act.side, wanted={"content": dict(kept)}))
    else:
        matters.keep_content(act, kept, act.side)
