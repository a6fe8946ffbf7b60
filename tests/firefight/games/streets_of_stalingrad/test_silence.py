"""Guns without ammunition: who is exempt, what is left to be named, and that they fire no more this turn (14.72)."""

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import words_of
from tests.games.test_sheets import lay

from .test_filling import GAME
from .test_table import put

pytestmark = pytest.mark.django_db
HEAD = "name\tside\tarm\taf\tdf\trange\tmp"
GUNS = "\n".join(
    (
        HEAD,
        "1/276\tGerman\tIF gun\t11\t2\t10\t12",
        "Neb 51\tGerman\tRocket\t14\t1\t8\t15",
        "1/Gds Mortar\tSoviet\tRocket\t20\t1\t8\t24",
        "1138\tSoviet\tIF gun\t9\t2\t12\t12",
    )
)


@pytest.fixture
def german():
    player = players.begin("german", hot_seat=True, game=GAME)[0]
    assert lay(player, GUNS, "Guns").status == 200
    player.do("counters/add/", list="German: 1/276, Neb 51, 88 mm gun\nSoviet: 1/Gds Mortar, 1138")
    put(player, "turn", "25")
    player.do("drop/", step="all")
    player.do("record/", field="barred.german", value="20")
    player.do("record/", field="barred.soviet", value="5")
    return player


def name_guns(player, *ids):
    """Tap guns, and press the roll."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    reader.form("#table").fill(chosen=list(ids))
    reader.press_node(reader.find("#rolls [data-roll=silent-guns]")[0])
    return reader


def test_guns_are_named_by_taps_until_nothing_is_left_to_name(german):
    reader = name_guns(german, "german-1")
    form = reader.form("#desk-form")
    assert (form.value("gun_names"), form.value("af"), form.value("barred")) == ("1/276", "11", "20")
    form.press("Resolve")
    assert "9 AF more may not fire" in " ".join(german.last.result.effects)
    reader = name_guns(german, "german-2")
    assert reader.form("#desk-form").value("barred") == "9"
    reader.form("#desk-form").press("Resolve")
    assert german.last.result.details == {**german.last.result.details, "af": 14, "left": 0}
    assert [row["unit"] for row in german.match.state.record["silent"]] == ["1/276", "Neb_51"]


@pytest.mark.parametrize(("id", "why"), [("soviet-1", "Katyushas are exempt (14.73)"), ("german-3", "88s are exempt")])
def test_katyushas_and_88s_are_exempt(german, id, why):
    lines = len(german.log)
    reader = name_guns(german, id)
    form = reader.form("#desk-form")
    form.fill({name: 8 for name in form.names() if name.startswith("value:")}, af=8).press("Resolve")
    assert why in reader.words("#desk") and len(german.log) == lines


def test_who_has_no_ammunition_fires_no_af_until_the_day_is_over(german):
    name_guns(german, "german-1").form("#desk-form").press("Resolve")
    put(german, "phase", "2")
    fire = {"table": "wbbt", "points": 8, "die": "10", "dice": "table", "hex": "1842", "firer": "german"}
    refused = german.roll("bombardment", **fire, gun_names="1/276")
    assert refused.status_code == 422 and "1/276: no ammunition this turn (14.72)" in words_of(refused)
    assert german.roll("bombardment", **fire, gun_names="2/276").status_code == 302
    put(german, "turn", "26")
    assert not german.match.state.record.get("silent")
