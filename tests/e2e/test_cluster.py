"""Namespaces in a real cluster of Redis: each on its node, found from any node, followed when its slot or its node changes."""

import threading
import time
import unittest

from harness import IN_MEMORY, Client, Master, now, success, until
from redisserver import Cluster
from test_crashes import Load


def serving(cluster, node, namespace):
    return Master(arguments=["--redis", cluster.url(node), "--namespace", namespace, "--force"])


def changes(node):
    """How many changes a node has of the namespace "orders"; what it says instead if it does not have the namespace."""
    word = node.cli("HGET", "jq:{orders}mem:lead", "n") if IN_MEMORY else node.cli("GET", "jq:{orders}:tx")
    return int(word) if word.isdigit() else word.split(" ")[0]


class Move:
    """The slot of the namespace "orders" moves to another node: from its first one, or from where the last move has brought it."""

    def __init__(self, cluster, last=None):
        self.source, self.slot = cluster.owner("orders")
        if last:
            self.source = last.target
        self.target = next(node for node in cluster.nodes[:3] if node is not self.source)
        self.ids = {node: node.cli("CLUSTER", "MYID") for node in (self.source, self.target)}

    def begin(self):
        assert self.target.cli("CLUSTER", "SETSLOT", str(self.slot), "IMPORTING", self.ids[self.source]) == "OK"
        assert self.source.cli("CLUSTER", "SETSLOT", str(self.slot), "MIGRATING", self.ids[self.target]) == "OK"

    def keys(self):
        return self.source.call("CLUSTER", "GETKEYSINSLOT", self.slot, 1000)

    def move(self, keys):
        return self.source.call("MIGRATE", "127.0.0.1", str(self.target.port), "", "0", "5000", "KEYS", *keys)

    def end(self):
        while keys := self.keys():
            self.move(keys)
        for node in (self.target, self.source):
            assert node.cli("CLUSTER", "SETSLOT", str(self.slot), "NODE", self.ids[self.target]) == "OK"


class Clusters(unittest.TestCase):
    def every_verb(self, client):
        """Calls each verb once. None may be refused: a refusal would show a key in another slot."""
        ok = client.ok
        ids = [ok("POST", "/v1/jobs", {"name": name, "argument": {"n": name}, "keep_result": True, "max_retry": 3, "backoff": {"base": 0},
                                       "priority": -1, "idempotency_key": name, "tags": ["t"]})["id"] for name in "abcd"]
        self.assertTrue(ok("POST", "/v1/jobs", {"name": "a", "argument": {"n": "a"}, "keep_result": True, "max_retry": 3, "backoff": {"base": 0},
                                                "priority": -1, "idempotency_key": "a", "tags": ["t"]})["duplicate"])
        batch = ok("POST", "/v1/jobs/batch", {"jobs": [{"name": "later", "delay": 0.2}, {"name": "never", "delay": 1000}]})["results"]
        jobs = {job["name"]: job for job in ok("POST", "/v1/claims", {"worker": "w", "limit": 10})["jobs"]}
        self.assertEqual(sorted(jobs), ["a", "b", "c", "d"])
        ok("POST", f"/v1/jobs/{jobs['a']['id']}/heartbeat", {"lease": jobs["a"]["lease"], "progress": {"done": 1, "total": 2}})
        ok("POST", "/v1/heartbeats", {"worker": "w", "leases": [{"id": jobs["a"]["id"], "lease": jobs["a"]["lease"]}]})
        self.assertEqual(ok("POST", f"/v1/jobs/{jobs['b']['id']}/release", {"lease": jobs["b"]["lease"]})["state"], "ready")
        failure = {"lease": jobs["c"]["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": False,
                   "message": "no"}
        self.assertEqual(ok("POST", f"/v1/jobs/{jobs['c']['id']}/outcome", failure)["state"], "failed")
        self.assertEqual(ok("POST", f"/v1/jobs/{jobs['c']['id']}/retry")["state"], "ready")
        ok("POST", f"/v1/jobs/{jobs['d']['id']}/cancel", {})
        self.assertEqual(ok("POST", f"/v1/jobs/{jobs['d']['id']}/cancel", {"force": True})["state"], "cancelled")
        self.assertEqual(ok("POST", f"/v1/jobs/{batch[1]['id']}/cancel", {})["state"], "cancelled")
        done = ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(jobs["a"], 1)], "claim": {"limit": 1}})
        self.assertEqual(done["results"][0]["state"], "succeeded")
        self.assertEqual(len(done["jobs"]), 1)
        self.assertEqual(ok("GET", f"/v1/jobs/{ids[0]}/result?peek=true")["result"], 1)
        self.assertEqual(ok("GET", f"/v1/jobs/{ids[0]}/result")["result"], 1)
        until(lambda: any(j["name"] == "later" for j in ok("POST", "/v1/claims", {"worker": "w", "limit": 10})["jobs"]), what="job 'later'")
        self.assertEqual(ok("GET", f"/v1/jobs/{ids[0]}")["state"], "succeeded")
        self.assertTrue(ok("GET", "/v1/jobs?state=succeeded")["jobs"])
        self.assertTrue(ok("GET", "/v1/names")["names"])
        self.assertEqual(ok("GET", "/v1/overview")["states"]["succeeded"], 1)
        self.assertEqual(client.request("GET", "/readyz")[0], 200)

    def test_namespaces_live_on_their_nodes_and_every_verb_works(self):
        with Cluster() as cluster:
            owners = set()
            namespaces = ["orders", *(next(f"n{i}" for i in range(100) if cluster.owner(f"n{i}")[0] is node) for node in cluster.nodes[:3])]
            for number, namespace in enumerate(namespaces):
                # Some masters are told of a node that is not their namespace's.
                with serving(cluster, number % 3, namespace) as master:
                    self.every_verb(Client(master.port))
                    owner, _ = cluster.owner(namespace)
                    owners.add(owner.port)
                    self.assertGreater(int(owner.cli("DBSIZE")), 0)
                    self.assertNotIn("CROSSSLOT", master.log())
                    self.assertNotIn("CRITICAL", master.log().upper())
            self.assertEqual(len(owners), 3)

    def test_hints_reach_a_master_that_was_told_of_another_node(self):
        with Cluster() as cluster, serving(cluster, 0, "orders") as first, serving(cluster, 1, "orders") as second:
            time.sleep(2.5)  # until both have swept, and so know of each other
            claimed = []
            waiting = threading.Thread(
                target=lambda: claimed.extend(Client(second.port).ok("POST", "/v1/claims", {"worker": "w", "wait": 30})["jobs"]))
            waiting.start()
            time.sleep(0.3)
            job = Client(first.port).ok("POST", "/v1/jobs", {"name": "a"})
            waiting.join(10)
            self.assertEqual(claimed[0]["id"], job["id"])

    def test_a_master_waits_for_a_moving_slot_and_follows_it(self):
        with Cluster() as cluster, serving(cluster, 0, "orders") as master:
            client = Client(master.port)
            acknowledged = [client.ok("POST", "/v1/jobs", {"name": "a", "argument": n})["id"] for n in range(50)]
            move = Move(cluster)
            before = changes(move.source)
            move.begin()
            # Half of the keys move. Nothing may change while the keys are in two places.
            self.assertEqual(move.move(move.keys()[::2]), "OK")

            def refused():
                status, answer = client.request("POST", "/v1/jobs", {"name": "a"})
                # What was decided before the refusal is written later.
                return answer.get("reason") != "memory_engine_unsure" and (status, answer["code"])
            self.assertEqual(until(refused, what="a refusal"), (503, "store_unavailable"))
            self.assertEqual(client.request("GET", "/readyz")[0], 503)
            for node in (move.source, move.target):
                self.assertIn(changes(node), (before, "ASK", "MOVED", ""))
            move.end()
            client.insist("POST", "/v1/jobs", {"name": "after"}, 10)
            self.assertIn(f"now at 127.0.0.1:{move.target.port}", master.log())
            for identity in acknowledged:
                self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}")["state"], "ready")
            self.assertGreater(changes(move.target), before)

    def test_a_slot_that_moves_to_and_fro_under_load_loses_nothing(self):
        with Cluster() as cluster, serving(cluster, 0, "orders") as master:
            load = Load(master.port, 400)

            def disturb():
                move = None
                for _ in range(4):
                    time.sleep(0.5)
                    move = Move(cluster, move)
                    move.begin()
                    time.sleep(0.3)
                    move.move(move.keys()[::2])
                    time.sleep(0.3)
                    move.end()

            load.run(disturb)
            client = Client(master.port)
            self.assertEqual(set(load.accepted), set(load.acknowledged))
            self.assertEqual(len(load.acknowledged), load.jobs)
            self.assertEqual(set(load.accepted.values()), {1})
            for number, identity in enumerate(load.acknowledged):
                self.assertEqual(client.insist("GET", f"/v1/jobs/{identity}/result?peek=true")[1]["result"], number)
            self.assertIn("now at 127.0.0.1", master.log())

    def test_a_node_that_dies_is_replaced_by_its_copy(self):
        with Cluster("--appendonly", "yes") as cluster:
            namespace = next(n for n in ("a", "b", "c", "d", "e", "f", "g", "h", "i") if cluster.owner(n)[0] is cluster.nodes[0])
            with serving(cluster, 0, namespace) as master:  # told only of the node that dies
                client = Client(master.port)
                first = client.ok("POST", "/v1/jobs", {"name": "a"})["id"]
                node, copy = cluster.nodes[0], cluster.nodes[3]
                until(lambda: node.info("replication", "master_repl_offset")
                      == copy.info("replication", "slave_repl_offset"), 60, "an up-to-date copy")
                node.kill()
                began = time.monotonic()
                client.insist("POST", "/v1/jobs", {"name": "b"}, 30)
                print(f"{time.monotonic() - began:.2f} s without an answer")
                self.assertEqual(client.ok("GET", f"/v1/jobs/{first}")["state"], "ready")
                self.assertIn(f"now at 127.0.0.1:{cluster.nodes[3].port}", master.log())


if __name__ == "__main__":
    unittest.main()
