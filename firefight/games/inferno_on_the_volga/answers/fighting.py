"""A combat, step by step: what applies, hits, losses, Close Combat, Rubble, the advance."""

from collections.abc import Iterator

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.modifiers import Modifier, without_zeroes
from firefight.engine.rolls.modifiers import total as add_up
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.text import capitalize, count_of, join_words, without_capital
from firefight.engine.values import Json

from ..rules import fire as firing
from ..rules.charts import OWN_CARD, name_sources
from ..rules.combat import STEPS, Fight, list_steps
from ..rules.ending import is_enemy_spawn
from ..rules.moves import find_advance, may_blitz
from ..rules.rubble import count_ways, find_sum, list_additions, list_obstacles, makes_rubble
from ..rules.tables import Fire, GermanCard, Kind, Side, Terrain
from .played import read_own_card

SEQUENCE = "Combat Sequence"
RUBBLE = "Rubble"
CLOSE_COMBAT = "Close Combat"
NAMES = tuple(side.word for side in Side)


class HitsOutcome(Outcome):
    """Whether anybody was hit."""

    HITS = "hits"
    NONE = "none", "no hit"


class LossesOutcome(Outcome):
    """What hits come to."""

    REDUCED = "reduced"
    WIPED_OUT = "wiped_out"
    UNHURT = "unhurt"


class CloseOutcome(Outcome):
    """Who is left in the attacked hex."""

    ATTACKER_WINS = "attacker_wins"
    DEFENDER_HOLDS = "defender_holds"
    BOTH_GONE = "both_gone"


class RubbleOutcome(Outcome):
    """Whether a marker is laid."""

    RUBBLE = "rubble"
    NONE = "none", "no Rubble"


class AdvanceOutcome(Outcome):
    """Whether anybody enters the empty hex."""

    MUST_ADVANCE = "must_advance"
    NOBODY_LEFT = "nobody_left"


# The sequence


def answer_combat(
    *,
    charts: Book,
    attacker: Side = Side.GERMAN,
    hasty: bool = False,
    terrain: Terrain = Terrain.CLEAR,
    soviet_hand: int = 0,
    german_card: bool = False,
    chuikov: bool = False,
    hoth: bool = False,
    attacker_wins: bool = False,
    german_types: tuple[Kind, ...] = (),
    soviet_types: tuple[Kind, ...] = (),
    soviet_passes: bool = False,
    soviets_gone: bool = False,
) -> Result:
    """Which of the thirteen steps apply, and who rolls first (Combat Sequence; Hoth; B04)."""
    fight = Fight(
        attacker,
        not hasty,
        terrain,
        soviet_card=soviet_hand > 0 and not soviet_passes,
        german_card=german_card,
        chuikov=chuikov,
        hoth=hoth,
        attacker_wins=attacker_wins,
        soviets_gone=soviets_gone,
    )
    steps = list_steps(fight)
    bonus = firing.has_combined_force(hoth, terrain, tuple(german_types), tuple(soviet_types))
    order = firing.find_order(terrain, bonus)
    effects = [f"{step}. {capitalize(STEPS[step])}." for step in steps]
    if german_card and 2 not in steps:
        effects.append("No German card: one is played in the Germans' own Deliberate Attack alone.")
    if bonus:
        effects.append("Combined Force Bonus: the Germans may roll first.")
    return Result(
        f"{_say_attack(fight)} on {terrain.word.lower()}: {without_capital(order.word, NAMES)}.",
        order,
        details={"steps": list(steps), "bonus": bonus, "order": order.value},
        effects=tuple(effects),
        follow_ups=tuple(_list_follow_ups(fight, steps, bonus)),
        rules=(SEQUENCE,),
        provenance=name_sources(charts, "steps", "hexes"),
    )


def _say_attack(fight: Fight) -> str:
    return f"{fight.attacker.word} {'Deliberate' if fight.deliberate else 'Hasty'} Attack"


def _list_follow_ups(fight: Fight, steps: tuple[int, ...], bonus: bool) -> list[FollowUp]:
    """The rolls of a combat in the order of its steps."""
    side = fight.attacker.value
    close: Json = {"attacker": side, "terrain": fight.terrain.value, "bonus": bonus}
    urban = {} if fight.terrain is Terrain.URBAN else {"not_urban": True}
    offered: dict[int, FollowUp] = {
        5: FollowUp("soviet-card", "Soviet card", {}),
        6: FollowUp("german-card", "German card", {"attacker": side}),
        8: FollowUp("hits", "Opportunity Fire", {"opportunity": True}),
        9: FollowUp("rubble", "Rubble Roll", urban),
        10: FollowUp("close-combat", "Close Combat", close),
        11: FollowUp("advance", "Advance", {"attacker": side, "advanced_into": fight.terrain.value}),
    }
    return [roll for step, roll in offered.items() if step in steps]


# Hits and losses


def answer_hits(
    *,
    charts: Book,
    fire: Fire = Fire.SINGLE,
    khrushchev: bool = False,
    fortified: bool = False,
    opportunity: bool = False,
    number: int = 0,
    faces: tuple[int, ...] | None = None,
) -> Result:
    """Dice of one Fire: how many hit, and how many ones hit the Soviets themselves (Firepower, Khrushchev; B13)."""
    need = firing.find_need(fire, khrushchev, fortified, opportunity)
    if faces is None:
        return waiting(f"Each die hits on {need} or more. Roll {count_of(number, 'die', 'dice')}.", "faces")
    hits, self_hits = firing.count_hits(faces, need), firing.count_self_hits(faces, khrushchev)
    tally = f"{count_of(hits, 'hit')}{f', {self_hits} on the Soviets themselves' if self_hits else ''}"
    effects = []
    if self_hits:
        effects.append("The ones reduce the revealed Soviets at once, the strongest first; Rubble does not help them.")
    if opportunity:
        effects.append("Opportunity Fire: one die for each Soviet Unit next to the attackers, blocks stay closed.")
    return Result(
        f"{count_of(len(faces), 'die', 'dice')}, {need} or more: {tally}.",
        HitsOutcome.HITS if hits else HitsOutcome.NONE,
        label=tally if hits or self_hits else "no hit",
        dice={"faces": tuple(faces)},
        details={"need": need, "hits": hits, "self_hits": self_hits},
        effects=tuple(effects),
        rules=(
            "Firepower",
            *(("Khrushchev",) if khrushchev else ()),
            *(("Soviet Fortifications",) if fortified else ()),
        ),
        provenance=name_sources(charts, "fire"),
    )


def answer_losses(
    *,
    charts: Book,
    strengths: tuple[int, ...] = (),
    hits: int = 0,
    rubble: bool = False,
    attacker_suffers: bool = False,
    ignores_rubble: bool = False,
) -> Result:
    """Hits on Units, the strongest first by then; Rubble halves those on the defender (Close Combat, Rubble; B05)."""
    if not any(strengths):
        raise BadInput({"strengths": "Give the strength of each Unit that may be hit: 4, 3, 3."})
    inflicted = firing.count_effective(hits, rubble, attacker_suffers, ignores_rubble)
    losses = firing.apply_hits(strengths, inflicted)
    next_places = [place + 1 for place in firing.find_strongest(losses.strengths_left)]
    if losses.are_gone:
        outcome = LossesOutcome.WIPED_OUT
    else:
        outcome = LossesOutcome.REDUCED if inflicted else LossesOutcome.UNHURT
    effects = [f"{count_of(hits, 'hit')} in Rubble: {inflicted} count."] if inflicted != hits else []
    if losses.ties:
        effects.append("Of Units as strong as each other the German player chooses.")
    return Result(
        f"{' '.join(map(str, strengths))} becomes {' '.join(map(str, losses.strengths_left))}.",
        outcome,
        details={
            "inflicted": inflicted,
            "left": list(losses.strengths_left),
            "destroyed": losses.destroyed,
            "unused": losses.unused,
            "next": next_places,
        },
        effects=tuple(effects),
        rules=(CLOSE_COMBAT, *((RUBBLE,) if rubble else ())),
    )


def answer_close_combat(
    *,
    charts: Book,
    attacker: Side = Side.GERMAN,
    terrain: Terrain = Terrain.CLEAR,
    rubble: bool = False,
    bonus: bool = False,
    german: tuple[int, ...] = (),
    soviet: tuple[int, ...] = (),
    german_hits: int = 0,
    soviet_hits: int = 0,
) -> Result:
    """Both sides' hits in their order (Combat Sequence 10, Close Combat, Rubble)."""
    problems = {
        name: "Give the strengths of these Units: 4, 3, 3."
        for name, units in (("german", german), ("soviet", soviet))
        if not units
    }
    if problems:
        raise BadInput(problems)
    order = firing.find_order(terrain, bonus)
    fought = firing.fight_closely(attacker, order, rubble, german, soviet, german_hits, soviet_hits)
    outcome = _find_close_outcome(fought, attacker)
    survivors = [strength for strength in fought.of(attacker).strengths_left if strength]
    about: Json = {"attacker": attacker.value, "survivors": survivors, "advanced_into": terrain.value}
    follow = (FollowUp("advance", "Advance", about),) if outcome is CloseOutcome.ATTACKER_WINS else ()
    return Result(
        f"Close Combat, {without_capital(order.word, NAMES)}: {outcome.word.lower()}.",
        outcome,
        details={
            "german": list(fought.german.strengths_left),
            "soviet": list(fought.soviet.strengths_left),
            "order": order.value,
        },
        effects=tuple(_tell_close_combat(fought, terrain, rubble)),
        follow_ups=follow,
        rules=(f"{SEQUENCE} 10", CLOSE_COMBAT, *((RUBBLE,) if rubble else ())),
        provenance=name_sources(charts, "hexes"),
    )


def _find_close_outcome(fought: firing.CloseCombat, attacker: Side) -> CloseOutcome:
    if not fought.of(attacker.other).are_gone:
        return CloseOutcome.DEFENDER_HOLDS
    return CloseOutcome.BOTH_GONE if fought.of(attacker).are_gone else CloseOutcome.ATTACKER_WINS


def _tell_close_combat(fought: firing.CloseCombat, terrain: Terrain, rubble: bool) -> Iterator[str]:
    for side in Side:
        if side not in fought.rolls:
            yield f"{side.word} Units were gone before they could roll."
    if rubble:
        yield "Rubble: of the attacker's hits two count as one, an odd one is lost."
    if rubble and terrain is not Terrain.URBAN:
        yield "Rubble lies in Urban hexes alone: look at the hex again."
    if fought.german.ties or fought.soviet.ties:
        yield "Of Units as strong as each other the German player chooses."


# Rubble


def answer_rubble(
    *,
    charts: Book,
    cards: tuple[GermanCard, ...] = (),
    hexes: int = 1,
    panzers: int = 0,
    richthofen: bool = False,
    airstrike_cancelled: bool = False,
    modifier: int | None = None,
    not_urban: bool = False,
    not_deliberate: bool = False,
    has_rubble: bool = False,
    placed: int = 0,
    own_rubble: int | None = None,
    hex: str = "",
    total: int | None = None,
) -> Result:
    """A Rubble Roll: more than 18 with all that adds to it (Rubble). ``own_rubble``: what the 672nd Pioneer adds.

    ``hex``: the one attacked, only for the record.
    """
    if modifier is None:
        own_values = read_own_card(cards, rubble=own_rubble)
        additions = list_additions(cards, hexes, panzers, richthofen, airstrike_cancelled, own_values)
        modifiers = without_zeroes(*additions)
    else:
        modifiers = without_zeroes(Modifier("Rubble Modifier as given", modifier, RUBBLE))
    added = add_up(modifiers)
    need = find_sum(added)
    details: Json = {"modifier": added, "need": need, "ways": count_ways(need), "rubble": False}
    obstacles = list_obstacles(not not_urban, not not_deliberate, has_rubble, placed)
    origins = name_sources(charts, "german_cards") + ((OWN_CARD,) if GermanCard.PIONEER_672 in cards else ())
    if obstacles:
        return Result(
            "No Rubble Roll.",
            RubbleOutcome.NONE,
            modifiers=modifiers,
            details=details,
            effects=obstacles,
            rules=(RUBBLE,),
            provenance=origins,
        )
    if total is None:
        chance = f"{details['ways']} of 216"
        return waiting(f"Rubble from {need} on, {chance}. Roll 3d6.", "total", modifiers=modifiers, details=details)
    is_laid = makes_rubble(total, added)
    return Result(
        f"Rubble Roll, {total + added}: {'Rubble' if is_laid else 'no Rubble'}.",
        RubbleOutcome.RUBBLE if is_laid else RubbleOutcome.NONE,
        dice={"total": total},
        modified=total + added,
        modifiers=modifiers,
        details=details | {"rubble": is_laid},
        effects=("Lay the marker now: it halves the attacker's hits in this very Close Combat.",) if is_laid else (),
        rules=(RUBBLE, f"{SEQUENCE} 9"),
        provenance=origins,
    )


# The advance


def answer_advance(
    *,
    charts: Book,
    attacker: Side = Side.GERMAN,
    survivors: tuple[int, ...] = (),
    hoth: bool = False,
    unit: Kind = Kind.PANZER,
    advanced_into: Terrain = Terrain.CLEAR,
    target_terrain: Terrain = Terrain.CLEAR,
    target_has_soviets: bool = False,
    hex: str = "",
) -> Result:
    """Who enters the empty hex, and whether a Unit goes on by Blitz (Advance after Combat, Blitz Movement; B23)."""
    advance = find_advance(attacker, survivors)
    candidates = [place + 1 for place in advance.candidates]
    can_blitz = attacker is Side.GERMAN and may_blitz(hoth, unit, advanced_into, target_terrain, target_has_soviets)
    blitz = bool(candidates) and can_blitz
    details: Json = {"min": advance.least, "max": advance.most, "candidates": candidates, "blitz": blitz}
    if not candidates:
        return Result(
            "Nobody is left to advance.",
            AdvanceOutcome.NOBODY_LEFT,
            details=details,
            rules=("Advance after Combat",),
        )
    takes = is_enemy_spawn(attacker, hex)
    follow = (FollowUp("capture", f"Cards for {hex}", {"side": attacker.value, "hex": hex}),) if takes else ()
    return Result(
        f"{attacker.word} advance: {_say_advance(attacker, advance.most, len(candidates))}.",
        AdvanceOutcome.MUST_ADVANCE,
        details=details,
        effects=tuple(_tell_advance(attacker, candidates, unit, blitz, hoth)),
        follow_ups=follow,
        rules=("Advance after Combat", *(("Blitz Movement",) if hoth else ())),
        provenance=name_sources(charts, "hexes"),
    )


def _say_advance(attacker: Side, most: int, several: int) -> str:
    if attacker is Side.GERMAN:
        return "1 Unit" if most == 1 else f"1 to {most} Units of any attacking Stacks"
    return "the strongest Unit" if several == 1 else "one of the strongest Units, as the German player says"


def _tell_advance(attacker: Side, candidates: list[int], unit: Kind, blitz: bool, hoth: bool) -> list[str]:
    effects = ["The hex changes control at once."]
    if attacker is Side.SOVIET and len(candidates) > 1:
        effects.append(f"Units {join_words(map(str, candidates), 'or')} of the list are as strong.")
    if hoth and attacker is Side.GERMAN:
        effects.append(f"{unit.word}: {'may go one hex on by Blitz' if blitz else 'no Blitz'}.")
    return effects
