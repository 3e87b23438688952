"""What in the manifests of deploy/kubernetes must fit together, and to the program, its image and its units; each fault in words.

`all_` is {path below deploy/kubernetes: manifest}; it may be a copy with something changed in it."""
import json
import os
import re
import subprocess
import tempfile

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]
OF_PROCESS_MIB = 60  # that the process takes beside --memory_mb (docs/configuration.md)
UNITS = {"Ki": 2**-10, "Mi": 1, "Gi": 2**10, "k": 1e3 / 2**20, "M": 1e6 / 2**20, "G": 1e9 / 2**20, "": 2**-20}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


def mebibytes(quantity):
    number, unit = re.fullmatch(r"([\d.]+)(\w*)", str(quantity)).groups()
    return float(number) * UNITS[unit]


class Pods:
    """What is said of the pods, and what they find there: files by path, flags by name."""

    def __init__(self, all_):
        self.all = all_
        self.stateful = all_["statefulset.yaml"]["spec"]
        self.spec = self.stateful["template"]["spec"]
        (self.container,) = self.spec["containers"]
        self.mounts = {mount["mountPath"]: mount["name"] for mount in self.container["volumeMounts"]}
        self.files = {f"{path}/{name}": text for path, volume in self.mounts.items() for name, text in self.texts(volume).items()}
        self.flags = dict(self.flags_of("\n".join(self.container["args"])))
        self.flags.update(self.flags_of(self.files.get(self.flags.get("flagfile"), "")))
        self.ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}

    @staticmethod
    def flags_of(text):
        return re.findall(r"^--(\w+)=(.*)$", text, re.MULTILINE)

    def texts(self, volume):
        """{file: text} of a volume; nothing when no manifest has what it names."""
        (found,) = [each for each in self.spec["volumes"] if each["name"] == volume] or [{}]
        config, secret = self.all["configmap.yaml"], self.all["secret.yaml"]
        if found.get("configMap", {}).get("name") == config["metadata"]["name"]:
            return config["data"]
        if found.get("secret", {}).get("secretName") == secret["metadata"]["name"]:
            return secret["stringData"]
        return {}

    def paths(self):
        """That arguments and flags name, with what names each."""
        for word in self.container["args"]:
            if word.startswith("/"):
                yield "args", word
        for flag, value in self.flags.items():
            if value.lstrip("@").startswith("/"):
                yield f"--{flag}", value.lstrip("@")

    def indexes(self):
        """What the program says of the mapping files."""
        with tempfile.TemporaryDirectory() as scratch:
            paths = []
            for word in self.container["args"]:
                if word in self.files:
                    paths.append(os.path.join(scratch, os.path.basename(word)))
                    with open(paths[-1], "w", encoding="utf-8") as out:
                        out.write(self.files[word])
            said = subprocess.run([FENSI, "check", "--json", *paths], capture_output=True, text=True, check=False).stdout if paths else ""
        return [line for line in map(json.loads, said.splitlines()) if "group" in line]


def served():
    """{page: path} of the admin server."""
    return {page: path for path, page in re.findall(r'\{"(/[^"]+)", Page::k(\w+)', read("admin/answers.cc"))}


def of_unit(setting):
    return int(re.search(rf"^{setting}=(\d+)$", read("deploy/systemd/fensi@.service"), re.MULTILINE)[1])


def faults_of_probes(pods):
    pages = served()
    for probe, page in (("livenessProbe", "Healthy"), ("readinessProbe", "Ready")):
        asked = pods.container[probe]["httpGet"]
        if asked["path"] != pages[page]:
            yield f"{probe} asks {asked['path']}, and the program answers {pages[page]}"
        if asked["port"] not in pods.ports:
            yield f"{probe} asks port {asked['port']}, which the container does not name"
    alive = pods.container["livenessProbe"]
    if alive["periodSeconds"] * alive["failureThreshold"] < of_unit("WatchdogSec"):
        yield "livenessProbe kills sooner than the watchdog of the unit"


def faults_of_monitor(pods):
    pages, monitor = served(), pods.all["components/prometheus-operator/podmonitor.yaml"]["spec"]
    job = pods.stateful["template"]["metadata"]["labels"].get(monitor["jobLabel"], "")
    if not job.startswith("fensi"):
        yield f"podmonitor.yaml calls the job '{job}', and the alerts are for those that begin with fensi"
    for endpoint in monitor["podMetricsEndpoints"]:
        if endpoint["path"] != pages["Metrics"]:
            yield f"podmonitor.yaml reads {endpoint['path']}, and the metrics are at {pages['Metrics']}"
        if endpoint["port"] not in pods.ports:
            yield f"podmonitor.yaml reads port {endpoint['port']}, which the container does not name"


def faults_of_ports(pods):
    host, _, port = pods.flags.get("admin", "").rpartition(":")
    if host != "0.0.0.0" or [int(port)] != [*pods.ports.values()]:
        yield f"--admin={host}:{port} is not the container's port {pods.ports}"
    service = pods.all["service.yaml"]["spec"]
    if service["clusterIP"] != "None":
        yield "service.yaml has an address of its own, and gives the pods no names"
    for each in service["ports"]:
        if each["targetPort"] not in pods.ports or each["name"] not in pods.ports or each["port"] != pods.ports[each["name"]]:
            yield f"service.yaml leads to {each}, and the container has {pods.ports}"


def faults_of_network(pods):
    network = pods.all["networkpolicy.yaml"]["spec"]
    for rule in network["ingress"]:
        yield from (f"networkpolicy.yaml lets port {each['port']} in, which the container does not name" for each in rule["ports"]
                    if each["port"] not in pods.ports)
    every = {(each["protocol"], each["port"]) for rule in network["egress"] for each in rule["ports"]}
    if not {("UDP", 53), ("TCP", 53)} <= every:
        yield "networkpolicy.yaml lets nobody ask for names"
    let_out = {port for protocol, port in every if protocol == "TCP"}
    for flag in ("source", "store"):
        asked = {int(port) for port in re.findall(r":(\d+)", pods.flags.get(flag, ""))}
        if not asked or asked - let_out:
            yield f"networkpolicy.yaml does not let out to --{flag}={pods.flags.get(flag)}"


def faults_of_files(pods):
    used = set()
    for who, path in pods.paths():
        used.add(os.path.dirname(path))
        if path not in pods.files:
            yield f"{who} names {path}, and what is mounted there has no such file"
    for mount in pods.container["volumeMounts"]:
        if mount.get("readOnly") is not True:
            yield f"{mount['mountPath']} can be written, and what is mounted there cannot"
    yield from (f"{path} is mounted, and nothing names a file in it" for path in pods.mounts if path not in used)


def faults_of_scaling(pods):
    source = pods.flags.get("source", "").removeprefix("kafka://")
    wanted = {(index["group"], index["topic"], source) for index in pods.indexes()}
    spec = pods.all["components/keda/scaledobject.yaml"]["spec"]
    asked = {tuple(trigger["metadata"][key] for key in ("consumerGroup", "topic", "bootstrapServers")) for trigger in spec["triggers"]}
    if asked != wanted or not wanted:
        yield f"scaledobject.yaml asks for {sorted(asked)} (group, topic, brokers), and the mapping and --source have {sorted(wanted)}"
    stateful = pods.all["statefulset.yaml"]
    wanted = {"apiVersion": stateful["apiVersion"], "kind": stateful["kind"], "name": stateful["metadata"]["name"]}
    if spec["scaleTargetRef"] != wanted:
        yield f"scaledobject.yaml scales {spec['scaleTargetRef']}, which is not the StatefulSet"
    if not 1 <= spec["minReplicaCount"] <= spec["maxReplicaCount"]:
        yield "scaledobject.yaml lets no daemon work"


def faults_of_memory(pods):
    """docs/operations.md: --memory_mb, some 60 MiB, twice the largest batch of each index; the limit half as much again."""
    needed = int(pods.flags.get("memory_mb", 0)) + OF_PROCESS_MIB
    if needed == OF_PROCESS_MIB:
        yield "run.conf has no --memory_mb, so that no limit is right"
    given = pods.container["resources"]
    if mebibytes(given["requests"]["memory"]) < needed:
        yield f"requests {given['requests']['memory']}, and --memory_mb makes it {needed} MiB and more"
    if mebibytes(given["limits"]["memory"]) < 1.5 * needed:
        yield f"the limit {given['limits']['memory']} is not half as much again as the {needed} MiB of --memory_mb"


def faults_of_rights(pods):
    user, group = map(int, re.search(r"^USER (\d+):(\d+)$", read("deploy/image/Dockerfile"), re.MULTILINE).groups())
    if f'USER = "{user}:{group}"' not in read("deploy/packager/image.py"):
        yield f"the image of deploy/package has another user than {user}:{group}, that of the Dockerfile"
    for key, wanted in (("runAsUser", user), ("runAsGroup", group), ("fsGroup", group)):
        for place in (pods.spec, pods.container):
            if place["securityContext"].get(key, wanted if place is pods.container else None) != wanted:
                yield f"{key} is not {wanted}, as in the image"


def faults_of_ends(pods):
    stop = of_unit("TimeoutStopSec")
    if f"in at most {stop} s" not in read("docs/installing.md"):
        yield f"docs/installing.md does not say that a stop takes at most {stop} s"
    if pods.spec["terminationGracePeriodSeconds"] < stop:
        yield f"terminationGracePeriodSeconds is less than the {stop} s that a stop may take"
    away = pods.all["poddisruptionbudget.yaml"]["spec"]["maxUnavailable"]
    if not 1 <= away < pods.stateful["replicas"]:
        yield f"maxUnavailable {away}: 0 holds up whoever empties a node, and all of {pods.stateful['replicas']} leave nobody"


def faults_of_image(pods):
    (image,) = pods.all["kustomization.yaml"]["images"]
    if image["name"] != pods.container["image"]:
        yield f"kustomization.yaml names the image {image['name']}, and the container has {pods.container['image']}"
    if not re.match(r"[\w-]+(\.[\w-]+)+/", image.get("newName", "")):
        yield "kustomization.yaml names no registry for the image: it would be taken from docker.io/library, which is somebody else's"
    elif f"`{image['newName']}`" not in read("docs/installing.md"):
        yield f"docs/installing.md does not say that {image['newName']} must be exchanged"
    if f"VERSION {image['newTag']} " not in read("CMakeLists.txt"):
        yield f"the image's tag {image['newTag']} is not of this version"


def faults(all_):
    pods = Pods(all_)
    for of_kind in (faults_of_probes, faults_of_monitor, faults_of_ports, faults_of_network, faults_of_files, faults_of_scaling,
                    faults_of_memory, faults_of_rights, faults_of_ends, faults_of_image):
        yield from of_kind(pods)
