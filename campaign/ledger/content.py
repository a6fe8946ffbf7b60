"""The content that campaigns are played with: files, and the stored versions that campaigns pin.

This is the one place that opens the files.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from campaign.models import ContentBook, ContentDraft
from campaign.rules.content import Content, read_content
from firefight.engine.charts.kinds import Problem
from firefight.engine.values import Json, Values
from firefight.games.chartbooks import digest
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

FIXTURES = settings.BASE_DIR / "campaign" / "data"
COUNTERS = settings.BASE_DIR / "firefight/games/combat_stalingrad/data/counters.toml"
CARDS = {"cg1": "into_the_inferno", "cg2": "to_the_volga"}


class BadContent(ValueError):
    """Content that must not be used; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: list[Problem]):
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


FILES = {"counters": "counters", "map": "map", **{f"roster_{side}": f"roster_{side}" for side in Side}, **CARDS}
MOST_BYTES = 300_000  # of one file
_DIGEST = re.compile("[0-9a-f]{64}")


def plain_in(folder: Path, counters: Path | None = None) -> dict[str, object]:
    """The plain values of all files of a folder. Raises BadContent for every one that is missing or not TOML.

    ``counters``: the file of the counters, if it lies elsewhere.
    """
    files, problems = {}, []
    for key, name in FILES.items():
        path = counters if counters and key == "counters" else folder / f"{name}.toml"
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError(f"is larger than {MOST_BYTES} bytes")
            files[key] = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:  # broken TOML and broken UTF-8 are ValueErrors
            problems.append(Problem(path.name, "", getattr(error, "strerror", None) or str(error)))
    if problems:
        raise BadContent(problems)
    return {
        "counters": files["counters"],
        "rosters": {side.value: files[f"roster_{side}"] for side in Side},
        "map": files["map"],
        "cards": {identity: files[identity] for identity in CARDS},
    }


@cache
def shipped_data() -> Json:
    """The plain values of the shipped content."""
    return plain_in(FIXTURES, COUNTERS)


def read(data: Values) -> Content:
    """Content from plain values. Raises BadContent with every problem."""
    rosters = {side: data["rosters"].get(side.value) for side in Side}
    content, problems = read_content(data["counters"], rosters, data["map"], data["cards"])
    if content is None:
        raise BadContent(problems)
    return content


@cache
def shipped() -> Content:
    """The shipped content, read once. Raises BadContent with every problem."""
    return read(shipped_data())


def shipped_row() -> ContentBook:
    """The stored version of the shipped content, stored on first use."""
    data = shipped_data()
    return ContentBook.objects.filter(pk=digest(data)).defer("data").first() or store(data, "House content", True)


@cache
def digest_of_shipped() -> str:
    """The digest of the shipped content."""
    return digest(shipped_data())


def name_gallery(book: str) -> str:
    """The name of the gallery with a version's counters: its digest, "" for the shipped one."""
    return "" if book == digest_of_shipped() else book


def name_version(book: str, name: str) -> str:
    """What a stored version is called: the name, with the beginning of its digest unless it is the shipped one."""
    return name if book == digest_of_shipped() else f"{name} · {book[:8]}"


def store(data: Values, name: str, is_shipped: bool = False, offered: bool = True) -> ContentBook:
    """Validate content and store it as a version of its own. Raises BadContent with every problem.

    ``offered``: new campaigns may choose it.
    """
    if not ContentBook.objects.filter(pk=digest(data)).exists():  # stored content was validated when it was stored
        read(data)
    fields = {"data": data, "name": name, "shipped": is_shipped, "offered": offered}
    row, is_new = ContentBook.objects.get_or_create(digest=digest(data), defaults=fields)
    if offered and not is_new and not row.offered:  # until now only a campaign that came as a file had it
        row.offered = True
        row.save(update_fields=["offered"])
    return row


@lru_cache(maxsize=16)
def read_pinned(book_digest: str) -> Content:
    """A stored version, read once per process, since it never changes."""
    data: Any = ContentBook.objects.values_list("data", flat=True).get(pk=book_digest)
    return read(data)


def counters_of(game: str, book: str) -> Mapping[Side, Mapping[str, Counter]]:
    """The counters of stored content, by its digest. Raises LookupError if none has it."""
    if game != GAME or not _DIGEST.fullmatch(book):
        raise LookupError(book)
    try:
        return read_pinned(book).counters
    except ContentBook.DoesNotExist:
        raise LookupError(book) from None


def find_orphaned(before: datetime) -> QuerySet[ContentBook]:
    """Stored content from before that moment that is not offered and that no campaign uses and no draft names.

    It came with the file of a campaign, or was made from a draft that is gone.
    """
    in_drafts: set[str] = set()
    for based_on, versions in ContentDraft.objects.values_list("based_on", "versions").iterator():
        in_drafts |= {based_on, *versions}
    return ContentBook.objects.filter(shipped=False, offered=False, created__lt=before, campaign=None).exclude(
        pk__in=in_drafts
    )
