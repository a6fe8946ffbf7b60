"""Buying one Reinforcement Group (20.8): its price, what it brings, and everything that speaks against it.

The surcharge for set-up comes later, when the orders are revealed: see setup.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.text import count_of
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

from .leaders import leader_dice
from .rosters import Group, GroupType, Time


@dataclass(frozen=True, slots=True)
class Situation:
    """What a side may count on when it buys.

    ``cp``: Campaign Points in hand. ``counters_left``: that remain in the box, by key. ``bought``: boxes
    ticked in this campaign, by group ID; at-start groups are not among them (20.5.2). ``commissars``: in
    play. ``stance_fixed``: the card already names Attacker and Defender for the firefight ahead (20.5.3).
    """

    campaign: str
    time: Time
    cp: int
    counters_left: Mapping[str, int]
    bought: Mapping[str, int] = field(default_factory=dict)
    commissars: int = 0
    stance_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """One group as it can be bought now, or cannot: it may be if there is no objection.

    ``price``: in CP, with the bonus of an Attack if one is wanted. ``box``: the number of the box that
    it would tick, from 1, of ``boxes`` in this campaign. ``receives`` and ``short``: counters that the
    group brings, and those that the box no longer holds, by key. ``dice_due``: dice of a mix such as
    V3's that are still to be rolled; until then its counters are in neither.
    """

    group: Group
    price: int
    box: int
    boxes: int
    receives: Mapping[str, int]
    short: Mapping[str, int]
    dice_due: int
    objections: tuple[Objection, ...]


def purchase_dice(group: Group, side: Side) -> list[DieSpec]:
    """The dice that a purchase may ask for."""
    return [*mix_dice(group), *(leader_dice(side) if group.leader else ())]


def mix_dice(group: Group) -> list[DieSpec]:
    """The dice of a group such as V3, one for each counter that they decide (20.3.3)."""
    if group.mix is None:
        return []
    sides = group.mix.bands.sides
    return [DieSpec(f"mix_{place}", sides, f"Counter {place}, d{sides}") for place in range(1, group.mix.number + 1)]


def make_offer(
    group: Group,
    counters: Mapping[str, Counter],
    situation: Situation,
    dice: Sequence[int] = (),
    bonus: bool = False,
) -> Offer:
    """Price a group and name everything that is wrong with buying it (20.5.3, 20.5.4, 20.8.1, 20.9.2).

    ``counters``: the side's, for their names. ``dice``: those of the group's mix, natural, once they are
    rolled (20.3.3). ``bonus``: the +2 that comes with an Attack is wanted too.
    """
    needed, dice_due, against_dice = _needed(group, dice)
    receives, short = take_from_box(needed, situation.counters_left)
    price = group.cp + (group.bonus_cp or 0 if bonus else 0)
    box = situation.bought.get(group.id, 0) + 1
    return Offer(
        group=group,
        price=price,
        box=box,
        boxes=group.boxes[situation.campaign],
        receives=receives,
        short=short,
        dice_due=dice_due,
        objections=(
            *_against_roster(group, box, situation),
            *_against_price(price, situation),
            *_against_counters(group, counters, situation),
            *_against_nest(group, situation),
            *_against_attack(group, bonus, situation),
            *against_dice,
        ),
    )


def _against_roster(group: Group, box: int, situation: Situation) -> Iterable[Objection]:
    boxes = group.boxes[situation.campaign]
    if boxes == 0:
        yield Objection(f"{group.id} is not in this campaign.", "20.3.2")
    elif box > boxes:
        yield Objection(
            f"{group.id} has {count_of(boxes, 'box', 'boxes')} in this campaign, and this would be number {box}.",
            "20.3.2",
        )
    if group.times and situation.time not in group.times:
        times = " or ".join(group.times)
        yield Objection(f"{group.id} can be bought for {times} only, not for {situation.time}.", "20.3.3")


def _against_price(price: int, situation: Situation) -> Iterable[Objection]:
    if price > situation.cp:
        yield Objection(f"This costs {price} CP, and your side has {situation.cp}.", "20.8.1")


def _against_counters(group: Group, counters: Mapping[str, Counter], situation: Situation) -> Iterable[Objection]:
    # All that a mix may bring counts, whatever its dice say: a roll that finds the box empty is not rolled again.
    kinds = dict.fromkeys((*group.contents, *(group.mix.kinds if group.mix else ())))
    if kinds and not take_from_box(dict.fromkeys(kinds, 1), situation.counters_left)[0]:
        yield Objection(f"No counter is left: {', '.join(counters[key].name for key in kinds)}.", "20.8.1")


def _against_nest(group: Group, situation: Situation) -> Iterable[Objection]:
    if group.type is GroupType.NEST and situation.commissars < 1:
        yield Objection("A Fanatic Resistance Nest needs a Commissar in play.", "20.9.2")


def _against_attack(group: Group, bonus: bool, situation: Situation) -> Iterable[Objection]:
    if group.type is not GroupType.ATTACK:
        if bonus:
            yield Objection(f"{group.id} has no bonus: it comes with an Attack.", "20.5.4")
    elif situation.stance_fixed:
        message = "The card names Attacker and Defender of this firefight: an Attack cannot be bought."
        yield Objection(message, "20.5.3")


def _needed(group: Group, dice: Sequence[int]) -> tuple[Tally[str], int, tuple[Objection, ...]]:
    """The counters that a group is to bring, how many dice for others are still due, what is wrong with the dice."""
    contents = Tally(group.contents)
    if group.mix is None:
        return contents, 0, (Objection(f"{group.id} needs no dice.", "20.3.3"),) if dice else ()
    if not dice:
        return contents, group.mix.number, ()
    try:
        return contents + group.mix.drawn(dice), 0, ()
    except RuleError as error:
        return contents, group.mix.number, (Objection(str(error), "20.3.3"),)


def take_from_box(needed: Mapping[str, int], counters_left: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """The counters that the box still holds of those needed, and those that it lacks: no more come (20.8.1)."""
    counts = ((key, number, max(counters_left.get(key, 0), 0)) for key, number in needed.items())
    available = {key: min(number, in_box) for key, number, in_box in counts if min(number, in_box)}
    return available, {key: lack for key, number in needed.items() if (lack := number - available.get(key, 0))}


# What is held and given back


@dataclass(frozen=True, slots=True)
class HeldGroup:
    """A group in a side's hands. ``box``: that it ticks on the roster, None for the at-start OB (20.5.2)."""

    rg: str
    box: int | None
    is_refunded: bool


def count_ticked(groups: Iterable[HeldGroup], sealed_attacks: Iterable[str] = ()) -> Tally[str]:
    """Boxes ticked by ID. At-start groups tick none (20.5.2); what was given back is free again (20.5.8 step 2)."""
    ticked = Tally(group.rg for group in groups if group.box is not None and not group.is_refunded)
    ticked.update(sealed_attacks)
    return ticked


def find_free_box(groups: Iterable[HeldGroup], rg: str) -> int:
    """The first box of a group that is not ticked: what was given back may leave a gap."""
    ticked = {group.box for group in groups if group.rg == rg and not group.is_refunded}
    return next(box for box in count(1) if box not in ticked)


def count_left(counters: Mapping[str, Counter], in_play: Iterable[str]) -> dict[str, int]:
    """Counters of each kind that remain in the box (20.8.1)."""
    used = Tally(in_play)
    return {key: counter.count - used[key] for key, counter in counters.items()}


def against_balance(balance: int) -> Objection | None:
    """What speaks against a payment that leaves this many CP (20.8.1)."""
    return Objection(f"That would leave {balance} CP.", "20.8.1") if balance < 0 else None


def against_refund(is_of_this_phase: bool, has_dice: bool) -> Objection | None:
    """What speaks against giving a group back: only what was bought now, and without dice (20.5.8 step 2).

    Otherwise dice, real ones too, could be rolled until they please.
    """
    if not is_of_this_phase:
        return Objection("Only what was bought in this Reorganization Phase can be given back.", "20.5.8 step 2")
    if has_dice:
        return Objection(
            "Dice were rolled for this group. It is taken back only if the other side agrees.", "20.5.8 step 2"
        )
    return None


def against_nest_without_commissar(nests: int, commissars: int) -> Objection | None:
    """What speaks against having this many nests with this many Commissars (20.9.2)."""
    if nests and not commissars:
        return Objection("A Fanatic Resistance Nest needs a Commissar in play: give the nest back first.", "20.9.2")
    return None
