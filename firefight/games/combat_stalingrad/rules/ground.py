"""What is known of hexes: the modifiers of an attack there, and what lies there (17.4.7, 20.4.1, 20.7.1).

A row is a hex, "K7", or a level of its building, "K7/1". What one side alone knows of a hex, such as its mines, is a
row of its own: "russian:K7".
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from firefight.engine.record import KeptChoice, KeptFlag, KeptList, KeptNumber, KeptRows, KeptText
from firefight.engine.values import Json, Values

from .sets import hex_part, read_kept_row, side_part, turn_part

WRECKS = {"": "none", "wreck": "wreck", "burning": "burning wreck"}
# Modifiers of the FFT that a place has: those of movement and of the attack itself are not the ground's.
TERRAIN = frozenset(
    {
        *("building_ground", "rooftop", "upper_level", "cellar", "woods", "debris", "rubble", "gully", "trench"),
        *("dug_in", "hexside", "airburst"),
    }
)
LEVELS = {"rooftop", "upper_level", "cellar"}  # a hex's ground level has none of these

# What the slugs of these are called.
WORDS = {name: name.replace("_", " ") for name in TERRAIN} | {"building_ground": "ground level of a building"}

# What lies on the board, where everybody sees it.
ON_BOARD = ("smoke", "fire", "wreck", "random")

LONGEST_LEVEL = 24
MOST_LEARNT = 350  # rows, beyond which rolls add none, to leave room for what players note

GROUND_ROWS = KeptRows(
    name="ground",
    title="Ground",
    rule="20.4.1",
    owner="known_to",
    most=400,
    tells=lambda id, row: tell_hex(row),
    calls=lambda id, row: call_place(row),
    parts=(
        side_part("known_to", "known to"),
        hex_part("hex", "hex"),
        KeptText(name="level", title="level", longest=LONGEST_LEVEL),
        KeptList(name="modifiers", title="modifiers", most=12, is_set=True, item=KeptText(longest=24, words=WORDS)),
        KeptNumber(name="height", title="level of the ground", low=-3, high=5, start=0),
        KeptFlag(name="building", title="building", otherwise="no building"),
        KeptFlag(name="rubble", title="rubble", otherwise="no rubble"),
        KeptChoice(name="wreck", title="wreck", choices=WRECKS),
        KeptFlag(name="trench", title="trench", otherwise="no trench"),
        KeptFlag(name="at_trench", title="AT trench", otherwise="no AT trench"),
        KeptFlag(name="mousehole", title="mousehole", otherwise="no mousehole"),
        KeptFlag(name="fire", title="fire", otherwise="no fire"),
        turn_part("smoke", "smoke of turn"),
        KeptNumber(name="mines", title="mines", high=9),
        KeptFlag(name="random", title="Random marker", otherwise="no Random marker"),
        KeptText(name="note", title="note", longest=80),
    ),
)


def call_place(row: Values) -> str:
    """A hex or a level in it as players call it: "K9, level 1", "K9, ground floor"."""
    level = row["level"].replace("-", " ")
    return ", ".join(filter(None, (row["hex"] or "", f"level {level}" if level.isdigit() else level)))


def tell_hex(row: Values) -> str:
    """What is known of a hex, as players speak of it: "K9 is a building, ground level"."""
    lying = [
        part.title
        for part in GROUND_ROWS.parts
        if isinstance(part, KeptFlag) and row[part.name] and part.name != "building"
    ]
    used = [WORDS.get(name, name) for name in row["modifiers"] if name not in ("building_ground", *lying)]
    features = [*("ground level" for name in row["modifiers"] if name == "building_ground"), *used, *lying]
    features += [WRECKS[row["wreck"]]] if row["wreck"] else []
    features += [f"ground at level {row['height']}"] if row["height"] else []
    features += [f"smoke of turn {row['smoke']}"] if row["smoke"] else []
    features += [f"mines {row['mines']}"] if row["mines"] else []
    features += [f"“{row['note']}”"] if row["note"] else []
    words = ", ".join(features)
    if row["building"]:
        return f"{call_place(row)} is a building{f', {words}' if words else ''}"
    return f"{call_place(row)}: {words or 'open ground'}"


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known of a hex or of a level in it. ``smoke``: the turn in which it was placed, 0 for none."""

    id: str
    known_to: str
    hex: str
    level: str
    modifiers: tuple[str, ...]
    height: int
    building: bool
    rubble: bool
    wreck: str
    trench: bool
    at_trench: bool
    mousehole: bool
    fire: bool
    smoke: int
    mines: int
    random: bool
    note: str

    @classmethod
    def read(cls, id: str, row: Values) -> Self:
        """From a row of the record."""
        return read_kept_row(cls, GROUND_ROWS, id, row)

    @property
    def place(self) -> str:
        """The hex, with the level where it is not the ground's."""
        return f"{self.hex}/{self.level}" if self.level else self.hex


def compose_id(place: str, level: str = "", known_to: str = "") -> str:
    """The id of the row about a hex or a level in it, as all know it or as one side alone does."""
    return f"{known_to}:" * bool(known_to) + f"{place}/{level}".rstrip("/")


def read_level(words: str) -> str:
    """A level as an id has it: "Ground floor" is ground-floor."""
    return "-".join(re.findall(r"[a-z0-9]+", words.lower()))[:LONGEST_LEVEL].strip("-")


Rows = Mapping[str, Values]
OPEN_LEVELS = ("roof", "gully", "trench")  # levels of a place that are outside


def is_indoors(rows: Rows, place: str, level: str) -> bool:
    """Whether a place is inside a building, as far as anybody has noted that; rooftops are outside."""
    words = read_level(level)
    if words:
        return not any(word in words for word in OPEN_LEVELS)
    terrain = find_ground(rows, place) if place else None
    return terrain is not None and (terrain.building or "building_ground" in terrain.modifiers)


def gives_cover(rows: Rows, place: str, level: str) -> bool:
    """Whether all know that infantry attacks AFV out of a building or woods there (19.3.3, R-154)."""
    return is_indoors(rows, place, level) or "woods" in modifiers_at(rows, place, level)


def find_ground(rows: Rows, place: str, level: str = "") -> Ground | None:
    """What all know of a hex or of a level in it."""
    row = rows.get(compose_id(place, level))
    return None if row is None else Ground.read(compose_id(place, level), row)


def _list_open(rows: Rows) -> list[Ground]:
    """What all know: the app does nothing to what one side alone knows, for that would give it away."""
    all_ground = (Ground.read(id, row) for id, row in rows.items())
    return [ground for ground in all_ground if not ground.known_to]


def change_ground(rows: Rows, place: str, level: str = "", known_to: str = "", **parts: object) -> dict[str, object]:
    """The change of the field that sets these parts of a hex, or of a level in it; a missing row is added."""
    id = compose_id(place, level, known_to)
    if id in rows:
        return {"change": {id: parts}}
    identity = {"hex": place, **({"level": level} if level else {}), **({"known_to": known_to} if known_to else {})}
    return {"add": {id: {**identity, **parts}}}


def _set_parts(ground: Ground, **parts: Any) -> Json:
    """The change of the field that sets these parts of a row; one that then says nothing of its place is struck."""
    after = replace(ground, **parts)
    blank = Ground.read(ground.id, {"known_to": ground.known_to, "hex": ground.hex, "level": ground.level})
    return {"strike": [ground.id]} if after == blank else {"change": {ground.id: parts}}


def merge_ground(*changes: Values) -> dict[str, object]:
    """Several changes of the field as one."""
    merged: Json = {}
    for change in changes:
        for how, rows in change.items():
            merged[how] = [*merged.get(how, ()), *rows] if how == "strike" else {**merged.get(how, {}), **rows}
    return merged


# The modifiers of an attack


def modifiers_at(rows: Rows, place: str, level: str = "", artillery: bool = False) -> list[str]:
    """The modifiers of the FFT for an attack on a place: as last used there, or else those of a building that is noted
    (R-157), and what lies in the hex by now."""
    ground, hex_ground = find_ground(rows, place, level), find_ground(rows, place)
    modifiers = dict.fromkeys(ground.modifiers if ground else ())
    if hex_ground:
        if not modifiers and hex_ground.building and not hex_ground.rubble:
            modifiers |= dict.fromkeys(_list_of_building(level))
        lying = {
            "rubble": hex_ground.rubble and not level,
            "trench": hex_ground.trench and not level,
            "burning_wreck": hex_ground.wreck == "burning",
            "smoke": bool(hex_ground.smoke) and not artillery,  # never against artillery (17.4.5)
        }
        modifiers |= dict.fromkeys(name for name, lies in lying.items() if lies)
    if not artillery:
        modifiers.pop("airburst", None)  # artillery's and mortars' alone (17.4.4)
    return list(modifiers)


def _list_of_building(level: str) -> list[str]:
    """The modifiers of a place in a building; none for a level that is not called one of its own."""
    if not level:
        return ["building_ground"]
    if level.isdigit():
        return ["upper_level"]
    return [name for name, word in (("rooftop", "roof"), ("cellar", "cellar")) if word in read_level(level)]


def terrain_of(modifiers: Iterable[str]) -> list[str]:
    """Those modifiers of an attack that its place has."""
    return [name for name in modifiers if name in TERRAIN]


def find_flaws(row: Values, book_modifiers: Iterable[str]) -> list[str]:
    """What is wrong with a row that is set by hand. ``book_modifiers``: those that the chart book has."""
    listed, flaws = list(book_modifiers), []
    unknown = [name for name in row.get("modifiers", ()) if name not in listed]
    if unknown:
        names = ", ".join(unknown)[:60]
        flaws.append(f"The chart book has no modifier {names}: choose among {', '.join(terrain_of(listed))}.")
    if row.get("known_to") and any(row.get(name) for name in ON_BOARD):
        flaws.append(
            "Everybody sees smoke, fire, wrecks and the Random marker on the board: note them in a row that is known "
            "to “all”."
        )
    return flaws


def learn_terrain(rows: Rows, place: str, level: str, modifiers: Sequence[str], book_modifiers: Iterable[str]) -> Json:
    """What an attack teaches about its place: the change of the field, nothing where it is as remembered.

    ``book_modifiers``: those that the chart book has.
    """
    book = set(book_modifiers)
    used = [name for name in terrain_of(modifiers) if name in book]
    ground = find_ground(rows, place, level)
    remembered = list(ground.modifiers) if ground else []
    if "airburst" in remembered and "airburst" not in used:
        used += ["airburst"] if {"woods", "debris"} & {*used} else []
    # Whoever takes off the tick that a building gives says that it is none.
    is_denied = not level and not used and "building_ground" in modifiers_at(rows, place)
    if set(used) == set(remembered) and not is_denied:
        return {}
    if len(rows) >= MOST_LEARNT and compose_id(place, level) not in rows:
        return {}
    parts: Json = {"modifiers": used}
    if is_denied:
        parts["building"] = False
    if "building_ground" in used and not level:
        parts["building"] = True
    return change_ground(rows, place, level, **parts)


# Smoke


def lay_smoke(rows: Rows, places: Iterable[str], turn: int) -> Json:
    """Smoke stands in these hexes from now on (17.4.7)."""
    room = [place for place in places if len(rows) < MOST_LEARNT or place in rows]
    return merge_ground(*(change_ground(rows, place, smoke=turn) for place in room))


def list_smoke(rows: Rows) -> list[str]:
    """The hexes in which smoke stands."""
    return [ground.hex for ground in _list_open(rows) if ground.smoke]


def clear_smoke(rows: Rows, turn: int) -> tuple[Json, list[str]]:
    """The Command Phase takes off the smoke of the turns before (17.4.7); returns the change, and the hexes."""
    cleared = [ground for ground in _list_open(rows) if 0 < ground.smoke < turn]
    return merge_ground(*(_set_parts(ground, smoke=0) for ground in cleared)), [ground.place for ground in cleared]


# The Reorganization Phase


def reorganize_hexes(rows: Rows) -> tuple[Json, list[str]]:
    """20.7.1 steps 1 and 2: burning wrecks burn out, fires in buildings become Rubble and others go; smoke goes, too.

    Trenches, AT trenches, mouseholes, rubble and wrecks stay (20.4.1). Returns the change of the field, and sentences.
    """
    changes: list[Json] = []
    sentences = []
    for ground in _list_open(rows):
        becomes: Json = {}
        if ground.wreck == "burning":
            becomes["wreck"] = "wreck"
            sentences.append(f"{ground.place}: the burning wreck becomes a plain one (20.7.1 step 1).")
        if ground.fire:
            becomes |= {"fire": False, **({"rubble": True} if ground.building else {})}
            fate = "becomes Rubble" if ground.building else "goes"
            sentences.append(f"{ground.place}: the fire {fate} (20.7.1 step 2).")
        if ground.smoke:
            becomes["smoke"] = 0
            sentences.append(f"{ground.place}: the smoke goes (20.6.4 step 6).")
        if becomes:
            changes.append(_set_parts(ground, **becomes))
    return merge_ground(*changes), sentences


# The Random marker


def move_random(rows: Rows, place: str) -> Json:
    """The Random marker stands in a hex, and nowhere else (20.5.8 step 4, 20.5.8.1 step 6)."""
    others = [ground for ground in _list_open(rows) if ground.random and ground.id != compose_id(place)]
    removals = [_set_parts(ground, random=False) for ground in others]
    return merge_ground(*removals, *([change_ground(rows, place, random=True)] if place else ()))


def find_random(rows: Rows) -> str:
    """The hex of the Random marker, "" if nobody has noted it."""
    return next((ground.hex for ground in _list_open(rows) if ground.random), "")


# What a card says


def describe_ground(ground: Ground, names: Mapping[str, str]) -> tuple[str, ...]:
    """What is known of a hex, in words. ``names``: of the modifiers."""
    terrain = ", ".join(names.get(name, name.replace("_", " ")) for name in ground.modifiers)
    lying = _list_lying(ground, is_building="building_ground" not in ground.modifiers)
    return tuple(filter(None, (terrain, lying, ground.note)))


def describe_around(ground: Ground) -> tuple[str, ...]:
    """What those on a level of a hex have of it: its own terrain is the ground's."""
    return tuple(filter(None, (_list_lying(ground), ground.note)))


def _list_lying(ground: Ground, is_building: bool = True) -> str:
    lying = (
        ground.building and is_building and "building",
        (ground.wreck and WRECKS[ground.wreck]),
        ground.rubble and "rubble",
        ground.trench and "trench",
        ground.at_trench and "AT trench",
        ground.mousehole and "mousehole",
        ground.fire and "fire",
        ground.smoke and f"smoke of turn {ground.smoke}",
        ground.mines and f"mines, {ground.mines}",
        ground.random and "Random marker",
        ground.height and f"ground at level {ground.height}",
    )
    return ", ".join(word for word in lying if word)
