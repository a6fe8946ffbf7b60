"""Buying Reinforcement Groups (20.8): a whole list at once, with its price and everything that speaks against it."""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from firefight.engine.errors import RuleError

from .counters import Counter
from .leaders import Side
from .maps import SectorMap
from .rosters import Group, GroupType, Roster, Time
from .sectors import Control, Line, lines


@dataclass(frozen=True, slots=True)
class Wish:
    """One group to be bought. ``sector``: where it sets up, None if it is kept off map.

    ``bonus``: the +2 that comes with an Attack. ``dice``: those of a mix such as V3's, once rolled.
    """

    group: str
    sector: int | None = None
    bonus: bool = False
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """What a side may count on when it buys.

    ``bought``: groups bought before in this campaign, at-start ones not among them (20.5.2). ``left``:
    counters that remain in the box. ``stance_fixed``: the card already names Attacker and Defender for
    the firefight ahead (20.5.3). ``commissars``: in play.
    """

    campaign: str
    time: Time
    cp: int
    left: Mapping[str, int]
    bought: Mapping[str, int] = field(default_factory=dict)
    commissars: int = 0
    stance_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a list cannot be bought as it stands. ``place``: the wish, from 1; None if it is the list as a whole."""

    place: int | None
    message: str
    rule: str


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the bill. ``dice_due``: dice of the mix still to be rolled.

    ``receives`` and ``short``: counters that the group brings, and those that the box no longer holds.
    """

    wish: Wish
    unit: str
    price: int
    surcharge: int
    bonus: int
    receives: Mapping[str, int]
    short: Mapping[str, int]
    dice_due: int
    line: Line | None

    @property
    def total(self) -> int:
        """What this line costs in CP."""
        return self.price + self.surcharge + self.bonus


@dataclass(frozen=True, slots=True)
class Bill:
    """A checked list: it may be bought if there is no objection."""

    items: tuple[Item, ...]
    total: int
    objections: tuple[Objection, ...]


def check(
    wishes: Sequence[Wish],
    roster: Roster,
    counters: Mapping[str, Counter],
    sector_map: SectorMap,
    control: Control,
    situation: Situation,
) -> Bill:
    """Price a list of purchases and name everything that is wrong with it (20.5.3, 20.8, 20.9.2).

    ``counters``: the side's, for their names. A wish for an unknown group costs nothing and has no item.
    """
    ways = lines(sector_map, control, roster.side)
    left, asked = Tally(situation.left), Tally(situation.bought)
    items: list[Item] = []
    objections: list[Objection] = []
    for place, wish in enumerate(wishes, start=1):
        group = roster.groups.get(wish.group)
        if group is None:
            objections.append(Objection(place, f"There is no group {wish.group} on this roster.", "20.3.2"))
            continue
        asked[group.id] += 1
        found = [*_against_roster(group, asked[group.id], situation), *_against_place(wish, group, roster.side, ways)]
        found += _against_attack(wish, group, asked[group.id] - situation.bought.get(group.id, 0), situation)
        line = ways.get(wish.sector) if wish.sector is not None else None
        pays = line is not None and not line.is_isolated and group.pays_to_go_in
        needed, due = _needed(wish, group, found)
        receives = _take(needed, due, group, left)
        if needed.total() + due and not receives:
            kinds = (*group.contents, *(group.mix.kinds if group.mix else ()))
            found.append((f"No counter is left: {', '.join(counters[key].name for key in kinds)}.", "20.8.1"))
        items.append(
            Item(
                wish=wish,
                unit=group.unit,
                price=group.cp,
                surcharge=line.steps_in if pays else 0,
                bonus=(group.bonus_cp or 0) if wish.bonus else 0,
                receives=receives if not due else {key: receives[key] for key in needed if receives[key]},
                short={key: number - receives[key] for key, number in needed.items() if number > receives[key]},
                dice_due=due,
                line=line,
            )
        )
        objections += [Objection(place, message, rule) for message, rule in found]
    total = sum(item.total for item in items)
    if total > situation.cp:
        objections.append(Objection(None, f"This costs {total} CP, and there are {situation.cp}.", "20.8.1"))
    return Bill(tuple(items), total, tuple(objections))


Found = Iterable[tuple[str, str]]


def _against_roster(group: Group, number: int, situation: Situation) -> Found:
    boxes = group.boxes[situation.campaign]
    if boxes == 0:
        yield f"{group.id} is not in this campaign.", "20.3.2"
    elif number > boxes:
        yield f"{group.id} has {boxes} boxes in this campaign, and this would be number {number}.", "20.3.2"
    if group.times and situation.time not in group.times:
        yield f"{group.id} can be bought for {' or '.join(group.times)} only, not for {situation.time}.", "20.3.3"
    if group.type is GroupType.NEST and situation.commissars < 1:
        yield "A Fanatic Resistance Nest needs a Commissar in play.", "20.9.2"


def _against_place(wish: Wish, group: Group, side: Side, ways: Mapping[int, Line]) -> Found:
    if wish.sector is None:
        return
    if not group.sets_up:
        yield f"{group.id} is not set up in a sector.", "20.8.3"
    elif wish.sector not in ways:
        yield f"Sector {wish.sector} is not under {side.capitalize()} control.", "20.6.3"
    elif ways[wish.sector].is_isolated:
        yield f"Sector {wish.sector} is isolated: no new units can set up there.", "20.8.3"


def _against_attack(wish: Wish, group: Group, number: int, situation: Situation) -> Found:
    if group.type is not GroupType.ATTACK:
        if wish.bonus:
            yield f"{group.id} has no bonus: it comes with an Attack.", "20.5.4"
        return
    if situation.stance_fixed:
        yield "The card names Attacker and Defender of this firefight: an Attack cannot be bought.", "20.5.3"
    if number > 1:
        yield "One Attack is enough for a firefight.", "20.5.3"


def _needed(wish: Wish, group: Group, found: list[tuple[str, str]]) -> tuple[Tally[str], int]:
    """The counters that a group brings, and how many dice are still to be rolled for others."""
    needed = Tally(group.contents)
    if group.mix is None:
        if wish.dice:
            found.append((f"{group.id} needs no dice.", "20.3.3"))
        return needed, 0
    if not wish.dice:
        return needed, group.mix.number
    try:
        return needed + group.mix.drawn(wish.dice), 0
    except RuleError as error:
        found.append((str(error), "20.3.3"))
        return needed, group.mix.number


def _take(needed: Tally[str], due: int, group: Group, left: Tally[str]) -> Tally[str]:
    """Take from the box what is there; for dice not yet rolled, whatever the mix has most of."""
    taken: Tally[str] = Tally()
    for key, number in needed.items():
        taken[key] += min(number, max(left[key], 0))
    for _ in range(due):
        key = max(group.mix.kinds, key=lambda kind: left[kind] - taken[kind])
        taken[key] += 1 if left[key] > taken[key] else 0
    left.subtract(taken)
    return +taken
