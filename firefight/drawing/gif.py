"""Drawings one after the other as an animated GIF, which every chat plays."""

from collections.abc import Mapping, Sequence
from io import BytesIO

from PIL import Image

from firefight.drawing.shapes import Drawing, Paint

from .png import paint_image

MOST_FRAMES = 24
LARGEST = 1_000_000  # bytes
_PAUSE, _LAST_PAUSE = 1_100, 3_500  # milliseconds
_COLOURS, _SAMPLES = 96, 4


def gif(drawings: Sequence[Drawing], paints: Mapping[str, Paint], scale: float = 1) -> bytes:
    """Drawings of one size as an endless film.

    Raises ValueError for none, for more than MOST_FRAMES, and for a film larger than LARGEST.
    """
    if not 0 < len(drawings) <= MOST_FRAMES:
        raise ValueError(f"A film has 1 to {MOST_FRAMES} pictures, not {len(drawings)}.")
    frames = [paint_image(drawing, paints, scale) for drawing in drawings]
    palette = _find_palette(frames)
    first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    file, pauses = BytesIO(), [_PAUSE] * len(rest) + [_LAST_PAUSE]
    first.save(file, "GIF", save_all=True, append_images=rest, duration=pauses, loop=0, optimize=False)
    if file.tell() > LARGEST:
        raise ValueError(f"The film would come to {file.tell()} bytes.")
    return file.getvalue()


def _find_palette(frames: Sequence[Image.Image]) -> Image.Image:
    """The colours that all frames share: those of a few frames beside each other."""
    chosen = frames[:: max(len(frames) // _SAMPLES, 1)]
    sheet = Image.new("RGB", (sum(frame.width for frame in chosen), max(frame.height for frame in chosen)))
    x = 0
    for frame in chosen:
        sheet.paste(frame, (x, 0))
        x += frame.width
    return sheet.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
