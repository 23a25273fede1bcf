"""A mixed load on the masters of a rig, its end, and the result of the history checker."""

import http.client
import json
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse

import msgpack

from clients import Talker, Worker, digest, iso, milliseconds
from rig import HERE, IN_MEMORY, Client, now_ms
from tier import LONG

DRAIN_S = 30 if LONG else 120  # the long tier has the machine for itself
NAMES = ("mail", "report", "video")

# What a job does at its attempts (Worker), and how often it is chosen.
OPTIONS = {"unique", "depends_on", "then", "expires_in"}  # fields of new jobs, besides those that any job may have
PLANS = {"s": 60, "fs": 8, "ffs": 3, "F": 3, "rs": 4, "Rs": 3, "ds": 3, "ls": 2, "m": 5, "w": 4, "h": 4, "dfrs": 1, "a": 3, "as": 2}


class Made:
    """Makes the jobs of one pusher from a seed. New jobs may depend on jobs in `known`."""

    def __init__(self, prefix, seed, plans=None, plain=False):
        self.prefix, self.random, self.number = prefix, random.Random(seed), 0
        self.plans, self.weights = zip(*(plans or PLANS).items())
        self.plain = plain  # only the fields that any job may have
        self.known = []

    def one(self, plan=None):
        """A job with a name, an argument that says what its worker does, and the fields that any job may have."""
        self.number += 1
        draw = self.random
        mark = f"{self.prefix}.{self.number}"
        argument = {"mark": mark, "plan": plan or draw.choices(self.plans, self.weights)[0],
                    "pad": draw.randbytes(draw.choice((0, 0, 7, 100, 3000)))}
        spec = {"name": draw.choice(NAMES), "priority": draw.choice((0, 0, 0, -1, 1, 5, -100)), "max_retry": 20, "timeout": 20,
                "keep_result": draw.random() < 0.3, "backoff": {"base": 0.1, "factor": 2, "max": 1, "jitter": 0.2}}
        return mark, argument, spec

    def spec(self):
        draw = self.random
        mark, argument, spec = self.one()
        body = {}
        if not self.plain and draw.random() < 0.1:
            spec["delay"] = round(draw.uniform(0.05, 2), 3)
        elif not self.plain and draw.random() < 0.05:
            spec["run_at"] = int(now_ms() + draw.uniform(50, 2000))
            body["run_at"] = iso(spec["run_at"])
        if not self.plain:
            self.add_options(spec, body)
        body = {**spec, **body, "argument": argument, "idempotency_key": mark}
        return {"mark": mark, "key": mark, "spec": spec, "digest": digest(argument), "body": body}

    def add_options(self, spec, body):
        draw = self.random
        if "unique" in OPTIONS and draw.random() < 0.1:
            spec["unique"] = {"key": f"u{draw.randrange(6)}", "until": draw.choice(("started", "finished")),
                              "on_conflict": draw.choice(("coalesce", "coalesce", "reject", "replace"))}
        if "depends_on" in OPTIONS and self.known and draw.random() < 0.1:
            spec["depends_on"] = draw.sample(self.known, min(len(self.known), draw.choice((1, 1, 2, 5))))
            spec["on_dependency_failure"] = draw.choice(("fail", "cancel", "run"))
        # A time would be refused where Redis' clock has jumped: the job would expire before it is due.
        if "expires_in" in OPTIONS and "run_at" not in spec and draw.random() < 0.03:
            spec["expires_in"] = draw.choice((1, 5, 30)) + spec.get("delay", 0)  # after its start
        if "then" in OPTIONS and draw.random() < 0.05:
            spec["then"], body["then"] = [], []
            for _ in range(draw.randint(1, 3)):
                mark, argument, child = self.one(plan="s")
                spec["then"].append({**child, "mark": mark, "digest": digest(argument)})
                body["then"].append({**child, "argument": argument})


class Load:
    """`room`: the pushers wait while more jobs than this are ready. It is for loads whose jobs start slowly because of limits."""

    def __init__(self, rig, seed, pushers=2, workers=4, pace=0.0, plans=None, plain=False, lease=2.0, cancels=0.03, slow=0.0, batch=8,
                 timeout=15, room=None):
        self.rig, self.seed, self.pace, self.cancels, self.batch, self.timeout = rig, seed, pace, cancels, batch, timeout
        self.room = room
        self.stop_pushing, self.stop_working = threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.ids, self.to_fetch, self.failures = [], [], []
        self.refused = 0
        self.workers = [Worker(self.talker(f"w{n}"), self.stop_working, lease=lease, slow=slow,
                               names=None if n % 3 else list(NAMES[:2]) if n else None) for n in range(workers)]
        self.pushers = [threading.Thread(target=self.guard, args=(self.push, n, plans, plain), daemon=True) for n in range(pushers)]
        self.collector = threading.Thread(target=self.guard, args=(self.collect,), daemon=True)
        self.operator = threading.Thread(target=self.guard, args=(self.operate,), daemon=True)

    def talker(self, name):
        return Talker(name, self.rig.ports, self.rig.record, f"{self.seed} {name}", self.timeout)

    def guard(self, run, *words):
        try:
            run(*words)
        except Exception as error:  # pylint: disable=broad-except
            self.failures.append(f"{type(error).__name__}: {error}")

    def start(self):
        for thread in (*self.workers, *self.pushers, self.collector, self.operator):
            thread.start()
        return self

    def push(self, number, plans, plain):
        talker, made = self.talker(f"p{number}"), Made(f"{self.seed:x}.{number}", f"{self.seed} made {number}", plans, plain)
        looked = Client(self.rig.ports[0])
        while not self.stop_pushing.is_set():
            if self.crowded(looked):
                self.stop_pushing.wait(0.1)
                continue
            specs = [made.spec() for _ in range(1 if made.random.random() < 0.5 else made.random.randint(2, self.batch))]
            got = talker.push(specs)
            with self.lock:
                self.refused += got.count(None)
                self.ids += [identity for identity in got if identity]
                self.to_fetch += [identity for spec, identity in zip(specs, got) if identity and spec["spec"]["keep_result"]]
            for identity in got:
                if identity and made.random.random() < self.cancels:
                    talker.cancel(identity, made.random.random() < 0.5)
            made.known = [identity for identity in dict.fromkeys([*made.known, *got]) if identity][-30:]  # several pushes may have become one job
            time.sleep(self.pace * len(specs))
        self.failures += [f"an answer no fault explains: {event}" for event in talker.errors]

    def crowded(self, client):
        try:
            return self.room is not None and client.request("GET", "/v1/overview", timeout=5)[1]["states"].get("ready", 0) > self.room
        except (OSError, http.client.HTTPException, msgpack.exceptions.UnpackException, KeyError, TypeError, ValueError):
            return True  # a fault; the call is repeated

    def operate(self):
        """Retries a failed job now and then, and edits waiting jobs."""
        talker = self.talker("operator")
        looked = Client(self.rig.ports[0])
        while not self.stop_pushing.wait(0.3):
            try:
                failed = looked.request("GET", "/v1/jobs?state=failed&limit=20", timeout=5)[1]["jobs"]
                if failed:
                    talker.retry(talker.random.choice(failed)["id"])
                if self.ids:
                    talker.edit(talker.random.choice(self.ids[-40:]), {"priority": talker.random.randint(-9, 9)})
            except (OSError, http.client.HTTPException, KeyError, TypeError):
                continue  # a fault; the history has the part that was done

    def collect(self):
        """Fetches results with receipts, and some of them again without."""
        talker = self.talker("collector")
        left = []  # (id, receipt)
        while not (self.stop_working.is_set() and not left and not self.to_fetch):
            with self.lock:
                left += [(identity, f"r{talker.random.getrandbits(48):x}" if talker.random.random() < 0.8 else "")
                         for identity in self.to_fetch]
                self.to_fetch.clear()
            again = []
            for identity, receipt in left:
                event = talker.fetch(identity, receipt)
                if event["outcome"] != "ok" or event["answer"] == "pending":
                    again.append((identity, receipt))
                elif talker.random.random() < 0.3:
                    talker.fetch(identity, "")
            left = again
            time.sleep(0.2)
            if self.stop_working.is_set() and left:
                left = [entry for entry in left if talker.fetch(*entry)["outcome"] == "unknown"]

    def push_until(self, jobs=None, seconds=None):
        """Waits until so many jobs were acknowledged, or until the time is over."""
        end = time.monotonic() + (seconds or 600)
        while (jobs is None or len(self.ids) < jobs) and time.monotonic() < end and not self.failures:
            time.sleep(0.05)

    def settle(self):
        """Waits until no job is left, at most DRAIN_S after the last fault. Returns the seconds that it took, None when jobs are left."""
        self.stop_pushing.set()
        for pusher in self.pushers:
            pusher.join(90)
            assert not pusher.is_alive(), "a pusher hangs"
        begun = time.monotonic()
        states = {}
        client = Client(self.rig.ports[0])
        while time.monotonic() < begun + DRAIN_S:
            states = client.insist("GET", "/v1/overview")[1]["states"]
            if not any(states.get(state) for state in ("ready", "scheduled", "running", "depends", "awaiting")):
                break
            time.sleep(0.1)
        took = time.monotonic() - begun
        self.stop_working.set()
        for thread in (*self.workers, self.collector, self.operator):
            thread.join(600)  # the collector fetches one result after another, which takes long where much else runs
            assert not thread.is_alive(), f"{thread.name} hangs"
        drained = took < DRAIN_S
        if not drained:
            print("not drained:", states)
        self.finals(drained)
        return round(took, 1) if drained else None

    def finals(self, drained):
        """Reads every job that is known to a client."""
        identities = sorted({*self.ids, *self.ended(), *(identity for history in self.rig.histories() for identity in known(history))})
        slices = [identities[n::4] for n in range(4)]
        threads = [threading.Thread(target=self.guard, args=(self.look, part)) for part in slices]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.rig.record.write([{"op": "end", "drained": drained}])
        self.rig.record.close()

    def ended(self):
        """Jobs that did not succeed. Perhaps no client has seen their end."""
        client = Client(self.rig.ports[0])
        for state in ("failed", "cancelled"):
            cursor = ""
            while cursor is not None:
                page = client.insist("GET", f"/v1/jobs?state={state}&limit=500{cursor}")[1]
                yield from (job["id"] for job in page["jobs"])
                cursor = f"&cursor={urllib.parse.quote(page['next'], safe='')}" if "next" in page else None

    def look(self, identities):
        client = Client(self.rig.ports[0])
        for identity in identities:
            begun = now_ms()
            status, answer = client.insist("GET", f"/v1/jobs/{identity}")
            final = {"op": "final", "client": "end", "invoke": begun, "complete": now_ms(end=True), "outcome": "ok", "id": identity,
                     "present": status == 200}
            if status == 200:
                argument = answer.get("argument")
                final.update(state=answer["state"], mark=argument.get("mark") if isinstance(argument, dict) else None,
                             reason=answer.get("reason"), failures=answer["failures"], kept=answer["result_kept"],
                             attempts=[attempt_of(entry) for entry in answer["attempts"]])
            self.rig.record.write([final])


def known(history):
    """Ids that are known from a claim only."""
    with open(history, encoding="utf-8") as lines:
        for line in lines:
            if '"op":"claim"' in line and '"jobs":[{' in line:
                try:
                    yield from (job["id"] for job in json.loads(line)["jobs"])
                except ValueError:
                    continue  # incomplete: its writer was killed


def attempt_of(attempt):
    return {"attempt": attempt["attempt"], "started": milliseconds(attempt["started_at"]),
            "ended": milliseconds(attempt["ended_at"]) if "ended_at" in attempt else None, "how": attempt.get("ended")}


def kept(load):
    """Copies the histories of a run that went wrong into the build's folder, and says where they are."""
    place = pathlib.Path.cwd() / f"history-{load.seed}"
    place.mkdir(exist_ok=True)
    for history in load.rig.histories():
        shutil.copy(history, place)
    return f"\nThe histories are in {place}.\n"


def verdict(test, name, load, drained, faults=None, words=()):
    """Runs the checker and prints the table's row. Fails the test when anything is wrong."""
    tick = ("--tick", "100") if IN_MEMORY else ()  # its clock learns Redis' from replies, which a sync of the file delays
    answer = subprocess.run([sys.executable, "-B", str(HERE.parent / "history" / "check.py"), "--json", *tick, *words, *load.rig.histories()],
                            capture_output=True, text=True, check=False)
    test.assertIn(answer.returncode, (0, 1), answer.stderr)
    figures = json.loads(answer.stdout.splitlines()[-1])
    unread = f" | not read {figures['not_read']}" if figures["not_read"] else ""
    print(f"\n| {name} | operations {figures['operations']} | jobs {figures['jobs']} | faults {faults or figures['faults']} "
          f"| unknown {figures['unknown']} | lost {figures['lost']} | duplicates {figures['duplicates']} | phantom {figures['phantom']} "
          f"| double-accepted {figures['double_accepted']} | drained {drained} s{unread} | seed {load.seed} |", flush=True)
    test.assertEqual(load.failures, [])
    wrong = [report for worker in load.workers for report in worker.wrong] + [e for worker in load.workers for e in worker.talker.errors]
    test.assertEqual(wrong, [])
    if answer.returncode:
        test.fail(kept(load) + "\n".join(answer.stdout.splitlines()[:60]))
    test.assertIsNotNone(drained, "not everything drained")
    return figures
