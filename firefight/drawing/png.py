"""Drawings as PNG. Everything is painted a few times as large and then reduced, which smooths the edges."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import dist

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Point, Polygon, Shape

from . import fonts
from .patterns import DOT, DOTS, STROKE, STROKES

MOST_POINTS = 8_000_000  # painted for a picture
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
_GROUND = "#ffffff"


def png(drawing: Drawing, paints: Mapping[str, Paint], scale: float = 1) -> bytes:
    """A drawing as a PNG file that also says what it shows, ``scale`` points for each of its units.

    Raises KeyError for a role without paint, ValueError for a picture that would be empty or enormous.
    """
    file, info = BytesIO(), PngInfo()
    info.add_itxt("Description", fonts.printable(drawing.told))
    # Drawings have few colours, so that a palette holds them.
    picture = paint_image(drawing, paints, scale).quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    picture.save(file, "PNG", pnginfo=info)
    return file.getvalue()


def paint_image(drawing: Drawing, paints: Mapping[str, Paint], scale: float = 1) -> Image.Image:
    """A drawing as a picture in memory."""
    width, height = (max(round(side * scale), 0) for side in (drawing.width, drawing.height))
    finer = 4 if scale < 2 else 3 if scale < 3 else 2  # the finer the picture itself is, the less it needs
    if not 0 < width * height * finer**2 <= MOST_POINTS:
        raise ValueError(f"A picture of {width} by {height} points cannot be painted.")
    canvas = _Canvas(width * finer, height * finer, scale * finer, paints)
    for shape in drawing.shapes:
        canvas.paint(shape)
    return canvas.image.reduce(finer)


class _Canvas:
    """A picture being painted. ``unit``: its points for one unit of the drawing."""

    def __init__(self, width: int, height: int, unit: float, paints: Mapping[str, Paint]):
        self.unit, self.paints = unit, paints
        self.image = Image.new("RGB", (width, height), _GROUND)
        self.pen = ImageDraw.Draw(self.image)
        self.tiles: dict[str, Image.Image] = {}

    def paint(self, shape: Shape) -> None:
        """Paint one shape over what is there."""
        paint = self.paints[shape.role]
        match shape:
            case Polygon():
                points = self._points(shape.points)
                self._fill(points, shape.role, paint)
                self._stroke([*points, points[0]], paint, is_closed=True)
            case Line():
                self._stroke(self._points(shape.points), paint)
            case Ellipse():
                self._ellipse(shape, paint)
            case Label():
                self._label(shape, paint)

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.unit, y * self.unit) for x, y in points]

    def _fill(self, points: list[Point], role: str, paint: Paint) -> None:
        if paint.pattern is Pattern.PLAIN:
            if paint.fill:
                self.pen.polygon(points, fill=paint.fill)
            return
        left, top = (int(min(at)) for at in zip(*points, strict=True))
        right, bottom = (int(max(at)) + 1 for at in zip(*points, strict=True))
        size = (right - left, bottom - top)
        mask = Image.new("1", size)
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in points], fill=1)
        self.image.paste(_paint_tiles(self._tile(role, paint), size, left, top), (left, top), mask)

    def _tile(self, role: str, paint: Paint) -> Image.Image:
        if role not in self.tiles:
            self.tiles[role] = _tile(paint, max(round(paint.grain * self.unit), 4))
        return self.tiles[role]

    def _stroke(self, points: list[Point], paint: Paint, is_closed: bool = False) -> None:
        """A line with round corners and ends; a broken one ends bluntly."""
        if not paint.line:
            return
        width = max(round(paint.width * self.unit), 1)
        if paint.dash:
            for start, end in _cut_into_dashes(points, paint.dash * self.unit):
                self.pen.line([start, end], fill=paint.line, width=width)
            return
        self.pen.line(points, fill=paint.line, width=width)
        radius = width / 2
        for x, y in points[:-1] if is_closed else points:
            self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=paint.line)

    def _ellipse(self, shape: Ellipse, paint: Paint) -> None:
        # Pillow draws an outline inside its box; a line lies half outside.
        half = paint.width / 2 if paint.line else 0
        (x, y), (rx, ry) = (shape.x, shape.y), (shape.rx + half, shape.ry + half)
        edges = [at * self.unit for at in (x - rx, y - ry, x + rx, y + ry)]
        width = max(round(paint.width * self.unit), 1) if paint.line else 0
        self.pen.ellipse(edges, fill=paint.fill or None, outline=paint.line or None, width=width)

    def _label(self, label: Label, paint: Paint) -> None:
        font = fonts.find_font(label.size * self.unit, label.bold)
        halo = round(paint.width * self.unit / 2) if paint.line else 0
        self.pen.text(
            (label.x * self.unit, label.y * self.unit),
            fonts.printable(label.text),
            font=font,
            fill=paint.fill or paint.line,
            anchor=_ANCHORS[label.anchor],
            stroke_width=halo,
            stroke_fill=paint.line or None,
        )


def _tile(paint: Paint, size: int) -> Image.Image:
    """One tile of a pattern; strokes that run beyond it are cut."""
    tile = Image.new("RGB", (size, size), paint.fill or _GROUND)
    pen = ImageDraw.Draw(tile)
    width = max(round(STROKE * size), 1)
    for stroke in STROKES.get(paint.pattern, ()):
        pen.line([(x * size, y * size) for x, y in stroke], fill=paint.ink, width=width)
    for x, y in DOTS.get(paint.pattern, ()):
        edges = [(at + way) * size for way in (-DOT, DOT) for at in (x, y)]
        pen.ellipse(edges, fill=paint.ink)
    return tile


def _paint_tiles(tile: Image.Image, size: tuple[int, int], left: int, top: int) -> Image.Image:
    """An area of tiles that meet those of every other area, wherever it lies in the picture."""
    strip, whole = Image.new("RGB", (size[0], tile.height)), Image.new("RGB", size)
    for x in range(-(left % tile.width), size[0], tile.width):
        strip.paste(tile, (x, 0))
    for y in range(-(top % tile.height), size[1], tile.height):
        whole.paste(strip, (0, y))
    return whole


def _cut_into_dashes(points: list[Point], stroke: float) -> list[tuple[Point, Point]]:
    """A line cut into strokes with gaps half as long, which go on around its corners."""
    strokes, walked, period = [], 0.0, stroke * 1.5
    for start, end in zip(points, points[1:], strict=False):
        side = dist(start, end)
        at = 0.0
        while at < side:
            within = (walked + at) % period
            until = min(side, at + (stroke if within < stroke else period) - within)
            if within < stroke:
                strokes.append((_between(start, end, at / side), _between(start, end, until / side)))
            at = max(until, at + 1e-6)
        walked += side
    return strokes


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
