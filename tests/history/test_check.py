"""The history checker finds every planted fault, and nothing in histories without one."""

import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import check
import crossplants  # pylint: disable=unused-import (it fills plants.STORIES)
import plants
import spoils
from story import Ideal, Story

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "e2e"))

from tier import row, turns  # noqa: E402 (found by the line above)

SEEDS = 8, 400  # quick and long


def rules(lines):
    return sorted({rule for rule, _, _ in check.check(lines)[1]})


class Planted(unittest.TestCase):
    def test_every_planted_fault_is_found_by_its_rule(self):
        for name, (rule, make) in plants.STORIES.items():
            with self.subTest(name):
                self.assertIn(rule, rules(make(Story())))

    def test_what_looks_like_a_fault_and_is_none_is_left_alone(self):
        for name, make in spoils.CLEAN.items():
            with self.subTest(name):
                self.assertEqual(check.check(make(Story()))[1], [])

    def test_every_rule_has_a_planted_fault(self):
        planted = {rule for rule, _ in plants.STORIES.values()}
        spoken = set()
        for file in ("rules.py", "crossing.py"):
            with open(os.path.join(os.path.dirname(__file__), file), encoding="utf-8") as text:
                spoken |= {line.split('"')[1] for line in text if "yield \"" in line}
        self.assertEqual(spoken - planted, set())

    def test_play_without_faults_raises_no_alarm(self):
        with row("History checker: alarms without a fault", sequences=0, violations=0) as told:
            for turn in turns(*SEEDS):
                for seed in (turn, random.randrange(2**32)):
                    found = check.check(Ideal(seed).play())[1]
                    told["sequences"] += 1
                    told["violations"] += len(found)
                    self.assertEqual(found, [], f"seed {seed}")

    def test_faults_planted_at_random_into_long_histories_are_all_found(self):
        with row("History checker: faults planted", sequences=0, faults=0, missed=0) as told:
            for seed in turns(*SEEDS):
                lines = Ideal(seed).play()
                told["sequences"] += 1
                for name, spoil in spoils.SPOILS.items():
                    source = random.Random(f"{seed} {name}")
                    spoiled = copy.deepcopy(lines)
                    if not spoil(spoiled, source):
                        continue
                    caught = bool(rules(spoiled))
                    told["faults"] += 1
                    told["missed"] += not caught
                    self.assertTrue(caught, f"seed {seed}: {name} was not found")
        self.assertGreater(told["faults"], 10 * told["sequences"])


class Program(unittest.TestCase):
    def run_on(self, text, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(text)
            file.flush()
            return subprocess.run([sys.executable, "-B", os.path.join(os.path.dirname(__file__), "check.py"), file.name, *words],
                                  capture_output=True, text=True, check=False)

    def test_it_prints_the_events_and_ends_with_1_when_it_found_something(self):
        bad = "\n".join(json.dumps(line) for line in plants.STORIES["lost job"][1](Story()))
        answer = self.run_on(bad)
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn("H1 lost job", answer.stdout)
        self.assertIn("line 1: {\"op\": \"enqueue\"", answer.stdout)

    def test_it_ends_with_0_and_figures_on_a_clean_history_and_with_2_on_an_empty_one(self):
        good = "\n".join(json.dumps(line) for line in Ideal(1).play())
        answer = self.run_on(good, "--json")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertEqual(json.loads(answer.stdout)["jobs"], 150)
        self.assertEqual(self.run_on("").returncode, 2)

    def test_an_operation_whose_client_died_is_unknown_and_a_cut_line_is_left_out(self):
        story = Story()
        story.push()
        job = story.claim()
        line = {"op": "report", "client": "w", "n": 1, "phase": "invoke", "invoke": story.time, "id": "j1", "lease": job["lease"],
                "type": "success", "digest": "result"}
        end = Story()
        end.time = story.time + 10
        text = "\n".join(json.dumps(one) for one in [*story.lines, line, *end.end()]) + '\n{"op": "rep'
        self.assertEqual(self.run_on(text).returncode, 0)
        without = "\n".join(json.dumps(one) for one in [*story.lines, *end.lines])
        self.assertIn("H2 phantom success", self.run_on(without).stdout)


if __name__ == "__main__":
    unittest.main()
