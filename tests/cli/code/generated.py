"""Files that `fensi code go` printed, built together, and a process that answers lines about them (ask.go)."""
import os
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = """package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

%s)

var packages = map[string]func([]string) string{
%s}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		fmt.Println(packages[words[0]](words[1:]))
	}
}
"""


def tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/local/go/bin:/usr/lib/go/bin")
    assert found, f"there is no {name}: run deploy/install long"
    return found


class Go:
    def __init__(self, test, folder):
        self.test, self.folder, self.names = test, folder, []
        with open(os.path.join(HERE, "ask.go"), encoding="ascii") as text:
            self.ask = text.read()
        self.write("go.mod", "module generated\n\ngo 1.19\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def add(self, place, index, mapping="m.yaml"):
        """The name of the package that reads this index."""
        name = f"c{len(self.names)}"
        code, out, err = place.call("code", "go", mapping, index, f"--package={name}")
        self.test.assertEqual(code, 0, err)
        self.write(f"{name}/index.go", out)
        self.write(f"{name}/ask.go", self.ask.replace("package NAME", f"package {name}"))
        self.names.append(name)
        return name

    def run(self, *words, given=None):
        """Without a network."""
        environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off"}
        done = subprocess.run([tool(words[0]), *words[1:]], cwd=self.folder, input=given, env=environment, capture_output=True, text=True,
                              timeout=1500, check=False)
        self.test.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout

    def build(self):
        self.write("main.go", MAIN % ("".join(f'\t"generated/{name}"\n' for name in sorted(self.names)),
                                      "".join(f'\t"{name}": {name}.Ask,\n' for name in self.names)))
        self.test.assertEqual(self.run("gofmt", "-l", *self.names), "")
        self.run("go", "build", "-o", "asked", ".")
        self.run("go", "vet", "./...")

    def answers(self, lines):
        done = subprocess.run([os.path.join(self.folder, "asked")], input="".join(line + "\n" for line in lines), capture_output=True,
                              text=True, timeout=600, check=False)
        self.test.assertEqual(done.returncode, 0, done.stderr[-3000:])
        answers = done.stdout.splitlines()
        self.test.assertEqual(len(answers), len(lines))
        return answers


def ranges_of(text):
    """'[00..01, 02..]' as bytes."""
    return [tuple(map(bytes.fromhex, one.split(".."))) for one in text[1:-1].split(", ") if one]


def values_of(text):
    """'{6162=i31, 637e=[6d}': name -> value, and the names of those that are not exact ('c~')."""
    values, inexact = {}, []
    for one in filter(None, text[1:-1].split(", ")):
        name, value = one.split("=")
        name = bytes.fromhex(name).decode()
        if name.endswith("~"):
            name = name[:-1]
            inexact.append(name)
        values[name] = bytes.fromhex(value[1:]) if value[0] == "[" else int(value[1:]) if value[0] == "i" else double(value[1:])
    return values, sorted(inexact)


def double(bits):
    return struct.unpack(">d", struct.pack(">q", int(bits)))[0]
