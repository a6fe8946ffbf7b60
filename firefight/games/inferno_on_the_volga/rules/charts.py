"""The charts of the book: the text's own tables, to be looked at; a book that differs does not fit this game."""

from collections.abc import Callable, Iterable, Mapping

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix, Problem
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.rolls.result import Source, sources

from .cards import find_value
from .combat import Fight, list_steps
from .fire import find_need, find_order
from .levels import ADVANTAGES
from .soviet_side import Ahead, list_spawning, read_die
from .tables import (
    GERMAN_DECK,
    SOVIET_DECK,
    SOVIET_DICE,
    SPAWN_ORDER,
    Fire,
    GermanCard,
    Kind,
    Side,
    SovietCard,
    Terrain,
)

Cells = Mapping[tuple[str, str], str]


def _say(holds: bool) -> str:
    return "yes" if holds else "no"


def _list_hexes() -> Cells:
    cells = {}
    for terrain in Terrain:
        is_clear = terrain is Terrain.CLEAR
        cells[terrain.value, "Long_Move"] = _say(is_clear)
        cells[terrain.value, "Close_Combat"] = find_order(terrain).value
        cells[terrain.value, "with_the_bonus"] = find_order(terrain, bonus=is_clear).value
        cells[terrain.value, "Rubble_Roll"] = _say(terrain is Terrain.URBAN)
        cells[terrain.value, "Hoth"] = _say(is_clear)
    return cells


def _list_fire() -> Cells:
    return {
        (fire.value, column): str(find_need(fire, khrushchev=bonus > 0, fortified=bonus > 1))
        for fire in Fire
        for bonus, column in enumerate(("hits_from", "with_one_bonus", "with_both"))
    }


def _list_spawns() -> Cells:
    marks = {(Kind.INFANTRY, Kind.TANK): "infantry+tank", (Kind.INFANTRY,): "infantry", (): "card"}
    return {
        (hex, column): marks[list_spawning(hex, units)]
        for hex in SPAWN_ORDER
        for column, units in (("room", 0), ("three_there", 3), ("full", 4))
    }


def _list_german_cards() -> Cells:
    cells = {}
    for card, copies in GERMAN_DECK.items():
        plain, doubled = find_value(card), find_value(card, richthofen=True)
        values = (copies, plain.dice, plain.rubble, doubled.dice, doubled.rubble)
        columns = ("copies", "dice", "Rubble", "dice_with_Von_Richthofen", "Rubble_with_him")
        cells.update({(card.value, column): str(value) for column, value in zip(columns, values, strict=True)})
    return cells


def _list_soviet_cards() -> Cells:
    return {
        (card.value, column): str(value)
        for card, copies in SOVIET_DECK.items()
        for column, value in (("copies", copies), ("dice", SOVIET_DICE.get(card, 0)))
    }


_EVERYTHING = {"soviet_card": True, "german_card": True, "chuikov": True, "hoth": True, "attacker_wins": True}
ATTACKS: Mapping[str, tuple[Side, bool]] = {
    "Deliberate": (Side.GERMAN, True),
    "Hasty": (Side.GERMAN, False),
    "Soviet": (Side.SOVIET, False),
}


def _list_all_steps() -> Cells:
    cells = {}
    for column, (attacker, deliberate) in ATTACKS.items():
        urban = list_steps(Fight(attacker, deliberate, Terrain.URBAN, **_EVERYTHING))
        clear = list_steps(Fight(attacker, deliberate, Terrain.CLEAR, **_EVERYTHING))
        for step in range(1, 14):
            words = {(True, True): "yes", (True, False): "urban", (False, True): "clear"}
            cells[str(step), column] = words.get((step in urban, step in clear), "no")
    return cells


def _list_advantages() -> Cells:
    return {
        (str(number), side.value): advantage.value
        for side in Side
        for number, advantage in enumerate(ADVANTAGES[side], 1)
    }


DIE_SITUATIONS: Mapping[str, tuple[int, int, int, Ahead, int]] = {  # in the order of the rules
    "same_face_on_another_die": (2, 2, 1, Ahead.OPEN, 0),
    "no_Unit_left": (2, 1, 0, Ahead.OPEN, 0),
    "no_playable_hex": (2, 1, 1, Ahead.NONE, 0),
    "Germans_there": (2, 1, 1, Ahead.GERMAN, 0),
    "a_single_1": (1, 1, 1, Ahead.OPEN, 0),
    "four_Soviets_there": (2, 1, 1, Ahead.OPEN, 4),
    "otherwise": (2, 1, 1, Ahead.OPEN, 0),
}


def _list_die() -> Cells:
    return {(name, "result"): read_die(*situation).value for name, situation in DIE_SITUATIONS.items()}


TEXT: Mapping[str, Callable[[], Cells]] = {
    "hexes": _list_hexes,
    "fire": _list_fire,
    "steps": _list_all_steps,
    "german_cards": _list_german_cards,
    "soviet_cards": _list_soviet_cards,
    "spawn": _list_spawns,
    "soviet_die": _list_die,
    "advantages": _list_advantages,
}


def as_the_text(chart: Matrix) -> Iterable[Problem]:
    """Where a chart differs from the text, whose tables leave nothing open."""
    for (row, column), word in TEXT[chart.name]().items():
        if chart.cells.get((row, column)) != word:
            yield Problem(chart.name, f"{row}, {column}", f"is {word} in the text")


def name_sources(book: Book, *names: str) -> tuple[Source, ...]:
    """Where the tables behind an answer come from."""
    return sources(book[name] for name in names)


OWN_CARD = Source("672nd_pioneer", "672nd Pioneer card", "owner")


_WORDS = {
    **{card.value: card.word for card in (*GermanCard, *SovietCard)},
    **{member.value: member.word for member in (*Terrain, *Fire)},
    "Long_Move": "Long Move",
    "Close_Combat": "Close Combat",
    "with_the_bonus": "with the Combined Force Bonus",
    "Rubble_Roll": "Rubble Roll",
    "hits_from": "hits from",
    "with_one_bonus": "with Khrushchev or a fortification",
    "with_both": "with both",
    "three_there": "three Units there",
}

SPECS: tuple[ChartSpec, ...] = tuple(ChartSpec(name, Matrix, constraints=(as_the_text,), names=_WORDS) for name in TEXT)
