// A question before something that is not taken back easily, in a dialog of the console's own.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../base/text";
import { Dialog } from "./dialog";

interface Question {
    title: string;
    text: string;
    go: string; // what the button says that does it
    danger?: boolean;
}
const open = signal<(Question & { answer: (yes: boolean) => void }) | undefined>(undefined);

export function ask(question: Question): Promise<boolean> {
    open.peek()?.answer(false);
    return new Promise((resolve) => {
        const answer = (yes: boolean) => {
            open.value = undefined;
            resolve(yes);
        };
        open.value = { ...question, answer };
    });
}

// Leaving an edit: what was typed is lost only when the person says so.
export async function leaveEdit(isTouched: boolean, close: () => void): Promise<void> {
    if (!isTouched || (await ask({ title: t("discard.title"), text: t("discard.text"), go: t("discard"), danger: true }))) close();
}

export function Asked(): JSX.Element | null {
    const question = open.value;
    if (!question) return null;
    const { title, text, go, danger, answer } = question;
    return (
        <Dialog key={title} title={title} close={() => answer(false)}>
            <p>{text}</p>
            <div class="dialog-end">
                <span class="grow" />
                <button type="button" autofocus onClick={() => answer(false)}>
                    {t("cancel")}
                </button>
                <button type="button" class={danger ? "danger" : "primary"} onClick={() => answer(true)}>
                    {go}
                </button>
            </div>
        </Dialog>
    );
}
