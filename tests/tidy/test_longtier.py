"""Tests of scripts/longtier and scripts/longtable: every test that reads the tier is in one part, and a run reports its outcome correctly."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("longtier", str(ROOT / "scripts" / "longtier"))
longtier = importlib.util.module_from_spec(importlib.util.spec_from_loader("longtier", loader))
loader.exec_module(longtier)
Test = longtier.Test


def said(call, *words):
    """The return value of a call, and its output."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        answer = call(*words)
    return answer, printed.getvalue()


class Parts(unittest.TestCase):
    def check(self, parts):
        with unittest.mock.patch.object(longtier, "PARTS", parts):
            return said(longtier.check, os.environ["JUNBAN_BUILD"])

    def test_every_test_that_looks_at_the_tier_is_in_one_part(self):
        code, text = self.check(longtier.PARTS)
        self.assertEqual(code, 0, text)

    def test_a_test_in_no_part_or_in_two_is_reported(self):
        code, text = self.check({**longtier.PARTS, "lanes": longtier.PARTS["lanes"][1:]})
        self.assertEqual((code, text.strip()), (1, "tests/core/lua/test_lanes.cpp looks at the long tier and belongs to 0 parts"))
        code, text = self.check({**longtier.PARTS, "more": longtier.PARTS["mutants"]})
        self.assertEqual((code, text.strip()), (1, "tests/mutation/test_mutation.py looks at the long tier and belongs to 2 parts"))

    def test_an_unknown_test_and_one_that_ignores_the_tier_are_reported(self):
        code, text = self.check({**longtier.PARTS, "more": (Test("test_nothing", (1,)), Test("test_values", (1,)))})
        self.assertEqual(code, 1)
        self.assertIn("ctest knows no test_nothing", text)
        self.assertIn("tests/core/jobs/test_values.cpp belongs to a part and does not look at the long tier", text)

    def test_a_part_that_takes_too_long_is_reported(self):
        code, text = self.check({**longtier.PARTS, "soak": (Test("faults_soak", (), rest=81 * 60),)})
        self.assertEqual((code, text.strip()), (1, "soak does not fit into 40 min"))

    def test_loops_share_the_time_while_two_tests_run_at_once(self):
        alike = [Test("a", (1000,), rest=0), Test("b", (1000, 1000), rest=0)]
        self.assertEqual(longtier.loop_s(alike, 10), 300)
        self.assertEqual(longtier.loop_s(alike, 60), 1000)
        self.assertEqual(longtier.loop_s([*alike, Test("c", (1000,), rest=0, cores=2)], 10), 200)


class Tables(unittest.TestCase):
    FACTS = {"commit": "abc", "date": "2026-01-02", "minutes": "1.0 of 80", "result": "passed"}

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name, "table")

    def merge(self, part, test, output, **facts):
        longtier.longtable.merge(self.path, part, test, {**self.FACTS, **facts}, output)

    def rows(self):
        return longtier.longtable.read(self.path)

    def test_rows_of_a_test_replace_its_old_ones_and_no_others(self):
        self.merge("one", "a", "| P1 | sequences 5 | mismatches 0 |\n")
        self.merge("one", "b", "| P2 | sequences 6 | mismatches 0 |\n")
        self.merge("two", "a", "| P3 | sequences 7 | mismatches 0 |\n")
        self.merge("one", "a", "noise\n| P1 | sequences 8 | mismatches 1 | seed JUNBAN_SEED=7 |\n| | |\n", result="failed")
        rows = self.rows()
        self.assertEqual([(row["part"], row["what"], row["operations"]) for row in rows],
                         [("one", "P1", "8 sequences"), ("one", "P2", "6 sequences"), ("two", "P3", "7 sequences")])
        self.assertEqual([rows[0][head] for head in ("lost", "seeds", "result")], ["1 mismatches", "JUNBAN_SEED=7", "failed"])

    def test_figures_find_their_columns(self):
        self.merge("one", "a", "| F1 | operations 9 | jobs 4 | faults 3 | unknown 2 | lost 1 | duplicates 5 | drained 0.1 s | seed 6 |\n"
                               "| S | due times 15 | kills 2 | missed 0 | twice 0 | seed 6 |\n"
                               "| P2 | mutants 20 | killed 19 (95.0 %) | survived 1 | not in time 2 | seed 6 |\n")
        heads = ("operations", "faults", "lost", "duplicates", "killed", "seeds", "further")
        self.assertEqual([[row[head] for head in heads] for row in self.rows()],
                         [["9", "3", "1", "5", "", "6", "jobs 4; unknown 2; drained 0.1 s"],
                          ["15 due times", "2", "0 missed", "0 twice", "", "6", ""],
                          ["20 mutants", "", "1 survived", "", "19 (95.0 %)", "6", "not in time 2"]])

    def test_a_test_without_a_row_is_listed_with_its_result(self):
        self.merge("one", "a", "it crashed\n", result="failed")
        self.assertEqual([(row["what"], row["result"]) for row in self.rows()], [("no row", "failed")])


class Fresh(unittest.TestCase):
    """In a separate repository with a script, a test and a commit."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        for patched in (unittest.mock.patch.object(longtier, "ROOT", self.root), unittest.mock.patch.object(longtier, "BUILD", self.root),
                        unittest.mock.patch.object(longtier, "PARTS", {"p": (Test("test_a", (10,)),)}),
                        unittest.mock.patch.object(longtier, "commands", lambda _: {}), unittest.mock.patch.object(longtier, "GRACE_S", 1)):
            patched.start()
            self.addCleanup(patched.stop)
        for name in ("core/lua/a.lua", "tests/core/test_a.cpp", "tests/core/test_b.cpp", "tests/support/s.h", "other"):
            self.write(name, "first\n")
        self.table = self.root / "tests/long.md"
        longtier.git("init", "-q")
        longtier.git("config", "user.email", "a@example")
        longtier.git("config", "user.name", "a")
        self.keep()

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def keep(self):
        longtier.git("add", ".")
        self.assertEqual(longtier.git("commit", "-q", "-m", "m").returncode, 0)

    def ran(self, script, minutes=80):
        """Runs the part with a shell script as its test."""
        with unittest.mock.patch.object(longtier, "PARTS", {"p": (Test("test_a", (10,), command=("/bin/sh", "-c", script)),)}):
            return said(longtier.Run("p", minutes, self.table).go)[0]

    def state(self):
        return longtier.state("p", longtier.longtable.read(self.table))

    def test_a_part_is_fresh_until_a_script_or_its_test_changes(self):
        self.assertEqual(self.state(), "missing")
        self.assertTrue(self.ran("echo '| P1 | sequences 5 | mismatches 0 |'"))
        self.assertEqual(self.state(), "fresh")
        for name in ("other", "tests/core/test_b.cpp"):
            self.write(name, "second\n")
        self.keep()
        self.assertEqual(self.state(), "fresh")
        for name in ("core/lua/a.lua", "tests/core/test_a.cpp", "tests/support/s.h"):
            self.write(name, "second\n")
            self.assertIn(f"older: {name} since test_a ran at ", self.state())
            self.keep()
            self.assertIn(f"older: {name} since test_a ran at ", self.state())
            self.assertTrue(self.ran("echo '| P1 | sequences 5 | mismatches 0 |'"))
            self.assertEqual(self.state(), "fresh")

    def test_only_what_must_be_run_again_is_run_if_that_is_wanted(self):
        tests = tuple(Test(f"test_{name}", (10,), command=("/bin/sh", "-c", f"echo {name} >>ran")) for name in "ab")
        ran = self.root / "ran"
        self.write(".gitignore", "ran\n")
        self.keep()
        with unittest.mock.patch.object(longtier, "PARTS", {"p": tests}):
            for changed, wanted in ((None, "ab"), ("tests/core/test_b.cpp", "b"), (None, "")):
                if changed:
                    self.write(changed, "second\n")
                    self.keep()
                ran.write_text("")
                self.assertTrue(said(longtier.Run("p", 80, self.table, stale=True).go)[0])
                self.assertEqual("".join(sorted(ran.read_text().split())), wanted)

    def test_comments_of_a_script_make_no_part_old(self):
        path = "core/lua/a.lua"
        self.write(path, "-- what it does\n-- include base\nlocal a = 'x' -- why\n")
        self.keep()
        self.assertTrue(self.ran("echo '| P1 | sequences 5 | mismatches 0 |'"))
        self.write(path, "-- in other words\n-- include base\nlocal a = 'x'\n")
        self.assertEqual(self.state(), "fresh")
        for text in ("-- include record\nlocal a = 'x'\n", "-- include base\nlocal a = '--x'\n"):
            self.write(path, text)
            self.assertIn(f"older: {path} since", self.state())

    def test_a_failure_a_trial_and_a_changed_tree_are_not_fresh(self):
        self.assertFalse(self.ran("echo '| P1 | sequences 5 | mismatches 1 |'; exit 1"))
        self.assertEqual(self.state(), "failed: test_a")
        self.assertEqual(longtier.longtable.read(self.table)[0]["lost"], "1 mismatches")
        self.assertTrue(self.ran("true", minutes=1))
        self.assertEqual(self.state(), "short: test_a was given 1 min")
        self.write("other", "changed")
        self.assertTrue(self.ran("true"))
        self.assertRegex(self.state(), "^of a changed tree: test_a at [0-9a-f]{12}-dirty$")

    def test_the_list_ends_with_0_only_when_all_are_fresh(self):
        self.assertEqual(said(longtier.tell_all, self.table)[0], 1)
        self.assertTrue(self.ran("true"))
        code, text = said(longtier.tell_all, self.table)
        self.assertEqual((code, text.split()[-1]), (0, "fresh"))

    def test_a_test_that_does_not_end_is_stopped_and_counts_as_failed(self):
        with unittest.mock.patch.object(longtier, "SLACK_S", -7):
            self.assertFalse(self.ran("echo $$ >pid; echo '| P1 | sequences 5 |'; sleep 1000", minutes=0.02))
        row = longtier.longtable.read(self.table)[0]
        self.assertEqual(row["operations"], "5 sequences")
        self.assertRegex(row["result"], r"^failed: not done after 0\.\d min$")
        pid = int((self.root / "pid").read_text())
        self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())

    def test_without_a_part_all_parts_are_listed(self):
        answer = subprocess.run([ROOT / "scripts" / "test", "--long"], capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 2)
        for name in ("walks", "mutants", "fuzz"):
            self.assertIn(name, answer.stderr)


if __name__ == "__main__":
    unittest.main()
