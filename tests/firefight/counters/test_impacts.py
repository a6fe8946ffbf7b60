"""Whom artillery strikes at the table: whoever stands where it falls, and whoever comes there later (A-57, FA-09)."""

import json
import re

import pytest

from firefight.games.combat_stalingrad.game import TITLES
from firefight.table.log import reading
from firefight.table.rolling import replay
from tests.filling import Reader
from tests.firefight.players import begin, end, sit, text_of

pytestmark = pytest.mark.django_db

LIST = "German: 3 Grenadier squads, NCO, Pz IV F1\nRussian: 4 Rifle squads, Commissar, Maxim M1910"
# 122 mm: 32 FF by the house chart, all of it in the hexes around.
ZONE = {"K7", "K6", "K8", "J6", "J7", "L6", "L7"}


def take_the_field():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=["german-1", "german-2"], place="L9")
    german.do("counters/", id=["german-3", "german-5"], place="L7")
    russian.do("counters/", id=["russian-1", "russian-2"], place="K7")
    russian.do("counters/", id=["russian-3"], place="K7", level="1")
    russian.do("counters/", id=["russian-4", "russian-5"], place="K6")
    russian.do("counters/", id=["russian-6"], place="K12")
    german.do("record/", field="turn", value="2")
    german.do("record/", field="phase", value="fire_and_movement")
    german.do("rows/", field="missions", **{"part-caliber": "122", "part-kind": "bombardment"})
    german.do("rows/", field="missions", **{"part-caliber": "122"})
    return german, russian


@pytest.fixture
def field(frozen):
    """A German battery; Germans in L9 and L7, Russians in and around K7, in the Fire and Movement Phase of turn 2."""
    return frozen("a field under fire", take_the_field)


def change(player, row, **parts):
    return player.do("rows/", change=json.dumps({"missions": {"change": {row: parts}}}))


def put_ffe(player, place="K7", row="german-2", **parts):
    return change(player, row, marker="ffe", hex=place, placed=1, called=2, **parts)


def due(player, side=None):
    """Who is attacked by what is due, as a side knows it: the hex, the level and the ids."""
    side = side or player.last.side
    steps = player.match.state.queue_for((side,))
    attacks = []
    for step in steps:
        rows = step.inputs.get("units", ())
        assert len({(row["hex"], row.get("where", "")) for row in rows}) == 1, step
        attacks.append((rows[0]["hex"], rows[0].get("where", ""), [row["id"] for row in rows], step.inputs["ff"]))
    return attacks


def convert_on(player, place="K7", row="german-2"):
    """An FFE is called on a hex where a CFF lies: by its card, and the form that this opens."""
    change(player, row, marker="cff", hex=place, called=1)
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    reader.form(f"#missions-{row} form", number=1).press(f"Convert in {place}")
    reader.form("#desk-form").fill(die=30).press("dice=table")
    return reader


EVERYBODY = [
    ("K7", "", ["russian-1", "russian-2"], 32),
    ("K7", "1", ["russian-3"], 32),
    ("K6", "", ["russian-4", "russian-5"], 32),
    ("L7", "", ["german-3", "german-5"], 32),
]


def test_an_impact_attacks_everybody_of_either_side_in_its_zone_though_nobody_was_tapped(field):
    german, _ = field
    reader = convert_on(german)
    assert due(german, "german") == EVERYBODY
    assert "Fire on K7 (32 FF)" in reader.words("#desk h2")
    reader.form("#desk-form").fill(die=1).press("dice=table")
    entry = next(entry for entry in german.log if entry.helper == "fire")
    assert [row["id"] for row in entry.inputs["units"]] == ["russian-1", "russian-2"]
    assert entry.inputs["ff"] == 32 and entry.inputs["artillery"]


@pytest.mark.parametrize("chosen", [["russian-6"], ["german-3"], ["russian-6", "german-3"], ["russian-1", "german-1"]])
def test_who_is_tapped_before_contact_chooses_the_hex_and_nothing_else(field, chosen):
    german, _ = field
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    for id in chosen:
        (tick,) = reader.find(f'#table input[value="{id}"]')
        tick.attrs["checked"] = ""
    change(german, "german-2", marker="cff", hex="K7", called=1)
    reader.look()
    reader.form("#missions-german-2 form", number=1).press("Convert in K7")
    form = reader.form("#desk-form")
    assert form.value("aim") == "K7" and form.value("units") in ("", "[]")
    form.fill(die=30).press("dice=table")
    assert due(german, "german") == EVERYBODY


def test_a_stray_strikes_those_where_it_lands_and_a_program_names_nobody(field):
    german, _ = field
    german.do("counters/", id=["german-1"], place="S31")
    german.do("counters/", id=["german-2"], place="S30")
    german.roll("contact", mission="german-1", aim="S34", die="30")
    step = german.match.state.queue[0].id
    german.roll("accuracy", step=step, die="75", direction_die="1")
    entry = next(entry for entry in german.log if entry.helper == "accuracy")
    assert entry.result.details["distance"]  # a bombardment: three hexes around where it lands
    struck = {id for _, _, ids, _ in due(german, "german") for id in ids}
    assert struck == {"german-1", "german-2"}


def test_an_impact_that_a_correction_moves_strikes_those_who_are_where_it_now_falls(field):
    german, _ = field
    german.do("counters/", id=["german-4"], place="K4")
    german.roll("contact", mission="german-1", aim="K8", die="30", dice="table")
    german.roll("accuracy", step=german.match.state.queue[0].id, die="2", dice="table")
    assert {place for place, *_ in due(german, "german")} == {"K6", "K7", "L7", "L9"}
    [accuracy] = german.match.log.filter(helper="accuracy")
    again = {**accuracy.inputs, "die": "75", "direction_die": "1"}
    german.roll("accuracy", **again, dice="table", corrects=accuracy.number)
    corrected = german.match.log.get(helper="accuracy", voided_by=None)
    assert corrected.result.details["hex"] == "K5"
    assert {place for place, *_ in due(german, "german")} == {"K4", "K6", "K7", "L7"}
    assert replay.work_out_results(german.get("log.json").json()).problems == ()


def test_what_a_player_told_of_an_impact_stands_where_a_correction_moves_it(field):
    german, _ = field
    german.do("rows/", field="missions", **{"part-kind": "bombardment"})
    german.roll("contact", mission="german-3", aim="K8", die="30", dice="table")
    german.roll("accuracy", step=german.match.state.queue[0].id, die="2", dice="table")
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#desk-form").fill(caliber="122").press("Resolve")
    [accuracy] = german.match.log.filter(helper="accuracy")
    again = {**accuracy.inputs, "die": "75", "direction_die": "1"}
    german.roll("accuracy", **again, dice="table", corrects=accuracy.number)
    impact = german.match.log.get(helper="firepower", voided_by=None)
    assert (impact.inputs["impact"], impact.inputs["caliber"]) == ("K5", 122)
    assert {place for place, *_ in due(german, "german")} == {"K6", "K7", "L7"}


def test_a_new_cff_strikes_its_own_hex_alone_with_a_quarter(field):
    german, _ = field
    german.roll("contact", mission="german-2", aim="K7", danger_close="", die="30")
    german.roll("accuracy", step=german.match.state.queue[0].id, die="1", danger_close="")
    assert due(german, "german") == [(*attack[:3], 8) for attack in EVERYBODY[:2]]
    assert {entry.helper for entry in german.log if entry.helper} == {"contact", "accuracy", "firepower"}


def test_more_than_a_dozen_of_many_places_are_struck_and_long_names_too(field):
    german, russian = field
    german.do("counters/add/", list="German: 9 Panzergrenadier squads\nRussian: 14 Rifle squads")
    german.do("counters/", id=[f"german-{number}" for number in range(6, 15)], place="L6")
    russian.do("counters/", id=[f"russian-{number}" for number in range(7, 21)], place="J7")
    convert_on(german)
    assert [len(ids) for *_, ids, _ in due(german, "german")] == [2, 1, 14, 2, 9, 2]
    for step in german.match.state.queue[2:5]:
        assert german.roll("fire", step=step.id, die="40").status_code == 302, step.title


def test_who_comes_into_the_zone_later_in_the_phase_is_attacked_then(field):
    german, russian = field
    put_ffe(german)
    russian.do("counters/", id=["russian-6"], place="K8")
    assert due(russian) == [("K8", "", ["russian-6"], 32)]
    (step,) = russian.match.state.queue
    assert TITLES["fire"](step.title, step.inputs, None) is not False
    # A stairway is another place of the same hex (17.4.6); who leaves the zone is not attacked.
    russian.do("counters/", id=["russian-1", "russian-2"], place="K7", level="1")
    assert due(russian)[1:] == [("K7", "1", ["russian-1", "russian-2"], 32)]
    russian.do("counters/", id=["russian-4"], place="K3")
    assert len(due(russian)) == 2
    german.do("counters/", id=["german-1"], place="J7")  # the battery's own side, too
    assert due(german)[-1] == ("J7", "", ["german-1"], 32)


def test_what_counters_came_into_is_rolled_like_any_attack_and_stands_up_to_the_check_of_the_log(field):
    german, russian = field
    put_ffe(german)
    russian.do("counters/", id=["russian-6"], place="K8")
    # The battery's side rolls it, whoever has moved.
    (step,) = german.match.state.queue
    assert russian.roll("fire", step=step.id, die="99", dice="table").status_code == 403
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    assert reader.words("#desk h2") == "Fire on K8 (32 FF)"
    reader.form("#desk-form").fill(die=40).press("dice=table")
    entry = next(entry for entry in german.log if entry.helper == "fire")
    assert entry.inputs["artillery"] and entry.sentence.startswith("Fire on K8 (32 FF). ")
    convert_on(german, "J6")
    end(german, russian)
    again = replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ()))))
    assert again.problems == () and again.same >= 4


@pytest.mark.parametrize(
    ("parts", "place", "ff"),
    [
        ({"called": 2}, "K8", 32),
        ({"called": 1}, "K8", None),  # not called again: in its own hex only (17.3.6)
        ({"called": 1}, "K7", 32),
        ({"fire_2": True}, "K8", None),
        ({"marker": "cff", "called": 2}, "K7", 8),
        ({"marker": "cff", "called": 1}, "K7", None),  # a CFF of an earlier phase does nothing
        ({"marker": "cff", "called": 2, "danger_close": True}, "K7", None),
        ({"smoke": True}, "K7", None),
        ({"caliber": None}, "K7", None),
        ({"hex": None}, "K7", None),
    ],
)
def test_which_markers_attack_who_comes(field, parts, place, ff):
    german, russian = field
    put_ffe(german)
    change(german, "german-2", **parts)
    russian.do("counters/", id=["russian-6"], place=place)
    assert due(russian) == ([(place, "", ["russian-6"], ff)] if ff else [])


def test_in_other_phases_nobody_comes_under_fire(field):
    german, russian = field
    put_ffe(german)
    german.do("record/", field="phase", value="melee")
    russian.do("counters/", id=["russian-6"], place="K8")
    assert due(russian) == []


def test_a_move_that_is_undone_was_no_move(field):
    german, russian = field
    put_ffe(german)
    before = russian.match.state
    russian.do("counters/", id=["russian-6", "russian-4"], place="K8")
    assert due(russian) == [("K8", "", ["russian-4", "russian-6"], 32)]
    number = next(entry.number for entry in reversed(russian.log) if "russian-4" in entry.touches)
    russian.do("counters/undo/", number=number)
    assert due(russian) == [("K8", "", ["russian-6"], 32)]
    russian.do("take-back/")
    russian.do("take-back/")
    assert russian.match.state == before


def to_turn_3(player):
    """Through the rest of turn 2 to the Fire and Movement Phase of turn 3."""
    for _ in range(4):
        assert player.do("advance/", button="phase").status_code == 302


def test_an_ffe_under_fire_2_attacks_who_stays_in_its_hex_as_the_next_phase_begins(field):
    """17.3.6, R-134: in its own hex alone, once a phase, and its own side rolls it."""
    german, russian = field
    put_ffe(german)
    change(german, "german-1", kind="bombardment", marker="ffe", hex="L9", placed=2, called=2)
    russian.do("counters/", id=["russian-4"], becomes="hidden")
    russian.do("counters/", id=["russian-4"], place="K7")
    german.do("drop/", step="all")
    russian.do("drop/", step="all")
    assert not german.match.state.queue
    to_turn_3(german)
    assert due(german, "german") == [(*attack[:3], 32) for attack in EVERYBODY[:2]]
    (sealed,) = [step for step in german.match.state.queue if step.known_to]
    assert (sealed.known_to, sealed.title) == ("russian", "Fire on K7 (32 FF)")
    step = german.match.state.queue[0]
    assert step.read_by == "german" and TITLES["fire"](step.title, step.inputs, None) is not False
    assert russian.roll("fire", step=step.id, die="99", dice="table").status_code == 403
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/fire/?step={step.id}")
    reader.form("#desk-form").fill(die=99).press("Resolve")
    assert len(due(german, "german")) == 1
    # Set by hand to the same phase nothing is due once more.
    german.do("record/", field="impulse", value="russian")
    assert len(due(german, "german")) == 1
    end(german, russian)
    again = replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ()))))
    assert again.problems == ()


def test_an_ffe_that_is_called_again_attacks_its_own_hex_anew(field):
    """17.3.6, 17.4.5, R-134: by the fire that goes on, and by the impact; each attack is made once."""
    german, russian = field
    put_ffe(german)
    german.do("drop/", step="all")
    to_turn_3(german)
    staying = due(german, "german")
    for step in list(german.match.state.queue):
        german.roll("fire", step=step.id, die="99")
    assert staying and not german.match.state.queue
    german.roll("contact", mission="german-2", aim="K7", die="30")
    anew = due(german, "german")
    own_hex = [attack[:3] for attack in staying]
    assert [attack[:3] for attack in anew if attack[:3] in own_hex] == own_hex
    assert len(anew) > len(own_hex)


def test_no_number_that_is_missing_tells_of_a_hidden_counter_that_stays(field):
    german, russian = field
    put_ffe(german)
    german.do("rows/", field="missions", **{"part-caliber": "105"})
    put_ffe(german, "L9", "german-3")
    russian.do("counters/", id=["russian-4"], becomes="hidden")
    russian.do("counters/", id=["russian-4"], place="K7")
    to_turn_3(german)
    ids = [step.id.partition("-")[2] for step in german.match.state.queue_for(("german",))]
    (sealed,) = [step.id for step in german.match.state.queue if step.known_to and "-h" in step.id]
    assert ids == ["h0", "h1", "h2"] and sealed.endswith("-h3")


@pytest.mark.parametrize("parts", [{"marker": "cff"}, {"smoke": True}, {"lost": True, "marker": ""}, {"hex": None}])
def test_no_other_marker_attacks_who_stays(field, parts):
    german, _ = field
    put_ffe(german)
    change(german, "german-2", **parts)
    to_turn_3(german)
    assert due(german, "german") == []


# Secrets

SHOWN = (
    *("", "record/", "record.json", "missions.json", "counters.json", "log.json", "archive.json", "report.md", "log/"),
    *("live/?after=0&version=0", "table/", "hand/", "pack/"),
)


def pages_of(player):
    """All that a browser is told of the match, without what is fresh in every answer."""
    ids, times = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{32,}", r"\d\d:\d\d(:\d\d)?(\.\d+)?[+\d:]*"
    fresh = re.compile(rf"{ids}|{times}|csrfmiddlewaretoken\S+ \S+")
    return {place: fresh.sub("", text_of(player.get(place))) for place in SHOWN}


def test_a_hidden_counter_is_offered_to_its_owner_alone(field):
    german, russian = field
    russian.do("counters/", id=["russian-4", "russian-3"], becomes="hidden")
    convert_on(german)
    assert due(german, "german") == [EVERYBODY[0], ("K6", "", ["russian-5"], 32), EVERYBODY[3]]
    assert due(german, "russian")[3:] == [EVERYBODY[1], ("K6", "", ["russian-4"], 32)]
    for place, page in pages_of(german).items():
        assert "Hidden: Fire" not in page, place
    ids = [step.id for step in german.match.state.queue_for(("german",))]
    assert [id.partition("-")[2] for id in ids] == ["0", "1", "2"]
    sealed = german.match.state.queue[-1].id
    assert german.roll("fire", step=sealed, die="40").status_code == 403


def tell_both_ways(play):
    """The same match with and without a hidden counter in the zone, as the Germans are told of it."""
    pages_of_both = []
    for place in ("K6", "K20"):
        german, links = begin(name="Night")
        russian = sit(links["russian"], german.match_id)
        german.do("counters/add/", list=LIST)
        russian.do("counters/", id=["russian-1"], place="K7")
        russian.do("counters/", id=["russian-4"], place=place, hidden="on")
        german.do("rows/", field="missions", **{"part-caliber": "122"})
        german.do("record/", field="phase", value="fire_and_movement")
        play(german, russian, place)
        ids = {str(german.match.pk), str(german.match.commitment)}
        pages_of_both.append({name: _without(page, ids) for name, page in pages_of(german).items()})
        pages_of_both[-1]["version"] = german.match.version
    return pages_of_both


def _without(page, ids):
    for id in ids:
        page = page.replace(id, "")
    return re.sub(r"\b[A-Za-z0-9_-]{20,}\b|[?&]v=\S+", "", page)


def test_nothing_that_the_other_side_is_told_differs_by_a_hidden_counter_in_the_zone():
    def play(german, russian, place):
        convert_on(german, row="german-1")
        german.roll("fire", step=german.match.state.queue[0].id, die="40")

    inside, elsewhere = tell_both_ways(play)
    for name in inside:
        assert inside[name] == elsewhere[name], name


def test_nor_by_one_that_comes_into_it_or_by_what_its_owner_does_without():
    def play(german, russian, place):
        change(german, "german-1", marker="ffe", hex="K7", placed=1, called=1)
        russian.do("counters/", id=["russian-4"], place="K8" if place == "K6" else "K21")
        steps = russian.match.state.queue_for(("russian",))
        assert bool(steps) is (place == "K6")
        if steps:
            assert steps[-1].title == "Hidden: Fire on K8 (32 FF)"
            russian.do("drop/", step=steps[-1].id)
        else:
            russian.note("nothing", sealed="on")
        assert not russian.match.state.queue

    inside, elsewhere = tell_both_ways(play)
    for name in inside:
        assert inside[name] == elsewhere[name], name


def test_its_owner_rolls_it_and_shows_it_and_who_comes_into_sight_is_attacked_openly(field):
    german, russian = field
    russian.do("counters/", id=["russian-4"], becomes="hidden")
    convert_on(german)
    german.do("drop/", step="all")
    russian.do("answer/", agrees="yes")  # its own units lie in the zone, too
    (step,) = german.match.state.queue
    assert step.known_to == "russian"
    refused = russian.roll("fire", htmx=True, step=step.id, die="40")
    assert refused.status_code == 422 and "is hidden: this roll shows it." in text_of(refused)
    russian.roll("fire", step=step.id, die="40", shows="on")
    entry = next(entry for entry in german.log if entry.helper == "fire")
    assert entry.sentence.startswith("Fire (FFT). ") and not entry.secret
    russian.do("take-back/")
    german.do("answer/", agrees="yes")
    russian.do("counters/", id=["russian-4"], hidden="off")
    (step,) = german.match.state.queue
    assert (step.known_to, step.title) == ("", "Fire on K6 (32 FF)")
    assert german.roll("fire", step=step.id, die="40").status_code == 302


def test_who_has_gone_on_in_secret_is_not_betrayed_by_where_it_was_struck(field):
    german, russian = field
    russian.do("counters/", id=["russian-4"], becomes="hidden")
    convert_on(german)
    russian.do("counters/", id=["russian-4"], place="K15")
    russian.do("counters/", id=["russian-4"], hidden="off")
    sealed = [step for step in german.match.state.queue if step.known_to]
    assert [step.inputs["units"][0]["hex"] for step in sealed] == ["K6"]


# From the air


@pytest.fixture
def stukas(field):
    german, russian = field
    german.do("rows/", field="aircraft", **{"part-planes": "3", "part-number": "6"})
    german.do("rows/", change=json.dumps({"aircraft": {"change": {"german-flight1": {"here": True, "since": 2}}}}))
    return german, russian


def bomb(player, place, *dice):
    """An attack by the flight's card: its form, a hex, the dice."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    reader.form("#aircraft-german-flight1 form", number=1).fill(hex=place).press("Attack")
    form = reader.form("#desk-form").fill(die=dice[0])
    return form.fill(direction_die=dice[1]).press("dice=table") if dice[1:] else form.press("dice=table")


def test_bombs_meet_everybody_in_the_hex_that_they_hit(stukas):
    german, _ = stukas
    bomb(german, "K7", 1)
    assert [attack[:3] for attack in due(german, "german")] == [attack[:3] for attack in EVERYBODY[:2]]


@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize("die", [1, 97])
def test_nobody_in_a_cellar_is_bombed_not_even_by_defender_choice(stukas, die, is_hidden):
    german, russian = stukas
    german.do("counters/", id=["german-4"], place="L9")
    russian.do("counters/", id=["russian-1", "russian-3"], place="K7/cellar")
    if is_hidden:
        russian.do("counters/", id=["russian-1", "russian-3"], becomes="hidden")
    bomb(german, "K7", die)
    offers = [*due(german, "german"), *due(german, "russian")]
    assert "russian-2" in str(offers) and "cellar" not in str(offers)


def test_bombs_that_scatter_meet_those_where_they_fall_of_either_side(stukas):
    german, russian = stukas
    russian.do("counters/", id=["russian-6"], becomes="hidden", place="L7")
    bomb(german, "L8", 80, 1)
    entry = next(entry for entry in german.log if entry.helper == "air-attack")
    assert entry.result.details["hex"] == "L7", entry.result
    assert [attack[:3] for attack in due(german, "german")] == [("L7", "", ["german-3", "german-5"])]
    assert [attack[:3] for attack in due(german, "russian")][1:] == [("L7", "", ["russian-6"])]


def test_nothing_is_due_at_nobody_where_all_know_who_stands_where(stukas):
    """An impact, or bombs, on empty hexes ask for no attack; with a counter that stands nobody knows where, they do."""
    german, russian = stukas
    put_ffe(german, "T20")
    german.do("counters/", id=["german-4"], place="L9")
    sent = {"mission": "german-2", "caliber": "122", "marker": "ffe", "impact": "T20"}
    assert german.roll("firepower", **sent).status_code == 302
    assert not german.match.state.queue and "32 FF" in german.last.sentence
    bomb(german, "T20", 1)
    assert not german.match.state.queue
    russian.do("counters/", id=["russian-6"], place="")
    german.roll("firepower", **sent)
    assert [step.title for step in german.match.state.queue] == ["Fire with 32 FF"]


def test_defender_choice_offers_each_place_within_its_range_and_no_attack_at_nobody(stukas):
    """17.6.5, R-135: the side under attack picks one of the hexes."""
    german, russian = stukas
    german.do("counters/", id=["german-4"], place="L9")
    russian.do("counters/", id=["russian-5"], becomes="hidden")
    bomb(german, "K7", 97)
    entry = next(entry for entry in german.log if entry.helper == "air-attack")
    reach = entry.result.details["range"]
    assert entry.result.outcome == "defender_choice" and reach >= 2
    offers = [(place, where, ids) for place, where, ids, _ in due(german, "german")]
    assert offers[:4] == [
        ("K7", "", ["russian-1", "russian-2"]),
        ("K7", "1", ["russian-3"]),
        ("K6", "", ["russian-4"]),
        ("L7", "", ["german-3", "german-5"]),
    ]
    assert "russian-5" not in str(offers)
    step = german.match.state.queue[0]
    assert TITLES["fire"](step.title, step.inputs, None) is not False
    assert german.roll("fire", step=step.id, die="99", dice="table").status_code == 302
    end(german, russian)
    assert replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ())))).problems == ()


def test_who_changes_the_hex_in_the_form_gets_those_who_stand_there(stukas):
    german, _ = stukas
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#aircraft-german-flight1 form", number=1).fill(hex="K7").press("Attack")
    reader.form("#desk-form").fill(hex="K12", die=1).press("dice=table")
    assert "Updated: Units, top to bottom. Look again" in reader.words("#desk .trouble")
    reader.form("#desk-form").press("dice=table")
    assert [attack[:3] for attack in due(german, "german")] == [("K12", "", ["russian-6"])]


def test_bombs_of_aircraft_that_have_just_come_meet_everybody_in_the_hex_that_is_typed(field):
    german, _ = field
    german.do("rows/", field="aircraft", **{"part-planes": "3", "part-number": "6"})
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    reader.form("#aircraft-german-flight1 form").press()
    reader.form("#desk-form").fill(die=1).press("dice=table")
    reader.press("Attack", within="#aircraft-german-flight1")
    reader.form("#desk-form").fill(hex="K7", die=1).press("dice=table")
    assert "Updated: Units, top to bottom. Look again" in reader.words("#desk .trouble")
    reader.form("#desk-form").press("dice=table")
    assert [attack[:3] for attack in due(german, "german")] == [attack[:3] for attack in EVERYBODY[:2]]


def test_an_attack_from_the_air_that_is_rolled_again_meets_those_who_are_there_by_now(stukas):
    german, russian = stukas
    bomb(german, "K7", 1)
    first = german.last.number
    russian.do("counters/", id="russian-1", place="K12")
    russian.do("counters/", id="russian-6", place="K7")
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/air-attack/?again={first}")
    reader.form("#desk-form").fill(die=1).press("dice=table")
    again = max(entry.number for entry in german.log if entry.helper == "air-attack")
    steps = [step for step in german.match.state.queue if step.id.startswith(f"{again}-")]
    struck = {row["id"] for step in steps for row in step.inputs["units"]}
    assert again > first and struck == {"russian-2", "russian-3", "russian-6"}


@pytest.mark.parametrize("script", [True, False])
def test_who_is_tapped_before_an_impact_is_not_the_only_one_struck(field, script):
    german, _ = field
    put_ffe(german)
    reader = Reader(german.client, script).open(f"/match/{german.match_id}/")
    reader.form("#table").fill(chosen=["russian-4"])
    reader.form("#missions-german-2 form", number=2).press("Attack whoever is there")
    reader.form("#desk-form").press()
    assert due(german, "german") == EVERYBODY


@pytest.mark.parametrize("script", [True, False])
def test_who_is_tapped_before_an_air_attack_is_not_the_only_one_bombed(stukas, script):
    german, russian = stukas
    russian.do("counters/", id="russian-6", place="")
    reader = Reader(german.client, script).open(f"/match/{german.match_id}/")
    reader.form("#table").fill(chosen=["russian-6"])
    reader.form("#aircraft-german-flight1 form", number=1).fill(hex="K7").press("Attack")
    reader.form("#desk-form").fill(die=1).press("dice=table")
    struck = {row["id"] for step in german.match.state.queue for row in step.inputs["units"]}
    assert struck >= {"russian-1", "russian-2", "russian-3"}
