"""Play a game many times without a table: how it ends, how long it takes, whether all holds that must hold."""

import json
import os
import time
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from firefight.engine.values import Json
from firefight.games import golden, registry
from firefight.games.tallying import count_played, rehearse
from firefight.kit.game import Game
from firefight.kit.rehearsal import BrokenRehearsal, Rehearsal
from firefight.kit.rehearsing import ConductedRehearsal

MOST_GAMES = 1_000_000


class Command(BaseCommand):
    help = "Play a game by a policy once for each seed, and tally how that ends; or write and read golden games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="the game's slug")
        parser.add_argument("--policy", help="who decides; the first one that the game has, unless told")
        parser.add_argument("--seeds", default="1-100", help="from which to which, such as 1-1000, or one alone")
        parser.add_argument("--agreed", nargs="*", default=[], metavar="OPTION=CHOICE", help="what was agreed")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; one for each processor")
        parser.add_argument("--quick", action="store_true", help="do not check after every step what must hold")
        parser.add_argument("--json", action="store_true", help="tell it as JSON")
        parser.add_argument("--write", metavar="FILE", help="write the game of one seed there, as text")
        parser.add_argument("--read", metavar="FILE", nargs="+", help="play such games again, and tell what differs")

    def handle(
        self,
        *,
        game: str,
        policy: str | None,
        seeds: str,
        agreed: list[str],
        jobs: int,
        quick: bool,
        write: str | None,
        read: list[str] | None,
        **given: object,
    ) -> None:
        found = registry.games().get(game)
        rehearsal = registry.find_rehearsal(game) if found else None
        if found is None or rehearsal is None:
            can = ", ".join(slug for slug in registry.games() if registry.find_rehearsal(slug))
            raise CommandError(f"“{game}” cannot be rehearsed. These can: {can or 'none'}.")
        if read:
            return self.read(read)
        policy = policy or next(iter(rehearsal.policies))
        if policy not in rehearsal.policies:
            raise CommandError(f"There is no policy “{policy}”; there are: {', '.join(rehearsal.policies)}.")
        numbers, options = read_seeds(seeds), read_agreed(found, rehearsal, agreed)
        start = time.perf_counter()
        try:
            if write:
                if not isinstance(rehearsal, ConductedRehearsal):
                    raise CommandError(f"A golden game is of a game that the app leads, and {found.title} is none.")
                if len(numbers) != 1:
                    raise CommandError("A golden game is of one seed: --seeds 7.")
                text, one = golden.write_golden(found, rehearsal, policy, numbers[0], options)
                Path(write).write_text(text, encoding="utf-8")
                played = [one]
            else:
                played = rehearse(game, policy, numbers, options, max(jobs, 1), not quick)
        except BrokenRehearsal as error:
            raise CommandError(str(error)) from error
        head = {"game": game, "policy": policy, "seeds": [numbers[0], numbers[-1]], "agreed": options}
        told = {**head, **count_played(played), "seconds": round(time.perf_counter() - start, 2)}
        self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) if given["json"] else tell_tally(told))
        if told["flaws"]["number"]:
            raise CommandError(f"{told['flaws']['number']} times something did not hold.")

    def read(self, files: list[str]) -> None:
        """Play golden games again. Raises CommandError where one goes otherwise now."""
        differ = 0
        for file in files:
            try:
                differences = golden.find_differences(Path(file).read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError, golden.BadGolden) as error:
                raise CommandError(f"{file}: {error}") from error
            differ += bool(differences)
            self.stdout.write(
                "\n".join([f"{file}: {'goes otherwise now' if differences else 'as it was'}", *differences])
            )
        if differ:
            raise CommandError(f"{differ} of {len(files)} games go otherwise now.")


def read_seeds(typed: str) -> range:
    """Seeds as they are typed: "7", "1-1000". Raises CommandError.

    >>> read_seeds("1-1000"), read_seeds("7")
    (range(1, 1001), range(7, 8))
    """
    first, _, last = typed.partition("-")
    if not (first.isascii() and first.isdigit() and (last or "0").isascii() and (last or "0").isdigit()):
        raise CommandError("Give seeds as 1-1000, or one alone.")
    found = range(int(first[:18]), int((last or first)[:18]) + 1)
    if not 0 < len(found) <= MOST_GAMES:
        raise CommandError(f"Give one seed at least, and {MOST_GAMES:,} at most.")
    return found


def read_agreed(game: Game, rehearsal: Rehearsal, typed: list[str]) -> dict[str, str]:
    """What was agreed: the usual, what the rehearsal has, what was typed. Raises CommandError."""
    known = {option.slug: tuple(option.choices) for option in game.all_options}
    known |= {name: tuple(choices) for name, choices in rehearsal.terms.items()}
    found = {option.slug: option.usual for option in game.all_options}
    found |= {name: choices[0] for name, choices in rehearsal.terms.items()} | dict(rehearsal.agreed)
    for each in typed:
        name, _, choice = each.partition("=")
        if choice not in known.get(name, ()):
            offered = "; ".join(f"{name}={'|'.join(choices)}" for name, choices in known.items())
            raise CommandError(f"“{each}” cannot be agreed. These can: {offered or 'nothing'}.")
        found[name] = choice
    return found


def tell_tally(told: Json) -> str:
    """The tally as a player reads it."""
    lines = [f"{told['games']} games of {told['policy']} in {told['seconds']} s"]
    lines += [f"{each['share']:7.1%}  {name} ({each['games']})" for name, each in told["outcomes"].items()]
    spreads = {**told["length"], **told["measures"]}
    lines += [
        f"{name}: {', '.join(f'{at} {value}' for at, value in spread.items())}" for name, spread in spreads.items()
    ]
    lines += [
        f"Seed {each['seed']}, step {each['step']}, {each['what']}: {each['words']}" for each in told["flaws"]["first"]
    ]
    return "\n".join(lines)
