"""A match that is never saved: buttons, rolls and counters of a game that its players lead, for rehearsals.

It asks a game all that a match asks it: what fills a form, what bars a roll, what a roll writes down, what is due.
Nobody hides anything from anybody here; nothing is corrected, taken back, or declared by both sides.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from django import forms

from firefight.engine.board.counters import CounterChange, CounterInPlay, Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.rolls.changes import Change, merge_changes
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json, Values

from .counters import befall
from .fields.forms import HelperForm
from .helper import Helper
from .playing import play_helper
from .rehearsal import Broken, Terms

BLANK: tuple[object, ...] = (None, "", [], ())
NOTHING_GIVEN: Values = {}


class Dicing(Protocol):
    """Whoever throws."""

    def throw(self, spec: DieSpec) -> Face:
        """What the dice show."""


class Fell(NamedTuple):
    """A die, or the sum of some, as it fell."""

    face: int


@dataclass
class PlainTable:
    """A match under way. ``due``: rolls that are asked for, the next one first. ``counts``: what was rolled and how it
    ended, by "attack" and "attack: won". ``find_breaches``: what must not be, looked for after every step.
    """

    terms: Terms
    helpers: Mapping[str, Helper]
    dice: Dicing
    pieces: dict[str, Piece] = field(default_factory=dict)
    due: list[FollowUp] = field(default_factory=list)
    counts: Tally[str] = field(default_factory=Tally)
    throws: int = 0
    steps: int = 0
    find_breaches: Callable[["PlainTable"], Iterable[tuple[str, str]]] | None = None
    flaws: list[Broken] = field(default_factory=list)
    last: Result | None = None  # the last step's, if that was a roll

    def __post_init__(self) -> None:
        game = self.terms.game
        self.course, self.keeping, self.rules = game.find_course(self.terms.options), game.keeping, game.counters
        self.position, self.record = self.course.begin(), game.record.defaults

    def look(self, pressed: str = "") -> TableState:
        """The match as the game's rules look at it."""
        pieces = tuple(piece for piece in self.pieces.values() if piece.counter.in_play)
        counters = tuple(piece.counter for piece in pieces)
        state = TableState(self.position, self.record, self.terms.charts, counters, options=self.terms.options)
        return replace(state, pieces=pieces, pressed=pressed)

    # What players do by hand

    def add(self, counter: CounterInPlay, kind: object) -> None:
        self.pieces[counter.id] = Piece(counter, kind)

    def change_counter(self, change: CounterChange) -> None:
        """Something happens to a counter. Raises BadInput."""
        piece = self.pieces[change.id]
        counter = befall(self.rules, piece.counter, piece.kind, change.word)
        counter = replace(counter, place="") if counter.fate else counter
        self.pieces[change.id] = piece._replace(counter=counter)

    # The course

    def press(self, slug: str) -> None:
        """Go on by a button, with all that the rules do meanwhile. Raises BadMove."""
        before, self.last = self.position, None
        self.position = self.course.press(before, slug, self.record).position
        self.due += self.course.due(self.position, self.record)
        house = self.keeping.keep_house(before, self.look(slug))
        self._apply(house.changes)
        self.due += [due.roll for due in house.due]
        for change in self.rules.tidy(before, self.look()):
            self.change_counter(change)
        self._end_step()

    def _end_step(self) -> None:
        self.steps += 1
        if self.find_breaches:
            self.flaws += (Broken(self.steps, *breach) for breach in self.find_breaches(self))

    # Rolls

    def ask(self, slug: str, entries: Values, *, firers: Sequence[str] = (), targets: Sequence[str] = ()) -> Result:
        """What a roll would come to before any die. Raises BadInput for one that cannot be made."""
        form = self.fill(slug, entries, firers=firers, targets=targets)
        return self.helpers[slug].resolve(self.terms.charts, form.inputs(), {})

    def roll(
        self,
        slug: str,
        entries: Values = NOTHING_GIVEN,
        *,
        firers: Sequence[str] = (),
        targets: Sequence[str] = (),
        step: FollowUp | None = None,
    ) -> Result:
        """Make a roll, with all that comes of it. ``entries``: what is entered by hand; ``step``: the due roll that
        it answers. Raises BadInput."""
        helper = self.helpers[slug]
        form = self.fill(slug, entries, firers=firers, targets=targets, step=step)
        carry = form.carry()
        inputs = {**carry, **form.plain_inputs()}
        if slug in self.keeping.checked or any(inputs.get(name) for name in self.keeping.about):
            self.keeping.check(slug, inputs, self.look())
        played, _ = play_helper(helper, self.terms.charts, form.inputs(), self._fall)
        result = helper.lead_on(inputs, played)
        noted = self.keeping.note(slug, inputs, result, self.look()) if slug in self.keeping.writers else ()
        if step:
            self.due.remove(step)
        self._apply((*result.changes, *noted))
        self.due[:0] = result.follow_ups
        self.counts.update([slug, f"{slug}: {result.outcome}"])
        self.last = result
        self._end_step()
        return result

    def _fall(self, spec: DieSpec) -> tuple[Fell, ...] | None:
        """The dice of a throw; none of those that a rule may use but does not need."""
        if spec.is_optional:
            return None
        self.throws += 1
        face = self.dice.throw(spec)
        return tuple(map(Fell, face if isinstance(face, tuple) else (face,)))

    def fill(
        self,
        slug: str,
        by_hand: Values = NOTHING_GIVEN,
        *,
        firers: Sequence[str] = (),
        targets: Sequence[str] = (),
        step: FollowUp | None = None,
    ) -> HelperForm:
        """A form as a page would fill it: from place and record, from the counters that are tapped, from what asked for
        it, and by hand. Raises BadInput."""
        helper, entries = self.helpers[slug], {**(step.inputs if step else {}), **by_hand}
        filled_in = {name: value for name, value in entries.items() if value not in BLANK}
        own_pieces, enemy_pieces = ([self.pieces[counter_id] for counter_id in ids] for ids in (firers, targets))
        placed = self._fill_from_place(helper.form)
        own = self.rules.explain(self.terms.charts, helper.slug, own_pieces, enemy_pieces, {**placed, **filled_in})[0]
        about = {**placed, **own, **filled_in}
        from_record = self.keeping.fill(helper.slug, about, self.look()) if helper.slug in self.keeping.filled else {}
        form = helper.form.from_plain({**placed, **from_record, **own, **entries, **filled_in}, book=self.terms.charts)
        if not form.is_valid():
            raise BadInput({name: " ".join(map(str, words)) for name, words in form.errors.items()})
        return form

    def _fill_from_place(self, form: type[HelperForm]) -> Json:
        """What place and record say about a form's fields."""
        facts = {**self.record, **self.course.facts(self.position)}
        filled: Json = {}
        for name, base in form.base_fields.items():
            value: object = facts
            for part in form.filled_from.get(name, name).split("."):
                value = value.get(part) if isinstance(value, Mapping) else None
            is_odd = isinstance(value, Mapping | list) and isinstance(base, forms.ChoiceField | forms.IntegerField)
            if value is not None and not is_odd:
                filled[name] = value
        return filled

    def _apply(self, changes: Iterable[Change | CounterChange]) -> None:
        """Make changes of place, record and counters."""
        changes = tuple(changes)
        for change in changes:
            if isinstance(change, CounterChange):
                self.change_counter(change)
        values = merge_changes(change for change in changes if not isinstance(change, CounterChange))
        place = {name: value for name, value in values.items() if name in self.course.allowed()}
        record_values = {name: value for name, value in values.items() if name not in place}
        if record_values:
            self.record = self.terms.game.record.apply(self.record, record_values)
        if place:
            self.position = self.course.change(self.position, place)
