"""Episodes: an act and all that followed from it, as one browser may see them, read and put into pages."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, groupby
from operator import or_

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act.lines import LogLine

from . import reading
from .asked import read_asked
from .reading import HEADLINE, OUTCOME, PAGE
from .telling import tell_episode

Kind = LogEntry.Kind


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
    return read_asked(line.inputs).words.strip()


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
