"""Movement: what Areas cost, how far units go, and where they may not (8.2 to 8.28, 8.31, 8.34, 16.3)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown, allow_or_refuse
from firefight.engine.rolls.result import Outcome, Result, sources

from .kinds import Transport
from .sides import Time
from .terms import Group


class Allowance(Outcome):
    """Whether the text says how far."""

    SHOWN = "shown"
    UNDETERMINED = "undetermined"


class UnitClass(Labelled):
    """What a Combat unit is (2.0 Glossary)."""

    INFANTRY = "infantry"
    ARMOUR = "armour"
    AT = "at", "AT"
    AA = "aa", "AA"


def attack_cost(charts: Book, group: Group) -> int:
    """The MF that an attack on a Group costs (8.34 Attack MF Cost)."""
    costs: Numbers = charts["costs"]
    return costs.get(f"attack_{group.value}")


def entry_cost(
    *,
    charts: Book,
    fresh_enemy: int,
    spent_enemy: int,
    enemy_zoc: bool,
    time: Time,
    rubble: int,
    group: Group,
    area: str = "",
) -> Result:
    """What it costs to enter an Area, and to attack there (8.24 MF Costs, 8.34 Attack MF Cost, 16.3).

    An Area with any Fresh enemy costs the attack on a Fresh Group, whichever is attacked (A19). ``group``: what is
    attacked without entering.
    """
    costs: Numbers = charts["costs"]
    if fresh_enemy or spent_enemy:
        enemy_group = Group.FRESH if fresh_enemy else Group.SPENT
        enter, attack = costs.get(enemy_group.value), attack_cost(charts, enemy_group)
    else:
        enter, attack = costs.get(f"vacant_zoc_{time.value}" if enemy_zoc else "vacant"), 0
    enter += costs.get("rubble") if rubble else 0
    alone = attack_cost(charts, group)
    effects = [f"{enter} MF to enter{f', {attack} to attack' if attack else ''}."]
    effects.append(f"An attack on a {group.word} Group without entering: {alone} MF.")
    effects += ["Every Combat unit that enters has to attack (8.34)."] if attack else []
    effects += ["Mechanized units roll to enter Rubble (14.3)."] if rubble else []
    return Result(
        f"{enter + attack} MF.",
        IsShown.SHOWN,
        details={"enter": enter, "attack": attack, "total": enter + attack, "attack_only": alone},
        effects=tuple(effects),
        rules=("8.24 MF Costs", "8.34 Attack MF Cost", *(("16.3 Movement",) if time is Time.NIGHT else ())),
        provenance=sources([costs]),
    )


def movement(
    *,
    charts: Book,
    printed: int,
    kind: Transport,
    level: int,
    attacks: bool,
    leaves_enemy_area: bool,
    enters_enemy_control_or_rubble: bool,
    russian_fresh_night: bool,
) -> Result:
    """A unit's MF in this impulse (8.26, 8.27, 12.21 Combat Factors, 16.3 Movement).

    The text does not say whether a Fresh Russian's additional MF at night is doubled, too: both are given (A16).
    """
    base, night_mf = printed - level, 1 if russian_fresh_night else 0
    barred = attacks or leaves_enemy_area or (kind is Transport.MOTORIZED and enters_enemy_control_or_rubble)
    rule = "8.27 Motorized Units" if kind is Transport.MOTORIZED else "8.26 Mechanized Units"
    rules = (
        *(() if kind is Transport.FOOT else (rule,)),
        *(("12.21 Combat Factors",) if level else ()),
        "16.3 Movement" if night_mf else "8.2 Movement",
    )
    doubled = kind is not Transport.FOOT and not barred
    factor = 2 if doubled else 1
    readings = sorted({max(0, base * factor + night_mf), max(0, (base + night_mf) * factor)})
    if len(readings) > 1:
        return Result(
            f"{' or '.join(map(str, readings))} MF: the text does not say whether the MF of the night is doubled.",
            Allowance.UNDETERMINED,
            details={"mf": None, "readings": readings},
            rules=rules,
        )
    effects = ("Doubled.",) if doubled else ("Not doubled in this impulse.",) if kind is not Transport.FOOT else ()
    return Result(
        f"{readings[0]} MF.", Allowance.SHOWN, details={"mf": readings[0], "readings": []}, effects=effects, rules=rules
    )


def enemy_area(
    *,
    charts: Book,
    unit: UnitClass,
    fresh_enemy: int,
    spent_enemy: int,
    entering_leader: bool,
    group_cleared_it: bool,
) -> Result:
    """Whether a unit may enter an enemy-occupied Area, and leave it (8.22, both rules of that number).

    entering_leader: a Combat unit with a numerical Attack Factor enters with it. group_cleared_it: its own Group has
    removed the enemies of its Area in this impulse.
    """
    enemies = fresh_enemy + spent_enemy
    enters = {
        UnitClass.AT: not fresh_enemy and (entering_leader or not spent_enemy),
        UnitClass.AA: not enemies,
    }.get(unit, True)
    leaves = {UnitClass.AT: not fresh_enemy, UnitClass.AA: not enemies}.get(unit, True) or group_cleared_it
    effects = [] if enters else [_WHY_OUT[unit]]
    effects += [] if leaves else [_WHY_IN[unit]]
    if unit is UnitClass.INFANTRY and enemies and not group_cleared_it:
        effects.append("From here it goes one Area only, free of enemy units and their ZOC.")
    effects.append("Whoever enters an Area with enemies stays there in this impulse while any remain.")
    headline = f"It may {'enter' if enters else 'not enter'}, and may {'leave' if leaves else 'not leave'}."
    details = {"may_enter": enters, "may_leave": leaves}
    rules = ("8.22 Movement Into / Out of Enemy ZOC", "8.22 Entrance of Enemy Occupied Area")
    return Result(headline, IsShown.SHOWN, details=details, effects=tuple(effects), rules=rules)


_WHY_OUT = {
    UnitClass.AT: "AT enter only among Spent enemies, with a Combat unit that has an Attack Factor.",
    UnitClass.AA: "AA never enter an Area with enemies.",
}
_WHY_IN = {
    UnitClass.AT: "Fresh AT do not leave an Area with Fresh enemies.",
    UnitClass.AA: "Fresh AA do not leave an Area with enemies.",
}


def zoc_step(*, charts: Book, from_zoc: bool, to_zoc: bool, from_guarded: bool, to_guarded: bool) -> Result:
    """Whether armour may step from one enemy ZOC straight into another (8.22 Movement Into / Out of Enemy ZOC).

    guarded: the Area holds enemy armour, AT or AA.
    """
    both = from_zoc and to_zoc
    reasons = [
        *(["The Area that it leaves holds enemy armour, AT or AA."] if both and from_guarded else []),
        *(["The Area that it enters holds enemy armour, AT or AA."] if both and to_guarded else []),
    ]
    return allow_or_refuse("Armour from ZOC to ZOC", reasons, ("8.22 Movement Into / Out of Enemy ZOC",))


def regroup(*, charts: Book, by_day: bool, isolated: bool, into_enemy_control: bool, enemy_in_target: bool) -> Result:
    """Whether a Spent unit may regroup: at night, into a Free Area, not while isolated (8.28, 12.21, 16.5)."""
    reasons = (
        (by_day, "Only at night."),
        (isolated, "Isolated units do not regroup (12.21)."),
        (into_enemy_control, "Only into a Free Area: that one is enemy-controlled."),
        (enemy_in_target, "Only into a Free Area: enemy Combat units are in that one."),
    )
    refusals = [words for is_so, words in reasons if is_so]
    return allow_or_refuse("Regrouping", refusals, ("8.28 Regrouping", "16.5 Regrouping"))


def ranged_attack(*, charts: Book, time: Time, zone_involved: bool, mf_left: int, group: Group) -> Result:
    """Whether a Ranged Attack may be made: by day, not from, to or between Zones, with MF left (8.31, 11.4)."""
    cost = attack_cost(charts, group)
    reasons = (
        (time is Time.NIGHT, "Only by day (8.31)."),
        (zone_involved, "Not into a Zone, nor out of one (11.4)."),
        (mf_left < cost, f"It costs {cost} MF, and {mf_left} are left (8.31)."),
    )
    refusals = [words for is_so, words in reasons if is_so]
    rules = ("8.31 Ranged Attacks", "11.4 Attacks")
    return allow_or_refuse("Ranged Attack", refusals, rules, provenance=sources([charts["costs"]]))
