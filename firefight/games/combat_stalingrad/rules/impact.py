"""What artillery and bombs attack: every unit where they fall, of either side (17.4.5, 17.4.6, 17.6.5, A-57).

Nobody is named beforehand: the impact decides. What a hidden counter suffers is offered to its owner alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.engine.board.counters import Piece
from firefight.engine.board.hexes import HexMap
from firefight.engine.charts.book import Book
from firefight.engine.errors import RuleError
from firefight.engine.rolls.result import FollowUp
from firefight.engine.values import Json, Values

from .air import Aircraft, AirWeapon, air_attack, air_fire, find_scatter, is_in_cellar
from .artillery import Fire, Marker
from .barrage import find_zone, firepower
from .filling import unit_under_fire
from .marks import is_unit
from .units import Unit

Inputs = Values


def read_shot(inputs: Inputs) -> Json:
    """What a roll of firepower is made with, from plain inputs. Raises ValueError for what cannot be read."""
    caliber = inputs.get("caliber")
    return {
        "caliber": int(caliber) if caliber else None,
        "marker": Marker(inputs.get("marker") or Marker.FFE),
        "kind": Fire(inputs.get("kind") or Fire.BATTERY),
        **{name: _is_ticked(inputs.get(name)) for name in ("smoke", "danger_close", "fire_2")},
        "impact": str(inputs.get("impact") or ""),
        "rim_hexes": int(inputs.get("rim_hexes") or 0),
        "rim_direction": int(inputs.get("rim_direction") or 1),
    }


def _is_ticked(value: object) -> bool:
    return str(value).lower() in ("true", "1", "on", "yes")


def find_struck(charts: Book, inputs: Inputs, pieces: Iterable[Piece]) -> list[Piece]:
    """The counters that an impact attacks: every unit that stands in one of its hexes, the nearest first."""
    try:
        zone = [str(place) for place in find_zone(charts=charts, **read_shot(inputs))]
    except (RuleError, ValueError):  # not known yet, or impossible
        return []
    return _find_in(zone, pieces)


def _find_in(zone: Sequence[str], pieces: Iterable[Piece]) -> list[Piece]:
    """The units that stand in some hexes, in the order of these."""
    ranks = {place: rank for rank, place in enumerate(zone)}
    units = [piece for piece in pieces if piece.counter.in_play and is_unit(piece.kind.kind)]
    struck = [piece for piece in units if piece.counter.place in ranks]
    return sorted(struck, key=lambda piece: (ranks[piece.counter.place], piece.counter.level, piece.counter.number))


def list_attacks(charts: Book, inputs: Inputs, struck: Sequence[Piece]) -> tuple[FollowUp, ...]:
    """The attacks of an impact on counters, one for each place (17.4.5); none where its firepower is not known."""
    shot = _find_shot(inputs)
    if not struck or shot is None:
        return ()
    try:
        return firepower(charts=charts, **shot, units=[unit_under_fire(piece) for piece in struck]).follow_ups
    except RuleError:
        return ()


def _find_shot(inputs: Inputs) -> Json | None:
    try:
        shot = read_shot(inputs)
    except ValueError:
        return None
    return shot if shot["caliber"] else None


def fill_units(charts: Book, inputs: Inputs, pieces: Sequence[Piece]) -> dict[str, object]:
    """The units of a firepower roll: those that all know to stand in its hexes, and those that players gave by hand.

    A unit that was chosen before Contact has only chosen the hex, and counts where it stands now.
    """
    visible = [piece for piece in pieces if not piece.counter.hidden]
    return _list_units(inputs, visible, find_struck(charts, inputs, visible))


def fill_bombed(charts: Book, inputs: Inputs, pieces: Sequence[Piece]) -> dict[str, object]:
    """The units that an attack from the air may meet: all that are known to stand where it may scatter to."""
    visible = [piece for piece in pieces if not piece.counter.hidden]
    return _list_units(inputs, visible, find_in_reach(charts, inputs, visible))


def find_in_reach(charts: Book, inputs: Inputs, pieces: Iterable[Piece]) -> list[Piece]:
    """The counters that an attack from the air may meet, the nearest first (17.6.5)."""
    hexes: HexMap = charts["map"].hexes
    try:
        aimed = hexes.parse(str(inputs.get("hex") or ""))
    except RuleError:
        return []
    return _find_in([str(place) for place in hexes.within(aimed, find_scatter(charts))], pieces)


def list_bombings(charts: Book, inputs: Inputs, dice: Values, struck: Sequence[Piece]) -> list[FollowUp]:
    """The attacks of an aircraft that has attacked with these dice on counters which its form did not name."""
    if not struck:
        return []
    units = [unit_under_fire(piece) for piece in struck]
    plane, weapon = Aircraft(inputs["aircraft"]), AirWeapon(inputs["weapon"])
    result = air_attack(charts=charts, aircraft=plane, weapon=weapon, hex=inputs["hex"], units=units, **dice)
    return [attack for attack in result.follow_ups if attack.inputs["units"]]


def list_picks(charts: Book, inputs: Inputs, zone: Sequence[str], pieces: Iterable[Piece]) -> list[FollowUp]:
    """The attacks of an aircraft on each place with units in some hexes, of which one hex is picked (17.6.5)."""
    plane, weapon = Aircraft(inputs["aircraft"]), AirWeapon(inputs["weapon"])
    standing = (unit_under_fire(piece) for piece in _find_in(zone, pieces))
    units = [unit for unit in standing if not is_in_cellar(unit)]
    return [
        replace(attack, title=f"{place}: {attack.title}")
        for place in dict.fromkeys(unit.hex for unit in units)
        for attack in air_fire(charts, plane, weapon, [unit for unit in units if unit.hex == place])
    ]


def _list_units(inputs: Inputs, visible: Sequence[Piece], struck: Sequence[Piece]) -> dict[str, object]:
    """Rows of units: those given whose place nobody knows, and those struck. A lost one is neither."""
    known_ids = {piece.counter.id for piece in visible if piece.counter.place or not piece.counter.in_play}
    rows = inputs.get("units")
    typed = [row for row in rows if _find_id(row) not in known_ids] if isinstance(rows, (list, tuple)) else []
    return {"units": [*typed, *(unit_under_fire(piece).plain() for piece in struck)]}


def _find_id(row: Mapping[str, object] | Unit) -> str:
    return str(row.get("id") or "") if isinstance(row, Mapping) else row.id
