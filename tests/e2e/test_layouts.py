"""Masters of two versions share a Redis, and the newer one has another layout. It upgrades the namespace; then older masters stop, and none
starts again."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import uuid

from harness import PROGRAMS, Client, Master
from redisserver import Redis

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYOUT = int(re.search(r"layout_version = (\d+);", (ROOT / "core/limits.h").read_text())[1])


class Layouts(unittest.TestCase):
    def setUp(self):
        self.redis = Redis("--appendonly", "yes")
        self.redis.start()
        self.addCleanup(self.redis.__exit__)
        directory = tempfile.TemporaryDirectory(prefix="junban-layouts-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def serving(self):
        master = Master(arguments=["--redis", self.redis.url])
        master.start()
        self.addCleanup(master.__exit__)
        return master

    def has_layout(self, layout):
        self.redis.cli("HSET", "jq:{default}:meta", "layout", str(layout))

    def run_refused(self, program, *words):
        done = subprocess.run([PROGRAMS / program, *words, "--redis", self.redis.url], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    def test_running_masters_stop_when_a_newer_one_has_upgraded_the_namespace(self):
        masters = [self.serving(), self.serving()]
        client = Client(masters[0].port)
        job = client.ok("POST", "/v1/jobs", {"name": "kept"})["id"]
        client.close()
        self.has_layout(LAYOUT + 1)
        for master in masters:
            self.assertEqual(master.process.wait(60), 3, master.log())
            self.assertIn(f"A newer Junban has upgraded this namespace (layout {LAYOUT + 1}; this master knows layout {LAYOUT})", master.log())
        self.assertEqual(self.redis.call("EXISTS", b"jq:{default}:j:" + uuid.UUID(job).bytes), 1)

    def test_no_older_program_changes_an_upgraded_namespace(self):
        self.serving().kill()
        self.has_layout(LAYOUT + 1)
        before = self.redis.cli("GET", "jq:{default}:tx")
        code, said = self.run_refused("junband", "--listen", "127.0.0.1:0", "--data-dir", self.directory)
        self.assertEqual(code, 3, said)
        self.assertIn(f"A newer Junban uses this namespace (layout {LAYOUT + 1}); this one knows layout {LAYOUT}.", said)
        file = os.path.join(self.directory, "namespace.junban")
        for words in (["export", file], ["fsck"], ["fsck", "--repair"]):
            code, said = self.run_refused("junbanctl", *words)
            self.assertIn(code, (1, 2), said)
            self.assertIn("newer layout", said)
        self.assertEqual(self.redis.cli("GET", "jq:{default}:tx"), before)

    def test_an_older_copy_under_running_masters_is_upgraded_by_the_next_start(self):
        master = self.serving()
        job = Client(master.port).ok("POST", "/v1/jobs", {"name": "kept"})["id"]
        self.has_layout(LAYOUT - 1)
        self.assertEqual(master.process.wait(60), 1, master.log())
        self.assertIn("An older copy of this namespace was restored", master.log())
        again = self.serving()
        self.assertIn(f"upgraded the namespace from layout {LAYOUT - 1} to {LAYOUT}", again.log())
        self.assertEqual(Client(again.port).ok("GET", f"/v1/jobs/{job}")["state"], "ready")


if __name__ == "__main__":
    unittest.main()
