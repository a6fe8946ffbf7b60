import re

import pytest

from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.rules.air import Aircraft
from firefight.games.combat_stalingrad.rules.counters import (
    NUMBERS,
    CounterKind,
    FlakColumn,
    Rank,
    find_value,
    read_counters,
    tell_value,
)
from firefight.games.combat_stalingrad.rules.reading import FileProvenance
from firefight.games.combat_stalingrad.rules.sides import Side

from .gallery import COUNTERS, PROBLEMS, counter_problems, plain_counters

GERMAN, RUSSIAN = Side

TANKS = ("stug_iii_c", "stug_iii_f", "pz_iii_h", "pz_iii_j", "pz_iv_f1", "pz_iv_f2")


def test_the_house_counters_have_no_problem():
    assert PROBLEMS == []


@pytest.mark.parametrize("tank", TANKS)
def test_german_tanks_have_the_tq_of_the_errata(tank):
    counter = COUNTERS[GERMAN][tank]
    assert (counter.tq, counter.origin.of("tq"), counter.origin.of("ccv")) == (8, "text", "house")


def test_other_values_of_the_text_are_marked_as_such():
    german, russian = COUNTERS[GERMAN], COUNTERS[RUSSIAN]
    assert (german["sdkfz_251_1_c"].tq, german["sdkfz_251_1_c"].origin.of("tq")) == (7, "text")
    assert (russian["dshk_38"].ff, russian["dshk_38"].origin.of("ff")) == (7, "text")
    for side in (german, russian):
        for counter in side.values():
            if counter.kind in (CounterKind.SW_TEAM, CounterKind.GUN):
                assert (counter.ccv, counter.origin.of("ccv")) == (2, "text")
            if counter.kind is CounterKind.LEADER:
                assert (counter.ff, counter.origin.of("ff")) == (1, "text")


def test_nothing_of_ours_passes_for_the_text():
    for side in COUNTERS.values():
        for counter in side.values():
            assert counter.origin.of("count") == counter.origin.of("name") == "house"
            if counter.kind is CounterKind.SQUAD:
                assert set(counter.origin.others) <= {"text"} and set(counter.origin.others.get("text", ())) <= {"mgs"}
                assert counter.ccv == counter.ff + 1


def test_an_origin_tells_the_values_of_another_provenance_in_words():
    origin = FileProvenance("house", {"text": ("cp", "end_numbers"), "owner": ("tq",)})
    assert [origin.of(name) for name in ("cp", "tq", "name")] == ["text", "owner", "house"]
    assert origin.in_words == {"text": "CP, end numbers", "owner": "TQ"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "dragon"}, r"militia_squad.kind\]: should be one of squad, leader"),
        ({"kind": ["squad"]}, r"militia_squad.kind\]: should be one of"),
        ({"count": -1}, r"militia_squad.count\]: should lie between 0 and 200, not be -1"),
        ({"count": None}, r"militia_squad.count\]: is missing"),
        ({"count": 1.5}, r"militia_squad.count\]: “1.5” is not a whole number"),
        ({"tq": 11}, r"militia_squad.tq\]: should lie between 1 and 10"),
        ({"ff": True}, r"militia_squad.ff\]: “True” is not a whole number"),
        ({"name": ""}, r"militia_squad.name\]: should be a text"),
        ({"kind": "gun"}, r"militia_squad.half_ff\]: only a squad has a smaller side"),
        ({"text": ["cvv"]}, r"militia_squad.text\]: names a value that is not here: cvv"),
        ({"text": ["ff"], "owner": ["ff"]}, r"militia_squad\]: gives ff two provenances"),
        ({"provenance": "guess"}, r"militia_squad.provenance\]: should be one of text, house, owner"),
        ({"tk": 5}, r"militia_squad.tk\]: is not known here"),
        ({"fire": {"1": 4, "3-6": 2}}, r"militia_squad.fire\]: should give each range once, without a gap, from 1 on"),
        ({"fire": {"1-2": 4, "2-6": 2}}, r"militia_squad.fire\]: should give each range once"),
        ({"fire": {"near": 4}}, r"militia_squad.fire\]: "),
        ({"fire": {"1-99": 4}}, r"militia_squad.fire\]: should reach from 1 to \d+ hexes"),
    ],
)
def test_a_spoilt_counter_is_told_what_is_wrong(changes, message):
    data = plain_counters()
    data["russian"]["militia_squad"] |= changes
    problems = counter_problems(data)
    assert any(re.search(message, problem) for problem in problems), problems


def test_traits_stand_in_the_file_and_older_files_mean_them_by_their_keys():
    russian = COUNTERS[RUSSIAN]
    assert (russian["commissar"].rank, russian["nco"].origin.of("rank")) == (Rank.COMMISSAR, "text")
    assert (russian["po_2"].aircraft, russian["dshk_38"].flak) == (Aircraft.PO2, FlakColumn.DSHK)
    data = plain_counters()
    for counters in (data["german"], data["russian"]):
        for counter in counters.values():
            traits = [counter.pop(name, None) for name in ("rank", "aircraft", "flak", "weapon")]
            counter["text"] = [name for name in counter.get("text", ()) if name in counter] if any(traits) else []
    older, problems = read_counters(data)
    assert not problems
    for side, counters in COUNTERS.items():
        for key, counter in counters.items():
            weapon = None if key == "ot_34" else counter.weapon  # its key says nothing about it
            older_kind = older[side][key]
            assert (older_kind.rank, older_kind.aircraft, older_kind.flak) == (
                counter.rank,
                counter.aircraft,
                counter.flak,
            )
            assert older_kind.weapon == weapon


@pytest.mark.parametrize(
    ("key", "changes", "message"),
    [
        ("nco", {"rank": "general"}, r"nco.rank\]: should be one of nco, officer, commissar"),
        ("rifle_squad", {"rank": "nco"}, r"rifle_squad.rank\]: only a counter of the kind leader has that"),
        ("t_70", {"aircraft": "po2"}, r"t_70.aircraft\]: only a counter of the kind aircraft has that"),
        ("gaz_aa", {"flak": "flak 88"}, r"gaz_aa.flak\]: should be one of dshk, gaz_aa"),
    ],
)
def test_a_spoilt_trait_is_told(key, changes, message):
    data = plain_counters()
    data["russian"][key] |= changes
    problems = counter_problems(data)
    assert any(re.search(message, problem) for problem in problems), problems


def test_counters_need_sides_keys_and_tables():
    data = plain_counters()
    data["russian"] = {}
    data["german"]["Big Gun"] = data["german"]["pak_38"]
    data["german"]["pak_38"] = "two"
    problems = " | ".join(counter_problems(data))
    for part in ("[russian]: has no counters", "Big Gun]: a counter's key", "pak_38]: should be a table"):
        assert part in problems


@pytest.mark.parametrize("garbage", [None, 3, [], "x", {"german": 4, "russian": []}])
def test_garbage_gives_problems_and_no_counters(garbage):
    counters, problems = read_counters(garbage)
    assert problems
    assert counters == {GERMAN: {}, RUSSIAN: {}}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_value_that_players_say_is_the_counters_own(name):
    squad = COUNTERS[Side.RUSSIAN]["militia_squad"]
    assert find_value(tell_value(squad, name, NUMBERS[name][0]), name) == NUMBERS[name][0]
    with pytest.raises(BadInput, match="lies between"):
        tell_value(squad, name, NUMBERS[name][1] + 1)
