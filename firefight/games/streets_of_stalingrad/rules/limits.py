"""Who may do what: advances, retreats, breakthroughs, opportunity fire, Katyushas; and what interdiction costs."""

from collections.abc import Iterable

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown, allow_or_refuse
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.text import count_of

from .terms import Side, Terrain

HARMLESS = ("bridge", "minefield", "fortification")
CLOSE_BY = "bridges, minefields and fortifications"


def list_odd_neighbours(kinds: Iterable[str]) -> list[str]:
    """Those next to a target that Katyushas, and Stukas in built-up hexes, may not fire beside (9.103, 9.104)."""
    return [kind for kind in kinds if kind.lower().rstrip("s") not in HARMLESS]


def katyusha(*, charts: Book, adjacent_kinds: tuple[str, ...]) -> Result:
    """Whether Katyushas may fire at a hex (9.103, 14.05, 14.44); Nebelwerfers always may.

    adjacent_kinds: what of their own side stands next to it, the Katyushas themselves among it.
    """
    barred_neighbours = list_odd_neighbours(adjacent_kinds)
    reasons = [f"Friends other than {CLOSE_BY} are next to the hex (9.103)."] if barred_neighbours else []
    return allow_or_refuse("Katyushas", reasons, ("9.103", "14.05", "14.44"))


def advance_after_combat(
    *, did_not_attack: bool, not_adjacent: bool, hex_held: bool, may_not_enter: bool, over_stacking: bool
) -> Result:
    """Whether a unit may advance after combat (9.85, 9.86). may_not_enter: nor cross a balka without road or bridge."""
    reasons = (
        (hex_held, "Enemy units are still in the hex (9.85)."),
        (did_not_attack, "Only units that attacked advance, not those that fired in defence (9.85, note)."),
        (not_adjacent, "The unit is not next to the hex (9.85)."),
        (may_not_enter, "The unit may not enter the hex, or not across that balka (9.86)."),
        (over_stacking, "The hex would hold too many (9.85, 5.0)."),
    )
    return allow_or_refuse("Advance", _list_true(reasons), ("9.85 Advance After Combat", "9.86"))


def _list_true(reasons: Iterable[tuple[bool, str]]) -> list[str]:
    return [reason for holds, reason in reasons if holds]


def retreat_before_combat(
    *,
    charts: Book,
    side: Side,
    only_indirect: bool,
    breakthrough: bool,
    opportunity_fired: bool,
    pinned: bool,
    guards_or_marine: bool,
    with_house_leader: bool,
    with_or_adjacent_leader: bool,
) -> Result:
    """Whether units may retreat before combat (9.41 to 9.46).

    with_house_leader: with Pavlov, Herman or a commissar; with_or_adjacent_leader: with another leader, or next to him.
    """
    is_led = guards_or_marine or with_house_leader or with_or_adjacent_leader
    reasons = (
        (only_indirect, "No direct-fire unit attacks (9.41)."),
        (breakthrough, "Not before a breakthrough attack (9.42, 10.5)."),
        (opportunity_fired, "The unit used opportunity fire in the enemy's last movement phase (9.46)."),
        (pinned, "Pinned units do not move (9.46)."),
        (
            side is Side.SOVIET and not is_led,
            "Soviets need to be Guards or Marines, with Pavlov, Herman or a commissar, or with or next to another "
            "leader (9.44).",
        ),
    )
    rules = ("9.4 Retreat Before Combat", "9.43", "9.44", "9.46")
    return allow_or_refuse("Retreat before combat", _list_true(reasons), rules)


def breakthrough(
    *,
    charts: Book,
    terrain: Terrain,
    crosses_wall_or_balka: bool,
    interdicted: bool,
    nobody_adjacent: bool,
    pinned_or_spent_in_attack: bool,
    already_this_phase: bool,
    passed_marker: bool = False,
) -> Result:
    """Whether a hex may be attacked in a movement phase (10.2, 10.4, 10.7). passed_marker: an attacker passed one."""
    open_ground = terrain.is_clear or terrain in (Terrain.FOREST, Terrain.SUBURB, Terrain.VILLAGE)
    reasons = (
        (not open_ground, f"Not at {terrain.word}: clear, forest, suburb and village hexes alone (10.2)."),
        (crosses_wall_or_balka, "Not across the Tartar Wall or a balka (10.2)."),
        (interdicted, "The hex is interdicted (10.2, 14.85)."),
        (nobody_adjacent, "An unpinned attacker has to be next to the hex (10.2)."),
        (pinned_or_spent_in_attack, "A pinned or spent unit takes part (10.2)."),
        (already_this_phase, "The hex was attacked so in this phase (10.4)."),
        (passed_marker, "An attacker has moved through a breakthru marker in this phase (10.7)."),
    )
    return allow_or_refuse("Breakthrough attack", _list_true(reasons), ("10.2", "10.4", "10.7"))


class Firer(Labelled):
    """Who would use opportunity fire."""

    DIRECT = "direct", "A direct-fire unit"
    MORTAR = "mortar", "A mortar"


class Indirect(Labelled):
    """Which guns would fire."""

    MORTAR = "mortar"
    NEBELWERFER = "nebelwerfer"
    KATYUSHA = "katyusha"
    OTHER_IF = "other_if", "Other guns"
    STUKA = "stuka"


def may_fire_indirectly(side: Side, indirect: Indirect, crossing_volga: bool) -> bool:
    """Whether guns have opportunity fire: mortars, and German guns at units that cross the Volga (11.2, 14.02)."""
    at_crossing = indirect is Indirect.OTHER_IF and side is Side.GERMAN and crossing_volga
    return indirect is Indirect.MORTAR or at_crossing


def opportunity(
    *,
    charts: Book,
    unit: Firer,
    distance: int,
    unit_range: int,
    under_cover: bool,
    no_los: bool,
    pinned: bool,
    fired_this_phase: bool,
    attacked_by_adjacent_infantry: bool,
    not_moving: bool,
    side: Side,
    indirect: str,
    crossing_volga: bool,
) -> Result:
    """Whether a unit has opportunity fire (11.1 to 11.5). indirect: which guns are asked about, "" for none.

    under_cover: the target hex is not clear. no_los: neither the unit, nor for a mortar its spotter, sees it.
    """
    allowed = may_fire_indirectly(side, Indirect(indirect), crossing_volga) if indirect else None
    sees = "The mortar's spotter" if unit is Firer.MORTAR else "The unit"
    reasons = (
        (not_moving, "The target does not move (11.1)."),
        (distance > unit_range, f"{count_of(distance, 'hex', 'hexes')} away, range {unit_range} (11.4)."),
        (under_cover, "The target hex is no clear hex (11.4)."),
        (no_los, f"{sees} does not see the target (11.4)."),
        (pinned, "Pinned units have no opportunity fire (11.3)."),
        (fired_this_phase, "Once a phase (11.2)."),
        (attacked_by_adjacent_infantry, "Unpinned infantry next to the unit attacks it (11.4)."),
        (
            allowed is False,
            "Of guns only mortars, and German ones at who crosses the Volga; no rockets, no Stukas (11.2, 14.02).",
        ),
    )
    refusals = _list_true(reasons)
    next_step = FollowUp("defensive-fire", "Opportunity fire", {"kind": "opportunity", "firer": side.value})
    return allow_or_refuse(
        "Opportunity fire",
        refusals,
        ("11.1", "11.2", "11.3", "11.4"),
        {"indirect_allowed": allowed},
        follow_ups=() if refusals else (next_step,),
    )


class Mover(Labelled):
    """Who moves through interdicted hexes (9.48)."""

    FOOT = "foot", "On foot"
    ARMORED = "armored", "Armoured"
    MOTORIZED = "motorized"
    TOWED = "towed"


POINTS_PER_MP = 5


def interdiction(*, charts: Book, points: int, unit: Mover) -> Result:
    """What interdiction by guns and Stukas costs (14.84), and who may leave the hex before combat (9.48)."""
    extra = points // POINTS_PER_MP
    may_leave = not extra or unit in (Mover.FOOT, Mover.ARMORED)
    leave = f"{extra:+d} MP to leave it before combat" if may_leave else "no retreat out of it or through it"
    return Result(
        f"{count_of(points, 'point')} on the hex: {extra:+d} MP to enter it, {leave}.",
        IsShown.SHOWN,
        details={"extra_mp": extra, "may_leave": may_leave, "leave_mp": extra if may_leave else None},
        rules=("9.48", "14.84 Effects of Interdiction"),
    )
