"""Connections break in every way, between clients and masters and between masters and Redis."""

import concurrent.futures
import time
import unittest

from load import Load, verdict
from proxy import Proxy
from rig import Rig, fresh_seed
from tier import LONG, span_s

CUTS = 5_000 if LONG else 45
SYSTEMS = 4 if LONG else 1
ROOM = 1000  # the most ready jobs, so that they drain in time


class Network(unittest.TestCase):
    def run_until(self, load, proxies, cuts):
        seconds = span_s(8, 3000)
        end = time.monotonic() + seconds
        least = min(cuts, seconds // 5) if LONG else cuts // 3

        def count():
            return sum(proxy.count for proxy in proxies)

        while count() < cuts and time.monotonic() < (end if count() >= least else end + 120) and not load.failures:
            time.sleep(0.05)
        for proxy in proxies:
            proxy.rest()
        self.assertGreaterEqual(count(), least)

    def test_f6_connections_of_clients_break(self):
        seed = fresh_seed()
        with Rig(2) as rig:
            straight = rig.ports
            proxies = [Proxy(("127.0.0.1", port), f"{seed} {port}", rig.record, "client", reach=12_000) for port in straight]
            rig.ports = [proxy.port for proxy in proxies]
            load = Load(rig, seed, pushers=3, workers=6, pace=0.002, timeout=2, room=ROOM).start()
            self.run_until(load, proxies, CUTS)
            verdict(self, "F6 clients' connections", load, load.settle())
            for proxy in proxies:
                proxy.close()
            rig.stop_masters()

    def test_f6_connections_to_redis_break(self):
        """A fault takes about a second here, mostly until a deadline. So the long tier divides its many faults among several systems."""
        with concurrent.futures.ThreadPoolExecutor(SYSTEMS) as pool:
            for future in [pool.submit(self.redis_is_cut_off, CUTS // SYSTEMS if LONG else CUTS // 3) for _ in range(SYSTEMS)]:
                future.result()

    def redis_is_cut_off(self, cuts):
        seed = fresh_seed()
        proxies = []

        def through(redis):
            proxies.append(Proxy(redis.socket, seed, Later(), "redis", reach=60_000))
            proxies[0].calm.set()
            return f"redis://127.0.0.1:{proxies[0].port}"

        with Rig(2, through=through) as rig:
            proxies[0].record = rig.record
            load = Load(rig, seed, pushers=3, workers=6, pace=0.004, room=ROOM).start()
            proxies[0].rest()
            proxies[0].calm.clear()
            self.run_until(load, proxies, cuts)
            verdict(self, "F6 connections to Redis", load, load.settle())
            rig.stop_masters()
            proxies[0].close()


class Later:
    """Stands for the record until the rig has made it. The proxy is calm until then, so it has no fault to record."""

    def fault(self, kind):
        raise AssertionError(kind)


if __name__ == "__main__":
    unittest.main()
