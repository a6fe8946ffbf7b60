"""What the toy of one player keeps from whoever watches: the beasts of its cards."""

import re

from examples.lone_watch import rules

BEASTS = tuple(rules.CARDS)


def find_beasts(text):
    """The beasts that a text names: as words, since three letters turn up in any long token some day."""
    return re.findall(rf"(?<![A-Za-z0-9])(?:{'|'.join(BEASTS)})(?![A-Za-z0-9])", text.lower())
