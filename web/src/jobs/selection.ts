// The jobs that are selected in the list.
import { signal } from "@preact/signals";

const empty: ReadonlySet<string> = new Set();
export const selected = signal<ReadonlySet<string>>(empty);
// All that match, instead of those that are selected one by one.
export const allChosen = signal(false);

export function clearSelection(): void {
    selected.value = empty;
    allChosen.value = false;
}
