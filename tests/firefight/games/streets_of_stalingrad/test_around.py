"""What counters nearby and the record fill of a fire: mines, leaders, Pavlov's House, the Volga, supply, guns."""

import gzip
import json
from dataclasses import replace

import pytest

from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules.hexes import HEXES
from firefight.games.streets_of_stalingrad.rules.units import Arm
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay

from .test_filling import FAR, GAME, HERE, NEXT, fill, piece, target
from .test_sheets import HEAD
from .test_table import put, record_of

BESIDE = "1742"  # touches HERE
UNITS = "\n".join(
    (
        HEAD,
        "1/274\tGerman\t94\t274\tI\tInfantry\t14\t5\t1\t8",
        "AR 94\tGerman\t94\t\t\tIF gun\t11\t3\t14\t15",
        "1/39\tSoviet\t13\t39\t1\tGuards infantry\t3\t4\t1\t8",
        "Rodimtsev\tSoviet\t13\t\t\tLeader",
    )
)


@pytest.fixture
def german(frozen):
    return frozen("streets around a hex", lay_out)


def lay_out():
    german = players.begin("german", hot_seat=True, game=GAME)[0]
    assert lay(german, UNITS, "All").status == 200
    german.do("counters/add/", list="German: 1/274, AR 94\nSoviet: 1/39")
    for counter, place in (("german-1", NEXT), ("german-2", FAR), ("soviet-1", HERE)):
        german.do("counters/", id=counter, place=place)
    put(german, "phase", "5")
    return german


def bring(player, side, name, place):
    """One more counter on a hex."""
    before = {row["id"] for row in player.get("counters.json").json()}
    called = {"german": "German", "soviet": "Soviet"}[side]
    assert player.do("counters/add/", list=f"{called}: {name}").status_code in (200, 302)
    (fresh,) = {row["id"] for row in player.get("counters.json").json()} - before
    player.do("counters/", id=fresh, place=place)


def ask(player, slug="attack", firers=("german-1",), at="soviet-1"):
    query = "&".join(f"firers={firer}" for firer in firers)
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?{query}&targets={at}")


def value(reader, name):
    (field,) = reader.find(f"#desk-form input[name={name}]")
    return "checked" in field.attributes if field.attributes["type"] == "checkbox" else field.attributes.get("value")


def test_an_enemy_minefield_under_who_attacks_is_seen_and_ones_own_is_not(german):
    assert not value(ask(german), "on_enemy_minefield")
    bring(german, "german", "Minefield", NEXT)
    assert not value(ask(german), "on_enemy_minefield")
    bring(german, "soviet", "Minefield", NEXT)
    assert value(ask(german), "on_enemy_minefield")


@pytest.mark.parametrize(
    "slug, name", [("defensive-fire", "target_on_minefield"), ("bombardment", "target_on_enemy_minefield")]
)
def test_the_minefield_of_who_fires_counts_under_the_target(german, slug, name):
    bring(german, "soviet", "Minefield", HERE)
    assert not value(ask(german, slug, ["german-2"]), name)
    bring(german, "german", "Minefield", HERE)
    assert value(ask(german, slug, ["german-2"]), name)


def test_a_leader_next_to_the_target_helps_unless_his_hex_was_attacked(german):
    assert not value(ask(german), "adjacent_leader")
    bring(german, "soviet", "Commissar", BESIDE)
    assert not value(ask(german), "adjacent_leader")  # helps his own hex alone (18.21)
    bring(german, "soviet", "Rodimtsev", BESIDE)
    assert value(ask(german), "adjacent_leader")
    put(german, "attacked", [BESIDE])
    assert not value(ask(german), "adjacent_leader")


def test_a_hidden_leader_nearby_is_told_to_nobody_else(db):
    german, links = players.begin("german", game=GAME)
    soviet = players.sit(links["soviet"], german.match_id)
    lay(german, UNITS, "All")
    soviet.do("answer/", agrees="yes")
    german.do("counters/add/", list="1/274", side="german")
    soviet.do("counters/add/", list="1/39", side="soviet")
    for player, counter, place in ((german, "german-1", NEXT), (soviet, "soviet-1", HERE)):
        player.do("counters/", id=counter, place=place)
    soviet.do("counters/add/", side="soviet", counter="leader", hidden="on")
    (leader,) = [row["id"] for row in soviet.get("counters.json").json() if row["counter"] == "leader"]
    soviet.do("counters/", id=leader, place=BESIDE)
    assert [row["id"] for row in german.get("counters.json").json()] == ["german-1", "soviet-1"]
    assert not value(ask(german), "adjacent_leader")


def test_the_volga_is_known_where_somebody_told_it(german):
    assert not value(ask(german), "from_volga") and not value(ask(german, "defensive-fire"), "soviet_target_on_volga")
    put(german, "phase", "2")
    for place in (NEXT, HERE):
        german.roll("bombardment", points="1", terrain="volga", hex=place, spotting="0", other_drm="20", die="10")
    put(german, "phase", "5")
    assert set(record_of(german)["hex_values"]) == {NEXT, HERE}
    assert value(ask(german), "from_volga")
    assert value(ask(german, "defensive-fire"), "soviet_target_on_volga")


def test_the_highest_marker_out_of_supply_of_who_fires_counts(german):
    rows = [
        {"name": name, "side": side, "marker": marker, "elite_or_led": False, "nkvd": False}
        for name, side, marker in (("1/274", "german", 2), ("AR 94", "german", 3), ("1/39", "soviet", 4))
    ]
    put(german, "isolated", rows)
    assert value(ask(german), "out_of_supply") == "2"
    reader = ask(german, firers=["german-1", "german-2"])
    assert value(reader, "out_of_supply") == "3"
    reader.form("#desk-form").fill(out_of_supply=0, terrain="city")
    reader.form("#desk-form").fill(terrain_drm=0, die=4).press("Resolve")
    (line,) = [line for line in german.log if line.helper == "attack"]
    assert line.inputs["out_of_supply"] == 0  # by hand


def test_a_gun_that_fires_from_afar_is_named_and_fires_once_a_turn(german):
    reader = ask(german, firers=["german-1", "german-2"])
    assert value(reader, "gun_names") == "AR_94"
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0, other_drm=20, die=10).press("Resolve")
    assert [row["unit"] for row in record_of(german)["fired"]] == ["AR_94"]
    again = ask(german, "bombardment", ["german-2"])
    again.form("#desk-form").fill(table="crt", terrain_drm=0, die=4).press("Resolve")
    assert again.status == 422 and "AR_94 has fired" in again.words("#desk")


def test_an_attack_step_by_step_names_its_guns_once(german):
    reader = ask(german, "battle", ["german-1", "german-2"])
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0).press("Declare")
    assert reader.status == 200, reader.words("#desk")
    (step,) = german.match.state.queue
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/decide/?step={step.id}")
    reader.press("All stay, no fire")
    (step,) = german.match.state.queue
    assert step.helper == "attack"
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?step={step.id}")
    reader.form("#desk-form").fill(die=4).press("Resolve")
    assert reader.status == 200, reader.words(".error")
    assert [row["unit"] for row in record_of(german)["fired"]] == ["AR_94"]


# Without a table


def pavlov(place, **more):
    house_leader = piece(7, "soviet", place, arm=Arm.HOUSE_LEADER, formation="", **more)
    return house_leader._replace(kind=replace(house_leader.kind, key="pavlov"))


def test_pavlov_counts_two_in_his_house_alone():
    at_home = fill("attack", [piece(1)], [target(), pavlov("0531")])[0]
    assert (at_home["pavlov_house_target"], at_home["leader_in_target"]) == (True, True)
    assert not fill("attack", [piece(1)], [target(), pavlov(HERE)])[0]["pavlov_house_target"]
    attacks = fill("attack", [piece(1, "soviet", "0531"), pavlov("0531")], [piece(9, place="0532")])[0]
    assert (attacks["pavlov_house_attacker"], attacks["leaders"]) == (True, 0)
    fires = fill("defensive-fire", [piece(1, "soviet", "0531"), pavlov("0531")], [piece(9, place="0532")])[0]
    assert (fires["pavlov_house_firers"], fires["leader_with_firers"]) == (True, True)


@pytest.mark.parametrize(
    "slug, values, place, fits",
    [
        ("attack", {"range": 1}, "1842", True),
        ("attack", {"range": 0}, "1842", True),  # always the next hex (9.24)
        ("attack", {"range": 1}, FAR, False),
        ("attack", {"range": None}, FAR, True),  # nobody has said
        ("defensive-fire", {"range": 1}, FAR, False),
        ("bombardment", {"range": 7, "arm": Arm.IF_GUN}, FAR, False),
        ("bombardment", {"range": 8, "arm": Arm.IF_GUN}, FAR, True),
        ("bombardment", {"range": 4, "indirect_range": 16, "arm": Arm.FLAK_88}, FAR, True),
        ("bombardment", {"range": 7, "arm": Arm.IF_GUN}, "0218", True),  # counts otherwise (14.53)
    ],
)
def test_nobody_fires_beyond_the_range_on_the_counter(slug, values, place, fits):
    firers = [piece(1, place=place, **values)]
    at = target()._replace(counter=replace(target().counter, place="1843" if place == "1842" else HERE))
    if fits:
        assert fill(slug, firers, [at])[0]["points"] == 4
    else:
        with pytest.raises(BadInput, match=r"Unit 1: range \d+, 8 hexes away \(9.23\)"):
            fill(slug, firers, [at])


def test_a_stack_is_counted_and_stukas_never_are():
    others = [piece(n, arm=arm) for n, arm in ((2, Arm.LEADER), (3, Arm.OP), (4, Arm.STUKA), (5, Arm.BRIDGE))]
    filled = fill("stacking", [], [piece(1), piece(6, arm=Arm.ENGINEER), *others])[0]
    assert {name: value for name, value in filled.items() if value} == {
        "side": "german",
        "combat": 2,
        "leader": 1,
        "op": 1,
        "bridge": 1,
    }
    assert fill("stacking", [], [piece(1), piece(2, arm=Arm.STUG)])[0]["tank_stug_or_armored_car"] is True
    assert "tank_stug_or_armored_car" not in fill("stacking", [], [piece(1), piece(2, arm=Arm.ARMORED)])[0]


def test_one_counter_of_a_hex_counts_its_whole_stack(german):
    bring(german, "german", "Leader", NEXT)
    address = f"/match/{german.match_id}/roll/stacking/?targets=german-1"
    reader = Reader(german.client).open(address)
    assert [value(reader, name) for name in ("combat", "leader")] == ["1", "1"]


def weigh(answer):
    """Bytes as they are sent, packed."""
    return len(gzip.compress(answer.content, 6))


def test_the_largest_attack_from_six_hexes_is_one_roll_within_the_budgets(german):
    around = ["1841", "1942", "1943", "1843", "1743", "1742"]
    rows = [f"{n}/{at}\tGerman\t94\t{at}\tI\tInfantry\t4\t5\t1\t8" for at in around for n in (1, 2, 3)]
    rows += [f"{at} StuG\tGerman\t\t\t{at}\tStuG\t9\t7\t2\t21" for at in around]
    rows += [f"{n} Gds\tSoviet\t13\t{n}\t1\tGuards infantry\t3\t4\t1\t8" for n in range(1, 9)]
    assert lay(german, "\n".join((HEAD, *rows)), "Many").status == 200
    names = [row.split("\t")[0] for row in rows]
    german.do("counters/add/", list="German: " + ", ".join(name for name in names if "Gds" not in name))
    german.do("counters/add/", list="German: 6 Leader")
    german.do("counters/add/", list="Soviet: " + ", ".join(name for name in names if "Gds" in name))
    counters = german.get("counters.json").json()
    for at in around:
        ids = [row["id"] for row in counters if row["name"].endswith(f"/{at}") or row["name"] == f"{at} StuG"]
        assert len(ids) == 4
        german.do("counters/", id=ids, place=at)
    for at, leader in zip(around, [row["id"] for row in counters if row["counter"] == "leader"], strict=True):
        german.do("counters/", id=leader, place=at)
    german.do("counters/", id=[row["id"] for row in counters if row["name"].endswith("Gds")], place=HERE)
    firers = [row["id"] for row in german.get("counters.json").json() if row["place"] in around]
    firers = [firer for firer in firers if firer.startswith("german")] + ["german-2"]
    assert len(firers) >= 6 * 5 + 1
    reader = ask(german, firers=firers)
    assert value(reader, "points"), reader.words(".error, .trouble, #desk .notice")
    assert value(reader, "leaders") == "6" and value(reader, "combat_units") == "9"
    assert weigh(reader.response) <= 60_000
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0, other_drm=20, die=10).press("Resolve")
    assert reader.status == 200, reader.words(".error")
    assert weigh(reader.response) <= 10_000
    spent = [row["id"] for row in german.get("counters.json").json() if row["state"] == ["spent"]]
    assert len(spent) == len(firers) - 6  # leaders never are


# What a player hides


def test_a_desk_says_which_of_its_ticks_count_hidden_counters(german):
    bring(german, "german", "Minefield", HERE)
    assert "counts what you hide" not in ask(german, "bombardment", ["german-2"]).words("#desk")
    (mine,) = (row["id"] for row in german.get("counters.json").json() if "Minefield" in row["name"])
    german.do("counters/", id=mine, hidden="on")
    reader = ask(german, "bombardment", ["german-2"])
    assert value(reader, "target_on_enemy_minefield")
    assert "counts what you hide: Target on an enemy minefield" in reader.words("#desk")
    # Whoever takes the tick out gives nothing away.
    reader.form("#desk-form").fill(points=20, die=5, target_on_enemy_minefield=False).press("Resolve")
    assert "counts what you hide" not in reader.words("#desk")


def test_a_declared_attack_says_nothing_of_hidden_units_that_bar_the_way_out(german):
    """The enemy reads what is declared before he decides; the advantage counts once the attack is made."""
    around = [str(place) for place in HEXES.neighbours(HEXES.parse(HERE))]
    for place in around:
        if place != NEXT:
            bring(german, "german", "1/274", place)
    stand = {row["place"]: row["id"] for row in german.get("counters.json").json() if row["place"] in around}
    start = around.index(NEXT)
    attackers = [stand[around[(start + turn) % 6]] for turn in (0, 1, 3)]
    behind = [unit for unit in stand.values() if unit not in attackers]
    assert value(ask(german, "battle", attackers), "assault_advantage")
    german.do("counters/", id=behind, hidden="on")
    reader = ask(german, "battle", attackers)
    assert not value(reader, "assault_advantage") and "counts what you hide" not in reader.words("#desk")
    reader.form("#desk-form").fill(terrain="clear", terrain_drm=0).press("Declare")
    assert "assault_advantage" not in json.dumps(german.match.state.queue[0].inputs)
    reader.form("#desk-form").press("All stay, no fire")
    assert [step.helper for step in german.match.state.queue] == ["attack"]
    reader.open(f"/match/{german.match_id}/")
    assert value(reader, "assault_advantage")
    assert "counts what you hide: Assault advantage" in reader.words("#desk")
