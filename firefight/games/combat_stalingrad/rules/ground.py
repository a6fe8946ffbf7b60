"""What is known of hexes: what an attack there is read with, and what lies there (17.4.7, 20.4.1, 20.7.1).

A row is a hex, "K7", or a level of its building, "K7/1". What one side alone knows of a hex, such as its mines, is a
row of its own: "russian:K7".
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

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
MOST_LEARNT = 350  # rows, beyond which rolls add none: there is room for what players note

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
    ground = [*("ground level" for name in row["modifiers"] if name == "building_ground"), *used, *lying]
    ground += [WRECKS[row["wreck"]]] if row["wreck"] else []
    ground += [f"ground at level {row['height']}"] if row["height"] else []
    ground += [f"smoke of turn {row['smoke']}"] if row["smoke"] else []
    ground += [f"mines {row['mines']}"] if row["mines"] else []
    ground += [f"“{row['note']}”"] if row["note"] else []
    told = ", ".join(ground)
    if row["building"]:
        return f"{call_place(row)} is a building{f', {told}' if told else ''}"
    return f"{call_place(row)}: {told or 'open ground'}"


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


def find_ground(rows: Rows, place: str, level: str = "") -> Ground | None:
    """What all know of a hex or of a level in it."""
    row = rows.get(compose_id(place, level))
    return None if row is None else Ground.read(compose_id(place, level), row)


def _list_open(rows: Rows) -> list[Ground]:
    """What all know: the app does nothing to what a side alone does, for that would tell of it."""
    found = (Ground.read(id, row) for id, row in rows.items())
    return [each for each in found if not each.known_to]


def change_ground(rows: Rows, place: str, level: str = "", known_to: str = "", **parts: object) -> dict[str, object]:
    """The change of the field that lets a hex, or a level in it, be so: its row comes if there is none yet."""
    id = compose_id(place, level, known_to)
    if id in rows:
        return {"change": {id: parts}}
    where = {"hex": place, **({"level": level} if level else {}), **({"known_to": known_to} if known_to else {})}
    return {"add": {id: {**where, **parts}}}


def merge_ground(*changes: Values) -> dict[str, object]:
    """Several changes of the field as one."""
    found: Json = {}
    for change in changes:
        for how, rows in change.items():
            found[how] = [*found.get(how, ()), *rows] if how == "strike" else {**found.get(how, {}), **rows}
    return found


# What an attack is read with


def modifiers_at(rows: Rows, place: str, level: str = "", artillery: bool = False) -> list[str]:
    """The modifiers of the FFT for an attack on a place: as last used there, and what lies in the hex by now."""
    here, base = find_ground(rows, place, level), find_ground(rows, place)
    found = dict.fromkeys(here.modifiers if here else ())
    if base:
        lying = {
            "rubble": base.rubble and not level,
            "trench": base.trench and not level,
            "burning_wreck": base.wreck == "burning",
            "smoke": bool(base.smoke) and not artillery,  # never against artillery (17.4.5)
        }
        found |= dict.fromkeys(name for name, lies in lying.items() if lies)
    if not artillery:
        found.pop("airburst", None)  # artillery's and mortars' alone (17.4.4)
    return list(found)


def terrain_of(modifiers: Iterable[str]) -> list[str]:
    """Those modifiers of an attack that its place has."""
    return [name for name in modifiers if name in TERRAIN]


def find_flaws(row: Values, known: Iterable[str]) -> list[str]:
    """What is wrong with a row that a hand sets. ``known``: the modifiers that the chart book has."""
    listed, found = list(known), []
    odd = [name for name in row.get("modifiers", ()) if name not in listed]
    if odd:
        names = ", ".join(odd)[:60]
        found.append(f"The chart book has no modifier {names}: choose among {', '.join(terrain_of(listed))}.")
    if row.get("known_to") and any(row.get(name) for name in ON_BOARD):
        found.append(
            "Everybody sees smoke, fire, wrecks and the Random marker on the board: note them in a row that is known "
            "to “all”."
        )
    return found


def learn_terrain(rows: Rows, place: str, level: str, modifiers: Sequence[str], known: Iterable[str]) -> Json:
    """What an attack teaches of its place: the change of the field, nothing where it is as was remembered.

    ``known``: the modifiers that the chart book has.
    """
    book = set(known)
    used = [name for name in terrain_of(modifiers) if name in book]
    here = find_ground(rows, place, level)
    was = list(here.modifiers) if here else []
    if "airburst" in was and "airburst" not in used:
        used += ["airburst"] if {"woods", "debris"} & {*used} else []
    if set(used) == set(was):
        return {}
    if len(rows) >= MOST_LEARNT and compose_id(place, level) not in rows:
        return {}
    parts: Json = {"modifiers": used}
    if "building_ground" in used and not level:
        parts["building"] = True
    return change_ground(rows, place, level, **parts)


# Smoke


def lay_smoke(rows: Rows, places: Iterable[str], turn: int) -> Json:
    """Smoke stands in these hexes from now on (17.4.7)."""
    room = [place for place in places if len(rows) < MOST_LEARNT or place in rows]
    return merge_ground(*(change_ground(rows, place, smoke=turn) for place in room))


def clear_smoke(rows: Rows, turn: int) -> tuple[dict[str, object], list[str]]:
    """The Command Phase takes off the smoke of the turns before (17.4.7); returns the change, and the hexes."""
    gone = [found for found in _list_open(rows) if 0 < found.smoke < turn]
    return {"change": {found.id: {"smoke": 0} for found in gone}} if gone else {}, [found.place for found in gone]


# The Reorganization Phase


def reorganize_hexes(rows: Rows) -> tuple[Json, list[str]]:
    """20.7.1 steps 1 and 2: burning wrecks burn out, fires in buildings become Rubble and others go; smoke goes, too.

    Trenches, AT trenches, mouseholes, rubble and wrecks stay (20.4.1). Returns the change of the field, and sentences.
    """
    parts: dict[str, Json] = {}
    told = []
    for found in _list_open(rows):
        becomes: Json = {}
        if found.wreck == "burning":
            becomes["wreck"] = "wreck"
            told.append(f"{found.place}: the burning wreck becomes a plain one (20.7.1 step 1).")
        if found.fire:
            becomes |= {"fire": False, **({"rubble": True} if found.building else {})}
            what = "becomes Rubble" if found.building else "goes"
            told.append(f"{found.place}: the fire {what} (20.7.1 step 2).")
        if found.smoke:
            becomes["smoke"] = 0
            told.append(f"{found.place}: the smoke goes (20.6.4 step 6).")
        if becomes:
            parts[found.id] = becomes
    return ({"change": parts} if parts else {}), told


# The Random marker


def move_random(rows: Rows, place: str) -> Json:
    """The Random marker stands in a hex, and nowhere else (20.5.8 step 4, 20.5.8.1 step 6)."""
    others = [found.id for found in _list_open(rows) if found.random and found.id != compose_id(place)]
    left = {"change": {id: {"random": False} for id in others}} if others else {}
    return merge_ground(left, change_ground(rows, place, random=True)) if place else left


def find_random(rows: Rows) -> str:
    """The hex of the Random marker, "" if nobody has noted it."""
    return next((found.hex for found in _list_open(rows) if found.random), "")


# What a card says


def describe_ground(found: Ground, names: Mapping[str, str]) -> tuple[str, ...]:
    """What is known of a hex, in words. ``names``: of the modifiers."""
    lying = (
        (found.wreck and WRECKS[found.wreck]),
        found.rubble and "rubble",
        found.trench and "trench",
        found.at_trench and "AT trench",
        found.mousehole and "mousehole",
        found.fire and "fire",
        found.smoke and f"smoke of turn {found.smoke}",
        found.mines and f"mines, {found.mines}",
        found.random and "Random marker",
        found.height and f"ground at level {found.height}",
    )
    terrain = ", ".join(names.get(name, name.replace("_", " ")) for name in found.modifiers)
    return tuple(filter(None, (terrain, ", ".join(word for word in lying if word), found.note)))
