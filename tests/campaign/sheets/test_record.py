"""The firefight record in black and white, filled in and for the pencil."""

import pytest

from campaign.models import Group, Seal
from campaign.rules.seals import read_sealed
from campaign.rules.stages import Stage
from campaign.sheets import record
from firefight.columns import MatchState
from firefight.drawing.paper import Format
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side

from .made import all_frames, check_pages, frames, printing, ticks
from .test_map import ledger


@pytest.fixture
def rolls(monkeypatch):
    """The End of Firefight rolls, which the log would hold."""
    faces = {}
    monkeypatch.setattr(record, "end_rolls", lambda ledger: faces)
    return faces


@pytest.fixture
def known(rolls):
    """A campaign in the middle of a firefight, with everything that a record keeps."""
    units = [
        ("german", "officer", 6, (Mark.WOUNDED,), False),
        ("german", "pz_iv_f2", 7, (Mark.M_KILLED,), False),
        ("russian", "rifle_squad", None, (Mark.EXITED,), False),
    ]
    groups = [("german", "A2"), ("german", "S1"), ("german", "A1"), ("german", "A1"), ("russian", "A1")]
    campaign = ledger(*units, groups=groups)
    german = campaign.groups[Side.GERMAN]
    german[2].mark = Group.Sign.HERE
    german[3].standing = Group.Standing.LOST
    german[4].standing = Group.Standing.REFUNDED
    battery = campaign.groups[Side.RUSSIAN][1]
    battery.mark = Group.Sign.FFE
    for number, (kind, firefight, data) in enumerate(
        [
            (Seal.Kind.PLOT, 1, {"hexes": ["K12", "K13"], "turn": 4}),
            (Seal.Kind.PLOT, 0, {"hexes": ["B31", "B32"], "turn": 5}),
            (Seal.Kind.OBSERVER, 1, {"hex": "Y40"}),
        ],
        1,
    ):
        seal = Seal(
            side="russian",
            number=number,
            kind=kind,
            firefight=firefight,
            data=read_sealed(data),
            standing="sealed",
            entry=1,
        )
        seal.group = battery if kind == Seal.Kind.PLOT else None
        campaign.seals[Side.RUSSIAN][number] = seal
    return campaign


def sheet(size, known):
    """A record as bytes."""
    return record.draw_record_sheet(printing(size, ledger=known, card=known.card)).bytes()


def tables(pages):
    """The boxes of a record by the first word of their titles: their words, and their ticks."""
    by_title = {}
    for page in pages:
        for frame in frames(page, 2):
            words = page.words_in(frame)
            by_title[words.split()[0]] = (words, ticks(page, frame))
    return by_title


@pytest.mark.parametrize("size", Format)
def test_a_record_shows_what_a_firefight_has_to_keep(known, size):
    by_title = tables(check_pages(sheet(size, known), size))
    words, boxes = by_title["Batteries"]
    assert "German A2 105 mm battery 105 German A1 81 mm battery 81 Russian A1 76 mm battery, plotted 76" in words
    assert boxes == [[False, False], [False, True], [True, False]]
    words, boxes = by_title["Aircraft"]
    assert "German S1 Ju 87 flight 5 or less" in words
    assert boxes == [[True, False]]
    words, boxes = by_title["Plots"]
    assert "Russian A1 76 mm battery K12 K13 4" in words
    assert "B31" not in words
    assert boxes == [[False]]
    assert "Russian: hex Y40" in by_title["Off-map"][0]
    assert "Rifle squad (left the map)" in by_title["Left"][0]
    words, _ = by_title["Wounded"]
    assert "1 × Officer (wounded)" in words
    assert "1 × Pz IV F2 (M-KILLED)" in words


def test_the_other_side_gets_a_record_without_plots(known):
    pages = check_pages(sheet(Format.A4, known.known(("german",))), "a4")
    words = " ".join(page.words for page in pages)
    for secret in ("K12", "K13", "B31", "Y40"):
        assert secret not in words
    assert "none that is known of" in tables(pages)["Plots"][0]


def test_turns_that_are_over_are_crossed_out_and_the_present_one_is_named(known, rolls):
    known.match.state = MatchState(turn=6)
    rolls[5] = 3
    (page, *_) = check_pages(sheet(Format.A4, known), "a4")
    track = sorted(box for box in page.rectangles if 26.5 < box[3] - box[1] < 31)
    assert len(track) == 7
    assert [page.words_in(box) for box in track][4:] == [
        "5 above 8 ends it roll 3",
        "6 now above 6 ends it roll",
        "7 the last",
    ]
    dark = [page.grey_at(right - 5.3 - 0.45, top + 5 + 0.45) < 160 for _, top, right, _ in track]
    assert dark[:5] == [True] * 5
    assert dark[6] is False


@pytest.mark.parametrize(("stage", "done"), [(Stage.PURCHASES, 0), (Stage.SETUP, 0), (Stage.REORGANIZATION, 7)])
def test_before_and_after_the_firefight_no_turn_is_the_present_one(known, stage, done):
    known.campaign.stage, known.match.state = stage.value, MatchState(turn=7)
    words = " ".join(all_frames(check_pages(sheet(Format.A4, known), "a4"), 7))
    assert " now " not in words
    assert sum(turn.standing == "done" for turn in turns_of(known)) == done


def turns_of(known):
    """The turn track of a campaign."""
    return list(record._turns(printing(ledger=known, card=known.card)))


def test_a_firefight_that_was_skipped_had_no_turns(known):
    known.campaign.stage, known.campaign.attacker = Stage.REORGANIZATION.value, ""
    assert {turn.standing for turn in turns_of(known)} == {"next"}


@pytest.mark.parametrize("size", Format)
def test_a_blank_record_has_lines_and_boxes_and_the_reminders(size):
    pages = check_pages(record.draw_record_sheet(printing(size)).bytes(), size)
    assert len(pages) == 2
    by_title = tables(pages)
    assert by_title["Aircraft"][1] == [[False, False]] * 4
    assert by_title["Plots"][1] == [[False]] * 5
    words = " ".join(page.words for page in pages)
    assert "CG I: above 8 ends it" in words
    for phase in ("Command Phase", "Fire and Movement Phase", "Melee Phase", "Reorganization Phase"):
        assert phase in words
    assert "Turn 7 is always the last. (20.2.4)" in words
    assert "Notes" in pages[1].words and pages[1].ink[3] > pages[1].size[1] - 30  # for the pencil, down to its foot
