"""A campaign kept with pencil and paper: an obvious and slow bookkeeper, to compare the ledger with.

It hears only which acts were done, what they asked for and what the dice showed, and keeps its own page of plain
values. It shares no code with the app: rosters, cards, counters, map and charts are read again from their files, in
the simplest way. Whether an act is allowed is for the ledger to say; a page that could not be true
is for tests.oracles.audit to find.

It takes from the ledger what the Reorganization Phase makes of the units (``take_over``), but not that anybody
bought, paid or sealed something in it, or that a unit came from nowhere.
"""

import pickle
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CARDS = {"cg1": "into_the_inferno", "cg2": "to_the_volga"}
SIDES = ("german", "russian")
DAMAGED = {"m_killed", "f_killed", "wounded"}
SHAKEN = {"pinned", "disrupted", "wia"}
LASTING = {"reduced", "held", *DAMAGED}
FIXED = ("fortification", "marker")  # what stands on the map without being a unit


def read(name):
    """The plain values of a shipped file."""
    return tomllib.loads((ROOT / f"{name}.toml").read_text(encoding="utf-8"))


ROSTERS = {side: {line["id"]: line for line in read(f"campaign/data/roster_{side}")["groups"]} for side in SIDES}
COUNTERS = read("firefight/games/combat_stalingrad/data/counters")
MAP = read("campaign/data/map")
NEIGHBOURS = {int(sector): near for sector, near in MAP["adjacency"]["neighbours"].items()}
EDGES = {side: MAP["edges"][side]["sectors"] for side in SIDES}
CHARTS = read("firefight/games/combat_stalingrad/data/chartbook")["charts"]
LETTERS = {"g": "german", "r": "russian", "n": ""}


def in_band(bands, face):
    """What a face means where a chart says, for instance, [["1-5", "nco"], ["6", "nco_officer"]]."""
    for faces, value in bands:
        low, _, high = faces.partition("-")
        if int(low) <= face <= int(high or low):
            return value
    raise LookupError(face)


def other(side):
    """The other side."""
    return SIDES[1 - SIDES.index(side)]


def steps_in(side, control):
    """How far in each sector lies that own sectors link to the own edge (20.8.3)."""
    steps_by_sector = {sector: 0 for sector in EDGES[side] if control[sector] == side}
    for _ in control:
        for sector, steps in list(steps_by_sector.items()):
            for beside in NEIGHBOURS[sector]:
                if control[beside] == side and steps_by_sector.get(beside, 99) > steps + 1:
                    steps_by_sector[beside] = steps + 1
    return steps_by_sector


TOLD = ("stage", "firefight", "turn", "ready", "attacker", "control", "groups", "units", "hexes")


def find_writes(old, new):
    """What turns a page, or a part of one, into the new one: values by the path to their places."""
    writes = []
    for name, value in new.items():
        if isinstance(value, dict) and name in old and old[name].keys() == value.keys():
            writes += [((name, *place), new_value) for place, new_value in find_writes(old[name], value)]
        elif name not in old or old[name] != value:
            writes.append(((name,), value))
    return writes


def write_down(page, writes):
    """Put values in their places."""
    for (*above, name), value in writes:
        part = page
        for key in above:
            part = part[key]
        part[name] = value


class Bookkeeper:
    """The page of one campaign, and a copy of it from before every act.

    ``control``: a letter for each sector where control begins differently from the card.
    """

    def __init__(self, card, control=""):
        self.card_id, self.card = card, read(f"campaign/data/{CARDS[card]}")
        self.history = []
        owners = {sector: side for side in SIDES for sector in self.card[side]["deployment"]}
        if control:
            owners = {sector: LETTERS[letter] for sector, letter in enumerate(control, start=1)}
        self.page = {
            "stage": "purchases",
            "firefight": 1,
            "turn": 1,
            "fought": False,
            "ready": set(),
            "attacker": "",
            "random_hex": "",
            "control": {sector: owners[sector] for sector in sorted(owners)},
            "groups": {side: {} for side in SIDES},
            "units": {side: {} for side in SIDES},
            "hexes": {side: {} for side in SIDES},  # where units stand, as far as anybody has noted it
            "seals": {side: {} for side in SIDES},
            "lines": {side: {} for side in SIDES},
        }
        for side in SIDES:
            self._lay_out(side)

    def _lay_out(self, side):
        at_start = self.card[side]["at_start"]
        for entry in at_start:
            for _ in range(entry["number"] if "group" in entry else 0):
                number = self._new_group(side, entry["group"], bought_for=0, box=None)
                self._new_units(side, ROSTERS[side][entry["group"]].get("contents", {}), number)
        for entry in at_start:
            if "counter" in entry:
                self._new_units(side, {entry["counter"]: entry["number"]}, None)
        self._pay(side, self.card[side]["cp"])

    # Hearing of acts

    def hear(self, kind, side, inputs, faces):
        """Write down an act that was done; the dice by name."""
        self._remember(lambda: getattr(self, f"_{kind}", self._nothing)(side, faces, **inputs))

    def _remember(self, write):
        """Keep the page from before an act, and how to write the act down again."""
        self.history.append((pickle.dumps(self.page), write))
        write()

    def take_over(self, page):
        """Write down an act of the Reorganization Phase, with what the ledger says came of it."""
        self._check_told(page)
        sealed = {
            side: {number: {**line, "sealed": page["lines"][side][number][1]} for number, line in lines.items()}
            for side, lines in self.page["lines"].items()
        }
        # Only what the act has changed: written down again, it leaves alone what an act taken back had done.
        writes = pickle.dumps(find_writes(self.page, {**{part: page[part] for part in TOLD}, "lines": sealed}))
        self._remember(lambda: write_down(self.page, pickle.loads(writes)))

    def _check_told(self, page):
        """Check that a Reorganization Phase can have made this of the page."""
        for side in SIDES:
            for number, group in self.page["groups"][side].items():
                after = page["groups"][side][number]
                is_spent_nest = group["rg"] == "N1" and after["standing"] == "used_up"
                assert after == group or (is_spent_nest and after == {**group, "standing": "used_up"})
            assert page["units"][side].keys() == self.page["units"][side].keys()
            for number, unit in self.page["units"][side].items():
                after = page["units"][side][number]
                assert (after["counter"], after["group"]) == (unit["counter"], unit["group"])
                assert after["fate"] == unit["fate"] or (unit["fate"], after["fate"]) == ("", "eliminated")
            assert page["lines"][side].keys() == self.page["lines"][side].keys()
            for number, line in self.page["lines"][side].items():
                amount, sealed = page["lines"][side][number]
                assert amount == line["amount"] and sealed <= line["sealed"]

    def take_back(self, places):
        """Take up the page from before the first of some acts, and write down again what others did since."""
        first = min(places)
        since = [write for place, (_, write) in enumerate(self.history) if place >= first and place not in places]
        self.page = pickle.loads(self.history[first][0])
        del self.history[first:]
        for write in since:
            self._remember(write)

    def _nothing(self, side, faces, **inputs):
        """A note, or the next phase: not the ledger's business."""

    # Answers

    def balance(self, side):
        """CP in hand."""
        return sum(line["amount"] for line in self.page["lines"][side].values())

    def known_balance(self, side):
        """CP in hand as the other side knows them."""
        return sum(line["amount"] for line in self.page["lines"][side].values() if not line["sealed"])

    def boxes(self, side):
        """The boxes ticked, by ID."""
        ticked = {}
        for group in self.page["groups"][side].values():
            if group["box"] and group["standing"] != "refunded":
                ticked.setdefault(group["rg"], set()).add(group["box"])
        for seal in self.page["seals"][side].values():
            if seal.get("box") and seal["standing"] != "withdrawn":
                ticked.setdefault("X1", set()).add(seal["box"])
        return ticked

    def in_use(self, side):
        """Counters out of the box, by kind."""
        return Counter(unit["counter"] for unit in self.page["units"][side].values() if not unit["fate"])

    def left_in_box(self, side, key):
        """Counters of a kind still in the box."""
        return COUNTERS[side][key]["count"] - self.in_use(side)[key]

    def units_of(self, side, number):
        """The units of a group that are not gone."""
        return [unit for unit in self.page["units"][side].values() if unit["group"] == number and not unit["fate"]]

    def orders_of(self, side):
        """The orders for the firefight ahead, or None."""
        for seal in self.page["seals"][side].values():
            is_now = seal["kind"] == "orders" and seal["firefight"] == self.page["firefight"]
            if is_now and seal["standing"] != "withdrawn":
                return seal
        return None

    def fixed_order(self, side):
        """What the card orders in the first firefight, or ""."""
        stance = self.card[side]["stance"] if self.page["firefight"] == 1 else "chooses"
        return {"attacker": "attack", "defender": "hold", "chooses": ""}[stance]

    def time(self):
        """The time of the firefight ahead."""
        return self.card["times"][self.page["firefight"] - 1]

    def may_buy(self, side, rg):
        """Whether nothing speaks against buying a group now."""
        line = ROSTERS[side][rg]
        kinds = [*line.get("contents", {}), *(value for _, value in line.get("mix", {}).get("bands", []))]
        return (
            self.page["stage"] == "purchases"
            and side not in self.page["ready"]
            and line["type"] != "attack"
            and len(self.boxes(side).get(rg, ())) < line["boxes"][self.card_id]
            and line["cp"] <= self.balance(side)
            and self.time() in line.get("times", self.card["times"])
            and (not kinds or any(self.left_in_box(side, key) > 0 for key in kinds))
            and (line["type"] != "nest" or self.in_use(side)["commissar"] > 0)
        )

    # Small movements of the pencil

    def _pay(self, side, amount, sealed=False, seal=None, group=None, unit=None):
        if amount:
            self._new(self.page["lines"][side], amount=amount, sealed=sealed, seal=seal, group=group, unit=unit)

    def _new(self, rows, **values):
        number = max(rows, default=0) + 1
        rows[number] = values
        return number

    def _new_group(self, side, rg, bought_for, box):
        groups = self.page["groups"][side]
        return self._new(groups, rg=rg, bought_for=bought_for, box=box, standing="in_play", mark="", since=0)

    def _new_units(self, side, counters, group):
        for key, number in counters.items():
            for _ in range(number):
                position = {"sector": None, "home": None, "hidden": False}
                self._new(self.page["units"][side], counter=key, group=group, fate="", marks=set(), **position)

    def _new_seal(self, side, kind, **values):
        firefight = self.page["firefight"]
        return self._new(self.page["seals"][side], kind=kind, firefight=firefight, standing="sealed", **values)

    def _next_stage(self, stage):
        self.page["stage"], self.page["ready"] = stage, set()

    def _first_free_box(self, side, rg):
        ticked = self.boxes(side).get(rg, set())
        return next(box for box in range(1, 99) if box not in ticked)

    def _remove(self, unit, fate):
        unit["fate"], unit["sector"], unit["home"], unit["hidden"] = fate, None, None, False

    # Reinforcements, purchases

    def _reinforce(self, side, faces):
        self._pay(side, faces["die"] + self.card[side]["reinforcement"]["add"])
        self.page["ready"].add(side)
        if len(self.page["ready"]) == 2:
            self._next_stage("purchases")

    def _buy(self, side, faces, rg):
        line = ROSTERS[side][rg]
        counters = Counter(line.get("contents", {}))
        for place in range(1, line.get("mix", {}).get("number", 0) + 1):
            counters[in_band(line["mix"]["bands"], faces[f"mix_{place}"])] += 1
        group = self._new_group(side, rg, self.page["firefight"], self._first_free_box(side, rg))
        self._pay(side, -line["cp"])
        self._take_from_box(side, counters, group)
        if line.get("leader"):
            self._take_from_box(side, Counter(self._leaders(side, faces)), group)

    def _take_from_box(self, side, counters, group):
        self._new_units(
            side, {key: min(number, self.left_in_box(side, key)) for key, number in counters.items()}, group
        )

    def _leaders(self, side, faces):
        leaders = in_band(CHARTS["leaders"]["bands"], faces["die"])
        if leaders == "nco_officer" and side == "russian":
            leaders = in_band(CHARTS["leaders_russian_six"]["bands"], faces["second_die"])
        return [] if leaders == "none" else leaders.split("_")

    def _refund(self, side, faces, number):
        group = self.page["groups"][side][number]
        group["standing"] = "refunded"
        for unit in self.units_of(side, number):
            self._remove(unit, "returned")
        for seal in self.page["seals"][side].values():
            if seal["kind"] == "plot" and seal["group"] == number and seal["standing"] == "sealed":
                seal["standing"] = "withdrawn"
        self._pay(side, ROSTERS[side][group["rg"]]["cp"])

    # Orders

    def _seal_orders(self, side, faces, order, bonus):
        fixed = self.fixed_order(side)
        attack, price, box = ROSTERS[side]["X1"], 0, None
        if not fixed and order == "attack":
            price, box = attack["cp"] + attack["bonus_cp"] * bonus, self._first_free_box(side, "X1")
        seal = self._new_seal(side, "orders", group=None, order=fixed or order, bonus=bonus, price=price, box=box)
        self._pay(side, -price, sealed=True, seal=seal)
        self.page["ready"].add(side)

    def _withdraw_orders(self, side, faces):
        seal = self.orders_of(side)
        number = next(n for n, row in self.page["seals"][side].items() if row is seal)
        seal["standing"] = "withdrawn"
        self._pay(side, seal["price"], sealed=True, seal=number)
        self.page["ready"].remove(side)

    def _reveal_orders(self, side, faces):
        orders = {owner: self.orders_of(owner) for owner in SIDES}
        for owner, seal in orders.items():
            seal["standing"] = "open"
            for line in self.page["lines"][owner].values():
                if line["seal"] is not None and self.page["seals"][owner][line["seal"]] is seal:
                    line["sealed"] = False
        attackers = [owner for owner in SIDES if orders[owner]["order"] == "attack"]
        if len(attackers) == 2:
            self._next_stage("priority")
        elif attackers:
            self._begin_setup(attackers[0])
        else:
            self._skip()

    def _begin_setup(self, attacker):
        self.page["attacker"] = attacker
        self._next_stage("setup")

    def _skip(self):
        """Nobody attacks; but damaged units are seen to, if there has been a firefight."""
        self.page["attacker"] = ""
        units = [unit for side in SIDES for unit in self.page["units"][side].values() if not unit["fate"]]
        if any(unit["marks"] & DAMAGED for unit in units):
            self._next_stage("reorganization")
        elif self.page["firefight"] == len(self.card["times"]):
            self._next_stage("over")
        else:
            self.page["firefight"] += 1
            self._next_stage("reinforcements")

    def _settle(self, side, faces):
        bonus = CHARTS["attack_bonus"]["values"]["bonus"]
        total = {owner: faces[f"{owner}_die"] + bonus * self.orders_of(owner)["bonus"] for owner in SIDES}
        self._begin_setup("russian" if total["russian"] > total["german"] else "german")

    # Set-up

    def _place(self, side, faces, numbers, sector, hidden):
        numbers = set(numbers)
        for number in list(numbers):
            group = self.page["units"][side][number]["group"]
            if group and self.page["groups"][side][group]["bought_for"] == self.page["firefight"]:
                numbers |= {n for n, unit in self.page["units"][side].items() if unit["group"] == group}
        for number in numbers:
            unit = self.page["units"][side][number]
            if not unit["fate"]:
                unit["sector"], unit["hidden"] = sector, hidden
                self.page["hexes"][side].pop(number, None)

    def surcharges(self, side):
        """What the set-up costs each group that pays for going in (20.8.3)."""
        steps, costs = steps_in(side, self.page["control"]), {}
        for number, group in self.page["groups"][side].items():
            units = [unit for unit in self.units_of(side, number) if unit["sector"] and not unit["home"]]
            sectors = [unit["sector"] for unit in units if group["bought_for"] or "held" in unit["marks"]]
            if group["rg"][0] in "IGV" and sectors:
                costs[number] = max(steps[sector] for sector in sectors)
        return costs

    def own_charges(self, side):
        """What single counters pay that left the map and go in again (A-54), by number."""
        steps = steps_in(side, self.page["control"])
        return {
            number: steps[unit["sector"]]
            for number, unit in self.page["units"][side].items()
            if not (unit["fate"] or unit["group"] or unit["home"]) and unit["sector"] and "held" in unit["marks"]
        }

    def _take_off(self, side, faces, numbers):
        self._take_fixed_off(side, numbers)

    def _take_fixed_off(self, side, numbers):
        """Mines and nest markers go, and a nest with its marker."""
        for number in set(numbers):
            unit = self.page["units"][side][number]
            assert COUNTERS[side][unit["counter"]]["kind"] in FIXED
            self._remove(unit, "eliminated")
            if unit["counter"] == "nest":
                self.page["groups"][side][unit["group"]]["standing"] = "used_up"

    def _confirm(self, side, faces):
        own = self.own_charges(side)
        for number, cost in self.surcharges(side).items():
            is_secret = any(unit["hidden"] for unit in self.units_of(side, number))
            self._pay(side, -cost, sealed=is_secret, group=number)
        for number, cost in own.items():
            self._pay(side, -cost, sealed=self.page["units"][side][number]["hidden"], unit=number)
        self.page["ready"].add(side)
        if len(self.page["ready"]) == 2:
            self._begin_firefight()

    def _begin_firefight(self):
        self._next_stage("firefight")
        self.page["turn"] = 1
        control = self.page["control"]
        for side in SIDES:
            for group in self.page["groups"][side].values():
                group["mark"], group["since"] = "", 0
        if not self.page["fought"]:
            sectors_by_side = [self._sectors_with_units(side) for side in SIDES]
            for side, own, enemy in zip(SIDES, sectors_by_side, sectors_by_side[::-1], strict=True):
                control.update({sector: side for sector in own - enemy if not control[sector]})
            self.page["random_hex"] = self.page["random_hex"] or self.card["random_hex"]
        self.page["fought"] = True
        for side in SIDES:
            linked = steps_in(side, control)
            for unit in self.page["units"][side].values():
                sector = unit["sector"]
                if sector and not unit["hidden"]:
                    unit["marks"] -= {"held"}
                if sector and control[sector] == side and sector not in linked:
                    self._pin(side, unit)

    def _sectors_with_units(self, side):
        """Mines and markers are not units (20.6.2)."""
        units = [unit for unit in self.page["units"][side].values() if unit["sector"]]
        return {unit["sector"] for unit in units if COUNTERS[side][unit["counter"]]["kind"] not in FIXED}

    def _pin(self, side, unit):
        kind = COUNTERS[side][unit["counter"]]["kind"]
        if kind == "vehicle":
            unit["marks"].add("suppressed")
        elif kind in ("squad", "leader", "sw_team", "gun"):
            unit["marks"].add("pinned")

    # Firefight

    def owes_stay_roll(self):
        """Whether aircraft over the map have not rolled to stay in this turn (17.6.2)."""
        groups = [group for side in SIDES for group in self.page["groups"][side].values()]
        return any(group["mark"] == "here" and group["since"] != self.page["turn"] for group in groups)

    def _end_turn(self, side, faces):
        assert not self.owes_stay_roll()
        for unit in [unit for owner in SIDES for unit in self.page["units"][owner].values()]:
            if not unit["fate"]:
                unit["marks"] = unit["marks"] - {"mg_used"}
        self._end_close_combats()
        turn = self.page["turn"]
        if turn < 5 or (turn < 7 and faces["die"] <= self.card["end_numbers"][str(turn)]):
            self.page["turn"] += 1
            return
        for owner in SIDES:
            for group in self.page["groups"][owner].values():
                if group["mark"] == "ffe" and group["standing"] == "in_play":
                    group["standing"] = "used_up"
            for unit in self.page["units"][owner].values():
                if "exited" in unit["marks"] and not unit["fate"]:
                    unit["marks"] = (unit["marks"] - {"exited"}) | {"held"}
        self._next_stage("reorganization")

    def _end_close_combats(self):
        """19.1.7: whoever has no enemy in the hex any more, as all know it, is out of Close Combat."""
        standing = {
            (owner, number): self.page["hexes"][owner].get(number)
            for owner in SIDES
            for number, unit in self.page["units"][owner].items()
            if not (unit["fate"] or unit["hidden"] or COUNTERS[owner][unit["counter"]]["kind"] in FIXED)
        }
        for (owner, number), place in standing.items():
            if place and not any(at == place for (enemy, _), at in standing.items() if enemy != owner):
                unit = self.page["units"][owner][number]
                unit["marks"] = unit["marks"] - {"close_combat"}

    def _report(self, side, faces, numbers, news, sector, hex_name=""):
        if news in ("enter", "move", "exit"):
            assert self.page["stage"] == "firefight"
        if news == "removed":
            self._take_fixed_off(side, numbers)
            return
        for number in set(numbers):
            unit = self.page["units"][side][number]
            is_fixed = COUNTERS[side][unit["counter"]]["kind"] in FIXED
            assert not is_fixed or news in ("show", "stands")
            if news in ("enter", "move", "exit", "stands", "eliminated"):
                self.page["hexes"][side][number] = hex_name
            if news in ("move", "stands"):
                assert news == "move" or sector in (None, unit["sector"]) or self.page["stage"] != "firefight"
                unit["sector"] = sector or unit["sector"]
                continue
            if news == "good_order":
                unit["marks"] &= LASTING
                continue
            self._show(side, unit)
            if news == "enter":
                unit["sector"], unit["marks"] = sector, unit["marks"] - {"held"}
            elif news == "exit":
                assert unit["sector"] in EDGES[side] and sector in (None, unit["sector"])
                unit["sector"], unit["home"], unit["marks"] = None, None, unit["marks"] | {"exited"}
            elif news == "eliminated" or (news in ("wounded", "wia") and "wounded" in unit["marks"]):
                self._remove(unit, "eliminated")
            elif news != "show":
                # Whoever flips sheds these (18.1.4), and each takes the place of the others (18.2).
                shed = SHAKEN if news in {"reduced", "wounded", *SHAKEN} else set()
                unit["marks"] = unit["marks"] - shed | {news}
        if not self.in_use(side)["commissar"]:
            for number, group in self.page["groups"][side].items():
                if ROSTERS[side][group["rg"]]["type"] == "nest" and group["standing"] == "in_play":
                    self._end_nest(side, faces, number)

    def _show(self, side, unit):
        """A unit is no longer hidden; with the last of its group what its set-up cost becomes open."""
        if not unit["hidden"]:
            return
        unit["hidden"], unit["marks"] = False, unit["marks"] - {"held"}
        for line in self.page["lines"][side].values():
            if line["unit"] and self.page["units"][side][line["unit"]] is unit:
                line["sealed"] = False
        group = unit["group"]
        if group and not any(mate["hidden"] for mate in self.units_of(side, group)):
            for line in self.page["lines"][side].values():
                if line["group"] == group:
                    line["sealed"] = False

    def _end_nest(self, side, faces, number):
        self.page["groups"][side][number]["standing"] = "used_up"
        for unit in self.units_of(side, number):
            self._remove(unit, "eliminated")

    def _battery(self, side, faces, number, news):
        group = self.page["groups"][side][number]
        if news == "lost":
            group["standing"] = "lost"
        else:
            group["mark"] = "ffe"

    def _aircraft(self, side, faces, number):
        group = self.page["groups"][side][number]
        group["since"] = self.page["turn"]
        comes = faces["die"] <= ROSTERS[side][group["rg"]]["arrival"]
        if comes:
            group["mark"] = "here"
        elif group["mark"] == "here":
            self._lose_aircraft(group)
            for unit in self.units_of(side, number):
                self._remove(unit, "left")

    def _air_attack(self, side, faces, number, weapon):
        """17.6.3: HE once a firefight, MG once a turn, of each aircraft."""
        used = {"he": {"he_used"}, "mg": {"mg_used"}, "both": {"he_used", "mg_used"}}[weapon]
        assert self.page["groups"][side][number]["since"] == self.page["turn"]
        plane = next(unit for unit in self.units_of(side, number) if not unit["marks"] & used)
        plane["marks"] = plane["marks"] | used

    def _move_random_marker(self, side, faces, hex_name):
        self.page["random_hex"] = hex_name

    def _lose_aircraft(self, group):
        group["standing"], group["mark"], group["since"] = "lost", "", self.page["turn"]

    def _down(self, side, faces, number):
        flying = self.units_of(side, number)
        self._remove(flying[0], "eliminated")
        if len(flying) == 1:
            self._lose_aircraft(self.page["groups"][side][number])

    # Seals

    def _plot(self, side, faces, number, first, second, turn):
        for seal in self.page["seals"][side].values():
            if seal["kind"] == "plot" and seal["group"] == number and seal["standing"] == "sealed":
                seal["standing"] = "withdrawn"
        self._new_seal(side, "plot", group=number)

    def _observer(self, side, faces, text):
        self._new_seal(side, "observer", group=None)

    def _withdraw(self, side, faces, number):
        self.page["seals"][side][number]["standing"] = "withdrawn"

    def _open_seal(self, side, faces, number):
        self.page["seals"][side][number]["standing"] = "open"
