"""Cards as they are played: German ones, Soviet ones, and which Units they hit."""

from collections.abc import Mapping, Sequence

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result, Source, waiting
from firefight.engine.text import count_of, join_words, without_capital
from firefight.engine.values import Json

from ..rules.cards import (
    Marksman,
    SovietEffect,
    Victim,
    bring_unit,
    count_soviet_dice,
    count_strikes,
    find_surplus,
    find_targets,
    is_cancelled,
    is_coastal,
    is_soviet_leader,
    land_marine,
    list_card_objections,
    sum_up_cards,
)
from ..rules.charts import OWN_CARD, name_sources
from ..rules.fire import count_hits, find_need
from ..rules.tables import (
    AIRSTRIKES,
    GERMAN_LEADERS,
    CardValue,
    Fire,
    GermanCard,
    Side,
    SovietCard,
)

SUPPORT = "German Support Cards"


class PlayOutcome(Outcome):
    """What becomes of a German card."""

    PLAYED = "played"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class TargetOutcome(Outcome):
    """Whether anybody can be hit."""

    HIT = "hit"
    NOBODY = "nobody"


def read_own_card(
    cards: Sequence[GermanCard], dice: int | None = 0, rubble: int | None = 0
) -> Mapping[GermanCard, CardValue]:
    """What the 672nd Pioneer card is worth, which only the card says. Raises BadInput until players have given it."""
    if GermanCard.PIONEER_672 not in cards:
        return {}
    printed = {"own_dice": dice, "own_rubble": rubble}
    blank = {name: "Read it off the 672nd Pioneer card." for name, value in printed.items() if value is None}
    if blank:
        raise BadInput(blank)
    return {GermanCard.PIONEER_672: CardValue(dice or 0, rubble or 0)}


# German cards


def answer_german_card(
    *,
    charts: Book,
    cards: tuple[GermanCard, ...] = (),
    attacker: Side = Side.GERMAN,
    hasty: bool = False,
    linden: bool = False,
    richthofen: bool = False,
    soviet_card: SovietCard | None = None,
    aa_regiment: bool = False,
    own_dice: int | None = None,
    own_rubble: int | None = None,
    faces: tuple[int, ...] | None = None,
) -> Result:
    """Whether cards may be played, and what they come to (German Support Cards, Linden, Von Richthofen, AA; B10)."""
    if not cards:
        raise BadInput({"cards": "Choose the card, or the Pioneers, that the Germans play."})
    if surplus := find_surplus(cards):
        raise BadInput({"cards": f"The deck has fewer of {join_words(card.word for card in surplus)}."})
    reasons = list_card_objections(cards, attacker is Side.GERMAN and not hasty, linden)
    if reasons:
        return _refuse_cards(charts, cards, reasons)
    cancelled = is_cancelled(cards, soviet_card, aa_regiment)
    worth = CardValue() if cancelled else sum_up_cards(cards, richthofen, read_own_card(cards, own_dice, own_rubble))
    rolled = faces if worth.dice else None
    hits = None if rolled is None else count_hits(rolled, find_need(Fire.TRIPLE))
    fire = Fire.TRIPLE.value if worth.dice else None
    details = {**_card_details(True, worth, cancelled), "fire": fire, "hits": hits}
    return Result(
        f"{_say_cards(cards)}: {_say_worth(worth, cancelled, hits)}.",
        PlayOutcome.CANCELLED if cancelled else PlayOutcome.PLAYED,
        label="" if hits is None else count_of(hits, "hit"),
        dice={} if rolled is None else {"faces": tuple(rolled)},
        details=details,
        effects=tuple(_tell_cards(cards, cancelled)),
        follow_ups=_find_marksman(cards),
        rules=(SUPPORT, *(("Linden",) if linden else ()), *(("Von Richthofen",) if richthofen else ())),
        provenance=_name_card_sources(charts, cards),
    )


def _card_details(allowed: bool, worth: CardValue, cancelled: bool) -> Json:
    about: Json = {"allowed": allowed, "dice": worth.dice, "fire": None, "rubble": worth.rubble}
    return about | {"cancelled": cancelled, "hits": None}


def _refuse_cards(charts: Book, cards: Sequence[GermanCard], reasons: tuple[str, ...]) -> Result:
    return Result(
        f"{_say_cards(cards)}: refused.",
        PlayOutcome.REFUSED,
        details=_card_details(False, CardValue(), False),
        effects=reasons,
        rules=(SUPPORT, "Linden"),
        provenance=_name_card_sources(charts, cards),
    )


def _name_card_sources(charts: Book, cards: Sequence[GermanCard]) -> tuple[Source, ...]:
    own_source = (OWN_CARD,) if GermanCard.PIONEER_672 in cards else ()
    return (*name_sources(charts, "german_cards", "fire"), *own_source)


def _say_cards(cards: Sequence[GermanCard]) -> str:
    counted = {card: list(cards).count(card) for card in cards}
    return join_words(card.word if number == 1 else f"{number} {card.word}s" for card, number in counted.items())


def _say_worth(worth: CardValue, cancelled: bool, hits: int | None) -> str:
    if cancelled:
        return "cancelled, and so is its Rubble Modifier"
    if not worth.dice:
        return "played"
    return f"{worth.dice} dice, Rubble +{worth.rubble}" if hits is None else f"{count_of(hits, 'hit')}"


def _tell_cards(cards: Sequence[GermanCard], cancelled: bool) -> list[str]:
    effects = []
    if any(card in GERMAN_LEADERS for card in cards):
        effects.append("A leader is in play as soon as he is drawn, for good.")
    if not cancelled and any(card not in (*GERMAN_LEADERS, GermanCard.SNIPER, GermanCard.PAK) for card in cards):
        effects.append("Hits on 4 and more, applied at once; Rubble in the hex halves them.")
    if cancelled and AIRSTRIKES.intersection(cards):
        effects.append("The card is discarded all the same.")
    return effects


def _find_marksman(cards: Sequence[GermanCard]) -> tuple[FollowUp, ...]:
    marksmen = {GermanCard.SNIPER: Marksman.GERMAN_SNIPER, GermanCard.PAK: Marksman.PAK}
    return tuple(
        FollowUp("targets", f"Whom the {card.word} hits", {"card": marksmen[card].value})
        for card in cards
        if card in marksmen
    )


# Soviet cards


def answer_soviet_card(
    *,
    charts: Book,
    card: SovietCard = SovietCard.TOMMY_GUNNER,
    soviet_hex: str = "3",
    zaytsev: bool = False,
    german_in_landing: bool = False,
    soviets_in_landing: int = 0,
    landing_german: bool = False,
    marines_left: int = 2,
    stack: int = 1,
    pool: int = 1,
    aa_hex: str = "",
    faces: tuple[int, ...] | None = None,
) -> Result:
    """What a Soviet card comes to, in full, before the German card (Soviet Leader Cards, Soviet Support Cards).

    ``soviet_hex``: the Soviet hex of the combat, attacking or attacked. ``faces``: of Tommy Gunner and Flotilla.
    """
    coastal = is_coastal(soviet_hex)
    details: Json = {
        "dice": count_soviet_dice(card),
        "fire": None,
        "coastal": coastal,
        "hits": None,
        "landing": None,
        "strikes": count_strikes(card, zaytsev),
        "rubble_hex": None,
    }
    if details["dice"]:
        if faces is None:
            return waiting(f"{card.word}: roll {details['dice']} dice.", "faces", details=details)
        if len(faces) != details["dice"]:
            raise BadInput({"faces": f"{card.word} throws {details['dice']} dice, not {len(faces)}."})
        if card is SovietCard.TOMMY_GUNNER or coastal:
            return _fire_soviet_card(charts, card, details, faces)
        landed = land_marine(german_in_landing, soviets_in_landing, marines_left)
        return _tell_landing(charts, details, faces, landed, landing_german)
    return _settle_soviet_card(charts, card, details, bring_unit(stack, pool), aa_hex)


def _answer_effect(
    charts: Book,
    headline: str,
    effect: SovietEffect,
    details: Json,
    *effects: str,
    faces: tuple[int, ...] = (),
    label: str = "",
    follow_ups: tuple[FollowUp, ...] = (),
) -> Result:
    return Result(
        headline,
        effect,
        details=details,
        effects=effects,
        rules=("Soviet Leader Cards",) if effect is SovietEffect.LEADER else ("Soviet Support Cards",),
        provenance=name_sources(charts, "soviet_cards"),
        dice={"faces": faces} if faces else {},
        label=label,
        follow_ups=follow_ups,
    )


def _fire_soviet_card(charts: Book, card: SovietCard, details: Json, faces: tuple[int, ...]) -> Result:
    hits = count_hits(faces, find_need(Fire.DOUBLE))
    fire_details = details | {"fire": Fire.DOUBLE.value, "hits": hits}
    head = f"{card.word}: {count_of(hits, 'hit')}."
    apply = "Hits fall on the strongest Germans at once; in Rubble that Soviets attack they are halved."
    return _answer_effect(
        charts, head, SovietEffect.HITS, fire_details, apply, faces=tuple(faces), label=count_of(hits, "hit")
    )


def _tell_landing(
    charts: Book, details: Json, faces: tuple[int, ...], landed: SovietEffect, landing_german: bool
) -> Result:
    hex = str(sum(faces))
    effect = {
        SovietEffect.MARINE: "A Marine lands at random strength: spin the block.",
        SovietEffect.CARD: "Draw another card into the Soviet hand.",
        SovietEffect.NO_EFFECT: "Germans are in the hex: the card has no effect.",
    }[landed]
    more = ("The hex becomes Soviet.",) if landing_german and landed is SovietEffect.MARINE else ()
    head = f"Volga River Flotilla at hex {hex}: {without_capital(landed.word)}."
    follow = (FollowUp("deploy", f"Marine in {hex}", {}),) if landed is SovietEffect.MARINE else ()
    landing_details = details | {"landing": hex}
    return _answer_effect(charts, head, landed, landing_details, effect, *more, faces=tuple(faces), follow_ups=follow)


def _settle_soviet_card(charts: Book, card: SovietCard, details: Json, comes: SovietEffect, aa_hex: str) -> Result:
    """A card without dice."""
    if is_soviet_leader(card):
        effect = "He is in play from now on, for good."
        return _answer_effect(charts, f"{card.word} comes into play.", SovietEffect.LEADER, details, effect)
    if card is SovietCard.AA:
        return _shoot_airstrike_down(charts, details, aa_hex)
    if strikes := details["strikes"]:
        by = Marksman.SOVIET_SNIPER if card is SovietCard.SNIPER else Marksman.ANTI_TANK
        follow = tuple(FollowUp("targets", f"Whom the {by.word} hits", {"card": by.value}) for _ in range(strikes))
        head = f"{card.word}: {count_of(strikes, 'step')} off the strongest{', one after the other' * (strikes > 1)}."
        effect = "It ignores Rubble; ties are the German player's choice."
        return _answer_effect(charts, head, SovietEffect.STRIKES, details, effect, follow_ups=follow)
    kind = "Infantry" if card is SovietCard.INFILTRATION else "Tank"
    if comes is SovietEffect.CARD:
        effect = "Draw another card into the Soviet hand."
        return _answer_effect(charts, f"{card.word}: no room or no {kind} left.", comes, details, effect)
    effect = "It fights at once: reveal it, and adjust a block without dots."
    follow = (FollowUp("deploy", f"{kind} at random strength", {}),)
    head = f"{card.word}: a random {kind} comes into the Soviet hex."
    return _answer_effect(charts, head, comes, details, effect, follow_ups=follow)


def _shoot_airstrike_down(charts: Book, details: Json, hex: str) -> Result:
    """AA lays Rubble, even without an airstrike; never two in a hex, nor a sixteenth (AA; B06)."""
    place = f"hex {hex}" if hex else "the hex that the card names"
    laid = f"Lay Rubble in {place} at once, unless there is some, or all 15 markers lie."
    head = "AA: an airstrike is cancelled, with its Rubble Modifier."
    aa_details = details | {"rubble_hex": hex or None}
    return _answer_effect(charts, head, SovietEffect.AIRSTRIKE_CANCELLED, aa_details, laid)


# Targets


def answer_targets(
    *, charts: Book, card: Marksman = Marksman.SOVIET_SNIPER, victims: tuple[Victim, ...] = ()
) -> Result:
    """Which Unit may be hit: the strongest of the right kind (Sniper, Anti-Tank, Pak, 20th Destroyer Brigade; B41)."""
    if not victims:
        raise BadInput({"victims": "Give the Units that stand before it, each with its kind and strength."})
    places = [place + 1 for place in find_targets(card, victims)]
    names = join_words((f"{victims[place - 1]} (number {place})" for place in places), "or")
    choice = ("As strong as each other: the German player chooses.",) if len(places) > 1 else ()
    spent = "The card is spent without effect, and none is drawn for it."
    return Result(
        f"{card.word}: {f'one step off {names}' if places else 'nobody of that kind'}.",
        TargetOutcome.HIT if places else TargetOutcome.NOBODY,
        details={"targets": places},
        effects=(*choice, "Rubble does not help." if places else spent),
        rules=("Card Decks",),
    )
