"""docs/cookbook.md: what it shows of a mapping file stands in that file, and what it says a lookup reads is read."""
import os
import re

import harness

ROOT = os.environ["FENSI_ROOT"]


def recipes():
    """Title, file, shown index, command line and what it shall print, of each."""
    with open(os.path.join(ROOT, "docs", "cookbook.md"), encoding="utf-8") as page:
        _, *parts = re.split(r"(?m)^## ", page.read())
    for part in parts:
        title = part.split("\n", 1)[0]
        file = re.search(r"\]\(\.\./(deploy/examples/\S+\.yaml)\):\n", part).group(1)
        shown = re.search(r"```yaml\nindexes:\n(.*?)```", part, re.S).group(1)
        line, printed = re.search(r"```console\n\$ fensi ([^\n]*)\n(.*?)```", part, re.S).groups()
        yield title, file, shown, line.split(), printed


class Cookbook(harness.CliTest):
    def test_has_ten_recipes_with_their_costs(self):
        with open(os.path.join(ROOT, "docs", "cookbook.md"), encoding="utf-8") as page:
            text = page.read()
        self.assertEqual([len(list(recipes())), text.count("\n- **To read**: "), text.count("\n- **An event**: ")], [10, 10, 10])

    def test_shows_the_indexes_as_their_files_have_them(self):
        for title, file, shown, *_ in recipes():
            with open(os.path.join(ROOT, file), encoding="utf-8") as mapping:
                self.assertIn(shown, mapping.read(), title)

    def test_shows_what_a_lookup_reads(self):
        for title, file, _, words, printed in recipes():
            self.assertEqual(words[:2], ["lookup", file], title)
            self.assertEqual(self.succeeds(words[0], os.path.join(ROOT, file), *words[2:]).out, printed, title)


harness.main()
