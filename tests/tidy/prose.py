"""Finds sentences that code composes for a reader instead of taking a reason of the catalogue (core/base/reasons).

Prints each as `file:line: text` and exits with 1 when there is one. A text reads like a sentence when it has two words of letters with a space between
them. What is for the log, for the command line's own output, or no sentence is in OTHERS.
"""

import pathlib
import re
import sys

ROOMS = ["core", "client", "server"]
# Files whose texts are not for a reader of refusals: patterns, examples, conformance cases, scripts, metrics, fields of HTTP and types of content.
FILES = re.compile(r"core/(jobs/(failuresignature|tellinglines)|cel/cases|base/reasonwording|redis/(scripts|libraries|trouble|archive))\.cpp$|"
                   r"server/(api/(metrics|webconsole|exposition)|http/(answer|date))\.(cpp|h)$")
OTHERS = re.compile(r"q(Warning|Critical|Info|Fatal|Debug)\(|static_assert|#\s*include|^\s*//|HTTP/1\.1|R\"|std::fprintf|Codec |charset=|filename=|Connection: close|"
                    r"Bearer error|m_why = |trouble = |callers from this machine|tellBroken|Q_ASSERT|goes to line")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z']{2,}")
KEPT = {  # texts that are no sentences for a reader
    "boolean or text",          # a type, for tests/contract/test_fields.py
    " letters, digits, '.', '_' or '-'", # core/redis/redisstore.cpp: for the help of the command line
    "The lease ran out without a heartbeat.", "The attempt took longer than its timeout.", # core/operators/failuretally.cpp: the scripts' words
    "a job named '",            # core/limits/tieexample.cpp: a value of a reason
}


def texts(path):
    """The sentences of a file: (line, text)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        code = re.sub(r"(?<=[;{},)]) *// .*$", "", line)
        if not OTHERS.search(code):
            yield from ((number, text) for text in LITERAL.findall(code) if SENTENCE.search(text) and text not in KEPT)


def found(root):
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in {".cpp", ".h"} and not FILES.search(name):
                yield from (f"{name}:{line}: {text}" for line, text in texts(path))


def checks_itself():
    """Whether a sentence would be found: the check must not pass by finding nothing."""
    example = pathlib.Path(__file__).parent / "prose_example.txt"
    return [text for _, text in texts(example)] == ["There is no such job.", "' is more than "]


if __name__ == "__main__":
    if not checks_itself():
        sys.exit("the example has sentences that are not found")
    breaches = list(found(pathlib.Path(sys.argv[1])))
    print("\n".join(breaches))
    sys.exit(1 if breaches else 0)
