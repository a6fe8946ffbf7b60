"""Streets of Stalingrad; what asks for nothing is given something, since a bare address describes a helper."""

SAMPLES = {
    "counter-attack": {"af": 9, "df": 10, "die": "6"},
    "mine-dog": {"die": "2"},
}
