import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../base/icon";
import { t } from "../base/text";

interface Toast {
    id: number;
    text: string;
    failed: boolean;
    about: string | undefined; // the thing that was changed
    action?: { text: string; act: () => void };
}

const toasts = signal<readonly Toast[]>([]);
const shown_ms = 8000;
let last = 0;

function drop(id: number): void {
    toasts.value = toasts.value.filter((each) => each.id !== id);
}

// What older messages about a thing offer is out of date once the thing was changed again, or the change was taken back elsewhere.
export function outdate(about: string): void {
    if (toasts.peek().some((each) => each.about === about && each.action))
        toasts.value = toasts.peek().map((each) => (each.about === about ? { ...each, action: undefined } : each));
}

export function say(text: string, options: { failed?: boolean; about?: string | undefined; action?: Toast["action"] } = {}): void {
    const { failed = false, about, action } = options;
    const id = ++last;
    if (about !== undefined) outdate(about);
    toasts.value = [...toasts.value.slice(-3), { id, text, failed, about, action }];
    setTimeout(() => drop(id), shown_ms);
}

// Does what the last message offers; false: none offers anything.
export function takeBackLast(): boolean {
    const found = [...toasts.value].reverse().find((each) => each.action);
    if (!found) return false;
    drop(found.id);
    found.action?.act();
    return true;
}

export function Toasts(): JSX.Element {
    const element = useRef<HTMLDivElement>(null);
    const shown = toasts.value;
    // Above a dialog that is open: it is said there, too, what was refused.
    useEffect(() => {
        element.current?.hidePopover?.();
        if (shown.length > 0) element.current?.showPopover?.();
    }, [shown]);
    return (
        <div class="toasts" ref={element} popover="manual" role="status" aria-live="polite">
            {shown.map((toast) => (
                <div key={toast.id} class={`toast ${toast.failed ? "failed" : ""}`}>
                    <Icon name={toast.failed ? "warning" : "check"} />
                    <span>{toast.text}</span>
                    {toast.action && (
                        <button
                            type="button"
                            onClick={() => {
                                drop(toast.id);
                                toast.action?.act();
                            }}
                        >
                            {toast.action.text}
                        </button>
                    )}
                    <button type="button" class="quiet" aria-label={t("close")} onClick={() => drop(toast.id)}>
                        <Icon name="close" />
                    </button>
                </div>
            ))}
        </div>
    );
}
