"""A chart book as pages of play-aid cards: black on white, in columns, each chart with its rule and its provenance."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from firefight.drawing.paper import Format, Paper
from firefight.engine.values import Values

COLUMNS, GUTTER = 3, 4  # mm between columns
BELOW = 2  # mm below a card in a column
PAD = 1.5  # mm around a card's words
TITLE, WORDS, SMALL = 10, 9, 9  # points
WIDE = 8  # columns of a table from which it takes the whole breadth
RULED, FAINT = 0.78, 170  # a row's rule: this share of a line above its baseline, and its level of grey
LEGEND = (
    "text: the rulebook's text gives it. house: ours, fitted to the text, not the published chart; "
    "* marks such values among others. owner: typed in from somebody's own copy."
)

Card = Values


@dataclass(frozen=True, slots=True)
class Spacing:
    """How close a book is set, in mm: from one line to the next, and below a card of the whole breadth."""

    line: float
    below: float


LOOSE, CLOSE = Spacing(4.1, 4), Spacing(3.6, 2)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card broken into lines for a column of a width in mm."""

    card: Card
    line: float
    width: float
    title: list[str]
    source: list[str]
    rows: list[list[list[str]]]
    widths: list[float]

    @property
    def height(self) -> float:
        """In mm, the frame included."""
        lines = len(self.title) + len(self.source) + sum(max(map(len, row)) for row in self.rows)
        return lines * self.line + 2 * PAD + 1


def draw_book(cards: Sequence[Card], name: str, game: str, size: Format, printed: datetime) -> bytes:
    """The whole book as a PDF: wide tables over the whole breadth, the rest in three columns.

    It is set close where that saves a page.
    """
    loose = _set_book(cards, name, game, size, printed, LOOSE)
    if len(loose.pages) == 1:
        return loose.bytes()
    close = _set_book(cards, name, game, size, printed, CLOSE)
    return (close if len(close.pages) < len(loose.pages) else loose).bytes()


def _set_book(cards: Sequence[Card], name: str, game: str, size: Format, printed: datetime, spacing: Spacing) -> Paper:
    paper = Paper(f"{name}, {game}", f"{name}, {game}", size, printed)
    paper.add_page()
    paper.heading(name)
    for line in paper.wrapped(LEGEND, paper.epw, SMALL):
        paper.put(paper.l_margin, paper.y + 3, line, SMALL)
        paper.y += 3.9
    paper.y += 1
    room = paper.bottom - paper.y  # what fits below the heading fits anywhere
    width = (paper.epw - (COLUMNS - 1) * GUTTER) / COLUMNS
    wide = [card for card in cards if len(card["head"]) > WIDE or card["head"] and breaks_words(paper, card, width)]
    for card in wide:
        for laid in split_card(lay_out_card(paper, card, paper.epw, spacing.line), room):
            paper.make_room(laid.height)
            draw_chart_card(paper, laid, paper.l_margin, paper.y)
            paper.set_y(paper.y + laid.height + spacing.below)
    narrow = [lay_out_card(paper, card, width, spacing.line) for card in cards if card not in wide]
    fill_columns(paper, [part for laid in narrow for part in split_card(laid, room)], width)
    return paper


def breaks_words(paper: Paper, card: Card, width: float) -> bool:
    """Whether a table's words would not stay whole in a column."""
    laid = lay_out_card(paper, card, width)
    texts = [[printed_text(cell, card) for cell in row] for row in columns_of(card)]
    return any(
        paper.length(word, WORDS, bold=not place) > share - 1
        for row in texts
        for place, (text, share) in enumerate(zip(row, laid.widths, strict=True))
        for word in text.split()
    )


def split_card(laid: Laid, room: float) -> list[Laid]:
    """A card as it is, or one that is taller than a page in parts that are not, each with the names of its columns."""
    head = laid.rows[: bool(laid.card["head"])]
    parts = [replace(laid, rows=head)]
    for row in laid.rows[len(head) :]:
        longer = replace(parts[-1], rows=[*parts[-1].rows, row])
        if longer.height > room and parts[-1].rows != head:
            parts.append(replace(laid, title=[*laid.title, "continued"], rows=[*head, row]))
        else:
            parts[-1] = longer
    return parts


def fill_columns(paper: Paper, laid: list[Laid], width: float) -> None:
    """Put each card where its column is shortest; a new page once it fits in none."""
    tops = [paper.y] * COLUMNS
    for card in laid:
        place = tops.index(min(tops))
        if tops[place] + card.height > paper.bottom:
            paper.add_page()
            tops, place = [paper.y] * COLUMNS, 0
        draw_chart_card(paper, card, paper.l_margin + place * (width + GUTTER), tops[place])
        tops[place] += card.height + BELOW


def lay_out_card(paper: Paper, card: Card, width: float, line: float = LOOSE.line) -> Laid:
    """Break a card's words into lines."""
    inner = width - 2 * PAD
    origin_line = f"{card['rule']} · {card['provenance']}"
    if card["mixed"]:
        origin_line += f" ({', '.join(f'{number} {word}' for word, number in card['mixed'].items())})"
    if card["unknown"]:
        origin_line += f". Nothing is known of {card['unknown']}."
    texts = [[printed_text(cell, card) for cell in row] for row in columns_of(card)]
    widths = column_widths(paper, texts, inner)
    rows = [
        [
            paper.wrapped(text, share - 1, WORDS, bold=not place) or [""]
            for place, (text, share) in enumerate(zip(row, widths, strict=True))
        ]
        for row in texts
    ]
    title, source = paper.wrapped(card["title"], inner, TITLE, bold=True), paper.wrapped(origin_line, inner, SMALL)
    return Laid(card, line, width, title, source, rows, widths)


def columns_of(card: Card) -> list[list[Mapping[str, str]]]:
    """The rows to print: the head if there is one; of modifiers the name and the value."""
    if card["kind"] == "choices":
        return [row[:2] for row in card["rows"]]
    head = [[{"text": name, "origin": ""} for name in card["head"]]] if card["head"] else []
    return [*head, *card["rows"]]


def printed_text(cell: Mapping[str, str], card: Card) -> str:
    """A cell's text; what is ours among other people's values has a star."""
    return cell["text"] + ("*" if card["mixed"] and cell["origin"] == "house" else "")


def column_widths(paper: Paper, texts: list[list[str]], inner: float) -> list[float]:
    """Each column as wide as its longest word, the first as its longest line where there is room."""
    columns = list(zip(*texts, strict=True)) or [()]
    most = 2 * inner / len(columns)  # one long word leaves the others their room
    words = [min(_longest(paper, (word for text in column for word in text.split())) + 2, most) for column in columns]
    whole = _longest(paper, columns[0]) + 3
    words[0] = max(words[0], min(whole, inner - sum(words[1:])))
    if len(words) == 1 or sum(words) > inner:
        return [inner * width / sum(words) for width in words]
    share = (inner - sum(words)) / (len(words) - 1)
    return [words[0], *(width + share for width in words[1:])]


def _longest(paper: Paper, texts: Iterable[str]) -> float:
    return max((paper.length(text, WORDS, bold=True) for text in texts), default=0)


def draw_chart_card(paper: Paper, laid: Laid, x: float, y: float) -> None:
    """Draw a card with its frame, its upper left corner at a point."""
    paper.set_line_width(0.2)
    paper.set_draw_color(0)
    paper.rect(x, y, laid.width, laid.height)
    left, base = x + PAD, y + PAD + laid.line * 0.8
    for line in laid.title:
        paper.put(left, base, line, TITLE, bold=True)
        base += laid.line
    for line in laid.source:
        paper.put(left, base, line, SMALL)
        base += laid.line
    base += 0.6
    paper.set_draw_color(FAINT)
    for row in laid.rows:
        paper.line(x + 0.2, base - RULED * laid.line, x + laid.width - 0.2, base - RULED * laid.line)
        at = left
        for place, (lines, width) in enumerate(zip(row, laid.widths, strict=True)):
            for number, line in enumerate(lines):
                paper.put(at, base + number * laid.line, line, WORDS, bold=not place)
            at += width
        base += laid.line * max(map(len, row))
