import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { changed, parameter } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t } from "../base/text";
import { matchOf } from "../jobs/filter";
import { ListFilter, NoMatch } from "../jobs/listfilter";
import { ask } from "../widgets/ask";
import { ListPage, type ListColumn } from "../widgets/list";
import { SaveBytes } from "../widgets/savebytes";
import { Empty } from "../widgets/states";

type Kept = Schemas["KeptResult"];
const day_s = 86_400;
const rows_max = 200;

// With a filter a page may be short, or empty, and still go on.
async function read(match: string, from: string | undefined, signal: AbortSignal): Promise<Schemas["ResultList"]> {
    const all: Kept[] = [];
    let scanned = 0;
    let cursor = from;
    for (;;) {
        const query = { limit: rows_max - all.length, ...(match && { match }), ...(cursor && { cursor }) };
        const page = await take(api.GET("/v1/results", { params: { query }, signal }));
        all.push(...page.results);
        scanned += page.scanned;
        cursor = page.next;
        if (cursor === undefined || all.length >= rows_max || match === "") return { ...page, results: all, scanned };
    }
}

function Actions({ result: { id, name }, changed: done }: { result: Kept; changed: () => void }): JSX.Element | null {
    if (!mayOperate.value) return null;
    const one = { params: { path: { id }, header: reasonHeader() } };
    const keep = () =>
        act(
            `keep result ${id}`,
            () => take(api.PATCH("/v1/jobs/{id}/result", { ...one, body: { ttl: day_s } })).then(done),
            t("done.keep"),
        );
    const discard = async () => {
        const title = t("results.discard.title", { name: name ?? id });
        if (await ask({ title, text: t("results.discard.text"), go: t("do.discard"), danger: true }))
            await act(`discard result ${id}`, () => take(api.DELETE("/v1/jobs/{id}/result", one)).then(done), t("done.discard"));
    };
    return (
        <span class="actions">
            <button type="button" onClick={() => void keep()}>
                {t("do.keep")}
            </button>
            <a class="button" download={`result-${id}.json`} href={`v1/jobs/${id}/result?peek=true`}>
                {t("do.save")}
            </a>
            <SaveBytes path={`v1/jobs/${id}/result?peek=true`} part={[]} name={`result-${id}`} />
            <button type="button" onClick={() => void discard()}>
                {t("do.discard")}
            </button>
        </span>
    );
}

export function ResultsScreen(): JSX.Element {
    const at = nowEachSecond();
    const match = matchOf(parameter("filter"));
    const list = usePages(`results ${match}`, (next, signal) => read(match, next, signal), ({ results }) => results, {
        kinds: ["jobs"],
        every_ms: 10_000,
        least_ms: 2000,
    });
    const columns: ListColumn<Kept>[] = [
        {
            key: "name",
            title: t("column.name"),
            wide: true,
            cell: (r) => <a href={changed({ job: r.id, tab: "outcome" })}>{r.name ?? t("results.purged")}</a>,
        },
        {
            key: "id",
            title: t("column.id"),
            least: true,
            whole: true,
            cell: (r) => (
                <a href={changed({ job: r.id, tab: "outcome" })}>
                    <code title={r.id}>…{r.id.slice(-12)}</code>
                </a>
            ),
        },
        { key: "size", title: t("results.size"), number: true, cell: (r) => show.bytes(r.bytes) },
        {
            key: "finished",
            title: t("column.finished"),
            cell: (r) => (r.finished_at ? show.time(show.at(r.finished_at)) : ""),
            least: true,
            whole: true,
        },
        { key: "expires", title: t("results.expires"), number: true, cell: (r) => t("in", { span: show.age(show.at(r.expires_at) - at) }) },
        {
            key: "do",
            title: t("column.actions"),
            cell: (r) => <Actions result={r} changed={list.ask} />,
        },
    ];
    return (
        <ListPage
            title={t("screen.results")}
            above={<ListFilter source={list} screen="results" />}
            source={list}
            rows={({ rows }) => rows}
            columns={columns}
            keyOf={(each) => each.id}
            empty={
                match ? (
                    <NoMatch />
                ) : (
                    <Empty icon="results" title={t("results.none")}>
                        <p>{t("results.none.hint")}</p>
                    </Empty>
                )
            }
            below={({ rows, total }) =>
                rows.length > 0 && <p class="faint">{t("results.of", { n: rows.length, total })}</p>
            }
        />
    );
}
