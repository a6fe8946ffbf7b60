"""What a game makes of its record at the table: what a roll is about, what it writes down, what is due, how it looks.

All of it is plain: a situation goes in, values and sentences come out. Which situation that is, and who may know what
about it, is decided by whoever asks (firefight/table/board/record_rules.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange
from firefight.engine.rolls.changes import Change
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values

from .course import Position


@dataclass(frozen=True, slots=True)
class TableState:
    """A match as a game's rules look at it. ``has_ledger``: a campaign leads it, and keeps its turns.

    ``pieces``: the counters with what the gallery says about their kinds, where the rules need that.
    ``pressed``: the button of the course that has just led here, "" at any other time. ``kinds``: those of all
    counters that the match can have, as a step of the course begins. ``options``: what was agreed as the match began,
    by the option's slug. ``content``: what its owner's sheets say is printed, as the game builds it
    (firefight/kit/content.py); None where it is played with the house's.
    """

    position: Position
    record: Values
    book: Book
    counters: Sequence[CounterInPlay] = ()
    has_ledger: bool = False
    pieces: Sequence[Piece] = ()
    pressed: str = ""
    kinds: Sequence[Any] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    content: object = None


@dataclass(frozen=True, slots=True)
class BoardItem:
    """Something that players keep beside the board, as it stands: "Advantage", "German, used today".

    ``path``: the field of the record that holds it; ``roll``: the roll by which it is used, "" for none.
    """

    title: str
    words: str
    path: str
    roll: str = ""


@dataclass(frozen=True, slots=True)
class CardRoll:
    """A roll that a card offers. ``about``: what its form is filled from. ``asks``: what to give first, by name.

    ``is_enemys``: it is for the sides whose card this is not.
    """

    helper: str
    title: str
    about: Mapping[str, str]
    asks: Mapping[str, str] = field(default_factory=dict)
    is_enemys: bool = False


@dataclass(frozen=True, slots=True)
class CardSetting:
    """Something that a card offers to write down without a roll: the change of its field."""

    title: str
    change: Values


@dataclass(frozen=True, slots=True)
class RowCard:
    """A row of the record as players look at it.

    ``lines``: what is known of it; ``around``: of these, what holds on each level of its place. ``warnings``: what
    speaks against something. ``known_to``: who alone sees it.
    ``place``: where on the map it lies, "K7" or "K7/1"; "" for nowhere. ``sign``: what stands on its counter, the small
    word above the large one. ``is_ours``: whoever looks acts for its side, or it is nobody's.
    """

    field: str
    id: str
    title: str
    side: str = ""
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rolls: tuple[CardRoll, ...] = ()
    settings: tuple[CardSetting, ...] = ()
    known_to: str = ""
    is_over: bool = False
    place: str = ""
    sign: tuple[str, str] = ("", "")
    is_ours: bool = True
    around: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DueAtStep:
    """A roll that a step of the course asks for. ``known_to``: the side that alone knows of it; ``read_by``: the side
    that makes it, "" for anybody. ``compulsory``: the rule by which the course does not go on from this step before it
    is made, "" if it may be left out; what holds everybody up is known to everybody. ``cause``: the id of the counter
    whose change brings it about, "" where several do."""

    roll: FollowUp
    known_to: str = ""
    read_by: str = ""
    compulsory: str = ""
    cause: str = ""

    def __post_init__(self) -> None:
        if self.known_to and self.compulsory:
            raise ValueError(f"{self.roll.title}: what one side alone knows of cannot hold up all.")


@dataclass(frozen=True, slots=True)
class Forestalled:
    """A roll that others may come before. ``title``: what it is called while it waits; ``offers``: what they may do."""

    title: str
    offers: tuple[DueAtStep, ...]


class Chance(NamedTuple):
    """Something that counters may do now, as they like. ``title``: what; ``name``: who; ``words``: how and where.

    ``roll``: the roll that decides, with what is ``known`` of its form; without one a player sets what comes of it,
    which with ``moves`` is their place. ``fires``: they make the roll, which is not about them. ``at``: at whom they
    make it.
    """

    title: str
    name: str
    words: str
    ids: tuple[str, ...]
    roll: str = ""
    known: Mapping[str, str] = {}
    moves: bool = False
    fires: bool = False
    at: tuple[str, ...] = ()


class ReadyRow(NamedTuple):
    """A row of the record that one tap adds: what its button says, and its parts as a form sends them."""

    title: str
    parts: Mapping[str, str]


class ChangedCounter(NamedTuple):
    """A counter as it was before an act, and as it is after it."""

    was: CounterInPlay
    now: Piece


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """What a step of the course takes off, changes and asks for. ``notes``: what players do themselves."""

    changes: tuple[RecordChange, ...] = ()
    due: tuple[DueAtStep, ...] = ()
    notes: tuple[str, ...] = ()


class RecordRules:
    """What a game makes of its record at the table: nothing, except where it says otherwise. All of it is pure.

    ``about``: the names by which a roll says what in the record it is about, such as a mission; ``carded``: those of
    them that stand for a card, which fills all that a roll asks. ``filled``: the rolls whose forms the record fills;
    ``surveyed``: of these, those that need the kinds of all counters; ``writers``: those that write something down;
    ``checked``: those that the record may bar whatever they are about. ``hinges``: by roll, a field and the fields that
    the record fills depending on it: whoever changes the one gets the others filled again. ``decided``: by roll, the
    fields that the record fills when it is due, whatever an earlier roll has handed on for them. ``struck``: the rolls
    that are about whoever stands somewhere, so that these rules need the kinds of all counters. ``presumed``: the rolls
    that are about a row even if nothing says so. ``additions``: by field, what the form for a new row is called, and
    which of its parts it asks for. ``cards``, ``lines``: the fields whose rows stand beside the desk, as cards or a
    line each. ``pips``: the field, a list of ids, that says which counters carry a pip for what they have done, one for
    each time they are in it; ``pip_words``: what one, two and more of them are called. ``beside``: the fields that
    are on no card and on no page of the record. ``chance_steps``: those in which counters may try something.
    """

    about: tuple[str, ...] = ()
    carded: tuple[str, ...] = ()
    filled: frozenset[str] = frozenset()
    surveyed: frozenset[str] = frozenset()
    writers: frozenset[str] = frozenset()
    checked: frozenset[str] = frozenset()
    hinges: Mapping[str, tuple[str, tuple[str, ...]]] = {}
    decided: Mapping[str, tuple[str, ...]] = {}
    struck: frozenset[str] = frozenset()
    presumed: frozenset[str] = frozenset()
    additions: Mapping[str, tuple[str, tuple[str, ...]]] = {}
    cards: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    pips: str = ""
    pip_words: tuple[str, ...] = ()
    beside: frozenset[str] = frozenset()
    chance_steps: frozenset[str] = frozenset()

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """What a helper's form is filled with; ``about`` also has what was entered before."""
        return {}

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """Raise BadInput with every reason why such a roll cannot be made now."""

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
        """What a roll writes down or makes of counters, besides what its own rule says."""
        return ()

    def forestall(self, slug: str, inputs: Values, situation: TableState) -> Forestalled | None:
        """What others may do before such a roll is made; it is offered to them first. None where there is nothing."""
        return None

    def ask_owners(self, slug: str, inputs: Values, result: Result, situation: TableState) -> Sequence[DueAtStep]:
        """The rolls that a roll asks for about counters known to their owners alone, besides what its result says."""
        return ()

    def find_idle(
        self, slug: str, inputs: Values, follow_ups: Sequence[FollowUp], situation: TableState
    ) -> Sequence[int]:
        """The positions of those ``follow_ups`` of a roll that would be about nobody."""
        return ()

    def follow(self, changed: Sequence[ChangedCounter], situation: TableState) -> Sequence[DueAtStep]:
        """What is due since an act has changed these counters: moved them, taken them out of play."""
        return ()

    def list_chances(self, situation: TableState) -> Sequence[Chance]:
        """What counters may try now, as far as the situation goes."""
        return ()

    def find_row(self, kind: Any, number: int) -> tuple[str, Values] | None:
        """The field and parts of the row that a match keeps for so many of a kind; None where it keeps counters."""
        return None

    def narrow(self, slug: str, about: Values, situation: TableState) -> Mapping[str, Mapping[str, str]]:
        """The fields of a roll that are asked first, with the values that are left to choose, each with its words; none
        where all are left. With "" among them nobody has to choose. ``about``: all that its form says."""
        return {}

    def find_flaws(self, field: str, row: Values, situation: TableState) -> Sequence[str]:
        """Why a row that a player sets cannot be like that, though each of its parts fits, in sentences."""
        return ()

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What is done between a position and the one that the match has come to, and what is due there."""
        return Housekeeping()

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """The rows of a field as players look at them."""
        return []

    def list_ready_rows(self, field: str, side: str) -> Sequence[ReadyRow]:
        """The rows of a field that a side adds with one tap each."""
        return ()

    def preset_row(self, field: str, side: str) -> Mapping[str, str]:
        """What the form for a side's new row is filled with: parts as a form sends them."""
        return {}

    def offer_parts(self, field: str, side: str, situation: TableState) -> Mapping[str, Mapping[str, str]]:
        """What may be chosen for parts of a side's row that are words, with what players call it."""
        return {}

    def make_row(self, field: str, side: str, parts: Values, ids: Sequence[str]) -> tuple[str, Values]:
        """The id of a new row of a side, and its parts. Raises BadInput, also where rows come from elsewhere alone."""
        raise BadInput({field: "Nothing is added to that here."})
