"""Makes a C++ file with the web console: build.py BUILT OUTPUT.cpp

BUILT is a folder of the build. It gets the npm packages (once for each lock file), a copy of the sources, the types of
openapi/master.yaml, the icons as TypeScript, the sentences of the master in other languages, the catalogues in two
parts, and the bundle.
"""

import gzip
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "core" / "base" / "reasons"))
sys.dont_write_bytecode = True
import catalogue  # noqa: E402
import textkeys  # noqa: E402

DOCUMENT = ROOT / "openapi" / "master.yaml"
NO_BREAK, JOINER = "\u00a0", "\u2060"
UNITS = "ミリ秒|秒|分|時間|日|件|回"
PERIODS = "second|minute|hour|day"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}


def run(folder, *command):
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        # Errors name the sources, not their copies.
        sys.exit((done.stdout + done.stderr).replace(str(folder / "src"), str(HERE / "src")).replace("\nsrc/", "\nweb/src/"))


def unless_made(stamp, content, make):
    """Calls make() when it was not called with this content before."""
    if not stamp.is_file() or stamp.read_bytes() != content:
        stamp.unlink(missing_ok=True)
        make()
        stamp.write_bytes(content)


def install(folder):
    def make():
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    unless_made(folder / "installed.json", (HERE / "package-lock.json").read_bytes(), make)


def types(folder):
    def make():
        run(folder, "node", "node_modules/openapi-typescript/bin/cli.js", DOCUMENT, "--default-non-nullable=false",
            "--output", "made/api.d.ts")
    unless_made(folder / "made" / "document.stamp", hashlib.sha256(DOCUMENT.read_bytes()).digest(), make)


def icons(folder):
    """The icons of resources/ and src/icons as shapes: a page may make no element of a text."""
    shapes = {}
    paths = [*(ROOT / "resources" / "icons").glob("*.svg"), *(HERE / "src" / "icons").glob("*.svg")]
    for path in sorted(paths, key=lambda path: path.stem):
        if path.stem != "junban":
            shapes[path.stem] = [[element.tag.rsplit("}", 1)[1], dict(element.attrib)] for element in xml.parse(path).getroot()]
    lines = [f"  {name}: {json.dumps(parts)}," for name, parts in shapes.items()]
    (folder / "made" / "icons.ts").write_text(
        "// Made from resources/icons and src/icons by build.py.\n"
        "export type Shape = readonly [string, Readonly<Record<string, string>>];\n"
        "export const icons = {\n" + "\n".join(lines) + "\n} satisfies Record<string, readonly [string, Record<string, string>][]>;\n"
        "export type IconName = keyof typeof icons;\n", encoding="utf-8")


def unparted(text):
    """A span, a count or a rate is never broken into two lines: a Japanese line may end between any two signs."""
    if isinstance(text, dict):
        return {form: unparted(each) for form, each in text.items()}
    if re.fullmatch(UNITS, text):
        return JOINER.join(text)
    text = re.sub(rf"(?<=[}}\d]) (?=per |(?:{PERIODS})s?\b|(?:ms|s|min|m|h|d|B|[KMGT]iB)\b)|(?<= per) (?={{)", NO_BREAK, text)
    text = re.sub(rf"(?<={NO_BREAK}per) (?={{|{PERIODS})|(?<=毎[秒分時日]) (?={{)", NO_BREAK, text)
    text = re.sub(r"(?<=})あたり (?={)", JOINER + JOINER.join("あたり") + NO_BREAK, text)
    text = re.sub(r"毎(?=[秒分時日])", "毎" + JOINER, text)
    text = re.sub(r"(?<=})/(?=[^\W\d])", "/" + JOINER, text)
    return re.sub(rf"(?<=[}}\d])([ {NO_BREAK}]?)({UNITS})",
                  lambda part: (NO_BREAK if part[1] else JOINER) + JOINER.join(part[2]), text)


def reasons(folder):
    """The sentences of the master in each language but English, with the types of their values."""
    types = {reason.name: reason.values for reason in catalogue.load()}
    for path in sorted((ROOT / "resources" / "i18n").glob("reasons.*.json")):
        texts = json.loads(path.read_text(encoding="utf-8"))
        texts["reasons"] = {name: re.sub(r"\{(\w+)\}", lambda part: f"{{{part[1]}:{types[name][part[1]]}}}", unparted(text))
                            for name, text in texts["reasons"].items()}
        texts["patterns"] = {name: unparted(text) for name, text in texts["patterns"].items()}
        (folder / "made" / path.name).write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")


def texts(folder):
    """Each catalogue in two parts: what the first screen may say, and the rest, which comes with the other screens."""
    src = folder / "src"
    first = textkeys.loaded_with(src / name for name in ("main.ts", "open.ts", "console.tsx", "overview/chart.ts"))
    for path in sorted((src / "texts").glob("*.json")):
        whole = json.loads(path.read_text(encoding="utf-8"))
        early = textkeys.used(first, whole)
        for name, part in (("first", early), ("later", whole.keys() - early)):
            some = {key: unparted(text) for key, text in whole.items() if key in part}
            (folder / "made" / f"{name}.{path.name}").write_text(json.dumps(some, ensure_ascii=False), encoding="utf-8")


def page(out):
    """index.html, with the names of this bundle's files."""
    parts = json.loads((out / "files.json").read_text(encoding="utf-8"))
    preloads = "".join(f'<link rel="modulepreload" href="web/{name}">\n' for name in parts["needed"])
    icon = next(path.name for path in sorted(out.glob("junban-*.svg")))
    text = (HERE / "src" / "index.html").read_text(encoding="utf-8")
    names = {"@frame@": parts["frame"], "@style@": parts["style"], "@script@": parts["script"], "@icon@": icon}
    for word, value in {**names, "@preloads@\n": preloads}.items():
        text = text.replace(word, value)
    return text.encode()


def literal(content):
    """C++ string literals of some bytes; an octal escape never runs into what follows."""
    text = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in content)
    pieces = re.findall(r"(?:\\[0-7]{3}|[^\\]){1,4000}", text)
    return "".join(f'\n        "{piece}"' for piece in pieces) or '""'


def embed(out, target):
    files = [("/", "text/html; charset=utf-8", page(out), False)]
    for path in sorted(out.iterdir()):
        if path.suffix in TYPES:
            files.append((f"/web/{path.name}", TYPES[path.suffix], path.read_bytes(), True))
    with open(target, "w", encoding="ascii") as cpp:
        cpp.write('// Made from web/ by build.py.\n#include "web/files.h"\n\nusing namespace std::string_view_literals;\n\n'
                  "namespace {\n\nconstexpr junban::web::File all[] = {\n")
        for path, kind, content, immutable in files:
            etag = '\\"' + hashlib.sha256(content).hexdigest()[:20] + '\\"'
            packed = gzip.compress(content, 9, mtime=0)
            cpp.write(f'    {{"{path}"sv, "{kind}"sv, "{etag}"sv, {str(immutable).lower()},{literal(content)}sv,{literal(packed)}sv}},\n')
        cpp.write("};\n\n} // namespace\n\nstd::span<const junban::web::File> junban::web::files()\n{\n    return all;\n}\n")


def main():
    folder, target = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "made").mkdir(exist_ok=True)
    install(folder)
    types(folder)
    icons(folder)
    reasons(folder)
    for name in ("src", "out"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(HERE / "src", folder / "src")
    texts(folder)
    for name in ("tsconfig.json", "bundle.mjs"):
        shutil.copy(HERE / name, folder)
    run(folder, "node", "node_modules/typescript/bin/tsc")
    run(folder, "node", "bundle.mjs", folder)
    icon = (ROOT / "resources" / "icons" / "junban.svg").read_bytes()
    (folder / "out" / f"junban-{hashlib.sha256(icon).hexdigest()[:8]}.svg").write_bytes(icon)
    embed(folder / "out", target)


if __name__ == "__main__":
    main()
