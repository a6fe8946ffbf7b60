"""Typing into a part of a draft: what a posted sheet asks for, done and kept. What the part is of is its own affair."""

import re
from collections.abc import Iterable, Mapping

from django.http import HttpRequest, QueryDict

from firefight.engine.charts import tables
from firefight.engine.charts.checks import CheckedSheet, overrule_flaw
from firefight.engine.charts.layouts import Layout
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import Place, Sheet
from firefight.models import OnShelf
from firefight.web.requests import htmx_of, number_in

from .shelf import Moved, save_draft, was_typed_on

_CELL = re.compile(r"c-(\d{1,3})-(\d{1,3})")
_DO = re.compile(r"(row|column)-(add|remove)-(\d{1,3})")
_CUT = {
    ("row", "add"): tables.add_row,
    ("row", "remove"): tables.remove_row,
    ("column", "add"): tables.add_column,
    ("column", "remove"): tables.remove_column,
}


class BadPost(ValueError):
    """A posted form that cannot be carried out; the message says why."""


class TypedPart:
    """A part of a draft as one sheet: a chart of a book, a roster of a campaign's content.

    ``key``: the table of the draft's data that keeps what was typed, by part.
    """

    key = "parts"
    spec: ChartSpec | None = None  # of a chart

    def __init__(self, draft: OnShelf | None, name: str):
        self.draft, self.name = draft, name

    @property
    def layout(self) -> Layout:
        """How the part lies on its sheet."""
        raise NotImplementedError

    @property
    def own_draft(self) -> OnShelf:
        """The draft of a part that is not shipped."""
        assert self.draft is not None
        return self.draft

    def original(self) -> tuple[Sheet, tuple[str, ...]]:
        """The sheet as it is in what the draft comes from, and what is confirmed there."""
        raise NotImplementedError

    def check(self, sheet: Sheet, confirmed: Iterable[str]) -> CheckedSheet:
        """A sheet of this part with everything that is wrong with it."""
        raise NotImplementedError

    def paste(self, sheet: Sheet, block: tables.Block, at: Place | None) -> Sheet:
        """A block laid over the sheet at a place, or instead of it. Raises BadSheet."""
        return self.layout.paste(sheet, self.spec, block, at)

    def press(self, sheet: Sheet, do: str, posted: QueryDict) -> Sheet:
        """What a button of this part's own does to the sheet; any other leaves it as it is. Raises BadSheet."""
        return sheet

    def complete(self, sheet: Sheet) -> Sheet:
        """A sheet that was typed, with what has come to be asked for since."""
        return sheet

    def sheet(self) -> tuple[Sheet, tuple[str, ...]]:
        """The sheet as it stands, and what its owner has confirmed in it."""
        typed = self.draft.data[self.key].get(self.name) if self.draft else None
        if typed:
            return self.complete(tables.from_plain(typed, self.layout.limits)), tuple(typed["confirmed"])
        return self.original()

    def checked(self) -> CheckedSheet:
        """The sheet as it stands with everything that is wrong with it."""
        return self.check(*self.sheet())

    def type_in(self, revision: int, sheet: Sheet, confirmed: Iterable[str], page: tuple[str, int] = ("", 0)) -> None:
        """Keep the sheet as it was typed. One that is its original again is not kept. Raises Moved.

        It is looked over first, so that nothing is kept that its pages could not show. page: the id of the
        page that it was typed on, and how often something had been typed there.
        """
        self.look_over(sheet, confirmed)
        data = dict(self.own_draft.data)
        data.pop("typed_on", None)
        parts = {key: value for key, value in data[self.key].items() if key != self.name}
        before = self.original()
        if (sheet, set(confirmed)) != (before[0], set(before[1])):
            parts[self.name] = {**sheet.plain(), "confirmed": sorted(set(confirmed))}
        typed_on = {"typed_on": list(page)} if page[0] else {}
        save_draft(self.own_draft, revision, data={**data, self.key: parts, **typed_on})

    def look_over(self, sheet: Sheet, confirmed: Iterable[str]) -> None:
        """Check a sheet, and whatever else its pages know about it."""
        self.check(sheet, confirmed)

    def changed(self, texts: Mapping[Place, str]) -> Sheet:
        """The sheet with texts typed into it; what the layout locks stays. Raises BadSheet."""
        return tables.put_texts(
            self.sheet()[0], {place: text for place, text in texts.items() if not self.layout.is_locked(place)}
        )


def edit(request: HttpRequest, part: TypedPart) -> Place | None:
    """Type in what was posted, then do what was pressed. Returns the cell to go on from.

    Raises BadSheet, BadPost, Moved.
    """
    page = request.POST.get("page", "")[:32], number_in(request, "typed") or 0
    revision = part.own_draft.revision
    if revision != number_in(request, "revision") and not was_typed_on(part.own_draft, *page):
        raise Moved
    before = part.sheet()
    sheet, at = part.changed(read_cells(request.POST.items())), None
    confirmed = before[1]
    # A save while somebody types does nothing but save.
    do, key = ("", "") if htmx_of(request) else (request.POST.get("do", ""), request.POST.get("overrule", ""))
    if key:
        answered = overrule_flaw(part.check(sheet, confirmed), key)
        if answered is None:
            raise BadPost("That cell was changed meanwhile: look at it again.")
        sheet, confirmed = answered[0], (*confirmed, *filter(None, answered[1:]))
    elif do == "paste":
        sheet, at = paste(request, part, sheet)
    elif do == "own":
        sheet = tables.own_all(sheet)
    elif do == "restore":
        sheet, confirmed = part.original()
    elif button := _DO.fullmatch(do):
        sheet, at = reshape(part, sheet, *button.groups())
    elif do:
        sheet = part.press(sheet, do, request.POST)
    if (sheet, set(confirmed)) != (before[0], set(before[1])):
        part.type_in(revision, sheet, confirmed, page)
    return at


def read_cells(posted: Iterable[tuple[str, object]]) -> dict[Place, str]:
    cells = ((_CELL.fullmatch(key), str(text)) for key, text in posted)
    return {(int(cell[1]), int(cell[2])): text for cell, text in cells if cell}


def paste(request: HttpRequest, part: TypedPart, sheet: Sheet) -> tuple[Sheet, Place]:
    """Lay the pasted text over the sheet where the form says, or replace the whole sheet with it."""
    cell = re.fullmatch(r"(\d{1,3})-(\d{1,3})", request.POST.get("at", ""))
    at = (int(cell[1]), int(cell[2])) if cell else None
    width = len(part.layout.head or ()) or tables.MOST_COLUMNS
    block = tables.parse_block(request.POST.get("pasted", ""), width, part.layout.limits)
    return part.paste(sheet, block, at), at or (1, 0)


def reshape(part: TypedPart, sheet: Sheet, axis: str, how: str, number: str) -> tuple[Sheet, Place]:
    """Add or remove a row or a column."""
    if not part.layout.grows or (axis == "column" and part.layout.head):
        raise BadPost("This table keeps its shape.")
    place = int(number) + (how == "add")
    return _CUT[axis, how](sheet, int(number)), ((place, 0) if axis == "row" else (0, place))
