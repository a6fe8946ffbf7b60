"""All 116 counters of the display at a table: put into play, tapped, fired with; both sides of a combat, and losses."""

import pytest

from firefight.games.battle_for_stalingrad.counters import COUNTERS
from firefight.games.battle_for_stalingrad.rules import box

from .test_counters import HERE, rows_of, table  # noqa: F401 (a fixture)

pytestmark = pytest.mark.django_db
KINDS = COUNTERS.kinds["german"]
AT_ONCE = 16  # kinds that fire together
ARMOR = next(str(number) for number, word in COUNTERS.list_choices(box.KIND).items() if word == "Armor")


def put_all_in_play(table):  # noqa: F811
    """The whole display, through the list of the page of counters; those in play already are left out."""
    keys = [row["counter"] for row in table.match.state.counters.values()]
    left = {kind.name: kind.count - keys.count(key) for key, kind in KINDS.items()}
    reader = table.open("german", "counters/?side=german")
    listed = ", ".join(f"{number} × {name}" for name, number in left.items() if number)
    reader.form("form:has([name=list])").fill(list=f"German: {listed}").press("Add them")
    return {row["counter"]: id for id, row in table.match.state.counters.items() if id.startswith("german-")}


def test_each_counter_of_the_display_fires_with_what_is_printed_on_it(table):  # noqa: F811
    by_kind = put_all_in_play(table)
    assert sum(id.startswith("german-") for id in table.match.state.counters) == 116 and by_kind.keys() == KINDS.keys()
    for number in (1, 2):
        table.players["soviet"].do("counters/", id=f"soviet-{number}", place=f"150{number}")
    fired = {}
    for at in range(0, len(by_kind), AT_ONCE):
        keys = list(by_kind)[at : at + AT_ONCE]
        reader = table.tap("german", [*(by_kind[key] for key in keys), f"soviet-{1 + at // AT_ONCE}"])
        form = reader.form("#desk-form")
        values = {name: ARMOR for name in form.names() if name.startswith("value:")}
        form.fill(values, die=6, kind="ground_attack", terrain="clear").press("Resolve")
        strengths = {row["name"].partition(" #")[0]: row["strength"] for row in table.last.inputs["firers"]}
        assert strengths.keys() == {KINDS[key].name for key in keys}, reader.words("#desk")
        fired |= {key: strengths[KINDS[key].name] for key in keys}
    printed = {key: {kind.printed.first, kind.printed.second} for key, kind in KINDS.items()}
    assert all(fired[key] in printed[key] for key in KINDS)


def test_both_sides_of_a_combat_fill_from_who_is_tapped_and_their_losses_come_off(table):  # noqa: F811
    table.players["soviet"].do("counters/", id="soviet-3", place="1510")
    reader = table.tap("german", ["german-1", "german-4", "soviet-1"])
    reader.form("#desk-form").fill(terrain="heavy")
    table.tell(reader, {"29_mot_6_2_24": "Armor", "94_inf_5_4_12": "Infantry"})
    reader.form("#desk-form").fill(die=1).press("Resolve")
    assert rows_of(table.last) == [(6, "1", "29 Mot 6-2-24 #1"), (4, "1", "94 Inf 5-4-12 #4")]
    assert (table.last.inputs["occupant"], table.last.inputs["hex"]) == ("soviet", HERE)
    assert table.in_play & {"soviet-1", "soviet-2", "soviet-3"} == {"soviet-3"}
    table.players["german"].do("counters/", id="german-4", place="1511")
    reader = table.tap("soviet", ["soviet-3", "german-4"])
    reader.form("#desk-form").fill(terrain="heavy", defence="soviet", die=1).press("Resolve")
    assert [row["name"] for row in table.last.inputs["firers"]] == ["42 Gds #3"], reader.words("#desk")
    assert table.last.result.details["losses"] and "german-4" not in table.in_play
    assert "3 of 116 on the map" in table.open("german").words("html")
