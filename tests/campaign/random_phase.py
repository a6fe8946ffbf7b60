"""One Reorganization Phase at random: forces, decisions, dice, and everything that is checked on the way.

Random forces, marks, hexes and hidden units on the house map; random decisions of both sides, legal and illegal;
dice of the app and of the table. After every act the ledger must agree with tests.oracles.phase and keep
its invariants, and somebody can always go on. In the end the log alone, replayed with its dice typed in, leads to
the same rows. tests.campaign.phase_fuzz plays many.
"""

import random
import re
from collections import Counter

from campaign.acts import reorganizing, reporting
from campaign.ledger import content
from campaign.ledger.dice import Dice
from campaign.phase import battles, conductor, lookups
from campaign.phase.dice import upkeep_die
from campaign.rules.combat.answers import propose_answer
from campaign.rules.combat.battle import find_picker, object_to_bout
from campaign.rules.combat.pairing import propose_bouts
from campaign.rules.phase import Extent, write_phase
from campaign.rules.reports import News
from campaign.rules.sectors import Holding
from campaign.rules.stages import Stage
from campaign.rules.steps import FIGHTING, FINAL_STEPS, LEAVING, Step
from firefight.engine.errors import BadDie
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import UNIT_KINDS, Mark, may_carry
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import Incomplete, Refused
from tests.campaign.memory import Memory
from tests.oracles.phase import Page

SIDES = tuple(Side)
MOST_ACTS, MOST_UNITS = 4000, 60
# The steps in which all fights are over: nowhere are both sides.
SETTLED = ("final_attacker", "final_defender", "upkeep")
BY_MINES = ("eliminated", "reduced", "wounded", "m_killed", "pinned", "disrupted", "wia")


# A campaign at random


def random_memory(rng):
    """A campaign whose firefight has just ended, with units all over the map and thick in a few sectors."""
    card = rng.choice(("cg1", "cg2"))
    firefight = rng.randint(1, len(content.shipped().cards[card].times))
    memory = Memory.begin(card, rng.choice(SIDES), firefight, rng.getrandbits(256))
    sectors = sorted(memory.ledger.content.sector_map.neighbours)
    memory.hold({sector: rng.choice(_OWNERS) for sector in sectors})
    hot = rng.sample(sectors, rng.choice((1, 1, 2, 3, 5, 8, 22)))
    size = MOST_UNITS if rng.random() < 0.01 else 2 + int(rng.expovariate(1 / 8))
    for side in SIDES:
        for _ in range(min(max(2, round(size * rng.uniform(0.5, 1.5))), MOST_UNITS)):
            _add_unit(rng, memory, side, rng.choice(hot) if rng.random() < 0.75 else rng.choice(sectors))
    if rng.random() < 0.2:
        memory.add_nest(rng.choice(hot))
        if rng.random() < 0.8:
            memory.add(Side.RUSSIAN, "commissar", rng.choice(hot))
    return memory


_OWNERS = (Holding.GERMAN,) * 4 + (Holding.RUSSIAN,) * 4 + (Holding.NOBODY,)


# Marks that are dealt out in other ways.
_OFF_MAP = (Mark.HELD, Mark.EXITED, Mark.CLOSE_COMBAT)
# Kinds of counters, and how often they come.
_KINDS = {
    CounterKind.SQUAD: 6,
    CounterKind.LEADER: 2,
    CounterKind.SW_TEAM: 2,
    CounterKind.GUN: 1,
    CounterKind.VEHICLE: 3,
    CounterKind.FORTIFICATION: 0.5,
}


def _add_unit(rng, memory, side, sector):
    kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
    counters = memory.ledger.content.counters[side].values()
    counter = rng.choice([counter.key for counter in counters if counter.kind is kind])
    if rng.random() < 0.05:
        memory.add(side, counter, None, marks=rng.choice(((), (Mark.HELD,))))
        return
    place = f"{chr(ord('A') + sector)}{rng.choice((4, 4, 5, 7))}" if rng.random() < 0.6 else ""
    marks = [mark for mark in Mark if mark not in _OFF_MAP and mark in may_carry(kind) and rng.random() < 0.08]
    hidden = rng.random() < 0.1
    if place.endswith("4") and kind in UNIT_KINDS and rng.random() < 0.5:
        marks, hidden = [*marks, Mark.CLOSE_COMBAT], False
    memory.add(side, counter, sector, place, marks, hidden)


# Both sides at random


class Run:
    """One phase. ``seed`` decides everything in it; ``told`` counts what happened.

    ``begin``: makes a campaign whose firefight has just ended, the same one for the same numbers.
    """

    def __init__(self, seed, begin=random_memory):
        self.seed, self.rng, self.begin = seed, random.Random(seed), begin
        self.memory = begin(self.rng)
        self.ledger = self.memory.ledger
        self.page = Page(plain_page(self.ledger))
        self.start, self.fixed = self.memory.plain(), self._fixed()
        self.done, self.told = [], Counter(phases=1)

    def _fixed(self):
        """What nothing in a phase may change: which units there are, and the CP."""
        units = [(unit.side, unit.number, unit.counter) for side in SIDES for unit in self.ledger.units[side].values()]
        return units, [self.ledger.balance(side) for side in SIDES]

    def play(self):
        """Play to the end, checking after every act; then replay the log."""
        with self.memory.open():
            self._check()
            while self.ledger.stage is Stage.REORGANIZATION:
                assert len(self.done) < MOST_ACTS, "the phase does not end"
                self._act()
        self._replay()
        self.told[f"to {self.ledger.stage}"] += 1
        self.told["late sectors"] += len(self.page.late)
        return self

    def _act(self):
        deciders = conductor.find_deciders(self.ledger)
        assert deciders, "nobody can go on"
        if self.rng.random() < 0.03:
            self._try_nonsense()
        side, step = self.rng.choice(deciders), lookups.step(self.ledger)
        if step is not Step.AFTER_ACTION and self.rng.random() < 0.03:
            return self._hurry()
        if self.rng.random() < 0.002:
            return self._do("concede", side, {})
        return _CHOICES[step](self, side)

    # What they choose

    def _after_action(self, side):
        if self.rng.random() < 0.7:
            return self._do("confirm_report", side, {})
        return self._report(side, list(News), lambda unit: True)

    def _report(self, side, news, fits):
        units = [unit.number for unit in self.ledger.in_play(side) if fits(unit)]
        fields = {
            "numbers": self.rng.sample(units, min(len(units), self.rng.choice((1, 1, 3)))),
            "news": News(self.rng.choice(news)),
            "sector": self.rng.choice((None, self.rng.randint(1, 22))),
            "hex_name": self.rng.choice(("", "K7", "K8")),
        }
        try:
            return self._do("report", side, fields)
        except Refused:
            return self._was_refused()

    def _leaves(self, side):
        if self.rng.random() < 0.08:
            sector = self.memory.phase["sector"]
            return self._report(self.rng.choice(SIDES), BY_MINES, lambda unit: unit.sector == sector)
        waiting = lookups.list_mined(self.ledger, side) if lookups.step(self.ledger) in LEAVING else []
        sure = [unit for unit, is_sure in waiting if is_sure]
        if sure or (waiting and self.rng.random() < 0.5):
            return self._suffers_mines(side, sure or [unit for unit, _ in waiting])
        candidates, chance = lookups.list_candidates(self.ledger, side), self.rng.choice((0, 0.2, 0.5, 1))
        moves = {unit.number: self.rng.choice(list(goals)) for unit, goals in candidates if self.rng.random() < chance}
        noted = {number: goal for number, goal in moves.items() if self.rng.random() < 0.6}
        hexes = {number: f"{chr(ord('A') + goal)}{self.rng.choice((4, 5))}" for number, goal in noted.items()}
        return self._with_dice("redeploy", side, {"goals": moves, "hexes": hexes}, [f"die_{n}" for n in moves])

    def _suffers_mines(self, side, units):
        """Some of the units in one hex; the dice are asked for one after the other."""
        place = self.rng.choice([unit.hex for unit in units])
        alike = [unit.number for unit in units if unit.hex == place]
        numbers = self.rng.sample(alike, self.rng.randint(1, min(4, len(alike))))
        fields = {"numbers": numbers, "factors": self.rng.choice((1, 7, 20, 100)), "drm": self.rng.choice((0, 25, -20))}
        if self.rng.random() < 0.4:
            return self._do("suffer_mines", side, {**fields, "dice": Dice("app")})
        faces = {}
        while True:
            try:
                return self._do("suffer_mines", side, {**fields, "dice": Dice("table", dict(faces))})
            except Incomplete as error:
                self._was_refused()
                faces |= {name: self.rng.randint(1, 100 if name == "mine" else 10) for name in error.result.needs}

    def _fights(self, side):
        if self.rng.random() < 0.4:
            return self._do("fight_round", side, {"plays_all": self.rng.random() < 0.7})
        battle, waiting = battles.battle_of(self.ledger), self.ledger.phase.gathered
        bout = propose_answer(waiting, battle) if waiting else self._some_bout(battle)
        ways = [f"{way}{more}" for way in ("attack", "defense") for more in ("", "_2", "_3", "_4", "_5", "_6")]
        hits = [f"{way}_hit_{place}" for way in ways for place in range(1, len(bout.keys) + 1)]
        fields = {"bout": bout, "plays_all": not waiting and self.rng.random() < 0.5}
        return self._with_dice("fight", side, fields, [*ways, *hits])

    def _some_bout(self, battle):
        """A legal pairing of one's own, if a few tries find one, or the app's."""
        keys = {side: [unit.key for unit in battle.fighters if unit.side is side] for side in SIDES}
        own = find_picker(battle)
        for _ in range(3):
            chosen = [tuple(self.rng.sample(keys[s], self.rng.randint(1, min(3, len(keys[s]))))) for s in SIDES]
            covered = frozenset(side for side in SIDES if self.rng.random() < 0.3)
            bout = Bout(*chosen if own is SIDES[0] else chosen[::-1], from_cover=covered)
            if not object_to_bout(bout, battle):
                return bout
        return propose_bouts(battle)[0]

    def _recovers(self, side):
        nests = lookups.list_nests(self.ledger, side)
        if nests and self.rng.random() < 0.3:
            return self._do("end_nest", side, {"number": nests[0].number})
        due = lookups.list_damaged(self.ledger, side)
        names = [upkeep_die(self.ledger, unit, damage).name for unit, damage in due]
        return self._with_dice("recover", side, {}, names)

    def _hurry(self):
        """On one device, or on two: asked for by one side, and then perhaps by the other."""
        side = self.rng.choice(SIDES)
        open_to = ("phase", "sector") if self.memory.phase["sector"] else ("phase",)
        if lookups.step(self.ledger) in FIGHTING:
            open_to = (*open_to, "round")
        fields = {"how_far": self.rng.choice(open_to)}
        if self.rng.random() < 0.7:
            return self._do("hurry", side, {**fields, "plays_all": True})
        at = self.memory.phase["sector"]
        self._do("hurry", side, fields)
        if self.rng.random() < 0.6 and at and self.memory.phase.get("sector") == at:
            self._do("hurry", other(side), fields)

    # Doing it

    def _with_dice(self, kind, side, fields, names):
        """With dice of the app or of the table; now and then one lacks at first, or has a face that no die has."""
        if self.rng.random() < 0.4:
            return self._do(kind, side, {**fields, "dice": Dice("app")})
        faces = {name: self._face(name) for name in names}
        if faces and self.rng.random() < 0.1:
            spoilt = self.rng.choice(list(faces))
            bad = {name: 101 if name == spoilt else face for name, face in faces.items()}
            if self.rng.random() < 0.5:
                del bad[spoilt]
            try:
                return self._do(kind, side, {**fields, "dice": Dice("table", bad)})
            except (Incomplete, BadDie):
                self._was_refused()
        while True:  # a bout that both sides have divided can have more attacks than foreseen
            try:
                return self._do(kind, side, {**fields, "dice": Dice("table", faces)})
            except Incomplete as error:
                lacking = [name for name in error.result.needs if name not in faces]
                assert kind == "fight" and lacking, error
                faces |= {name: self._face(name) for name in lacking}

    def _face(self, name):
        """How a die of this name falls."""
        return self.rng.randint(1, 10 if "_hit_" in name or not name.startswith(("att", "def")) else 100)

    def _do(self, kind, side, fields):
        """Do one act, and let the reference hear of it."""
        first_roll, has_asked = self.memory.match.next_roll, self._has_asked(kind, side, fields)
        try:
            lines = _done(self.memory, kind, side, fields)
        except Refused:
            if not has_asked:
                raise
            return self._was_refused()
        rolls = [roll for line in lines for roll in line.rolls]
        numbers = [roll.number for roll in rolls if roll.source == "app"]
        assert numbers == list(range(first_roll, self.memory.match.next_roll)), "a die that the log does not tell"
        events = events_of(lines, self.memory.bouts)
        self.done.append((kind, side, fields, events))
        self.told += Counter({"acts": 1, kind: 1, "dice of the app": len(numbers), "dice": len(rolls)})
        bouts = [(bout, dice) for act, _, bout, dice in events if act == "fight"]
        facts = {name: value for name, value in fields.items() if name not in ("dice", "bout", "plays_all")}
        if kind == "hurry":
            facts = {"events": events}
        written = "nest_ends" if kind == "end_nest" else kind
        self.page.hear(written, side.value, facts, bouts, {roll.die: roll.face for roll in rolls})
        self._check()

    def _has_asked(self, kind, side, fields):
        """Whether a side asks again for what the other side has to agree to."""
        extents = {"fight_round": Extent.ROUND, "hurry": fields.get("how_far")}
        request = self.ledger.phase.requested
        return request is not None and (request.side, request.extent) == (side, extents.get(kind))

    def _was_refused(self):
        self.told["refused"] += 1
        self._check()

    def _try_nonsense(self):
        """Something that must be refused, and change nothing."""
        step, deciders = lookups.step(self.ledger), conductor.find_deciders(self.ledger)
        idle = [side for side in SIDES if side not in deciders]
        if idle and self.rng.random() < 0.5:
            side, (kind, fields) = self.rng.choice(idle), self.rng.choice(_NONSENSE)
        elif step in (*LEAVING, *FINAL_STEPS):
            side = self.rng.choice(SIDES)
            kind, fields = "redeploy", {"goals": self._bad_goal(side), "dice": Dice("app")}
        else:
            return
        before = self.memory.plain()
        try:
            _done(self.memory, kind, side, fields)
        except Refused:
            assert self.memory.plain() == before
            self._was_refused()
        else:
            raise AssertionError(f"{kind} by the {side} was not refused at {step}")

    def _bad_goal(self, side):
        """Some unit, to where it may not go: too far, to the enemy, off the map, or not in this step."""
        unit = self.rng.choice(list(self.ledger.units[side].values()))
        able = {candidate.number: goals for candidate, goals in lookups.list_candidates(self.ledger, side)}
        return {
            unit.number: self.rng.choice([sector for sector in range(24) if sector not in able.get(unit.number, ())])
        }

    # Looking

    def _check(self):
        page = plain_page(self.ledger)
        for part, expected in page_of(self.page).items():
            assert page[part] == expected, f"{part}: {differences(page[part], expected)}"
        assert self._fixed() == self.fixed
        if self.ledger.stage is Stage.REORGANIZATION:
            assert {side.value for side in conductor.find_deciders(self.ledger)} == self.page.decides()
        if page["step"] in SETTLED:
            assert not any(lookups.is_contested(self.ledger, sector) for sector in self.ledger.control)
        for unit in (unit for side in SIDES for unit in self.ledger.units[side].values()):
            assert not unit.fate or unit.sector is None
            assert len(unit.marks) == len(set(unit.marks))

    # The log replayed

    def _replay(self):
        """The same decisions with the faces of the log typed in, and every fight of a round as an act of its own."""
        again = self.begin(random.Random(self.seed))
        first_roll = again.match.next_roll
        assert again.plain() == self.start
        with again.open():
            for kind, side, fields, events in self.done:
                if kind in ("fight", "fight_round") or (kind == "hurry" and events):
                    for act, owner, bout, dice in events:
                        decision = {
                            "fight": {"bout": bout, "plays_all": True},
                            "redeploy": {"goals": {}},
                            "recover": {},
                        }[act]
                        _done(again, act, Side(owner), {**decision, "dice": Dice("table", dice)})
                    if kind == "hurry" and again.ledger.campaign.phase:  # it was agreed on, and nobody asks any more
                        again.ledger.phase = again.ledger.phase.with_request(None)
                elif "dice" in fields:
                    dice = {name: face for *_, faces in events for name, face in faces.items()}
                    _done(again, kind, side, {**fields, "dice": Dice("table", dice)})
                else:
                    _done(again, kind, side, fields)
        assert again.match.next_roll == first_roll
        assert plain_page(again.ledger) == plain_page(self.ledger)


def other(side):
    """The other side."""
    return SIDES[1 - SIDES.index(side)]


def _done(memory, kind, side, fields):
    if not isinstance(memory, Memory):  # by the forms of its pages
        return memory.do(kind, side, fields)
    arguments = dict(fields)
    return memory.do(ACTS[kind], side, *([arguments.pop("bout")] if kind == "fight" else []), **arguments)


def events_of(lines, bouts):
    """What the lines of an act tell of dice and decisions, in order, as (act, side, bout, dice by name).

    ``bouts``: those of the act, in order; the lines tell of each. The dice of a side's units are one event.
    """
    events, bouts_left = [], list(bouts)
    for line in lines:
        dice = {roll.die: roll.face for roll in line.rolls}
        if re.match(r"Sector \d+, round \d+: ", line.sentence):
            events.append(("fight", str(bouts_left[0].attackers[0][0]), bouts_left.pop(0), dice))
        elif line.sentence.endswith(": all stay."):
            events.append(("redeploy", line.side, None, {}))
        elif dice or line.sentence.endswith(" stays (20.7.1 step 6)."):
            if not events or events[-1][:3] != ("recover", line.side, None):
                events.append(("recover", line.side, None, {}))
            events[-1][3].update(dice)
    assert not bouts_left, "a fight that the log does not tell"
    return events


ACTS = {
    "confirm_report": reorganizing.confirm_report,
    "report": reporting.report,
    "redeploy": reorganizing.redeploy,
    "fight": reorganizing.fight,
    "fight_round": reorganizing.fight_round,
    "hurry": reorganizing.resolve_rest,
    "recover": reorganizing.recover,
    "suffer_mines": reorganizing.suffer_mines,
    "end_nest": reporting.end_nest,
    "concede": reorganizing.concede,
}
# What a side cannot do that has nothing to decide now.
_NONSENSE = (
    ("redeploy", {"goals": {}, "dice": Dice()}),
    ("fight_round", {}),
    ("recover", {"dice": Dice("app")}),
    ("confirm_report", {}),
    ("report", {"numbers": [1], "news": News.STANDS, "sector": 1}),
)
_CHOICES = {
    Step.AFTER_ACTION: Run._after_action,
    Step.EXISTING: Run._fights,
    Step.ATTACKER_LEAVES: Run._leaves,
    Step.DEFENDER_LEAVES: Run._leaves,
    Step.BATTLE: Run._fights,
    Step.FINAL_ATTACKER: Run._leaves,
    Step.FINAL_DEFENDER: Run._leaves,
    Step.UPKEEP: Run._recovers,
}


# Two pages side by side


def plain_page(ledger):
    """The ledger as plain values."""
    campaign = ledger.campaign
    phase = write_phase(campaign.phase) if campaign.phase else {}
    in_round = phase.get("step") in ("existing", "battle")
    return {
        "card": campaign.card,
        "stage": campaign.stage,
        "firefight": campaign.firefight,
        "attacker": campaign.attacker,
        "step": phase.get("step", ""),
        "sector": phase.get("sector"),
        "ready": set(campaign.ready),
        "control": {sector: holding.value for sector, holding in ledger.control.items()},
        "groups": {
            side.value: {n: {"rg": group.rg, "standing": group.standing} for n, group in ledger.groups[side].items()}
            for side in SIDES
        },
        "units": {side.value: {n: _plain(unit) for n, unit in ledger.units[side].items()} for side in SIDES},
        "winner": re.match(r"\w+", campaign.outcome)[0].lower() if campaign.outcome else None,
        "round": phase["round"] if in_round else None,
        "fought": {(side, number) for side, number in phase["fought"]} if in_round else None,
        "due": {(side, number): [fate] for side, number, fate in phase["effects"]} if in_round else None,
        "met": {(side, number) for side, number in phase["met"]} if in_round else None,
        "waited": {(side, number) for side, number in phase["waited"]} if in_round else None,
        "survivors": phase.get("survivors_of") if phase.get("step") in FINAL_STEPS else None,
    }


def _plain(unit):
    return {
        "counter": unit.counter,
        "group": unit.group.number if unit.group else None,
        "sector": unit.sector,
        "hex": unit.hex,
        "home": None if unit.fate else unit.home,
        "hidden": unit.hidden,
        "marks": set(unit.marks),
        "fate": unit.fate,
    }


def page_of(page):
    """The reference's page in the same words."""
    in_round = page.step in ("existing", "battle")
    return {
        "survivors": page.survivors if page.step.startswith("final") else None,
        "stage": page.stage,
        "firefight": page.firefight,
        "attacker": page.attacker,
        "step": page.step,
        "sector": page.sector,
        "ready": page.ready,
        "control": page.control,
        "groups": page.groups,
        "units": {
            side: {n: {**unit, "home": None if unit["fate"] else unit["home"]} for n, unit in units.items()}
            for side, units in page.units.items()
        },
        "winner": page.winner,
        **{part: getattr(page, part) if in_round else None for part in ("round", "fought", "due", "met", "waited")},
    }


def differences(actual, expected):
    """Where two values differ, as (the ledger's, the reference's) by place."""
    if not (isinstance(actual, dict) and isinstance(expected, dict)):
        return actual, expected
    return {
        key: differences(actual.get(key), expected.get(key)) for key in actual if actual.get(key) != expected.get(key)
    }
