"""junbanctl fsck as a shell user has it: straight to Redis, beside a master that works."""

import subprocess
import unittest

from harness import Client, Master, PROGRAMS
from redisserver import Redis


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

    def fsck(self, *words, expect):
        done = subprocess.run([PROGRAMS / "junbanctl", "fsck", "--redis", self.redis.url, *words], capture_output=True, text=True, timeout=60)
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

    def test_what_cannot_be_looked_at_is_said(self):
        self.assertIn("no name of a namespace", self.fsck("--namespace", "a b", expect=2))
        self.redis.kill()
        self.assertIn("not reached", self.fsck(expect=2))


if __name__ == "__main__":
    unittest.main()
