// What a person changes: says what was done, or why not.
import { signal } from "@preact/signals";
import { say } from "../widgets/toast";
import { Failure } from "./api";
import { sentence } from "./failure";
import { t } from "./text";

// Why things are changed, for the audit and the histories of jobs.
export const reason = signal("");

// A header holds bytes: those of the text in UTF-8.
export function reasonHeader(text = reason.value): { "Junban-Reason"?: string } {
    const bytes = new TextEncoder().encode(text.trim());
    return bytes.length === 0 ? {} : { "Junban-Reason": String.fromCharCode(...bytes) };
}

const busy = new Set<string>();

// One at a time for each `key`: a double click does a thing once. Returns whether it was done.
export async function act(
    key: string,
    call: () => Promise<unknown>,
    done?: string,
    undo?: () => Promise<unknown>,
    undoText?: string,
): Promise<boolean> {
    if (busy.has(key)) return false;
    busy.add(key);
    try {
        await call();
        const takeBack = undo && { text: undoText ?? t("undo"), act: () => void act(`${key} undo`, undo, t("undone")) };
        if (done) say(done, { action: takeBack });
        return true;
    } catch (error) {
        if (!(error instanceof Failure)) throw error;
        say(sentence(error), { failed: true });
        return false;
    } finally {
        busy.delete(key);
    }
}
