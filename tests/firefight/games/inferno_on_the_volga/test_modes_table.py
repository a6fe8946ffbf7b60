"""Co-op, 1 vs 1 and 2 vs 1 in a match, with a browser for each seat: who acts, what each is sent, what is refused."""

import html
import random
import re
from collections import Counter

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from firefight.games.inferno_on_the_volga.game import CONDUCTOR, HOUSE
from firefight.games.inferno_on_the_volga.rules.tables import Side
from firefight.games.inferno_on_the_volga.solo.engaging import open_combat
from firefight.games.inferno_on_the_volga.solo.play import to_do
from firefight.models import Match
from firefight.table.board import record_rules
from tests.filling import Reader
from tests.firefight import players
from tests.soak import IS_WHOLE, length

from .solo_games import set_position

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
SLUG = "inferno-on-the-volga"
SEATS = {"co_op": ("yellow", "blue"), "one_v_one": ("german", "soviet"), "two_v_one": ("yellow", "blue", "soviet")}
FORM = "form#step-form"
LIT = "#board-over .lit button"
LEAST, MOST = 24, 60  # presses of a match, in a slice and in a soak
TRIED, LOOKED = length(2, 20), length(10, 6)  # forgeries of each kind of step by each seat; presses between two looks
DRAWS = re.compile(r"[Bb]lock|[Cc]ard|Pool|Edge")
KNOWN = {("co_op", "German block")}  # all may know which Germans there are, where nobody plays the Soviets
CLASS = re.compile(r'class="[^"]*"')  # a place's number looks like the key of a block


def sit_down(mode):
    """A match of a mode with a browser for each seat, and an observer's."""
    first, links = players.begin(SEATS[mode][0], game=SLUG, **{"option-mode": mode, "option-board": "app"})
    return {SEATS[mode][0]: first, **{side: players.sit(link, first.match_id) for side, link in links.items()}}


def standing_of(player):
    return player.match.state.record["solo"]


def wanted_of(player):
    """What the match waits for, as the engine has it."""
    standing = standing_of(player) or CONDUCTOR.begin(record_rules.situation_of(player.match))
    return CONDUCTOR.find_wanted(standing, record_rules.situation_of(player.match))


def list_closed(state, side):
    """The names of a side's blocks, but for those that a combat shows or that lie open off the map."""
    combat = state["combat"]
    revealed = set(combat[side]) if combat and combat["revealed"] else set()
    blocks = ((key, at) for key, (at, _) in state["blocks"].items() if HOUSE.blocks[key].side == side)
    names = {HOUSE.blocks[key].name for key, at in blocks if key not in revealed and at not in ("dead", "removed")}
    return {name for name in names if len(name) > 5}


def check_silence(table, mode):
    """What one seat alone knows is in no answer to another."""
    lines = next(iter(table.values())).log
    for side, player in table.items():
        state = standing_of(player)
        record = player.get("record.json").json()["record"]
        assert record["solo"] is None
        for other, cards in state["hands"].items():
            mine = other == side or other == "soviet"
            assert mine or record[f"{other}_hand"] == len(cards), (side, other)
        closed = list_closed(state, "soviet") if side != "soviet" else set()
        if "soviet" in SEATS[mode] and side in ("soviet", "observer"):
            closed |= list_closed(state, "german")
        page = Reader(player.client).open(f"/match/{player.match_id}/")
        answers = {name: player.get(name).content.decode() for name in ("board/", "step.json", "record.json")}
        answers |= {part: page.find(part)[0].html for part in ("#board-over",)}
        for name, answer in answers.items():
            text = html.unescape(CLASS.sub("", answer))
            assert not [unit for unit in closed if re.search(rf"(?<!\w){re.escape(unit)} \(", text)], (side, name)
        sealed = {line.number for line in lines if line.secret and line.side != side}
        entries = player.get("log.json").json()["entries"]
        withheld = [entry for entry in entries if entry["number"] in sealed]
        assert not any(entry.get("secret") for entry in withheld)
        assert {roll["face"] for entry in withheld for roll in entry["rolls"]} <= {0}
        # A die that draws a card or a block falls among those that are left, in an order that anybody can look up.
        open_dice = [roll for entry in entries if not entry.get("secret") for roll in entry["rolls"] if roll["face"]]
        assert not [roll for roll in open_dice if DRAWS.search(roll["label"]) and (mode, roll["label"]) not in KNOWN]


def press(table, reader, want, chance):
    """What whoever is asked presses; the side."""
    side = getattr(want, "side", "") or next(iter(table))
    page = reader[side].open(reader[side].address)
    buttons = page.find(LIT) + page.find(f"{FORM} > .choices button")
    if buttons:
        page.press_node(chance.choice(buttons))
        assert page.status == 200, page.words("body")[:400]
    else:
        answer = table[side].do("step/", dice="app", way="all")
        assert answer.status_code in (200, 302), players.words_of(answer)
    return side


@pytest.mark.parametrize("mode", SEATS)
def test_each_seat_decides_what_is_its_own_and_learns_nothing_else(mode):
    table, chance = sit_down(mode), random.Random(f"{mode} 5")
    first = next(iter(table.values()))
    reader = {side: Reader(player.client).open(f"/match/{player.match_id}/") for side, player in table.items()}
    acted, tried = set(), Counter()
    for number in range(MOST):
        want = wanted_of(first)
        side = getattr(want, "side", "")
        tried[side, type(want)] += 1
        if side and tried[side, type(want)] <= TRIED:
            before = players.rows()
            for other in (seat for seat in SEATS[mode] if seat != side):
                choice = want.choices[0].slug if hasattr(want, "choices") else ""
                answer = table[other].do("step/", choice=choice, dice="app")
                assert answer.status_code == 403, players.words_of(answer)
                assert "decides that" in players.words_of(answer) or "rolls that" in players.words_of(answer)
                assert table[other].get("step.json").json()["step"]["options"] == []
            assert players.rows() == before
        acted.add(press(table, reader, want, chance))
        if number % LOOKED == LOOKED - 1:
            check_silence(table, mode)
        if not IS_WHOLE and number > LEAST and acted == {*SEATS[mode]} and first.match.state.turn > 2:
            break
    assert acted == {*SEATS[mode]}
    assert first.match.state.turn > 2
    assert first.get("archive.json").status_code == 200


@pytest.mark.parametrize("mode", ["one_v_one", "two_v_one"])
def test_an_opponents_file_and_branch_hold_no_game(mode):
    """Whoever opens his own file can sit down at every side of it."""
    table = sit_down(mode)
    first = table[SEATS[mode][0]]
    first.do("step/", dice="app", way="all")
    file = first.get("archive.json").json()
    assert "unplayed" not in file and "app" not in file["sees"]
    assert file["match"]["state"]["record"].get("solo") is None
    sent = SimpleUploadedFile("match.json", first.get("archive.json").content)
    for make in (
        lambda: first.client.post("/match/import/", {"file": sent, "side": SEATS[mode][0]}),
        lambda: first.do("branch/"),
    ):
        before = set(Match.objects.values_list("pk", flat=True))
        answer = make()
        assert answer.status_code == 302, players.words_of(answer)
        copy = Match.objects.exclude(pk__in=before).get()
        assert copy.state.record["solo"] is None and copy.state.record["stacks"]
        page = first.client.get(f"/match/{copy.pk}/")
        assert page.status_code == 200 and "step-form" not in page.content.decode()


def test_a_game_of_two_at_one_device_goes_on_from_its_file():
    both = players.begin("german", hot_seat=True, game=SLUG, **{"option-mode": "one_v_one", "option-board": "app"})[0]
    both.do("step/", dice="app", way="all")
    text = both.get("archive.json", sides="all").content
    sent = SimpleUploadedFile("match.json", text)
    answer = both.client.post("/match/import/", {"file": sent, "side": "german"})
    assert answer.status_code == 302, players.words_of(answer)
    copy = Match.objects.exclude(pk=both.match_id).get()
    assert copy.state.record["solo"] == standing_of(both)


def test_a_co_op_game_goes_on_from_a_players_file():
    yellow = sit_down("co_op")["yellow"]
    yellow.do("step/", dice="app", way="all")
    sent = SimpleUploadedFile("match.json", yellow.get("archive.json").content)
    answer = yellow.client.post("/match/import/", {"file": sent, "side": "yellow"})
    assert answer.status_code == 302, players.words_of(answer)
    copy = Match.objects.exclude(pk=yellow.match_id).get()
    assert copy.state.record["solo"] == standing_of(yellow)


def test_an_observer_of_a_duel_sees_no_names_and_can_do_nothing():
    table = sit_down("one_v_one")
    table["german"].do("step/", dice="app", way="all")
    before = players.rows()
    assert table["observer"].do("step/", choice="call").status_code in (302, 403, 409)
    assert players.rows() == before
    check_silence(table, "one_v_one")


def test_the_log_tells_each_player_what_is_under_seal_for_the_other():
    table = sit_down("one_v_one")
    table["german"].do("step/")
    german, soviet = (
        Reader(table[side].client).open(f"/match/{table[side].match_id}/").words("#log-rows")
        for side in SEATS["one_v_one"]
    )
    assert "You draw" in german and "On the map: " in soviet
    assert "You draw" not in soviet and "On the map: " not in german
    assert "under seal" not in german + soviet


def test_a_card_or_block_that_is_drawn_for_a_player_is_one_line_to_him_and_to_the_others():
    table = sit_down("one_v_one")
    table["german"].do("step/")
    log = table["german"].match.log.all()
    lines = [line for line in log if "draws a card" in line.sentence]  # those who are no leaders
    openly = {f"German draws a card: Game Setup 10. {cards_left} left." for cards_left in (26, 25, 24)}
    assert len(lines) == len({line.sentence for line in lines} & openly) > 0
    started = [line.sentence for line in log if "starts in" in f"{line.sentence}{line.secret}"]
    assert sorted(started) == [f"A German block starts in {hex} (Game Setup 8)." for hex in "XYY"]
    assert all(line.secret.startswith("You draw ") and " Hand: " in line.secret for line in lines)
    pages = [Reader(player.client).open(f"/match/{player.match_id}/") for player in table.values()]
    assert ["draws a card" in page.words("form#step-form") for page in pages] == [False, True, True]


def test_a_soviet_player_is_told_why_he_may_choose_and_that_it_is_his_turn():
    table = sit_down("one_v_one")
    table["german"].do("step/")
    match = table["german"].match
    play = set_position({"25": {"g2": 4}}, {"3": {"i45": 2}, "19": {"i87": 1}}, "one_v_one")
    play.do(to_do("soviet_turn"))
    match.state.record["solo"] = play.state
    match.save()
    Reader(table["german"].client).open(f"/match/{match.pk}/").press("Go on", FORM)
    page = Reader(table["soviet"].client).open(f"/match/{match.pk}/")
    assert "2 top stacks (3, 19), 6 Spawn Hexes held: moves or draws a card" in page.words(FORM)
    assert "yours" in page.words("header")


@pytest.mark.parametrize(
    ("task", "presses"),
    [
        (to_do("move", kind="short", moved=[], left=2), ["choice=hex-40", "choice=hex-41"]),
        (to_do("place", blocks=["g2"]), ["choice=hex-X"]),
    ],
)
def test_a_soviet_player_is_told_no_block_by_its_name_that_moves_or_arrives(task, presses):
    """Fog of War (B55): neither by the log, nor by the refusal of an answer that is not his to give."""
    table = sit_down("one_v_one")
    table["german"].do("step/")
    match, play = table["german"].match, set_position({"40": {"g2": 4}}, {"3": {"i45": 2}}, "one_v_one")
    if task["do"] == "place":
        play.put_block("g2", "track", 4)
    play.do(task, to_do("soviet_turn"))
    match.state.record["solo"] = play.state
    match.save()
    page, name = Reader(table["german"].client).open(f"/match/{match.pk}/"), HOUSE.blocks["g2"].name
    for press in presses:
        answer = table["soviet"].do("step/", choice=press.removeprefix("choice="))
        assert answer.status_code == 403 and name not in players.words_of(answer)
        page.press(press, f"{FORM}, {LIT}")
    assert name in page.words("#log-rows")
    assert name not in Reader(table["soviet"].client).open(f"/match/{match.pk}/").words()
    assert name not in str(table["soviet"].get("log.json").json())


def test_a_soviet_player_throws_the_soviets_dice_of_a_combat():
    table = sit_down("one_v_one")
    table["german"].do("step/")
    match, play = table["german"].match, set_position({"25": {"g2": 4}}, {"24": {"i45": 2}}, "one_v_one")
    open_combat(play, Side.GERMAN, "24", ["25"], deliberate=False)
    match.state.record["solo"] = play.state
    match.save()
    pages = {side: Reader(player.client).open(f"/match/{player.match_id}/") for side, player in table.items()}
    pages["german"].press("Go on", FORM)
    waiting = pages["german"].open(pages["german"].address).words("#desk")
    assert "Soviet" in waiting and not pages["german"].has(f"{FORM} [name=dice]")
    page = pages["soviet"].open(pages["soviet"].address)
    assert "2 dice; SF hits on 6" in page.words(FORM)
    page.form(FORM).fill(fire="6 1").press("dice=table")
    assert "Soviet fire 6 1: 1 hit." in [line.sentence for line in table["german"].log]


def test_at_one_device_a_side_is_asked_only_once_the_cover_was_lifted_for_it():
    german = players.begin("german", hot_seat=True, game=SLUG, **{"option-mode": "one_v_one"})[0]
    german.do("step/")
    match, hands = german.match, {"german": [], "soviet": ["anti_tank"]}
    play = set_position({"20": {"g2": 4}}, {"21": {"i45": 2}}, "one_v_one", hands=hands)
    open_combat(play, Side.GERMAN, "21", ["20"], deliberate=False)
    match.state.record["solo"] = play.state
    match.save()
    page = Reader(german.client).open(f"/match/{match.pk}/")
    assert "Anti-Tank" not in page.words() and "Soviet decides" in page.words(FORM)
    assert german.do("step/", choice="card-anti_tank").status_code == 403 and german.match.version == match.version
    page.press("Hand over to Soviet", "#desk").press("I am Soviet")
    assert "Combat in 21: which card?" in page.words(FORM) and "Anti-Tank" in page.words(FORM)


@pytest.mark.parametrize("pressed", ["dice=app", "dice=table"])
def test_at_one_device_each_side_throws_its_own_dice(pressed):
    german = players.begin("german", hot_seat=True, game=SLUG, **{"option-mode": "one_v_one"})[0]
    german.do("step/")
    match, play = german.match, set_position({"20": {"g2": 4}}, {"21": {"i45": 2}}, "one_v_one")
    open_combat(play, Side.GERMAN, "21", ["20"], deliberate=False)
    match.state.record["solo"] = play.state
    match.save()
    page = Reader(german.client).open(f"/match/{match.pk}/").press("Go on", FORM)
    page.form(FORM).fill(fire="6111" if pressed == "dice=table" else "").press(pressed)
    assert "German fire" in page.words(FORM) and "Soviet fire: " in page.words(FORM)
    page.form(FORM).fill(fire="61").press("dice=table")
    assert "Soviet fire 6 1: 1 hit." in [line.sentence for line in german.log]
