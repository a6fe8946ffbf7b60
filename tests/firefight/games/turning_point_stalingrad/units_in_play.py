"""Counters of Turning Point: Stalingrad in a match: an owner's sheet of invented units, and hands that set them out."""

from tests.firefight import players
from tests.games.test_sheets import lay

GAME = "turning-point-stalingrad"
HEAD = "name\tside\tclass\tparent\taf\tdf\tmf\tspent df\tmf style\tnight af\tleaves\tcount"
ROWS = (
    "Pi 295\tGerman\tEngineer\t295\t5\t2\t5\t1",
    "I/295\tGerman\tInfantry\t295\t4\t3\t5\t2\t\t\tS27\t4",
    "A/24\tGerman\tArmour\t24\t6\t4\t6\t2",
    "Flak 5\tGerman\tAA\tInd\t*\t2\t6\t1\tMotorized",
    "1/10 NKVD\tRussian\tInfantry\t10\t2\t3\t4\t2\t\t\t\t3",
)
SHEET = "\n".join((HEAD, *ROWS))


def begin(hot_seat=True):
    """The German of a match of its own."""
    return players.begin("german", hot_seat=hot_seat, game=GAME)[0]


def add(player, *lists):
    """Bring counters into play, as a list names them; returns their ids."""
    before = shown(player).keys()
    answer = player.do("counters/add/", list="\n".join(lists))
    assert answer.status_code in (200, 302), players.words_of(answer)
    return [each for each in shown(player) if each not in before]


def put_out(player, counter, place, *words):
    """Let a counter stand in an Area, with these words befallen it."""
    here = shown(player)[counter][0] == place
    for sent in (*(() if here else ({"place": place},)), *({"becomes": word} for word in words)):
        answer = player.do("counters/", id=counter, **sent)
        assert answer.status_code in (200, 302), players.words_of(answer)


def set_out(player, **areas):
    """Units of the invented sheet in Areas: ``german_25="Pi 295, 2 I/295"``; returns their ids by name."""
    assert lay(player, SHEET, "295").status == 200
    placed = {}
    for where, names in areas.items():
        side, _, area = where.partition("_")
        for each in add(player, *(f"{side.capitalize()}: {name}" for name in names.split(", "))):
            put_out(player, each, area)
            placed[player.match.state.counters[each]["name"]] = each
    return placed


def shown(player):
    """Where counters stand, and how they are, by id; those that are gone left out."""
    there = player.get("counters.json").json()
    return {each["id"]: (each["place"], each["state"]) for each in there if not each.get("fate")}
