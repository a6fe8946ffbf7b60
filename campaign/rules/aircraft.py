"""When a group of aircraft flies in a campaign (20.3.3); what it does over the map is decided in the game's flights."""

from collections.abc import Collection

from firefight.games.combat_stalingrad.rules.objections import Objection

from .rosters import Time


def find_time_objection(name: str, times: Collection[Time], time: Time) -> Objection | None:
    """What speaks against a roll at this time of day. ``times``: at which the group flies, all if empty."""
    if times and time not in times:
        return Objection(f"{name} flies at {' and '.join(times)} only.", "20.3.3")
    return None
