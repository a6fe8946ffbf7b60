"""What many games of a rehearsal come to: outcomes, lengths, what did not hold."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from statistics import fmean

from firefight.engine.values import Json
from firefight.kit.rehearsal import BrokenRehearsal, Played, Terms

from . import chartbooks, registry

MOST_FLAWS = 20  # told one by one
_PER_TASK = 10  # games that a process plays before it says what came of them


def rehearse(
    slug: str, policy: str, seeds: Sequence[int], options: Mapping[str, str], jobs: int = 1, is_checked: bool = True
) -> list[Played]:
    """Play a game by its slug once for each seed, in ``jobs`` processes. Raises BrokenRehearsal."""
    play = partial(_play, slug, policy, options, is_checked)
    if jobs == 1:
        return [play(seed) for seed in seeds]
    # A forked process knows the games already.
    context = get_context("fork" if "fork" in get_all_start_methods() else None)
    with ProcessPoolExecutor(jobs, context) as pool:
        return list(pool.map(play, seeds, chunksize=_PER_TASK))


def _play(slug: str, policy: str, options: Mapping[str, str], is_checked: bool, seed: int) -> Played:
    rehearsal = registry.find_rehearsal(slug)
    if rehearsal is None:
        raise BrokenRehearsal("This game cannot be rehearsed.")
    terms = Terms(registry.games()[slug], chartbooks.shipped(slug), options, is_checked)
    return rehearsal.play(policy, seed, terms)


def count_played(played: Sequence[Played]) -> Json:
    """Outcomes with their shares, the most frequent first; lengths and measures; what did not hold."""
    outcomes = Counter(game.outcome for game in played)
    measures = (
        {name: _spread([game.measures[name] for game in played]) for name in played[0].measures} if played else {}
    )
    flaws = [{"seed": game.seed, **asdict(flaw)} for game in played for flaw in game.flaws]
    return {
        "games": len(played),
        "outcomes": {
            name: {"games": number, "share": round(number / len(played), 4)} for name, number in outcomes.most_common()
        },
        "length": {name: _spread([getattr(game, name) for game in played]) for name in ("steps", "choices", "throws")},
        "measures": measures,
        "flaws": {"number": len(flaws), "first": flaws[:MOST_FLAWS]},
    }


def _spread(values: Iterable[int]) -> Json:
    """The least, the most, what 5, 50 and 95 in a hundred do not exceed, and the mean."""
    ordered = sorted(values)
    if not ordered:
        return {}
    percentiles = {f"{share} %": ordered[min(len(ordered) * share // 100, len(ordered) - 1)] for share in (5, 50, 95)}
    return {"least": ordered[0], **percentiles, "most": ordered[-1], "mean": round(fmean(ordered), 3)}
