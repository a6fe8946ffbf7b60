"""The rules of Masked March."""

from collections.abc import Sequence

from firefight.engine import record
from firefight.engine.board.chosen import Chosen
from firefight.engine.board.counters import CounterChange, LevelBounds
from firefight.engine.board.pools import draw_piece, read_spin
from firefight.engine.charts.book import Book
from firefight.engine.course.alternating import Alternating
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptDeck, KeptHand, Record
from firefight.engine.rolls.cards import count_cards, draw_from, list_uncertain
from firefight.engine.rolls.result import Outcome, Result, waiting

SIDES = {"north": "North", "south": "South"}
COURSE = Alternating(sides=SIDES, last_turn=6)

# The retreat comes when nothing else is left; the first day is clear.
ORDERS = KeptDeck(
    name="orders",
    title="Orders",
    cards={"advance": 2, "hold": 2, "retreat": 1},
    bottom=("retreat",),
    known_to="north",
)
WEATHER = KeptDeck(name="weather", title="Weather", cards={"clear": 2, "fog": 1}, top=("clear",))
HAND = KeptHand(name="hand", title="Hand of the North", deck=ORDERS, known_to="north")
RECORD = Record(fields=(ORDERS, WEATHER, HAND))


PLACES = {"ford": "Ford", "mill": "Mill"}
SPIN = LevelBounds(0, 4, start=4)


class MarchOutcome(Outcome):
    """How a roll ends."""

    HIT = "hit"
    MISSED = "missed"
    FILLED = "filled"
    DRAWN = "drawn"
    GIVEN = "given"
    EMPTY = "empty"
    MUSTERED = "mustered"


def fire(charts: Book, by: Sequence[Chosen], at: Sequence[Chosen], die: int | None = None) -> Result:
    """A d6 no higher than the dots of those who fire takes a dot off each target (1.1 Fire)."""
    if not by or not at:
        raise BadInput({"at": "Choose who fires, and at whom."})
    if die is None:
        return waiting("Roll a d6.", "die")
    strength = sum(firer.levels.get("dots", 0) for firer in by)
    hit = at if die <= strength else ()
    return Result(
        f"Fire with {strength}: {len(hit)} hit.",
        MarchOutcome.HIT if hit else MarchOutcome.MISSED,
        dice={"die": die},
        rules=("1.1 Fire",),
        changes=tuple(CounterChange(target.id, "hit") for target in hit if target.id),
    )


def fill_up(charts: Book, who: Sequence[Chosen]) -> Result:
    """Blocks with fewer than two dots have two again (1.2 Replacements)."""
    weak = [block for block in who if block.levels.get("dots", 0) < 2]
    return Result(
        f"Filled up: {len(weak)}.",
        MarchOutcome.FILLED,
        rules=("1.2 Replacements",),
        changes=tuple(CounterChange(block.id, "dots", 2) for block in weak if block.id),
    )


def draw_order(
    charts: Book, left: Sequence[str], top: Sequence[str], bottom: Sequence[str], card: int | None = None
) -> Result:
    """The North draws the next of its orders, unseen (2.1 Orders)."""
    deck = {"top": top, "left": left, "bottom": bottom}
    if not count_cards(deck):
        raise BadInput({"left": "No order is left."})
    if list_uncertain(deck) and card is None:
        return waiting("Draw an order.", "card")
    drawn, _ = draw_from(deck, card)
    return Result(
        f"The North draws: {drawn}.",
        MarchOutcome.DRAWN,
        dice={} if card is None else {"card": card},
        rules=("2.1 Orders",),
        changes=(RECORD.change(HAND.draw(drawn)),),
    )


def give_order(charts: Book, order: str) -> Result:
    """The North gives an order that it has in its hand, for all to hear (2.2 Giving Orders)."""
    change = RECORD.change(HAND.discard(order), openly=True)
    return Result(f"The order: {order}.", MarchOutcome.GIVEN, rules=("2.2 Giving Orders",), changes=(change,))


def turn_weather(charts: Book, left: Sequence[str], top: Sequence[str], card: int | None = None) -> Result:
    """The next card of the weather; with the last one both decks are reshuffled (2.3 Weather)."""
    deck = {"top": top, "left": left}
    if not count_cards(deck):
        change = RECORD.change({"weather": record.reshuffle(), "orders": record.reshuffle()})
        return Result("All is shuffled.", MarchOutcome.EMPTY, rules=("2.3 Weather",), changes=(change,))
    if list_uncertain(deck) and card is None:
        return waiting("Draw the weather.", "card")
    drawn, _ = draw_from(deck, card)
    turned = {"weather": {**record.draw_cards(drawn), **record.discard_cards(drawn)}}
    return Result(
        f"Weather: {drawn}.",
        MarchOutcome.DRAWN,
        dice={} if card is None else {"card": card},
        rules=("2.3 Weather",),
        changes=(RECORD.change(turned),),
    )


def muster(charts: Book, pool: Sequence[str], place: str, piece: int | None = None, spin: int | None = None) -> Result:
    """A block from the reserve, drawn blind and spun in secret, comes to a place (3.1 The Reserve)."""
    if not pool:
        return Result("The reserve is empty.", MarchOutcome.EMPTY, rules=("3.1 The Reserve",))
    if piece is None or spin is None:
        return waiting("Draw a block, and spin it.", "piece" if piece is None else "spin")
    drawn = draw_piece(pool, piece)
    return Result(
        f"A block comes to the {place}.",
        MarchOutcome.MUSTERED,
        dice={"piece": piece, "spin": spin},
        rules=("3.1 The Reserve",),
        changes=(CounterChange(drawn, "spun", read_spin(SPIN, spin), to=place, known_to=drawn.partition("-")[0]),),
    )
