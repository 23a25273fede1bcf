"""What programs that watch are told: changes, by any master, while they wait; and metrics, which Prometheus' own tool reads."""

import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import threading
import time
import unittest

import websocket
import yaml

from harness import Client, Master, TwoMasters, success
from livesocket import LiveSocket, refused

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
TOPICS = {"jobs", "matchers", "schedules", "tokens", "retention", "operations"}


class Changes(TwoMasters):
    def revision(self, client=None):
        return (client or self.here).ok("GET", "/v1/changes")["revision"]

    def wait(self, client, since, wait):
        return client.ok("GET", f"/v1/changes?since={since}&wait={wait}")

    def settled(self, client=None):
        """A revision after which nothing changes by itself."""
        client = client or self.here
        while self.wait(client, since := self.revision(client), 0.6)["changed"]:
            pass
        return since

    def test_a_watcher_of_one_master_is_told_what_was_changed_at_the_other(self):
        took = []
        for number in range(9):
            since = self.settled() if number == 0 else self.revision(self.there)
            told = []

            def watch():
                news = self.wait(self.there, since, 30)
                told.append((time.monotonic(), news))

            watcher = threading.Thread(target=watch)
            watcher.start()
            time.sleep(0.25)
            self.assertEqual(told, [])
            pushed = time.monotonic()
            self.here.ok("POST", "/v1/jobs", {"name": "told"})
            watcher.join(40)
            at, news = told[0]
            self.assertEqual(news["changed"], ["jobs"])
            self.assertGreater(news["revision"], since)
            took.append(at - pushed)
        took.sort()
        print(f"\ntold of a change at another master after {took[len(took) // 2] * 1000:.0f} ms (median), {took[-1] * 1000:.0f} ms (most)")
        self.assertLess(took[len(took) // 2], 5)

    def test_nothing_is_told_while_nothing_changes(self):
        since = self.settled()
        began = time.monotonic()
        self.assertEqual(self.wait(self.there, since, 1.6), {"revision": since, "changed": []})
        self.assertGreaterEqual(time.monotonic() - began, 1.5)
        # Claims that find nothing, heartbeats and reads change nothing either.
        self.here.ok("POST", "/v1/claims", {"worker": "w", "names": ["nobody's"]})
        self.here.overview()
        self.assertEqual(self.wait(self.there, since, 1), {"revision": since, "changed": []})

    def test_each_kind_of_thing_is_told_apart(self):
        job = self.here.ok("POST", "/v1/jobs", {"name": "kinds"})["id"]
        constraint = [{"kind": "concurrency", "limit": 5}]
        made = {
            "matchers": ("PUT", "/v1/matchers/kinds", {"title": "Kinds", "expression": 'job.name == "kinds"', "constraints": constraint}, {"If-None-Match": "*"}),
            "schedules": ("PUT", "/v1/schedules/kinds", {"every": 86_400, "job": {"name": "kinds"}}, {"If-None-Match": "*"}),
            "retention": ("PUT", "/v1/retention/kinds", {"succeeded": {"count": 5}}, {}),
        }
        for topic, (method, path, body, fields) in made.items():
            since = self.settled()
            status, answer = self.here.request(method, path, body, fields=fields)
            self.assertLess(status, 300, answer)
            self.assertIn(topic, self.wait(self.there, since, 5)["changed"])
        for path in (f"/v1/jobs/{job}/cancel", f"/v1/jobs/{job}/retry"):
            since = self.settled()
            self.here.ok("POST", path, {})
            self.assertEqual(self.wait(self.there, since, 5)["changed"], ["jobs"])

    def test_an_operation_is_told_when_it_starts_goes_on_pauses_and_ends(self):
        self.here.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": "operated"}] * 12})
        token = self.here.ok("POST", "/v1/operations", {"action": "cancel", "name": "operated", "rate": 4, "dry_run": True})["token"]
        since = self.settled()
        self.here.ok("POST", "/v1/operations", {"token": token})
        seen, done = 0, 0
        while done < 6:
            news = self.wait(self.there, since, 20)
            since = news["revision"]
            if "operations" in news["changed"]:
                seen, done = seen + 1, self.there.ok("GET", f"/v1/operations/{token}")["done"]
        self.assertGreater(seen, 1)
        since = self.revision()
        self.here.ok("POST", f"/v1/operations/{token}/pause", {})
        self.assertIn("operations", self.wait(self.there, since, 20)["changed"])
        since = self.settled()
        self.here.ok("POST", f"/v1/operations/{token}/stop", {})
        self.assertEqual(self.wait(self.there, since, 20)["changed"], ["operations"])
        since = self.settled()
        self.assertEqual(self.here.request("POST", f"/v1/operations/{token}/pause", {})[0], 409)
        self.assertEqual(self.wait(self.there, since, 0.5)["changed"], [])

    def test_progress_is_told_and_a_bare_heartbeat_is_not(self):
        self.here.ok("POST", "/v1/jobs", {"name": "beating", "timeout": 600})
        job = self.here.ok("POST", "/v1/claims", {"worker": "w", "names": ["beating"], "wait": 20})["jobs"][0]
        since = self.settled()
        path = f"/v1/jobs/{job['id']}/heartbeat"
        self.here.ok("POST", path, {"lease": job["lease"]})
        self.assertEqual(self.wait(self.there, since, 1)["changed"], [])
        self.here.ok("POST", path, {"lease": job["lease"], "progress": {"done": 1, "total": 2}})
        self.assertEqual(self.wait(self.there, since, 5)["changed"], ["jobs"])

    def test_what_was_missed_is_told_at_once_and_a_lost_revision_counts_as_everything(self):
        since = self.revision()
        self.here.ok("POST", "/v1/jobs", {"name": "missed"})
        began = time.monotonic()
        self.assertEqual(self.wait(self.there, since, 20)["changed"], ["jobs"])
        self.assertEqual(set(self.wait(self.there, 10**15, 20)["changed"]), TOPICS)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.here.ok("GET", "/v1/changes")["changed"], [])

    def test_a_busy_namespace_tells_at_most_four_times_a_second(self):
        stop = threading.Event()

        def push():
            client = Client(self.first.port)
            while not stop.is_set():
                client.ok("POST", "/v1/jobs", {"name": "busy"})

        pusher = threading.Thread(target=push)
        pusher.start()
        try:
            since, told, end = self.revision(self.there), 0, time.monotonic() + 3
            while time.monotonic() < end:
                news = self.wait(self.there, since, 10)
                self.assertGreater(news["revision"], since)
                since, told = news["revision"], told + 1
        finally:
            stop.set()
            pusher.join()
        self.assertLessEqual(told, 4 * 3 + 2)
        self.assertGreater(told, 2)

    def test_a_revoked_token_ends_what_waits_for_a_change(self):
        with Master(arguments=["--threads", "2"]) as master:
            here = Client(master.port)
            answers = []

            def token(roles, **more):
                status, made = here.request("POST", "/v1/tokens", {"roles": roles, **more}, fields=admin)
                self.assertEqual(status, 201, made)
                return made["id"], {"Authorization": f"Bearer {made['token']}"}

            def watch(name, fields):
                client = Client(master.port)
                while True:
                    since = client.request("GET", "/v1/changes", fields=fields)[1].get("revision", 0)
                    status, answer = client.request("GET", f"/v1/changes?since={since}&wait=60", fields=fields)
                    if status != 200:
                        answers.append((name, status, answer["code"], time.monotonic()))
                        return

            admin = None
            open_watcher = threading.Thread(target=watch, args=("open", None))
            open_watcher.start()
            time.sleep(0.3)
            _, admin = token(["admin"])
            open_watcher.join(10)
            self.assertEqual([answer[:3] for answer in answers], [("open", 401, "unauthorized")])
            revoked, viewer = token(["viewer"])
            expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 4))
            _, expiring = token(["viewer"], expires_at=expires)
            watchers = [threading.Thread(target=watch, args=each) for each in (("revoked", viewer), ("expired", expiring))]
            for watcher in watchers:
                watcher.start()
            time.sleep(0.3)
            began = time.monotonic()
            self.assertEqual(here.request("DELETE", f"/v1/tokens/{revoked}", fields=admin)[0], 204)
            for watcher in watchers:
                watcher.join(20)
            ends = {name: (status, code, at) for name, status, code, at in answers}
            self.assertEqual((ends["revoked"][:2], ends["expired"][:2]), ((401, "unauthorized"), (401, "unauthorized")))
            self.assertLess(ends["revoked"][2] - began, 5)

    def test_wrong_parameters_are_named(self):
        for query, field in (("since=-1", "since"), ("since=x", "since"), ("since=1&wait=61", "wait"), ("wait=x", "wait"), ("kind=jobs", "kind")):
            status, problem = self.here.request("GET", "/v1/changes?" + query)
            self.assertEqual((status, problem["field"]), (400, field), query)

    def test_a_watcher_that_leaves_and_a_master_that_stops(self):
        with Master() as master:
            client = Client(master.port)
            since = self.settled(client)
            gone = socket.create_connection(("127.0.0.1", master.port))
            gone.sendall(f"GET /v1/changes?since={since}&wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.3)
            gone.close()
            told = []
            watcher = threading.Thread(target=lambda: told.append(self.wait(Client(master.port), since, 60)))
            watcher.start()
            time.sleep(0.5)
            began = time.monotonic()
            self.assertEqual(master.kill(15), 0)
            watcher.join(30)
            self.assertEqual(told[0]["changed"], [])
            self.assertLess(time.monotonic() - began, 20)

    def test_many_who_wait_cost_next_to_nothing(self):
        """The master's processor time while 500 wait and nothing changes is printed; it is no pass mark, but a spinning master fails."""
        count = 500
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        with Master() as master:
            client = Client(master.port)
            since = self.settled(client)
            waiting = []
            for _ in range(count):
                one = socket.create_connection(("127.0.0.1", master.port))
                one.sendall(f"GET /v1/changes?since={since}&wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                waiting.append(one)
            time.sleep(0.5)

            def used():
                fields = pathlib.Path(f"/proc/{master.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / 100

            before = used()
            time.sleep(2)
            spent = (used() - before) / 2
            client.ok("POST", "/v1/jobs", {"name": "seen by all"})
            for one in waiting:
                one.settimeout(20)
                self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 200"))
                one.close()
            print(f"\n{count} who wait for a change: {spent * 100:.1f} % of a processor")
            self.assertLess(spent, 0.5)


class Live(TwoMasters):
    """The same over a WebSocket."""

    def setUp(self):
        super().setUp()
        self.url, self.other = (f"ws://127.0.0.1:{master.port}" for master in (self.first, self.second))

    def push(self, name="live"):
        self.here.ok("POST", "/v1/jobs", {"name": name})

    def settled(self, live):
        """The last revision that is told, after which nothing changes by itself."""
        revision = live.told()["revision"]
        live.socket.settimeout(0.6)
        try:
            while True:
                revision = live.told()["revision"]
        except websocket.WebSocketTimeoutException:
            live.socket.settimeout(60)
        return revision

    def test_a_watcher_of_one_master_is_told_what_was_changed_at_the_other(self):
        took = []
        with LiveSocket(self.other) as live:
            revision = self.settled(live)
            for _ in range(9):
                time.sleep(0.3)
                pushed = time.monotonic()
                self.push()
                news = live.told()
                took.append(time.monotonic() - pushed)
                self.assertEqual(news["changed"], ["jobs"])
                self.assertGreater(news["revision"], revision)
                revision = news["revision"]
        took.sort()
        print(f"\ntold over a WebSocket of a change at another master after {took[4] * 1000:.0f} ms (median), {took[-1] * 1000:.0f} ms (most)")
        self.assertLess(took[4], 5)

    def test_the_first_message_comes_at_once_and_has_what_was_missed(self):
        with LiveSocket(self.other) as live:
            self.assertEqual(live.told()["changed"], [])
        with LiveSocket(self.other) as live:
            since = self.settled(live)
        self.push()
        with LiveSocket(self.other, f"?since={since}") as live:
            self.assertEqual(live.told()["changed"], ["jobs"])
        with LiveSocket(self.other, f"?since={10**15}") as live:
            self.assertEqual(set(live.told()["changed"]), TOPICS)

    def test_nothing_is_told_while_nothing_changes_but_who_asks_is_answered(self):
        with LiveSocket(self.other) as live:
            revision = self.settled(live)
            live.socket.settimeout(1.5)
            self.assertRaises(websocket.WebSocketTimeoutException, live.told)
            live.socket.settimeout(60)
            live.ask({"since": revision})
            self.assertEqual(live.told(), {"revision": revision, "changed": []})
            self.push()
            self.assertEqual(live.told()["changed"], ["jobs"])
            live.ask({"since": revision})
            self.assertEqual(live.told()["changed"], ["jobs"])

    def test_a_busy_namespace_tells_at_most_four_times_a_second_and_forgets_nothing(self):
        stop = threading.Event()

        def push():
            client = Client(self.first.port)
            while not stop.is_set():
                client.ok("POST", "/v1/jobs", {"name": "busy"})

        pushers = [threading.Thread(target=push) for _ in range(4)]
        with LiveSocket(self.other) as live:
            revision, told = self.settled(live), 0
            for pusher in pushers:
                pusher.start()
            end = time.monotonic() + 3
            while time.monotonic() < end:
                news = live.told()
                self.assertGreater(news["revision"], revision)
                revision, told = news["revision"], told + 1
            stop.set()
            for pusher in pushers:
                pusher.join()
            last = self.there.ok("GET", "/v1/changes")["revision"]
            while revision < last:
                revision = live.told()["revision"]
        self.assertLessEqual(told, 4 * 3 + 2)
        self.assertGreater(told, 2)

    def test_who_may_not_watch_is_refused_before_the_upgrade(self):
        host = self.url.removeprefix("ws://")
        for expected, query, options in (
            (101, "", {}), (101, "", {"suppress_origin": True}), (101, "", {"origin": f"http://{host}"}), (403, "", {"origin": "https://evil.example"}),
            (403, "", {"origin": "null"}), (403, "", {"origin": f"http://{host}.evil.example"}), (403, "", {"header": ["Sec-Fetch-Site: cross-site"]}),
            (421, "", {"host": "evil.example", "suppress_origin": True}), (426, "", {"header": {"Sec-WebSocket-Version": "8"}}),
            (400, "?since=x", {}), (400, "?token=jt_x", {}), (400, "", {"subprotocols": ["chat"]}), (401, "", {"header": ["Authorization: Bearer jt_wrong"]}),
            (401, "", {"subprotocols": ["junban.live", "junban.token.jt_wrong"]}),
        ):
            with self.subTest(query=query, **options):
                self.assertEqual(refused(self.url, query, **options), expected)
        plain = http.client.HTTPConnection("127.0.0.1", self.first.port, timeout=60)
        plain.request("GET", "/v1/live")
        answer = plain.getresponse()
        problem = json.loads(answer.read())
        self.assertEqual((answer.status, problem["code"], answer.getheader("Upgrade")), (426, "upgrade_required", "websocket"))
        self.assertIn("Upgrade", problem["detail"])
        plain.request("GET", "/healthz")  # the connection serves on
        self.assertEqual(plain.getresponse().read(), b"ok\n")
        plain.close()

    def test_a_message_that_makes_no_sense_closes_it_and_says_why(self):
        for message, code, reason in (("what?", 4400, ""), ("[1]", 4400, ""), ('{"since": -1}', 4400, "'since'"), ('{"since": 1, "view": "x"}', 4400, "'view'"),
                                      ("{}", 4400, "since"), ("[" * 600, 4400, ""), ("x" * 1025, 1009, "")):
            with self.subTest(message=message[:40]), LiveSocket(self.url) as live:
                live.ask(message)
                closed = live.closed()
                self.assertEqual(closed[0], code)
                self.assertIn(reason, closed[1])
        with LiveSocket(self.url) as live:
            live.socket.send_binary(b'{"since": 1}')
            self.assertEqual(live.closed()[0], 1003)

    def test_tokens_open_it_and_close_it(self):
        with Master(arguments=["--threads", "2"]) as master:
            url, here, admin = f"ws://127.0.0.1:{master.port}", Client(master.port), None

            def token(roles, **more):
                status, made = here.request("POST", "/v1/tokens", {"roles": roles, **more}, fields=admin)
                self.assertEqual(status, 201, made)
                return made

            open_one = LiveSocket(url)
            admin = {"Authorization": "Bearer " + token(["admin"])["token"]}
            self.assertEqual(open_one.closed()[0], 4401)
            revoked, pusher, scoped = token(["viewer"]), token(["pusher"]), token(["viewer"], names=["some.*"])
            expiring = token(["viewer"], expires_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 4)))
            self.assertEqual([refused(url, token=made and made["token"]) for made in (None, pusher, scoped)], [401, 403, 403])
            self.assertEqual(refused(url, subprotocols=["junban.token." + revoked["token"]]), 400)
            self.assertEqual(refused(url, header=["Authorization: Bearer " + revoked["token"]]), 101)
            sockets = [LiveSocket(url, token=made["token"]) for made in (revoked, expiring)]
            self.assertEqual({live.socket.getsubprotocol() for live in sockets}, {"junban.live"})
            self.assertNotIn("token", str(sockets[0].socket.getheaders()))
            began = time.monotonic()
            self.assertEqual(here.request("DELETE", f"/v1/tokens/{revoked['id']}", fields=admin)[0], 204)
            self.assertEqual(sockets[0].closed()[0], 4401)
            self.assertLess(time.monotonic() - began, 5)
            self.assertEqual(sockets[1].closed()[0], 4401)

    def test_a_redis_that_is_away_is_said_once_and_so_is_that_it_is_back(self):
        with Master() as master:
            with LiveSocket(f"ws://127.0.0.1:{master.port}") as live:
                self.settled(live)
                os.kill(master.redis_pid(), signal.SIGSTOP)
                try:
                    problem = live.told()
                    self.assertEqual((problem["status"], problem["code"]), (503, "store_unavailable"))
                    live.socket.settimeout(8)
                    self.assertRaises(websocket.WebSocketTimeoutException, live.told)
                    live.socket.settimeout(60)
                finally:
                    os.kill(master.redis_pid(), signal.SIGCONT)
                self.assertIn("revision", live.told())

    def test_a_master_that_stops_says_so(self):
        with Master() as master:
            live = LiveSocket(f"ws://127.0.0.1:{master.port}")
            self.settled(live)
            began = time.monotonic()
            stopping = threading.Thread(target=master.kill, args=(15,))
            stopping.start()
            self.assertEqual(live.closed(), (1001, "The master is stopping."))
            stopping.join()
            self.assertEqual(master.process.returncode, 0)
            self.assertLess(time.monotonic() - began, 10)

    def test_many_sockets_cost_next_to_nothing_while_nothing_changes(self):
        """The master's processor time and memory are printed; they are no pass marks, but a spinning master fails."""
        count = 500
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        with Master() as master:
            url = f"ws://127.0.0.1:{master.port}"

            def used():
                fields = pathlib.Path(f"/proc/{master.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / 100, int(fields[21]) * resource.getpagesize()

            _, memory = used()
            sockets = [LiveSocket(url) for _ in range(count)]
            for live in sockets:
                live.told()
            before, grown = used()
            time.sleep(2)
            spent = (used()[0] - before) / 2
            began = time.monotonic()
            Client(master.port).ok("POST", "/v1/jobs", {"name": "seen by all"})
            for live in sockets:
                while live.told()["changed"] != ["jobs"]:
                    pass
            print(f"\n{count} WebSockets: {spent * 100:.1f} % of a processor, {(grown - memory) / count / 1024:.1f} KiB each; "
                  f"all told of a change in {(time.monotonic() - began) * 1000:.0f} ms")
            self.assertLess(spent, 0.5)
            for live in sockets:
                live.__exit__()


def samples(text):
    """{(name, labels as written): value}"""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = re.fullmatch(r"(\w+)(\{.*\})? (\S+)", line).groups()
            key = (name, labels or "")
            assert key not in found, key
            found[key] = float(value)
    return found


class Metrics(TwoMasters):
    def scrape(self, master, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", master.port, timeout=60)
        # As Prometheus asks.
        connection.request("GET", "/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                                                       **(fields or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.getheader("Content-Type"), text

    def metrics(self, master):
        status, kind, text = self.scrape(master)
        self.assertEqual((status, kind), (200, "text/plain; version=0.0.4; charset=utf-8"), text)
        return text

    def run_jobs(self, name, count):
        for _ in range(count):
            self.here.ok("POST", "/v1/jobs", {"name": name, "max_retry": 0})
            job = self.there.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": 20})["jobs"][0]
            report = success(job, None)
            del report["id"]
            self.here.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)

    def test_prometheus_can_read_them_and_finds_nothing_to_blame(self):
        self.run_jobs('a "quoted" \\ name', 2)
        text = self.metrics(self.first)
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))
        self.assertEqual(samples(text)["junban_name_jobs_enqueued_total", '{name="a \\"quoted\\" \\\\ name"}'], 2)
        broken = subprocess.run(["promtool", "check", "metrics"], input=text.replace("# TYPE junban_jobs gauge", "# TYPE junban_jobs counter"),
                                capture_output=True, text=True, timeout=60)
        self.assertNotEqual(broken.returncode, 0)

    def test_both_masters_give_the_totals_of_the_namespace(self):
        self.run_jobs("counted", 3)
        totals = self.here.overview()["totals"]
        for master in (self.first, self.second):
            found = samples(self.metrics(master))
            self.assertEqual(found["junban_jobs_enqueued_total", ""], totals["enqueued"])
            self.assertEqual(found["junban_attempts_started_total", ""], totals["started"])
            self.assertEqual(found["junban_name_jobs_succeeded_total", '{name="counted"}'], 3)
            self.assertEqual(found["junban_jobs", '{state="succeeded"}'], self.here.overview()["states"]["succeeded"])
            for histogram, count in (("junban_job_wait_seconds", totals["started"]), ("junban_attempt_run_seconds", totals["succeeded"])):
                self.assertEqual(found[histogram + "_count", ""], count)
                self.assertEqual(found[histogram + "_bucket", '{le="+Inf"}'], count)
                self.assertGreaterEqual(found[histogram + "_sum", ""], 0)
                buckets = [value for (name, _), value in found.items() if name == histogram + "_bucket"]
                self.assertEqual(buckets, sorted(buckets))

    def test_a_run_is_in_the_bucket_of_its_time(self):
        def buckets():
            return {labels: value for (name, labels), value in samples(self.metrics(self.first)).items() if name == "junban_attempt_run_seconds_bucket"}

        before = buckets()
        self.here.ok("POST", "/v1/jobs", {"name": "timed"})
        job = self.here.ok("POST", "/v1/claims", {"worker": "w", "names": ["timed"], "wait": 20})["jobs"][0]
        time.sleep(0.6)
        report = success(job, None)
        del report["id"]
        self.here.ok("POST", f"/v1/jobs/{job['id']}/outcome", report)
        grown = {labels for labels, value in buckets().items() if value > before[labels]}
        self.assertNotIn('{le="0.512"}', grown)
        self.assertIn('{le="65.536"}', grown)

    def test_the_names_are_bounded_and_the_rest_is_one(self):
        with Master() as master:
            client = Client(master.port)
            for number in range(0, 10_000, 500):
                jobs = [{"name": f"name-{n}"} for n in range(number, number + 500) for _ in range(2 if n == 650 else 1)]
                client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})
            found = {labels: value for (name, labels), value in samples(self.metrics(master)).items() if name == "junban_name_jobs_enqueued_total"}
            self.assertEqual(len(found), 51)
            self.assertEqual(found['{name="name-650"}'], 2)
            self.assertEqual(sum(found.values()), 10_001)
            self.assertEqual(found['{name=""}'], 10_001 - 51)

    def test_requests_and_calls_of_redis_are_timed(self):
        def count(kind, of):
            return samples(self.metrics(self.first)).get((f"junban_{kind}_seconds_count", of), 0)

        kinds = (("http_request", '{operation="enqueueJob"}', 3), ("redis_call", '{script="enqueue"}', 3))
        before = [count(kind, of) for kind, of, _ in kinds]
        for _ in range(3):
            self.here.ok("POST", "/v1/jobs", {"name": "timed.calls"})
        for (kind, of, n), had in zip(kinds, before):
            found = samples(self.metrics(self.first))
            self.assertEqual(found[f"junban_{kind}_seconds_count", of] - had, n)
            bins = [value for (name, labels), value in found.items() if name == f"junban_{kind}_seconds_bucket" and labels.startswith(of[:-1] + ",")]
            self.assertEqual((len(bins), bins), (10, sorted(bins)))
            self.assertEqual(bins[-1], found[f"junban_{kind}_seconds_count", of])
            self.assertGreater(found[f"junban_{kind}_seconds_sum", of], 0)
        waited = '{operation="listChanges",le="0.256"}'
        shorter = samples(self.metrics(self.first)).get(("junban_http_request_seconds_bucket", waited), 0)
        since = self.here.ok("GET", "/v1/changes")["revision"]
        self.here.ok("GET", f"/v1/changes?since={since + 10**9}") # at once: everything counts as changed
        while self.here.ok("GET", f"/v1/changes?since={since}&wait=0.5")["changed"]:
            since = self.here.ok("GET", "/v1/changes")["revision"]
        found = samples(self.metrics(self.first))
        self.assertGreater(found["junban_http_request_seconds_bucket", waited], shorter)
        self.assertGreater(found["junban_http_request_seconds_count", '{operation="listChanges"}'], found["junban_http_request_seconds_bucket", waited])
        for path in ("/nowhere", "/v1/jobs/x/y/z", "/v1/none"):
            self.here.request("GET", path) # no label of its own
        operations = {labels for (name, labels) in samples(self.metrics(self.first)) if name == "junban_http_request_seconds_count"}
        self.assertEqual({re.fullmatch(r'\{operation="(\w+)"\}', labels) is not None for labels in operations}, {True})

    def test_a_viewer_may_read_them_and_nobody_else_who_is_not_an_operator(self):
        with Master() as master:
            client = Client(master.port)

            def token(roles, fields=None):
                status, made = client.request("POST", "/v1/tokens", {"roles": roles}, fields=fields)
                self.assertEqual(status, 201, made)
                return {"Authorization": f"Bearer {made['token']}"}

            admin = token(["admin"])
            viewer, pusher = token(["viewer"], admin), token(["pusher"], admin)
            self.assertEqual([self.scrape(master, fields)[0] for fields in (viewer, pusher, {})], [200, 403, 401])
            since = client.request("GET", "/v1/changes", fields=viewer)[1]["revision"]
            token(["viewer"], admin)
            self.assertIn("tokens", client.request("GET", f"/v1/changes?since={since}&wait=10", fields=viewer)[1]["changed"])
            self.assertEqual(client.request("GET", "/v1/changes", fields=pusher)[0], 403)

    def test_the_alerts_and_the_dashboard_ask_for_what_there_is(self):
        alerts = DOCS / "monitoring/alerts.yml"
        checked = subprocess.run(["promtool", "check", "rules", alerts], capture_output=True, text=True, timeout=60)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        asked = [rule["expr"] for group in yaml.safe_load(alerts.read_text())["groups"] for rule in group["rules"]]
        board = json.loads((DOCS / "monitoring/dashboard.json").read_text())
        asked += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
        self.run_jobs("asked", 1)
        known = set(re.findall(r"^# TYPE (\w+)", self.metrics(self.first), re.M))
        for expression in asked:
            for name in re.findall(r"\bjunban_\w+", expression):
                self.assertIn(re.sub(r"_(bucket|sum|count)$", "", name), known, expression)
        page = (DOCS.parent / "docs/monitoring.md").read_text()
        for name in known:
            self.assertIn(f"`{name}`", page)


if __name__ == "__main__":
    unittest.main()
