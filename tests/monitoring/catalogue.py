"""The catalogue of metrics, as metrics/README.md has it; a test of the metrics holds that to the code."""

import re

import promql
from files import CATALOGUE

# Labels that Prometheus gives every series of a target, and those of its own series.
TARGET_LABELS = {"job", "instance", "namespace"}
OWN_SERIES = {"up": set(), "ALERTS": {"alertname", "alertstate", "severity", "cluster"}}  # and more of each alert's


def labels_by_metric():
    """The labels of every series: those of a histogram are under _bucket, _count and _sum."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([^|]*) \|", CATALOGUE.read_text(encoding="utf-8"), re.MULTILINE)
    out = dict(OWN_SERIES)
    for name, kind, labels in rows:
        own = set(re.findall(r"`(\w+)`", labels))
        if kind == "histogram":
            out |= {f"{name}_bucket": own | {"le"}, f"{name}_count": own, f"{name}_sum": own}
        else:
            out[name] = own
    return out


def values_by_label():
    """The closed sets of label values; a label that has several, as `result`, has the union of them."""
    text = CATALOGUE.read_text(encoding="utf-8").split("## Values of labels")[1]
    out = {}
    for label, values in re.findall(r"^\| `(\w+)`[^|]*\| (.*) \|$", text, re.MULTILINE):
        out.setdefault(label, set()).update(re.findall(r"`([^`]+)`", values))
    return out


def complaints_about(expr):
    """What the expression selects or groups by that no series has; a label value beyond a closed set is one, too."""
    labels, values, out = labels_by_metric(), values_by_label(), []
    found, known = promql.selectors(expr), set(TARGET_LABELS)
    for metric, matchers in found:
        if metric not in labels:
            out.append(f"no metric {metric}")
            continue
        known |= labels[metric]
        out += [f"{metric} has no label {label}" for label in sorted(matchers.keys() - labels[metric] - TARGET_LABELS)]
        for label, (_, value) in matchers.items():
            closed = values.get(label) if label != "code" else None
            if closed and not value.startswith("$"):
                out += [f"{label} of {metric} is never {word}" for word in value.split("|") if word not in closed]
    out += [f"grouped by {label}, which no series here has" for label in sorted(promql.grouping_labels(expr) - known)]
    return out
