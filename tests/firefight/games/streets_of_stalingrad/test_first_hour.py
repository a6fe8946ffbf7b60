"""What the first hour with the game needs: a day begun in two presses, forms that know what was said, look-ups."""

import pytest

from firefight.models import Match
from tests import pages
from tests.filling import Reader

from .test_table import begin, due, put, reach, record_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(frozen):
    return frozen("streets on two devices", begin)[0]


def open_match(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def press_all(player, number):
    """Press the button that has the app throw for that many rolls."""
    reader = open_match(player)
    reader.form("#due form:has(#do-throw-all)").press(f"Roll all {number} here")
    return reader


def test_all_that_a_day_begins_with_is_thrown_for_at_once_as_far_as_dice_alone_are_lacking(german):
    reach(german, 39, 1)
    assert due(german) == ["ammunition", "ammunition", "weather", "stukas"]
    reader = press_all(german, 2)
    assert due(german) == ["ammunition", "ammunition"]  # nobody has said by what their die is multiplied
    rolls = {line.helper: line for line in german.log if line.kind == "roll"}
    assert rolls.keys() == {"weather", "stukas"}
    is_bad = rolls["weather"].result.outcome == "bad"
    assert record_of(german)["weather"] == ("bad" if is_bad else "fair")
    assert len(rolls["stukas"].rolls) == (0 if is_bad else 1)  # fair weather is not thrown for again
    assert reader.find("#do-throw-all") == []


def test_one_press_is_one_act(german):
    reach(german, 39, 1)
    press_all(german, 2)
    assert len({line.act for line in german.log if line.kind == "roll"}) == 1


def test_nothing_is_offered_where_one_kind_is_due_or_somebody_has_to_say_more(german):
    reach(german, 2, 1)
    assert due(german) == ["stukas"]
    assert open_match(german).find("#do-throw-all") == []
    answer = german.do("due/", step="all")
    assert answer.status_code == 302 and due(german) == []
    answer = german.do("due/", step="all")
    assert answer.status_code == 403 and "Nothing was rolled" in answer.content.decode()


def test_a_fresh_bombardment_knows_who_fired_last_on_which_table_how_well_it_was_seen_and_at_what(german):
    fields = {"table": "ebbt", "firer": "german", "points": 12, "spotting": 2, "terrain": "suburb"}
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/bombardment/")
    assert reader.form("#desk-form").value("table") == "wbbt"
    reader.form("#desk-form").fill(**fields, die=4).press("Resolve")
    form = reader.open(f"/match/{german.match_id}/roll/bombardment/").form("#desk-form")
    assert {name: form.value(name) for name in ("table", "firer", "spotting", "terrain")} == {
        "table": "ebbt", "firer": "german", "spotting": "2", "terrain": "suburb",
    }  # fmt: skip
    assert form.value("points") == ""
    prefilled = reader.open(f"/match/{german.match_id}/roll/bombardment/?spotting=1").form("#desk-form")
    assert prefilled.value("spotting") == "1"  # what an address says comes before what is remembered


def test_terrain_is_taken_over_for_no_other_hex_and_is_not_told_by_a_form_that_is_left_as_it_was(german):
    page = f"/match/{german.match_id}/roll/bombardment/"
    reader = Reader(german.client).open(f"{page}?hex=0611")
    reader.form("#desk-form").fill(points=12, terrain="suburb", die=4).press("Resolve")
    form = reader.open(f"{page}?hex=0612").form("#desk-form")
    assert form.value("terrain") == "clear"
    form.fill(points=12, die=4).press("Resolve")
    assert record_of(german)["hex_values"] == {"0611": {"terrain": "suburb"}}
    assert reader.open(f"{page}?hex=0611").form("#desk-form").value("terrain") == "suburb"


def test_a_declaration_takes_over_what_the_last_one_said(german):
    put(german, "phase", "5")
    fields = {"points": 12, "terrain": "suburb", "terrain_drm": 1, "spotting": 1, "stukas": 1, "stuka_af": 7}
    assert german.roll("battle", **fields, hex="0611", dice="table").status_code == 302
    german.do("drop/", step="all")
    put(german, "phase", "12")
    page = f"/match/{german.match_id}/roll/battle/"
    form = Reader(german.client).open(page).form("#desk-form")
    names = ("firer", "terrain", "spotting", "stuka_af", "date", "stukas")
    assert [form.value(name) for name in names] == ["soviet", "clear", "1", "7", "1942-09-13", "0"]
    german.roll("bombardment", points=9, terrain="city", hex="0612", spotting=0, dice="table", die=9)
    assert Reader(german.client).open(f"{page}?hex=0612").form("#desk-form").value("terrain") == "city"


@pytest.mark.parametrize("phase, mode", [(3, "normal"), (11, "reserves"), (14, "exploit")])
def test_movement_points_are_those_of_the_phase_and_of_an_army_with_its_commander(german, phase, mode):
    put(german, "phase", str(phase))
    put(german, "commanders", {"chuikov": "lost"})
    form = Reader(german.client).open(f"/match/{german.match_id}/roll/movement/").form("#desk-form")
    assert (form.value("mode"), bool(form.value("hq_absent"))) == (mode, phase == 14)


def test_an_attack_remembers_the_terrain_but_the_phase_says_who_attacks(german):
    put(german, "phase", "5")
    fields = {"points": 12, "terrain": "forest", "terrain_drm": 0, "die": "9", "dice": "table"}
    assert german.roll("attack", **fields).status_code == 302
    put(german, "phase", "12")
    form = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/").form("#desk-form")
    assert (form.value("firer"), form.value("terrain"), form.value("terrain_drm")) == ("soviet", "forest", "")


def shown_terrain(reader):
    """The terrains that stand open, and those one tap away."""
    return [[pages.words(label) for label in reader.find(f"#f-terrain {at} label")] for at in ("> .boxes", "details")]


def test_terrain_is_a_tap_and_what_was_used_last_stands_first(german):
    def open_sheet(helper="attack"):
        return Reader(german.client).open(f"/match/{german.match_id}/roll/{helper}/")

    few, others = shown_terrain(open_sheet())
    assert few == ["Clear", "City", "Suburb", "Industrial", "Balka", "Forest"] and len(few + others) == 17
    for terrain in ("village", "volga", "village"):
        fields = {"table": "wbbt", "firer": "german", "points": 12, "terrain": terrain}
        german.roll("bombardment", die="5", dice="table", **fields)
    few, others = shown_terrain(open_sheet())
    assert few == ["Village", "Volga River", "Clear", "City", "Suburb", "Industrial"] and "Balka" in others
    form = open_sheet().form("#desk-form")
    assert form.value("terrain") == "clear"  # for an attack nobody has given one
    assert open_sheet("bombardment").form("#desk-form").value("terrain") == "village"
    form.fill(terrain="cliff", points=9)  # from among the others
    assert form.value("terrain") == "cliff"


def test_the_sheet_of_an_attack_asks_of_the_target_first_and_then_of_those_who_attack(german):
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/battle/")
    headings = [pages.words(heading) for heading in reader.find("#desk-form .inputs > h3")]
    assert headings[:2] == ["The target", "The attackers"]
    names = reader.form("#desk-form").names()
    positions = [names.index(name) for name in ("points", "terrain", "leader_in_target", "leaders", "engineers")]
    assert positions == sorted(positions)
    assert names.index("engineers") < names.index("more_hexes") < names.index("date")  # folded below


def test_a_tap_on_the_phase_tells_what_its_day_and_phase_are_about(german):
    reader = open_match(german)
    facts = reader.words("#status .turn-told")
    assert "Soviet movement is halved in scenarios 1 to 3 (8.03)." in facts
    links = [link.attributes["href"] for link in reader.find("#status .panel a")]
    assert links == [f"/match/{german.match_id}/roll/{helper}/" for helper in ("phase", "calendar")]
    reach(german, 39, 8)
    facts = open_match(german).words("#status .turn-told")
    assert "a weather roll in phase 1 (15.53)" in facts  # since 21 October
    assert "spent" in facts and "markers of both sides go" in facts


def test_days_of_a_scenario_by_its_card_are_asked_beside_it(client):
    reader = Reader(client).open("/match/new/streets-of-stalingrad/")
    assert len(reader.find("form > [data-with][hidden]")) == 2
    form = reader.form("form.card:not(.lessons)")
    form.fill({"option-scenario": "6", "option-first-day": "1942-10-14", "option-length": "10", "side": "german"})
    form.fill({"option-pavlov": "attacks"}).press("Begin")
    first = Match.objects.get().log.get(number=1).sentence
    settings = "Scenario: 6, by its card. First day, by the card: 14 October. Turns, by the card: 10. Pavlov's 2"
    assert first.startswith(f"The match begins. {settings} in his house: in attack rolls alone. Its dice")


def test_the_first_line_of_a_match_tells_no_reading_that_is_as_usual(german):
    sentence = german.log[0].sentence
    assert sentence.startswith(
        "The match begins. Scenario: 3, the campaign: 13 September to 18 November. Its dice are sealed"
    )


def test_the_games_page_offers_a_roll_to_try_with_its_odds(client):
    reader = Reader(client).open("/assist/streets-of-stalingrad/")
    assert "24 AF with a leader attack a clear hex" in reader.words(".cards.first")
    assert "%" in reader.words(".cards.first .odds-line")
    sheet = reader.open(reader.find(".cards.first a")[0].attributes["href"])
    assert sheet.form("#desk-form").value("points") == "24"
