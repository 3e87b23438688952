"""What one stack is: its directory, its ports, its size, the versions of its servers. Kept in DIR/stack.json from the first `up` on."""
import dataclasses
import json
import os
import random
import socket

from . import extension as server_extension, versions as server_versions
from .errors import StackError

DEFAULT_PORT_BASE = 19090
PORT_NAMES = ("gateway", "admin", "kafka", "controller", "zookeeper", "master", "regionserver")
# What `down --wipe` leaves; nothing else may be in a folder in which a stack is to be made.
KEPT = {"lock", "log", "stack.json.partial"}


@dataclasses.dataclass
class Settings:
    """Fixed once written: the data directories hold addresses, so a port cannot change under them."""
    directory: str
    ports: dict
    regionservers: int = 1
    large: bool = False  # HBase has the memory of a server, and uses it as it does by default
    versions: dict = dataclasses.field(default_factory=server_versions.DEFAULT.copy)
    extension: str = ""  # the folder of what HBase runs besides itself
    gateway: bool = True

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def address(self, port_name):
        return "127.0.0.1:%d" % self.ports[port_name]

    def save(self):
        """Once: what is kept is never changed."""
        if os.path.exists(self.path("stack.json")):
            return
        kept = {"ports": self.ports, "regionservers": self.regionservers, "large": self.large, "versions": self.versions,
                "extension": self.extension, "gateway": self.gateway}
        text = json.dumps(kept, indent=2)
        partial = self.path("stack.json.partial")
        with open(partial, "w", encoding="utf-8") as out:
            out.write(text + "\n")
        os.replace(partial, self.path("stack.json"))


def load(directory):
    """The settings of an existing stack, or None."""
    try:
        with open(os.path.join(directory, "stack.json"), encoding="utf-8") as source:
            stored = json.load(source)
        return Settings(directory, {name: int(stored["ports"][name]) for name in PORT_NAMES}, int(stored["regionservers"]),
                        stored.get("large") is True, server_versions.stored(stored), str(stored.get("extension", "")),
                        stored.get("gateway") is not False)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as problem:
        raise StackError("%s/stack.json is damaged; take the stack down: deploy/devstack down --wipe --dir %s"
                         % (directory, directory)) from problem


def load_to_end(directory):
    """As load; of a damaged file only the directory is known, which is enough to stop servers and to remove data."""
    try:
        return load(directory)
    except StackError:
        if not _may_be_ours(directory):
            raise StackError("%s/stack.json is another program's; nothing was removed" % directory) from None
        return Settings(directory, dict.fromkeys(PORT_NAMES, 0))


def _may_be_ours(directory):
    """Other programs too have a stack.json, with folders of their own beside it."""
    if not os.path.exists(os.path.join(directory, "lock")):
        return False
    try:
        with open(os.path.join(directory, "stack.json"), encoding="utf-8") as source:
            stored = json.load(source)
    except ValueError:
        return True  # it was cut
    return not stored or "ports" in stored


def require(directory):
    settings = load(directory)
    if settings is None:
        raise StackError("there is no stack in %s; bring one up with: deploy/devstack up --dir %s" % (directory, directory))
    return settings


def require_place(directory):
    """A stack is made in a folder of its own: `down --wipe` removes folders with common names from it."""
    if not os.path.lexists(directory):
        return
    if not os.path.isdir(directory):
        raise StackError("%s is not a folder" % directory)
    found = set(os.listdir(directory))
    if "stack.json" in found or found <= KEPT:
        return
    raise StackError("%s is not empty and not a stack; name a folder of its own with --dir" % directory)


def load_or_plan(directory, port_base, regionservers, versions, large=False, extension=None, gateway=True):
    """The stored settings if they agree with what is asked for (None: whatever is stored), else new ones, not yet saved."""
    stored = load(directory)
    if stored is not None:
        _check_agreement(stored, port_base, regionservers, versions, large, extension)
        if stored.gateway and not gateway:
            raise StackError("the stack in %s was made with a gateway%s" % (stored.directory, _remedy(stored)))
        return stored
    server_extension.require(extension)
    return Settings(directory, _ports(port_base or DEFAULT_PORT_BASE), regionservers or 1, large, server_versions.chosen(versions),
                    extension or "", gateway)


def _remedy(stored):
    return "; remove it first: deploy/devstack down --wipe --dir %s" % stored.directory


def _check_agreement(stored, port_base, regionservers, versions, large, extension):
    remedy = _remedy(stored)
    if server_versions.differ(versions, stored.versions):
        raise StackError("the stack in %s was made with %s%s, or make another one in a folder of its own (--dir)"
                         % (stored.directory, server_versions.text(stored.versions), remedy))
    if extension not in (None, stored.extension):
        raise StackError("the stack in %s was made with %s%s" % (stored.directory, "the extension " + stored.extension
                                                                 if stored.extension else "no extension", remedy))
    differs = regionservers not in (None, stored.regionservers) or (large and not stored.large)
    if isinstance(port_base, int) and stored.ports != _consecutive(port_base):
        differs = True
    if differs:
        raise StackError("the stack in %s was made with other ports, another number of region servers or less memory%s"
                         % (stored.directory, remedy))


def _ports(port_base):
    return _free_ports() if port_base == "free" else _consecutive(port_base)


def _consecutive(base):
    return {name: base + i for i, name in enumerate(PORT_NAMES)}


def _free_ports():
    """Ports nobody listens on, below the range from which the kernel takes ports of outgoing connections."""
    ports = {}
    candidates = random.SystemRandom().sample(range(20000, 32000), 1000)
    for port in candidates:
        if is_free(port):
            ports[PORT_NAMES[len(ports)]] = port
        if len(ports) == len(PORT_NAMES):
            return ports
    raise StackError("no free ports between 20000 and 32000 on 127.0.0.1")


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
