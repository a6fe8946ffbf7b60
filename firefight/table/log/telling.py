"""One sentence for an episode of the log: an act and all that followed from it, as players would tell it.

"K7 fired 18 FF at L7: C/M. Rifle squad #1 halved and Disrupted, Commissar Pinned Down, Rifle squad #2 held." It is
composed only here, for log, result, first page, feed and report: from each line's facts as one browser may know them,
so that it holds no more than the lines themselves. What a roll adds is the game's to say (``Game.tell_roll``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short
from firefight.engine.text import capitalize, join_words
from firefight.kit.fields.counters import SCENE
from firefight.kit.game import Game
from firefight.models import LogEntry
from firefight.table.act.line_keys import AGAIN, BY_HAND, CHANGED_COUNTERS, NAMES, UNDER_SEAL
from firefight.table.act.lines import LogLine, changed_by

from .counter_words import describe_counter_change, describe_placings, tally_names

Kind = LogEntry.Kind

MOST_FATES, LONGEST = 12, 420  # counters whose fate one sentence tells; letters of its clauses
MANY = 5  # counters of which the same became: told together


@dataclass(slots=True)
class _Tale:
    """What a sentence is made of so far: its clauses, what became of whom, and a clause that gives way to the next."""

    clauses: list[str] = field(default_factory=list)
    fates: dict[str, list[str]] = field(default_factory=dict)
    passing: str = ""

    def add(self, words: str, is_passing: bool = False) -> None:
        clause = words.strip().rstrip(".")
        if clause:
            self.passing = clause if is_passing else ""
        if clause and not is_passing and clause not in self.clauses:
            self.clauses.append(clause)

    def add_clause(self, clause: Clause) -> None:
        self.add(clause.words, clause.passing)
        for name, fate in clause.fates.items():
            self.add_fate(name, fate)

    def add_fate(self, name: str, fate: str) -> None:
        self.passing = ""
        words = self.fates.setdefault(name, [])
        if fate not in words:
            words.append(fate)

    @property
    def sentence(self) -> str:
        """All of it, as long as a line of a log may be: how it begins, and what it has come to."""
        *beginning, end = [*self.clauses, *([self.passing] if self.passing else [])] or [""]
        lengths = [*accumulate(map(len, beginning), initial=len(end))][1:]
        room = max(1, sum(length <= LONGEST for length in lengths))
        left_out = [f"And {len(beginning) - room} more"] if len(beginning) > room else []
        sentences = [capitalize(clause) for clause in (*beginning[:room], *left_out, end) if clause]
        fates = list(self._list_fates())
        fates_left = len(fates) - MOST_FATES
        fates = [*fates[:MOST_FATES], *([f"{fates_left} more"] if fates_left > 0 else [])]
        phrases = (*sentences, *([capitalize(", ".join(fates))] if fates else []))
        return " ".join(phrase if phrase.endswith(("?", "!")) else f"{phrase}." for phrase in phrases)

    def _list_fates(self) -> Iterator[str]:
        """What became of whom, and of many at once where that is the same: as a phase takes markers off."""
        names_by_words: dict[str, list[str]] = {}
        for name, words in self.fates.items():
            names_by_words.setdefault(join_words(words), []).append(name)
        for name, fate in ((name, join_words(words)) for name, words in self.fates.items()):
            names = names_by_words[fate]
            if len(names) < MANY:
                yield f"{name} {fate}"
            elif name == names[0]:
                yield f"{tally_names(names)}: {fate}"


_TOLD_WHOLE = (Kind.COUNTER, Kind.RECORD, Kind.ROLL)  # by what is under seal in them, to whoever may know it


def tell_episode(game: Game, lines: Sequence[LogLine]) -> str:
    """An episode in a sentence or two, from its lines as one browser may see them: from those that stand, if any do.

    ``lines``: oldest first.
    """
    standing = _list_standing(lines)
    if len(standing) == 1 and standing[0].kind not in (Kind.ROLL, Kind.COUNTER):
        return tell_plainly(standing[0].sentence)
    tale, clauses = _Tale(), dict[int, Clause]()
    names = _find_names(lines)
    placings = [line for line in standing if is_by_hand(line)]
    arrivals = [line for line in standing if _find_arrived(line)]
    together = {line.number for line in (*placings, *arrivals[1:])}  # told with others of their kind
    # Who fights has been told by what the sides declared: not again counter by counter.
    together |= {line.number for line in standing if line.about in _list_declarations(standing)}
    for line in standing:
        if line.kind == Kind.ROLL and knows_roll(line):
            clauses[line.number] = clause = tell_roll_line(game, line)
            tale.add_clause(clause)
        elif changed_by(line) and not line.voids:
            if arrivals and line is arrivals[0]:
                tale.add(_tell_arrivals(arrivals))
            elif line.number not in together:
                _tell_counters(game, line, clauses.get(line.about or 0), names, tale)
        elif line.kind != Kind.DROP:  # what a correction brings with it stands below the sentence
            tale.add(_say_whole(line))
    for hand in dict.fromkeys(map(_find_hand, placings)):
        for words in describe_placings(game, [line for line in placings if _find_hand(line) == hand], names):
            tale.add(f"{words}, set by the {hand}" if hand else words)
    return tale.sentence


def _list_standing(lines: Sequence[LogLine]) -> list[LogLine]:
    """The lines that stand, or all if none does. That something more is under seal is one where nothing else is."""
    standing = [line for line in lines if line.voided_by is None] or list(lines)
    return [line for line in standing if not (line.is_withheld and line.sentence.endswith(UNDER_SEAL))] or standing


def _say_whole(line: LogLine) -> str:
    """A line as it stands, with what is under seal in it for whoever may know it."""
    return line.secret if line.secret and line.kind in _TOLD_WHOLE else line.sentence


def _list_declarations(lines: Iterable[LogLine]) -> set[int]:
    return {line.number for line in lines if line.kind == Kind.RECORD and line.touches}


def tell_line(game: Game, line: LogLine) -> str:
    """One line of an episode that is opened: what a roll came to and what was set by hand are told like an episode, all
    else as it stands, since what became of whom stands beside the roll that did it."""
    if line.kind == Kind.ROLL or is_by_hand(line):
        return tell_episode(game, (line,))
    return tell_plainly(_say_whole(line))


def tell_plainly(sentence: str) -> str:
    """A line's sentence without saying that it was set by hand, since who did is told beside it, nor the dice's seal,
    which stands on their page, nor the id of a match, which lines once said."""
    sentence = _ID.sub(r"\1 an earlier match,", _SEAL.sub(r"\1.", sentence))
    for head in (f"{BY_HAND}. ", f"{BY_HAND}, "):
        if sentence.startswith(head):
            return capitalize(sentence.removeprefix(head))
    return sentence


_SEAL = re.compile(r"(Its dice are sealed(?: anew)?),? as [0-9a-f]{64}\.")
_ID = re.compile(r"^(This match (?:branches off from|goes on from a file of)) match [\w-]+,")
_BY_OTHERS = re.compile(r"(?:by|Agreed with) the ([^,:]+), ")


def knows_roll(line: LogLine) -> bool:
    """Whether this browser may know what a roll came to and what it was made with."""
    return bool(line.outcome) and line.explained and not (line.secret_digest and not line.inputs)


def tell_roll_line(game: Game, line: LogLine) -> Clause:
    """What one roll adds to its sentence, in the game's own terms."""
    words = line.secret or line.sentence
    scene = line.inputs.get(SCENE)
    scene = {name: str(value) for name, value in scene.items()} if isinstance(scene, Mapping) else {}
    facts = RollFacts(line.helper, line.inputs, line.outcome, line.headline or words, words, scene)
    return (game.tell_roll or tell_in_short)(facts)


def is_by_hand(line: LogLine) -> bool:
    """Whether a line says how counters were set by hand, as far as this browser may know."""
    words = line.secret or line.sentence
    is_open = line.about is None and not line.voids and AGAIN not in line.inputs
    return is_open and bool(changed_by(line)) and words.startswith(f"{BY_HAND}, ")


def _find_arrived(line: LogLine) -> list[str]:
    """The names of counters that a line has put on the table, as far as this browser may know; none of any other."""
    changes = changed_by(line).values() if not line.voids else ()
    return [fields["name"][1] for fields in changes if "name" in fields and "counter" in fields]


def _tell_arrivals(lines: Sequence[LogLine]) -> str:
    """What came into play: one line in its own words, several added up."""
    if len(lines) == 1:
        return (lines[0].secret or lines[0].sentence).removeprefix(f"{BY_HAND}. ")
    return f"Into play: {tally_names([name for line in lines for name in _find_arrived(line)])}"


def _find_names(lines: Iterable[LogLine]) -> dict[str, str]:
    """What counters are called, by id, as their lines say."""
    names: dict[str, str] = {}
    for line in lines:
        for counter_id, fields in changed_by(line).items():
            name = fields.get("name", ("", ""))[1] or line.inputs.get(NAMES, {}).get(counter_id) or _name_in(line)
            names.setdefault(counter_id, name)
    return names


def _name_in(line: LogLine) -> str:
    """The counter that a line about one names, before what became of it."""
    words = (line.secret or line.sentence).removeprefix(f"{BY_HAND}, ")
    return _BY_OTHERS.sub("", words.partition(": ")[0], count=1)


def _find_hand(line: LogLine) -> str:
    """The other side that has set a counter, as its line says; "" where its own did."""
    match = _BY_OTHERS.match((line.secret or line.sentence).removeprefix(f"{BY_HAND}, "))
    return match[1] if match else ""


def _tell_counters(
    game: Game, line: LogLine, roll_clause: Clause | None, names: Mapping[str, str], tale: _Tale
) -> None:
    """What a line says became of counters, where the roll that it is about has not said so itself."""
    changes = line.inputs[CHANGED_COUNTERS]
    is_of_many = len(changes) > 1 and NAMES not in line.inputs
    if is_of_many or any("name" in fields for fields in changes.values()):
        tale.add((line.secret or line.sentence).removeprefix(f"{BY_HAND}. "))
        return
    for counter_id, fields in changes.items():
        name = names[counter_id]
        if roll_clause is not None and name in roll_clause.fates:
            continue
        for word in describe_counter_change(game, fields):
            tale.add_fate(name, word)
