"""A client in TypeScript, generated from openapi/master.yaml, compiled strictly and run by Node against a live master."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(os.environ["JUNBAN_NPM"])
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import Master  # noqa: E402


def run(*command):
    done = subprocess.run(["node", *map(str, command)], cwd=PACKAGES, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


class Typescript(unittest.TestCase):
    def test_a_generated_client_works(self):
        status, said = run("node_modules/openapi-typescript/bin/cli.js", ROOT / "openapi" / "master.yaml", "--default-non-nullable=false",
                           "--output", "api.d.ts")
        self.assertEqual(status, 0, said)
        status, said = run("node_modules/typescript/bin/tsc")
        self.assertEqual((status, said), (0, ""))
        with Master() as master:
            status, said = run("out/client.js", f"http://127.0.0.1:{master.port}")
        self.assertEqual((status, said), (0, "pushed, finished, retried, saved and changed\n"))


if __name__ == "__main__":
    unittest.main()
