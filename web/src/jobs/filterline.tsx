import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../base/api";
import { Icon } from "../base/icon";
import { t } from "../base/text";
import { sentence } from "../base/failure";

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
    const [typed, setTyped] = useState(applied);
    const input = useRef<HTMLInputElement>(null);
    useEffect(() => setTyped(applied), [applied]);
    const isTyped = typed.trim() !== applied.trim();
    const wrong = error !== undefined && !isTyped;
    return (
        <form
            class={`filter ${wrong ? "wrong" : ""}`}
            role="search"
            onSubmit={(event) => {
                event.preventDefault();
                apply(typed.trim());
            }}
        >
            <Icon name="search" />
            <input
                ref={input}
                id="filter"
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                enterkeyhint="search"
                value={typed}
                aria-label={t("filter")}
                aria-invalid={wrong}
                aria-describedby="filter-says"
                placeholder={t("filter.hint")}
                onInput={(event) => setTyped(event.currentTarget.value)}
                onKeyDown={(event) => {
                    if (event.key === "Enter" && event.isComposing) event.preventDefault();
                    else if (event.key === "Escape" && isTyped) setTyped(applied);
                }}
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
                        input.current?.focus();
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
