// The rows of a list, of which only those in sight are in the document.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { write } from "../base/address";
import { second } from "../base/clock";
import { density } from "../base/settings";
import * as rowsOf from "../base/rows";
import { mayOperate } from "../base/session";
import { StateMark, type State } from "../base/states";
import * as show from "../base/show";
import { serverNow } from "../base/clock";
import { t } from "../base/text";
import { isTyping } from "../shell/keys";
import { argumentText, bounded, columns, columnsFor, neededBy, orderedBy, template } from "./columns";
import type { Column, ColumnKey, Placed } from "./columns";
import { layoutText } from "./layout";
import type { Job } from "./merge";

export interface Cell {
    id: string;
    job: Job | undefined;
    ghost: boolean;
}

export interface TableProps {
    state: State | "";
    layout: readonly Placed[] | undefined; // as the width allows
    arrange: (all: readonly Placed[], how: "push" | "replace") => void;
    drawn: (all: readonly Placed[]) => void;
    reversed: boolean;
    reverse: (() => void) | undefined; // nothing: there is one order alone
    total: number;
    row: (at: number) => Cell | undefined; // nothing: it is being read
    indexOf: (id: string) => number;
    current: string; // the job that is inspected
    open: (id: string) => void;
    selected: ReadonlySet<string>;
    allSelected: boolean;
    select: (ids: readonly string[], on: boolean) => void;
    near: () => void; // the end comes into sight
    press: (event: KeyboardEvent, job: Job) => boolean; // an action by a key; false: it is none
    point: (on: boolean) => void;
}

function useWidth(element: { current: HTMLElement | null }): { width: number; height: number } {
    const [size, setSize] = useState({ width: 0, height: 0 });
    useLayoutEffect(() => {
        const observed = element.current;
        if (!observed) return;
        const look = () => setSize({ width: observed.clientWidth, height: observed.clientHeight });
        const observer = new ResizeObserver(look);
        observer.observe(observed);
        look();
        return () => observer.disconnect();
    }, []);
    return size;
}

function CardRow({ job }: { job: Job }): JSX.Element {
    return (
        <div class="card-cell" role="gridcell">
            <span class="card-first">
                <strong>{job.name}</strong>
                <StateMark state={job.state} cancelling={job.cancel_requested} />
            </span>
            <span class="card-second">
                <span>{job.message ?? argumentText(job)}</span>
                <span>{show.age(serverNow() - show.at(job.created_at))}</span>
            </span>
        </div>
    );
}

// Why a click on a column's title sorts, or does not.
function orderTip(state: State | "", column: ColumnKey): string {
    const by = orderedBy(state);
    if (by === column) return t("order.click");
    if (by) return t("order.by", { column: t(columns[by].title) });
    return t(state === "running" ? "order.running" : state === "" ? "order.all" : "order.came");
}

const key_px = 16; // by which a key makes a column wider

// The edge of a column, which is dragged or moved by keys.
function Edge({ name, width_px, size }: { name: string; width_px: () => number; size: Size }): JSX.Element {
    const from = useRef<{ x: number; width_px: number } | undefined>(undefined);
    const isFirst = useRef(true);
    const [now, setNow] = useState(0);
    return (
        <div
            class="edge"
            role="separator"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label={t("columns.width", { name })}
            aria-valuemin={48}
            aria-valuemax={1600}
            aria-valuenow={now}
            title={t("columns.width", { name })}
            onFocus={() => {
                isFirst.current = true;
                setNow(width_px());
            }}
            onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                from.current = { x: event.clientX, width_px: width_px() };
            }}
            onPointerMove={(event) => {
                if (from.current) size(from.current.width_px + event.clientX - from.current.x, "dragged");
            }}
            onPointerUp={(event) => {
                const moved = from.current ? event.clientX - from.current.x : 0;
                if (from.current && moved !== 0) size(from.current.width_px + moved, "push");
                from.current = undefined;
            }}
            onPointerCancel={() => {
                from.current = undefined;
                size(undefined, "dragged");
            }}
            onDblClick={() => size(undefined, "push")}
            onKeyDown={(event) => {
                const by = { ArrowLeft: -key_px, ArrowRight: key_px }[event.key];
                if (by === undefined && event.key !== "Enter") return;
                event.preventDefault();
                event.stopPropagation();
                size(by === undefined ? undefined : width_px() + by, isFirst.current ? "push" : "replace");
                isFirst.current = false;
                if (by !== undefined) setNow(bounded(width_px() + by));
            }}
        />
    );
}

// undefined: as wide as it needs. What is dragged is not kept before the pointer lets go.
type Size = (width_px: number | undefined, how: "push" | "replace" | "dragged") => void;

function RowCells({ job, placed, card }: { job: Job; placed: readonly Placed[]; card: boolean }): JSX.Element {
    if (card) return <CardRow job={job} />;
    return (
        <>
            {placed.map(({ key }) => {
                const column: Column = columns[key];
                return (
                    <div
                        key={column.key}
                        role="gridcell"
                        class={`cell cell-${column.key} ${column.number ? "number" : ""}`}
                        title={column.tip?.(job)}
                    >
                        {column.key === "name" ? (
                            <a
                                href={write({ screen: "jobs", parameters: { job: job.id } })}
                                tabIndex={-1}
                                onClick={(event) => event.preventDefault()}
                            >
                                {job.name}
                            </a>
                        ) : (
                            column.cell(job)
                        )}
                    </div>
                );
            })}
        </>
    );
}

export function JobTable(props: TableProps): JSX.Element {
    void second.value;
    const scroller = useRef<HTMLDivElement>(null);
    const { width, height } = useWidth(scroller);
    const card = width > 0 && width < 620;
    const row_px = card ? 58 : density.value === "compact" ? 27 : 34;
    const frame: rowsOf.Frame = { rows: props.total, row_px, view_px: Math.max(0, height - (card ? 0 : 32)) };
    const position = useRef(rowsOf.top);
    const [, redraw] = useState(0);
    // Where the keys act, and on which job: rows come and go above it.
    const cursor = useRef(0);
    const pointed = useRef("");
    const placeOf = (at: number, id: string) => (id === "" || props.row(at)?.id === id ? at : props.indexOf(id));
    const found = placeOf(cursor.current, pointed.current);
    cursor.current = found >= 0 ? found : Math.max(0, Math.min(cursor.current, props.total - 1));
    const isGone = () => pointed.current !== "" && props.row(cursor.current)?.id !== pointed.current;
    const point = (at: number) => {
        cursor.current = at;
        pointed.current = props.row(at)?.id ?? "";
    };
    const [dragged, setDragged] = useState<readonly Placed[]>();
    const usual = columnsFor(props.state, width);
    const placed = dragged ?? props.layout ?? usual.map((key): Placed => ({ key }));
    const least_px = props.layout || dragged ? neededBy(placed) : 0;
    const head = useRef<HTMLDivElement>(null);
    const placedText = layoutText(placed);
    useEffect(() => {
        if (width > 0) props.drawn(placed);
    }, [placedText, width > 0]);
    const size = (key: ColumnKey, width_px: number | undefined, how: "push" | "replace" | "dragged") => {
        const all = placed.map((each) =>
            each.key !== key ? each : width_px === undefined ? { key } : { key, width_px: bounded(width_px) },
        );
        if (how === "dragged") setDragged(width_px === undefined ? undefined : all);
        else {
            setDragged(undefined);
            props.arrange(all, how);
        }
    };
    const { from, to, offset_px } = rowsOf.drawn(frame, position.current);

    const scrolled = () => {
        position.current = rowsOf.scrolled(frame, position.current, scroller.current?.scrollTop ?? 0);
        redraw((before) => before + 1);
        const end = position.current.first_px + frame.view_px;
        if (end > (props.total - 15) * row_px) props.near();
    };
    useEffect(() => {
        if (props.total > 0 && to >= props.total) props.near();
    }, [to, props.total]);

    const reveal = (at: number) => {
        const wanted = rowsOf.reveal(frame, position.current, at);
        if (wanted && scroller.current) {
            position.current = wanted;
            scroller.current.scrollTop = wanted.scroll_px;
        }
        redraw((before) => before + 1);
    };
    const move = (by: number, range: boolean) => {
        // Where the job has gone, the row below has come up to its place.
        const at = Math.min(props.total - 1, Math.max(0, cursor.current + by - (by > 0 && isGone() ? 1 : 0)));
        const before = props.row(cursor.current);
        point(at);
        reveal(at);
        const now = props.row(at);
        if (now && range) props.select([now.id, ...(before ? [before.id] : [])], true);
        else if (now && props.current) props.open(now.id);
    };
    const pressed = (event: KeyboardEvent) => {
        if (isTyping(event) || event.altKey || event.metaKey || head.current?.contains(event.target as Node)) return;
        const page = Math.max(1, Math.floor(frame.view_px / row_px) - 1);
        const steps: Record<string, number> = {
            ArrowDown: 1,
            j: 1,
            ArrowUp: -1,
            k: -1,
            PageDown: page,
            PageUp: -page,
            End: props.total,
            Home: -props.total,
        };
        const step = event.ctrlKey ? undefined : steps[event.key];
        const at = isGone() ? undefined : props.row(cursor.current);
        if (step !== undefined) move(step, event.shiftKey);
        else if (event.key === "Enter" && at) props.open(at.id);
        else if (event.key === "x" && !event.ctrlKey && at) props.select([at.id], !props.selected.has(at.id));
        else if (!at?.job || event.ctrlKey || !props.press(event, at.job)) return;
        event.preventDefault();
    };
    const picked = useRef({ at: -1, id: "" });
    const clicked = (event: MouseEvent, at: number, cell: Cell) => {
        if (getSelection()?.toString() && getSelection()?.containsNode(event.currentTarget as Node, true)) return; // a text was selected
        if (event.ctrlKey || event.metaKey) {
            window.open(write({ screen: "jobs", parameters: { job: cell.id } }), "_blank", "noopener");
            return;
        }
        point(at);
        props.open(cell.id);
    };
    const ticked = (event: MouseEvent, at: number, cell: Cell) => {
        event.stopPropagation();
        const on = !props.selected.has(cell.id);
        const other = event.shiftKey && picked.current.id !== "" ? placeOf(picked.current.at, picked.current.id) : -1;
        const [low, high] = other >= 0 ? [Math.min(other, at), Math.max(other, at)] : [at, at];
        const ids: string[] = [];
        for (let each = low; each <= high && high - low < 1000; ++each) {
            const row = props.row(each);
            if (row) ids.push(row.id);
        }
        picked.current = { at, id: cell.id };
        point(at);
        props.select(ids, on);
    };

    const rowTemplate = template(placed);
    const by = orderedBy(props.state);
    const isDown = (by === "finished") !== props.reversed;
    const drawn: JSX.Element[] = [];
    for (let at = from; at < to; ++at) {
        const cell = props.row(at);
        const id = `row-${at}`;
        const chosen = cell !== undefined && (props.allSelected || props.selected.has(cell.id));
        const marks = {
            ghost: cell?.ghost,
            current: props.current !== "" && cell?.id === props.current,
            cursor: at === cursor.current && !isGone(),
            ticked: chosen,
        };
        const classes = ["row", ...Object.entries(marks).flatMap(([name, on]) => (on ? [name] : []))].join(" ");
        drawn.push(
            <div
                key={cell?.id ?? `reading ${at}`}
                id={id}
                role="row"
                aria-rowindex={at + 2}
                aria-selected={chosen}
                class={classes}
                style={{
                    transform: `translateY(${(at - from) * row_px + offset_px}px)`,
                    height: `${row_px}px`,
                    gridTemplateColumns: card ? "36px 1fr" : rowTemplate,
                }}
                title={cell?.ghost ? t("row.ghost") : undefined}
                onClick={cell && ((event) => clicked(event, at, cell))}
            >
                <div role="gridcell" class="tick">
                    {cell && mayOperate.value && (
                        <input
                            type="checkbox"
                            tabIndex={-1}
                            checked={chosen}
                            aria-label={t("row.select", { name: cell.job?.name ?? cell.id })}
                            onClick={(event) => ticked(event, at, cell)}
                        />
                    )}
                </div>
                {cell?.job ? (
                    <RowCells job={cell.job} placed={placed} card={card} />
                ) : (
                    <div role="gridcell" class="cell faint">
                        {cell ? t("row.gone", { id: cell.id }) : "…"}
                    </div>
                )}
            </div>,
        );
    }
    return (
        <div
            class={`jobtable ${card ? "cards" : ""}`}
            ref={scroller}
            role="grid"
            tabIndex={0}
            aria-label={t("screen.jobs")}
            aria-rowcount={props.total + 1}
            aria-multiselectable="true"
            aria-activedescendant={props.total > 0 ? `row-${cursor.current}` : undefined}
            onFocus={() => {
                if (pointed.current === "") point(cursor.current);
            }}
            onScroll={scrolled}
            onKeyDown={pressed}
            onPointerMove={() => props.point(true)}
            onPointerLeave={() => props.point(false)}
        >
            <div
                class="row head"
                role="row"
                aria-rowindex={1}
                ref={head}
                style={{ gridTemplateColumns: rowTemplate, minWidth: `${least_px}px` }}
                hidden={card}
            >
                <div role="columnheader" class="tick">
                    <span class="unseen">{t("column.select")}</span>
                </div>
                {placed.map(({ key }) => {
                    const column: Column = columns[key];
                    const title = t(column.title);
                    const isOrder = key === by && props.reverse !== undefined;
                    return (
                        <div
                            key={key}
                            role="columnheader"
                            class={`cell cell-head ${column.number ? "number" : ""}`}
                            aria-sort={isOrder ? (isDown ? "descending" : "ascending") : undefined}
                            title={orderTip(props.state, key)}
                            data-column={key}
                        >
                            {isOrder ? (
                                <button type="button" class="link sort" onClick={props.reverse}>
                                    {title} <span aria-hidden="true">{isDown ? "▾" : "▴"}</span>
                                </button>
                            ) : (
                                <span class="cell-title">{title}</span>
                            )}
                            <Edge
                                name={title}
                                width_px={() =>
                                    head.current?.querySelector(`[data-column="${key}"]`)?.getBoundingClientRect().width ?? bounded(0)
                                }
                                size={(width_px, how) => size(key, width_px, how)}
                            />
                        </div>
                    );
                })}
            </div>
            <div class="rows" style={{ height: `${rowsOf.height(frame)}px`, minWidth: card ? "" : `${least_px}px` }}>
                {drawn}
            </div>
        </div>
    );
}
