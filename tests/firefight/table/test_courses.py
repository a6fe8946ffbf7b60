"""Games of other shapes at the table: three sides, no phases, a track, one player, things agreed beforehand."""

import re
import sys
from types import SimpleNamespace

import pytest
from django.conf import settings

from firefight.assistant import reminders
from firefight.engine.course.alternating import Alternating, NoCourse
from firefight.engine.course.beginning import Mode, Option
from firefight.engine.course.impulses import Impulses
from firefight.engine.course.phases import Phase, Phases
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.games import chartbooks, registry
from firefight.kit.fields.choices import Pick
from firefight.kit.fields.forms import HelperForm
from firefight.kit.game import Game, PageWords
from firefight.kit.helper import Helper
from firefight.models import Match
from firefight.table.views import archive as archive_views
from tests import pages
from tests.firefight import players
from tests.firefight.players import GAME, Player, text_of, words_of
from tests.firefight.table.test_archive import save, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toys")]

THREE = {"blue": "The Blues", "red": "Red", "grey": "Grey League"}


class Found(Outcome):
    """What a toy's roll comes to."""

    SEEN = "seen"


class LookForm(HelperForm):
    """Inputs of a look around."""

    weather = Pick("Weather", {"clear": "Clear", "fog": "Fog"})


def look(charts, weather, die=None):
    if die is None:
        return Result("Look around.", needs=("die",))
    return Result("Seen.", Found.SEEN, dice={"die": die})


def helper_of(game, slug, group, **more):
    spec = (DieSpec("die", 10, "d10"),)
    return Helper(
        game,
        slug,
        title=slug.capitalize(),
        group=group,
        purpose="",
        rules=(),
        form=LookForm,
        rule=look,
        outcomes=("seen",),
        dice=spec,
        is_read=False,
        **more,
    )


def due_at_dusk(position, record):
    return (FollowUp("sleep", "Who sleeps", {}),) if position.phase == "dusk" else ()


def game_of(slug, sides, **more):
    return Game(slug=slug, title=slug.capitalize(), sides=sides, **more)


PHASES = (Phase("dawn", "Dawn"), Phase("noon", "Noon", has_impulses=True), Phase("dusk", "Dusk"))
TRIO = game_of("trio", THREE, course=Phases(sides=THREE, phases=PHASES, last_turn=3, due=due_at_dusk))
BARE = game_of("bare", {"left": "Left", "right": "Right"}, course=NoCourse())
TRACK = game_of("track", {"left": "Left", "right": "Right"}, course=Impulses(sides={"left": "Left", "right": "Right"}))
SIDES = {"german": "German", "soviet": "Soviet", "yellow": "Yellow", "grey": "Grey"}
SOLO = game_of(
    "solo",
    SIDES,
    course=Alternating(sides={"german": "German", "soviet": "Soviet"}),
    modes=(
        Mode("alone", "Alone against the Soviets", ("german",)),
        Mode("both", "Two players", ("german", "soviet")),
        Mode("together", "Together", ("yellow", "grey"), Alternating(sides={"yellow": "Yellow", "grey": "Grey"})),
    ),
    options=(
        Option("scenario", "Scenario", {"short": "The short one", "long": "The long one"}),
        Option("sky", "Sky", {"clear": "Clear", "fog": "Fog"}, field="weather", helpers=("look",), seldom=True),
    ),
    words=PageWords(match="game", example="Sunday alone", opening="Look around first.", sealed="traps"),
)
TOYS = (TRIO, BARE, TRACK, SOLO)
HELPERS = tuple(
    helper_of(game.slug, slug, group, steps=steps)
    for game in TOYS
    for slug, group, steps in (("look", "Eyes", ("dawn",)), ("sleep", "Rest", ("dusk",)))
)
CACHES = (
    *(
        registry.games,
        registry._rooms,
        registry.helpers,
        chartbooks.shipped_data,
        chartbooks.shipped,
        chartbooks.shipped_digest,
    ),
    *(
        reminders.read_reference,
        reminders.list_sections,
        reminders.for_step,
        reminders.for_helper,
        reminders._reminders,
    ),
)


@pytest.fixture
def toys(settings, tmp_path, monkeypatch):
    """The toys stand beside the real games."""
    for game in TOYS:
        file = str(tmp_path / game.slug / "__init__.py")
        room = {
            "": {"__file__": file},
            ".game": {"GAME": game},
            ".helpers": {"HELPERS": HELPERS if game is TRIO else ()},
        }
        for part, attributes in room.items():
            monkeypatch.setitem(sys.modules, f"{game.slug}{part}", SimpleNamespace(**attributes))
    settings.ASSIST_GAMES = [*settings.ASSIST_GAMES, *(game.slug for game in TOYS)]
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


def begin(game, side, **fields):
    maker, links = players.begin(side, game=game, **fields)
    return maker, {seat: players.sit(link, maker.match_id) for seat, link in links.items() if seat != side}


# Three sides


def test_three_sides_pass_the_impulse_in_their_order():
    blue, others = begin("trio", "blue")
    assert set(others) == {"red", "grey", "observer"}
    blue.do("advance/")
    assert "Turn 1 · Noon · impulse: The Blues" in blue.see()
    for name in ("Red", "Grey League", "The Blues"):
        assert blue.do("advance/", button="impulse").status_code == 302
        assert blue.last.sentence == f"Impulse: {name}."
    assert "impulse: The Blues" in others["grey"].see()


def test_all_of_three_sides_agree_to_the_end():
    blue, others = begin("trio", "blue")
    blue.do("end/", sure="on")
    others["red"].do("answer/", agrees="yes")
    assert others["red"].last.sentence == "Red agrees; still to answer: Grey League."
    assert blue.match.ended is None
    assert "Waiting for the others" in others["red"].see()
    assert others["red"].do("answer/", agrees="yes").status_code == 403
    others["grey"].do("answer/", agrees="yes")
    assert blue.match.ended


def test_one_of_three_sides_declines_for_all():
    blue, others = begin("trio", "blue")
    blue.do("end/", sure="on")
    others["red"].do("answer/", agrees="yes")
    others["grey"].do("answer/", agrees="no")
    assert others["grey"].last.sentence == "Grey League plays on."
    assert blue.match.proposal is None


def test_a_side_is_shown_by_its_name_and_place_in_the_game():
    blue, others = begin("trio", "blue")
    blue.note("Hello.")
    for player in (blue, *others.values()):
        page = text_of(player.get())
        assert '<span class="who">The Blues</span>' in page
        assert pages.find(page, ".line.note.side-1")
    assert 'class="side side-3">Grey League<' in text_of(others["grey"].get())
    assert "The Blues" in words_of(blue.get("report/"))
    assert "**The Blues:** Hello." in text_of(blue.get("report.md"))


def test_what_is_due_at_a_step_is_put_on_the_list_and_taken_back_with_it():
    blue, _ = begin("trio", "blue")
    for _ in range(2):
        blue.do("advance/")
    assert [step.title for step in blue.match.state.queue] == ["Who sleeps"]
    assert "Who sleeps" in blue.see()
    blue.do("take-back/")
    assert (blue.match.state.phase, blue.match.state.queue) == ("noon", ())


def test_the_rolls_of_the_present_step_stand_first():
    def offered(player):
        rolls = pages.words_of_each(text_of(player.get()), "nav#rolls [formaction*='/roll/']")
        return [words.rpartition(": ")[2] for words in rolls]

    blue, _ = begin("trio", "blue")
    assert offered(blue) == ["Look", "Sleep"]
    for _ in range(2):
        after = blue.match.last_number
        response = blue.do("advance/", htmx=True, after=after)
    assert 'id="rolls"' in text_of(response)
    assert offered(blue) == ["Sleep", "Look"]


# Courses


def test_a_match_without_phases_begins_and_goes_nowhere():
    left, _ = begin("bare", "left")
    assert "Next" not in left.see()
    response = left.do("advance/")
    assert response.status_code == 403
    assert "This game has no course." in words_of(response)
    assert left.roll("look", weather="fog", die="4", dice="table").status_code == 302


def test_a_track_offers_its_own_buttons():
    left, others = begin("track", "left")
    assert "Turn 1 · impulse 1: Left" in left.see()
    left.do("advance/", button="pass")
    others["right"].do("advance/", button="pass")
    assert left.last.sentence == "Right passes, which ends the turn. Turn 2, impulse 1: Left."
    assert left.match.snapshots.first().label == "Turn 2"
    assert left.do("advance/", button="backwards").status_code == 403


@pytest.mark.parametrize("game", ["trio", "bare", "track", "solo"])
def test_every_page_of_a_game_without_a_reference_file_opens(client, game):
    for place in ("", "reference/", "charts/", "look/", "look.json", "look/odds.json?weather=fog"):
        assert client.get(f"/assist/{game}/{place}").status_code == 200, place
    assert "Nothing is written down" in words_of(client.get(f"/assist/{game}/reference/"))


@pytest.mark.parametrize(("game", "side"), [("trio", "red"), ("bare", "left"), ("track", "right"), ("solo", "german")])
def test_a_match_of_any_course_goes_on_from_its_file(game, side):
    player, _ = begin(game, side)
    for _ in range(3):
        player.do("advance/")
    saved = save(player)
    opened, response = send(saved, side)
    assert response.status_code == 200
    assert opened.match.state == player.match.state
    branched = Player(client=player.client)
    player.do("branch/")
    branched.match_id = Match.objects.latest("created").pk
    assert branched.match.state == player.match.state


def test_a_file_with_a_position_that_its_course_does_not_have_is_refused():
    saved = save(begin("track", "left")[0])
    saved["match"]["state"] |= {"impulse": "", "impulse_number": 0}
    _, response = send(saved, "left")
    assert response.status_code == 422
    refusal = words_of(response)
    assert "match, state, side: should be one of: left, right." in refusal
    assert "match, state, impulse: should be a whole number from 1 to 999." in refusal


# Modes and options


def test_alone_everything_counts_at_once_and_the_log_says_that_nobody_was_asked():
    german, others = begin("solo", "german")
    assert set(others) == {"observer"}
    german.roll("look", dice="app")
    german.do("take-back/")
    assert [line.sentence for line in german.log[-2:]] == [
        "German asks to take back № 3. There is nobody to ask.",
        "Taken back: № 3.",
    ]
    german.do("end/", sure="on")
    assert german.match.ended
    assert german.log[-2].sentence == "German asks to end the match. There is nobody to ask."


def test_with_a_second_seat_a_roll_of_the_app_still_waits_for_an_answer():
    german, _ = begin("solo", "german", **{"option-mode": "both"})
    german.roll("look", dice="app")
    german.do("take-back/")
    assert german.last.sentence == "German asks to take back № 4."


def test_a_mode_says_which_sides_have_a_seat_and_who_acts():
    yellow, others = begin("solo", "yellow", **{"option-mode": "together"})
    assert set(others) == {"grey", "observer"}
    assert "Turn 1 · Yellow" in yellow.see()
    yellow.do("advance/")
    assert yellow.last.sentence == "Turn 1, Grey."


def test_a_side_without_a_player_cannot_be_taken(client):
    fields = {"game": "solo", "side": "soviet", "option-mode": "together"}
    response = client.post("/match/new/", fields)
    assert response.status_code == 422
    assert "Choose your side. Yellow or Grey has a player in this mode." in words_of(response)
    assert not Match.objects.exists()


def test_what_was_agreed_is_kept_shown_logged_and_filed():
    german, _ = begin("solo", "german", **{"option-scenario": "long", "option-sky": "fog"})
    assert german.match.state.options == {"mode": "alone", "scenario": "long", "sky": "fog"}
    sentence = "The match begins. Who plays: Alone against the Soviets. Scenario: The long one. Sky: Fog."
    assert german.log[0].sentence.startswith(sentence)
    assert "Scenario: The long one." in german.see()
    assert "Scenario: The long one" in words_of(german.get("report/"))
    assert "Scenario: The long one" in text_of(german.get("report.md"))
    opened, _ = send(save(german), "german")
    assert opened.match.state.options == german.match.state.options
    forged = save(german)
    forged["match"]["state"]["options"]["scenario"] = "endless"
    _, response = send(forged, "german")
    assert "scenario: should be one of: short, long." in words_of(response)


def test_what_was_agreed_fills_the_helpers_that_it_is_for():
    german, _ = begin("solo", "german", **{"option-sky": "fog"})

    def chosen(slug):
        return pages.values_of_each(text_of(german.get(f"roll/{slug}/")), "option[selected]", "value")

    assert chosen("look") == ["fog"]
    assert chosen("sleep") == ["clear"]


def test_what_is_seldom_chosen_stands_folded_until_it_is_chosen_or_something_is_wrong(client):
    folded, opened = "details:not([open]) #option-sky", "details[open] #option-sky"
    page = text_of(client.get("/match/new/solo/"))
    assert pages.find(page, folded) and pages.find(page, "form > .field #option-scenario")
    assert not pages.find(page, "details #option-mode") and not pages.find(page, "details #option-scenario")
    wrong = text_of(
        client.post("/match/new/solo/", {"side": "german", "option-scenario": "endless", "option-sky": "fog"})
    )
    assert pages.find(wrong, opened) and pages.values_of_each(wrong, "#option-sky [selected]", "value") == ["fog"]


def test_an_option_that_is_none_is_refused_with_its_choices(client):
    response = client.post("/match/new/solo/", {"side": "german", "option-scenario": "endless"})
    assert response.status_code == 422
    assert "Scenario: choose The short one or The long one." in words_of(response)


# One page for each game


def test_a_new_match_asks_for_the_game_first_and_each_game_has_its_page(client):
    choice = text_of(client.get("/match/new/"))
    for game in registry.games().values():
        assert f'href="/match/new/{game.slug}/"' in choice
    page = text_of(client.get("/match/new/trio/"))
    assert pages.values_of_each(page, "[name=side]", "value") == ["blue", "red", "grey"]
    assert len(pages.find(page, "select#book option")) == 1
    assert '/match/new/trio/"' in text_of(client.get("/assist/trio/"))
    assert client.get("/match/new/none/").status_code == 404


@pytest.mark.parametrize("game", ["trio", "bare", "track", "solo", GAME])
def test_the_page_of_a_game_refuses_none_of_its_own_defaults(client, game):
    *_, form = pages.forms(text_of(client.get(f"/match/new/{game}/")), f"form[action='/match/new/{game}/']")
    assert form.fields["side"] == [next(iter(registry.games()[game].sides))]
    assert client.post(form.action, form.fields).status_code == 302
    assert Match.objects.get().game == game


def test_the_words_of_a_game_come_from_the_game():
    german, _ = begin("solo", "german")
    assert "Look around first." in german.see()
    assert "Sealed for my side (traps) until I reveal it" in german.see()
    assert german.match.name == players.NAME
    blue, _ = begin("trio", "blue", name="")
    page = blue.see()
    assert "Sealed for my side until I reveal it" in page
    assert blue.match.name == "Trio match"
    assert not re.search("mission|plots|firefight", page, re.I)


def test_the_frame_knows_no_side_and_no_game_by_its_slug():
    root, own = settings.BASE_DIR, {"campaign.css", "draftmap.js", "film.js", "suggest.js"}
    rooms = ("assistant", "chartroom", "engine", "drawing", "hosting", "table", "web")
    files = [*root.glob("templates/*.html"), *root.glob("templates/firefight/*.html")]
    files += [path for room in rooms for path in root.glob(f"firefight/{room}/**/*.py")]
    files += [path for path in (*root.glob("static/css/*.css"), *root.glob("static/*.js")) if path.name not in own]
    assert len(files) > 200
    side_or_game = re.compile(r"""\b(german|russian|soviet)\b|if game ==|game\.slug == ["']|-stalingrad\b""")
    assert not [path.name for path in files if side_or_game.search(path.read_text(encoding="utf-8"))]


# Opening a file


def test_a_file_is_opened_first_and_then_asks_for_a_seat_of_its_own_game():
    saved = save(begin("trio", "blue")[0])
    assert "You take" not in words_of(Player().client.get("/match/import/"))
    player, response = send(saved, side="")
    address = response.request["PATH_INFO"]
    assert re.fullmatch(r"/match/\w+/sit/", address)
    assert pages.values_of_each(text_of(response), "[name=side]", "value") == ["blue", "red", "grey"]
    assert player.client.post(address, {"side": "german"}).status_code == 422
    stranger = Player()
    assert stranger.client.get(address).status_code == 404
    assert player.client.post(address, {"side": "red"}).status_code == 302
    player.match_id = address.split("/")[2]
    assert player.match.seats.get(side="red").claimed
    assert not player.match.seats.get(side="blue").claimed
    assert player.client.post(address, {"side": "grey"}).status_code == 404


def test_a_file_of_both_sides_is_opened_for_one_device_with_pins():
    saved = save(begin("bare", "left")[0])
    player, response = send(saved, side="")
    address = response.request["PATH_INFO"]
    assert "PIN of Left" in words_of(response)
    fields = {"side": "left", "hot_seat": "on", "pin-left": "4711", "pin-right": ""}
    assert player.client.post(address, {**fields, "pin-right": "x"}).status_code == 422
    assert player.client.post(address, fields).status_code == 302
    player.match_id = address.split("/")[2]
    assert player.match.hot_seat
    assert [bool(seat.pin) for seat in player.match.seats.order_by("side") if seat.claimed] == [True, False]


def test_a_form_that_is_sent_twice_sits_down_once(monkeypatch):
    player, response = send(save(begin("bare", "left")[0]), side="")
    address, calls = response.request["PATH_INFO"], []
    monkeypatch.setattr(archive_views, "sit_at", lambda *args: calls.append(args) or _link_used_up())
    assert player.client.post(address, {"side": "left"}).status_code == 302
    assert len(calls) == 1


def _link_used_up():
    raise archive_views.BadLink
