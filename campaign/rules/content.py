"""All content of a campaign together: counters, rosters, map and cards, read from plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.kinds import Problem
from firefight.engine.values import Values
from firefight.games.combat_stalingrad.rules.counters import Counter, read_counters
from firefight.games.combat_stalingrad.rules.sides import Side

from .cards import Card, read_card
from .maps import SectorMap, read_map
from .rosters import Roster, read_roster


@dataclass(frozen=True, slots=True)
class Content:
    """Everything that campaigns are played with, cards by their id."""

    counters: Mapping[Side, Mapping[str, Counter]]
    rosters: Mapping[Side, Roster]
    sector_map: SectorMap
    cards: Mapping[str, Card]


def read_content(
    counters: object, rosters: Mapping[Side, Any], sector_map: object, cards: Values
) -> tuple[Content | None, list[Problem]]:
    """Read it all and list every problem; with any problem there is no content.

    ``rosters`` and ``cards``: plain values by the side or the id that each should be for; a card may be left out.
    Cards are checked against rosters and map, so they wait until those are sound.
    """
    kinds, problems = read_counters(counters)
    sound: dict[Side, Roster] = {}
    for side, raw in rosters.items():
        roster, flaws = read_roster(raw, kinds)
        problems += flaws
        if roster and roster.side is not side:
            problems.append(Problem(f"roster_{side}", "side", f"should be {side}"))
        elif roster:
            sound[side] = roster
    drawn_map, flaws = read_map(sector_map)
    problems += flaws
    deck: dict[str, Card] = {}
    if not cards:
        problems.append(Problem("cards", "", "there is none"))
    if drawn_map and set(sound) == set(Side):
        for identity, raw in cards.items():
            card, flaws = read_card(raw, drawn_map, sound, kinds)
            problems += flaws
            if card and card.id != identity:
                problems.append(Problem(f"card_{identity}", "id", f"should be {identity}"))
            elif card:
                deck[identity] = card
    return (None if problems or not drawn_map else Content(kinds, sound, drawn_map, deck)), problems


@dataclass(frozen=True, slots=True)
class Used:
    """What a campaign has had of its content: counters by side and key; groups by side and ID, with the highest box."""

    counters: frozenset[tuple[Side, str]]
    boxes: Mapping[tuple[Side, str], int]


def find_losses(before: Content, after: Content, card: str, used: Used) -> list[str]:
    """Why a campaign that has used this much of its content cannot go on with other content, in sentences."""
    losses = []
    if card not in after.cards:
        losses.append(f"It has no card {before.cards[card].label}.")
    elif len(after.cards[card].times) < len(before.cards[card].times):
        losses.append(f"Its card {before.cards[card].label} has fewer firefights.")
    if set(after.sector_map.neighbours) != set(before.sector_map.neighbours):
        losses.append("Its map has other sectors.")
    for side, key in sorted(used.counters):
        if key not in after.counters[side]:
            name = before.counters[side][key].name if key in before.counters[side] else key
            losses.append(f"{side.word} {name} has been in play, and it has no such counter ({key}).")
    for (side, group), box in sorted(used.boxes.items()):
        group_line = after.rosters[side].groups.get(group)
        if group_line is None:
            losses.append(f"{side.word} {group} has been bought, and its roster has no such group.")
        elif card in after.cards and box > group_line.boxes[card]:
            losses.append(
                f"{side.word} {group} has been bought {box} times, and its roster has {group_line.boxes[card]} boxes."
            )
    return losses
