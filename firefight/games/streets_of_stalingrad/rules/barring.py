"""What bars a roll at the table: its phase, what is used up, an army without its commander (4.3, 9.14, 10.2, 18.52)."""

from collections.abc import Iterable, Iterator

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.text import join_numbers, join_words
from firefight.engine.values import Values

from .answering import Ground
from .battle import KEY, Battle, is_breakthrough, read_battle
from .becoming import arm_of
from .defensive_fire import FireKind, bar_bystanders
from .limits import breakthrough
from .phases import Action, find_phase, phases_of
from .record import COMMANDERS, HQ, INTERDICTED, LOST, PRESENT, TERRAIN_TOLD, WOUNDED
from .spending import ATTACK, ATTACKS, breaks_through, find_reasons
from .terms import Side, Terrain

COMMANDERS_OF = {Side.GERMAN.value: ("paulus", "seydlitz"), Side.SOVIET.value: ("chuikov",)}


def check_fire(slug: str, inputs: Values, situation: TableState) -> None:
    """Raise BadInput with all that speaks against a fire: what is used up, and what bars an attack now."""
    reasons = find_reasons(slug, inputs, situation)
    if slug in ATTACKS:
        reasons |= dict(_bar_attack(slug, inputs, situation))
    elif slug == "defensive-fire":
        reasons |= dict(_bar_defenders(inputs, situation))
    if reasons:
        raise BadInput(reasons)


def _bar_attack(slug: str, inputs: Values, situation: TableState) -> Iterator[tuple[str, str]]:
    side = Side(inputs.get("firer") or Side.GERMAN)
    reason = say_leaderless(side.value, situation)
    if not inputs.get(KEY):  # a step of an attack was declared in its phase
        reason = say_out_of_phase(side, is_breakthrough(inputs), situation) or reason
    if reason:
        yield "firer", reason
    elif slug == "attack" and breaks_through(inputs, situation) and (reason := _say_no_way_through(inputs, situation)):
        yield "terrain", reason
    elif slug == "battle" and breaks_through(inputs, situation) and not inputs.get("breakthrough"):
        yield "breakthrough", "In a movement phase every attack breaks through: tick that (10.1)."
    elif slug == "battle" and breaks_through(inputs, situation) and _is_interdicted(inputs, situation):
        yield "hex", "The hex is interdicted: no breakthrough attack (10.2, 14.84)."


def _bar_defenders(inputs: Values, situation: TableState) -> Iterator[tuple[str, str]]:
    """Each unit fires at one attacking hex (9.56). Units that nobody attacks defend others only against attackers in
    the open, and not under an attack marker of their own (9.601, 9.602)."""
    ground, battle = Ground(situation), read_battle(inputs)
    firing = ground.pick([row["id"] for row in inputs.get("by") or () if row.get("id")])
    if battle is None or inputs.get("kind") == FireKind.OPPORTUNITY:
        return
    units = [piece for piece in firing if not arm_of(piece.counter, piece.kind).is_leader]
    if used := [piece.counter.name for piece in units if piece.counter.id in battle.firer_ids]:
        yield "by", f"{join_words(used)}: fired at another hex already, and each unit fires at one alone (9.56)."
    bystanders = _list_bystanders(battle, firing)
    marked = [piece.counter.name for piece in bystanders if ground.bears(piece.counter.place, ATTACK)]
    if marked:
        yield "by", f"{join_words(marked)}: under an attack marker, so they fire at their own attackers only (9.602)."
    terrain = Terrain(inputs.get("terrain") or Terrain.CLEAR)
    if bystanders and (reason := bar_bystanders(terrain, [piece.counter.name for piece in bystanders])):
        yield "terrain", reason


def _list_bystanders(battle: Battle, firing: Iterable[Piece]) -> list[Piece]:
    """The defending firers, except guns, that stand outside the hex that is attacked; none unless its hex is
    known."""
    direct = (piece for piece in firing if not arm_of(piece.counter, piece.kind).is_indirect)
    return [piece for piece in direct if battle.hex and piece.counter.place not in ("", battle.hex)]


def say_out_of_phase(side: Side, breaks: bool, situation: TableState) -> str:
    """Why a side does not attack in this phase, "" where it may (4.3, 9.01, 10.1). breaks: as declared."""
    number = int(situation.position.phase)
    attacks, through = phases_of(Action.ATTACK, side), phases_of(Action.BREAKTHROUGH_ATTACK, side)
    if number in through or (number in attacks and not breaks):
        return ""
    when = f"attacks in phases {join_numbers(attacks)}, breaks through in {join_numbers(through)}"
    return f"The {side.word} side {when}: this is phase {number} (4.3, 10.1)."


def _is_interdicted(inputs: Values, situation: TableState) -> bool:
    place = TERRAIN_TOLD.read_place(inputs.get("hex"))
    markers = situation.record["markers"]
    return bool(place) and any(row["hex"] == place and row["marker"] == INTERDICTED for row in markers)


def _say_no_way_through(inputs: Values, situation: TableState) -> str:
    """Why a hex cannot be broken into, by what the attack's form says about it (10.2)."""
    barred = breakthrough(
        charts=situation.book,
        terrain=Terrain(inputs.get("terrain") or Terrain.CLEAR),
        crosses_wall_or_balka=False,
        interdicted=_is_interdicted(inputs, situation),
        nobody_adjacent=bool(inputs.get("not_adjacent") or inputs.get("only_indirect_left")),
        pinned_or_spent_in_attack=False,
        already_this_phase=False,
    )
    return " ".join(barred.effects)


def say_leaderless(side: str, situation: TableState) -> str:
    """Why a side may not attack for want of its commanders (18.52, 18.54), "" where it may.

    A commander who has never entered bars nothing: the scenario's card says whether he has to be there yet (S-61).
    """
    record, turn = situation.record, situation.position.turn
    rule = "18.52" if side == Side.SOVIET.value else "18.54"
    for name in COMMANDERS_OF[side]:
        fate, since = record["commanders"][name], record["commanders_since"][name]
        word = COMMANDERS[name][0].upper() + COMMANDERS[name][1:]
        if fate in (WOUNDED, LOST):
            return f"No attack while neither {word} nor his HQ is on the map ({rule})."
        if fate in (PRESENT, HQ) and since == turn:
            return f"No attack before the turn after {word} or his HQ has arrived ({rule})."
    return ""


def check_infiltration(inputs: Values, situation: TableState) -> None:
    """Raise BadInput outside the Soviet Exploit Attack Phase, and where no Soviet attack is allowed (13.1, 18.52)."""
    reason = _say_not_now(Action.INFILTRATION, "Herman infiltrates", "13.1", situation)
    if reason := reason or say_leaderless(Side.SOVIET.value, situation):
        raise BadInput({"date": reason})


def check_dog(inputs: Values, situation: TableState) -> None:
    """Raise BadInput outside the German phases in which mine dogs attack (16.21). A step of an attack is in its own."""
    if not inputs.get(KEY) and (reason := _say_not_now(Action.MINE_DOG, "Mine dogs attack", "16.21", situation)):
        raise BadInput({"by": reason})


def _say_not_now(action: Action, what: str, rule: str, situation: TableState) -> str:
    """Why the Soviet does not do that in this phase, "" where he may."""
    phase, phases = int(situation.position.phase), phases_of(action, Side.SOVIET)
    name = "phase" if len(phases) == 1 else "phases"
    return "" if phase in phases else f"{what} in {name} {join_numbers(phases)} alone ({rule}): this is phase {phase}."


def check_passage(inputs: Values, situation: TableState) -> None:
    """Raise BadInput where that side does not move in this phase (4.3, 11.1)."""
    side, phase = Side(inputs.get("side") or Side.GERMAN), find_phase(int(situation.position.phase))
    if not phase.kind.moves or phase.side != side.value:
        raise BadInput({"side": f"The {side.word} side does not move in phase {phase.number} (4.3, 11.1)."})


def check_crossing(inputs: Values, situation: TableState) -> None:
    """Raise BadInput where nobody has said which arrow it is, or those who crossed before are left out (8.66)."""
    if inputs.get("no_arrow"):
        return
    if not inputs.get("arrow"):
        raise BadInput({"arrow": "Which landing arrow, 1 to 19? Or tick that there is none."})
    crossed = situation.record["crossed"].get(str(inputs["arrow"]), {})
    numbers = {"phase": inputs.get("combat_this_phase") or 0}
    numbers["turn"] = max(numbers["phase"], inputs.get("combat_this_turn") or 0)
    for period, number in numbers.items():
        before = crossed.get(period, 0)
        if number < before:
            words = f"{before} have crossed there in this {period} already: count these too (8.66)."
            raise BadInput({f"combat_this_{period}": words})
