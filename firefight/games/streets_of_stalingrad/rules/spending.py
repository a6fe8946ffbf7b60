"""What combat uses up and leaves behind, as a match keeps it: hexes, Stukas, guns, markers.

A hex is attacked once a phase (9.14, 10.4), a Stuka flies once a turn (15.21), a gun fires its AF once a turn (14.02).
"""

from collections.abc import Iterator

from firefight.engine.course.keeping import TableState
from firefight.engine.record import RecordChange, clamp, push, put_in
from firefight.engine.rolls.result import Result
from firefight.engine.text import count_of, join_numbers, join_words
from firefight.engine.values import Json, Values

from .air import PHASES as USES
from .air import Use
from .battle import KEY, is_breakthrough
from .bombardment import FireTable
from .defensive_fire import FireKind
from .filling import name_fired, put_in_passed_hex
from .limits import POINTS_PER_MP
from .phases import PhaseKind, find_phase
from .record import INTERDICTED, RECORD, TERRAIN_TOLD
from .silence import list_silent
from .terms import Side, Terrain
from .units import Arm

ATTACK, BREAKTHRU, PINNED = "attack", "breakthru", "pinned"
BREAKING = (PhaseKind.MOVEMENT, PhaseKind.EXPLOIT_MOVEMENT)  # in which only breakthrough attacks are made (10.1)
ATTACKS = frozenset({"attack", "battle"})

Noted = tuple[RecordChange, ...]


def breaks_through(inputs: Values, situation: TableState) -> bool:
    """Whether an attack is a breakthrough attack: as declared, or since it is made in a movement phase (10.1)."""
    return is_breakthrough(inputs) or find_phase(int(situation.position.phase)).kind in BREAKING


def count_flying(slug: str, inputs: Values) -> int:
    """How many Stukas a roll sends: those of a whole attack as it is declared, not again at its steps."""
    if slug == "battle":
        return int(inputs.get("stukas") or 0)
    return 0 if inputs.get(KEY) else int(inputs.get("flying") or 0)


def find_reasons(slug: str, inputs: Values, situation: TableState) -> dict[str, str]:
    """What the record has against a fire, by field: hexes, Stukas and guns that are used up already."""
    inputs, place = _add_guns(slug, inputs, situation), TERRAIN_TOLD.read_place(inputs.get("hex"))
    reasons = dict(_find_spent(slug, inputs, situation))
    if slug in ATTACKS and place:
        name, rule = ("breakthroughs", "10.4") if breaks_through(inputs, situation) else ("attacked", "9.14")
        if place in situation.record[name]:
            reasons["hex"] = f"{place} was attacked in this phase already ({rule})."
    return reasons


def _add_guns(slug: str, inputs: Values, situation: TableState) -> Values:
    """The inputs of fire in defence with the guns among its counters: a step of an attack does not ask for them."""
    if slug != "defensive-fire" or KEY not in inputs:
        return inputs
    firing, struck = (
        [piece for piece in situation.pieces if piece.counter.id in {row.get("id") for row in inputs.get(name) or ()}]
        for name in ("by", "at")
    )
    return {**inputs, **name_fired(firing, put_in_passed_hex(struck, inputs))}


def _find_spent(slug: str, inputs: Values, situation: TableState) -> Iterator[tuple[str, str]]:
    record = situation.record
    flying, stukas_left = count_flying(slug, inputs), count_stukas_left(record)
    if stukas_left is not None and flying > stukas_left:
        yield (
            "stukas" if slug == "battle" else "flying",
            f"{count_of(stukas_left, 'Stuka')} left this turn, not {flying} (15.21).",
        )
    phase = int(situation.position.phase)
    if flying and (reason := _say_not_now(slug, inputs, phase)):
        yield ("stukas" if slug == "battle" else "flying"), reason
    fired_before = [
        row["unit"] for row in list_at_movers(slug, inputs) if {**row, "phase": phase} in record["opportunity"]
    ]
    if fired_before:
        yield "by", f"{join_words(fired_before)} fired at movers in this phase already: once a phase (11.2)."
    fired = {row["unit"]: row for row in record["fired"]}
    is_declared = slug == "attack" and inputs.get(KEY)  # with the guns that its declaration named
    used_guns = [fired[gun] for gun in inputs.get("gun_names") or () if gun in fired and not is_declared]
    if used_guns:
        reasons = (f"{row['unit']} {'is pinned in its box' if row['in_box'] else 'has fired'}" for row in used_guns)
        yield "gun_names", f"{', '.join(reasons)} (14.02, 14.54)."
    silent = sorted({*(inputs.get("gun_names") or ())} & list_silent(inputs.get("firer"), record) - fired.keys())
    if silent and not is_declared:
        yield "gun_names", f"{join_words(silent)}: no ammunition this turn (14.72)."
    yield from () if is_declared else _find_flak_spent(inputs, record, phase)


def _say_not_now(slug: str, inputs: Values, phase: int) -> str:
    """Why Stukas do not come now; "" where they do (15.11, 14.42; ruling S-63). In attacks they come as these do."""
    if inputs.get("firer") == Side.SOVIET:
        return "Only Germans have Stukas (15.1)."
    if slug not in ("bombardment", "interdiction"):
        return ""
    is_at_box = inputs.get("table") == FireTable.EBBT
    use = Use.INTERDICT if slug == "interdiction" else Use.EAST_BANK if is_at_box else Use.BOMBARD
    return "" if phase in USES[use] else f"No Stukas for that in phase {phase}: {join_numbers(USES[use])} (15.11)."


def _find_flak_spent(inputs: Values, record: Values, phase: int) -> Iterator[tuple[str, str]]:
    """88s fire once a phase, directly or indirectly; directly in any number of phases (14.03)."""
    fired_now = {
        name: {row["unit"] for row in record[name] if row["phase"] == phase} for name in ("fired", "fired_directly")
    }
    directly = sorted({*(inputs.get("flak_names") or ())} & (fired_now["fired"] | fired_now["fired_directly"]))
    used_up = {row["unit"] for row in record["fired"]}  # already reported
    indirectly = sorted({*(inputs.get("gun_names") or ())} & fired_now["fired_directly"] - used_up)
    for field, names in (("flak_names", directly), ("gun_names", indirectly)):
        if names:
            yield field, f"{join_words(names)} fired in this phase already: an 88 does once a phase (14.03)."


def list_at_movers(slug: str, inputs: Values) -> list[Json]:
    """Those who use opportunity fire, each once a phase; a leader may help several (11.2)."""
    if slug != "defensive-fire" or inputs.get("kind") != FireKind.OPPORTUNITY:
        return []
    side = str(inputs.get("firer") or "")
    return [{"unit": row["name"][:40], "side": side} for row in inputs.get("by") or () if _fires(row)]


def _fires(row: Values) -> bool:
    """Whether that is not a leader, as far as anybody has said."""
    return bool(row.get("name")) and not (row.get("sort") in set(Arm) and Arm(row["sort"]).is_leader)


def count_stukas_left(record: Values) -> int | None:
    """How many Stukas are left this turn, none in bad weather; None where nobody has said how many there are."""
    if record["weather"] == "bad":
        return 0
    return None if record["stukas"] is None else max(0, record["stukas"] - record["stukas_used"])


def note_fire(slug: str, inputs: Values, result: Result, situation: TableState) -> Noted:
    """What a fire leaves behind: one change of the record, or none. An attack that falls away was one (R-145)."""
    inputs, place = _add_guns(slug, inputs, situation), TERRAIN_TOLD.read_place(inputs.get("hex"))
    values: Json = dict(_note_spent(slug, inputs, situation))
    if slug in ("attack", "fall-away") and place:
        values["breakthroughs" if breaks_through(inputs, situation) else "attacked"] = push(place)
    markers = _mark(slug, place, inputs, result, situation) if place else {}
    # At a step of a whole attack the advance says so.
    if slug == "attack" and not inputs.get(KEY) and breaks_through(inputs, situation) and _is_emptied(result):
        markers = markers or take_hex(inputs, situation)
    if markers:
        values["markers"] = markers
    return (RECORD.change(values),) if values else ()


def _note_spent(slug: str, inputs: Values, situation: TableState) -> Iterator[tuple[str, object]]:
    flying = count_flying(slug, inputs)
    if flying:
        yield "stukas_used", clamp(flying)
    fired = {row["unit"] for row in situation.record["fired"]}
    phase = int(situation.position.phase)
    movers = list_at_movers(slug, inputs)
    if movers:
        yield "opportunity", put_in(*({**row, "phase": phase} for row in movers))
    rows = [{"unit": gun, "phase": phase} for gun in inputs.get("gun_names") or () if gun not in fired]
    if rows:
        yield "fired", put_in(*rows)
    fired_directly = {row["unit"] for row in situation.record["fired_directly"] if row["phase"] == phase}
    flak = [{"unit": gun, "phase": phase} for gun in inputs.get("flak_names") or () if gun not in fired_directly]
    if flak:
        yield "fired_directly", put_in(*flak)


def _mark(slug: str, place: str, inputs: Values, result: Result, situation: TableState) -> Json:
    """The markers of a hex after a fire (9.64, 9.84, 9.114): what comes off, what comes on.

    Under an attack marker pinned units stay pinned. An attack marker needs an infantry type next to the hex.
    """
    old_markers = [row for row in situation.record["markers"] if row["hex"] == place]
    is_attacked = any(row["marker"] == ATTACK for row in old_markers)
    coming = []
    is_marked = slug == "attack" and not breaks_through(inputs, situation)
    if is_marked and inputs.get("adjacent_infantry") and not is_attacked:
        coming, is_attacked = [ATTACK], True
    marker = result.details.get("marker")
    is_on_counters = any(row.get("id") for row in inputs.get("at") or ())  # which carry it themselves (S-65)
    # Units pinned on the Volga are back in their box at once (8.70).
    if (
        marker
        and not is_on_counters
        and not _are_all_gone(inputs, result)  # nobody is left to be pinned
        and inputs.get("terrain") != Terrain.VOLGA
        and not inputs.get("soviet_target_on_volga")
    ):
        coming.append(marker)
    new_markers = [
        {"hex": place, "marker": marker, "under_attack": marker == PINNED and is_attacked} for marker in coming
    ]
    open_still = [row for row in old_markers if row["marker"] == PINNED and not row["under_attack"] and is_attacked]
    new_markers += [{**row, "under_attack": True} for row in open_still]
    added = [row for index, row in enumerate(new_markers) if row not in old_markers and row not in new_markers[:index]]
    return _change_list(open_still, added)


def _change_list(struck: list[Json], added: list[Json]) -> Json:
    return {name: rows for name, rows in (("strike", struck), ("add", added)) if rows}


def take_hex(inputs: Values, situation: TableState) -> Json:
    """The breakthru marker of a hex that attackers have broken into: of the hex, whoever stands there (10.6, S-65)."""
    place = TERRAIN_TOLD.read_place(inputs.get("hex"))
    row = {"hex": place, "marker": BREAKTHRU, "under_attack": False}
    return {"add": [row]} if place and row not in situation.record["markers"] else {}


def _is_emptied(result: Result) -> bool:
    """Whether nobody is left in the hex: its units were counted, or all are lost (10.6)."""
    return any(step.helper == "advance" for step in result.follow_ups)


def _are_all_gone(inputs: Values, result: Result) -> bool:
    """Whether a fire of any kind has taken all who were counted in its target."""
    target_units = int(inputs.get("combat_units") or 0) + int(inputs.get("immobilized") or 0)
    return _is_emptied(result) or bool(target_units) and result.details.get("lost") == target_units


def note_interdiction(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A hex interdicted at a cost in MP, until the next attack phase ends (14.84, 15.22)."""
    place = TERRAIN_TOLD.read_place(inputs.get("hex"))
    row = {"hex": place, "marker": INTERDICTED, "under_attack": False}
    values: Json = dict(_note_spent("interdiction", inputs, situation))
    if place and int(inputs.get("points") or 0) >= POINTS_PER_MP and row not in situation.record["markers"]:
        values["markers"] = put_in(row)
    return (RECORD.change(values),) if values else ()


def note_box_guns(inputs: Values, result: Result, situation: TableState) -> Noted:
    """Guns that are pinned in their East Bank box fire again in phase 9 (14.54, EBBT)."""
    fired, phase = {row["unit"] for row in situation.record["fired"]}, int(situation.position.phase)
    guns = [gun for gun in inputs.get("units") or () if gun not in fired]
    rows = [{"unit": gun, "phase": phase, "in_box": True} for gun in guns]
    return (RECORD.change({"fired": put_in(*rows)}),) if rows else ()
