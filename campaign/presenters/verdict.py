"""The verdict: how a campaign ended, what it cost, its best and worst rolls, who survived; and a picture to share."""

from dataclasses import dataclass, replace

from django.utils.safestring import mark_safe

from campaign.ledger.ledger import Ledger
from campaign.pictures import figures
from campaign.pictures.paints import MAP
from firefight.drawing import charts, png, svg
from firefight.drawing.fonts import fit_word
from firefight.drawing.shapes import Drawing, Label, Paint, Shape, box, place_drawing
from firefight.table.act.table import Table
from firefight.table.story import report
from firefight.table.story.honours import Honoured, HonouredSide, present_honours
from firefight.table.story.report import Story
from firefight.table.story.turning_points import find_luckiest

from . import story
from .sectors import list_spots

MOST_SHOWN = 120  # counters of a side, fallen or standing: more than a box holds on a map
_WIDE, _HIGH, _MARGIN, _TOP = 540.0, 400.0, 14.0, 66.0
_FINE = 2  # points of the picture for each unit of the card
PAINTS = {
    **{role: replace(paint) for role, paint in (MAP | charts.PAINTS).items()},
    "card-ground": Paint("#efe9dc"),
    "card-head": Paint("#1d1c19"),
    "card-word": Paint("#44443d"),
}


@dataclass(frozen=True, slots=True)
class SideVerdict:
    """What became of one side: those that fell, and those that survived."""

    side: HonouredSide
    fallen: tuple[Honoured, ...]
    standing: tuple[Honoured, ...]

    @property
    def lost(self) -> int:
        """How many fell, shown here or not."""
        return self.side.number - self.side.standing


def present_verdict(table: Table, ledger: Ledger) -> dict[str, object]:
    """The page, as far as this browser may know it."""
    vars(table.match)["story_ledger"] = ledger
    match_story = report.read_story(table.match, table.sees)
    map_drawing, paints = story.draw_map(table.match, table.sees)
    curves = match_story.charts[:3]  # those of the ledger come first
    return {
        "story": match_story,
        "map_picture": mark_safe(svg.draw_figure(map_drawing, "sector-map map")),
        "map_patterns": mark_safe(svg.defs(paints)),
        "patterns": mark_safe(svg.defs(charts.PAINTS)),
        "curves": [mark_safe(svg.draw_figure(charts.draw_chart(chart), "graph")) for chart in curves],
        "verdicts": [_part_counters(side) for side in present_honours(table, match_story.histories)],
        "luck": [
            ("Ten best rolls", "better", find_luckiest(table.game, match_story.judged, is_best=True)),
            ("Ten worst rolls", "worse", find_luckiest(table.game, match_story.judged, is_best=False)),
        ],
        "may_end": table.plays and not table.match.ended,
    }


def _part_counters(side: HonouredSide) -> SideVerdict:
    everybody = [honoured for arm in side.arms for honoured in (*arm.counters, *arm.others)]
    fallen = tuple(honoured for honoured in everybody if honoured.fell)[:MOST_SHOWN]
    return SideVerdict(side, fallen, tuple(honoured for honoured in everybody if not honoured.fell)[:MOST_SHOWN])


# A picture to share


def paint_verdict(table: Table, ledger: Ledger) -> bytes:
    """The verdict as a PNG, always of one size."""
    return png.png(draw_verdict(table, ledger), PAINTS, _FINE)


def draw_verdict(table: Table, ledger: Ledger) -> Drawing:
    """The verdict on one card: headline, map, sectors held and losses."""
    vars(table.match)["story_ledger"] = ledger
    match_story = report.read_story(table.match, table.sees)
    map_drawn = figures.sector_map(ledger.content.sector_map.drawing, list_spots(ledger))
    shapes: list[Shape] = [box(0, 0, _WIDE, _HIGH, "card-ground"), *_write_head(match_story, ledger)]
    scale = (_HIGH - _TOP - _MARGIN) / map_drawn.height
    shapes += place_drawing(map_drawn, _MARGIN, _TOP, scale)
    chart_left = _MARGIN + map_drawn.width * scale + 12
    drawn_charts = [chart for chart in match_story.charts if isinstance(chart, charts.LineChart | charts.ColumnChart)]
    fell = [chart for chart in drawn_charts if chart.title.startswith("Counters that fell, by cause")]
    room = min((_WIDE - chart_left - _MARGIN) / charts.WIDTH, 1)
    for place, chart in enumerate([drawn_charts[2], *(fell or drawn_charts[:1])][:2]):
        chart_drawing = charts.draw_chart(chart)
        shapes += place_drawing(chart_drawing, chart_left, _TOP + place * (chart_drawing.height * room + 14), room)
    return Drawing(_WIDE, _HIGH, tuple(shapes), f"{match_story.outcome} {match_story.in_short}")


def _write_head(match_story: Story, ledger: Ledger) -> list[Shape]:
    room = _WIDE - 2 * _MARGIN
    head, size = fit_word(match_story.outcome, room, 22, 13, bold=True)
    words, small = fit_word(f"{match_story.match.name} · {ledger.card.label}, {ledger.card.name}", room, 13, 9)
    return [
        Label(_MARGIN, 32, head, size, "card-head", anchor="start", bold=True),
        Label(_MARGIN, 52, words, small, "card-word", anchor="start"),
    ]
