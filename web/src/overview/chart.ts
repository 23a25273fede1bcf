import uPlot from "uplot";
import { momentOf } from "../base/format";
import { zone } from "../base/settings";
import * as show from "../base/show";
import { t } from "../base/text";
import type { Line } from "./throughput";

const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What no master counted is a gap, not a zero.
export function columns(lines: readonly Line[]): uPlot.AlignedData {
    const first = lines[0]?.series;
    if (!first) return [[]];
    const from_s = show.at(first.from) / 1000;
    const times = first.values.map((_, index) => from_s + index * first.step);
    const values = lines.map(({ series }) => {
        const shift = Math.round((show.at(series.from) / 1000 - from_s) / series.step);
        return times.map((time, index) => {
            const isGap = series.gaps.some((gap) => time * 1000 >= show.at(gap.from) && time * 1000 < show.at(gap.to));
            const value = series.values[index - shift];
            return isGap || value === undefined ? null : value / series.step;
        });
    });
    return [times, ...values] as uPlot.AlignedData;
}

function timeText(seconds: number, span_s: number): string {
    const at = momentOf(seconds * 1000, zone.value === "utc");
    return span_s > 2 * 86_400
        ? at.date.slice(5)
        : span_s > 3600 * 1.5
          ? at.time.slice(0, 5)
          : span_s > 600
            ? at.time.slice(0, 5)
            : at.time;
}

function tip(chart: uPlot, box: HTMLElement, lines: readonly Line[]): void {
    const { idx, left } = chart.cursor;
    const at = idx === null || idx === undefined ? undefined : chart.data[0]?.[idx];
    box.hidden = at === undefined || (left ?? -1) < 0;
    if (at === undefined || idx === null || idx === undefined) return;
    const rows = lines.map(({ metric }, index) => {
        const value = chart.data[index + 1]?.[idx];
        return `${t(`metric.${metric}`)} ${value === null || value === undefined ? t("chart.unknown") : show.rate(value)}`;
    });
    box.textContent = [show.time(at * 1000), ...rows].join("\n");
    const room = chart.over.clientWidth;
    box.style.left = `${Math.min(Math.max(0, (left ?? 0) + 12), Math.max(0, room - box.offsetWidth))}px`;
}

const bend = 0.1; // jobs a second, below which a logarithmic axis is linear: nothing at all has a place, too

const powers = [0, ...Array.from({ length: 9 }, (_, at) => bend * 10 ** at)];

export function drawChart(
    element: HTMLElement,
    lines: readonly Line[],
    isLog: boolean,
): { update: (lines: readonly Line[]) => void; destroy: () => void } {
    let shown = lines;
    const faint = style("--ink-2");
    const grid = { stroke: style("--line"), width: 1 };
    const font = `12px ${style("--font")}`;
    const span = () => (shown[0] ? shown[0].series.values.length * shown[0].series.step : 0);
    const box = document.createElement("div");
    box.className = "chart-tip";
    box.hidden = true;
    const chart = new uPlot(
        {
            width: Math.max(200, element.clientWidth),
            height: Math.max(120, element.clientHeight),
            legend: { show: false },
            cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
            scales: {
                x: { time: true },
                y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)], ...(isLog && { distr: 4, asinh: bend }) },
            },
            axes: [
                {
                    stroke: faint,
                    grid: { show: false },
                    ticks: { show: false },
                    font,
                    space: 90,
                    values: (_, splits) => splits.map((each) => timeText(each, span())),
                },
                {
                    stroke: faint,
                    grid,
                    ticks: { show: false },
                    font,
                    size: 62,
                    ...(isLog && { splits: (_: uPlot, __: number, ___: number, most: number) => powers.filter((each) => each <= most) }),
                    values: (_, splits) => splits.map((each) => show.rate(each)),
                },
            ],
            series: [
                {},
                ...lines.map(({ metric }) => ({ stroke: style(`--line-${metric}`), width: 1.5, points: { show: false }, spanGaps: false })),
            ],
            hooks: { setCursor: [(self: uPlot) => tip(self, box, shown)] },
        },
        columns(lines),
        element,
    );
    chart.over.append(box);
    const observer = new ResizeObserver(() =>
        chart.setSize({ width: Math.max(200, element.clientWidth), height: Math.max(120, element.clientHeight) }),
    );
    observer.observe(element);
    return {
        update(next) {
            shown = next;
            chart.setData(columns(next));
        },
        destroy() {
            observer.disconnect();
            chart.destroy();
        },
    };
}
