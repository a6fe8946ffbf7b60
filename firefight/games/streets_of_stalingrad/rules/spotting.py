"""Who spots for guns, how well, how far and for how many (14.2, 14.3)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources
from firefight.engine.text import fold
from firefight.engine.values import Json

from .bombardment import FireTable
from .terms import Side


class Spotter(Labelled):
    """Who sees the target."""

    SELF = "self", "The guns themselves, or Stukas"
    OP = "op", "An observer"
    NONOP = "nonop", "Another unit or a leader"


class Standpoint(Labelled):
    """Where the spotter is."""

    OTHER = "other", "Anywhere else"
    HILL_TOP = "hill_top", "A hill top"
    MAMAYEV = "mamayev", "Mamayev Kurgan, 1039"


class Over(Labelled):
    """What it looks over."""

    LAND = "land"
    VOLGA = "volga"


class Spots(Labelled):
    """Whose capacity it is."""

    SOVIET_62_OP = "soviet_62_op", "Soviet 62 Army observer"
    GERMAN_LI_OP = "german_li_op", "German LI Corps observer"
    GERMAN_DIVISION_OP = "german_division_op", "German division's observer"
    LEADER = "leader"
    OTHER = "other", "Another unit"


CAPACITY: dict[Spots, Json] = {
    Spots.SOVIET_62_OP: {"af": 90},
    Spots.GERMAN_LI_OP: {"af": 90},
    Spots.GERMAN_DIVISION_OP: {"af": 60},
    Spots.LEADER: {"units": 2},
    Spots.OTHER: {"units": 1},
}


def spotting(
    *,
    charts: Book,
    spotter: Spotter,
    out_of_command: bool,
    not_adjacent: bool,
    table: FireTable,
    named_leader: bool,
    position: Standpoint,
    over: Over,
    capacity_of: Spots,
) -> Result:
    """The line of the Spotting Table, how far the spotter sees and how much it spots for (14.24, 14.25, 14.31).

    not_adjacent: the spotter is not next to the target. named_leader: it is a leader, not a commissar.
    """
    chart = charts["spotting"]
    assert isinstance(chart, Numbers)
    key = _find_line(spotter, out_of_command, not_adjacent)
    is_near_leader = named_leader and spotter is Spotter.NONOP and not not_adjacent and table is FireTable.WBBT
    lines = without_zeroes(
        Modifier(chart.names[key].capitalize(), chart.get(key), "14.31 Spotting Table") if key else None,
        Modifier("Named leader next to the target", chart.get("named_leader"), "14.31") if is_near_leader else None,
    )
    drm, reach = total(lines), find_range(spotter, position, over)
    capacity = CAPACITY[capacity_of]
    hexes_words = "any number of hexes" if capacity_of.value.endswith("_op") else "one hex"
    words = f"{capacity['af']} AF" if "af" in capacity else f"{capacity['units']} guns' units"
    return Result(
        f"Spotting: {drm:+d}, as far as {reach} hexes.",
        IsShown.SHOWN,
        modified=drm,
        modifiers=lines,
        details={"drm": drm, "range": reach, "capacity": dict(capacity)},
        effects=(
            f"{capacity_of.word}: {words} a phase, {hexes_words} (14.22, 14.24).",
            *(("A date adds to it on this table (14.31).",) if table is FireTable.EBBT else ()),
        ),
        follow_ups=tuple(_hand_on(drm, table)),
        rules=("14.24", "14.25 Spotting Ranges", "14.31 Spotting Table"),
        provenance=sources([chart]),
    )


def _find_line(spotter: Spotter, out_of_command: bool, not_adjacent: bool) -> str:
    """The one line that applies; "" for guns that see for themselves."""
    if spotter is Spotter.SELF:
        return ""
    command = "out_of_command" if out_of_command else "in_command"
    if spotter is Spotter.OP:
        return f"op_{command}"
    return f"{'far' if not_adjacent else 'near'}_{command}"


def find_range(spotter: Spotter, position: Standpoint, over: Over) -> int:
    """How many hexes it sees (14.25): observers on Mamayev Kurgan 12 over the Volga, else 9 or 4."""
    if position is Standpoint.MAMAYEV and spotter is Spotter.OP and over is Over.VOLGA:
        return 12
    return 4 if position is Standpoint.OTHER and over is Over.LAND else 9


def _hand_on(drm: int, table: FireTable) -> list[FollowUp]:
    bombardment_step = FollowUp("bombardment", "Bombardment", {"spotting": drm, "table": table.value})
    if table is not FireTable.CRT:
        return [bombardment_step]
    fire_titles = {"attack": "Attack", "defensive-fire": "Defensive or opportunity fire"}
    return [*(FollowUp(slug, title, {"spotting": drm}) for slug, title in fire_titles.items()), bombardment_step]


# Command


class Artillery(Labelled):
    """Whose guns."""

    FORMATION = "formation", "Of a formation, or attached to one"
    INDEPENDENT = "independent", "Independent"
    FREE_MORTAR = "free_mortar", "Soviet 7-point mortars without yellow"
    EIGHTY_EIGHT = "88mm", "German 88 mm"


class SpotterType(Labelled):
    """Who spots for them."""

    OP = "op", "An observer"
    LEADER = "leader", "A leader or commissar"
    UNIT = "unit", "Another unit"


class Command(Outcome):
    """Whether guns are in the spotter's command."""

    IN_COMMAND = "in_command"
    OUT_OF_COMMAND = "out_of_command"


TOP = {Side.SOVIET: ("62", "62army", "army"), Side.GERMAN: ("li", "licorps", "51", "51corps", "6", "6army")}


def command(
    *,
    charts: Book,
    side: Side,
    artillery: Artillery,
    artillery_path: str,
    spotter_type: SpotterType,
    spotter_path: str,
) -> Result:
    """Whether guns are in a spotter's command (14.33 to 14.39).

    artillery_path: the formation that owns the guns, from the top: 94/276/II, or 94 for a division's artillery.
    spotter_path: the spotter's own; LI, 62 or 6 for the corps' and armies'. Raises BadInput for guns that the side
    does not have.
    """
    owners = {Artillery.FREE_MORTAR: Side.SOVIET, Artillery.EIGHTY_EIGHT: Side.GERMAN}
    if owners.get(artillery, side) is not side:
        raise BadInput({"artillery": f"Only the {side.other.word} side has these."})
    is_in_command, why = _judge_command(side, artillery, artillery_path, spotter_type, spotter_path)
    outcome = Command.IN_COMMAND if is_in_command else Command.OUT_OF_COMMAND
    return Result(
        f"The guns are {outcome.word.lower()}.",
        outcome,
        details={"in_command": is_in_command},
        effects=(why,),
        follow_ups=(
            FollowUp(
                "spotting",
                "Spotting",
                {"out_of_command": not is_in_command, "spotter": "op" if spotter_type is SpotterType.OP else "nonop"},
            ),
        ),
        rules=("14.33", "14.35", "14.36 Spotting Chain of Command", "14.38", "14.39"),
    )


def _judge_command(
    side: Side, artillery: Artillery, artillery_path: str, spotter_type: SpotterType, spotter_path: str
) -> tuple[bool, str]:
    commands = spotter_type is not SpotterType.UNIT
    if artillery is Artillery.FREE_MORTAR:
        return True, "Any Soviet unit spots for these mortars (14.35, note)."
    if artillery is Artillery.EIGHTY_EIGHT:
        reason = "Any German observer or leader spots for 88s, no other unit does (14.03, 14.38; ruling A23)."
        return commands, reason
    gun_formation, spotter_formation = _read_path(side, artillery_path), _read_path(side, spotter_path)
    if commands and spotter_formation == ():
        return True, "All guns of the side are in the command of its army and corps (14.34, 14.36)."
    if artillery is Artillery.INDEPENDENT:
        note = " Stacked with a division's guns they are that division's (14.35)." if side is Side.GERMAN else ""
        return False, f"Independent guns answer to army and corps alone (14.39).{note}"
    if not gun_formation or not spotter_formation:
        return False, "Give both formations, as 94/276/II."
    if spotter_formation[: len(gun_formation)] == gun_formation:
        return True, "The spotter belongs to the formation that owns the guns (14.36)."
    if commands and gun_formation[: len(spotter_formation)] == spotter_formation:
        return True, "The guns belong to a formation that the spotter commands (14.36)."
    return False, "The spotter neither belongs to the formation that owns the guns nor commands it (14.36)."


def _read_path(side: Side, path: str) -> tuple[str, ...] | None:
    """A formation from the top, without army and corps; () for army or corps itself, None where nothing is given."""
    parts = [fold(part) for part in path.split("/") if fold(part)]
    if not parts:
        return None
    return tuple(parts[1:] if parts[0] in TOP[side] else parts)
