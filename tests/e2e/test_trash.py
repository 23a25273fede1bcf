"""Stars and the trash. JUNBAN_ENGINE says which engine decides."""

import threading
import unittest

from harness import Client, Master, now, until


class Trash(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.addCleanup(self.master.__exit__)
        self.master.start()
        self.client = Client(self.master.port)

    def push(self, name, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": name, **fields})["id"]

    def job(self, identity):
        return self.client.ok("GET", f"/v1/jobs/{identity}")

    def failed(self, name):
        identity = self.push(name)
        job = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]
        report = {"lease": job["lease"], "type": "failure", "reason": "other", "message": "broke", "should_retry": False, "finished_at": now()}
        self.client.ok("POST", f"/v1/jobs/{identity}/outcome", report)
        return identity

    def delete(self, identity):
        return self.client.ok("DELETE", f"/v1/jobs/{identity}")["state"]

    def restore(self, identity):
        return self.client.ok("POST", f"/v1/jobs/{identity}/restore", {})["state"]

    def listed(self, query):
        """Page by page."""
        found, cursor = [], ""
        while True:
            page = self.client.ok("GET", f"/v1/jobs?{query}&limit=2{cursor}")
            found += [job["id"] for job in page["jobs"]]
            if "next" not in page:
                return found
            cursor = f"&cursor={page['next']}"

    def kill_and_start(self):
        self.master.kill()
        self.master.start()
        self.client.close()

    def test_deleted_jobs_survive_a_kill_and_come_back_to_where_they_were(self):
        bad = self.failed("a")
        ready, later = self.push("a"), self.push("a", delay=3600)
        parent = self.push("parent")
        child = self.push("a", depends_on=[parent])
        due = self.job(later)["run_at"]
        states = {bad: "failed", ready: "cancelled", later: "cancelled", child: "cancelled"}
        self.assertEqual({identity: self.delete(identity) for identity in states}, states)
        self.assertEqual(self.delete(bad), "failed")  # again
        self.assertEqual(self.client.overview()["totals"]["deleted"], 4)
        self.kill_and_start()
        self.assertCountEqual(self.listed("trash=true"), states)
        self.assertEqual(self.listed("state=failed") + self.listed("state=cancelled") + self.listed("state=scheduled"), [])
        self.assertEqual(self.client.overview()["states"]["ready"], 1)
        self.assertEqual(self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["a"], "wait": 0})["jobs"], [])
        status, problem = self.client.request("POST", f"/v1/jobs/{bad}/retry", {})
        self.assertEqual((status, problem["reason"]), (409, "job_in_trash"))
        self.assertIn("deleted_at", self.job(bad))
        self.assertEqual({identity: self.restore(identity) for identity in states},
                         {bad: "failed", ready: "ready", later: "scheduled", child: "depends"})
        self.kill_and_start()
        self.assertEqual(self.listed("trash=true"), [])
        self.assertEqual(self.job(later)["run_at"], due)
        self.assertNotIn("deleted_at", self.job(bad))
        self.assertEqual([event["what"] for event in self.job(ready)["history"] if "what" in event], ["enqueued", "deleted", "restored"])
        self.assertEqual(self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["a"]})["jobs"][0]["id"], ready)
        status, problem = self.client.request("POST", f"/v1/jobs/{bad}/restore", {})
        self.assertEqual((status, problem["reason"]), (409, "job_not_restored"))
        status, problem = self.client.request("DELETE", f"/v1/jobs/{ready}")
        self.assertEqual(status, 409, problem)  # a worker has the job

    def test_a_dependent_that_was_deleted_heeds_how_the_others_ended(self):
        parents = [self.push("good"), self.push("bad")]
        children = [self.push("child", depends_on=[parent]) for parent in parents]
        for child in children:
            self.delete(child)
        for name in ("good", "bad"):
            job = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]
            report = {"lease": job["lease"], "finished_at": now()}
            report |= {"type": "success", "result": None} if name == "good" else {"type": "failure", "reason": "other", "message": "x", "should_retry": False}
            self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
        self.kill_and_start()
        self.assertEqual([self.restore(child) for child in children], ["ready", "failed"])
        self.assertEqual(self.job(children[1])["reason"], "dependency")

    def test_a_unique_job_is_not_restored_beside_another(self):
        fields = {"unique": {"key": "k"}}
        first = self.push("a", **fields)
        self.delete(first)
        second = self.push("a", **fields)
        self.assertNotEqual(first, second)
        status, problem = self.client.request("POST", f"/v1/jobs/{first}/restore", {})
        self.assertEqual((status, problem["reason"]), (409, "unique_key_taken"))
        self.client.ok("POST", f"/v1/jobs/{second}/cancel", {})
        self.assertEqual(self.restore(first), "ready")
        self.assertEqual(self.push("a", **fields), first)

    def test_a_worker_that_waits_gets_the_job_that_is_restored(self):
        identity = self.push("a")
        self.delete(identity)
        got = []

        def wait():
            got.extend(Client(self.master.port).ok("POST", "/v1/claims", {"worker": "w", "names": ["a"], "wait": 60})["jobs"])

        worker = threading.Thread(target=wait)
        worker.start()
        until(lambda: self.client.ok("GET", "/v1/workers")["workers"], what="a worker that waits")
        self.restore(identity)
        worker.join(30)
        self.assertEqual([job["id"] for job in got], [identity])

    def test_stars_survive_a_kill(self):
        made = [self.push("a") for _ in range(5)]
        for identity in made[:4]:
            self.client.ok("PUT", f"/v1/jobs/{identity}/tracked")
        self.client.ok("DELETE", f"/v1/jobs/{made[0]}/tracked")
        self.kill_and_start()
        self.assertCountEqual(self.listed("tracked=true"), made[1:4])
        self.assertTrue(self.job(made[1])["tracked"])
        self.assertNotIn("tracked", self.job(made[0]))
        status, problem = self.client.request("PUT", "/v1/jobs/0192f0c1-2222-7333-8444-555555555555/tracked")
        self.assertEqual((status, problem["code"]), (404, "not_found"))


if __name__ == "__main__":
    unittest.main()
