"""The runbook has a section for every alert, and every alert leads to its own."""

import re
import subprocess
import unittest

import alert_rules
import catalogue
import promql
from files import ROOT, RUNBOOK

PARTS = ["What it means", "What users notice", "Where to look", "How to mend it"]


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Runbook(unittest.TestCase):
    def setUp(self):
        self.alerts = alert_rules.alerts_of(alert_rules.read())
        self.text = RUNBOOK.read_text(encoding="utf-8")
        parts = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)
        self.sections = {heading: body for heading, body in zip(parts[1::2], parts[2::2]) if heading.startswith("Sconverge")}

    def test_every_alert_has_a_section_and_every_section_an_alert(self):
        self.assertEqual(set(self.sections), set(self.alerts))

    def test_the_address_in_an_alert_is_that_of_its_section(self):
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                self.assertRegex(rule["annotations"]["runbook_url"], rf"^https://[^#]*/docs/runbook\.md#{anchor(name)}$")

    def test_every_section_says_what_it_means_what_users_notice_where_to_look_and_how_to_mend_it(self):
        for heading, body in self.sections.items():
            with self.subTest(section=heading):
                self.assertEqual(re.findall(r"^\*\*([^*]+)\.\*\*", body, re.MULTILINE), PARTS)

    def test_every_section_has_something_to_type(self):
        for heading, body in self.sections.items():
            with self.subTest(section=heading):
                self.assertRegex(body, r"```(console|promql)\n")

    def test_prometheus_accepts_every_query_and_its_metrics_exist(self):
        labels = catalogue.labels_by_metric()
        for heading, body in self.sections.items():
            with self.subTest(section=heading):
                for query in re.findall(r"```promql\n(.*?)\n```", body, re.DOTALL):
                    self.assertEqual(promql.problems_of(query.splitlines()), "")
                    self.assertLessEqual(set(re.findall(promql.METRIC, query)), set(labels))

    def test_every_verb_of_sconverge_in_it_exists(self):
        verbs = set(re.findall(r"^\$ (?:sudo -u sconverge )?sconverge ([a-z]+)", self.text, re.MULTILINE))
        self.assertTrue(verbs)
        binary = ROOT / "build/dev/sconverge"
        if not binary.exists():
            self.skipTest("sconverge is not built")
        for verb in verbs:
            with self.subTest(verb=verb):
                done = subprocess.run([binary, verb, "--help"], capture_output=True, text=True, check=False)
                self.assertIn(f"Usage: sconverge {verb}", done.stdout)

    def test_every_text_to_look_for_in_the_log_is_one_that_the_controller_writes(self):
        sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "controller/app").glob("*.cpp"))
        texts = re.findall(r"journalctl -u sconverge \|.*?'([a-z ]+)'", self.text)
        self.assertTrue(texts)
        for text in texts:
            with self.subTest(text=text):
                self.assertTrue(text in sources)

    def test_every_link_within_it_leads_somewhere(self):
        anchors = {anchor(heading) for heading in re.findall(r"^#+ (.+)$", self.text, re.MULTILINE)}
        for target in re.findall(r"\]\(#([^)]+)\)", self.text):
            self.assertIn(target, anchors)


if __name__ == "__main__":
    unittest.main()
