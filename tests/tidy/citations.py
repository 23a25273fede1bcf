"""Every citation resolves: pages and their sections, transitions, invariants and histories of docs/semantics.md, and what fsck says.

Prints every breach as `file:line: what` and exits 1 when there is one. It plants breaches into a scratch tree and checks that each is found
and that sound citations are not, so that the test cannot pass by looking at nothing.
"""

import argparse
import bisect
import pathlib
import re
import sys
import tempfile

SELF = "tests/tidy/citations.py"
SEMANTICS = "docs/semantics.md"
API = "openapi/master.yaml"
TEXTS = {".cpp", ".h", ".lua", ".py", ".js", ".md", ".yaml", ".txt", ".cmake", ".example", ".service", ""}

LEADER = re.compile(r"^\s*(//+|--+|#+|\*)?\s*")
PAGE = re.compile(r"(?<![\w/.<>*-])((?:\.\./)*\w[\w./-]*\.md|" + API.replace(".", r"\.") + r")\b")
SECTION = re.compile(r"`?,? (?:§ ?(?P<number>\d+(?:\.\d+)*)|\"(?P<title>[^\"]+)\")|#(?P<anchor>[\w-]+)")
SIGN = re.compile(r"§ ?\d")
TRANSITIONS = re.compile(r"\b[Tt]ransitions? (?=[\d`])")
ITEM = re.compile(r"(\d{1,3})\b(?:(?: \(|, )`([a-z-]+)`\)?)?|`([a-z-]+)`")
BETWEEN = re.compile(r",? and |, | to |–|-")
INVARIANT = re.compile(r"(?<![<>\w])([IH]\d{1,2})(?!\w)(?: \(`?([a-z-]+)`?\))?")
LITERAL = re.compile(r"'([^'\n]*)'")


def files(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if (path.suffix in TEXTS and path.is_file() and relative != SELF and not relative.startswith((".git/", "build/"))
                and "/node_modules/" not in relative):
            try:
                yield relative, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


class Flow:
    """A file's text without line ends and the signs that begin comments, so that a citation may go over two lines."""

    def __init__(self, text):
        self.text, self.starts = "", []
        for line in text.split("\n"):
            self.starts.append(len(self.text))
            self.text += LEADER.sub("", line).rstrip() + " "

    def line(self, at):
        return bisect.bisect_right(self.starts, at)


def headings(text):
    return [found.group(1) for found in re.finditer(r"^#+ (.+?) *$", text, re.M)]


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Pages:
    def __init__(self, root):
        self.root = root
        self.known = {}

    def find(self, relative, name):
        """The page's path, as it is cited from a file: from the root, or from the file's own folder."""
        for path in (self.root / name, (self.root / relative).parent / name):
            if path.is_file():
                return path
        return None

    def sections(self, path):
        if path not in self.known:
            text = path.read_text(encoding="utf-8")
            self.known[path] = headings(text) if path.suffix == ".md" else re.findall(r"\*\*([^*]+?)\.?\*\*", text)
        return self.known[path]

    def has(self, path, section):
        titles = self.sections(path)
        if section["number"]:
            return any(re.match(re.escape(section["number"]) + r"\.? ", title) for title in titles)
        if section["anchor"]:
            return section["anchor"] in map(anchor, titles)
        return section["title"] in [re.sub(r" \(\d+\.\d+\)$", "", title) for title in titles]  # a decision's version may be left out


def page_breaches(relative, flow, pages):
    sections = set()
    for cited in PAGE.finditer(flow.text):
        if cited.group(1).startswith("build/"):
            continue  # a run makes it
        path = pages.find(relative, cited.group(1))
        if path is None:
            yield cited.start(), f"there is no page {cited.group(1)}"
            continue
        section = SECTION.match(flow.text, cited.end())
        if section:
            sections.add(section.start("number"))
            if not pages.has(path, section):
                yield cited.start(), f"{cited.group(1)} has no section {section.group(0).strip('`, #')}"
    for sign in SIGN.finditer(flow.text):
        number = re.search(r"\d", flow.text[sign.start():]).start() + sign.start()
        if number not in sections and not re.search(r"RFC \d+,? $", flow.text[:sign.start()]):
            yield sign.start(), "a section of no page"


def transition_breaches(flow, names):
    for cited in TRANSITIONS.finditer(flow.text):
        at = cited.end()
        while item := ITEM.match(flow.text, at):
            number, name, alone = item.groups()
            if alone and alone not in names.values():
                yield item.start(), f"there is no transition `{alone}`"
            if number and number not in names:
                yield item.start(), f"there is no transition {number}"
            elif name and names[number] != name:
                yield item.start(), f"transition {number} is called `{names[number]}`, not `{name}`"
            between = BETWEEN.match(flow.text, item.end())
            if not between:
                break
            at = between.end()


def invariant_breaches(flow, names):
    for cited in INVARIANT.finditer(flow.text):
        number, name = cited.groups()
        if number not in names:
            yield cited.start(), f"there is no {number}"
        elif name and names[number] != name:
            yield cited.start(), f"{number} is called `{names[number]}`, not `{name}`"


def named(text, numbers):
    return dict(re.findall(r"^\| (" + numbers + r") \| `([a-z-]+)` \|", text, re.M))


def fsck_breaches(root, semantics):
    """The messages in the scripts and those in the table are the same, each under its invariant."""
    rows = [(number, message) for number, cell in re.findall(r"^\| \*\*(I\d+)\*\* (`.*?) \|", semantics, re.M)
            for message in re.findall(r"`([^`]+)`", cell)]
    told = " ".join(message for _, message in rows)
    scripts = [path for path in sorted((root / "core").rglob("*.lua")) if re.match(r"fsck_|check", path.name)]
    source = "".join(path.read_text(encoding="utf-8") for path in scripts)
    if not scripts or not rows:
        yield SEMANTICS, 1, "no messages of fsck were found"
    for path in scripts:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            direct = re.search(r"Check\.bad\('(I\d+)', [^,]+(?: \.\. [^,]+)?, '([^']+)'[,)]", line)
            if direct and direct.groups() not in rows:
                yield path.relative_to(root).as_posix(), number, f"{SEMANTICS} does not tell of {direct.group(1)} '{direct.group(2)}'"
            spoken = "Check.bad" in line or "local text" in line or re.search(r"\{ '\w+:', '", line)
            for literal in LITERAL.findall(line.split(" -- ")[0]) if spoken and not direct else ():
                if " " in literal and literal.strip() not in told:
                    yield path.relative_to(root).as_posix(), number, f"{SEMANTICS} does not tell of '{literal}'"
    for number, message in rows:
        if not all(piece.strip() in source for piece in message.split("…")):
            yield SEMANTICS, 1, f"fsck does not say '{message}' ({number})"


def led_to(root):
    """Pages of docs/ that README.md, ARCHITECTURE.md or a folder's own README.md lead to."""
    leads = [root / "README.md", root / "ARCHITECTURE.md", *(root / "docs").rglob("README.md")]
    text = {path: path.read_text(encoding="utf-8") for path in leads if path.is_file()}
    for path in sorted((root / "docs").rglob("*.md")):
        relative = path.relative_to(root).as_posix()
        beside = text.get(path.parent / "README.md", "")
        if path.name != "README.md" and f"({path.name})" not in beside and not any(relative in lead for lead in text.values()):
            yield relative, 1, "no page leads here"


def breaches(root):
    semantics = (root / SEMANTICS).read_text(encoding="utf-8")
    transitions, invariants = named(semantics, r"\d+"), named(semantics, r"[IH]\d+")
    if list(map(int, transitions)) != list(range(1, len(transitions) + 1)) or len(set(transitions.values())) != len(transitions):
        yield SEMANTICS, 1, "the transitions are not numbered from 1, each with a name of its own"
    pages = Pages(root)
    for relative, text in files(root):
        flow = Flow(text)
        for at, what in (*page_breaches(relative, flow, pages), *transition_breaches(flow, transitions),
                         *invariant_breaches(flow, invariants)):
            yield relative, flow.line(at), what
    yield from fsck_breaches(root, semantics)
    yield from led_to(root)


SOUND = {
    "README.md": "See [semantics](docs/semantics.md#two-words), `docs/topics/README.md` and build/made.md.\n",
    SEMANTICS: "# Semantics\n## Two words\n## 3. Three\n| 1 | `begin` |\n| 2 | `end-it` |\n| I1 | `one-place` |\n| H1 | `order` |\n"
               "| **I1** `it is lost`, `it counts … ends` | a job |\n",
    "docs/topics/README.md": "[one](one.md)\n",
    "docs/topics/one.md": "# One thing (0.1)\n[back](../semantics.md)\n",
    API: "**Errors** are documents. (docs/semantics.md)\n",
    "core/lua/check.lua": "Check.bad('I1', 'j:' .. id, 'it is lost', mend)\nCheck.bad('I1', key, 'it counts ' .. n .. ' ends')\n",
    "core/a.h": '// (docs/semantics.md,\n// "Two words"; docs/semantics.md §3; docs/topics/one.md, "One thing"; openapi/master.yaml, "Errors"; RFC 9110 §5.6)\n'
                "// Transitions 1 (`begin`) and 2, transition `end-it`, transitions 1–2, I1 (`one-place`), H1 (order), '<I2'\n",
}
PLANTED = {
    "core/b.h": "// (semantics.md)",
    "core/c.h": '// (docs/semantics.md, "Three words")',
    "core/d.h": "// (docs/semantics.md §4)",
    "core/e.h": "// (security §5.6)",
    "core/f.h": "// Transition 3.",
    "core/g.h": "// Transitions 1 to 3.",
    "core/h.h": "// Transitions 1 (`end-it`).",
    "core/i.h": "// the transition `middle`",
    "core/j.h": "// I2",
    "core/k.h": "// H1 (`one-place`)",
    "core/l.h": "// docs/semantics.md,\n// \"Three\nwords\"",
    "core/lua/fsck_m.lua": "Check.bad('I1', key, 'it is new')",
    "core/lua/fsck_n.lua": "local text = 'it is ' .. 'another one'",
    "core/lua/fsck_o.lua": "local BELONGS = { s = { 'j:', 'the state of nothing' } }",
    "docs/p.md": "# A page that no other leads to",
    "docs/topics/q.md": "[gone](one.md#gone)",
    "openapi/r.yaml": "description: (docs/gone.md)",
    "core/s.py": '# openapi/master.yaml, "Manners"',
    "core/t.lua": "-- transitions 1, `begin`, and 2, `begin`",
}


def found_in(tree):
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text in tree.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return list(breaches(root))


def self_test():
    wrong = [f"found in a sound tree: {breach}" for breach in found_in(SOUND)]
    found = {relative for relative, _, _ in found_in({**SOUND, **PLANTED})}
    wrong += [f"the breach planted in {name} was not found" for name in sorted(set(PLANTED) - found)]
    unsaid = {**SOUND, "core/lua/check.lua": "Check.bad('I1', key, 'it counts ' .. n .. ' ends')\n"}
    wrong += [] if found_in(unsaid) else ["a message that fsck does not say was not found"]
    for line in wrong:
        print(f"self-test: {line}")
    return not wrong


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
