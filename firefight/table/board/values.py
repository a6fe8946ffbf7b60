"""What owners enter for kinds of counters: a number that a roll needs and nobody knew is asked once, and kept."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from firefight.columns import MatchState
from firefight.engine.board.counters import VALUE, value_field
from firefight.engine.charts.cells import is_digits
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct

from .sheets import kinds_with_sheets


def tell_kinds(match: Match, side: str, kinds: Mapping[str, object]) -> Values:
    """The kinds of a side's counters, with what owners have entered for them in this match."""
    values = match.state.values
    if not values:
        return kinds
    keys = {key for _, key, _ in map(_split, values) if key in kinds}
    return {**kinds, **{key: tell_kind(match, side, kinds[key], values) for key in keys}}


def tell_kind(match: Match, side: str, kind: Any, values: Mapping[str, int]) -> object:
    """A kind with those of these values that are about it. Raises BadInput for one that it cannot have."""
    rules = registry.games()[match.game].counters
    for field, number in values.items():
        of_side, key, name = _split(field)
        if (of_side, key) == (side, kind.key):
            kind = rules.tell_value(kind, name, number)
    return kind


def read_values(sent: Mapping[str, object]) -> dict[str, int]:
    """The values among what was sent with a form. Raises BadInput for whatever is not a number; a blank is left out."""
    values: dict[str, int] = {}
    for field, typed in sent.items():
        text = str(typed).strip() if field.startswith(f"{VALUE}:") else ""
        if text and (not is_digits(text) or len(text) > 3):
            raise BadInput({field: "This should be a whole number."})
        if text:
            values[field] = int(text)
    return values


KindsOf = Callable[[str], Values]


def keep_values(act: MatchAct, values: Mapping[str, int], kinds_of: KindsOf) -> None:
    """Keep values of kinds of counters for the match, and for the campaign that it leads, with a line for each.

    ``kinds_of`` gives a side's kinds as they are known now. Raises BadInput with everything that is wrong.
    """
    check_values(act.match, values, kinds_of)
    state, fresh = act.match.state, {}
    for field, number in values.items():
        if state.values.get(field) != number:
            fresh[field] = number
            act.tell(
                LogEntry.Kind.NOTE,
                f"{_call(act.match, field, kinds_of)} is {_write(act.match, field, number)} from now on.",
            )
    act.match.state = replace(state, values={**state.values, **fresh})


def check_values(match: Match, values: Mapping[str, int], kinds_of: KindsOf) -> None:
    """Raise BadInput with everything that speaks against keeping such values."""
    game, problems = registry.games()[match.game], dict[str, str]()
    for field, number in values.items():
        side, key, name = _split(field)
        kind = kinds_of(side).get(key) if side in game.sides else None
        try:
            if kind is None:
                raise BadInput({field: "There is no such counter."})
            game.counters.tell_value(kind, name, number)
        except BadInput as error:
            problems[field] = str(error)
    if len(match.state.values.keys() | values.keys()) > bounds.MOST_VALUES:
        problems["value"] = f"A match keeps at most {bounds.MOST_VALUES} values of counters."
    if problems:
        raise BadInput(problems)


def find_changed(match: Match, values: Mapping[str, int], kinds_of: KindsOf) -> dict[str, int]:
    """The values already known to be another number, with that number: a counter prints it, or it was entered."""
    rules, changed = registry.games()[match.game].counters, {}
    for field, number in values.items():
        side, key, name = _split(field)
        current = rules.find_value(kinds_of(side)[key], name)
        if current is not None and current != number:
            changed[field] = current
    return changed


def refuse_changed(match: Match, values: Mapping[str, int], kinds_of: KindsOf) -> None:
    """Raise BadInput where values that come with a roll are known to be others: those are agreed on first."""
    problems = {
        field: f"{_call(match, field, kinds_of)} is {_write(match, field, current)}. "
        "Another value is agreed on first; nothing was rolled."
        for field, current in find_changed(match, values, kinds_of).items()
    }
    if problems:
        raise BadInput(problems)


def describe_values(match: Match, values: Mapping[str, int], kinds_of: KindsOf) -> str:
    """What values would be, and what they are: "Russian Maxim M1910: FF at 2 hexes 9, now 6"."""
    current = find_changed(match, values, kinds_of)
    phrases = (
        f"{_call(match, field, kinds_of)} to {_write(match, field, number)}, "
        f"now {_write(match, field, current.get(field, number))}"
        for field, number in values.items()
    )
    return "; ".join(phrases)


def _write(match: Match, field: str, number: int) -> str:
    """A value as players say it: a number, or what it stands for."""
    rules, (_, _, name) = registry.games()[match.game].counters, _split(field)
    return rules.list_choices(name).get(number, str(number))


def _call(match: Match, field: str, kinds_of: KindsOf) -> str:
    game, (side, key, name) = registry.games()[match.game], _split(field)
    return f"{game.name_of(side)} {kinds_of(side)[key].name}: {game.counters.describe_value(name)}"


def _split(field: str) -> tuple[str, str, str]:
    _, side, key, name = (*field.split(":"), "", "", "", "")[:4]
    return side, key, name


def find_odd_values(game: Game, state: MatchState) -> Iterator[str]:
    """Values of a file's match that nobody can have entered, though each number fits by itself."""
    for field, number in state.values.items():
        side, key, name = _split(field)
        kinds = kinds_with_sheets(game.counters, side, state.sheets)
        kind = kinds.get(key) or next(iter(kinds.values()), None)  # a campaign's own content has kinds of its own
        if kind is None or field != value_field(side, key, name) or not key:
            yield f"{field[:60]}: there is no such value."
            continue
        try:
            game.counters.tell_value(kind, name, number)
        except BadInput as error:
            yield f"{field[:60]}: {error}"
