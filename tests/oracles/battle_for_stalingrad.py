"""A second Battle for Stalingrad, to compare the first one with: plain inputs in, plain answers out.

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


def holder_index(occupant):
    return 0 if occupant == "soviet" else 1


def defence(terrain, side):
    """(factor, change of the die)."""
    mark = TERRAIN[terrain][4 + holder_index(side)]
    return (int(mark[1]), 0) if mark.startswith("x") else (1, -1 if mark == "-" else 0)


def combat(inputs, die):
    """A fire's outcome and numbers; the name of a field that refuses it; None where only an owner knows."""
    kind, terrain = inputs.get("kind", "ground_attack"), inputs.get("terrain", "")
    occupant, side = holder_index(inputs.get("occupant", "soviet")), inputs.get("defence", "")
    rows = [{"strength": inputs["strength"]}] if inputs.get("strength") else []
    rows += inputs.get("firers", [])
    if not rows:
        return "strength"
    on_ground = kind == "ground_attack"
    sixteenths = 0
    for row in rows:
        quarters, times = 4, 1
        if terrain:
            artillery = kind == "bombardment" or (on_ground and row.get("indirect") and side != "soviet")
            if kind == "air_attack" or (artillery and not inputs.get("adjacent")):
                quarters = TERRAIN[terrain][2][0 if on_ground and side else occupant]
            if on_ground and side and not (row.get("indirect") and side == "soviet"):
                times = defence(terrain, side)[0]
        own = {"1": 4, "2": 8, "3": 12, "0.5": 2, "0.25": 1}[row.get("factor", "1")]
        sixteenths += row["strength"] * own * quarters * times
    whole, rest = divmod(sixteenths, 16)
    if rest:
        rounding = inputs.get("rounding", "ask")
        if rounding == "ask":
            return "rounding"
        whole += {"down": 0, "up": 1, "nearest": int(rest >= 8)}[rounding]
    if whole < 1:
        return "firers" if inputs.get("firers") else "strength"
    change = inputs.get("drm", 0)
    only_guns = all(row.get("indirect") for row in rows)  # a total says nothing about guns
    if terrain and on_ground and side:
        change += 0 if side == "soviet" and only_guns else defence(terrain, side)[1]
    elif terrain and (kind in INTO or on_ground):
        spared = inputs.get("adjacent") and (kind == "bombardment" or (on_ground and only_guns))
        if not spared and not (on_ground and inputs.get("engineer")):
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


def terrain(inputs):
    """A terrain card's details."""
    name = inputs.get("terrain", "clear")
    if inputs.get("volga_bank") or inputs.get("hex") == "1726":
        name = "fortified"
    halves, zoc, quarters, additions, *_ = TERRAIN[name]
    occupant, fire = holder_index(inputs.get("occupant", "soviet")), inputs.get("fire", "offensive")
    if inputs.get("road") and not inputs.get("across_river"):
        halves = 1
    spared = inputs.get("adjacent") and fire != "air"
    cancels = {"offensive": inputs.get("engineer"), "bombardment": inputs.get("adjacent"), "air": False}[fire]
    added = 0 if cancels else additions[occupant]
    of_soviets = (1, 0) if inputs.get("indirect_artillery") else defence(name, "soviet")
    return {
        "terrain": name,
        "german_cost": halves / 2 + bool(inputs.get("across_river")),
        "soviet_cost": 1,
        "zoc": zoc,
        "stacking_limit": 2 if inputs.get("volga_bank") else None,
        "bombard_factor": 1 if spared else quarters[occupant] / 4,
        "die_addition": added,
        "soviet_defence": dict(zip(("factor", "die"), of_soviets, strict=True)),
        "german_defence": dict(zip(("factor", "die"), defence(name, "german"), strict=True)),
    }


def unit(inputs):
    """A unit card's details."""
    side, name = inputs.get("side", "german"), inputs.get("unit", "infantry")
    soviet = side == "soviet"
    foot = ("infantry", "mechanized_infantry", "motorized_infantry")
    overruns = ("mechanized_infantry", "motorized_infantry", "armored_engineer", "armor", "reconnaissance")
    strong = inputs.get("terrain", "clear") in ("heavy", "fortified")
    clear = inputs.get("terrain", "clear") == "clear"
    second = not soviet and name in foot and strong
    if name in ("armor", "anti_tank"):
        counter = name == "armor" and inputs.get("action") == "instant_counterattack"
        second = not (counter or clear or inputs.get("foot_in_stack"))
    weak = soviet and name in foot and inputs.get("printed_strength") == 2 and not inputs.get("guards")
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


def fire_strength(inputs):
    """What becomes of one strength: the outcome and the factors, in quarters until the end."""
    arm, strength = inputs.get("arm", "direct"), inputs.get("strength")
    into = arm == "air" or (arm == "artillery" and not inputs.get("adjacent"))
    by_terrain = (
        TERRAIN[inputs.get("terrain", "clear")][2][holder_index(inputs.get("occupant", "soviet"))] if into else 4
    )
    by_armor = {"none": 4, "mixed": 2, "only": 1}[inputs.get("target", "none")] if arm == "artillery" else 4
    by_depot = 2 if arm == "artillery" and inputs.get("side") == "soviet" and inputs.get("depot_lost") else 4
    by_flak = 8 if arm == "flak" and inputs.get("air_on_own_hex") else 4
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


def militia(inputs):
    """What becomes of militia: the outcome and the change of the attack-type die."""
    event, alone = inputs.get("event", "overrun"), bool(inputs.get("sole"))
    supplied = "stays" if inputs.get("with_non_militia") else "eliminated"
    overrun = "eliminated" if alone else "not_automatic"
    outcomes = {"overrun": overrun, "out_of_supply": supplied, "collapse": "eliminated", "ground_attack": "modifier"}
    return {"outcome": outcomes[event], "attack_type_drm": -int(alone and event == "ground_attack")}


def deployment(inputs):
    """The counters of a formation, of a value, or of both."""
    groups = {}
    for formation, listed in DISPLAY.items():
        counted = {value: int(number) for value, number in (entry.split("x") for entry in listed.split(","))}
        counters = {value: number for value, number in counted.items() if inputs.get("values") in (None, "", value)}
        if counters and inputs.get("formation") in (None, "", formation):
            groups[formation] = counters
    return {"counters": sum(sum(counters.values()) for counters in groups.values()), "groups": groups}
