"""junbanctl export and import: a whole namespace moves into another namespace and into another Redis, and a damaged file is refused."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

import msgpack

from harness import Client, MSGPACK, Master, PROGRAMS
from redisserver import Redis


class Export(unittest.TestCase):
    def setUp(self):
        self.redis, self.other = Redis("--appendonly", "yes"), Redis("--appendonly", "yes")
        for server in (self.redis, self.other):
            server.start()
            self.addCleanup(server.__exit__)
        directory = tempfile.TemporaryDirectory(prefix="junban-export-")
        self.addCleanup(directory.cleanup)
        self.file = pathlib.Path(directory.name, "namespace.junban")
        self.master = self.start(self.redis)

    def start(self, redis, *arguments):
        master = Master(arguments=["--redis", redis.url, *arguments])
        master.start()
        self.addCleanup(master.__exit__)
        self.client = Client(master.port)
        self.addCleanup(self.client.close)
        return master

    def ctl(self, verb, redis, *words, expect=0, file=None):
        command = [PROGRAMS / "junbanctl", verb, file or self.file, "--redis", redis.url, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def ask(self, method, path, body=None, expect=(200, 201)):
        status, answer = self.client.request(method, path, body)
        self.assertIn(status, expect, answer)
        return answer

    def redis_cli(self, redis, *words):
        return subprocess.run(["redis-cli", "-s", redis.path, *words], capture_output=True, timeout=20).stdout

    def claim(self, name):
        return self.ask("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]

    def report(self, job, **outcome):
        outcome = {"lease": job["lease"], "finished_at": "2026-01-01T00:00:00Z", **outcome}
        return self.ask("POST", f"/v1/jobs/{job['id']}/outcome", outcome)

    def fill(self):
        """Makes jobs in many states, a result, failures, a schedule and settings. Some are too many for one piece of the file."""
        jobs = [{"name": "many", "argument": {"n": n, "b": b"\x00\xff\r\n"}, "priority": n % 5, "tags": ["x"]} for n in range(1000)]
        for _ in range(3):
            self.ask("POST", "/v1/jobs/batch", {"jobs": jobs})
        made = {"big": self.ask("POST", "/v1/jobs", {"name": "big", "argument": b"z" * 200_000})["id"]}
        made["later"] = self.ask("POST", "/v1/jobs", {"name": "later", "delay": 3600, "unique": {"key": "u"}})["id"]
        made["kept"] = self.ask("POST", "/v1/jobs", {"name": "kept", "keep_result": True})["id"]
        self.report(self.claim("kept"), type="success", result={"answer": 42})
        made["failed"] = self.ask("POST", "/v1/jobs", {"name": "failed"})["id"]
        self.report(self.claim("failed"), type="failure", reason="other", should_retry=True, message="No route to 10.0.0.7")
        made["running"] = self.ask("POST", "/v1/jobs", {"name": "running", "timeout": 3600})["id"]
        self.running = self.claim("running")
        made["child"] = self.ask("POST", "/v1/jobs", {"name": "child", "depends_on": [made["running"]], "group": "g"})["id"]
        matcher = {"title": "one at a time", "expression": 'job.name == "held"', "constraints": [{"kind": "concurrency", "limit": 1}]}
        body = msgpack.packb(matcher)
        self.client.connection.request("PUT", "/v1/matchers/held", body, {"Content-Type": MSGPACK, "Accept": MSGPACK, "If-None-Match": "*"})
        answer = self.client.connection.getresponse()
        self.assertIn(answer.status, (200, 201), answer.read())
        answer.read()
        for _ in range(2):
            made["held"] = self.ask("POST", "/v1/jobs", {"name": "held", "timeout": 3600})["id"]
        self.claim("held")
        self.ask("PUT", "/v1/schedules/nightly", {"cron": "30 2 * * *", "tz": "Europe/Berlin", "job": {"name": "report"}})
        self.ask("PUT", "/v1/retention/many", {"succeeded": {"count": 3}})
        for text in ("ma*", "many"):
            self.ask("PUT", "/v1/filters/Many", {"screen": "jobs", "kind": "pattern", "text": text})
        self.ask("PUT", f"/v1/jobs/{made['later']}/tracked")
        return made

    def everything(self, made):
        """What a client sees of the namespace."""
        seen = {name: self.ask("GET", f"/v1/jobs/{identity}") for name, identity in made.items()}
        for path in ("/v1/schedules", "/v1/retention", "/v1/names", "/v1/matchers", "/v1/failures", "/v1/results", "/v1/jobs?tracked=true",
                     "/v1/filters"):
            seen[path] = self.ask("GET", path)
        seen["/v1/matchers"] = seen["/v1/matchers"]["matchers"]  # without the count of jobs to be read again, which changes
        for schedule in seen["/v1/schedules"]["schedules"]:
            schedule.pop("next_runs", None)
        for group in seen["/v1/failures"]["groups"]:
            group.pop("trend"), group.pop("last_hour", None)
        return seen

    @contextlib.contextmanager
    def work(self):
        """Pushes jobs all the time."""
        done = threading.Event()

        def push():
            client = Client(self.master.port)
            while not done.is_set():
                client.request("POST", "/v1/jobs", {"name": "more"})
            client.close()

        pusher = threading.Thread(target=push)
        pusher.start()
        try:
            yield
        finally:
            done.set()
            pusher.join()

    def test_a_namespace_moves_with_everything(self):
        made = self.fill()
        with self.work():
            self.assertIn("changed while it was read", self.ctl("export", self.redis, expect=1))
        self.assertFalse(self.file.exists())
        before = self.everything(made)
        self.master.kill()
        said = self.ctl("export", self.redis)
        keys = int(said.split()[1])
        self.assertGreater(keys, 3000)
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        for redis, namespace in ((self.other, "default"), (self.redis, "copy")):
            said = self.ctl("import", redis, "--namespace", namespace)
            self.assertIn(f"imported {keys} keys", said)
            self.assertIn(" 0 found, 0 repaired", said)
            master = self.start(redis, "--namespace", namespace)
            self.assertEqual(self.everything(made), before)
            self.assertEqual(self.ask("GET", f"/v1/jobs/{made['kept']}/result")["result"], {"answer": 42})
            self.assertTrue(self.client.request("POST", "/v1/jobs", {"name": "later", "unique": {"key": "u"}})[1]["duplicate"])
            self.report(self.running, type="success", result=None)  # its lease has moved, too
            self.assertEqual(self.claim("child")["id"], made["child"])
            self.assertEqual(self.claim("big")["argument"], b"z" * 200_000)
            self.assertEqual(self.ask("POST", "/v1/claims", {"worker": "w", "names": ["held"]})["jobs"], [])  # the slot is taken here, too
            counted = self.ask("POST", "/v1/claims", {"worker": "w", "names": ["many"], "limit": 100})["jobs"]
            self.assertEqual([job["priority"] for job in counted], [0] * 100)
            self.assertEqual(counted[0]["argument"], {"n": 0, "b": b"\x00\xff\r\n"})
            master.kill()
        self.assertIn("The namespace is not empty", self.ctl("import", self.other, expect=1))

    def test_a_damaged_file_is_refused_and_changes_nothing(self):
        self.ask("POST", "/v1/jobs", {"name": "a", "argument": "precious"})
        self.master.kill()
        self.ctl("export", self.redis)
        whole = self.file.read_bytes()
        at = whole.index(b"precious")
        broken = self.file.with_name("broken")
        for content, why in (
            (b"", "not an export of a namespace"), (b"PK\x03\x04" + bytes(100), "not an export of a namespace"),
            (whole[:18], "damaged: it ends too early"), (whole[:100], "damaged: it ends too early"), (whole[:-1], "damaged: it ends too early"),
            (whole[:at] + b"P" + whole[at + 1:], "damaged: it has been changed"), (whole + b"x", "damaged: it has been changed"),
            (whole[:16] + b"\xff\xff\xff\xff" + whole[20:], "damaged: a record is too long"),
            (whole.replace(b"export 1\n", b"export 2\n", 1), "newer Junban"),
        ):
            broken.write_bytes(content)
            self.assertIn(why, self.ctl("import", self.other, expect=1, file=broken))
            self.assertEqual(self.redis_cli(self.other, "DBSIZE").strip(), b"0", why)
        self.assertIn("cannot be read", self.ctl("import", self.other, expect=2, file=broken.with_name("none")))
        self.assertIn("no such namespace", self.ctl("export", self.other, expect=1, file=broken.with_name("none")))
        self.assertFalse(broken.with_name("none").exists())

    def test_an_interrupted_import_is_reported_and_can_be_repeated(self):
        self.ask("POST", "/v1/jobs", {"name": "a"})
        self.master.kill()
        self.ctl("export", self.redis)
        # What a killed import leaves: the mark, the layout that masters refuse, some keys.
        self.redis_cli(self.other, "HSET", "jq:{default}:meta", "layout", "1000000000", "importing", "1")
        self.redis_cli(self.other, "SET", "jq:{default}:tx", "1")
        refused = subprocess.run([PROGRAMS / "junband", "--listen", "127.0.0.1:0", "--data-dir", self.file.parent, "--redis", self.other.url],
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual((refused.returncode != 0, "layout" in refused.stderr), (True, True), refused.stderr)
        self.assertIn("is under way, or was interrupted", self.ctl("import", self.other, expect=1))
        self.assertIn("0 found", self.ctl("import", self.other, "--force"))
        self.assertEqual(self.redis_cli(self.other, "HGETALL", "jq:{default}:meta").split(), [b"layout", b"2"])

    def test_a_failed_import_removes_what_it_wrote(self):
        self.ask("POST", "/v1/jobs/batch", {"jobs": [{"name": "a", "argument": "x" * 2000} for _ in range(1000)]})
        self.master.kill()
        self.ctl("export", self.redis)
        self.redis_cli(self.other, "CONFIG", "SET", "maxmemory", "2mb")
        self.ctl("import", self.other, expect=2)
        self.assertEqual(self.redis_cli(self.other, "DBSIZE").strip(), b"0")


if __name__ == "__main__":
    unittest.main()
