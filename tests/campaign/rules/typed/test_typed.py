"""Content as sheets and back: nothing is lost, every problem stands in its cell, what the text gives is fixed."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.content import read_content
from campaign.rules.maps import read_map
from campaign.rules.typed import sector_map as typed_map
from campaign.rules.typed import words
from campaign.rules.typed.whole import CARDS, COUNTERS, MAP, PARTS, Whole, counters_in, fixed_in, layout_of, write_sheet
from firefight.engine.charts import tables
from firefight.engine.charts.checks import overrule_flaw
from firefight.engine.charts.tables import BadSheet
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import CARD_FILES, CONTENT, plain


@pytest.mark.parametrize(
    ("typed", "sides", "more"),
    [("d10", 10, 0), ("D10 ", 10, 0), ("d10 + 6", 10, 6), ("d10+1", 10, 1), ("d6 + 0", 6, 0)],
)
def test_a_reinforcement_roll_is_read_as_it_is_typed(typed, sides, more):
    assert words.read_die(typed) == {"sides": sides, "add": more}
    assert words.read_die(words.write_die({"sides": sides, "add": more})) == {"sides": sides, "add": more}


def test_one_group_or_counter_at_start_needs_no_number():
    typed = words.Names(Side.GERMAN, {}, {"I1": "Infantry"})
    assert typed.read_at_start("I1, 2 i1, 3 x I1") == [{"group": "I1", "number": number} for number in (1, 2, 3)]


@cache
def house():
    """The shipped content as plain values, its sheets and what the text gives of it."""
    data = {
        "counters": plain("counters"),
        "rosters": {side.value: plain(f"roster_{side}") for side in Side},
        "map": plain("map"),
        "cards": {identity: plain(name) for identity, name in CARD_FILES.items()},
    }
    kinds = counters_in(data)
    return data, {part: write_sheet(part, data, kinds) for part in PARTS}, fixed_in(data)


def whole(**sheets):
    """The house content with other sheets in the place of some."""
    data, typed, fixed = house()
    typed = {**typed, **{part.replace("_", "-"): (sheet, ()) for part, sheet in sheets.items()}}
    return Whole(data, typed.__getitem__, fixed, "Typed")


def sheet_of(part):
    """The house sheet of a part."""
    return house()[1][part][0]


def change(part, **texts):
    """The house sheet of a part with other texts in cells named by row and title: r1_CP."""
    sheet = sheet_of(part)
    places = {}
    for name, text in texts.items():
        row, _, title = name.removeprefix("r").partition("_")
        places[int(row), sheet.head.index(title.replace("_", " "))] = text
    return tables.put_texts(sheet, places)


def problems_of(data, cards=None):
    """What the readers of the files say about plain values."""
    rosters = {side: data["rosters"][side.value] for side in Side}
    return read_content(data["counters"], rosters, data["map"], data["cards"] if cards is None else cards)[1]


def field(identity, title, text):
    """The house sheet of a card with another value in a field."""
    sheet = sheet_of(f"card-{identity}")
    row = [cells[0] for cells in sheet.rows].index(title) + 1
    return tables.put_texts(sheet, {(row, 1): text}), row


def messages(checked):
    """Flaws by place."""
    return {flaw.place: flaw.message for flaw in checked.flaws}


def paste(part, text, at=(1, 0)):
    """A text pasted into the house sheet of a part."""
    kinds = counters_in(house()[0])
    layout = layout_of(part, kinds)
    block = tables.parse_block(text, len(layout.head), layout.limits)
    return layout.paste(sheet_of(part), None, block, at)


def test_what_is_shipped_comes_back_as_it_was():
    assert {part: messages(checked) for part, checked in whole().parts().items()} == dict.fromkeys(PARTS, {})
    data = whole().plain(PARTS)
    rosters = {side: data["rosters"][side.value] for side in Side}
    content, problems = read_content(data["counters"], rosters, data["map"], data["cards"])
    assert problems == []
    assert content.cards == CONTENT.cards
    for side in Side:
        for key, counter in CONTENT.counters[side].items():
            read_back = content.counters[side][key]
            assert replace(read_back, origin=counter.origin) == counter
            values = [name for name in plain("counters")[side][key] if name not in ("provenance", "text")]
            assert [read_back.find_origin(name) for name in values] == [counter.find_origin(name) for name in values]
        for key, group in CONTENT.rosters[side].groups.items():
            read_back = content.rosters[side].groups[key]
            assert replace(read_back, origin=group.origin) == group
            for name in ("id", "unit", "cp", "contents", "boxes"):
                assert read_back.origin.of(name) == group.origin.of(name)
    assert content.sector_map == replace(CONTENT.sector_map, name="Typed")
    assert whole().plain(()) == house()[0]


def test_contents_are_read_by_name_and_every_slip_stands_in_its_cell():
    sheet = change("roster-russian", r2_contents="2 Rifle squads, 1 Comissar", r3_CP="five", r4_CG_I="-1", r5_ID="i1")
    checked = whole(roster_russian=sheet).part("roster-russian")
    flaws = messages(checked)
    contents, cp, box, identity = (sheet.head.index(title) for title in ("contents", "CP", "CG I", "ID"))
    assert "Comissar" in flaws[2, contents] and "Is it “Commissar”?" in flaws[2, contents]
    assert flaws[3, cp] == "“five” is not a whole number"
    assert flaws[4, box] == "should lie between 0 and 20, not be -1"
    assert flaws[1, identity] == "this ID stands twice"
    assert set(flaws) == {(2, contents), (3, cp), (4, box), (1, identity)}


def test_a_made_up_roster_is_pasted_either_way_with_titles_in_any_order():
    rows = [["ID", "CP", "contents", "group", "CG I", "CG II", "leader"]]
    rows += [[f"I{n}", "3", "2 Grenadier squad, 1 Officer", f"Platoon {n}", "1", "2", "L"] for n in range(1, 21)]
    upright = paste("roster-german", "\n".join("\t".join(row) for row in rows))
    across = paste("roster-german", "\n".join("\t".join(row) for row in zip(*rows, strict=True)))
    assert upright == across
    checked = whole(roster_german=upright).part("roster-german")
    assert (len(upright.rows), messages(checked)) == (20, {})
    assert checked.raw["groups"][19] == {
        "id": "I20",
        "type": "infantry",
        "unit": "Platoon 20",
        "contents": {"grenadier_squad": 2, "officer": 1},
        "cp": 3,
        "boxes": {"cg1": 1, "cg2": 2},
        "leader": True,
        "provenance": "owner",
    }
    # The cards name groups that are gone, and say so in their own cells.
    assert any(
        "no such group or counter" in message
        for message in messages(whole(roster_german=upright).part("card-cg1")).values()
    )


def test_a_column_that_nobody_knows_is_not_dropped_in_silence():
    with pytest.raises(BadSheet, match="“Morale” is not a column here"):
        paste("roster-german", "ID\tCP\tgroup\tMorale\nI1\t2\tPlatoon\t7")


def test_counters_are_pasted_without_keys_and_keep_those_of_the_same_name():
    lines = ["name\tside\tarm\tin the box\tFF\tFF by range", "Rifle squads\tR\tSquad\t30\t6\t1: 7, 2-6: 6, 7-8: 3"]
    lines += ["Sniper\tGerman\tSW team\t4\t2\t1-9: 2", "Sniper\tRussian\tSW team\t4\t2\t1: 3, 3: 1"]
    sheet = paste(COUNTERS, "\n".join(lines))
    checked = whole(counters=sheet).part(COUNTERS)
    assert checked.raw["russian"]["rifle_squad"]["ff"] == 6
    assert checked.raw["german"]["sniper"]["fire"] == {"1-9": 2}
    assert messages(checked) == {
        (3, sheet.head.index("FF by range")): "should give each range once, without a gap, from 1 on"
    }


def test_a_counter_needs_a_side_and_a_name_of_its_own():
    sheet = change(COUNTERS, r1_side="", r2_name="Officer", r3_name="Squad, pioneer", r4_arm="knight")
    flaws = messages(whole(counters=sheet).part(COUNTERS))
    assert flaws[1, 1] == "German or Russian?"
    assert "is called like" in flaws[4, 0] and "comma" in flaws[3, 0] and "should be one of" in flaws[4, 2]


def test_what_the_text_gives_is_fixed_until_it_is_a_house_rule():
    sheet = change(COUNTERS, r1_MGs="2")
    checked = whole(counters=sheet).part(COUNTERS)
    (flaw,) = checked.flaws
    assert (flaw.overrule, flaw.message) == ("rule", "the rulebook's text gives 1")
    answered, _ = overrule_flaw(checked, flaw.key)
    again = whole(counters=answered).part(COUNTERS)
    assert (again.flaws, again.raw["german"]["panzergrenadier_squad"]["mgs"]) == ((), 2)
    assert "mgs" not in again.raw["german"]["panzergrenadier_squad"].get("text", ())


def test_cards_are_checked_beside_map_and_rosters():
    sheet, row = field("cg1", "German deployment", "1-3, 6, 40")
    assert messages(whole(card_cg1=sheet).part("card-cg1")) == {(row, 1): "names an unknown sector: 40"}
    sheet, row = field("cg1", "German at start", "2 I1, 9 Officer")
    assert "in the box" in messages(whole(card_cg1=sheet).part("card-cg1"))[row, 1]
    sheet, row = field("cg2", "goal 3: wins", "")
    assert "the last has none" in messages(whole(card_cg2=sheet).part("card-cg2"))[row - 8, 1]
    sheet, row = field("cg2", "times", "AM, PM")
    assert "20.5.4" in messages(whole(card_cg2=sheet).part("card-cg2"))[row, 1]
    # What is wrong with two fields together stands at the first of them.
    sheet, row = field("cg2", "German stance", "attacker")
    assert "20.5.3" in messages(whole(card_cg2=sheet).part("card-cg2"))[row, 1]


def test_orders_are_made_of_the_goals_where_nobody_writes_them():
    sheet, _ = field("cg1", "German orders", "")
    raw = whole(card_cg1=sheet).part("card-cg1").raw
    assert raw["german"]["orders"] == ["If the German controls 11 and controls at least 10 sectors."]


def test_a_card_can_be_left_out():
    sheet, _ = field("cg2", "in play", "no")
    content = whole(card_cg2=sheet)
    assert messages(content.part("card-cg2")) == {}
    data = content.plain({"card-cg2"})
    assert list(data["cards"]) == ["cg1"]
    assert problems_of(data) == []
    assert problems_of(data, {}) != []


def test_one_border_is_changed_without_a_coordinate_and_the_examples_that_break_are_told():
    sheet = typed_map.turn_border(sheet_of(MAP), 8, 9)
    content = whole(map=sheet)
    assert messages(content.part(MAP)) == {}
    data = content.part(MAP).raw
    assert data["adjacency"]["owner"] == ["8", "9"]
    turned, problems = read_map(data)
    assert problems == [] and turned.is_drawn and 9 not in turned.neighbours[8]
    crossed = whole(map=typed_map.turn_border(sheet_of(MAP), 1, 20)).part(MAP).raw
    assert "drawing" not in crossed  # nobody can draw it, and it can be played with all the same
    assert typed_map.turn_border(sheet, 8, 9).rows == sheet_of(MAP).rows
    broken = whole(map=typed_map.turn_border(sheet_of(MAP), 13, 15)).part(MAP)
    (flaw, *_) = broken.flaws
    assert (flaw.cell, flaw.overrule) == ("G-6", "card")
    confirmed = [flaw.confirmation for flaw in broken.flaws]
    content = whole(map=broken.sheet)
    again = content.check(MAP, broken.sheet, confirmed)
    assert again.flaws == () and read_map(again.raw)[1] == []


def test_a_border_that_one_sector_alone_names_is_told_in_its_cell():
    sheet = tables.put_texts(sheet_of(MAP), {(4, 1): "3, 5, 8, 9, 12, 20"})
    assert messages(whole(map=sheet).part(MAP))[4, 1] == "names 20 as a neighbour, but 20 does not name 4"
    with pytest.raises(BadSheet, match="two different sectors"):
        typed_map.turn_border(sheet, 4, 4)


@pytest.mark.parametrize("text", ["1-3, 6", "6 1 2 3", "1–3;6"])
def test_sectors_are_read_however_they_are_written(text):
    assert words.write_sectors(words.parse_sectors(text)) == "1-3, 6"


ODD = st.text(st.sampled_from("0159-+,;: dDAMRifle squads#×/()<>'\"\\ßЖ²∞"), max_size=30)


@given(st.sampled_from(PARTS), st.dictionaries(st.tuples(st.integers(1, 24), st.integers(0, 14)), ODD, max_size=6))
@settings(max_examples=10, deadline=None)
def test_nothing_that_is_typed_breaks_the_check(part, texts):
    sheet = sheet_of(part)
    layout = layout_of(part, counters_in(house()[0]))
    inside = {
        place: text for place, text in texts.items() if place[0] <= len(sheet.rows) and place[1] < len(sheet.head)
    }
    sheet = tables.put_texts(sheet, {place: text for place, text in inside.items() if not layout.is_locked(place)})
    content = whole(**{part.replace("-", "_"): sheet})
    flaws = {name: checked.flaws for name, checked in content.parts().items()}
    data = content.plain(PARTS)
    assert not problems_of(data) or any(flaws.values())
    assert set(CARDS) <= set(flaws)
