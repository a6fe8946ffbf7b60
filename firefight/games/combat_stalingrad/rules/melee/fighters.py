"""Who and what takes part in the close combat of a threatened sector (20.6.4 steps 1 and 3).

A round is a number of bouts. In a bout units of both sides are brought together, and each side divides its attacks
among the enemies there. No unit is in two bouts of a round, and what the dice did is applied when the round is over
(19.2.1, 20.6.4 step 3).
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, wraps
from typing import Any, TypeVar, TypeVarTuple

from firefight.engine.board.hexes import Hex, HexMap

from ..close_combat import combat_value
from ..counters import Counter
from ..marks import Mark, flip_marks, kind_in_combat
from ..sides import Side
from ..stacking import Stacking
from ..units import Kind, State, Unit
from .attacks import Key

# Hex, if anybody noted it, and level.
Place = tuple[Hex | None, int]


class Role(StrEnum):
    """The rank of a leader; LEADER is one whose counter names none."""

    NONE = ""
    LEADER = "leader"
    NCO = "nco"
    OFFICER = "officer"
    COMMISSAR = "commissar"


class TeamWeapon(StrEnum):
    """What makes a team, or a tank, special in close combat (19.3.3, R-97)."""

    NONE = ""
    FLAMETHROWER = "flamethrower"
    DEMO_CHARGE = "demo_charge"


# A demo charge team attacks AFV with this value (19.3.3).
_DEMO_CHARGE_VALUE = 1
_LEADERS = (Kind.LEADER, Kind.WOUNDED_LEADER)
_RANK_AND_FILE = frozenset(Kind) - {*_LEADERS, Kind.VEHICLE}
# The ranks that may lend an attack their -5 (19.3.5).
_LENDERS = (Role.NCO, Role.OFFICER)


@dataclass(frozen=True, slots=True)
class Fighter:
    """One unit in a threatened sector.

    ``key``: its side and number. ``ccv``: before any halving; ``half_ccv``: that of a squad's smaller side. ``hex``:
    None if nobody noted it. ``level``: of a building, 0 is the ground. ``disrupted``: Disrupted or WIA. ``in_cc``:
    it has a Close Combat marker. ``rider``: it is mounted, which counts in step 1 only. ``enemy_in_hex``: of an
    M-KILLED vehicle, see ``met_in_hex``. ``beside``: whom the firefight's record has it ride on, or be led with.
    """

    key: Key
    name: str
    kind: Kind
    ccv: int
    half_ccv: int | None = None
    hex: Hex | None = None
    role: Role = Role.NONE
    weapon: TeamWeapon = TeamWeapon.NONE
    disrupted: bool = False
    m_killed: bool = False
    in_cc: bool = False
    rider: bool = False
    enemy_in_hex: bool = False
    level: int = 0
    beside: Key | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a squad whose smaller side has no value, and for what its kind cannot be."""
        if self.kind is Kind.SQUAD and self.half_ccv is None:
            raise ValueError(f"{self.name}: a squad has a smaller side, with a CCV of its own.")
        if self.is_leader is (self.role == Role.NONE):
            raise ValueError(f"{self.name}: leaders have a rank, others have none.")
        if self.m_killed and not self.is_vehicle:
            raise ValueError(f"{self.name}: only a vehicle can be M-KILLED.")

    @property
    def side(self) -> Side:
        """Whose it is."""
        return self.key[0]

    @property
    def location(self) -> tuple[Hex | None, int]:
        """Hex and level: only units of one location are in close combat with each other (19.1.1)."""
        return self.hex, self.level

    @property
    def is_leader(self) -> bool:
        """Whether it is a leader, wounded or not."""
        return self.kind in _LEADERS

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle; every vehicle counts as an AFV here."""
        return self.kind is Kind.VEHICLE

    @property
    def is_rank_and_file(self) -> bool:
        """Whether it is infantry other than a leader (19.3.6)."""
        return self.kind in _RANK_AND_FILE

    @property
    def can_lend(self) -> bool:
        """Whether it may lend an attack the -5 of an NCO or Officer (19.3.5 NCO DRM)."""
        return self.role in _LENDERS and not self.disrupted


@dataclass(frozen=True, slots=True)
class Battle:
    """A threatened sector in the midst of a round.

    ``attacker``: the Attacker of the firefight just played. ``fighters``: all that live, hidden ones placed.
    ``fought``: those that have fought in this round; what became of them is applied when the round is over, see
    ``end_round``. ``existing``: step 1, the fights that were on when the firefight ended, else step 3. ``waited``:
    those that had no enemy in the round before (A-45).
    """

    attacker: Side
    fighters: tuple[Fighter, ...]
    hex_map: HexMap
    stacking: Stacking
    existing: bool = False
    fought: frozenset[Key] = frozenset()
    waited: frozenset[Key] = frozenset()
    known: dict[Key, Fighter] = field(init=False, repr=False, compare=False)
    # What follows from the fighters alone, whoever has fought meanwhile: see ``asked_once``.
    answers: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    _values: dict[tuple[Key, bool, bool], int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Index the fighters by key once, as they are asked for all the time."""
        object.__setattr__(self, "known", {fighter.key: fighter for fighter in self.fighters})

    def of(self, keys: Iterable[Key]) -> tuple[Fighter, ...]:
        """The fighters of those keys, in the keys' order. Raises KeyError for one that is not there."""
        by_key = self.known
        return tuple([by_key[key] for key in keys])

    def of_side(self, side: Side) -> list[Fighter]:
        """A side's fighters."""
        return [unit for unit in self.fighters if unit.key[0] is side]

    def with_fought(self, keys: Iterable[Key]) -> "Battle":
        """The same round once these have fought as well, with all that is known of its fighters."""
        following = object.__new__(Battle)
        for name in self.__slots__:
            object.__setattr__(following, name, getattr(self, name))
        object.__setattr__(following, "fought", self.fought.union(keys))
        return following

    def value(self, fighters: Iterable[Fighter], against_afv: bool = False) -> int:
        """What the CCV of these comes to (19.2.1, 20.6.4 step 3)."""
        total, values = 0, self._values
        for fighter in fighters:
            case = fighter.key, fighter.rider, against_afv
            if case not in values:
                values[case] = combat_value([as_unit(fighter, against_afv)], in_sector=not self.existing)
            total += values[case]
        return total


Case = TypeVarTuple("Case")
Answer = TypeVar("Answer")


def asked_once(work_out: Callable[[Battle, *Case], Answer]) -> Callable[[Battle, *Case], Answer]:
    """Let a question about the fighters of a battle be worked out once for a round, as it is asked for every bout.

    The answer must not depend on who has fought or waited.
    """

    @wraps(work_out)
    def answer(battle: Battle, *case: *Case) -> Answer:
        answers, question = battle.answers, (work_out, case)
        if question not in answers:
            answers[question] = work_out(battle, *case)
        result: Answer = answers[question]
        return result

    return answer


def make_fighter(
    key: Key,
    name: str,
    counter: Counter,
    marks: Collection[str],
    place: Place,
    enemy_in_hex: bool = False,
    beside: Key | None = None,
) -> Fighter:
    """A counter with its marks, as close combat sees it. One whose CCV nobody knows fights with 0."""
    values = counter.ccv or 0, counter.half_ccv or 1
    kind = kind_in_combat(counter.kind, marks)
    role = Role.NONE if kind not in _LEADERS else Role(counter.rank.value) if counter.rank else Role.LEADER
    weapon = TeamWeapon(counter.weapon.value) if counter.weapon else TeamWeapon.NONE
    traits = role, weapon
    return _make_fighter(key, name, kind, traits, values, frozenset(marks), place, enemy_in_hex, beside)


@lru_cache(maxsize=2_000)
def _make_fighter(
    key: Key,
    name: str,
    kind: Kind,
    traits: tuple[Role, TeamWeapon],
    values: tuple[int, int],
    marks: frozenset[str],
    place: Place,
    enemy_in_hex: bool,
    beside: Key | None,
) -> Fighter:
    """The same for the same values: a battle is drawn up again for each question, and most of it has not changed."""
    (ccv, half), (role, weapon) = values, traits
    return Fighter(
        key=key,
        name=name,
        kind=kind,
        ccv=half if kind is Kind.HALF_SQUAD else ccv,
        half_ccv=half if kind is Kind.SQUAD else None,
        hex=place[0],
        role=role,
        weapon=weapon,
        disrupted=not marks.isdisjoint((Mark.DISRUPTED, Mark.WIA)),
        m_killed=Mark.M_KILLED in marks,
        in_cc=Mark.CLOSE_COMBAT in marks,
        enemy_in_hex=enemy_in_hex,
        level=place[1],
        beside=beside,
    )


def marks_after_round(marks: Collection[str], old: Fighter, new: Fighter) -> tuple[list[str], Mark]:
    """The marks of a unit that a round has hurt, and the new one among them (18.1.4, 19.3.3)."""
    if new.m_killed and not old.m_killed:
        return [*marks, Mark.M_KILLED.value], Mark.M_KILLED
    mark = Mark.REDUCED if new.kind is Kind.HALF_SQUAD else Mark.WOUNDED
    return flip_marks(marks, mark), mark


def as_unit(unit: Fighter, against_afv: bool = False) -> Unit:
    """A fighter as the close combat rule takes it."""
    ccv = _DEMO_CHARGE_VALUE if against_afv and unit.weapon == TeamWeapon.DEMO_CHARGE else unit.ccv
    state = State.DISRUPTED if unit.disrupted else State.GOOD_ORDER
    return Unit(unit.kind, unit.name, state=state, ccv=ccv, rider=unit.rider)
