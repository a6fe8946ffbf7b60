"""A procedure that goes on by itself, played from its page: the night of the toy for one player."""

import json
from dataclasses import replace

import pytest

from examples.lone_watch import rules
from examples.lone_watch.night import HOW_TO_LIGHT
from firefight.columns import MatchState
from firefight.engine.course.course import Position
from firefight.engine.record import KeptStanding
from firefight.games import registry
from firefight.models import Act, Match, Subscription
from firefight.table.act import bounds
from firefight.table.files import archive, making
from firefight.table.seats import subscriptions, turns
from tests.filling import Reader
from tests.firefight import players
from tests.games.beasts import BEASTS, find_beasts

pytestmark = pytest.mark.django_db
STEP = "form#step-form"


@pytest.fixture
def watch(frozen):
    return frozen("watch, in the night's turn", begin_night)


def begin_night():
    """A match for one player, in the night's turn."""
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    watch.do("record/", field="side", value="night")
    return watch


@pytest.fixture
def reader(watch):
    """Its page."""
    return Reader(watch.client).open(f"/match/{watch.match_id}/")


def come_near(reader):
    """Let the night go on until it asks, with dice of the table; as often as it keeps away, it is sent on again."""
    reader.form(STEP).press("Go on")
    return reader.form(STEP).fill(step=5).press("Resolve")


def step_of(player):
    return player.get("step.json").json()["step"]


def kept(player):
    return player.match.state.record


def test_nothing_goes_on_by_itself_in_the_turn_of_a_player():
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    assert not Reader(watch.client).open(f"/match/{watch.match_id}/").find(STEP)
    assert step_of(watch) is None
    answer = watch.do("step/")
    assert answer.status_code == 403 and "Nothing goes on by itself here." in players.words_of(answer)


def test_nothing_goes_on_by_itself_for_two_players():
    watch = players.begin("watch", game="lone-watch", **{"option-mode": "both"})[0]
    watch.do("record/", field="side", value="night")
    assert step_of(watch) is None


def test_it_throws_unseen_and_stops_where_players_throw(watch, reader):
    assert step_of(watch)["throw"] is None  # nobody is asked for what the app throws
    reader.form(STEP).press("Go on")
    assert len(kept(watch)["hand"]) == 1 and kept(watch)["night"]["at"] == "step"
    assert reader.find(f"{STEP} input[name=step]")
    assert step_of(watch)["throw"] == {"name": "step", "sides": 6, "label": "How near it comes"}
    assert "owl" not in reader.words() and "wolf" not in reader.words()
    assert watch.last.sentence == "The Night: The night, under seal."


def test_it_asks_its_side_with_every_choice_that_is_legal(watch, reader):
    come_near(reader)
    assert "It is near. What does the watch do?" in reader.words(STEP)
    assert [option["choice"] for option in step_of(watch)["options"]] == ["stand", "light"]
    assert kept(watch)["night"]["at"] == "ask"


def test_it_goes_on_to_its_end_and_gives_the_turn_back(watch, reader):
    come_near(reader)
    reader.form(STEP).press("Light a fire")
    assert kept(watch)["night"] is None
    assert (watch.match.state.turn, watch.match.state.impulse) == (2, "watch")
    assert not reader.find(STEP)
    assert "The night is over (4.4)." in reader.words()


def test_a_choice_that_is_not_offered_is_refused_with_its_reason(watch, reader):
    watch.do("record/", field="fear", value="5")
    reader.open(reader.address)
    come_near(reader)
    before = kept(watch)
    assert [option["choice"] for option in step_of(watch)["options"]] == ["stand"]
    answer = watch.do("step/", choice="light")
    assert answer.status_code == 422 and HOW_TO_LIGHT in players.words_of(answer)
    answer = watch.do("step/", choice="flee")
    assert answer.status_code == 422 and "Choose one of what is offered." in players.words_of(answer)
    assert kept(watch) == before


def test_a_die_that_is_none_is_refused_and_nothing_has_happened(watch, reader):
    reader.form(STEP).press("Go on")
    before, lines = kept(watch), watch.match.last_number
    for typed in ("7", "x", ""):
        assert watch.do("step/", dice="table", step=typed).status_code == 422, typed
    assert (kept(watch), watch.match.last_number) == (before, lines)


def test_it_rests_where_there_is_something_to_look_at_unless_it_is_let_go_all_the_way(watch, reader):
    reader.form(STEP).press("Go on")
    reader.form(STEP).fill(step=1).press("Resolve")  # no beast comes near on a 1
    assert kept(watch)["night"]["at"] == "end" and "it keeps away" in reader.words(STEP)
    watch.do("take-back/")
    assert kept(watch)["night"]["at"] == "step"
    watch.do("step/", dice="table", step="1", way="all")
    assert kept(watch)["night"] is None


def test_what_one_act_has_done_is_taken_back_whole(watch, reader):
    reader.form(STEP).press("Go on")
    reader.form(STEP).fill(step=5).press("Resolve")
    before = watch.match.state
    watch.do("step/", choice="stand", dice="table")
    assert kept(watch)["fear"] == 1
    watch.do("take-back/")
    assert watch.match.state.record == before.record


def test_dice_of_the_app_cannot_be_taken_back_alone(watch, reader):
    reader.form(STEP).press("Go on")
    assert not Act.objects.filter(match=watch.match_id).order_by("-number").first().free_to_take_back


def test_a_reload_and_another_device_find_it_where_it_stands(watch, reader):
    come_near(reader)
    other = Reader(watch.client).open(f"/match/{watch.match_id}/")
    assert other.words(f"{STEP} .question") == reader.words(f"{STEP} .question") != ""
    other.form(STEP).press("Stand")
    answer = reader.form(STEP).press("Light a fire")
    assert reader.status == 409 or "moved on" in reader.words(), answer


def test_a_file_brings_it_along_and_a_wrong_one_is_refused(watch, reader):
    come_near(reader)
    flaws = rules.RECORD.flaws({**rules.RECORD.complete({}), "night": {"at": "nowhere"}})
    assert flaws == ("The night: this is not a place of the night.",)
    assert rules.RECORD.flaws({**rules.RECORD.complete({}), "night": {"at": "ask"}}) == ()
    match = making.make_match(archive.read_archive(watch.get("archive.json").content), hot_seat=False).match
    assert match.state.record == kept(watch) and match.state.record["night"]["at"] == "ask"


def test_many_steps_in_one_act_have_a_bound(watch, reader, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_CONDUCTED", 1)
    reader.form(STEP).press("Go on")
    assert kept(watch)["night"]["at"] == "step"


def test_an_observer_hears_who_decides_and_is_offered_nothing(reader):
    watch, links = players.begin("watch", game="lone-watch", mode="alone")
    watch.do("record/", field="side", value="night")
    come_near(Reader(watch.client).open(f"/match/{watch.match_id}/"))
    bench = players.sit(links["observer"], watch.match_id)
    step = step_of(bench)
    assert (step["side"], step["question"], step["options"]) == ("watch", "", [])
    page = Reader(bench.client).open(f"/match/{watch.match_id}/")
    assert "Waiting for The Watch." in page.words(STEP) and not page.find(f"{STEP} button")
    assert bench.do("step/", choice="light").status_code == 403
    assert kept(watch)["night"]["at"] == "ask"


def test_a_program_hears_what_its_answer_has_come_to(watch, reader):
    come_near(reader)
    answer = watch.client.post(
        f"/match/{watch.match_id}/step/", {**watch.stamp, "choice": "light"}, headers={"Accept": "application/json"}
    )
    outcome = answer.json()
    assert [line["sentence"].partition(" (")[0] for line in outcome["lines"]][:2] == [
        "It is near. What does the watch do? The Watch: Light a fire.",
        "A fire is lit",
    ]
    assert outcome["place"]["side"] == "watch"


# What a side that nobody plays keeps to itself

PAGES = ("", "log/", "report/", "record/", "dice/", "file/")
ADDRESSES = (*PAGES, "archive.json", "log.json", "report.md", "record.json", "step.json")


def spy(player, at):
    """Every answer to a player tells of no beast."""
    for address in ADDRESSES:
        for htmx in (False, True):
            text = players.text_of(player.get(address, htmx=htmx))
            assert not find_beasts(text), (at, address)


def test_nobody_who_plays_finds_out_which_beast_is_out_there(watch, reader):
    spy(watch, "before")
    reader.form(STEP).press("Go on")
    assert kept(watch)["night"]["beast"] in BEASTS
    spy(watch, "drawn")
    reader.form(STEP).fill(step=6).press("Resolve")
    spy(watch, "asked")
    assert watch.get("record.json").json()["record"]["night"] is None
    for answer in (
        watch.do("step/", choice="flee"),
        watch.do("record/", field="night", value=""),
        watch.do("record/", field="night.beast", value="owl"),
        watch.do("step/", choice="stand"),
    ):
        assert not find_beasts(players.text_of(answer))
    watch.do("take-back/")
    spy(watch, "taken back")


def test_no_line_of_the_log_holds_where_it_stands(watch, reader):
    come_near(reader)
    reader.form(STEP).press("Light a fire")
    lines = watch.match.log.filter(kind="record")
    assert lines and not [line for line in lines if "night" in line.inputs.get("changes", {})]


def test_an_act_notes_of_a_long_standing_only_how_it_differs(watch, reader, monkeypatch):
    long = {"at": "ask", "beast": "owl"} | {f"place {number}": {"far": number} for number in range(600)}
    monkeypatch.setattr(KeptStanding, "read", lambda field, value: value)
    match = watch.match
    match.state = replace(match.state, record={**kept(watch), "night": long})
    match.save(update_fields=["state"])
    assert len(json.dumps(kept(watch)["night"])) > 10_000
    reader.open(reader.address)
    reader.form(STEP).press("Stand")
    assert kept(watch)["night"] == {**long, "at": "step"}
    act = Act.objects.filter(match=watch.match_id).order_by("-number").first()
    assert len(json.dumps(act.state_undo)) < 300
    assert sum(len(json.dumps(line.inputs)) for line in act.entries.all()) < 300
    watch.do("take-back/")
    assert kept(watch)["night"] == long


def test_a_correction_leaves_it_where_it_stands():
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    watch.roll("watch", season="summer", fear="0", dice="table", die="2")
    number = watch.last.number
    watch.do("record/", field="side", value="night")
    come_near(Reader(watch.client).open(f"/match/{watch.match_id}/"))
    stands = kept(watch)["night"]
    watch.roll("watch", season="summer", fear="0", dice="table", die="20", corrects=number)
    assert kept(watch)["fear"] == 0 and kept(watch)["night"] == stands


# Whose turn it is where the app plays a side


def test_nobody_is_waited_for_wrongly_and_nobody_is_called_through_a_night(watch, reader, monkeypatch):
    monkeypatch.setattr(subscriptions, "_SEND", {kind: lambda _: pytest.fail("called") for kind in subscriptions.Kind})
    seat = watch.match.seats.get(side="watch")
    begun = turns.find_standing(watch.match)
    fields = {"told": 1, "awaited": begun.is_turn_of(("watch",)), "kind": subscriptions.Kind.WEBHOOK}
    Subscription.objects.create(seat=seat, address="https://chat.invalid/x", **fields)
    places = []
    for answer in ({}, {"dice": "table", "step": "6"}, {"choice": "stand"}, {"dice": "table", "step": "1"}, {}):
        watch.do("step/", **answer)
        places.append((kept(watch)["night"] or {}).get("at", ""))
        assert turns.find_standing(watch.match).awaited == ("watch",), places
        assert "Waiting for" not in players.words_of(watch.client.get("/")), places
        assert subscriptions.call_players() == 0
    assert places == ["step", "ask", "step", "end", ""]


def test_the_side_that_decides_is_waited_for_where_several_play(monkeypatch):
    """Two who play together against the night: who is asked is waited for, else both."""
    mode = replace(rules.MODES[0], slug="pair", seats=("watch", "friend"))
    game = replace(registry.games()["lone-watch"], sides={**rules.SIDES, "friend": "The Friend"}, modes=(mode,))
    monkeypatch.setattr(registry, "games", lambda: {"lone-watch": game})
    position = Position(turn=1, side="night")
    for standing, awaited in (
        (None, ("watch", "friend")),
        ({"at": "draw"}, ("watch", "friend")),
        ({"at": "ask"}, ("watch",)),
    ):
        state = MatchState(options={"mode": "pair"}, record={"night": standing}).at(position)
        assert turns.find_standing(Match(game="lone-watch", state=state)).awaited == awaited
