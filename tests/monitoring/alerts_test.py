"""The alert rules: that Prometheus takes them, and the conventions that their users rely on."""

import re
import subprocess
import unittest

import yaml

import alert_rules
import catalogue
import promql
from files import DASHBOARDS, RULE_CASES, RULES

TEMPLATE = re.compile(r"\{\{.*?\}\}")


def promtool(*arguments):
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)


class AlertRules(unittest.TestCase):
    def setUp(self):
        self.rules = alert_rules.read()
        self.alerts = alert_rules.alerts_of(self.rules)

    def test_prometheus_accepts_the_rules_and_its_linter_finds_nothing(self):
        done = promtool("check", "rules", "--lint=all", "--lint-fatal", str(RULES))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_cases_beside_the_rules_hold(self):
        done = promtool("test", "rules", str(RULE_CASES))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_a_like_series_leaves_it_silent(self):
        fired, silent = set(), set()
        for case in yaml.safe_load(RULE_CASES.read_text(encoding="utf-8"))["tests"]:
            series = {promql.selectors(item["series"])[0][0] for item in case["input_series"]}
            for check in case["promql_expr_test"]:
                names = {promql.selectors(sample["labels"])[0][1]["alertname"][1] for sample in check["exp_samples"]}
                fired |= names
                silent |= {name for name, rule in self.alerts.items()
                           if name not in names and series >= {metric for metric, _ in promql.selectors(rule["expr"])} - {"process_start_time_seconds"}}
        self.assertEqual(fired, set(self.alerts))
        self.assertEqual(silent, set(self.alerts))

    def test_every_selector_names_the_job(self):
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                self.assertEqual(promql.metrics_without_selector(rule["expr"]), [])
                for metric, matchers in promql.selectors(rule["expr"]):
                    self.assertEqual(matchers.get("job"), ("=", "sconverge"), metric)

    def test_every_alert_but_that_of_an_absent_controller_ends_in_its_threshold(self):
        without = [name for name, rule in self.alerts.items() if not alert_rules.THRESHOLD.fullmatch(rule["expr"])]
        self.assertEqual(without, ["SconvergeDown"])

    def test_alerts_about_a_cluster_keep_its_label(self):
        labels = catalogue.labels_by_metric()
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                of_a_cluster = any("cluster" in labels.get(metric, ()) for metric, _ in promql.selectors(rule["expr"]))
                self.assertNotRegex(rule["expr"], r"\bby\s*\(", "only `without` keeps the labels of the target")
                if of_a_cluster:
                    self.assertNotIn("cluster", promql.grouping_labels(rule["expr"]))
                    self.assertIn("{{ $labels.cluster }}", rule["annotations"]["description"])

    def test_every_metric_label_and_label_value_is_in_the_catalogue(self):
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                self.assertEqual(catalogue.complaints_about(rule["expr"]), [])

    def test_names_groups_and_severities_are_of_the_usual_form(self):
        self.assertEqual(len(self.alerts), sum(len(group["rules"]) for group in self.rules["groups"]), "a name is used twice")
        for group in self.rules["groups"]:
            self.assertLessEqual(len(group["rules"]), 20)
            self.assertRegex(group["name"], r"^sconverge-[a-z]{1,30}$")
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                self.assertRegex(name, r"^Sconverge([A-Z][a-z]+)+$")
                self.assertLessEqual(len(name), 40)
                self.assertEqual(list(rule["labels"]), ["severity"])
                self.assertIn(rule["labels"]["severity"], ("critical", "warning", "info"))

    def test_a_summary_is_a_fixed_sentence_and_a_description_tells_of_the_case_at_hand(self):
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                texts = rule["annotations"]
                self.assertEqual(set(texts), {"summary", "description", "runbook_url", "dashboard_url"})
                self.assertRegex(texts["summary"], r"^[A-Z][^{}]*\.$")
                self.assertRegex(texts["description"], TEMPLATE)
                self.assertRegex(texts["description"], r"^[A-Z].*\.$")

    def test_no_text_repeats_a_threshold_or_a_duration_which_a_site_may_have_changed(self):
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                for text in (rule["annotations"]["summary"], rule["annotations"]["description"]):
                    self.assertNotRegex(TEMPLATE.sub("", text), r"\d")

    def test_every_alert_leads_to_a_dashboard_that_exists(self):
        uids = {f"/d/sconverge-{path.stem}" for path in DASHBOARDS.glob("*.json")}
        for name, rule in self.alerts.items():
            with self.subTest(alert=name):
                self.assertIn(rule["annotations"]["dashboard_url"], uids)


class ChangedAlertRules(unittest.TestCase):
    def setUp(self):
        self.rules = alert_rules.read()

    def changed(self, **changes):
        return alert_rules.alerts_of(alert_rules.changed(self.rules, **changes))

    def test_the_threshold_the_duration_and_the_severity_of_any_alert_can_be_replaced(self):
        wish = {"threshold": 7.5, "for": "1s", "severity": "info"}
        every = [name for name in alert_rules.alerts_of(self.rules) if name != "SconvergeDown"]
        for name, rule in self.changed(alerts={name: wish for name in every}).items():
            if name == "SconvergeDown":
                continue
            with self.subTest(alert=name):
                self.assertTrue(rule["expr"].endswith(" 7.5"), rule["expr"])
                self.assertEqual((rule["for"], rule["labels"]["severity"]), ("1s", "info"))
                self.assertEqual(promql.problems_of([rule["expr"]]), "")

    def test_only_the_number_at_the_end_is_replaced(self):
        changed = self.changed(alerts={"SconvergeJobFailureRatioHigh": {"threshold": 0.9}})["SconvergeJobFailureRatioHigh"]
        self.assertIn(">= 5", changed["expr"])
        self.assertTrue(changed["expr"].endswith("> 0.9"))

    def test_the_job_is_replaced_in_every_selector(self):
        for name, rule in self.changed(job="batch/sconverge").items():
            with self.subTest(alert=name):
                jobs = {matchers["job"][1] for _, matchers in promql.selectors(rule["expr"])}
                self.assertEqual(jobs, {"batch/sconverge"})

    def test_an_alert_can_be_left_out(self):
        self.assertNotIn("SconvergeDown", self.changed(alerts={"SconvergeDown": {"enabled": False}}))

    def test_the_rules_themselves_stay_as_they_are(self):
        before = alert_rules.read()
        self.changed(job="other", alerts={"SconvergeJobsLost": {"for": "1m", "threshold": 3}})
        self.assertEqual(self.rules, before)

    def test_a_change_that_would_change_nothing_is_refused(self):
        for alerts in ({"SconvergeDwon": {"for": "1s"}}, {"SconvergeDown": {"threshold": 1}}, {"SconvergeJobsLost": {"four": "1s"}}):
            with self.subTest(alerts=alerts), self.assertRaises(ValueError):
                self.changed(alerts=alerts)


if __name__ == "__main__":
    unittest.main()
