"""Play a game many times without a table: how it ends, how long it takes, and whether all invariants hold."""

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
        **options_given: object,
    ) -> None:
        found_game = registry.games().get(game)
        rehearsal = registry.find_rehearsal(game) if found_game else None
        if found_game is None or rehearsal is None:
            can = ", ".join(slug for slug in registry.games() if registry.find_rehearsal(slug))
            raise CommandError(f"“{game}” cannot be rehearsed. These can: {can or 'none'}.")
        if read:
            return self.read(read)
        policy = policy or next(iter(rehearsal.policies))
        if policy not in rehearsal.policies:
            raise CommandError(f"There is no policy “{policy}”; there are: {', '.join(rehearsal.policies)}.")
        numbers, options = read_seeds(seeds), read_agreed(found_game, rehearsal, agreed)
        start = time.perf_counter()
        try:
            if write:
                if not isinstance(rehearsal, ConductedRehearsal):
                    raise CommandError(f"A golden game is of a game that the app leads, unlike {found_game.title}.")
                if len(numbers) != 1:
                    raise CommandError("A golden game is of one seed: --seeds 7.")
                text, golden_game = golden.write_golden(found_game, rehearsal, policy, numbers[0], options)
                write_game(Path(write), text)
                played = [golden_game]
            else:
                played = rehearse(game, policy, numbers, options, max(jobs, 1), not quick)
        except BrokenRehearsal as error:
            raise CommandError(str(error)) from error
        head = {"game": game, "policy": policy, "seeds": [numbers[0], numbers[-1]], "agreed": options}
        tally = {**head, **count_played(played), "seconds": round(time.perf_counter() - start, 2)}
        self.stdout.write(
            json.dumps(tally, ensure_ascii=False, indent=1) if options_given["json"] else tell_tally(tally)
        )
        if tally["flaws"]["number"]:
            raise CommandError(f"{tally['flaws']['number']} times something did not hold.")

    def read(self, files: list[str]) -> None:
        """Play golden games again. Raises CommandError if one goes differently now."""
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


def write_game(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None


def read_seeds(typed: str) -> range:
    """Seeds as they are typed: "7", "1-1000". Raises CommandError.

    >>> read_seeds("1-1000"), read_seeds("7")
    (range(1, 1001), range(7, 8))
    """
    first, _, last = typed.partition("-")
    if not (first.isascii() and first.isdigit() and (last or "0").isascii() and (last or "0").isdigit()):
        raise CommandError("Give seeds as 1-1000, or one alone.")
    seeds = range(int(first[:18]), int((last or first)[:18]) + 1)
    if not 0 < len(seeds) <= MOST_GAMES:
        raise CommandError(f"Give one seed at least, and {MOST_GAMES:,} at most.")
    return seeds


def read_agreed(game: Game, rehearsal: Rehearsal, typed: list[str]) -> dict[str, str]:
    """What was agreed: the usual choices, then the rehearsal's, then those typed. Raises CommandError."""
    choices_of = {option.slug: tuple(option.choices) for option in game.all_options}
    choices_of |= {name: tuple(choices) for name, choices in rehearsal.terms.items()}
    agreed = {option.slug: option.usual for option in game.all_options}
    agreed |= {name: choices[0] for name, choices in rehearsal.terms.items()} | dict(rehearsal.agreed)
    for choice_typed in typed:
        name, _, choice = choice_typed.partition("=")
        if choice not in choices_of.get(name, ()):
            offered = "; ".join(f"{name}={'|'.join(choices)}" for name, choices in choices_of.items())
            raise CommandError(f"“{choice_typed}” cannot be agreed. These can: {offered or 'nothing'}.")
        agreed[name] = choice
    return agreed


def tell_tally(tally: Json) -> str:
    """The tally as a player reads it."""
    lines = [f"{tally['games']} games of {tally['policy']} in {tally['seconds']} s"]
    lines += [f"{outcome['share']:7.1%}  {name} ({outcome['games']})" for name, outcome in tally["outcomes"].items()]
    spreads = {**tally["length"], **tally["measures"]}
    lines += [
        f"{name}: {', '.join(f'{at} {value}' for at, value in spread.items())}" for name, spread in spreads.items()
    ]
    lines += [
        f"Seed {flaw['seed']}, step {flaw['step']}, {flaw['what']}: {flaw['words']}" for flaw in tally["flaws"]["first"]
    ]
    return "\n".join(lines)
