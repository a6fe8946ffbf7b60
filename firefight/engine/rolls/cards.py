"""Cards of a deck: to draw one is a throw over the cards that are left, so it is sealed and numbered like any die."""

from collections.abc import Sequence

from .dice import DieSpec, check_face


def card_throw(name: str, label: str, cards: Sequence[str], apart: bool = False) -> DieSpec:
    """The throw that draws one of the cards that are left. Raises ValueError when none is.

    A card that is left in several copies stands in ``cards`` as often.

    >>> card_throw("card", "Soviet card", ("sniper", "chuikov", "sniper")).words
    '1 of 3 cards'
    """
    if not cards:
        raise ValueError("No card is left to draw.")
    return DieSpec(name, len(cards), label, apart=apart, names=tuple(cards))


def take_card(cards: Sequence[str], face: int, name: str = "card") -> tuple[str, tuple[str, ...]]:
    """The card that a throw draws, and the cards that are left then, in their order. Raises BadDie.

    >>> take_card(("sniper", "chuikov", "sniper"), 2)
    ('chuikov', ('sniper', 'sniper'))
    """
    place = check_face(face, len(cards), name) - 1
    return cards[place], (*cards[:place], *cards[place + 1 :])
