"""Calls every operation of the document with a token of each role, with a token for other jobs, and without a token. Only those who may
not call it are refused for that reason."""

import unittest

from document import NOWHERE, Client, Master, operations

ROLES = ("pusher", "worker", "viewer", "operator", "admin")
OPEN = {"getHealth", "getReadiness", "getOpenApi", "getDocs", "getDocsStyle", "getDocsScript", "signIn"}
VALUES = {"id": NOWHERE, "token": "0000000000000000", "key": "no-key", "signature": "0000000000000000", "constraint": "no.such"}


class Roles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.master = cls.enterClassContext(Master())
        cls.client = Client(cls.master.port)
        cls.addClassCleanup(cls.client.close)
        cls.tokens = {"admin": cls.created(["admin"])}
        cls.tokens |= {role: cls.created([role], cls.tokens["admin"]) for role in ROLES[:-1]}
        cls.scoped = cls.created(["pusher", "worker", "operator"], cls.tokens["admin"], names=["others.*"])

    @classmethod
    def created(cls, roles, by=None, **fields):
        status, answer = cls.client.request("POST", "/v1/tokens", {"roles": roles, **fields}, fields=cls.bearer(by))
        assert status == 201, answer
        return answer["token"]

    @staticmethod
    def bearer(token):
        return {"Authorization": f"Bearer {token}"} if token else {}

    def answer(self, method, path, token):
        """The status and the code of the answer. What the request refers to does not exist."""
        for name, value in VALUES.items():
            path = path.replace("{%s}" % name, value)
        path = path.replace("{", "no-").replace("}", "")
        body = None if method in ("GET", "DELETE") else {}
        status, answer = self.client.request(method, path, body, fields=self.bearer(token))
        return status, answer.get("code") if isinstance(answer, dict) else None

    def test_every_operation_is_for_its_roles_and_no_other(self):
        tried = 0
        for operation, method, path, described in operations():
            needed = described["x-roles"]
            for role in ROLES:
                with self.subTest(operation=operation, role=role):
                    may = not needed or role in needed or (role == "admin" and "operator" in needed)
                    status, code = self.answer(method, path, self.tokens[role])
                    self.assertEqual((status, code) == (403, "forbidden"), not may, (status, code))
                    self.assertNotEqual(status, 401)
                    tried += 1
        self.assertGreater(tried, 300)

    def test_without_a_token_only_health_and_the_documentation_are_open(self):
        for operation, method, path, _ in operations():
            with self.subTest(operation=operation):
                status, code = self.answer(method, path, None)
                self.assertEqual((status, code) == (401, "unauthorized"), operation not in OPEN, (status, code))

    def test_a_token_for_some_jobs_may_call_only_scoped_operations(self):
        for operation, method, path, described in operations():
            needed = described["x-roles"]
            if not needed or not {"pusher", "worker", "operator"} & set(needed):
                continue
            with self.subTest(operation=operation):
                status, code = self.answer(method, path, self.scoped)
                if not described.get("x-scoped"):
                    self.assertEqual((status, code), (403, "forbidden"))


if __name__ == "__main__":
    unittest.main()
