"""The sector map on paper: every sector, who is where, and nothing cut however many units there are."""

import re
from functools import partial
from random import Random

import pytest

from campaign.ledger.content import shipped
from campaign.ledger.ledger import Ledger
from campaign.models import Campaign, Group, Unit
from campaign.rules.stages import Stage
from campaign.sheets import SHEETS, record, roster
from campaign.sheets import map as sector_map
from firefight.columns import MatchState
from firefight.drawing.paper import Format
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from tests.pdf import pages_of, squashed, words_of

from .made import all_frames, check_pages, frames, printing, ticks

HELD = "gggrrggrrrnntrrrrrrrrr"  # 4 and 5 have no line to the east edge once 9, 11, 12 and 13 are not Russian
SECTORS = sorted(shipped().sector_map.neighbours)
KINDS = {
    side: [key for key, counter in shipped().counters[side].items() if counter.kind != "aircraft"] for side in Side
}


@pytest.fixture(autouse=True)
def no_rolls(monkeypatch):
    """No log stands behind a campaign in memory."""
    monkeypatch.setattr(record, "end_rolls", lambda ledger: {})


def ledger(*units, control=HELD, groups=()):
    """A campaign in memory, with these units: (side, counter, sector, marks, hidden)."""
    campaign = Campaign(card="cg1", firefight=1, stage=Stage.FIREFIGHT.value, held=control, attacker="german")
    memory = Ledger(Match(name="In memory", state=MatchState(turn=3)), campaign, shipped())
    for kind in ("groups", "units", "seals", "lines"):
        setattr(memory, kind, {side: {} for side in Side})
    for side, rg in groups:
        number = len(memory.groups[side]) + 1
        memory.groups[side][number] = Group(side=side, number=number, rg=rg)
    for side, counter, sector, marks, hidden in units:
        number = len(memory.units[side]) + 1
        unit = Unit(side=side, number=number, counter=counter, sector=sector, marks=list(marks), hidden=hidden)
        unit.group = memory.groups[side].get(number % 7)
        memory.units[side][number] = unit
    return memory


def sheet(size, known):
    """The map of a campaign as bytes."""
    return sector_map.draw_map_sheet(printing(size, ledger=known, card=known.card)).bytes()


def listed(pages):
    """The words of each sector's boxes, by number; "Off" for those off the map."""
    sectors = {}
    for words in all_frames(pages[1:]):
        number, _, rest = words.partition(" ")
        sectors[number] = f"{sectors[number]} {rest}" if number in sectors else rest
    return sectors


@pytest.mark.parametrize("size", Format)
def test_every_sector_says_whose_it_is_and_who_is_there(size):
    units = [
        ("german", "grenadier_squad", 6, (), False),
        ("german", "grenadier_squad", 6, (Mark.REDUCED,), False),
        ("russian", "rifle_squad", 14, (), True),
        ("russian", "t_34_76_b", None, (Mark.HELD,), False),
    ]
    pages = check_pages(sheet(size, ledger(*units)), size)
    assert len(pages) == 2
    sectors = listed(pages)
    assert set(sectors) == {*map(str, SECTORS), "Off"}
    assert sectors["6"].startswith("German Line to the map edge: 6 German Single counters: 1 × Grenadier squad, 1 × ")
    assert "1 × Grenadier squad (reduced)" in sectors["6"]
    assert "Russian Single counters: 1 × Rifle squad (hidden)" in sectors["14"]
    assert sectors["13"].startswith("threatened")
    assert sectors["11"].startswith("nobody's")
    assert "T-34 76-B (held off the map)" in sectors["Off"]
    assert "nobody that is known of" in sectors["22"]
    for number in SECTORS:
        assert f" {number} " in f" {pages[0].words} "
    for mark in ("G2", "R1"):
        assert mark in pages[0].words


def test_isolated_sectors_say_so():
    control = "gggrrggrnrnnnrnrrrrrrr"
    known = ledger(control=control)
    sectors = listed(check_pages(sheet(Format.A4, known), "a4"))
    assert "isolated" in sectors["4"]
    assert "No line to the east edge" in sectors["4"]
    assert "isolated" not in sectors["18"]


def test_a_sheet_says_which_campaign_it_is_of_and_where_that_stands():
    card = shipped().cards["cg1"]
    known = ledger()
    head = f"{card.label}: {card.name}"
    occasion = f"{head} · {known.time}, firefight 1 of {len(card.times)} · Firefight"
    assert printing(Format.A4, ledger=known, card=known.card).occasion == occasion
    assert printing(Format.A4, card=card).occasion == head
    assert printing(Format.A4).occasion == " and ".join(
        f"{card.label}: {card.name}" for card in shipped().cards.values()
    )


def test_the_blank_map_has_room_and_boxes_for_every_sector():
    for size in Format:
        pages = check_pages(sector_map.draw_map_sheet(printing(size)).bytes(), size)
        assert len(pages) == 3
        assert set(listed(pages)) == set(map(str, SECTORS))
        for page in pages[1:]:
            assert [sum(ticks(page, frame), []) for frame in frames(page)] == [[False] * 4] * len(frames(page))
            for word in ("German", "Russian", "threatened", "isolated"):
                assert page.words.count(word) >= len(frames(page)), word
            assert page.ink[3] > 0.7 * page.size[1]  # used, not begun
        assert "which sectors touch" in pages[0].words
        assert "not the published ones" in pages[0].words


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_read_is_nine_points_high_and_what_stands_on_counters_six(name):
    for page in pages_of(SHEETS[name].draw(printing()).bytes()):
        foot = {7.0}
        small = {size for size in page.letters if size < 9} - foot
        assert min(page.letters) >= 6
        assert not small or name.startswith("roster"), small


@pytest.mark.parametrize("seed", [1, 2])
def test_hundreds_of_units_are_all_listed_and_none_is_cut(seed):
    chance = Random(seed)
    units = [
        (
            side.value,
            chance.choice(KINDS[side]),
            chance.choice([None, 7, 7, 7, 7, *SECTORS]),
            chance.sample(list(Mark), chance.randrange(3)),
            chance.random() < 0.3,
        )
        for side in chance.choices(list(Side), k=400)
    ]
    known = ledger(*units, groups=[("german", f"V{number}") for number in range(1, 7)])
    pages = check_pages(sheet(Format.A4, known), "a4")
    words = squashed(" ".join(all_frames(pages[1:])))
    counted = sum(int(number) for number in re.findall(r"(\d+)×", words))
    assert counted == sum(known.sets_up(unit) for side in Side for unit in known.in_play(side)) > 300


@pytest.mark.parametrize("sees", [("german",), ()])
def test_campaigns_that_differ_in_hidden_units_alone_print_the_same(sees):
    squad = ("german", "grenadier_squad", 6, (), False)
    one = ledger(squad, ("russian", "rifle_squad", 14, (Mark.PINNED,), True), ("russian", "nco", 13, (), True))
    other = ledger(squad, ("russian", "rifle_squad", None, (), True), ("russian", "nco", 20, (Mark.IN_SEWER,), True))
    draws = [
        sector_map.draw_map_sheet,
        record.draw_record_sheet,
        *(partial(roster.draw_roster_sheet, side=side) for side in Side),
    ]
    for draw in draws:
        orders = [printing(ledger=campaign.known(sees), card=campaign.card) for campaign in (one, other)]
        assert words_of(draw(orders[0]).bytes()) == words_of(draw(orders[1]).bytes())
    assert sheet(Format.A4, one) != sheet(Format.A4, other)
