"""Whose decision a match waits for: as its course says, or the ledger that leads it, or what one side has proposed."""

from collections.abc import Mapping
from dataclasses import replace

from firefight.engine.text import join_words
from firefight.games import registry
from firefight.models import LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.ledger_values import Sees, Standing
from firefight.table.act.performing import match_act
from firefight.table.act.ports import ledger_of, the_ledger
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table

Kind = LogEntry.Kind


@match_act(any_version=True)
def hand_over(act: MatchAct, text: str = "") -> None:
    """Over to you: the match waits for the others until one of them acts. Raises Refused where it does so already.

    ``text``: a line for them, which all may read.
    """
    standing = find_standings({act.match: act.table.sees})[act.match.pk]
    if reason := say_why_not_over(act.match, act.side, standing):
        raise Refused(f"{reason} Nothing was changed.")
    act.match.state = replace(act.match.state, over=act.side, over_line=text)
    act.tell(Kind.NOTE, f"Over to you: {text}" if text else "Over to you.")


def find_standings(matches: Mapping[Match, Sees]) -> dict[str, Standing]:
    """Where these matches stand, by their ids, as far as the sides know for which each is looked at.

    As many queries for one as for all.
    """
    open_matches = {match: sees for match, sees in matches.items() if not match.ended}
    led_matches = {match: sees for match, sees in open_matches.items() if ledger_of(match).leads}
    led_standings = the_ledger().find_standings(led_matches) if led_matches else {}
    standings = {match.pk: Standing() for match in matches}
    standings |= {
        match.pk: answer_first(match, led_standings.get(match.pk) or find_standing(match)) for match in open_matches
    }
    return standings


def find_standing(match: Match) -> Standing:
    """Where a match without a ledger stands, or the firefight of one that has a ledger."""
    game, position, options = registry.games()[match.game], match.state.position, match.state.options
    course = game.find_course(options)
    pressing = {button.side: None for button in course.buttons(position, match.state.record) if button.side}
    actors = [find_decider(match)] if find_decider(match) else [*pressing] or [course.actor(position)]
    return Standing(tuple(course.headings(position)), game.find_seated(options, filter(None, actors)))


def find_decider(match: Match) -> str:
    """The side that decides or reads what is due first, before the course goes on; "" where that is nobody's."""
    step = next(iter(match.state.queue_for(())), None)
    if step is None:
        return find_conducted_side(match)
    helper = registry.helpers(match.game).get(step.helper)
    return (helper.find_decider(step.inputs) or step.read_by) if helper else ""


def find_conducted_side(match: Match) -> str:
    """The side that the procedure under way waits for; "" where there is none, or it waits for nobody."""
    rules = registry.games()[match.game].conductor
    standing = match.state.record.get(rules.field) if rules else None
    return rules.find_side(standing) if rules and standing else ""


def answer_first(match: Match, standing: Standing) -> Standing:
    """What is proposed waits for the others, before anything else; then what a side has handed over to them."""
    proposal, over = match.proposal, match.state.over
    if match.ended or not (proposal or over):
        return standing
    seats = registry.games()[match.game].find_seats(match.state.options)
    done = (proposal.by, *proposal.agreed) if proposal else (over,)
    return replace(standing, awaited=tuple(side for side in seats if side not in done))


def say_why_not_over(match: Match, side: str, standing: Standing) -> str:
    """Why a side cannot say "Over to you" now, in a sentence; "" where it can.

    ``standing``: where the match stands.
    """
    game = registry.games()[match.game]
    if len(game.find_seats(match.state.options)) < 2:
        return "Nobody else plays in this match."
    awaited = answer_first(match, standing).awaited
    if awaited and side not in awaited:
        return f"The move is with {join_words(game.name_of(awaited_side) for awaited_side in awaited)} already."
    return ""


def find_next_player(table: Table) -> str:
    """The side that acts next, where all sit at one device and nothing lies between them; "" where it stays.

    A PIN, or anything that one side alone may see, keeps the cover on.
    """
    if not _is_shared_freely(table):
        return ""
    awaited = find_standing(table.match).awaited
    if len(awaited) != 1 or awaited[0] == table.side or awaited[0] not in table.held or may_have_secrets(table.match):
        return ""
    return awaited[0]


def _is_shared_freely(table: Table) -> bool:
    """Whether several players share this device, and no PIN lies between them."""
    return table.plays and table.has_cover and not any(seat.pin for seat in table.seats if seat.side in table.held)


def may_have_secrets(match: Match) -> bool:
    """Whether a side could know something of a match that another does not: counters, the record, a sealed line."""
    game = registry.games()[match.game]
    if (game.has_counters and game.counters.hideable) or game.record.hides:
        return True
    return match.log.filter(voided_by=None, revealed_by=None).exclude(secret="").exists()


def find_neighbour(table: Table) -> str:
    """The other side of a device that both hold, where nothing has to lie between them; "" where there is none.

    Everybody may know that nothing is sealed: that a line is, the log says openly.
    """
    sides = [side for side in table.sides if side in table.held and side != table.side]
    if not _is_shared_freely(table) or len(sides) != 1 or has_sealed(table.match):
        return ""
    return sides[0]


def has_sealed(match: Match) -> bool:
    """Whether a side knows something of a match that another does not. A ledger has secrets of its own."""
    record, values = registry.games()[match.game].record, match.state.record
    hides_counter = any(row.get("hidden") or row.get("closed") for row in match.state.counters.values())
    hides = hides_counter or record.hide(values, ()) != record.complete(values)
    return hides or ledger_of(match).leads or match.log.exclude(secret="").exists()


def is_own_turn(table: Table, standing: Standing) -> bool:
    """Whether a match waits for whoever looks: not said where all sit at one device."""
    standing = answer_first(table.match, standing)
    return table.plays and not table.match.ended and not table.has_cover and standing.is_turn_of((table.side,))
