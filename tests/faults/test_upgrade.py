"""Masters are replaced one by one by those of a release with other scripts, and then back. No client gets an error."""

import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import time
import unittest

from load import Load, verdict
from rig import HERE, Rig, fresh_seed
from tier import turns

sys.path.append(str(HERE.parent / "mutation"))

import mutants  # noqa: E402 (found by the line above)


class Upgrade(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="junban-next-")
        self.addCleanup(directory.cleanup)
        for name, (verbs, text) in mutants.assembled(mutants.sources()).items():
            pathlib.Path(directory.name, f"{name}.lua").write_text(f"{verbs}\n{text}-- of the next release\n", encoding="utf-8")
        os.environ["JUNBAN_SCRIPTS"] = directory.name  # only junband_next reads it
        self.addCleanup(os.environ.pop, "JUNBAN_SCRIPTS")

    def scripts_of(self, rig):
        """How many libraries Redis has loaded."""
        lines = rig.redis.cli("INFO", "memory").splitlines()
        return int(next(line for line in lines if line.startswith("number_of_libraries:")).split(":")[1])

    def test_f13_masters_are_replaced_by_the_next_release_and_back(self):
        seed = fresh_seed()
        source = random.Random(seed)
        restarts, errors = 0, []
        with Rig(3) as rig:
            load = Load(rig, seed, pushers=3, workers=6, pace=0.005).start()
            time.sleep(0.5)
            before = self.scripts_of(rig)
            for program in (program for _ in turns(1, 10) for program in ("junband_next", "junband")):
                for master in rig.masters:
                    time.sleep(source.uniform(0.2, 0.8))
                    rig.record.fault(f"restart as {program}")
                    self.assertEqual(master.kill(signal.SIGTERM), 0, master.log()[-3000:])
                    master.program = program
                    master.start()
                    restarts += 1
            time.sleep(0.5)
            self.assertGreater(self.scripts_of(rig), before)  # the other release really has other scripts
            drained = load.settle()
            for path in rig.histories():
                with open(path, encoding="utf-8") as lines:
                    errors += [event for event in map(json.loads, lines) if event.get("status", 0) >= 500]
            print(f"\n| F13 errors | restarts {restarts} | refused {len(errors)} with 5xx |")
            verdict(self, "F13 rolling upgrade and back", load, drained)
            self.assertEqual(errors[:5], [])
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
