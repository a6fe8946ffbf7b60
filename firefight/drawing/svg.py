"""Drawings as SVG: inside a page, where roles are classes for its style sheet, or as a file with paints of its own.

Neither has a style attribute, which the pages' Content-Security-Policy would not let through.
"""

from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Polygon, Shape

from .fonts import printable
from .patterns import DOT, DOTS, STROKE, STROKES

_LETTERS = 'Roboto, "Segoe UI", "DejaVu Sans", sans-serif'


def write_shapes(drawn: Iterable[Shape]) -> str:
    """The markup of shapes for an ``<svg>`` that a page opens itself, with its text-anchor in the middle.

    Roles are classes; weight and colour are for the style sheet to give.
    """
    return "".join(_text(_element(shape)) for shape in drawn)


def draw_figure(drawing: Drawing, kind: str) -> str:
    """A whole drawing for a page, as wide as the page lets it be; ``kind``: its class. Roles are classes."""
    box = f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    description = {"role": "img", "aria-label": printable(drawing.told), "text-anchor": "middle"}
    frame = Element("svg", {"class": kind, "viewBox": box, **description})
    frame.extend(_element(shape) for shape in drawing.shapes)
    return _text(frame)


def defs(paints: Mapping[str, Paint]) -> str:
    """The patterns of some roles, as "of-" and the role, for a page whose style sheet colours and uses them."""
    patterned = {role: paint for role, paint in paints.items() if paint.pattern is not Pattern.PLAIN}
    return "".join(_text(_tile(role, paint, {})) for role, paint in patterned.items())


def document(drawing: Drawing, paints: Mapping[str, Paint]) -> bytes:
    """A drawing as a file that needs no style sheet. Raises KeyError for a role without paint."""
    size = {"width": _number(drawing.width), "height": _number(drawing.height)}
    description = printable(drawing.told)
    frame = {**size, "viewBox": f"0 0 {size['width']} {size['height']}", "role": "img", "aria-label": description}
    letters = {"font-family": _LETTERS, "text-anchor": "middle"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **frame, **letters})
    SubElement(root, "title").text = description
    roles = dict.fromkeys(shape.role for shape in drawing.shapes)
    patterned = [role for role in roles if paints[role].pattern is not Pattern.PLAIN]
    if patterned:
        definitions = SubElement(root, "defs")
        definitions.extend(_tile(role, paints[role], {"fill": paints[role].ink}) for role in patterned)
    for shape in drawing.shapes:
        element = _element(shape)
        del element.attrib["class"]
        element.attrib.update(_write_paint(shape, paints[shape.role]))
        root.append(element)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _element(shape: Shape) -> Element:
    match shape:
        case Polygon():
            return Element("polygon", {"class": shape.role, "points": _points(shape)})
        case Line():
            return Element("polyline", {"class": shape.role, "points": _points(shape)})
        case Ellipse():
            places = {"cx": shape.x, "cy": shape.y, "rx": shape.rx, "ry": shape.ry}
            return Element("ellipse", {"class": shape.role, **{name: _number(at) for name, at in places.items()}})
        case Label():
            return _label(shape)


def _label(label: Label) -> Element:
    element = Element("text", {"class": label.role, "x": _number(label.x), "y": _number(label.y)})
    element.set("font-size", _number(label.size))
    if label.anchor != "middle":
        element.set("text-anchor", label.anchor)
    if label.length:
        element.set("textLength", _number(label.length))
        element.set("lengthAdjust", "spacingAndGlyphs")
    element.text = printable(label.text)
    return element


def _write_paint(shape: Shape, paint: Paint) -> dict[str, str]:
    fill = paint.fill or "none"
    if paint.pattern is not Pattern.PLAIN:
        fill = f"url(#of-{shape.role})"
    attributes = {"fill": "none" if isinstance(shape, Line) else fill}
    if paint.line:
        attributes |= {"stroke": paint.line, "stroke-width": _number(paint.width), "stroke-linejoin": "round"}
        attributes |= {"stroke-dasharray": f"{_number(paint.dash)} {_number(paint.dash / 2)}"} if paint.dash else {}
        attributes |= {"paint-order": "stroke"} if isinstance(shape, Label) else {}
        attributes |= {"stroke-linecap": "round"} if isinstance(shape, Line) and not paint.dash else {}
    if isinstance(shape, Label) and shape.bold:
        attributes["font-weight"] = "700"
    return attributes


def _tile(role: str, paint: Paint, ink: Mapping[str, str]) -> Element:
    """A pattern: its ground, then its strokes or dots."""
    grain = paint.grain
    size = {"width": _number(grain), "height": _number(grain)}
    tile = Element("pattern", {"id": f"of-{role}", **size, "patternUnits": "userSpaceOnUse"})
    SubElement(tile, "rect", {**size, **({"fill": paint.fill or "none"} if ink else {})})
    for x, y in DOTS.get(paint.pattern, ()):
        spot = {"cx": _number(x * grain), "cy": _number(y * grain), "r": _number(DOT * grain)}
        SubElement(tile, "circle", {**spot, **ink})
    strokes = STROKES.get(paint.pattern, ())
    if strokes:
        ways = ("M{} {}L{} {}".format(*(_number(at * grain) for point in stroke for at in point)) for stroke in strokes)
        drawn = {"d": "".join(ways), "stroke-width": _number(STROKE * grain)}
        SubElement(tile, "path", {**drawn, **({"stroke": ink["fill"]} if ink else {})})
    return tile


def _points(shape: Polygon | Line) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)


def _number(value: float) -> str:
    """A length as short as a hundredth of a unit allows."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(element: Element) -> str:
    # No text or attribute holds a bare ">", so this is the end of an empty element.
    return tostring(element, encoding="unicode").replace(" />", "/>")
