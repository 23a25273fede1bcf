"""Limits hold while masters and workers fail. There are never more jobs running, or started within any span, than a constraint admits."""

import http.client
import json
import random
import time
import unittest

from load import Load, verdict
from rig import Rig, fresh_seed
from test_workers import PLANS
from tier import span_s

CONCURRENT = 5
RATE, BURST = 60, 5  # starts a second
ROOM = 120  # the most ready jobs, perhaps all of one name: a third of what the limits let start in the time to drain
MATCHERS = {
    "few": ("mail", {"kind": "concurrency", "limit": CONCURRENT}),
    "slowly": ("report", {"kind": "rate", "algorithm": "gcra", "limit": RATE, "period": 1, "burst": BURST}),
}


class Limits(unittest.TestCase):
    def put(self, port, identity, name, constraint):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        body = {"title": identity, "expression": f'job.name == "{name}"', "constraints": [constraint]}
        connection.request("PUT", f"/v1/matchers/{identity}", json.dumps(body), {"Content-Type": "application/json", "If-None-Match": "*"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 201, answer.read())
        connection.close()

    def runs(self, rig, name):
        """(start, end) of every attempt, in whole milliseconds as in Redis. An attempt lasts from its claim until its worker first reports
        its end, or until its lease expires. No job is cancelled here."""
        started, ends = {}, {}
        for path in rig.histories():
            with open(path, encoding="utf-8") as lines:
                for event in map(json.loads, lines):
                    if event["op"] == "claim" and event.get("outcome") == "ok":
                        for job in event["jobs"]:
                            if job["name"] == name:
                                started[job["lease"]] = (job["at"], job["expires"])
                    elif event["op"] in ("report", "release", "handoff"):
                        ends[event["lease"]] = min(ends.get(event["lease"], event["invoke"]), int(event["invoke"]))
        return sorted((at, min(expires, ends.get(lease, expires))) for lease, (at, expires) in started.items())

    def most_at_once(self, runs):
        marks = sorted([(start, 1) for start, end in runs if end > start] + [(end, -1) for start, end in runs if end > start])
        most = now = 0
        for _, step in marks:
            now += step
            most = max(most, now)
        return most

    def tell(self, runs):
        for start, end in runs:
            with_it = [other for other in runs if other[0] <= start < other[1]]
            if len(with_it) > CONCURRENT:
                print("together:", with_it)

    def most_beyond_rate(self, starts):
        """The most starts beyond RATE in any span. Up to BURST of them are allowed."""
        worst, least = 0.0, float("inf")
        for number, at in enumerate(starts):
            allowed = RATE * at / 1000
            least = min(least, number - allowed)
            worst = max(worst, number + 1 - allowed - least)
        return worst

    def test_f14_limits_hold_while_masters_and_workers_fail(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(3) as rig:
            for identity, (name, constraint) in MATCHERS.items():
                self.put(rig.ports[0], identity, name, constraint)
            load = Load(rig, seed, pushers=2, workers=6, pace=0.01, plans=PLANS, lease=1.0, cancels=0, room=ROOM).start()
            kills, end = 0, time.monotonic() + span_s(6, 1800)
            while time.monotonic() < end and not load.failures:
                time.sleep(source.uniform(0.3, 1))
                victim = source.choice(rig.masters)
                rig.record.fault("kill master")
                victim.kill()
                victim.start()
                kills += 1
            drained = load.settle()
            few, slowly = self.runs(rig, "mail"), self.runs(rig, "report")
            most, beyond = self.most_at_once(few), self.most_beyond_rate([start for start, _ in slowly])
            print(f"\n| F14 limits | starts {len(few) + len(slowly)} | kills {kills} | most at once {most} of {CONCURRENT} "
                  f"| most in any span {beyond:.1f} of {BURST} beyond the rate | seed {seed} |", flush=True)
            if most > CONCURRENT:
                self.tell(few)
            self.assertLessEqual(most, CONCURRENT)
            self.assertLessEqual(beyond, BURST + 0.1)  # times are whole milliseconds
            self.assertGreater(min(len(few), len(slowly)), 10)
            self.assertEqual(most, CONCURRENT)  # the limit was reached
            verdict(self, "F14 limits", load, drained, words=("--held",))
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
