#!/usr/bin/env python
"""Django's command line. `play` also works on a fresh checkout, before anything is installed."""

import os
import sys
from importlib.util import find_spec

import bootstrap


def main(words: list[str]) -> None:
    """Run one command, given as its words."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if words[:1] == ["play"] and (bootstrap.inside() or not find_spec("django")):
        python = bootstrap.ensure()
        if not bootstrap.inside():
            bootstrap.hand_over(python, __file__, *words)
    if not find_spec("django"):
        sys.exit("Django is not installed here. Run `python manage.py play` to play, or `make test` to test.")

    from django.core.management import execute_from_command_line

    execute_from_command_line([sys.argv[0], *words])


if __name__ == "__main__":
    main(sys.argv[1:])
