"""How much a test does, in the quick tier or in the long one, and the row of the long tier's table (tests/long.md) that says what was done."""

import contextlib
import math
import os
import time

LONG = bool(os.environ.get("JUNBAN_LONG"))
SECONDS = float(os.environ.get("JUNBAN_LONG_S") or math.inf)  # what each loop of the long tier may take; it does no less than a quick one


def span_s(quick, thorough):
    """How long a loop that goes by time goes on."""
    return max(quick, min(thorough, SECONDS)) if LONG else quick


def end():
    """The moment at which a loop that goes by counts has to stop although it has not done all. The quick tier's loops do all."""
    return time.monotonic() + (SECONDS if LONG else math.inf)


def turns(quick, thorough):
    """Counts as far as the tier says, and the time."""
    over = end()
    for turn in range(thorough if LONG else quick):
        if turn >= quick and time.monotonic() > over:
            return
        yield turn


@contextlib.contextmanager
def row(name, **figures):
    """Prints the table's row at the end, also when the test fails: with what was counted until then."""
    try:
        yield figures
    finally:
        cells = [name, *(f"{key.replace('_', ' ')} {value}" for key, value in figures.items())]
        print("\n| " + " | ".join(cells) + " |", flush=True)
