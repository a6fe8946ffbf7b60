"""Campaign content that owners type in: drafts on a browser's shelf, stored versions by their address, files.

A draft is typed into as a chart book is (firefight/chartroom). Once nothing is wrong with it, it is stored as a
version of content, which is never edited and can be read by whoever knows its digest.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache

from django.db import transaction
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from campaign.models import ContentBook, ContentDraft
from campaign.rules.rosters import CAMPAIGNS
from campaign.rules.typed import sector_map, whole
from campaign.rules.typed.whole import PARTS, Kinds, Typed, Whole
from firefight.chartroom import shelf
from firefight.chartroom.files import BadFile, read_file, texts_in
from firefight.chartroom.shelf import Moved, NoBook, ShelfItem, ShelfRoom, Unready
from firefight.chartroom.typing import TypedPart
from firefight.engine.charts import tables
from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.kinds import Problem
from firefight.engine.charts.layouts import Layout
from firefight.engine.charts.tables import BadSheet, Sheet
from firefight.engine.values import Json, Values
from firefight.games.chartbooks import digest
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

from . import content
from .content import BadContent

HOUSE = "house"  # the address of the shipped content
MOST_BYTES = 400_000  # of a file
_DIGEST = re.compile("[0-9a-f]{64}", re.ASCII)


class ContentVolume(shelf.Shelved[ContentDraft]):
    """Content as one browser meets it: the shipped one, a stored version, or a draft, which may be its own."""

    def __init__(self, ref: str, base: ContentBook, draft: ContentDraft | None = None, mine: bool = False):
        self.ref, self.base, self.draft, self.mine = ref, base, draft, mine

    @property
    def name(self) -> str:
        """What its owner calls it."""
        return self.draft.name if self.draft else self.base.name

    @property
    def title(self) -> str:
        """The same, with the version if it is a stored one."""
        return self.draft.name if self.draft else content.name_version(self.base.pk, self.base.name)

    @property
    def changed(self) -> set[str]:
        """The parts that differ from what it began as."""
        return set(self.draft.data["parts"]) & set(PARTS) if self.draft else set()

    @cached_property
    def whole(self) -> Whole:
        """All its parts as they stand, without what is typed later."""
        return self.check_whole() if self.draft else _check_version(self.base, self.base.name)

    def check_whole(self) -> Whole:
        """The same, with each part checked again when it is first asked for."""
        return Whole(self.base.data, lambda name: self.part(name).sheet(), values_of_text(), self.name)

    def kinds_for(self, part: str) -> Kinds:
        """The counters that a part's cells name."""
        return {side: {} for side in Side} if part in (whole.COUNTERS, whole.MAP) else self.whole.kinds

    def part(self, name: str) -> "ContentPart":
        """A part to be typed into. Raises NoBook for one that does not exist."""
        return ContentPart(self, name)

    def plain(self) -> Json:
        """Its plain values. Raises Unready."""
        if self.draft is None:
            return dict(self.base.data)
        if any(checked.flaws for checked in self.whole.parts().values()):
            raise Unready
        return self.whole.plain(self.changed)


class ContentPart(TypedPart):
    """A part of content as a sheet."""

    def __init__(self, volume: ContentVolume, name: str):
        if name not in PARTS:
            raise NoBook
        self.volume = volume
        super().__init__(volume.draft, name)

    @property
    def layout(self) -> Layout:
        """That of the part, with its contents named as the counters are now."""
        return self.volume.whole.layout(self.name)

    def original(self) -> Typed:
        """The part as the draft's base has it, with its counters named as they are now."""
        return whole.write_sheet(self.name, self.volume.base.data, self.volume.kinds_for(self.name))

    def check(self, sheet: Sheet, confirmed: Iterable[str]) -> CheckedSheet:
        """A sheet as this part, beside the others as they stand."""
        return self.volume.whole.check(self.name, sheet, confirmed)

    def checked(self) -> CheckedSheet:
        """The part as it stands, checked only once with the other parts."""
        return self.volume.whole.part(self.name)

    def press(self, sheet: Sheet, do: str, posted: QueryDict) -> Sheet:
        """On the map, make or break a border between two sectors, or take over what was changed on its drawing."""
        if do not in ("border", "draw") or self.name != whole.MAP:
            return sheet
        if do == "draw":
            return sector_map.take_over(sheet, self.volume.whole.sector_map, posted.get("changes", "")[:2_000])
        sectors = [posted.get(name, "").strip() for name in ("one", "other")]
        if not all(is_digits(text) and len(text) < 3 for text in sectors):
            raise BadSheet("Choose two sectors first.")
        return sector_map.turn_border(sheet, *map(int, sectors))

    def look_over(self, sheet: Sheet, confirmed: Iterable[str]) -> None:
        """Check every part beside the sheet; from here on the volume uses these."""
        checked = Whole(
            self.volume.base.data,
            lambda name: (sheet, tuple(confirmed)) if name == self.name else self.volume.part(name).sheet(),
            values_of_text(),
            self.volume.name,
        )
        checked.parts()
        self.volume.whole = checked


@cache
def values_of_text() -> dict[str, dict[str, str]]:
    """What the rulebook's text gives for the content, by part and cell."""
    return whole.fixed_in(content.shipped_data())


@lru_cache(maxsize=4)
def _check_version(row: ContentBook, name: str) -> Whole:
    """A stored version, checked once, since it is never edited: that takes longer than drawing its page."""
    return ContentVolume(row.pk, row).check_whole()


# The shelf


def list_contents(request: HttpRequest) -> list[ContentVolume]:
    """The drafts of this browser, newest change first. Two queries."""
    owner = shelf.shelf_of(request)
    rows = [row for row in shelf.rows_of(request, ContentDraft) if row.owner == owner]
    bases = ContentBook.objects.defer("data").in_bulk({row.based_on_id for row in rows})
    return [ContentVolume(row.pk, bases[row.based_on_id], row, True) for row in rows]


def list_on_shelf(request: HttpRequest) -> list[ShelfItem]:
    """The same, as the shelf of every game lists it."""
    return [
        ShelfItem(
            GAME,
            "Campaign content",
            volume.name,
            reverse("campaign:room-content", args=[volume.ref]),
            volume.version,
            volume.own_draft.changed,
        )
        for volume in list_contents(request)
    ]


ROOM = ShelfRoom(GAME, "Campaign content", "campaign:room", list_on_shelf)


def find_content(request: HttpRequest, ref: str) -> ContentVolume:
    """The content at an address: the shipped one, a stored version, a draft of this browser. Raises NoBook."""
    if ref == HOUSE:
        return ContentVolume(HOUSE, content.shipped_row())
    if _DIGEST.fullmatch(ref):
        return ContentVolume(ref, find_version(ref))
    draft, mine = shelf.find_row(request, ContentDraft, ref)
    return ContentVolume(ref, draft.based_on, draft, mine)


def find_version(book: str) -> ContentBook:
    """A stored version by its digest, which nobody guesses. Raises NoBook."""
    row = ContentBook.objects.filter(pk=book).first() if _DIGEST.fullmatch(book) else None
    if row is None:
        raise NoBook
    return row


def usable_contents(request: HttpRequest, also: str = "") -> dict[str, ContentBook]:
    """The versions that this browser may begin a campaign with, by digest: shipped, offered, its own, and ``also``.

    ``also``: one that was chosen by its address.
    """
    house = content.shipped_row()
    # Of what was shipped, only today's version; earlier ones are for the matches that have pinned them.
    offered = ContentBook.objects.filter(shipped=False, offered=True).defer("data").order_by("created")
    usable = {row.pk: row for row in (house, *offered)}
    owner = shelf.shelf_of(request)
    mine = ContentDraft.objects.filter(owner=owner).exclude(version=None).order_by("-changed") if owner else ()
    digests = [*(str(row.version_id) for row in mine), *([also] if _DIGEST.fullmatch(also) else [])]
    rows = ContentBook.objects.defer("data").in_bulk([pk for pk in digests if pk not in usable])
    return usable | {pk: rows[pk] for pk in dict.fromkeys(digests) if pk in rows}


def newer_contents(request: HttpRequest, pinned: str) -> dict[str, str]:
    """The versions that a campaign could move to instead of the pinned one, later ones of the same draft first."""
    owner = shelf.shelf_of(request)
    mine = list(ContentDraft.objects.filter(owner=owner).exclude(version=None)) if owner else []
    same = {row.version_id for row in mine if pinned in row.versions}
    labels = {pk: content.name_version(pk, row.name) for pk, row in usable_contents(request).items() if pk != pinned}
    labels |= {pk: f"{labels[pk]}, newer than the one in use" for pk in same if pk in labels}
    return dict(sorted(labels.items(), key=lambda item: item[0] not in same))


def copy_content(request: HttpRequest, volume: ContentVolume) -> ContentDraft:
    """A copy on this browser's shelf, with what was typed as it stands. Raises Full, TooMuch."""
    parts = volume.draft.data["parts"] if volume.draft else {}
    name = shelf.name_copy(request, ContentDraft, volume.name)
    return shelf.add_draft(request, ContentDraft, name, {"parts": parts}, based_on=volume.base)


def store_version(volume: ContentVolume, revision: int) -> ContentBook:
    """Store a draft as a version that campaigns can use. Raises Unready, Moved, BadContent."""
    if volume.own_draft.revision != revision:
        raise Moved
    row = content.store(volume.plain(), volume.name, offered=False)
    shelf.keep_version(volume.own_draft, revision, row, row.pk)
    return row


def is_stored(volume: ContentVolume) -> bool:
    """Whether the newest version holds a draft just as it stands. Raises Unready."""
    return volume.own_draft.version_id == digest(volume.plain())


# Files


def file_of(volume: ContentVolume) -> dict[str, object]:
    """Content as its file holds it. Raises Unready."""
    return {"game": GAME, "name": volume.name, **volume.plain()}


def read_content_file(sent: bytes) -> tuple[str, Json]:
    """The name and values of a file that is sound in every respect. Raises BadContent with all problems."""
    try:
        data = read_file(sent, MOST_BYTES)
    except BadFile as error:
        raise BadContent([Problem("the file", "", str(error))]) from None
    problems = list(_outer_flaws(data))
    if not problems:
        inner = {part: data[part] for part in ("counters", "rosters", "map", "cards")}
        problems = list(content_flaws(inner))
    if problems:
        raise BadContent(problems)
    return data["name"], inner


def _outer_flaws(data: object) -> Iterable[Problem]:
    """What is wrong with the outermost tables of a file."""
    if not isinstance(data, dict):
        yield Problem("the file", "", "should hold tables")
        return
    if any(tables.has_controls(text) for text in texts_in(data)):
        yield Problem("the file", "", "holds characters that cannot be seen")
        return
    keys_by_part = {"counters": None, "map": None, "rosters": tuple(Side), "cards": CAMPAIGNS}
    for key in sorted(set(data) - {"game", "name", *keys_by_part}):
        yield Problem(tables.clean_text(key)[:40], "", "is not known here")
    if data.get("game") != GAME:
        yield Problem("game", "", f"should be {GAME}")
    name = data.get("name")
    if not isinstance(name, str) or not shelf.is_name(name) or name != tables.clean_text(name):
        yield Problem("name", "", f"should be a text of 1 to {shelf.MOST_NAME} characters on one line")
    for part, keys in keys_by_part.items():
        if not isinstance(data.get(part), dict):
            yield Problem(part, "", "should be a table")
        elif keys:
            for key in sorted(set(data[part]) - set(keys)):
                yield Problem(part, tables.clean_text(key)[:40], "is not known here")


def content_flaws(data: Values) -> Iterable[Problem]:
    """Everything that is wrong with content from outside, as plain values, before any page or sheet shows it."""
    try:
        content.read(data)
    except BadContent as error:
        yield from error.problems
        return
    try:
        kinds = whole.counters_in(data)
        sheets = {part: whole.write_sheet(part, data, kinds) for part in PARTS}
    except BadSheet as error:
        yield Problem("the file", "", str(error))
        return
    for part, checked in Whole(data, sheets.__getitem__, values_of_text(), "of a file").parts().items():
        for flaw in checked.flaws:
            yield Problem(part, flaw.cell, flaw.message)
        for name, (row, column) in checked.cells.items():
            if checked.sheet.marks[row - 1][column] == "t" != checked.marks[row - 1][column]:
                yield Problem(part, name, "is marked text, but is not what the rulebook's text gives")


def take_in_content(request: HttpRequest, name: str, data: Mapping[str, object]) -> ContentDraft:
    """Put content that ``read_content_file`` found sound on this browser's shelf, ready to be used. Raises Full."""
    with transaction.atomic():
        row = content.store(data, name, offered=False)
        draft = shelf.add_draft(request, ContentDraft, name, {"parts": {}}, based_on=row)
        draft.version, draft.versions = row, [row.pk]
        draft.save(update_fields=["version", "versions"])
    return draft
