"""What a job costs: a thumb counts taps, keys and how far it scrolls, a typist counts strokes besides the dice."""

from dataclasses import dataclass

from playwright.sync_api import expect

HEIGHT = 740


@dataclass
class Effort:
    """What a job has cost. ``entries``: what was typed besides dice, which may be known already."""

    taps: int = 0
    keys: int = 0
    screens: float = 0
    entries: int = 0

    def is_within(self, taps, keys, screens):
        """Whether it has cost no more than this, with nothing typed but dice."""
        return self.taps <= taps and self.keys <= keys and self.screens <= screens and not self.entries


# Where a node lies between what covers the page's edges, and how far to scroll until it lies there.
_FAR = """node => {
  const box = node.getBoundingClientRect();
  const bar = document.querySelector("#rolls");
  const floor = bar && !bar.contains(node) && getComputedStyle(bar).position === "fixed"
    ? Math.min(innerHeight, bar.getBoundingClientRect().top) : innerHeight;
  const strip = document.querySelector("header.strip");
  const roof = strip && !strip.contains(node) && ["sticky", "fixed"].includes(getComputedStyle(strip).position)
    ? strip.getBoundingClientRect().bottom : 0;
  if (box.bottom > floor) return box.bottom - floor;
  return box.top < roof ? box.top - roof : 0;
}"""
_COVERED = """node => {
  const box = node.getBoundingClientRect();
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !(at && (node.contains(at) || at.contains(node)));
}"""


class Thumb:
    """A player with one thumb on one page."""

    def __init__(self, page):
        self.page, self.effort = page, Effort()

    def tap(self, target):
        """Scroll as far as needed, and tap."""
        self._scroll_to(target)
        target.click()
        self.effort.taps += 1

    def _scroll_to(self, target):
        expect(target).to_be_visible()
        far = target.evaluate(_FAR)
        if far or target.evaluate(_COVERED):
            before = self.page.evaluate("scrollY")
            target.evaluate("(node, far) => far ? scrollBy(0, far) : node.scrollIntoView({block: 'nearest'})", far)
            self.effort.screens += max(abs(far), abs(self.page.evaluate("scrollY") - before)) / HEIGHT

    def type(self, boxes, *faces):
        """Type dice one after the other; the first box costs a tap, unless the cursor stands there."""
        expect(boxes.nth(len(faces) - 1)).to_be_visible()
        if not boxes.first.evaluate("node => node === document.activeElement"):
            self.tap(boxes.first)
        for box, face in zip(boxes.all(), faces, strict=False):
            self.page.keyboard.type(face)
            self.effort.keys += len(face)
            self.effort.entries += not box.evaluate("node => node.matches('.die')")
            expect(box).to_have_value(face)


class Typist:
    """A player with both hands on the keyboard of a laptop."""

    def __init__(self, page):
        self.page, self.strokes = page, 0

    def press(self, *keys):
        """Press keys; each is a stroke."""
        for key in keys:
            self.page.keyboard.press(key)
            self.strokes += 1

    def roll(self, digits):
        """Type dice, which costs nothing, into the boxes, and press Enter."""
        boxes = self.page.locator("#desk input.die")
        expect(boxes.first).to_be_visible()
        self.page.keyboard.type(digits)
        self.press("Enter")
