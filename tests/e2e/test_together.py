"""Jobs that share a result or follow each other, through two masters on one Redis; and hand-offs, edits and windows there."""

import socket
import threading
import time
import unittest

from harness import Client, TwoMasters, now, success, until


class Together(TwoMasters):
    def claim(self, client, name, wait=30):
        return client.ok("POST", "/v1/claims", {"worker": f"worker of {name}", "names": [name], "wait": wait})["jobs"][0]

    def finish(self, client, job, result=None):
        report = success(job, result)
        del report["id"]
        return client.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)

    def what(self, identity):
        return [h["what"] for h in self.here.ok("GET", f"/v1/jobs/{identity}")["history"]]

    def test_five_pushers_at_two_masters_share_one_unique_job_and_its_result(self):
        masters = (self.first, self.second) * 2 + (self.second,)
        jobs = [{"name": "shared", "argument": [1], "unique": {}, "keep_result": True, "idempotency_key": f"pusher {n}"} for n in range(5)]
        # All five push before the job can end. Then each repeats its push, and waits for the result.
        made = [Client(master.port).ok("POST", "/v1/jobs", job)["id"] for master, job in zip(masters, jobs)]
        self.assertEqual(len(set(made)), 1)
        answers = []

        def push(master, job):
            answers.append(Client(master.port).request("POST", "/v1/jobs?wait=50", job))

        pushers = [threading.Thread(target=push, args=both) for both in zip(masters, jobs)]
        for pusher in pushers:
            pusher.start()
        claimed = self.claim(self.there, "shared")
        self.finish(self.here, claimed, {"shared": True})
        for pusher in pushers:
            pusher.join(60)
        self.assertEqual([status for status, _ in answers], [200] * 5)
        self.assertEqual({answer["id"] for _, answer in answers}, {claimed["id"]})
        self.assertEqual([answer["outcome"]["result"] for _, answer in answers], [{"shared": True}] * 5)
        later = [client.ok("GET", f"/v1/jobs/{claimed['id']}/result?wait=1") for client in (self.there, self.here)]
        self.assertEqual(later[0]["result"], {"shared": True})
        self.assertIsNone(later[1])
        self.assertEqual(self.here.ok("POST", "/v1/claims", {"worker": "w", "names": ["shared"]})["jobs"], [])

    def test_a_push_whose_answer_was_lost_is_repeated_safely(self):
        body = b'{"name": "lost", "idempotency_key": "lost-1"}'
        path = "/v1/jobs?wait=20&receipt=lost-receipt"
        with socket.create_connection(("127.0.0.1", self.first.port)) as cut:
            cut.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            job = self.claim(self.there, "lost")
        self.finish(self.there, job, 7)
        for client in (self.here, self.there):
            answer = client.ok("POST", path, {"name": "lost", "idempotency_key": "lost-1"})
            self.assertEqual((answer["id"], answer["outcome"]["result"], answer["duplicate"]), (job["id"], 7, True))
        self.assertEqual(self.here.ok("POST", "/v1/claims", {"worker": "w", "names": ["lost"]})["jobs"], [])

    def test_filters_saved_at_two_masters_at_once_are_all_kept_up_to_their_bound(self):
        body = {"screen": "jobs", "kind": "expression", "text": "job.priority > 3"}
        answers = []

        def save(master, names):
            client = Client(master.port)
            answers.extend([client.request("PUT", f"/v1/filters/{name}", body) for name in names])

        savers = [threading.Thread(target=save, args=(master, [f"{n}-{k}" for k in range(32)]))
                  for n, master in enumerate((self.first, self.second) * 4)]
        for saver in savers:
            saver.start()
        for saver in savers:
            saver.join(60)
        self.assertEqual([status for status, _ in answers], [201] * 256)
        filters = self.there.ok("GET", "/v1/filters")["filters"]
        self.assertEqual([each["name"] for each in filters], sorted(each["name"] for _, each in answers))
        self.assertEqual(len({each["revision"] for each in filters}), 256)
        status, refused = self.here.request("PUT", "/v1/filters/more", body)
        self.assertEqual((status, refused["reason"], refused["values"]), (409, "filters_too_many", {"max": 256}))
        self.assertEqual(self.here.request("PUT", "/v1/filters/0-0", body)[0], 200)
        # Of two people who change the same one only the first does it.
        revision = {"If-Match": f'"{filters[-1]["revision"]}"'}
        both = [client.request("PUT", "/v1/filters/7-9", {**body, "text": text}, fields=revision)[0]
                for client, text in ((self.here, "one"), (self.there, "two"))]
        self.assertEqual((filters[-1]["name"], both), ("7-9", [200, 412]))
        status, deleted = self.there.request("DELETE", "/v1/filters/7-9", fields={"Junban-Reason": "tidy"})
        self.assertEqual((status, deleted["text"]), (200, "one"))
        entry = until(lambda: self.here.ok("GET", "/v1/audit?action=deleteFilter")["entries"], what="in the audit")[0]
        self.assertEqual((entry["target"], entry["reason"], entry["before"]["text"]), ("7-9", "tidy", "one"))
        for each in filters[:-1]:
            self.here.ok("DELETE", f"/v1/filters/{each['name']}")

    def test_a_chain_runs_across_masters_in_its_order(self):
        claimed = []
        steps = 12

        def work():
            client = Client(self.second.port)
            for _ in range(steps):
                job = self.claim(client, "step")
                claimed.append(job)
                self.finish(client, job)

        ids = []
        for _ in range(steps):
            ids.append(self.here.ok("POST", "/v1/jobs", {"name": "step", "depends_on": ids[-1:], "group": "chain"})["id"])
        worker = threading.Thread(target=work)
        worker.start()
        worker.join(60)
        self.assertEqual([job["id"] for job in claimed], ids)
        for before, after in zip(ids, ids[1:]):
            ended = self.here.ok("GET", f"/v1/jobs/{before}")["history"][-1]
            history = self.here.ok("GET", f"/v1/jobs/{after}")["history"]
            self.assertEqual([h["what"] for h in history], ["enqueued", "freed", "started", "succeeded"])
            self.assertEqual(history[1]["at"], ended["at"])  # the call that ended the job before freed this one
        self.assertEqual(self.there.ok("GET", "/v1/groups/chain")["succeeded"], steps)

    def test_a_success_brings_the_following_jobs_and_the_callback(self):
        self.here.ok("PUT", "/v1/groups/pair", {"callback": {"name": "pair-ended"}})
        self.here.ok("POST", "/v1/jobs", {"name": "parent", "group": "pair", "then": [{"name": "child", "argument": "x", "group": "pair"}]})
        self.finish(self.here, self.claim(self.there, "parent"))
        child = self.claim(self.there, "child")
        self.assertEqual(child["argument"], "x")
        self.assertEqual(self.here.ok("GET", "/v1/groups/pair")["pending"], 1)
        self.finish(self.there, child)
        self.assertEqual(self.claim(self.here, "pair-ended")["id"], self.there.ok("GET", "/v1/groups/pair")["callback"])

    def test_a_message_at_one_master_finishes_what_was_handed_off_at_the_other(self):
        made = self.here.ok("POST", "/v1/jobs", {"name": "paid", "keep_result": True})["id"]
        job = self.claim(self.here, "paid")
        handoff = {"lease": job["lease"], "key": "payment 1", "timeout": 60}
        self.here.ok("POST", f"/v1/jobs/{made}/handoff", handoff)
        self.assertEqual(self.there.request("POST", f"/v1/jobs/{made}/heartbeat", {"lease": job["lease"]})[0], 409)
        message = {"type": "success", "finished_at": now(), "result": {"paid": True}}
        self.assertEqual(self.there.ok("POST", "/v1/messages/payment%201", message)["state"], "succeeded")
        self.assertEqual(self.here.ok("POST", "/v1/messages/payment%201", message)["id"], made)
        self.assertEqual(self.here.ok("POST", f"/v1/jobs/{made}/handoff", handoff)["state"], "awaiting")
        self.assertEqual(self.here.ok("GET", f"/v1/jobs/{made}/result?wait=5")["result"], {"paid": True})
        self.assertEqual(self.what(made), ["enqueued", "started", "handed_off", "message", "succeeded"])

    def test_an_awaiting_job_is_cancelled_by_force_and_its_key_is_dead(self):
        made = self.here.ok("POST", "/v1/jobs", {"name": "dropped"})["id"]
        job = self.claim(self.here, "dropped")
        self.here.ok("POST", f"/v1/jobs/{made}/handoff", {"lease": job["lease"], "key": "dead", "timeout": 60})
        self.assertTrue(self.there.ok("POST", f"/v1/jobs/{made}/cancel")["cancel_requested"])
        self.assertEqual(self.there.ok("POST", f"/v1/jobs/{made}/cancel", {"force": True})["state"], "cancelled")
        self.assertEqual(self.here.request("POST", "/v1/messages/dead", {"type": "success", "finished_at": now(), "result": 1})[0], 404)

    def test_an_edit_of_a_ready_job_changes_its_place(self):
        ids = [self.here.ok("POST", "/v1/jobs", {"name": "order"})["id"] for _ in range(3)]
        for _ in range(2):  # the same edit again is harmless
            self.there.ok("PATCH", f"/v1/jobs/{ids[2]}", {"priority": -1})
        self.there.ok("PATCH", f"/v1/jobs/{ids[0]}", {"priority": 1})
        self.assertEqual([self.claim(self.here, "order")["id"] for _ in range(3)], [ids[2], ids[1], ids[0]])
        self.assertEqual(self.what(ids[2]).count("edited"), 1)

    def test_a_window_holds_a_job_until_it_opens(self):
        opens = time.gmtime((time.time() // 60 + 1) * 60)
        window = {"from": time.strftime("%H:%M", opens), "to": time.strftime("%H:%M", time.gmtime(time.mktime(opens) - time.timezone + 7200))}
        made = self.here.ok("POST", "/v1/jobs", {"name": "windowed", "windows": [window]})
        self.assertEqual(made["state"], "scheduled")
        at = self.here.ok("GET", f"/v1/jobs/{made['id']}")["run_at"]
        self.assertEqual(at, time.strftime("%Y-%m-%dT%H:%M:00.000Z", opens))
        job = until(lambda: self.there.ok("POST", "/v1/claims", {"worker": "w", "names": ["windowed"], "wait": 30})["jobs"], 90, "the opening")[0]
        started = next(h["at"] for h in self.here.ok("GET", f"/v1/jobs/{job['id']}")["history"] if h["what"] == "started")
        self.assertGreaterEqual(started, at)


if __name__ == "__main__":
    unittest.main()
