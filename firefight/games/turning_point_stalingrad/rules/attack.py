"""An attack: two values and two rolls, what they cost whom, and what the same dice do besides (8.35 to 8.37).

The first attack roll of a German impulse is its impulse roll, too (8.1); two equal rolls of aircraft hit their own side
(17.3); bombardments make Rubble (14.2); Russian guns that were used may be silenced (15.32).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.modifiers import Modifier, total
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting

from .artillery import is_silenced
from .casualties import find_capacity
from .dates import dated
from .defence import DateReading, count_defence
from .disruption import find_attackers_dots
from .offence import count_offence
from .record import RECORD, Track
from .rubble import find_needed, raise_rubble
from .sides import Side, Time
from .terms import Group, Kind, time_problems
from .units import Attacker, Defender

LEAST, MOST = -5, 60  # of an OV or DV that is given


class AttackOutcome(Outcome):
    """How an attack ends."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"
    OVERRUN = "overrun"
    ROUTED = "routed", "lost and routed"


@dataclass(frozen=True, slots=True)
class Attack:
    """All that is known of an attack before the dice; ``ov`` and ``dv`` with what they are made of."""

    kind: Kind
    attacker: Side
    group: Group
    ov: int
    dv: int
    terms: tuple[Modifier, ...]
    capacity: int
    rout: int
    entered: bool = False

    def judge(self, margin: int) -> AttackOutcome:
        """How it ends by the difference of the totals (8.353, 8.36, 8.37)."""
        if margin > 0:
            overruns = self.kind.is_ground and margin > self.capacity
            return AttackOutcome.OVERRUN if overruns else AttackOutcome.WON
        if not margin:
            return AttackOutcome.TIED
        routs = self.entered and self.kind.is_inside and margin <= -self.rout
        return AttackOutcome.ROUTED if routs else AttackOutcome.LOST


def prepare(
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
) -> Attack:
    """Both values, as given or counted from the lists, and what the Group can pay.

    Guns and aircraft say themselves whose attack it is. Raises BadInput for what cannot be.
    """
    problems = time_problems(kind, time)
    if zone and kind.is_ranged:
        problems["zone"] = "There is no Ranged Attack into a Zone (11.4 Attacks)."
    if zone and kind is Kind.RUSSIAN_ARTILLERY:
        problems["zone"] = "Russian artillery does not fire into a Zone (15.25)."
    if problems:
        raise BadInput(problems)
    owner = kind.owner(attacker)
    if ov is None:
        offence = _offence_terms(charts, owner, kind, attackers, lead, date, time, artillery, suspend_parents)
    else:
        offence = (Modifier("OV", ov, "as given"),)
    if dv is None:
        afv = attackers_afv or any(unit.armour for unit in attackers)
        working = 0 if entered or zone else max(engineers, count_engineers(attackers, lead))
        counted = count_defence(
            charts, owner.other, kind, defenders, tem, rubble, date, time, artillery, afv, working, reading
        )
        if len(counted) > 1:
            told = " or ".join(str(each.total) for each in counted)
            message = f"What Engineers do to a tripled TEM is open (14.8): agree on a DV of {told}, and give it."
            raise BadInput({"dv": message})
        defence = counted[0].terms
    else:
        defence = (Modifier("DV", dv, "as given"),)
    taken = tuple(replace(term, value=-term.value) for term in defence)
    return Attack(
        kind=kind,
        attacker=owner,
        group=group,
        ov=total(offence),
        dv=total(defence),
        terms=tuple(term for term in (*offence, *taken) if term.value),
        capacity=find_capacity(charts, group, len(defenders) or defending_units),
        rout=charts["thresholds"].get("rout"),
        entered=entered,
    )


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
    if kind is Kind.AIR:
        return (Modifier("Aircraft", dated("luftwaffe", date, charts), "17.23 Strength"),)
    if kind is Kind.RUSSIAN_ARTILLERY:
        factor = artillery or dated("russian_artillery", date, charts)
        return (Modifier("Russian artillery", factor, "15.3 Russian Artillery"),)
    if kind is Kind.GERMAN_ARTILLERY:
        if not attackers or attackers[0].factor is None:
            words = "by day" if time is Time.DAY else "at night, in parentheses"
            raise BadInput({"ov": f"Give the factor that the artillery unit prints {words} (15.24 Night Strength)."})
        return (Modifier("German artillery", attackers[0].factor, "15.23 Attack Resolution"),)
    return count_offence(owner, kind, attackers, lead, time, artillery, suspend_parents).terms


def count_engineers(attackers: Sequence[Attacker], lead: int) -> int:
    """How many Engineers of a list work against the TEM: all, if one leads and infantry goes with it (14.8)."""
    if not 1 <= lead <= len(attackers) or not attackers[lead - 1].engineer:
        return 0
    infantry = [unit for unit in attackers if unit.factor is not None and not unit.armour]
    return sum(unit.engineer for unit in attackers) if len(infantry) > 1 else 0


def uses_guns(attacker: Side, kind: Kind, artillery: int) -> bool:
    """Whether Russian artillery takes part, on whichever side (15.3)."""
    return kind is Kind.RUSSIAN_ARTILLERY or bool(artillery and kind.is_ground)


def attack(
    *,
    charts: Book,
    area: str,
    germans_present: bool,
    counter_units: int | None,
    track: Track,
    box: int | None = None,
    attack_dr: int | None = None,
    defence_dr: int | None = None,
    counter_die: int | None = None,
    **given: Any,
) -> Result:
    """Resolve an attack (8.35 Attack Resolution, 8.353 Resolution, 8.36 Overrun, 8.37 Rout).

    ``given``: what ``prepare`` takes. area: that is attacked, for Rubble. germans_present: in the Area that aircraft
    attack. counter_units: German Counter-Battery units, the aircraft by day among them, None for a roll of its own.
    track: what the German impulse roll has said in this impulse; box: of the track.
    """
    made = prepare(charts=charts, **given)
    dice = {"attack_dr": attack_dr, "defence_dr": defence_dr, "counter_die": counter_die}
    thrown = {name: face for name, face in dice.items() if face is not None}
    rules = _cite(made)
    known: dict[str, object] = {"ov": made.ov, "dv": made.dv}
    for name, whose in (("attack_dr", "attacker"), ("defence_dr", "defender")):
        if dice[name] is None:
            words = f"{made.ov} against {made.dv}: roll two dice for the {whose}."
            return waiting(words, name, dice=thrown, modifiers=made.terms, details=known, rules=rules)
    assert attack_dr is not None and defence_dr is not None
    margin = made.ov + attack_dr - made.dv - defence_dr
    outcome = made.judge(margin)
    inside, ranged = find_attackers_dots(charts, made.kind, _EVENTS[outcome])
    is_mistaken = made.kind is Kind.AIR and germans_present and not given["zone"] and attack_dr == defence_dr
    fired = uses_guns(made.attacker, made.kind, given["artillery"])
    details: dict[str, Any] = {
        **known,
        "offence": made.ov + attack_dr,
        "defence": made.dv + defence_dr,
        "margin": margin,
        "cp": max(0, margin),
        "overrun": outcome is AttackOutcome.OVERRUN,
        "wiped_out": margin >= made.capacity,
        "inside": inside,
        "ranged": ranged,
        "rout": outcome is AttackOutcome.ROUTED,
        "rubble": given["rubble"]
        if given["zone"]
        else raise_rubble(charts, area, given["tem"], given["rubble"], made.kind.value, attack_dr),
        "mistaken_cp": int(charts["mistaken"].look_up(attack_dr)) if is_mistaken else 0,
        "silenced": is_silenced(counter_die, counter_units or 0) if fired and counter_die is not None else None,
        "capacity": made.capacity,
    }
    return Result(
        f"{details['offence']} against {details['defence']}: {_tell(outcome, details, made)}.",
        outcome,
        dice=thrown if fired else {name: face for name, face in thrown.items() if name != "counter_die"},
        modified=margin,
        modifiers=made.terms,
        details=details,
        effects=tuple(_effects(charts, made, outcome, details, given, area, attack_dr)),
        follow_ups=tuple(_follow(made, details, given, fired, counter_units, track, box, attack_dr)),
        rules=rules,
        provenance=sources(charts[name] for name in _charts(made, is_mistaken)),
        changes=(RECORD.change({"luftwaffe_used": True}),) if made.kind is Kind.AIR else (),
    )


_EVENTS = {
    AttackOutcome.WON: "won",
    AttackOutcome.TIED: "tied",
    AttackOutcome.LOST: "lost",
    AttackOutcome.OVERRUN: "overrun",
    AttackOutcome.ROUTED: "lost",
}


def _cite(made: Attack) -> tuple[str, ...]:
    own = {
        Kind.RANGED: ("8.31 Ranged Attacks",),
        Kind.MIXED: ("8.31 Ranged Attacks",),
        Kind.GERMAN_ARTILLERY: ("15.23 Attack Resolution",),
        Kind.RUSSIAN_ARTILLERY: ("15.3 Russian Artillery",),
        Kind.AIR: ("17.2 Stuka Attack",),
    }
    return ("8.35 Attack Resolution", "8.353 Resolution", *own.get(made.kind, ()))


def _charts(made: Attack, is_mistaken: bool) -> tuple[str, ...]:
    is_dated = {"Aircraft", "Russian artillery", "Date"} & {term.name for term in made.terms}
    names = ("durations", "casualties", "thresholds", is_dated and "dated", is_mistaken and "mistaken")
    return tuple(name for name in names if name)


def _tell(outcome: AttackOutcome, details: Mapping[str, Any], made: Attack) -> str:
    points = f"{details['cp']} Casualty Point{'' if details['cp'] == 1 else 's'}"
    if outcome is AttackOutcome.WON:
        return f"{points}, all that the Group has" if details["wiped_out"] else f"won, {points}"
    told = {
        AttackOutcome.OVERRUN: f"Overrun, {points} against {made.capacity}",
        AttackOutcome.TIED: "tied, no losses",
        AttackOutcome.LOST: "lost, no losses",
        AttackOutcome.ROUTED: f"lost by {-details['margin']}, a Rout",
    }
    return told[outcome]


def _effects(
    charts: Book,
    made: Attack,
    outcome: AttackOutcome,
    details: Mapping[str, Any],
    given: Mapping[str, Any],
    area: str,
    attack_dr: int,
) -> Iterable[str]:
    if outcome is AttackOutcome.OVERRUN:
        yield "The Group is eliminated. The attackers may go on with the MF that they have left (8.36)."
    elif outcome is AttackOutcome.WON and details["wiped_out"]:
        yield "The Group is eliminated, and it is no Overrun (8.36)."
    if made.kind.is_inside:
        yield f"Attackers inside: D{details['inside']}."
    if made.kind.is_ranged:
        yield f"Ranged attackers: D{details['ranged']}."
    if not made.kind.is_ground and details["inside"]:
        yield f"{made.kind.word}: D{details['inside']} (10.6)."
    if outcome is AttackOutcome.ROUTED:
        yield "Those who entered go straight back to the Area from which they came (8.37)."
    if details["rubble"] > given["rubble"]:
        where = f" in Area {area}" if area else ""
        yield f"Rubble {details['rubble']}{where}: {attack_dr} and TEM {given['tem']} (14.2)."
    if made.kind is Kind.MIXED:
        needed = find_needed(charts, area, given["tem"], given["rubble"], Kind.RANGED.value)
        if needed is not None and attack_dr >= needed:
            yield "Whether a mixed attack makes Rubble is open (14.2): agree, and put the marker there if it does."
    if details["mistaken_cp"]:
        yield f"Mistaken Attack: {details['mistaken_cp']} Casualty Points for Germans there, the Fresh first (17.3)."
    if details["silenced"] is not None:
        yield (
            "The Russian artillery is silenced (15.32)."
            if details["silenced"]
            else "The Russian artillery keeps firing."
        )


def _follow(
    made: Attack,
    details: Mapping[str, Any],
    given: Mapping[str, Any],
    fired: bool,
    counter_units: int | None,
    track: Track,
    box: int | None,
    attack_dr: int,
) -> Iterable[FollowUp]:
    if made.attacker is Side.GERMAN and track in (Track.OPEN, Track.ENDING):
        known = {"date": given["date"], "time": given["time"].value, "box": box, "dr": attack_dr}
        told = {name: value for name, value in known.items() if value is not None}
        yield FollowUp("impulse", "The first attack decides whether the track goes on", told)
    if fired and details["silenced"] is None:
        time = given["time"]
        guns = {} if counter_units is None else {"artillery_within_two": counter_units - (time is Time.DAY)}
        guns = {name: max(0, value) for name, value in guns.items()}
        yield FollowUp("counter-battery", "Counter-Battery at the Russian artillery", {**guns, "time": time.value})
    if details["cp"] and not details["overrun"]:
        owed = {"group": made.group.value, "required": min(details["cp"], made.capacity)}
        factors = {"factors": [unit.strength for unit in given["defenders"]]} if given["defenders"] else {}
        yield FollowUp("payment", f"The {made.attacker.other.word} pays {details['cp']}", {**owed, **factors})
    if details["mistaken_cp"]:
        yield FollowUp("payment", "The German pays for the Mistaken Attack", {"required": details["mistaken_cp"]})


@lru_cache(maxsize=1)
def _margins() -> dict[int, int]:
    """In how many of 1,296 rolls the attacker's two dice come to so much more than the defender's."""
    ways: dict[int, int] = {}
    sums = [first + second for first in range(1, 7) for second in range(1, 7)]
    for mine in sums:
        for theirs in sums:
            ways[mine - theirs] = ways.get(mine - theirs, 0) + 1
    return dict(sorted(ways.items()))


def attack_odds(charts: Book, inputs: Mapping[str, Any]) -> Iterable[Odds]:
    """How an attack ends, and what it costs the Group in Casualty Points."""
    apart = ("area", "germans_present", "counter_units", "track", "box")
    made = prepare(charts=charts, **{name: value for name, value in inputs.items() if name not in apart})
    ends: dict[tuple[str, str], int] = {}
    points: dict[tuple[str, str], int] = {}
    for off, ways in _margins().items():
        margin = made.ov - made.dv + off
        outcome = made.judge(margin)
        end = (outcome.value, outcome.word)
        ends[end] = ends.get(end, 0) + ways
        overrun = outcome is AttackOutcome.OVERRUN
        cost = ("overrun", "Overrun") if overrun else (str(max(0, margin)), f"{max(0, margin) or 'none'}")
        points[cost] = points.get(cost, 0) + ways
    yield distribution({(each.value, each.word): ends.get((each.value, each.word), 0) for each in _ORDER})
    yield distribution(points, "the defenders, in Casualty Points")


_ORDER = (AttackOutcome.OVERRUN, AttackOutcome.WON, AttackOutcome.TIED, AttackOutcome.LOST, AttackOutcome.ROUTED)
