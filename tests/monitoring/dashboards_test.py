"""The dashboards: the rules of grafana/dashboard-linter, and that they agree with the catalogue of metrics."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

import catalogue
import promql
from files import DASHBOARDS

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}


def read_all():
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(DASHBOARDS.glob("*.json"))}


def excluded(rule):
    exclusion = yaml.safe_load((DASHBOARDS / ".lint").read_text(encoding="utf-8"))["exclusions"].get(rule, {"entries": []})
    return {(entry["dashboard"], entry["panel"]) for entry in exclusion["entries"]}


def panels_of(dashboard):
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def stood_in(expr):
    """The expression with a duration for each variable that stands for one."""
    return expr.replace("$__rate_interval", "1m").replace("$__range", "1h")


class Dashboards(unittest.TestCase):
    def setUp(self):
        self.dashboards = read_all()
        self.panels = [(dashboard, panel) for dashboard in self.dashboards.values() for panel in panels_of(dashboard)]

    def test_they_are_what_the_script_writes_now(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([DASHBOARDS / "generate", directory], check=True)
            self.assertEqual({path.stem for path in pathlib.Path(directory).iterdir()}, set(self.dashboards))
            for name in self.dashboards:
                written = (pathlib.Path(directory) / f"{name}.json").read_text(encoding="utf-8")
                self.assertTrue((DASHBOARDS / f"{name}.json").read_text(encoding="utf-8") == written,
                                f"{name}.json is out of date: run metrics/dashboards/generate")

    def test_there_are_three_with_fixed_uids_that_can_be_imported_anywhere(self):
        self.assertEqual(set(self.dashboards), {"overview", "controller", "jobs"})
        for name, dashboard in self.dashboards.items():
            with self.subTest(dashboard=name):
                self.assertIsNone(dashboard["id"])
                self.assertEqual(dashboard["uid"], f"sconverge-{name}")
                self.assertEqual(dashboard["tags"], ["sconverge"])
                self.assertEqual((dashboard["schemaVersion"], dashboard["timezone"], dashboard["graphTooltip"]), (39, "utc", 1))
                self.assertIs(dashboard["editable"], False)
                self.assertNotIn("__inputs", dashboard)
                self.assertEqual(dashboard["links"][0]["tags"], ["sconverge"])

    def test_there_is_exactly_one_data_source_variable(self):
        for name, dashboard in self.dashboards.items():
            with self.subTest(dashboard=name):
                sources = [v for v in dashboard["templating"]["list"] if v["type"] == "datasource"]
                self.assertEqual([(v["name"], v["label"], v["query"]) for v in sources], [("datasource", "Data source", "prometheus")])

    def test_the_other_variables_choose_several_or_all_and_follow_the_time(self):
        for dashboard in self.dashboards.values():
            rest = {v["name"]: v for v in dashboard["templating"]["list"] if v["type"] != "datasource"}
            self.assertEqual(list(rest), ["namespace", "job", "instance", "cluster"])
            for name, variable in rest.items():
                with self.subTest(dashboard=dashboard["title"], variable=name):
                    self.assertEqual((variable["type"], variable["datasource"]), ("query", DATASOURCE))
                    self.assertEqual((variable["label"], variable["refresh"]), (name.capitalize(), 2))
                    self.assertTrue(variable["multi"] and variable["includeAll"])
                    # A target outside Kubernetes has no namespace, which `.+` would not match.
                    self.assertEqual(variable["allValue"], ".*" if name == "namespace" else ".+")

    def test_every_panel_has_the_data_source_a_title_a_description_a_unit_and_a_query(self):
        for dashboard, panel in self.panels:
            with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                self.assertTrue(panel["title"])
                self.assertRegex(panel["description"], r"^[A-Z].*\.$")
                self.assertTrue(panel["fieldConfig"]["defaults"]["unit"])
                self.assertTrue(panel["targets"])
                for part in (panel, *panel["targets"]):
                    self.assertEqual(part["datasource"], DATASOURCE)

    def test_titles_and_ids_are_unique_within_a_dashboard(self):
        for dashboard in self.dashboards.values():
            for key in ("title", "id"):
                with self.subTest(dashboard=dashboard["title"], key=key):
                    values = [panel[key] for panel in dashboard["panels"]]
                    self.assertEqual(sorted(values), sorted(set(values)))

    def test_panels_fit_the_width_and_do_not_overlap(self):
        for dashboard in self.dashboards.values():
            taken = set()
            for panel in dashboard["panels"]:
                with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                    place = panel["gridPos"]
                    cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
                    self.assertLessEqual(place["x"] + place["w"], 24)
                    self.assertFalse(taken & cells)
                    taken |= cells

    def test_prometheus_accepts_every_expression(self):
        self.assertEqual(promql.problems_of([stood_in(expr) for _, _, expr in self.expressions()]), "")

    def test_every_metric_label_and_label_value_is_in_the_catalogue(self):
        for dashboard, panel, expr in self.expressions():
            with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                self.assertEqual(catalogue.complaints_about(expr), [])

    def test_every_metric_is_shown_somewhere(self):
        # How much address space a process has says little; its limit is mostly none.
        left_out = {"process_virtual_memory_bytes", "process_virtual_memory_max_bytes"}
        shown = {metric for _, _, expr in self.expressions() for metric, _ in promql.selectors(expr)}
        families = {re.sub("_(count|sum)$", "_bucket", metric) for metric in catalogue.labels_by_metric()}
        self.assertEqual(families - shown, left_out)

    def test_every_selector_follows_the_variables(self):
        labels = catalogue.labels_by_metric()
        without_instance = excluded("target-instance-rule")
        for dashboard, panel, expr in self.expressions():
            with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                self.assertEqual(promql.metrics_without_selector(expr), [])
                for metric, matchers in promql.selectors(expr):
                    wanted = {"job", "instance", "namespace"} | labels.get(metric, set()) & {"cluster"}
                    if (dashboard["title"], panel["title"]) in without_instance:
                        wanted = {"job"}
                    self.assertEqual({label: matchers.get(label) for label in wanted}, {label: ("=~", f"${label}") for label in wanted})

    def test_rates_are_over_the_interval_of_the_graph(self):
        without = excluded("target-rate-interval-rule") | excluded("target-range-interval-rule")
        for dashboard, panel, expr in self.expressions(without):
            with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                self.assertLessEqual(set(re.findall(r"\[([^\]]*)\]", expr)), {"$__rate_interval"})

    def test_counters_are_shown_as_rates_or_increases_and_nothing_else_is(self):
        for dashboard, panel, expr in self.expressions():
            for metric, _ in promql.selectors(expr):
                with self.subTest(dashboard=dashboard["title"], panel=panel["title"], metric=metric):
                    inside = re.search(rf"\b(?:rate|increase)\({metric}\{{", expr) is not None
                    self.assertEqual(inside, metric.endswith(("_total", "_bucket")))

    def test_a_legend_names_all_that_tells_its_lines_apart(self):
        labels = catalogue.labels_by_metric()
        for dashboard, panel in self.panels:
            for target in panel["targets"] if panel["type"] == "timeseries" else []:
                with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                    groups = re.findall(r"\bby\s*\(([^)]*)\)", target["expr"])
                    metric = promql.selectors(target["expr"])[0][0]
                    apart = {name.strip() for name in groups[0].split(",")} - {"le"} if groups else {"instance"} | labels.get(metric, set())
                    self.assertEqual(set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])), apart)

    def test_a_table_shows_labels_that_its_series_have(self):
        labels = catalogue.labels_by_metric()
        for dashboard, panel in self.panels:
            if panel["type"] == "table":
                with self.subTest(dashboard=dashboard["title"], panel=panel["title"]):
                    expr = panel["targets"][0]["expr"]
                    has = promql.grouping_labels(expr) or labels.get(promql.selectors(expr)[0][0], set()) | catalogue.TARGET_LABELS
                    shown, arranged = (part["options"] for part in panel["transformations"])
                    self.assertLessEqual(set(shown["include"]["names"]), has | {"Value"})
                    self.assertEqual(shown["include"]["names"], list(arranged["renameByName"]))

    def test_every_exception_of_the_linter_is_of_a_panel_that_exists_and_has_a_reason(self):
        panels = {(dashboard["title"], panel["title"]) for dashboard, panel in self.panels}
        exclusions = yaml.safe_load((DASHBOARDS / ".lint").read_text(encoding="utf-8"))["exclusions"]
        for rule, exclusion in exclusions.items():
            with self.subTest(rule=rule):
                self.assertTrue(exclusion["reason"])
                self.assertLessEqual(excluded(rule), panels)

    def expressions(self, without=frozenset()):
        return [(dashboard, panel, target["expr"]) for dashboard, panel in self.panels for target in panel["targets"]
                if (dashboard["title"], panel["title"]) not in without]


if __name__ == "__main__":
    unittest.main()
