"""What became of counters, in words of their game: how one changed, and which were put where by hand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from firefight.engine.board.counters import CounterInPlay, describe_levels
from firefight.engine.text import join_words
from firefight.engine.values import Values
from firefight.kit.counters import CounterRules
from firefight.kit.game import Game
from firefight.table.act.line_keys import CHANGED_COUNTERS
from firefight.table.act.lines import LogLine

OFF_MAP, GROUND = "off the map", "ground level"


def describe_counter_change(game: Game, fields: Values) -> list[str]:
    """What becomes of one counter, in words of its game: what it is now and was not before."""
    rules, fate = game.counters, fields.get("fate", ("", ""))[1]
    if fate:
        words = [
            rules.states.get(fate) or rules.words.get(fate) or rules.describe(CounterInPlay("", "", "", "", fate=fate))
        ]
    else:
        words = [*_describe_states(rules, fields), *_describe_levels(rules, fields)]
        words += ["back in play"] if "fate" in fields else []
    words += _describe_place(game, fields, is_gone=bool(fate))
    if "beside" in fields and not fate:
        words.append("on another counter" if fields["beside"][1] else "by itself")
    if "note" in fields:
        words.append(f"note “{fields['note'][1]}”" if fields["note"][1] else "without a note")
    return words


def _describe_states(rules: CounterRules, fields: Values) -> list[str]:
    before, after = fields.get("state", ((), ()))
    words = [_say_state(rules, word) for word in after if word not in before]
    if words or "state" not in fields or "fate" in fields:
        return words
    if not after:
        return [f"{rules.unmarked} again"]
    labels = {**rules.words, **rules.states}
    return [f"no longer {join_words(labels.get(word, word) for word in before if word not in after)}"]


def _describe_levels(rules: CounterRules, fields: Values) -> list[str]:
    before, after = fields.get("levels", ({}, {}))
    changed = {name: number for name, number in after.items() if before.get(name) != number}
    return describe_levels(changed, rules.levels)


def _describe_place(game: Game, fields: Values, is_gone: bool) -> list[str]:
    """Where a counter is now, and whether all can see that."""
    place = _place_in(game, fields, 1) if not is_gone and _WHERE & fields.keys() else ""
    if fields.get("hidden", (False, False))[1]:
        return [f"hidden {_say_at(place)}".strip()]
    if is_gone:
        return []
    if "hidden" in fields:
        return [f"in sight {_say_at(place)}".strip()]
    if "closed" in fields:
        return ["closed" if fields["closed"][1] else "turned up"]
    if place:
        return [place if place == OFF_MAP else f"to {place}"]
    return []


def _say_state(rules: CounterRules, word: str) -> str:
    """A state within a sentence: "in close combat", where its label says "In close combat"."""
    label = rules.states.get(word) or rules.words.get(word, word)
    within = rules.words.get(word, label)
    return within if within.lower() == label.lower() else label


def _say_at(place: str) -> str:
    return place if place in ("", OFF_MAP) else f"in {place}"


_WHERE = {"place", "level", "area"}


def _place_in(game: Game, fields: Values, at: int) -> str:
    """Where a counter was (0) or is (1), as far as a line says so."""
    place, area, level = (fields.get(name, ("", ""))[at] for name in ("place", "area", "level"))
    spot = game.words.call_place(place) or (f"{game.words.area} {area}" if area else "")
    if not spot and not {"place", "area"} & fields.keys():  # it has stayed in its hex
        level = level or GROUND
    elif not spot:
        spot = OFF_MAP
    return ", ".join(filter(None, (spot, f"level {level}" if str(level).isdigit() else level)))


def describe_placings(game: Game, lines: Sequence[LogLine], names: Mapping[str, str]) -> Iterable[str]:
    """How counters were set by hand: which were placed where, then what else became of them."""
    moved: dict[str, dict[str, tuple[Any, object]]] = {}  # where each was before the first of these lines, and is after
    other_changes: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        for counter_id, fields in line.inputs[CHANGED_COUNTERS].items():
            if fields.keys() <= _WHERE:
                so_far = moved.setdefault(counter_id, {})
                so_far |= {name: (so_far.get(name, fields[name])[0], fields[name][1]) for name in fields}
            else:
                other_changes.setdefault(tuple(describe_counter_change(game, fields)), []).append(names[counter_id])
    by_way: dict[tuple[str, str], list[str]] = {}
    for counter_id, fields in moved.items():
        start, end = _place_in(game, fields, 0), _place_in(game, fields, 1)
        # A move tells where it came from; whatever comes on the map is placed.
        way = ("" if start == OFF_MAP else start, end)
        by_way.setdefault(way, []).append(names[counter_id])
    for (start, end), counter_names in by_way.items():
        yield f"{tally_names(counter_names)}{f' from {start}' if start else ''} {'' if end == OFF_MAP else 'to '}{end}"
    for words, counter_names in other_changes.items():
        yield f"{tally_names(counter_names)}: {join_words(words)}" if words else tally_names(counter_names)


def tally_names(names: Sequence[str]) -> str:
    """Counters by name, those of one kind counted.

    >>> tally_names(["Rifle squad #1", "Rifle squad #2", "NCO #8"])
    '2 × Rifle squad, NCO #8'
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.partition(" #")[0], []).append(name)
    return ", ".join(of[0] if len(of) == 1 else f"{len(of)} × {kind}" for kind, of in kinds.items())
