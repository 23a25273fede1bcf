import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../base/icon";
import { t } from "../base/text";

// On plain HTTP a page has no clipboard of its own; a selected text can be copied all the same.
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const field = document.createElement("textarea");
        field.value = text;
        field.className = "aside";
        // Beside an open dialog nothing can be selected.
        ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        return done;
    }
}

export function Copy({ text, label }: { text: string; label: string }): JSX.Element {
    const [said, setSaid] = useState("");
    const copy = async () => {
        setSaid((await copyText(text)) ? t("copied") : t("copy.failed"));
        setTimeout(() => setSaid(""), 1600);
    };
    return (
        <button type="button" class="quiet" title={label} aria-label={label} onClick={() => void copy()}>
            <Icon name={said ? "check" : "copy"} />
            <span class="unseen" role="status">
                {said}
            </span>
        </button>
    );
}
