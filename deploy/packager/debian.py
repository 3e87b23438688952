"""The .deb; what is in it says cmake/FensiPackages.cmake."""
import os
import shutil
import tempfile

from packager import tree


def make(out):
    """Its path."""
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        tree.run("cpack", "-G", "DEB", "--config", os.path.join(tree.BUILD, "CPackConfig.cmake"), "-B", scratch)
        (name,) = [entry for entry in os.listdir(scratch) if entry.endswith(".deb")]
        path = os.path.join(out, name)
        shutil.move(os.path.join(scratch, name), path)
    return path
