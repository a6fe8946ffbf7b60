"""The helpers as programs ask them: parameters, outcomes and details of each, and the text's worked examples."""

import json
import time
from itertools import product

import pytest

from tests.firefight.games.inferno_on_the_volga import book_by_hand as hand

pytestmark = pytest.mark.django_db
GAME = "inferno-on-the-volga"


@pytest.fixture
def ask(client):
    """Ask a helper; the whole answer of a 200."""

    def _ask(helper, **fields):
        sent = {key: json.dumps(value) if isinstance(value, list) else value for key, value in fields.items()}
        answer = client.get(f"/assist/{GAME}/{helper}.json", sent)
        assert answer.status_code == 200, answer.json()
        return answer.json()

    return _ask


@pytest.fixture
def refuse(client):
    """Ask a helper what it refuses; the fields that are wrong."""

    def _refuse(helper, **fields):
        answer = client.get(f"/assist/{GAME}/{helper}.json", fields)
        assert answer.status_code == 400, answer.json()
        return set(answer.json()["errors"])

    return _refuse


@pytest.fixture
def weigh_odds(client):
    """The odds of a helper, by label."""

    def _odds(helper, **fields):
        odds = client.get(f"/assist/{GAME}/{helper}/odds.json", fields).json()
        return {(row["outcome"], row["label"]): row["weight"] / odds["total"] for row in odds["outcomes"]}

    return _odds


# The contract: every parameter and every key of the details, by name

CONTRACT = {
    "soviet-turn": ("stacks top controlled spawns mode", "top size hexes spawn options"),
    "spawn": ("controlled stacks infantry tanks", "steps cards infantry tanks"),
    "roll-order": ("hexes", "hexes"),
    "soviet-dice": ("hexes", "plan cards"),
    "soviet-die": ("face same_dice units_left target soviets_there chuikov next_to_target", "joins"),
    "combat": (
        "attacker hasty terrain soviet_hand german_card chuikov hoth attacker_wins german_types soviet_types",
        "steps bonus order",
    ),
    "hits": ("fire khrushchev fortified opportunity number", "need hits self_hits"),
    "losses": (
        "strengths hits rubble attacker_suffers ignores_rubble",
        "inflicted left destroyed unused next",
    ),
    "close-combat": (
        "attacker terrain rubble bonus german soviet german_hits soviet_hits",
        "german soviet order",
    ),
    "rubble": (
        "cards hexes panzers richthofen airstrike_cancelled modifier not_urban not_deliberate has_rubble placed",
        "modifier need ways rubble",
    ),
    "german-card": (
        "cards attacker hasty linden richthofen soviet_card aa_regiment",
        "allowed dice fire rubble cancelled hits",
    ),
    "soviet-card": (
        "card soviet_hex zaytsev german_in_landing soviets_in_landing landing_german marines_left stack pool aa_hex",
        "dice fire coastal hits landing strikes rubble_hex",
    ),
    "targets": ("card victims", "targets"),
    "advance": (
        "attacker survivors hoth unit advanced_into target_terrain target_has_soviets",
        "min max candidates blitz",
    ),
    "call": ("rows removed paulus sixth_panzer raus_out", "picked left remove cards raus"),
    "return-units": ("rows number reading", "left"),
    "deploy": ("colour shown_strength maximum caller own_full", "hexes strength spin"),
    "long-move": ("start_terrain start_next_to_soviet part_of_stack path", "allowed"),
    "short-moves": ("moves", "allowed"),
    "attack-allowed": (
        "kind next_to_soviet_at_start not_next_to_target stack_after attacking_stacks units_held_back targets_chosen",
        "allowed",
    ),
    "capture": ("side event hex paulus", "cards enemy_spawn"),
    "victory": (
        "soviet_spawn_german soviet_units destroyed destroyed_r deck_empty okh hexes_1_19_german r_removed extra_used",
        "german soviet score extra_turns at_once",
    ),
    "set-up": ("deck level", "counts deck_size deck top bottom in_play"),
    "co-op": ("colours player yellow_spawns blue_spawns", "controls winner"),
    "designers-way": (
        "die_shown hex soviet_controlled not_in_use soviets_attack germans_have_entered maximum",
        "gained left hq placed fortification guard_strength",
    ),
}


@pytest.mark.parametrize("helper", CONTRACT)
def test_every_helper_has_the_names_of_the_contract(client, ask, helper):
    from tests.games.samples.inferno_on_the_volga import SAMPLES

    parameters, details = CONTRACT[helper]
    described = client.get(f"/assist/{GAME}/{helper}.json").json()
    assert set(parameters.split()) <= {field["name"] for field in described["fields"]}
    assert set(details.split()) <= set(ask(helper, **SAMPLES[helper])["details"])


def test_there_are_twenty_five_helpers(client):
    assert len(CONTRACT) == 25
    for helper in CONTRACT:
        assert client.get(f"/assist/{GAME}/{helper}/").status_code == 200


def test_odds_are_counted_in_a_moment(client, weigh_odds):
    """The longest: sixteen dice with three kinds of faces, six dice on the Track, six on Soviet hexes."""
    hardest = {
        "hits": {"number": 16, "khrushchev": "on"},
        "german-card": {"cards": "heinkel_111", "richthofen": "on"},
        "call": {"rows": "0,1,2,3,4,5"},
        "soviet-dice": {"hexes": "3,7,9,13,15,19"},
        "rubble": {"cards": "pioneer"},
    }
    for helper, fields in hardest.items():
        began = time.perf_counter()
        weigh_odds(helper, **fields)
        assert time.perf_counter() - began < 0.5, helper


# The worked examples of the text


def test_example_of_a_call(ask):
    details = ask("call", faces="2 3 4 5 5 5")["details"]
    assert (details["picked"], details["remove"], details["cards"]) == ([0, 1, 1, 1, 3, 0], [], 1)


def test_example_of_an_empty_row(ask):
    answer = ask("call", rows="0,5,5,5,5,5", faces="1 1 2 3 4 5")
    assert answer["details"]["remove"] == [1]
    assert ask("call", rows="0,5,5,5,5,5", removed="1", faces="1 1 2 3 4 5")["details"]["remove"] == []


def test_example_of_a_rubble_roll(ask, weigh_odds):
    fields = {"cards": "heinkel_111", "hexes": 4, "panzers": 4}
    answer = ask("rubble", **fields, total=8)
    assert (answer["outcome"], answer["modified"]) == ("rubble", 19)
    assert (answer["details"]["modifier"], answer["details"]["need"], answer["details"]["ways"]) == (11, 8, 181)
    assert sum(modifier["value"] for modifier in answer["modifiers"]) == 11
    assert ask("rubble", **fields, total=7)["outcome"] == "none"
    assert weigh_odds("rubble", **fields)["rubble", "Rubble"] == pytest.approx(181 / 216)


def test_example_of_close_combat(ask):
    """Four Soviets with eight dots in an Urban hex: five dice of Single Fire, three of Double Fire."""
    assert ask("hits", number=5, faces="6 6 1 2 3")["details"]["hits"] == 2
    assert ask("hits", fire="DF", number=3, faces="5 6 4")["details"]["hits"] == 2
    answer = ask(
        "close-combat",
        **{
            "terrain": "urban",
            "rubble": "on",
            "german": "4,4",
            "soviet": "2,2,2,2",
            "german_hits": 5,
            "soviet_hits": 4,
        },
    )
    assert answer["details"]["order"] == "defender_first"
    assert (answer["details"]["german"], answer["details"]["soviet"]) == ([2, 2], [1, 1, 2, 2])


def test_examples_of_a_spawn_action(ask):
    details = ask("spawn", controlled="3,19", tanks=0)["details"]
    assert details["cards"] == 2
    assert details["steps"] == [
        {"hex": "3", "deploy": ["infantry"], "cards": 1},
        {"hex": "19", "deploy": ["infantry"], "cards": 1},
    ]


def test_example_of_a_third_marine(ask):
    answer = ask("soviet-card", card="volga_river_flotilla", soviet_hex="30", marines_left=0, faces="1 2 3")
    assert (answer["outcome"], answer["details"]["landing"]) == ("card", "6")
    answer = ask("soviet-card", card="volga_river_flotilla", soviet_hex="30", marines_left=1, faces="1 2 3")
    assert answer["headline"] == "Volga River Flotilla at hex 6: a Marine lands."


def test_examples_of_7_9_and_25(ask):
    hexes = [{"hex": "25", "north": 4, "volga": 2}, {"hex": "7", "north": 3}, {"hex": "9", "north": 4, "volga": 1}]
    assert ask("roll-order", hexes=hexes)["details"]["hexes"] == ["7", "9", "25"]
    answer = ask("soviet-dice", hexes="7,9,25", faces="6 1 5")
    assert answer["details"]["plan"] == [
        {"hex": "9", "die": 1, "do": "attack_or_card"},
        {"hex": "25", "die": 5, "do": "move_or_attack"},
        {"hex": "7", "die": 6, "do": "move_or_attack"},
    ]
    assert [roll["inputs"] for roll in answer["follow_ups"]] == [{"face": face, "same_dice": 1} for face in (1, 5, 6)]
    assert ask("soviet-die", face=1)["outcome"] == "card"
    assert ask("soviet-die", face=5, target="german", chuikov="on", next_to_target="on")["details"]["joins"]
    assert ask("soviet-die", face=6)["outcome"] == "move"


def test_example_of_five_cards_and_a_move(ask):
    details = ask("soviet-dice", hexes="3,7,9,13,15,19", faces="116631")["details"]
    assert details["cards"] == 5
    assert [row["do"] for row in details["plan"]] == ["card", "card", "card", "move_or_attack", "card", "card"]


def test_example_of_the_normal_level(ask):
    for die in (4, 2):
        details = ask("designers-way", die_shown=die)["details"]
        assert (details["gained"], details["left"]) == (die, 6 - die)


# Each helper against a book kept by hand


def test_the_soviet_turn_against_the_book(ask):
    for top, spawns, mode in product((0, 1, 2, 6, 7), range(7), ("solo", "one_v_one")):
        stacks = [{"hex": str(30 + place), "units": 3} for place in range(top)] + [{"hex": "90", "units": 2}][
            : bool(top)
        ]
        controlled = ",".join(hand.SPAWN[:spawns])
        answer = ask("soviet-turn", stacks=stacks, controlled=controlled, mode=mode)
        assert answer["outcome"] == hand.soviet_turn(top, spawns, mode), (top, spawns, mode)
        assert answer["details"]["spawn"] == spawns and answer["details"]["top"] == top
        assert answer["details"]["size"] == (3 if top else 0)


def test_a_counted_number_goes_before_the_list(ask):
    answer = ask("soviet-turn", stacks="24,30", top=7, spawns=6)
    assert (answer["outcome"], answer["details"]["hexes"]) == ("spawn", [])
    assert ask("soviet-turn", controlled="X,Y,Z")["outcome"] == "draw"


def test_the_spawn_action_against_the_book(ask):
    for units, infantry, tanks in product(range(5), (0, 1, 22), (0, 1, 6)):
        stacks = [{"hex": hex, "units": units} for hex in hand.SPAWN if units]
        details = ask("spawn", controlled="3,7,9,13,15,19", stacks=stacks, infantry=infantry, tanks=tanks)["details"]
        expected = hand.spawn(dict.fromkeys(hand.SPAWN, units), infantry, tanks)
        steps = [(step["hex"], step["deploy"], step["cards"]) for step in details["steps"]]
        assert (steps, details["infantry"], details["tanks"]) == expected, (units, infantry, tanks)


def test_a_hex_stands_in_a_list_once(refuse):
    assert refuse("spawn", stacks="3,3") == {"stacks"}
    assert refuse("soviet-dice", hexes="3,3", faces="1 2") == {"hexes"}
    assert refuse("soviet-dice", hexes="3,7", faces="1") == {"faces"}


def test_the_odds_of_equal_dice(weigh_odds):
    for number, expected in ((1, 0), (2, 0.333), (3, 0.917), (4, 1.685), (5, 2.589), (6, 3.589)):
        odds = weigh_odds("soviet-dice", hexes=",".join(hand.SPAWN[:number]))
        mean = sum(int(label.split()[0]) * weight for (_, label), weight in odds.items())
        assert round(mean, 3) == expected


def test_the_steps_of_a_combat_against_the_book(ask):
    ticks = ("hasty", "german_card", "chuikov", "hoth", "attacker_wins")
    for attacker, terrain, card, *on in product(
        ("german", "soviet"), ("clear", "rough", "urban"), (0, 3), *[(0, 1)] * 5
    ):
        fields = {tick: "on" for tick, set_on in zip(ticks, on, strict=True) if set_on}
        if sum(on) not in (0, 1, 4, 5):
            continue
        details = ask("combat", attacker=attacker, terrain=terrain, soviet_hand=card, **fields)["details"]
        assert details["steps"] == hand.steps(attacker, terrain, card, set(fields)), (attacker, terrain, card, fields)


def test_the_order_of_a_combat(ask):
    combined = {"hoth": "on", "german_types": "infantry,panzer"}
    first = ask("combat", **combined, soviet_hand=1)
    assert first["outcome"] == "german_first" and first["headline"].endswith(": Germans first.")
    assert "5. Effect of the Soviet card." in first["effects"]  # names keep their capitals
    assert ask("combat", **combined, attacker="soviet")["outcome"] == "german_first"
    assert ask("combat", **combined, soviet_types="infantry,tank")["outcome"] == "simultaneous"
    assert ask("combat", **combined, terrain="rough")["outcome"] == "simultaneous"
    assert ask("combat", **combined, terrain="urban")["outcome"] == "defender_first"
    assert ask("combat", german_types="panzergrenadier", hoth="on")["details"]["bonus"] is True
    assert ask("combat", german_types="panzergrenadier")["details"]["bonus"] is False


def test_a_soviet_player_may_pass_and_ones_may_leave_nobody(ask):
    assert ask("combat", soviet_hand=3, soviet_passes="on")["details"]["steps"] == [3, 4, 7, 10, 13]
    steps = ask("combat", soviets_gone="on", terrain="urban")["details"]["steps"]
    assert steps == [3, 4, 7, 9, 11, 13]


def test_what_follows_a_combat_goes_by_its_steps(ask):
    answer = ask("combat", terrain="urban", soviet_hand=1, german_card="on", chuikov="on")
    slugs = [roll["helper"] for roll in answer["follow_ups"]]
    assert slugs == ["soviet-card", "german-card", "hits", "rubble", "close-combat"]
    assert answer["follow_ups"][-1]["inputs"] == {"attacker": "german", "terrain": "urban", "bonus": False}


def test_every_face_of_every_fire(ask):
    for fire, khrushchev, fortified, face in product(("SF", "DF", "TF"), (0, 1), (0, 1), range(1, 7)):
        fields = {"khrushchev": "on"} if khrushchev else {}
        fields |= {"fortified": "on"} if fortified else {}
        answer = ask("hits", fire=fire, number=1, faces=face, **fields)
        need = {"SF": 6, "DF": 5, "TF": 4}[fire] - khrushchev - fortified
        assert answer["details"] == {
            "need": need,
            "hits": int(face >= need),
            "self_hits": int(bool(khrushchev) and face == 1),
        }
        assert answer["outcome"] == ("hits" if face >= need else "none")


def test_opportunity_fire_and_open_numbers_of_dice(ask, refuse):
    assert ask("hits", fire="TF", opportunity="on", faces="5 6 4")["details"]["hits"] == 1
    assert ask("hits")["outcomes"] == ["hits", "none"]
    assert ask("hits", number=0, fire="DF")["outcome"] == "none"
    assert refuse("hits", number=3, faces="1 2") == {"faces"}
    assert refuse("hits", number=17) == {"number"}


def test_the_odds_of_four_dice_of_single_fire(weigh_odds):
    odds = weigh_odds("hits", number=4)
    assert odds["none", "no hit"] == pytest.approx((5 / 6) ** 4)
    assert odds["hits", "4 hits"] == pytest.approx(1 / 1296)


def test_losses(ask, refuse):
    answer = ask("losses", strengths="4,3,3", hits=2)
    assert answer["details"] == {"inflicted": 2, "left": [2, 3, 3], "destroyed": 0, "unused": 0, "next": [2, 3]}
    assert ask("losses", strengths="1,1", hits=5)["details"]["unused"] == 3
    assert ask("losses", strengths="1,1", hits=5)["outcome"] == "wiped_out"
    assert ask("losses", strengths="4,4", hits=5, rubble="on")["details"]["inflicted"] == 2
    assert ask("losses", strengths="4,4", hits=1, rubble="on")["outcome"] == "unhurt"
    assert ask("losses", strengths="4,4", hits=1, rubble="on", attacker_suffers="on")["outcome"] == "reduced"
    assert ask("losses", strengths="4,4", hits=1, rubble="on", ignores_rubble="on")["outcome"] == "reduced"
    assert refuse("losses", hits=2) == refuse("losses", strengths="0,0", hits=2) == {"strengths"}


def test_close_combat_against_the_book(ask):
    for attacker, terrain, rubble, bonus, ours, theirs in product(
        ("german", "soviet"), ("clear", "rough", "urban"), (0, 1), (0, 1), (0, 1, 3, 9), (0, 2, 3)
    ):
        ticks = {name: "on" for name, on in (("rubble", rubble), ("bonus", bonus)) if on}
        answer = ask(
            "close-combat",
            **{"attacker": attacker, "terrain": terrain, "german": "2,1", "soviet": "1,1"},
            **{"german_hits": ours, "soviet_hits": theirs},
            **ticks,
        )
        expected = hand.close_combat(attacker, terrain, rubble, bonus, [2, 1], [1, 1], ours, theirs)
        details = answer["details"]
        actual = (answer["outcome"], sorted(details["german"]), sorted(details["soviet"]), details["order"])
        assert actual == expected, (attacker, terrain, rubble, bonus, ours, theirs)


def test_close_combat_asks_for_both_sides(refuse):
    assert refuse("close-combat", german="2") == {"soviet"}
    assert refuse("close-combat", german="5", soviet="1") == {"german"}


def test_rubble_is_refused_where_none_can_lie(ask):
    for flag in ("not_urban", "not_deliberate", "has_rubble"):
        assert ask("rubble", **{flag: "on"}, total=18)["outcome"] == "none"
    assert ask("rubble", placed=15, modifier=16)["details"]["rubble"] is False
    assert ask("rubble", placed=14, modifier=16, total=3)["details"]["rubble"] is True


def test_the_672nd_pioneer_is_read_off_its_card(ask, refuse):
    assert refuse("rubble", cards="672nd_pioneer", total=9) == {"own_rubble"}
    assert ask("rubble", cards="672nd_pioneer", own_rubble=2, total=9)["details"]["modifier"] == 3
    assert refuse("german-card", cards="672nd_pioneer", linden="on") == {"own_dice", "own_rubble"}
    answer = ask("german-card", cards="672nd_pioneer,pioneer", linden="on", own_dice=6, own_rubble=2)
    assert (answer["details"]["dice"], answer["details"]["rubble"]) == (11, 3)
    assert "owner" in {source["provenance"] for source in answer["provenance"]}


def test_german_cards(ask, refuse):
    for card, dice, rubble in (("heinkel_111", 6, 3), ("stuka", 5, 2), ("howitzer", 6, 2), ("pioneer", 5, 1)):
        details = ask("german-card", cards=card)["details"]
        assert details == {
            **{"allowed": True, "dice": dice, "fire": "TF", "rubble": rubble, "cancelled": False, "hits": None}
        }
    assert ask("german-card", cards="stuka", richthofen="on")["details"]["dice"] == 10
    assert ask("german-card", cards="stuka", faces="4 5 6 1 2")["details"]["hits"] == 3
    for card in ("sniper", "pak"):
        details = ask("german-card", cards=card)["details"]
        assert (details["dice"], details["fire"], details["rubble"], details["hits"]) == (0, None, 0, None)
    assert refuse("german-card", cards="pak,pak,pak", linden="on") == {"cards"}


def test_airstrikes_are_cancelled(ask):
    for fields in ({"soviet_card": "aa"}, {"aa_regiment": "on"}):
        answer = ask("german-card", cards="stuka", **fields, faces="4 5 6 1 2")
        assert (answer["outcome"], answer["details"]["dice"], answer["details"]["rubble"]) == ("cancelled", 0, 0)
        assert answer["details"]["cancelled"] is True and answer["details"]["hits"] is None
        assert ask("german-card", cards="howitzer", **fields)["outcome"] == "played"


def test_german_cards_that_may_not_be_played(ask):
    refused = [
        {"cards": "stuka", "attacker": "soviet"},
        {"cards": "stuka", "hasty": "on"},
        {"cards": "pioneer,pioneer"},
        {"cards": "pioneer,stuka", "linden": "on"},
        {"cards": "672nd_pioneer"},
    ]
    for fields in refused:
        answer = ask("german-card", **fields)
        assert (answer["outcome"], answer["details"]["allowed"], len(answer["effects"]) > 0) == ("refused", False, True)
    assert ask("german-card", cards="pioneer,pioneer", linden="on")["details"]["dice"] == 10


def test_every_soviet_card(ask):
    expected = {
        "chuikov": ("leader", {}),
        "zaytsev": ("leader", {}),
        "khrushchev": ("leader", {}),
        "tommy_gunner": ("hits", {"faces": "5 4"}),
        "volga_river_flotilla": ("hits", {"faces": "5 6 1"}),
        "aa": ("airstrike_cancelled", {"aa_hex": "7"}),
        "sniper": ("strikes", {}),
        "anti_tank": ("strikes", {}),
        "infiltration": ("deploy", {}),
        "t_34_dug_in": ("deploy", {}),
    }
    details = {}
    for card, (outcome, fields) in expected.items():
        answer = ask("soviet-card", card=card, **fields)
        assert answer["outcome"] == outcome, card
        details[card] = answer["details"]
    assert (details["tommy_gunner"]["hits"], details["tommy_gunner"]["fire"]) == (1, "DF")
    assert details["volga_river_flotilla"]["hits"] == 2 and details["volga_river_flotilla"]["coastal"] is True
    assert details["aa"]["rubble_hex"] == "7" and details["sniper"]["strikes"] == 1
    assert ask("soviet-card", card="sniper", zaytsev="on")["details"]["strikes"] == 2
    assert ask("soviet-card", card="anti_tank", zaytsev="on")["details"]["strikes"] == 1


def test_units_come_by_card_or_a_card_is_drawn(ask):
    for card, stack, pool in product(("infiltration", "t_34_dug_in"), range(5), (0, 1)):
        outcome = ask("soviet-card", card=card, stack=stack, pool=pool)["outcome"]
        assert outcome == ("deploy" if stack < 4 and pool else "card")


def test_landings(ask, refuse):
    inland = {"card": "volga_river_flotilla", "soviet_hex": "30", "faces": "6 6 6"}
    assert ask("soviet-card", **inland)["details"]["landing"] == "18"
    assert ask("soviet-card", **inland, german_in_landing="on", marines_left=0)["outcome"] == "no_effect"
    assert ask("soviet-card", **inland, soviets_in_landing=4)["outcome"] == "card"
    assert ask("soviet-card", **inland, landing_german="on")["outcome"] == "marine"
    for coast in ("3", "19"):
        assert ask("soviet-card", card="volga_river_flotilla", soviet_hex=coast, faces="1 1 1")["details"]["coastal"]
    for inland_hex in ("1", "2", "20", "X"):
        fields = {"card": "volga_river_flotilla", "soviet_hex": inland_hex, "faces": "1 1 1"}
        assert not ask("soviet-card", **fields)["details"]["coastal"]
    assert refuse("soviet-card", card="tommy_gunner", faces="1 2 3") == {"faces"}


def test_targets(ask, refuse):
    kinds = ["infantry", "motorized", "panzer", "panzergrenadier", "tank"]
    victims = [{"kind": kind, "strength": 3} for kind in kinds]
    expected = {
        **{"soviet_sniper": [1, 2, 4], "anti_tank": [3, 4], "20th_destroyer_brigade": [3, 4]},
        **{"german_sniper": [1, 2], "pak": [5]},
    }
    for card, places in expected.items():
        assert ask("targets", card=card, victims=victims)["details"]["targets"] == places
    assert ask("targets", card="pak", victims=victims[:4])["outcome"] == "nobody"
    assert ask("targets", victims="infantry,panzer")["details"]["targets"] == [1]
    assert refuse("targets", card="pak") == {"victims"}


def test_the_advance(ask):
    german = ask("advance", survivors="4,1,2,2,3")["details"]
    assert (german["min"], german["max"], german["candidates"], german["blitz"]) == (1, 4, [1, 2, 3, 4, 5], False)
    soviet = ask("advance", attacker="soviet", survivors="2,3,3", hoth="on")["details"]
    assert (soviet["min"], soviet["max"], soviet["candidates"], soviet["blitz"]) == (1, 1, [2, 3], False)
    nobody = ask("advance", hoth="on", attacker="german", survivors="")
    assert (nobody["outcome"], nobody["details"]["min"], nobody["details"]["blitz"]) == ("nobody_left", 0, False)


def test_blitz(ask):
    assert ask("advance", survivors="3", hoth="on")["details"]["blitz"] is True
    for flaw in (
        {"unit": "infantry"},
        {"advanced_into": "rough"},
        {"target_terrain": "urban"},
        {"target_has_soviets": "on"},
    ):
        assert ask("advance", survivors="3", hoth="on", **flaw)["details"]["blitz"] is False


def test_an_advance_onto_a_spawn_hex_asks_for_its_cards(ask):
    answer = ask("advance", survivors="3", hex="9")
    assert answer["follow_ups"] == [
        {"helper": "capture", "title": "Cards for 9", "inputs": {"side": "german", "hex": "9"}}
    ]
    assert ask("advance", survivors="3", hex="10")["follow_ups"] == []


def test_paulus_and_raus_at_a_call(ask, refuse):
    assert ask("call", paulus="on", faces="123456")["details"]["cards"] == 2
    answer = ask("call", rows="5,5,5,5,4,0", sixth_panzer="on", faces="1 2 3 4 5 6")
    assert answer["details"]["raus"] is True and answer["follow_ups"][0]["helper"] == "return-units"
    once = ask("call", rows="5,5,5,5,4,0", sixth_panzer="on", raus_out="on", faces="1 2 3 4 5 6")
    assert once["details"]["raus"] is False
    assert refuse("call", rows="5,5", faces="123456") == {"rows"}
    assert refuse("call", rows="5,5,5,5,5,6", faces="123456") == {"rows"}


def test_units_go_back(ask, refuse):
    assert ask("return-units", rows="3,1,1,5,5,5", number=3)["details"]["left"] == [3, 3, 2, 5, 5, 5]
    assert ask("return-units", rows="3,1,1,5,5,5", number=3, reading="once")["details"]["left"] == [4, 2, 2, 5, 5, 5]
    assert refuse("return-units", rows="5,5,5,5,5,5", number=1) == {"number"}


def test_where_units_arrive(ask, refuse):
    hexes = {colour: ask("deploy", colour=colour)["details"]["hexes"] for colour in ("yellow", "blue", "white")}
    assert hexes == {"yellow": ["X", "Y"], "blue": ["Z"], "white": ["X", "Y", "Z"]}
    assert ask("deploy", colour="white", caller="blue")["details"]["hexes"] == ["Z"]
    assert ask("deploy", colour="white", caller="blue", own_full="on")["details"]["hexes"] == ["X", "Y"]
    details = ask("deploy", shown_strength=0, maximum=3)["details"]
    assert (details["strength"], details["spin"]) == (1, {"3": 1, "2": 1, "1": 2})
    assert refuse("deploy", shown_strength=4, maximum=3) == {"shown_strength"}


def test_moves_and_attacks(ask, refuse):
    assert ask("long-move", path="clear,clear")["details"]["allowed"] is True
    assert ask("long-move", path="clear,rough")["details"]["allowed"] is False
    assert ask("long-move", path=[{"terrain": "clear", "germans": 2}, {"terrain": "clear"}])["outcome"] == "allowed"
    assert ask("long-move", path=[{"terrain": "clear", "germans": 2}])["outcome"] == "refused"
    assert refuse("long-move", start_terrain="rough") == {"path"}
    assert ask("short-moves", moves="4,4")["outcome"] == "allowed"
    assert ask("short-moves", moves="5")["outcome"] == ask("short-moves", moves="1,1,1")["outcome"] == "refused"
    assert ask("short-moves", moves=[])["outcome"] == "allowed"
    assert ask("attack-allowed", kind="hasty")["outcome"] == "allowed"
    assert ask("attack-allowed", next_to_soviet_at_start="on")["outcome"] == "refused"
    assert ask("attack-allowed", kind="deliberate", next_to_soviet_at_start="on")["outcome"] == "allowed"
    assert ask("attack-allowed", kind="deliberate", targets_chosen=2)["outcome"] == "refused"
    answer = ask("attack-allowed", attacking_stacks=2, targets_chosen=2)
    assert len(answer["effects"]) == 2 and all(effect.startswith("One Hasty Attack") for effect in answer["effects"])


def test_cards_of_captures(ask, refuse):
    for hex in (*map(str, range(1, 26)), "W", "X", "Y", "Z"):
        for side in ("german", "soviet"):
            details = ask("capture", side=side, hex=hex, paulus="on")["details"]
            is_german = side == "german" and hex in hand.SPAWN
            is_soviet = side == "soviet" and hex in ("X", "Y", "Z")
            assert details == {"cards": 2 * is_german + is_soviet, "enemy_spawn": is_german or is_soviet}
    assert ask("capture", event="call")["details"]["cards"] == 1
    assert ask("capture", event="call", paulus="on")["details"]["cards"] == 2
    assert refuse("capture", side="german") == {"hex"}


def test_victory(ask, refuse):
    assert ask("victory", destroyed=9)["outcome"] == "goes_on"
    assert ask("victory", destroyed=10)["outcome"] == "soviet"
    assert ask("victory", destroyed=6, destroyed_r=4)["details"]["score"] == 10
    assert ask("victory", soviet_spawn_german=6)["outcome"] == "german"
    assert ask("victory", soviet_spawn_german=6, okh="on")["outcome"] == "goes_on"
    assert ask("victory", hexes_1_19_german=19, okh="on")["outcome"] == "german"
    assert ask("victory", soviet_spawn_german=6, destroyed=10)["outcome"] == "both"
    details = ask("victory", deck_empty="on")["details"]
    assert details["soviet"] is True and details["at_once"] is True
    extra = ask("victory", deck_empty="on", okh="on", r_removed=3, extra_used=1)
    assert (extra["outcome"], extra["details"]["extra_turns"], extra["details"]["at_once"]) == ("goes_on", 2, False)
    assert refuse("victory", destroyed=1, destroyed_r=2) == {"destroyed_r"}


def test_set_up(ask):
    soviet = ask("set-up", deck="soviet")["details"]
    assert soviet["deck_size"] == sum(soviet["deck"].values()) == 28
    assert soviet["counts"]["map"] == 23 and soviet["counts"]["track"] == 30
    german = ask("set-up", deck="german")["details"]
    assert german["deck_size"] == 26 and german["deck"]["heinkel_111"] == 4
    easy = ask("set-up", deck="german", level="easy_german")["details"]
    assert (easy["deck_size"], easy["top"], easy["bottom"]) == (23, ["linden"], ["okh"])
    assert easy["in_play"] == ["paulus", "hoth", "von_richthofen"]
    assert len(ask("set-up", level="impossible_german", deck="soviet")["details"]["top"]) == 3


def test_two_german_players(ask):
    outcomes = {
        colours: ask("co-op", colours=colours, player="blue")["outcome"]
        for colours in ("yellow,white", "blue,white", "white", "yellow,blue")
    }
    assert list(outcomes.values()) == ["yellow", "blue", "white", "illegal"]
    details = ask("co-op", colours="blue", player="blue", yellow_spawns=2, blue_spawns=1)["details"]
    assert details == {"controls": True, "winner": "yellow"}
    assert ask("co-op", colours="white")["details"]["controls"] is False
    assert ask("co-op", yellow_spawns=1, blue_spawns=1)["details"]["winner"] == "level"


def test_the_designers_way(ask):
    details = ask("designers-way", hex="26", soviet_controlled="on", total=11)["details"]
    assert (details["hq"], details["placed"], details["fortification"]) == ("11", True, 1)
    assert ask("designers-way", total=11)["details"]["placed"] is False
    blank = ask("designers-way", hex="26", soviets_attack="on", maximum=3)["details"]
    assert (blank["hq"], blank["placed"], blank["fortification"], blank["guard_strength"]) == (None, None, 0, 3)
    for flag in ("not_in_use", "germans_have_entered"):
        assert ask("designers-way", hex="4", **{flag: "on"})["details"]["fortification"] == 0


def test_tables_say_that_they_are_the_texts(ask):
    for helper, fields in (
        ("hits", {"number": 1, "faces": 6}),
        ("set-up", {"deck": "german"}),
        ("spawn", {"tanks": 1}),
    ):
        assert {source["provenance"] for source in ask(helper, **fields)["provenance"]} == {"text"}
