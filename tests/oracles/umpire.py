"""Who may be attacked, by whom and with what: decided from the rules' text alone, roll by roll.

It looks at a roll as a match's log tells it, and at the counters as the keeper of the table (tablekeeper.py) has them
just then. It reads the counters' file itself, and asks nothing of the app. Readings are those of docs/rulings.md.
"""

import re
import tomllib
from pathlib import Path

from .tablekeeper import Family, Wrong

COUNTERS = tomllib.loads(
    (Path(__file__).parents[2] / "firefight/games/combat_stalingrad/data/counters.toml").read_text(encoding="utf-8")
)
NO_UNITS = {"aircraft", "mines", "marker", "minefield", "nest"}
OUTSIDE = ("roof", "gully", "trench")  # levels outside buildings
SILENT = {"wia", "disrupted", "close_combat", "f_killed", "exited"}  # 18.2.5, 18.2.4, 19.1.3, 20.11.1
HEX = re.compile(r"([A-Z]{1,2})(\d{1,2})")


class Umpire:
    """Judges the rolls of one log, in its order. ``declared``: by place, who attacks whom in Close Combat."""

    def __init__(self):
        self.declared, self._corrections = {}, Family()

    def hear(self, entry, page):
        """A line of the record may say what a side declares in Close Combat."""
        changes = entry.get("inputs", {}).get("changes", {}).get("melees", {})
        for rows in (changes.get("add", {}), changes.get("change", {})):
            for place, row in rows.items():
                declared_lines = [line for name in ("german", "russian") for line in row.get(name, ())]
                self.declared.setdefault(place, set()).update(
                    _read_attack(line) for line in declared_lines if " on " in line
                )

    def judge(self, entry, page, charts):
        """Raise Wrong where a roll strikes somebody that it may not, or leaves out somebody that it must strike."""
        rules = {
            "fire": self._judge_fire,
            "firepower": self._judge_impact,
            "air-attack": self._judge_air_attack,
            "anti-aircraft": self._judge_anti_aircraft,
            "close-combat": self._judge_close_combat,
        }
        is_correction = self._corrections.takes(entry)
        if (judge := rules.get(entry["helper"])) and not is_correction:
            judge(entry, page)

    def _judge_fire(self, entry, page):
        inputs = entry["inputs"]
        units, firers = inputs.get("units", []), inputs.get("firers", [])
        is_small = inputs.get("weapon") == "firepower" and not inputs.get("artillery")
        vehicles = {unit.get("id") for unit in units if unit["kind"] == "vehicle"} - {None, ""}
        if is_small and units and all(unit["kind"] == "vehicle" for unit in units):
            raise Wrong(f"№ {entry['number']}: small arms attack nobody but vehicles (18.1.1, A-56).")
        if is_small and (hit := vehicles & _touched(entry)):
            raise Wrong(f"№ {entry['number']}: small arms strike {hit} (18.1.1, A-56).")
        for firer in firers:
            if marks := SILENT & page[firer].state:
                raise Wrong(f"№ {entry['number']}: {firer} fires and is {marks} (18.2.4, 18.2.5, 19.1.3).")
        if not firers or not inputs.get("targets"):
            return
        attacked = {unit.get("id") for unit in units} - {None, ""}
        if missing := set(inputs["targets"]) - attacked:
            raise Wrong(f"№ {entry['number']}: {missing} are fired at and not attacked (18.1).")
        spots = {find_spot(page[target]) for target in inputs["targets"] if page[target].place}
        melee = {spot for spot in spots if _is_melee(page, spot)}
        for firer in attacked:
            is_own = firer.rpartition("-")[0] == firers[0].rpartition("-")[0]
            if is_own and find_spot(page[firer]) not in melee:
                raise Wrong(f"№ {entry['number']}: {firer} is their own, and in no Close Combat (19.1.4).")
        for spot in melee:
            due = {counter_id for counter_id in _standing(page, spot) if not page[counter_id].hidden} - set(firers)
            if missing := due - attacked:
                raise Wrong(f"№ {entry['number']}: {missing} stand in the Close Combat in {spot} (19.1.4, A-59).")
        in_melee = {counter_id for spot in melee for counter_id in _standing(page, spot)}
        if more := attacked - set(inputs["targets"]) - in_melee:
            raise Wrong(f"№ {entry['number']}: {more} are attacked, whom nobody fires at (18.1).")

    def _judge_impact(self, entry, page):
        """17.4.2, 17.4.3, 17.5.2, A-57: every location of every hex of the zone, whoever stands there."""
        inputs = entry["inputs"]
        if not inputs.get("rim_hexes") and inputs.get("impact") and inputs.get("caliber"):
            self._compare_struck(entry, page, zone_of(inputs))

    def _judge_air_attack(self, entry, page, *_):
        """17.6.5: bombs and MG attack all units in the hex that they hit. Whose choice it is the players settle."""
        hit = entry["result"]["details"].get("hex")
        if hit and entry["result"]["outcome"] in ("on_target", "scatter"):
            self._compare_struck(entry, page, {hit})

    def _compare_struck(self, entry, page, zone):
        """All who stand in sight in some hexes are attacked, each place by itself, and nobody else."""
        expected, struck = {}, {}
        for counter_id, piece in page.items():
            if piece.place in zone and not piece.hidden and not piece.fate and is_unit(counter_id, piece):
                expected.setdefault(find_spot(piece), set()).add(counter_id)
        for step in entry["result"]["follow_ups"]:
            ids = [unit["id"] for unit in step["inputs"].get("units", ()) if unit.get("id")]
            if len({find_spot(page[unit_id]) for unit_id in ids}) > 1:
                raise Wrong(f"№ {entry['number']}: {ids} stand in several places, each an attack of its own (17.4.5).")
            for counter_id in ids:
                if page[counter_id].place or page[counter_id].fate:
                    struck.setdefault(find_spot(page[counter_id]), set()).add(counter_id)
        if struck != expected:
            raise Wrong(f"№ {entry['number']}: {struck} are attacked in {sorted(zone)}, and not {expected} (A-57).")

    def _judge_anti_aircraft(self, entry, page):
        """17.6.7, A-61: GAZ AA trucks, DShK 38 and MG 34, able to fire, and in no building."""
        for firer in entry["inputs"].get("firers", ()):
            piece = page[firer]
            if not is_anti_aircraft(firer, piece):
                raise Wrong(f"№ {entry['number']}: {firer}, {piece.counter}, is no AA (17.6.7, A-61).")
            if is_indoors(piece, ground={}):
                raise Wrong(f"№ {entry['number']}: {firer} is inside a building, {piece.level} (17.6.7).")
            if marks := SILENT & piece.state:
                raise Wrong(f"№ {entry['number']}: {firer} fires at aircraft and is {marks} (17.6.7).")

    def _judge_close_combat(self, entry, page):
        """19.2.1 step 1, A-60: what was declared is fought. A roll that names its counters itself was none."""
        inputs = entry["inputs"]
        if inputs.get("firers") or inputs.get("targets"):
            return
        attack, defense = ({row.get("id") for row in inputs.get(name, ())} for name in ("attack", "defense"))
        ids = (attack | defense) - {None, ""}
        places = {page[unit_id].place for unit_id in ids if unit_id in page}
        attacks_declared = set().union(
            *(
                self.declared.get(place_level, set())
                for place_level in self.declared
                if place_level.split("/")[0] in places
            )
        )
        is_declared = any(by == attack and on <= defense for by, on in attacks_declared)
        if ids and attacks_declared and not is_declared and not _is_side_lost(inputs, attacks_declared, page):
            raise Wrong(f"№ {entry['number']}: {attack} against {defense} was never declared (19.2.1, A-60).")


def _read_attack(line):
    """Who attacks whom: "attack german-1 german-2 on russian-1 …"."""
    by, _, on = line.partition(" on ")
    of = re.compile(r"(?:german|russian)-\d+")
    return frozenset(of.findall(by)), frozenset(of.findall(on))


def _is_side_lost(inputs, attacks_declared, page):
    """19.3.7, A-44: a side with 1-4 at best is lost by all of its units on one enemy, whatever it has declared."""
    if "step" not in inputs.get("asked", {}) or inputs.get("better_odds") != "no":
        return False
    attack, defense = inputs.get("attack", ()), inputs.get("defense", ())
    ids = {row.get("id") for row in attack}
    sides = {str(unit_id).rpartition("-")[0] for unit_id in ids}
    spots = {spot for unit_id in ids if unit_id in page for spot in [find_spot(page[unit_id])]}
    own = {unit_id for by, _ in attacks_declared for unit_id in by if unit_id.rpartition("-")[0] in sides}
    # Those who have gone elsewhere before the other side declared too have no part in it any more.
    missing = {unit_id for unit_id in own if page[unit_id].place and find_spot(page[unit_id]) in spots} - ids
    ours, theirs = (
        sum(row["ccv"] // (2 if row.get("state") in ("disrupted", "wia") else 1) for row in rows)
        for rows in (attack, defense)
    )
    return len(defense) == 1 and not missing and 4 * ours <= theirs


def _touched(entry):
    """Those to whom a roll does something, or from whom it asks another roll."""
    ids = set(entry["result"]["details"].get("changes", {}).get("counters", {}))
    for step in entry["result"]["follow_ups"]:
        ids |= {unit.get("id") for unit in step["inputs"].get("units", ())} | {step["inputs"].get("id")}
    return ids


def find_spot(piece):
    return piece.place, piece.level


def _standing(page, spot):
    return [
        counter_id for counter_id, piece in page.items() if find_spot(piece) == spot and piece.place and not piece.fate
    ]


def _is_melee(page, spot):
    """Whether a location is marked, and units of both sides are there (19.1.1)."""
    standing = _standing(page, spot)
    return len({counter_id.rpartition("-")[0] for counter_id in standing}) > 1 and any(
        "close_combat" in page[counter_id].state for counter_id in standing
    )


def counter_of(counter_id, piece):
    """What the counters' file says about a counter; None for an owner's content."""
    return COUNTERS.get(counter_id.rpartition("-")[0], {}).get(piece.counter)


def is_unit(counter_id, piece):
    kind = counter_of(counter_id, piece)
    return kind is None or kind.get("kind") not in NO_UNITS


def is_anti_aircraft(counter_id, piece):
    kind = counter_of(counter_id, piece) or {}
    names = f"{piece.counter} {kind.get('name', '')}".lower().replace(" ", "_")
    is_mg = "mg_34" in names
    # 23.2: the light MG 34 of a squad fires apart; a half-squad has none left.
    has_light = counter_id.startswith("german-") and kind.get("kind") == "squad" and "reduced" not in piece.state
    return "gaz_aa" in names or "dshk" in names or is_mg or (has_light and bool(kind.get("mgs")))


def is_indoors(piece, ground):
    """17.6.7: inside a building, as far as that is noted: on a level that is not a rooftop, or in a building hex."""
    if piece.level:
        return not any(word in piece.level.lower() for word in OUTSIDE)
    ground_here = ground.get(piece.place, {})
    return bool(ground_here.get("building")) or "building_ground" in ground_here.get("modifiers", ())


def zone_of(shot):
    """17.4.2, 17.4.3, 17.5.2: the hexes that an impact attacks; smoke attacks nobody (17.4.7), nor does a Plot (17.4.8)
    or a danger-close CFF (17.3.8)."""
    is_harmless = shot.get("smoke") or shot.get("marker") == "plot"
    if not shot.get("impact") or is_harmless or (shot.get("danger_close") and shot.get("marker") != "ffe"):
        return set()
    return hexes_within(shot["impact"], _radius(shot))


def _radius(inputs):
    """17.4.2: a CFF acts in its own hex; 17.4.3: an FFE in those around it too; 17.5.2: a Bombardment three hexes."""
    if inputs.get("marker") != "ffe" and inputs.get("kind") != "bombardment":
        return 0
    if inputs.get("fire_2") or inputs.get("marker") not in ("ffe", None):
        return 0
    if inputs.get("caliber") and inputs["caliber"] < 45:
        return 0
    return 3 if inputs.get("kind") == "bombardment" else 1


def hexes_within(place, radius):
    """The hexes of the map around one: columns A, C, E … sit half a hex higher than B, D, F …"""
    letters, number = HEX.fullmatch(place).groups()
    column = ord(letters) - ord("A")
    hexes = set()
    for near in range(column - radius, column + radius + 1):
        away = abs(near - column)
        # Each column further shifts the numbers of those within reach by half a hex.
        top = int(number) - radius + away // 2
        if away % 2:
            top += 0 if column % 2 == 0 else 1
        count = 2 * radius + 1 - away
        hexes |= {f"{chr(ord('A') + near)}{row}" for row in range(top, top + count) if 0 <= near < 26}
    return hexes
