"""How long the long tests are: a slice of each in `make test`, its whole length in `make soak`.

`make soak` sets VOLGA_SOAK, and VOLGA_SEED to a number of its own, which it prints: what plays at random begins there,
so that each soak looks elsewhere, and what one has found comes back with its seed. Otherwise all begin at 1.
"""

import os

IS_WHOLE = "VOLGA_SOAK" in os.environ
SEED = os.environ.get("VOLGA_SEED", "1")


def length(of_slice, of_whole):
    """How many of something a test should do."""
    return of_whole if IS_WHOLE else of_slice


def some(values, one_in):
    """One in so many of these values, in a soak all of them."""
    return values if IS_WHOLE else values[::one_in]


def seeds(of_slice, of_whole):
    """The names of that many parts that play at random, to parametrize a test with."""
    return [f"{SEED}-{part}" for part in range(length(of_slice, of_whole))]
