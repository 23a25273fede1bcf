"""Jobs that are unique, wait for others, are followed by others, or expire. JUNBAN_ENGINE says which engine decides."""

import datetime
import threading
import unittest

from harness import Client, IN_MEMORY, now, OneMaster, success, until


class Special(OneMaster):
    def push(self, name, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": name, **fields})

    def claim(self, name, wait=10):
        jobs = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": wait})["jobs"]
        return jobs[0] if jobs else None

    def finish(self, job, result=None):
        report = success(job, result)
        del report["id"]
        return self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)

    def job(self, identity):
        return self.client.ok("GET", f"/v1/jobs/{identity}")

    def test_pushers_share_one_unique_job_and_its_result(self):
        body = {"name": "shared", "argument": [1], "unique": {}, "keep_result": True}
        bodies = [{**body, "idempotency_key": f"pusher {n}"} for n in range(3)]
        made = [self.push(**each) for each in bodies]
        self.assertEqual([job.get("duplicate", False) for job in made], [False, True, True])
        answers = []

        def wait_for_the_result(each):
            answers.append(Client(self.master.port).ok("POST", "/v1/jobs?wait=50", each))

        pushers = [threading.Thread(target=wait_for_the_result, args=(each,)) for each in bodies]
        for pusher in pushers:
            pusher.start()
        self.finish(self.claim("shared"), {"shared": True})
        for pusher in pushers:
            pusher.join(60)
        self.assertEqual([(answer["id"], answer["outcome"]["result"]) for answer in answers], [(made[0]["id"], {"shared": True})] * 3)
        self.assertIsNone(self.claim("shared", wait=0))
        self.assertFalse(self.push(**body).get("duplicate", False))

    def test_a_unique_key_is_refused_or_taken_over(self):
        key = {"key": "k", "on_conflict": "reject"}
        first = self.push("one", unique=key)
        status, problem = self.client.request("POST", "/v1/jobs", {"name": "one", "unique": key})
        self.assertEqual((status, problem["reason"], problem["field"]), (409, "unique_key_taken", "unique"))
        replacing = {"key": "k", "on_conflict": "replace"}
        second = self.push("one", unique=replacing)
        self.assertEqual((self.job(first["id"])["state"], self.job(first["id"])["reason"]), ("cancelled", "replaced"))
        running = self.claim("one")
        self.assertEqual(running["id"], second["id"])
        third = self.push("one", unique=replacing)
        self.assertEqual(third["state"], "depends")
        self.finish(running)
        self.assertEqual(self.claim("one")["id"], third["id"])

    @unittest.skipUnless(IN_MEMORY, "the scripts leave the key where it was")
    def test_an_edit_of_the_argument_moves_the_key_that_it_is(self):
        first, second = (self.push("keyed", argument=n, unique={}) for n in (1, 2))
        status, problem = self.client.request("PATCH", f"/v1/jobs/{first['id']}", {"argument": 2})
        self.assertEqual((status, problem["reason"], problem["field"]), (409, "unique_key_taken", "argument"))
        self.client.ok("PATCH", f"/v1/jobs/{first['id']}", {"argument": 3})
        again = [self.push("keyed", argument=n, unique={}) for n in (3, 2, 1)]
        self.assertEqual([job.get("duplicate", False) for job in again], [True, True, False])
        self.assertEqual([job["id"] for job in again[:2]], [first["id"], second["id"]])

    def test_a_message_ends_a_job_that_was_handed_off(self):
        identity = self.push("handed", keep_result=True)["id"]
        job = self.claim("handed")
        hand = {"lease": job["lease"], "key": "payment1", "timeout": 60}
        self.assertEqual(self.client.ok("POST", f"/v1/jobs/{identity}/handoff", hand)["state"], "awaiting")
        self.assertEqual(self.job(identity)["state"], "awaiting")
        message = {"type": "success", "result": {"paid": True}, "finished_at": now()}
        self.assertEqual(self.client.ok("POST", "/v1/messages/payment1", message)["id"], identity)
        self.assertEqual(self.client.ok("POST", "/v1/messages/payment1", message)["state"], "succeeded")
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{identity}/result")["result"], {"paid": True})
        status, problem = self.client.request("POST", "/v1/messages/payment2", message)
        self.assertEqual((status, problem["reason"]), (404, "message_key_not_found"))
        late = self.push("handed", max_retry=0)["id"]
        job = self.claim("handed")
        self.client.ok("POST", f"/v1/jobs/{late}/handoff", {"lease": job["lease"], "key": "payment3", "timeout": 1})
        until(lambda: self.job(late)["state"] == "failed")
        self.assertEqual(self.job(late)["reason"], "timeout")

    def test_a_chain_runs_in_its_order(self):
        ids = []
        for _ in range(5):
            ids.append(self.push("step", depends_on=ids[-1:])["id"])
        for identity in ids:
            job = self.claim("step")
            self.assertEqual(job["id"], identity)
            self.assertIsNone(self.claim("step", wait=0))
            self.finish(job)
        self.assertEqual([h["what"] for h in self.job(ids[-1])["history"]], ["enqueued", "freed", "started", "succeeded"])

    def test_a_bad_end_is_handed_on(self):
        parent = self.push("parent of some")["id"]
        children = [self.push("child", depends_on=[parent], on_dependency_failure=how)["id"] for how in ("fail", "cancel", "run")]
        self.client.ok("POST", f"/v1/jobs/{parent}/cancel", {})
        self.assertEqual([self.job(child)["state"] for child in children], ["failed", "cancelled", "ready"])
        self.assertEqual(self.job(children[0])["reason"], "dependency")
        status, problem = self.client.request("POST", "/v1/jobs", {"name": "child", "depends_on": [children[0].replace("0", "1")]})
        self.assertEqual((status, problem["reason"], problem["field"]), (400, "dependency_unknown", "depends_on[0]"))

    def test_a_success_brings_the_following_jobs(self):
        self.push("parent", then=[{"name": "next", "argument": "x" * 5000}, {"name": "later", "delay": 3600}])
        self.finish(self.claim("parent"))
        self.assertEqual(self.claim("next")["argument"], "x" * 5000)
        self.assertIsNone(self.claim("later", wait=0))

    def test_a_job_waits_for_its_windows(self):
        def clock(hours):
            return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)).strftime("%H:%M")

        later = {"from": clock(2), "to": clock(3)}
        closed = self.push("windowed", windows=[later])
        self.assertEqual(closed["state"], "scheduled")
        parent = self.push("parent")["id"]
        child = self.push("windowed", windows=[later], depends_on=[parent])["id"]
        open_now = self.push("windowed", windows=[later, {"from": clock(-1), "to": clock(1)}])
        self.assertEqual(open_now["state"], "ready")
        self.finish(self.claim("parent"))
        self.master.kill()
        self.master.start()
        self.client.close()
        for identity in (closed["id"], child):
            job = self.job(identity)
            self.assertEqual((job["state"], job["run_at"][11:16]), ("scheduled", later["from"]))
        self.assertEqual(self.claim("windowed")["id"], open_now["id"])
        self.assertIsNone(self.claim("windowed", wait=0))

    def test_a_job_that_is_not_started_in_time_fails(self):
        identity = self.push("late", expires_in=1, keep_result=True)["id"]
        until(lambda: self.job(identity)["state"] == "failed")
        self.assertEqual(self.job(identity)["reason"], "expired")
        self.assertIsNone(self.claim("late", wait=0))


if __name__ == "__main__":
    unittest.main()
