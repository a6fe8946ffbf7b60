"""Turning Point: Stalingrad as somebody plays it with a page in front of them (tests/filling.py)."""

import pytest

from tests import pages
from tests.filling import NotOffered, Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of

from .test_table import sit_down

pytestmark = pytest.mark.django_db
SLUG = "turning-point-stalingrad"
UNITS, GROUP = "43/71", "32"  # as players type them in a line


@pytest.fixture
def both(frozen):
    return frozen("turning point on two devices", sit_down)


@pytest.fixture
def alone():
    maker, _ = players.begin("german", game=SLUG, hot_seat=True)
    return maker


def place(player, **where):
    """Set where the match stands by hand: a German impulse of a later day, unless told otherwise."""
    for name, value in {"date": "1942-09-15", "box": "5", "side": "german", **where}.items():
        player.do("record/", field=name, value=value)


def at(player, slug=""):
    """The player's browser at a page of the match."""
    return Reader(player.client).open(f"/match/{player.match_id}/{f'roll/{slug}/' if slug else ''}")


def attack(player, reader=None, **typed):
    """Fill in the page's own form of an attack and resolve it."""
    reader = reader or at(player, "attack")
    form = reader.form("#desk-form")
    usual = {"attackers-short": UNITS, "defenders-short": GROUP, "tem": 2, "attack_dr": 9, "defence_dr": 8}
    usual = {name: value for name, value in usual.items() if not (name.endswith("-short") and name in typed)}
    form.fill({**usual, **typed}).press("Resolve")
    return reader


def record_of(player):
    return player.get("record.json").json()


def due(player):
    return [step.helper for step in player.match.state.queue]


# The Advantage (9.2)


def test_9_2_an_attack_is_rolled_again_in_its_own_place_and_nothing_of_the_old_one_stands(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, kind="air", ov=8, dv=7, area="66", tem=4, attack_dr=4, defence_dr=4)
    old = next(line for line in german.log if line.helper == "attack")
    assert record_of(german)["record"]["track"] == "flips"
    reader = at(german, "advantage")
    form = reader.form("#desk-form")
    assert form.choices("again")[0] == f"{old.number}-attack" and form.value("again") == f"{old.number}-attack"
    form.press("Resolve")
    assert reader.words("#desk-form h2") == "Roll that attack again"
    reader.form("#desk-form").fill(attack_dr=9, defence_dr=6).press("Resolve")
    again = next(line for line in reversed(german.log) if line.helper == "attack")
    record = record_of(german)["record"]
    assert record["track"] == "goes_on", "the Sunset of the old roll no longer counts"
    assert record["advantage"] == {"holder": "russian", "holder_at_dawn": "german", "used_today": True}
    assert record["luftwaffe_used"] and len(record["attacks"]) == 1
    assert again.inputs["area"] == "66" and again.about == old.number
    old.refresh_from_db()
    assert old.voided_by == again.number
    assert due(german) == ["payment"], "what the old roll cost is no longer due"
    assert f"in place of № {old.number}" in words_of(russian.get(f"log/all/{old.episode or old.number}/"))
    assert words_of(russian.get("dice/"))
    german.do("take-back/")
    assert record_of(german)["record"]["track"] == "flips" and due(german)[0] == "attack"


def test_9_2_dice_of_the_app_are_rolled_again_too_and_a_correction_then_leaves_the_old_ones_alone(both):
    german = both["german"]
    place(german)
    reader = at(german, "attack")
    form = reader.form("#desk-form")
    form.fill({"attackers-short": UNITS, "defenders-short": GROUP, "tem": 2, "guns": "32", "area": "30"})
    form.press("dice=app")
    counter = next(step for step in german.match.state.queue if step.helper == "counter-battery")
    answer = at(german).open(f"/match/{german.match_id}/roll/counter-battery/?step={counter.id}")
    answer.form("#desk-form").fill(artillery_within_two=0, die=6).press("Resolve")
    old = next(line for line in german.log if line.helper == "attack")
    at(german, "advantage").form("#desk-form").fill(again=f"{old.number}-attack").press("Resolve")
    reader = at(german)
    reader.form("#desk-form").fill(attack_dr=9, defence_dr=8).press("Resolve")
    again = next(line for line in reversed(german.log) if line.helper == "attack")
    assert "counter-battery" in due(german), "Counter-Battery is resolved anew"
    reader = at(german).open(f"/match/{german.match_id}/roll/attack/?corrects={again.number}")
    reader.form("#desk-form").fill(attack_dr=8, defence_dr=8).press("Resolve")
    assert "counter-battery" in due(german), "the die that went with the first attack is spent"
    standing = [line for line in german.log if line.helper == "attack" and line.voided_by is None]
    assert [line.result.dice["attack_dr"] for line in standing] == [8]


def test_the_record_says_who_has_the_advantage(both):
    german = both["german"]
    reader = at(german, "advantage")
    reader.form("#desk-form").fill(holder="russian", user="russian").press("Resolve")
    assert "By the record it is German: put that right first." in reader.words("#desk-form")
    assert not any(line.helper == "advantage" for line in german.log)


# Guns (15.2, 15.3)


def test_15_3_the_date_says_what_guns_count_and_counter_battery_silences_those_that_fired(both):
    german, russian = both["german"], both["russian"]
    place(german, date="1942-09-28", side="russian")
    attack(russian, area="30", guns="67")
    roll = next(line for line in russian.log if line.helper == "attack")
    assert ("Russian artillery", 2) in [(modifier.name, modifier.value) for modifier in roll.result.modifiers]
    step = next(step for step in russian.match.state.queue if step.helper == "counter-battery")
    reader = at(german).open(f"/match/{german.match_id}/roll/counter-battery/?step={step.id}")
    form = reader.form("#desk-form")
    assert form.value("area") == "67"
    names = [node.attributes["name"] for node in reader.find("#desk-form > .inputs > .field input")]
    assert names == ["artillery_within_two"], "what nobody has said stands beside the die"
    form.fill(artillery_within_two=2, die=3).press("Resolve")
    assert {"area": "67", "state": "silenced"} in record_of(german)["record"]["russian_artillery"]
    reader = attack(russian, area="31", tem=3, guns="67")
    assert "silenced until it is refitted" in reader.words("#desk-form")


def test_15_32_guns_that_nobody_has_named_are_asked_for_beside_the_die(both):
    german = both["german"]
    place(german)
    attack(german, artillery=1)
    step = next(step for step in german.match.state.queue if step.helper == "counter-battery")
    reader = at(german).open(f"/match/{german.match_id}/roll/counter-battery/?step={step.id}")
    names = [node.attributes["name"] for node in reader.find("#desk-form > .inputs > .field input")]
    assert names == ["artillery_within_two", "area"]
    reader.form("#desk-form").fill(artillery_within_two=3, die=1).press("Resolve")
    assert "Which Russian artillery has fired?" in reader.words("#desk-form")
    reader.form("#desk-form").fill(area="50", die=1).press("Resolve")
    assert {"area": "50", "state": "silenced"} in record_of(german)["record"]["russian_artillery"], "a new one"


def test_15_3_one_unit_at_most_takes_part(both):
    german = both["german"]
    place(german)
    reader = attack(german, artillery=2)
    assert "it counts 1 on this date (15.3)" in reader.words("#desk-form")


def test_15_2_german_artillery_rests_four_dates(both):
    german = both["german"]
    place(german)
    guns = {"kind": "german_artillery", "attackers-short": "", "ov": 6, "battery": "71"}
    attack(german, area="30", **guns)
    assert record_of(german)["record"]["german_artillery"] == [{"unit": "71", "fresh_on": "1942-09-19"}]
    place(german, date="1942-09-18", impulse="5")
    reader = attack(german, area="31", tem=3, **guns)
    assert "71 has fired; it is Fresh again on 19 September 1942" in reader.words("#desk-form")
    place(german, date="1942-09-19")
    attack(german, area="31", tem=3, **guns)
    assert record_of(german)["record"]["german_artillery"] == [{"unit": "71", "fresh_on": "1942-09-23"}]


# What an impulse allows (8.32, 15.2, 17.2, 20.4)


def test_8_32_each_group_of_an_area_is_attacked_once_in_an_impulse(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, area="30")
    reader = attack(german, area="30")
    assert "The Fresh Group of Area 30 has been attacked in this impulse" in reader.words("#desk-form")
    attack(german, area="30", group="spent")
    attack(german, area="31", tem=3)
    assert len(record_of(german)["record"]["attacks"]) == 3
    german.do("drop/", step="all")
    german.do("advance/", button="impulse")
    russian.do("advance/", button="impulse")
    attack(german, area="30")
    assert len([line for line in german.log if line.helper == "attack"]) == 4


def test_8_36_who_overran_takes_the_dots_of_the_attack_that_follows(both):
    german = both["german"]
    place(german)
    attack(german, area="30", attack_dr=12, defence_dr=2)
    reader = attack(german, area="30", group="spent", attack_dr=9, defence_dr=7)
    roll = next(line for line in reversed(german.log) if line.helper == "attack")
    assert "Who had overrun in this impulse and attacked again stands at D2 (8.12, 8.36)." in roll.result.effects
    assert reader.status == 200


def test_15_2_and_17_2_guns_and_aircraft_alone_make_an_impulse_but_the_opening(both):
    german = both["german"]
    guns = {"kind": "german_artillery", "attackers-short": "", "ov": 6}
    for number, area in enumerate(("30", "31", "32")):  # 13 September, the first impulse
        attack(german, area=area, tem=3, **guns)
        assert len(record_of(german)["record"]["attacks"]) == number + 1
    attack(german, kind="air", area="33", tem=3, ov=8, **{"attackers-short": ""})
    reader = attack(german, area="30", tem=3, group="spent", **guns)
    assert "Area 30 has been bombarded in the opening (20.4)" in reader.words("#desk-form")
    reader = attack(german, area="34", tem=3)
    assert "alone makes an impulse" in reader.words("#desk-form")
    place(german)
    attack(german, area="30", **guns)
    attack(german, area="30", group="spent", **guns)
    german.do("record/", field="luftwaffe_used", value="no")
    for typed in ({**guns}, {"kind": "air", "attackers-short": "", "ov": 8}, {}):
        assert "(15.2" in attack(german, **{"area": "31", "tem": 3, **typed}).words("#desk-form")


def test_17_22_aircraft_attack_once_a_day_and_are_the_germans(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, kind="air", ov=8, dv=7, area="C")
    place(german, impulse="7")
    reader = attack(german, kind="air", ov=8, dv=7, area="D")
    assert "The aircraft have attacked on this date (17.22)." in reader.words("#desk-form")
    german.do("record/", field="luftwaffe_used", value="no")
    place(german, date="1942-09-16", side="russian")
    reader = attack(russian, kind="air", ov=8, dv=7, area="C")
    assert "Aircraft: these are the German's" in reader.words("#desk-form")
    assert len([line for line in german.log if line.helper == "attack"]) == 1


# TEM


def test_3_21_the_tem_of_a_named_area_is_asked_once_and_is_never_nothing(both):
    german = both["german"]
    place(german)
    reader = attack(german, area="66", tem=0)
    assert "Which TEM does the map print in Area 66, 1 to 4?" in reader.words("#desk-form")
    assert not any(line.helper == "attack" for line in german.log)
    reader.form("#desk-form").fill(tem=4).press("Resolve")
    roll = next(line for line in german.log if line.helper == "attack")
    assert ("TEM", -4) in [(modifier.name, modifier.value) for modifier in roll.result.modifiers]
    attack(german, area="66", group="spent", tem=0)
    again = next(line for line in reversed(german.log) if line.helper == "attack")
    assert again.number > roll.number and again.inputs["tem"] == 4
    attack(german, area="30", tem=0)
    assert next(line for line in reversed(german.log) if line.helper == "attack").inputs["tem"] == 3
    reader = at(german, "attack")
    form = reader.form("#desk-form")
    form.fill({"attackers-short": UNITS, "defenders-short": GROUP, "area": "66"})
    assert "6 against 7: roll two dice" in reader.words("#desk-form"), "the odds know it, too"


def test_a_program_gets_the_tem_that_the_chart_has_and_is_asked_for_others(client):
    known = {"attackers": "4", "defenders": "3", "attack_dr": "7", "defence_dr": "7"}
    result = client.get(f"/assist/{SLUG}/attack.json", {**known, "area": "30"}).json()
    assert result["details"]["dv"] == 6, "Area 30 is +3"
    answer = client.get(f"/assist/{SLUG}/attack.json", {**known, "area": "66"})
    assert answer.status_code == 400 and list(answer.json()["errors"]) == ["tem"]
    zone = client.get(f"/assist/{SLUG}/attack.json", {**known, "area": "C"}).json()
    assert zone["details"]["dv"] == 3


# Retreats (8.3553)


def test_8_3553_who_does_not_fit_goes_on(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, area="30", attack_dr=9, defence_dr=8, **{"defenders-short": "322"})
    reader = at(russian)
    offers = [pages.words(node) for node in reader.find("#desk-form button[name=offer]")]
    offer = next(words for words in offers if "retreats" in words)
    reader.press(offer, "#desk-form")
    step = next(step for step in russian.match.state.queue if step.helper == "retreat")
    assert step.inputs["units"] == 1
    reader = at(russian).open(f"/match/{russian.match_id}/roll/retreat/?step={step.id}")
    form = reader.form("#desk-form")
    form.fill({"areas-new-area": "31", "areas-new-friendly": True, "areas-new-friends": 10, "units": 2})
    form.press("Resolve")
    effects = russian.last.result.effects
    assert "Nobody fits into Area 31 any more: 2 units go on from there, never back (8.355, 8.3553)." in effects


# Whose it is


def test_the_other_sides_impulse_done_is_theirs(both):
    german, russian = both["german"], both["russian"]
    place(german, side="russian")
    reader = at(german)
    assert "“Pass” and “Impulse done”: the Russian says so." in reader.words("#due")
    with pytest.raises(NotOffered):
        reader.press("Impulse done", "#due")
    before = german.match.version
    answer = german.do("advance/", button="impulse")
    assert answer.status_code == 403 and "“Impulse done” is the Russian's to say." in words_of(answer)
    assert german.match.version == before
    at(russian).press("Impulse done", "#due")
    assert record_of(german)["place"]["side"] == "german"


def test_9_3_whoever_has_the_advantage_says_whether_the_day_goes_on(both):
    german, russian = both["german"], both["russian"]
    place(german)
    german.do("record/", field="advantage.holder", value="russian")
    german.do("record/", field="advantage.holder_at_dawn", value="russian")
    german.do("record/", field="track", value="flips")
    assert "the Russian says so" in at(german).words("#due")
    for player, waits in ((german, ""), (russian, "me")):
        assert pages.values_of_each(text_of(player.get()), "#live", "data-waits") == [waits]
    at(russian).press("Advantage: prolong", "#due")
    assert due(german) == ["advantage"]


def test_one_device_follows_the_impulse_where_nothing_is_hidden(alone):
    reader = at(alone)
    assert reader.words(".strip .you b") == "German"
    reader.press("Impulse done", "#due")
    assert reader.words(".strip .you b") == "Russian"
    reader.press("Impulse done", "#due")
    assert reader.words(".strip .you b") == "German"
    attack(alone)
    assert at(alone).words(".strip .you b") == "Russian", "who pays decides"
    reader = at(alone)
    reader.press_node(reader.find("#do-take-back")[0])
    assert not any(line.helper == "attack" and line.voided_by is None for line in alone.log), (
        "it is theirs all the same"
    )
    assert at(alone).words(".strip .you b") == "German"


def test_one_device_stays_where_a_side_has_sealed_something(alone):
    alone.note("Behind the hill", sealed="on")
    reader = at(alone)
    reader.press("Impulse done", "#due")
    assert reader.words(".strip .you b") == "German"


# The end


def test_6_5_the_last_night_counts_the_points_and_offers_the_end(both):
    german, russian = both["german"], both["russian"]
    place(german, date="1942-11-14", time="night", box="12")
    german.do("record/", field="track", value="flips")
    german.do("record/", field="advantage.used_today", value="yes")
    reader = at(german)
    reader.press("The game ends: count the points", "#due")
    assert due(german) == ["victory"]
    reader = at(german)
    reader.form("#desk-form").fill(points=28).press("Resolve")
    assert "The game is over." in reader.words("#desk")
    reader.press("End the match", "#desk")
    assert german.match.proposal is not None
    at(russian).press("Agree", "#now")
    assert german.match.ended


def test_8_14_two_passes_end_the_last_night_too(both):
    german, russian = both["german"], both["russian"]
    place(german, date="1942-11-14", time="night", side="russian")
    at(russian).press("Pass", "#due")
    at(german).press("Pass", "#due")
    assert due(german) == ["victory"]


def test_19_2_a_week_that_is_won_offers_the_end_and_another_one_does_not(both):
    german = both["german"]
    for points, is_over in ((6, False), (8, True), (4, True)):
        reader = at(german, "victory")
        reader.form("#desk-form").fill(date="1942-09-19", points=points).press("Resolve")
        assert reader.has("#desk form[action$='/end/']") is is_over


# Dawn (6.41, 12.22)


def test_6_41_units_at_dawn_are_listed_with_their_dots_and_those_who_suffer_roll_together(both):
    german, russian = both["german"], both["russian"]
    place(german, date="1942-09-14", time="night", box="12")
    german.do("record/", field="track", value="flips")
    german.do("record/", field="advantage.used_today", value="yes")
    at(german).press("Dawn: the next day", "#due")
    assert due(german)[:2] == ["withdrawal", "dawn"]
    step = next(step for step in german.match.state.queue if step.helper == "dawn")
    reader = at(russian).open(f"/match/{russian.match_id}/roll/dawn/?step={step.id}")
    reader.form("#desk-form").fill({"units-short": "3x/295 0x 2i 1xs 0"}).press("Resolve")
    listed = next(line for line in russian.log if line.helper == "dawn")
    assert listed.result.effects == (
        "Unit 3: D1, isolated at -2.", "Unit 4: Fresh.", "Unit 5: Fresh, isolated at -1.",
    )  # fmt: skip
    reader = at(russian)
    rolls = [step for step in german.match.state.queue if step.title.endswith("Attrition")]
    assert [step.title for step in rolls] == ["295, D3: Attrition", "Unit 2, Fresh: Attrition"]
    assert german.match.state.queue[0] is not None and due(german)[:2] == ["dawn", "dawn"]
    card = reader.form("form.due")
    card.fill({f"due-{rolls[0].id}-die": 2, f"due-{rolls[1].id}-die": 1}).press("Resolve")
    headlines = [line.result.headline for line in russian.log if line.helper == "dawn"][1:]
    assert headlines == [
        "295: Attrition, 2 against 2: eliminated.",
        "Unit 2: Attrition, 1 against 2: D3, isolated at -2.",
    ]


# Small things


@pytest.mark.parametrize(
    ("slug", "inputs"),
    [
        ("dawn", {"duration": "2", "die": "3"}),
        ("armour-replacement", {"area70_lost": "on", "dr": "7"}),
        ("impulse", {"date": "1942-09-13", "box": "3", "dr": "7"}),
        ("attack", {"ov": "5", "dv": "4", "attack_dr": "7", "defence_dr": "7", "counter_die": "3"}),
        ("counter-battery", {"time": "night", "die": "3"}),
        ("infiltration", {"by_day": "on", "die": "3"}),
    ],
)
def test_a_die_that_is_not_needed_is_no_error(client, slug, inputs):
    assert client.get(f"/assist/{SLUG}/{slug}.json", inputs).status_code == 200


def test_a_correction_tells_only_what_it_changes(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, area="30")
    roll = next(line for line in german.log if line.helper == "attack")
    german.do("drop/", step="all")
    german.do("advance/", button="impulse")
    russian.do("advance/", button="impulse")
    reader = at(german).open(f"/match/{german.match_id}/roll/attack/?corrects={roll.number}")
    reader.form("#desk-form").fill(attack_dr=9, defence_dr=9).press("Resolve")
    sentence = [line.sentence for line in german.log if line.kind == "drop"][-1]
    assert sentence == f"With № {roll.number}, 1 roll that followed from it goes: № {roll.number + 1}."
    reader = at(german).open(f"/match/{german.match_id}/roll/attack/?corrects={german.log[-3].number}")
    assert german.log[-3].helper == "attack"
    reader.form("#desk-form").fill(attack_dr=4, defence_dr=9).press("Resolve")
    assert "The course has gone on since" not in german.last.sentence or "track" in german.last.sentence


def test_days_are_said_in_words_to_the_last_of_a_month(both):
    page = both["german"].get("record/")
    assert "31 October 1942" in words_of(page) and "1942-10-31" not in words_of(page)


def test_the_log_names_side_and_area(both):
    german, russian = both["german"], both["russian"]
    place(german)
    attack(german, area="30")
    roll = next(line for line in german.log if line.helper == "attack")
    assert roll.sentence.startswith("Attack of the German on Area 30, Fresh: ")
    reader = at(russian)
    reader.press_node(reader.find("#desk-form button[name=offer]")[0])
    paid = next(line for line in russian.log if line.helper == "payment")
    assert "The Russian in Area 30: " in paid.sentence


# The strip beside the board


def test_a_strip_tells_what_players_keep_beside_the_map(both):
    german, russian = both["german"], both["russian"]
    place(german, date="1942-09-28")
    reader = at(german)
    assert reader.words("#board-strip [aria-current]") == "5" and len(reader.find("#board-strip .track li")) == 12
    strip = reader.words("#board-strip dl")
    for words in ("Advantage German", "Aircraft strength 5, by day", "32, 65, 67 and 70 ready (+2)", "none rests"):
        assert words in strip
    assert "not counted yet; week 3: 11 to 17" in strip
    german.do("record/", field="advantage.used_today", value="yes")
    reader.look()
    assert "German, from the next date on" in reader.words("#board-strip dl"), "it comes with the news"
    reader.press("Use: Advantage", "#board-strip")
    assert reader.words("#desk-form h2") == "The Advantage"
    page = words_of(russian.get("pack/"))
    assert "Beside the map" in page and "32, 65, 67 and 70 ready (+2)" in page
    attack(german, kind="german_artillery", ov=6, battery="71", area="30", **{"attackers-short": ""})
    assert "71 rests until 2 October" in at(russian).words("#board-strip dl")


def test_filter_and_report_speak_the_games_words(both):
    german = both["german"]
    place(german)
    attack(german, area="30")
    german.do("drop/", step="all")
    page = words_of(german.get("log/"))
    assert "Area Show" in page and "Counters" in page and "ledger" not in page and "Turns and record" in page
    filtered = words_of(german.client.get(f"/match/{german.match_id}/log/?place=30"))
    assert "Attack of the German on Area 30" in filtered and "takes the seat" not in filtered
