"""What attacks (9.71), defensive and opportunity fire (9.72) and bombardments on the same table have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Lookup
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total
from firefight.engine.rolls.result import FollowUp, Result, sources, waiting
from firefight.engine.values import Json, Values

from .crt import (
    Hit,
    Lost,
    count_eliminated,
    find_column,
    find_table,
    has_p,
    marker_of,
    outcome_of,
    read_result,
    say_result,
)
from .dates import FIRST, MOLOTOV_FROM, turn_of
from .losses import TO_BOX
from .terms import Side, Terrain

KEPT = "kept"  # the chart's note on tanks that fire alone (ruling A01)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire:
    """What decides every fire on the Combat Results Table, under the names of the forms.

    ``points``: all that fire, with underlined AF changed by range. ``terrain``: of the target hex.
    ``combat_units``, ``immobilized``: what is in it, 0 where nobody counts. ``tanks_alone``: only tanks and StuGs fire,
    at range 2 or more, at men on foot.
    """

    firer: Side = Side.GERMAN
    points: int | None = None
    date: str = FIRST
    spotting: int = 0
    out_of_supply: int = 0
    nkvd: bool = False
    target_armored: bool = False
    underlined_af: bool = False
    terrain: Terrain = Terrain.CLEAR
    not_adjacent: bool = False
    leader_in_target: bool = False
    pavlov_house_target: bool = False
    other_drm: int = 0
    combat_units: int = 0
    immobilized: int = 0
    close_assault: bool = False
    integrity: int = 0
    tanks_alone: bool = False
    tank_note: str = "deleted"

    @property
    def strength(self) -> int:
        """All points. Raises BadInput where none are given."""
        if self.points is None:
            raise BadInput({"points": "Add up the points that fire: at least 1."})
        return self.points

    @property
    def only_marks(self) -> bool:
        """Whether a D eliminates nobody: the chart's old note, where players have kept it (ruling A01)."""
        return self.tanks_alone and self.tank_note == KEPT

    def list_firers(self) -> Iterable[Modifier]:
        """The lines on those who fire that both lists have (9.71, 9.72)."""
        yield Modifier("Spotting", self.spotting, "14.31 Spotting Table")
        yield Modifier("Unit integrity", self.integrity, "9.73 Unit Integrity")
        yield Modifier("Out of supply", self.out_of_supply, "19.5")
        yield Modifier("NKVD among those who fire", int(self.nkvd), "16.82")

    def list_armour(self, is_waived: bool = False) -> Iterable[Modifier]:
        """Armour in the target against fire without underlined AF; ``is_waived``: by 9.93."""
        applies = self.target_armored and not self.underlined_af and not is_waived
        yield Modifier("Armour in the target, no AF underlined", int(applies), "9.92")

    @property
    def is_molotov(self) -> bool:
        """Whether Soviets fire at armour next to them in a built-up hex, from 26 September on (9.93)."""
        is_near = self.terrain.is_built_up and not self.not_adjacent
        return self.firer is Side.SOVIET and self.date >= MOLOTOV_FROM and is_near

    def list_leader(self) -> Iterable[Modifier]:
        """The enemy leader in the target hex; Pavlov in his house counts 2 (18.18)."""
        if self.pavlov_house_target:
            yield Modifier("Pavlov in his house, in the target", 2, "18.18 Pavlov")
        else:
            yield Modifier("Leader in the target hex", int(self.leader_in_target), "18.12")

    def list_other(self) -> Iterable[Modifier]:
        """What else the players know."""
        yield other(self.other_drm)


def say_sum(modifiers: Sequence[Modifier]) -> str:
    """What modifies a die, before it falls, line by line.

    >>> say_sum([Modifier("Fortification", 1), Modifier("Spotting", -2)]), say_sum([])
    ('die -1 (Fortification +1, Spotting -2)', 'die as it falls')
    """
    lines = ", ".join(f"{line.name} {line.value:+d}" for line in modifiers)
    return f"die {total(modifiers):+d} ({lines})" if lines else "die as it falls"


@dataclass(frozen=True, slots=True)
class Aim:
    """A fire before its die: its title, its table, its column, its modifiers."""

    title: str
    fire: Fire
    table: Lookup
    column: str
    modifiers: tuple[Modifier, ...]
    rules: tuple[str, ...]

    @property
    def words(self) -> str:
        """Who fires, how, and with how many points."""
        return f"{self.title}, {self.fire.strength} points"

    def wait(self) -> Result:
        """What to roll, with the sum so far."""
        words = f"{self.words}: column {self.column}, {say_sum(self.modifiers)}. Roll a d10."
        return waiting(words, "die", modifiers=self.modifiers, details={"column": self.column}, rules=self.rules)

    def throw(self, die: int) -> "Shot":
        """The fire with its die."""
        modified = check_face(die, 10) + total(self.modifiers)
        return Shot(self, die, modified, read_result(self.table, modified, self.column))


@dataclass(frozen=True, slots=True)
class Shot:
    """A fire with its die and its printed result."""

    aim: Aim
    die: int
    modified: int
    result: str

    @property
    def fire(self) -> Fire:
        """What decided it."""
        return self.aim.fire

    @property
    def hit(self) -> Hit:
        """What it costs the hex."""
        return Hit(self.result, self.fire.combat_units, self.fire.immobilized)

    @property
    def eliminated(self) -> Lost:
        """Combat units that the table eliminates."""
        return 0 if self.fire.only_marks else count_eliminated(self.result)

    @property
    def marker(self) -> str | None:
        """The marker under which the survivors come."""
        is_marked_only = self.fire.only_marks and count_eliminated(self.result)
        return marker_of("P" if is_marked_only else self.result, self.fire.terrain)

    @property
    def lost(self) -> int | None:
        """All combat units that are gone, None where nobody has counted those that were there."""
        return (0 if self.hit.is_counted else None) if self.fire.only_marks else self.hit.counted_loss

    def tell(
        self, details: Values | None = None, effects: Iterable[str] = (), follow_ups: Iterable[FollowUp] = ()
    ) -> Result:
        """The Result; ``details``, ``effects`` and ``follow_ups`` are what its kind of fire adds."""
        shot_details: Json = {
            "column": self.aim.column,
            "result": self.result,
            "eliminated": self.eliminated,
            "marker": self.marker,
            **(details or {}),
        }
        return Result(
            f"{self.aim.words}: {say_result(self.result, self.eliminated, self.marker)}.",
            outcome_of(self.result),
            dice={"die": self.die},
            modified=self.modified,
            modifiers=self.aim.modifiers,
            details=shot_details,
            effects=(*self._list_marks(), *effects),
            follow_ups=tuple(follow_ups),
            rules=self.aim.rules,
            provenance=sources([self.aim.table]),
        )

    def _list_marks(self) -> Iterable[str]:
        if self.fire.only_marks and count_eliminated(self.result):
            yield "Tanks and StuGs alone: the D only marks so many units (note of the CRT, as agreed)."
        if self.marker == "spent":
            yield "P in a built-up hex: spent, not pinned (9.84). Leaders are never either (18.14)."
        elif self.marker:
            yield "Pinned: all in the hex but leaders (9.84, 18.14)."
        if self.marker and self.fire.terrain is Terrain.VOLGA:
            yield TO_BOX
        if has_p(self.result) and self.fire.immobilized:
            yield "Immobilized tanks go under any P, besides other losses (16.37)."

    def follow_losses(self, leader: bool, sniper: int = 0) -> Iterable[FollowUp]:
        """What losses ask for: who is lost, the leader in the hex, the tank (9.81, 9.83, 16.31, 18.33)."""
        loser = self.fire.firer.other
        if self.eliminated:
            counted = {"combat_units": self.fire.combat_units, "immobilized": self.fire.immobilized}
            yield FollowUp("losses", f"{loser.word} losses", {"result": self.result, **counted, "side": loser.value})
        if self.eliminated and leader:
            yield follow_leader(loser, self.eliminated, self.lost, self.fire.date, sniper)
        if self.eliminated and loser is Side.SOVIET and self.fire.target_armored and self.fire.terrain.is_built_up:
            yield follow_tank(self.fire.terrain, self.fire.date)


def follow_leader(side: Side, eliminated: Lost, lost: int | None, date: str, sniper: int = 0) -> FollowUp:
    """Leader survival after losses in his hex (18.33); of an uncounted "all" at least one (ruling A40)."""
    units = lost or (1 if eliminated == "all" else int(eliminated))
    inputs: Json = {"side": side.value, "units_eliminated": min(units, 12), "turn": turn_of(date)}
    sniped = {"sniper": sniper} if sniper and side is Side.GERMAN else {}
    return FollowUp("leader-survival", f"{side.word} leader in the hex", {**inputs, **sniped})


def follow_tank(terrain: Terrain, date: str) -> FollowUp:
    """Whether a Soviet tank that was lost in a built-up hex fights on (16.31)."""
    inputs = {"event": "eliminated", "terrain": terrain.value, "date": date}
    return FollowUp("tank", "If a Soviet tank was lost: immobilized?", inputs)


def take_aim(
    charts: Book,
    fire: Fire,
    lines: Iterable[Modifier],
    *,
    title: str,
    rules: tuple[str, ...],
    table: str = "crt",
    shift: bool = False,
) -> Aim:
    """A fire before its die: on ``table``, one column higher with ``shift`` (9.67). Lines of 0 are left out."""
    lookup = find_table(charts, table)
    return Aim(
        title,
        fire,
        lookup,
        find_column(lookup, fire.strength, shift),
        tuple(line for line in lines if line.value),
        rules,
    )
