"""The house's map, blocks and cards fit what an owner's are held against, and each such fact is looked at."""

from dataclasses import replace

import pytest

from firefight.games.inferno_on_the_volga.rules.board import VolgaBoard
from firefight.games.inferno_on_the_volga.rules.content import build_house_content
from firefight.kit import read_data

DATA = read_data("firefight.games.inferno_on_the_volga", "house")
HOUSE = build_house_content(DATA)


def change(sheet, begins, old, new):
    lines = [line.replace(old, new) if line.startswith(begins) else line for line in DATA[sheet].splitlines()]
    assert "\n".join(lines) != DATA[sheet].rstrip("\n"), "The change changed nothing."
    return build_house_content({**DATA, sheet: "\n".join(lines)}).find_flaws()


def test_the_houses_content_contradicts_nothing():
    assert HOUSE.find_flaws() == []
    assert (len(HOUSE.board.hexes), len(HOUSE.of_side("german")), len(HOUSE.of_side("soviet"))) == (109, 40, 53)


@pytest.mark.parametrize(
    ("sheet", "begins", "old", "new", "says"),
    [
        ("hexes", "9\t", "urban", "clear", "Hex 9 is Urban."),
        ("hexes", "28\t", "rough", "urban", "Hex 28 is not Urban."),
        ("hexes", "13\t", "\tx\t", "\t-\t", "not 22"),
        ("hexes", "25\t", "\t24\t", "\t-\t", "A 5 leads from 25 to 24."),
        ("hexes", "40\t", "\t41\t", "\t99\t", "of 40 is 99"),
        ("blocks", "german\tg2\t", "panzer", "tank", "4 German blocks of type panzer, not 3"),
        ("blocks", "german\tg2\t", "\tr", "\t-", "5 German blocks are marked r, not 4"),
        ("blocks", "german\tg24\t", "\tblue\t", "\t\t", "24th Panzer has to have a colour."),
        ("blocks", "soviet\tm1\t", "soviet", "german", "There are 40 German blocks, not 41."),
        ("blocks", "soviet\tu1\t", "guards", "-", "4 Guards, not 3"),
        ("blocks", "soviet\tu1\t", "infantry", "tank", "13th Guards: a block marked guards is Infantry, not tank"),
        ("blocks", "soviet\ti45\t", "infantry", "panzer", "45th Division: a Soviet block is infantry, motorized or"),
        ("blocks", "soviet\tm1\t", "marine", "-", "2 Marines, not 1"),
        ("blocks", "soviet\taa\t", "infantry", "tank", "1077th AA Regiment: a block marked aa is Infantry, not tank"),
        ("blocks", "soviet\taa\t", "\taa", "\t-", "There is 1 AA Regiment, not 0."),
        ("blocks", "soviet\ti45\t", "\t-", "\tdestroyer", "There is 1 Destroyer Brigade, not 2."),
        ("cards", "german\tpak", "\t2\t", "\t3\t", "The German deck holds 2 of pak."),
        ("cards", "soviet\taa", "7,", "8,", "one of them 7"),
        ("cards", "soviet\taa", "26", "28", "Hex 28 of an AA card is Urban."),
    ],
)
def test_what_contradicts_the_text_is_said(sheet, begins, old, new, says):
    assert any(says in flaw for flaw in change(sheet, begins, old, new))


def link(*pairs):
    """The house's map where other hexes lie in some directions: ("9", 3, ""), ("26", 6, "")."""
    hexes = dict(HOUSE.board.hexes)
    for name, direction, other in pairs:
        towards = [*hexes[name].towards]
        towards[direction - 1] = other
        hexes[name] = replace(hexes[name], towards=tuple(towards))
    return replace(HOUSE, board=VolgaBoard(hexes))


def test_four_hexes_touch_the_dock_and_a_fifth_may():
    """Four Stacks surround it in an example; where nobody stands is not said (B68)."""
    assert len(HOUSE.board.next_to["9"]) == 4
    assert link(("9", 3, ""), ("26", 6, "")).find_flaws() == ["At least four hexes touch 9."]
    assert link(("9", 6, "105"), ("105", 3, "9")).find_flaws() == []


NONE_OF_THESE = "or not at all; {} not among these."
GERMAN_MARKS = "marks: a German block is marked r or axe, "
SOVIET_MARKS = "marks: a Soviet block is marked marine or guards or aa or destroyer, "


@pytest.mark.parametrize(
    ("key", "old", "new", "says"),
    [
        ("german\tg36", "\t-", "\tguards", f"36th Panzer, {GERMAN_MARKS}{NONE_OF_THESE.format('guards is')}"),
        (
            "german\tg2",
            "\tr",
            "\tr,aa,marine",
            f"2nd Panzer, {GERMAN_MARKS}{NONE_OF_THESE.format('aa and marine are')}",
        ),
        ("german\tg191", "\t-", "\tdestroyer", f"191st Infantry, {GERMAN_MARKS}{NONE_OF_THESE.format('destroyer is')}"),
        ("soviet\ti45", "\t-", "\tr", f"45th Division, {SOVIET_MARKS}{NONE_OF_THESE.format('r is')}"),
        ("soviet\tt6", "\t-", "\taxe", f"6th Tank Brigade, {SOVIET_MARKS}{NONE_OF_THESE.format('axe is')}"),
        (
            "soviet\tm1",
            "\tmarine",
            "\tmarine,guards",
            f"154th Naval Brigade, {SOVIET_MARKS}or not at all; with one of them, not marine and guards.",
        ),
        (
            "soviet\ti45",
            "\t-\t4",
            "\tyellow\t4",
            "45th Division, colour: blank, as only Germans have colours, not yellow.",
        ),
    ],
)
def test_what_a_side_cannot_have_is_said_with_its_block_and_what_it_may_have(key, old, new, says):
    flaws = change("blocks", f"{key}\t", old, new)
    assert f"Blocks, {says}" in flaws


@pytest.mark.parametrize(
    ("card", "old", "new", "says"),
    [
        ("german\tstuka", "\t-", "\t7", "Stuka (German), hexes: blank, as AA cards alone name hexes, not 7."),
        ("soviet\tsniper", "\t-", "\t7,9", "Sniper (Soviet), hexes: blank, as AA cards alone name hexes, not 7, 9."),
        ("german\theinkel_111", "\t6\t3", "\t5\t3", "Heinkel 111 (German), dice: 6, not 5."),
        ("german\theinkel_111", "\t6\t3", "\t6\t-1", "Heinkel 111 (German), modifier: 3, not -1."),
        ("german\tpak", "\t0\t0", "\t2\t1", "Pak (German), modifier: blank, not 1."),
        ("german\thoth", "\t0\t0", "\t1\t0", "Hoth (German), dice: blank, not 1."),
        ("soviet\ttommy_gunner", "\t2\t0", "\t3\t0", "Tommy Gunner (Soviet), dice: 2, not 3."),
        ("soviet\tanti_tank", "\t0\t0", "\t0\t2", "Anti-Tank (Soviet), modifier: blank, not 2."),
    ],
)
def test_what_a_card_cannot_print_is_said_with_its_card_and_what_it_prints(card, old, new, says):
    assert f"Cards, {says}" in change("cards", f"{card}\t", old, new)


def test_numbers_that_the_text_has_may_be_blank_and_those_of_the_672nd_are_its_cards():
    assert change("cards", "german\tstuka\t", "\t5\t2", "\t0\t0") == []
    assert change("cards", "german\t672nd_pioneer\t", "\t6\t2", "\t9\t3") == []


def test_motorized_soviets_are_infantry_without_an_ability():
    assert change("blocks", "soviet\ti45\t", "infantry", "motorized") == []


@pytest.mark.parametrize("printed", ["yellow", "blue", ""])
def test_germans_with_an_axe_count_as_white_whatever_is_printed(printed):
    rows = [
        line.replace("\twhite\t", f"\t{printed}\t") if "axe" in line else line for line in DATA["blocks"].splitlines()
    ]
    content = build_house_content({**DATA, "blocks": "\n".join(rows)})
    assert content.find_flaws() == []
    assert {block.colour for block in content.of_side("german") if "axe" in block.marks} == {"white"}


def keep_infantry(colour, number):
    """The house's blocks with that many Infantry of a colour; the others are blue."""
    rows = DATA["blocks"].splitlines()
    drawn = [index for index, line in enumerate(rows) if f"infantry\t{colour}\t" in line]
    for index in drawn[number:]:
        rows[index] = rows[index].replace(colour, "blue")
    return rows, drawn[0]


def find_flaws(rows):
    return build_house_content({**DATA, "blocks": "\n".join(rows)}).find_flaws()


@pytest.mark.parametrize(("colour", "number"), [("white", 6), ("yellow", 3)])
@pytest.mark.parametrize("elsewhere", [("g11", "panzer"), ("g120", "motorized")], ids=["axe", "by name"])
def test_the_set_up_draws_no_infantry_that_is_elsewhere(colour, number, elsewhere):
    says = "Set-up draws six White and three Yellow Infantry; none of them has an axe or starts by name."
    rows, first = keep_infantry(colour, number)
    assert find_flaws(rows) == []
    assert find_flaws(keep_infantry(colour, number - 1)[0]) == [says]
    key, type = elsewhere
    at = next(index for index, line in enumerate(rows) if line.startswith(f"german\t{key}\t"))
    rows[first] = rows[first].replace("infantry", type)
    rows[at] = "\t".join([*rows[at].split("\t")[:3], "infantry", colour, *rows[at].split("\t")[5:]])
    assert find_flaws(rows) == [says]


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ({"W": ["g2", "g64"], "X": ["g120"]}, "Germans who begin in W by name: 2nd, 64th, 79th (Game Setup 8)."),
        (
            {"W": ["g2", "g64", "g79", "g24"], "X": ["g120"]},
            "Germans who begin in W by name: 2nd, 64th, 79th (Game Setup 8).",
        ),
        (
            {"W": ["g2", "g64", "g79"], "X": ["g120"], "Z": ["g24"]},
            "Germans who begin in Z by name: nobody (Game Setup 8).",
        ),
    ],
)
def test_named_germans_begin_in_their_hexes_and_nobody_else_by_name(start, says):
    assert build_house_content({**DATA, "start": start}).find_flaws() == [says]
