"""Three Banners."""

SAMPLES = {
    "draw": {"left": "charge,feint", "card": "feint"},
    "move": {"box": "mill"},
    "play-card": {"card": "feint"},
}
