"""Masked March."""

SAMPLES = {
    "fire": {"by": '[{"kind":"guard","levels":"dots 4"}]', "at": "levy", "die": "2"},
    "fill-up": {"who": '[{"kind":"levy","levels":"dots 1"}]'},
    "muster": {"pool": "north-1,north-2", "place": "ford", "piece": "1", "spin": "2"},
    "draw-order": {"left": "advance,hold", "bottom": "retreat", "card": "hold"},
    "give-order": {"order": "hold"},
    "weather": {"left": "clear,fog", "card": "fog"},
}
