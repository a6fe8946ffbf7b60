"""Counters in play of a single firefight: how they come, what rolls and hands make of them, what each side may know."""

import re
from copy import copy
from dataclasses import replace

import pytest

from examples.three_banners import helpers as banner_helpers
from examples.three_banners.counters import KINDS, BannerCounters
from firefight.engine.board.pasting import Wanted, read_list
from firefight.games import registry
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.numbers import NumberField
from firefight.models import LogEntry
from firefight.table.act import bounds
from firefight.table.board import counters
from firefight.table.files import making
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_archive import save, send
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too

pytestmark = pytest.mark.django_db

BANNERS = "three-banners"


def seat_banners():
    red, links = players.begin("red", game=BANNERS)
    seated = {"red": red, **{s: players.sit(link, red.match_id) for s, link in links.items() if s != "red"}}
    red.do("counters/add/", list="Red Banner: 2 Companies, Captain\nBlue Banner: 2 companies")
    return seated


@pytest.fixture
def banners(frozen):
    """A match with a browser for each of three sides, and three counters of Red, two of Blue."""
    return frozen("three banners", seat_banners)


def begin_alone():
    red = players.begin("red", hot_seat=True, game=BANNERS)[0]
    red.do("counters/add/", list="Red Banner: 2 Companies, Captain\nBlue Banner: 2 companies")
    return red


@pytest.fixture
def alone(frozen):
    """One device that holds all sides, with the same counters."""
    return frozen("three banners on one device", begin_alone)


def known(player):
    return {counter["id"]: counter for counter in player.get("counters.json").json()}


def states(player):
    return {id: counter["state"] or counter["fate"] for id, counter in known(player).items()}


def clash(player, *ids, die="5", **more):
    return player.roll("clash", against=",".join(ids), die=die, **more)


def lines_of(player, kind="counter"):
    return [entry for entry in player.log if entry.kind == kind]


# How they come


def test_a_match_without_counters_has_none():
    for game in registry.games():
        side = next(iter(registry.games()[game].sides))
        assert players.begin(side, hot_seat=True, game=game)[0].get("counters.json").json() == []


def test_a_game_that_keeps_no_board_has_none_to_pack_away(banners):
    watch = players.begin("watch", hot_seat=True, game="lone-watch")[0]
    assert [watch.get(place).status_code for place in ("pack/", "pack.pdf")] == [404, 404]
    assert 'pack/"' not in text_of(watch.get())
    assert 'pack/"' in text_of(banners["red"].get())
    assert [words in banners["blue"].see("pack/") for words in ("Captain", "Red Banner")] == [True, True]


def test_counters_come_from_a_pasted_list_for_both_sides(banners):
    counters_by_id = known(banners["blue"])
    assert list(counters_by_id) == ["red-1", "red-2", "red-3", "blue-1", "blue-2"]
    assert counters_by_id["red-1"] == {
        "id": "red-1",
        "side": "red",
        "counter": "company",
        "name": "Company #1",
        "place": "",
        "level": "",
        "state": [],
        "hidden": False,
        "fate": "",
    }
    assert counters_by_id["red-3"]["name"] == "Captain"
    [red, blue] = lines_of(banners["red"])
    assert red.sentence == "Into play: 2 × Company, 1 × Captain." and red.side == "red"
    assert red.touches == " red-1 red-2 red-3 " and blue.touches == " blue-1 blue-2 "


def test_counters_come_from_the_gallery_one_kind_at_a_time(banners):
    banners["green"].do("counters/add/", side="green", counter="company", count="3")
    assert [id for id in known(banners["red"]) if id.startswith("green")] == ["green-1", "green-2", "green-3"]


def test_the_gallery_counts_from_the_first_so_that_nothing_moves_under_a_finger():
    red = players.begin("red", hot_seat=True, game=BANNERS)[0]
    page = Reader(red.client).open(f"/match/{red.match_id}/counters/")
    assert page.words(".in-play p") == "In play: 0 Red Banner, 0 Blue Banner, 0 Green Banner"
    page.press_node(page.find(".counter-kinds .more")[0])
    assert page.words(".in-play p").startswith("In play: 1 Red Banner, 0")


def test_everything_that_is_wrong_with_a_list_is_said_at_once_and_nothing_comes(banners):
    red = banners["red"]
    before = known(red)
    answer = red.do("counters/add/", list="3 compnies, Red: 2 dragons; 500 red lancers\nCompany")
    assert answer.status_code == 422
    words = words_of(answer)
    assert "“3 compnies”: There is no such counter. Is it “Company”?" in words
    assert "“2 dragons”" in words and "“500 red lancers”: give a number from 1 to 99." in words
    assert known(red) == before


@pytest.mark.parametrize(
    ("text", "side", "listed"),
    [
        ("3 companies", "red", [Wanted("red", "company", 3)]),
        ("3x Company", "red", [Wanted("red", "company", 3)]),
        ("Company × 3", "red", [Wanted("red", "company", 3)]),
        ("company", "blue", [Wanted("blue", "company", 1)]),
        ("2 Red lancers", "", [Wanted("red", "red_lancer", 2)]),
        ("1 Company #4", "red", [Wanted("red", "company", 1, tag=4)]),
        ("Red Banner:\n• 2 companies\nblue\n1 captain", "", [Wanted("red", "company", 2), Wanted("blue", "captain")]),
        ("RED: captain, blue: captain", "", [Wanted("red", "captain"), Wanted("blue", "captain")]),
        ("", "red", []),
    ],
)
def test_a_list_is_read_as_players_write_it(text, side, listed):
    game = registry.games()[BANNERS]
    names = {army: {key: kind.name for key, kind in kinds.items()} for army, kinds in game.counters.kinds.items()}
    assert read_list(text, names, {"red": "Red Banner", "blue": "Blue Banner"}, side) == (listed, [])


def test_a_name_that_several_sides_have_asks_for_the_side():
    names = {"red": {"company": "Company"}, "blue": {"company": "Company"}}
    listed, problems = read_list("2 companies", names, {"red": "Red", "blue": "Blue"})
    assert listed == []
    assert problems == ["“2 companies”: Red and Blue have that. Write the side before it, as in “Red: 2 companies”."]


def test_names_with_numbers_in_them_are_read():
    names = {"red": {"pak": "45 mm PTP 42", "mg": "MG 34"}}
    listed, problems = read_list("45 mm PTP 42, 2 45 mm PTP 42, 3 MG 34, MG 34 #7", names, {"red": "Red"})
    assert not problems
    assert [(row.key, row.number, row.tag) for row in listed] == [
        ("pak", 1, None),
        ("pak", 2, None),
        ("mg", 3, None),
        ("mg", 1, 7),
    ]


def test_a_number_in_a_list_is_the_counters_own_and_is_given_once(banners):
    red = banners["red"]
    red.do("counters/add/", list="Red Banner: Company #7")
    assert known(red)["red-7"]["name"] == "Company #7"
    answer = red.do("counters/add/", list="Red Banner: Company #7")
    assert answer.status_code == 422 and "another counter has that number" in words_of(answer)
    red.do("counters/add/", list="Red Banner: Company")
    assert "red-8" in known(red)


def test_taking_back_takes_new_counters_away(banners):
    red = banners["red"]
    red.do("counters/add/", list="Red Banner: Company")
    red.do("take-back/")
    assert "red-4" not in known(red)


# What rolls make of them


def test_a_roll_changes_counters_in_the_same_act_with_a_line_each(banners):
    red = banners["red"]
    clash(red, "blue-1", "blue-2")
    assert states(red)["blue-1"] == ["shaken"] and states(red)["blue-2"] == ["shaken"]
    roll, one, two = red.log[-3:]
    assert one.sentence == "Company #1: Shaken; was Good Order." and one.about == roll.number and one.side == "blue"
    assert one.inputs == {"counters": {"blue-1": {"state": [[], ["shaken"]]}}}
    assert roll.touches == " blue-1 blue-2 " and two.touches == " blue-2 "
    assert roll.act == one.act == two.act


def test_a_counter_that_is_gone_stands_nowhere(banners):
    red = banners["red"]
    banners["blue"].do("counters/", id="blue-1", place="mill", beside="blue-2")
    clash(red, "blue-1")
    clash(red, "blue-1")
    unit = known(red)["blue-1"]
    assert unit["fate"] == "eliminated" and unit["place"] == "" and unit["state"] == [] and "beside" not in unit
    fell, moot = red.log[-2:]
    assert fell.sentence == "Company #1: eliminated; was Shaken, in Mill, with Company #2."
    assert (moot.kind, moot.sentence) == ("drop", "Due no more: Rally blue-1, Rally blue-1.")
    lines = len(red.log)
    clash(red, "blue-1")  # what is gone is not hit again
    assert len(red.log) == lines + 1


def test_taking_back_restores_counters_exactly(banners):
    red = banners["red"]
    before = known(red)
    clash(red, "blue-1", "blue-2")
    red.do("take-back/")
    assert known(red) == before


def test_a_roll_about_counters_that_nobody_has_says_nothing_of_them(banners):
    red = banners["red"]
    clash(red, "green-5")
    assert red.last.kind == "roll"


# Undoing a line


def test_what_a_line_says_is_undone_where_it_stands(banners):
    red = banners["red"]
    clash(red, "blue-1", "blue-2")
    number = red.log[-2].number
    red.do("counters/undo/", number=number)
    assert states(red)["blue-1"] == [] or states(red)["blue-1"] == ""
    assert states(red)["blue-2"] == ["shaken"]
    assert red.last.sentence == f"Company #1: Good Order again. № {number} is undone."
    assert LogEntry.objects.get(match=red.match_id, number=number).voided_by == red.last.number


def test_what_was_built_on_is_not_undone_and_says_so(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.last.number
    clash(red, "blue-1")
    answer = red.do("counters/undo/", number=number)
    assert answer.status_code == 403 and f"Company #1: changed again since № {number}" in words_of(answer)
    assert states(red)["blue-1"] == "eliminated"


def test_undoing_is_taken_back_like_everything(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.last.number
    red.do("counters/undo/", number=number)
    red.do("take-back/")
    assert states(red)["blue-1"] == ["shaken"]
    assert LogEntry.objects.get(match=red.match_id, number=number).voided_by is None


def test_a_line_that_is_undone_cannot_be_undone_again(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.last.number
    red.do("counters/undo/", number=number)
    assert red.do("counters/undo/", number=number).status_code == 403


def test_the_other_sides_line_about_its_counter_is_undone_with_its_consent(banners):
    red, blue, green = banners["red"], banners["blue"], banners["green"]
    blue.do("counters/", id="blue-1", state="shaken")
    number = blue.last.number
    red.do("counters/undo/", number=number)
    assert states(red)["blue-1"] == ["shaken"]
    assert f"to undo № {number}, " in red.last.sentence and ".." not in red.last.sentence
    blue.do("answer/", agrees="yes")
    green.do("answer/", agrees="yes")
    assert states(red)["blue-1"] == ""


def test_new_counters_are_given_back_by_undoing_their_line(banners):
    red = banners["red"]
    red.do("counters/undo/", number=lines_of(red)[0].number)
    assert states(red)["red-1"] == "returned" and states(red)["blue-1"] == ""


def test_the_line_that_undoes_new_counters_says_what_they_were(banners):
    red = banners["red"]
    red.do("counters/undo/", number=lines_of(red)[0].number)
    changes = red.last.inputs["counters"]["red-1"]
    assert changes["name"] == ["", "Company #1"] and changes["fate"] == ["", "returned"]


# Corrections


def test_a_correction_reverts_what_the_old_roll_did(banners):
    red = banners["red"]
    clash(red, "blue-1", "blue-2")
    number = red.log[-3].number
    clash(red, "blue-1", die="1", corrects=number)
    assert states(red)["blue-1"] == "" and states(red)["blue-2"] == ""
    struck = LogEntry.objects.filter(match=red.match_id, voided_by=red.last.number)
    assert sorted(struck.values_list("number", flat=True)) == [number, number + 1, number + 2]


def test_a_correction_reverts_what_followed_from_the_old_roll(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.log[-2].number
    red.roll("rally", id="blue-1", die="1", step=f"{number}-0")
    assert states(red)["blue-1"] == "eliminated"
    clash(red, "blue-2", corrects=number)
    assert states(red)["blue-1"] == "" and states(red)["blue-2"] == ["shaken"]


def test_a_hit_that_came_later_counts_as_the_counter_is_without_the_corrected_one(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.log[-2].number
    clash(red, "blue-1")
    again = [line for line in red.log if line.kind == "counter"][-1]
    assert states(red)["blue-1"] == "eliminated"
    clash(red, "blue-2", corrects=number)
    assert states(red)["blue-1"] == ["shaken"] and states(red)["blue-2"] == ["shaken"]
    assert LogEntry.objects.get(pk=again.pk).voided_by
    renewed = next(line for line in red.log if line.inputs.get("again") == again.number)
    assert (renewed.sentence, renewed.about) == ("Company #1: Shaken; was Good Order.", again.about)


def test_what_changed_in_a_way_that_no_line_tells_stays_and_is_named(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.log[-2].number
    match = red.match
    changed_counters = {**match.state.counters, "blue-1": {**match.state.counters["blue-1"], "state": ["spent"]}}
    match.state = replace(match.state, counters=changed_counters)
    match.save(update_fields=["state"])
    clash(red, "blue-2", corrects=number)
    assert states(red)["blue-1"] == ["spent"]
    assert f"№ {number + 1} stays: Company #1 changed again since. Put that right by hand." in red.last.sentence
    clash(red, "blue-1", corrects=red.log[-3].number)
    assert states(red)["blue-1"] == ["spent"]


def test_what_a_later_roll_has_brought_again_stays_with_a_correction_and_with_undoing(banners):
    red, blue = banners["red"], banners["blue"]
    clash(red, "blue-1")
    number = red.log[-2].number
    blue.do("counters/", id="blue-1", state="")
    clash(red, "blue-1")
    answer = red.do("counters/undo/", number=number + 1)
    assert answer.status_code == 403 and f"changed again since № {number + 1}" in words_of(answer)
    clash(red, "blue-2", corrects=number)
    assert states(red)["blue-1"] == ["shaken"] and states(red)["blue-2"] == ["shaken"]
    assert "stays" not in red.last.sentence


def test_what_was_changed_since_and_undone_is_no_change(banners):
    red, blue = banners["red"], banners["blue"]
    clash(red, "blue-1")
    number = red.last.number
    blue.do("counters/", id="blue-1", state="")
    blue.do("counters/undo/", number=blue.last.number)
    red.do("counters/undo/", number=number)
    assert states(red)["blue-1"] == ""


def test_with_what_a_correction_strikes_its_undoing_goes(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number = red.log[-2].number
    red.roll("rally", id="blue-1", die="6", step=f"{number}-0")
    red.do("counters/undo/", number=red.last.number)
    undoing = red.last
    assert states(red)["blue-1"] == ["shaken"]
    clash(red, "blue-2", corrects=number)
    assert states(red)["blue-1"] == ""
    assert LogEntry.objects.get(match=red.match_id, number=undoing.number).voided_by


@pytest.mark.parametrize(("instead", "more"), [("blue-2", {}), ("red-1", {"unseen": "on"})])
def test_a_correction_tells_nobody_of_a_counter_that_is_hidden_since(banners, instead, more):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    clash(red, "red-1", **more)
    number = [line.number for line in red.log if line.helper == "clash"][-1]
    red.do("counters/", id="red-1", state="spent", hidden="on", place="mill")
    before = red.last.number
    clash(red, instead, corrects=number, **more)
    assert known(red)["red-1"]["state"] == ["spent"] and "red-1" not in known(blue)
    fresh = [line for line in red.log if line.number > before]
    assert not any("Spent" in line.sentence or "Mill" in line.sentence for line in fresh)


def test_taking_a_correction_back_restores_counters_and_lines(banners):
    red = banners["red"]
    clash(red, "blue-1")
    before, number = known(red), red.log[-2].number
    clash(red, "blue-2", corrects=number)
    red.do("take-back/")
    assert known(red) == before
    assert not LogEntry.objects.filter(match=red.match_id, number__lte=number + 1).exclude(voided_by=None).exists()


# By hand


def test_a_hand_sets_several_own_counters_at_once(banners):
    red = banners["red"]
    red.do("counters/", id=["red-1", "red-2"], state="shaken", place="ford", note="tired")
    own_counters = known(red)
    assert (
        own_counters["red-1"]["state"] == ["shaken"]
        and own_counters["red-2"]["place"] == "Ford"
        and own_counters["red-2"]["note"] == "tired"
    )
    noted, open_line = lines_of(red)[-2:]
    assert open_line.sentence == "By hand, Company #2: Shaken, in Ford; was Good Order, off the map."
    assert (noted.sentence, noted.secret) == (
        "Red Banner notes something on a counter.",
        "By hand, Company #2: note “tired”; was without a note.",
    )


def test_what_befalls_counters_is_set_by_the_rules(banners):
    red = banners["red"]
    red.do("counters/", id=["red-1", "red-2"], becomes="hit")
    red.do("counters/", id="red-1", becomes="hit")
    assert states(red)["red-1"] == "eliminated" and states(red)["red-2"] == ["shaken"]


def test_the_eliminated_are_put_right_too(banners):
    red = banners["red"]
    red.do("counters/", id="red-1", fate="eliminated")
    assert states(red)["red-1"] == "eliminated"
    red.do("counters/", id="red-1", fate="in_play", place="mill", state="")
    assert known(red)["red-1"]["fate"] == "" and known(red)["red-1"]["place"] == "Mill"
    assert red.last.sentence == "By hand, Company #1: Good Order, in Mill; was eliminated."


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": "red-9"}, "There is no such counter in play, as far as you know: red-9."),
        ({}, "Choose the counters."),
        ({"id": ["red-1", "red-3"], "state": "spent"}, "Captain cannot be Spent."),
        ({"id": "red-1", "state": "on_fire"}, "cannot be on_fire."),
        ({"id": "red-1", "place": "castle"}, "There is no box “castle” here."),
        ({"id": "red-1", "area": "7"}, "there are areas only in a campaign"),
        ({"id": "red-1", "fate": "asleep"}, "Choose the fate"),
        ({"id": "red-1", "becomes": "king"}, "Nothing is called “king” here."),
        ({"id": "red-1", "beside": "blue-1"}, "rides on a counter of its own side"),
        ({"id": "red-1", "beside": "red-1"}, "cannot each ride on the other"),
        ({"id": "red-1", "note": "x" * 121}, "At most 120 characters"),
        ({"id": "red-1", "state": ""}, "They are like that already."),
        ({"id": "red-1", "place": ""}, "They are off the map already: name a place"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_in_words(banners, fields, reason):
    red = banners["red"]
    before, lines = known(red), len(red.log)
    answer = red.do("counters/", **fields)
    assert answer.status_code in (403, 422) and reason in words_of(answer)
    assert known(red) == before and len(red.log) == lines


def test_so_many_counters_are_set_or_come_at_once_and_no_more(banners, monkeypatch):
    red, before = banners["red"], known(banners["red"])
    monkeypatch.setattr(bounds, "MOST_COUNTERS_AT_ONCE", 2)
    assert "At most 2 counters at once." in words_of(
        red.do("counters/", id=["red-1", "red-2", "red-3"], state="shaken")
    )
    refused = red.do("counters/add/", list="Red Banner: 2 Companies, Captain")
    assert "That is too many: at most 2 at once" in words_of(refused)
    monkeypatch.setattr(bounds, "MOST_COUNTERS", 6)
    assert "That is too many" in words_of(red.do("counters/add/", list="Red Banner: 2 Companies"))
    assert known(red) == before
    assert red.do("counters/", id=["red-1", "red-2"], fate="eliminated").status_code == 302
    assert red.do("counters/add/", list="Red Banner: 2 Companies").status_code == 302  # the lost leave room


def test_all_reasons_are_said_at_once(banners):
    answer = banners["red"].do("counters/", id=["red-1", "red-3"], state="spent", place="castle")
    assert "Captain cannot be Spent." in words_of(answer) and "There is no box “castle” here." in words_of(answer)


def test_counters_of_another_side_are_set_with_its_consent(banners):
    red, blue, green = banners["red"], banners["blue"], banners["green"]
    red.do("counters/", id="blue-1", fate="eliminated")
    assert states(red)["blue-1"] == ""
    assert "Red Banner asks to put right Company #1: eliminated; was Good Order." in words_of(blue.get())
    blue.do("answer/", agrees="yes")
    green.do("answer/", agrees="yes")
    assert states(red)["blue-1"] == "eliminated"
    assert red.last.sentence == "Agreed with the Red Banner, Company #1: eliminated; was Good Order."
    blue.do("take-back/")
    assert states(red)["blue-1"] == "eliminated"  # green agreed, and nobody takes back alone what all agreed to


def test_who_is_asked_may_decline(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="blue-1", fate="eliminated")
    blue.do("answer/", agrees="no")
    assert states(red)["blue-1"] == "" and "Blue Banner leaves these counters as they are." in red.last.sentence


def test_at_one_device_they_are_set_at_once_and_the_line_says_who(alone):
    alone.do("counters/", id="blue-1", state="shaken")
    assert states(alone)["blue-1"] == ["shaken"]
    assert alone.last.sentence == "By hand, by the Red Banner, Company #1: Shaken; was Good Order."


def test_observers_set_nothing(banners):
    looker = players.Player(banners["red"].match_id)
    assert looker.do("counters/", id="red-1", state="shaken").status_code == 403
    assert looker.get("counters.json").status_code == 403


def test_a_form_that_is_sent_again_counts_once(banners):
    red = banners["red"]
    fields = {
        "id": "red-1",
        "becomes": "hit",
        "act": "5b3ff5a5-7f2a-4a51-a7fd-5d9c0ce0a0fb",
        "version": str(red.match.version),
    }
    red.do("counters/", **fields)
    red.do("counters/", **fields)
    assert states(red)["red-1"] == ["shaken"]


# Secrets


def hide(player, counter="red-1", place="chapel"):
    return player.do("counters/", id=counter, hidden="on", place=place, note="ambush of the seventh")


def test_nothing_tells_another_side_of_a_hidden_counter(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    red.do("counters/", id="red-1", state="shaken")
    assert known(red)["red-1"]["place"] == "Chapel" and "red-1" not in known(blue)
    answers = [
        text_of(blue.get(page)) for page in ("", "log/", "log.json", "report.md", "archive.json", "counters.json")
    ]
    assert not any("ambush" in answer or "Chapel" in answer for answer in answers)
    assert red.last.sentence == "Red Banner: something may have changed on hidden counters."
    assert "ambush" in text_of(red.get("log.json"))


def test_a_hand_of_another_side_finds_no_hidden_counter(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    answer = blue.do("counters/", id="red-1", fate="eliminated")
    assert answer.status_code == 422 and "There is no such counter in play, as far as you know: red-1." in words_of(
        answer
    )
    assert blue.do("counters/undo/", number=red.last.number).status_code == 403
    clash(blue, "red-1")
    assert known(red)["red-1"]["state"] == []


def test_a_hidden_counter_comes_into_sight_without_telling_where_it_was(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    red.do("counters/", id="red-1", hidden="off", place="mill", state="shaken")
    assert known(blue)["red-1"]["place"] == "Mill"
    unseen, sighted, after = red.log[-3:]
    assert unseen.secret and not sighted.secret and not after.secret
    assert sighted.sentence == "By hand, Company #1: in sight in Mill; was hidden."
    assert "Chapel" not in text_of(blue.get("log.json"))


def test_a_hidden_counter_that_goes_leaves_without_telling_where_it_was(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    red.do("counters/", id="red-1", beside="red-2")
    red.do("counters/", id="red-1", fate="eliminated")
    unseen, eliminated = lines_of(red)[-2:]
    assert (eliminated.sentence, eliminated.secret) == ("By hand, Company #1: eliminated; was Good Order, hidden.", "")
    assert unseen.secret == "By hand, Company #1: off the map, by itself; was in Chapel, with Company #2."
    company = known(blue)["red-1"]
    assert (company["fate"], company["place"], company["hidden"]) == ("eliminated", "", False)
    assert "Chapel" not in text_of(blue.get("log.json"))
    for line in (eliminated, unseen):
        red.do("counters/undo/", number=line.number)
    company = known(red)["red-1"]
    assert (company["fate"], company["place"], company["hidden"], company["beside"]) == ("", "Chapel", True, "red-2")
    assert "red-1" not in known(blue) and "Chapel" not in text_of(blue.get("log.json"))


def test_what_befalls_a_hidden_counter_for_all_to_see_shows_it(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    clash(red, "red-1")
    assert known(blue)["red-1"]["state"] == ["shaken"] and not known(blue)["red-1"]["hidden"]


def test_a_roll_under_seal_leaves_it_hidden(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    clash(red, "red-1", unseen="on")
    assert known(red)["red-1"]["state"] == ["shaken"] and "red-1" not in known(blue)
    assert "Shaken" not in text_of(blue.get("log.json"))


def test_what_waits_of_a_hidden_counter_is_its_own_sides_to_settle_and_says_nothing(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("option/", option="apply", choice="ask")
    hide(red)
    clash(red, "red-1", unseen="on")
    (waits,) = red.match.state.proposed
    for key in (waits.key, "all"):
        for verb in ("apply", "leave"):
            answer = blue.do("proposed/", **{verb: [key]})
            assert answer.status_code == 403 and "No such change waits" in words_of(answer)
    assert red.match.state.proposed == (waits,) and known(red)["red-1"]["state"] == []
    red.do("proposed/", leave=[waits.key])
    assert red.last.sentence == "Not written down: a change of a hidden counter."


def test_new_counters_may_be_hidden_by_their_own_side(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/add/", list="Red Banner: 2 Red lancers", hidden="on")
    assert [len(known(red)), len(known(blue))] == [7, 5]
    assert "lancer" not in text_of(blue.get("log.json"))
    assert red.do("counters/add/", list="Blue Banner: captain", hidden="on").status_code == 422


def numbers(player, side):
    return [int(id.rpartition("-")[2]) for id in known(player) if id.startswith(f"{side}-")]


def test_nobody_counts_hidden_counters_by_the_number_of_a_new_one(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/add/", list="Red Banner: 2 Red lancers", hidden="on")
    blue.do("counters/add/", list="Red Banner: Company")
    red.do("counters/add/", list="Red Banner: Company")
    assert numbers(blue, "red") == [1, 2, 3, 4, 5]
    hidden = set(numbers(red, "red")) - set(numbers(blue, "red"))
    # What comes hidden has a number that tells nothing of how many there are, and keeps it once it is shown.
    assert len(hidden) == 2 and all(1000 <= number <= 9999 for number in hidden)
    assert max(hidden) - min(hidden) > 1
    lancer = f"red-{min(hidden)}"
    red.do("counters/", id=lancer, hidden="off")
    assert known(blue)[lancer]["name"] == f"Red lancer #{min(hidden)}"
    blue.do("counters/add/", list="Red Banner: Company")
    assert numbers(blue, "red")[:6] == [1, 2, 3, 4, 5, 6]


def test_nobody_finds_hidden_counters_by_asking_for_a_number(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/add/", list="Red Banner: 3 Red lancers", hidden="on")
    hidden = [number for number in numbers(red, "red") if number > 999]
    answers = [blue.do("counters/add/", list=f"Red Banner: Red lancer #{number}") for number in (*hidden, 8765)]
    refusals = {re.sub("[0-9]{4}", "N", words_of(answer)) for answer in answers}
    assert {answer.status_code for answer in answers} == {422} and len(refusals) == 1
    assert "give a number from 1 to 999" in refusals.pop()
    # What is free for all that somebody knows is free.
    assert blue.do("counters/add/", list="Red Banner: Red lancer #4").status_code == 302
    assert known(blue)["red-4"]["name"] == "Red lancer #4"


def test_a_counter_that_comes_hidden_is_numbered_by_the_app(banners):
    answer = banners["red"].do("counters/add/", list="Red Banner: Red lancer #9", hidden="on")
    assert answer.status_code == 422 and "Leave “#9” out" in words_of(answer)


def test_nobody_counts_hidden_counters_by_how_many_more_may_come(banners, monkeypatch):
    red, blue = banners["red"], banners["blue"]
    monkeypatch.setattr(bounds, "MOST_COUNTERS", 9)
    red.do("counters/add/", list="Red Banner: 3 Red lancers", hidden="on")
    assert "That is too many" in words_of(red.do("counters/add/", list="Blue Banner: 2 companies"))
    assert blue.do("counters/add/", list="Blue Banner: 4 companies").status_code == 302
    assert "That is too many" in words_of(blue.do("counters/add/", list="Blue Banner: company"))


def test_a_side_that_has_used_up_its_numbers_is_told(banners):
    red = banners["red"]
    red.do("counters/add/", list="Red Banner: Company #999")
    answer = red.do("counters/add/", list="Red Banner: Company")
    assert answer.status_code == 422 and "Company: give it a number yourself" in words_of(answer)
    assert red.do("counters/add/", list="Red Banner: Company #998").status_code == 302


NOTE = "trap at the chapel"
TOLD = (
    "",
    "log/",
    "log.json",
    "counters.json",
    "record.json",
    "archive.json",
    "report.md",
    "table/",
    "hand/?chosen=red-1",
)


def tells(player, word):
    """Where a browser finds a word, of all that it may ask for."""
    base = f"/match/{player.match_id}/"
    return [place for place in TOLD if word in text_of(player.client.get(base + place))]


def test_a_note_is_its_own_sides_and_stays_that_when_its_counter_is_shown(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-1", note=NOTE, hidden="on", place="ford")
    red.do("counters/", id="red-1", hidden="off")
    red.do("counters/", id="red-1", state="shaken")
    assert known(blue)["red-1"]["place"] == "Ford" and known(red)["red-1"]["note"] == NOTE
    assert tells(red, NOTE)
    for other in (blue, banners["green"], banners["observer"]):
        assert not tells(other, NOTE)
    number = lines_of(red)[-1].number
    red.do("counters/", id="red-1", note="")
    red.do("counters/undo/", number=red.last.number)
    assert known(red)["red-1"]["note"] == NOTE and not tells(blue, NOTE)
    assert red.last.number > number and "trap" not in red.last.sentence


def test_another_side_neither_writes_a_note_nor_wipes_it_off(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-1", note=NOTE)
    refused = blue.do("counters/", id=["blue-1", "red-1"], note="ours")
    assert refused.status_code == 422 and "a note is for its own side" in words_of(refused)
    blue.do("counters/", id="red-1", state="shaken", note="")
    for player in (red, banners["green"]):
        player.do("answer/", agrees="yes")
    assert known(red)["red-1"]["note"] == NOTE and known(red)["red-1"]["state"] == ["shaken"]
    assert not tells(blue, NOTE)


def test_another_side_is_asked_about_nothing_that_is_hidden_from_it(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    refused = red.do("counters/", id=["red-1", "blue-1"], state="shaken")
    assert refused.status_code == 403 and "by themselves" in words_of(refused)
    assert blue.match.proposal is None and not states(blue)["blue-1"]


def test_at_one_device_a_hand_of_the_other_side_leaves_notes_as_they_are(alone):
    alone.do("counters/", id="red-1", note=NOTE)
    alone.client.post(f"/match/{alone.match_id}/cover/")
    alone.client.post(f"/match/{alone.match_id}/lift/", {"side": "blue"})
    assert "note" not in known(alone)["red-1"]
    alone.do("counters/", id="red-1", state="shaken", note="")
    assert alone.match.state.counters["red-1"]["note"] == NOTE and known(alone)["red-1"]["state"] == ["shaken"]


def test_a_line_says_nothing_openly_of_company_with_a_hidden_counter(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-3", hidden="on")
    red.do("counters/", id="red-1", beside="red-3", state="shaken")
    red.do("counters/", id="red-1", beside="red-2")
    red.do("counters/", id="red-1", beside="red-3")
    red.do("counters/", id="red-1", fate="eliminated")
    for line in lines_of(red)[-5:]:
        assert ("Captain" in line.secret) or "red-3" not in line.sentence + str(line.inputs)
    open_lines = [line for line in blue.get("log.json").json()["entries"] if "inputs" in line][-4:]
    assert not any("red-3" in str(line) and "Into play" not in line["sentence"] for line in open_lines)
    assert "Company #1: Shaken" in text_of(blue.get("log.json"))


def test_what_all_have_read_of_a_counter_is_not_undone_once_it_is_hidden(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-1", place="ford")
    number = red.last.number
    clash(blue, "red-1")
    hurt = lines_of(blue)[-1].number
    red.do("counters/", id="red-1", hidden="on")
    refused = red.do("counters/undo/", number=number)
    assert refused.status_code == 403 and "hidden by now" in words_of(refused)
    for line in (number, hurt):
        refused_undo = blue.do("counters/undo/", number=line)
        assert refused_undo.status_code == 403 and "no such change of a counter" in words_of(refused_undo)
    assert known(red)["red-1"]["place"] == "Ford"


def test_what_its_own_side_did_unseen_of_a_hidden_counter_is_undone_unseen(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    red.do("counters/", id="red-1", state="shaken")
    red.do("counters/undo/", number=red.last.number)
    assert known(red)["red-1"]["state"] == [] and "red-1" not in known(blue)
    assert "is undone" in red.last.secret and "is undone" not in red.last.sentence


def test_what_was_agreed_to_be_undone_is_not_once_its_counter_is_hidden(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-1", place="ford")
    blue.do("counters/undo/", number=red.last.number)
    red.do("counters/", id="red-1", hidden="on")
    assert {side.do("answer/", agrees="yes").status_code for side in (red, banners["green"])} == {403}
    assert known(red)["red-1"]["place"] == "Ford"


def test_who_rides_on_a_hidden_counter_seems_to_be_by_itself(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-2", beside="red-1")
    assert known(blue)["red-2"]["beside"] == "red-1"
    hide(red)
    assert "beside" not in known(blue)["red-2"] and known(red)["red-2"]["beside"] == "red-1"
    ours, theirs = (player.get("archive.json").json()["match"]["state"]["counters"] for player in (red, blue))
    assert ours["red-2"]["beside"] == "red-1" and "beside" not in theirs["red-2"] and "red-1" not in theirs


def test_whoever_asks_to_put_a_rider_elsewhere_is_not_told_on_which_hidden_counter_it_rides(banners):
    red, blue = banners["red"], banners["blue"]
    hide(red)
    red.do("counters/", id="red-2", beside="red-1")
    rider, hidden, goal = (known(red)[id]["name"] for id in ("red-2", "red-1", "red-3"))
    assert blue.do("counters/", id="red-2", beside="red-3").status_code == 302
    assert blue.last.sentence == f"Blue Banner asks to put right {rider}: with {goal}; was by itself."
    assert all(f"was with {hidden}" not in player.see() for player in (blue, banners["green"]))
    for side in ("red", "green"):
        banners[side].do("answer/", agrees="yes")
    assert known(red)["red-2"]["beside"] == "red-3" and known(blue)["red-2"]["beside"] == "red-3"
    assert not any(hidden in line.sentence for line in blue.log[-3:])


def test_whoever_asks_to_have_both_sides_counters_get_down_does_not_tell_where_their_own_were(banners):
    red, blue = banners["red"], banners["blue"]
    red.do("counters/", id="red-2", beside="red-1")
    blue.do("counters/", id="blue-1", beside="blue-2")
    hide(red)
    names = {id: counter["name"] for id, counter in known(red).items()}
    assert red.do("counters/", id=["red-2", "blue-1"], beside="").status_code == 302
    wish = f"{names['blue-1']}: by itself; was with {names['blue-2']}"
    assert red.last.sentence == f"Red Banner asks to put right {wish}."
    assert f"{wish}." in blue.see()


# Files and branches


def test_counters_travel_in_a_file_and_secrets_stay(banners):
    red, blue = banners["red"], banners["blue"]
    clash(red, "blue-1")
    red.do("counters/", id="red-2", beside="red-3", place="mill")
    hide(red)
    own, other = save(red), save(blue)
    assert own["match"]["state"]["counters"]["red-1"]["note"] == "ambush of the seventh"
    assert "red-1" not in other["match"]["state"]["counters"]
    opened, _ = send(own, side="red")
    assert known(opened) == known(red)
    assert [line.touches for line in opened.log[: len(red.log)]] == [line.touches for line in red.log]


def test_a_branch_goes_on_with_the_counters(banners):
    red = banners["red"]
    clash(red, "blue-1")
    branch = making.branch(red.match, ("red",), hot_seat=True)
    assert branch.match.state.counters == red.match.state.counters


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        ({"red-1": {"side": "red", "counter": "dragon", "name": "x"}}, "there is no such counter"),
        ({"red-1": {"side": "blue", "counter": "company", "name": "x"}}, "its id"),
        ({"red-3": {"side": "red", "counter": "captain", "name": "x", "state": ["spent"]}}, "red-3: cannot be spent."),
        (
            {"red-1": {"side": "red", "counter": "company", "name": "x", "beside": "red-77"}},
            "red-1: stands beside a counter",
        ),
        ({"red-1": {"side": "red", "counter": "company", "name": "x", "fate": "lost"}}, "fate"),
        ({"red-0": {"side": "red", "counter": "company", "name": "x"}}, "its id"),
        (
            {"red-1": {"side": "red", "counter": "company", "name": "x", "fate": "left", "place": "Mill"}},
            "is gone, and",
        ),
        ({"red-1": {"side": "red", "counter": "company", "name": "x", "place": 7}}, "place"),
        ({"red-1": []}, "red-1"),
    ],
)
def test_a_file_whose_counters_cannot_be_is_refused(banners, change, flaw):
    data = save(banners["red"])
    data["match"]["state"]["counters"] |= change
    _, answer = send(data, side="red")
    assert flaw in words_of(answer)


# Pages


def test_the_gallery_adds_and_gives_back(banners):
    red = banners["red"]
    page = red.get("counters/")
    assert page.status_code == 200 and "Red lancer" in words_of(page)
    answer = red.do("counters/add/", gallery="red", side="red", counter="red_lancer")
    assert answer["Location"].endswith("/counters/?side=red")
    assert "red-4" in known(red)
    red.do("counters/", gallery="red", id="red-4", fate="returned")
    assert known(red)["red-4"]["fate"] == "returned"


def test_the_gallery_is_searched_and_shows_each_side(banners):
    gallery = words_of(banners["blue"].get("counters/", side="red", q="lanc"))
    assert "Red lancer" in gallery and "Company" not in gallery


def test_the_gallery_says_all_that_is_wrong_with_a_list_and_keeps_it(banners):
    answer = banners["red"].do("counters/add/", gallery="red", side="red", list="3 dragons, 2 elves")
    assert answer.status_code == 422
    assert "“3 dragons”" in words_of(answer) and "3 dragons, 2 elves" in text_of(answer)


def test_the_history_of_a_counter_has_every_line_about_it_and_no_other(banners):
    red, blue = banners["red"], banners["blue"]
    clash(red, "blue-1", "blue-2")
    red.do("counters/", id="red-1", note="seen")
    history = words_of(red.get("log/", about="blue-2"))
    assert "Clash: 2 hit." in history and "Company #2: Shaken" in history
    assert "Company #1: Shaken" not in history and "note “seen”" not in history
    hide(red)
    assert "ambush" in words_of(red.get("log/", about="red-1"))
    blue_history = words_of(blue.get("log/", about="red-1"))
    assert "ambush" not in blue_history


def test_a_line_of_the_log_has_its_own_undo(banners):
    red = banners["red"]
    clash(red, "blue-1")
    number, opened = red.last.number, f"log/all/{red.last.episode}/"
    assert f'form="undo-change" name="number" value="{number}"' in " ".join(text_of(red.get(opened)).split())
    red.do("counters/undo/", number=number)
    assert f'name="number" value="{number}"' not in " ".join(text_of(red.get(opened)).split())


def test_observers_see_what_both_sides_show(banners):
    looker = banners["observer"]
    hide(banners["red"])
    assert "red-1" not in known(looker) and "red-2" in known(looker)
    assert looker.do("counters/", id="red-2", state="shaken").status_code == 403


def test_a_roll_that_names_a_counter_twice_is_refused(banners):
    red = banners["red"]
    before = known(red)
    assert clash(red, "blue-1", "blue-1").status_code == 422 and known(red) == before


def test_the_page_of_a_match_leads_to_the_gallery_and_the_sheet_to_the_history(banners):
    red = banners["red"]
    assert f'href="/match/{red.match_id}/counters/"' in text_of(red.get())
    sheet = text_of(red.get("hand/", chosen="red-1"))
    assert f"/match/{red.match_id}/log/?about=red-1" in sheet


# What is read of the counters


def test_an_act_begins_with_what_was_read_and_changes_none_of_it(banners):
    match = banners["red"].match
    read = counters.store_of(match)
    places = [(counter.id, counter.place) for counter in read.known(("red",))]
    copied = copy(match)
    counters.begin_with_store(copied)
    counters.store_of(copied).put(replace(read.find("red-1"), place="mill"))
    assert [(counter.id, counter.place) for counter in counters.store_of(match).known(("red",))] == places
    assert {counter.id: counter.place for counter in counters.store_of(copied).known(("red",))}["red-1"] == "mill"


def test_an_act_reads_the_counters_anew_where_the_state_is_another(banners):
    match = banners["red"].match
    assert counters.store_of(match).all()
    match.state = replace(match.state, counters={})
    counters.begin_with_store(match)
    assert counters.store_of(match).all() == []


# What a game may call its sides, and the fields of its forms


def test_sides_called_with_digits_and_strokes_write_files_that_open_again(monkeypatch):
    sides = {"army_2": "Second Army", "red3": "Red Three"}
    of_sides = type("Rules", (BannerCounters,), {"kinds": dict.fromkeys(sides, KINDS["red"])})()
    known_games = registry.games()
    renamed = replace(known_games[BANNERS], sides=sides, counters=of_sides, typical={})
    monkeypatch.setitem(known_games, BANNERS, renamed)
    army = players.begin("army_2", hot_seat=True, game=BANNERS)[0]
    army.do("counters/add/", list="Second Army: 2 Companies\nRed Three: captain")
    army.do("counters/", id="army_2-1", becomes="shaken")
    army.roll("assault", dice="app")
    opened, answer = send(save(army), side="army_2")
    assert answer.status_code == 200 and opened.match_id
    assert states(opened) == {"army_2-1": ["shaken"], "army_2-2": "", "red3-1": ""}


@pytest.mark.parametrize("side", ["Red", "red-2", "2nd", "red 2", "", "a" * 17])
def test_a_side_that_no_id_can_be_read_back_from_is_refused_as_the_game_is_read(side):
    with pytest.raises(ValueError, match="a side is called by letters, digits and _"):
        replace(registry.games()[BANNERS], sides={side: "Red"})


@pytest.mark.parametrize("name", ["targets", "firers", "carry", "step"])
def test_a_field_called_as_the_frame_calls_its_own_is_refused_as_the_helpers_are_read(name, monkeypatch):
    form = type("Form", (HelperForm,), {name: NumberField("Number", 0, 9)})
    monkeypatch.setattr(banner_helpers, "HELPERS", (replace(banner_helpers.HELPERS[0], form=form),))
    registry.helpers.cache_clear()
    with pytest.raises(ValueError, match=f"the frame sends something of its own called .'{name}'."):
        registry.helpers(BANNERS)


def test_a_form_may_call_its_rows_as_the_frame_calls_counters_if_it_says_so():
    form = registry.helpers("battle-for-stalingrad")["combat"].form
    assert "firers" in form.base_fields and form.own_names == ("firers",)
    assert registry.games()["battle-for-stalingrad"].counters
