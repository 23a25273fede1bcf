import type { ComponentChildren, JSX } from "preact";
import { changed, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { useSource } from "../base/data";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { windowText } from "../constraints/limittext";
import type { Job } from "./drawer";

const at = (text: string | undefined) => text && show.exact(show.at(text));
const seconds = (value: number) => show.duration(value * 1000);

function uniqueText({ key, until = "finished", on_conflict = "coalesce" }: Schemas["Unique"]): string {
    const values = { key: key ?? t("field.unique.argument"), until: word("uniqueuntil", until), other: word("uniqueother", on_conflict) };
    return t("field.unique.text", values);
}

function dependenciesText({ dependencies_left = 0, on_dependency_failure = "fail" }: Job, all: number): string {
    return t("field.depends.text", { n: all - dependencies_left, total: all, otherwise: word("dependencyfailed", on_dependency_failure) });
}

// How far the group is, as far as it is still known.
function Group({ id }: { id: string }): JSX.Element {
    const source = useSource(`group ${id}`, (signal) => take(api.GET("/v1/groups/{group}", { params: { path: { group: id } }, signal })), {
        kinds: ["jobs"],
        least_ms: 3000,
    });
    const group = source.data.value.value;
    if (!group) return <>{id}</>;
    const counts = (["pending", "succeeded", "failed", "cancelled"] as const)
        .filter((each) => group[each] > 0)
        .map((each) => t(`group.${each}`, { n: group[each] }));
    const more = [
        group.open ? t("group.open") : "",
        group.has_callback && !group.callback && !group.callback_refused ? t("group.callback") : "",
        group.callback_refused ? t("group.refused", { why: group.callback_refused }) : "",
    ].filter(Boolean);
    return (
        <>
            {[id, t("group.jobs", { n: group.total }), ...counts, ...more].join(" · ")}{" "}
            {group.callback && (
                <a class="holder" href={changed({ job: group.callback, tab: undefined })}>
                    <code>{group.callback}</code>
                </a>
            )}
        </>
    );
}

function rowsOf(job: Job): [string, ComponentChildren][] {
    const jobs = (ids: readonly string[] | undefined) =>
        ids?.map((id) => (
            <a key={id} class="holder" href={changed({ job: id, tab: undefined })}>
                <code>{id}</code>
            </a>
        ));
    const rows: [string, ComponentChildren][] = [
        [t("field.id"), <code>{job.id}</code>],
        [t("column.name"), job.name],
        [t("column.priority"), String(job.priority)],
        [t("field.retries"), show.count(job.max_retry)],
        [t("column.failures"), show.count(job.failures)],
        [t("column.timeout"), seconds(job.timeout)],
        [t("field.result"), job.keep_result ? t("field.result.kept", { span: seconds(job.result_ttl) }) : t("field.result.not")],
        [
            t("field.backoff"),
            t("field.backoff.text", {
                base: seconds(job.backoff.base ?? 0),
                factor: String(job.backoff.factor ?? 0),
                max: seconds(job.backoff.max ?? 0),
            }),
        ],
        [
            t("column.tags"),
            job.tags.length > 0
                ? job.tags.map((tag) => (
                      <a key={tag} class="chip" href={write({ screen: "jobs", parameters: { tag } })}>
                          {tag}
                      </a>
                  ))
                : undefined,
        ],
        [t("field.size"), show.bytes(job.argument_bytes)],
        [t("column.reason"), job.reason && word("reason", job.reason)],
        [t("field.unique"), job.unique && uniqueText(job.unique)],
        [t("field.windows"), job.windows?.map(windowText).join("\n")],
        [t("field.within"), job.expires_in === undefined ? undefined : t("field.within.text", { span: seconds(job.expires_in) })],
        [t("field.group"), job.group && <Group id={job.group} />],
        [t("field.pusher"), job.pusher && <code>{job.pusher}</code>],
        [t("field.trace"), job.trace && <code>{job.trace}</code>],
        [
            t("field.depends"),
            job.depends_on?.length ? (
                <>
                    {dependenciesText(job, job.depends_on.length)} {jobs(job.depends_on)}
                </>
            ) : undefined,
        ],
        [t("field.then"), job.then && t("field.then.text", { names: listed(job.then.map((each) => each.name)) })],
        [t("field.enqueued"), at(job.created_at)],
        [t("field.next"), at(job.run_at)],
        [t("field.expires"), at(job.expires_at)],
        [t("field.started"), at(job.started_at)],
        [t("field.finished"), at(job.finished_at)],
        [t("column.worker"), job.worker],
        [t("field.lease"), at(job.lease_expires_at)],
        [t("field.deadline"), at(job.deadline)],
        [t("field.deleted"), at(job.deleted_at)],
    ];
    return rows.filter(([, value]) => value !== undefined && value !== "");
}

export function Fields({ job }: { job: Job }): JSX.Element {
    return (
        <dl class="fields">
            {rowsOf(job).map(([name, value]) => (
                <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            ))}
        </dl>
    );
}
