"""What a combat is filled with from the counters that players tapped, and how that comes about (3.21, 3.23).

What only the map tells stays with the players: the terrain, who is next to whom. What is not known of a counter, its
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
from .terrain import MAMAYEV_KURGAN, SOVIET, Terrain
from .units import ENGINEERS, FOOT, OVERRUN_DEFENCE, Action, Unit, choose_strength

Pieces = Sequence[Piece]
FACE_DOWN = "face_down"
# The fields that decide what counters fill in.
HINGES: Mapping[str, AskedValue | None] = {"kind": None, "terrain": None, "defence": None}
CLOSE = (Kind.GROUND_ATTACK, Kind.OVERRUN, Kind.INSTANT_COUNTERATTACK)  # fire at the next hex
INDIRECT = (Kind.GROUND_ATTACK, Kind.BOMBARDMENT)  # in which guns take part from afar


def explain_combat(firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, Account]:
    """What counters fill in on a combat, and how, in words. Raises BadInput with every reason why they cannot."""
    kind = Kind(str(form.get("kind") or Kind.GROUND_ATTACK.value))
    filled = _fill_target(targets, is_defence=bool(form.get("defence")))
    soviets = firers if form.get("defence") == SOVIET else targets
    if {piece.counter.place for piece in soviets} == {MAMAYEV_KURGAN}:
        filled["terrain"] = str(form.get("terrain") or Terrain.FORTIFIED.value)  # note 5 of the chart
        form = {**form, "terrain": filled["terrain"]}
    if not firers:
        return filled, NO_ACCOUNT
    _refuse(firers, kind)
    try:
        _ask_kinds(firers, targets, kind)
    except LackingValues as lacking:
        return filled, Account(asked=lacking.asked)
    rows = [_fire(piece, firers, targets, kind, form) for piece in firers]
    if any(piece.kind.unit in ENGINEERS for piece in firers):
        filled["engineer"] = True
    account = [words for _, words in rows if words]
    sources = counter_sources(piece.kind.origin for piece in (*firers, *targets))
    return {**filled, "firers": [firer.plain() for firer, _ in rows]}, Account("; ".join(account), sources)


def list_in_hex(slug: str, targets: Pieces, everybody: Iterable[Piece]) -> Sequence[str]:
    """All units of a side in a hex that is fired at: the sheet knows no fire at some of them (3.21, 3.22; BR-13)."""
    hexes = {(piece.counter.side, piece.counter.place) for piece in targets if piece.counter.place}
    if slug != "combat":
        return ()
    counters = (piece.counter for piece in everybody if piece.counter.in_play)
    return [counter.id for counter in counters if (counter.side, counter.place) in hexes]


def _fill_target(targets: Pieces, *, is_defence: bool) -> Json:
    """Who is fired at, and where."""
    if not targets:
        return {}
    filled: Json = {"at": [_plain(piece) for piece in targets]}
    if len(places := {piece.counter.place for piece in targets}) == 1:
        filled["hex"] = places.pop()[:4]
    if len(sides := {piece.counter.side for piece in targets}) == 1 and not is_defence:
        filled["occupant"] = sides.pop()
    return filled


def _plain(piece: Piece) -> Json:
    """A counter as the row of a form, with what it is: guns are lost before others in one case (3.23 Artillery)."""
    counter = piece.counter
    row = {"kind": counter.counter, "name": counter.name, "state": list(counter.state), "id": counter.id}
    return {**row, "sort": piece.kind.sort}


def _refuse(firers: Pieces, kind: Kind) -> None:
    """Raise BadInput for those who never fire in that way (3.23 Artillery, Flak)."""
    why = []
    for piece in firers:
        unit, is_soviet = piece.kind.unit, piece.counter.side == SOVIET
        if kind is Kind.AIR_ATTACK:
            why.append(f"{piece.counter.name}: in an air attack Air Points fire, no counters.")
        elif kind is Kind.ANTI_AIR and unit not in (None, Unit.FLAK):
            why.append(f"{piece.counter.name}: only flak fires at Air Points.")
        elif kind is Kind.ANTI_AIR and is_soviet and FACE_DOWN in piece.counter.state:
            why.append(f"{piece.counter.name} lies face down: it does not fire at Air Points.")
        elif kind is Kind.BOMBARDMENT and piece.kind.printed.range is None and not piece.kind.is_gun:
            why.append(f"{piece.counter.name} has no range: it does not bombard.")
    if why:
        raise BadInput({"firers": " ".join(why)})


def ask_kind(piece: Piece) -> AskedValue:
    """The question of what a counter is, which the display does not say."""
    choices = tuple((number, unit.word) for number, unit in NUMBERED.items())
    return AskedValue.of(piece, KIND, "kind of unit", 1, len(NUMBERED), choices)


def _ask_kinds(firers: Pieces, targets: Pieces, kind: Kind) -> None:
    """Raise LackingValues for those whose kind decides a strength: units that fire close by, targets of guns."""
    pieces = [piece for piece in firers if not piece.kind.is_gun and kind in CLOSE]
    if kind in INDIRECT and any(piece.kind.is_gun for piece in firers):
        pieces += [piece for piece in targets if not piece.kind.is_gun]
    if lacking := [ask_kind(piece) for piece in pieces if piece.kind.unit is None]:
        raise LackingValues(lacking)


def _fire(piece: Piece, firers: Pieces, targets: Pieces, kind: Kind, form: Values) -> tuple[Firer, str]:
    """One row of the sum, and what to say about it."""
    counter: UnitCounter = piece.kind
    name, is_soviet = piece.counter.name, piece.counter.side == SOVIET
    if counter.is_gun:
        armor = find_armor(target.kind for target in targets) if kind in INDIRECT else Target.NONE
        indirect, short_name = kind is Kind.GROUND_ATTACK, name[:LONGEST_FIRER]
        firer = Firer(counter.printed.first, OF_ARMOR[armor], short_name, indirect, is_soviet and counter.is_artillery)
        return firer, "" if armor is Target.NONE else f"{name}: {armor.word.lower()} in the hex"
    if kind is Kind.OVERRUN and is_soviet and (times := OVERRUN_DEFENCE.get(counter.unit or Unit.INFANTRY)):
        return Firer(counter.printed.first, Fraction(times), name[:LONGEST_FIRER]), f"{name}: overrun, × {times}"
    strength, words = _choose_strength(piece, firers, kind, form)
    return Firer(strength, WHOLE, name[:LONGEST_FIRER]), words


def _choose_strength(piece: Piece, firers: Pieces, kind: Kind, form: Values) -> tuple[int, str]:
    """Which of two Fire Strengths a counter fires with (3.23 Infantry, Armor, Anti-Tank; BR-11)."""
    printed, unit = piece.kind.printed, piece.kind.unit
    if printed.second is None or unit is None:
        return printed.first, ""
    action = Action.INSTANT_COUNTERATTACK if kind is Kind.INSTANT_COUNTERATTACK else Action.GROUND_ATTACK
    is_own_hex = form.get("defence") == SOVIET  # the terrain of a Soviet defence is its own
    terrain = Terrain.CLEAR if is_own_hex else Terrain(str(form.get("terrain") or Terrain.CLEAR.value))
    beside_foot = any(_stands_with(piece, other) and other.kind.unit in FOOT for other in firers)
    which = choose_strength(piece.counter.side, unit, action, terrain, beside_foot)
    strength = printed.first if which == "first" else printed.second
    return strength, f"{piece.counter.name}: {which} Fire Strength, {strength}"


def _stands_with(piece: Piece, other: Piece) -> bool:
    """Whether two counters stand in one hex, as far as anybody has said where."""
    return piece is not other and bool(piece.counter.place) and piece.counter.place == other.counter.place


def find_armor(kinds: Iterable[UnitCounter]) -> Target:
    """Whether armor stands in a hex, alone or among others (3.23 Armor)."""
    are_armor = [kind.is_armor for kind in kinds]
    return Target.NONE if not any(are_armor) else Target.ONLY if all(are_armor) else Target.MIXED
