"""junbanctl fsck as a shell user has it: straight to Redis, beside a master that works."""

import subprocess
import unittest

from harness import Client, Master, PROGRAMS, until
from redisserver import Redis

# Counts the jobs with a note that a limit lowered their max_retry below the failures they had.
NOTED = """
local noted = 0
for _, key in ipairs(redis.call('KEYS', 'jq:{default}:s:*')) do
    noted = noted + redis.call('HEXISTS', key, 'fo')
end
return noted
"""


class Fsck(unittest.TestCase):
    def setUp(self):
        self.redis = Redis("--appendonly", "yes")
        self.redis.start()
        self.addCleanup(self.redis.__exit__)
        self.master = Master(arguments=["--redis", self.redis.url])
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.client = Client(self.master.port)
        self.addCleanup(self.client.close)

    def over_the_master(self, *words, expect):
        return self.fsck(*words, expect=expect, where=["--url", f"http://127.0.0.1:{self.master.port}"])

    def fsck(self, *words, expect, where=None):
        done = subprocess.run([PROGRAMS / "junbanctl", "fsck", *(where or ["--redis", self.redis.url]), *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def redis_cli(self, *words):
        return subprocess.run(["redis-cli", "-s", self.redis.path, *words], capture_output=True, text=True, timeout=20).stdout

    def test_faults_are_found_repaired_and_found_no_more(self):
        for number in range(20):
            self.client.request("POST", "/v1/jobs", {"name": "a", "argument": number, "delay": 3600 if number % 2 else 0})
        self.assertRegex(self.fsck(expect=0), r"^\d+ checked, 0 found, 0 repaired")
        self.redis_cli("DEL", "jq:{default}:sched")
        self.redis_cli("SET", "jq:{default}:stray", "1")
        found = self.fsck(expect=1)
        self.assertIn("I3", found)
        self.assertIn("I17  stray: a key outside the schema", found)
        self.assertIn("11 found, 0 repaired", found)
        self.assertIn("11 found, 11 repaired", self.fsck("--repair", expect=1))
        self.assertIn("0 found", self.fsck("--repair", expect=0))
        self.assertEqual(self.redis_cli("XLEN", "jq:{default}:audit").strip(), "11")
        self.assertEqual(self.redis_cli("ZCARD", "jq:{default}:sched").strip(), "10")

    def test_attempts_that_a_limit_took_away_are_no_fault(self):
        several = {"kind": "set", "max_retry": 3, "backoff": {"base": 0.01, "factor": 1, "max": 0.01, "jitter": 0}}
        body = {"title": "tries", "expression": 'job.name == "a"', "constraints": [several]}
        self.assertEqual(self.client.request("PUT", "/v1/matchers/tries", body, fields={"If-None-Match": "*"})[0], 201)
        self.client.request("POST", "/v1/jobs", {"name": "a"})
        for failures in range(1, 4):
            (job,) = self.client.request("POST", "/v1/claims", {"worker": "w", "wait": 5})[1]["jobs"]
            self.assertEqual(job["max_retry"], 3 if failures < 3 else 0)
            outcome = {"id": job["id"], "lease": job["lease"], "type": "failure", "finished_at": "2026-01-01T00:00:00Z",
                       "reason": "other", "message": "no", "should_retry": True}
            status, answer = self.client.request("POST", "/v1/outcomes", {"worker": "w", "outcomes": [outcome]})
            self.assertEqual((status, answer["results"][0]["state"]), (200, "scheduled" if failures < 3 else "failed"), answer)
            if failures == 2:
                self.assertEqual(self.client.request("DELETE", "/v1/matchers/tries", fields={"If-Match": '"1"'})[0], 200)
                until(lambda: self.client.request("GET", "/v1/matchers")[1]["reading"] == 0)
            self.assertIn("0 found", self.fsck(expect=0))
        self.assertEqual(self.redis_cli("EVAL", NOTED, "0").strip(), "1")
        self.assertEqual(self.client.request("POST", f"/v1/jobs/{job['id']}/retry")[0], 200)
        self.assertEqual(self.redis_cli("EVAL", NOTED, "0").strip(), "0")  # a retry forgets the failures, and the note with them

    def test_a_master_checks_part_by_part(self):
        for _ in range(25):  # more keys than one request checks
            batch = [{"name": "a", "delay": 3600, "tags": ["x"]} for _ in range(1000)]
            self.client.request("POST", "/v1/jobs/batch", {"jobs": batch})
        checked = int(self.over_the_master(expect=0).split()[0])
        self.assertGreater(checked, 50_000)
        self.redis_cli("SET", "jq:{default}:stray", "1")
        self.assertIn("1 found, 0 repaired", self.over_the_master(expect=1))
        self.assertIn("stray: a key outside the schema (repaired)", self.over_the_master("--repair", expect=1))
        self.assertIn("0 found", self.over_the_master(expect=0))
        status, first = self.client.request("POST", "/v1/fsck", {})
        self.assertEqual(status, 200)
        self.assertLess(first["checked"], 25_000)
        self.assertEqual(self.client.request("POST", "/v1/fsck", {"cursor": first["next"]})[0], 200)
        for cursor in ("x", "0 0 j:a", "0 0 lane:a b", "0 -1 sched", first["next"] + " tx"):
            status, problem = self.client.request("POST", "/v1/fsck", {"cursor": cursor})
            self.assertEqual((status, problem["field"]), (400, "cursor"))

    def test_a_wrong_namespace_and_an_unreachable_redis_are_reported(self):
        self.assertIn("--namespace must be 1 to ", self.fsck("--namespace", "a b", expect=2))
        self.redis.kill()
        self.assertIn("Redis cannot be reached", self.fsck(expect=2))


if __name__ == "__main__":
    unittest.main()
