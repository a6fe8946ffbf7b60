"""What can be done with a value that a match keeps, besides replacing it, and what a roll makes of them all."""

from dataclasses import dataclass

from firefight.engine.values import Values


def add(number: int) -> dict[str, int]:
    """That many more, or fewer; what leaves the bounds is refused."""
    return {"add": number}


def clamp(number: int) -> dict[str, int]:
    """That many more, or fewer, as far as the bounds go."""
    return {"clamp": number}


def put_in(*entries: object) -> dict[str, list[object]]:
    """Entries are added at the end of a list."""
    return {"add": list(entries)}


def strike(*entries: object) -> dict[str, list[object]]:
    """Entries are taken off a list."""
    return {"strike": list(entries)}


def push(*entries: object) -> dict[str, list[object]]:
    """Entries move to the end of a list, each once; where there is no room, its first ones go."""
    return {"push": list(entries)}


def draw_cards(*cards: str) -> dict[str, list[str]]:
    """Cards are drawn from a deck."""
    return {"take": list(cards)}


def discard_cards(*cards: str) -> dict[str, list[str]]:
    """Cards that were drawn go to the discard."""
    return {"discard_of": list(cards)}


def shuffle_in(*cards: str) -> dict[str, list[str]]:
    """Cards go from the discard back into the deck."""
    return {"put_back": list(cards)}


def reshuffle() -> dict[str, bool]:
    """All of the discard goes back into the deck; everybody knows which cards those are."""
    return {"reshuffle": True}


def lay_on_top(*cards: str) -> dict[str, list[str]]:
    """Cards that are left are laid on top of their deck, the last of them uppermost."""
    return {"to_top": list(cards)}


def lay_at_bottom(*cards: str) -> dict[str, list[str]]:
    """Cards that are left are laid at the bottom of their deck, the last of them lowest."""
    return {"to_bottom": list(cards)}


def enter_row(id: str, **parts: object) -> dict[str, object]:
    """A row is added, with what differs from the defaults."""
    return {"add": {id: parts}}


def change_row(id: str, **parts: object) -> dict[str, object]:
    """Some parts of a row change."""
    return {"change": {id: parts}}


def strike_rows(*ids: str) -> dict[str, object]:
    """Rows are removed."""
    return {"strike": list(ids)}


@dataclass(frozen=True, slots=True)
class RecordChange:
    """What a roll makes of a record: plain values, the sentences made from them, and whose secret it is."""

    values: Values
    sentences: tuple[str, ...]
    known_to: str = ""


def move_to(**facts: object) -> RecordChange:
    """A roll leads the match to another place in its course, by the names of the course's facts.

    >>> move_to(turn=4, side="red").sentences
    ('Turn: 4.', 'Side: red.')
    """
    sentences = (f"{name.replace('_', ' ').capitalize()}: {value}." for name, value in facts.items())
    return RecordChange(facts, tuple(sentences))
