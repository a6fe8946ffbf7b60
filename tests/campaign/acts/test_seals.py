"""Plots and off-map observers: what is written under seal, who learns of it, and when it is opened."""

import pytest

from campaign.acts import batteries, buying, seals
from campaign.ledger.act import Unfit
from campaign.models import Seal
from firefight.table.act.refusals import BadField
from firefight.table.log import reading
from tests.campaign.plain import plain

from .game import GERMAN, HOLD, RUSSIAN

pytestmark = pytest.mark.django_db

SEALED_LINE = "Russian writes something down under seal."


@pytest.fixture
def battery(cg2):
    """The number of the Russian 76 mm battery of the at-start OB."""
    return cg2.group(RUSSIAN, "A1").number


@pytest.fixture
def firefight(cg2, battery):
    """In the firefight: a plot for turn 2, and an observer in Y20."""
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 2)
    cg2.do(seals.write_observer, RUSSIAN, "Y20")
    return cg2.through_to("firefight")


def of(game, side):
    """A side's plots and observers: kind, standing, data."""
    rows = game.ledger.seals[side].values()
    return [(seal.kind, seal.standing, seal.data.to_json()) for seal in rows if seal.kind != Seal.Kind.ORDERS]


# Plots (17.4.8)


def test_a_plot_is_two_hexes_and_a_turn_under_seal(cg2, battery):
    (entry,) = cg2.do(seals.write_plot, RUSSIAN, battery, " k7 ", "K9", 3).entries
    (seal,) = cg2.ledger.seals[RUSSIAN].values()
    assert of(cg2, RUSSIAN) == [("plot", "sealed", {"hexes": ["K7", "K9"], "turn": 3})]
    assert (seal.group.number, seal.firefight, seal.entry) == (battery, 1, entry.number)
    assert (entry.sentence, entry.secret) == (SEALED_LINE, "Plot of A1: K7 or K9, turn 3.")
    for sees in ((), ("german",)):
        assert cg2.known(*sees).seals[RUSSIAN] == {}
        assert reading.newest_lines(cg2.match, sees)[0].secret == ""
    assert cg2.known("russian").seals[RUSSIAN] == {1: seal}


def test_every_plotted_group_of_the_russian_can_be_plotted_and_no_other(cg2, battery):
    plotted = {group["id"] for group in plain("roster_russian")["groups"] if group.get("plotted")}
    assert plotted == {"A1", "A2", "B1"}
    for rg in ("A2", "B1"):
        cg2.buy(RUSSIAN, rg)
        cg2.do(seals.write_plot, RUSSIAN, cg2.group(RUSSIAN, rg).number, "K7", "K9", 1)
    cg2.refuse(
        seals.write_plot, RUSSIAN, cg2.group(RUSSIAN, "I1").number, "K7", "K9", 1, error=Unfit, match="not a plotted"
    )
    cg2.refuse(
        seals.write_plot,
        GERMAN,
        cg2.group(GERMAN, "A1").number,
        "K7",
        "K9",
        1,
        error=Unfit,
        match="A1 is not a plotted",
    )


@pytest.mark.parametrize("stage", ["purchases", "priority", "setup"])
def test_plots_and_observers_are_written_before_the_firefight(cg2_at, battery, stage):
    cg2 = cg2_at(stage)
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 1)
    cg2.do(seals.write_observer, RUSSIAN, "Y9")
    for number in (1, 2):
        cg2.do(seals.withdraw, RUSSIAN, max(cg2.ledger.seals[RUSSIAN]) + 1 - number)


@pytest.mark.parametrize("stage", ["firefight", "reorganization", "reinforcements"])
def test_nothing_is_written_or_struck_out_later(cg2, battery, stage):
    cg2.do(seals.write_observer, RUSSIAN, "Y9")
    cg2.through_to(stage)
    for act, more in (
        (seals.write_plot, (battery, "K7", "K9", 1)),
        (seals.write_observer, ("Y8",)),
        (seals.withdraw, (1,)),
    ):
        cg2.refuse(act, RUSSIAN, *more, match="another step: purchases and sealed orders or who attacks or set-up")


@pytest.mark.parametrize(
    ("first", "second", "turn", "message"),
    [
        ("K7", "K7", 1, "two different hexes"),
        ("K7", " k7", 1, "two different hexes"),
        ("K7", "K8", 0, "A turn is 1 to 7, not 0"),
        ("K7", "K8", 8, "A turn is 1 to 7, not 8"),
        ("", "K8", 1, "is not a hex of this map"),
        ("K7", "Z8", 1, "“Z8” is not a hex of this map: columns A to Y"),
        ("K3", "K8", 1, "“K3” is not a hex of this map"),
        ("K7", "K٣", 1, "is not a hex of this map"),
    ],
)
def test_a_plot_that_cannot_be_is_refused(cg2, battery, first, second, turn, message):
    cg2.refuse(seals.write_plot, RUSSIAN, battery, first, second, turn, error=BadField, match=message)


def test_an_unknown_battery_is_refused(cg2):
    for number in (0, 999):
        cg2.refuse(seals.write_plot, RUSSIAN, number, "K7", "K9", 1, error=Unfit, match="no such battery")


def test_a_battery_out_of_play_has_no_plot(cg2, battery):
    cg2.write(cg2.group(RUSSIAN, "A1"), standing="used_up")
    cg2.refuse(seals.write_plot, RUSSIAN, battery, "K7", "K9", 1, error=Unfit, match="not a plotted battery in play")


def test_a_plot_that_was_not_used_is_replaced_by_a_new_one(cg2, battery):
    cg2.buy(RUSSIAN, "A1")
    second = cg2.group(RUSSIAN, "A1").number
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 3)
    cg2.do(seals.write_plot, RUSSIAN, second, "M7", "M9", 3)
    cg2.do(seals.write_plot, RUSSIAN, battery, "L7", "L9", 4)
    assert of(cg2, RUSSIAN) == [
        ("plot", "withdrawn", {"hexes": ["K7", "K9"], "turn": 3}),
        ("plot", "sealed", {"hexes": ["M7", "M9"], "turn": 3}),
        ("plot", "sealed", {"hexes": ["L7", "L9"], "turn": 4}),
    ]
    cg2.through_to("reinforcements").through_to("purchases")  # before the next firefight
    cg2.do(seals.write_plot, RUSSIAN, battery, "N7", "N9", 1)
    assert [standing for _, standing, _ in of(cg2, RUSSIAN)] == ["withdrawn", "sealed", "withdrawn", "sealed"]
    assert cg2.ledger.seals[RUSSIAN][max(cg2.ledger.seals[RUSSIAN])].firefight == 2


def test_a_plot_whose_battery_made_no_contact_may_be_written_anew(firefight, battery):
    firefight.end_turn()
    firefight.do(seals.open_seal, RUSSIAN, 1)
    firefight.write(firefight.ledger.campaign, stage="purchases", firefight=2)
    firefight.do(seals.write_plot, RUSSIAN, battery, "L7", "L9", 1)
    plots = [(standing, data["hexes"]) for kind, standing, data in of(firefight, RUSSIAN) if kind == "plot"]
    assert plots == [("open", ["K7", "K9"]), ("sealed", ["L7", "L9"])]


# Observers (17.2.6)


@pytest.mark.parametrize(("side", "column"), [(GERMAN, "A"), (RUSSIAN, "Y")])
def test_an_off_map_observer_has_a_hex_of_the_own_edge(cg2, side, column):
    for number in (4, 22, 99):
        (entry,) = cg2.do(seals.write_observer, side, f"{column.lower()}{number}").entries
        assert entry.sentence == f"{side.capitalize()} writes something down under seal."
        assert entry.secret == f"Off-map observer: {column}{number}."
    assert [data["hex"] for _, _, data in of(cg2, side)] == [f"{column}4", f"{column}22", f"{column}99"]
    assert cg2.known().seals[side] == {}
    for letter in sorted(set("ABKXY") - {column}):
        refused = cg2.refuse(seals.write_observer, side, f"{letter}9", error=Unfit)
        assert refused.reasons == [
            f"{letter}9 is not on your edge: an off-map observer has a hex of hexrow {column} (17.2.6)."
        ]
    for text in ("", column, f"{column}3", f"{column}100"):
        cg2.refuse(seals.write_observer, side, text, error=BadField, match="is not a hex of this map")


# Striking out


@pytest.mark.parametrize(("kind", "word"), [("plot", "Plot"), ("observer", "Off-map observer")])
def test_what_is_struck_out_is_neither_shown_nor_opened(cg2, battery, kind, word):
    if kind == "plot":
        cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 1)
    else:
        cg2.do(seals.write_observer, RUSSIAN, "Y9")
    number = cg2.last.number
    (entry,) = cg2.do(seals.withdraw, RUSSIAN, 1).entries
    assert (entry.sentence, entry.secret) == (SEALED_LINE, f"{word} of № {number} struck out.")
    assert [standing for _, standing, _ in of(cg2, RUSSIAN)] == ["withdrawn"]
    assert cg2.known("german").seals[RUSSIAN] == {}
    cg2.refuse(seals.withdraw, RUSSIAN, 1, error=Unfit, match="not sealed any more")
    cg2.through_to("firefight")
    cg2.refuse(seals.open_seal, RUSSIAN, 1, error=Unfit, match="not sealed any more")
    assert cg2.known("german").seals[RUSSIAN].keys() == {2}  # the orders


def test_whatever_is_written_or_struck_out_the_log_says_the_same(cg2, battery):
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 1)
    cg2.do(seals.write_observer, RUSSIAN, "Y9")
    cg2.do(seals.withdraw, RUSSIAN, 1)
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 5)
    cg2.do(seals.withdraw, RUSSIAN, 2)
    assert {entry.sentence for entry in cg2.entries[2:]} == {SEALED_LINE}


def test_orders_are_no_business_of_this_module(cg2):
    cg2.seal(RUSSIAN, HOLD)
    cg2.refuse(seals.withdraw, RUSSIAN, 1, error=Unfit)


def test_a_number_means_a_record_of_the_own_side_only(firefight):
    firefight.refuse(seals.open_seal, GERMAN, 2, error=Unfit)
    firefight.refuse(seals.open_seal, RUSSIAN, 99, error=Unfit, match="no such sealed record")


# Opening


def test_a_plot_is_opened_in_its_turn_only(firefight):
    refused = firefight.refuse(seals.open_seal, RUSSIAN, 1)
    assert str(refused) == "This plot is for turn 2, and it is turn 1 (17.4.8)."
    firefight.end_turn()
    done = firefight.do(seals.open_seal, RUSSIAN, 1)
    (entry,) = done.entries
    plot = firefight.ledger.seals[RUSSIAN][1]
    assert plot.standing == "open"
    assert (entry.kind, entry.side, entry.about) == ("reveal", RUSSIAN, plot.entry)
    assert entry.sentence == f"Russian opens № {plot.entry}."
    assert not done.act.free_to_take_back
    for sees in ((), ("german",), ("russian",)):
        known = firefight.known(*sees).seals[RUSSIAN][1]
        assert (known.data.to_json(), known.group.rg) == ({"hexes": ["K7", "K9"], "turn": 2}, "A1")
        secrets = {line.number: line.secret for line in reading.newest_lines(firefight.match, sees)}
        assert secrets[plot.entry] == "Plot of A1: K7 or K9, turn 2."
    firefight.refuse(seals.open_seal, RUSSIAN, 1, error=Unfit, match="not sealed any more")
    firefight.end_turn()
    assert firefight.known("german").seals[RUSSIAN].keys() == {1, 3}  # the observer, 2, is still sealed


def test_a_plot_whose_turn_has_passed_stays_sealed(firefight):
    for _ in range(2):
        firefight.end_turn()
    firefight.refuse(seals.open_seal, RUSSIAN, 1, match="for turn 2, and it is turn 3")


def test_an_observer_is_opened_in_any_turn(firefight):
    firefight.do(seals.open_seal, RUSSIAN, 2)
    assert of(firefight, RUSSIAN)[1] == ("observer", "open", {"hex": "Y20"})
    assert firefight.known("german").seals[RUSSIAN][2].observer.hex == "Y20"


@pytest.mark.parametrize("stage", ["purchases", "setup"])
def test_nothing_is_opened_before_the_firefight(cg2, stage):
    cg2.do(seals.write_observer, RUSSIAN, "Y9")
    cg2.through_to(stage)
    cg2.refuse(seals.open_seal, RUSSIAN, 1, match="another step: firefight")


def test_the_plot_of_a_battery_that_is_lost_is_not_opened(firefight, battery):
    firefight.end_turn()
    firefight.do(batteries.note_battery, RUSSIAN, battery, batteries.BatteryNews.LOST)
    firefight.refuse(seals.open_seal, RUSSIAN, 1, error=Unfit, match="A1 is not in play any more")


def test_the_plot_of_a_battery_that_was_given_back_is_not_opened(cg2):
    cg2.buy(RUSSIAN, "A2")
    number = cg2.group(RUSSIAN, "A2").number
    cg2.do(seals.write_plot, RUSSIAN, number, "K7", "K9", 1)
    cg2.do(buying.refund, RUSSIAN, number)
    cg2.through_to("firefight")
    cg2.refuse(seals.open_seal, RUSSIAN, 1, error=Unfit, match="not sealed any more")


def test_a_plot_lasts_until_it_is_used(cg2, battery):
    cg2.do(seals.write_plot, RUSSIAN, battery, "K7", "K9", 1)
    cg2.through_to("reinforcements").through_to("firefight")
    cg2.do(seals.open_seal, RUSSIAN, 1)
    assert of(cg2, RUSSIAN)[0] == ("plot", "open", {"hexes": ["K7", "K9"], "turn": 1})
