// A table of things that are not many: workers, groups, schedules. On a phone each row is a card; roles say that it is a table still.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Source } from "../base/data";
import type { Pages } from "../base/pages";
import { t } from "../base/text";
import { Shown } from "./states";

export interface ListColumn<T> {
    key: string;
    title: string;
    cell: (row: T) => ComponentChildren;
    number?: boolean;
    wide?: boolean; // takes what is left
    least?: boolean; // left out where there is little room
    whole?: boolean; // never broken into lines
    text?: boolean; // broken into lines, which are not too short
    rare?: boolean; // only where there is much room
}

export function List<T>(props: {
    rows: readonly T[];
    columns: readonly ListColumn<T>[];
    keyOf: (row: T) => string;
    label: string;
    current?: string;
}): JSX.Element {
    const classOf = (column: ListColumn<T>) =>
        [
            ...(["number", "wide", "least", "whole", "text", "rare"] as const).filter((each) => column[each]),
            ...["do", "tick"].filter((each) => each === column.key),
        ].join(" ");
    const element = useRef<HTMLDivElement>(null);
    useEffect(() => element.current?.querySelector(".chosen")?.scrollIntoView({ block: "nearest" }), [props.current]);
    return (
        <div class="scroll-x" tabIndex={0} ref={element}>
            <table class="table list" role="table" aria-label={props.label}>
                <thead role="rowgroup">
                    <tr role="row">
                        {props.columns.map((column) => (
                            <th key={column.key} role="columnheader" scope="col" class={classOf(column)}>
                                {column.title || <span class="unseen">{t("column.select")}</span>}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    {props.rows.map((row) => {
                        const key = props.keyOf(row);
                        const isChosen = props.current !== "" && key === props.current;
                        return (
                            <tr key={key} role="row" class={isChosen ? "chosen" : ""} aria-current={isChosen ? "true" : undefined}>
                                {props.columns.map((column) => (
                                    <td key={column.key} role="cell" class={classOf(column)} data-title={column.title}>
                                        {column.cell(row)}
                                    </td>
                                ))}
                            </tr>
                        );
                    })}
                </tbody>
            </table>
        </div>
    );
}

export function Page({ title, aside, children }: { title: string; aside?: ComponentChildren; children: ComponentChildren }): JSX.Element {
    return (
        <div class="page">
            <div class="page-head">
                <h1>{title}</h1>
                {aside}
            </div>
            {children}
        </div>
    );
}

// There are more than the rows that are shown.
export function More({ of, shown }: { of: Pages<{ next?: string }>; shown: number }): JSX.Element | null {
    const [asked, setAsked] = useState(-1);
    const { value, error } = of.data.value;
    if (value?.next === undefined) return null;
    return (
        <p class="more">
            <span class="faint">{t("list.first", { n: shown })}</span>
            <button
                type="button"
                disabled={asked === shown && !error}
                onClick={() => {
                    setAsked(shown);
                    of.more();
                }}
            >
                {t("list.more")}
            </button>
        </p>
    );
}

const drawn_step = 100;

// A screen that is one list.
export function ListPage<T extends object, R>(props: {
    title: string;
    aside?: ComponentChildren;
    source: Source<T> | Pages<T>;
    rows: (value: T) => readonly R[];
    columns: readonly ListColumn<R>[];
    keyOf: (row: R) => string;
    current?: string; // the key of the row that the address names
    empty: ComponentChildren; // what to do when there is nothing
    above?: ComponentChildren;
    below?: (value: T) => ComponentChildren;
    children?: ComponentChildren; // dialogs
}): JSX.Element {
    const { title, source, columns, keyOf, current = "" } = props;
    const [drawn, setDrawn] = useState(drawn_step);
    return (
        <Page title={title} aside={props.aside}>
            {props.above}
            <Shown data={source.data.value} title={t("panel.failed")} again={source.ask}>
                {(value) => {
                    const all = props.rows(value);
                    // Lists that have no pages are drawn in parts; the row that the address names is among them.
                    const named = current === "" ? -1 : all.findIndex((row) => keyOf(row) === current);
                    const rows = "more" in source ? all : all.slice(0, Math.max(drawn, named + 1));
                    const isGone = current !== "" && !rows.some((row) => keyOf(row) === current);
                    const list = <List rows={rows} columns={columns} keyOf={keyOf} label={title} current={current} />;
                    return (
                        <>
                            {isGone && (
                                <p class="amber note" role="alert">
                                    {t("list.gone")} <code>{current}</code>
                                </p>
                            )}
                            {rows.length === 0 ? props.empty : list}
                            {"more" in source && <More of={source} shown={rows.length} />}
                            {rows.length < all.length && (
                                <p class="more">
                                    <span class="faint">{t("list.first", { n: rows.length })}</span>
                                    <button type="button" onClick={() => setDrawn(rows.length + drawn_step)}>
                                        {t("list.more")}
                                    </button>
                                </p>
                            )}
                            {props.below?.(value)}
                        </>
                    );
                }}
            </Shown>
            {props.children}
        </Page>
    );
}

export function Segments(props: { label: string; options: readonly { text: string; href: string; current: boolean }[] }): JSX.Element {
    return (
        <nav class="segments" aria-label={props.label}>
            {props.options.map((each) => (
                <a key={each.href} href={each.href} aria-current={each.current ? "true" : undefined}>
                    {each.text}
                </a>
            ))}
        </nav>
    );
}

// `top`: the number that has the full height; else the largest of them.
export function Spark({ values, label, top }: { values: readonly number[]; label: string; top?: number }): JSX.Element {
    const most = Math.max(1, top ?? 1, ...values);
    const step = 80 / Math.max(1, values.length);
    return (
        <svg class="spark" viewBox="0 0 80 18" width="80" height="18" role="img" aria-label={label}>
            {values.map((value, index) =>
                value > 0 ? (
                    <rect
                        key={index}
                        x={index * step}
                        y={18 - Math.max(2, (value / most) * 18)}
                        width={Math.max(1, step - 1)}
                        height={Math.max(2, (value / most) * 18)}
                    />
                ) : null,
            )}
        </svg>
    );
}
