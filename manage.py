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

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line([sys.argv[0], *words])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads a list has seen enough: `manage.py matches | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes what is left as it ends
        sys.exit(1)
    except ImproperlyConfigured as error:
        if "--traceback" in words:
            raise
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        if "--traceback" in words:
            raise
        from firefight.hosting.starting import explain

        reason = explain(error)
        print(reason, file=sys.stderr)
        sys.exit(reason.code)


if __name__ == "__main__":
    main(sys.argv[1:])
