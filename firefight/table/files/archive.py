"""Reading a match's file: sound values, or everything that is wrong with it. docs/archive.md describes the format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from firefight.engine.plain_json import read_json
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.game import Game
from firefight.table.act.memory import without_collecting
from firefight.table.act.ports import the_ledger

from . import restoring, sealing
from .flaws import find_flaws_between_values, find_lacking_sides, find_ledger_flaws
from .shape import (
    DEEPEST,
    FORMAT,
    LARGEST_UNPACKED,
    MOST_COUNTED,
    MOST_TABLES,
    OLDEST_SCHEMA,
    SCHEMA,
    BadArchive,
    largest_of,
    shape_of,
)
from .unplayed import unpack_unplayed


@dataclass(frozen=True, slots=True)
class Archive:
    """A file that was found sound, or what a branch is made of. ``data``: its plain values, as docs/archive.md says.

    ``note``: what else to say about how it was put together.
    """

    data: Values
    note: str = ""

    @property
    def game(self) -> Game:
        return registry.games()[self.match["game"]]

    @property
    def match(self) -> Values:
        """What it says about the match itself."""
        match: Values = self.data["match"]
        return match

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
        """What a match made of it lacks, in sentences."""
        withheld = [self.game.call_side(side) for side in self.seats if side not in self.data["sees"]]
        sentences = []
        if withheld:
            sentences.append(f"Not in it: what {' and '.join(withheld)} held sealed.")
            sentences += the_ledger().missing(self.data) if self.data["ledger"] else []
        return [*sentences, *filter(None, [self.note]), "What was done before cannot be taken back."]


@without_collecting()
def read_archive(sent: bytes, other: bytes = b"", way_back: str = "") -> Archive:
    """A file as a sound archive. Raises BadArchive with everything that is wrong with it; nothing is stored.

    ``sent``: its text, unpacked (packing.py); ``other``: that of another player's file of the same match; ``way_back``:
    another player's own link to it. Either opens what is under seal in the file, or in the other one if that is newer.
    """
    data, note = _parsed(sent), ""
    if other or way_back.strip():
        data, note = _open(data, other, way_back.strip().rstrip("/").rpartition("/")[2])
    return Archive(_check(data), note)


def _open(data: Any, other: bytes, token: str) -> tuple[dict[str, object], str]:
    """The newer of two files with what was under seal in it, and what to say about it. Raises BadArchive."""
    files = [data]
    if other:
        files.append(_parsed(other))
    for file in files:
        game = _game_of(file)
        boxes = sealing.shape_of_boxes(tuple(game.sides) if game else ())
        flaws = [flaw for name, check in boxes.items() for flaw in check(file.get(name, {}), name)]
        if flaws or not isinstance(file.get("match"), dict):
            raise BadArchive(flaws or ["match: should be a table."])
    return restoring.open_together(files, token)


def _game_of(data: Values) -> Game | None:
    match = data.get("match")
    name = match.get("game") if isinstance(match, dict) else None
    return registry.games().get(name) if isinstance(name, str) else None


def _check(data: Any) -> Values:
    """Values from which a match can be made. Raises BadArchive."""
    game = _game_of(data)
    if game is None:
        raise BadArchive(["match, game: this app does not know that game."])
    # Each of these may count on what the one before has found sound.
    _refuse_any(shape_of(game)(data, ""))
    _refuse_any(find_lacking_sides(game, data))
    _refuse_any(find_flaws_between_values(game, data))
    _refuse_any(find_ledger_flaws(data))
    checked: Mapping[str, object] = data
    return checked


def _refuse_any(flaws: Iterable[str]) -> None:
    if counted := list(islice(flaws, MOST_COUNTED)):
        raise BadArchive(counted)


def _parsed(sent: bytes) -> Any:
    """The values of a file that begins as one of ours does, and is no larger than its game lets it be."""
    if len(sent) > LARGEST_UNPACKED or sent.count(b"{") + sent.count(b"[") > MOST_TABLES:
        megabytes = LARGEST_UNPACKED // 1_000_000
        raise BadArchive([f"The file is too large: at most {megabytes} MB and {MOST_TABLES:,} values."])
    data = _read(sent)
    _check_head(data)
    data, size = unpack_unplayed(data, len(sent))
    game = _game_of(data)
    if game and size > largest_of(game):
        raise BadArchive([f"The file is too large: of {game.title} at most {largest_of(game) // 1_000_000} MB."])
    return data


def _read(sent: bytes) -> Any:
    try:
        return read_json(sent.decode("utf-8-sig"), deepest=DEEPEST, unique=True)
    except ValueError:  # of broken letters and broken JSON, too
        raise BadArchive(
            ["That is not JSON that this app writes: it was cut off on its way, or is something else."]
        ) from None


def _check_head(data: Any) -> None:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        is_log = isinstance(data, dict) and data.get("format") == "volga-ledger log"
        hint = " It is a log, which shows what was rolled and cannot be played on." if is_log else ""
        raise BadArchive([f"That is not a file of a match, as “Save and branch” writes it.{hint}"])
    schema = data.get("schema")
    if type(schema) is int and schema > SCHEMA:
        raise BadArchive([f"A newer version of the app wrote this file (schema {schema}; this one reads {SCHEMA})."])
    if type(schema) is not int or schema < OLDEST_SCHEMA:
        raise BadArchive(["No version of the app writes such a schema."])
