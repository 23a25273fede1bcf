"""Groups of jobs and their callbacks. JUNBAN_ENGINE says which engine decides."""

import os
import unittest

from harness import Client, Master, now

IN_MEMORY = os.environ.get("JUNBAN_ENGINE") == "memory"


class Groups(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.addCleanup(self.master.__exit__)
        self.master.start()
        self.client = Client(self.master.port)
        self.tokens = {}

    def push(self, name, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": name, **fields})["id"]

    def change(self, group, **fields):
        return self.client.ok("PUT", f"/v1/groups/{group}", fields)

    def group(self, name):
        return self.client.ok("GET", f"/v1/groups/{name}")

    def counts(self, name):
        group = self.group(name)
        return [group[count] for count in ("total", "pending", "succeeded", "failed", "cancelled")]

    def run_one(self, name, ends="success"):
        job = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": 0})["jobs"][0]
        report = {"lease": job["lease"], "type": ends, "finished_at": now()}
        report |= {"result": None} if ends == "success" else {"reason": "other", "message": "broke", "should_retry": False}
        self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
        return job["id"]

    def kill_and_start(self):
        self.master.kill()
        self.master.start()
        self.client.close()

    def test_a_group_counts_its_jobs_and_calls_back_once(self):
        self.change("g", open=True, callback={"name": "done", "argument": {"group": 1}})
        self.push("a", group="g")
        second = self.push("a", group="g")
        self.push("a", group="g")
        self.run_one("a")
        self.kill_and_start()
        self.assertEqual(self.counts("g"), [3, 2, 1, 0, 0])
        self.assertEqual(self.run_one("a", "failure"), second)
        self.run_one("a")
        self.assertEqual(self.counts("g"), [3, 0, 2, 1, 0])
        self.assertNotIn("ended_at", self.group("g"))  # it is open
        self.kill_and_start()
        closed = self.change("g", open=False)
        self.assertIn("ended_at", closed)
        self.kill_and_start()
        self.assertEqual(self.group("g"), closed)
        callback = self.client.ok("GET", f"/v1/jobs/{closed['callback']}")
        self.assertEqual((callback["name"], callback["argument"], callback["state"]), ("done", {"group": 1}, "ready"))
        self.client.ok("POST", f"/v1/jobs/{second}/retry", {})
        self.assertEqual(self.counts("g"), [3, 1, 2, 0, 0])
        self.run_one("a")
        self.assertEqual(self.group("g")["callback"], closed["callback"])  # not again
        self.assertEqual(self.client.overview()["states"]["ready"], 1)

    def test_jobs_that_end_otherwise_count_too(self):
        parent = self.push("parent")
        after = self.push("a", group="g", depends_on=[parent])
        cancelled, deleted = self.push("a", group="g"), self.push("a", group="g")
        self.change("g", callback={"name": "done", "group": "h"})
        self.client.ok("POST", f"/v1/jobs/{cancelled}/cancel", {})
        self.client.ok("DELETE", f"/v1/jobs/{deleted}")
        self.assertEqual(self.counts("g"), [3, 1, 0, 0, 2])
        self.client.ok("POST", f"/v1/jobs/{deleted}/restore", {})
        self.assertEqual(self.counts("g"), [3, 2, 0, 0, 1])
        self.client.ok("POST", f"/v1/jobs/{parent}/cancel", {})
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{after}")["state"], "failed")
        self.kill_and_start()
        self.assertEqual(self.counts("g"), [3, 1, 0, 1, 1])
        self.assertEqual(self.run_one("a"), deleted)
        self.assertEqual(self.counts("h"), [1, 1, 0, 0, 0])  # the callback may be in another group
        self.run_one("done")
        self.assertEqual(self.counts("h"), [1, 0, 1, 0, 0])

    @unittest.skipUnless(IN_MEMORY, "the scripts take such a group for one that has not begun")
    def test_a_group_that_was_opened_and_got_no_job_calls_back_when_it_is_closed(self):
        self.change("g", open=True, callback={"name": "done"})
        self.kill_and_start()
        self.assertIn("callback", self.change("g", open=False))
        self.assertNotIn("callback", self.change("h", callback={"name": "done"}))  # it was never opened, so jobs may come

    def make_tokens(self):
        """Of an administrator who works, too, and of two pushers."""
        for who, roles in (("admin", ["admin", "worker"]), ("first", ["pusher"]), ("second", ["pusher"])):
            status, made = self.client.request("POST", "/v1/tokens", {"roles": roles, "note": who}, fields=self.bearer("admin"))
            self.assertEqual(status, 201, made)
            self.tokens[who] = made

    def bearer(self, who):
        return {"Authorization": "Bearer " + self.tokens[who]["token"]} if who in self.tokens else None

    def ask(self, who, method, path, body=None):
        return self.client.request(method, path, body, fields=self.bearer(who))

    def test_a_group_is_its_tokens_until_that_is_revoked(self):
        self.make_tokens()
        member = {"name": "a", "group": "g"}
        self.assertEqual(self.ask("first", "POST", "/v1/jobs", member)[0], 201)
        self.kill_and_start()
        status, problem = self.ask("second", "POST", "/v1/jobs", member)
        self.assertEqual((status, problem["reason"]), (403, "group_of_another"), problem)
        self.assertEqual(self.ask("second", "PUT", "/v1/groups/g", {"open": True})[0], 403)
        self.assertEqual(self.ask("second", "GET", "/v1/groups/g")[0], 404)
        self.assertEqual(self.ask("first", "PUT", "/v1/groups/g", {"shared": True})[0], 200)
        self.assertEqual(self.ask("second", "POST", "/v1/jobs", member)[0], 201)
        self.assertEqual(self.ask("second", "GET", "/v1/groups/g")[1]["total"], 2)
        self.assertEqual(self.ask("second", "PUT", "/v1/groups/g", {"open": True})[0], 403)
        self.assertEqual(self.ask("admin", "DELETE", f"/v1/tokens/{self.tokens['first']['id']}")[0], 204)
        status, group = self.ask("second", "PUT", "/v1/groups/g", {"shared": False})
        self.assertEqual((status, group.get("pusher")), (200, self.tokens["second"]["id"]), group)

    def test_a_callback_and_a_then_may_not_join_the_group_of_another(self):
        self.make_tokens()
        self.assertEqual(self.ask("second", "POST", "/v1/jobs", {"name": "b", "group": "h"})[0], 201)
        self.assertEqual(self.ask("first", "PUT", "/v1/groups/g", {"callback": {"name": "done", "group": "h"}})[0], 200)
        status, member = self.ask("first", "POST", "/v1/jobs", {"name": "a", "group": "g", "then": [{"name": "next", "group": "h"}]})
        self.assertEqual(status, 201, member)
        worker = {"worker": "w", "names": ["a"], "wait": 0}
        job = self.ask("admin", "POST", "/v1/claims", worker)[1]["jobs"][0]
        report = {"lease": job["lease"], "type": "success", "result": None, "finished_at": now()}
        self.assertEqual(self.ask("admin", "POST", f"/v1/jobs/{job['id']}/outcome", report)[0], 200)
        self.kill_and_start()
        group = self.ask("first", "GET", "/v1/groups/g")[1]
        self.assertEqual((group["reason"], "callback" in group), ("group_of_another", False), group)
        events = [event["what"] for event in self.ask("admin", "GET", f"/v1/jobs/{job['id']}")[1]["history"] if "what" in event]
        self.assertIn("then_refused", events)
        self.assertEqual(self.ask("second", "GET", "/v1/groups/h")[1]["total"], 1)
        status, group = self.ask("first", "PUT", "/v1/groups/g", {"callback": {"name": "done"}})
        self.assertEqual((status, "callback" in group, "reason" in group), (200, True, False), group)  # another one is tried at once


if __name__ == "__main__":
    unittest.main()
