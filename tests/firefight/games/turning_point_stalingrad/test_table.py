"""A match of Turning Point: Stalingrad by two browsers over HTTP: its track, its record, its owner's map."""

from copy import deepcopy

import pytest

from firefight.engine.charts.layouts import sheet_of
from firefight.games import chartbooks
from firefight.models import Draft, Match
from tests import pages
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db
SLUG = "turning-point-stalingrad"


@pytest.fixture
def table(frozen):
    return frozen("turning point on two devices", sit_down)


def sit_down():
    """A browser for each side."""
    german, links = players.begin("german", game=SLUG)
    return {"german": german, "russian": players.sit(links["russian"], german.match_id)}


def stand(player):
    return player.get("record.json").json()


def buttons(player):
    return pages.values_of_each(text_of(player.get()), "#turn [name=button]", "value")


def due(player, slug):
    """The roll that is due, by its step's id."""
    return next((step for step in player.match.state.queue if step.helper == slug), None)


def test_forms_are_filled_from_place_and_record_and_not_with_what_only_has_the_same_name(table):
    german = table["german"]
    german.do("record/", field="box", value="5")
    page = german.get("roll/impulse/")
    assert pages.values_of_each(text_of(page), "[name=box]", "value") == ["5"]
    assert pages.values_of_each(text_of(page), "[name=track]", "value") == ["open"]
    assert not pages.find(text_of(page), "[name=advantage][checked]")
    assert not any(pages.values_of_each(text_of(german.get("roll/victory/")), "[name=points]", "value"))
    chosen = pages.values_of_each(text_of(german.get("roll/defensive-value/")), "[name=side] [selected]", "value")
    assert chosen == ["russian"]


def test_the_tem_of_an_area_is_asked_once_and_kept_as_the_owners(table):
    german = table["german"]
    german.roll("rubble", area="66", tem="4", attack_dr="8", dice="table")
    assert stand(german)["record"]["area_values"] == {"66": {"tem": 4}}
    page = text_of(german.get("roll/rubble/", area="66"))
    assert pages.values_of_each(page, "[name=tem]", "value") == ["4"]
    page = text_of(german.get("roll/rubble/", area="30"))
    assert pages.values_of_each(page, "[name=tem]", "value") == ["3"], "as the chart has it"
    german.do("take-back/")
    assert stand(german)["record"]["area_values"] == {}


def test_aircraft_attack_once_a_day(table):
    german = table["german"]
    german.roll("attack", kind="air", ov="8", dv="7", attack_dr="7", defence_dr="5", dice="table")
    assert stand(german)["record"]["luftwaffe_used"] is True
    german.roll("luftwaffe", used_today="on", dice="table")
    assert german.last.result.outcome == "refused"


def at_a_german_impulse(player, **place):
    """Set the place by hand: a German impulse of a later day."""
    for name, value in {"date": "1942-09-15", "box": "5", "side": "german", **place}.items():
        player.do("record/", field=name, value=value)


def test_the_ways_on_stand_on_the_page_until_something_is_due_and_the_desk_then_asks_for_it(table):
    german, russian = table["german"], table["russian"]
    at_a_german_impulse(german, side="russian")
    answer = russian.do("advance/", button="impulse", htmx=True, after=german.match.last_number)
    assert not pages.find(text_of(answer), "#desk"), "a form that somebody fills in stays where nothing is due"
    assert "HX-Replace-Url" not in answer
    assert russian.last.sentence == "Impulse 2: German."
    assert pages.values_of_each(text_of(german.get()), "#due [name=button]", "value") == ["pass", "impulse"]
    answer = german.do("advance/", button="impulse", htmx=True, after=german.match.last_number)
    assert pages.find(text_of(answer), "#desk[hx-swap-oob] input[name=dr]"), "the roll comes without another tap"
    assert answer["HX-Replace-Url"] == f"/match/{german.match_id}/", "a reload shows the roll that is due, too"
    assert not pages.find(text_of(answer), "#due [name=button]")
    step = due(german, "impulse")
    inputs = {name: step.inputs[name] for name in ("date", "time", "box")}
    german.roll("impulse", step=step.id, chained="on", dice="table", **inputs, dr=9)
    assert "15 Sep, day, box 6, impulse 3: Russian." in german.last.result.effects


def test_an_impulse_that_is_made_russian_by_hand_waits_for_no_german_roll(table):
    german, russian = table["german"], table["russian"]
    at_a_german_impulse(german)
    german.do("advance/", button="impulse")
    assert buttons(german) == ["impulse"] and stand(german)["record"]["track"] == "ending"
    german.do("record/", field="side", value="russian")
    assert buttons(russian) == ["pass", "impulse"]
    russian.do("advance/", button="impulse")
    assert stand(german)["place"]["side"] == "german" and stand(german)["record"]["track"] == "open"


def test_a_corrected_attack_decides_the_track_anew(table):
    german = table["german"]
    at_a_german_impulse(german)
    german.roll("attack", ov="5", dv="5", attack_dr="4", defence_dr="7", dice="table")
    attack = next(line for line in german.log if line.helper == "attack")
    assert stand(german)["record"]["track"] == "flips" and buttons(german) == ["prolong", "turn"]
    german.roll("attack", corrects=attack.number, ov="5", dv="5", attack_dr="9", defence_dr="9", dice="table")
    assert stand(german)["record"]["track"] == "goes_on" and buttons(german) == ["impulse"]
    german.do("advance/", button="impulse")
    assert stand(german)["place"]["box"] == 6
    assert stand(german)["record"]["track"] == "open"


def test_an_attack_that_the_advantage_has_rolled_again_decides_anew(table):
    german = table["german"]
    at_a_german_impulse(german)
    german.roll("attack", ov="5", dv="5", attack_dr="4", defence_dr="7", dice="table")
    german.roll("advantage", purpose="reroll", of_impulse="on", dice="table")
    record = stand(german)["record"]
    assert record["track"] == "open"
    assert record["advantage"] == {"holder": "russian", "holder_at_dawn": "german", "used_today": True}
    german.roll("attack", ov="5", dv="5", attack_dr="5", defence_dr="7", dice="table")
    assert buttons(german) == ["turn"], "nobody may prolong that day any more"


def test_units_that_cross_are_rolled_for_on_one_card(table):
    german, russian = table["german"], table["russian"]
    at_a_german_impulse(german, time="night", side="russian")
    russian.roll("interdiction", bank="control", mamayev="contest", units="3", dice="table")
    steps = [step for step in russian.match.state.queue if step.helper == "crossing"]
    assert [step.inputs["ip"] for step in steps] == [3, 3, 3]
    russian.do("due/", step=[step.id for step in steps], dice="app")
    rolled = [line for line in russian.log if line.helper == "crossing"]
    assert len(rolled) == 3 and len({line.act_id for line in rolled}) == 1
    assert not german.match.state.queue


def test_a_card_of_several_rolls_asks_for_a_blank_cell_in_words_and_with_a_field(table):
    russian = table["russian"]
    at_a_german_impulse(russian, time="night", side="russian")
    data = deepcopy(chartbooks.shipped_data(SLUG))
    data["charts"]["crossing"]["bands"][0] = ["2-11", ""]
    Match.objects.filter(pk=russian.match_id).update(book=chartbooks.store(SLUG, data))
    russian.roll("interdiction", units="2", dice="table")
    steps = [step.id for step in russian.match.state.queue if step.helper == "crossing"]
    dice = {f"due-{step}-dr": "7" for step in steps}
    cell = "cell:crossing:2-11"
    for fields in ({}, {cell: "nowhere"}):
        answer = russian.do("due/", step=steps, dice="table", **dice, **fields)
        assert answer.status_code == 422
        assert pages.values_of_each(text_of(answer), "form.due input[name^='cell:']", "name") == [cell]
        assert pages.values_of_each(text_of(answer), "form.due input.die", "value") == ["7", "7"]
    assert russian.last.helper == "interdiction"
    assert russian.do("due/", step=steps, dice="table", **dice, **{cell: "landed"}).status_code == 302
    assert [line.result.outcome for line in russian.log if line.helper == "crossing"] == ["landed", "landed"]
    assert chartbooks.of_match(russian.match)["crossing"].look_up(7) == "landed"


# The owner's map

RING = ("1", "2", "3", "4", "B", "C")


def owners_table(rows):
    """A map as somebody copies it out of a spreadsheet: what the app knows, and a ring of six with all neighbours."""
    lines = ["area\ttem\tvp\tbank\tlinks"]
    for name, *known in rows:
        cells = known
        if name in RING:
            place = RING.index(name)
            near = f"{RING[place - 1]}, {RING[(place + 1) % len(RING)]}"
            cells = [*(("", "", "no") if name in "BC" else ("+2", "3" if name in "12" else "", "yes")), near]
        lines.append("\t".join((name, *cells)))
    return "\n".join(lines)


def test_an_owners_map_is_pasted_as_a_table_and_answers_by_itself():
    """With a map supply and points need nothing but what the German controls, which a match keeps."""
    german = players.Player()
    german.client.post(f"/charts/{SLUG}/", {"do": "copy"})
    draft = Draft.objects.get()
    rows = sheet_of(chartbooks.shipped(SLUG)["areas"]).rows
    pasted = {"revision": draft.revision, "do": "paste", "at": "", "pasted": owners_table(rows)}
    answer = german.client.post(f"/charts/{draft.pk}/areas/", pasted, follow=True)
    assert "to mend" not in words_of(answer)
    revision = Draft.objects.get().revision
    assert german.client.post(f"/charts/{draft.pk}/", {"do": "usable", "revision": revision}).status_code == 302
    version = Draft.objects.get().version
    begun = {"game": SLUG, "name": "A map", "side": "german", "hot_seat": "on", "book": version.pk}
    german.client.post("/match/new/", begun)
    german.match_id = Match.objects.latest("created").pk
    german.roll("supply", start="2", side="german", german_areas="1 2 3 B C", dice="table")
    assert german.last.result.details["path"] == ["2", "1", "C"]
    assert stand(german)["record"]["german_areas"] == ["1", "2", "3", "B", "C"]
    german.roll("supply", start="4", side="russian", german_areas="1,2,3,B,C", dice="table")
    assert german.last.result.outcome == "isolated"
    german.roll("victory", date="1942-09-19", german_areas="1,2,3,B,C", dice="table")
    assert german.last.result.details["points"] == 6
    assert "Blank in the chart of Areas, and so counted as nothing: 3, B and C." in german.last.result.effects
    german.roll("victory", date="1942-09-19", german_areas="", points="7", dice="table")
    assert german.last.result.details["points"] == 7
    assert stand(german)["record"]["german_areas"] == ["1", "2", "3", "B", "C"], "left blank is no answer"
    german.roll("rubble", area="2", attack_dr="12", dice="table")
    page = text_of(german.get("roll/rubble/", area="2"))
    assert pages.values_of_each(page, "[name=tem]", "value") == ["2"]
    assert german.get("roll/victory/").status_code == 200
    assert pages.values_of_each(text_of(german.get("roll/entry/")), "[name=controlled]", "value") == ["1, 2, 3, B, C"]


def test_the_report_says_first_which_count_ended_the_match(table):
    german = table["german"]
    german.roll("victory", date="1942-09-19", points="8", dice="table")
    players.end(german, table["russian"])
    assert german.match.ended
    report = Reader(german.client).open(f"/match/{german.match_id}/report/")
    assert "8 Victory Points against 5 to 7 in week 1" in report.words(".in-short")


def test_the_record_is_set_without_json_gun_by_gun(table):
    german = table["german"]
    german.roll("rubble", area="66", tem="4", attack_dr="8", dice="table")
    page = text_of(german.get("record/"))
    assert not any("{" in value for value in pages.values_of_each(page, ".record input", "value"))
    assert pages.values_of_each(page, ".record a", "href") == [f"/match/{german.match_id}/rows/area_values/66/"]
    german.do("record/", field="area_values.66.tem", value="3")
    assert stand(german)["record"]["area_values"] == {"66": {"tem": 3}}
    german.do("record/", field="russian_artillery", thing="1", **{"part-area": "65", "part-state": "silenced"})
    assert stand(german)["record"]["russian_artillery"][1] == {"area": "65", "state": "silenced"}
    assert "Area 65, now silenced" in german.last.sentence
    german.do("record/", field="russian_artillery", thing="new", **{"part-area": "50", "part-state": "refit"})
    german.do("record/", field="russian_artillery", thing="0", does="strike")
    assert [gun["area"] for gun in stand(german)["record"]["russian_artillery"]] == ["65", "67", "70", "50"]
    before = stand(german)
    for field, index in (("russian_artillery", "9"), ("russian_artillery", "-1"), ("notes", "0"), ("area_values", "0")):
        german.do("record/", field=field, thing=index, **{"part-area": "1", "part-state": "ready"})
        assert stand(german) == before
