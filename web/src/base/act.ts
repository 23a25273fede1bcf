// What a person changes: says what was done, or why not.
import { signal } from "@preact/signals";
import { outdate, say } from "../widgets/toast";
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

export interface TakeBack {
    act: () => Promise<unknown>;
    text?: string; // of its button
    about?: () => string; // what is changed, where `key` does not name it yet
}

// One at a time for each `key`, a verb and what is changed by it: a double click does a thing once. Returns whether it was done.
export async function act(key: string, call: () => Promise<unknown>, done?: string, undo?: TakeBack): Promise<boolean> {
    if (busy.has(key)) return false;
    busy.add(key);
    try {
        await call();
        const about = undo?.about?.() ?? key.slice(key.indexOf(" ") + 1);
        const takeBack = undo && { text: undo.text ?? t("undo"), act: () => void act(`undo ${about}`, undo.act, t("undone")) };
        outdate(about);
        if (done) say(done, { about, action: takeBack });
        return true;
    } catch (error) {
        if (!(error instanceof Failure)) throw error;
        say(sentence(error), { failed: true });
        return false;
    } finally {
        busy.delete(key);
    }
}
