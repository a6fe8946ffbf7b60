"""A second Battle for Stalingrad, to hold the first one against: plain inputs in, plain answers out.

Written from the sheet by other means: the Combat Results Table by the law of its diagonals, strengths in sixteenths,
terrain as a line of marks, units by lists of those that an entry names.
"""

STARTS = (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 36, 42, 50, 60, 72)
DIAGONALS = "1112223344556677889"  # losses by how far the column's place lies above the row
# German cost in halves, ZOC, fire factor in quarters and addition (Soviet held, German held), defences as players say.
TERRAIN = {
    "clear": (1, True, (4, 4), (0, 0), "", "x2"),
    "light": (2, False, (4, 4), (1, 1), "-", "-"),
    "heavy": (4, False, (2, 2), (2, 2), "x2", ""),
    "fortified": (8, False, (1, 2), (3, 2), "x3", ""),
    "special": (4, False, (4, 4), (None, None), "x2", ""),
    "hill": (2, True, (4, 4), (0, 0), "-", "-"),
    "woods": (4, False, (4, 4), (1, 1), "-", ""),
    "park": (2, True, (4, 4), (1, 1), "", "-"),
}
DISPLAY = {
    "29_mot": "6-2-24x4,4-3-18x7,8 10 12x2,2-18x3,2-24x1",
    "14_pz": "6-2-24x2,5-4-18x1,6-5-24x1,8 10 18x1,3-18x2",
    "94_inf": "5-4-12x9,8 10 12x1,1-12x3,2-1-12x1",
    "24_pz": "6-2-24x6,5-4-18x2,6-5-24x2,8 10 18x2,3-18x3,2-24x1,3-1-18x1",
    "71_inf": "5-4-12x9,8 10 12x1,1-12x3,1-18x1,2-1-12x1",
    "295_inf": "5-4-12x9,8 10 12x1,1-12x3,2-1-12x1",
    "389_inf": "5-4-12x9,8 10 12x1,1-12x3,2-1-12x1",
    "60_mot": "6-2-24x2,4-3-18x3,8 10 12x1,2-18x1",
    "16_pz": "6-2-24x2,5-4-18x1,6-5-24x1,8 10 18x1,3-18x2",
    "independent": "8 18 8x2,10 22 7x1,12 12 6x1",
}
INTO = ("bombardment", "air_attack")


def losses_at(strength, row):
    """What the table says for a whole strength and any modified die."""
    place = max(place for place, start in enumerate(STARTS) if start <= strength)
    above = place + 1 - max(0, min(9, row))
    return int(DIAGONALS[above]) if above > 0 else int(above == 0)


def column_of(strength):
    """A column's name."""
    place = max(place for place, start in enumerate(STARTS) if start <= strength)
    if place == len(STARTS) - 1:
        return "72+"
    last = STARTS[place + 1] - 1
    return str(STARTS[place]) if STARTS[place] == last else f"{STARTS[place]}-{last}"


def held(occupant):
    return 0 if occupant == "soviet" else 1


def defence(terrain, side):
    """(factor, change of the die)."""
    mark = TERRAIN[terrain][4 + held(side)]
    return (int(mark[1]), 0) if mark.startswith("x") else (1, -1 if mark == "-" else 0)


def combat(given, die):
    """A fire's outcome and numbers; the name of a field that refuses it; None where only an owner knows."""
    kind, terrain = given.get("kind", "ground_attack"), given.get("terrain", "")
    occupant, side = held(given.get("occupant", "soviet")), given.get("defence", "")
    rows = [{"strength": given["strength"]}] if given.get("strength") else []
    rows += given.get("firers", [])
    if not rows:
        return "strength"
    on_ground = kind == "ground_attack"
    sixteenths = 0
    for row in rows:
        quarters, times = 4, 1
        if terrain:
            artillery = kind == "bombardment" or (on_ground and row.get("indirect") and side != "soviet")
            if kind == "air_attack" or (artillery and not given.get("adjacent")):
                quarters = TERRAIN[terrain][2][0 if on_ground and side else occupant]
            if on_ground and side and not (row.get("indirect") and side == "soviet"):
                times = defence(terrain, side)[0]
        own = {"1": 4, "2": 8, "3": 12, "0.5": 2, "0.25": 1}[row.get("factor", "1")]
        sixteenths += row["strength"] * own * quarters * times
    whole, rest = divmod(sixteenths, 16)
    if rest:
        rounding = given.get("rounding", "ask")
        if rounding == "ask":
            return "rounding"
        whole += {"down": 0, "up": 1, "nearest": int(rest >= 8)}[rounding]
    if whole < 1:
        return "firers" if given.get("firers") else "strength"
    change = given.get("drm", 0)
    only_guns = all(row.get("indirect") for row in rows)  # a total says nothing of guns
    if terrain and on_ground and side:
        change += 0 if side == "soviet" and only_guns else defence(terrain, side)[1]
    elif terrain and (kind in INTO or on_ground):
        spared = given.get("adjacent") and (kind == "bombardment" or (on_ground and only_guns))
        if not spared and not (on_ground and given.get("engineer")):
            addition = TERRAIN[terrain][3][occupant]
            if addition is None:
                return None
            change += addition
    lost = losses_at(whole, die + change)
    return {
        "outcome": "losses" if lost else "no_effect",
        "total": whole,
        "exact": sixteenths / 16,
        "column": column_of(whole),
        "row": max(0, min(9, die + change)),
        "losses": lost,
    }


def terrain(given):
    """A terrain card's details."""
    name = given.get("terrain", "clear")
    if given.get("volga_bank") or given.get("hex") == "1726":
        name = "fortified"
    halves, zoc, quarters, additions, *_ = TERRAIN[name]
    occupant, fire = held(given.get("occupant", "soviet")), given.get("fire", "offensive")
    if given.get("road") and not given.get("across_river"):
        halves = 1
    spared = given.get("adjacent") and fire != "air"
    cancels = {"offensive": given.get("engineer"), "bombardment": given.get("adjacent"), "air": False}[fire]
    added = 0 if cancels else additions[occupant]
    of_soviets = (1, 0) if given.get("indirect_artillery") else defence(name, "soviet")
    return {
        "terrain": name,
        "german_cost": halves / 2 + bool(given.get("across_river")),
        "soviet_cost": 1,
        "zoc": zoc,
        "stacking_limit": 2 if given.get("volga_bank") else None,
        "bombard_factor": 1 if spared else quarters[occupant] / 4,
        "die_addition": added,
        "soviet_defence": dict(zip(("factor", "die"), of_soviets, strict=True)),
        "german_defence": dict(zip(("factor", "die"), defence(name, "german"), strict=True)),
    }


def unit(given):
    """A unit card's details."""
    side, name = given.get("side", "german"), given.get("unit", "infantry")
    soviet = side == "soviet"
    foot = ("infantry", "mechanized_infantry", "motorized_infantry")
    overruns = ("mechanized_infantry", "motorized_infantry", "armored_engineer", "armor", "reconnaissance")
    strong = given.get("terrain", "clear") in ("heavy", "fortified")
    clear = given.get("terrain", "clear") == "clear"
    second = not soviet and name in foot and strong
    if name in ("armor", "anti_tank"):
        counter = name == "armor" and given.get("action") == "instant_counterattack"
        second = not (counter or clear or given.get("foot_in_stack"))
    weak = soviet and name in foot and given.get("printed_strength") == 2 and not given.get("guards")
    starts = {"anti_tank": False, "militia": False}
    if not soviet:
        starts |= {"artillery": False, "self_propelled_artillery": True}
    return {
        "has_zoc": name != "militia" and not weak,
        "may_overrun": not soviet and name in (*overruns, "self_propelled_artillery"),
        "may_start_counterattack": starts.get(name),
        "fire_strength": "second" if second else "first",
        "overrun_defence_factor": {"armor": 2, "anti_tank": 3, "flak": 2}.get(name, 1) if soviet else 1,
        "anti_air_hexes": 1 if soviet and name == "flak" else None,
    }


def fire_strength(given):
    """What becomes of one strength: the outcome and the factors, in quarters until the end."""
    arm, strength = given.get("arm", "direct"), given.get("strength")
    into = arm == "air" or (arm == "artillery" and not given.get("adjacent"))
    by_terrain = TERRAIN[given.get("terrain", "clear")][2][held(given.get("occupant", "soviet"))] if into else 4
    by_armor = {"none": 4, "mixed": 2, "only": 1}[given.get("target", "none")] if arm == "artillery" else 4
    by_depot = 2 if arm == "artillery" and given.get("side") == "soviet" and given.get("depot_lost") else 4
    by_flak = 8 if arm == "flak" and given.get("air_on_own_hex") else 4
    factor = by_terrain * by_armor * by_depot * by_flak / 256
    come_to = None if strength is None else strength * factor
    return {
        "outcome": "factors" if come_to is None else "whole" if come_to == int(come_to) else "fraction",
        "terrain_factor": by_terrain / 4,
        "armor_factor": by_armor / 4,
        "depot_factor": by_depot / 4,
        "flak_factor": by_flak / 4,
        "factor": factor,
        "strength": come_to,
    }


def militia(given):
    """What becomes of militia: the outcome and the change of the attack-type die."""
    event, alone = given.get("event", "overrun"), bool(given.get("sole"))
    supplied = "stays" if given.get("with_non_militia") else "eliminated"
    overrun = "eliminated" if alone else "not_automatic"
    outcomes = {"overrun": overrun, "out_of_supply": supplied, "collapse": "eliminated", "ground_attack": "modifier"}
    return {"outcome": outcomes[event], "attack_type_drm": -int(alone and event == "ground_attack")}


def deployment(given):
    """The counters of a formation, of a value, or of both."""
    groups = {}
    for formation, listed in DISPLAY.items():
        counted = {value: int(number) for value, number in (each.split("x") for each in listed.split(","))}
        found = {value: number for value, number in counted.items() if given.get("values") in (None, "", value)}
        if found and given.get("formation") in (None, "", formation):
            groups[formation] = found
    return {"counters": sum(sum(found.values()) for found in groups.values()), "groups": groups}
