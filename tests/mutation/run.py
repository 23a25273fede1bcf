#!/usr/bin/env python3
"""Runs the store's tests and the random walk against mutants of the Lua scripts, and says which mutants nothing noticed.

    run.py [--of walks|others] [--each N] [--seconds N] [--file NAME…] [--only WORDS] [--seed N] [--jobs N] [--list]

--of walks takes only those that drop or swap a write or turn a guard round, in the scripts of the verbs that the random walks call; --of
others takes all others.

--each takes at most N mutants of each file, chosen by the seed; without it, all are run; --only those whose name or line holds the words.
--seconds ends after that time, counted from when the scripts as they are have passed: the mutants come in an order that the seed chooses,
whatever their files, so that those that came are as good a choice as all.
JUNBAN_BIN says where the programs are.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutants

def tests(room, *names):
    return tuple((f"mutable_core_{room}", f"test_{name}") for name in names)


# The quickest first. Those nearest to a script meet its mutants before the others do.
JOBS = (*tests("lua", "unique", "groups", "store", "plain", "reports", "trash", "locale"), *tests("operators", "past"),
        *tests("lua", "series", "lostreplies"), *tests("redis", "libraries", "oldnamespace"),
        *tests("operators", "search", "tokens", "auditor"))
OPERATING = (*tests("lua", "operations", "workers"), *tests("operators", "freezer"))
LIMITS = tests("lua", "limitstate", "breaker", "closing", "follow", "held", "rereading", "backlog", "fair", "matcherstore", "deadends")
SLOW = (*tests("lua", "special", "retention", "kinds"), ("mutable_core_lua", "test_walk", "bothStoresSayTheSame"),
        *tests("lua", "mixture", "lanes"), *tests("queue", "queue", "openings", "masters"))
RECURRING = tests("queue", "recurring", "schedulewalk")
FSCK = tests("redis", "fsck", "fsckbuckets")
LIMITING = ("bucket", "matcher", "constraint", "kinds", "rates", "breaker", "fair", "backlog", "closing", "follow", "lane", "stale", "reading",
            "recharge", "unread", "held", "explain", "asked", "admission", "turns", "makeroom", "shelves")
DEADLINE_S = 300
HANGS = 10  # a program that takes so many times as long as with the scripts as they are, and 30 s, has noticed
OUT_OF_TIME = "out of time"
ROWS = {"walks": "P2 mutants of the scripts that the walks run: writes and guards", "others": "Finer mutants, and those of other scripts"}
NOT_BEGUN = "not begun"


class Bench:
    """Checks that a mutant is a script at all, in a Redis of its own, and lets the tests meet it."""

    def __init__(self):
        self.texts = mutants.sources()
        self.plain = mutants.assembled(self.texts)
        self.directory = tempfile.TemporaryDirectory(prefix="junban-mutants-")
        self.running, self.stopped = set(), False
        self.took_s = {}

    def __enter__(self):
        self.socket = os.path.join(self.directory.name, "redis.sock")
        command = ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--dir", self.directory.name]
        self.redis = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while self.cli("PING").strip() != "PONG":
            assert time.monotonic() < end, "no Redis"
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.redis.kill()
        self.redis.wait()
        self.directory.cleanup()

    def cli(self, *words, given=None):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], capture_output=True, text=True, input=given, check=False).stdout

    def stop(self):
        """Ends what runs. What begins afterwards is out of time."""
        self.stopped = True
        for process in list(self.running):
            end_group(process)

    def whole(self, mutant=None):
        if mutant is None:
            return self.plain
        return mutants.assembled({**self.texts, mutant.file: mutant.text(self.texts)})

    def compiles(self, mutant):
        try:
            whole = self.whole(mutant)
        except mutants.Unknown:
            return False
        changed = [text for name, (verbs, text) in whole.items() if (verbs, text) != self.plain[name]]
        return bool(changed) and all(not self.cli("-x", "SCRIPT", "LOAD", given=text).startswith("ERR") for text in changed)

    def meet(self, mutant=None, environment=None, end=math.inf):
        """The program that noticed, or None: the mutant survived. Out of time, when that was not known at the end."""
        usual = {name: value for name, value in os.environ.items() if name != "JUNBAN_LONG"}  # the usual number of walks has to do
        with tempfile.TemporaryDirectory(prefix="junban-mutant-") as directory:
            for name, (verbs, text) in self.whole(mutant).items():
                pathlib.Path(directory, f"{name}.lua").write_text(f"{verbs}\n{text}", encoding="utf-8")
            for program in programs_for(mutant):
                if self.stopped:
                    return OUT_OF_TIME
                begun = time.monotonic()
                deadline = min(DEADLINE_S, 30 + HANGS * self.took_s.get(program, DEADLINE_S))
                code = self.run(program, {**usual, **(environment or {}), "JUNBAN_SCRIPTS": directory}, min(deadline, end - begun))
                if self.stopped or code is None and time.monotonic() >= end:
                    return OUT_OF_TIME
                if code != 0:
                    return f"{program[0]}{' (deadline)' if code is None else ''}"
                if mutant is None:
                    self.took_s[program] = time.monotonic() - begun
        return None

    def run(self, program, environment, seconds):
        """How it ended; None: it did not in that time. It is ended when its first test has failed."""
        process = subprocess.Popen([pathlib.Path(os.environ["JUNBAN_BIN"]) / program[0], *program[1:]], start_new_session=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.running.add(process)
        failed = threading.Thread(target=end_when_failed, args=(process,))
        failed.start()
        try:
            code = process.wait(max(0, seconds))
        except subprocess.TimeoutExpired:
            code = None
        end_group(process)  # a Redis of a test that ended badly, too
        failed.join()
        self.running.discard(process)
        return code


def programs_for(mutant):
    if mutant is None:
        return JOBS + OPERATING + LIMITS + SLOW + RECURRING + FSCK
    if "fsck" in mutant.file or "check" in mutant.file:
        return FSCK
    if "schedule" in mutant.file:
        return RECURRING
    if any(word in mutant.file for word in ("operat", "view", "freez", "slots", "worker")):
        return OPERATING + SLOW
    return (LIMITS + JOBS if any(word in mutant.file for word in LIMITING) else JOBS + LIMITS) + OPERATING + SLOW


def end_when_failed(process):
    with process.stdout as said:
        for line in said:
            if line.startswith(b"FAIL!"):
                end_group(process)


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def chosen(texts, wanted):
    by_file, walked = {}, mutants.walked(texts)
    for mutant in mutants.every(texts):
        its = "walks" if mutant.is_coarse and mutant.file in walked else "others"
        if (wanted.of in (None, its) and (not wanted.file or mutant.file in wanted.file)
                and (not wanted.only or wanted.only in mutant.name or wanted.only in mutant.line)):
            by_file.setdefault(mutant.file, []).append(mutant)
    source, each = random.Random(wanted.seed), wanted.each
    for group in by_file.values():
        yield from group if each is None or len(group) <= each else sorted(source.sample(group, each), key=lambda m: m.number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=tuple(ROWS))
    parser.add_argument("--each", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--file", nargs="*")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    wanted = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing stays behind
    killed, survivors, broken, late, by = 0, [], 0, 0, {}
    with Bench() as bench:
        noticed = None if wanted.only else bench.meet()
        if noticed:
            print(f"the scripts as they are fail in {noticed}")
            return 2
        todo = list(chosen(bench.texts, wanted))
        if wanted.seconds is not None:
            random.Random(wanted.seed).shuffle(todo)
        if wanted.list:
            print("\n".join(mutant.name for mutant in todo))
            return 0

        end = time.monotonic() + (math.inf if wanted.seconds is None else wanted.seconds)

        def one(mutant):
            if time.monotonic() >= end:
                return mutant, NOT_BEGUN
            return mutant, bench.meet(mutant, end=end) if bench.compiles(mutant) else "no script"

        with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
            try:
                for number, (mutant, noticed) in enumerate(pool.map(one, todo), 1):
                    if noticed == NOT_BEGUN:
                        break
                    if noticed == "no script":
                        broken += 1
                    elif noticed == OUT_OF_TIME:
                        late += 1
                    elif noticed:
                        killed += 1
                        by[noticed] = by.get(noticed, 0) + 1
                    else:
                        survivors.append(mutant)
                        print(f"survived: {mutant.name}: {mutant.line.strip()}", flush=True)
                    if number % 50 == 0:
                        print(f"… {number} of {len(todo)}: {killed} killed, {len(survivors)} survived", flush=True)
            except SystemExit:
                pool.shutdown(wait=False, cancel_futures=True)
                bench.stop()
                raise
    total = killed + len(survivors)
    print(f"{total} mutants, {killed} killed ({100 * killed / max(1, total):.1f} %) by {by}, {len(survivors)} survived, "
          f"{broken} were no scripts, {late} were not done in time; seed {wanted.seed}")
    print(f"| {ROWS.get(wanted.of, ROWS['walks'])} | mutants {total} | killed {killed} ({100 * killed / max(1, total):.1f} %) | survived {len(survivors)} "
          f"| not done in time {late} | seed {wanted.seed} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
