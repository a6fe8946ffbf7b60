"""Rolls of one die or two, and who may: counter-attacks, mine dogs, tanks, NKVD, leaders, Herman, movers."""

import pytest

from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules.terms import Terrain

from . import ask, faces


def test_a_counter_attack_is_die_and_af_less_df():
    assert faces("counter-attack") == ["attacker_lost"] * 2 + ["defender_lost"] * 4 + ["defenders_retreat"] * 4
    for af, df, die in ((9, 10, 6), (7, 9, 7)):  # the examples of 12.6 and of the chart
        result = ask("counter-attack", af=af, df=df, die=die)
        assert (result.modified, result.outcome.value, result.details["hex_held"]) == (5, "defender_lost", True)
    assert faces("counter-attack", af=200) == ["defenders_retreat"] * 10
    assert faces("counter-attack", df=200) == ["attacker_lost"] * 10


def test_a_counter_attack_knows_that_the_last_defender_is_gone():
    for die, defenders, hex_held in ((2, 1, True), (3, 1, False), (3, 2, True), (3, "", True), (7, 2, False)):
        assert ask("counter-attack", die=die, defenders=defenders).details["hex_held"] is hex_held


def test_a_mine_dog_takes_armour_with_it_on_1_and_2():
    assert faces("mine-dog") == ["both_lost"] * 2 + ["dog_lost"] * 8
    assert ask("mine-dog", die=2).details == {"armored_unit_lost": True, "mine_dog_lost": True}
    assert ask("mine-dog", die=0).details == {"armored_unit_lost": False, "mine_dog_lost": True}


# Tanks and NKVD


def test_a_tank_lost_in_a_built_up_hex_may_fight_on():
    for terrain in Terrain:
        rolls = terrain.is_built_up
        expected = ["immobilized"] * 4 + ["nothing"] * 6 if rolls else ["no_roll"] * 10
        assert faces("tank", terrain=terrain) == expected
        assert bool(ask("tank", terrain=terrain).needs) is rolls


def test_tanks_break_down_from_11_october_on_the_map_alone_unless_agreed():
    assert faces("tank", event="phase_10", date="1942-10-10") == ["no_roll"] * 10
    for date in ("1942-10-11", "1942-11-18"):
        assert faces("tank", event="phase_10", date=date) == ["immobilized"] * 4 + ["runs"] * 6
    box = {"event": "phase_10", "date": "1942-10-11", "in_box": "on"}
    assert ask("tank", **box).outcome == "no_roll"
    assert ask("tank", **box, breakdown_boxes="boxes", die=4).details == {"immobilized": True}


def test_nkvd_stay_or_go():
    assert faces("nkvd") == ["stays"] * 7 + ["removed"] * 3
    assert faces("nkvd", event="isolated") == ["stays"] * 4 + ["removed"] * 6
    for event in ("reliability", "isolated"):
        for flag in ("with_leader", "is_leader"):
            assert faces("nkvd", event=event, **{flag: "on"}) == ["no_roll"] * 10
    assert ask("nkvd", regiment_already_tested="on").outcome == "no_roll"
    assert faces("nkvd", event="isolated", regiment_already_tested="on")[4:] == ["removed"] * 6


# Who counter-attacks


def test_who_may_counter_attack():
    units = ("infantry", "engineer", "armored", "artillery", "sniper", "mine_dog", "leader")
    for unit in units:
        german = ask("may-counter-attack", unit=unit).outcome == "allowed"
        assert german == (unit in ("infantry", "engineer", "armored"))
        for flag in ("guards_or_marine", "with_leader"):
            soviet = ask("may-counter-attack", side="soviet", unit=unit, **{flag: "on"}).outcome == "allowed"
            assert soviet == (unit in ("infantry", "armored"))
        assert ask("may-counter-attack", side="soviet", unit=unit).outcome == "refused"
    for bar in ({"pinned": "on"}, {"spent": "on"}, {"af": 0}, {"not_adjacent": "on"}):
        result = ask("may-counter-attack", **bar)
        assert result.outcome == "refused" and len(result.effects) == 1
    assert ask("may-counter-attack", af=7).follow_ups[0].inputs == {"af": 7}


# Leaders

SURVIVES = {"eliminated": range(-9, 3), "wounded": range(3, 7), "survives": range(7, 11)}


def test_a_leader_survives_by_the_die_less_what_was_lost():
    for lost in range(1, 13):
        for sniper in range(3):
            for die in range(1, 11):
                result = ask("leader-survival", units_eliminated=lost, sniper=sniper, die=die)
                mdr = die - min(lost, 4) - sniper
                expected = next(word for word, band in SURVIVES.items() if mdr in band)
                assert (result.outcome, result.details["mdr"]) == (expected, mdr), (lost, sniper, die)
    spared = ask("leader-survival", units_eliminated=0)
    assert (spared.outcome, spared.details["mdr"]) == ("no_roll", None)


def test_the_example_of_leader_survival():
    fields = {"units_eliminated": 2, "die": 6, "turns_die": 3, "turn": 5}
    result = ask("leader-survival", **fields)
    assert result.outcome == "wounded" and result.details == {"mdr": 4, "away": 3, "back_on_turn": 9}
    assert ask("leader-survival", **fields, sniper=2).outcome == "eliminated"
    assert ask("leader-survival", units_eliminated=2, die=6).needs == ("turns_die",)
    late = ask("leader-survival", units_eliminated=1, die=5, turns_die=10, turn=60)
    assert late.details["back_on_turn"] == 71 and "before the end" in late.effects[0]
    with pytest.raises(BadInput) as refused:
        ask("leader-survival", side="soviet", sniper=1)
    assert list(refused.value.problems) == ["sniper"]


def test_alone_through_a_zoc_it_is_4_whatever_was_lost_and_a_second_wound_is_the_last():
    for die, expected in ((6, "eliminated"), (7, "wounded"), (10, "wounded")):
        for lost in (0, 1, 9):
            assert ask("leader-survival", alone="on", units_eliminated=lost, die=die).outcome == expected
    assert ask("leader-survival", alone="on", already_wounded="on", die=10).outcome == "eliminated"
    assert ask("leader-survival", alone="on", sniper=2, die=8).outcome == "eliminated"


# Infiltration


def test_herman_infiltrates_from_26_september():
    early = ask("infiltration", date="1942-09-25")
    assert early.outcome == "refused" and early.details["allowed"] is False and not early.needs
    with pytest.raises(BadInput):
        ask("infiltration", date="1942-09-26")


def test_any_result_kills_on_both_sides():
    for attack_die in range(1, 11):
        for defence_die in range(1, 11):
            fields = {"date": "1942-10-01", "attack_af": 4, "defence_df": 9}
            result = ask("infiltration", **fields, attack_die=attack_die, defence_die=defence_die)
            hits, back = attack_die - 1 <= 2, defence_die + 1 <= 4  # the last P of columns 4 and 7-9
            expected = "target_lost" if hits else "thrown_back" if back else "both_stand"
            assert result.outcome == expected, (attack_die, defence_die)
            assert result.details["herman_lost"] is result.details["soviet_unit_lost"] is (expected == "thrown_back")
            assert result.details["german_unit_lost"] is hits
            assert (result.details["defence"] is None) is hits
    alone = ask("infiltration", date="1942-10-01", attack_af=4, attack_die=10)
    assert alone.outcome == "both_stand" and alone.details["defence"] is None


# Who may advance, retreat, break through, fire at movers


def one_bar(slug, allowed, *bars):
    """Allowed as it stands; refused with one reason for each bar alone, and with all of them for all."""
    assert ask(slug, **allowed).outcome == "allowed"
    for bar in bars:
        result = ask(slug, **allowed, **{bar: "on"})
        assert result.outcome == "refused" and len(result.effects) == 1, bar
    assert len(ask(slug, **allowed, **dict.fromkeys(bars, "on")).effects) == len(bars)


def test_each_bar_of_an_advance_stands_alone():
    one_bar("advance", {}, "did_not_attack", "not_adjacent", "hex_held", "may_not_enter", "over_stacking")


def test_who_retreats_before_combat():
    bars = ("only_indirect", "breakthrough", "opportunity_fired", "pinned")
    one_bar("retreat", {}, *bars)
    for led in ("guards_or_marine", "with_house_leader", "with_or_adjacent_leader"):
        one_bar("retreat", {"side": "soviet", led: "on"}, *bars)
    assert "9.44" in ask("retreat", side="soviet").effects[0]


def test_where_a_breakthrough_is_possible():
    bars = ("crosses_wall_or_balka", "interdicted", "nobody_adjacent", "pinned_or_spent_in_attack")
    one_bar("breakthrough", {}, *bars, "already_this_phase", "passed_marker")
    open_ground = [terrain.value for terrain in Terrain if ask("breakthrough", terrain=terrain).outcome == "allowed"]
    assert open_ground == [
        *("clear", "tartar_wall", "railroad", "road", "hill_top", "slope", "cemetery"),
        *("forest", "suburb", "village"),
    ]


def test_who_fires_at_movers():
    bars = ("under_cover", "no_los", "pinned", "fired_this_phase", "attacked_by_adjacent_infantry", "not_moving")
    one_bar("opportunity", {"distance": 3, "unit_range": 3}, *bars)
    assert ask("opportunity", distance=4, unit_range=3).outcome == "refused"
    for indirect, german, soviet in (
        ("", None, None),
        ("mortar", True, True),
        ("nebelwerfer", False, False),
        ("katyusha", False, False),
        ("other_if", True, False),
        ("stuka", False, False),
    ):
        for side, crossing in (("german", german), ("soviet", soviet)):
            result = ask("opportunity", side=side, indirect=indirect, crossing_volga="on")
            assert result.details["indirect_allowed"] is crossing
            assert result.details["allowed"] is (crossing is not False)
    assert ask("opportunity", indirect="other_if").details["indirect_allowed"] is False
