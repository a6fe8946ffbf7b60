"""Three Banners as the frame knows it."""

from firefight.engine.charts.kinds import Bands, Lookup
from firefight.engine.charts.spec import ChartSpec
from firefight.kit import Game, Typical

from . import counters, rules

GAME = Game(
    slug="three-banners",
    title="Three Banners",
    sides=rules.SIDES,
    chart_specs=(ChartSpec("assault", Lookup), ChartSpec("scouting", Bands, sides=8, lowest=-1)),
    record=rules.RECORD,
    counters=counters.COUNTERS,
    typical={
        "assault": Typical("assault", "even, at supply 6", {}),
        "scouting": Typical("scout", "near by", {}),
    },
)
