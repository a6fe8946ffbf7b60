"""Long Siege."""

SAMPLES = {"escalade": {"walls": "Gate"}, "storm": {"wall": "Gate", "height": "3"}}
