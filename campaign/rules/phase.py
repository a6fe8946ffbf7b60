"""Where a Reorganization Phase stands, as one frozen value, and how it is written down and read (20.5.8.1, 20.6.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Effect, Fate, Key
from firefight.games.combat_stalingrad.rules.sides import Side

from .steps import FINAL_STEPS, Step


class Extent(StrEnum):
    """How much a side asks the app to resolve."""

    ROUND = "round"
    SECTOR = "sector"
    PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Request:
    """What a side has asked for and the other has not: how much to resolve with the app's dice."""

    side: Side
    extent: Extent


@dataclass(frozen=True, slots=True)
class Gathered:
    """A bout that ``side`` has declared with its own attacks; the other side still has to answer (19.2.1, A-44)."""

    side: Side
    bout: Bout


@dataclass(frozen=True, slots=True)
class ReorganizationPhase:
    """Where the phase stands.

    ``sector``: the one that is fought out now. ``fought_over``: all that were threatened. ``waiting``: those still to
    come, in the order of the steps. ``survivors_of``: the sector whose survivors may leave now (20.6.4 step 5).

    Units are named by key. ``exited``: left by their own edge in the firefight. ``ended_in_hex``: vehicles with an
    enemy in their hex at its end; None in a phase that version 0.1.0 began, which judged that when a sector came up.
    ``met``: those of them in this sector. ``tried``: have tried to leave in this step. ``mined``: were attacked by
    mines here.

    For a round of Close Combat: its number; who has ``fought`` in it; what its dice did (``effects``), which counts
    when it is over; who ``waited`` through the one before; a bout that is ``gathered``; and what is ``requested``.
    """

    step: Step
    sector: int | None = None
    fought_over: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    survivors_of: int | None = None
    exited: tuple[Key, ...] = ()
    ended_in_hex: tuple[Key, ...] | None = None
    met: tuple[Key, ...] = ()
    tried: tuple[Key, ...] = ()
    mined: tuple[Key, ...] = ()
    round: int = 1
    fought: tuple[Key, ...] = ()
    effects: tuple[Effect, ...] = ()
    waited: tuple[Key, ...] = ()
    gathered: Gathered | None = None
    requested: Request | None = None

    @property
    def final_sectors(self) -> tuple[int, ...]:
        """The sectors whose survivors may leave now: one by one, or all where version 0.1.0 began the phase (A-52)."""
        return self.fought_over if self.survivors_of is None else (self.survivors_of,)

    @property
    def shown_sector(self) -> int | None:
        """The sector that the present step is about, if it is about one."""
        return self.sector or (self.survivors_of if self.step in FINAL_STEPS else None)

    # From step to step

    def to(self, step: Step) -> Self:
        """The phase at another step."""
        return replace(self, step=step)

    def with_threatened(self, sectors: Iterable[int], ended_in_hex: Iterable[Key]) -> Self:
        """Both sides have reported what became of their units: these sectors are to be fought out (20.6.4)."""
        sectors = tuple(sectors)
        return replace(self, fought_over=sectors, waiting=sectors, ended_in_hex=tuple(ended_in_hex), tried=())

    def at_sector(self, sector: int, met: Iterable[Key]) -> Self:
        """The first step of a sector; what was asked for another sector no longer counts."""
        waiting = tuple(other for other in self.waiting if other != sector)
        fought_over = tuple(sorted({*self.fought_over, sector}))
        at_sector = replace(self, step=Step.EXISTING, sector=sector, waiting=waiting, fought_over=fought_over)
        return replace(at_sector.before_first_round(), requested=None, mined=(), met=tuple(met))

    def before_first_round(self) -> Self:
        """Before the first round of Close Combat of a step."""
        return replace(self, round=1, fought=(), effects=(), waited=(), gathered=None)

    def after_sectors(self) -> Self:
        """No sector is threatened now: on to the survivors of all that were fought over (20.6.4 step 5)."""
        return replace(self, sector=None, waiting=self.fought_over, tried=(), requested=None)

    def at_next_survivors(self) -> Self:
        """Survivors re-deploy sector by sector, the Attacker's first in each (20.6.4 step 5, A-52)."""
        following = self.waiting[0] if self.waiting else None
        return replace(self, step=Step.FINAL_ATTACKER, survivors_of=following, waiting=self.waiting[1:])

    def at_upkeep(self) -> Self:
        """All sectors are settled: the changes to units (20.7.1)."""
        return replace(self, step=Step.UPKEEP, sector=None)

    # Inside a step

    def with_tried(self, keys: Iterable[Key]) -> Self:
        """These have tried to leave."""
        return replace(self, tried=(*self.tried, *keys))

    def with_mined(self, keys: Iterable[Key]) -> Self:
        """These were attacked by mines."""
        return replace(self, mined=(*self.mined, *keys))

    def with_arrival(self, key: Key) -> Self:
        """A unit has come to another sector, so its hex is no longer the one where it ended the firefight."""
        if self.ended_in_hex is None:
            return self
        return replace(self, ended_in_hex=tuple(other for other in self.ended_in_hex if other != key))

    def with_request(self, requested: Request | None) -> Self:
        """A side asks the app to resolve this much; None withdraws the request."""
        return replace(self, requested=requested)

    def with_gathered(self, side: Side, bout: Bout) -> Self:
        """A side has declared a bout, with its own attacks."""
        return replace(self, gathered=Gathered(side, bout))

    def with_fought(self, keys: Iterable[Key], effects: Iterable[Effect]) -> Self:
        """A bout was fought by these, and its dice did this."""
        return replace(self, fought=(*self.fought, *keys), effects=(*self.effects, *effects), gathered=None)

    def at_next_round(self, waited: Iterable[Key]) -> Self:
        """The next round of Close Combat, before anybody has fought in it."""
        is_done = self.requested is not None and self.requested.extent is Extent.ROUND
        following = replace(self.before_first_round(), round=self.round + 1, waited=tuple(waited))
        return following.with_request(None) if is_done else following


# Writing


def write_phase(phase: ReorganizationPhase) -> dict[str, object]:
    """A phase as plain values for JSON, as Campaign.phase holds it (docs/archive.md)."""
    plain: Json = {
        "step": phase.step.value,
        "sector": phase.sector,
        "fought_over": list(phase.fought_over),
        "left": _write_keys(phase.exited),
        "waiting": list(phase.waiting),
        "survivors_of": phase.survivors_of,
        "met": _write_keys(phase.met),
        "tried": _write_keys(phase.tried),
        "mined": _write_keys(phase.mined),
        "round": phase.round,
        "fought": _write_keys(phase.fought),
        "effects": [[*_write_key(effect.key), effect.fate.value] for effect in phase.effects],
        "waited": _write_keys(phase.waited),
        "gathered": None,
        "hurry": None,
    }
    if phase.ended_in_hex is not None:
        plain["ended_in_hex"] = _write_keys(phase.ended_in_hex)
    if phase.gathered:
        plain["gathered"] = {"side": phase.gathered.side.value, **_write_bout(phase.gathered.bout)}
    if phase.requested:
        plain["hurry"] = {"side": phase.requested.side.value, "how_far": phase.requested.extent.value}
    return plain


def _write_key(key: Key) -> list[str | int]:
    return [key[0].value, key[1]]


def _write_keys(keys: Iterable[Key]) -> list[list[str | int]]:
    return [_write_key(key) for key in keys]


def _write_bout(bout: Bout) -> dict[str, object]:
    return {
        "attackers": _write_keys(bout.attackers),
        "defenders": _write_keys(bout.defenders),
        "attacks": [[_write_keys(attack.by), _write_keys(attack.on)] for attack in bout.attacks or ()],
        "hand_to_hand": bout.hand_to_hand,
        "from_cover": sorted(bout.from_cover),
        "in_open": sorted(bout.in_open),
        "by_value": _write_keys(sorted(bout.by_value)),
        "riders": _write_keys(sorted(bout.riders)),
        "escorts": [_write_keys(pair) for pair in bout.escorts],
    }


# Reading


def read_phase(plain: Values) -> ReorganizationPhase:
    """A phase from plain values that are sound; what an earlier version did not write gets its default."""
    gathered, requested = plain.get("gathered"), plain.get("hurry")
    return ReorganizationPhase(
        step=Step(plain["step"]),
        sector=plain["sector"],
        fought_over=tuple(plain["fought_over"]),
        waiting=tuple(plain.get("waiting", ())),
        survivors_of=plain.get("survivors_of"),
        exited=_read_keys(plain.get("left", ())),
        ended_in_hex=_read_keys(plain["ended_in_hex"]) if "ended_in_hex" in plain else None,
        met=_read_keys(plain.get("met", ())),
        tried=_read_keys(plain.get("tried", ())),
        mined=_read_keys(plain.get("mined", ())),
        round=plain.get("round", 1),
        fought=_read_keys(plain.get("fought", ())),
        effects=tuple(Effect(_read_key((side, n)), Fate(fate)) for side, n, fate in plain.get("effects", ())),
        waited=_read_keys(plain.get("waited", ())),
        gathered=Gathered(Side(gathered["side"]), _read_bout(gathered)) if gathered else None,
        requested=Request(Side(requested["side"]), Extent(requested["how_far"])) if requested else None,
    )


def _read_key(row: Sequence[Any]) -> Key:
    side, number = row
    return Side(side), number


def _read_keys(rows: Iterable[Sequence[Any]]) -> tuple[Key, ...]:
    return tuple(_read_key(row) for row in rows)


def _read_bout(plain: Values) -> Bout:
    return Bout(
        _read_keys(plain["attackers"]),
        _read_keys(plain["defenders"]),
        tuple(Attack(_read_keys(by), _read_keys(on)) for by, on in plain["attacks"]),
        hand_to_hand=plain["hand_to_hand"],
        from_cover=frozenset(map(Side, plain["from_cover"])),
        in_open=frozenset(map(Side, plain["in_open"])),
        by_value=frozenset(_read_keys(plain["by_value"])),
        riders=frozenset(_read_keys(plain["riders"])),
        escorts=tuple((_read_key(leader), _read_key(escort)) for leader, escort in plain["escorts"]),
    )
