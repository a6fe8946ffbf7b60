"""Rubble: what adds to the roll, what is needed, when it is rolled at all (Rubble)."""

from collections.abc import Mapping, Sequence
from itertools import product

from firefight.engine.rolls.modifiers import Modifier

from .cards import find_value
from .tables import AIRSTRIKES, DIE, MOST_RUBBLE, CardValue, GermanCard

BEYOND = 18  # what three dice and modifiers have to pass


def list_additions(
    cards: Sequence[GermanCard],
    hexes: int,
    panzers: int,
    richthofen: bool = False,
    airstrike_cancelled: bool = False,
    own: Mapping[GermanCard, CardValue] = {},
) -> tuple[Modifier, ...]:
    """What adds to a Rubble Roll: each card, each hex attacked from, each Panzer and Panzer Grenadier.

    ``own``: values of cards that the text does not give.
    """
    played = [card for card in cards if not (airstrike_cancelled and card in AIRSTRIKES)]
    numbers = [(card.word, find_value(card, richthofen, own).rubble) for card in played]
    numbers += [("hexes attacked from", hexes), ("Panzers and Panzer Grenadiers", panzers)]
    return tuple(Modifier(name, value, "Rubble") for name, value in numbers)


def find_sum(modifier: int) -> int:
    """The least sum of three dice that lays Rubble; 3 where any will do."""
    return max(3, BEYOND + 1 - modifier)


def count_ways(need: int) -> int:
    """In how many of the 216 ways three dice come to a sum or more."""
    return sum(sum(faces) >= need for faces in product(range(1, DIE + 1), repeat=3))


def makes_rubble(total: int, modifier: int) -> bool:
    """Whether a roll makes Rubble."""
    return total + modifier > BEYOND


def list_obstacles(urban: bool, deliberate: bool, has_rubble: bool, placed: int) -> tuple[str, ...]:
    """Why no Rubble is rolled for; nothing where it is (Rubble; Combat Sequence 9)."""
    obstacles = {
        "Only Urban hexes have Rubble.": not urban,
        "Only a German Deliberate Attack makes Rubble.": not deliberate,
        "There is Rubble in the hex already.": has_rubble,
        f"All {MOST_RUBBLE} Rubble markers lie.": placed >= MOST_RUBBLE,
    }
    return tuple(reason for reason, holds in obstacles.items() if holds)
