"""What a match keeps of several alike: lists, and decks of cards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firefight.engine.rolls.cards import count_cards
from firefight.engine.values import Values

from .changes import discard_cards, draw_cards, put_in, strike
from .fields import BadValue, KeptChoice, KeptField


def find_things(field: KeptField, change: Mapping[str, object], how: str) -> Sequence[object]:
    """The entries to which a change of a field does something; none if it does not. Raises BadValue."""
    entries = change.get(how, ())
    if not isinstance(entries, (list, tuple)):
        raise field.flaw("give a list.")
    return entries


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptList(KeptField):
    """A list of like entries, in the order in which they came: words, places, rows of what is due.

    Players type words with commas between them.
    """

    item: KeptField
    most: int = 60
    is_set: bool = False  # nothing is in it twice
    start: tuple[object, ...] = ()

    @property
    def default(self) -> list[object]:
        return list(self.start)

    def read(self, value: Any) -> list[object]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, (list, tuple)):
            raise self.flaw("give a list.")
        entries = [self._item(entry) for entry in value]
        if len(entries) > self.most:
            raise self.flaw(f"{len(entries)} do not fit: at most {self.most}.")
        twice = [entry for place, entry in enumerate(entries) if entry in entries[:place]]
        if self.is_set and twice:
            raise self.flaw(f"{self.item.describe(twice[0])} stands in it already.")
        return entries

    def _item(self, value: object) -> object:
        try:
            return self.item.read(value)
        except BadValue as error:
            raise BadValue(*(f"{self.title}: {flaw.removeprefix(': ')}" for flaw in error.flaws)) from None

    def describe(self, value: Any) -> str:
        return ", ".join(self.item.describe(entry) for entry in value) or "nothing"

    def change(self, old: Any, change: Any) -> list[object]:
        if not isinstance(change, Mapping):
            return self.read(change)
        if not change.keys() <= {"strike", "add", "push"}:
            raise self.flaw("things are struck and added.")
        struck, added, pushed = (find_things(self, change, how) for how in ("strike", "add", "push"))
        entries = list(old)
        for entry in map(self._item, struck):
            if entry not in entries:
                raise self.flaw(f"{self.item.describe(entry)} is not in it.")
            entries.remove(entry)
        for entry in map(self._item, pushed):
            entries = [*(old_entry for old_entry in entries if old_entry != entry), entry][-self.most :]
        return self.read([*entries, *added])

    def describe_change(self, change: Any) -> Iterator[str]:
        if not isinstance(change, Mapping):
            yield from KeptField.describe_change(self, change)
            return
        for entry in change.get("strike", ()):
            yield f"{self.title}: {self.item.describe(entry)} taken off."
        if added := [self.item.describe(entry) for entry in (*change.get("push", ()), *change.get("add", ()))]:
            yield f"{self.title}: {'; '.join(added)} added."

    def tell_setting(self, old: Any, new: Any) -> str:
        removed, added = ([entry for entry in of if entry not in without] for of, without in ((old, new), (new, old)))
        clauses = [f"{self.describe(removed)} taken off"] * bool(removed)
        clauses += [f"{self.describe(added)} added"] * bool(added)
        return f"{self.title}: {'; '.join(clauses)}" if clauses else KeptField.tell_setting(self, old, new)

    def count(self, value: Any) -> int | None:
        return len(value)


_DRAWN = "its next"  # from whichever pile the deck draws next


class _Way(NamedTuple):
    """What is done with cards of a deck: the pile that they come from, the one that they go to, the words for it."""

    source: str
    target: str
    verb: str


_WAYS = {  # in the order in which one change does them
    "put_back": _Way("discard", "left", "goes back into it"),
    "take": _Way(_DRAWN, "", "is drawn"),
    "discard_of": _Way("", "discard", "is discarded"),
    "to_top": _Way("left", "top", "comes to lie on top"),
    "to_bottom": _Way("left", "bottom", "comes to lie at the bottom"),
}
_MISSING = {"discard": "is not in the discard", "left": "is not left in it"}
_RESHUFFLE = "reshuffle"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDeck(KeptField):
    """Cards: those that are left to draw, and the discard. ``cards``: how many there are of each, ``words``: its names.

    A drawn card leaves the deck; where it goes is another field's business (``KeptHand``). A die over the cards that
    are left, in the order of ``left``, says which is drawn. ``top`` and ``bottom``: cards that lie there as a match
    begins, each pile in the order in which it is drawn, without a die (engine/rolls/cards.py); None for both where no
    card ever lies there.
    """

    cards: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)
    top: Sequence[str] | None = None
    bottom: Sequence[str] | None = None

    @property
    def piles(self) -> tuple[str, ...]:
        """Where a card may be."""
        return ("left", "discard") if self.top is None and self.bottom is None else ("left", "discard", "top", "bottom")

    @property
    def default(self) -> dict[str, list[str]]:
        ordered = {"top": list(self.top or ()), "bottom": list(self.bottom or ())}
        lying = Counter([*ordered["top"], *ordered["bottom"]])
        in_deck = [card for card, number in self.cards.items() for _ in range(number - lying[card])]
        begin = {"left": in_deck, "discard": [], **ordered}
        return {pile: begin[pile] for pile in self.piles}

    def read(self, value: Any) -> dict[str, list[str]]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, (list, tuple)):  # the cards that are left, and no discard
            value = {"left": value}
        if not isinstance(value, Mapping) or not value.keys() <= {*self.piles}:
            raise self.flaw("give the cards that are “left” and those in the “discard”.")
        piles = {pile: value.get(pile, []) for pile in self.piles}
        for pile in piles.values():
            if not isinstance(pile, (list, tuple)) or not all(isinstance(card, str) for card in pile):
                raise self.flaw("give the cards as lists of their names.")
        self.check_number([card for pile in piles.values() for card in pile])
        return {
            pile: self._sort(cards) if pile in ("left", "discard") else list(cards) for pile, cards in piles.items()
        }

    def check_number(self, cards: Sequence[str]) -> None:
        """Raises BadValue where there are not that many."""
        flaws = []
        for card, number in Counter(cards).items():
            if card not in self.cards:
                flaws.append(f"{self.title}: there is no card “{card}”; there are: {', '.join(self.cards)}.")
            elif number > self.cards[card]:
                flaws.append(f"{self.title}: there are {self.cards[card]} of {self.word(card)}, not {number}.")
        if flaws:
            raise BadValue(*flaws)

    def _sort(self, cards: Sequence[str]) -> list[str]:
        order = list(self.cards)
        return sorted(cards, key=order.index)

    def word(self, card: str) -> str:
        """What players call a card."""
        return self.words.get(card, card.replace("_", " "))

    def describe(self, value: Any) -> str:
        in_deck = [f"{number} × {self.word(card)}" for card, number in Counter(value["left"]).items()]
        piles = {"top": "on top", "bottom": "at the bottom", "discard": "discarded"}
        lying = [
            f"{words} {', '.join(map(self.word, value[pile]))}" for pile, words in piles.items() if value.get(pile)
        ]
        return "; ".join([f"{', '.join(in_deck) or 'no cards'} left", *lying])

    def change(self, old: Any, change: Any) -> dict[str, list[str]]:
        if not _is_done_with_cards(change):
            return self.read(change)
        piles: dict[str, list[Any]] = {pile: list(cards) for pile, cards in old.items()}
        if change.get(_RESHUFFLE):
            piles = {**piles, "left": [*piles["left"], *piles["discard"]], "discard": []}
        for how, way in _WAYS.items():
            for card in find_things(self, change, how):
                self._move(piles, card, way)
        return self.read(piles)

    def _move(self, piles: dict[str, list[Any]], card: object, way: _Way) -> None:
        """Move a card. Raises BadValue where it does not lie where it should, or there is no such pile."""
        source = way.source
        if source == _DRAWN:
            source = next((pile for pile in ("top", "left", "bottom") if piles.get(pile)), "left")
        if source:
            message = _MISSING.get(source, "is not the next card of it")
            if card not in (piles[source] if source in _MISSING else piles[source][:1]):
                raise self.flaw(f"{self.word(str(card))} {message}.")
            piles[source].remove(card)
        if way.target:
            pile = piles.setdefault(way.target, [])  # a pile that this deck lacks is refused as it is read
            pile.insert(0 if way.target == "top" else len(pile), card)

    def describe_change(self, change: Any) -> Iterator[str]:
        if not _is_done_with_cards(change):
            yield from KeptField.describe_change(self, self.read(change))
            return
        if change.get(_RESHUFFLE):
            yield f"{self.title}: the discard is shuffled back into it."
        for how, way in _WAYS.items():
            yield from (f"{self.title}: {self.word(card)} {way.verb}." for card in change.get(how, ()))

    def secret_of(self, change: Any) -> set[str]:
        is_open = _is_done_with_cards(change) and {*change} == {_RESHUFFLE}
        return set() if is_open else KeptField.secret_of(self, change)

    def count(self, value: Any) -> int | None:
        return count_cards(value)


def _is_done_with_cards(change: object) -> bool:
    """Whether a change does something with some cards, instead of listing all of them."""
    return isinstance(change, Mapping) and not change.keys().isdisjoint({*_WAYS, _RESHUFFLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptHand(KeptList):
    """The cards that a side has drawn from a deck. All know how many there are, the side alone which ones.

    Its methods say what becomes of both in one change: ``RECORD.change(HAND.draw(card))``. The record sees to it that
    no card is in two places (record.py).
    """

    deck: KeptDeck
    item: KeptField = field(init=False)

    def __post_init__(self) -> None:
        choices = {card: self.deck.word(card) for card in self.deck.cards}
        object.__setattr__(self, "item", KeptChoice(title="card", choices=choices))

    def draw(self, *cards: str) -> dict[str, object]:
        """Cards come out of the deck into the hand."""
        return {self.deck.name: draw_cards(*cards), self.name: put_in(*cards)}

    def play(self, *cards: str) -> dict[str, object]:
        """Cards leave the hand, and lie on the table until they are discarded, if ever."""
        return {self.name: strike(*cards)}

    def discard(self, *cards: str) -> dict[str, object]:
        """Cards go from the hand to the discard."""
        return {self.name: strike(*cards), self.deck.name: discard_cards(*cards)}


def check_hands(fields: Sequence[KeptField], values: Values) -> None:
    """Raises BadValue where hands and piles hold more copies of a card than its deck has."""
    hands: dict[str, list[KeptHand]] = {}
    for kept_field in fields:
        if isinstance(kept_field, KeptHand):
            hands.setdefault(kept_field.deck.name, []).append(kept_field)
    for name, drawn in hands.items():
        piled = [card for pile in values[name].values() for card in pile]
        drawn[0].deck.check_number([*piled, *(card for hand in drawn for card in values[hand.name])])
