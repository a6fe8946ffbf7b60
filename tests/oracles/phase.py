"""The Reorganization Phase after a firefight, kept with pencil and paper: slow and obvious, out of chapter 20.

``Page`` hears every act that was done: what was asked for, which units fought each other, what each die showed.
It keeps plain values of its own and shares no step with the conductor. Rosters, cards, counters and the map are
read from their files by tests.oracles.bookkeeper. Only what the dice of one bout do is taken from the app's rules of
close combat, which tests/campaign/rules/battle_reference.py reads in its own way.
"""

from collections import Counter

from firefight.engine.board.hexes import HexMap
from firefight.games.combat_stalingrad.rules.melee.bouts import fight_bout
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter, Role, TeamWeapon
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.stacking import Stacking
from firefight.games.combat_stalingrad.rules.units import Kind
from tests.books import HOUSE
from tests.oracles.bookkeeper import (
    CARDS,
    CHARTS,
    COUNTERS,
    EDGES,
    LASTING,
    MAP,
    NEIGHBOURS,
    ROSTERS,
    SIDES,
    other,
    read,
)

HEXES = HexMap()
STACKING = Stacking(MAP["stacking"]["squads"], MAP["stacking"]["vehicles"], "house")
FIGHTING = ("squad", "leader", "sw_team", "gun", "vehicle")
SHED_BY_A_FLIP = {"pinned", "disrupted", "wia"}
HARDER = {"disrupted", "wia", "suppressed", "enfiladed"}
KINDS = {"squad": Kind.SQUAD, "leader": Kind.LEADER, "sw_team": Kind.SW_TEAM, "gun": Kind.CREW, "vehicle": Kind.VEHICLE}
CARD = {identity: read(f"campaign/data/{name}") for identity, name in CARDS.items()}


def kind_of(side, unit):
    """What a unit's counter is."""
    return COUNTERS[side][unit["counter"]]["kind"]


def redeployment(kind, total):
    """20.12.1, as it is printed: what a total means for infantry and for a mobile vehicle."""
    if total <= 7:
        return "goes"
    if kind == "vehicle":
        return "stays" if total == 8 else "dies"
    return {8: "goes hurt", 9: "stays hurt"}.get(total, "dies")


FFT = [line.split() for line in CHARTS["fft"]["grid"].strip().splitlines()]


def fft(factors, total):
    """What a total means on the column of that many factors, and the column's highest check (18.1.2)."""
    place = max(place for place, column in enumerate(FFT[0]) if place and int(column) <= factors)
    total, below, checks, result = min(max(total, 1), 100), 0, [], ""
    for row in FFT[1:]:
        limit = int(row[place])
        if limit > below and row[0].startswith("M"):
            checks.append(int(row[0][2:] or 0))
        if not result and total <= limit:
            result = row[0]
        below = max(below, limit)
    return result, max(checks, default=None)


def highest(dice, most):
    """18.1.3: who shows the highest, with ties; where two are struck the next group too, if the highest is alone."""
    best = max(dice.values())
    struck = {number for number, face in dice.items() if face == best}
    rest = [face for number, face in dice.items() if number not in struck]
    if len(struck) < most and rest:
        struck |= {number for number, face in dice.items() if face == max(rest)}
    return struck


def _hex_of(unit):
    """Its hex, on whatever level it stands (20.6.4 step 3 speaks of the hex)."""
    return unit["hex"].partition("/")[0]


class Page:
    """Where the phase stands and every unit in it, as plain values.

    ``start``: card, firefight, attacker, control by sector (german, russian, nobody, threatened), groups and units
    by side and number.
    """

    def __init__(self, start):
        self.card = CARD[start["card"]]
        self.firefight, self.attacker = start["firefight"], start["attacker"]
        self.control, self.units, self.groups = dict(start["control"]), start["units"], start["groups"]
        self.stage, self.step, self.sector, self.winner = "reorganization", "after_action", None, None
        self.ready, self.waiting, self.fought_over, self.late = set(), [], set(), []
        self.round, self.fought, self.due, self.met = 1, set(), {}, set()
        self.waited, self.gathered = set(), None
        self.tried, self.mined, self.company, self.survivors, self.going = set(), set(), set(), None, []

    # Who is where

    def alive(self, side):
        """A side's units that are not gone, by number."""
        return {number: unit for number, unit in self.units[side].items() if not unit["fate"]}

    def fighters_in(self, side, sector):
        """The numbers of a side's units in a sector that can fight: no markers, no fortifications."""
        units = self.alive(side).items()
        return [n for n, unit in units if unit["sector"] == sector and kind_of(side, unit) in FIGHTING]

    def holds_both(self, sector):
        """Whether units of both sides are in a sector."""
        return all(self.fighters_in(side, sector) for side in SIDES)

    def find_owners(self):
        """20.6.3: one side alone owns a sector, an empty one keeps its owner."""
        for sector in self.control:
            sides = [side for side in SIDES if self.fighters_in(side, sector)]
            if len(sides) == 2:
                self.control[sector] = "threatened"
            elif sides:
                self.control[sector] = sides[0]
            elif self.control[sector] == "threatened":
                self.control[sector] = "nobody"

    # Who decides

    def decides(self):
        """The sides that the phase waits for."""
        undecided = {side for side in SIDES if side not in self.ready}
        if self.step == "after_action":
            return undecided
        if self.step in ("existing", "battle"):
            if self.is_fought_out():
                return set()
            if self.gathered:
                return {other(self.gathered["side"])}
            return set(SIDES) if self.step == "existing" else {self.picker()}
        if self.step == "upkeep":
            return {side for side in undecided if self.damaged(side) or (self.attacker and self.standing_nests(side))}
        side = self.attacker if "attacker" in self.step else other(self.attacker)
        is_asked = self.step.endswith("leaves") and self.holds_both(self.sector) and self.in_mines(side)
        return {side} & undecided if self.may_leave(side) or is_asked else set()

    def in_mines(self, side):
        """20.6.4 step 2: units that mines have yet to attack, by number; True if their hex is known."""
        hexes = {
            unit["hex"]
            for owner in SIDES
            for unit in self.alive(owner).values()
            if unit["sector"] == self.sector and unit["counter"] == "mine_factor"
        }
        known_hexes = {}
        for number in self.fighters_in(side, self.sector):
            own = self.units[side][number]["hex"]
            if hexes and (side, number) not in self.mined:
                if own and own in hexes:
                    known_hexes[number] = True
                elif not own or "" in hexes:
                    known_hexes[number] = False
        return known_hexes

    def goals(self, side, sector):
        """20.12.1: connected sectors that the enemy does not control; in the end own ones only (20.6.4 step 5)."""
        shut = {other(side)} if self.step.endswith("leaves") else {other(side), "nobody", "threatened"}
        return [beside for beside in NEIGHBOURS[sector] if self.control[beside] not in shut]

    def may_leave(self, side):
        """The units that may try to leave now: all that are not M-KILLED, and have somewhere to go."""
        if self.step.endswith("leaves"):
            sectors = [self.sector] if self.holds_both(self.sector) else []
        else:
            sectors = [self.survivors] if self.survivors else []
        return [
            number
            for sector in sectors
            if self.goals(side, sector)
            for number in self.fighters_in(side, sector)
            if "m_killed" not in self.units[side][number]["marks"] and (side, number) not in self.tried
        ]

    def nests(self, side):
        """Fanatic Resistance Nests in play, by the number of their group."""
        return {
            number: group
            for number, group in self.groups[side].items()
            if ROSTERS[side][group["rg"]]["type"] == "nest" and group["standing"] == "in_play"
        }

    def standing_nests(self, side):
        """The groups of markers on the map."""
        on_map = {unit["group"] for unit in self.alive(side).values() if unit["sector"] is not None}
        return on_map & set(self.nests(side))

    def damaged(self, side):
        """What 20.7.1 rolls for, in its order."""
        return [
            (number, mark)
            for mark in ("m_killed", "f_killed", "wounded")
            for number, unit in self.alive(side).items()
            if mark in unit["marks"]
        ]

    # The order of the steps (20.5.8.1, 20.6.4)

    def go_on(self):
        """On to where somebody has to decide."""
        while self.stage == "reorganization" and not self.decides():
            getattr(self, f"_after_{self.step}")()

    def _go_to(self, step):
        self.step, self.ready = step, set()

    def _after_after_action(self):
        self.find_owners()
        self.waiting = [sector for sector in sorted(self.control) if self.control[sector] == "threatened"]
        self.fought_over = set(self.waiting)
        self.company = {
            (side, number)
            for sector in self.waiting
            for side in SIDES
            for number in self.fighters_in(side, sector)
            if kind_of(side, self.units[side][number]) == "vehicle" and self._had_company(side, number, sector)
        }
        for sector in self.waiting:
            self._mark_meetings(sector)
        self._next_sector()

    def _mark_meetings(self, sector):
        """19.1.1: where infantry of both sides shares a place in sight, a Close Combat marker lies on all of it."""
        by_place = {}
        for side in SIDES:
            for number in self.fighters_in(side, sector):
                unit = self.units[side][number]
                if unit["hex"] and not unit["hidden"]:
                    by_place.setdefault(unit["hex"], []).append((side, unit))
        for mates in by_place.values():
            on_foot = {side for side, unit in mates if kind_of(side, unit) != "vehicle"}
            if len(on_foot) == 2 and not any("close_combat" in unit["marks"] for _, unit in mates):
                for _, unit in mates:
                    unit["marks"].add("close_combat")

    def _next_sector(self):
        """1 to 22; sectors that became threatened on the way come last (A-29)."""
        late = [sector for sector in sorted(self.control) if self.holds_both(sector) and sector not in self.waiting]
        waiting = [sector for sector in self.waiting if self.holds_both(sector)]
        if not waiting + late:
            self.find_owners()
            self.sector, self.waiting = None, []
            self.going, self.tried = sorted(self.fought_over), set()
            self._next_survivors()
            return
        self.sector = (waiting + late)[0]
        self.late += [self.sector] if not waiting else []
        self.waiting = [sector for sector in self.waiting if sector != self.sector]
        self.fought_over.add(self.sector)
        self.control[self.sector] = "threatened"
        for side in SIDES:
            for unit in self.alive(side).values():
                if unit["sector"] == self.sector and unit["hidden"]:
                    self._show(unit)
        self.met = {(side, n) for side in SIDES for n in self.fighters_in(side, self.sector)} & self.company
        self.round, self.fought, self.due, self.waited, self.mined = 1, set(), {}, set(), set()
        self._go_to("existing")
        self._mark_places()

    def _mark_places(self):
        """A-46: all who stand in a place where close combat is under way are part of it."""
        present = [(side, self.units[side][n]) for side in SIDES for n in self.fighters_in(side, self.sector)]
        for _, unit in present:
            in_hex = [(side, mate) for side, mate in present if unit["hex"] and mate["hex"] == unit["hex"]]
            is_on = any("close_combat" in mate["marks"] for _, mate in in_hex)
            if is_on and len({side for side, _ in in_hex}) == 2:
                unit["marks"].add("close_combat")

    def _next_survivors(self):
        """Sector by sector they may go once more (20.6.4 step 5)."""
        self.survivors = self.going.pop(0) if self.going else None
        self._go_to("final_attacker")

    def _show(self, unit):
        unit["hidden"] = False
        unit["marks"].discard("held")

    def _had_company(self, side, number, sector):
        """Whether an enemy ended the firefight in a vehicle's hex; hexes that nobody noted may be the same."""
        hexes = {_hex_of(self.units[other(side)][enemy]) for enemy in self.fighters_in(other(side), sector)}
        own = _hex_of(self.units[side][number])
        return not own or "" in hexes or own in hexes

    def _after_existing(self):
        for side in SIDES:
            for number in self.fighters_in(side, self.sector):
                self.units[side][number]["marks"].discard("close_combat")
        self._go_to("attacker_leaves")

    def _after_attacker_leaves(self):
        self._go_to("defender_leaves")

    def _after_defender_leaves(self):
        self.round, self.fought, self.due, self.waited = 1, set(), {}, set()
        self._go_to("battle")

    def _after_battle(self):
        sides_left = [side for side in SIDES if self.fighters_in(side, self.sector)]
        self.control[self.sector] = sides_left[0] if sides_left else "nobody"
        self._next_sector()

    def _after_final_attacker(self):
        self._go_to("final_defender")

    def _after_final_defender(self):
        if self.going:
            self._next_survivors()
        else:
            self._line_of_resistance()

    def _line_of_resistance(self):
        """20.6.4 step 6, and what 20.7.1 does without dice. M-KILLED vehicles, mines and nests keep their hex."""
        for side in SIDES:
            for unit in self.alive(side).values():
                unit["marks"] &= LASTING
                unit["home"] = unit["sector"]
                if "m_killed" not in unit["marks"] and kind_of(side, unit) not in ("fortification", "marker"):
                    unit["hex"] = ""
        if self.firefight == len(self.card["times"]):
            self._end(self._verdict()["winner"])
            return
        for line in self.card["verdicts"]:
            if line.get("at_once") and self._is_met(line):
                self._end(line["winner"])
                return
        for side in SIDES:
            for unit in self.alive(side).values():
                holder = self.control.get(unit["sector"])
                if unit["hidden"] and kind_of(side, unit) == "fortification" and holder == other(side):
                    self._show(unit)
            self._check_nests(side)
        self._go_to("upkeep")

    def _after_upkeep(self):
        if self.firefight == len(self.card["times"]):
            self._end(self._verdict()["winner"])
        else:
            self.firefight, self.attacker = self.firefight + 1, ""
            self._leave("reinforcements")

    def _end(self, winner):
        self.winner = winner
        self._leave("over")

    def _leave(self, stage):
        self.stage, self.step, self.sector, self.ready = stage, "", None, set()

    def _verdict(self):
        return next(line for line in self.card["verdicts"] if self._is_met(line))

    def _is_met(self, line):
        own = {sector for sector, holder in self.control.items() if holder == line.get("side")}
        return (
            set(line.get("sectors", ())) <= own
            and (not line.get("any_of") or bool(own & set(line["any_of"])))
            and len(own) >= line.get("at_least", 0)
            and len(own) < line.get("below", 99)
            and (not line.get("crosses") or self._crosses(line["side"], own))
        )

    def _crosses(self, side, own):
        reached = own & set(EDGES[side])
        for _ in own:
            reached |= {beside for sector in reached for beside in NEIGHBOURS[sector] if beside in own}
        return bool(reached & set(EDGES[other(side)]))

    def _check_nests(self, side):
        """20.7.1 step 6, 20.9.3: a nest needs its sector, and a Commissar."""
        for number, group in self.nests(side).items():
            markers = [unit for unit in self.alive(side).values() if unit["group"] == number]
            is_lost = any(unit["sector"] and self.control[unit["sector"]] != side for unit in markers)
            if is_lost or not self._commissars(side):
                self._end_nest(group, markers)

    def _commissars(self, side):
        return [unit for unit in self.alive(side).values() if unit["counter"] == "commissar"]

    def _check_commissars(self, side):
        """20.9.3, R-147: a nest ends with the last Commissar; one on the map with the last who is not Disrupted."""
        in_play = self._commissars(side)
        if any(unit["marks"].isdisjoint({"disrupted", "wia"}) for unit in in_play):
            return
        for number, group in self.nests(side).items():
            markers = [unit for unit in self.alive(side).values() if unit["group"] == number]
            if not in_play or any(marker["sector"] is not None for marker in markers):
                self._end_nest(group, markers)

    def _end_nest(self, group, markers):
        group["standing"] = "used_up"
        for unit in markers:
            self._remove(unit)

    # Small movements of the pencil

    def _remove(self, unit):
        unit.update(fate="eliminated", sector=None, home=None, hex="", hidden=False)

    def _casualties(self, side, unit):
        """A squad flips, a leader is wounded, and both lose their markers (18.1.4); anybody else is gone."""
        flip = {"squad": "reduced", "leader": "wounded"}.get(kind_of(side, unit))
        if flip is None or flip in unit["marks"]:
            self._remove(unit)
        else:
            unit["marks"] = unit["marks"] - SHED_BY_A_FLIP | {flip}

    # Hearing of acts

    def hear(self, kind, side, inputs, bouts, dice):
        """Write an act down. ``bouts``: (bout, dice) of each fight in it; ``dice``: the other dice by name."""
        if kind == "hurry":
            for event, event_side, bout, faces in inputs["events"]:
                assert event == "fight" or event_side in self.decides()
                if event == "fight":
                    self._fight(bout, faces)
                elif event == "redeploy":
                    self._redeploy(event_side, {}, {}, {})
                else:
                    self._recover(event_side, faces)
                self.go_on()
            return
        if kind in ("fight", "fight_round"):
            assert side in self.decides()
            if not bouts and kind == "fight":
                self.gathered = {"side": side}  # the other side says first whom it attacks
            for bout, faces in bouts:  # the last ones of a whole round may be for the other side to begin
                self._fight(bout, faces)
        else:
            getattr(self, f"_{kind}")(side, dice, **inputs)
        self.go_on()

    def _concede(self, side, dice):
        self._end(other(side))

    def _confirm_report(self, side, dice):
        assert side in self.decides()
        self.ready.add(side)

    def _report(self, side, dice, numbers, news, sector, hex_name):
        during = self.step in ("attacker_leaves", "defender_leaves")
        assert during or (self.step == "after_action" and side not in self.ready)
        for number in numbers:
            unit = self.units[side][number]
            assert not during or unit["sector"] == self.sector
            assert news not in ("enter", "move", "exit")
            if news == "stands":
                unit["sector"], unit["hex"] = sector or unit["sector"], hex_name
            elif news == "removed":
                assert kind_of(side, unit) in ("fortification", "marker")
                self._remove(unit)
                for group in self.nests(side):
                    if unit["group"] == group:
                        self.groups[side][group]["standing"] = "used_up"
            elif news == "good_order":
                unit["marks"] &= LASTING
            else:
                self._suffer(unit, news, sector, hex_name)
        self._check_commissars(side)

    def _nest_ends(self, side, dice, number):
        group = self.nests(side)[number]
        self._end_nest(group, [unit for unit in self.alive(side).values() if unit["group"] == number])

    def _suffer(self, unit, news, sector, hex_name):
        if unit["hidden"]:
            self._show(unit)
        if news == "eliminated" or (news in ("wounded", "wia") and "wounded" in unit["marks"]):
            unit.update(fate="eliminated", sector=None, hex="")
        elif news != "show":
            # Whoever flips sheds these (18.1.4), and each takes the place of the others (18.2).
            shed = SHED_BY_A_FLIP if news in {"reduced", "wounded", *SHED_BY_A_FLIP} else set()
            unit["marks"] = unit["marks"] - shed | {news}

    # Leaving (20.6.4 steps 2 and 5)

    def _redeploy(self, side, dice, goals, hexes):
        assert self.decides() == {side}
        able = self.may_leave(side)
        assert not self.step.endswith("leaves") or True not in self.in_mines(side).values()
        for number in sorted(goals):
            assert number in able
            assert goals[number] in self.goals(side, self.units[side][number]["sector"])
        for number in sorted(goals):
            self._try_to_leave(side, number, goals[number], hexes.get(number, ""), dice[f"die_{number}"])
        for sector in self.control:
            if self.holds_both(sector):
                assert self.step.endswith("leaves")
                self.control[sector] = "threatened"
        self.tried |= {(side, number) for number in goals}
        self.ready.add(side)

    def _try_to_leave(self, side, number, goal, hex_name, die):
        unit, holder = self.units[side][number], self.control[goal]
        total = die + 2 * (holder == "threatened") - (holder == side)
        total += bool(unit["marks"] & HARDER) + 2 * ("in_sewer" in unit["marks"])
        result = redeployment(kind_of(side, unit), min(max(total, 1), 10))
        if result == "dies":
            self._remove(unit)
        if "hurt" in result:
            self._casualties(side, unit)
        if result.startswith("goes") and not unit["fate"]:
            self._arrives(side, unit, goal, hex_name)
            self.company.discard((side, number))

    def _arrives(self, side, unit, goal, hex_name):
        unit["sector"], unit["hex"] = goal, hex_name
        unit["marks"] -= {"in_sewer", "close_combat"}
        for number in self.fighters_in(other(side), goal):
            enemy = self.units[other(side)][number]
            if hex_name and enemy["hex"] == hex_name:
                if enemy["hidden"]:
                    self._show(enemy)
                unit["marks"].add("close_combat")
                enemy["marks"].add("close_combat")

    # Mines (20.6.4 step 2, 18.1, 18.2)

    def _suffer_mines(self, side, dice, numbers, factors, drm):
        numbers, used = sorted(set(numbers)), {"mine"}
        assert self.step.endswith("leaves") and {side} == self.decides()
        assert set(numbers) <= set(self.in_mines(side))
        code, worst = fft(factors, dice["mine"] + drm)
        struck, check = set(), int(code[2:] or 0) if code.startswith("M") else None
        if code in ("2E", "E", "C", "C/M"):
            struck = set(numbers)
            if len(numbers) > (2 if code == "2E" else 1):
                used |= {f"hit_{number}" for number in numbers}
                struck = highest({number: dice[f"hit_{number}"] for number in numbers}, 2 if code == "2E" else 1)
            check = {"C/M": 0, "C": None}.get(code, worst)
        for number in numbers:
            unit = self.units[side][number]
            if number in struck and code in ("E", "2E"):
                self._remove(unit)
            elif number in struck and kind_of(side, unit) == "vehicle":
                unit["marks"].add("m_killed")
            elif number in struck:
                self._casualties(side, unit)
        for number in numbers:
            unit = self.units[side][number]
            if check is not None and not unit["fate"] and kind_of(side, unit) != "vehicle":
                used.add(f"check_{number}")
                self._check(side, unit, dice[f"check_{number}"] + check)
        assert used == set(dice)
        self.mined |= {(side, number) for number in numbers}

    def _check(self, side, unit, total):
        """A Morale Check (18.2): each state gets worse, by one step or by two."""
        missed = total - COUNTERS[side][unit["counter"]]["tq"]
        if missed <= 0:
            return
        ladder = ["", "pinned", "disrupted", "wia", "casualties", "eliminated"]
        step = max((ladder.index(mark) for mark in unit["marks"] & SHED_BY_A_FLIP), default=0)
        worse = ladder[step + (1 if missed < 3 else 2)]
        is_leader = kind_of(side, unit) == "leader"
        if worse == "eliminated" or (worse == "wia" and is_leader and "wounded" in unit["marks"]):
            self._remove(unit)
        elif worse != "casualties":
            unit["marks"] = unit["marks"] - SHED_BY_A_FLIP | {worse}
        elif step == ladder.index("wia"):  # 18.2.5: a squad becomes a half-squad that is still WIA, others die
            if kind_of(side, unit) == "squad" and "reduced" not in unit["marks"]:
                # One state at a time: each worse one is marked instead of the one before (18.2.3, 18.2.4).
                unit["marks"] = unit["marks"] - SHED_BY_A_FLIP | {"reduced", "wia"}
            else:
                self._remove(unit)
        else:
            self._casualties(side, unit)

    # Close combat (20.6.4 steps 1 and 3)

    def battle(self):
        """The sector as the rules of close combat see it."""
        fighters = [self._fighter(side, n) for side in SIDES for n in self.fighters_in(side, self.sector)]
        fought = frozenset((Side(side), number) for side, number in self.fought)
        return Battle(
            Side(self.attacker), tuple(fighters), HEXES, STACKING, self.step == "existing", fought, self._waiters()
        )

    def _waiters(self):
        return frozenset((Side(side), number) for side, number in self.waited)

    def _fighter(self, side, number):
        unit = self.units[side][number]
        counter, marks = COUNTERS[side][unit["counter"]], unit["marks"]
        name, _, level = unit["hex"].partition("/")
        kind, value, half = KINDS[counter["kind"]], counter.get("ccv", 0), None
        if kind is Kind.SQUAD:
            half = counter["half_ff"] + 1
            if "reduced" in marks:
                kind, value, half = Kind.HALF_SQUAD, half, None
        if kind is Kind.LEADER and "wounded" in marks:
            kind = Kind.WOUNDED_LEADER
        return Fighter(
            (Side(side), number),
            counter["name"],
            kind,
            value,
            half,
            HEXES.parse(name) if name else None,
            Role(unit["counter"]) if counter["kind"] == "leader" else Role.NONE,
            TeamWeapon(counter.get("weapon", "")),
            disrupted=bool(marks & {"disrupted", "wia"}),
            m_killed="m_killed" in marks,
            in_cc="close_combat" in marks,
            enemy_in_hex=(side, number) in self.met,
            level=-1 if level == "cellar" else int(level or 0),
        )

    def _present(self):
        """{(side, number): unit} for those that this step is about."""
        is_old = self.step == "existing"
        fighters = {(side, n): self.units[side][n] for side in SIDES for n in self.fighters_in(side, self.sector)}
        return {key: unit for key, unit in fighters.items() if not is_old or "close_combat" in unit["marks"]}

    def _is_covered(self, key, present):
        """19.3.6: a leader with other infantry around: in his hex in step 1, anywhere in the sector in step 3."""
        side, unit = key[0], present[key]
        return kind_of(side, unit) == "leader" and any(
            mate[0] == side
            and kind_of(*pair(mate, present)) in ("squad", "sw_team", "gun")
            and (self.step == "battle" or present[mate]["hex"] == unit["hex"])
            for mate in present
        )

    def _free(self):
        """Those that wait for a fight of their own in this round, and those of them that may begin one."""
        present = self._present()
        alone = [key for key in present if not self._is_covered(key, present)]
        stuck = [key for key in alone if "m_killed" in present[key]["marks"] and key not in self.met]
        if self.step == "existing" or len(stuck) == len(alone):
            stuck = []
        waiting = [key for key in alone if key not in self.fought]
        return waiting, [key for key in waiting if key not in stuck]

    def _can_begin(self, side):
        """Whether a side has a unit that may attack somebody now."""
        waiting, free = self._free()
        for key in free:
            for enemy in waiting:
                if key[0] == side and enemy[0] != side and self._may_meet(key, enemy):
                    return True
        return False

    def _may_meet(self, key, enemy):
        first, two = (self.units[side][number] for side, number in (key, enemy))
        return self.step == "battle" or first["hex"] == two["hex"]

    def picker(self):
        """20.6.4 step 3: the Attacker pairs; if all he has left may only fight back, the other side."""
        defender = other(self.attacker)
        return defender if self._can_begin(defender) and not self._can_begin(self.attacker) else self.attacker

    def is_fought_out(self):
        """One side is left: in the sector, or in step 1 in every hex of a close combat."""
        if self.step == "battle":
            return not self.holds_both(self.sector)
        hexes = [{unit["hex"] for (owner, _), unit in self._present().items() if owner == side} for side in SIDES]
        return not hexes[0] & hexes[1]

    def _first_in_line(self):
        """A-45: those that had no enemy in the last round and could meet one alone now."""
        waiting, free = self._free()
        enemies = [(first, two) for first in waiting for two in waiting if first[0] != two[0]]

        def goes_for(attacker, two):
            return attacker in free and not any(
                self._is_nearer(attacker, rival, two) for rival in waiting if rival[0] != attacker[0]
            )

        met = {
            first
            for first, two in enemies
            if (goes_for(first, two) or goes_for(two, first))
            and (goes_for(first, two) or first not in free)
            and (goes_for(two, first) or two not in free)
        }
        return met & self.waited

    def _is_nearer(self, key, nearer, two):
        """Whether one enemy is known to be nearer to a unit than another."""
        places = [self.units[side][number]["hex"] for side, number in (key, nearer, two)]
        if not all(places):
            return False
        own, near, far = (HEXES.parse(place.partition("/")[0]) for place in places)
        return HEXES.distance(own, near) < HEXES.distance(own, far)

    def _fight(self, bout, faces):
        side, self.gathered = self.picker(), None
        present, keys = self._present(), [(str(owner), number) for owner, number in bout.keys]
        assert all(key in present and key not in self.fought for key in keys)
        assert {str(owner) for owner, _ in bout.attackers} == {side}
        assert {str(owner) for owner, _ in bout.defenders} == {other(side)}
        if self.step == "existing":
            (place,) = {present[key]["hex"] for key in keys}
            assert {key for key in present if present[key]["hex"] == place} <= {*keys, *self.fought}
        else:
            first = self._first_in_line()
            assert not first or first & set(keys), "those who waited go first"
        fought = fight_bout(bout, self.battle(), HOUSE, faces)
        assert not fought.needs, "the log lacks a die"
        self.fought.update(keys)
        for effect in fought.effects:
            self.due.setdefault((str(effect.key[0]), effect.key[1]), []).append(effect.fate.value)
        if not any(self._can_begin(owner) for owner in SIDES):
            self._end_round()

    def _end_round(self):
        """19.2.1: nothing happens before all have fought."""
        for (side, number), fates in self.due.items():
            unit = self.units[side][number]
            if set(fates) == {"m_killed"}:
                unit["marks"].add("m_killed")
            elif fates in (["reduced"], ["wounded"]):
                self._casualties(side, unit)
            else:
                self._remove(unit)
        alive = {(side, n) for side in SIDES for n in self.fighters_in(side, self.sector)}
        self.waited = alive - self.fought if self.step == "battle" else set()
        self.round, self.fought, self.due = self.round + 1, set(), {}

    # Changes to units (20.7.1)

    def _recover(self, side, dice):
        assert side in self.decides()
        used = Counter(dice)
        for number, mark in self.damaged(side):
            unit = self.units[side][number]
            name = f"mend_{number}" if mark == "f_killed" else f"die_{number}"
            if unit["fate"]:  # a wreck by the roll before
                assert name not in dice
                continue
            die = dice[name]
            del used[name]
            if mark == "m_killed":
                is_mended, is_lost = die <= 3, die in (4, 5)
            elif mark == "f_killed":
                is_mended, is_lost = die <= 3, False
            else:
                is_mended, is_lost = die in (4, 5), die <= 3
            if is_mended:
                unit["marks"].remove(mark)
            if is_lost:
                self._remove(unit)
        assert not used, "a die that nothing asked for"
        self._check_nests(side)
        self.ready.add(side)


def pair(key, present):
    """A side and its unit."""
    return key[0], present[key]
