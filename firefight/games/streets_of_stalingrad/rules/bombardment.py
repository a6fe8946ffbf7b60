"""Bombardments: on either bank and on the Combat Results Table, and what they cost (14.4 to 14.6, 14.81)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, total
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Json

from .attack import list_target
from .crt import find_column, find_table, has_p
from .dates import say_date
from .fire import Fire, Shot, follow_leader, follow_tank, say_sum, take_aim
from .terms import Side

RULES = ("14.45", "14.6 Bombardment DRMs")


class FireTable(Labelled):
    """What a bombardment is read on."""

    WBBT = "wbbt", "West Bank (WBBT)"
    EBBT = "ebbt", "East Bank (EBBT)"
    CRT = "crt", "Combat Results (CRT)"


class Box(Outcome):
    """The result of the East Bank Table, whose numbers stand in the details."""

    EAST_BANK = "east_bank", "East Bank guns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bombardment(Fire):
    """What else decides it. ``op_on_1039``: an observer on Mamayev Kurgan, the Luftwaffe's for Stukas.

    ``unseen``: neither the guns nor any of their spotters sees the hex. ``own_hex``: one's own units are interdicted.
    ``terrain_drm``: None for the chart's, on the Combat Results Table.
    """

    table: FireTable = FireTable.WBBT
    fortification: bool = False
    target_all_armored: bool = False
    target_on_enemy_minefield: bool = False
    op_on_1039: bool = False
    own_hex: bool = False
    adjacent_leader: bool = False
    terrain_drm: int | None = None
    unseen: bool = False

    @property
    def read_on(self) -> FireTable:
        """The table: one's own hexes are bombarded on the Combat Results Table (14.85)."""
        return FireTable.CRT if self.own_hex else self.table


def bombardment(*, charts: Book, die: int | None = None, **fields: Any) -> Result:
    """Resolve a bombardment (14.45, 14.6, 14.85). ``fields``: those of Bombardment.

    Raises BadInput for Soviets who bombard East Bank boxes (14.54), and for a hex that nobody sees (14.46).
    """
    fire = Bombardment(**fields)
    if fire.unseen:
        raise BadInput({"unseen": "Nobody sees the hex: no blind fire (14.46)."})
    if fire.read_on is FireTable.EBBT:
        return _bombard_boxes(charts, fire, die)
    title = f"{fire.firer.word} bombardment, {fire.read_on.word}"
    aim = take_aim(
        charts, fire, list_bombardment_lines(charts, fire), title=title, rules=RULES, table=fire.read_on.value
    )
    if die is None:
        return aim.wait()
    shot = aim.throw(die)
    return shot.tell({"pinned": None}, _list_effects(charts, fire, shot), _follow(fire, shot))


def list_bombardment_lines(charts: Book, fire: Bombardment) -> Iterable[Modifier]:
    """Every line that counts: 14.6, on the Combat Results Table those of 9.71 about the target (ruling S46)."""
    if fire.own_hex:
        yield Modifier("Interdiction of one's own hex", -2, "14.85")
        return
    yield from fire.list_firers()
    if fire.read_on is FireTable.CRT:
        yield from fire.list_armour()
    yield from list_target(fire.fortification, fire.target_all_armored)
    yield Modifier("Target on an enemy minefield", -int(fire.target_on_enemy_minefield), "17.23")
    if fire.read_on is FireTable.CRT:
        yield from fire.list_leader()
        yield Modifier("Enemy leader next to the target", int(fire.adjacent_leader), "18.21")
        yield Modifier(f"Terrain: {fire.terrain.word}", _find_known_terrain(charts, fire) or 0, "9.71, TEC")
    yield from fire.list_other()


def _find_known_terrain(charts: Book, fire: Bombardment) -> int | None:
    """What the terrain adds, as given or as the chart has it; None for a blank (ruling S64)."""
    chart = charts["terrain"]
    assert isinstance(chart, Numbers)
    return chart.values.get(fire.terrain.value) if fire.terrain_drm is None else fire.terrain_drm


def _list_effects(charts: Book, fire: Bombardment, shot: Shot) -> Iterable[str]:
    if fire.own_hex:
        yield "One's own hex: the Combat Results Table at -2, and nothing else counts (14.85)."
    elif fire.read_on is FireTable.CRT and _find_known_terrain(charts, fire) is None:
        yield f"The Terrain Effects Chart is blank for {fire.terrain.word}: give its modifier, or it counts 0."
    if has_p(shot.result):
        yield "Nobody retreats after a bombardment (9.883)."


def _follow(fire: Bombardment, shot: Shot) -> Iterable[FollowUp]:
    """Losses in their own order, the leader in the hex, the tank (14.81 to 14.83)."""
    target = fire.firer if fire.own_hex else fire.firer.other
    if shot.eliminated:
        order = {"number": str(shot.eliminated), "table": fire.read_on.value, "side": target.value}
        yield FollowUp("bombardment-losses", f"{target.word} losses", order)
        if fire.leader_in_target or fire.pavlov_house_target:
            yield follow_leader(target, shot.eliminated, shot.lost, fire.date)
        if target is Side.SOVIET and fire.terrain.is_built_up and fire.target_armored:
            yield follow_tank(fire.terrain, fire.date)


def _bombard_boxes(charts: Book, fire: Bombardment, die: int | None) -> Result:
    """Soviet guns in East Bank boxes (14.5, EBBT): only spotting and the date count (14.6)."""
    if fire.firer is Side.SOVIET:
        raise BadInput({"firer": "Only Germans bombard East Bank boxes (14.54)."})
    pinned_table, lost_table = (find_table(charts, f"ebbt_{name}") for name in ("pinned", "eliminated"))
    column = find_column(pinned_table, fire.strength)
    modifiers = tuple(line for line in _list_box_lines(charts, fire) if line.value)
    title, rules = f"Bombardment of an East Bank box, {fire.strength} points", ("14.5 East Bank Boxes", "14.52", "14.6")
    warnings = () if fire.op_on_1039 else ("Without an observer on 1039 only Stukas may do this (14.29, 15.31).",)
    if die is None:
        details = {"column": column}
        words = f"{title}: column {column}, {say_sum(modifiers)}. Roll a d10."
        return waiting(words, "die", modifiers=modifiers, details=details, rules=rules)
    modified = check_face(die, 10) + total(modifiers)
    pinned, lost = (int(table.look_up(modified, fire.strength)) for table in (pinned_table, lost_table))
    losses = f"{pinned} pinned{f', {lost} more eliminated' if lost else ''}" if pinned or lost else "no effect"
    return Result(
        f"{title}: {losses}.",
        Box.EAST_BANK,
        losses,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details={"column": column, "result": None, "eliminated": lost, "pinned": pinned, "marker": None},
        effects=(*((BLINDLY,) if pinned or lost else ()), *warnings),
        follow_ups=(FollowUp("box-guns", "Which guns are pinned", {}),) if pinned else (),
        rules=rules,
        provenance=sources([pinned_table, lost_table]),
    )


def box_guns(*, charts: Book, units: tuple[str, ...]) -> Result:
    """Soviet guns that a bombardment of their box has pinned; they fire again in phase 9 (14.54, EBBT)."""
    return Result(
        f"Pinned in their box: {', '.join(units) or 'none'}.",
        Counted.COUNTED,
        details={"units": list(units)},
        effects=("They fire again in phase 9 (14.54).",) if units else (),
        rules=("14.54", "EBBT"),
    )


BLINDLY = "The Soviet picks the guns blindly; pinned ones fire again in phase 9 (14.81)."


def _list_box_lines(charts: Book, fire: Bombardment) -> Iterable[Modifier]:
    """Spotting, once: as given, or the observer on 1039 (14.52, 15.31); and the date (14.31)."""
    if fire.spotting:
        yield Modifier("Spotting", fire.spotting, "14.31 Spotting Table")
    else:
        yield Modifier("Observer on 1039", -int(fire.op_on_1039), "14.52")
    yield Modifier(f"Date, {say_date(fire.date)}", find_box_drm(charts, fire.date), "14.31 Spotting Table")


def find_box_drm(charts: Book, date: str) -> int:
    """What the date adds on the East Bank Bombardment Table (14.31)."""
    chart = charts["ebbt_dates"]
    assert isinstance(chart, Matrix)
    return int(chart.cell(max(row for row in chart.rows if row <= date), "drm"))


# Losses

ORDER = ("minefield", "bridge", "combat", "armored", "sniper")
LAST = ("op", "fortification")  # with the last of the others


def bombardment_losses(*, charts: Book, number: str, table: FireTable = FireTable.CRT, **classes: int) -> Result:
    """Who is lost by a bombardment, in the order of 14.81. number: how many, or "all"; classes: how many of each."""
    losses = take_in_order(number, table, classes)
    words = join_words(count_of(count, NAMES[kind]) for kind, count in losses.items())
    return Result(
        f"Losses of the bombardment: {words or 'none'}.",
        Counted.COUNTED,
        details={"lost": losses},
        effects=tuple(_say_losses(losses)),
        rules=("14.81", "9.82", "17.13"),
    )


def take_in_order(number: str, table: FireTable, classes: Mapping[str, int]) -> dict[str, int]:
    """How many of each class go, without those that lose none (14.81). Raises BadInput for what is not a number."""
    remaining = most = sum(classes.values()) if number == "all" else read_eliminated(number)
    order = [kind for kind in ORDER if kind != "bridge" or table is FireTable.CRT]  # ruling S47
    lost: dict[str, int] = {}
    for kind in order:
        lost[kind] = min(remaining, classes.get(kind, 0))
        remaining -= lost[kind]
    if most and all(lost[kind] == classes.get(kind, 0) for kind in order):
        lost |= {kind: classes.get(kind, 0) for kind in LAST}
    return {kind: count for kind, count in lost.items() if count}


NAMES = {
    "minefield": "minefield",
    "bridge": "bridge",
    "combat": "combat unit",
    "armored": "armoured unit",
    "sniper": "sniper",
    "op": "observer",
    "fortification": "fortification",
}


def read_eliminated(text: str) -> int:
    """How many a D takes. Raises BadInput."""
    if not (text.isascii() and text.isdigit() and int(text) <= 20):
        raise BadInput({"number": "Give how many the result eliminates, 0 to 20, or all."})
    return int(text)


def _say_losses(losses: Json) -> Iterable[str]:
    if losses.get("bridge"):
        yield "One vehicle unit of MP 24 or more on the bridge is lost with it (17.14)."
    if losses.get("combat") or losses.get("armored"):
        yield "The owner says which; a leader in the hex rolls for survival (14.82)."
