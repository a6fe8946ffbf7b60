"""The units that owners have typed off their counters: a sheet each, kept by a match beside the shipped gallery.

What stands on a counter is known to all, and so is a sheet: it says which units there are, not which are in play.
"""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from firefight.columns import MatchState
from firefight.engine.errors import BadInput
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.kit.counters import CounterRules
from firefight.kit.game import Game
from firefight.kit.sheets import ContentSheet, SheetRead
from firefight.models import Match
from firefight.table.act import bounds

NO_SHEETS = "This game takes no sheets of units."


def kinds_with_sheets(rules: CounterRules, side: str, sheets: Mapping[str, str]) -> Values:
    """The kinds of a side's counters: the shipped ones, and those of a match's sheets."""
    shipped = rules.kinds.get(side, {})
    if not sheets or rules.sheet is None:
        return shipped
    return ChainMap(_gather(rules.sheet, side, tuple(sheets.values())), dict(shipped))


@lru_cache(maxsize=100)
def _gather(layout: ContentSheet, side: str, texts: tuple[str, ...]) -> Json:
    """Cached: for every counter that is looked at, its kind is looked up here."""
    kinds: Json = {}
    for text in texts:
        kinds.update(layout.read(text).kinds.get(side, {}))
    return kinds


def read_sheet(match: Match, title: str, text: str) -> SheetRead:
    """A sheet as it would stand in a match under this title. Raises BadInput with everything that is wrong with it."""
    game = registry.games()[match.game]
    layout = game.counters.sheet
    if layout is None:
        raise BadInput({"sheet": NO_SHEETS})
    read = layout.read(text)
    other_sheets = {name: sheet for name, sheet in match.state.sheets.items() if name != title}
    problems = list(read.problems)
    problems += _find_odd_kinds(game, read)
    for name, sheet in other_sheets.items():
        repeated = read.keys & layout.read(sheet).keys
        problems += [f"{read.kinds[side][key].name} stands on the sheet {name}, too." for side, key in sorted(repeated)]
    if len(other_sheets) >= bounds.MOST_SHEETS:
        problems.append(f"A match keeps at most {bounds.MOST_SHEETS} sheets.")
    if sum(map(len, (*other_sheets.values(), read.text))) > bounds.LARGEST_SHEETS:
        problems.append(f"All sheets of a match have at most {bounds.LARGEST_SHEETS:,} characters.")
    if problems:
        raise BadInput({f"sheet {number}": problem for number, problem in enumerate(problems[:MOST_TOLD], 1)})
    return read


MOST_TOLD = 12  # problems at once


def list_new(match: Match, other_sheets: Mapping[str, str]) -> dict[str, str]:
    """Those sheets of another match whose names this match does not have."""
    return {title: text for title, text in other_sheets.items() if title not in match.state.sheets}


def check_together(match: Match, sheets: Mapping[str, str]) -> None:
    """Raise BadInput where these sheets cannot all stand in a match, beside those already in it."""
    trial = Match(game=match.game, state=match.state)
    for title, text in sheets.items():
        read_sheet(trial, title, text)
        keep_sheet_in(trial, title, text)


def describe_change(match: Match, title: str, text: str) -> str:
    """What a sheet would be, and what that changes: "94th Division: 14 kinds, 2 of them new"."""
    layout = registry.games()[match.game].counters.sheet
    old, new = (
        layout.read(sheet) if layout and sheet else SheetRead() for sheet in (match.state.sheets.get(title), text)
    )
    if not new.keys:
        return f"{title}: taken out"
    changed = sum(old.kinds[side][key] != new.kinds[side][key] for side, key in old.keys & new.keys)
    numbers = {"new": len(new.keys - old.keys), "changed": changed, "gone": len(old.keys - new.keys)}
    phrases = [f"{number} {word}" for word, number in numbers.items() if number and (old.keys or word != "new")]
    changes = f" ({', '.join(phrases)})" if phrases else ""
    return f"{title}: {count_of(len(new.keys), 'kind')}{changes}"


def check_rows_gone(match: Match, title: str, text: str, by: str | None) -> None:
    """Raise BadInput where a sheet loses a needed row: for a counter in the match, or another side's hidden one.

    ``by``: the side that wants the change; None where all sides do. Whoever does not know all of a side's counters
    learns nothing about them: its rows are its own to take out.
    """
    game = registry.games()[match.game]
    rules, layout = game.counters, game.counters.sheet
    if layout is None:
        raise BadInput({"sheet": NO_SHEETS})
    old, new = layout.read(match.state.sheets.get(title, "")), layout.read(text)
    changed = (kind for kind in old.keys & new.keys if _is_another(rules, kind, old, new))
    kinds_gone = {*(old.keys - new.keys), *changed}
    if other_sides := sorted({game.name_of(side) for side, _ in kinds_gone if by is not None and side != by}):
        raise BadInput(
            {"sheet": f"Rows of {join_words(other_sides)} units go, or change their arm, by that side alone."}
        )
    counters = match.state.counters.values()
    if needed := sorted({plain["name"] for plain in counters if (plain["side"], plain["counter"]) in kinds_gone}):
        raise BadInput({"sheet": f"In the match, so their rows stay as they are: {', '.join(needed[:8])}."})


def _is_another(rules: CounterRules, at: tuple[str, str], old: SheetRead, new: SheetRead) -> bool:
    """Whether a kind has become one whose counters have other states."""
    side, key = at
    return rules.may_carry(old.kinds[side][key]) != rules.may_carry(new.kinds[side][key])


def keep_sheet_in(match: Match, title: str, text: str) -> None:
    """Let a match have this sheet from now on, or none of that title where its text is blank."""
    other_sheets = {name: sheet for name, sheet in match.state.sheets.items() if name != title}
    match.state = replace(match.state, sheets={**other_sheets, **({title: text} if text else {})})


def _find_odd_kinds(game: Game, read: SheetRead) -> Iterator[str]:
    """Kinds of a side that the game does not have, and kinds that are in its box already."""
    for side, key in sorted(read.keys):
        name = read.kinds[side][key].name
        if side not in game.sides:
            yield f"{name}: “{side}” is not a side of this game: write {join_words(game.sides, 'or')}."
        elif key in game.counters.kinds.get(side, {}):
            yield f"{name}: the box has this counter of the {game.sides[side]} already: take its row out, or rename it."


def find_odd_sheets(game: Game, state: MatchState) -> Iterator[str]:
    """What is wrong with the sheets of a file's match."""
    if state.sheets and game.counters.sheet is None:
        yield NO_SHEETS
        return
    for title, text in state.sheets.items():
        try:
            if read_sheet(Match(game=game.slug, state=state), title, text).text != text:
                yield f"{title[:60]}: not as a match keeps it."
        except BadInput as error:
            yield from (f"{title[:60]}: {reason}" for reason in error.problems.values())
