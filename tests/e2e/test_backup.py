"""The manual's backup and restore, run unchanged. A copy of a queue at work is a complete queue. What came after it is lost, and the master
says so."""

import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import unittest

from harness import Client, Master, PROGRAMS, success, until

MANUAL = (pathlib.Path(__file__).resolve().parents[2] / "docs/backup.md").read_text(encoding="utf-8")


def blocks(kind):
    """All commands of the manual that are marked with this word, as one script."""
    found = re.findall(rf"^```sh {kind}\n(.*?)^```$", MANUAL, re.M | re.S)
    assert found, kind
    return "".join(found)


class Work:
    """Pushers and workers that go on until they are told to stop, and remember what was acknowledged."""

    def __init__(self, port):
        self.port = port
        self.acknowledged, self.succeeded = [], []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.push, daemon=True), threading.Thread(target=self.work, daemon=True)]

    def push(self):
        client = Client(self.port)
        while not self.over.is_set():
            answer = client.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": "load", "argument": "x" * 100, "max_retry": 5}] * 10})
            self.acknowledged += [job["id"] for job in answer["results"]]
        client.close()

    def work(self):
        client, done = Client(self.port), []
        while not self.over.is_set():
            answer = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": done, "claim": {"names": ["load"], "limit": 3, "wait": 1}})
            self.succeeded += [report["id"] for report in done]
            done = [success(job, None) for job in answer["jobs"]]
        client.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        until(lambda: len(self.succeeded) > 50, what="50 succeeded jobs")
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(60)


class Backup(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="junban-backup-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.master = Master()
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.client = Client(self.master.port)
        self.addCleanup(self.client.close)

    def shell(self, commands, directory):
        """Runs the manual's commands on another directory. systemctl and chown do nothing: the test itself stops and starts the master."""
        tools = self.place / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("systemctl", "chown"):
            (tools / name).write_text("#!/bin/sh\n")
            (tools / name).chmod(stat.S_IRWXU)
        for was, path in (("/var/lib/junban", directory), ("/var/backups/junban", self.place / "copy"), ("/etc/junban/junban.conf", self.place / "conf")):
            commands = commands.replace(was, str(path))
        (self.place / "conf").touch()
        environment = {**os.environ, "PATH": f"{tools}:{PROGRAMS}:{os.environ['PATH']}", "JUNBAN_URL": f"http://127.0.0.1:{self.master.port}"}
        done = subprocess.run(["bash", "-euc", commands], capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(done.returncode, 0, commands + done.stdout + done.stderr)

    def push(self, name):
        return self.client.ok("POST", "/v1/jobs", {"name": name, "timeout": 3600})["id"]

    def claim(self, name):
        return self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"][0]

    def fsck(self, master):
        done = subprocess.run([PROGRAMS / "junbanctl", "fsck", "--url", f"http://127.0.0.1:{master.port}"], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def is_as_it_was(self, restored, before, after, acknowledged):
        """Checks a restored queue. `before` and `after` are jobs that were claimed before and after the copy was made."""
        client = Client(restored.port)
        self.addCleanup(client.close)
        self.fsck(restored)
        gone = [job for job in acknowledged if client.request("GET", f"/v1/jobs/{job}")[0] != 200]
        self.assertEqual(gone, [])
        self.assertEqual(client.request("GET", f"/v1/jobs/{after['id']}")[0], 404)
        status, problem = client.request("POST", f"/v1/jobs/{after['id']}/outcome", self.report(after))
        self.assertEqual(status, 404, problem)
        # A job that was claimed after the copy was made is ready again. The lease of that claim is lost.
        again, = client.ok("POST", "/v1/claims", {"worker": "w", "names": ["claimed.later"]})["jobs"]
        self.assertEqual(again["id"], self.later["id"])
        self.assertNotEqual(again["lease"], self.later["lease"])
        self.assertEqual(client.request("POST", f"/v1/jobs/{again['id']}/outcome", self.report(self.later))[1]["code"], "lease_lost")
        self.assertEqual(client.ok("POST", f"/v1/jobs/{before['id']}/outcome", self.report(before)), {"state": "succeeded"})

    def report(self, job):
        return {name: value for name, value in success(job, None).items() if name != "id"}

    def copied_under_load(self, commands):
        """Copies the queue while it works. Returns a job claimed before, a job claimed after, and the ids that must be in the copy."""
        self.push("before")
        before = self.claim("before")
        self.push("claimed.later")
        with Work(self.master.port) as work:
            acknowledged = list(work.acknowledged)
            self.shell(commands, self.master.directory)
            self.later = self.claim("claimed.later")
            self.push("after")
            after = self.claim("after")
            many = len(work.acknowledged)
            until(lambda: len(work.acknowledged) > many + 50, what="more jobs")
        return before, after, acknowledged

    def started_in(self, directory):
        master = Master(directory=str(directory))
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.addCleanup(master.kill_redis)
        self.addCleanup(master.kill)
        master.start()
        return master

    def test_a_snapshot_is_restored_beside_the_running_master_and_in_its_place(self):
        before, after, acknowledged = self.copied_under_load(blocks("backup"))
        self.assertEqual(os.stat(self.place / "copy").st_mode & 0o777, 0o700)
        other = self.place / "other"
        (other / "appendonlydir").mkdir(parents=True)
        self.shell(blocks("restore"), other)
        restored = self.started_in(other)
        self.assertNotIn("rollback", Client(restored.port).overview())  # it has never seen a later state
        self.is_as_it_was(restored, before, after, acknowledged)
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{after['id']}")["state"], "running")  # the first master has lost nothing
        self.assertEqual(self.master.kill(signal.SIGTERM), 0)
        self.shell(blocks("restore"), self.master.directory)
        self.master.start()
        self.client = Client(self.master.port)
        rollback = until(lambda: self.client.overview().get("rollback"), 60, "the rollback")
        self.assertGreaterEqual(rollback["transactions_lost"], 5)
        self.assertIn("came back without", self.master.log())
        self.is_as_it_was(self.master, before, after, acknowledged)

    def test_a_copy_of_the_append_only_file_is_a_backup_too(self):
        before, after, acknowledged = self.copied_under_load(blocks("backup-aof"))
        other = self.place / "other"
        other.mkdir()
        shutil.copytree(self.place / "copy/appendonlydir", other / "appendonlydir")
        self.is_as_it_was(self.started_in(other), before, after, acknowledged)


if __name__ == "__main__":
    unittest.main()
