"""What a match's page says of how the match stands: its cards, its move, the ways on from it."""

from collections.abc import Iterable
from contextlib import suppress

from firefight.assistant import reminders
from firefight.assistant.desk import find_helper
from firefight.engine.course.course import BadMove, Button, NoTurnLeft
from firefight.engine.text import join_words
from firefight.engine.values import Json
from firefight.table import lessons
from firefight.table.act import bounds
from firefight.table.act.ports import ledger_of
from firefight.table.act.table import Table
from firefight.table.board import changing, due, record_rules
from firefight.table.consent import matters
from firefight.table.presenters import bar_of, describe_table
from firefight.table.rolling import conducting
from firefight.table.seats import turns

from .checklist import present_due
from .shown_board import present_board
from .shown_step import show_step


def present_page(table: Table) -> Json:
    """All that a page shows of the match besides its log and its desk."""
    choices = [
        (option, table.match.state.options.get(option.slug, option.usual)) for option in table.game.changing_options
    ]
    return {**present_status(table), **present_step(table), **present_cards(table), "choices": choices}


def present_step(table: Table) -> dict[str, object]:
    """The reminders of the present step, and the rolls that it offers first."""
    step = table.course.step(table.match.state.position)
    return {
        "reminders": reminders.for_step(table.match.game, step),
        "step_title": table.course.steps.get(step, ""),
        "bar": bar_of(table.game, step),
    }


def present_cards(table: Table) -> dict[str, object]:
    """The rows of the record, as cards and as lines, and the strip beside the board."""
    cards, lines = record_rules.present_rows(table)
    return {"kept_cards": cards, "kept_lines": lines, "strip": record_rules.present_strip(table, table.sees)}


def present_status(table: Table) -> dict[str, object]:
    """Where the match stands, the ways on, and what is due or to be answered."""
    headings = table.course.headings(table.match.state.position)
    step = show_step(table)
    return {
        **describe_table(table),
        "headings": headings,
        "short_headings": [shorten_heading(heading, table.name if table.plays else "") for heading in headings],
        **present_ways(table),
        "shows_ways": table.course.shows_ways,
        "turn_told": table.game.tell_turn(table.match.state.position) if table.game.tell_turn else (),
        "turn_rolls": [find_helper(table.match.game, slug) for slug in table.game.looked_up],
        **present_due(table),
        "pending": matters.describe_pending(table),
        "proposed": changing.list_proposed(table),
        "lesson": lessons.show_lesson(table),
        "conducted": step,
        "shown_board": None if table.game.board_apart else present_board(table, step),
        "aim": None,  # only a board on a page of its own is aimed on
        "verdict": conducting.find_ending(table.match) if table.match.ended else "",
        **present_move(table),
    }


def present_move(table: Table) -> dict[str, object]:
    """Whose move it is, the message that came with it, and to whom it may be handed over from here."""
    match, standing = table.match, turns.find_standing(table.match)
    is_offered = table.plays and not match.ended and not turns.say_why_not_over(match, table.side, standing)
    other_sides = [side for side in table.game.find_seats(match.state.options) if side != table.side]
    called, at_hand = (
        join_words([table.game.name_of(side) for side in other_sides if (side in table.held) is is_here])
        for is_here in (False, True)
    )
    return {
        "is_my_turn": turns.is_own_turn(table, standing),
        "over_to": called if is_offered else "",
        "hand_to": at_hand,
        "over_by": table.game.name_of(match.state.over) if match.state.over not in ("", table.side) else "",
        "over_line": match.state.over_line,
        "over_length": bounds.LONGEST_OVER,
    }


def present_ways(table: Table) -> dict[str, object]:
    """The ways on that may be pressed here, and who may press the others.

    ``turn_page``: where a ledger ends the turn, if that is the way on.
    """
    ways = table.course.buttons(table.match.state.position, table.match.state.record)
    titles_by_side = {
        way.side: [other_way.title for other_way in ways if other_way.side == way.side] for way in ways if way.side
    }
    sentences = [
        f"{join_words([f'“{title}”' for title in titles])}: {table.game.call_side(side)} says so."
        for side, titles in titles_by_side.items()
        if not table.may_decide(side)
    ]
    own_ways = [way for way in ways if not way.side or table.may_decide(way.side)]
    turn_page = ledger_of(table.match).find_turn_page(table.match)
    ends_turn = [way for way in own_ways if turn_page and _ends_turn(table, way)]
    own_ways = [way for way in own_ways if way not in ends_turn]
    barred = list_barred(table, own_ways)
    sentences += [due.say_compulsory(due.find_compulsory(table.match))] if barred else []
    return {
        "buttons": own_ways,
        "barred": barred,
        "others_ways": " ".join(sentences),
        "turn_page": turn_page if ends_turn else "",
    }


def _ends_turn(table: Table, way: Button) -> bool:
    position = table.match.state.position
    try:
        return table.course.press(position, way.slug, table.match.state.record).position.turn != position.turn
    except NoTurnLeft:
        return True
    except BadMove:
        return False


def list_barred(table: Table, ways: Iterable[Button]) -> list[str]:
    """The slugs of the ways on that wait for something compulsory."""
    match, barred = table.match, []
    for way in ways if due.find_compulsory(match) else ():
        with suppress(BadMove):
            move = table.course.press(match.state.position, way.slug, match.state.record)
            barred += [way.slug] * table.course.leaves_step(match.state.position, move.position)
    return barred


def shorten_heading(heading: str, own_side: str = "") -> str:
    """A heading that fits a line on a phone, beside the name of ``own_side``.

    >>> shorten_heading("Turn 2"), shorten_heading("Fire and Movement Phase"), shorten_heading("impulse: German")
    ('T2', 'Fire and Movement', 'German')
    >>> shorten_heading("impulse: German", "German")
    'yours'
    """
    turn, is_turn, number = heading.partition("Turn ")
    if is_turn and not turn and number.isdigit():
        return f"T{number}"
    short = heading.removesuffix(" Phase").removeprefix("impulse: ")
    return "yours" if own_side and short == own_side else short
