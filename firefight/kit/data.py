"""A game's own files: its plain data lies in the folder ``data/`` of its package."""

import tomllib
from importlib import import_module
from pathlib import Path

from firefight.engine.values import Json


def read_data(package: str, name: str) -> Json:
    """A file from the folder ``data/`` of a package, as plain values; nothing where it has no such file."""
    path = Path(import_module(package).__file__ or "").parent / "data" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
