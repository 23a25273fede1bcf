"""Recurring jobs with real masters: each due time makes one job, whichever masters live, die or come back."""

import datetime
import os
import random
import shutil
import tempfile
import time
import unittest

from harness import Client, Master, until
from tier import row, span_s

SECONDS = span_s(10, 120)


def second(iso):
    return datetime.datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp()


class Schedules(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-schedules-")
        # The embedded Redis of the first master stays when that master is killed. The other masters use it, too.
        self.first = Master(self.directory)
        self.first.start()
        self.masters = [self.first]
        self.guests = [tempfile.mkdtemp(prefix="junban-schedules-") for _ in range(2)]
        for guest in self.guests:
            self.masters.append(Master(guest, ["--redis", f"unix://{self.directory}/redis.sock"]))
            self.masters[-1].start()
        self.addCleanup(self.clean)

    def clean(self):
        for master in self.masters:
            master.kill()
        self.first.kill_redis()
        for directory in (self.directory, *self.guests):
            shutil.rmtree(directory, ignore_errors=True)

    def client(self):
        return Client(next(m for m in self.masters if m.process.poll() is None).port)

    def put(self, identity, **fields):
        return self.client().ok("PUT", f"/v1/schedules/{identity}", {"every": 1, "job": {"name": identity}, **fields})

    def jobs(self, name):
        page, jobs = {"next": None}, []
        while "next" in page:
            cursor = f"&cursor={page['next']}" if page["next"] else ""
            page = self.client().ok("GET", f"/v1/jobs?name={name}&limit=500{cursor}")
            jobs += page["jobs"]
        return jobs

    def settled(self, identity):
        """Pauses the schedule, and returns it when no firing is under way any more."""
        self.client().ok("POST", f"/v1/schedules/{identity}/pause")
        return self.client().ok("GET", f"/v1/schedules/{identity}")

    def test_each_second_makes_one_job_while_masters_are_killed(self):
        seed = int(os.environ.get("JUNBAN_SEED") or random.randrange(2**32))
        chance = random.Random(seed)
        names = [f"tick{n}" for n in range(5)]
        first = {name: second(self.put(name, missed="all", missed_max=1000)["next_run_at"]) for name in names}
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            time.sleep(chance.random())
            victim = chance.choice(self.masters)
            victim.kill()
            if chance.random() < 0.7:
                time.sleep(chance.random())
            victim.start()
        until(lambda: min(second(self.client().ok("GET", f"/v1/schedules/{n}")["next_run_at"]) for n in names) > time.time(), what="caught up")
        with row("Schedules while masters are killed", **{"due times": 0, "missed": 0, "twice": 0, "seed": seed}) as told:
            self.judge(names, first, seed, told)

    def judge(self, names, first, seed, told):
        for name in names:
            schedule = self.settled(name)
            last = second(schedule["runs"][0]["due_at"])
            due = int(last - first[name]) + 1
            made = len(self.jobs(name))
            told["due times"] += due
            told["missed"] += max(0, due - made)
            told["twice"] += max(0, made - due)
            self.assertGreater(due, SECONDS - 3)
            self.assertEqual(schedule["fired"], due, f"seed {seed}")
            self.assertEqual(made, due, f"seed {seed}")
            dues = [second(run["due_at"]) for run in schedule["runs"]]
            self.assertEqual(dues, [last - n for n in range(len(dues))], f"seed {seed}")

    def test_an_outage_is_made_up_for_by_policy(self):
        for policy in ("once", "all", "none"):
            self.put(policy, missed=policy)
        for policy in ("once", "all", "none"):
            until(lambda policy=policy: self.client().ok("GET", f"/v1/schedules/{policy}")["fired"] > 0, what="a firing")
        for master in self.masters:
            master.kill()
        away = time.time()
        time.sleep(4)
        self.first.start()
        until(lambda: second(self.client().ok("GET", "/v1/schedules/all")["next_run_at"]) > time.time(), what="caught up")
        for policy in ("once", "all", "none"):
            schedule = self.settled(policy)
            passed_over = sum(run.get("passed_over", 0) for run in schedule["runs"])
            span = second(schedule["runs"][0]["due_at"]) - second(schedule["runs"][-1]["due_at"]) + 1
            self.assertEqual(len(schedule["runs"]) + passed_over, span, schedule)
            self.assertEqual(schedule["fired"], len(self.jobs(policy)))
            missed = [run for run in schedule["runs"] if run.get("passed_over")]
            if policy == "all":
                self.assertEqual(missed, [])
            else:  # runs of other moments may be here, too, if the machine stood still
                outage = [run for run in missed if second(run["at"]) > away and run["passed_over"] >= 2]
                self.assertTrue(outage, schedule)

    def test_a_change_at_one_master_is_heeded_by_all(self):
        self.put("s", every=3600)
        self.put("s", every=1, overlap="skip")
        until(lambda: self.client().ok("GET", "/v1/schedules/s")["skipped"] >= 2, what="skipped firings")
        job = self.jobs("s")[0]["id"]
        other = Client(self.masters[1].port)
        self.assertEqual(other.request("POST", "/v1/schedules/s/run")[0], 409)
        claimed = Client(self.masters[2].port).ok("POST", "/v1/claims", {"worker": "w", "names": ["s"]})["jobs"][0]
        self.assertEqual(claimed["id"], job)
        other.ok("POST", "/v1/schedules/s/pause")
        fired = self.client().ok("GET", "/v1/schedules/s")["fired"]
        time.sleep(1.5)
        self.assertEqual(self.client().ok("GET", "/v1/schedules/s")["fired"], fired)
        self.assertEqual(other.ok("DELETE", "/v1/schedules/s")["id"], "s")
        self.assertEqual(self.client().request("GET", "/v1/schedules/s")[0], 404)


if __name__ == "__main__":
    unittest.main()
