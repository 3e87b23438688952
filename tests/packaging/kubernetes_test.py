#!/usr/bin/env python3
"""The manifests of deploy/kubernetes hold together, and with the program; with --schemas, the schemas of Kubernetes take them, too."""
import copy
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

import manifests as held

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

    def test_everything_fits_to_everything(self):
        self.assertEqual([*held.faults(self.all)], [])


# (file, keys to the place, what is planted there, words of the fault). A text is exchanged in the text that stands there.
STATEFUL, CONFIG = "statefulset.yaml", "configmap.yaml"
POD = ("spec", "template", "spec")
CONTAINER = (*POD, "containers", 0)
MONITOR, KEDA = "components/prometheus-operator/podmonitor.yaml", "components/keda/scaledobject.yaml"
ENDPOINT, TRIGGER = ("spec", "podMetricsEndpoints", 0), ("spec", "triggers", 0, "metadata")
PLANTED = (
    (STATEFUL, (*CONTAINER, "livenessProbe", "httpGet", "path"), "/-/health", "livenessProbe asks /-/health,"),
    (STATEFUL, (*CONTAINER, "livenessProbe", "httpGet", "path"), "/-/ready", "livenessProbe asks /-/ready,"),
    (STATEFUL, (*CONTAINER, "readinessProbe", "httpGet", "path"), "/ready", "readinessProbe asks /ready,"),
    (STATEFUL, (*CONTAINER, "livenessProbe", "httpGet", "port"), "http", "livenessProbe asks port http"),
    (STATEFUL, (*CONTAINER, "readinessProbe", "httpGet", "port"), "http", "readinessProbe asks port http"),
    (STATEFUL, (*CONTAINER, "livenessProbe", "failureThreshold"), 1, "sooner than the watchdog"),
    (STATEFUL, (*CONTAINER, "ports", 0, "name"), "http", "service.yaml leads to"),
    (STATEFUL, (*CONTAINER, "ports", 0, "containerPort"), 8080, "is not the container's port"),
    (STATEFUL, (*CONTAINER, "volumeMounts", 0, "mountPath"), "/etc/fensi/conf", "args names /etc/fensi/guanzhu.yaml,"),
    (STATEFUL, (*CONTAINER, "volumeMounts", 1, "mountPath"), "/secrets", "--kafka_property_file names /etc/fensi-secrets/kafka.properties"),
    (STATEFUL, (*CONTAINER, "args", 1), "/etc/fensi/other.yaml", "args names /etc/fensi/other.yaml,"),
    (STATEFUL, (*CONTAINER, "args", 2), "--flagfile=/etc/fensi/other.conf", "--flagfile names /etc/fensi/other.conf,"),
    (STATEFUL, (*CONTAINER, "resources", "requests", "memory"), "128Mi", "requests 128Mi"),
    (STATEFUL, (*CONTAINER, "resources", "limits", "memory"), "128Mi", "the limit 128Mi"),
    (STATEFUL, (*CONTAINER, "resources", "limits", "memory"), "400M", "the limit 400M"),
    (STATEFUL, (*CONTAINER, "securityContext", "runAsUser"), 0, "runAsUser is not 65532"),
    (STATEFUL, (*CONTAINER, "image"), "fensy", "the container has fensy"),
    (STATEFUL, (*POD, "securityContext", "fsGroup"), 1, "fsGroup is not 65532"),
    (STATEFUL, (*POD, "securityContext", "runAsUser"), 1000, "runAsUser is not 65532"),
    (STATEFUL, (*POD, "securityContext", "runAsGroup"), 1000, "runAsGroup is not 65532"),
    (STATEFUL, (*POD, "terminationGracePeriodSeconds"), 5, "less than the 45 s"),
    (STATEFUL, (*POD, "volumes", 0, "configMap", "name"), "other", "args names /etc/fensi/guanzhu.yaml,"),
    (CONFIG, ("data", "run.conf"), ("--memory_mb=256", "--memory_mb=4096"), "the 4156 MiB of --memory_mb"),
    (CONFIG, ("data", "run.conf"), ("--memory_mb=256", ""), "no --memory_mb"),
    (CONFIG, ("data", "run.conf"), ("0.0.0.0:16180", "0.0.0.0:16181"), "is not the container's port"),
    (CONFIG, ("data", "run.conf"), ("0.0.0.0:16180", "127.0.0.1:16180"), "is not the container's port"),
    (CONFIG, ("data", "run.conf"), ("kafka.properties", "client.properties"), "names /etc/fensi-secrets/client.properties,"),
    (CONFIG, ("data", "run.conf"), ("kafka:9092", "kafka:9093"), "does not let out to --source=kafka://kafka:9093"),
    (CONFIG, ("data", "run.conf"), ("zookeeper:2181", "zookeeper:2182"), "does not let out to --store=hbase://zookeeper:2182/hbase"),
    (CONFIG, ("data", "run.conf"), ("//kafka:", "//broker:"), "scaledobject.yaml asks for"),
    (CONFIG, ("data", "guanzhu.yaml"), ("  fensi:", "  follow:"), "scaledobject.yaml asks for"),
    (CONFIG, ("data", "guanzhu.yaml"), ("source: guanzhu", "source: follow"), "scaledobject.yaml asks for"),
    ("secret.yaml", ("stringData",), {"client.properties": ""}, "--kafka_property_file names"),
    ("service.yaml", ("spec", "ports", 0, "targetPort"), "http", "service.yaml leads to"),
    ("service.yaml", ("spec", "ports", 0, "name"), "http", "service.yaml leads to"),
    (STATEFUL, (*CONTAINER, "volumeMounts", 1, "readOnly"), False, "/etc/fensi-secrets can be written"),
    ("service.yaml", ("spec", "clusterIP"), "10.0.0.1", "gives the pods no names"),
    ("service.yaml", ("spec", "ports", 0, "port"), 80, "service.yaml leads to"),
    ("networkpolicy.yaml", ("spec", "ingress", 0, "ports", 0, "port"), "http", "lets port http in"),
    (MONITOR, (*ENDPOINT, "port"), "http", "podmonitor.yaml reads port http"),
    ("networkpolicy.yaml", ("spec", "egress", 0, "ports", 0, "port"), 54, "ask for names"),
    (MONITOR, ("spec", "jobLabel"), "app", "podmonitor.yaml calls the job ''"),
    (MONITOR, (*ENDPOINT, "path"), "/prometheus", "podmonitor.yaml reads /prometheus"),
    (KEDA, (*TRIGGER, "consumerGroup"), "fensi-guanzhu", "scaledobject.yaml asks for"),
    (KEDA, (*TRIGGER, "topic"), "fensi", "scaledobject.yaml asks for"),
    (KEDA, (*TRIGGER, "bootstrapServers"), "kafka:9093", "scaledobject.yaml asks for"),
    (KEDA, ("spec", "scaleTargetRef", "kind"), "Deployment", "which is not the StatefulSet"),
    (KEDA, ("spec", "minReplicaCount"), 0, "lets no daemon work"),
    ("poddisruptionbudget.yaml", ("spec", "maxUnavailable"), 0, "maxUnavailable 0"),
    ("poddisruptionbudget.yaml", ("spec", "maxUnavailable"), 2, "maxUnavailable 2"),
    ("kustomization.yaml", ("images", 0), {"name": "fensi", "newTag": "0.1.0"}, "names no registry"),
    ("kustomization.yaml", ("images", 0, "newName"), "library/fensi", "names no registry"),
    ("kustomization.yaml", ("images", 0, "newTag"), "latest", "tag latest is not of this version"),
)


class PlantedTest(unittest.TestCase):
    """The checks find what they are there for."""

    def planted(self, file, keys, value):
        all_ = copy.deepcopy(manifests())
        *way, last = keys
        place = all_[file]
        for key in way:
            place = place[key]
        before = place.get(last) if isinstance(place, dict) else place[last]
        place[last] = before.replace(*value) if isinstance(value, tuple) else value
        self.assertNotEqual(place[last], before, "nothing is changed")
        return all_

    def test_each_error_is_refused(self):
        for file, keys, value, words in PLANTED:
            with self.subTest(f"{file}: {keys[-1]} {value}"):
                self.assertIn(words, "\n".join(held.faults(self.planted(file, keys, value))))

    def test_a_second_index_wants_a_trigger_of_its_own(self):
        all_ = manifests()
        more = "  more:\n    table: more\n    row: '{f1:from}'\n    columns: {'f1:{row}': ''}\n"
        all_[CONFIG]["data"]["guanzhu.yaml"] += more
        self.assertIn("fensi-more", "\n".join(held.faults(all_)))


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
    cases = ["SchemaTest"] if "--schemas" in sys.argv else ["ManifestTest", "PlantedTest"]
    unittest.main(argv=[sys.argv[0], *cases], verbosity=2)
