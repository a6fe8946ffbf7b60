"""Forms of the Reorganization Phase that have something of their own."""

import re

from django.core.exceptions import ValidationError

from campaign.acts import reorganizing
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Key
from firefight.games.combat_stalingrad.rules.melee.bouts import WAYS
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.act import Done
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.forms import ActForm, Line, Tick, read_number

from .declaring import HEX_LENGTH, DiceForm

MOST_FIGHTERS = 40  # on one side of a bout
_LEAVER = re.compile(r"to_(\d{1,6})", re.ASCII)


class JustLooking(Refused):
    """Nothing is to be done: the page shows the odds for what was posted."""

    status = 200


class Redeploy(DiceForm):
    """Who leaves: the fields to_3, hex_3 and die_3 are about unit 3; with a blank to_3 it stays."""

    do = "redeploy"
    act = staticmethod(reorganizing.redeploy)

    def clean(self) -> Json:
        """Each leaver's goal by the unit's number, and the hex where it arrives."""
        numbers = [int(match[1]) for name in self.data if (match := _LEAVER.fullmatch(name))]
        sectors = {number: read_number(self.data.get(f"to_{number}", ""), "a sector") for number in numbers}
        goals = {number: sector for number, sector in sectors.items() if sector is not None}
        place = Line(HEX_LENGTH)
        hexes = {number: place.clean(self.data.get(f"hex_{number}", "")) for number in goals}
        return {**super().clean(), "goals": goals, "hexes": hexes}


class Fight(DiceForm):
    """One bout: who meets whom. Fighters are named by side and number, such as german-3.

    With "divided" the fields by_german-3 and on_german-3 hold the number of the attack that a unit makes, and of the
    one that is made on it; with_german-4 the infantry with which a leader defends.
    """

    do = "fight"
    act = staticmethod(reorganizing.fight)
    dice_called = WAYS

    divided = Tick()
    hand_to_hand = Tick()

    def clean(self) -> Json:
        """The bout and its dice."""
        return {"bout": self._read_bout(), "dice": self.read_dice()}

    def perform(self, table: Table) -> Done:
        """Fight, or just look at the odds: then raises JustLooking."""
        if self.data.get("dice") == "look" and self.is_valid():
            raise JustLooking("Nothing was rolled.")
        return super().perform(table)

    def _read_bout(self) -> Bout:
        attackers, defenders = self._read_keys("attacker"), self._read_keys("defender")
        everybody = (*attackers, *defenders)
        escorts = [(key, escort) for key in everybody for escort in self._read_keys(f"with_{name_key(key)}")]
        return Bout(
            attackers,
            defenders,
            self._read_attacks(everybody) if self.cleaned_data.get("divided") else None,
            hand_to_hand=bool(self.cleaned_data.get("hand_to_hand")),
            from_cover=self._read_sides("from_cover"),
            in_open=self._read_sides("in_open"),
            by_value=frozenset(key for key in everybody if self.data.get(f"value_{name_key(key)}") == "on"),
            riders=frozenset(self._read_keys("rider")),
            escorts=tuple(escorts),
        )

    def _read_attacks(self, everybody: tuple[Key, ...]) -> tuple[Attack, ...]:
        makes = {key: self._read_attack(f"by_{name_key(key)}") for key in everybody}
        takes = {key: self._read_attack(f"on_{name_key(key)}") for key in everybody}
        attacks = []
        for side in dict.fromkeys(key[0] for key in everybody):
            numbers = {n for key, n in makes.items() if n and key[0] is side}
            numbers |= {n for key, n in takes.items() if n and key[0] is not side}
            for number in sorted(numbers):
                by = tuple(key for key, n in makes.items() if n == number and key[0] is side)
                on = tuple(key for key, n in takes.items() if n == number and key[0] is not side)
                if not (by and on):
                    lacks = "units that make it" if on else "enemies that it is made on"
                    raise ValidationError(f"{side.word} attack {number}: choose {lacks}.")
                attacks.append(Attack(by, on))
        return tuple(attacks)

    def _read_attack(self, name: str) -> int | None:
        return read_number(self.data.get(name, ""), "an attack")

    def _read_sides(self, name: str) -> frozenset[Side]:
        return frozenset(Side(text) for text in self.data.getlist(name) if text in set(Side))

    def _read_keys(self, name: str) -> tuple[Key, ...]:
        texts = [text for text in self.data.getlist(name) if text]
        if len(texts) > MOST_FIGHTERS:
            raise ValidationError(f"At most {MOST_FIGHTERS} units on one side of a bout.")
        return tuple(_read_key(text) for text in texts)


def name_key(key: Key) -> str:
    """A fighter as forms name it."""
    return f"{key[0]}-{key[1]}"


def _read_key(text: str) -> Key:
    side, _, number = text.partition("-")
    if side not in set(Side) or not (number.isascii() and number.isdigit() and len(number) < 7):
        raise ValidationError("Choose the units again: one of them is unknown.")
    return Side(side), int(number)


class Concede(ActForm):
    """Give the campaign up."""

    do = "concede"
    act = staticmethod(reorganizing.concede)

    sure = Tick(prompt="Tick that your side gives the campaign up: it ends then.")

    def arguments(self) -> dict[str, object]:
        """None: the tick is for the player."""
        return {}
