"""A match as one file: written with what one side may know, read with every flaw told, made into a new match.

A branch is the same without a file: what a side knows of a match, now or at a snapshot, becomes a match of its own.
docs/archive.md describes the format.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from firefight.assistant import chartbooks, registry
from firefight.assistant.fields import read_json
from firefight.assistant.registry import Game
from firefight.chartroom import drafts
from firefight.columns import (
    COURSE_NUMBERS,
    EarlierSeal,
    EarlierSeals,
    LoggedResult,
    MatchState,
    read_earlier_seals,
    read_rolls,
)
from firefight.engine import chain
from firefight.engine.board.counters import MENTIONED, SIDE, CounterFate
from firefight.engine.course.course import MOST_TURNS
from firefight.engine.rolls.dice import commitment
from firefight.hosting.moments import one_moment
from firefight.models import ChartBook, LogEntry, Match, Snapshot
from firefight.table.act import bounds, snapshots, writing
from firefight.table.act.bounds import LONGEST_LEVEL, LONGEST_NOTE, LONGEST_PLACE, MOST_COUNTERS_AT_ONCE
from firefight.table.act import bounds, composed, snapshots, writing
from firefight.table.act.episodes import find_episodes
from firefight.table.act.memory import without_collecting
from firefight.table.act.ports import ledger_of, the_ledger
from firefight.table.act.table import Table
from firefight.table.act.writing import GROWS
from firefight.table.board import counters, stores, values
from firefight.table.log import fairness, reading
from firefight.table.seats import box_keys, seating
from firefight.table.seats.seating import OBSERVER
from firefight.table.story import history, photos
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
    whole_number,
    within_json,
)

from . import restoring, sealing

FORMAT, SCHEMA = "volga-ledger archive", 4
OLDEST_SCHEMA = 1  # without digests; 2 is without boxes, and those of 3 are not trusted (restoring.py)
LARGEST = bounds.LARGEST_FILE
DEEPEST, MOST_TABLES = 16, 300_000  # tables and lists within each other, and all together
MOST_LINES, MOST_ROLLS = bounds.MOST_LINES_OF_FILE, 100_000
MOST_PROBLEMS, MOST_COUNTED = 30, 1_000  # told one by one, and looked for
MOST_VERSIONS = 1_000_000
MOST_DICE, MOST_CHAPTERS = 200, 600  # of one line, of one log
NAME_LENGTH = Match._meta.get_field("name").max_length or 0
LABEL_LENGTH = Snapshot._meta.get_field("label").max_length or 0
NO_CONTROLS = r"[^\x00-\x1f\x7f]*"
SHA_256 = "[0-9a-f]{64}"


class BadArchive(ValueError):
    """A file that no match can be made of; ``problems`` says everything that is wrong with it, in words."""

    def __init__(self, problems: Iterable[str]):
        found = list(islice(problems, MOST_COUNTED))
        more = [f"And {len(found) - MOST_PROBLEMS} more."] if len(found) > MOST_PROBLEMS else []
        self.problems = [*found[:MOST_PROBLEMS], *more]
        super().__init__(" ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Archive:
    """A file that was found sound, or what a branch is made of. ``data``: its plain values, as docs/archive.md says.

    ``note``: what else to tell of how it was put together.
    """

    data: Mapping[str, Any]
    note: str = ""

    @property
    def game(self) -> Game:
        """The match's game."""
        return registry.games()[self.match["game"]]

    @property
    def match(self) -> Mapping[str, Any]:
        """What stands in it of the match itself."""
        return self.data["match"]

    @property
    def seats(self) -> dict[str, str]:
        """The sides that have a seat, with their names."""
        return self.game.find_seats(self.match["state"].get("options", {}))

    @property
    def lines(self) -> int:
        """How long its log is."""
        return len(self.data["log"])

    @property
    def missing(self) -> list[str]:
        """What the match that is made of it lacks, in sentences."""
        withheld = [f"the {word}" for side, word in self.seats.items() if side not in self.data["sees"]]
        told = []
        if withheld:
            told.append(f"Not in it: what {' and '.join(withheld)} held sealed.")
            told += the_ledger().missing(self.data) if self.data["ledger"] else []
        return [*told, *filter(None, [self.note]), "What was done before cannot be taken back."]


# Writing


@without_collecting()
def dump(match: Match, sees: tuple[str, ...], at: Snapshot | None = None) -> dict[str, Any]:
    """A match as plain values, with the sealed things of these sides only; as it stands, or as at a snapshot.

    What was sealed at the snapshot and opened later is sealed in it. The dice's seed is in it once the match has ended.
    """
    with one_moment():
        return _gather(match, at).known_to(sees)


@dataclass(frozen=True, slots=True)
class WholeMatch:
    """Everything of a match that a file may hold, both sides' secrets among it; ``held``: as a snapshot has it.

    ``earlier``: what its ledger tells of each chapter's beginning, nothing without a ledger.
    """

    match: Match
    held: Mapping[str, Any]
    ended: datetime | None
    entries: Sequence[LogEntry]
    charts: Mapping[str, Any]
    chapters: Sequence[Mapping[str, Any]]
    earlier_dice: Any
    earlier: Any

    def known_to(self, sees: tuple[str, ...], lines: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """What these sides know of it, as docs/archive.md says. ``lines``: the log, where it is known already."""
        match, held = self.match, self.held
        sees = _with_unplayed(match, sees)
        lines = list(_list_lines(self.entries, sees)) if lines is None else lines
        found = {
            "format": FORMAT,
            "schema": SCHEMA,
            "app": settings.VERSION,
            "written": timezone.now().isoformat(timespec="seconds"),
            "sees": sorted(sees),
            "match": {
                "id": match.pk,
                "game": match.game,
                "name": match.name,
                "hot_seat": match.hot_seat,
                "state": _known_state(match, held["state"], sees),
                "version": held["version"],
                "ended": self.ended and self.ended.isoformat(),
                "rolls_made": held["rolls_made"],
                "digest": lines[-1].get("digest", "") if lines else "",
                "commitment": match.commitment,
                "seed": match.seed if self.ended else None,
                "earlier_dice": self.earlier_dice,
            },
            "charts": self.charts,
            "chapters": self.chapters,
            "log": lines,
            "ledger": None,
        }
        if pictures := photos.write_photos(match, self.entries, sees):
            found["photos"] = pictures
        if held["ledger"] is not None:
            # What was under seal in chapters that are over is open to all once the match has ended.
            knew = tuple(registry.games()[match.game].sides) if self.ended else sees
            found["ledger"] = the_ledger().narrowed(match, held["ledger"], sees, self.earlier, knew)
        return found

    def know_more(self, own: Mapping[str, Any], side: str) -> dict[str, Any]:
        """What is known to whoever may know what is in a file, and a further side's things too.

        What is the same in both is one object: a log is long, and mostly known to all.
        """
        withheld = [each for each in self.entries if each.side == side and each.revealed_by is None and each.salt]
        sees = (*own["sees"], side)
        more = {line["number"]: line for line in _as_written(list(_list_lines(withheld, sees)))}
        lines = [more.get(line["number"], line) for line in own["log"]]
        found = self.known_to(sees, lines)
        short = _as_written({name: value for name, value in found.items() if name not in ("log", "charts")})
        return {**found, **short, "charts": own["charts"]}


def _gather(match: Match, at: Snapshot | None = None) -> WholeMatch:
    """Read all of a match, as it stands or as at a snapshot."""
    match = Match.objects.select_related("book").get(pk=match.pk)
    held = (at.state if at else None) or dump_now(match)
    chapters = _find_chapters(match, at)
    return WholeMatch(
        match=match,
        held=held,
        ended=match.ended if at is None else None,
        entries=_entries(match, at),
        charts=_book(match, held["book"]).data,
        chapters=[{"number": chapter.number, "label": chapter.label} for chapter in chapters],
        earlier_dice=fairness.earlier_dice(match),
        earlier=the_ledger().gather_earlier(match, chapters) if held["ledger"] else None,
    )


@without_collecting()
def dump_file(table: Table, sees: tuple[str, ...]) -> str:
    """A match as the text of a file: what these sides know, and under seal what every other one does.

    Each other side's things are in a box that its own player alone can open (sealing.py), unless the file would become
    too large to be read again. An observer's file has no boxes.
    """
    held = {seat.side: seat for seat in table.seats if seat.side != OBSERVER}
    others = held.keys() - set(_with_unplayed(table.match, sees)) if sees else ()
    keys = box_keys.find_keys(table.seats) if others else {}
    for side in (side for side in others if side not in keys):
        keys[side] = [box_keys.renew_key(held[side])]
    with one_moment():
        gathered = _gather(table.match)
        own = _as_written(gathered.known_to(sees))
        text_of = _write_json(own)
        room, sealed = LARGEST - len(text_of.encode()) - ROOM_LEFT, {}
        for side in (side for side in held if side in others):
            box = sealing.seal(keys[side][0], own, gathered.know_more(own, side))
            if box and len(box["box"]) < room:
                sealed[side], room = box, room - len(box["box"])
    if not sealed:
        return text_of
    own_keys = {side: [key.secret for key in keys.get(side, ())] for side in own["sees"] if side in held}
    return _write_json({**own, "keys": own_keys, "sealed": sealed})


ROOM_LEFT = 10_000  # bytes for keys, and for what a file of the match that is made of this one has more


def _write_json(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _as_written(values: Any) -> Any:
    """Values as whoever reads the file will find them."""
    return json.loads(_write_json(values))


def _with_unplayed(match: Match, sees: tuple[str, ...]) -> tuple[str, ...]:
    """Whose secrets a file holds: those of a side that nobody plays, too, since the match could not go on without."""
    game = registry.games()[match.game]
    unplayed = game.sides.keys() - game.find_seats(match.state.options).keys()
    return (*sees, *sorted(unplayed - set(sees))) if sees else sees


def _known_state(match: Match, plain: Mapping[str, Any], sees: tuple[str, ...]) -> dict[str, Any]:
    """A state as these sides know it: what the others hide is as when the match began, or is not due."""
    state = MatchState.from_json(plain)
    kept = registry.games()[match.game].record.strip(state.record, sees)
    known = stores.narrow(state.counters, sees)
    state = replace(state, queue=state.queue_for(sees), proposed=state.proposed_for(sees))
    return replace(state, record=kept, counters=known, ledger="").to_json()


def dump_now(match: Match) -> dict[str, Any]:
    """What a snapshot of this moment would hold."""
    rows = ledger_of(match).dump(match)
    return snapshots.state_of(match, match.version, rows)


def _book(match: Match, digest: str) -> ChartBook:
    """The charts that a match had pinned, if they are still there."""
    return match.book if digest == match.book_id else ChartBook.objects.filter(pk=digest).first() or match.book


def _find_chapters(match: Match, at: Snapshot | None) -> list[Snapshot]:
    """The chapters so far, oldest first; how things stood in them is of use to a ledger alone."""
    found = match.snapshots.order_by("number")
    chapters = found.filter(number__lte=at.number) if at else found
    return list(chapters if ledger_of(match).leads else chapters.defer("state"))


def _entries(match: Match, at: Snapshot | None) -> list[LogEntry]:
    """The log, oldest first. Marks that point beyond the snapshot are not set yet."""
    entries = LogEntry.objects.filter(match=match).order_by("number")
    if at is None:
        return list(entries)
    found = list(entries.filter(number__lte=at.number))
    for entry in found:
        entry.voided_by = entry.voided_by if (entry.voided_by or 0) <= at.number else None
        entry.revealed_by = entry.revealed_by if (entry.revealed_by or 0) <= at.number else None
    return found


def _list_lines(entries: Iterable[LogEntry], sees: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The log as these sides know it, blank values left out."""
    for line in reading.visible(entries, sees):
        found = {name: writing.value_of(line, name) for name in _KEPT} | {
            "kind": str(line.kind),
            "at": line.at.isoformat(),
        }
        yield {name: found[name] for name in _KEPT if name in _LINE_NEEDS or found[name] not in (None, "", {}, [])}


# Reading


@without_collecting()
def read_archive(sent: bytes, other: bytes = b"", way_back: str = "") -> Archive:
    """A file as a sound archive. Raises BadArchive with everything that is wrong with it; nothing is stored.

    ``other``: another player's file of the same match; ``way_back``: another player's own link to it. Either opens what
    is under seal in the file, or in the other one if that is the newer.
    """
    data, note = _parsed(sent), ""
    _check_head(data)
    if other or way_back.strip():
        data, note = _open(data, other, way_back.strip().rstrip("/").rpartition("/")[2])
    return Archive(_check(data), note)


def _open(data: Any, other: bytes, token: str) -> tuple[dict[str, Any], str]:
    """The newer of two files with what was under seal in it, and what to tell of it. Raises BadArchive."""
    files = [data]
    if other:
        files.append(_parsed(other))
        _check_head(files[1])
    for file in files:
        flaws = [
            flaw
            for name, check in sealing.shape_of_boxes(_sides_in(file)).items()
            for flaw in check(file.get(name, {}), name)
        ]
        if flaws or not isinstance(file.get("match"), dict):
            raise BadArchive(flaws or ["match: should be a table."])
    try:
        return restoring.open_together(files, token)
    except restoring.BadFiles as error:
        raise BadArchive(error.problems) from None


def _sides_in(data: Mapping[str, Any]) -> tuple[str, ...]:
    game = registry.games().get(data["match"]["game"]) if _names_game(data) else None
    return tuple(game.sides) if game else ()


def _check(data: Any) -> Mapping[str, Any]:
    """Values of which a match can be made. Raises BadArchive."""
    game = registry.games().get(data["match"]["game"]) if _names_game(data) else None
    if game is None:
        raise BadArchive(["match, game: this app does not know that game."])
    # Each of these may count on what the one before has found sound.
    for look in (_shape(game), partial(_contents, game), _ledger_flaws):
        if flaws := list(islice(look(data, ""), MOST_COUNTED)):
            raise BadArchive(flaws)
    checked: Mapping[str, Any] = data
    return checked


def _contents(game: Game, data: Mapping[str, Any], _: str) -> Iterator[str]:
    yield from _course_flaws(game, data["match"]["state"])
    yield from _log_flaws(data)
    yield from _chain_flaws(data["match"], data["log"])
    yield from _dice_flaws(data["match"], data["log"])
    yield from photos.find_photo_flaws(data.get("photos", ()), data["log"])
    yield from _book_flaws(game, data["charts"])


def _course_flaws(game: Game, plain: Mapping[str, Any]) -> Iterator[str]:
    state = MatchState.from_json(plain)
    yield from (f"match, state, {flaw}" for flaw in game.find_course(state.options).flaws(state.position))
    yield from (f"match, state, record, {flaw}" for flaw in game.record.flaws(state.record))
    found = counters.find_misfits(Match(game=game.slug, state=state))
    yield from (f"match, state, counters, {flaw}" for flaw in found)
    yield from (f"match, state, values, {flaw}" for flaw in values.find_odd_values(game, state))


def _ledger_flaws(data: Mapping[str, Any], _: str) -> Iterator[str]:
    if data["ledger"] is not None:
        yield from the_ledger().flaws(data)


def _parsed(sent: bytes) -> Any:
    if len(sent) > LARGEST or sent.count(b"{") + sent.count(b"[") > MOST_TABLES:
        raise BadArchive([f"The file is too large: at most {LARGEST // 1_000_000} MB and {MOST_TABLES:,} values."])
    try:
        return read_json(sent.decode("utf-8-sig"), deepest=DEEPEST, unique=True)
    except ValueError:  # of broken letters and broken JSON, too
        raise BadArchive(
            ["That is no JSON that this app writes: it was cut off on its way, or is something else."]
        ) from None


def _check_head(data: Any) -> None:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        is_log = isinstance(data, dict) and data.get("format") == "volga-ledger log"
        hint = " It is a log, which shows what was rolled and cannot be played on." if is_log else ""
        raise BadArchive([f"That is no file of a match, as “Save and branch” writes it.{hint}"])
    schema = data.get("schema")
    if type(schema) is int and schema > SCHEMA:
        raise BadArchive([f"A newer version of the app wrote this file (schema {schema}; this one reads {SCHEMA})."])
    if type(schema) is not int or schema < OLDEST_SCHEMA:
        raise BadArchive(["No version of the app writes such a schema."])


def _names_game(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("match"), dict) and isinstance(data["match"].get("game"), str)


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
    },
)
WORDS = list_of(text())


def _thrown(value: Any, place: str) -> Iterator[str]:
    """What a throw came to: a number, or of a pool the number on each die."""
    face = whole_number(1, fairness.MOST_SIDES * fairness.MOST_ADDED)
    return (list_of(face, fairness.MOST_ADDED) if isinstance(value, list) else face)(value, place)


def _result(helpers: Iterable[str]) -> Check:
    follow_up = {"helper": one_of(tuple(helpers)), "title": text(200), "inputs": by_name(any_value)}
    modifier = {"name": text(200), "value": whole_number(-1_000, 1_000), "rule": text(200)}
    return table(
        {
            "helper": one_of(tuple(helpers)),
            "headline": text(),
            "dice": by_name(_thrown),
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


def _counters(sides: tuple[str, ...]) -> Check:
    """The counters of a state by id."""
    one = table(
        {"side": one_of(sides), "counter": text(40, 1), "name": text(60, 1)},
        {
            "place": text(bounds.LONGEST_PLACE),
            "level": text(bounds.LONGEST_LEVEL),
            "state": list_of(text(20, 1), 20, different=True),
            "hidden": flag,
            "fate": one_of(tuple(CounterFate)),
            "beside": text(24),
            "note": text(bounds.LONGEST_NOTE, 0, NO_CONTROLS),
        },
    )
    return within_json(by_name(one), bounds.LARGEST_COUNTERS)


_LINE_NEEDS = ("number", "kind", "side", "at", "sentence")
_MARKS = ("about", "voided_by", "revealed_by")
_SEALS = ("secret", "salt", "secret_digest")
_KEPT = (
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


def _line_inputs(value: Any, place: str) -> Iterator[str]:
    yield from by_name(any_value)(value, place)
    if isinstance(value, dict):
        for name in _STORY.keys() & value.keys():
            yield from _STORY[name](value[name], f"{place}.{name}")


def _shape(game: Game) -> Check:
    """What a whole file looks like, by the game that it is of."""
    helpers = tuple(registry.helpers(game.slug))
    sides, number = tuple(game.sides), whole_number(1, MOST_LINES)
    line = table(
        {
            "number": number,
            "kind": one_of(tuple(LogEntry.Kind.values)),
            "side": one_of(("", *sides)),
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
            "voids": list_of(number, MOST_LINES),
            "app": text(40),
            "touches": text(bounds.MOST_COUNTERS_AT_ONCE * 25, pattern=MENTIONED),
            "digest": text(64, 64, SHA_256),
            "episode": number,
        },
    )
    step = {"id": text(24), "helper": one_of(helpers), "title": text(200), "inputs": by_name(any_value)}
    due = table(step, {"known_to": one_of(sides), "read_by": one_of(sides), "anew": number})
    state = {
        "turn": whole_number(1, MOST_TURNS),
        "phase": text(40),
        "impulse": one_of(("", *sides)),
        "queue": within_json(list_of(within_json(due, bounds.LARGEST_STEP), bounds.MOST_STEPS), bounds.LARGEST_QUEUE),
    }
    numbers = dict.fromkeys(COURSE_NUMBERS, whole_number(0, MOST_TURNS))
    offered = (*game.all_options, *game.changing_options)
    options = table({}, {option.slug: one_of(tuple(option.choices)) for option in offered})
    kept = within_json(by_name(any_value), bounds.LARGEST_RECORD)
    state_more = {**numbers, "options": options, "record": kept, "counters": _counters(sides)}
    proposed = table({"number": number, "id": text(24, 1), "becomes": text(24, 1)}, {"known_to": one_of(sides)})
    state_more |= {"over": one_of(sides), "over_line": text(bounds.LONGEST_OVER, 0, NO_CONTROLS)}
    state_more["proposed"] = list_of(proposed, bounds.MOST_PROPOSED)
    state_more["values"] = within_json(by_name(whole_number(0, 999)), bounds.LARGEST_RECORD)
    seal, seed = text(64, 64, SHA_256), maybe(text(64, 64, SHA_256))
    earlier = {
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
        "state": table(state, state_more),
        "version": whole_number(1, MOST_VERSIONS),
        "ended": maybe(point_in_time),
        "rolls_made": whole_number(0, MOST_ROLLS),
        "commitment": seal,
        "seed": seed,
        "earlier_dice": list_of(table(earlier), 400),
    }
    photo = table({"number": number, "data": text(bounds.LARGEST_PHOTO * 2, 4, "([A-Za-z0-9+/]{4})*[A-Za-z0-9+/=]{4}")})
    chapter = {"number": number, "label": text(LABEL_LENGTH, 1, NO_CONTROLS)}
    return table(
        {
            "format": one_of((FORMAT,)),
            "schema": whole_number(OLDEST_SCHEMA, SCHEMA),
            "app": text(40),
            "written": point_in_time,
            "sees": list_of(one_of(sides), len(sides), different=True),
            "match": table(match, {"digest": text(64, 64, SHA_256)}),
            "charts": by_name(any_value),
            "chapters": list_of(table(chapter), MOST_CHAPTERS),
            "log": list_of(line, MOST_LINES),
            "ledger": maybe(the_ledger().shape()),
        },
        {"photos": list_of(photo, bounds.MOST_PHOTOS), **sealing.shape_of_boxes(sides)},
    )


def _log_flaws(data: Mapping[str, Any]) -> Iterator[str]:
    """What no log of the app looks like, although each of its values could stand in one."""
    lines = data["log"]
    if not lines or [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield f"log: the numbers of its {len(lines)} lines are not 1 and on, without gaps."
        return
    for line in lines:
        is_roll = line["kind"] == LogEntry.Kind.ROLL
        is_told = is_roll and not chain.is_hidden_roll(line)
        if is_told != ("result" in line) or is_roll != ("helper" in line):
            yield f"log {line['number']}: a roll has a helper and a result, and nothing else has."
        pointed = [line[mark] for mark in ("voided_by", "revealed_by") if mark in line]
        if any(not line["number"] < to <= len(lines) for to in pointed) or line.get("about", 1) > len(lines):
            yield f"log {line['number']}: points to a line that it cannot point to."
        if "episode" in line and not (line["episode"] < line["number"] and "episode" not in lines[line["episode"] - 1]):
            yield f"log {line['number']}: goes on with an episode that does not begin there."
        if line["side"] not in data["sees"] and "secret" in line and "revealed_by" not in line:
            yield f"log {line['number']}: holds a secret of a side whose secrets are not in this file."
    places = [chapter["number"] for chapter in data["chapters"]]
    if places != sorted(set(places)) or places and places[-1] > len(lines):
        yield "chapters: do not follow each other along the log."


def _chain_flaws(match: Mapping[str, Any], log_lines: list[Mapping[str, Any]]) -> Iterator[str]:
    """What the digests tell of a file that was changed; one from before lines had digests tells nothing."""
    if "digest" not in match and not any("digest" in line for line in log_lines):
        return
    lines = [{**line, "at": writing.stamp(datetime.fromisoformat(line["at"]))} for line in log_lines]
    yield from (f"log: {flaw}" for flaw in chain.chain_flaws(lines, match.get("digest", "")))
    yield from (f"log: {flaw}" for flaw in chain.standing_flaws(lines))


def _dice_flaws(match: Mapping[str, Any], lines: list[Mapping[str, Any]]) -> Iterator[str]:
    rolls = [roll for line in lines for roll in line.get("rolls", ())]
    hidden = [roll for line in lines if chain.is_hidden_roll(line) for roll in line.get("rolls", ())]
    if any(roll["face"] != chain.HIDDEN_FACE for roll in hidden):
        yield "log: a die shows what was withheld."
    shown = [roll for line in lines if not chain.is_hidden_roll(line) for roll in line.get("rolls", ())]
    if not all(map(fairness.is_possible, shown)):
        yield "log: a die shows what it cannot show, or its number belongs to no roll of the app."
    numbers = [roll["number"] for roll in rolls if "number" in roll and "of" not in roll]
    if sorted(numbers) != list(range(1, match["rolls_made"] + 1)):
        yield f"log: the numbers of the app's rolls are not 1 to {match['rolls_made']}, each once."
    ends = [0, *(seal["to"] for seal in match["earlier_dice"])]
    if ends != sorted(set(ends)) or ends[-1] > match["rolls_made"]:
        yield "match, earlier_dice: do not follow each other along the rolls."
    if bool(match["seed"]) != bool(match["ended"]):
        yield "match, seed: is opened when a match ends, and not before."
    for seal in (match, *match["earlier_dice"]):
        if seal["seed"] and commitment(bytes.fromhex(seal["seed"])) != seal["commitment"]:
            yield "match: a seed does not fit its commitment."


def _book_flaws(game: Game, data: Mapping[str, Any]) -> Iterator[str]:
    if data.get("game") != game.slug:
        yield f"charts, game: should be {game.slug}."
        return
    for problem in drafts.book_flaws(data, game):
        yield f"charts, {problem}."


# A match out of it


@dataclass(frozen=True, slots=True)
class Loaded:
    """A new match, each seat's token, and what it lacks."""

    match: Match
    tokens: dict[str, str] = field(repr=False)


@without_collecting()
def make_match(archive: Archive, hot_seat: bool, name: str = "", is_branch: bool = False) -> Loaded:
    """Make a new match that goes on where the archive stands, with dice and seats of its own.

    A branch is open even if the match that it comes from has ended. Raises BadArchive, and then nothing is stored.
    """
    told = archive.match
    match = Match(
        game=told["game"],
        name=name or told["name"],
        hot_seat=hot_seat,
        state=MatchState.from_json(told["state"]),
        earlier_dice=_seals(told),
        version=told["version"],
        last_number=archive.lines,
        next_roll=told["rolls_made"] + 1,
        weight=_weight(archive),
        ended=None if is_branch or told["ended"] is None else datetime.fromisoformat(told["ended"]),
    )
    entries = _make_entries(match, archive.data["log"])
    match.digest = told.get("digest") or _chained(entries)
    # A long log takes its time, so it is read and chained before anybody who writes has to wait.
    with transaction.atomic():
        match.book = chartbooks.store(told["game"], archive.data["charts"])
        match.save(force_insert=True)
        LogEntry.objects.bulk_create(entries)
        Snapshot.objects.bulk_create(
            Snapshot(match=match, state=None, **chapter) for chapter in archive.data["chapters"]
        )
        for photo in archive.data.get("photos", ()):
            photos.store_sound_photo(match, photo)
        if archive.data["ledger"] is not None:
            the_ledger().load(match, archive.data)
        said = _announced(match, archive, is_branch)
        writing.record(match, None, LogEntry.Kind.SEAT, "", said, inputs=writing.head(match))
        match.save(update_fields=["state", *GROWS])
        label = "What if" if is_branch else "From a file"
        snapshots.take_snapshot(match, match.version, label, dump_now(match)["ledger"])
        return Loaded(match, seating.create_seats(match, archive.seats))


def _seals(told: Mapping[str, Any]) -> EarlierSeals:
    """The seals of all rolls so far: those of the match itself are the last, if it has rolled at all."""
    earlier = read_earlier_seals(told["earlier_dice"])
    if told["rolls_made"] == (earlier[-1].to if earlier else 0):
        return earlier
    return (*earlier, EarlierSeal(told["id"], told["rolls_made"], told["commitment"], told["seed"]))


def _weight(archive: Archive) -> int:
    """What log.weight adds up for all lines, counted at once."""
    return len(json.dumps(archive.data["log"], ensure_ascii=False).encode())


def _make_entries(match: Match, lines: Sequence[Mapping[str, Any]]) -> list[LogEntry]:
    """The lines of a file as rows that are not written yet."""
    is_old = not any("episode" in line for line in lines)
    begins = find_episodes(lines) if is_old else {line["number"]: line.get("episode") for line in lines}
    return [_entry(match, {**line, "episode": begins.get(line["number"])}) for line in lines]


def _entry(match: Match, line: Mapping[str, Any]) -> LogEntry:
    result = line.get("result")
    typed = {
        "at": datetime.fromisoformat(line["at"]),
        "result": None if result is None else LoggedResult.from_json(result),
        "rolls": read_rolls(line.get("rolls", ())),
    }
    # A blank act said by its column spares a look-up of what an act's key would be by default.
    return LogEntry(match_id=match.pk, act_id=None, **{**line, **typed})


def _chained(entries: list[LogEntry]) -> str:
    """Chain the lines of a file from before lines had digests; returns the last one's."""
    for entry in entries:
        if entry.voided_by:
            entries[entry.voided_by - 1].voids.append(entry.number)
    digest = ""
    for entry in entries:
        digest = writing.link(entry, digest)
    return digest


def _announced(match: Match, archive: Archive, is_branch: bool) -> str:
    source = "branches off from" if is_branch else "goes on from a file of"
    told = f"This match {source} “{archive.match['name']}”, at № {archive.lines}. {' '.join(archive.missing)}"
    return f"{told} Its dice are sealed anew, as {match.commitment}."


def find_origin(match: Match) -> LogEntry | None:
    """The line that says what a match goes on from, None if it began by itself. One query."""
    said = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.SEAT, side="", number__gt=1)
    return said.first()


def branch(match: Match, sees: tuple[str, ...], hot_seat: bool, at: Snapshot | None = None) -> Loaded:
    """What if: a match of its own that goes on from what these sides know, now or as at a snapshot."""
    name = f"{match.name.removesuffix(WHAT_IF)[: NAME_LENGTH - len(WHAT_IF)]}{WHAT_IF}"
    return make_match(Archive(dump(match, sees, at)), hot_seat, name, is_branch=True)


WHAT_IF = ", what if"
