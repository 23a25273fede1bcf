"""docs/endpoints-*.md: the calls of each language run as one program, against a server that records the requests, over TLS. They must be the
examples of the API's document; tests/contract/test_examples.py shows that a master accepts those."""

import http.server
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("endpoints", str(ROOT / "scripts/endpoints"))
endpoints = importlib.util.module_from_spec(importlib.util.spec_from_loader("endpoints", LOADER))
LOADER.exec_module(endpoints)

TOKEN = "jt_of_the_test"
# For each language: the ending of the file, the program made of the page's blocks, and the command that runs it.
PROGRAMS = {
    "curl": ("sh", "{helper}{calls}", ["bash", "-eu"]),
    "python": ("py", "{helper}\n{calls}", ["/usr/bin/python3", "-B"]),
    "node": ("js", "{helper}(async () => {{\n{calls}}})();\n", ["node"]),
    "php": ("php", "{helper}{calls}", ["php"]),
    "go": ("go", "{helper}func main() {{\n{calls}}}\n", ["go", "run"]),
}


class Recorder(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def note(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fields = {name: self.headers[name] for name in ("If-Match", "If-None-Match") if name in self.headers}
        assert self.headers["Authorization"] == f"Bearer {TOKEN}" and self.headers["Accept"] == "application/json"
        self.server.seen.append((self.command, self.path, json.loads(content) if content else ..., fields))
        self.send_response(403 if self.server.refusal else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.server.refusal or b"{}")))
        self.end_headers()
        self.wfile.write(self.server.refusal or b"{}")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = note

    def log_message(self, *_):
        pass


class Endpoints(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.certificate, cls.key = (os.path.join(directory.name, name) for name in ("certificate.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=recorder", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", cls.key, "-out", cls.certificate],
                       check=True, capture_output=True)

    def test_every_call_of_every_language_sends_what_the_document_says(self):
        wanted = [call[1:] for call in endpoints.calls()]
        self.assertGreater(len(wanted), 70)
        for name, language in endpoints.LANGUAGES.items():
            with self.subTest(name):
                ended, seen = self.run_page(name, language)
                self.assertEqual(ended.returncode, 0, ended.stdout[-2000:] + ended.stderr[-4000:])
                self.assertEqual(seen, wanted)

    def test_a_refusal_is_said_in_the_masters_words(self):
        for name, language in endpoints.LANGUAGES.items():
            with self.subTest(name):
                ended, seen = self.run_page(name, language, refusal=b'{"detail": "The token lacks a role."}', calls_max=1)
                self.assertEqual(len(seen), 1)
                self.assertIn("The token lacks a role.", ended.stdout + ended.stderr)

    def test_another_certificate_is_not_believed(self):
        for name, language in endpoints.LANGUAGES.items():
            with self.subTest(name):
                ended, seen = self.run_page(name, language, calls_max=1, trust=False)
                self.assertEqual(seen, [])
                self.assertRegex((ended.stdout + ended.stderr).lower(), "certificate|self.signed")

    def run_page(self, name, language, calls_max=None, refusal=None, trust=True):
        ending, program, command = PROGRAMS[name]
        page = (ROOT / f"docs/endpoints-{name}.md").read_text(encoding="utf-8")
        helper, *calls = re.findall(rf"^```{language.block} call\n(.*?)^```$", page, re.M | re.S)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.handle_error = lambda *_: None  # who does not believe the certificate ends the connection
        server.seen, server.refusal = [], refusal
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.assertIn(f"`{language.trust}` names a file with the certificates to believe", page)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, f"calls.{ending}")
            file.write_text(program.format(helper=helper, calls="".join(calls[:calls_max])), encoding="utf-8")
            environment = os.environ | {"JUNBAN_URL": f"https://127.0.0.1:{server.server_port}", "JUNBAN_TOKEN": TOKEN, "HOME": directory,
                                        "GOCACHE": f"{directory}/cache", "GOFLAGS": "-mod=mod"}
            environment |= {language.trust: self.certificate} if trust else {}
            ended = subprocess.run([*command, file], cwd=directory, env=environment, capture_output=True, text=True, timeout=180, check=False)
        return ended, server.seen


if __name__ == "__main__":
    unittest.main()
