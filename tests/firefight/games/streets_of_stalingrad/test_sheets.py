"""Units that owners type off their counters: what a row says, and that they stand in the match."""

import pytest

from firefight.games.streets_of_stalingrad.counters import COUNTERS
from firefight.games.streets_of_stalingrad.rules.units import Arm
from tests.firefight import players
from tests.games.test_sheets import lay, page

pytestmark = pytest.mark.django_db

HEAD = "name\tside\tback\tregiment\tbattalion\tarm\taf\tdf\trange\tmp\tunderlined\tred\tyellow\tcount"
ROWS = (
    "1/I/274\tGerman\t94\t274\tI\tInfantry\t4\t5\t1\t8",
    "Pi 194\tGerman\t94\t\t194\tEngineer\t5\t4\t1\t8\t\tyes",
    "A/129\tGerman\t\t\t129\tTank\t9\t7\t2\t21\tyes",
    "1/39\tSoviet\t13 Gds\t39\t1\tGuards infantry\t3\t4\t1\t8\t\t\t\t3",
)
SHEET = "\n".join((HEAD, *ROWS))


@pytest.fixture
def german(db):
    return players.begin("german", hot_seat=True, game="streets-of-stalingrad")[0]


def test_a_row_says_what_is_printed():
    read = COUNTERS.sheet.read(SHEET)
    assert read.problems == ()
    tank = read.kinds["german"]["own_a_129"]
    assert (tank.arm, tank.af, tank.df, tank.range, tank.mp, tank.underlined) == (Arm.TANK, 9, 7, 2, 21, True)
    assert (tank.formation, tank.origin) == ("", "owner")
    guards = read.kinds["soviet"]["own_1_39"]
    assert (guards.arm, guards.count, guards.regiment, guards.formation) == (Arm.GUARDS, 3, "39", "13 Gds")
    assert read.kinds["german"]["own_pi_194"].red


@pytest.mark.parametrize(
    "row, reason",
    [
        ("1/I/274\tGerman\t94\t274\tI\tInfantry\t99", "Row 1, af: should be a whole number from 0 to 60."),
        ("1/I/274\tGerman\t94\t274\tI\tCavalry", "Row 1, arm: should be one of"),
        ("1/I/274\tGerman", "Row 1, arm: has to be there."),
        ("Mine\tGerman\t\t\t\tSniper", "Row 1, arm: only the Soviets have a sniper."),
        ("1/I/274\tGerman\t94\t274\tI\tTank\t9\t7\t2\t21\tmaybe", "Row 1, underlined: write yes"),
    ],
)
def test_what_cannot_be_is_said_by_row_and_column(row, reason):
    assert any(reason in problem for problem in COUNTERS.sheet.read(f"{HEAD}\n{row}").problems)


def test_they_come_into_play_and_their_values_are_their_owners(german):
    assert lay(german, SHEET, "94").status == 200
    assert page(german, "94").find("#sheet-text")[0].text() == SHEET
    german.do("counters/add/", list="German: A/129\nSoviet: 2 1/39")
    assert [row["name"] for row in german.get("counters.json").json()] == ["A/129", "1/39 #1", "1/39 #2"]


def test_a_value_that_is_blank_is_told_once(german):
    kind = COUNTERS.sheet.read(f"{HEAD}\n1/I/274\tGerman\t94\t274\tI\tInfantry").kinds["german"]["own_1_i_274"]
    assert COUNTERS.find_value(kind, "af") is None
    assert COUNTERS.find_value(COUNTERS.tell_value(kind, "af", 4), "af") == 4
