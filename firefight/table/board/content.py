"""The content that a match is played on: an owner's sheets, or the house's, chosen before anything is done.

What is printed is known to all; where each piece of it stands is the record's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from firefight.columns import MatchState
from firefight.engine.errors import BadInput
from firefight.engine.text import cut_off
from firefight.kit.content import MOST_TOLD, ContentRead, ContentRules
from firefight.kit.game import Game
from firefight.models import LogEntry, Match

NO_CONTENT = "This match is played on no sheets of content."
BEGUN = "The game has begun, so it stays on this content. Begin another match for other sheets."
ON_OWNERS, ON_HOUSE = "play on an owner's sheets", "play on the house's sheets"
# Lines that show that a match is under way.
DONE = (LogEntry.Kind.ROLL, LogEntry.Kind.TURN, LogEntry.Kind.RECORD, LogEntry.Kind.COUNTER)


def find_rules(game: Game, state: MatchState) -> ContentRules | None:
    """Which sheets a match takes; None where it is played on none."""
    return game.content if game.content and game.content.is_played_on(state.options) else None


def content_of(game: Game, state: MatchState) -> object:
    """What the sheets of a match say is printed; None where it is played on the house's."""
    return game.content.read(state.content).content if game.content and state.content else None


def is_under_way(match: Match) -> bool:
    """Whether anything that counts was done, so that the content of a match stays as it is."""
    return match.log.filter(kind__in=DONE, voided_by__isnull=True).exists()


def check_content(game: Game, texts: Mapping[str, str]) -> ContentRead:
    """Sheets as a match would keep them. Raises BadInput with what is wrong with them."""
    if game.content is None:
        raise BadInput({"content": NO_CONTENT})
    read = game.content.read(texts)
    if problems := cut_off(read.problems, MOST_TOLD):
        raise BadInput({f"content {number}": problem for number, problem in enumerate(problems)})
    return read


def keep_content_in(match: Match, texts: Mapping[str, str]) -> None:
    """Let a match be played on these sheets from now on, on the house's where there are none."""
    match.state = replace(match.state, content=dict(texts))


def find_odd_content(game: Game, state: MatchState) -> Iterator[str]:
    """What is wrong with the content of a file's match, and with a record that was not made on it."""
    if state.content:
        try:
            if check_content(game, state.content).texts != state.content:
                yield "not as a match keeps it."
                return
        except BadInput as error:
            yield from error.problems.values()
            return
    if game.content and (misfit := game.content.find_misfit(content_of(game, state), state.record)):
        yield misfit


def describe_content(game: Game, texts: Mapping[str, str]) -> str:
    """Which content that is: "Map, blocks and cards: an owner's sheets"."""
    title = game.content.title if game.content else ""
    return f"{title}: an owner's sheets" if texts else f"{title}: the house's sheets"
