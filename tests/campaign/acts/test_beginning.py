"""What stands in the rows when a campaign has begun, against the card's own plain values."""

from collections import Counter as Tally

import pytest
from django.urls import reverse

from campaign.acts.beginning import begin
from campaign.ledger import content
from campaign.models import ContentBook, CpLine, Group, Seal, Unit
from campaign.rules.sectors import Holding
from firefight.columns import MatchState
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, ChartBook
from firefight.table.seats.seating import OBSERVER
from tests.campaign.plain import CARD_FILES, group_of, plain
from tests.frozen import every_row

from .game import GERMAN, RUSSIAN, Game, shipped_copy

pytestmark = pytest.mark.django_db

CARDS = pytest.mark.parametrize("card", CARD_FILES)
SIDES = pytest.mark.parametrize("side", Side)


def half(card, side):
    """A side's half of a card, as its file has it."""
    return plain(CARD_FILES[card])[side]


def counters_of(card, side):
    """How many of each counter the card's at-start OB has, counted from the files."""
    roster, tally = plain(f"roster_{side}"), Tally()
    for entry in half(card, side)["at_start"]:
        if "counter" in entry:
            tally[entry["counter"]] += entry["number"]
        else:
            for key, number in group_of(roster, entry["group"]).get("contents", {}).items():
                tally[key] += number * entry["number"]
    return tally


@CARDS
@SIDES
def test_the_ob_of_the_card_is_laid_out_counter_by_counter_and_off_the_map(card, side):
    game = Game.begin(card)
    units = game.units(side)
    assert Tally(unit.counter for unit in units) == counters_of(card, side)
    assert {(unit.sector, unit.hex, unit.home, unit.hidden, tuple(unit.marks), unit.fate) for unit in units} == {
        (None, "", None, False, (), "")
    }
    assert [unit.number for unit in units] == list(range(1, len(units) + 1))


@CARDS
@SIDES
def test_the_groups_of_the_ob_are_there_and_tick_no_box(card, side):
    ledger = Game.begin(card).ledger
    groups = ledger.groups[side].values()
    expected = {entry["group"]: entry["number"] for entry in half(card, side)["at_start"] if "group" in entry}
    assert Tally(group.rg for group in groups) == expected
    assert {(group.box, group.bought_for, group.standing, group.app_dice) for group in groups} == {
        (None, 0, Group.Standing.IN_PLAY, False)
    }
    assert not ledger.bought(side)


@CARDS
@SIDES
def test_each_group_of_the_ob_holds_its_own_counters_and_single_ones_have_no_group(card, side):
    ledger, roster = Game.begin(card).ledger, plain(f"roster_{side}")
    for group in ledger.groups[side].values():
        assert Tally(unit.counter for unit in ledger.units_of(group)) == group_of(roster, group.rg).get("contents", {})
    single = Tally(unit.counter for unit in ledger.in_play(side) if unit.group is None)
    entries = half(card, side)["at_start"]
    assert single == {entry["counter"]: entry["number"] for entry in entries if "counter" in entry}


@CARDS
@SIDES
def test_the_cp_of_the_card_are_one_line(card, side):
    game = Game.begin(card)
    (line,) = game.ledger.lines[side].values()
    assert (line.number, line.amount, line.reason, line.firefight) == (1, half(card, side)["cp"], "At-start OB", 1)
    assert (line.group, line.seal, line.sealed) == (None, None, False)
    assert game.balance(side) == half(card, side)["cp"]


@CARDS
def test_the_deployment_areas_are_their_sides(card):
    control = Game.begin(card).ledger.control
    assert len(control) == 22
    for sector, holding in control.items():
        (owner,) = (side for side in Side if sector in half(card, side)["deployment"])
        assert holding == owner


def test_a_sector_in_both_deployment_areas_or_in_none_is_nobodys():
    data = shipped_copy()
    data["cards"]["cg2"]["german"]["deployment"] = [1, 2, 6, 7, 11]
    data["cards"]["cg2"]["russian"]["deployment"].remove(22)
    control = Game.begin("cg2", data=data).ledger.control
    assert {sector for sector, holding in control.items() if holding is Holding.NOBODY} == {11, 22}


@CARDS
def test_a_campaign_begins_with_the_purchases_of_its_first_firefight(card):
    game = Game.begin(card)
    ledger = game.ledger
    assert (ledger.stage, ledger.campaign.firefight, ledger.campaign.ready, ledger.campaign.attacker) == (
        "purchases", 1, [], "",
    )  # fmt: skip
    assert ledger.campaign.stage_since == game.match.version == 1
    assert ledger.time == plain(CARD_FILES[card])["times"][0]
    assert not Seal.objects.exists()


def test_the_match_of_a_campaign_knows_its_ledger_and_begins_like_any_other():
    game = Game.begin("cg2", name="Saturday")
    match = game.match
    assert (match.name, match.game, match.hot_seat) == ("Saturday", "combat-stalingrad", False)
    ledger = reverse("campaign:campaign", args=[match.pk])
    nothing = {"missions": {}, "sets": {}, "aircraft": {}, "ground": {}, "melees": {}, "fired": [], "tried": []}
    assert match.state == MatchState(turn=1, phase="command", impulse="german", ledger=ledger, record=nothing)
    assert {seat.side for seat in match.seats.all()} == {"german", "russian", OBSERVER}
    assert not Act.objects.exists()


def test_a_hot_seat_campaign_has_a_token_for_each_seat():
    match, tokens = begin("cg1", "Saturday", True)
    assert match.hot_seat
    assert set(tokens) == {"german", "russian", OBSERVER}


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("cg1", "CG I, Into the Inferno: Dawn, AM, PM. German 20 CP, Attacker; Russian 14 CP, Defender."),
        ("cg2", "CG II, To the Volga!: Dawn, AM, PM, Night. "
                "German 24 CP, chooses Attack or Hold; Russian 20 CP, chooses Attack or Hold."),
    ],
)  # fmt: skip
def test_the_log_begins_with_the_dice_and_the_card(card, sentence):
    first, second = Game.begin(card).entries
    assert first.sentence.startswith("The match begins. Its dice are sealed as ")
    assert (second.number, second.kind, second.side, second.secret) == (2, "ledger", "", "")
    assert second.sentence == sentence


def test_the_shipped_chart_book_is_pinned_unless_another_is_named():
    assert Game.begin("cg1").match.book.shipped
    shipped = ChartBook.objects.get(shipped=True)
    own = ChartBook.objects.create(digest="0" * 64, game=shipped.game, name="Mine", data=shipped.data)
    assert Game.begin("cg1", book=own).match.book == own


def test_two_campaigns_share_the_shipped_content_and_no_row():
    first, second = (Game(begin("cg1", name, False)[0].pk) for name in ("Friday", "Saturday"))
    assert ContentBook.objects.count() == 1
    assert first.ledger.campaign.content_id == second.ledger.campaign.content_id == ContentBook.objects.get().pk
    assert first.ledger.content == content.shipped()
    for model in (Group, Unit, CpLine):
        counts = Tally(model.objects.values_list("campaign", flat=True))
        assert counts[first.match_id] == counts[second.match_id] > 0
        assert len(counts) == 2


def test_a_campaign_keeps_the_content_that_it_began_with():
    old = Game.begin("cg1")
    data = shipped_copy()
    data["cards"]["cg1"]["german"]["cp"] = 3
    new = Game.begin("cg1", data=data)
    assert (old.balance(GERMAN), new.balance(GERMAN)) == (20, 3)
    assert (old.ledger.forces(GERMAN).cp, new.ledger.forces(GERMAN).cp) == (20, 3)
    assert new.balance(RUSSIAN) == old.balance(RUSSIAN) == 14


@pytest.mark.parametrize("card", ["", "cg3", "CG1", "into_the_inferno"])
def test_an_unknown_card_begins_nothing(card):
    before = every_row()
    with pytest.raises(KeyError):
        begin(card, "x", False)
    assert every_row() == before
