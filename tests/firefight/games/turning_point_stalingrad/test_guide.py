"""A player of Turning Point is led through an impulse: whose units, what they do, what is due, the end (8.1, 8.12)."""

import pytest

from tests.filling import Reader
from tests.firefight import players

from .units_in_play import GAME, begin_on_map, put_out, set_out, shown, take_map

pytestmark = pytest.mark.django_db

ASKS, LEAVES = "Lead me through this impulse", "Stop leading me"


@pytest.fixture
def german(frozen):
    return frozen("turning point on a map", begin_on_map)


@pytest.fixture
def sides():
    """The German, the Russian and an observer, each with a device."""
    german, links = players.begin("german", game=GAME)
    take_map(german, german="24,6,C")
    return german, *(players.sit(links[seat], german.match_id) for seat in ("russian", "observer"))


def page_of(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def guided(page, *pressed):
    """A page after these presses of its guide; what the guide then says."""
    for button in pressed:
        page.press(button, within="#guide")
    return page.words("#guide .question")


def offered(page):
    """What the guide offers, by its headings."""
    parts = page.find("#guide details")
    return {part.css_first("summary").text().split()[0]: [link.text() for link in part.css("a")] for part in parts}


def due(player):
    return [step.helper for step in player.match.state.queue]


def assault(page, **dice):
    """From Area 24 into Area 25, and an attack there."""
    guided(page, ASKS, "Area 24", "All 2 in Area 24")
    page.press("Into Area 25, 4 MF")
    guided(page, "The Fresh Group in Area 25")
    page.form("#desk-form").fill(tem="1", **dice).press("Resolve")


def test_8_1_a_whole_impulse_is_led_from_the_choice_of_an_area_to_its_end(german):
    ids = set_out(german, german_24="Pi 295, I/295", german_6="I/295", russian_25="3 1/10 NKVD", russian_34="1/10 NKVD")
    page = page_of(german)
    assert guided(page, ASKS) == "Choose the Area whose units act, or pass. 8.1 Impulses"
    assert [button.text() for button in page.find("#guide .choices button")] == ["Area 6", "Area 24"]
    assert guided(page, "Area 6", "Another Area").startswith("Choose the Area")
    assert guided(page, "Area 24").startswith("Move units of Area 24, or attack with them; then press “Impulse done”.")
    page.press("All 2 in Area 24", within="#guide").press("Into Area 25, 4 MF")
    question = guided(page)
    assert question.startswith("I/295 #2 and Pi 295 entered Area 25 among enemies: attack there"), question
    assert "8.34" in question and offered(page) == {"Attack": ["The Fresh Group in Area 25"]}

    page.press("The Fresh Group in Area 25", within="#guide")
    form = page.form("#desk-form")
    assert (form.value("entered"), form.value("area"), form.value("group")) == ("on", "25", "fresh")
    assert len(form.sent()["targets"]) == 3
    form.fill(tem="1", guns="32", attack_dr="8", defence_dr="6").press("Resolve")
    assert due(german) == ["counter-battery", "payment"]
    assert guided(page).startswith("Due first: Counter-Battery at the Russian artillery. 15.32")
    page.form("#desk-form").fill(artillery_within_two="1", die="6").press("Resolve")
    assert guided(page).startswith("Due first: The Russian pays 4. 8.354")
    page.press("1/10 NKVD #1 (3), 1/10 NKVD #2 (3) flip and retreat", within="#offers")
    assert due(german) == ["retreat"] and "8.355" in guided(page)
    page.press("Into Area 34", within="#offers") if page.find("#offers button") else page.form("#desk-form").press()
    while due(german):
        page.form("#desk-form").fill(roll="12").press("Resolve")
    assert shown(german)[ids["1/10 NKVD #1"]][0] == "34"

    assert guided(page) == "Nobody of Area 24 can do more: press “Impulse done”. 8.13 Disruption"
    assert not offered(page)
    page.press("Impulse done", within="#due")
    assert german.match.state.position.side == "russian"
    assert page.words("#guide") == ASKS, "one device for both: the Russian may ask for his"


def test_8_36_who_has_overrun_goes_on_as_far_as_the_mf_reach(german):
    set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD, 1/10 NKVD", russian_35="1/10 NKVD")
    spent = next(id for id, (place, _) in shown(german).items() if place == "25")
    put_out(german, spent, "25", "d2")
    page = page_of(german)
    assault(page, attack_dr="12", defence_dr="2")
    assert "Overrun" in page.words("#desk h2") and not due(german)
    assert guided(page).startswith("Attack with units of Area 24"), "1 MF is left of 5, for the Spent Group"
    assert offered(page) == {"Attack": ["The Spent Group in Area 25"]}
    page.press("The Spent Group in Area 25", within="#guide")
    page.form("#desk-form").fill(attack_dr="12", defence_dr="2").press("Resolve")
    assert guided(page).startswith("Nobody of Area 24 can do more"), "the MF have run out"


def test_8_32_a_group_that_was_attacked_is_offered_no_more_nor_is_its_area(german):
    ids = set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD, 1/10 NKVD")
    page = page_of(german)
    guided(page, ASKS, "Area 24")
    assert offered(page)["Attack"] == ["The Fresh Group in Area 25"]
    address = f"/match/{german.match_id}/roll/attack/?chosen={ids['Pi 295']}&chosen={ids['1/10 NKVD #1']}"
    Reader(german.client).open(address).form("#desk-form").fill(tem="1", attack_dr="6", defence_dr="6").press("Resolve")
    assert shown(german)[ids["Pi 295"]][1] == ["d2"], "a tie, Ranged"
    assert guided(page.look()).startswith("Move units of Area 24; then")
    assert offered(page) == {"Move": ["I/295 #2"]}
    page.press("I/295 #2", within="#guide")
    assert "Into Area 25" not in page.words("#offers"), "nobody enters it any more (8.12)"


def test_8_31_who_has_entered_attacks_together_with_those_beside_the_area(german):
    ids = set_out(german, german_24="Pi 295, 2 I/295", russian_25="1/10 NKVD")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "Pi 295")
    page.press("Into Area 25, 4 MF")
    assert offered(page)["Attack"] == ["The Fresh Group in Area 25", "The Fresh Group in Area 25, inside and Ranged"]
    assert "Pi 295, and I/295 #2 and I/295 #3, Ranged, from Area 24" in page.words("#guide")
    page.press("The Fresh Group in Area 25, inside and Ranged", within="#guide")
    form = page.form("#desk-form")
    assert (form.value("kind"), form.value("entered"), form.value("start")) == ("mixed", "on", "24")
    form.fill(tem="2", attack_dr="7", defence_dr="12").press("Resolve")
    assert shown(german)[ids["Pi 295"]] == ("25", ["d4"])
    assert shown(german)[ids["I/295 #2"]] == ("24", ["d3"]), "a Ranged attacker rests a day less"


def test_8_31_at_night_nobody_attacks_from_beside_an_area(german):
    set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    german.do("record/", field="time", value="night")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "Pi 295")
    page.press("Into Area 25, 4 MF")
    assert offered(page)["Attack"] == ["The Fresh Group in Area 25"]


def test_8_28_spent_units_regroup_after_an_attack_that_was_not_theirs(german):
    ids = set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    put_out(german, ids["I/295 #2"], "24", "d2")
    german.do("record/", field="time", value="night")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "Pi 295")
    page.press("Into Area 25, 4 MF")
    guided(page, "The Fresh Group in Area 25")
    page.form("#desk-form").fill(tem="1", attack_dr="7", defence_dr="12").press("Resolve")
    assert offered(page)["Regroup"] == ["I/295 #2"], "not Pi 295, which has attacked and is Spent by that"


def test_8_37_who_has_entered_and_lost_is_shown_the_way_back(german):
    ids = set_out(german, german_24="A/24, I/295", russian_25="3 1/10 NKVD")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "A/24")
    page.press("Into Area 25, 4 MF")
    guided(page, "The Fresh Group in Area 25")
    page.form("#desk-form").fill(tem="4", attack_dr="2", defence_dr="12").press("Resolve")
    assert "a Rout" in page.words("#desk h2") and shown(german)[ids["A/24"]] == ("25", ["d4"])
    assert offered(page) == {"Rout,": ["A/24"], "Move": ["I/295 #2"]}
    assert "out of Area 25, back to Area 24" in page.words("#guide")
    page.press("A/24", within="#guide").press("place=24", within="#desk")
    assert shown(german)[ids["A/24"]] == ("24", ["d4"])
    assert offered(page) == {"Move": ["I/295 #2"]}


def test_what_a_roll_would_make_of_counters_is_settled_first(german):
    set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    german.do("option/", option="apply", choice="ask")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "Pi 295")
    page.press("Into Area 36, 1 MF")
    assert guided(page) == "First say above what becomes of the counters."


def test_8_31_who_has_moved_and_attacks_from_there_is_of_the_area_where_it_began(german):
    ids = set_out(german, german_6="Pi 295, I/295", russian_25="1/10 NKVD", russian_7="1/10 NKVD")
    page = page_of(german)
    guided(page, ASKS, "Area 6", "Pi 295")
    page.press("Into Area 24, 2 MF")
    (attack,) = (
        item for item in page.find("#guide li") if "Area 25Pi 295, Ranged, from Area 24" in item.text(strip=True)
    )
    page.press_node(attack.css_first("a"))
    page.form("#desk-form").fill(tem="1", attack_dr="6", defence_dr="6").press("Resolve")
    (attack,) = german.match.state.record["attacks"]
    assert (attack["area"], attack["kind"], attack["start"]) == ("25", "ranged", "6")
    assert offered(page)["Move"] == ["I/295 #2"], "of Area 6, and not of Area 24"
    page.press("The Fresh Group in Area 7", within="#guide")
    page.form("#desk-form").fill(tem="1", attack_dr="6", defence_dr="6").press("Resolve")
    assert "Attack of the German on Area 7" in page.words("#desk h2"), "both began in Area 6 (8.1)"
    assert shown(german)[ids["I/295 #2"]][1] != []


@pytest.mark.parametrize(
    ("holder", "says"), [("german", "press “Sunset"), ("russian", "the Russian presses “Sunset: night falls”")]
)
def test_9_3_once_an_impulse_is_over_and_rolled_for_it_says_who_lets_the_marker_flip(german, holder, says):
    set_out(german, german_24="I/295")
    record = {"date": "1942-09-14", "track": "flips", "advantage.holder": holder, "advantage.holder_at_dawn": holder}
    for field, value in record.items():
        german.do("record/", field=field, value=value)
    page = page_of(german)
    assert f"The impulse is over: {says}" in guided(page, ASKS) and not offered(page)


def test_it_is_left_halfway_and_nothing_that_hands_do_is_refused(german):
    one, other = set_out(german, german_24="I/295", german_6="A/24").values()
    page = page_of(german)
    guided(page, ASKS, "Area 24", LEAVES)
    assert page.words("#guide") == ASKS and page.has("#go-impulse")
    guided(page, ASKS, "Area 24")
    elsewhere = Reader(german.client).open(f"/match/{german.match_id}/roll/move/?chosen={other}")
    elsewhere.form("#desk-form").fill(goal="7").press()
    assert shown(german)[other][0] == "7"
    assert guided(page.look()).startswith("Move units of Area 6"), (
        "the units that have acted say which Area it is (8.1)"
    )
    assert "Another Area" not in page.words("#guide"), "no other any more"
    german.do("advance/", button="impulse")
    assert german.match.state.position.side == "russian"


def test_what_the_other_player_takes_back_is_a_step_back(sides):
    german, russian, _ = sides
    set_out(german, other=russian, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    page = page_of(german)
    guided(page, ASKS, "Area 24", "All 2 in Area 24")
    page.press("Into Area 25, 4 MF")
    assert "entered Area 25 among enemies" in guided(page)
    russian.do("take-back/")
    assert "entered Area 25" in guided(page.look()), "the German has not agreed yet"
    page.press("Agree")
    assert guided(page).startswith("Move units of Area 24; then"), "what it takes back put the enemy there, too"
    assert offered(page) == {"Move": ["All 2 in Area 24", "I/295 #2", "Pi 295"]}
    (enemy,) = (id for id in shown(russian) if id.startswith("russian"))
    put_out(russian, enemy, "25")
    assert guided(page.look()).startswith("Move units of Area 24, or attack with them; then")


def test_it_waits_for_the_other_side_who_sees_no_guide_nor_does_an_observer(sides):
    german, russian, observer = sides
    set_out(german, other=russian, german_24="Pi 295, I/295", russian_25="3 1/10 NKVD")
    page = page_of(german)
    assault(page, attack_dr="7", defence_dr="6")
    assert page.words("#guide").startswith("Due first: The Russian pays 4.")
    assert "Waiting for Russian." in page.words("#guide")
    for player in (russian, observer):
        assert not page_of(player).has("#guide")
        answer = player.do("lead/", choice="24")
        assert answer.status_code == 403 and "Nobody can be led here now" in players.words_of(answer)
    page_of(russian).press("1/10 NKVD #1 (3) is eliminated; 1/10 NKVD #2 (3) flips", within="#offers")
    assert guided(page.look()).startswith("Nobody of Area 24 can do more"), "at once on the German's device"


def test_15_2_guns_and_aircraft_are_a_whole_impulse(german):
    ids = set_out(german, german_24="I/AR 40, I/295", russian_25="2 1/10 NKVD", russian_35="1/10 NKVD")
    put_out(german, ids["1/10 NKVD #1"], "25", "d2")
    german.do("record/", field="impulse", value="2")
    page = page_of(german)
    guided(page, ASKS)
    assert offered(page) == {"Or": ["I/AR 40 attacks"] * 2 + ["Aircraft attack"] * 3}
    words = page.words("#guide")
    assert words.count("the Fresh Group in Area 25") == words.count("the Spent Group in Area 25") == 2
    assert words.count("Area 35") == 1, "only aircraft reach it"
    page.press("I/AR 40 attacks", within="#guide")
    assert page.form("#desk-form").value("battery") == "I/AR 40"
    page.form("#desk-form").fill(attack_dr="2", defence_dr="6").press("Resolve")
    assert guided(page).startswith("German artillery may attack the other Group of Area 25, too")
    assert not offered(page), "it has fired"


def test_20_4_in_the_first_impulse_of_all_guns_and_aircraft_go_on(german):
    ids = set_out(german, german_24="I/AR 40, I/295", russian_25="2 1/10 NKVD", russian_36="1/10 NKVD")
    put_out(german, ids["1/10 NKVD #1"], "25", "d2")
    page = page_of(german)
    guided(page, ASKS, "Aircraft attack")
    form = page.form("#desk-form")
    assert (form.value("kind"), form.value("area"), form.value("group")) == ("air", "25", "fresh")
    form.fill(attack_dr="2", defence_dr="6").press("Resolve")
    assert guided(page).startswith("Go on with guns and aircraft, one attack on an Area")
    assert offered(page) == {"Or": ["I/AR 40 attacks"]} and "Area 25" not in page.words("#guide")


def test_16_5_8_29_at_night_spent_units_regroup_and_russians_infiltrate(german):
    units = set_out(german, russian_34="3 1/10 NKVD", german_25="I/295")
    put_out(german, units["1/10 NKVD #1"], "34", "d2")
    put_out(german, next(id for name, id in units.items() if name.startswith("I/295")), "25", "d1")
    german.do("record/", field="time", value="night")
    german.do("record/", field="side", value="russian")
    page = page_of(german)
    guided(page, ASKS)
    assert page.words("#guide .choices") == "Area 34 2 Fresh, 1 Spent"
    assert "Reinforcements cross the Volga" in offered(page)["Or"]
    assert "The artillery in Area 65 attacks alone" in offered(page)["Or"]
    guided(page, "Area 34")
    assert offered(page) == {
        "Move": ["All 2 in Area 34", "1/10 NKVD #2", "1/10 NKVD #3"],
        "Regroup": ["1/10 NKVD #1"],
        "Infiltrate": ["1/10 NKVD #2", "1/10 NKVD #3"],
    }


def test_without_counters_the_forms_are_opened_blank(german):
    page = page_of(german)
    assert guided(page, ASKS).startswith("Move units of one Area and attack with them; then press “Impulse done”.")
    assert offered(page)["Units"] == ["Move", "Attack"]
    page.press("Move", within="#guide details")
    page.form("#desk-form").fill(start="24", goal="6").press()
    assert "move from Area 24 into Area 6" in page.words("#desk h2")
