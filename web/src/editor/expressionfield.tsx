// A field for an expression. At first it is the browser's own; once somebody goes into it, the editor is loaded and takes its place, with
// its text and its cursor. Where the editor cannot be loaded, the browser's own stays.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, take, type Schemas } from "../base/api";
import { isComposing } from "../base/composing";
import * as show from "../base/show";
import { t, word } from "../base/text";
import type { Editor } from "./expression";
import { rangeOf, suggestionsOf, type Of, type Sample, type Suggestion } from "./words";

const loaded = signal<typeof import("./expression") | undefined>(undefined);
let asked = false;

function load(): void {
    if (asked) return;
    asked = true;
    import("./expression").then(
        (module) => (loaded.value = module),
        () => (asked = false),
    );
}

const samples = 200;
const fresh_ms = 60_000;
const kept = new Map<string, { at: number; found: Promise<readonly Suggestion[]> }>();

function textOf(kind: string, jobs: number, all: number): string {
    if (kind === "function") return t("suggest.function");
    const share = t("suggest.share", { n: jobs, share: show.percent(jobs / Math.max(1, all)) });
    return kind === "" ? share : t("suggest.kind", { kind: word("suggest", kind), share });
}

// Of what real jobs have, for a minute.
function suggestions(of: Of): Promise<readonly Suggestion[]> {
    const known = kept.get(of);
    if (known && Date.now() - known.at < fresh_ms) return known.found;
    const found = take(api.GET("/v1/jobs", { params: { query: { limit: samples } } })).then(
        (page) => suggestionsOf(page.jobs as unknown as Sample[], of, textOf),
        () => suggestionsOf([], of, textOf),
    );
    kept.set(of, { at: Date.now(), found });
    return found;
}

const always = () => true;
const nothing = (_text?: string) => undefined;

export function ExpressionField(props: {
    id: string;
    label: string;
    value: string;
    change: (text: string) => void;
    of: Of;
    hint?: string;
    lines?: number; // none: one line
    enter?: (text: string) => void;
    escape?: () => void;
    isExpression?: (text: string) => boolean;
    faults?: readonly Schemas["MatcherProblem"][]; // of this value
    class?: string;
}): JSX.Element {
    const host = useRef<HTMLDivElement>(null);
    const plain = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
    const editor = useRef<Editor | undefined>(undefined);
    const now = useRef(props);
    now.current = props;
    const composing = useRef(false);
    const cursor = useRef<[number, number] | undefined>(undefined);
    const [isEditor, setEditor] = useState(loaded.value !== undefined);
    const swap = () => {
        if (loaded.peek() === undefined || composing.current) return;
        const field = plain.current;
        const root = field?.getRootNode() as Document | ShadowRoot | undefined;
        if (field && root?.activeElement === field) cursor.current = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
        setEditor(true);
    };
    useEffect(() => (isEditor ? undefined : loaded.subscribe(swap)), [isEditor]);
    useLayoutEffect(() => {
        const module = loaded.peek();
        if (!isEditor || !host.current || !module) return;
        const { id, label, hint, lines, of } = now.current;
        const made = module.makeEditor(host.current, {
            id,
            label,
            hint: hint ?? "",
            text: now.current.value,
            isOneLine: lines === undefined,
            isExpression: (text) => (now.current.isExpression ?? always)(text),
            suggestions: () => suggestions(of),
            changed: (text) => now.current.change(text),
            entered: (text) => (now.current.enter ?? nothing)(text),
            escaped: () => (now.current.escape ?? nothing)(),
        });
        editor.current = made;
        if (cursor.current) made.focus(...cursor.current);
        return () => made.destroy();
    }, [isEditor, props.label]);
    useLayoutEffect(() => {
        if (editor.current && editor.current.text() !== props.value) editor.current.setText(props.value);
    }, [props.value, isEditor, props.label]);
    useEffect(() => {
        editor.current?.mark((props.faults ?? []).map((fault) => ({ ...rangeOf(props.value, fault), text: fault.message })));
    }, [props.faults, isEditor, props.value]);
    if (isEditor) return <div class={`expression ${props.class ?? ""}`} ref={host} />;
    const attributes = {
        "ref": plain,
        "id": props.id,
        "class": props.class,
        "value": props.value,
        "aria-label": props.label,
        "aria-invalid": (props.faults ?? []).length > 0,
        "placeholder": props.hint,
        "autocomplete": "off" as const,
        "autocapitalize": "off" as const,
        "spellcheck": false,
        "onFocus": load,
        "onInput": (event: { currentTarget: { value: string } }) => props.change(event.currentTarget.value),
        "onCompositionStart": () => (composing.current = true),
        "onCompositionEnd": () => {
            composing.current = false;
            setTimeout(swap);
        },
        "onKeyDown": (event: KeyboardEvent & { currentTarget: { value: string } }) => {
            if (isComposing(event)) {
                if (event.key === "Enter") event.preventDefault();
            } else if (event.key === "Enter" && props.lines === undefined) {
                event.preventDefault();
                props.enter?.(event.currentTarget.value);
            } else if (event.key === "Escape") props.escape?.();
        },
    };
    if (props.lines !== undefined) return <textarea {...attributes} rows={props.lines} />;
    return <input {...attributes} type="text" enterkeyhint="search" />;
}
