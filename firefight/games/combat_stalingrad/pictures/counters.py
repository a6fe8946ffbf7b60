"""The picture of a counter: one geometry for pages, PNG and paper.

Roles are named in paints.py beside this, which gives their colours where no style sheet does.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from firefight.drawing.fonts import fit_word, halve_text, measure_length, measure_word
from firefight.drawing.shapes import Drawing, Ellipse, Label, Polygon, Shape, box, place_drawing
from firefight.engine.errors import BadInput
from firefight.engine.text import capitalize

from ..rules.counters import Counter, CounterKind
from ..rules.firing import MOVE_SIDE_FF
from ..rules.marks import Mark, may_carry
from ..rules.sides import Side
from . import symbols

COUNTER = 64  # units along a side
_ROOM = 54  # for a word
_CUT = 6  # the corners that a Russian counter lacks

# What the strip says for a mark that stands alone, and beside others.
_STRIPS = {
    Mark.REDUCED: ("REDUCED", "RED"),
    Mark.WOUNDED: ("WOUNDED", "WND"),
    Mark.M_KILLED: ("M-KILLED", "M-K"),
    Mark.F_KILLED: ("F-KILLED", "F-K"),
    Mark.PINNED: ("PINNED", "PIN"),
    Mark.SUPPRESSED: ("SUPPRESSED", "SUP"),
    Mark.DISRUPTED: ("DISRUPTED", "DIS"),
    Mark.WIA: ("WIA", "WIA"),
    Mark.ENFILADED: ("ENFILADED", "ENF"),
    Mark.IN_SEWER: ("IN SEWER", "SEW"),
    Mark.CLOSE_COMBAT: ("IN CC", "CC"),
    Mark.EXITED: ("LEFT MAP", "OFF"),
    Mark.HELD: ("HELD", "HELD"),
    Mark.HE_USED: ("HE USED", "HE"),
    Mark.MG_USED: ("MG USED", "MG"),
    Mark.MOVE_SIDE: ("1-2 SIDE", "1-2"),
}


def draw_counter(counter: Counter, side: str, marks: Iterable[str] = ()) -> Drawing:
    """A counter: its name, the sign of its arm, FF at the left, CCV in the box, TQ in the circle, its marks.

    A reduced squad shows its smaller side. What is not known is left out. Raises BadInput for marks that such a
    counter never carries.
    """
    wanted_marks = set(marks)
    if not wanted_marks <= may_carry(counter.kind):
        raise BadInput({"marks": f"A counter such as {counter.name} does not carry these marks."})
    carried, nation = [mark for mark in Mark if mark in wanted_marks], Side(side)
    ff, half_ff, ccv = shown_values(counter, carried)
    numbers = [*_ff(ff, half_ff), *_ccv(ccv), *_tq(counter.tq)]
    body = [*_body(nation), *_name(counter, nation), *_sign(counter, carried, bool(numbers))]
    shapes = (*body, *_draw_marks(carried), *numbers)
    return Drawing(COUNTER, COUNTER, shapes, describe_counter(counter, side, carried))


def shown_values(counter: Counter, marks: Collection[Mark] = ()) -> tuple[int | None, int | None, int | None]:
    """FF, FF of the smaller side, CCV, as they stand on the side of the counter that is up."""
    if Mark.REDUCED in marks and counter.kind is CounterKind.SQUAD:
        return counter.half_ff, None, counter.half_ccv
    if Mark.MOVE_SIDE in marks:
        return MOVE_SIDE_FF[2], None, counter.ccv
    return counter.ff, counter.half_ff, counter.ccv


def describe_counter(counter: Counter, side: str, marks: Iterable[str] = ()) -> str:
    """A counter in words: "Rifle squad, Russian squad: FF 5, half-squad 3; CCV 6; TQ 6. Pinned Down." """
    wanted_marks = set(marks)
    carried = [mark for mark in Mark if mark in wanted_marks]
    ff, half_ff, ccv = shown_values(counter, carried)
    half = f", half-squad {half_ff}" if half_ff is not None else ""
    parts = [f"FF {ff}{half}" if ff is not None else "", f"CCV {ccv}" if ccv is not None else ""]
    parts.append(f"TQ {counter.tq}" if counter.tq is not None else "")
    values = "; ".join(filter(None, parts))
    state = ", ".join(mark.word for mark in carried)
    description = f"{counter.name}, {Side(side).word} {counter.kind.word}{f': {values}' if values else ''}."
    return f"{description} {capitalize(state)}." if state else description


def _body(side: Side) -> Iterable[Shape]:
    """The counter itself. The sides differ in shape, tone and pattern, so that nobody needs their colours."""
    low, high = 1, COUNTER - 1
    if side is Side.GERMAN:
        return box(low, low, high - low, high - low, "german-counter"), box(low, low, high - low, 16, "german-band")
    cut = _CUT
    upper = ((low + cut, low), (high - cut, low), (high, low + cut), (high, high - cut))
    lower = ((high - cut, high), (low + cut, high), (low, high - cut), (low, low + cut))
    band = ((low + cut, low), (high - cut, low), (high, low + cut), (high, 17), (low, 17), (low, low + cut))
    return Polygon(upper + lower, "russian-counter"), Polygon(band, "russian-band")


def _name(counter: Counter, side: Side) -> Iterable[Label]:
    """The name without the word for what the sign shows, in one line or in two."""
    role, room = f"{side}-name", _ROOM if side is Side.GERMAN else _ROOM - 4
    name = counter.name.removesuffix(f" {counter.kind.word}") or counter.name
    text, size = fit_word(name, room, 9, 7.2, bold=True)
    lines = halve_text(name, bold=True)
    if text == name or not lines[1]:
        yield measure_word(COUNTER / 2, 12, text, size, role, bold=True)
        return
    for baseline, line in zip((8.2, 15), lines, strict=True):
        # The upper line keeps away from the corners.
        text, size = fit_word(line, room - (6 if baseline < 10 else 0), 7.2, 5.2, bold=True)
        yield measure_word(COUNTER / 2, baseline, text, size, role, bold=True)


def _sign(counter: Counter, marks: Collection[Mark], has_numbers: bool) -> Iterable[Shape]:
    width, height = symbols.FIELD
    sign = Drawing(width, height, symbols.find_sign(counter), "")
    top, bottom = 19, 45 if has_numbers else 60
    bottom = 35 if marks and has_numbers else 48 if marks else bottom
    scale = min((bottom - top) / height, 52 / width)
    return place_drawing(sign, COUNTER / 2, (top + bottom) / 2, scale)


def _draw_marks(marks: Sequence[Mark]) -> Iterable[Shape]:
    """A dark strip that says in what state the unit is."""
    if not marks:
        return
    yield box(1, 35.8, COUNTER - 2, 9.6, "strip")
    shorts = [_STRIPS[mark][1] for mark in marks]
    word = _STRIPS[marks[0]][0] if len(marks) == 1 else " ".join(shorts)
    if len(marks) > 3:
        word = f"{shorts[0]} {shorts[1]} +{len(marks) - 2}"
    text, size = fit_word(word, _ROOM, 8.5, 7, bold=True)
    yield measure_word(COUNTER / 2, 43.6, text, size, "strip-word", bold=True)


_BASE = 58  # of the numbers at the foot


def _ff(ff: int | None, half: int | None) -> Iterable[Label]:
    if ff is None:
        return
    start, smaller = 5.5, f"/{half}" if half is not None else ""
    scale = min(1, 18.5 / (measure_length(str(ff), 14, bold=True) + measure_length(smaller, 9)))
    yield replace(measure_word(start, _BASE - 0.5, str(ff), 14 * scale, "figure", bold=True), anchor="start")
    if smaller:
        after = start + measure_length(str(ff), 14 * scale, bold=True) + 0.5
        yield replace(measure_word(after, _BASE - 0.5, smaller, 9 * scale, "figure"), anchor="start")


def _ccv(ccv: int | None) -> Iterable[Shape]:
    if ccv is not None:
        yield box(25.5, 46.8, 14, 12.4, "paper")
        text, size = fit_word(str(ccv), 12, 11, 1, bold=True)
        yield measure_word(32.5, _BASE - 1, text, size, "figure", bold=True)


def _tq(tq: int | None) -> Iterable[Shape]:
    if tq is not None:
        yield Ellipse(51.5, 53, 6.9, 6.9, "paper")
        yield measure_word(51.5, _BASE - 1, str(tq), 11, "figure", bold=True)
