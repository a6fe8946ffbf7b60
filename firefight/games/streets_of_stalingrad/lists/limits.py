"""How much there may be of something, and how long work takes."""

from firefight.engine.values import Values

LIMITS: Values = {
    "combat": {  # combat units in a hex (5.3, 5.4)
        "german": 3,
        "german_with_armour": 4,
        "soviet": 3,
        "minefield": 1,  # 5.6
    },
    "german": {  # besides combat units (5.5)
        "leader": 1,
        "op": 1,
        "sniper": 0,
        "mine_dog": 0,
        "transport": 0,
        "tank_repair": 0,
        "river_flotilla": 0,
        "fortification": 1,
        "bridge": 1,
        "minefield": 1,
    },
    "soviet": {
        "leader": 1,
        "op": 1,
        "sniper": 1,
        "mine_dog": 1,
        "transport": 3,
        "tank_repair": 1,
        "river_flotilla": 2,
        "fortification": 1,
        "bridge": 1,
        "minefield": 1,
    },
    "companions": {"minefield": 1},
    "crossing": {"arrow_phase": 9, "arrow_turn": 18, "elsewhere_combat": 1, "elsewhere_leaders": 1},
    "turns": {
        "bridge": {"german": 1, "soviet": 2, "soviet_two_engineers": 1},
        "minefield": {"german": 1, "soviet": 1},
        "fortification": {"german": 2, "german_two_engineers": 1, "soviet": 2, "soviet_two_engineers": 1},
    },
    "capacity": {  # what is spotted for in a phase (14.24)
        "op": "90 AF for the observer of 62 Army or LI Corps, 60 AF for one of a German division",
        "leader": "2 IF units",
        "unit": "1 IF unit for all of its hex, 1 for each formation",
    },
}
