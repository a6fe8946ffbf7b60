"""Who comes under fire, who is hit unseen, and who may fire at aircraft first: judged after every act.

It compares two moments of a table: counters as their own side knows them, rows of the record as they are stored,
and what is due. Like the umpire (umpire.py) it decides from the rules' text alone and asks nothing of the app.
"""

from collections import Counter
from dataclasses import dataclass

from .gunfire import mg_ff, own_ff
from .tablekeeper import Wrong
from .umpire import SILENT, counter_of, find_spot, hexes_within, is_anti_aircraft, is_indoors, is_unit, zone_of

LIGHT_MG_REACH = 8  # 23.2
DSHK_REACH = 16  # errata 2
FURTHEST = 40


@dataclass(frozen=True)
class Moment:
    """A table between two acts. ``page``: pieces by id; ``record``: its rows; ``due``: steps by id, as plain values.

    ``charts``: of the match's book, plain.
    """

    page: dict
    record: dict
    turn: int
    phase: str
    due: dict
    charts: dict


def judge(before, after, rolls):
    """Raise Wrong where what has become due between two moments is not what the text has. ``rolls``: those made."""
    fresh = {step_id: step for step_id, step in after.due.items() if step_id not in before.due}
    _judge_movers(before, after, {step_id: step for step_id, step in fresh.items() if "-m" in step_id})
    for roll in rolls:
        if not roll["voids"]:
            _judge_unseen(roll, before, after)
            _judge_haste(roll, before)
    _judge_offers(after, fresh)
    for step_id, step in fresh.items():
        if still_hidden := [
            counter_id for counter_id in _ids_of(step) if not step["known_to"] and after.page[counter_id].hidden
        ]:
            raise Wrong(f"{step_id} tells both sides of {still_hidden}, which are hidden (A-57).")


# Who is hit by fire on arrival (17.4.5, 17.4.6)


def _judge_movers(before, after, steps):
    moved = [
        counter_id
        for counter_id, piece in after.page.items()
        if counter_id in before.page
        and find_spot(piece) != find_spot(before.page[counter_id])
        and _stands(counter_id, piece)
    ]
    is_time = after.phase == "fire_and_movement"
    expected = Counter(
        attack for row in after.record["missions"].values() if is_time for attack in _attacks_of(row, moved, after)
    )
    attacks_due = Counter(
        (tuple(sorted(_ids_of(step))), step["known_to"], step["inputs"]["ff"]) for step in steps.values()
    )
    if attacks_due != expected:
        raise Wrong(f"{attacks_due} are due as {moved} come, and not {expected} (17.4.5, 17.4.6, FA-09).")


def _attacks_of(row, moved, after):
    """The attacks of one marker: one for each location and for each side that hides somebody there."""
    shot = _shot_of(row, after.turn)
    if shot is None:
        return
    zone, groups = zone_of(shot), {}
    for counter_id in moved:
        piece = after.page[counter_id]
        if piece.place in zone:
            groups.setdefault((find_spot(piece), _owner_of(counter_id, piece)), []).append(counter_id)
    for ((place, _), owner), ids in groups.items():
        yield tuple(sorted(ids)), owner, _firepower(shot, place == shot["impact"], after.charts)


def _shot_of(row, turn):
    """What a marker on the map fires in this phase; None for nothing: it is unseen, lifted, or was not called."""
    marker, is_called = row.get("marker"), row.get("called") == turn
    if row.get("known_to") or not row.get("hex") or not row.get("caliber") or not marker:
        return None
    if marker == "cff" and not is_called:  # 17.3.6: a CFF acts in the phase in which it was called
        return None
    is_battery = row.get("kind", "battery") == "battery" and not row.get("plotted")
    # 17.3.6: an FFE that was not called again goes on in its own hex; 17.4.8.1, 17.5.3: the others last one phase.
    fire_2 = is_battery and marker == "ffe" and (bool(row.get("fire_2")) or not is_called)
    shot = {name: row.get(name) for name in ("caliber", "smoke", "danger_close")}
    return {**shot, "kind": row.get("kind", "battery"), "marker": marker, "impact": row["hex"], "fire_2": fire_2}


def _firepower(shot, is_own_hex, charts):
    """17.4.2: a CFF has a quarter, down; 17.4.3: an FFE all of it in its own hex and a share around it, up."""
    full = _row_below(charts["artillery_ff"]["values"], shot["caliber"])
    if shot["marker"] == "cff":
        return full // 4
    share = 100 if is_own_hex else _row_below(charts["ffe_shares"]["values"], shot["caliber"])
    return -(-full * share // 100)


def _row_below(values, caliber):
    return values[str(max(int(row) for row in values if int(row) <= caliber))]


# Who is hit by fire unseen


def _judge_unseen(roll, before, after):
    """An impact or bombs on hidden units are due for their owner alone."""
    zone = zone_of(roll["inputs"]) if roll["helper"] == "firepower" else _bombed(roll)
    if roll["helper"] not in ("firepower", "air-attack") or roll["inputs"].get("rim_hexes"):
        return
    expected = {}
    for counter_id, piece in before.page.items():
        if piece.place in zone and piece.hidden and after.page[counter_id].hidden and _stands(counter_id, piece):
            expected.setdefault(_owner_of(counter_id, piece), set()).add(counter_id)
    struck = {}
    for counter_id, step in after.due.items():
        if counter_id.startswith(f"{roll['number']}-s") and step["known_to"]:  # Defender Choice is open to all
            struck.setdefault(step["known_to"], set()).update(_ids_of(step))
    if struck != expected:
        raise Wrong(f"№ {roll['number']} strikes {struck} unseen, and not {expected} (A-57).")


def _bombed(roll):
    hit = roll["result"]["details"].get("hex")
    return {hit} if hit and roll["result"]["outcome"] in ("on_target", "scatter") else set()


# Who fires at aircraft first (17.6.7, A-61)


def _judge_haste(roll, before):
    """No aircraft attacks before those have been asked who may fire at it."""
    inputs = roll["inputs"]
    if roll["helper"] != "air-attack" or roll["due"] or not inputs.get("flight") or not inputs.get("hex"):
        return
    if able := _list_flak(inputs["flight"], inputs["hex"], before):
        raise Wrong(f"№ {roll['number']}: {able} may fire at the aircraft first (17.6.7, A-61).")


def _judge_offers(after, fresh):
    offers = {}
    for step_id, step in fresh.items():
        number, _, place = step_id.partition("-")
        if place.startswith("f"):
            offers.setdefault(number, set()).update({step["inputs"]["id"]})
    for number, ids in offers.items():
        inputs = after.due[f"{number}-0"]["inputs"]
        able = _list_flak(inputs["flight"], inputs["hex"], after)
        if ids != able:
            raise Wrong(f"№ {number}: {ids} are asked for fire at aircraft, and {able} may fire (17.6.7, A-61).")


def _list_flak(flight, aimed, moment):
    return {
        counter_id
        for counter_id, piece in moment.page.items()
        if not flight.startswith(counter_id.rpartition("-")[0])
        and not piece.hidden
        and _stands(counter_id, piece)
        and is_anti_aircraft(counter_id, piece)
        and not SILENT & piece.state
        and not is_indoors(piece, moment.record["ground"])
        and _reaches(counter_id, piece, max(1, _distance(piece.place, aimed)))
    }


def _reaches(counter_id, piece, hexes):
    side, kind = counter_id.rpartition("-")[0], counter_of(counter_id, piece)
    if kind["kind"] == "squad":  # 23.2: its light MG 34
        return hexes <= LIGHT_MG_REACH
    if kind.get("flak") == "dshk" and "move_side" not in piece.state:
        return hexes <= DSHK_REACH
    factors = own_ff(side, piece.counter, piece.state, hexes) or mg_ff(side, piece.counter, piece.state, hexes)
    return hexes <= FURTHEST and bool(factors)


def _distance(start, end):
    return next((away for away in range(FURTHEST + 1) if end in hexes_within(start, away)), FURTHEST + 1)


# In common


def _stands(counter_id, piece):
    return bool(piece.place) and not piece.fate and is_unit(counter_id, piece)


def _owner_of(counter_id, piece):
    """The side that alone knows where a counter stands, "" for all."""
    return counter_id.rpartition("-")[0] if piece.hidden else ""


def _ids_of(step):
    inputs = step["inputs"]
    return {*(unit.get("id") for unit in inputs.get("units", ())), inputs.get("id")} - {None, ""}
