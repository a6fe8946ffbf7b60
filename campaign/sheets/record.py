"""The record of a firefight on paper: turns, batteries, plots, aircraft, units that left or are hurt, reminders."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from campaign.ledger.ledger import Ledger
from campaign.models import Group, Seal
from campaign.presenters.sealed import list_seals
from campaign.presenters.units import group_units, name_group, say_standing
from campaign.rules.rosters import BATTERIES, GroupType
from campaign.rules.stages import Stage
from campaign.rules.upkeep import FIRST_CHECKED_TURN
from firefight.assistant import reminders as reference
from firefight.drawing.paper import GREY, INK, Paper
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN, TurnPhase
from firefight.models import LogEntry

from .blocks import (
    PLAIN,
    SMALL,
    THICK,
    THIN,
    WRITING,
    Block,
    Cell,
    Code,
    Heading,
    Paragraph,
    Space,
    Stack,
    TableRow,
    flow,
)
from .printing import Printing, describe_provenance, tell_party

HURT = (Mark.WOUNDED, Mark.WIA, Mark.M_KILLED, Mark.F_KILLED)
GONE = (Mark.EXITED, Mark.HELD)


def draw_record_sheet(printing: Printing) -> Paper:
    """The record: first what changes, then the reminders, without what its reader may not know."""
    origins = describe_provenance(card.origin.provenance for card in printing.cards)
    paper = printing.begin("Firefight record", [_attacker(printing.ledger), origins])
    track = Track(tuple(_turns(printing)))
    track.draw(paper, paper.l_margin, paper.y, paper.epw)
    paper.set_y(paper.y + track.height(paper, paper.epw) + 3)
    blocks = list(_fill_in(printing.ledger) if printing.ledger else _to_fill_in())
    flow(paper, blocks + ([_way_back(printing.way_back)] if printing.way_back else []), 2)
    reminders = list(_reminders())
    paper.make_room(90)
    paper.heading("Reminders", 11)
    flow(paper, reminders, 3, gap=0.8)
    if paper.page_no() > 1:
        _fill_page(paper)
    return paper


def _fill_page(paper: Paper) -> None:
    """Leave the rest of a page for the pencil."""
    lines = int((paper.bottom - paper.y - 14) / _NOTE)
    if lines > 2:
        flow(paper, [Stack((Heading("", "Notes"), Space(_NOTE, lines)))], 1)


def _attacker(ledger: Ledger | None) -> str:
    if ledger is None or not ledger.campaign.attacker:
        return ""
    return f"{Side(ledger.campaign.attacker).word} is the Attacker."


# Turns


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One box of the turn track. ``roll``: the End of Firefight roll, "" while there is none."""

    number: int
    ends: str
    roll: str
    standing: str  # done, now, next

    @property
    def is_rolled_for(self) -> bool:
        """Whether a die decides if it was the last."""
        return FIRST_CHECKED_TURN <= self.number < LAST_TURN


@dataclass(frozen=True, slots=True)
class Track:
    """The turn track: done turns are crossed out, the present one has a thick frame."""

    turns: tuple[TurnRow, ...]

    _HIGH = 27

    def height(self, paper: Paper, width: float) -> float:
        return self._HIGH

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        share = (width + 1.5) / len(self.turns)
        for place, turn in enumerate(self.turns):
            self._box(paper, turn, x + place * share, y, share - 1.5)

    def _box(self, paper: Paper, turn: TurnRow, x: float, y: float, width: float) -> None:
        paper.set_draw_color(INK)
        paper.set_line_width(3 * THICK if turn.standing == "now" else THICK)
        paper.rect(x, y, width, self._HIGH)
        paper.put(x + 2, y + 7, str(turn.number), 16, bold=True)
        if turn.standing == "done":
            paper.set_line_width(THICK)
            paper.line(x + width - 8, y + 2, x + width - 2, y + 8)
            paper.line(x + width - 8, y + 8, x + width - 2, y + 2)
        if turn.standing == "now":
            paper.put(x + width - 2, y + 6, "now", PLAIN, bold=True, anchor="end")
        Paragraph(turn.ends, SMALL).draw(paper, x + 2, y + 9, width - 4)
        if turn.is_rolled_for:
            paper.put(x + 2, y + self._HIGH - 2, f"roll {turn.roll}", PLAIN, bold=bool(turn.roll))
        if turn.is_rolled_for and not turn.roll:
            paper.set_line_width(THIN)
            paper.line(x + 8, y + self._HIGH - 2, x + width - 2, y + self._HIGH - 2)


def _turns(printing: Printing) -> Iterator[TurnRow]:
    ledger = printing.ledger
    rolls = end_rolls(ledger) if ledger else {}
    is_on = ledger is not None and ledger.stage is Stage.FIREFIGHT
    present_turn = ledger.match.state.turn if ledger and (is_on or _was_fought(ledger)) else 0
    for number in range(1, LAST_TURN + 1):
        standing = "now" if is_on and number == present_turn else "done" if number <= present_turn else "next"
        yield TurnRow(number, _ends(printing, number), str(rolls.get(number, "")), standing)


def _was_fought(ledger: Ledger) -> bool:
    """Whether the firefight is over; one in which nobody attacked was never fought."""
    return ledger.stage is Stage.OVER or (ledger.stage is Stage.REORGANIZATION and bool(ledger.campaign.attacker))


def _ends(printing: Printing, turn: int) -> str:
    """What ends the firefight after a turn (20.2.4)."""
    if turn == LAST_TURN:
        return "the last"
    numbers = {card.label: card.end_numbers[turn] for card in printing.cards if turn in card.end_numbers}
    return "; ".join(f"{f'{label}: ' if len(numbers) > 1 else ''}above {n} ends it" for label, n in numbers.items())


def end_rolls(ledger: Ledger) -> Mapping[int, int]:
    """The End of Firefight rolls so far, by turn: lines of the log that both sides read. One query."""
    lines = LogEntry.objects.filter(
        match=ledger.match, kind=LogEntry.Kind.LEDGER, voided_by=None, inputs__firefight=ledger.campaign.firefight
    )
    return {line.inputs["turn"]: line.rolls[0].face for line in lines if line.rolls and "turn" in line.inputs}


_NOTE = 6.6  # mm between lines for the pencil
# What changes

_BATTERY = (("Battery", "mm", "FFE", "out"), (5.5, 1.3, 0.9, 0.9))
_PLOT = (("Battery", "hex", "or hex", "turn", "used"), (4.2, 1.3, 1.3, 1, 1))
_PLANE = (("Aircraft", "arrives on", "left", "over the map", "gone"), (4.2, 1.6, 0.9, 1.4, 1))


def _table(
    title: str, kind: tuple[tuple[str, ...], tuple[float, ...]], rows: Iterable[tuple[Cell, ...]], empty: str
) -> Stack:
    head, shares = kind
    table_rows = [TableRow(cells, shares, least=WRITING) for cells in rows]
    parts = [TableRow(head, shares, bold=True), *table_rows] if table_rows else [Paragraph(empty, ink=GREY)]
    return Stack((Heading("", title), *parts))


def _fill_in(ledger: Ledger) -> Iterator[Block]:
    batteries = [_battery(ledger, group) for group in _groups(ledger, *BATTERIES)]
    yield _table("Batteries", _BATTERY, batteries, "none")
    yield from _list_sealed(ledger)
    planes = [_plane(ledger, group) for group in _groups(ledger, GroupType.AIRCRAFT)]
    yield _table("Aircraft", _PLANE, planes, "none")
    nests = [Paragraph(_describe_nest(ledger, group)) for group in _groups(ledger, GroupType.NEST)]
    if nests:
        yield Stack((Heading("", "Fanatic Resistance Nests"), *nests))
    yield _units("Left the map by their own edge", ledger, GONE)
    yield _units("Wounded leaders, damaged vehicles", ledger, HURT)
    yield Stack((Heading("", "Notes"), Space(6, 5)))


def _groups(ledger: Ledger, *types: GroupType) -> list[Group]:
    """Groups of both sides that were not given back: purchases are open."""
    return [group for side in Side for group in ledger.list_groups(side, *types)]


def _title(ledger: Ledger, group: Group | None) -> str:
    return f"{Side(group.side).word} {name_group(ledger, group)}" if group else ""


def _battery(ledger: Ledger, group: Group) -> tuple[Cell, ...]:
    roster_line = ledger.roster_line(group)
    has_fired = group.mark == Group.Sign.FFE or group.standing == Group.Standing.USED_UP
    plotted = ", plotted" if roster_line.plotted else ""
    is_out = group.standing in (Group.Standing.LOST, Group.Standing.USED_UP)
    return f"{_title(ledger, group)}{plotted}", str(roster_line.caliber), has_fired, is_out


def _plane(ledger: Ledger, group: Group) -> tuple[Cell, ...]:
    arrival, planes_left = f"{ledger.roster_line(group).arrival} or less", str(len(ledger.units_of(group)))
    is_here, is_gone = group.mark == Group.Sign.HERE, group.standing != Group.Standing.IN_PLAY
    return _title(ledger, group), arrival, planes_left, is_here, is_gone


def _describe_nest(ledger: Ledger, group: Group) -> str:
    """A nest, where it is and how it stands."""
    return ", ".join(filter(None, [_title(ledger, group), group.building, say_standing(ledger, group)]))


def _list_sealed(ledger: Ledger) -> Iterator[Block]:
    """Plots and off-map observers of this firefight: the reader's own, and what was opened."""
    seals = [seal for side in Side for seal in list_seals(ledger, side) if seal.firefight == ledger.campaign.firefight]
    plots = [_plot(ledger, seal) for seal in seals if seal.kind == Seal.Kind.PLOT]
    yield _table("Plots", _PLOT, plots, "none that is known of")
    observers = [seal for seal in seals if seal.kind == Seal.Kind.OBSERVER]
    if observers:
        hexes = [f"{Side(seal.side).word}: hex {seal.observer.hex}" for seal in observers]
        yield Stack((Heading("", "Off-map observers"), *map(Paragraph, hexes)))


def _plot(ledger: Ledger, seal: Seal) -> tuple[Cell, ...]:
    first, second = seal.plot.hexes
    return _title(ledger, seal.group), first, second, str(seal.plot.turn), seal.standing == Seal.Standing.OPEN


def _units(title: str, ledger: Ledger, marks: Iterable[Mark]) -> Stack:
    """Units with one of these marks."""
    parts: list[Block] = []
    for side in Side:
        marked = [unit for unit in ledger.in_play(side) if set(marks) & set(unit.marks)]
        for party in group_units(ledger, marked):
            place = f" – {party.location}" if party.location else ""
            parts.append(Paragraph(f"{side.word} {tell_party(party)}{place}"))
    return Stack((Heading("", title), *(parts or [Paragraph("nobody", ink=GREY)])))


def _way_back(address: str) -> Stack:
    words = "Opens your seat on another device, once. Show it to nobody: who has it can take your seat."
    return Stack((Heading("", "Your way back"), Code(address), Paragraph(words), Paragraph(address, ink=GREY)))


# For the pencil


def _to_fill_in() -> Iterator[Block]:
    for side in Side:
        yield _table(f"Batteries, {side.word}", _BATTERY, [(" ", " ", False, False)] * 5, "")
    yield _table("Plots", _PLOT, [(" ", " ", " ", " ", False)] * 5, "")
    yield _table("Aircraft", _PLANE, [(" ", " ", " ", False, False)] * 4, "")
    for title in ("Off-map observers", "Left the map by their own edge", "Wounded leaders, damaged vehicles", "Notes"):
        yield Stack((Heading("", title), Space(6.6, 5)))


# Reminders


def _reminders() -> Iterator[Block]:
    """What to remember in each phase."""
    phases: dict[str, str] = {
        **{phase.value: phase.word for phase in TurnPhase},
        "reorganization": "Reorganization Phase",
    }
    for phase, word in phases.items():
        entries = reference.for_step(GAME, phase)
        if entries:
            lines = [Paragraph(f"{entry.text} ({_cite_rule(entry)})", mark="•") for entry in entries]
            # One by one, so that columns fill up: the head stays with the first of them.
            yield Stack((Paragraph(word, PLAIN, bold=True), lines[0]), framed=False)
            yield from lines[1:]


def _cite_rule(entry: reference.Reminder) -> str:
    """The number of a reminder's rule."""
    return " ".join(entry.rule.split()[:2]) if entry.rule.startswith("Errata") else entry.rule.split()[0]
