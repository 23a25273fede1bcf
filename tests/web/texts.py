"""The catalogues of the web console: every language has the same keys with the same parameters and the forms of its plurals, every key that
is used is there, and every key that is there is used. texts.py ROOT"""

import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]) / "web" / "src"
sys.path.insert(0, str(root.parent))
sys.dont_write_bytecode = True
import textkeys  # noqa: E402

FORMS = {"en": {"one", "other"}, "ja": {"other"}}
SAME = {"column.id", "field.id", "filter.enter", "version", "jobs.id"}  # the same in both languages
faults = []


def once(pairs):
    keys = [key for key, _ in pairs]
    faults.extend(f"{key} is there twice" for key in sorted(set(keys)) if keys.count(key) > 1)
    return dict(pairs)


catalogues = {path.stem: json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)
              for path in sorted((root / "texts").glob("*.json"))}


def parameters(text):
    forms = text.values() if isinstance(text, dict) else [text]
    return set(re.findall(r"\{(\w+)\}", " ".join(forms)))


english = catalogues["en"]
for language, texts in catalogues.items():
    for key in sorted(english.keys() ^ texts.keys()):
        faults.append(f"{key} is missing in {'en' if key in texts else language}")
    for key, text in texts.items():
        if isinstance(text, dict) and text.keys() != FORMS[language]:
            faults.append(f"{language}: {key} has the plural forms {sorted(text)}")
        if key in english and parameters(text) - {"n"} != parameters(english[key]) - {"n"}:
            faults.append(f"{language}: {key} has other parameters than in English")
        if language != "en" and text == english.get(key) and key not in SAME and re.search(r"[A-Za-z]{3}", str(text)) and key != "version":
            faults.append(f"{language}: {key} is not translated")

sources = [*root.rglob("*.ts"), *root.rglob("*.tsx")]
for path in sources:
    for key in re.findall(r'\bt\(\s*"([^"]+)"', path.read_text(encoding="utf-8")):
        if key not in english:
            faults.append(f"{path.name}: the text {key} does not exist")
faults += [f"{key} is used nowhere" for key in sorted(english.keys() - textkeys.used(sources, english))]

print("\n".join(faults))
print(f"{len(english)} texts in {len(catalogues)} languages, {len(faults)} faults")
sys.exit(1 if faults or len(english) < 100 else 0)
