"""What the text says about a hex: appendices A and B, victory points, hill tops (3.4, 8.12, 14.25)."""

import re
from collections.abc import Mapping
from functools import cache

from firefight.engine.board.hexes import BadHex, Hex, NumberedHexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown, allow_or_refuse
from firefight.engine.rolls.result import Result
from firefight.engine.text import count_of, join_words

from .data import from_text, read_lists

HEXES = NumberedHexMap(last_column=40, last_row=79)


class Feature(Labelled):
    """What a vehicle meets in a hex of the appendices."""

    BALKA = "balka"
    TARTAR_WALL = "tartar_wall", "Tartar Wall"
    RAILROAD = "railroad"
    EMBANKMENT = "embankment"

    @property
    def printed(self) -> str:
        """As the JSON contract has it."""
        return "Tartar Wall" if self is Feature.TARTAR_WALL else self.value


@cache
def list_features(appendix: str) -> Mapping[str, tuple[Feature, ...]]:
    """The hexes of an appendix, ``blocks`` or ``crosses``, each with what lies there."""
    features: dict[str, tuple[Feature, ...]] = {}
    for feature in Feature:
        for number in read_lists("hexes")[appendix][feature.value].split():
            features[number] = (*features.get(number, ()), feature)
    return features


@cache
def list_victory_hexes() -> Mapping[str, int]:
    """The twenty victory hexes with their points (3.4)."""
    listed = read_lists("hexes")["victory"].items()
    return {number: int(points) for points, numbers in listed for number in numbers.split()}


def read_hex(text: str, field: str) -> str:
    """A hex number of four digits. Raises BadInput, or OpenQuestion if it is missing."""
    if not text:
        raise OpenQuestion({field: "Which hex? Give its four digits, such as 1842."})
    if not re.fullmatch(r"\d{4}", text, re.ASCII):
        raise BadInput({field: "Give the hex by its four digits, such as 1842."})
    return text


def read_place(text: str) -> Hex | None:
    """A hex of the map by its four digits; None for anything else."""
    try:
        return HEXES.parse(text) if text else None
    except BadHex:
        return None


def find_distance(start: str, end: str) -> int | None:
    """Hexes from one hex to another; None where one of them is none."""
    first, last = read_place(start), read_place(end)
    return HEXES.distance(first, last) if first and last else None


def list_around(place: str) -> list[str]:
    """The hexes that touch one; none for what is not a hex."""
    center = read_place(place)
    return [str(neighbour) for neighbour in HEXES.neighbours(center)] if center else []


def find_landings(charts: Book) -> dict[str, str]:
    """The hex at which each landing arrow points, as far as the text or the owner has given it (3.4)."""
    chart = charts["arrows"]
    assert isinstance(chart, Numbers)
    return {arrow: f"{value:04d}" for arrow, value in chart.values.items() if value is not None}


def sees_hill(number: str, other: str) -> bool:
    """Whether an observer on 1039 sees that hill top, or is seen from it (14.25)."""
    pairs = read_lists("hexes")["sight"].items()
    return any({number, other} == {top, seen_top} for top, tops in pairs for seen_top in tops.split())


def name_features(appendix: str, number: str) -> list[str]:
    """What an appendix has in a hex, as printed."""
    return [feature.printed for feature in list_features(appendix).get(number, ())]


def hex_facts(*, charts: Book, number: str, other: str = "") -> Result:
    """What the text says about a hex (Appendices A and B, 3.4, 14.25 Spotting Ranges; A17).

    number: four digits. other: a hill top that an observer on 1039 might see, or the other way round.
    """
    number = read_hex(number, "number")
    sees = sees_hill(number, read_hex(other, "other")) if other else None
    blocks, crosses = name_features("blocks", number), name_features("crosses", number)
    points = list_victory_hexes().get(number, 0)
    return Result(
        f"{number}: {_say_features(blocks, crosses)}{_say_points(points)}.",
        IsShown.SHOWN,
        details={"blocks": blocks, "crosses": crosses, "vp": points, "sees": sees},
        effects=tuple(_tell(charts, number, other, blocks, crosses, sees)),
        rules=(
            "Appendix A",
            "Appendix B",
            *(("3.4",) if points else ()),
            *(("14.25 Spotting Ranges",) if other else ()),
        ),
        provenance=from_text("hexes"),
    )


def _say_features(blocks: list[str], crosses: list[str]) -> str:
    clauses = ([f"{join_words(blocks)} blocks vehicles"] if blocks else []) + (
        [f"vehicles may cross the {join_words(crosses)}"] if crosses else []
    )
    return ", ".join(clauses) or "in neither appendix"


def _say_points(points: int) -> str:
    return f", {points} victory point{'s' if points > 1 else ''}" if points else ""


def _tell(charts: Book, number: str, other: str, blocks: list[str], crosses: list[str], sees: bool | None) -> list[str]:
    listed = read_lists("hexes")
    facts = []
    if set(blocks) & set(crosses):
        facts.append("It stands in both appendices: look at the map (A17).")
    elif blocks and crosses:
        facts.append(f"Of the two the {join_words(blocks)} blocks (A17).")
    arrows = [arrow for arrow, landing in find_landings(charts).items() if landing == number]
    facts += [f"River landing, arrow {arrow}." for arrow in arrows]
    facts += [f"{listed['named'][number]}."] if number in listed["named"] else []
    if sees is not None:
        facts.append(
            f"An observer on either hill top sees {other} (14.25)."
            if sees
            else f"Nothing lets {number} see {other} beyond the ranges of 14.25; lay a ruler on the map."
        )
    return facts


RIVER_HEX, RIVER_RANGE = "0218", 8  # the only number beside a box that the text gives (14.53)


def box_range(*, charts: Book, river: str, target: str, gun_range: int, number: int | None = None) -> Result:
    """Whether guns reach from an East Bank box, or into one, through a river hex beside it (2.16, 14.53).

    river: the hex with a small number; number: what is printed there, None where the text gives it. Raises BadInput.
    """
    river, target = read_hex(river, "river"), read_hex(target, "target")
    entered = {"river": river, "target": target}
    if off_map := {
        name: f"{hex_number} is not a hex on the map."
        for name, hex_number in entered.items()
        if not read_place(hex_number)
    }:
        raise BadInput(off_map)
    printed = RIVER_RANGE if number is None and river == RIVER_HEX else number
    if printed is None:
        raise BadInput({"number": f"Which small number is printed in {river}? The text has that of {RIVER_HEX} alone."})
    total = printed + HEXES.distance(HEXES.parse(river), HEXES.parse(target))
    reasons = [] if total <= gun_range else [f"2.16: {count_of(total, 'hex', 'hexes')} away, range {gun_range}."]
    return allow_or_refuse(
        f"From the box through {river} to {target}, {count_of(total, 'hex', 'hexes')}",
        reasons,
        ("2.16", "14.53"),
        {"range": total},
    )
