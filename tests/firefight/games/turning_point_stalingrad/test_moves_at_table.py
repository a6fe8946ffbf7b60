"""Moves of counters from the page: the next Area, what it costs, what bars the way (8.2, 8.22, 8.28, 8.34)."""

import pytest

from tests import pages
from tests.filling import Reader
from tests.firefight.players import text_of

from .units_in_play import begin_on_map, put_out, set_out, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(frozen):
    return frozen("turning point on a map", begin_on_map)


def move(player, goal, *ids):
    """Tap counters, type where they go, press Enter; returns the page."""
    query = "&".join(f"chosen={id}" for id in ids)
    page = Reader(player.client).open(f"/match/{player.match_id}/roll/move/?{query}")
    page.form("#desk-form").fill(goal=goal).press()
    return page


def test_8_2_units_go_from_area_to_area_until_their_mf_run_out(german):
    ids = set_out(german, german_C="I/295")
    (unit,) = ids.values()
    for goal in ("6", "24", "36"):
        move(german, goal, unit)
        assert shown(german)[unit] == (goal, ["acting"]), goal
    assert [row["mf"] for row in german.match.state.record["steps"]] == [1, 1, 1]
    german.do("take-back/")
    assert shown(german)[unit][0] == "24" and len(german.match.state.record["steps"]) == 2


def last_move(player):
    """What it cost, and what is left."""
    details = next(line for line in reversed(player.log) if line.helper == "move").result.details
    return details["mf"], details["left"]


def refused(player, goal, *ids):
    """What the page says of a move that is not allowed; nothing has changed."""
    before, page = shown(player), move(player, goal, *ids)
    assert shown(player) == before
    return page.words("#desk")


def test_8_2_an_area_that_takes_more_than_is_left_is_refused(german):
    unit, *_ = set_out(german, german_C="I/295", russian_25="1/10 NKVD").values()
    move(german, "6", unit)
    move(german, "24", unit)
    assert "Area 25 takes 4 MF (8.24), it has 5, 4 used or owed" in refused(german, "25", unit)
    assert "Area 24 does not touch Area 35 (8.2)." in refused(german, "35", unit)


def test_8_34_friends_who_stay_out_of_an_attack_in_their_area_owe_its_mf_before_they_leave(german):
    ids = [*set_out(german, german_24="Pi 295, I/295", russian_24="1/10 NKVD, 1/10 NKVD").values()]
    attacker, friend, enemy, other = ids
    put_out(german, enemy, "24", "d2")
    address = f"/match/{german.match_id}/roll/attack/?chosen={attacker}&chosen={enemy}"
    page = Reader(german.client).open(address)
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7").press("Resolve")
    assert page.words("#desk .scene") == "In 24"
    assert german.match.state.record["attacks"][-1]["start"] == "24"
    put_out(german, enemy, "32")
    put_out(german, other, "32")
    move(german, "36", friend)
    assert last_move(german) == (1, 3), "1 of 5 for the Spent Group, 1 for the Area"


def test_8_22_infantry_that_starts_among_enemies_goes_one_area_out_of_their_zone(german):
    ids = [*set_out(german, german_24="I/295, A/24", russian_24="1/10 NKVD", russian_34="1/10 NKVD").values()]
    infantry, armour, *_ = ids
    refusal = refused(german, "25", infantry)
    assert "starts among enemies: Area 25 is in an enemy ZOC (8.22)." in refusal, "beside 34"
    put_out(german, ids[2], "24", "d1")
    move(german, "6", infantry)
    assert shown(german)[infantry][0] == "6", "a Spent enemy has a ZOC in its own Area alone (8.21)"
    assert "it goes one Area in this impulse (8.22)" in refused(german, "C", infantry)
    move(german, "7", armour)
    move(german, "6", armour)
    assert shown(german)[armour][0] == "6", "armour goes on"


def test_8_22_who_enters_among_enemies_stays_and_aa_never_does(german):
    ids = [*set_out(german, german_24="I/295, Flak 5", russian_25="1/10 NKVD").values()]
    infantry, flak, enemy = ids
    assert "AA never enters where enemies are (8.22)" in refused(german, "25", flak)
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/move/?chosen={infantry}")
    assert "Into Area 25, 4 MF" in offers(page)
    move(german, "25", infantry)
    assert last_move(german) == (4, 1), "2 to enter and 2 for the attack, of 5"
    assert "it stays while enemies remain there (8.22)" in refused(german, "7", infantry)
    put_out(german, enemy, "32")
    move(german, "7", infantry)
    assert shown(german)[infantry][0] == "7"


def test_8_3_who_began_the_impulse_in_different_areas_does_not_attack_together(german):
    ids = [*set_out(german, german_24="I/295, A/24", german_25="Pi 295", russian_25="1/10 NKVD").values()]
    entering, with_them, inside, enemy = ids
    move(german, "25", entering, with_them)
    query = "&".join(f"chosen={id}" for id in (entering, inside, enemy))
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?{query}")
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7").press("Resolve")
    refusal = "The impulse began with I/295 #1 in Area 24, Pi 295 in Area 25: they do not attack together (8.3)."
    assert refusal in page.words("#desk") and german.match.state.record["attacks"] == []
    page.open(f"/match/{german.match_id}/roll/attack/?chosen={entering}&chosen={with_them}&chosen={enemy}")
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7").press("Resolve")
    assert german.match.state.record["attacks"][-1]["area"] == "25"


def test_8_28_spent_units_regroup_at_night_once(german):
    unit, *_ = set_out(german, german_24="I/295").values()
    put_out(german, unit, "24", "d2")
    assert "Only at night." in refused(german, "6", unit)
    german.do("record/", field="time", value="night")
    move(german, "6", unit)
    assert shown(german)[unit] == ("6", ["d2"]), "no dots besides, and it has not acted"
    assert "One Area in an impulse (8.28)." in refused(german, "C", unit)


def test_8_1_a_move_is_of_the_side_and_the_area_whose_impulse_it_is(german):
    ids = [*set_out(german, german_24="I/295", german_6="I/295", russian_35="1/10 NKVD").values()]
    one, other, enemy = ids
    move(german, "7", one)
    assert "This impulse is about the units of Area 24 (8.1)." in refused(german, "7", other)
    german.do("advance/", button="impulse")
    german.do("advance/", button="impulse")
    assert german.match.state.position.side == "russian" or german.match.state.queue == ()


def test_8_14_who_has_moved_or_attacked_does_not_pass(german):
    unit, enemy = set_out(german, german_24="I/295", russian_25="1/10 NKVD").values()
    assert may_pass(german)
    move(german, "6", unit)
    assert not may_pass(german)
    german.do("take-back/")
    assert may_pass(german)
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?chosen={unit}&chosen={enemy}")
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7").press("Resolve")
    assert not may_pass(german)


def may_pass(player):
    return "pass" in pages.values_of_each(text_of(player.get()), "[name=button]", "value")


def test_where_the_chart_knows_no_neighbours_a_move_is_taken_as_said(german):
    unit, *_ = set_out(german, german_40="I/295").values()
    page = move(german, "41", unit)
    assert shown(german)[unit][0] == "41"
    assert "does not know whether Area 40 touches Area 41: taken as said." in page.words("#desk")


def offers(page):
    """What stands on the page to be pressed."""
    return [node.text() for node in page.find("#offers button")]


def test_8_2_each_area_in_reach_is_one_press(german):
    ids = [*set_out(german, german_24="I/295, Flak 5", russian_25="1/10 NKVD").values()]
    infantry, flak, _ = ids
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/move/?chosen={infantry}&chosen={flak}")
    reached = ["Into Area 6, 2 MF", "Into Area 7, 2 MF", "Into Area 36, 1 MF"]
    assert offers(page) == reached, "not 25: AA stays away from enemies (8.22); 36 alone is out of its ZOC (8.24)"
    assert "Area 36" not in page.words("#desk details.seldom summary"), "told by the presses"
    page.press("Into Area 7, 2 MF")
    assert shown(german)[infantry][0] == shown(german)[flak][0] == "7", page.words("#desk")
    assert last_move(german) == (2, 3), "the ZOC of 25, which the page had not asked about before"


def test_8_28_an_area_into_which_units_regroup_has_no_price(german):
    (unit,) = set_out(german, german_24="I/295").values()
    put_out(german, unit, "24", "d2")
    german.do("record/", field="time", value="night")
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/move/?chosen={unit}")
    assert offers(page) == ["Into Area 6"], "the others are not German"


def test_8_34_of_several_units_it_stops_all_where_the_fewest_mf_are_left(german):
    walked, rested = set_out(german, german_24="I/295", german_7="A/24").values()
    put_out(german, rested, "24")
    for goal in ("6", "C", "6", "24"):
        move(german, goal, walked)
    move(german, "7", walked, rested)
    assert last_move(german) == (1, 0), "5 MF with 4 used, not 5 of one and 6 of the other"


def test_8_22_at_enters_beside_spent_enemies_in_company_alone(german):
    infantry, gun, enemy = set_out(german, german_24="I/295, Pak 1", russian_25="1/10 NKVD").values()
    assert "AT enters in company" in refused(german, "25", infantry, gun), "the enemy is Fresh"
    put_out(german, enemy, "25", "d1")
    assert "AT enters in company" in refused(german, "25", gun)
    move(german, "25", infantry, gun)
    assert shown(german)[gun][0] == "25"


def test_8_22_fresh_at_does_not_leave_fresh_enemies(german):
    gun, _ = set_out(german, german_24="Pak 1", russian_24="1/10 NKVD").values()
    assert "AT does not leave Area 24 with these enemies in it (8.22)." in refused(german, "6", gun)


def test_8_22_armour_that_starts_among_enemies_goes_from_zoc_to_zoc_past_no_guns(german):
    placed = set_out(german, german_24="A/24", russian_24="1/10 NKVD, 398 AT", russian_34="1/10 NKVD")
    armour, _, gun, _ = placed.values()
    assert "The Area that it leaves holds enemy armour, AT or AA." in refused(german, "25", armour)
    put_out(german, gun, "32")
    move(german, "25", armour)
    assert shown(german)[armour][0] == "25", "the ZOC of 34 alone does not stop it"


def test_16_3_fresh_russians_have_one_mf_more_at_night(german):
    unit, *_ = set_out(german, russian_34="1/10 NKVD").values()
    german.do("record/", field="time", value="night")
    german.do("record/", field="side", value="russian")
    move(german, "35", unit)
    assert last_move(german) == (1, 4), "4 MF are printed"


def test_8_34_an_overrun_in_their_own_area_is_paid_by_those_who_go_on(german):
    ids = [*set_out(german, german_24="4 I/295, Pi 295", russian_24="1/10 NKVD").values()]
    *attackers, enemy = ids
    put_out(german, enemy, "24", "d2")
    query = "&".join(f"chosen={id}" for id in ids)
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?{query}")
    page.form("#desk-form").fill(attack_dr="12", defence_dr="2").press("Resolve")
    attack = german.match.state.record["attacks"][-1]
    assert (attack["area"], attack["start"], attack["overran"]) == ("24", "24", True)
    move(german, "36", attackers[0])
    assert last_move(german) == (1, 3), "1 of 5 for the Spent Group that it attacked, 1 for the Area"


def test_what_a_hand_has_typed_is_looked_at_again_where_the_counters_say_otherwise(german):
    (unit,) = set_out(german, german_24="I/295").values()
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/move/?chosen={unit}")
    page.form("#desk-form").fill(goal="6", mf=9).press()
    assert "Look again" in page.words("#desk") and shown(german)[unit][0] == "24"


def test_8_25_artillery_enters_among_enemies_without_paying_for_an_attack(german):
    infantry, guns, *_ = set_out(german, german_24="I/295, I/AR 40", russian_25="1/10 NKVD").values()
    move(german, "25", infantry, guns)
    steps = {row["unit"]: row["mf"] for row in german.match.state.record["steps"]}
    assert steps == {infantry: 4, guns: 2}, "3 MF are printed on the guns"
    german.do("advance/", button="impulse")
    assert shown(german)[guns] == ("25", ["d1"])


def test_8_34_who_entered_among_enemies_and_attacked_nobody_is_named_as_the_impulse_ends(german):
    unit, *_ = set_out(german, russian_36="1/10 NKVD", german_24="I/295").values()
    german.do("record/", field="side", value="russian")
    move(german, "24", unit)
    german.do("advance/", button="impulse")
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "1/10 NKVD #1 entered Area 24 among enemies and attacked nobody (8.34)." in page.words()


def test_8_34_a_german_impulse_says_so_as_its_roll_falls_due(german):
    unit, *_ = set_out(german, german_24="I/295", russian_36="1/10 NKVD").values()
    german.do("record/", field="date", value="1942-09-14")
    move(german, "36", unit)
    page = Reader(german.client).open(f"/match/{german.match_id}/").press("Impulse done", within="#due")
    assert "I/295 #1 entered Area 36 among enemies and attacked nobody (8.34)." in page.words()
