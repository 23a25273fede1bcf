"""The Redis user of packaging/junban.acl may do all that masters and tools need. A missing permission is named."""

import os
import pathlib
import subprocess
import sys
import unittest

import harness
from harness import Client, PROGRAMS, success, until
from permitted import Permitted


class Permissions(unittest.TestCase):
    def master(self):
        master = Permitted()
        self.addCleanup(master.__exit__)
        return master

    def started(self, master):
        (pathlib.Path(master.directory) / "pepper").touch(0o600)
        command = [PROGRAMS / "junband", "--data-dir", master.directory, "--listen", "127.0.0.1:0", "--redis", master.url]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def test_a_redis_that_evicts_is_refused_though_its_configuration_is_hidden(self):
        master = self.master()
        master.start_redis()
        master.cli("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        done = self.started(master)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("maxmemory-policy is allkeys-lru", done.stderr)

    def test_a_master_does_not_start_where_a_command_is_missing_and_names_it(self):
        for rule, named in (("-hset", "HSET"), ("-@all +eval", "EXISTS, FCALL, FUNCTION LOAD, GET"), ("-function|load", "FUNCTION LOAD"), ("resetkeys ~other:*", "one of the keys"),
                            ("resetchannels", "PUBLISH"), ("-eval", "eval")):
            master = self.master()
            master.expects_denials = True
            master.start_redis()
            master.cli("ACL", "SETUSER", "junban", *rule.split())
            done = self.started(master)
            self.assertEqual(done.returncode, 3, (rule, done.stderr))
            self.assertIn(named, done.stderr, rule)
            self.assertIn("not permit", done.stderr, rule)
            self.assertEqual(master.cli("--scan"), "", "nothing was written")

    def test_a_master_that_reconnects_with_less_is_not_ready_and_says_what_is_missing(self):
        master = self.master()
        master.expects_denials = True
        master.start()
        client = Client(master.port)
        job = client.ok("POST", "/v1/jobs", {"name": "a"})["id"]
        master.cli("ACL", "SETUSER", "junban", "-zrem")
        master.cli("CLIENT", "KILL", "USER", "junban")

        def unready():
            status, body = client.request("GET", "/readyz")
            return status == 503 and "ZREM" in body["detail"]
        until(unready, 30, "the missing command is named")
        self.assertIn("ZREM", master.log())
        master.cli("ACL", "SETUSER", "junban", "+zrem")
        until(lambda: client.request("GET", "/readyz")[0] == 200, 30, "it is ready again")
        claimed, = client.ok("POST", "/v1/claims", {"worker": "w"})["jobs"]
        self.assertEqual(claimed["id"], job)

    def test_an_export_and_an_import_need_nothing_else(self):
        master = self.master()
        master.start()
        client = Client(master.port)
        for number in range(3):
            client.ok("POST", "/v1/jobs", {"name": "a", "argument": number, "keep_result": True})
        job, = client.ok("POST", "/v1/claims", {"worker": "w"})["jobs"]
        client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(job, 1)]})
        master.kill()
        file = os.path.join(master.directory, "out")
        for words in (["export", file, "--namespace", "default"], ["import", file, "--namespace", "copy"], ["fsck", "--namespace", "copy"]):
            done = subprocess.run([PROGRAMS / "junbanctl", *words, "--redis", master.url], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_other_tests_pass_with_this_user(self):
        """Runs them in a process of its own, where every master is a Permitted."""
        done = subprocess.run([sys.executable, "-B", __file__, "others"], capture_output=True, text=True, timeout=3600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"Ran [2-9]\d tests")


def others():
    harness.Master = Permitted
    suite = unittest.TestSuite()
    for module in ("test_roundtrip", "test_schedules", "test_matchers", "test_masking", "test_fsck"):
        for test in (each for case in unittest.defaultTestLoader.loadTestsFromName(module) for each in case):
            if "ends_redis" not in test.id():  # here the Redis belongs to the test, so no master stops it
                suite.addTest(test)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    others() if sys.argv[1:] == ["others"] else unittest.main()
