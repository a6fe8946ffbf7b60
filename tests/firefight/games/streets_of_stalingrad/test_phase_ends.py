"""What the end of each phase, and the beginning of the next, takes off: hexes and counters, row by row of the text."""

from dataclasses import replace

import pytest

from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.engine.course.course import Position
from firefight.games.streets_of_stalingrad.counters import COUNTERS
from firefight.games.streets_of_stalingrad.rules.becoming import become, tidy

from .test_course import keep, mark, state, words

STEPS = [(phase, phase % 15 + 1) for phase in range(1, 16)]
FREE, ATTACKED = "0509", "0611"


def is_left(marker, ends, begins, is_under_attack=False):
    """Whether a marker is still there, read off the text, not off the app's own list."""
    if ends in (8, 15):
        return marker not in ("pinned", "spent", "attack", "interdicted")  # 9.115, 14.84
    if marker == "pinned":
        return begins not in (6, 9, 13) or is_under_attack  # 9.114
    if marker == "interdicted":
        return ends not in (5, 12)  # 14.84
    return not (marker == "breakthru" and ends in (3, 7, 10, 14))  # 10.9


def step(ends, begins, **record):
    """From one phase to the next, if need be of the next day."""
    return keep((3, ends), (3 + (begins == 1), begins), **record)[1]


@pytest.mark.parametrize("ends, begins", STEPS)
def test_what_lies_on_a_hex_goes_as_the_text_says(ends, begins):
    for marker in ("pinned", "spent", "attack", "breakthru", "interdicted"):
        left = words(step(ends, begins, markers=[mark(FREE, marker)]))
        turned = marker == "breakthru" and ends in (3, 7, 10, 14)
        assert left == (["spent"] if turned else [marker] if is_left(marker, ends, begins) else []), marker
    attacked = step(ends, begins, markers=[mark(FREE, "pinned", True)])
    assert words(attacked) == (["pinned"] if is_left("pinned", ends, begins, is_under_attack=True) else [])


@pytest.mark.parametrize("ends, begins", STEPS)
def test_what_lies_on_counters_of_both_sides_goes_as_the_text_says(ends, begins):
    counters = [
        CounterInPlay(f"{side}-{place}", side, kind, "One", place=place, state=("pinned", "spent"))
        for side, kind in (("soviet", "sniper"), ("german", "flak_88"))
        for place in (FREE, ATTACKED)
    ]
    pieces = tuple(Piece(counter, COUNTERS.kinds[counter.side][counter.counter]) for counter in counters)
    table = state(3 + (begins == 1), begins, markers=[mark(ATTACKED, "attack")])
    changes = tidy(Position(turn=3, phase=str(ends)), replace(table, pieces=pieces))
    for piece in pieces:
        after = piece.counter
        for change in changes:
            after = become(after, piece.kind, change.word) if change.id == after.id else after
        is_held = after.place == ATTACKED
        expected = [word for word in ("pinned", "spent") if is_left(word, ends, begins, is_held)]
        assert list(after.state) == expected, piece.counter.id


@pytest.mark.parametrize("ends, begins", STEPS)
def test_hexes_are_free_to_be_attacked_and_guns_fire_again_on_their_day(ends, begins):
    gun, boxed = ({"unit": name, "phase": 2, "in_box": name == "B"} for name in "AB")
    after = step(ends, begins, attacked=[FREE], breakthroughs=[ATTACKED], fired=[gun, boxed])
    assert after["attacked"] == after["breakthroughs"] == []  # 9.14, 10.4: once a phase
    fired = [] if begins == 1 else [gun] if begins == 9 else [gun, boxed]  # 14.02, 14.03; 14.54
    assert [row["unit"] for row in after["fired"]] == [row["unit"] for row in fired]
