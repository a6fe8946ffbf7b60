"""Long Siege."""

SAMPLES = {"storm": {"wall": "Gate", "height": "3"}}
