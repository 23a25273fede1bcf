// The time by the master's clock: the browser's may be wrong by hours.
import { signal } from "@preact/signals";

let ahead_ms = 0;

// What an answer that came just now says the time is.
export function learnTime(now_ms: number): void {
    if (Number.isFinite(now_ms)) ahead_ms = now_ms - Date.now();
}

export function serverNow(): number {
    return Date.now() + ahead_ms;
}

// Changes once a second while the page is seen: for ages and countdowns.
export const second = signal(0);
setInterval(() => {
    if (!document.hidden) ++second.value;
}, 1000);

export function nowEachSecond(): number {
    void second.value;
    return serverNow();
}
