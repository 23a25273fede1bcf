"""Who may call: tokens and their roles, against real masters."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from harness import Client, Master, PROGRAMS, in_own_network, until

AWAY = "192.0.2.9"  # an address of no machine (RFC 5737)

# Requests with which every role is tried, and the roles that may make them: the matrix of roles in the documents.
TRIED = {
    "enqueue": ("POST", "/v1/jobs", {"name": "tokens"}),
    "claim": ("POST", "/v1/claims", {"worker": "w", "names": ["nothing"]}),
    "list": ("GET", "/v1/jobs", None),
    "pause": ("POST", "/v1/pause", {"reason": "test", "match": "job.name == 'nobody'"}),
    "tokens": ("GET", "/v1/tokens", None),
    "retention": ("PUT", "/v1/retention", {}),
}
ALLOWED = {
    "pusher": {"enqueue"},
    "worker": {"claim"},
    "viewer": {"list"},
    "operator": {"enqueue", "list", "pause"},
    "admin": {"enqueue", "list", "pause", "tokens", "retention"},
}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Tokens(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.client = Client(self.master.port)

    def create(self, roles, by=None, **fields):
        status, created = self.client.request("POST", "/v1/tokens", {"roles": roles, **fields}, fields=bearer(by) if by else None)
        self.assertEqual(status, 201, created)
        self.assertRegex(created["token"], r"^jt_[A-Za-z0-9_-]{43}$")
        return created

    def status(self, method, path, body=None, token=None, fields=None):
        return self.client.request(method, path, body, fields={**(fields or {}), **(bearer(token) if token else {})})[0]

    def test_with_the_first_token_everybody_needs_one_and_with_the_last_nobody(self):
        self.assertEqual(self.status("GET", "/v1/jobs"), 200)
        created = self.create(["admin"], note="first")
        self.assertEqual((created["note"], created["roles"], created["created_by"]), ("first", ["admin"], "open"))
        for path in ("/v1/jobs", "/v1/tokens"):
            self.assertEqual(self.status("GET", path), 401)
        for path in ("/healthz", "/readyz", "/docs", "/openapi.json"):
            self.assertEqual(self.status("GET", path), 200, path)
        second = self.create(["viewer"], by=created["token"])
        self.assertEqual(second["created_by"], created["id"])
        self.assertEqual(self.status("GET", "/v1/jobs", token=second["token"]), 200)
        self.assertEqual(self.status("DELETE", "/v1/tokens/" + second["id"], token=created["token"]), 204)
        self.assertEqual(self.status("GET", "/v1/jobs", token=second["token"]), 401)
        self.assertEqual(self.status("DELETE", "/v1/tokens/" + second["id"], token=created["token"]), 404)
        self.assertEqual(self.status("DELETE", "/v1/tokens/" + created["id"], token=created["token"]), 204)
        self.assertEqual(self.status("GET", "/v1/jobs"), 200)

    def test_the_first_token_is_an_admins(self):
        for fields, wrong in (({"roles": ["worker"]}, "roles"), ({"roles": ["admin"], "names": ["a"]}, "names")):
            status, answer = self.client.request("POST", "/v1/tokens", fields)
            self.assertEqual((status, answer["code"], answer["field"]), (400, "invalid_field", wrong))
            self.assertIn("The first token must", answer["detail"])
        admin = self.create(["admin"])["token"]
        self.create(["worker"], by=admin)

    def test_every_thread_knows_a_token_when_it_is_answered(self):
        self.master.kill(signal.SIGTERM)
        self.master.arguments = ["--threads", "4"]
        self.master.start()

        def answers(token):
            """The statuses of forty connections, which are so many that the kernel gives some to each thread."""
            return {Client(self.master.port).request("GET", "/v1/jobs", fields=bearer(token))[0] for _ in range(40)}

        self.client.close()
        self.client = Client(self.master.port)
        admin = self.create(["admin"])["token"]
        self.assertEqual(answers(admin), {200})
        for _ in range(3):
            viewer = self.create(["viewer"], by=admin)
            self.assertEqual(answers(viewer["token"]), {200})
            self.assertEqual(self.status("DELETE", "/v1/tokens/" + viewer["id"], token=admin), 204)
            self.assertLessEqual(answers(viewer["token"]), {401, 429})

    def test_a_redis_that_loses_the_tokens_lets_nobody_in(self):
        admin = self.create(["admin"])["token"]
        self.assertEqual(self.status("GET", "/v1/jobs", token=admin), 200)
        subprocess.run(["redis-cli", "-s", os.path.join(self.master.directory, "redis.sock"), "FLUSHALL"], check=True, capture_output=True)
        until(lambda: self.status("GET", "/v1/jobs", token=admin) == 401, 10, "the loss is seen")
        status, answer = self.client.request("GET", "/v1/jobs")
        self.assertEqual(status, 401)
        self.assertIn("lost the tokens", answer["detail"])
        self.assertIn("Redis has lost the tokens", self.master.log())
        self.master.kill(signal.SIGTERM)
        self.master.start()
        self.client.close()
        self.assertEqual(self.status("GET", "/v1/jobs"), 200)

    def test_a_job_that_the_token_is_not_for_is_to_depend_on_as_one_that_is_not_there(self):
        admin = self.create(["admin"])["token"]
        token = self.create(["pusher"], by=admin, names=["mine"])["token"]

        def push(path, body, by=token):
            status, answer = self.client.request("POST", path, body, fields=bearer(by))
            return status, {key: value for key, value in answer.items() if key != "id"}

        def identity(name, by):
            return self.client.request("POST", "/v1/jobs", {"name": name}, fields=bearer(by))[1]["id"]

        mine, unknown = identity("mine", token), "0192f0c1-2222-7333-8444-555555555555"
        job = {"name": "mine", "depends_on": [mine]}
        self.assertEqual(push("/v1/jobs", job), (201, {"state": "depends"}))
        by_admin = push("/v1/jobs", job | {"depends_on": [mine, unknown]}, admin)
        self.assertEqual((by_admin[0], by_admin[1]["field"]), (400, "depends_on[1]"))
        for foreign in (unknown, identity("theirs", admin), identity("mine", admin)): # the last is another pusher's, of the same name
            self.assertEqual(push("/v1/jobs", job | {"depends_on": [mine, foreign]}), by_admin)
            after = push("/v1/jobs", {"name": "mine", "then": [job | {"depends_on": [foreign]}]})
            self.assertEqual((after[0], after[1]["field"]), (400, "then[0].depends_on[0]"))
            results = push("/v1/jobs/batch", {"jobs": [job, job | {"depends_on": [foreign]}, {"name": "theirs"}]})[1]["results"]
            self.assertEqual(results[0]["state"], "depends")
            self.assertEqual([result["error"]["field"] for result in results[1:]], ["jobs[1].depends_on[0]", "jobs[2].name"])
            self.assertEqual(results[1]["error"]["detail"], by_admin[1]["detail"])

    def test_a_master_has_the_names_it_is_given(self):
        with Master(arguments=["--host", "one.example", "--host", "Two.Example"]) as named:
            client = Client(named.port)
            for name, expected in (("one.example", 200), ("two.example:80", 200), ("three.example", 421)):
                status, answer = client.request("GET", "/v1/jobs", fields={"Host": name})
                self.assertEqual(status, expected, name)
            self.assertEqual(answer["code"], "unknown_host")
            self.assertIn("--host", answer["detail"])

    def test_a_list_never_shows_a_token_and_says_when_it_was_used(self):
        admin = self.create(["admin"])["token"]
        used, idle = self.create(["viewer"], by=admin, note="used"), self.create(["viewer"], by=admin, note="idle")
        self.assertEqual(self.status("GET", "/v1/jobs", token=used["token"]), 200)

        def listed():
            status, answer = self.client.request("GET", "/v1/tokens", fields=bearer(admin))
            self.assertEqual(status, 200)
            rows = {row["id"]: row for row in answer["tokens"]}
            self.assertFalse([row for row in rows.values() if "token" in row])
            return rows

        until(lambda: "last_used_at" in listed()[used["id"]], 10, "the use is told")
        self.assertNotIn("last_used_at", listed()[idle["id"]])

    def test_each_role_may_do_what_its_row_says(self):
        admin = self.create(["admin"])["token"]
        for role, allowed in ALLOWED.items():
            token = self.create([role], by=admin)["token"]
            for what, (method, path, body) in TRIED.items():
                status, answer = self.client.request(method, path, body, fields=bearer(token))
                self.assertEqual(status == 403, what not in allowed, (role, what, status, answer))
                self.assertIn(status, (200, 201, 403), (role, what, answer))
                if status == 403:
                    self.assertEqual(answer["code"], "forbidden")
                    self.assertRegex(answer["detail"], 'needs the role [a-z", ]+')
        both = self.create(["pusher", "worker"], by=admin)["token"]
        self.assertEqual([self.status(*TRIED[what], token=both) for what in ("enqueue", "claim", "list")], [201, 200, 403])

    def test_another_master_hears_of_a_token_and_of_its_end_within_five_seconds(self):
        redis = "unix://" + os.path.join(self.master.directory, "redis.sock")
        pepper = os.path.join(self.master.directory, "pepper")
        self.assertEqual(os.stat(pepper).st_mode & 0o777, 0o600)
        with Master(arguments=["--redis", redis, "--pepper-file", pepper]) as other:
            there = Client(other.port)
            token = self.create(["viewer", "admin"])
            until(lambda: there.request("GET", "/v1/jobs")[0] == 401, 5, "the other master asks for a token")
            self.assertEqual(there.request("GET", "/v1/jobs", fields=bearer(token["token"]))[0], 200)
            viewer = self.create(["viewer"], by=token["token"])
            until(lambda: there.request("GET", "/v1/jobs", fields=bearer(viewer["token"]))[0] == 200, 5, "the other master knows it")
            self.assertEqual(self.status("DELETE", "/v1/tokens/" + viewer["id"], token=token["token"]), 204)
            until(lambda: there.request("GET", "/v1/jobs", fields=bearer(viewer["token"]))[0] != 200, 5, "it forgets it")

    def test_a_master_without_the_pepper_says_so_and_makes_no_token(self):
        redis = "unix://" + os.path.join(self.master.directory, "redis.sock")
        with tempfile.TemporaryDirectory() as directory, Master(arguments=["--redis", redis]) as bare:
            status, answer = Client(bare.port).request("POST", "/v1/tokens", {"roles": ["admin"]})
            self.assertEqual((status, answer["code"]), (409, "conflict"))
            self.assertIn("--pepper-file", answer["detail"])
            token = self.create(["admin"])["token"]
            until(lambda: "no pepper" in bare.log(), 5, "the log says that the pepper is missing")
            self.assertEqual(Client(bare.port).request("GET", "/v1/jobs", fields=bearer(token))[0], 401)
            other = pathlib.Path(directory, "other")
            other.write_text("0123456789abcdef0123456789abcdef\n")
            other.chmod(0o600)
            with Master(arguments=["--redis", redis, "--pepper-file", str(other)]) as wrong:
                self.assertIn("another pepper", wrong.log())
                self.assertEqual(Client(wrong.port).request("GET", "/v1/jobs", fields=bearer(token))[0], 401)
            other.chmod(0o640)
            command = [PROGRAMS / "junband", "--data-dir", directory, "--listen", "127.0.0.1:0", "--redis", redis, "--pepper-file", str(other)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("0600", done.stderr)

    def test_an_expired_token_is_not_known_and_still_needs_another(self):
        admin = self.create(["admin"])["token"]
        ends = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        short = self.create(["viewer"], by=admin, expires_at=ends)["token"]
        self.assertEqual(self.status("GET", "/v1/jobs", token=short), 200)
        until(lambda: self.status("GET", "/v1/jobs", token=short) == 401, 10, "it ends")
        past = {"roles": ["viewer"], "expires_at": "2020-01-01T00:00:00Z"}
        status, answer = self.client.request("POST", "/v1/tokens", past, fields=bearer(admin))
        self.assertEqual((status, answer["field"]), (400, "expires_at"))

    def test_equal_requests_of_one_connection_are_judged_by_what_is_in_force(self):
        def push(token=None, argument=0):
            """From one connection, with the same head but for the body's length."""
            return self.status("POST", "/v1/jobs", {"name": "equal", "argument": "x" * argument}, token)

        self.assertEqual([push(argument=length) for length in (1, 1, 50, 5_000, 1)], [201] * 5)
        admin = self.create(["admin"])["token"]
        self.assertEqual([push() for _ in range(2)], [401] * 2)
        ends = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
        short = self.create(["pusher"], by=admin, expires_at=ends)["token"]
        long = self.create(["pusher"], by=admin)
        worker = self.create(["worker"], by=admin)["token"]
        self.assertEqual([push(token) for token in (short, long["token"], worker) * 3], [201, 201, 403] * 3)
        until(lambda: push(short) == 401, 10, "it ends")
        self.assertEqual(push(long["token"]), 201)
        self.assertEqual(self.status("DELETE", "/v1/tokens/" + long["id"], token=admin), 204)
        self.assertEqual([push(long["token"]) for _ in range(2)], [401] * 2)
        # Each of these counts as a guess, and so do those that were refused above with a token.
        self.assertIn(429, [push("jt_wrong") for _ in range(11)])

    def test_equal_requests_of_one_connection_are_judged_by_the_names_that_a_master_has_now(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "junban.conf")
            file.write_text("host=one.example\n")
            with Master(arguments=["--config", str(file)]) as named:
                client = Client(named.port)
                push = lambda: client.request("POST", "/v1/jobs", {"name": "equal"}, fields={"Host": "one.example"})[0]
                self.assertEqual([push() for _ in range(3)], [201] * 3)
                file.write_text("host=two.example\n")
                named.process.send_signal(signal.SIGHUP)
                until(lambda: push() == 421, 20, "the name is another's")
                self.assertEqual(push(), 421)

    def test_a_client_that_guesses_must_wait_and_one_with_a_token_need_not(self):
        admin = self.create(["admin"])["token"]
        self.assertEqual([self.status("GET", "/v1/jobs", token="jt_wrong") for _ in range(11)], [401] * 10 + [429])
        connection = http.client.HTTPConnection("127.0.0.1", self.master.port, timeout=20)
        connection.request("GET", "/v1/jobs", headers=bearer("jt_wrong"))
        answer = connection.getresponse()
        self.assertIn(int(answer.getheader("Retry-After")), range(1, 61))
        connection.close()
        self.assertEqual(self.status("GET", "/v1/jobs", token=admin), 200)

    def test_what_is_changed_in_redis_gives_nobody_a_role(self):
        admin = self.create(["admin"])
        viewer = self.create(["viewer"], by=admin["token"])
        socket = os.path.join(self.master.directory, "redis.sock")

        def redis(*words):
            return subprocess.run(["redis-cli", "-s", socket, *words], capture_output=True, check=True).stdout

        key = "jq:{default}:tokens"
        record = redis("--raw", "HGET", key, viewer["id"])[:-1]
        planted = record.replace(b"viewer", b"pusher")
        self.assertNotEqual(planted, record)
        subprocess.run(["redis-cli", "-s", socket, "-x", "HSET", key, viewer["id"]], input=planted, check=True, capture_output=True)
        redis("HSET", "jq:{default}:access", "version", "planted")
        until(lambda: self.status("POST", "/v1/jobs", {"name": "n"}, token=viewer["token"]) != 403, 5, "the change is seen")
        self.assertEqual(self.status("POST", "/v1/jobs", {"name": "n"}, token=viewer["token"]), 401)
        self.assertIn("was changed in Redis", self.master.log())
        self.assertNotIn(viewer["token"], self.master.log())

    def test_a_token_for_some_names_keeps_to_their_jobs(self):
        admin = self.create(["admin"])["token"]
        every = self.create(["pusher", "worker"], by=admin)["token"]
        token = self.create(["pusher", "worker", "viewer"], by=admin, names=["mail.*", "sum"])["token"]

        def ask(method, path, body=None, by=token):
            status, answer = self.client.request(method, path, body, fields=bearer(by))
            return (status, answer.get("field")) if status == 403 else (status, answer)

        mine = ask("POST", "/v1/jobs", {"name": "mail.in"})[1]["id"]
        theirs = ask("POST", "/v1/jobs", {"name": "other"}, every)[1]["id"]
        self.assertEqual(ask("POST", "/v1/jobs", {"name": "other"}), (403, "name"))
        self.assertEqual(ask("POST", "/v1/jobs", {"name": "sum", "then": [{"name": "sum"}, {"name": "other"}]}), (403, "then[1].name"))
        results = ask("POST", "/v1/jobs/batch", {"jobs": [{"name": "other"}, {"name": "sum"}]})[1]["results"]
        self.assertEqual((results[0]["error"]["status"], results[0]["error"]["field"]), (403, "jobs[0].name"))
        self.assertEqual(results[1]["state"], "ready")
        self.assertEqual({job["name"] for job in ask("GET", "/v1/jobs")[1]["jobs"]}, {"mail.in", "sum"})
        for method, path in (("GET", ""), ("GET", "/result"), ("POST", "/cancel")):
            self.assertEqual(ask(method, f"/v1/jobs/{theirs}{path}")[0], 404, path)
            self.assertIn(ask(method, f"/v1/jobs/{mine}{path}")[0], (200, 202), path)
        self.assertEqual(ask("GET", f"/v1/jobs/{theirs}", by=admin)[1]["state"], "ready")
        claim = {"worker": "w", "limit": 5}
        self.assertEqual(ask("POST", "/v1/claims", claim), (403, "names"))
        self.assertEqual(ask("POST", "/v1/claims", {**claim, "names": ["sum", "other"]}), (403, "names[1]"))
        self.assertEqual(ask("POST", "/v1/outcomes", {"worker": "w", "outcomes": [], "claim": {"names": ["other"]}}), (403, "claim.names[0]"))
        job, = ask("POST", "/v1/claims", {**claim, "names": ["sum"]})[1]["jobs"]
        report = {"lease": job["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 1}
        self.assertEqual(ask("POST", f"/v1/jobs/{job['id']}/outcome", report)[0], 200)
        for method, path in (("GET", "/v1/overview"), ("GET", "/v1/names"), ("GET", "/v1/results"), ("POST", "/v1/messages/k")):
            self.assertEqual(ask(method, path, {} if method == "POST" else None)[0], 403, path)
        # With whole names, and no patterns, a claim needs no names.
        whole = self.create(["worker"], by=admin, names=["other"])["token"]
        self.assertEqual([job["id"] for job in ask("POST", "/v1/claims", claim, whole)[1]["jobs"]], [theirs])

    def test_pushers_and_workers_have_their_own_jobs_and_no_others(self):
        admin = self.create(["admin"])["token"]
        mine, other = (self.create(["pusher"], by=admin) for _ in range(2))
        first, second = (self.create(["worker"], by=admin)["token"] for _ in range(2))
        viewer = self.create(["viewer"], by=admin)["token"]

        def ask(method, path, body=None, by=mine["token"]):
            return self.client.request(method, path, body, fields=bearer(by))

        pushed = {"name": "own", "argument": {"n": 1}, "keep_result": True, "then": [{"name": "next"}]}
        job = ask("POST", "/v1/jobs", pushed)[1]["id"]
        self.assertEqual(ask("GET", f"/v1/jobs/{job}")[1]["pusher"], mine["id"])
        self.assertEqual(ask("POST", "/v1/jobs", {"name": "own", "pusher": "me"})[0], 400)
        unknown = "0190a0a0-0000-7000-8000-000000000000"
        for method, path in (("GET", ""), ("GET", "/result"), ("GET", "/explain"), ("POST", "/cancel")):
            answers = [ask(method, f"/v1/jobs/{each}{path}", by=other["token"]) for each in (job, unknown)]
            self.assertEqual([answer[0] for answer in answers], [404, 404], path)
            self.assertEqual(answers[0], answers[1], path)
        self.assertEqual([ask("GET", f"/v1/jobs/{job}{path}")[0] for path in ("", "/result", "/explain")], [200, 202, 200])
        self.assertEqual(ask("GET", f"/v1/jobs/{job}", by=viewer)[0], 200)
        # A worker sees a job as long as it has its lease.
        self.assertEqual(ask("GET", f"/v1/jobs/{job}", by=first)[0], 404)
        leased, = ask("POST", "/v1/claims", {"worker": "w", "names": ["own"]}, first)[1]["jobs"]
        self.assertEqual([ask("GET", f"/v1/jobs/{job}", by=each)[0] for each in (first, second)], [200, 404])
        report = {"lease": leased["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 7}
        self.assertEqual(ask("POST", f"/v1/jobs/{job}/outcome", report, first)[0], 200)
        self.assertEqual(ask("GET", f"/v1/jobs/{job}", by=first)[0], 404)
        followers = ask("GET", "/v1/jobs?name=next", by=viewer)[1]["jobs"]
        self.assertEqual([each["pusher"] for each in followers], [mine["id"]])
        self.assertEqual(ask("GET", f"/v1/jobs/{job}/result", by=other["token"])[0], 404)
        self.assertEqual(ask("GET", f"/v1/jobs/{job}/result")[1]["result"], 7)
        # Every token has its own idempotency keys. A unique key is shared, and so is the result, but nothing else of the job.
        keyed = {"name": "keyed", "idempotency_key": "k"}
        ids = [ask("POST", "/v1/jobs", keyed, by)[1]["id"] for by in (mine["token"], mine["token"], other["token"])]
        self.assertEqual((ids[0] == ids[1], ids[0] == ids[2]), (True, False))
        unique = {"name": "unique", "argument": 1, "unique": {}, "keep_result": True}
        shared = ask("POST", "/v1/jobs", unique)[1]["id"]
        self.assertEqual(ask("GET", f"/v1/jobs/{shared}/result", by=other["token"])[0], 404)
        answer = ask("POST", "/v1/jobs", unique, other["token"])[1]
        self.assertEqual((answer["id"], answer["duplicate"]), (shared, True))
        self.assertEqual([ask(method, f"/v1/jobs/{shared}{path}", by=other["token"])[0] for method, path in
                          (("GET", "/result"), ("GET", ""), ("POST", "/cancel"))], [202, 404, 404])
        self.assertEqual(ask("POST", f"/v1/jobs/{shared}/cancel")[0], 200)

    def lifetimes(self, pattern):
        """For how many seconds keys stay, in order."""
        script = "local all = {} for at, name in ipairs(redis.call('KEYS', ARGV[1])) do all[at] = redis.call('TTL', name) end return all"
        done = subprocess.run(["redis-cli", "-s", os.path.join(self.master.directory, "redis.sock"), "EVAL", script, "0", pattern], check=True,
                              capture_output=True, text=True)
        return sorted(int(line) for line in done.stdout.split())

    def test_a_result_that_outlives_its_job_goes_to_its_pushers_alone(self):
        admin = self.create(["admin"])["token"]
        owner, sharer, stranger, scoped, outside = (self.create(["pusher"], by=admin, **fields)["token"]
                                                    for fields in ({}, {}, {}, {"names": ["own*"]}, {"names": ["other"]}))
        worker = self.create(["worker"], by=admin)["token"]

        def ask(by, method, path, body=None):
            return self.client.request(method, path, body, fields=bearer(by))

        def job(by, name, shared_by=None):
            spec = {"name": name, "argument": 1, "keep_result": True, **({"unique": {}} if shared_by else {})}
            pushed = ask(by, "POST", "/v1/jobs", spec)[1]["id"]
            if shared_by:
                self.assertEqual(ask(shared_by, "POST", "/v1/jobs", spec)[1]["id"], pushed)
            leased, = ask(worker, "POST", "/v1/claims", {"worker": "w"})[1]["jobs"]
            report = {"lease": leased["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": {"password": name}}
            self.assertEqual(ask(worker, "POST", f"/v1/jobs/{pushed}/outcome", report)[0], 200)
            return f"/v1/jobs/{pushed}"

        own, shared, narrow, looked, kept = (job(owner, "own"), job(owner, "shared", sharer), job(scoped, "own.scoped"), job(owner, "own.looked"),
                                             job(owner, "own.kept"))
        self.assertEqual(ask(admin, "PUT", "/v1/retention", {"succeeded": {"age": 0}})[0], 200)
        for path in (own, shared, narrow, looked, kept):
            until(lambda: ask(admin, "GET", path)[0] == 404, 20, "the job is purged")
        for by in (stranger, outside, sharer):
            self.assertEqual([ask(by, "GET", own + "/result" + query)[0] for query in ("", "?peek=true", "?receipt=r")], [404] * 3)
        self.assertEqual([ask(by, "GET", narrow + "/result")[0] for by in (owner, outside)], [404, 404])
        self.assertEqual(ask(scoped, "GET", narrow + "/result")[1]["result"], {"password": "own.scoped"})
        self.assertEqual(ask(owner, "GET", own + "/result?peek=true")[1]["result"], {"password": "own"})
        for _ in range(2):
            self.assertEqual(ask(owner, "GET", own + "/result?receipt=r")[1]["result"], {"password": "own"})
        self.assertEqual(ask(stranger, "GET", own + "/result?receipt=r")[0], 404)
        self.assertEqual(ask(sharer, "GET", shared + "/result")[1]["result"], {"password": "shared"})
        # Operators look and keep it for longer, or throw it away.
        self.assertEqual(ask(admin, "GET", looked + "/result?peek=true")[1]["result"], {"password": "••••"})
        self.assertEqual(ask(admin, "PATCH", looked + "/result", {"ttl": 86400})[0], 200)
        left = self.lifetimes("*:owner:*")
        self.assertEqual(len(left), 5)
        self.assertTrue(left[2] <= 60 and 3000 < left[3] <= 3660 and 86300 < left[4] <= 86460, left)
        self.assertEqual(ask(admin, "DELETE", kept + "/result")[0], 200)
        self.assertEqual(len(self.lifetimes("*:owner:*")), 4)
        self.assertEqual(ask(admin, "POST", "/v1/fsck", {})[1]["found"], 0)

    def test_a_group_is_the_pushers_who_made_it(self):
        admin = self.create(["admin"])["token"]
        maker, other, both, operator = (self.create(roles, by=admin) for roles in (["pusher"], ["pusher"], ["pusher", "viewer"], ["operator"]))
        path, job = "/v1/groups/night", {"name": "n", "group": "night"}

        def ask(by, method, path, body=None):
            status, answer = self.client.request(method, path, body, fields=bearer(by["token"] if isinstance(by, dict) else by))
            return status, answer.get("field") if status >= 400 else answer

        status, made = ask(maker, "PUT", path, {"open": True})
        self.assertEqual((status, made["pusher"], made["shared"]), (200, maker["id"], False))
        unknown = self.client.request("GET", "/v1/groups/nobody", fields=bearer(other["token"]))
        self.assertEqual(self.client.request("GET", path, fields=bearer(other["token"])), unknown)
        self.assertEqual(unknown[0], 404)
        for by in (other, both):  # a viewer sees it and may do no more
            self.assertEqual(ask(by, "PUT", path, {"open": False}), (403, "group"))
            self.assertEqual(ask(by, "PUT", path, {"callback": {"name": "mine"}}), (403, "group"))
            self.assertEqual(ask(by, "PUT", path, {"shared": True}), (403, "group"))
            self.assertEqual(ask(by, "POST", "/v1/jobs", job), (403, "group"))
            results = ask(by, "POST", "/v1/jobs/batch", {"jobs": [{"name": "n"}, job]})[1]["results"]
            self.assertEqual(("id" in results[0], results[1]["error"]["code"], results[1]["error"]["field"]), (True, "forbidden", "jobs[1].group"))
        self.assertEqual([ask(by, "GET", path)[0] for by in (both, operator, admin)], [200, 200, 200])
        for by in (maker, operator, admin):
            self.assertEqual(ask(by, "POST", "/v1/jobs", job)[0], 201)
        self.assertEqual(ask(operator, "PUT", path, {"shared": True})[1]["pusher"], maker["id"])
        self.assertEqual(ask(other, "POST", "/v1/jobs", job)[0], 201)
        self.assertEqual(ask(other, "GET", path)[1]["total"], 4)
        self.assertEqual(ask(other, "PUT", path, {"open": False}), (403, "group"))
        self.assertEqual(ask(maker, "PUT", path, {"shared": False})[0], 200)
        self.assertEqual(ask(other, "GET", path)[0], 404)
        self.assertEqual(self.status("DELETE", "/v1/tokens/" + maker["id"], token=admin), 204)
        self.assertEqual(ask(other, "POST", "/v1/jobs", job)[0], 201)  # it was nobody's
        self.assertEqual(ask(other, "PUT", path, {"open": False})[1]["pusher"], other["id"])
        self.assertEqual(ask(both, "PUT", path, {"open": True}), (403, "group"))
        self.assertEqual(ask(admin, "POST", "/v1/fsck", {})[1]["found"], 0)

    def test_a_viewers_role_does_not_give_a_pusher_the_jobs_of_others(self):
        admin = self.create(["admin", "operator", "pusher", "worker"])["token"]
        both = self.create(["pusher", "viewer"], by=admin)["token"]
        theirs = self.client.request("POST", "/v1/jobs", {"name": "n", "keep_result": True}, fields=bearer(admin))[1]["id"]
        mine = self.client.request("POST", "/v1/jobs", {"name": "own"}, fields=bearer(both))[1]["id"]
        self.assertEqual(self.status("GET", f"/v1/jobs/{theirs}", token=both), 200)
        self.assertEqual(self.status("POST", f"/v1/jobs/{theirs}/cancel", {}, token=both), 404)
        claimed, = self.client.request("POST", "/v1/claims", {"worker": "w", "names": ["n"]}, fields=bearer(admin))[1]["jobs"]
        report = {"lease": claimed["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 1}
        self.assertEqual(self.status("POST", f"/v1/jobs/{theirs}/outcome", report, token=admin), 200)
        for query in ("", "?peek=true"):
            self.assertEqual(self.status("GET", f"/v1/jobs/{theirs}/result{query}", token=both), 404)
        self.assertEqual(self.status("GET", f"/v1/jobs/{theirs}/result", token=admin), 200)
        self.assertEqual(self.status("POST", f"/v1/jobs/{mine}/cancel", {}, token=both), 200)

    def test_a_result_is_not_taken_for_a_client_that_has_left(self):
        admin = self.create(["admin"])["token"]
        token = self.create(["pusher", "worker"], by=admin, names=["n"])["token"]
        job = self.client.request("POST", "/v1/jobs", {"name": "n", "keep_result": True}, fields=bearer(token))[1]["id"]
        claimed, = self.client.request("POST", "/v1/claims", {"worker": "w", "names": ["n"]}, fields=bearer(token))[1]["jobs"]
        report = {"lease": claimed["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 1}
        self.assertEqual(self.status("POST", f"/v1/jobs/{job}/outcome", report, token=token), 200)
        redis = self.master.redis_pid()
        os.kill(redis, signal.SIGSTOP)
        try:
            leaving = http.client.HTTPConnection("127.0.0.1", self.master.port, timeout=20)
            leaving.request("GET", f"/v1/jobs/{job}/result", headers=bearer(token))
            # Every answer on another connection is a turn of the event loop. After some turns the request waits for Redis, and after some
            # more the master knows that its connection has ended.
            for _ in range(5):
                self.assertEqual(self.status("GET", "/healthz"), 200)
            leaving.close()
            for _ in range(5):
                self.assertEqual(self.status("GET", "/healthz"), 200)
        finally:
            os.kill(redis, signal.SIGCONT)
        # Requests at the same time would share the result. So this one waits until Redis has answered the earlier requests.
        for _ in range(3):
            self.assertEqual(self.status("GET", "/v1/jobs", token=admin), 200)
        status, answer = self.client.request("GET", f"/v1/jobs/{job}/result", fields=bearer(token))
        self.assertEqual((status, answer and answer["result"]), (200, 1))

    def test_a_token_with_a_match_keeps_to_its_jobs(self):
        admin = self.create(["admin"])["token"]
        token = self.create(["pusher", "viewer"], by=admin, match="job.argument.region == 'eu'")["token"]

        def ask(method, path, body=None, by=token):
            return self.client.request(method, path, body, fields=bearer(by))

        inside = ask("POST", "/v1/jobs", {"name": "n", "argument": {"region": "eu"}})[1]["id"]
        outside = ask("POST", "/v1/jobs", {"name": "n", "argument": {"region": "us"}}, admin)[1]["id"]
        status, problem = ask("POST", "/v1/jobs", {"name": "n", "argument": {"region": "us"}})
        self.assertEqual((status, "field" in problem), (403, False), problem)
        self.assertIn("match", problem["detail"])
        # With a unique key it could replace a job that it may not see, or learn of it and get its result.
        job = {"name": "n", "argument": {"region": "eu"}}
        for unique in ({"on_conflict": "replace"}, {"key": "customer-42"}):
            status, problem = ask("POST", "/v1/jobs", job | {"unique": unique})
            self.assertEqual((status, problem["field"]), (403, "unique.on_conflict"))
        status, problem = ask("POST", "/v1/jobs", job | {"group": "reports"})
        self.assertEqual((status, problem["field"]), (403, "group"))
        self.assertEqual([job["id"] for job in ask("GET", "/v1/jobs")[1]["jobs"]], [inside])
        self.assertEqual([ask("GET", f"/v1/jobs/{job}")[0] for job in (inside, outside)], [200, 404])

    def test_what_leaves_the_scope_of_a_token_leaves_its_views_and_operations(self):
        admin = self.create(["admin", "operator", "pusher", "worker"])["token"]
        token = self.create(["operator"], by=admin, match="job.argument.region == 'eu'")["token"]

        def ask(method, path, body=None, by=token, expect=(200, 201, 202)):
            status, answer = self.client.request(method, path, body, fields=bearer(by))
            self.assertIn(status, expect, answer)
            return answer

        def move(job):
            ask("PATCH", f"/v1/jobs/{job}", {"argument": {"region": "us"}}, admin)

        def ended(operation):
            until(lambda: ask("GET", f"/v1/operations/{operation}")["state"] == "done", what="the operation's end")
            return ask("GET", f"/v1/operations/{operation}")

        ids = [ask("POST", "/v1/jobs", {"name": "n", "argument": {"region": "eu"}}, admin)["id"] for _ in range(12)]
        view = ask("POST", "/v1/views", {"name": "n", "state": "ready"})
        self.assertEqual(view["count"], 12)
        prepared = ask("POST", "/v1/operations", {"action": "cancel", "view": view["view"], "dry_run": True, "rate": 4})
        move(ids[1])
        page = ask("GET", f"/v1/views/{view['view']}")
        self.assertEqual([job["id"] for job in page["jobs"]], [ids[0], *ids[2:]])
        rows = ask("GET", f"/v1/views/{view['view']}/export").splitlines()
        self.assertEqual([json.loads(row)["id"] for row in rows], [ids[0], *ids[2:]])
        preview = ask("POST", "/v1/operations", {"action": "cancel", "view": view["view"], "dry_run": True})
        self.assertNotIn(ids[1], [job["id"] for job in preview["samples"]])
        self.assertEqual((preview["jobs"], preview["counts"], preview["excluded"]), (11, {"ready": 11, "gone": 1}, {"gone": 1}))
        operation = ask("POST", "/v1/operations", {"token": prepared["token"]})["operation"]
        until(lambda: ask("GET", f"/v1/operations/{operation}")["done"] >= 3, what="some")
        move(ids[11]) # while it runs
        done = ended(operation)
        self.assertEqual((done["done"], done["skipped_by"]), (10, [{"reason": "gone", "jobs": 2}]))
        states = [ask("GET", f"/v1/jobs/{job}", by=admin)["state"] for job in ids]
        self.assertEqual([job for job, state in zip(ids, states) if state != "cancelled"], [ids[1], ids[11]])
        # And when it is taken back: what was retried, and moved since, is not cancelled.
        retried = ask("POST", "/v1/operations", {"action": "retry", "view": view["view"], "dry_run": True})["token"]
        self.assertEqual(ended(ask("POST", "/v1/operations", {"token": retried})["operation"])["done"], 10)
        move(ids[4])
        undo = ended(ask("POST", f"/v1/operations/{retried}/undo")["operation"])
        self.assertEqual((undo["done"], undo["skipped_by"]), (9, [{"reason": "gone", "jobs": 1}]))
        self.assertEqual(ask("GET", f"/v1/jobs/{ids[4]}", by=admin)["state"], "ready")

    def test_a_viewer_deletes_only_the_views_that_its_token_made(self):
        admin = self.create(["admin"])["token"]
        maker, other, operator = (self.create([role], by=admin)["token"] for role in ("viewer", "viewer", "operator"))

        def made(by):
            status, view = self.client.request("POST", "/v1/views", {"state": "failed"}, fields=bearer(by))
            self.assertEqual(status, 201, view)
            return f"/v1/views/{view['view']}"

        def deleted(view, by):
            return self.client.request("DELETE", view, fields=bearer(by))[0]

        view = made(maker)
        self.assertEqual(self.client.request("GET", view, fields=bearer(other))[0], 200) # it shows what any viewer may see
        self.assertEqual([deleted(view, by) for by in (other, maker, maker)], [403, 204, 404])
        self.assertEqual([deleted(made(maker), by) for by in (operator, admin)], [204, 204])
        self.assertEqual(deleted(made(operator), other), 403)

    def test_an_export_ends_when_its_token_is_revoked_although_nobody_reads_it(self):
        admin = self.create(["admin", "operator", "pusher"])["token"]
        viewer = self.create(["viewer"], by=admin)

        def ask(method, path, body=None, by=admin):
            status, answer = self.client.request(method, path, body, fields=bearer(by))
            self.assertIn(status, (200, 201, 204), answer)
            return answer

        jobs = ask("POST", "/v1/jobs/batch", {"jobs": [{"name": "n", "argument": "x" * 8000} for _ in range(1000)]})["results"]
        view = ask("POST", "/v1/views", {"ids": [job["id"] for job in jobs]}, viewer["token"])["view"]
        readers = []
        for token in (viewer["token"], admin):
            reader = socket.socket()
            self.addCleanup(reader.close)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
            reader.connect(("127.0.0.1", self.master.port))
            reader.sendall(f"GET /v1/views/{view}/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            self.assertTrue(reader.recv(20).startswith(b"HTTP/1.1 200"))
            reader.settimeout(60)
            readers.append(reader)
        ask("DELETE", f"/v1/tokens/{viewer['id']}")
        until(lambda: f"export: view {view} broke off after" in self.master.log(), 5, "the end of the export")
        self.assertRegex(self.master.log(), f"export: view {view} broke off after [0-9]+ jobs: its reader's token is revoked or expired")
        ends = []
        for reader in readers:
            rest = b""
            while not rest.endswith(b"\r\n0\r\n\r\n") and (got := reader.recv(1 << 20)):
                rest += got
            ends.append(rest.endswith(b"\r\n0\r\n\r\n"))
        self.assertEqual(ends, [False, True]) # the other one's goes on
        self.assertEqual(self.master.log().count("export: view"), 1)

    def test_junbanctl_makes_lists_and_revokes_them(self):
        def ctl(*words, token=None, expect=0):
            environment = {**os.environ, "JUNBAN_URL": f"http://127.0.0.1:{self.master.port}"}
            done = subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, text=True, env=environment, timeout=60)
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
            return done.stdout if expect == 0 else done.stderr

        token = ctl("tokens", "create", "--role", "admin", "--note", "ops")
        file = pathlib.Path(self.master.directory, "admin.token")
        file.write_text(token)
        self.assertIn("A token is needed", ctl("tokens", "list", expect=1))
        listed = ctl("tokens", "list", "--token-file", str(file))
        self.assertIn("ops", listed)
        self.assertNotIn(token.strip(), listed)
        identity = listed.splitlines()[1].split()[0]
        self.assertIn('--role must be "pusher", ', ctl("tokens", "create", "--role", "king", expect=2))
        self.assertEqual([row["id"] for row in json.loads(ctl("tokens", "--json", "--token-file", str(file)))["tokens"]], [identity])
        other = json.loads(ctl("tokens", "create", "--role", "viewer", "--json", "--token-file", str(file)))
        self.assertEqual((other["roles"], other["created_by"]), (["viewer"], identity))
        # What a worker starts does not get its token: what it prints is the job's result.
        worker = self.create(["worker"], by=token.strip())
        job = self.client.request("POST", "/v1/jobs", {"name": "env", "keep_result": True}, fields=bearer(token.strip()))[1]["id"]
        subprocess.run([PROGRAMS / "junbanctl", "work", "env", "--once", "--exec", """echo '"'${JUNBAN_TOKEN-none}'"'"""], check=True, timeout=60,
                       env=os.environ | {"JUNBAN_URL": f"http://127.0.0.1:{self.master.port}", "JUNBAN_TOKEN": worker["token"]})
        answer = self.client.request("GET", f"/v1/jobs/{job}/result", fields=bearer(token.strip()))[1]
        self.assertEqual(answer["result"], "none")
        ctl("tokens", "revoke", worker["id"], "--yes", "--token-file", str(file))
        self.assertEqual(json.loads(ctl("tokens", "revoke", other["id"], "--yes", "--json", "--token-file", str(file))), {"revoked": other["id"]})
        self.assertIn("revoked", ctl("tokens", "revoke", identity, "--yes", "--token-file", str(file)))
        ctl("jobs")

    def test_beyond_this_machine_tls_and_a_token_are_needed(self):
        """Runs Away in a network of its own, which has an address that is not loopback."""
        done = in_own_network(f"ip address add {AWAY}/32 dev lo; exec {sys.executable} -B {__file__} Away")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 2 tests", done.stderr)


class Browser:
    """What a browser sends: its cookies, and where a change comes from."""

    def __init__(self, master, page=None):
        self.port, self.page, self.cookies, self.set = master.port, page or f"http://127.0.0.1:{master.port}", {}, []

    def ask(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        headers = {"Accept": "application/json"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if method != "GET":
            headers["Origin"] = self.page
        if body is not None:
            headers["Content-Type"] = "application/json"
        headers |= {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, path, None if body is None else json.dumps(body), {name: value for name, value in headers.items() if value})
        answer = connection.getresponse()
        text = answer.read()
        self.set = answer.headers.get_all("Set-Cookie") or []
        for each in self.set:
            name, value = each.split(";")[0].split("=")
            self.cookies[name] = value
            if not value:
                del self.cookies[name]
        connection.close()
        return answer.status, json.loads(text) if text else None

    def status(self, *request, **fields):
        return self.ask(*request, **fields)[0]

    def sign_in(self, token):
        return self.ask("POST", "/v1/session", {"token": token})


class Sessions(unittest.TestCase):
    """Signing in to the web console."""

    def setUp(self):
        self.master = self.enterContext(Master())
        self.admin = self.create(self.master, ["admin"])

    @staticmethod
    def create(master, roles, by=None, **fields):
        status, created = Client(master.port).request("POST", "/v1/tokens", {"roles": roles, **fields}, fields=bearer(by["token"]) if by else None)
        assert status == 201, created
        return created

    def person(self, roles, **fields):
        browser = Browser(self.master)
        token = self.create(self.master, roles, self.admin, **fields)
        status, session = browser.sign_in(token["token"])
        self.assertEqual(status, 201, session)
        return browser, token

    def same_redis(self, *arguments):
        directory = self.master.directory
        return Master(arguments=["--redis", f"unix://{directory}/redis.sock", "--pepper-file", f"{directory}/pepper", *arguments])

    def test_a_token_becomes_a_session_that_says_who_it_is(self):
        self.assertEqual(Browser(self.master).status("GET", "/v1/session"), 401)
        browser, token = self.person(["operator", "worker"], note="ada")
        cookie, = browser.set
        self.assertRegex(cookie, r"^junban-[0-9a-f]{12}=js_[\w-]{43}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$")
        status, session = browser.ask("GET", "/v1/session")
        self.assertEqual((status, session["who"], session["note"], session["roles"], session["signed_in"], session["all_jobs"], session["idle"]),
                         (200, token["id"], "ada", ["operator"], True, True, 3600))
        self.assertIn("expires_at", session)
        self.assertEqual([browser.status("GET", path) for path in ("/v1/overview", "/v1/jobs", "/v1/tokens")], [200, 200, 403])
        self.assertEqual(browser.status("POST", "/v1/jobs", {"name": "n"}), 201)
        self.assertEqual(browser.status("POST", "/v1/claims", {"worker": "w", "names": ["n"]}), 403)
        # With a token in the same request that is not known, the session does not count.
        self.assertEqual(browser.status("GET", "/v1/jobs", **bearer("jt_wrong")), 401)
        answer = Client(self.master.port).request("GET", "/v1/session", fields=bearer(self.admin["token"]))[1]
        self.assertEqual((answer["who"], answer["roles"], answer["signed_in"]), (self.admin["id"], ["admin"], False))
        self.assertNotIn(cookie.split("=")[1].split(";")[0], self.master.log())

    def test_the_audit_keeps_the_sign_in_of_each_role(self):
        people = [self.person([role], note=role)[1] for role in ("viewer", "operator", "admin")]
        entries = Client(self.master.port).request("GET", "/v1/audit?action=signIn", fields=bearer(self.admin["token"]))[1]["entries"]
        self.assertEqual([(each["actor"], each["note"], each["roles"], each["result"]) for each in reversed(entries)],
                         [(token["id"], role, [role], 201) for token, role in zip(people, ("viewer", "operator", "admin"))])
        # Without a token nobody is known, so a body that is wrong leaves no entry.
        self.assertEqual(Browser(self.master).status("POST", "/v1/session", {}), 400)
        again = Client(self.master.port).request("GET", "/v1/audit?action=signIn", fields=bearer(self.admin["token"]))[1]["entries"]
        self.assertEqual(again, entries)

    def test_signing_out_ends_it_here_and_at_other_masters(self):
        browser, token = self.person(["viewer"])
        with self.same_redis() as other:
            there = Browser(other)
            there.cookies = dict(browser.cookies)
            until(lambda: there.status("GET", "/v1/session") == 200, 20, "the other master takes it")
            self.assertEqual(browser.status("DELETE", "/v1/session"), 204)
            self.assertEqual(browser.cookies, {})
            until(lambda: there.status("GET", "/v1/session") == 401, 20, "the other master knows that it has ended")
            self.assertEqual(there.ask("GET", "/v1/jobs")[1]["reason"], "session_ended")
            # Everywhere, by another session of the same token, which signed in at the other master.
            here, elsewhere = Browser(self.master), Browser(other)
            self.assertEqual([each.sign_in(token["token"])[0] for each in (here, elsewhere)], [201, 201])
            self.assertEqual(here.status("GET", "/v1/jobs"), 200)
            self.assertEqual(elsewhere.status("DELETE", "/v1/session?everywhere=true"), 204)
            until(lambda: here.status("GET", "/v1/jobs") == 401, 20, "the first one has ended")
        self.assertEqual(here.status("DELETE", "/v1/session"), 401)
        answer = Client(self.master.port).request("DELETE", "/v1/session", fields=bearer(token["token"]))[1]
        self.assertEqual((answer["status"], answer["reason"]), (404, "session_none"))

    def test_every_thread_takes_it_and_knows_its_end(self):
        with self.same_redis("--threads", "4") as wide:
            browser = Browser(wide)
            self.assertEqual(browser.sign_in(self.admin["token"])[0], 201)
            self.assertEqual({browser.status("GET", "/v1/jobs") for _ in range(40)}, {200})
            cookies = dict(browser.cookies)
            self.assertEqual(browser.status("DELETE", "/v1/session"), 204)
            browser.cookies = cookies
            self.assertEqual({browser.status("GET", "/v1/jobs") for _ in range(40)}, {401})

    def test_a_session_ends_with_its_token_and_when_its_time_is_over(self):
        browser, token = self.person(["viewer"])
        self.assertEqual(browser.status("GET", "/v1/jobs"), 200)
        self.assertEqual(Client(self.master.port).request("DELETE", "/v1/tokens/" + token["id"], fields=bearer(self.admin["token"]))[0], 204)
        self.assertEqual(browser.status("GET", "/v1/jobs"), 401)
        for option in ("--session-length", "--session-idle"):
            with self.same_redis(option, "1") as short:
                browser = Browser(short)
                status, session = browser.sign_in(self.admin["token"])
                self.assertEqual((status, session["idle"]), (201, 1 if option.endswith("idle") else 3600))

                def ended():
                    time.sleep(1)  # a look is a use
                    return browser.status("GET", "/v1/session") == 401

                until(ended, 30, "it ends")
        command = [PROGRAMS / "junband", "--session-idle", "0"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--session-idle must be a number of seconds from 1 to 2592000", done.stderr.replace(",", ""))

    def test_programs_do_not_sign_in_and_guesses_are_counted(self):
        program = self.create(self.master, ["pusher", "worker"], self.admin)
        status, problem = Browser(self.master).sign_in(program["token"])
        self.assertEqual((status, problem["reason"]), (403, "session_role_needed"))
        browser = Browser(self.master)
        self.assertEqual([browser.sign_in("jt_wrong")[0] for _ in range(11)], [401] * 10 + [429])
        self.assertEqual(browser.cookies, {})
        self.assertEqual(Client(self.master.port).request("GET", "/v1/jobs", fields=bearer("jt_wrong"))[0], 429)
        self.assertEqual(browser.sign_in(self.admin["token"])[0], 201)
        self.assertEqual(browser.ask("POST", "/v1/session", {"token": "x" * 201})[1]["field"], "token")

    def test_a_page_of_another_origin_has_no_use_of_it(self):
        browser, _ = self.person(["operator"])
        paused = {"match": "job.name == 'nobody'", "reason": "test"}
        for fields in ({"Origin": None}, {"Origin": "https://evil.example"}, {"Origin": f"http://127.0.0.1:{self.master.port + 1}"},
                       {"Origin": "null"}, {"Origin": None, "Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"}):
            self.assertEqual(browser.status("POST", "/v1/pause", paused, **fields), 403, fields)
        self.assertEqual(browser.ask("POST", "/v1/pause", paused, Origin=None)[1]["reason"], "origin_missing")
        for site in ("same-site", "cross-site"):
            self.assertEqual(browser.status("GET", "/v1/jobs", Sec_Fetch_Site=site), 401)
        socket_fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
                         "Sec-WebSocket-Protocol": "junban.live"}
        for origin in (None, "https://evil.example"):
            self.assertEqual(browser.status("GET", "/v1/live", Origin=origin, **socket_fields), 403)
        self.assertEqual(browser.status("POST", "/v1/jobs", {"name": "n"}), 201)
        self.assertEqual(browser.status("POST", "/v1/jobs", {"name": "n"}, Origin=None, Sec_Fetch_Site="same-origin"), 201)

    def test_two_queues_on_one_host_keep_their_sessions_apart(self):
        with Master() as other:
            admin = self.create(other, ["admin"])
            browser, _ = self.person(["viewer"])
            there = Browser(other)
            there.cookies = browser.cookies  # a browser sends them to every port
            self.assertEqual(there.sign_in(admin["token"])[0], 201)
            self.assertEqual(len(browser.cookies), 2)
            self.assertEqual([each.ask("GET", "/v1/session")[1]["roles"] for each in (browser, there)], [["viewer"], ["admin"]])
            self.assertEqual(there.status("DELETE", "/v1/session"), 204)
            self.assertEqual([each.status("GET", "/v1/session") for each in (browser, there)], [200, 401])

    def test_the_audit_has_who_signed_in_and_who_could_not(self):
        browser, token = self.person(["operator"], note="ada")
        Browser(self.master).sign_in("jt_wrong")
        self.assertEqual(browser.status("DELETE", "/v1/session"), 204)

        def entries():
            listed = Client(self.master.port).request("GET", "/v1/audit", fields=bearer(self.admin["token"]))[1]["entries"]
            return [(each["action"], each["actor"], each["result"]) for each in listed if each["action"] in ("signIn", "signOut")]

        expected = [("signOut", token["id"], 204), ("signIn", "unknown", 401), ("signIn", token["id"], 201)]
        until(lambda: entries() == expected, 20, "the audit has them")


class Away(unittest.TestCase):
    """Run by the test above."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-e2e-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.key, self.certificate = (os.path.join(self.directory, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=junban", "-addext", f"subjectAltName=IP:{AWAY}", "-keyout", self.key, "-out", self.certificate],
                       check=True, capture_output=True)

    def refused(self, *words):
        command = [PROGRAMS / "junband", "--data-dir", self.directory, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr

    def ctl(self, *words, expect=0, **environment):
        done = subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, text=True, env={**os.environ, **environment}, timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def serving(self, *words):
        """Starts a master. Returns the process and its URL."""
        with open(os.path.join(self.directory, "log"), "ab") as log:
            process = subprocess.Popen([PROGRAMS / "junband", "--data-dir", self.directory, *words], stdout=subprocess.PIPE, text=True,
                                       stderr=log)
        self.addCleanup(lambda: (process.terminate(), process.communicate(timeout=30)))
        return process, process.stdout.readline().removeprefix("junban: listening on ").strip()

    def stop(self, process):
        process.terminate()
        process.communicate(timeout=30)

    def test_tls_a_token_and_the_authority(self):
        listen, tls = ["--listen", f"{AWAY}:0"], ["--tls-key", self.key, "--tls-certificate", self.certificate]
        self.assertIn("TLS and a token", self.refused(*listen))
        self.assertIn("tokens create --role admin", self.refused(*listen, *tls))
        process, url = self.serving("--listen", "127.0.0.1:0")
        token = self.ctl("tokens", "create", "--role", "admin", "--url", url).strip()
        self.stop(process)
        self.assertIn("TLS and a token", self.refused(*listen))
        process, url = self.serving(*listen, *tls)
        self.assertTrue(url.startswith(f"https://{AWAY}:"), url)
        self.assertIn("A token is needed", self.ctl("jobs", "--url", url, "--ca", self.certificate, expect=1))
        self.ctl("jobs", "--url", url, "--ca", self.certificate, JUNBAN_TOKEN=token)
        self.assertNotIn("A token is needed", self.ctl("jobs", "--url", url, expect=1, JUNBAN_TOKEN=token))  # its CA is not trusted
        identity = self.ctl("tokens", "--url", url, "--ca", self.certificate, JUNBAN_TOKEN=token).splitlines()[1].split()[0]
        self.ctl("tokens", "revoke", identity, "--yes", "--url", url, "--ca", self.certificate, JUNBAN_TOKEN=token)
        self.assertIn("needed from other machines", self.ctl("jobs", "--url", url, "--ca", self.certificate, expect=1))
        self.assertIn("is no file of certificates", self.ctl("jobs", "--url", url, "--ca", self.key, expect=2))

    def test_insecure_serves_everybody_until_there_is_a_token(self):
        _, url = self.serving("--listen", f"{AWAY}:0", "--insecure")
        self.assertIn("every caller of the network holds every role (--insecure)", pathlib.Path(self.directory, "log").read_text())
        self.ctl("jobs", "--url", url)
        self.ctl("tokens", "create", "--role", "admin", "--url", url)
        self.assertIn("A token is needed", self.ctl("jobs", "--url", url, expect=1))


def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Tokens, Sessions))


if __name__ == "__main__":
    unittest.main()
