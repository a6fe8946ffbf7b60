"""A day of Streets of Stalingrad kept by a second book-keeper, who is told each button and reads each roll's line.

Written from the rules' text (3.4 to 3.7, 4.2, 4.3, 9.14 to 9.18, 9.67, 9.71, 9.72, 9.81 to 9.884, 9.92, 9.93, 10.1 to
10.6, 11.1, 11.11, 14.02, 14.31, 14.6, 14.71 to 14.75, 14.81, 14.84, 14.98, 15.21, 15.51 to 15.53, 16.11, 16.31 to
16.33, 16.57, 16.83, 16.85, 17.15 to 17.36, 18.33, 18.41 to 18.54, 19.1 to 19.6, 21.41 to 21.54) and its tables, and
from nothing in the app. From a line he reads helper, inputs and dice; how it ends, and what comes of that, he works
out himself, with the rulings A05, A11, A28, S46 and S47.
"""

import datetime

from .streets_days import ENDS_MOVEMENT, DayBook

FIRST_DAY, LAST_TURN = datetime.date(1942, 9, 13), 67
OTHER = {"german": "soviet", "soviet": "german"}
FLY_IN = {"bombardment": (2, 5, 6, 8), "interdiction": (2, 6), "attack": range(16)}  # 15.11; attacks have theirs
MOVES = {"german": (3, 7, 11), "soviet": (4, 10, 14)}  # of a side's three movement phases (17.16)
RETURNS = {"german": 3, "soviet": 10}  # in which wounded leaders and HQs come (18.42 to 18.46)
MAY_ATTACK = {"german": (5, 8), "soviet": (12, 15)}
MAY_BREAK = {"german": (3, 7), "soviet": (10, 14)}
BUILT_UP = ("city", "industrial", "fortified")
CLEAR = ("clear", "tartar_wall", "railroad", "road", "hill_top", "slope", "cemetery")
COVER = ("balka", "cliff", "forest", "suburb", "village")
ARMOUR = ("tank", "immobilized")
LEADERS = ("leader", "commissar")
FIGHTERS = ("infantry", "guards", "nkvd", "engineer", "tank", "sniper", "immobilized")
COMMANDERS = {"chuikov": "Chuikov", "paulus": "Paulus", "seydlitz": "von Seydlitz"}
ARMY = {"german": ("paulus", "seydlitz"), "soviet": ("chuikov",)}
LANDINGS = (
    *("0310", "0311", "0418", "0419", "0420", "0421", "0423", "0426", "0427", "0428", "0429", "0430", "0547"),
    *("0548", "0549", "0550", "0360", "0262", "0176"),
)
DIVISIONS = {"100": 1, "305": 1, "79": 1, "14Pz": 2}  # points of each that never came (3.6)
COMES = {13: ("100",), 18: ("100",), 29: ("305", "14Pz"), 38: ("79",), 46: ("79",)}  # turns
LEAVES = {7: ("29", "29art"), 17: ("29",), 23: ("29art",), 28: ("29", "29art")}
LAST_CALL = 28  # 10 October (21.54)
BUILDING = {"bridge": {"german": (1, 1), "soviet": (2, 1)}, "minefield": {}, "fortification": {}}
BUILDING["minefield"] = dict.fromkeys(OTHER, (1, 1))
BUILDING["fortification"] = dict.fromkeys(OTHER, (2, 1))

# Columns by their lowest total, cells from the first row down; what a column does not reach is a dash.
CRT = {
    **{1: "D1 D1P P P P", 3: "D1 D1 D1P P P P", 4: "D1 D1 D1 D1P P P P", 5: "D1 D1 D1 D1 D1P P P P"},
    **{7: "D2 D1 D1 D1 D1 D1P P P P", 10: "D2 D2 D2 D1 D1 D1 D1 D1P P P P"},
    **{20: "D3 D3 D2 D2 D2 D1 D1 D1 D1P P P P", 30: "DE D3 D3 D3 D2 D2 D2 D1 D1 D1P P P P"},
    **{50: "DE DE DE D3 D3 D2 D2 D2 D1P D1P D1P P P P"},
}
WBBT = {
    **{1: "P P P", 5: "D1P P P P P", 7: "D1 D1 P P P P", 10: "D1 D1 D1 D1P P P P"},
    **{20: "D2 D1 D1 D1 D1P P P P", 30: "D2 D2 D1 D1 D1 D1 D1P P P"},
}
TABLES = {"crt": (CRT, -4, 10), "wbbt": (WBBT, -1, 8)}


def read_table(name, points, die, shift=False):
    """The result of a total and a modified die; ``shift``: one column up (9.67)."""
    columns, low, high = TABLES[name]
    order = sorted(columns)
    at = max(place for place, least in enumerate(order) if points >= least)
    cells = columns[order[min(at + shift, len(order) - 1)]].split()
    row = min(max(die, low), high) - low
    return cells[row] if row < len(cells) else "-"


def date_of(turn):
    return (FIRST_DAY + datetime.timedelta(days=turn - 1)).isoformat()


def turn_of(date):
    return (datetime.date.fromisoformat(date) - FIRST_DAY).days + 1


class Piece:
    """A counter of cardboard."""

    def __init__(self, side, name, arm, place):
        self.side, self.name, self.arm, self.place = side, name, arm, place
        self.marks, self.gone, self.hidden = set(), "", False

    @property
    def kind(self):
        """What it is by now."""
        return "immobilized" if "immobilized" in self.marks else self.arm

    @property
    def face(self):
        """As the app's JSON has it."""
        return ("", self.gone) if self.gone else (self.place, sorted(self.marks))

    def suffer(self, marker):
        """A P: leaders never feel it, immobilized tanks are lost to it (9.84, 16.37, 18.14)."""
        if self.kind == "immobilized":
            self.die()
        elif self.kind not in LEADERS:
            self.marks.add(marker)

    def die(self, fate="eliminated"):
        self.gone, self.marks = fate, set()


class Book(DayBook):
    """A day's page of paper, with counters, savings, sick lists and works."""

    def __init__(self):
        super().__init__()
        self.counters = {}
        self.saved, self.points = {"german": 0, "soviet": 0}, {"german_af": 0, "german_pz": 0, "soviet_af": 0}
        self.tanks, self.isolated, self.works, self.rows = 0, [], [], []
        self.commanders = dict.fromkeys(COMMANDERS, "never_entered")
        self.since = dict.fromkeys(COMMANDERS)
        self.tested, self.came, self.left = set(), set(), {"29": None, "29art": None}
        self.at_movers, self.held = [], []
        self.due = []  # (helper, what it is about, whether the phase waits for it)

    @property
    def date(self):
        return date_of(self.turn)

    @property
    def now(self):
        return self.turn, self.phase

    @property
    def is_molotov(self):
        """Soviets need no underlined AF any more (9.93)."""
        return self.turn >= 14

    def there(self, place, side):
        """The counters of a side in a hex."""
        return {
            id: piece
            for id, piece in self.counters.items()
            if (piece.place, piece.side) == (place, side) and not piece.gone
        }

    @property
    def waits(self):
        """Whether the phase may not be left (4.2)."""
        return any(must for _, _, must in self.due)

    # Buttons

    def press(self, button):
        """The next phase, or the end of the game."""
        if button == "end" or self.now == (LAST_TURN, 15):
            self.due.insert(0, ("victory", self.date, False))
            return
        assert not self.waits
        self.next_phase()
        if self.phase == 1:
            self.at_movers = []
        for piece in self.counters.values():
            self._take_off(piece)
        for row in [row for row in self.rows if (row["turn"], row["phase"]) <= self.now]:
            self.rows.remove(row)
            self._come_back(row)
        self.due += self._list_due()

    def _take_off(self, piece):
        """Pins go as 6, 9 and 13 begin but under an attack marker, all as 9 and 1 do (9.114, 9.115)."""
        if self.phase in (9, 1):
            piece.marks -= {"pinned", "spent"}
        elif self.phase in (6, 13) and piece.place not in self.lying["attack"]:
            piece.marks.discard("pinned")

    def _come_back(self, row):
        for name, word in COMMANDERS.items():
            if row["what"] in (word, f"HQ of {word}"):
                self.commanders[name] = "present" if row["what"] == word else "hq"
                self.since[name] = row["turn"]

    def _list_due(self):
        turn, phase = self.now
        if phase == 1:
            yield from (("isolation", row["name"], True) for row in self.isolated)
            yield from (("ammunition", side, True) for side, first in (("german", 8), ("soviet", 19)) if turn >= first)
            yield from [("weather", "", True)] * (turn >= 39)
            yield from [("stukas", "", True)] * (turn >= 2)
            yield from (
                ("division", which, turn == LAST_CALL) for which in LEAVES.get(turn, ()) if not self.left[which]
            )
        if phase == 2 and turn == 1 and self.stukas is None:
            yield "stukas", "", False
        if phase == 3:
            yield from (("division", which, False) for which in COMES.get(turn, ()) if which not in self.came)
        if phase == 10 and turn >= 29:
            names = [piece.name for piece in self.counters.values() if piece.kind == "tank" and self._rolls(piece)]
            yield from (("tank", name, False) for name in names)
            yield from [("tank", "", False)] * max(0, self.tanks - len(names))

    def _rolls(self, tank):
        return tank.side == "soviet" and tank.place and not tank.gone and not tank.hidden

    def drop(self, helper, about):
        """Something that is due is not rolled."""
        self.due.remove(next(entry for entry in self.due if entry[:2] == (helper, about)))

    # Lines

    def read(self, line):
        """A line of the log."""
        about = about_of(line["helper"], line["inputs"])
        answered = [entry for entry in self.due if entry[:2] == (line["helper"], about)]
        if answered:
            self.due.remove(answered[0])
        getattr(self, "read_" + line["helper"].replace("-", "_"))(line["inputs"], line["dice"], line)

    # Phase 1

    def read_isolation(self, inputs, dice, line):
        """One more each Administrative Phase; at 2, from 26 September 4, it is gone (19.1, 19.4, 19.6)."""
        row = next(row for row in self.isolated if row["name"] == inputs["unit"])
        self.isolated.remove(row)
        if inputs.get("supplied"):
            return self.expect(line, "supplied")
        marker = row["marker"] + 1 if row["side"] == "soviet" else 1
        limit = 4 if self.turn >= 14 or row["elite_or_led"] else 2
        if row["side"] == "soviet" and marker >= limit:
            return self.expect(line, "eliminated")
        self.isolated.append({**row, "marker": marker})
        if row["nkvd"]:
            self.due.append(("nkvd", row["name"], True))
        return self.expect(line, "marked")

    def read_nkvd(self, inputs, dice, line):
        """8 to 10 melts away, isolated 5 to 10; nobody with a leader; a regiment once (16.83, 16.85)."""
        is_isolated = inputs["event"] == "isolated"
        regiment = inputs.get("regiment") or ""
        is_exempt = inputs.get("with_leader") or inputs.get("is_leader")
        is_exempt = is_exempt or (not is_isolated and inputs.get("regiment_already_tested"))
        if regiment and not is_isolated:
            self.tested.add(regiment)
        if is_exempt:
            return self.expect(line, "no_roll")
        is_gone = dice["die"] >= (5 if is_isolated else 8)
        if is_isolated and is_gone:
            self.isolated = [row for row in self.isolated if row["name"] != inputs["unit"]]
        return self.expect(line, "removed" if is_gone else "stays")

    def read_ammunition(self, inputs, dice, line):
        """As many as the die, multiplied, may not fire, less what was saved (14.72, 14.75)."""
        side = inputs["side"]
        if self.turn < {"german": 8, "soviet": 19}[side]:
            return self.expect(line, "no_roll")
        short = dice["die"] * inputs["multiplier"]
        paid = min(short, self.saved[side])
        self.saved[side] -= paid
        self.barred[side] = short - paid
        return self.expect(line, "shortage" if short > paid else "none")

    def read_save_ammunition(self, inputs, dice, line):
        self.saved[inputs["side"]] = min(9999, self.saved[inputs["side"]] + inputs["points"])

    def read_weather(self, inputs, dice, line):
        if self.turn < 39:
            return self.expect(line, "no_roll")
        self.weather = "bad" if dice["die"] <= 2 else "fair"
        return self.expect(line, self.weather)

    def read_stukas(self, inputs, dice, line):
        """22 less the die; none in bad weather; on the first turn what the card says (15.51 to 15.53)."""
        if self.weather == "bad":
            self.stukas = 0
            return self.expect(line, "grounded")
        self.stukas = 22 - dice["stuka_die"] if self.turn > 1 else line["card"]
        return self.expect(line, "available")

    def read_division(self, inputs, dice, line):
        which = inputs["which"]
        if inputs["choice"] == "no":
            return self.expect(line, "waits")
        if which in self.left:
            self.left[which] = self.date
            return self.expect(line, "leaves")
        self.came.add(which)
        return self.expect(line, "comes")

    # Boxes, crossings, works, replacements

    def read_flotilla_return(self, inputs, dice, line):
        self._put_row("river flotilla", "soviet", (self.turn + (dice["die"] + 1) // 2, 10))

    def _put_row(self, event, side, when, about=""):
        self.rows.append({"what": event, "side": side, "turn": when[0], "phase": when[1], "about": about})

    def read_volga(self, inputs, dice, line):
        """Nine by an arrow in a phase, eighteen in a turn (8.66)."""
        number = inputs["combat_this_phase"]
        in_turn = max(number, inputs["combat_this_turn"])
        is_allowed = number <= 9 and in_turn <= 18
        self.expect(line, "allowed" if is_allowed else "refused")
        if is_allowed:
            self.crossing[str(inputs["arrow"])], self.crossed[str(inputs["arrow"])] = number, in_turn

    def read_engineering(self, inputs, dice, line):
        """A work is begun: a turn is three movement phases of its side, each hindrance one more (17.16 to 17.36)."""
        about, side = inputs.get("hex") or "", inputs["side"]
        began = {"turn": inputs["turn"], "phase": inputs["phase"]}
        number = BUILDING[inputs["work"]][side][inputs["engineers"] > 1] * 3 + inputs.get("hindered", 0)
        placed, free = (count_on(side, began, number + more) for more in (0, 1))
        work = {"work": inputs["work"], "side": side, "hex": about or None, "started": began, "placed": placed}
        self.works.append(
            {**work, "may_move": free, "hindered": inputs.get("hindered", 0), "builders": inputs["engineers"]}
        )
        self._put_row(f"{inputs['work']} done", side, tuple(placed.values()), about)

    def find_work(self, place=""):
        """The newest work that is under way, in a hex or anywhere."""
        is_open = [work for work in self.works if tuple(work["placed"].values()) > self.now]
        return next((work for work in reversed(is_open) if place in ("", work["hex"])), None)

    def read_delay(self, inputs, dice, line):
        """Hindered once more, or over (17.0, 17.16)."""
        work = self.find_work(inputs.get("hex") or "")
        self.works.remove(work)
        done = f"{work['work']} done", work["side"], work["hex"] or ""
        when = tuple(work["placed"].values())
        self.rows.remove(next(row for row in self.rows if (row["what"], row["side"], row["about"]) == done
                              and (row["turn"], row["phase"]) == when))  # fmt: skip
        if inputs.get("stopped"):
            return self.expect(line, "over")
        self.read_engineering(inputs, dice, line)
        return self.expect(line, "delayed")

    def read_exchange(self, inputs, dice, line):
        """Replacements are paid from the points that are there (21.41, 21.42)."""
        side, is_pz = inputs["side"], bool(inputs.get("pz"))
        is_barred = inputs.get("guards") or (is_pz and side == "soviet") or is_pz != (inputs["kind"] == "armored")
        self.expect(line, "refused" if is_barred else "allowed")
        name = f"{side}_{'pz' if is_pz else 'af'}"
        if not is_barred:
            self.points[name] = max(0, self.points[name] - inputs["points"])

    def read_schedule(self, inputs, dice, line):
        """A date of the cards: who leaves in phase 1, comes in his side's movement (21.2, 21.51)."""
        leaves = inputs["what"] == "leaves"
        phase = 1 if leaves else RETURNS[inputs["side"]]
        event = f"{inputs['unit']} {'leaves' if leaves else 'may come'}"
        self._put_row(event, inputs["side"], (turn_of(inputs["date"]), phase))

    def read_box_guns(self, inputs, dice, line):
        self.boxed |= set(inputs["units"]) - self.fired

    def announce_raid(self):
        """Stukas bombard once the Soviet has said whether anybody fires at them (15.42)."""
        self.due += [("bombardment", "", False), ("decide", "", False)]

    def read_decide(self, inputs, dice, line):
        self.expect(line, "chosen")

    def read_interdiction(self, inputs, dice, line):
        """A marker from 5 AF on (14.84)."""
        self._use_up(inputs)
        if inputs["points"] >= 5:
            self.lying["interdicted"].add(inputs["hex"])

    # Fires

    def bars(self, helper, inputs):
        """Whether a fire may not be made now (9.14, 10.1 to 10.4, 11.2, 14.02, 15.21, 18.52, 18.54)."""
        flying = inputs.get("flying", 0)
        if set(inputs.get("gun_names", ())) & (self.fired | self.boxed):
            return True
        if self.weather == "bad" and flying:
            return True
        if self.stukas is not None and flying > max(0, self.stukas - self.flown):
            return True
        if flying and (inputs.get("firer") == "soviet" or self.phase not in FLY_IN[helper]):
            return True
        if helper == "defensive-fire" and inputs["kind"] == "opportunity":
            return any(row in self.at_movers for row in self._list_at_movers(inputs))
        return helper == "attack" and self._bars_attack(inputs)

    def _bars_attack(self, inputs):
        side, place, is_through = inputs["firer"], inputs.get("hex"), self.phase in ENDS_MOVEMENT
        if self.phase not in MAY_ATTACK[side] + MAY_BREAK[side]:
            return True
        if any(self.commanders[name] in ("wounded", "lost") or self.since[name] == self.turn for name in ARMY[side]):
            return True
        if place in (self.broken if is_through else self.attacked):
            return True
        is_open = inputs["terrain"] in (*CLEAR, "forest", "suburb", "village")
        is_alone = inputs.get("not_adjacent") or inputs.get("only_indirect_left")
        return is_through and (not is_open or is_alone or place in self.lying["interdicted"])

    def _use_up(self, inputs):
        self.fired |= set(inputs.get("gun_names") or ())
        self.flown += inputs.get("flying") or 0

    def read_attack(self, inputs, dice, line):
        flag = flags_of(inputs)
        spotting = inputs.get("spotting", 0)
        alone = flag("only_indirect_left")
        drm = max(0, spotting) if alone else spotting
        drm += self._of_firers(inputs) + flag("from_volga") + flag("on_enemy_minefield")
        drm += self._of_armour(inputs, is_waivable=True)
        drm += flag("fortification") and not flag("target_all_armored")
        drm += flag("leader_in_target") + flag("adjacent_leader") + inputs["terrain_drm"]
        helps = flag("fortification") or inputs["terrain"] in (*BUILT_UP, "suburb", "strong_point")
        drm -= flag("assault_advantage") + (flag("engineers") and helps) + flag("armor_with_infantry")
        drm -= inputs.get("leaders", 0) + (flag("if_with_direct") and not alone)
        shift = flag("close_assault") and not alone
        result = self._resolve("crt", inputs, drm, dice, line, shift)
        marker, is_empty = self._strike(inputs, result)
        if inputs.get("hex"):
            self._mark_attacked(inputs, marker, is_empty)
        for row in inputs.get("by") or ():
            self.counters[row["id"]].suffer("spent")  # 9.18
        if result.endswith("P") and self._may_choose(inputs):
            self.due.append(("p-result", "", False))
        if is_empty:
            self.due += [("advance", "", False), ("may-counter-attack", "", False)]

    def _of_firers(self, inputs):
        return inputs.get("integrity", 0) + inputs.get("out_of_supply", 0) + bool(inputs.get("nkvd"))

    def _of_armour(self, inputs, is_waivable):
        """+1 without underlined AF; Soviets next to it in built-up hexes throw bottles (9.92, 9.93)."""
        is_near = inputs["terrain"] in BUILT_UP and not inputs.get("not_adjacent")
        is_waived = is_waivable and self.is_molotov and inputs["firer"] == "soviet" and is_near
        return bool(inputs.get("target_armored")) and not inputs.get("underlined_af") and not is_waived

    def _resolve(self, table, inputs, drm, dice, line, shift=False):
        modified = dice["die"] + drm + inputs.get("other_drm", 0)
        assert line["modified"] == modified, (line["number"], line["modified"], modified)
        result = read_table(table, inputs["points"], modified, shift)
        self.expect(line, {"-": "no_effect"}.get(result, result.lower()))
        return result

    def _strike(self, inputs, result):
        """What a result does to the hex and to those in it; returns the marker and whether nobody is left."""
        self._use_up(inputs)
        counted, frozen = inputs.get("combat_units", 0), inputs.get("immobilized", 0)
        takes, is_p = taken_by(result), result.endswith("P")
        fallen = frozen * is_p + min(takes, counted + frozen * (not is_p))
        is_empty = result == "DE" or (counted + frozen > 0 and fallen == counted + frozen)
        marker = ("spent" if inputs["terrain"] in BUILT_UP else "pinned") if is_p else None
        targets = [self.counters[row["id"]] for row in inputs.get("at") or ()]
        if takes:
            self._ask_after_losses(inputs, result, takes, fallen if counted + frozen else None, targets)
        if marker:
            for piece in targets:
                piece.suffer(marker)
        river = inputs["terrain"] == "volga" or inputs.get("soviet_target_on_volga")
        return (None if targets or river or is_empty else marker), is_empty

    def _ask_after_losses(self, inputs, result, takes, fallen, targets):
        """Losses, the leader in the hex, a Soviet tank in a town (9.81, 9.83, 14.81 to 14.83, 16.31)."""
        loser = OTHER[inputs["firer"]]
        is_bombed = "table" in inputs
        number = "all" if result == "DE" else str(takes)
        self.due.append(("bombardment-losses", number, False) if is_bombed else ("losses", result, False))
        leaders = [piece.name for piece in targets if piece.kind in LEADERS] or [""]
        units = fallen or (1 if result == "DE" else takes)
        if inputs.get("leader_in_target"):
            self.due += [("leader-survival", f"{loser} {min(12, units)} {name}", False) for name in leaders]
        in_town = inputs["terrain"] in BUILT_UP and loser == "soviet" and inputs.get("target_armored")
        if in_town and not any(piece.arm == "tank" for piece in targets):
            self.due.append(("tank", "", False))

    def _mark_attacked(self, inputs, marker, is_empty):
        if self.phase in ENDS_MOVEMENT:
            self.break_through(inputs["hex"], marker, is_empty)
        else:
            self.attack(inputs["hex"], marker, bool(inputs.get("adjacent_infantry")))

    def _may_choose(self, inputs):
        """Whether the owner says who goes under a P (9.87 to 9.884)."""
        terrain, is_led = inputs["terrain"], inputs.get("leader_in_target")
        if not inputs.get("adjacent_infantry") or inputs.get("only_indirect_left") or terrain == "volga":
            return False
        if inputs.get("target_nkvd"):
            return is_led and terrain not in CLEAR
        return bool(inputs.get("fortification")) if terrain in CLEAR else terrain in COVER

    def read_defensive_fire(self, inputs, dice, line):
        flag = flags_of(inputs)
        drm = inputs.get("spotting", 0) + self._of_firers(inputs)
        drm += self._of_armour(inputs, is_waivable=inputs["kind"] == "defensive")
        drm += (flag("spent") or flag("pinned")) + flag("leader_in_target") - flag("leader_with_firers")
        drm -= inputs.get("sniper", 0) + flag("target_on_minefield")
        drm -= flag("soviet_target_on_volga") and not flag("target_only_river_flotilla")
        result = self._resolve("crt", inputs, drm, dice, line, flag("close_assault"))
        self.at_movers += self._list_at_movers(inputs)
        marker, is_empty = self._strike(inputs, result)
        if inputs.get("hex"):
            self.shoot(inputs["hex"], marker)
        if (
            inputs["kind"] == "opportunity"
            and result.endswith("P")
            and inputs["terrain"] not in BUILT_UP
            and not is_empty
        ):
            for row in inputs.get("at") or ():  # and all others of their hex (11.11)
                mover = self.counters[row["id"]]
                for piece in self.there(inputs.get("hex") or mover.place, mover.side).values():
                    if piece.kind != "immobilized":
                        piece.suffer("pinned")

    def _list_at_movers(self, inputs):
        if inputs["kind"] != "opportunity":
            return []
        fighting = [row for row in inputs.get("by") or () if row.get("sort") not in LEADERS]
        return [{"unit": row["name"], "side": inputs["firer"], "phase": self.phase} for row in fighting]

    def read_bombardment(self, inputs, dice, line):
        """On the West Bank Table, or with the lines about the target on the other (14.6, ruling S46)."""
        flag = flags_of(inputs)
        is_crt = flag("own_hex") or inputs["table"] == "crt"
        drm = -2
        if not flag("own_hex"):
            drm = inputs.get("spotting", 0) + self._of_firers(inputs) - flag("target_on_enemy_minefield")
            drm += flag("fortification") and not flag("target_all_armored")
        if is_crt and not flag("own_hex"):
            drm += self._of_armour(inputs, is_waivable=False) + flag("leader_in_target") + flag("adjacent_leader")
            drm += inputs["terrain_drm"]
        no_drm = {"other_drm": 0} if flag("own_hex") else {}
        result = self._resolve("crt" if is_crt else "wbbt", {**inputs, **no_drm}, drm, dice, line)
        firer = OTHER[inputs["firer"]] if flag("own_hex") else inputs["firer"]
        marker, _ = self._strike({**inputs, "firer": firer, "combat_units": 0, "immobilized": 0}, result)
        if inputs.get("hex"):
            self.shoot(inputs["hex"], None if inputs["terrain"] == "volga" or inputs.get("at") else marker)

    # After fires

    def read_losses(self, inputs, dice, line):
        """All that are asked for, or those whom the owner has named; observers with the last (9.81, 9.82)."""
        units = [self.counters[row["id"]] for row in inputs.get("who") or ()]
        counted = units[: inputs.get("combat_units", 0)]
        frozen = units[len(counted) : len(counted) + inputs.get("immobilized", 0)]
        losses_named = [units[place - 1] for place in inputs.get("lost") or ()]
        takes = taken_by(inputs["result"])
        lost = [*counted, *frozen] if inputs["result"] == "DE" else counted if takes >= len(counted) else losses_named
        standing = [piece for piece in (*counted, *frozen) if piece not in lost and not piece.gone]
        if lost and not standing:
            lost = [*lost, *(piece for piece in units if piece.kind == "op")]
        self._lose(lost, inputs.get("terrain"))

    def read_bombardment_losses(self, inputs, dice, line):
        """Combat units, armour, snipers, with the last of them observers (14.81)."""
        units = [self.counters[row["id"]] for row in inputs.get("who") or ()]
        losses_named = [units[place - 1] for place in inputs.get("lost") or ()]
        classes = [[piece for piece in units if class_of(piece) == word] for word in ("combat", "armored", "sniper")]
        losses_left = sum(map(len, classes)) if inputs["number"] == "all" else int(inputs["number"])
        lost, is_any = [], losses_left > 0
        for members in classes:
            few = min(losses_left, len(members))
            lost += members if few == len(members) else losses_named[:few]
            losses_left -= few
        if is_any and len(lost) == sum(map(len, classes)):
            lost += [piece for piece in units if piece.kind == "op"]
        self._lose(lost, inputs.get("terrain"))

    def _lose(self, pieces, terrain):
        for piece in pieces:
            if piece.side == "soviet" and piece.kind == "tank" and terrain in BUILT_UP:
                self.due.append(("tank", piece.name, False))  # it may fight on (16.31)
                continue
            if piece.side == "soviet" and piece.kind == "tank":
                self.tanks = max(0, self.tanks - 1)
            if piece.kind == "sniper":
                self.snipers = max(0, self.snipers - 1)
            if piece.kind == "op":
                self._put_row("observer, as this phase ends", piece.side, self._next_bombardment())
            piece.die()

    def _next_bombardment(self):
        """The next phase of bombardment; observers come as it ends (14.98)."""
        later = [phase for phase in (2, 6, 9, 13) if phase > self.phase]
        return (self.turn, later[0]) if later else (self.turn + 1, 2)

    def read_tank(self, inputs, dice, line):
        """On 1 to 4 it stands still for good (16.32, 16.33)."""
        is_lost = inputs["event"] == "eliminated"
        if is_lost and inputs["terrain"] not in BUILT_UP:
            return self.expect(line, "no_roll")
        is_still = dice["die"] <= 4
        for row in inputs.get("who") or ():
            piece = self.counters[row["id"]]
            if is_still:
                piece.marks.add("immobilized")
            elif is_lost:
                piece.die()
        if is_still or is_lost:
            self.tanks = max(0, self.tanks - 1)
        return self.expect(line, "immobilized" if is_still else "nothing" if is_lost else "runs")

    def read_leader_survival(self, inputs, dice, line):
        """Up to 2 he is dead, up to 6 wounded, for as many complete turns as a die says (18.33, 18.41)."""
        side, lost = inputs["side"], inputs.get("units_eliminated", 0)
        if not lost:
            return self.expect(line, "no_roll")
        modified = dice["die"] - min(4, lost) - inputs.get("sniper", 0)
        leader, turn, phase = inputs.get("leader") or "", self.turn, RETURNS[side]
        names = [row["name"] for row in inputs.get("who") or ()]
        if modified > 6:
            return self.expect(line, "survives")
        for row in inputs.get("who") or ():
            self.counters[row["id"]].die("left" if modified > 2 else "eliminated")
        if modified > 2:
            name = COMMANDERS.get(leader) or (names or ["leader"])[0]
            self._put_row(name, side, (turn + dice["turns_die"] + 1, phase))
        elif leader:
            self._put_row(f"HQ of {COMMANDERS[leader]}", side, (turn + (self.phase >= phase), phase))
        if leader:
            self.commanders[leader] = "wounded" if modified > 2 else "lost"
        return self.expect(line, "wounded" if modified > 2 else "eliminated")

    def read_counter_attack(self, inputs, dice, line):
        """Die and AF less DF: 2, 6, more (12.6); a hex taken back loses its breakthru marker (12.9)."""
        modified = dice["die"] + inputs["af"] - inputs["df"]
        self.expect(
            line, "attacker_lost" if modified <= 2 else "defender_lost" if modified <= 6 else "defenders_retreat"
        )

    def read_victory(self, inputs, dice, line):
        """Hexes, divisions that never came, the 29th (3.4 to 3.7)."""
        hexes_held = set(inputs.get("hexes") or ())
        points = sum(2 if hex_name == "1039" else hex_name in LANDINGS for hex_name in hexes_held)
        points += sum(worth for name, worth in DIVISIONS.items() if name not in self.came)
        points += self._score_29th(inputs["final_date"])
        assert line["modified"] == points, (line["number"], line["modified"], points)
        if hexes_held:
            self.held = sorted(hexes_held)

    def _score_29th(self, last):
        out, guns = self.left["29"], self.left["29art"]
        if out and guns and max(out, guns) <= date_of(7):
            return 1
        was_there = [
            last > day and (not left_on or left_on > day) for left_on, day in ((out, date_of(17)), (guns, date_of(23)))
        ]
        return -any(was_there)

    # Both pages side by side

    def expect(self, line, outcome):
        """The line ends as he has worked it out."""
        assert line["outcome"] == outcome, (line["number"], line["helper"], line["outcome"], outcome)

    def compare(self, page, counters, queue):
        """The app's record, counters and what is due against this page."""
        record, place = page["record"], page["place"]
        assert (place["turn"], int(place["phase"]), place["date"]) == (*self.now, self.date)
        lying = {word: {row["hex"] for row in record["markers"] if row["marker"] == word} for word in self.lying}
        self.say("markers", lying, self.lying)
        self.say("hexes", (set(record["attacked"]), set(record["breakthroughs"])), (self.attacked, self.broken))
        guns = [{row["unit"] for row in record["fired"] if bool(row["in_box"]) is boxed} for boxed in (False, True)]
        self.say("guns", guns, [self.fired, self.boxed])
        self.say("Stukas", (record["stukas"], record["stukas_used"]), (self.stukas, self.flown))
        for name, mine in self._list_kept():
            self.say(name, record[name], mine)
        crossed = [
            drop_zeroes({arrow: row.get(when, 0) for arrow, row in record["crossed"].items()})
            for when in ("phase", "turn")
        ]
        self.say("crossings", crossed, [drop_zeroes(self.crossing), drop_zeroes(self.crossed)])
        for name, mine in (("isolated", self.isolated), ("works", self.works), ("due", self.rows)):
            self.say(name, in_order(record[name]), in_order(mine))
        self.say("regiments tested", set(record["nkvd_tested"]), self.tested)
        self.say("divisions", set(record["divisions_used"]), self.came)
        self.say("counters", {counter["id"]: face_of(counter) for counter in counters}, self.faces)
        self.say("what is due", sorted(queue), sorted(self.due))

    @property
    def faces(self):
        return {id: piece.face for id, piece in self.counters.items()}

    def _list_kept(self):
        yield from (
            ("weather", self.weather),
            ("barred", self.barred),
            ("snipers", self.snipers),
            ("tanks", self.tanks),
        )
        yield from (("saved", self.saved), ("replacements", self.points), ("opportunity", self.at_movers))
        yield from (("commanders", self.commanders), ("commanders_since", self.since))
        yield from (("div29_out", self.left["29"]), ("div29_artillery_out", self.left["29art"]))
        yield from (("points_hexes", self.held),)

    def say(self, subject, theirs, mine):
        assert theirs == mine, (subject, self.now, theirs, mine)


def flags_of(inputs):
    return lambda name: bool(inputs.get(name))


def taken_by(result):
    """How many combat units a result takes."""
    return 99 if result == "DE" else int(result[1]) if result[0] == "D" else 0


def class_of(piece):
    """The class in which a bombardment takes it (14.81)."""
    if piece.kind in ("sniper", "op", *LEADERS):
        return piece.kind
    return "armored" if piece.kind in ARMOUR else "combat"


def count_on(side, when, number):
    """That many movement phases of a side later."""
    phases = MOVES[side]
    at = when["turn"] * 3 + phases.index(when["phase"]) + number
    return {"turn": at // 3, "phase": phases[at % 3]}


def about_of(helper, inputs):
    """What tells two rolls of one kind apart."""
    names_in = [row["name"] for row in inputs.get("who") or ()]
    if helper == "leader-survival":
        return f"{inputs['side']} {inputs['units_eliminated']} {''.join(names_in)}"
    if helper == "tank":
        return "".join(names_in)
    names = {"isolation": "unit", "nkvd": "unit", "ammunition": "side", "division": "which", "losses": "result"}
    names |= {"bombardment-losses": "number", "victory": "final_date"}
    return inputs.get(names.get(helper, ""), "")


def drop_zeroes(counted):
    return {arrow: number for arrow, number in counted.items() if number}


def in_order(rows):
    return sorted(rows, key=repr)


def face_of(counter):
    return ("", counter["fate"]) if counter.get("fate") else (counter["place"], sorted(counter["state"]))
