"""A start for a new game: a copy of the smallest one, examples/two_bridges, under a name of its own."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

EXAMPLE = "two-bridges"
SLUG = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
LONGEST = 40
GAMES = re.compile(r'(?m)^ASSIST_GAMES = \[\n(?:    "[\w.]+",\n)*')


def words_for(slug: str) -> dict[str, str]:
    """A game's names for what the example calls itself: address, folder, title.

    >>> words_for("red-barricades")["Two Bridges"]
    'Red Barricades'
    """
    return {
        EXAMPLE: slug,
        EXAMPLE.replace("-", "_"): slug.replace("-", "_"),
        EXAMPLE.replace("-", " ").title(): slug.replace("-", " ").title(),
    }


def files_for(slug: str, root: Path) -> dict[Path, str]:
    """The files of a new game with their texts: its package, and its two documents. Raises CommandError."""
    example = root / "examples" / EXAMPLE.replace("-", "_")
    sources = sorted(path for path in example.rglob("*") if path.suffix in (".py", ".md", ".toml"))
    if not sources:
        raise CommandError(f"A game is written in a checkout: there is no {example.relative_to(root)} here.")
    room, documents = root / "firefight" / "games" / slug.replace("-", "_"), root / "docs" / "games" / slug
    files = {}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for word, new_word in words_for(slug).items():
            text = text.replace(word, new_word)
        files[(documents if path.suffix == ".md" else room) / path.relative_to(example)] = text
    return files


class Command(BaseCommand):
    help = "Write a further game that runs: its files, its two documents, and its line in the settings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="as it stands in addresses, such as red-barricades")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="the checkout to write it in")

    def handle(self, *, name: str, root: Path, **options: Any) -> None:
        if not re.fullmatch(SLUG, name, re.ASCII) or len(name) > LONGEST:
            raise CommandError(
                f"“{name}”: small letters, digits and single hyphens, at most {LONGEST}, such as {EXAMPLE}."
            )
        files, config = files_for(name, root), root / "config" / "settings.py"
        # A package would hide a module of the same name.
        targets = (target for path in files for target in (path.parent, path.parent.with_suffix(".py")))
        if obstacles := [target for target in targets if target.exists()]:
            raise CommandError(f"{obstacles[0].relative_to(root)} is there already. Nothing was written.")
        text = config.read_text(encoding="utf-8")
        games_list = GAMES.search(text)
        if games_list is None:
            raise CommandError("There is no list ASSIST_GAMES in config/settings.py. Nothing was written.")
        line = f'    "firefight.games.{name.replace("-", "_")}",\n'
        for path, written in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written, encoding="utf-8")
        config.write_text(text[: games_list.end()] + line + text[games_list.end() :], encoding="utf-8")
        for path in files:
            self.stdout.write(str(path.relative_to(root)))
        self.stdout.write("config/settings.py: one line more in ASSIST_GAMES")
        self.stdout.write("It runs: python manage.py play. docs/a-game.md goes on from here; tests/test_rules_map.py")
        self.stdout.write("and tests/test_rulings.py ask for the rows and rulings of its documents.")
