"""What the sheets of a game's board, blocks and cards add up to: one content, which a match is played with.

Without an owner's sheets it is the house's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.kit.sheets import ContentSheet

MOST_TOLD = 25  # problems, at once

Rows = Mapping[str, Sequence[Values]]  # by the sheet's slug


@dataclass(frozen=True, slots=True)
class ContentRead:
    """Sheets that were read: the ``content`` of their rows, their ``texts`` as they are kept, what is wrong with them.

    ``content`` is None where no rows could be made of them.
    """

    content: object = None
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def _always(options: Mapping[str, str]) -> bool:
    return True


def _fits(content: object, record: Values) -> str:
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class ContentRules:
    """What owners' sheets of content look like in a game, and what is made of them.

    ``house``: the rows of the house's own sheets, from which an owner may start; ``begun``: those rows with only
    what nobody has to read off their box. ``build``: one content of the rows that can be read, whatever else is wrong
    with them; where nothing can be built it raises BadInput, with reasons by "hexes 7 d3" (sheet, row, column).
    ``find_flaws``: what in a content cannot be, in sentences. ``find_misfit``: what in a record does not fit the
    content of its match, None for the house's, in words that give nothing away. ``is_played_on``: whether a match with
    such options asks its content for anything, so that it is offered.
    """

    title: str
    sheets: tuple[ContentSheet, ...]
    house: Rows
    build: Callable[[Rows], object]
    find_flaws: Callable[[object], Sequence[str]]
    find_misfit: Callable[[object, Values], str] = _fits
    begun: Rows = field(default_factory=dict)
    is_played_on: Callable[[Mapping[str, str]], bool] = _always

    def read(self, texts: Mapping[str, str]) -> ContentRead:
        """All sheets as one content, read once for equal texts."""
        return _read_all(self, tuple(texts.get(sheet.slug, "") for sheet in self.sheets))

    def write_house(self) -> dict[str, str]:
        """The house's own sheets, by their slugs."""
        return self._write(self.house)

    def write_begun(self) -> dict[str, str]:
        """Sheets to be filled in, by their slugs."""
        return self._write(self.begun)

    def _write(self, rows: Rows) -> dict[str, str]:
        return {sheet.slug: sheet.write(rows.get(sheet.slug, ())) for sheet in self.sheets}


@lru_cache(maxsize=60)
def _read_all(rules: ContentRules, texts: tuple[str, ...]) -> ContentRead:
    """Remembered: a match asks for its content at every request."""
    read = {sheet.slug: sheet.read(text) for sheet, text in zip(rules.sheets, texts, strict=True)}
    problems = [f"{sheet.title}: {problem}" for sheet in rules.sheets for problem in read[sheet.slug].problems]
    if problems:
        return ContentRead(problems=tuple(problems))
    try:
        content = rules.build({slug: sheet_read.rows for slug, sheet_read in read.items()})
    except BadInput as error:
        return ContentRead(problems=tuple(error.problems.values()))
    texts_kept = {sheet.slug: sheet.write(read[sheet.slug].rows) for sheet in rules.sheets}
    return ContentRead(content, texts_kept, tuple(rules.find_flaws(content)))
