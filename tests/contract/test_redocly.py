"""Redocly's linter finds no error and no warning in openapi/master.yaml. Planted faults show that it can find both."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(os.environ["JUNBAN_NPM"])


def lint(document):
    command = ["node", PACKAGES / "lint.mjs", document, ROOT / "openapi" / "redocly.yaml"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Redocly(unittest.TestCase):
    def test_the_document_has_no_fault(self):
        status, said = lint(ROOT / "openapi" / "master.yaml")
        self.assertEqual((status, said.strip()), (0, "0 errors, 0 warnings, 0 ignored"))

    def test_the_contract_of_workers_is_without_fault(self):
        status, said = lint(ROOT / "openapi" / "worker.yaml")
        self.assertEqual((status, said.strip()), (0, "0 errors, 0 warnings, 0 ignored"))

    def test_a_fault_of_each_severity_is_found(self):
        text = (ROOT / "openapi" / "master.yaml").read_text(encoding="utf-8")
        for sound, wrong, totals in (
            ("(docs/http.md, \\\"Names\\\").\", examples: [mail.send]", "(docs/http.md, \\\"Names\\\").\", whole: yes, examples: [mail.send]", "1 errors, 0 warnings"),
            ("  - name: pushers\n    description: For programs that enqueue jobs and collect results.\n", "  - name: pushers\n", "0 errors, 1 warnings"),
            ("value: { priority: -10,", "value: { priority: high,", "0 errors, 1 warnings"),
        ):
            self.assertIn(sound, text)
            with tempfile.TemporaryDirectory() as folder:
                document = pathlib.Path(folder, "master.yaml")
                document.write_text(text.replace(sound, wrong, 1), encoding="utf-8")
                status, said = lint(document)
                self.assertEqual(status, 1, said)
                self.assertIn(totals, said)


if __name__ == "__main__":
    unittest.main()
