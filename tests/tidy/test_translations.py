"""Every text of the window has a translation, and every translation its text. English needs some for its plurals."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
LUPDATE = pathlib.Path("/usr/lib/qt6/bin/lupdate")


def messages(file):
    """The texts of a file: context, text and comment, and whether each is translated."""
    found = {}
    for context in xml.etree.ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment"))
            found[key] = translation.get("type") is None
    return found


class Translations(unittest.TestCase):
    def check(self, language, *options):
        name = f"junban_{language}.ts"
        kept = ROOT / "resources/i18n" / name
        with tempfile.TemporaryDirectory() as directory:
            anew = shutil.copy(kept, directory)
            subprocess.run([LUPDATE, "-silent", "-no-obsolete", "-locations", "none", "-I", ROOT, *options, ROOT / "ui", ROOT / "app/master",
                            ROOT / "core", "-ts", anew], check=True, capture_output=True)
            found = messages(anew)
        self.assertGreater(len(found), 30)
        self.assertEqual([key for key, translated in found.items() if not translated], [])
        self.assertEqual(sorted(map(str, messages(kept).keys() - found.keys())), [])

    def test_japanese(self):
        self.check("ja")

    def test_plurals_of_english(self):
        self.check("en", "-pluralonly")


if __name__ == "__main__":
    unittest.main()
