"""As much of PromQL as is needed to see which series an expression selects."""

import re
import subprocess
import tempfile

import yaml

METRIC = r"\b(?:sconverge_\w+|process_\w+|up|ALERTS)\b"
SELECTOR = re.compile(rf"({METRIC})\{{([^}}]*)\}}")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


def selectors(expr):
    """(metric, {label: (operator, value)}) of each selector."""
    return [(metric, {label: (operator, value) for label, operator, value in MATCHER.findall(matchers)})
            for metric, matchers in SELECTOR.findall(expr)]


def metrics_without_selector(expr):
    return [found[0] for found in re.finditer(METRIC, without_selectors(without_grouping(expr)))]


def without_selectors(expr):
    return SELECTOR.sub("", expr)


def without_grouping(expr):
    return re.sub(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", "", expr)


def grouping_labels(expr):
    """Labels named in by, without, on and ignoring."""
    lists = re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", expr)
    return {label.strip() for labels in lists for label in labels.split(",") if label.strip()}


def problems_of(expressions):
    """What Prometheus' own parser says of these expressions; empty if it takes them."""
    rules = [{"record": f"expression:{number}", "expr": expr} for number, expr in enumerate(expressions)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump({"groups": [{"name": "expressions", "rules": rules}]}, file)
        file.flush()
        done = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
