import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Failure } from "../base/api";
import { Icon } from "../base/icon";
import { t } from "../base/text";
import { sentence } from "../base/failure";
import { ExpressionField } from "../editor/expressionfield";
import { useKept } from "../widgets/kept";
import { plainSearch } from "./filter";

// In a page or in the shadow root of its editor.
export function focusFilter(): void {
    const editor = document.querySelector(".filter .expression");
    (editor?.shadowRoot ?? document).getElementById("filter")?.focus();
}

// What the master says is wrong with an expression, with its place.
export function problemText(error: Failure): string {
    const [first] = error.problem?.errors ?? [];
    if (!first) return sentence(error);
    return t("filter.problem", { column: String(first.column), text: first.message });
}

export function FilterLine({
    applied,
    apply,
    error,
}: {
    applied: string;
    apply: (text: string) => void;
    error: Failure | undefined;
}): JSX.Element {
    const { typed, type, sent } = useKept(applied);
    const enter = (text: string) => {
        sent(text.trim());
        apply(text.trim());
    };
    const isTyped = typed.trim() !== applied.trim();
    const wrong = error !== undefined && !isTyped;
    // Of a plain search the master's places are in another text.
    const faults = useMemo(() => (wrong && !plainSearch(typed) ? (error.problem?.errors ?? []) : []), [wrong, error]);
    return (
        <form
            class={`filter ${wrong ? "wrong" : ""}`}
            role="search"
            onSubmit={(event) => {
                event.preventDefault();
                enter(typed);
            }}
        >
            <Icon name="search" />
            <ExpressionField
                id="filter"
                label={t("filter")}
                hint={t("filter.hint")}
                of="searches"
                value={typed}
                change={type}
                enter={enter}
                escape={() => type(applied)}
                isExpression={(text) => plainSearch(text) === ""}
                faults={faults}
            />
            {isTyped && (
                <button type="submit" class="filter-enter">
                    {t("filter.enter")}
                </button>
            )}
            {!isTyped && applied !== "" && (
                <button
                    type="button"
                    class="quiet"
                    aria-label={t("filter.clear")}
                    title={t("filter.clear")}
                    onClick={() => {
                        apply("");
                        focusFilter();
                    }}
                >
                    <Icon name="close" />
                </button>
            )}
            <span id="filter-says" class={wrong ? "filter-says" : "unseen"} role={wrong ? "alert" : undefined}>
                {wrong && error ? problemText(error) : isTyped ? t("filter.typed") : ""}
            </span>
        </form>
    );
}
