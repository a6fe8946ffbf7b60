"""Battle for Stalingrad; what asks for nothing is given something, since a bare address describes a helper."""

SAMPLES = {
    "combat": {"strength": "12", "terrain": "heavy", "die": "3"},
    "fire-strength": {"arm": "artillery", "strength": "10", "terrain": "heavy"},
    "terrain": {"terrain": "fortified"},
    "unit": {"unit": "armor"},
    "militia": {"sole": "on"},
    "losses": {"number": "2"},
    "deployment": {"formation": "29_mot"},
}
