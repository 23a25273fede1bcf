"""Limits that are changed while jobs run, through two masters on one Redis."""

import subprocess
import threading
import time
import unittest

from harness import Client, TwoMasters, now, success, until

NEW = {"If-None-Match": "*"}


# Makes every noted request for jobs two minutes older.
MINUTES_LATER = """
local all = redis.call('HGETALL', ARGV[1])
for i = 2, #all, 2 do
    local record = cmsgpack.unpack(all[i])
    for at = 3, #record, 3 do
        record[at] = record[at] - 120000
    end
    redis.call('HSET', ARGV[1], all[i - 1], cmsgpack.pack(record))
end
"""


def concurrency(limit, **more):
    return {"kind": "concurrency", "limit": limit, **more}


class Matchers(TwoMasters):
    def redis_cli(self, *words):
        subprocess.run(["redis-cli", "-s", f"{self.first.directory}/redis.sock", *words], check=True, capture_output=True)

    def save(self, client, identity, expression, *constraints, fields=None):
        matcher = {"title": identity, "expression": expression, "constraints": list(constraints)}
        status, saved = client.request("PUT", f"/v1/matchers/{identity}", matcher, fields=fields or NEW)
        self.assertIn(status, (200, 201), saved)
        return saved

    def change(self, client, saved, expression, *constraints):
        return self.save(client, saved["id"], expression, *constraints, fields={"If-Match": f'"{saved["revision"]}"'})

    def claim(self, client, name, wait=0, limit=10):
        return client.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": wait, "limit": limit})["jobs"]

    def push(self, name, argument, count=1):
        jobs = [{"name": name, "argument": argument} for _ in range(count)]
        return [result["id"] for result in self.here.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]

    def test_what_one_master_saves_the_other_obeys_at_once(self):
        self.push("both", 1, 3)
        self.save(self.here, "both", 'job.name == "both"', concurrency(1))
        self.assertEqual(len(self.claim(self.there, "both")), 1)
        self.assertEqual(self.claim(self.here, "both"), [])

    def test_what_runs_is_charged_before_the_save_is_answered(self):
        self.push("running", 1, 5)
        self.assertEqual(len(self.claim(self.here, "running", limit=3)), 3)
        saved = self.save(self.there, "running", 'job.name == "running"', concurrency(3))
        self.assertEqual(self.claim(self.here, "running"), [])
        live = next(c for c in self.there.ok("GET", "/v1/constraints")["constraints"] if c["matcher"] == "running")
        self.assertEqual((live["used"], live["waiting"]), (3, 2))
        # With another key the three running jobs are charged to the bucket of that key.
        self.change(self.here, saved, 'job.name == "running"', concurrency(4, by=["job.argument"]))
        self.assertEqual(len(self.claim(self.there, "running")), 1)

    def test_a_raised_limit_wakes_a_worker_that_waits_at_the_other_master(self):
        saved = self.save(self.here, "raised", 'job.name == "raised"', concurrency(0))
        self.push("raised", 1)
        answers = []
        worker = threading.Thread(target=lambda: answers.append((self.claim(Client(self.second.port), "raised", wait=50), time.monotonic())))
        worker.start()
        until(lambda: self.here.ok("GET", "/v1/held")["held"], what="a held job")
        self.change(self.here, saved, 'job.name == "raised"', concurrency(1))
        worker.join(60)
        self.assertEqual(len(answers[0][0]), 1)

    def test_names_that_nobody_asks_for_and_the_oldest_by_priority_are_in_the_overview(self):
        self.claim(self.there, "wanted")  # asks for it, at the other master
        jobs = [{"name": "wanted", "argument": 1, "priority": 70}, *[{"name": "unwanted", "argument": 1, "priority": 77}] * 2]
        first = self.here.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"][1]["id"]

        def unasked():
            now_ = self.here.ok("GET", "/v1/overview")["unasked"]
            return {row["name"]: (row["jobs"], "asked_at" in row) for row in now_["names"] if row["name"] in ("wanted", "unwanted")}
        self.assertEqual(unasked(), {})  # they are too young to say so
        until(lambda: unasked() == {"unwanted": (2, False)}, what="the name that nobody asks for")
        overview = self.there.ok("GET", "/v1/overview")
        self.assertGreaterEqual(overview["unasked"]["jobs"], 2)
        rows = {row["priority"]: row for row in overview["priorities"]}
        self.assertEqual((rows[70]["jobs"], rows[77]["jobs"]), (1, 2))
        self.assertEqual(rows[77]["oldest_at"], self.here.ok("GET", f"/v1/jobs/{first}")["created_at"])
        self.assertEqual([row["priority"] for row in overview["priorities"]], sorted(rows))
        self.claim(self.there, "unwanted", limit=1)  # a worker comes, and there is one job left
        until(lambda: unasked() == {}, what="nothing to say")
        self.redis_cli("EVAL", MINUTES_LATER, "0", "jq:{default}:asks")
        until(lambda: unasked().get("unwanted") == (1, True), what="the worker that came and went")

    def test_a_full_backlog_is_in_the_overview_in_the_metrics_and_in_the_dry_run_of_a_retry(self):
        def full():
            return [row for row in self.there.ok("GET", "/v1/overview")["backlogs"] if row["matcher"] == "filled"]

        backlog = self.save(self.here, "filled", 'job.name == "filled"', {"kind": "backlog", "max_ready": 2, "overflow": "drop_oldest"})
        backlog_id = backlog["constraints"][0]["id"]
        self.push("filled", 1)
        time.sleep(1.5)
        self.assertEqual(full(), [])
        self.push("filled", 1, 2)
        row = {"matcher": "filled", "title": "filled", "constraint": backlog_id, "overflow": "drop_oldest", "keys": 1, "jobs": 2}
        until(lambda: full() == [row], what="the full backlog")
        status, metrics = self.there.request("GET", "/metrics", fields={"Accept": "text/plain"})
        self.assertEqual(status, 200)
        sample = f'junban_backlog_full_keys{{matcher="filled",constraint="{backlog_id}",overflow="drop_oldest"}} 1'
        self.assertIn(sample, metrics.decode())
        # The one that was dropped may be retried. What may come of it is said before.
        dry = self.here.ok("POST", "/v1/operations", {"action": "retry", "name": "filled", "dry_run": True})
        self.assertEqual((dry["jobs"], [(met["constraint"], met["max_ready"], met["overflow"]) for met in dry["limits"]]),
                         (1, [(backlog_id, 2, "drop_oldest")]))
        self.assertEqual(len(self.claim(self.here, "filled")), 2)
        until(lambda: full() == [], what="room in the backlog")

    def test_when_a_change_expires_the_limit_is_as_before(self):
        saved = self.save(self.here, "expires", 'job.name == "expires"', concurrency(1))
        saved = self.change(self.here, saved, 'job.name == "expires"', concurrency(5, expires_in=1))
        until(lambda: self.there.ok("GET", "/v1/matchers/expires")["constraints"][0]["limit"] == 1, what="the limit before")
        kept = self.there.ok("GET", "/v1/matchers/expires")
        self.assertEqual((kept["edited_by"], kept["revision"] > saved["revision"], "expires_at" in kept["constraints"][0]), ("master", True, False))

    def test_when_a_change_expires_it_goes_even_if_that_makes_a_tie(self):
        saved = self.save(self.here, "tied", 'job.name == "tied"', {"kind": "set", "priority": 1})
        soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        self.change(self.here, saved, 'job.name == "tied"', {"kind": "set", "priority": 9, "expires_at": soon})
        self.save(self.here, "rival", 'job.name == "tied"', {"kind": "set", "priority": 9})
        until(lambda: self.there.ok("GET", "/v1/matchers/tied")["constraints"][0]["priority"] == 1, what="the priority before")
        refused, problem = self.here.request("PUT", "/v1/matchers/third", {"title": "t", "expression": 'job.name == "tied"', "constraints": [
            {"kind": "set", "priority": 5}]}, fields=NEW)
        self.assertEqual((refused, problem["field"]), (400, "rank"))

    def test_a_pause_ends_by_itself(self):
        self.push("paused", 1)
        until_ = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        paused = self.here.ok("POST", "/v1/pause", {"reason": "a moment", "match": 'job.name == "paused"', "until": until_})
        self.assertEqual(self.claim(self.there, "paused"), [])
        self.assertEqual(len(self.claim(self.there, "paused", wait=30)), 1)
        until(lambda: paused["id"] not in [p["id"] for p in self.there.ok("GET", "/v1/pauses")["pauses"]], what="the pause's end")

    def test_a_job_that_two_limits_hold_is_counted_at_both(self):
        self.push("twice", 1, 4)
        self.save(self.here, "twice", 'job.name == "twice"', concurrency(0), {"kind": "pause", "reason": "r"}, concurrency(9))
        self.assertEqual(self.claim(self.here, "twice"), [])

        def held():
            return sorted((h["kind"], h["jobs"]) for h in self.there.ok("GET", "/v1/held")["held"] if h["matcher"] == "twice")

        until(lambda: held() == [("concurrency", 4), ("pause", 4)], what="both holders")

    def test_a_backlog_set_and_fair_turns_do_what_they_say_over_the_api(self):
        def saved(name, *constraints):
            return self.save(self.here, name, f'job.name == "{name}"', *constraints)

        saved("full", {"kind": "backlog", "max_ready": 1, "overflow": "reject"})
        self.push("full", 1)
        status, problem = self.here.request("POST", "/v1/jobs", {"name": "full"})
        self.assertEqual((status, problem["code"], problem["retry_after"] > 0), (429, "backlog_full", True))
        self.assertIn("full", problem["detail"])

        saved("urgent", {"kind": "set", "priority": -7, "max_retry": 2})
        job = self.here.ok("GET", f"/v1/jobs/{self.push('urgent', 1)[0]}")
        self.assertEqual((job["priority"], job["max_retry"]), (-7, 2))
        rival = {"title": "t", "expression": 'job.name == "urgent" && job.argument.k > 1', "constraints": [{"kind": "set", "priority": 3}]}
        status, problem = self.here.request("PUT", "/v1/matchers/rival", rival, fields=NEW)
        self.assertEqual((status, problem["code"], problem["field"]), (400, "invalid_field", "rank"))
        self.assertIn('both match a job named \'urgent\' with argument {"k":2}', problem["detail"])
        rival = {"title": "t", "expression": 'job.name == "rival"', "constraints": [{"kind": "set", "priority": n} for n in (1, 2)]}
        status, problem = self.here.request("PUT", "/v1/matchers/rival", rival, fields=NEW)
        self.assertEqual((status, problem["field"]), (400, "rank"))

        saved("turns", {"kind": "fair", "by": ["job.argument"]})
        self.push("turns", "a", 4)
        self.push("turns", "b", 4)
        self.assertEqual(sorted(j["argument"] for j in self.claim(self.there, "turns", limit=4)), ["a", "a", "b", "b"])

    def test_a_share_a_cooldown_a_window_and_a_breaker_do_what_they_say_over_the_api(self):
        def saved(name, *constraints):
            return self.save(self.here, name, f'job.name == "{name}"', *constraints)

        saved("shared", {"kind": "share", "capacity": 4, "by": ["job.argument"], "shares": {"eu": {"percent": 50}}, "default": {"max": 1}})
        self.push("shared", "eu", 5)
        self.push("shared", "us", 5)
        self.assertEqual(sorted(j["argument"] for j in self.claim(self.there, "shared")), ["eu", "eu", "us"])

        saved("patient", {"kind": "cooldown", "max": 3600, "by": ["job.argument"]})
        self.push("patient", "t1", 2)
        self.push("patient", "t2")
        job = self.claim(self.here, "patient", limit=1)[0]
        failure = {"lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": False, "retry_after": 600}
        self.here.ok("POST", f"/v1/jobs/{job['id']}/outcome", failure)
        self.assertEqual([j["argument"] for j in self.claim(self.there, "patient")], ["t2"])

        saved("shut", {"kind": "window", "deny": [{"from": "00:00", "to": "24:00"}]})
        closed = self.push("shut", 1)[0]
        self.assertEqual(self.claim(self.here, "shut"), [])
        self.assertEqual(self.gate(closed, "window")["status"], "holding")

        saved("broken", {"kind": "breaker", "min_samples": 2, "failure_rate": 0.5, "open_for": 600, "window": 600})
        for job_ in self.push("broken", 1, 3)[:2]:
            job = self.claim(self.here, "broken", limit=1)[0]
            self.assertEqual(job["id"], job_)
            self.here.ok("POST", f"/v1/jobs/{job_}/outcome", {**failure, "lease": job["lease"]})
        self.assertEqual(self.claim(self.there, "broken"), [])

        number = self.here.ok("GET", "/v1/matchers/broken")["constraints"][0]["id"]
        bucket = f"/v1/constraints/{number}"
        self.assertEqual(self.here.ok("POST", f"{bucket}/reset", {})["buckets"], 1)
        third = self.claim(self.there, "broken")
        self.assertEqual(len(third), 1)
        self.here.ok("POST", f"/v1/jobs/{third[0]['id']}/release", {"lease": third[0]["lease"]})
        self.assertEqual(self.there.ok("POST", f"{bucket}/trip", {"open_for": 600})["buckets"], 1)
        self.assertEqual(self.claim(self.here, "broken"), [])
        self.assertEqual(self.here.ok("GET", f"{bucket}/buckets")["buckets"][0]["breaker"], "open")

    def test_a_rate_an_observed_limit_and_an_exemption_over_the_api(self):
        def saved(name, *constraints):
            return self.save(self.here, name, f'job.name == "{name}"', *constraints)

        saved("slow", {"kind": "rate", "limit": 2, "period": 3600, "algorithm": "sliding"})
        last = self.push("slow", 1, 3)[2]
        self.assertEqual(len(self.claim(self.there, "slow")), 2)
        gate = self.gate(last, "rate")
        self.assertEqual((gate["status"], gate["limit"], "opens_at" in gate), ("holding", 2, True))

        watched = saved("watched", concurrency(1, mode="observe"))["constraints"][0]["id"]
        self.push("watched", 1, 3)
        self.assertEqual(len(self.claim(self.there, "watched")), 3)
        live = next(c for c in self.here.ok("GET", "/v1/constraints?limit=100")["constraints"] if c["constraint"]["id"] == watched)
        self.assertEqual((live["used"], live["would_hold"]), (3, 2))

        self.save(self.there, "free", 'job.name == "slow" && job.argument == "vip"')
        kept = self.there.ok("GET", "/v1/matchers/free")
        status, _ = self.there.request("PUT", "/v1/matchers/free", {**kept, "exempts": ["slow"]}, fields={"If-Match": f'"{kept["revision"]}"'})
        self.assertEqual(status, 200)
        self.push("slow", "vip")
        self.assertEqual([j["argument"] for j in self.claim(self.here, "slow")], ["vip"])

    def gate(self, identity, kind):
        return next(g for g in self.here.ok("GET", f"/v1/jobs/{identity}/explain")["gates"] if g["gate"] == kind)

    def test_a_worker_that_waits_at_one_master_is_known_at_the_other(self):
        job = self.here.ok("POST", "/v1/jobs", {"name": "served", "delay": 3600})["id"]

        def gate(client):
            return next(g for g in client.ok("GET", f"/v1/jobs/{job}/explain")["gates"] if g["gate"] == "workers")

        workers = [threading.Thread(target=self.claim, args=(Client(master.port), "served"), kwargs={"wait": 55, "limit": 1})
                   for master in (self.first, self.second, self.second)]
        for worker in workers:
            worker.start()
        for client in (self.here, self.there):
            known = until(lambda at=client: gate(at)["waiting"] == 3 and gate(at), 40, "three workers that wait")
            self.assertEqual(known["status"], "pass")
        self.push("served", 1, 3)
        for worker in workers:
            worker.join(60)
        gone = until(lambda: gate(self.there)["waiting"] == 0 and gate(self.there), 40, "no worker that waits")
        self.redis_cli("EVAL", MINUTES_LATER, "0", "jq:{default}:asks")
        later = gate(self.here)
        self.assertEqual((later["status"], later["waiting"]), ("holding", 0))
        self.assertLess(later["asked_at"], gone["asked_at"])

    def test_waiting_jobs_are_read_again_in_the_background_and_are_all_listed(self):
        self.push("read", 1, 250)
        saved = self.save(self.here, "read", 'job.name == "read"', concurrency(0, by=["job.argument"]))

        def waiting():
            return sum(b["waiting"] for b in self.here.ok("GET", f"/v1/constraints/{saved['constraints'][0]['id']}/buckets")["buckets"])

        until(lambda: waiting() == 250, what="250 jobs under the limit")
        self.assertEqual(len(self.here.ok("GET", "/v1/jobs?state=ready&name=read&limit=500")["jobs"]), 250)
        self.assertEqual([n["ready"] for n in self.here.ok("GET", "/v1/names")["names"] if n["name"] == "read"], [250])
        status, _ = self.here.request("DELETE", "/v1/matchers/read", fields={"If-Match": '"1"'})
        self.assertEqual(status, 200)
        claimed = set()  # a claim gets the jobs that were read again, and has the next ones read
        while jobs := self.claim(self.there, "read", limit=100):
            claimed.update(job["id"] for job in jobs)
        self.assertEqual(len(claimed), 250)

    def test_a_limit_holds_while_it_is_edited_by_two_and_many_work(self):
        """Never do more jobs run at once than the largest limit allowed, and in the end every job has run."""
        saved = self.save(self.here, "busy", 'job.name == "busy"', concurrency(3, by=["job.argument"]), {"kind": "concurrency", "limit": 5})
        jobs = 400
        for key in range(4):
            self.push("busy", key, jobs // 4)
        lock, running, most, done = threading.Lock(), {}, {}, []

        def work(port):
            client = Client(port)
            while len(done) < jobs:
                for job in client.insist("POST", "/v1/claims", {"worker": "w", "names": ["busy"], "wait": 1, "lease": 20})[1]["jobs"]:
                    with lock:  # the workers never count more than really run
                        running[job["argument"]] = running.get(job["argument"], 0) + 1
                        most[job["argument"]] = max(most.get(job["argument"], 0), running[job["argument"]])
                        most["all"] = max(most.get("all", 0), sum(running.values()))
                    time.sleep(0.005)
                    with lock:
                        running[job["argument"]] -= 1
                    report = {k: v for k, v in success(job, None).items() if k != "id"}
                    if client.insist("POST", f"/v1/jobs/{job['id']}/outcome", report)[0] == 200:  # not when its lease was lost
                        done.append(job["id"])

        workers = [threading.Thread(target=work, args=(port,)) for port in (self.first.port, self.second.port) * 4]
        for worker in workers:
            worker.start()
        edits = 0
        while len(done) < jobs and edits < 200:
            by = ["job.argument"] if edits % 3 else ["job.argument", "job.name"]
            saved = self.change(self.here if edits % 2 else self.there, saved, 'job.name == "busy"' + " " * (edits % 2),
                                concurrency(1 + edits % 3, by=by), {"kind": "concurrency", "limit": 5 - edits % 2})
            edits += 1
        for worker in workers:
            worker.join(120)
        self.assertEqual((len(done), len(set(done))), (jobs, jobs))
        self.assertGreater(edits, 3)
        self.assertLessEqual(max(value for key, value in most.items() if key != "all"), 3)
        self.assertLessEqual(most["all"], 5)


if __name__ == "__main__":
    unittest.main()
