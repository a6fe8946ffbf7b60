"""What a combat is filled with from the counters that players tapped, and how that comes about (3.21, 3.23).

What only the map tells stays with the players: the terrain, who is next to whom. What nobody has said of a counter, its
kind of unit, is asked once.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from firefight.engine.board.counters import NO_ACCOUNT, Account, AskedValue, LackingValues, Piece, counter_sources
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .box import KIND, NUMBERED, UnitCounter
from .combat import LONGEST_FIRER, Firer, Kind
from .fractions import WHOLE
from .strength import OF_ARMOR, Target
from .terrain import SOVIET, Terrain
from .units import ENGINEERS, FOOT, OVERRUN_DEFENCE, Action, Unit, choose_strength

Pieces = Sequence[Piece]
FACE_DOWN = "face_down"
# What of the form decides what counters fill of it.
HINGES: Mapping[str, AskedValue | None] = {"kind": None, "terrain": None, "defence": None}
CLOSE = (Kind.GROUND_ATTACK, Kind.OVERRUN, Kind.INSTANT_COUNTERATTACK)  # fire at the next hex
INDIRECT = (Kind.GROUND_ATTACK, Kind.BOMBARDMENT)  # what guns take part in from afar


def explain_combat(firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, Account]:
    """What counters fill of a combat, in words, too. Raises BadInput with every reason why they cannot do that."""
    kind = Kind(str(known.get("kind") or Kind.GROUND_ATTACK.value))
    filled = _fill_target(targets, is_defence=bool(known.get("defence")))
    if not firers:
        return filled, NO_ACCOUNT
    _refuse(firers, kind)
    try:
        _ask_kinds(firers, targets, kind)
    except LackingValues as lacking:
        return filled, Account(asked=lacking.asked)
    rows = [_fire(each, firers, targets, kind, known) for each in firers]
    if any(each.kind.unit in ENGINEERS for each in firers):
        filled["engineer"] = True
    told = [words for _, words in rows if words]
    sources = counter_sources(each.kind.origin for each in (*firers, *targets))
    return {**filled, "firers": [firer.plain() for firer, _ in rows]}, Account("; ".join(told), sources)


def _fill_target(targets: Pieces, *, is_defence: bool) -> Json:
    """Who is fired at, and where."""
    if not targets:
        return {}
    filled: Json = {"at": [_plain(each) for each in targets]}
    if len(places := {each.counter.place for each in targets}) == 1:
        filled["hex"] = places.pop()[:4]
    if len(sides := {each.counter.side for each in targets}) == 1 and not is_defence:
        filled["occupant"] = sides.pop()
    return filled


def _plain(each: Piece) -> Json:
    """A counter as the row of a form, with what it is: guns are lost before others in one case (3.23 Artillery)."""
    counter = each.counter
    row = {"kind": counter.counter, "name": counter.name, "state": list(counter.state), "id": counter.id}
    return {**row, "sort": each.kind.sort}


def _refuse(firers: Pieces, kind: Kind) -> None:
    """Raise BadInput for who never fires so (3.23 Artillery, Flak)."""
    why = []
    for each in firers:
        unit, is_soviet = each.kind.unit, each.counter.side == SOVIET
        if kind is Kind.AIR_ATTACK:
            why.append(f"{each.counter.name}: in an air attack Air Points fire, no counters.")
        elif kind is Kind.ANTI_AIR and unit not in (None, Unit.FLAK):
            why.append(f"{each.counter.name}: only flak fires at Air Points.")
        elif kind is Kind.ANTI_AIR and is_soviet and FACE_DOWN in each.counter.state:
            why.append(f"{each.counter.name} lies face down: it does not fire at Air Points.")
        elif kind is Kind.BOMBARDMENT and each.kind.printed.range is None and not each.kind.is_gun:
            why.append(f"{each.counter.name} has no range: it does not bombard.")
    if why:
        raise BadInput({"firers": " ".join(why)})


def ask_kind(each: Piece) -> AskedValue:
    """The question what a counter is, which the display does not say."""
    choices = tuple((number, unit.word) for number, unit in NUMBERED.items())
    return AskedValue.of(each, KIND, "kind of unit", 1, len(NUMBERED), choices)


def _ask_kinds(firers: Pieces, targets: Pieces, kind: Kind) -> None:
    """Raise LackingValues for those whose kind decides a strength: who fires close by, whom guns fire at."""
    asked = [each for each in firers if not each.kind.is_gun and kind in CLOSE]
    if kind in INDIRECT and any(each.kind.is_gun for each in firers):
        asked += [each for each in targets if not each.kind.is_gun]
    if lacking := [ask_kind(each) for each in asked if each.kind.unit is None]:
        raise LackingValues(lacking)


def _fire(each: Piece, firers: Pieces, targets: Pieces, kind: Kind, known: Values) -> tuple[Firer, str]:
    """One row of the sum, and what is to be told of it."""
    counter: UnitCounter = each.kind
    name, is_soviet = each.counter.name, each.counter.side == SOVIET
    if counter.is_gun:
        armor = find_armor(target.kind for target in targets) if kind in INDIRECT else Target.NONE
        indirect, called = kind is Kind.GROUND_ATTACK, name[:LONGEST_FIRER]
        firer = Firer(counter.printed.first, OF_ARMOR[armor], called, indirect, is_soviet and counter.is_artillery)
        return firer, "" if armor is Target.NONE else f"{name}: {armor.word.lower()} in the hex"
    if kind is Kind.OVERRUN and is_soviet and (times := OVERRUN_DEFENCE.get(counter.unit or Unit.INFANTRY)):
        return Firer(counter.printed.first, Fraction(times), name[:LONGEST_FIRER]), f"{name}: overrun, × {times}"
    strength, words = _choose_strength(each, firers, kind, known)
    return Firer(strength, WHOLE, name[:LONGEST_FIRER]), words


def _choose_strength(each: Piece, firers: Pieces, kind: Kind, known: Values) -> tuple[int, str]:
    """Which of two Fire Strengths a counter fires with (3.23 Infantry, Armor, Anti-Tank; BR-11)."""
    printed, unit = each.kind.printed, each.kind.unit
    if printed.second is None or unit is None:
        return printed.first, ""
    action = Action.INSTANT_COUNTERATTACK if kind is Kind.INSTANT_COUNTERATTACK else Action.GROUND_ATTACK
    is_own_hex = known.get("defence") == SOVIET  # the terrain of a Soviet defence is its own
    terrain = Terrain.CLEAR if is_own_hex else Terrain(str(known.get("terrain") or Terrain.CLEAR.value))
    beside_foot = any(_stands_with(each, other) and other.kind.unit in FOOT for other in firers)
    which = choose_strength(each.counter.side, unit, action, terrain, beside_foot)
    strength = printed.first if which == "first" else printed.second
    return strength, f"{each.counter.name}: {which} Fire Strength, {strength}"


def _stands_with(one: Piece, other: Piece) -> bool:
    """Whether two counters stand in one hex, as far as anybody has said where."""
    return one is not other and bool(one.counter.place) and one.counter.place == other.counter.place


def find_armor(kinds: Iterable[UnitCounter]) -> Target:
    """Whether armor stands in a hex, alone or among others (3.23 Armor)."""
    there = [kind.is_armor for kind in kinds]
    return Target.NONE if not any(there) else Target.ONLY if all(there) else Target.MIXED
