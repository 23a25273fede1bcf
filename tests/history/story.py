"""Makes histories for the checker's own test: a story told event by event, and an ideal queue that is played at random."""

import heapq
import random


class Story:
    """Events of a small history, by hand. Time goes on by itself; `at` moves it."""

    def __init__(self):
        self.lines = []
        self.time = 1_000_000.0
        self.serial = 0

    def wait(self, ms):
        self.time += ms
        return self

    def add(self, op, outcome="ok", took=4.0, client="c", **fields):
        begun = self.time
        self.time += took
        self.lines.append({"op": op, "client": client, "invoke": begun, "complete": None if outcome == "unknown" else self.time,
                           "outcome": outcome, **fields})
        self.time += 1
        return self.lines[-1]

    def push(self, identity="j1", outcome="ok", **spec):
        self.serial += 1
        answer = {"id": identity, "state": spec.pop("state", "ready"), "duplicate": spec.pop("duplicate", False)} if outcome == "ok" else {}
        mark, key = spec.pop("mark", identity), spec.pop("key", identity)
        whole = {"name": "a", "priority": 0, "max_retry": 0, "keep_result": False, "timeout": 30, **spec}
        return self.add("enqueue", outcome, mark=mark, key=key, spec=whole, argument=f"arg-{mark}", **answer)

    def claim(self, identity="j1", attempt=1, lease=None, lease_ms=10_000, names=None, **fields):
        job = {"id": identity, "mark": identity, "name": "a", "priority": 0, "argument": f"arg-{identity}", "attempt": attempt,
               "lease": lease or f"{attempt}.{identity}", "at": self.time + 2, "expires": self.time + 2 + lease_ms, **fields}
        self.add("claim", client=f"w{attempt}", names=names, limit=1, jobs=[job])
        return job

    def report(self, job, kind="success", state="succeeded", outcome="ok", digest="result", **fields):
        answer = {"state": state} if outcome == "ok" else {"code": "lease_lost"} if outcome == "fail" else {}
        return self.add("report", outcome, id=job["id"], lease=job["lease"], type=kind, digest=digest, **answer, **fields)

    def fetch(self, identity="j1", answer="ready", outcome="ok", digest="result", **fields):
        got = {"answer": answer} if outcome == "ok" else {}
        if answer == "ready" and outcome == "ok":
            got.update(type="success", digest=digest)
        return self.add("fetch", outcome, id=identity, **{**got, **fields})

    def end(self, drained=True, **states):
        for identity, state in (states or {"j1": "succeeded"}).items():
            present = state is not None
            self.add("final", id=identity, present=present, state=state)
        self.lines.append({"op": "end", "drained": drained})
        return self.lines


class Ideal:
    """A queue without faults over which clients act at random; answers get lost, but what was done was done."""

    def __init__(self, seed, jobs=150):
        self.random = random.Random(seed)
        self.lines, self.now = [], 1_000_000.0
        self.ready, self.due, self.state, self.spec = [], [], {}, {}
        self.attempt, self.failures, self.lease, self.expires = {}, {}, {}, {}
        self.results, self.retried, self.jobs = {}, {}, jobs
        self.held = []

    def note(self, op, outcome="ok", **fields):
        begun = self.now - self.random.uniform(0, 3)
        done = self.now + self.random.uniform(0, 3)
        if outcome == "ok" and self.random.random() < 0.05 and op != "claim":
            outcome = "unknown"
            fields = {k: v for k, v in fields.items() if k not in ("state", "answer", "expires") and not (k == "id" and op == "enqueue")}
        self.lines.append({"op": op, "client": "c", "invoke": begun, "complete": None if outcome == "unknown" else done, "outcome": outcome,
                           **fields})
        return outcome

    def push(self, number):
        identity = f"j{number:05}"
        spec = {"name": self.random.choice("abc"), "priority": self.random.randint(-3, 3), "max_retry": self.random.randint(0, 3),
                "keep_result": self.random.random() < 0.5, "timeout": 30, "backoff": {"base": 0.05, "factor": 2, "max": 1, "jitter": 0}}
        if self.random.random() < 0.2:
            spec["delay"] = self.random.uniform(0.01, 1)
        self.spec[identity], self.attempt[identity], self.failures[identity] = spec, 0, 0
        self.make(identity, int(self.now) + 1000 * spec.get("delay", 0))
        while True:
            again = len(self.lines) and self.lines[-1].get("mark") == identity
            if self.note("enqueue", mark=identity, key=identity, spec=spec, argument="arg-" + identity, id=identity,
                         state=self.state[identity], duplicate=bool(again)) == "ok":
                return
            self.now += 5

    def make(self, identity, due):
        if due > self.now:
            self.state[identity] = "scheduled"
            heapq.heappush(self.due, (due, identity))
        else:
            self.state[identity] = "ready"
            self.ready.append((self.spec[identity]["priority"], identity))

    def tick(self):
        self.now += self.random.uniform(4, 60)
        while self.due and self.due[0][0] <= int(self.now):
            _, identity = heapq.heappop(self.due)
            if self.state[identity] == "scheduled":
                self.make(identity, 0)
        for identity in [i for i, s in self.state.items() if s == "running" and self.expires[i] <= int(self.now)]:
            self.bad(identity, True)

    def bad(self, identity, again):
        self.failures[identity] += 1
        failures, spec = self.failures[identity], self.spec[identity]
        if again and failures <= spec["max_retry"]:
            self.make(identity, int(self.now) + 1000 * min(1, 0.05 * 2 ** (failures - 1)))
        else:
            self.state[identity] = "failed"

    def claim(self):
        names = self.random.choice((None, ["a"], ["b", "c"]))
        fit = sorted(entry for entry in self.ready if names is None or self.spec[entry[1]]["name"] in names)[:self.random.randint(1, 3)]
        jobs = []
        for entry in fit:
            self.ready.remove(entry)
            identity, spec = entry[1], self.spec[entry[1]]
            self.attempt[identity] += 1
            self.state[identity] = "running"
            self.lease[identity] = f"{self.attempt[identity]}.{identity}"
            at, lasts = int(self.now), self.random.choice((300, 30_000))
            self.expires[identity] = at + lasts
            jobs.append({"id": identity, "mark": identity, "name": spec["name"], "priority": spec["priority"],
                         "argument": "arg-" + identity, "attempt": self.attempt[identity], "lease": self.lease[identity], "at": at,
                         "expires": at + lasts})
        self.note("claim", names=names, limit=3, jobs=jobs)
        self.held += [(job["id"], job["lease"]) for job in jobs]

    def work(self):
        identity, lease = self.held[self.random.randrange(len(self.held))]
        mine = self.state[identity] == "running" and self.lease[identity] == lease
        kind = self.random.choice(("success",) * 5 + ("failure", "failure", "release", "heartbeat", "drop"))
        if kind == "heartbeat":
            if mine:
                self.expires[identity] += 200
                self.note("heartbeat", id=identity, lease=lease, expires=self.expires[identity])
            return
        self.held.remove((identity, lease))
        digest = "result-" + lease
        if kind == "drop":
            return
        if not mine:
            op = "release" if kind == "release" else "report"
            self.note(op, "fail", id=identity, lease=lease, type=kind, digest=digest, code="lease_lost")
        elif kind == "release":
            self.make(identity, 0)
            self.note("release", id=identity, lease=lease, state="ready")
        elif kind == "success":
            self.state[identity] = "succeeded"
            if self.spec[identity]["keep_result"]:
                self.results[identity] = digest
            if self.note("report", id=identity, lease=lease, type=kind, digest=digest, state="succeeded") == "unknown":
                self.now += 5
                self.note("report", id=identity, lease=lease, type=kind, digest=digest, state="succeeded")
        else:
            self.bad(identity, True)
            self.note("report", id=identity, lease=lease, type=kind, digest=digest, state=self.state[identity])

    def collect(self):
        identity = self.random.choice(list(self.state))
        if self.state[identity] in ("succeeded", "failed") and self.spec[identity]["keep_result"]:
            if identity in self.results:
                self.note("fetch", id=identity, answer="ready", type="success", digest=self.results.pop(identity))
            else:
                self.note("fetch", id=identity, answer="gone")

    def cancel(self):
        identity = self.random.choice(list(self.state))
        if self.state[identity] in ("ready", "scheduled"):
            self.ready = [entry for entry in self.ready if entry[1] != identity]
            self.state[identity] = "cancelled"
            self.note("cancel", id=identity, state="cancelled")

    def play(self):
        pushed = 0
        while pushed < self.jobs or any(state not in ("succeeded", "failed", "cancelled") for state in self.state.values()):
            self.tick()
            what = self.random.random()
            if what < 0.3 and pushed < self.jobs:
                pushed += 1
                self.push(pushed)
            elif what < 0.6:
                self.claim()
            elif what < 0.92 and self.held:
                self.work()
            elif what < 0.98 and self.state:
                self.collect()
            elif self.state:
                self.cancel()
        for identity, state in self.state.items():
            self.lines.append({"op": "final", "client": "c", "invoke": self.now, "complete": self.now, "outcome": "ok", "id": identity,
                               "present": True, "state": state})
        self.lines.append({"op": "end", "drained": True})
        return self.lines
