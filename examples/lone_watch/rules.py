"""The rules of Lone Watch."""

from collections.abc import Sequence

from firefight.engine import record
from firefight.engine.charts.book import Book
from firefight.engine.course.alternating import Alternating
from firefight.engine.course.beginning import Mode, Option
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptDeck, KeptHand, KeptNumber, KeptStanding, Record
from firefight.engine.rolls.cards import card_throw, take_card
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Outcome, Result, waiting
from firefight.engine.values import Values

SIDES = {"watch": "The Watch", "night": "The Night"}
COURSE = Alternating(sides=SIDES, last_turn=12)
MODES = (
    Mode("alone", "Alone against the night", ("watch",), app_sides=("night",)),
    Mode("both", "Two players", ("watch", "night")),
)
OPTIONS = (Option("season", "Season", {"winter": "Winter", "summer": "Summer"}),)
CARDS = {"owl": 2, "wolf": 1}
NIGHT = ("draw", "step", "ask", "end")  # where the night may stand


def find_flaw(standing: Values) -> str:
    """What is wrong with where the night stands, and with what it has sent; "" for nothing."""
    is_sound = standing.get("at") in NIGHT and standing.get("beast", "") in ("", *CARDS)
    return "" if is_sound and standing.keys() <= {"at", "beast"} else "this is not a place of the night."


DECK = KeptDeck(name="deck", title="Deck of the night", cards=CARDS, known_to="night")
HAND = KeptHand(name="hand", title="Hand of the night", deck=DECK, known_to="night")
RECORD = Record(
    fields=(
        KeptNumber(name="fear", title="Fear", high=6),
        DECK,
        HAND,
        KeptStanding(name="night", title="The night", known_to="night", find_flaw=find_flaw),
    )
)
DIE = DieSpec("die", 20, "d20")


class WatchOutcome(Outcome):
    """What the watch sees."""

    SEEN = "seen"
    MISSED = "missed"


class DawnOutcome(Outcome):
    """How far the night is."""

    DARK = "dark"
    DAWN = "dawn"


class NightOutcome(Outcome):
    """What the night does."""

    DRAWN = "drawn"


def keep_watch(charts: Book, fear: int, season: str, die: int | None = None) -> Result:
    """A d20 against the fear (1.1)."""
    if die is None:
        return waiting("Roll a d20.", "die")
    is_seen = die > fear + (5 if season == "winter" else 0)
    changes = (RECORD.change({"fear": record.clamp(-1 if is_seen else 1)}),)
    outcome = WatchOutcome.SEEN if is_seen else WatchOutcome.MISSED
    return Result(f"The watch: {outcome.word.lower()}.", outcome, dice={"die": die}, rules=("1.1",), changes=changes)


def night_draws(charts: Book, left: Sequence[str], card: int | None = None) -> Result:
    """The night draws a card that the watch does not see (2.1)."""
    if not left:
        raise BadInput({"left": "The night has no card left."})
    if card is None:
        return waiting("The night draws.", "card")
    drawn, _ = take_card(left, card)
    changes = (RECORD.change(HAND.draw(drawn)),)
    head = f"The night holds: {drawn}."
    return Result(head, NightOutcome.DRAWN, dice={"card": card}, rules=("2.1",), changes=changes)


def wait_for_dawn(charts: Book, turn: int, die: int | None = None) -> Result:
    """On a 10 or more the day breaks: a new turn begins with the watch (3.1)."""
    if die is None:
        return waiting("Roll a d20.", "die")
    is_dawn = die >= 10
    changes = (record.move_to(turn=min(turn + 1, COURSE.last_turn), side="watch"),) if is_dawn else ()
    outcome = DawnOutcome.DAWN if is_dawn else DawnOutcome.DARK
    return Result(f"It is {outcome.word.lower()}.", outcome, dice={"die": die}, rules=("3.1",), changes=changes)


def draw_dice(inputs: Values) -> tuple[DieSpec, ...]:
    """The throw over what is left."""
    return (card_throw("Card", inputs["left"]),) if inputs["left"] else ()
