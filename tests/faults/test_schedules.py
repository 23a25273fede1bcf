"""Schedules fire once for every due time, whichever masters are alive."""

import random
import threading
import time
import unittest

from clients import milliseconds, report_of
from rig import Client, Rig, fresh_seed, until
from tier import span_s

SCHEDULES = 3


class Schedules(unittest.TestCase):
    def test_every_due_time_fires_once_while_masters_and_redis_are_killed(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(3, settings=("appendfsync", "always")) as rig:
            client = Client(rig.ports[0])
            for number in range(SCHEDULES):
                job = {"name": f"tick{number}", "timeout": 5, "max_retry": 100, "backoff": {"base": 0}}  # claims whose answer is lost cost attempts
                schedule = {"every": 1, "job": job, "overlap": "allow", "missed": "all"}
                status, answer = client.insist("PUT", f"/v1/schedules/s{number}", schedule)
                self.assertEqual(status, 201, answer)
            stop, ran = threading.Event(), [set() for _ in range(SCHEDULES)]
            workers = [threading.Thread(target=self.work, args=(rig, n, stop, ran), daemon=True) for n in range(2)]
            for worker in workers:
                worker.start()
            firings = [{} for _ in range(SCHEDULES)]
            end = time.monotonic() + span_s(8, 300)
            kills = 0
            while time.monotonic() < end:
                time.sleep(source.uniform(0.3, 1.2))
                if source.random() < 0.2:
                    rig.redis.kill()
                    rig.redis.start()
                else:
                    victim = source.choice(rig.masters)
                    victim.kill()
                    victim.start()
                kills += 1
                self.note(rig, firings)
            for number in range(SCHEDULES):
                client.insist("POST", f"/v1/schedules/s{number}/pause", {})
            self.note(rig, firings)
            until(lambda: not any(client.overview()["states"][state] for state in ("ready", "running", "scheduled")), 60, "drained")
            stop.set()
            for worker in workers:
                worker.join(30)
            self.judge(firings, ran, kills, seed)
            rig.stop_masters()

    def judge(self, firings, ran, kills, seed):
        """Every second from the first firing to the last made one job, and all of these jobs ran."""
        missed = twice = 0
        for made in firings:
            due = sorted(made)
            missed += sum(round((later - earlier) / 1000) - 1 for earlier, later in zip(due, due[1:]))
            twice += sum(len(jobs) - 1 for jobs in made.values())
        print(f"\n| schedules | due times {sum(map(len, firings))} | kills {kills} | missed {missed} | twice {twice} | seed {seed} |", flush=True)
        for number, made in enumerate(firings):
            due = sorted(made)
            self.assertGreater(len(due), 5)
            self.assertEqual([b - a for a, b in zip(due, due[1:])], [1000] * (len(due) - 1), f"seed {seed}")
            jobs = {job for jobs in made.values() for job in jobs}
            self.assertEqual({len(jobs) for jobs in made.values()}, {1}, f"several jobs for one due time; seed {seed}")
            self.assertEqual(ran[number], jobs, f"seed {seed}")

    def note(self, rig, firings):
        """Collects the firings: due time → jobs. A schedule keeps its last twenty runs, so this must be called often enough."""
        for number, made in enumerate(firings):
            _, answer = Client(rig.ports[0]).insist("GET", f"/v1/schedules/s{number}")
            for run in answer["runs"]:
                self.assertEqual(run["outcome"], "enqueued", run)
                made.setdefault(milliseconds(run["due_at"]), set()).add(run["job"])

    def work(self, rig, number, stop, ran):
        client, reports = Client(rig.ports[number]), []
        while not stop.is_set() or reports:
            body = {"worker": f"w{number}", "outcomes": reports, "claim": {"limit": 10, "wait": 0.5}}
            jobs = client.insist("POST", "/v1/outcomes", body)[1]["jobs"]
            for job in jobs:
                ran[int(job["name"][4:])].add(job["id"])
            reports = [report_of(job, "success")["body"] for job in jobs]


if __name__ == "__main__":
    unittest.main()
