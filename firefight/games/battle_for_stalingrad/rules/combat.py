"""The Combat Results Table (3.22): Fire Strengths with their factors, their total, the column and the losses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Lookup
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .charts import NO_EFFECT
from .fractions import HALF, WHOLE, Rounding, as_number, round_as_agreed, write_factor, write_fraction
from .terrain import (
    GERMAN,
    NO_CHANGE,
    SIDES,
    SOVIET,
    Effect,
    Terrain,
    find_defence,
    find_die_addition,
    find_fire_factor,
    say_terrain,
)

DIE = 6  # sides
SITUATION = ("terrain", "occupant", "engineer", "adjacent", "defence", "depot_lost")
LONGEST_FIRER = 24  # letters of its name
ROWS = range(10)
RULE = "3.22 Combat Results Table"


class Kind(Labelled):
    """What the one table serves."""

    GROUND_ATTACK = "ground_attack"
    OVERRUN = "overrun"
    INSTANT_COUNTERATTACK = "instant_counterattack"
    BOMBARDMENT = "bombardment"
    AIR_ATTACK = "air_attack"
    ANTI_AIR = "anti_air", "Anti-air attack"

    @property
    def eliminates(self) -> str:
        """What is lost."""
        return "Air Point" if self is Kind.ANTI_AIR else "enemy unit"

    @property
    def strength(self) -> str:
        """What is added up."""
        return "Air Points" if self is Kind.AIR_ATTACK else "Fire Strength"


class CombatOutcome(Outcome):
    """Results of 3.22 Combat Results Table."""

    NO_EFFECT = "no_effect"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class Firer:
    """One that fires, with what halves or multiplies its strength. ``indirect``: artillery of a ground attack;
    ``soviet_gun``: Soviet artillery, which the lost depot halves."""

    strength: int
    factor: Fraction = WHOLE
    name: str = ""
    indirect: bool = False
    soviet_gun: bool = False

    def plain(self) -> Json:
        """As a form's row has it."""
        row = {"strength": self.strength, "factor": str(as_number(self.factor)), "name": self.name}
        ticked = {name: True for name in ("indirect", "soviet_gun") if getattr(self, name)}
        return {name: value for name, value in row.items() if value} | ticked

    def __str__(self) -> str:
        factor = f" {write_factor(self.factor)}" if self.factor != WHOLE else ""
        gun_words = f"{', indirect' if self.indirect else ''}{', Soviet gun' if self.soviet_gun else ''}"
        return f"{self.strength}{factor}{f' {self.name}' if self.name else ''}{gun_words}"


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides factors and die: who fires at what, and how. ``defence``: the side whose defensive fire it is;
    ``depot_lost``: Ammo Depot 2289 is out of play."""

    kind: Kind
    terrain: Terrain | None
    occupant: str
    engineer: bool
    adjacent: bool
    defence: str
    depot_lost: bool = False

    @property
    def is_offensive(self) -> bool:
        """Whether it is an attacker's fire in a ground attack (3.21 note 2)."""
        return self.kind is Kind.GROUND_ATTACK and not self.defence

    @property
    def holder(self) -> str:
        """Who holds the terrain: in a defence it is what the Soviets stand in (B-A05)."""
        return SOVIET if self.kind is Kind.GROUND_ATTACK and self.defence else self.occupant

    @property
    def is_into_terrain(self) -> bool:
        """Whether columns 4 and 5 apply to all of it: adjacent artillery is spared (3.23 Artillery)."""
        return self.kind is Kind.AIR_ATTACK or (self.kind is Kind.BOMBARDMENT and not self.adjacent)

    def find_defence(self, charts: Book) -> Effect:
        """What a defence gains (3.21, columns 6 and 7)."""
        if self.kind is not Kind.GROUND_ATTACK or not self.defence or self.terrain is None:
            return NO_CHANGE
        return find_defence(charts, self.terrain, self.defence)

    def find_factor(self, charts: Book, firer: Firer) -> Fraction:
        """What terrain and the lost depot do to one strength (3.23 Artillery)."""
        of_depot = HALF if self.depot_lost and firer.soviet_gun else WHOLE
        return of_depot * self._find_terrain_factor(charts, firer.indirect)

    def _find_terrain_factor(self, charts: Book, indirect: bool) -> Fraction:
        """What terrain does to one strength (3.21, columns 4, 6, 7 and note 3; 3.23 Artillery)."""
        if self.terrain is None:
            return WHOLE
        is_spared = self.defence == SOVIET or self.adjacent
        is_halved = self.is_into_terrain or (self.kind is Kind.GROUND_ATTACK and indirect and not is_spared)
        fire_factor = find_fire_factor(charts, self.terrain, self.holder) if is_halved else WHOLE
        gains_nothing = indirect and self.defence == SOVIET
        return fire_factor * (WHOLE if gains_nothing else self.find_defence(charts).factor)

    def find_die(self, charts: Book, strength: int | None, firers: tuple[Firer, ...]) -> Modifier | None:
        """What terrain does to the die (3.21, columns 5 to 7, notes 2 and 3; 3.23 Artillery).

        Nobody knows which guns are in a total, so it is never the fire of guns alone (BR-03).
        """
        if self.terrain is None:
            return None
        only_guns = strength is None and all(firer.indirect for firer in firers)
        if change := self.find_defence(charts).die:
            if self.defence == SOVIET and only_guns:
                return None
            return Modifier(f"{SIDES[self.defence]} defence, {self.terrain.word.lower()}", change, "3.21 columns 6, 7")
        is_added = self.is_offensive and not (self.engineer or (self.adjacent and only_guns))
        if not (is_added or self.is_into_terrain):
            return None
        addition = find_die_addition(charts, self.terrain, self.occupant)
        return Modifier(say_terrain(self.terrain, self.occupant), addition, "3.21 column 5")


@dataclass(frozen=True, slots=True)
class Sum:
    """A total and how it came about: the exact one, and as it was rounded."""

    exact: Fraction
    whole: int
    words: str


def combat(
    *,
    charts: Book,
    kind: Kind = Kind.GROUND_ATTACK,
    strength: int | None = None,
    firers: tuple[Firer, ...] = (),
    rounding: Rounding = Rounding.ASK,
    terrain: Terrain | None = None,
    occupant: str = SOVIET,
    engineer: bool = False,
    adjacent: bool = False,
    defence: str = "",
    drm: int = 0,
    depot_lost: bool = False,
    hex: str = "",
    die: int | None = None,
) -> Result:
    """A fire of any kind on the table (3.22 Combat Results Table). hex: for the log; die: d6 (ruling B-A01)."""
    situation = Situation(kind, terrain, occupant, engineer, adjacent, defence, depot_lost)
    added = sum_up_fire(charts, situation, strength, firers, rounding)
    modifiers = without_zeroes(situation.find_die(charts, strength, firers), other(drm))
    crt: Lookup = charts["crt"]
    column = crt.column_of(added.whole)
    if die is None:
        return waiting(f"{added.words}: column {column}. Roll a d6.", "die", modifiers=modifiers)
    modified = check_face(die, DIE) + total(modifiers)
    losses = read_losses(crt, modified, column)
    lost = _count_words(losses, kind)
    around = {
        which: {"column": neighbour, "losses": read_losses(crt, modified, neighbour)}
        for which, neighbour in find_neighbours(crt, column).items()
    }
    charts_used = [crt, *([charts["terrain"]] if terrain else [])]
    charts_used += [charts["special_structures"]] if terrain is Terrain.SPECIAL and _has_addition(modifiers) else []
    return Result(
        headline=f"{say_fire(situation, hex)}, {kind.strength} {added.whole}: {lost or 'no effect'}.",
        outcome=CombatOutcome.LOSSES if losses else CombatOutcome.NO_EFFECT,
        label=lost,
        dice={"die": die},
        modified=modified if modifiers else None,
        modifiers=modifiers,
        details={
            "total": added.whole,
            "exact": as_number(added.exact),
            "column": column,
            "row": clamp_row(modified),
            "losses": losses,
            "lost": "Air Points" if kind is Kind.ANTI_AIR else "enemy units",
            "neighbours": around,
        },
        effects=(
            *((f"{added.words}.",) if "=" in added.words else ()),
            _say_column(column, modified, around),
            *_list_effects(situation, losses),
        ),
        rules=(RULE, *(("3.21 Terrain Effects Chart",) if terrain else ())),
        provenance=sources(charts_used),
    )


def say_fire(situation: Situation, hex: str) -> str:
    """What kind of fire it is, whose if it is a defence, and at which hex: "Bombardment, hex 1726"."""
    is_defence = situation.defence and situation.kind is Kind.GROUND_ATTACK
    title = f"{SIDES[situation.defence]} defence in a ground attack" if is_defence else situation.kind.word
    return f"{title}{f', hex {hex}' if hex else ''}"


def sum_up_fire(
    charts: Book, situation: Situation, strength: int | None, firers: tuple[Firer, ...], rounding: Rounding
) -> Sum:
    """Everything that fires, after all halving and multiplying (3.22), rounded once and as the players say (B-A02).

    Raises BadInput for nothing, for a fraction whose rounding nobody has agreed, and for less than 1 (B-A09).
    """
    if strength is None and not firers:
        raise BadInput({"strength": f"Give the {situation.kind.strength}, or list all that fire, one by one."})
    all_firers = (*((Firer(strength),) if strength is not None else ()), *firers)
    factors = [situation.find_factor(charts, firer) for firer in all_firers]
    exact = sum(
        (firer.strength * firer.factor * factor for firer, factor in zip(all_firers, factors, strict=True)), Fraction(0)
    )
    words = _say_sum(situation, all_firers, factors, exact)
    whole = round_as_agreed(exact, rounding)
    if whole is None:
        down, up = (round_as_agreed(exact, direction) for direction in (Rounding.DOWN, Rounding.UP))
        raise OpenQuestion(
            {"rounding": f"{words}. Is that {down or 'no fire'} or {up}? The charts have no rule for it."}
        )
    if whole < 1:
        field = "firers" if firers else "strength"
        raise BadInput({field: f"{words}{_say_rounded(exact, whole)}: below 1 there is no column, so no fire."})
    return Sum(exact, whole, f"{words}{_say_rounded(exact, whole)}")


def _say_rounded(exact: Fraction, whole: int) -> str:
    return "" if exact == whole else f", rounded {'up' if whole > exact else 'down'} to {whole}"


def _say_sum(situation: Situation, firers: tuple[Firer, ...], factors: list[Fraction], exact: Fraction) -> str:
    """Each term of a total: "Fire Strength 12 + 8 × ½ × ¼ = 13"."""
    terms = []
    for firer, factor in zip(firers, factors, strict=True):
        factors_written = [write_factor(multiplier) for multiplier in (firer.factor, factor) if multiplier != WHOLE]
        terms.append(" ".join([str(firer.strength), *factors_written]))
    total_words = f" = {write_fraction(exact)}" if len(terms) > 1 or " " in terms[0] else ""
    return f"{situation.kind.strength} {' + '.join(terms)}{total_words}"


def clamp_row(modified: int) -> int:
    """The row of a modified die: below 0 is 0, above 9 is 9 (3.22)."""
    return max(ROWS[0], min(ROWS[-1], modified))


def _say_column(column: str, modified: int, around: Mapping[str, Values]) -> str:
    """Where the table was read, and what stands on either side."""
    beside = [
        f" A column {which}, {neighbour['column']}: {neighbour['losses'] or 'nothing'}."
        for which, neighbour in around.items()
    ]
    return f"Column {column}, row {clamp_row(modified)}.{''.join(beside)}"


def read_losses(crt: Lookup, modified: int, column: str) -> int:
    """What a column says for a modified die (3.22)."""
    cell = crt.cell(crt.row_of(clamp_row(modified)), column)
    return 0 if cell == NO_EFFECT else int(cell)


def find_neighbours(crt: Lookup, column: str) -> dict[str, str]:
    """The columns to the left and right, as far as there are any."""
    place = crt.columns.index(column)
    around = {"lower": place - 1, "higher": place + 1}
    return {which: crt.columns[position] for which, position in around.items() if 0 <= position < len(crt.columns)}


def combat_odds(charts: Book, inputs: Values) -> Iterator[Odds]:
    """The odds of a fire, then those of the columns on either side with the same die."""
    inputs = {name: value for name, value in inputs.items() if name != "at"}
    undecided = combat(charts=charts, **inputs)
    crt, kind = charts["crt"], inputs["kind"]
    modifier = total(undecided.modifiers)
    situation = Situation(kind, **{name: value for name, value in inputs.items() if name in SITUATION})
    added = sum_up_fire(charts, situation, inputs["strength"], inputs["firers"], inputs["rounding"])
    column = crt.column_of(added.whole)
    yield _weigh_column(crt, kind, column, modifier)
    for which, neighbour in find_neighbours(crt, column).items():
        yield _weigh_column(
            crt, kind, neighbour, modifier, f"the next column {'down' if which == 'lower' else 'up'}, {neighbour}"
        )


def _weigh_column(crt: Lookup, kind: Kind, column: str, modifier: int, subject: str = "") -> Odds:
    weights: dict[tuple[str, str], int] = {}
    for face in range(1, DIE + 1):
        losses = read_losses(crt, face + modifier, column)
        outcome = CombatOutcome.LOSSES if losses else CombatOutcome.NO_EFFECT
        key = (outcome.value, _count_words(losses, kind) or outcome.word)
        weights[key] = weights.get(key, 0) + 1
    return distribution(weights, subject)


def _count_words(losses: int, kind: Kind) -> str:
    """ "2 enemy units eliminated"; "" for no effect."""
    verb = "lost" if kind is Kind.ANTI_AIR else "eliminated"
    return f"{count_of(losses, kind.eliminates)} {verb}" if losses else ""


def count_lost(words: str) -> int:
    """How many units or Air Points the words of odds say are lost.

    >>> count_lost("2 enemy units eliminated"), count_lost("no effect")
    (2, 0)
    """
    number, _, rest = words.partition(" ")
    return int(number) if number.isdigit() and rest.endswith(("eliminated", "lost")) else 0


def _has_addition(modifiers: tuple[Modifier, ...]) -> bool:
    return any(modifier.rule == "3.21 column 5" for modifier in modifiers)


def _list_effects(situation: Situation, losses: int) -> Iterator[str]:
    """What the players take care of on the board."""
    if situation.kind is Kind.AIR_ATTACK:
        if losses:
            yield "In a hex that Level Bombers attack artillery is the first loss."
        if situation.terrain:
            yield (
                "Terrain was counted: it protects infantry and engineers from Dive Bombers. For other targets or Level "
                "Bombers see Case 5.43, and leave the terrain out if that says so."
            )
    if situation.engineer and situation.is_offensive and situation.terrain:
        yield "An engineer takes part: terrain adds nothing to the die."
    if situation.kind in (Kind.OVERRUN, Kind.INSTANT_COUNTERATTACK):
        if situation.terrain:
            yield "The chart gives terrain no part in this kind of fire."
        yield "No artillery fires indirectly in it."
    if situation.defence and situation.kind is not Kind.GROUND_ATTACK:
        yield "Terrain helps a defence in ground attacks alone."
    if situation.defence == SOVIET and situation.kind is Kind.GROUND_ATTACK:
        yield "In a surprise attack the defender's artillery does not fire indirectly."
    if situation.defence == GERMAN and situation.terrain and situation.kind is Kind.GROUND_ATTACK:
        yield f"The terrain is what the attacking Soviets stand in: {situation.terrain.word.lower()}."
