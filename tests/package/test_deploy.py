"""packaging/compose.yaml and packaging/kubernetes: read by docker-compose and kubectl, typed by the API's own types, and compared with the program."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM = pathlib.Path(os.environ["JUNBAN_NPM"])
PROGRAMS = pathlib.Path(os.environ["JUNBAN_BIN"])
KUBERNETES = ROOT / "packaging/kubernetes"
OVERLAYS = {"base": {"StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy"}}
OVERLAYS["monitoring"] = OVERLAYS["base"] | {"ServiceMonitor"}
OVERLAYS["two-masters"] = OVERLAYS["base"]
MODULES = {"monitoring.coreos.com": "@kubernetes-models/prometheus-operator/"}


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False, **options)


class Deploy(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="junban-deploy-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def rendered(self, overlay):
        done = run("kubectl", "kustomize", KUBERNETES / overlay)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(yaml.safe_load_all(done.stdout))

    def typed(self, objects):
        """What the compiler says of the objects as literals of the API's types: a field that the type has not is an error."""
        source = self.directory / "objects.ts"
        lines = []
        for number, each in enumerate(objects):
            group = each["apiVersion"].split("/")[0]
            module = MODULES.get(group, "kubernetes-models/") + each["apiVersion"]
            lines.append(f'import type {{ I{each["kind"]} as T{number} }} from "{module}";\n'
                         f"export const o{number}: T{number} = {json.dumps(each)};\n")
        source.write_text("".join(lines))
        if not (self.directory / "node_modules").exists():
            (self.directory / "node_modules").symlink_to(NPM / "node_modules")
            (self.directory / "package.json").write_text('{"type": "module"}')
        done = run("node", NPM / "node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022",
                   source, cwd=self.directory)
        return done.stdout + done.stderr

    def test_every_object_has_the_fields_that_kubernetes_knows(self):
        everything = []
        for overlay, kinds in OVERLAYS.items():
            objects = self.rendered(overlay)
            self.assertEqual({each["kind"] for each in objects}, kinds, overlay)
            everything += objects
        self.assertEqual(self.typed(everything), "")
        pod = next(each for each in everything if each["kind"] == "StatefulSet")["spec"]["template"]["spec"]
        pod["containers"][0]["readynessProbe"] = pod["containers"][0].pop("readinessProbe")
        self.assertIn("readynessProbe", self.typed(everything))

    def test_the_pods_are_found_guarded_and_probed(self):
        for overlay in OVERLAYS:
            objects = {each["kind"]: each for each in self.rendered(overlay)}
            labels = objects["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
            selectors = [objects["StatefulSet"]["spec"]["selector"]["matchLabels"], objects["Service"]["spec"]["selector"],
                         objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"], objects["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]]
            for selector in selectors:
                self.assertLessEqual(selector.items(), labels.items())
            pod = objects["StatefulSet"]["spec"]["template"]["spec"]
            container, = pod["containers"]
            self.assertEqual((pod["securityContext"]["runAsNonRoot"], container["securityContext"]["readOnlyRootFilesystem"]), (True, True))
            self.assertEqual({container[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}, {"/readyz", "/healthz"})
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            claimed = {claim["metadata"]["name"] for claim in objects["StatefulSet"]["spec"]["volumeClaimTemplates"]}
            self.assertEqual(mounted, claimed | {volume["name"] for volume in pod["volumes"]})
            self.assertEqual(container["image"], f"junband:{self.version()}")

    def version(self):
        return re.search(r"project\(junban VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

    def test_every_variable_is_an_option(self):
        helped = run(PROGRAMS / "junband", "--help").stdout
        options = {"JUNBAN_" + name.upper().replace("-", "_") for name in re.findall(r"^  --(\S+)", helped, re.M)}
        named = re.compile(r"\bJUNBAN_[A-Z_]+\b")
        files = [ROOT / "packaging/compose.yaml", ROOT / "scripts/image", *KUBERNETES.rglob("*.yaml")]
        found = {word for path in files for word in named.findall(path.read_text())}
        self.assertLessEqual(found, options)
        self.assertIn("JUNBAN_FIRST_TOKEN_FILE", found)

    def test_compose_reads_each_profile(self):
        text = (ROOT / "packaging/compose.yaml").read_text()
        compose = self.directory / "compose.yaml"
        compose.write_text(text)
        profiles = {"one": 1, "redis": 2, "two": 7}
        for profile in profiles:
            done = run("docker-compose", "-f", compose, "--profile", profile, "config")
            self.assertEqual(done.returncode, 0, done.stderr)
        services = yaml.safe_load(done.stdout)["services"]
        self.assertEqual({name: sum(name in service["profiles"] for service in services.values()) for name in profiles}, profiles)
        for service in services.values():
            if service["image"].startswith("junband"):
                self.assertEqual((service["image"], service["read_only"], service["cap_drop"]), (f"junband:{self.version()}", True, ["ALL"]))
        compose.write_text(text.replace("read_only: true", "readonly: true", 1))
        self.assertNotEqual(run("docker-compose", "-f", compose, "config").returncode, 0)


if __name__ == "__main__":
    unittest.main()
