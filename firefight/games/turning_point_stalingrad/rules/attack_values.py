"""An attack before its dice: both values, what the Group can pay, and how it ends by the difference (8.35 to 8.37)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.modifiers import Modifier, total
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import Outcome
from firefight.engine.values import Values

from .areas import is_zone, settle_tem
from .casualties import find_capacity
from .dates import dated
from .defence import DateReading, Defence, Defended, count_defence
from .offence import count_offence, find_own_factor
from .sides import Side, Time
from .terms import Group, Kind, time_problems
from .units import Attacker, Defender

LEAST, MOST = -5, 60  # of an OV or DV that is given
BOMBARDING = (Kind.RANGED, Kind.MIXED, Kind.GERMAN_ARTILLERY, Kind.AIR)  # that may make Rubble, for which TEM counts


class AttackOutcome(Outcome):
    """How an attack ends."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"
    OVERRUN = "overrun"
    ROUTED = "routed", "lost and routed"


@dataclass(frozen=True, slots=True)
class Attack:
    """All that is known about an attack before the dice; ``ov`` and ``dv`` with what they are made of.

    ``tem``: of the Area; ``support``: the factor of Russian artillery that takes part in it, 0 without any.
    """

    kind: Kind
    attacker: Side
    group: Group
    ov: int
    dv: int
    terms: tuple[Modifier, ...]
    capacity: int
    rout: int
    entered: bool = False
    tem: int = 0
    support: int = 0

    @property
    def uses_guns(self) -> bool:
        """Whether Russian artillery takes part, on whichever side (15.3)."""
        return self.kind is Kind.RUSSIAN_ARTILLERY or bool(self.support)

    def judge(self, margin: int) -> AttackOutcome:
        """How it ends by the difference of the totals (8.353, 8.36, 8.37)."""
        if margin > 0:
            overruns = self.kind.is_ground and margin > self.capacity
            return AttackOutcome.OVERRUN if overruns else AttackOutcome.WON
        if not margin:
            return AttackOutcome.TIED
        routs = self.entered and self.kind.is_inside and margin <= -self.rout
        return AttackOutcome.ROUTED if routs else AttackOutcome.LOST


def prepare_attack(
    *,
    charts: Book,
    attacker: Side,
    kind: Kind,
    ov: int | None,
    dv: int | None,
    group: Group,
    defending_units: int,
    entered: bool,
    zone: bool,
    attackers: Sequence[Attacker],
    lead: int,
    defenders: Sequence[Defender],
    tem: int,
    rubble: int,
    date: str,
    time: Time,
    artillery: int,
    attackers_afv: bool,
    engineers: int,
    suspend_parents: bool,
    reading: DateReading,
    area: str = "",
    guns: str = "",
) -> Attack:
    """Both values, as given or counted from the lists, and what the Group can pay.

    Guns and aircraft settle whose attack it is. area: the one attacked, whose TEM the chart may know. guns: where the
    Russian artillery that takes part stands. Raises BadInput for an impossible attack.
    """
    zone = zone or is_zone(area)
    _check_attack(attacker, kind, zone, time, bool(artillery or guns))
    owner, support = kind.owner(attacker), find_support(charts, kind, artillery, guns, date)
    tem = settle_tem(charts, area, tem) if dv is None or kind in BOMBARDING else tem
    offence, defence = _as_given("OV", ov), _as_given("DV", dv)
    if ov is None:
        offence = _offence_terms(charts, owner, kind, attackers, lead, date, time, support, suspend_parents)
    if dv is None:
        defended = Defended(
            side=owner.other,
            kind=kind,
            defenders=defenders,
            tem=tem,
            rubble=rubble,
            date=date,
            time=time,
            artillery=support,
            attackers_afv=attackers_afv or any(unit.armour for unit in attackers),
            engineers=0 if entered or zone else max(engineers, count_engineers(attackers, lead)),
            reading=reading,
        )
        defence = _agree_on_defence(count_defence(charts, defended))
    subtracted = tuple(replace(term, value=-term.value) for term in defence)
    return Attack(
        kind=kind,
        attacker=owner,
        group=group,
        ov=total(offence),
        dv=total(defence),
        terms=tuple(term for term in (*offence, *subtracted) if term.value),
        capacity=find_capacity(charts, group, len(defenders) or defending_units),
        rout=charts["thresholds"].get("rout"),
        entered=entered,
        tem=tem,
        support=support if kind.is_ground else 0,
    )


def _as_given(name: str, value: int | None) -> tuple[Modifier, ...]:
    """A value that players have counted themselves."""
    return () if value is None else (Modifier(name, value, "as given"),)


def _check_attack(attacker: Side, kind: Kind, zone: bool, time: Time, has_guns: bool) -> None:
    """Raise BadInput for an impossible attack: by the wrong side, at the wrong time, or into a Zone."""
    problems = time_problems(kind, time)
    if attacker is Side.RUSSIAN and kind.owner(attacker) is not attacker:
        problems["kind"] = f"{kind.word}: these are the German's (15.2, 17.2)."
    if zone and kind.is_ranged:
        problems["zone"] = "There is no Ranged Attack into a Zone (11.4 Attacks)."
    if zone and (kind is Kind.RUSSIAN_ARTILLERY or (kind.is_ground and has_guns)):
        problems["zone"] = "Russian artillery does not fire into a Zone (15.25)."
    if problems:
        raise BadInput(problems)


def _agree_on_defence(ways: Sequence[Defence]) -> tuple[Modifier, ...]:
    """The terms of the one DV that the text gives; where it leaves two, players have to give it (14.8)."""
    if len(ways) > 1:
        totals = " or ".join(str(way.total) for way in ways)
        message = f"What Engineers do to a tripled TEM is open (14.8): agree on a DV of {totals}, and give it."
        raise BadInput({"dv": message})
    return ways[0].terms


def find_support(charts: Book, kind: Kind, artillery: int, guns: str, date: str) -> int:
    """The factor of the one Russian artillery unit of an attack: as given, or that of the date (15.3)."""
    return artillery or (dated("russian_artillery", date, charts) if guns and kind.is_ground else 0)


def _offence_terms(
    charts: Book,
    owner: Side,
    kind: Kind,
    attackers: Sequence[Attacker],
    lead: int,
    date: str,
    time: Time,
    artillery: int,
    suspend_parents: bool,
) -> tuple[Modifier, ...]:
    factor = attackers[0].factor if attackers else None
    if kind is Kind.GERMAN_ARTILLERY and factor is None:
        words = "by day" if time is Time.DAY else "at night, in parentheses"
        raise BadInput({"ov": f"Give the factor that the artillery unit prints {words} (15.24 Night Strength)."})
    own_factor = find_own_factor(charts, kind, date, artillery, factor)
    return (own_factor or count_offence(owner, kind, attackers, lead, time, artillery, suspend_parents)).terms


def count_engineers(attackers: Sequence[Attacker], lead: int) -> int:
    """How many Engineers of a list work against the TEM: all, if one leads and infantry goes with it (14.8)."""
    if not 1 <= lead <= len(attackers) or not attackers[lead - 1].engineer:
        return 0
    infantry = [unit for unit in attackers if unit.factor is not None and not unit.armour]
    return sum(unit.engineer for unit in attackers) if len(infantry) > 1 else 0


@lru_cache(maxsize=1)
def _margins() -> dict[int, int]:
    """In how many of 1,296 rolls the attacker's two dice exceed the defender's by each margin."""
    ways: dict[int, int] = {}
    sums = [first + second for first in range(1, 7) for second in range(1, 7)]
    for attack_sum in sums:
        for defence_sum in sums:
            ways[attack_sum - defence_sum] = ways.get(attack_sum - defence_sum, 0) + 1
    return dict(sorted(ways.items()))


def attack_odds(charts: Book, inputs: Values) -> Iterable[Odds]:
    """How an attack ends, and what it costs the Group in Casualty Points."""
    extras = ("germans_present", "counter_units", "battery", "track", "box", "start")
    assault = prepare_attack(charts=charts, **{name: value for name, value in inputs.items() if name not in extras})
    ends: dict[tuple[str, str], int] = {}
    points: dict[tuple[str, str], int] = {}
    for off, ways in _margins().items():
        margin = assault.ov - assault.dv + off
        outcome = assault.judge(margin)
        end = (outcome.value, outcome.word)
        ends[end] = ends.get(end, 0) + ways
        overrun = outcome is AttackOutcome.OVERRUN
        cost = ("overrun", "Overrun") if overrun else (str(max(0, margin)), f"{max(0, margin) or 'none'}")
        points[cost] = points.get(cost, 0) + ways
    yield distribution({(ending.value, ending.word): ends.get((ending.value, ending.word), 0) for ending in _ORDER})
    yield distribution(points, "the defenders, in Casualty Points")


_ORDER = (AttackOutcome.OVERRUN, AttackOutcome.WON, AttackOutcome.TIED, AttackOutcome.LOST, AttackOutcome.ROUTED)
