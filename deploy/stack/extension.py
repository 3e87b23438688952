"""What a stack's HBase runs besides itself, such as Phoenix: a folder with two files.

  pom.xml         the jars of HBase (its version is ${hbase.version}, as in hbase/pom.xml) and those of the extension
  hbase-site.xml  further settings, for the servers and for their clients"""
import os
import xml.etree.ElementTree

from .errors import StackError

FILES = ("pom.xml", "hbase-site.xml")


def pom(folder):
    """None: the stack has no extension, and HBase has its own pom.xml."""
    return os.path.join(folder, "pom.xml") if folder else None


def require(folder):
    missing = [name for name in FILES if folder and not os.path.isfile(os.path.join(folder, name))]
    if missing:
        raise StackError("the extension %s has no %s; an extension is a folder with %s" % (folder, missing[0], " and ".join(FILES)))
    properties(folder)


def properties(folder):
    """The settings of hbase-site.xml."""
    if not folder:
        return {}
    path = os.path.join(folder, "hbase-site.xml")
    try:
        rows = xml.etree.ElementTree.parse(path).getroot().findall("property")
        return {row.find("name").text.strip(): (row.find("value").text or "").strip() for row in rows}
    except (xml.etree.ElementTree.ParseError, AttributeError) as problem:
        raise StackError("%s is not a file of HBase settings (%s); write each as <property><name>…</name><value>…</value></property>"
                         % (path, problem)) from problem
