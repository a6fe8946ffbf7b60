"""What two players' files make together, or a file and the other player's way back: everything that was under seal.

A file is its player's own, who may have changed it. So only the other side's keys open a box, only a box that belongs
to the file as it stands is taken, and where two files tell the same things they must agree.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from firefight.engine.values import Values
from firefight.table.seats.box_keys import BadBox

from . import sealing
from .shape import BadArchive

FIRST_SCHEMA = 4  # whose boxes nobody but the server could have made
MOST_PLACES = 20  # that are told where two files differ

NOTHING_OPENS = (
    "That opens nothing that is sealed here: it is of another match, of the same side, or older than the way back that "
    "was in use."
)
TOO_OLD = (
    "What is under seal in a file of schema 3 proves nothing, since whoever had the file could have put it there. Open "
    "it alone, or save it again in the match."
)
STAYS_SHUT = "It stands as in the older of two files, since nothing opened what was under seal in the newer one."


def open_together(files: Sequence[Values], token: str) -> tuple[dict[str, object], str]:
    """The newest of these files whose box opens, with what was in that; and what to say about it. Raises BadArchive.

    ``files``: one or two, whose boxes and keys are of a sound shape; ``token``: the word of a way back, or "".
    """
    newest_first = sorted(files, key=version_of, reverse=True)
    sealed = [file for file in newest_first if file.get("sealed")]
    trusted = [file for file in sealed if is_trusted(file)]
    for file in trusted:
        other_files = [other_file for other_file in files if other_file is not file]
        try:
            whole = sealing.open_boxes(file, _keys_of(other_files), [token] if token else [])
        except sealing.ChangedFile as error:
            places = [place for other_file in other_files for place in _find_places(error.values, file, other_file)]
            raise BadArchive([f"The {_sides_of(file)} file was changed after it was saved.", *places]) from None
        except BadBox:
            continue
        if places := [place for other_file in other_files for place in _find_places(whole, file, other_file)]:
            raise BadArchive(["The two files do not agree, so one of them was changed:", *places])
        return whole, "" if file is newest_first[0] else STAYS_SHUT
    raise BadArchive([NOTHING_OPENS if len(trusted) == len(sealed) else TOO_OLD])


def is_trusted(file: Mapping[str, object]) -> bool:
    """Whether a file is of a schema whose boxes can be trusted."""
    schema = file.get("schema")
    return isinstance(schema, int) and schema >= FIRST_SCHEMA


def version_of(file: Values) -> int:
    """How far a file's match had come."""
    version = file["match"].get("version")
    return version if isinstance(version, int) else 0


def _keys_of(files: Iterable[Values]) -> dict[str, list[str]]:
    """The private halves in these files, by side."""
    keys: dict[str, list[str]] = {}
    for file in files:
        for side, of_side in file.get("keys", {}).items():
            keys.setdefault(side, []).extend(of_side)
    return keys


def _sides_of(file: Values) -> str:
    return " and ".join(side.title() for side in file.get("keys", {})) or "first"


# Where two files tell the same things in different ways


def _find_places(
    whole: Mapping[str, object] | None, file: Mapping[str, object], other_file: Mapping[str, object]
) -> list[str]:
    """Where another file disagrees with a file, and with ``whole``, what that comes to with its box."""
    digests = zip(_digests_of(file), _digests_of(other_file), strict=False)
    lines = [
        f"Line {number} of the log is not the same in both."
        for number, (digest, other_digest) in enumerate(digests, 1)
        if digest != other_digest
    ]
    return list(islice([*lines, *_compare_wholes(whole, file, other_file)], MOST_PLACES))


def _digests_of(file: Mapping[str, object]) -> list[object]:
    log = file.get("log")
    return [line.get("digest") for line in log if isinstance(line, dict)] if isinstance(log, list) else []


def _compare_wholes(whole: Values | None, file: Values, other_file: Values) -> Iterator[str]:
    """Two files of the same moment come to the same, each with its box."""
    if whole is None or version_of(file) != version_of(other_file) or not is_trusted(other_file):
        return
    try:
        second = sealing.open_boxes(other_file, _keys_of([file]), [])
    except sealing.ChangedFile as error:
        yield f"The {_sides_of(other_file)} file was changed after it was saved."
        if error.values is None:
            return
        second = dict(error.values)
    except BadBox:
        return
    for name in sorted({*whole, *second} - {"written", "app"}):
        yield from _name_differences(whole.get(name), second.get(name), name)


def _name_differences(value: object, other_value: object, place: str) -> Iterator[str]:
    """The places in which two plain values differ."""
    if isinstance(value, dict) and isinstance(other_value, dict):
        for name in dict.fromkeys([*value, *other_value]):
            yield from _name_differences(value.get(name), other_value.get(name), f"{place}, {name[:40]}")
    elif isinstance(value, list) and isinstance(other_value, list) and len(value) == len(other_value):
        for number, pair in enumerate(zip(value, other_value, strict=True), 1):
            yield from _name_differences(*pair, f"{place} {number}")
    elif type(value) is not type(other_value) or value != other_value:
        yield f"{place}: is not the same in both."
