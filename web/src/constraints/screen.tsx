// JobMatchers with their limits, and how much of these is in use.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { go, place, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { useSource } from "../base/data";
import { Icon } from "../base/icon";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { Copy } from "../widgets/copy";
import { List, ListPage, More, Page, type ListColumn } from "../widgets/list";
import { Empty, Shown } from "../widgets/states";
import { MatcherEditor, readMatcher, type Opened } from "./editor";
import type { Draft } from "./fields";
import { freshMatcher } from "./fresh";
import { OverrideDialog } from "./override";
import { PauseDialog, resume } from "./pause";
import { restore, Revisions } from "./revisions";

type Live = Schemas["LiveConstraint"];

// What a limit allows, in its own words: its parameters.
function limitText(constraint: Live["constraint"]): string {
    switch (constraint.kind) {
        case "rate":
            return t("limit.rate", { limit: constraint.limit, period: show.span(constraint.period) });
        case "concurrency":
            return t("limit.concurrency", { limit: constraint.limit });
        case "backlog":
            return t("limit.backlog", { limit: constraint.max_ready, overflow: word("overflow", constraint.overflow ?? "reject") });
        case "share":
            return t("limit.share", { limit: constraint.capacity });
        case "window": {
            const parts = (all: readonly { from?: string; to?: string }[] | undefined) =>
                (all ?? []).slice(0, 3).map((each) => `${each.from ?? "00:00"}–${each.to ?? "24:00"}`);
            const { allow, deny } = constraint;
            if (allow?.length) return t("limit.window.only", { windows: listed(parts(allow)) });
            return deny?.length ? t("limit.window.not", { windows: listed(parts(deny)) }) : "";
        }
        case "breaker": {
            const [share, span] = [show.percent(constraint.failure_rate ?? 0.5), show.span(constraint.window ?? 60)];
            return t("limit.breaker", { share, span });
        }
        case "cooldown":
            return t("limit.cooldown", { span: show.span(constraint.max ?? 3600) });
        case "fair":
            return listed((constraint.by ?? []).map((each) => each.replace(/^job\.(argument\.)?/, "")));
        default:
            return "";
    }
}

function stateText(live: Live): JSX.Element {
    if (!live.enabled) return <span class="faint">{t("constraint.off")}</span>;
    const mode = "mode" in live.constraint ? live.constraint.mode : "enforce";
    if (mode === "off") return <span class="faint">{t("constraint.off")}</span>;
    if (mode === "observe") return <span>{t("constraint.observe", { n: live.would_hold })}</span>;
    if (live.closed === 0)
        return <span class="green">{t(live.constraint.kind === "breaker" ? "limit.untripped" : "limit.open")}</span>;
    return (
        <span class="amber">{t(live.constraint.kind === "breaker" ? "constraint.tripped" : "constraint.full", { n: live.closed })}</span>
    );
}

function Buckets({ of, matcher, changed }: { of: Draft; matcher: string; changed: () => void }): JSX.Element {
    const constraint = String(of["id"]);
    const [edited, setEdited] = useState<string>();
    const hasKeys = "by" in of;
    const isBreaker = of.kind === "breaker"; // "open" would be understood as the opposite
    const buckets = usePages(
        `buckets ${constraint}`,
        (cursor, signal) =>
            take(
                api.GET("/v1/constraints/{constraint}/buckets", {
                    params: { path: { constraint }, ...(cursor && { query: { cursor } }) },
                    signal,
                }),
            ),
        (page) => page.buckets,
        { kinds: ["jobs", "matchers"], every_ms: 5000, least_ms: 1500 },
    );
    const columns: ListColumn<Schemas["Bucket"]>[] = [
        {
            key: "key",
            title: t("bucket.key"),
            wide: true,
            cell: (b) => (
                <>
                    <code>{b.key || t("bucket.one")}</code> {b.overridden && <span class="faint">{t("bucket.own")}</span>}
                </>
            ),
        },
        {
            key: "used",
            title: t("bucket.used"),
            number: true,
            cell: (b) => (b.limit === undefined ? show.count(b.used) : `${show.count(b.used)} / ${show.count(b.limit)}`),
        },
        { key: "waiting", title: t("bucket.waiting"), number: true, cell: (b) => show.count(b.waiting) },
        {
            key: "open",
            title: t("column.state"),
            cell: (b) =>
                b.breaker === "half_open" ? (
                    <span class="amber">{t("bucket.probing")}</span>
                ) : b.open ? (
                    <span class="green">{t(isBreaker ? "limit.untripped" : "limit.open")}</span>
                ) : (
                    <span class={isBreaker ? "red" : "amber"}>{t(isBreaker ? "bucket.tripped" : "bucket.full")}</span>
                ),
        },
        {
            key: "opens",
            title: t(isBreaker ? "bucket.attempt" : "bucket.opens"),
            cell: (b) => (b.opens_at ? show.time(show.at(b.opens_at)) : ""),
        },
        ...(mayOperate.value && hasKeys
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: (b: Schemas["Bucket"]) => (
                          <span class="actions">
                              <button type="button" onClick={() => setEdited(b.key)}>
                                  {t("override.do")}
                              </button>
                              {isBreaker && <Breaker constraint={constraint} bucket={b.key} />}
                          </span>
                      ),
                  } satisfies ListColumn<Schemas["Bucket"]>,
              ]
            : []),
    ];
    return (
        <>
        <Shown data={buckets.data.value} title={t("panel.failed")} again={buckets.ask} rows={2}>
            {(page) =>
                page.rows.length === 0 ? (
                    <p class="faint">{t("bucket.none")}</p>
                ) : (
                    <>
                        <List rows={page.rows} columns={columns} keyOf={(bucket) => bucket.key} label={t("bucket.key")} />
                        <More of={buckets} shown={page.rows.length} />
                    </>
                )
            }
        </Shown>
        {mayOperate.value && hasKeys && (
            <button type="button" class="link" onClick={() => setEdited("")}>
                {t("override.other")}
            </button>
        )}
        {edited !== undefined && (
            <OverrideDialog
                matcher={matcher}
                constraint={of}
                bucket={edited}
                close={() => setEdited(undefined)}
                saved={() => {
                    changed();
                    buckets.ask();
                }}
            />
        )}
        </>
    );
}

// One key's, or those of all keys.
function Breaker({ constraint, bucket }: { constraint: string; bucket?: string }): JSX.Element | null {
    if (!mayOperate.value) return null;
    const parameters = { params: { path: { constraint }, header: reasonHeader() }, body: bucket === undefined ? {} : { key: bucket } };
    const reset = () => take(api.POST("/v1/constraints/{constraint}/reset", parameters));
    return (
        <span class="actions">
            <button
                type="button"
                onClick={() =>
                    void act(
                        `trip ${constraint}`,
                        () => take(api.POST("/v1/constraints/{constraint}/trip", parameters)),
                        t("done.trip"),
                        reset,
                    )
                }
            >
                {t("do.trip")}
            </button>
            <button
                type="button"
                onClick={() => void act(`reset ${constraint}`, reset, t("done.reset"))}
            >
                {t("do.reset")}
            </button>
        </span>
    );
}

function copyOf(matcher: Schemas["Matcher"]): Opened {
    const constraints = matcher.constraints.map((each) => {
        const { id: _, revision: __, ...rest } = each;
        return rest as Schemas["Constraint"];
    });
    return { matcher: { ...matcher, id: "", constraints }, etag: "" };
}

async function remove({ matcher, etag }: Opened): Promise<void> {
    const done = await act(
        `delete ${matcher.id}`,
        () =>
            take(
                api.DELETE("/v1/matchers/{matcher}", {
                    params: { path: { matcher: matcher.id }, header: { ...reasonHeader(), "If-Match": etag } },
                }),
            ),
        t("matcher.deleted", { title: matcher.title || matcher.id }),
        () => restore(matcher.id, matcher.revision, undefined),
    );
    if (done) go(write({ screen: "constraints" }));
}

function Detail({ id }: { id: string }): JSX.Element {
    const [editing, setEditing] = useState<Opened>();
    const source = useSource(`matcher ${id}`, (signal) => readMatcher(id, signal), { kinds: ["matchers"], least_ms: 1000 });
    return (
        <Page
            title={t("screen.constraints")}
            aside={
                <a class="button" href={write({ screen: "constraints" })}>
                    {t("constraints.back")}
                </a>
            }
        >
            <Shown data={source.data.value} title={t("panel.failed")} again={source.ask}>
                {(opened) => (
                    <div class="detail">
                        <h2>{opened.matcher.title || opened.matcher.id}</h2>
                        <p class="facts">
                            <code>{opened.matcher.id}</code>
                            <span>{t("matcher.revision", { revision: String(opened.matcher.revision) })}</span>
                            <span>
                                {t("gatetext.edited", { at: show.time(show.at(opened.matcher.edited_at)), by: opened.matcher.edited_by })}
                            </span>
                            {!opened.matcher.enabled && <span class="amber">{t("constraint.off")}</span>}
                        </p>
                        <pre class="command">
                            <code>{opened.matcher.expression}</code>
                            <Copy text={opened.matcher.expression} label={t("matcher.expression")} />
                        </pre>
                        {opened.matcher.note && <p>{opened.matcher.note}</p>}
                        <div class="actions">
                            <a class="button" href={write({ screen: "jobs", parameters: { filter: opened.matcher.expression } })}>
                                <Icon name="jobs" />
                                {t("matcher.jobs")}
                            </a>
                            {mayOperate.value && (
                                <>
                                    <button type="button" onClick={() => setEditing(opened)}>
                                        <Icon name="pencil" />
                                        {t("do.edit")}
                                    </button>
                                    <button type="button" onClick={() => setEditing(copyOf(opened.matcher))}>
                                        {t("do.duplicate")}
                                    </button>
                                    <button type="button" onClick={() => void remove(opened)}>
                                        {t("do.delete")}
                                    </button>
                                </>
                            )}
                        </div>
                        {opened.matcher.constraints.map((constraint) => (
                            <section key={constraint.id} class="panel">
                                <header>
                                    <h2>
                                        {word("kind", constraint.kind)} <span class="limit-text">{limitText(constraint)}</span>
                                    </h2>
                                    {constraint.kind === "breaker" && <Breaker constraint={constraint.id ?? ""} />}
                                </header>
                                <Buckets of={constraint as unknown as Draft} matcher={id} changed={source.ask} />
                            </section>
                        ))}
                        <Revisions matcher={id} restored={source.ask} />
                        {editing && <MatcherEditor opened={editing} close={() => setEditing(undefined)} saved={source.ask} />}
                    </div>
                )}
            </Shown>
        </Page>
    );
}

function Pauses(): JSX.Element | null {
    const list = useSource("pauses", (signal) => take(api.GET("/v1/pauses", { signal })), { kinds: ["matchers"], every_ms: 10_000 });
    const pauses = list.data.value.value?.pauses ?? [];
    if (pauses.length === 0) return null;
    return (
        <ul class="lines pauses" aria-label={t("pauses")}>
            {pauses.map((pause) => (
                <li key={pause.id}>
                    <Icon name="pause" /> <code>{pause.match ?? t("pause.all")}</code> <span>{pause.reason}</span>{" "}
                    <span class="faint">
                        {t("strip.since", { at: show.time(show.at(pause.since)), by: pause.by })}{" "}
                        {pause.until ? t("strip.until", { at: show.time(show.at(pause.until)) }) : t("strip.until.resumed")}
                    </span>
                    {mayOperate.value && (
                        <button
                            type="button"
                            onClick={() => void act(`resume ${pause.id}`, () => resume(pause.id).then(list.ask), t("done.resume"))}
                        >
                            {t("do.resume")}
                        </button>
                    )}
                </li>
            ))}
        </ul>
    );
}

export function ConstraintsScreen(): JSX.Element {
    const [open, setOpen] = useState<"" | "pause" | "new">("");
    const list = usePages(
        "constraints",
        (after, signal) => take(api.GET("/v1/constraints", { params: { query: { limit: 100, ...(after && { after }) } }, signal })),
        ({ constraints }) => constraints,
        { kinds: ["jobs", "matchers"], every_ms: 5000, least_ms: 1500 },
    );
    if (place.value.id) return <Detail key={place.value.id} id={place.value.id} />;
    const columns: ListColumn<Live>[] = [
        {
            key: "title",
            title: t("matcher.title"),
            wide: true,
            cell: (c) => <a href={write({ screen: "constraints", id: c.matcher })}>{c.matcher_title || c.matcher}</a>,
        },
        { key: "kind", title: t("constraint.kind"), cell: (c) => word("kind", c.constraint.kind) },
        { key: "limit", title: t("constraint.limit"), cell: (c) => limitText(c.constraint), least: true },
        { key: "state", title: t("column.state"), cell: stateText },
        { key: "used", title: t("bucket.used"), number: true, cell: (c) => show.count(c.used) },
        { key: "waiting", title: t("bucket.waiting"), number: true, cell: (c) => show.count(c.waiting) },
        { key: "keys", title: t("constraint.keys"), number: true, cell: (c) => show.count(c.buckets), least: true },
        {
            key: "edited",
            title: t("constraint.edited"),
            cell: (c) => [c.edited_by, c.edited_at && show.time(show.at(c.edited_at))].filter(Boolean).join(" · "),
            least: true,
            whole: true,
        },
    ];
    return (
        <ListPage
            title={t("screen.constraints")}
            aside={
                mayOperate.value && (
                    <span class="actions">
                        <button type="button" onClick={() => setOpen("pause")}>
                            <Icon name="pause" />
                            {t("pause.title")}…
                        </button>
                        <button type="button" class="primary" onClick={() => setOpen("new")}>
                            {t("matcher.new")}…
                        </button>
                    </span>
                )
            }
            above={<Pauses />}
            source={list}
            rows={({ rows }) => rows}
            columns={columns}
            keyOf={(c) => c.constraint.id ?? c.matcher}
            empty={
                <Empty icon="constraints" title={t("constraints.none")}>
                    <p>{t("constraints.none.hint")}</p>
                </Empty>
            }
        >
            {open === "pause" && <PauseDialog match="" close={() => setOpen("")} />}
            {open === "new" && <MatcherEditor opened={freshMatcher} close={() => setOpen("")} saved={list.ask} />}
        </ListPage>
    );
}
