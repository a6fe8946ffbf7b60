"""Counters as rules get them: those that a roll is about, in play or typed by players."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from firefight.engine.values import Json


@dataclass(frozen=True, slots=True)
class Chosen:
    """A counter that a roll is about, as a rule gets it.

    ``kind``: its key in the gallery, "" for one that is closed to whoever rolls. ``state``: words of the game.
    ``levels``: its numbers by name. ``id``: "" for one that players have typed, of which the app knows nothing more.
    """

    kind: str
    name: str = ""
    state: tuple[str, ...] = ()
    id: str = ""
    levels: Mapping[str, int] = field(default_factory=dict, hash=False)

    def plain(self) -> Json:
        """As a follow-up hands it on."""
        levels = {"levels": dict(self.levels)} if self.levels else {}
        return {"kind": self.kind, "name": self.name, "state": list(self.state), "id": self.id, **levels}

    def __str__(self) -> str:
        return ", ".join((self.name or self.kind, *self.state))


@dataclass(frozen=True, slots=True)
class ChosenOfSort(Chosen):
    """One whose game also says what it is, by a word of its own: for rules that take some before others."""

    sort: str = ""

    def plain(self) -> Json:
        return {**Chosen.plain(self), **({"sort": self.sort} if self.sort else {})}
