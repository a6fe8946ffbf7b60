"""Many Reorganization Phases at random, without a database: see tests.campaign.random_phase for what is checked.

A failure names the seed of its phase, which alone brings it back. 10,000 phases take some ten minutes:

    python -m tests.campaign.phase_fuzz --phases 10000 --seed 1
"""

import argparse
import os
import sys
import time
from collections import Counter

import django


def fuzz(phases, seed, tell=None):
    """Play that many phases; returns what happened in them, counted."""
    from tests.campaign.random_phase import Run

    tally = Counter()
    for number in range(phases):
        name = f"{seed}-{number}"
        try:
            tally.update(Run(name).play().told)
        except Exception as error:
            error.add_note(f"The seed of this phase is {name}.")
            raise
        if tell and number % 500 == 499:
            tell(f"{number + 1} phases, {tally['acts']} acts")
    return tally


def main(arguments):
    """Play as many as the command line asks for, and say what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phases", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    begun = time.monotonic()
    tally = fuzz(chosen.phases, chosen.seed, tell=lambda text: print(text, flush=True))
    print(f"{chosen.phases} phases in {time.monotonic() - begun:.0f} s.")
    print(", ".join(f"{event}: {number}" for event, number in sorted(tally.items())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
