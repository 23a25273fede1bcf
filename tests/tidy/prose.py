"""Finds sentences that code composes for a reader instead of taking a reason of the catalogue (core/base/reasons).

Prints each as `file:line: text` and exits with 1 when there is one. A text reads like a sentence when it has two words of letters with a space between
them. What is for the log, for the command line's own output, or no sentence is in OTHERS.

Each room has its rule. In core, client and server no text may read like a sentence. In ui each such text is given to translators. In app, whose
programs have a help and answers in English, none is part of a refusal.
"""

import pathlib
import re
import sys

# The calls of a room in which sentences are right, or the only ones in which they are wrong.
TRANSLATED = re.compile(r"\b(?:tr|translate|QT_TR_NOOP|QT_TRANSLATE_NOOP3?)\(")
REFUSALS = re.compile(r"\b(?:refuse|refuseBoth|fail|failWith|tell|misused|wrong|reasons::\w+)\(|\bError ?\{")
ROOMS = {"core": None, "client": None, "server": None, "ui": (TRANSLATED, False), "app": (REFUSALS, True)}
# Files whose texts are not for a reader of refusals: patterns, examples, conformance cases, scripts, metrics, fields of HTTP and types of content;
# expressions that the window writes for a search; the names of menus, which addMenuItem() and its like translate.
FILES = re.compile(r"core/(jobs/(failuresignature|tellinglines)|cel/cases|base/reasonwording|redis/(scripts|libraries|trouble|archive)|journal/(functions|journal))\.cpp$|"
                   r"server/(api/(metrics|webconsole|exposition)|http/(answer|date))\.(cpp|h)$|ui/limits/searchline\.cpp$")
OTHERS = re.compile(r"q(Warning|Critical|Info|Fatal|Debug)\(|static_assert|#\s*include|^\s*//|HTTP/1\.1|R\"|std::fprintf|Codec |charset=|filename=|Connection: close|"
                    r"Bearer error|m_why = |trouble = |callers from this machine|tellBroken|Q_ASSERT|goes to line")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z']{2,}")
KEPT = {  # texts that are no sentences for a reader
    "boolean or text",          # a type, for tests/contract/test_fields.py
    "The lease ran out without a heartbeat.", "The attempt took longer than its timeout.", # core/operators/failuretally.cpp: the scripts' words
    "Released after a cancel was asked for.", "Released more than ", # core/engine/leases.cpp: the same
    "It was not started in time.", "A job it depends on was cancelled.", "A job it depends on failed.", # core/engine/special.cpp: the same
    "No message came in time.", # core/engine/sweep.cpp: the same
    "a job named '",            # core/limits/tieexample.cpp: a value of a reason
    "job.name in [",            # ui/shell/mainwindow.cpp: an expression
    " in job.tags",              # ui/shell/links.cpp: an expression
    "curl -X POST %1/v1/jobs -H 'Content-Type: application/json' \\\\\\n", # ui/overview/overviewpage.cpp: a command
    "rollback seen_at=%1 transactions_lost=%2 %3", # ui/shell/mainwindow.cpp: a note for programs
    "- (standard input)", "--unique or --unique-key", "another setting", # app/ctl: names of options
}


def arguments(code, calls):
    """Where the arguments of calls are: (from, to)."""
    for call in calls.finditer(code):
        depth, quoted, at = 0, "", call.end() - 1
        while at < len(code):
            here = code[at]
            if quoted:
                at += here == "\\"
                quoted = "" if here == quoted else quoted
            elif here == '"' or (here == "'" and not code[at - 1].isalnum()):
                quoted = here
            elif here in "({":
                depth += 1
            elif here in ")}":
                depth -= 1
                if depth == 0:
                    break
            at += 1
        yield call.end(), min(at, len(code))


def looked_at(code, rule):
    """The code without what a room's rule leaves out; lines stay where they are."""
    if rule is None:
        return code
    calls, kept = rule
    inside = [False] * len(code)
    for begin, end in arguments(code, calls):
        inside[begin:end] = [True] * (end - begin)
    return "".join(letter if letter == "\n" or inside[at] == kept else " " for at, letter in enumerate(code))


def texts(path, rule=None):
    """The sentences of a file: (line, text)."""
    source = "\n".join(re.sub(r"^\s*//.*|(?<=[;{},)]) *// .*$", "", line) for line in path.read_text(encoding="utf-8").split("\n"))
    for number, (line, code) in enumerate(zip(source.split("\n"), looked_at(source, rule).split("\n")), 1):
        if not OTHERS.search(line):
            yield from ((number, text) for text in LITERAL.findall(code) if SENTENCE.search(text) and text not in KEPT)


def found(root):
    for room, rule in ROOMS.items():
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in {".cpp", ".h"} and not FILES.search(name):
                yield from (f"{name}:{line}: {text}" for line, text in texts(path, rule))


def checks_itself():
    """Whether a sentence would be found: the check must not pass by finding nothing."""
    example = pathlib.Path(__file__).parent / "prose_example.txt"
    return [[text for _, text in texts(example, ROOMS[room])] for room in ("core", "ui", "app")] == [
        ["There is no such job.", "' is more than ", "one for translators", "which follows it", "must be a word", "in an Error"],
        ["There is no such job.", "' is more than ", "must be a word", "in an Error"],
        ["There is no such job.", "must be a word", "in an Error"]]


if __name__ == "__main__":
    if not checks_itself():
        sys.exit("the example has sentences that are not found")
    breaches = list(found(pathlib.Path(sys.argv[1])))
    print("\n".join(breaches))
    sys.exit(1 if breaches else 0)
