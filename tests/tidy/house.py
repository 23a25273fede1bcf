"""House rules (ARCHITECTURE.md): which room may include which, how long a file or a line may be, and what is banned.

Prints every breach as `file:line: rule` and exits 1 when there is one. With --self-test it plants breaches into a scratch tree
and checks that each is found, so that the test cannot pass by looking at nothing.
"""

import argparse
import pathlib
import re
import sys
import tempfile

ROOMS = {
    # room: what its files may include besides themselves
    "core": {"core"},
    "server": {"core", "server"},
    "client": {"core", "client"},
    "ui": {"core", "client", "ui"},
    "app": {"core", "server", "client", "ui", "app"},
}
# What of core is values: all that client and ui may see of it.
VALUES = {"base", "msgpack", "calendar", "cel", "jobs", "limits"}
REDIS_FREE = {"server", "client", "ui"}

LINES_MAX = 500
COLUMNS_MAX = 140
CODE = {".cpp", ".h", ".lua", ".py", ".js"}

BANS = [
    # (what, where it applies, the pattern, why)
    ("QFuture/QPromise", r"(core|server|app|client|ui)/", r"\b(QFuture|QPromise|QtConcurrent)\b", "callbacks only (ARCHITECTURE.md, \"Rules\")"),
    ("nested event loop", r"(core|server(?!/http/epolldispatcher)|app|client|ui)/", r"\b(QEventLoop|processEvents)\b|\bwaitFor(Connected|ReadyRead|BytesWritten|Finished|Started)\s*\(",
     "no nested event loop and no blocking wait"),
    ("Qt keywords", r".*\.(cpp|h)$", r"^\s*(signals|public slots|private slots|slots|emit)\b\s*:?", "use Q_SIGNALS, Q_SLOTS, Q_EMIT"),
    ("singleton", r"(core|server|client|ui)/", r"\b(Q_GLOBAL_STATIC|static\s+\w+\s*&\s*instance\s*\()", "dependencies come through constructors"),
    ("unfinished work", r".*\.(cpp|h|lua|py|js|yaml)$", r"\b(TODO|FIXME|XXX|HACK)\b", "finish it or say it in the documents"),
    ("skipped test", r"tests/", r"\b(QSKIP|QEXPECT_FAIL|unittest\.skip|pytest\.mark\.skip)\b", "no skipped check that looks green"),
    ("rich text from data", r"ui/", r"\bQt::(RichText|AutoText|MarkdownText)\b", "Qt::PlainText on everything data is shown in"),
    ("throwing", r"(core|server|app|client|ui)/", r"\bthrow\s+\w", "one error road: Result<T>"),
    ("QJsonDocument", r"(core|server|client)/", r"\bQJson(Document|Object|Value)\b", "it loses integers above 2^53"),
    ("registry host", r".*", r"deb\.debian\.org|security\.debian\.org|registry\.npmjs\.org", "no registry's host in the tree"),
    ("glossary", r"(core|server|client|ui|app|openapi)/.*\.(cpp|h|lua|yaml)$",
     r"(?i)\b(producer|consumer|broker|nack|dequeue[sd]?)\b", "see ARCHITECTURE.md, \"Words\""),
]
SELF = "tests/tidy/house.py"


def files(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_file() and not relative.startswith((".git/", "build/")) and "/node_modules/" not in relative:
            yield relative, path


def includes(relative, number, line):
    room = relative.split("/")[0]
    found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
    if room not in ROOMS or not found:
        return
    target = found.group(2)
    if found.group(1) == '"':
        parts = target.split("/")
        if len(parts) == 1:
            if not target.endswith(".moc"):
                yield f'"{target}": includes are relative to the root'
            return
        if parts[0] not in ROOMS[room]:
            yield f"{room} must not include {target}"
        if parts[0] == "core" and room in {"client", "ui"}:
            if not (parts[1].split(".")[0] in VALUES or parts[1] == "cel"):
                yield f"{room} sees only the values of core, not {target}"
        if parts[:2] == ["core", "redis"] and room in REDIS_FREE:
            yield f"{room} must not know Redis ({target})"
    else:
        if re.match(r"QtHttpServer|QAbstractHttpServer|QHttpServer", target) and not relative.startswith("server/http/httpserver"):
            yield "QtHttpServer stays in server/http/httpserver"
        if re.match(r"hiredis", target) and not relative.startswith("core/redis/"):
            yield "hiredis stays in core/redis"
        if re.match(r"Q(tWidgets|Widget|Application|MainWindow)", target) and room not in {"ui", "app"}:
            yield "widgets stay in ui"
        if re.match(r"QNetworkAccessManager", target) and room == "core":
            yield "core speaks no HTTP"


def breaches(root):
    for relative, path in files(root):
        if path.suffix not in CODE and path.suffix not in {".txt", ".yaml", ".md", ".cmake", ""}:
            continue
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            continue
        if path.suffix in CODE and len(lines) - 1 > LINES_MAX:
            yield relative, len(lines) - 1, f"{len(lines) - 1} lines; {LINES_MAX} at most: split it by idea"
        if path.suffix == ".h" and lines[0] != "#pragma once":
            yield relative, 1, "a header begins with #pragma once"
        for number, line in enumerate(lines, 1):
            if path.suffix in {".cpp", ".h", ".lua"} and len(line) > COLUMNS_MAX:
                yield relative, number, f"{len(line)} columns; {COLUMNS_MAX} at most"
            for breach in includes(relative, number, line):
                yield relative, number, breach
            if relative == SELF:
                continue
            for what, where, pattern, why in BANS:
                if re.match(where, relative) and re.search(pattern, line):
                    yield relative, number, f"{what}: {why}"
    for script in sorted((root / "core/lua/verbs").glob("*.lua")):
        relative = script.relative_to(root).as_posix()
        text = script.read_text(encoding="utf-8")
        if not text.startswith("#!lua"):
            yield relative, 1, "a script begins with #!lua and its flags"
        if not re.search(r"^-- ", text, re.M):
            yield relative, 1, "a script says at the top its purpose, keys, arguments and reply"
    for lua in sorted((root / "core/lua").rglob("*.lua")):
        text = lua.read_text(encoding="utf-8")
        for banned in ("math.random", "'KEYS'", '"KEYS"', "SMEMBERS", "FLUSH", "cmsgpack.unpack(argument"):
            if banned in text:
                yield lua.relative_to(root).as_posix(), 1, f"{banned} has no place in a script"


PLANTED = {
    "core/a.cpp": '#include "server/x.h"\n',
    "core/b.cpp": "#include <QtWidgets/QWidget>\n",
    "server/c.cpp": '#include "core/redis/link.h"\n',
    "server/d.cpp": "#include <QHttpServer>\n",
    "client/e.cpp": '#include "core/store/store.h"\n',
    "ui/f.cpp": '#include "core/queue/queue.h"\n',
    "core/g.cpp": "// x\n" * 501,
    "core/h.h": "class X;\n",
    "core/i.cpp": "int " + "x" * 140 + ";\n",
    "core/j.cpp": "QEventLoop loop;\n",
    "core/k.cpp": "throw Thing();\n",
    "tests/l.cpp": "QSKIP();\n",
    "core/lua/verbs/m.lua": "return 1\n",
    "core/lua/pieces/n.lua": "local x = math.random()\n",
    "ui/o.cpp": "label->setTextFormat(Qt::RichText);\n",
    "core/p.cpp": "// TODO later\n",
}


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text in PLANTED.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = {relative for relative, _, _ in breaches(root)}
        missed = sorted(set(PLANTED) - found)
        for name in missed:
            print(f"self-test: the breach planted in {name} was not found")
        return not missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    root = parser.parse_args().root
    count = 0
    for relative, number, text in breaches(root):
        print(f"{relative}:{number}: {text}")
        count += 1
    looked = sum(1 for _ in files(root))
    sound = self_test()
    print(f"{looked} files, {count} breaches, self-test {'passed' if sound else 'FAILED'}")
    return 0 if sound and count == 0 and looked > 50 else 1


if __name__ == "__main__":
    sys.exit(main())
