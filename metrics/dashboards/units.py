"""Numbers as Grafana writes them, for the units that the dashboards use."""

import math


def short(value):
    if value != 0 and abs(value) < 0.01:
        return f"{value:.1e}"
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e4, " K")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == ' K' else size):.3g}{letter}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def seconds(value):
    size = abs(value)
    for unit, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if size >= unit:
            return f"{value / unit:.3g} {name}"
    if size >= 1 or size == 0:
        return f"{value:.3g} s"
    return f"{value * 1e3:.3g} ms" if size >= 1e-3 else f"{value * 1e6:.3g} µs"


def octets(value):
    for power, name in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if abs(value) >= 1024**power:
            return f"{value / 1024**power:.3g} {name}"
    return f"{value:.0f} B"


WAYS = {
    "short": short,
    "s": seconds,
    "bytes": octets,
    "percentunit": lambda value: f"{value * 100:.3g} %",
    "ops": lambda value: f"{short(value)}/s",
    "reqps": lambda value: f"{short(value)} req/s",
}


def text(value, unit):
    return "∞" if math.isinf(value) else WAYS[unit](value)
