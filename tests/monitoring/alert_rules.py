"""The alert rules as data, and the changes that a site makes to them."""

import copy
import re

import yaml

from files import RULES

# A rule's threshold is the number at its end; what stands before is the condition.
THRESHOLD = re.compile(r"(?P<condition>.*(?:==|!=|<=|>=|<|>))\s*(?P<number>-?[0-9.]+)\s*", re.DOTALL)


def read(path=RULES):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def alerts_of(rules):
    """Every alert, by name."""
    return {rule["alert"]: rule for group in rules["groups"] for rule in group["rules"]}


def changed(rules, *, job="sconverge", alerts=None):
    """The rules for another job name, and with the alerts named in `alerts` changed.

    `alerts` has, for the name of an alert, any of `enabled`, `for`, `severity` and `threshold`: the same that the Helm
    chart takes. Raises ValueError for a change that would change nothing.
    """
    rules, wanted = copy.deepcopy(rules), dict(alerts or {})
    for group in rules["groups"]:
        group["rules"] = [rule for rule in group["rules"] if wanted.get(rule["alert"], {}).get("enabled", True)]
        for rule in group["rules"]:
            change(rule, wanted.pop(rule["alert"], {}))
            rule["expr"] = rule["expr"].replace('job="sconverge"', f'job="{job}"')
    left = [name for name, wish in wanted.items() if wish.get("enabled", True)]
    if left:
        raise ValueError(f"no alert is called {', '.join(left)}")
    return rules


def change(rule, wish):
    unknown = wish.keys() - {"enabled", "for", "severity", "threshold"}
    if unknown:
        raise ValueError(f"{rule['alert']}: {', '.join(sorted(unknown))} cannot be changed")
    if "for" in wish:
        rule["for"] = wish["for"]
    if "severity" in wish:
        rule["labels"]["severity"] = wish["severity"]
    if "threshold" in wish:
        parts = THRESHOLD.fullmatch(rule["expr"])
        if not parts:
            raise ValueError(f"{rule['alert']} has no threshold")
        rule["expr"] = f"{parts['condition']} {wish['threshold']}"
