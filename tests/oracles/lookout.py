"""Who comes into fire, whom fire strikes unseen, and who may fire at aircraft first: judged after every act.

It compares two moments of a table: counters as each side is told of its own, rows of the record as they are stored,
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


def judge(before, now, rolls):
    """Raise Wrong where what has become due between two moments is not what the text has. ``rolls``: those made."""
    fresh = {each: step for each, step in now.due.items() if each not in before.due}
    _judge_movers(before, now, {each: step for each, step in fresh.items() if "-m" in each})
    for roll in rolls:
        if not roll["voids"]:
            _judge_unseen(roll, before, now)
            _judge_haste(roll, before)
    _judge_offers(now, fresh)
    for each, step in fresh.items():
        if seen := [one for one in _ids_of(step) if not step["known_to"] and now.page[one].hidden]:
            raise Wrong(f"{each} tells both sides of {seen}, which are hidden (A-57).")


# Whom fire strikes as they come (17.4.5, 17.4.6)


def _judge_movers(before, now, found):
    moved = [
        each
        for each, piece in now.page.items()
        if each in before.page and find_spot(piece) != find_spot(before.page[each]) and _stands(each, piece)
    ]
    is_time = now.phase == "fire_and_movement"
    expected = Counter(
        attack for row in now.record["missions"].values() if is_time for attack in _attacks_of(row, moved, now)
    )
    told = Counter((tuple(sorted(_ids_of(step))), step["known_to"], step["inputs"]["ff"]) for step in found.values())
    if told != expected:
        raise Wrong(f"{told} are due as {moved} come, and not {expected} (17.4.5, 17.4.6, FA-09).")


def _attacks_of(row, moved, now):
    """The attacks of one marker: one for each location and for each side that hides somebody there."""
    shot = _shot_of(row, now.turn)
    if shot is None:
        return
    zone, groups = zone_of(shot), {}
    for each in moved:
        piece = now.page[each]
        if piece.place in zone:
            groups.setdefault((find_spot(piece), _owner_of(each, piece)), []).append(each)
    for ((place, _), owner), ids in groups.items():
        yield tuple(sorted(ids)), owner, _firepower(shot, place == shot["impact"], now.charts)


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


# Whom fire strikes unseen


def _judge_unseen(roll, before, now):
    """An impact or bombs on hidden units are due for their owner alone."""
    zone = zone_of(roll["inputs"]) if roll["helper"] == "firepower" else _bombed(roll)
    if roll["helper"] not in ("firepower", "air-attack") or roll["inputs"].get("rim_hexes"):
        return
    expected = {}
    for each, piece in before.page.items():
        if piece.place in zone and piece.hidden and now.page[each].hidden and _stands(each, piece):
            expected.setdefault(_owner_of(each, piece), set()).add(each)
    found = {}
    for each, step in now.due.items():
        if each.startswith(f"{roll['number']}-s") and step["known_to"]:  # Defender Choice is open to all
            found.setdefault(step["known_to"], set()).update(_ids_of(step))
    if found != expected:
        raise Wrong(f"№ {roll['number']} strikes {found} unseen, and not {expected} (A-57).")


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


def _judge_offers(now, fresh):
    offers = {}
    for each, step in fresh.items():
        number, _, place = each.partition("-")
        if place.startswith("f"):
            offers.setdefault(number, set()).update({step["inputs"]["id"]})
    for number, ids in offers.items():
        inputs = now.due[f"{number}-0"]["inputs"]
        able = _list_flak(inputs["flight"], inputs["hex"], now)
        if ids != able:
            raise Wrong(f"№ {number}: {ids} are asked for fire at aircraft, and {able} may fire (17.6.7, A-61).")


def _list_flak(flight, aimed, moment):
    return {
        each
        for each, piece in moment.page.items()
        if not flight.startswith(each.rpartition("-")[0])
        and not piece.hidden
        and _stands(each, piece)
        and is_anti_aircraft(each, piece)
        and not SILENT & piece.state
        and not is_indoors(piece, moment.record["ground"])
        and _reaches(each, piece, max(1, _distance(piece.place, aimed)))
    }


def _reaches(counter_id, piece, hexes):
    side, kind = counter_id.rpartition("-")[0], counter_of(counter_id, piece)
    if kind["kind"] == "squad":  # 23.2: its light MG 34
        return hexes <= LIGHT_MG_REACH
    if kind.get("flak") == "dshk" and "move_side" not in piece.state:
        return hexes <= DSHK_REACH
    factors = own_ff(side, piece.counter, piece.state, hexes) or mg_ff(side, piece.counter, piece.state, hexes)
    return hexes <= FURTHEST and bool(factors)


def _distance(one, other):
    return next((away for away in range(FURTHEST + 1) if other in hexes_within(one, away)), FURTHEST + 1)


# In common


def _stands(counter_id, piece):
    return bool(piece.place) and not piece.fate and is_unit(counter_id, piece)


def _owner_of(counter_id, piece):
    """The side that alone knows where a counter stands, "" for all."""
    return counter_id.rpartition("-")[0] if piece.hidden else ""


def _ids_of(step):
    inputs = step["inputs"]
    return {*(unit.get("id") for unit in inputs.get("units", ())), inputs.get("id")} - {None, ""}
