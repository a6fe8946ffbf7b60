"""What a player's file keeps of the other side under seal, and what opens it."""

import base64
import json
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from nacl.bindings import sodium_pad
from nacl.public import PrivateKey, PublicKey, SealedBox

from firefight.models import FileKey, LogEntry, Match
from firefight.table.act import differences
from firefight.table.files import archive, making, restoring, saving, sealing
from firefight.table.seats import box_keys
from firefight.table.seats.box_keys import MOST_KEYS
from firefight.table.seats.seating import free_by_host
from tests.firefight.players import Player, begin, seated, sit, text_of, way_back_in, words_of

pytestmark = pytest.mark.django_db

COUNTER = "Into play: 1 × NCO."
GERMAN, RUSSIAN = "Panzers by the tannery", "Snipers in the brickworks"


def file_of(player, query=""):
    return player.client.get(f"/match/{player.match_id}/archive.json{query}").content


def opened(sent, other=b"", way_back=""):
    """The match that a file is made into."""
    return making.make_match(archive.read_archive(sent, other, way_back), hot_seat=True).match


def secrets_of(match):
    return {entry.secret for entry in LogEntry.objects.filter(match=match)} - {"", COUNTER}


@pytest.fixture
def planted(frozen):
    return frozen("what is sealed, and a way back", plant)


def plant():
    """Both sides have written something down; the Russian has made a way back."""
    table = seated()
    table.german.note(GERMAN, sealed="on")
    table.russian.note(RUSSIAN, sealed="on")
    table.german.do("counters/add/", list="german: NCO", hidden="on")
    table.way_back = way_back_in(table.russian.issue("russian"))
    return table


def test_one_file_betrays_nothing(planted):
    sent = file_of(planted.german)
    data = json.loads(sent)
    assert set(data["sealed"]) == {"russian"} and set(data["keys"]) == {"german"}
    assert RUSSIAN not in sent.decode() and GERMAN in sent.decode()
    assert secrets_of(opened(sent)) == {GERMAN}
    for other in (sent, file_of(planted.german), file_of(planted.observer)):
        with pytest.raises(archive.BadArchive, match="opens nothing"):
            archive.read_archive(sent, other)
    russian_key = FileKey.objects.filter(seat__side="russian").latest("pk").secret
    assert russian_key not in sent.decode()


def test_a_file_and_the_other_players_way_back_open_everything(planted):
    match = opened(file_of(planted.german), way_back=f"http://testserver{planted.way_back}")
    assert secrets_of(match) == {GERMAN, RUSSIAN}
    assert match.state.counters == planted.german.match.state.counters
    assert secrets_of(opened(file_of(planted.german), way_back=planted.way_back.split("/")[2])) == {GERMAN, RUSSIAN}


def test_two_files_open_each_other_whenever_they_were_saved(planted):
    old = file_of(planted.russian)
    planted.russian.note("One more thing", sealed="on")
    planted.german.note("Later")
    new = file_of(planted.german)
    for pair in ((new, old), (old, new)):
        match = opened(*pair)
        assert secrets_of(match) == {GERMAN, RUSSIAN, "One more thing"}
        assert LogEntry.objects.filter(match=match, sentence="Later").exists()


def test_what_is_restored_is_what_the_server_knows(planted):
    whole = saving.dump_match(planted.german.match, ("german", "russian"))
    restored = dict(archive.read_archive(file_of(planted.german), way_back=planted.way_back).data)
    assert {**restored, "written": 0} == {**json.loads(json.dumps(whole)), "written": 0}


def test_a_used_way_back_still_opens_files_of_its_time_and_no_later_ones(planted):
    early = file_of(planted.german)
    back = sit(planted.way_back, planted.german.match_id)  # used up; the page shows a new one
    late = file_of(planted.german)
    assert secrets_of(opened(early, way_back=planted.way_back)) == {GERMAN, RUSSIAN}
    with pytest.raises(archive.BadArchive):
        archive.read_archive(late, way_back=planted.way_back)
    # The Russian's own file has all keys so far.
    assert secrets_of(opened(early, file_of(back))) == secrets_of(opened(late, file_of(back))) == {GERMAN, RUSSIAN}


def test_whose_seat_was_freed_opens_nothing_that_is_sealed_later(planted):
    russian = file_of(planted.russian)
    free_by_host(planted.russian.match.seats.get(side="russian"))
    planted.german.note("Who sits there now?")
    late = file_of(planted.german)
    with pytest.raises(archive.BadArchive):
        archive.read_archive(late, way_back=planted.way_back)
    # Two files make what the older one knew: the newer one's box stays shut.
    assert archive.read_archive(late, russian).lines == len(json.loads(russian)["log"]) < len(json.loads(late)["log"])


def test_an_invitation_that_the_other_player_has_seen_opens_nothing():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    russian.note(RUSSIAN, sealed="on")
    sent = file_of(german)
    with pytest.raises(archive.BadArchive):
        archive.read_archive(sent, way_back=links["russian"])
    assert secrets_of(opened(sent, file_of(russian))) == {RUSSIAN}


def test_files_of_both_sides_and_of_observers_have_no_boxes(planted):
    assert not {"sealed", "keys"} & json.loads(file_of(planted.observer)).keys()
    player, _ = begin(hot_seat=True)
    assert not {"sealed", "keys"} & json.loads(file_of(player, "?sides=all")).keys()
    assert secrets_of(making.branch(planted.german.match, ("german",), True).match) == {GERMAN}


def test_a_box_tells_how_much_is_sealed_no_more_exactly(planted):
    before = len(json.loads(file_of(planted.german))["sealed"]["russian"]["box"])
    planted.russian.note("x" * 40, sealed="on")
    assert len(json.loads(file_of(planted.german))["sealed"]["russian"]["box"]) == before


def test_a_file_that_was_changed_or_a_box_of_somebody_else_is_refused(planted):
    data = json.loads(file_of(planted.german))
    box = data["sealed"]["russian"]
    key = FileKey(secret=box_keys.write_bytes(bytes(PrivateKey.generate())))
    forged = {
        "a line more": {**data, "log": [*data["log"], {**data["log"][-1], "number": len(data["log"]) + 1}]},
        "another line": {**data, "log": [*data["log"][:-1], {**data["log"][-1], "sentence": "Not so."}]},
        "another box": {**data, "sealed": {"russian": {**box, "box": box["box"][:-8] + "AAAAAAA="}}},
        "no box": {**data, "sealed": {"russian": {**box, "box": ""}}},
        "no letters": {**data, "sealed": {"russian": {**box, "box": "ж"}}},
        "of another key": {**data, "sealed": {"russian": sealing.seal_box(key, {"log": []}, {"log": [], "match": 1})}},
        "a bad key": {**data, "sealed": {"russian": {**box, "for": "A" * 44}}},
        "no table": {**data, "sealed": ["x"]},
    }
    for name, file in forged.items():
        with pytest.raises(archive.BadArchive):
            archive.read_archive(json.dumps(file).encode(), way_back=planted.way_back)
            pytest.fail(name)
    # A box of a few bytes that would become more lines than any machine holds.
    chapters, key = data["chapters"], FileKey.objects.filter(seat__side="russian").latest("pk")
    of = differences.find_difference([1], chapters)["of"]
    endless = {"fields": {"chapters": {"parts": [[0, 9]] * 200_000, "of": of}}, "new": []}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealing, "find_difference", lambda *_: endless)
        bomb = {**data, "sealed": {"russian": sealing.seal_box(key, {}, {})}}
    with pytest.raises(archive.BadArchive):
        archive.read_archive(json.dumps(bomb).encode(), way_back=planted.way_back)
    unsound = sealing.seal_box(key, sealing.strip_boxes(data), {"match": 1, "log": []})
    with pytest.raises(archive.BadArchive):  # what was in the box is looked at like any file
        archive.read_archive(json.dumps({**data, "sealed": {"russian": unsound}}).encode(), way_back=planted.way_back)
    with pytest.raises(archive.BadArchive):
        archive.read_archive(file_of(planted.german), b"{}")


# Nobody but the server makes a box, and a file that was changed opens none


def refusal_of(data, other=b"", way_back=""):
    with pytest.raises(archive.BadArchive) as refused:
        archive.read_archive(json.dumps(data).encode(), other, way_back)
    return refused.value.problems


def loses_counters(data, side):
    """The same file with every counter of a side eliminated."""
    state = data["match"]["state"]
    counters = {
        name: {**counter, "fate": "eliminated"} if counter["side"] == side else counter
        for name, counter in state["counters"].items()
    }
    return {**data, "match": {**data["match"], "state": {**state, "counters": counters}}}


@pytest.fixture
def fought(planted):
    """Six Russian counters stand in the open, one under seal, and German ones."""
    planted.russian.do("counters/add/", list="russian: 6 Rifle squad")
    planted.russian.do("counters/add/", list="russian: NCO", hidden="on")
    planted.german.do("counters/add/", list="german: 2 Panzergrenadier squad")
    return planted


def test_a_box_that_a_player_made_themself_is_not_opened(fought):
    """As it was done: to the public key in their own file, six of the other side's units eliminated."""
    data, other = json.loads(file_of(fought.german)), file_of(fought.russian)
    own, box = sealing.strip_boxes(data), data["sealed"]["russian"]
    whole = archive.read_archive(json.dumps(data).encode(), other).data
    difference = differences.find_difference(
        sealing._by_number(loses_counters(whole, "russian")), sealing._by_number(own)
    )
    content = {"of": sealing._digest(own), "difference": difference}
    packed = sodium_pad(zlib.compress(json.dumps(content).encode()), sealing.STEP)
    anonymous = SealedBox(PublicKey(base64.b64decode(box["for"]))).encrypt(packed)
    with_own_key = sealing.seal_box(FileKey(secret=data["keys"]["german"][0]), own, loses_counters(whole, "russian"))
    for sealed in (base64.b64encode(anonymous).decode(), with_own_key["box"]):
        forged = {**box, "box": sealed}
        for opener in ({"other": other}, {"way_back": fought.way_back}):
            assert "was changed after it was saved" in refusal_of({**data, "sealed": {"russian": forged}}, **opener)[0]
    for forged in (with_own_key, {**with_own_key, "wrapped": box["wrapped"]}):
        sent = {**data, "sealed": {"russian": forged}}
        assert refusal_of(sent, way_back=fought.way_back)
        # With both files it stays shut, the other one's is opened, and that is told.
        restored = archive.read_archive(json.dumps(sent).encode(), other)
        assert {**restored.data, "written": 0} == {**whole, "written": 0}
        assert restoring.STAYS_SHUT in restored.missing


def test_a_file_whose_own_part_was_changed_is_refused_by_name(fought):
    data, other = json.loads(file_of(fought.german)), file_of(fought.russian)
    [german] = [
        name for name, counter in data["match"]["state"]["counters"].items() if counter["name"].startswith("Panz")
    ][:1]
    changed = json.loads(json.dumps(data))
    changed["match"]["state"]["counters"][german]["place"] = "K7"
    refusal = "The German file was changed after it was saved."
    assert refusal_of(changed, way_back=fought.way_back) == [refusal]
    assert refusal_of(changed, other) == [
        refusal,
        f"match, state, counters, {german}, place: is not the same in both.",
    ]
    # The same whichever of the two is given first.
    assert refusal in refusal_of(json.loads(other), json.dumps(changed).encode())
    archive.read_archive(json.dumps(changed).encode())  # alone it is a file like any other, which proves nothing


def test_two_files_that_tell_of_one_line_in_two_ways_are_refused(fought):
    older = json.loads(file_of(fought.russian))
    fought.german.note("Later")
    newer = file_of(fought.german)
    older["log"][4]["digest"] = "0" * 64
    assert refusal_of(older, newer) == [
        "The two files do not agree, so one of them was changed:",
        "Line 5 of the log is not the same in both.",
    ]


def test_boxes_of_an_older_schema_are_not_opened_and_the_file_alone_is(fought):
    old, other = {**json.loads(file_of(fought.german)), "schema": 3}, file_of(fought.russian)
    older = json.dumps({**json.loads(other), "schema": 3}).encode()
    for opener in ({"other": older}, {"way_back": fought.way_back}):
        assert "proves nothing" in refusal_of(old, **opener)[0]
    assert secrets_of(opened(json.dumps(old).encode())) == {GERMAN}


def test_the_page_takes_a_file_with_the_other_one_or_a_way_back(planted):
    german, russian = (SimpleUploadedFile("x.json", file_of(player)) for player in (planted.german, planted.russian))
    player, before = Player(), Match.objects.count()
    refused = player.client.post("/match/import/", {"file": german, "way_back": "https://x/seat/nothing/"})
    assert refused.status_code == 422 and "opens nothing" in words_of(refused) and Match.objects.count() == before
    german.seek(0)
    player.client.post("/match/import/", {"file": german, "other": russian, "side": "german", "hot_seat": "on"})
    assert secrets_of(Match.objects.latest("created")) == {GERMAN, RUSSIAN}
    assert "under seal" in text_of(planted.german.get("file/"))


def test_a_file_holds_the_newest_keys_and_not_all(planted):
    seat = planted.german.match.seats.get(side="german")
    secrets = [box_keys.renew_key(seat).secret for _ in range(MOST_KEYS + 3)]
    assert json.loads(file_of(planted.german))["keys"]["german"] == secrets[: -MOST_KEYS - 1 : -1]
