"""Cards of a deck: drawing one is a throw over the cards that are left, so it is sealed and numbered like any die.

A deck is its piles: cards that lie on ``top`` come first and in their order, then those that are ``left`` as dice say,
last of all those at the ``bottom`` in theirs. A pile that is not named is empty.
"""

from collections.abc import Mapping, Sequence

from .dice import DieSpec, check_face

CARD = "card"  # what the throw of a card is called among a roll's dice


def card_throw(label: str, cards: Sequence[str]) -> DieSpec:
    """The throw that draws one of the cards that are left. Raises ValueError when none is.

    ``cards`` holds a card once for each copy that is left.

    >>> card_throw("Soviet card", ("sniper", "chuikov", "sniper")).words
    '1 of 3 cards'
    """
    if not cards:
        raise ValueError("No card is left to draw.")
    return DieSpec(CARD, len(cards), label, names=tuple(cards))


def take_card(cards: Sequence[str], face: int) -> tuple[str, tuple[str, ...]]:
    """The card that a throw draws, and the cards that are left after it, in their order. Raises BadDie.

    >>> take_card(("sniper", "chuikov", "sniper"), 2)
    ('chuikov', ('sniper', 'sniper'))
    """
    place = check_face(face, len(cards), CARD) - 1
    return cards[place], (*cards[:place], *cards[place + 1 :])


Deck = Mapping[str, Sequence[str]]
_DRAWN = ("top", "left", "bottom")


def count_cards(deck: Deck) -> int:
    """How many cards of a deck can be drawn.

    >>> count_cards({"top": ["rain"], "left": ["hail", "fog"]})
    3
    """
    return sum(len(deck.get(pile, ())) for pile in _DRAWN)


def list_uncertain(deck: Deck) -> Sequence[str]:
    """The cards from which a die picks the next one; none where that one is certain, or there is none.

    >>> list_uncertain({"left": ["hail", "fog"]}), list_uncertain({"top": ["rain"], "left": ["hail", "fog"]})
    (['hail', 'fog'], ())
    """
    return () if deck.get("top") else deck["left"]


def draw_from(deck: Deck, face: int | None = None) -> tuple[str, dict[str, list[str]]]:
    """The next card of a deck, and its piles without it; ``face``: of the throw over ``list_uncertain``, if any.

    Raises ValueError where no card is there, BadDie for a face that the throw does not have.

    >>> draw_from({"top": [], "left": ["hail", "fog"], "bottom": ["rain"]}, 2)
    ('fog', {'top': [], 'left': ['hail'], 'bottom': ['rain']})
    >>> draw_from({"left": [], "bottom": ["rain"]})
    ('rain', {'left': [], 'bottom': []})
    """
    pile = next((name for name in _DRAWN if deck.get(name)), None)
    if pile is None:
        raise ValueError("No card is left to draw.")
    card, cards_left = take_card(deck[pile], face or 1 if pile == "left" else 1)
    return card, {name: list(cards_left if name == pile else cards) for name, cards in deck.items()}
