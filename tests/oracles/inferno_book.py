"""Games of Inferno on the Volga kept beside the app by a second book-keeper, who is told only answers and faces.

Written from the rules' text by its chapters, and from docs/games/inferno-on-the-volga/rulings.md (B01 to B67) where the
text is open; from nothing in the app. He reads the three house sheets himself. `Book.play` is a whole game in the
order of the text: it says what it waits for, a throw or a question with all that may be chosen, and goes on with what
was thrown or chosen. What the text leaves to whoever builds the game is the app's, listed below as THE APP'S OWN.

THE APP'S OWN: a die over blocks counts them as the sheet lists them (over those that wait to be set up Infantry before
Tanks), one over a hand as it was drawn, one over a deck as the sheet lists its cards; Units of several hexes fire hex
by hex. Nothing is thrown where only one is left, except for German cards. Which questions there are, that one can go
back from them, that Units are ticked one by one; who is hit once ties are left to the app.
"""

import copy
import tomllib
from collections import Counter, namedtuple
from itertools import combinations
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "firefight/games/inferno_on_the_volga/data/house.toml"

Throw = namedtuple("Throw", "number sides")  # answered by one number, their sum
Ask = namedtuple("Ask", "choices")

# Spawn Hexes, in the order in which Soviets spawn; those of Infantry and a Tank (Soviet Spawn Action; B01).
SPAWN, OF_TWO = ("3", "19", "9", "15", "13", "7"), {"3", "19", "13"}
COAST, OKH = {str(number) for number in range(3, 20)}, {str(number) for number in range(1, 20)}
DOORS = {"yellow": ("X", "Y"), "blue": ("Z",), "white": ("X", "Y", "Z")}  # where Germans arrive (Actions 1)
FORTS = {"4", "21", "28", "26", "32"}  # Soviet Fortifications
GERMAN_LEADERS = {"paulus", "hoth", "von_richthofen", "linden", "okh"}
SOVIET_LEADERS = {"chuikov", "zaytsev", "khrushchev"}
CARDS = {"heinkel_111": (6, 3), "stuka": (5, 2), "howitzer": (6, 2), "pioneer": (5, 1)}  # dice of TF, Rubble
AIRSTRIKES, PIONEERS = {"heinkel_111", "stuka"}, {"pioneer", "672nd_pioneer"}
NEEDS = {"SF": 6, "DF": 5, "TF": 4}
FOOT, ARMOUR = {"infantry", "motorized", "panzergrenadier"}, {"panzer", "panzergrenadier"}
BLITZ = {"panzer", "panzergrenadier", "motorized"}
ADVANTAGES = {  # The Designer's Way, Normal Level
    "german": ("paulus", "hoth", "von_richthofen", "linden", "okh", "6th_panzer"),
    "soviet": ("chuikov", "khrushchev", "zaytsev", "marines_empowered", "late_deployment", "immortal_guard"),
}
OTHER = {"german": "soviet", "soviet": "german"}


class Pool(Throw):
    """Dice that are read one by one: answered by their faces."""


class Over(Exception):
    """The game has ended: whoever has won."""


def read_sheets():
    """The house's map, blocks and cards, with those whom the track names and who starts where."""
    data = tomllib.loads(HOUSE.read_text(encoding="utf-8"))
    for name in ("hexes", "blocks", "cards"):
        head, *rows = (line.split("\t") for line in data[name].strip().splitlines())
        data[name] = [dict(zip(head, row, strict=True)) for row in rows]
    return data


class Fight:
    """A combat: who attacks which hex from where, with which units, and which cards were laid."""

    def __init__(self, attacker, target, hexes, deliberate, cards=()):
        self.attacker, self.target, self.hexes, self.deliberate = attacker, target, hexes, deliberate
        self.cards, self.soviet_card, self.cancelled = list(cards), "", False
        self.armour = self.modifier = 0  # of the Rubble Roll
        self.units = {"german": [], "soviet": []}

    @property
    def soviet_hex(self):
        """The hex of a Soviet card (Soviet Support Cards; B39)."""
        return self.target if self.attacker == "german" else self.hexes[0]


class Book:
    """All that lies on the table."""

    def __init__(self, level="standard", sheets=None):
        sheets = sheets or read_sheets()
        self.level = level
        self.map = {row["hex"]: row for row in sheets["hexes"]}
        ways = [f"d{number}" for number in range(1, 7)]
        self.near = {hex: [row[way] for way in ways if row[way] != "-"] for hex, row in self.map.items()}
        self.units = {row["block"]: row for row in sheets["blocks"]}
        self.track, self.start = sheets["track"], sheets["start"]
        self.where = {key: "pool" if row["side"] == "soviet" else "out" for key, row in self.units.items()}
        self.dots = dict.fromkeys(self.units, 0)
        self.rows, self.struck, self.raus = [[] for _ in range(6)], [], False
        self.held, self.rubble, self.forts, self.hq = {"W", "X", "Y", "Z"}, [], set(), ""
        self.leaders = {"german": set(), "soviet": set()}
        self.advantages = {"german": [], "soviet": []}
        self.hands = {"german": [], "soviet": []}
        self.gone = {"german": [], "soviet": []}  # cards
        self.decks = {side: {"top": [], "left": [], "bottom": []} for side in OTHER}
        for row in sheets["cards"]:
            copies = [f"{row['card']}:{hex}" for hex in row["hexes"].split(",") if hex != "-"]
            self.decks[row["side"]]["left"] += copies or [row["card"]] * int(row["copies"])
        self.values = CARDS | {
            row["card"]: (int(row["dice"]), int(row["modifier"]))
            for row in sheets["cards"]
            if row["card"] == "672nd_pioneer"
        }
        self.turn, self.side, self.extra, self.over = 1, "german", 0, ""
        self.fight, self.leaves_ties = None, False

    # What is read off the table

    def top(self, key):
        return int(self.units[key]["top"])

    def type(self, key):
        return self.units[key]["type"]

    def marks(self, key):
        return self.units[key]["marks"].split(",")

    def need(self, key):
        """The lowest face of a Unit that hits (Firepower)."""
        fires = self.units[key]["fire"].split(",")
        return NEEDS[fires[0] if len(fires) == 1 else fires[self.dots[key] - 1]]

    def stack(self, side, hex):
        """The Units of a side in a hex."""
        return [key for key, at in self.where.items() if at == hex and self.units[key]["side"] == side]

    def stacks(self, side):
        """Every Stack of a side, by its hex."""
        stacks = {}
        for key, at in self.where.items():
            if at in self.map and self.units[key]["side"] == side:
                stacks.setdefault(at, []).append(key)
        return stacks

    def pool(self, kind):
        """The Units in a Spawn Pool."""
        return [key for key, at in self.where.items() if at == "pool" and self.pool_of(key) == kind]

    def pool_of(self, key):
        return "marine" if "marine" in self.marks(key) else self.type(key)

    def beside(self, side, hex):
        """The hexes next to this one in which a side stands."""
        stacks = self.stacks(side)
        return [neighbour for neighbour in self.near[hex] if neighbour in stacks]

    def terrain(self, hex):
        return self.map[hex]["terrain"]

    def cards_left(self, side):
        """How many cards a deck has."""
        return sum(map(len, self.decks[side].values()))

    # A whole game

    def play(self):
        """Throws and questions in their order, until somebody has won."""
        yield from self.go_on(self.set_up())

    def go_on(self, first=()):
        """The same from a German turn on."""
        try:
            yield from first
            while True:
                yield from self.german_turn()
                self.judge()
                yield from self.soviet_turn()
                self.judge()
                self.turn, self.side = self.turn + 1, "german"
        except Over as end:
            self.over, self.fight = str(end), None

    def judge(self):
        """How to Win the Game; OKH."""
        okh, soviets = "okh" in self.leaders["german"], self.stacks("soviet")
        german = not soviets or (OKH if okh else {*SPAWN}) <= self.held
        dead = [key for key, at in self.where.items() if at == "dead"]
        soviet = len(dead) + sum("r" in self.marks(key) for key in dead) >= 10
        if self.is_deck_lost() and not (okh and german):  # B58
            soviet = True
        if german or soviet:
            raise Over("both" if german and soviet else "german" if german else "soviet")  # B16

    def is_deck_lost(self):
        """Whether no Soviet card is left, and no German turn by OKH (B17)."""
        if self.cards_left("soviet"):
            return False
        removed = [key for key, at in self.where.items() if at == "removed" and "r" in self.marks(key)]
        return "okh" not in self.leaders["german"] or min(5, len(removed)) <= self.extra

    # Game Setup, The Designer's Way

    def pick(self, among):
        """One at random; nothing is thrown for the only one."""
        if len(among) == 1:
            return among[0]
        return among[(yield Throw(1, len(among))) - 1]

    def set_up(self):
        yield from self.weigh_sides()
        for key, row in self.units.items():
            if row["side"] == "german" and "axe" not in self.marks(key):
                self.where[key], self.dots[key] = "track", self.top(key)
        for hex, keys in self.start.items():
            self.where |= dict.fromkeys(keys, hex)
        yield from self.set_up_soviets()
        for hex in ("X", "Y", "Y"):  # Game Setup 8
            key = yield from self.pick(self.unboxed("yellow"))
            self.where[key] = hex
        for row in self.rows:  # White Infantry last (Game Setup 9)
            row.append((yield from self.pick(self.unboxed("white"))))
        for row in self.rows:
            for place in range(4):
                row.insert(place, (yield from self.pick(self.unboxed())))
        yield from self.draw("german", 3)

    def weigh_sides(self):
        """Advantages by the Normal Level; leaders on top of the decks, and in play."""
        if self.level == "normal":
            german, soviet = yield Pool(2, 6)
            for side, number in (("soviet", soviet), ("german", german)):
                for _ in range(number):
                    open_ones = [advantage for advantage in ADVANTAGES[side] if advantage not in self.advantages[side]]
                    self.advantages[side].append((yield from self.pick(open_ones)))
        on_top = {
            "soviet": [advantage for advantage in self.advantages["soviet"] if advantage in SOVIET_LEADERS],
            "german": [advantage for advantage in self.advantages["german"] if advantage in GERMAN_LEADERS],
        }
        if self.level in ("easy_soviet", "impossible_german"):
            on_top["soviet"] = ["chuikov", "zaytsev", "khrushchev"]
        if self.level == "easy_german":
            on_top["german"], self.decks["german"]["bottom"] = ["linden"], ["okh"]
            self.leaders["german"] = {"paulus", "hoth", "von_richthofen"}  # B19
        for side, deck in self.decks.items():
            for card in (*on_top[side], *deck["bottom"], *self.leaders[side]):
                deck["left"].remove(card)
        self.forts = set(FORTS) if self.level == "impossible_german" else set()
        for side, cards in on_top.items():
            while cards:
                card = yield from self.pick(cards)
                cards.remove(card)
                self.decks[side]["top"].append(card)

    def set_up_soviets(self):
        """Six Tanks; the Guards and 18 Infantry; the others blind on the map (Game Setup 2 to 7; B08)."""
        late = "late_deployment" in self.advantages["soviet"]
        off_map = {"tank": [], "infantry": [key for key in self.units if "guards" in self.marks(key)]}
        for kind, number in (("tank", 6), ("infantry", 22)):
            while len(off_map[kind]) < number:
                among = [key for key in self.pool(kind) if key not in off_map[kind]]
                if late and kind == "infantry":
                    among = [key for key in among if self.top(key) == 4]
                off_map[kind].append((yield from self.pick(among)))
        hexes = [hex for hex, row in self.map.items() if row["setup"] == "x"]
        for hex in hexes:
            among = [key for kind in ("infantry", "tank") for key in self.pool(kind) if key not in off_map[kind]]
            self.where[(yield from self.pick(among))] = hex
        edges = yield Pool(len(hexes), 4)
        for hex, edge in zip(hexes, edges, strict=True):
            (key,) = self.stack("soviet", hex)
            self.spin(key, edge)

    def spin(self, key, edge):
        """Random Deployment, Adjusting Soviet Strength."""
        self.dots[key] = max(1, self.top(key) + 1 - edge)

    def unboxed(self, colour=""):
        """Germans without a box on the track; of a colour its Infantry alone."""
        boxed = {key for row in self.rows for key in row}
        waiting = [key for key, at in self.where.items() if at == "track" and key not in boxed]
        return [
            key
            for key in waiting
            if not colour or (self.units[key]["colour"] == colour and self.type(key) == "infantry")
        ]

    # Cards, control

    def draw(self, side, number):
        """Drawing Cards; German Leader Cards. The last Soviet one ends the game (How to Win the Game)."""
        for _ in range(number):
            deck = self.decks[side]
            if not self.cards_left(side):
                return  # B38
            if deck["top"]:
                card = deck["top"].pop(0)
            elif not deck["left"]:
                card = deck["bottom"].pop(0)
            else:
                thrown = side == "german" or len(deck["left"]) > 1
                card = deck["left"].pop((yield Throw(1, len(deck["left"]))) - 1 if thrown else 0)
            if card in GERMAN_LEADERS:
                self.leaders["german"].add(card)
            else:
                self.hands[side].append(card)
            if side == "soviet" and self.is_deck_lost():
                self.gone["soviet"] += [self.fight.soviet_card] if self.fight and self.fight.soviet_card else []
                raise Over("soviet")  # B37

    def enter(self, side, keys, hex):
        """Units come into a hex, which is theirs then (Basic Concepts; Capturing an Enemy Spawn Hex; B22, B42)."""
        for key in keys:
            self.where[key] = hex
        if (hex in self.held) == (side == "german"):
            return
        self.held ^= {hex}
        if side == "german":
            self.forts.discard(hex)
            if hex == self.hq:
                self.hq = ""
                self.discard_chuikov()
        if side == "german" and hex in SPAWN:
            yield from self.draw("german", 2 if "paulus" in self.leaders["german"] else 1)
        if side == "soviet" and hex in ("X", "Y", "Z"):
            yield from self.draw("soviet", 1)

    def discard_chuikov(self):
        """The Designer's Way, Chuikov."""
        if "chuikov" in self.leaders["soviet"]:
            self.leaders["soviet"].remove("chuikov")
            self.gone["soviet"].append("chuikov")

    def bring(self, kind, hex):
        """A random Soviet Unit at random Strength; Marines Empowered at full. He fights at once (B29)."""
        key = yield from self.pick(self.pool(kind))
        if kind == "marine" and "marines_empowered" in self.advantages["soviet"]:
            self.dots[key] = self.top(key)
        else:
            self.spin(key, (yield Throw(1, 4)))
        yield from self.enter("soviet", [key], hex)
        if self.fight and hex in ([self.fight.target] if self.fight.attacker == "german" else self.fight.hexes):
            self.fight.units["soviet"].append(key)

    # The German turn

    def german_turn(self):
        self.extra += self.cards_left("soviet") == 0  # OKH
        kinds = {"call", "short"}
        kinds |= {"deliberate"} if self.list_targets() else set()
        kinds |= {"long"} if any(map(self.find_ways, self.stacks("german"))) else set()
        kinds |= (
            {"hasty"}
            if any(self.may_leave("hasty", hex, keys) for hex, keys in self.stacks("german").items())
            else set()
        )
        kind = yield Ask(kinds)
        if kind == "call":
            yield from self.call()
        elif kind == "long":
            yield from self.long_move()
        elif kind == "deliberate":
            yield from self.deliberate_attack()
        else:
            yield from self.moves(kind)

    def call(self):
        """Call for Reinforcements (Actions 1; B18, B44, B45; 6th Panzer)."""
        yield from self.draw("german", 2 if "paulus" in self.leaders["german"] else 1)
        dice = Counter((yield Pool(6, 6)))
        picked, idle = [], []
        for number, row in enumerate(self.rows, 1):
            idle += [number] if dice[number] > len(row) else []
            picked += row[: dice[number]]
            del row[: dice[number]]
        if 6 in idle and "6th_panzer" in self.advantages["german"] and not self.raus:
            self.raus = True
            for key in [key for key in self.units if "axe" in self.marks(key)]:
                self.where[key], self.dots[key] = "track", self.top(key)
                self.put_back(key)
        for number in idle:
            namesake = self.track[number - 1]
            if namesake and number not in self.struck and (namesake in picked or self.where[namesake] in self.map):
                self.where[namesake] = "removed"
                self.struck.append(number)
        yield from self.arrive([key for key in picked if self.where[key] != "removed"])

    def put_back(self, key):
        """To the row with the fewest Units, the lowest of equal ones (B20)."""
        min((row for row in self.rows if len(row) < 5), key=len).insert(0, key)

    def arrive(self, keys):
        """Each in a hex of its colour; where not all fit, whoever the player takes first (B67)."""
        waiting, at_once = [*keys], False
        while waiting:
            key = waiting[0]
            doors = self.find_doors(key)
            if not doors:
                self.put_back(waiting.pop(0))
                continue
            hex = max(doors, key=lambda hex: len(self.stack("german", hex)))
            if not at_once:
                before = {f"block-{key_before}" for key_before in self.list_too_many(doors, waiting[1:])}
                several = {"all"} if waiting[1:] else set()
                choice = yield Ask({f"hex-{hex}" for hex in doors} | several | before)
                if choice in before:
                    waiting.sort(key=lambda waiting_key: waiting_key != choice.removeprefix("block-"))
                    continue
                at_once = choice == "all"
                hex = hex if at_once else choice[4:]
            self.where[key], self.dots[key] = hex, self.top(key)
            waiting.pop(0)

    def find_doors(self, key):
        return [hex for hex in DOORS[self.units[key]["colour"]] if hex in self.held and self.has_room(hex)]

    def list_too_many(self, doors, waiting):
        """Those waiting for whom one of these hexes is open, if all of them and one more do not fit."""
        spaces = sum(4 - len(self.stack("german", hex)) for hex in doors)
        able = [key for key in waiting if any(hex in doors for hex in self.find_doors(key))]
        return able if len(able) + 1 > spaces else []

    def has_room(self, hex, number=1):
        return len(self.stack("german", hex)) + number <= 4

    def find_ways(self, start):
        """Where a Long Move may end, with its hexes (Actions 2)."""
        soviets, germans = self.stacks("soviet"), self.stacks("german")

        def is_safe(hex):
            return self.terrain(hex) == "clear" and hex not in soviets and not self.beside("soviet", hex)

        if not is_safe(start):
            return {}
        ways = {}
        for first in filter(is_safe, self.near[start]):
            for way in ([first], *([first, second] for second in self.near[first] if is_safe(second))):
                if way[-1] != start and way[-1] not in germans:
                    ways.setdefault(way[-1], []).append(way)
        return {end: self.list_best(several) for end, several in ways.items()}

    def list_best(self, ways):
        """Those that no other way outdoes in what it gains; the shortest of several with the same gain (B60)."""
        best = [way for way in ways if not any(self.find_gain(way) < self.find_gain(other) for other in ways)]
        gains = [self.find_gain(way) for way in best]
        return [min((way for way in best if self.find_gain(way) == gain), key=len) for gain in {*gains}]

    def find_gain(self, way):
        """What wins or draws, fortifications and Chuikov's HQ."""
        return frozenset({*way} & (({*SPAWN} | OKH | {"X", "Y", "Z"}) - self.held | self.forts | {self.hq}))

    def long_move(self):
        choice = "back"
        while choice == "back":
            start = (yield Ask({f"hex-{hex}" for hex in self.stacks("german") if self.find_ways(hex)}))[4:]
            ends = self.find_ways(start)
            choice = yield Ask({f"hex-{hex}" for hex in ends} | {"back"})
            ways = ends.get(choice[4:], [])
            if len(ways) > 1:
                choice = yield Ask({f"hex-{way[0]}" for way in ways} | {"back"})
                ways = [way for way in ways if way[0] == choice[4:]]
        keys = self.stack("german", start)
        for hex in ways[0]:
            yield from self.enter("german", keys, hex)

    def may_move(self, kind, start, hex, number):
        """A Short Move, or the move of a Hasty Attack (Actions 3 and 4; B21)."""
        near = bool(self.beside("soviet", hex))
        if self.stack("soviet", hex) or not self.has_room(hex, number):
            return False
        return not near if kind == "short" else near and not self.beside("soviet", start)

    def may_leave(self, kind, start, keys):
        return bool(keys) and any(self.may_move(kind, start, hex, 1) for hex in self.near[start])

    def moves(self, kind):
        """Up to two Short Moves, or one and an attack by all that stand there then."""
        moved, moves_left = [], 2 if kind == "short" else 1
        while moves_left:
            waiting = {hex: [key for key in keys if key not in moved] for hex, keys in self.stacks("german").items()}
            starts = {f"hex-{hex}" for hex, keys in waiting.items() if self.may_leave(kind, hex, keys)}
            choice = yield Ask(starts | ({"done"} if kind == "short" else set()))
            if choice == "done":
                return
            start, choice = choice[4:], "block-"
            picked = [*waiting[start]]
            while choice.startswith("block-"):
                if choice != "block-":
                    picked = self.tick(picked, choice)
                ends = {f"hex-{hex}" for hex in self.near[start] if self.may_move(kind, start, hex, len(picked))}
                parts = {f"block-{key}" for key in waiting[start]} if len(waiting[start]) > 1 else set()
                choice = yield Ask((ends if picked else set()) | parts | {"back"})
            if choice == "back":
                continue
            moves_left, moved = moves_left - 1, moved + picked
            yield from self.enter("german", picked, choice[4:])
            if kind == "hasty":
                target = yield from self.choose_one(self.beside("soviet", choice[4:]))
                yield from self.combat(Fight("german", target, [choice[4:]], False))

    def tick(self, picked, choice):
        key = choice.removeprefix("block-")
        return [picked_key for picked_key in picked if picked_key != key] + ([] if key in picked else [key])

    def choose_one(self, hexes):
        return hexes[0] if len(hexes) == 1 else (yield Ask({f"hex-{hex}" for hex in hexes}))[4:]

    def list_targets(self):
        return [hex for hex in self.stacks("soviet") if self.beside("german", hex)]

    def deliberate_attack(self):
        """One Soviet Stack, whole Stacks next to it, one card or Pioneers (Actions 5; German Support Cards; Linden)."""
        choice = "back"
        while choice == "back":
            target = (yield Ask({f"hex-{hex}" for hex in self.list_targets()}))[4:]
            beside, choice = self.beside("german", target), "hex-"
            hexes = {*beside}
            while choice.startswith("hex-"):
                hexes ^= {choice[4:]} if choice != "hex-" else set()
                laid = {f"with-{'-and-'.join(cards)}" for cards in self.list_cards()} | {"attack"}
                parts = {f"hex-{hex}" for hex in beside} if len(beside) > 1 else set()
                choice = yield Ask((laid if hexes else set()) | parts | {"back"})
        cards = [] if choice == "attack" else choice.removeprefix("with-").split("-and-")
        yield from self.combat(Fight("german", target, [hex for hex in beside if hex in hexes], True, cards))

    def list_cards(self):
        linden = "linden" in self.leaders["german"]
        hand = [card for card in self.hands["german"] if linden or card != "672nd_pioneer"]
        options = {(card,) for card in hand}
        pioneers = sorted(card for card in hand if card in PIONEERS)
        for number in range(2, len(pioneers) + 1) if linden else ():
            options |= {*combinations(pioneers, number)}
        return options

    # Combat Sequence

    def combat(self, fight):
        self.fight = fight
        for hex in fight.hexes:
            fight.units[fight.attacker] += self.stack(fight.attacker, hex)
        fight.units[OTHER[fight.attacker]] += self.stack(OTHER[fight.attacker], fight.target)
        fight.armour = sum(self.type(key) in ARMOUR for key in fight.units["german"])
        if hand := self.hands["soviet"]:  # 1
            fight.soviet_card = hand.pop((yield Throw(1, len(hand))) - 1 if len(hand) > 1 else 0)
        yield from self.show_down()  # 3 and 4
        yield from self.play_soviet_card()  # 5
        yield from self.play_german_cards()  # 6
        self.discard()  # 7
        if fight.attacker == "german":
            yield from self.fire_at_opportunity()  # 8
            yield from self.roll_rubble()  # 9
        yield from self.close_combat()  # 10
        yield from self.advance()  # 11 and 12
        self.fight = None

    def alive(self, side):
        hexes = {self.fight.target, *self.fight.hexes}
        return [key for key in self.fight.units[side] if self.dots[key] and self.where[key] in hexes]

    def show_down(self):
        """Immortal Guard; the AA Regiment and the Destroyer Brigade of Impossible German (B27)."""
        soviets = self.fight.units["soviet"]
        for key in soviets:
            if "guards" in self.marks(key) and "immortal_guard" in self.advantages["soviet"]:
                self.dots[key] = self.top(key)
        if self.level != "impossible_german":
            return
        marks = {mark for key in soviets for mark in self.marks(key)}
        self.fight.cancelled = "aa" in marks
        if "destroyer" in marks:
            yield from self.suffer("german", 1, ARMOUR)

    def play_soviet_card(self):
        fight, hex = self.fight, self.fight.soviet_hex
        card, _, of_aa = fight.soviet_card.partition(":")
        dice = (
            (yield Pool(2 if card == "tommy_gunner" else 3, 6))
            if card in ("tommy_gunner", "volga_river_flotilla")
            else ()
        )
        if card in SOVIET_LEADERS:
            self.leaders["soviet"].add(card)
            fight.soviet_card = ""
            if card == "chuikov" and "chuikov" in self.advantages["soviet"]:
                yield from self.place_headquarters()
        elif card == "tommy_gunner" or (dice and hex in COAST):
            yield from self.inflict("soviet", sum(face >= 5 for face in dice))
        elif dice:
            yield from self.land(str(sum(dice)))
        elif card == "aa":
            fight.cancelled = True
            self.lay_rubble(of_aa)
        elif card == "sniper":
            for _ in range(2 if "zaytsev" in self.leaders["soviet"] else 1):
                yield from self.suffer("german", 1, FOOT)
        elif card == "anti_tank":
            yield from self.suffer("german", 1, ARMOUR)
        elif card:
            kind = "tank" if card == "t_34_dug_in" else "infantry"
            if len(self.stack("soviet", hex)) >= 4 or not self.pool(kind):
                yield from self.draw("soviet", 1)
            else:
                yield from self.bring(kind, hex)

    def place_headquarters(self):
        """The Designer's Way, Chuikov (B09)."""
        hex = str((yield Throw(3, 6)))
        if hex in self.held:
            self.discard_chuikov()
        else:
            self.hq = hex

    def land(self, hex):
        """Volga River Flotilla (B24)."""
        if self.stack("german", hex):
            return
        if len(self.stack("soviet", hex)) >= 4 or not self.pool("marine"):
            yield from self.draw("soviet", 1)
        else:
            yield from self.bring("marine", hex)

    def lay_rubble(self, hex):
        """One a hex, 15 in all (Rubble; B06)."""
        if hex not in self.rubble and len(self.rubble) < 15:
            self.rubble.append(hex)

    def play_german_cards(self):
        """German Support Cards; Von Richthofen."""
        cards = self.fight.cards
        if "sniper" in cards:
            yield from self.suffer("soviet", 1, {"infantry", "motorized"})
        if "pak" in cards:
            yield from self.suffer("soviet", 1, {"tank"})
        number = sum(self.count_card(card)[0] for card in cards)
        if number and self.alive("soviet"):
            dice = yield Pool(number, 6)
            yield from self.inflict("german", sum(face >= 4 for face in dice))

    def count_card(self, card):
        """Dice and Rubble Modifier of a card as it is played."""
        dice, rubble = self.values.get(card, (0, 0))
        if card in AIRSTRIKES:
            times = 0 if self.fight.cancelled else 2 if "von_richthofen" in self.leaders["german"] else 1
            return times * dice, times * rubble
        return dice, rubble

    def discard(self):
        self.gone["soviet"] += [self.fight.soviet_card] if self.fight.soviet_card else []
        self.fight.soviet_card = ""
        for card in self.fight.cards:
            self.hands["german"].remove(card)
            self.gone["german"].append(card)

    def fire_at_opportunity(self):
        """A die for each Soviet next to an attacking Stack (Chuikov; B11, B59)."""
        if "chuikov" not in self.leaders["soviet"]:
            return
        stacks = {self.where[key] for key in self.alive("german")}
        hexes = sorted({hex for stack in stacks for hex in self.beside("soviet", stack)})
        keys = [key for hex in hexes for key in self.stack("soviet", hex)]
        if keys:
            dice = yield Pool(len(keys), 6)
            rolled = [(key, (face,)) for key, face in zip(keys, dice, strict=True)]
            yield from self.inflict("soviet", (yield from self.soviets_fire(rolled, 6)))

    def soviets_fire(self, rolled, need=None):
        """Hits and, with Khrushchev, ones on themselves, which come first (B12, B13). ``need``: of them all."""
        bonus = "khrushchev" in self.leaders["soviet"]
        hits = 0
        for key, faces in rolled:
            least = (need or self.need(key)) - bonus
            least -= self.fight.attacker == "german" and self.where[key] in self.forts
            hits += sum(face >= least for face in faces)
        ones = sum(face == 1 for _, faces in rolled for face in faces) if bonus else 0
        yield from self.suffer("soviet", ones)
        return hits

    def roll_rubble(self):
        """Rubble; the Stacks and armour of the attack as it was declared (B59)."""
        fight = self.fight
        if not fight.deliberate or self.terrain(fight.target) != "urban":
            return
        if fight.target in self.rubble or len(self.rubble) >= 15:
            return
        fight.modifier = len(fight.hexes) + fight.armour + sum(self.count_card(card)[1] for card in fight.cards)
        if (yield Throw(3, 6)) + fight.modifier > 18:
            self.lay_rubble(fight.target)

    def close_combat(self):
        """The first to roll applies his hits before the other rolls (Close Combat; Hoth; B04)."""
        if not self.alive("german") or not self.alive("soviet"):
            return
        terrain = self.terrain(self.fight.target)
        first = OTHER[self.fight.attacker] if terrain == "urban" else "german"
        if terrain == "urban" or self.has_combined_force():
            yield from self.inflict(first, (yield from self.roll(first)))
            if self.alive(first) and self.alive(OTHER[first]):
                yield from self.inflict(OTHER[first], (yield from self.roll(OTHER[first])))
            return
        of_germans = yield from self.roll("german")
        of_soviets = yield from self.roll("soviet")
        yield from self.inflict("german", of_germans)
        yield from self.inflict("soviet", of_soviets)

    def has_combined_force(self):
        if "hoth" not in self.leaders["german"] or self.terrain(self.fight.target) != "clear":
            return False
        germans, soviets = ({self.type(key) for key in self.alive(side)} for side in ("german", "soviet"))
        return bool(germans & FOOT and germans & ARMOUR) and not ("tank" in soviets and soviets - {"tank"})

    def roll(self, side):
        """As many dice as dots; the hits."""
        keys = self.alive(side)
        dice = iter((yield Pool(sum(self.dots[key] for key in keys), 6)))
        rolled = [(key, [next(dice) for _ in range(self.dots[key])]) for key in keys]
        if side == "soviet":
            return (yield from self.soviets_fire(rolled))
        return sum(face >= self.need(key) for key, faces in rolled for face in faces)

    def inflict(self, by, hits):
        """Through Rubble the attacker needs two for one (Rubble; B05)."""
        if by == self.fight.attacker and self.fight.target in self.rubble:
            hits //= 2
        yield from self.suffer(OTHER[by], hits)

    def suffer(self, side, hits, types=None):
        """Each hit reduces the strongest by then; the German chooses of equal ones (Close Combat; B40, B41, B53)."""
        while hits:
            able = [key for key in self.alive(side) if not types or self.type(key) in types]
            tied = [key for key in able if self.dots[key] == max(self.dots[candidate] for candidate in able)]
            if not tied:
                return
            if hits < len(tied) and not self.leaves_ties:
                choice = yield Ask({f"block-{key}" for key in tied} | {"auto"})
                self.leaves_ties = choice == "auto"
                tied = tied if self.leaves_ties else [choice.removeprefix("block-")]
            if hits < len(tied):
                tied = [(max if side == "soviet" else min)(tied, key=self.weigh)]
            for key in tied:
                self.reduce(key)
            hits -= len(tied)

    def weigh(self, key):
        """THE APP'S OWN: what a Unit is worth."""
        return "r" in self.marks(key), -self.need(key), self.type(key) != "infantry", key

    def reduce(self, key):
        """Reducing Strength."""
        self.dots[key] -= 1
        if not self.dots[key]:
            self.where[key] = "pool" if self.units[key]["side"] == "soviet" else "dead"

    def advance(self):
        """Advance after Combat (B23, B39), Blitz Movement."""
        fight, alive = self.fight, self.alive(self.fight.attacker)
        if not alive or self.stack(OTHER[fight.attacker], fight.target):
            return
        if fight.attacker == "soviet":
            best = [key for key in alive if self.dots[key] == max(self.dots[candidate] for candidate in alive)]
            key = min(best)
            if len(best) > 1 and not self.leaves_ties:
                key = (yield Ask({f"block-{key}" for key in best})).removeprefix("block-")
            yield from self.enter("soviet", [key], fight.target)
            return
        picked = sorted(alive, key=lambda key: (self.dots[key], *self.weigh(key)), reverse=True)[:4]
        choice = "go" if len(alive) == 1 else "block-"
        while choice != "go":
            picked = self.tick(picked, choice) if choice != "block-" else picked
            parts = {f"block-{key}" for key in alive if key in picked or len(picked) < 4}
            choice = yield Ask(parts | ({"go"} if picked else set()))
        yield from self.enter("german", picked, fight.target)
        if "hoth" in self.leaders["german"] and self.terrain(fight.target) == "clear":
            yield from self.blitz(picked)

    def blitz(self, keys):
        """Blitz Movement (B47)."""
        for place, key in enumerate(keys):
            hexes = [
                hex
                for hex in self.near[self.where[key]]
                if self.terrain(hex) == "clear" and not self.stack("soviet", hex) and self.has_room(hex)
            ]
            if not hexes or self.type(key) not in BLITZ:
                continue
            several = {"all"} if place + 1 < len(keys) else set()
            choice = yield Ask({"stay"} | several | {f"hex-{hex}" for hex in hexes})
            if choice == "all":
                return
            if choice != "stay":
                yield from self.enter("german", [key], choice[4:])

    # The Soviet turn

    def soviet_turn(self):
        """Soviet Actions 1 to 5."""
        self.side = "soviet"
        spawns = [hex for hex in SPAWN if hex not in self.held]
        stacks = self.stacks("soviet")
        tops = [hex for hex, keys in stacks.items() if len(keys) == max(map(len, stacks.values()))]
        if not spawns:
            yield from self.draw("soviet", 1)
        elif len(tops) > len(spawns):
            yield from self.spawn(spawns)
        else:
            yield from self.movement(tops)

    def spawn(self, hexes):
        """Soviet Spawn Action (B25, B26)."""
        for hex in hexes:
            count, cards = len(self.stack("soviet", hex)), 0
            if count == 4:
                yield from self.draw("soviet", 1)
                continue
            for kind in ("infantry", "tank") if hex in OF_TWO and count < 3 else ("infantry",):
                if self.pool(kind):
                    yield from self.bring(kind, hex)
                else:
                    cards += 1
            yield from self.draw("soviet", cards)

    def movement(self, hexes):
        """Soviet Movement Action: dice from the north, of equal ones from the Volga; resolved from the lowest."""
        hexes = sorted(hexes, key=lambda hex: (int(self.map[hex]["row"]), int(self.map[hex]["rank"])))
        dice = yield Pool(len(hexes), 6)
        for face, hex in sorted(zip(dice, hexes, strict=True), key=lambda die: die[0]):
            stack, to = self.stack("soviet", hex), self.map[hex][f"d{face}"]
            if dice.count(face) > 1 or not stack or to == "-":  # Card Drawing A and B (B15, B46)
                yield from self.draw("soviet", 1)
            elif self.stack("german", to):
                yield from self.soviet_attack(hex, to)
            elif face == 1 or len(self.stack("soviet", to)) == 4:  # Card Drawing C and B
                yield from self.draw("soviet", 1)
            else:
                key = yield from self.pick(stack)
                yield from self.enter("soviet", [key], to)

    def soviet_attack(self, hex, target):
        """Soviet Hasty Attack; with Chuikov all next to the target."""
        helpers = self.beside("soviet", target) if "chuikov" in self.leaders["soviet"] else []
        hexes = [hex, *(helper for helper in helpers if helper != hex)]
        yield from self.combat(Fight("soviet", target, hexes, "chuikov" in self.leaders["soviet"]))

    # Compared with the app

    def take_over(self, face):
        """Begin where somebody else has stopped, before a German turn. ``face``: as below."""
        for key, (at, dots) in face["blocks"].items():
            self.where[key], self.dots[key] = at, dots if at in self.map else self.top(key)
        self.rows, self.struck, self.raus = [[*row] for row in face["rows"]], [*face["removed"]], face["raus"]
        self.held, self.rubble, self.forts = {*face["german_held"]}, [*face["rubble"]], {*face["fortified"]}
        self.hq, self.extra, self.turn = face["hq"], face["extra_used"], face["turn"]
        self.leaders = {side: {*cards} for side, cards in face["leaders"].items()}
        self.advantages, self.decks, self.hands, self.gone = copy.deepcopy(
            [face[name] for name in ("advantages", "decks", "hands", "discards")]
        )

    @property
    def face(self):
        """The table as the app's JSON has it: who stands where with how many dots, and everything beside the map."""
        return {
            "blocks": {key: (at, self.dots[key] if at in self.map else 0) for key, at in self.where.items()},
            "rows": self.rows,
            "removed": sorted(self.struck),
            "rubble": sorted(self.rubble),
            "german_held": sorted(self.held),
            "fortified": sorted(self.forts),
            "hq": self.hq,
            "raus": self.raus,
            "leaders": {side: sorted(cards) for side, cards in self.leaders.items()},
            "advantages": self.advantages,
            "decks": self.decks,
            "hands": self.hands,
            "discards": {side: sorted(cards) for side, cards in self.gone.items()},
            "extra_used": self.extra,
            "over": self.over,
            "turn": self.turn,
            "side": self.side,
        }
