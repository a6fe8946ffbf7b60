"""What the file of a solo match holds of the side that the app plays: packed, and checked when it is read."""

import base64
import json
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from firefight.models import Match
from firefight.table.files import archive, making, saving, shape, unplayed
from firefight.table.files.shape import BadArchive
from tests.firefight import players
from tests.games.beasts import find_beasts

pytestmark = pytest.mark.django_db


@pytest.fixture
def watch(frozen):
    return frozen("watch, the night under way", play_night)


def play_night():
    """A match for one player, the night under way: a card drawn by hand, another by the night itself."""
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    watch.roll("night", dice="app")
    watch.do("record/", field="side", value="night")
    watch.do("step/")
    return watch


def file_of(player):
    return json.loads(player.get("archive.json").content)


def pack(values):
    plain = values if isinstance(values, bytes) else json.dumps(values).encode()
    return base64.b64encode(zlib.compress(plain)).decode()


def unpack(file):
    return json.loads(zlib.decompress(base64.b64decode(file["unplayed"])))


def read(file):
    return archive.read_archive(json.dumps(file).encode())


def refuse(file):
    """Why a file is refused; nothing is stored then."""
    before = Match.objects.count()
    with pytest.raises(BadArchive) as caught:
        making.make_match(read(file), hot_seat=False)
    assert Match.objects.count() == before
    return " ".join(caught.value.problems)


def test_who_looks_into_a_file_finds_no_card(watch):
    file = file_of(watch)
    packed = file.pop("unplayed")
    assert not find_beasts(json.dumps(file))
    assert file["sees"] == ["watch"] and not {"deck", "hand", "night"} & file["match"]["state"]["record"].keys()
    assert find_beasts(json.dumps(unpack({"unplayed": packed})))
    assert not find_beasts(players.text_of(watch.get("archive.json")))


def test_it_is_read_back_whole_and_saved_again_the_same(watch):
    whole = saving.dump_match(watch.match, ("watch",))
    assert whole["sees"] == ["night", "watch"]
    data = read(file_of(watch)).data
    assert {**data, "written": ""} == {**json.loads(json.dumps(whole)), "written": ""}
    match = making.make_match(read(file_of(watch)), hot_seat=False).match
    assert match.state.record == watch.match.state.record and len(match.state.record["hand"]) == 2
    assert [line.secret for line in match.log.order_by("number")][:-1] == [
        line.secret for line in watch.match.log.order_by("number")
    ]


def test_a_file_that_is_opened_on_the_page_goes_on_where_it_stood(watch):
    sent = SimpleUploadedFile("match.json", watch.get("archive.json").content)
    answer = watch.client.post("/match/import/", {"file": sent, "side": "watch"})
    assert answer.status_code == 302, players.words_of(answer)
    match = Match.objects.exclude(pk=watch.match_id).get()
    assert match.state.record == watch.match.state.record


def test_a_branch_keeps_it(watch):
    watch.do("branch/")
    branch = Match.objects.exclude(pk=watch.match_id).get()
    assert branch.state.record == watch.match.state.record
    assert "unplayed" in watch.client.get(f"/match/{branch.pk}/archive.json").json()


def test_a_match_of_two_players_has_nothing_packed():
    watch = players.begin("watch", game="lone-watch", **{"option-mode": "both"})[0]
    assert "unplayed" not in file_of(watch)


def test_a_file_of_before_that_holds_it_plainly_is_read(watch):
    plain = {**json.loads(json.dumps(saving.dump_match(watch.match, ("watch",)))), "schema": 4}
    assert making.make_match(read(plain), hot_seat=False).match.state.record == watch.match.state.record


@pytest.mark.parametrize(
    "packed",
    [
        None,
        7,
        "",
        "owl",
        "!!!!",
        "AAAA",
        pack(b"\xff"),
        pack(b"[]"),
        pack(b"{"),
        pack({"deck": 1}),
        pack({"log": []}),
        pack({"log": {"0": {}}}),
        pack({"log": {"999": {}}}),
        pack({"log": {"x": {}}}),
        pack({"log": {"01": {}}}),
        pack(b"[" * 60 + b"]" * 60),
        pack(b'{"log": {}, "log": {}}'),
    ],
)
def test_what_cannot_be_unpacked_is_refused(watch, packed):
    assert unplayed.DAMAGED in refuse({**file_of(watch), "unplayed": packed})


def test_what_is_cut_off_or_has_more_behind_it_is_refused(watch):
    file = file_of(watch)
    inside = base64.b64decode(file["unplayed"])
    for forged in (inside[:-4], inside + b"more", inside + inside):
        assert unplayed.DAMAGED in refuse({**file, "unplayed": base64.b64encode(forged).decode()})


def test_what_would_burst_is_refused_before_it_does(watch, monkeypatch):
    bomb = pack(b'{"match": "' + b"x" * (shape.LARGEST_UNPACKED + 10) + b'"}')
    assert len(bomb) < 100_000
    assert "The file is too large: unpacked at most" in refuse({**file_of(watch), "unplayed": bomb})
    tables = pack(b'{"match": [' + b"[]," * 1_000_000 + b"[]]}")
    assert "The file is too large" in refuse({**file_of(watch), "unplayed": tables})


def test_a_file_of_which_it_was_taken_out_is_refused(watch):
    file = file_of(watch)
    del file["unplayed"]
    assert "what The Night holds, which nobody plays, was taken out of the file" in refuse(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda saved: saved["match"]["state"]["record"].update(hand=["bear"]), "Hand of the night"),
        (
            lambda saved: saved["match"]["state"]["record"].update(night={"at": "nowhere"}),
            "this is not a place of the night",
        ),
        (lambda saved: saved["match"]["state"].update(turn=99), "turn"),
        (lambda saved: saved["match"].update(game="two-bridges"), ""),
        (lambda saved: saved.update(sees=["night", "bear"]), "sees"),
        (lambda saved: [line.update(secret="The night sleeps.") for line in saved["log"].values()], "log"),
        (lambda saved: saved.update(log={"1": []}), "log"),
        (lambda saved: saved.update(match=[]), "match"),
    ],
)
def test_what_was_forged_in_it_is_checked_like_anything_from_outside(watch, change, words):
    file = file_of(watch)
    saved = unpack(file)
    change(saved)
    assert words in refuse({**file, "unplayed": pack(saved)})


def test_a_match_in_which_nothing_is_hidden_yet_is_read_back_whole():
    watch = players.begin("watch", game="lone-watch", mode="alone")[0]
    whole = json.loads(json.dumps(saving.dump_match(watch.match, ("watch",))))
    assert {**read(file_of(watch)).data, "written": ""} == {**whole, "written": ""}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda match: match["state"]["options"].update(season="endless"), "season: should be one of"),
        (lambda match: match["state"].update(turn="soon"), "turn"),
        (lambda match: match["state"].update(record=[]), "record"),
    ],
)
def test_what_was_forged_beside_it_is_checked_too(watch, change, words):
    file = file_of(watch)
    change(file["match"])
    assert words in refuse(file)
