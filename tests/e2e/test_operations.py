"""Frozen views and operations with real masters: each job of a view is acted on once, whoever is killed, and no other one."""

import shutil
import tempfile
import time
import unittest

from harness import Client, Master, now, until
from tier import span_s

FAILED = int(span_s(400, 12000))
OTHERS = int(span_s(1200, 100000))
RATE = 200


class Case(unittest.TestCase):
    MASTERS = 1

    def setUp(self):
        self.directories = [tempfile.mkdtemp(prefix="junban-operations-") for _ in range(self.MASTERS)]
        # The first one's Redis lives on when it is killed; the others are guests of it.
        self.masters = [Master(self.directories[0])]
        self.masters[0].start()
        for guest in self.directories[1:]:
            self.masters.append(Master(guest, ["--redis", f"unix://{self.directories[0]}/redis.sock"]))
            self.masters[-1].start()
        self.addCleanup(self.clean)

    def clean(self):
        for master in self.masters:
            master.kill()
        self.masters[0].kill_redis()
        for directory in self.directories:
            shutil.rmtree(directory, ignore_errors=True)

    def client(self):
        return Client(next(m for m in self.masters if m.process.poll() is None).port)

    def push(self, name, count, **fields):
        """Pushes so many jobs, and returns their ids."""
        client, ids = self.client(), []
        for first in range(0, count, 1000):
            jobs = [{"name": name, "max_retry": 0, **fields} for _ in range(min(1000, count - first))]
            ids += [result["id"] for result in client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
        return ids

    def run_badly(self, name, message="smtp timeout"):
        """Runs all ready jobs with the name; each of them fails."""
        client, outcomes = self.client(), []
        while True:
            body = {"worker": "w", "outcomes": outcomes, "claim": {"names": [name], "limit": 100}}
            jobs = client.ok("POST", "/v1/outcomes", body)["jobs"]
            outcomes = [{"id": job["id"], "lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": True,
                         "message": message} for job in jobs]
            if not jobs:
                return

    def prepare(self, **fields):
        return self.client().ok("POST", "/v1/operations", {"dry_run": True, **fields})

    def start(self, **fields):
        return self.client().ok("POST", "/v1/operations", {"token": self.prepare(**fields)["token"]})["operation"]

    def operation(self, name):
        return self.client().insist("GET", f"/v1/operations/{name}")[1]

    def ended(self, name, seconds=60):
        until(lambda: self.operation(name)["state"] in ("done", "stopped"), seconds, "the operation's end")
        return self.operation(name)

    def states(self, ids):
        client = self.client()
        return [client.ok("GET", f"/v1/jobs/{each}")["state"] for each in ids]


class Operations(Case):
    def test_a_dry_run_says_what_would_be_done_and_its_token_does_it(self):
        failed = self.push("mail", 30)
        self.run_badly("mail")
        others = self.push("mail", 5)
        preview = self.prepare(action="retry", name="mail", rate=500)
        self.assertEqual(preview["counts"], {"failed": 30, "ready": 5})
        self.assertEqual(preview["excluded"], {"ready": 5})
        self.assertEqual((preview["jobs"], len(preview["samples"]), preview["complete"]), (30, 10, True))
        self.assertLessEqual({job["id"] for job in preview["samples"]}, set(failed))
        self.assertEqual(set(self.states(failed)), {"failed"})
        started = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})
        self.assertEqual(started["operation"], preview["token"])
        done = self.ended(preview["token"])
        self.assertEqual((done["state"], done["done"], done["skipped"], done["skipped_by"]), ("done", 30, 5, [{"reason": "ready", "jobs": 5}]))
        self.assertEqual(set(self.states(failed)), {"ready"})
        skipped = self.client().ok("GET", f"/v1/operations/{preview['token']}/skipped")
        self.assertEqual({entry["id"] for entry in skipped["skipped"]}, set(others))
        again = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})
        self.assertEqual(again["done"], 30)


    def test_a_view_stays_as_it_was_and_is_read_at_any_place(self):
        ids = self.push("frozen", 1234)
        view = self.client().ok("POST", "/v1/views", {"name": "frozen", "state": "ready"})
        self.assertEqual((view["count"], view["complete"]), (1234, True))
        self.push("frozen", 5)
        self.client().ok("DELETE", f"/v1/jobs/{ids[700]}")
        page = self.client().ok("GET", f"/v1/views/{view['view']}?offset=600&limit=300")
        self.assertEqual((page["count"], page["ids"]), (1234, ids[600:900]))
        self.assertEqual([job["id"] for job in page["jobs"]], ids[600:900])
        self.assertEqual(page["jobs"][100]["state"], "cancelled")
        self.assertEqual(self.client().ok("GET", f"/v1/views/{view['view']}?offset=1230")["ids"], ids[1230:])
        self.assertEqual(self.client().request("GET", "/v1/views/none")[0], 404)

    def test_what_is_not_prepared_is_not_started(self):
        def refused(body, field):
            status, problem = self.client().request("POST", "/v1/operations", body)[:2]
            self.assertEqual((status, problem.get("field")), (400, field), body)
        refused({"action": "retry", "state": "failed"}, "dry_run")
        refused({"state": "failed", "dry_run": True}, "action")
        refused({"action": "retry", "dry_run": True}, "view")
        refused({"action": "retry", "view": "v", "state": "failed", "dry_run": True}, "view")
        refused({"action": "set", "state": "ready", "dry_run": True}, "fields")
        refused({"action": "set", "state": "ready", "fields": {"timeout": 5}, "dry_run": True}, "fields")
        refused({"action": "retry", "state": "ready", "fields": {"priority": 5}, "dry_run": True}, "fields")
        refused({"token": "t", "action": "retry"}, "token")
        self.assertEqual(self.client().request("POST", "/v1/operations", {"token": "none"})[0], 404)
        self.assertEqual(self.client().request("POST", "/v1/operations", {"action": "retry", "view": "none", "dry_run": True})[0], 404)

    def test_a_rate_spreads_it_and_it_can_be_paused_and_stopped(self):
        jobs = self.push("slow", 300)
        name = self.start(action="cancel", ids=jobs, rate=100)
        time.sleep(1)
        paused = self.client().ok("POST", f"/v1/operations/{name}/pause")
        self.assertEqual(paused["state"], "paused")
        self.assertTrue(20 < paused["done"] < 220, paused)
        time.sleep(0.5)
        self.assertEqual(self.operation(name)["done"], paused["done"])
        self.client().ok("POST", f"/v1/operations/{name}/resume")
        until(lambda: self.operation(name)["done"] > paused["done"], what="more")
        stopped = self.client().ok("POST", f"/v1/operations/{name}/stop")
        self.assertEqual(stopped["state"], "stopped")
        time.sleep(0.5)
        self.assertEqual(self.states(jobs).count("cancelled"), self.operation(name)["done"])
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/resume")[0], 409)
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/undo")[0], 409)

    def test_a_retry_is_taken_back_where_nothing_has_started(self):
        jobs = self.push("mail", 20)
        self.run_badly("mail")
        waiting = self.push("mail", 1)
        name = self.start(action="retry", name="mail")
        self.ended(name)
        begun = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["mail"], "limit": 5})["jobs"]
        undo = self.client().ok("POST", f"/v1/operations/{name}/undo")
        done = self.ended(undo["operation"])
        self.assertEqual((done["undoes"], done["done"]), (name, 15 + sum(job["id"] in waiting for job in begun)))
        self.assertEqual(self.operation(name)["undone_by"], undo["operation"])
        self.assertEqual(self.states(jobs).count("cancelled"), done["done"])
        self.assertNotIn("cancelled", self.states(waiting))
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/undo")[0], 409)

    def test_a_deletion_is_taken_back(self):
        jobs = self.push("gone", 150)
        kept = self.client().ok("DELETE", f"/v1/jobs/{jobs[7]}")
        self.assertEqual(kept["state"], "cancelled")
        name = self.start(action="delete", ids=jobs)
        done = self.ended(name)
        self.assertEqual((done["done"], done["skipped_by"]), (149, [{"reason": "trash", "jobs": 1}]))
        undo = self.client().ok("POST", f"/v1/operations/{name}/undo")["operation"]
        self.assertEqual(self.ended(undo)["done"], 149)
        self.assertEqual(self.states(jobs).count("ready"), 149)

    def test_fields_are_set_where_they_may_be(self):
        jobs = self.push("set", 120)
        running = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["set"], "limit": 3})["jobs"]
        name = self.start(action="set", ids=jobs, fields={"priority": -7, "tags": ["night"]})
        done = self.ended(name)
        self.assertEqual((done["done"], done["skipped_by"]), (117, [{"reason": "running", "jobs": 3}]))
        for job in jobs:
            shown = self.client().ok("GET", f"/v1/jobs/{job}")
            expected = (0, []) if job in {each["id"] for each in running} else (-7, ["night"])
            self.assertEqual((shown["priority"], shown["tags"]), expected)

    def test_running_jobs_are_taken_back_from_their_workers(self):
        self.push("held", 10)
        running = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["held"], "limit": 4})["jobs"]
        done = self.ended(self.start(action="release", name="held"))
        self.assertEqual((done["done"], done["skipped"]), (4, 6))
        body = {"lease": running[0]["lease"], "type": "success", "finished_at": now(), "result": 1}
        self.assertEqual(self.client().request("POST", f"/v1/jobs/{running[0]['id']}/outcome", body)[0], 409)

    def test_a_group_of_failures_is_retried_once_and_not_chased(self):
        self.push("mail", 50)
        self.run_badly("mail")
        self.push("other", 3)
        self.run_badly("other", "another cause")
        group = next(each for each in self.client().ok("GET", "/v1/failures")["groups"] if each["name"] == "mail")
        preview = self.prepare(action="retry", signature=group["signature"], rate=25)
        self.assertEqual((preview["jobs"], preview["counts"]), (50, {"failed": 50}))
        name = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})["operation"]
        end = time.monotonic() + 30
        while self.operation(name)["state"] != "done" and time.monotonic() < end:
            self.run_badly("mail")  # they fail again while it runs
        self.run_badly("mail")
        self.assertEqual(self.operation(name)["done"], 50)
        page = self.client().ok("GET", "/v1/jobs?state=failed&limit=500")["jobs"]
        self.assertEqual({job["attempt"] for job in page if job["name"] == "mail"}, {2})
        self.assertEqual({job["attempt"] for job in page if job["name"] == "other"}, {1})

    def test_a_dry_run_names_the_limits_that_the_jobs_will_meet(self):
        matcher = {"title": "Vendor", "expression": 'job.name == "mail"', "constraints": [{"kind": "rate", "limit": 20, "period": 1}]}
        status, *_ = self.client().request("PUT", "/v1/matchers/vendor", matcher, fields={"If-None-Match": "*"})
        self.assertEqual(status, 201)
        self.push("mail", 40)
        self.push("other", 40)
        self.client().ok("POST", "/v1/operations", {"token": self.prepare(action="cancel", state="ready")["token"]})
        until(lambda: self.client().overview()["states"]["cancelled"] == 80, what="cancelled jobs")
        preview = self.prepare(action="retry", state="cancelled")
        self.assertEqual([(met["matcher"], met["kind"], met["share"], met["per_second"]) for met in preview["limits"]],
                         [("vendor", "rate", 0.5, 20)])
        self.assertAlmostEqual(preview["drain"], 2)


class Takeover(Case):
    MASTERS = 3

    def test_masters_are_killed_and_each_job_is_run_again_once(self):
        others = self.push("mail.old", OTHERS)
        failed = self.push("mail", FAILED)
        self.run_badly("mail")
        self.push("mail", 100)
        view = self.client().ok("POST", "/v1/views", {"state": "failed"})
        self.assertEqual((view["count"], view["complete"]), (FAILED, True))
        name = self.start(action="retry", view=view["view"], rate=RATE)
        kills = 0
        while self.operation(name)["state"] == "running":
            victim = self.masters[kills % 2]
            time.sleep(0.7)
            victim.kill()
            kills += 1
            time.sleep(0.3)
            victim.start()
        self.assertGreater(kills, 1)
        done = self.operation(name)
        self.assertEqual((done["state"], done["done"], done["skipped"]), ("done", FAILED, 0))
        client = self.client()
        for job in failed:
            events = [event for event in client.ok("GET", f"/v1/jobs/{job}")["history"] if event["what"] == "retried"]
            self.assertEqual(len(events), 1, job)
        for job in others[:: max(1, OTHERS // 500)]:
            self.assertNotIn("retried", [event["what"] for event in client.ok("GET", f"/v1/jobs/{job}")["history"]])
        self.assertEqual(client.overview()["states"]["ready"], OTHERS + FAILED + 100)


if __name__ == "__main__":
    unittest.main()
