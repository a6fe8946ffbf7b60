"""Masked March."""

SAMPLES = {
    "fire": {"by": '[{"kind":"guard","levels":"dots 4"}]', "at": "levy", "die": "2"},
    "fill-up": {"who": '[{"kind":"levy","levels":"dots 1"}]'},
    "draw-order": {"left": "advance,hold", "bottom": "retreat", "card": "hold"},
    "give-order": {"order": "hold"},
    "weather": {"left": "clear,fog", "card": "fog"},
}
