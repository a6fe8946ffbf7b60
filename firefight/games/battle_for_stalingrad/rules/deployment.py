"""The German Deployment Display: its counters by formation, and which of them a match has ticked off as deployed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.charts.notation import plain_dashes
from firefight.engine.course.keeping import BoardItem, TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptChoice, KeptFlag, KeptList, KeptParts, Record, put_in
from firefight.engine.rolls.result import Outcome, Result, sources

from .terrain import GERMAN

RULE = "German Deployment Display"
FORMATIONS = {
    "29_mot": "29 Mot",
    "14_pz": "14 Pz",
    "94_inf": "94 Inf",
    "24_pz": "24 Pz",
    "71_inf": "71 Inf",
    "295_inf": "295 Inf",
    "389_inf": "389 Inf",
    "60_mot": "60 Mot",
    "16_pz": "16 Pz",
    "independent": "Independent",
}
VALUES = (
    *("6-2-24", "5-4-18", "6-5-24", "4-3-18", "5-4-12", "8 10 12", "8 10 18", "2-18", "2-24", "3-18", "3-1-18"),
    *("1-12", "1-18", "2-1-12", "8 18 8", "10 22 7", "12 12 6"),
)
Key = tuple[str, str]  # a formation and a value
MOST_TICKED = 30  # of one formation; the chart says how many there are of each value


class DeploymentOutcome(Outcome):
    """Counters are counted, nothing is rolled."""

    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Ticked:
    """Counters of one value that stand on the map already."""

    formation: str
    values: str
    number: int

    def plain(self) -> str:
        """As a form holds it."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.formation}:{self.values.replace(' ', '_')}:{self.number}"


def read_ticked(token: str) -> Ticked:
    """One of them as a form holds it. Raises ValueError.

    >>> str(read_ticked("29_mot:8_10_12:2"))
    '29_mot:8_10_12:2'
    """
    formation, values, number = token.split(":")
    ticked = Ticked(formation, values.replace("_", " "), int(number))
    if formation not in FORMATIONS or ticked.values not in VALUES or not 0 < ticked.number <= MOST_TICKED:
        raise ValueError(token)
    return ticked


def count_printed(charts: Book) -> dict[str, dict[str, int]]:
    """How many counters the display has, by formation and value."""
    chart: Matrix = charts["deployment"]
    return {slug: dict(_count_column(chart, name.replace(" ", "_"))) for slug, name in FORMATIONS.items()}


def _count_column(chart: Matrix, column: str) -> Iterator[tuple[str, int]]:
    for row in chart.rows:
        if (text := chart.cell(row, column)).isdigit():
            yield row.replace("_", " "), int(text)


def read_counter_values(typed: str) -> str:
    """A counter's values as the display prints them; "" for none. Raises BadInput.

    >>> read_counter_values("8 10 12"), read_counter_values("6–2–24"), read_counter_values("8_10_12")
    ('8 10 12', '6-2-24', '8 10 12')
    """
    plain = plain_dashes(" ".join(typed.replace("_", " ").split()))
    if plain and plain not in VALUES:
        raise BadInput({"values": f"No German counter has {typed[:12]}: they are {', '.join(VALUES)}."})
    return plain


def count_counters(
    *,
    charts: Book,
    formation: str = "",
    values: str = "",
    deploy: int = 0,
    deploy_all: bool = False,
    deployed: tuple[Ticked, ...] = (),
) -> Result:
    """The counters of a formation, of a value, or all (German Deployment Display); some are ticked off as deployed.

    ``deploy``: how many of one value; ``deploy_all``: all that are left of those shown. ``deployed``: what a
    match has ticked off before.
    """
    value_shown = read_counter_values(values)
    groups = {
        slug: {value: number for value, number in printed.items() if value_shown in ("", value)}
        for slug, printed in count_printed(charts).items()
        if formation in ("", slug)
    }
    groups = {slug: numbers for slug, numbers in groups.items() if numbers}
    on_map = Counter({(ticked.formation, ticked.values): ticked.number for ticked in deployed})
    remaining = {
        (slug, value): number - on_map[slug, value]
        for slug, numbers in groups.items()
        for value, number in numbers.items()
    }
    fresh = Counter({key: number for key, number in remaining.items() if number > 0}) if deploy_all else Counter[Key]()
    if deploy and not deploy_all:
        _check_remaining(groups, remaining, formation, value_shown, deploy)
        fresh = Counter({(formation, value_shown): deploy})
    on_map += fresh
    counters, placed = sum(sum(numbers.values()) for numbers in groups.values()), sum(on_map[key] for key in remaining)
    title = FORMATIONS.get(formation, "All formations") + (f", {value_shown}" if value_shown else "")
    added = {slug: put_in(*_list_values(fresh, slug)) for slug in dict.fromkeys(slug for slug, _ in fresh)}
    return Result(
        headline=f"{title}: {counters} counters{f', {placed} deployed' if placed else ''}.",
        outcome=DeploymentOutcome.COUNTED,
        details={"counters": counters, "groups": groups, "deployed": placed},
        effects=tuple(f"{FORMATIONS[slug]}: {_say_group(slug, numbers, on_map)}." for slug, numbers in groups.items()),
        rules=(RULE,),
        provenance=sources([charts["deployment"]]),
        changes=(RECORD.change({"deployed": added}),) if added else (),
    )


def _list_values(fresh: Mapping[Key, int], formation: str) -> list[str]:
    return [value for (slug, value), number in fresh.items() if slug == formation for _ in range(number)]


def _check_remaining(
    groups: Mapping[str, Mapping[str, int]], remaining: Mapping[Key, int], formation: str, value: str, more: int
) -> None:
    """Raise BadInput if there are no more such counters to deploy."""
    if not formation or not value:
        raise BadInput({"deploy": "Say of which formation and value, or tick off all that are left."})
    if more > remaining.get((formation, value), 0):
        printed, rest = groups.get(formation, {}).get(value, 0), max(0, remaining.get((formation, value), 0))
        raise BadInput(
            {"deploy": f"{FORMATIONS[formation]} has {printed} counters {value}, and {rest} left to deploy."}
        )


def _say_group(slug: str, numbers: Mapping[str, int], on_map: Mapping[Key, int]) -> str:
    """A formation's counters: "6-2-24 × 4, 1 deployed"."""
    words = []
    for value, number in numbers.items():
        placed = on_map.get((slug, value), 0)
        words.append(f"{value} × {number}{f' ({placed} deployed)' if placed else ''}")
    return ", ".join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCounters(KeptList):
    """Counters of one formation that stand on the map, in the order in which they came."""

    def describe(self, value: Sequence[Any]) -> str:
        return ", ".join(f"{number} × {value}" for value, number in Counter(value).items()) or "nothing"

    def describe_change(self, change: object) -> Iterator[str]:
        if isinstance(change, Mapping) and change.keys() == {"add"}:
            yield f"{self.title}: {self.describe(change['add'])} more."
        else:
            yield from KeptList.describe_change(self, change)


def _keep_formation(slug: str, title: str) -> KeptCounters:
    of_display = KeptChoice(choices={value: value for value in VALUES})
    return KeptCounters(name=slug, title=title, rule=RULE, item=of_display, most=MOST_TICKED)


RECORD = Record(
    fields=(
        KeptParts(
            name="deployed",
            title="Deployed",
            fields=tuple(_keep_formation(slug, title) for slug, title in FORMATIONS.items()),
        ),
        KeptFlag(
            name="depot_lost",
            title="Ammo Depot 2289 out of play",
            rule="3.23 Artillery",
            otherwise="Ammo Depot 2289 in play",
        ),
    )
)


def list_ticked(record: Mapping[str, Sequence[str]]) -> list[Ticked]:
    """What a match has ticked off, as its record keeps it by formation."""
    return [Ticked(slug, value, number) for slug, listed in record.items() for value, number in Counter(listed).items()]


def show_board(situation: TableState) -> tuple[BoardItem, ...]:
    """What is shown beside the map: the depot, and how many German counters are deployed (3.23, the display).

    Those in play count, and where there are none, those that were ticked off.
    """
    record = situation.record
    printed = sum(sum(numbers.values()) for numbers in count_printed(situation.book).values())
    in_play = sum(counter.side == GERMAN and counter.in_play for counter in situation.counters)
    deployed = in_play or sum(map(len, record["deployed"].values()))
    return (
        BoardItem("Ammo Depot 2289", "out of play" if record["depot_lost"] else "in play", "depot_lost"),
        BoardItem("German counters", f"{deployed} of {printed} on the map", "deployed", "deployment"),
    )
