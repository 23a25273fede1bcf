"""How a master is reached: unix sockets, TLS with certificates of clients, new certificates while it serves, proxies. The programs and the
certificates are real, and the network has an address that is not loopback."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

import websocket

from harness import Client, Master, PROGRAMS, in_own_network, run, until
from livesocket import LiveSocket, refused

AWAY = "192.0.2.9"  # an address of no machine (RFC 5737)
INSECURE = "this master was started with --insecure"


def ctl(*words, expect=0, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("JUNBAN_") or key == "JUNBAN_BIN"}
    done = run([PROGRAMS / "junbanctl", *words], env={**clean, **environment})
    assert done.returncode == expect, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


class UnixHTTP(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        self.sock.connect(self.path)


def get(connection, path="/v1/jobs", **fields):
    connection.request("GET", path, headers={"Accept": "application/json", **{key.replace("_", "-"): value for key, value in fields.items()}})
    answer = connection.getresponse()
    return answer.status, answer.read()


class UnixSocket(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-e2e-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.path = os.path.join(self.directory, "run", "api.sock")
        self.url = "unix:" + self.path
        self.master = Master(arguments=["--listen", self.url, "--threads", "2"])
        self.addCleanup(self.master.__exit__)

    def test_it_serves_its_owner_until_there_is_a_token_and_then_asks_for_one(self):
        self.master.start()
        self.assertEqual(self.master.process.stdout.readline(), f"junban: listening on {self.url}\n")
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in (self.path, os.path.dirname(self.path))], [0o600, 0o700])
        pushed = json.loads(ctl("push", "n", "--json", "--url", self.url)[0])
        self.assertEqual(json.loads(ctl("jobs", "--json", JUNBAN_URL=self.url)[0])["jobs"][0]["id"], pushed["id"])
        connection = UnixHTTP(self.path)
        for _ in range(3):
            self.assertEqual(get(connection)[0], 200)
        self.assertEqual(get(connection, X_Forwarded_For="127.0.0.1")[0], 401)
        token = ctl("tokens", "create", "--role", "admin", "--url", self.url)[0].strip()
        self.assertIn("A token is needed", ctl("jobs", "--url", self.url, expect=1)[1])
        self.assertEqual(get(connection)[0], 401)
        self.assertEqual([get(connection, path)[0] for path in ("/healthz", "/readyz")], [200, 200])
        ctl("jobs", "--url", self.url, JUNBAN_TOKEN=token)
        # When the tokens are lost, the owner makes a new one. Only the socket allows that.
        subprocess.run(["redis-cli", "-s", os.path.join(self.master.directory, "redis.sock"), "FLUSHALL"], check=True, capture_output=True)
        until(lambda: get(connection)[0] == 200, 10, "the loss is seen")
        self.assertEqual(Client(self.master.port).request("GET", "/v1/jobs")[0], 401)
        again = until(self.new_token, 10, "the other thread sees it, too")
        self.assertEqual(get(connection)[0], 401)
        ctl("jobs", "--url", self.url, JUNBAN_TOKEN=again)
        connection.close()
        self.assertEqual(self.master.kill(signal.SIGTERM), 0)
        self.assertFalse(os.path.exists(self.path))
        self.assertIn("There is no socket " + self.path, ctl("jobs", "--url", self.url, expect=1)[1])

    def test_changes_are_told_over_it_too(self):
        self.master.start()

        def watch(**options):
            connected = socket.socket(socket.AF_UNIX)
            self.addCleanup(connected.close)
            connected.connect(self.path)
            return {"url": "ws://localhost", "socket": connected, **options}

        with LiveSocket(**watch()) as live:
            live.told()
            made = json.loads(ctl("tokens", "create", "--role", "admin", "--json", "--url", self.url)[0])
            self.assertEqual(live.closed()[0], 4401)
        self.assertEqual(refused(**watch()), 401)
        with LiveSocket(**watch(token=made["token"])) as live:
            self.assertIn("revision", live.told())

    def new_token(self):
        """An admin's token that the owner makes; None while the thread that is asked still knows the tokens that were lost."""
        command = [PROGRAMS / "junbanctl", "tokens", "create", "--role", "admin", "--url", self.url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            self.assertIn("A token is needed", done.stderr)
            return None
        return done.stdout.strip()

    def test_what_a_killed_master_leaves_is_replaced_and_a_living_one_is_not(self):
        self.master.start()
        with tempfile.TemporaryDirectory() as directory:
            command = [PROGRAMS / "junband", "--data-dir", directory, "--listen", self.url]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("another process listens there", done.stderr)
            done = subprocess.run([*command[:-1], "unix:api"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("absolute", done.stderr)
        ctl("status", "--url", self.url)
        self.master.kill()
        self.assertTrue(os.path.exists(self.path))
        self.assertIn("Nobody listens on the socket " + self.path, ctl("jobs", "--url", self.url, expect=1)[1])
        self.master.start()
        ctl("status", "--url", self.url)


class Certificates:
    """Authorities and what they sign, made by openssl in a directory."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def path(self, name):
        return str(self.directory / name)

    def openssl(self, *words):
        subprocess.run(["openssl", *words], check=True, capture_output=True)

    def authority(self, name):
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                     "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", self.path(name + ".key"), "-out", self.path(name + ".pem"))

    def signed(self, name, by, extension, key="ec"):
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] if key == "ec" else ["-newkey", "rsa:2048"]
        self.openssl("req", *kind, "-nodes", "-subj", f"/CN={name}", "-keyout", self.path(name + ".key"), "-out", self.path("request"))
        pathlib.Path(self.path("extension")).write_text(extension)
        self.openssl("x509", "-req", "-in", self.path("request"), "-CA", self.path(by + ".pem"), "-CAkey", self.path(by + ".key"), "-CAcreateserial",
                     "-days", "2", "-extfile", self.path("extension"), "-out", self.path(name + ".pem"))


class Served(unittest.TestCase):
    """A master in a directory of its own, at any address."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-e2e-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def serving(self, *words):
        with open(os.path.join(self.directory, "log"), "ab") as log:
            process = subprocess.Popen([PROGRAMS / "junband", "--data-dir", self.directory, *words], stdout=subprocess.PIPE, text=True, stderr=log)
        self.addCleanup(self.stop, process)
        line = process.stdout.readline()
        self.assertTrue(line.startswith("junban: listening on "), (line, self.log()))
        return process, line.removeprefix("junban: listening on ").strip()

    def stop(self, process):
        process.terminate()
        process.communicate(timeout=60)

    def log(self):
        return pathlib.Path(self.directory, "log").read_text()


class Tls(Served):
    def setUp(self):
        super().setUp()
        self.made = Certificates(self.directory)
        self.made.authority("ca")
        self.made.authority("clients")
        self.made.signed("server", "ca", "subjectAltName=IP:127.0.0.1\n")
        self.ca, self.certificate, self.key = (self.made.path(name) for name in ("ca.pem", "server.pem", "server.key"))
        self.words = ["--listen", "127.0.0.1:0", "--tls-certificate", self.certificate, "--tls-key", self.key]

    def test_clients_without_a_certificate_of_the_authority_are_refused_at_the_handshake(self):
        self.made.signed("worker", "clients", "extendedKeyUsage=clientAuth\n", key="rsa")
        self.made.signed("stranger", "ca", "extendedKeyUsage=clientAuth\n")
        process, url = self.serving(*self.words, "--tls-client-ca", self.made.path("clients.pem"))
        mine = ["--cert", self.made.path("worker.pem"), "--cert-key", self.made.path("worker.key")]
        ctl("status", "--url", url, "--ca", self.ca, *mine)
        ctl("status", JUNBAN_URL=url, JUNBAN_CA=self.ca, JUNBAN_CERT=mine[1], JUNBAN_CERT_KEY=mine[3])
        for other in ([], ["--cert", self.made.path("stranger.pem"), "--cert-key", self.made.path("stranger.key")]):
            out, error = ctl("status", "--url", url, "--ca", self.ca, *other, expect=1)
            self.assertEqual(out, "")
            self.assertNotIn("token", error)
            self.assertEqual("does the master want a certificate of this client?" in error, not other, error)
        self.assertIn("does the master speak TLS?", ctl("status", "--url", url.replace("https", "http"), expect=1)[1])
        self.assertIn("does not go with", ctl("status", "--url", url, *mine[:3], self.made.path("stranger.key"), expect=2)[1])
        self.assertIn("--cert-key", ctl("status", "--url", url, *mine[:2], expect=2)[1])
        # A client with a certificate needs a token, too.
        ctl("tokens", "create", "--role", "admin", "--url", url, "--ca", self.ca, *mine)
        self.assertIn("A token is needed", ctl("status", "--url", url, "--ca", self.ca, *mine, expect=1)[1])
        port = url.rsplit(":", 1)[1]
        for version, answered in (("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)):
            done = subprocess.run(["openssl", "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", f"127.0.0.1:{port}", "-cert", mine[1], "-key",
                                   mine[3], "-CAfile", self.ca, "-ign_eof"], capture_output=True, text=True, timeout=60,
                                  input=f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            self.assertEqual("HTTP/1.1 200" in done.stdout, answered, (version, done.stdout[-500:], done.stderr[-500:]))

    def test_changes_are_told_over_tls_to_who_has_a_certificate(self):
        self.made.signed("worker", "clients", "extendedKeyUsage=clientAuth\n")
        _, url = self.serving(*self.words, "--tls-client-ca", self.made.path("clients.pem"))
        trust = {"ca_certs": self.ca}
        mine = {**trust, "certfile": self.made.path("worker.pem"), "keyfile": self.made.path("worker.key")}
        where = {"url": url.replace("https", "wss"), "origin": url}
        self.assertRaises((OSError, websocket.WebSocketException), LiveSocket, sslopt=trust, **where)
        with LiveSocket(sslopt=mine, **where) as live:
            revision = live.told()["revision"]
            ctl("push", "n", "--url", url, "--ca", self.ca, "--cert", mine["certfile"], "--cert-key", mine["keyfile"])
            self.assertEqual(live.told()["changed"], ["jobs"])
            live.ask({"since": revision})
            self.assertEqual(live.told()["changed"], ["jobs"])
            live.ask("no")
            self.assertEqual(live.closed()[0], 4400)
        self.assertEqual(refused(sslopt=mine, **{**where, "origin": "https://evil.example"}), 403)

    def serial(self, port):
        """The certificate that a new connection gets."""
        return ssl.get_server_certificate(("127.0.0.1", port))

    def test_new_certificates_are_read_on_sighup_and_no_connection_is_dropped(self):
        process, url = self.serving(*self.words, "--threads", "2")
        port = int(url.rsplit(":", 1)[1])
        old = self.serial(port)
        open_one = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=ssl.create_default_context(cafile=self.ca))
        self.assertEqual(get(open_one)[0], 200)
        before = open_one.sock
        self.made.signed("next", "ca", "subjectAltName=IP:127.0.0.1\n", key="rsa")
        for kind in ("pem", "key"):
            os.replace(self.made.path("next." + kind), self.made.path("server." + kind))
        self.assertEqual(self.serial(port), old)
        process.send_signal(signal.SIGHUP)
        until(lambda: self.serial(port) != old, 20, "new connections get the new certificate")
        new = self.serial(port)
        self.assertEqual(get(open_one)[0], 200)
        self.assertIs(open_one.sock, before)
        ctl("status", "--url", url, "--ca", self.ca)
        # Wrong files are logged, and change nothing.
        good = pathlib.Path(self.key).read_text()
        for content, said in (("nonsense", "is no private key"), (pathlib.Path(self.made.path("ca.key")).read_text(), "does not go with")):
            pathlib.Path(self.key).write_text(content)
            process.send_signal(signal.SIGHUP)
            until(lambda: said in self.log(), 20, "the log says what is wrong")
            self.assertEqual({self.serial(port) for _ in range(8)}, {new})
        self.assertIn("stays in use", self.log())
        pathlib.Path(self.key).write_text(good)
        self.assertEqual(get(open_one)[0], 200)
        self.assertIs(open_one.sock, before)
        open_one.close()
        self.assertIsNone(process.poll())

    def test_what_may_change_while_a_master_serves_is_read_again_on_sighup(self):
        file = pathlib.Path(self.directory, "junban.conf")

        def configure(**options):
            file.write_text("".join(f"{key.replace('_', '-')}={value}\n" for key, value in options.items()))

        def reload(said):
            before = len(self.log())
            process.send_signal(signal.SIGHUP)
            until(lambda: said in self.log()[before:], 20, f"the log says {said}")
            return self.log()[before:]

        tls = {"tls_certificate": self.certificate, "tls_key": self.key}
        configure(**tls)
        process, url = self.serving("--config", str(file), "--listen", "127.0.0.1:0", "--threads", "2")
        port = int(url.rsplit(":", 1)[1])
        trusting = ssl.create_default_context(cafile=self.ca)
        connections = [http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=trusting) for _ in range(8)]
        self.addCleanup(lambda: [connection.close() for connection in connections])

        def answers(path="/v1/jobs", **fields):
            return {get(connection, path, **fields) for connection in connections}

        def statuses(**fields):
            return {status for status, _ in answers(**fields)}

        ctl("push", "n", "--arg", '{"iban": 1, "password": 2}', "--url", url, "--ca", self.ca)
        masked = lambda: {tuple(json.loads(body)["jobs"][0]["argument"].values()) for _, body in answers()}
        self.assertEqual((masked(), statuses(Host="queue.example")), ({(1, "••••")}, {421}))
        configure(**tls, mask_keys="iban", host="queue.example", trusted_proxy="127.0.0.1", namespace="other", threads="3")
        said = reload("in force")
        until(lambda: "restart" in self.log(), 20, "the log says what else changed")
        self.assertIn("a restart is needed for namespace\n", self.log())
        self.assertEqual((masked(), statuses(Host="queue.example")), ({("••••", 2)}, {200}))
        ctl("tokens", "create", "--role", "admin", "--url", url, "--ca", self.ca)
        wrong = {"Authorization": "Bearer jt_wrong"}
        for client in ("198.51.100.1", "198.51.100.2"):
            self.assertEqual([get(connections[0], X_Forwarded_For=client, **wrong)[0] for _ in range(10)], [401] * 10)
        # Wrong values are logged, and change nothing.
        for bad in ({"trusted_proxy": "proxy.example"}, {"mask_keys": "a*b*c*" * 100}, {"no_such": 1}, {"tls_key": self.ca}):
            configure(**tls | {"host": "other.example"} | bad)
            self.assertIn("--" + next(iter(bad)).replace("_", "-") if "no_such" not in bad else "no-such", reload("stays in use"))
            self.assertEqual([statuses(Host=name) for name in ("queue.example", "other.example")], [{401}, {421}])
        configure()
        said = reload("restart")
        self.assertIn("a restart is needed for tls-certificate, tls-key\n", said)
        self.assertEqual([statuses(Host=name) for name in ("queue.example", "127.0.0.1")], [{421}, {401}])
        self.assertEqual(get(connections[0], X_Forwarded_For="198.51.100.9", **wrong)[0], 401)

    def test_the_window_reaches_a_master_with_its_token_and_its_certificate(self):
        self.made.signed("me", "clients", "extendedKeyUsage=clientAuth\n")
        mine = ["--ca", self.ca, "--cert", self.made.path("me.pem"), "--cert-key", self.made.path("me.key")]
        _, url = self.serving(*self.words, "--tls-client-ca", self.made.path("clients.pem"))
        admin = ctl("tokens", "create", "--role", "admin", "--url", url, *mine)[0].strip()
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": self.directory}
        for given in ("--token-file", "JUNBAN_TOKEN"):
            token = json.loads(ctl("tokens", "create", "--role", "viewer", "--json", "--url", url, *mine, JUNBAN_TOKEN=admin)[0])
            file = pathlib.Path(self.directory, "viewer.token")
            file.write_text(token["token"] + "\n")
            command = [PROGRAMS / "junban", "--connect", url, *mine, *([given, file] if given == "--token-file" else [])]
            with open(os.path.join(self.directory, "window.log"), "ab") as log:
                window = subprocess.Popen(command, stdout=log, stderr=log,
                                          env=environment | ({given: token["token"]} if given == "JUNBAN_TOKEN" else {}))
            try:
                def used():
                    rows = json.loads(ctl("tokens", "--json", "--url", url, *mine, JUNBAN_TOKEN=admin)[0])["tokens"]
                    return next(row for row in rows if row["id"] == token["id"]).get("last_used_at")

                until(used, 60, "the window uses its token")
                self.assertIsNone(window.poll())
            finally:
                window.kill()
                window.wait(20)
        for words, said in ((["--ca", self.key], "--ca"), (mine[:4], "--cert-key"), (["--token-file", "/nowhere"], "--token-file")):
            done = subprocess.run([PROGRAMS / "junban", "--connect", url, *words], capture_output=True, text=True, timeout=60, env=environment)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)

    def test_options_that_do_not_go_together_are_refused(self):
        def refused(*words):
            done = subprocess.run([PROGRAMS / "junband", "--data-dir", self.directory, "--listen", "127.0.0.1:0", *words], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            return done.stderr

        self.assertIn("--tls-client-ca needs", refused("--tls-client-ca", self.ca))
        self.assertIn("--tls-client-ca", refused(*self.words[2:], "--tls-client-ca", self.key))
        self.assertIn("--tls-key", refused("--tls-certificate", self.certificate, "--tls-key", self.made.path("ca.key")))
        self.assertIn("--trusted-proxy must be", refused("--trusted-proxy", "proxy.example"))

    def test_in_a_network_with_another_address(self):
        done = in_own_network(f"ip address add {AWAY}/32 dev lo; exec {sys.executable} -B {__file__} Away")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 2 tests", done.stderr)


class Away(Served):
    """Run by the test above."""

    def test_a_tls_master_away_takes_its_first_token_over_the_unix_socket(self):
        made = Certificates(self.directory)
        made.authority("ca")
        made.signed("server", "ca", f"subjectAltName=IP:{AWAY}\n")
        url = "unix:" + os.path.join(self.directory, "api.sock")
        process, _ = self.serving("--listen", url)
        token = ctl("tokens", "create", "--role", "admin", "--url", url)[0].strip()
        self.stop(process)
        process, first = self.serving("--listen", f"{AWAY}:0", "--listen", url, "--tls-certificate", made.path("server.pem"), "--tls-key",
                                      made.path("server.key"))
        self.assertTrue(first.startswith(f"https://{AWAY}:"))
        for to in ([first, "--ca", made.path("ca.pem")], [url]):
            self.assertIn("A token is needed", ctl("status", "--url", *to, expect=1)[1])
            self.assertNotIn(INSECURE, ctl("status", "--url", *to, JUNBAN_TOKEN=token)[1])

    def test_insecure_warns_and_a_client_behind_a_trusted_proxy_is_counted_alone(self):
        _, url = self.serving("--listen", f"{AWAY}:0", "--insecure", "--trusted-proxy", AWAY)
        self.assertIn("--insecure", self.log())
        self.assertIn(INSECURE, ctl("jobs", "--url", url)[1])
        connection = http.client.HTTPConnection(AWAY, int(url.rsplit(":", 1)[1]), timeout=20)
        wrong = {"Authorization": "Bearer jt_wrong"}
        self.assertEqual([get(connection, X_Forwarded_For="198.51.100.1", **wrong)[0] for _ in range(11)], [401] * 10 + [429])
        self.assertEqual(get(connection, X_Forwarded_For="198.51.100.1, 198.51.100.2", **wrong)[0], 401)
        self.assertEqual(get(connection, **wrong)[0], 401)
        connection.close()


def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (UnixSocket, Tls))


if __name__ == "__main__":
    unittest.main()
