"""How many units may stand in a hex at the end of a phase (5.0 Stacking)."""

from collections.abc import Iterator, Mapping

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import count_of

from .data import from_text, read_lists
from .terms import Side


class Stacked(Labelled):
    """What stands in a hex."""

    COMBAT = "combat", "combat unit", "5.3"
    LEADER = "leader", "leader", "5.5"
    OP = "op", "observer", "5.5"
    SNIPER = "sniper", "sniper", "5.5"
    MINE_DOG = "mine_dog", "mine dog", "5.5"
    TRANSPORT = "transport", "transport", "5.5"
    TANK_REPAIR = "tank_repair", "tank repair unit", "5.5"
    RIVER_FLOTILLA = "river_flotilla", "flotilla unit", "5.5"
    FORTIFICATION = "fortification", "fortification", "5.5"
    BRIDGE = "bridge", "bridge", "5.5"
    MINEFIELD = "minefield", "minefield", "5.6"


COMPANIONS = (
    Stacked.LEADER,
    Stacked.OP,
    Stacked.SNIPER,
    Stacked.MINE_DOG,
)  # only one of all these on a minefield (5.6)
MINEFIELD_COMPANIONS = "minefield_companions"


class TransportMines(Outcome):
    """Whether transports may stand on a minefield (S51)."""

    NO = "no"
    YES = "yes"


def stacking(
    *,
    charts: Book,
    side: Side,
    tank_stug_or_armored_car: bool,
    volga_hex: bool,
    transport_mines: TransportMines = TransportMines.NO,
    immobilized_in_zoc: bool = False,
    **numbers: int,
) -> Result:
    """Whether a hex may hold a stack as a phase ends, or which limits it breaks (5.3 to 5.6, 16.34; A13, A14, S51).

    numbers: how many there are of each Stacked, by its value. immobilized_in_zoc: an immobilized tank is put there, and
    a German ZOC reaches the hex, which it never does in city and industrial ones (16.34).
    """
    stack = {piece: numbers.get(piece.value, 0) for piece in Stacked}
    broken = dict(_find_broken(side, stack, tank_stug_or_armored_car, volga_hex))
    if stack[Stacked.MINEFIELD]:
        broken |= dict(_find_broken_on_mines(stack, transport_mines is TransportMines.YES))
    if immobilized_in_zoc:
        broken["immobilized_in_zoc"] = "16.34: no immobilized tank is put into a German ZOC but as a scenario begins."
    return allow_or_refuse(
        "Stack",
        broken.values(),
        (
            "5.1",
            "5.3" if side is Side.GERMAN else "5.4",
            "5.5",
            *(("5.6",) if stack[Stacked.MINEFIELD] else ()),
            *(("16.34",) if immobilized_in_zoc else ()),
        ),
        {"broken": list(broken)},
        provenance=from_text("limits"),
    )


def find_combat_limit(side: Side, has_armour: bool) -> int:
    """How many combat units of a side fit in a hex (5.3, 5.4; A13)."""
    limits: Mapping[str, int] = read_lists("limits")["combat"]
    return limits["german_with_armour" if side is Side.GERMAN and has_armour else side.value]


def _find_broken(
    side: Side, stack: Mapping[Stacked, int], has_armour: bool, on_volga: bool
) -> Iterator[tuple[str, str]]:
    limits = read_lists("limits")[side.value]
    for piece, number in stack.items():
        most = find_combat_limit(side, has_armour) if piece is Stacked.COMBAT else limits[piece.value]
        if piece is Stacked.RIVER_FLOTILLA and number and most and not on_volga:
            yield piece.value, "5.5: flotilla units stand in solid Volga hexes only."
        elif number > most:
            rule = "5.4" if piece is Stacked.COMBAT and side is Side.SOVIET else piece.rule
            allowed = f"at most {count_of(most, piece.word)}" if most else f"no {piece.word} of this side"
            yield piece.value, f"{rule}: {allowed}, not {number}."


def _find_broken_on_mines(stack: Mapping[Stacked, int], with_transports: bool) -> Iterator[tuple[str, str]]:
    limits = read_lists("limits")
    if stack[Stacked.COMBAT] > limits["combat"]["minefield"]:
        yield Stacked.COMBAT.value, "5.6: one combat unit on a minefield."
    companions = sum(stack[piece] for piece in COMPANIONS)
    if companions > limits["companions"]["minefield"]:
        yield MINEFIELD_COMPANIONS, "5.6: one leader, observer, sniper or mine dog on a minefield, not several."
    elif stack[Stacked.TANK_REPAIR] or (stack[Stacked.TRANSPORT] and not with_transports):
        yield MINEFIELD_COMPANIONS, "5.6: its list for minefields has no transports and no repair unit (S51)."
