"""Two Bridges."""

SAMPLES = {
    "fire": {"by": "company,captain", "at": "company", "die": "2"},
    "rally": {"who": "company", "die": "4"},
}
