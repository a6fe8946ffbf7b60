"""From a posted form to an act: each name that a form can say with ``do``, and how its values are read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from campaign.acts import buying, orders, playing, reorganizing, seals, setting_up
from campaign.ledger.act import Dice
from campaign.ledger.ledger import Ledger
from campaign.phase import positions
from campaign.phase.dice import die_of, upkeep_die
from campaign.rules import mines
from campaign.rules.attacks import Attack, Bout, Key
from campaign.rules.combat.bouts import WAYS
from campaign.rules.orders import Order
from campaign.rules.sides import Side
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec, read_face
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.table import consent
from firefight.table.acts import BadField, Done, Refused
from firefight.table.seats import Table
from firefight.table.views.match import CONTROLS, number_in

D10 = DieSpec("die", 10, "d10")
LEADER_DICE = (DieSpec("die", 10, "Leader d10"), DieSpec("second_die", 10, "Second d10, on a Russian 6"))
TIE_DICE = (DieSpec("german_die", 10, "German d10"), DieSpec("russian_die", 10, "Russian d10"))
MOST_UNITS = 300
MOST_FIGHTERS = 40  # on one side of a bout


def leader_dice(side: Side) -> tuple[DieSpec, ...]:
    """The dice of a leader roll: a Russian 6 asks for a second one (20.9.1)."""
    return LEADER_DICE if side is Side.RUSSIAN else LEADER_DICE[:1]


@dataclass(frozen=True, slots=True)
class Post:
    """A posted form and who sent it. ``ledger`` is what the sender may know; it only helps to read the form."""

    request: HttpRequest
    table: Table
    ledger: Ledger

    @property
    def head(self) -> tuple[Table, str, int]:
        """What every act begins with: the table, the act id, the version that the form was drawn from."""
        return self.table, self.request.POST.get("act", ""), number_in(self.request, "version") or 0

    def text(self, name: str, longest: int = 60) -> str:
        """A short text without control characters."""
        text = " ".join(self.request.POST.get(name, "").split())
        if len(text) > longest or CONTROLS.search(text):
            raise BadField(f"At most {longest} characters, none of them a control character.")
        return text

    def number(self, name: str, what: str) -> int:
        """A whole number that must be there."""
        found = self.maybe(name, what)
        if found is None:
            raise BadField(f"Choose {what}.")
        return found

    def maybe(self, name: str, what: str) -> int | None:
        """A whole number, or None if the field is blank. ``what`` names it in a refusal."""
        return self._whole(self.request.POST.get(name, "").strip(), what)

    def signed(self, name: str, what: str) -> int:
        """A whole number with or without a sign; blank is 0."""
        text = self.request.POST.get(name, "").strip().replace("−", "-").removeprefix("+")
        size = self._whole(text.removeprefix("-"), what) or 0
        return -size if text.startswith("-") else size

    def numbers(self, name: str, what: str) -> list[int]:
        """Several whole numbers, each once."""
        texts = self.request.POST.getlist(name)[:MOST_UNITS]
        return list(dict.fromkeys(n for text in texts if (n := self._whole(text, what)) is not None))

    def _whole(self, text: str, what: str) -> int | None:
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise BadField(f"Choose {what}: “{text[:12]}” is no number.")
        return int(text)

    def word(self, name: str, words: type) -> Any:
        """One of an enum's words."""
        try:
            return words(self.request.POST.get(name, ""))
        except ValueError:
            raise BadField(f"Choose one of: {', '.join(words)}.") from None

    def is_on(self, name: str) -> bool:
        """A tick."""
        return self.request.POST.get(name) == "on"

    def dice(self, specs: Iterable[DieSpec]) -> Dice:
        """The typed dice, or the app's."""
        if self.request.POST.get("dice") == "app":
            return Dice("app")
        typed = {spec: self.request.POST.get(spec.name, "").strip()[:8] for spec in specs}
        try:
            return Dice("table", {s.name: read_face(text, s.sides, s.name) for s, text in typed.items() if text})
        except BadDie as error:
            raise BadField(str(error)) from None


def _buy(post: Post) -> Done:
    rg = post.request.POST.get("group", "")
    group = post.ledger.roster(Side(post.table.side)).groups.get(rg) if post.table.plays else None
    specs = [*leader_dice(Side.RUSSIAN), *(buying.mix_dice(group) if group else ())]
    return buying.buy(*post.head, rg, post.dice(specs))


def _refund(post: Post) -> Done:
    return buying.refund(*post.head, post.number("number", "a group"))


def _reinforce(post: Post) -> Done:
    sides = post.ledger.forces(Side(post.table.side)).die_sides if post.table.plays else 10
    return buying.reinforce(*post.head, post.dice([buying.reinforcement_die(sides)]))


def _seal(post: Post) -> Done:
    chosen = post.word("order", Order) if post.request.POST.get("order") else None
    return orders.seal_orders(*post.head, chosen, post.is_on("bonus"))


def _place(post: Post) -> Done:
    units = post.numbers("unit", "units")
    sector = post.maybe("sector", "a sector")
    return setting_up.place(*post.head, units, sector, post.is_on("hidden"))


def _building(post: Post) -> Done:
    name = post.text("building", 40)
    if not name:
        raise BadField("Name the building, for instance by one of its hexes.")
    hexes = post.number("hexes", "how many hexes it has")
    return setting_up.name_building(*post.head, post.number("number", "a group"), name, hexes)


def _plot(post: Post) -> Done:
    hexes = post.text("first", 8), post.text("second", 8)
    return seals.plot(*post.head, post.number("number", "a battery"), *hexes, post.number("turn", "a turn"))


def _report(post: Post) -> Done:
    news = post.word("news", playing.News)
    units, sector = post.numbers("unit", "units"), post.maybe("sector", "a sector")
    return playing.report(*post.head, units, news, sector, post.text("hex", 8))


def _redeploy(post: Post) -> Done:
    """The fields to_3, hex_3 and die_3 are about unit 3; a blank to_3 lets it stay."""
    wanted = {}
    for name in post.request.POST:
        number = name.removeprefix("to_")
        if name.startswith("to_") and number.isascii() and number.isdigit() and len(number) < 7:
            sector = post.maybe(name, "a sector")
            if sector is not None:
                wanted[int(number)] = sector
    specs = [DieSpec(die_of(number), 10, "d10") for number in wanted]
    hexes = {number: post.text(f"hex_{number}", 8) for number in wanted}
    return reorganizing.redeploy(*post.head, wanted, post.dice(specs), hexes)


class JustLooking(Refused):
    """Nothing is to be done: the page shows the odds of what was posted."""

    status = 200


def _mines(post: Post) -> Done:
    """The fields hit_3 and check_3 are dice of unit 3."""
    numbers = post.numbers("unit", "units")
    specs = [DieSpec(f"{what}_{number}", 10, "d10") for number in numbers for what in ("hit", "check")]
    factors, drm = post.number("factors", "the mines' factors"), post.signed("drm", "the DRM of the place")
    return reorganizing.suffer_mines(*post.head, numbers, factors, drm, post.dice([mines.DIE, *specs]))


def _fight(post: Post) -> Done:
    bout = read_bout(post)
    if post.request.POST.get("dice") == "look":
        raise JustLooking("Nothing was rolled.")
    ways = [name if n == 1 else f"{name}_{n}" for name in WAYS for n in range(1, MOST_FIGHTERS + 1)]
    asked = [name for name in post.request.POST if name.partition("_hit_")[0] in ways]
    specs = [DieSpec(name, 10 if "_hit_" in name else 100, name) for name in asked]
    return reorganizing.fight(*post.head, bout, post.dice(specs))


def read_bout(post: Post) -> Bout:
    """The bout that a form describes; fighters are named by side and number, such as german-3.

    With "divided" the fields by_german-3 and on_german-3 hold the number of the attack that a unit makes, and of the
    one that is made on it; with_german-4 the infantry with which a leader defends. Raises BadField.
    """
    attackers, defenders = _keys(post, "attacker"), _keys(post, "defender")
    everybody = (*attackers, *defenders)
    escorts = [(key, escort) for key in everybody for escort in _keys(post, f"with_{name_key(key)}", blank=True)]
    return Bout(
        attackers,
        defenders,
        _read_attacks(post, everybody) if post.is_on("divided") else None,
        hand_to_hand=post.is_on("hand_to_hand"),
        from_cover=_read_sides(post, "from_cover"),
        in_open=_read_sides(post, "in_open"),
        by_value=frozenset(key for key in everybody if post.is_on(f"value_{name_key(key)}")),
        riders=frozenset(_keys(post, "rider")),
        escorts=tuple(escorts),
    )


def _read_attacks(post: Post, everybody: tuple[Key, ...]) -> tuple[Attack, ...]:
    makes = {key: post.maybe(f"by_{name_key(key)}", "an attack") for key in everybody}
    takes = {key: post.maybe(f"on_{name_key(key)}", "an attack") for key in everybody}
    found = []
    for side in dict.fromkeys(key[0] for key in everybody):
        numbers = {n for key, n in makes.items() if n and key[0] is side}
        numbers |= {n for key, n in takes.items() if n and key[0] is not side}
        for number in sorted(numbers):
            by = tuple(key for key, n in makes.items() if n == number and key[0] is side)
            on = tuple(key for key, n in takes.items() if n == number and key[0] is not side)
            if not (by and on):
                lacks = "units that make it" if on else "enemies that it is made on"
                raise BadField(f"{side.capitalize()} attack {number}: choose {lacks}.")
            found.append(Attack(by, on))
    return tuple(found)


def _read_sides(post: Post, name: str) -> frozenset[Side]:
    return frozenset(Side(text) for text in post.request.POST.getlist(name) if text in set(Side))


def name_key(key: Key) -> str:
    """A fighter as forms name it."""
    return f"{key[0]}-{key[1]}"


def _keys(post: Post, name: str, blank: bool = False) -> tuple[Key, ...]:
    found = []
    for text in post.request.POST.getlist(name)[:MOST_FIGHTERS]:
        if blank and not text:
            continue
        side, _, number = text.partition("-")
        if side not in set(Side) or not (number.isascii() and number.isdigit() and len(number) < 7):
            raise BadField("Choose the units again: one of them is unknown.")
        found.append((Side(side), int(number)))
    return tuple(found)


def _hurry(post: Post) -> Done:
    how_far = post.request.POST.get("how_far", "")
    if how_far not in ("round", "sector", "phase"):
        raise BadField("Say how far: the round, the sector, or the phase.")
    return reorganizing.hurry(*post.head, how_far)


def _recover(post: Post) -> Done:
    side = Side(post.table.side) if post.table.plays else Side.GERMAN
    due = positions.damaged(post.ledger, side)
    specs = [upkeep_die(post.ledger, unit, damage) for unit, damage in due]
    return reorganizing.recover(*post.head, post.dice(specs))


def _battery(post: Post) -> Done:
    return playing.battery(*post.head, post.number("number", "a battery"), post.word("news", playing.BatteryNews))


def _air_attack(post: Post) -> Done:
    return playing.air_attack(*post.head, post.number("number", "a group"), post.word("weapon", AirWeapon))


def _concede(post: Post) -> Done:
    if not post.is_on("sure"):
        raise BadField("Tick that your side gives the campaign up: it ends then.")
    return reorganizing.concede(*post.head)


def _take_back(post: Post) -> Done:
    return consent.propose_take_back(*post.head)


def _answer(post: Post) -> Done:
    agrees = {"yes": True, "no": False}.get(post.request.POST.get("agrees", ""))
    if agrees is None:
        raise BadField("Agree or decline.")
    return consent.answer(*post.head, agrees)


ACTS: dict[str, Callable[[Post], Done]] = {
    "reinforce": _reinforce,
    "buy": _buy,
    "refund": _refund,
    "seal": _seal,
    "withdraw-orders": lambda post: orders.withdraw_orders(*post.head),
    "reveal": lambda post: orders.reveal_orders(*post.head),
    "settle": lambda post: orders.settle(*post.head, post.dice(TIE_DICE)),
    "place": _place,
    "building": _building,
    "take-off": lambda post: setting_up.take_off(*post.head, post.numbers("unit", "units")),
    "confirm": lambda post: setting_up.confirm(*post.head),
    "plot": _plot,
    "observer": lambda post: seals.observer(*post.head, post.text("hex", 8)),
    "withdraw": lambda post: seals.withdraw(*post.head, post.number("number", "a record")),
    "open": lambda post: seals.open_seal(*post.head, post.number("number", "a record")),
    "end-turn": lambda post: playing.end_turn(*post.head, post.dice([D10])),
    "report": _report,
    "random-marker": lambda post: playing.move_random_marker(*post.head, post.text("hex", 8)),
    "end-nest": lambda post: playing.end_nest(*post.head, post.number("number", "a nest")),
    "battery": _battery,
    "aircraft": lambda post: playing.aircraft(*post.head, post.number("number", "a group"), post.dice([D10])),
    "air-attack": _air_attack,
    "down": lambda post: playing.down_aircraft(*post.head, post.number("number", "a group")),
    "confirm-report": lambda post: reorganizing.confirm_report(*post.head),
    "mines": _mines,
    "redeploy": _redeploy,
    "fight": _fight,
    "fight-round": lambda post: reorganizing.fight_round(*post.head),
    "hurry": _hurry,
    "recover": _recover,
    "concede": _concede,
    "take-back": _take_back,
    "answer": _answer,
}


def act(post: Post) -> Done:
    """Do what a form asks for. Raises Refused, Incomplete, and nothing has changed then."""
    found = ACTS.get(post.request.POST.get("do", ""))
    if found is None:
        raise BadField("This form does not say what to do. Reload the page and try again.")
    return found(post)
