"""The Designer's Way: Advantages, levels and their decks, Chuikov's HQ, fortifications."""

from collections.abc import Mapping
from dataclasses import dataclass

from firefight.engine.labels import Labelled

from .tables import FORTIFIED, GermanCard, Side, SovietCard


class Advantage(Labelled):
    """What The Designer's Way may give the Germans, then the Soviets: a leader's card on top, or something else."""

    PAULUS = "paulus"
    HOTH = "hoth"
    VON_RICHTHOFEN = "von_richthofen", "Von Richthofen"
    LINDEN = "linden"
    OKH = "okh", "OKH"
    SIXTH_PANZER = "6th_panzer", "6th Panzer"
    CHUIKOV = "chuikov"
    KHRUSHCHEV = "khrushchev"
    ZAYTSEV = "zaytsev"
    MARINES_EMPOWERED = "marines_empowered", "Marines Empowered"
    LATE_DEPLOYMENT = "late_deployment", "Late Deployment"
    IMMORTAL_GUARD = "immortal_guard", "Immortal Guard"


ADVANTAGES: Mapping[Side, tuple[Advantage, ...]] = {
    Side.GERMAN: tuple(Advantage)[:6],
    Side.SOVIET: tuple(Advantage)[6:],
}


class Level(Labelled):
    """How a game is weighted; the first is without The Designer's Way."""

    STANDARD = "standard", "without The Designer's Way"
    NORMAL = "normal"
    EASY_GERMAN = "easy_german", "Easy German"
    EASY_SOVIET = "easy_soviet", "Easy Soviet"
    IMPOSSIBLE_GERMAN = "impossible_german", "Impossible German"


@dataclass(frozen=True, slots=True)
class DeckOrder:
    """What a level does to a deck: shuffled cards on top, others at the bottom, and leaders in play from the start."""

    top: tuple[str, ...] = ()
    bottom: tuple[str, ...] = ()
    in_play: tuple[str, ...] = ()


AS_SHUFFLED = DeckOrder()
_SOVIET_LEADERS_FIRST = DeckOrder(top=(SovietCard.CHUIKOV, SovietCard.ZAYTSEV, SovietCard.KHRUSHCHEV))
_ORDERS: Mapping[tuple[Level, Side], DeckOrder] = {
    (Level.EASY_GERMAN, Side.GERMAN): DeckOrder(
        top=(GermanCard.LINDEN,),
        bottom=(GermanCard.OKH,),
        in_play=(GermanCard.PAULUS, GermanCard.HOTH, GermanCard.VON_RICHTHOFEN),
    ),
    (Level.EASY_SOVIET, Side.SOVIET): _SOVIET_LEADERS_FIRST,
    (Level.IMPOSSIBLE_GERMAN, Side.SOVIET): _SOVIET_LEADERS_FIRST,
}


def find_deck_order(level: Level, side: Side) -> DeckOrder:
    """What a level does to the deck of a side (Easy German, Easy Soviet, Impossible German Level; B19)."""
    return _ORDERS.get((level, side), AS_SHUFFLED)


def list_leader_advantages(side: Side, advantages: tuple[str, ...]) -> tuple[str, ...]:
    """Those Advantages whose card lies on top, several shuffled (Leader Advantages)."""
    leaders = ADVANTAGES[side][: 5 if side is Side.GERMAN else 3]
    return tuple(advantage for advantage in advantages if advantage in leaders)


def has_fortifications(level: Level) -> bool:
    """Whether the five fortifications are laid."""
    return level is Level.IMPOSSIBLE_GERMAN


def count_fortification(hex: str, soviets_attack: bool = False, entered: bool = False, in_use: bool = True) -> int:
    """What a fortification adds to dice of Soviets who defend in it: 1, or 0 (Soviet Fortifications)."""
    return int(in_use and hex in FORTIFIED and not soviets_attack and not entered)


def find_headquarters(total: int, soviet_controlled: bool) -> str:
    """The hex of Chuikov's HQ by the sum of three dice; "" where it is not Soviet, and his card is discarded (B09)."""
    return str(total) if soviet_controlled else ""
