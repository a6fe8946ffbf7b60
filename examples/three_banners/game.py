"""Three Banners as the frame knows it."""

from pathlib import Path

from firefight.engine.charts.kinds import Bands, Lookup
from firefight.engine.charts.spec import ChartSpec
from firefight.kit import Game, Typical

from . import counters, rules

HERE = Path(__file__).parent

GAME = Game(
    slug="three-banners",
    title="Three Banners",
    sides=rules.SIDES,
    chart_specs=(ChartSpec("assault", Lookup), ChartSpec("scouting", Bands, sides=8, lowest=-1)),
    house_book=str(HERE / "charts.toml"),
    record=rules.RECORD,
    counters=counters.COUNTERS,
    reference=str(HERE / "reference.toml"),
    typical={
        "assault": Typical("assault", "even, at supply 6", {}),
        "scouting": Typical("scout", "near by", {}),
    },
)
