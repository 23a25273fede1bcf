// Inputs for the fields of a job that stands in a form as JSON. What they do not touch stays as it was written.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BackoffFields, FieldInput, Windows } from "../constraints/inputs";
import type { Field } from "../constraints/fields";
import { exactJson, parseExact, rawMap, Raw, type RawMap } from "../base/json";
import { indented } from "../base/tree";
import { t } from "../base/text";

const unique: readonly Field[] = [
    { key: "key", label: "field.unique", input: "text" },
    { key: "until", label: "form.unique.until", input: "choice", options: ["finished", "started"] },
    { key: "on_conflict", label: "form.unique.conflict", input: "choice", options: ["coalesce", "reject", "replace"] },
];
const dependency: readonly Field[] = [
    { key: "depends_on", label: "form.depends", input: "lines" },
    { key: "on_dependency_failure", label: "form.depends.failure", input: "choice", options: ["fail", "cancel", "run"] },
];
const others: readonly Field[] = [
    { key: "result_ttl", label: "form.result.ttl", input: "span", fallback: "1 h" },
    { key: "trace", label: "field.trace", input: "text" },
];
const common: readonly Field[] = [
    { key: "name", label: "column.name", input: "text", required: true },
    { key: "priority", label: "form.priority", input: "number", fallback: "0" },
    { key: "max_retry", label: "field.retries", input: "whole", fallback: "0" },
    { key: "timeout", label: "column.timeout", input: "span", fallback: "30 s" },
];

interface Window {
    from?: string;
    to?: string;
    tz?: string;
    days?: string[];
}

// `text` is a JSON map, or nothing. `of` says which of its fields have inputs here.
export function JobFields({ text, set, of }: { text: string; set: (text: string) => void; of: "new" | "recurring" }): JSX.Element | null {
    // What is typed and is no number yet: the JSON has null there, which the master refuses.
    const [bad, setBad] = useState<ReadonlySet<string>>(new Set());
    const map: RawMap | undefined = text.trim() === "" ? {} : rawMap(text);
    if (!map) return null;
    const read = (key: string): unknown => map[key] && parseExact(map[key].text);
    const put = (key: string, value: unknown) => {
        const { [key]: _, ...rest } = map;
        const isBad = typeof value === "number" && Number.isNaN(value);
        setBad((was) => new Set([...[...was].filter((each) => each !== key), ...(isBad ? [key] : [])]));
        const made: RawMap = value === undefined ? rest : { ...map, [key]: new Raw(exactJson(value)) };
        set(Object.keys(made).length === 0 ? "" : indented(exactJson(made)));
    };
    const inputs = (fields: readonly Field[], value: (key: string) => unknown, change: (key: string, value: unknown) => void) =>
        fields.map((field) => (
            <FieldInput
                key={field.key}
                field={field}
                value={bad.has(field.key) ? NaN : value(field.key)}
                set={(made) => change(field.key, made)}
            />
        ));
    const own = read("unique") as Record<string, unknown> | undefined;
    const windows = (read("windows") as Window[] | undefined) ?? [];
    const zone = windows[0]?.tz;
    const placed = (all: readonly Window[], tz: string | undefined) =>
        put("windows", all.length === 0 ? undefined : all.map(({ tz: _, ...each }) => ({ ...each, ...(tz && { tz }) })));
    return (
        <>
            {of === "recurring" && <div class="limit-fields">{inputs(common, read, put)}</div>}
            <div class="limit-fields">
                <BackoffFields value={read("backoff")} set={(value) => put("backoff", value)} />
                {inputs(others, read, put)}
                {of === "new" && inputs(dependency, read, put)}
            </div>
            <div class="limit-fields">
                <FieldInput
                    field={{ key: "unique", label: "form.unique", input: "flag" }}
                    value={own !== undefined}
                    set={(on) => put("unique", on ? {} : undefined)}
                />
                {own && inputs(unique, (key) => own[key], (key, value) => put("unique", { ...own, [key]: value }))}
            </div>
            <div class="limit-fields">
                <Windows plain allow={windows as []} deny={[]} set={(all) => placed(all, zone)} />
                {windows.length > 0 && (
                    <FieldInput
                        field={{ key: "tz", label: "limitfield.zone", input: "text", fallback: "UTC" }}
                        value={zone}
                        set={(tz) => placed(windows, tz as string | undefined)}
                    />
                )}
            </div>
            {of === "new" && <p class="faint">{t("form.others.hint")}</p>}
        </>
    );
}
