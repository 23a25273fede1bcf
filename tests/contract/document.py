"""openapi/master.yaml and a live master to hold against it: every answer is checked against its schema."""

import contextlib
import json
import pathlib
import re
import socket
import sys
import unittest

import jsonschema
import msgpack
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import MSGPACK, Client, Master, now, until  # noqa: E402

DOCUMENT = yaml.safe_load((ROOT / "openapi" / "master.yaml").read_text(encoding="utf-8"))
# What asks for a WebSocket (RFC 6455 §1.3).
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
NOWHERE = "0192f0c1-2222-7333-8444-555555555555"
METHODS = ("get", "post", "put", "patch", "delete")


def resolve(node):
    while isinstance(node, dict) and "$ref" in node:
        target = DOCUMENT
        for part in node["$ref"][2:].split("/"):
            target = target[part]
        node = target
    return node


def validator(schema):
    """What holds values against a schema of the document."""
    return jsonschema.Draft202012Validator({"$schema": "https://json-schema.org/draft/2020-12/schema", "components": DOCUMENT["components"], **schema})


REASONS = DOCUMENT["components"]["schemas"]["ReasonName"]["x-reasons"]


def wrong_reasons(value):
    """What is wrong with the reasons in an answer: a problem without one, one that the document has not, or with other values."""
    if isinstance(value, list):
        for element in value:
            yield from wrong_reasons(element)
    elif isinstance(value, dict):
        sentence = isinstance(value.get("detail"), str) and isinstance(value.get("status"), int)
        if sentence or isinstance(value.get("reason"), str) and isinstance(value.get("values"), dict):
            known = REASONS.get(value.get("reason"))
            if known is None:
                yield f"{value.get('reason')!r} is no reason: {value}"
            elif known["values"].keys() != value["values"].keys():
                yield f"{value['reason']} has the values {sorted(value['values'])}"
        for key, element in value.items():
            if key not in {"argument", "result", "error_value", "details"}:
                yield from wrong_reasons(element)


def operations():
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in item:
                yield item[method]["operationId"], method.upper(), path, item[method]


def limits():
    """The numbers of core/limits.h by name."""
    text = (ROOT / "core" / "limits.h").read_text(encoding="utf-8")
    found = {}
    for name, value in re.findall(r"inline constexpr \w+ (\w+) = ([^;]+);", text):
        found[name] = eval(value.replace("'", ""), {}, dict(found))  # noqa: S307 - our own header
    return found


class ContractCase(unittest.TestCase):
    """One master for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.master = Master()
        cls.master.start()
        cls.client = Client(cls.master.port)
        cls.covered = {}

    @classmethod
    def tearDownClass(cls):
        cls.master.__exit__()

    def call(self, operation, path, body=None, encoding="json", accept=None, fields=None):
        """One request; its answer is checked against the document and returned."""
        _, method, template, described = next(o for o in operations() if o[0] == operation)
        kind = "application/json" if encoding == "json" else MSGPACK
        headers = {"Accept": accept or kind, **(fields or {})}
        data = None
        if body is not None:
            headers["Content-Type"] = kind
            data = json.dumps(body).encode() if encoding == "json" else msgpack.packb(body)
        self.client.connection or self.client.request("GET", "/healthz")
        connection = self.client.connection
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        content = answer.read()
        self.tag = answer.getheader("ETag")  # of the latest answer
        self.check(operation, described, answer, content)
        if answer.status == 101:  # a WebSocket now
            self.client.close()
        return answer.status, self.decoded(answer, content)

    @staticmethod
    def decoded(answer, content):
        kind = answer.getheader("Content-Type", "").split(";")[0]
        if kind == MSGPACK:
            return msgpack.unpackb(content, strict_map_key=False)
        if kind == "application/x-ndjson":
            return content.decode()
        return json.loads(content) if kind.endswith("json") else content.decode()

    def check(self, operation, described, answer, content):
        responses = described["responses"]
        self.assertIn(str(answer.status), responses, f"{operation}: status {answer.status} is not in the document")
        response = resolve(responses[str(answer.status)])
        kind = answer.getheader("Content-Type", "").split(";")[0]
        if "content" not in response:
            self.assertEqual((kind, content), ("", b""), f"{operation}: {answer.status} has no content in the document")
            self.covered.setdefault(operation, set()).add(answer.status)
            return
        self.assertIn(kind, response["content"], f"{operation}: type {kind} is not in the document")
        if not kind.startswith("text/"):
            value = self.decoded(answer, content)
            validator(response["content"][kind]["schema"]).validate(value)
            self.assertEqual(list(wrong_reasons(value)), [], operation)
        for name, header in response.get("headers", {}).items():
            header = resolve(header)
            if header.get("required") or answer.getheader(name) is not None:
                validator(header["schema"]).validate(answer.getheader(name))
        self.covered.setdefault(operation, set()).add(answer.status)

    @contextlib.contextmanager
    def admin(self):
        """The field with the token of an admin. All tokens are revoked in the end, so that the others need none."""
        made = self.call("createToken", "/v1/tokens", {"roles": ["admin"]})[1]
        fields = {"Authorization": "Bearer " + made["token"]}
        yield fields
        rows = self.call("listTokens", "/v1/tokens", fields=fields)[1]["tokens"]
        for identity in [row["id"] for row in rows if row["id"] != made["id"]] + [made["id"]]:
            self.assertEqual(self.call("revokeToken", "/v1/tokens/" + identity, fields=fields)[0], 204)

    def redis(self, *words):
        """One command to the master's embedded Redis; the first line of its reply."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(pathlib.Path(self.master.directory, "redis.sock")))
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in map(str.encode, words)))
            return connection.makefile("rb").readline().strip().decode()

    def claimed(self, **job):
        self.call("enqueueJob", "/v1/jobs", {"name": "contract", **job})
        return self.call("claimJobs", "/v1/claims", {"worker": "w", "names": ["contract"]})[1]["jobs"][0]
