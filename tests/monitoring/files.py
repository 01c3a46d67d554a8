"""Where the files under test are."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "metrics/alerts/sconverge.rules.yaml"
RULE_CASES = ROOT / "metrics/alerts/sconverge_test.yaml"
DASHBOARDS = ROOT / "metrics/dashboards"
CATALOGUE = ROOT / "metrics/README.md"
RUNBOOK = ROOT / "docs/runbook.md"
