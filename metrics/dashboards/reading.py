"""Reads the dashboards as Grafana would: their panels, and their queries with the variables filled in."""

import json

ALL = {"namespace": ".*", "job": ".+", "instance": ".+", "cluster": ".+"}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def panels_of(dashboard):
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def rows_of(dashboard):
    return [panel for panel in dashboard["panels"] if panel["type"] == "row"]


def filled_in(expr, rate_interval="1m", span="1h"):
    """The expression for all controllers and clusters. `span` is the whole time that is shown."""
    expr = expr.replace("$__rate_interval", rate_interval).replace("$__range", span)
    for name, value in ALL.items():
        expr = expr.replace(f'"${name}"', f'"{value}"')
    return expr
