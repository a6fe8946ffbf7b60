"""What the log tells about each counter: bought, set up, fought, hurt, fallen; and what brought it down.

Drawn from the lines as one browser may see them, so that a history holds no secret of the other side. A line tells
about counters by what a change has made of them (COUNTER lines), by what happened to them (a ledger's lines), or, for
a roll, by whom it names.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from firefight.engine.board.counters import ids_named
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act.lines import LogLine, changed_by
from firefight.table.act.memory import without_collecting
from firefight.table.board.counters import store_of
from firefight.table.log import reading

BEFELL, CAUSE = "befell", "cause"  # where a ledger's line says what happened to whom, and through what
STRIKES = "strikes"  # where it says what the odds of its dice depend on, by die
FELL = "eliminated"
# What is kept of a counter's story besides the harms of its game, which a summary counts between the two.
_ARRIVING = {
    "bought": "bought",
    "added": "came into play",
    "set_up": "set up",
    "enter": "came on the map",
    "exit": "left the map",
    "fought": "attacked",
    "target": "under attack",
    "redeployed": "re-deployed",
}
_GOING = {
    "healed": "healed",
    "repaired": "repaired",
    "returned": "given back",
    "left": "taken off",
    FELL: "fell",
}
BY_HAND, UNTOLD = "told by hand", "not told"


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened to a counter once: a word of Histories, and the line that says so.

    ``cause``: for harm, what did it. ``by``: the ids of those whose attack it was.
    """

    word: str
    line: LogLine
    cause: str = ""
    by: tuple[str, ...] = ()


@dataclass(slots=True)
class History:
    """What happened to one counter, oldest first."""

    id: str
    moments: list[Moment] = field(default_factory=list)

    @property
    def side(self) -> str:
        return self.id.rpartition("-")[0]

    def count(self, word: str) -> int:
        return sum(moment.word == word for moment in self.moments)

    @property
    def fall(self) -> Moment | None:
        """When it fell; None while it stands."""
        return next((moment for moment in reversed(self.moments) if moment.word == FELL), None)

    def summarize(self, words: Mapping[str, str]) -> str:
        """All of it in a line: "bought, set up, attacked 3 times, reduced"."""
        counts = ((label, self.count(word)) for word, label in words.items())
        return ", ".join(label if number == 1 else f"{label} {number} times" for label, number in counts if number)


@dataclass(frozen=True, slots=True)
class Histories:
    """The histories of a match's counters by id, and who brought how many down.

    ``words``: what may have happened to one, each as a summary says it, in its order.
    """

    of: Mapping[str, History]
    words: Mapping[str, str]
    falls: Sequence[tuple[str, Moment]]
    harms: Sequence[tuple[str, Moment]]

    def credits(self, counter_id: str) -> int:
        """How many of the other side fell by attacks in which it took part."""
        return sum(counter_id in moment.by for _, moment in self.falls)


def read_histories(match: Match, sees: tuple[str, ...]) -> Histories:
    """The histories of all counters of a match, as far as these sides may know them. One query."""
    entries = match.log.filter(voided_by=None).order_by("number").defer("result")
    with without_collecting():
        return leave_out_markers(tell_histories(reading.visible(entries, sees), registry.games()[match.game]), match)


def leave_out_markers(histories: Histories, match: Match) -> Histories:
    """The same with nothing but units among the losses. Two queries, if anybody was hurt at all."""
    rules = registry.games()[match.game].counters
    if not histories.harms:
        return histories
    store = store_of(match)
    markers = {
        counter.id
        for counter in store.all()
        if counter.counter and not rules.arm(store.kinds(counter.side)[counter.counter])
    }
    falls, harms = ([pair for pair in pairs if pair[0] not in markers] for pairs in (histories.falls, histories.harms))
    return replace(histories, falls=falls, harms=harms)


def tell_histories(lines: Iterable[LogLine], game: Game) -> Histories:
    """The histories that these lines tell, oldest line first."""
    teller = _Teller(game)
    for line in lines:
        if line.voided_by is None:
            teller.read(line)
    harms = [
        (history.id, moment)
        for history in teller.of.values()
        for moment in history.moments
        if moment.word in teller.harms
    ]
    harms.sort(key=lambda harm: harm[1].line.number)
    falls = [(history.id, history.fall) for history in teller.of.values() if history.fall]
    falls.sort(key=lambda fall: fall[1].line.number)
    return Histories(teller.of, teller.words, falls, harms)


class _Teller:
    """Reads line after line, and knows which roll asked for which."""

    def __init__(self, game: Game):
        self.helpers = registry.helpers(game.slug)
        hurts = game.counters.harms
        self.harms = {*hurts, FELL}
        self.words = {**_ARRIVING, **hurts, **{word: hurts.get(word, label) for word, label in _GOING.items()}}
        self.of: dict[str, History] = {}
        self.rolls: dict[int, LogLine] = {}

    def read(self, line: LogLine) -> None:
        if line.kind == LogEntry.Kind.ROLL:
            self.rolls[line.number] = line
            self._read_roll(line)
        elif line.kind == LogEntry.Kind.COUNTER:
            for counter_id, changes in changed_by(line).items():
                self._read_changes(counter_id, changes, line)
        else:
            cause = line.inputs.get(CAUSE, "")
            for counter_id, words in line.inputs.get(BEFELL, {}).items():
                for word in words:
                    self._add(counter_id, word, line, cause or UNTOLD)

    def _read_roll(self, line: LogLine) -> None:
        """Who attacks whom; a check that follows is not an attack of its own."""
        if line.follows is not None and not ids_named(line.inputs, "firers"):
            return
        for role, word in (("firers", "fought"), ("targets", "target")):
            for counter_id in ids_named(line.inputs, role):
                self._add(counter_id, word, line)

    def _read_changes(self, counter_id: str, changes: Values, line: LogLine) -> None:
        fate_before, fate_after = changes.get("fate", ("", ""))
        if fate_before and not fate_after and "counter" not in changes:
            self._put_back(counter_id)
        elif fate_after != fate_before:
            self._add(counter_id, fate_after or "added", line, self._find_cause(line), self._find_attackers(line))
        if not fate_before and not fate_after and "area" in changes and not changes["area"][0]:
            self._add(counter_id, "enter", line)
        states_before, states_after = changes.get("state", ((), ()))
        for word in states_after:
            if word in self.harms and word not in states_before:
                self._add(counter_id, word, line, self._find_cause(line), self._find_attackers(line))

    def _put_back(self, counter_id: str) -> None:
        """A counter that was taken for fallen stands after all."""
        moments = self.of.setdefault(counter_id, History(counter_id)).moments
        fell = [place for place, moment in enumerate(moments) if moment.word == FELL]
        if fell:
            del moments[fell[-1]]

    def _add(self, counter_id: str, word: str, line: LogLine, cause: str = "", by: tuple[str, ...] = ()) -> None:
        if word in self.words:
            moments = self.of.setdefault(counter_id, History(counter_id)).moments
            is_harm = word in self.harms
            moments.append(Moment(word, line, cause if is_harm else "", by if is_harm else ()))

    def _find_chain(self, line: LogLine) -> list[LogLine]:
        """The rolls that led to a line, the nearest first."""
        chain: list[LogLine] = []
        above = line.follows
        while above in self.rolls:
            chain.append(self.rolls[above])
            above = chain[-1].follows
        return chain

    def _find_cause(self, line: LogLine) -> str:
        """What brought a change about: the group of the roll that began it all."""
        chain = self._find_chain(line)
        helper = self.helpers.get(chain[-1].helper) if chain else None
        return helper.group if helper else BY_HAND

    def _find_attackers(self, line: LogLine) -> tuple[str, ...]:
        attacks = (ids_named(roll.inputs, "firers") for roll in self._find_chain(line))
        return next(filter(None, attacks), ())
