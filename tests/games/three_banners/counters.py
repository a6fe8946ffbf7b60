"""The counters of Three Banners: companies that are shaken, then spent, and captains who ride along."""

from collections import namedtuple
from dataclasses import replace

from firefight.engine.board.counters import Account, CounterChange
from firefight.engine.board.places import BadPlace
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting

from .rules import BOXES, SIDES

ToyKind = namedtuple("ToyKind", "key name count")
KINDS = {
    side: {
        "company": ToyKind("company", "Company", 12),
        "captain": ToyKind("captain", "Captain", 1),
        f"{side}_lancer": ToyKind(f"{side}_lancer", f"{side.capitalize()} lancer", 4),
    }
    for side in SIDES
}
STATES = {"shaken": "Shaken", "spent": "Spent"}
IDS = tuple(f"{side}-{number}" for side in SIDES for number in range(1, 9))
WORDS = {**STATES, "good_order": "Good Order", "hit": "Hit", "eliminated": "Eliminated"}


class BannerCounters:
    """What becomes of a company: shaken by the first hit, gone by the second."""

    kinds, states, words = KINDS, STATES, WORDS

    def may_carry(self, kind):
        """Captains are never spent."""
        return frozenset({"shaken"} if kind.key == "captain" else STATES)

    def become(self, counter, kind, word):
        """The counter after it."""
        if word == "eliminated" or (word == "hit" and "shaken" in counter.state):
            return replace(counter, fate="eliminated", state=())
        if word == "good_order":
            return replace(counter, state=())
        word = "shaken" if word == "hit" else word
        if word not in self.may_carry(kind):
            raise BadInput({"becomes": f"{counter.name} cannot be {word}."})
        return counter if word in counter.state else replace(counter, state=(*counter.state, word))

    def tidy(self, step, pieces):
        """Nothing comes off by itself."""
        return ()

    def widen(self, slug, firers, targets, everybody):
        """Nobody but the chosen."""
        return ()

    def fill(self, charts, slug, firers, targets, known):
        """A clash is about its targets."""
        return {"against": [piece.counter.id for piece in targets]} if targets else {}

    def explain(self, charts, slug, firers, targets, known):
        """There is nothing to tell."""
        return self.fill(charts, slug, firers, targets, known), Account()

    def tell_value(self, kind, name, value):
        """Companies have no values."""
        raise BadInput({"value": f"There is no {name}."})

    def tell_strength(self, piece):
        return None

    def arm(self, kind):
        return "All"

    def find_value(self, kind, name):
        return None

    def describe_value(self, name):
        """A name."""
        return name

    def picture(self, side, kind, state, book=""):
        """There are none."""
        return ""

    def describe(self, counter):
        """How it is."""
        return counter.fate or ", ".join(STATES[word] for word in counter.state) or "Good Order"

    def read_place(self, charts, typed):
        """One of the boxes."""
        try:
            return (str(BOXES.parse(typed)), "") if typed else ("", "")
        except BadPlace as error:
            raise BadInput({"place": str(error)}) from None

    def list_places_around(self, charts, place):
        """Boxes have no neighbours."""
        return ()


COUNTERS = BannerCounters()


class ClashOutcome(Outcome):
    """How a clash ends."""

    HIT = "hit"
    MISSED = "missed"


class RallyOutcome(Outcome):
    """How a rally ends."""

    RALLIED = "rallied"
    BROKEN = "broken"


def clash(charts, against, unseen, die=None):
    """A d6 against some counters: from 3 on all of them are hit, each then rallies (8.1 Clashes)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    ids = against if die >= 3 else ()
    owner = ids[0].partition("-")[0] if unseen and ids else ""
    return Result(
        f"Clash: {len(ids)} hit.",
        ClashOutcome.HIT if ids else ClashOutcome.MISSED,
        dice={"die": die},
        follow_ups=tuple(FollowUp("rally", f"Rally {each}", {"id": each}) for each in ids),
        changes=tuple(CounterChange(each, "hit", known_to=owner) for each in ids),
    )


def rally(charts, id, die=None):
    """A d6 for one counter: from 4 on it is in Good Order again, else it is gone (8.2 Rallies)."""
    if die is None:
        return waiting("Roll a d6.", "die")
    word, outcome = ("good_order", RallyOutcome.RALLIED) if die >= 4 else ("eliminated", RallyOutcome.BROKEN)
    return Result(f"Rally: {word}.", outcome, dice={"die": die}, changes=(CounterChange(id, word),))
