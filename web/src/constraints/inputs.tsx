// The inputs of the forms of constraints. Each keeps what is typed and gives on what it means; NaN while that is no number.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../base/icon";
import { serverNow } from "../base/clock";
import { zone } from "../base/settings";
import * as format from "../base/format";
import { t, word, type Key } from "../base/text";
import { parseNumber, parseSpan, spanText } from "../base/typed";
import type { Field } from "./fields";

type Set = (value: unknown) => void;

// How a value of a field is typed, and what typed text means; undefined: nothing.
const written = (field: Field, value: unknown): string => {
    if (value === undefined || value === null) return "";
    if (Array.isArray(value)) return value.join("\n");
    if (typeof value === "number" && field.input === "span") return spanText(value);
    if (typeof value === "number" && field.input === "percent") return String(Math.round(value * 1e6) / 1e4);
    return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
};

function meant(field: Field, text: string): unknown {
    if (text.trim() === "") return undefined;
    const whole = parseNumber(text);
    switch (field.input) {
        case "whole":
            return Number.isInteger(whole) && whole >= 0 ? whole : NaN;
        case "number":
            return whole;
        case "percent":
            return whole / 100;
        case "span":
            return parseSpan(text);
        case "cost":
            return Number.isNaN(whole) ? text.trim() : whole;
        case "lines":
            return text.split("\n").flatMap((line) => (line.trim() ? [line.trim()] : []));
        default:
            return text;
    }
}

export function localText(at: string | undefined): string {
    if (!at) return "";
    const moment = format.momentOf(Date.parse(at), zone.value === "utc");
    return `${moment.date}T${moment.time}`;
}

export function momentText(local: string): string | undefined {
    const at = new Date(zone.value === "utc" ? `${local}Z` : local);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

// While one types in it, it keeps its own text: a browser leaves out seconds of 0, and half of a year is a year too.
export function TimeInput({ label, value, set }: { label: string; value: string | undefined; set: Set }): JSX.Element {
    const [typed, setTyped] = useState<{ text: string; value: string | undefined; zone: string }>();
    const text = typed && typed.value === value && typed.zone === zone.value ? typed.text : localText(value);
    return (
        <label>
            {t("pair", { a: label, b: format.momentOf(value ? Date.parse(value) : serverNow(), zone.value === "utc").zone })}
            <input
                type="datetime-local"
                step="1"
                value={text}
                onInput={(event) => {
                    const { value: now } = event.currentTarget;
                    const made = now === "" ? undefined : momentText(now);
                    setTyped({ text: now, value: made, zone: zone.value });
                    set(made);
                }}
            />
        </label>
    );
}

function Typed({ field, value, set }: { field: Field; value: unknown; set: Set }): JSX.Element {
    const [text, setText] = useState(() => written(field, value));
    const wrong = typeof value === "number" && Number.isNaN(value);
    const missing = field.required === true && value === undefined;
    const type = (typed: string) => {
        setText(typed);
        set(meant(field, typed));
    };
    const attributes = {
        "class": ["cost", "lines"].includes(field.input) || field.key === "tz" ? "mono" : "",
        "value": text,
        "placeholder": field.fallback ?? "",
        "spellcheck": false,
        "aria-invalid": wrong || missing,
        "required": field.required === true,
    };
    const unit = { percent: " (%)", span: ` (${t("limitfield.span")})` }[field.input as string] ?? "";
    return (
        <label class={field.input === "lines" ? "whole" : ""}>
            {t(field.label) + unit}
            {field.input === "lines" ? (
                <textarea {...attributes} rows={2} onInput={(event) => type(event.currentTarget.value)} />
            ) : (
                <input
                    {...attributes}
                    type="text"
                    inputmode={field.input === "whole" ? "numeric" : "text"}
                    onInput={(event) => type(event.currentTarget.value)}
                />
            )}
            {wrong && (
                <span class="red" role="alert">
                    {t(field.input === "span" ? "limitfield.nospan" : field.input === "whole" ? "limitfield.nowhole" : "edit.number")}
                </span>
            )}
        </label>
    );
}

interface Part {
    from?: string;
    to?: string;
    days?: string[];
    dates?: string[];
}

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

// It keeps what is typed as it stands, also while an input method composes it.
function Clock({ label, value, set }: { label: string; value: string; set: Set }): JSX.Element {
    const [typed, setTyped] = useState(value);
    const meant = (text: string) => text.normalize("NFKC").trim();
    return (
        <input
            type="text"
            class="clock"
            inputmode="numeric"
            pattern="\s*([0０1１][0-9０-９]|[2２][0-3０-３])[:：][0-5０-５][0-9０-９]\s*|\s*[2２][4４][:：][0０]{2}\s*"
            placeholder="HH:MM"
            aria-label={label}
            value={meant(typed) === value ? typed : value}
            onInput={(event) => {
                setTyped(event.currentTarget.value);
                set(meant(event.currentTarget.value) || undefined);
            }}
        />
    );
}

// `plain`: of a job, whose windows say when it may start, on days of the week.
export function Windows(props: {
    allow: Part[];
    deny: Part[];
    set: (allow: Part[], deny: Part[]) => void;
    plain?: boolean;
}): JSX.Element {
    const { allow, deny, set, plain } = props;
    const [dates, setDates] = useState<Record<string, string>>({});
    const rows = [...allow.map((part) => ({ part, only: true })), ...deny.map((part) => ({ part, only: false }))];
    const change = (at: number, made: { part: Part; only: boolean } | undefined) => {
        const all = rows.flatMap((row, index) => (index === at ? (made ? [made] : []) : [row]));
        if (at === rows.length && made) all.push(made);
        const of = (only: boolean) => all.filter((row) => row.only === only).map((row) => row.part);
        set(of(true), of(false));
    };
    return (
        <fieldset class="whole windows">
            <legend>{t("limitfield.windows")}</legend>
            {rows.map(({ part, only }, index) => {
                const edit = (key: keyof Part, value: unknown) => {
                    const { [key]: _, ...rest } = part;
                    change(index, { only, part: value === undefined ? rest : { ...rest, [key]: value } });
                };
                const clock = (key: "from" | "to", label: Key) => (
                    <Clock label={t(label)} value={part[key] ?? ""} set={(value) => edit(key, value)} />
                );
                return (
                    <div class="window" key={index} role="group" aria-label={t("limitfield.window", { n: index + 1 })}>
                        {!plain && (
                            <select
                                aria-label={t("limitfield.only")}
                                value={only ? "allow" : "deny"}
                                onChange={(event) => change(index, { part, only: event.currentTarget.value === "allow" })}
                            >
                                <option value="allow">{t("limitfield.allow")}</option>
                                <option value="deny">{t("limitfield.deny")}</option>
                            </select>
                        )}
                        {clock("from", "limitfield.from")}–{clock("to", "limitfield.to")}
                        <span class="days">
                            {days.map((day) => (
                                <label key={day} class="check">
                                    <input
                                        type="checkbox"
                                        checked={part.days?.includes(day) ?? true}
                                        onChange={(event) => {
                                            const on = new Set<string>(part.days ?? days);
                                            if (event.currentTarget.checked) on.add(day);
                                            else on.delete(day);
                                            edit("days", on.size === 7 || on.size === 0 ? undefined : days.filter((each) => on.has(each)));
                                        }}
                                    />
                                    {word("day", day)}
                                </label>
                            ))}
                        </span>
                        {!plain && (
                            <input
                                type="text"
                                class="mono dates"
                                aria-label={t("limitfield.dates")}
                                placeholder={t("limitfield.dates.hint")}
                                value={dates[index] ?? part.dates?.join(", ") ?? ""}
                                onInput={(event) => {
                                    const { value } = event.currentTarget;
                                    setDates((was) => ({ ...was, [index]: value }));
                                    const list = value.split(/[,、\s]+/).filter(Boolean);
                                    edit("dates", list.length ? list : undefined);
                                }}
                            />
                        )}
                        <button
                            type="button"
                            class="quiet"
                            aria-label={t("limitfield.window.remove", { n: index + 1 })}
                            onClick={() => {
                                setDates({});
                                change(index, undefined);
                            }}
                        >
                            <Icon name="close" />
                        </button>
                    </div>
                );
            })}
            <button
                type="button"
                onClick={() => change(rows.length, { only: rows[0]?.only ?? true, part: { from: "09:00", to: "17:00" } })}
            >
                {t("limitfield.window.add")}
            </button>
        </fieldset>
    );
}

const waits: readonly Field[] = [
    { key: "base", label: "backoff.base", input: "span", fallback: "2 s" },
    { key: "factor", label: "limitfield.factor", input: "number", fallback: "2" },
    { key: "max", label: "limitfield.longest", input: "span", fallback: "1 h" },
    { key: "jitter", label: "backoff.jitter", input: "percent", fallback: "20" },
];

// How long a job waits between its attempts. What is no number yet is kept here and is null outside, which the master refuses.
export function BackoffFields({ value, set }: { value: unknown; set: Set }): JSX.Element {
    const now = (value ?? {}) as Readonly<Record<string, unknown>>;
    const change = (key: string, made: unknown) => {
        const { [key]: _, ...rest } = now;
        const all = made === undefined ? rest : { ...rest, [key]: made };
        set(Object.keys(all).length === 0 ? undefined : all);
    };
    return (
        <fieldset class="whole windows">
            <legend>{t("field.backoff")}</legend>
            <div class="limit-fields">
                {waits.map((field) => (
                    <Typed
                        key={field.key}
                        field={field}
                        value={now[field.key] === null ? NaN : now[field.key]}
                        set={(made) => change(field.key, made)}
                    />
                ))}
            </div>
        </fieldset>
    );
}

interface Share {
    percent?: number;
    min?: number;
    max?: number;
}

const shareFields: readonly Field[] = [
    { key: "percent", label: "limitfield.percent", input: "number" },
    { key: "min", label: "limitfield.least", input: "whole" },
    { key: "max", label: "limitfield.most", input: "whole" },
];

export function Shares(props: {
    shares: Readonly<Record<string, Share>>;
    others: Share | undefined;
    set: (shares: Record<string, Share> | undefined, others: Share | undefined) => void;
}): JSX.Element {
    const [added, setAdded] = useState("");
    const { shares, others, set } = props;
    const row = (key: string | undefined, share: Share) => (
        <div class="window" role="group" key={`key ${key ?? ""}`} aria-label={key ?? t("limitfield.others")}>
            <code class="key">{key ?? t("limitfield.others")}</code>
            {shareFields.map((field) => (
                <Typed
                    key={field.key}
                    field={field}
                    value={share[field.key as keyof Share]}
                    set={(value) => {
                        const { [field.key as keyof Share]: _, ...rest } = share;
                        const made: Share = value === undefined ? rest : { ...rest, [field.key]: value };
                        if (key === undefined) set({ ...shares }, Object.keys(made).length ? made : undefined);
                        else set({ ...shares, [key]: made }, others);
                    }}
                />
            ))}
            {key !== undefined && (
                <button
                    type="button"
                    class="quiet"
                    aria-label={t("limitfield.key.remove", { key })}
                    onClick={() => {
                        const { [key]: _, ...rest } = shares;
                        set(rest, others);
                    }}
                >
                    <Icon name="close" />
                </button>
            )}
        </div>
    );
    return (
        <fieldset class="whole windows">
            <legend>{t("limitfield.shares")}</legend>
            {Object.entries(shares).map(([key, share]) => row(key, share))}
            {row(undefined, others ?? {})}
            <div class="window">
                <input
                    type="text"
                    class="mono"
                    aria-label={t("bucket.key")}
                    placeholder={t("bucket.key")}
                    value={added}
                    onInput={(event) => setAdded(event.currentTarget.value)}
                />
                <button
                    type="button"
                    disabled={added === "" || added in shares}
                    onClick={() => {
                        set({ ...shares, [added]: {} }, others);
                        setAdded("");
                    }}
                >
                    {t("limitfield.key.add")}
                </button>
            </div>
        </fieldset>
    );
}

export function FieldInput({ field, value, set }: { field: Field; value: unknown; set: Set }): JSX.Element {
    if (field.input === "backoff") return <BackoffFields value={value} set={set} />;
    if (field.input === "time")
        return <TimeInput label={t(field.label)} value={typeof value === "string" ? value : undefined} set={set} />;
    if (field.input === "flag")
        return (
            <label class="check">
                <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked || undefined)} />
                {t(field.label)}
            </label>
        );
    if (field.input === "choice")
        return (
            <label>
                {t(field.label)}
                <select
                    value={typeof value === "string" ? value : field.options?.[0]}
                    onChange={(event) => set(event.currentTarget.value === field.options?.[0] ? undefined : event.currentTarget.value)}
                >
                    {field.options?.map((each) => (
                        <option key={each} value={each}>
                            {word("choice", each)}
                        </option>
                    ))}
                </select>
            </label>
        );
    return <Typed field={field} value={value} set={set} />;
}
