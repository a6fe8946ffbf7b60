"""What the enemy sees of units, and where zones of control reach (6.2, 7.0 Hidden Units)."""

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result

from .terms import Side, Terrain

HIDDEN_FOR_FOOT = (Terrain.BALKA, Terrain.CLIFF)
HIDDEN_FOR_ALL = (Terrain.FOREST, Terrain.SUBURB, Terrain.VILLAGE, Terrain.STRONG_POINT)
SEEN_IN_BAD_WEATHER = 4  # hexes (7.4)


class Sky(Labelled):
    """The weather as the record has it."""

    NONE = "none", "no roll"
    FAIR = "fair"
    BAD = "bad"


def hidden(
    *, charts: Book, terrain: Terrain, vehicle: bool, side: Side = Side.SOVIET, weather: Sky = Sky.NONE
) -> Result:
    """Whether units are hidden in a terrain, and whether a ZOC reaches into it (6.2, 7.1, 7.2, 7.4; S56).

    vehicle: neither foot nor dismounted. side: whose units they are.
    """
    is_hidden, has_zoc = hides(terrain, vehicle), not terrain.is_built_up
    seen_within, needs_sight = None, None
    if not is_hidden:
        is_bad = weather is Sky.BAD
        needs_sight = side is Side.GERMAN or is_bad
        seen_within = SEEN_IN_BAD_WEATHER if side is Side.SOVIET and is_bad else None
    return Result(
        f"{terrain.word}: {'hidden' if is_hidden else 'not hidden'}, {'' if has_zoc else 'no '}ZOC reaches into it.",
        IsShown.SHOWN,
        details={"hidden": is_hidden, "zoc": has_zoc, "needs_los": needs_sight, "seen_within": seen_within},
        effects=(_tell(is_hidden, terrain, needs_sight, seen_within),),
        rules=("6.2", "7.1", "7.2", *(() if is_hidden else ("7.4",)), *(("8.64",) if terrain is Terrain.VOLGA else ())),
    )


def hides(terrain: Terrain, vehicle: bool) -> bool:
    """Whether units are hidden there; on the Volga only Soviets are, who cross unseen (7.2, 7.3, 8.64; S56)."""
    if terrain in HIDDEN_FOR_FOOT:
        return not vehicle
    return terrain.is_built_up or terrain in HIDDEN_FOR_ALL or terrain is Terrain.VOLGA


def _tell(is_hidden: bool, terrain: Terrain, needs_sight: bool | None, seen_within: int | None) -> str:
    if terrain is Terrain.VOLGA:
        return (
            "Soviets cross hidden; bridges, minefields, fortifications and transports are no decoys there (7.3, 8.68)."
        )
    if is_hidden:
        return "It shows itself when it attacks or fires, or moves into the open (7.5)."
    if seen_within:
        return f"In bad weather Germans see it within {seen_within} hexes and in line of sight (7.4)."
    return "Soviets see it in line of sight only (7.1)." if needs_sight else "Germans see it wherever it stands (7.4)."
