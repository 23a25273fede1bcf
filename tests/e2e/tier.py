"""How much a test does in the quick and in the long tier, and the test's row of the long tier's table (tests/long.md)."""

import contextlib
import math
import os
import time

LONG = bool(os.environ.get("JUNBAN_LONG"))
SECONDS = float(os.environ.get("JUNBAN_LONG_S") or math.inf)  # the time limit of each loop of the long tier; it does at least what a quick one does


def span_s(quick, thorough):
    """The length of a loop that ends by time."""
    return max(quick, min(thorough, SECONDS)) if LONG else quick


def end():
    """The time at which a loop that ends by count has to stop before its count is reached. Loops of the quick tier always reach it."""
    return time.monotonic() + (SECONDS if LONG else math.inf)


def turns(quick, thorough):
    """Counts up to the tier's number, or until the time is over."""
    over = end()
    for turn in range(thorough if LONG else quick):
        if turn >= quick and time.monotonic() > over:
            return
        yield turn


@contextlib.contextmanager
def row(name, **figures):
    """Prints the table's row at the end, also when the test fails; then with the counts so far."""
    try:
        yield figures
    finally:
        cells = [name, *(f"{key.replace('_', ' ')} {value}" for key, value in figures.items())]
        print("\n| " + " | ".join(cells) + " |", flush=True)
