"""Days at the table: what the first phase asks for, what rolls write down, what bars them, what comes back."""

import json

import pytest

from firefight.engine.course.keeping import TableState
from firefight.table.rolling import replay
from firefight.table.rolling.retracing import Retracing
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.table.test_archive import save, send

pytestmark = pytest.mark.django_db

GAME = "streets-of-stalingrad"


def begin(**options):
    german, links = players.begin("german", game=GAME, **{f"option-{name}": its for name, its in options.items()})
    return german, players.sit(links["soviet"], german.match_id)


@pytest.fixture
def german(frozen):
    return frozen("streets on two devices", begin)[0]


def record_of(player):
    return player.get("record.json").json()["record"]


def place(player):
    return player.get("record.json").json()["place"]


def put(player, field, value):
    text = value if isinstance(value, str) else json.dumps(value)
    answer = player.do("record/", field=field, value=text, house="on" if field in ("turn", "phase") else None)
    assert answer.status_code == 302, players.words_of(answer)


def answer_due(player, other=None, **dice):
    """Answer the first roll that is due, with these inputs."""
    step = player.match.state.queue[0]
    who = other or player
    answer = who.roll(step.helper, step=step.id, **dice)
    assert answer.status_code == 302, players.words_of(answer)
    return step.helper


def due(player):
    return [step.helper for step in player.match.state.queue]


def reach(player, turn, phase):
    """Go on from the last phase before it, so that its step begins."""
    before = (turn, phase - 1) if phase > 1 else (turn - 1, 15)
    for name, value in zip(("turn", "phase"), before, strict=True):
        if place(player)[name] != value:
            put(player, name, str(value))
    player.do("drop/", step="all") if due(player) else None
    assert player.do("advance/").status_code == 302
    assert (place(player)["turn"], place(player)["phase"]) == (turn, phase)


def test_the_first_day_is_walked_by_the_page_with_its_house_keeping(german):
    put(german, "markers", [
        {"hex": "0509", "marker": "pinned"}, {"hex": "0611", "marker": "spent"},
        {"hex": "0512", "marker": "breakthru"}, {"hex": "0713", "marker": "interdicted"},
        {"hex": "0714", "marker": "pinned", "under_attack": True},
    ])  # fmt: skip
    put(german, "attacked", ["0509"])
    markers = []
    for phase in range(1, 16):
        reader = Reader(german.client).open(f"/match/{german.match_id}/")
        assert "13 Sep" in reader.words()
        assert place(german) == {"turn": 1, "date": "1942-09-13", "phase": phase}
        markers.append(sorted(f"{row['marker']} {row['hex']}" for row in record_of(german)["markers"]))
        assert german.do("advance/", button="phase").status_code == 302
    first = ["breakthru 0512", "interdicted 0713", "pinned 0509", "pinned 0714", "spent 0611"]
    assert markers[:3] == [first] * 3
    assert markers[3] == ["interdicted 0713", "pinned 0509", "pinned 0714", "spent 0512", "spent 0611"]
    assert markers[5] == ["pinned 0714", "spent 0512", "spent 0611"]  # 0509 came off as 6 began
    assert markers[8] == [] and markers[14] == []
    assert place(german) == {"turn": 2, "date": "1942-09-14", "phase": 1}
    assert due(german) == ["stukas"]


def test_the_first_phase_bars_the_next_until_its_rolls_are_made():
    german, soviet = begin()
    put(german, "isolated", [{"name": "64 Guards", "side": "soviet", "marker": 0, "nkvd": True}])
    reach(german, 39, 1)
    assert due(german) == ["isolation", "ammunition", "ammunition", "weather", "stukas"]
    reader = Reader(german.client).open(f"/match/{german.match_id}/")
    assert "First: Isolation: 64 Guards (19.4), Ammunition shortage (14.71)" in reader.words()
    answer = german.do("advance/", button="phase")
    assert answer.status_code == 403 and "19.4" in players.words_of(answer)
    assert german.do("advance/", button="end").status_code == 302  # the German may end the game all the same
    assert due(german)[0] == "victory"
    german.do("take-back/")
    answer_due(german)
    assert record_of(german)["isolated"][0]["marker"] == 1
    assert due(german)[-1] == "nkvd"
    for dice in ({"die": "3", "multiplier": "10"}, {"die": "5", "multiplier": "20"}, {"die": "1"}):
        answer_due(german, **dice)
    assert record_of(german)["barred"] == {"german": 30, "soviet": 100}
    assert record_of(german)["weather"] == "bad"
    answer_due(german)
    assert record_of(german)["stukas"] == 0
    while due(german):
        german.do("drop/", step="all")
        if german.match.proposal:
            soviet.do("answer/", agrees="yes")
    assert german.do("advance/").status_code == 302


def test_saved_ammunition_pays_for_a_shortage_and_is_gone(german):
    put(german, "saved", {"german": 27, "soviet": 0})
    reach(german, 8, 1)
    step = german.match.state.queue[0]
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/ammunition/?step={step.id}")
    assert page.find("input[name=saved]")[0].attributes["value"] == "27"
    answer_due(german, die="5", multiplier="10", saved="27")
    assert record_of(german)["barred"]["german"] == 23 and record_of(german)["saved"]["german"] == 0
    german.do("take-back/")
    assert record_of(german)["saved"]["german"] == 27 and record_of(german)["barred"]["german"] == 0


def test_a_unit_in_supply_loses_its_marker_and_one_that_is_gone_its_row(german):
    rows = [{"name": "A", "side": "soviet", "marker": 1}, {"name": "B", "side": "soviet", "marker": 1}]
    put(german, "isolated", rows)
    reach(german, 3, 1)
    assert due(german)[:2] == ["isolation", "isolation"]
    step = german.match.state.queue[0]
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/isolation/?step={step.id}")
    assert page.find("input[name=supplied]") and not page.find("details input[name=supplied]")  # it decides all
    answer_due(german, supplied="on")
    assert [row["name"] for row in record_of(german)["isolated"]] == ["B"]
    answer_due(german)
    assert german.last.result.outcome == "eliminated" and record_of(german)["isolated"] == []
    german.do("take-back/")
    german.do("take-back/")
    assert [row["marker"] for row in record_of(german)["isolated"]] == [1, 1]


def test_a_corrected_roll_writes_down_what_it_says_now(german):
    reach(german, 3, 1)
    answer_due(german, stuka_die="5")
    assert record_of(german)["stukas"] == 17
    german.roll("stukas", turn="3", stuka_die="9", corrects=str(german.last.number))
    assert record_of(german)["stukas"] == 13


def test_a_lost_flotilla_unit_comes_up_on_its_day(german):
    german.roll("flotilla-return", turn="1", die="3")
    row = {"what": "river flotilla", "side": "soviet", "turn": 3, "phase": 10, "about": ""}
    assert record_of(german)["due"] == [row]
    reach(german, 3, 9)
    assert record_of(german)["due"] == [row]
    german.do("advance/")
    assert record_of(german)["due"] == []
    assert "Due now, Soviet: river flotilla." in [entry.sentence for entry in german.log]


def test_a_work_is_kept_and_comes_up_when_it_is_done(german):
    reach(german, 2, 11)
    german.roll("engineering", work="bridge", side="german", engineers="1")
    work, row = record_of(german)["works"][0], record_of(german)["due"][0]
    assert work["started"] == {"turn": 2, "phase": 11}
    assert row["what"] == "bridge done" and {"turn": row["turn"], "phase": row["phase"]} == work["placed"]
    german.roll("engineering", work="bridge", side="german", engineers="1", hindered="1")
    assert len(record_of(german)["works"]) == len(record_of(german)["due"]) == 1
    assert record_of(german)["works"][0]["hindered"] == 1


def test_crossings_are_counted_by_arrow(german):
    reach(german, 1, 10)
    fields = {"arrow": "8", "combat_this_phase": "5", "combat_this_turn": "5"}
    german.roll("volga", **fields)
    assert record_of(german)["crossed"] == {"8": {"phase": 5, "turn": 5}}
    assert german.roll("volga", combat_this_phase="5").status_code == 422
    refused = german.roll("volga", arrow="8", combat_this_phase="3", combat_this_turn="3")
    assert refused.status_code == 422 and "5 have crossed there in this phase already" in players.words_of(refused)
    reach(german, 1, 14)
    assert record_of(german)["crossed"] == {"8": {"turn": 5}}
    refused = german.roll("volga", arrow="8", combat_this_phase="4", combat_this_turn="4")
    assert refused.status_code == 422 and "5 have crossed there in this turn already" in players.words_of(refused)
    reach(german, 2, 1)
    assert record_of(german)["crossed"] == {}


def test_the_number_of_tanks_asks_for_as_many_rolls(german):
    put(german, "tanks", "2")
    reach(german, 29, 10)
    assert due(german) == ["tank", "tank"]


def test_a_file_and_a_branch_hold_place_and_record():
    german, _ = begin(scenario="6", **{"first-day": "1942-10-14", "length": "10"})
    assert place(german) == {"turn": 32, "date": "1942-10-14", "phase": 1}
    put(german, "snipers", "4")
    german.roll("flotilla-return", die="10")
    branch, _ = send(save(german), "german")
    assert place(branch) == place(german) and record_of(branch) == record_of(german)


@pytest.mark.parametrize(
    ("options", "turn"), [({}, 2), ({"scenario": "6", "first-day": "1942-10-14", "length": "10"}, 33)]
)
def test_the_dice_check_follows_the_days_of_a_scenario(options, turn):
    german, soviet = begin(**options)
    put(german, "isolated", [{"name": "64 Guards", "side": "soviet", "marker": 0, "nkvd": True}])
    put(german, "snipers", "2")
    for _ in range(15):
        german.do("advance/")
    assert place(german)["turn"] == turn and due(german)[0] == "isolation"
    while due(german):
        first = german.match.state.queue[0]
        cells = {"cell:stukas:6": "9"} if first.inputs.get("by_card") and first.inputs["scenario"] == 6 else {}
        cells |= {"cell:stukas:3": "12"} if first.inputs.get("by_card") and first.inputs["scenario"] == 3 else {}
        answer_due(german, dice="app", multiplier="10", **cells)
    german.roll("bombardment", points="20", terrain="city", spotting="0", dice="app")
    players.end(german, soviet)
    assert german.match.ended
    exported = german.get("log.json").json()
    report = replay.examine_log(exported)
    assert report["problems"] == [] and report["again"].same >= 4
    trace = Retracing(exported)
    for line in exported["entries"]:
        trace.reach(line)
        trace.take(line)
    assert trace.is_certain and trace.options.items() >= options.items()
    assert trace.match.state.position == german.match.state.position


def test_what_is_declared_after_a_correction_of_an_earlier_phase_is_checked_where_it_stands(german):
    """A declaration has no dice, and was taken for a part of the correction before it."""
    put(german, "phase", "3")
    german.roll("mine-dog", die="2", dice="table")
    number = german.last.number
    german.do("advance/")
    german.do("advance/")
    assert german.roll("mine-dog", die="3", dice="table", corrects=str(number)).status_code == 302
    answer = german.roll("battle", points="9", terrain="clear", hex="0509", gun_names="94/II")
    assert answer.status_code == 302, players.words_of(answer)[:900]
    assert record_of(german)["fired"] == [{"unit": "94/II", "phase": 5, "in_box": False}]
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_who_answers_for_another_formation_than_was_asked_is_not_accused_of_it(german):
    reach(german, 28, 1)
    step = next(step for step in german.match.state.queue if step.inputs.get("which") == "29art")
    assert german.roll("division", step=step.id, which="29", side="german", choice="yes").status_code == 302
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_the_strip_says_what_is_out_of_the_ordinary(german):
    put(german, "markers", [{"hex": "0509", "marker": "pinned"}])
    put(german, "due", [{"what": "Zaitsev", "side": "soviet", "turn": 4, "phase": 10}])
    words = german.see()
    assert "pinned 0509" in words and "Zaitsev, 16 September, phase 10" in words


ATTACK = {"points": "20", "terrain": "city", "terrain_drm": "0", "hex": "0509", "adjacent_infantry": "on"}


def test_a_hex_is_attacked_once_a_phase_and_carries_what_its_p_has_put_there(german):
    reach(german, 1, 5)
    german.roll("attack", **ATTACK, die="7")
    attack = next(entry for entry in german.log if entry.helper == "attack")
    rows = [row for row in record_of(german)["markers"] if row["hex"] == "0509"]
    marker = attack.result.details["marker"]
    assert marker == "spent"  # a P in a city (9.84), under the marker of the attack (9.64)
    assert [row["marker"] for row in rows] == ["attack", "spent"]
    assert record_of(german)["attacked"] == ["0509"]
    assert record_of(german)["hex_values"] == {"0509": {"terrain": "city"}}
    before = players.rows()
    answer = german.roll("attack", **ATTACK, die="7")
    assert answer.status_code == 422 and "attacked in this phase already (9.14)" in players.words_of(answer)
    assert players.rows() == before
    assert german.roll("attack", **{**ATTACK, "hex": "0510"}, die="7").status_code == 302
    german.do("take-back/")
    german.do("take-back/")
    assert record_of(german)["attacked"] == [] and record_of(german)["markers"] == []


def test_the_terrain_of_a_hex_is_said_once(german):
    german.roll("bombardment", points="20", terrain="forest", hex="0611", spotting="0", die="4")
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?hex=0611")
    assert page.form("#desk-form").value("terrain") == "forest"


def test_an_army_without_its_commander_does_not_attack(german):
    reach(german, 3, 12)
    german.roll(
        "leader-survival", side="soviet", leader="chuikov", units_eliminated="2", die="6", turns_die="4", turn="3"
    )
    assert german.last.result.outcome == "wounded"
    back = german.last.result.details["back_on_turn"]
    assert record_of(german)["commanders"]["chuikov"] == "wounded"
    assert record_of(german)["due"] == [{"what": "Chuikov", "side": "soviet", "turn": back, "phase": 10, "about": ""}]
    answer = german.roll("attack", **ATTACK, firer="soviet", die="5")
    assert answer.status_code == 422 and "18.52" in players.words_of(answer)
    put(german, "turn", str(back))  # a hand that goes past his day brings him back too
    assert record_of(german)["due"] == []


def test_an_nkvd_regiment_is_tested_once(german):
    german.roll("nkvd", regiment="271", die="3")
    assert record_of(german)["nkvd_tested"] == ["271"]
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/nkvd/?regiment=271")
    assert page.find("input[name=regiment_already_tested][checked]")


def test_a_tank_that_is_lost_runs_no_more(german):
    put(german, "tanks", "2")
    german.roll("tank", event="eliminated", terrain="city", die="1")
    assert record_of(german)["tanks"] == 1


def test_replacement_points_that_are_paid_are_gone(german):
    put(german, "replacements", {"german_af": 9, "german_pz": 8, "soviet_af": 5})
    german.roll("exchange", what="replacement", side="german", kind="armored", points="6", pz="on")
    assert german.last.result.details["allowed"] and german.last.result.details["cost"]["pz"] == 6
    assert record_of(german)["replacements"] == {"german_af": 9, "german_pz": 2, "soviet_af": 5}
    german.do("take-back/")
    assert record_of(german)["replacements"]["german_pz"] == 8


def test_an_hq_comes_for_a_commander_who_is_lost(german):
    german.roll("leader-survival", side="german", leader="paulus", units_eliminated="4", die="1")
    assert german.last.result.outcome == "eliminated" and record_of(german)["commanders"]["paulus"] == "lost"
    assert record_of(german)["due"] == [{"what": "HQ of Paulus", "side": "german", "turn": 1, "phase": 3, "about": ""}]


def test_an_hq_that_two_rolls_have_called_comes_once(german):
    """Units of two hexes were lost, and his player has rolled for him in each."""
    reach(german, 1, 9)
    for _ in range(2):
        german.roll("leader-survival", side="soviet", leader="chuikov", units_eliminated="2", turn="1", die="1")
    assert [row["what"] for row in record_of(german)["due"]] == ["HQ of Chuikov"] * 2
    german.do("drop/", step="all")
    assert german.do("advance/", button="phase").status_code == 302
    assert record_of(german)["due"] == [] and record_of(german)["commanders"]["chuikov"] == "hq"


def test_the_german_ends_the_game_and_its_points_are_due(german):
    assert german.do("advance/", button="end").status_code == 302
    assert due(german) == ["victory"]
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/victory/?step={german.match.state.queue[0].id}")
    assert page.find("input[name=campaign][checked]")
    assert page.find("input[name=final_date]")[0].attributes["value"] == "1942-09-13"


def test_no_army_attacks_without_its_commander():
    from firefight.engine.course.course import Position
    from firefight.games.streets_of_stalingrad.rules import barring
    from firefight.games.streets_of_stalingrad.rules.record import RECORD

    def say(side, turn=5, **values):
        record = RECORD.apply({}, values)
        return barring.say_leaderless(side, TableState(Position(turn=turn, phase="5"), record, None))

    assert say("german") == say("soviet") == ""
    assert "18.52" in say("soviet", commanders={"chuikov": "wounded"})
    assert say("german", commanders={"chuikov": "wounded"}) == ""
    assert "18.54" in say("german", commanders={"paulus": "lost"})
    back = {"commanders": {"chuikov": "hq"}, "commanders_since": {"chuikov": 5}}
    assert "turn after Chuikov" in say("soviet", **back) and say("soviet", turn=6, **back) == ""


def test_the_app_rolls_for_the_turns_away_of_whoever_is_wounded_and_of_nobody_else(german):
    fates = {}
    for _ in range(12):
        german.roll("leader-survival", side="german", units_eliminated="1", turn="3", dice="app")
        fates.setdefault(german.last.result.outcome, set()).add(tuple(rolled.die for rolled in german.last.rolls))
    assert len(fates) > 1
    wounded = fates.pop("wounded", {("die", "turns_die")})
    assert wounded == {("die", "turns_die")} and all(dice == {("die",)} for dice in fates.values())
