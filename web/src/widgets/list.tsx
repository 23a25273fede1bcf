// A table of things that are not many: workers, groups, schedules.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Source } from "../base/data";
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
}

export function List<T>(props: {
    rows: readonly T[];
    columns: readonly ListColumn<T>[];
    keyOf: (row: T) => string;
    label: string;
    current?: string;
}): JSX.Element {
    const classOf = (column: ListColumn<T>) =>
        [...(["number", "wide", "least", "whole"] as const).filter((each) => column[each]), ...(column.key === "do" ? ["do"] : [])]
            .join(" ");
    const element = useRef<HTMLDivElement>(null);
    useEffect(() => element.current?.querySelector(".chosen")?.scrollIntoView({ block: "nearest" }), [props.current]);
    return (
        <div class="scroll-x" tabIndex={0} ref={element}>
            <table class="table list" aria-label={props.label}>
                <thead>
                    <tr>
                        {props.columns.map((column) => (
                            <th key={column.key} scope="col" class={classOf(column)}>
                                {column.title || <span class="unseen">{t("column.select")}</span>}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {props.rows.map((row) => {
                        const key = props.keyOf(row);
                        const isChosen = key === props.current;
                        return (
                            <tr key={key} class={isChosen ? "chosen" : ""} aria-current={isChosen ? "true" : undefined}>
                                {props.columns.map((column) => (
                                    <td key={column.key} class={classOf(column)}>
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

// The master gave a first part alone.
const goesOn = (value: unknown) => typeof value === "object" && value !== null && (value as { next?: string }).next !== undefined;

// A screen that is one list.
export function ListPage<T, R>(props: {
    title: string;
    aside?: ComponentChildren;
    source: Source<T>;
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
    return (
        <Page title={title} aside={props.aside}>
            {props.above}
            <Shown data={source.data.value} title={t("panel.failed")} again={source.ask}>
                {(value) => {
                    const rows = props.rows(value);
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
                            {props.below ? props.below(value) : goesOn(value) && <p class="faint">{t("list.first", { n: rows.length })}</p>}
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
