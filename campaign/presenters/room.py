"""Pages of the content room as plain values: parts and what is wrong with them, a card's form, counters as typed."""

import hashlib

from campaign.ledger.drafts import ContentVolume
from campaign.rules.drafting import tell_why_undrawn
from campaign.rules.typed import card, counters
from campaign.rules.typed.whole import CARDS, COUNTERS, MAP, ROSTERS
from campaign.rules.typed.words import Names
from firefight.engine.charts.checks import LETTERS, CheckedSheet
from firefight.engine.charts.kinds import MODESTY
from firefight.engine.charts.records import Column, RecordsLayout
from firefight.engine.charts.tables import Sheet
from firefight.engine.text import capitalize
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.counters import Counter, CounterKind, read_counters
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

SUMMARIES = {
    COUNTERS: "Both sides: what each counter is worth, and how many the box holds.",
    **{part: "Reinforcement Groups: contents, price and boxes." for part in ROSTERS},
    **{part: "Firefights, Campaign Points, deployment, goals." for part in CARDS},
    MAP: "Which sectors share a border, and which touch an edge.",
}


def list_content_parts(volume: ContentVolume) -> list[dict[str, object]]:
    """Every part with how much of it is whose, and what is wrong with it."""
    return [
        {
            "name": part,
            "title": checked.title,
            "summary": SUMMARIES[part],
            "rows": sum(map(any, checked.sheet.rows)) if part not in CARDS else 0,
            "flaws": checked.to_mend,
            "typed": part in volume.changed,
            "left_out": part in CARDS and not checked.raw,
            **_whose(checked),
        }
        for part, checked in volume.whole.parts().items()
    ]


def _whose(checked: CheckedSheet) -> dict[str, object]:
    letters = "".join(checked.marks)
    counted = {word: letters.count(letter) for letter, word in LETTERS.items() if letters.count(letter)}
    return {"provenance": next((word for word in MODESTY if word in counted), "owner"), "mixed": counted}


def list_hints(part: str, layout: RecordsLayout) -> list[str]:
    """How the cells of a part are written."""
    general = ["Each border stands twice, once for each of its sectors"] if part == MAP else []
    return general + [f"{column.title}: {column.hint}" for column in layout.columns if column.hint]


def list_suggestions(volume: ContentVolume, part: str) -> dict[str, list[str]]:
    """What the suggestions search, by the name of the list."""
    if part in ROSTERS:
        return {"counters": [counter.name for counter in volume.whole.kinds[ROSTERS[part]].values()]}
    if part in CARDS:
        kinds, rosters = volume.whole.kinds, volume.whole.rosters
        return {
            f"at-start-{side.value}": [*rosters[side].groups, *(counter.name for counter in kinds[side].values())]
            for side in Side
        }
    return {}


def columns_that_suggest(layout: RecordsLayout) -> str:
    """Which columns of a sheet search which list, as its page needs it."""
    return " ".join(f"{place}:{column.suggests}" for place, column in enumerate(layout.columns) if column.suggests)


def card_form(checked: CheckedSheet, volume: ContentVolume) -> Json:
    """A card as a form: its fields in groups, each by the place of its cell."""
    fields = card.card_fields({side: Names(side, {}) for side in Side})
    bad = {flaw.place for flaw in checked.flaws}
    rows = [
        {
            "at": f"{row}-1",
            "title": field.title.partition(": ")[2] or _plain_title(field.title),
            "label": field.title,
            "text": text,
            "choices": _offer_choices(field, text),
            "digits": field.is_digits,
            "hint": field.hint,
            "suggests": field.suggests,
            "letter": checked.marks[row - 1][1],
            "bad": (row, 1) in bad,
            "wide": field.name.rpartition(".")[2] in _WIDE,
        }
        for row, (field, (_, text)) in enumerate(zip(fields, checked.sheet.rows, strict=True), 1)
    ]
    head = next(place for place, field in enumerate(fields) if field.name.startswith(f"{next(iter(Side))}."))
    sides = [(side.word, rows[head + 6 * n : head + 6 * n + 6]) for n, side in enumerate(Side)]
    first_goal = head + 12
    goals = [
        (f"Goal {goal + 1}", rows[first_goal + 8 * goal : first_goal + 8 * goal + 8]) for goal in range(card.MOST_GOALS)
    ]
    filled = max((n for n, (_, of_goal) in enumerate(goals, 1) if any(row["text"] for row in of_goal)), default=0)
    return {
        "rows": rows,
        "card": rows[:head],
        "sides": sides,
        "goals": goals[: filled + 1],
        "more_goals": goals[filled + 1 :],
        "sectors": " ".join(map(str, volume.whole.sector_map.neighbours)),
    }


_WIDE = ("name", "draw", "orders", "deployment", "at_start", "sectors", "any_of")


def _plain_title(title: str) -> str:
    for side in Side:
        title = title.removeprefix(f"{side.word} ")
    return capitalize(title)


def _offer_choices(field: Column, text: str) -> list[tuple[str, str]]:
    """What a field offers; what was typed stays one of the choices, whatever it is."""
    if not field.choices:
        return []
    offered = [(field.write(value) if value else "", word) for value, word in field.choices.items()]
    if all(value for value, _ in offered):
        offered.insert(0, ("", "–"))
    values = [value for value, _ in offered]
    if field.name == card.IN_PLAY:
        offered, values = [("yes", "yes"), ("no", "no")], ["yes", "no"]
    return offered if text in values else [*offered, (text, text)]


def map_rows(volume: ContentVolume) -> Json:
    """What the page of the map shows besides its sheet."""
    sector_map, drawing = volume.whole.sector_map, volume.base.data["map"].get("drawing")
    return {
        "sectors": sorted(sector_map.neighbours),
        "borders": sum(map(len, sector_map.neighbours.values())) // 2,
        "is_drawn": sector_map.is_drawn,
        "troubles": () if sector_map.is_drawn else tell_why_undrawn(volume.whole.part(MAP).raw, drawing),
    }


# Counters as they are typed


def picture_marks(sheet: Sheet) -> str:
    """A word for each row that changes with its texts, so that a page knows which pictures to fetch again."""
    return " ".join(hashlib.sha256("\t".join(row).encode()).hexdigest()[:8] for row in sheet.rows)


def counter_of_row(sheet: Sheet, row: int) -> tuple[Side, Counter] | None:
    """The counter of a row as far as it can be read; None where there is none."""
    entry = counters.find_row_counter(sheet, row) if 1 <= row <= len(sheet.rows) else None
    if entry is None:
        return None
    side, key, values = entry
    values = {"kind": CounterKind.MARKER.value, "count": 0, **values, "name": values.get("name", "?")[:40]}
    raw = {"game": GAME, "name": "one", "provenance": "owner", side: {key: values}}
    kinds, _ = read_counters({**{either.value: {} for either in Side}, **raw})
    counter = kinds[Side(side)].get(key)
    return (Side(side), counter) if counter else None
