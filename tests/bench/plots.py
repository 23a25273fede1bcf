"""The benchmark's pictures, as SVG files that say the same when they are made again from the same figures."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "junban", "font.family": "sans-serif", "font.size": 10,
                            "axes.spines.top": False, "axes.spines.right": False})
OURS, OTHERS, LINES = "#1f6feb", "#9aa4af", ("#1f6feb", "#d1611f")


def save(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def curve(path, axis, points):
    """`points`: {line: [(x, jobs a second)]}."""
    figure, plot = pyplot.subplots(figsize=(6, 3.2))
    for (line, values), color in zip(points.items(), LINES):
        plot.plot(*zip(*values), marker="o", color=color, label=line)
    values = [x for x, _ in next(iter(points.values()))]
    if max(values) >= 100:
        plot.set_xscale("log")
    else:
        plot.set_xticks(values)
    plot.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:,.0f}"))
    plot.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{y:,.0f}"))
    plot.set_ylim(bottom=0, top=1.08 * max(y for values in points.values() for _, y in values))
    plot.set_xlabel(axis)
    plot.set_ylabel("jobs a second")
    plot.grid(axis="y", alpha=0.3)
    plot.legend(frameon=False)
    save(figure, path)


def bars(path, charts):
    """`charts`: [(title, unit, less_is_better, {queue: figure})], side by side, the best queue on top."""
    figure, plots = pyplot.subplots(1, len(charts), figsize=(4.6 * len(charts), 0.34 * max(len(chart[3]) for chart in charts) + 0.9))
    for plot, (title, unit, less_is_better, by_queue) in zip(plots, charts):
        ranked = sorted(by_queue.items(), key=lambda entry: entry[1], reverse=not less_is_better)[::-1]
        names, values = zip(*ranked)
        plot.barh(names, values, color=[OURS if name.startswith("Junban") else OTHERS for name in names])
        for index, value in enumerate(values):
            plot.text(value, index, f" {value:,.2f}" if unit == "ms" else f" {value:,.0f}", va="center", fontsize=9)
        plot.set_title(f"{title} ({unit})", fontsize=10)
        plot.set_xlim(right=max(values) * 1.2)
        plot.xaxis.set_visible(False)
        plot.spines["bottom"].set_visible(False)
    figure.tight_layout()
    save(figure, path)
