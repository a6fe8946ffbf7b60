"""What a match keeps of like things: lists, and decks of cards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .fields import BadValue, KeptField


def find_things(field: KeptField, change: Mapping[str, object], how: str) -> Sequence[object]:
    """The things to which a change of a field does something; none if it does not do it. Raises BadValue."""
    things = change.get(how, ())
    if not isinstance(things, (list, tuple)):
        raise field.flaw("give a list.")
    return things


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptList(KeptField):
    """A list of like things, in the order in which they came: words, places, rows of what is due.

    Players type words with commas between them.
    """

    item: KeptField
    most: int = 60
    is_set: bool = False  # nothing stands in it twice
    start: tuple[object, ...] = ()

    @property
    def default(self) -> list[object]:
        return list(self.start)

    def read(self, value: Any) -> list[object]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, (list, tuple)):
            raise self.flaw("give a list.")
        things = [self._item(each) for each in value]
        if len(things) > self.most:
            raise self.flaw(f"{len(things)} do not fit: at most {self.most}.")
        twice = [each for place, each in enumerate(things) if each in things[:place]]
        if self.is_set and twice:
            raise self.flaw(f"{self.item.describe(twice[0])} stands in it already.")
        return things

    def _item(self, value: object) -> object:
        try:
            return self.item.read(value)
        except BadValue as error:
            raise BadValue(*(f"{self.title}: {flaw.removeprefix(': ')}" for flaw in error.flaws)) from None

    def describe(self, value: Any) -> str:
        return ", ".join(self.item.describe(each) for each in value) or "nothing"

    def change(self, old: Any, change: Any) -> list[object]:
        if not isinstance(change, Mapping):
            return self.read(change)
        if not change.keys() <= {"strike", "add", "push"}:
            raise self.flaw("things are struck and added.")
        struck, added, pushed = (find_things(self, change, how) for how in ("strike", "add", "push"))
        left = list(old)
        for each in map(self._item, struck):
            if each not in left:
                raise self.flaw(f"{self.item.describe(each)} is not in it.")
            left.remove(each)
        for each in map(self._item, pushed):
            left = [*(other for other in left if other != each), each][-self.most :]
        return self.read([*left, *added])

    def describe_change(self, change: Any) -> Iterator[str]:
        if not isinstance(change, Mapping):
            yield from KeptField.describe_change(self, change)
            return
        for each in change.get("strike", ()):
            yield f"{self.title}: {self.item.describe(each)} taken off."
        for each in (*change.get("push", ()), *change.get("add", ())):
            yield f"{self.title}: {self.item.describe(each)} added."

    def tell_setting(self, was: Any, now: Any) -> str:
        gone, come = ([each for each in some if each not in other] for some, other in ((was, now), (now, was)))
        told = [f"{self.describe(gone)} taken off"] * bool(gone) + [f"{self.describe(come)} added"] * bool(come)
        return f"{self.title}: {'; '.join(told)}" if told else KeptField.tell_setting(self, was, now)

    def count(self, value: Any) -> int | None:
        return len(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDeck(KeptField):
    """Cards: those that are left to draw, and the discard. ``cards``: how many there are of each, ``words``: its names.

    A drawn card leaves the deck; where it goes is another field's business. Which of the cards that are left is drawn
    says a die over them, in the order in which ``left`` has them.
    """

    cards: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> dict[str, list[str]]:
        return {"left": [card for card, number in self.cards.items() for _ in range(number)], "discard": []}

    def read(self, value: Any) -> dict[str, list[str]]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, (list, tuple)):  # the cards that are left, and no discard
            value = {"left": value, "discard": []}
        if not isinstance(value, Mapping) or not value.keys() <= {"left", "discard"}:
            raise self.flaw("give the cards that are “left” and those in the “discard”.")
        piles = {pile: value.get(pile, []) for pile in ("left", "discard")}
        for pile in piles.values():
            if not isinstance(pile, (list, tuple)) or not all(isinstance(card, str) for card in pile):
                raise self.flaw("give the cards as lists of their names.")
        self._check_number([*piles["left"], *piles["discard"]])
        return {pile: self._sort(cards) for pile, cards in piles.items()}

    def _check_number(self, cards: Sequence[str]) -> None:
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
        left = [f"{number} × {self.word(card)}" for card, number in Counter(value["left"]).items()]
        gone = [self.word(card) for card in value["discard"]]
        return f"{', '.join(left) or 'no cards'} left" + (f"; discarded {', '.join(gone)}" if gone else "")

    def change(self, old: Any, change: Any) -> dict[str, list[str]]:
        if not isinstance(change, Mapping) or not change.keys() & {"put_back", "take", "discard_of"}:
            return self.read(change)
        returned, drawn, discarded = (find_things(self, change, how) for how in ("put_back", "take", "discard_of"))
        left, discard = list(old["left"]), list(old["discard"])
        for card in returned:
            self._move(card, discard, "is not in the discard")
            left.append(card)
        for card in drawn:
            self._move(card, left, "is not left in it")
        return self.read({"left": left, "discard": [*discard, *discarded]})

    def _move(self, card: object, pile: list[str], message: str) -> None:
        if card not in pile:
            raise self.flaw(f"{self.word(str(card))} {message}.")
        pile.remove(card)

    def describe_change(self, change: Any) -> Iterator[str]:
        if not isinstance(change, Mapping) or not change.keys() & {"put_back", "take", "discard_of"}:
            yield from KeptField.describe_change(self, self.read(change))
            return
        verbs = {"put_back": "goes back into it", "take": "is drawn", "discard_of": "is discarded"}
        for how, verb in verbs.items():
            yield from (f"{self.title}: {self.word(card)} {verb}." for card in change.get(how, ()))

    def count(self, value: Any) -> int | None:
        return len(value["left"])
