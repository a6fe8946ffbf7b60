"""The units of an attack as they stand in its two lists: what is on the counter, and what the counter suffers from."""

from dataclasses import dataclass

from firefight.engine.values import Json, Values

INDEPENDENT = "Ind"


def read_factor(text: str) -> int | None:
    """An Attack Factor as the counter prints it; None for "*", which leads no attack. Raises ValueError.

    >>> read_factor("4"), read_factor("-1"), read_factor("*")
    (4, -1, None)
    """
    plain = text.strip().replace("−", "-")
    if plain == "*":
        return None
    if not plain.removeprefix("-").isdigit() or not plain.isascii() or not -9 <= int(plain) <= 20:
        raise ValueError("Give the Attack Factor as printed, a whole number up to 20, or * for AT and AA.")
    return int(plain)


def _join(*parts: str) -> str:
    return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Attacker:
    """A Combat unit that attacks. ``factor``: as printed, None for "*"; ``iso``: its Isolation marker, 0 to 2.

    ``ranged``: it stays outside the Area, where others attack inside. ``id``: of its counter, "" for none in play.
    """

    factor: int | None
    parent: str = INDEPENDENT
    iso: int = 0
    armour: bool = False
    engineer: bool = False
    ranged: bool = False
    name: str = ""
    id: str = ""

    @classmethod
    def read(cls, row: Values) -> "Attacker":
        """From the cleaned values of a row."""
        text = row.get("parent") or INDEPENDENT
        parent = INDEPENDENT if text.casefold() == INDEPENDENT.casefold() else text
        extras = (row.get("ranged", False), row.get("name", ""), row.get("id", ""))
        return cls(read_factor(row["af"]), parent, row["iso"], row["armour"], row["engineer"], *extras)

    @property
    def is_independent(self) -> bool:
        """Whether it counts to whichever parent its owner likes (2.0 Parent Organization)."""
        return self.parent == INDEPENDENT

    @property
    def strength(self) -> int:
        """What it brings as the leader (12.21 Combat Factors)."""
        return (self.factor or 0) - self.iso

    def plain(self) -> Json:
        """As a row of JSON."""
        row: Json = {"af": "*" if self.factor is None else str(self.factor), "parent": self.parent}
        marks = {"iso": self.iso, "armour": self.armour, "engineer": self.engineer, "ranged": self.ranged}
        return row | {name: value for name, value in {**marks, "name": self.name, "id": self.id}.items() if value}

    def __str__(self) -> str:
        printed = "*" if self.factor is None else str(self.factor)
        classes = (self.armour and "armour", self.engineer and "Engineer")
        marks = (*classes, self.iso and f"isolated -{self.iso}", self.ranged and "Ranged")
        words = _join(printed, "" if self.is_independent else self.parent, *(str(mark) for mark in marks if mark))
        return f"{self.name}: {words}" if self.name else words


@dataclass(frozen=True, slots=True)
class Defender:
    """A Combat unit of the Group that is attacked. ``id``: of its counter, "" for none in play."""

    factor: int
    armour: bool = False
    aa: bool = False
    iso: int = 0
    name: str = ""
    id: str = ""

    @classmethod
    def read(cls, row: Values) -> "Defender":
        """From the cleaned values of a row."""
        return cls(row["df"], row["armour"], row["aa"], row["iso"], row.get("name", ""), row.get("id", ""))

    @property
    def strength(self) -> int:
        """Its Defense Factor under its Isolation marker (12.21 Combat Factors)."""
        return self.factor - self.iso

    def plain(self) -> Json:
        """As a row of JSON."""
        marks = {"armour": self.armour, "aa": self.aa, "iso": self.iso, "name": self.name, "id": self.id}
        return {"df": self.factor, **{name: value for name, value in marks.items() if value}}

    def __str__(self) -> str:
        marks = (self.armour and "armour", self.aa and "AA", self.iso and f"isolated -{self.iso}")
        words = _join(str(self.factor), *(str(mark) for mark in marks if mark))
        return f"{self.name}: {words}" if self.name else words

    @property
    def label(self) -> str:
        """What it is called where it pays: its name and its Defense Factor, or that alone."""
        return f"{self.name} ({self.strength})" if self.name else str(self.strength)


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A counter in play that a roll is about by its name alone. ``id``: "" for one that the app does not know."""

    name: str
    id: str = ""

    @classmethod
    def read(cls, row: Values) -> "NamedUnit":
        """From the cleaned values of a row."""
        return cls(row["name"], row["id"])

    def plain(self) -> Json:
        """As a row of JSON."""
        return {"name": self.name, **({"id": self.id} if self.id else {})}

    def __str__(self) -> str:
        return self.name
