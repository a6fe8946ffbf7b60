"""The shelf of a browser: drafts that are its own, whatever they are drafts of, and links to read them by.

A shelf is tied to a random key in the browser's signed session; rows hold the key's hash. A draft takes texts as they
are typed, and a page that has missed a save cannot overwrite it.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from typing import Generic, Self, TypeVar

from django.http import HttpRequest
from django.utils import timezone

from firefight.hosting.allowance import A_BOOK, spend
from firefight.models import OnShelf
from firefight.web.requests import CONTROLS
from firefight.web.tokens import hash_token

HOST = "host"  # the owner of what everybody may use
MOST_DRAFTS = 40  # of one kind on one shelf
MOST_SHARED = 8  # links that one browser remembers; the oldest fall out
MOST_NAME = 80

Row = TypeVar("Row", bound=OnShelf)


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """Something that an owner has brought: of which game, what it is, what they call it, where its page is.

    ``version``: how many versions matches could take so far; ``changed``: when it was typed in last.
    """

    game: str
    kind: str
    name: str
    address: str
    version: int
    changed: datetime


@dataclass(frozen=True, slots=True)
class ShelfRoom:
    """A room of one game that keeps what owners bring in rows of its own: its title, its page, what it lists."""

    game: str
    title: str
    page: str
    list_items: Callable[[HttpRequest], Sequence[ShelfItem]]


ROOMS: list[ShelfRoom] = []  # each registers as the app starts


class NoBook(Exception):
    """There is no such book for this browser."""


class Moved(Exception):
    """The draft was saved from another page since this one was drawn; nothing was changed."""


class Unready(Exception):
    """The draft is not complete yet; nothing was changed."""


class Full(Exception):
    """There is no room on the shelf."""


class Shelved(Generic[Row]):
    """Something as one browser meets it: what is shipped or stored, or a draft, which may be its own (``mine``)."""

    draft: Row | None
    mine: bool

    @property
    def own_draft(self) -> Row:
        """The draft of something that is not shipped."""
        assert self.draft is not None
        return self.draft

    @property
    def version(self) -> int:
        """How many versions matches could use so far."""
        return len(self.draft.versions) if self.draft else 1

    def to_change(self) -> Self:
        """The same, where this browser may change it. Raises NoBook."""
        if not self.mine:
            raise NoBook
        return self


def shelf_of(request: HttpRequest) -> str:
    """What the drafts of this browser are known by; "" while it has none."""
    key = request.session.get("shelf", "")
    return hash_token(key) if key else ""


def rows_of(request: HttpRequest, kind: type[Row]) -> list[Row]:
    """The drafts that this browser may open: its own, newest change first, then the host's. One query."""
    owner = shelf_of(request)
    rows = kind._default_manager.filter(owner__in=[HOST, owner] if owner else [HOST]).defer("data")
    return sorted(rows, key=lambda row: (row.owner == HOST, -row.changed.timestamp()))


def find_row(request: HttpRequest, kind: type[Row], ref: str) -> tuple[Row, bool]:
    """A draft that this browser may see, and whether it is its own. Raises NoBook."""
    is_name = re.fullmatch(r"[\w-]{1,12}", ref, re.ASCII)  # databases differ in what else they would take
    # A draft of charts or content is read with what it comes from; a sheet comes from nothing.
    begun_as = [field.name for field in kind._meta.fields if field.name == "based_on"]
    rows = kind._default_manager.select_related(*begun_as) if begun_as else kind._default_manager.all()
    row = rows.filter(pk=ref).first() if is_name else None
    if row is None:
        raise NoBook
    mine = row.owner == shelf_of(request)
    shared = request.session.get("shared", {}).get(ref)
    if not (mine or row.owner == HOST or (row.share and row.share[:16] == shared)):
        raise NoBook
    return row, mine


def add_draft(request: HttpRequest, kind: type[Row], name: str, data: Mapping[str, object], **more: object) -> Row:
    """A new draft of this browser. Raises Full, or TooMuch."""
    key = request.session.get("shelf") or secrets.token_urlsafe(32)
    owner = hash_token(key)
    if kind._default_manager.filter(owner=owner).count() >= MOST_DRAFTS:
        raise Full(f"A shelf holds {MOST_DRAFTS} of a kind. Remove one that is not needed any more.")
    spend(request, A_BOOK)
    request.session["shelf"] = key
    return kind._default_manager.create(name=name[:MOST_NAME], owner=owner, data=dict(data), **more)


def name_copy(request: HttpRequest, kind: type[OnShelf], name: str) -> str:
    """What a copy is called: a name that no other draft of its kind on this browser's shelf has."""
    names_taken = set(kind._default_manager.filter(owner=shelf_of(request)).values_list("name", flat=True))
    name = (name if name.startswith("Copy of ") else f"Copy of {name}")[: MOST_NAME - 4]
    return next(
        candidate for candidate in chain([name], (f"{name} {n}" for n in count(2))) if candidate not in names_taken
    )


def is_name(name: str) -> bool:
    """Whether a draft can have this name."""
    return 0 < len(name) <= MOST_NAME and not CONTROLS.search(name)


# Saving


def save_draft(draft: OnShelf, revision: int, **values: object) -> None:
    """Save a draft unless it has moved on since this revision. Raises Moved."""
    values |= {"revision": revision + 1, "changed": timezone.now()}
    if not type(draft)._default_manager.filter(pk=draft.pk, revision=revision).update(**values):
        raise Moved
    for name, value in values.items():
        setattr(draft, name, value)


def keep_version(draft: OnShelf, revision: int, version: object, digest: str) -> None:
    """Note a stored version as a draft's newest. Raises Moved."""
    earlier: Sequence[str] = [version for version in draft.versions if version != digest]
    save_draft(draft, revision, version=version, versions=[*earlier, digest])


def was_typed_on(draft: OnShelf, page: str, typed: int) -> bool:
    """Whether the last thing typed into a draft came from this page, and no later than its change ``typed``.

    Such a page has only missed the answer to its own save.
    """
    last_page, last_typed = draft.data.get("typed_on", ("", 0))
    return page != "" and page == last_page and typed >= last_typed


# Links to a draft


def share(draft: OnShelf) -> str:
    """A new read-only link's token, which is not kept; an older link no longer opens anything."""
    token = secrets.token_urlsafe(32)
    type(draft)._default_manager.filter(pk=draft.pk).update(share=hash_token(token))
    return token


def unshare(draft: OnShelf) -> None:
    """The read-only link no longer opens anything, and whoever used it is shut out."""
    type(draft)._default_manager.filter(pk=draft.pk).update(share="")


def open_shared(request: HttpRequest, kind: type[Row], token: str) -> Row:
    """Let this browser read the draft of a link. Raises NoBook."""
    draft = kind._default_manager.filter(share=hash_token(token)).defer("data").first()
    if draft is None:
        raise NoBook
    shared_before = {ref: part for ref, part in request.session.get("shared", {}).items() if ref != draft.pk}
    request.session["shared"] = {**dict(list(shared_before.items())[1 - MOST_SHARED :]), draft.pk: draft.share[:16]}
    return draft
