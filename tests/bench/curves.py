"""How figures change with the size of things: each curve a plot in docs/performance, and a row of numbers on standard output."""

import contextlib
import pathlib
import shutil
import subprocess
import tempfile
import time

import plots
from limits import by_name, matcher
from rig import ROOT, Master, load

WORK = ("work", "--connections", 16, "--limit", 1, "--jobs")
PREFILL = ("enqueue-batch", "--connections", 4)


def claims_of(master, count):
    return load(master.port, *WORK, count)["jobs_per_s"]


def waiting(count, jobs):
    """Claims and reports while `count` jobs wait."""
    with Master() as master:
        load(master.port, *PREFILL, "--jobs", count + jobs)
        return {"report and claim": claims_of(master, jobs)}


def lanes(count, jobs):
    """Claims and reports of jobs in `count` lanes: a limit for each value of their argument, which never binds."""
    with Master() as master:
        matcher(master, "each", "true", {"kind": "concurrency", "limit": 1000, "by": ["job.argument"]})
        load(master.port, *PREFILL, "--jobs", max(count, jobs) // 1000 * 1000, "--keys", count)
        return {"report and claim": claims_of(master, jobs)}


def matchers(count, jobs):
    """Enqueuing with `count` matchers, all but one for other names."""
    with Master() as master:
        by_name(count)(master)
        return {"enqueue": load(master.port, "enqueue", "--connections", 50, "--jobs", jobs)["jobs_per_s"]}


def connections(count, jobs):
    figures = {}
    for scenario, each in (("enqueue", count), ("cycle", max(1, count // 2))):
        with Master() as master:
            figures[scenario] = load(master.port, scenario, "--connections", each, "--jobs", jobs)["jobs_per_s"]
    return figures


def threads(count, jobs):
    figures = {}
    for scenario, each in (("enqueue", 50), ("cycle", 16)):
        with Master("--threads", count) as master:
            figures[scenario] = load(master.port, scenario, "--connections", each, "--jobs", jobs)["jobs_per_s"]
    return figures


@contextlib.contextmanager
def shared_redis():
    directory = pathlib.Path(tempfile.mkdtemp(prefix="junban-bench-"))
    socket = directory / "redis.sock"
    redis = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--dir", directory, "--save", "", "--appendonly", "yes",
                              "--appendfsync", "everysec", "--maxmemory-policy", "noeviction"], stdout=subprocess.DEVNULL)
    try:
        while not socket.exists():
            time.sleep(0.05)
        yield socket
    finally:
        redis.terminate()
        redis.wait()
        shutil.rmtree(directory, ignore_errors=True)


def masters(count, jobs):
    figures = {}
    for scenario, each in (("enqueue", 50), ("cycle", 16)):
        with shared_redis() as socket, contextlib.ExitStack() as stack:
            all_masters = [stack.enter_context(Master("--redis", f"unix://{socket}")) for _ in range(count)]
            ports = ",".join(str(master.port) for master in all_masters)
            figures[scenario] = load(ports, scenario, "--connections", each, "--jobs", jobs)["jobs_per_s"]
    return figures


CURVES = {
    # name: what the axis counts, its values, the measurement
    "waiting": ("jobs waiting", (1_000, 10_000, 100_000, 1_000_000, 3_000_000), waiting),
    "lanes": ("lanes", (1, 10, 100, 1_000, 10_000, 100_000, 300_000), lanes),
    "matchers": ("matchers", (1, 10, 100, 1_000, 10_000), matchers),
    "connections": ("connections", (10, 50, 200, 1_000, 5_000), connections),
    "threads": ("engine threads", (1, 2), threads),
    "masters": ("masters of one Redis", (1, 2, 3), masters),
}


def run(jobs, only, log):
    folder = ROOT / "docs" / "performance"
    results = {}
    for name in only or CURVES:
        axis, values, measure = CURVES[name]
        points = {}
        for value in values:
            for line, figure in measure(value, jobs).items():
                points.setdefault(line, []).append((value, figure))
                log(f"{name}: {value:,}: {line}: {figure:,.0f}/s")
        plots.curve(folder / f"{name}.svg", axis, points)
        results[name] = points
    return results


def tables(results):
    lines = []
    for name, points in results.items():
        for line, values in points.items():
            lines += [f"| {CURVES[name][0]} | " + " | ".join(f"{value:,}" for value, _ in values) + " |", "|---" * (len(values) + 1) + "|",
                      f"| {line} (/s) | " + " | ".join(f"{figure:,.0f}" for _, figure in values) + " |", ""]
    return "\n".join(lines)
