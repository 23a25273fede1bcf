"""Every verb of a plain job through a real master. JUNBAN_ENGINE=memory runs the same text against the engine in memory."""

import re
import signal
import subprocess
import threading
import time
import unittest

from harness import Client, IN_MEMORY, Master, PROGRAMS, now, success, until
from redisserver import Redis

ENGINES = ({"JUNBAN_ENGINE": "memory"}, {"JUNBAN_ENGINE": "redis"})


def failure(job, **fields):
    return {"id": job["id"], "lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": True,
            "message": "no", **fields}


class Plain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.master = Master()
        cls.master.start()

    @classmethod
    def tearDownClass(cls):
        cls.master.__exit__()

    def setUp(self):
        self.client = Client(self.master.port)
        self.name = self.id().rsplit(".", 1)[1][:60]

    def push(self, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": self.name, **fields})["id"]

    def claim(self, **fields):
        jobs = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [self.name], "wait": 30, **fields})["jobs"]
        self.assertEqual(len(jobs), 1)
        return jobs[0]

    def report(self, outcome):
        return self.client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [outcome]})["results"][0]

    def job(self, identity):
        return self.client.ok("GET", f"/v1/jobs/{identity}")

    def post(self, identity, verb, body):
        return self.client.request("POST", f"/v1/jobs/{identity}/{verb}", body)

    def test_an_edit_changes_a_job_that_waits(self):
        first, second = self.push(), self.push(argument=[1])
        edited = self.client.ok("PATCH", f"/v1/jobs/{second}", {"priority": -1, "argument": {"b": "x" * 5000}, "tags": ["urgent"]})
        self.assertEqual((edited["priority"], edited["tags"]), (-1, ["urgent"]))
        claimed = self.claim()
        self.assertEqual((claimed["id"], claimed["argument"]), (second, {"b": "x" * 5000}))
        status, problem = self.client.request("PATCH", f"/v1/jobs/{second}", {"priority": 1})
        self.assertEqual((status, problem["reason"]), (409, "job_not_edited"))
        self.assertEqual([event["what"] for event in self.job(second)["history"]], ["enqueued", "edited", "started"])
        self.assertEqual(self.client.ok("PATCH", f"/v1/jobs/{first}", {"delay": 3600})["state"], "scheduled")
        self.assertEqual(self.client.ok("PATCH", f"/v1/jobs/{first}", {"delay": 0})["state"], "ready")
        self.report(success(claimed, None))
        self.assertEqual(self.claim()["id"], first)

    def test_priorities_and_order(self):
        late, early = self.push(priority=5), self.push(priority=-5)
        both = self.client.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": self.name, "argument": n} for n in range(2)]})["results"]
        rows = self.client.ok("GET", f"/v1/jobs?state=ready&name={self.name}&limit=3")
        self.assertEqual([row["id"] for row in rows["jobs"]], [early, both[0]["id"], both[1]["id"]])
        rest = self.client.ok("GET", f"/v1/jobs?state=ready&name={self.name}&limit=3&cursor={rows['next']}")
        self.assertEqual([row["id"] for row in rest["jobs"]], [late])
        self.assertEqual([self.claim()["id"] for _ in range(4)], [early, both[0]["id"], both[1]["id"], late])

    def test_a_saved_filter(self):
        body = {"screen": "jobs", "kind": "text", "text": "fax"}
        made = self.client.ok("PUT", "/v1/filters/Fax", body)
        self.assertEqual(self.client.ok("GET", "/v1/filters")["filters"], [made])
        self.assertEqual(self.client.ok("DELETE", "/v1/filters/Fax"), made)

    def test_heartbeats_with_progress_and_a_cancel(self):
        identity = self.push()
        job = self.claim(lease=60)
        beat = {"lease": job["lease"], "progress": {"done": 1, "total": 4, "message": "a"}}
        self.assertFalse(self.post(identity, "heartbeat", beat)[1].get("cancel"))
        self.assertEqual(self.job(identity)["progress"]["total"], 4)
        status, state = self.post(identity, "cancel", {})
        self.assertEqual((status, state["state"]), (200, "running"))
        self.assertTrue(self.client.ok("POST", "/v1/heartbeats", {"worker": "w", "leases": [{"id": identity, "lease": job["lease"]}]})["results"][0]["cancel"])
        self.assertEqual(self.report(failure(job))["state"], "cancelled")
        status, state = self.post(identity, "retry", {})
        self.assertEqual((status, state["state"]), (200, "ready"))
        self.assertEqual(self.report(success(self.claim(), 1))["state"], "succeeded")

    def test_failures_are_tried_again_and_end(self):
        identity = self.push(max_retry=1, backoff={"base": 3600, "max": 7200})
        result = self.report(failure(self.claim()))
        self.assertEqual(result["state"], "scheduled")
        self.assertEqual(self.job(identity)["state"], "scheduled")
        other = self.push(max_retry=1, backoff={"base": 0})
        self.assertEqual(self.report(failure(self.claim()))["state"], "ready")
        job = self.claim()
        self.assertEqual((job["id"], job["attempt"]), (other, 2))
        self.assertEqual(self.report(failure(job))["state"], "failed")
        self.assertEqual(self.report(failure(job))["state"], "failed")  # the same report again
        self.assertEqual(self.post(other, "cancel", {})[0], 409)
        self.assertEqual(self.post(other, "retry", {})[1]["state"], "ready")
        self.assertEqual(self.post(identity, "cancel", {})[1]["state"], "cancelled")

    def test_a_lost_lease_is_refused(self):
        identity = self.push()
        job = self.claim()
        self.assertEqual(self.post(identity, "release", {"lease": job["lease"]})[1]["state"], "ready")
        self.assertEqual(self.report(success(job, 1))["error"]["code"], "lease_lost")
        again = self.claim()
        self.assertEqual(again["attempt"], 2)
        self.assertEqual(self.client.request("GET", "/v1/jobs/" + "0" * 32)[0], 404)

    def test_results_are_looked_at_and_taken_once(self):
        identity = self.push(keep_result=True)
        self.report(success(self.claim(), {"a": 1}))
        path = f"/v1/jobs/{identity}/result"
        self.assertEqual(self.client.ok("GET", path + "?peek=true")["result"], {"a": 1})
        self.assertEqual(self.client.ok("GET", path + "?receipt=mine")["result"], {"a": 1})
        self.assertEqual(self.client.ok("GET", path + "?receipt=mine")["result"], {"a": 1})
        self.assertIsNone(self.client.ok("GET", path))

    def test_times_and_keys(self):
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))
        self.assertEqual(self.client.ok("POST", "/v1/jobs", {"name": self.name, "run_at": later})["state"], "scheduled")
        soon = self.push(delay=0.2, idempotency_key="k")
        self.assertEqual(self.client.ok("POST", "/v1/jobs", {"name": self.name, "delay": 0.2, "idempotency_key": "k"})["id"], soon)
        self.assertEqual(self.client.request("POST", "/v1/jobs", {"name": self.name, "delay": 1, "idempotency_key": "k"})[0], 422)
        self.assertEqual(self.claim()["id"], soon)

    def test_a_job_that_silences_its_workers_ends_as_poison(self):
        identity = self.push(max_retry=20, backoff={"base": 0})
        for attempt in range(1, 4):
            self.assertEqual(self.claim(lease=1)["attempt"], attempt)
            until(lambda: self.job(identity)["state"] != "running", what="the end of the lease")
        job = self.job(identity)
        self.assertEqual((job["state"], job["reason"]), ("failed", "poison"))


@unittest.skipUnless(IN_MEMORY, "of the engine in memory")
class EngineInMemory(unittest.TestCase):

    def test_what_it_lacks_is_refused_and_not_dropped(self):
        with Master() as master:
            client = Client(master.port)
            matcher = {"title": "m", "expression": "true", "constraints": [{"id": "c", "kind": "fair", "by": ["job.argument"]}]}
            status, problem = client.request("PUT", "/v1/matchers/m", matcher, fields={"If-None-Match": "*"})
            self.assertEqual((status, problem["reason"], problem["values"]["what"]), (409, "not_in_memory_engine", "fair"), problem)
            self.assertEqual(client.request("GET", "/v1/matchers/m")[0], 404)

    def test_what_makes_a_full_redis_fuller_is_refused_and_all_else_goes_on(self):
        with Redis("--appendonly", "yes") as redis, Master(arguments=("--redis", redis.url, "--force")) as master:
            client = Client(master.port)
            first, second = (client.ok("POST", "/v1/jobs", {"name": "a", "argument": "x" * 100})["id"] for _ in range(2))
            job = client.ok("POST", "/v1/claims", {"worker": "w"})["jobs"][0]
            hand = ("POST", f"/v1/jobs/{first}/handoff", {"lease": job["lease"], "key": "k", "timeout": 60})
            longer, shorter = (("PATCH", f"/v1/jobs/{second}", {"argument": "y" * length}) for length in (1000, 10))
            redis.cli("CONFIG", "SET", "maxmemory", "1")
            until(lambda: client.request("POST", "/v1/jobs", {"name": "b"})[0] == 507, 60, "new jobs are refused")
            for request in (hand, longer):
                status, problem = client.request(*request)
                self.assertEqual((status, problem["code"]), (507, "store_full"))
            self.assertEqual(client.ok(*shorter)["argument"], "y" * 10)
            redis.cli("CONFIG", "SET", "maxmemory", "0")
            until(lambda: client.request(*hand)[0] == 200, 60, "there is room again")
            self.assertEqual(client.ok(*longer)["argument"], "y" * 1000)
            self.assertEqual(client.ok("POST", "/v1/messages/k", {"type": "success", "result": None, "finished_at": now()})["id"], first)

    def test_durability_is_waited_for_and_decides_what_is_kept(self):
        def kept_s(client):
            return float(re.search(rb"junban_journal_reach_seconds ([0-9.e+-]+)", client.request("GET", "/metrics")[1]).group(1))

        job = {"name": "a", "durability": "fsync"}
        with Redis("--appendonly", "yes", "--appendfsync", "always") as redis:
            with Master(arguments=["--redis", redis.url, "--durability", "fsync"]) as master:
                client = Client(master.port)
                until(lambda: client.ok("POST", "/v1/jobs", {"name": "a"})["durability"] == "fsync", what="a job that is on the disk")
                # Nothing that Redis has on its disk is kept to be written again.
                until(lambda: kept_s(client) == 0, what="a ring that is empty")
                redis.kill()
                redis.start()
                until(lambda: client.insist("POST", "/v1/jobs", job)[1]["durability"] == "fsync", what="a job that is on the disk again")
        with Redis("--appendonly", "no") as redis, Master(arguments=["--redis", redis.url, "--force"]) as master:
            client = Client(master.port)
            self.assertEqual(client.ok("POST", "/v1/jobs", job)["durability"], "default")
            self.assertEqual(client.ok("POST", "/v1/jobs", {**job, "durability": "replicated"})["durability"], "default")
            until(lambda: kept_s(client) > 2, what="batches that are kept")

    def test_neither_kind_serves_a_namespace_of_the_other(self):
        for mine, other in (ENGINES, ENGINES[::-1]):
            with Redis("--appendonly", "yes") as redis:
                with Master(arguments=["--redis", redis.url], environment=mine) as first:
                    Client(first.port).ok("POST", "/v1/jobs", {"name": "a"})
                second = Master(arguments=["--redis", redis.url], environment=other)
                with self.assertRaises(AssertionError):
                    second.start()
                self.assertIn("namespace", second.log())
                self.assertEqual(second.process.wait(20), 3)
                checked = subprocess.run([PROGRAMS / "junbanctl", "fsck", "--redis", redis.url], capture_output=True, text=True)
                self.assertEqual("An engine in memory keeps" in checked.stderr, mine == ENGINES[0], checked)
                second.__exit__()

    def test_a_store_beside_it_that_mends_its_keys_leaves_the_jobs_alone(self):
        with Redis("--appendonly", "yes") as redis, Master(arguments=["--redis", redis.url]) as master:
            client, job = Client(master.port), {"name": "a", "idempotency_key": "k"}
            identity = client.ok("POST", "/v1/jobs", job)["id"]
            key = "jq:{default}:workers"
            redis.cli("DEL", key)
            redis.cli("SET", key, "no set of workers")
            client.ok("POST", "/v1/claims", {"worker": "w", "names": ["b"]})
            until(lambda: redis.cli("TYPE", key) != "string", what="a mended key")
            master.kill(signal.SIGKILL)
            master.start()
            again = Client(master.port).ok("POST", "/v1/jobs", job)
            self.assertEqual((again["id"], again["duplicate"]), (identity, True))

    def test_another_master_takes_over(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            with Redis("--appendonly", "yes") as redis, Master(arguments=["--redis", redis.url]) as first:
                identity = Client(first.port).ok("POST", "/v1/jobs", {"name": "a"})["id"]
                alone = len(redis.cli("CLIENT", "LIST").splitlines())
                second = Master(arguments=["--redis", redis.url])
                try:
                    starting = threading.Thread(target=second.start, daemon=True)
                    starting.start()  # it listens when it leads
                    until(lambda: len(redis.cli("CLIENT", "LIST").splitlines()) > alone + 1, what="a second master")
                    first.kill(how)
                    starting.join(60)
                    client = Client(second.port)
                    jobs = client.insist("POST", "/v1/claims", {"worker": "w", "wait": 30})[1]["jobs"]
                    self.assertEqual([job["id"] for job in jobs], [identity])
                finally:
                    second.__exit__()

    def test_redis_killed_under_load_is_healed(self):
        """With everysec Redis forgets what was not synced; the master that lives has it and writes it again."""
        with Master() as master:
            acknowledged, stop = {}, threading.Event()

            def push(number):
                client = Client(master.port)
                at = 0
                while not stop.is_set():
                    key = f"{number}.{at}"
                    _, answer = client.insist("POST", "/v1/jobs", {"name": "load", "argument": key, "idempotency_key": key})
                    acknowledged[key] = answer["id"]
                    at += 1

            threads = [threading.Thread(target=push, args=(n,), daemon=True) for n in range(4)]
            for thread in threads:
                thread.start()
            for _ in range(3):
                before = len(acknowledged)
                until(lambda: len(acknowledged) > before + 100, what="acknowledged pushes")
                master.kill_redis()
                until(master.redis_pid, what="a new Redis")
            before = len(acknowledged)
            until(lambda: len(acknowledged) > before + 100, what="acknowledged pushes")
            stop.set()
            for thread in threads:
                thread.join(60)
                self.assertFalse(thread.is_alive())
            self.check(master, acknowledged)
            master.kill(signal.SIGKILL)  # and so it is in Redis, too
            master.start()
            self.check(master, acknowledged)
            self.assertEqual(master.kill(signal.SIGTERM), 0)

    def check(self, master, acknowledged):
        client = Client(master.port)
        _, overview = client.insist("GET", "/v1/overview")
        self.assertEqual(overview["states"]["ready"], len(acknowledged))
        for key, identity in acknowledged.items():
            self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}")["argument"], key)


if __name__ == "__main__":
    unittest.main()
