"""How weeks of Turning Point: Stalingrad are played without a table, on a small invented map with invented units.

Buttons, rolls, counters and record are the game's own, as at a table; here is who decides. Nobody crosses the Volga.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from firefight.engine.board.counters import CounterChange, CounterInPlay, Piece
from firefight.engine.charts.book import Book, read_book
from firefight.engine.errors import RuleError
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json
from firefight.kit import BrokenRehearsal, Played, SeededChance, Terms, read_data
from firefight.kit.plain_table import PlainTable

from .helpers import HELPERS
from .helpers.attacks import payment_offers, retreat_offers
from .rules import charts as chart_specs
from .rules.areas import read_areas
from .rules.becoming import ACTING, DOTTED, ELIMINATED, count_dots
from .rules.course import DONE, FLIP, PASS, PROLONG
from .rules.deployment import Deployment, find_overfull
from .rules.kinds import CounterClass, Unit
from .rules.marching import find_bars, find_marcher, read_goals
from .rules.retreat import Goal
from .rules.sides import Side
from .rules.terms import Group, Kind

MOST_IMPULSES = 20_000
MOST_AREAS = 6  # through which a retreat goes on, where none has room
SETTLED_BY_HAND = ("withdrawal", "armour-replacement", "entry")  # nobody withdraws, and who comes is listed


@dataclass(frozen=True, slots=True)
class Commander:
    """``odds``: an attack is made if its OV is at least so much above the DV. ``guns``: how often in a hundred impulses
    they are preferred. ``goes_on``: how often, in a hundred, units go into an Area that the enemy has left.
    ``stands``: who pays rather loses units than ground.
    """

    odds: int
    guns: int
    goes_on: int
    stands: bool


POLICIES = {"careful": Commander(1, 30, 30, stands=False), "bold": Commander(-2, 15, 70, stands=True)}


def read_setting() -> tuple[Book, Json]:
    """The invented map as a chart book, and who stands where."""
    plain, data = read_data(__package__, "rehearsal"), deepcopy(read_data(__package__, "chartbook"))
    head = {"title": "Areas", "rule": "3.2", "provenance": plain["provenance"], "kind": "matrix"}
    data["charts"]["areas"] = {**head, "grid": plain["areas"]}
    book, problems = read_book(data, chart_specs.SPECS)
    if problems:
        raise BrokenRehearsal("; ".join(map(str, problems)))
    return book, plain


def read_units(text: str) -> list[tuple[Side, Unit]]:
    """The units of a list: a line each."""
    found: list[tuple[Side, Unit]] = []
    for line in text.strip().splitlines():
        side, sort, name, parent, *printed = line.split()
        af, df, back, mf = (None if cell == "-" else int(cell) for cell in printed)
        values: Json = {"af": af, "df": df, "back": back, "mf": mf}
        if sort == CounterClass.ARTILLERY:
            values = {"af": af, "night": df, "mf": mf}
        unit = Unit(f"house_{len(found)}", name.replace("_", " "), CounterClass(sort), parent=parent, **values)
        found.append((Side(side), replace(unit, origin="house")))
    return found


@dataclass
class PlayingWeeks:
    """Weeks on their way. ``reserves``: who has still to come."""

    table: PlainTable
    commander: Commander
    chance: SeededChance
    reserves: dict[Side, list[Unit]]
    is_over: str = ""
    weeks: int = 0
    choices: int = 0

    # Who is there

    @property
    def side(self) -> Side:
        return Side(self.table.position.side)

    def deploy(self) -> Deployment:
        """Who stands where."""
        return Deployment.of(self.table.look())

    def bring(self, side: Side, unit: Unit, area: str) -> None:
        """A unit comes into play."""
        number = 1 + sum(name.startswith(f"{side}-") for name in self.table.pieces)
        counter = CounterInPlay(f"{side.value}-{number}", side.value, unit.key, unit.name, place=area)
        self.table.add(counter, unit)

    def chose(self, likely: int) -> bool:
        """Whether something happens that does so many times in a hundred."""
        self.choices += 1
        return self.chance.lots.randrange(100) < likely

    # An impulse

    def play_impulse(self) -> None:
        """What a side does in its impulse, and how that ends."""
        before = self.table.position
        acted = self._attack() or self._go_on()
        self._refit()
        self._settle()
        self._tell_control()
        while (self.table.position.turn, self.table.position.impulse) == (before.turn, before.impulse):
            if self.is_over:
                return
            buttons = {each.slug for each in self.table.course.buttons(self.table.position, self.table.record)}
            if FLIP in buttons:
                self.table.press(PROLONG if PROLONG in buttons and self.chose(30) else FLIP)
            else:
                self.table.press(PASS if not acted and PASS in buttons else DONE)
            self._settle()

    def _attack(self) -> bool:
        """The attack with the best odds, or guns; whether there was one."""
        if self.chose(self.commander.guns) and self._bombard():
            return True
        plans = sorted(self._list_plans(), key=lambda plan: -plan[0])
        if not plans or plans[0][0] < self.commander.odds:
            return False
        self.choices += 1
        _, start, area, firers, targets = plans[0]
        if start != area:
            self.table.roll("move", {"goal": area}, firers=firers)
        self._make_attack(firers, targets, area, start != area)
        return True

    def _list_plans(self) -> list[tuple[int, str, str, list[str], list[str]]]:
        """Attacks on Groups beside own Fresh units, or among them: what they have above the DV, from where, on whom."""
        deployed, plans = self.deploy(), []
        for (side, start), _ in sorted(deployed.pieces.items()):
            own = [each for each in deployed.find_units(self.side, start) if not count_dots(each.counter)]
            if side != self.side or not any(not each.kind.sort.leads_none for each in own):
                continue
            for area in (start, *sorted(deployed.areas.neighbours(start).names)):
                if not (self._is_mapped(area) and deployed.find_units(self.side.other, area)):
                    continue
                firers = [each.counter.id for each in (own if area == start else self._list_entering(own, area))]
                for group in Group:
                    targets = self._list_group(deployed, area, group)
                    if firers and targets and (odds := self._weigh(firers, targets, area, area != start)) is not None:
                        plans.append((odds, start, area, firers, targets))
        return plans

    def _list_entering(self, own: Sequence[Piece], area: str) -> list[Piece]:
        """Who of those who lead goes into an Area now (8.2), as many as have room."""
        situation, deployed = self.table.look(), self.deploy()
        marchers = [find_marcher(each, deployed, situation) for each in own if not each.kind.sort.leads_none]
        able = [each.piece for each in marchers if not find_bars(each, area, marchers, deployed, situation)]
        most = situation.book["thresholds"].get("occupation")  # of a side in an Area (7.1)
        return able[: most - len(deployed.find_units(self.side, area))]

    def _weigh(self, firers: Sequence[str], targets: Sequence[str], area: str, enters: bool) -> int | None:
        """OV less DV, None for what the rules refuse."""
        given = {"area": area, "kind": Kind.INSIDE.value, "entered": enters}
        try:
            found = self.table.ask("attack", given, firers=firers, targets=targets)
        except RuleError:
            return None
        return int(found.details["ov"]) - int(found.details["dv"])

    def _make_attack(self, firers: Sequence[str], targets: Sequence[str], area: str, enters: bool) -> None:
        """Attack inside, Russians with guns that are near."""
        given: Json = {"area": area, "kind": Kind.INSIDE.value, "entered": enters}
        if self.side is Side.RUSSIAN and (ready := self._list_ready()) and area in self._list_near(ready[0]):
            given["guns"] = ready[0]
        self.table.roll("attack", given, firers=firers, targets=targets)
        self._settle()

    def _is_mapped(self, area: str) -> bool:
        """Whether the invented map has it: beyond, nobody could retreat."""
        return read_areas(self.table.terms.charts).neighbours(area).are_all

    def _list_near(self, area: str) -> frozenset[str]:
        return read_areas(self.table.terms.charts).neighbours(area).names

    def _list_ready(self) -> list[str]:
        """The Russian guns of this map that may fire."""
        guns = self.table.record["russian_artillery"]
        return [gun["area"] for gun in guns if gun["state"] == "ready" and self._list_near(gun["area"])]

    def _bombard(self) -> bool:
        """Aircraft by day, artillery, or Russian guns, at some Group next to own units; whether anybody fires."""
        deployed = self.deploy()
        beside = [
            area
            for side, area in sorted(deployed.pieces)
            if side == self.side.other
            and self._is_mapped(area)
            and any(deployed.find_units(self.side, near) for near in self._list_near(area))
        ]
        groups = [(area, self._list_group(deployed, area, group)) for area in beside for group in Group]
        goals = [(area, targets) for area, targets in groups if targets]
        if not goals:
            return False
        area, targets = self.chance.lots.choice(goals)
        for firers, given in self._list_guns():
            try:
                self.table.roll("attack", {"area": area, **given}, firers=firers, targets=targets)
            except RuleError:
                continue
            self._settle()
            return True
        return False

    def _list_guns(self) -> list[tuple[list[str], Json]]:
        """Who fires alone, and what is said of it."""
        if self.side is Side.RUSSIAN:
            own = {"kind": Kind.RUSSIAN_ARTILLERY.value, "attacker": self.side.value}
            return [([], {**own, "guns": guns}) for guns in self._list_ready()]
        own_pieces = [each for each in self.table.pieces.values() if each.counter.side == self.side]
        return [([each.counter.id], {}) for each in own_pieces if not each.kind.sort.is_combat_unit]

    def _list_group(self, deployed: Deployment, area: str, group: Group) -> list[str]:
        """The enemy's Group in an Area."""
        there = deployed.find_units(self.side.other, area)
        return [each.counter.id for each in there if bool(count_dots(each.counter)) is (group is Group.SPENT)]

    def _go_on(self) -> bool:
        """Some Fresh units go into an Area next to theirs that is the enemy's and in which nobody is."""
        if not self.chose(self.commander.goes_on):
            return False
        for side, start in sorted(self.deploy().pieces):
            own = [each for each in self.deploy().find_units(self.side, start) if not count_dots(each.counter)]
            if side == self.side and len(own) > 1 and self._march(own[: len(own) // 2]):
                return True
        return False

    def _march(self, who: Sequence[Piece]) -> bool:
        """They go on from Area to Area as far as they may, none of them twice; whether they went at all."""
        ids, been = [each.counter.id for each in who], {who[0].counter.place}
        while goals := [goal for goal in self._list_goals(ids) if goal not in been]:
            self.table.roll("move", {"goal": goals[0]}, firers=ids)
            been.add(goals[0])
        return len(been) > 1

    def _list_goals(self, ids: Sequence[str]) -> list[str]:
        """Areas of the enemy's in which nobody is, and into which units may go."""
        goals = read_goals(self.table.fill("move", {}, firers=ids).inputs()["goals"])
        deployed, enemy = self.deploy(), self.side.other
        free = [area for area in goals if deployed.is_controlled(enemy, area) and self._is_mapped(area)]
        return [area for area in free if not deployed.find_units(enemy, area)]

    def _refit(self) -> None:
        """Russian guns may be ready again (15.34)."""
        waiting = [gun["area"] for gun in self.table.record["russian_artillery"] if gun["state"] == "refit"]
        if self.side is Side.RUSSIAN and waiting and self.chose(30):
            self.table.roll("refit", {"area": waiting[0]})

    def _tell_control(self) -> None:
        """Who is alone in an Area controls it (7.3); players say so with a question about supply."""
        deployed, held = self.deploy(), list(self.table.record["german_areas"])
        for area in read_areas(self.table.terms.charts).tem:
            here = {side for side in Side if deployed.find_units(side, area)}
            if here == {Side.GERMAN} and area not in held and self._list_near(area):
                held.append(area)
            if here == {Side.RUSSIAN} and area in held:
                held.remove(area)
        if held != self.table.record["german_areas"]:
            self.table.roll("supply", {"side": Side.GERMAN.value, "start": "C", "german_areas": held})

    # What is due

    def _settle(self) -> None:
        while self.table.due and not self.is_over:
            step = self.table.due[0]
            match step.helper:
                case "payment":
                    self._pay(step)
                case "retreat":
                    self._retreat(step)
                case "dawn" if not step.inputs.get("id"):
                    self.table.roll("dawn", step=step)
                    self._reinforce()
                case "victory":
                    self._count(step)
                case name if name in SETTLED_BY_HAND:
                    self.table.due.remove(step)
                case name:
                    self.table.roll(name, step=step)

    def _pay(self, step: FollowUp) -> None:
        """One of the cheapest ways: who stands gives up units, who does not gives up ground."""
        if not step.inputs.get("units"):
            self.table.due.remove(step)  # of a Mistaken Attack nobody has said who is hit
            return
        form = self.table.fill("payment", step=step)
        ways = [each.values["actions"] for each in payment_offers(self.table.terms.charts, form.inputs())]
        self.choices += 1
        shunned = "retreat" if self.commander.stands else "eliminate"
        actions = {"actions": min(ways, key=lambda way: (way.count(shunned), way))} if ways else {}
        self.table.roll("payment", actions, step=step)

    def _retreat(self, step: FollowUp) -> None:
        """To the first of the best Areas; who has none is lost, who finds no room goes on from there (8.355)."""
        who = [each["id"] for each in step.inputs.get("who", ())]
        been = [str(step.inputs.get("start", ""))]
        result = self._leave(been, step=step)
        if result.outcome is Goal.NOWHERE:
            for each in who:
                self.table.change_counter(CounterChange(each, ELIMINATED))
        while (going := result.details.get("go_on", 0)) and len(been) < MOST_AREAS:
            who = who[-going:]
            result = self._leave(been, who=who)

    def _leave(self, been: list[str], *, who: Sequence[str] = (), step: FollowUp | None = None) -> Result:
        """A retreat into the next Area, none of those where they have been if there is another as good."""
        form = self.table.fill("retreat", targets=who, step=step)
        goals = [each.values["goal"] for each in retreat_offers(self.table.terms.charts, form.inputs())]
        self.choices += len(goals) > 1
        goals.sort(key=lambda goal: goal in been)  # never back (8.355)
        result = self.table.roll("retreat", {"goal": goals[0]} if goals else {}, targets=who, step=step)
        been += result.details["areas"][:1]
        return result

    def _count(self, step: FollowUp) -> None:
        """A week's points, off the invented map."""
        held = self.table.record["german_areas"]
        result = self.table.roll("victory", {"points": None, "german_areas": held}, step=step)
        self.weeks += 1
        if result.ends or self.weeks == int(self.table.terms.options["weeks"]):
            self.is_over = f"{result.outcome} in week {self.weeks}"

    def _reinforce(self) -> None:
        """One unit a side comes to where it is supplied from, or waits (6.2)."""
        deployed = self.deploy()
        for side, area in ((Side.GERMAN, "C"), (Side.RUSSIAN, "31")):
            full = len(deployed.find_units(side, area)) >= 10 and area != "C"
            if self.reserves[side] and not full and not deployed.find_units(side.other, area):
                self.bring(side, self.reserves[side].pop(0), area)


# What must hold


def list_breaches(table: PlainTable) -> list[tuple[str, str]]:
    """All that is wrong."""
    situation = table.look()
    found = [("record", flaw) for flaw in table.terms.game.record.flaws(situation.record)]
    found += [("place", flaw) for flaw in table.course.flaws(situation.position)]
    if not (table.last and table.last.details.get("go_on")):  # who has no room has still to go on (8.3553)
        found += [("stacks", flaw) for flaw in find_overfull(Deployment.of(situation), situation.book)]
    for counter, _, _ in table.pieces.values():
        if counter.fate and counter.place:
            found.append(("counters", f"{counter.name} is gone, and in {counter.place}"))
        if sum(word in DOTTED for word in counter.state) > 1 or len(set(counter.state)) != len(counter.state):
            found.append(("dots", f"{counter.name} is {', '.join(counter.state)}"))
        if ACTING in counter.state and counter.side != situation.position.side:
            found.append(("acting", f"{counter.name} acts in an impulse of the others"))
    return found


@dataclass(frozen=True, slots=True)
class WeeksRehearsal:
    """Weeks from 13 September on."""

    policies: Mapping[str, Commander]
    terms: Mapping[str, Sequence[str]]
    agreed: Mapping[str, str] = field(default_factory=dict)

    def play(self, policy: str, seed: int, terms: Terms) -> Played:
        """So many weeks. Raises BrokenRehearsal, which names the seed."""
        playing = begin_weeks(self.policies[policy], seed, terms)
        table = playing.table
        for _ in range(MOST_IMPULSES):
            try:
                playing.play_impulse()
            except Exception as error:
                where = f"{table.course.headings(table.position)}, step {table.steps}"
                raise BrokenRehearsal(f"Seed {seed}, {where}: {error!r}") from error
            if playing.is_over:
                break
        outcome = playing.is_over or "does not end"
        return Played(
            seed, outcome, table.steps, playing.choices, table.throws, measure_weeks(playing), tuple(table.flaws)
        )


def begin_weeks(commander: Commander, seed: int, terms: Terms) -> PlayingWeeks:
    """Both sides set out, as the invented setting has it."""
    book, plain = read_setting()
    chance = SeededChance(seed)
    table = PlainTable(replace(terms, charts=book), {each.slug: each for each in HELPERS}, chance)
    table.find_breaches = list_breaches if terms.is_checked else None
    table.record = terms.game.record.apply(table.record, {"german_areas": plain["german_areas"]})
    units, later = read_units(plain["units"]), read_units(plain["reserves"])
    playing = PlayingWeeks(table, commander, chance, {side: [u for s, u in later if s is side] for side in Side})
    for side in Side:
        own, stands = [unit for each, unit in units if each is side], plain[f"{side.value}_stands"]
        for place, unit in enumerate(own):
            playing.bring(side, unit, stands[place % len(stands)])
    return playing


def measure_weeks(playing: PlayingWeeks) -> dict[str, int]:
    """What weeks came to, in numbers."""
    table = playing.table
    gone = [each.counter.side for each in table.pieces.values() if each.counter.fate]
    counts = {name: table.counts[name] for name in ("attack", "attack: won", "attack: overrun", "attack: lost")}
    counts |= {name: table.counts[name] for name in ("retreat", "contested-retreat: eliminated", "refit")}
    counts |= {f"{side.word} losses": gone.count(side.value) for side in Side}
    return {**counts, "days": (table.position.turn + 1) // 2, "points": table.record["points"] or 0}


REHEARSAL = WeeksRehearsal(POLICIES, {"weeks": ("1", "2", "9")})
