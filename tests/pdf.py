"""PDFs as tests look at them: pages in millimetres from the top left corner, with their words, frames and ink."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import pypdfium2
import pypdfium2.raw
from PIL import ImageOps

POINT = 25.4 / 72
SIZES = {"a4": (210, 297), "letter": (215.9, 279.4)}
MARGIN = 12
SCALE = 3

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Page:
    """One page. ``source`` keeps the document open."""

    source: pypdfium2.PdfDocument
    number: int

    @cached_property
    def _page(self):
        return self.source[self.number]

    @property
    def size(self):
        """Width and height, to the tenth of a millimetre."""
        return tuple(round(side * POINT, 1) for side in self._page.get_size())

    @cached_property
    def _text(self):
        return self._page.get_textpage()

    @cached_property
    def words(self):
        """All words, single blanks between them."""
        return " ".join(self._text.get_text_range().split())

    def words_in(self, box):
        """The words within a box."""
        left, top, right, bottom = (at / POINT for at in box)
        high = self._page.get_height()
        text = self._text.get_text_bounded(left, high - bottom, right, high - top)
        return " ".join(text.split())

    @cached_property
    def letters(self):
        """How many letters there are of each size, in points."""
        sizes = (
            pypdfium2.raw.FPDFText_GetFontSize(self._text.raw, place)
            for place, letter in enumerate(self._text.get_text_range())
            if letter.strip()
        )
        return Counter(round(size, 1) for size in sizes)

    @cached_property
    def rectangles(self):
        """The bounds of everything with four corners that is drawn, grown by the width of its line."""
        high = self._page.get_height()
        boxes = []
        for shape in self._page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
            if pypdfium2.raw.FPDFPath_CountSegments(shape) not in (4, 5):
                continue
            left, bottom, right, top = shape.get_bounds()
            boxes.append(tuple(at * POINT for at in (left, high - top, right, high - bottom)))
        return boxes

    @cached_property
    def picture(self):
        """The page in greys, with SCALE points for each point of the paper."""
        return self._page.render(scale=SCALE).to_pil().convert("L")

    def grey_at(self, x, y):
        """How light the paper is there: 0 for black, 255 for white."""
        return self.picture.getpixel((round(x / POINT * SCALE), round(y / POINT * SCALE)))

    @cached_property
    def ink(self) -> Box:
        """The box around all that is printed."""
        left, top, right, bottom = ImageOps.invert(self.picture).getbbox()
        return tuple(at * POINT / SCALE for at in (left, top, right, bottom))


def pages_of(data):
    """The pages of a file."""
    document = pypdfium2.PdfDocument(data)
    return [Page(document, number) for number in range(len(document))]


def words_of(data):
    """All words of a file."""
    return " ".join(page.words for page in pages_of(data))


def squashed(text):
    """A text without its blanks: where lines break does not matter."""
    return "".join(text.split())
