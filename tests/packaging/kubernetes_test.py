#!/usr/bin/env python3
"""The manifests of deploy/kubernetes hold together, and with the program; with --schemas, the schemas of Kubernetes take them, too."""
import glob
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:  # another Python than Debian's
    sys.path.append("/usr/lib/python3/dist-packages")
    import yaml

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]
HOME = os.path.join(ROOT, "deploy/kubernetes")
VERSIONS = ("1.25", "1.29", "1.33")
# Of operators, not of Kubernetes.
OPERATORS = ("keda.sh/", "monitoring.coreos.com/", "kustomize.config.k8s.io/")


def load(path):
    with open(path, encoding="utf-8") as text:
        return yaml.safe_load(text)


def manifests():
    return {os.path.relpath(path, HOME): load(path) for path in glob.glob(os.path.join(HOME, "**/*.yaml"), recursive=True)}


class ManifestTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = manifests()
        cls.pod = cls.all["statefulset.yaml"]["spec"]["template"]
        (cls.container,) = cls.pod["spec"]["containers"]

    def test_kustomize_names_every_file(self):
        for path, manifest in self.all.items():
            if os.path.basename(path) == "kustomization.yaml":
                there = {os.path.basename(other) for other in self.all if os.path.dirname(other) == os.path.dirname(path)}
                self.assertEqual(set(manifest["resources"]), there - {"kustomization.yaml"}, path)

    def test_everything_is_for_the_same_pods(self):
        labels = self.pod["metadata"]["labels"]
        spec = lambda name: self.all[name]["spec"]
        self.assertEqual(spec("statefulset.yaml")["selector"]["matchLabels"], labels)
        self.assertEqual(spec("service.yaml")["selector"], labels)
        self.assertEqual(spec("poddisruptionbudget.yaml")["selector"]["matchLabels"], labels)
        self.assertEqual(spec("networkpolicy.yaml")["podSelector"]["matchLabels"], labels)
        self.assertEqual(spec("components/prometheus-operator/podmonitor.yaml")["selector"]["matchLabels"], labels)
        self.assertEqual(spec("statefulset.yaml")["serviceName"], self.all["service.yaml"]["metadata"]["name"])
        self.assertEqual(spec("components/keda/scaledobject.yaml")["scaleTargetRef"]["name"], self.all["statefulset.yaml"]["metadata"]["name"])

    def test_each_pod_has_a_name_in_its_groups_that_it_keeps(self):
        self.assertEqual(self.container["env"], [{"name": "FENSI_INSTANCE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}])

    def test_who_scales_by_lag_does_not_scale_by_what_it_cannot_help(self):
        """Every change of their number moves partitions; a daemon without one would only wait."""
        spec = self.all["components/keda/scaledobject.yaml"]["spec"]
        self.assertGreaterEqual(spec["cooldownPeriod"], 600)
        down = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]["scaleDown"]
        self.assertGreaterEqual(down["stabilizationWindowSeconds"], 600)
        for trigger in spec["triggers"]:
            self.assertEqual(trigger["type"], "kafka")
            self.assertEqual(trigger["metadata"]["limitToPartitionsWithLag"], "true")
            self.assertEqual(trigger["metadata"]["allowIdleConsumers"], "false")
            self.assertTrue(trigger["metadata"]["consumerGroup"].startswith("fensi-"))
            self.assertGreater(int(trigger["metadata"]["lagThreshold"]), 0)

    def test_alerts_are_those_of_the_rules_file(self):
        self.assertEqual(self.all["components/prometheus-operator/prometheusrule.yaml"]["spec"],
                         load(os.path.join(ROOT, "deploy/monitoring/fensi.rules.yml")))
        self.assertTrue(self.pod["metadata"]["labels"]["app.kubernetes.io/name"].startswith("fensi"), "the alerts are for such jobs")

    def test_the_program_takes_the_flags_and_the_mapping(self):
        with tempfile.TemporaryDirectory() as scratch:
            for kind, key in (("configmap.yaml", "data"), ("secret.yaml", "stringData")):
                for name, text in self.all[kind][key].items():
                    with open(os.path.join(scratch, name), "w", encoding="utf-8") as out:
                        out.write(text)
            words = [word.replace("/etc/fensi/", scratch + "/") for word in self.container["args"]]
            done = subprocess.run([FENSI, *words, "--print_flags"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("--kafka_property_file=/etc/fensi-secrets/kafka.properties", done.stdout)
            self.assertIn("--admin=0.0.0.0:16180", done.stdout)
            done = subprocess.run([FENSI, "check", words[1]], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_is_mounted_is_there_and_a_folder(self):
        volumes = {volume["name"]: volume for volume in self.pod["spec"]["volumes"]}
        for mount in self.container["volumeMounts"]:
            self.assertNotIn("subPath", mount)
            self.assertIn(mount["name"], volumes)
        self.assertEqual(volumes["config"]["configMap"]["name"], self.all["configmap.yaml"]["metadata"]["name"])
        self.assertEqual(volumes["secrets"]["secret"], {"secretName": self.all["secret.yaml"]["metadata"]["name"], "defaultMode": 0o440})

    def test_a_pod_may_do_little(self):
        spec = self.pod["spec"]
        self.assertIs(spec["automountServiceAccountToken"], False)
        self.assertIs(spec["enableServiceLinks"], False)
        self.assertIs(spec["securityContext"]["runAsNonRoot"], True)
        self.assertEqual(self.container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                                            "capabilities": {"drop": ["ALL"]}})

    def test_the_image_is_of_this_version(self):
        (image,) = self.all["kustomization.yaml"]["images"]
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
            self.assertIn(f"VERSION {image['newTag']} ", text.read())


class SchemaTest(unittest.TestCase):
    """kubernetes-validate of PyPI carries the schemas."""

    @classmethod
    def setUpClass(cls):
        cls.tools = os.path.join(ROOT, "build/kubernetes-validate")
        if not os.path.exists(os.path.join(cls.tools, "bin/kubernetes-validate")):
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", cls.tools, "kubernetes-validate"], check=True)

    def verdict(self, path, version):
        return subprocess.run([sys.executable, os.path.join(self.tools, "bin/kubernetes-validate"), "--strict", "-k", version, path],
                              env={**os.environ, "PYTHONPATH": self.tools}, capture_output=True, text=True, check=False)

    def test_kubernetes_takes_what_is_its_own(self):
        tried = 0
        for path, manifest in manifests().items():
            if manifest["apiVersion"].startswith(OPERATORS):
                continue
            for version in VERSIONS:
                done = self.verdict(os.path.join(HOME, path), version)
                self.assertEqual(done.returncode, 0, f"{path}, {version}: {done.stdout}{done.stderr}")
                tried += 1
        self.assertEqual(tried, 6 * len(VERSIONS))

    def test_a_fault_is_noticed(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as planted:
            manifest = load(os.path.join(HOME, "statefulset.yaml"))
            manifest["spec"]["replica"] = 2
            yaml.safe_dump(manifest, planted)
            planted.flush()
            self.assertNotEqual(self.verdict(planted.name, VERSIONS[0]).returncode, 0)


if __name__ == "__main__":
    case = "SchemaTest" if "--schemas" in sys.argv else "ManifestTest"
    unittest.main(argv=[sys.argv[0], case], verbosity=2)
