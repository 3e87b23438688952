#!/usr/bin/env python3
"""The program as it is built for release resists faults of memory: seen in the file itself."""
import os
import platform
import re
import subprocess
import unittest

FENSI = os.environ["FENSI_BIN"]
INTEL = platform.machine() == "x86_64"


def words_of(*command):
    return subprocess.run([*command, FENSI], capture_output=True, text=True, check=True).stdout


class Hardening(unittest.TestCase):
    def has(self, pattern, text):
        self.assertTrue(re.search(pattern, text), "nothing like " + pattern)

    def test_it_is_put_at_another_address_each_time(self):
        self.has(r"Type:\s+DYN", words_of("readelf", "-hW"))
        self.has(r"FLAGS_1.*\bPIE\b", words_of("readelf", "-dW"))

    def test_addresses_of_functions_are_settled_before_it_begins(self):
        self.has(r"GNU_RELRO", words_of("readelf", "-lW"))
        self.has(r"FLAGS_1.*\bNOW\b", words_of("readelf", "-dW"))

    def test_the_stack_is_no_code(self):
        flags = re.search(r"GNU_STACK\s+(?:0x\w+\s+){5}(\w+)", words_of("readelf", "-lW")).group(1)
        self.assertNotIn("E", flags)

    def test_a_frame_that_was_written_over_is_noticed(self):
        """By most functions: those of the heart have arrays or take addresses."""
        self.has("__stack_chk_fail@", words_of("readelf", "--dyn-syms", "-W"))
        self.assertGreater(self.calls("__stack_chk_fail"), 1000)

    def test_copies_know_the_size_of_their_place(self):
        self.has(r"__(mem|str|sn?|vsn?|f?read|poll)\w*_chk@", words_of("readelf", "--dyn-syms", "-W"))

    @unittest.skipUnless(INTEL, "these are words of x86-64")
    def test_a_large_frame_is_touched_page_by_page(self):
        self.has(r"sub\s+\$0x1000,%rsp\n[^\n]*or[lq]\s+\$0x0,", self.code())

    @unittest.skipUnless(INTEL, "these are words of x86-64")
    def test_jumps_land_where_functions_begin(self):
        self.assertGreater(self.code().count("endbr64"), 1000)

    @classmethod
    def code(cls):
        if not hasattr(cls, "_code"):
            cls._code = words_of("objdump", "-d", "--no-show-raw-insn")
        return cls._code

    def calls(self, name):
        return len(re.findall(r"call\s.*<%s@" % name, self.code()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
