"""Pictures that were looked at and found good, for later ones to be compared with.

After a change that is meant to show, paint them anew with ``python -m tests.references``, and look at them.
"""

from pathlib import Path

from PIL import Image

from campaign.pictures.figures import EmptySector, sector_map
from campaign.pictures.paints import MAP
from campaign.rules.sectors import find_lines, read_control
from firefight.drawing.png import paint_image
from firefight.games.combat_stalingrad.pictures.counters import draw_counter
from firefight.games.combat_stalingrad.pictures.paints import PAINTS
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import CONTENT

FOLDER = Path(__file__).parent
COLUMNS = 8
MANY = (Mark.PINNED, Mark.DISRUPTED, Mark.WIA, Mark.ENFILADED, Mark.IN_SEWER)
# 20.6.4 step 6: sector 11 inside the German ring; 20 is nobody's, 21 holds both sides.
RING = "rrrrgggrrrrgggrrrrrntr"


def painted():
    """Every picture by name, as it is painted now."""
    return {
        "german-counters": sheet(
            draw_counter(counter, Side.GERMAN) for counter in CONTENT.counters[Side.GERMAN].values()
        ),
        "russian-counters": sheet(
            draw_counter(counter, Side.RUSSIAN) for counter in CONTENT.counters[Side.RUSSIAN].values()
        ),
        "states": sheet(marked()),
        "map": paint_image(sector_map(CONTENT.sector_map.drawing, sectors(), "CG II · firefight 2, AM"), MAP),
        "blank-map": paint_image(sector_map(CONTENT.sector_map.drawing, sectors(blank=True), legend=False), MAP),
    }


def marked():
    """A counter of each side for each mark, and one with more marks than fit."""
    for side in Side:
        counters = CONTENT.counters[side].values()
        for mark in Mark:
            yield draw_counter(next(counter for counter in counters if mark in may_carry(counter.kind)), side, [mark])
        yield draw_counter(next(iter(counters)), side, MANY)


def sectors(blank=False):
    """The sectors of a map with something of everything in it, or with nothing."""
    control = read_control(RING, CONTENT.sector_map)
    ways = {number: line for side in Side for number, line in find_lines(CONTENT.sector_map, control, side).items()}
    if blank:
        return [EmptySector(number) for number in control]
    marks = {5: "G3", 7: "G12", 11: "R9", 13: "G4", 19: "R1", 21: "G6 R14"}
    return [EmptySector(n, control[n], marks.get(n, ""), ways.get(n), n == 7) for n in control]


def sheet(drawings):
    """Counters side by side."""
    pictures = [paint_image(drawing, PAINTS) for drawing in drawings]
    width, height = pictures[0].size
    whole = Image.new("RGB", (width * COLUMNS, height * -(-len(pictures) // COLUMNS)), "#ffffff")
    for place, picture in enumerate(pictures):
        whole.paste(picture, (place % COLUMNS * width, place // COLUMNS * height))
    return whole
