"""Clocks are wrong or jump. Only Redis' clock counts; when it jumps, jobs may run again but none is lost."""

import json
import os
import random
import tempfile
import threading
import time
import unittest
import uuid

import rig as rigs
from clients import milliseconds
from load import Load, verdict
from proxy import LateDoor
from rig import IN_MEMORY, Client, Rig, Shift, fresh_seed, now_ms, until
from tier import turns

DAY = 86_400


class Clocks(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.addCleanup(setattr, rigs, "redis_clock", None)

    def shift(self, name):
        return Shift(os.path.join(self.directory.name, name))

    def test_f9_masters_a_day_off_change_nothing(self):
        seed = fresh_seed()
        source = random.Random(seed)
        clocks = [self.shift("first"), self.shift("second")]
        clocks[0].set(DAY)
        clocks[1].set(-DAY)
        with Rig(2, clocks=[None, *clocks]) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.005).start()
            for _ in turns(4, 60):
                time.sleep(source.uniform(0.5, 1.5))
                source.choice(clocks).set(source.uniform(-DAY, DAY))
                rig.record.fault("master's clock")
            load.push_until(jobs=101)
            figures = verdict(self, "F9 masters' clocks", load, load.settle())
            self.assertGreater(figures["jobs"], 100)
            self.check_ids(rig)
            rig.stop_masters()

    def test_f9_an_id_made_before_redis_answers_has_the_time_of_redis(self):
        """A job is pushed before Redis answers the engines. Only the first connection, which examines Redis, is answered at once."""
        clock = self.shift("master")
        clock.set(-DAY)
        doors = []

        def late(redis):
            doors.append(LateDoor(redis.socket))
            return doors[0].url

        with Rig(1, through=late, clocks=[None, clock]) as rig:
            answers = []
            pushing = threading.Thread(target=lambda: answers.append(Client(rig.ports[0]).insist("POST", "/v1/jobs", {"name": "a"})[1]))
            pushing.start()
            time.sleep(1)
            doors[0].open.set()
            pushing.join(60)
            made = uuid.UUID(answers[0]["id"]).int >> 80
            self.assertLess(abs(made - now_ms()), 120_000)
            rig.stop_masters()
        doors[0].close()

    def check_ids(self, rig):
        """The time in each id is that of Redis' clock, as the master estimates it."""
        wrong = []
        with open(rig.record.path, encoding="utf-8") as lines:
            for event in map(json.loads, lines):
                if event["op"] == "enqueue" and event["outcome"] == "ok" and not event["duplicate"]:
                    made = uuid.UUID(event["id"]).int >> 80
                    if not event["invoke"] - 1000 < made < event["complete"] + 1000:
                        wrong.append(event)
        self.assertEqual(wrong[:5], [])

    def is_learnt(self, rig):
        """Waits for an engine in memory, which learns the time of Redis from replies and so jumps a little later than scripts."""
        jumped = now_ms(end=True)
        client = Client(rig.ports[0])
        until(lambda: not IN_MEMORY or milliseconds(client.insist("GET", "/v1/overview")[1]["now"]) >= jumped, what="the new time")

    def test_f9_redis_clock_jumps_ahead(self):
        seed = fresh_seed()
        source = random.Random(seed)
        clock = rigs.redis_clock = self.shift("redis")
        with Rig(2, clocks=[clock, None, None]) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.005).start()
            for _ in turns(3, 30):
                time.sleep(source.uniform(0.8, 1.5))
                rig.record.fault("redis' clock")
                pause = threading.Thread(target=rig.redis.pause, args=(0.4,))  # so that much is decided before the new time is known
                pause.start()
                clock.set(clock.seconds + source.choice((3, 60, 3600)), lambda: self.is_learnt(rig))
                pause.join()
            verdict(self, "F9 Redis' clock ahead", load, load.settle())
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
