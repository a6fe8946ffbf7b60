"""Guns: Counter-Battery, how far they reach, and the opening bombardment (15.2, 15.21, 15.3, 15.32, 20.4)."""

from collections import Counter

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Outcome, Result, waiting
from firefight.engine.text import count_of

from .areas import MAMAYEV_KURGAN, is_zone, read_areas, say_area
from .sides import Side, Time

HILL = "23"  # Hill 126.3 (15.211)
REACHES = {HILL: 2, MAMAYEV_KURGAN: 3}  # of German artillery there (15.211, 15.212)
RUSSIAN_REACH = 2


class CounterBattery(Outcome):
    """What becomes of a Russian artillery unit that fired."""

    SILENCED = "silenced"
    KEEPS_FIRING = "keeps_firing"


def is_silenced(die: int, units: int) -> bool:
    """Whether Counter-Battery units find a gun: the die is not above their number (15.32)."""
    return die <= units


def counter_battery(
    *, charts: Book, artillery_within_two: int, time: Time, area: str = "", die: int | None = None
) -> Result:
    """German Counter-Battery against a Russian artillery unit that was used (15.32, 15.33 Counter Battery Units).

    The aircraft are one more unit by day, wherever they are and whether they have flown. area: of the Russian guns.
    """
    units = artillery_within_two + (1 if time is Time.DAY else 0)
    details: dict[str, object] = {"units": units, "silenced": None}
    rules = ("15.32 Counter Battery Fire", "15.33 Counter Battery Units")
    if not units:
        die = None  # none is needed
    if die is None and units:
        words = f"Roll a die: {min(units, 6)} or less silences the gun."
        return waiting(words, "die", details=details, rules=rules)
    silenced = die is not None and is_silenced(die, units)
    comparison = "Nothing is in range" if die is None else f"{die} against {units}"
    return Result(
        say_area(area, f"{comparison}, the gun {'is silenced' if silenced else 'keeps firing'}."),
        CounterBattery.SILENCED if silenced else CounterBattery.KEEPS_FIRING,
        dice={} if die is None else {"die": die},
        details={**details, "silenced": silenced},
        effects=("It stands at D1 and needs Refit before it fires again (15.34).",) if silenced else (),
        rules=(*rules, "15.34 Refit") if silenced else rules,
    )


def find_gun_range(side: Side, area: str) -> int:
    """How many Areas away guns in an Area fire (15.21 Range, 15.211, 15.212)."""
    return RUSSIAN_REACH if side is Side.RUSSIAN else REACHES.get(area, 1)


def artillery_range(
    *,
    charts: Book,
    side: Side,
    area: str,
    distance: int,
    friends_in_target: bool,
    spent: bool,
    same_zone: bool,
    target_zone: bool,
    alone: bool,
    target: str = "",
) -> Result:
    """Whether guns may fire at an Area (15.21 Range, 15.25, 15.3 Russian Artillery, 11.4 Attacks).

    target: the Area fired at, whose distance then comes from the map, as far as the chart of Areas knows it.
    """
    reach = find_gun_range(side, area)
    map_distance = read_areas(charts).distance(area, target, reach) if area and target else None
    distance = distance if map_distance is None else map_distance
    reasons = [
        *(["The guns are silenced or Spent: only Fresh ones fire."] if spent else []),
        *list_range_objections(side, area, distance, friends_in_target, same_zone, target_zone, alone),
    ]
    return allow_or_refuse(
        f"Fire at {count_of(distance, 'Area')}" if not same_zone else "Fire into their own Zone",
        reasons,
        ("15.21 Range", "15.25 Strategic Movement Zones" if same_zone or target_zone else "15.3 Russian Artillery")
        if side is Side.RUSSIAN or same_zone or target_zone
        else ("15.21 Range",),
        {"reach": reach, "distance": distance},
    )


def list_range_objections(
    side: Side, area: str, distance: int, friends: bool, same_zone: bool, target_zone: bool, alone: bool
) -> list[str]:
    """What speaks against fire of guns in an Area at another one (11.4, 15.21, 15.25, 15.3)."""
    if side is Side.GERMAN and same_zone:
        return []
    reasons = []
    if side is Side.GERMAN:
        if target_zone or is_zone(area):
            reasons.append("No artillery fires into a Zone or out of one (11.4, 15.25).")
        if friends:
            reasons.append("No German unit of any kind may be in the Area that is fired at (15.21).")
        if not distance:
            reasons.append("Guns do not fire at their own Area (15.21).")
    else:
        if same_zone or target_zone or is_zone(area):
            reasons.append("Only German guns in a Zone fire into it (15.25).")
        if alone and not friends:
            reasons.append("Guns that fire alone need a Russian unit in the Area (15.3).")
    reach = find_gun_range(side, area)
    if distance > reach:
        reasons.append(f"The guns reach {reach}, and it is farther (15.21).")
    return reasons


def opening_bombardment(*, charts: Book, targets: tuple[str, ...]) -> Result:
    """Whether the attacks named for the first impulse of 13 September fit: no Area twice (20.4 Opening Bombardment)."""
    twice = [area for area, number in Counter(targets).items() if number > 1]
    return allow_or_refuse(
        count_of(len(targets), "attack"),
        [f"Area {area} is attacked more than once." for area in twice],
        ("20.4 Opening Bombardment",),
        {"twice": twice},
    )
