"""Counters of Turning Point: Stalingrad in a match: an owner's sheet of invented units, and hands that set them out."""

from copy import deepcopy

from firefight.games import chartbooks
from firefight.models import Match
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
    "Pak 1\tGerman\tAT\tInd\t*\t2\t4\t1",
    "I/AR 40\tGerman\tArtillery\tInd\t3\t\t3",
    "398 AT\tRussian\tAT\tInd\t*\t2\t4\t1",
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
    return [id for id in shown(player) if id not in before]


def put_out(player, counter, place, *words):
    """Put a counter in an Area, and let these words happen to it."""
    is_there = shown(player)[counter][0] == place
    for sent in (*(() if is_there else ({"place": place},)), *({"becomes": word} for word in words)):
        answer = player.do("counters/", id=counter, **sent)
        assert answer.status_code in (200, 302), players.words_of(answer)


def set_out(player, other=None, **areas):
    """Units of the invented sheet in Areas: ``german_25="Pi 295, 2 I/295"``; returns their ids by name.

    ``other``: who agrees to the sheet, where somebody sits at another device.
    """
    assert lay(player, SHEET, "295").status == 200
    if other:
        other.do("answer/", agrees="yes")
    placed = {}
    for where, names in areas.items():
        side, _, area = where.partition("_")
        for id in add(player, *(f"{side.capitalize()}: {name}" for name in names.split(", "))):
            put_out(other if other and side == "russian" else player, id, area)
            placed[player.match.state.counters[id]["name"]] = id
    return placed


def shown(player):
    """Where counters stand, and how they are, by id; those that are gone left out."""
    counters = player.get("counters.json").json()
    return {row["id"]: (row["place"], row["state"]) for row in counters if not row.get("fate")}


# An invented map: only what the text names of the true one agrees with that (22.1, 22.3).
LINKS = {
    **{"6": "7,24,25,C", "7": "6,24,25", "24": "6,7,25,36", "25": "6,7,24,32,34,35", "32": "25", "34": "25,35"},
    **{"35": "25,34,36", "36": "24,35", "B": "3,C", "C": "6,B,D", "D": "C,E"},
}


def begin_on_map():
    """A match on an owner's map, of which the Germans control some Areas."""
    player = begin()
    take_map(player, german="24,6,C")
    return player


def take_map(player, german, links=LINKS, banks=frozenset()):
    """Let a match have an owner's map, and the Germans control these Areas."""
    lines = [
        f"{area}  {2 if area.isdigit() else '?'}  ?  {'yes' if area in banks else '?'}  ?  {near}"
        for area, near in links.items()
    ]
    chart = {"title": "Areas", "rule": "3.2", "provenance": "owner", "kind": "matrix"}
    data = deepcopy(chartbooks.shipped_data(GAME))
    data["charts"]["areas"] = {**chart, "grid": "\n".join(["area  tem  vp  bank  known  links", *lines])}
    Match.objects.filter(pk=player.match_id).update(book=chartbooks.store(GAME, data))
    answer = player.roll("supply", start="C", german_areas=german, dice="table")
    assert answer.status_code == 302, players.words_of(answer)
