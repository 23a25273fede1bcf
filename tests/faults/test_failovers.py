"""Failovers in misleading orders: what was answered as replicated is in every later primary, and no job goes to a former primary. The tests
choose the order: they stop, kill and part Sentinels and servers."""

import collections
import os
import pathlib
import re
import threading
import time
import unittest

from rig import Client, Master, until
from redisserver import Cluster
from wall import WalledGroup


class Pushing:
    """Pushers that repeat a push until it is answered. Keeps each id with the durability that the answer named. They run inside `with`."""

    def __init__(self, master, pushers=4, **fields):
        self.master, self.fields, self.over = master, fields, threading.Event()
        self.lock = threading.Lock()
        self.acknowledged = []  # (id, level)
        self.threads = [threading.Thread(target=self.push, daemon=True) for _ in range(pushers)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(130)
            assert not thread.is_alive(), "a pusher hangs"

    def push(self):
        client = Client(self.master.port)
        while not self.over.is_set():
            _, answer = client.insist("POST", "/v1/jobs", {"name": "a", **self.fields}, seconds=120)
            with self.lock:
                self.acknowledged.append((answer["id"], answer.get("durability", "default")))
            time.sleep(0.01)

    def kept(self, level="replicated"):
        with self.lock:
            return [identity for identity, reached in self.acknowledged if reached == level]

    def go_on(self, seconds, level=None):
        """Waits so many seconds, and on a slow machine longer: until enough jobs are acknowledged for a judgement."""
        time.sleep(seconds)
        until(lambda: len(self.kept(level) if level else self.acknowledged) > 50, 120, "acknowledged jobs")

    def levels(self):
        return dict(collections.Counter(level for _, level in self.acknowledged))


def primaries(group, *numbers):
    return [group.primary(number) for number in numbers]


class Failovers(unittest.TestCase):
    def master(self, group, durability="replicated"):
        return Master(arguments=["--redis", group.url, "--force", "--durability", durability])

    def assert_all_there(self, how, master, identities, pushing):
        client = Client(master.port)
        lost = [identity for identity in identities if client.insist("GET", f"/v1/jobs/{identity}")[0] != 200]
        print(f"\n| F8 {how} | enqueued {len(pushing.acknowledged)} | answered {pushing.levels()} | lost {len(lost)} of {len(identities)} |",
              flush=True)
        self.assertEqual(lost, [])

    def assert_replicated_again(self, master):
        client = Client(master.port)
        until(lambda: client.insist("POST", "/v1/jobs", {"name": "a"})[1]["durability"] == "replicated", 60, "replicated jobs")

    def test_f8_a_sentinel_that_lags_names_the_old_primary_which_is_back_with_a_replica(self):
        with WalledGroup("--appendonly", "yes") as group, self.master(group) as master:
            (old, new, astray), (lagging, *rest) = group.servers, group.sentinels  # masters ask the first Sentinel first
            self.assert_replicated_again(master)
            group.part([lagging], [*group.servers, *rest])
            astray.pause()
            old.kill()
            until(lambda: primaries(group, 1, 2) == [new, new], 90, "a new primary")
            group.part([old, astray], [new, *rest])
            old.start()
            astray.resume()
            until(lambda: astray.info("replication", "master_link_status") == "up", 60, "a replica of the old primary")
            self.assertIs(group.primary(0), old)
            with Pushing(master) as pushing:
                pushing.go_on(5)
            group.heal()
            group.settled()
            every = [identity for identity, _ in pushing.acknowledged]  # of all levels: no job may go to the former primary
            self.assert_all_there("behind a Sentinel that lags", master, every, pushing)
            self.assert_replicated_again(master)

    def test_f8_the_first_replica_of_a_new_primary_is_not_the_one_that_takes_over(self):
        with WalledGroup("--appendonly", "yes") as group, self.master(group) as master:
            first, second, third = group.servers
            self.assert_replicated_again(master)
            third.pause()
            first.kill()
            until(lambda: primaries(group, 0, 1, 2) == [second] * 3, 90, "the second as the primary")
            first.start()
            first.cli("REPLICAOF", "127.0.0.1", str(group.port_of(second)))
            until(lambda: first.info("replication", "master_link_status") == "up", 60, "a replica of the second")
            with Pushing(master) as pushing:
                pushing.go_on(4)
            first.pause()
            second.kill()
            third.resume()
            until(lambda: primaries(group, 0, 1, 2) == [third] * 3, 90, "the third as the primary")
            first.resume()
            second.start()
            group.settled()
            self.assert_all_there("two failovers in a row", master, pushing.kept(), pushing)
            self.assert_replicated_again(master)

    def test_f8_a_primary_that_is_killed_and_started_at_once_has_what_it_had_not_written(self):
        """While the disk is busy, Redis delays its append-only file by up to two seconds. A replica copies whatever its primary has."""
        group = WalledGroup("--appendonly", "yes")
        group.DOWN_AFTER_S = 20.0  # it is back before a Sentinel takes it for dead
        with group:
            primary = group.servers[0]
            primary.kill()
            primary.environment = {"LD_PRELOAD": os.environ["JUNBAN_SLOWSYNC"], "SLOWSYNC_MS": "1500"}
            primary.start()
            group.settled()
            with self.master(group) as master:
                with Pushing(master) as pushing:
                    until(lambda: len(pushing.kept()) > 20, 60, "replicated jobs")
                    for _ in range(3):
                        until(lambda: int(primary.info("persistence", "aof_buffer_length")) > 500, 60, "bytes that are not in the file yet")
                        primary.restart()
                        group.settled()
                        time.sleep(1)
                self.assertEqual(primaries(group, 0, 1, 2), [primary] * 3)
                self.assert_all_there("killed and started at once", master, pushing.kept(), pushing)

    def test_f8_masters_leave_a_primary_that_most_sentinels_have_left(self):
        """The network splits. A replica and the Sentinel that the masters asked stay with the old primary."""
        with WalledGroup("--appendonly", "yes") as group, self.master(group, "default") as master:
            (old, new, replica), (near, *far) = group.servers, group.sentinels
            Client(master.port).insist("POST", "/v1/jobs", {"name": "a"})
            group.part([old, replica, near], [new, *far])
            until(lambda: primaries(group, 1, 2) == [new, new], 90, "a new primary")
            self.assertIs(group.primary(0), old)
            time.sleep(2)
            with Pushing(master) as pushing:
                pushing.go_on(3, "default")
            group.heal()
            group.settled()
            self.assert_all_there("a split with a Sentinel on either side", master, pushing.kept("default"), pushing)

    def test_f8_one_sentinel_alone_is_not_believed_and_the_others_are_found(self):
        with WalledGroup() as group:
            # There is no route to the first Sentinel, so it fails at once.
            url = f"sentinel://[2001:db8::1]:26379,127.0.0.1:{group.sentinels[0].port}/main"
            with Master(arguments=["--redis", url, "--force"]) as master:
                client = Client(master.port)
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)
                group.sentinels[1].kill()
                group.sentinels[2].kill()
                # A connected master goes on. One that has to look for the primary does not.
                time.sleep(2)
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)
                group.servers[0].cli("CLIENT", "KILL", "TYPE", "normal")
                until(lambda: client.request("POST", "/v1/jobs", {"name": "a"})[0] == 503, 60, "a refusal")
                until(lambda: "1 of 3 Sentinels answer; 2 must agree where the primary is." in master.log(), 60, "the reason in the log")
                group.sentinels[1].start_sentinel()
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)

    def test_f8_a_sentinel_that_was_set_up_anew_is_no_majority(self):
        with WalledGroup() as group:
            alone, *others = group.sentinels
            url = f"sentinel://127.0.0.1:{alone.port}/main"
            with Master(arguments=["--redis", url, "--force"]) as master:
                client = Client(master.port)
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)
                for sentinel in group.sentinels:
                    sentinel.kill()
                group.part([alone], [*group.servers, *others])
                pathlib.Path(alone.directory, "sentinel.conf").write_text(
                    f"port {alone.port}\nbind 127.0.0.1\ndir {alone.directory}\nsentinel monitor main 127.0.0.1 {group.port_of(group.servers[0])} 1\n")
                alone.start_sentinel()
                group.servers[0].cli("CLIENT", "KILL", "TYPE", "normal")
                until(lambda: "1 of 3 Sentinels answer; 2 must agree where the primary is." in master.log(), 60, "the reason in the log")
                self.assertEqual(client.request("POST", "/v1/jobs", {"name": "a"})[0], 503)

    def know(self, group, sentinel, primary, epoch):
        """Restarts a Sentinel so that it knows this primary and this epoch. It is cut off from all that could tell it otherwise."""
        sentinel.kill()
        group.part([sentinel], [*group.servers, *group.sentinels])
        path = pathlib.Path(sentinel.directory, "sentinel.conf")
        text = re.sub(r"(?m)^sentinel monitor main \S+ \d+", f"sentinel monitor main 127.0.0.1 {group.port_of(primary)}", path.read_text())
        path.write_text(re.sub(r"(?m)^sentinel (config|leader)-epoch main \d+", rf"sentinel \1-epoch main {epoch}", text))
        sentinel.start_sentinel()

    def test_f8_nobody_is_believed_while_one_sentinel_knows_of_a_later_failover(self):
        with WalledGroup() as group:
            one, other, _ = group.servers
            first, second, third = group.sentinels
            for sentinel, primary, epoch in ((first, other, 7), (second, one, 6), (third, one, 6)):
                self.know(group, sentinel, primary, epoch)
            master = Master(arguments=["--redis", group.url, "--force"])
            with self.assertRaises(AssertionError) as failed, master:
                pass  # it does not start
            self.assertIn("The Sentinels do not agree yet where the primary is.", str(failed.exception))
            first.kill()
            with Master(arguments=["--redis", group.url, "--force"]) as master:
                self.assertEqual(Client(master.port).insist("POST", "/v1/jobs", {"name": "a"})[0], 201)

    def test_f8_sentinels_that_know_less_than_before_are_not_believed(self):
        with WalledGroup() as group:
            primary = group.servers[0]
            for sentinel in group.sentinels:
                self.know(group, sentinel, primary, 5)
            with Master(arguments=["--redis", group.url, "--force"]) as master:
                client = Client(master.port)
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)
                group.sentinels[0].kill()
                for sentinel in group.sentinels[1:]:
                    self.know(group, sentinel, primary, 4)
                primary.cli("CLIENT", "KILL", "TYPE", "normal")
                until(lambda: "The Sentinels that answer know less than was known before." in master.log(), 60, "a refusal in the log")
                self.assertEqual(client.request("POST", "/v1/jobs", {"name": "a"})[0], 503)
                self.know(group, group.sentinels[0], primary, 4)  # no Sentinel knows more now, so they were set up anew
                self.assertEqual(client.insist("POST", "/v1/jobs", {"name": "a"})[0], 201)

    def test_f8_a_replica_of_a_cluster_that_was_away_is_missed(self):
        with Cluster("--appendonly", "yes", copies=2) as cluster:
            namespace = next(n for n in "abcdefghi" if cluster.owner(n)[0] is cluster.nodes[0])
            words = ["--redis", cluster.url(1), "--namespace", namespace, "--force", "--durability", "replicated"]
            with Master(arguments=words) as master:
                first, second, third = cluster.nodes[0], *cluster.nodes[3:]
                self.assert_replicated_again(master)
                third.pause()
                first.kill()
                until(lambda: second.info("replication", "role") == "master", 60, "the second as the primary")
                first.start()
                until(lambda: first.info("replication", "master_link_status") == "up", 60, "the first as its replica")
                with Pushing(master) as pushing:
                    pushing.go_on(4)
                first.pause()
                second.kill()
                third.resume()
                self.take_over(third)
                first.resume()
                second.start()
                until(lambda: third.info("replication", "connected_slaves") == "2", 120, "all of them together")
                self.assert_all_there("a cluster's replica that was away", master, pushing.kept(), pushing)
                self.assert_replicated_again(master)

    def test_f8_a_copy_that_the_cluster_has_not_heard_of_is_missed(self):
        """A node without slots becomes a replica and stops before it has told the others. They still take it for a primary."""
        with Cluster("--appendonly", "yes", spares=1) as cluster:
            namespace = next(n for n in "abcdefghi" if cluster.owner(n)[0] is cluster.nodes[0])
            words = ["--redis", cluster.url(1), "--namespace", namespace, "--force", "--durability", "replicated"]
            first, second, third = cluster.nodes[0], *cluster.nodes[3:]
            for node in cluster.nodes[:4]:
                node.pause()
            self.assertEqual(third.cli("CLUSTER", "REPLICATE", third.cluster_id_of(first)), "OK")
            third.pause()
            for node in cluster.nodes[:4]:
                node.resume()
            with Master(arguments=words) as master:
                with Pushing(master) as pushing:
                    pushing.go_on(4)
                for node in first, second:
                    node.pause()
                third.resume()
                self.take_over(third)
                for node in first, second:
                    node.resume()
                until(lambda: third.info("replication", "connected_slaves") == "2", 120, "all of them together")
                self.assert_all_there("a copy that was not heard of", master, pushing.kept(), pushing)
                self.assert_replicated_again(master)

    def take_over(self, node):
        def taken_over():
            node.cli("CLUSTER", "FAILOVER", "TAKEOVER")
            return node.info("replication", "role") == "master"
        until(taken_over, 60, "another primary")


if __name__ == "__main__":
    unittest.main()
