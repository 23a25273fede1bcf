"""What a full cycle costs the master: the instructions of a release build under callgrind for a fixed run of requests over HTTP, one after
the other on one connection, without what its start costs; with each engine. `tests/bench/run --counts` builds it and calls this; counts.json has
what they were.

The figures are those of one compiler, its libraries and one kind of processor, so they are only compared where these are the same."""

import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]

from callgrind import Callgrind  # noqa: E402
from rig import BUILD, Master, load  # noqa: E402

KEPT = HERE / "counts.json"
TOLERANCE = 0.04  # of instructions: timers fire while a slow machine counts, and what comes from Redis at once differs
ROUNDS = 3
JOBS = 400
WARM_JOBS = 800
# (what is counted, what the load generator does); a job is pushed, then claimed and reported in one way or the other.
RUN = [("push of one", ("enqueue",)), ("report and claim of one", ("work", "--limit", 1)),
       (None, ("enqueue",)), ("claim of one and its report apart", ("work", "--limit", 1, "--apart"))]
ENGINES = [("redis", ""), ("memory", ", engine in memory")]  # the option's word, and what a figure's name ends with


def made_by():
    """What decides the figures besides our code."""
    program = BUILD / "bin/junband"
    comment = subprocess.run(["readelf", "-p", ".comment", program], capture_output=True, text=True, check=True).stdout
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"=> (\S+/lib(?:Qt6Core|Qt6HttpServer|hiredis|jemalloc|stdc\+\+)\.so\S*)", linked)
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    return {"compiler": re.search(r"(?:GCC:|clang version) .*", comment).group(0),
            "libraries": [os.path.basename(os.path.realpath(path)) for path in libraries] + ["-".join(platform.libc_ver())],
            "processor": platform.machine() + (" with avx2" if "avx2" in flags else "")}


def counted():
    """{what: the master's instructions for one job}."""
    found = {}
    for engine, suffix in ENGINES:
        with tempfile.TemporaryDirectory(prefix="junban-counts-") as directory:
            for what, number in counted_with(engine, directory).items():
                found[what + suffix] = number
    return found


def counted_with(engine, directory):
    callgrind = Callgrind(directory)
    with Master("--engine", engine, under=["env", "QT_HASH_SEED=0", *callgrind.words]) as master:
        def make(words, jobs):
            load(master.port, *words, "--connections", 1, "--jobs", jobs)

        for _, words in RUN:
            make(words, WARM_JOBS)
        # Timers and what Redis tells by itself only add, and the first round has more of them.
        turns = {what: [] for what, _ in RUN}
        for what, words in RUN * ROUNDS:
            callgrind.begin(master.process.pid)
            make(words, JOBS)
            turns[what].append(callgrind.end(master.process.pid) / JOBS)
        return {what: round(min(turn)) for what, turn in turns.items() if what}


def compare():
    """Prints the figures, and returns what is wrong with them, a sentence each."""
    kept = json.loads(KEPT.read_text())["master"]
    made = made_by()
    if made != kept["made by"]:
        return [f"The master's instructions were counted with {kept['made by']}, and cannot be compared here, with {made}."]
    wrong = []
    found = counted()
    for what in sorted(found | kept["instructions"]):
        was, now = kept["instructions"].get(what), found.get(what)
        if was is None or now is None:
            wrong.append(f"{what}: counted {'now' if was is None else 'then'} alone.")
            continue
        print(f"{what}: {now} instructions of the master ({now / was - 1:+.2%})")
        if abs(now / was - 1) > kept["tolerance"]:
            wrong.append(f"{what}: {now} instructions of the master instead of {was}; {kept['tolerance']:.1%} are allowed.")
    return wrong


def write():
    kept = json.loads(KEPT.read_text())
    kept["master"] = {"made by": made_by(), "tolerance": TOLERANCE, "instructions": counted()}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
