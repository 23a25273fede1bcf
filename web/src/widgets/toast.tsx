import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../base/icon";
import { t } from "../base/text";

interface Toast {
    id: number;
    text: string;
    failed: boolean;
    action?: { text: string; act: () => void };
}

const toasts = signal<readonly Toast[]>([]);
const shown_ms = 8000;
let last = 0;

function drop(id: number): void {
    toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function say(text: string, options: { failed?: boolean; action?: Toast["action"] } = {}): void {
    const id = ++last;
    toasts.value = [...toasts.value.slice(-3), { id, text, failed: options.failed ?? false, action: options.action }];
    setTimeout(() => drop(id), shown_ms);
}

export function Toasts(): JSX.Element {
    return (
        <div class="toasts" role="status" aria-live="polite">
            {toasts.value.map((toast) => (
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
