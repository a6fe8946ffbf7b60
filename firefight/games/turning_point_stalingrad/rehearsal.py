"""How weeks of Turning Point: Stalingrad are played without a table, on a small invented map with invented units.

Buttons, rolls, counters and record are the game's own, as at a table; only decisions are made here.
Nobody crosses the Volga.
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
SETTLED_BY_HAND = ("withdrawal", "armour-replacement", "entry")  # nobody withdraws, and reinforcements are listed


@dataclass(frozen=True, slots=True)
class Commander:
    """``odds``: the least margin of OV over DV for an attack. ``guns``: how often in a hundred impulses they are
    preferred. ``goes_on``: how often, in a hundred, units go into an Area that the enemy has left. ``stands``: whoever
    pays would rather lose units than ground.
    """

    odds: int
    guns: int
    goes_on: int
    stands: bool


POLICIES = {"careful": Commander(1, 30, 30, stands=False), "bold": Commander(-2, 15, 70, stands=True)}


def read_setting() -> tuple[Book, Json]:
    """The invented map as a chart book, and the setting as written."""
    plain, data = read_data(__package__, "rehearsal"), deepcopy(read_data(__package__, "chartbook"))
    head = {"title": "Areas", "rule": "3.2", "provenance": plain["provenance"], "kind": "matrix"}
    data["charts"]["areas"] = {**head, "grid": plain["areas"]}
    book, problems = read_book(data, chart_specs.SPECS)
    if problems:
        raise BrokenRehearsal("; ".join(map(str, problems)))
    return book, plain


def read_units(text: str) -> list[tuple[Side, Unit]]:
    """The units of a list, one to a line."""
    units: list[tuple[Side, Unit]] = []
    for line in text.strip().splitlines():
        side, sort, name, parent, *printed = line.split()
        af, df, back, mf = (None if cell == "-" else int(cell) for cell in printed)
        values: Json = {"af": af, "df": df, "back": back, "mf": mf}
        if sort == CounterClass.ARTILLERY:
            values = {"af": af, "night": df, "mf": mf}
        unit = Unit(f"house_{len(units)}", name.replace("_", " "), CounterClass(sort), parent=parent, **values)
        units.append((Side(side), replace(unit, origin="house")))
    return units


@dataclass
class PlayingWeeks:
    """Weeks in progress. ``reserves``: units that are still to come."""

    table: PlainTable
    commander: Commander
    chance: SeededChance
    reserves: dict[Side, list[Unit]]
    is_over: str = ""
    weeks: int = 0
    choices: int = 0

    # Units

    @property
    def side(self) -> Side:
        return Side(self.table.position.side)

    def deploy(self) -> Deployment:
        """Where units stand."""
        return Deployment.of(self.table.look())

    def bring(self, side: Side, unit: Unit, area: str) -> None:
        """A unit comes into play."""
        number = 1 + sum(name.startswith(f"{side}-") for name in self.table.pieces)
        counter = CounterInPlay(f"{side.value}-{number}", side.value, unit.key, unit.name, place=area)
        self.table.add(counter, unit)

    def chose(self, likely: int) -> bool:
        """Whether something happens that does so ``likely`` times in a hundred."""
        self.choices += 1
        return self.chance.lots.randrange(100) < likely

    # An impulse

    def play_impulse(self) -> None:
        """What a side does in its impulse, and how that ends."""
        before = self.table.position
        acted = self._refit() or self._attack() or self._go_on()
        self._settle()
        self._tell_control()
        while (self.table.position.turn, self.table.position.impulse) == (before.turn, before.impulse):
            if self.is_over:
                return
            buttons = {button.slug for button in self.table.course.buttons(self.table.position, self.table.record)}
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
        """Attacks on Groups next to Fresh friends, or among them: OV less DV, start, goal, attackers, targets."""
        deployed, plans = self.deploy(), []
        for (side, start), _ in sorted(deployed.pieces.items()):
            fresh = [piece for piece in deployed.find_units(self.side, start) if not count_dots(piece.counter)]
            if side != self.side or not any(not piece.kind.sort.leads_none for piece in fresh):
                continue
            for area in (start, *sorted(deployed.areas.neighbours(start).names)):
                if not (self._is_mapped(area) and deployed.find_units(self.side.other, area)):
                    continue
                firers = [piece.counter.id for piece in (fresh if area == start else self._list_entering(fresh, area))]
                for group in Group:
                    targets = self._list_group(deployed, area, group)
                    if firers and targets and (odds := self._weigh(firers, targets, area, area != start)) is not None:
                        plans.append((odds, start, area, firers, targets))
        return plans

    def _list_entering(self, pieces: Sequence[Piece], area: str) -> list[Piece]:
        """Units that can lead and may enter an Area now (8.2), as many as have room."""
        deployed = self.deploy()
        marchers = [find_marcher(piece, deployed) for piece in pieces if not piece.kind.sort.leads_none]
        entering = [marcher.piece for marcher in marchers if not find_bars(marcher, area, marchers, deployed)]
        return entering[: deployed.limit - len(deployed.find_units(self.side, area))]

    def _weigh(self, firers: Sequence[str], targets: Sequence[str], area: str, enters: bool) -> int | None:
        """OV less DV, None for an attack that the rules refuse."""
        inputs = {"area": area, "kind": Kind.INSIDE.value, "entered": enters}
        try:
            result = self.table.ask("attack", inputs, firers=firers, targets=targets)
        except RuleError:
            return None
        return int(result.details["ov"]) - int(result.details["dv"])

    def _make_attack(self, firers: Sequence[str], targets: Sequence[str], area: str, enters: bool) -> None:
        """Attack inside, Russians with any guns nearby."""
        inputs: Json = {"area": area, "kind": Kind.INSIDE.value, "entered": enters}
        if self.side is Side.RUSSIAN and (ready := self._list_ready()) and area in self._list_near(ready[0]):
            inputs["guns"] = ready[0]
        self.table.roll("attack", inputs, firers=firers, targets=targets)
        self._settle()

    def _is_mapped(self, area: str) -> bool:
        """Whether the invented map has it: beyond it, nobody could retreat."""
        return read_areas(self.table.terms.charts).neighbours(area).are_all

    def _list_near(self, area: str) -> frozenset[str]:
        return read_areas(self.table.terms.charts).neighbours(area).names

    def _list_ready(self) -> list[str]:
        """The Russian guns of this map that may fire."""
        guns = self.table.record["russian_artillery"]
        return [gun["area"] for gun in guns if gun["state"] == "ready" and self._list_near(gun["area"])]

    def _bombard(self) -> bool:
        """Aircraft by day, artillery, or Russian guns, at some Group next to friends; whether anybody fires."""
        deployed = self.deploy()
        enemy_areas = [
            area
            for side, area in sorted(deployed.pieces)
            if side == self.side.other
            and self._is_mapped(area)
            and any(deployed.find_units(self.side, near) for near in self._list_near(area))
        ]
        groups = [(area, self._list_group(deployed, area, group)) for area in enemy_areas for group in Group]
        goals = [(area, targets) for area, targets in groups if targets]
        if not goals:
            return False
        area, targets = self.chance.lots.choice(goals)
        for firers, inputs in self._list_guns():
            try:
                self.table.roll("attack", {"area": area, **inputs}, firers=firers, targets=targets)
            except RuleError:
                continue
            self._settle()
            return True
        return False

    def _list_guns(self) -> list[tuple[list[str], Json]]:
        """Those who fire alone, with the inputs of their attacks."""
        if self.side is Side.RUSSIAN:
            shared_inputs = {"kind": Kind.RUSSIAN_ARTILLERY.value, "attacker": self.side.value}
            return [([], {**shared_inputs, "guns": guns}) for guns in self._list_ready()]
        own_pieces = [piece for piece in self.table.pieces.values() if piece.counter.side == self.side]
        return [([piece.counter.id], {}) for piece in own_pieces if not piece.kind.sort.is_combat_unit]

    def _list_group(self, deployed: Deployment, area: str, group: Group) -> list[str]:
        """The enemy's Group in an Area."""
        enemies = deployed.find_units(self.side.other, area)
        return [piece.counter.id for piece in enemies if bool(count_dots(piece.counter)) is (group is Group.SPENT)]

    def _go_on(self) -> bool:
        """Some Fresh units go into an adjacent Area that the enemy controls and nobody occupies."""
        if not self.chose(self.commander.goes_on):
            return False
        for side, start in sorted(self.deploy().pieces):
            fresh = [piece for piece in self.deploy().find_units(self.side, start) if not count_dots(piece.counter)]
            if side == self.side and len(fresh) > 1 and self._march(fresh[: len(fresh) // 2]):
                return True
        return False

    def _march(self, pieces: Sequence[Piece]) -> bool:
        """They go on from Area to Area as far as they may, into none twice; whether they went at all."""
        ids, visited = [piece.counter.id for piece in pieces], {pieces[0].counter.place}
        while goals := [goal for goal in self._list_goals(ids) if goal not in visited]:
            self.table.roll("move", {"goal": goals[0]}, firers=ids)
            visited.add(goals[0])
        return len(visited) > 1

    def _list_goals(self, ids: Sequence[str]) -> list[str]:
        """Empty Areas under enemy control that units may enter."""
        goals = read_goals(self.table.fill("move", {}, firers=ids).inputs()["goals"])
        deployed, enemy = self.deploy(), self.side.other
        free = [area for area in goals if deployed.is_controlled(enemy, area) and self._is_mapped(area)]
        return [area for area in free if not deployed.find_units(enemy, area)]

    def _refit(self) -> bool:
        """Russian guns may be ready again (15.34); whether that was the impulse."""
        waiting = [gun["area"] for gun in self.table.record["russian_artillery"] if gun["state"] == "refit"]
        if self.side is not Side.RUSSIAN or not waiting or not self.chose(30):
            return False
        self.table.roll("refit", {"area": waiting[0]})
        return True

    def _tell_control(self) -> None:
        """A side alone in an Area controls it (7.3); players say so with a question about supply."""
        deployed, german_areas = self.deploy(), list(self.table.record["german_areas"])
        for area in read_areas(self.table.terms.charts).tem:
            sides = {side for side in Side if deployed.find_units(side, area)}
            if sides == {Side.GERMAN} and area not in german_areas and self._list_near(area):
                german_areas.append(area)
            if sides == {Side.RUSSIAN} and area in german_areas:
                german_areas.remove(area)
        if german_areas != self.table.record["german_areas"]:
            self.table.roll("supply", {"side": Side.GERMAN.value, "start": "C", "german_areas": german_areas})

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
        """One of the cheapest ways: a commander who stands gives up units, any other gives up ground."""
        if not step.inputs.get("units"):
            self.table.due.remove(step)  # for a Mistaken Attack nobody has said who is hit
            return
        form = self.table.fill("payment", step=step)
        ways = [offer.values["actions"] for offer in payment_offers(self.table.terms.charts, form.inputs())]
        self.choices += 1
        shunned = "retreat" if self.commander.stands else "eliminate"
        actions = {"actions": min(ways, key=lambda way: (way.count(shunned), way))} if ways else {}
        self.table.roll("payment", actions, step=step)

    def _retreat(self, step: FollowUp) -> None:
        """To the first of the best Areas; those with none are lost, those without room go on from there (8.355)."""
        unit_ids = [row["id"] for row in step.inputs.get("who", ())]
        visited = [str(step.inputs.get("start", ""))]
        result = self._leave(visited, step=step)
        if result.outcome is Goal.NOWHERE:
            for unit_id in unit_ids:
                self.table.change_counter(CounterChange(unit_id, ELIMINATED))
        while (going := result.details.get("go_on", 0)) and len(visited) < MOST_AREAS:
            unit_ids = unit_ids[-going:]
            result = self._leave(visited, unit_ids=unit_ids)

    def _leave(self, visited: list[str], *, unit_ids: Sequence[str] = (), step: FollowUp | None = None) -> Result:
        """A retreat into the next Area, not one where they have been if another is as good."""
        form = self.table.fill("retreat", targets=unit_ids, step=step)
        goals = [offer.values["goal"] for offer in retreat_offers(self.table.terms.charts, form.inputs())]
        self.choices += len(goals) > 1
        goals.sort(key=lambda goal: goal in visited)  # never back (8.355)
        result = self.table.roll("retreat", {"goal": goals[0]} if goals else {}, targets=unit_ids, step=step)
        visited += result.details["areas"][:1]
        return result

    def _count(self, step: FollowUp) -> None:
        """A week's points, read off the invented map."""
        german_areas = self.table.record["german_areas"]
        result = self.table.roll("victory", {"points": None, "german_areas": german_areas}, step=step)
        self.weeks += 1
        if result.ends or self.weeks == int(self.table.terms.options["weeks"]):
            self.is_over = f"{result.outcome} in week {self.weeks}"

    def _reinforce(self) -> None:
        """One unit a side enters where its supply comes from, or waits (6.2)."""
        deployed = self.deploy()
        for side, area in ((Side.GERMAN, "C"), (Side.RUSSIAN, "31")):
            full = len(deployed.find_units(side, area)) >= deployed.limit and area != "C"
            if self.reserves[side] and not full and not deployed.find_units(side.other, area):
                self.bring(side, self.reserves[side].pop(0), area)


# What must hold


def list_breaches(table: PlainTable) -> list[tuple[str, str]]:
    """All that is wrong."""
    situation = table.look()
    breaches = [("record", flaw) for flaw in table.terms.game.record.flaws(situation.record)]
    breaches += [("place", flaw) for flaw in table.course.flaws(situation.position)]
    if not (table.last and table.last.details.get("go_on")):  # those without room have yet to go on (8.3553)
        breaches += [("stacks", flaw) for flaw in find_overfull(Deployment.of(situation))]
    for counter, _, _ in table.pieces.values():
        if counter.fate and counter.place:
            breaches.append(("counters", f"{counter.name} is gone, and in {counter.place}"))
        if sum(word in DOTTED for word in counter.state) > 1 or len(set(counter.state)) != len(counter.state):
            breaches.append(("dots", f"{counter.name} is {', '.join(counter.state)}"))
        if ACTING in counter.state and counter.side != situation.position.side:
            breaches.append(("acting", f"{counter.name} acts in an impulse of the other side"))
    return breaches


@dataclass(frozen=True, slots=True)
class WeeksRehearsal:
    """Weeks from 13 September on."""

    policies: Mapping[str, Commander]
    terms: Mapping[str, Sequence[str]]
    agreed: Mapping[str, str] = field(default_factory=dict)

    def play(self, policy: str, seed: int, terms: Terms) -> Played:
        """As many weeks as were agreed. Raises BrokenRehearsal, which names the seed."""
        playing = begin_weeks(self.policies[policy], seed, terms)
        table = playing.table
        for _ in range(MOST_IMPULSES):
            try:
                playing.play_impulse()
            except Exception as error:
                place = f"{table.course.headings(table.position)}, step {table.steps}"
                raise BrokenRehearsal(f"Seed {seed}, {place}: {error!r}") from error
            if playing.is_over:
                break
        outcome = playing.is_over or "does not end"
        return Played(
            seed, outcome, table.steps, playing.choices, table.throws, measure_weeks(playing), tuple(table.flaws)
        )


def begin_weeks(commander: Commander, seed: int, terms: Terms) -> PlayingWeeks:
    """Both sides set up, as the invented setting has it."""
    book, plain = read_setting()
    chance = SeededChance(seed)
    table = PlainTable(replace(terms, charts=book), {helper.slug: helper for helper in HELPERS}, chance)
    table.find_breaches = list_breaches if terms.is_checked else None
    table.record = terms.game.record.apply(table.record, {"german_areas": plain["german_areas"]})
    units, later = read_units(plain["units"]), read_units(plain["reserves"])
    playing = PlayingWeeks(table, commander, chance, {side: [u for s, u in later if s is side] for side in Side})
    for side in Side:
        side_units, stands = [unit for owner, unit in units if owner is side], plain[f"{side.value}_stands"]
        for place, unit in enumerate(side_units):
            playing.bring(side, unit, stands[place % len(stands)])
    return playing


def measure_weeks(playing: PlayingWeeks) -> dict[str, int]:
    """What weeks came to, in numbers."""
    table = playing.table
    lost_sides = [piece.counter.side for piece in table.pieces.values() if piece.counter.fate]
    counts = {name: table.counts[name] for name in ("attack", "attack: won", "attack: overrun", "attack: lost")}
    counts |= {name: table.counts[name] for name in ("retreat", "contested-retreat: eliminated", "refit")}
    counts |= {f"{side.word} losses": lost_sides.count(side.value) for side in Side}
    return {**counts, "days": (table.position.turn + 1) // 2, "points": table.record["points"] or 0}


REHEARSAL = WeeksRehearsal(POLICIES, {"weeks": ("1", "2", "9")})
