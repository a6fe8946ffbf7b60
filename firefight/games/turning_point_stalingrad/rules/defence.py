"""The Defensive Value: the prime defender, TEM, Rubble, night, aircraft, guns and the date (8.35 Attack Resolution)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, Source, sources
from firefight.engine.values import Json

from .areas import say_area, settle_tem
from .dates import dated
from .engineers import STRONG, reduce_tem
from .sides import Side, Time
from .terms import Kind, time_problems
from .units import Defender

TRIPLE = 3


class Value(Outcome):
    """A sum, or several where the text leaves it open."""

    COUNTED = "counted"
    UNDETERMINED = "undetermined"


class DateReading(Labelled):
    """What the dated line of the Russian DV means: a separate bonus, or the guns' factor once more (A06)."""

    SEPARATE = "separate", "A bonus of its own"
    ARTILLERY = "artillery", "Only the factor of the guns"


@dataclass(frozen=True, slots=True)
class Defence:
    """Every term of a DV; ``prime``: which unit of the list it stands on, from 1."""

    prime: int
    factor: int
    tem: int = 0
    rubble: int = 0
    night: int = 0
    air: int = 0
    artillery: int = 0
    date_bonus: int = 0

    @property
    def terms(self) -> tuple[Modifier, ...]:
        """The terms that change something, by name and rule."""
        return without_zeroes(
            Modifier("Defense Factor", self.factor, "8.35 Attack Resolution"),
            Modifier("TEM", self.tem, "8.35 Attack Resolution"),
            Modifier("Rubble", self.rubble, "14.7 TEM"),
            Modifier("German night impulse", self.night, "16.4 DV"),
            Modifier("German air support", self.air, "17.6 Tactical Air Support"),
            Modifier("Russian artillery", self.artillery, "15.3 Russian Artillery"),
            Modifier("Date", self.date_bonus, "8.35 Attack Resolution"),
        )

    @property
    def total(self) -> int:
        """The DV."""
        return total(self.terms)

    def plain(self) -> dict[str, int]:
        """The terms and their sum under the names of the JSON contract."""
        names = ("prime", "factor", "tem", "rubble", "night", "air", "artillery", "date_bonus", "total")
        return {name: getattr(self, name) for name in names}


def find_prime(
    defenders: Sequence[Defender], kind: Kind, rubble: int = 0, attackers_afv: bool = False
) -> tuple[int, int, int]:
    """The unit that the DV stands on, its factor, and what Rubble adds to it (14.7 TEM, 8.35 note on AA).

    Rubble never helps armour. AA alone, attacked from inside without AFV, count half, rounded down after isolation.
    """
    if not defenders:
        raise BadInput({"defenders": "List the Group that is attacked: its Defense Factors."})
    is_halved = kind.is_inside and not attackers_afv and all(unit.aa for unit in defenders)
    helps = rubble if kind.is_inside else 0
    candidates = [
        (place, unit.strength // 2 if is_halved else unit.strength, 0 if unit.armour else helps)
        for place, unit in enumerate(defenders, 1)
    ]
    return max(candidates, key=lambda candidate: candidate[1] + candidate[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Defended:
    """A Group as it is attacked. ``side``: the defender's; ``artillery``: the factor of Russian guns in support."""

    side: Side
    kind: Kind
    defenders: Sequence[Defender]
    tem: int
    rubble: int
    date: str
    time: Time
    artillery: int
    attackers_afv: bool
    engineers: int
    reading: DateReading

    def plain(self) -> Json:
        """As the form of an attack takes it."""
        return {
            "attacker": self.side.other.value,
            "kind": self.kind.value,
            "defenders": [unit.plain() for unit in self.defenders],
            "tem": self.tem,
            "rubble": self.rubble,
            "date": self.date,
            "time": self.time.value,
            "artillery": self.artillery,
            "attackers_afv": self.attackers_afv,
            "engineers": self.engineers,
            "reading": self.reading.value,
        }


def count_defence(charts: Book, defended: Defended) -> tuple[Defence, ...]:
    """The DV of a Group; two of them where the text does not say what Engineers do to a tripled TEM (8.35, A14).

    Raises BadInput for an empty Group.
    """
    kind, time, tem, engineers = defended.kind, defended.time, defended.tem, defended.engineers
    prime, factor, from_rubble = find_prime(defended.defenders, kind, defended.rubble, defended.attackers_afv)
    is_russian, is_ground = defended.side is Side.RUSSIAN, kind.is_ground
    against_guns = kind is Kind.RUSSIAN_ARTILLERY
    defence = Defence(
        prime=prime,
        factor=factor,
        tem=tem * (TRIPLE if kind.is_ranged else 1),
        rubble=from_rubble,
        night=1 if is_russian and is_ground and time is Time.NIGHT else 0,
        air=1 if not is_russian and (is_ground or against_guns) and time is Time.DAY else 0,
        artillery=defended.artillery if is_russian and is_ground else 0,
        date_bonus=dated("dv_bonus", defended.date, charts)
        if is_russian and is_ground and defended.reading is DateReading.SEPARATE
        else 0,
    )
    if kind is Kind.INSIDE:
        return (replace(defence, tem=reduce_tem(tem, engineers)),)
    if kind is Kind.MIXED and engineers and tem >= STRONG:
        reduced = (max(0, TRIPLE * tem - engineers), TRIPLE * reduce_tem(tem, engineers))
        return tuple(replace(defence, tem=value) for value in dict.fromkeys(reduced))
    return (defence,)


def defensive_value(
    *,
    charts: Book,
    side: Side,
    kind: Kind,
    defenders: Sequence[Defender],
    tem: int,
    rubble: int,
    date: str,
    time: Time,
    artillery: int,
    attackers_afv: bool,
    engineers: int,
    reading: DateReading,
    area: str = "",
) -> Result:
    """The DV of a Group in an Area, term by term (8.35 Attack Resolution, 14.7, 14.8, 15.23, 15.3, 16.4, 17.6)."""
    problems = time_problems(kind, time)
    if problems:
        raise BadInput(problems)
    owner, tem = kind.owner(side.other).other, settle_tem(charts, area, tem)
    defended = Defended(
        side=owner,
        kind=kind,
        defenders=defenders,
        tem=tem,
        rubble=rubble,
        date=date,
        time=time,
        artillery=artillery,
        attackers_afv=attackers_afv,
        engineers=engineers,
        reading=reading,
    )
    ways = count_defence(charts, defended)
    defence, totals = ways[0], sorted(way.total for way in ways)
    used = ("dated",) if defence.date_bonus else ()
    inputs = {**defended.plain(), **({"area": area} if area else {}), "dv": defence.total}
    if len(ways) > 1:
        return _leave_open(defence, totals, sources(charts[name] for name in used))
    return Result(
        say_area(area, f"DV {defence.total}."),
        Value.COUNTED,
        modified=defence.total,
        modifiers=defence.terms,
        details=defence.plain(),
        effects=(
            f"Unit {defence.prime} of the Group is the prime defender.",
            *(f"{term.value:+d} {term.name} ({term.rule})." for term in defence.terms),
        ),
        follow_ups=(FollowUp("attack", f"Attack against a DV of {defence.total}", inputs),),
        rules=("8.35 Attack Resolution",),
        provenance=sources(charts[name] for name in used),
    )


def _leave_open(defence: Defence, totals: Sequence[int], provenance: tuple[Source, ...]) -> Result:
    """A DV of several readings: Engineers at a tripled TEM (14.8)."""
    return Result(
        f"DV {' or '.join(map(str, totals))}: the text does not say what Engineers do to a tripled TEM.",
        Value.UNDETERMINED,
        details={**defence.plain(), "tem": None, "total": None, "readings": totals},
        effects=("Agree which one counts, and give the attack this DV.",),
        rules=("8.35 Attack Resolution", "14.8 Engineers"),
        provenance=provenance,
    )
