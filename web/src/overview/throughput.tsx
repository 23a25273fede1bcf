// How many jobs came, started and ended, with ranges. The chart itself is loaded when the rest is seen.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { changed, parameter } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { isDark, zone } from "../base/settings";
import * as show from "../base/show";
import { t, tongue } from "../base/text";
import { RangeDialog } from "../shell/dialogs";
import { Lost } from "../widgets/late";
import { Panel } from "../widgets/panel";
import { Shown } from "../widgets/states";
import { past, ranges, yesterday, type Range } from "./range";

type Series = Schemas["Series"];
const ofAll = ["enqueued", "started", "succeeded", "failures"] as const;
const ofName = ["enqueued", "succeeded", "failures"] as const;
type Metric = (typeof ofAll)[number];
const every_ms: Record<Range, number> = { "5m": 2000, "1h": 15_000, "3h": 30_000, "24h": 60_000, "8d": 300_000 };
const pastEvery_ms = 300_000;

export interface Line {
    metric: Metric;
    series: Series;
}

function total(series: Series): number {
    return series.values.reduce((sum, each) => sum + each, 0);
}

function Chart({ lines, isLog }: { lines: readonly Line[]; isLog: boolean }): JSX.Element {
    const element = useRef<HTMLDivElement>(null);
    const drawn = useRef<{ update: (lines: readonly Line[]) => void; destroy: () => void } | undefined>(undefined);
    const latest = useRef(lines);
    const [isLost, setLost] = useState(false);
    latest.current = lines;
    const dark = isDark.value;
    const language = tongue();
    useEffect(() => {
        let gone = false;
        import("./chart").then(
            ({ drawChart }) => {
                if (!gone && element.current) drawn.current = drawChart(element.current, latest.current, isLog);
            },
            () => !gone && setLost(true),
        );
        return () => {
            gone = true;
            drawn.current?.destroy();
            drawn.current = undefined;
        };
    }, [dark, language, lines.length, isLog]);
    useEffect(() => drawn.current?.update(lines), [lines]);
    if (isLost) return <Lost />;
    return (
        <div
            class="chart"
            ref={element}
            role="img"
            aria-label={lines.map((each) => t("chart.sum", { name: t(`metric.${each.metric}`), n: total(each.series) })).join("; ")}
        />
    );
}

export function Throughput(): JSX.Element {
    const asked = parameter("range") as Range;
    const before = past(asked, parameter("until"));
    const range = before ? asked : ranges.includes(asked) ? asked : "5m";
    const until = before ? parameter("until") : "";
    const isLog = parameter("axis") === "log";
    const [isAsked, setAsked] = useState(false);
    const name = parameter("name");
    const metrics = name ? ofName : ofAll;
    const series = useSource(
        `${range} ${until} ${name}`,
        async (signal) => {
            const all = await Promise.all(
                metrics.map((metric) =>
                    take(
                        api.GET("/v1/series", {
                            params: { query: { metric, range, ...(name && { name }), ...(until && { until }) } },
                            signal,
                        }),
                    ),
                ),
            );
            return all.map((each, index) => ({ metric: metrics[index] ?? "enqueued", series: each }));
        },
        { every_ms: before ? pastEvery_ms : every_ms[range], least_ms: 1000 },
    );
    const lastDay = yesterday(nowEachSecond(), zone.value === "utc");
    const isYesterday = until === lastDay.until && range === lastDay.range;
    const isOther = before !== undefined && !isYesterday;
    const legend = (lines: readonly Line[]) => (
        <ul class="legend">
            {lines.map(({ metric, series: each }) => {
                const seconds = Math.max(1, each.values.length * each.step);
                return (
                    <li key={metric} class={`line-${metric}`}>
                        <i aria-hidden="true" />
                        {t(`metric.${metric}`)} <b>{show.rate(total(each) / seconds)}</b>{" "}
                        <span class="faint">({show.short(total(each))})</span>
                    </li>
                );
            })}
        </ul>
    );
    return (
        <Panel
            title={name ? t("pair", { a: t("panel.throughput"), b: name }) : t("panel.throughput")}
            class="p-throughput"
            aside={
                <nav class="segments" aria-label={t("panel.range")}>
                    {ranges.map((each) => (
                        <a
                            key={each}
                            href={changed({ range: each === "5m" ? undefined : each, until: undefined })}
                            aria-current={each === range && !before ? "true" : undefined}
                        >
                            {t(`range.${each}`)}
                        </a>
                    ))}
                    <a href={changed(lastDay)} aria-current={isYesterday ? "true" : undefined}>
                        {t("chart.yesterday")}
                    </a>
                    <button type="button" aria-pressed={isOther} onClick={() => setAsked(true)}>
                        {isOther ? t("chart.span", { from: show.time(before.from_ms), to: show.time(before.to_ms) }) : t("chart.other")}
                    </button>
                    <a
                        href={changed({ axis: isLog ? undefined : "log" })}
                        aria-current={isLog ? "true" : undefined}
                        title={t("chart.log.tip")}
                    >
                        {t("chart.log")}
                    </a>
                </nav>
            }
        >
            <Shown data={series.data.value} title={t("panel.failed")} again={series.ask} rows={5}>
                {(lines) => (
                    <>
                        {legend(lines)}
                        <Chart lines={lines} isLog={isLog} />
                    </>
                )}
            </Shown>
            {isAsked && <RangeDialog close={() => setAsked(false)} />}
        </Panel>
    );
}
