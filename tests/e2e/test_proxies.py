"""The manual's reverse proxies, nginx and Caddy, run unchanged. A master works behind each of them as it does without."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from harness import Master, until
from livesocket import LiveSocket, refused
from redisserver import die_with_parent, free_port

MANUAL = (pathlib.Path(__file__).resolve().parents[2] / "docs/proxies.md").read_text(encoding="utf-8")
NAME = "queue.example.org"
WAIT_S = 60  # the longest wait that a claim may have


class Proxy:
    """nginx or Caddy on a port of its own, in front of a master's port or unix socket."""

    def __init__(self, kind, master, directory):
        self.kind, self.directory = kind, pathlib.Path(tempfile.mkdtemp(prefix=kind, dir=directory))
        self.port = free_port()
        text = re.search(rf"^```{kind} proxy\n(.*?)^```$", MANUAL, re.M | re.S)[1]
        text = text.replace("127.0.0.1:7717", master).replace("/etc/ssl/queue", str(directory))
        self.command = getattr(self, kind)(text)

    def nginx(self, text):
        file = self.directory / "nginx.conf"
        places = "".join(f"{name}_temp_path {self.directory}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        file.write_text(f"{user}daemon off;\npid {self.directory}/pid;\nerror_log stderr;\nevents {{ }}\nhttp {{\naccess_log off;\n{places}"
                        + text.replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl") + "}\n")
        return ["nginx", "-p", self.directory, "-c", file]

    def caddy(self, text):
        file = self.directory / "Caddyfile"
        file.write_text("{\n    admin off\n    grace_period 1s\n    auto_https disable_redirects\n    default_bind 127.0.0.1\n}\n"
                        + text.replace(NAME, f"{NAME}:{self.port}", 1))
        return ["caddy", "run", "--adapter", "caddyfile", "--config", file]

    def __enter__(self):
        self.log = open(self.directory / "log", "wb")
        environment = {**os.environ, "HOME": str(self.directory), "XDG_DATA_HOME": str(self.directory), "XDG_CONFIG_HOME": str(self.directory),
                       "PATH": os.environ["PATH"] + ":/usr/sbin"}
        if shutil.which(self.command[0], path=environment["PATH"]) is None:
            raise AssertionError(f"{self.command[0]} is not installed: scripts/deps install")
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log, env=environment, preexec_fn=die_with_parent)
        until(self.listens, 30, f"{self.kind} listens")
        return self

    def listens(self):
        if self.process.poll() is not None:
            raise AssertionError((self.directory / "log").read_text())
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Caller:
    """A connection to a proxy, or without a certificate to the master itself."""

    def __init__(self, port, certificate=None, token=None, host=NAME):
        self.host, self.token = host, token
        if certificate:
            self.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=90, context=ssl.create_default_context(cafile=certificate))
            self.connection._create_connection = lambda address, *rest: socket.create_connection(("127.0.0.1", port), *rest)
            self.connection.host = host  # the name that the certificate must have
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90)

    def send(self, method, path, body=None, **more):
        fields = {"Accept": "application/json", "Content-Type": "application/json", "Host": self.host}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        fields |= more
        self.connection.request(method, path, None if body is None else json.dumps(body), fields)

    def ask(self, method, path, body=None):
        self.send(method, path, body)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if "json" in answer.getheader("Content-Type", "") else content

    def close(self):
        self.connection.close()


class Proxies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="junban-proxies-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.certificate = f"{cls.directory}/chain.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},DNS:other.example.org", "-keyout", f"{cls.directory}/key.pem",
                        "-out", cls.certificate], check=True, capture_output=True)
        cls.socket = f"{cls.directory}/api.sock"
        master = cls.enterClassContext(Master(arguments=["--host", NAME, "--listen", f"unix:{cls.socket}", "--trusted-proxy", "127.0.0.1"]))
        admin = cls.created(master, ["admin"])
        cls.token, cls.viewer = (cls.created(master, roles, admin) for roles in (["worker", "pusher"], ["viewer"]))
        cls.proxies = [cls.enterClassContext(Proxy(kind, f"127.0.0.1:{master.port}", cls.directory)) for kind in ("nginx", "caddy")]

    @staticmethod
    def created(master, roles, by=None):
        caller = Caller(master.port, token=by, host="localhost")
        status, answer = caller.ask("POST", "/v1/tokens", {"roles": roles})
        caller.close()
        assert status == 201, answer
        return answer["token"]

    def each(self):
        for proxy in self.proxies:
            with self.subTest(proxy.kind):
                yield proxy, f"{proxy.kind}-{self._testMethodName}"

    def caller(self, proxy, token=True, **options):
        made = Caller(proxy.port, self.certificate, self.token if token is True else token, **options)
        self.addCleanup(made.close)
        return made

    def ok(self, caller, *request):
        status, answer = caller.ask(*request)
        self.assertIn(status, (200, 201), answer)
        return answer

    def test_nobody_gets_in_without_a_token(self):
        for proxy, _ in self.each():
            status, problem = self.caller(proxy, token=False).ask("GET", "/v1/jobs")
            self.assertEqual((status, problem["code"]), (401, "unauthorized"))
            self.assertEqual(self.caller(proxy).ask("POST", "/v1/jobs", {"name": "n"})[0], 201)
            self.assertEqual(self.caller(proxy).ask("GET", "/v1/tokens")[0], 403)

    def test_a_proxy_of_the_same_user_reaches_it_over_its_unix_socket(self):
        for kind, where in (("nginx", f"unix:{self.socket}"), ("caddy", f"unix/{self.socket}")):
            with self.subTest(kind), Proxy(kind, where, self.directory) as proxy:
                self.assertEqual(self.caller(proxy, token=False).ask("GET", "/v1/jobs")[0], 401)
                self.assertEqual(self.caller(proxy).ask("POST", "/v1/jobs", {"name": f"{kind}-socket"})[0], 201)

    def test_only_the_name_that_the_master_knows_gets_through(self):
        proxy = self.proxies[0]  # Caddy serves one name only
        status, problem = self.caller(proxy, host="other.example.org").ask("GET", "/healthz")
        self.assertEqual((status, problem["code"]), (421, "unknown_host"))

    def test_a_browser_signs_in_with_a_cookie_for_tls_alone(self):
        for proxy, _ in self.each():
            browser = self.caller(proxy, token=False)
            browser.send("POST", "/v1/session", {"token": self.viewer}, Origin=f"https://{NAME}")
            answer = browser.connection.getresponse()
            self.assertEqual((answer.status, json.loads(answer.read())["roles"]), (201, ["viewer"]))
            cookie = answer.getheader("Set-Cookie")
            self.assertRegex(cookie, r"^__Host-junban-[0-9a-f]{12}=js_\S+; Path=/; .*; Secure$")
            text = cookie.split(";")[0]
            for sent, expected in ((text, 200), (text.removeprefix("__Host-"), 401)):
                browser.send("GET", "/v1/session", Cookie=sent)
                answer = browser.connection.getresponse()
                answer.read()
                self.assertEqual(answer.status, expected, sent[:12])

    def test_a_claim_waits_its_whole_time(self):
        def wait(proxy):
            began = time.monotonic()
            answer = self.caller(proxy).ask("POST", "/v1/claims", {"worker": "w", "names": ["never"], "wait": WAIT_S})
            return answer, time.monotonic() - began

        with concurrent.futures.ThreadPoolExecutor() as pool:
            for answer, seconds in pool.map(wait, self.proxies):
                self.assertEqual(answer, (200, {"jobs": []}))
                self.assertGreaterEqual(seconds, WAIT_S - 1)

    def test_a_waiting_worker_gets_its_job_at_once(self):
        for proxy, name in self.each():
            worker = self.caller(proxy)
            worker.send("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": WAIT_S})
            pushed = self.ok(self.caller(proxy), "POST", "/v1/jobs", {"name": name, "keep_result": True})
            began = time.monotonic()
            job, = json.loads(worker.connection.getresponse().read())["jobs"]
            self.assertLess(time.monotonic() - began, WAIT_S / 2)
            pusher = self.caller(proxy)
            pusher.send("GET", f"/v1/jobs/{pushed['id']}/result?wait=60")
            report = {"lease": job["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": "z" * 500_000}
            self.assertEqual(self.ok(worker, "POST", f"/v1/jobs/{job['id']}/outcome", report), {"state": "succeeded"})
            self.assertEqual(json.loads(pusher.connection.getresponse().read())["result"], "z" * 500_000)

    def test_who_watches_over_a_websocket_is_told_of_changes(self):
        def watch(proxy, **options):
            connected = socket.create_connection(("127.0.0.1", proxy.port))
            self.addCleanup(connected.close)
            trusting = ssl.create_default_context(cafile=self.certificate)
            return {"url": f"wss://{NAME}", "socket": trusting.wrap_socket(connected, server_hostname=NAME), "origin": f"https://{NAME}", **options}

        def pinged(proxy):
            with LiveSocket(**watch(proxy, token=self.viewer)) as live:
                live.until_ping()
                revision = self.ok(self.caller(proxy, self.viewer), "GET", "/v1/changes")["revision"]
                self.ok(self.caller(proxy), "POST", "/v1/jobs", {"name": "watched"})
                while (news := live.told())["revision"] <= revision:
                    pass
                return news["changed"]

        with concurrent.futures.ThreadPoolExecutor() as pool:
            self.assertEqual(list(pool.map(pinged, self.proxies)), [["jobs"], ["jobs"]])
        for proxy, _ in self.each():
            self.assertEqual(refused(**watch(proxy)), 401)
            self.assertEqual(refused(**watch(proxy, token=self.viewer, origin="https://evil.example")), 403)

    def test_large_batches_pass_and_larger_ones_are_refused(self):
        for proxy, name in self.each():
            jobs = [{"name": name, "argument": "x" * 8000}] * 960  # 7.7 MB
            answer = self.ok(self.caller(proxy), "POST", "/v1/jobs/batch", {"jobs": jobs})
            self.assertEqual(len(answer["results"]), 960)
            status, _ = self.refused_body(proxy, 8_500_000)
            self.assertEqual(status, 413)

    def refused_body(self, proxy, size):
        caller = self.caller(proxy)
        try:
            return caller.ask("POST", "/v1/jobs/batch", {"jobs": [{"name": "n", "argument": "x" * size}]})
        except OSError:  # the answer came before the whole body was sent
            answer = http.client.HTTPResponse(caller.connection.sock)
            answer.begin()
            return answer.status, answer.read()

    def test_a_worker_that_left_gets_no_job(self):
        for proxy, name in self.each():
            later = self.ok(self.caller(proxy), "POST", "/v1/jobs", {"name": name, "delay": 3600})["id"]
            leaving = self.caller(proxy)
            leaving.send("POST", "/v1/claims", {"worker": "leaving", "names": [name], "wait": WAIT_S})
            until(lambda: self.waiting_claims(proxy, later) == 1, 20, "a claim that waits")
            leaving.close()
            until(lambda: self.waiting_claims(proxy, later) == 0, 20, "a claim that is given up")
            self.ok(self.caller(proxy), "POST", "/v1/jobs", {"name": name})
            job, = self.ok(self.caller(proxy), "POST", "/v1/claims", {"worker": "w", "names": [name]})["jobs"]
            self.assertEqual(job["attempt"], 1)

    def waiting_claims(self, proxy, job):
        gates = self.ok(self.caller(proxy), "GET", f"/v1/jobs/{job}/explain")["gates"]
        return next(gate["waiting"] for gate in gates if gate["gate"] == "workers")


if __name__ == "__main__":
    unittest.main()
