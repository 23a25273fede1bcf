"""What operators are told, against the jobs there are: causes of failures, failed jobs of a name, workers that die, limits, charts."""

import time
import unittest

from harness import Client, Master, now, success, until

NEW = {"If-None-Match": "*"}
PYTHON = 'Traceback (most recent call last):\n  File "/app/worker.py", line {line}, in charge\n    return order[key]\n{error}\n'


def failure(job, message, reason="other"):
    return {"id": job["id"], "lease": job["lease"], "type": "failure", "reason": reason, "should_retry": False, "finished_at": now(),
            "error": None, "message": message}


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.master = cls.enterClassContext(Master())

    def setUp(self):
        self.client = Client(self.master.port)
        self.name = self.id().rsplit(".", 1)[-1][:100]

    def push(self, arguments, **fields):
        jobs = [{"name": self.name, "argument": a, **fields} for a in arguments]
        return [r["id"] for r in self.client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]

    def claim(self, limit=1, **more):
        body = {"worker": self.name, "names": [self.name], "limit": limit, **more}
        return self.client.ok("POST", "/v1/claims", body)["jobs"]

    def report(self, outcomes):
        return self.client.ok("POST", "/v1/outcomes", {"worker": self.name, "outcomes": outcomes})

    def matcher(self, name, expression, *constraints):
        body = {"title": name, "expression": expression, "constraints": list(constraints)}
        status, saved = self.client.request("PUT", f"/v1/matchers/{name}", body, fields=NEW)
        self.assertEqual(status, 201, saved)
        self.addCleanup(self.client.request, "DELETE", f"/v1/matchers/{name}", None, 90, {"If-Match": f'"{saved["revision"]}"'})
        return saved

    def held(self):
        return self.client.overview()["held"]

    def row(self):
        rows = self.client.ok("GET", "/v1/workers?limit=500")["workers"]
        return next((row for row in rows if row["worker"] == self.name), None)

    def test_tracebacks_are_as_many_causes_as_they_have_errors(self):
        errors = ["KeyError: 'a'", "KeyError: 'b'", "ConnectionRefusedError: [Errno 111] Connection refused", "KeyError: 'a'"]
        self.push(range(len(errors)))
        jobs = self.claim(len(errors))
        self.report([failure(job, PYTHON.format(line=line + 7, error=error)) for line, (job, error) in enumerate(zip(jobs, errors))])
        groups = [g for g in self.client.ok("GET", "/v1/failures?limit=500")["groups"] if g["name"] == self.name]
        self.assertEqual(sorted((g["title"], g["failed"]) for g in groups),
                         [(errors[2], 1), ("KeyError: 'a'", 2), ("KeyError: 'b'", 1)])
        job = self.client.ok("GET", f"/v1/jobs/{jobs[1]['id']}")
        self.assertEqual(job["outcome"]["message"], PYTHON.format(line=8, error=errors[1]))
        self.assertEqual(job["history"][-1]["message"].splitlines()[:2], [errors[1], "Traceback (most recent call last):"])

    def test_the_failed_jobs_of_a_name_are_those_of_now(self):
        self.push(range(3))
        jobs = self.claim(3)
        self.report([failure(job, "disk full") for job in jobs])

        def failed():
            page = self.client.ok("GET", "/v1/names?limit=500")
            self.assertTrue(page["complete"])
            row = next(r for r in page["names"] if r["name"] == self.name)
            return row["failed"], row["totals"]["failed"]

        until(lambda: failed() == (3, 3), what="three failed jobs")
        self.client.ok("POST", f"/v1/jobs/{jobs[0]['id']}/retry")
        until(lambda: failed() == (2, 3), what="two failed jobs")

    def test_a_worker_that_dies_is_late_then_lost_and_what_timed_out_is_its_failure(self):
        self.push(range(2))
        self.assertEqual(len(self.claim(1, lease=4)), 1)
        self.assertEqual(len(self.claim(1, lease=8)), 1)
        until(lambda: self.row(), what="the worker")
        self.assertEqual((self.row()["state"], self.row()["failed"]), ("up", 0))
        until(lambda: self.row()["state"] == "late", what="a late worker")
        until(lambda: (self.row()["state"], self.row()["failed"]) == ("lost", 2), 30, "a lost worker with two failures")
        self.claim(1)
        until(lambda: self.row()["state"] == "up", what="the worker again")

    def test_held_jobs_of_limits_of_different_names_add_up_however_many_lanes_they_have(self):
        names = ["many.a", "many.b"]
        for name in names:
            self.matcher(name, f'job.name == "{name}"', {"kind": "concurrency", "limit": 0},
                         {"kind": "concurrency", "limit": 1000, "by": ["job.argument"]})
            for first in range(0, 150, 50):
                self.client.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": name, "argument": n} for n in range(first, first + 50)]})
        self.assertEqual(self.client.ok("POST", "/v1/claims", {"worker": "w", "names": names, "limit": 10})["jobs"], [])
        until(lambda: (self.held()["jobs"], self.held()["complete"]) == (300, True), 30, f"300 held jobs: {self.held()}")

    def test_a_sum_that_may_be_too_small_says_so(self):
        # Both limits hold some of the same jobs, in more lanes than are looked at.
        for key in ("x", "y"):
            saved = self.matcher(f"twice.{key}", f'job.name == "{self.name}" && job.argument.{key} >= 0',
                                 {"kind": "concurrency", "limit": 0}, {"kind": "concurrency", "limit": 1000, "by": [f"job.argument.{key}"]})
        arguments = [{"x": n, "y": n % 150} for n in range(150)] + [{"y": n + 200} for n in range(150)]
        for first in range(0, len(arguments), 50):
            self.push(arguments[first:first + 50])
        self.assertEqual(self.claim(10), [])
        until(lambda: self.held()["by"], what="held jobs")
        held = self.held()
        self.assertFalse(held["complete"], held)
        self.assertLessEqual(held["jobs"], 300)
        # Nor is it said to be exact at once when one of the limits is gone.
        gone = {"If-Match": f'"{saved["revision"]}"'}
        self.assertEqual(self.client.request("DELETE", "/v1/matchers/twice.y", fields=gone)[0], 200)
        until(lambda: len(self.held()["by"]) == 1, 30, "one limit")
        self.assertFalse(self.held()["complete"], self.held())
        until(lambda: self.held()["complete"], 30, "an exact sum")

    def test_a_rate_says_what_has_started_and_names_no_holders(self):
        for algorithm in ("gcra", "sliding", "fixed"):
            name = f"rate.{algorithm}"
            rate = {"kind": "rate", "limit": 3, "period": 86400, "algorithm": algorithm, **({"burst": 3} if algorithm == "gcra" else {})}
            constraint = self.matcher(name, f'job.name == "{name}"', rate)["constraints"][0]["id"]
            self.client.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": name} for _ in range(5)]})
            claim = {"worker": self.name, "names": [name], "limit": 5}
            jobs = self.client.ok("POST", "/v1/claims", claim)["jobs"]
            self.assertEqual(len(jobs), 3)
            self.report([success(job, 1) for job in jobs[:2]]) # what has ended still counts
            bucket = self.client.ok("GET", f"/v1/constraints/{constraint}/buckets")["buckets"][0]
            self.assertEqual((bucket["used"], bucket["limit"], bucket["open"], bucket.get("holders", [])), (3, 3, False, []), algorithm)
            live = next(c for c in self.client.ok("GET", "/v1/constraints?limit=100")["constraints"] if c["constraint"]["id"] == constraint)
            self.assertEqual((live["used"], live["waiting"]), (3, 2))
            row = next(h for h in self.client.ok("GET", "/v1/held")["held"] if h.get("constraint") == constraint)
            self.assertEqual((row["used"], row["limit"]), (3, 3))
            waiting = self.client.ok("GET", f"/v1/jobs?state=ready&name={name}")["jobs"][0]["id"]
            gate = next(g for g in self.client.ok("GET", f"/v1/jobs/{waiting}/explain")["gates"] if g["gate"] == "rate")
            self.assertEqual((gate["used"], gate["status"], gate.get("holders", [])), (3, "holding", []))

    def test_a_chart_ends_where_it_is_asked_to(self):
        self.push(range(4))
        until(lambda: sum(self.series("range=5m")["values"]) >= 4, what="the counted jobs")
        today = time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime())
        yesterday = self.series(f"range=24h&until={today}")
        self.assertEqual((yesterday["step"], len(yesterday["values"]), sum(yesterday["values"])), (60, 1440, 0))
        self.assertEqual(yesterday["from"], time.strftime("%Y-%m-%dT00:00:00.000Z", time.gmtime(time.time() // 86400 * 86400 - 86400)))
        now_ = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60))
        self.assertGreaterEqual(sum(self.series(f"range=1h&until={now_}")["values"]), 4)
        status, problem = self.client.request("GET", "/v1/series?metric=enqueued&until=yesterday")
        self.assertEqual((status, problem["field"]), (400, "until"))

    def series(self, query):
        return self.client.ok("GET", f"/v1/series?metric=enqueued&{query}")


if __name__ == "__main__":
    unittest.main()
