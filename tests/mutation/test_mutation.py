"""Mutants of the scripts. The quick tier checks only that what is no valid script is no mutant, and that the fixed ones are some. With
JUNBAN_LONG the unchanged scripts pass, the fixed mutants are noticed, and so are most of many: as many as fit into JUNBAN_LONG_S seconds,
or JUNBAN_MUTANTS of each file. Of those that change a write or a guard of what the walks run, 95 % must be noticed. Of the others many can
be noticed by nobody, as they change only how much a script does; how many are, is written down, and must not become less."""

import os
import subprocess
import sys
import unittest

import mutants
import run

# Mutants that must be noticed: the file, a piece of the line, and the change. A piece finds its line also when lines were added above.
FIXED = (
    ("verbs/finish.lua", "s.lease == lease then", "== becomes ~="),
    ("pieces/attempt.lua", "redis.call('ZREM', key.running", "a statement is dropped"),
    ("verbs/take_result.lua", "redis.call('DEL', result)", "a statement is dropped"),
    ("verbs/sweep.lua", "redis.call('ZREM', key.scheduled, id)", "a statement is dropped"),
    ("verbs/fire_schedules.lua", "v.next ~= seen", "~= becomes =="),
    ("pieces/claim.lua", "field.state, whole(ST_RUNNING)", "ST_RUNNING becomes"),
)

WALK = {"JUNBAN_SEED": "1"}  # a single walk is enough here


def fit(bench, file, piece, what):
    """The mutants of a line of FIXED; the first one is meant."""
    lines = bench.texts[file].split("\n")
    return [m for m in mutants.every(bench.texts) if m.file == file and m.what.startswith(what) and piece in lines[m.number - 1]]


class Mutation(unittest.TestCase):
    def test_each_fixed_mutant_is_one(self):
        with run.Bench() as bench:
            for fixed in FIXED:
                self.assertTrue(fit(bench, *fixed), f"no mutant fits {fixed}: put another one into FIXED")

    def test_what_the_walks_run_is_made_of_these_files(self):
        walked = mutants.walked(mutants.sources())
        self.assertLessEqual({"verbs/enqueue.lua", "pieces/claim.lua", "kinds/rate.lua", "pieces/base.lua"}, walked)
        self.assertFalse({"pieces/check.lua", "verbs/fsck_keys.lua", "verbs/page.lua"} & walked)

    def test_fixed_mutants_are_noticed_and_the_scripts_as_they_are_pass(self):
        with run.Bench() as bench:
            self.assertGreater(len(list(mutants.every(bench.texts))), 1000)
            self.assertIsNone(bench.meet(environment=WALK))
            for fixed in FIXED:
                mutant = fit(bench, *fixed)[0]
                self.assertTrue(bench.compiles(mutant), mutant.name)
                self.assertIsNotNone(bench.meet(mutant, WALK), f"nothing noticed {mutant.name}")

    def test_what_is_no_script_is_no_mutant(self):
        with run.Bench() as bench:
            self.assertFalse(bench.compiles(mutants.Mutant("verbs/finish.lua", 20, "broken", "if then end(")))
            self.assertFalse(bench.compiles(mutants.Mutant("verbs/finish.lua", 1, "nothing", bench.texts["verbs/finish.lua"].split("\n")[0])))

    def test_nearly_all_mutants_of_what_the_walks_run_are_noticed(self):
        self.assertGreaterEqual(self.noticed("walks", 1), 95.0)

    def test_most_of_the_other_mutants_are_noticed(self):
        self.assertGreaterEqual(self.noticed("others", 3), 75.0)

    def noticed(self, which, part):
        """How many of a hundred. `part`: of the time that a loop has."""
        words = ["--of", which, "--each", os.environ.get("JUNBAN_MUTANTS", "15")]
        if "JUNBAN_LONG_S" in os.environ:
            words = ["--of", which, "--seconds", str(int(os.environ["JUNBAN_LONG_S"]) // part)]
        answer = subprocess.run([sys.executable, "-B", run.__file__, *words], stdout=subprocess.PIPE, text=True, check=False)
        print(answer.stdout, flush=True)
        self.assertEqual(answer.returncode, 0)
        return float(answer.stdout.split("killed (")[-1].split(" %")[0])


def load_tests(loader, everything, _pattern):
    """The quick tier runs no mutant, because one that never ends takes minutes. A test that is named on the command line always runs."""
    if os.environ.get("JUNBAN_LONG"):
        return everything
    names = ("test_what_is_no_script_is_no_mutant", "test_each_fixed_mutant_is_one", "test_what_the_walks_run_is_made_of_these_files")
    return loader.loadTestsFromNames([f"Mutation.{name}" for name in names], sys.modules[__name__])


if __name__ == "__main__":
    unittest.main()
