import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { changed, parameter, write } from "../base/address";
import { api, take } from "../base/api";
import * as show from "../base/show";
import { Icon } from "../base/icon";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import { t } from "../base/text";
import { PauseDialog } from "../shell/dialogs";
import { quoted } from "../jobs/filter";
import { now } from "../shell/overviewsource";
import { More } from "../widgets/list";
import { Panel } from "../widgets/panel";
import { Shown } from "../widgets/states";

const most = 100;

// A pause of this name alone.
function pauseOf(name: string) {
    return now.value?.pauses.find((each) => each.match === `job.name == ${quoted(name)}`);
}

function resumed(pause: string | undefined): void {
    if (pause === undefined) return;
    const call = () => take(api.POST("/v1/resume", { params: { header: reasonHeader() }, body: { id: pause } }));
    void act(`resume pause ${pause}`, call, t("done.resume"));
}

export function Names(): JSX.Element {
    const names = usePages(
        "names",
        (after, signal) => take(api.GET("/v1/names", { params: { query: { limit: most, ...(after && { after }) } }, signal })),
        (page) => page.names,
        { kinds: ["jobs"], every_ms: 10_000, least_ms: 2000 },
    );
    const [paused, setPaused] = useState<string>();
    const chosen = parameter("name");
    return (
        <Panel title={t("panel.names")} class="p-names" aside={<span class="faint">{t("panel.names.hint")}</span>}>
            <Shown data={names.data.value} title={t("panel.failed")} again={names.ask}>
                {(page) => (
                    <div class="scroll-x" tabIndex={0}>
                        <table class="table">
                            <thead>
                                <tr>
                                    <th scope="col">{t("column.name")}</th>
                                    <th scope="col" class="number" title={t("names.ready.tip")}>
                                        {t("names.ready")}
                                    </th>
                                    <th scope="col" class="number" title={t("names.enqueued.tip")}>
                                        {t("names.enqueued")}
                                    </th>
                                    <th scope="col" class="number" title={t("names.succeeded.tip")}>
                                        {t("names.succeeded")}
                                    </th>
                                    <th scope="col" class="number" title={t("names.failed.now")}>
                                        {t("names.failed")}
                                    </th>
                                    <th scope="col" class="number" title={t("names.failures.tip")}>
                                        {t("names.failures")}
                                    </th>
                                    <th scope="col">
                                        <span class="unseen">{t("names.chart")}</span>
                                    </th>
                                </tr>
                            </thead>
                            <tbody>
                                {page.rows.map((each) => (
                                    <tr key={each.name} class={each.name === chosen ? "chosen" : ""}>
                                        <th scope="row">
                                            <a href={write({ screen: "jobs", parameters: { name: each.name } })} title={each.name}>
                                                {each.name}
                                            </a>
                                            {pauseOf(each.name) && (
                                                <span class="amber" title={t("names.paused")}>
                                                    {" "}
                                                    <Icon name="pause" />
                                                    <span class="unseen">{t("names.paused")}</span>
                                                </span>
                                            )}
                                        </th>
                                        <td class="number">{show.count(each.ready)}</td>
                                        <td class="number">{show.count(each.totals["enqueued"] ?? 0)}</td>
                                        <td class="number">{show.count(each.totals["succeeded"] ?? 0)}</td>
                                        <td class={`number ${each.failed > 0 ? "red" : ""}`}>
                                            {page.complete ? show.count(each.failed) : t("or.more", { n: each.failed })}
                                        </td>
                                        <td class="number">{show.count(each.totals["failures"] ?? 0)}</td>
                                        <td>
                                            <a class="small" href={changed({ name: each.name === chosen ? undefined : each.name })}>
                                                {each.name === chosen ? t("names.chart.all") : t("names.chart")}
                                            </a>
                                            {mayOperate.value && pauseOf(each.name) && (
                                                <button
                                                    type="button"
                                                    class="link small"
                                                    aria-label={t("names.resume", { name: each.name })}
                                                    onClick={() => resumed(pauseOf(each.name)?.id)}
                                                >
                                                    {t("do.resume")}
                                                </button>
                                            )}
                                            {mayOperate.value && !pauseOf(each.name) && (
                                                <button
                                                    type="button"
                                                    class="link small"
                                                    aria-label={t("names.pause", { name: each.name })}
                                                    onClick={() => setPaused(each.name)}
                                                >
                                                    {t("do.pause")}…
                                                </button>
                                            )}
                                        </td>
                                    </tr>
                                ))}
                            </tbody>
                        </table>
                        <More of={names} shown={page.rows.length} />
                    </div>
                )}
            </Shown>
            {paused !== undefined && <PauseDialog match={`job.name == ${quoted(paused)}`} close={() => setPaused(undefined)} />}
        </Panel>
    );
}
