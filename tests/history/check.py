#!/usr/bin/env python3
"""Checks a recorded history (history.py says how it is written) against H1–H8 of docs/semantics.md, and prints each violation with the
events that show it. It knows nothing of the programs that made the history.

    check.py FILE [FILE…] [--json]

Exit code 0: nothing found; 1: violations; 2: the history could not be read.
"""

import argparse
import collections
import json
import sys

import crossing
import history as histories
import rules


def violations(history):
    for job in history.jobs.values():
        for rule in rules.PER_JOB:
            yield from rule(history, job)
    for rule in crossing.ACROSS:
        yield from rule(history)


def figures(history, found):
    """What the table of a run shows."""
    kinds = collections.Counter(rule for rule, _, _ in found)
    jobs = history.jobs.values()
    accepted = sum(1 for job in jobs if any(s.ok and s.state == "succeeded" for s in job.successes()))
    return {
        "operations": sum(1 for event in history.events if event.invoke is not None),
        "jobs": sum(1 for job in jobs if job.enqueues or job.claims),
        "unknown": sum(1 for event in history.events if event.outcome == "unknown"),
        "faults": len(history.faults),
        "executions": sum(len({claim.lease for claim in job.claims}) for job in jobs),
        "accepted": accepted,
        "duplicates": sum(1 for job in jobs for claim in job.claims
                          if claim is not job.claims[-1] and not any(e.ok for e in job.under(claim.lease))),
        "shaky": sum(1 for job in jobs if job.shaky),
        "not_read": kinds["H1 not read"],
        "lost": sum(kinds[kind] for kind in kinds if kind.startswith("H1")) - kinds["H1 not read"] + kinds["H7 lost result"],
        "phantom": kinds["H2 phantom"] + kinds["H2 phantom success"] + kinds["H2 double enqueue"],
        "double_accepted": kinds["H4 double acceptance"] + kinds["H4 stale report"] + kinds["H4 foreign lease"],
        "violations": dict(kinds),
    }


def check(lines):
    history = histories.read(lines)
    found = list(violations(history))
    return history, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    parser.add_argument("--held", action="store_true", help="limits held jobs back: order across names says nothing")
    parser.add_argument("--tick", type=float, default=rules.TICK,
                        help="how far, in ms, the times of jobs may be from Redis' clock: an engine in memory learns that from replies")
    parser.add_argument("--most", type=int, default=20, help="violations to print of each rule")
    chosen = parser.parse_args()
    rules.TICK = crossing.TICK = chosen.tick
    lines = []
    try:
        for name in chosen.files:
            with open(name, encoding="utf-8") as file:
                lines += file.readlines()
        history, found = check(lines)
        if chosen.held:
            found = [violation for violation in found if violation[0] not in ("H5 order", "H5 inversion")]
    except (OSError, KeyError, TypeError) as error:
        print(f"check: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    if not history.events:
        print("check: an empty history", file=sys.stderr)
        return 2
    printed = collections.Counter()
    for rule, text, events in found:
        printed[rule] += 1
        if printed[rule] <= chosen.most:
            print(f"{rule}: {text}")
            for event in events:
                print(f"    {event!r}")
    if chosen.json:
        print(json.dumps(figures(history, found)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
