"""The drills of docs/failover.md, run as a reader would run them: the blocks `sh drill` in order, in one directory. A block `text expected`
after one is what it must print; `…` stands for any text. The ports of the page are free, because it is a network of its own, and every
process that was started there ends with the test."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from test_manual import ROOT, fits

from harness import PROGRAMS, in_own_network

BLOCK = re.compile(r"^```(sh drill|text expected)\n(.*?)^```$", re.M | re.S)


class Failover(unittest.TestCase):
    def test_the_drills_go_as_the_page_says(self):
        done = in_own_network(f"exec {sys.executable} -B {__file__} Drills", "--pid", "--fork", "--kill-child", "--mount-proc")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 1 test", done.stderr)


class Drills(unittest.TestCase):
    """Run by the test above."""

    def test_each_block_prints_what_is_expected(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("JUNBAN_")}
        environment["PATH"] = f"{PROGRAMS}:{environment['PATH']}"
        blocks = BLOCK.findall((ROOT / "docs/failover.md").read_text(encoding="utf-8"))
        self.assertGreater(len(blocks), 8)
        with tempfile.TemporaryDirectory(prefix="junban-failover-") as directory:
            for kind, text in blocks:
                if kind == "sh drill":
                    # What it starts keeps its outputs open, so they are files.
                    with open(pathlib.Path(directory, "printed"), "w+", encoding="utf-8") as printed:
                        ended = subprocess.run(["timeout", "120", "bash", "-euc", text], cwd=directory, env=environment, stdout=printed,
                                               stderr=subprocess.STDOUT, check=False)
                    shown = pathlib.Path(directory, "printed").read_text(encoding="utf-8")
                    self.assertEqual(ended.returncode, 0, (text, shown, self.logs(directory)))
                else:
                    self.assertTrue(fits(text, shown), f"printed:\n{shown}\nexpected:\n{text}")

    def logs(self, directory):
        return "\n".join(f"{path}:\n{path.read_text()}" for path in sorted(pathlib.Path(directory).rglob("*.log")))


def load_tests(loader, _tests, _pattern):
    return loader.loadTestsFromTestCase(Failover)


if __name__ == "__main__":
    unittest.main()
