import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { changed, go, parameter, place } from "../base/address";
import { api, Failure, take } from "../base/api";
import { sentence } from "../base/failure";
import { Icon } from "../base/icon";
import { useSource } from "../base/data";
import * as show from "../base/show";
import { seesAll } from "../base/live";
import { mayOperate, mayOperateAll } from "../base/session";
import { isFinal, stateIcon, states, type State } from "../base/states";
import { t, word } from "../base/text";
import { SavedFilters } from "../saved/menu";
import { isTyping } from "../shell/keys";
import { now } from "../shell/overviewsource";
import { useSeen } from "../widgets/seen";
import { Empty, Skeleton, Trouble } from "../widgets/states";
import { say } from "../widgets/toast";
import { copyText } from "../widgets/copy";
import { BulkBar, canCancel, canEdit, canRetry, cancel, remove, retry, star } from "./actions";
import { type Placed } from "./columns";
import { ColumnsDialog } from "./columnsdialog";
import { countJobs, type Counts } from "./counts";
import { matchOf } from "./filter";
import { FilterLine, focusFilter } from "./filterline";
import { FrozenList, LiveList, liveRows_max, queryOf, type Filter } from "./list";
import { EditDialog, NewJobDialog } from "./jobform";
import { arrange, layoutOf } from "./layout";
import type { Job } from "./merge";
import { allChosen, clearSelection, selected } from "./selection";
import { JobTable, type Cell } from "./table";

function filterOf(): Filter {
    const state = parameter("state") as State;
    const kind = parameter("kind");
    return {
        state: states.includes(state) ? state : "",
        match: matchOf(parameter("filter")),
        name: parameter("name"),
        tag: parameter("tag"),
        kind: kind === "tracked" || kind === "trash" ? kind : "",
        reversed: parameter("order") === "reversed",
        view: parameter("view"),
    };
}

const nothingElse = { view: undefined, job: undefined, order: undefined, cols: undefined };

function Tabs({ filter, counts }: { filter: Filter; counts: Counts | undefined }): JSX.Element {
    const figure = (state: string) => {
        if (!counts) return "";
        const count = state ? (counts.states[state] ?? 0) : states.reduce((sum, each) => sum + (counts.states[each] ?? 0), 0);
        return (counts.complete ? "" : "≥ ") + show.short(count);
    };
    const tab = (state: State | "", kind: Filter["kind"], text: string) => {
        const current = filter.state === state && filter.kind === kind;
        return (
            <a
                key={state + kind}
                class={`tab ${state ? `state-${state}` : ""}`}
                aria-current={current ? "page" : undefined}
                href={changed({ ...nothingElse, state: state || undefined, kind: kind || undefined })}
            >
                {state && <Icon name={stateIcon(state)} />}
                {text}
                {kind === "" && <b>{figure(state)}</b>}
            </a>
        );
    };
    return (
        <nav class="tabs" aria-label={t("jobs.tabs")} ref={useSeen(filter.state + filter.kind)}>
            {tab("", "", t("jobs.all"))}
            {states.map((state) => tab(state, "", word("state", state)))}
            {tab("", "tracked", t("jobs.tracked"))}
            {tab("", "trash", t("jobs.trash"))}
        </nav>
    );
}

function Chips({ filter }: { filter: Filter }): JSX.Element | null {
    const chips = (
        [
            ["name", filter.name],
            ["tag", filter.tag],
        ] as const
    ).filter(([, value]) => value !== "");
    if (chips.length === 0) return null;
    return (
        <div class="chips">
            {chips.map(([key, value]) => (
                <span key={key} class="chip">
                    {t(key === "name" ? "chip.name" : "chip.tag", { value })}
                    <a href={changed({ [key]: undefined })} aria-label={t("filter.clear")}>
                        <Icon name="close" />
                    </a>
                </span>
            ))}
        </div>
    );
}

function usePointer(): { hold: () => boolean; point: (on: boolean) => void; left: { current: (() => void) | undefined } } {
    const isOn = useRef(false);
    const left = useRef<(() => void) | undefined>(undefined);
    return useMemo(
        () => ({
            left,
            hold: () => isOn.current || (getSelection()?.toString() ?? "") !== "",
            point: (on: boolean) => {
                isOn.current = on;
                if (!on) left.current?.();
            },
        }),
        [],
    );
}

async function freeze(filter: Filter): Promise<void> {
    const { tracked: _, ...query } = queryOf(filter);
    try {
        const view = await take(api.POST("/v1/views", { body: query }));
        go(changed({ view: view.view }));
    } catch (error) {
        if (!(error instanceof Failure)) throw error;
        say(sentence(error), { failed: true });
    }
}

function Nothing({ filter, counts }: { filter: Filter; counts: Counts | undefined }): JSX.Element {
    const filtered = filter.match !== "" || filter.name !== "" || filter.tag !== "";
    const elsewhere =
        filtered && filter.state && filter.kind === "" && counts ? states.reduce((sum, each) => sum + (counts.states[each] ?? 0), 0) : 0;
    const title = filtered
        ? t("jobs.none.match")
        : filter.kind === "tracked"
          ? t("jobs.none.tracked")
          : filter.kind === "trash"
            ? t("jobs.none.trash")
            : filter.state
              ? t("jobs.none.state", { state: word("state", filter.state) })
              : t("jobs.none");
    return (
        <Empty icon={filter.state ? stateIcon(filter.state) : "jobs"} title={title}>
            {elsewhere > 0 && (
                <p>
                    {t("jobs.elsewhere", { n: elsewhere })}{" "}
                    <a class="button" href={changed({ ...nothingElse, state: undefined })}>
                        {t("jobs.elsewhere.go")}
                    </a>
                </p>
            )}
            {filtered && (
                <p>
                    <a class="button" href={changed({ filter: undefined, name: undefined, tag: undefined })}>
                        {t("filter.clear")}
                    </a>
                </p>
            )}
            {filter.kind === "tracked" && <p>{t("jobs.none.tracked.hint")}</p>}
            {filter.kind === "trash" && <p>{t("jobs.none.trash.hint")}</p>}
        </Empty>
    );
}

function openJob(id: string): void {
    go(changed({ job: id }), parameter("job") ? "replace" : "push");
}

function select(ids: readonly string[], on: boolean): void {
    allChosen.value = false;
    const next = new Set(selected.value);
    for (const id of ids) {
        if (on) next.add(id);
        else next.delete(id);
    }
    selected.value = next;
}

function Selected({ filter, total }: { filter: Filter; total: string }): JSX.Element {
    const { order: _, tracked: __, ...query } = queryOf(filter);
    return (
        <BulkBar
            n={selected.value.size}
            ids={[...selected.value]}
            all={filter.view ? { view: filter.view } : query}
            isAll={allChosen.value}
            total={total}
            trash={filter.kind === "trash"}
            chooseAll={filter.kind === "tracked" ? undefined : () => (allChosen.value = true)}
            clear={clearSelection}
        />
    );
}

function copied(id: string): boolean {
    if (getSelection()?.toString()) return false; // the text that is selected is copied
    void copyText(id).then((done) => say(t(done ? "copied" : "copy.failed"), { failed: !done }));
    return true;
}

// The keys of the window: with several jobs selected they act on these.
function press(event: KeyboardEvent, job: Job): boolean {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "w") go(changed({ job: job.id, tab: "why" }), parameter("job") ? "replace" : "push");
    if (key === "w") return true;
    if (key === "c" && event.ctrlKey && !event.shiftKey) return copied(job.id);
    if (!mayOperate.value || job.deleted_at || event.repeat) return false;
    const action = key === "r" ? "retry" : key === "Delete" ? "cancel" : key === "d" && event.shiftKey ? "delete" : undefined;
    if (action && (selected.value.size > 1 || allChosen.value)) document.querySelector<HTMLElement>(`.bulk [data-do=${action}]`)?.click();
    else if (action === "retry" && canRetry(job.state)) void retry(job);
    else if (action === "cancel" && canCancel(job.state)) void cancel(job);
    else if (action === "delete" && job.state !== "running" && mayOperateAll.value) remove(job);
    else if (key === "e" && !event.shiftKey && canEdit(job.state) && mayOperateAll.value) edited.value = job;
    else if (key === "s" && !event.shiftKey && mayOperateAll.value) star(job);
    else return action !== undefined;
    return true;
}

// The job whose fields are edited by a key.
const edited = signal<Job | undefined>(undefined);

// The columns that the table has now, for the menu.
const shownColumns = signal<readonly Placed[]>([]);

const mayReverse = (filter: Filter) => filter.state !== "" && filter.kind === "";

function reverse(filter: Filter): void {
    go(changed({ order: filter.reversed ? undefined : "reversed", view: undefined }));
}

function tableOf(filter: Filter) {
    return {
        state: filter.state,
        layout: layoutOf(filter.state),
        arrange: (all: readonly Placed[], how: "push" | "replace") => arrange(filter.state, all, how),
        drawn: (all: readonly Placed[]) => (shownColumns.value = all),
        reversed: filter.reversed,
        reverse: mayReverse(filter) ? () => reverse(filter) : undefined,
    };
}

// What a list of a state begins with, in its own order and from the other end.
function Order({ filter }: { filter: Filter }): JSX.Element | null {
    if (!mayReverse(filter)) return null;
    const state = filter.state as State;
    const kind = isFinal(state) ? "ended" : state === "awaiting" || state === "depends" ? "came" : state;
    return (
        <select
            class="order"
            aria-label={t("order")}
            value={filter.reversed ? "reversed" : "natural"}
            onChange={() => reverse(filter)}
        >
            <option value="natural">{word("ordernatural", kind)}</option>
            <option value="reversed">{word("orderreversed", kind)}</option>
        </select>
    );
}

function Live(props: { filter: Filter; counts: Counts | undefined; failed: (error: Failure | undefined) => void }): JSX.Element {
    const { filter, failed } = props;
    const pointer = usePointer();
    const key = JSON.stringify(filter);
    const list = useMemo(() => new LiveList(filter, pointer.hold, () => new Set([...selected.value, parameter("job")])), [key]);
    useEffect(() => {
        pointer.left.current = () => list.settle();
        return () => list.stop();
    }, [list]);
    useEffect(() => {
        const thaw = () => list.ask();
        addEventListener("junban:refresh", thaw);
        return () => removeEventListener("junban:refresh", thaw);
    }, [list]);
    const shown = list.shown.value;
    useEffect(() => failed(shown.error?.status === 422 ? shown.error : undefined), [shown.error]);
    const index = useMemo(() => new Map(shown.rows.map((row, at) => [row.job.id, at])), [shown.rows]);
    if (shown.phase === "loading")
        return (
            <div class="jobs-body">
                <Skeleton rows={12} />
            </div>
        );
    if (shown.phase === "failed" && shown.error)
        return (
            <div class="jobs-body">
                {shown.error.status === 422 ? (
                    <Empty icon="search" title={t("filter.wrong")} />
                ) : (
                    <Trouble
                        title={t("jobs.failed")}
                        error={shown.error}
                        since_ms={shown.since_ms}
                        retry_ms={shown.retry_ms}
                        again={() => list.ask()}
                    />
                )}
            </div>
        );
    const cell = (at: number): Cell | undefined => {
        const row = shown.rows[at];
        return row && { id: row.job.id, job: row.job, ghost: row.ghost };
    };
    const { coverage } = shown;
    const isSearch = filter.match !== "";
    const isEnd = shown.goesOn && shown.rows.length >= liveRows_max;
    return (
        <>
            {shown.rows.length === 0 && !shown.searching && !shown.goesOn ? (
                <div class="jobs-body">
                    <Nothing filter={filter} counts={props.counts} />
                </div>
            ) : (
                <JobTable
                    {...tableOf(filter)}
                    total={shown.rows.length}
                    row={cell}
                    indexOf={(id) => index.get(id) ?? -1}
                    current={parameter("job")}
                    open={openJob}
                    selected={selected.value}
                    allSelected={allChosen.value}
                    select={select}
                    press={press}
                    near={() => list.more()}
                    point={pointer.point}
                />
            )}
            <div class="list-foot" role="status">
                <button type="button" onClick={() => void freeze(filter)} disabled={filter.kind === "tracked"} title={t("freeze.tip")}>
                    <Icon name="snowflake" />
                    {t("freeze")}
                </button>
                <span>{t("rows", { n: shown.rows.length })}</span>
                {shown.waiting > 0 && (
                    <button type="button" class="link" onClick={() => list.settle()}>
                        {t("rows.new", { n: shown.waiting })}
                    </button>
                )}
                {isEnd && <span>{t("rows.end")}</span>}
                {isSearch && (
                    <span>
                        {coverage.complete
                            ? t("searched.all", { n: coverage.total })
                            : t("searched", { scanned: coverage.scanned, total: coverage.total })}
                    </span>
                )}
                {shown.searching && <span>{t("searching")}</span>}
                {isSearch && !shown.searching && !coverage.complete && !isEnd && shown.goesOn && (
                    <button type="button" class="link" onClick={() => list.searchOn()}>
                        {t("search.on")}
                    </button>
                )}
                {shown.error && shown.phase === "shown" && <span class="red">{sentence(shown.error)}</span>}
            </div>
        </>
    );
}

// Of a frozen list: what is no longer where the list was made.
function hasLeft(job: Job, filter: Filter): boolean {
    if ((filter.kind === "trash") !== (job.deleted_at !== undefined)) return true;
    return filter.state !== "" && job.state !== filter.state;
}

function Frozen({ filter, counts }: { filter: Filter; counts: Counts | undefined }): JSX.Element {
    const list = useMemo(() => new FrozenList(filter.view), [filter.view]);
    useEffect(() => () => list.stop(), [list]);
    void list.read.value;
    const view = list.view.value;
    const error = list.error.value;
    const thaw = changed({ view: undefined });
    if (error && (!view || error.status === 404)) {
        return (
            <div class="jobs-body">
                <Empty icon="snowflake" title={error.status === 404 ? t("frozen.gone") : t("jobs.failed")}>
                    <p>{error.status === 404 ? t("frozen.gone.hint") : sentence(error)}</p>
                    <p>
                        <a class="button" href={thaw}>
                            {t("thaw")}
                        </a>
                    </p>
                </Empty>
            </div>
        );
    }
    if (!view)
        return (
            <div class="jobs-body">
                <Skeleton rows={12} />
            </div>
        );
    const cell = (at: number): Cell | undefined => {
        const row = list.row(at);
        return row && { id: row.id, job: row.job, ghost: row.job !== undefined && hasLeft(row.job, filter) };
    };
    return (
        <>
            {view.count === 0 && !view.building ? (
                <div class="jobs-body">
                    <Nothing filter={filter} counts={counts} />
                </div>
            ) : (
                <JobTable
                    {...tableOf(filter)}
                    total={view.count}
                    row={cell}
                    indexOf={() => -1}
                    current={parameter("job")}
                    open={openJob}
                    selected={selected.value}
                    allSelected={allChosen.value}
                    select={select}
                    press={press}
                    near={() => undefined}
                    point={() => undefined}
                />
            )}
            <div class="list-foot frozen" role="status">
                <a class="button" href={thaw}>
                    <Icon name="play" />
                    {t("thaw")}
                </a>
                <span>
                    <Icon name="snowflake" />
                    {t("frozen", { at: show.time(list.frozenAt_ms) })}
                </span>
                <span>{t("rows", { n: view.count })}</span>
                {!view.building &&
                    (["csv", "ndjson"] as const).map((format) => (
                        <a
                            key={format}
                            class="button"
                            download={`jobs.${format}`}
                            href={`v1/views/${encodeURIComponent(filter.view)}/export?format=${format === "csv" ? "csv&bom=true" : format}`}
                        >
                            {t("export", { format: format === "csv" ? "CSV" : "NDJSON" })}
                        </a>
                    ))}
                {view.building ? <span>{t("searching")}</span> : !view.complete && <span>{t("frozen.cut")}</span>}
                {error && <span class="red">{sentence(error)}</span>}
            </div>
        </>
    );
}

const hasFilter = computed(() => filterOf().match !== "" || filterOf().name !== "" || filterOf().tag !== "");

// How many jobs match, as far as that is known.
function totalOf(filter: Filter, counts: Counts | undefined): string {
    if (!counts || filter.view || filter.kind) return "";
    const n = filter.state ? (counts.states[filter.state] ?? 0) : states.reduce((sum, each) => sum + (counts.states[each] ?? 0), 0);
    return (counts.complete ? "" : "≥ ") + show.count(n);
}

export function JobsScreen(): JSX.Element {
    void place.value;
    const filter = filterOf();
    const [opened, setOpen] = useState<"" | "columns" | "new">("");
    const wrong = useMemo(() => signal<Failure | undefined>(undefined), []);
    const countKey = hasFilter.value || !seesAll.value ? JSON.stringify([filter.match, filter.name, filter.tag]) : "";
    const counted = useSource<Counts | undefined>(
        `counts ${countKey}`,
        (signal) => (countKey ? countJobs(filter, signal) : Promise.resolve(undefined)),
        { kinds: countKey ? ["jobs"] : [], every_ms: 0, least_ms: 5000 },
    );
    const counts = countKey ? counted.data.value.value : now.value && { states: now.value.states, complete: true };
    useEffect(clearSelection, [JSON.stringify(filter)]);
    useEffect(() => {
        const pressed = (event: KeyboardEvent) => {
            if (isTyping(event) || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
            if (event.key === "/") {
                event.preventDefault();
                focusFilter();
            } else if (event.key === " " && !(event.target instanceof HTMLButtonElement) && !(event.target instanceof HTMLInputElement)) {
                event.preventDefault();
                if (filterOf().view) go(changed({ view: undefined }));
                else void freeze(filterOf());
            } else if (event.key === "Escape" && parameter("job")) {
                go(changed({ job: undefined, tab: undefined }));
            }
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
    return (
        <div class="jobs">
            <h1 class="unseen">{t("screen.jobs")}</h1>
            <div class="jobs-top">
                <div class="jobs-line">
                    <FilterLine
                        applied={parameter("filter")}
                        error={wrong.value}
                        apply={(text) => go(changed({ filter: text || undefined, view: undefined }))}
                    />
                    <SavedFilters screen={filter.kind === "trash" ? "trash" : "jobs"} text={parameter("filter")} />
                    <Order filter={filter} />
                    {mayOperate.value && (
                        <button type="button" class="new-job" onClick={() => setOpen("new")}>
                            {t("form.new.button")}
                        </button>
                    )}
                    <button type="button" class="choose-columns" onClick={() => setOpen("columns")}>
                        <Icon name="more" />
                        {t("columns")}
                    </button>
                </div>
                <Chips filter={filter} />
            </div>
            <Tabs filter={filter} counts={counts} />
            <Selected filter={filter} total={totalOf(filter, counts)} />
            {opened === "columns" && (
                <ColumnsDialog state={filter.state} shown={shownColumns.value} close={() => setOpen("")} />
            )}
            {opened === "new" && <NewJobDialog close={() => setOpen("")} />}
            {edited.value && <EditDialog key={edited.value.id} job={edited.value} close={() => (edited.value = undefined)} />}
            {filter.view ? (
                <Frozen filter={filter} counts={counts} />
            ) : (
                <Live filter={filter} counts={counts} failed={(error) => (wrong.value = error)} />
            )}
        </div>
    );
}
