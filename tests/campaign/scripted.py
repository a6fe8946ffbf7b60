"""What both players do until the middle of the first firefight of Into the Inferno: a script of acts, on any campaign.

acts: one after another. groups: numbers in the order in which a side got them, the card's first; 0 is for single
counters. only: that many units of each. dice: as they lay on the table.
"""

import tomllib
import uuid

from campaign.acts import batteries, buying, orders, reporting, seals, setting_up, turns
from campaign.ledger.dice import Dice
from campaign.ledger.ledger import load
from campaign.rules.orders import Order
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.table import Table

ACTS = """
acts = [
    { side = "german", do = "buy", group = "I1", dice = { die = 3 } },
    { side = "german", do = "buy", group = "V3", dice = { mix_1 = 2, mix_2 = 8, mix_3 = 5 } },
    { side = "russian", do = "buy", group = "I1" },
    { side = "russian", do = "buy", group = "I2", dice = { die = 6, second_die = 9 } },
    { side = "russian", do = "buy", group = "A1" },
    { side = "russian", do = "buy", group = "N1" },
    { side = "german", do = "seal" },
    { side = "russian", do = "plot", group = 8, hexes = ["F12", "G12"], turn = 2 },
    { side = "russian", do = "seal" },
    { side = "russian", do = "reveal" },
    { side = "russian", do = "place", groups = [1], sector = 7 },
    { side = "russian", do = "place", groups = [2], sector = 12 },
    { side = "russian", do = "place", groups = [3], sector = 11 },
    { side = "russian", do = "place", groups = [4], sector = 13, hidden = true },
    { side = "russian", do = "place", groups = [5], sector = 13 },
    { side = "russian", do = "place", groups = [0], sector = 11 },
    { side = "russian", do = "place", groups = [6], sector = 14 },
    { side = "russian", do = "place", groups = [7], sector = 19 },
    { side = "russian", do = "confirm" },
    { side = "german", do = "place", groups = [1], sector = 6 },
    { side = "german", do = "place", groups = [2], sector = 2 },
    { side = "german", do = "place", groups = [3], sector = 6 },
    { side = "german", do = "place", groups = [4, 5], sector = 3 },
    { side = "german", do = "place", groups = [7], sector = 1 },
    { side = "german", do = "confirm" },
    { side = "german", do = "end-turn" },
    { side = "russian", do = "battery", group = 8, news = "ffe" },
    { side = "german", do = "report", groups = [1], only = 1, news = "reduced" },
    { side = "german", do = "report", groups = [3], only = 3, news = "move", sector = 7 },
    { side = "russian", do = "report", groups = [1], only = 1, news = "eliminated" },
    { side = "german", do = "report", groups = [8], news = "enter", sector = 1 },
    { side = "german", do = "end-turn" },
]
"""


def play_half(match):
    """Play the acts on a campaign of CG I that has just begun."""
    for line in tomllib.loads(ACTS)["acts"]:
        match.refresh_from_db()
        table = Table(match, line["side"], tuple(Side), tuple(match.seats.all()))
        _DO[line["do"]]((table, str(uuid.uuid4()), match.version), line)
    match.refresh_from_db()


def _dice(line):
    return Dice("table", line.get("dice", {}))


def _units(head, line):
    """The units of groups by their numbers, the first few of each if "only" says so; 0 is for single counters."""
    side = Side(head[0].side)
    chosen = []
    for number in line["groups"]:
        members = [u for u in load(head[0].match).in_play(side) if (u.group.number if u.group else 0) == number]
        chosen += [unit.number for unit in members[: line.get("only", len(members))]]
    return chosen


_DO = {
    "buy": lambda head, line: buying.buy(*head, line["group"], _dice(line)),
    "seal": lambda head, line: orders.seal_orders(*head, Order(line["order"]) if "order" in line else None),
    "reveal": lambda head, line: orders.reveal_orders(*head),
    "plot": lambda head, line: seals.write_plot(*head, line["group"], line["hexes"][0], line["hexes"][1], line["turn"]),
    "place": lambda head, line: setting_up.place(*head, _units(head, line), line["sector"], line.get("hidden", False)),
    "confirm": lambda head, line: setting_up.confirm(*head),
    "end-turn": lambda head, line: turns.end_turn(*head, _dice(line), leaves=True),
    "report": lambda head, line: reporting.report(*head, _units(head, line), News(line["news"]), line.get("sector")),
    "battery": lambda head, line: batteries.note_battery(*head, line["group"], batteries.BatteryNews(line["news"])),
}
