"""A day of Streets of Stalingrad, pressed and rolled at random, checked against a second book-keeper.

One device, counters of an invented sheet, every act compared with tests/oracles/streets_book.py. What the pages offer
is played by random_days.py; here acts are sent, so that there can be hundreds of days.
"""

import copy
import json
from collections import Counter as Tally
from itertools import combinations

from firefight.models import LogEntry
from tests import pages
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of
from tests.games.test_sheets import lay
from tests.oracles.streets_book import (
    ARMOUR,
    ARMY,
    BUILT_UP,
    FIGHTERS,
    LANDINGS,
    LAST_TURN,
    LEADERS,
    OTHER,
    Book,
    Piece,
    about_of,
    class_of,
    date_of,
)

from . import SLUG

HEAD = "name\tside\tback\tregiment\tbattalion\tarm\taf\tdf\trange\tmp\tunderlined\tred\tyellow\tcount"
UNITS = (  # name, side, arm as the sheet has it, how many, the book's word for it
    ("1/I/274", "German", "Infantry", 3, "infantry"),
    ("Pi 194", "German", "Engineer", 1, "engineer"),
    ("A/129", "German", "Tank", 2, "tank"),
    ("Paulus", "German", "Leader", 1, "leader"),
    ("1/39", "Soviet", "Guards infantry", 3, "guards"),
    ("1/271", "Soviet", "NKVD", 1, "nkvd"),
    ("6 Tank", "Soviet", "Tank", 2, "tank"),
    ("Chuikov", "Soviet", "Leader", 1, "leader"),
)
SHEET = "\n".join(
    (HEAD, *(f"{name}\t{side}\t\t\t\t{arm}\t4\t5\t1\t8\t\t\t\t{count}" for name, side, arm, count, _ in UNITS))
)
OF_TEXT = {"Commissar": "commissar", "Sniper": "sniper", "Observer": "op"}
LISTED = (
    *(f"{side}: {count} {name}" for name, side, _, count, _ in UNITS),
    *("Soviet: Commissar", "Soviet: 2 Sniper", "Soviet: Observer"),
)
HOMES = {"german": ("0611", "0612"), "soviet": ("0509", "0510")}
BARE = ("1039", "1742", "1842")  # hexes whose units nobody has put into the match
TERRAIN = ("clear", "clear", "city", "forest", "suburb", "industrial", "balka", "strong_point", "road", "volga")
GUNS = ("94/I", "94/II", "1093", "1105")
TAKEN_BACK, TRIES = 0.05, 0.3
BOMBARDS = (2, 6, 9, 13)
SHOTS_AT_MOVERS = {3: "soviet", 7: "soviet", 11: "soviet", 4: "german", 10: "german", 14: "german"}
ATTACKERS = {3: "german", 5: "german", 7: "german", 8: "german", 10: "soviet", 12: "soviet", 14: "soviet", 15: "soviet"}
STARTS = {"german": (3, 7, 11), "soviet": (4, 10, 14)}


class BookedDay:
    """A match, and the book of it."""

    def __init__(self, rng, turn):
        self.rng, self.book, self.counts, self.last_day = rng, Book(), Tally(), turn
        self.player = players.begin("german", hot_seat=True, game=SLUG)[0]
        self._set_out()
        if turn > 1:
            self._begin_later(turn)
        self._fill_record()
        self.number = self.player.match.last_number
        self.compare()
        if turn > 1:
            self.act("advance/", button="phase")

    def _set_out(self):
        assert lay(self.player, SHEET, "All").status == 200
        answer = self.player.do("counters/add/", list="\n".join(LISTED))
        assert answer.status_code == 302, problems_in(answer)
        words = {name: word for name, _, _, _, word in UNITS} | OF_TEXT
        for row in self.player.get("counters.json").json():
            place = self.rng.choice(HOMES[row["side"]])
            assert self.player.do("counters/", id=row["id"], place=place).status_code == 302
            word = words[row["name"].partition(" #")[0]]
            self.book.counters[row["id"]] = Piece(row["side"], row["name"], word, place)
        self.kinds = {row["id"]: row["counter"] for row in self.player.get("counters.json").json()}

    def _begin_later(self, turn):
        self.book.turn, self.book.phase = turn - 1, 15
        for field, value in (("turn", turn - 1), ("phase", 15)):
            if int(self.player.get("record.json").json()["place"][field]) != value:
                self.put(field, str(value))
        assert self.player.match.state.queue == () or not self.player.match.state.queue

    def _fill_record(self):
        """What earlier days have left behind."""
        rng, book = self.rng, self.book
        book.saved = {side: rng.choice((0, 0, 15, 90, 300)) for side in OTHER}
        book.points = {name: rng.choice((0, 8, 30)) for name in book.points}
        book.tanks, book.snipers = rng.choice((0, 1, 2, 4)), rng.choice((0, 3, 7, 8))
        for number in range(rng.choice((0, 1, 2, 3))):
            side = rng.choice(("soviet", "soviet", "soviet", "german"))
            row = {"name": f"{number} cut off", "side": side, "marker": rng.randint(0, 3)}
            flags = {"elite_or_led": rng.random() < 0.4, "nkvd": side == "soviet" and rng.random() < 0.5}
            book.isolated.append(row | flags)
        for name in book.commanders:
            book.commanders[name] = rng.choice(("never_entered", "present", "present", "present"))
        book.came = {name for name in ("100", "305", "79", "14Pz") if rng.random() < 0.3}
        record = self.player.get("record.json").json()["record"]
        for field, value in self._list_record():
            if record[field] != value:
                self.put(field, json.dumps(value))
        for name, field in (("29", "div29_out"), ("29art", "div29_artillery_out")):
            exit_turn = rng.choice((None, *(turn for turn in (6, 7, 9, 17, 18, 23, 24) if turn < self.last_day)))
            if exit_turn:
                book.left[name] = date_of(exit_turn)
                self.put(field, date_of(exit_turn))

    def _list_record(self):
        book = self.book
        yield from (("saved", book.saved), ("replacements", book.points), ("isolated", book.isolated))
        yield from (("commanders", book.commanders), ("tanks", book.tanks), ("snipers", book.snipers))
        yield "divisions_used", sorted(book.came)

    def put(self, field, value):
        answer = self.player.do("record/", field=field, value=value)
        assert answer.status_code == 302, (field, value, problems_in(answer))

    # Acts

    def act(self, place, button="", **fields):
        """One act, the book's line of it, and both compared; now and then it is taken back and done again."""
        if self.rng.random() < TAKEN_BACK:
            before = copy.deepcopy(self.book)
            self._do(place, button, fields)
            self.player.do("take-back/")
            self.book = before
            self.number = self.player.match.last_number
            self.compare()
            self.counts["taken back"] += 1
        return self._do(place, button, fields)

    def _do(self, place, button, fields):
        fields = self._refresh(fields)
        answer = self.player.do(place, **({"button": button} if button else {}), **fields)
        assert answer.status_code == 302, (self.book.now, place, button, fields, problems_in(answer))
        rows = LogEntry.objects.filter(match=self.player.match_id, number__gt=self.number).order_by("number")
        lines = [plain(row) for row in rows if row.helper and row.kind == "roll"]
        self.number = self.player.match.last_number
        if button:
            self.book.press(button)
        if place == "roll/bombardment/" and not lines:
            self.book.announce_raid()
        for line in lines:
            self.counts[f"{line['helper']} {line['outcome']}"] += 1
            self.book.read(line | {"card": self.card})
        self.compare()
        return lines

    card = 12  # Stukas of the first turn, as an owner's card has them

    def _refresh(self, fields):
        """The step that is answered, which has a new id after it was taken back."""
        step = fields.get("step")
        if step is None or isinstance(step, str):
            return fields
        now = [due for due in self.queue if (due.helper, due.inputs) == (step.helper, step.inputs)]
        return {**fields, "step": now[0].id}

    def refuse(self, place, **fields):
        """What is not allowed is refused, and changes nothing."""
        before = self.player.match.version
        answer = self.player.do(place, **fields)
        assert answer.status_code in (403, 422), (self.book.now, place, fields)
        assert self.player.match.version == before
        self.compare()
        self.counts[f"refused {place.strip('/').rpartition('/')[2]}"] += 1

    def roll(self, helper, dice=None, step=None, **inputs):
        chained = {"step": step, "chained": "1"} if step else {}
        return self.act(f"roll/{helper}/", **sent(inputs), **(dice or {}), **chained, dice="table")

    def compare(self):
        queue = [(step.helper, about_of(step.helper, step.inputs), bool(step.compulsory)) for step in self.queue]
        self.book.compare(self.player.get("record.json").json(), self.player.get("counters.json").json(), queue)
        self.counts["compared"] += 1

    @property
    def queue(self):
        return self.player.match.state.queue

    def d10(self):
        return self.rng.randint(1, 10)

    # A day

    def play(self):
        """Until the next day's first phase is over; there the German ends the game."""
        while self.book.turn == self.last_day:
            self.settle()
            for _ in range(self.rng.choice((0, 1, 2, 3, 4))):
                self.rng.choice(self.list_acts())()
                self.settle()
            if self.book.now == (LAST_TURN, 15):
                break
            self.act("advance/", button="phase")
        self.settle()
        self.act("advance/", button="phase" if self.book.turn == self.last_day else "end")
        self.settle()
        assert self.counts["victory counted"]
        return self.counts

    def list_acts(self):
        phase = self.book.phase
        acts = [self.start_work, self.delay, self.survive, self.replace, self.save, self.schedule, self.lose_flotilla]
        if phase in ATTACKERS:
            acts += [self.attack] * 9 + [self.defend] * 3
        if phase in BOMBARDS:
            acts += [self.bombard] * 8 + [self.interdict] * 2 + [self.pin_guns]
        if phase in SHOTS_AT_MOVERS:
            acts += [self.shoot_at_movers] * 5
        if phase in (10, 14):
            acts += [self.cross] * 4
        if phase in (3, 10):  # in which HQs come
            acts += [self.survive] * 4
        if phase in (3, 5, 7, 8):
            acts += [self.test_nkvd]
        return acts

    # Fires

    def fire(self, helper, inputs, dice=None):
        """A fire, or its refusal where the book has something against it."""
        inputs = {name: value for name, value in inputs.items() if value or name == "terrain_drm"}
        die = {"die": self.d10()}
        assert self.player.send("lift/", {"side": inputs["firer"]}).status_code == 302
        if self.book.bars(helper, inputs):
            self.refuse(f"roll/{helper}/", **sent(inputs), **die, dice="table")
            return
        self.roll(helper, dice=die, **inputs)

    def flags(self, *names, chance=0.2):
        return {name: True for name in names if self.rng.random() < chance}

    def of_target(self, side, others_too=True):
        """A hex, and who is there as far as the match knows."""
        rng, place = self.rng, self.rng.choice((*HOMES[side], *HOMES[side], *HOMES[side], *BARE))
        pieces = self.book.there(place, side)
        is_of_bottles = side == "german" and self.book.turn in (13, 14)  # the date of 9.93
        terrain = rng.choice(BUILT_UP if is_of_bottles and rng.random() < 0.7 else TERRAIN)
        inputs = {"hex": place, "terrain": terrain, "date": self.book.date, "other_drm": rng.choice((0, 0, -6, 3))}
        if not any(piece.kind in FIGHTERS for piece in pieces.values()):
            place = inputs["hex"] = rng.choice(BARE)
            counted = rng.choice((0, 0, 1, 3))
            return inputs | {"combat_units": counted} | self.flags("leader_in_target", "target_armored")
        order = sorted(pieces, key=lambda id: self.rank(pieces[id]))
        order = order if others_too else [id for id in order if pieces[id].kind in FIGHTERS][: rng.randint(1, 3)]
        inputs["at"] = [self.row(id) for id in order]
        kinds = [pieces[id].kind for id in order]
        inputs["immobilized"] = kinds.count("immobilized")
        inputs["combat_units"] = sum(kind in FIGHTERS for kind in kinds) - inputs["immobilized"]
        inputs["target_armored"] = any(kind in ARMOUR for kind in kinds)
        inputs["leader_in_target"] = any(kind in LEADERS for kind in kinds)
        return inputs

    def rank(self, piece):
        """Those who can be chosen first, then immobilized tanks, then whoever goes with the last."""
        return 2 if piece.kind not in FIGHTERS else piece.kind == "immobilized"

    def row(self, id):
        piece = self.book.counters[id]
        return {"id": id, "name": piece.name, "kind": self.kinds[id], "sort": piece.arm, "state": sorted(piece.marks)}

    def of_firers(self, side):
        rng = self.rng
        place = rng.choice(HOMES[side])
        able = [id for id, piece in self.book.there(place, side).items() if piece.kind in FIGHTERS and not piece.marks]
        able = able if rng.random() < 0.8 else []
        inputs = {"firer": side, "points": rng.choice((1, 3, 4, 6, 9, 15, 25, 40, 60)), "spotting": rng.randint(-1, 3)}
        if able:
            inputs["by"] = [self.row(id) for id in rng.sample(able, rng.randint(1, min(2, len(able))))]
        return inputs | self.flags("nkvd", "underlined_af") | {"out_of_supply": rng.choice((0, 0, 0, 1, 3))}

    def of_guns(self, chance=0.3):
        rng, inputs = self.rng, {}
        if rng.random() < chance:
            inputs["gun_names"] = rng.sample(GUNS, rng.randint(1, 2))
        if rng.random() < chance:
            inputs["flying"] = rng.randint(1, 9)
        return inputs

    def attack(self):
        rng, phase = self.rng, self.book.phase
        side = ATTACKERS[phase] if rng.random() < 0.93 else OTHER[ATTACKERS[phase]]
        inputs = self.of_target(OTHER[side]) | self.of_firers(side) | self.of_guns()
        inputs |= {"terrain_drm": rng.randint(-1, 3), "leaders": rng.choice((0, 0, 1)), "integrity": rng.randint(-1, 1)}
        inputs |= self.flags("adjacent_infantry", chance=0.6)
        inputs |= self.flags("not_adjacent", "only_indirect_left", "close_assault", "fortification", chance=0.12)
        inputs |= self.flags("close_assault", chance=0.5) if inputs.get("only_indirect_left") else {}
        inputs |= self.flags(
            "assault_advantage", "engineers", "armor_with_infantry", "if_with_direct", "adjacent_leader"
        )
        inputs |= self.flags("from_volga", "on_enemy_minefield", "target_nkvd", "target_all_armored", chance=0.1)
        self.fire("attack", inputs)

    def defend(self):
        side = OTHER[ATTACKERS[self.book.phase]]
        inputs = self.of_target(OTHER[side], others_too=False) | self.of_firers(side) | {"kind": "defensive"}
        inputs |= self.flags("close_assault", "leader_with_firers", "spent", "pinned", "target_on_minefield")
        self.fire("defensive-fire", inputs)

    def shoot_at_movers(self):
        side = SHOTS_AT_MOVERS[self.book.phase]
        inputs = self.of_target(OTHER[side], others_too=False) | self.of_firers(side) | {"kind": "opportunity"}
        inputs |= self.flags("spent", "leader_with_firers", "not_adjacent", "target_on_minefield")
        if side == "soviet":
            inputs["sniper"] = self.rng.choice((0, 0, 1, 2))
        else:
            inputs |= self.flags("soviet_target_on_volga", "target_only_river_flotilla")
        self.fire("defensive-fire", inputs)

    def bombard(self):
        side, rng = self.rng.choice(tuple(OTHER)), self.rng
        is_own = rng.random() < 0.08
        inputs = self.of_target(side if is_own else OTHER[side]) | self.of_firers(side) | self.of_guns(0.5)
        inputs = {name: value for name, value in inputs.items() if name not in ("combat_units", "immobilized", "by")}
        inputs |= {"table": rng.choice(("wbbt", "wbbt", "crt")), "terrain_drm": rng.randint(-1, 2), "own_hex": is_own}
        inputs |= self.flags("fortification", "target_all_armored", "target_on_enemy_minefield", "adjacent_leader")
        self.fire("bombardment", inputs)

    def interdict(self):
        inputs = {"hex": self.rng.choice((*BARE, *HOMES["german"])), "points": self.rng.choice((0, 4, 5, 9, 14))}
        inputs |= self.of_guns(0.4)
        if self.book.bars("interdiction", inputs):
            self.refuse("roll/interdiction/", **sent(inputs), dice="table")
        else:
            self.roll("interdiction", **inputs)

    def pin_guns(self):
        self.roll("box-guns", units=self.rng.sample(GUNS, 1))

    # What else a day brings

    def cross(self):
        """That many by an arrow, added to those before."""
        rng, book = self.rng, self.book
        arrow, number = str(rng.randint(1, 3)), rng.randint(1, 5)
        in_phase, in_turn = (counted.get(arrow, 0) + number for counted in (book.crossing, book.crossed))
        if rng.random() < 0.15 and book.crossing.get(arrow):
            self.refuse("roll/volga/", arrow=arrow, combat_this_phase=in_phase - number - 1, combat_this_turn=in_turn)
            return
        self.roll("volga", arrow=int(arrow), combat_this_phase=in_phase, combat_this_turn=in_turn)

    def lose_flotilla(self):
        self.roll("flotilla-return", dice={"die": self.d10()}, turn=self.book.turn)

    def save(self):
        self.roll("save-ammunition", side=self.rng.choice(tuple(OTHER)), points=self.rng.randint(1, 40))

    def replace(self):
        rng = self.rng
        inputs = {"what": "replacement", "side": rng.choice(tuple(OTHER)), "points": rng.randint(1, 12)}
        self.roll(
            "exchange", **inputs, kind=rng.choice(("infantry", "armored", "artillery")), **self.flags("pz", "guards")
        )

    def schedule(self):
        rng, book = self.rng, self.book
        inputs = {"side": rng.choice(tuple(OTHER)), "unit": f"Unit {rng.randint(1, 99)}"}
        inputs["what"] = rng.choice(("leaves", "comes")) if inputs["side"] == "german" else "comes"
        if book.turn > 1 and rng.random() < 0.2:
            self.refuse("roll/schedule/", **inputs, date=date_of(book.turn - 1))
            return
        later = book.turn + rng.randint(1, 3)
        if later <= LAST_TURN:
            self.roll("schedule", **inputs, date=date_of(later))

    def start_work(self):
        book, rng = self.book, self.rng
        side = next((side for side, phases in STARTS.items() if book.phase in phases), None)
        place = f"{rng.randint(12, 18)}{rng.randint(20, 29)}"
        if side is None or any(work["hex"] == place for work in book.works):
            return
        inputs = {"hex": place, "work": rng.choice(("bridge", "minefield", "fortification")), "side": side}
        self.roll("engineering", **inputs, engineers=rng.randint(1, 3), turn=book.turn, phase=book.phase)

    def delay(self):
        book, rng = self.book, self.rng
        work = book.find_work()
        if work is None:
            self.refuse("roll/delay/", work="bridge", side="german", engineers=1, turn=book.turn, phase=3, hindered=1)
            return
        work = book.find_work(rng.choice(book.works)["hex"]) or work
        inputs = {"hex": work["hex"], "work": work["work"], "side": work["side"], "engineers": work["builders"]}
        inputs |= work["started"] | {"hindered": work["hindered"] + 1} | self.flags("stopped")
        self.roll("delay", **inputs)

    def survive(self):
        """A leader by name, as when his counter is not in play."""
        rng = self.rng
        side = rng.choice(tuple(OTHER))
        inputs = {"side": side, "units_eliminated": rng.randint(0, 6), "turn": self.book.turn}
        leaders = [name for name in ARMY[side] if self.book.commanders[name] in ("present", "hq")]
        inputs |= {"leader": rng.choice(leaders)} if leaders and rng.random() < 0.6 else {}
        self.roll("leader-survival", dice=self.survival_dice(inputs), **inputs, **self.of_sniper(inputs))

    def of_sniper(self, inputs):
        self.sniper = self.rng.choice((0, 0, 1, 2)) if inputs["side"] == "german" else 0
        return {"sniper": self.sniper} if self.sniper else {}

    def survival_dice(self, inputs):
        if not inputs["units_eliminated"]:
            return {}
        return {"die": self.d10(), "turns_die": self.d10()}

    def test_nkvd(self):
        """A regiment is tested once a game (16.83)."""
        regiment = self.rng.choice(("271", "272"))
        inputs = {"regiment": regiment, "event": "reliability"} | self.flags("with_leader", "is_leader")
        inputs |= {"regiment_already_tested": True} if regiment in self.book.tested else {}
        self.roll("nkvd", dice={"die": self.d10()} if len(inputs) == 2 else {}, **inputs)

    # What is due

    def settle(self):
        while queue := self.queue:
            if self.book.waits and self.rng.random() < TRIES:
                self.refuse("advance/", button="phase")
            step = self.rng.choice(queue)
            answer = getattr(self, "settle_" + step.helper.replace("-", "_"), None)
            if answer is None:
                self.player.do("drop/", step=step.id)
                self.number = self.player.match.last_number
                self.book.drop(step.helper, about_of(step.helper, step.inputs))
                self.compare()
                continue
            answer(step, {name: value for name, value in step.inputs.items() if value not in (None, "", False, [])})

    def settle_decide(self, step, known):
        """Nobody fires at Stukas; who does is in test_at_the_board.py."""
        self.roll("decide", step=step, choice="none", side=known["side"], question=known["question"])

    def settle_bombardment(self, step, known):
        if all(due.helper != "decide" for due in self.queue):
            self.roll("bombardment", step=step, dice={"die": self.d10()}, **known)

    def settle_isolation(self, step, known):
        self.roll("isolation", step=step, **known, **self.flags("supplied"))

    def settle_nkvd(self, step, known):
        flags = self.flags("with_leader")
        self.roll("nkvd", step=step, dice={} if flags else {"die": self.d10()}, **known, **flags)

    def settle_ammunition(self, step, known):
        inputs = {"multiplier": self.rng.choice((10, 20, 30)), "saved": self.book.saved[known["side"]]}
        self.roll("ammunition", step=step, dice={"die": self.d10()}, **known, **inputs)

    def settle_weather(self, step, known):
        self.roll("weather", step=step, dice={"die": self.d10()}, **known)

    def settle_stukas(self, step, known):
        """After the weather: what it allows is known by then."""
        book = self.book
        if any(due.helper == "weather" for due in self.queue):
            return
        inputs = {"bad_weather": True} if book.weather == "bad" else {}
        inputs |= {"fair_weather": True} if book.weather == "fair" else {}
        dice = {} if inputs.get("bad_weather") or book.turn == 1 else {"stuka_die": self.d10()}
        asks_card = book.turn == 1 and not self.counts["card"]
        inputs |= {"cell:stukas:3": self.card} if asks_card else {}
        self.counts["card"] += asks_card
        self.roll("stukas", step=step, dice=dice, **known, **inputs)

    def settle_division(self, step, known):
        must = known["which"] in ("29", "29art") and self.book.turn == 28
        if must and self.rng.random() < TRIES:
            self.refuse("roll/division/", **known, choice="no", step=step.id, chained="1", dice="table")
        self.roll("division", step=step, **known, choice="yes" if must else self.rng.choice(("yes", "no")))

    def settle_losses(self, step, known):
        """Where there is a choice: anybody, but snipers last (9.82)."""
        who = [self.book.counters[row["id"]] for row in known.get("who", ())][: known.get("combat_units", 0)]
        number = int(known["result"][1])
        first = [at for at, piece in enumerate(who, 1) if piece.kind != "sniper"]
        able = first if len(first) >= number else range(1, len(who) + 1)
        snipers = [at for at, piece in enumerate(who, 1) if piece.kind == "sniper"]
        if snipers and len(first) >= number and self.rng.random() < TRIES:
            wrong = [snipers[0], *first[: number - 1]]
            self.refuse("roll/losses/", **sent(known | {"lost": wrong}), step=step.id, chained="1", dice="table")
        self.roll("losses", step=step, **known, lost=list(self.rng.choice([*combinations(able, number)])))

    def settle_bombardment_losses(self, step, known):
        """Of one class alone there is a choice (14.81)."""
        who = [self.book.counters[row["id"]] for row in known.get("who", ())]
        left = 99 if known["number"] == "all" else int(known["number"])
        for word in ("combat", "armored", "sniper"):
            places = [at for at, piece in enumerate(who, 1) if class_of(piece) == word]
            if 0 < left < len(places):
                known["lost"] = self.rng.sample(places, left)
                break
            left -= min(left, len(places))
        self.roll("bombardment-losses", step=step, **known)

    def settle_leader_survival(self, step, known):
        sniper = self.of_sniper(known) if "sniper" not in known else {}
        self.roll("leader-survival", step=step, dice=self.survival_dice(known), **known, **sniper)

    def settle_tank(self, step, known):
        is_in_town = known.get("terrain") in BUILT_UP or known["event"] == "phase_10"
        self.roll("tank", step=step, dice={"die": self.d10()} if is_in_town else {}, **known)

    def settle_victory(self, step, known):
        """From the page, which knows what the record holds (3.4 to 3.7)."""
        reader = Reader(self.player.client).open(f"/match/{self.player.match_id}/roll/victory/?step={step.id}")
        form = reader.form("#desk-form")
        hexes = self.rng.sample(("1039", *LANDINGS), self.rng.randint(0, 15))
        form.fill(hexes=",".join(hexes)).press()
        rows = LogEntry.objects.filter(match=self.player.match_id, number__gt=self.number).order_by("number")
        (line,) = [plain(row) for row in rows if row.helper == "victory" and row.kind == "roll"]
        self.number = self.player.match.last_number
        self.book.read(line)
        self.compare()
        self.counts[f"victory {line['outcome']}"] += 1


def sent(inputs):
    """Inputs as a form posts them."""
    return {name: post(value) for name, value in inputs.items() if value is not None and value is not False}


def post(value):
    if value is True:
        return "on"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return json.dumps(value)
    return ",".join(map(str, value)) if isinstance(value, list) else value


def plain(row):
    """A line of the log, as far as a book-keeper reads it."""
    result = row.result
    line = {"number": row.number, "helper": row.helper, "inputs": row.inputs, "dice": dict(result.dice)}
    return line | {"outcome": str(result.outcome), "modified": result.modified}


def problems_in(answer):
    """What a page complains of."""
    return pages.words_of_each(text_of(answer), ".errorlist, .error, [role=alert]")
