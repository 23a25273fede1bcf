"""Workers die, freeze beyond their leases, report again and again, and report under leases that are not theirs."""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

from clients import report_of
from load import Load, verdict
from rig import HERE, Client, Rig, fresh_seed, until
from tier import LONG, end

JOBS, FAULTS = (20_000, 2_000) if LONG else (400, 12)
PACE = 0.05 if LONG else 0.01  # slow enough: no succeeded job is purged because there are too many
LEASE = 1.0

# More faults than usual: reports are sent twice or ten times, under wrong leases, too late, or never.
PLANS = {"s": 30, "m": 20, "w": 15, "ls": 8, "ds": 8, "fs": 5, "h": 8, "wm": 3, "F": 3}


class Processes:
    """Worker processes. A killed one is replaced by another."""

    def __init__(self, rig, seed, count):
        self.rig, self.seed, self.serial = rig, seed, 0
        self.running = [self.begin() for _ in range(count)]

    def begin(self):
        self.serial += 1
        name = f"worker{self.serial}"
        words = [name, os.path.join(self.rig.directory, f"{name}.jsonl"), f"{self.seed} {name}", str(LEASE), *map(str, self.rig.ports)]
        return subprocess.Popen([sys.executable, "-B", str(HERE / "worker.py"), *words], stdin=subprocess.PIPE)

    def kill(self, at):
        self.running[at].kill()
        self.running[at].wait()
        self.running[at].stdin.close()
        self.running[at] = self.begin()

    def freeze(self, at, seconds):
        self.running[at].send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.running[at].send_signal(signal.SIGCONT)

    def end(self):
        codes = []
        for process in self.running:
            process.stdin.close()
        for process in self.running:
            codes.append(process.wait(60))
        return codes


class Workers(unittest.TestCase):
    def test_f4_workers_are_killed_and_frozen_and_report_wrongly(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2) as rig:
            load = Load(rig, seed, pushers=2, workers=2, pace=PACE, plans=PLANS, lease=LEASE).start()
            processes = Processes(rig, seed, 3)
            try:
                done, over = 0, end()
                while (done < FAULTS or len(load.ids) < JOBS) and time.monotonic() < over and not load.failures:
                    time.sleep(source.uniform(0.05, 0.3))
                    at = source.randrange(len(processes.running))
                    if source.random() < 0.7:
                        rig.record.fault("kill worker")
                        processes.kill(at)
                    else:
                        rig.record.fault("freeze worker")
                        processes.freeze(at, LEASE + source.uniform(0.2, 0.7))
                    done += 1
                load.stop_pushing.set()
                # The leases of killed workers must still expire. The living workers go on until all jobs are done.
                client = Client(rig.ports[0])
                until(lambda: not any(client.overview()["states"].get(s) for s in ("ready", "scheduled", "running")), 40, "drained")
            finally:
                codes = processes.end()
            self.assertEqual(codes, [0] * len(codes))
            verdict(self, "F4 workers", load, load.settle())
            rig.stop_masters()

    def test_f4_a_job_that_kills_its_workers_is_dead_after_three(self):
        with Rig(1) as rig:
            client = Client(rig.ports[0])
            job = client.ok("POST", "/v1/jobs", {"name": "bomb", "max_retry": 50, "backoff": {"base": 0}, "keep_result": True})
            for attempt in (1, 2, 3):
                claimed = client.ok("POST", "/v1/claims", {"worker": "victim", "wait": 20, "lease": 1})["jobs"]
                self.assertEqual([(c["id"], c["attempt"]) for c in claimed], [(job["id"], attempt)])
            done = until(lambda: (j := client.ok("GET", f"/v1/jobs/{job['id']}"))["state"] == "failed" and j, 60, "failed")
            self.assertEqual((done["reason"], done["failures"]), ("poison", 3))
            late = {"worker": "victim", "outcomes": [report_of(claimed[0], "success")["body"]]}
            status, answer = client.request("POST", "/v1/outcomes", late)
            self.assertEqual((status, answer["results"][0]["error"]["code"]), (200, "lease_lost"))
            self.assertEqual(client.ok("GET", f"/v1/jobs/{job['id']}/result")["reason"], "timeout")


if __name__ == "__main__":
    unittest.main()
