"""Taking into a match what owners have typed off their box: units, and what is printed on board, blocks and cards.

A sheet counts for all sides, so every other one has to agree, in the same way for all sheets.
"""

from collections.abc import Callable, Mapping

from firefight.columns import Matter, Proposal
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.performing import match_act
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import content, sheets

from . import matters, plans


@match_act()
def lay_sheet(act: MatchAct, title: str, text: str) -> None:
    """Keep a sheet of an owner's units, or take it out where its text is blank. Raises Refused, BadField."""
    _check_takes_units(act)
    if not title:
        raise BadField("Name the sheet.")
    if not text.strip() and title not in act.match.state.sheets:
        raise BadField("Paste the units of the sheet.")
    try:
        new_text = sheets.read_sheet(act.match, title, text).text if text.strip() else ""
    except BadInput as error:
        raise BadField(*error.problems.values()) from None
    if new_text == act.match.state.sheets.get(title):
        raise Refused("The sheet says that already. Nothing was changed.")
    _ask_or_do(act, {"sheets": {title: new_text}}, lambda: plans.keep_sheet(act, title, new_text, by=None))


@match_act()
def take_sheets(act: MatchAct, sheet_texts: Mapping[str, str]) -> None:
    """Keep sheets of units as a shelf or another match has them, those that this one lacks. Raises Refused."""
    _check_takes_units(act)
    fresh = sheets.list_new(act.match, sheet_texts)
    if not fresh:
        raise Refused("All of these sheets stand here already. Nothing was changed.")
    try:
        sheets.check_together(act.match, fresh)
    except BadInput as error:
        raise BadField(*error.problems.values()) from None
    _ask_or_do(act, {"sheets": fresh}, lambda: plans.keep_sheets(act, fresh, act.side))


@match_act()
def lay_content(act: MatchAct, texts: Mapping[str, str]) -> None:
    """Let a match be played on an owner's sheets by slug, on the house's where all are blank. Raises Refused, BadField.

    Nothing may have been done yet.
    """
    game, match = act.table.game, act.match
    if any(len(text) > bounds.LONGEST_CONTENT for text in texts.values()):
        raise BadField(f"A sheet has at most {bounds.LONGEST_CONTENT:,} characters.")
    if content.find_rules(game, match.state) is None:
        raise Refused(content.NO_CONTENT)
    if content.is_under_way(match):
        raise Refused(content.BEGUN)
    try:
        new_texts = content.check_content(game, texts).texts if any(text.strip() for text in texts.values()) else {}
    except BadInput as error:
        raise BadField(*error.problems.values()) from None
    if new_texts == match.state.content:
        raise Refused("The match is played on these sheets already. Nothing was changed.")
    _ask_or_do(act, {"content": dict(new_texts)}, lambda: plans.keep_content(act, new_texts, act.side))


def _check_takes_units(act: MatchAct) -> None:
    if ledger_of(act.match).leads:
        raise Refused("The campaign says which counters there are.")


def _ask_or_do(act: MatchAct, proposed: Values, do: Callable[[], object]) -> None:
    """Ask the other sides that have a player of their own for this; do it where there is none."""
    if matters.sides_to_ask(act.table, act.table.sides):
        matters.propose(act, Proposal(Matter.SHEET, act.side, wanted=proposed))
    else:
        do()
