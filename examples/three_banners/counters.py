"""The counters of Three Banners: companies that are shaken, then spent, and captains who ride along."""

from collections.abc import Sequence

from firefight.engine.board.counters import CounterChange, CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.charts.records import Column, number, require, word_reader
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.text import fold
from firefight.engine.values import Json, Values
from firefight.kit import CounterRules, SimpleKind, declare_units

from .rules import BOXES, SIDES

KINDS = {
    side: {
        "company": SimpleKind("company", "Company", 12),
        "captain": SimpleKind("captain", "Captain", 1),
        f"{side}_lancer": SimpleKind(f"{side}_lancer", f"{side.capitalize()} lancer", 4),
    }
    for side in SIDES
}
STATES = {"shaken": "Shaken", "spent": "Spent"}
IDS = tuple(f"{side}-{number}" for side in SIDES for number in range(1, 9))
WORDS = {**STATES, "good_order": "Good Order", "hit": "Hit", "eliminated": "Eliminated"}


COLUMNS = (
    Column("name", "name", str),
    Column("side", "side", word_reader(SIDES)),
    Column("count", "count", number, also=("how many",), is_digits=True),
)


def build_company(row: Values) -> tuple[str, SimpleKind]:
    """A company that an owner has typed."""
    require(row, "name", "side")
    return row["side"], SimpleKind(f"own_{fold(row['name'])}"[:40], row["name"], row.get("count") or 1)


class BannerCounters(CounterRules):
    """What becomes of a company: shaken by the first hit, gone by the second."""

    kinds, states, words, places = KINDS, STATES, WORDS, BOXES
    harms = {"shaken": "shaken"}
    sheet = declare_units(COLUMNS, build_company)

    def may_carry(self, kind: SimpleKind) -> frozenset[str]:
        """Captains are never spent."""
        return frozenset({"shaken"} if kind.key == "captain" else STATES)

    def become(self, counter: CounterInPlay, kind: SimpleKind, word: str) -> CounterInPlay:
        """The counter after it: the second hit is the last."""
        if word == "hit":
            word = "eliminated" if "shaken" in counter.state else "shaken"
        return super().become(counter, kind, word)

    def fill(self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Values) -> Json:
        """A clash is about its targets."""
        return {"against": [piece.counter.id for piece in targets]} if targets else {}


COUNTERS = BannerCounters()


class ClashOutcome(Outcome):
    """How a clash ends."""

    HIT = "hit"
    MISSED = "missed"


class RallyOutcome(Outcome):
    """How a rally ends."""

    RALLIED = "rallied"
    BROKEN = "broken"


def clash(charts: Book, against: Sequence[str], unseen: bool, die: int | None = None) -> Result:
    """A d6 against some counters: on 3 or more all of them are hit, and each then rallies (8.1 Clashes)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    ids = against if die >= 3 else ()
    owner = ids[0].partition("-")[0] if unseen and ids else ""
    return Result(
        f"Clash: {len(ids)} hit.",
        ClashOutcome.HIT if ids else ClashOutcome.MISSED,
        dice={"die": die},
        follow_ups=tuple(FollowUp("rally", f"Rally {counter_id}", {"id": counter_id}) for counter_id in ids),
        changes=tuple(CounterChange(counter_id, "hit", known_to=owner) for counter_id in ids),
    )


def rally(charts: Book, id: str, die: int | None = None) -> Result:
    """A d6 for one counter: on 4 or more it is in Good Order again, otherwise it is gone (8.2 Rallies)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    word, outcome = ("good_order", RallyOutcome.RALLIED) if die >= 4 else ("eliminated", RallyOutcome.BROKEN)
    return Result(f"Rally: {word}.", outcome, dice={"die": die}, changes=(CounterChange(id, word),))
