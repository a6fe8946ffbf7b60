"""An attack: two values and two rolls, what they cost each side, and what else the same dice do (8.35 to 8.37).

The first attack roll of a German impulse is its impulse roll, too (8.1); two equal rolls of aircraft hit their own side
(17.3); bombardments make Rubble (14.2); Russian guns that were used may be silenced (15.32).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.rolls.changes import Change
from firefight.engine.rolls.result import FollowUp, Result, sources, waiting
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .areas import is_zone, name_area
from .artillery import is_silenced
from .attack_values import Attack, AttackOutcome, prepare_attack
from .becoming import ACTING, ELIMINATED, word_dots
from .dates import is_fixed_day
from .disruption import find_attackers_dots
from .record import RECORD, Track
from .rubble import find_needed, raise_rubble
from .sides import Side, Time
from .terms import Kind
from .units import Attacker, Defender


def attack(
    *,
    charts: Book,
    area: str,
    germans_present: bool,
    counter_units: int | None,
    guns: str = "",
    battery: str = "",
    track: str = "",
    box: int = 1,
    start: str = "",
    attack_dr: int | None = None,
    defence_dr: int | None = None,
    counter_die: int | None = None,
    **inputs: Any,
) -> Result:
    """Resolve an attack (8.35 Attack Resolution, 8.353 Resolution, 8.36 Overrun, 8.37 Rout).

    ``inputs``: what ``prepare_attack`` takes. area: the one attacked, for Rubble. germans_present: in the Area that
    aircraft attack. counter_units: German Counter-Battery units, the aircraft by day among them, None for a roll of
    its own. guns: where the Russian artillery that takes part stands; battery: what the players call the German
    artillery unit that attacks, for a match to keep. track: what the German impulse roll has said in this impulse;
    box: of the track. start: the Area from which they attack, which the match keeps.
    """
    assault = prepare_attack(charts=charts, area=area, guns=guns, **inputs)
    inputs = {**inputs, "tem": assault.tem, "zone": inputs["zone"] or is_zone(area)}
    dice = {"attack_dr": attack_dr, "defence_dr": defence_dr, "counter_die": counter_die}
    thrown = {name: face for name, face in dice.items() if face is not None}
    rules = _cite(assault)
    totals: dict[str, object] = {"ov": assault.ov, "dv": assault.dv}
    if attack_dr is None or defence_dr is None:
        name, roller = ("attack_dr", "attacker") if attack_dr is None else ("defence_dr", "defender")
        words = f"{assault.ov} against {assault.dv}: roll two dice for the {roller}."
        return waiting(words, name, dice=thrown, modifiers=assault.terms, details=totals, rules=rules)
    outcome = assault.judge(assault.ov + attack_dr - assault.dv - defence_dr)
    is_mistaken = assault.kind is Kind.AIR and germans_present and not inputs["zone"] and attack_dr == defence_dr
    details: Json = {
        **totals,
        **_count(charts, assault, attack_dr, defence_dr),
        "rubble": _find_rubble(charts, assault, area, inputs, attack_dr),
        "mistaken_cp": int(charts["mistaken"].look_up(attack_dr)) if is_mistaken else 0,
        "silenced": None
        if counter_die is None or not assault.uses_guns
        else is_silenced(counter_die, counter_units or 0),
        "capacity": assault.capacity,
    }
    return Result(
        f"{_say_attack(assault, area)}: {_tell(outcome, details, assault)}, {details['offence']} against "
        f"{details['defence']}.",
        outcome,
        dice={name: face for name, face in thrown.items() if assault.uses_guns or name != "counter_die"},
        modified=details["margin"],
        modifiers=assault.terms,
        details=details,
        effects=tuple(_effects(charts, assault, outcome, details, inputs, area, attack_dr)),
        follow_ups=tuple(_follow(assault, area, details, inputs, guns, counter_units, track, box, attack_dr)),
        rules=rules,
        provenance=sources(charts[name] for name in _charts(assault, is_mistaken)),
        changes=tuple(_list_changes(assault, inputs, outcome, details)),
    )


def _count(charts: Book, assault: Attack, attack_dr: int, defence_dr: int) -> Json:
    """What both rolls come to: the margin, what it costs the Group, and the attackers' dots (8.353, 10.4)."""
    offence, defence = assault.ov + attack_dr, assault.dv + defence_dr
    margin, outcome = offence - defence, assault.judge(offence - defence)
    event = AttackOutcome.LOST if outcome is AttackOutcome.ROUTED else outcome
    inside, ranged = find_attackers_dots(charts, assault.kind, event.value)
    return {
        "offence": offence,
        "defence": defence,
        "margin": margin,
        "cp": max(0, margin),
        "overrun": outcome is AttackOutcome.OVERRUN,
        "wiped_out": margin >= assault.capacity,
        "inside": inside,
        "ranged": ranged,
        "rout": outcome is AttackOutcome.ROUTED,
    }


def _find_rubble(charts: Book, assault: Attack, area: str, inputs: Values, attack_dr: int) -> int:
    """The Rubble of the Area after the attack; Zones never get any (14.2)."""
    if inputs["zone"]:
        return int(inputs["rubble"])
    return raise_rubble(charts, area, inputs["tem"], inputs["rubble"], assault.kind.value, attack_dr)


def _list_changes(assault: Attack, inputs: Values, outcome: AttackOutcome, details: Values) -> Iterator[Change]:
    """That aircraft have attacked (17.22), and what becomes of both sides' counters."""
    if assault.kind is Kind.AIR:
        yield RECORD.change({"luftwaffe_used": True})
    yield from _disrupt(assault, inputs["attackers"], outcome, details["inside"], details["ranged"])
    yield from _wipe_out(inputs["defenders"], outcome)


def _disrupt(
    assault: Attack, attackers: Sequence[Attacker], outcome: AttackOutcome, inside: int, ranged: int
) -> Iterator[CounterChange]:
    """The dots on the attackers' counters (10.4, 10.6); those who overrun may go on, and are Spent later (8.36)."""
    for unit in attackers:
        if unit.id and outcome is AttackOutcome.OVERRUN:
            yield CounterChange(unit.id, ACTING)
        elif unit.id:
            is_ranged = assault.kind is Kind.RANGED or (assault.kind is Kind.MIXED and unit.ranged)
            yield CounterChange(unit.id, word_dots(ranged if is_ranged else inside))


def _wipe_out(defenders: Sequence[Defender], outcome: AttackOutcome) -> Iterator[CounterChange]:
    """The counters of a Group that is overrun (8.36)."""
    overrun = outcome is AttackOutcome.OVERRUN
    yield from (CounterChange(unit.id, ELIMINATED) for unit in defenders if overrun and unit.id)


def _cite(assault: Attack) -> tuple[str, ...]:
    rules_of_kind = {
        Kind.RANGED: ("8.31 Ranged Attacks",),
        Kind.MIXED: ("8.31 Ranged Attacks",),
        Kind.GERMAN_ARTILLERY: ("15.23 Attack Resolution",),
        Kind.RUSSIAN_ARTILLERY: ("15.3 Russian Artillery",),
        Kind.AIR: ("17.2 Stuka Attack",),
    }
    return ("8.35 Attack Resolution", "8.353 Resolution", *rules_of_kind.get(assault.kind, ()))


def _charts(assault: Attack, is_mistaken: bool) -> tuple[str, ...]:
    is_dated = {"Aircraft", "Russian artillery", "Date"} & {term.name for term in assault.terms}
    names = ("durations", "casualties", "thresholds", is_dated and "dated", is_mistaken and "mistaken")
    return tuple(name for name in names if name)


def _say_attack(assault: Attack, area: str) -> str:
    """Whose attack it is, and on what: "Attack of the German on Area 30, Fresh".

    Its headline begins with the word, so that a log that names every roll does not say it twice.
    """
    source = _WHOSE.get(assault.kind, f"of the {assault.attacker.word}")
    return f"Attack {source}{f' on {name_area(area)}, {assault.group.word}' if area else ''}"


_WHOSE = {
    Kind.AIR: "by aircraft",
    Kind.GERMAN_ARTILLERY: "by German artillery",
    Kind.RUSSIAN_ARTILLERY: "by Russian artillery",
}


def _tell(outcome: AttackOutcome, details: Values, assault: Attack) -> str:
    points = count_of(details["cp"], "Casualty Point")
    if outcome is AttackOutcome.WON:
        return f"{points}, all that the Group has" if details["wiped_out"] else f"won, {points}"
    words = {
        AttackOutcome.OVERRUN: f"Overrun, {points} against {assault.capacity}",
        AttackOutcome.TIED: "tied, no losses",
        AttackOutcome.LOST: "lost, no losses",
        AttackOutcome.ROUTED: f"lost by {-details['margin']}, a Rout",
    }
    return words[outcome]


def _effects(
    charts: Book,
    assault: Attack,
    outcome: AttackOutcome,
    details: Values,
    inputs: Values,
    area: str,
    attack_dr: int,
) -> Iterable[str]:
    """What the players do after an attack. ``inputs``: of the form; ``details``: what came of them."""
    if outcome is AttackOutcome.OVERRUN:
        yield "The Group is eliminated. The attackers may go on with the MF that they have left (8.36)."
    elif outcome is AttackOutcome.WON and details["wiped_out"]:
        yield "The Group is eliminated, and it is no Overrun (8.36)."
    if assault.kind.is_inside:
        yield f"Attackers inside: D{details['inside']}."
    if assault.kind.is_ranged:
        yield f"Ranged attackers: D{details['ranged']}."
    if not assault.kind.is_ground and details["inside"]:
        yield f"{assault.kind.word}: D{details['inside']} (10.6)."
    if outcome is AttackOutcome.ROUTED:
        yield "Those who entered go straight back to the Area from which they came (8.37)."
    if rubble := _tell_rubble(charts, assault, details, inputs, area, attack_dr):
        yield rubble
    if details["mistaken_cp"]:
        yield f"Mistaken Attack: {details['mistaken_cp']} Casualty Points for Germans there, the Fresh first (17.3)."
    if details["silenced"] is not None:
        yield (
            "The Russian artillery is silenced (15.32)."
            if details["silenced"]
            else "The Russian artillery keeps firing."
        )


def _tell_rubble(charts: Book, assault: Attack, details: Values, inputs: Values, area: str, attack_dr: int) -> str:
    """The Rubble that an attack has made, or may have made (14.2)."""
    if details["rubble"] > inputs["rubble"]:
        place = f" in Area {area}" if area else ""
        return f"Rubble {details['rubble']}{place}: {attack_dr} and TEM {inputs['tem']} (14.2)."
    needed = find_needed(charts, area, inputs["tem"], inputs["rubble"], Kind.RANGED.value)
    if assault.kind is Kind.MIXED and needed is not None and attack_dr >= needed:
        return "Whether a mixed attack makes Rubble is open (14.2): agree, and put the marker there if it does."
    return ""


def _follow(
    assault: Attack,
    area: str,
    details: Values,
    inputs: Values,
    guns: str,
    counter_units: int | None,
    track: str,
    box: int,
    attack_dr: int,
) -> Iterable[FollowUp]:
    """The rolls that an attack asks for; all as in ``attack``."""
    date, time, area_input = inputs["date"], inputs["time"], {"area": area} if area else {}
    if assault.uses_guns and details["silenced"] is None:
        # Without the aircraft.
        batteries = None if counter_units is None else max(0, counter_units - (time is Time.DAY))
        aimed = ({} if batteries is None else {"artillery_within_two": batteries}) | ({"area": guns} if guns else {})
        yield FollowUp("counter-battery", "Counter-Battery at the Russian artillery", {**aimed, "time": time.value})
    if details["cp"] and not details["overrun"]:
        owed = {"group": assault.group.value, "required": min(details["cp"], assault.capacity)} | area_input
        owed |= {"side": assault.attacker.other.value} | ({} if assault.kind.is_ground else {"forfeit": True})
        factors = {"factors": [unit.strength for unit in inputs["defenders"]]} if inputs["defenders"] else {}
        units = [unit.plain() for unit in inputs["defenders"]]
        factors |= {"units": units} if any(unit.id for unit in inputs["defenders"]) else {}
        yield FollowUp("payment", f"The {assault.attacker.other.word} pays {details['cp']}", {**owed, **factors})
    if details["mistaken_cp"]:
        owed = {"required": details["mistaken_cp"], "side": Side.GERMAN.value, "forfeit": True} | area_input
        yield FollowUp("payment", "The German pays for the Mistaken Attack", owed)
    is_first = track in ("", Track.OPEN, Track.ENDING) and not (track and is_fixed_day(date, time))
    if assault.attacker is Side.GERMAN and is_first:
        roll_inputs = {"date": date, "time": time.value, "box": box, "dr": attack_dr, "rolled": attack_dr}
        yield FollowUp("impulse", "The first attack decides whether the track goes on", roll_inputs)
