"""The manual's programs, run as a reader would run them: every fenced block whose first line says `run`. The blocks of a page run in
order, in one empty directory, against a fresh master. A block `text output` after one is what it must print; `…` stands for any text. A block
that names a file, as `python worker.py`, is that file for the blocks after it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import PROGRAMS, Master  # noqa: E402

BLOCK = re.compile(r"^```(\w+) (run|output|[\w-]+\.\w+)\n(.*?)^```$", re.M | re.S)
LANGUAGES = {"sh": ("bash", "-eu"), "python": ("/usr/bin/python3",), "js": ("node",), "php": ("php",), "ruby": ("ruby",), "go": ("go", "run")}
ENDINGS = {"python": "py", "js": "js", "sh": "sh", "php": "php", "ruby": "rb", "go": "go"}


def steps(text):
    """(language, program, what it must print or None, the files that are there before) of each block to be run."""
    found, files = [], {}
    for language, kind, body in BLOCK.findall(text):
        if kind == "run":
            found.append([language, body, None, files])
            files = {}
        elif kind == "output":
            found[-1][2] = body
        else:
            files[kind] = body
    assert not files, f"no block comes after {', '.join(files)}"
    return found


def fits(wanted, printed):
    pattern = ".*".join(re.escape(part) for part in wanted.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


class Manual(unittest.TestCase):
    maxDiff = None

    def run_page(self, page):
        text = page.read_text()
        self.assertEqual(len(re.findall(r"^```\w+ (?:run|output|[\w-]+\.\w+)$", text, re.M)), len(BLOCK.findall(text)), "a block does not end")
        directory = tempfile.mkdtemp(prefix="junban-manual-")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        with Master() as master:
            environment = os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "JUNBAN_URL": f"http://127.0.0.1:{master.port}",
                                        "HOME": directory, "GOFLAGS": "-mod=mod", "GOCACHE": f"{directory}/go"}
            for number, (language, program, wanted, files) in enumerate(steps(text), 1):
                for name, body in files.items():
                    pathlib.Path(directory, name).write_text(body)
                with self.subTest(page=page.name, block=number, language=language):
                    path = pathlib.Path(directory, f"block{number}.{ENDINGS[language]}")
                    path.write_text(program.replace("127.0.0.1:7717", f"127.0.0.1:{master.port}"))
                    ended = subprocess.run([*LANGUAGES[language], path], cwd=directory, env=environment, capture_output=True, text=True,
                                           timeout=120, check=False)
                    self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
                    if wanted is not None:
                        self.assertTrue(fits(wanted, ended.stdout), f"printed:\n{ended.stdout}{ended.stderr}\nwanted:\n{wanted}")

    def test_every_program_of_the_manual_does_what_the_page_says(self):
        pages = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if BLOCK.search(page.read_text())]
        self.assertGreaterEqual(sum(len(steps(page.read_text())) for page in pages), 15)
        for page in pages:
            self.run_page(page)

    def test_the_table_of_errors_has_every_code_that_the_master_says_and_no_other(self):
        sys.path.insert(0, str(ROOT / "core/base/reasons"))
        import catalogue
        own = {"unreachable", "ambiguous", "explanation"}  # no answer has these
        said = {word: {str(status)} for word, (_, status) in catalogue.CODES.items() if word not in own}
        listed = {}
        for status, word in re.findall(r"^\| (\d{3}) \| `(\w+)` \|", (ROOT / "docs/http.md").read_text(), re.M):
            listed.setdefault(word, set()).add(status)
        self.assertEqual(listed, said)


if __name__ == "__main__":
    unittest.main()
