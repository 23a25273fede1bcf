"""Masters die and scripts vanish under load: nothing is lost, nothing runs that was not pushed, nothing succeeds twice."""

import itertools
import random
import threading
import time
import unittest

from load import Load, verdict
from redisserver import forget_libraries
from rig import Rig, fresh_seed
from tier import LONG, end, span_s


class Masters(unittest.TestCase):
    def test_f1_masters_are_killed_again_and_again(self):
        seed = fresh_seed()
        source = random.Random(seed)
        jobs, kills = (60_000, 200) if LONG else (300, 6)
        with Rig(3) as rig:
            load = Load(rig, seed, pushers=4, workers=8, pace=0.02).start()
            done, over = 0, end()
            while (len(load.ids) < jobs or done < kills) and time.monotonic() < over and not load.failures:
                time.sleep(source.uniform(0.5, 3) if LONG else source.uniform(0.2, 0.8))
                victim = source.choice(rig.masters)
                rig.record.fault("kill master")
                victim.kill()
                victim.start()
                done += 1
            verdict(self, "F1 kill -9 master", load, load.settle())
            rig.stop_masters()

    def test_f7_functions_are_flushed_and_deleted_all_the_time(self):
        seed = fresh_seed()
        with Rig(2) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.002).start()
            over = threading.Event()

            def flush():
                for turn in itertools.count():
                    if over.wait(0.1):
                        return
                    rig.record.fault(forget_libraries(rig.redis, turn))

            flusher = threading.Thread(target=flush)
            flusher.start()
            time.sleep(span_s(4, 60))
            over.set()
            flusher.join()
            figures = verdict(self, "F7 FUNCTION FLUSH and DELETE", load, load.settle())
            self.assertEqual(figures["unknown"], 0)
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
