"""A counter as pages and paper show it."""

from dataclasses import dataclass

from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.games.gallery import find_picture
from firefight.kit.game import Game, PageWords

OFF_MAP, GONE = "off map", "out of play"


@dataclass(frozen=True, slots=True)
class ShownCounter:
    """A counter on the page. ``words``: its state, "" where there is nothing to say; ``signs``: the same in letters.

    ``src``: the address of its picture, "" for none. ``tag``: what tells it from others of its kind, "#2".
    ``strength``: what it brings to an attack before its range is known, None for nothing. ``pips``: how many it carries
    for what it has done; ``pip``: what they are called, which stands among its words, too.
    """

    id: str
    name: str
    src: str
    words: str
    signs: str
    tag: str
    hidden: bool
    selected: bool
    strength: int | None = None
    pips: int = 0
    pip: str = ""


def present_counter(game: Game, piece: Piece, is_selected: bool = False) -> ShownCounter:
    """One counter for the page."""
    counter, rules = piece.counter, game.counters
    states = [rules.states.get(word, word) for word in counter.state]
    levels = {rules.levels.get(name, name): number for name, number in counter.levels.items()}
    unseen = [how for how in ("hidden", "closed") if getattr(counter, how)]
    words = [*states, *unseen]
    numbers = [f"{label[0]}{number}" for label, number in levels.items()]
    return ShownCounter(
        counter.id,
        counter.name,
        find_picture(game, counter.side, piece.kind, counter.state, piece.book),
        ", ".join([*words, *(f"{label} {number}" for label, number in levels.items())]),
        " ".join([*filter(None, ["".join(word[0].upper() for word in words)]), *numbers]),
        f"#{counter.number}" if counter.counter else "",
        bool(unseen),
        is_selected,
        rules.tell_strength(piece) if counter.counter else None,
    )


def place_words(counter: CounterInPlay, words: PageWords) -> str:
    """Where a counter stands, as players say it.

    >>> place_words(CounterInPlay("red-1", "red", "squad", "Squad #1", place="K7", level="1"), PageWords())
    'K7, level 1'
    >>> place_words(CounterInPlay("red-1", "red", "squad", "Squad #1", area="11"), PageWords(area="sector"))
    'sector 11'
    """
    if not counter.in_play:
        return GONE
    if not counter.place:
        return f"{words.area} {counter.area}" if counter.area else OFF_MAP
    level = f"level {counter.level}" if counter.level.isdigit() else counter.level
    place = words.call_place(counter.place)
    return f"{place}, {level}" if level else place


def order_of_place(name: str) -> tuple[str, int, str]:
    """Where a hex or sector stands among its like: K7 before K12, no name at all last.

    >>> sorted(["", "K12", "K7", "11", "9"], key=order_of_place)
    ['9', '11', 'K7', 'K12', '']
    """
    letters = name.rstrip("0123456789")
    return letters or ("" if name else "~"), int(name[len(letters) :] or 0), name


def type_place(counter: CounterInPlay) -> str:
    """Where a counter stands, as somebody types it: "K7/1"."""
    return f"{counter.place}/{counter.level}" if counter.level else counter.place
