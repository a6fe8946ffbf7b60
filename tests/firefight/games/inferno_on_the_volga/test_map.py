"""The map of Inferno: hexes where the compass has them, and what lies there as the German side knows it."""

from types import SimpleNamespace

from firefight.drawing.board import outline_board
from firefight.engine.board.board import tell_place
from firefight.games.inferno_on_the_volga.board import VolgaMap

from .solo_games import HOUSE, set_position

SIDES = {"german": "German", "soviet": "Soviet"}
MAP = VolgaMap(HOUSE)
PLACES = {place.name: place for place in MAP.drawn.places}


def view(play, sees=("german",)):
    return MAP.view_board(SimpleNamespace(record={"solo": play.state}, content=None), sees)


def tell(play, hex):
    return tell_place(PLACES[hex], view(play).places[hex], SIDES)


def soviet_blocks(number):
    return [block.key for block in HOUSE.of_side("soviet")][:number]


def test_every_hex_touches_on_the_map_what_the_compass_says():
    for name, hex in HOUSE.board.hexes.items():
        towards = tuple(MAP.drawn.find_neighbour(name, direction) or "" for direction in range(1, 7))
        assert towards == hex.towards, name
    assert len(PLACES) == 109


def test_the_volga_is_on_top_and_north_on_the_left():
    middles = outline_board(MAP.drawn).middles
    assert middles["9"][1] < middles["25"][1] and middles["3"][0] < middles["19"][0]


def test_terrain_and_spawn_hexes_are_printed():
    assert (PLACES["9"].ground.word, PLACES["21"].ground.word) == ("urban", HOUSE.board.terrain["21"])
    assert [name for name, place in PLACES.items() if place.marks] == ["3", "7", "9", "13", "15", "19"]


def test_own_blocks_have_names_and_those_of_the_app_are_a_number():
    one, two = soviet_blocks(2)
    play = set_position({"41": {"g36": 3}}, {"24": {one: 2, two: 1}}, rubble=["24"])
    assert tell(play, "41") == f"41, clear, held by {SIDES['german']}, {HOUSE.blocks['g36'].name} (3)"
    assert tell(play, "24") == "24, urban, rubble, 2 Soviet blocks, top stack"
    assert [stack.is_ringed for stack in view(play).places["24"].stacks] == [True]


def test_nothing_of_the_map_tells_which_blocks_lie_there():
    one, *_, other = soviet_blocks(40)
    views = [view(set_position({}, {"24": {key: dots}})) for key, dots in ((one, 1), (other, 3))]
    assert views[0] == views[1] == view(set_position({}, {"24": {one: 1}}), ("german", "soviet"))


def test_a_line_above_the_map_says_how_the_game_stands():
    status = view(set_position(rubble=["9", "24"])).status
    assert "rubble 2 of 15" in status and any(part.startswith("Soviet hand ") for part in status)


def test_two_germans_see_whose_each_stack_is_and_a_soviet_player_does_not():
    germans = {"41": {"g191": 4, "g208": 3}, "40": {"g267": 4}, "39": {"g212": 4}}
    for mode, seat, letters in (
        ("co_op", "yellow", ["Y", "B", "W"]),
        ("two_v_one", "blue", ["Y", "B", "W"]),
        ("two_v_one", "soviet", ["", "", ""]),
        ("one_v_one", "german", ["", "", ""]),
    ):
        play = set_position(germans, mode=mode)
        places = view(play, (seat,)).places
        assert [places[hex].stacks[0].letters for hex in germans] == letters, (mode, seat)
        assert ("(3, White)" in places["41"].stacks[0].words) is bool(letters[0])


def test_whose_hand_is_not_ones_own_is_counted_and_an_observer_is_not_told_that_there_are_no_cards():
    hands = {"yellow": ["stuka"], "blue": ["pak", "pak"], "soviet": ["sniper"]}
    play = set_position(mode="two_v_one", hands=hands)
    lines = {
        seat: [part for part in view(play, sees).status if "hand" in part or "cards" in part]
        for seat, sees in (("blue", ("blue",)), ("soviet", ("soviet",)), ("", ()))
    }
    assert lines == {
        "blue": ["Yellow hand 1", "Soviet hand 1", "Blue cards: 2 Pak"],
        "soviet": ["Yellow hand 1", "Blue hand 2", "Soviet cards: Sniper"],
        "": ["Yellow hand 1", "Blue hand 2", "Soviet hand 1"],
    }


def test_a_game_on_the_players_own_table_has_no_map_here():
    modes = ({"mode": "solo"}, {"mode": "solo", "board": "app"}, {"mode": "solo", "board": "table"}, {"mode": "co_op"})
    laid = [MAP.lay_board(SimpleNamespace(options=options, record={"solo": None}, content=None)) for options in modes]
    assert laid == [MAP.drawn, MAP.drawn, None, None]
    assert MAP.lay_board(SimpleNamespace(options={"mode": "solo"}, record={})) is None, "nothing leads it"


def test_without_a_game_nothing_lies_there():
    assert not MAP.view_board(SimpleNamespace(record={"solo": None}, content=None), ()).places
    assert not MAP.view_board(SimpleNamespace(record={}), ()).places
