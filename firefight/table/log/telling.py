"""One sentence for an episode of the log: an act and all that followed from it, as players would tell it.

"K7 fired 18 FF at L7: C/M. Rifle squad #1 halved and Disrupted, Commissar Pinned Down, Rifle squad #2 held." It is
composed only here, for log, result, first page, feed and report: from each line's facts as one browser may know them,
so that it holds no more than the lines themselves. What a roll adds is the game's to say (``Game.tell_roll``).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, groupby
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from firefight.engine.board.counters import CounterInPlay, describe_levels
from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short
from firefight.engine.text import capitalize, join_words
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.counters import CounterRules
from firefight.kit.fields.counters import ASKED, SCENE
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act.line_keys import AGAIN, BY_HAND, CHANGED_COUNTERS, NAMES, UNDER_SEAL
from firefight.table.act.lines import LogLine, changed_by

from . import reading
from .asked import Asked
from .reading import HEADLINE, OUTCOME, PAGE

Kind = LogEntry.Kind

MOST_FATES, LONGEST = 12, 420  # counters whose fate one sentence tells; letters of its clauses
MANY = 5  # counters of which the same became: told together
OFF_MAP, GROUND = "off the map", "ground level"


@dataclass(frozen=True, slots=True)
class Episode:
    """An act and all that followed from it, as one browser may see it. ``lines``: oldest first."""

    number: int
    lines: tuple[LogLine, ...]
    sentence: str

    @property
    def first(self) -> LogLine:
        return self.lines[0]

    @property
    def last(self) -> LogLine:
        return self.lines[-1]

    @property
    def is_chain(self) -> bool:
        return len(self.lines) > 1

    @property
    def is_void(self) -> bool:
        """Whether nothing of it stands any more."""
        return all(line.voided_by for line in self.lines)

    @property
    def has_voids(self) -> bool:
        """Whether some of it was struck, and some of it stands."""
        return not self.is_void and any(line.voided_by for line in self.lines)

    @property
    def sealed(self) -> bool:
        """Whether something of it is known to one side alone, which is asking."""
        return any(line.sealed or (line.secret and not line.revealed_by) for line in self.lines)

    @property
    def asides(self) -> list[str]:
        """What is to be said besides the sentence: what a correction brought with it, what is no longer due, and what
        was entered differently from what was asked for."""
        standing = [line for line in self.lines if not line.voided_by or self.is_void]
        dropped = [line.sentence for line in standing if line.kind == Kind.DROP and self.is_chain]
        return [*dropped, *(words for line in standing if (words := _find_entered(line)))]

    @property
    def secrets(self) -> list[str]:
        """What its side alone may know of it, in the lines' own words, where no sentence tells it."""
        return [line.secret for line in self.lines if line.secret and line.kind not in (Kind.ROLL, Kind.COUNTER)]

    @property
    def dice(self) -> int:
        """How many dice were thrown for what stands of it."""
        return sum(len(line.rolls) for line in self.lines if not line.voided_by)

    @property
    def label(self) -> str:
        """What opening it shows, in words: "All 8 lines, dice, corrected"."""
        state = "void" if self.is_void else "corrected" if self.has_voids else ""
        return ", ".join(filter(None, (f"All {len(self.lines)} lines", "dice" if self.dice else "", state)))

    @property
    def touches(self) -> str:
        """The counters that it is about, by id."""
        return " ".join(dict.fromkeys(counter_id for line in self.lines for counter_id in line.touches.split()))


def _find_entered(line: LogLine) -> str:
    """What a roll's line says was entered differently from what was asked for; "" for nothing."""
    try:
        return Asked.from_json(line.inputs.get(ASKED, {})).words.strip()
    except ValueError:  # of a file that says something else there
        return ""


# Reading


def leave_results(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Lines without the results of rolls, which are their largest column, except what a sentence needs of them."""
    annotations = {OUTCOME: KeyTextTransform("outcome", "result"), HEADLINE: KeyTextTransform("headline", "result")}
    return entries.defer("result").annotate(**annotations)


BEGIN = Coalesce("episode", "number")


def find_begins(entries: QuerySet[LogEntry]) -> list[int]:
    """Where the newest episodes begin that these entries belong to, newest first: a page of them. One query."""
    begins = entries.order_by().annotate(begin=BEGIN).values_list("begin", flat=True)
    return list(begins.distinct().order_by("-begin")[:PAGE])


def read_episodes(match: Match, sees: tuple[str, ...], begins: Collection[int]) -> list[Episode]:
    """The episodes that begin with these lines, newest first. One query, none for nothing."""
    if not begins:
        return []
    within = Q(number__in=begins) | Q(episode__in=begins)
    entries = leave_results(LogEntry.objects.filter(within, match=match, number__gte=min(begins))).order_by("number")
    return gather_episodes(registry.games()[match.game], reading.visible(entries, sees))


def read_episode_of(match: Match, sees: tuple[str, ...], number: int) -> Episode | None:
    """The episode to which a line belongs, as far as these sides may read it. Two queries."""
    begins = match.log.filter(number=number).values_list("episode", flat=True)
    episodes = read_episodes(match, sees, [begin or number for begin in begins])
    return episodes[0] if episodes else None


def newest_episodes(match: Match, sees: tuple[str, ...], before: int | None = None) -> list[Episode]:
    """A page of episodes, newest first, or of those that began before a line. Two queries."""
    begins = match.log.filter(episode=None, **({"number__lt": before} if before else {}))
    return read_episodes(match, sees, list(begins.values_list("number", flat=True)[:PAGE]))


def newest_found(match: Match, sees: tuple[str, ...], among: QuerySet[LogEntry], before: int | None) -> list[Episode]:
    """The newest of these lines, which a filter has found, each told by itself: nobody asked what else happened."""
    entries = among.filter(number__lt=before) if before else among
    game = registry.games()[match.game]
    lines = reading.visible(leave_results(entries.order_by("-number"))[:PAGE], sees)
    return [Episode(line.number, (line,), tell_episode(game, (line,))) for line in lines]


def gather_episodes(game: Game, lines: Iterable[LogLine]) -> list[Episode]:
    """The episodes that these lines make up, newest first."""
    by_begin: dict[int, list[LogLine]] = {}
    for line in sorted(lines, key=lambda line: line.number):
        by_begin.setdefault(line.begin, []).append(line)
    episodes = (
        Episode(begin, tuple(episode_lines), tell_episode(game, episode_lines))
        for begin, episode_lines in by_begin.items()
    )
    return sorted(episodes, key=lambda episode: -episode.number)


def read_newer(match: Match, sees: tuple[str, ...], lines: Sequence[LogLine], after: int) -> list[Episode]:
    """The episodes to which these lines belong that came or changed after a line, newest first. One query, or none
    where all of them are new."""
    numbers = {line.number for line in lines}
    old = {line.begin for line in lines if line.begin <= after or line.begin not in numbers}
    fresh = [line for line in lines if line.begin not in old]
    return [*gather_episodes(registry.games()[match.game], fresh), *read_episodes(match, sees, old)]


def first_episodes(episodes: list[Episode], room: int) -> list[Episode]:
    """The first of some episodes, as many as fit into that many bytes of a page, and at least one."""
    sizes = accumulate(reading.size_line(episode.first) + len(episode.sentence.encode()) for episode in episodes)
    return [
        episode for place, (episode, size) in enumerate(zip(episodes, sizes, strict=True)) if not place or size <= room
    ]


def read_last(matches: Iterable[Match]) -> dict[str, Episode]:
    """The newest episode of each of these matches as everybody may read it, by match. One query, none for no match.

    ``matches``: each with the number of the line that began it, as ``begun``.
    """
    of_match = {match.pk: match for match in matches}
    begins = {match.pk: vars(match).get("begun") for match in of_match.values()}
    conditions = [Q(match=pk) & (Q(number=begin) | Q(episode=begin)) for pk, begin in begins.items() if begin]
    if not conditions:
        return {}
    rows = leave_results(LogEntry.objects.filter(reduce(or_, conditions)).order_by("match_id", "number"))
    by_match = groupby(rows, key=lambda entry: entry.match_id)
    return {
        pk: gather_episodes(registry.games()[of_match[pk].game], reading.visible(entries, ()))[0]
        for pk, entries in by_match
    }


# The sentence


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

    def add_fate(self, name: str, fate: str) -> None:
        self.passing = ""
        words = self.fates.setdefault(name, [])
        if fate not in words:
            words.append(fate)

    @property
    def sentence(self) -> str:
        """All of it, as long as a line of a log may be: how it begins, and what it has come to."""
        clauses = [*self.clauses, *([self.passing] if self.passing else [])]
        *before_last, last = clauses or [""]
        ends = [*accumulate(map(len, before_last), initial=len(last))][1:]
        shown = before_last[: max(1, sum(end <= LONGEST for end in ends))]
        left_out = len(before_last) - len(shown)
        counted = [f"And {left_out} more"] if left_out else []
        sentences = [*map(capitalize, shown), *counted, *filter(None, [capitalize(last)])]
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
    standing = [line for line in lines if line.voided_by is None] or list(lines)
    # That something more is under seal is a sentence where nothing else is to be read.
    standing = [line for line in standing if not (line.is_withheld and line.sentence.endswith(UNDER_SEAL))] or standing
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
            tale.add(clause.words, clause.passing)
            for name, fate in clause.fates.items():
                tale.add_fate(name, fate)
        elif changed_by(line) and not line.voids:
            if arrivals and line is arrivals[0]:
                tale.add(_tell_arrivals(arrivals))
            elif line.number not in together:
                _tell_counters(game, line, clauses.get(line.about or 0), names, tale)
        elif line.kind != Kind.DROP:  # what a correction brings with it stands below the sentence
            tale.add(line.secret if line.secret and line.kind in _TOLD_WHOLE else line.sentence)
    for hand in dict.fromkeys(map(_find_hand, placings)):
        for words in _tell_placings(game, [line for line in placings if _find_hand(line) == hand], names):
            tale.add(f"{words}, set by the {hand}" if hand else words)
    return tale.sentence


def _list_declarations(lines: Iterable[LogLine]) -> set[int]:
    return {line.number for line in lines if line.kind == Kind.RECORD and line.touches}


def tell_line(game: Game, line: LogLine) -> str:
    """One line of an episode that is opened: what a roll came to and what was set by hand are told like an episode, all
    else as it stands, since what became of whom stands beside the roll that did it."""
    if line.kind == Kind.ROLL or is_by_hand(line):
        return tell_episode(game, (line,))
    return tell_plainly(line.secret if line.secret and line.kind in _TOLD_WHOLE else line.sentence)


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
        for word in _tell_change(game, fields):
            tale.add_fate(name, word)


def _tell_change(game: Game, fields: Values) -> list[str]:
    """What becomes of one counter, in words of its game: what it is now and was not before."""
    rules = game.counters
    labels = {**rules.words, **rules.states}
    states_before, states_after = fields.get("state", ((), ()))
    words = [_say_state(rules, word) for word in states_after if word not in states_before]
    if "state" in fields and not words and "fate" not in fields:
        words.append(
            f"{rules.unmarked} again"
            if not states_after
            else f"no longer {join_words(labels.get(w, w) for w in states_before if w not in states_after)}"
        )
    levels_before, levels_after = fields.get("levels", ({}, {}))
    changed = {name: number for name, number in levels_after.items() if levels_before.get(name) != number}
    words += describe_levels(changed, rules.levels)
    if fate := fields.get("fate", ("", ""))[1]:
        words = [labels.get(fate) or rules.describe(CounterInPlay("", "", "", "", fate=fate))]
    elif "fate" in fields:
        words.append("back in play")
    place = _place_in(game, fields, 1) if not fate and _WHERE & fields.keys() else ""
    if fields.get("hidden", (False, False))[1]:
        words.append(f"hidden {_say_at(place)}".strip())
    elif "hidden" in fields and not fate:
        words.append(f"in sight {_say_at(place)}".strip())
    elif "closed" in fields and not fate:
        words.append("closed" if fields["closed"][1] else "turned up")
    elif place:
        words.append(place if place == OFF_MAP else f"to {place}")
    if "beside" in fields and not fate:
        words.append("on another counter" if fields["beside"][1] else "by itself")
    if "note" in fields:
        words.append(f"note “{fields['note'][1]}”" if fields["note"][1] else "without a note")
    return words


def _say_state(rules: CounterRules, word: str) -> str:
    """A state within a sentence: "in close combat", where its label says "In close combat"."""
    label = rules.states.get(word) or rules.words.get(word, word)
    within = rules.words.get(word, label)
    return within if within.lower() == label.lower() else label


def _say_at(place: str) -> str:
    return place if place in ("", OFF_MAP) else f"in {place}"


_WHERE = {"place", "level", "area"}


def _place_in(game: Game, fields: Values, at: int) -> str:
    """Where a counter was (0) or is (1), as far as a line says so."""
    place, area, level = (fields.get(name, ("", ""))[at] for name in ("place", "area", "level"))
    spot = game.words.call_place(place) or (f"{game.words.area} {area}" if area else "")
    if not spot and not {"place", "area"} & fields.keys():  # it has stayed in its hex
        level = level or GROUND
    elif not spot:
        spot = OFF_MAP
    return ", ".join(filter(None, (spot, f"level {level}" if str(level).isdigit() else level)))


def _tell_placings(game: Game, lines: Sequence[LogLine], names: Mapping[str, str]) -> Iterable[str]:
    """How counters were set by hand: which were placed where, then what else became of them."""
    moved: dict[str, dict[str, tuple[Any, object]]] = {}  # where each was before the first of these lines, and is after
    other_changes: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        for counter_id, fields in line.inputs[CHANGED_COUNTERS].items():
            if fields.keys() <= _WHERE:
                so_far = moved.setdefault(counter_id, {})
                so_far |= {name: (so_far.get(name, fields[name])[0], fields[name][1]) for name in fields}
            else:
                other_changes.setdefault(tuple(_tell_change(game, fields)), []).append(names[counter_id])
    by_way: dict[tuple[str, str], list[str]] = {}
    for counter_id, fields in moved.items():
        start, end = _place_in(game, fields, 0), _place_in(game, fields, 1)
        # A move tells where it came from; whatever comes on the map is placed.
        way = ("" if start == OFF_MAP else start, end)
        by_way.setdefault(way, []).append(names[counter_id])
    for (start, end), counter_names in by_way.items():
        yield f"{tally_names(counter_names)}{f' from {start}' if start else ''} {'' if end == OFF_MAP else 'to '}{end}"
    for words, counter_names in other_changes.items():
        yield f"{tally_names(counter_names)}: {join_words(words)}" if words else tally_names(counter_names)


def tally_names(names: Sequence[str]) -> str:
    """Counters by name, those of one kind counted.

    >>> tally_names(["Rifle squad #1", "Rifle squad #2", "NCO #8"])
    '2 × Rifle squad, NCO #8'
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.partition(" #")[0], []).append(name)
    return ", ".join(of[0] if len(of) == 1 else f"{len(of)} × {kind}" for kind, of in kinds.items())
