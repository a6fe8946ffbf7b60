"""The Terrain Effects Chart (3.21): what a hex costs, what it does to fire into it and to its defenders."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix, Numbers
from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources

from .charts import NOT_APPLICABLE
from .fractions import WHOLE, as_number, write_factor, write_fraction

SIDES = {"german": "German", "soviet": "Soviet"}
GERMAN, SOVIET = SIDES
MAMAYEV_KURGAN = "1726"
MOST_ON_THE_BANK = 2  # units in a hex of the Volga's bank
_SPECIAL = "14.41"  # what column 5 holds for a special structure
_PARTS = {"½": Fraction(1, 2), "¼": Fraction(1, 4)}


class Terrain(Labelled):
    """What a hex is, by the rows of the chart."""

    CLEAR = "clear"
    LIGHT = "light", "Light structure"
    HEAVY = "heavy", "Heavy structure"
    FORTIFIED = "fortified", "Fortified structure"
    SPECIAL = "special", "Special structure"
    HILL = "hill"
    WOODS = "woods"
    PARK = "park"


class Fire(Labelled):
    """The fires for which columns 4 and 5 are read."""

    OFFENSIVE = "offensive", "Offensive fire of a ground attack"
    BOMBARDMENT = "bombardment"
    AIR = "air", "Air attack"


class TerrainOutcome(Outcome):
    """A card is shown, nothing is rolled."""

    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class Effect:
    """What terrain does to a defence: a factor, and a change of the die."""

    factor: Fraction = WHOLE
    die: int = 0

    @property
    def words(self) -> str:
        """In short, "" where it does nothing."""
        return write_factor(self.factor) if self.factor != WHOLE else f"{self.die:+d} to the die" if self.die else ""

    @property
    def plain(self) -> dict[str, int | float]:
        """As JSON has it."""
        return {"factor": as_number(self.factor), "die": self.die}


NO_CHANGE = Effect()


def _cell(charts: Book, terrain: str, column: str) -> str:
    chart: Matrix = charts["terrain"]
    return chart.cell(terrain, column)


def _read_factor(text: str) -> Fraction:
    """A cell such as "×½" as a factor; 1 where the chart has none.

    >>> _read_factor("×¼"), _read_factor("×3"), _read_factor("NA"), _read_factor("-1")
    (Fraction(1, 4), Fraction(3, 1), Fraction(1, 1), Fraction(1, 1))
    """
    number = text.removeprefix("×")
    return WHOLE if number == text else _PARTS[number] if number in _PARTS else Fraction(number)


def find_fire_factor(charts: Book, terrain: Terrain, occupant: str) -> Fraction:
    """The factor for artillery and Air Points that fire into a hex (3.21, column 4)."""
    return _read_factor(_cell(charts, terrain, f"fire_into_{SIDES[occupant]}_held"))


def find_die_addition(charts: Book, terrain: Terrain, occupant: str) -> int:
    """What is added to the die of fire into a hex (3.21, column 5); for a special structure only the owner knows.

    Raises MissingChart.
    """
    text = _cell(charts, terrain, f"die_into_{SIDES[occupant]}_held")
    if text != _SPECIAL:
        return 0 if text == NOT_APPLICABLE else int(text)
    chart: Numbers = charts["special_structures"]
    return chart.get("die_addition")


def find_defence(charts: Book, terrain: Terrain, side: str) -> Effect:
    """What a defence gains from the hex that the Soviets stand in, their own or the Germans' (3.21, columns 6, 7)."""
    text = _cell(charts, terrain, f"{SIDES[side]}_defence")
    return Effect(die=int(text)) if text.startswith("-") else Effect(_read_factor(text))


def say_terrain(terrain: Terrain, occupant: str) -> str:
    """A hex in words, with its holder where the chart makes a difference."""
    holder = f", {SIDES[occupant]} held" if terrain is Terrain.FORTIFIED else ""
    return f"{terrain.word}{holder}"


def find_cost(charts: Book, terrain: Terrain, road: bool, across_river: bool) -> Fraction:
    """What a German unit pays to enter (3.21, column 2): a road is cheaper, but does not cross a river (note 6)."""
    row = "road" if road and not across_river else terrain
    river = Fraction(_cell(charts, "river", "German_cost")) if across_river else Fraction(0)
    text = _cell(charts, row, "German_cost")
    return (_PARTS[text] if text in _PARTS else Fraction(text)) + river


def show_terrain(
    *,
    charts: Book,
    terrain: Terrain = Terrain.CLEAR,
    hex: str = "",
    volga_bank: bool = False,
    occupant: str = SOVIET,
    road: bool = False,
    across_river: bool = False,
    fire: Fire = Fire.OFFENSIVE,
    engineer: bool = False,
    adjacent: bool = False,
    indirect_artillery: bool = False,
) -> Result:
    """Everything that the chart says about one hex (3.21 Terrain Effects Chart, columns 2 to 7 and notes 1 to 6)."""
    is_hill_of_mamay = hex.strip() == MAMAYEV_KURGAN
    effective = Terrain.FORTIFIED if volga_bank or is_hill_of_mamay else terrain
    is_spared = adjacent and fire is not Fire.AIR
    factor = WHOLE if is_spared else find_fire_factor(charts, effective, occupant)
    is_bombarded_from_beside = adjacent and fire is Fire.BOMBARDMENT
    addition = _find_addition(charts, effective, occupant, fire, engineer, is_bombarded_from_beside)
    cost = find_cost(charts, effective, road, across_river)
    zoc = _cell(charts, effective, "ZOC_into") == "yes"
    soviet = NO_CHANGE if indirect_artillery else find_defence(charts, effective, SOVIET)
    german = find_defence(charts, effective, GERMAN)
    effects = (
        "A Volga bank hex, ferries too, is a fortified structure for everything." if volga_bank else "",
        f"Hex {MAMAYEV_KURGAN}, Mamayev Kurgan, is a fortified structure." if is_hill_of_mamay else "",
        f"At most {MOST_ON_THE_BANK} units stand in it." if volga_bank else "",
        f"To enter: {write_fraction(cost)} MP for a German unit{_why_cost(road, across_river)}, 1 for a Soviet one.",
        f"Zones of control {'reach' if zoc else 'do not reach'} into it.",
        *_tell_bombardment(factor, addition, is_spared, engineer and fire is Fire.OFFENSIVE),
        f"Defensive fire of Soviet units in it: {soviet.words or 'unchanged'}."
        + (" Artillery that fires indirectly gains nothing." if indirect_artillery else ""),
        f"Defensive fire of Germans at Soviet units in it: {german.words or 'unchanged'}.",
    )
    combat_inputs: dict[str, object] = {
        "terrain": effective.value,
        "occupant": occupant,
        "drm": 0,
        "kind": _KINDS[fire],
    }
    combat_inputs |= {name: True for name, ticked in (("engineer", engineer), ("adjacent", adjacent)) if ticked}
    combat_inputs |= {"hex": hex.strip()} if hex.strip() else {}
    return Result(
        headline=f"{say_terrain(effective, occupant)}.",
        outcome=TerrainOutcome.SHOWN,
        details={
            "terrain": effective.value,
            "german_cost": as_number(cost),
            "soviet_cost": 1,
            "zoc": zoc,
            "stacking_limit": MOST_ON_THE_BANK if volga_bank else None,
            "bombard_factor": as_number(factor),
            "die_addition": addition,
            "soviet_defence": soviet.plain,
            "german_defence": german.plain,
        },
        effects=tuple(filter(None, effects)),
        follow_ups=(FollowUp("combat", f"Combat: {say_terrain(effective, occupant).lower()}", combat_inputs),),
        rules=("3.21 Terrain Effects Chart",),
        provenance=sources(
            [charts["terrain"], *([charts["special_structures"]] if effective is Terrain.SPECIAL else [])]
        ),
    )


def _tell_bombardment(factor: Fraction, addition: int | None, is_spared: bool, has_engineer: bool) -> Iterator[str]:
    """What artillery and Air Points fire into a hex with, and what is added to the die."""
    strength = write_factor(factor) if factor != WHOLE else "full strength"
    spared = " Artillery next to it is spared that; of mortars see Case 6.5." if is_spared else ""
    yield f"Artillery and Air Points into it: {strength}.{spared}"
    if addition is None:
        sentence = "The die of fire into it: what Case 14.41 says, which only your rules booklet has."
    else:
        sentence = f"The die of fire into it: {f'{addition:+d}' if addition else 'nothing is added'}."
    sentence += " An engineer takes part." if has_engineer else ""
    yield sentence + (" Nothing is, if nobody but guns next to it fires." if addition and is_spared else "")


_KINDS = {Fire.OFFENSIVE: "ground_attack", Fire.BOMBARDMENT: "bombardment", Fire.AIR: "air_attack"}


def _find_addition(
    charts: Book, terrain: Terrain, occupant: str, fire: Fire, engineer: bool, is_spared: bool
) -> int | None:
    """Column 5 for one fire, None where only the owner's booklet has it (notes 2; 3.23 Artillery)."""
    if is_spared or (engineer and fire is Fire.OFFENSIVE):
        return 0
    special: Numbers = charts["special_structures"]
    if terrain is Terrain.SPECIAL and special.values.get("die_addition") is None:
        return None
    return find_die_addition(charts, terrain, occupant)


def _why_cost(road: bool, across_river: bool) -> str:
    if across_river:
        return " across a river, which no road crosses" if road else " across a river"
    return " along a road" if road else ""
