// The editor of an expression (docs/matchers.md). It lives in a shadow root, whose styles are constructed: the page's policy allows no
// style elements. Loaded when somebody begins to type.
import { autocompletion, startCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorSelection, EditorState, Prec, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, placeholder, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { isComposing } from "../base/composing";
import { typedAt, wordsOf, type Suggestion } from "./words";

export interface Fault {
    readonly from: number;
    readonly to: number;
    readonly text: string;
}

export interface Options {
    readonly text: string;
    readonly id: string;
    readonly label: string;
    readonly hint: string;
    readonly isOneLine: boolean;
    readonly isExpression: (text: string) => boolean; // else it has no colours
    readonly suggestions: () => Promise<readonly Suggestion[]>;
    readonly changed: (text: string) => void;
    readonly entered: (text: string) => void;
    readonly escaped: () => void;
}

export interface Editor {
    readonly text: () => string;
    setText(text: string): void;
    mark(faults: readonly Fault[]): void;
    focus(from: number, to: number): void;
    destroy(): void;
}

const setFaults = StateEffect.define<readonly Fault[]>();
const faults = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, change) {
        let now = change.docChanged ? Decoration.none : marks; // another text, another fault
        for (const effect of change.effects) {
            if (!effect.is(setFaults)) continue;
            const length = change.newDoc.length;
            const ranges = effect.value.flatMap(({ from, to, text }) => {
                // At the end of the text, the character before it is underlined.
                const start = Math.max(0, Math.min(from, length - 1));
                const end = Math.min(length, Math.max(to, start + 1));
                return end > start ? [Decoration.mark({ class: "cm-fault", attributes: { title: text } }).range(start, end)] : [];
            });
            now = Decoration.set(ranges, true);
        }
        return now;
    },
    provide: (field) => EditorView.decorations.from(field),
});

const marks = new Map<string, Decoration>();
const markOf = (kind: string) => {
    const made = marks.get(kind) ?? Decoration.mark({ class: `cm-${kind}` });
    marks.set(kind, made);
    return made;
};

function colours(isExpression: (text: string) => boolean) {
    const made = (view: EditorView) => {
        const builder = new RangeSetBuilder<Decoration>();
        const text = view.state.doc.toString();
        if (isExpression(text)) for (const { from, to, kind } of wordsOf(text)) builder.add(from, to, markOf(kind));
        return builder.finish();
    };
    return ViewPlugin.fromClass(
        class {
            decorations: DecorationSet;
            constructor(view: EditorView) {
                this.decorations = made(view);
            }
            update(update: ViewUpdate) {
                if (update.docChanged) this.decorations = made(update.view);
            }
        },
        { decorations: (plugin) => plugin.decorations },
    );
}

function completions(all: () => Promise<readonly Suggestion[]>) {
    return async (context: CompletionContext): Promise<CompletionResult | null> => {
        const line = context.state.doc.lineAt(context.pos);
        const before = line.text.slice(0, context.pos - line.from);
        const found = await all();
        const { of, text } = typedAt(before, found);
        if (text === "" && of === "" && !context.explicit) return null;
        const options = found
            .filter((each) => each.of === of)
            .map((each): Completion => ({ label: each.text, detail: each.note, boost: each.of === "" && each.note === "" ? -1 : 0 }));
        return options.length > 0 ? { from: context.pos - text.length, options, validFor: of === "" ? /^[\w.]*$/ : undefined } : null;
    };
}

const look = EditorView.theme({
    "&": { color: "var(--ink)", font: "0.95em var(--mono)", backgroundColor: "transparent" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.45", overflow: "auto", scrollbarWidth: "none" },
    ".cm-content": { padding: "6px 0", caretColor: "var(--ink)" },
    ".cm-line": { padding: "0" },
    ".cm-placeholder": { color: "var(--ink-2)", fontFamily: "var(--font)" },
    "&:not(.cm-selecting) .cm-variable": { color: "var(--ready)" },
    "&:not(.cm-selecting) .cm-function": { color: "var(--running)" },
    "&:not(.cm-selecting) .cm-keyword": { color: "var(--awaiting)" },
    "&:not(.cm-selecting) .cm-number": { color: "var(--scheduled)" },
    "&:not(.cm-selecting) .cm-string": { color: "var(--succeeded)" },
    "&:not(.cm-selecting) .cm-comment": { color: "var(--ink-2)" },
    "&:not(.cm-selecting) .cm-fault": { textDecoration: "underline wavy var(--red)", textUnderlineOffset: "3px" },
    ".cm-tooltip": {
        backgroundColor: "var(--paper)",
        color: "var(--ink)",
        border: "1px solid var(--line-2)",
        borderRadius: "6px",
        boxShadow: "var(--shadow-2)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "15em", maxWidth: "min(700px, 90vw)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", lineHeight: "1.4" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--accent-ink)" },
    ".cm-completionDetail": { fontFamily: "var(--font)", fontStyle: "normal", color: "var(--ink-2)", marginLeft: "1em" },
    ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "bold" },
});

const oneLine = EditorState.transactionFilter.of((change) => {
    if (change.newDoc.lines === 1) return change;
    const text = change.newDoc.toString().replace(/\s*\n\s*/g, " ");
    return [change, { changes: { from: 0, to: change.newDoc.length, insert: text }, selection: { anchor: text.length }, sequential: true }];
});

export function makeEditor(host: HTMLElement, options: Options): Editor {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
    let isSetting = false;
    const enter = (of: EditorView): boolean => {
        options.entered(of.state.doc.toString());
        return true;
    };
    const escape = (): boolean => {
        options.escaped();
        return false;
    };
    // The Enter of an input method takes what it offers.
    const composed = (event: KeyboardEvent) => options.isOneLine && event.key === "Enter" && isComposing(event);
    const nextFault = (view: EditorView) => {
        let target = -1;
        view.state.field(faults).between(0, view.state.doc.length, (from) => {
            if (target < 0 || (from > view.state.selection.main.head && target <= view.state.selection.main.head)) target = from;
        });
        if (target >= 0) view.dispatch({ selection: { anchor: target }, scrollIntoView: true });
        return true;
    };
    const view = new EditorView({
        root,
        parent: root,
        state: EditorState.create({
            doc: options.text,
            extensions: [
                history(),
                // Nothing is chosen when the list opens, so no pause has to keep Enter from taking what nobody saw.
                autocompletion({ override: [completions(options.suggestions)], icons: false, selectOnOpen: false, interactionDelay: 0 }),
                Prec.highest(EditorView.domEventHandlers({ keydown: composed })),
                keymap.of([
                    { key: options.isOneLine ? "Enter" : "Mod-Enter", run: enter, shift: enter },
                    { key: "Escape", run: escape },
                    { key: "F8", run: nextFault },
                    { key: "Ctrl-Space", run: startCompletion },
                    ...historyKeymap,
                    ...defaultKeymap,
                ]),
                ...(options.isOneLine ? [oneLine] : [EditorView.lineWrapping]),
                faults,
                colours(options.isExpression),
                placeholder(options.hint),
                // A browser that puts text in place of a coloured one would keep its colour by a style attribute, which the policy refuses.
                EditorView.editorAttributes.of((of) => ({ class: of.state.selection.main.empty ? "" : "cm-selecting" })),
                look,
                EditorView.contentAttributes.of((of) => ({
                    "id": options.id,
                    "aria-label": options.label,
                    "aria-multiline": String(!options.isOneLine),
                    "aria-invalid": String(of.state.field(faults).size > 0),
                    "spellcheck": "false",
                    "autocapitalize": "off",
                    "autocorrect": "off",
                    "enterkeyhint": options.isOneLine ? "search" : "enter",
                })),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !isSetting) options.changed(update.state.doc.toString());
                }),
            ],
        }),
    });
    return {
        text: () => view.state.doc.toString(),
        setText(text) {
            isSetting = true;
            const changes = { from: 0, to: view.state.doc.length, insert: text };
            view.dispatch({ changes, selection: EditorSelection.cursor(text.length) });
            isSetting = false;
        },
        mark(all) {
            view.dispatch({ effects: setFaults.of(all) });
        },
        focus(from, to) {
            view.focus();
            const end = view.state.doc.length;
            view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) } });
        },
        destroy: () => view.destroy(),
    };
}
