"""What each role may call, seen from another address over TLS: every operation of the document, with a token of each role, with one for
some jobs, and with none. What the master does is compared with the document and with the table of docs/security.md."""

import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import unittest

from harness import in_own_network
from test_transport import AWAY, Certificates, Served, ctl

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROLES = ("pusher", "worker", "viewer", "operator", "admin")
VALUES = {"id": "00000000-0000-7000-8000-000000000000", "signature": "0123456789abcdef", "constraint": "m.1", "key": "k"}


def example(body):
    """The example of a body, without a wait."""
    content = next(iter((body or {}).get("content", {}).values()), {})
    shown = content.get("example", next((each["value"] for each in content.get("examples", {}).values()), None))
    return {key: value for key, value in shown.items() if key != "wait"} if isinstance(shown, dict) else shown


def operations(document):
    """(method and path as the table has them, method, a path to call, a body, roles, whether it keeps to a token's jobs)"""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                there = re.sub(r"\{(\w+)\}", lambda name: VALUES.get(name[1], "x"), path)
                yield (f"{method.upper()} {path}", method.upper(), there, example(operation.get("requestBody")), operation["x-roles"],
                       operation.get("x-scoped", False))


class Roles(unittest.TestCase):
    def test_in_a_network_with_another_address(self):
        done = in_own_network(f"ip address add {AWAY}/32 dev lo; exec {sys.executable} -B {__file__} Away")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 1 test", done.stderr)


class Away(Served):
    """Run by the test above."""

    def serve(self):
        made = Certificates(self.directory)
        made.authority("ca")
        made.signed("server", "ca", f"subjectAltName=IP:{AWAY}\n")
        local = "unix:" + os.path.join(self.directory, "api.sock")
        process, _ = self.serving("--listen", local)
        admin = ctl("tokens", "create", "--role", "admin", "--url", local)[0].strip()
        self.stop(process)
        _, url = self.serving("--listen", f"{AWAY}:0", "--tls-certificate", made.path("server.pem"), "--tls-key", made.path("server.key"))
        self.port = int(url.rsplit(":", 1)[1])
        self.trusting = ssl.create_default_context(cafile=made.path("ca.pem"))
        self.connection = None
        self.addCleanup(lambda: self.connection and self.connection.close())
        make = ["tokens", "create", "--url", url, "--ca", made.path("ca.pem")]
        token = lambda *words: ctl(*make, *words, JUNBAN_TOKEN=admin)[0].strip()
        return {role: token("--role", role) for role in ROLES}, {role: token("--role", role, "--names", "x") for role in ROLES}

    def ask(self, method, path, body=None, token=None):
        if self.connection is None:
            self.connection = http.client.HTTPSConnection(AWAY, self.port, timeout=30, context=self.trusting)
        headers = {"Accept": "application/json", **({"Authorization": f"Bearer {token}"} if token else {}),
                   **({"Content-Type": "application/json"} if body is not None else {})}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            self.connection.close()  # this answer never ends
            self.connection = None
            return answer.status, ""
        return answer.status, answer.read().decode(errors="replace")

    def redis(self, *words):
        return subprocess.run(["redis-cli", "-s", os.path.join(self.directory, "redis.sock"), *words], check=True, capture_output=True, text=True).stdout

    def state(self):
        """Everything that calls change: all keys but the audit and what masters write by themselves."""
        names = self.redis("--scan").split()
        self.assertTrue([name for name in names if name.endswith(":tokens")], names)
        return {name: self.content(name) for name in names if not re.search(r":(audit|engines|asks|tokenuses|probe|tx|nonce:.*|ser.*)$", name)}

    def content(self, name):
        if self.redis("TYPE", name) == "hash\n":  # its fields have no order, so they are sorted
            return sorted(line.partition(") ")[2] for line in self.redis("--no-raw", "HGETALL", name).splitlines())
        return self.redis("--no-raw", "DUMP", name)

    def test_every_operation_lets_in_the_roles_of_the_table_and_no_others(self):
        tokens, scoped = self.serve()
        page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
        table = {row[1]: [cell.strip() for cell in row[2].split("|")] for row in re.finditer(r"^\| `([A-Z]+ /[^`]*)` \|[^|]*\|(.*)\|$", page, re.M)}
        status, text = self.ask("GET", "/openapi.json")
        self.assertEqual(status, 200)
        every = list(operations(json.loads(text)))
        self.assertEqual(set(table), {each[0] for each in every})
        every = [each for each in every if each[0] != "POST /v1/session"]  # open to all, but it looks at the token in its body
        before = self.state()
        for what, method, path, body, roles, _ in every:
            for token, refused in ((None, {401}), ("jt_" + "x" * 43, {401, 429})):
                status, text = self.ask(method, path, body, token)
                self.assertEqual(status in refused, bool(roles), (what, token, status, text))
        for allowing in (False, True):  # first what is refused, which changes nothing
            for what, method, path, body, roles, keeps in every:
                *marks, some = table[what]
                for role, mark in zip(ROLES, marks):
                    if (mark == "yes") == allowing:
                        self.check(what, role, allowing, *self.ask(method, path, body, tokens[role]))
                    mayUseScoped = mark == "yes" and (keeps or not roles)
                    self.assertEqual(mark == "yes" and some != "–", mayUseScoped, what)
                    if mayUseScoped == allowing:
                        status, text = self.ask(method, path, body, scoped[role])
                        if allowing:  # a token for some jobs may still be refused for a name
                            if status >= 400:  # the document itself has these sentences
                                self.assertNotRegex(text, "needs a token without|needs the role", (what, role))
                            self.assertTrue(status < 500 and status not in (401, 429), (what, role, status, text))
                        else:
                            self.assertEqual(status, 403, (what, role, text))
            if not allowing:
                after = self.state()
                self.assertEqual([name for name in before | after if before.get(name) != after.get(name)], [])

    def check(self, what, role, allowed, status, text):
        if allowed:
            self.assertTrue(status < 500 and status not in (401, 403, 429), (what, role, status, text))
        else:
            self.assertEqual((status, json.loads(text)["code"]), (403, "forbidden"), (what, role))
            self.assertIn("needs the role", text, (what, role))


def load_tests(loader, _tests, _pattern):
    return loader.loadTestsFromTestCase(Roles)


if __name__ == "__main__":
    unittest.main()
