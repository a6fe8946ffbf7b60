"""Who may move in reserve, and who by deployment (8.2 Deployment Movement, 8.3 Reserves Movement)."""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Result

from .terms import Side

TOO_NEAR = 2  # hexes from an enemy at which deployment must not end (8.24)


def reserves(
    *,
    charts: Book,
    side: Side,
    within_3: bool,
    pinned: bool,
    attacked_by_direct_fire: bool,
    opportunity_fired: bool,
    with_house_leader: bool,
    with_or_adjacent_leader: bool,
    starts_in_zoc: bool,
    stacked_with_leader: bool,
    soviet_leader: bool = False,
) -> Result:
    """Whether a unit may move in its side's Reserves Movement Phase (8.31 to 8.33, 18.22).

    soviet_leader: it is one, and neither a ZOC, an attack nor a P stops it.
    with_house_leader: stacked with Pavlov, Herman or a commissar. with_or_adjacent_leader: with or beside another.
    """
    is_soviet = side is Side.SOVIET
    is_soviet_leader = is_soviet and soviet_leader
    rule, movement_phase = ("8.32", 3) if is_soviet else ("8.31", 10)
    reasons = [] if within_3 else [f"{rule}: no attack marker within 3 hexes."]
    reasons += [f"{rule}: it is pinned."] if pinned and not is_soviet_leader else []
    reasons += [f"{rule}: enemy direct fire attacks it."] if attacked_by_direct_fire and not is_soviet_leader else []
    reasons += [f"{rule}: it fired in phase {movement_phase}."] if opportunity_fired else []
    if is_soviet and not is_soviet_leader:
        if not (with_house_leader or with_or_adjacent_leader or stacked_with_leader):
            reasons.append("8.32: no leader with it or beside it.")
        if starts_in_zoc and not (with_house_leader or stacked_with_leader):
            reasons.append("8.32: it starts in an enemy ZOC, and no leader is with it.")
    return allow_or_refuse(
        "Reserves movement",
        reasons,
        (rule, *(("8.33",) if is_soviet_leader else ()), *(("18.22",) if is_soviet else ())),
    )


def deployment(
    *,
    charts: Book,
    starts_in_zoc: bool,
    enters_zoc: bool,
    clear_hex_in_range: bool,
    ends_at_distance: int,
    passes_nearest_friend: bool,
) -> Result:
    """Whether a unit may use deployment movement (8.24).

    ends_at_distance: from the nearest enemy, in hexes. clear_hex_in_range: it enters one in range of enemy direct fire.
    """
    reasons = ["8.24: it starts in an enemy ZOC."] if starts_in_zoc else []
    reasons += ["8.24: it enters an enemy ZOC."] if enters_zoc else []
    reasons += ["8.24: it enters a clear hex in range of enemy direct fire."] if clear_hex_in_range else []
    reasons += [f"8.24: it ends within {TOO_NEAR} hexes of an enemy."] if ends_at_distance <= TOO_NEAR else []
    reasons += ["8.24: it comes nearer the enemy than the nearest friend."] if passes_nearest_friend else []
    return allow_or_refuse("Deployment movement", reasons, ("8.21", "8.22", "8.24"))
