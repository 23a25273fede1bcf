"""House rules (ARCHITECTURE.md): which room may include which, how long a function or a line may be, and what is banned.

Prints every breach as `file:line: rule` and exits with 1 when there is one. It also writes files with known breaches into a scratch folder
and checks that each is found, so that the test cannot pass by checking nothing.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# room: the rooms it includes and links besides itself. A room is a folder; core/limits.h belongs to core/base.
ROOMS = {
    "core/base": [],
    "core/msgpack": "core/base".split(),
    "core/calendar": "core/base core/msgpack".split(),
    "core/cel": "core/base core/msgpack core/calendar".split(),
    "core/jobs": "core/base core/msgpack core/calendar".split(),
    "core/limits/kinds": "core/base core/msgpack core/calendar core/jobs core/lua".split(),
    "core/limits": "core/base core/msgpack core/calendar core/cel core/jobs core/limits/kinds core/lua".split(),
    "core/access": "core/base core/msgpack core/cel core/jobs core/limits".split(),
    "core/store": "core/base core/msgpack core/jobs core/limits".split(),
    "core/engine": "core/base core/msgpack core/cel core/jobs core/limits/kinds core/limits core/store".split(),
    "core/lua": [],
    "core/redis": "core/base core/msgpack core/jobs core/limits core/store core/lua".split(),
    "core/engine": "core/base core/msgpack core/cel core/jobs core/limits/kinds core/limits core/store".split(),
    "core/journal": "core/base core/engine core/redis".split(),
    "core/memory": "core/base core/jobs core/limits core/store core/engine core/redis core/journal".split(),
    "core/queue": "core/base core/msgpack core/jobs core/store".split(),
    "core/operators": "core/base core/msgpack core/access core/cel core/jobs core/limits core/store core/queue".split(),
    "web": [],
    "server/api": "web server/http core/base core/msgpack core/access core/jobs core/limits core/store core/queue core/operators".split(),
    "server/http": "core/base core/msgpack".split(),
    "server/push": "core/base core/msgpack core/access core/jobs core/store core/queue core/operators".split(),
    "server/relay": "server/api server/http core/base".split(),
    "client": "core/base core/msgpack core/access core/jobs core/limits".split(),
    "ui/base": "client core/base core/msgpack core/calendar core/jobs".split(),
    "ui/widgets": "ui/base client core/base core/msgpack core/jobs".split(),
    "ui/access": "ui/base ui/widgets ui/limits client core/base core/msgpack core/access core/cel core/jobs core/limits".split(),
    "ui/overview": "ui/base ui/widgets ui/limits client core/base core/jobs core/limits".split(),
    "ui/operations": "ui/base ui/widgets ui/limits client core/base core/jobs".split(),
    "ui/workers": "ui/base ui/widgets client core/base core/jobs".split(),
    "ui/jobs": "ui/base ui/widgets ui/limits ui/operations client core/base core/msgpack core/jobs".split(),
    "ui/limits/kinds": "ui/base ui/widgets core/base core/limits".split(),
    "ui/limits": "ui/limits/kinds ui/base ui/widgets client core/base core/msgpack core/cel core/jobs core/limits".split(),
    "ui/inspector": "ui/base ui/widgets ui/jobs ui/limits client core/base core/msgpack core/jobs core/limits".split(),
    "ui/past": "ui/base ui/widgets ui/limits ui/operations client core/base core/jobs core/limits".split(),
    "ui/schedules": "ui/base ui/widgets ui/jobs client core/base core/jobs".split(),
    "ui/shell": "ui/base ui/widgets ui/access ui/overview ui/jobs ui/inspector ui/limits ui/past ui/schedules ui/operations ui/workers client core/base core/access core/jobs core/limits".split(),
    "app/base": "core/base".split(),
    "app/master": "app/base server/api server/http server/push server/relay client core/memory core/redis core/access core/limits core/operators core/queue core/store core/jobs core/msgpack core/base".split(),
    "app/ctl": "app/base client core/redis core/access core/limits core/cel core/calendar core/jobs core/msgpack core/base".split(),
    "app": "app/base app/master ui/shell core/base".split(),
}
PLACED = {"core/limits.h": "core/base"}

# Functions that are a table of data.
TABLES = {("core/redis/scripts.cpp", "scriptLimits")}
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 140
CODE = {".cpp", ".h", ".lua", ".py", ".js", ".mjs", ".ts", ".tsx", ".css", ".html"}

BANS = [
    # (what, where it applies, the pattern, why)
    ("QFuture/QPromise", r"(core|server|app|client|ui)/", r"\b(QFuture|QPromise|QtConcurrent)\b", "callbacks only (ARCHITECTURE.md, \"Rules\")"),
    ("nested event loop", r"(core|server(?!/http/epolldispatcher)|app|client|ui)/", r"\b(QEventLoop|processEvents)\b|\bwaitFor(Connected|ReadyRead|BytesWritten|Finished|Started)\s*\(",
     "no nested event loop and no blocking wait"),
    ("Qt keywords", r".*\.(cpp|h)$", r"^\s*(signals|public slots|private slots|slots|emit)\b\s*:?", "use Q_SIGNALS, Q_SLOTS, Q_EMIT"),
    ("singleton", r"(core|server|client|ui)/", r"\b(Q_GLOBAL_STATIC|static\s+\w+\s*&\s*instance\s*\()", "dependencies come through constructors"),
    ("unfinished work", r".*\.(cpp|h|lua|py|js|mjs|tsx?|css|yaml)$", r"\b(TODO|FIXME|XXX|HACK)\b", "finish it or say it in the documents"),
    ("skipped test", r"tests/", r"\b(QSKIP|QEXPECT_FAIL|unittest\.skip|pytest\.mark\.skip)\b", "no skipped check that looks green"),
    ("rich text from data", r"ui/", r"\bQt::(RichText|AutoText|MarkdownText)\b", "Qt::PlainText on everything data is shown in"),
    ("throwing", r"(core|server|app|client|ui)/", r"\bthrow\s+\w", "one error road: Result<T>"),
    ("QJsonDocument", r"(core|server|client)/", r"\bQJson(Document|Object|Value)\b", "it loses integers above 2^53"),
    ("registry host", r".*", r"deb\.debian\.org|security\.debian\.org|registry\.npmjs\.org", "no registry's host in the tree"),
    ("markup from text", r"web/src/.*\.tsx?$", r"\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|eval)\b|document\.write",
     "texts only ever become text"),
    ("another origin", r"web/src/.*\.(tsx?|html|css)$", r"https?://(?!127\.)", "a page asks its own master and nobody else"),
    ("glossary", r"(core|server|client|ui|app|openapi)/.*\.(cpp|h|lua|yaml)$",
     r"(?i)\b(producer|consumer|broker|nack|dequeue[sd]?)\b", "see ARCHITECTURE.md, \"Words\""),
]
SELF = "tests/tidy/house.py"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def files(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_file() and not relative.startswith((".git/", "build/")) and "/node_modules/" not in relative:
            yield relative, path


def room_of(relative):
    """The room that a file of the product is in; None for other files and for files outside of all rooms."""
    folder = relative.rsplit("/", 1)[0]
    if folder == "core/base/reasons":
        return "core/base"
    return PLACED.get(relative) or (folder if folder in ROOMS else None)


def target_of(room):
    """The name of a room's CMake target."""
    top, _, name = room.rpartition("/")
    return "junban_" + (name if top in {"core", "server", "core/limits"} or room in {"client", "app/master"} else room.replace("/", "_"))


def includes(relative, line):
    room = room_of(relative)
    found = INCLUDE.match(line)
    if room is None or not found:
        return
    target = found.group(2)
    if found.group(1) == '"':
        if "/" not in target:
            if not target.endswith(".moc"):
                yield f'"{target}": includes are relative to the root'
            return
        other = room_of(target)
        if other != room and other not in ROOMS[room]:
            yield f"{room} must not include {target}"
    else:
        if re.match(r"QtHttpServer|QAbstractHttpServer|QHttpServer", target) and not relative.startswith("server/http/httpserver"):
            yield "QtHttpServer stays in server/http/httpserver"
        if re.match(r"wslay", target) and not relative.startswith("server/http/frames"):
            yield "wslay stays in server/http/frames"
        if re.match(r"hiredis", target) and room != "core/redis":
            yield "hiredis stays in core/redis"
        if target.startswith("CLI/") and room != "app/base":
            yield "CLI11 stays in app/base"
        if re.match(r"Q(tWidgets|Widget|Application|MainWindow)", target) and not room.startswith("ui/") and room != "app":
            yield "widgets stay in ui"
        if re.match(r"QNetworkAccessManager", target) and room.startswith("core/"):
            yield "core speaks no HTTP"


def links(root):
    """Compares each room's link list with ROOMS."""
    targets = {target_of(room): room for room in ROOMS}
    for room, allowed in ROOMS.items():
        path = root / room / "CMakeLists.txt"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        made = re.search(r"^junban_room\((\w+)(.*?)\)$", text, re.M | re.S)
        if made:
            words = made.group(2).split("LINKS", 1)[-1]
            if made.group(1) != target_of(room):
                yield f"{room}/CMakeLists.txt", 1, f"the room is called {target_of(room)}"
        else:
            words = " ".join(re.findall(r"^target_link_libraries\(\w+ PRIVATE(.*?)\)$", text, re.M | re.S)) # programs
        linked = {targets[word] for word in words.split() if word in targets}
        for other in sorted(linked ^ set(allowed)) if words else ():
            yield f"{room}/CMakeLists.txt", 1, (f"{room} links {other}, which ROOMS does not allow" if other in linked
                                                else f"{room} may include {other} but does not link it")


def circles(root):
    """Files that include each other, directly or not. A header and its source count as one file."""
    ways = {}
    for relative, path in files(root):
        if room_of(relative) and path.suffix in {".cpp", ".h"}:
            unit = relative.rsplit(".", 1)[0]
            found = (INCLUDE.match(line) for line in path.read_text(encoding="utf-8").split("\n"))
            ways.setdefault(unit, set()).update(one.group(2).rsplit(".", 1)[0] for one in found if one and one.group(1) == '"')
    below = {}
    for unit in ways:
        seen, todo = set(), [unit]
        while todo:
            new = ways.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        below[unit] = seen
    for unit in sorted(ways):
        around = {other for other in below[unit] if unit in below.get(other, ()) and other != unit}
        if around:
            yield f"{unit}.h" if (root / f"{unit}.h").exists() else f"{unit}.cpp", 1, f"is in a circle of includes with {', '.join(sorted(around))}"


def definitions(root):
    """Functions that are too long (except rows of test data and TABLES), and names that two files of a room define in unnamed namespaces:
    the files of a room are compiled together."""
    code = [relative for relative, path in files(root) if path.suffix in {".cpp", ".h"}]
    told = subprocess.run(["ctags", "-L", "-", "--languages=C++", "--kinds-C++=fvscge", "--fields=+neSs", "--output-format=json"], cwd=root,
                          input="\n".join(code), capture_output=True, text=True, check=True)
    homes = {}
    for tag in map(json.loads, told.stdout.splitlines()):
        path, name, line = tag["path"], tag["name"], tag["line"]
        length = tag.get("end", line) - line + 1 if tag["kind"] == "function" else 0
        if length > FUNCTION_LINES_MAX and not name.endswith("_data") and (path, name) not in TABLES:
            yield path, line, f"{name} has {length} lines; {FUNCTION_LINES_MAX} at most"
        outer, _, inner = tag.get("scope", "").rpartition("::")
        if path.endswith(".cpp") and tag.get("scopeKind") == "namespace" and inner.startswith("__anon"):
            other = homes.setdefault((path.rsplit("/", 1)[0], outer, name, tag.get("signature")), path)
            if other != path:
                yield path, line, f"{name} is defined in an unnamed namespace of {other}, too"


def breaches(root):
    for relative, path in files(root):
        if path.suffix not in CODE and path.suffix not in {".txt", ".yaml", ".md", ".cmake", ""}:
            continue
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            continue
        if path.suffix in {".cpp", ".h"} and relative.split("/")[0] in {"core", "server", "client", "ui", "app"}:
            if room_of(relative) is None and not relative.startswith("core/lua/"):
                yield relative, 1, "is in no room"
        if path.suffix == ".h" and lines[0] != "#pragma once":
            yield relative, 1, "a header begins with #pragma once"
        for number, line in enumerate(lines, 1):
            if (path.suffix in {".cpp", ".h", ".lua"} or relative.startswith(("web/", "tests/web/"))) and len(line) > COLUMNS_MAX:
                yield relative, number, f"{len(line)} columns; {COLUMNS_MAX} at most"
            for breach in includes(relative, line):
                yield relative, number, breach
            if relative == SELF:
                continue
            for what, where, pattern, why in BANS:
                if re.match(where, relative) and re.search(pattern, line):
                    yield relative, number, f"{what}: {why}"
    yield from links(root)
    yield from circles(root)
    yield from definitions(root)
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
                yield lua.relative_to(root).as_posix(), 1, f"{banned} is not allowed in a script"


PLANTED = {
    "core/base/a.cpp": '#include "server/http/x.h"\n',
    "core/base/b.cpp": "#include <QtWidgets/QWidget>\n",
    "server/api/c.cpp": '#include "core/redis/link.h"\n',
    "server/api/d.cpp": "#include <QHttpServer>\n",
    "app/ctl/x.cpp": "#include <CLI/App.hpp>\n",
    "server/http/y.cpp": "#include <wslay/wslay.h>\n",
    "client/e.cpp": '#include "core/store/store.h"\n',
    "ui/jobs/f.cpp": '#include "core/queue/queue.h"\n',
    "core/base/g.cpp": "int g()\n{\n" + "    more();\n" * 70 + "}\n",
    "core/base/h.h": "class X;\n",
    "core/jobs/v.cpp": "namespace junban {\nnamespace {\nint same(int a) { return a; }\n}\n}\n",
    "core/jobs/w.cpp": "namespace junban {\nnamespace {\nint same(int a) { return a; }\n}\n}\n",
    "core/base/i.cpp": "int " + "x" * 140 + ";\n",
    "core/base/j.cpp": "QEventLoop loop;\n",
    "core/base/k.cpp": "throw Thing();\n",
    "tests/l.cpp": "QSKIP();\n",
    "core/lua/verbs/m.lua": "return 1\n",
    "core/lua/pieces/n.lua": "local x = math.random()\n",
    "ui/jobs/o.cpp": "label->setTextFormat(Qt::RichText);\n",
    "web/src/a.tsx": "element.innerHTML = text;\n",
    "web/src/b.ts": "const long = " + "1" * 140 + ";\n",
    "core/base/p.cpp": "// TODO later\n",
    "core/cel/q.cpp": '#include "core/limits/matcher.h"\n',
    "core/limits.h": '#pragma once\n#include "core/msgpack/payload.h"\n',
    "core/r.h": "#pragma once\n",
    "core/jobs/s.h": '#pragma once\n#include "core/jobs/t.h"\n',
    "core/jobs/t.h": '#pragma once\n#include "core/jobs/u.h"\n',
    "core/jobs/u.cpp": '#include "core/jobs/s.h"\n',
    "core/queue/CMakeLists.txt": "junban_room(junban_queue\n    SOURCES\n        a.cpp\n    LINKS junban_redis)\n",
}


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text in PLANTED.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = {relative for relative, _, _ in breaches(root)}
        missed = sorted(set(PLANTED) - found - {"core/jobs/v.cpp"})  # only the second definition is reported
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
