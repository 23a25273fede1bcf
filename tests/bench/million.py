"""What a master does while a million jobs wait, in one pass, beside the same with none or few of them."""

import threading
import time
import urllib.parse

from limits import matcher
from rig import Master, load

WORK = ("work", "--connections", 16, "--limit", 1)
LATENCY = ("latency", "--rate", 200, "--jobs", 2000)
EDITS = 5


def put(master, saved, **changes):
    """Edits a matcher. Returns it as it is then, and how long that took, in ms."""
    started = time.monotonic()
    text = {key: value for key, value in saved.items() if key in ("title", "expression", "constraints")} | changes
    saved = master.call("PUT", f"/v1/matchers/{saved['id']}", text, **{"If-Match": f'"{saved["revision"]}"'})
    return saved, (time.monotonic() - started) * 1000


def limit_of(saved, limit):
    return [saved["constraints"][0] | {"limit": limit}]


def works(master, jobs):
    """Jobs a second that 16 workers report and claim, one a request; they are pushed before."""
    load(master.port, "enqueue-batch", "--connections", 4, "--jobs", jobs)
    return load(master.port, *WORK, "--jobs", jobs)["jobs_per_s"]


def search(master, expression):
    """Looks through every ready job. Returns jobs looked at a second."""
    started, scanned, cursor = time.monotonic(), 0, ""
    while True:
        query = urllib.parse.urlencode({"state": "ready", "match": expression, "limit": 500} | ({"cursor": cursor} if cursor else {}))
        page = master.call("GET", f"/v1/jobs?{query}", None)
        scanned += page["coverage"]["scanned"]
        cursor = page.get("next")
        if not cursor:
            return scanned / (time.monotonic() - started)


class Beside(threading.Thread):
    """A load that runs beside what is measured, again and again until it is told to end."""

    def __init__(self, master, *words):
        super().__init__()
        self.master, self.words, self.ended, self.answers = master, words, threading.Event(), []
        self.start()

    def run(self):
        while not self.ended.is_set():
            self.answers.append(load(self.master.port, *self.words))

    def end(self):
        self.ended.set()
        self.join()
        return self.answers


def plain(jobs, work):
    with Master() as master:
        load(master.port, "enqueue-batch", "--connections", 4, "--jobs", 1_000)
        few = works(master, work)
        load(master.port, "enqueue-batch", "--connections", 4, "--jobs", jobs)
        return ("claims, no limit, all of them ready to go (and beside 1,000)", "/s", works(master, work), few)


def measure(jobs, work):
    """(figure, unit, with the jobs waiting, with none)"""
    rows = [plain(jobs, work)]
    with Master() as master:
        matcher(master, "held", 'job.name == "held"', {"kind": "concurrency", "limit": 1})
        alone = {"work": works(master, work), "cycle": load(master.port, "cycle", "--connections", 16, "--jobs", work)["jobs_per_s"]}
        alone |= load(master.port, *LATENCY)

        load(master.port, "enqueue-batch", "--connections", 4, "--jobs", jobs, "--name", "held", "--priority", 10)
        assert len(master.call("POST", "/v1/claims", {"worker": "holder", "limit": 5, "lease": 3600})["jobs"]) == 1
        rows.append((f"claims, {work:,} beside the held ones", "/s", works(master, work), alone["work"]))
        beside = load(master.port, *LATENCY)
        rows.append(("latency at 200/s, p50", "ms", beside["p50_ms"], alone["p50_ms"]))
        rows.append(("latency at 200/s, p99", "ms", beside["p99_ms"], alone["p99_ms"]))

        saved, times = master.call("GET", "/v1/matchers/held", None), []
        for turn in range(EDITS):
            saved, took_ms = put(master, saved, constraints=limit_of(saved, turn % 2))
            times.append(took_ms)
        rows.append(("an edit of the limit, in force", "ms", sorted(times)[EDITS // 2], None))
        rows.append(("the slowest of five", "ms", max(times), None))

        latency = Beside(master, *LATENCY)
        speed = search(master, 'job.name == "held" && job.argument.contains("y")')
        rows.append(("search through the waiting jobs (looked at)", "/s", speed, None))
        rows.append(("latency at 200/s meanwhile, p99", "ms", max(each["p99_ms"] for each in latency.end()), alone["p99_ms"]))

        cycles = Beside(master, "cycle", "--connections", 16, "--jobs", work)
        started = time.monotonic()
        saved, took_ms = put(master, saved, expression='job.name == "held" && job.priority > 0')
        rows.append(("an edit of the expression, in force", "ms", took_ms, None))
        while master.call("GET", "/v1/matchers", None)["reading"] > 0:
            time.sleep(0.25)
        rows.append(("until all were read again", "s", time.monotonic() - started, None))
        answers = cycles.end()
        rows.append(("full cycles meanwhile", "/s", sum(each["jobs_per_s"] for each in answers) / len(answers), alone["cycle"]))
        rows.append(("calls of Redis of 10 ms or more", "", int(master.redis("slowlog", "len")), None))
    return rows


def show(jobs, work):
    print(f"| with {jobs:,} jobs waiting, but for the first row held by one limit | | with none |\n|---|---|---|")
    for name, unit, value, alone in measure(jobs, work):
        form = "{:,.1f}" if unit in ("ms", "s") else "{:,.0f}"
        print(f"| {name}{f' ({unit})' if unit else ''} | {form.format(value)} | {'' if alone is None else form.format(alone)} |")
