"""What cards do: dice and modifiers, which may be played, which Units they hit (Card Decks)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import Outcome

from .tables import (
    AIRSTRIKES,
    CARD_VALUES,
    COAST,
    GERMAN_ARMOUR,
    GERMAN_DECK,
    GERMAN_INFANTRY,
    GERMAN_LEADERS,
    MOST_UNITS,
    PIONEERS,
    SOVIET_DICE,
    SOVIET_INFANTRY,
    SOVIET_LEADERS,
    CardValue,
    GermanCard,
    Kind,
    Side,
    SovietCard,
)

NOTHING = CardValue()


# German cards


def find_value(card: GermanCard, richthofen: bool = False, own: Mapping[GermanCard, CardValue] = {}) -> CardValue:
    """Dice of Triple Fire and Rubble Modifier of a card; Von Richthofen doubles both for airstrikes.

    ``own``: values that only cards print, those of the 672nd Pioneer.
    """
    value = {**CARD_VALUES, **own}.get(card, NOTHING)
    return CardValue(2 * value.dice, 2 * value.rubble) if richthofen and card in AIRSTRIKES else value


def sum_up_cards(
    cards: Sequence[GermanCard], richthofen: bool = False, own: Mapping[GermanCard, CardValue] = {}
) -> CardValue:
    """What several cards come to together."""
    values = [find_value(card, richthofen, own) for card in cards]
    return CardValue(sum(value.dice for value in values), sum(value.rubble for value in values))


def list_card_objections(cards: Sequence[GermanCard], deliberate: bool, linden: bool) -> tuple[str, ...]:
    """Why the Germans may not play these Support Cards; nothing where they may (German Support Cards, Linden).

    ``deliberate``: it is their own Deliberate Attack. Leaders are in play at once, whenever drawn.
    """
    support = [card for card in cards if card not in GERMAN_LEADERS]
    if not support:
        return ()
    are_pioneers = PIONEERS.issuperset(support)
    objections = {
        "German Support Cards: only in a German Deliberate Attack.": not deliberate,
        "Linden: without him one card only.": len(support) > 1 and not linden,
        "Linden: only Pioneers are played together.": len(support) > 1 and linden and not are_pioneers,
        "Linden: without him the 672nd Pioneer is not played.": GermanCard.PIONEER_672 in support and not linden,
    }
    return tuple(reason for reason, holds in objections.items() if holds)


def find_surplus(cards: Sequence[GermanCard]) -> tuple[GermanCard, ...]:
    """Cards given more often than the deck has them; one that the deck does not list is ignored."""
    return tuple(card for card, number in Counter(cards).items() if number > GERMAN_DECK.get(card, number))


def is_cancelled(cards: Sequence[GermanCard], soviet_card: SovietCard | None, aa_regiment: bool = False) -> bool:
    """Whether an airstrike comes to nothing: AA, or the AA Regiment where it is agreed (AA; B27)."""
    return bool(AIRSTRIKES.intersection(cards)) and (soviet_card is SovietCard.AA or aa_regiment)


# Soviet cards


class SovietEffect(Outcome):
    """What a Soviet card comes to."""

    LEADER = "leader", "a leader comes into play"
    HITS = "hits"
    MARINE = "marine", "a Marine lands"
    CARD = "card", "another card is drawn"
    NO_EFFECT = "no_effect"
    DEPLOY = "deploy", "a Unit comes"
    STRIKES = "strikes"
    AIRSTRIKE_CANCELLED = "airstrike_cancelled"


def is_coastal(hex: str) -> bool:
    """Whether gunboats reach a hex (Volga River Flotilla)."""
    return hex in COAST


def count_soviet_dice(card: SovietCard) -> int:
    """How many dice a Soviet card throws."""
    return SOVIET_DICE.get(card, 0)


def land_marine(germans: bool, soviets: int, marines: int) -> SovietEffect:
    """What a landing comes to, by the landing hex and how many Marines are left (Volga River Flotilla; B24).

    An empty hex may be German-controlled.
    """
    if germans:
        return SovietEffect.NO_EFFECT
    return SovietEffect.CARD if soviets >= MOST_UNITS or marines < 1 else SovietEffect.MARINE


def bring_unit(stack: int, pool: int) -> SovietEffect:
    """What Infiltration and T-34 Dug in come to, by the Soviets in the hex and the Units in their pool."""
    return SovietEffect.CARD if stack >= MOST_UNITS or pool < 1 else SovietEffect.DEPLOY


def count_strikes(card: SovietCard, zaytsev: bool) -> int:
    """How often a card reduces a Unit: a Sniper twice with Zaytsev."""
    once = card in (SovietCard.SNIPER, SovietCard.ANTI_TANK)
    return 2 if zaytsev and card is SovietCard.SNIPER else int(once)


def is_soviet_leader(card: SovietCard) -> bool:
    """Whether a card stays in play."""
    return card in SOVIET_LEADERS


# Which Units they hit


class Marksman(Labelled):
    """What reduces one Unit by a step without a die, ignoring Rubble."""

    SOVIET_SNIPER = "soviet_sniper", "Soviet Sniper"
    ANTI_TANK = "anti_tank", "Anti-Tank"
    DESTROYER_BRIGADE = "20th_destroyer_brigade", "20th Destroyer Brigade"
    GERMAN_SNIPER = "german_sniper", "German Sniper"
    PAK = "pak"

    @property
    def victims(self) -> frozenset[Kind]:
        """Which Units it can hit."""
        return VICTIMS[self]

    @property
    def victim_side(self) -> Side:
        """Whose Units it hits."""
        return Side.SOVIET if self in (Marksman.GERMAN_SNIPER, Marksman.PAK) else Side.GERMAN


VICTIMS: Mapping[Marksman, frozenset[Kind]] = {
    Marksman.SOVIET_SNIPER: GERMAN_INFANTRY,
    Marksman.ANTI_TANK: GERMAN_ARMOUR,
    Marksman.DESTROYER_BRIGADE: GERMAN_ARMOUR,
    Marksman.GERMAN_SNIPER: SOVIET_INFANTRY,
    Marksman.PAK: frozenset({Kind.TANK}),
}


@dataclass(frozen=True, slots=True)
class Victim:
    """A Unit that a card may hit."""

    kind: Kind
    strength: int

    def __str__(self) -> str:
        return f"{self.kind.word} {self.strength}"


def find_targets(by: Marksman, victims: Sequence[Victim]) -> tuple[int, ...]:
    """The places, from 0, of the strongest Units that can be hit; among several the German player chooses."""
    strengths = {
        place: victim.strength for place, victim in enumerate(victims) if victim.kind in by.victims and victim.strength
    }
    highest = max(strengths.values(), default=0)
    return tuple(place for place, strength in strengths.items() if strength == highest)
