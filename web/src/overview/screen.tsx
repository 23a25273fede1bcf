import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { write } from "../base/address";
import { api, root, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { useSource } from "../base/data";
import { Icon } from "../base/icon";
import * as show from "../base/show";
import { stateIcon, type State } from "../base/states";
import { t, word } from "../base/text";
import { overview, workers, type Overview } from "../shell/overviewsource";
import { Bars, Panel } from "../widgets/panel";
import { Copy } from "../widgets/copy";
import { Empty, Shown, Skeleton, Trouble } from "../widgets/states";
import { limitBars, oldestBars, reasonBars, workerBars } from "./bars";
import { Names } from "./names";
import { Throughput } from "./throughput";

const tiles: readonly State[] = ["ready", "running", "scheduled", "failed", "succeeded", "cancelled"];

function Tile({ state, value, under }: { state: State; value: number; under: string }): JSX.Element {
    return (
        <a class={`tile state-${state}`} href={write({ screen: "jobs", parameters: { state } })} title={show.count(value)}>
            <span class="tile-name">
                <Icon name={stateIcon(state)} />
                {word("state", state)}
            </span>
            <strong>{show.short(value)}</strong>
            <small>{under}</small>
        </a>
    );
}

function Tiles({ now }: { now: Overview }): JSX.Element {
    const age = now.oldest_ready_at ? t("tile.oldest", { age: show.age(nowEachSecond() - show.at(now.oldest_ready_at)) }) : "";
    const rates = now.rates;
    const under: Partial<Record<State, string>> = {
        ready: age,
        running: t("tile.started", { rate: show.rate(rates["started"] ?? 0) }),
        failed: rates["failures"] ? t("tile.failures", { rate: show.rate(rates["failures"]) }) : "",
        succeeded: show.rate(rates["succeeded"] ?? 0),
    };
    return (
        <div class="tiles">
            {tiles.map((state) => (
                <Tile key={state} state={state} value={now.states[state] ?? 0} under={under[state] ?? ""} />
            ))}
            <div class="tile" title={t("tile.results.tip")}>
                <span class="tile-name">
                    <Icon name="results" />
                    {t("tile.results")}
                </span>
                <strong>{show.short(now.results_kept)}</strong>
                <small />
            </div>
        </div>
    );
}

function FirstJob(): JSX.Element {
    const command = `curl -X POST ${root}/v1/jobs -H 'Content-Type: application/json' -d '{"name": "hello", "argument": {"to": "world"}}'`;
    return (
        <Empty icon="jobs" title={t("overview.empty")}>
            <p>{t("overview.first")}</p>
            <pre class="command">
                <code>{command}</code>
                <Copy text={command} label={t("copy.command")} />
            </pre>
            <p>
                <a href="docs">{t("docs.open")}</a>
            </p>
        </Empty>
    );
}

function Failures(): JSX.Element {
    const failures = useSource(
        "failures",
        (signal) => take(api.GET("/v1/failures", { params: { query: { limit: 8, window: "1h" } }, signal })),
        { kinds: ["jobs"], every_ms: 10_000, least_ms: 3000 },
    );
    const bars = (groups: readonly Schemas["FailureGroup"][]) => {
        const some = groups.filter((each) => each.last_hour > 0).sort((a, b) => b.last_hour - a.last_hour);
        return some.map((each) => ({
            key: each.signature,
            text: t("pair", { a: each.name, b: each.title || t("no.message") }),
            value: show.count(each.last_hour),
            part: each.last_hour / (some[0]?.last_hour ?? 1),
            href: write({ screen: "failures", id: each.signature, parameters: { window: "1h" } }),
        }));
    };
    return (
        <Panel
            title={t("panel.failures")}
            aside={
                <a class="small" href={write({ screen: "failures" })}>
                    {t("failures.back")}
                </a>
            }
        >
            <Shown data={failures.data.value} title={t("panel.failed")} again={failures.ask} rows={3}>
                {(page) => {
                    const all = bars("groups" in page ? page.groups : []);
                    return all.length > 0 ? (
                        <Bars bars={all} label={t("panel.failures")} />
                    ) : (
                        <p class="faint">{t("panel.failures.none")}</p>
                    );
                }}
            </Shown>
        </Panel>
    );
}

function Limits({ now }: { now: Overview }): JSX.Element {
    const limits = useSource("limits", (signal) => take(api.GET("/v1/constraints", { params: { query: { limit: 100 } }, signal })), {
        kinds: ["jobs", "matchers"],
        every_ms: 5000,
        least_ms: 2000,
    });
    return (
        <Panel
            title={t("panel.limits")}
            aside={
                <a class="small" href={write({ screen: "constraints" })}>
                    {t("constraints.back")}
                </a>
            }
        >
            <Shown data={limits.data.value} title={t("panel.failed")} again={limits.ask} rows={3}>
                {(page) => {
                    const bars = limitBars(page.constraints, now.held).slice(0, 8);
                    return bars.length > 0 ? <Bars bars={bars} label={t("panel.limits")} /> : <p class="faint">{t("panel.limits.none")}</p>;
                }}
            </Shown>
        </Panel>
    );
}

const isUnused = computed(() => {
    const now = overview.data.value.value?.overview;
    return now !== undefined && (now.totals["enqueued"] ?? 0) === 0 && Object.values(now.states).every((each) => each === 0);
});

export function OverviewScreen(): JSX.Element {
    const { value } = overview.data.value;
    if (!value)
        return overview.data.value.error ? (
            <div class="overview">
                <h1 class="unseen">{t("screen.overview")}</h1>
                <Trouble title={t("overview.failed")} {...overview.data.value} again={overview.ask} />
            </div>
        ) : (
            <div class="overview">
                <h1 class="unseen">{t("screen.overview")}</h1>
                <Skeleton rows={10} />
            </div>
        );
    const now = value.overview;
    const reasons = reasonBars(now);
    const oldest = oldestBars(now);
    return (
        <div class="overview">
            <h1 class="unseen">{t("screen.overview")}</h1>
            <Tiles now={now} />
            {isUnused.value ? (
                <FirstJob />
            ) : (
                <div class="panels">
                    <Throughput />
                    <Panel title={t("panel.wait")} class="p-wait">
                        {reasons.length > 0 ? <Bars bars={reasons} label={t("panel.wait")} /> : <p class="faint">{t("panel.wait.none")}</p>}
                    </Panel>
                    <Limits now={now} />
                    <Failures />
                    <Panel title={t("panel.oldest")}>
                        {oldest.length > 0 ? (
                            <Bars bars={oldest} label={t("panel.oldest")} />
                        ) : (
                            <p class="faint">{t("panel.oldest.none")}</p>
                        )}
                    </Panel>
                    <Panel title={t("panel.workers")}>
                        <Shown data={workers.data.value} title={t("panel.failed")} again={workers.ask} rows={2}>
                            {(page) =>
                                page.workers.length > 0 ? (
                                    <Bars bars={workerBars(page.workers, page.next !== undefined)} label={t("panel.workers")} />
                                ) : (
                                    <p class="faint">{t("panel.workers.none")}</p>
                                )
                            }
                        </Shown>
                    </Panel>
                    <Names />
                </div>
            )}
        </div>
    );
}
