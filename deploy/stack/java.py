"""Which java runs the servers, and how it reads paths."""
import os
import shutil

from .errors import StackError


def program():
    """That of JAVA_HOME, else the first of PATH."""
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", "java") if home else "java"


def environment():
    """In the C locale Java cannot name files whose names are not ASCII."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


def require():
    if shutil.which(program()) is not None:
        return
    home = os.environ.get("JAVA_HOME")
    if home:
        raise StackError("JAVA_HOME is %s, where there is no bin/java; set it right, or unset it" % home)
    raise StackError("there is no java; run: deploy/install stack")
