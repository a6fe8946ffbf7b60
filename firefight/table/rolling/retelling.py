"""Counters while a roll is corrected: wound back to where that stood, and on again to the present.

A correction counts where the old roll stood, and what came later stands after it: lines about the same counters are
told again, and a check that read its counter in a state which it did not have is read again, with the dice that fell
for it. What cannot be read again automatically is named, for players to put right. Three modules help: the agenda of
what comes later (`agenda.py`), the way back (`rewinding.py`), what is doubtful (`doubts.py`); here is the way on.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firefight.columns import DueRoll, Rolls
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.errors import BadInput, RuleError
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.text import join_words
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import befall
from firefight.kit.fields.forms import HelperForm
from firefight.models import LogEntry
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import AGAIN
from firefight.table.act.lines import changed_by
from firefight.table.board import changing, counters, record, record_rules, stores
from firefight.table.log import descent
from firefight.table.log.asked import read_asked

from . import roll_counters, striking
from .agenda import Agenda
from .doubts import Doubts, describe_openly, name_openly
from .rewinding import DECIDING, Rewind

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class RemadeRoll:
    """A roll made again with its old dice. ``step``: the due roll that it answers; None for a roll that is read again
    where it stands, and then ``voids`` are the lines that go with it."""

    old: LogEntry
    form: HelperForm
    result: Result
    rolls: Rolls
    title: str
    step: DueRoll | None = None
    voids: Sequence[int] = ()


class Retelling:
    """The counters of a match on their way from a roll that is corrected to the present.

    ``voids``: the lines that go with the struck rolls. ``frozen``: counters that have changed in a way that no line
    tells, and so stay as they are. ``notes``: what players are told about it, in sentences.
    """

    def __init__(self, act: MatchAct, old: LogEntry, struck: Sequence[LogEntry]):
        self.act, self.match = act, act.match
        self.helpers, self.book = registry.helpers(act.match.game), of_match(act.match)
        self.has_counters = act.table.game.has_counters
        self.struck = {entry.number for entry in struck}
        self.aside: set[int] = set()
        self.fresh: set[int] = set()
        self.asked: dict[str, FollowUp] = {}
        self.doubts = Doubts(self.match)
        self.rewind = Rewind(self.match, self.struck)
        self.frozen = self.rewind.frozen
        first = descent.Climb(old.match_id).find_root(old.number)
        lines, rolls = (self._find_lines(first), self._find_rolls(first)) if self.has_counters else ([], [])
        self.agenda = Agenda(self.match, first, lines, [*rolls, *struck[1:]], self.frozen)
        self.rewind.wind_back(self.agenda.entries if self.has_counters else ())
        self.voids = self.agenda.strike(self.struck) if self.has_counters else []

    @property
    def notes(self) -> list[str]:
        """What players are told about it, in sentences."""
        return self.rewind.notes

    def _find_lines(self, first: int) -> list[LogEntry]:
        """The lines that stand and say what has happened to counters since."""
        rows = self.match.log.filter(number__gte=first, voided_by=None, kind=Kind.COUNTER)
        return list(rows.defer("result"))

    def _find_rolls(self, first: int) -> list[LogEntry]:
        """The rolls about counters that stand and count after it."""
        rows = self.match.log.filter(number__gte=first, voided_by=None, kind=Kind.ROLL)
        roll_lines = rows.exclude(touches="").defer("inputs", "result")
        return [entry for entry in roll_lines if entry.number not in self.struck]

    def make_way(self, counter_id: str, fields: Iterable[str]) -> None:
        """Strike what happened to a counter later, before a line changes the same fields: it is told again after it."""
        struck_numbers = self.agenda.set_aside({(counter_id, name) for name in fields})
        if struck_numbers:
            numbers = join_words(f"№ {number}" for number in struck_numbers)
            self.act.tell(Kind.DROP, f"{numbers}: told again after what comes here.", voids=struck_numbers)

    # On again

    def begin(self, new: LogEntry, family: Sequence[LogEntry], aside: Sequence[LogEntry]) -> None:
        """Go on from a roll that is made again. ``family``: all rolls connected with it; ``aside``: those among them
        whose dice an earlier correction has struck."""
        self.fresh.add(new.number)
        self.asked |= striking.find_asked(family)
        self.aside |= {entry.number for entry in aside}
        self.agenda.add(aside)

    def go_on(self) -> Iterator[RemadeRoll | None]:
        """Tell again what came later, in its order; yields each roll that is made again, for the caller to write, and
        None where one is not asked for any more."""
        while self.agenda.entries:
            entry = self.agenda.entries.pop(0)
            if entry.kind == Kind.COUNTER:
                self._tell_again(entry)
            elif entry.number in self.struck | self.aside:
                if not self._is_put_off(entry):
                    yield self._roll_again(entry)
            elif replay := self._look_again(entry):
                yield replay
        self.rewind.notes += self.doubts.say()

    def _is_put_off(self, entry: LogEntry) -> bool:
        """Let the dice that stood last come before others for the same check; returns whether these were put off."""
        check = self._check_of(entry) if entry.number in self.aside else None
        rivals = [
            at
            for at, later in enumerate(self.agenda.entries)
            if later.number in self.struck and self._check_of(later) == check
        ]
        if check is None or not rivals:
            return False
        self.agenda.entries.insert(rivals[-1] + 1, entry)
        return True

    def _check_of(self, entry: LogEntry) -> tuple[str, str] | None:
        step = self.asked.get(entry.due)
        return (step.helper, step.title) if step else None

    def pending(self) -> set[tuple[str, str]]:
        """The checks whose old dice may stand again."""
        rolls = (entry for entry in self.agenda.entries if entry.number in self.struck | self.aside)
        return {check for entry in rolls if (check := self._check_of(entry))}

    def _roll_again(self, old: LogEntry) -> RemadeRoll | None:
        """A struck roll made again, where what is due now asks for the same."""
        old_step = self.asked.get(old.due)
        step = striking.find_step(self.match, self.fresh, old_step) if old_step else None
        if old_step is None or step is None:
            return None
        if old.rolls:
            fill_now = {**record_rules.fill_step(self.act.table_now, step), **self._read_counter_now(step)}
            inputs = {**fill_now, **self._entered(old, old_step)}
        elif own_entries := self._entered_without_dice(old, old_step):
            inputs = {**self._fill_due(step), **own_entries}
        else:  # it is settled anew
            return None
        played = striking.play_again(self.helpers[old.helper], self.book, old, inputs)
        return RemadeRoll(old, *played, step.title, step) if played else None

    def _entered_without_dice(self, old: LogEntry, old_step: FollowUp) -> dict[str, object]:
        """What players had entered on the form of a roll without dice, besides what the table fills it with: that is
        another where an impact falls into other hexes."""
        filled = self._fill_due(DueRoll(old.due, old.helper, old_step.title, old_step.inputs))
        return striking.find_own_entries(self.helpers[old.helper], self.book, old, filled)

    def _fill_due(self, step: DueRoll) -> dict[str, object]:
        """What fills the form of a due roll, as the table stands where the correction has got."""
        return roll_counters.fill_due_form(self.act.table_now, self.helpers[step.helper], step)

    def _read_counter_now(self, step: DueRoll) -> dict[str, object]:
        """What a step is filled with from its counter as it was then."""
        counter_id = step.inputs.get("id")
        waits = any(proposal.id == counter_id for proposal in self.match.state.proposed)
        return {} if waits or not counter_id else self._fill(step.helper, str(counter_id), step.inputs)

    def _fill(
        self, helper: str, counter_id: str, inputs: Mapping[str, object], counter: CounterInPlay | None = None
    ) -> dict[str, object]:
        """What a check of one counter is filled with from its state, or from ``counter`` where one is given."""
        if not self.has_counters:
            return {}
        counter = counter or counters.list_reachable(self.match, self.act.table.sees).get(counter_id)
        return roll_counters.fill_check(self.match, helper, counter, inputs) if counter else {}

    def _entered(self, old: LogEntry, old_step: FollowUp) -> dict[str, object]:
        """What players had entered on the form of a roll besides what it was filled with."""
        counter_id = str(old_step.inputs.get("id") or "")
        counter_then = self.rewind.before.get(old.number, {}).get(counter_id)
        filled = self._fill(old.helper, counter_id, old_step.inputs, counter_then) if counter_id else {}
        if counter_then is None:  # struck long ago: nobody knows the counter's state, so none of it counts as entered
            filled = {name: old.inputs.get(name) for name in filled}
        if not counter_id:  # what the table had filled in of several counters, and of the record
            filled |= read_asked(old.inputs).now
        return striking.find_own_entries(self.helpers[old.helper], self.book, old, {**old_step.inputs, **filled})

    def _tell_again(self, entry: LogEntry) -> None:
        """Make a later line's changes to counters again, with a new line where another one now comes before it."""
        store, pairs = counters.store_of(self.match), list[changing.CounterPair]()
        head = entry.secret or entry.sentence
        for counter_id, fields in changed_by(entry).items():
            counter, rewound = store.find(counter_id), self.rewind.rewound.get((entry.number, counter_id))
            if counter is None or rewound is None:
                continue
            to_tell = {name: fields[name] for name in rewound}
            if entry.number not in self.agenda.must_tell:
                store.put(stores.set_fields(counter, {name: new_value for name, (_, new_value) in to_tell.items()}))
                continue
            changed = self._find_then(entry, counter, to_tell)
            if changed is None:
                self.doubts.note(entry.number, [counter_id])
            elif changed != counter:
                pairs.append((counter, changed))
                head = min(head, _head(entry, counter), key=len)
        about = None if entry.voids else entry.about
        first_told = entry.inputs.get(AGAIN, entry.number)
        changing.tell_changes(self.act, pairs, head, again=first_told, about=about)

    def _find_then(
        self, entry: LogEntry, counter: CounterInPlay, fields: Mapping[str, Sequence[Any]]
    ) -> CounterInPlay | None:
        """What a later line makes of a counter that is different by now; None where that cannot happen to it."""
        if counter.fate and "fate" not in fields:  # a counter that is lost by then changes no more
            return None
        rules, kind = counters.rules_of(self.match), stores.piece_of(counters.store_of(self.match), counter).kind
        roll = entry.about and self.match.log.filter(number=entry.about, kind=Kind.ROLL).first()
        try:
            if roll and (word := changing.changes_of_roll(roll).get(counter.id)):
                return befall(rules, counter, kind, word)
            set_values = {name: new_value for name, (_, new_value) in fields.items() if name not in ("state", "levels")}
            changed = stores.set_fields(counter, set_values)
            before, after = fields.get("state", ((), ()))
            removed = [mark for mark in before if mark not in after]
            changed = stores.set_fields(changed, {"state": [mark for mark in changed.state if mark not in removed]})
            was_levels, new_levels = fields.get("levels", ({}, {}))
            moved = {level: number for level, number in new_levels.items() if was_levels.get(level) != number}
            changed = stores.set_fields(changed, {"levels": {**changed.levels, **moved}})
            for mark in after:
                changed = (
                    befall(rules, changed, kind, mark) if mark not in before and mark not in changed.state else changed
                )
            return changed
        except BadInput:
            return None

    # What was read from another state

    def _look_again(self, entry: LogEntry) -> RemadeRoll | None:
        """A later roll that stands: made again if it is one counter's check, read in a state that it did not have."""
        store = counters.store_of(self.match)
        earlier = self.rewind.before.get(entry.number, {})
        differing = [
            counter_id
            for counter_id, counter in earlier.items()
            if (current := store.find(counter_id)) and _differs(counter, current)
        ]
        if not differing:
            return None
        counter_id = str(entry.inputs.get("id") or "")
        helper = self.helpers[entry.helper]
        if counter_id not in differing or helper.simultaneous:
            if self._may_matter(entry, earlier, differing):
                self.doubts.note(entry.number, differing)
            return None
        return self._read_again(entry, earlier[counter_id])

    def _read_again(self, old: LogEntry, counter_then: CounterInPlay) -> RemadeRoll | None:
        """A check of one counter, with what the counter fills in of it as it really was."""
        old_fill = self._fill(old.helper, counter_then.id, old.inputs, counter_then)
        new_fill = self._fill(old.helper, counter_then.id, old.inputs)
        changed = {
            name: new_fill[name] for name in new_fill if old_fill.get(name) == old.inputs.get(name) != new_fill[name]
        }
        counter = counters.store_of(self.match).find(counter_then.id)
        if new_fill and not changed and counter and not counter.fate:
            return None
        followers = descent.find_followers(old)
        played = striking.play_again(self.helpers[old.helper], self.book, old, {**old.inputs, **changed})
        if (
            not new_fill
            or played is None
            or (counter and counter.fate)
            or any(map(record.changes_of, [old, *followers]))
        ):
            self.doubts.note(old.number, [counter_then.id])
            return None
        struck = {entry.number for entry in (old, *followers)}
        self.struck |= struck
        striking.strike_due(self.match, [old, *followers])
        family = descent.find_family(old)
        self.asked |= striking.find_asked(family)
        self.agenda.add(followers)
        self.notes.append(
            f"№ {old.number} is read again, since {name_openly(self.match, counter_then.id)} was "
            f"{describe_openly(self.match, counter_then.id)} then."
        )
        title = was_asked.title if (was_asked := self.asked.get(old.due)) else ""
        return RemadeRoll(old, *played, title, voids=sorted({*struck, *self.agenda.strike(struck)}))

    def _may_matter(self, entry: LogEntry, earlier: Mapping[str, CounterInPlay], differing: Collection[str]) -> bool:
        """Whether a roll could have come out differently with these counters as they really were: not where its form,
        filled again, gives the same result with its dice."""
        helper = self.helpers[entry.helper]
        participants = roll_counters.participants_in(entry.inputs, helper)
        if not {*differing} <= {*participants.firers, *participants.targets}:
            return True
        try:
            old_fill = roll_counters.fill_again(self.match, helper.slug, participants, entry.inputs, earlier)
            new_fill = roll_counters.fill_again(self.match, helper.slug, participants, entry.inputs, {})
        except RuleError:
            return True
        changed = {name: value for name, value in new_fill.items() if old_fill.get(name) != value}
        if not changed:
            return False
        played = striking.play_again(helper, self.book, entry, {**entry.inputs, **changed})
        return played is None or entry.result is None or played[1].headline != entry.result.headline

    def check_frozen(self, rolls: Iterable[LogEntry]) -> None:
        """Name what new rolls would have done to counters that stay as they are."""
        for entry in rolls:
            for counter_id in self.frozen.intersection(changing.changes_of_roll(entry)):
                self.doubts.note(entry.number, [counter_id])


def _differs(counter: CounterInPlay, current: CounterInPlay) -> bool:
    return any(getattr(counter, name) != getattr(current, name) for name in DECIDING)


def _head(entry: LogEntry, counter: CounterInPlay) -> str:
    """How a line that was made by hand begins, as far as the counter's name; the shortest where it names several."""
    head, separator, _ = (entry.secret or entry.sentence).partition(f"{counter.name}: ")
    return head if separator else ""
