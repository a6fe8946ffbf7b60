"""The declared shape of a match's file: every value by itself."""

from collections.abc import Iterable, Iterator
from itertools import islice

from firefight.columns import COURSE_NUMBERS
from firefight.engine import chain
from firefight.engine.board.counters import MENTIONED, SIDE, CounterFate
from firefight.engine.course.course import MOST_TURNS
from firefight.engine.text import cut_off
from firefight.games import registry
from firefight.kit.game import OF_WEEKS, Game
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act import bounds, line_keys
from firefight.table.act.ports import the_ledger
from firefight.table.files import sealing
from firefight.table.log import fairness
from firefight.table.story import history
from firefight.web.schema import (
    Check,
    any_value,
    by_name,
    flag,
    list_of,
    maybe,
    one_of,
    only_true,
    point_in_time,
    table,
    text,
    tuple_of,
    whole_number,
    within_json,
)

FORMAT, SCHEMA = "volga-ledger archive", 5
OLDEST_SCHEMA = 1  # without digests; 2 is without boxes, those of 3 are not trusted; 4 packs nothing (unplayed.py)
DEEPEST, MOST_TABLES = 16, 900_000  # tables and lists within each other, and all together
LARGEST = bounds.LARGEST_FILE
MOST_LINES, MOST_ROLLS = OF_WEEKS.lines + bounds.LINES_BESIDE, 100_000
LARGEST_UNPACKED = OF_WEEKS.weight + bounds.BYTES_BESIDE
MOST_VERSIONS = 1_000_000
MOST_DICE, MOST_CHAPTERS = 200, 600  # of one line, of one log
NAME_LENGTH = Match._meta.get_field("name").max_length or 0
LABEL_LENGTH = Snapshot._meta.get_field("label").max_length or 0
NO_CONTROLS = r"[^\x00-\x1f\x7f]*"
SHA_256 = "[0-9a-f]{64}"

MOST_PROBLEMS, MOST_COUNTED = 30, 1_000  # of a file: told one by one, and looked for


def largest_of(game: Game) -> int:
    """How many bytes a file of a game may have, unpacked."""
    return game.longest.weight + bounds.BYTES_BESIDE


class BadArchive(ValueError):
    """A file that no match can be made of; ``problems`` says everything that is wrong with it, in words."""

    def __init__(self, problems: Iterable[str]):
        self.problems = cut_off(list(islice(problems, MOST_COUNTED)), MOST_PROBLEMS)
        super().__init__(" ".join(self.problems))


ROLL = table(
    {
        "die": text(80),
        "label": text(200),
        "sides": whole_number(1, fairness.MOST_SIDES),
        "face": whole_number(chain.HIDDEN_FACE, fairness.MOST_SIDES * fairness.MOST_ADDED),
        "source": one_of(("app", "table")),
    },
    {
        "number": whole_number(1, MOST_ROLLS),
        "side": text(16, 1, SIDE),
        "of": whole_number(1, MOST_LINES),
        "dice": whole_number(2, fairness.MOST_ADDED),
        "card": only_true,
        "unseen": only_true,
    },
)
WORDS = list_of(text())


def _check_throw(value: object, place: str) -> Iterator[str]:
    """What a throw came to: a number, or for a pool the number on each die."""
    face = whole_number(1, fairness.MOST_SIDES * fairness.MOST_ADDED)
    return (list_of(face, fairness.MOST_ADDED) if isinstance(value, list) else face)(value, place)


def _result(helpers: Iterable[str]) -> Check:
    follow_up = {"helper": one_of(tuple(helpers)), "title": text(200), "inputs": by_name(any_value)}
    modifier = {"name": text(200), "value": whole_number(-1_000, 1_000), "rule": text(200)}
    return table(
        {
            "helper": one_of(tuple(helpers)),
            "headline": text(),
            "dice": by_name(_check_throw),
            "modified": maybe(whole_number(-10_000, 10_000)),
            "modifiers": list_of(table(modifier)),
            "outcome": maybe(text(80)),
            "details": by_name(any_value),
            "effects": WORDS,
            "follow_ups": list_of(table(follow_up, {"anew": whole_number(1, MOST_LINES)})),
            "rules": WORDS,
            "provenance": list_of(table(dict.fromkeys(("chart", "title", "provenance"), text(200)))),
        },
        {"ends": only_true},
    )


# What is known of a counter besides its side and name.
_OF_COUNTER: dict[str, Check] = {
    "counter": text(40),  # blank where a side's file does not know it
    "place": text(bounds.LONGEST_PLACE),
    "level": text(bounds.LONGEST_LEVEL),
    "area": text(bounds.LONGEST_LEVEL),
    "state": list_of(text(20, 1), 20, different=True),
    "levels": by_name(whole_number(-bounds.HIGHEST_LEVEL, bounds.HIGHEST_LEVEL)),
    "hidden": flag,
    "closed": flag,
    "alias": text(24),
    "fate": one_of(tuple(CounterFate)),
    "beside": text(24),
    "note": text(bounds.LONGEST_NOTE, 0, NO_CONTROLS),
}


def _counters(sides: tuple[str, ...], may_hide: bool) -> Check:
    """The counters of a state by id; ``may_hide``: whether a side may hide some of its own."""
    left_out = {"area"} if may_hide else {"area", "hidden"}
    known = {name: check for name, check in _OF_COUNTER.items() if name not in left_out}
    return within_json(by_name(table({"side": one_of(sides), "name": text(60, 1)}, known)), bounds.LARGEST_COUNTERS)


_LINE_NEEDS = ("number", "kind", "side", "at", "sentence")
_MARKS = ("about", "voided_by", "revealed_by")
_SEALS = ("secret", "salt", "secret_digest")
_LINE_FIELDS = (
    *_LINE_NEEDS,
    *_SEALS,
    "helper",
    "due",
    "inputs",
    "result",
    "rolls",
    *_MARKS,
    "touches",
    "voids",
    "app",
    "digest",
    "episode",
)


# What the story reads in a line's inputs; whatever else stands there is shown to nobody.
_STORY = {
    history.BEFELL: by_name(list_of(text(24), 24)),
    history.CAUSE: text(80),
    history.STRIKES: by_name(
        table(
            {
                **dict.fromkeys(("strength", "resistance"), whole_number(1, 1_000)),
                "shift": whole_number(0, 1),
                "drm": whole_number(-100, 100),
                "cost": whole_number(0, 100),
            }
        )
    ),
}


# What a line about counters says of each: every field that it changed, before and after.
_CHANGED = {name: tuple_of(check, check) for name, check in {**_OF_COUNTER, "name": text(60)}.items()}
# What lines of a kind have in their inputs that pages read; whatever else stands there is shown to nobody.
_BY_KIND: dict[str, dict[str, Check]] = {
    LogEntry.Kind.COUNTER: {
        line_keys.CHANGED_COUNTERS: by_name(table({}, _CHANGED)),
        line_keys.NAMES: by_name(text(60)),
        line_keys.AGAIN: whole_number(1, MOST_LINES),
    },
    LogEntry.Kind.NOTE: {line_keys.SHEET: text(200)},
}


def _line_inputs(value: object, place: str) -> Iterator[str]:
    yield from by_name(any_value)(value, place)
    if isinstance(value, dict):
        for name in _STORY.keys() & value.keys():
            yield from _STORY[name](value[name], f"{place}.{name}")


def shape_of(game: Game) -> Check:
    """What a whole file looks like, by the game that it is of."""
    sides, most = tuple(game.sides), game.longest.lines + bounds.LINES_BESIDE
    number = whole_number(1, most)
    photo = table({"number": number, "data": text(bounds.LARGEST_PHOTO * 2, 4, "([A-Za-z0-9+/]{4})*[A-Za-z0-9+/=]{4}")})
    chapter = {"number": number, "label": text(LABEL_LENGTH, 1, NO_CONTROLS)}
    return table(
        {
            "format": one_of((FORMAT,)),
            "schema": whole_number(OLDEST_SCHEMA, SCHEMA),
            "app": text(40),
            "written": point_in_time,
            "sees": list_of(one_of(sides), len(sides), different=True),
            "match": _match(game, number),
            "charts": by_name(any_value),
            "chapters": list_of(table(chapter), MOST_CHAPTERS),
            "log": list_of(_line(game, number, most), most),
            "ledger": maybe(the_ledger().shape()),
        },
        {"photos": list_of(photo, bounds.MOST_PHOTOS), **sealing.shape_of_boxes(sides)},
    )


def _line(game: Game, number: Check, most: int) -> Check:
    """A line of the log. ``number``: that of any line; ``most``: how many there may be."""
    helpers = tuple(registry.helpers(game.slug))
    fields = table(
        {
            "number": number,
            "kind": one_of(tuple(LogEntry.Kind.values)),
            "side": one_of(("", *game.sides)),
            "at": point_in_time,
            "sentence": text(),
        },
        {
            "secret": text(shortest=1),
            "salt": text(32, 32, "[0-9a-f]{32}"),
            "secret_digest": text(64, 64, SHA_256),
            "helper": one_of(helpers),
            "due": text(24),
            "inputs": within_json(_line_inputs, bounds.LARGEST_STEP * 2),
            "result": within_json(_result(helpers), bounds.LARGEST_RESULT),
            "rolls": list_of(ROLL, MOST_DICE),
            **dict.fromkeys(_MARKS, number),
            "voids": list_of(number, most),
            "app": text(40),
            "touches": text(bounds.MOST_COUNTERS_AT_ONCE * 25, pattern=MENTIONED),
            "digest": text(64, 64, SHA_256),
            "episode": number,
        },
    )

    def check(value: object, place: str) -> Iterator[str]:
        is_sound = True
        for flaw in fields(value, place):
            is_sound = False
            yield flaw
        if is_sound and isinstance(value, dict):
            checks, inputs = _BY_KIND.get(value["kind"], {}), value.get("inputs", {})
            yield from table({}, checks)(
                {name: inputs[name] for name in checks.keys() & inputs.keys()}, f"{place}, inputs"
            )

    return check


def _match(game: Game, number: Check) -> Check:
    """The match itself, with its state and its dice."""
    seal, seed = text(64, 64, SHA_256), maybe(text(64, 64, SHA_256))
    earlier_seal = {
        "match": text(12, 1, "[-a-zA-Z0-9_]*"),
        "to": whole_number(1, MOST_ROLLS),
        "commitment": seal,
        "seed": seed,
    }
    match = {
        "id": text(12, 1, "[-a-zA-Z0-9_]*"),
        "game": one_of((game.slug,)),
        "name": text(NAME_LENGTH, 1, NO_CONTROLS),
        "hot_seat": flag,
        "state": _state(game, number),
        "version": whole_number(1, MOST_VERSIONS),
        "ended": maybe(point_in_time),
        "rolls_made": whole_number(0, MOST_ROLLS),
        "commitment": seal,
        "seed": seed,
        "earlier_dice": list_of(table(earlier_seal), 400),
    }
    return table(match, {"digest": text(64, 64, SHA_256)})


def _state(game: Game, number: Check) -> Check:
    """Where a match stands: its place in the course, what is due, what was agreed, what it keeps."""
    sides, helpers = tuple(game.sides), tuple(registry.helpers(game.slug))
    step = {"id": text(24), "helper": one_of(helpers), "title": text(200), "inputs": by_name(any_value)}
    due = table(step, {"known_to": one_of(sides), "read_by": one_of(sides), "anew": number, "compulsory": text(40)})
    proposed = table({"number": number, "id": text(24, 1), "becomes": text(60, 1)}, {"known_to": one_of(sides)})
    offered = (*game.all_options, *game.changing_options)
    sheets = by_name(text(bounds.LONGEST_SHEET + 2_000))
    printed = {sheet.slug: text(bounds.LONGEST_CONTENT) for sheet in (game.content.sheets if game.content else ())}
    return table(
        {
            "turn": whole_number(1, MOST_TURNS),
            "phase": text(40),
            "impulse": one_of(("", *sides)),
            "queue": within_json(
                list_of(within_json(due, bounds.LARGEST_STEP), bounds.MOST_STEPS), bounds.LARGEST_QUEUE
            ),
        },
        {
            **dict.fromkeys(COURSE_NUMBERS, whole_number(0, MOST_TURNS)),
            "options": table({}, {option.slug: one_of(tuple(option.choices)) for option in offered}),
            "record": within_json(by_name(any_value), bounds.LARGEST_RECORD),
            "counters": _counters(sides, may_hide=game.counters.hideable),
            "over": one_of(sides),
            "over_line": text(bounds.LONGEST_OVER, 0, NO_CONTROLS),
            "proposed": list_of(proposed, bounds.MOST_PROPOSED),
            "sheets": within_json(sheets, bounds.LARGEST_SHEETS + bounds.LARGEST_RECORD),
            "content": within_json(table({}, printed), bounds.LARGEST_CONTENT),
            "values": within_json(by_name(whole_number(0, 999)), bounds.LARGEST_RECORD),
        },
    )
