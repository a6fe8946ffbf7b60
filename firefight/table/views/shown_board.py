"""The board as its page shows it: what lies there, as far as this browser may know, and where a press decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.urls import reverse

from firefight.drawing.board import outline_board
from firefight.engine.board.board import EMPTY, Board, BoardView, Outline, PlaceView, digest_board, tell_place
from firefight.engine.course.conducting import Choice
from firefight.table.act.table import Table
from firefight.table.board.record_rules import situation_of

from .shown_step import ShownStep


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of the board. ``number``: among the board's; ``choices``: what may be decided there now.

    ``link``: where a tap leads on a board that is only for viewing.
    """

    name: str
    number: int
    sentence: str
    view: PlaceView
    choices: Sequence[Choice] = ()
    link: str = ""

    @property
    def words(self) -> str:
        """What lies there, without its name."""
        return self.sentence.removeprefix(f"{self.name}, ")

    @property
    def label(self) -> str:
        """What a press there decides, and what lies there: "To 24: urban, 3 blocks"."""
        title = self.choices[0].title
        return f"{title}: {self.words if title.endswith(self.name) else self.sentence}"

    @property
    def ids(self) -> list[str]:
        """The counters that lie there, to be selected on the table."""
        return [counter_id for stack in self.view.stacks for counter_id in stack.ids]

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there, no matter who holds it."""
        return not (self.view.stacks or self.view.marks)

    @property
    def is_chosen(self) -> bool:
        """Whether it is the place being looked at."""
        return Outline.CHOSEN in self.view.outlines


@dataclass(frozen=True, slots=True)
class BoardAddresses:
    """The addresses of a board's drawing, its places' style sheet, and its words; "" where its own page has them."""

    drawing: str
    style: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board as one browser may know it. ``happened``: the number of the place of the newest event.

    ``places``: all, by name; ``lit``: those where one press decides; ``occupied``: those where something lies;
    ``tinted``: those with nothing but a tint; ``linked``: those where a tap leads elsewhere.
    """

    board: Board
    addresses: BoardAddresses
    status: Sequence[str]
    places: Mapping[str, ShownPlace]
    happened: int | None = None

    @property
    def linked(self) -> list[ShownPlace]:
        """Where a tap leads elsewhere."""
        return [place for place in self.places.values() if place.link]

    @property
    def outlined(self) -> list[tuple[str, str]]:
        """The outlines, drawn above everything else, each with its class and its corners."""
        cells = outline_board(self.board).cells
        return [
            (outline.name.lower().replace("_", "-"), " ".join(f"{x:.0f},{y:.0f}" for x, y in cells[place.name]))
            for outline in Outline
            for place in self.places.values()
            if outline in place.view.outlines
        ]

    @property
    def is_whole(self) -> bool:
        """Whether a phone has room for all of it."""
        return outline_board(self.board).is_whole

    @property
    def view_box(self) -> str:
        outlines = outline_board(self.board)
        return f"0 0 {outlines.width:.0f} {outlines.height:.0f}"

    @property
    def lit(self) -> list[ShownPlace]:
        """Where a press decides by itself."""
        return [place for place in self.places.values() if len(place.choices) == 1]

    @property
    def occupied(self) -> list[ShownPlace]:
        """Where something lies, or where there is more than one choice."""
        return [place for place in self.places.values() if not place.is_empty or len(place.choices) > 1]

    @property
    def tinted(self) -> list[ShownPlace]:
        """Where nothing lies, but a side holds the place or sides fight for it."""
        views = ((place, place.view) for place in self.places.values())
        return [place for place, view in views if (view.held_by or view.is_contested) and place.is_empty]


def find_board(table: Table) -> Board | None:
    """What is printed on the board of a match; None for one that is played without a board."""
    rules = table.game.board
    return rules.lay_board(situation_of(table.match, table.sees)) if rules else None


def present_board(table: Table, step: ShownStep | None) -> ShownBoard | None:
    """The board of a match as this browser may know it, with the choices of ``step`` in their places."""
    rules = table.game.board
    if rules is None:
        return None
    situation = situation_of(table.match)
    board = rules.lay_board(situation_of(table.match, table.sees))
    if board is None:
        return None
    view = rules.view_board(situation, table.sees)
    offered = _group_choices(step.choices if step and table.plays else ())
    places = show_places(board, view, table.game.sides, offered)
    newest = next((event.place for event in reversed(step.events if step else ()) if event.place in places), "")
    happened = places[newest].number if newest else None
    match, digest = table.match.pk, digest_board(board)
    drawing, style = (reverse(f"firefight:board-{form}", args=[match, digest]) for form in ("svg", "css"))
    words = "#in-words" if table.game.board_apart else reverse("firefight:board", args=[match])
    return ShownBoard(board, BoardAddresses(drawing, style, words), view.status, places, happened)


def show_places(
    board: Board,
    view: BoardView,
    sides: Mapping[str, str],
    choices: Mapping[str, Sequence[Choice]] = MappingProxyType({}),
    links: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, ShownPlace]:
    """The places of a board with what lies there. ``sides``: their names; ``choices`` and ``links``: by place."""
    places = {}
    for number, place in enumerate(board.places):
        name, view_there = place.name, view.places.get(place.name, EMPTY)
        sentence = tell_place(place, view_there, sides)
        places[name] = ShownPlace(name, number, sentence, view_there, choices.get(name, ()), links.get(name, ""))
    return places


def _group_choices(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Choices by the place that they name."""
    grouped: dict[str, list[Choice]] = {}
    for choice in choices:
        if choice.place:
            grouped.setdefault(choice.place, []).append(choice)
    return grouped
