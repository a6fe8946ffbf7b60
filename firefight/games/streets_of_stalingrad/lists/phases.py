"""The fifteen phases, and what is done in each (4.3)."""

from firefight.engine.values import Values

PHASES: Values = {
    "phase": [
        {"name": "Administrative", "side": "both", "kind": "admin"},
        {
            "name": "Simultaneous Bombardment",
            "side": "both",
            "kind": "bombard",
            "first_placer": "german",
        },
        {"name": "German Movement", "side": "german", "kind": "movement"},
        {"name": "Soviet Reserves Movement", "side": "soviet", "kind": "reserves"},
        {"name": "German Attack", "side": "german", "kind": "attack"},
        {
            "name": "Simultaneous Bombardment",
            "side": "both",
            "kind": "bombard",
            "first_placer": "german",
            "removed_at_start": ["pinned"],
        },
        {"name": "German Exploit Movement", "side": "german", "kind": "exploit_movement"},
        {"name": "German Exploit Attack", "side": "german", "kind": "exploit_attack"},
        {
            "name": "Simultaneous Bombardment",
            "side": "both",
            "kind": "bombard",
            "first_placer": "soviet",
            "removed_at_start": ["pinned"],
        },
        {"name": "Soviet Movement", "side": "soviet", "kind": "movement"},
        {"name": "German Reserves Movement", "side": "german", "kind": "reserves"},
        {"name": "Soviet Attack", "side": "soviet", "kind": "attack"},
        {
            "name": "Simultaneous Bombardment",
            "side": "both",
            "kind": "bombard",
            "first_placer": "soviet",
            "removed_at_start": ["pinned"],
        },
        {"name": "Soviet Exploit Movement", "side": "soviet", "kind": "exploit_movement"},
        {"name": "Soviet Exploit Attack", "side": "soviet", "kind": "exploit_attack"},
    ],
    "ends": {
        "movement": {
            "turns": {"breakthru": "spent"},
            "off_map": ["explosion"],
        },
        "reserves": {"off_map": ["explosion"]},
        "bombard": {
            "off_map": ["explosion"],  # 14.03
        },
        "attack": {
            "off_map": ["explosion", "interdiction"],  # 14.84
        },
        "exploit_movement": {
            "turns": {"breakthru": "spent"},
            "off_map": ["explosion"],
        },
        "exploit_attack": {
            "off_map": ["explosion", "interdiction"],
            "removed": ["pinned", "spent", "attack"],  # 9.115
        },
    },
    "action": {
        "normal_movement": {"rule": "8.02", "german": [3], "soviet": [10]},
        "deployment_movement": {"rule": "8.21, 8.22", "german": [3], "soviet": [10]},
        "reserves_movement": {"rule": "8.31, 8.32", "german": [11], "soviet": [4]},
        "exploit_movement": {"rule": "8.02", "german": [7], "soviet": [14]},
        "breakthrough_attack": {"rule": "10.1", "german": [3, 7], "soviet": [10, 14]},
        "attack": {"rule": "9.01", "german": [5, 8], "soviet": [12, 15]},
        "retreat_before_combat": {"rule": "9.41", "german": [12, 15], "soviet": [5, 8]},
        "opportunity_fire": {"rule": "11.1", "german": [4, 10, 14], "soviet": [3, 7, 11]},
        "opportunity_fire_at_retreat": {"rule": "11.1", "german": [5, 8], "soviet": [12, 15]},
        "instant_counter_attack": {
            "rule": "9.01, 10.8",
            "german": [10, 12, 14, 15],
            "soviet": [3, 5, 7, 8],
            "only_if": {
                "german": {"10": "against a fresh breakthru marker", "14": "against a fresh breakthru marker"},
                "soviet": {"3": "against a fresh breakthru marker", "7": "against a fresh breakthru marker"},
            },
        },
        "simultaneous_bombardment": {"rule": "4.3, 14.42", "german": [2, 6, 9, 13], "soviet": [2, 6, 9, 13]},
        "bombard": {
            "rule": "14.02, 14.42",
            "german": [2, 5, 6, 8, 9, 12, 13, 15],
            "soviet": [2, 5, 6, 8, 9, 12, 13, 15],
        },
        "stuka": {
            "rule": "15.11",
            "german": [2, 3, 5, 6, 7, 8],
            "soviet": [],
            "only_if": {
                "german": {"3": "for a breakthrough attack", "7": "for a breakthrough attack"},
            },
        },
        "off_map_box_move": {"rule": "8.46, 8.47", "german": [3], "soviet": []},
        "east_bank_box_to_box": {"rule": "8.42", "german": [], "soviet": [10]},
        "volga_crossing": {"rule": "8.41, 8.63", "german": [], "soviet": [10, 14]},
        "river_flotilla": {"rule": "16.52", "german": [], "soviet": [5, 8, 10, 12, 14, 15]},
        "river_flotilla_fire": {
            "rule": "16.52, 16.55",
            "german": [],
            "soviet": [5, 8, 12, 15],
            "only_if": {
                "soviet": {"5": "as defensive fire", "8": "as defensive fire"},
            },
        },
        "mine_dog": {"rule": "16.21", "german": [], "soviet": [3, 5, 7, 8]},
        "transport": {
            "rule": "16.42",
            "german": [],
            "soviet": [4, 5, 8, 10, 14],
            "only_if": {
                "soviet": {"5": "in a retreat before combat", "8": "in a retreat before combat"},
            },
        },
        "infiltration": {
            "rule": "13.1",
            "german": [],
            "soviet": [15],
            "only_if": {
                "soviet": {"15": "from 26 September on"},
            },
        },
        "armored_train_move": {"rule": "16.61", "german": [], "soviet": [10]},
        "tank_repair": {
            "rule": "16.72",
            "german": [],
            "soviet": [10],
            "only_if": {
                "soviet": {"10": "on even turns, from turn 4 on"},
            },
        },
        "leader_or_op_move": {"rule": "14.92, 18.15", "german": [3, 7, 11], "soviet": [4, 10, 14]},
        "reinforcements": {"rule": "21.2", "german": [3], "soviet": [10]},
    },
}
