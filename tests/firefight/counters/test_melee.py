"""Close Combat at the table: both sides declare, both roll, and what comes of it counts for both alike."""

import json

import pytest

from firefight.table.board import counters
from firefight.table.log import reading
from firefight.table.log.episodes import newest_episodes
from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, seated, sit, text_of, words_of

pytestmark = pytest.mark.django_db

LIST = "German: 2 Panzergrenadier squads, NCO\nRussian: 1 Rifle squad"
GERMANS, RUSSIANS = ["german-1", "german-2", "german-3"], ["russian-1"]
MISS = "100"


def to_melee(player):
    """Bring the match into the Melee Phase."""
    while player.match.state.phase != "melee":
        player.do("advance/", button="phase")


def set_up(player, russians=RUSSIANS, listed=LIST):
    player.do("counters/add/", list=listed)
    player.do("counters/", id=GERMANS + list(russians), place="K7")
    to_melee(player)
    return player


def meet_on_one_device():
    return set_up(begin(hot_seat=True)[0])


@pytest.fixture
def one(frozen):
    """Two squads with an NCO against one squad in K7, both sides on one device."""
    return frozen("a Close Combat on one device", meet_on_one_device)


def meet_on_two_devices():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=GERMANS, place="K7")
    russian.do("counters/", id=RUSSIANS, place="K7")
    to_melee(german)
    return german, russian


@pytest.fixture
def both(frozen):
    """The same by two devices."""
    return frozen("a Close Combat of two devices", meet_on_two_devices)


def declare(player, place="K7", **more):
    return player.do("melee/", place=place, **more)


def look(player, place="K7", **chosen):
    """The sheet of a place, with what was chosen on it."""
    return player.client.get(f"/match/{player.match_id}/melee/", {"place": place, **chosen})


def offers(player, button):
    """Whether the sheet lets this side declare, or wait."""
    return button in pages.values_of_each(text_of(look(player)), ".melee button", "value")


def due(player):
    return [step.title for step in player.match.state.queue]


def resolve(player, *faces, **more):
    """Resolve the card; a face of "" for a roll that needs none."""
    steps = [step.id for step in player.match.state.queue][: len(faces)]
    boxes = {f"due-{step}-die": face for step, face in zip(steps, faces, strict=True) if face}
    return player.do("due/", step=steps, dice="table", **boxes, **more)


def resolve_own(player, face, **more):
    """Resolve the rolls that a page offers this player, as its card or its form has them."""
    [form] = pages.forms(text_of(player.get()), "#desk-form")
    boxes = {name: face for name in form.fields if name == "die" or name.endswith("-die")}
    return player.send(
        form.action.partition(f"{player.match_id}/")[2], form.filled(**boxes) | {"dice": "table", **more}
    )


def posted(inputs):
    """A roll's inputs as its form sends them."""
    fields = {name: value for name, value in inputs.items() if value and name not in ("firers", "targets")}
    return {name: json.dumps(value) if isinstance(value, list) else value for name, value in fields.items()}


def known(player):
    return {counter["id"]: counter for counter in player.get("counters.json").json()}


def states(player):
    return {key: counter.get("fate") or counter["state"] for key, counter in known(player).items()}


def attacks(player):
    return [line for line in player.log if line.helper == "close-combat" and line.voided_by is None]


def test_a_sheet_tells_a_side_that_is_lost_and_its_enemy_so_before_anybody_declares():
    """19.3.7: its sheet said "no effect, since better odds were open" and it was eliminated all the same."""
    player = set_up(begin(hot_seat=True)[0], listed="German: 3 Panzergrenadier squads\nRussian: NCO")
    offered = pages.words_of_each(text_of(look(player)), ".melee .attacks")
    assert "No roll: the enemy is lost without one" in offered[0]
    assert "the attackers are eliminated without a roll" in offered[1] and "no effect" not in str(offered)
    [form] = pages.forms(text_of(look(player)), "#desk-form")
    assert player.send("melee/", form.filled() | {"does": "declare"}).status_code == 302
    assert resolve(player, "").status_code == 302
    assert states(player)["russian-1"] == "eliminated"


def test_the_melee_phase_offers_the_places_with_units_of_both_sides(one):
    assert pages.words_of_each(text_of(one.get()), "#due .steps h2") == ["Turn 1 · Melee"]
    page = words_of(look(one))
    assert "Rifle squad #1" in page and "Declare both" in page and "C " in page


def test_a_place_with_both_sides_leads_to_its_sheet_at_any_time(one):
    one.do("advance/", button="phase", leaves="on")
    page = text_of(one.get())
    assert not pages.find(page, "#due .checklist")
    assert pages.words_of_each(page, ".place a") == ["Close Combat"] * 2  # each side's part of the place


def test_one_device_declares_both_and_has_one_card_with_a_box_for_each(one):
    assert declare(one).status_code == 302
    assert len(due(one)) == 2 and all(title.startswith("Close Combat:") for title in due(one))
    assert pages.words_of_each(text_of(one.get()), "form.due h2") == ["Close Combat: 2 due"]
    assert all("close_combat" in state for state in states(one).values())


@pytest.mark.parametrize(
    ("place", "is_building", "doubles"),
    [("K7", False, True), ("K7", True, False), ("K7/1", False, False), ("K7/roof", True, True)],
)
def test_an_overrun_from_outside_counts_double_except_in_a_building(place, is_building, doubles):
    """19.2.1 step 2, 19.1.3: it doubled in a hex that all knew to be a building, too."""
    player = begin(hot_seat=True)[0]
    player.do("counters/add/", list="German: Grenadier squad, Pz III H\nRussian: Rifle squad")
    player.do("counters/", id=["german-1", "russian-1"], place=place, becomes="close_combat")
    player.do("counters/", id="german-2", place="K8")
    player.do("rows/", field="ground", **{"part-hex": "K7", "part-building": "yes" if is_building else ""})
    reader = Reader(player.client)
    reader.open(f"/match/{player.match_id}/roll/close-combat/?firers=german-2&targets=russian-1")
    assert ("overrun" in reader.form("#desk-form").sent()) is doubles
    assert f"{16 if doubles else 8} against 14" in reader.words("#desk")


@pytest.mark.parametrize("terrain", ["", "woods", "rubble"])
def test_19_3_3_cover_is_known_from_the_hex_and_the_sheet_asks_whether_an_afv_is_in_the_open(terrain):
    player, is_covered = begin(hot_seat=True)[0], terrain == "woods"
    player.do("counters/add/", list="German: Grenadier squad\nRussian: T-70")
    player.do("counters/", id=["german-1", "russian-1"], place="K7")
    row = {"hex": "K7", "modifiers": [terrain] if terrain else []}
    player.do("rows/", change=json.dumps({"ground": {"add": {"K7": row}}}))
    to_melee(player)
    reader, at = Reader(player.client), f"/match/{player.match_id}/"
    reader.open(f"{at}roll/close-combat/?firers=german-1&targets=russian-1")
    assert ("-10 From building" in reader.words("#opening")) == is_covered
    reader.open(f"{at}melee/?place=K7")
    assert ("(−10 From building, woods or grain)" in reader.words("#desk .melee")) == is_covered
    reader.form("#desk form").fill(**{"cover:german": False, "open:german": True}).press("Declare both")
    [attack] = [step.inputs for step in player.match.state.queue if step.inputs["target"] == "afv"]
    assert (attack["from_cover"], attack["afv_in_open"]) == (False, True)


def test_both_results_count_though_the_first_kills_who_makes_the_second(one):
    declare(one)
    before = states(one)
    assert resolve(one, "1", "1").status_code == 302
    first, second = attacks(one)
    assert (first.result.outcome, first.act_id) == ("e", second.act_id)
    after = states(one)
    assert after["russian-1"] == "eliminated" and after != before
    hurt = [key for key in GERMANS if after[key] != before[key]]
    assert hurt or any(step.helper == "who-is-hit" for step in one.match.state.queue)


def test_what_was_rolled_and_declared_is_taken_back_exactly(one):
    start = one.match.state
    declare(one)
    declared = one.match.state
    resolve(one, "1", "1")
    one.do("take-back/")
    assert one.match.state == declared
    one.do("take-back/")
    assert one.match.state == start


def test_a_place_stays_open_until_one_side_is_left_and_its_marks_come_off(one):
    declare(one)
    resolve(one, MISS, MISS)
    assert "melee/?place=K7" not in text_of(one.get())  # declared in this turn
    one.do("advance/", button="phase")
    assert "close_combat" in states(one)["russian-1"]
    to_melee(one)
    assert "melee/?place=K7" in text_of(one.get())
    declare(one)
    resolve(one, "1", MISS)
    assert states(one)["russian-1"] == "eliminated"
    one.do("advance/", button="phase")
    assert not any("close_combat" in states(one)[key] for key in GERMANS)


def test_either_side_declares_first_and_openly_and_the_other_one_second(both):
    german, russian = both
    assert declare(russian).status_code == 302
    assert due(german) == []
    assert "Russian in K7: Rifle squad #1 against" in words_of(german.get())
    assert declare(russian).status_code == 422
    assert not offers(russian, "declare") and offers(german, "declare") and not offers(german, "wait")
    assert declare(german).status_code == 302
    assert len(due(german)) == len(due(russian)) == 2
    for player in both:
        assert resolve_own(player, "50").status_code == 302
    assert len(attacks(german)) == 2


def test_what_the_other_side_declared_a_turn_ago_is_not_declared_again(both):
    german, russian = both
    declare(german)
    declare(russian)
    for player in both:
        resolve_own(player, MISS)
    german.do("advance/", button="phase")
    to_melee(german)
    declare(german)
    assert not due(german) and offers(russian, "declare")
    declare(russian)
    assert len(due(german)) == 2


def test_the_initiative_side_may_be_second(both):
    german, russian = both
    assert declare(german, does="wait").status_code == 302
    refused = declare(german)
    assert refused.status_code == 422 and "Russian declares first" in words_of(refused)
    assert not offers(german, "declare") and offers(russian, "declare")
    declare(russian)
    assert declare(german).status_code == 302 and len(due(german)) == 2


def test_a_side_divides_as_it_likes_within_the_rules():
    player = set_up(
        begin(hot_seat=True)[0], ["russian-1", "russian-2"], LIST.replace("1 Rifle squad", "2 Rifle squads")
    )
    chosen = {"by:german-1": "1", "by:german-2": "2", "by:german-3": "2", "on:russian-1": "2", "on:russian-2": "1"}
    lone = declare(player, **{**chosen, "on:russian-2": ""})
    assert lone.status_code == 422 and "stand alone" in words_of(lone)
    looked = words_of(look(player, **chosen))
    assert "Panzergrenadier squad #1 against Rifle squad #2" in looked
    declare(player, **chosen, **{"value:german-3": "on"})
    first, second = [step.inputs for step in player.match.state.queue][:2]
    assert [row["id"] for row in first["attack"]] == ["german-1"]
    assert [row["id"] for row in first["defense"]] == ["russian-2"]
    assert ([row["id"] for row in second["attack"]], second["leader"]) == (["german-2", "german-3"], False)


def test_an_enemy_who_is_alone_is_attacked_by_all_and_the_nco_lends(one):
    declare(one)
    attack = one.match.state.queue[0].inputs
    assert [row["id"] for row in attack["attack"]] == GERMANS and attack["leader"] is True


def test_nothing_of_hidden_units_is_told(both):
    german, russian = both
    [commissar] = russian.bring_hidden("Russian: Commissar")
    russian.do("counters/", id=commissar, place="K7")
    assert known(russian)[commissar]["hidden"] and known(russian)[commissar]["place"] == "K7"
    for player in both:
        assert "Commissar" not in str(pages.words_of_each(text_of(look(player)), ".melee"))
    declare(russian)
    declare(german)
    assert "Commissar" not in words_of(german.get()) + words_of(german.get("log.json")) + words_of(look(german))
    assert not any(commissar in str(step.inputs) for step in german.match.state.queue)


def test_rules_are_given_the_counters_in_play_that_all_know_of(both):
    german, russian = both
    russian.do("counters/add/", list="Russian: Commissar", hidden="on")
    german.do("counters/", id="german-1", becomes="eliminated")
    assert [piece.counter.id for piece in counters.list_in_sight(german.match)] == ["german-2", "german-3", "russian-1"]


def test_an_observer_looks_at_a_sheet_and_declares_nothing():
    table = seated()
    table.german.do("counters/add/", list=LIST)
    table.german.do("counters/", id=GERMANS, place="K7")
    table.russian.do("counters/", id=RUSSIANS, place="K7")
    to_melee(table.german)
    sheet = look(table.observer)
    assert sheet.status_code == 200 and "Rifle squad #1" in words_of(sheet)
    assert not offers(table.observer, "declare") and not offers(table.observer, "wait")
    assert offers(table.german, "declare") and offers(table.german, "wait")


def test_rolled_one_by_one_nobody_falls_before_the_last_roll(one):
    declare(one)
    first, second = one.match.state.queue
    one.roll("close-combat", step=first.id, die="1", dice="table", **posted(first.inputs))
    assert states(one)["russian-1"] == ["close_combat"]
    one.roll("close-combat", step=second.id, die="1", dice="table", **posted(second.inputs))
    assert (states(one)["russian-1"], states(one)["german-2"]) == ("eliminated", "eliminated")


def test_a_log_with_a_declared_melee_is_worked_out_again(one):
    declare(one)
    resolve(one, "1", MISS)
    first, _ = attacks(one)
    assert first.sentence.startswith("Close Combat: Panzergrenadier squad #1")
    exported = json.loads(json.dumps(reading.export_log(one.match, ())))
    again = replay.work_out_results(exported)
    assert (again.problems, again.same) == ((), 2)
    line = exported["entries"][first.number - 1]
    line["sentence"] = line["sentence"].replace("Close Combat: ", "Fire: ")
    assert replay.work_out_results(exported).problems


def test_who_wants_to_be_asked_first_is_asked(one):
    one.do("option/", option="apply", choice="ask")
    declare(one)
    resolve(one, "1", "1")
    assert "eliminated" not in states(one).values() and len(one.match.state.proposed) == 2


def test_a_correction_of_one_attack_leaves_the_other(one):
    declare(one)
    resolve(one, "1", "1")
    first, second = attacks(one)
    assert states(one)["russian-1"] == "eliminated"
    response = one.roll("close-combat", corrects=first.number, dice="table", **posted(first.inputs) | {"die": MISS})
    assert response.status_code == 302, words_of(response)
    assert "eliminated" not in states(one)["russian-1"]
    assert second.number in [line.number for line in attacks(one)]


@pytest.mark.parametrize("place", ["", "K8", "K7/1", "<script>"])
def test_a_place_without_both_sides_has_no_sheet(one, place):
    response = declare(one, place)
    assert response.status_code == 422 and "no units of both sides" in words_of(response)
    assert look(one, place).status_code == 422


def test_casualties_of_a_close_combat_count_once_both_have_rolled():
    one = set_up(begin(hot_seat=True)[0])
    declare(one, **{"told:german": "1", "told:russian": "1"})
    first, second = one.match.state.queue
    one.roll("close-combat", step=first.id, dice="table", die=70)
    assert (one.match.state.proposed[0].becomes, known(one)["russian-1"]["state"]) == ("reduced", ["close_combat"])
    one.roll("close-combat", step=second.id, dice="table", die=MISS)
    assert one.match.state.proposed == ()
    assert known(one)["russian-1"]["state"] == ["reduced", "close_combat"]
    one.do("take-back/")
    assert one.match.state.proposed[0].becomes == "reduced"


def test_who_is_lost_by_hand_before_the_rolls_are_made_rolls_all_the_same(one):
    """19.2.1 step 3: both roll as they stood when both had declared."""
    declare(one)
    titles = due(one)
    one.do("counters/", id="russian-1", becomes="eliminated")
    assert due(one) == titles and len(titles) == 2
    for step in one.match.state.queue:
        answer = one.roll("close-combat", step=step.id, die=MISS, dice="table", **posted(step.inputs))
        assert answer.status_code == 302, pages.words_of_each(text_of(answer), ".trouble")
    assert len(attacks(one)) == 2


def test_casualties_of_who_is_lost_by_then_are_not_due(one):
    """A C that hits a unit that is out of play already does nothing more to it."""
    declare(one)
    first, second = one.match.state.queue
    one.do("counters/", id="russian-1", becomes="eliminated")
    one.roll("close-combat", step=second.id, dice="table", die=MISS)
    one.roll("close-combat", step=first.id, dice="table", die=70)
    assert attacks(one)[-1].result.outcome == "c"
    assert not any(line.helper == "casualties" for line in one.log) and due(one) == []


def test_what_a_side_declares_folds_the_old_result_and_leaves_the_other_to_declare(both):
    """An old result stood open on top as if the declaration had brought it, with "Nothing more is due."."""
    german, russian = both
    german.roll("morale", tq=6, name="Old", die=3, dice="table")
    before = german.match
    answer = text_of(declare(german, htmx=True, after=before.last_number))
    news = text_of(russian.get("live/", htmx=True, version=str(before.version), after=before.last_number))
    for part in (answer, news, text_of(german.get())):
        assert pages.find(part, "#desk .folded-result")
        assert "Nothing more is due" not in part
    assert offers(russian, "declare")


def test_a_result_says_nothing_is_over_while_a_place_is_open(one):
    one.roll("morale", tq=6, name="Old", die=3, dice="table")
    page = text_of(one.get())
    assert pages.find(page, "#desk .result") and "Nothing more is due" not in page


def test_who_is_gone_is_said_on_top_once_both_have_rolled(both):
    """What waits for the other roll is nobody's to write down, and comes about with that roll."""
    german, russian = both
    declare(german)
    declare(russian)
    resolve_own(german, "1")
    page = text_of(german.get())
    assert pages.words_of_each(page, ".proposed h2") == ["Once all have rolled"]
    assert pages.find(page, ".proposed li") and not pages.find(page, ".proposed button")
    resolve_own(russian, MISS)
    page = text_of(german.get())
    assert pages.words_of_each(page, "#desk .came-about") == ["Rifle squad #1: eliminated."]
    assert "Apply it when both" not in page and not pages.find(page, ".proposed")


def test_what_waits_for_who_is_hit_is_nobodys_to_write_down():
    one = begin(hot_seat=True)[0]
    one.do("counters/add/", list="German: Panzergrenadier squad\nRussian: Rifle squad, Commissar")
    one.do("counters/", id=["german-1", "russian-1", "russian-2"], place="K7")
    to_melee(one)
    declare(one)
    resolve(one, "1", "1")
    assert due(one) == ["Who is hit"] and [change.id for change in one.match.state.proposed] == ["german-1"]
    page = text_of(one.get())
    assert pages.words_of_each(page, ".proposed h2") == ["Once all have rolled"]
    assert not pages.find(page, ".proposed button")
    Reader(one.client).show(one.get()).form("#desk-form").fill(die_1=9, die_2=2).press("Resolve")
    assert states(one)["german-1"] == "eliminated" and states(one)["russian-1"] == "eliminated"


def test_rolls_on_one_card_tell_what_came_about_and_not_that_it_waits(one):
    declare(one)
    resolve(one, "1", MISS)
    page = pages.words(pages.find(text_of(one.get()), "#desk .result")[0])
    assert "Rifle squad #1 is eliminated." in page and "when both sides have rolled" not in page


def newest_sentence(player):
    return newest_episodes(player.match, ("german", "russian"))[0].sentence


def test_the_log_tells_a_close_combat_without_its_markers_counter_by_counter(one):
    """Who fights has been declared: that everybody is in close combat is nothing new."""
    declare(one)
    resolve(one, "1", MISS)
    sentence = newest_sentence(one)
    assert "Rifle squad #1 eliminated" in sentence
    assert "close combat" not in sentence.replace("Close Combat", "")
    one.do("counters/", id="german-1", becomes="no_close_combat")
    one.do("counters/", id="german-1", becomes="close_combat")
    assert newest_sentence(one).endswith(" squad #1: in close combat.")
