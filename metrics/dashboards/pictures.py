"""Draws a dashboard much as Grafana would show it."""

import dataclasses
import math
from datetime import datetime, timezone

import matplotlib

matplotlib.use("Agg")
from matplotlib import dates, pyplot  # noqa: E402
from matplotlib.colors import PowerNorm  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

import prometheus  # noqa: E402
import reading  # noqa: E402
import units  # noqa: E402

COLUMN, LINE, DPI = 0.5, 0.3, 80  # inches a cell of the grid
COLOURS = ["#3274d9", "#56a64b", "#f2a43c", "#e02f44", "#8f3bb8", "#37872d", "#1f60c4", "#fa6400", "#c4162a", "#73bf69", "#b877d9", "#ffcb7d"]
NAMED = {"red": "#e02f44", "light-red": "#ff7383", "dark-red": "#8f1d2c", "orange": "#fa6400", "light-orange": "#ffb357", "dark-orange": "#b34700",
         "yellow": "#f2cc0c", "light-yellow": "#ffee99", "green": "#56a64b", "blue": "#3274d9", "light-blue": "#8ab8ff", "purple": "#8f3bb8", "text": "#6e7781"}
POINTS = 240  # of a line


@dataclasses.dataclass(frozen=True)
class Shown:
    """What is to be seen: whose numbers, and of which time in seconds since 1970."""

    source: prometheus.Prometheus
    start: float
    end: float
    rate_interval: str

    def expr(self, target):
        return reading.filled_in(target["expr"], self.rate_interval, f"{max(1, round(self.end - self.start))}s")

    def now(self, target):
        return self.source.query(self.expr(target), self.end)

    def lines(self, target):
        """[(legend, times, values)], sorted by legend; gaps are NaN."""
        step = max(1, round((self.end - self.start) / POINTS))
        times = [self.start + step * number for number in range(int((self.end - self.start) / step) + 1)]
        out = []
        for labels, points in self.source.query_range(self.expr(target), self.start, self.end, step):
            found = {round(at, 1): value for at, value in points}
            values = [found.get(round(at, 1), math.nan) for at in times]
            if any(math.isfinite(value) for value in values):
                out.append((legend(target, labels), labels, [moment(at) for at in times], values))
        return sorted(out, key=lambda line: line[0])


def moment(at):
    return datetime.fromtimestamp(at, timezone.utc)


def legend(target, labels):
    text = target["legendFormat"]
    for name, value in labels.items():
        text = text.replace("{{" + name + "}}", value)
    return text


def shortened(text, most):
    return text if len(text) <= most else text[:most - 1] + "…"


class Canvas:
    def __init__(self, dashboard):
        cells = [panel["gridPos"] for panel in dashboard["panels"]]
        self.height = max(place["y"] + place["h"] for place in cells) + 2
        self.figure = pyplot.figure(figsize=(24 * COLUMN, self.height * LINE), dpi=DPI, facecolor="#f4f5f5")

    def corner(self, x, y):
        """Of a place in the grid, counted from the top left, in the figure's own measure."""
        return x / 24, 1 - (y + 2) / self.height

    def text(self, x, y, text, **style):
        self.figure.text(*self.corner(x, y), text, va="top", **style)

    def box(self, place):
        left, bottom = self.corner(place["x"] + 0.1, place["y"] + place["h"] - 0.1)
        self.figure.add_artist(Rectangle((left, bottom), (place["w"] - 0.2) / 24, (place["h"] - 0.2) / self.height,
                                         facecolor="white", edgecolor="#dcdee1", linewidth=0.8, zorder=-1))

    def axes(self, place, left=0.0, right=0.3, top=1.4, bottom=0.3):
        x, y = self.corner(place["x"] + left, place["y"] + place["h"] - bottom)
        return self.figure.add_axes((x, y, (place["w"] - left - right) / 24, (place["h"] - top - bottom) / self.height))


def draw(dashboard, shown, path):
    canvas = Canvas(dashboard)
    canvas.text(0.2, -1.6, dashboard["title"], fontsize=13, weight="bold")
    span = f"{moment(shown.start):%Y-%m-%d %H:%M:%S} to {moment(shown.end):%H:%M:%S} UTC"
    canvas.text(23.8, -1.5, span, fontsize=8, ha="right", color="#6e7781")
    for row in reading.rows_of(dashboard):
        canvas.text(0.2, row["gridPos"]["y"] + 0.25, row["title"], fontsize=9, weight="bold", color="#57606a")
    for panel in reading.panels_of(dashboard):
        canvas.box(panel["gridPos"])
        canvas.text(panel["gridPos"]["x"] + 0.3, panel["gridPos"]["y"] + 0.35, panel["title"], fontsize=8, weight="bold")
        KINDS[panel["type"]](canvas, panel, shown)
    canvas.figure.savefig(path, metadata={"Software": None})
    pyplot.close(canvas.figure)


def say_nothing_there(canvas, panel):
    place = panel["gridPos"]
    canvas.text(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2 - 0.2, panel["fieldConfig"]["defaults"].get("noValue", "No data"),
                fontsize=9, ha="center", color="#6e7781")


def draw_stat(canvas, panel, shown):
    found = shown.now(panel["targets"][0])
    if not found:
        return say_nothing_there(canvas, panel)
    defaults, value, place = panel["fieldConfig"]["defaults"], found[0][1], panel["gridPos"]
    text, colour = units.text(value, defaults["unit"]), "blue"
    for step in defaults["thresholds"]["steps"]:
        if step["value"] is None or value >= step["value"]:
            colour = step["color"]
    for mapping in defaults["mappings"]:
        word = mapping["options"].get(f"{value:g}")
        text, colour = (word["text"], word["color"]) if word else (text, colour)
    canvas.text(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2 - 0.45, text, fontsize=19, ha="center", color=NAMED[colour])
    return None


def style(axes, shown, unit):
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#dcdee1")
    axes.grid(axis="y", color="#eceef0", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=6.5, length=0, colors="#57606a")
    axes.set_xlim(moment(shown.start), moment(shown.end))
    axes.xaxis.set_major_locator(dates.AutoDateLocator(minticks=3, maxticks=7))
    axes.xaxis.set_major_formatter(dates.DateFormatter("%H:%M:%S" if shown.end - shown.start < 240 else "%H:%M", tz=timezone.utc))
    axes.yaxis.set_major_formatter(lambda value, _: units.text(value, unit))
    if unit == "bytes":
        most = max(1.0, axes.get_ylim()[1])
        axes.yaxis.set_major_locator(pyplot.MultipleLocator(2 ** math.ceil(math.log2(most / 5))))
    else:
        axes.yaxis.set_major_locator(pyplot.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


def colour_of(panel, at, name):
    for override in panel["fieldConfig"]["overrides"]:
        if override["matcher"]["options"] == name:
            return NAMED[override["properties"][0]["value"]["fixedColor"]]
    return COLOURS[at % len(COLOURS)]


def draw_timeseries(canvas, panel, shown):
    lines = [line for target in panel["targets"] for line in shown.lines(target)]
    if not lines:
        return say_nothing_there(canvas, panel)
    # A line that is 0 all the time would only fill the legend.
    lines = [line for line in lines if any(value > 0 for value in line[3])] or lines[:1]
    across = 2 if panel["gridPos"]["w"] <= 10 else 4
    kept = lines[:4 * across]
    down = math.ceil(len(kept) / across)
    axes = canvas.axes(panel["gridPos"], left=1.25, bottom=1.0 + 0.5 * down)
    custom = panel["fieldConfig"]["defaults"]["custom"]
    if custom["stacking"]["mode"] == "normal":
        axes.stackplot(lines[0][2], [[0 if math.isnan(value) else value for value in line[3]] for line in lines],
                       labels=[line[0] for line in lines], colors=[colour_of(panel, at, line[0]) for at, line in enumerate(lines)], linewidth=0)
    else:
        for at, (name, _, times, values) in enumerate(lines):
            axes.plot(times, values, label=name, linewidth=1.1, color=colour_of(panel, at, name))
    style(axes, shown, panel["fieldConfig"]["defaults"]["unit"])
    axes.set_ylim(0, axes.get_ylim()[1] * 1.05 if any(value > 0 for line in lines for value in line[3]) else 1)
    handles, names = axes.get_legend_handles_labels()
    canvas.figure.legend(handles[:len(kept)], [shortened(name, 44) or "value" for name in names[:len(kept)]],
                         fontsize=6.5, ncol=across, frameon=False, loc="lower left", handlelength=1.0, columnspacing=1.0, borderaxespad=0,
                         bbox_to_anchor=canvas.corner(panel["gridPos"]["x"] + 0.3, panel["gridPos"]["y"] + panel["gridPos"]["h"] - 0.25), labelspacing=0.25)
    return None


def draw_heatmap(canvas, panel, shown):
    lines = sorted((line for line in shown.lines(panel["targets"][0]) if "le" in line[1]), key=lambda line: float(line[1]["le"]))
    if not lines:
        return say_nothing_there(canvas, panel)
    # Buckets count all below their bound, too.
    counts, below = [], [0.0] * len(lines[0][3])
    for _, _, _, values in lines:
        values = [0.0 if math.isnan(value) else value for value in values]
        counts.append([max(0.0, value - before) or math.nan for value, before in zip(values, below)])
        below = values
    used = [at for at, row in enumerate(counts) if any(value > 0 for value in row)]
    if not used:
        return say_nothing_there(canvas, panel)
    low, high = max(0, used[0] - 1), min(len(lines), used[-1] + 2)
    axes = canvas.axes(panel["gridPos"], left=1.3, bottom=1.0)
    axes.pcolormesh(lines[0][2], range(high - low), counts[low:high], cmap="Oranges", norm=PowerNorm(0.5, vmin=0), shading="nearest")
    style(axes, shown, "short")
    axes.set_yticks(range(high - low), ["more" if line[1]["le"] == "+Inf" else "≤ " + units.text(float(line[1]["le"]), "s") for line in lines[low:high]])
    axes.grid(False)
    return None


def draw_table(canvas, panel, shown):
    columns = panel["transformations"][1]["options"]["renameByName"]
    found = shown.now(panel["targets"][0])
    if not found:
        return say_nothing_there(canvas, panel)
    unit, place = panel["fieldConfig"]["defaults"]["unit"], panel["gridPos"]
    found.sort(key=lambda item: [item[0].get(name, "") for name in columns])
    rows = [[units.text(value, unit) if name == "Value" else labels.get(name, "") for name in columns] for labels, value in found]
    room = int((place["h"] - 2.4) / 0.7)
    if len(rows) > room:
        rows = [*rows[:room - 1], [f"and {len(rows) - room + 1} more", *[""] * (len(columns) - 1)]]
    width = (place["w"] - 0.6) / len(columns)
    for at, heading in enumerate(columns.values()):
        x = place["x"] + 0.3 + at * width
        canvas.text(x, place["y"] + 1.3, heading, fontsize=7, weight="bold", color="#57606a")
        for line, row in enumerate(rows):
            canvas.text(x, place["y"] + 2.1 + line * 0.7, shortened(row[at], int(width * 7)), fontsize=7)
    return None


KINDS = {"stat": draw_stat, "timeseries": draw_timeseries, "heatmap": draw_heatmap, "table": draw_table}
