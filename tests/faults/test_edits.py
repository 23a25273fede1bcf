"""Twenty overlapping JobMatchers with limits are edited all the time while masters are killed. No job starts beyond a limit that was in
force, no explanation is wrong, and no job is left over."""

import bisect
import http.client
import random
import threading
import time
import unittest

from clients import claimed, iso
from rig import Client, Rig, fresh_seed, now_ms, until
from tier import LONG, row, span_s

JOBS = 100_000 if LONG else 1_500
SECONDS = span_s(8, 1200)
NAMES = ("mail", "report", "video", "thumb", "sync")
REGIONS = ("eu", "us", "ap")
EXPRESSIONS = (  # a matcher's expression, and the same in Python
    ('job.name == "mail"', lambda name, a: name == "mail"),
    ('job.name in ["video", "sync"]', lambda name, a: name in ("video", "sync")),
    ('job.name.startsWith("t") || job.name == "report"', lambda name, a: name[0] == "t" or name == "report"),
    ('job.argument.region == "eu"', lambda name, a: a["region"] == "eu"),
    ("job.argument.size > 50", lambda name, a: a["size"] > 50),
    ("job.argument.user % 2 == 0", lambda name, a: a["user"] % 2 == 0),
    ('job.name != "sync" && job.argument.size <= 30', lambda name, a: name != "sync" and a["size"] <= 30),
    ("true", lambda name, a: True),
)
KEYS = {"job.argument.user": lambda a: a["user"], "job.argument.region": lambda a: a["region"]}
TICK = 2  # ms: times that are told in whole milliseconds are off by less
ROOM = 200  # jobs that may be ready while others are pushed


class Setting:
    """A matcher's content between two edits. It is surely in force from `sure` until `ends`, in ms on Redis' clock."""

    def __init__(self, source, kind):
        self.text, self.holds = source.choice(EXPRESSIONS)
        self.by = "job.argument.region" if kind == "share" else source.choice((None, "job.argument.user", "job.argument.region"))
        keys = 1 if self.by is None else 10 if self.by.endswith("user") else 3
        if kind == "concurrency":
            self.constraint = {"kind": kind, "limit": source.randint(1, 1 + 8 // keys)}
        elif kind == "rate":
            self.constraint = {"kind": kind, "limit": source.randint(20, 60), "period": 1, "burst": source.randint(1, 5)}
        else:
            self.constraint = {"kind": kind, "capacity": source.randint(3, 8), "shares": {"eu": {"max": 2}}, "default": {"max": 4}}
        if self.by:
            self.constraint["by"] = [self.by]
        self.sure = self.ends = float("inf")

    def key(self, argument):
        return KEYS[self.by](argument) if self.by else None

    def body(self, title):
        return {"title": title, "expression": self.text, "constraints": [self.constraint]}


class Editor(threading.Thread):
    """Makes matchers and edits them, one after the other, at any master. An edit without an answer may have happened or not: its matcher is
    not judged until the next edit with an answer."""

    def __init__(self, rig, seed):
        super().__init__(daemon=True)
        self.ports, self.random, self.stop, self.wrong = rig.ports, random.Random(seed), threading.Event(), []
        self.client = Client(self.ports[0])
        self.kinds = [("concurrency", "rate", "share")[n % 3] for n in range(20)]
        self.settings = [[] for _ in self.kinds]
        self.edits = 0
        for number in range(len(self.kinds)):
            self.edit(number)

    def run(self):
        while not self.stop.wait(self.random.uniform(0.02, 0.3)):
            try:
                self.edit(self.random.randrange(len(self.kinds)))
            except AssertionError as error:
                self.wrong.append(str(error))

    def edit(self, number, setting=None):
        setting = setting or Setting(self.random, self.kinds[number])
        if self.settings[number]:
            self.settings[number][-1].ends = min(self.settings[number][-1].ends, now_ms() - TICK)
        if self.put(f"m{number}", setting):
            setting.sure = now_ms(end=True) + TICK
            self.settings[number].append(setting)
            self.edits += 1

    def put(self, identity, setting):
        """True when the setting is in force. After a fault it may be in force or not: then the answer is None."""
        try:
            status, answer = self.client.request("GET", f"/v1/matchers/{identity}")
            condition = {"If-Match": f'"{answer["revision"]}"'} if status == 200 else {"If-None-Match": "*"}
            if status in (200, 404):
                status, answer = self.client.request("PUT", f"/v1/matchers/{identity}", setting.body(identity), fields=condition)
        except (OSError, http.client.HTTPException):
            self.client = Client(self.random.choice(self.ports))
            return None
        assert status in (200, 201) or status >= 500, (status, answer)
        return status in (200, 201) or None

    def insist(self, number, setting):
        until(lambda: [self.edit(number, setting), setting.sure < float("inf")][1], 60, "an edit is answered")


class Runs:
    """The starts that claims reported, and the earliest time at which each run was over."""

    def __init__(self):
        self.lock, self.begun, self.over = threading.Lock(), {}, {}

    def start(self, jobs):
        with self.lock:
            for job in jobs:
                told = claimed(job)
                self.begun[job["lease"]] = (told["at"], told["expires"], job["name"], job["argument"])

    def all(self):
        """(start, end, name, argument) by start."""
        return sorted(((at, min(expires, self.over.get(lease, expires)), name, argument)
                       for lease, (at, expires, name, argument) in self.begun.items()), key=lambda run: run[0])


class Edits(unittest.TestCase):
    def push(self, rig, seed):
        source, client, self.pushed = random.Random(seed), Client(rig.ports[0]), 0
        while self.pushed < JOBS and not self.stop.is_set():
            if client.insist("GET", "/v1/overview")[1]["states"].get("ready", 0) > ROOM:
                self.stop.wait(0.05)
                continue
            jobs = [{"name": source.choice(NAMES), "priority": source.choice((0, 0, 0, -1, 2)), "max_retry": 50, "timeout": 20,
                     "backoff": {"base": 0}, "idempotency_key": f"{seed}.{self.pushed + n}",
                     "argument": {"user": source.randrange(10), "region": source.choice(REGIONS), "size": source.randrange(100)}}
                    for n in range(40)]
            results = client.insist("POST", "/v1/jobs/batch", {"jobs": jobs})[1]["results"]
            self.assertTrue(all("id" in result for result in results), results)
            self.pushed += len(jobs)

    def work(self, rig, number, seed):
        source, reports = random.Random(f"{seed} w{number}"), []
        client = Client(source.choice(rig.ports))
        while not self.stop.is_set() or reports:
            limit = 0 if self.stop.is_set() else source.choice((1, 1, 3, 10))
            body = {"worker": f"w{number}", "outcomes": reports, **({"claim": {"limit": limit, "wait": 0.2, "lease": 3}} if limit else {})}
            now = int(now_ms())  # starts are told in whole milliseconds
            for report in reports:
                self.runs.over.setdefault(report["lease"], now)
            try:
                status, answer = client.request("POST", "/v1/outcomes", body)
                jobs, reports = answer["jobs"] if status == 200 else [], [] if status == 200 else reports
                self.runs.start(jobs)
            except (OSError, http.client.HTTPException):
                client, jobs = Client(source.choice(rig.ports)), []
            self.stop.wait(source.choice((0, 0, 0.01, 0.05)))
            for job in jobs:
                if source.random() < 0.02:
                    continue  # its lease runs out
                kind = {"type": "failure", "reason": "other", "should_retry": True} if source.random() < 0.05 else {"type": "success", "result": 1}
                reports.append({"id": job["id"], "lease": job["lease"], "finished_at": iso(now_ms()), **kind})

    def threads(self, *targets):
        def guarded(run, *words):
            try:
                run(*words)
            except Exception as error:  # pylint: disable=broad-except
                self.wrong.append(f"{type(error).__name__}: {error}")
        threads = [threading.Thread(target=guarded, args=target, daemon=True) for target in targets]
        for thread in threads:
            thread.start()
        return threads

    def too_many(self, setting, kind, runs, starts):
        """Yields starts beyond the limit while the setting was surely in force. Only runs of matching jobs count."""
        first, last = bisect.bisect_left(starts, setting.sure), bisect.bisect_right(starts, setting.ends)
        limit = setting.constraint
        buckets, counted = {}, []
        for at, end, name, argument in runs[bisect.bisect_left(starts, setting.sure - 20_000):last]:  # none runs for longer than its timeout
            if setting.holds(name, argument):
                buckets.setdefault(setting.key(argument), []).append((at, end))
                counted.append((at, end))
        for key, own in buckets.items():
            begun = [at for at, _ in own if at >= setting.sure]
            if kind == "rate":
                worst, least = 0.0, float("inf")
                for number, at in enumerate(begun):
                    allowed = limit["limit"] * at / 1000
                    least = min(least, number - allowed)
                    worst = max(worst, number + 1 - allowed - least)
                if worst > limit["burst"] + 0.2:
                    yield f"{worst:.2f} beyond the rate for {key}: {limit}"
            most = limit.get("limit") if kind == "concurrency" else limit.get("shares", {}).get(key, limit.get("default", {})).get("max")
            if kind != "rate":
                yield from self.crowded(own, begun, most, f"{key}: {limit}")
        if kind == "share":
            yield from self.crowded(counted, [at for at, _ in counted if at >= setting.sure], limit["capacity"], limit)
        self.judged += last - first

    def crowded(self, runs, begun, most, what):
        """Runs that start in the same millisecond count together: they started one after the other, and all ran at the last start."""
        ends = sorted(end for _, end in runs)
        begins = sorted(at for at, _ in runs)
        for at in sorted(set(begun)):
            together = bisect.bisect_right(begins, at) - bisect.bisect_right(ends, at)
            if together > most:
                yield f"{together} of {most} at {at}: {what}"

    def explained(self, rig):
        """Compares explanations with claims while nobody works. A claim gets the best job that would run by its explanation, or none."""
        client, checked = Client(rig.ports[0]), 0
        for name in NAMES * 3:
            ready = []
            cursor = ""
            while cursor is not None and len(ready) < 300:
                answer = client.ok("GET", f"/v1/jobs?state=ready&name={name}&limit=100" + (f"&cursor={cursor}" if cursor else ""))
                ready += answer["jobs"]
                cursor = answer.get("next")
            told = {job["id"]: client.ok("GET", f"/v1/jobs/{job['id']}/explain")["would_run"] for job in ready}
            able = sorted((job["priority"], job["id"]) for job in ready if told[job["id"]])
            got = client.ok("POST", "/v1/claims", {"worker": "judge", "names": [name], "lease": 20})["jobs"]
            self.assertEqual([job["id"] for job in got], [identity for _, identity in able[:1]], name)
            checked += len(told)
        return checked

    def test_f15_limits_are_edited_while_masters_are_killed(self):
        seed = fresh_seed()
        source = random.Random(seed)
        self.stop, self.runs, self.wrong, self.judged = threading.Event(), Runs(), [], 0
        with row("F15 edits", starts=0, violations="not judged", left="not counted", seed=seed) as told, Rig(3) as rig:
            editor = Editor(rig, f"{seed} editor")
            editor.start()
            threads = self.threads((self.push, rig, seed), *((self.work, rig, n, seed) for n in range(6)))
            kills, end = 0, time.monotonic() + SECONDS
            while time.monotonic() < end and self.pushed < JOBS and not self.wrong + editor.wrong:
                time.sleep(source.uniform(0.5, 2))
                victim = source.choice(rig.masters)
                victim.kill()
                victim.start()
                kills += 1
                told.update(starts=len(self.runs.begun), jobs=self.pushed, kills=kills, edits=editor.edits)
            self.stop.set()
            editor.stop.set()
            for thread in (*threads, editor):
                thread.join(60)
                self.assertFalse(thread.is_alive())
            self.assertEqual(self.wrong + editor.wrong, [])
            client = Client(rig.ports[0])
            until(lambda: client.overview()["states"].get("running", 0) == 0, 60, "the last leases expire")
            self.judge(editor, told)
            told["held at the end"] = client.overview()["states"].get("ready", 0)
            # With these settings no limit opens as time passes, so an explanation still holds when the claim follows.
            for number, kind in enumerate(editor.kinds):
                setting = Setting(editor.random, kind)
                if kind == "rate":
                    setting.constraint.update(limit=1, period=3600, burst=1)
                editor.insist(number, setting)
            until(lambda: client.ok("GET", "/v1/matchers")["reading"] == 0, 60, "all jobs are read again")
            told["explanations compared"] = self.explained(rig)
            for number in range(len(editor.kinds)):
                setting = Setting(editor.random, "concurrency")
                setting.constraint = {"kind": "concurrency", "limit": 1000}
                editor.insist(number, setting)
            self.drain(rig, client, told)
            rig.stop_masters()

    def judge(self, editor, told):
        runs = self.runs.all()
        starts = [run[0] for run in runs]
        wrong = [f"m{number} {problem}" for number, kind in enumerate(editor.kinds) for setting in editor.settings[number]
                 for problem in self.too_many(setting, kind, runs, starts)]
        told.update({"violations": len(wrong), "starts judged under settings": self.judged})
        self.assertEqual(wrong[:10], [])
        self.assertGreater(self.judged, 100)

    def drain(self, rig, client, told):
        self.stop = threading.Event()
        threads = self.threads(*((self.work, rig, 10 + n, "drain") for n in range(4)))

        def left():
            states = client.overview()["states"]
            told["left"] = sum(states.get(state, 0) for state in ("ready", "scheduled", "running"))
            return told["left"]

        try:
            until(lambda: left() == 0, 60, "all jobs run under high limits")
        finally:
            self.stop.set()
            for thread in threads:
                thread.join(60)


if __name__ == "__main__":
    unittest.main()
