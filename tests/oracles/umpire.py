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
OUTSIDE = ("roof", "gully", "trench")  # levels that are in no building
SILENT = {"wia", "disrupted", "close_combat", "f_killed"}  # 18.2.5, 18.2.4, 19.1.3
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
                told = [line for name in ("german", "russian") for line in row.get(name, ())]
                self.declared.setdefault(place, set()).update(_read_attack(line) for line in told if " on " in line)

    def judge(self, entry, page, charts):
        """Raise Wrong where a roll strikes whom it may not, or leaves out whom it must strike."""
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
        for each in firers:
            if marks := SILENT & page[each].state:
                raise Wrong(f"№ {entry['number']}: {each} fires and is {marks} (18.2.4, 18.2.5, 19.1.3).")
        if not firers or not inputs.get("targets"):
            return
        attacked = {unit.get("id") for unit in units} - {None, ""}
        if missing := set(inputs["targets"]) - attacked:
            raise Wrong(f"№ {entry['number']}: {missing} are fired at and not attacked (18.1).")
        spots = {find_spot(page[each]) for each in inputs["targets"] if page[each].place}
        melee = {spot for spot in spots if _is_melee(page, spot)}
        for each in attacked:
            is_own = each.rpartition("-")[0] == firers[0].rpartition("-")[0]
            if is_own and find_spot(page[each]) not in melee:
                raise Wrong(f"№ {entry['number']}: {each} is their own, and in no Close Combat (19.1.4).")
        for spot in melee:
            due = {each for each in _standing(page, spot) if not page[each].hidden} - set(firers)
            if missing := due - attacked:
                raise Wrong(f"№ {entry['number']}: {missing} stand in the Close Combat in {spot} (19.1.4, A-59).")
        there = {each for spot in melee for each in _standing(page, spot)}
        if more := attacked - set(inputs["targets"]) - there:
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
        """All who stand in some hexes in sight are attacked, each place by itself, and nobody else."""
        expected, struck = {}, {}
        for each, piece in page.items():
            if piece.place in zone and not piece.hidden and not piece.fate and is_unit(each, piece):
                expected.setdefault(find_spot(piece), set()).add(each)
        for step in entry["result"]["follow_ups"]:
            ids = [unit["id"] for unit in step["inputs"].get("units", ()) if unit.get("id")]
            if len({find_spot(page[each]) for each in ids}) > 1:
                raise Wrong(f"№ {entry['number']}: {ids} stand in several places, each an attack of its own (17.4.5).")
            for each in ids:
                if page[each].place or page[each].fate:
                    struck.setdefault(find_spot(page[each]), set()).add(each)
        if struck != expected:
            raise Wrong(f"№ {entry['number']}: {struck} are attacked in {sorted(zone)}, and not {expected} (A-57).")

    def _judge_anti_aircraft(self, entry, page):
        """17.6.7, A-61: GAZ AA trucks, DShK 38 and MG 34, able to fire, and in no building."""
        for each in entry["inputs"].get("firers", ()):
            piece = page[each]
            if not is_anti_aircraft(each, piece):
                raise Wrong(f"№ {entry['number']}: {each}, {piece.counter}, is no AA (17.6.7, A-61).")
            if is_indoors(piece, ground={}):
                raise Wrong(f"№ {entry['number']}: {each} is inside a building, {piece.level} (17.6.7).")
            if marks := SILENT & piece.state:
                raise Wrong(f"№ {entry['number']}: {each} fires at aircraft and is {marks} (17.6.7).")

    def _judge_close_combat(self, entry, page):
        """19.2.1 step 1, A-60: what was declared is fought. A roll that names its counters itself was none."""
        inputs = entry["inputs"]
        if inputs.get("firers") or inputs.get("targets"):
            return
        attack, defense = ({row.get("id") for row in inputs.get(name, ())} for name in ("attack", "defense"))
        ids = (attack | defense) - {None, ""}
        places = {page[each].place for each in ids if each in page}
        told = set().union(*(self.declared.get(each, set()) for each in self.declared if each.split("/")[0] in places))
        is_declared = any(by == attack and on <= defense for by, on in told)
        if ids and told and not is_declared and not _is_side_lost(inputs, told, page):
            raise Wrong(f"№ {entry['number']}: {attack} against {defense} was never declared (19.2.1, A-60).")


def _read_attack(line):
    """Who attacks whom: "attack german-1 german-2 on russian-1 …"."""
    by, _, on = line.partition(" on ")
    of = re.compile(r"(?:german|russian)-\d+")
    return frozenset(of.findall(by)), frozenset(of.findall(on))


def _is_side_lost(inputs, told, page):
    """19.3.7, A-44: a side with 1-4 at best is lost by all of its units on one enemy, whatever it has declared."""
    if "step" not in inputs.get("asked", {}) or inputs.get("better_odds") != "no":
        return False
    attack, defense = inputs.get("attack", ()), inputs.get("defense", ())
    ids = {row.get("id") for row in attack}
    sides = {str(each).rpartition("-")[0] for each in ids}
    there = {spot for each in ids if each in page for spot in [find_spot(page[each])]}
    own = {each for by, _ in told for each in by if each.rpartition("-")[0] in sides}
    # Who has gone elsewhere before the other side declared too has no part in it any more.
    missing = {each for each in own if page[each].place and find_spot(page[each]) in there} - ids
    ours, theirs = (
        sum(row["ccv"] // (2 if row.get("state") in ("disrupted", "wia") else 1) for row in rows)
        for rows in (attack, defense)
    )
    return len(defense) == 1 and not missing and 4 * ours <= theirs


def _touched(entry):
    """Whom a roll does something to, and of whom it asks another roll."""
    found = set(entry["result"]["details"].get("changes", {}).get("counters", {}))
    for step in entry["result"]["follow_ups"]:
        found |= {unit.get("id") for unit in step["inputs"].get("units", ())} | {step["inputs"].get("id")}
    return found


def find_spot(piece):
    return piece.place, piece.level


def _standing(page, spot):
    return [each for each, piece in page.items() if find_spot(piece) == spot and piece.place and not piece.fate]


def _is_melee(page, spot):
    """Whether a location is marked, and units of both sides are there (19.1.1)."""
    there = _standing(page, spot)
    return len({each.rpartition("-")[0] for each in there}) > 1 and any(
        "close_combat" in page[each].state for each in there
    )


def counter_of(counter_id, piece):
    """What the counters' file says of a counter; None for content of an owner's."""
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
    """17.6.7: inside a building, as far as that is noted: on a level of it that is no rooftop, or in a building hex."""
    if piece.level:
        return not any(word in piece.level.lower() for word in OUTSIDE)
    here = ground.get(piece.place, {})
    return bool(here.get("building")) or "building_ground" in here.get("modifiers", ())


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
    found = set()
    for other in range(column - radius, column + radius + 1):
        away = abs(other - column)
        # Each column further shifts the numbers of those within reach by half a hex.
        top = int(number) - radius + away // 2
        if away % 2:
            top += 0 if column % 2 == 0 else 1
        count = 2 * radius + 1 - away
        found |= {f"{chr(ord('A') + other)}{row}" for row in range(top, top + count) if 0 <= other < 26}
    return found
