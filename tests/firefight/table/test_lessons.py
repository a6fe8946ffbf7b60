"""A lesson through its pages: each hint is gone once it was done, by nothing else, and whoever knows sees none."""

import gzip

import pytest

from firefight.assistant.lessons import list_lessons
from firefight.games import registry
from firefight.models import Match
from tests.filling import NotOffered, Reader
from tests.firefight import players
from tests.firefight.players import text_of

from .test_queries import queries

pytestmark = pytest.mark.django_db
GAMES = {"fire": "combat-stalingrad", "artillery": "combat-stalingrad", "melee": "combat-stalingrad"}
GAMES |= {"impulse": "turning-point-stalingrad", "combat": "battle-for-stalingrad"}
GAMES |= {"attack": "streets-of-stalingrad", "bombardment": "streets-of-stalingrad"}
GAMES |= {"turn": "inferno-on-the-volga", "rubble": "inferno-on-the-volga"}
ALL = ["german-1", "german-2", "german-3", "russian-1", "russian-2"]
BEFORE_FIRE = ["choose", "press", "aim", "odds", "die"]


def begin_lesson(lesson, script=True):
    """Press its button where a match begins; the page of the match is open then."""
    player = players.Player()
    reader = Reader(player.client, script).open(f"/match/new/{GAMES[lesson]}/")
    reader.press(f"lesson={lesson}")
    player.match_id = Match.objects.latest("created").pk
    assert reader.address.endswith(f"/match/{player.match_id}/")
    reader.player = player
    return reader


@pytest.fixture(params=[True, False], ids=["htmx", "no script"])
def reader(request, frozen):
    """The learner of the first lesson."""
    player = frozen("lesson", lambda: begin_lesson("fire").player)
    learner = Reader(player.client, request.param).open(f"/match/{player.match_id}/")
    learner.player = player
    return learner


def hints(reader):
    return [step.attributes["data-step"] for step in reader.find("#lesson [data-step]")]


def fire(reader, die=25):
    reader.form("#table").fill(chosen=ALL)
    reader.press("Fire")
    reader.form("#desk-form").fill(die=die).press("Resolve")


def check(reader, *faces):
    boxes = [box.attributes["name"] for box in reader.find("#desk-form input.die")]
    reader.form("#desk-form").fill(dict(zip(boxes, faces, strict=True))).press("Resolve")


def see(reader, step):
    """What the page's script sends once something was opened."""
    reader.form("#lesson form").press(f"step={step}")


def take_back(reader):
    reader.press_node(reader.find("#do-take-back")[0])


def test_each_hint_of_the_first_lesson_goes_by_doing(reader):
    assert hints(reader) == BEFORE_FIRE
    see(reader, "odds")
    assert hints(reader) == ["choose", "press", "aim", "die"]
    fire(reader)
    assert hints(reader) == ["checks"]
    check(reader, 3, 9)
    assert hints(reader) == ["why", "back"]
    see(reader, "why")
    assert hints(reader) == ["back"]
    take_back(reader)
    assert hints(reader) == [] and "That was a fire attack" in reader.words("#lesson")
    reader.press("Next: Artillery")
    assert hints(reader)[0] == "aim" and reader.player.match_id not in reader.address


def test_a_hint_alone_says_what_to_do(reader):
    assert "Choose a roll" not in reader.words("#desk")
    reader.form("#lesson form").press("over=on")
    assert "Choose a roll" in reader.open(reader.address).words("#desk")


def test_no_hint_goes_by_anything_else(reader):
    player = reader.player
    player.note("Where are they?")
    player.do("counters/", id="german-1", place="K8")
    player.do("counters/", id="german-1", place="K7")
    player.roll("free-roll", label="Initiative", roll="german", german_die="4")
    player.roll("morale", tq="6", die="3")
    player.do("advance/", button="phase")
    player.do("record/", field="phase", value="fire_and_movement")
    reader.open(reader.address)
    assert hints(reader) == BEFORE_FIRE
    for forged in ("die", "choose", "no-such-hint", ""):
        player.send("lesson/", {"step": forged})
    assert hints(reader.open(reader.address)) == BEFORE_FIRE
    fire(reader)
    player.note("And now?")
    player.send("lesson/", {"step": "checks"})
    assert hints(reader.open(reader.address)) == ["checks"]


def test_what_was_done_is_done_for_good_until_it_is_taken_back(reader):
    fire(reader)
    take_back(reader)
    assert hints(reader) == [*BEFORE_FIRE], "the attack is to be made again"
    fire(reader)
    check(reader, 3, 3)
    see(reader, "why")
    assert hints(reader) == [], "it was taken back before"
    take_back(reader)
    take_back(reader)
    assert hints(reader.open(reader.address)) == [] and "That was a fire attack" in reader.words("#lesson")


def test_an_attack_without_effect_leaves_no_checks_to_wait_for(reader):
    fire(reader, die=99)
    assert not reader.player.match.state.queue
    assert hints(reader) == ["why", "back"]


def test_a_second_device_sees_its_own_hints(reader):
    player = reader.player
    link = players.links_in(player.issue("russian"))["russian"]
    russian = players.sit(link, player.match_id)
    other = Reader(russian.client).open(f"/match/{player.match_id}/")
    assert hints(other) == [] and not other.has("#lesson")
    fire(reader.open(f"/match/{player.match_id}/"))
    assert hints(other.look()) == ["checks"]
    check(other.open(other.address), 3, 3)
    assert hints(reader.look()) == ["why", "back"]


def test_one_device_at_both_seats_finds_the_same_hint(reader):
    player = reader.player
    player.client.get(players.links_in(player.issue("russian"))["russian"])
    player.client.post("/claim/")
    for side in ("russian", "german", "russian"):
        player.client.post(f"/match/{player.match_id}/lift/", {"side": side})
        assert hints(reader.open(f"/match/{player.match_id}/")) == BEFORE_FIRE


def test_whoever_wants_no_more_hints_has_none_for_good(reader):
    reader.form("#lesson form").press("over=on")
    assert not reader.has("#lesson")
    assert not reader.open(f"/match/{reader.player.match_id}/").has("#lesson")
    fire(reader)
    assert not reader.has("#lesson")
    assert "lesson" not in text_of(reader.player.get())


def test_observers_have_none_and_change_none(reader):
    player = reader.player
    watcher = players.sit(players.links_in(player.issue("observer"))["observer"], player.match_id)
    assert 'id="lesson"' not in text_of(watcher.get())
    watcher.send("lesson/", {"over": "on"})
    watcher.send("lesson/", {"step": "odds"})
    assert hints(reader.open(f"/match/{player.match_id}/")) == BEFORE_FIRE
    assert players.Player(player.match_id).send("lesson/", {"over": "on"}).status_code == 403
    assert player.match.lesson.is_over is False


def test_taking_back_passes_over_the_example(reader):
    before = reader.player.match.state
    take_back(reader)
    assert "nothing to take back" in reader.words("#now").lower()
    assert reader.player.match.state == before and hints(reader) == BEFORE_FIRE


def test_an_ordinary_match_has_no_trace_and_no_query_more(frozen, reader):
    ordinary, _ = players.begin()
    for page in ("", "roll/fire/"):
        assert "lesson" not in text_of(ordinary.get(page)) and "hint" not in text_of(ordinary.get(page))
    answer = ordinary.roll("free-roll", htmx=True, after="0", label="Who?", roll="german", german_die="4")
    assert "lesson" not in text_of(answer)
    ordinary.send("lesson/", {"over": "on", "step": "odds"})
    assert ordinary.match.lesson is None
    ordinary.get(), reader.player.get()  # a visit begins
    assert queries(reader.player.get) == queries(ordinary.get) + 1


def test_an_ended_match_has_no_hints(reader):
    players.end(reader.player)
    assert not reader.open(f"/match/{reader.player.match_id}/").has("#lesson")


def test_the_example_stands_as_the_lesson_says(reader):
    counters = reader.player.match.state.counters.values()
    assert (
        sorted((counter["side"], counter["place"]) for counter in counters)
        == [("german", "K7")] * 3 + [("russian", "K9")] * 2
    )
    assert "K9" in reader.player.match.state.record["ground"]
    lines_told = [(line.side, line.sentence) for line in reader.player.log if line.kind == "counter"]
    assert ("german", "Into play: 2 × Grenadier squad, 1 × Heavy MG 34.") in lines_told
    assert ("russian", "Into play: 2 × Rifle squad.") in lines_told and not any(
        "by the German" in sentence for _, sentence in lines_told
    )
    reader.form("#table").fill(chosen=ALL)
    reader.press("Fire")
    assert "21 FF on column 20" in reader.words("#desk")


def test_an_unknown_example_is_not_begun():
    answer = players.Player().client.post("/match/new/combat-stalingrad/", {"lesson": "swimming"})
    assert answer.status_code == 404 and not Match.objects.exists()


def test_artillery_is_taught_from_contact_to_its_card():
    reader = begin_lesson("artillery")
    assert hints(reader) == ["aim", "contact", "reach"]
    reader.form("#kept-cards form[action*=contact]").fill(aim="P12").press()
    reader.form("#desk-form").fill(die=30).press("Resolve")
    assert hints(reader) == ["land"]
    reader.form("#desk-form").fill(die=30).press("Resolve")
    assert hints(reader) == ["resolve"]
    reader.form("#desk-form").fill(die=25).press("Resolve")
    assert hints(reader) == ["resolve"]
    check(reader, 3, 9)
    assert hints(reader) == ["card"]
    see(reader, "card")
    assert "That was a Contact" in reader.words("#lesson")
    assert reader.player.match.state.record["missions"]["german-1"]["marker"] == "cff"


def test_a_battery_that_is_not_reached_leaves_nobody_stuck():
    reader = begin_lesson("artillery")
    reader.form("#kept-cards form[action*=contact]").fill(aim="P12").press()
    reader.form("#desk-form").fill(die=80).press("Resolve")
    assert hints(reader) == ["card"]


def test_close_combat_is_taught_and_one_player_declares_for_a_free_seat():
    reader = begin_lesson("melee")
    assert hints(reader) == ["open", "declare", "dice"]
    reader.press("Close Combat in K7")
    reader.press("Declare both")
    assert len(reader.player.match.state.queue) == 2 and hints(reader) == ["open", "declare", "dice"]
    check(reader, 20, 99)
    assert "That was Close Combat" in reader.words("#lesson")
    with pytest.raises(NotOffered):
        reader.press("Next")


def test_an_impulse_is_taught_with_its_payment():
    reader = begin_lesson("impulse")
    assert hints(reader) == ["open", "attackers", "defenders", "odds", "dice"]
    reader.press("Attack")
    reader.form("#desk-form").fill({"attackers-short": "4/71 3/71", "defenders-short": "3 2"})
    reader.form("#desk-form").fill(attack_dr=8, defence_dr=9).press("Resolve")
    assert hints(reader) == ["pay"]
    reader.press_node(reader.find("#desk .offers button")[0])
    assert hints(reader) == ["why", "done"]
    see(reader, "why")
    reader.press("button=impulse")
    assert "That was an impulse" in reader.words("#lesson")


def test_who_pays_elsewhere_has_the_hint_of_the_payment():
    reader = begin_lesson("impulse")
    player = reader.player
    link = players.links_in(player.issue("russian"))["russian"]
    russian = players.sit(link, player.match_id)
    reader.open(f"/match/{player.match_id}/").press("Attack")
    reader.form("#desk-form").fill({"attackers-short": "4/71 3/71", "defenders-short": "3 2"})
    reader.form("#desk-form").fill(attack_dr=8, defence_dr=9).press("Resolve")
    assert hints(reader) == []
    assert hints(Reader(russian.client).open(f"/match/{player.match_id}/")) == ["pay"]


def transferred(reader):
    """Bytes of the last answer, as they are sent."""
    return len(gzip.compress(reader.response.content))


def test_every_lesson_of_every_game_is_read_here():
    lessons = {(lesson, game) for game in registry.games() for lesson in list_lessons(game)}
    assert lessons == set(GAMES.items())


@pytest.mark.parametrize("lesson", GAMES)
def test_the_page_of_a_lesson_keeps_to_the_budget(lesson):
    assert transferred(begin_lesson(lesson)) <= 60_000


def test_the_answers_of_a_lesson_keep_to_the_budget():
    reader = begin_lesson("fire")
    sizes = {}
    for name, act in {"fire": fire, "checks": lambda page: check(page, 3, 9), "back": take_back}.items():
        act(reader)
        sizes[name] = transferred(reader)
    assert max(sizes.values()) <= 10_000, sizes


def test_a_combat_is_taught():
    reader = begin_lesson("combat")
    assert hints(reader) == ["open", "firers", "terrain", "odds", "die"]
    reader.press("Combat")
    reader.form("#desk-form").fill({"firers-short": "6 4 8h", "terrain": "heavy"})
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert hints(reader) == ["why", "back"]
    see(reader, "why")
    take_back(reader)
    assert "That was a combat" in reader.words("#lesson")


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no script"])
def test_a_stranger_comes_from_the_first_page_to_the_first_roll_in_a_match_with_four_taps(script):
    player = players.Player()
    reader = Reader(player.client, script).open("/")
    reader.press("Learn it in five minutes")  # the others: K7, Fire, K9; then the die, and Enter
    reader.player = player
    player.match_id = Match.objects.latest("created").pk
    fire(reader)
    assert player.last.helper == "fire"
    reader.open("/").press("Learn it in five minutes")  # a look at something else first takes nothing away
    assert Match.objects.latest("created").pk != player.match_id


def test_whoever_is_alone_with_a_lesson_takes_its_own_dice_back_without_asking(reader):
    reader.form("#table").fill(chosen=ALL)
    reader.press("Fire")
    reader.form("#desk-form").press("Roll here")
    take_back(reader)
    assert "asks to take back" not in reader.words("main")
    assert reader.player.match.proposal is None and reader.player.last.sentence.startswith("Taken back")


def test_in_a_lesson_too_another_player_is_asked(reader):
    player = reader.player
    players.sit(players.links_in(player.issue("russian"))["russian"], player.match_id)
    reader.open(reader.address).form("#table").fill(chosen=ALL)
    reader.press("Fire")
    reader.form("#desk-form").press("Roll here")
    take_back(reader)
    assert player.match.proposal is not None


def test_the_last_lesson_leads_to_a_firefight_of_ones_own():
    reader = begin_lesson("melee")
    reader.press("Close Combat in K7")
    reader.press("Declare both")
    boxes = [box.attributes["name"] for box in reader.find("#desk-form input.die")]
    reader.form("#desk-form").fill(dict(zip(boxes, (20, 99), strict=True))).press("Resolve")
    reader.press("Begin a firefight")
    assert reader.address.endswith("/match/new/combat-stalingrad/")


def test_whoever_plays_elsewhere_chooses_the_game(client):
    reader = Reader(client).open("/")
    reader.press("Begin a match")
    reader.press("Combat! Stalingrad")
    reader.press("Another game")
    reader.press("Turning Point: Stalingrad")
    assert reader.has("button[name=lesson][value=impulse]")
