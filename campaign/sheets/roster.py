"""Roster sheets: each Reinforcement Group in its box, with check boxes for both campaigns (20.3.2, 20.3.3)."""

from collections import Counter as Tally
from collections.abc import Callable, Iterator
from functools import partial

from campaign.presenters.roster import list_groups_in_hand
from campaign.rules.cards import Card
from campaign.rules.rosters import Group
from firefight.drawing.paper import GREY, Paper
from firefight.games.combat_stalingrad.pictures.counters import draw_counter
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.sides import Side

from .blocks import (
    SMALL,
    WRITING,
    Beside,
    Block,
    Heading,
    Paragraph,
    Piece,
    Pieces,
    Space,
    Stack,
    TableRow,
    Ticks,
    boxes,
    flow,
)
from .printing import Printing, describe_provenance

COLUMNS = 3
AT_ONCE, LINES = 9, 6  # counters of one box, lines for purchases


def draw_roster_sheet(printing: Printing, side: Side) -> Paper:
    """The roster of a side. ``printing`` holds only what its reader may know."""
    roster = printing.content.rosters[side]
    groups = roster.groups.values()
    usual = Tally(group.origin.provenance for group in groups).most_common(1)[0][0]
    sentences = ["A box for each time that a group can be bought; crossed out: bought.", describe_provenance([usual])]
    if any(group.origin.others or group.origin.provenance != usual for group in groups):
        sentences.append("What comes from elsewhere says so.")
    paper = printing.begin(f"{side.word} roster", sentences)
    bought = printing.ledger.bought(side) if printing.ledger else {}
    makers = [partial(group_box, printing, side, group, usual, bought.get(group.id, 0)) for group in groups]
    group_boxes = [_fit_box(paper, make_box) for make_box in makers]
    flow(paper, [*group_boxes, *_endings(paper, printing, side, usual)], COLUMNS)
    return paper


def _fit_box(paper: Paper, make_box: Callable[..., Stack]) -> Stack:
    """A group's box. Its notes are smaller if it would be higher than a page, since somebody typed a lot."""
    box = make_box()
    return box if box.height(paper, paper.epw) <= paper.bottom - paper.t_margin else make_box(notes=6.5)


def group_box(printing: Printing, side: Side, group: Group, usual: str, bought: int, notes: float = SMALL) -> Stack:
    """One group with all that its line of the roster says.

    ``usual``: the provenance that is not mentioned here. ``bought``: how many of its boxes are ticked. ``notes``: their
    size in points.
    """
    parts: list[Block] = [
        Heading(group.id, group.unit, f"{group.cp} CP"),
        Paragraph(" · ".join(_kind(group)), ink=GREY),
    ]
    parts.append(Space(0.8))
    pieces = Pieces(tuple(_draw_pieces(printing, side, group)))
    words = [Paragraph(note, notes) for note in _notes(printing, side, group)]
    beside: tuple[Block, ...] = (*_draw_boxes(printing, group, bought), *words)
    if len(pieces.items) == 1:  # its words stand beside it, which takes less room
        ((drawing, number, name),) = pieces.items
        pieces, beside = Pieces(((drawing, "", ""),)), (Paragraph(f"{number} {name}", bold=True), *beside)
    parts += (Beside(pieces, beside),) if pieces.items else beside
    if group.origin.provenance != usual:
        parts.append(Paragraph(_SOURCES[group.origin.provenance], ink=GREY))
    for other, names in group.origin.in_words.items():
        parts.append(Paragraph(f"{_SOURCES[other]}: {names}", ink=GREY))
    return Stack(tuple(parts))


_SOURCES = {"text": "From the rulebook's text", "house": "House values", "owner": "From an owner's copy"}


def _kind(group: Group) -> Iterator[str]:
    yield group.type.word
    if group.caliber:
        yield f"{group.caliber} mm"
    if group.plotted:
        yield "plotted"
    if group.arrival:
        yield f"arrives on {group.arrival} or less"
    if group.leader:
        yield "leader roll"


def _draw_pieces(printing: Printing, side: Side, group: Group) -> Iterator[Piece]:
    """The counters, with how many; for a mix, with the dice that bring each."""
    counters = printing.content.counters[side]
    for key, number in group.contents.items():
        yield draw_counter(counters[key], side), f"× {number}", counters[key].name
    if group.mix is None:
        return
    for key in group.mix.kinds:
        faces = [str(band).replace("-", "–") for band in group.mix.bands.bands if band.value == key]
        yield draw_counter(counters[key], side), ", ".join(faces), counters[key].name


def _draw_boxes(printing: Printing, group: Group, bought: int) -> Iterator[Ticks]:
    """The check boxes of both campaigns; those of the one that is not played are pale."""
    for card in printing.content.cards.values():
        is_ours = printing.card is card
        yield Ticks(card.label, group.boxes[card.id], bought if is_ours else 0, is_ours or printing.card is None)


def _notes(printing: Printing, side: Side, group: Group) -> Iterator[str]:
    if group.mix:
        yield f"{group.mix.number} counters, a d{group.mix.bands.sides} each."
    if group.bonus_cp is not None:
        yield f"+2 on the roll for the Attacker: {group.bonus_cp} CP more."
    if group.times:
        yield f"For {' and '.join(group.times)} only."
    yield from group.notes
    at_start = {card.label: card.forces[side].groups.get(group.id) for card in printing.cards}
    numbers = [
        f"{label} {number}" if printing.card is None else str(number) for label, number in at_start.items() if number
    ]
    if numbers:
        yield f"At start, without a box: {', '.join(numbers)}."


# What follows the groups


def _endings(paper: Paper, printing: Printing, side: Side, usual: str) -> Iterator[Block]:
    singles = [line for card in printing.cards if (line := _singles(printing, card, side))]
    if singles:
        yield Stack((Heading("", "Single counters at start"), *map(Paragraph, singles)))
    yield _points(printing, side)
    yield from boxes(
        paper,
        Heading("", "Groups in hand" if printing.ledger else "Purchases"),
        _list_groups_in_hand(printing, side),
        COLUMNS,
    )
    yield from _counters(printing, side, usual)


def _list_groups_in_hand(printing: Printing, side: Side) -> Iterator[Block]:
    """The groups that a side has, the oldest first; in pencil play, room to write them down."""
    if printing.ledger is None:
        shares = (1, 2, 2, 3)
        yield TableRow(("ID", "before", "leader", "notes"), shares, bold=True)
        yield from [TableRow((" ", " ", " ", " "), shares, least=WRITING)] * LINES
        return
    for group in reversed(list_groups_in_hand(printing.ledger, side)):
        words = " · ".join(filter(None, [", ".join(map(str, group.piles)), group.location, group.origin]))
        yield Stack((Paragraph(group.title, bold=True), Paragraph(words)), framed=False)  # no title ends a box


def _singles(printing: Printing, card: Card, side: Side) -> str:
    names = printing.content.counters[side]
    singles = ", ".join(f"{number} × {names[key].name}" for key, number in card.forces[side].counters.items())
    return f"{card.label}: {singles}" if singles else ""


def _points(printing: Printing, side: Side) -> Stack:
    """Campaign Points by firefight; in pencil play, room for them."""
    shares = (2.4, 1.6, 1.4, 1.2)
    rows = [TableRow(("Before", "received", "spent", "left"), shares, bold=True)]
    totals = []
    for card in printing.cards:
        forces = card.forces[side]
        totals.append(Paragraph(f"{card.label}: {forces.cp} at first, later {forces.reinforcement}"))
        for number, time in enumerate(card.times, start=1):
            name = str(time) if printing.card else f"{card.label} {time}"
            rows.append(TableRow((name, *_list_sums(printing, side, number)), shares, least=WRITING))
    return Stack((Heading("", "Campaign Points"), *totals, *rows))


def _list_sums(printing: Printing, side: Side, firefight: int) -> tuple[str, str, str]:
    """CP received, spent and left for a firefight, as far as they are known."""
    ledger = printing.ledger
    if ledger is None or firefight > ledger.campaign.firefight:
        return "", "", ""
    lines = ledger.lines[side].values()
    own_lines = [line for line in lines if line.firefight == firefight]
    spent = -sum(line.amount for line in own_lines if line.group or line.seal)
    received = sum(line.amount for line in own_lines) + spent
    cp_left = sum(line.amount for line in lines if line.firefight <= firefight)
    return str(received), str(spent), str(cp_left)


def _counters(printing: Printing, side: Side, usual: str) -> Iterator[Stack]:
    """What the counters are worth, and how many the box holds, or still holds (20.8.1); in several boxes."""
    counters_left = printing.ledger.left_in_box(side) if printing.ledger else {}
    shares = (4.3, 1.4, 1.4, 1.05, 1.7 if counters_left else 1.2)
    head = TableRow(("Counter", "FF", "CCV", "TQ", "left" if counters_left else "box"), shares, bold=True)
    counters = printing.content.counters[side]
    rows = [
        TableRow(
            (counter.name, _firepower(counter), _write_known(counter.ccv), _write_known(counter.tq), count),
            shares,
            least=4.2,
        )
        for key, counter in counters.items()
        for count in (f"{counters_left[key]}/{counter.count}" if counters_left else str(counter.count),)
    ]
    # Not repeated where they are the same as the head of the sheet says for the groups.
    origins = describe_provenance({counter.origin.provenance for counter in counters.values()} - {usual})
    title = Heading("", "Counters in the box")
    for first in range(0, len(rows), AT_ONCE):
        words = [Paragraph(origins, ink=GREY)] if origins and not first else []
        yield Stack((title, *words, head, *rows[first : first + AT_ONCE]))
        title = Heading("", "Counters in the box", "goes on")


def _firepower(counter: Counter) -> str:
    return _write_known(counter.ff) + (f" ({counter.half_ff})" if counter.half_ff else "")


def _write_known(value: int | None) -> str:
    return "–" if value is None else str(value)
