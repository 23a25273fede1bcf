"""Very many jobs fail at the same moment. Their retries are spread evenly over time."""

import collections
import threading
import time
import unittest

from clients import milliseconds, report_of
from rig import Client, Rig
from tier import LONG, SECONDS

JOBS = int(min(100_000, max(3_000, SECONDS * 100))) // 1000 * 1000 if LONG else 3_000
BASE = 30.0 if LONG else 2.0  # seconds; a retry is due after once to twice this time


class Herd(unittest.TestCase):
    def test_l3_retries_of_a_herd_are_spread_evenly(self):
        with Rig(1) as rig:
            client = Client(rig.ports[0])
            job = {"name": "herd", "max_retry": 1, "timeout": 600, "backoff": {"base": BASE, "factor": 1, "max": BASE, "jitter": 1}}
            for _ in range(JOBS // 1000):
                client.ok("POST", "/v1/jobs/batch", {"jobs": [job] * 1000})
            claimed = []
            while len(claimed) < JOBS:
                claimed += client.ok("POST", "/v1/claims", {"worker": "w", "limit": 100})["jobs"]
            failed = self.fail_all(rig, claimed)
            rig.redis.cli("SLOWLOG", "RESET")
            started = self.run_all(rig)
            first = min(failed)
            tenths = collections.Counter(int((due - first) / (100 * BASE)) for due in failed)
            busiest = max(tenths.values()) / (JOBS / 10)
            seconds = collections.Counter(int((at - first) / 1000) for at in started)
            starts = max(seconds.values()) / (JOBS / BASE)
            print(f"\n| L3 herd | jobs {JOBS} | lost {JOBS - len(started)} | busiest tenth of the due times {busiest:.2f} × even "
                  f"| busiest second of the starts {starts:.2f} × even | slow scripts {rig.redis.cli('SLOWLOG', 'LEN').strip()} |",
                  flush=True)
            self.assertEqual(len(started), JOBS)
            self.assertLess(busiest, 1.5)
            if LONG:  # not in the quick tier, where a busy machine may start jobs late
                self.assertLess(starts, 1.5)
            rig.stop_masters()

    def fail_all(self, rig, claimed):
        """Fails every job. Returns when each retry is due, in milliseconds."""
        answers = []

        def report(part):
            client = Client(rig.ports[0])
            for at in range(0, len(part), 1000):
                bodies = [report_of(job, "failure", should_retry=True)["body"] for job in part[at:at + 1000]]
                results = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": bodies})["results"]
                answers.extend(milliseconds(result["run_at"]) for result in results)

        threads = [threading.Thread(target=report, args=(claimed[n::2],)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answers), JOBS)
        return answers

    def run_all(self, rig):
        started, end = [], time.monotonic() + 4 * BASE + 60

        def work(number):
            client, reports = Client(rig.ports[0]), []
            while len(started) < JOBS and time.monotonic() < end:
                body = {"worker": f"w{number}", "outcomes": reports, "claim": {"limit": 100, "wait": 0.5}}
                jobs = client.ok("POST", "/v1/outcomes", body)["jobs"]
                started.extend(milliseconds(job["deadline"]) - 1000 * job["timeout"] for job in jobs)
                reports = [report_of(job, "success")["body"] for job in jobs]
            if reports:
                client.ok("POST", "/v1/outcomes", {"worker": f"w{number}", "outcomes": reports})

        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return started


if __name__ == "__main__":
    unittest.main()
