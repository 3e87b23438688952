"""What the program tells the allocator that it is linked to, as that one shows it."""
import harness


class Allocator(harness.CliTest):
    def settings(self, conf):
        shown = self.fensi("version", variables={"MALLOC_CONF": conf})
        self.assertEqual(shown.code, 0, shown.err)
        lines = [line.split(":", 1) for line in shown.err.splitlines() if ":" in line]
        return {name.strip(): value.split()[0] for name, value in lines if value.strip()}

    def test_has_few_arenas_and_gives_memory_back_soon(self):
        settings = self.settings("stats_print:true")
        self.assertEqual(settings["opt.narenas"], "4")
        self.assertEqual(settings["opt.dirty_decay_ms"], "1000")

    def test_a_person_has_the_last_word(self):
        self.assertEqual(self.settings("stats_print:true,narenas:7")["opt.narenas"], "7")


harness.main()
