"""What begins, falls due or changes, and on which date."""

from firefight.engine.values import Values

CALENDAR: Values = {
    "begins": {
        "german_ammunition": "1942-09-20",  # 14.71
        "soviet_ammunition": "1942-10-01",  # 14.71
        "molotov": "1942-09-26",  # 9.93
        "infiltration": "1942-09-26",  # 13.1
        "snipers": "1942-09-26",  # 16.11
        "isolation": "1942-09-26",  # 19.1
        "trains": "1942-10-07",  # 16.61
        "breakdown": "1942-10-11",  # 16.33
        "weather": "1942-10-21",  # 15.53
    },
    "numbers": {
        "extra_snipers": 5,  # 16.11
        "train_hexes": 6,  # 16.61
        "tank_repair_turn": 4,  # 16.72
        "isolation_limit_before": 2,  # 19.1
        "isolation_limit": 4,  # 19.1
    },
    "div29": {
        "bonus": "1942-09-19",  # 3.5
        "due": "1942-09-29",  # 3.7
        "artillery_due": "1942-10-05",  # 3.7
        "last": "1942-10-10",  # 21.54
    },
    "half_movement": {"date": "1942-09-13", "last_scenario": 3},
    # What is asked of the divisions that points are counted for (3.5 to 3.7, 21.54).
    "comes": [
        {"date": "1942-09-25", "division": "100"},
        {"date": "1942-09-30", "division": "100"},
        {"date": "1942-10-11", "division": "305"},
        {"date": "1942-10-11", "division": "14Pz"},
        {"date": "1942-10-20", "division": "79"},
        {"date": "1942-10-28", "division": "79"},
    ],
    "leaves": [
        {"date": "1942-09-19", "division": "29"},
        {"date": "1942-09-19", "division": "29art"},
        {"date": "1942-09-29", "division": "29"},
        {"date": "1942-10-05", "division": "29art"},
        {"date": "1942-10-10", "division": "29"},
        {"date": "1942-10-10", "division": "29art"},
    ],
    "entry": [
        {"date": "1942-09-25", "unit": "100th Jäger", "rule": "3.6"},
        {"date": "1942-09-30", "unit": "100th Jäger", "rule": "3.6"},
        {"date": "1942-10-04", "unit": "273rd NKVD Regiment (scenario 4)", "rule": "16.84"},
        {"date": "1942-10-11", "unit": "305th Infantry", "rule": "3.6"},
        {"date": "1942-10-11", "unit": "14th Panzer", "rule": "3.6"},
        {"date": "1942-10-20", "unit": "79th Infantry (scenario 6)", "rule": "3.6"},
        {"date": "1942-10-28", "unit": "79th Infantry (scenario 6)", "rule": "3.6"},
    ],
    "withdrawal": [
        {
            "date": "1942-09-19",
            "unit": "29th Motorized, for a point of the campaign",
            "rule": "3.5",
        },
        {"date": "1942-09-27", "unit": "670 PAK Battalion", "rule": "21.53"},
        {
            "date": "1942-09-29",
            "unit": "29th Motorized, but its artillery regiment",
            "rule": "3.7",
        },
        {"date": "1942-10-05", "unit": "29th Motorized: its artillery regiment", "rule": "3.7"},
        {
            "date": "1942-10-10",
            "unit": "29th Motorized, whatever is left of it",
            "rule": "21.54",
        },
    ],
}
