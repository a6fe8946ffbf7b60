"""Sheets that owners have on their shelf: units, hexes, cards of any game, before and beside any match.

A sheet is typed, tapped or pasted like a chart (typing.py). Once nothing is wrong with it, it is kept as a version;
matches take a copy of the newest.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from firefight.engine.charts import tables
from firefight.engine.charts.checks import CheckedSheet, draw_marks, in_order
from firefight.engine.charts.layouts import Flaw, Layout
from firefight.engine.charts.records import RecordsLayout
from firefight.engine.charts.tables import TYPED, BadSheet, Sheet
from firefight.engine.values import Json
from firefight.games import registry
from firefight.kit.game import Game
from firefight.kit.sheets import ContentSheet, find_row_flaws
from firefight.models import OwnSheet

from . import shelf
from .files import BadFile, texts_in
from .shelf import Moved, NoBook, Unready
from .typing import TypedPart

MOST_VERSIONS = 8  # whose texts are kept
KEPT = "kept"


class RowsLayout(RecordsLayout):
    """A sheet of rows with the limits that its game gives it."""

    def __init__(self, sheet: ContentSheet):
        super().__init__(sheet.columns)
        self.limits = sheet.limits


class TypedRows(TypedPart):
    """A sheet of an owner as it is typed."""

    def __init__(self, draft: OwnSheet, game: Game, declared: ContentSheet):
        self.game, self.declared = game, declared
        super().__init__(draft, declared.slug)

    @property
    def layout(self) -> Layout:
        return RowsLayout(self.declared)

    def original(self) -> tuple[Sheet, tuple[str, ...]]:
        """What an owner begins with: what nobody has to read off the box, or a blank row."""
        return cells_from_text(self.declared, write_begun(self.game, self.declared)), ()

    def check(self, sheet: Sheet, confirmed: Iterable[str]) -> CheckedSheet:
        return check_own_rows(self.declared, sheet)


@dataclass(frozen=True, slots=True)
class SheetVolume(shelf.Shelved[OwnSheet]):
    """A sheet of a shelf as one browser meets it."""

    draft: OwnSheet
    game: Game
    declared: ContentSheet
    mine: bool = False

    @property
    def ref(self) -> str:
        """What addresses know it by."""
        return self.draft.pk

    @property
    def name(self) -> str:
        return self.draft.name

    @property
    def title(self) -> str:
        """The same, as every page calls a volume."""
        return self.draft.name

    @property
    def part(self) -> TypedRows:
        return TypedRows(self.draft, self.game, self.declared)

    @property
    def text(self) -> str:
        """The sheet as it stands, as it is copied out: even with cells that cannot be read."""
        return text_from_cells(self.part.sheet()[0])

    @property
    def newest(self) -> str:
        """The text of the newest version, which matches take; "" while there is none."""
        return str(self.draft.data[KEPT].get(self.draft.versions[-1], "")) if self.draft.versions else ""

    @property
    def is_latest(self) -> bool:
        """Whether the newest version holds it just as it stands."""
        return bool(self.newest) and self.newest == self.declared.read(self.text).text

    def list_earlier(self) -> list[tuple[int, str]]:
        """The versions whose text is kept, newest first, each with its number and digest."""
        numbered = list(enumerate(self.draft.versions, 1))
        return [(number, digest) for number, digest in reversed(numbered) if digest in self.draft.data[KEPT]]


# Reading


def cells_from_text(declared: ContentSheet, text: str) -> Sheet:
    """A text as cells. Raises BadSheet for one that is too large, or is not a table."""
    layout = RowsLayout(declared)
    if not text.strip() or text.strip() == "\t".join(declared.titles):
        width = len(declared.columns)
        return Sheet(layout.head, (("",) * width,), (TYPED * width,), declared.limits)
    block = tables.parse_block(text, len(declared.columns), declared.limits)
    return tables.read_block(layout.fit(block), declared.limits)


def text_from_cells(sheet: Sheet) -> str:
    """Cells as a text, the titles above; rows without any are left out."""
    rows = (row for row in sheet.rows if any(row))
    return "\n".join("\t".join(row).rstrip("\t") for row in (sheet.head, *rows))


def check_own_rows(declared: ContentSheet, sheet: Sheet) -> CheckedSheet:
    """Cells as a sheet of its game, with all that is wrong with it, cell by cell."""
    rows, flaws = RowsLayout(declared).read_records(sheet)
    if not flaws:
        flaws = [
            Flaw(flaw.row.places.get(flaw.name) or (flaw.row.number, 0), "", flaw.message.rstrip("."))
            for flaw in find_row_flaws(declared, rows, {})
        ]
    places = {place: "o" for row in rows for place in row.places.values() if sheet.at(place)}
    cells = {f"{row}.{column}": (row, column) for row, column in places}
    return CheckedSheet(
        title=declared.title,
        sheet=sheet,
        raw={},
        flaws=in_order(flaws),
        overruled=(),
        marks=draw_marks(sheet, places),
        cells=cells,
    )


def write_begun(game: Game, declared: ContentSheet) -> str:
    """What stands on a sheet before its owner types: what nobody has to read off the box."""
    content = game.content
    is_of_content = content is not None and declared in content.sheets
    return declared.write(content.begun.get(declared.slug, ())) if content and is_of_content else ""


# On the shelf


def find_declared(game: Game, slug: str) -> ContentSheet:
    """A sheet of a game. Raises NoBook for one that it does not have."""
    for sheet in game.sheets:
        if sheet.slug == slug:
            return sheet
    raise NoBook


def list_own_sheets(request: HttpRequest) -> list[SheetVolume]:
    """The sheets of this browser, newest change first; what a game no longer has is left out. One query."""
    owner = shelf.shelf_of(request)
    rows = OwnSheet.objects.filter(owner=owner).order_by("-changed", "pk") if owner else ()
    return list(_open_all(rows))


def _open_all(rows: Iterable[OwnSheet]) -> Iterator[SheetVolume]:
    games = registry.games()
    for row in rows:
        for declared in games[row.game].sheets if row.game in games else ():
            if declared.slug == row.sheet:
                yield SheetVolume(row, games[row.game], declared, mine=True)


def list_usable_sheets(request: HttpRequest, game: Game, slugs: Iterable[str]) -> list[SheetVolume]:
    """The sheets of a game, of these kinds, that this browser has a version of."""
    kinds = {*slugs}
    return [
        volume
        for volume in list_own_sheets(request)
        if volume.game is game and volume.declared.slug in kinds and volume.newest
    ]


def find_sheet(request: HttpRequest, ref: str) -> SheetVolume:
    """A sheet that this browser may see. Raises NoBook."""
    row, mine = shelf.find_row(request, OwnSheet, ref)
    game = registry.games().get(row.game)
    if game is None:
        raise NoBook
    return SheetVolume(row, game, find_declared(game, row.sheet), mine)


def find_own_sheet(request: HttpRequest, ref: str) -> SheetVolume:
    """A sheet of this browser, which it may change. Raises NoBook."""
    return find_sheet(request, ref).to_change()


def put_sheet(request: HttpRequest, game: Game, declared: ContentSheet, name: str, text: str) -> OwnSheet:
    """A sheet with this text on this browser's shelf; a version of it, if nothing is wrong with it.

    Raises BadSheet, Full, TooMuch.
    """
    cells, read = cells_from_text(declared, text), declared.read(text)
    parts = {declared.slug: {**cells.plain(), "confirmed": []}} if text.strip() else {}
    is_usable = bool(read.text) and not read.problems
    texts = {digest_text(read.text): read.text} if is_usable else {}
    more: Json = {"game": game.slug, "sheet": declared.slug, "versions": [*texts]}
    return shelf.add_draft(request, OwnSheet, name, {"parts": parts, KEPT: texts}, **more)


def shelve_text(request: HttpRequest, game: Game, declared: ContentSheet, name: str, text: str) -> OwnSheet:
    """A match's sheet on this browser's shelf, where it may be already. Raises Full, TooMuch."""
    same_kind = (volume for volume in list_own_sheets(request) if volume.game is game and volume.declared is declared)
    draft = next((volume.draft for volume in same_kind if volume.newest == text), None)
    return draft or put_sheet(request, game, declared, name, text)


def find_newest(request: HttpRequest, game: Game, slugs: Iterable[str]) -> dict[str, str]:
    """The newest version of each of these sheets, by slug: of several of a kind, the one that was changed last."""
    newest: dict[str, str] = {}
    for volume in list_usable_sheets(request, game, slugs):
        newest.setdefault(volume.declared.slug, volume.newest)
    return newest


def copy_sheet(request: HttpRequest, volume: SheetVolume) -> OwnSheet:
    """A copy on this browser's shelf, as it stands. Raises Full."""
    name = shelf.name_copy(request, OwnSheet, volume.name)
    return put_sheet(request, volume.game, volume.declared, name, volume.text)


def lay_text(volume: SheetVolume, revision: int, text: str) -> None:
    """Put a text in the place of all rows. Raises BadSheet, Moved."""
    if volume.draft.revision != revision:
        raise Moved
    volume.part.type_in(revision, cells_from_text(volume.declared, text), ())


def keep_sheet_version(volume: SheetVolume, revision: int) -> None:
    """Keep a sheet as a version that matches can take. Raises Unready, Moved."""
    read = volume.declared.read(volume.text)
    if read.problems or not read.text:
        raise Unready
    digest = digest_text(read.text)
    versions = [*(version for version in volume.draft.versions if version != digest), digest]
    texts = {**volume.draft.data[KEPT], digest: read.text}
    texts_kept = {version: texts[version] for version in versions[-MOST_VERSIONS:] if version in texts}
    shelf.save_draft(volume.draft, revision, data={**volume.draft.data, KEPT: texts_kept}, versions=versions)


def digest_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# Files


def plain_of(volume: SheetVolume) -> Json:
    """A sheet as a file has it. Raises Unready while something is wrong with it."""
    read = volume.declared.read(volume.text)
    if read.problems or not read.text:
        raise Unready
    return {"game": volume.game.slug, "sheet": volume.declared.slug, "name": volume.name, "text": read.text}


def take_in_sheet(request: HttpRequest, data: Mapping[str, object]) -> OwnSheet:
    """A file's sheet put on this browser's shelf. Raises BadFile with what is wrong with it, Full, TooMuch."""
    game = registry.games().get(str(data.get("game")))
    if game is None:
        raise BadFile(f"game should be one of {', '.join(registry.games())}")
    by_slug = {sheet.slug: sheet for sheet in game.sheets}
    declared = by_slug.get(str(data.get("sheet")))
    if declared is None:
        raise BadFile(f"sheet should be one of {', '.join(by_slug)}" if by_slug else f"{game.title} takes charts only")
    name, text = data.get("name"), data.get("text")
    if unknown := set(data) - {"game", "sheet", "name", "text"}:
        raise BadFile(f"{tables.clean_text(min(unknown))[:40]} is not known here")
    if not isinstance(name, str) or not isinstance(text, str) or any(map(tables.has_controls, texts_in({**data}))):
        raise BadFile("name and text should be texts")
    if not shelf.is_name(name):
        raise BadFile(f"name should be a text of 1 to {shelf.MOST_NAME} characters on one line")
    try:
        if not text.strip():
            raise BadFile("the sheet is blank")
        read = declared.read(text)
        if read.problems or not read.text:
            raise BadFile(" ".join(read.problems[:5]) or "the sheet has no rows")
        return put_sheet(request, game, declared, name, text)
    except BadSheet as error:
        raise BadFile(str(error)) from None
