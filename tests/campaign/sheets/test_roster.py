"""Roster sheets, read back from the finished file: every group once and whole, boxes as bought, nothing clipped."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from campaign.ledger.content import shipped
from campaign.models import Group as Row
from campaign.sheets import roster
from firefight.drawing.paper import UNKNOWN, Format
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.memory import Memory
from tests.pdf import pages_of, squashed

from .made import all_frames, check_pages, content_with, frames, group, printing, ticks

KINDS = list(shipped().counters[Side.GERMAN])
MOST_BYTES = 300_000
# What the typeface of the sheet has, and what it lacks.
KNOWN = ["Гвардии", "Zażółć", "№7", "a/b", "<b>", "(", "\\)", "{nb}", "ß", "½", "–", "M" * 90]
ODD = [*KNOWN, "日本", "🙂"]


def drawn(size, side=Side.GERMAN, **more):
    """A roster sheet as bytes."""
    return roster.draw_roster_sheet(printing(size, **more), side).bytes()


@pytest.mark.parametrize("size", Format)
@pytest.mark.parametrize("side", Side)
def test_the_shipped_rosters_stand_on_two_pages_each_group_once_in_a_box_of_its_own(size, side):
    data = drawn(size, side)
    assert len(data) < MOST_BYTES
    pages = check_pages(data, size)
    assert len(pages) == 2
    boxes = all_frames(pages)
    for listed in shipped().rosters[side].groups.values():
        (box,) = [words for words in boxes if words.startswith(f"{listed.id} ")]
        # The price stands at the end of the first line, wherever a long name goes on.
        assert box.replace(f" {listed.cp} CP", "", 1).startswith(f"{listed.id} {listed.unit} {listed.type.word}")
        for key, number in listed.contents.items():
            assert f"× {number} {shipped().counters[side][key].name}" in box
        for note in listed.notes:
            assert note in box
        for applies, word in ((listed.leader, "leader roll"), (listed.plotted, "plotted")):
            assert (f"· {word}" in box) == bool(applies)
        assert "CG I CG II" in box or "none" in box
    assert "ours, fitted to what the rulebook's text says, not the published ones" in pages[0].words


def test_what_a_group_says_in_words_stands_in_its_box():
    boxes = {words.split()[0]: words for words in all_frames(pages_of(drawn(Format.A4, Side.RUSSIAN)))}
    assert "arrives on 6 or less" in boxes["S1"]
    assert "For Night and Dawn only." in boxes["S1"]
    assert "76 mm · plotted" in boxes["A1"]
    assert "+2 on the roll for the Attacker: 2 CP more." in boxes["X1"]
    assert "From the rulebook's text: type, unit, notes" in boxes["N1"]
    assert "At start, without a box: CG I 2, CG II 3." in boxes["I2"]
    german = {words.split()[0]: words for words in all_frames(pages_of(drawn(Format.A4)))}
    assert "1–6 Pz IV F1" in german["V3"]
    assert "7–10 Pz IV F2" in german["V3"]


@pytest.mark.parametrize("size", Format)
def test_a_blank_roster_has_a_box_to_tick_for_each_purchase_in_either_campaign(size):
    boxes = {}
    for page in pages_of(drawn(size)):
        boxes |= {page.words_in(frame).split()[0]: ticks(page, frame) for frame in frames(page)}
    for listed in shipped().rosters[Side.GERMAN].groups.values():
        rows = [row for row in boxes[listed.id] if row]
        assert sum(map(len, rows)) == sum(listed.boxes.values()), listed.id
        assert not any(map(any, rows)), listed.id


NAMES = st.lists(st.sampled_from(ODD), max_size=3).map(" ".join)
NOTES = st.lists(
    st.lists(st.sampled_from([*ODD, "word", "another"]), min_size=1, max_size=40).map(" ".join), max_size=4
)
CONTENTS = st.dictionaries(st.sampled_from(KINDS), st.integers(1, 20), max_size=8)
GROUPS = st.lists(
    st.tuples(NAMES, CONTENTS, NOTES, st.tuples(st.integers(0, 20), st.integers(0, 20))), min_size=1, max_size=25
)


def printable(text):
    """A text as a sheet can print it."""
    return "".join(letter if letter in "".join(KNOWN) or letter.isascii() else UNKNOWN for letter in text)


def check(size, parts):
    """Draw a roster of such groups, and find each of them whole in a box of its own."""
    groups = [
        group(number, f"Unit{number}. {name}", contents, notes, boxes)
        for number, (name, contents, notes, boxes) in enumerate(parts, 1)
    ]
    pages = check_pages(drawn(size, content=content_with(groups)), size)
    everything = squashed("".join(page.words for page in pages))
    places = {}
    for page in pages:
        page_frames = sorted(frames(page))
        for frame in page_frames:
            assert all(frame is other or apart(frame, other) for other in page_frames)
            places.setdefault(squashed(page.words_in(frame)).split("Unit")[0], []).append((page, frame))
    for listed in groups:
        assert everything.count(f"{listed.id}Unit{listed.id[1:]}.") == 1
        ((page, frame),) = places[listed.id]
        words = squashed(page.words_in(frame)).replace(f"{listed.cp}CP", "", 1)
        for text in (listed.unit, *listed.notes):
            assert squashed(printable(text)) in words
        for key, number in listed.contents.items():
            assert squashed(f"× {number} {shipped().counters[Side.GERMAN][key].name}") in words
        rows = ticks(page, frame)
        assert sum(map(len, rows)) == sum(listed.boxes.values())
    return pages


def apart(one, other):
    """Whether two boxes do not overlap."""
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


@settings(max_examples=5)
@example([(" ".join(ODD), dict.fromkeys(KINDS, 20), [("word " * 60).strip()] * 20, (20, 20))])
@given(GROUPS)
def test_any_roster_is_printed_whole(parts):
    check(Format.A4, parts)


@settings(max_examples=3)
@given(GROUPS)
def test_any_roster_is_printed_whole_on_letter(parts):
    check(Format.LETTER, parts)


@pytest.mark.parametrize(("size", "number"), [*(("a4", number) for number in (1, 2, 3, 37)), ("letter", 60)])
def test_rosters_of_every_length_are_printed_whole(size, number):
    parts = [
        (f"of {place}", dict.fromkeys(KINDS[: place % 5], 2), ["A note."] * (place % 3), (place % 7, 4))
        for place in range(number)
    ]
    pages = check(Format(size), parts)
    assert len(pages) <= 2 + number // 15


def test_no_title_of_a_group_in_hand_stands_alone_at_the_end_of_a_box():
    with Memory.begin("cg2").open() as memory:
        groups = memory.ledger.groups[Side.RUSSIAN]
        for number in range(100, 114):
            groups[number] = Row(
                campaign=memory.ledger.campaign,
                side="russian",
                number=number,
                rg="V4",
                standing="in_play",
                bought_for=1,
            )
        for state in (["m_killed"], ["f_killed"], ["m_killed", "f_killed"]):  # words of three lines
            memory.add(Side.RUSSIAN, "t_70", 13, "", state, group=groups[100])
        data = drawn(Format.A4, Side.RUSSIAN, card=memory.ledger.card, ledger=memory.ledger)
    listed = [words for words in all_frames(pages_of(data)) if words.startswith("Groups in hand")]
    assert len(listed) == 2 and all(words.endswith("bought for Dawn") for words in listed)
