"""Counters while a roll is corrected: wound back to where that stood, and on again to the present.

A correction counts where what it corrects stood, and what came later stands after it: lines about the same counters
are told again, and a check that read its counter in a state which this did not have is read again, with the dice that
fell for it. What cannot be read again by itself is named, for players to put right. Three parts do it: the agenda of
what comes later (`agenda.py`), the way back (`winding.py`), what is doubtful (`doubts.py`); here is the way on.
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
from firefight.table.board import changing, counters, record, stores
from firefight.table.log import descent

from . import naming, striking
from .agenda import Agenda
from .doubts import Doubts, describe_openly, name_openly
from .winding import DECIDING, Winding

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class RemadeRoll:
    """A roll that is made again with its old dice. ``step``: the due roll that it answers; of a roll that is read again
    where it stands None, and ``voids`` are the lines that go with it."""

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
    tells, which stay as they are. ``told``: what players are told of it, in sentences.
    """

    def __init__(self, act: "MatchAct", old: LogEntry, struck: Sequence[LogEntry]):
        self.act, self.match = act, act.match
        self.helpers, self.book = registry.helpers(act.match.game), of_match(act.match)
        self.has_counters = act.table.game.counters is not None
        self.struck = {entry.number for entry in struck}
        self.aside: set[int] = set()
        self.fresh: set[int] = set()
        self.asked: dict[str, FollowUp] = {}
        self.doubts = Doubts(self.match)
        self.winding = Winding(self.match, self.struck)
        self.frozen = self.winding.frozen
        first = descent.Climb(old.match_id).find_root(old.number)
        lines, rolls = (self._find_lines(first), self._find_rolls(first)) if self.has_counters else ([], [])
        self.agenda = Agenda(self.match, first, lines, [*rolls, *struck[1:]], self.frozen)
        self.winding.wind_back(self.agenda.entries if self.has_counters else ())
        self.voids = self.agenda.strike(self.struck) if self.has_counters else []

    @property
    def told(self) -> list[str]:
        """What players are told of it, in sentences."""
        return self.winding.told

    def _find_lines(self, first: int) -> list[LogEntry]:
        """The lines that stand and say what has become of counters since."""
        rows = self.match.log.filter(number__gte=first, voided_by=None, kind=Kind.COUNTER)
        return list(rows.defer("result"))

    def _find_rolls(self, first: int) -> list[LogEntry]:
        """The rolls about counters that stand and count later."""
        rows = self.match.log.filter(number__gte=first, voided_by=None, kind=Kind.ROLL)
        found = rows.exclude(touches="").defer("inputs", "result")
        return [entry for entry in found if entry.number not in self.struck]

    def make_way(self, counter_id: str, fields: Iterable[str]) -> None:
        """Strike what has become of a counter later, before a line tells of the same: it is told again after that."""
        found = self.agenda.set_aside({(counter_id, name) for name in fields})
        if found:
            numbers = join_words(f"№ {number}" for number in found)
            self.act.tell(Kind.DROP, f"{numbers}: told again after what comes here.", voids=found)

    # On again

    def begin(self, new: LogEntry, family: Sequence[LogEntry], aside: Sequence[LogEntry]) -> None:
        """Go on from a roll that is made anew. ``family``: all that hangs together with it; ``aside``: those of it
        whose dice an earlier correction has struck."""
        self.fresh.add(new.number)
        self.asked |= striking.find_asked(family)
        self.aside |= {entry.number for entry in aside}
        self.agenda.add(aside)

    def go_on(self) -> Iterator[RemadeRoll | None]:
        """Tell again what came later, in its order; yields each roll that is to be made again, to be written, and None
        where one is not asked for any more."""
        while self.agenda.entries:
            entry = self.agenda.entries.pop(0)
            if entry.kind == Kind.COUNTER:
                self._tell_again(entry)
            elif entry.number in self.struck | self.aside:
                if not self._is_put_off(entry):
                    yield self._roll_again(entry)
            elif replay := self._look_again(entry):
                yield replay
        self.winding.told += self.doubts.say()

    def _is_put_off(self, entry: LogEntry) -> bool:
        """Let dice that stood last come before others for the same check: whether these have been put off so."""
        wanted = self._wanted(entry) if entry.number in self.aside else None
        rivals = [
            at
            for at, each in enumerate(self.agenda.entries)
            if each.number in self.struck and self._wanted(each) == wanted
        ]
        if wanted is None or not rivals:
            return False
        self.agenda.entries.insert(rivals[-1] + 1, entry)
        return True

    def _wanted(self, entry: LogEntry) -> tuple[str, str] | None:
        was = self.asked.get(entry.due)
        return (was.helper, was.title) if was else None

    def pending(self) -> set[tuple[str, str]]:
        """The checks for which dice have fallen that may stand again."""
        rolls = (entry for entry in self.agenda.entries if entry.number in self.struck | self.aside)
        return {wanted for entry in rolls if (wanted := self._wanted(entry))}

    def _roll_again(self, old: LogEntry) -> RemadeRoll | None:
        """A struck roll, where what is due now asks for the same."""
        was = self.asked.get(old.due)
        step = striking.find_step(self.match, self.fresh, was) if was else None
        if was is None or step is None:
            return None
        inputs = {**step.inputs, **self._read_counter_now(step), **self._entered(old, was)}
        played = striking.play_again(self.helpers[old.helper], self.book, old, inputs)
        return RemadeRoll(old, *played, step.title, step) if played else None

    def _read_counter_now(self, step: DueRoll) -> dict[str, object]:
        """What a step is filled with from its counter as it then was."""
        counter_id = step.inputs.get("id")
        waits = any(each.id == counter_id for each in self.match.state.proposed)
        return {} if waits or not counter_id else self._fill(step.helper, str(counter_id), step.inputs)

    def _fill(
        self, helper: str, counter_id: str, known: Mapping[str, object], counter: CounterInPlay | None = None
    ) -> dict[str, object]:
        """What a check of one counter is filled with from how that is, or is said to be."""
        if not self.has_counters:
            return {}
        counter = counter or counters.list_reachable(self.match, self.act.table.sees).get(counter_id)
        return naming.fill_check(self.match, helper, counter, known) if counter else {}

    def _entered(self, old: LogEntry, was: FollowUp) -> dict[str, object]:
        """What players had entered on the form of a roll besides what it was filled with."""
        counter_id = str(was.inputs.get("id") or "")
        then = self.winding.before.get(old.number, {}).get(counter_id)
        filled = self._fill(old.helper, counter_id, was.inputs, then) if counter_id else {}
        if then is None:  # struck long ago: nobody knows how the counter was, so its state is not taken for entered
            filled = {name: old.inputs.get(name) for name in filled}
        return striking.find_own_entries(self.helpers[old.helper], self.book, old, {**was.inputs, **filled})

    def _tell_again(self, entry: LogEntry) -> None:
        """Let what a later line says of counters be so again, with a line of its own where another one comes before."""
        store = counters.store_of(self.match)
        for counter_id, fields in changed_by(entry).items():
            was, wound = store.find(counter_id), self.winding.wound.get((entry.number, counter_id))
            if was is None or wound is None:
                continue
            told = {name: fields[name] for name in wound}
            if entry.number not in self.agenda.must_tell:
                store.put(stores.set_fields(was, {name: now for name, (_, now) in told.items()}))
                continue
            now = self._find_then(entry, was, told)
            if now is None:
                self.doubts.note(entry.number, [counter_id])
            elif now != was:
                about = None if entry.voids else entry.about
                again = entry.inputs.get(AGAIN, entry.number)
                changing.tell_change(self.act, was, now, _head(entry, was), again=again, about=about)

    def _find_then(
        self, entry: LogEntry, was: CounterInPlay, fields: Mapping[str, Sequence[Any]]
    ) -> CounterInPlay | None:
        """What a later line makes of a counter that is another by now; None where that cannot befall it."""
        if was.fate and "fate" not in fields:  # who is gone by then changes no more
            return None
        rules, kind = counters.rules_of(self.match), stores.piece_of(counters.store_of(self.match), was).kind
        roll = entry.about and self.match.log.filter(number=entry.about, kind=Kind.ROLL).first()
        try:
            if roll and (word := changing.changes_of_roll(roll).get(was.id)):
                return befall(rules, was, kind, word)
            told = {name: now for name, (_, now) in fields.items() if name not in ("state", "levels")}
            now = stores.set_fields(was, told)
            before, after = fields.get("state", ((), ()))
            gone = [mark for mark in before if mark not in after]
            now = stores.set_fields(now, {"state": [mark for mark in now.state if mark not in gone]})
            was_levels, new_levels = fields.get("levels", ({}, {}))
            moved = {each: number for each, number in new_levels.items() if was_levels.get(each) != number}
            now = stores.set_fields(now, {"levels": {**now.levels, **moved}})
            for mark in after:
                now = befall(rules, now, kind, mark) if mark not in before and mark not in now.state else now
            return now
        except BadInput:
            return None

    # What was read from another state

    def _look_again(self, entry: LogEntry) -> RemadeRoll | None:
        """A later roll that stands: made again if it is one counter's check, read in a state that it did not have."""
        store = counters.store_of(self.match)
        then = self.winding.before.get(entry.number, {})
        other = [each for each, was in then.items() if (now := store.find(each)) and _differs(was, now)]
        if not other:
            return None
        counter_id = str(entry.inputs.get("id") or "")
        helper = self.helpers[entry.helper]
        if counter_id not in other or helper.simultaneous:
            if self._may_matter(entry, then, other):
                self.doubts.note(entry.number, other)
            return None
        return self._read_again(entry, then[counter_id])

    def _read_again(self, old: LogEntry, then: CounterInPlay) -> RemadeRoll | None:
        """A check of one counter, with what that filled in of it as the counter was."""
        was = self._fill(old.helper, then.id, old.inputs, then)
        now = self._fill(old.helper, then.id, old.inputs)
        changed = {name: now[name] for name in now if was.get(name) == old.inputs.get(name) != now[name]}
        counter = counters.store_of(self.match).find(then.id)
        if now and not changed and counter and not counter.fate:
            return None
        gone = descent.find_followers(old)
        played = striking.play_again(self.helpers[old.helper], self.book, old, {**old.inputs, **changed})
        if not now or played is None or (counter and counter.fate) or any(map(record.changes_of, [old, *gone])):
            self.doubts.note(old.number, [then.id])
            return None
        struck = {entry.number for entry in (old, *gone)}
        self.struck |= struck
        striking.strike_due(self.match, [old, *gone])
        family = descent.find_family(old)
        self.asked |= striking.find_asked(family)
        self.agenda.add(gone)
        self.told.append(
            f"№ {old.number} is read again, since {name_openly(self.match, then.id)} was "
            f"{describe_openly(self.match, then.id)} then."
        )
        title = was_asked.title if (was_asked := self.asked.get(old.due)) else ""
        return RemadeRoll(old, *played, title, voids=sorted({*struck, *self.agenda.strike(struck)}))

    def _may_matter(self, entry: LogEntry, then: Mapping[str, CounterInPlay], other: Collection[str]) -> bool:
        """Whether a roll could have come out otherwise had these counters been as they were: not where its form, filled
        again, brings the same with its dice."""
        helper = self.helpers[entry.helper]
        named = naming.named_in(entry.inputs, helper)
        if not {*other} <= {*named.firers, *named.targets}:
            return True
        try:
            was = naming.fill_again(self.match, helper.slug, named, entry.inputs, then)
            now = naming.fill_again(self.match, helper.slug, named, entry.inputs, {})
        except RuleError:
            return True
        changed = {name: value for name, value in now.items() if was.get(name) != value}
        if not changed:
            return False
        played = striking.play_again(helper, self.book, entry, {**entry.inputs, **changed})
        return played is None or entry.result is None or played[1].headline != entry.result.headline

    def check_frozen(self, rolls: Iterable[LogEntry]) -> None:
        """Name what new rolls would have made of counters that stay as they are."""
        for entry in rolls:
            for each in self.frozen.intersection(changing.changes_of_roll(entry)):
                self.doubts.note(entry.number, [each])


def _differs(was: CounterInPlay, now: CounterInPlay) -> bool:
    return any(getattr(was, name) != getattr(now, name) for name in DECIDING)


def _head(entry: LogEntry, counter: CounterInPlay) -> str:
    """How a line begins that a hand has made."""
    head, found, _ = (entry.secret or entry.sentence).partition(f"{counter.name}: ")
    return head if found else ""
