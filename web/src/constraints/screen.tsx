// JobMatchers with their limits, and how much of these is in use.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { changed, go, place, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { serverNow } from "../base/clock";
import { useSource } from "../base/data";
import { Icon } from "../base/icon";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { ask } from "../widgets/ask";
import { Copy } from "../widgets/copy";
import { List, ListPage, More, Page, type ListColumn } from "../widgets/list";
import { Empty, Shown } from "../widgets/states";
import { MatcherEditor, readMatcher, type Opened } from "./editor";
import type { Draft } from "./fields";
import { freshMatcher } from "./fresh";
import { constraintText } from "./limittext";
import { matcherOf, partsOf } from "./merge";
import { OverrideDialog } from "./override";
import { PauseDialog, resume } from "./pause";
import { restore, Revisions } from "./revisions";

type Live = Schemas["LiveConstraint"];
const holders_max = 3;

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

// Running jobs that take up the limit.
function Holders({ of: { holders = [] } }: { of: Schemas["Bucket"] }): JSX.Element {
    return (
        <>
            {holders.slice(0, holders_max).map((id) => (
                <a key={id} class="holder" href={changed({ job: id })}>
                    <code>…{id.slice(-8)}</code>
                </a>
            ))}
            {holders.length > holders_max && <span class="faint">…</span>}
        </>
    );
}

function Buckets({ of, matcher, changed }: { of: Draft; matcher: string; changed: () => void }): JSX.Element {
    const constraint = String(of["id"]);
    const [edited, setEdited] = useState<string>();
    const hasKeys = "by" in of;
    const isBreaker = of.kind === "breaker"; // "open" would be understood as the opposite
    const isObserved = of["mode"] === "observe";
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
        ...(isObserved
            ? [
                  {
                      key: "observed",
                      title: t("bucket.observed"),
                      number: true,
                      cell: (b: Schemas["Bucket"]) => show.count(b.would_hold),
                  } satisfies ListColumn<Schemas["Bucket"]>,
              ]
            : []),
        ...(of.kind === "concurrency" || of.kind === "share"
            ? [
                  {
                      key: "holders",
                      title: t("bucket.holders"),
                      least: true,
                      text: true,
                      cell: (b: Schemas["Bucket"]) => <Holders of={b} />,
                  } satisfies ListColumn<Schemas["Bucket"]>,
              ]
            : []),
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
                              {isBreaker && <Breaker of={of} title={matcher} bucket={b.key} />}
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

// One key's, or those of all keys. A trip of all keys is not taken back: a reset would also reach those that tripped by themselves.
function Breaker(props: { of: Draft; title: string; bucket?: string }): JSX.Element | null {
    const { of, title, bucket } = props;
    if (!mayOperate.value) return null;
    const constraint = String(of["id"]);
    const about = `breaker ${constraint} ${bucket ?? ""}`;
    const isWide = "by" in of && bucket === undefined;
    const parameters = { params: { path: { constraint }, header: reasonHeader() }, body: bucket === undefined ? {} : { key: bucket } };
    const reset = () => take(api.POST("/v1/constraints/{constraint}/reset", parameters));
    const isMeant = (what: "trip" | "reset") => {
        const span = show.span(typeof of["open_for"] === "number" ? of["open_for"] : 30);
        const text = t(`breaker.${what}.text`, { span });
        return !isWide || ask({ title: t(`breaker.${what}`, { title }), text, go: t(`breaker.${what}.go`), danger: what === "trip" });
    };
    const trip = async () => {
        if (await isMeant("trip"))
            await act(
                `trip ${about}`,
                () => take(api.POST("/v1/constraints/{constraint}/trip", parameters)),
                t("done.trip"),
                isWide ? undefined : { act: reset },
            );
    };
    const resetAsked = async () => {
        if (await isMeant("reset")) await act(`reset ${about}`, reset, t("done.reset"));
    };
    return (
        <span class="actions">
            <button type="button" onClick={() => void trip()}>
                {t("do.trip")}
            </button>
            <button type="button" onClick={() => void resetAsked()}>
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

async function toggle({ matcher, etag }: Opened, changed: () => void): Promise<void> {
    const { id, enabled } = matcher;
    const put = async (on: boolean, match: string) => {
        const body = matcherOf({ ...partsOf(matcher), enabled: on }) as Schemas["NewMatcher"];
        const params = { path: { matcher: id }, header: { ...reasonHeader(), "If-Match": match } };
        const made = await take(api.PUT("/v1/matchers/{matcher}", { params, body }));
        changed();
        return `"${made.revision}"`;
    };
    let latest = etag;
    await act(
        `toggle matcher ${id}`,
        async () => (latest = await put(!enabled, etag)),
        t(enabled ? "done.disable" : "done.enable", { title: matcher.title || id }),
        { act: () => put(enabled, latest) },
    );
}

async function remove({ matcher, etag }: Opened): Promise<void> {
    const done = await act(
        `delete matcher ${matcher.id}`,
        () =>
            take(
                api.DELETE("/v1/matchers/{matcher}", {
                    params: { path: { matcher: matcher.id }, header: { ...reasonHeader(), "If-Match": etag } },
                }),
            ),
        t("matcher.deleted", { title: matcher.title || matcher.id }),
        { act: () => restore(matcher.id, matcher.revision, undefined) },
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
                                {show.edited(opened.matcher.edited_at, opened.matcher.edited_by)}
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
                                    <button type="button" onClick={() => void toggle(opened, source.ask)}>
                                        {t(opened.matcher.enabled ? "do.disable" : "do.enable")}
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
                                        {word("kind", constraint.kind)} <span class="limit-text">{constraintText(constraint)}</span>
                                    </h2>
                                    {constraint.kind === "breaker" && (
                                        <Breaker
                                            of={constraint as unknown as Draft}
                                            title={opened.matcher.title || opened.matcher.id}
                                        />
                                    )}
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
                        {t("strip.since", { at: show.time(show.at(pause.since)), by: word("actor", pause.by) })}{" "}
                        {pause.until ? t("strip.until", { at: show.time(show.at(pause.until)) }) : t("strip.until.resumed")}
                    </span>
                    {mayOperate.value && (
                        <button
                            type="button"
                            onClick={() => void act(`resume pause ${pause.id}`, () => resume(pause.id).then(list.ask), t("done.resume"))}
                        >
                            {t("do.resume")}
                        </button>
                    )}
                </li>
            ))}
        </ul>
    );
}

type Holding = Schemas["Held"];

function HeldNow(): JSX.Element {
    const list = useSource("held", (signal) => take(api.GET("/v1/held", { params: { query: { limit: 100 } }, signal })), {
        kinds: ["jobs", "matchers"],
        every_ms: 5000,
        least_ms: 1500,
    });
    const columns: ListColumn<Holding>[] = [
        {
            key: "title",
            title: t("matcher.title"),
            wide: true,
            cell: (h) =>
                h.matcher ? <a href={write({ screen: "constraints", id: h.matcher })}>{h.title || h.matcher}</a> : t("held.many"),
        },
        { key: "kind", title: t("constraint.kind"), cell: (h) => word("kind", h.kind) },
        { key: "key", title: t("bucket.key"), cell: (h) => <code>{h.key || t("bucket.one")}</code> },
        { key: "jobs", title: t("held.jobs"), number: true, cell: (h) => show.count(h.jobs) },
        {
            key: "used",
            title: t("bucket.used"),
            number: true,
            least: true,
            cell: ({ used, limit }) =>
                used === undefined ? "" : limit === undefined ? show.count(used) : `${show.count(used)} / ${show.count(limit)}`,
        },
        {
            key: "oldest",
            title: t("held.oldest"),
            least: true,
            cell: (h) => (h.oldest_at ? show.age(serverNow() - show.at(h.oldest_at)) : ""),
        },
        { key: "opens", title: t("bucket.opens"), cell: (h) => (h.opens_at ? show.time(show.at(h.opens_at)) : "") },
    ];
    return (
        <section class="panel">
            <header>
                <h2>{t("held.title")}</h2>
            </header>
            <Shown data={list.data.value} title={t("panel.failed")} again={list.ask} rows={2}>
                {({ held, complete }) =>
                    held.length === 0 ? (
                        <p class="faint">{t("held.none")}</p>
                    ) : (
                        <>
                            <List rows={held} columns={columns} keyOf={(h) => `${h.constraint} ${h.key}`} label={t("held.title")} />
                            {!complete && <p class="faint">{t("held.incomplete")}</p>}
                        </>
                    )
                }
            </Shown>
        </section>
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
    const edited = ({ edited_by, edited_at }: Live) => (
        <span class="pieces">
            {word("actor", edited_by ?? "")} <span class="faint">{edited_at && show.time(show.at(edited_at))}</span>
        </span>
    );
    const columns: ListColumn<Live>[] = [
        {
            key: "title",
            title: t("matcher.title"),
            wide: true,
            cell: (c) => <a href={write({ screen: "constraints", id: c.matcher })}>{c.matcher_title || c.matcher}</a>,
        },
        { key: "kind", title: t("constraint.kind"), cell: (c) => word("kind", c.constraint.kind) },
        { key: "limit", title: t("constraint.limit"), cell: (c) => constraintText(c.constraint), least: true, text: true },
        { key: "state", title: t("column.state"), cell: stateText },
        { key: "used", title: t("bucket.used"), number: true, cell: (c) => show.count(c.used) },
        { key: "waiting", title: t("bucket.waiting"), number: true, cell: (c) => show.count(c.waiting) },
        { key: "keys", title: t("constraint.keys"), number: true, cell: (c) => show.count(c.buckets), least: true },
        {
            key: "opens",
            title: t("constraint.opens"),
            cell: (c) => (c.opens_at ? show.time(show.at(c.opens_at)) : ""),
            least: true,
            whole: true,
            rare: true,
        },
        {
            key: "edited",
            title: t("constraint.edited"),
            cell: edited,
            least: true,
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
            <HeldNow />
            {open === "pause" && <PauseDialog match="" close={() => setOpen("")} />}
            {open === "new" && <MatcherEditor opened={freshMatcher} close={() => setOpen("")} saved={list.ask} />}
        </ListPage>
    );
}
