"""The Offensive Value: its leader, those who join in, their parents, daylight and guns (8.35 Attack Resolution)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Result, sources

from .dates import dated
from .sides import Side, Time
from .terms import Kind, time_problems
from .units import Attacker

TRIO = 3  # attackers of one parent for each +1


@dataclass(frozen=True, slots=True)
class Offence:
    """Every term of an OV; ``parents`` is what other parents cost, zero or less. ``leads``: what leads, by its rule."""

    lead: int
    extra: int = 0
    integrity: int = 0
    parents: int = 0
    daylight: int = 0
    artillery: int = 0
    leads: tuple[str, str] = ("Leader", "8.35 Attack Resolution")

    @property
    def terms(self) -> tuple[Modifier, ...]:
        """The terms that change something, by name and rule."""
        name, rule = self.leads
        return without_zeroes(
            Modifier(name, self.lead, rule),
            Modifier("Further attackers", self.extra, "8.35 Attack Resolution"),
            Modifier("Regimental Integrity", self.integrity, "2.0 Regimental Integrity"),
            Modifier("Other parents", self.parents, "8.35 Attack Resolution"),
            Modifier("German daylight impulse", self.daylight, "17.6 Tactical Air Support"),
            Modifier("Russian artillery", self.artillery, "15.3 Russian Artillery"),
        )

    @property
    def total(self) -> int:
        """The OV."""
        return total(self.terms)

    def plain(self) -> dict[str, int]:
        """The terms and their sum under the names of the JSON contract."""
        names = ("lead", "extra", "integrity", "parents", "daylight", "artillery", "total")
        return {name: getattr(self, name) for name in names}


def find_integrity(attackers: Sequence[Attacker]) -> int:
    """+1 for every full three of one parent; independents fill up whichever trios they help most (2.0, 8.35).

    >>> find_integrity([Attacker(4, "295")] * 2 + [Attacker(None)])
    1
    """
    counts = Counter(unit.parent for unit in attackers if not unit.is_independent)
    loose = len(attackers) - sum(counts.values())
    trios = sum(count // TRIO for count in counts.values())
    for lacking in sorted(TRIO - count % TRIO for count in counts.values() if count % TRIO):
        if lacking <= loose:
            loose, trios = loose - lacking, trios + 1
    return trios + loose // TRIO


def find_parents(attackers: Sequence[Attacker]) -> int:
    """-1 for each parent beyond the first; independents cost nothing (8.35, 22.3 Example 3)."""
    return -max(0, len({unit.parent for unit in attackers if not unit.is_independent}) - 1)


def count_offence(
    side: Side,
    kind: Kind,
    attackers: Sequence[Attacker],
    lead: int = 1,
    time: Time = Time.DAY,
    artillery: int = 0,
    suspend_parents: bool = False,
) -> Offence:
    """The OV of Combat units (8.35 Attack Resolution, 12.21 Combat Factors, 17.6 Tactical Air Support).

    Raises BadInput for a list whose leader may not lead.
    """
    leader = find_leader(attackers, lead)
    is_german = kind.owner(side) is Side.GERMAN
    return Offence(
        lead=leader.strength,
        extra=len(attackers) - 1,
        integrity=find_integrity(attackers),
        parents=0 if suspend_parents else find_parents(attackers),
        daylight=1 if is_german and time is Time.DAY else 0,
        artillery=0 if is_german else artillery,
    )


def find_own_factor(charts: Book, kind: Kind, date: str, artillery: int, german_factor: int | None) -> Offence | None:
    """The OV of guns and aircraft, which add nothing to their own factor (15.23, 15.3, 17.23); None for Combat units.

    ``german_factor``: what the German artillery unit prints, which only its owner knows, so that a caller asks for it.
    """
    if kind is Kind.AIR:
        return Offence(dated("luftwaffe", date, charts), leads=("Aircraft", "17.23 Strength"))
    if kind is Kind.RUSSIAN_ARTILLERY:
        factor = artillery or dated("russian_artillery", date, charts)
        return Offence(factor, leads=("Russian artillery", "15.3 Russian Artillery"))
    if kind is Kind.GERMAN_ARTILLERY and german_factor is not None:
        return Offence(german_factor, leads=("German artillery", "15.23 Attack Resolution"))
    return None


def find_leader(attackers: Sequence[Attacker], lead: int) -> Attacker:
    """The unit that leads; AT and AA, marked "*", may not (8.35). Raises BadInput."""
    if not attackers:
        raise BadInput({"attackers": "List the attackers: their Attack Factors, the leader among them."})
    if lead > len(attackers):
        raise BadInput({"lead": f"There are {len(attackers)} attackers; no. {lead} is not one of them."})
    if attackers[lead - 1].factor is None:
        raise BadInput({"lead": "AT and AA units, marked *, do not lead an attack (8.35 Attack Resolution)."})
    return attackers[lead - 1]


def offensive_value(
    *,
    charts: Book,
    side: Side,
    kind: Kind,
    attackers: Sequence[Attacker],
    lead: int,
    date: str,
    time: Time,
    artillery: int,
    suspend_parents: bool,
    day_factor: int | None,
    night_factor: int | None,
) -> Result:
    """The OV of an attack, term by term (8.35 Attack Resolution, 15.23, 15.24 Night Strength, 15.3, 17.23 Strength).

    Guns and aircraft add nothing to their own factor; that of a German artillery unit is asked for.
    """
    problems = time_problems(kind, time)
    if problems:
        raise BadInput(problems)
    inputs = {
        "attacker": kind.owner(side).value,
        "kind": kind.value,
        "attackers": [unit.plain() for unit in attackers],
        "lead": lead,
        "date": date,
        "time": time.value,
        "artillery": artillery,
        "suspend_parents": suspend_parents,
    }
    name, factor = ("day_factor", day_factor) if time is Time.DAY else ("night_factor", night_factor)
    if kind is Kind.GERMAN_ARTILLERY and factor is None:
        raise BadInput({name: f"Give the factor that the artillery unit prints for the {time.word.lower()}."})
    offence = find_own_factor(charts, kind, date, artillery, factor)
    offence = offence or count_offence(side, kind, attackers, lead, time, artillery, suspend_parents)
    return Result(
        f"OV {offence.total}.",
        Counted.COUNTED,
        modified=offence.total,
        modifiers=offence.terms,
        details=offence.plain(),
        effects=tuple(f"{term.value:+d} {term.name} ({term.rule})." for term in offence.terms),
        follow_ups=(FollowUp("attack", f"Attack with an OV of {offence.total}", {**inputs, "ov": offence.total}),),
        rules=(offence.leads[1], *(("15.24 Night Strength",) if kind is Kind.GERMAN_ARTILLERY else ())),
        provenance=sources([charts["dated"]]) if kind in (Kind.AIR, Kind.RUSSIAN_ARTILLERY) else (),
    )
