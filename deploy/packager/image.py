"""The OCI image: the tarball's tree alone, made by umoci without a daemon or a registry. deploy/image/Dockerfile does the same."""
import os
import tempfile
import time

from packager import tarball, tree

USER = "65532:65532"


def settings():
    """What the image says of itself and of how it is run; the Dockerfile says the same."""
    label = "org.opencontainers.image."
    words = ["--config.user", USER, "--config.workingdir", "/", "--config.entrypoint", f"{tarball.HOME}/bin/fensi",
             "--config.env", f"TZDIR={tarball.HOME}/share/zoneinfo", "--config.env", f"PATH={tarball.HOME}/bin",
             "--config.exposedports", "16180", "--config.stopsignal", "SIGTERM"]
    for name, value in (("title", "fensi"), ("version", tree.version()), ("licenses", "Apache-2.0"),
                        ("description", "secondary indexes of HBase tables, kept exact from outside")):
        words += ["--config.label", f"{label}{name}={value}"]
    return words


def make(out):
    """Its path: an image layout in a tar archive, with the version as its tag."""
    path = os.path.join(out, tree.name() + ".oci.tar")
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(tree.epoch()))
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        home = tarball.make_tree(scratch)
        layout = os.path.join(scratch, "image")
        tagged = f"{layout}:{tree.version()}"
        rootless = [] if os.geteuid() == 0 else ["--rootless"]
        tree.run("umoci", "init", "--layout", layout)
        tree.run("umoci", "new", "--image", tagged)
        tree.run("umoci", "insert", *rootless, "--history.created", made, "--image", tagged, home, tarball.HOME)
        tree.run("umoci", "config", *settings(), "--created", made, "--history.created", made, "--image", tagged)
        tree.run("umoci", "gc", "--layout", layout)
        archive = os.path.join(scratch, "image.tar")
        tree.run("tar", "--create", "--file", archive, "--directory", layout, "--sort=name", "--owner=0", "--group=0",
                 "--numeric-owner", f"--mtime=@{tree.epoch()}", ".")
        os.replace(archive, path)
    return path
